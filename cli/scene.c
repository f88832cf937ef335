/* tumble scene: which of many objects touch, also along the steps of a motion. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>

#include "commands.h"
#include "files.h"
#include "message.h"
#include "progress.h"

/* ---- Steps ---- */

/* Makes the motions of a step, from number `at` on, which becomes where the next step begins. */
static int move_objects(scene_run *run, size_t *at)
{
    const cli_scene_motion *motions = run->file.motions;
    const uint64_t step = motions[*at].step;
    tumble_status status = TUMBLE_OK;
    for (; *at < run->file.motion_count && motions[*at].step == step && status == TUMBLE_OK; ++*at) {
        status = tumble_scene_move(run->scene, &run->objects[motions[*at].object], &motions[*at].pose, 1);
    }
    run->step = step;
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, run->settings->steps);
}

/* Pairs that touch at the start are not asked about again. */
static int ignore_initial(scene_run *run)
{
    tumble_scene_answer answer;
    int error = cli_scene_ask(run, run->relate, TUMBLE_SCENE_PAIRS, &answer);
    tumble_object_pair *pairs = error ? NULL : malloc((answer.meeting_count + 1) * sizeof *pairs);
    if (error || !pairs) {
        return error ? error : cli_memory_error("the ignored pairs");
    }
    for (uint64_t i = 0; i < answer.meeting_count; i++) {
        pairs[i] = (tumble_object_pair){answer.meetings[i].a, answer.meetings[i].b};
    }
    const tumble_status status = tumble_scene_ignore(run->scene, pairs, answer.meeting_count, true);
    free(pairs);
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, "--ignore-initial");
}

/* The scene as its file has it is step 0; motions of a step 0 come before it is looked at. */
static int run_steps(scene_run *run)
{
    cli_progress *progress = cli_progress_begin("steps");
    size_t at = 0;
    int error = 0;
    if (run->file.motion_count > 0 && run->file.motions[0].step == 0) {
        error = move_objects(run, &at);
    }
    error = error || !run->settings->ignore_initial ? error : ignore_initial(run);
    error = error ? error : cli_scene_tell(run);
    while (!error && at < run->file.motion_count) {
        error = move_objects(run, &at);
        error = error ? error : cli_scene_tell(run);
        cli_progress_set(progress, (double)at / (double)run->file.motion_count);
    }
    cli_progress_end(progress);
    return error;
}

static int run_scene(scene_run *run)
{
    const scene_settings *s = run->settings;
    const cli_file_uses uses = {.inputs = {{"the scene", run->path}, {"--steps", s->steps}, {"--ignore", s->ignore}},
                                .outputs = {{"--output", s->output.file}}};
    int error = cli_check_files(&uses);
    error = error ? error : cli_check_device_options(&s->device);
    error = error ? error : cli_scene_load(run);
    error = error ? error : cli_output_open(&run->out, s->output.file);
    if (error) {
        return error;
    }
    error = run_steps(run);
    if (error) {
        cli_output_discard(&run->out);
        return error;
    }
    cli_scene_tell_end(run);
    error = cli_output_close(&run->out);
    return error ? error : run->touch_count ? CLI_EXIT_INTERSECT : CLI_EXIT_OK;
}

/* ---- The command ---- */

static const cli_choice broads[] = {
#define SCENE_BROAD_CHOICE(name, number, word, text) {word, number, text},
    TUMBLE_BROAD_LIST(SCENE_BROAD_CHOICE)
#undef SCENE_BROAD_CHOICE
        {NULL, 0, NULL}};

