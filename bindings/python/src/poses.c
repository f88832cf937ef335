/* Poses of arguments: matrices of 3x4 or 4x4 numbers, or a position and a quaternion. */
#include <string.h>

#include "binding.h"

/* ---- From arrays ---- */

static int fail_shape(const char *name)
{
    PyErr_Format(PyExc_ValueError,
                 "%s: expected an array of shape (3, 4) or (4, 4), or the tuple (position, "
                 "quaternion) with shapes (3,) and (4,)",
                 name);
    return -1;
}

static int fail_shapes(const char *name)
{
    PyErr_Format(PyExc_ValueError,
                 "%s: expected an array of shape (n, 3, 4) or (n, 4, 4), or the tuple (positions, "
                 "quaternions) with shapes (n, 3) and (n, 4)",
                 name);
    return -1;
}

static int fail_row(binding_state *state, const char *name, size_t number)
{
    char message[200];
    PyOS_snprintf(message, sizeof message, "%.60s: the last row of 4x4 matrix %zu is not (0, 0, 0, 1)", name, number);
    binding_raise(state, TUMBLE_ERROR_POSE, message, NULL);
    return -1;
}

static int from_square(binding_state *state, const double *matrix, const char *name, size_t number, tumble_pose *out)
{
    if (matrix[12] != 0 || matrix[13] != 0 || matrix[14] != 0 || matrix[15] != 1) {
        return fail_row(state, name, number);
    }
    memcpy(out->m, matrix, sizeof out->m);
    return 0;
}

/* (n, 3) or (3,), and (n, 4) or (4,): the numbers of one argument. */
static int get_rows(binding_state *state, PyObject *object, const char *name, Py_ssize_t width, binding_array *out)
{
    if (binding_array_get(state, object, name, BINDING_DOUBLES, true, out)) {
        return -1;
    }
    if (out->dimension_count > 2 || out->shape[out->dimension_count - 1] != width) {
        PyErr_Format(PyExc_ValueError, "%s: expected an array of shape (%zd,) or (n, %zd)", name, width, width);
        binding_array_release(out);
        return -1;
    }
    return 0;
}

static int fail_quaternion(binding_state *state, tumble_status status, const char *name, size_t number, bool is_single)
{
    char message[600], subject[100];
    const tumble_status last = tumble_last_error(state->context, message, sizeof message);
    PyOS_snprintf(subject, sizeof subject, is_single ? "%.60s" : "%.60s: number %zu", name, number);
    binding_raise_pose(state, status, last == status ? message : "", subject);
    return -1;
}

static int from_quaternions(binding_state *state, const char *name, const double *positions, const double *quaternions,
                            size_t count, tumble_pose *out)
{
    for (size_t i = 0; i < count; i++) {
        const tumble_status status =
            tumble_pose_from_quaternion(state->context, quaternions + 4 * i, 1, positions + 3 * i, &out[i]);
        if (status != TUMBLE_OK) {
            return fail_quaternion(state, status, name, i, count == 1);
        }
    }
    return 0;
}

static int get_tuple(binding_state *state, PyObject *tuple, const char *name, binding_poses_view *out)
{
    binding_array positions, quaternions;
    if (get_rows(state, PyTuple_GetItem(tuple, 0), name, 3, &positions)) {
        return -1;
    }
    if (get_rows(state, PyTuple_GetItem(tuple, 1), name, 4, &quaternions)) {
        binding_array_release(&positions);
        return -1;
    }
    out->count = positions.item_count / 3;
    int result = -1;
    if (out->count != quaternions.item_count / 4) {
        PyErr_Format(PyExc_ValueError, "%s: %zu positions, but %zu quaternions", name, out->count,
                     quaternions.item_count / 4);
    } else if (!(out->copy = malloc(out->count ? out->count * sizeof *out->copy : 1))) {
        PyErr_NoMemory();
    } else {
        out->poses = out->copy;
        result = from_quaternions(state, name, positions.data, quaternions.data, out->count, out->copy);
    }
    binding_array_release(&positions);
    binding_array_release(&quaternions);
    return result;
}

