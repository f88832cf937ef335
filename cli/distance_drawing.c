/* What 'tumble distance' draws: distances over a path, and the models where they are closest. */
#include "distance_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_picture.h"
#include "distance_report.h"
#include "drawing.h"
#include "message.h"
#include "plot.h"
#include "svg.h"

typedef struct drawing {
    const cli_comparison *common;
    const tumble_distance_result *steps;
    double within;
    size_t closest; /* step; the number of steps if no distance is known */
} drawing;

static int intersect(const tumble_distance_result *result)
{
    return result->answer == TUMBLE_YES && result->nearest.distance == 0;
}

/* ---- the plot ---- */

/* What the curve shows where there is no distance: the bound that is known. */
static double plotted_distance(const drawing *d, const tumble_distance_result *result)
{
    const double known = result->answer == TUMBLE_YES ? result->nearest.distance : fmin(result->lower, result->upper);
    const double most = fmin(known, d->within);
    return isfinite(most) ? most : 0;
}

static void draw_plot_of(const drawing *d, FILE *file, const double *distances, const double *times)
{
    const cli_comparison *common = d->common;
    const size_t count = common->two.path.count;
    const char *names[2];
    char title[64], subtitle[600], mark_text[96] = "";
    snprintf(title, sizeof title, isfinite(d->within) ? "distance, where it is at most %.6g" : "distance", d->within);
    cli_short_names(common->two.names, names);
    snprintf(subtitle, sizeof subtitle, "%.250s and %.250s", names[0], names[1]);
    if (d->closest < count && intersect(&d->steps[d->closest])) {
        snprintf(mark_text, sizeof mark_text, "first contact: step %zu", d->closest);
    } else if (d->closest < count) {
        snprintf(mark_text, sizeof mark_text, "closest: step %zu, %s", d->closest,
                 cli_format_distance(&d->steps[d->closest], d->within).text);
    }
    const cli_plot_panel panels[] = {{.title = title, .colour = "#1f7a4d", .values = distances},
                                     {.title = "time of a query, µs", .colour = "#1b6ca8", .values = times}};
    const cli_plot_mark mark = {d->closest, mark_text};
    const cli_plot plot = {.title = "How far apart the models are",
                           .subtitle = subtitle,
                           .step_count = count,
                           .panels = panels,
                           .panel_count = common->options.output.stats ? 2 : 1,
                           .marks = &mark,
                           .mark_count = d->closest < count ? 1 : 0};
    cli_plot_write(file, &plot);
}

static int draw_plot(void *user, FILE *file)
{
    const drawing *d = user;
    const size_t count = d->common->two.path.count;
    double *values = malloc(2 * count * sizeof *values);
    if (!values) {
        return cli_memory_error("the plot");
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = plotted_distance(d, &d->steps[i]);
        values[count + i] = 1e6 * d->steps[i].counters.seconds;
    }
    draw_plot_of(d, file, values, values + count);
    free(values);
    return 0;
}

/* ---- the picture ---- */

static int draw_gap(const drawing *d, FILE *file, const cli_contact_picture *where)
{
    const tumble_distance_result *result = &d->steps[where->step];
    const tumble_near *nearest = &result->nearest;
    tumble_contact way = {.polygon_a = nearest->polygon_a, .polygon_b = nearest->polygon_b};
    memcpy(way.points[0], nearest->point_a, sizeof way.points[0]);
    memcpy(way.points[1], nearest->point_b, sizeof way.points[1]);
    const cli_word distance = cli_format_distance(result, d->within);
    char caption[160], step[48] = "";
    if (where->along_path) {
        snprintf(step, sizeof step, "step %zu of the path: ", where->step);
    }
    snprintf(caption, sizeof caption, "%sthe models are %s apart", step, distance.text);
    cli_picture picture = {.contacts = &way,
                           .contact_count = d->closest < d->common->two.path.count,
                           .subject = CLI_PICTURE_GAP,
                           .distance = distance.text,
                           .caption = caption};
    return cli_two_picture_write(file, where, &picture);
}

/* Models that intersect have no gap: all their contacts are shown instead. */
static int draw_picture(void *user, FILE *file)
{
    const drawing *d = user;
    cli_contact_picture where = {.two = &d->common->two,
                                 .step = d->closest < d->common->two.path.count ? d->closest : 0,
                                 .along_path = d->common->report.along_path};
    const int error = cli_parse_view(&d->common->options.drawings.view, &where.view);
    if (error) {
        return error;
    }
    return intersect(&d->steps[where.step]) ? cli_contact_picture_write(file, &where) : draw_gap(d, file, &where);
}

int cli_distance_draw(const cli_comparison *common, const tumble_distance_result *steps, double within)
{
    const cli_drawing_options *options = &common->options.drawings;
    drawing d = {common, steps, within, 0};
    d.closest = steps ? cli_closest_step(steps, common->two.path.count) : 0;
    const int error = options->plot ? cli_drawing_write(options->plot, draw_plot, &d) : 0;
    return error || !options->picture ? error : cli_drawing_write(options->picture, draw_picture, &d);
}
