/* Tumble: questions about two models at two poses. */
#ifndef TUMBLE_QUERY_H
#define TUMBLE_QUERY_H

#include "base.h"
#include "math.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Scratch memory of one thread. Models may be shared by any number of threads; a query may not. */
typedef struct tumble_query tumble_query;

TUMBLE_API tumble_status tumble_query_create(tumble_context *context, tumble_query **out);
TUMBLE_API void tumble_query_destroy(tumble_query *query);

/* Numbers of the caller's polygons, from 0. */
typedef struct tumble_pair {
    uint32_t polygon_a, polygon_b;
} tumble_pair;

/* Where two triangles meet. When one plane holds both (or both are degenerate) `coplanar` is 1 and a point of the
 * common part is given, twice. Otherwise the common part is the segment between the points (which may be equal).
 * Coordinates are those of the frame in which the poses are given, rounded to double. */
typedef struct tumble_contact {
    uint32_t polygon_a, polygon_b;
    uint32_t coplanar;
    uint32_t apart; /* 1: with a clearance, that they do not meet: the points are the closest ones, on A and on B */
    double points[2][3];
} tumble_contact;

/* Two surfaces that intersect, by their ids, and two of their polygons that do: the pair that was found first. */
typedef struct tumble_surface_pair {
    uint32_t surface_a, surface_b;
    uint32_t polygon_a, polygon_b;
} tumble_surface_pair;

typedef enum tumble_collide_mode {
    TUMBLE_COLLIDE_ALL = 0,     /* all intersecting pairs of polygons */
    TUMBLE_COLLIDE_FIRST = 1,   /* one intersecting pair, whichever is found first */
    TUMBLE_COLLIDE_TEST = 2,    /* only whether there is one */
    TUMBLE_COLLIDE_SURFACES = 3 /* all intersecting pairs of surfaces, with one pair of polygons each */
} tumble_collide_mode;

/* How two boxes of boxtrees are compared; other hierarchies have one way only. All give the same answers. */
#define TUMBLE_OVERLAP_LIST(X)                                                        \
    X(AUTO, 0, "auto", "the one that is fastest in general (now: sat-lite)")          \
    X(AXES, 1, "axes", "the box of the other frame is enclosed by an aligned one")    \
    X(TABLES, 2, "tables", "the same, products read from lookup tables")              \
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

/* In which order two trees of k-DOPs are walked. */
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
    TUMBLE_KDOP_MIXED_VOLUMES = 0, /* as its k-DOP, tumbled like all others */
    /* As its triangles themselves: B's as the k-DOP of these, moved into A's frame; A's, if they are few, also one by
     * one. */
    TUMBLE_KDOP_MIXED_PRIMITIVES = 1
} tumble_kdop_mixed;

typedef enum tumble_kdop_root {
    TUMBLE_KDOP_ROOT_AUTO = 0, /* by hill climbing when B keeps its hull */
    TUMBLE_KDOP_ROOT_HULL = 1, /* by hill climbing; refused when B keeps none */
    TUMBLE_KDOP_ROOT_SAME = 2  /* like all other nodes */
} tumble_kdop_root;

typedef struct tumble_kdop_walk {
    tumble_kdop_tumble
        tumble;            /* AUTO: the method whose data B keeps, else the fastest; refused when B has not its data */
    tumble_kdop_root root; /* B's root */
    tumble_kdop_traversal traversal;
    tumble_kdop_mixed mixed;
    double epsilon; /* k-DOPs that are at most so far apart count as overlapping; changes the work, not the answers */
} tumble_kdop_walk;

/* How R-trees are walked. One model's triangles are looked for in the other's tree. */
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
    int whole;  /* other than 0: without the overlapping box (OAABB), so that all triangles are looked for */
    int single; /* other than 0: triangles are looked for one by one (the paper), not by clusters */
} tumble_rtree_walk;

/* Receives results while the query runs, some at a time, each polygon pair once (contacts: each triangle pair once), in
 * an order that depends only on the models, the poses and the options. `contacts` is null unless they were asked for,
 * else it has `contact_count` items. A result other than 0 stops the query, which then returns TUMBLE_ERROR_CANCELLED
 * with the counts so far. */
typedef int tumble_collide_callback(void *user, const tumble_pair *pairs, size_t pair_count,
                                    const tumble_contact *contacts, size_t contact_count);

