/* How the triangles of a model are connected: whether they enclose something, and in how many parts. */
#ifndef TUMBLE_SRC_TREE_TOPOLOGY_H
#define TUMBLE_SRC_TREE_TOPOLOGY_H

#include "base/arena.h"
#include "tree/model.h"

/* Points are corners with equal coordinates, an edge is two of them. Triangles with two equal corners have no edges;
 * others without area have, like the ones that close a gap between an edge and two shorter ones. */
typedef struct tmb_edge_facts {
    uint64_t point_count;
    int all_paired;   /* there are edges, and each has two triangles, in opposite directions */
    int all_even;     /* there are edges, and each has an even number of triangles */
    int all_balanced; /* there are edges, and each has as many triangles in one direction as in the other */
} tmb_edge_facts;

/* Also gives the point of each corner: of number i of a cluster, at 16 times the cluster plus i. 0 if memory runs out;
 * the memory is the arena's. */
int tmb_survey_edges(const tumble_model *model, tmb_arena *arena, tmb_edge_facts *facts, uint32_t **points);

/* A model whose edges are all even is closed: every point that is not on its surface is inside or outside, by the
 * number of triangles that any ray from it passes, odd or even. This stays so when its points are moved: what had equal
 * coordinates still has, and a triangle that loses its area has the boundary of nothing.
 * Parts are connected by common points. */
typedef struct tmb_topology {
    uint16_t closed;
    uint16_t balanced; /* all edges are: so the winding number of a point does not depend on the ray either */
    uint32_t part_count;
    uint32_t *triangles; /* of each part one, by its address */
    uint32_t *part_of;   /* of each triangle, by its address; NULL: there is one part */
    size_t bytes;
} tmb_topology;

/* Computed on first use, in time and memory proportional to the model, and kept with it. Any number of threads may
 * ask. */
tumble_status tmb_topology_of(const tumble_model *model, const tmb_topology **out);

/* Call when the model changes or is destroyed. */
void tmb_topology_forget(tumble_model *model);

#endif
