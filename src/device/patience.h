/* Waiting for a counter to reach a value: first by looking at it, for the time that going to sleep and waking up would
 * take anyway, then asleep. */
#ifndef TUMBLE_SRC_DEVICE_PATIENCE_H
#define TUMBLE_SRC_DEVICE_PATIENCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct tmb_patience {
    double deadline;     /* on the clock of tmb_seconds; INFINITY: none */
    double look_seconds; /* how long to look before the first sleep */
    int is_over;
} tmb_patience;

/* No number of seconds below 0 or above is refused; NaN is as 0. */
tmb_patience tmb_patience_of(double seconds, double look_seconds);

/* A condition that counts time as tmb_seconds does; 0 when there is none to be had. */
int tmb_condition_init(pthread_cond_t *condition);

/* Returns when `*count` may have reached `target`, or `changed` was signalled, or the time is over: is_over is then
 * set, and the caller looks for a last time. The lock is held, but while it waits. */
void tmb_await(tmb_patience *patience, pthread_mutex_t *lock, pthread_cond_t *changed, const _Atomic uint64_t *count,
               uint64_t target);

#endif
