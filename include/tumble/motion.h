/* Tumble: when do two moving models first touch?
 *
 *     tumble_motion path = tumble_motion_still(&pose);
 *     path.translation[0] = 10;
 *     tumble_first_contact_result result;
 *     tumble_first_contact(query, a, NULL, b, &path, NULL, &result);
 *     if (result.answer == TUMBLE_NO) ... they stay apart, at every time ...
 *
 * Poses along a path are samples: a thin part can pass through a wall between two of them. These questions are about
 * every real time in between. See docs/motion.md. */
#ifndef TUMBLE_MOTION_H
#define TUMBLE_MOTION_H

#include "base.h"
#include "math.h"
#include "model.h"
#include "proximity.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Motions ---- */

/* A motion during the time from 0 to 1: a turn about an axis, and a translation, both at constant speed. At time t, the
 * model's point x is at
 *
 *     turn(t * angle) (from(x) - point) + point + t * translation
 *
 * where turn(w) rotates by w radians about `axis` (counterclockwise, seen from the tip of the axis). The point that the
 * axis passes through moves along with the translation: a translation along the axis makes a screw. These are real
 * numbers, without rounding, made of the doubles as they are given. */
typedef struct tumble_motion {
    tumble_pose from;
    double translation[3];
    double axis[3]; /* of any length above 0; if the angle is 0, anything finite */
    double point[3];
    double angle; /* any number of turns, up to TUMBLE_MOTION_MOST_ANGLE in either direction */
} tumble_motion;

#define TUMBLE_MOTION_MOST_ANGLE 1e6

/* No motion. A NULL pose is the identity. */
TUMBLE_API tumble_motion tumble_motion_still(const tumble_pose *pose);

/* From one pose to another of the same scale: `centre`, a point of the model in its own coordinates, moves on a
 * straight line, and the model turns about it, the short way. NULL is the model's origin. The motion starts at `from`;
 * its end is `to`, up to rounding and what the poses' matrices lack of being rotations.
 *
 * Errors: TUMBLE_ERROR_POSE        a pose is invalid, or their scales differ by more than 1e-5 of them
 *         TUMBLE_ERROR_NOT_FINITE  the centre is not finite, or is moved beyond the range of doubles */
TUMBLE_API tumble_status tumble_motion_between(tumble_context *context, const tumble_pose *from, const tumble_pose *to,
                                               const double centre[3], tumble_motion *out);

/* TUMBLE_OK for a valid motion. NULL is valid: it is none. */
TUMBLE_API tumble_status tumble_motion_check(tumble_context *context, const tumble_motion *motion);

/* The pose of a valid motion at a time from 0 to 1: `from` to the bit at time 0, else rounded. */
TUMBLE_API tumble_pose tumble_motion_pose(const tumble_motion *motion, double time);

/* ---- First contact ---- */

typedef struct tumble_first_contact_options {
    double clearance;  /* models within this distance are in contact; default: 0 */
    double begin, end; /* the time to look at, within [0, 1]; default: all of it */

    /* How large the interval with the first contact may be, in units of time; default: 1e-6. 0 asks for the smallest
     * that this function can tell. */
    double tolerance;

    /* The most that the search may take; 0: no limit. If it runs out, the result is what is proven so far. */
    double budget_microseconds;
    uint64_t budget_box_tests; /* and tests of triangles */
} tumble_first_contact_options;

TUMBLE_API tumble_first_contact_options tumble_default_first_contact_options(void);

typedef struct tumble_first_contact_result {
    /* YES: there is a contact at a time in [free_until, touching_at]. NO: the models are free during all of the time;
     * then free_until is its end and touching_at INFINITY. MAYBE: the budget ran out before a contact was found. */
    tumble_answer answer;
    bool is_complete; /* false: the budget ran out before the interval was as small as asked for */

    /* At every time t with begin <= t < free_until, the models are farther apart than the clearance. This is proven for
     * the motions as real numbers. */
    double free_until;
    double touching_at;

    /* What is meant by contact: the models are within the clearance plus this. 0 for translations without a clearance
     * and a radius: then contact is exact, and with tolerance 0 the interval has no double inside. Else about 1e-13 of
     * the largest coordinates and of the way that was made. */
    double error;

    tumble_near witness; /* the polygons that are in contact, and their closest points at touching_at, rounded */
    tumble_counters counters;
} tumble_first_contact_result;

