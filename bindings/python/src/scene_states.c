/* Many states of some objects of a scene, such as the samples of a robot's planner. */
#include <string.h>

#include "scenes.h"

typedef struct states_call {
    binding_state *state;
    binding_work work;
    Py_buffer handles, poses;
    tumble_object *objects; /* a copy: another thread could change the handles */
    tumble_states states;
    tumble_states_question question;
} states_call;

static bool look(void *user, size_t done)
{
    (void)done;
    return binding_work_look(&((states_call *)user)->work);
}

static int fail_poses(const Py_buffer *view, size_t object_count)
{
    PyErr_Format(PyExc_ValueError,
                 "poses: expected float64 of shape (states, %zu, 3, 4) with packed states, not %d dimensions of \"%s\"",
                 object_count, view->ndim, view->format ? view->format : "B");
    return -1;
}

/* Poses of a state are packed; states may be any number of poses apart, as in a slice of a larger array. */
static int read_poses(PyObject *object, states_call *c)
{
    Py_buffer *view = &c->poses;
    if (PyObject_GetBuffer(object, view, PyBUF_RECORDS_RO)) {
        return -1;
    }
    const Py_ssize_t size = (Py_ssize_t)sizeof(double), pose = (Py_ssize_t)sizeof(tumble_pose);
    const char *format = view->format ? view->format : "B";
    const bool is_double = strcmp(format, "d") == 0 || strcmp(format, "<d") == 0;
    if (!is_double || view->ndim != 4 || view->itemsize != size || view->shape[2] != 3 || view->shape[3] != 4 ||
        (size_t)view->shape[1] != c->states.object_count || !view->strides) {
        return fail_poses(view, c->states.object_count);
    }
    const Py_ssize_t count = view->shape[0], objects = view->shape[1];
    const bool is_empty = count == 0 || objects == 0;
    const bool is_packed = view->strides[3] == size && view->strides[2] == 4 * size &&
                           (objects <= 1 || view->strides[1] == pose) && (uintptr_t)view->buf % sizeof(double) == 0;
    const bool is_spaced = count <= 1 || (view->strides[0] % pose == 0 && view->strides[0] >= objects * pose);
    if (!is_empty && (!is_packed || !is_spaced)) {
        return fail_poses(view, c->states.object_count);
    }
    c->states.poses = view->buf;
    c->states.pose_stride = count <= 1 || is_empty ? 0 : (size_t)(view->strides[0] / pose);
    c->states.state_count = (size_t)count;
    return 0;
}

static int read_arguments(PyObject *arguments, states_call *c)
{
    PyObject *handles, *poses;
    int mode, stop_at_first;
    c->question = tumble_default_states_question();
    if (!PyArg_ParseTuple(arguments, "OOiddp:_states", &handles, &poses, &mode, &c->question.clearance,
                          &c->question.within, &stop_at_first) ||
        binding_scene_objects(handles, &c->handles, &c->states.object_count)) {
        return -1;
    }
    const size_t size = c->states.object_count * sizeof *c->objects;
    c->objects = PyMem_Malloc(size ? size : 1);
    if (!c->objects) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(c->objects, c->handles.buf, size);
    c->states.objects = c->objects;
    c->question.mode = (tumble_states_mode)mode;
    c->question.stop_at_first = stop_at_first;
    c->question.progress = look;
    c->question.progress_user = c;
    return read_poses(poses, c);
}

static PyObject *pairs_of(binding_state *state, const tumble_states_answer *answer, size_t count)
{
    const Py_ssize_t shape[2] = {(Py_ssize_t)count, 2};
    return answer->pairs ? binding_array_of(state, BINDING_UINT64, 2, shape, answer->pairs) : Py_NewRef(Py_None);
}

static PyObject *nearest_of(binding_state *state, const tumble_states_answer *answer, size_t count)
{
    const Py_ssize_t shape[1] = {(Py_ssize_t)count};
    return answer->nearest ? binding_array_of(state, BINDING_NEAR, 1, shape, answer->nearest) : Py_NewRef(Py_None);
}

/* (states looked at, those that touch, the first of them, touch, pairs, nearest, counters) */
static PyObject *answer_tuple(binding_state *state, const tumble_states_answer *answer)
{
    const size_t count = answer->state_count;
    const Py_ssize_t shape[1] = {(Py_ssize_t)count};
    PyObject *touch = binding_array_of(state, BINDING_BOOL, 1, shape, answer->touch);
    PyObject *pairs = touch ? pairs_of(state, answer, count) : NULL;
    PyObject *nearest = pairs ? nearest_of(state, answer, count) : NULL;
    PyObject *counters = nearest ? binding_scene_counters(&answer->counters) : NULL;
    if (!counters) {
        Py_XDECREF(touch);
        Py_XDECREF(pairs);
        Py_XDECREF(nearest);
        return NULL;
    }
    return Py_BuildValue("KKKNNNN", (unsigned long long)count, (unsigned long long)answer->touch_count,
                         (unsigned long long)answer->first_touch, touch, pairs, nearest, counters);
}

static PyObject *run(PyObject *self, states_call *c)
{
    binding_scene *s = binding_scene_begin(c->state, self);
    if (!s) {
        return NULL;
    }
    tumble_states_answer answer = {0};
    binding_work_begin(&c->work);
    const tumble_status status = tumble_scene_states(s->query, s->scene, &c->states, &c->question, &answer);
    binding_work_end(&c->work);
    if (status != TUMBLE_OK) {
        return binding_scene_fail(c->state, s, status);
    }
    PyObject *out = answer_tuple(c->state, &answer);
    binding_scene_end(c->state, s);
    return out;
}

PyObject *binding_scene_states(PyObject *self, PyObject *arguments)
{
    states_call c = {.state = binding_state_of_object(self)};
    PyObject *out = c.state && read_arguments(arguments, &c) == 0 ? run(self, &c) : NULL;
    if (c.handles.obj) {
        PyBuffer_Release(&c.handles);
    }
    if (c.poses.obj) {
        PyBuffer_Release(&c.poses);
    }
    PyMem_Free(c.objects);
    return out;
}
