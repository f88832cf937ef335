/* The interface between the front of a device (queue, tickets) and what does the work: the thread pool (pool/) or
 * OpenCL (opencl/). */
#ifndef TUMBLE_SRC_DEVICE_BACKEND_H
#define TUMBLE_SRC_DEVICE_BACKEND_H

#include <stdatomic.h>

#include "base/context.h"
#include "tumble/device.h"

/* A running batch. The front has validated it: counts, pointers, models of this device; not the poses. */
typedef struct tmb_job {
    tumble_batch batch;
    atomic_int cancel;              /* nonzero: end soon; examined by the back end */
    _Atomic uint64_t done_count;    /* answers that are written; for progress */
    _Atomic uint64_t retried_count; /* as in tumble_ticket_report */
    _Atomic uint64_t exact_count;
    double upload_seconds, run_seconds, result_seconds;
    int is_lost;          /* the back end's own: the device has failed, and the rest is not tried */
    tumble_status status; /* set by the back end before it says that the job is finished */
    char message[256];    /* and, when that is not OK, why */

    /* Called by the back end, from any of its threads, when it is done with the job: all answers are written, and
     * neither the batch nor the job is accessed any more: its slot may be reused at once. */
    void (*finished)(struct tmb_job *job);
    void *front; /* the front's own */
} tmb_job;

/* What a back end can do. `self` is what its maker returned. */
typedef struct tmb_backend {
    void *self;
    tumble_context *context;
    void (*close)(void *self); /* nothing is running */
    /* Called from any thread, also while jobs run. *out is the back end's own, and tmb_uploaded finds it again. */
    tumble_status (*add_model)(void *self, const tumble_model *model, void **out);
    void (*remove_model)(void *self, void *uploaded);          /* no job uses it */
    void (*get_memory)(void *self, tumble_device_memory *out); /* NULL: it has no memory of its own */
    /* Runs some jobs, in this order or together, calls finished for each, and returns. Called from the one thread of
     * the front. Writes every answer of every job: a check that could not be answered has its status there. */
    void (*run)(void *self, tmb_job *const *jobs, size_t count);
} tmb_backend;

/* Makers. */
tumble_status tmb_pool_open(tumble_context *context, uint32_t thread_count, tmb_backend *out);
tumble_status tmb_opencl_open(tumble_context *context, uint32_t number, const tumble_device_options *options,
                              tmb_backend *out);

/* Of a model that was added to a device. */
const tumble_model *tmb_device_model_of(const tumble_device_model *model);
void *tmb_uploaded(const tumble_device_model *model);

/* OpenCL devices, from 0: how many, and what they are. 0 and TUMBLE_ERROR_ARGUMENT where there is no OpenCL. */
uint32_t tmb_opencl_count(tumble_context *context);
tumble_status tmb_opencl_describe(tumble_context *context, uint32_t number, tumble_device_info *info);

/* ---- One check of a batch ---- */

typedef struct tmb_check {
    const tumble_model *a, *b;
    const tumble_pose *pose_a, *pose_b; /* NULL: the identity */
    tumble_mode mode;
    const struct tumble_tuning *tuning; /* NULL: the defaults */
    tumble_check_answer *answer;
    tumble_pair *found;
    size_t found_capacity;
    tumble_contact *contacts;
    size_t contact_capacity;
    uint64_t *contact_count; /* may be NULL */
} tmb_check;

tmb_check tmb_check_of(const tumble_batch *batch, size_t i);

/* The relative pose of B in A's frame, for valid poses. */
tumble_pose tmb_check_pose(const tmb_check *check);

/* The corresponding options of tumble_collide. */
tumble_collide_options tmb_check_options(const tmb_check *check);

/* Answers it on the calling thread, and returns the answer's status. */
tumble_status tmb_check_answer(tumble_query *query, const tmb_check *check);

/* Records the first failure of a job, with the message that the context has. */
void tmb_job_fail(tmb_job *job, tumble_context *context, tumble_status status);

#endif
