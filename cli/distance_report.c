/* What `tumble distance` says. */
#include "distance_report.h"

#include <inttypes.h>
#include <math.h>

#include "load_options.h"

/* ---- what is known ---- */

static int has_pair(const tumble_distance_result *result)
{
    return result->answer == TUMBLE_YES;
}

/* Whether the distance is known only between two bounds, because of the errors that are allowed or of the budget. Those
 * of cylinders are proven, and a few roundings apart. */
static int is_rough(const tumble_distance_result *result)
{
    const double roundings = 1e-12 * result->nearest.distance;
    return has_pair(result) && result->lower < result->nearest.distance - roundings;
}

tumble_answer cli_distance_answer(const cli_near *near)
{
    const tumble_distance_result *result = &near->result;
    if (isfinite(near->options.within)) {
        return result->answer;
    }
    if (has_pair(result) && result->nearest.distance == 0) {
        return TUMBLE_YES;
    }
    return result->is_complete || result->lower > 0 ? TUMBLE_NO : TUMBLE_MAYBE;
}

size_t cli_closest_step(const tumble_distance_result *steps, size_t count)
{
    size_t closest = count;
    for (size_t i = 0; i < count; i++) {
        if (has_pair(&steps[i]) && (closest == count || steps[i].nearest.distance < steps[closest].nearest.distance)) {
            closest = i;
        }
    }
    return closest;
}

static cli_word format_number(double number)
{
    cli_word word = {""};
    cli_format_real(word.text, sizeof word.text, number);
    return word;
}

/* ---- JSON ---- */

static void json_near(cli_json *json, const tumble_near *near)
{
    cli_json_real(json, "distance", near->distance);
    cli_json_point(json, "point_a", near->point_a);
    cli_json_point(json, "point_b", near->point_b);
    cli_json_whole(json, "polygon_a", near->polygon_a);
    cli_json_whole(json, "polygon_b", near->polygon_b);
}

static void json_nothing(cli_json *json)
{
    static const char *const keys[] = {"distance", "point_a", "point_b", "polygon_a", "polygon_b"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        cli_json_null(json, keys[i]);
    }
}

