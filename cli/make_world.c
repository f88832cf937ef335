/* tumble make heap, hall or cell: scenes of many objects that move, as files for 'tumble scene'. */
#include <stddef.h>
#include <stdio.h>

#include "commands.h"
#include "demo_files.h"
#include "files.h"
#include "json.h"
#include "make.h"
#include "message.h"
#include "options.h"
#include "output_options.h"
#include "progress.h"
#include "report.h"
#include "world_files.h"

typedef struct world_settings {
    double values[MODELS_PARAMETERS];
    cli_output_options output;
} world_settings;

static const cli_option output_options[] = {
    CLI_OUTPUT_ROW(world_settings, output, "DIR", "the folder for the files; created if missing"),
    CLI_JSON_ROW(world_settings, output, "reports what was made as one JSON object"),
    {.name = NULL}};

static void world_options(const models_world_kind *kind, world_settings *settings, cli_option *options)
{
    models_world_defaults(kind, settings->values);
    for (size_t i = 0; i + 1 < MODELS_PARAMETERS && kind->parameters[i].name; i++) {
        const models_parameter *parameter = &kind->parameters[i];
        options[i] = (cli_option){.kind = CLI_NUMBER,
                                  .name = parameter->name,
                                  .argument = parameter->whole ? "N" : "X",
                                  .help = parameter->help,
                                  .offset = offsetof(world_settings, values) + i * sizeof(double),
                                  .least = parameter->least,
                                  .most = parameter->most,
                                  .whole = parameter->whole,
                                  .show_default = 1};
    }
}

static int parse(const models_world_kind *kind, world_settings *settings, int argc, char **argv, int *exit_status)
{
    cli_option options[MODELS_PARAMETERS] = {{.name = NULL}};
    world_options(kind, settings, options);
    char usage_line[64], example[160];
    snprintf(usage_line, sizeof usage_line, "tumble make %s -o DIR [options]", kind->name);
    snprintf(example, sizeof example, "tumble make %s -o %s\ntumble scene %s/scene.txt --steps %s/steps.txt",
             kind->name, kind->name, kind->name, kind->name);
    cli_section sections[] = {{.title = "Scene", .options = options, .target = settings},
                              {.title = "Output", .options = output_options, .target = settings},
                              {.title = NULL}};
    const cli_usage usage = {.name = "make",
                             .purpose = kind->help,
                             .usage = usage_line,
                             .description = "Writes scene.txt, steps.txt and the meshes for 'tumble scene'.",
                             .sections = sections,
                             .examples = example,
                             .exit_status = "0  written\n2  an error; stderr says what to do",
                             .operands = "one name"};
    cli_operands operands;
    if (!cli_parse(&usage, argc, argv, &operands, exit_status)) {
        return 0;
    }
    if (!settings->output.file) {
        *exit_status = cli_error("-o is missing: give a folder, as in -o %s", kind->name);
        return 0;
    }
    return 1;
}

static void print_report(const models_world *world, const char *folder, size_t motions)
{
    printf("%s: %s with %s (%s) in %s\n", folder, world->name,
           cli_format_number_of(world->object_count, "object", "objects").text,
           cli_format_number_of(models_world_triangles(world), "triangle", "triangles").text,
           cli_format_number_of(world->step_count, "step", "steps").text);
    printf("Try: tumble scene");
    cli_print_quoted(folder, "/" CLI_WORLD_SCENE);
    if (motions > 0) {
        printf(" --steps");
        cli_print_quoted(folder, "/" CLI_WORLD_STEPS);
    }
    putchar('\n');
}

static void print_json(const models_world *world, const char *folder, size_t motions)
{
    cli_json json = {.file = stdout};
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "folder", folder);
    cli_json_text(&json, "scene", world->name);
    cli_json_whole(&json, "objects", world->object_count);
    cli_json_whole(&json, "meshes", world->shape_count);
    cli_json_whole(&json, "triangles", models_world_triangles(world));
    cli_json_whole(&json, "steps", world->step_count);
    cli_json_whole(&json, "motions", motions);
    cli_json_close_object(&json);
}

static int generate(const models_world_kind *kind, const world_settings *settings, models_world *world)
{
    cli_progress *progress = cli_progress_begin("making");
    const int made = models_make_world(world, kind, settings->values);
    cli_progress_end(progress);
    return made ? 0 : cli_memory_error("the scene");
}

int cli_make_world(const models_world_kind *kind, int argc, char **argv)
{
    world_settings settings = {.output = cli_default_output_options()};
    int exit_status;
    if (!parse(kind, &settings, argc, argv, &exit_status)) {
        return exit_status;
    }
    const char *folder = settings.output.file;
    int error = cli_check_result_file(folder, "a scene");
    tumble_context *context = NULL;
    if (!error && tumble_context_create(NULL, &context) != TUMBLE_OK) {
        error = cli_memory_error("a context");
    }
    models_world world = {0};
    size_t motions = 0;
    error = error ? error : generate(kind, &settings, &world);
    error = error ? error : cli_write_world(context, &world, folder, &motions);
    if (!error) {
        settings.output.json ? print_json(&world, folder, motions) : print_report(&world, folder, motions);
    }
    models_free_world(&world);
    tumble_context_destroy(context);
    return error;
}
