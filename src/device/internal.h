/* The front of a device: what its files share. One lock guards all of it, unless a comment says otherwise.
 *
 *   device.c   creates and destroys devices and their models
 *   batch.c    validates batches
 *   queue.c    submitting, waiting, cancelling
 *   workers.c    threads that hand batches to back ends
 *   callbacks.c  the thread that calls them
 *   finish.c   finishes and retries batches
 *   tickets.c  the table of tickets */
#ifndef TUMBLE_SRC_DEVICE_INTERNAL_H
#define TUMBLE_SRC_DEVICE_INTERNAL_H

#include <math.h>

#include "device/patience.h"
#include "device/tickets.h"

/* How long to spin before sleeping, in seconds: about what waking up costs; on another processor, about what a small
 * check takes there. */
#define TMB_LOOK_FOR_RESULT 20e-6
#define TMB_LOOK_FOR_RESULT_ELSEWHERE 150e-6
#define TMB_LOOK_FOR_WORK 50e-6

struct tumble_device_model {
    tumble_device *device;
    const tumble_model *model;
    void *uploaded;
    uint64_t last_use; /* the sequence of the latest batch with it; 0: none */
    tumble_device_model *next, *previous;
};

/* A back end and the thread that feeds it. */
typedef struct tmb_worker {
    tumble_device *device;
    tmb_backend backend;
    pthread_t thread;
    pthread_cond_t work;
    tmb_slot *first, *last;        /* what waits for it */
    _Atomic uint64_t pushed_count; /* ever; changed under the lock */
    uint64_t popped_count;
    tmb_job **jobs; /* the thread's own: what it hands over; as many as there are tickets */
} tmb_worker;

struct tumble_device {
    tumble_context *context;
    tumble_device_options options;
    tumble_device_info info;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* something was done or taken */
    tmb_tickets tickets;
    /* Counters that only grow: the sequence of the last ticket that is done, slots that were given back, callbacks that
     * became due. They are changed under the lock and read without it. */
    _Atomic uint64_t done_count, free_count, call_count;
    tumble_device_model *models;
    tmb_worker worker; /* the device's own back end */
    int is_closing;

    pthread_t caller; /* the thread that calls callbacks */
    pthread_cond_t call;
    uint64_t calling;  /* the sequence of the ticket whose callback runs; 0: none */
    int caller_may_go; /* no more callbacks will be due */

    /* Threads of this machine for what the device fails to do. Taken before the other lock. */
    pthread_mutex_t spare_lock;
    tmb_worker spare;
    int has_spare;
};

/* ---- device.c ---- */

/* A device over a back end, which it owns from now on: also when this fails, it is closed. `options` are complete. */
tumble_status tmb_device_start(const tmb_backend *backend, const tumble_device_options *options,
                               const tumble_device_info *info, tumble_device **out);

/* ---- queue.c: under the lock ---- */

/* Whether all tickets up to this one are done, and their callbacks have returned. */
int tmb_device_is_through(const tumble_device *device, uint64_t sequence);

void tmb_slot_cancel(tmb_slot *slot);

/* ---- batch.c ---- */

tumble_status tmb_batch_validate(const tumble_device *device, const tumble_batch *batch);

/* ---- workers.c ---- */

/* Starts the thread. The back end is the worker's from now on: when this fails, it is closed. */
tumble_status tmb_worker_open(tmb_worker *worker, tumble_device *device, const tmb_backend *backend);

/* Waits until nothing is left to do, and ends the thread; the device must be closing. */
void tmb_worker_end(tmb_worker *worker);

/* Afterwards; the back end is closed. */
void tmb_worker_close(tmb_worker *worker);

/* Under the lock. */
void tmb_worker_push(tmb_worker *worker, tmb_slot *slot, tmb_job *job);

/* The worker for work that threads are to do: the device's own when it is a pool, else one that is now made if there is
 * none. */
tumble_status tmb_worker_of_threads(tumble_device *device, tmb_worker **out);

/* ---- finish.c ---- */

/* What back ends call. */
void tmb_job_finished(tmb_job *job);

/* Instead of a back end: no check is answered, and all have this status. */
void tmb_job_refuse(tmb_job *job, tumble_status status);

/* ---- callbacks.c ---- */

int tmb_caller_start(tumble_device *device);
void tmb_caller_end(tumble_device *device);
int tmb_in_callback(const tumble_device *device);

#endif
