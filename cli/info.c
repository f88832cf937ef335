/* tumble info: what a model is like. */
#include <stddef.h>

#include "commands.h"
#include "model_report.h"
#include "one_model.h"
#include "output.h"

typedef struct info_settings {
    cli_load_options load;
    int surfaces;
    cli_output_options output;
} info_settings;

static const cli_option output_options[] = {
    {.kind = CLI_FLAG,
     .name = "surfaces",
     .help = "also lists the surfaces, with their names where the file has some",
     .offset = offsetof(info_settings, surfaces),
     .value = 1},
    CLI_JSON_ROW(info_settings, output, "one JSON object"),
    CLI_OUTPUT_ROW(info_settings, output, "FILE", CLI_OUTPUT_HELP),
    {.name = NULL}};

static int report_json(const info_settings *settings, const cli_one_model *subject, FILE *file)
{
    cli_json json = {.file = file};
    int error = 0;
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "file", subject->file);
    cli_json_model(&json, subject);
    if (settings->surfaces) {
        error = cli_json_surfaces(&json, "surface_list", subject->model, (size_t)subject->info.polygon_count,
                                  &subject->surfaces);
    }
    cli_json_close_object(&json);
    return error;
}

static int report_text(const info_settings *settings, const cli_one_model *subject, FILE *file)
{
    fprintf(file, "%s\n", subject->name);
    const int error = cli_print_model(file, subject);
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
    int error = cli_one_open(&subject, operands.words[0], &settings.load, sections, settings.output.file);
    error = error ? error : report(&settings, &subject);
    cli_one_close(&subject);
    return error;
}
