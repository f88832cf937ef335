/* Tumble: options that tune single hierarchies, for comparing them and for repeating the papers' experiments. None
 * changes an answer. Most programs need none of this.
 *
 *     tumble_tuning tuning = tumble_default_tuning();
 *     tuning.kdop.k = 26;
 *     options.hierarchy = TUMBLE_HIERARCHY_KDOP;
 *     options.tuning = &tuning;
 *
 * The options of models, collision queries and distances all take a tuning; each reads its own part. */
#ifndef TUMBLE_HIERARCHIES_H
#define TUMBLE_HIERARCHIES_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- wide ---- */

typedef enum tumble_wide_axes {
    TUMBLE_WIDE_ALL_AXES = 0,    /* splits minimise surface area over all three axes */
    TUMBLE_WIDE_LONGEST_AXIS = 1 /* splits along the longest side only: builds faster, queries can be slower */
} tumble_wide_axes;

typedef struct tumble_wide_options {
    tumble_wide_axes axes;
} tumble_wide_options;

/* ---- boxtree ---- */

typedef enum tumble_boxtree_layout {
    TUMBLE_BOXTREE_ONE_PLANE = 0, /* a node stores the plane that cuts it off its parent (the paper) */
    TUMBLE_BOXTREE_TWO_PLANES = 1 /* a node stores the two parallel planes that bound its children (the patent) */
} tumble_boxtree_layout;

typedef enum tumble_boxtree_axes {
    TUMBLE_BOXTREE_ALL_AXES = 0,
    TUMBLE_BOXTREE_LONGEST_AXIS = 1
} tumble_boxtree_axes;

typedef enum tumble_boxtree_criterion {
    TUMBLE_BOXTREE_VOLUME = 0,      /* least sum of the children's volumes (the paper) */
    TUMBLE_BOXTREE_VOLUME_COUNT = 1 /* each volume weighted by its number of triangles */
} tumble_boxtree_criterion;

typedef enum tumble_boxtree_growth {
    TUMBLE_BOXTREE_GROW_FROM_SEEDS = 0, /* a triangle joins the child whose seed it enlarges less */
    TUMBLE_BOXTREE_GROW_RUNNING = 1     /* ... the child, as grown so far, that it enlarges less (the paper) */
} tumble_boxtree_growth;

/* One plane per node: which side of its parent's box a node's plane moves. */
typedef enum tumble_boxtree_planes {
    TUMBLE_BOXTREE_PLANES_ANY = 0,     /* any of the six, whichever leaves least */
    TUMBLE_BOXTREE_PLANES_PARALLEL = 1 /* one of the two along the split's axis (the paper) */
} tumble_boxtree_planes;

typedef struct tumble_boxtree_options {
    tumble_boxtree_layout layout;
    tumble_boxtree_axes axes;
    tumble_boxtree_criterion criterion;
    tumble_boxtree_growth growth;
    tumble_boxtree_planes planes;
    double trim; /* add a one-child node where it leaves at most this share of the volume, up to 1; 0: never */
} tumble_boxtree_options;

/* How two boxes are compared. */
#define TUMBLE_OVERLAP_LIST(X)                                                        \
    X(AUTO, 0, "auto", "the fastest in general (currently sat-lite)")                 \
    X(AXES, 1, "axes", "enclose the other model's box in an aligned one")             \
    X(TABLES, 2, "tables", "the same, with products read from lookup tables")         \
    X(SAT, 3, "sat", "full separating axis test with 15 axes, updated incrementally") \
    X(SAT_LITE, 4, "sat-lite", "six axes: those of both boxes")

typedef enum tumble_overlap {
#define TUMBLE_OVERLAP_ENUM(name, number, word, text) TUMBLE_OVERLAP_##name = number,
    TUMBLE_OVERLAP_LIST(TUMBLE_OVERLAP_ENUM)
#undef TUMBLE_OVERLAP_ENUM
} tumble_overlap;

/* For AXES and TABLES: whose boxes are enclosed in whose frame. */
typedef enum tumble_direction {
    TUMBLE_DIRECTION_B_INTO_A = 0,
    TUMBLE_DIRECTION_A_INTO_B = 1,
    TUMBLE_DIRECTION_BOTH = 2
} tumble_direction;

/* Which of two boxes that overlap is split. */
#define TUMBLE_DESCENT_LIST(X)                                                                                        \
    X(LARGER, 0, "larger", "the larger one, both when they are alike; a leaf is compared as its triangle with nodes") \
    X(BOTH, 1, "both", "always both (the paper)")

typedef enum tumble_descent {
#define TUMBLE_DESCENT_ENUM(name, number, word, text) TUMBLE_DESCENT_##name = number,
    TUMBLE_DESCENT_LIST(TUMBLE_DESCENT_ENUM)
#undef TUMBLE_DESCENT_ENUM
} tumble_descent;

typedef struct tumble_boxtree_walk {
    tumble_overlap overlap;
    tumble_direction direction;
    tumble_descent descent;
} tumble_boxtree_walk;

/* ---- kdop ---- */

