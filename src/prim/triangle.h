/* Triangle against triangle, exactly. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_H
#define TUMBLE_SRC_PRIM_TRIANGLE_H

/* Whether two closed triangles (given by their corners; segments and points when degenerate) have a point in common:
 * the mathematically exact answer on these doubles, for all finite ones. `exact`, when not null, is increased by one if
 * plain double arithmetic could not decide. */
int tmb_triangles_intersect(const double a[3][3], const double b[3][3], unsigned long long *exact);

/* Where two triangles meet.
 *
 * 0: across each other. Either both have an area and lie in different planes; the points are the ends of their common
 * segment, and bitwise equal when they share one point only. Or one has an area and the other, a segment, leaves its
 * plane; the point where it passes, twice. 1: in one plane or line: both have an area and one plane, or a degenerate
 * one lies in the plane of the other, or both are degenerate. One common point, twice; a corner of one of them where
 * there is such a one. -1: they do not intersect; `points` is left alone.
 *
 * Which corners and edges make the points is decided exactly. A corner is given as it is. A point on an edge is
 * computed to a few units in the last place of the largest coordinate of that edge, also where the planes are nearly
 * parallel, and lies in the bounding box of the edge; it is finite for all finite input. */
int tmb_triangles_segment(const double a[3][3], const double b[3][3], double points[2][3]);

#endif
