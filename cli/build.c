/* tumble build: saves a model with its hierarchy. */
#include <stddef.h>
#include <stdio.h>

#include "commands.h"
#include "files.h"
#include "message.h"
#include "model_report.h"
#include "one_model.h"
#include "output.h"
#include "report.h"
#include "tumble/io.h"

typedef struct build_settings {
    cli_load_options load;
    cli_output_options output;
} build_settings;

static const cli_option output_options[] = {
    CLI_OUTPUT_ROW(build_settings, output, "FILE", "the file to be written; by convention its name ends with .tumble"),
    CLI_JSON_ROW(build_settings, output, "reports what was saved as one JSON object"),
    {.name = NULL}};

static int report(const build_settings *settings, const cli_one_model *one)
{
    if (settings->output.json) {
        cli_json json = {.file = stdout};
        cli_json_open_object(&json, NULL);
        cli_json_text(&json, "file", settings->output.file);
        cli_json_text(&json, "from", one->file);
        cli_json_model(&json, one);
        cli_json_close_object(&json);
        return 0;
    }
    printf("%s: %s from %s\n", settings->output.file, cli_format_bytes((double)one->info.total_bytes).text, one->name);
    return cli_print_model(stdout, one);
}

static int save(tumble_context *context, const tumble_model *model, const char *path)
{
    cli_hold_interrupts();
    const tumble_status status = tumble_model_save(model, path);
    cli_release_interrupts();
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, path);
}

int cli_build(const char *program, int argc, char **argv)
{
    (void)program;
    build_settings settings = {.output = cli_default_output_options()};
    cli_section sections[CLI_ONE_SECTIONS];
    cli_one_sections(&settings.load, (cli_section){.title = "Output", .options = output_options, .target = &settings},
                     sections);
    const cli_usage usage = {
        .name = "build",
        .purpose = "saves a model with its hierarchy, for fast loading",
        .usage = "tumble build A -o A.tumble [options]",
        .description = "A saved model is mapped into memory instead of being read and built again; all commands accept "
                       "it in the place of a mesh. The file has a checksum: a damaged one is rejected.",
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
        return cli_error("-o is missing: give -o FILE, as in -o model.tumble");
    }
    cli_one_model one = {.context = NULL};
    int error = cli_check_result_file(settings.output.file, "a model");
    error = error ? error : cli_one_open(&one, operands.words[0], &settings.load, sections, settings.output.file);
    error = error ? error : save(one.context, one.model, settings.output.file);
    error = error ? error : report(&settings, &one);
    cli_one_close(&one);
    return error;
}
