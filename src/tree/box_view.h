/* Any model's hierarchy as a tree of boxes, for generic code: axis-parallel boxes in double, in
 * the model's own coordinates and rounded outward, whatever the nodes look like in memory.
 *
 *     const tmb_box_view tree = tmb_box_view_of(model);
 *     tmb_box_node node, children[TMB_BOX_CHILDREN];
 *     if (tmb_box_view_root(&tree, &node)) {
 *         if (node.triangle_count) {
 *             uint32_t address = node.reference;
 *             for (uint32_t i = 0; i < node.triangle_count; i++, address = tmb_box_next_triangle(model, address)) {
 *                 ...
 *             }
 *         } else {
 *             const uint32_t count = tmb_box_view_children(&tree, &node, children);
 *             ...
 *         }
 *     }
 *
 * Every corner of every triangle below a node lies in the node's box, a closed set; all bounds are finite and within
 * the model's own. A box that is given by its parent's in memory is not found again without it, so a node carries all
 * that is needed to go on, and may be copied and kept as long as the model does not change. A model without a hierarchy
 * gets a tree over its clusters whose inner nodes have the model's box. Nothing is allocated. */
#ifndef TUMBLE_SRC_TREE_BOX_VIEW_H
#define TUMBLE_SRC_TREE_BOX_VIEW_H

#include "tree/model.h"

#define TMB_BOX_CHILDREN 8

/* Nodes that wait on the stack of a depth-first walk, at most: no tree has more levels than the two of R-trees above
 * each other, 48 with 7 that wait on each, or a boxtree, 256 with one. */
#define TMB_BOX_WAITING 352

typedef struct tmb_box_node {
    double lower[3], upper[3];
    uint32_t reference;      /* of a leaf: the address of its first triangle; else the hierarchy's own number */
    uint32_t triangle_count; /* of a leaf; 0: an inner node */
    int32_t own[6];          /* what else the hierarchy knows it by */
} tmb_box_node;

typedef struct tmb_box_view {
    const tumble_model *model;
    double lower[3], upper[3], unit, rest; /* from the numbers in nodes to halves of coordinates, outward */
} tmb_box_view;

tmb_box_view tmb_box_view_of(const tumble_model *model);

/* 0 when the model has no triangles. */
int tmb_box_view_root(const tmb_box_view *tree, tmb_box_node *root);

/* The children of an inner node: how many, 1 to TMB_BOX_CHILDREN. */
uint32_t tmb_box_view_children(const tmb_box_view *tree, const tmb_box_node *node,
                               tmb_box_node children[TMB_BOX_CHILDREN]);

/* The address after one of a leaf that is not its last. */
static inline uint32_t tmb_box_next_triangle(const tumble_model *model, uint32_t address)
{
    return tmb_next_triangle(model->places, address);
}

#endif