/* The same for pairs of surfaces, each once. */
typedef int tumble_surface_callback(void *user, const tumble_surface_pair *pairs, size_t count);

typedef struct tumble_collide_options {
    size_t size; /* set by tumble_default_collide_options */
    tumble_collide_mode mode;
    tumble_overlap overlap;     /* of boxtrees */
    tumble_direction direction; /* of boxtrees */

    /* Results into arrays: the first ones in the order of (polygon_a, polygon_b), each pair once. The true totals are
     * in the result, also when the arrays are too small or null. Mode TEST lists nothing, and calls no callback. The
     * query keeps all pairs until it has sorted them; a callback without arrays needs no such room. */
    tumble_pair *pairs;
    size_t pair_capacity;

    /* On request, where the triangles meet: one contact for each intersecting pair of triangles (a polygon with more
     * than three corners has several triangles), in the order of (polygon_a, polygon_b), ties by the points. */
    int want_contacts; /* implied by a capacity below */
    tumble_contact *contacts;
    size_t contact_capacity;

    /* Results by callback, instead of or beside the arrays. */
    tumble_collide_callback *callback;
    void *callback_user;

    tumble_kdop_walk kdop;   /* of k-DOP trees */
    tumble_rtree_walk rtree; /* of R-trees */

    /* Pairs of surfaces. Mode SURFACES looks for nothing else: once two surfaces are known to intersect, their
     * triangles are not compared any more; the pairs of polygons, and the contacts, that it lists are those of the
     * surface pairs. In the modes ALL and FIRST they come beside the polygons, on request. In the array they are in the
     * order of (surface_a, surface_b); which polygons stand for a pair may differ between hierarchies. */
    int want_surfaces; /* implied by mode SURFACES, a capacity and a callback */
    tumble_surface_pair *surface_pairs;
    size_t surface_pair_capacity;
    tumble_surface_callback *surface_callback; /* also gets callback_user */

    /* Clearance, in the frame of the poses: polygons that are at most so far apart count as intersecting, in all modes
     * and with all hierarchies; 0: only those that do intersect. Decided exactly. A contact's points are then the
     * closest points of its triangles, the first on A's and the second on B's; where these intersect, it is as without
     * clearance. */
    double clearance;
} tumble_collide_options;

TUMBLE_API void tumble_init_collide_options(tumble_collide_options *collide_options, size_t size);
static inline tumble_collide_options tumble_default_collide_options(void)
{
    tumble_collide_options collide_options;
    tumble_init_collide_options(&collide_options, sizeof collide_options);
    return collide_options;
}

/* What a query did: N_v, N_u and N_p of the literature, and more. */
typedef struct tumble_counters {
    uint64_t box_tests;       /* pairs of boxes compared */
    uint64_t box_updates;     /* boxes moved into the other frame; wide: pairs of nodes, with 8 boxes each */
    uint64_t primitive_tests; /* pairs of triangles compared */
    uint64_t exact_tests;     /* of these, the ones that needed more than plain doubles */
    uint64_t bytes_touched;   /* of nodes and geometry, each access counted */
    double seconds;
} tumble_counters;

typedef struct tumble_collide_result {
    size_t size; /* to be set by the caller: sizeof(tumble_collide_result) */
    int collide;
    uint64_t pair_count; /* intersecting pairs of polygons; in modes FIRST and TEST 0 or 1; in SURFACES those found */
    uint64_t contact_count; /* intersecting pairs of triangles; 0 unless contacts were asked for */
    tumble_pair first;      /* a pair, in every mode, when collide is 1 */
    tumble_counters counters;
    uint64_t surface_pair_count; /* intersecting pairs of surfaces; 0 unless they were asked for */
} tumble_collide_result;

/* Do the surfaces of `a` at `pose_a` and `b` at `pose_b` intersect, and where? Null poses are the identity, null
 * options the defaults. The meaning of the answer is fixed to the last bit in docs/semantics.md: B's points are moved
 * by tumble_pose_relative(pose_a, pose_b) with tumble_pose_apply, and the rest is exact. Floating point must be in its
 * default state: rounding to nearest, nothing flushed to zero. */
TUMBLE_API tumble_status tumble_collide(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                        const tumble_model *b, const tumble_pose *pose_b,
                                        const tumble_collide_options *options, tumble_collide_result *result);

#ifdef __cplusplus
}
#endif

#endif