/* When are `a` and `b` in contact for the first time during their motions? A NULL motion is none, at the identity. NULL
 * options are the defaults. Surfaces count, not solids: a model that moves inside another is free until it touches it
 * from within. Radii of models (model.h) count. "In contact from the begin" and "never" are answers.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_POSE        a pose is not a rotation, uniform scale and translation
 *         TUMBLE_ERROR_NOT_FINITE  a number is not finite, or points are moved beyond the range of doubles
 *         TUMBLE_ERROR_TOO_LARGE   an angle exceeds TUMBLE_MOTION_MOST_ANGLE
 *         TUMBLE_ERROR_UNSUPPORTED a model consists of cylinders
 *         TUMBLE_ERROR_MEMORY
 *         TUMBLE_ERROR_CANCELLED   the progress function returned true */
TUMBLE_API tumble_status tumble_first_contact(tumble_query *query, const tumble_model *a, const tumble_motion *motion_a,
                                              const tumble_model *b, const tumble_motion *motion_b,
                                              const tumble_first_contact_options *options,
                                              tumble_first_contact_result *result);

/* ---- All contacts ---- */

/* All times of contact are in [free_until, free_from] of some interval; before the first, between two and after the
 * last of them, the models are free: proven for every real time. At touching_at and touching_until they are in contact,
 * and so at times in between that are not farther from each other than the tolerance. With that tolerance, free_until
 * and touching_at are alike, and touching_until and free_from. */
typedef struct tumble_contact_interval {
    double free_until, touching_at;
    double touching_until, free_from; /* free_from is the end of the motion if they are in contact until then */
    tumble_pair pair;                 /* polygons that are in contact at touching_at */
} tumble_contact_interval;

#define TUMBLE_MOTION_LEAST_TOLERANCE 1e-9

typedef struct tumble_contact_intervals_options {
    double clearance; /* models within this distance are in contact; default: 0 */
    /* At least TUMBLE_MOTION_LEAST_TOLERANCE; default: 1e-3. While there is contact, each step of that length takes a
     * collision query. */
    double tolerance;
    tumble_contact_interval *intervals; /* optional: receives the first ones */
    size_t interval_capacity;

    /* The most that the search may take; 0: no limit. If it runs out, the result is what is decided so far. */
    double budget_microseconds;
    uint64_t budget_box_tests; /* and tests of triangles */
} tumble_contact_intervals_options;

TUMBLE_API tumble_contact_intervals_options tumble_default_contact_intervals_options(void);

typedef struct tumble_contact_intervals_result {
    bool is_complete;     /* false: the budget ran out */
    double decided_until; /* the intervals are all of the times before this; the end of the motion if complete */
    size_t interval_count;
    const tumble_contact_interval *intervals; /* in the order of time: a view of the query's memory; or NULL */
    double error;                             /* the largest: see tumble_first_contact_result */
    tumble_counters counters;
} tumble_contact_intervals_result;

/* When are `a` and `b` in contact during their motions? The rest is as in tumble_first_contact. */
TUMBLE_API tumble_status tumble_contact_intervals(tumble_query *query, const tumble_model *a,
                                                  const tumble_motion *motion_a, const tumble_model *b,
                                                  const tumble_motion *motion_b,
                                                  const tumble_contact_intervals_options *options,
                                                  tumble_contact_intervals_result *result);

/* ---- Clearance ---- */

