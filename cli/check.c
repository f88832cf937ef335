/* tumble check: do two models intersect, and where? */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "check_report.h"
#include "collide.h"
#include "commands.h"
#include "load.h"
#include "message.h"
#include "poses.h"
#include "progress.h"

enum {
    TEXT_LIMIT = 20,
    OWN_SECTIONS = 4,
    NO_MODE = -1
};

typedef enum surface_question {
    NO_SURFACES,
    FIRST_SURFACES,
    ALL_SURFACES
} surface_question;

typedef struct check_settings {
    cli_load_options load;
    cli_pose_argument pose_a, pose_b;
    const char *poses;
    int mode;     /* tumble_collide_mode, or NO_MODE when none was given */
    int surfaces; /* surface_question */
    int segments;
    double limit; /* infinity: not given */
    int stats, json;
    const char *output;
} check_settings;

static const cli_option pose_options[] = {
    {.kind = CLI_POSE,
     .name = "pose-a",
     .argument = "M",
     .help = "where A stands (default: where its file puts it)",
     .offset = offsetof(check_settings, pose_a)},
    {.kind = CLI_POSE,
     .name = "pose-b",
     .argument = "M",
     .help = "where B stands",
     .offset = offsetof(check_settings, pose_b)},
    {.kind = CLI_TEXT,
     .name = "poses",
     .argument = "FILE",
     .help =
         "a file with many poses of B, one a line; empty lines and what follows a # are skipped. Instead of --pose-b",
     .offset = offsetof(check_settings, poses)},
    {.name = NULL}};

static const cli_choice surface_questions[] = {{"first", FIRST_SURFACES, "one pair, whichever is found first"},
                                               {"all", ALL_SURFACES, "all pairs, each with one pair of polygons"},
                                               {NULL, 0, NULL}};

static const cli_option question_options[] = {
    {.kind = CLI_FLAG,
     .name = "all",
     .help = "all intersecting pairs of polygons (this is the default)",
     .offset = offsetof(check_settings, mode),
     .value = TUMBLE_COLLIDE_ALL},
    {.kind = CLI_FLAG,
     .name = "first",
     .help = "one intersecting pair, whichever is found first; faster",
     .offset = offsetof(check_settings, mode),
     .value = TUMBLE_COLLIDE_FIRST},
    {.kind = CLI_FLAG,
     .name = "test",
     .help = "only whether they intersect; fastest",
     .offset = offsetof(check_settings, mode),
     .value = TUMBLE_COLLIDE_TEST},
    {.kind = CLI_CHOICE,
     .name = "surfaces",
     .argument = "W",
     .help =
         "pairs of surfaces instead: of each only the first pair of polygons is looked for. With --all the polygons "
         "as well",
     .offset = offsetof(check_settings, surfaces),
     .choices = surface_questions},
    {.kind = CLI_FLAG,
     .name = "segments",
     .help =
         "also where the triangles of each listed pair meet: the two ends of a segment, or a point of a common plane",
     .offset = offsetof(check_settings, segments),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "limit",
     .argument = "N",
     .help = "lists at most N pairs; they are all counted (default: 20 in text, all in JSON)",
     .offset = offsetof(check_settings, limit),
     .least = 0,
     .most = INFINITY,
     .whole = 1},
    {.name = NULL}};

static const cli_option output_options[] = {
    {.kind = CLI_FLAG,
     .name = "stats",
     .help = "also what the query did: box tests (the papers' N_v), box updates (N_u), triangle tests (N_p), exact "
             "tests, bytes touched, time. JSON always has them",
     .offset = offsetof(check_settings, stats),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "json",
     .help = "one JSON object; with --poses one a line",
     .offset = offsetof(check_settings, json),
     .value = 1},
    {.kind = CLI_TEXT,
     .letter = 'o',
     .name = "output",
     .argument = "FILE",
     .help = "writes to a file instead of the terminal",
     .offset = offsetof(check_settings, output)},
    {.name = NULL}};

static const char description[] = "A and B are mesh files (OBJ, OFF, STL, PLY; others such as glTF or 3MF through "
                                  "assimp) or models saved by 'tumble build'. The surfaces are "
                                  "compared exactly: touching in one point is an intersection. Polygons are numbered "
                                  "from 0 in the order of the file.\n\n"
                                  "A pose M is 12 numbers, the three rows of a 3x4 matrix: a rotation times a uniform "
                                  "scale on the left, the translation "
                                  "in the last column. Quote them, or give 12 arguments.";

static const char examples[] =
    "tumble check housing.obj part.stl\n"
    "tumble check housing.obj part.stl --pose-b \"1 0 0 12.5  0 1 0 0  0 0 1 0\" --segments\n"
    "tumble check housing.obj part.stl --surfaces all\n"
    "tumble check housing.tumble part.tumble --poses path.txt --first --json -o result.jsonl";

