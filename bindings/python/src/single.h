/* Questions about one model at a pose: rays, points, boxes and balls. */
#ifndef TUMBLE_BINDING_SINGLE_H
#define TUMBLE_BINDING_SINGLE_H

#include "binding.h"

typedef struct binding_single {
    binding_state *state;
    binding_model *model;
    binding_idle_query *idle;
    tumble_pose pose;
    bool has_pose;
    uint64_t threads;
    binding_work work;
    tumble_status status;
} binding_single;

/* After success call binding_single_end. */
int binding_single_begin(binding_single *b, PyObject *self, PyObject *model, PyObject *pose, PyObject *threads);
uint32_t binding_single_threads(const binding_single *b);
/* 0, or -1 with the exception of what failed. */
int binding_single_end(binding_single *b);

/* (n, 3), or (3,) for one. */
int binding_points_get(binding_state *state, PyObject *object, const char *name, binding_array *out);

#endif
