/* tumble make: meshes from the generators; scenes and poses are made elsewhere. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "complete.h"
#include "files.h"
#include "json.h"
#include "make.h"
#include "message.h"
#include "models.h"
#include "options.h"
#include "output.h"
#include "output_options.h"
#include "progress.h"
#include "report.h"
#include "tumble/io.h"
#include "words.h"

typedef struct make_settings {
    double values[MODELS_PARAMETERS];
    double triangles; /* 0: not given */
    double fit;       /* 0: not given */
    int as_float;
    int format;
    cli_output_options output;
} make_settings;

static const cli_choice formats[] = {{"auto", TUMBLE_FORMAT_AUTO, "by the end of the file's name"},
                                     {"obj", TUMBLE_FORMAT_OBJ, "Wavefront OBJ"},
                                     {"off", TUMBLE_FORMAT_OFF, "Object File Format"},
                                     {"stl", TUMBLE_FORMAT_STL, "binary STL: triangles, float coordinates"},
                                     {"stl-text", TUMBLE_FORMAT_STL_TEXT, "STL as text"},
                                     {"ply", TUMBLE_FORMAT_PLY, "binary PLY, little endian"},
                                     {"ply-text", TUMBLE_FORMAT_PLY_TEXT, "PLY as text"},
                                     {NULL, 0, NULL}};

static const cli_option output_options[] = {
    CLI_OUTPUT_ROW(make_settings, output, "FILE", "the file to be written: .obj, .off, .stl or .ply"),
    {.kind = CLI_CHOICE,
     .name = "format",
     .argument = "F",
     .help = "of the file",
     .offset = offsetof(make_settings, format),
     .choices = formats,
     .show_default = 1},
    CLI_JSON_ROW(make_settings, output, "reports what was made as one JSON object"),
    {.name = NULL}};

static const cli_option size_options[] = {
    {.kind = CLI_NUMBER,
     .name = "triangles",
     .argument = "N",
     .help = "about N triangles; chooses the shape's --detail",
     .offset = offsetof(make_settings, triangles),
     .least = 1,
     .most = 1e9,
     .whole = 1},
    {.kind = CLI_NUMBER,
     .name = "fit",
     .argument = "S",
     .help = "scales and shifts the shape so that it fits a cube of side S around the origin",
     .offset = offsetof(make_settings, fit),
     .least = 1e-300,
     .most = 1e300},
    {.kind = CLI_FLAG,
     .name = "float",
     .help = "rounds the coordinates to float; STL files always hold floats",
     .offset = offsetof(make_settings, as_float),
     .value = 1},
    {.name = NULL}};

/* ---- help and options ---- */

static void print_shapes(FILE *file)
{
    fputs("\nShapes:\n", file);
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        const int printed = fprintf(file, "  %s  ", shape->name);
        cli_print_wrapped(file, shape->help, (size_t)printed, 14, CLI_HELP_WIDTH);
    }
    fputs("\nScenes of many objects that move, for 'tumble scene':\n", file);
    for (const models_world_kind *kind = models_worlds(); kind->name; kind++) {
        const int printed = fprintf(file, "  %s  ", kind->name);
        cli_print_wrapped(file, kind->help, (size_t)printed, 14, CLI_HELP_WIDTH);
    }
    fputs("\nModels with a radius, saved as .tumble:\n", file);
    for (const cli_solid *solid = cli_solids(); solid->name; solid++) {
        const int printed = fprintf(file, "  %s  ", solid->name);
        cli_print_wrapped(file, solid->help, (size_t)printed, 14, CLI_HELP_WIDTH);
    }
    fputs("\nAnd for two models:\n"
          "  poses       random poses at which one is about to touch the other\n",
          file);
}

