/* tumble distance: how far apart are two models, and where are they closest? */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "commands.h"
#include "distance_report.h"
#include "drawing.h"
#include "message.h"
#include "output.h"
#include "picture.h"
#include "plot.h"
#include "progress.h"
#include "two_models.h"

enum {
    OWN_SECTIONS = 5
};

typedef struct distance_settings {
    cli_two_options two;
    double within; /* infinity: not given */
    double relative_error, absolute_error;
    int pairs;
    int coherence;
    cli_budget budget;
    cli_output_options output;
    const char *plot, *picture;
} distance_settings;

static const cli_option question_options[] = {
    {.kind = CLI_NUMBER,
     .name = "within",
     .argument = "D",
     .help = "the distance matters only up to D: when they are farther apart that is all that is said, and it is known "
             "much sooner. Whether they are closer than D, and no more, is told sooner still by 'tumble check "
             "--clearance D'",
     .offset = offsetof(distance_settings, within),
     .least = 0,
     .most = INFINITY},
    {.kind = CLI_NUMBER,
     .name = "rel-error",
     .argument = "E",
     .help = "what is found may be larger than the distance d by E d: 0.01 is one percent. Faster",
     .offset = offsetof(distance_settings, relative_error),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "abs-error",
     .argument = "E",
     .help = "what is found may be larger by E, in the unit of the models. Faster",
     .offset = offsetof(distance_settings, absolute_error),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "pairs",
     .help = "also all pairs of polygons that are so close, to within the errors",
     .offset = offsetof(distance_settings, pairs),
     .value = 1},
    {.kind = CLI_FLAG,
     .name = "no-coherence",
     .help = "each pose of a path on its own. Else a search starts from what the last one has learnt, which is faster "
             "when B moves little; the distances are the same",
     .offset = offsetof(distance_settings, coherence),
     .value = 0},
    {.name = NULL}};

static const cli_option drawing_options[] = {
    {.kind = CLI_TEXT,
     .name = "plot",
     .argument = "FILE",
     .help = "with --poses: also draws the distance, and the time of a query, over the path (.svg; .png where "
             "rsvg-convert is installed)",
     .offset = offsetof(distance_settings, plot)},
    {.kind = CLI_TEXT,
     .name = "picture",
     .argument = "FILE",
     .help = "also draws the models and the shortest way between them, with --poses at the closest step (.svg, .png)",
     .offset = offsetof(distance_settings, picture)},
    {.name = NULL}};

static const char description[] = CLI_MODEL_DESCRIPTION
    "The distance of their surfaces is exact but for the rounding of the result, and 0 when they intersect; the two "
    "closest points, and the polygons that they lie on, come with it. Polygons are numbered from 0 in the order of the "
    "file. A model inside another one is as far as their surfaces are: see 'tumble check "
    "--relation'.\n\n" CLI_POSE_DESCRIPTION;

static const char examples[] = "tumble distance housing.obj part.stl\n"
                               "tumble distance housing.obj part.stl --within 2 --json\n"
                               "tumble distance housing.obj part.stl --rel-error 0.01 --pairs --limit 50\n"
                               "tumble distance housing.tumble part.tumble --poses path.txt --plot distance.svg\n"
                               "tumble distance housing.obj part.stl --poses path.txt --budget-us 50 --json";

static const char exit_status_text[] = "0  apart at all poses; with --within D: farther than D\n"
                                       "1  they intersect at some pose; with --within D: at most D apart\n"
                                       "2  an error; stderr says what to do\n"
                                       "3  neither is known, as the budget was spent";

/* What a run of the command holds. */
typedef struct distance_run {
    distance_settings settings;
    cli_section sections[OWN_SECTIONS + CLI_LOAD_SECTIONS];
    cli_two_models two;
    cli_near near;
    cli_output output;
    cli_distance_report report;
    tumble_distance_result *steps; /* null when nobody looks at them again */
    int seen[3];                   /* which answers there were */
} distance_run;

static int parse(distance_run *run, int argc, char **argv, cli_operands *operands, int *exit_status)
{
    distance_settings *settings = &run->settings;
    *settings = (distance_settings){.two.load = cli_default_load_options(),
                                    .within = INFINITY,
                                    .coherence = 1,
                                    .budget = cli_no_budget(),
                                    .output = cli_default_output_options()};
    run->sections[0] = cli_pose_section(&settings->two);
    run->sections[1] = (cli_section){.title = "Question", .options = question_options, .target = settings};
    run->sections[2] = cli_budget_section(&settings->budget);
    run->sections[3] = cli_output_section(&settings->output);
    run->sections[4] = (cli_section){.title = "Drawings", .options = drawing_options, .target = settings};
    cli_load_sections(&settings->two.load, CLI_ASKS_DISTANCES, run->sections + OWN_SECTIONS);
    const cli_usage usage = {.name = "distance",
                             .purpose = "tells how far apart two models are, and where they are closest",
                             .usage = "tumble distance A B [options]",
                             .description = description,
                             .sections = run->sections,
                             .topics = "hierarchy",
                             .examples = examples,
                             .exit_status = exit_status_text,
                             .least_operands = 2,
                             .most_operands = 2,
                             .operands = "two models, A and B"};
    return cli_parse(&usage, argc, argv, operands, exit_status);
}

