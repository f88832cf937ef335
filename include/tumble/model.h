/* Tumble: models, that is geometry plus one hierarchy. */
#ifndef TUMBLE_MODEL_H
#define TUMBLE_MODEL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Polygons as the caller has them: only looked at, never kept. Start from tumble_default_mesh. */
typedef struct tumble_mesh {
    size_t size;               /* set by tumble_default_mesh */
    const double *points;      /* either these: x, y, z, ... */
    const float *points_float; /* or these */
    size_t point_count;
    size_t point_stride;     /* bytes from one point to the next, a multiple of the coordinate's size; 0: packed */
    const uint32_t *indices; /* corners of the polygons, one polygon after the other */
    size_t index_count;
    const uint32_t *polygon_sizes; /* corners of each polygon, at least three; null: all are triangles */
    size_t polygon_count;          /* when polygon_sizes is null: 0, or index_count / 3 */
    const uint32_t *surface_ids;   /* a surface number for each polygon; null: one surface, number 0 */
} tumble_mesh;

TUMBLE_API void tumble_init_mesh(tumble_mesh *mesh, size_t size);
static inline tumble_mesh tumble_default_mesh(void)
{
    tumble_mesh mesh;
    tumble_init_mesh(&mesh, sizeof mesh);
    return mesh;
}

/* Which hierarchy a model gets. All give the same answers. Any two models can be compared; it is fastest if both have
 * the same hierarchy. */
#define TUMBLE_HIERARCHY_LIST(X)                                                 \
    X(AUTO, 0, "auto", "the one that is fastest in general (now: wide)")         \
    X(WIDE, 3, "wide", "eight children a node, tested eight by eight")           \
    X(BOXTREE, 2, "boxtree", "restricted boxtree (Zachmann 2002; US 6,862,026)") \
    X(KDOP, 4, "kdop", "binary tree of k-DOPs (Klosowski et al. 1998)")          \
    X(RTREE, 5, "rtree", "R-trees of surfaces and triangles (Figueiredo, S-CD)") \
    X(BRUTE, 1, "brute", "none: every triangle against every triangle; for comparison")

typedef enum tumble_hierarchy {
#define TUMBLE_HIERARCHY_ENUM(name, number, word, text) TUMBLE_HIERARCHY_##name = number,
    TUMBLE_HIERARCHY_LIST(TUMBLE_HIERARCHY_ENUM)
#undef TUMBLE_HIERARCHY_ENUM
} tumble_hierarchy;

/* "boxtree"; never null. */
TUMBLE_API const char *tumble_hierarchy_name(tumble_hierarchy hierarchy);

typedef enum tumble_boxtree_layout {
    TUMBLE_BOXTREE_ONE_PLANE = 0, /* a node holds the plane that cuts it off its parent (the paper) */
    TUMBLE_BOXTREE_TWO_PLANES = 1 /* a node holds the two parallel planes that cut out its children (the patent) */
} tumble_boxtree_layout;

typedef enum tumble_boxtree_axes {
    TUMBLE_BOXTREE_ALL_AXES = 0,
    TUMBLE_BOXTREE_LONGEST_AXIS = 1
} tumble_boxtree_axes;

typedef enum tumble_boxtree_criterion {
    TUMBLE_BOXTREE_VOLUME = 0,      /* least sum of the children's volumes (the paper) */
    TUMBLE_BOXTREE_VOLUME_COUNT = 1 /* each volume weighed with its number of triangles */
} tumble_boxtree_criterion;

typedef enum tumble_boxtree_growth {
    TUMBLE_BOXTREE_GROW_FROM_SEEDS = 0, /* a triangle goes to the child whose seed it enlarges less */
    TUMBLE_BOXTREE_GROW_RUNNING = 1     /* ... the child, as grown so far, that it enlarges less (the paper) */
} tumble_boxtree_growth;

typedef struct tumble_boxtree_options {
    tumble_boxtree_layout layout;
    tumble_boxtree_axes axes;
    tumble_boxtree_criterion criterion;
    tumble_boxtree_growth growth;
    double trim; /* add a one-child node where it leaves at most this share of the volume; 0: never; at most 1 */
} tumble_boxtree_options;

