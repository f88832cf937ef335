/* tumble make poses: random poses at which one model is about to touch the other, to try checks with. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "commands.h"
#include "device_work.h"
#include "files.h"
#include "make.h"
#include "message.h"
#include "models.h"
#include "output.h"
#include "pair_report.h"
#include "report.h"
#include "two_models.h"

typedef struct poses_settings {
    double count, seed, spread;
    cli_device_options device;
    cli_output_options output;
    cli_input_options input;
} poses_settings;

static const cli_option pose_options[] = {
    {.kind = CLI_NUMBER,
     .name = "count",
     .argument = "N",
     .help = "how many poses",
     .offset = offsetof(poses_settings, count),
     .least = 1,
     .most = 1e8,
     .whole = 1,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "spread",
     .argument = "S",
     .help = "how far B is from where it would just touch A, inward or outward: at most S times the radius of B's "
             "bounds",
     .offset = offsetof(poses_settings, spread),
     .least = 1e-6,
     .most = 10,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "seed",
     .argument = "N",
     .help = "of the random numbers: the same one gives the same poses",
     .offset = offsetof(poses_settings, seed),
     .least = 0,
     .most = 9007199254740992,
     .whole = 1,
     .show_default = 1},
    {.name = NULL}};

static const cli_option output_options[] = {
    CLI_OUTPUT_ROW(poses_settings, output, "FILE", "the file to be written, one pose per line"),
    CLI_JSON_ROW(poses_settings, output, "reports what was made as one JSON object"),
    {.name = NULL}};

static const char description[] =
    "A and B are models as for 'tumble check'. For each pose B is turned at random, and moved away from A's centre in "
    "a random direction to about where it just touches A: so about half of the poses intersect, and all are close. "
    "'tumble check A B --poses FILE' takes the file.";

static const char examples[] = "tumble make poses housing.obj part.stl --count 100000 -o poses.txt\n"
                               "tumble check housing.obj part.stl --poses poses.txt --device opencl";

/* ---- where B stands ---- */

/* A pose that has yet to be found: B's centre is at a distance between `free` and `touching` from A's. */
typedef struct pose_search {
    tumble_pose rotation;
    double direction[3];
    double touching, free;
} pose_search;

typedef struct bounds {
    double centre[3], radius;
} bounds;

typedef struct poses_run {
    const poses_settings *settings;
    cli_two_models two;
    bounds bounds[2];
    cli_device device;
    size_t count;
    pose_search *searches;
    tumble_pose *poses;
    tumble_check_answer *answers;
} poses_run;

static int get_bounds(poses_run *run, int which)
{
    tumble_model_info info;
    const int error = cli_get_info(run->two.context, run->two.models[which], run->two.names[which], &info);
    if (error) {
        return error;
    }
    if (info.triangle_count == 0) {
        return cli_error("%s: the model has no polygons to touch: give one that has some", run->two.names[which]);
    }
    bounds *out = &run->bounds[which];
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double half = info.upper[k] / 2 - info.lower[k] / 2;
        out->centre[k] = info.lower[k] + half;
        square += half * half;
    }
    out->radius = sqrt(square);
    return isfinite(out->radius) ? 0
                                 : cli_error("%s: the size of the model is beyond the range of doubles: scale it down",
                                             run->two.names[which]);
}

/* The third column of a random rotation is a random direction. */
static void start_searches(poses_run *run)
{
    models_random random = {(uint64_t)run->settings->seed};
    for (size_t i = 0; i < run->count; i++) {
        pose_search *search = &run->searches[i];
        search->rotation = models_random_rotation(&random);
        const tumble_pose other = models_random_rotation(&random);
        for (int k = 0; k < 3; k++) {
            search->direction[k] = other.m[k][2];
        }
        search->touching = 0;
        search->free = run->bounds[0].radius + run->bounds[1].radius;
    }
}

static tumble_pose pose_at(const poses_run *run, const pose_search *search, double distance)
{
    tumble_pose pose = search->rotation;
    double centre[3];
    tumble_pose_apply(&pose, run->bounds[1].centre, centre);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = run->bounds[0].centre[k] + distance * search->direction[k] - centre[k];
    }
    return pose;
}

/* Which of the poses intersect. */
static int ask(poses_run *run)
{
    tumble_batch batch = tumble_default_batch();
    batch.mode = TUMBLE_TEST;
    batch.check_count = batch.pose_b_count = run->count;
    batch.pairs = &run->device.pair;
    batch.pair_count = 1;
    batch.poses_b = run->poses;
    batch.answers = run->answers;
    tumble_ticket ticket;
    const int error = cli_device_submit(&run->device, &batch, &ticket);
    if (error) {
        return error;
    }
    const int failed = cli_device_wait(&run->device, &batch, ticket, 0);
    run->device.done_count += run->count;
    return failed;
}

/* Halves the distance between touching and free for all poses at once, until it is a small part of the spread. */
static int search_contacts(poses_run *run)
{
    const double width = run->settings->spread * run->bounds[1].radius, all = run->searches[0].free;
    const int rounds = width > 0 ? (int)fmin(fmax(ceil(log2(4 * all / width)), 1), 52) : 1;
    run->device.all_count = (uint64_t)(rounds + 1) * run->count;
    for (int round = 0; round < rounds; round++) {
        for (size_t i = 0; i < run->count; i++) {
            const pose_search *search = &run->searches[i];
            run->poses[i] = pose_at(run, search, (search->touching + search->free) / 2);
        }
        const int error = ask(run);
        if (error) {
            return error;
        }
        for (size_t i = 0; i < run->count; i++) {
            pose_search *search = &run->searches[i];
            const double middle = (search->touching + search->free) / 2;
            *(run->answers[i].collide ? &search->touching : &search->free) = middle;
        }
    }
    return 0;
}

