/* tumble info: what a model is like. */
#include <stddef.h>

#include "commands.h"
#include "files.h"
#include "load.h"
#include "message.h"
#include "model_report.h"
#include "output.h"
#include "output_options.h"

enum {
    OWN_SECTIONS = 3
};

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

/* What is known of a model. */
typedef struct info_subject {
    const char *path;
    tumble_model *model;
    tumble_model_info info;
    cli_surfaces surfaces;
    cli_frame frame;
} info_subject;

static int report_json(const info_settings *settings, const info_subject *subject, FILE *file)
{
    cli_json json = {.file = file};
    int error = 0;
    cli_json_open_object(&json, NULL);
    cli_json_model(&json, &subject->info, &subject->surfaces, &subject->frame);
    if (settings->surfaces) {
        error = cli_json_surfaces(&json, "surface_list", subject->model, (size_t)subject->info.polygon_count,
                                  &subject->surfaces);
    }
    cli_json_close_object(&json);
    return error;
}

static int report_text(const info_settings *settings, const info_subject *subject, FILE *file)
{
    fprintf(file, "%s\n", subject->path);
    const int error = cli_print_model(file, &subject->info, &subject->surfaces, &subject->frame);
    if (error || !settings->surfaces) {
        return error;
    }
    fputc('\n', file);
    return cli_list_surfaces(file, subject->model, (size_t)subject->info.polygon_count, &subject->surfaces);
}

static int report(const info_settings *settings, const info_subject *subject)
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

static int run(const info_settings *settings, const cli_section *sections, const char *path)
{
    tumble_context *context;
    const char *readable;
    int error = cli_readable_path(path, &readable);
    error = error ? error : cli_create_context(&settings->load, &context);
    if (error) {
        return error;
    }
    info_subject subject = {.path = cli_file_name(path)};
    error =
        cli_load_model(context, readable, &settings->load, sections, &subject.model, &subject.surfaces, &subject.frame);
    error = error ? error : cli_get_info(context, subject.model, path, &subject.info);
    error = error ? error : report(settings, &subject);
    cli_free_surfaces(&subject.surfaces);
    tumble_model_destroy(subject.model);
    tumble_context_destroy(context);
    return error;
}

int cli_info(const char *program, int argc, char **argv)
{
    (void)program;
    info_settings settings = {.load = cli_default_load_options()};
    settings.load.surfaces.wanted = 1;
    cli_section sections[OWN_SECTIONS + CLI_LOAD_SECTIONS] = {
        {.title = "Output", .options = output_options, .target = &settings},
        cli_input_section(&settings.load.input),
        cli_surface_section(&settings.load.surfaces)};
    cli_load_sections(&settings.load, CLI_ASKS_NOTHING, sections + OWN_SECTIONS);
    const cli_usage usage = {.name = "info",
                             .purpose = "tells what a model is like: its size, its faults, its hierarchy",
                             .usage = "tumble info A [options]",
                             .description = "A is a mesh file (OBJ, OFF, STL, PLY; others through assimp) or a model "
                                            "saved by 'tumble build'. A mesh is "
                                            "read and its hierarchy is built, as 'tumble check' does it.",
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
    const cli_file_uses uses = {.inputs = {{"the model", operands.words[0]}},
                                .outputs = {{"--output", settings.output.file}}};
    int error = cli_check_surface_options(&settings.load.surfaces, NULL);
    error = error ? error : cli_check_files(&uses);
    return error ? error : run(&settings, sections + OWN_SECTIONS, operands.words[0]);
}
