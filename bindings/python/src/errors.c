/* A status of the library as an exception of Python. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "binding.h"

/* The class in tumble._types of each status; NULL: an exception of Python itself. */
static const char *const class_names[] = {
    [TUMBLE_ERROR_ARGUMENT] = "ArgumentError",   [TUMBLE_ERROR_NOT_FINITE] = "NotFiniteError",
    [TUMBLE_ERROR_INDEX] = "OutOfRangeError",    [TUMBLE_ERROR_POLYGON] = "PolygonError",
    [TUMBLE_ERROR_TOO_LARGE] = "TooLargeError",  [TUMBLE_ERROR_POSE] = "PoseError",
    [TUMBLE_ERROR_FORMAT] = "FormatError",       [TUMBLE_ERROR_UNSUPPORTED] = "UnsupportedError",
    [TUMBLE_ERROR_CANCELLED] = "CancelledError", [TUMBLE_ERROR_TIMEOUT] = "TimeoutError",
    [TUMBLE_ERROR_BUSY] = "BusyError",           [TUMBLE_ERROR_DEVICE] = "DeviceError",
};

/* The library says in words what the system said; the number selects FileNotFoundError, PermissionError, ... */
static int error_of_file(const char *path)
{
    struct stat facts;
    if (stat(path, &facts)) {
        return errno;
    }
    return S_ISDIR(facts.st_mode) ? EISDIR : 0;
}

/* Messages quote file names, which may be any bytes, and may be cut anywhere. */
static PyObject *text_of(const char *message)
{
    return PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
}

static PyObject *raise_file(PyObject *message, const char *path)
{
    const int number = path ? error_of_file(path) : 0;
    PyObject *file = path ? PyUnicode_DecodeFSDefault(path) : NULL;
    PyObject *error = NULL;
    if (file) {
        error = number ? PyObject_CallFunction(PyExc_OSError, "iOO", number, message, file)
                       : PyObject_CallFunction(PyExc_OSError, "O", message);
    } else if (!PyErr_Occurred()) {
        error = PyObject_CallFunction(PyExc_OSError, "O", message);
    }
    if (error) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    }
    Py_XDECREF(error);
    Py_XDECREF(file);
    return NULL;
}

static PyObject *raise_class(binding_state *state, tumble_status status, PyObject *message)
{
    const bool is_known = status > 0 && (size_t)status < sizeof class_names / sizeof class_names[0];
    const char *name = is_known && class_names[status] ? class_names[status] : "Error";
    PyObject *type = binding_result_class(state, name);
    if (type) {
        PyErr_SetObject(type, message);
        Py_DECREF(type);
    }
    return NULL;
}

PyObject *binding_raise(binding_state *state, tumble_status status, const char *message, const char *path)
{
    PyObject *text = text_of(message && message[0] ? message : tumble_status_text(status));
    if (!text) {
        return NULL;
    }
    if (status == TUMBLE_ERROR_MEMORY) {
        PyErr_SetObject(PyExc_MemoryError, text);
    } else if (status == TUMBLE_ERROR_FILE) {
        raise_file(text, path);
    } else {
        raise_class(state, status, text);
    }
    Py_DECREF(text);
    return NULL;
}

PyObject *binding_raise_last(binding_state *state, tumble_status status, const char *path)
{
    char message[600];
    const tumble_status last = tumble_last_error(state->context, message, sizeof message);
    return binding_raise(state, status, last == status ? message : "", path);
}
