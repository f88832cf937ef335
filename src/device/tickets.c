/* The table of tickets. */
#include "base/assert.h"
#include "device/internal.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

#define SLOT_BITS 24 /* of a ticket's number; the others count uses */
_Static_assert(TMB_TICKET_LIMIT < 1u << SLOT_BITS, "a ticket's number has room for its slot");

tumble_status tmb_tickets_init(tmb_tickets *tickets, tumble_device *device, tumble_context *context, uint32_t capacity)
{
    TMB_ASSERT(capacity > 0);
    *tickets = (tmb_tickets){.slots = tmb_allocate(context, capacity, sizeof *tickets->slots), .capacity = capacity};
    if (!tickets->slots) {
        return tmb_fail_memory(context, "the queue of a device");
    }
    memset(tickets->slots, 0, capacity * sizeof *tickets->slots);
    for (uint32_t i = capacity; i-- > 0;) {
        tmb_slot *slot = &tickets->slots[i];
        slot->device = device;
        slot->next_for_worker = tickets->free;
        tickets->free = slot;
    }
    return TUMBLE_OK;
}

void tmb_tickets_release(tmb_tickets *tickets, tumble_context *context)
{
    tmb_release(context, tickets->slots);
    tickets->slots = NULL;
}

static void push(tmb_slot_queue *queue, tmb_slot *slot)
{
    slot->next = NULL;
    if (queue->last) {
        queue->last->next = slot;
    } else {
        queue->first = slot;
    }
    queue->last = slot;
}

static tmb_slot *pop(tmb_slot_queue *queue)
{
    tmb_slot *slot = queue->first;
    if (slot) {
        queue->first = slot->next;
        if (!queue->first) {
            queue->last = NULL;
        }
    }
    return slot;
}

static void add_result(tmb_slot_queue *results, tmb_slot *slot)
{
    slot->later = NULL;
    slot->earlier = results->last;
    if (results->last) {
        results->last->later = slot;
    } else {
        results->first = slot;
    }
    results->last = slot;
}

static void remove_result(tmb_slot_queue *results, const tmb_slot *slot)
{
    TMB_ASSERT(slot->state == TMB_SLOT_DONE);
    *(slot->earlier ? &slot->earlier->later : &results->first) = slot->later;
    *(slot->later ? &slot->later->earlier : &results->last) = slot->earlier;
}

void tmb_slot_prepare(tmb_slot *slot, tmb_job *job, const tumble_batch *batch)
{
    TMB_ASSERT(job == &slot->job || job == &slot->retry);
    job->batch = *batch;
    atomic_init(&job->cancel, 0);
    atomic_init(&job->done_count, 0);
    atomic_init(&job->retried_count, 0);
    atomic_init(&job->exact_count, 0);
    job->upload_seconds = job->run_seconds = job->result_seconds = 0;
    job->is_lost = 0;
    job->status = TUMBLE_OK;
    job->message[0] = '\0';
    job->finished = tmb_job_finished;
    job->front = slot;
}

tmb_slot *tmb_tickets_add(tmb_tickets *tickets, const tumble_batch *batch)
{
    TMB_ASSERT(!tickets->free || tickets->free->state == TMB_SLOT_FREE);
    tmb_slot *slot = tickets->free;
    if (!slot) {
        return NULL;
    }
    tickets->free = slot->next_for_worker;
    tmb_slot_prepare(slot, &slot->job, batch);
    tmb_slot_prepare(slot, &slot->retry, batch);
    slot->current = &slot->job;
    slot->retry_end = 0;
    slot->retried_count = slot->retry_exact_count = slot->answered_count = 0;
    slot->retry_seconds = 0;
    slot->submitted_at = tmb_seconds();
    slot->taken_up_at = 0;
    slot->use_count++;
    slot->number = slot->use_count << SLOT_BITS | ((uint64_t)(slot - tickets->slots) + 1);
    slot->state = TMB_SLOT_WAITING;
    slot->sequence = ++tickets->submitted_count;
    push(&tickets->pending, slot);
    if (!batch->callback) {
        add_result(&tickets->results, slot);
    }
    return slot;
}

