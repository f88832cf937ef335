/* Two wide hierarchies against each other: what the setup hands to the kernels. See docs/wide.md for the bounds. */
#ifndef TUMBLE_SRC_QUERY_WIDE_WALK_H
#define TUMBLE_SRC_QUERY_WIDE_WALK_H

#include "base/kernel.h"
#include "query/collider.h"
#include "query/local_map.h"
#include "tree/wide.h"

/* From one model's local coordinates into the other's. */
typedef struct tmb_wide_map {
    float m[3][3], size[3][3]; /* the matrix and its absolute values */
    float shift[3];
    float slack; /* how far a point may really be from where floats say, and the limit */
} tmb_wide_map;

/* Two nodes, and which of their children are to be looked at. */
typedef struct tmb_wide_pair {
    uint32_t a, b;
    uint8_t children_a, children_b;
} tmb_wide_pair;

typedef struct tmb_wide_walk {
    tmb_collider *collider;
    const tmb_wide_node *nodes_a, *nodes_b;
    tmb_wide_map into_a, into_b;
    float turn[3][3]; /* from B's directions to A's: the transposed inverse, times slab_unit */
    float slab_unit;  /* a power of two that makes these directions about as long as A's own */
    float slab_slack;
    float size_of_b; /* B's local unit in A's */
    /* When boxes are compared with triangles of A, of B: in A's unit, what is not in the boxes' own slack yet. */
    float slack_of_a, slack_of_b;
    tmb_wide_pair *stack; /* with room for all that can wait at one time */
} tmb_wide_walk;

/* All but the stack, for the map from B's local coordinates to A's and what doubles lose; 0 when floats cannot tell
 * anything. */
int tmb_wide_set_up(tmb_collider *c, const tmb_local_map *into_a, double error, tmb_wide_walk *walk);

typedef void tmb_wide_function(tmb_wide_walk *walk);
TMB_DECLARE_KERNELS(tmb_wide_function, tmb_wide_walk);

#endif
