/* tumble check: do two models intersect, and where? How close are they, and is one inside the other? */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "batches.h"
#include "check_report.h"
#include "collide.h"
#include "commands.h"
#include "message.h"
#include "near.h"
#include "output.h"
#include "progress.h"
#include "two_models.h"

enum {
    OWN_SECTIONS = 6,
    NO_MODE = -1,
    COUNT_MODE = -2 /* TUMBLE_COLLIDE_ALL, without the list */
};

typedef enum surface_question {
    NO_SURFACES,
    FIRST_SURFACES,
    ALL_SURFACES
} surface_question;

typedef struct check_settings {
    cli_two_options two;
    int mode;     /* tumble_collide_mode, COUNT_MODE, or NO_MODE when none was given */
    int surfaces; /* surface_question */
    double clearance;
    int relation;
    int segments;
    int coherence;
    cli_budget budget;
    cli_device_options device;
    cli_output_options output;
} check_settings;

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
     .name = "count",
     .help = "how many pairs intersect, without a list",
     .offset = offsetof(check_settings, mode),
     .value = COUNT_MODE},
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
    {.kind = CLI_NUMBER,
     .name = "clearance",
     .argument = "D",
     .help = "polygons that are at most D apart count as intersecting, in all of these questions. Costs little more "
             "than without, unlike 'tumble distance'",
     .offset = offsetof(check_settings, clearance),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "relation",
     .help = "how they lie as solids: apart, touching, crossing, a-in-b, b-in-a; undefined when their surfaces do not "
             "meet and one that is not closed might contain the other",
     .offset = offsetof(check_settings, relation),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "segments",
     .help = "also where the triangles of each listed pair meet: the two ends of a segment, or a point of a common "
             "plane; with --clearance the closest points of those that do not",
     .offset = offsetof(check_settings, segments),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "no-coherence",
     .help = "with --poses and a budget: each pose on its own. Else a search starts from what the last one has learnt",
     .offset = offsetof(check_settings, coherence),
     .value = 0},
    {.name = NULL}};

static const char description[] = CLI_MODEL_DESCRIPTION
    "The surfaces are compared exactly: touching in one point is an intersection. Polygons are "
    "numbered from 0 in the order of the file.\n\n" CLI_POSE_DESCRIPTION
    "\n\nWith --device many poses are checked at once, by threads or on a graphics processor. Text "
    "then also tells what that took, as JSON does in a last line when there is --stats.";

static const char examples[] =
    "tumble check housing.obj part.stl\n"
    "tumble check housing.obj part.stl --pose-b \"1 0 0 12.5  0 1 0 0  0 0 1 0\" --segments\n"
    "tumble check housing.obj part.stl --surfaces all\n"
    "tumble check housing.tumble part.tumble --poses path.txt --first --json -o result.jsonl\n"
    "tumble check housing.obj part.stl --clearance 0.5 --segments\n"
    "tumble check box.obj ball.obj --relation\n"
    "tumble check housing.obj part.stl --poses path.txt --budget-us 100\n"
    "tumble make poses housing.obj part.stl --count 100000 -o poses.txt\n"
    "tumble check housing.obj part.stl --poses poses.txt --count --device opencl";

static const char exit_status_text[] = "0  no intersection at any pose (with --clearance: nothing that close)\n"
                                       "1  an intersection at some pose; with --relation anything in common\n"
                                       "2  an error; stderr says what to do\n"
                                       "3  neither is known: the budget was spent, or the relation is undefined";

/* What a run of the command holds. */
typedef struct check_run {
    check_settings settings;
    cli_section sections[OWN_SECTIONS + CLI_LOAD_SECTIONS];
    cli_two_models two;
    const struct check_question *question;
    cli_collide collide; /* one of these, as the question needs */
    cli_near near;
    cli_device device;
    cli_batches batches;
    tumble_query *query;
    tumble_relation_result relation;
    cli_output output;
    cli_check_report report;
    cli_step *steps; /* text along a path */
    int seen[3];     /* which answers there were */
} check_run;

