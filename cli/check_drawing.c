/* What 'tumble check' draws: pairs over a path, and the models where most of them intersect. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "contact_picture.h"
#include "drawing.h"
#include "message.h"
#include "plot.h"
#include "svg.h"

/* ---- steps ---- */

/* The first step with this answer; the number of steps if there is none. */
static size_t first_step(const check_run *check, tumble_answer answer)
{
    const size_t count = check->common.two.path.count;
    size_t step = 0;
    while (step < count && check->steps[step].answer != answer) {
        step++;
    }
    return step;
}

/* The step with most pairs, or else the first that intersects or might. */
static size_t worst_step(const check_run *check)
{
    const size_t count = check->common.two.path.count;
    size_t worst = check->steps ? first_step(check, TUMBLE_YES) : 0;
    if (worst == count) {
        worst = first_step(check, TUMBLE_MAYBE);
        return worst < count ? worst : 0;
    }
    for (size_t i = worst; i < count && check->steps; i++) {
        if (check->steps[i].answer == TUMBLE_YES && check->steps[i].pair_count > check->steps[worst].pair_count) {
            worst = i;
        }
    }
    return worst;
}

/* ---- the plot ---- */

/* Whether the question counts pairs, or only finds out whether there are any. */
static int counts_pairs(const check_run *check)
{
    const check_settings *settings = &check->settings;
    return !settings->relation && !cli_has_budget(&check->common.options.budget) && settings->mode != TUMBLE_FIRST &&
           settings->mode != TUMBLE_TEST && settings->surfaces != CHECK_FIRST_SURFACES;
}

static void name_values(const check_run *check, char *text, size_t size)
{
    const check_settings *settings = &check->settings;
    const char *kind = settings->surfaces ? "surfaces" : "polygons";
    const char *unknown = first_step(check, TUMBLE_MAYBE) < check->common.two.path.count ? ", ½: unknown" : "";
    if (!counts_pairs(check) && settings->clearance > 0) {
        snprintf(text, size, "are they at most %.6g apart? 1: yes, 0: no%s", settings->clearance, unknown);
    } else if (!counts_pairs(check)) {
        snprintf(text, size, "do they %s? 1: yes, 0: no%s",
                 settings->relation ? "have anything in common" : "intersect", unknown);
    } else if (settings->clearance > 0) {
        snprintf(text, size, "pairs of %s that are at most %.6g apart", kind, settings->clearance);
    } else {
        snprintf(text, size, "intersecting pairs of %s", kind);
    }
}

static size_t make_marks(const check_run *check, cli_plot_mark marks[2], char texts[2][64])
{
    const size_t count = check->common.two.path.count, first = first_step(check, TUMBLE_YES), worst = worst_step(check);
    if (first == count) {
        return 0;
    }
    const int one = first == worst || !counts_pairs(check);
    const char *what = check->settings.relation        ? "first in common"
                       : check->settings.clearance > 0 ? "first too close"
                                                       : "first contact";
    snprintf(texts[0], 64, "%s%s: step %zu", what, one && counts_pairs(check) ? " and most pairs" : "", first);
    snprintf(texts[1], 64, "most pairs: step %zu", worst);
    marks[0] = (cli_plot_mark){first, texts[0]};
    marks[1] = (cli_plot_mark){worst, texts[1]};
    return one ? 1 : 2;
}

static const char *plot_title(const check_run *check)
{
    const int never =
        first_step(check, TUMBLE_NO) == 0 && !check->common.seen[TUMBLE_YES] && !check->common.seen[TUMBLE_MAYBE];
    if (check->settings.clearance > 0) {
        return never ? "The models never come too close" : "Where the models come too close";
    }
    return never ? "The models never intersect" : "Where the models intersect";
}

static void draw_plot_of(const check_run *check, FILE *file, const double *answers, const double *times)
{
    const cli_comparison *common = &check->common;
    const char *names[2];
    char title[96], subtitle[600], texts[2][64];
    cli_plot_mark marks[2];
    name_values(check, title, sizeof title);
    cli_short_names(common->two.names, names);
    snprintf(subtitle, sizeof subtitle, "%.250s and %.250s", names[0], names[1]);
    const cli_plot_panel panels[] = {{.title = title, .colour = "#b3401f", .values = answers, .whole = 1},
                                     {.title = "time of a query, µs", .colour = "#1b6ca8", .values = times}};
    const cli_plot plot = {.title = plot_title(check),
                           .subtitle = subtitle,
                           .step_count = common->two.path.count,
                           .panels = panels,
                           .panel_count = common->report.stats && !common->report.uncounted ? 2 : 1,
                           .marks = marks,
                           .mark_count = make_marks(check, marks, texts)};
    cli_plot_write(file, &plot);
}

static int draw_plot(void *user, FILE *file)
{
    const check_run *check = user;
    const size_t count = check->common.two.path.count;
    double *values = malloc(2 * count * sizeof *values);
    if (!values) {
        return cli_memory_error("the plot");
    }
    for (size_t i = 0; i < count; i++) {
        const cli_step *step = &check->steps[i];
        values[i] = counts_pairs(check)            ? (double)step->pair_count
                    : step->answer == TUMBLE_MAYBE ? 0.5
                                                   : (step->answer == TUMBLE_YES);
        values[count + i] = 1e6 * step->counters.seconds;
    }
    draw_plot_of(check, file, values, values + count);
    free(values);
    return 0;
}

/* ---- the picture ---- */

static int draw_picture(void *user, FILE *file)
{
    const check_run *check = user;
    cli_contact_picture picture = {.two = &check->common.two,
                                   .step = worst_step(check),
                                   .along_path = check->common.report.along_path,
                                   .clearance = check->settings.clearance};
    const int error = cli_parse_view(&check->common.options.drawings.view, &picture.view);
    return error ? error : cli_contact_picture_write(file, &picture);
}

int cli_check_draw(check_run *check)
{
    const cli_drawing_options *options = &check->common.options.drawings;
    const int error = options->plot ? cli_drawing_write(options->plot, draw_plot, check) : 0;
    return error || !options->picture ? error : cli_drawing_write(options->picture, draw_picture, check);
}