typedef enum tumble_wide_axes {
    TUMBLE_WIDE_ALL_AXES = 0,    /* a set of triangles is cut across the axis that leaves the least surface */
    TUMBLE_WIDE_LONGEST_AXIS = 1 /* across its longest side: builds faster, queries can be slower */
} tumble_wide_axes;

typedef struct tumble_wide_options {
    tumble_wide_axes axes;
} tumble_wide_options;

/* Across which axis a set of triangles is cut in two. The axes are x, y and z, or all k/2 directions. */
#define TUMBLE_KDOP_SPLIT_LIST(X)                                                     \
    X(SPLATTER, 0, "splatter", "along which the centroids have the largest variance") \
    X(LONGEST, 1, "longest", "along which the k-DOP is longest")                      \
    X(MIN_SUM, 2, "min-sum", "that gives the least sum of the children's volumes")    \
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
    X(BEST, 2, "best", "where volumes times triangles are least, of all places")

typedef enum tumble_kdop_at {
#define TUMBLE_KDOP_AT_ENUM(name, number, word, text) TUMBLE_KDOP_AT_##name = number,
    TUMBLE_KDOP_AT_LIST(TUMBLE_KDOP_AT_ENUM)
#undef TUMBLE_KDOP_AT_ENUM
} tumble_kdop_at;

/* How the k-DOPs of the model that plays B are enclosed by ones in A's frame; the first two need data that the model
 * keeps. */
#define TUMBLE_KDOP_TUMBLE_LIST(X)                                                                        \
    X(AUTO, 0, "auto", "the fastest in general (now: unit)")                                              \
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
typedef struct tumble_kdop_options {
    uint32_t k;              /* 6, 12, 14, 18 or 26 */
    tumble_kdop_split split; /* which axis */
    tumble_kdop_at at;       /* where along it */
    int all_directions;      /* other than 0: choose among all k/2 directions, not x, y and z alone */
    int estimate;            /* other than 0: volumes are estimated, for MIN_SUM, MIN_MAX and BEST */
    uint32_t leaf;           /* sets of at most so many triangles are leaves: 1 to TUMBLE_KDOP_LEAF_MOST */
    /* What to keep for queries in which the model is B: with LOOKUP and VERTICES the method's data, in nodes that are
     * two to six times as large; with the others nothing. */
    tumble_kdop_tumble tumble;
    int hull; /* other than 0: keep the convex hull of the points, to tumble the root exactly by hill climbing */
} tumble_kdop_options;

/* How triangles are sorted into the nodes of R-trees. */
#define TUMBLE_RTREE_LOAD_LIST(X)                                        \
    X(HALVES, 0, "halves", "sets are halved across their longest side")  \
    X(STR, 1, "str", "in slabs, columns and runs (sort-tile-recursive)") \
    X(HILBERT, 2, "hilbert", "along Hilbert's curve")                    \
    X(INSERT, 3, "insert", "one by one (R*-tree): for comparison, and cannot be deformed")

typedef enum tumble_rtree_load {
#define TUMBLE_RTREE_LOAD_ENUM(name, number, word, text) TUMBLE_RTREE_LOAD_##name = number,
    TUMBLE_RTREE_LOAD_LIST(TUMBLE_RTREE_LOAD_ENUM)
#undef TUMBLE_RTREE_LOAD_ENUM
} tumble_rtree_load;

typedef struct tumble_rtree_options {
    tumble_rtree_load load;
} tumble_rtree_options;

typedef struct tumble_model_options {
    size_t size; /* set by tumble_default_model_options */
    tumble_hierarchy hierarchy;
    uint32_t thread_count;          /* 0: the context's */
    tumble_boxtree_options boxtree; /* without meaning for other hierarchies */
    /* Called now and then while building, from the calling thread, with 0 to 1 (1 need not come); a result other than 0
     * stops with TUMBLE_ERROR_CANCELLED. May be null. */
    int (*progress)(void *user, double fraction);
    void *progress_user;
    /* Other than 0: keep what tumble_model_deform needs for polygons with more than three corners, about 5 bytes a
     * triangle. Models of triangles can be deformed without. */
    int deformable;
    tumble_wide_options wide;   /* likewise */
    tumble_kdop_options kdop;   /* likewise */
    tumble_rtree_options rtree; /* likewise */
} tumble_model_options;

