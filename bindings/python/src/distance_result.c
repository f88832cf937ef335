/* The result of a distance query: numbers as the library gave them, and Python's objects when they are asked for. The
 * class Distance in tumble/_results.py adds what a dataclass has. */
#include <string.h>

#include "binding.h"

typedef struct distance_data {
    tumble_near nearest;
    tumble_answer answer;
    double lower, upper, penetration;
    uint64_t undecided_count;
    bool is_complete;
    PyObject *points; /* once it was asked for */
    PyObject *pairs;  /* or NULL */
} distance_data;

typedef struct distance_object {
    PyObject_HEAD distance_data data;
} distance_object;

static distance_data *data_of(PyObject *self)
{
    return &((distance_object *)self)->data;
}

/* ---- Making ---- */

PyObject *binding_distance_result(binding_state *state, const tumble_distance_result *result, PyObject *pairs)
{
    if (!state->distance_type) {
        PyObject *module = PyImport_ImportModule("tumble._results");
        state->distance_type = module ? PyObject_GetAttrString(module, "Distance") : NULL;
        Py_XDECREF(module);
        if (!state->distance_type) {
            return NULL;
        }
    }
    PyTypeObject *type = (PyTypeObject *)state->distance_type;
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate(type, 0);
    if (self) {
        distance_data *data = data_of(self);
        data->nearest = result->nearest;
        data->answer = result->answer;
        data->lower = result->lower;
        data->upper = result->upper;
        data->penetration = result->penetration;
        data->undecided_count = result->undecided_count;
        data->is_complete = result->is_complete;
        data->pairs = Py_XNewRef(pairs);
    }
    return self;
}

/* From pickle: the values of all attributes, in their order. */
static int read_points(binding_state *state, PyObject *points, tumble_near *nearest)
{
    binding_array array;
    if (binding_array_get(state, points, "points", BINDING_DOUBLES, true, &array)) {
        return -1;
    }
    const bool is_right = array.item_count == 6;
    if (is_right) {
        memcpy(nearest->point_a, array.data, sizeof nearest->point_a);
        memcpy(nearest->point_b, (const double *)array.data + 3, sizeof nearest->point_b);
    } else {
        PyErr_SetString(PyExc_ValueError, "points: expected shape (2, 3)");
    }
    binding_array_release(&array);
    return is_right ? 0 : -1;
}

static PyObject *distance_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"value",       "points",          "polygons", "lower", "upper", "answer",
                            "penetration", "undecided_count", "complete", "pairs", NULL};
    binding_state *state = binding_state_of_type(type);
    distance_data d;
    memset(&d, 0, sizeof d);
    PyObject *points, *polygons, *pairs;
    unsigned int a = 0, b = 0, answer;
    unsigned long long undecided;
    int complete;
    if (!state || !PyArg_ParseTupleAndKeywords(arguments, keywords, "dOOddIdKpO:Distance", names, &d.nearest.distance,
                                               &points, &polygons, &d.lower, &d.upper, &answer, &d.penetration,
                                               &undecided, &complete, &pairs)) {
        return NULL;
    }
    if (answer > TUMBLE_MAYBE ||
        (answer == TUMBLE_YES && (!PyTuple_Check(polygons) || !PyArg_ParseTuple(polygons, "II:polygons", &a, &b) ||
                                  read_points(state, points, &d.nearest)))) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "not the attributes of a Distance");
        }
        return NULL;
    }
    d.nearest.polygon_a = a;
    d.nearest.polygon_b = b;
    d.answer = (tumble_answer)answer;
    d.undecided_count = undecided;
    d.is_complete = complete != 0;
    d.pairs = pairs == Py_None ? NULL : Py_NewRef(pairs);
    allocfunc allocate = PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = allocate(type, 0);
    if (self) {
        *data_of(self) = d;
    } else {
        Py_XDECREF(d.pairs);
    }
    return self;
}

static void distance_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(data_of(self)->points);
    Py_XDECREF(data_of(self)->pairs);
    freefunc release = PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- Attributes ---- */

