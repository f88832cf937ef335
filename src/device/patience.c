/* Waiting: spins first, then sleeps. */
#include "device/patience.h"

#include <errno.h>
#include <math.h>

#include "base/clock.h"

#define FOREVER 1e9 /* seconds: more is no deadline, and keeps time_t from overflowing */

tmb_patience tmb_patience_of(double seconds, double look_seconds)
{
    tmb_patience patience = {.deadline = INFINITY, .look_seconds = look_seconds, .is_over = !(seconds > 0)};
    if (seconds > 0 && seconds < FOREVER) {
        patience.deadline = tmb_seconds() + seconds;
    }
    return patience;
}

int tmb_condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return 0;
    }
    const int is_made =
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 && pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return is_made;
}

/* Tells the processor that this is a spin loop. */
static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void look(double until, const _Atomic uint64_t *count, uint64_t target)
{
    while (atomic_load_explicit(count, memory_order_acquire) < target && tmb_seconds() < until) {
        for (int i = 0; i < 4; i++) {
            relax();
        }
    }
}

static struct timespec moment_of(double seconds)
{
    const double whole = floor(seconds), nanoseconds = floor((seconds - whole) * 1e9);
    return (struct timespec){.tv_sec = (time_t)whole,
                             .tv_nsec = nanoseconds > 999999999 ? 999999999 : (long)nanoseconds};
}

void tmb_await(tmb_patience *patience, pthread_mutex_t *lock, pthread_cond_t *changed, const _Atomic uint64_t *count,
               uint64_t target)
{
    if (patience->look_seconds > 0) {
        const double until = tmb_seconds() + patience->look_seconds;
        patience->look_seconds = 0;
        pthread_mutex_unlock(lock);
        look(until < patience->deadline ? until : patience->deadline, count, target);
        pthread_mutex_lock(lock);
        return; /* the time may be over: the wait then returns at once */
    }
    if (patience->deadline < INFINITY) {
        const struct timespec moment = moment_of(patience->deadline);
        patience->is_over = pthread_cond_timedwait(changed, lock, &moment) == ETIMEDOUT;
    } else {
        pthread_cond_wait(changed, lock);
    }
}