/* The axis that splits a set of triangles: x, y or z, or any of the k/2 directions. */
#define TUMBLE_KDOP_SPLIT_LIST(X)                                                  \
    X(SPLATTER, 0, "splatter", "along which the centroids vary most")              \
    X(LONGEST, 1, "longest", "along which the k-DOP is longest")                   \
    X(MIN_SUM, 2, "min-sum", "that gives the least sum of the children's volumes") \
    X(MIN_MAX, 3, "min-max", "whose larger child has the least volume")

typedef enum tumble_kdop_split {
#define TUMBLE_KDOP_SPLIT_ENUM(name, number, word, text) TUMBLE_KDOP_SPLIT_##name = number,
    TUMBLE_KDOP_SPLIT_LIST(TUMBLE_KDOP_SPLIT_ENUM)
#undef TUMBLE_KDOP_SPLIT_ENUM
} tumble_kdop_split;

/* Where along that axis. */
#define TUMBLE_KDOP_AT_LIST(X)                            \
    X(MEAN, 0, "mean", "the mean of the centroids")       \
    X(MEDIAN, 1, "median", "the median of the centroids") \
    X(BEST, 2, "best", "where the sum of volumes times triangles is least, of all places")

typedef enum tumble_kdop_at {
#define TUMBLE_KDOP_AT_ENUM(name, number, word, text) TUMBLE_KDOP_AT_##name = number,
    TUMBLE_KDOP_AT_LIST(TUMBLE_KDOP_AT_ENUM)
#undef TUMBLE_KDOP_AT_ENUM
} tumble_kdop_at;

/* How B's k-DOPs are enclosed by k-DOPs in A's frame. LOOKUP and VERTICES need data that B was built to keep. */
#define TUMBLE_KDOP_TUMBLE_LIST(X)                                                                        \
    X(AUTO, 0, "auto", "the fastest in general (currently unit)")                                         \
    X(LOOKUP, 1, "lookup", "by a table of where points lie around each direction (Fuenfzig and Fellner)") \
    X(VERTICES, 2, "vertices", "by the k-DOP's vertices (Klosowski et al., approximation)")               \
    X(UNIT, 3, "unit", "each bound from three, those that meet on the k-DOP of a sphere (Zachmann)")      \
    X(AXES, 4, "axes", "each bound from those along x, y and z (k = 12: along three that are nearly perpendicular)")

typedef enum tumble_kdop_tumble {
#define TUMBLE_KDOP_TUMBLE_ENUM(name, number, word, text) TUMBLE_KDOP_TUMBLE_##name = number,
    TUMBLE_KDOP_TUMBLE_LIST(TUMBLE_KDOP_TUMBLE_ENUM)
#undef TUMBLE_KDOP_TUMBLE_ENUM
} tumble_kdop_tumble;

#define TUMBLE_KDOP_LEAF_MOST 255
#define TUMBLE_KDOP_HULL_MOST 16
typedef struct tumble_kdop_options {
    uint32_t k;              /* 6, 12, 14, 18 or 26 */
    tumble_kdop_split split; /* which axis */
    tumble_kdop_at at;       /* where along it */
    bool all_directions;     /* choose among all k/2 directions, not only x, y and z */
    bool estimate;           /* estimate volumes, for MIN_SUM, MIN_MAX and BEST */
    uint32_t leaf;           /* sets of at most this many triangles are leaves: 1 to TUMBLE_KDOP_LEAF_MOST */
    /* What to keep for queries in which the model is B: with LOOKUP and VERTICES the data of that method, which make
     * nodes two to six times as large; else nothing. */
    tumble_kdop_tumble tumble;
    /* Keep the convex hulls of the nodes of this many levels, to tumble them exactly by hill climbing: 0 for none, 1
     * for the root alone (the paper's choice), at most TUMBLE_KDOP_HULL_MOST. */
    uint32_t hull;
    /* Keep no k-DOPs of leaves, which saves nearly half of the tree's memory: queries compute them from the triangles,
     * and compare B's leaves always as MIXED_PRIMITIVES does. */
    bool bare_leaves;
} tumble_kdop_options;

/* The order in which two trees are traversed. */
#define TUMBLE_KDOP_TRAVERSAL_LIST(X)                                                    \
    X(ENVIRONMENT, 0, "environment", "down A's tree first, then down B's")               \
    X(RESTART, 1, "restart", "the same, but the children of B's node start at A's root") \
    X(BOTH, 2, "both", "down both, the larger node first")

typedef enum tumble_kdop_traversal {
#define TUMBLE_KDOP_TRAVERSAL_ENUM(name, number, word, text) TUMBLE_KDOP_TRAVERSAL_##name = number,
    TUMBLE_KDOP_TRAVERSAL_LIST(TUMBLE_KDOP_TRAVERSAL_ENUM)
#undef TUMBLE_KDOP_TRAVERSAL_ENUM
} tumble_kdop_traversal;

