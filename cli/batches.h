/* The checks of all poses of a path on a device, in batches; their answers one by one, in the order of the poses. */
#ifndef TUMBLE_CLI_BATCHES_H
#define TUMBLE_CLI_BATCHES_H

#include "collide.h"
#include "device_work.h"
#include "poses.h"

/* One batch with room for its answers. */
typedef struct cli_batch {
    tumble_batch batch;
    tumble_ticket ticket;
    size_t *steps;      /* NULL: those from first_step on */
    tumble_pose *poses; /* of these */
    size_t first_step;
} cli_batch;

/* Start with a zeroed struct and cli_batches_begin, and end it also after an error. */
typedef struct cli_batches {
    cli_device *device;
    const cli_path *path;
    tumble_pose pose_a;
    tumble_mode mode;
    const struct tumble_tuning *tuning;
    int has_contacts;
    size_t next_step;       /* whose answer is reported next */
    size_t planned_count;   /* steps whose batches were made */
    cli_result_counts room; /* of each check in the next batch */
    cli_batch now;          /* whose answers are being told */
    cli_batch ahead;        /* which is at work meanwhile */
    cli_batch again;        /* steps of `now` whose answers need more room, asked again */
    size_t again_told;
} cli_batches;

/* What is asked is in `collide`: mode, want_contacts, limit, pose_a, tuning. The device must stay. */
int cli_batches_begin(cli_batches *batches, cli_device *device, const cli_path *path, const cli_collide *collide);

/* The answer at the next pose into `collide`, with lists in the batches, until the next call. Returns 0 or an
 * exit status after reporting the error. */
int cli_batches_next(cli_batches *batches, cli_collide *collide);

/* After the device was closed: until then it writes into the batches. */
void cli_batches_end(cli_batches *batches);

#endif
