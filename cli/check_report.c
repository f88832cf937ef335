/* What `tumble check` says. */
#include "check_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "json.h"
#include "message.h"
#include "report.h"

/* ---- JSON ---- */

static void json_contacts(cli_json *json, const cli_collide *collide)
{
    cli_json_open_array(json, "segments");
    for (size_t i = 0; i < collide->contact_count; i++) {
        const tumble_contact *contact = &collide->options.contacts[i];
        cli_json_open_object(json, NULL);
        cli_json_pair(json, "pair", contact->polygon_a, contact->polygon_b);
        cli_json_bool(json, "coplanar", contact->coplanar != 0);
        cli_json_open_array(json, "points");
        cli_json_point(json, NULL, contact->points[0]);
        cli_json_point(json, NULL, contact->points[1]);
        cli_json_close_array(json);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

static void json_name(cli_json *json, const char *name)
{
    if (name) {
        cli_json_text(json, NULL, name);
    } else {
        cli_json_null(json, NULL);
    }
}

static void json_surfaces(cli_json *json, const cli_check_report *report, const cli_collide *collide)
{
    cli_json_whole(json, "surface_pair_count", collide->result.surface_pair_count);
    cli_json_open_array(json, "surface_pairs");
    for (size_t i = 0; i < collide->surface_count; i++) {
        const tumble_surface_pair *pair = &collide->options.surface_pairs[i];
        const char *name_a = cli_surface_name(&report->surfaces[0], pair->surface_a);
        const char *name_b = cli_surface_name(&report->surfaces[1], pair->surface_b);
        cli_json_open_object(json, NULL);
        cli_json_pair(json, "pair", pair->surface_a, pair->surface_b);
        if (name_a || name_b) {
            cli_json_open_array(json, "names");
            json_name(json, name_a);
            json_name(json, name_b);
            cli_json_close_array(json);
        }
        cli_json_pair(json, "polygons", pair->polygon_a, pair->polygon_b);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
}

static void json_pairs(cli_json *json, const cli_collide *collide)
{
    cli_json_whole(json, "pair_count", collide->result.pair_count);
    cli_json_open_array(json, "pairs");
    for (size_t i = 0; i < collide->pair_count; i++) {
        cli_json_pair(json, NULL, collide->options.pairs[i].polygon_a, collide->options.pairs[i].polygon_b);
    }
    cli_json_close_array(json);
}

void cli_check_json(const cli_check_report *report, const cli_collide *collide, size_t step)
{
    cli_json json = {.file = report->file};
    cli_json_open_object(&json, NULL);
    if (report->along_path) {
        cli_json_whole(&json, "step", step);
    }
    cli_json_bool(&json, "collide", collide->result.collide);
    if (collide->options.want_surfaces) {
        json_surfaces(&json, report, collide);
    }
    if (collide->lists_pairs) {
        json_pairs(&json, collide);
    }
    if (collide->options.want_contacts) {
        json_contacts(&json, collide);
    }
    cli_json_text(&json, "hierarchy", report->hierarchy);
    cli_json_counters(&json, "stats", &collide->result.counters);
    cli_json_close_object(&json);
}

/* ---- text for one pose ---- */

static int print_pairs(const cli_check_report *report, const cli_collide *collide)
{
    cli_table table = {.alignments = "rr"};
    cli_table_add(&table, "polygon of A");
    cli_table_add(&table, "polygon of B");
    for (size_t i = 0; i < collide->pair_count; i++) {
        cli_table_add(&table, "%" PRIu32, collide->options.pairs[i].polygon_a);
        cli_table_add(&table, "%" PRIu32, collide->options.pairs[i].polygon_b);
    }
    return cli_table_print(&table, report->file, 2);
}

static void add_contact(cli_table *table, const tumble_contact *contact)
{
    const double *from = contact->points[0], *to = contact->points[1];
    const int is_point = from[0] == to[0] && from[1] == to[1] && from[2] == to[2];
    cli_table_add(table, "%" PRIu32, contact->polygon_a);
    cli_table_add(table, "%" PRIu32, contact->polygon_b);
    cli_table_add(table, "%s", contact->coplanar ? "in one plane" : is_point ? "point" : "segment");
    cli_table_add(table, "%s", cli_format_point(from).text);
    cli_table_add(table, "%s", contact->coplanar || is_point ? "" : cli_format_point(to).text);
}

static int print_contacts(const cli_check_report *report, const cli_collide *collide)
{
    cli_table table = {.alignments = "rrlll"};
    static const char *const titles[] = {"polygon of A", "polygon of B", "meet in", "from or at", "to"};
    for (size_t i = 0; i < 5; i++) {
        cli_table_add(&table, "%s", titles[i]);
    }
    for (size_t i = 0; i < collide->contact_count; i++) {
        add_contact(&table, &collide->options.contacts[i]);
    }
    return cli_table_print(&table, report->file, 2);
}

/* "surface 3 (lip)" */
static void print_surface(FILE *file, const cli_surfaces *surfaces, uint32_t surface)
{
    const cli_plain_name name = cli_plain_surface_name(surfaces, surface);
    fprintf(file, "surface %" PRIu32 "%s%s%s", surface, *name.text ? " (" : "", name.text, *name.text ? ")" : "");
}

static void print_example(const cli_check_report *report, const cli_collide *collide)
{
    FILE *file = report->file;
    const tumble_pair first = collide->result.first;
    if (collide->options.want_surfaces) {
        const cli_step step = cli_check_step(collide);
        fputs(", for example ", file);
        print_surface(file, &report->surfaces[0], step.first[0]);
        fputs(" of the first with ", file);
        print_surface(file, &report->surfaces[1], step.first[1]);
        fprintf(file, " of the second (polygons %" PRIu32 " and %" PRIu32 ")", first.polygon_a, first.polygon_b);
        return;
    }
    fprintf(file, ", for example polygon %" PRIu32 " of the first with polygon %" PRIu32 " of the second",
            first.polygon_a, first.polygon_b);
}

static int finds_all(const cli_collide *collide)
{
    return collide->options.mode == TUMBLE_COLLIDE_ALL || collide->options.mode == TUMBLE_COLLIDE_SURFACES;
}

static void print_answer(const cli_check_report *report, const cli_collide *collide)
{
    FILE *file = report->file;
    const tumble_collide_result *result = &collide->result;
    const char *verb = !result->collide ? "do not intersect" : "intersect";
    fprintf(file, "%s and %s %s", report->name_a, report->name_b, verb);
    if (result->collide && finds_all(collide)) {
        const char *joint = ": ";
        if (collide->options.want_surfaces) {
            fprintf(file, "%s%s", joint,
                    cli_format_number_of(result->surface_pair_count, "pair of surfaces", "pairs of surfaces").text);
            joint = ", ";
        }
        if (collide->lists_pairs) {
            fprintf(file, "%s%s", joint,
                    cli_format_number_of(result->pair_count, "pair of polygons", "pairs of polygons").text);
        }
    } else if (result->collide) {
        print_example(report, collide);
    }
    fputs(".\n", file);
}

static void print_hidden(const cli_check_report *report, uint64_t total, size_t listed)
{
    if (total > listed) {
        fprintf(report->file, "  ... and %s: --limit %" PRIu64 " lists them all\n",
                cli_format_number_of(total - listed, "pair more", "pairs more").text, total);
    }
}

/* Names take columns only where there are some. */
static int print_surfaces(const cli_check_report *report, const cli_collide *collide)
{
    const int named_a = report->surfaces[0].count > 0, named_b = report->surfaces[1].count > 0;
    cli_table table = {.alignments = named_a && named_b ? "rlrlrr" : named_a ? "rlrrr" : named_b ? "rrlrr" : "rrrr"};
    cli_table_add(&table, "surface of A");
    if (named_a) {
        cli_table_add(&table, "%s", "");
    }
    cli_table_add(&table, "surface of B");
    if (named_b) {
        cli_table_add(&table, "%s", "");
    }
    cli_table_add(&table, "by polygon of A");
    cli_table_add(&table, "polygon of B");
    for (size_t i = 0; i < collide->surface_count; i++) {
        const tumble_surface_pair *pair = &collide->options.surface_pairs[i];
        cli_table_add(&table, "%" PRIu32, pair->surface_a);
        if (named_a) {
            cli_table_add(&table, "%s", cli_plain_surface_name(&report->surfaces[0], pair->surface_a).text);
        }
        cli_table_add(&table, "%" PRIu32, pair->surface_b);
        if (named_b) {
            cli_table_add(&table, "%s", cli_plain_surface_name(&report->surfaces[1], pair->surface_b).text);
        }
        cli_table_add(&table, "%" PRIu32, pair->polygon_a);
        cli_table_add(&table, "%" PRIu32, pair->polygon_b);
    }
    return cli_table_print(&table, report->file, 2);
}

static int print_lists(const cli_check_report *report, const cli_collide *collide)
{
    int error = 0;
    if (finds_all(collide) && collide->surface_count > 0) {
        fputc('\n', report->file);
        error = print_surfaces(report, collide);
        print_hidden(report, collide->result.surface_pair_count, collide->surface_count);
    }
    const int has_list =
        collide->options.want_contacts ? collide->contact_count > 0 : finds_all(collide) && collide->pair_count > 0;
    if (!error && has_list) {
        fputc('\n', report->file);
        error = collide->options.want_contacts ? print_contacts(report, collide) : print_pairs(report, collide);
        print_hidden(report, collide->result.pair_count, collide->pair_count);
    }
    return error;
}

int cli_check_text(const cli_check_report *report, const cli_collide *collide)
{
    print_answer(report, collide);
    int error = print_lists(report, collide);
    if (!error && report->stats) {
        fputc('\n', report->file);
        error = cli_print_counters(report->file, &collide->result.counters);
    }
    return error;
}

/* ---- text for a path ---- */

static int compare_numbers(const void *one, const void *other)
{
    const double x = *(const double *)one, y = *(const double *)other;
    return (x > y) - (x < y);
}

int cli_step_times(const cli_step *steps, size_t count, double *median, double *worst)
{
    double *times = malloc((count ? count : 1) * sizeof *times);
    if (!times) {
        return cli_memory_error("the times of the steps");
    }
    for (size_t i = 0; i < count; i++) {
        times[i] = steps[i].counters.seconds;
    }
    qsort(times, count, sizeof *times, compare_numbers);
    *median = count ? times[count / 2] : 0;
    *worst = count ? times[count - 1] : 0;
    free(times);
    return 0;
}

cli_step cli_check_step(const cli_collide *collide)
{
    const tumble_collide_result *result = &collide->result;
    const int surfaces = collide->options.want_surfaces;
    cli_step step = {.collide = result->collide,
                     .pair_count = surfaces ? result->surface_pair_count : result->pair_count,
                     .first = {result->first.polygon_a, result->first.polygon_b},
                     .counters = result->counters};
    if (surfaces && result->collide) {
        (void)tumble_model_surface(collide->a, result->first.polygon_a, &step.first[0]);
        (void)tumble_model_surface(collide->b, result->first.polygon_b, &step.first[1]);
    }
    return step;
}

/* The step with most pairs of those from `first` up to `end`. */
static size_t worst_step(const cli_step *steps, size_t first, size_t end)
{
    size_t worst = first;
    for (size_t i = first; i < end; i++) {
        if (steps[i].pair_count > steps[worst].pair_count) {
            worst = i;
        }
    }
    return worst;
}

static void add_stretch(cli_table *table, int all, const cli_step *steps, size_t first, size_t end)
{
    if (end - first == 1) {
        cli_table_add(table, "%zu", first);
    } else {
        cli_table_add(table, "%zu to %zu", first, end - 1);
    }
    cli_table_add(table, "%s", steps[first].collide ? "intersect" : "free");
    if (!steps[first].collide) {
        cli_table_add(table, "%s", "");
        cli_table_add(table, "%s", "");
    } else if (all) {
        const size_t worst = worst_step(steps, first, end);
        cli_table_add(table, "%s", cli_format_count(steps[worst].pair_count).text);
        cli_table_add(table, "%zu", worst);
    } else {
        cli_table_add(table, "%" PRIu32, steps[first].first[0]);
        cli_table_add(table, "%" PRIu32, steps[first].first[1]);
    }
}

static int print_stretches(const cli_check_report *report, const cli_collide *collide, const cli_step *steps,
                           size_t count)
{
    const int all = finds_all(collide), surfaces = collide->options.want_surfaces;
    cli_table table = {.alignments = "llrr"};
    cli_table_add(&table, "steps");
    cli_table_add(&table, "%s", "");
    if (all) {
        cli_table_add(&table, "%s", surfaces ? "most pairs of surfaces" : "most pairs");
        cli_table_add(&table, "at step");
    } else {
        cli_table_add(&table, "first: %s of A", surfaces ? "surface" : "polygon");
        cli_table_add(&table, "%s of B", surfaces ? "surface" : "polygon");
    }
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && steps[end].collide == steps[first].collide; end++) {
        }
        add_stretch(&table, all, steps, first, end);
    }
    return cli_table_print(&table, report->file, 2);
}

static int print_path_stats(const cli_check_report *report, const cli_step *steps, size_t count)
{
    tumble_counters sum = {0};
    for (size_t i = 0; i < count; i++) {
        sum.box_tests += steps[i].counters.box_tests;
        sum.box_updates += steps[i].counters.box_updates;
        sum.primitive_tests += steps[i].counters.primitive_tests;
        sum.exact_tests += steps[i].counters.exact_tests;
        sum.bytes_touched += steps[i].counters.bytes_touched;
        sum.seconds += steps[i].counters.seconds;
    }
    double median = 0, worst = 0;
    const int error = cli_step_times(steps, count, &median, &worst);
    if (error) {
        return error;
    }
    fprintf(report->file, "\nAll steps together (a query took %s in the middle, %s at worst):\n",
            cli_format_duration(median).text, cli_format_duration(worst).text);
    return cli_print_counters(report->file, &sum);
}

int cli_check_text_path(const cli_check_report *report, const cli_collide *collide, const cli_step *steps, size_t count)
{
    size_t hits = 0;
    for (size_t i = 0; i < count; i++) {
        hits += steps[i].collide != 0;
    }
    fprintf(report->file, "%s and %s intersect at %zu of %s.\n\n", report->name_a, report->name_b, hits,
            cli_format_number_of(count, "pose", "poses").text);
    int error = print_stretches(report, collide, steps, count);
    if (!error && report->stats) {
        error = print_path_stats(report, steps, count);
    }
    return error;
}