static void shape_options(const models_shape *shape, make_settings *settings, cli_option *options)
{
    models_defaults(shape, settings->values);
    for (size_t i = 0; i < MODELS_PARAMETERS && shape->parameters[i].name; i++) {
        const models_parameter *parameter = &shape->parameters[i];
        options[i] = (cli_option){.kind = CLI_NUMBER,
                                  .name = parameter->name,
                                  .argument = parameter->whole ? "N" : "X",
                                  .help = parameter->help,
                                  .offset = offsetof(make_settings, values) + i * sizeof(double),
                                  .least = parameter->least,
                                  .most = parameter->most,
                                  .whole = parameter->whole,
                                  .show_default = 1};
    }
}

static int general_help(int argc, char **argv)
{
    make_settings settings = {0};
    cli_section sections[] = {{.title = "Output", .options = output_options, .target = &settings},
                              {.title = "Size", .options = size_options, .target = &settings},
                              {.title = NULL}};
    const cli_usage usage = {.name = "make",
                             .purpose = "makes a mesh, a scene, or poses to try checks with",
                             .usage = "tumble make SHAPE -o FILE [options]\n"
                                      "tumble make SHAPE --help\n"
                                      "tumble make SCENE -o DIR [options]\n"
                                      "tumble make poses A B -o FILE [options]",
                             .description = "Each shape has options of its own: 'tumble make gear --help' explains "
                                            "those of a gear. Lengths have no unit.",
                             .print_more = print_shapes,
                             .sections = sections,
                             .examples = "tumble make gear -o gear.obj\n"
                                         "tumble make torus --triangles 100000 -o torus.ply\n"
                                         "tumble make gear --teeth 20 --fit 2 -o gear.stl\n"
                                         "tumble make cell -o cell\n"
                                         "tumble make poses gear.obj torus.ply --count 1000 -o poses.txt",
                             .exit_status = "0  written\n2  an error, and nothing was written; stderr says what to do",
                             .operands = "the name of a shape first"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    return cli_error("no shape: name it first, as in 'tumble make gear -o gear.obj'; 'tumble make --help' lists all");
}

static int unknown_shape(const char *name)
{
    cli_nearest nearest = {name, NULL, 0};
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        cli_nearest_offer(&nearest, shape->name);
    }
    for (const models_world_kind *kind = models_worlds(); kind->name; kind++) {
        cli_nearest_offer(&nearest, kind->name);
    }
    for (const cli_solid *solid = cli_solids(); solid->name; solid++) {
        cli_nearest_offer(&nearest, solid->name);
    }
    cli_nearest_offer(&nearest, "poses");
    if (nearest.best) {
        return cli_error("unknown shape '%s': did you mean '%s'? 'tumble make --help' lists all", name, nearest.best);
    }
    return cli_error("unknown shape '%s': 'tumble make --help' lists all", name);
}

static int parse(const models_shape *shape, make_settings *settings, int argc, char **argv, int *exit_status)
{
    cli_option options[MODELS_PARAMETERS + 1] = {{.name = NULL}};
    shape_options(shape, settings, options);
    char usage_line[128], example[128];
    snprintf(usage_line, sizeof usage_line, "tumble make %s -o FILE [options]", shape->name);
    snprintf(example, sizeof example, "tumble make %s -o %s.obj\ntumble make %s --triangles 100000 -o %s.ply",
             shape->name, shape->name, shape->name, shape->name);
    cli_section sections[] = {{.title = "Shape", .options = options, .target = settings},
                              {.title = "Output", .options = output_options, .target = settings},
                              {.title = "Size", .options = size_options, .target = settings},
                              {.title = NULL}};
    const cli_usage usage = {.name = "make",
                             .purpose = shape->help,
                             .usage = usage_line,
                             .sections = sections,
                             .examples = example,
                             .exit_status = "0  written\n2  an error, and nothing was written; stderr says what to do",
                             .operands = "one shape"};
    cli_operands operands;
    if (!cli_parse(&usage, argc, argv, &operands, exit_status)) {
        return 0;
    }
    if (cli_was_given(&sections[0], "detail") && settings->triangles > 0) {
        *exit_status = cli_error("--triangles chooses the --detail: leave one of them out");
        return 0;
    }
    if (!settings->output.file) {
        *exit_status = cli_error("-o is missing: give -o FILE, as in -o %s.obj", shape->name);
        return 0;
    }
    return 1;
}

