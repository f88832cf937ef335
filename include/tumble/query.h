/* Tumble: do two models intersect, and where?
 *
 *     tumble_query *query;
 *     tumble_query_create(context, &query);
 *     tumble_collide_result result;
 *     tumble_collide(query, a, NULL, b, &pose_b, NULL, &result);
 *     for (size_t i = 0; i < result.pair_count; i++) {
 *         ... result.pairs[i].polygon_a, result.pairs[i].polygon_b ...
 *     }
 *
 * A query holds the scratch memory of one thread. Models are immutable and may be shared by any number of queries. */
#ifndef TUMBLE_QUERY_H
#define TUMBLE_QUERY_H

#include "base.h"
#include "math.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tumble_query tumble_query;

TUMBLE_API tumble_status tumble_query_create(tumble_context *context, tumble_query **out);
TUMBLE_API void tumble_query_destroy(tumble_query *query);

/* The last call with this query that failed: its status and message, like tumble_last_error. */
TUMBLE_API tumble_status tumble_query_error(const tumble_query *query, char *text, size_t capacity);

/* Called now and then, on the calling thread, while a call with this query works: after some hundred microseconds, or
 * never in a short one. Return true to stop the call with TUMBLE_ERROR_CANCELLED. NULL: none. Must not be set during a
 * call. Traversals ask, of collisions, distances and relations; what follows them, such as sorting, does not. */
typedef bool tumble_query_progress(void *user);
TUMBLE_API tumble_status tumble_query_set_progress(tumble_query *query, tumble_query_progress *progress, void *user);

/* How much to find. The cost grows from TEST to ALL. */
typedef enum tumble_mode {
    TUMBLE_TEST = 0,    /* is there any intersection? */
    TUMBLE_FIRST = 1,   /* ... and one pair of polygons that intersect, whichever is found first */
    TUMBLE_COUNT = 2,   /* how many pairs of polygons intersect */
    TUMBLE_ALL = 3,     /* which ones */
    TUMBLE_SURFACES = 4 /* which pairs of surfaces intersect, with one pair of polygons each */
} tumble_mode;

/* Two polygons, by the caller's numbers from 0. */
typedef struct tumble_pair {
    uint32_t polygon_a, polygon_b;
} tumble_pair;

/* Where two triangles meet: the segment between the two points, which may be equal. If one plane holds both triangles
 * (or both are degenerate), `coplanar` is 1 and both points are the same common point. With a clearance, `apart` is 1
 * for triangles that do not meet; the points are then the closest ones, on A and on B. In the frame of the poses,
 * rounded to double. Of models with a radius the points are those of the polygons. */
typedef struct tumble_contact {
    uint32_t polygon_a, polygon_b;
    uint32_t coplanar; /* 0 or 1 */
    uint32_t apart;    /* 0 or 1 */
    double points[2][3];
} tumble_contact;

/* Two surfaces that intersect, by their ids, and the first pair of their polygons that was found. */
typedef struct tumble_surface_pair {
    uint32_t surface_a, surface_b;
    uint32_t polygon_a, polygon_b;
} tumble_surface_pair;

/* Receives results while the query runs, in batches: each pair of polygons once, each contact once, in an order that
 * depends only on models, poses and options. `contacts` is NULL unless they were asked for. Return true to stop with
 * TUMBLE_ERROR_CANCELLED. */
typedef bool tumble_collide_callback(void *user, const tumble_pair *pairs, size_t pair_count,
                                     const tumble_contact *contacts, size_t contact_count);

/* The same for pairs of surfaces. */
typedef bool tumble_surface_callback(void *user, const tumble_surface_pair *pairs, size_t count);

/* What a query keeps for its next call about the same models, which is then faster if they have moved little. */
typedef enum tumble_coherence {
    TUMBLE_COHERENCE_NONE = 0,
    TUMBLE_COHERENCE_PAIR = 1,  /* the last pair of triangles that intersect, or are nearest: tested first */
    TUMBLE_COHERENCE_FRONT = 2, /* the pairs of nodes at which the last traversal ended: the next one starts there */
    TUMBLE_COHERENCE_ALL = 3    /* both */
} tumble_coherence;