static void json_pairs(cli_json *json, const cli_near *near)
{
    cli_json_whole(json, "pair_count", near->result.pair_count);
    cli_json_open_array(json, "pairs");
    for (size_t i = 0; i < near->pair_count; i++) {
        cli_json_open_object(json, NULL);
        json_near(json, &near->result.pairs[i]);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

void cli_distance_json(const cli_pair_report *report, const cli_near *near, size_t step)
{
    static const char *const answers[] = {"no", "yes", "maybe"};
    const tumble_distance_result *result = &near->result;
    cli_json json;
    cli_json_begin_answer(&json, report, step);
    if (has_pair(result)) {
        json_near(&json, &result->nearest);
    } else {
        json_nothing(&json);
    }
    if (isfinite(near->options.within)) {
        cli_json_text(&json, "within", answers[result->answer]);
    }
    cli_json_bool(&json, "complete", result->is_complete);
    cli_json_bounds(&json, result);
    if (near->options.want_pairs) {
        json_pairs(&json, near);
    }
    cli_json_end_answer(&json, report, &result->counters);
}

/* ---- text for one pose ---- */

static void print_where(FILE *file, const tumble_near *near)
{
    if (near->distance == 0) {
        fprintf(file, "polygon %" PRIu32 " of the first and polygon %" PRIu32 " of the second meet at %s",
                near->polygon_a, near->polygon_b, cli_format_point(near->point_a).text);
        return;
    }
    fprintf(file, "polygon %" PRIu32 " of the first at %s, polygon %" PRIu32 " of the second at %s", near->polygon_a,
            cli_format_point(near->point_a).text, near->polygon_b, cli_format_point(near->point_b).text);
}

static void print_no_pair(const cli_pair_report *report, const cli_near *near)
{
    FILE *file = report->file;
    const double within = near->options.within;
    const char *a = report->two->names[0], *b = report->two->names[1];
    if (near->result.answer == TUMBLE_NO && isfinite(within)) {
        fprintf(file, "%s and %s are farther than %s apart.\n", a, b, format_number(within).text);
    } else if (near->result.answer == TUMBLE_NO) {
        fprintf(file, "%s and %s are infinitely far apart: %s has no polygons.\n", a, b, cli_is_empty(near->a) ? a : b);
    } else if (isfinite(within)) {
        fprintf(file, "Maybe %s and %s are at most %s apart.\n", a, b, format_number(within).text);
    } else {
        fprintf(file, "How far apart %s and %s are is not known.\n", a, b);
    }
}

static void print_distance(const cli_pair_report *report, const tumble_distance_result *result)
{
    FILE *file = report->file;
    fprintf(file, "%s and %s ", report->two->names[0], report->two->names[1]);
    if (result->nearest.distance == 0) {
        fputs("intersect, their distance is 0: ", file);
    } else if (is_rough(result)) {
        fprintf(file, "are between %s and %s apart: ", format_number(result->lower).text,
                format_number(result->nearest.distance).text);
    } else {
        fprintf(file, "are %s apart: ", format_number(result->nearest.distance).text);
    }
    print_where(file, &result->nearest);
    fputs(".\n", file);
}

static void print_answer(const cli_pair_report *report, const cli_near *near)
{
    if (has_pair(&near->result)) {
        print_distance(report, &near->result);
    } else {
        print_no_pair(report, near);
    }
    if (!near->result.is_complete) {
        cli_print_proven(report->file, &near->result, !has_pair(&near->result));
    }
}

static int print_pairs(const cli_pair_report *report, const cli_near *near)
{
    FILE *file = report->file;
    const uint64_t total = near->result.pair_count;
    const int exact = near->options.relative_error == 0 && near->options.absolute_error == 0;
    fprintf(file, "\n%s %s:\n\n", cli_format_number_of(total, "pair of polygons is", "pairs of polygons are").text,
            exact ? "so close" : "so close, to within the errors");
    static const char *const titles[] = {"polygon of A", "polygon of B", "distance", "from", "to"};
    cli_table table = {.alignments = "rrrll"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        cli_table_add(&table, "%s", titles[i]);
    }
    for (size_t i = 0; i < near->pair_count; i++) {
        const tumble_near *pair = &near->result.pairs[i];
        cli_table_add(&table, "%" PRIu32, pair->polygon_a);
        cli_table_add(&table, "%" PRIu32, pair->polygon_b);
        cli_table_add(&table, "%.6g", pair->distance);
        cli_table_add(&table, "%s", cli_format_point(pair->point_a).text);
        cli_table_add(&table, "%s", cli_format_point(pair->point_b).text);
    }
    const int error = cli_table_print(&table, file, 2);
    if (total > near->pair_count) {
        fprintf(file, "  ... and %s: --limit %" PRIu64 " lists them all\n",
                cli_format_number_of(total - near->pair_count, "pair more", "pairs more").text, total);
    }
    return error;
}

int cli_distance_text(const cli_pair_report *report, const cli_near *near)
{
    print_answer(report, near);
    const int error = near->options.want_pairs && near->result.pair_count > 0 ? print_pairs(report, near) : 0;
    return error ? error : cli_print_stats(report, &near->result.counters);
}

/* ---- text for a path ---- */

cli_word cli_format_distance(const tumble_distance_result *result, double within)
{
    cli_word word;
    if (result->answer == TUMBLE_NO) {
        snprintf(word.text, sizeof word.text, isfinite(within) ? "more than %.6g" : "infinite", within);
    } else if (result->answer == TUMBLE_MAYBE || is_rough(result)) {
        const double upper = has_pair(result) ? result->nearest.distance : result->upper;
        snprintf(word.text, sizeof word.text, isfinite(upper) ? "%.6g to %.6g" : "at least %.6g", result->lower, upper);
    } else {
        snprintf(word.text, sizeof word.text, "%.6g", result->nearest.distance);
    }
    return word;
}

static void add_step(cli_table *table, const tumble_distance_result *result, double within, size_t step)
{
    cli_table_add(table, "%zu", step);
    cli_table_add(table, "%s", cli_format_distance(result, within).text);
    if (!has_pair(result)) {
        for (int i = 0; i < 4; i++) {
            cli_table_add(table, "%s", "");
        }
        return;
    }
    cli_table_add(table, "%" PRIu32, result->nearest.polygon_a);
    cli_table_add(table, "%" PRIu32, result->nearest.polygon_b);
    cli_table_add(table, "%s", cli_format_point(result->nearest.point_a).text);
    cli_table_add(table, "%s", cli_format_point(result->nearest.point_b).text);
}

static int print_steps(const cli_pair_report *report, const cli_near *near, const tumble_distance_result *steps,
                       size_t count)
{
    static const char *const titles[] = {"step", "distance", "polygon of A", "polygon of B", "from", "to"};
    cli_table table = {.alignments = "rrrrll"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        cli_table_add(&table, "%s", titles[i]);
    }
    for (size_t i = 0; i < count; i++) {
        add_step(&table, &steps[i], near->options.within, i);
    }
    fputc('\n', report->file);
    return cli_table_print(&table, report->file, 2);
}

/* When no distance was found at any step. */
static void print_nothing_found(const cli_pair_report *report, const cli_near *near,
                                const tumble_distance_result *steps, size_t count)
{
    FILE *file = report->file;
    const char *a = report->two->names[0], *b = report->two->names[1];
    const cli_word poses = cli_format_number_of(count, "pose", "poses");
    size_t far_apart = 0;
    for (size_t i = 0; i < count; i++) {
        far_apart += steps[i].answer == TUMBLE_NO;
    }
    if (far_apart < count) {
        fprintf(file, "%s and %s: no distance was found at any of %s.\n", a, b, poses.text);
    } else if (isfinite(near->options.within)) {
        fprintf(file, "%s and %s are farther than %s apart at all of %s.\n", a, b,
                format_number(near->options.within).text, poses.text);
    } else {
        fprintf(file, "%s and %s are infinitely far apart: %s has no polygons.\n", a, b, cli_is_empty(near->a) ? a : b);
    }
}

/* How often they intersect, or how close they come and where. */
static void print_summary(const cli_pair_report *report, const cli_near *near, const tumble_distance_result *steps,
                          size_t count)
{
    FILE *file = report->file;
    const size_t closest = cli_closest_step(steps, count);
    const cli_word poses = cli_format_number_of(count, "pose", "poses");
    size_t hits = 0, incomplete = 0;
    for (size_t i = 0; i < count; i++) {
        hits += has_pair(&steps[i]) && steps[i].nearest.distance == 0;
        incomplete += !steps[i].is_complete;
    }
    if (closest == count) {
        print_nothing_found(report, near, steps, count);
    } else if (hits) {
        fprintf(file, "%s and %s intersect at %zu of %s, first at step %zu.\n", report->two->names[0],
                report->two->names[1], hits, poses.text, closest);
    } else {
        fprintf(file, "%s and %s come closest at step %zu of %s: %s apart.\n", report->two->names[0],
                report->two->names[1], closest, poses.text,
                cli_format_distance(&steps[closest], near->options.within).text);
    }
    if (incomplete) {
        fprintf(file, "At %s the budget was spent before the distance was known.\n",
                cli_format_number_of(incomplete, "step", "steps").text);
    }
}

int cli_distance_text_path(const cli_pair_report *report, const cli_near *near, const tumble_distance_result *steps,
                           size_t count)
{
    print_summary(report, near, steps, count);
    const int error = print_steps(report, near, steps, count);
    return error || !report->stats ? error
                                   : cli_print_all_counters(report->file, &steps->counters, sizeof *steps, count);
}
