/* tumble_first_contact: the entry point. */
#include "motion/first.h"

#include <math.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "prim/triangle_distance.h"
#include "tree/radius.h"

tumble_first_contact_options tumble_default_first_contact_options(void)
{
    return (tumble_first_contact_options){.tolerance = 1e-6, .end = 1};
}

static tumble_status check_arguments(const char *name, tumble_query *query, const tumble_model *models[2],
                                     const tumble_motion *motions[2], const tumble_first_contact_options *options,
                                     const void *result)
{
    tumble_context *context = query->context;
    if (!models[0] || !models[1]) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s: a model is null", name);
    }
    if (!result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s: the result is null", name);
    }
    if (!(options->clearance >= 0 && options->clearance < INFINITY)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s: the clearance must be finite and not negative", name);
    }
    if (!(options->tolerance >= 0) || !(options->budget_microseconds >= 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s: the tolerance or a budget is negative", name);
    }
    if (!(options->begin >= 0 && options->begin <= options->end && options->end <= 1)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s: the time from %g to %g is not within [0, 1]", name,
                        options->begin, options->end);
    }
    tumble_status status = tumble_motion_check(context, motions[0]);
    status = status == TUMBLE_OK ? tumble_motion_check(context, motions[1]) : status;
    return status == TUMBLE_OK ? tmb_refuse_flat_ends(models[0], models[1], name) : status;
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_first_scratch *scratch = data;
    tmb_buffer_release(context, &scratch->heap);
    tmb_buffer_release(context, &scratch->pairs);
    tmb_buffer_release(context, &scratch->vacant);
    tmb_buffer_release(context, &scratch->intervals);
    tmb_buffer_release(context, &scratch->lowers);
    tmb_bigfloat_pool_release(&scratch->numbers);
}

tmb_first_scratch *tmb_first_scratch_of(tumble_query *query)
{
    return tmb_query_scratch(query, TMB_SCRATCH_MOTION, sizeof(tmb_first_scratch), release_scratch);
}

/* ---- Units and errors ---- */

/* What rounding does to positions: see docs/motion.md. */
static void set_errors(tmb_first *f, const tmb_motion_size sizes[2])
{
    double still = f->limit, pace = 0, own = 0;
    for (int side = 0; side < 2; side++) {
        const double size = ldexp(sizes[side].still, -f->exponent);
        still += size;
        pace += ldexp(sizes[side].moved, -f->exponent) * TMB_PLACED_ROUNDING +
                fabs(f->motions[side]->angle) * size * TMB_PLACED_TIME_ROUNDING;
        own += sizes[side].own * TMB_DOUBLE_LEAST;
    }
    f->still = still * TMB_PLACED_ROUNDING + 16 * own + 16 * TMB_DOUBLE_LEAST;
    f->pace = pace;
}

static tumble_status set_units(tmb_first *f, const char *name)
{
    tmb_motion_size sizes[2];
    double limit = f->options->clearance;
    if (f->thick.is_any) {
        const tumble_status status = tmb_thickness_check(f->query->context, &f->thick, limit);
        if (status != TUMBLE_OK) {
            return status;
        }
        limit = tmb_thickness_plus(&f->thick, limit);
    }
    double sum = limit;
    for (int side = 0; side < 2; side++) {
        sizes[side] = tmb_motion_size_of(f->moving[side].model, f->motions[side]);
        sum += sizes[side].still + sizes[side].moved;
    }
    if (!(sum < INFINITY)) {
        return tmb_fail(f->query->context, TUMBLE_ERROR_NOT_FINITE,
                        "%s: the models are moved beyond the range of doubles", name);
    }
    f->exponent = tmb_motion_unit(sum, f->motions);
    f->limit = ldexp(limit, -f->exponent);
    set_errors(f, sizes);
    for (int side = 0; side < 2; side++) {
        f->moving[side] = tmb_moving_of(f->moving[side].model, f->motions[side], f->exponent);
    }
    return TUMBLE_OK;
}

tumble_status tmb_first_begin(tmb_first *f, const char *name, tumble_query *query, const tumble_model *models[2],
                              const tumble_motion *motions[2], const tumble_first_contact_options *options,
                              const void *result, double start)
{
    const tumble_status status = check_arguments(name, query, models, motions, options, result);
    if (status != TUMBLE_OK) {
        return status;
    }
    *f = (tmb_first){.query = query, .options = options, .free = INFINITY, .touching = INFINITY};
    f->scratch = tmb_first_scratch_of(query);
    if (!f->scratch) {
        return TUMBLE_ERROR_MEMORY;
    }
    f->scratch->numbers.arena.context = query->context;
    f->deadline = options->budget_microseconds > 0 ? start + 1e-6 * options->budget_microseconds : INFINITY;
    for (int side = 0; side < 2; side++) {
        f->motions[side] = motions[side];
        f->moving[side].model = models[side];
        f->trees[side] = tmb_box_view_of(models[side]);
    }
    if (models[0]->radius > 0 || models[1]->radius > 0) {
        const double padding[2] = {0, 0};
        f->thick = tmb_thickness_of(models[0], &motions[0]->from, models[1], &motions[1]->from, padding);
    }
    f->is_exact = options->clearance == 0 && !f->thick.is_any && motions[0]->angle == 0 && motions[1]->angle == 0;
    return set_units(f, name);
}

