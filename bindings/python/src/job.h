/* A batch under way on a device, and what it needs until it is done. */
#ifndef TUMBLE_BINDING_JOB_H
#define TUMBLE_BINDING_JOB_H

#include "device.h"
#include "outcome.h"

typedef struct binding_job {
    struct binding_job *previous, *next; /* the list of those that are not done, which owns a reference to each */
    PyObject *object;
    bool is_listed;
    binding_outcome *outcome;
    PyObject *device;
    uint64_t opening, fork_count;
    tumble_ticket ticket;
    binding_checks checks;
    tumble_device_model **device_models; /* of all models of both sides */
    size_t device_model_count;
    tumble_model_pair *pairs;
    tumble_tuning tuning;
    binding_many_mode mode;
    tumble_check_answer *answers;
    void *found; /* pairs or contacts */
    uint64_t *counts;
    size_t capacity;
    PyObject *array; /* the output */
    Py_buffer out;   /* held if it is the caller's */
    void *data;
    PyObject *result; /* once it was made */
    bool is_released; /* models and arrays are given back */
    bool is_read;     /* a thread is making the result */
} binding_job;

/* The device that the job was submitted to is still open. */
bool binding_job_is_open(const binding_state *state, const binding_job *job);
/* Submits a job that has a device and an outcome; -1 with an exception. */
int binding_job_start(binding_state *state, binding_job *job, PyObject *const *values);

#endif
