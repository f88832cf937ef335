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

/* Python adds the name itself. */
static const char *without_path(const char *message, const char *path)
{
    const size_t length = strlen(path);
    const bool has_path = strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0;
    return has_path ? message + length + 2 : message;
}

static PyObject *raise_file(const char *message, const char *path)
{
    const int number = path ? error_of_file(path) : 0;
    PyObject *text = text_of(number ? without_path(message, path) : message);
    PyObject *file = text && number ? PyUnicode_DecodeFSDefault(path) : NULL;
    PyObject *error = NULL;
    if (text && number) {
        error = file ? PyObject_CallFunction(PyExc_OSError, "iOO", number, text, file) : NULL;
    } else if (text) {
        error = PyObject_CallFunction(PyExc_OSError, "O", text);
    }
    if (error) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    }
    Py_XDECREF(error);
    Py_XDECREF(file);
    Py_XDECREF(text);
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
    const char *words = message && message[0] ? message : tumble_status_text(status);
    if (status == TUMBLE_ERROR_FILE) {
        return raise_file(words, path);
    }
    PyObject *text = text_of(words);
    if (!text) {
        return NULL;
    }
    if (status == TUMBLE_ERROR_MEMORY) {
        PyErr_SetObject(PyExc_MemoryError, text);
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

PyObject *binding_raise_pose(binding_state *state, tumble_status status, const char *message, const char *subject)
{
    static const char start[] = "pose: ";
    char named[700];
    if (strncmp(message, start, sizeof start - 1) != 0) {
        return binding_raise(state, status, message, NULL);
    }
    PyOS_snprintf(named, sizeof named, "%.60s: %s", subject, message + sizeof start - 1);
    return binding_raise(state, status, named, NULL);
}
