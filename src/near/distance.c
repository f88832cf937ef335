/* tumble_distance: the entry point of distance searches. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "math/bounds.h"
#include "near/list.h"
#include "near/near.h"

tumble_distance_options tumble_default_distance_options(void)
{
    return (tumble_distance_options){.within = INFINITY};
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_near_scratch *scratch = data;
    tmb_buffer *buffers[] = {&scratch->heap,   &scratch->stack, &scratch->walk, &scratch->lanes,    &scratch->found,
                             &scratch->listed, &scratch->sort,  &scratch->kept, &scratch->boxes[0], &scratch->boxes[1]};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
}

tmb_near_scratch *tmb_near_scratch_of(tumble_query *query)
{
    return tmb_query_scratch(query, TMB_SCRATCH_NEAR, sizeof(tmb_near_scratch), release_scratch);
}

static int is_amount(double x)
{
    return x >= 0 && x < INFINITY;
}

static tumble_status check_arguments(tumble_query *query, const tumble_model *a, const tumble_model *b,
                                     const tumble_distance_options *options, const tumble_distance_result *result)
{
    tumble_context *context = query->context;
    if (!a || !b) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "a model is null");
    }
    if (!result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "distance: the result is null");
    }
    if (!is_amount(options->relative_error) || !is_amount(options->absolute_error)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "distance: an error must be finite and not negative");
    }
    if (!(options->within >= 0) || !(options->enough >= 0) || !(options->budget_microseconds >= 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "distance: within, enough or a budget is negative");
    }
    if ((unsigned)options->coherence > TUMBLE_COHERENCE_ALL) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "distance: the coherence %d is unknown",
                        (int)options->coherence);
    }
    if ((options->pair_capacity && !options->pairs) || (options->undecided_capacity && !options->undecided)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "distance: a capacity is given without an array");
    }
    return options->tuning ? tmb_tuning_check_walk(context, options->tuning) : TUMBLE_OK;
}

/* The walks of single hierarchies. The others are compared by their boxes. */
static int (*const walks[])(tmb_near_search *search) = {
    [TUMBLE_HIERARCHY_BRUTE] = tmb_near_brute,
    [TUMBLE_HIERARCHY_WIDE] = tmb_near_wide,
#if !defined(TUMBLE_WIDE_ONLY)
    [TUMBLE_HIERARCHY_KDOP] = tmb_near_kdop,
#endif
};

/* 0 when the models have different hierarchies, or theirs has no walk that does for them. */
static int choose_own_walk(tmb_near_search *s)
{
    const uint32_t number = s->encounter.a->block->hierarchy;
    return number == s->encounter.b->block->hierarchy && number < sizeof walks / sizeof *walks && walks[number] &&
           walks[number](s);
}

/* That, or the one for all others. */
static void choose_walk(tmb_near_search *s)
{
    if (!choose_own_walk(s) && s->encounter.status == TUMBLE_OK) {
        (void)tmb_near_boxes(s);
    }
}

static void begin(tmb_near_search *s, tumble_query *query, const tumble_model *a, const tumble_model *b,
                  const tumble_distance_options *options, double start)
{
    memset(s, 0, sizeof *s);
    s->encounter = (tmb_encounter){.query = query, .a = a, .b = b};
    s->options = options;
    s->leaving = s->proven = -INFINITY;
    s->deadline = options->budget_microseconds > 0 ? start + 1e-6 * options->budget_microseconds : INFINITY;
    s->most_tests = options->budget_box_tests ? options->budget_box_tests : UINT64_MAX;
}

/* Points are also moved by A's pose. */
static tumble_status place(tmb_encounter *e, const tumble_pose *pose_a, const tumble_pose *pose_b)
{
    const tumble_status status = tmb_encounter_place(e, pose_a, pose_b);
    if (status == TUMBLE_OK && !tmb_encounter_a_stays_finite(e)) {
        return tmb_fail(e->query->context, TUMBLE_ERROR_NOT_FINITE,
                        "contacts become infinite when A's pose moves them");
    }
    return status;
}

static void set_limits(tmb_near_search *s)
{
    s->unit = s->encounter.has_pose_a ? tumble_pose_scale(&s->encounter.pose_a) : 1;
    s->within = tmb_limit_of(s->options->within, s->unit);
    s->enough = tmb_limit_of(s->options->enough, s->unit);
    s->absolute_error = tmb_limit_of(s->options->absolute_error, s->unit).below;
    if (s->encounter.thick.is_any) {
        tmb_near_set_thickness(s);
    }
    s->bound = s->within.above;
}