static int parse(check_run *check, int argc, char **argv, cli_operands *operands, int *exit_status)
{
    check_settings *settings = &check->settings;
    *settings = (check_settings){.two.load = cli_default_load_options(),
                                 .mode = NO_MODE,
                                 .coherence = 1,
                                 .budget = cli_no_budget(),
                                 .output = cli_default_output_options()};
    check->sections[0] = cli_pose_section(&settings->two);
    check->sections[1] = (cli_section){.title = "Question", .options = question_options, .target = settings};
    check->sections[2] = cli_budget_section(&settings->budget);
    check->sections[3] = cli_device_section(&settings->device);
    check->sections[4] = cli_output_section(&settings->output);
    check->sections[5] = cli_surface_section(&settings->two.load.surfaces);
    cli_load_sections(&settings->two.load, CLI_ASKS_COLLISIONS, check->sections + OWN_SECTIONS);
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
    settings->two.load.surfaces.wanted = settings->surfaces != NO_SURFACES;
    return goes_on;
}

/* ---- what contradicts what ---- */

/* The option that was given; null: none. */
static const char *mode_name(const check_settings *settings)
{
    switch (settings->mode) {
    case TUMBLE_COLLIDE_ALL: return "all";
    case TUMBLE_COLLIDE_FIRST: return "first";
    case TUMBLE_COLLIDE_TEST: return "test";
    case COUNT_MODE: return "count";
    default: return NULL;
    }
}

static int refuse_mixed_questions(const check_settings *settings)
{
    const int all_polygons = settings->mode == TUMBLE_COLLIDE_ALL;
    if (settings->mode != NO_MODE && !all_polygons) {
        return cli_error("--%s and --surfaces ask different questions: leave one of them out", mode_name(settings));
    }
    if (all_polygons && settings->surfaces == FIRST_SURFACES) {
        return cli_error("--surfaces first ends at the first pair: use --surfaces all with --all");
    }
    if (settings->segments && !all_polygons) {
        return cli_error("--segments tells where pairs of polygons meet: use --all --surfaces all with it");
    }
    return 0;
}

/* An option that asks for something which the relation, or an answer within a budget, does not tell; null: none. */
static const char *other_question(const check_settings *settings)
{
    const int counts = settings->mode == TUMBLE_COLLIDE_ALL || settings->mode == COUNT_MODE;
    return counts ? mode_name(settings) : settings->surfaces ? "surfaces" : settings->segments ? "segments" : NULL;
}

static int refuse_with_relation(const check_settings *settings)
{
    const char *name = settings->mode != NO_MODE ? mode_name(settings)
                       : settings->clearance > 0 ? "clearance"
                                                 : other_question(settings);
    if (cli_has_budget(&settings->budget)) {
        return cli_error("--relation takes the time that it needs: leave the budget out, or ask without --relation");
    }
    return name ? cli_error("--relation and --%s ask different questions: leave one of them out", name) : 0;
}

static int refuse_with_budget(const check_settings *settings)
{
    const char *name = other_question(settings);
    return name ? cli_error("with a budget only whether they intersect is asked: leave --%s out", name) : 0;
}

/* Devices know whether polygons intersect, and nothing else. */
static int refuse_with_device(const check_settings *settings)
{
    const char *name = settings->relation                  ? "--relation"
                       : cli_has_budget(&settings->budget) ? "a budget"
                       : settings->clearance > 0           ? "--clearance"
                       : settings->surfaces                ? "--surfaces"
                                                           : NULL;
    if (name) {
        return cli_error("devices do not know %s: leave that or --device out", name);
    }
    if (settings->segments && settings->mode == TUMBLE_COLLIDE_FIRST) {
        return cli_error("devices tell the segments of all pairs only: leave --first or --device out");
    }
    return 0;
}

