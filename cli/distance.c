/* tumble distance: how far apart are two models, and where are they closest? */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "commands.h"
#include "compare.h"
#include "distance_drawing.h"
#include "distance_report.h"
#include "message.h"

typedef struct distance_settings {
    double within; /* infinity: not given */
    double relative_error, absolute_error;
    int pairs;
} distance_settings;

static const cli_option question_options[] = {
    {.kind = CLI_NUMBER,
     .name = "within",
     .argument = "D",
     .help = "the distance matters only up to D: much faster if they are farther apart. If only whether they are "
             "closer than D matters, 'tumble check --clearance D' is faster still",
     .offset = offsetof(distance_settings, within),
     .least = 0,
     .most = INFINITY},
    {.kind = CLI_NUMBER,
     .name = "rel-error",
     .argument = "E",
     .help = "the result may exceed the distance by this fraction: 0.01 is one percent. Faster",
     .offset = offsetof(distance_settings, relative_error),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_NUMBER,
     .name = "abs-error",
     .argument = "E",
     .help = "the result may exceed the distance by E, in the unit of the models. Faster",
     .offset = offsetof(distance_settings, absolute_error),
     .least = 0,
     .most = INFINITY,
     .show_default = 1},
    {.kind = CLI_FLAG,
     .name = "pairs",
     .help = "also all pairs of polygons that are so close, to within the errors",
     .offset = offsetof(distance_settings, pairs),
     .value = 1},
    {.name = NULL}};

static const char description[] =
    CLI_MODEL_DESCRIPTION "The distance of their surfaces is exact up to rounding of the result, and 0 if they "
                          "intersect; the two closest points and their polygons come with it. Polygons are numbered "
                          "from 0 in the order of the file. For containment see 'tumble check --relation'.";

static const char examples[] = "tumble distance housing.obj part.stl\n"
                               "tumble distance housing.obj part.stl --move-b \"0 0 5\" --within 2 --json\n"
                               "tumble distance housing.obj part.stl --rel-error 0.01 --pairs --limit 50\n"
                               "tumble distance housing.tumble part.tumble --poses path.txt --plot distance.svg\n"
                               "tumble distance housing.obj part.stl --picture closest.png --view \"1 -2 1\"\n"
                               "tumble distance housing.obj part.stl --poses path.txt --budget-us 50 --json";

static const char exit_status_text[] = "0  apart at all poses; with --within D: farther than D\n"
                                       "1  they intersect at some pose; with --within D: at most D apart\n"
                                       "2  an error; stderr says what to do\n"
                                       "3  unknown: the budget was spent";

typedef struct distance_run {
    cli_comparison common;
    distance_settings settings;
    tumble_tuning tuning; /* of its queries */
    cli_near near;
    tumble_distance_result *steps; /* NULL when nobody examines them again */
} distance_run;

static int refuse(void *data)
{
    const distance_run *run = data;
    const cli_compare_options *options = &run->common.options;
    if (isfinite(options->output.limit) && !run->settings.pairs) {
        return cli_error("--limit belongs to --pairs: give that as well, or leave --limit out");
    }
    if (!options->two.poses && options->two.coherence) {
        return cli_error("--coherence is for a path: give --poses as well, or leave it out");
    }
    if (run->settings.pairs && options->two.poses && !options->output.json) {
        return cli_error("--pairs with --poses would be a list for each pose: give --json as well, or one pose with "
                         "--pose-b");
    }
    return cli_check_drawings(&options->drawings, options->two.poses != NULL);
}

/* ---- asking ---- */

static int prepare_query(distance_run *run)
{
    const distance_settings *settings = &run->settings;
    const cli_compare_options *options = &run->common.options;
    const cli_two_models *two = &run->common.two;
    cli_near *near = &run->near;
    const int error = cli_near_begin(near, two->context, two->models[0], two->models[1]);
    if (error) {
        return error;
    }
    near->pose_a = two->pose_a;
    near->options.within = settings->within;
    near->options.relative_error = settings->relative_error;
    near->options.absolute_error = settings->absolute_error;
    near->options.want_pairs = settings->pairs != 0;
    near->options.coherence = cli_coherence(&options->two, TUMBLE_COHERENCE_ALL);
    cli_set_budget(&options->budget, &near->options);
    run->tuning = cli_tuning(&options->two.load, CLI_ROLE_NONE);
    near->options.tuning = &run->tuning;
    near->limit = cli_limit_of(&options->output);
    return 0;
}

static int prepare(void *data)
{
    distance_run *run = data;
    const cli_compare_options *options = &run->common.options;
    const int error = prepare_query(run);
    if (!error && (!options->output.json || options->drawings.plot || options->drawings.picture)) {
        run->steps = calloc(run->common.two.path.count, sizeof *run->steps);
        return run->steps ? 0 : cli_memory_error("the steps");
    }
    return error;
}

static int ask(void *data, size_t step)
{
    distance_run *run = data;
    const int error = cli_near_run(&run->near, &run->common.two.path.poses[step]);
    if (error) {
        return error;
    }
    run->common.seen[cli_distance_answer(&run->near)] = 1;
    if (run->steps) {
        run->steps[step] = run->near.result;
    }
    if (run->common.options.output.json) {
        cli_distance_json(&run->common.report, &run->near, step);
    }
    return 0;
}

static int finish(void *data)
{
    const distance_run *run = data;
    const cli_pair_report *report = &run->common.report;
    if (run->common.options.output.json) {
        return 0;
    }
    return report->along_path ? cli_distance_text_path(report, &run->near, run->steps, run->common.two.path.count)
                              : cli_distance_text(report, &run->near);
}

static int draw(void *data)
{
    const distance_run *run = data;
    return cli_distance_draw(&run->common, run->steps, run->settings.within);
}

/* ---- the command ---- */

static void clean_up(void *data)
{
    distance_run *run = data;
    cli_near_end(&run->near);
    free(run->steps);
}

static const cli_compare_command command = {.name = "distance",
                                            .purpose = "finds how far apart two models are, and where they are closest",
                                            .description = description,
                                            .examples = examples,
                                            .exit_status = exit_status_text,
                                            .label = "measuring",
                                            .refuse = refuse,
                                            .prepare = prepare,
                                            .ask = ask,
                                            .finish = finish,
                                            .draw = draw,
                                            .clean_up = clean_up};

int cli_distance(const char *program, int argc, char **argv)
{
    (void)program;
    distance_run run = {.settings.within = INFINITY};
    const cli_section own[] = {{.title = "Question", .options = question_options, .target = &run.settings},
                               cli_drawing_section(&run.common.options.drawings),
                               cli_view_section(&run.common.options.drawings.view),
                               {.title = NULL}};
    cli_compare_begin(&run.common, own, CLI_ASKS_DISTANCES);
    return cli_compare(&run.common, &command, &run, argc, argv);
}