/* ---- making ---- */

static int generate(const models_shape *shape, const make_settings *settings, models_mesh *mesh)
{
    cli_progress *progress = cli_progress_begin("making");
    double values[MODELS_PARAMETERS];
    memcpy(values, settings->values, sizeof values);
    if (settings->triangles > 0 && !models_tune(shape, values, (size_t)settings->triangles)) {
        cli_progress_end(progress);
        return cli_error("a %s always has the same number of triangles: leave --triangles out", shape->name);
    }
    shape->make(mesh, values);
    if (settings->fit > 0 && !mesh->failed) {
        models_fit(mesh, settings->fit, settings->as_float);
    }
    cli_progress_end(progress);
    return mesh->failed ? cli_memory_error("the mesh") : 0;
}

static int ends_with(const char *path, const char *end)
{
    const size_t length = strlen(path), other = strlen(end);
    if (length < other) {
        return 0;
    }
    for (size_t i = 0; i < other; i++) {
        const char letter = path[length - other + i];
        if ((letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter) != end[i]) {
            return 0;
        }
    }
    return 1;
}

static int is_stl(const make_settings *settings)
{
    return settings->format == TUMBLE_FORMAT_STL || settings->format == TUMBLE_FORMAT_STL_TEXT ||
           (settings->format == TUMBLE_FORMAT_AUTO && ends_with(settings->output.file, ".stl"));
}

static void round_to_float(models_mesh *mesh)
{
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] = (double)(float)mesh->points[i];
    }
}

static int has_polygons(const models_mesh *mesh)
{
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        if (mesh->polygon_sizes[i] != 3) {
            return 1;
        }
    }
    return 0;
}

/* The library's own triangulation, read off a model. */
static tumble_status triangulate(tumble_context *context, const models_mesh *mesh, models_mesh *out)
{
    const tumble_mesh view = models_view(mesh);
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    tumble_model *model;
    tumble_status status = tumble_model_create(context, &view, &options, &model);
    if (status != TUMBLE_OK) {
        return status;
    }
    double corners[3][3];
    for (uint32_t i = 0; tumble_model_triangle(model, i, corners, NULL) == TUMBLE_OK; i++) {
        const uint32_t first = models_point(out, corners[0][0], corners[0][1], corners[0][2]);
        models_point(out, corners[1][0], corners[1][1], corners[1][2]);
        models_point(out, corners[2][0], corners[2][1], corners[2][2]);
        models_triangle(out, first, first + 1, first + 2);
    }
    tumble_model_destroy(model);
    return TUMBLE_OK;
}

/* STL knows triangles with float coordinates only. */
static int fit_for_stl(tumble_context *context, models_mesh *mesh)
{
    round_to_float(mesh);
    if (!has_polygons(mesh)) {
        return 0;
    }
    models_mesh triangles = {0};
    const tumble_status status = triangulate(context, mesh, &triangles);
    if (status != TUMBLE_OK || triangles.failed) {
        models_free(&triangles);
        return status != TUMBLE_OK ? cli_library_error(context, status, NULL) : cli_memory_error("the triangles");
    }
    models_free(mesh);
    *mesh = triangles;
    return 0;
}

static void report(const models_shape *shape, const make_settings *settings, const models_mesh *mesh)
{
    if (!settings->output.json) {
        printf("%s: %s with %s (%s) and %s\n", settings->output.file, shape->name,
               cli_format_number_of(mesh->polygon_count, "polygon", "polygons").text,
               cli_format_number_of(models_triangle_count(mesh), "triangle", "triangles").text,
               cli_format_number_of(mesh->point_count, "point", "points").text);
        return;
    }
    cli_json json = {.file = stdout};
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "file", settings->output.file);
    cli_json_text(&json, "shape", shape->name);
    cli_json_whole(&json, "polygons", mesh->polygon_count);
    cli_json_whole(&json, "triangles", models_triangle_count(mesh));
    cli_json_whole(&json, "points", mesh->point_count);
    cli_json_close_object(&json);
}

