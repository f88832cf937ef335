/* Time for reports. */
#ifndef TUMBLE_SRC_BASE_CLOCK_H
#define TUMBLE_SRC_BASE_CLOCK_H

#include <time.h>

/* Seconds on a clock that never goes back. */
static inline double tmb_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