static int refuse_contradictions(const distance_settings *settings)
{
    if (isfinite(settings->output.limit) && !settings->pairs) {
        return cli_error("--limit belongs to --pairs: give that as well, or leave --limit out");
    }
    if (!settings->two.poses && !settings->coherence) {
        return cli_error("--no-coherence is about the poses of a path: give --poses as well, or leave it out");
    }
    if (!settings->two.poses && settings->plot) {
        return cli_error("--plot draws the distance over a path: give --poses as well, or use --picture");
    }
    if (settings->pairs && settings->two.poses && !settings->output.json) {
        return cli_error("--pairs with --poses would be a list for each pose: give --json as well, or one pose with "
                         "--pose-b");
    }
    const int error = cli_drawing_check(settings->plot, "plot");
    return error ? error : cli_drawing_check(settings->picture, "picture");
}

/* ---- asking ---- */

static int prepare_query(distance_run *run)
{
    const distance_settings *settings = &run->settings;
    const cli_two_models *two = &run->two;
    cli_near *near = &run->near;
    const int error = cli_near_begin(near, two->context, two->models[0], two->models[1]);
    if (error) {
        return error;
    }
    near->pose_a = two->pose_a;
    near->options.within = settings->within;
    near->options.relative_error = settings->relative_error;
    near->options.absolute_error = settings->absolute_error;
    near->options.want_pairs = settings->pairs;
    near->options.coherence = settings->two.poses != NULL && settings->coherence;
    cli_set_budget(&settings->budget, &near->options);
    cli_set_distance_options(&settings->two.load, &near->options);
    near->limit = cli_limit_of(&settings->output);
    return 0;
}

static int prepare(distance_run *run, const cli_operands *operands)
{
    const distance_settings *settings = &run->settings;
    cli_two_models *two = &run->two;
    int error = refuse_contradictions(settings);
    error = error ? error : cli_two_open(two, operands->words, &settings->two, run->sections + OWN_SECTIONS);
    error = error ? error : prepare_query(run);
    if (!error && (!settings->output.json || settings->plot || settings->picture)) {
        run->steps = calloc(two->path.count, sizeof *run->steps);
        error = run->steps ? 0 : cli_memory_error("the steps");
    }
    error = error ? error : cli_output_open(&run->output, settings->output.output);
    run->report = (cli_distance_report){
        run->output.file,      two->names[0], two->names[1], two->hierarchy, settings->two.poses != NULL,
        settings->output.stats};
    return error;
}

static int ask_all(distance_run *run, cli_progress *progress)
{
    const cli_path *path = &run->two.path;
    for (size_t i = 0; i < path->count && !ferror(run->output.file); i++) {
        const int error = cli_near_run(&run->near, &path->poses[i]);
        if (error) {
            return error;
        }
        run->seen[cli_distance_answer(&run->near)] = 1;
        if (run->steps) {
            run->steps[i] = run->near.result;
        }
        if (run->settings.output.json) {
            cli_distance_json(&run->report, &run->near, i);
        }
        if (path->count > 1) {
            cli_progress_set(progress, (double)(i + 1) / (double)path->count);
        }
    }
    return 0;
}

static int report_text(const distance_run *run)
{
    return run->report.along_path ? cli_distance_text_path(&run->report, &run->near, run->steps, run->two.path.count)
                                  : cli_distance_text(&run->report, &run->near);
}

static int answer(distance_run *run)
{
    cli_progress *progress = cli_progress_begin("measuring");
    int error = ask_all(run, progress);
    cli_progress_end(progress);
    if (!error && !run->settings.output.json) {
        error = report_text(run);
    }
    if (error) {
        cli_output_discard(&run->output);
        return error;
    }
    return cli_output_close(&run->output);
}

/* ---- drawing ---- */

/* What the curve shows where there is no distance: the bound that is known. */
static double plotted_distance(const distance_run *run, const tumble_distance_result *result)
{
    const double known = result->answer == TUMBLE_YES ? result->nearest.distance : fmin(result->lower, result->upper);
    const double most = fmin(known, run->settings.within);
    return isfinite(most) ? most : 0;
}

