/* What `tumble check` says. */
#include "check_report.h"

#include <inttypes.h>
#include <math.h>

#include "json.h"
#include "report.h"

cli_word cli_check_verb(int collide, double clearance)
{
    cli_word word;
    if (clearance > 0) {
        snprintf(word.text, sizeof word.text, "are %s %.15g apart", collide ? "at most" : "farther than", clearance);
    } else {
        snprintf(word.text, sizeof word.text, "%s", collide ? "intersect" : "do not intersect");
    }
    return word;
}

/* ---- JSON ---- */

static void json_contacts(cli_json *json, const cli_collide *collide)
{
    cli_json_open_array(json, "segments");
    for (size_t i = 0; i < collide->contact_count; i++) {
        const tumble_contact *contact = &collide->contacts[i];
        cli_json_open_object(json, NULL);
        cli_json_pair(json, "pair", contact->polygon_a, contact->polygon_b);
        cli_json_bool(json, "coplanar", contact->coplanar != 0);
        if (collide->options.clearance > 0) {
            cli_json_bool(json, "apart", contact->apart != 0);
        }
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

static void json_surfaces(cli_json *json, const cli_pair_report *report, const cli_collide *collide)
{
    cli_json_whole(json, "surface_pair_count", collide->result.surface_pair_count);
    cli_json_open_array(json, "surface_pairs");
    for (size_t i = 0; i < collide->surface_count; i++) {
        const tumble_surface_pair *pair = &collide->surface_pairs[i];
        const char *name_a = cli_surface_name(&report->two->surfaces[0], pair->surface_a);
        const char *name_b = cli_surface_name(&report->two->surfaces[1], pair->surface_b);
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
    if (collide->counts_only) {
        return;
    }
    cli_json_open_array(json, "pairs");
    for (size_t i = 0; i < collide->pair_count; i++) {
        cli_json_pair(json, NULL, collide->pairs[i].polygon_a, collide->pairs[i].polygon_b);
    }
    cli_json_close_array(json);
}

void cli_check_json(const cli_pair_report *report, const cli_collide *collide, size_t step)
{
    cli_json json;
    cli_json_begin_answer(&json, report, step);
    cli_json_bool(&json, "collide", collide->result.collide);
    if (collide->options.want_surfaces) {
        json_surfaces(&json, report, collide);
    }
    if (collide->lists_pairs && !collide->names_none) {
        json_pairs(&json, collide);
    }
    if (collide->options.want_contacts) {
        json_contacts(&json, collide);
    }
    cli_json_end_answer(&json, report, &collide->result.counters);
}

/* ---- text for one pose ---- */

static int print_pairs(const cli_pair_report *report, const cli_collide *collide)
{
    cli_table table = {.alignments = "rr"};
    cli_table_add(&table, "polygon of A");
    cli_table_add(&table, "polygon of B");
    for (size_t i = 0; i < collide->pair_count; i++) {
        cli_table_add(&table, "%" PRIu32, collide->pairs[i].polygon_a);
        cli_table_add(&table, "%" PRIu32, collide->pairs[i].polygon_b);
    }
    return cli_table_print(&table, report->file, 2);
}

static void add_contact(cli_table *table, const tumble_contact *contact, int with_distance)
{
    const double *from = contact->points[0], *to = contact->points[1];
    const int is_point = from[0] == to[0] && from[1] == to[1] && from[2] == to[2], apart = contact->apart != 0;
    const char *kind = contact->coplanar ? "in one plane" : is_point ? "point" : "segment";
    cli_table_add(table, "%" PRIu32, contact->polygon_a);
    cli_table_add(table, "%" PRIu32, contact->polygon_b);
    cli_table_add(table, "%s", apart ? "nowhere" : kind);
    if (with_distance) {
        cli_table_add(table, "%.6g", apart ? hypot(hypot(from[0] - to[0], from[1] - to[1]), from[2] - to[2]) : 0);
    }
    cli_table_add(table, "%s", cli_format_point(from).text);
    cli_table_add(table, "%s", contact->coplanar || is_point ? "" : cli_format_point(to).text);
}

/* With a clearance also how far apart triangles are that do not meet; then from and to are their closest points. */
static int print_contacts(const cli_pair_report *report, const cli_collide *collide)
{
    const int with_distance = collide->options.clearance > 0;
    cli_table table = {.alignments = with_distance ? "rrlrll" : "rrlll"};
    static const char *const titles[] = {"polygon of A", "polygon of B", "meet in", "distance", "from or at", "to"};
    for (size_t i = 0; i < 6; i++) {
        if (with_distance || i != 3) {
            cli_table_add(&table, "%s", titles[i]);
        }
    }
    for (size_t i = 0; i < collide->contact_count; i++) {
        add_contact(&table, &collide->contacts[i], with_distance);
    }
    return cli_table_print(&table, report->file, 2);
}

/* "surface 3 (lip)" */
static void print_surface(FILE *file, const cli_surfaces *surfaces, uint32_t surface)
{
    const cli_plain_name name = cli_plain_surface_name(surfaces, surface);
    fprintf(file, "surface %" PRIu32 "%s%s%s", surface, *name.text ? " (" : "", name.text, *name.text ? ")" : "");
}

static void print_example(const cli_pair_report *report, const cli_collide *collide)
{
    FILE *file = report->file;
    const tumble_pair first = collide->result.first;
    if (collide->options.want_surfaces) {
        const cli_step step = cli_check_step(collide);
        fputs(", for example ", file);
        print_surface(file, &report->two->surfaces[0], step.first[0]);
        fputs(" of the first with ", file);
        print_surface(file, &report->two->surfaces[1], step.first[1]);
        fprintf(file, " of the second (polygons %" PRIu32 " and %" PRIu32 ")", first.polygon_a, first.polygon_b);
        return;
    }
    fprintf(file, ", for example polygon %" PRIu32 " of the first with polygon %" PRIu32 " of the second",
            first.polygon_a, first.polygon_b);
}

static int finds_all(const cli_collide *collide)
{
    return collide->options.mode >= TUMBLE_COUNT; /* COUNT, ALL, SURFACES */
}

static void print_answer(const cli_pair_report *report, const cli_collide *collide)
{
    FILE *file = report->file;
    const tumble_collide_result *result = &collide->result;
    fprintf(file, "%s and %s %s", report->two->names[0], report->two->names[1],
            cli_check_verb(result->collide, collide->options.clearance).text);
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
    } else if (result->collide && !collide->names_none) {
        print_example(report, collide);
    }
    fputs(".\n", file);
}

static void print_hidden(const cli_pair_report *report, uint64_t total, size_t listed)
{
    if (total > listed) {
        fprintf(report->file, "  ... and %s: --limit %" PRIu64 " lists them all\n",
                cli_format_number_of(total - listed, "pair more", "pairs more").text, total);
    }
}

/* Names take columns only where there are some. */
static int print_surfaces(const cli_pair_report *report, const cli_collide *collide)
{
    const int named_a = report->two->surfaces[0].count > 0, named_b = report->two->surfaces[1].count > 0;
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
        const tumble_surface_pair *pair = &collide->surface_pairs[i];
        cli_table_add(&table, "%" PRIu32, pair->surface_a);
        if (named_a) {
            cli_table_add(&table, "%s", cli_plain_surface_name(&report->two->surfaces[0], pair->surface_a).text);
        }
        cli_table_add(&table, "%" PRIu32, pair->surface_b);
        if (named_b) {
            cli_table_add(&table, "%s", cli_plain_surface_name(&report->two->surfaces[1], pair->surface_b).text);
        }
        cli_table_add(&table, "%" PRIu32, pair->polygon_a);
        cli_table_add(&table, "%" PRIu32, pair->polygon_b);
    }
    return cli_table_print(&table, report->file, 2);
}

static int print_lists(const cli_pair_report *report, const cli_collide *collide)
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

int cli_check_text(const cli_pair_report *report, const cli_collide *collide)
{
    print_answer(report, collide);
    const int error = print_lists(report, collide);
    return error ? error : cli_print_stats(report, &collide->result.counters);
}

/* ---- along a path ---- */

cli_step cli_check_step(const cli_collide *collide)
{
    const tumble_collide_result *result = &collide->result;
    const int surfaces = collide->options.want_surfaces;
    const char *yes = collide->options.clearance > 0 ? "near" : "intersect";
    cli_step step = {.answer = result->collide ? TUMBLE_YES : TUMBLE_NO,
                     .word = result->collide ? yes : "free",
                     .has_pair = result->collide && !collide->names_none,
                     .pair_count = surfaces ? result->surface_pair_count : result->pair_count,
                     .first = {result->first.polygon_a, result->first.polygon_b},
                     .counters = result->counters};
    if (surfaces && result->collide) {
        (void)tumble_model_surface(collide->a, result->first.polygon_a, &step.first[0]);
        (void)tumble_model_surface(collide->b, result->first.polygon_b, &step.first[1]);
    }
    return step;
}

int cli_check_text_path(const cli_pair_report *report, const cli_collide *collide, const cli_step *steps, size_t count)
{
    const int surfaces = collide->options.want_surfaces;
    size_t hits = 0;
    for (size_t i = 0; i < count; i++) {
        hits += steps[i].answer == TUMBLE_YES;
    }
    fprintf(report->file, "%s and %s %s at %zu of %s.\n", report->two->names[0], report->two->names[1],
            cli_check_verb(1, collide->options.clearance).text, hits,
            cli_format_number_of(count, "pose", "poses").text);
    const char *kind = collide->names_none ? NULL : surfaces ? "surface" : "polygon";
    return cli_check_stretches(report, finds_all(collide), kind, steps, count);
}
