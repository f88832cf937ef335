/* tumble scene: which of many objects touch, also along the steps of a motion. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "files.h"
#include "load.h"
#include "message.h"
#include "output.h"
#include "output_options.h"
#include "progress.h"
#include "report.h"
#include "scene_file.h"
#include "tumble/scene.h"

typedef struct scene_settings {
    double clearance, distance; /* the second is negative when it was not given */
    int relation, nearest;
    const char *steps;
    int orthonormalise;
    int broad;
    cli_output_options output;
    cli_load_options load;
} scene_settings;

typedef struct scene_run {
    const scene_settings *settings;
    const cli_section *load_sections;
    tumble_context *context;
    cli_scene_file file;
    tumble_model **models; /* of the objects; those with the same mesh have the same one */
    tumble_model **owned;  /* each once */
    size_t owned_count;
    tumble_scene *scene;
    tumble_object *objects;
    tumble_query *query, *relate, *near; /* one for each question: each has events of its own */
    cli_output out;
    uint64_t step;
    int touches; /* at some step */
} scene_run;

/* ---- Loading ---- */

typedef struct mesh_of {
    const char *mesh;
    size_t object;
} mesh_of;

static int compare_meshes(const void *a, const void *b)
{
    const mesh_of *x = a, *y = b;
    const int order = strcmp(x->mesh, y->mesh);
    return order ? order : x->object < y->object ? -1 : 1;
}

static int load_mesh(scene_run *run, const char *path, tumble_model **out)
{
    cli_surfaces surfaces = {0};
    cli_frame frame;
    const int error =
        cli_load_model(run->context, path, &run->settings->load, run->load_sections, out, &surfaces, &frame);
    cli_free_surfaces(&surfaces);
    return error;
}

/* Each mesh once, in the order of their names. */
static int load_models(scene_run *run)
{
    const size_t count = run->file.object_count;
    mesh_of *meshes = malloc(count * sizeof *meshes);
    run->models = calloc(count, sizeof *run->models);
    run->owned = calloc(count, sizeof *run->owned);
    if (!meshes || !run->models || !run->owned) {
        free(meshes);
        return cli_memory_error("the models");
    }
    for (size_t i = 0; i < count; i++) {
        meshes[i] = (mesh_of){run->file.objects[i].mesh, i};
    }
    qsort(meshes, count, sizeof *meshes, compare_meshes);
    int error = 0;
    for (size_t i = 0; i < count && !error; i++) {
        const int is_same = i > 0 && strcmp(meshes[i].mesh, meshes[i - 1].mesh) == 0;
        tumble_model **model = &run->models[meshes[i].object];
        if (is_same) {
            *model = run->models[meshes[i - 1].object];
        } else {
            error = load_mesh(run, meshes[i].mesh, model);
            run->owned[run->owned_count] = *model;
            run->owned_count += !error;
        }
    }
    free(meshes);
    return error;
}

static int create_scene(scene_run *run)
{
    const size_t count = run->file.object_count;
    tumble_scene_options options = tumble_default_scene_options();
    options.broad = (tumble_broad)run->settings->broad;
    tumble_part *parts = calloc(count, sizeof *parts);
    run->objects = calloc(count, sizeof *run->objects);
    if (!parts || !run->objects) {
        free(parts);
        return cli_memory_error("the scene");
    }
    for (size_t i = 0; i < count; i++) {
        parts[i] = tumble_default_part();
        parts[i].model = run->models[i];
        parts[i].pose = run->file.objects[i].pose;
    }
    tumble_status status = tumble_scene_create(run->context, &options, &run->scene);
    status = status ? status : tumble_scene_add(run->scene, parts, count, run->objects);
    status = status ? status : tumble_query_create(run->context, &run->query);
    status = status ? status : tumble_query_create(run->context, &run->relate);
    status = status ? status : tumble_query_create(run->context, &run->near);
    free(parts);
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, "the scene");
}

/* ---- Answers ---- */

static const char *name_of(const scene_run *run, tumble_object object)
{
    return run->file.objects[object.index].name; /* objects are added in the order of the file, and stay */
}

static void json_names(const scene_run *run, cli_json *json, tumble_object a, tumble_object b)
{
    cli_json_open_array(json, NULL);
    cli_json_text(json, NULL, name_of(run, a));
    cli_json_text(json, NULL, name_of(run, b));
}

static void json_meetings(const scene_run *run, cli_json *json, const char *key, const tumble_scene_answer *answer,
                          int only_new)
{
    cli_json_open_array(json, key);
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        const tumble_meeting *meeting = &answer->meetings[i];
        if (!only_new || meeting->event == TUMBLE_BEGAN) {
            json_names(run, json, meeting->a, meeting->b);
            cli_json_close_array(json);
        }
    }
    cli_json_close_array(json);
}

static void json_touching(const scene_run *run, cli_json *json, const tumble_scene_answer *answer)
{
    json_meetings(run, json, "pairs", answer, 0);
    json_meetings(run, json, "began", answer, 1);
    cli_json_open_array(json, "ended");
    for (uint64_t i = 0; i < answer->ended_count; i++) {
        json_names(run, json, answer->ended[i].a, answer->ended[i].b);
        cli_json_close_array(json);
    }
    cli_json_close_array(json);
}

