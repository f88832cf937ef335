/* Queries: those that no thread uses now, and the type Query, which remembers. */
#include <string.h>

#include "binding.h"

/* ---- The free list ---- */

binding_idle_query *binding_query_take(binding_state *state)
{
    binding_idle_query *query = state->idle;
    if (query) {
        state->idle = query->next;
        return query;
    }
    query = calloc(1, sizeof *query);
    if (!query || tumble_query_create(state->context, &query->query) != TUMBLE_OK) {
        free(query);
        PyErr_NoMemory();
        return NULL;
    }
    return query;
}

void binding_query_give(binding_state *state, binding_idle_query *query)
{
    query->next = state->idle;
    state->idle = query;
}

static void release(binding_state *state)
{
    while (state->idle) {
        binding_idle_query *query = state->idle;
        state->idle = query->next;
        tumble_query_destroy(query->query);
        free(query);
    }
}

/* ---- Questions ---- */

typedef struct query_object {
    PyObject_HEAD binding_query data;
} query_object;

static binding_query *data_of(PyObject *self)
{
    return &((query_object *)self)->data;
}

static int take_own(binding_question *q, PyObject *self, PyObject *const *values)
{
    binding_query *own = data_of(self);
    if (own->is_busy) {
        binding_raise(q->state, TUMBLE_ERROR_BUSY, "another thread is using this Query: make one per thread", NULL);
        return -1;
    }
    PyObject *old[2] = {own->models[0], own->models[1]};
    own->models[0] = Py_NewRef(values[0]);
    own->models[1] = Py_NewRef(values[1]);
    own->is_busy = true;
    q->own = own;
    q->query = own->query;
    q->coherence = own->coherence;
    /* Last: __del__ of a class that is derived from Model may use this Query, and must find it busy. */
    Py_XDECREF(old[0]);
    Py_XDECREF(old[1]);
    return 0;
}

static int take_query(binding_question *q, PyObject *self, PyObject *const *values)
{
    if (!PyModule_Check(self)) {
        return take_own(q, self, values);
    }
    q->idle = binding_query_take(q->state);
    q->query = q->idle ? q->idle->query : NULL;
    return q->idle ? 0 : -1;
}

static int take_poses(binding_question *q, PyObject *const *values)
{
    const int has_a = binding_pose(q->state, values[2], "pose_a", &q->poses[0]);
    const int has_b = has_a < 0 ? -1 : binding_pose(q->state, values[3], "pose_b", &q->poses[1]);
    q->pose_a = has_a > 0 ? &q->poses[0] : NULL;
    q->pose_b = has_b > 0 ? &q->poses[1] : NULL;
    return has_b < 0 ? -1 : 0;
}

int binding_question_begin(binding_question *q, PyObject *self, PyObject *const *values)
{
    q->state = PyModule_Check(self) ? binding_state_of(self) : binding_state_of_object(self);
    q->own = NULL;
    q->idle = NULL;
    q->coherence = TUMBLE_COHERENCE_NONE;
    if (!q->state || !(q->a = binding_model_of(q->state, values[0], "a")) ||
        !(q->b = binding_model_of(q->state, values[1], "b")) || take_poses(q, values)) {
        return -1;
    }
    if (binding_model_begin(q->state, q->a)) {
        return -1;
    }
    if (binding_model_begin(q->state, q->b)) {
        binding_model_end(q->state, q->a);
        return -1;
    }
    if (take_query(q, self, values)) {
        binding_model_end(q->state, q->a);
        binding_model_end(q->state, q->b);
        return -1;
    }
    return 0;
}

void binding_question_end(binding_question *q, const tumble_counters *counters)
{
    binding_model_end(q->state, q->a);
    binding_model_end(q->state, q->b);
    if (q->idle) {
        binding_query_give(q->state, q->idle);
    } else {
        q->own->is_busy = false;
        if (counters) {
            q->own->counters = *counters;
        }
    }
}

PyObject *binding_question_raise(binding_question *q, tumble_status status)
{
    char message[600];
    const tumble_status last = tumble_query_error(q->query, message, sizeof message);
    return binding_raise(q->state, status, last == status ? message : "", NULL);
}

const binding_part binding_queries = {.name = "queries", .release = release};
