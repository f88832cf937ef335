/* Tumble: how far must two models be moved to part them?
 *
 *     tumble_separate_result result;
 *     tumble_separate(query, a, NULL, b, &pose_b, NULL, &result);
 *     if (result.answer == TUMBLE_YES) ... at result.pose_b they are apart ...
 *     printf("the depth is between %g and %g\n", result.lower, result.upper);
 *
 * The penetration depth of two solids is the length of the shortest translation that parts them. See docs/motion.md. */
#ifndef TUMBLE_SEPARATE_H
#define TUMBLE_SEPARATE_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "proximity.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tumble_separate_options {
    /* Move B along this direction only, of any length. All 0, the default: in any direction, for which both models must
     * be closed (tumble_relate says what that is). */
    double direction[3];

    /* It is enough that the models only touch after the move. Default: false. */
    bool touching;

    /* Longer moves do not count. Default: INFINITY. */
    double within;
    /* Stop as soon as a move is found that is not longer than this. With `within` and `enough` both d, the question is
     * only: is there a move of at most d? Default: 0. */
    double enough;

    /* The most that the search may take; 0: no limit. If it runs out, the result is what is proven so far. */
    double budget_microseconds;
    uint64_t budget_box_tests;  /* and tests of triangles */
    uint32_t budget_directions; /* to be tried, if none is given; 0: as many as 1000. Default: 40 */
} tumble_separate_options;

TUMBLE_API tumble_separate_options tumble_default_separate_options(void);

typedef struct tumble_separate_result {
    /* YES: at `pose_b`, the models are apart, and the move is at most `within`. NO: every move that parts them is
     * longer than `within`, proven. MAYBE: neither is known. */
    tumble_answer answer;
    bool is_complete;         /* false: the budget of time or tests ran out */
    tumble_relation relation; /* before the move */

    /* Proven bounds of the length of the shortest move: over all directions, or along the one given. INFINITY: no move
     * is known. Their difference is what the search left unknown. Along a direction, both are within a few units in the
     * last place of the exact length, unless `is_tight` is false. */
    double lower, upper;
    /* With a direction: the shortest move is a multiple of it, from lower_along to upper_along: the same double twice,
     * or the doubles around it. */
    double lower_along, upper_along;
    /* With a direction: so is it. False where a gap was too thin for the poses around it, and with `touching` where the
     * models slide on each other before they are apart. */
    bool is_tight;

    /* The move, and B's pose after it: where tumble_relate finds them apart (or touching, if that is enough). It is at
     * most `upper` long, and the pose is rounded. Only if a move was found. */
    double translation[3];
    tumble_pose pose_b;
    tumble_pair last; /* polygons that touch last on the way there; both TUMBLE_NO_POLYGON (ray.h): none do */
    double normal[3]; /* of the plane in which they touch, away from A */

    /* Without a direction: the point that proves `lower`: A's surface is depth_a away from it and B's depth_b, and they
     * overlap by the sum. Negative: it is outside by so much. Only if lower > 0. */
    double deepest[3];
    double depth_a, depth_b;

    uint32_t direction_count; /* that were tried */
    tumble_counters counters;
} tumble_separate_result;

/* The shortest translation of `b` at `pose_b` that parts it from `a` at `pose_a`: afterwards no point of one is on or
 * in the other. A NULL pose is the identity, NULL options are the defaults. B may jump over A: the least move is asked
 * for, not the way there.
 *
 * Along a direction the answer is exact, for the poses as real numbers. Of an open model, only its surface counts, and
 * what the other one contains of it. In any direction, the search is deterministic, but heuristic: `upper` is the
 * length of the best move it found, and `lower` comes from the deepest point it found.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_POSE        a pose is not a rotation, uniform scale and translation
 *         TUMBLE_ERROR_NOT_FINITE  a number is not finite, or points are moved beyond the range of doubles
 *         TUMBLE_ERROR_UNSUPPORTED a model has a radius; or a model is open, and no direction is given
 *         TUMBLE_ERROR_MEMORY
 *         TUMBLE_ERROR_CANCELLED   the progress function returned true */
TUMBLE_API tumble_status tumble_separate(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                         const tumble_model *b, const tumble_pose *pose_b,
                                         const tumble_separate_options *options, tumble_separate_result *result);

#ifdef __cplusplus
}
#endif

#endif
