/* tumble demo milling: a mill follows its path over a die. Is the die gouged, where, and how close does the mill come
 * elsewhere? */
#include "demo_milling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "message.h"
#include "plot.h"
#include "progress.h"
#include "report.h"

enum {
    DEFAULT_ROWS = 28
};

static const cli_option demo_options[] = {
    {.kind = CLI_NUMBER,
     .name = "rows",
     .argument = "N",
     .help = "rows of the path, of 80 lines each",
     .offset = offsetof(milling_demo_settings, rows),
     .least = 2,
     .most = 10000,
     .whole = 1,
     .show_default = 1},
    CLI_OUTPUT_ROW(milling_demo_settings, output, "DIR", "the folder for the files; created if missing (default: out)"),
    CLI_JSON_ROW(milling_demo_settings, output, "the results as one JSON object"),
    {.name = NULL}};

/* ---- Computing ---- */

static tumble_status make_models(milling_demo *demo, const tumble_model_options *options)
{
    const models_milling *m = &demo->milling;
    const tumble_mesh part = models_view(&m->part), mill = models_view(&m->tool);
    const double centre[3] = {0, 0, 0}, end[3] = {0, 0, m->shank};
    milling_demo_tool *tools = demo->tools;
    tools[0] = (milling_demo_tool){.name = "mill", .what = "a mesh, with its holder"};
    tools[1] = (milling_demo_tool){.name = "capsule", .what = "the ball and the shank, exact"};
    tools[2] = (milling_demo_tool){.name = "ball", .what = "the ball alone, exact"};
    tumble_status status = tumble_model_create(demo->context, &part, options, &demo->part);
    if (status == TUMBLE_OK) {
        status = tumble_model_create(demo->context, &mill, options, &tools[0].model);
    }
    if (status == TUMBLE_OK) {
        status = tumble_model_create_capsule(demo->context, centre, end, m->radius, options, &tools[1].model);
    }
    if (status == TUMBLE_OK) {
        status = tumble_model_create_ball(demo->context, centre, m->radius, options, &tools[2].model);
    }
    return status;
}

