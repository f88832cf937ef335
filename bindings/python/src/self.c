/* One model and itself: whether it intersects itself, and which pairs of its polygons do. */
#include "binding.h"

static const char *const names[] = {"model", "clearance", "rings", "soup", "threads", NULL};
enum {
    MODEL,
    CLEARANCE,
    RINGS,
    SOUP,
    THREADS,
    NAME_COUNT
};

typedef struct self_question {
    binding_question question;
    tumble_self_options options;
    tumble_self_result result;
} self_question;

static int read_options(tumble_self_options *options, PyObject *const *values)
{
    uint64_t rings = options->rings, threads = 1;
    if (binding_double(values[CLEARANCE], "clearance", &options->clearance) ||
        binding_size(values[RINGS], "rings", &rings) || binding_flag(values[SOUP], "soup", &options->soup) ||
        binding_size(values[THREADS], "threads", &threads)) {
        return -1;
    }
    options->rings = rings < UINT32_MAX ? (uint32_t)rings : UINT32_MAX;
    options->thread_count = (uint32_t)(threads < 256 ? threads : 256);
    return 0;
}

/* Asks the library. After success, the result is that of question.query until `finish`. */
static int ask(self_question *s, const char *function, tumble_mode mode, PyObject *self, PyObject *const *arguments,
               Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[NAME_COUNT];
    s->options.mode = mode;
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

#define QUESTION(name, function, mode, contacts, answer)                                                        \
    static PyObject *function(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) \
    {                                                                                                           \
        self_question s = {.options = tumble_default_self_options()};                                           \
        s.options.want_contacts = contacts;                                                                     \
        return ask(&s, name, mode, self, arguments, count, keywords) ? NULL : finish(&s, answer(&s));           \
    }

static PyObject *test_of(const self_question *s)
{
    return PyBool_FromLong(s->result.collide);
}

static PyObject *count_of(const self_question *s)
{
    return PyLong_FromUnsignedLongLong(s->result.pair_count);
}

static PyObject *first_of(const self_question *s)
{
    const tumble_self_pair first = s->result.first;
    PyObject *kinds = s->result.collide ? binding_result_class(s->question.state, "SelfKind") : NULL;
    PyObject *result = kinds ? Py_BuildValue("(kkN)", (unsigned long)first.polygon_a, (unsigned long)first.polygon_b,
                                             PyObject_CallFunction(kinds, "i", (int)first.kind))
                             : NULL;
    Py_XDECREF(kinds);
    return s->result.collide ? result : Py_NewRef(Py_None);
}

static PyObject *pairs_of(const self_question *s)
{
    _Static_assert(sizeof(tumble_self_pair) == 3 * sizeof(uint32_t), "rows of the array");
    const Py_ssize_t shape[] = {(Py_ssize_t)s->result.pair_count, 3};
    return binding_array_of(s->question.state, BINDING_UINT32, 2, shape, s->result.pairs);
}

static PyObject *contacts_of(const self_question *s)
{
    const Py_ssize_t shape[] = {(Py_ssize_t)s->result.contact_count};
    return binding_array_of(s->question.state, BINDING_CONTACT, 1, shape, s->result.contacts);
}

QUESTION("self_collide", self_collide, TUMBLE_TEST, false, test_of)
QUESTION("self_count", self_count, TUMBLE_COUNT, false, count_of)
QUESTION("self_first", self_first, TUMBLE_FIRST, false, first_of)
QUESTION("self_pairs", self_pairs, TUMBLE_ALL, false, pairs_of)
QUESTION("self_contacts", self_contacts, TUMBLE_ALL, true, contacts_of)

#define SIGNATURE "(model, *, clearance=0.0, rings=1, soup=False, threads=1)\n--\n\n"
#define FUNCTION(name, function, text)                                                                  \
    {                                                                                                   \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, name SIGNATURE text \
    }

static PyMethodDef functions[] = {
    FUNCTION("self_collide", self_collide,
             "Whether polygons of a model have a common point outside of the corners and edges that they share.\n\n"
             "clearance: polygons within this distance count too, unless they are neighbours within so many rings.\n"
             "soup: what polygons share does not matter. threads: 0 is one per processor.\n\n"
             ">>> import tumble\n"
             ">>> points = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -1], [1, 1, 1], [2, 1, 1]]\n"
             ">>> model = tumble.Model(points, [[0, 1, 2], [3, 4, 5]])\n"
             ">>> tumble.self_collide(model), tumble.self_first(model)\n"
             "(True, (0, 1, <SelfKind.CROSSING: 2>))\n"),
    FUNCTION("self_count", self_count, "How many pairs of polygons do; the arguments are those of self_collide()."),
    FUNCTION("self_first", self_first, "One such pair, as (polygon, polygon, tumble.SelfKind), or None."),
    FUNCTION("self_pairs", self_pairs,
             "All such pairs: (k, 3), uint32, sorted: two polygons, the smaller number first, and how they meet, a\n"
             "number of tumble.SelfKind."),
    FUNCTION("self_contacts", self_contacts,
             "Where they meet: an array of tumble.contact_dtype(), an item per pair of triangles."),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_self = {.name = "self", .functions = functions};
