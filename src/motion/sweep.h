/* Boxes of moving models over a span of time. */
#ifndef TUMBLE_SRC_MOTION_SWEEP_H
#define TUMBLE_SRC_MOTION_SWEEP_H

#include "motion/first.h"

/* A box at both ends of a span; in between, the points in it move evenly, but for the bend. */
typedef struct tmb_swept {
    double lower[2][3], upper[2][3];
} tmb_swept;

/* A pair on its way down: the poses of both models at the ends of its span. */
typedef struct tmb_descent {
    tmb_first *first;
    const tmb_first_pair *pair;
    tmb_placed at[2][2]; /* model, end */
} tmb_descent;

tmb_descent tmb_descent_of(tmb_first *first, const tmb_first_pair *pair, double from, double to);
tmb_swept tmb_sweep_node(const tmb_descent *way, int side, const tmb_box_node *node);

/* How far points of a node are at most from where they would be if they moved evenly during a span of that length. */
double tmb_node_bend(const tmb_first *first, int side, const tmb_box_node *node, double span);

/* The longest side of a node. */
double tmb_node_size(const tmb_first *first, int side, const tmb_box_node *node);

static inline int tmb_node_is_leaf(const tmb_box_node *node)
{
    return node->triangle_count > 0 && node->triangle_count <= TMB_BOX_LEAF;
}

/* Whether the boxes of two nodes say little, because they turn too far during the span: more than a quarter of what
 * `size` is. */
static inline int tmb_bends_much(const tmb_first *first, const tmb_first_pair *pair, double bend, double size)
{
    const double middle = 0.5 * (pair->from + pair->to);
    return bend > 0.25 * size && bend > tmb_first_error(first, pair->to) && middle > pair->from && middle < pair->to;
}

/* Triangles of a leaf with their boxes. */
typedef struct tmb_swept_leaf {
    uint32_t count, addresses[TMB_BOX_LEAF];
    tmb_swept boxes[TMB_BOX_LEAF];
    double corners[TMB_BOX_LEAF][2][3][3]; /* at both ends */
} tmb_swept_leaf;
void tmb_sweep_leaf(const tmb_descent *way, int side, const tmb_box_node *node, tmb_swept_leaf *out);

#endif
