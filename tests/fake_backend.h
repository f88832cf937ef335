/* A scripted back end: it answers late, out of order, wrongly or not at all. */
#ifndef TUMBLE_TESTS_FAKE_BACKEND_H
#define TUMBLE_TESTS_FAKE_BACKEND_H

#include "device/internal.h"
#include "scenes.h"

enum {
    FAKE_CHECKS = 8,
    FAKE_PAIR_COUNT = 1000000 /* what it says to check 0; 1 more for each check: no real answer is like that */
};

#define FAKE_LIMIT 60.0 /* seconds; a wait that takes longer has failed */

typedef struct fake_backend fake_backend;

/* What happens to one batch, whose answers must be these. */
typedef struct fake_play {
    tumble_check_answer answers[FAKE_CHECKS];
    tumble_status statuses[FAKE_CHECKS]; /* what the checks get */
    int is_held;                         /* until it is let go, or cancelled, or */
    int ignores_cancel;
    int is_running, run_count, saw_cancel; /* what has become of it; read them by fake_read */
} fake_play;

struct fake_backend {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int backwards;     /* the jobs of a run are taken from the last to the first */
    int apart;         /* each job is finished by a thread of its own */
    int refuses_model; /* the next model fails with TUMBLE_ERROR_DEVICE */
    size_t run_count, longest_run, model_count, running_count;
    size_t wrong; /* calls that must not be, and waits without end */
    int is_closed;
};

/* A device of kind OpenCL over a fake. The fake is the caller's, and must stay until the device is closed. */
tumble_device *fake_open(fake_backend *fake, tumble_context *context, const tumble_device_options *options);

/* The same, which may fail. */
tumble_status fake_try_open(fake_backend *fake, tumble_context *context, const tumble_device_options *options,
                            tumble_device **out);

/* Asserts that the device was closed and nothing was wrong. */
void fake_end(fake_backend *fake);

void fake_let_go(fake_backend *fake, fake_play *play);

/* Waits until a value that the fake changes is at least so large; asserts that it becomes so. */
void fake_await(fake_backend *fake, const int *value, int least);

int fake_read(fake_backend *fake, const int *value);

#endif
