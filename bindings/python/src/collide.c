/* Collisions of two models: yes or no, pairs, contacts, surfaces. */
#include "binding.h"

static const char *const names[] = {"a", "b", "pose_a", "pose_b", "clearance", "tuning", NULL};
enum {
    A,
    B,
    POSE_A,
    POSE_B,
    CLEARANCE,
    TUNING,
    NAME_COUNT
};

typedef struct collision {
    binding_question question;
    tumble_collide_options options;
    tumble_tuning tuning;
    tumble_collide_result result;
} collision;

/* Asks the library. After success, the result is that of question.query until `finish`. */
static int ask(collision *c, const char *function, tumble_mode mode, bool want_contacts, PyObject *self,
               PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[NAME_COUNT];
    c->options = tumble_default_collide_options();
    c->options.mode = mode;
    c->options.want_contacts = want_contacts;
    if (binding_arguments(function, names, 5, 2, arguments, count, keywords, values) ||
        binding_double(values[CLEARANCE], "clearance", &c->options.clearance)) {
        return -1;
    }
    const int is_tuned = values[TUNING] ? binding_tuning(values[TUNING], &c->tuning) : 0;
    if (is_tuned < 0 || binding_question_begin(&c->question, self, values)) {
        return -1;
    }
    c->options.tuning = is_tuned ? &c->tuning : NULL;
    c->options.coherence = c->question.coherence;
    const binding_question *q = &c->question;
    binding_question_run(&c->question);
    const tumble_status status =
        tumble_collide(q->query, q->a->model, q->pose_a, q->b->model, q->pose_b, &c->options, &c->result);
    const int interrupted = binding_question_ran(&c->question);
    if (interrupted || status != TUMBLE_OK) {
        if (!interrupted) {
            binding_question_raise(&c->question, status);
        }
        binding_question_end(&c->question, NULL);
        return -1;
    }
    return 0;
}

static PyObject *finish(collision *c, PyObject *answer)
{
    binding_question_end(&c->question, &c->result.counters);
    return answer;
}

static PyObject *collide(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    collision c;
    if (ask(&c, "collide", TUMBLE_TEST, false, self, arguments, count, keywords)) {
        return NULL;
    }
    return finish(&c, PyBool_FromLong(c.result.collide));
}

static PyObject *count_pairs(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    collision c;
    if (ask(&c, "count", TUMBLE_COUNT, false, self, arguments, count, keywords)) {
        return NULL;
    }
    return finish(&c, PyLong_FromUnsignedLongLong(c.result.pair_count));
}

static PyObject *first(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    collision c;
    if (ask(&c, "first", TUMBLE_FIRST, false, self, arguments, count, keywords)) {
        return NULL;
    }
    const tumble_pair pair = c.result.first;
    return finish(&c, c.result.collide
                          ? Py_BuildValue("(kk)", (unsigned long)pair.polygon_a, (unsigned long)pair.polygon_b)
                          : Py_NewRef(Py_None));
}

static PyObject *pairs(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    collision c;
    if (ask(&c, "pairs", TUMBLE_ALL, false, self, arguments, count, keywords)) {
        return NULL;
    }
    const Py_ssize_t shape[] = {(Py_ssize_t)c.result.pair_count, 2};
    return finish(&c, binding_array_of(c.question.state, BINDING_UINT32, 2, shape, c.result.pairs));
}

static PyObject *contacts(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    collision c;
    if (ask(&c, "contacts", TUMBLE_ALL, true, self, arguments, count, keywords)) {
        return NULL;
    }
    const Py_ssize_t shape[] = {(Py_ssize_t)c.result.contact_count};
    return finish(&c, binding_array_of(c.question.state, BINDING_CONTACT, 1, shape, c.result.contacts));
}

static PyObject *surfaces(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    collision c;
    if (ask(&c, "surfaces", TUMBLE_SURFACES, false, self, arguments, count, keywords)) {
        return NULL;
    }
    const Py_ssize_t shape[] = {(Py_ssize_t)c.result.surface_pair_count};
    return finish(&c, binding_array_of(c.question.state, BINDING_SURFACE, 1, shape, c.result.surface_pairs));
}

#define SIGNATURE "(a, b, pose_a=None, pose_b=None, clearance=0.0, *, tuning=None)\n--\n\n"
#define FUNCTION(name, function, text)                                                                  \
    {                                                                                                   \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, name SIGNATURE text \
    }

/* Of the module, and methods of Query. */
PyMethodDef binding_collision_functions[] = {
    FUNCTION("collide", collide, "Whether two models intersect, or are within the clearance of each other."),
    FUNCTION("count", count_pairs, "How many pairs of polygons intersect."),
    FUNCTION("first", first, "One pair of polygons that intersect, as (polygon_a, polygon_b), or None."),
    FUNCTION("pairs", pairs, "All pairs of polygons that intersect: (k, 2), uint32, sorted."),
    FUNCTION("contacts", contacts, "Where triangles meet: an array of tumble.contact_dtype()."),
    FUNCTION("surfaces", surfaces, "The pairs of surfaces that intersect: an array of tumble.surface_dtype()."),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_collisions = {.name = "collisions", .functions = binding_collision_functions};
