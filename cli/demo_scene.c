/* tumble demo scene: a robot arm carries a part through a cell. What touches, when, where, and how long does a step
 * take? */
#include "demo_scene.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grow.h"
#include "load.h"
#include "message.h"
#include "output.h"
#include "plot.h"
#include "progress.h"
#include "report.h"
#include "world_files.h"

enum {
    DEFAULT_STEPS = 240,
    ROUNDS = 5
};

static const cli_option demo_options[] = {
    {.kind = CLI_NUMBER,
     .name = "steps",
     .argument = "N",
     .help = "steps of the motion",
     .offset = offsetof(scene_demo_settings, steps),
     .least = 2,
     .most = 1e6,
     .whole = 1,
     .show_default = 1},
    CLI_OUTPUT_ROW(scene_demo_settings, output, "DIR", "the folder for the files; created if missing (default: out)"),
    CLI_JSON_ROW(scene_demo_settings, output, "the results as one JSON object"),
    {.name = NULL}};

/* ---- Computing ---- */

static int prepare(scene_demo *demo)
{
    double values[MODELS_PARAMETERS];
    const models_world_kind *cell = models_find_world("cell");
    models_world_defaults(cell, values);
    values[0] = demo->settings.steps;
    int error = cli_create_context(&demo->settings.load, &demo->context);
    if (!error && !models_make_world(&demo->world, cell, values)) {
        error = cli_memory_error("the robot cell");
    }
    if (error) {
        return error;
    }
    const tumble_tuning tuning = cli_tuning(&demo->settings.load, CLI_ROLE_NONE);
    const tumble_model_options options = cli_model_options(&demo->settings.load, &tuning);
    tumble_status status = tumble_scene_create(demo->context, NULL, &demo->scene);
    if (status == TUMBLE_OK && (status = tumble_query_create(demo->context, &demo->query)) == TUMBLE_OK) {
        status = models_open_stage(demo->context, &demo->world, &options, demo->scene, &demo->stage);
    }
    for (size_t i = 0; i < demo->world.object_count; i++) {
        demo->moving_count += (demo->world.objects[i].group & MODELS_GROUP_MOVING) != 0;
    }
    demo->steps = calloc(demo->world.step_count, sizeof *demo->steps);
    return status != TUMBLE_OK ? cli_library_error(demo->context, status, "the robot cell")
           : demo->steps       ? 0
                               : cli_memory_error("the steps");
}

static int add_touch(scene_demo *demo, const tumble_meeting *meeting, size_t step)
{
    scene_demo_touch *touches = cli_grow(demo->touches, demo->touch_count, &demo->touch_capacity, sizeof *touches);
    if (!touches) {
        return cli_memory_error("the contacts");
    }
    demo->touches = touches;
    demo->touches[demo->touch_count++] = (scene_demo_touch){meeting->a.index, meeting->b.index, step, step};
    return 0;
}

