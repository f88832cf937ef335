/* tumble_separate: the entry point. */
#include "separate/separate.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "tumble/ray.h"

tumble_separate_options tumble_default_separate_options(void)
{
    return (tumble_separate_options){.within = INFINITY, .budget_directions = 40};
}

static int has_direction(const tumble_separate_options *options)
{
    return tmb_largest_size(options->direction) > 0;
}

static tumble_status check_arguments(tumble_query *query, const tumble_model *models[2],
                                     const tumble_pose *const poses[2], const tumble_separate_options *options,
                                     const tumble_separate_result *result)
{
    tumble_context *context = query->context;
    if (!models[0] || !models[1]) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "separate: a model is null");
    }
    if (!result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "separate: the result is null");
    }
    if (!tmb_all_finite(options->direction, 3)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "separate: the direction is not finite");
    }
    if (!(options->within >= 0) || !(options->enough >= 0) || !(options->budget_microseconds >= 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "separate: `within`, `enough` or a budget is negative");
    }
    for (int side = 0; side < 2; side++) {
        const tumble_status status = tumble_pose_check(context, poses[side]);
        if (status != TUMBLE_OK) {
            return status;
        }
        if (models[side]->radius > 0) {
            return tmb_fail(context, TUMBLE_ERROR_UNSUPPORTED,
                            "separate: model %c has a radius; only models without one are parted", "AB"[side]);
        }
    }
    return TUMBLE_OK;
}

/* ---- Scratch memory ---- */

static void release_scratch(tumble_context *context, void *data)
{
    tmb_parting_scratch *scratch = data;
    for (int i = 0; i < 2; i++) {
        tmb_buffer_release(context, &scratch->heaps[i]);
        tmb_bigfloat_pool_release(&scratch->kept[i]);
    }
    tmb_buffer_release(context, &scratch->pairs);
    tmb_buffer_release(context, &scratch->vacant);
    tmb_bigfloat_pool_release(&scratch->numbers);
}

static tmb_parting_scratch *scratch_of(tumble_query *query)
{
    tmb_parting_scratch *scratch =
        tmb_query_scratch(query, TMB_SCRATCH_SEPARATE, sizeof(tmb_parting_scratch), release_scratch);
    if (scratch) {
        scratch->numbers.arena.context = query->context;
        scratch->kept[0].arena.context = scratch->kept[1].arena.context = query->context;
    }
    return scratch;
}

/* ---- Units ---- */

/* How much longer a pose makes vectors, at least and at most: the eigenvalues of its square are within the distance of
 * that from a multiple of the identity. */
static void set_stretch(const tumble_pose *pose, double *least, double *most)
{
    double m[3][3], square[3][3], size = 0, rest = 0;
    for (int i = 0; i < 3; i++) {
        size = tmb_greater(size, tmb_largest_size(pose->m[i]));
    }
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = pose->m[i / 3][i % 3] / size;
    }
    for (int i = 0; i < 9; i++) {
        const int j = i / 3, k = i % 3;
        square[j][k] = (m[0][j] * m[0][k] + m[1][j] * m[1][k]) + m[2][j] * m[2][k];
    }
    const double mean = (square[0][0] + square[1][1] + square[2][2]) / 3;
    for (int i = 0; i < 9; i++) {
        const double off = square[i / 3][i % 3] - (i / 3 == i % 3 ? mean : 0);
        rest += off * off;
    }
    const double spread = sqrt(rest) + 0x1p-48;
    *least = size * (sqrt(mean - spread) * (1 - 0x1p-48));
    *most = size * (sqrt(mean + spread) * (1 + 0x1p-48));
}

static tumble_status set_units(tmb_parting *p)
{
    double sum = 0, still = 0, own = 0;
    tmb_motion_size sizes[2];
    tumble_motion motions[2];
    for (int side = 0; side < 2; side++) {
        motions[side] = tumble_motion_still(p->poses[side]);
        sizes[side] = tmb_motion_size_of(p->models[side], &motions[side]);
        sum += sizes[side].still;
        own += sizes[side].own;
    }
    if (!(8 * sum < INFINITY)) {
        return tmb_fail(p->query->context, TUMBLE_ERROR_NOT_FINITE,
                        "separate: the models are too large, or moved beyond the range of doubles");
    }
    p->exponent = tmb_motion_unit(sum, (const tumble_motion *const[2]){&motions[0], &motions[1]});
    for (int side = 0; side < 2; side++) {
        const tmb_moving moving = tmb_moving_of(p->models[side], &motions[side], p->exponent);
        p->placed[side] = tmb_placed_at(&moving, 0);
        set_stretch(p->poses[side], &p->shrink[side], &p->stretch[side]);
        still += ldexp(sizes[side].still, -p->exponent);
    }
    p->error = 2 * still * TMB_PLACED_ROUNDING + 16 * (own + 1) * TMB_DOUBLE_LEAST;
    return TUMBLE_OK;
}