/* They walk the hierarchies in ways of their own. */
static int refuse_collision_options(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const char *name = cli_collision_option(check->sections + OWN_SECTIONS);
    return name ? cli_error("--%s does nothing together with %s: leave --%s out", name,
                            settings->relation        ? "--relation"
                            : settings->device.device ? "--device"
                                                      : "a budget",
                            name)
                : 0;
}

static int refuse_segments(const check_settings *settings)
{
    if (settings->mode == TUMBLE_COLLIDE_TEST) {
        return cli_error("--test finds no segments: use --first or --all with --segments");
    }
    return settings->mode == COUNT_MODE ? cli_error("--count lists no segments: use --all with --segments") : 0;
}

static int refuse_contradictions(const check_run *check)
{
    const check_settings *settings = &check->settings;
    const int budget = cli_has_budget(&settings->budget);
    const int device = settings->device.device != NULL;
    int error = device               ? refuse_with_device(settings)
                : settings->relation ? refuse_with_relation(settings)
                : budget             ? refuse_with_budget(settings)
                                     : 0;
    if (!error && settings->device.retry && !device) {
        return cli_error("--retry is about what a device fails to do: give --device as well, or leave it out");
    }
    if (!error && !settings->coherence && (!budget || !settings->two.poses)) {
        return cli_error("--no-coherence is about the poses of a path that are asked with a budget: give --poses and a "
                         "budget as well, or leave it out");
    }
    if (!error && (settings->relation || budget || device)) {
        error = refuse_collision_options(check);
    }
    if (!error && settings->segments) {
        error = refuse_segments(settings);
    }
    error = error || !settings->surfaces ? error : refuse_mixed_questions(settings);
    return error ? error : cli_check_surface_options(&settings->two.load.surfaces, "--surfaces");
}

/* ---- the questions ---- */

typedef struct check_question {
    int (*prepare)(check_run *check);
    int (*ask)(check_run *check, const tumble_pose *pose_b);
    cli_step (*step)(const check_run *check);
    void (*json)(const check_run *check, size_t step);
    void (*json_end)(const check_run *check); /* behind all steps; may be null */
    int (*text)(const check_run *check);
    int (*text_path)(const check_run *check);
} check_question;

static tumble_collide_mode mode_of(const check_settings *settings)
{
    if (settings->surfaces == FIRST_SURFACES) {
        return TUMBLE_COLLIDE_FIRST;
    }
    if (settings->mode == COUNT_MODE) {
        return TUMBLE_COLLIDE_ALL;
    }
    if (settings->mode == NO_MODE) {
        return settings->surfaces == ALL_SURFACES ? TUMBLE_COLLIDE_SURFACES : TUMBLE_COLLIDE_ALL;
    }
    return (tumble_collide_mode)settings->mode;
}

static int prepare_collide(check_run *check)
{
    const check_settings *settings = &check->settings;
    const cli_two_models *two = &check->two;
    cli_collide *collide = &check->collide;
    cli_two_warn_of_brute_force(two);
    const int error = cli_collide_begin(collide, two->context, two->models[0], two->models[1]);
    if (error) {
        return error;
    }
    collide->pose_a = two->pose_a;
    collide->options.mode = mode_of(settings);
    collide->options.want_surfaces = settings->surfaces != NO_SURFACES;
    collide->lists_pairs = settings->surfaces == NO_SURFACES || settings->mode == TUMBLE_COLLIDE_ALL;
    cli_set_query_options(&settings->two.load, &collide->options);
    collide->options.want_contacts = settings->segments;
    collide->options.clearance = settings->clearance;
    collide->limit = settings->mode == COUNT_MODE ? 0 : cli_limit_of(&settings->output);
    return 0;
}

static int ask_collide(check_run *check, const tumble_pose *pose_b)
{
    return cli_collide_run(&check->collide, pose_b);
}

static cli_step collide_step(const check_run *check)
{
    return cli_check_step(&check->collide);
}

static void collide_json(const check_run *check, size_t step)
{
    cli_check_json(&check->report, &check->collide, step);
}

