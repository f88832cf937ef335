/* A plot of values over the steps of a path, as SVG. */
#ifndef TUMBLE_CLI_PLOT_H
#define TUMBLE_CLI_PLOT_H

#include <stddef.h>
#include <stdio.h>

typedef struct cli_plot_panel {
    const char *title;    /* what the values are, with the unit */
    const char *colour;   /* "#1b6ca8" */
    const double *values; /* one per step */
    int whole;            /* the values are integers, and so are the ticks */
} cli_plot_panel;

typedef struct cli_plot_mark {
    size_t step;
    const char *text;
} cli_plot_mark;

/* Panels below each other over one axis of steps, with vertical marks: at most three, from left to right. */
typedef struct cli_plot {
    const char *title, *subtitle;
    size_t step_count;
    const cli_plot_panel *panels;
    size_t panel_count;
    const cli_plot_mark *marks;
    size_t mark_count;
} cli_plot;

void cli_plot_write(FILE *file, const cli_plot *plot);

/* Distance of the ticks of an axis from 0 to `most`: 1, 2 or 5 times a power of ten, so that there are at most `count`.
 */
double cli_plot_tick(double most, int count);

#endif
