/* tumble nearest: which polygons of a model are closest to points, or meet a box or a ball? */
#include "nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "drawing.h"
#include "grow.h"
#include "message.h"
#include "poses.h"

static const cli_choice modes[] = {{"all", TUMBLE_ALL, "all polygons"},
                                   {"first", TUMBLE_FIRST, "one of them"},
                                   {"count", TUMBLE_COUNT, "how many there are"},
                                   {"test", TUMBLE_TEST, "whether there are any: the fastest"},
                                   {NULL, 0, NULL}};

static const cli_option point_options[] = {
    {.kind = CLI_TEXT,
     .name = "point",
     .argument = "\"X Y Z\"",
     .help = "the point",
     .offset = offsetof(cli_nearest_settings, point)},
    {.kind = CLI_TEXT,
     .name = "points",
     .argument = "FILE",
     .help = "many points, one per line: three numbers; - is standard input. # starts a comment",
     .offset = offsetof(cli_nearest_settings, points)},
    {.kind = CLI_NUMBER,
     .name = "count",
     .argument = "K",
     .help = "so many polygons for each point, the nearest first",
     .offset = offsetof(cli_nearest_settings, count),
     .least = 1,
     .most = 1e9,
     .whole = 1,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "within",
     .argument = "D",
     .help = "only polygons within this distance",
     .offset = offsetof(cli_nearest_settings, within),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "signed",
     .help = "distances are negative inside a closed model",
     .offset = offsetof(cli_nearest_settings, is_signed),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "sphere",
     .argument = "R",
     .help = "instead: which polygons meet the solid ball of this radius around --point",
     .offset = offsetof(cli_nearest_settings, sphere),
     .least = 0,
     .most = INFINITY},
    {.kind = CLI_TEXT,
     .name = "box",
     .argument = "\"X Y Z\"",
     .help = "instead: which polygons meet the solid box around --point, given by half of its sides",
     .offset = offsetof(cli_nearest_settings, box)},
    {.kind = CLI_TEXT,
     .name = "turn",
     .argument = "\"W X Y Z\"",
     .help = "turns the box by a quaternion",
     .offset = offsetof(cli_nearest_settings, turn)},
    {.kind = CLI_CHOICE,
     .name = "find",
     .argument = "WHAT",
     .help = "how much to find in a box or a ball",
     .offset = offsetof(cli_nearest_settings, mode),
     .choices = modes,
     .show_default = 1},
    CLI_RADIUS_ROW(cli_nearest_settings, radius),
    {.name = NULL}};

static const cli_option output_options[] = {{.kind = CLI_TEXT,
                                             .name = "picture",
                                             .argument = "FILE",
                                             .help = "draws the model, the point and the closest one: .svg or .png",
                                             .offset = offsetof(cli_nearest_settings, picture)},
                                            CLI_JSON_ROW(cli_nearest_settings, output, "one JSON object"),
                                            CLI_OUTPUT_ROW(cli_nearest_settings, output, "FILE", CLI_OUTPUT_HELP),
                                            {.name = NULL}};

static const char description[] =
    "A is a mesh file (OBJ, OFF, STL, PLY; others through assimp) or a model saved by 'tumble build'; - is standard "
    "input. Finds the polygons of A that are closest to a point, their closest points and their distances, which are "
    "those of exact arithmetic, rounded; or which polygons meet a box or a ball, exactly. Polygons are numbered from 0 "
    "in the order of the file.";

static const char examples[] = "tumble nearest part.obj --point \"0 0 5\"\n"
                               "tumble nearest part.obj --points scan.txt --signed --json\n"
                               "tumble nearest part.obj --point \"0 0 5\" --count 10 --within 2\n"
                               "tumble nearest part.obj --point \"0 0 0\" --sphere 0.5 --find count\n"
                               "tumble nearest part.obj --point \"0 0 0\" --box \"1 2 3\" --turn \"1 0 0 1\"";

/* ---- Points ---- */

static int parse_numbers(const char *text, const char *option, const char *what, double *numbers, size_t count)
{
    return cli_scan_numbers(text, numbers, count) == count
               ? 0
               : cli_error("--%s '%s' is not %s: give %zu numbers", option, text, what, count);
}

