/* Finishes a batch when its back end is done with it. If requested, threads retry the checks that the device failed to
 * answer: a run of consecutive checks at a time, as a batch that needs no memory of its own. The batch is done as soon
 * as those before it are. */
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "device/internal.h"

void tmb_job_refuse(tmb_job *job, tumble_status status)
{
    TMB_ASSERT(status != TUMBLE_OK);
    const tumble_batch *batch = &job->batch;
    for (size_t i = 0; i < batch->check_count; i++) {
        memset(&batch->answers[i], 0, sizeof batch->answers[i]);
        batch->answers[i].status = status;
        if (batch->contact_counts) {
            batch->contact_counts[i] = 0;
        }
    }
    if (batch->check_count) {
        job->status = status;
    }
}

/* ---- Retries ---- */

/* The part of a batch from check `begin` on. An array that has one item for all checks stays as it is. */
static tumble_batch part_of(const tumble_batch *batch, size_t begin, size_t count)
{
    TMB_ASSERT(begin + count <= batch->check_count);
    tumble_batch part = *batch;
    part.check_count = count;
    if (batch->pair_count > 1) {
        part.pairs += begin;
        part.pair_count = count;
    }
    if (batch->pose_a_count > 1) {
        part.poses_a += begin;
        part.pose_a_count = count;
    }
    if (batch->pose_b_count > 1) {
        part.poses_b += begin;
        part.pose_b_count = count;
    }
    part.answers += begin;
    if (batch->found_capacity) {
        part.found += begin * batch->found_capacity;
    }
    if (batch->contact_capacity) {
        part.contacts += begin * batch->contact_capacity;
    }
    if (batch->contact_counts) {
        part.contact_counts += begin;
    }
    part.callback = NULL;
    return part;
}

static int has_failed(const tumble_batch *batch, size_t i)
{
    return batch->answers[i].status == TUMBLE_ERROR_DEVICE || batch->answers[i].status == TUMBLE_ERROR_MEMORY;
}

/* The next run of failed checks that were not retried; 0 if there are none. */
static int find_failed(const tmb_slot *slot, size_t *begin, size_t *end)
{
    const tumble_batch *batch = &slot->job.batch;
    size_t i = slot->retry_end;
    while (i < batch->check_count && !has_failed(batch, i)) {
        i++;
    }
    *begin = i;
    while (i < batch->check_count && has_failed(batch, i)) {
        i++;
    }
    *end = i;
    return *begin < *end;
}

static uint64_t count_answered(const tumble_batch *batch)
{
    uint64_t count = 0;
    for (size_t i = 0; i < batch->check_count; i++) {
        count += batch->answers[i].status == TUMBLE_OK;
    }
    return count;
}

/* Hands the next failed checks to the threads; 0 if there is nothing to do, or it cannot be done. */
static int try_again(tumble_device *device, tmb_slot *slot)
{
    TMB_ASSERT(slot->current == &slot->job || slot->current == &slot->retry);
    const tumble_batch *batch = &slot->job.batch;
    size_t begin, end;
    tmb_worker *worker;
    if (slot->job.status == TUMBLE_OK || !device->options.retry_on_cpu || batch->on_cpu ||
        device->info.kind == TUMBLE_DEVICE_CPU || atomic_load(&slot->job.cancel) || !find_failed(slot, &begin, &end) ||
        tmb_worker_of_threads(device, &worker) != TUMBLE_OK) {
        return 0;
    }
    const tumble_batch part = part_of(batch, begin, end - begin);
    const uint64_t answered_count = slot->retry_end ? slot->answered_count : count_answered(batch);
    pthread_mutex_lock(&device->lock);
    const int is_wanted = !atomic_load(&slot->job.cancel);
    if (is_wanted) {
        tmb_slot_prepare(slot, &slot->retry, &part);
        slot->retry_end = end;
        slot->answered_count = answered_count;
        tmb_worker_push(worker, slot, &slot->retry);
    }
    pthread_mutex_unlock(&device->lock);
    return is_wanted;
}

/* Adds up what a retry has done. */
static void note_retry(tumble_device *device, tmb_slot *slot)
{
    const uint64_t count = count_answered(&slot->retry.batch);
    pthread_mutex_lock(&device->lock);
    slot->retried_count += count;
    slot->answered_count += count;
    slot->retry_exact_count += atomic_load(&slot->retry.exact_count);
    slot->retry_seconds += slot->retry.run_seconds;
    atomic_store(&slot->retry.done_count, 0);
    pthread_mutex_unlock(&device->lock);
}

/* After retries the first check without an answer determines the status. */
static void judge_again(tmb_slot *slot)
{
    const tumble_batch *batch = &slot->job.batch;
    size_t i = 0;
    while (i < batch->check_count && batch->answers[i].status == TUMBLE_OK) {
        i++;
    }
    const tumble_status before = slot->job.status;
    const tumble_status status = i < batch->check_count ? (tumble_status)batch->answers[i].status : TUMBLE_OK;
    if (status != before) {
        const char *message = status == slot->retry.status ? slot->retry.message : tumble_status_text(status);
        snprintf(slot->job.message, sizeof slot->job.message, "%s", message);
    }
    slot->job.status = status;
}

/* ---- The end ---- */

static void finish(tumble_device *device, tmb_slot *slot)
{
    if (slot->retry_end) {
        judge_again(slot);
    }
    const tumble_batch *batch = &slot->job.batch;
    const uint64_t answered_count = slot->job.status == TUMBLE_OK ? batch->check_count : count_answered(batch);
    pthread_mutex_lock(&device->lock);
    slot->answered_count = answered_count;
    slot->state = TMB_SLOT_FINISHED;
    const tmb_slot *done;
    while ((done = tmb_tickets_publish(&device->tickets)) != NULL) {
        atomic_store(&device->done_count, done->sequence);
        if (done->job.batch.callback) {
            atomic_fetch_add(&device->call_count, 1);
            pthread_cond_signal(&device->call);
        }
    }
    pthread_cond_broadcast(&device->changed);
    pthread_mutex_unlock(&device->lock);
}

void tmb_job_finished(tmb_job *job)
{
    TMB_ASSERT(job->front);
    tmb_slot *slot = job->front;
    tumble_device *device = slot->device;
    if (job == &slot->retry) {
        note_retry(device, slot);
    }
    if (!try_again(device, slot)) {
        finish(device, slot);
    }
}
