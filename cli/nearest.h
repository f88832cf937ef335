/* What the parts of 'tumble nearest' share. */
#ifndef TUMBLE_CLI_NEAREST_H
#define TUMBLE_CLI_NEAREST_H

#include "one_model.h"
#include "tumble/point.h"

typedef struct cli_nearest_settings {
    cli_load_options load;
    const char *point, *points, *box, *turn, *picture; /* as given, or NULL */
    double count, within, sphere, radius;              /* sphere: negative if not given */
    int is_signed, mode;
    cli_output_options output;
} cli_nearest_settings;

typedef struct cli_nearest_run {
    cli_one_model one;
    tumble_query *query;
    double *points;
    size_t point_count, capacity;
    double half[3];
    tumble_pose box;
    tumble_closest_result closest;
    tumble_overlap_result overlap;
} cli_nearest_run;

static inline int cli_nearest_is_shape(const cli_nearest_settings *settings)
{
    return settings->box != NULL || settings->sphere >= 0;
}

/* Both return 0 or an exit status after reporting the error. */
int cli_nearest_report(const cli_nearest_settings *settings, const cli_nearest_run *run);
int cli_nearest_draw(const cli_nearest_settings *settings, const cli_nearest_run *run);

#endif
