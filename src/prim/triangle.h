/* Triangle against triangle, exactly. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_H
#define TUMBLE_SRC_PRIM_TRIANGLE_H

/* Whether two closed triangles (given by their corners; segments and points when degenerate) have a point in common:
 * the mathematically exact answer on these doubles, for all finite ones. `exact`, if not NULL, is incremented if plain
 * double arithmetic could not decide. */
int tmb_triangles_intersect(const double a[3][3], const double b[3][3], unsigned long long *exact);

/* Where two triangles meet.
 *
 * Returns 0 when they cross: both have an area and lie in different planes, and the points are the ends of their common
 * segment, bitwise equal when they share one point only; or one has an area and the other is a segment that leaves its
 * plane, and the point where it passes is given twice.
 *
 * Returns 1 when one plane holds both: both have an area and the same plane, or a degenerate one lies in the plane of
 * the other, or both are degenerate. A common point is given twice: a corner of one of them (any of the three, also
 * inside a segment) where one is common, else a point where two edges cross.
 *
 * Returns -1 when they do not intersect; `points` is left alone.
 *
 * Which corners and edges make the points is decided exactly. A point that is a corner of either triangle is returned
 * unchanged. A point on an edge is computed to one or two units in the last place of the largest coordinate of that
 * edge, each axis by itself, also where the planes are nearly parallel, and lies in the bounding box of the edge; it is
 * finite for all finite input. */
int tmb_triangles_segment(const double a[3][3], const double b[3][3], double points[2][3]);

#endif
