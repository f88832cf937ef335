/* tumble info: what a model is like. */
#include <stddef.h>

#include "commands.h"
#include "drawing.h"
#include "message.h"
#include "model_report.h"
#include "one_model.h"
#include "output.h"
#include "report.h"
#include "self_picture.h"

typedef struct info_settings {
    cli_load_options load;
    int surfaces, full;
    const char *picture;
    cli_output_options output;
} info_settings;

static const cli_option output_options[] = {
    {.kind = CLI_FLAG,
     .name = "surfaces",
     .help = "also lists the surfaces, with their names where the file has some",
     .offset = offsetof(info_settings, surfaces),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "full",
     .help = "also tells whether the model intersects itself, and in how many pairs of polygons (see 'tumble check "
             "--self')",
     .offset = offsetof(info_settings, full),
     .value = 1},
    {.kind = CLI_TEXT,
     .name = "picture",
     .argument = "FILE",
     .help = "with --full: draws the model and marks where it intersects itself (.svg, .png)",
     .offset = offsetof(info_settings, picture)},
    CLI_JSON_ROW(info_settings, output, "one JSON object"),
    CLI_OUTPUT_ROW(info_settings, output, "FILE", CLI_OUTPUT_HELP),
    {.name = NULL}};

/* ---- --full ---- */

static int count_self_pairs(const cli_one_model *subject, uint64_t *count)
{
    tumble_query *query = NULL;
    tumble_self_result result = {.pair_count = 0};
    tumble_self_options options = tumble_default_self_options();
    options.mode = TUMBLE_COUNT;
    tumble_status status = tumble_query_create(subject->context, &query);
    status = status == TUMBLE_OK ? tumble_self_collide(query, subject->model, &options, &result) : status;
    const int error = status == TUMBLE_OK ? 0 : cli_library_error(subject->context, status, subject->file);
    *count = error ? 0 : result.pair_count;
    tumble_query_destroy(query);
    return error;
}

static int json_full(cli_json *json, const cli_one_model *subject)
{
    uint64_t count;
    const int error = count_self_pairs(subject, &count);
    cli_json_bool(json, "intersects_itself", count > 0);
    cli_json_whole(json, "self_pair_count", count);
    return error;
}

static int print_full(FILE *file, const cli_one_model *subject)
{
    uint64_t count;
    const int error = count_self_pairs(subject, &count);
    if (!error && count) {
        fprintf(file, "\nintersects itself: %s\n",
                cli_format_number_of(count, "pair of polygons", "pairs of polygons").text);
    } else if (!error) {
        fprintf(file, "\ndoes not intersect itself\n");
    }
    return error;
}

static int draw_full(const info_settings *settings, const cli_one_model *subject)
{
    cli_self_picture picture = {.one = subject, .options = tumble_default_self_options()};
    return settings->picture ? cli_self_picture_write(settings->picture, &picture) : 0;
}

static int refuse_picture(const info_settings *settings)
{
    if (settings->picture && !settings->full) {
        return cli_error("--picture marks where a model intersects itself: give --full as well");
    }
    return cli_drawing_check(settings->picture, "--picture");
}

/* ---- reports ---- */

static int report_json(const info_settings *settings, const cli_one_model *subject, FILE *file)
{
    cli_json json = {.file = file};
    int error = 0;
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "file", subject->file);
    cli_json_model(&json, subject);
    error = settings->full ? json_full(&json, subject) : 0;
    if (settings->surfaces && !error) {
        error = cli_json_surfaces(&json, "surface_list", subject->model, (size_t)subject->info.polygon_count,
                                  &subject->surfaces);
    }
    cli_json_close_object(&json);
    return error;
}

static int report_text(const info_settings *settings, const cli_one_model *subject, FILE *file)
{
    fprintf(file, "%s\n", subject->name);
    int error = cli_print_model(file, subject);
    error = error || !settings->full ? error : print_full(file, subject);
    if (error || !settings->surfaces) {
        return error;
    }
    fputc('\n', file);
    return cli_list_surfaces(file, subject->model, (size_t)subject->info.polygon_count, &subject->surfaces);
}

static int report(const info_settings *settings, const cli_one_model *subject)
{
    cli_output output;
    int error = cli_output_open(&output, settings->output.file);
    if (error) {
        return error;
    }
    error = (settings->output.json ? report_json : report_text)(settings, subject, output.file);
    if (error) {
        cli_output_discard(&output);
        return error;
    }
    return cli_output_close(&output);
}

int cli_info(const char *program, int argc, char **argv)
{
    (void)program;
    info_settings settings = {.surfaces = 0};
    cli_section sections[CLI_ONE_SECTIONS];
    cli_one_sections(&settings.load, (cli_section){.title = "Output", .options = output_options, .target = &settings},
                     sections);
    const cli_usage usage = {.name = "info",
                             .purpose = "shows a model's size, defects and hierarchy",
                             .usage = "tumble info A [options]",
                             .description = "A is a mesh file (OBJ, OFF, STL, PLY; others through assimp) or a model "
                                            "saved by 'tumble build'; - is standard input. A mesh is read and its "
                                            "hierarchy is built, as 'tumble check' does it.",
                             .sections = sections,
                             .topics = "hierarchy",
                             .examples = "tumble info housing.obj --surfaces\n"
                                         "tumble info scan.stl --crease 30\n"
                                         "tumble info scan.stl --full --picture places.png\n"
                                         "tumble info housing.obj --hierarchy boxtree --layout two-planes --json",
                             .exit_status = "0  done\n2  an error; stderr says what to do",
                             .least_operands = 1,
                             .most_operands = 1,
                             .operands = "one model"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    cli_one_model subject = {.context = NULL};
    int error = refuse_picture(&settings);
    error = error ? error : cli_one_open(&subject, operands.words[0], &settings.load, sections, settings.output.file);
    error = error ? error : report(&settings, &subject);
    error = error ? error : draw_full(&settings, &subject);
    cli_one_close(&subject);
    return error;
}
