/* tumble ray: where do rays hit a model, and is a point inside it? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "drawing.h"
#include "drawing_options.h"
#include "grow.h"
#include "message.h"
#include "one_model.h"
#include "poses.h"
#include "ray.h"

static const cli_choice modes[] = {{"first", TUMBLE_FIRST, "the closest hit"},
                                   {"all", TUMBLE_ALL, "all polygons that are hit, in order"},
                                   {"count", TUMBLE_COUNT, "how many polygons are hit"},
                                   {"test", TUMBLE_TEST, "whether anything is hit: the fastest"},
                                   {NULL, 0, NULL}};
static const cli_choice rules[] = {{"parity", TUMBLE_INSIDE_PARITY, "rays cross the surface an odd number of times"},
                                   {"winding", TUMBLE_INSIDE_WINDING, "the surface winds around the point"},
                                   {NULL, 0, NULL}};

static const cli_option ray_options[] = {
    {.kind = CLI_TEXT,
     .name = "origin",
     .argument = "\"X Y Z\"",
     .help = "where the ray starts",
     .offset = offsetof(cli_ray_settings, origin)},
    {.kind = CLI_TEXT,
     .name = "direction",
     .argument = "\"X Y Z\"",
     .help = "where it goes; t counts in lengths of this",
     .offset = offsetof(cli_ray_settings, direction)},
    {.kind = CLI_TEXT,
     .name = "to",
     .argument = "\"X Y Z\"",
     .help = "instead of a direction: a point at which t is 1. With --t1 1 the question is whether one point sees "
             "another",
     .offset = offsetof(cli_ray_settings, to)},
    {.kind = CLI_TEXT,
     .name = "rays",
     .argument = "FILE",
     .help = "many rays, one per line: origin and direction, six numbers; - is standard input. # starts a comment",
     .offset = offsetof(cli_ray_settings, rays)},
    {.kind = CLI_CHOICE,
     .name = "find",
     .argument = "WHAT",
     .help = "how much to find",
     .offset = offsetof(cli_ray_settings, mode),
     .choices = modes,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "t0",
     .argument = "T",
     .help = "the ray starts at origin + T direction",
     .offset = offsetof(cli_ray_settings, t0),
     .least = -INFINITY,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "t1",
     .argument = "T",
     .help = "it ends at origin + T direction, included",
     .offset = offsetof(cli_ray_settings, t1),
     .least = -INFINITY,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "line",
     .help = "the whole line: t from -inf on",
     .offset = offsetof(cli_ray_settings, line),
     .value = 1},
    {.kind = CLI_TEXT,
     .name = "inside",
     .argument = "\"X Y Z\"",
     .help = "no ray: whether this point is inside the model, outside, or on its surface",
     .offset = offsetof(cli_ray_settings, inside)},
    {.kind = CLI_CHOICE,
     .name = "rule",
     .argument = "RULE",
     .help = "what is inside",
     .offset = offsetof(cli_ray_settings, rule),
     .choices = rules,
     .show_default = 1},
    CLI_RADIUS_ROW(cli_ray_settings, radius),
    {.name = NULL}};

static const cli_option output_options[] = {{.kind = CLI_TEXT,
                                             .name = "picture",
                                             .argument = "FILE",
                                             .help = "draws the model, the ray and its hits: .svg or .png",
                                             .offset = offsetof(cli_ray_settings, picture)},
                                            CLI_JSON_ROW(cli_ray_settings, output, "one JSON object"),
                                            CLI_OUTPUT_ROW(cli_ray_settings, output, "FILE", CLI_OUTPUT_HELP),
                                            {.name = NULL}};

static const char description[] =
    "A is a mesh file (OBJ, OFF, STL, PLY; others through assimp) or a model saved by 'tumble build'; - is standard "
    "input. A ray is the points origin + t direction. Which polygons it meets, and in which order, is decided exactly: "
    "a ray through an edge or a corner hits all polygons that share it. Polygons are numbered from 0 in the order of "
    "the file; a polygon is hit on its front where its corners are seen counterclockwise.";

static const char examples[] = "tumble ray part.obj --origin \"0 0 5\" --direction \"0 0 -1\"\n"
                               "tumble ray part.obj --origin \"-9 0 0\" --to \"9 0 0\" --t1 1 --find test\n"
                               "tumble ray part.obj --rays rays.txt --find all --json\n"
                               "tumble ray part.obj --inside \"0.1 0.2 0.3\" --rule winding\n"
                               "tumble ray part.obj --origin \"0 0 5\" --direction \"0 0 -1\" --picture ray.png";

/* ---- The rays ---- */