/* What a leaf is compared as. */
typedef enum tumble_kdop_mixed {
    TUMBLE_KDOP_MIXED_VOLUMES = 0, /* its k-DOP, tumbled like all others */
    /* Its triangles: B's as their k-DOP after moving them into A's frame; A's, if they are few, also one by one. */
    TUMBLE_KDOP_MIXED_PRIMITIVES = 1
} tumble_kdop_mixed;

typedef enum tumble_kdop_root {
    TUMBLE_KDOP_ROOT_AUTO = 0, /* by hill climbing if B keeps hulls */
    TUMBLE_KDOP_ROOT_HULL = 1, /* by hill climbing; TUMBLE_ERROR_UNSUPPORTED if B keeps no hull */
    TUMBLE_KDOP_ROOT_SAME = 2  /* like all other nodes */
} tumble_kdop_root;

typedef struct tumble_kdop_walk {
    tumble_kdop_tumble tumble; /* AUTO: the method whose data B keeps, else the fastest; rejected if B lacks its data */
    tumble_kdop_root root;     /* how B's root, and other nodes with hulls, are tumbled */
    tumble_kdop_traversal traversal;
    tumble_kdop_mixed mixed;
    double epsilon; /* k-DOPs within this distance count as overlapping; changes the work, not the answers */
} tumble_kdop_walk;

/* ---- rtree ---- */

/* How triangles are sorted into the nodes. */
#define TUMBLE_RTREE_LOAD_LIST(X)                                                                   \
    X(HALVES, 0, "halves", "halve sets along their longest side")                                   \
    X(STR, 1, "str", "in slabs, columns and runs (sort-tile-recursive)")                            \
    X(HILBERT, 2, "hilbert", "along the Hilbert curve")                                             \
    X(INSERT, 3, "insert", "one by one (R*-tree): for comparison; such a model cannot be deformed") \
    X(GUTTMAN, 4, "guttman", "one by one, as Guttman did, with quadratic splits; likewise")         \
    X(GUTTMAN_LINEAR, 5, "guttman-linear", "the same with linear splits")

typedef enum tumble_rtree_load {
#define TUMBLE_RTREE_LOAD_ENUM(name, number, word, text) TUMBLE_RTREE_LOAD_##name = number,
    TUMBLE_RTREE_LOAD_LIST(TUMBLE_RTREE_LOAD_ENUM)
#undef TUMBLE_RTREE_LOAD_ENUM
} tumble_rtree_load;

#define TUMBLE_RTREE_WIDTH_LEAST 2
#define TUMBLE_RTREE_WIDTH_MOST 32
typedef struct tumble_rtree_options {
    tumble_rtree_load load;
    uint32_t width; /* the most children of a node; clusters have at most so many triangles, and never more than 8 */
} tumble_rtree_options;

/* One model's triangles are looked up in the other's tree. */
#define TUMBLE_RTREE_PROBE_LIST(X)                                \
    X(AUTO, 0, "auto", "those of the model with fewer triangles") \
    X(B, 1, "b", "B's in A's tree (the paper)")                   \
    X(A, 2, "a", "A's in B's tree")

typedef enum tumble_rtree_probe {
#define TUMBLE_RTREE_PROBE_ENUM(name, number, word, text) TUMBLE_RTREE_PROBE_##name = number,
    TUMBLE_RTREE_PROBE_LIST(TUMBLE_RTREE_PROBE_ENUM)
#undef TUMBLE_RTREE_PROBE_ENUM
} tumble_rtree_probe;

typedef struct tumble_rtree_walk {
    tumble_rtree_probe probe;
    bool whole;  /* ignore the overlap of the bounding boxes (OAABB): look up all triangles */
    bool single; /* look up triangles one by one (the paper), not by clusters */
} tumble_rtree_walk;

/* ---- All of them ---- */

typedef struct tumble_tuning {
    /* Building models */
    tumble_wide_options wide;
    tumble_boxtree_options boxtree;
    tumble_kdop_options kdop;
    tumble_rtree_options rtree;
    /* Queries */
    tumble_boxtree_walk boxtree_walk;
    tumble_kdop_walk kdop_walk; /* distances read `tumble` only */
    tumble_rtree_walk rtree_walk;
} tumble_tuning;

TUMBLE_API tumble_tuning tumble_default_tuning(void);

/* The tuning that a model was built with, as far as it remembers it: a boxtree's layout; k, leaf, the data kept for
 * tumbling (AUTO: none), the hulls and bare leaves of a k-DOP tree; how R-trees were loaded, and their width.
 * Everything else is the default. */
TUMBLE_API tumble_status tumble_model_get_tuning(const tumble_model *model, tumble_tuning *out);

/* Sizes of a k-DOP tree's data; all 0 for other hierarchies. */
typedef struct tumble_kdop_info {
    uint32_t hull_count;   /* points of all convex hulls; 0: none is kept */
    uint64_t vertex_count; /* vertices of all nodes' k-DOPs, kept for VERTICES */
} tumble_kdop_info;

TUMBLE_API tumble_status tumble_model_get_kdop_info(const tumble_model *model, tumble_kdop_info *info);

#ifdef __cplusplus
}
#endif

#endif
