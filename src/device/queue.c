/* The interface to batches: submit, poll, wait, take, cancel. */
#include <math.h>

#include "base/assert.h"
#include "device/internal.h"

/* ---- What the functions share ---- */

int tmb_device_is_through(const tumble_device *device, uint64_t sequence)
{
    const tmb_slot *due = device->tickets.calls.first;
    return atomic_load(&device->done_count) >= sequence && (!due || due->sequence > sequence) &&
           (!device->calling || device->calling > sequence || tmb_in_callback(device));
}

void tmb_slot_cancel(tmb_slot *slot)
{
    TMB_ASSERT(slot->state != TMB_SLOT_FREE);
    atomic_store(&slot->job.cancel, 1);
    atomic_store(&slot->retry.cancel, 1);
}

static tumble_status check_seconds(const tumble_device *device, double seconds)
{
    if (isnan(seconds)) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "device: the waiting time is not a number");
    }
    if (seconds > 0 && tmb_in_callback(device)) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "device: a callback must not wait");
    }
    return TUMBLE_OK;
}

static tumble_status fail_taken(const tumble_device *device, tumble_ticket ticket)
{
    return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT,
                    "ticket %llu is not open: its result was taken, or it was never issued",
                    (unsigned long long)ticket);
}

static void take(tumble_device *device, tmb_slot *slot)
{
    TMB_ASSERT(slot->state == TMB_SLOT_DONE);
    tmb_tickets_take(&device->tickets, slot);
    atomic_fetch_add(&device->free_count, 1);
    pthread_cond_broadcast(&device->changed);
}

/* The status of a batch is that of the call that takes it. */
static tumble_status tell(const tumble_device *device, const tumble_ticket_report *found, tumble_ticket_report *report)
{
    if (report) {
        *report = *found;
    }
    if (!found->is_done) {
        return tmb_fail(device->context, TUMBLE_ERROR_TIMEOUT, "device: %llu of %llu checks were done in time",
                        (unsigned long long)found->done_count, (unsigned long long)found->check_count);
    }
    return found->status == TUMBLE_OK ? TUMBLE_OK : tmb_fail(device->context, found->status, "%s", found->message);
}

/* ---- Submitting ---- */

/* A batch is known to its models, so that they are not removed before it is done. */
static void mark_models(const tumble_batch *batch, uint64_t sequence)
{
    TMB_ASSERT(sequence > 0);
    for (size_t i = 0; i < batch->pair_count; i++) {
        batch->pairs[i].a->last_use = sequence;
        batch->pairs[i].b->last_use = sequence;
    }
}

static tmb_slot *wait_for_slot(tumble_device *device, const tumble_batch *batch, double seconds)
{
    tmb_patience patience = tmb_patience_of(seconds, TMB_LOOK_FOR_RESULT);
    tmb_slot *slot = NULL;
    while (!device->is_closing && !(slot = tmb_tickets_add(&device->tickets, batch)) && !patience.is_over) {
        tmb_await(&patience, &device->lock, &device->changed, &device->free_count,
                  atomic_load(&device->free_count) + 1);
    }
    return slot;
}

tumble_status tumble_device_submit(tumble_device *device, const tumble_batch *batch, double seconds, tumble_ticket *out)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!out) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "device: the pointer for the ticket is null");
    }
    *out = 0;
    tmb_worker *worker = &device->worker;
    tumble_status status = check_seconds(device, seconds);
    if (status == TUMBLE_OK) {
        status = tmb_batch_validate(device, batch);
    }
    if (status == TUMBLE_OK && batch->on_cpu) {
        status = tmb_worker_of_threads(device, &worker);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    pthread_mutex_lock(&device->lock);
    tmb_slot *slot = wait_for_slot(device, batch, seconds);
    const int is_closing = device->is_closing;
    if (slot) {
        *out = slot->number;
        mark_models(batch, slot->sequence);
        tmb_worker_push(worker, slot, &slot->job);
    }
    pthread_mutex_unlock(&device->lock);
    if (!slot) {
        return is_closing ? tmb_fail(device->context, TUMBLE_ERROR_CANCELLED, "the device is being closed")
                          : tmb_fail(device->context, TUMBLE_ERROR_BUSY, "device: all %u tickets are in use",
                                     (unsigned)device->tickets.capacity);
    }
    return TUMBLE_OK;
}

/* ---- Looking and taking ---- */

tumble_status tumble_device_poll(tumble_device *device, tumble_ticket ticket, tumble_ticket_report *report)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!report) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "ticket report: the pointer for it is null");
    }
    pthread_mutex_lock(&device->lock);
    const tmb_slot *slot = tmb_tickets_find(&device->tickets, ticket);
    if (slot) {
        tmb_slot_report(slot, report);
    }
    pthread_mutex_unlock(&device->lock);
    return slot ? TUMBLE_OK : fail_taken(device, ticket);
}

