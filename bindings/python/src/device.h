/* Devices, their batches and jobs: what these files share. */
#ifndef TUMBLE_BINDING_DEVICE_H
#define TUMBLE_BINDING_DEVICE_H

#include "binding.h"

typedef struct binding_device {
    tumble_device *device; /* NULL: closed */
    uint32_t number;
    tumble_device_options options;
    uint64_t fork_count; /* when it was opened */
    uint64_t opening;    /* how often it was */
    size_t user_count;   /* calls under way, which closing it must not disturb */
} binding_device;

binding_device *binding_device_data(PyObject *self);
/* The device of an argument, open: a pool is opened again after a fork. NULL with an exception. */
binding_device *binding_device_of(binding_state *state, PyObject *object, const char *name);
/* The module's own pool of threads, a borrowed reference; opened when it is first used, and again after a fork. */
PyObject *binding_default_pool(binding_state *state);

/* ---- Checks of a batch ---- */

typedef enum binding_many_mode {
    BINDING_MANY_TEST,
    BINDING_MANY_COUNT,
    BINDING_MANY_FIRST,
    BINDING_MANY_PAIRS,
    BINDING_MANY_CONTACTS,
    BINDING_MANY_ANSWERS
} binding_many_mode;

int binding_many_mode_of(PyObject *word, binding_many_mode *out);

/* Models and poses of many checks, with everything that keeps them alive. */
typedef struct binding_checks {
    PyObject *models[2];     /* tuples of models: one, or one per check */
    binding_model **data[2]; /* their states, in use until the checks are released */
    size_t model_counts[2];
    binding_poses_view poses[2];
    size_t count; /* of checks */
} binding_checks;

int binding_checks_get(binding_state *state, PyObject *a, PyObject *b, PyObject *poses_a, PyObject *poses_b,
                       binding_checks *out);
void binding_checks_release(binding_state *state, binding_checks *checks);
/* The model of side 0 or 1 in a check. */
static inline binding_model *binding_checks_model(const binding_checks *checks, int side, size_t check)
{
    return checks->data[side][checks->model_counts[side] == 1 ? 0 : check];
}
static inline const tumble_pose *binding_checks_pose(const binding_checks *checks, int side, size_t check)
{
    const binding_poses_view *view = &checks->poses[side];
    return view->count == 0 ? NULL : &view->poses[view->count == 1 ? 0 : check];
}

/* An array for `count` items of one dimension or, with `width`, of two: new, or `out` if that fits. *view is held and
 * released by the caller if `out` was given. Returns a new reference. */
PyObject *binding_output(binding_state *state, PyObject *out, binding_dtype dtype, Py_ssize_t count, Py_ssize_t width,
                         Py_buffer *view, void **data);

/* Copies poses that lie in the memory of an output, which is written while they are read. */
int binding_checks_part(binding_checks *checks, const Py_buffer *out);

/* ---- Jobs ---- */

/* A batch under way on a device. */
PyObject *binding_submit(binding_state *state, PyObject *device, PyObject *const *values);
/* Waits and returns the result; takes the reference to the job. */
PyObject *binding_job_finish(PyObject *job);
int binding_add_jobs(PyObject *module, binding_state *state);
void binding_jobs_after_fork(binding_state *state);
void binding_jobs_reap(binding_state *state, bool cancel);

/* Arguments of binding_submit. */
enum {
    BINDING_SUBMIT_A,
    BINDING_SUBMIT_B,
    BINDING_SUBMIT_POSES_A,
    BINDING_SUBMIT_POSES_B,
    BINDING_SUBMIT_MODE,
    BINDING_SUBMIT_OUT,
    BINDING_SUBMIT_CAPACITY,
    BINDING_SUBMIT_ON_CPU,
    BINDING_SUBMIT_TIMEOUT,
    BINDING_SUBMIT_TUNING,
    BINDING_SUBMIT_COUNT
};

/* CSR: the first `counts[i]` items of each check, from `rows + i * capacity * size`. */
PyObject *binding_compressed(binding_state *state, binding_dtype dtype, const uint64_t *counts, size_t count,
                             const void *rows, size_t capacity);

#endif
