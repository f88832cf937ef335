/* What `tumble check` says. */
#ifndef TUMBLE_CLI_CHECK_REPORT_H
#define TUMBLE_CLI_CHECK_REPORT_H

#include <stdio.h>

#include "collide.h"
#include "surfaces.h"

/* The answer at one pose of a path. */
typedef struct cli_step {
    int collide;
    uint64_t pair_count; /* of surfaces, when they are asked for */
    uint32_t first[2];   /* polygons or surfaces of A and B */
    tumble_counters counters;
} cli_step;

typedef struct cli_check_report {
    FILE *file;
    const char *name_a, *name_b;
    const char *hierarchy;
    int along_path; /* there is a "step" */
    int stats;
    const cli_surfaces *surfaces; /* of A and B */
} cli_check_report;

/* One object, in one line. */
void cli_check_json(const cli_check_report *report, const cli_collide *collide, size_t step);

/* One pose in words and tables. Returns 0 or an exit status. */
int cli_check_text(const cli_check_report *report, const cli_collide *collide);

/* The answer that a query has just given. */
cli_step cli_check_step(const cli_collide *collide);

/* A path: which steps are free and which are not. Returns 0 or an exit status. */
int cli_check_text_path(const cli_check_report *report, const cli_collide *collide, const cli_step *steps,
                        size_t count);

/* The middle and the largest of the times of the steps. */
int cli_step_times(const cli_step *steps, size_t count, double *median, double *worst);

#endif
