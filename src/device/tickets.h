/* The tickets of a device: a fixed number of slots, each of which holds one batch from its submission until its result
 * is taken. A ticket's number holds the slot and a count of its uses, so an old ticket is never taken for a new one.
 * The device's lock guards all of this. */
#ifndef TUMBLE_SRC_DEVICE_TICKETS_H
#define TUMBLE_SRC_DEVICE_TICKETS_H

#include "device/backend.h"

typedef enum tmb_slot_state {
    TMB_SLOT_FREE,
    TMB_SLOT_WAITING,  /* for a worker */
    TMB_SLOT_RUNNING,  /* a back end has it */
    TMB_SLOT_FINISHED, /* nothing runs for it, but one before it is not done */
    TMB_SLOT_DONE      /* its result can be taken */
} tmb_slot_state;

typedef struct tmb_slot tmb_slot;

struct tmb_slot {
    tmb_job job;
    tmb_job retry;              /* some of its checks, answered once more by threads */
    tmb_job *current;           /* one of these two: the one that waits or runs */
    size_t retry_end;           /* of the checks before this one, those that had failed were tried again; 0: none */
    uint64_t retried_count;     /* checks that retries have answered */
    uint64_t retry_exact_count; /* of all retries so far; likewise */
    double retry_seconds;
    uint64_t answered_count;          /* checks that have answers; known between retries and in the end */
    double submitted_at, taken_up_at; /* 0: not yet */
    tumble_ticket_report report;      /* when it is done */
    tumble_device *device;
    tumble_ticket number;
    uint64_t use_count;
    tmb_slot_state state;
    uint64_t sequence;         /* submissions before it, and 1 */
    tmb_slot *next;            /* among those not done; then among those whose callbacks are due */
    tmb_slot *next_for_worker; /* among those that wait for a worker; or among the free */
    tmb_slot *later, *earlier; /* among those whose results are to be taken */
};

typedef struct tmb_slot_queue {
    tmb_slot *first, *last;
} tmb_slot_queue;

typedef struct tmb_tickets {
    tmb_slot *slots;
    uint32_t capacity;
    tmb_slot *free;
    uint64_t submitted_count;
    tmb_slot_queue pending; /* not done, in the order of submission */
    tmb_slot_queue calls;   /* done, with callbacks that are due */
    tmb_slot_queue results; /* without callbacks, not taken */
} tmb_tickets;

#define TMB_TICKET_LIMIT (1u << 16) /* slots */

tumble_status tmb_tickets_init(tmb_tickets *tickets, tumble_device *device, tumble_context *context, uint32_t capacity);
void tmb_tickets_release(tmb_tickets *tickets, tumble_context *context);

/* A free slot for a batch, now pending; NULL when there is none. */
tmb_slot *tmb_tickets_add(tmb_tickets *tickets, const tumble_batch *batch);

/* A job of this batch, in one of a slot's two places. */
void tmb_slot_prepare(tmb_slot *slot, tmb_job *job, const tumble_batch *batch);

/* The slot of an open ticket, or NULL. */
tmb_slot *tmb_tickets_find(const tmb_tickets *tickets, tumble_ticket ticket);

/* Moves the first pending one on, if it is finished, and returns it: it is done. Else NULL. */
tmb_slot *tmb_tickets_publish(tmb_tickets *tickets);

/* The slot is free again. */
void tmb_tickets_take(tmb_tickets *tickets, tmb_slot *slot);

/* Of the callbacks that are due, the first; NULL when there is none. */
tmb_slot *tmb_tickets_pop_call(tmb_tickets *tickets);

/* A ticket's report. */
void tmb_slot_report(const tmb_slot *slot, tumble_ticket_report *report);

#endif
