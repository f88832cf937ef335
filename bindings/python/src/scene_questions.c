/* Questions about scenes: candidates, and which objects touch, how, or how close they are. */
#include <string.h>

#include "scenes.h"

/* Blocks of candidates are joined to this many for a Python callback. */
#define STREAM_BLOCK 65536

/* ---- Candidates ---- */

PyObject *binding_scene_update(PyObject *self, PyObject *arguments)
{
    (void)arguments;
    binding_state *state = binding_state_of_object(self);
    binding_scene *s = state ? binding_scene_begin(state, self) : NULL;
    if (!s) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_scene_update(s->scene);
    PyEval_RestoreThread(thread);
    if (status != TUMBLE_OK) {
        return binding_scene_fail(state, s, status);
    }
    binding_scene_end(state, s);
    Py_RETURN_NONE;
}

/* (count, 2) handles: a pair of objects has the bytes of two of them. */
static PyObject *pairs_array(binding_state *state, const tumble_object_pair *pairs, size_t count)
{
    const Py_ssize_t shape[2] = {(Py_ssize_t)count, 2};
    return binding_array_of(state, BINDING_UINT64, 2, shape, pairs);
}

PyObject *binding_scene_candidates(PyObject *self, PyObject *arguments)
{
    (void)arguments;
    binding_state *state = binding_state_of_object(self);
    binding_scene *s = state ? binding_scene_begin(state, self) : NULL;
    if (!s) {
        return NULL;
    }
    const tumble_object_pair *pairs = NULL;
    size_t count = 0;
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status = tumble_scene_candidates(s->scene, &pairs, &count);
    PyEval_RestoreThread(thread);
    if (status != TUMBLE_OK) {
        return binding_scene_fail(state, s, status);
    }
    PyObject *out = pairs_array(state, pairs, count);
    binding_scene_end(state, s);
    return out;
}

/* ---- Candidates in blocks ---- */

typedef struct streaming {
    binding_state *state;
    binding_work work;
    PyObject *callback; /* NULL: count only */
    tumble_object_pair *block;
    size_t used;
} streaming;

/* With the GIL: true to stop, because the callback says so or failed. */
static bool call_with(PyObject *callback, PyObject *argument)
{
    PyObject *result = argument ? PyObject_CallFunctionObjArgs(callback, argument, NULL) : NULL;
    Py_XDECREF(argument);
    const int is_enough = result ? PyObject_IsTrue(result) : 1;
    Py_XDECREF(result);
    return is_enough != 0;
}

static bool flush(streaming *s)
{
    if (binding_work_must_end()) {
        return true;
    }
    PyEval_RestoreThread(s->work.thread);
    const bool is_enough = call_with(s->callback, pairs_array(s->state, s->block, s->used));
    s->used = 0;
    s->work.thread = PyEval_SaveThread();
    return is_enough;
}

static bool receive_candidates(void *user, const tumble_object_pair *pairs, size_t count)
{
    streaming *s = user;
    if (!s->callback) {
        return binding_work_look(&s->work);
    }
    while (count > 0) {
        const size_t room = STREAM_BLOCK - s->used, some = count < room ? count : room;
        memcpy(s->block + s->used, pairs, some * sizeof *pairs);
        s->used += some;
        pairs += some;
        count -= some;
        if (s->used == STREAM_BLOCK && flush(s)) {
            return true;
        }
    }
    return binding_work_look(&s->work);
}

/* How many were handed over: all, unless the callback returned something true. */
PyObject *binding_scene_stream(PyObject *self, PyObject *arguments)
{
    PyObject *callback;
    binding_state *state = binding_state_of_object(self);
    if (!state || !PyArg_ParseTuple(arguments, "O:_stream", &callback)) {
        return NULL;
    }
    streaming stream = {.state = state, .callback = callback == Py_None ? NULL : callback};
    stream.block = PyMem_Malloc(STREAM_BLOCK * sizeof *stream.block);
    binding_scene *s = stream.block ? binding_scene_begin(state, self) : (binding_scene *)PyErr_NoMemory();
    if (!s) {
        PyMem_Free(stream.block);
        return NULL;
    }
    uint64_t count = 0;
    binding_work_begin(&stream.work);
    tumble_status status = tumble_scene_stream(s->scene, receive_candidates, &stream, &count);
    if (status == TUMBLE_OK && stream.used > 0) {
        (void)flush(&stream);
    }
    binding_work_end(&stream.work);
    PyMem_Free(stream.block);
    if (PyErr_Occurred() || (status != TUMBLE_OK && status != TUMBLE_ERROR_CANCELLED)) {
        return binding_scene_fail(state, s, status);
    }
    binding_scene_end(state, s);
    return PyLong_FromUnsignedLongLong(count);
}

