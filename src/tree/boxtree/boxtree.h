/* The restricted boxtree (Zachmann 2002; US 6,862,026): nodes, in both layouts.
 *
 * No box is stored. The root box is known, and a child's box is its parent's with one side moved inward by a distance
 * `cut`. Sides are numbered 2 * axis + (0: lower, 1: upper). Distances are integer multiples of the model's grid unit
 * with at most 24 significant bits, so they are exact in float and all sums of them are exact: see docs/boxtree.md. */
#ifndef TUMBLE_SRC_TREE_BOXTREE_BOXTREE_H
#define TUMBLE_SRC_TREE_BOXTREE_BOXTREE_H

#include "base/arena.h"
#include "tree/boxtree/grid.h"
#include "tree/model.h"
#include "tree/triangle_set.h"

/* One plane per node (the paper): the plane that cuts this node off its parent. 8 bytes. */
typedef struct tmb_node_one {
    float cut;
    uint32_t word; /* side: 3 bits, kind: 2 bits, index: 27 bits */
} tmb_node_one;

typedef enum tmb_node_kind {
    TMB_NODE_LEAF = 0,  /* index: the triangle's address */
    TMB_NODE_TWIN = 1,  /* index: the first of two children, which lie side by side */
    TMB_NODE_SINGLE = 2 /* index: the only child */
} tmb_node_kind;

#define TMB_ONE_INDEX_BITS 27
static inline uint32_t tmb_one_index(uint32_t word)
{
    return word & ((1u << TMB_ONE_INDEX_BITS) - 1);
}
static inline uint32_t tmb_one_kind(uint32_t word)
{
    return (word >> TMB_ONE_INDEX_BITS) & 3;
}
static inline uint32_t tmb_one_side(uint32_t word)
{
    return word >> (TMB_ONE_INDEX_BITS + 2);
}
static inline uint32_t tmb_one_word(uint32_t side, uint32_t kind, uint32_t index)
{
    return side << (TMB_ONE_INDEX_BITS + 2) | kind << TMB_ONE_INDEX_BITS | index;
}

/* Two parallel planes per node (the patent): cut[0] moves the upper side down for the lower child, cut[1] the lower
 * side up for the upper child; a node with one child has both moved for it. Leaves are references, not nodes: 16 bytes
 * for an inner node and its share of leaves, 8 per node. */
typedef struct tmb_node_two {
    float cut[2];
    uint32_t child[2]; /* references; the top bits of the two words hold the axis */
} tmb_node_two;

#define TMB_TWO_INDEX_BITS 30
#define TMB_TWO_LEAF (1u << TMB_TWO_INDEX_BITS)
#define TMB_TWO_AXIS (1u << 31)
#define TMB_TWO_NONE (TMB_TWO_AXIS - 1) /* leaf bit and index all ones: no second child */
static inline uint32_t tmb_two_reference(uint32_t word)
{
    return word & ~TMB_TWO_AXIS;
}
static inline uint32_t tmb_two_axis(const tmb_node_two *node)
{
    return (node->child[0] >> 31) | (node->child[1] >> 31) << 1;
}

/* Largest number of triangles that each layout can count: there are less than four times as many nodes, and less
 * than twice as many addresses (see tree/clusters.h). */
#define TMB_ONE_TRIANGLES ((size_t)1 << (TMB_ONE_INDEX_BITS - 2))
#define TMB_TWO_TRIANGLES ((size_t)1 << (TMB_TWO_INDEX_BITS - 2))
_Static_assert(TMB_TWO_TRIANGLES >= TMB_MOST_TRIANGLES, "every model fits into this layout");

/* A finished tree. */
typedef struct tmb_boxtree {
    tmb_boxtree_root root;
    void *nodes;         /* root.slot_count of the layout's struct */
    size_t node_bytes;   /* of all of them */
    uint32_t *order;     /* triangle i of the tree is number order[i] of the input */
    uint64_t node_count; /* leaves included */
    uint32_t depth;
} tmb_boxtree;

/* The tree's memory is the arena's. */
tumble_status tmb_boxtree_build(tmb_arena *arena, const tmb_triangle_set *set, const tumble_model_options *options,
                                tmb_boxtree *out);

/* Replaces the number of each leaf's triangle, which is that of the tree's order, by its address. */
void tmb_boxtree_readdress(tmb_boxtree *tree, const uint32_t *addresses);

/* Fits the nodes of a block to its clusters and bounds, whose points have moved, and writes them and the root box. The
 * tree is that of `from`: checked nodes of the block's layout, which are as many. Scratch memory is
 * tmb_boxtree_fit_bytes long. Linear time; the result does not depend on the number of threads. Always returns 1: if
 * memory runs out, the calling thread works alone. */
size_t tmb_boxtree_fit_bytes(const tmb_block *block);
int tmb_boxtree_fit(tumble_context *context, uint32_t thread_count, tmb_block *block, const void *from, void *scratch);

/* Whether the nodes of a block, whose clusters are valid, form one tree with each triangle in one leaf, no deeper than
 * stated; the message names the offending node. */
tumble_status tmb_boxtree_validate(tumble_context *context, const tmb_block *block, const void *nodes);

/* How it is built, and its nodes as boxes. */
extern const struct tmb_hierarchy_builder tmb_boxtree_builder;
extern const struct tmb_box_reader tmb_boxtree_boxes;
extern const struct tmb_live_kind tmb_boxtree_live;

#endif
