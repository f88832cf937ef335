/* Workers: each a back end with a thread that hands over all waiting work at once. */
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "device/internal.h"

void tmb_worker_push(tmb_worker *worker, tmb_slot *slot, tmb_job *job)
{
    TMB_ASSERT(job == &slot->job || job == &slot->retry);
    slot->current = job;
    slot->state = TMB_SLOT_WAITING;
    slot->next_for_worker = NULL;
    if (worker->last) {
        worker->last->next_for_worker = slot;
    } else {
        worker->first = slot;
    }
    worker->last = slot;
    atomic_fetch_add(&worker->pushed_count, 1);
    pthread_cond_signal(&worker->work);
}

/* Waits for work and takes all of it. Returns how much; 0 if the device is closing. */
static size_t take_jobs(tmb_worker *worker)
{
    tumble_device *device = worker->device;
    tmb_patience patience = tmb_patience_of(INFINITY, TMB_LOOK_FOR_WORK);
    pthread_mutex_lock(&device->lock);
    while (!worker->first && !device->is_closing) {
        tmb_await(&patience, &device->lock, &worker->work, &worker->pushed_count, worker->popped_count + 1);
    }
    size_t count = 0;
    const double now = tmb_seconds();
    for (tmb_slot *slot = worker->first; slot; slot = slot->next_for_worker) {
        slot->state = TMB_SLOT_RUNNING;
        slot->taken_up_at = slot->taken_up_at > 0 ? slot->taken_up_at : now;
        worker->jobs[count++] = slot->current;
    }
    worker->popped_count += count;
    worker->first = worker->last = NULL;
    pthread_mutex_unlock(&device->lock);
    return count;
}

/* Cancelled batches, and those without checks, do not reach the back end. */
static void hand_over(tmb_worker *worker, size_t count)
{
    TMB_ASSERT(count > 0);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        tmb_job *job = worker->jobs[i];
        if (job->batch.check_count && !atomic_load(&job->cancel)) {
            worker->jobs[kept++] = job;
        } else {
            tmb_job_refuse(job, TUMBLE_ERROR_CANCELLED);
            tmb_job_finished(job);
        }
    }
    if (kept) {
        worker->backend.run(worker->backend.self, worker->jobs, kept);
    }
}

static void *serve(void *argument)
{
    tmb_worker *worker = argument;
    size_t count;
    while ((count = take_jobs(worker)) > 0) {
        hand_over(worker, count);
    }
    return NULL;
}

/* All but the back end. */
static tumble_status start_worker(tmb_worker *worker)
{
    tumble_context *context = worker->device->context;
    worker->jobs = tmb_allocate(context, worker->device->tickets.capacity, sizeof(tmb_job *));
    if (!worker->jobs) {
        return tmb_fail_memory(context, "the queue of a device");
    }
    if (tmb_condition_init(&worker->work)) {
        if (pthread_create(&worker->thread, NULL, serve, worker) == 0) {
            return TUMBLE_OK;
        }
        pthread_cond_destroy(&worker->work);
    }
    tmb_release(context, worker->jobs);
    return tmb_fail(context, TUMBLE_ERROR_MEMORY, "a thread for a device cannot be started");
}

tumble_status tmb_worker_open(tmb_worker *worker, tumble_device *device, const tmb_backend *backend)
{
    memset(worker, 0, sizeof *worker);
    worker->device = device;
    worker->backend = *backend;
    const tumble_status status = start_worker(worker);
    if (status != TUMBLE_OK) {
        worker->backend.close(worker->backend.self);
    }
    return status;
}

void tmb_worker_end(tmb_worker *worker)
{
    TMB_ASSERT(worker->device->is_closing);
    pthread_join(worker->thread, NULL);
}

void tmb_worker_close(tmb_worker *worker)
{
    pthread_cond_destroy(&worker->work);
    tmb_release(worker->device->context, worker->jobs);
    worker->backend.close(worker->backend.self);
}

static tumble_status make_spare(tumble_device *device)
{
    if (device->is_closing) {
        return tmb_fail(device->context, TUMBLE_ERROR_CANCELLED, "the device is being closed");
    }
    tmb_backend pool;
    tumble_status status = tmb_pool_open(device->context, device->options.thread_count, &pool);
    if (status == TUMBLE_OK) {
        status = tmb_worker_open(&device->spare, device, &pool);
    }
    device->has_spare = status == TUMBLE_OK;
    return status;
}

tumble_status tmb_worker_of_threads(tumble_device *device, tmb_worker **out)
{
    if (device->info.kind == TUMBLE_DEVICE_CPU) {
        *out = &device->worker;
        return TUMBLE_OK;
    }
    pthread_mutex_lock(&device->spare_lock);
    const tumble_status status = device->has_spare ? TUMBLE_OK : make_spare(device);
    pthread_mutex_unlock(&device->spare_lock);
    *out = &device->spare;
    return status;
}