static const char exit_status_text[] = "0  no intersection at any pose\n"
                                       "1  an intersection at some pose\n"
                                       "2  an error; stderr says what to do";

/* What a run of the command holds. */
typedef struct check_run {
    check_settings settings;
    cli_section sections[OWN_SECTIONS + CLI_LOAD_SECTIONS];
    tumble_context *context;
    tumble_model *models[2]; /* A and B, which may be one */
    cli_surfaces surfaces[2];
    cli_path path;
    cli_collide collide;
    cli_output output;
    cli_check_report report;
    cli_step *steps; /* text along a path */
    char hierarchy[64];
} check_run;

static int parse(check_run *check, int argc, char **argv, cli_operands *operands, int *exit_status)
{
    check_settings *settings = &check->settings;
    *settings = (check_settings){.load = cli_default_load_options(), .mode = NO_MODE, .limit = INFINITY};
    check->sections[0] = (cli_section){.title = "Poses", .options = pose_options, .target = settings};
    check->sections[1] = (cli_section){.title = "Question", .options = question_options, .target = settings};
    check->sections[2] = (cli_section){.title = "Output", .options = output_options, .target = settings};
    check->sections[3] = cli_surface_section(&settings->load.surfaces);
    cli_load_sections(&settings->load, 1, check->sections + OWN_SECTIONS);
    const cli_usage usage = {.name = "check",
                             .purpose = "tells whether and where two models intersect",
                             .usage = "tumble check A B [options]",
                             .description = description,
                             .sections = check->sections,
                             .topics = "hierarchy",
                             .examples = examples,
                             .exit_status = exit_status_text,
                             .least_operands = 2,
                             .most_operands = 2,
                             .operands = "two models, A and B"};
    const int goes_on = cli_parse(&usage, argc, argv, operands, exit_status);
    settings->load.surfaces.wanted = settings->surfaces != NO_SURFACES;
    return goes_on;
}

static int refuse_mixed_questions(const check_settings *settings)
{
    const int all_polygons = settings->mode == TUMBLE_COLLIDE_ALL;
    if (settings->mode == TUMBLE_COLLIDE_FIRST || settings->mode == TUMBLE_COLLIDE_TEST) {
        return cli_error("--%s and --surfaces ask different questions: leave one of them out",
                         settings->mode == TUMBLE_COLLIDE_FIRST ? "first" : "test");
    }
    if (all_polygons && settings->surfaces == FIRST_SURFACES) {
        return cli_error("--surfaces first ends at the first pair: use --surfaces all with --all");
    }
    if (settings->segments && !all_polygons) {
        return cli_error("--segments tells where pairs of polygons meet: use --all --surfaces all with it");
    }
    return 0;
}

static int refuse_contradictions(const check_settings *settings)
{
    if (settings->poses && settings->pose_b.given) {
        return cli_error("--poses and --pose-b both say where B stands: leave one of them out");
    }
    if (settings->segments && settings->mode == TUMBLE_COLLIDE_TEST) {
        return cli_error("--test finds no segments: use --first or --all with --segments");
    }
    const int error = settings->surfaces ? refuse_mixed_questions(settings) : 0;
    return error ? error : cli_check_surface_options(&settings->load.surfaces, "--surfaces");
}

/* ---- preparing ---- */

/* The name of the hierarchy, for JSON; two names when saved models have different ones, which the library compares by
 * brute force. So it does for different k. */
static void name_hierarchy(check_run *check, const char *const paths[2])
{
    tumble_model_options options[2] = {tumble_default_model_options(), tumble_default_model_options()};
    char names[2][24];
    for (int i = 0; i < 2; i++) {
        tumble_model_get_options(check->models[i], &options[i]);
        snprintf(names[i], sizeof names[i], "%s", tumble_hierarchy_name(options[i].hierarchy));
    }
    const tumble_hierarchy a = options[0].hierarchy, b = options[1].hierarchy;
    const int empty = cli_is_empty(check->models[0]) || cli_is_empty(check->models[1]);
    const int other_k = a == TUMBLE_HIERARCHY_KDOP && b == a && options[0].kdop.k != options[1].kdop.k && !empty;
    for (int i = 0; i < 2 && other_k; i++) {
        snprintf(names[i], sizeof names[i], "kdop %u", options[i].kdop.k);
    }
    const int differ = a != b || other_k;
    snprintf(check->hierarchy, sizeof check->hierarchy, "%s%s%s", names[0], differ ? ", " : "", differ ? names[1] : "");
    if (differ && a != TUMBLE_HIERARCHY_BRUTE && b != TUMBLE_HIERARCHY_BRUTE) { /* else it was asked for */
        cli_warning("%s has the hierarchy %s and %s has %s: every triangle is compared with every triangle, which is "
                    "slow; save both with the same %s",
                    paths[0], names[0], paths[1], names[1], other_k ? "--k" : "--hierarchy");
    }
}

