/* A tree over boxes of floats, eight per node, laid out level by level without pointers: the wide hierarchy's idea, one
 * level up. Boxes are sorted along a Morton curve; each eight neighbours are a leaf node, each eight leaf nodes have a
 * node on the level above, and so on.
 *
 * A box can be changed in place as long as it stays near the node that it was built into, so that the tree never
 * degrades; others are taken out. */
#ifndef TUMBLE_SRC_SCENE_BOX_TREE_H
#define TUMBLE_SRC_SCENE_BOX_TREE_H

#include <math.h>

#include "base/assert.h"
#include "base/context.h"

#define TMB_TREE_FAN 8
#define TMB_TREE_LEVELS 12 /* 8^11 is more than 2^32 */

typedef struct tmb_box {
    float lower[3], upper[3];
} tmb_box;

/* Overlaps nothing, as long as all others are finite. */
static inline tmb_box tmb_box_empty(void)
{
    return (tmb_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline int tmb_boxes_overlap(const tmb_box *a, const tmb_box *b)
{
    for (int k = 0; k < 3; k++) {
        if (!(a->lower[k] <= b->upper[k] && b->lower[k] <= a->upper[k])) {
            return 0;
        }
    }
    return 1;
}

/* Eight boxes; lanes that are not used are empty. */
typedef struct tmb_tree_node {
    float lower[3][TMB_TREE_FAN], upper[3][TMB_TREE_FAN];
} tmb_tree_node;

typedef struct tmb_box_tree {
    uint32_t count;       /* boxes it was built of */
    uint32_t level_count; /* 0: no boxes; level 0 has the leaf nodes, the last one a single node */
    uint32_t node_count[TMB_TREE_LEVELS];
    tmb_tree_node *levels[TMB_TREE_LEVELS]; /* in `nodes` */
    uint32_t *objects;                      /* whose box each lane of the leaf nodes is */
    tmb_box *homes;                         /* of each leaf node: where its boxes may be */
    tmb_buffer nodes, object_room, home_room;
} tmb_box_tree;

/* Makes a tree of the boxes of `objects` (numbers in `boxes`), all finite. `objects` may be the tree's own. What the
 * tree held before is gone, even if memory runs out; then this returns 0 and the tree is empty. The tree does not
 * depend on the number of threads. */
int tmb_box_tree_build(tumble_context *context, uint32_t thread_count, tmb_box_tree *tree, const tmb_box *boxes,
                       const uint32_t *objects, uint32_t count);
void tmb_box_tree_release(tumble_context *context, tmb_box_tree *tree);

/* The box in a place: lane `place` % 8 of leaf node `place` / 8. */
tmb_box tmb_box_tree_at(const tmb_box_tree *tree, uint32_t place);

/* A node's box. */
tmb_box tmb_box_tree_bounds(const tmb_box_tree *tree, uint32_t level, uint32_t node);

/* Starts to fetch what the next two need to know of a place. */
static inline void tmb_box_tree_fetch(const tmb_box_tree *tree, uint32_t place)
{
    const tmb_tree_node *node = &tree->levels[0][place / TMB_TREE_FAN];
    __builtin_prefetch(&tree->homes[place / TMB_TREE_FAN]);
    for (int k = 0; k < 3; k++) {
        __builtin_prefetch(node->lower[k]);
        __builtin_prefetch(node->upper[k]);
    }
}

/* Whether a box may be put into a place: it lies near the others there. */
int tmb_box_tree_fits(const tmb_box_tree *tree, uint32_t place, const tmb_box *box);

/* Puts a box there, or the empty one, and enlarges the nodes above it. */
void tmb_box_tree_put(tmb_box_tree *tree, uint32_t place, const tmb_box *box);

#endif
