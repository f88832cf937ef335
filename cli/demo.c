/* tumble demo: a part is pulled out of its housing. Where does it touch, and how long does each question take? */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_report.h"
#include "collide.h"
#include "commands.h"
#include "complete.h"
#include "demo_clash.h"
#include "demo_files.h"
#include "demo_milling.h"
#include "demo_scene.h"
#include "drawing_options.h"
#include "json.h"
#include "load.h"
#include "message.h"
#include "models.h"
#include "output.h"
#include "output_options.h"
#include "picture.h"
#include "plot.h"
#include "poses.h"
#include "progress.h"
#include "report.h"
#include "tumble/io.h"

enum {
    DEFAULT_STEPS = 240,
    REPEATS = 5
};

typedef struct demo_settings {
    cli_load_options load;
    double steps;
    cli_output_options output;
    cli_view_options view;
} demo_settings;

static const cli_option demo_options[] = {
    {.kind = CLI_NUMBER,
     .name = "steps",
     .argument = "N",
     .help = "poses of the part along the path",
     .offset = offsetof(demo_settings, steps),
     .least = 2,
     .most = 1e6,
     .whole = 1,
     .show_default = 1},
    CLI_OUTPUT_ROW(demo_settings, output, "DIR", "the folder for the files; created if missing (default: out)"),
    CLI_JSON_ROW(demo_settings, output, "the results as one JSON object"),
    {.name = NULL}};

typedef struct demo_run {
    const char *program;
    demo_settings settings;
    cli_picture_view view;
    tumble_context *context;
    models_demo scene;
    tumble_model *housing, *part;
    tumble_model_info housing_info, part_info;
    tumble_tuning tuning; /* of its queries */
    cli_collide collide;
    cli_step *steps;
    size_t step_count;

    size_t first, worst;          /* steps; step_count when nothing touches */
    tumble_contact first_contact; /* at step `first` */
    uint64_t triangle_pairs;      /* at step `worst` */
    double median_time, worst_time;

    cli_demo_files files;
} demo_run;

/* ---- computing ---- */

static int build(demo_run *demo, const models_mesh *mesh, cli_role role, const char *name, tumble_model **out)
{
    const tumble_tuning tuning = cli_tuning(&demo->settings.load, role);
    tumble_model_options options = cli_model_options(&demo->settings.load, &tuning);
    const tumble_mesh view = models_view(mesh);
    cli_progress *progress = cli_progress_begin("building");
    options.progress = progress ? cli_progress_callback : NULL;
    options.progress_user = progress;
    const tumble_status status = tumble_model_create(demo->context, &view, &options, out);
    cli_progress_end(progress);
    return status == TUMBLE_OK ? 0 : cli_library_error(demo->context, status, name);
}

static int prepare(demo_run *demo)
{
    demo->step_count = (size_t)demo->settings.steps;
    int error = cli_create_context(&demo->settings.load, &demo->context);
    if (!error && !models_make_demo(&demo->scene, demo->step_count)) {
        error = cli_memory_error("the housing, the part and the path");
    }
    if (error) {
        return error;
    }
    demo->step_count = demo->scene.path_length;
    demo->steps = calloc(demo->step_count, sizeof *demo->steps);
    error = demo->steps ? 0 : cli_memory_error("the steps");
    error = error ? error : build(demo, &demo->scene.housing, CLI_ROLE_A, "the housing", &demo->housing);
    error = error ? error : build(demo, &demo->scene.part, CLI_ROLE_B, "the part", &demo->part);
    error = error ? error : cli_get_info(demo->context, demo->housing, "the housing", &demo->housing_info);
    error = error ? error : cli_get_info(demo->context, demo->part, "the part", &demo->part_info);
    error = error ? error : cli_collide_begin(&demo->collide, demo->context, demo->housing, demo->part);
    demo->tuning = cli_tuning(&demo->settings.load, CLI_ROLE_NONE);
    demo->collide.options.tuning = &demo->tuning;
    return error;
}

/* The shortest time of a few runs is the query's own: what is longer, other programs have taken. */
static int measure_step(demo_run *demo, size_t step)
{
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const int error = cli_collide_run(&demo->collide, &demo->scene.path[step]);
        if (error) {
            return error;
        }
        const tumble_collide_result *result = &demo->collide.result;
        if (repeat == 0 || result->counters.seconds < demo->steps[step].counters.seconds) {
            demo->steps[step] = cli_check_step(&demo->collide);
        }
    }
    return 0;
}

