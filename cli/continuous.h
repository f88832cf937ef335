/* 'tumble check --continuous': contacts along a path, also between its poses. */
#ifndef TUMBLE_CLI_CONTINUOUS_H
#define TUMBLE_CLI_CONTINUOUS_H

#include "check_report.h"
#include "tumble/motion.h"

/* Time counts poses: 3.25 is a quarter of the way from pose 3 to pose 4. */
typedef struct cli_continuous {
    tumble_query *query;
    tumble_contact_intervals_options options;
    tumble_contact_interval *intervals; /* of the path so far */
    size_t count, capacity;
    tumble_pose previous; /* the pose before */
    tumble_answer latest; /* of the way from there */
    tumble_counters counters;
} cli_continuous;

/* Returns 0 or an exit status. */
int cli_continuous_begin(cli_continuous *path, tumble_context *context, double clearance, double tolerance);
void cli_continuous_end(cli_continuous *path);

/* The way from the previous pose of B to this one, the number `step`. Returns 0 or an exit status. */
int cli_continuous_run(cli_continuous *path, const cli_two_models *two, const tumble_pose *pose_b, size_t step);

void cli_continuous_json(const cli_pair_report *report, const cli_continuous *path);
int cli_continuous_text(const cli_pair_report *report, const cli_continuous *path);

#endif