static int collide_text(const check_run *check)
{
    return cli_check_text(&check->report, &check->collide);
}

static int collide_text_path(const check_run *check)
{
    return cli_check_text_path(&check->report, &check->collide, check->steps, check->two.path.count);
}

/* Lists that nobody will see are not asked for: text tells how many pairs there are along a path, and no more. */
static int prepare_device(check_run *check)
{
    const check_settings *settings = &check->settings;
    cli_collide *collide = &check->collide;
    int error = prepare_collide(check);
    collide->names_none = collide->options.mode == TUMBLE_COLLIDE_TEST;
    if (collide->names_none || (settings->two.poses && !settings->output.json)) {
        collide->limit = 0;
    }
    error = error ? error
                  : cli_device_open(&check->device, check->two.context, &settings->device,
                                    (uint32_t)settings->two.load.threads, check->two.models);
    return error ? error : cli_batches_begin(&check->batches, &check->device, &check->two.path, collide);
}

/* The batches know the poses. */
static int ask_device(check_run *check, const tumble_pose *pose_b)
{
    (void)pose_b;
    return cli_batches_next(&check->batches, &check->collide);
}

static void device_json_end(const check_run *check)
{
    if (check->report.stats) {
        cli_device_json(check->report.file, &check->device);
    }
}

static int device_text(const check_run *check)
{
    const int error = collide_text(check);
    return error ? error : cli_device_text(check->report.file, &check->device);
}

static int device_text_path(const check_run *check)
{
    const int error = collide_text_path(check);
    return error ? error : cli_device_text(check->report.file, &check->device);
}

static int prepare_relation(check_run *check)
{
    cli_two_warn_of_brute_force(&check->two);
    const tumble_status status = tumble_query_create(check->two.context, &check->query);
    return status == TUMBLE_OK ? 0 : cli_library_error(check->two.context, status, NULL);
}

static int ask_relation(check_run *check, const tumble_pose *pose_b)
{
    const cli_two_models *two = &check->two;
    check->relation = (tumble_relation_result){.size = sizeof check->relation};
    const tumble_status status =
        tumble_relate(check->query, two->models[0], &two->pose_a, two->models[1], pose_b, &check->relation);
    return status == TUMBLE_OK ? 0 : cli_library_error(two->context, status, NULL);
}

static cli_step relation_step(const check_run *check)
{
    return cli_relation_step(&check->relation);
}

static void relation_json(const check_run *check, size_t step)
{
    cli_relation_json(&check->report, &check->relation, step);
}

static int relation_text(const check_run *check)
{
    return cli_relation_text(&check->report, &check->relation);
}

static int relation_text_path(const check_run *check)
{
    return cli_relation_text_path(&check->report, check->steps, check->two.path.count);
}

/* Are they closer than the clearance: a distance that is found out no further than that takes. */
static int prepare_budget(check_run *check)
{
    const check_settings *settings = &check->settings;
    const cli_two_models *two = &check->two;
    cli_near *near = &check->near;
    const int error = cli_near_begin(near, two->context, two->models[0], two->models[1]);
    if (error) {
        return error;
    }
    near->pose_a = two->pose_a;
    near->options.within = near->options.enough = settings->clearance;
    near->options.coherence = settings->two.poses != NULL && settings->coherence;
    near->limit = cli_limit_of(&settings->output);
    cli_set_budget(&settings->budget, &near->options);
    cli_set_distance_options(&settings->two.load, &near->options);
    return 0;
}

static int ask_budget(check_run *check, const tumble_pose *pose_b)
{
    return cli_near_run(&check->near, pose_b);
}

static cli_step budget_step(const check_run *check)
{
    return cli_budget_step(&check->near);
}

static void budget_json(const check_run *check, size_t step)
{
    cli_budget_json(&check->report, &check->near, step);
}

static int budget_text(const check_run *check)
{
    return cli_budget_text(&check->report, &check->near);
}

static int budget_text_path(const check_run *check)
{
    return cli_budget_text_path(&check->report, &check->near, check->steps, check->two.path.count);
}

