/* Tumble: how close are two models, and is one inside the other? See docs/proximity.md.
 *
 *     tumble_distance_result result;
 *     tumble_distance(query, a, NULL, b, &pose_b, NULL, &result);
 *     printf("%g\n", result.nearest.distance); */
#ifndef TUMBLE_PROXIMITY_H
#define TUMBLE_PROXIMITY_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Distance ---- */

/* Two polygons, their distance, and the closest points, in the frame of the poses. */
typedef struct tumble_near {
    uint32_t polygon_a, polygon_b;
    double distance;
    double point_a[3], point_b[3];
} tumble_near;

/* Receives pairs during the search, each closer than the one before; the last one is the result. Return true to stop
 * with TUMBLE_ERROR_CANCELLED and what is known so far. */
typedef bool tumble_near_callback(void *user, const tumble_near *pair);

/* Two parts of the models that had not been compared when the budget ran out, as boxes, each in its model's own frame.
 * Their distance is at least `lower`; if that is negative, their triangles interpenetrate by at most -lower. */
typedef struct tumble_undecided {
    double lower;
    double lower_a[3], upper_a[3];
    double lower_b[3], upper_b[3];
} tumble_undecided;

typedef struct tumble_distance_options {
    /* The distance found may exceed the minimum: at most minimum * (1 + relative_error) + absolute_error. Both 0: the
     * minimum itself, to within 1e-14 of it. */
    double relative_error, absolute_error;

    /* Ignore pairs farther apart than this; if all are, the answer is NO. Default: INFINITY. */
    double within;
    /* Stop at the first pair within this distance. With `within` and `enough` both d, the question is only: are the
     * models within distance d? Default: 0. */
    double enough;

    tumble_near_callback *callback; /* optional */
    void *callback_user;

    /* In a second pass, list all pairs of polygons within the errors above the distance found, in the order of
     * (polygon_a, polygon_b): as a view in the result, and the first ones into the optional array. A capacity implies
     * `want_pairs`. */
    bool want_pairs;
    tumble_near *pairs;
    size_t pair_capacity;

    /* Keep what this search learns for the next one with the same models, which is then fast if they have moved little:
     * the nearest triangles, the front, or both. The answers are the same. Default: TUMBLE_COHERENCE_NONE. */
    tumble_coherence coherence;

    /* The most that the search may take; 0: no limit. If it runs out, the result is what is proven so far. The second
     * pass is not limited, and not started if the budget ran out. */
    double budget_microseconds;
    uint64_t budget_box_tests;

    /* What was left when the budget ran out, the nearest first; the total is in the result. */
    tumble_undecided *undecided;
    size_t undecided_capacity;

    const struct tumble_tuning *tuning; /* optional; see hierarchies.h */
} tumble_distance_options;

TUMBLE_API tumble_distance_options tumble_default_distance_options(void);

typedef enum tumble_answer {
    TUMBLE_NO = 0,
    TUMBLE_YES = 1,
    TUMBLE_MAYBE = 2
} tumble_answer;

typedef struct tumble_distance_result {
    tumble_answer answer; /* are two polygons within `within`? MAYBE only if the budget ran out; decided exactly */
    bool is_complete;     /* false if the budget ran out before the distance was known as exactly as asked */
    tumble_near nearest;  /* the nearest pair found, if the answer is YES */
    /* Proven bounds of the models' distance, apart from rounding (1e-14 of it; rounded outward where the distance is
     * below DBL_MIN or above DBL_MAX). INFINITY if nothing is known. */
    double lower, upper;
    /* Triangles that were not compared interpenetrate by at most this: moving one of them that far parts the two. 0
     * unless the budget ran out. */
    double penetration;
    uint64_t undecided_count;
    uint64_t pair_count;      /* of the second pass, */
    const tumble_near *pairs; /* and the pairs: a view of the query's memory, valid until its next call; or NULL */
    tumble_counters counters;
} tumble_distance_result;

/* The distance between the surfaces of `a` at `pose_a` and `b` at `pose_b`, and where they are that close: 0, with a
 * common point, if they intersect. Less the radii of models that have some (model.h). A NULL pose is the identity, NULL
 * options are the defaults. A model without polygons is infinitely far from everything. B's points are moved as in
 * tumble_collide; from there the distance is that of exact arithmetic times the scale of A's pose, rounded once:
 * INFINITY if it is larger than all doubles, and not 0 but the least double if they do not intersect.
 *
 * Errors: those of tumble_collide. */
TUMBLE_API tumble_status tumble_distance(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                         const tumble_model *b, const tumble_pose *pose_b,
                                         const tumble_distance_options *options, tumble_distance_result *result);

/* ---- Relation ---- */

/* The spatial relation of two models.
 *
 * A model is closed if it has edges and each of them has an even number of triangles; points with equal coordinates are
 * one point, and triangles with two equal corners do not count. Orientation does not matter. A point is inside a closed
 * model if it is not on its surface and a ray from it crosses an odd number of triangles; so a surface inside another
 * bounds a cavity. The points of a model are those on its surface and, if it is closed, those inside. With a radius
 * (model.h), also those within it of the surface; where such models overlap and it is not proven whether all of one is
 * inside the other, the relation is UNDEFINED (docs/semantics.md). */
#define TUMBLE_RELATION_LIST(X)                                                         \
    X(APART, 0, "apart", "they have no point in common")                                \
    X(TOUCHING, 1, "touching", "they have points in common, none of them inside")       \
    X(CROSSING, 2, "crossing", "some points of one are inside the other, some are not") \
    X(A_IN_B, 3, "a-in-b", "all points of A are inside B")                              \
    X(B_IN_A, 4, "b-in-a", "all points of B are inside A")                              \
    X(UNDEFINED, 5, "undefined", "unknown, because an open model has no inside")

typedef enum tumble_relation {
#define TUMBLE_RELATION_ENUM(name, number, word, text) TUMBLE_RELATION_##name = number,
    TUMBLE_RELATION_LIST(TUMBLE_RELATION_ENUM)
#undef TUMBLE_RELATION_ENUM
} tumble_relation;

/* "a-in-b"; never NULL. */
TUMBLE_API const char *tumble_relation_name(tumble_relation relation);

typedef struct tumble_relation_result {
    tumble_relation relation;
    bool closed_a, closed_b;
    /* Always if TOUCHING, sometimes if CROSSING, else never; of models with a radius: polygons are within their sum. */
    bool surfaces_meet;
    tumble_pair pair; /* polygons that meet, if surfaces do */
    tumble_counters counters;
} tumble_relation_result;

/* The relation of `a` at `pose_a` and `b` at `pose_b`; a NULL pose is the identity. B's points are moved as in
 * tumble_collide, and on the moved coordinates the answer is exact.
 *
 * Two models always cross where two triangles pass through each other, that is, have a common point on no edge of
 * either and lie in different planes. An open model also crosses a closed one if it has parts inside and parts outside;
 * it can be inside a closed one. Two models are apart if A's bounding box and the box of B's moved bounding box are. In
 * all other cases with an open model the relation is UNDEFINED. A triangle without area that meets the other surface
 * only touches it, unless one of its corners is inside. Models without triangles are apart from everything.
 *
 * The first call for a model takes time and memory proportional to its size, to find its connected parts and whether it
 * is closed; the model keeps the result. Later calls take about the time of a collision query and a ray per part; more
 * if surfaces touch. */
TUMBLE_API tumble_status tumble_relate(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                       const tumble_model *b, const tumble_pose *pose_b,
                                       tumble_relation_result *result);

#ifdef __cplusplus
}
#endif

#endif
