/* k-DOP trees in plain C, for questions of design that the library has no options for: other directions, nodes with
 * more children, trees built bottom up, leaves of varying size. They only count and time; pairs of triangles are
 * counted, not tested. B is tumbled by Zachmann's unit DOP, which works for every set of directions, and the
 * environment's tree is descended first, as in Klosowski et al., algorithm 1. */
#ifndef TUMBLE_BENCH_DESIGN_H
#define TUMBLE_BENCH_DESIGN_H

#include <stddef.h>
#include <stdint.h>

#include "models.h"
#include "tumble/tumble.h"

/* ---- Binary trees without volumes ---- */

typedef struct design_split {
    uint32_t children[2]; /* 0: a leaf of one triangle */
    uint32_t first, count;
    float lower[3], upper[3];
} design_split;

typedef struct design_sets {
    double (*corners)[3][3]; /* of the triangles, in the order of the leaves */
    size_t triangle_count;
    design_split *splits; /* the root is number 0, children lie behind their parents */
    size_t split_count;
} design_sets;

/* The sets of the library's k-DOP tree with its default rule (splatter, at the mean), and what a bottom-up build makes:
 * neighbours along a space-filling curve are joined where the joint box has the least surface (Meister and Bittner,
 * Parallel locally-ordered clustering, 2018). */
design_sets design_top_down(const models_mesh *mesh);
design_sets design_bottom_up(const models_mesh *mesh);
void design_free_sets(design_sets *sets);

/* ---- Directions ---- */

enum {
    DESIGN_MOST = 98, /* lanes: signed directions */
    DESIGN_CORNERS = 4096
};

typedef struct design_directions {
    const char *name;
    size_t k;
    double lanes[DESIGN_MOST][3];       /* lane 2 i + 1 is opposite to lane 2 i */
    uint8_t corners[DESIGN_CORNERS][3]; /* of the unit DOP: the lanes that meet there */
    double corner_points[DESIGN_CORNERS][3];
    size_t corner_count;
} design_directions;

/* The faces of a cube and, in this order as the bits of `kinds` say, all directions like (1, 1, 1), (1, 1, 0), (2, 1,
 * 0), (2, 1, 1) and (2, 2, 1). */
void design_make_directions(design_directions *directions, const char *name, unsigned kinds);

/* ---- Trees ---- */

typedef struct design_node {
    uint32_t child, child_count; /* 0: a leaf */
    uint32_t first, count;       /* its triangles */
} design_node;

typedef struct design_tree {
    const design_directions *directions;
    design_node *nodes; /* the root is number 0 */
    float *bounds;      /* of each node, one for each lane */
    size_t node_count;
} design_tree;

/* Nodes have at most `degree` children; sets of at most `leaf` triangles are leaves, and so are those that `leaves`
 * marks, if it is not NULL. */
design_tree design_make_tree(const design_sets *sets, const design_directions *directions, uint32_t degree,
                             uint32_t leaf, const uint8_t *leaves);
void design_free_tree(design_tree *tree);

/* ---- Checks ---- */

typedef struct design_counts {
    double volume_tests, updates, triangle_tests, microseconds; /* per check */
} design_counts;

/* Of `b` at all poses of a path; the times are the median of the repetitions. */
design_counts design_fly(const design_tree *a, const design_tree *b, const tumble_pose *path, size_t steps,
                         size_t repetitions);

#endif
