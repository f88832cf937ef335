/* Two boxtrees against each other: what the setup hands to the walking kernels.
 *
 * A pair of boxes is represented by its gaps. For a direction s, let A's box reach from lA to hA along s and B's from
 * lB to hB; the gaps are hA - lB and hB - lA, and the boxes are separated along s when one of them is negative. Moving
 * a side of a box inward by c lowers each gap by c times a number that depends on the tree, the side and the direction
 * only. So a child pair's gaps are its parents' minus two products, for any set of directions: the three axes of one
 * box (the paper's axis alignment), those of both (SAT lite) or all 15 (full SAT). See docs/boxtree.md. */
#ifndef TUMBLE_SRC_COLLIDE_BOXTREE_WALK_H
#define TUMBLE_SRC_COLLIDE_BOXTREE_WALK_H

#include "collide/collider.h"
#include "tree/boxtree/grid.h"

#define TMB_LANES_MOST 32 /* two gaps for each of 15 directions, filled up */
#define TMB_TABLE_SIZE 1024

/* Products read from tables: the index is the top of the float's bits, down to five bits of its mantissa; a cut is an
 * integer from 1 to 2^30, or 0. */
#define TMB_TABLE_SHIFT 18
#define TMB_TABLE_BASE (127u << 5)

/* |coefficient| * cut, and the lane that it is taken from. */
typedef struct tmb_walk_table {
    double product[3][TMB_TABLE_SIZE]; /* for each axis of the tree that is cut */
    uint8_t lane[6];                   /* for each side */
} tmb_walk_table;

typedef struct tmb_walk_tree {
    const void *nodes;
    uint32_t layout;
    uint32_t root; /* as the kernels refer to nodes */
    float unit;    /* of the grid, for comparing the sizes of boxes: in about the same measure for both trees */
    float size;    /* of the root's box: the sum of its sides */
    tmb_grid grid;
    tmb_grid_box box;                                        /* of the root, in units */
    _Alignas(TMB_CACHE_LINE) double rows[6][TMB_LANES_MOST]; /* what a cut of 1 at a side takes off each gap */
} tmb_walk_tree;

/* For the larger-first descent: how a pair that waits was reached. */
typedef struct tmb_walk_way {
    float size[2];    /* the sum of each box's sides; TMB_WALK_FITTED: a leaf that is compared as its triangle */
    uint32_t step[2]; /* 2 * the last step down each tree + the number of the child; 0 or 1: the root */
} tmb_walk_way;
#define TMB_WALK_FITTED (-1)

/* A step down a tree: the node that was split, and the step to it. */
typedef struct tmb_walk_step {
    uint32_t node, before;
} tmb_walk_step;

typedef struct tmb_walk {
    tmb_walk_tree tree[2];
    _Alignas(TMB_CACHE_LINE) double start[TMB_LANES_MOST]; /* gaps of the root boxes; unused lanes are 1 */
    tmb_walk_table *tables; /* NULL, or one for each direction: of the cuts of the tree whose axis it is not */
    int first_owner;        /* the tree whose axes are the first three directions */
    int direction_count;
    int larger_first; /* only the larger box of a pair is split, both when they are alike: */
    float alike;      /* sizes differ by at most this factor */
    double limit;     /* how far apart triangles may be; 0: they must intersect */
    double limit_along[6],
        units[6][3]; /* with a limit: times the lengths of the first directions; their unit vectors */
    double inverse_lengths[6];
    double *gaps; /* of the waiting pairs, with room for all that can wait at one time; 8, 16 or 32 per pair */
    uint32_t (*nodes)[2];
    tmb_walk_way *ways;
    tmb_walk_step *steps; /* of the pair that was taken last */
    tmb_collider *collider;
} tmb_walk;

/* How many levels of a tree may follow when a leaf becomes its triangle: one for each axis. */
#define TMB_WALK_LEAF_LEVELS 3

typedef void tmb_walk_function(tmb_walk *walk);

/* One kernel for each number of lanes from each build of kernel.c. The one for tables is scalar only: entries looked up
 * one by one cannot be loaded as a vector without stalls. */
typedef struct tmb_walk_kernels {
    tmb_walk_function *lanes8, *lanes16, *lanes32, *tables;
} tmb_walk_kernels;
extern const tmb_walk_kernels tmb_walk_kernels_scalar;
extern const tmb_walk_kernels tmb_walk_kernels_avx2;
extern const tmb_walk_kernels tmb_walk_kernels_avx512;

#endif
