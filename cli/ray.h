/* What the parts of 'tumble ray' share. */
#ifndef TUMBLE_CLI_RAY_H
#define TUMBLE_CLI_RAY_H

#include "one_model.h"
#include "tumble/ray.h"

typedef struct cli_ray_settings {
    cli_load_options load;
    const char *origin, *direction, *to, *rays, *inside, *picture; /* as given, or NULL */
    int mode, rule, line;
    double t0, t1, radius;
    cli_output_options output;
} cli_ray_settings;

typedef struct cli_rays {
    double *origins, *directions;
    size_t count, origin_capacity, direction_capacity;
} cli_rays;

typedef struct cli_ray_run {
    cli_one_model one;
    tumble_query *query;
    cli_rays rays;
    tumble_ray_hit *closest;
    uint64_t *hit_counts;
    tumble_ray_result result;
    double point[3];
    tumble_inside_answer answer;
} cli_ray_run;

/* Both return 0 or an exit status after reporting the error. */
int cli_ray_report(const cli_ray_settings *settings, const cli_ray_run *run);
int cli_ray_draw(const cli_ray_settings *settings, const cli_ray_run *run);

#endif
