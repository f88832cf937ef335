/* Contacts along a path, also between its poses. */
#include "continuous.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "message.h"

int cli_continuous_begin(cli_continuous *path, tumble_context *context, double clearance, double tolerance)
{
    path->options = tumble_default_contact_intervals_options();
    path->options.clearance = clearance;
    path->options.tolerance = tolerance;
    const tumble_status status = tumble_query_create(context, &path->query);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, NULL);
}

void cli_continuous_end(cli_continuous *path)
{
    tumble_query_destroy(path->query);
    free(path->intervals);
}

/* A time of a piece of the path as one of the path, and not later or not earlier than it: what is proven to be free
 * stays proven. */
static double time_of_path(double offset, double time, double direction)
{
    const double sum = offset + time, rest = time - (sum - offset); /* exact: the offset is 0 or at least 1 */
    return rest != 0 && (rest < 0) == (direction < 0) ? nextafter(sum, direction) : sum;
}

/* A contact that goes on where the last one ends prolongs it. */
static int add(cli_continuous *path, const tumble_contact_interval *interval, double offset)
{
    tumble_contact_interval *last = path->count > 0 ? &path->intervals[path->count - 1] : NULL;
    const double free_until = time_of_path(offset, interval->free_until, -INFINITY),
                 free_from = time_of_path(offset, interval->free_from, INFINITY);
    if (last && free_until <= last->free_from) {
        last->touching_until = offset + interval->touching_until;
        last->free_from = free_from;
        return 0;
    }
    if (!path->intervals || path->count == path->capacity) {
        const size_t capacity = 2 * path->capacity + 16;
        tumble_contact_interval *room = realloc(path->intervals, capacity * sizeof *room);
        if (!room) {
            return cli_memory_error("the intervals");
        }
        path->intervals = room;
        path->capacity = capacity;
    }
    path->intervals[path->count++] = (tumble_contact_interval){
        free_until, offset + interval->touching_at, offset + interval->touching_until, free_from, interval->pair};
    return 0;
}

static void add_counters(tumble_counters *sum, const tumble_counters *more)
{
    sum->box_tests += more->box_tests;
    sum->box_updates += more->box_updates;
    sum->primitive_tests += more->primitive_tests;
    sum->exact_tests += more->exact_tests;
    sum->bytes_touched += more->bytes_touched;
    sum->seconds += more->seconds;
}

int cli_continuous_run(cli_continuous *path, const cli_two_models *two, const tumble_pose *pose_b, size_t step)
{
    const tumble_motion still = tumble_motion_still(&two->pose_a);
    tumble_motion motion;
    tumble_contact_intervals_result result;
    path->latest = TUMBLE_NO;
    if (step == 0) {
        path->previous = *pose_b;
        return 0;
    }
    tumble_status status = tumble_motion_between(two->context, &path->previous, pose_b, NULL, &motion);
    if (status != TUMBLE_OK) {
        return cli_library_error(two->context, status, NULL);
    }
    status =
        tumble_contact_intervals(path->query, two->models[0], &still, two->models[1], &motion, &path->options, &result);
    if (status != TUMBLE_OK) {
        return cli_query_error(path->query, status);
    }
    path->previous = *pose_b;
    path->latest = result.interval_count > 0 ? TUMBLE_YES : TUMBLE_NO;
    add_counters(&path->counters, &result.counters);
    for (size_t i = 0; result.intervals && i < result.interval_count; i++) {
        const int error = add(path, &result.intervals[i], (double)(step - 1));
        if (error) {
            return error;
        }
    }
    return 0;
}

void cli_continuous_json(const cli_pair_report *report, const cli_continuous *path)
{
    cli_json json = {.file = report->file};
    cli_json_open_object(&json, NULL);
    cli_json_inputs(&json, report->two);
    cli_json_bool(&json, "collide", path->count > 0);
    cli_json_open_array(&json, "intervals");
    for (size_t i = 0; i < path->count; i++) {
        const tumble_contact_interval *at = &path->intervals[i];
        cli_json_open_object(&json, NULL);
        cli_json_real(&json, "free_until", at->free_until);
        cli_json_real(&json, "touching_at", at->touching_at);
        cli_json_real(&json, "touching_until", at->touching_until);
        cli_json_real(&json, "free_from", at->free_from);
        cli_json_pair(&json, "pair", at->pair.polygon_a, at->pair.polygon_b);
        cli_json_close_object(&json);
    }
    cli_json_close_array(&json);
    cli_json_end_answer(&json, report, &path->counters);
}

static int print_intervals(const cli_pair_report *report, const cli_continuous *path)
{
    static const char *const titles[] = {"free until", "touching at",  "touching until",
                                         "free from",  "polygon of A", "polygon of B"};
    cli_table table = {.alignments = "rrrrrr"};
    const size_t shown = path->count < report->limit ? path->count : (size_t)report->limit;
    for (size_t i = 0; i < 6; i++) {
        cli_table_add(&table, "%s", titles[i]);
    }
    for (size_t i = 0; i < shown; i++) {
        const tumble_contact_interval *at = &path->intervals[i];
        cli_table_add(&table, "%.9g", at->free_until);
        cli_table_add(&table, "%.9g", at->touching_at);
        cli_table_add(&table, "%.9g", at->touching_until);
        cli_table_add(&table, "%.9g", at->free_from);
        cli_table_add(&table, "%" PRIu32, at->pair.polygon_a);
        cli_table_add(&table, "%" PRIu32, at->pair.polygon_b);
    }
    fputc('\n', report->file);
    const int error = cli_table_print(&table, report->file, 2);
    if (!error && shown < path->count) {
        fprintf(report->file, "  ... and %s more\n", cli_format_count(path->count - shown).text);
    }
    return error;
}

int cli_continuous_text(const cli_pair_report *report, const cli_continuous *path)
{
    const char *const *names = (const char *const *)report->two->names;
    const cli_word poses = cli_format_number_of(report->two->path.count, "pose", "poses");
    if (path->count == 0) {
        fprintf(report->file, "%s and %s are %s all along the path of %s.\n", names[0], names[1],
                path->options.clearance > 0 ? "farther apart than the clearance" : "free", poses.text);
    } else {
        fprintf(report->file, "%s and %s are %s %s along the path of %s.\n", names[0], names[1],
                path->options.clearance > 0 ? "within the clearance" : "in contact",
                path->count == 1 ? "once" : cli_format_number_of(path->count, "time", "times").text, poses.text);
    }
    const int error = path->count > 0 && report->limit > 0 ? print_intervals(report, path) : 0;
    return error ? error : cli_print_stats(report, &path->counters);
}