/* ---- Answers as arrays ---- */

/* Columns of all meetings; NULL: not made yet. */
typedef struct columns {
    PyObject *objects, *events, *relations, *counts, *pairs, *contact_counts, *contacts, *nearest;
} columns;

static void release_columns(columns *c)
{
    Py_XDECREF(c->objects);
    Py_XDECREF(c->events);
    Py_XDECREF(c->relations);
    Py_XDECREF(c->counts);
    Py_XDECREF(c->pairs);
    Py_XDECREF(c->contact_counts);
    Py_XDECREF(c->contacts);
    Py_XDECREF(c->nearest);
}

/* Where the numbers of the columns go. */
typedef struct places {
    tumble_object_pair *objects;
    uint32_t *events, *relations;
    uint64_t *counts, *contact_counts;
    tumble_pair *pairs;
    tumble_contact *contacts;
    tumble_near *nearest;
} places;

static PyObject *new_column(binding_state *state, binding_dtype type, size_t count, int width, void *data)
{
    const Py_ssize_t shape[2] = {(Py_ssize_t)count, width};
    void *memory = NULL;
    PyObject *array = binding_new_array(state, type, width > 1 ? 2 : 1, shape, &memory);
    memcpy(data, &memory, sizeof memory);
    return array;
}

static int make_columns(binding_state *state, size_t count, size_t pair_count, size_t contact_count, columns *c,
                        places *p)
{
    return (c->objects = new_column(state, BINDING_UINT64, count, 2, &p->objects)) &&
                   (c->events = new_column(state, BINDING_UINT32, count, 1, &p->events)) &&
                   (c->relations = new_column(state, BINDING_UINT32, count, 1, &p->relations)) &&
                   (c->counts = new_column(state, BINDING_UINT64, count, 1, &p->counts)) &&
                   (c->pairs = new_column(state, BINDING_UINT32, pair_count, 2, &p->pairs)) &&
                   (c->contact_counts = new_column(state, BINDING_UINT64, count, 1, &p->contact_counts)) &&
                   (c->contacts = new_column(state, BINDING_CONTACT, contact_count, 1, &p->contacts)) &&
                   (c->nearest = new_column(state, BINDING_NEAR, count, 1, &p->nearest))
               ? 0
               : -1;
}

static void copy_meeting(const tumble_meeting *m, size_t i, places *p)
{
    p->objects[i] = (tumble_object_pair){m->a, m->b};
    p->events[i] = (uint32_t)m->event;
    p->relations[i] = (uint32_t)m->relation;
    p->counts[i] = m->pair_count;
    p->contact_counts[i] = m->contacts ? m->contact_count : 0;
    memcpy(&p->nearest[i], &m->nearest, sizeof m->nearest);
    if (m->pairs) {
        memcpy(p->pairs, m->pairs, (size_t)m->pair_count * sizeof *m->pairs);
        p->pairs += m->pair_count;
    }
    if (m->contacts) {
        memcpy(p->contacts, m->contacts, (size_t)m->contact_count * sizeof *m->contacts);
        p->contacts += m->contact_count;
    }
}

/* (objects, events, relations, counts, pairs, contact_counts, contacts, nearest) */
static PyObject *meetings_tuple(binding_state *state, const tumble_meeting *meetings, size_t count)
{
    columns c = {0};
    places p;
    size_t pair_count = 0, contact_count = 0;
    for (size_t i = 0; i < count; i++) {
        pair_count += meetings[i].pairs ? (size_t)meetings[i].pair_count : 0;
        contact_count += meetings[i].contacts ? (size_t)meetings[i].contact_count : 0;
    }
    if (make_columns(state, count, pair_count, contact_count, &c, &p)) {
        release_columns(&c);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        copy_meeting(&meetings[i], i, &p);
    }
    return Py_BuildValue("NNNNNNNN", c.objects, c.events, c.relations, c.counts, c.pairs, c.contact_counts, c.contacts,
                         c.nearest);
}

/* ---- Asking ---- */

typedef struct asking {
    binding_state *state;
    binding_work work;
    PyObject *callback;
    tumble_scene_question question;
    tumble_part part;
    const tumble_part *foreign; /* NULL: the scene's own objects */
    PyObject *model;            /* of the part */
} asking;