static const check_question collide_question = {prepare_collide, ask_collide,      collide_step, collide_json, NULL,
                                                collide_text,    collide_text_path};
static const check_question device_question = {prepare_device,  ask_device,  collide_step,    collide_json,
                                               device_json_end, device_text, device_text_path};
static const check_question relation_question = {
    prepare_relation, ask_relation, relation_step, relation_json, NULL, relation_text, relation_text_path};
static const check_question budget_question = {prepare_budget, ask_budget,  budget_step,     budget_json,
                                               NULL,           budget_text, budget_text_path};

/* ---- running ---- */

static int prepare(check_run *check, const cli_operands *operands)
{
    const check_settings *settings = &check->settings;
    cli_two_models *two = &check->two;
    check->question = settings->device.device             ? &device_question
                      : settings->relation                ? &relation_question
                      : cli_has_budget(&settings->budget) ? &budget_question
                                                          : &collide_question;
    int error = refuse_contradictions(check);
    if (!error && settings->device.device) {
        error = cli_find_device(&settings->device, &check->device.number);
    }
    error = error ? error : cli_two_open(two, operands->words, &settings->two, check->sections + OWN_SECTIONS);
    error = error ? error : check->question->prepare(check);
    if (!error && settings->two.poses && !settings->output.json) {
        check->steps = calloc(two->path.count, sizeof *check->steps);
        error = check->steps ? 0 : cli_memory_error("the steps");
    }
    error = error ? error : cli_output_open(&check->output, settings->output.output);
    check->report = (cli_check_report){.file = check->output.file,
                                       .name_a = two->names[0],
                                       .name_b = two->names[1],
                                       .hierarchy = two->hierarchy,
                                       .along_path = settings->two.poses != NULL,
                                       .stats = settings->output.stats,
                                       .surfaces = two->surfaces,
                                       .limit = cli_limit_of(&settings->output),
                                       .uncounted = settings->device.device != NULL};
    return error;
}

static int run_steps(check_run *check, cli_progress *progress)
{
    const cli_path *path = &check->two.path;
    for (size_t i = 0; i < path->count && !ferror(check->output.file); i++) {
        const int error = check->question->ask(check, &path->poses[i]);
        if (error) {
            return error;
        }
        const cli_step step = check->question->step(check);
        check->seen[step.answer] = 1;
        if (check->settings.output.json) {
            check->question->json(check, i);
        } else if (check->steps) {
            check->steps[i] = step;
        }
        if (path->count > 1 && !check->device.device) { /* a device tells its own */
            cli_progress_set(progress, (double)(i + 1) / (double)path->count);
        }
    }
    return 0;
}

static int run(check_run *check)
{
    cli_progress *progress = cli_progress_begin("checking");
    check->device.progress = progress;
    int error = run_steps(check, progress);
    cli_progress_end(progress);
    cli_device_note_retries(&check->device);
    if (!error && check->settings.output.json && check->question->json_end) {
        check->question->json_end(check);
    } else if (!error && !check->settings.output.json) {
        error = check->steps ? check->question->text_path(check) : check->question->text(check);
    }
    if (error) {
        cli_output_discard(&check->output);
        return error;
    }
    return cli_output_close(&check->output);
}

static void clean_up(check_run *check)
{
    cli_device_close(&check->device);
    cli_batches_end(&check->batches, &check->collide);
    cli_collide_end(&check->collide);
    cli_near_end(&check->near);
    tumble_query_destroy(check->query);
    cli_two_close(&check->two);
    free(check->steps);
}

int cli_check(const char *program, int argc, char **argv)
{
    (void)program;
    check_run check = {.steps = NULL};
    cli_operands operands;
    int exit_status;
    if (!parse(&check, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    int error = prepare(&check, &operands);
    error = error ? error : run(&check);
    clean_up(&check);
    cli_obey_interrupts();
    return error ? error : cli_exit_of(check.seen);
}