static bool is_pair(PyObject *object)
{
    return PyTuple_Check(object) && PyTuple_Size(object) == 2;
}

/* The common case, without a copy of the buffer's description. */
static int get_plain(PyObject *object, tumble_pose *out)
{
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_ND | PyBUF_FORMAT)) {
        PyErr_Clear();
        return 0;
    }
    const bool is_plain = view.ndim == 2 && view.shape[0] == 3 && view.shape[1] == 4 && view.format &&
                          view.format[0] == 'd' && !view.format[1];
    if (is_plain) {
        memcpy(out->m, view.buf, sizeof out->m);
    }
    PyBuffer_Release(&view);
    return is_plain;
}

static int get_matrix(binding_state *state, PyObject *object, const char *name, tumble_pose *out)
{
    binding_array array;
    if (binding_array_get(state, object, name, BINDING_DOUBLES, false, &array)) {
        return -1;
    }
    int result = 0;
    if (array.dimension_count != 2 || array.shape[1] != 4 || (array.shape[0] != 3 && array.shape[0] != 4)) {
        result = fail_shape(name);
    } else if (array.shape[0] == 4) {
        result = from_square(state, array.data, name, 0, out);
    } else {
        memcpy(out->m, array.data, sizeof out->m);
    }
    binding_array_release(&array);
    return result;
}

int binding_pose(binding_state *state, PyObject *object, const char *name, tumble_pose *out)
{
    if (!object || object == Py_None) {
        return 0;
    }
    if (is_pair(object)) {
        binding_poses_view view = {.count = 0};
        int result = get_tuple(state, object, name, &view);
        if (result == 0 && view.count != 1) {
            result = fail_shape(name);
        }
        if (result == 0) {
            *out = view.poses[0];
        }
        binding_poses_release(&view);
        return result ? -1 : 1;
    }
    if (PyObject_CheckBuffer(object) && get_plain(object, out)) {
        return 1;
    }
    return get_matrix(state, object, name, out) ? -1 : 1;
}

static int copy_squares(binding_state *state, const char *name, binding_poses_view *out)
{
    out->copy = malloc(out->count ? out->count * sizeof *out->copy : 1);
    if (!out->copy) {
        PyErr_NoMemory();
        return -1;
    }
    const double *from = out->array.data;
    for (size_t i = 0; i < out->count; i++) {
        if (from_square(state, from + 16 * i, name, i, &out->copy[i])) {
            return -1;
        }
    }
    out->poses = out->copy;
    return 0;
}

static int get_matrices(binding_state *state, PyObject *object, const char *name, binding_poses_view *out)
{
    if (binding_array_get(state, object, name, BINDING_DOUBLES, false, &out->array)) {
        return -1;
    }
    const int dimensions = out->array.dimension_count;
    if (dimensions < 2) {
        return fail_shapes(name);
    }
    const Py_ssize_t *shape = out->array.shape + (dimensions - 2);
    out->count = dimensions == 2 ? 1 : (size_t)out->array.shape[0];
    if (shape[1] != 4 || (shape[0] != 3 && shape[0] != 4)) {
        return fail_shapes(name);
    }
    if (shape[0] == 4) {
        return copy_squares(state, name, out);
    }
    out->poses = out->array.data;
    return 0;
}

int binding_poses_get(binding_state *state, PyObject *object, const char *name, binding_poses_view *out)
{
    memset(out, 0, sizeof *out);
    if (!object || object == Py_None) {
        return 0;
    }
    const int result = is_pair(object) ? get_tuple(state, object, name, out) : get_matrices(state, object, name, out);
    if (result) {
        binding_poses_release(out);
    }
    return result;
}

void binding_poses_release(binding_poses_view *poses)
{
    binding_array_release(&poses->array);
    free(poses->copy);
    memset(poses, 0, sizeof *poses);
}

PyObject *binding_pose_array(binding_state *state, const tumble_pose *pose)
{
    return binding_array_of(state, BINDING_FLOAT64, 2, (const Py_ssize_t[]){3, 4}, pose);
}
