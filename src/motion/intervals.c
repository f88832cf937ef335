/* All contacts: the first one, then steps of the tolerance until there is none, then the next first one. */
#include <math.h>

#include "base/clock.h"
#include "motion/first.h"

tumble_contact_intervals_options tumble_default_contact_intervals_options(void)
{
    return (tumble_contact_intervals_options){.tolerance = 1e-3};
}

typedef struct search {
    tumble_query *query;
    const tumble_model *models[2];
    const tumble_motion *motions[2];
    const tumble_contact_intervals_options *options;
    size_t count;
    double error;
    tumble_counters counters;
} search;

static tumble_status check_arguments(tumble_query *query, const tumble_contact_intervals_options *options,
                                     const tumble_contact_intervals_result *result)
{
    if (!result) {
        return tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "contact_intervals: the result is null");
    }
    if (!(options->tolerance >= TUMBLE_MOTION_LEAST_TOLERANCE)) {
        return tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT,
                        "contact_intervals: the tolerance %g is too small: a contact takes a query for each step of "
                        "it; give at least %g",
                        options->tolerance, TUMBLE_MOTION_LEAST_TOLERANCE);
    }
    return options->interval_capacity && !options->intervals
               ? tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT,
                          "contact_intervals: a capacity is given without an array")
               : TUMBLE_OK;
}

/* Whether they are in contact at a time: rounded poses do, as the error has room for them. */
static tumble_status touch_at(search *s, double time, bool *touch)
{
    const tumble_pose poses[2] = {tumble_motion_pose(s->motions[0], time), tumble_motion_pose(s->motions[1], time)};
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result result;
    options.mode = TUMBLE_TEST;
    options.clearance = s->options->clearance;
    options.coherence = TUMBLE_COHERENCE_PAIR;
    const tumble_status status =
        tumble_collide(s->query, s->models[0], &poses[0], s->models[1], &poses[1], &options, &result);
    if (status == TUMBLE_OK) {
        *touch = result.collide;
        tmb_counters_add(&s->counters, &result.counters);
    }
    return status;
}

/* From the begin of a contact to its end. */
static tumble_status follow(search *s, tumble_contact_interval *interval)
{
    bool touch = true;
    tumble_status status = TUMBLE_OK;
    interval->touching_until = interval->free_from = interval->touching_at;
    while (status == TUMBLE_OK && touch && interval->free_from < 1) {
        const double next = interval->touching_until + s->options->tolerance;
        interval->free_from =
            next < 1 ? (next > interval->touching_until ? next : nextafter(interval->touching_until, 1)) : 1;
        status = touch_at(s, interval->free_from, &touch);
        interval->touching_until = touch ? interval->free_from : interval->touching_until;
    }
    return status;
}

static tumble_status store(search *s, const tumble_contact_interval *interval)
{
    tmb_first_scratch *scratch = tmb_first_scratch_of(s->query);
    if (!scratch ||
        !tmb_buffer_append(s->query->context, &scratch->intervals, &s->count, interval, 1, sizeof *interval)) {
        return tmb_fail_memory(s->query->context, "intervals of contact");
    }
    if (s->count <= s->options->interval_capacity) {
        s->options->intervals[s->count - 1] = *interval;
    }
    return TUMBLE_OK;
}

/* The next contact from a time on: `*time` becomes when it ends, or 2 when there is none. A contact that goes on, as
 * the error has it, where another one has just ended prolongs that. */
static tumble_status find_next(search *s, double *time)
{
    tumble_first_contact_options options = tumble_default_first_contact_options();
    tumble_first_contact_result first;
    options.clearance = s->options->clearance;
    options.tolerance = s->options->tolerance;
    options.begin = *time;
    tumble_status status =
        tumble_first_contact(s->query, s->models[0], s->motions[0], s->models[1], s->motions[1], &options, &first);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_counters_add(&s->counters, &first.counters);
    s->error = first.error > s->error ? first.error : s->error;
    if (first.answer != TUMBLE_YES) {
        *time = 2;
        return TUMBLE_OK;
    }
    tumble_contact_interval interval = {.free_until = first.free_until,
                                        .touching_at = first.touching_at,
                                        .pair = {first.witness.polygon_a, first.witness.polygon_b}};
    status = follow(s, &interval);
    tumble_contact_interval *all = s->count > 0 ? tmb_first_scratch_of(s->query)->intervals.data : NULL;
    if (all && interval.free_until <= all[s->count - 1].free_from) {
        interval.free_until = all[s->count - 1].free_until;
        interval.touching_at = all[s->count - 1].touching_at;
        interval.pair = all[s->count - 1].pair;
        s->count--;
    }
    *time = interval.touching_until < 1 ? interval.free_from : 2;
    return status == TUMBLE_OK ? store(s, &interval) : status;
}

tumble_status tumble_contact_intervals(tumble_query *query, const tumble_model *a, const tumble_motion *motion_a,
                                       const tumble_model *b, const tumble_motion *motion_b,
                                       const tumble_contact_intervals_options *options,
                                       tumble_contact_intervals_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const double start = tmb_seconds();
    const tumble_contact_intervals_options defaults = tumble_default_contact_intervals_options();
    const tumble_motion still = tumble_motion_still(NULL);
    search s = {.query = query,
                .models = {a, b},
                .motions = {motion_a ? motion_a : &still, motion_b ? motion_b : &still},
                .options = options ? options : &defaults};
    tumble_status status = check_arguments(query, s.options, result);
    for (double time = 0; time <= 1 && status == TUMBLE_OK;) {
        status = find_next(&s, &time);
    }
    if (status == TUMBLE_OK) {
        s.counters.seconds = tmb_seconds() - start;
        *result = (tumble_contact_intervals_result){
            .interval_count = s.count,
            .intervals = s.count > 0 ? tmb_first_scratch_of(query)->intervals.data : NULL,
            .error = s.error,
            .counters = s.counters};
    }
    return tmb_query_end(query, status);
}
