/* A device at work for a command: opened with two models, given batches, and waited for with a progress bar. */
#ifndef TUMBLE_CLI_DEVICE_WORK_H
#define TUMBLE_CLI_DEVICE_WORK_H

#include <stdio.h>

#include "device_options.h"
#include "progress.h"

/* What all batches together took. */
typedef struct cli_device_sums {
    uint64_t check_count, retried_count, exact_count;
    double open_seconds, model_seconds; /* until it was there, and the models were on it */
    double waiting_seconds, upload_seconds, run_seconds, result_seconds;
} cli_device_sums;

/* Start with a zeroed struct and the number, and close it also after an error. */
typedef struct cli_device {
    uint32_t number; /* of the library, from cli_find_device */
    tumble_context *context;
    tumble_device_info info;
    tumble_device *device;
    tumble_device_model *models[2]; /* A and B, which may be one */
    tumble_model_pair pair;
    int retry;
    cli_device_sums sums;

    cli_progress *progress;         /* set by the caller; may be NULL */
    uint64_t done_count, all_count; /* checks, for the bar; set by the caller, all_count 0 for no bar */
} cli_device;

/* Opens the device, with --retry the pool when that fails, and brings the models there. From here on interrupts are
 * noted, see output.h. Returns 0 or an exit status after reporting the error, as the next ones do. */
int cli_device_open(cli_device *device, tumble_context *context, const cli_device_options *options,
                    uint32_t thread_count, tumble_model *const models[2]);
void cli_device_close(cli_device *device); /* cancels what is at work */

/* The batch must stay until it was waited for. */
int cli_device_submit(cli_device *device, const tumble_batch *batch, tumble_ticket *ticket);

/* Waits until a batch is done; an interrupt ends that with an exit status and no message. `first_step` is the number
 * of its first check, for messages. */
int cli_device_wait(cli_device *device, const tumble_batch *batch, tumble_ticket ticket, size_t first_step);

/* Says so when there were checks that threads had to answer. */
void cli_device_note_retries(const cli_device *device);

/* What it took: a line and, if asked for, a table of the times; and one object in one line. */
int cli_device_text(FILE *file, const cli_device *device, int with_times);
void cli_device_json(FILE *file, const cli_device *device);

#endif
