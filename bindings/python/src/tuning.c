/* Options of single hierarchies, by names such as "kdop.k": a mapping in Python. */
#include <stddef.h>
#include <string.h>

#include "binding.h"

typedef enum option_kind {
    OPTION_NUMBER, /* uint32_t */
    OPTION_REAL,
    OPTION_FLAG,
    OPTION_WORD /* an enumeration */
} option_kind;

#define WORD(name, number, word, text) word,
#define NUMBER(name, number, word, text) number,
#define WORDS(name, LIST)                                   \
    static const char *const name##_words[] = {LIST(WORD)}; \
    static const int name##_numbers[] = {LIST(NUMBER)};

#define WIDE_AXES_LIST(X) X(, 0, "all", ) X(, 1, "longest", )
#define LAYOUT_LIST(X) X(, 0, "one-plane", ) X(, 1, "two-planes", )
#define CRITERION_LIST(X) X(, 0, "volume", ) X(, 1, "volume-count", )
#define GROWTH_LIST(X) X(, 0, "seeds", ) X(, 1, "running", )
#define PLANES_LIST(X) X(, 0, "any", ) X(, 1, "parallel", )
#define DIRECTION_LIST(X) X(, 0, "b-into-a", ) X(, 1, "a-into-b", ) X(, 2, "both", )
#define MIXED_LIST(X) X(, 0, "volumes", ) X(, 1, "primitives", )
#define ROOT_LIST(X) X(, 0, "auto", ) X(, 1, "hull", ) X(, 2, "same", )
WORDS(axes, WIDE_AXES_LIST)
WORDS(layout, LAYOUT_LIST)
WORDS(criterion, CRITERION_LIST)
WORDS(growth, GROWTH_LIST)
WORDS(planes, PLANES_LIST)
WORDS(overlap, TUMBLE_OVERLAP_LIST)
WORDS(direction, DIRECTION_LIST)
WORDS(descent, TUMBLE_DESCENT_LIST)
WORDS(split, TUMBLE_KDOP_SPLIT_LIST)
WORDS(at, TUMBLE_KDOP_AT_LIST)
WORDS(tumble, TUMBLE_KDOP_TUMBLE_LIST)
WORDS(traversal, TUMBLE_KDOP_TRAVERSAL_LIST)
WORDS(mixed, MIXED_LIST)
WORDS(root, ROOT_LIST)
WORDS(load, TUMBLE_RTREE_LOAD_LIST)
WORDS(probe, TUMBLE_RTREE_PROBE_LIST)

typedef struct option {
    const char *name;
    option_kind kind;
    size_t offset;
    const char *const *words;
    const int *numbers;
    size_t word_count;
} option;

#define AT(group, member) offsetof(tumble_tuning, group.member)
#define PLAIN(kind, group, member)                                 \
    {                                                              \
#group "." #member, kind, AT(group, member), NULL, NULL, 0 \
    }
#define CHOICE(group, member, list)                                                       \
    {                                                                                     \
#group "." #member, OPTION_WORD, AT(group, member), list##_words, list##_numbers, \
            sizeof list##_numbers / sizeof(int)                                           \
    }

static const option options[] = {
    CHOICE(wide, axes, axes),
    CHOICE(boxtree, layout, layout),
    CHOICE(boxtree, axes, axes),
    CHOICE(boxtree, criterion, criterion),
    CHOICE(boxtree, growth, growth),
    CHOICE(boxtree, planes, planes),
    PLAIN(OPTION_REAL, boxtree, trim),
    PLAIN(OPTION_NUMBER, kdop, k),
    CHOICE(kdop, split, split),
    CHOICE(kdop, at, at),
    PLAIN(OPTION_FLAG, kdop, all_directions),
    PLAIN(OPTION_FLAG, kdop, estimate),
    PLAIN(OPTION_NUMBER, kdop, leaf),
    CHOICE(kdop, tumble, tumble),
    PLAIN(OPTION_NUMBER, kdop, hull),
    PLAIN(OPTION_FLAG, kdop, bare_leaves),
    CHOICE(rtree, load, load),
    PLAIN(OPTION_NUMBER, rtree, width),
    CHOICE(boxtree_walk, overlap, overlap),
    CHOICE(boxtree_walk, direction, direction),
    CHOICE(boxtree_walk, descent, descent),
    CHOICE(kdop_walk, tumble, tumble),
    CHOICE(kdop_walk, root, root),
    CHOICE(kdop_walk, traversal, traversal),
    CHOICE(kdop_walk, mixed, mixed),
    PLAIN(OPTION_REAL, kdop_walk, epsilon),
    CHOICE(rtree_walk, probe, probe),
    PLAIN(OPTION_FLAG, rtree_walk, whole),
    PLAIN(OPTION_FLAG, rtree_walk, single),
};
#define OPTION_COUNT (sizeof options / sizeof options[0])

