/* How a batch on a device ended: a small record that a job and the device's callback share. The callback touches
 * nothing else, and never Python; so it needs no GIL and works in every interpreter. */
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "outcome.h"

#define WAKE_MOST 64

struct binding_outcome {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int reference_count; /* the job and the callback */
    bool is_done;
    int wakes[WAKE_MOST]; /* ends of pipes for event loops */
    int wake_count;
    tumble_ticket_report report;
};

binding_outcome *binding_outcome_new(void)
{
    binding_outcome *o = calloc(1, sizeof *o);
    if (!o) {
        return NULL;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    o->reference_count = 1;
    return o;
}

void binding_outcome_drop(binding_outcome *o)
{
    pthread_mutex_lock(&o->lock);
    const int left = --o->reference_count;
    pthread_mutex_unlock(&o->lock);
    if (left == 0) {
        for (int i = 0; i < o->wake_count; i++) {
            close(o->wakes[i]);
        }
        pthread_cond_destroy(&o->changed);
        pthread_mutex_destroy(&o->lock);
        free(o);
    }
}

void binding_outcome_end(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    (void)ticket;
    binding_outcome *o = user;
    pthread_mutex_lock(&o->lock);
    o->report = *report;
    o->is_done = true;
    for (int i = 0; i < o->wake_count; i++) {
        close(o->wakes[i]); /* which makes the other end readable */
    }
    o->wake_count = 0;
    pthread_cond_broadcast(&o->changed);
    pthread_mutex_unlock(&o->lock);
    binding_outcome_drop(o);
}

bool binding_outcome_is_done(binding_outcome *o)
{
    pthread_mutex_lock(&o->lock);
    const bool result = o->is_done;
    pthread_mutex_unlock(&o->lock);
    return result;
}

bool binding_outcome_wait(binding_outcome *o, double seconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += (long)(1e9 * seconds);
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&o->lock);
    int late = 0;
    while (!o->is_done && late == 0) {
        late = pthread_cond_timedwait(&o->changed, &o->lock, &end);
    }
    const bool result = o->is_done;
    pthread_mutex_unlock(&o->lock);
    return result;
}

void binding_outcome_share(binding_outcome *o)
{
    pthread_mutex_lock(&o->lock);
    o->reference_count++;
    pthread_mutex_unlock(&o->lock);
}

const tumble_ticket_report *binding_outcome_report(const binding_outcome *o)
{
    return &o->report;
}

int binding_outcome_wake(binding_outcome *o, int end)
{
    pthread_mutex_lock(&o->lock);
    const bool is_full = o->wake_count == WAKE_MOST;
    if (o->is_done || is_full) {
        close(end); /* readable at once */
    } else {
        o->wakes[o->wake_count++] = end;
    }
    pthread_mutex_unlock(&o->lock);
    return is_full ? -1 : 0;
}
