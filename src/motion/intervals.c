/* All contacts: the first one, then steps of the tolerance until there is none, then the next first one. Along a path,
 * that is done piece by piece; a contact that goes on from one to the next is one. */
#include <math.h>

#include "base/clock.h"
#include "motion/first.h"
#include "motion/path.h"

tumble_contact_intervals_options tumble_default_contact_intervals_options(void)
{
    return (tumble_contact_intervals_options){.tolerance = 1e-3};
}

typedef struct search {
    tumble_query *query;
    const tumble_model *models[2];
    const tmb_way *way;
    const tumble_contact_intervals_options *options;
    double start;

    size_t piece; /* that is looked at: its motions, and the tolerance as a part of it */
    const tumble_motion *motions[2];
    double tolerance;

    size_t count;
    double error;
    int is_spent;
    double decided; /* in times of the path */
    tumble_counters counters;
} search;

static tumble_status check_arguments(tumble_query *query, const tumble_contact_intervals_options *options,
                                     const tumble_contact_intervals_result *result)
{
    if (!result) {
        return tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "contact_intervals: the result is null");
    }
    if (!(options->budget_microseconds >= 0)) {
        return tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "contact_intervals: a budget is negative");
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

/* Whether the budget is; what follows the time of the piece is then undecided. */
static int is_spent(search *s, double time)
{
    const tumble_contact_intervals_options *o = s->options;
    const uint64_t tests = s->counters.box_tests + s->counters.primitive_tests;
    if ((o->budget_box_tests && tests >= o->budget_box_tests) ||
        (o->budget_microseconds > 0 && 1e6 * (tmb_seconds() - s->start) >= o->budget_microseconds)) {
        s->is_spent = 1;
        s->decided = tmb_way_time(s->way, s->piece, time, -1);
    }
    return s->is_spent;
}

/* From the begin of a contact to its end, in times of the piece. */
static tumble_status follow(search *s, tumble_contact_interval *interval)
{
    bool touch = true;
    tumble_status status = TUMBLE_OK;
    interval->touching_until = interval->free_from = interval->touching_at;
    while (status == TUMBLE_OK && touch && interval->free_from < 1 && !is_spent(s, interval->touching_until)) {
        const double next = interval->touching_until + s->tolerance;
        interval->free_from =
            next < 1 ? (next > interval->touching_until ? next : nextafter(interval->touching_until, 1)) : 1;
        status = touch_at(s, interval->free_from, &touch);
        interval->touching_until = touch ? interval->free_from : interval->touching_until;
    }
    return status;
}

static tumble_status append(search *s, const tumble_contact_interval *interval)
{
    tmb_first_scratch *scratch = tmb_first_scratch_of(s->query);
    return scratch &&
                   tmb_buffer_append(s->query->context, &scratch->intervals, &s->count, interval, 1, sizeof *interval)
               ? TUMBLE_OK
               : tmb_fail_memory(s->query->context, "intervals of contact");
}

/* In times of the path. A contact that goes on, as the error has it or on the next piece, where another one has just
 * ended prolongs that. */
static tumble_status store(search *s, const tumble_contact_interval *in_piece)
{
    const tumble_contact_interval interval = {tmb_way_time(s->way, s->piece, in_piece->free_until, -1),
                                              tmb_way_time(s->way, s->piece, in_piece->touching_at, 0),
                                              tmb_way_time(s->way, s->piece, in_piece->touching_until, 0),
                                              tmb_way_time(s->way, s->piece, in_piece->free_from, 1), in_piece->pair};
    tumble_contact_interval *last = s->count > 0 ? tmb_first_scratch_of(s->query)->intervals.data : NULL;
    last = last ? last + s->count - 1 : NULL;
    if (last && interval.free_until <= last->free_from) {
        last->touching_until = interval.touching_until;
        last->free_from = interval.free_from;
        return TUMBLE_OK;
    }
    return append(s, &interval);
}