static int measure(demo_run *demo)
{
    cli_progress *progress = cli_progress_begin("pulling the part");
    int error = cli_collide_run(&demo->collide, &demo->scene.path[0]); /* first use of memory is not the query's time */
    demo->first = demo->step_count;
    demo->worst = 0;
    for (size_t step = 0; step < demo->step_count && !error; step++) {
        error = measure_step(demo, step);
        if (demo->steps[step].answer && demo->first == demo->step_count) {
            demo->first = step;
        }
        if (demo->steps[step].pair_count > demo->steps[demo->worst].pair_count) {
            demo->worst = step;
        }
        cli_progress_set(progress, (double)(step + 1) / (double)demo->step_count);
    }
    cli_progress_end(progress);
    return error ? error
                 : cli_query_times(&demo->steps->counters, sizeof *demo->steps, demo->step_count, &demo->median_time,
                                   &demo->worst_time);
}

/* The places of contact, which the measured queries did not ask for. The worst pose is last: its contacts stay with
 * the query. */
static int locate(demo_run *demo)
{
    if (demo->first == demo->step_count) {
        return 0;
    }
    demo->collide.options.want_contacts = true;
    int error = cli_collide_run(&demo->collide, &demo->scene.path[demo->first]);
    if (!error && demo->collide.contact_count > 0) {
        demo->first_contact = demo->collide.contacts[0];
    }
    error = error ? error : cli_collide_run(&demo->collide, &demo->scene.path[demo->worst]);
    demo->triangle_pairs = demo->collide.result.contact_count;
    return error;
}

/* ---- files ---- */

static int write_mesh(demo_run *demo, const models_mesh *mesh, const char *name)
{
    const char *path = cli_demo_path(&demo->files, name);
    const tumble_mesh view = models_view(mesh);
    cli_hold_interrupts();
    const tumble_status status = tumble_mesh_write(demo->context, &view, path, TUMBLE_FORMAT_OBJ);
    cli_release_interrupts();
    return status == TUMBLE_OK ? 0 : cli_library_error(demo->context, status, path);
}

static int write_path(demo_run *demo)
{
    cli_output output;
    const int error = cli_output_open(&output, cli_demo_path(&demo->files, "demo-path.txt"));
    if (error) {
        return error;
    }
    fputs("# The part's poses, one per line: the three rows of a 3x4 matrix.\n", output.file);
    for (size_t i = 0; i < demo->step_count; i++) {
        cli_pose_print(output.file, &demo->scene.path[i]);
    }
    return cli_output_close(&output);
}

static int write_picture(void *user, FILE *file)
{
    const demo_run *demo = user;
    const int touches = demo->first < demo->step_count;
    const size_t step = touches ? demo->worst : 0;
    char caption[128];
    if (touches) {
        snprintf(
            caption, sizeof caption, "step %zu of the path: %s", step,
            cli_format_number_of(demo->triangle_pairs, "pair of triangles intersects", "pairs of triangles intersect")
                .text);
    } else {
        snprintf(caption, sizeof caption, "step %zu of the path: the part touches nowhere", step);
    }
    const cli_picture picture = {.a = demo->housing,
                                 .b = demo->part,
                                 .pose_b = &demo->scene.path[step],
                                 .contacts = demo->collide.contacts,
                                 .contact_count = touches ? demo->collide.contact_count : 0,
                                 .view = demo->view,
                                 .title = "A part is pulled out of its housing",
                                 .caption = caption,
                                 .name_a = "housing",
                                 .name_b = "part"};
    const tumble_status status = cli_picture_write(file, &picture);
    const int reported = status == TUMBLE_OK || status == TUMBLE_ERROR_FILE; /* the latter when the file is closed */
    return reported ? 0 : cli_library_error(demo->context, status, "the picture");
}

static void write_plot_of(const demo_run *demo, FILE *file, const double *pairs, const double *times)
{
    char subtitle[160], first_text[64], worst_text[64];
    snprintf(subtitle, sizeof subtitle, "housing: %s, part: %s",
             cli_format_number_of(demo->housing_info.triangle_count, "triangle", "triangles").text,
             cli_format_number_of(demo->part_info.triangle_count, "triangle", "triangles").text);
    const int one = demo->first == demo->worst;
    snprintf(first_text, sizeof first_text, "first contact%s: step %zu", one ? " and most pairs" : "", demo->first);
    snprintf(worst_text, sizeof worst_text, "most pairs: step %zu", demo->worst);
    const cli_plot_panel panels[] = {
        {.title = "intersecting pairs of polygons", .colour = "#b3401f", .values = pairs, .whole = 1},
        {.title = "time of a query, µs", .colour = "#1b6ca8", .values = times}};
    const cli_plot_mark marks[] = {{demo->first, first_text}, {demo->worst, worst_text}};
    const cli_plot plot = {.title = "A part is pulled out of its housing",
                           .subtitle = subtitle,
                           .step_count = demo->step_count,
                           .panels = panels,
                           .panel_count = 2,
                           .marks = marks,
                           .mark_count = demo->first == demo->step_count ? 0
                                         : one                           ? 1
                                                                         : 2};
    cli_plot_write(file, &plot);
}

