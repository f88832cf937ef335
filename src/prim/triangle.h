/* Triangle against triangle, exactly. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_H
#define TUMBLE_SRC_PRIM_TRIANGLE_H

/* Whether two closed triangles (given by their corners; segments and points when degenerate) have a point in common: the mathematically exact answer on these doubles. `exact`, when not null,
 * is increased by one if plain double arithmetic could not decide. */
int tmb_triangles_intersect(const double a[3][3], const double b[3][3], unsigned long long *exact);

/* For two triangles that intersect: fills the ends of their common segment (equal when they share a point only) and
 * returns 0; or, when both lie in one plane (degenerate triangles: when the common part is not decided by crossing
 * planes), writes one common point twice and returns 1. Which edges bound the segment is decided exactly, the coordinates are rounded. */
int tmb_triangles_segment(const double a[3][3], const double b[3][3], double points[2][3]);

#endif
