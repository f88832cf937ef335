/* The search for the first contact of two moving models.
 *
 * Pairs of nodes, and then of triangles, wait with a span of time in which they may be in contact; before it and after
 * it they are not. The pair whose span begins first is examined first, until all that wait begin after a contact that
 * was found. See docs/motion.md. */
#ifndef TUMBLE_SRC_MOTION_FIRST_H
#define TUMBLE_SRC_MOTION_FIRST_H

#include <math.h>

#include "math/bigfloat.h"
#include "motion/moving.h"
#include "prim/triangle_distance.h"
#include "query/query.h"
#include "query/thickness.h"
#include "tree/box_view.h"

/* What waits. */
typedef struct tmb_first_pair {
    double from, to; /* the span */
    tmb_box_node a, b;
    int are_triangles; /* whose addresses are the nodes' references */
    uint32_t steps;    /* that were made to get here */
} tmb_first_pair;

/* An entry of the heap: the least key comes first. For first contacts that is the begin of the span. */
typedef struct tmb_first_entry {
    double key;
    uint32_t number; /* later pairs come first among those with the same key */
    uint32_t slot;   /* of the pair */
} tmb_first_entry;

typedef struct tmb_first_scratch {
    tmb_buffer heap, pairs, vacant; /* tmb_first_entry, tmb_first_pair, uint32_t */
    tmb_bigfloat_pool numbers;
    tmb_buffer intervals; /* tumble_contact_interval */
    tmb_buffer lowers;    /* double: of the pieces of a path */
} tmb_first_scratch;

typedef struct tmb_first {
    tumble_query *query;
    const tumble_first_contact_options *options;
    const tumble_motion *motions[2];
    tmb_moving moving[2];
    tmb_box_view trees[2];
    tmb_thickness thick;
    int exponent;       /* lengths are times 2^-exponent */
    double limit;       /* the clearance and all thickness, rounded up, for nodes */
    double still, pace; /* all that rounding can do to a distance at time t is still + t * pace */
    int is_exact;       /* the contact of two triangles is decided exactly */

    tmb_first_scratch *scratch;
    size_t heap_count, pair_count, vacant_count;
    uint32_t numbers;

    int found;
    double free, touching; /* what was found: contact in [free, touching], the least of each */
    uint32_t nearest[2];   /* addresses of the triangles */
    tumble_status status;
    tumble_counters counters;
    unsigned long long exact_tests;
    double deadline;
    int is_spent;
} tmb_first;

static inline double tmb_first_error(const tmb_first *first, double time)
{
    return first->still + time * first->pace;
}

/* The corners of a triangle at a time. */
void tmb_first_corners(const tmb_first *first, int side, uint32_t address, const tmb_placed *at, double out[3][3]);

/* How far a triangle's points are from the axis at most. */
double tmb_first_arm(const tmb_first *first, int side, uint32_t address);

/* A unit vector of a direction; 0: it has none. */
int tmb_unit_of(const double v[3], double n[3]);

/* How far a is below b along a unit vector; negative if they overlap. */
double tmb_gap_along(const double n[3], const double a[3][3], const double b[3][3]);

/* Two triangles with what was computed of them where they are placed: their polygons, distance and closest points. */
tumble_near tmb_first_near(const tmb_first *first, uint32_t ta, uint32_t tb, const tmb_triangle_distance *d);

/* The distance at which two triangles are in contact. */
double tmb_first_limit(const tmb_first *first, uint32_t ta, uint32_t tb);

/* The limit of two sets of points that move at constant speed, but for a bend: they are surely farther apart than the
 * contact at the part s of a span if they would be farther apart than this without the bend, interpolated. */
typedef struct tmb_span {
    double from, to;
    double bend;
    double clear[2]; /* at both ends, without the bend */
} tmb_span;
tmb_span tmb_span_of(const tmb_first *first, double from, double to, double limit, double bend);

/* Lets a pair wait, and takes the first one that does. */
void tmb_first_wait(tmb_first *first, double key, const tmb_first_pair *pair);
tmb_first_pair tmb_first_take(tmb_first *first);
static inline double tmb_first_next(const tmb_first *first)
{
    return first->heap_count > 0 ? ((const tmb_first_entry *)first->scratch->heap.data)[0].key : INFINITY;
}

/* Whether the budget is. */
int tmb_first_is_spent(const tmb_first *first);

/* Puts a pair into the heap; drops it if it begins after what was found. */
void tmb_first_push(tmb_first *first, const tmb_first_pair *pair);

/* Notes that two triangles are in contact for the first time in [free, touching]. */
void tmb_first_note(tmb_first *first, const tmb_first_pair *pair, double free, double touching);

/* One step with two triangles: moves the begin of their span on. 0: they are done, as they are free during the rest of
 * the span, or as what was found was noted. */
int tmb_first_advance(tmb_first *first, tmb_first_pair *pair);

/* The contact of two triangles: exactly, if contact is, else what is given. */
void tmb_first_contact(tmb_first *first, const tmb_first_pair *pair, double free, double touching);

/* How fast the distance of two points of the models can fall at most. */
double tmb_first_fastest(const tmb_first *first);

/* Goes toward the first contact by collision queries. 1: it was found or there is none. Else the search goes on from
 * `proven`, until which the models are free. */
int tmb_first_approach(tmb_first *first, double *proven);

/* Runs the search. Returns a lower bound of when what still waits begins; infinity when nothing does. */
double tmb_first_run(tmb_first *first);

/* Checks the arguments and prepares a search; `name` is the function's, for messages. */
tumble_status tmb_first_begin(tmb_first *first, const char *name, tumble_query *query, const tumble_model *models[2],
                              const tumble_motion *motions[2], const tumble_first_contact_options *options,
                              const void *result, double start);

/* The query's; NULL if memory runs out. */
tmb_first_scratch *tmb_first_scratch_of(tumble_query *query);

#endif
