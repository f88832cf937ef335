/* A plot of values over the steps of a path, as SVG. */
#include "plot.h"

#include <math.h>

#include "svg.h"

enum {
    MOST_POINTS = 2000, /* per curve */
    MOST_DOTS = 60      /* paths up to this length get a dot per step */
};

/* In user units of the SVG. */
static const double page_width = 960, left = 84, right = 28, top = 136, panel_height = 190, panel_gap = 58, bottom = 62;

double cli_plot_tick(double most, int count)
{
    if (!(most > 0)) {
        return 1;
    }
    const double rough = most / count, power = pow(10, floor(log10(rough)));
    static const double steps[] = {1, 2, 5};
    for (int i = 0; i < 3; i++) {
        if (steps[i] * power >= rough * (1 - 1e-9)) {
            return steps[i] * power;
        }
    }
    return 10 * power;
}

static double x_of(const cli_plot *plot, double step)
{
    const double share = plot->step_count > 1 ? step / (double)(plot->step_count - 1) : 0.5;
    return left + (page_width - left - right) * share;
}

static double panel_top(size_t panel)
{
    return top + (double)panel * (panel_height + panel_gap);
}

static double largest(const cli_plot *plot, const cli_plot_panel *panel)
{
    double most = 0;
    for (size_t i = 0; i < plot->step_count; i++) {
        most = fmax(most, panel->values[i]);
    }
    return most;
}

static void write_grid(FILE *file, double base, double range, double tick)
{
    const int count = (int)lround(range / tick);
    for (int i = 0; i <= count; i++) {
        const double value = i * tick;
        const double y = base - panel_height * value / range;
        char text[32];
        snprintf(text, sizeof text, "%.6g", value);
        fprintf(file, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.2f\" y2=\"%.2f\"/>\n", left,
                page_width - right, y, y);
        const cli_svg_text where = {left - 8, y + 4.5, 13, left - 12, 0, "fill=\"#555\" text-anchor=\"end\""};
        cli_svg_write_text(file, &where, text);
    }
}

typedef struct curve {
    FILE *file;
    const cli_plot *plot;
    const double *values;
    double base, range;
} curve;

static void write_point(const curve *c, const char *command, size_t step)
{
    fprintf(c->file, "%s%.2f %.2f", command, x_of(c->plot, (double)step),
            c->base - panel_height * c->values[step] / c->range);
}

/* The minimum and maximum of a group of steps, in order of occurrence, so that long paths lose no peak. */
static void write_extremes(const curve *c, size_t first, size_t end)
{
    size_t least = first, largest_step = first;
    for (size_t i = first; i < end; i++) {
        least = c->values[i] < c->values[least] ? i : least;
        largest_step = c->values[i] > c->values[largest_step] ? i : largest_step;
    }
    write_point(c, "L", least < largest_step ? least : largest_step);
    if (least != largest_step) {
        write_point(c, "L", least < largest_step ? largest_step : least);
    }
}

static void write_points(const curve *c)
{
    const size_t count = c->plot->step_count, group = count > MOST_POINTS ? 2 * (count / MOST_POINTS + 1) : 1;
    for (size_t i = 0; i < count; i += group) {
        write_extremes(c, i, count - i < group ? count : i + group);
    }
}

static void write_dots(const curve *c, const char *colour)
{
    for (size_t i = 0; i < c->plot->step_count && c->plot->step_count <= MOST_DOTS; i++) {
        fprintf(c->file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n", x_of(c->plot, (double)i),
                c->base - panel_height * c->values[i] / c->range, colour);
    }
}