static int prepare(milling_demo *demo)
{
    const int error = cli_create_context(&demo->settings.load, &demo->context);
    if (error) {
        return error;
    }
    if (!models_make_milling(&demo->milling, (size_t)demo->settings.rows)) {
        return cli_memory_error("the die and the path");
    }
    const tumble_tuning tuning = cli_tuning(&demo->settings.load, CLI_ROLE_NONE);
    const tumble_model_options options = cli_model_options(&demo->settings.load, &tuning);
    demo->path = (tumble_path){.pieces = demo->milling.moves, .piece_count = demo->milling.move_count};
    tumble_status status = tumble_query_create(demo->context, &demo->query);
    if (status == TUMBLE_OK) {
        status = make_models(demo, &options);
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(demo->context, status, "the die and the mill");
}

static int find_gouges(milling_demo *demo, milling_demo_tool *tool)
{
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    tumble_contact_intervals_result result;
    const tumble_status status =
        tumble_path_contact_intervals(demo->query, demo->part, NULL, tool->model, &demo->path, &options, &result);
    if (status != TUMBLE_OK) {
        return cli_query_error(demo->query, status);
    }
    tool->seconds = result.counters.seconds;
    tool->gouge_count = result.interval_count;
    tool->gouges = malloc((tool->gouge_count + 1) * sizeof *tool->gouges);
    if (!tool->gouges) {
        return cli_memory_error("the gouges");
    }
    if (tool->gouge_count > 0) {
        memcpy(tool->gouges, result.intervals, tool->gouge_count * sizeof *tool->gouges);
    }
    return 0;
}

static int is_gouged(const milling_demo_tool *tool, size_t move)
{
    for (size_t i = 0; i < tool->gouge_count; i++) {
        if (tool->gouges[i].touching_until >= (double)move && tool->gouges[i].touching_at <= (double)(move + 1)) {
            return 1;
        }
    }
    return 0;
}

static int find_clearances(milling_demo *demo, milling_demo_tool *tool)
{
    tumble_clearance_along_options options = tumble_default_clearance_along_options();
    const size_t count = demo->path.piece_count;
    options.relative_error = 1e-2;
    tool->least = count;
    tool->closest = calloc(count, sizeof *tool->closest);
    if (!tool->closest) {
        return cli_memory_error("the clearances");
    }
    for (size_t i = 0; i < count; i++) {
        if (is_gouged(tool, i)) {
            continue;
        }
        const tumble_status status = tumble_clearance_along(demo->query, demo->part, NULL, tool->model,
                                                            &demo->path.pieces[i], &options, &tool->closest[i]);
        if (status != TUMBLE_OK) {
            return cli_query_error(demo->query, status);
        }
        tool->least =
            tool->least == count || tool->closest[i].lower < tool->closest[tool->least].lower ? i : tool->least;
    }
    return 0;
}

static int compute(milling_demo *demo)
{
    cli_progress *progress = cli_progress_begin("following the path");
    int error = 0;
    for (int i = 0; i < MILLING_TOOLS && !error; i++) {
        error = find_gouges(demo, &demo->tools[i]);
        cli_progress_set(progress, (2 * i + 1) / (2.0 * MILLING_TOOLS));
        error = error ? error : find_clearances(demo, &demo->tools[i]);
        cli_progress_set(progress, (2 * i + 2) / (2.0 * MILLING_TOOLS));
    }
    cli_progress_end(progress);
    return error;
}

/* ---- Drawings ---- */

/* A thin strip along the path of the ball's lowest point, which can be seen from above. */
static void add_strip(const milling_demo *demo, models_mesh *mesh)
{
    enum {
        PARTS = 8
    };
    const double width = 0.15, down = demo->milling.radius;
    for (size_t i = 0; i < demo->path.piece_count; i++) {
        const int parts = demo->path.pieces[i].angle != 0 ? PARTS : 1;
        for (int k = 0; k < parts; k++) {
            const tumble_pose ends[2] = {tumble_motion_pose(&demo->path.pieces[i], (double)k / parts),
                                         tumble_motion_pose(&demo->path.pieces[i], (double)(k + 1) / parts)};
            const double *at[2][3] = {{&ends[0].m[0][3], &ends[0].m[1][3], &ends[0].m[2][3]},
                                      {&ends[1].m[0][3], &ends[1].m[1][3], &ends[1].m[2][3]}};
            const double x = *at[1][0] - *at[0][0], y = *at[1][1] - *at[0][1], length = hypot(x, y);
            const double aside[2] = {length > 0 ? -width * y / length : 0, length > 0 ? width * x / length : 0};
            uint32_t corners[4];
            for (int c = 0; c < 4; c++) {
                const int end = c == 1 || c == 2, side = c < 2 ? -1 : 1;
                corners[c] = models_point(mesh, *at[end][0] + side * aside[0], *at[end][1] + side * aside[1],
                                          *at[end][2] - down);
            }
            models_quad(mesh, corners[0], corners[1], corners[2], corners[3]);
        }
    }
}

/* In the middle of the first gouge of the mill; the begin of the path if there is none. */
static double drawn_time(const milling_demo *demo)
{
    const milling_demo_tool *mill = &demo->tools[0];
    return mill->gouge_count > 0 ? 0.5 * (mill->gouges[0].touching_at + mill->gouges[0].touching_until) : 0;
}

/* The mill's contacts with the die, without those of the path. */
static int make_drawn(milling_demo *demo)
{
    const tumble_pose pose = tumble_path_pose(&demo->path, drawn_time(demo));
    models_mesh mesh = {0};
    models_append(&mesh, &demo->milling.tool, &pose);
    add_strip(demo, &mesh);
    const tumble_mesh view = models_view(&mesh);
    const tumble_status status =
        mesh.failed ? TUMBLE_ERROR_MEMORY : tumble_model_create(demo->context, &view, NULL, &demo->drawn);
    models_free(&mesh);
    int error = status == TUMBLE_OK ? 0 : cli_library_error(demo->context, status, "the picture");
    error = error ? error : cli_collide_begin(&demo->collide, demo->context, demo->part, demo->tools[0].model);
    demo->collide.options.want_contacts = true;
    return error ? error : cli_collide_run(&demo->collide, &pose);
}

static int write_picture(void *user, FILE *file)
{
    const milling_demo *demo = user;
    const milling_demo_tool *mill = &demo->tools[0];
    char caption[160] = "nothing is gouged";
    if (mill->gouge_count > 0) {
        snprintf(caption, sizeof caption, "moves %.2f to %.2f cut too deep", mill->gouges[0].touching_at,
                 mill->gouges[0].touching_until);
    }
    const cli_picture picture = {.a = demo->part,
                                 .b = demo->drawn,
                                 .contacts = demo->collide.contacts,
                                 .contact_count = demo->collide.contact_count,
                                 .view = demo->view,
                                 .title = "A mill follows its path over a die",
                                 .caption = caption,
                                 .name_a = "die and clamp",
                                 .name_b = "mill and path"};
    const tumble_status status = cli_picture_write(file, &picture);
    const int reported = status == TUMBLE_OK || status == TUMBLE_ERROR_FILE; /* the latter when the file is closed */
    return reported ? 0 : cli_library_error(demo->context, status, "the picture");
}

static void write_plot_of(const milling_demo *demo, FILE *file, const double *values)
{
    const size_t count = demo->path.piece_count;
    const milling_demo_tool *mill = &demo->tools[0];
    char subtitle[160], texts[2][64];
    cli_plot_mark marks[2];
    size_t mark_count = 0;
    snprintf(subtitle, sizeof subtitle, "%zu lines and arcs; at every time of each, not only at poses", count);
    for (; mark_count < 2 && mark_count < mill->gouge_count; mark_count++) {
        const size_t move = tumble_path_piece(&demo->path, mill->gouges[mark_count].touching_at, NULL);
        snprintf(texts[mark_count], sizeof texts[mark_count], "gouge: move %zu", move);
        marks[mark_count] = (cli_plot_mark){move, texts[mark_count]};
    }
    const cli_plot_panel panels[] = {
        {.title = "clearance of the mill with its holder, mm", .colour = "#1b6ca8", .values = values},
        {.title = "clearance of its ball, mm", .colour = "#4b7a47", .values = values + count}};
    const cli_plot plot = {.title = "A mill follows its path over a die",
                           .subtitle = subtitle,
                           .step_count = count,
                           .panels = panels,
                           .panel_count = 2,
                           .marks = marks,
                           .mark_count = mark_count};
    cli_plot_write(file, &plot);
}

static int write_plot(void *user, FILE *file)
{
    const milling_demo *demo = user;
    const size_t count = demo->path.piece_count;
    double *values = malloc(2 * count * sizeof *values);
    if (!values) {
        return cli_memory_error("the plot");
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = demo->tools[0].closest[i].lower;
        values[count + i] = demo->tools[2].closest[i].lower;
    }
    write_plot_of(demo, file, values);
    free(values);
    return 0;
}

/* ---- The command ---- */

static int write_files(milling_demo *demo)
{
    cli_demo_files *files = &demo->files;
    files->folder = demo->settings.output.file;
    int error = cli_make_folder(files->folder);
    error = error ? error : make_drawn(demo);
    error = error ? error : cli_demo_draw(files, "milling-gouge.svg", "milling-gouge.png", write_picture, demo);
    error = error ? error : cli_demo_draw(files, "milling-clearance.svg", "milling-clearance.png", write_plot, demo);
    if (!error) {
        cli_demo_note_missing(files);
    }
    return error;
}

static int run(milling_demo *demo)
{
    int error = prepare(demo);
    error = error ? error : compute(demo);
    error = error ? error : write_files(demo);
    return error ? error : cli_demo_milling_report(demo);
}

static void clean_up(milling_demo *demo)
{
    cli_collide_end(&demo->collide);
    tumble_model_destroy(demo->drawn);
    tumble_model_destroy(demo->part);
    for (int i = 0; i < MILLING_TOOLS; i++) {
        tumble_model_destroy(demo->tools[i].model);
        free(demo->tools[i].gouges);
        free(demo->tools[i].closest);
    }
    tumble_query_destroy(demo->query);
    models_free_milling(&demo->milling);
    tumble_context_destroy(demo->context);
}

/* From where the rows can be seen, unless the user wants to stand elsewhere. */
static void choose_view(cli_view_options *view)
{
    if (!view->view && !view->up && !view->section) {
        view->view = "-0.5 -0.9 0.9";
        view->section = "none";
    }
}

int cli_demo_milling(const char *program, int argc, char **argv)
{
    milling_demo demo = {.program = program,
                         .settings = {.load = cli_default_load_options(), .rows = DEFAULT_ROWS, .output.file = "out"}};
    cli_section sections[2 + CLI_LOAD_SECTIONS] = {
        {.title = "Demonstration", .options = demo_options, .target = &demo.settings},
        cli_view_section(&demo.settings.view)};
    cli_load_sections(&demo.settings.load, CLI_ASKS_NOTHING, sections + 2);
    const cli_usage usage = {
        .name = "demo milling",
        .purpose = "follows a mill's path over a die and shows where it cuts too deep",
        .usage = "tumble demo milling [-o DIR] [options]",
        .description = "Is the die gouged along a path of thousands of lines and arcs, where, and what remains as "
                       "clearance? Every real time of the path counts. The mill is a mesh with its holder, a capsule, "
                       "and a ball. Draws the first gouge, and the clearance along the path (SVG, and PNG if "
                       "rsvg-convert is installed).",
        .sections = sections,
        .topics = "hierarchy",
        .examples = "tumble demo milling\n"
                    "tumble demo milling --rows 100 -o /tmp/milling",
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