static int draw_plot_of(const distance_run *run, FILE *file, const double *distances, const double *times)
{
    const size_t count = run->two.path.count, closest = cli_closest_step(run->steps, count);
    char title[64], subtitle[600], mark_text[96] = "";
    snprintf(title, sizeof title, isfinite(run->settings.within) ? "distance, where it is at most %.6g" : "distance",
             run->settings.within);
    snprintf(subtitle, sizeof subtitle, "%.250s and %.250s", run->two.names[0], run->two.names[1]);
    if (closest < count) {
        snprintf(mark_text, sizeof mark_text, "closest: step %zu, %s", closest,
                 cli_format_distance(&run->steps[closest], run->settings.within).text);
    }
    const cli_plot_panel panels[] = {{title, "#1f7a4d", distances}, {"time of a query, µs", "#1b6ca8", times}};
    const cli_plot_mark mark = {closest, mark_text};
    const cli_plot plot = {.title = "How far apart the models are",
                           .subtitle = subtitle,
                           .step_count = count,
                           .panels = panels,
                           .panel_count = 2,
                           .marks = &mark,
                           .mark_count = closest < count ? 1 : 0};
    cli_plot_write(file, &plot);
    return 0;
}

static int draw_plot(void *user, FILE *file)
{
    const distance_run *run = user;
    const size_t count = run->two.path.count;
    double *values = malloc(2 * count * sizeof *values);
    if (!values) {
        return cli_memory_error("the plot");
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = plotted_distance(run, &run->steps[i]);
        values[count + i] = 1e6 * run->steps[i].counters.seconds;
    }
    const int error = draw_plot_of(run, file, values, values + count);
    free(values);
    return error;
}

static void describe(const distance_run *run, size_t step, const tumble_distance_result *result, char *text,
                     size_t size)
{
    const cli_word distance = cli_format_distance(result, run->settings.within);
    const int meet = result->answer == TUMBLE_YES && result->nearest.distance == 0;
    char where[48] = "";
    if (run->report.along_path) {
        snprintf(where, sizeof where, "step %zu of the path: ", step);
    }
    snprintf(text, size, meet ? "%sthe models intersect" : "%sthe models are %s apart", where, distance.text);
}

static int draw_picture(void *user, FILE *file)
{
    const distance_run *run = user;
    const size_t count = run->two.path.count, closest = cli_closest_step(run->steps, count);
    const size_t step = closest < count ? closest : 0;
    const tumble_near *nearest = &run->steps[step].nearest;
    tumble_contact way = {.polygon_a = nearest->polygon_a, .polygon_b = nearest->polygon_b};
    for (int i = 0; i < 3; i++) {
        way.points[0][i] = nearest->point_a[i];
        way.points[1][i] = nearest->point_b[i];
    }
    char caption[160];
    describe(run, step, &run->steps[step], caption, sizeof caption);
    const cli_word gap = cli_format_distance(&run->steps[step], run->settings.within);
    const cli_picture picture = {.a = run->two.models[0],
                                 .b = run->two.models[1],
                                 .pose_a = &run->two.pose_a,
                                 .pose_b = &run->two.path.poses[step],
                                 .contacts = &way,
                                 .contact_count = closest < count,
                                 .subject = CLI_PICTURE_GAP,
                                 .distance = gap.text,
                                 .title = "How far apart the models are",
                                 .caption = caption,
                                 .name_a = run->two.names[0],
                                 .name_b = run->two.names[1]};
    const tumble_status status = cli_picture_write(file, &picture);
    const int reported = status == TUMBLE_OK || status == TUMBLE_ERROR_FILE; /* the latter when the file is closed */
    return reported ? 0 : cli_library_error(run->two.context, status, "the picture");
}

static int draw(distance_run *run)
{
    const distance_settings *settings = &run->settings;
    const int error = settings->plot ? cli_drawing_write(settings->plot, draw_plot, run) : 0;
    return error || !settings->picture ? error : cli_drawing_write(settings->picture, draw_picture, run);
}

/* ---- the command ---- */

static void clean_up(distance_run *run)
{
    cli_near_end(&run->near);
    cli_two_close(&run->two);
    free(run->steps);
}

int cli_distance(const char *program, int argc, char **argv)
{
    (void)program;
    distance_run run = {.steps = NULL};
    cli_operands operands;
    int exit_status;
    if (!parse(&run, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    int error = prepare(&run, &operands);
    error = error ? error : answer(&run);
    error = error ? error : draw(&run);
    clean_up(&run);
    return error ? error : cli_exit_of(run.seen);
}