/* The poses of B: those of the file, or the one of the option. */
static int read_poses(check_run *check)
{
    const check_settings *settings = &check->settings;
    if (settings->poses) {
        return cli_path_read(check->context, settings->poses, &check->path);
    }
    check->path.poses = malloc(sizeof *check->path.poses);
    if (!check->path.poses) {
        return cli_memory_error("a pose");
    }
    check->path.count = 1;
    return cli_pose_from_argument(check->context, &settings->pose_b, "--pose-b", check->path.poses);
}

static tumble_collide_mode mode_of(const check_settings *settings)
{
    if (settings->surfaces == FIRST_SURFACES) {
        return TUMBLE_COLLIDE_FIRST;
    }
    if (settings->mode == NO_MODE) {
        return settings->surfaces == ALL_SURFACES ? TUMBLE_COLLIDE_SURFACES : TUMBLE_COLLIDE_ALL;
    }
    return (tumble_collide_mode)settings->mode;
}

static int prepare_query(check_run *check)
{
    const check_settings *settings = &check->settings;
    cli_collide *collide = &check->collide;
    const int error = cli_collide_begin(collide, check->context, check->models[0], check->models[1]);
    if (error) {
        return error;
    }
    collide->options.mode = mode_of(settings);
    collide->options.want_surfaces = settings->surfaces != NO_SURFACES;
    collide->lists_pairs = settings->surfaces == NO_SURFACES || settings->mode == TUMBLE_COLLIDE_ALL;
    cli_set_query_options(&settings->load, &collide->options);
    collide->options.want_contacts = settings->segments;
    const double limit = isfinite(settings->limit) ? settings->limit : settings->json ? INFINITY : TEXT_LIMIT;
    collide->limit = limit < 1e18 ? (uint64_t)limit : UINT64_MAX;
    return cli_pose_from_argument(check->context, &settings->pose_a, "--pose-a", &collide->pose_a);
}

static int prepare(check_run *check, const cli_operands *operands)
{
    const check_settings *settings = &check->settings;
    int error = refuse_contradictions(settings);
    error = error ? error : cli_create_context(&settings->load, &check->context);
    error = error ? error : read_poses(check);
    error = error ? error
                  : cli_load_pair(check->context, operands->words, &settings->load, check->sections + OWN_SECTIONS,
                                  check->models, check->surfaces);
    if (!error) {
        name_hierarchy(check, operands->words);
    }
    error = error ? error : prepare_query(check);
    if (!error && settings->poses && !settings->json) {
        check->steps = calloc(check->path.count, sizeof *check->steps);
        error = check->steps ? 0 : cli_memory_error("the steps");
    }
    error = error ? error : cli_output_open(&check->output, settings->output);
    check->report =
        (cli_check_report){check->output.file,      operands->words[0], operands->words[1], check->hierarchy,
                           settings->poses != NULL, settings->stats,    check->surfaces};
    return error;
}

/* ---- running ---- */

/* *any becomes 1 when there is an intersection. */
static int run_steps(check_run *check, cli_progress *progress, int *any)
{
    for (size_t step = 0; step < check->path.count && !ferror(check->output.file); step++) {
        const int error = cli_collide_run(&check->collide, &check->path.poses[step]);
        if (error) {
            return error;
        }
        *any |= check->collide.result.collide;
        if (check->settings.json) {
            cli_check_json(&check->report, &check->collide, step);
        } else if (check->steps) {
            check->steps[step] = cli_check_step(&check->collide);
        }
        if (check->path.count > 1) {
            cli_progress_set(progress, (double)(step + 1) / (double)check->path.count);
        }
    }
    return 0;
}

static int report_text(check_run *check)
{
    return check->steps ? cli_check_text_path(&check->report, &check->collide, check->steps, check->path.count)
                        : cli_check_text(&check->report, &check->collide);
}

static int run(check_run *check, int *any)
{
    cli_progress *progress = cli_progress_begin("checking");
    int error = run_steps(check, progress, any);
    cli_progress_end(progress);
    if (!error && !check->settings.json) {
        error = report_text(check);
    }
    if (error) {
        cli_output_discard(&check->output);
        return error;
    }
    return cli_output_close(&check->output);
}

static void clean_up(check_run *check)
{
    cli_collide_end(&check->collide);
    if (check->models[1] != check->models[0]) {
        tumble_model_destroy(check->models[1]);
        cli_free_surfaces(&check->surfaces[1]);
    }
    cli_free_surfaces(&check->surfaces[0]);
    tumble_model_destroy(check->models[0]);
    cli_path_free(&check->path);
    free(check->steps);
    tumble_context_destroy(check->context);
}

int cli_check(const char *program, int argc, char **argv)
{
    (void)program;
    check_run check = {0};
    cli_operands operands;
    int exit_status, any = 0;
    if (!parse(&check, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    int error = prepare(&check, &operands);
    error = error ? error : run(&check, &any);
    clean_up(&check);
    return error ? error : any ? CLI_EXIT_INTERSECT : CLI_EXIT_OK;
}
