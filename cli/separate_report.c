/* What `tumble separate` says. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "separate.h"

/* ---- what is known ---- */

static int needs_no_move(const tumble_separate_result *result)
{
    return result->upper == 0;
}

static int has_move(const tumble_separate_result *result)
{
    return result->upper > 0 && isfinite(result->upper);
}

tumble_answer cli_separate_answer(const cli_separate_run *run, const tumble_separate_result *result)
{
    const int touches = result->relation == TUMBLE_RELATION_TOUCHING && !run->options.touching;
    const int overlaps = result->relation == TUMBLE_RELATION_CROSSING || result->relation == TUMBLE_RELATION_A_IN_B ||
                         result->relation == TUMBLE_RELATION_B_IN_A;
    return needs_no_move(result) ? TUMBLE_NO : touches || overlaps || result->lower > 0 ? TUMBLE_YES : TUMBLE_MAYBE;
}

size_t cli_separate_worst(const cli_separate_run *run)
{
    const size_t count = run->common.two.path.count;
    size_t worst = count;
    for (size_t i = 0; i < count; i++) {
        if (!needs_no_move(&run->steps[i]) && (worst == count || run->steps[i].upper > run->steps[worst].upper)) {
            worst = i;
        }
    }
    return worst;
}

cli_word cli_separate_depth(const tumble_separate_result *result)
{
    cli_word word, lower;
    snprintf(word.text, sizeof word.text, "%.6g", result->upper);
    snprintf(lower.text, sizeof lower.text, "%.6g", result->lower);
    if (!isfinite(result->upper)) {
        snprintf(word.text, sizeof word.text, "at least %.6g", result->lower);
    } else if (strcmp(word.text, lower.text) != 0) {
        snprintf(word.text, sizeof word.text, "%.6g to %.6g", result->lower, result->upper);
    }
    return word;
}

/* ---- JSON ---- */

static void json_move(cli_json *json, const tumble_separate_result *result)
{
    static const char *const keys[] = {"translation", "normal", "polygon_a", "polygon_b"};
    const int has_last = result->last.polygon_a != UINT32_MAX;
    if (has_move(result)) {
        cli_json_point(json, keys[0], result->translation);
    } else {
        cli_json_null(json, keys[0]);
    }
    if (has_move(result) && has_last) {
        cli_json_point(json, keys[1], result->normal);
        cli_json_whole(json, keys[2], result->last.polygon_a);
        cli_json_whole(json, keys[3], result->last.polygon_b);
        return;
    }
    for (int i = 1; i < 4; i++) {
        cli_json_null(json, keys[i]);
    }
}

/* The point that proves the lower bound, or what is known along the direction. */
static void json_proof(cli_json *json, const cli_separate_run *run)
{
    const tumble_separate_result *result = &run->result;
    if (run->settings.along) {
        cli_json_real(json, "lower_along", result->lower_along);
        cli_json_real(json, "upper_along", result->upper_along);
        cli_json_bool(json, "tight", result->is_tight);
    } else if (result->lower > 0) {
        cli_json_point(json, "deepest", result->deepest);
        cli_json_real(json, "depth_a", result->depth_a);
        cli_json_real(json, "depth_b", result->depth_b);
    } else {
        cli_json_null(json, "deepest");
        cli_json_null(json, "depth_a");
        cli_json_null(json, "depth_b");
    }
}

void cli_separate_json(const cli_separate_run *run, size_t step)
{
    static const char *const answers[] = {"no", "yes", "maybe"};
    const tumble_separate_result *result = &run->result;
    cli_json json;
    cli_json_begin_answer(&json, &run->common.report, step);
    cli_json_text(&json, "relation", tumble_relation_name(result->relation));
    cli_json_real(&json, "lower", result->lower);
    cli_json_real(&json, "upper", result->upper);
    json_move(&json, result);
    json_proof(&json, run);
    if (isfinite(run->settings.within)) {
        cli_json_text(&json, "within", answers[result->answer]);
    }
    cli_json_bool(&json, "complete", result->is_complete);
    cli_json_whole(&json, "directions", result->direction_count);
    cli_json_end_answer(&json, &run->common.report, &result->counters);
}

/* ---- text for one pose ---- */

static const char *goal(const cli_separate_run *run)
{
    return run->options.touching ? "parts them or lets them touch" : "parts them";
}

