/* First contact and clearance along paths: piece by piece, with what earlier pieces have shown. */
#include <math.h>

#include "base/clock.h"
#include "motion/first.h"
#include "motion/path.h"

/* What is left of a budget; at least a little, so that it is not unlimited. */
static double left_of(double budget, double used)
{
    return budget > 0 ? fmax(budget - used, 1e-3) : budget;
}

static uint64_t tests_left_of(uint64_t budget, const tumble_counters *used)
{
    const uint64_t tests = used->box_tests + used->primitive_tests;
    return budget > 0 ? (tests < budget ? budget - tests : 1) : 0;
}

/* ---- First contact ---- */

static tumble_status first_along(tumble_query *query, const tumble_model *models[2], const tmb_way *way,
                                 const tumble_first_contact_options *options, tumble_first_contact_result *result)
{
    const double start = tmb_seconds();
    tumble_first_contact_result r = {.answer = TUMBLE_NO, .is_complete = true};
    tumble_counters counters = {0};
    double error = 0;
    size_t i = 0;
    for (; i < way->count && r.answer == TUMBLE_NO; i++) {
        const double length = tmb_way_begin(way, i + 1) - tmb_way_begin(way, i);
        tumble_first_contact_options piece = *options;
        piece.begin = 0, piece.end = 1;
        piece.tolerance = options->tolerance / length;
        piece.budget_microseconds = left_of(options->budget_microseconds, 1e6 * (tmb_seconds() - start));
        piece.budget_box_tests = tests_left_of(options->budget_box_tests, &counters);
        const tumble_status status = tumble_first_contact(query, models[0], tmb_way_motion(way, i, 0), models[1],
                                                          tmb_way_motion(way, i, 1), &piece, &r);
        if (status != TUMBLE_OK) {
            return status;
        }
        tmb_counters_add(&counters, &r.counters);
        error = r.error > error ? r.error : error;
    }
    r.free_until = tmb_way_time(way, i - 1, r.free_until, -1);
    r.touching_at = r.answer == TUMBLE_YES ? tmb_way_time(way, i - 1, r.touching_at, 0) : INFINITY;
    r.error = error;
    r.counters = counters;
    r.counters.seconds = tmb_seconds() - start;
    *result = r;
    return TUMBLE_OK;
}

tumble_status tumble_path_first_contact(tumble_query *query, const tumble_model *a, const tumble_path *path_a,
                                        const tumble_model *b, const tumble_path *path_b,
                                        const tumble_first_contact_options *options,
                                        tumble_first_contact_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_first_contact_options defaults = tumble_default_first_contact_options();
    const tumble_model *models[2] = {a, b};
    tmb_way way;
    tumble_status status = tmb_way_of(query->context, path_a, path_b, &way);
    if (status == TUMBLE_OK && !result) {
        status = tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "path_first_contact: the result is null");
    }
    if (status == TUMBLE_OK) {
        status = first_along(query, models, &way, options ? options : &defaults, result);
    }
    return tmb_query_end(query, status);
}

/* ---- Clearance ---- */

typedef struct closest {
    tumble_query *query;
    const tumble_model *models[2];
    const tmb_way *way;
    const tumble_clearance_along_options *options;
    tumble_clearance_along_result best; /* in times of the path */
    double *lowers;                     /* of the pieces */
    tumble_counters counters;
    double start;
} closest;

/* Distances that are not below this do not matter any more. */
static double matters_below(const closest *c)
{
    const tumble_clearance_along_options *o = c->options;
    const double least = (c->best.upper - o->absolute_error) / (1 + o->relative_error);
    return fmin(c->best.upper < INFINITY ? fmax(least, 0) : INFINITY, o->within);
}

static tumble_status look_at(closest *c, size_t i, double relative_error)
{
    tumble_clearance_along_options piece = *c->options;
    tumble_clearance_along_result r;
    piece.begin = 0, piece.end = 1;
    piece.relative_error = relative_error;
    piece.within = matters_below(c);
    piece.budget_microseconds = left_of(c->options->budget_microseconds, 1e6 * (tmb_seconds() - c->start));
    piece.budget_box_tests = tests_left_of(c->options->budget_box_tests, &c->counters);
    const tumble_status status = tumble_clearance_along(c->query, c->models[0], tmb_way_motion(c->way, i, 0),
                                                        c->models[1], tmb_way_motion(c->way, i, 1), &piece, &r);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_counters_add(&c->counters, &r.counters);
    c->lowers[i] = fmax(c->lowers[i], r.lower);
    c->best.is_complete = c->best.is_complete && r.is_complete;
    if (r.upper < c->best.upper) {
        c->best.upper = r.upper;
        c->best.time = tmb_way_time(c->way, i, r.time, 0);
        c->best.nearest = r.nearest;
    }
    return TUMBLE_OK;
}

/* All pieces roughly, then those that may have the least distance as exactly as asked for. */
static tumble_status look_at_all(closest *c)
{
    const double rough = fmax(c->options->relative_error, 0.5);
    tumble_status status = TUMBLE_OK;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < c->way->count && status == TUMBLE_OK && c->best.is_complete; i++) {
            if (c->best.upper <= c->options->enough) {
                return TUMBLE_OK;
            }
            if (c->lowers[i] < matters_below(c) * (1 - 0x1p-30)) { /* a piece's own bound is rounded */
                status = look_at(c, i, pass ? c->options->relative_error : rough);
            }
        }
    }
    return status;
}

static tumble_status clearance_along_paths(closest *c, tumble_clearance_along_result *result)
{
    tmb_first_scratch *scratch = tmb_first_scratch_of(c->query);
    if (!scratch || !tmb_buffer_reserve(c->query->context, &scratch->lowers, c->way->count, sizeof(double), 0)) {
        return tmb_fail_memory(c->query->context, "bounds of the pieces of a path");
    }
    c->lowers = scratch->lowers.data;
    c->best = (tumble_clearance_along_result){
        .is_complete = true, .lower = INFINITY, .upper = INFINITY, .time = tmb_way_begin(c->way, 0)};
    for (size_t i = 0; i < c->way->count; i++) {
        c->lowers[i] = 0;
    }
    const tumble_status status = look_at_all(c);
    for (size_t i = 0; i < c->way->count; i++) {
        c->best.lower = fmin(c->best.lower, c->lowers[i]);
    }
    c->best.lower = fmin(c->best.lower, c->best.upper);
    c->best.counters = c->counters;
    c->best.counters.seconds = tmb_seconds() - c->start;
    if (status == TUMBLE_OK) {
        *result = c->best;
    }
    return status;
}

tumble_status tumble_path_clearance(tumble_query *query, const tumble_model *a, const tumble_path *path_a,
                                    const tumble_model *b, const tumble_path *path_b,
                                    const tumble_clearance_along_options *options,
                                    tumble_clearance_along_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_clearance_along_options defaults = tumble_default_clearance_along_options();
    tmb_way way;
    tumble_status status = tmb_way_of(query->context, path_a, path_b, &way);
    if (status == TUMBLE_OK && !result) {
        status = tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "path_clearance: the result is null");
    }
    if (status == TUMBLE_OK) {
        closest c = {.query = query,
                     .models = {a, b},
                     .way = &way,
                     .options = options ? options : &defaults,
                     .start = tmb_seconds()};
        status = clearance_along_paths(&c, result);
    }
    return tmb_query_end(query, status);
}
