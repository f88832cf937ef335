/* tumble check A --self: does a model intersect itself, and where? */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "drawing.h"
#include "files.h"
#include "message.h"
#include "report.h"
#include "self_picture.h"

enum {
    OWN_SECTIONS = 5 /* in front of those of cli_load_sections */
};

typedef struct self_run {
    check_settings *settings;
    cli_output_options output;
    cli_drawing_options drawings;
    cli_load_options load;
    cli_section sections[OWN_SECTIONS + CLI_LOAD_SECTIONS];
    cli_one_model one;
    tumble_self_options options;
    tumble_query *query;
    tumble_self_result result;
} self_run;

int cli_check_is_self(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--self") == 0) {
            return 1;
        }
    }
    return 0;
}

/* ---- JSON ---- */

static uint64_t shown(const self_run *run, uint64_t count)
{
    const uint64_t limit = cli_limit_of(&run->output);
    return count < limit ? count : limit;
}

static void json_pairs(cli_json *json, const self_run *run)
{
    const uint64_t count = run->result.pairs ? shown(run, run->result.pair_count) : 0;
    cli_json_whole(json, "pair_count", run->result.pair_count);
    if (run->options.mode == TUMBLE_COUNT) {
        return;
    }
    cli_json_open_array(json, "pairs");
    for (uint64_t i = 0; i < count; i++) {
        cli_json_pair(json, NULL, run->result.pairs[i].polygon_a, run->result.pairs[i].polygon_b);
    }
    cli_json_close_array(json);
    cli_json_open_array(json, "kinds");
    for (uint64_t i = 0; i < count; i++) {
        cli_json_text(json, NULL, tumble_self_kind_name(run->result.pairs[i].kind));
    }
    cli_json_close_array(json);
}

