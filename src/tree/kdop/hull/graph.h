/* The graph of a polytope from its triangulated surface; of hull.c alone. */
#ifndef TUMBLE_SRC_TREE_KDOP_HULL_GRAPH_H
#define TUMBLE_SRC_TREE_KDOP_HULL_GRAPH_H

#include "tree/kdop/hull/hull.h"
#include "tree/kdop/hull/surface.h"

/* Sets the count and takes memory for the rest; 0 when there is none. */
int tmb_hull_allocate(tmb_arena *arena, uint32_t count, size_t neighbour_count, tmb_hull *out);

/* Vertices and edges of the polytope. Overwrites the surface's `owner` and `links`, and `room` for as many numbers.
 * Returns 0 if memory runs out. */
int tmb_hull_graph_make(tmb_arena *arena, tmb_arena *scratch, const tmb_hull_surface *surface, uint32_t *room,
                        tmb_hull *out);

#endif