/* The next contact of the piece from a time on: `*time` becomes when it ends, or 2 when there is none. */
static tumble_status find_next(search *s, double *time)
{
    tumble_first_contact_options options = tumble_default_first_contact_options();
    tumble_first_contact_result first;
    const tumble_contact_intervals_options *o = s->options;
    options.clearance = o->clearance;
    options.tolerance = s->tolerance;
    options.begin = *time;
    options.budget_microseconds =
        o->budget_microseconds > 0 ? fmax(o->budget_microseconds - 1e6 * (tmb_seconds() - s->start), 1e-3) : 0;
    options.budget_box_tests =
        o->budget_box_tests ? o->budget_box_tests - (s->counters.box_tests + s->counters.primitive_tests) : 0;
    tumble_status status =
        tumble_first_contact(s->query, s->models[0], s->motions[0], s->models[1], s->motions[1], &options, &first);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_counters_add(&s->counters, &first.counters);
    s->error = first.error > s->error ? first.error : s->error;
    if (!first.is_complete) {
        s->is_spent = 1;
        s->decided = tmb_way_time(s->way, s->piece, first.free_until, -1);
    }
    if (first.answer != TUMBLE_YES || s->is_spent) {
        *time = 2;
        return TUMBLE_OK;
    }
    tumble_contact_interval interval = {.free_until = first.free_until,
                                        .touching_at = first.touching_at,
                                        .pair = {first.witness.polygon_a, first.witness.polygon_b}};
    status = follow(s, &interval);
    *time = interval.touching_until < 1 ? interval.free_from : 2;
    return status == TUMBLE_OK ? store(s, &interval) : status;
}

static tumble_status take_piece(search *s, size_t i)
{
    s->piece = i;
    s->tolerance = s->options->tolerance / (tmb_way_begin(s->way, i + 1) - tmb_way_begin(s->way, i));
    for (int side = 0; side < 2; side++) {
        s->motions[side] = tmb_way_motion(s->way, i, side);
    }
    return s->tolerance >= TUMBLE_MOTION_LEAST_TOLERANCE
               ? TUMBLE_OK
               : tmb_fail(s->query->context, TUMBLE_ERROR_ARGUMENT,
                          "contact_intervals: the tolerance %g is too small: a contact takes a query for each step of "
                          "it; give at least %g of each motion",
                          s->options->tolerance, TUMBLE_MOTION_LEAST_TOLERANCE);
}

static tumble_status search_all(search *s)
{
    tumble_status status = TUMBLE_OK;
    s->decided = tmb_way_begin(s->way, s->way->count);
    for (size_t i = 0; i < s->way->count && status == TUMBLE_OK && !s->is_spent; i++) {
        status = take_piece(s, i);
        for (double time = 0; time <= 1 && status == TUMBLE_OK && !s->is_spent && !is_spent(s, time);) {
            status = find_next(s, &time);
        }
    }
    return status;
}

static void report(search *s, tumble_contact_intervals_result *result)
{
    const tumble_contact_interval *all = s->count > 0 ? tmb_first_scratch_of(s->query)->intervals.data : NULL;
    for (size_t i = 0; i < s->count && i < s->options->interval_capacity; i++) {
        s->options->intervals[i] = all[i];
    }
    s->counters.seconds = tmb_seconds() - s->start;
    *result = (tumble_contact_intervals_result){.is_complete = !s->is_spent,
                                                .interval_count = s->count,
                                                .intervals = all,
                                                .decided_until = s->decided,
                                                .error = s->error,
                                                .counters = s->counters};
}

tumble_status tumble_path_contact_intervals(tumble_query *query, const tumble_model *a, const tumble_path *path_a,
                                            const tumble_model *b, const tumble_path *path_b,
                                            const tumble_contact_intervals_options *options,
                                            tumble_contact_intervals_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_contact_intervals_options defaults = tumble_default_contact_intervals_options();
    tmb_way way;
    search s = {.query = query,
                .models = {a, b},
                .way = &way,
                .options = options ? options : &defaults,
                .start = tmb_seconds()};
    tumble_status status = check_arguments(query, s.options, result);
    status = status == TUMBLE_OK ? tmb_way_of(query->context, path_a, path_b, &way) : status;
    status = status == TUMBLE_OK ? search_all(&s) : status;
    if (status == TUMBLE_OK) {
        report(&s, result);
    }
    return tmb_query_end(query, status);
}

tumble_status tumble_contact_intervals(tumble_query *query, const tumble_model *a, const tumble_motion *motion_a,
                                       const tumble_model *b, const tumble_motion *motion_b,
                                       const tumble_contact_intervals_options *options,
                                       tumble_contact_intervals_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_path paths[2] = {{.pieces = motion_a, .piece_count = 1}, {.pieces = motion_b, .piece_count = 1}};
    return tumble_path_contact_intervals(query, a, motion_a ? &paths[0] : NULL, b, motion_b ? &paths[1] : NULL, options,
                                         result);
}