typedef struct tumble_collide_options {
    tumble_mode mode; /* default: TUMBLE_ALL */
    /* Polygons within this distance, in the frame of the poses, count as intersecting, in every mode. Decided exactly.
     * Default: 0. */
    double clearance;

    /* Also report where triangles meet, one contact per intersecting pair of triangles; a polygon with more than three
     * corners has several triangles. In modes FIRST, ALL and SURFACES. */
    bool want_contacts;
    /* Also report pairs of surfaces in modes FIRST and ALL. Mode SURFACES reports nothing else: once two surfaces are
     * known to intersect, their triangles are not compared any more. */
    bool want_surfaces;

    /* Optional arrays, in modes FIRST, ALL and SURFACES. They receive the first items in order (see
     * tumble_collide_result); the totals are in the result. A capacity for contacts or surface pairs implies the
     * request above, and so does a callback for surface pairs. */
    tumble_pair *pairs;
    size_t pair_capacity;
    tumble_contact *contacts;
    size_t contact_capacity;
    tumble_surface_pair *surface_pairs;
    size_t surface_pair_capacity;

    /* Optional callbacks, in modes FIRST, ALL and SURFACES. What goes to a callback is not stored. */
    tumble_collide_callback *callback;
    tumble_surface_callback *surface_callback;
    void *callback_user; /* for both */

    /* For paths; default: TUMBLE_COHERENCE_NONE. PAIR helps TEST and FIRST, FRONT helps every mode. The answers are the
     * same, except for what is found first and therefore reported first: the pair of FIRST, `first`, the polygons of a
     * surface pair, and the order in which callbacks are called. */
    tumble_coherence coherence;

    const struct tumble_tuning *tuning; /* optional; see hierarchies.h */
} tumble_collide_options;

TUMBLE_API tumble_collide_options tumble_default_collide_options(void);

/* The work of a query: N_v, N_u and N_p of the literature, and more. */
typedef struct tumble_counters {
    uint64_t box_tests;       /* pairs of boxes compared */
    uint64_t box_updates;     /* boxes moved into the other frame; wide: pairs of nodes, with 8 boxes each */
    uint64_t primitive_tests; /* pairs of triangles compared */
    uint64_t exact_tests;     /* those of them that needed more than plain doubles */
    uint64_t bytes_touched;   /* of nodes and geometry, counting every access */
    double seconds;           /* 0 for a single ray, and for wide models whose boxes are plainly apart */
} tumble_counters;

typedef struct tumble_collide_result {
    bool collide;
    tumble_pair first;           /* a pair that intersects, in every mode, if `collide` */
    uint64_t pair_count;         /* intersecting pairs of polygons; TEST, FIRST: 0 or 1; SURFACES: those found */
    uint64_t contact_count;      /* 0 unless contacts were asked for */
    uint64_t surface_pair_count; /* 0 unless surface pairs were asked for */

    /* Views of the query's memory in modes FIRST, ALL and SURFACES, valid until its next call: all pairs in the order
     * of (polygon_a, polygon_b); all contacts in the same order, ties by their points; all surface pairs in the order
     * of (surface_a, surface_b). NULL where there is nothing, and for what goes to a callback only. */
    const tumble_pair *pairs;
    const tumble_contact *contacts;
    const tumble_surface_pair *surface_pairs;

    tumble_counters counters;
} tumble_collide_result;

/* Tests `a` at `pose_a` against `b` at `pose_b`. A NULL pose is the identity, NULL options are the defaults.
 *
 * Exact for every finite input: docs/semantics.md says what that means. B's points are moved by
 * tumble_pose_relative(pose_a, pose_b) with tumble_pose_apply; everything after that is exact. The floating-point
 * environment must be the default: round to nearest, no flush to zero. Never allocates once the query is warm.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_POSE         a pose is not a rotation, uniform scale and translation
 *         TUMBLE_ERROR_NOT_FINITE   a pose is not finite, or moving points overflows
 *         TUMBLE_ERROR_UNSUPPORTED  the tuning asks for data that B lacks
 *         TUMBLE_ERROR_MEMORY
 *         TUMBLE_ERROR_CANCELLED    a callback returned true; the counts so far are in the result */
TUMBLE_API tumble_status tumble_collide(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                        const tumble_model *b, const tumble_pose *pose_b,
                                        const tumble_collide_options *options, tumble_collide_result *result);

#ifdef __cplusplus
}
#endif

#endif
