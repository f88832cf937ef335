/* Hulls of points on a line or in a plane; of hull.c alone. */
#ifndef TUMBLE_SRC_TREE_KDOP_HULL_FLAT_H
#define TUMBLE_SRC_TREE_KDOP_HULL_FLAT_H

#include "tree/kdop/hull/hull.h"

/* An axis along which three points are seen as a triangle with an area, or -1: they are on a line. Exact. */
int tmb_hull_flat_axis(const double (*points)[3], uint32_t a, uint32_t b, uint32_t c);

/* The ends of points that are on a line; returns 1 when they are one point, else 2. */
uint32_t tmb_hull_line(const double (*points)[3], uint32_t count, uint32_t ends[2]);

/* The corners in cyclic order of points in a plane, and not on a line, that is not parallel to the axis. `ring` has
 * room for one more than the points. Returns 0 if memory runs out. */
int tmb_hull_ring(tmb_arena *scratch, const double (*points)[3], uint32_t count, int axis, uint32_t *ring,
                  uint32_t *corner_count);

/* The graph of one vertex, two, or a ring. */
static inline size_t tmb_hull_ring_neighbours(uint32_t count)
{
    return count < 3 ? count * (count - 1) : 2 * (size_t)count;
}

/* Fills in the hull, in which count and room are there. Returns 0 if memory runs out. */
int tmb_hull_from_ring(tmb_arena *scratch, const uint32_t *ring, tmb_hull *out);

#endif