static void print_no_move(const cli_separate_run *run, const tumble_separate_result *result)
{
    const cli_pair_report *report = &run->common.report;
    const char *a = report->two->names[0], *b = report->two->names[1];
    fprintf(report->file, "%s and %s: %s. ", a, b, tumble_relation_name(result->relation));
    if (needs_no_move(result)) {
        fputs("No move is needed.\n", report->file);
    } else if (result->answer == TUMBLE_NO) {
        fprintf(report->file, "No move of at most %.6g %s.\n", run->settings.within, goal(run));
    } else {
        fprintf(report->file, "No move was found; one that %s is at least %.6g long.\n", goal(run), result->lower);
    }
}

static void print_move(const cli_separate_run *run, const tumble_separate_result *result)
{
    const cli_pair_report *report = &run->common.report;
    FILE *file = report->file;
    fprintf(file, "%s and %s: %s. Moving %s by %s, which is %.6g long, %s.\n", report->two->names[0],
            report->two->names[1], tumble_relation_name(result->relation), report->two->names[1],
            cli_format_point(result->translation).text, result->upper, goal(run));
    if (run->settings.along) {
        fprintf(file, "This is %sthe shortest move along that direction.\n", result->is_tight ? "" : "nearly ");
    } else {
        fprintf(file, "The shortest move is %s long.\n", cli_separate_depth(result).text);
    }
    if (result->last.polygon_a != UINT32_MAX) {
        fprintf(file, "Polygon %" PRIu32 " of the first and polygon %" PRIu32 " of the second touch last.\n",
                result->last.polygon_a, result->last.polygon_b);
    }
}

static int print_answer(const cli_separate_run *run)
{
    const tumble_separate_result *result = &run->steps[0];
    (has_move(result) ? print_move : print_no_move)(run, result);
    if (!result->is_complete) {
        fputs("The budget was spent before all was known.\n", run->common.report.file);
    }
    return cli_print_stats(&run->common.report, &result->counters);
}

/* ---- text for a path ---- */

static void add_polygon(cli_table *table, uint32_t polygon, int is_known)
{
    if (is_known) {
        cli_table_add(table, "%" PRIu32, polygon);
    } else {
        cli_table_add(table, "%s", "");
    }
}

static void add_step(cli_table *table, const tumble_separate_result *result, size_t step)
{
    const int moves = has_move(result), has_last = moves && result->last.polygon_a != UINT32_MAX;
    cli_table_add(table, "%zu", step);
    cli_table_add(table, "%s", tumble_relation_name(result->relation));
    cli_table_add(table, "%s", needs_no_move(result) ? "" : cli_separate_depth(result).text);
    cli_table_add(table, "%s", moves ? cli_format_point(result->translation).text : "");
    add_polygon(table, result->last.polygon_a, has_last);
    add_polygon(table, result->last.polygon_b, has_last);
}

static int print_steps(const cli_separate_run *run)
{
    static const char *const titles[] = {"step", "relation", "depth", "move of B", "polygon of A", "polygon of B"};
    const cli_pair_report *report = &run->common.report;
    const size_t count = report->two->path.count;
    const double limit = run->common.options.output.limit;
    const size_t shown = limit < (double)count ? (size_t)limit : count;
    cli_table table = {.alignments = "rlrlrr"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        cli_table_add(&table, "%s", titles[i]);
    }
    for (size_t i = 0; i < shown; i++) {
        add_step(&table, &run->steps[i], i);
    }
    fputc('\n', report->file);
    const int error = cli_table_print(&table, report->file, 2);
    if (!error && shown < count) {
        fprintf(report->file, "  ... and %s\n", cli_format_number_of(count - shown, "step more", "steps more").text);
    }
    return error;
}

static int print_path(const cli_separate_run *run)
{
    const cli_pair_report *report = &run->common.report;
    const size_t count = report->two->path.count, worst = cli_separate_worst(run);
    const char *a = report->two->names[0], *b = report->two->names[1];
    const cli_word poses = cli_format_number_of(count, "pose", "poses");
    size_t moves = 0;
    for (size_t i = 0; i < count; i++) {
        moves += !needs_no_move(&run->steps[i]);
    }
    if (moves == 0) {
        fprintf(report->file, "%s and %s need no move at any of %s.\n", a, b, poses.text);
    } else {
        fprintf(report->file, "%s and %s must be parted at %zu of %s, deepest at step %zu: %s.\n", a, b, moves,
                poses.text, worst, cli_separate_depth(&run->steps[worst]).text);
    }
    const int error = print_steps(run);
    return error || !report->stats
               ? error
               : cli_print_all_counters(report->file, &run->steps->counters, sizeof *run->steps, count);
}

int cli_separate_text(const cli_separate_run *run)
{
    return run->common.report.along_path ? print_path(run) : print_answer(run);
}
