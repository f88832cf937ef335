/* tumble make ball, capsule, cylinder and polyline: models with a radius, which only saved models can hold. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "grow.h"
#include "json.h"
#include "make.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "output_options.h"
#include "progress.h"
#include "report.h"
#include "tumble/io.h"
#include "tumble/tumble.h"

typedef struct solid_settings {
    double radius, length;
    const char *points;
    cli_output_options output;
} solid_settings;

#define RADIUS_ROW                                                                                                    \
    {                                                                                                                 \
        .kind = CLI_NUMBER, .name = "radius", .argument = "R",                                                        \
        .help = "of the ball or the cylinder, or of the ball that moves", .offset = offsetof(solid_settings, radius), \
        .least = 0, .most = 1e300, .show_default = 1                                                                  \
    }

static const cli_option ball_options[] = {RADIUS_ROW, {.name = NULL}};

static const cli_option capsule_options[] = {RADIUS_ROW,
                                             {.kind = CLI_NUMBER,
                                              .name = "length",
                                              .argument = "L",
                                              .help = "of the segment along z, the axis, centred at the origin",
                                              .offset = offsetof(solid_settings, length),
                                              .least = 0,
                                              .most = 1e300,
                                              .show_default = 1},
                                             {.name = NULL}};

static const cli_option polyline_options[] = {RADIUS_ROW,
                                              {.kind = CLI_TEXT,
                                               .name = "points",
                                               .argument = "FILE",
                                               .help = "the points: three numbers per line, what follows a # is "
                                                       "skipped; - reads standard input",
                                               .offset = offsetof(solid_settings, points)},
                                              {.name = NULL}};

static const cli_option output_options[] = {
    CLI_OUTPUT_ROW(solid_settings, output, "FILE", "the saved model to be written, by convention .tumble"),
    CLI_JSON_ROW(solid_settings, output, "reports what was made as one JSON object"),
    {.name = NULL}};

static const cli_solid solids[] = {{"ball", "a ball around the origin, exact: a point with a radius"},
                                   {"capsule", "everything within a radius of a segment"},
                                   {"cylinder", "with -o FILE.tumble: a cylinder with flat ends, exact"},
                                   {"polyline", "what a ball sweeps along a polyline, such as a ball-end mill's path"},
                                   {NULL, NULL}};

const cli_solid *cli_solids(void)
{
    return solids;
}

/* ---- points ---- */

typedef struct point_list {
    double *numbers;
    size_t count, capacity; /* of points */
} point_list;

static int add_point(point_list *list, const double point[3])
{
    double *numbers = cli_grow(list->numbers, list->count, &list->capacity, 3 * sizeof *numbers);
    if (!numbers) {
        return cli_memory_error("the points");
    }
    list->numbers = numbers;
    memcpy(list->numbers + 3 * list->count++, point, 3 * sizeof *point);
    return 0;
}

/* 1: a point, 0: an empty line, -1: neither. */
static int parse_point(char *line, double point[3])
{
    line[strcspn(line, "#\r\n")] = '\0';
    char *rest = line;
    for (int i = 0; i < 3; i++) {
        char *end;
        point[i] = strtod(rest, &end);
        if (end == rest) {
            return i == 0 && rest[strspn(rest, " \t")] == '\0' ? 0 : -1;
        }
        rest = end + strspn(end, " \t,");
    }
    return *rest == '\0' && isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]) ? 1 : -1;
}

static int read_points(const char *path, point_list *list)
{
    FILE *file = cli_open_text(path, "points");
    if (!file) {
        return CLI_EXIT_ERROR;
    }
    char line[512];
    int error = 0;
    for (size_t number = 1; !error && fgets(line, sizeof line, file); number++) {
        double point[3];
        const int is_point = parse_point(line, point);
        error = is_point < 0 ? cli_error("%s:%zu: give three numbers, x y z", cli_file_name(path), number)
                : is_point   ? add_point(list, point)
                             : 0;
    }
    cli_close_text(file);
    return error ? error : list->count ? 0 : cli_error("%s: there are no points", cli_file_name(path));
}

/* ---- making ---- */

