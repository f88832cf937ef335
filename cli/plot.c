/* A plot of time and pairs over a path, as SVG. */
#include "plot.h"

#include <math.h>

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

static void write_text(FILE *file, double x, double y, const char *attributes, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '&': fputs("&amp;", file); break;
        default: fputc(*text, file);
        }
    }
    fputs("</text>\n", file);
}

static double x_of(const cli_plot *plot, double step)
{
    const double last = plot->step_count > 1 ? (double)(plot->step_count - 1) : 1;
    return left + (page_width - left - right) * step / last;
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
        write_text(file, left - 8, y + 4.5, "class=\"tick\" text-anchor=\"end\"", text);
    }
}

/* The area first, then the line on top of it. */
static void write_curve(FILE *file, const cli_plot *plot, const cli_plot_panel *panel, double base, double range)
{
    for (int filled = 1; filled >= 0; filled--) {
        fprintf(file, "<path d=\"M%.2f %.2f", x_of(plot, 0),
                filled ? base : base - panel_height * panel->values[0] / range);
        for (size_t i = 0; i < plot->step_count; i++) {
            fprintf(file, "L%.2f %.2f", x_of(plot, (double)i), base - panel_height * panel->values[i] / range);
        }
        if (filled) {
            fprintf(file, "L%.2f %.2fZ\" fill=\"%s\" fill-opacity=\"0.15\"/>\n",
                    x_of(plot, (double)(plot->step_count - 1)), base, panel->colour);
        } else {
            fprintf(file, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"/>\n",
                    panel->colour);
        }
    }
}

static void write_panel(FILE *file, const cli_plot *plot, size_t number)
{
    const cli_plot_panel *panel = &plot->panels[number];
    const double base = panel_top(number) + panel_height;
    const double most = largest(plot, panel), tick = cli_plot_tick(most, 5);
    const double range = most > 0 ? tick * ceil(most / tick * (1 - 1e-9)) : tick;
    write_grid(file, base, range, tick);
    write_curve(file, plot, panel, base, range);
    fprintf(file, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", left, page_width - right,
            base, base);
    char attributes[96];
    snprintf(attributes, sizeof attributes, "class=\"label\" fill=\"%s\"", panel->colour);
    write_text(file, left, panel_top(number) - 14, attributes, panel->title);
}

static void write_step_axis(FILE *file, const cli_plot *plot)
{
    const double base = panel_top(plot->panel_count - 1) + panel_height;
    const double last = plot->step_count > 1 ? (double)(plot->step_count - 1) : 1;
    const double tick = fmax(1, cli_plot_tick(last, 12));
    for (int i = 0; i * tick <= last; i++) {
        const double step = i * tick;
        char text[32];
        snprintf(text, sizeof text, "%.0f", step);
        fprintf(file, "<line class=\"axis\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", x_of(plot, step),
                x_of(plot, step), base, base + 5);
        write_text(file, x_of(plot, step), base + 20, "class=\"tick\" text-anchor=\"middle\"", text);
    }
    write_text(file, (left + page_width - right) / 2, base + 44, "class=\"label\" fill=\"#333\" text-anchor=\"middle\"",
               "step of the path");
}

/* Texts stand above the panels beside their lines, each in a row of its own: to the left of the first line and to the
 * right of the others, unless the edge is too near. */
static void write_mark(FILE *file, const cli_plot *plot, size_t number)
{
    const double room = 220, x = x_of(plot, (double)plot->marks[number].step), y = 84 + 17 * (double)number;
    const int to_the_left = number == 0 ? x > left + room : x > page_width - right - room;
    const double end = panel_top(plot->panel_count - 1) + panel_height;
    fprintf(file, "<line class=\"mark\" x1=\"%.2f\" x2=\"%.2f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", x, x, y - 12, end);
    write_text(file, to_the_left ? x - 6 : x + 6, y,
               to_the_left ? "class=\"note\" text-anchor=\"end\"" : "class=\"note\"", plot->marks[number].text);
}

static void write_head(FILE *file, const cli_plot *plot)
{
    const double height = panel_top(plot->panel_count - 1) + panel_height + bottom;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n",
            page_width, height, page_width, height);
    fputs("<style>.grid{stroke:#e3e3e3}.axis{stroke:#555}.mark{stroke:#444;stroke-dasharray:4 4}"
          ".tick{font-size:13px;fill:#555}.label{font-size:14px}"
          ".note{font-size:13px;fill:#222;stroke:#fff;stroke-width:4;paint-order:stroke}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
          file);
    write_text(file, left, 32, "font-size=\"18\" font-weight=\"bold\" fill=\"#111\"", plot->title);
    write_text(file, left, 54, "font-size=\"13\" fill=\"#555\"", plot->subtitle);
}

void cli_plot_write(FILE *file, const cli_plot *plot)
{
    write_head(file, plot);
    for (size_t i = 0; i < plot->panel_count && plot->step_count > 0; i++) {
        write_panel(file, plot, i);
    }
    write_step_axis(file, plot);
    for (size_t i = 0; i < plot->mark_count; i++) {
        write_mark(file, plot, i);
    }
    fputs("</svg>\n", file);
}