static int ask(scene_run *run, tumble_query *query, tumble_scene_mode mode, tumble_scene_answer *answer)
{
    tumble_scene_question question = tumble_default_scene_question();
    question.mode = mode;
    question.clearance = mode <= TUMBLE_SCENE_ALL ? run->settings->clearance : 0;
    question.within = mode == TUMBLE_SCENE_DISTANCE ? run->settings->distance : INFINITY;
    const tumble_status status = tumble_scene_collide(query, run->scene, &question, answer);
    return status == TUMBLE_OK ? 0 : cli_query_error(query, status);
}

/* What else is asked, each with a line per pair. */
typedef struct extra {
    const char *key;    /* in JSON */
    const char *phrase; /* in text */
    tumble_scene_mode mode;
} extra;

static const extra relations = {"relations", "not apart", TUMBLE_SCENE_RELATE};
static const extra distances = {"distances", "within the distance", TUMBLE_SCENE_DISTANCE};
static const extra nearest = {"nearest", "nearest", TUMBLE_SCENE_NEAREST};

static void json_extra(const scene_run *run, cli_json *json, const extra *what, const tumble_scene_answer *answer)
{
    cli_json_open_array(json, what->key);
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        const tumble_meeting *meeting = &answer->meetings[i];
        json_names(run, json, meeting->a, meeting->b);
        if (what->mode == TUMBLE_SCENE_RELATE) {
            cli_json_text(json, NULL, tumble_relation_name(meeting->relation));
        } else {
            cli_json_real(json, NULL, meeting->nearest.distance);
        }
        cli_json_close_array(json);
    }
    cli_json_close_array(json);
}

static int text_extra(const scene_run *run, const extra *what, const tumble_scene_answer *answer)
{
    FILE *file = run->out.file;
    cli_table table = {.alignments = "lll"};
    fprintf(file, "  %s: %s\n", what->phrase,
            answer->meeting_count ? cli_format_number_of(answer->meeting_count, "pair", "pairs").text : "none");
    const uint64_t limit = cli_limit_of(&run->settings->output);
    for (uint64_t i = 0; i < answer->meeting_count && i < limit; i++) {
        const tumble_meeting *meeting = &answer->meetings[i];
        cli_table_add(&table, "%s", name_of(run, meeting->a));
        cli_table_add(&table, "%s", name_of(run, meeting->b));
        if (what->mode == TUMBLE_SCENE_RELATE) {
            cli_table_add(&table, "%s", tumble_relation_name(meeting->relation));
        } else {
            cli_table_add(&table, "%.6g", meeting->nearest.distance);
        }
    }
    return cli_table_print(&table, file, 4);
}

static int tell_extra(scene_run *run, cli_json *json, tumble_query *query, const extra *what)
{
    tumble_scene_answer answer;
    int error = ask(run, query, what->mode, &answer);
    if (!error && json) {
        json_extra(run, json, what, &answer);
    } else if (!error) {
        error = text_extra(run, what, &answer);
    }
    return error;
}

static int tell_extras(scene_run *run, cli_json *json)
{
    const scene_settings *s = run->settings;
    int error = s->relation ? tell_extra(run, json, run->relate, &relations) : 0;
    error = error || s->distance < 0 ? error : tell_extra(run, json, run->near, &distances);
    return error || !s->nearest ? error : tell_extra(run, json, run->near, &nearest);
}

static int text_touching(const scene_run *run, const tumble_scene_answer *answer)
{
    FILE *file = run->out.file;
    uint64_t began = 0;
    for (uint64_t i = 0; i < answer->meeting_count; i++) {
        began += answer->meetings[i].event == TUMBLE_BEGAN;
    }
    if (run->settings->steps) {
        fprintf(file, "step %" PRIu64 ": ", run->step);
    }
    if (answer->meeting_count == 0) {
        fputs("nothing touches", file);
    } else {
        fprintf(file, "%s %s", cli_format_number_of(answer->meeting_count, "pair", "pairs").text,
                answer->meeting_count == 1 ? "touches" : "touch");
    }
    if (run->settings->steps) {
        fprintf(file, " (%" PRIu64 " began, %" PRIu64 " ended)", began, answer->ended_count);
    }
    fputc('\n', file);
    const uint64_t limit = cli_limit_of(&run->settings->output);
    cli_table table = {.alignments = "ll"};
    for (uint64_t i = 0; i < answer->meeting_count && i < limit; i++) {
        cli_table_add(&table, "%s", name_of(run, answer->meetings[i].a));
        cli_table_add(&table, "%s", name_of(run, answer->meetings[i].b));
    }
    const int error = cli_table_print(&table, file, 2);
    if (!error && answer->meeting_count > limit) {
        fprintf(file, "  ... and %s more: --limit %" PRIu64 " lists them all\n",
                cli_format_number_of(answer->meeting_count - limit, "pair", "pairs").text, answer->meeting_count);
    }
    return error;
}

