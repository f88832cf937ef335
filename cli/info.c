/* tumble info: what a model is like. */
#include <stddef.h>

#include "commands.h"
#include "load.h"
#include "message.h"
#include "model_report.h"
#include "output.h"

typedef struct info_settings {
    cli_load_options load;
    int json;
    const char *output;
} info_settings;

static const cli_option output_options[] = {
    {.kind = CLI_FLAG, .name = "json", .help = "one JSON object", .offset = offsetof(info_settings, json), .value = 1},
    {.kind = CLI_TEXT,
     .letter = 'o',
     .name = "output",
     .argument = "FILE",
     .help = "writes to a file instead of the terminal",
     .offset = offsetof(info_settings, output)},
    {.name = NULL}};

static int report(const info_settings *settings, const char *path, const tumble_model_info *info)
{
    cli_output output;
    int error = cli_output_open(&output, settings->output);
    if (error) {
        return error;
    }
    if (settings->json) {
        cli_json json = {.file = output.file};
        cli_json_open_object(&json, NULL);
        cli_json_model(&json, info);
        cli_json_close_object(&json);
    } else {
        fprintf(output.file, "%s\n", path);
        error = cli_print_model(output.file, info);
    }
    if (error) {
        cli_output_discard(&output);
        return error;
    }
    return cli_output_close(&output);
}

static int run(const info_settings *settings, const cli_section *sections, const char *path)
{
    tumble_context *context;
    int error = cli_create_context(&settings->load, &context);
    if (error) {
        return error;
    }
    tumble_model *model = NULL;
    tumble_model_info info;
    error = cli_load_model(context, path, &settings->load, sections, &model);
    error = error ? error : cli_get_info(context, model, path, &info);
    error = error ? error : report(settings, path, &info);
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    return error;
}

int cli_info(const char *program, int argc, char **argv)
{
    (void)program;
    info_settings settings = {.load = cli_default_load_options()};
    cli_section sections[1 + CLI_LOAD_SECTIONS] = {{.title = "Output", .options = output_options, .target = &settings}};
    cli_load_sections(&settings.load, 0, sections + 1);
    const cli_usage usage = {.name = "info",
                             .purpose = "tells what a model is like: its size, its faults, its hierarchy",
                             .usage = "tumble info A [options]",
                             .description = "A is a mesh file (OBJ, OFF, STL, PLY; others through assimp) or a model "
                                            "saved by 'tumble build'. A mesh is "
                                            "read and its hierarchy is built, as 'tumble check' does it.",
                             .sections = sections,
                             .topics = "hierarchy",
                             .examples = "tumble info housing.obj\n"
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
    return run(&settings, sections + 1, operands.words[0]);
}
