/* What `tumble check` says. */
#ifndef TUMBLE_CLI_CHECK_REPORT_H
#define TUMBLE_CLI_CHECK_REPORT_H

#include <stdio.h>

#include "collide.h"
#include "near.h"
#include "pair_report.h"
#include "report.h"
#include "tumble/proximity.h"

/* The answer at one pose of a path. */
typedef struct cli_step {
    tumble_answer answer; /* for the exit status */
    const char *word;     /* "free", "intersect": a constant */
    int has_pair;
    uint64_t pair_count; /* of surfaces, when they are asked for */
    uint32_t first[2];   /* polygons or surfaces of A and B */
    tumble_counters counters;
} cli_step;

/* "intersect", or with a clearance "are at most 0.5 apart", or the contrary. */
cli_word cli_check_verb(int collide, double clearance);

/* Steps that follow each other with the same word, in a table: with the step that has `most` pairs, or with the first
 * pair of what `kind` says ("polygon", "surface"; NULL: none is known). Then what all queries did, when it is asked
 * for. Returns 0 or an exit status. */
int cli_check_stretches(const cli_pair_report *report, int most, const char *kind, const cli_step *steps, size_t count);

/* For each kind of question: one object in one line; one pose in words and tables; the answer that was just given;
 * which steps of a path have which answer. Those that return a number return 0 or an exit status. */
void cli_check_json(const cli_pair_report *report, const cli_collide *collide, size_t step);
int cli_check_text(const cli_pair_report *report, const cli_collide *collide);
cli_step cli_check_step(const cli_collide *collide);
int cli_check_text_path(const cli_pair_report *report, const cli_collide *collide, const cli_step *steps, size_t count);

void cli_relation_json(const cli_pair_report *report, const tumble_relation_result *result, size_t step);
int cli_relation_text(const cli_pair_report *report, const tumble_relation_result *result);
cli_step cli_relation_step(const tumble_relation_result *result);
int cli_relation_text_path(const cli_pair_report *report, const cli_step *steps, size_t count);

/* With a budget. The clearance is in near->options.within. */
void cli_budget_json(const cli_pair_report *report, const cli_near *near, size_t step);
int cli_budget_text(const cli_pair_report *report, const cli_near *near);
cli_step cli_budget_step(const cli_near *near);
int cli_budget_text_path(const cli_pair_report *report, const cli_near *near, const cli_step *steps, size_t count);

#endif