static int add_point(cli_nearest_run *run, const double point[3])
{
    double *points = cli_grow(run->points, run->point_count, &run->capacity, 3 * sizeof *points);
    if (!points) {
        return cli_memory_error("the points");
    }
    run->points = points;
    memcpy(run->points + 3 * run->point_count++, point, 3 * sizeof *point);
    return 0;
}

static int read_line(cli_nearest_run *run, char *line, const char *file, size_t number)
{
    double point[3];
    line[strcspn(line, "#\r\n")] = 0;
    const size_t count = cli_scan_numbers(line, point, 3);
    if (count == 0) {
        return 0;
    }
    return count == 3 ? add_point(run, point) : cli_error("%s:%zu: a point is three numbers, \"x y z\"", file, number);
}

static int read_points(const char *name, cli_nearest_run *run)
{
    const int is_stdin = strcmp(name, "-") == 0;
    const char *file_name = is_stdin ? "standard input" : name;
    FILE *file = is_stdin ? stdin : fopen(name, "r");
    char line[1024];
    int error = file ? 0 : cli_error("cannot open %s: check the name", name);
    for (size_t number = 1; !error && fgets(line, sizeof line, file); number++) {
        error = strchr(line, '\n') || feof(file)
                    ? read_line(run, line, file_name, number)
                    : cli_error("%s:%zu: the line is longer than 1000 characters: break it", file_name, number);
    }
    if (!error && ferror(file)) {
        error = cli_error("cannot read %s: check the disk", file_name);
    }
    if (file && !is_stdin) {
        fclose(file);
    }
    return !error && run->point_count == 0 ? cli_error("%s has no points: give one per line", file_name) : error;
}

static int get_points(const cli_nearest_settings *settings, cli_nearest_run *run)
{
    double point[3];
    if (settings->points) {
        return read_points(settings->points, run);
    }
    const int error = parse_numbers(settings->point, "point", "a point", point, 3);
    return error ? error : add_point(run, point);
}

static int check_settings(const cli_nearest_settings *s)
{
    if (!s->point == !s->points) {
        return cli_error("%s", s->point ? "--point and --points exclude each other: leave one out"
                                        : "there is no point: give --point \"x y z\" or --points FILE");
    }
    if (s->points && (cli_nearest_is_shape(s) || s->picture)) {
        return cli_error("--%s needs one point: give --point instead of --points", s->picture ? "picture"
                                                                                   : s->box   ? "box"
                                                                                              : "sphere");
    }
    if (s->box && s->sphere >= 0) {
        return cli_error("--box and --sphere exclude each other: leave one out");
    }
    if (cli_nearest_is_shape(s) && (s->count != 1 || s->within < INFINITY || s->is_signed || s->picture)) {
        return cli_error("--count, --within, --signed and --picture are about distances: leave them out with --%s",
                         s->box ? "box" : "sphere");
    }
    if (!s->box && s->turn) {
        return cli_error("--turn turns a box: give --box too");
    }
    return cli_drawing_check(s->picture, "--picture");
}

/* ---- Questions ---- */

static int find_closest(const cli_nearest_settings *settings, cli_nearest_run *run)
{
    tumble_closest_options options = tumble_default_closest_options();
    const uint64_t polygons = run->one.info.polygon_count;
    const double most = polygons > 0 ? (double)polygons : 1;
    options.count = (size_t)(settings->count < most ? settings->count : most);
    options.within = settings->within;
    options.want_sign = settings->is_signed;
    options.thread_count = 0;
    const tumble_status status =
        tumble_closest_points(run->query, run->one.model, NULL, run->points, run->point_count, &options, &run->closest);
    return status == TUMBLE_OK ? 0 : cli_query_error(run->query, status);
}

