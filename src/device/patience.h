/* Waits for a counter to reach a value: spins for about as long as sleeping and waking would take, then sleeps. */
#ifndef TUMBLE_SRC_DEVICE_PATIENCE_H
#define TUMBLE_SRC_DEVICE_PATIENCE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct tmb_patience {
    double deadline;     /* on the clock of tmb_seconds; INFINITY: none */
    double look_seconds; /* how long to spin before the first sleep */
    int is_over;
} tmb_patience;

/* Any number of seconds is accepted; negative values and NaN mean 0. */
tmb_patience tmb_patience_of(double seconds, double look_seconds);

/* A condition variable on the clock of tmb_seconds; 0 if it cannot be made. */
int tmb_condition_init(pthread_cond_t *condition);

/* Returns when `*count` may have reached `target`, or `changed` was signalled, or the time is over: is_over is then
 * set, and the caller checks a last time. The lock is released while waiting. */
void tmb_await(tmb_patience *patience, pthread_mutex_t *lock, pthread_cond_t *changed, const _Atomic uint64_t *count,
               uint64_t target);

#endif
