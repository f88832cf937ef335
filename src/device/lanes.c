/* Lanes: each a back end with a thread that hands over, at once, all that waits for it. */
#include <string.h>

#include "base/clock.h"
#include "device/front.h"

void tmb_lane_push(tmb_lane *lane, tmb_slot *slot, tmb_job *job)
{
    slot->current = job;
    slot->state = TMB_SLOT_WAITING;
    slot->next_in_lane = NULL;
    if (lane->last) {
        lane->last->next_in_lane = slot;
    } else {
        lane->first = slot;
    }
    lane->last = slot;
    atomic_fetch_add(&lane->pushed_count, 1);
    pthread_cond_signal(&lane->work);
}

/* Waits for work, and takes all there is. Returns how much: 0 when the device is closing. */
static size_t take_jobs(tmb_lane *lane)
{
    tumble_device *device = lane->device;
    tmb_patience patience = tmb_patience_of(INFINITY, TMB_LOOK_FOR_WORK);
    pthread_mutex_lock(&device->lock);
    while (!lane->first && !device->is_closing) {
        tmb_await(&patience, &device->lock, &lane->work, &lane->pushed_count, lane->popped_count + 1);
    }
    size_t count = 0;
    const double now = tmb_seconds();
    for (tmb_slot *slot = lane->first; slot; slot = slot->next_in_lane) {
        slot->state = TMB_SLOT_RUNNING;
        slot->taken_up_at = slot->taken_up_at > 0 ? slot->taken_up_at : now;
        lane->jobs[count++] = slot->current;
    }
    lane->popped_count += count;
    lane->first = lane->last = NULL;
    pthread_mutex_unlock(&device->lock);
    return count;
}

/* What is cancelled, or has no checks, does not come to the back end. */
static void hand_over(tmb_lane *lane, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        tmb_job *job = lane->jobs[i];
        if (job->batch.check_count && !atomic_load(&job->cancel)) {
            lane->jobs[kept++] = job;
        } else {
            tmb_job_refuse(job, TUMBLE_ERROR_CANCELLED);
            tmb_job_finished(job);
        }
    }
    if (kept) {
        lane->backend.run(lane->backend.self, lane->jobs, kept);
    }
}

static void *serve(void *argument)
{
    tmb_lane *lane = argument;
    size_t count;
    while ((count = take_jobs(lane)) > 0) {
        hand_over(lane, count);
    }
    return NULL;
}

/* All but the back end. */
static tumble_status start_lane(tmb_lane *lane)
{
    tumble_context *context = lane->device->context;
    lane->jobs = tmb_allocate(context, lane->device->tickets.capacity, sizeof(tmb_job *));
    if (!lane->jobs) {
        return tmb_fail_memory(context, "the queue of a device");
    }
    if (tmb_condition_init(&lane->work)) {
        if (pthread_create(&lane->thread, NULL, serve, lane) == 0) {
            return TUMBLE_OK;
        }
        pthread_cond_destroy(&lane->work);
    }
    tmb_release(context, lane->jobs);
    return tmb_fail(context, TUMBLE_ERROR_MEMORY, "a thread for a device cannot be started");
}

tumble_status tmb_lane_open(tmb_lane *lane, tumble_device *device, const tmb_backend *backend)
{
    memset(lane, 0, sizeof *lane);
    lane->device = device;
    lane->backend = *backend;
    const tumble_status status = start_lane(lane);
    if (status != TUMBLE_OK) {
        lane->backend.close(lane->backend.self);
    }
    return status;
}

void tmb_lane_end(tmb_lane *lane)
{
    pthread_join(lane->thread, NULL);
}

void tmb_lane_close(tmb_lane *lane)
{
    pthread_cond_destroy(&lane->work);
    tmb_release(lane->device->context, lane->jobs);
    lane->backend.close(lane->backend.self);
}

static tumble_status make_spare(tumble_device *device)
{
    if (device->is_closing) {
        return tmb_fail(device->context, TUMBLE_ERROR_CANCELLED, "the device is being closed");
    }
    tmb_backend pool;
    tumble_status status = tmb_pool_open(device->context, device->options.thread_count, &pool);
    if (status == TUMBLE_OK) {
        status = tmb_lane_open(&device->spare, device, &pool);
    }
    device->has_spare = status == TUMBLE_OK;
    return status;
}

tumble_status tmb_lane_of_threads(tumble_device *device, tmb_lane **out)
{
    if (device->info.kind == TUMBLE_DEVICE_CPU) {
        *out = &device->lane;
        return TUMBLE_OK;
    }
    pthread_mutex_lock(&device->spare_lock);
    const tumble_status status = device->has_spare ? TUMBLE_OK : make_spare(device);
    pthread_mutex_unlock(&device->spare_lock);
    *out = &device->spare;
    return status;
}
