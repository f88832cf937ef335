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
#define TMB_BOX_LEAF 8 /* triangles of a leaf that tmb_box_view_open leaves whole, at most */

/* Nodes that wait on the stack of a depth-first walk, at most: no tree leaves more than the two of R-trees above each
 * other, of 48 levels with 7 that wait on each (or 40, with pages, with 8), or a boxtree, of 256 with one. */
#define TMB_BOX_WAITING 352

typedef struct tmb_box_node {
    double lower[3], upper[3];
    uint32_t reference;      /* of a leaf: the address of its first triangle; else the hierarchy's own number */
    uint32_t triangle_count; /* of a leaf; 0: an inner node */
    int32_t own[6];          /* what else the hierarchy knows it by */
} tmb_box_node;

typedef struct tmb_box_reader tmb_box_reader;

typedef struct tmb_box_view {
    const tumble_model *model;
    const tmb_box_reader *reader;
    double lower[3], upper[3], unit, rest; /* from the numbers in nodes to halves of coordinates, outward */
} tmb_box_view;

tmb_box_view tmb_box_view_of(const tumble_model *model);

/* 0 when the model has no triangles. */
int tmb_box_view_root(const tmb_box_view *tree, tmb_box_node *root);

/* The children of an inner node: how many, 1 to TMB_BOX_CHILDREN. */
uint32_t tmb_box_view_children(const tmb_box_view *tree, const tmb_box_node *node,
                               tmb_box_node children[TMB_BOX_CHILDREN]);

/* The same for walks that want up to eight boxes at a time, each as tight as is cheap: nodes of binary trees are opened
 * with the largest of their children, runs of more than TMB_BOX_LEAF triangles are cut where clusters end, and loose
 * leaves get the box of their triangles. Not of leaves with at most TMB_BOX_LEAF triangles. */
uint32_t tmb_box_view_open(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node children[TMB_BOX_CHILDREN]);

/* The address after one of a leaf that is not its last. */
static inline uint32_t tmb_box_next_triangle(const tumble_model *model, uint32_t address)
{
    return tmb_next_triangle(model->places, address);
}

/* ---- For the hierarchies ---- */

/* How the nodes of a hierarchy are read. `begin` sets the numbers of the view, and may be NULL. The root comes with the
 * model's box. */
struct tmb_box_reader {
    void (*begin)(tmb_box_view *view);
    void (*root)(const tmb_box_view *view, tmb_box_node *root);
    uint32_t (*children)(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children);
    int is_binary;        /* no node has more than two children */
    int has_loose_leaves; /* whose boxes are larger than their triangles */
};

/* From numbers in nodes to coordinates: those of a model's local frame, off by at most the rounding; or others, with a
 * unit and an error in halves of coordinates. */
void tmb_box_set_local(tmb_box_view *view, double rounding);
void tmb_box_set_origin(tmb_box_view *view, const double origin[3], double unit, double size_error);

/* One axis of a box. */
void tmb_box_set_range(const tmb_box_view *view, int k, double low, double high, tmb_box_node *node);

/* A leaf that is a cluster. */
void tmb_box_set_cluster(const tumble_model *model, uint32_t cluster, tmb_box_node *node);

#endif