static int create(tumble_context *context, const char *name, const solid_settings *s, tumble_model **model)
{
    const double origin[3] = {0, 0, 0}, low[3] = {0, 0, -s->length / 2}, high[3] = {0, 0, s->length / 2};
    point_list list = {NULL, 0, 0};
    const int error = s->points ? read_points(s->points, &list) : 0;
    if (error) {
        free(list.numbers);
        return error;
    }
    const tumble_status status =
        s->points ? tumble_model_create_polyline(context, list.numbers, list.count, s->radius, NULL, model)
        : strcmp(name, "capsule") == 0  ? tumble_model_create_capsule(context, low, high, s->radius, NULL, model)
        : strcmp(name, "cylinder") == 0 ? tumble_model_create_cylinder(context, low, high, s->radius, NULL, model)
                                        : tumble_model_create_ball(context, origin, s->radius, NULL, model);
    free(list.numbers);
    return status == TUMBLE_OK ? 0 : cli_library_error(context, status, NULL);
}

static int save(tumble_context *context, const char *name, const solid_settings *s, const tumble_model *model)
{
    tumble_model_info info;
    tumble_status status = tumble_model_get_info(model, &info);
    if (status == TUMBLE_OK) {
        cli_hold_interrupts();
        status = tumble_model_save(model, s->output.file);
        cli_release_interrupts();
    }
    if (status != TUMBLE_OK) {
        return cli_library_error(context, status, s->output.file);
    }
    if (!s->output.json) {
        printf("%s: %s of radius %.15g with %s\n", s->output.file, name, info.radius,
               cli_format_number_of(info.polygon_count, "polygon", "polygons").text);
        return 0;
    }
    cli_json json = {.file = stdout};
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "file", s->output.file);
    cli_json_text(&json, "shape", name);
    cli_json_real(&json, "radius", info.radius);
    cli_json_whole(&json, "polygons", info.polygon_count);
    cli_json_close_object(&json);
    return 0;
}

/* A mesh of the same name would hold a polygon without an area, and no radius. */
static int is_mesh_name(const char *file)
{
    static const char *const ends[] = {".obj", ".off", ".stl", ".ply"};
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(dot, ends[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

static int run(const char *name, const solid_settings *settings)
{
    tumble_context *context;
    if (is_mesh_name(settings->output.file)) {
        return cli_error("%s: only saved models hold a %s, not meshes: let the name end with .tumble",
                         settings->output.file, name);
    }
    tumble_model *model = NULL;
    if (tumble_context_create(NULL, &context) != TUMBLE_OK) {
        return cli_memory_error("a context");
    }
    int error = create(context, name, settings, &model);
    error = error ? error : save(context, name, settings, model);
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    return error;
}

int cli_make_solid(const cli_solid *solid, int argc, char **argv)
{
    solid_settings settings = {.radius = 1, .length = 2};
    const int is_polyline = strcmp(solid->name, "polyline") == 0;
    char usage_line[128], example[256];
    snprintf(usage_line, sizeof usage_line, "tumble make %s%s -o FILE.tumble [options]", solid->name,
             is_polyline ? " --points FILE" : "");
    snprintf(example, sizeof example,
             "tumble make %s%s --radius 3 -o %s.tumble\ntumble check part.obj %s.tumble --segments", solid->name,
             is_polyline ? " --points path.txt" : "", solid->name, solid->name);
    const cli_option *own = is_polyline                        ? polyline_options
                            : strcmp(solid->name, "ball") == 0 ? ball_options
                                                               : capsule_options;
    cli_section sections[] = {{.title = "Shape", .options = own, .target = &settings},
                              {.title = "Output", .options = output_options, .target = &settings},
                              {.title = NULL}};
    const cli_usage usage = {.name = "make",
                             .purpose = solid->help,
                             .usage = usage_line,
                             .sections = sections,
                             .examples = example,
                             .exit_status = "0  written\n2  an error, and nothing was written; stderr says what to do",
                             .operands = "one shape"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (!settings.output.file) {
        return cli_error("-o is missing: give -o FILE, as in -o %s.tumble", solid->name);
    }
    if (is_polyline && !settings.points) {
        return cli_error("--points is missing: give a file with three numbers per line");
    }
    const int error = cli_check_result_file(settings.output.file, "a model");
    return error ? error : run(solid->name, &settings);
}