static PyObject *get_value(PyObject *self, void *closure)
{
    (void)closure;
    const distance_data *d = data_of(self);
    return PyFloat_FromDouble(d->answer == TUMBLE_YES ? d->nearest.distance : Py_HUGE_VAL);
}

static PyObject *get_points(PyObject *self, void *closure)
{
    (void)closure;
    distance_data *d = data_of(self);
    if (d->answer != TUMBLE_YES) {
        Py_RETURN_NONE;
    }
    if (!d->points) {
        double points[2][3];
        memcpy(points[0], d->nearest.point_a, sizeof points[0]);
        memcpy(points[1], d->nearest.point_b, sizeof points[1]);
        binding_state *state = binding_state_of_object(self);
        d->points = state ? binding_array_of(state, BINDING_FLOAT64, 2, (const Py_ssize_t[]){2, 3}, points) : NULL;
    }
    return Py_XNewRef(d->points);
}

static PyObject *get_polygons(PyObject *self, void *closure)
{
    (void)closure;
    const distance_data *d = data_of(self);
    if (d->answer != TUMBLE_YES) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(kk)", (unsigned long)d->nearest.polygon_a, (unsigned long)d->nearest.polygon_b);
}

static PyObject *get_answer(PyObject *self, void *closure)
{
    (void)closure;
    binding_state *state = binding_state_of_object(self);
    PyObject *type = state ? binding_result_class(state, "Answer") : NULL;
    PyObject *answer = type ? PyObject_CallFunction(type, "i", (int)data_of(self)->answer) : NULL;
    Py_XDECREF(type);
    return answer;
}

/* Where the numbers are that get_double reads. */
static size_t lower_at = offsetof(distance_data, lower), upper_at = offsetof(distance_data, upper),
              penetration_at = offsetof(distance_data, penetration);

static PyObject *get_double(PyObject *self, void *closure)
{
    double value;
    memcpy(&value, (const char *)data_of(self) + *(const size_t *)closure, sizeof value);
    return PyFloat_FromDouble(value);
}

static PyObject *get_undecided_count(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(data_of(self)->undecided_count);
}

static PyObject *get_complete(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(data_of(self)->is_complete);
}

static PyObject *get_pairs(PyObject *self, void *closure)
{
    (void)closure;
    PyObject *pairs = data_of(self)->pairs;
    return Py_NewRef(pairs ? pairs : Py_None);
}

static PyGetSetDef attributes[] = {
    {"value", get_value, NULL, "The distance; infinity if nothing is near enough.", NULL},
    {"points", get_points, NULL, "The nearest points, (2, 3), or None.", NULL},
    {"polygons", get_polygons, NULL, "Their polygons, or None.", NULL},
    {"lower", get_double, NULL, "It is at least this.", &lower_at},
    {"upper", get_double, NULL, "It is at most this.", &upper_at},
    {"answer", get_answer, NULL, "Whether it is within reach: a tumble.Answer.", NULL},
    {"penetration", get_double, NULL, "What was not compared interpenetrates by at most this.", &penetration_at},
    {"undecided_count", get_undecided_count, NULL, "Pairs of parts that were not compared.", NULL},
    {"complete", get_complete, NULL, "The budget has not run out.", NULL},
    {"pairs", get_pairs, NULL, "All nearest pairs, if they were asked for.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyObject *reduce(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    PyObject *values = PyTuple_New(10);
    for (Py_ssize_t i = 0; values && i < 10; i++) {
        PyObject *value = PyObject_GetAttrString(self, attributes[i].name);
        if (!value) {
            Py_CLEAR(values);
        } else {
            PyTuple_SetItem(values, i, value);
        }
    }
    PyObject *result = values ? PyTuple_Pack(2, (PyObject *)Py_TYPE(self), values) : NULL;
    Py_XDECREF(values);
    return result;
}

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"What tumble.Distance is made of."},
    {Py_tp_new, distance_new},
    {Py_tp_dealloc, distance_free},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "tumble._tumble.DistanceBase",
    .basicsize = sizeof(distance_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};

static int add(PyObject *module, binding_state *state)
{
    (void)state;
    return binding_add_type(module, BINDING_TYPE_DISTANCE, &spec, NULL);
}

const binding_part binding_distances = {.name = "distances", .add = add};