static int tell_step(scene_run *run)
{
    tumble_scene_answer answer;
    int error = ask(run, run->query, TUMBLE_SCENE_PAIRS, &answer);
    if (error) {
        return error;
    }
    run->touches |= answer.touch;
    if (!run->settings->output.json) {
        error = text_touching(run, &answer);
        return error ? error : tell_extras(run, NULL);
    }
    cli_json json = {.file = run->out.file};
    cli_json_open_object(&json, NULL);
    cli_json_whole(&json, "step", run->step);
    json_touching(run, &json, &answer);
    error = tell_extras(run, &json);
    cli_json_close_object(&json);
    return error;
}

/* ---- Steps ---- */

/* Makes the motions of a step, from number `at` on; returns where the next step begins. */
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

/* The scene as its file has it is step 0; motions of a step 0 come before it is looked at. */
static int run_steps(scene_run *run)
{
    cli_progress *progress = cli_progress_begin("steps");
    size_t at = 0;
    int error = 0;
    if (run->file.motion_count > 0 && run->file.motions[0].step == 0) {
        error = move_objects(run, &at);
    }
    error = error ? error : tell_step(run);
    while (!error && at < run->file.motion_count) {
        error = move_objects(run, &at);
        error = error ? error : tell_step(run);
        cli_progress_set(progress, (double)at / (double)run->file.motion_count);
    }
    cli_progress_end(progress);
    return error;
}

static int run_scene(scene_run *run, const char *path)
{
    const scene_settings *s = run->settings;
    const cli_file_uses uses = {.inputs = {{"the scene", path}, {"--steps", s->steps}},
                                .outputs = {{"--output", s->output.file}}};
    int error = cli_check_files(&uses);
    error = error ? error : cli_create_context(&s->load, &run->context);
    error = error ? error : cli_scene_read(run->context, path, s->orthonormalise, &run->file);
    error = error || !s->steps ? error : cli_scene_read_motions(run->context, s->steps, s->orthonormalise, &run->file);
    error = error ? error : load_models(run);
    error = error ? error : create_scene(run);
    error = error ? error : cli_output_open(&run->out, s->output.file);
    if (error) {
        return error;
    }
    error = run_steps(run);
    if (error) {
        cli_output_discard(&run->out);
        return error;
    }
    error = cli_output_close(&run->out);
    return error ? error : run->touches ? CLI_EXIT_INTERSECT : CLI_EXIT_OK;
}

static void close_scene(scene_run *run)
{
    tumble_query_destroy(run->query);
    tumble_query_destroy(run->relate);
    tumble_query_destroy(run->near);
    tumble_scene_destroy(run->scene);
    for (size_t i = 0; i < run->owned_count; i++) {
        tumble_model_destroy(run->owned[i]);
    }
    free(run->models);
    free(run->owned);
    free(run->objects);
    cli_scene_free(&run->file);
    tumble_context_destroy(run->context);
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

static const cli_option output_options[] = {
    {.kind = CLI_NUMBER,
     .name = "limit",
     .argument = "N",
     .help = "lists at most N pairs per step in text; all are counted (default: 20)",
     .offset = offsetof(scene_settings, output.limit),
     .least = 0,
     .most = 1e15,
     .whole = 1},
    CLI_JSON_ROW(scene_settings, output, "one JSON object per step"),
    CLI_OUTPUT_ROW(scene_settings, output, "FILE", CLI_OUTPUT_HELP),
    {.name = NULL}};

static const char description[] =
    "FILE has a line per object: its name, its mesh file, and its pose as 12 numbers, the rows of a 3x4 matrix, or in "
    "any other form that 'tumble check --poses' takes; # starts a comment. Meshes are found relative to FILE, and read "
    "once. The surfaces are compared exactly: touching in one point is enough. Pairs are listed in the order of FILE.";

int cli_scene(const char *program, int argc, char **argv)
{
    (void)program;
    scene_settings settings = {.distance = -1,
                               .broad = TUMBLE_BROAD_TREE,
                               .output = cli_default_output_options(),
                               .load = cli_default_load_options()};
    cli_section sections[3 + CLI_LOAD_SECTIONS] = {
        {.title = "Question", .options = question_options, .target = &settings},
        {.title = "Output", .options = output_options, .target = &settings},
        cli_input_section(&settings.load.input)};
    cli_load_sections(&settings.load, CLI_ASKS_NOTHING, sections + 3);
    const cli_usage usage = {.name = "scene",
                             .purpose = "finds which of many objects touch, also while they move",
                             .usage = "tumble scene FILE [--steps FILE] [options]",
                             .description = description,
                             .sections = sections,
                             .topics = "hierarchy",
                             .examples = "tumble scene cell.txt\n"
                                         "tumble scene cell.txt --steps motion.txt --json\n"
                                         "tumble scene cell.txt --clearance 0.01 --nearest",
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
    scene_run run = {.settings = &settings, .load_sections = sections + 3};
    exit_status = run_scene(&run, operands.words[0]);
    close_scene(&run);
    return exit_status;
}
