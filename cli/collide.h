/* A query, and what the caller wants to see of its answer. */
#ifndef TUMBLE_CLI_COLLIDE_H
#define TUMBLE_CLI_COLLIDE_H

#include "tumble/query.h"

/* What is asked. Start with cli_collide_begin, end with cli_collide_end. */
typedef struct cli_collide {
    tumble_context *context;
    tumble_query *query;
    const tumble_model *a, *b;
    tumble_pose pose_a;
    tumble_collide_options options; /* mode, clearance, want_contacts, want_surfaces, tuning: set by the caller */
    int lists_pairs;                /* of polygons: 0 when surfaces alone are asked for */
    uint64_t limit;                 /* pairs of each kind that the caller wants to see; their contacts all */
    int names_none;                 /* whether they intersect is asked, but no pair */
    int counts_only;                /* how many pairs is asked, but not which */

    /* The answer of cli_collide_run: what the caller wants to see of it, until the next one. */
    tumble_collide_result result;
    const tumble_pair *pairs;
    size_t pair_count; /* at most `limit` */
    const tumble_contact *contacts;
    size_t contact_count; /* those of these pairs */
    const tumble_surface_pair *surface_pairs;
    size_t surface_count;
} cli_collide;

/* Both return 0 or an exit status after reporting the error. */
int cli_collide_begin(cli_collide *collide, tumble_context *context, const tumble_model *a, const tumble_model *b);
int cli_collide_run(cli_collide *collide, const tumble_pose *pose_b);

/* How many results of each kind there are, or a device is to have room for. */
typedef struct cli_result_counts {
    size_t pairs, contacts, surfaces;
} cli_result_counts;

/* Results in memory, which may be fewer than there are. */
typedef struct cli_stored_results {
    const tumble_pair *pairs;
    const tumble_contact *contacts;
    const tumble_surface_pair *surface_pairs;
    cli_result_counts room;
} cli_stored_results;

/* Takes the answer from collide->result and these. Returns whether they hold all that the caller wants to see; else
 * *wanted is the room that it takes. */
int cli_collide_take(cli_collide *collide, const cli_stored_results *stored, cli_result_counts *wanted);

void cli_collide_end(cli_collide *collide);

#endif