static int parse_point(const char *text, const char *option, double point[3])
{
    return cli_scan_numbers(text, point, 3) == 3
               ? 0
               : cli_error("--%s '%s' is not a point: give three numbers, \"x y z\"", option, text);
}

static int add_ray(cli_rays *rays, const double numbers[6])
{
    double *origins = cli_grow(rays->origins, rays->count, &rays->origin_capacity, 3 * sizeof *origins);
    rays->origins = origins ? origins : rays->origins;
    double *directions = cli_grow(rays->directions, rays->count, &rays->direction_capacity, 3 * sizeof *directions);
    rays->directions = directions ? directions : rays->directions;
    if (!origins || !directions) {
        return cli_memory_error("the rays");
    }
    memcpy(rays->origins + 3 * rays->count, numbers, 3 * sizeof *numbers);
    memcpy(rays->directions + 3 * rays->count, numbers + 3, 3 * sizeof *numbers);
    rays->count++;
    return 0;
}

static int has_direction(const double numbers[6])
{
    return numbers[3] != 0 || numbers[4] != 0 || numbers[5] != 0;
}

static int read_line(cli_rays *rays, char *line, const char *file, size_t number)
{
    double numbers[6];
    line[strcspn(line, "#\r\n")] = 0;
    const size_t count = cli_scan_numbers(line, numbers, 6);
    if (count == 0) {
        return 0;
    }
    if (count == 6 && !has_direction(numbers)) {
        return cli_error("%s:%zu: the direction of the ray is 0: give another", file, number);
    }
    return count == 6 ? add_ray(rays, numbers)
                      : cli_error("%s:%zu: a ray is six numbers: its origin and its direction", file, number);
}

static int read_rays(const char *name, cli_rays *rays)
{
    const int is_stdin = strcmp(name, "-") == 0;
    const char *file_name = is_stdin ? "standard input" : name;
    FILE *file = is_stdin ? stdin : fopen(name, "r");
    char line[1024];
    int error = file ? 0 : cli_error("cannot open %s: check the name", name);
    for (size_t number = 1; !error && fgets(line, sizeof line, file); number++) {
        error = strchr(line, '\n') || feof(file)
                    ? read_line(rays, line, file_name, number)
                    : cli_error("%s:%zu: the line is longer than 1000 characters: break it", file_name, number);
    }
    if (!error && ferror(file)) {
        error = cli_error("cannot read %s: check the disk", file_name);
    }
    if (file && !is_stdin) {
        fclose(file);
    }
    return !error && rays->count == 0 ? cli_error("%s has no rays: give one per line", file_name) : error;
}

static int make_single(const cli_ray_settings *settings, cli_rays *rays)
{
    double numbers[6];
    int error = parse_point(settings->origin, "origin", numbers);
    if (!error && settings->to) {
        error = parse_point(settings->to, "to", numbers + 3);
        for (int k = 0; k < 3; k++) {
            numbers[3 + k] -= numbers[k];
        }
    } else if (!error) {
        error = parse_point(settings->direction, "direction", numbers + 3);
    }
    if (!error && !has_direction(numbers)) {
        return cli_error("the direction of the ray is 0: give another, or ask about the point with --inside");
    }
    return error ? error : add_ray(rays, numbers);
}

static int check_settings(const cli_ray_settings *s)
{
    if (s->inside && (s->origin || s->rays || s->picture)) {
        return cli_error("--inside asks about a point: leave --%s out", s->origin ? "origin"
                                                                        : s->rays ? "rays"
                                                                                  : "picture");
    }
    if (s->rays && (s->origin || s->direction || s->to)) {
        return cli_error("--rays has all rays: leave --origin, --direction and --to out");
    }
    if (s->rays && s->picture) {
        return cli_error("--picture shows one ray: give --origin and --direction instead of --rays");
    }
    if (!s->inside && !s->rays && (!s->origin || !s->direction == !s->to)) {
        return cli_error("there is no ray: give --origin and either --direction or --to, or --rays FILE");
    }
    if (s->t0 > s->t1) {
        return cli_error("--t0 %g is larger than --t1 %g: exchange them", s->t0, s->t1);
    }
    return cli_drawing_check(s->picture, "--picture");
}

/* ---- All together ---- */

