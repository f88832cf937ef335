/* What 'tumble separate' draws: depth and distance over a path, and the models with the move where it is longest. */
#include <math.h>
#include <stdlib.h>

#include "contact_picture.h"
#include "drawing.h"
#include "message.h"
#include "plot.h"
#include "separate.h"
#include "svg.h"

/* ---- the plot ---- */

/* Where no move is needed, how far apart they are. */
static int get_distances(const cli_separate_run *run, double *distances)
{
    const cli_two_models *two = &run->common.two;
    for (size_t i = 0; i < two->path.count; i++) {
        tumble_distance_result result;
        distances[i] = 0;
        if (run->steps[i].upper != 0) {
            continue;
        }
        const tumble_status status = tumble_distance(run->query, two->models[0], &two->pose_a, two->models[1],
                                                     &two->path.poses[i], NULL, &result);
        if (status != TUMBLE_OK) {
            return cli_query_error(run->query, status);
        }
        distances[i] = result.answer == TUMBLE_YES ? result.nearest.distance : 0;
    }
    return 0;
}

static void draw_plot_of(const cli_separate_run *run, FILE *file, const double *depths, const double *distances,
                         const double *times)
{
    const cli_comparison *common = &run->common;
    const size_t count = common->two.path.count, worst = cli_separate_worst(run);
    const char *names[2];
    char subtitle[600], mark_text[96] = "";
    cli_short_names(common->two.names, names);
    snprintf(subtitle, sizeof subtitle, "%.250s and %.250s", names[0], names[1]);
    if (worst < count) {
        snprintf(mark_text, sizeof mark_text, "deepest: step %zu, %s", worst,
                 cli_separate_depth(&run->steps[worst]).text);
    }
    const cli_plot_panel panels[] = {
        {.title = run->settings.along ? "least move along the direction" : "depth: the shortest move that was found",
         .colour = "#b3401f",
         .values = depths},
        {.title = "distance", .colour = "#1f7a4d", .values = distances},
        {.title = "time of a query, µs", .colour = "#1b6ca8", .values = times}};
    const cli_plot_mark mark = {worst, mark_text};
    const cli_plot plot = {.title = "How far the models must be parted",
                           .subtitle = subtitle,
                           .step_count = count,
                           .panels = panels,
                           .panel_count = common->options.output.stats ? 3 : 2,
                           .marks = &mark,
                           .mark_count = worst < count ? 1 : 0};
    cli_plot_write(file, &plot);
}

static int draw_plot(void *user, FILE *file)
{
    const cli_separate_run *run = user;
    const size_t count = run->common.two.path.count;
    double *values = malloc(3 * count * sizeof *values);
    if (!values) {
        return cli_memory_error("the plot");
    }
    for (size_t i = 0; i < count; i++) {
        const tumble_separate_result *result = &run->steps[i];
        values[i] = isfinite(result->upper) ? result->upper : result->lower;
        values[2 * count + i] = 1e6 * result->counters.seconds;
    }
    const int error = get_distances(run, values + count);
    if (!error) {
        draw_plot_of(run, file, values, values + count, values + 2 * count);
    }
    free(values);
    return error;
}

/* ---- the picture ---- */

static void describe(const cli_contact_picture *where, const tumble_separate_result *result, char *text, size_t size)
{
    char step[48] = "";
    if (where->along_path) {
        snprintf(step, sizeof step, "step %zu of the path: ", where->step);
    }
    if (result->upper > 0 && isfinite(result->upper)) {
        snprintf(text, size, "%s%s; the shortest move is %s long", step, tumble_relation_name(result->relation),
                 cli_separate_depth(result).text);
    } else {
        snprintf(text, size, "%s%s, %s", step, tumble_relation_name(result->relation),
                 result->upper == 0 ? "no move is needed" : "no move was found");
    }
}

static int draw_picture(void *user, FILE *file)
{
    const cli_separate_run *run = user;
    const cli_two_models *two = &run->common.two;
    const size_t worst = cli_separate_worst(run);
    cli_contact_picture where = {
        .two = two, .step = worst < two->path.count ? worst : 0, .along_path = run->common.report.along_path};
    const tumble_separate_result *result = &run->steps[where.step];
    char caption[160];
    describe(&where, result, caption, sizeof caption);
    char length[48];
    snprintf(length, sizeof length, "%.6g", result->upper);
    where.title = "How far the models must be parted";
    where.caption = caption;
    where.distance = length;
    where.move = result->upper > 0 && isfinite(result->upper) ? result->translation : NULL;
    const int error = cli_parse_view(&run->common.options.drawings.view, &where.view);
    return error ? error : cli_contact_picture_write(file, &where);
}

int cli_separate_draw(cli_separate_run *run)
{
    const cli_drawing_options *options = &run->common.options.drawings;
    const int error = options->plot ? cli_drawing_write(options->plot, draw_plot, run) : 0;
    return error || !options->picture ? error : cli_drawing_write(options->picture, draw_picture, run);
}
