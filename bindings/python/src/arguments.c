/* Arguments by position and keyword, and the values of simple ones. */
#include <math.h>
#include <string.h>

#include "binding.h"

static Py_ssize_t place_of(const char *const *names, PyObject *keyword)
{
    for (Py_ssize_t i = 0; names[i]; i++) {
        if (PyUnicode_CompareWithASCIIString(keyword, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static int take_keyword(const char *function, const char *const *names, PyObject *keyword, PyObject *value,
                        PyObject **out)
{
    const Py_ssize_t place = place_of(names, keyword);
    if (place < 0) {
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function, keyword);
        return -1;
    }
    if (out[place]) {
        PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%s'", function, names[place]);
        return -1;
    }
    out[place] = value;
    return 0;
}

int binding_arguments(const char *function, const char *const *names, Py_ssize_t positional, Py_ssize_t required,
                      PyObject *const *arguments, Py_ssize_t count, PyObject *keywords, PyObject **out)
{
    if (count > positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %zd positional arguments (%zd given)", function, positional,
                     count);
        return -1;
    }
    for (Py_ssize_t i = 0; names[i]; i++) {
        out[i] = i < count ? arguments[i] : NULL;
    }
    const Py_ssize_t keyword_count = keywords ? PyTuple_Size(keywords) : 0;
    for (Py_ssize_t i = 0; i < keyword_count; i++) {
        if (take_keyword(function, names, PyTuple_GetItem(keywords, i), arguments[count + i], out)) {
            return -1;
        }
    }
    for (Py_ssize_t i = count; i < required; i++) {
        if (!out[i]) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s'", function, names[i]);
            return -1;
        }
    }
    return 0;
}

/* ---- Values ---- */

/* The exception that is set, with the argument's name in front. */
static int fail_value(const char *name, const char *expected, PyObject *object)
{
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Format(PyExc_TypeError, "%s: expected %s, not %R", name, expected, (PyObject *)Py_TYPE(object));
    } else if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Format(PyExc_ValueError, "%s: expected %s, not %R", name, expected, object);
    }
    return -1;
}

int binding_double(PyObject *object, const char *name, double *out)
{
    if (!object || object == Py_None) {
        return 0;
    }
    const double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred()) {
        return fail_value(name, "a number", object);
    }
    if (isnan(value)) {
        PyErr_Format(PyExc_ValueError, "%s: expected a number, not NaN", name);
        return -1;
    }
    *out = value;
    return 0;
}

int binding_size(PyObject *object, const char *name, uint64_t *out)
{
    if (!object || object == Py_None) {
        return 0;
    }
    PyObject *number = PyNumber_Index(object);
    if (!number) {
        return fail_value(name, "a non-negative integer", object);
    }
    const unsigned long long value = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        return fail_value(name, "a non-negative integer", object);
    }
    *out = value;
    return 0;
}

int binding_flag(PyObject *object, const char *name, bool *out)
{
    (void)name;
    if (!object || object == Py_None) {
        return 0;
    }
    const int value = PyObject_IsTrue(object);
    *out = value > 0;
    return value < 0 ? -1 : 0;
}

static int fail_word(PyObject *object, const char *name, const char *const *words, size_t count)
{
    char list[400] = "";
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(list);
        PyOS_snprintf(list + used, sizeof list - used, "%s'%s'", i ? ", " : "", words[i]);
    }
    PyErr_Format(PyExc_ValueError, "%s: expected one of %s, not %R", name, list, object);
    return -1;
}

int binding_word(PyObject *object, const char *name, const char *const *words, const int *numbers, size_t count,
                 int *out)
{
    if (!object || object == Py_None) {
        return 0;
    }
    if (PyLong_Check(object)) { /* an IntEnum */
        const long value = PyLong_AsLong(object);
        for (size_t i = 0; i < count; i++) {
            if (value == numbers[i]) {
                *out = numbers[i];
                return 0;
            }
        }
        PyErr_Clear();
        return fail_word(object, name, words, count);
    }
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s: expected a word, not %R", name, (PyObject *)Py_TYPE(object));
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        if (PyUnicode_CompareWithASCIIString(object, words[i]) == 0) {
            *out = numbers[i];
            return 0;
        }
    }
    return fail_word(object, name, words, count);
}

PyObject *binding_path(PyObject *object)
{
    PyObject *path = NULL;
    return PyUnicode_FSConverter(object, &path) ? path : NULL;
}