TUMBLE_API void tumble_init_model_options(tumble_model_options *model_options, size_t size);
static inline tumble_model_options tumble_default_model_options(void)
{
    tumble_model_options model_options;
    tumble_init_model_options(&model_options, sizeof model_options);
    return model_options;
}

typedef struct tumble_model tumble_model;

/* Checks the mesh (also in release builds), triangulates its polygons and builds the hierarchy. The mesh may be freed
 * afterwards. `options` may be null. A model without polygons is legal and collides with nothing.
 * The result does not depend on the number of threads. */
TUMBLE_API tumble_status tumble_model_create(tumble_context *context, const tumble_mesh *mesh,
                                             const tumble_model_options *options, tumble_model **out);
TUMBLE_API void tumble_model_destroy(tumble_model *model);

/* A model of the same polygons whose points have moved, however far: the same clusters and tree, fitted to the new
 * points in linear time, a small share of the build's. `mesh` is the one that `model` was made of with other
 * coordinates, float or double: its polygons and their indices must be the same, or it is refused with
 * TUMBLE_ERROR_ARGUMENT. Surface ids are the model's; those of the mesh are not looked at.
 *
 * `*out` is null, or a model that an earlier call has made, whose memory is then used again; no query may be using it.
 * When a call fails, `*out` is as it was. On one thread (of the context) a call that finds enough memory there
 * allocates none. The result is a model like any other, in no way tied to the first, and can be saved and deformed
 * itself. It need not be as fast as one that is built for its shape: after large deformations build anew.
 *
 * Queries give exactly what they give for a model that is built from `mesh`, where all polygons are triangles. Larger
 * polygons keep the triangles into which they were cut when `model` was made, which is refused with
 * TUMBLE_ERROR_UNSUPPORTED unless it was made with the option `deformable`. So is a model that was edited. */
TUMBLE_API tumble_status tumble_model_deform(const tumble_model *model, const tumble_mesh *mesh, tumble_model **out);

/* ---- Editing ----
 *
 * A model with the hierarchy TUMBLE_HIERARCHY_RTREE can be changed; others are refused with TUMBLE_ERROR_UNSUPPORTED.
 * It does not matter where it comes from: made, deformed, loaded, or edited before. While one of these functions runs,
 * no other may use the model, in particular no query; other models are not concerned.
 *
 * An edit is done as a whole or not at all: when it fails, for whatever reason, the model has the same polygons with
 * the same numbers as before. Afterwards queries find exactly what they find in a model that is made of its polygons,
 * and take about as long: parts of the trees are packed anew when enough in them has changed.
 *
 * The time of an edit is of the order of what is inserted or removed, times the logarithm of the model's size,
 * amortised over many edits: a single one can take longer. The first edit of a model takes time of its size, and so
 * does one that inserts points far outside of it, or the first points that float does not hold exactly.
 *
 * An edited model takes two to four times the memory of its block, which is made anew when it is next asked for: by
 * tumble_model_block, tumble_model_save, tumble_model_get_info or tumble_model_triangle. These take time of the model's
 * size the first time after an edit, and memory, and number triangles as they like; what tumble_model_block has
 * returned is valid until the next edit. */

/* Inserts the polygons of a mesh, in their order; they get the numbers from `*first_polygon` (may be null) on, which
 * have never been used. Surfaces are told by mesh->surface_ids: those that the model has get larger, others are new.
 * The mesh is checked like one that a model is made of. */
TUMBLE_API tumble_status tumble_model_insert(tumble_model *model, const tumble_mesh *mesh, uint32_t *first_polygon);

/* Removes polygons by their numbers, which are not used again: all other polygons keep theirs. A number that is not
 * there, or comes twice, is refused with TUMBLE_ERROR_INDEX. A surface without polygons is gone. */