/* Objects were added in the order of the world, so that indices are their numbers. */
static int follow_touch(scene_demo *demo, const tumble_meeting *meeting, size_t step)
{
    for (size_t i = demo->touch_count; i-- > 0 && meeting->event == TUMBLE_CONTINUES;) {
        scene_demo_touch *touch = &demo->touches[i];
        if (touch->a == meeting->a.index && touch->b == meeting->b.index && touch->last + 1 == step) {
            touch->last = step;
            return 0;
        }
    }
    return add_touch(demo, meeting, step);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The shortest time of all rounds is the step's own: what is longer, other programs have taken. */
static int take_step(scene_demo *demo, size_t step, int round)
{
    tumble_scene_answer answer;
    models_stage *stage = &demo->stage;
    models_plan_stage(stage, &demo->world, step);
    const double start = now();
    tumble_status status = stage->moved_count
                               ? tumble_scene_move(demo->scene, stage->moved, stage->moved_poses, stage->moved_count)
                               : TUMBLE_OK;
    if (status != TUMBLE_OK) {
        return cli_library_error(demo->context, status, "the robot cell");
    }
    status = tumble_scene_collide(demo->query, demo->scene, NULL, &answer);
    if (status != TUMBLE_OK) {
        return cli_query_error(demo->query, status);
    }
    const double seconds = now() - start;
    scene_demo_step *entry = &demo->steps[step];
    if (round == 0 || seconds < entry->seconds) {
        *entry = (scene_demo_step){answer.candidate_count, answer.meeting_count, seconds};
    }
    int error = 0;
    for (uint64_t i = 0; i < answer.meeting_count && round == 0 && !error; i++) {
        error = follow_touch(demo, &answer.meetings[i], step);
    }
    return error;
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int find_times(scene_demo *demo)
{
    const size_t count = demo->world.step_count;
    double *times = malloc(count * sizeof *times);
    if (!times) {
        return cli_memory_error("the times");
    }
    for (size_t i = 0; i < count; i++) {
        const scene_demo_step *step = &demo->steps[i];
        times[i] = step->seconds;
        demo->most_candidates = step->candidates > demo->most_candidates ? step->candidates : demo->most_candidates;
    }
    qsort(times, count, sizeof *times, compare_times);
    demo->median_time = times[count / 2];
    demo->worst_time = times[count - 1];
    free(times);
    return 0;
}

static int measure(scene_demo *demo)
{
    cli_progress *progress = cli_progress_begin("moving the arm");
    const size_t count = demo->world.step_count;
    int error = 0;
    for (int round = 0; round < ROUNDS && !error; round++) {
        for (size_t step = 0; step < count && !error; step++) {
            error = take_step(demo, step, round);
            cli_progress_set(progress, ((double)round + (double)step / (double)count) / ROUNDS);
        }
    }
    cli_progress_end(progress);
    return error ? error : find_times(demo);
}

/* The place of the first contact, which the measured questions did not ask for. */
static int locate(scene_demo *demo)
{
    if (demo->touch_count == 0) {
        return 0;
    }
    const scene_demo_touch *first = &demo->touches[0];
    tumble_scene_question question = tumble_default_scene_question();
    tumble_scene_answer answer;
    question.mode = TUMBLE_SCENE_ALL;
    question.want_contacts = true;
    tumble_status status = models_move_stage(&demo->stage, &demo->world, first->first, demo->scene);
    if (status != TUMBLE_OK) {
        return cli_library_error(demo->context, status, "the robot cell");
    }
    status = tumble_scene_collide(demo->query, demo->scene, &question, &answer);
    if (status != TUMBLE_OK) {
        return cli_query_error(demo->query, status);
    }
    const int a_moves = (demo->world.objects[first->a].group & MODELS_GROUP_MOVING) != 0;
    demo->first_contact = answer.meetings[0].contacts[0];
    demo->first_pose = demo->stage.poses[a_moves ? first->a : first->b];
    return 0;
}

/* ---- Drawings ---- */

/* All objects of the arm, or all others, in one model. */
static int unite(scene_demo *demo, int robot, tumble_model **out)
{
    models_mesh mesh = {0};
    for (size_t i = 0; i < demo->world.object_count; i++) {
        const models_world_object *object = &demo->world.objects[i];
        if (((object->group & MODELS_GROUP_ROBOT) != 0) == robot) {
            models_append(&mesh, &demo->world.shapes[object->shape].mesh, &demo->stage.poses[i]);
        }
    }
    const tumble_mesh view = models_view(&mesh);
    const tumble_status status =
        mesh.failed ? TUMBLE_ERROR_MEMORY : tumble_model_create(demo->context, &view, NULL, out);
    models_free(&mesh);
    return status == TUMBLE_OK ? 0 : cli_library_error(demo->context, status, "the picture");
}

/* The cell at the first contact; the contacts of both models are those of all their objects. */
static int unite_all(scene_demo *demo)
{
    const tumble_pose identity = tumble_pose_identity();
    int error = unite(demo, 0, &demo->still);
    error = error ? error : unite(demo, 1, &demo->moving);
    error = error ? error : cli_collide_begin(&demo->collide, demo->context, demo->still, demo->moving);
    demo->collide.options.want_contacts = true;
    return error ? error : cli_collide_run(&demo->collide, &identity);
}

static int write_picture(void *user, FILE *file)
{
    const scene_demo *demo = user;
    const models_world_object *objects = demo->world.objects;
    char caption[160] = "nothing touches";
    if (demo->touch_count > 0) {
        const scene_demo_touch *first = &demo->touches[0];
        snprintf(caption, sizeof caption, "step %zu: the %s touches the %s", first->first, objects[first->a].name,
                 objects[first->b].name);
    }
    const cli_picture picture = {.a = demo->still,
                                 .b = demo->moving,
                                 .contacts = demo->collide.contacts,
                                 .contact_count = demo->collide.contact_count,
                                 .view = demo->view,
                                 .title = "An arm carries a part through its cell",
                                 .caption = caption,
                                 .name_a = "cell",
                                 .name_b = "arm and part"};
    const tumble_status status = cli_picture_write(file, &picture);
    const int reported = status == TUMBLE_OK || status == TUMBLE_ERROR_FILE; /* the latter when the file is closed */
    return reported ? 0 : cli_library_error(demo->context, status, "the picture");
}

static void write_plot_of(const scene_demo *demo, FILE *file, const double *values)
{
    const size_t count = demo->world.step_count, touches = demo->touch_count;
    char subtitle[160], first_text[96] = "", last_text[64] = "";
    snprintf(subtitle, sizeof subtitle, "%s of %s, %zu move; every contact of every step is found",
             cli_format_number_of(demo->world.object_count, "object", "objects").text,
             cli_format_number_of(models_world_triangles(&demo->world), "triangle", "triangles").text,
             demo->moving_count);
    const cli_plot_panel panels[] = {
        {.title = "candidates: pairs of objects whose boxes overlap",
         .colour = "#4b7a47",
         .values = values,
         .whole = 1},
        {.title = "contacts: pairs of objects that touch", .colour = "#b3401f", .values = values + count, .whole = 1},
        {.title = "time of a step, µs", .colour = "#1b6ca8", .values = values + 2 * count}};
    size_t last = 0;
    for (size_t i = 0; i < touches; i++) {
        last = demo->touches[i].last > last ? demo->touches[i].last : last;
    }
    const size_t first = touches ? demo->touches[0].first : 0;
    snprintf(first_text, sizeof first_text, "first contact: step %zu", first);
    snprintf(last_text, sizeof last_text, "last contact: step %zu", last);
    const cli_plot_mark marks[] = {{first, first_text}, {last, last_text}};
    const cli_plot plot = {.title = "An arm carries a part through its cell",
                           .subtitle = subtitle,
                           .step_count = count,
                           .panels = panels,
                           .panel_count = 3,
                           .marks = marks,
                           .mark_count = !touches        ? 0
                                         : first == last ? 1
                                                         : 2};
    cli_plot_write(file, &plot);
}

static int write_plot(void *user, FILE *file)
{
    const scene_demo *demo = user;
    const size_t count = demo->world.step_count;
    double *values = malloc(3 * count * sizeof *values);
    if (!values) {
        return cli_memory_error("the plot");
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)demo->steps[i].candidates;
        values[count + i] = (double)demo->steps[i].touching;
        values[2 * count + i] = 1e6 * demo->steps[i].seconds;
    }
    write_plot_of(demo, file, values);
    free(values);
    return 0;
}

/* ---- The command ---- */

static int write_files(scene_demo *demo)
{
    cli_demo_files *files = &demo->files;
    char cell[CLI_DEMO_LONGEST_PATH];
    files->folder = demo->settings.output.file;
    int error = cli_make_folder(files->folder);
    error = error ? error : unite_all(demo);
    error = error ? error : cli_demo_draw(files, "scene-contacts.svg", "scene-contacts.png", write_picture, demo);
    error = error ? error : cli_demo_draw(files, "scene-steps.svg", "scene-steps.png", write_plot, demo);
    if (error) {
        return error;
    }
    snprintf(cell, sizeof cell, "%s/cell", files->folder);
    error = cli_write_world(demo->context, &demo->world, cell, NULL);
    cli_demo_path(files, "cell/" CLI_WORLD_SCENE);
    cli_demo_path(files, "cell/" CLI_WORLD_STEPS);
    if (!error) {
        cli_demo_note_missing(files);
    }
    return error;
}

static int run(scene_demo *demo)
{
    int error = prepare(demo);
    error = error ? error : measure(demo);
    error = error ? error : locate(demo);
    error = error ? error : write_files(demo);
    return error ? error : cli_demo_scene_report(demo);
}

static void clean_up(scene_demo *demo)
{
    cli_collide_end(&demo->collide);
    tumble_model_destroy(demo->still);
    tumble_model_destroy(demo->moving);
    tumble_query_destroy(demo->query);
    tumble_scene_destroy(demo->scene);
    models_close_stage(&demo->stage);
    models_free_world(&demo->world);
    tumble_context_destroy(demo->context);
    free(demo->steps);
    free(demo->touches);
}

/* From where the whole cell can be seen, unless the user wants to stand elsewhere. */
static void choose_view(cli_view_options *view)
{
    if (!view->view && !view->up && !view->section) {
        view->view = "1 0.42 0.6";
        view->section = "none";
    }
}

int cli_demo_scene(const char *program, int argc, char **argv)
{
    scene_demo demo = {.program = program,
                       .settings = {.load = cli_default_load_options(), .steps = DEFAULT_STEPS, .output.file = "out"}};
    cli_section sections[2 + CLI_LOAD_SECTIONS] = {
        {.title = "Demonstration", .options = demo_options, .target = &demo.settings},
        cli_view_section(&demo.settings.view)};
    cli_load_sections(&demo.settings.load, CLI_ASKS_NOTHING, sections + 2);
    const cli_usage usage = {
        .name = "demo scene",
        .purpose = "moves a robot arm through its cell and shows what it touches",
        .usage = "tumble demo scene [-o DIR] [options]",
        .description = "Can the arm carry the part from the tray to the vice? Every step asks about all pairs of "
                       "objects at once. Reports the first contact, all others, and the time of a step. Draws the cell "
                       "at the first contact, and candidates, contacts and time over the steps (SVG, and PNG if "
                       "rsvg-convert is installed), and writes the cell and its motion for 'tumble scene'.",
        .sections = sections,
        .topics = "hierarchy",
        .examples = "tumble demo scene\n"
                    "tumble demo scene --steps 1000 -o /tmp/cell",
        .exit_status = "0  done\n2  an error; stderr says what to do",
        .operands = "no arguments, only options"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    choose_view(&demo.settings.view);
    int error = cli_parse_view(&demo.settings.view, &demo.view);
    error = error ? error : cli_check_hierarchy_options(&demo.settings.load, sections + 2);
    error = error ? error : run(&demo);
    clean_up(&demo);
    return error;
}