/* Where the box is. */
static int place_box(const cli_nearest_settings *settings, cli_nearest_run *run)
{
    double turn[4] = {1, 0, 0, 0};
    int error = parse_numbers(settings->box, "box", "a box", run->half, 3);
    if (!error && settings->turn) {
        error = parse_numbers(settings->turn, "turn", "a quaternion", turn, 4);
    }
    if (error) {
        return error;
    }
    const tumble_status status = tumble_pose_from_quaternion(run->one.context, turn, 1, run->points, &run->box);
    return status == TUMBLE_OK ? 0 : cli_library_error(run->one.context, status, "--turn");
}

static int find_overlap(const cli_nearest_settings *settings, cli_nearest_run *run)
{
    tumble_overlap_options options = tumble_default_overlap_options();
    options.mode = (tumble_mode)settings->mode;
    const int error = settings->box ? place_box(settings, run) : 0;
    if (error) {
        return error;
    }
    const tumble_status status = settings->box ? tumble_overlap_box(run->query, run->one.model, NULL, &run->box,
                                                                    run->half, &options, &run->overlap)
                                               : tumble_overlap_sphere(run->query, run->one.model, NULL, run->points,
                                                                       settings->sphere, &options, &run->overlap);
    return status == TUMBLE_OK ? 0 : cli_query_error(run->query, status);
}

/* Whether a point is on the surface or inside, or something meets the shape. */
static int touches(const cli_nearest_settings *settings, const cli_nearest_run *run)
{
    const size_t each = (size_t)fmin(settings->count, fmax(1, (double)run->one.info.polygon_count));
    int found = run->overlap.overlap;
    for (size_t i = 0; i < run->point_count && run->closest.closest; i++) {
        found |= run->closest.closest[i * each].distance <= 0;
    }
    return found;
}

static int ask(const cli_nearest_settings *settings, cli_nearest_run *run)
{
    const tumble_status status = tumble_query_create(run->one.context, &run->query);
    if (status != TUMBLE_OK) {
        return cli_library_error(run->one.context, status, run->one.name);
    }
    int error = cli_nearest_is_shape(settings) ? find_overlap(settings, run) : find_closest(settings, run);
    error = error ? error : cli_nearest_report(settings, run);
    if (!error && settings->picture) {
        error = cli_nearest_draw(settings, run);
    }
    return error ? error : touches(settings, run) ? CLI_EXIT_INTERSECT : CLI_EXIT_OK;
}

static int run_command(const cli_nearest_settings *settings, const char *file, const cli_section *sections)
{
    cli_nearest_run run = {.query = NULL};
    int error = check_settings(settings);
    error = error ? error : get_points(settings, &run);
    error = error ? error : cli_one_open(&run.one, file, &settings->load, sections, settings->output.file);
    error = error ? error : cli_one_thicken(&run.one, settings->radius);
    error = error ? error : ask(settings, &run);
    tumble_query_destroy(run.query);
    cli_one_close(&run.one);
    free(run.points);
    return error;
}

int cli_nearest_command(const char *program, int argc, char **argv)
{
    (void)program;
    cli_nearest_settings settings = {.mode = TUMBLE_ALL, .count = 1, .within = (double)INFINITY, .sphere = -1};
    cli_section one[CLI_ONE_SECTIONS], sections[CLI_ONE_SECTIONS + 1];
    cli_one_sections(&settings.load, (cli_section){.title = "Output", .options = output_options, .target = &settings},
                     one);
    sections[0] = (cli_section){.title = "Points, boxes and balls", .options = point_options, .target = &settings};
    memcpy(sections + 1, one, sizeof one);
    const cli_usage usage = {.name = "nearest",
                             .purpose = "finds which polygons are closest to points, or in a box or a ball",
                             .usage = "tumble nearest A --point \"X Y Z\" [options]\n"
                                      "tumble nearest A --points FILE [options]",
                             .description = description,
                             .sections = sections,
                             .topics = "hierarchy",
                             .examples = examples,
                             .exit_status = "0  done\n"
                                            "1  a point is on the surface or, with --signed, inside; something meets "
                                            "the box or the ball\n"
                                            "2  an error; stderr says what to do",
                             .least_operands = 1,
                             .most_operands = 1,
                             .operands = "one model"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    return run_command(&settings, operands.words[0], sections + 1);
}
