/* Small restricted boxtrees and AABB trees, with boxes that are stored: to count what ideas of Zachmann's paper that
 * the library does not have would save. Not exact, and not fast. */
#ifndef TUMBLE_BENCH_PAPERS_BOXES_H
#define TUMBLE_BENCH_PAPERS_BOXES_H

#include "models.h"

typedef struct plain_box {
    double lower[3], upper[3];
} plain_box;

typedef struct plain_rules {
    int restricted; /* a child is its parent cut at one side; else boxes are tight */
    int count;      /* volumes are weighted by the number of polygons */
    double trim;    /* as the library's */
    int ahead;      /* the cost of a split has the cost of its children's best splits */
    int any_side;   /* a child's plane may be perpendicular to the split's axis */
} plain_rules;

typedef struct plain_node {
    plain_box box;
    plain_box coarse[2]; /* where cuts are rounded down: to a thousandth of the root's longest side; to 5 bits */
    int child[2];        /* -1: none; both: a leaf */
    int polygon;
    int split; /* the side of the parent's split that this node lies at; -1: a trim or the root */
    int parent;
} plain_node;

typedef struct plain_tree {
    plain_node *nodes;
    int count;
} plain_tree;

plain_tree plain_build(const models_mesh *mesh, plain_rules rules);
void plain_free(plain_tree *tree);

typedef struct plain_counts {
    double box_tests, leaf_pairs;
} plain_counts;

/* Goes down both trees at each step, by the axes of both. `coarse` is -1, or which of the coarse boxes stand for the
 * model that is not at home in a frame. */
void plain_walk(const plain_tree *a, const plain_tree *b, const tumble_pose *pose, int coarse, plain_counts *counts);

#endif
