/* Work without the GIL that Ctrl-C can interrupt. */
#include <math.h>
#include <time.h>

#include "binding.h"

#define LOOK_SECONDS 0.03

double binding_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The clock starts at the first look, as most work ends before. */
void binding_work_begin(binding_work *work)
{
    work->next = INFINITY;
    work->is_interrupted = false;
    work->thread = PyEval_SaveThread();
}

void binding_work_end(binding_work *work)
{
    PyEval_RestoreThread(work->thread);
}

bool binding_work_look(binding_work *work)
{
    const double now = binding_seconds();
    if (work->next == INFINITY) {
        work->next = now + LOOK_SECONDS;
    }
    if (work->is_interrupted || now < work->next) {
        return work->is_interrupted;
    }
    PyEval_RestoreThread(work->thread);
    work->is_interrupted = PyErr_CheckSignals() != 0;
    work->thread = PyEval_SaveThread();
    work->next = binding_seconds() + LOOK_SECONDS;
    return work->is_interrupted;
}

bool binding_work_progress(void *user, double fraction)
{
    (void)fraction;
    return binding_work_look(user);
}