static int write_plot(void *user, FILE *file)
{
    const demo_run *demo = user;
    double *values = malloc(2 * demo->step_count * sizeof *values);
    if (!values) {
        return cli_memory_error("the plot");
    }
    double *times = values + demo->step_count;
    for (size_t i = 0; i < demo->step_count; i++) {
        values[i] = (double)demo->steps[i].pair_count;
        times[i] = 1e6 * demo->steps[i].counters.seconds;
    }
    write_plot_of(demo, file, values, times);
    free(values);
    return 0;
}

static int write_files(demo_run *demo)
{
    cli_demo_files *files = &demo->files;
    files->folder = demo->settings.output.file;
    int error = cli_make_folder(files->folder);
    error = error ? error : cli_demo_draw(files, "demo-contacts.svg", "demo-contacts.png", write_picture, demo);
    error = error ? error : cli_demo_draw(files, "demo-path.svg", "demo-path.png", write_plot, demo);
    error = error ? error : write_mesh(demo, &demo->scene.housing, "demo-housing.obj");
    error = error ? error : write_mesh(demo, &demo->scene.part, "demo-part.obj");
    error = error ? error : write_path(demo);
    if (!error) {
        cli_demo_note_missing(files);
    }
    return error;
}

/* ---- report ---- */

static double bytes_per_triangle(const demo_run *demo)
{
    const double bytes = (double)(demo->housing_info.total_bytes + demo->part_info.total_bytes);
    return bytes / (double)(demo->housing_info.triangle_count + demo->part_info.triangle_count);
}

static void print_first_contact(const demo_run *demo)
{
    if (demo->first == demo->step_count) {
        printf("It never touches.\n");
        return;
    }
    const tumble_contact *contact = &demo->first_contact;
    printf("It first touches at step %zu, at the point %s.\n", demo->first, cli_format_point(contact->points[0]).text);
    printf("  polygons: %" PRIu32 " of the housing, %" PRIu32 " of the part\n", contact->polygon_a, contact->polygon_b);
    printf("  pose of the part: ");
    cli_pose_print(stdout, &demo->scene.path[demo->first]);
    printf("Worst is step %zu: %s of triangles intersect (%s of polygons).\n", demo->worst,
           cli_format_number_of(demo->triangle_pairs, "pair", "pairs").text,
           cli_format_count(demo->steps[demo->worst].pair_count).text);
}

static void print_command(const demo_run *demo, const char *title, const char *command)
{
    const char *folder = demo->settings.output.file;
    printf("\n%s:\n ", title);
    cli_print_quoted(demo->program, "");
    printf(" %s", command);
    cli_print_quoted(folder, "/demo-housing.obj");
    cli_print_quoted(folder, "/demo-part.obj");
    printf(" --poses");
    cli_print_quoted(folder, "/demo-path.txt");
}

static void print_commands(const demo_run *demo)
{
    print_command(demo, "The same by hand", "check");
    printf(" --stats");
    print_command(demo, "How close the part comes to the housing", "distance");
    printf(" --plot");
    cli_print_quoted(demo->settings.output.file, "/demo-distance.svg");
    putchar('\n');
}

static void print_report(const demo_run *demo)
{
    printf("A part (%s) is pulled out of its housing (%s) in %s.\n\n",
           cli_format_number_of(demo->part_info.triangle_count, "triangle", "triangles").text,
           cli_format_number_of(demo->housing_info.triangle_count, "triangle", "triangles").text,
           cli_format_number_of(demo->step_count, "step", "steps").text);
    print_first_contact(demo);
    printf("Time of a query that finds all pairs: %s in the middle, %s at worst.\n",
           cli_format_duration(demo->median_time).text, cli_format_duration(demo->worst_time).text);
    printf("Memory: %s per triangle, everything included (hierarchy: %s).\n"
           "\n",
           cli_format_bytes(bytes_per_triangle(demo)).text, tumble_hierarchy_name(demo->housing_info.hierarchy));
    cli_demo_print_files(&demo->files);
    print_commands(demo);
}

static void json_first_contact(const demo_run *demo, cli_json *json)
{
    if (demo->first == demo->step_count) {
        cli_json_null(json, "first_contact");
        return;
    }
    const tumble_pose *pose = &demo->scene.path[demo->first];
    cli_json_open_object(json, "first_contact");
    cli_json_whole(json, "step", demo->first);
    cli_json_pair(json, "pair", demo->first_contact.polygon_a, demo->first_contact.polygon_b);
    cli_json_point(json, "point", demo->first_contact.points[0]);
    cli_json_open_array(json, "pose");
    for (int i = 0; i < 12; i++) {
        cli_json_real(json, NULL, pose->m[i / 4][i % 4]);
    }
    cli_json_close_array(json);
    cli_json_close_object(json);
}

