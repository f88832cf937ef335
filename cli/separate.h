/* What the parts of 'tumble separate' share. */
#ifndef TUMBLE_CLI_SEPARATE_H
#define TUMBLE_CLI_SEPARATE_H

#include "compare.h"
#include "report.h"
#include "tumble/separate.h"

typedef struct cli_separate_settings {
    const char *along; /* as given, or NULL */
    int touching;
    double within, enough, directions;
} cli_separate_settings;

typedef struct cli_separate_run {
    cli_comparison common;
    cli_separate_settings settings;
    tumble_query *query;
    tumble_separate_options options;
    tumble_separate_result result; /* of the latest step */
    tumble_separate_result *steps; /* NULL when nobody examines them again */
} cli_separate_run;

/* Whether the models have anything in common that they may not have: the exit status of a step. */
tumble_answer cli_separate_answer(const cli_separate_run *run, const tumble_separate_result *result);

/* The step that must be moved farthest; the number of steps if none must be moved. */
size_t cli_separate_worst(const cli_separate_run *run);

/* "0.25", "0.25 to 0.5", "at least 0.25" */
cli_word cli_separate_depth(const tumble_separate_result *result);

void cli_separate_json(const cli_separate_run *run, size_t step);

/* Both return 0 or an exit status after reporting the error. */
int cli_separate_text(const cli_separate_run *run);
int cli_separate_draw(cli_separate_run *run);

#endif