/* Which ticket it is about: the given one, or without it the oldest. */
static tmb_slot *choose(const tumble_device *device, tumble_ticket ticket)
{
    return ticket ? tmb_tickets_find(&device->tickets, ticket) : device->tickets.results.first;
}

/* Waits until the ticket is done and takes it. Another thread may take it meanwhile: the oldest is then another one.
 * Returns 0 if there is no such ticket. */
static tumble_ticket wait_and_take(tumble_device *device, tumble_ticket ticket, double seconds,
                                   tumble_ticket_report *found)
{
    const int is_elsewhere = device->info.kind != TUMBLE_DEVICE_CPU;
    tmb_patience patience =
        tmb_patience_of(seconds, is_elsewhere ? TMB_LOOK_FOR_RESULT_ELSEWHERE : TMB_LOOK_FOR_RESULT);
    tumble_ticket taken = 0;
    pthread_mutex_lock(&device->lock);
    tmb_slot *slot = choose(device, ticket);
    while (slot && slot->state != TMB_SLOT_DONE && !patience.is_over) {
        tmb_await(&patience, &device->lock, &device->changed, &device->done_count, slot->sequence);
        slot = choose(device, ticket);
    }
    if (slot) {
        taken = slot->number;
        tmb_slot_report(slot, found);
        if (slot->state == TMB_SLOT_DONE) {
            take(device, slot);
        }
    }
    pthread_mutex_unlock(&device->lock);
    return taken;
}

/* Whether a ticket is taken by its callback. */
static int has_callback(tumble_device *device, tumble_ticket ticket)
{
    pthread_mutex_lock(&device->lock);
    const tmb_slot *slot = tmb_tickets_find(&device->tickets, ticket);
    const int found = slot && slot->job.batch.callback;
    pthread_mutex_unlock(&device->lock);
    return found;
}

tumble_status tumble_device_wait(tumble_device *device, tumble_ticket ticket, double seconds,
                                 tumble_ticket_report *report)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_status status = check_seconds(device, seconds);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (has_callback(device, ticket)) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "ticket %llu cannot be waited for: it has a callback",
                        (unsigned long long)ticket);
    }
    tumble_ticket_report found;
    if (!ticket || !wait_and_take(device, ticket, seconds, &found)) {
        return fail_taken(device, ticket);
    }
    return tell(device, &found, report);
}

tumble_status tumble_device_next(tumble_device *device, double seconds, tumble_ticket *ticket,
                                 tumble_ticket_report *report)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!ticket) {
        return tmb_fail(device->context, TUMBLE_ERROR_ARGUMENT, "device: the pointer for the ticket is null");
    }
    *ticket = 0;
    const tumble_status status = check_seconds(device, seconds);
    if (status != TUMBLE_OK) {
        return status;
    }
    tumble_ticket_report found = {.is_done = false};
    const tumble_ticket oldest = wait_and_take(device, 0, seconds, &found);
    if (!oldest) {
        if (report) {
            *report = found;
        }
        return TUMBLE_OK;
    }
    *ticket = found.is_done ? oldest : 0;
    return tell(device, &found, report);
}

/* ---- Ends ---- */

tumble_status tumble_device_cancel(tumble_device *device, tumble_ticket ticket)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    pthread_mutex_lock(&device->lock);
    tmb_slot *slot = tmb_tickets_find(&device->tickets, ticket);
    if (slot && slot->state != TMB_SLOT_DONE) {
        tmb_slot_cancel(slot);
    }
    pthread_mutex_unlock(&device->lock);
    return slot ? TUMBLE_OK : fail_taken(device, ticket);
}

tumble_status tumble_device_finish(tumble_device *device, double seconds)
{
    if (!device) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_status status = check_seconds(device, seconds);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_patience patience = tmb_patience_of(seconds, TMB_LOOK_FOR_RESULT);
    pthread_mutex_lock(&device->lock);
    const uint64_t last = device->tickets.submitted_count;
    int is_through = tmb_device_is_through(device, last);
    while (!is_through && !patience.is_over) {
        tmb_await(&patience, &device->lock, &device->changed, &device->done_count, last);
        is_through = tmb_device_is_through(device, last);
    }
    pthread_mutex_unlock(&device->lock);
    return is_through ? TUMBLE_OK
                      : tmb_fail(device->context, TUMBLE_ERROR_TIMEOUT, "device: not all tickets were done in time");
}