/* ---- Results ---- */

static uint32_t polygon_of(const tmb_first *f, int side, uint32_t address)
{
    return tmb_model_polygon(f->moving[side].model, address);
}

void tmb_first_note(tmb_first *f, const tmb_first_pair *pair, double free, double touching)
{
    TMB_ASSERT(free <= touching);
    if (!f->found || touching < f->touching) {
        f->nearest[0] = pair->a.reference;
        f->nearest[1] = pair->b.reference;
        f->touching = touching;
    }
    f->free = tmb_lesser(f->free, free);
    f->found = 1;
}

tumble_near tmb_first_near(const tmb_first *f, uint32_t ta, uint32_t tb, const tmb_triangle_distance *d)
{
    tumble_near out = {polygon_of(f, 0, ta), polygon_of(f, 1, tb), 0, {0, 0, 0}, {0, 0, 0}};
    out.distance = tmb_scaled_nearest((tmb_scaled){d->scaled.digits, d->scaled.exponent + f->exponent});
    for (int k = 0; k < 3; k++) {
        out.point_a[k] = ldexp(d->points[0][k], f->exponent);
        out.point_b[k] = ldexp(d->points[1][k], f->exponent);
    }
    if (f->thick.is_any) {
        out.distance -= tmb_thickness_beside(&f->thick, 0, tmb_model_radius(f->moving[0].model, out.polygon_a),
                                             tmb_model_radius(f->moving[1].model, out.polygon_b));
    }
    out.distance = tmb_greater(out.distance, 0);
    return out;
}

/* The witness: where the triangles are at the time of contact. */
static tumble_near witness_of(tmb_first *f)
{
    double corners[2][3][3];
    tmb_triangle_distance d;
    for (int side = 0; side < 2; side++) {
        const tmb_placed at = tmb_placed_at(&f->moving[side], f->touching);
        tmb_first_corners(f, side, f->nearest[side], &at, corners[side]);
    }
    tmb_triangles_distance((const double(*)[3])corners[0], (const double(*)[3])corners[1], &d, &f->exact_tests);
    return tmb_first_near(f, f->nearest[0], f->nearest[1], &d);
}

static void report(tmb_first *f, double next, double start, tumble_first_contact_result *result)
{
    *result = (tumble_first_contact_result){.is_complete = !f->is_spent, .touching_at = INFINITY};
    const double free = tmb_lesser(f->free, next);
    result->answer = f->found ? TUMBLE_YES : f->is_spent ? TUMBLE_MAYBE : TUMBLE_NO;
    result->free_until = tmb_lesser(free, f->options->end);
    const tmb_scaled error = {8 * tmb_first_error(f, f->found ? f->touching : f->options->end), f->exponent};
    result->error = f->is_exact ? 0 : tmb_scaled_above(error);
    if (f->found) {
        result->touching_at = f->touching;
        result->witness = witness_of(f);
    }
    f->counters.exact_tests += f->exact_tests;
    f->counters.bytes_touched = f->counters.box_updates * sizeof(tmb_box_node);
    f->counters.seconds = tmb_seconds() - start;
    result->counters = f->counters;
}

tumble_status tumble_first_contact(tumble_query *query, const tumble_model *a, const tumble_motion *motion_a,
                                   const tumble_model *b, const tumble_motion *motion_b,
                                   const tumble_first_contact_options *options, tumble_first_contact_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const double start = tmb_seconds();
    const tumble_first_contact_options defaults = tumble_default_first_contact_options();
    const tumble_motion still = tumble_motion_still(NULL);
    const tumble_model *models[2] = {a, b};
    const tumble_motion *motions[2] = {motion_a ? motion_a : &still, motion_b ? motion_b : &still};
    tmb_first first;
    options = options ? options : &defaults;
    tumble_status status = tmb_first_begin(&first, "first_contact", query, models, motions, options, result, start);
    if (status == TUMBLE_OK) {
        const double next = tmb_first_run(&first);
        status = first.status;
        if (status == TUMBLE_OK) {
            report(&first, next, start, result);
        }
    }
    return tmb_query_end(query, status);
}
