/* Which surfaces intersect somewhere on a path. */
#ifndef TUMBLE_CLI_SURFACE_PATH_H
#define TUMBLE_CLI_SURFACE_PATH_H

#include "collide.h"
#include "pair_report.h"

typedef struct cli_surface_meeting {
    uint32_t surface_a, surface_b;
    size_t first_step, step_count;
} cli_surface_meeting;

/* Sorted by the surfaces of A and of B. Start with a zeroed struct. */
typedef struct cli_surface_path {
    cli_surface_meeting *meetings;
    size_t count, capacity;
    size_t step_count; /* how many were added */
} cli_surface_path;

/* The answer at the next step. Both return 0 or an exit status after reporting the error. */
int cli_surface_path_add(cli_surface_path *path, const cli_collide *collide);

/* A table: which surfaces, at how many steps, first at which. */
int cli_surface_path_print(const cli_pair_report *report, const cli_surface_path *path);

void cli_surface_path_free(cli_surface_path *path);

#endif