static const cli_option question_options[] = {
    {.kind = CLI_NUMBER,
     .name = "clearance",
     .argument = "D",
     .help = "objects within D of each other count as touching",
     .offset = offsetof(scene_settings, clearance),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "relation",
     .help = "also the spatial relation of each pair that is not apart: touching, crossing, a-in-b, b-in-a, undefined",
     .offset = offsetof(scene_settings, relation),
     .value = 1},
    {.kind = CLI_NUMBER,
     .name = "distance",
     .argument = "D",
     .help = "also the distance of each pair that is within D",
     .offset = offsetof(scene_settings, distance),
     .least = 0,
     .most = INFINITY},
    {.kind = CLI_FLAG,
     .name = "nearest",
     .help = "also the nearest pair of all",
     .offset = offsetof(scene_settings, nearest),
     .value = 1},
    {.kind = CLI_TEXT,
     .name = "steps",
     .argument = "FILE",
     .help =
         "moves objects step by step: a line per motion, with the number of the step, the object's name and its new "
         "pose; all motions of a step are made before it is looked at",
     .offset = offsetof(scene_settings, steps)},
    {.kind = CLI_TEXT,
     .name = "ignore",
     .argument = "FILE",
     .help = "leaves pairs of objects out: a line per pair, with two names",
     .offset = offsetof(scene_settings, ignore)},
    {.kind = CLI_FLAG,
     .name = "ignore-initial",
     .help = "leaves out the pairs that touch at step 0, or are within --clearance there, such as parts that stand on "
             "each other or that a joint connects",
     .offset = offsetof(scene_settings, ignore_initial),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "orthonormalise",
     .help = "accepts matrices with few digits: takes the nearest rotation, and the mean scale",
     .offset = offsetof(scene_settings, orthonormalise),
     .value = 1},
    {.kind = CLI_CHOICE,
     .name = "broad",
     .argument = "M",
     .help = "how pairs of objects that are close are found",
     .offset = offsetof(scene_settings, broad),
     .choices = broads,
     .show_default = 1},
    {.name = NULL}};

static const cli_option output_options[] = {{.kind = CLI_NUMBER,
                                             .name = "limit",
                                             .argument = "N",
                                             .help = "lists at most N pairs per step in text (default: 20)",
                                             .offset = offsetof(scene_settings, output.limit),
                                             .least = 0,
                                             .most = 1e15,
                                             .whole = 1},
                                            CLI_JSON_ROW(scene_settings, output, "one JSON object per step"),
                                            CLI_OUTPUT_ROW(scene_settings, output, "FILE", CLI_OUTPUT_HELP),
                                            {.name = NULL}};

static const char description[] =
    "FILE has a line per object: its name, its mesh file and its pose, 12 numbers, the rows of a 3x4 matrix:\n"
    "\n"
    "  # name  mesh            pose\n"
    "  table   table.obj       1 0 0 0  0 1 0 0  0 0 1 0\n"
    "  arm     \"my arm.stl\"    1 0 0 0  0 1 0 0  0 0 1 0.8\n"
    "\n"
    "Mesh files are found relative to FILE, and each is read once. Poses may have any form of 'tumble check --poses'. "
    "The steps' file has a line per motion, the number of the step, the object's name and its new pose:\n"
    "\n"
    "  1 arm  1 0 0 0  0 1 0 0  0 0 1 0.7\n"
    "  2 arm  1 0 0 0  0 1 0 0  0 0 1 0.6\n"
    "\n"
    "The scene as in FILE is step 0. Surfaces are compared exactly: touching in one point is enough. Pairs are listed "
    "in "
    "the order of FILE; of a motion, the pairs that began or ended to touch.";

int cli_scene(const char *program, int argc, char **argv)
{
    (void)program;
    scene_settings settings = {.distance = -1,
                               .broad = TUMBLE_BROAD_TREE,
                               .output = cli_default_output_options(),
                               .load = cli_default_load_options()};
    cli_section device = cli_device_section(&settings.device);
    device.help = "Pairs of objects that are close are compared by threads or on a graphics processor. Distances, "
                  "relations and pairs with a clearance are left to threads.";
    cli_section sections[4 + CLI_LOAD_SECTIONS] = {
        {.title = "Question", .options = question_options, .target = &settings},
        device,
        {.title = "Output", .options = output_options, .target = &settings},
        cli_input_section(&settings.load.input)};
    cli_load_sections(&settings.load, CLI_ASKS_NOTHING, sections + 4);
    const cli_usage usage = {.name = "scene",
                             .purpose = "finds which of many objects touch, also while they move",
                             .usage = "tumble scene FILE [--steps FILE] [options]",
                             .description = description,
                             .sections = sections,
                             .topics = "hierarchy",
                             .examples = "tumble make cell -o cell\n"
                                         "tumble scene cell/scene.txt --steps cell/steps.txt\n"
                                         "tumble scene cell/scene.txt --nearest --json\n"
                                         "tumble scene cell/scene.txt --steps cell/steps.txt --clearance 5 "
                                         "--ignore-initial",
                             .exit_status = "0  nothing touches, at any step\n"
                                            "1  some objects touch, at some step\n"
                                            "2  an error; stderr says what to do",
                             .least_operands = 1,
                             .most_operands = 1,
                             .operands = "one file with a line per object"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    scene_run run = {.settings = &settings, .load_sections = sections + 4, .path = operands.words[0]};
    exit_status = run_scene(&run);
    cli_scene_unload(&run);
    return exit_status;
}
