/* tumble build: saves a model with its hierarchy. */
#include <stddef.h>
#include <stdio.h>

#include "commands.h"
#include "files.h"
#include "load.h"
#include "message.h"
#include "model_report.h"
#include "output.h"
#include "output_options.h"
#include "report.h"
#include "tumble/io.h"

enum {
    OWN_SECTIONS = 3
};

typedef struct build_settings {
    cli_load_options load;
    cli_output_options output;
} build_settings;

static const cli_option output_options[] = {
    CLI_OUTPUT_ROW(build_settings, output, "FILE", "the file to be written; by convention its name ends with .tumble"),
    CLI_JSON_ROW(build_settings, output, "says what was saved as one JSON object"),
    {.name = NULL}};

static int report(const build_settings *settings, const char *path, const tumble_model_info *info,
                  const cli_surfaces *surfaces, const cli_frame *frame)
{
    if (settings->output.json) {
        cli_json json = {.file = stdout};
        cli_json_open_object(&json, NULL);
        cli_json_text(&json, "file", settings->output.file);
        cli_json_model(&json, info, surfaces, frame);
        cli_json_close_object(&json);
        return 0;
    }
    printf("%s: %s from %s\n", settings->output.file, cli_format_bytes((double)info->total_bytes).text, path);
    return cli_print_model(stdout, info, surfaces, frame);
}

static int save(tumble_context *context, const tumble_model *model, const char *path)
{
    cli_hold_interrupts();
    const tumble_status status = tumble_model_save(model, path);
    cli_release_interrupts();
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

static int run(const build_settings *settings, const cli_section *sections, const char *path)
{
    tumble_context *context;
    const char *readable;
    int error = cli_readable_path(path, &readable);
    error = error ? error : cli_create_context(&settings->load, &context);
    if (error) {
        return error;
    }
    tumble_model *model = NULL;
    tumble_model_info info;
    cli_surfaces surfaces = {0};
    cli_frame frame;
    error = cli_load_model(context, readable, &settings->load, sections, &model, &surfaces, &frame);
    error = error ? error : cli_get_info(context, model, path, &info);
    error = error ? error : save(context, model, settings->output.file);
    error = error ? error : report(settings, cli_file_name(path), &info, &surfaces, &frame);
    cli_free_surfaces(&surfaces);
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    return error;
}

int cli_build(const char *program, int argc, char **argv)
{
    (void)program;
    build_settings settings = {.load = cli_default_load_options()};
    settings.load.surfaces.wanted = 1;
    cli_section sections[OWN_SECTIONS + CLI_LOAD_SECTIONS] = {
        {.title = "Output", .options = output_options, .target = &settings},
        cli_input_section(&settings.load.input),
        cli_surface_section(&settings.load.surfaces)};
    cli_load_sections(&settings.load, CLI_ASKS_NOTHING, sections + OWN_SECTIONS);
    const cli_usage usage = {
        .name = "build",
        .purpose = "saves a model with its hierarchy in a file that loads at once",
        .usage = "tumble build A -o A.tumble [options]",
        .description =
            "A saved model is mapped into memory instead of being read and built again; all commands accept it in the "
            "place of a mesh. The file has a checksum: a damaged one is refused.",
        .sections = sections,
        .topics = "hierarchy",
        .examples = "tumble build housing.obj -o housing.tumble\n"
                    "tumble build scan.ply -o scan.tumble --threads 4",
        .exit_status = "0  saved\n2  an error, and nothing was saved; stderr says what to do",
        .least_operands = 1,
        .most_operands = 1,
        .operands = "one model, and -o with the file to be written"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (!settings.output.file) {
        return cli_error("there is no place to save the model: give -o FILE, as in -o model.tumble");
    }
    const cli_file_uses uses = {.inputs = {{"the model", operands.words[0]}},
                                .outputs = {{"--output", settings.output.file}}};
    int error = cli_check_surface_options(&settings.load.surfaces, NULL);
    error = error ? error : cli_check_result_file(settings.output.file, "a model");
    error = error ? error : cli_check_files(&uses);
    return error ? error : run(&settings, sections + OWN_SECTIONS, operands.words[0]);
}
