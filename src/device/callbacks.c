/* Callbacks run on a thread of their own, so no back end waits for them. */
#include "base/assert.h"
#include "device/internal.h"

int tmb_in_callback(const tumble_device *device)
{
    return pthread_equal(device->caller, pthread_self());
}

/* The ticket is consumed before its callback runs, so the callback can submit the next batch. The lock is released
 * while the callback runs. */
static void call(tumble_device *device, tmb_slot *slot)
{
    TMB_ASSERT(slot->state == TMB_SLOT_DONE);
    TMB_ASSERT(slot->job.batch.callback);
    const tumble_ticket_report report = slot->report;
    const tumble_batch *batch = &slot->job.batch;
    tumble_batch_callback *callback = batch->callback;
    void *user = batch->callback_user;
    const tumble_ticket ticket = slot->number;
    device->calling = slot->sequence;
    tmb_tickets_take(&device->tickets, slot);
    atomic_fetch_add(&device->free_count, 1);
    pthread_cond_broadcast(&device->changed);
    pthread_mutex_unlock(&device->lock);
    callback(user, ticket, &report);
    pthread_mutex_lock(&device->lock);
    device->calling = 0;
    pthread_cond_broadcast(&device->changed);
}

static void *call_all(void *argument)
{
    tumble_device *device = argument;
    uint64_t called_count = 0;
    pthread_mutex_lock(&device->lock);
    for (;;) {
        tmb_patience patience = tmb_patience_of(INFINITY, called_count ? TMB_LOOK_FOR_RESULT : 0);
        while (!device->tickets.calls.first && !device->caller_may_go) {
            tmb_await(&patience, &device->lock, &device->call, &device->call_count, called_count + 1);
        }
        tmb_slot *slot = tmb_tickets_pop_call(&device->tickets);
        if (!slot) {
            break;
        }
        called_count++;
        call(device, slot);
    }
    pthread_mutex_unlock(&device->lock);
    return NULL;
}

int tmb_caller_start(tumble_device *device)
{
    return pthread_create(&device->caller, NULL, call_all, device) == 0;
}

void tmb_caller_end(tumble_device *device)
{
    pthread_mutex_lock(&device->lock);
    device->caller_may_go = 1;
    pthread_cond_signal(&device->call);
    pthread_mutex_unlock(&device->lock);
    pthread_join(device->caller, NULL);
}
