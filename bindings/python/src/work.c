/* Work without the GIL that Ctrl-C can interrupt. */
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "binding.h"

#define LOOK_SECONDS 0.03

double binding_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- The end of the process ---- */

/* After the end of the main interpreter has begun, taking the GIL ends any other thread at once, wherever it is: within
 * the library that would leave helping threads with a stack that is gone. So such a thread stops its work first. */
static atomic_bool is_ending;
static atomic_ulong ending_thread;

void binding_work_end_all(void)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) {
        atomic_store(&ending_thread, PyThread_get_thread_ident());
        atomic_store(&is_ending, true);
    }
}

bool binding_work_must_end(void)
{
    return atomic_load(&is_ending) && PyThread_get_thread_ident() != atomic_load(&ending_thread);
}

/* ---- Work ---- */

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
    if (work->is_interrupted && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_RuntimeError, "the interpreter is ending");
    }
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
    if (binding_work_must_end()) {
        work->is_interrupted = true;
        return true;
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