/* The area first, then the line on top of it. */
static void write_curve(FILE *file, const cli_plot *plot, const cli_plot_panel *panel, double base, double range)
{
    const curve c = {file, plot, panel->values, base, range};
    fprintf(file, "<path d=\"M%.2f %.2f", x_of(plot, 0), base);
    write_point(&c, "L", 0);
    write_points(&c);
    write_point(&c, "L", plot->step_count - 1);
    fprintf(file, "V%.2fZ\" fill=\"%s\" fill-opacity=\"0.15\"/>\n", base, panel->colour);
    fputs("<path d=\"", file);
    write_point(&c, "M", 0);
    write_points(&c);
    write_point(&c, "L", plot->step_count - 1);
    fprintf(file, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n", panel->colour);
    write_dots(&c, panel->colour);
}

static void write_panel(FILE *file, const cli_plot *plot, size_t number)
{
    const cli_plot_panel *panel = &plot->panels[number];
    const double base = panel_top(number) + panel_height;
    const double most = largest(plot, panel), least_tick = panel->whole ? 1 : 0;
    const double tick = fmax(least_tick, cli_plot_tick(most, 5));
    const double range = most > 0 ? tick * ceil(most / tick * (1 - 1e-9)) : tick;
    write_grid(file, base, range, tick);
    write_curve(file, plot, panel, base, range);
    fprintf(file, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", left, page_width - right,
            base, base);
}

/* Above the lines of marks, which pass behind it. */
static void write_panel_title(FILE *file, const cli_plot *plot, size_t number)
{
    const cli_plot_panel *panel = &plot->panels[number];
    char attributes[64];
    snprintf(attributes, sizeof attributes, "class=\"note\" style=\"fill:%s\"", panel->colour);
    const cli_svg_text where = {left, panel_top(number) - 14, 14, page_width - left - right, 0, attributes};
    cli_svg_write_text(file, &where, panel->title);
}

static void write_step_axis(FILE *file, const cli_plot *plot)
{
    const double base = panel_top(plot->panel_count - 1) + panel_height;
    const double last = (double)(plot->step_count - 1);
    const double tick = fmax(1, cli_plot_tick(last, 12));
    for (int i = 0; i * tick <= last; i++) {
        const double step = i * tick;
        char text[32];
        snprintf(text, sizeof text, "%.0f", step);
        fprintf(file, "<line class=\"axis\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", x_of(plot, step),
                x_of(plot, step), base, base + 5);
        const cli_svg_text where = {x_of(plot, step), base + 20, 13, 0, 0, "fill=\"#555\" text-anchor=\"middle\""};
        cli_svg_write_text(file, &where, text);
    }
    const cli_svg_text where = {(left + page_width - right) / 2,       base + 44, 14, 0, 0,
                                "fill=\"#333\" text-anchor=\"middle\""};
    cli_svg_write_text(file, &where, "step of the path");
}

static double mark_y(size_t number)
{
    return 84 + 17 * (double)number;
}

static void write_mark_line(FILE *file, const cli_plot *plot, size_t number)
{
    const double x = x_of(plot, (double)plot->marks[number].step);
    const double end = panel_top(plot->panel_count - 1) + panel_height;
    fprintf(file, "<line class=\"mark\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", x, x, mark_y(number) - 12,
            end);
}

/* Texts stand above the panels beside their lines, each in a row of its own: to the left of the first line and to the
 * right of the others, unless the edge is too near. */
static void write_mark_text(FILE *file, const cli_plot *plot, size_t number)
{
    const double x = x_of(plot, (double)plot->marks[number].step);
    const double width = cli_svg_text_width(plot->marks[number].text, 13, 0) + 12;
    const int fits_left = x - width > left, fits_right = x + width < page_width - right;
    const int to_the_left = number == 0 ? fits_left : !fits_right;
    const cli_svg_text where = {to_the_left ? x - 6 : x + 6,
                                mark_y(number),
                                13,
                                0,
                                0,
                                to_the_left ? "class=\"note\" text-anchor=\"end\"" : "class=\"note\""};
    cli_svg_write_text(file, &where, plot->marks[number].text);
}

static void write_head(FILE *file, const cli_plot *plot)
{
    const double height = panel_top(plot->panel_count - 1) + panel_height + bottom;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"" CLI_SVG_FONT "\">\n",
            page_width, height, page_width, height);
    fputs("<style>.grid{stroke:#e3e3e3}.axis{stroke:#555}.mark{stroke:#444;stroke-dasharray:4 4}"
          ".note{fill:#222;stroke:#fff;stroke-width:4;paint-order:stroke}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
          file);
    const cli_svg_text title = {left, 32, 18, page_width - left - right, 1, "fill=\"#111\""};
    const cli_svg_text subtitle = {left, 54, 13, page_width - left - right, 0, "fill=\"#555\""};
    cli_svg_write_text(file, &title, plot->title);
    cli_svg_write_text(file, &subtitle, plot->subtitle);
}

void cli_plot_write(FILE *file, const cli_plot *plot)
{
    write_head(file, plot);
    for (size_t i = 0; i < plot->panel_count && plot->step_count > 0; i++) {
        write_panel(file, plot, i);
    }
    write_step_axis(file, plot);
    for (size_t i = 0; i < plot->mark_count; i++) {
        write_mark_line(file, plot, i);
    }
    for (size_t i = 0; i < plot->panel_count && plot->step_count > 0; i++) {
        write_panel_title(file, plot, i);
    }
    for (size_t i = 0; i < plot->mark_count; i++) {
        write_mark_text(file, plot, i);
    }
    fputs("</svg>\n", file);
}
