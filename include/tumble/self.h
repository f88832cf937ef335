/* Tumble: does a model intersect itself, and where?
 *
 *     tumble_self_result result;
 *     tumble_self_collide(query, model, NULL, &result);
 *     for (size_t i = 0; i < result.pair_count; i++) {
 *         ... result.pairs[i].polygon_a, result.pairs[i].polygon_b, result.pairs[i].kind ...
 *     }
 *
 * Neighbours in a mesh touch where they are joined, so that does not count: two polygons share their common corners and
 * their common edges, and are reported only if they have a common point outside of these. Corners with equal
 * coordinates are common, whatever their indices are. docs/single.md has the details. */
#ifndef TUMBLE_SELF_H
#define TUMBLE_SELF_H

#include "base.h"
#include "model.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How two polygons meet. For polygons with several triangles, it is the first of these that is true of any two of them.
 */
typedef enum tumble_self_kind {
    TUMBLE_SELF_DUPLICATE = 1,   /* they have the same corners */
    TUMBLE_SELF_CROSSING = 2,    /* they pass through each other: the insides of two triangles meet in a segment */
    TUMBLE_SELF_OVERLAPPING = 3, /* they have an area in common, in one plane: also neighbours that are folded over */
    TUMBLE_SELF_TOUCHING = 4,    /* they touch, but do not pass through each other */
    TUMBLE_SELF_DEGENERATE = 5,  /* they meet, but one of them is a segment or a point there */
    TUMBLE_SELF_NEAR = 6         /* they do not meet, but are within the clearance and their radii */
} tumble_self_kind;

/* "crossing"; never NULL. */
TUMBLE_API const char *tumble_self_kind_name(tumble_self_kind kind);

/* Two polygons, by the caller's numbers from 0: polygon_a < polygon_b. */
typedef struct tumble_self_pair {
    uint32_t polygon_a, polygon_b;
    tumble_self_kind kind;
} tumble_self_pair;

/* Receives results while the query runs, in batches: each pair once, each contact once, in an order that depends only
 * on model and options. `contacts` is NULL unless they were asked for. Called on the thread that asked. Return true to
 * stop with TUMBLE_ERROR_CANCELLED. */
typedef bool tumble_self_callback(void *user, const tumble_self_pair *pairs, size_t pair_count,
                                  const tumble_contact *contacts, size_t contact_count);

typedef struct tumble_self_options {
    tumble_mode mode;      /* default: TUMBLE_ALL; not TUMBLE_SURFACES */
    uint32_t thread_count; /* 0: the context's. The results are the same for any number */

    /* The model is a soup of polygons: what they share does not matter, and neighbours are reported too. */
    bool soup;

    /* Polygons within this distance count too, unless they are neighbours: within so many `rings` (default: 1). The
     * polygons that have a common corner with a polygon are its first ring; those that have one with its first ring are
     * its second, and so on. Polygons that intersect count at any rate. Decided exactly. Default: 0. */
    double clearance;
    uint32_t rings;

    /* Also report where triangles meet, as tumble_collide does: one contact per pair of triangles that meet outside of
     * what they share. In modes FIRST and ALL. */
    bool want_contacts;

    /* Optional arrays, in modes FIRST and ALL. They receive the first items in order; the totals are in the result. A
     * capacity for contacts implies the request above. */
    tumble_self_pair *pairs;
    size_t pair_capacity;
    tumble_contact *contacts;
    size_t contact_capacity;

    tumble_self_callback *callback; /* optional, in modes FIRST and ALL; what goes there is not stored */
    void *callback_user;
} tumble_self_options;

TUMBLE_API tumble_self_options tumble_default_self_options(void);

typedef struct tumble_self_result {
    bool collide;
    tumble_self_pair first; /* a pair that is reported, if `collide`; its kind is 0 in modes TEST and COUNT */
    uint64_t pair_count;    /* TEST, FIRST: 0 or 1 */
    uint64_t contact_count; /* 0 unless contacts were asked for */

    /* Views of the query's memory in modes FIRST and ALL, valid until its next call: all pairs in the order of
     * (polygon_a, polygon_b), all contacts in the same order, ties by their points. NULL where there is nothing, and
     * for what goes to a callback. */
    const tumble_self_pair *pairs;
    const tumble_contact *contacts;

    tumble_counters counters;
} tumble_self_result;

/* Which polygons of a model intersect each other? NULL options are the defaults. Exact for every finite input. Never
 * allocates once the query is warm, with one thread and less than two rings, if all polygons are triangles.
 *
 * Of a model with a radius (model.h), the radii of two polygons count as a further clearance: the sum, rounded once, is
 * the distance within which they are NEAR, unless they are neighbours. The segments of a path that are shorter than its
 * radius reach each other past their neighbours: give more `rings`.
 *
 * Errors: TUMBLE_ERROR_ARGUMENT
 *         TUMBLE_ERROR_NOT_FINITE  the clearance and twice the radius have an infinite sum
 *         TUMBLE_ERROR_MEMORY
 *         TUMBLE_ERROR_CANCELLED  the callback returned true; the counts so far are in the result */
TUMBLE_API tumble_status tumble_self_collide(tumble_query *query, const tumble_model *model,
                                             const tumble_self_options *options, tumble_self_result *result);

#ifdef __cplusplus
}
#endif

#endif