static void spread_poses(poses_run *run)
{
    models_random random = {~(uint64_t)run->settings->seed};
    const double width = run->settings->spread * run->bounds[1].radius;
    for (size_t i = 0; i < run->count; i++) {
        const double distance = run->searches[i].free + models_random_range(&random, -width, width);
        run->poses[i] = pose_at(run, &run->searches[i], distance);
    }
}

static int find_poses(poses_run *run)
{
    cli_progress *progress = run->device.progress = cli_progress_begin("making");
    start_searches(run);
    int error = search_contacts(run);
    if (!error) {
        spread_poses(run);
        error = ask(run);
    }
    cli_progress_end(progress);
    return error;
}

/* ---- the file ---- */

static int write_poses(const poses_run *run)
{
    cli_output output;
    const int error = cli_output_open(&output, run->settings->output.file);
    if (error) {
        return error;
    }
    fprintf(output.file, "# %zu random poses of B near contact: B is %s, A is %s, seed %.0f, spread %.15g\n",
            run->count, run->two.names[1], run->two.names[0], run->settings->seed, run->settings->spread);
    for (size_t i = 0; i < run->count && !ferror(output.file); i++) {
        cli_pose_print(output.file, &run->poses[i]);
    }
    return cli_output_close(&output);
}

static void report(const poses_run *run)
{
    size_t hits = 0;
    for (size_t i = 0; i < run->count; i++) {
        hits += run->answers[i].collide != 0;
    }
    if (!run->settings->output.json) {
        printf("%s: %s of %s, %s of them intersect %s\n", run->settings->output.file,
               cli_format_number_of(run->count, "pose", "poses").text, run->two.names[1], cli_format_count(hits).text,
               run->two.names[0]);
        return;
    }
    cli_json json = {.file = stdout};
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "file", run->settings->output.file);
    cli_json_inputs(&json, &run->two);
    cli_json_whole(&json, "poses", run->count);
    cli_json_whole(&json, "intersect", hits);
    cli_json_close_object(&json);
}

/* ---- the command ---- */

static int reserve(poses_run *run)
{
    run->count = (size_t)run->settings->count;
    run->searches = calloc(run->count, sizeof *run->searches);
    run->poses = calloc(run->count, sizeof *run->poses);
    run->answers = calloc(run->count, sizeof *run->answers);
    return run->searches && run->poses && run->answers ? 0 : cli_memory_error("the poses; --count makes fewer");
}

static int make(poses_run *run, const char *const names[2])
{
    cli_two_options options = {.load = cli_default_load_options()};
    options.load.input = run->settings->input;
    cli_section sections[CLI_LOAD_SECTIONS];
    cli_load_sections(&options.load, CLI_ASKS_NOTHING, sections);
    int error = cli_find_device(&run->settings->device, &run->device.number);
    error = error ? error : cli_two_open(&run->two, names, &options, sections);
    error = error ? error : get_bounds(run, 0);
    error = error ? error : get_bounds(run, 1);
    error = error ? error : reserve(run);
    error = error ? error : cli_device_open(&run->device, run->two.context, &run->settings->device, 0, run->two.models);
    error = error ? error : find_poses(run);
    error = error ? error : write_poses(run);
    if (!error) {
        report(run);
    }
    return error;
}

int cli_make_poses(int argc, char **argv)
{
    poses_settings settings = {
        .count = 1000, .seed = 1, .spread = 0.05, .device = {.device = "cpu"}, .input = cli_default_input_options()};
    cli_section sections[] = {{.title = "Poses", .options = pose_options, .target = &settings},
                              {.title = "Output", .options = output_options, .target = &settings},
                              cli_input_section(&settings.input),
                              cli_device_section(&settings.device),
                              {.title = NULL}};
    const cli_usage usage = {.name = "make",
                             .purpose = "random poses at which B is about to touch A",
                             .usage = "tumble make poses A B -o FILE [options]",
                             .description = description,
                             .sections = sections,
                             .examples = examples,
                             .exit_status = "0  written\n2  an error, and nothing was written; stderr says what to do",
                             .least_operands = 2,
                             .most_operands = 2,
                             .operands = "two models, as in 'tumble make poses A B'"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (!settings.output.file) {
        return cli_error("-o is missing: give -o FILE, as in -o poses.txt");
    }
    const cli_file_uses uses = {.inputs = {{"model A", operands.words[0]}, {"model B", operands.words[1]}},
                                .outputs = {{"--output", settings.output.file}}};
    poses_run run = {.settings = &settings};
    int error = cli_check_result_file(settings.output.file, "poses");
    error = error ? error : cli_check_files(&uses);
    error = error ? error : cli_check_device_options(&settings.device);
    error = error ? error : make(&run, operands.words);
    cli_device_close(&run.device);
    cli_two_close(&run.two);
    free(run.searches);
    free(run.poses);
    free(run.answers);
    cli_obey_interrupts();
    return error;
}