static void json_contacts(cli_json *json, const self_run *run)
{
    const uint64_t count = shown(run, run->result.contact_count);
    cli_json_open_array(json, "segments");
    for (uint64_t i = 0; i < count; i++) {
        const tumble_contact *contact = &run->result.contacts[i];
        cli_json_open_object(json, NULL);
        cli_json_pair(json, "pair", contact->polygon_a, contact->polygon_b);
        cli_json_bool(json, "coplanar", contact->coplanar != 0);
        if (run->options.clearance > 0) {
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

static int report_json(const self_run *run, FILE *file)
{
    cli_json json = {.file = file};
    cli_json_open_object(&json, NULL);
    cli_json_open_object(&json, "a");
    cli_json_text(&json, "file", run->one.file);
    cli_json_whole(&json, "polygons", run->one.info.polygon_count);
    cli_json_close_object(&json);
    cli_json_bool(&json, "collide", run->result.collide);
    if (run->options.mode != TUMBLE_TEST) {
        json_pairs(&json, run);
    }
    if (run->options.want_contacts) {
        json_contacts(&json, run);
    }
    cli_json_text(&json, "hierarchy", tumble_hierarchy_name(run->one.info.hierarchy));
    cli_json_counters(&json, "stats", &run->result.counters);
    cli_json_close_object(&json);
    return 0;
}

/* ---- text ---- */

static int print_pairs(const self_run *run, FILE *file)
{
    cli_table table = {.alignments = "rrl"};
    const uint64_t count = shown(run, run->result.pair_count);
    cli_table_add(&table, "polygon");
    cli_table_add(&table, "polygon");
    cli_table_add(&table, "kind");
    for (uint64_t i = 0; i < count; i++) {
        const tumble_self_pair *pair = &run->result.pairs[i];
        cli_table_add(&table, "%" PRIu32, pair->polygon_a);
        cli_table_add(&table, "%" PRIu32, pair->polygon_b);
        cli_table_add(&table, "%s", tumble_self_kind_name(pair->kind));
    }
    const int error = cli_table_print(&table, file, 2);
    if (count < run->result.pair_count) {
        fprintf(file, "  ... and %s more\n", cli_format_count(run->result.pair_count - count).text);
    }
    return error;
}

static int print_contacts(const self_run *run, FILE *file)
{
    cli_table table = {.alignments = "rrll"};
    static const char *const titles[] = {"polygon", "polygon", "from or at", "to"};
    const uint64_t count = shown(run, run->result.contact_count);
    for (size_t i = 0; i < 4; i++) {
        cli_table_add(&table, "%s", titles[i]);
    }
    for (uint64_t i = 0; i < count; i++) {
        const tumble_contact *contact = &run->result.contacts[i];
        const double *from = contact->points[0], *to = contact->points[1];
        const int is_point = from[0] == to[0] && from[1] == to[1] && from[2] == to[2];
        cli_table_add(&table, "%" PRIu32, contact->polygon_a);
        cli_table_add(&table, "%" PRIu32, contact->polygon_b);
        cli_table_add(&table, "%s", cli_format_point(from).text);
        cli_table_add(&table, "%s", is_point ? "" : cli_format_point(to).text);
    }
    fputc('\n', file);
    return cli_table_print(&table, file, 2);
}

static int report_text(const self_run *run, FILE *file)
{
    const tumble_self_result *result = &run->result;
    if (run->options.clearance > 0) {
        fprintf(file, "%s %s within %.15g of itself", run->one.name, result->collide ? "is" : "is not",
                run->options.clearance);
    } else {
        fprintf(file, "%s %s", run->one.name, result->collide ? "intersects itself" : "does not intersect itself");
    }
    if (result->collide && (run->options.mode == TUMBLE_ALL || run->options.mode == TUMBLE_COUNT)) {
        fprintf(file, ": %s", cli_format_number_of(result->pair_count, "pair of polygons", "pairs of polygons").text);
    }
    fputc('\n', file);
    int error = result->pairs ? print_pairs(run, file) : 0;
    error = error || !result->contacts ? error : print_contacts(run, file);
    return error || !run->output.stats ? error : cli_print_counters(file, &result->counters);
}

/* ---- running ---- */

static int refuse(const self_run *run)
{
    const check_settings *s = run->settings;
    const char *name = s->relation     ? "relation"
                       : s->regions    ? "regions"
                       : s->surfaces   ? "surfaces"
                       : s->continuous ? "continuous"
                                       : NULL;
    if (name) {
        return cli_error("--%s compares two models, --self one with itself: leave one of them out", name);
    }
    if (s->rings != 1 && s->soup) {
        return cli_error("in a --soup there are no neighbours, and so no --rings: leave one of them out");
    }
    if (s->segments && (s->mode == TUMBLE_TEST || s->mode == TUMBLE_COUNT)) {
        return cli_error("--segments lists where pairs meet: use it with --first or --all");
    }
    if (!run->drawings.picture && (run->drawings.view.view || run->drawings.view.up || run->drawings.view.section)) {
        return cli_error("--view, --view-up and --section are for a picture: give --picture as well");
    }
    return cli_drawing_check(run->drawings.picture, "--picture");
}

static tumble_self_options options_of(const check_settings *s)
{
    tumble_self_options options = tumble_default_self_options();
    options.mode = s->mode == CHECK_NO_MODE ? TUMBLE_ALL : (tumble_mode)s->mode;
    options.clearance = s->clearance;
    options.soup = s->soup != 0;
    options.rings = (uint32_t)s->rings;
    options.want_contacts = s->segments != 0;
    return options;
}

static int ask(self_run *run)
{
    tumble_status status = tumble_query_create(run->one.context, &run->query);
    status =
        status == TUMBLE_OK ? tumble_self_collide(run->query, run->one.model, &run->options, &run->result) : status;
    if (status == TUMBLE_OK) {
        return 0;
    }
    return run->query ? cli_query_error(run->query, status)
                      : cli_library_error(run->one.context, status, run->one.file);
}

static int report(const self_run *run)
{
    cli_output output;
    int error = cli_output_open(&output, run->output.file);
    if (error) {
        return error;
    }
    error = (run->output.json ? report_json : report_text)(run, output.file);
    if (error) {
        cli_output_discard(&output);
        return error;
    }
    return cli_output_close(&output);
}

static int draw(const self_run *run)
{
    cli_self_picture picture = {.one = &run->one, .options = run->options};
    const int error = run->drawings.picture ? cli_parse_view(&run->drawings.view, &picture.view) : 0;
    return error || !run->drawings.picture ? error : cli_self_picture_write(run->drawings.picture, &picture);
}

static int open_model(self_run *run, const char *file)
{
    const cli_file_uses uses = {.inputs = {{"model A", file}},
                                .outputs = {{"--output", run->output.file}, {"--picture", run->drawings.picture}}};
    const char *readable = file;
    cli_one_model *one = &run->one;
    one->file = file;
    one->name = cli_file_name(file);
    int error = refuse(run);
    error = error ? error : cli_check_files(&uses);
    error = error ? error : cli_readable_path(file, &readable);
    error = error ? error : cli_create_context(&run->load, &one->context);
    error = error ? error
                  : cli_load_model(one->context, readable, &run->load, run->sections + OWN_SECTIONS, &one->model,
                                   &one->surfaces, &one->frame);
    error = error ? error : cli_get_info(one->context, one->model, readable, &one->info);
    const check_settings *s = run->settings;
    return error || s->rings == 1 || s->clearance > 0 || one->info.radius > 0
               ? error
               : cli_error("--rings says which neighbours --clearance passes over: give --clearance as well");
}

static int parse(self_run *run, const cli_section *question, int argc, char **argv, cli_operands *operands,
                 int *exit_status)
{
    run->load = cli_default_load_options();
    run->output = cli_default_output_options();
    run->sections[0] = *question;
    run->sections[1] = cli_output_section(&run->output);
    run->sections[2] = cli_drawing_section(&run->drawings);
    run->sections[3] = cli_view_section(&run->drawings.view);
    run->sections[4] = cli_input_section(&run->load.input);
    cli_load_sections(&run->load, CLI_ASKS_NOTHING, run->sections + OWN_SECTIONS);
    const cli_usage usage = {.name = "check",
                             .purpose = "finds whether and where a model intersects itself",
                             .usage = "tumble check A --self [options]",
                             .description =
                                 "Two polygons share their common corners and edges, by equal coordinates. They are "
                                 "reported if they have a common point outside of these.",
                             .sections = run->sections,
                             .topics = "hierarchy",
                             .examples = "tumble check scan.stl --self --json",
                             .exit_status = "0  it does not intersect itself\n1  it does\n2  an error",
                             .least_operands = 1,
                             .most_operands = 1,
                             .operands = "one model, with --self"};
    return cli_parse(&usage, argc, argv, operands, exit_status);
}

int cli_check_self(check_settings *settings, const cli_section *question, int argc, char **argv)
{
    self_run run = {.settings = settings};
    cli_operands operands;
    int exit_status;
    if (!parse(&run, question, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    run.options = options_of(settings);
    int error = open_model(&run, operands.words[0]);
    error = error ? error : ask(&run);
    error = error ? error : report(&run);
    error = error ? error : draw(&run);
    tumble_query_destroy(run.query);
    cli_one_close(&run.one);
    return error ? error : run.result.collide ? CLI_EXIT_INTERSECT : CLI_EXIT_OK;
}