/* The distance found as a bound of itself. Where doubles lack digits for it, it is rounded outward. */
static double bound_by_value(tmb_near_search *s, double told, int is_upper)
{
    if (s->thickness > 0 || tmb_scaled_product(s->distance.scaled, s->unit).exponent == 0 ||
        (told == INFINITY && is_upper)) {
        return told;
    }
    if (told == INFINITY) {
        return DBL_MAX;
    }
    tmb_scaled own = tmb_scaled_quotient(told, s->unit);
    own.digits *= is_upper ? 1 : 1 - 2 * TMB_DOUBLE_ROUNDING;
    const int is_within = tmb_near_is_within(s, own);
    return is_within == is_upper ? told : nextafter(told, is_upper ? INFINITY : 0);
}

/* Whether it is less than a bound of all others. */
static int is_value_below(const tmb_near_search *s, double lower)
{
    TMB_ASSERT(s->found);
    return !(lower < INFINITY) || tmb_scaled_compare(s->distance.scaled, (tmb_scaled){lower, 0}) < 0;
}

/* What is proven of the distance: of what waits, of what was left out, and of what was being examined. */
static void report_bounds(tmb_near_search *s, tumble_distance_result *result)
{
    const int is_exact = s->options->relative_error == 0 && s->options->absolute_error == 0;
    const double least = tmb_near_least(s);
    if (!s->found && !s->is_spent) {
        result->lower = s->options->within;
        return;
    }
    double lower = s->bound < least ? s->bound : least;
    lower = s->leaving < lower ? s->leaving : lower;
    lower = s->proven > lower ? s->proven : lower;
    lower = s->found && !s->is_sharp && s->distance.lower < lower ? s->distance.lower : lower;
    lower = lower > 0 ? lower : 0;
    if (s->is_sharp && tmb_encounter_has_cylinders(&s->encounter)) {
        lower = fmin(lower, s->distance.lower);
        result->lower = tmb_near_less_thickness(s, tmb_length_below(lower, s->unit));
    } else {
        const int is_value = s->is_sharp && (is_value_below(s, lower) || (is_exact && !s->is_spent && !s->is_enough));
        result->lower = is_value ? bound_by_value(s, result->nearest.distance, 0)
                                 : tmb_near_less_thickness(s, tmb_length_below(lower, s->unit));
    }
    result->lower = result->lower > 0 ? result->lower : 0;
    const double deepest = s->is_spent ? tmb_near_less_thickness(s, tmb_length_below(least, s->unit)) : 0;
    result->penetration = deepest < 0 ? -deepest : 0;
}

static int compare_lower(const void *x, const void *y)
{
    const double a = ((const tmb_near_pair *)x)->lower, b = ((const tmb_near_pair *)y)->lower;
    return (a > b) - (a < b);
}

/* The pairs that wait and matter, the nearest first. */
static tumble_status report_undecided(tmb_near_search *s, tumble_distance_result *result)
{
    tumble_query *query = s->encounter.query;
    const tumble_distance_options *o = s->options;
    size_t count = 0;
    const size_t waiting = s->stack_count + s->heap_count;
    if (!tmb_buffer_reserve(query->context, &s->scratch->stack, waiting, sizeof *s->stack,
                            s->stack_count * sizeof *s->stack)) {
        return tmb_fail_memory(query->context, "the list of what is undecided");
    }
    s->stack = s->scratch->stack.data;
    if (s->heap_count) {
        memcpy(s->stack + s->stack_count, s->heap, s->heap_count * sizeof *s->heap);
    }
    for (size_t i = 0; i < waiting; i++) {
        if (s->stack[i].lower <= s->bound) {
            s->stack[count++] = s->stack[i];
        }
    }
    result->undecided_count = count;
    if (o->undecided_capacity) {
        qsort(s->stack, count, sizeof *s->stack, compare_lower);
    }
    for (size_t i = 0; i < count && i < o->undecided_capacity; i++) {
        s->walk.describe(s, &s->stack[i], &o->undecided[i]);
        o->undecided[i].lower = tmb_near_less_thickness(s, tmb_length_below(s->stack[i].lower, s->unit));
    }
    return TUMBLE_OK;
}