tmb_slot *tmb_tickets_find(const tmb_tickets *tickets, tumble_ticket ticket)
{
    const uint64_t i = (ticket & ((UINT64_C(1) << SLOT_BITS) - 1)) - 1;
    tmb_slot *slot = i < tickets->capacity ? &tickets->slots[i] : NULL;
    return slot && slot->state != TMB_SLOT_FREE && slot->number == ticket ? slot : NULL;
}

/* Cancelling works until the very end: a ticket cancelled before it was done ends as cancelled. */
static void finish_report(tmb_slot *slot)
{
    TMB_ASSERT(slot->state == TMB_SLOT_FINISHED);
    const int is_cancelled = atomic_load(&slot->job.cancel) != 0;
    const tmb_job *job = &slot->job;
    tumble_ticket_report *report = &slot->report;
    *report = (tumble_ticket_report){
        .is_done = true,
        .status = is_cancelled ? TUMBLE_ERROR_CANCELLED : job->status,
        .done_count = slot->answered_count,
        .check_count = job->batch.check_count,
        .retried_count = atomic_load(&job->retried_count) + slot->retried_count,
        .exact_count = atomic_load(&job->exact_count) + slot->retry_exact_count,
        .waiting_seconds = slot->taken_up_at - slot->submitted_at,
        .upload_seconds = job->upload_seconds,
        .run_seconds = job->run_seconds + slot->retry_seconds,
        .result_seconds = job->result_seconds,
    };
    if (is_cancelled) {
        snprintf(report->message, sizeof report->message, "the batch was cancelled");
    } else if (job->status != TUMBLE_OK) {
        snprintf(report->message, sizeof report->message, "%s",
                 job->message[0] ? job->message : tumble_status_text(job->status));
    }
}

tmb_slot *tmb_tickets_publish(tmb_tickets *tickets)
{
    tmb_slot *slot = tickets->pending.first;
    if (!slot || slot->state != TMB_SLOT_FINISHED) {
        return NULL;
    }
    pop(&tickets->pending);
    finish_report(slot);
    slot->state = TMB_SLOT_DONE;
    if (slot->job.batch.callback) {
        push(&tickets->calls, slot);
    }
    return slot;
}

void tmb_tickets_take(tmb_tickets *tickets, tmb_slot *slot)
{
    TMB_ASSERT(slot->state == TMB_SLOT_DONE);
    TMB_ASSERT(slot >= tickets->slots && slot < tickets->slots + tickets->capacity);
    if (!slot->job.batch.callback) {
        remove_result(&tickets->results, slot);
    }
    slot->state = TMB_SLOT_FREE;
    slot->next_for_worker = tickets->free;
    tickets->free = slot;
}

tmb_slot *tmb_tickets_pop_call(tmb_tickets *tickets)
{
    return pop(&tickets->calls);
}

void tmb_slot_report(const tmb_slot *slot, tumble_ticket_report *report)
{
    if (slot->state == TMB_SLOT_DONE) {
        *report = slot->report;
        return;
    }
    const uint64_t check_count = slot->job.batch.check_count;
    uint64_t done_count = slot->state == TMB_SLOT_FINISHED ? slot->answered_count
                          : slot->retry_end                ? slot->answered_count + atomic_load(&slot->retry.done_count)
                                                           : atomic_load(&slot->job.done_count);
    done_count = done_count < check_count ? done_count : check_count;
    const double taken_up_at = slot->taken_up_at > 0 ? slot->taken_up_at : tmb_seconds();
    *report = (tumble_ticket_report){
        .done_count = done_count,
        .check_count = check_count,
        .retried_count = atomic_load(&slot->job.retried_count) + slot->retried_count,
        .exact_count = atomic_load(&slot->job.exact_count) + slot->retry_exact_count,
        .waiting_seconds = taken_up_at - slot->submitted_at,
    };
}