static bool receive_meeting(void *user, const tumble_meeting *meeting)
{
    asking *a = user;
    if (binding_work_must_end()) {
        return true;
    }
    PyEval_RestoreThread(a->work.thread);
    const bool is_enough = call_with(a->callback, meetings_tuple(a->state, meeting, 1));
    a->work.thread = PyEval_SaveThread();
    return is_enough || binding_work_look(&a->work);
}

static bool look(void *user)
{
    return binding_work_look(&((asking *)user)->work);
}

/* (model, pose, group, mask, clearance, radius) */
static int read_part(PyObject *tuple, asking *a)
{
    PyObject *pose;
    unsigned int group, mask;
    a->part = tumble_default_part();
    if (!PyTuple_Check(tuple) ||
        !PyArg_ParseTuple(tuple, "OOIIdd", &a->model, &pose, &group, &mask, &a->part.clearance, &a->part.radius)) {
        return -1;
    }
    binding_model *model = binding_model_of(a->state, a->model, "model");
    if (!model || binding_pose(a->state, pose, "pose", &a->part.pose) < 0) {
        return -1;
    }
    a->part.model = model->model;
    a->part.group = group;
    a->part.mask = mask;
    a->foreign = &a->part;
    return 0;
}

static int read_question(PyObject *arguments, asking *a)
{
    int mode, coherence, only_moved, want_contacts;
    unsigned int groups_a, groups_b;
    Py_ssize_t cache_bytes;
    PyObject *part, *callback;
    tumble_scene_question *q = &a->question;
    *q = tumble_default_scene_question();
    if (!PyArg_ParseTuple(arguments, "iddIIppinOO:_ask", &mode, &q->clearance, &q->within, &groups_a, &groups_b,
                          &only_moved, &want_contacts, &coherence, &cache_bytes, &part, &callback)) {
        return -1;
    }
    q->mode = (tumble_scene_mode)mode;
    q->groups_a = groups_a;
    q->groups_b = groups_b;
    q->only_moved = only_moved;
    q->want_contacts = want_contacts;
    q->coherence = (tumble_coherence)coherence;
    q->cache_bytes = cache_bytes < 0 ? 0 : (size_t)cache_bytes;
    q->progress = look;
    q->progress_user = a;
    if (callback != Py_None) {
        a->callback = callback;
        q->callback = receive_meeting;
        q->callback_user = a;
    }
    return part == Py_None ? 0 : read_part(part, a);
}

/* (touch, candidates, meetings, columns, ended, counters) */
static PyObject *answer_tuple(binding_state *state, const tumble_scene_answer *answer)
{
    PyObject *meetings = meetings_tuple(state, answer->meetings, answer->meetings ? (size_t)answer->meeting_count : 0);
    PyObject *ended = meetings ? pairs_array(state, answer->ended, (size_t)answer->ended_count) : NULL;
    PyObject *counters = ended ? binding_scene_counters(&answer->counters) : NULL;
    if (!counters) {
        Py_XDECREF(meetings);
        Py_XDECREF(ended);
        return NULL;
    }
    return Py_BuildValue("NKKNNN", PyBool_FromLong(answer->touch), (unsigned long long)answer->candidate_count,
                         (unsigned long long)answer->meeting_count, meetings, ended, counters);
}

PyObject *binding_scene_ask(PyObject *self, PyObject *arguments)
{
    binding_state *state = binding_state_of_object(self);
    asking a = {.state = state};
    tumble_scene_answer answer = {0};
    binding_scene *s = state && read_question(arguments, &a) == 0 ? binding_scene_begin(state, self) : NULL;
    if (!s) {
        return NULL;
    }
    if (a.foreign && binding_scene_hold(state, s, a.model)) {
        return binding_scene_fail(state, s, TUMBLE_ERROR_BUSY);
    }
    binding_work_begin(&a.work);
    const tumble_status status = a.foreign
                                     ? tumble_scene_collide_part(s->query, s->scene, a.foreign, &a.question, &answer)
                                     : tumble_scene_collide(s->query, s->scene, &a.question, &answer);
    binding_work_end(&a.work);
    const bool is_stopped =
        status == TUMBLE_ERROR_CANCELLED && a.callback; /* by the callback, if there is no exception */
    if (PyErr_Occurred() || (status != TUMBLE_OK && !is_stopped)) {
        return binding_scene_fail(state, s, status);
    }
    if (is_stopped) {
        answer.meetings = NULL;
        answer.ended_count = 0;
    }
    PyObject *out = answer_tuple(state, &answer);
    binding_scene_end(state, s);
    return out;
}
