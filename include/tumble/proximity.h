/* Tumble: how close two models are, and whether one is inside the other. See docs/proximity.md. */
#ifndef TUMBLE_PROXIMITY_H
#define TUMBLE_PROXIMITY_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two polygons, how far apart they are, and where: a point on each, in the frame in which the poses are given. */
typedef struct tumble_near {
    uint32_t polygon_a, polygon_b;
    double distance;
    double point_a[3], point_b[3];
} tumble_near;

/* Gets pairs while the search runs, each closer than the one before; the last one is the result. A result other than 0
 * stops the search, which then returns TUMBLE_ERROR_CANCELLED with what is known so far. */
typedef int tumble_near_callback(void *user, const tumble_near *pair);

/* Two parts of the models that a search has not compared when its budget was spent, as boxes around them, each in its
 * model's own frame. Not closer than `lower` to each other; when that is negative, triangles of the two do not
 * reach into each other by more than -lower. */
typedef struct tumble_undecided {
    double lower;
    double lower_a[3], upper_a[3];
    double lower_b[3], upper_b[3];
} tumble_undecided;

typedef struct tumble_distance_options {
    size_t size; /* set by tumble_default_distance_options */

    /* How much larger than the minimum the distance that is found may be: at most minimum * (1 + relative_error) +
     * absolute_error. Both 0: the minimum itself, to within 1e-14 of it. */
    double relative_error, absolute_error;

    /* Pairs that are farther apart than this do not matter: when all are, the answer is no. Infinity: all do. */
    double within;
    /* As soon as a pair is found that is not farther apart than this, the search ends with it. With both `within` and
     * `enough` set to d the question is only: are the models closer than d? */
    double enough;

    tumble_near_callback *callback;
    void *callback_user;

    /* On request, in a second pass, all pairs of polygons that are within the errors above the distance found, in the
     * order of (polygon_a, polygon_b). The first ones of that order go into the array; the true total is in the
     * result. */
    int want_pairs; /* implied by a capacity */
    tumble_near *pairs;
    size_t pair_capacity;

    /* Other than 0: what this search learns is kept in the query and used by the next one about the same models, which
     * then needs little when they have moved little. The answers are the same. */
    int coherence;

    /* The most that the search may take; 0: no limit. Then what is proven so far is the result. A second pass is not
     * limited, and not begun when the budget is spent. */
    double budget_microseconds;
    uint64_t budget_box_tests;

    /* What is left when the budget is spent: the first ones, the nearest first; the total is in the result. */
    tumble_undecided *undecided;
    size_t undecided_capacity;

    tumble_kdop_tumble kdop_tumble; /* of k-DOP trees, as in tumble_collide_options */
} tumble_distance_options;

TUMBLE_API void tumble_init_distance_options(tumble_distance_options *distance_options, size_t size);
static inline tumble_distance_options tumble_default_distance_options(void)
{
    tumble_distance_options distance_options;
    tumble_init_distance_options(&distance_options, sizeof distance_options);
    return distance_options;
}

typedef enum tumble_answer {
    TUMBLE_NO = 0,
    TUMBLE_YES = 1,
    TUMBLE_MAYBE = 2
} tumble_answer;

typedef struct tumble_distance_result {
    size_t size; /* to be set by the caller: sizeof(tumble_distance_result) */
    /* Are two polygons at most `within` apart? MAYBE only when the budget was spent. Decided exactly. */
    tumble_answer answer;
    int is_complete;     /* 0 when the budget ended the search before the distance was known as exactly as asked */
    tumble_near nearest; /* the nearest pair found, when the answer is YES */
    /* What is proven of the models' distance, apart from rounding (1e-14 of it): it is in [lower, upper]. Infinity when
     * nothing is known. */
    double lower, upper;
    /* No two triangles that were not compared reach into each other by more than this: one of them would get clear of
     * the other by such a move. 0 unless the budget was spent. */
    double penetration;
    uint64_t undecided_count;
    uint64_t pair_count; /* of the second pass */
    tumble_counters counters;
} tumble_distance_result;

/* The distance of the surfaces of `a` at `pose_a` and `b` at `pose_b`, and where they are that close. It is 0, with a
 * common point, when they intersect. Null poses are the identity, null options the defaults. A model without polygons
 * is infinitely far from everything. B's points are moved as in tumble_collide; from there on the distance is that of
 * exact arithmetic, rounded, times the scale of A's pose. */
TUMBLE_API tumble_status tumble_distance(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                         const tumble_model *b, const tumble_pose *pose_b,
                                         const tumble_distance_options *options, tumble_distance_result *result);

/* How two models lie to each other.
 *
 * A model is closed when it has edges and each of them has an even number of triangles; points with equal coordinates
 * count as one, and triangles with two equal corners are passed over. How its triangles are oriented does not matter.
 * A point is inside of a closed model when it is not on its surface and a ray from it passes an odd number of
 * triangles. So a surface within another one bounds a hollow. The points of a model are those on its surface and, if it
 * is closed, those inside. */
#define TUMBLE_RELATION_LIST(X)                                                                \
    X(APART, 0, "apart", "they have no point in common")                                       \
    X(TOUCHING, 1, "touching", "they have points in common, none of them inside of either")    \
    X(CROSSING, 2, "crossing", "some points of one are inside of the other, and some are not") \
    X(A_IN_B, 3, "a-in-b", "all points of A are inside of B")                                  \
    X(B_IN_A, 4, "b-in-a", "all points of B are inside of A")                                  \
    X(UNDEFINED, 5, "undefined", "not known, as one that is not closed has no inside")

typedef enum tumble_relation {
#define TUMBLE_RELATION_ENUM(name, number, word, text) TUMBLE_RELATION_##name = number,
    TUMBLE_RELATION_LIST(TUMBLE_RELATION_ENUM)
#undef TUMBLE_RELATION_ENUM
} tumble_relation;

/* "a-in-b"; never null. */
TUMBLE_API const char *tumble_relation_name(tumble_relation relation);

typedef struct tumble_relation_result {
    size_t size; /* to be set by the caller: sizeof(tumble_relation_result) */
    tumble_relation relation;
    int closed_a, closed_b;
    int surfaces_meet; /* always when TOUCHING, sometimes when CROSSING, else never */
    tumble_pair pair;  /* polygons that meet, when surfaces do */
    tumble_counters counters;
} tumble_relation_result;

/* The relation of `a` at `pose_a` and `b` at `pose_b`; null poses are the identity. B's points are moved as in
 * tumble_collide, and on the moved coordinates the answer is exact.
 *
 * Models always cross where two triangles pass through each other: these have a common point that is on no edge of
 * either, and lie in different planes. Of models that are not closed this is the only way, unless the other is closed
 * and has points of theirs inside. Where surfaces do not meet, a model that is not closed may be inside of one that is,
 * or have parts inside and parts outside, and crosses it; they are apart when their boxes are, A's and that of the
 * corners of B's box when they are moved; else the relation is not defined. A triangle without area that meets the
 * other surface touches it, and no more, unless one of its corners is inside. Models without triangles are apart from
 * everything.
 *
 * The first question about a model takes time and memory of its size, to find out whether it is closed and of which
 * connected parts it is made; this is then kept with the model. Later ones take about the time of a collision query,
 * and that of a ray for each part; more when surfaces touch. */
TUMBLE_API tumble_status tumble_relate(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                       const tumble_model *b, const tumble_pose *pose_b,
                                       tumble_relation_result *result);

#ifdef __cplusplus
}
#endif

#endif