int tmb_parting_ends(tmb_parting *p)
{
    const uint64_t most = p->options->budget_box_tests;
    if (p->status != TUMBLE_OK || p->is_spent) {
        return 1;
    }
    if (tmb_watch_ends(p->query->watch)) {
        p->status = tmb_fail(p->query->context, TUMBLE_ERROR_CANCELLED, "the query was cancelled");
    }
    p->is_spent = (most && p->counters.box_tests + p->counters.primitive_tests >= most) ||
                  (p->deadline < INFINITY && tmb_seconds() >= p->deadline);
    return p->status != TUMBLE_OK || p->is_spent;
}

/* ---- The answer ---- */

#define LEAST_LOST (2 * TMB_DOUBLE_LEAST) /* more than what the products of a length lose below the normal doubles */

static void part_along_direction(tmb_parting *p, tumble_separate_result *r)
{
    const double *way = p->options->direction, most = tmb_largest_size(way);
    const double parts[3] = {way[0] / most, way[1] / most, way[2] / most};
    tmb_way_out out;
    tmb_part_along(p, way, p->options->within, &out);
    r->direction_count = 1;
    r->is_tight = out.found && out.is_tight;
    r->lower_along = out.below;
    r->lower = tmb_greater(out.below * most * (tmb_length(parts) * (1 - 0x1p-50)) - LEAST_LOST, 0);
    if (out.found) {
        r->upper_along = out.above;
        r->upper = out.length;
        r->pose_b = out.pose;
        memcpy(r->translation, out.translation, sizeof r->translation);
        memcpy(r->normal, out.normal, sizeof r->normal);
        r->lower = tmb_lesser(r->lower, r->upper);
    }
    if (out.found && out.has_last) {
        r->last =
            (tumble_pair){tmb_model_polygon(p->models[0], out.last[0]), tmb_model_polygon(p->models[1], out.last[1])};
    }
}

/* What they are before the move; whether that is all that was asked for. */
static tumble_status relate(tmb_parting *p, tumble_separate_result *r, int *is_answered)
{
    tumble_relation_result before;
    const tumble_status status = tumble_relate(p->query, p->models[0], p->poses[0], p->models[1], p->poses[1], &before);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_counters_add(&p->counters, &before.counters);
    r->relation = before.relation;
    if (!has_direction(p->options) && !(before.closed_a && before.closed_b)) {
        return tmb_fail(p->query->context, TUMBLE_ERROR_UNSUPPORTED,
                        "separate: model %c is open, so it has no inside: give a direction to part them along",
                        before.closed_a ? 'B' : 'A');
    }
    *is_answered = before.relation == TUMBLE_RELATION_APART ||
                   (before.relation == TUMBLE_RELATION_TOUCHING && p->options->touching);
    return TUMBLE_OK;
}

static tumble_status answer(tmb_parting *p, tumble_separate_result *r)
{
    int is_answered = 0;
    *r = (tumble_separate_result){.upper = INFINITY,
                                  .upper_along = INFINITY,
                                  .pose_b = *p->poses[1],
                                  .last = {TUMBLE_NO_POLYGON, TUMBLE_NO_POLYGON}};
    const tumble_status status = relate(p, r, &is_answered);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (is_answered) {
        r->upper = r->upper_along = 0;
        r->is_tight = true;
    } else if (has_direction(p->options)) {
        part_along_direction(p, r);
    } else {
        tmb_part_anywhere(p, r);
    }
    r->is_complete = !p->is_spent;
    const double within = p->options->within;
    r->answer = r->upper < INFINITY && r->upper <= within ? TUMBLE_YES : r->lower > within ? TUMBLE_NO : TUMBLE_MAYBE;
    return p->status;
}

tumble_status tumble_separate(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                              const tumble_model *b, const tumble_pose *pose_b, const tumble_separate_options *options,
                              tumble_separate_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const double start = tmb_seconds();
    const tumble_separate_options defaults = tumble_default_separate_options();
    const tumble_pose identity = tumble_pose_identity();
    tmb_parting p = {.query = query,
                     .options = options ? options : &defaults,
                     .models = {a, b},
                     .poses = {pose_a ? pose_a : &identity, pose_b ? pose_b : &identity}};
    tumble_status status = check_arguments(query, p.models, p.poses, p.options, result);
    if (status == TUMBLE_OK) {
        p.scratch = scratch_of(query);
        p.deadline = p.options->budget_microseconds > 0 ? start + 1e-6 * p.options->budget_microseconds : INFINITY;
        p.trees[0] = tmb_box_view_of(a);
        p.trees[1] = tmb_box_view_of(b);
        status = p.scratch ? set_units(&p) : TUMBLE_ERROR_MEMORY;
    }
    if (status == TUMBLE_OK) {
        status = answer(&p, result);
    }
    if (status == TUMBLE_OK) {
        result->counters = p.counters;
        result->counters.seconds = tmb_seconds() - start;
    }
    return tmb_query_end(query, status);
}
