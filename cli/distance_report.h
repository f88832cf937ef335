/* What `tumble distance` says. */
#ifndef TUMBLE_CLI_DISTANCE_REPORT_H
#define TUMBLE_CLI_DISTANCE_REPORT_H

#include <stdio.h>

#include "near.h"
#include "pair_report.h"
#include "report.h"

/* One object, in one line. */
void cli_distance_json(const cli_pair_report *report, const cli_near *near, size_t step);

/* One pose in words and tables. Returns 0 or an exit status. */
int cli_distance_text(const cli_pair_report *report, const cli_near *near);

/* A path: where they come closest, then a line for each step. Returns 0 or an exit status. */
int cli_distance_text_path(const cli_pair_report *report, const cli_near *near, const tumble_distance_result *steps,
                           size_t count);

/* Do they intersect, or with --within are they that close? For the exit status. */
tumble_answer cli_distance_answer(const cli_near *near);

/* The step where they are closest, as far as is known; `count` when no distance was found at any. */
size_t cli_closest_step(const tumble_distance_result *steps, size_t count);

/* The distance in words: "0.5", "0.25 to 0.5" when it is not known any better, "more than 2". */
cli_word cli_format_distance(const tumble_distance_result *result, double within);

#endif
