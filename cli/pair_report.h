/* What the answers about two models have in common. */
#ifndef TUMBLE_CLI_PAIR_REPORT_H
#define TUMBLE_CLI_PAIR_REPORT_H

#include <stdio.h>

#include "json.h"
#include "two_models.h"

typedef struct cli_pair_report {
    FILE *file;
    const cli_two_models *two; /* their names, surfaces and hierarchy */
    int along_path;            /* there is a "step" */
    int stats;
    uint64_t limit; /* lines of a table of steps */
    int uncounted;  /* nothing is known of what the queries did */
} cli_pair_report;

/* "a" and "b": the files and how many polygons they have. */
void cli_json_inputs(cli_json *json, const cli_two_models *two);

/* The beginning of every object: which step, and the two models. */
void cli_json_begin_answer(cli_json *json, const cli_pair_report *report, size_t step);

/* Its end: the hierarchy, and what the query did unless that is unknown. */
void cli_json_end_answer(cli_json *json, const cli_pair_report *report, const tumble_counters *counters);

/* Of one pose, in words, if it is asked for and known. Returns 0 or an exit status. */
int cli_print_stats(const cli_pair_report *report, const tumble_counters *counters);

#endif