static int cast(const cli_ray_settings *settings, cli_ray_run *run)
{
    tumble_ray_batch batch = tumble_default_ray_batch();
    tumble_ray_options options = tumble_default_ray_options();
    batch.count = run->rays.count, batch.origins = run->rays.origins, batch.directions = run->rays.directions;
    options.mode = (tumble_mode)settings->mode, options.t0 = settings->line ? -(double)INFINITY : settings->t0,
    options.t1 = settings->t1;
    options.thread_count = 0;
    batch.hits = run->closest = malloc(batch.count * sizeof *batch.hits);
    batch.hit_counts = run->hit_counts = malloc(batch.count * sizeof *batch.hit_counts);
    if (!batch.hits || !batch.hit_counts) {
        return cli_memory_error("the hits");
    }
    const tumble_status status = tumble_rays(run->query, run->one.model, NULL, &batch, &options, &run->result);
    return status == TUMBLE_OK ? 0 : cli_query_error(run->query, status);
}

static int locate(const cli_ray_settings *settings, cli_ray_run *run)
{
    tumble_inside_options options = tumble_default_inside_options();
    options.rule = (tumble_inside_rule)settings->rule;
    int error = parse_point(settings->inside, "inside", run->point);
    if (error) {
        return error;
    }
    const tumble_status status =
        tumble_inside(run->query, run->one.model, NULL, run->point, 1, &options, &run->answer, NULL);
    return status == TUMBLE_OK ? 0 : cli_query_error(run->query, status);
}

static int ask(const cli_ray_settings *settings, cli_ray_run *run)
{
    const tumble_status status = tumble_query_create(run->one.context, &run->query);
    if (status != TUMBLE_OK) {
        return cli_library_error(run->one.context, status, run->one.name);
    }
    int error = settings->inside ? locate(settings, run) : cast(settings, run);
    error = error ? error : cli_ray_report(settings, run);
    if (!error && settings->picture) {
        error = cli_ray_draw(settings, run);
    }
    const int holds = run->answer.place == TUMBLE_PLACE_INSIDE || run->answer.place == TUMBLE_PLACE_ON_SURFACE;
    const int yes = settings->inside ? holds : run->result.hit;
    const int unknown = settings->inside && run->answer.place == TUMBLE_PLACE_UNDEFINED;
    return error ? error : unknown ? CLI_EXIT_MAYBE : yes ? CLI_EXIT_INTERSECT : CLI_EXIT_OK;
}

static int run_command(const cli_ray_settings *settings, const char *file, const cli_section *sections)
{
    cli_ray_run run = {.query = NULL};
    int error = check_settings(settings);
    if (!error && !settings->inside) {
        error = settings->rays ? read_rays(settings->rays, &run.rays) : make_single(settings, &run.rays);
    }
    error = error ? error : cli_one_open(&run.one, file, &settings->load, sections, settings->output.file);
    error = error ? error : cli_one_thicken(&run.one, settings->radius);
    error = error ? error : ask(settings, &run);
    tumble_query_destroy(run.query);
    cli_one_close(&run.one);
    free(run.rays.origins);
    free(run.rays.directions);
    free(run.closest);
    free(run.hit_counts);
    return error;
}

int cli_ray(const char *program, int argc, char **argv)
{
    (void)program;
    cli_ray_settings settings = {.mode = TUMBLE_FIRST, .t0 = 0, .t1 = (double)INFINITY};
    cli_section one[CLI_ONE_SECTIONS], sections[CLI_ONE_SECTIONS + 1];
    cli_one_sections(&settings.load, (cli_section){.title = "Output", .options = output_options, .target = &settings},
                     one);
    sections[0] = (cli_section){.title = "Rays and points", .options = ray_options, .target = &settings};
    memcpy(sections + 1, one, sizeof one);
    const cli_usage usage = {.name = "ray",
                             .purpose = "finds where rays hit a model, and whether points are inside",
                             .usage = "tumble ray A --origin \"X Y Z\" --direction \"X Y Z\" [options]\n"
                                      "tumble ray A --rays FILE [options]\n"
                                      "tumble ray A --inside \"X Y Z\" [options]",
                             .description = description,
                             .sections = sections,
                             .topics = "hierarchy",
                             .examples = examples,
                             .exit_status = "0  nothing is hit; the point is outside\n"
                                            "1  something is hit; the point is inside or on the surface\n"
                                            "2  an error; stderr says what to do\n"
                                            "3  unknown: the point is not on the surface of an open model",
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
