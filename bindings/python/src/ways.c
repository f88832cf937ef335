/* Motions and paths as arguments. */
#include "ways.h"

#include <string.h>

#include "single.h"

/* An attribute of a Motion; -1 with an exception. */
static int read_three(binding_state *state, PyObject *motion, const char *name, double out[3])
{
    PyObject *value = PyObject_GetAttrString(motion, name);
    const int error = value ? binding_three(state, value, name, out) : -1;
    Py_XDECREF(value);
    return error;
}

static int read_motion(binding_state *state, PyObject *object, tumble_motion *out)
{
    PyObject *pose = PyObject_GetAttrString(object, "pose"), *angle = NULL;
    *out = tumble_motion_still(NULL);
    int error = pose ? binding_pose(state, pose, "pose", &out->from) < 0 : -1;
    if (!error) {
        angle = PyObject_GetAttrString(object, "angle");
        error = angle ? binding_double(angle, "angle", &out->angle) : -1;
    }
    Py_XDECREF(pose);
    Py_XDECREF(angle);
    return error || read_three(state, object, "translation", out->translation) ||
                   read_three(state, object, "axis", out->axis) || read_three(state, object, "point", out->point)
               ? -1
               : 0;
}

static int is_of(binding_state *state, PyObject *object, const char *class)
{
    PyObject *type = binding_result_class(state, class);
    const int is = type ? PyObject_IsInstance(object, type) : -1;
    Py_XDECREF(type);
    return is;
}

static int read_piece(binding_state *state, PyObject *pieces, size_t i, const char *name, tumble_motion *out)
{
    PyObject *piece = PySequence_GetItem(pieces, (Py_ssize_t)i);
    const int is = piece ? is_of(state, piece, "Motion") : -1;
    if (is == 0) {
        PyErr_Format(PyExc_TypeError, "%s: piece %zu: expected a tumble.Motion, not %R", name, i, piece);
    }
    const int error = is == 1 ? read_motion(state, piece, out) : -1;
    Py_XDECREF(piece);
    return error;
}

static int read_times(binding_state *state, PyObject *object, const char *name, binding_way *out)
{
    PyObject *times = PyObject_GetAttrString(object, "times");
    binding_array array;
    int error = times ? 0 : -1;
    if (!error && times != Py_None) {
        error = binding_array_get(state, times, name, BINDING_DOUBLES, true, &array);
        if (!error && (array.dimension_count != 1 || array.item_count != out->count + 1)) {
            PyErr_Format(PyExc_ValueError, "%s: %zu pieces need %zu times, not %zu", name, out->count, out->count + 1,
                         array.item_count);
            binding_array_release(&array);
            error = -1;
        } else if (!error) {
            out->times = malloc((out->count + 1) * sizeof *out->times);
            if (out->times) {
                memcpy(out->times, array.data, (out->count + 1) * sizeof *out->times);
            } else {
                PyErr_NoMemory();
                error = -1;
            }
            binding_array_release(&array);
        }
    }
    Py_XDECREF(times);
    return error;
}

static int read_path(binding_state *state, PyObject *object, const char *name, binding_way *out)
{
    PyObject *pieces = PyObject_GetAttrString(object, "pieces");
    const Py_ssize_t count = pieces ? PySequence_Size(pieces) : -1;
    int error = count < 0 ? -1 : 0;
    out->is_path = true;
    out->count = count > 0 ? (size_t)count : 0;
    if (!error) {
        out->pieces = calloc(out->count + 1, sizeof *out->pieces);
        error = out->pieces ? 0 : -1;
        if (error) {
            PyErr_NoMemory();
        }
    }
    for (size_t i = 0; i < out->count && !error; i++) {
        error = read_piece(state, pieces, i, name, &out->pieces[i]);
    }
    Py_XDECREF(pieces);
    error = error ? error : read_times(state, object, name, out);
    if (error) {
        binding_way_release(out);
    }
    return error;
}

int binding_way_get(binding_state *state, PyObject *object, const char *name, binding_way *out)
{
    *out = (binding_way){.motion = tumble_motion_still(NULL)};
    if (!object || object == Py_None) {
        return 0;
    }
    const int is_motion = is_of(state, object, "Motion"), is_path = is_motion ? 0 : is_of(state, object, "Path");
    if (is_motion < 0 || is_path < 0) {
        return -1;
    }
    if (!is_motion && !is_path) {
        PyErr_Format(PyExc_TypeError, "%s: expected a tumble.Motion, a tumble.Path or None, not %R", name, object);
        return -1;
    }
    return is_path ? read_path(state, object, name, out) : read_motion(state, object, &out->motion);
}

void binding_way_release(binding_way *way)
{
    free(way->pieces);
    free(way->times);
    way->pieces = NULL;
    way->times = NULL;
}

tumble_path binding_way_path(const binding_way *way)
{
    return way->is_path ? (tumble_path){.pieces = way->pieces, .piece_count = way->count, .times = way->times}
                        : (tumble_path){.pieces = &way->motion, .piece_count = 1};
}
