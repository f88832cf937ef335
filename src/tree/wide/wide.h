/* The wide hierarchy: a tree of up to 8 children per node over clusters (tree/cluster.h).
 *
 * Nodes of the lowest kind have clusters as children, others have nodes, of either kind. Children are stored side by
 * side, nodes and clusters alike, in the order in which a depth-first traversal meets their parents.
 *
 * Coordinates are local: those of the model minus its centre, scaled by a power of two so that they lie in [-1, 1], in
 * float. A child has a box, quantised to 8 bits per side within its node and rounded outward, and a slab: a direction n
 * with the range of n . (x - c), where c is the centre of its box as decoded. For a patch of a surface n is normal to
 * it, and the slab adds what an oriented box would. See docs/wide.md. */
#ifndef TUMBLE_SRC_TREE_WIDE_WIDE_H
#define TUMBLE_SRC_TREE_WIDE_WIDE_H

#include "base/arena.h"
#include "tree/cluster.h"
#include "tree/model.h"

#define TMB_WIDE 8         /* children per node */
#define TMB_WIDE_LEVELS 32 /* no tree has more: see order_kernel.c */

typedef struct tmb_wide_node {
    uint8_t lower[3][TMB_WIDE], upper[3][TMB_WIDE];     /* in units of the scale, from the origin */
    int8_t direction[2][TMB_WIDE];                      /* of the slab: octahedral, see tmb_wide_direction */
    int16_t slab_lower[TMB_WIDE], slab_upper[TMB_WIDE]; /* in units of 2^-8 of the greatest scale */
    float origin[3];
    float scale[3];
    uint32_t children; /* the first one: a node, or a cluster on the lowest level */
    uint16_t child_count;
    uint16_t is_lowest; /* children are clusters */
} tmb_wide_node;

_Static_assert(sizeof(tmb_wide_node) == 128, "two cache lines");

/* A tree without boxes: what its nodes have as children. */
typedef struct tmb_wide_link {
    uint32_t children;
    uint16_t child_count, is_lowest;
} tmb_wide_link;

typedef struct tmb_wide_tree {
    const tmb_wide_link *links; /* one for each node */
    uint32_t node_count, depth; /* the depth counts clusters as a level */
} tmb_wide_tree;

/* Whether the nodes of a block form its tree; the message of the failure names the node. */
tumble_status tmb_wide_validate(tumble_context *context, const tmb_block *block, const void *nodes);

/* How it is built, and its nodes as boxes. */
extern const struct tmb_hierarchy_builder tmb_wide_builder;
extern const struct tmb_box_reader tmb_wide_boxes;
extern const struct tmb_live_kind tmb_wide_live;

#endif
