/* One model and itself: whether it intersects itself, and which pairs of its polygons do. */
#include "binding.h"

static const char *const names[] = {"model", "clearance", "rings", "soup", NULL};
enum {
    MODEL,
    CLEARANCE,
    RINGS,
    SOUP,
    NAME_COUNT
};

typedef struct self_question {
    binding_question question;
    tumble_self_options options;
    tumble_self_result result;
} self_question;

static int read_options(tumble_self_options *options, PyObject *const *values)
{
    uint64_t rings = options->rings;
    if (binding_double(values[CLEARANCE], "clearance", &options->clearance) ||
        binding_size(values[RINGS], "rings", &rings) || binding_flag(values[SOUP], "soup", &options->soup)) {
        return -1;
    }
    options->rings = rings < UINT32_MAX ? (uint32_t)rings : UINT32_MAX;
    return 0;
}

/* Asks the library. After success, the result is that of question.query until `finish`. */
static int ask(self_question *s, const char *function, tumble_mode mode, PyObject *self, PyObject *const *arguments,
               Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[NAME_COUNT];
    s->options = tumble_default_self_options();
    s->options.mode = mode;
    s->options.thread_count = 1;
    if (binding_arguments(function, names, 1, 1, arguments, count, keywords, values) ||
        read_options(&s->options, values)) {
        return -1;
    }
    PyObject *const both[4] = {values[MODEL], values[MODEL], NULL, NULL};
    if (binding_question_begin(&s->question, self, both)) {
        return -1;
    }
    binding_question_run(&s->question);
    const tumble_status status = tumble_self_collide(s->question.query, s->question.a->model, &s->options, &s->result);
    const int interrupted = binding_question_ran(&s->question);
    if (interrupted || status != TUMBLE_OK) {
        if (!interrupted) {
            binding_question_raise(&s->question, status);
        }
        binding_question_end(&s->question, NULL);
        return -1;
    }
    return 0;
}

static PyObject *finish(self_question *s, PyObject *answer)
{
    binding_question_end(&s->question, &s->result.counters);
    return answer;
}

static PyObject *self_collide(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    self_question s;
    if (ask(&s, "self_collide", TUMBLE_TEST, self, arguments, count, keywords)) {
        return NULL;
    }
    return finish(&s, PyBool_FromLong(s.result.collide));
}

static PyObject *self_pairs(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    self_question s;
    if (ask(&s, "self_pairs", TUMBLE_ALL, self, arguments, count, keywords)) {
        return NULL;
    }
    _Static_assert(sizeof(tumble_self_pair) == 3 * sizeof(uint32_t), "rows of the array");
    const Py_ssize_t shape[] = {(Py_ssize_t)s.result.pair_count, 3};
    return finish(&s, binding_array_of(s.question.state, BINDING_UINT32, 2, shape, s.result.pairs));
}

#define SIGNATURE "(model, *, clearance=0.0, rings=1, soup=False)\n--\n\n"
#define FUNCTION(name, function, text)                                                                  \
    {                                                                                                   \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, name SIGNATURE text \
    }

static PyMethodDef functions[] = {
    FUNCTION("self_collide", self_collide,
             "Whether polygons of a model have a common point outside of the corners and edges that they share."),
    FUNCTION("self_pairs", self_pairs,
             "All such pairs: (k, 3), uint32, sorted: two polygons, the smaller number first, and how they meet:\n"
             "1 duplicate, 2 crossing, 3 overlapping in a plane, 4 touching, 5 degenerate, 6 within the clearance."),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_self = {.name = "self", .functions = functions};