static int write_mesh(tumble_context *context, const make_settings *settings, const models_mesh *mesh)
{
    const tumble_mesh view = models_view(mesh);
    cli_hold_interrupts();
    const tumble_status status =
        tumble_mesh_write(context, &view, settings->output.file, (tumble_format)settings->format);
    cli_release_interrupts();
    if (status == TUMBLE_ERROR_UNSUPPORTED) {
        return cli_error(
            "%s: the name does not give the format: let it end with .obj, .off, .stl or .ply, or give --format",
            settings->output.file);
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, settings->output.file);
}

static int run(const models_shape *shape, const make_settings *settings)
{
    tumble_context *context;
    const tumble_status status = tumble_context_create(NULL, &context);
    if (status != TUMBLE_OK) {
        return cli_memory_error("a context");
    }
    models_mesh mesh = {0};
    int error = generate(shape, settings, &mesh);
    if (!error && settings->as_float) {
        round_to_float(&mesh);
    }
    if (!error && is_stl(settings)) {
        error = fit_for_stl(context, &mesh);
    }
    error = error ? error : write_mesh(context, settings, &mesh);
    if (!error) {
        report(shape, settings, &mesh);
    }
    models_free(&mesh);
    tumble_context_destroy(context);
    return error;
}

static int complete_shape(const char *current)
{
    for (const models_shape *shape = models_shapes(); shape->name; shape++) {
        cli_complete_offer(current, shape->name, shape->help);
    }
    for (const models_world_kind *kind = models_worlds(); kind->name; kind++) {
        cli_complete_offer(current, kind->name, kind->help);
    }
    for (const cli_solid *solid = cli_solids(); solid->name; solid++) {
        if (!models_find_shape(solid->name)) {
            cli_complete_offer(current, solid->name, solid->help);
        }
    }
    cli_complete_offer(current, "poses", "random poses at which one model is about to touch the other");
    cli_complete_offer(current, "--help", "explains the command");
    return CLI_EXIT_OK;
}

static const cli_solid *find_solid(const char *name)
{
    for (const cli_solid *solid = cli_solids(); solid->name; solid++) {
        if (strcmp(name, solid->name) == 0) {
            return solid;
        }
    }
    return NULL;
}

/* A cylinder is a mesh, or a solid where the file is a saved model. */
static int names_saved_model(int argc, char **argv)
{
    int names = 0;
    for (int i = 1; i < argc; i++) {
        names |= ends_with(argv[i], ".tumble");
    }
    return names;
}

int cli_make(const char *program, int argc, char **argv)
{
    (void)program;
    if (argc == 2 && strcmp(argv[1], CLI_COMPLETE) == 0) {
        return complete_shape(argv[0]);
    }
    if (argc == 0 || argv[0][0] == '-') {
        return general_help(argc, argv);
    }
    if (strcmp(argv[0], "poses") == 0) {
        return cli_make_poses(argc - 1, argv + 1);
    }
    const models_world_kind *world = models_find_world(argv[0]);
    if (world) {
        return cli_make_world(world, argc - 1, argv + 1);
    }
    const models_shape *shape = models_find_shape(argv[0]);
    const cli_solid *solid = find_solid(argv[0]);
    if (solid && (!shape || names_saved_model(argc, argv))) {
        return cli_make_solid(solid, argc - 1, argv + 1);
    }
    if (!shape) {
        return unknown_shape(argv[0]);
    }
    make_settings settings = {0};
    int exit_status;
    if (!parse(shape, &settings, argc - 1, argv + 1, &exit_status)) {
        return exit_status;
    }
    const int error = cli_check_result_file(settings.output.file, "a mesh");
    return error ? error : run(shape, &settings);
}