/* All enumerations of C are as wide as an int here. */
_Static_assert(sizeof(tumble_overlap) == sizeof(int) && sizeof(tumble_kdop_at) == sizeof(int), "enumerations are int");

static const option *option_named(PyObject *name)
{
    for (size_t i = 0; PyUnicode_Check(name) && i < OPTION_COUNT; i++) {
        if (PyUnicode_CompareWithASCIIString(name, options[i].name) == 0) {
            return &options[i];
        }
    }
    PyErr_Format(PyExc_ValueError, "tuning: there is no option %R; tumble.tunings() names all", name);
    return NULL;
}

static int set_number(const option *o, PyObject *value, void *member)
{
    uint64_t number = 0;
    if (binding_size(value, o->name, &number)) {
        return -1;
    }
    const uint32_t small = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
    memcpy(member, &small, sizeof small);
    return 0;
}

static int set_option(const option *o, PyObject *value, tumble_tuning *tuning)
{
    void *member = (char *)tuning + o->offset;
    switch (o->kind) {
    case OPTION_NUMBER: return set_number(o, value, member);
    case OPTION_REAL: return binding_double(value, o->name, member);
    case OPTION_FLAG: return binding_flag(value, o->name, member);
    default: return binding_word(value, o->name, o->words, o->numbers, o->word_count, member);
    }
}

int binding_tuning(PyObject *object, tumble_tuning *out)
{
    *out = tumble_default_tuning();
    if (!object || object == Py_None) {
        return 0;
    }
    if (!PyDict_Check(object)) {
        PyErr_Format(PyExc_TypeError, "tuning: expected a dict, not %R", (PyObject *)Py_TYPE(object));
        return -1;
    }
    /* A tuple: setting an option can run Python, which could change the dict, or a list that the collector knows. */
    PyObject *list = PyDict_Items(object);
    PyObject *items = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    int result = items ? 1 : -1;
    for (Py_ssize_t i = 0; result > 0 && i < PyTuple_Size(items); i++) {
        PyObject *item = PyTuple_GetItem(items, i);
        const option *o = option_named(PyTuple_GetItem(item, 0));
        if (!o || set_option(o, PyTuple_GetItem(item, 1), out)) {
            result = -1;
        }
    }
    Py_XDECREF(items);
    return result;
}

static PyObject *word_of(const option *o, const void *member)
{
    int number;
    memcpy(&number, member, sizeof number);
    for (size_t i = 0; i < o->word_count; i++) {
        if (o->numbers[i] == number) {
            return PyUnicode_FromString(o->words[i]);
        }
    }
    return PyLong_FromLong(number);
}

static PyObject *value_of(const option *o, const tumble_tuning *tuning)
{
    const void *member = (const char *)tuning + o->offset;
    switch (o->kind) {
    case OPTION_NUMBER: return PyLong_FromUnsignedLong(*(const uint32_t *)member);
    case OPTION_REAL: return PyFloat_FromDouble(*(const double *)member);
    case OPTION_FLAG: return PyBool_FromLong(*(const bool *)member);
    default: return word_of(o, member);
    }
}

PyObject *binding_tuning_mapping(const tumble_tuning *tuning)
{
    PyObject *mapping = PyDict_New();
    for (size_t i = 0; mapping && i < OPTION_COUNT; i++) {
        PyObject *value = value_of(&options[i], tuning);
        if (!value || PyDict_SetItemString(mapping, options[i].name, value)) {
            Py_CLEAR(mapping);
        }
        Py_XDECREF(value);
    }
    return mapping;
}

static PyObject *tunings(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    const tumble_tuning tuning = tumble_default_tuning();
    return binding_tuning_mapping(&tuning);
}

static PyMethodDef functions[] = {
    {"tunings", tunings, METH_NOARGS,
     "tunings()\n--\n\nAll options that tune single hierarchies, with their defaults. None changes an answer.\n\n"
     ">>> import tumble\n"
     ">>> tumble.tunings()['kdop.k']\n"
     "18\n"},
    {NULL, NULL, 0, NULL},
};

const binding_part binding_tunings = {.name = "tunings", .functions = functions};
