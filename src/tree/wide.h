/* The wide hierarchy: a complete tree of 8 children a node over clusters (tree/cluster.h).
 *
 * The order of the clusters is the tree: node i of the lowest level has clusters 8i to 8i + 7, and node i of each
 * further level has nodes 8i to 8i + 7 of the level below. Nodes are stored from the root down, level by level.
 *
 * Coordinates are local: those of the model minus its centre, scaled by a power of two so that they lie in [-1, 1], in
 * float. A child has a box, quantised to 8 bits a side within its node and rounded outward, and a slab: a direction n
 * with the range of n . (x - c), where c is the centre of its box as decoded. For a patch of a surface n is normal to
 * it, and the slab is what a box turned that way would add. See docs/wide.md. */
#ifndef TUMBLE_SRC_TREE_WIDE_H
#define TUMBLE_SRC_TREE_WIDE_H

#include "base/arena.h"
#include "tree/cluster.h"
#include "tree/model.h"

#define TMB_WIDE 8         /* children a node */
#define TMB_WIDE_LEVELS 12 /* enough for 2^32 triangles */

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

/* Levels and nodes over that many clusters, at least 1. starts[l] is the first node of level l, the lowest being 0. */
typedef struct tmb_wide_shape {
    uint32_t level_count, node_count;
    uint32_t counts[TMB_WIDE_LEVELS], starts[TMB_WIDE_LEVELS];
} tmb_wide_shape;

tmb_wide_shape tmb_wide_shape_of(uint32_t cluster_count);

/* Whether the nodes of a block form its tree; the message of the failure names the node. */
tumble_status tmb_wide_check(tumble_context *context, const tmb_block *block, const void *nodes);

#endif
