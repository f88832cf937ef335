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
    size_t first; /* the first item of the block that runs */
} binding_single;

/* After success call binding_single_end. */
int binding_single_begin(binding_single *b, PyObject *self, PyObject *model, PyObject *pose, PyObject *threads);
uint32_t binding_single_threads(const binding_single *b);

/* Answers `count` rays or points from number `first` on. */
typedef tumble_status binding_single_block(binding_single *b, void *user, size_t first, size_t count);
/* Without the GIL, block by block, so that Ctrl-C is seen in time. */
void binding_single_run(binding_single *b, size_t count, binding_single_block *block, void *user);

/* 0, or -1 with the exception of what failed. */
int binding_single_end(binding_single *b);

/* (n, 3), or (3,) for one. */
int binding_points_get(binding_state *state, PyObject *object, const char *name, binding_array *out);

int binding_three(binding_state *state, PyObject *object, const char *name, double out[3]);

/* How much to find: 'test', 'count', 'first' or 'all', as a tumble_mode. */
int binding_list_mode(PyObject *word, int *out);

/* An array that grows; data is the caller's to free. */
typedef struct binding_items {
    size_t size; /* of an item, in bytes */
    char *data;
    size_t count, capacity;
} binding_items;

/* Copies items, or makes room for them if `from` is NULL. -1: there is no memory. */
int binding_items_add(binding_items *items, const void *from, size_t count);
/* As an array of starts for `count` lists: the items of list i are those from starts[i] to starts[i + 1]. */
PyObject *binding_starts(binding_state *state, const uint64_t *counts, size_t count);

#endif