static tumble_status report(tmb_near_search *s, tumble_distance_result *result)
{
    const tmb_encounter *e = &s->encounter;
    result->answer = s->found ? TUMBLE_YES : s->is_spent ? TUMBLE_MAYBE : TUMBLE_NO;
    result->is_complete = !s->is_spent && e->status == TUMBLE_OK;
    if (s->found) {
        const int is_plain = s->distance.value > DBL_MIN && s->distance.value <= DBL_MAX;
        if (!s->is_spent || !(s->deadline < INFINITY) || !is_plain) { /* there is no time for it, else */
            tmb_near_sharpen(s);
        }
        result->nearest = tmb_near_nearest(s);
        const int is_value = s->is_sharp && !tmb_encounter_has_cylinders(&s->encounter);
        result->upper = is_value ? bound_by_value(s, result->nearest.distance, 1)
                                 : tmb_near_less_thickness(s, tmb_length_above(s->distance.upper, s->unit));
        result->upper = fmax(result->upper, result->nearest.distance);
    }
    report_bounds(s, result);
    result->lower = s->found && result->lower > result->upper ? result->upper : result->lower;
    return s->is_spent ? report_undecided(s, result) : TUMBLE_OK;
}

static void search(tmb_near_search *s)
{
    if (s->encounter.a->block->triangle_count == 0 || s->encounter.b->block->triangle_count == 0) {
        return;
    }
    tmb_near_run(s, choose_walk);
}

/* The second pass. */
static tumble_status list_pairs(const tmb_near_search *s, const tumble_pose *pose_b, tumble_distance_result *result)
{
    const tumble_distance_options *o = s->options;
    if (!o->want_pairs && !o->pair_capacity) {
        return TUMBLE_OK;
    }
    /* Where the errors lead beyond the largest double, pairs that are farther apart than that are not within them. */
    const double nearest = result->nearest.distance;
    const double most = fmin(nearest * (1 + o->relative_error) + o->absolute_error, DBL_MAX);
    const double limit = most < o->within ? most : o->within;
    size_t count;
    const tumble_status status =
        tmb_list_near(s->encounter.query, s->encounter.a, &s->encounter.pose_a, s->encounter.b, pose_b,
                      limit > nearest ? limit : nearest, o->tuning, &result->pairs, &count, &result->counters);
    result->pair_count = count;
    const size_t fitting = count < o->pair_capacity ? count : o->pair_capacity;
    if (fitting) {
        memcpy(o->pairs, result->pairs, fitting * sizeof *o->pairs);
    }
    return status;
}

static tumble_status find_distance(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                   const tumble_model *b, const tumble_pose *pose_b,
                                   const tumble_distance_options *options, tumble_distance_result *result)
{
    const double start = tmb_seconds();
    const tumble_distance_options defaults = tumble_default_distance_options();
    options = options ? options : &defaults;
    tumble_status status = check_arguments(query, a, b, options, result);
    if (status != TUMBLE_OK) {
        return status;
    }
    *result = (tumble_distance_result){.lower = INFINITY, .upper = INFINITY};
    tmb_near_search s;
    begin(&s, query, a, b, options, start);
    s.scratch = tmb_near_scratch_of(query);
    status = s.scratch ? place(&s.encounter, pose_a, pose_b) : TUMBLE_ERROR_MEMORY;
    if (status != TUMBLE_OK) {
        return status;
    }
    if (s.encounter.thick.is_any) {
        status =
            tmb_thickness_check(query->context, &s.encounter.thick, options->within < INFINITY ? options->within : 0);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    set_limits(&s);
    search(&s);
    status = report(&s, result);
    status = s.encounter.status != TUMBLE_OK ? s.encounter.status : status;
    result->counters = tmb_encounter_counters(&s.encounter, 0);
    if (status == TUMBLE_OK && result->is_complete && result->answer == TUMBLE_YES) {
        status = list_pairs(&s, pose_b, result);
    }
    result->counters.seconds = tmb_seconds() - start;
    return status;
}

tumble_status tumble_distance(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                              const tumble_model *b, const tumble_pose *pose_b, const tumble_distance_options *options,
                              tumble_distance_result *result)
{
    return query ? tmb_query_end(query, find_distance(query, a, pose_a, b, pose_b, options, result))
                 : TUMBLE_ERROR_ARGUMENT;
}
