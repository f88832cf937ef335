/* A question about distances. */
#ifndef TUMBLE_CLI_NEAR_H
#define TUMBLE_CLI_NEAR_H

#include "json.h"
#include "options.h"
#include "tumble/proximity.h"

/* What is asked. Start with cli_near_begin, end with cli_near_end. */
typedef struct cli_near {
    tumble_context *context;
    tumble_query *query;
    const tumble_model *a, *b;
    tumble_pose pose_a;
    tumble_distance_options options; /* to be set by the caller */
    uint64_t limit;                  /* pairs that the caller wants to see */

    /* The answer of cli_near_run. */
    tumble_distance_result result;
    size_t pair_count; /* of result.pairs that are wanted: at most `limit` */
} cli_near;

/* Both return 0 or an exit status after reporting the error. */
int cli_near_begin(cli_near *near, tumble_context *context, const tumble_model *a, const tumble_model *b);
int cli_near_run(cli_near *near, const tumble_pose *pose_b);
void cli_near_end(cli_near *near);

/* ---- budgets ---- */

typedef struct cli_budget {
    double microseconds, boxes; /* infinity: not given */
} cli_budget;

cli_budget cli_no_budget(void);
int cli_has_budget(const cli_budget *budget);

/* "Budget": --budget-us, --budget-boxes. */
cli_section cli_budget_section(cli_budget *budget);
void cli_set_budget(const cli_budget *budget, tumble_distance_options *out);

/* ---- what both commands say ---- */

/* What is proven when the budget was spent: in words, with the bounds of the distance or without, and as members of an
 * object. */
void cli_print_proven(FILE *file, const tumble_distance_result *result, int with_bounds);
void cli_json_bounds(cli_json *json, const tumble_distance_result *result);

#endif
