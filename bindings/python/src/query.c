/* Queries: those that no thread uses now, and the type Query, which remembers. */
#include <pthread.h>
#include <string.h>

#include "binding.h"

static bool ask(void *user)
{
    binding_asker *asker = user;
    return asker->is_working ? binding_work_look(&asker->work) : asker->must_stop && asker->must_stop(asker->user);
}

static bool create_query(binding_state *state, tumble_query **query, binding_asker *asker)
{
    return tumble_query_create(state->context, query) == TUMBLE_OK &&
           tumble_query_set_progress(*query, ask, asker) == TUMBLE_OK;
}

/* ---- The free list ---- */

binding_idle_query *binding_query_take(binding_state *state)
{
    binding_idle_query *query = state->idle;
    if (query) {
        state->idle = query->next;
        return query;
    }
    query = calloc(1, sizeof *query);
    if (!query || !create_query(state, &query->query, &query->asker)) {
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
    q->asker = &own->asker;
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
    q->asker = q->idle ? &q->idle->asker : NULL;
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

void binding_question_run(binding_question *q)
{
    q->asker->is_working = true;
    binding_work_begin(&q->asker->work);
}

int binding_question_ran(binding_question *q)
{
    binding_work_end(&q->asker->work);
    q->asker->is_working = false;
    return q->asker->work.is_interrupted ? -1 : 0;
}

PyObject *binding_question_raise(binding_question *q, tumble_status status)
{
    char message[600];
    const tumble_status last = tumble_query_error(q->query, message, sizeof message);
    const bool is_first = q->pose_a && tumble_pose_check(q->state->context, q->pose_a) != TUMBLE_OK;
    return binding_raise_pose(q->state, status, last == status ? message : "", is_first ? "pose_a" : "pose_b");
}

/* ---- The type Query ---- */

static const char *const coherence_words[] = {"none", "pair", "front", "all"};
static const int coherence_numbers[] = {TUMBLE_COHERENCE_NONE, TUMBLE_COHERENCE_PAIR, TUMBLE_COHERENCE_FRONT,
                                        TUMBLE_COHERENCE_ALL};

static PyObject *query_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"coherence", NULL};
    PyObject *word = NULL;
    int coherence = TUMBLE_COHERENCE_ALL;
    binding_state *state = binding_state_of_type(type);
    if (!state || !PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:Query", names, &word) ||
        binding_word(word, "coherence", coherence_words, coherence_numbers, 4, &coherence)) {
        return NULL;
    }
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate(type, 0);
    if (!self) {
        return NULL;
    }
    data_of(self)->coherence = (tumble_coherence)coherence;
    if (!create_query(state, &data_of(self)->query, &data_of(self)->asker)) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return self;
}

static int query_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(data_of(self)->models[0]);
    Py_VISIT(data_of(self)->models[1]);
    return 0;
}

static int query_clear(PyObject *self)
{
    Py_CLEAR(data_of(self)->models[0]);
    Py_CLEAR(data_of(self)->models[1]);
    return 0;
}

static void query_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    tumble_query_destroy(data_of(self)->query);
    (void)query_clear(self);
    freefunc free_object = PyType_GetSlot(type, Py_tp_free);
    free_object(self);
    Py_DECREF(type);
}

static PyObject *get_counters(PyObject *self, void *closure)
{
    (void)closure;
    const tumble_counters *c = &data_of(self)->counters;
    PyObject *type = binding_result_class(binding_state_of_object(self), "Counters");
    PyObject *result = type ? PyObject_CallFunction(
                                  type, "KKKKKd", (unsigned long long)c->box_tests, (unsigned long long)c->box_updates,
                                  (unsigned long long)c->primitive_tests, (unsigned long long)c->exact_tests,
                                  (unsigned long long)c->bytes_touched, c->seconds)
                            : NULL;
    Py_XDECREF(type);
    return result;
}

static PyObject *get_coherence(PyObject *self, void *closure)
{
    (void)closure;
    return PyUnicode_FromString(coherence_words[data_of(self)->coherence]);
}

static PyGetSetDef attributes[] = {
    {"counters", get_counters, NULL, "The work of the last call, as a tumble.Counters.", NULL},
    {"coherence", get_coherence, NULL, "What is kept from call to call.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(query_text,
             "Query(coherence='all')\n--\n\n"
             "Asks questions that remember: for two models that move little from call to call.\n\n"
             "Has the questions about two models as methods: collide, count, first, pairs, contacts, surfaces,\n"
             "distance, relation, relate. The answers are the same. coherence: 'pair' keeps the last pair of\n"
             "triangles, 'front' where the last traversal ended, 'all' both, 'none' nothing.\n\n"
             "A Query is for one thread at a time.\n\n"
             ">>> import numpy as np, tumble\n"
             ">>> ball = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
             "...                     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
             ">>> query = tumble.Query()\n"
             ">>> [query.collide(ball, ball, None, tumble.pose((x, 0, 0))) for x in (2, 1.5, 1, 0.5)]\n"
             "[False, False, True, True]\n"
             ">>> query.counters.primitive_tests > 0\n"
             "True\n");

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)query_text}, {Py_tp_new, query_new},
    {Py_tp_dealloc, query_free},     {Py_tp_traverse, query_traverse},
    {Py_tp_clear, query_clear},      {Py_tp_getset, attributes},
    {Py_tp_methods, NULL},           {0, NULL},
};
#define METHODS_SLOT 6

static PyType_Spec spec = {
    .name = "tumble.Query",
    .basicsize = sizeof(query_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

/* The questions of both tables, as methods: their signatures begin with $self. Made once for all interpreters. */
#define METHOD_MOST 16
#define TEXT_MOST 1500
static PyMethodDef methods[METHOD_MOST];
static char texts[METHOD_MOST][TEXT_MOST];

static size_t add_methods(const PyMethodDef *functions, size_t count)
{
    for (; functions->ml_name && count < METHOD_MOST - 1; functions++, count++) {
        const char *signature = strchr(functions->ml_doc, '(') + 1;
        PyOS_snprintf(texts[count], TEXT_MOST, "%s($self, %s", functions->ml_name, signature);
        methods[count] = *functions;
        methods[count].ml_doc = texts[count];
    }
    return count;
}

static void make_methods(void)
{
    (void)add_methods(binding_proximity_functions, add_methods(binding_collision_functions, 0));
    slots[METHODS_SLOT].pfunc = methods;
}

static int add(PyObject *module, binding_state *state)
{
    (void)state;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_methods);
    return binding_add_type(module, BINDING_TYPE_QUERY, &spec, NULL);
}

const binding_part binding_queries = {.name = "queries", .add = add, .release = release};