TUMBLE_API tumble_status tumble_model_remove(tumble_model *model, const uint32_t *polygons, size_t count);

/* Removes all polygons of a surface, in time of their number. A surface that is not there is refused with
 * TUMBLE_ERROR_INDEX. */
TUMBLE_API tumble_status tumble_model_remove_surface(tumble_model *model, uint32_t surface);

/* Which hierarchy it has: never TUMBLE_HIERARCHY_AUTO, but for a null model. */
TUMBLE_API tumble_hierarchy tumble_model_hierarchy(const tumble_model *model);

/* The options that a model was made with, as far as it tells them: the hierarchy, the layout of a boxtree,
 * `deformable`, of a k-DOP tree k, leaf, what it keeps for tumbling (AUTO: nothing) and whether it keeps its hull, and
 * of R-trees how they were loaded.
 * All else is as by default. A model that is made with these can be compared fast with this one. Takes no time. `out`
 * starts from tumble_default_model_options. */
TUMBLE_API tumble_status tumble_model_get_options(const tumble_model *model, tumble_model_options *out);

typedef struct tumble_model_info {
    size_t size; /* to be set by the caller: sizeof(tumble_model_info) */
    uint64_t polygon_count;
    uint64_t triangle_count;
    uint64_t point_count;       /* points of the mesh that the triangles use; of an edited model: distinct ones */
    uint64_t surface_count;     /* distinct surface ids */
    uint64_t degenerate_count;  /* triangles without area, after triangulation */
    int closed;                 /* see below */
    int points_are_float;       /* coordinates are stored as float because all of them are exact so */
    double lower[3], upper[3];  /* bounds; all 0 for an empty model */
    tumble_hierarchy hierarchy; /* never TUMBLE_HIERARCHY_AUTO */
    uint64_t node_count;        /* boxtree, kdop: leaves included; wide: without its leaves, the clusters */
    uint32_t depth;             /* edges from the root to the deepest leaf */
    uint64_t hierarchy_bytes;
    uint64_t total_bytes; /* everything the model holds */
    double build_seconds; /* time of tumble_model_create or tumble_model_deform; 0 for a loaded model */

    /* Of a k-DOP tree; 0 for other hierarchies. */
    uint32_t kdop_k;
    uint32_t kdop_leaf;             /* the most triangles that a leaf may have */
    tumble_kdop_tumble kdop_tumble; /* whose data are kept: LOOKUP, VERTICES, or AUTO: none */
    uint32_t kdop_hull_count;       /* points of the convex hull; 0: not kept */
    uint64_t kdop_vertex_count;     /* of all nodes, kept for VERTICES */

    tumble_rtree_load rtree_load; /* of R-trees: how they were loaded */
} tumble_model_info;

/* Takes a pass over the triangles and memory of the order of the model, so it can fail with TUMBLE_ERROR_MEMORY.
 * A model is closed when it has edges and each of them has exactly two triangles, in opposite directions; points with
 * equal coordinates count as one, and triangles with two equal corners are passed over. */
TUMBLE_API tumble_status tumble_model_get_info(const tumble_model *model, tumble_model_info *info);

/* Surface id of a polygon; also of one that was removed. */
TUMBLE_API tumble_status tumble_model_surface(const tumble_model *model, uint32_t polygon, uint32_t *out);

/* Triangle number `triangle` (in the model's own order) with its polygon, as it is stored. Either may be null. */
TUMBLE_API tumble_status tumble_model_triangle(const tumble_model *model, uint32_t triangle, double corners[3][3],
                                               uint32_t *polygon);

/* The flat, relocatable block that is the model: the bytes that are saved, mapped and uploaded. */
TUMBLE_API const void *tumble_model_block(const tumble_model *model, size_t *size);

/* A model from such a block, copied, or used in place when `copy` is 0 (then it must be 64-byte aligned, outlive the
 * model and not change). Every count and index is checked: a damaged block is refused with TUMBLE_ERROR_FORMAT. */
TUMBLE_API tumble_status tumble_model_from_block(tumble_context *context, const void *block, size_t size, int copy,
                                                 tumble_model **out);

#ifdef __cplusplus
}
#endif

#endif