static void print_json(const demo_run *demo)
{
    cli_json json = {.file = stdout};
    cli_json_open_object(&json, NULL);
    cli_json_whole(&json, "steps", demo->step_count);
    cli_json_whole(&json, "housing_triangles", demo->housing_info.triangle_count);
    cli_json_whole(&json, "part_triangles", demo->part_info.triangle_count);
    json_first_contact(demo, &json);
    cli_json_open_object(&json, "worst");
    cli_json_whole(&json, "step", demo->worst);
    cli_json_whole(&json, "pair_count", demo->steps[demo->worst].pair_count);
    cli_json_whole(&json, "triangle_pair_count", demo->triangle_pairs);
    cli_json_close_object(&json);
    cli_json_real(&json, "median_microseconds", cli_round_time(1e6 * demo->median_time));
    cli_json_real(&json, "worst_microseconds", cli_round_time(1e6 * demo->worst_time));
    cli_json_text(&json, "hierarchy", tumble_hierarchy_name(demo->housing_info.hierarchy));
    cli_json_real(&json, "bytes_per_triangle", bytes_per_triangle(demo));
    cli_demo_json_files(&demo->files, &json);
    cli_json_close_object(&json);
}

/* ---- the command ---- */

static int run(demo_run *demo)
{
    int error = prepare(demo);
    error = error ? error : measure(demo);
    error = error ? error : locate(demo);
    error = error ? error : write_files(demo);
    if (!error) {
        demo->settings.output.json ? print_json(demo) : print_report(demo);
    }
    return error;
}

static void clean_up(demo_run *demo)
{
    cli_collide_end(&demo->collide);
    tumble_model_destroy(demo->housing);
    tumble_model_destroy(demo->part);
    models_free_demo(&demo->scene);
    tumble_context_destroy(demo->context);
    free(demo->steps);
}

int cli_demo(const char *program, int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], CLI_COMPLETE) == 0 && argv[0][0] != '-') {
        cli_complete_offer(argv[0], "scene", "a robot cell in motion");
        cli_complete_offer(argv[0], "milling", "a mill along its path over a die");
        cli_complete_offer(argv[0], "clash", "the clash report of a pump house");
        return CLI_EXIT_OK;
    }
    if (argc > 0 && strcmp(argv[0], "scene") == 0) {
        return cli_demo_scene(program, argc - 1, argv + 1);
    }
    if (argc > 0 && strcmp(argv[0], "milling") == 0) {
        return cli_demo_milling(program, argc - 1, argv + 1);
    }
    if (argc > 0 && strcmp(argv[0], "clash") == 0) {
        return cli_demo_clash(program, argc - 1, argv + 1);
    }
    demo_run demo = {.program = program,
                     .settings = {.load = cli_default_load_options(), .steps = DEFAULT_STEPS, .output.file = "out"}};
    cli_section sections[2 + CLI_LOAD_SECTIONS] = {
        {.title = "Demonstration", .options = demo_options, .target = &demo.settings},
        cli_view_section(&demo.settings.view)};
    cli_load_sections(&demo.settings.load, CLI_ASKS_COLLISIONS, sections + 2);
    const cli_usage usage = {
        .name = "demo",
        .purpose = "pulls a part out of its housing and shows where they touch",
        .usage = "tumble demo [-o DIR] [options]\n"
                 "tumble demo scene [-o DIR] [options]\n"
                 "tumble demo milling [-o DIR] [options]\n"
                 "tumble demo clash [-o DIR] [options]",
        .description =
            "The classic question of virtual prototyping: can the part be taken out along this path? "
            "Reports the first contact, the worst pose, the query time and the memory per triangle. Draws "
            "the contacts at the worst pose, and time and pairs along the path (SVG, and PNG if "
            "rsvg-convert is installed), and writes the models and the path for 'tumble check'. 'tumble demo "
            "scene' shows many moving objects instead, a robot cell, 'tumble demo milling' a mill along its path, and "
            "'tumble demo clash' writes the clash report of a pump house.",
        .sections = sections,
        .topics = "hierarchy",
        .examples = "tumble demo\n"
                    "tumble demo scene\n"
                    "tumble demo milling\n"
                    "tumble demo clash\n"
                    "tumble demo --steps 1000 -o /tmp/demo --hierarchy boxtree",
        .exit_status = "0  done\n2  an error; stderr says what to do",
        .operands = "no arguments but 'scene', 'milling' or 'clash', which comes first"};
    cli_operands operands;
    int exit_status;
    if (!cli_parse(&usage, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    int error = cli_parse_view(&demo.settings.view, &demo.view);
    error = error ? error : cli_check_hierarchy_options(&demo.settings.load, sections + 2);
    error = error ? error : run(&demo);
    clean_up(&demo);
    return error;
}
