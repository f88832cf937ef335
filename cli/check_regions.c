/* `tumble check --regions`: along which curves the models meet. */
#include <inttypes.h>

#include "check.h"
#include "message.h"

static const char *kind_of(const tumble_contact_region *region)
{
    return region->coplanar_count > 0 ? "area" : region->curve_count > 0 ? "line" : "point";
}

static cli_step regions_step(const check_run *check)
{
    return (cli_step){
        .answer = check->regions.collide ? TUMBLE_YES : TUMBLE_NO, .word = "", .counters = check->regions.counters};
}

static int prepare_regions(check_run *check)
{
    const tumble_status status = tumble_query_create(check->common.two.context, &check->query);
    return status == TUMBLE_OK ? 0 : cli_library_error(check->common.two.context, status, NULL);
}

static int ask_regions(check_run *check, const tumble_pose *pose_b)
{
    const cli_two_models *two = &check->common.two;
    const tumble_status status =
        tumble_contact_regions(check->query, two->models[0], &two->pose_a, two->models[1], pose_b, &check->regions);
    return status == TUMBLE_OK ? 0 : cli_query_error(check->query, status);
}

/* ---- JSON ---- */

static void json_curve(cli_json *json, const tumble_regions_result *r, const tumble_contact_curve *curve)
{
    cli_json_open_object(json, NULL);
    cli_json_bool(json, "closed", curve->is_closed);
    cli_json_bool(json, "sides_known", curve->sides_are_known);
    cli_json_real(json, "length", curve->length);
    cli_json_open_array(json, "points");
    for (size_t i = 0; i < curve->point_count; i++) {
        cli_json_point(json, NULL, r->points[curve->first_point + i]);
    }
    cli_json_close_array(json);
    cli_json_open_array(json, "pairs");
    for (size_t i = 0; i + !curve->is_closed < curve->point_count; i++) {
        const tumble_pair *pair = &r->pairs[curve->first_point + i];
        cli_json_pair(json, NULL, pair->polygon_a, pair->polygon_b);
    }
    cli_json_close_array(json);
    cli_json_close_object(json);
}

static void json_region(cli_json *json, const tumble_regions_result *r, const tumble_contact_region *region)
{
    cli_json_open_object(json, NULL);
    cli_json_text(json, "kind", kind_of(region));
    cli_json_whole(json, "contacts", region->contact_count);
    cli_json_whole(json, "coplanar", region->coplanar_count);
    cli_json_real(json, "length", region->length);
    cli_json_point(json, "lower", region->lower);
    cli_json_point(json, "upper", region->upper);
    cli_json_point(json, "normal_a", region->normal_a);
    cli_json_point(json, "normal_b", region->normal_b);
    cli_json_open_array(json, "curves");
    for (size_t i = 0; i < region->curve_count; i++) {
        json_curve(json, r, &r->curves[region->first_curve + i]);
    }
    cli_json_close_array(json);
    cli_json_close_object(json);
}

static void regions_json(const check_run *check, size_t step)
{
    const cli_pair_report *report = &check->common.report;
    const tumble_regions_result *r = &check->regions;
    const uint64_t limit = cli_limit_of(&check->common.options.output);
    cli_json json;
    cli_json_begin_answer(&json, report, step);
    cli_json_bool(&json, "collide", r->collide);
    cli_json_bool(&json, "closed_a", r->closed_a);
    cli_json_bool(&json, "closed_b", r->closed_b);
    cli_json_whole(&json, "region_count", r->region_count);
    cli_json_open_array(&json, "regions");
    for (size_t i = 0; i < r->region_count && i < limit; i++) {
        json_region(&json, r, &r->regions[i]);
    }
    cli_json_close_array(&json);
    cli_json_end_answer(&json, report, &r->counters);
}

/* ---- text ---- */

static void add_region(cli_table *table, const tumble_regions_result *r, const tumble_contact_region *region)
{
    size_t closed = 0;
    for (size_t i = 0; i < region->curve_count; i++) {
        closed += r->curves[region->first_curve + i].is_closed;
    }
    cli_table_add(table, "%s", kind_of(region));
    cli_table_add(table, "%zu", closed);
    cli_table_add(table, "%zu", region->curve_count - closed);
    cli_table_add(table, "%.6g", region->length);
    cli_table_add(table, "%s", cli_format_point(region->lower).text);
    cli_table_add(table, "%s", cli_format_point(region->upper).text);
    cli_table_add(table, "%" PRIu64, region->contact_count);
}

static int print_regions(const check_run *check, uint64_t limit)
{
    static const char *const titles[] = {"kind", "closed curves", "open curves", "length", "from", "to", "contacts"};
    const tumble_regions_result *r = &check->regions;
    FILE *file = check->common.report.file;
    const size_t shown = r->region_count < limit ? r->region_count : (size_t)limit;
    cli_table table = {.alignments = "lrrrllr"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        cli_table_add(&table, "%s", titles[i]);
    }
    for (size_t i = 0; i < shown; i++) {
        add_region(&table, r, &r->regions[i]);
    }
    fputc('\n', file);
    const int error = cli_table_print(&table, file, 2);
    if (!error && shown < r->region_count) {
        fprintf(file, "  ... and %s: --limit %zu lists them all\n",
                cli_format_number_of(r->region_count - shown, "region more", "regions more").text, r->region_count);
    }
    return error;
}

static int regions_text(const check_run *check)
{
    const cli_pair_report *report = &check->common.report;
    const tumble_regions_result *r = &check->regions;
    const char *a = report->two->names[0], *b = report->two->names[1];
    const uint64_t limit = cli_limit_of(&check->common.options.output);
    if (!r->collide) {
        fprintf(report->file, "%s and %s do not intersect.\n", a, b);
        return cli_print_stats(report, &r->counters);
    }
    const cli_word regions = cli_format_number_of(r->region_count, "region", "regions"),
                   curves = cli_format_number_of(r->curve_count, "curve", "curves");
    fprintf(report->file, "%s and %s intersect in %s with %s.\n", a, b, regions.text, curves.text);
    const int error = limit > 0 ? print_regions(check, limit) : 0;
    return error ? error : cli_print_stats(report, &r->counters);
}

const check_question cli_regions_question = {prepare_regions, ask_regions, regions_step, regions_json, NULL,
                                             regions_text,    regions_text};