typedef struct tumble_clearance_along_options {
    double begin, end; /* the time to look at, within [0, 1]; default: all of it */

    /* The distance found may exceed the smallest one: at most smallest * (1 + relative_error) + absolute_error.
     * Default: 1e-6 and 0. */
    double relative_error, absolute_error;

    /* Ignore what is farther apart than this: if the models always are, `upper` may be INFINITY. Default: INFINITY. */
    double within;
    /* Stop at the first distance that is at most this. Default: 0. */
    double enough;

    /* The most that the search may take; 0: no limit. If it runs out, the result is what is proven so far. */
    double budget_microseconds;
    uint64_t budget_box_tests; /* and tests of triangles */
} tumble_clearance_along_options;

TUMBLE_API tumble_clearance_along_options tumble_default_clearance_along_options(void);

typedef struct tumble_clearance_along_result {
    bool is_complete; /* false: the budget ran out before the bounds were as near as asked for */

    /* At every time the models are at least `lower` apart (`within`, if that is less), at `time` at most `upper`. Both
     * are proven for the motions as real numbers; they are not nearer to each other than about 1e-13 of the largest
     * coordinates and of the way that was made. `upper` is INFINITY if nothing was found. */
    double lower, upper;
    double time;
    tumble_near nearest; /* the polygons at `time` and their closest points, rounded; 0 if they intersect there */
    tumble_counters counters;
} tumble_clearance_along_result;

/* How close do `a` and `b` come during their motions, and when? The distance is that of their surfaces, less their
 * radii. The rest, also the errors, is as in tumble_first_contact. */
TUMBLE_API tumble_status tumble_clearance_along(tumble_query *query, const tumble_model *a,
                                                const tumble_motion *motion_a, const tumble_model *b,
                                                const tumble_motion *motion_b,
                                                const tumble_clearance_along_options *options,
                                                tumble_clearance_along_result *result);

/* ---- Paths ---- */

/* Motions one after the other: piece i during the time from times[i] to times[i + 1]. Nothing demands that a piece
 * begins where the one before ends. A path is a view: it holds nothing. */
typedef struct tumble_path {
    const tumble_motion *pieces;
    size_t piece_count;
    const double *times; /* piece_count + 1, each later than the one before; NULL: 0, 1, 2, ... */
} tumble_path;

/* TUMBLE_OK for a valid path. NULL is valid: it is no motion. */
TUMBLE_API tumble_status tumble_path_check(tumble_context *context, const tumble_path *path);

/* The piece of a valid path at a time, the later one where two meet, and which part of it is over, from 0 to 1 (`part`
 * may be NULL). Times before and after the path are its begin and end. */
TUMBLE_API size_t tumble_path_piece(const tumble_path *path, double time, double *part);

/* The pose of a valid path at a time, rounded. */
TUMBLE_API tumble_pose tumble_path_pose(const tumble_path *path, double time);

/* The three questions, along paths. All times, also tolerances, are those of the paths; proven ones are rounded so that
 * they stay proven. The options' `begin` and `end` are not used: a part of a path is a path. Both paths need the same
 * times, unless one is NULL (no motion, at the identity) or a single piece that does not move.
 *
 * Errors: those of tumble_first_contact, also for a path without pieces, or with times that are not increasing. */
TUMBLE_API tumble_status tumble_path_first_contact(tumble_query *query, const tumble_model *a,
                                                   const tumble_path *path_a, const tumble_model *b,
                                                   const tumble_path *path_b,
                                                   const tumble_first_contact_options *options,
                                                   tumble_first_contact_result *result);
TUMBLE_API tumble_status tumble_path_contact_intervals(tumble_query *query, const tumble_model *a,
                                                       const tumble_path *path_a, const tumble_model *b,
                                                       const tumble_path *path_b,
                                                       const tumble_contact_intervals_options *options,
                                                       tumble_contact_intervals_result *result);
TUMBLE_API tumble_status tumble_path_clearance(tumble_query *query, const tumble_model *a, const tumble_path *path_a,
                                               const tumble_model *b, const tumble_path *path_b,
                                               const tumble_clearance_along_options *options,
                                               tumble_clearance_along_result *result);

#ifdef __cplusplus
}
#endif

#endif
