/* Functions of poses: making, composing, inverting, applying them. */
#include <string.h>

#include "binding.h"

static int read_vector(binding_state *state, PyObject *object, const char *name, Py_ssize_t length, double *out)
{
    binding_array array;
    if (!object || object == Py_None) {
        return 0;
    }
    if (binding_array_get(state, object, name, BINDING_DOUBLES, false, &array)) {
        return -1;
    }
    const bool is_right = array.dimension_count == 1 && array.shape[0] == length;
    if (is_right) {
        memcpy(out, array.data, (size_t)length * sizeof *out);
    } else {
        PyErr_Format(PyExc_ValueError, "%s: expected %zd numbers", name, length);
    }
    binding_array_release(&array);
    return is_right ? 0 : -1;
}

static tumble_status make_pose(binding_state *state, PyObject *const *values, const double position[3],
                               const double quaternion[4], const double axis[3], double angle, double scale,
                               tumble_pose *out)
{
    return values[2] && values[2] != Py_None
               ? tumble_pose_from_axis_angle(state->context, axis, angle, scale, position, out)
               : tumble_pose_from_quaternion(state->context, quaternion, scale, position, out);
}

static PyObject *pose(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"position", "quaternion", "axis", "angle", "scale", NULL};
    binding_state *state = binding_state_of(module);
    PyObject *values[5];
    double position[3] = {0, 0, 0}, quaternion[4] = {1, 0, 0, 0}, axis[3] = {0, 0, 1}, angle = 0, scale = 1;
    if (binding_arguments("pose", names, 2, 0, arguments, count, keywords, values) ||
        read_vector(state, values[0], "position", 3, position) ||
        read_vector(state, values[1], "quaternion", 4, quaternion) || read_vector(state, values[2], "axis", 3, axis) ||
        binding_double(values[3], "angle", &angle) || binding_double(values[4], "scale", &scale)) {
        return NULL;
    }
    if (values[1] && values[1] != Py_None && values[2] && values[2] != Py_None) {
        PyErr_SetString(PyExc_ValueError, "pose() takes a quaternion or an axis, not both");
        return NULL;
    }
    tumble_pose made;
    const tumble_status status = make_pose(state, values, position, quaternion, axis, angle, scale, &made);
    return status == TUMBLE_OK ? binding_pose_array(state, &made) : binding_raise_last(state, status, NULL);
}

/* A pose that is valid, as the functions of poses need. */
static int read_pose(binding_state *state, PyObject *object, const char *name, tumble_pose *out)
{
    *out = tumble_pose_identity();
    if (binding_pose(state, object, name, out) < 0) {
        return -1;
    }
    const tumble_status status = tumble_pose_check(state->context, out);
    if (status != TUMBLE_OK) {
        binding_raise_last(state, status, NULL);
        return -1;
    }
    return 0;
}

static PyObject *combine(PyObject *module, const char *function, const char *const *names, PyObject *const *arguments,
                         Py_ssize_t count, PyObject *keywords,
                         tumble_pose (*operation)(const tumble_pose *, const tumble_pose *))
{
    binding_state *state = binding_state_of(module);
    PyObject *values[2];
    tumble_pose first, second;
    if (binding_arguments(function, names, 2, 2, arguments, count, keywords, values) ||
        read_pose(state, values[0], names[0], &first) || read_pose(state, values[1], names[1], &second)) {
        return NULL;
    }
    const tumble_pose result = operation(&first, &second);
    return binding_pose_array(state, &result);
}

static PyObject *compose(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"outer", "inner", NULL};
    return combine(module, "compose", names, arguments, count, keywords, tumble_pose_compose);
}

static PyObject *relative(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"pose_a", "pose_b", NULL};
    return combine(module, "relative", names, arguments, count, keywords, tumble_pose_relative);
}

static PyObject *inverse(PyObject *module, PyObject *argument)
{
    binding_state *state = binding_state_of(module);
    tumble_pose given;
    if (read_pose(state, argument, "pose", &given)) {
        return NULL;
    }
    const tumble_pose result = tumble_pose_inverse(&given);
    return binding_pose_array(state, &result);
}

static PyObject *scale_of(PyObject *module, PyObject *argument)
{
    tumble_pose given;
    return read_pose(binding_state_of(module), argument, "pose", &given)
               ? NULL
               : PyFloat_FromDouble(tumble_pose_scale(&given));
}

static PyObject *apply(PyObject *module, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"pose", "points", NULL};
    binding_state *state = binding_state_of(module);
    PyObject *values[2];
    tumble_pose given;
    binding_array points;
    if (binding_arguments("apply", names, 2, 2, arguments, count, keywords, values) ||
        read_pose(state, values[0], "pose", &given) ||
        binding_array_get(state, values[1], "points", BINDING_DOUBLES, false, &points)) {
        return NULL;
    }
    PyObject *result = NULL;
    void *data = NULL;
    if (points.shape[points.dimension_count - 1] != 3) {
        PyErr_SetString(PyExc_ValueError, "points: expected an array of shape (3,) or (n, 3)");
    } else {
        result = binding_new_array(state, BINDING_FLOAT64, points.dimension_count, points.shape, &data);
    }
    for (size_t i = 0; result && i < points.item_count / 3; i++) {
        tumble_pose_apply(&given, (const double *)points.data + 3 * i, (double *)data + 3 * i);
    }
    binding_array_release(&points);
    return result;
}

#define FUNCTION(name, function, text)                                                   \
    {                                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, text \
    }

static PyMethodDef functions[] = {
    FUNCTION("pose", pose,
             "pose(position=(0, 0, 0), quaternion=(1, 0, 0, 0), *, axis=None, angle=0.0, scale=1.0)\n--\n\n"
             "A pose as an array of shape (3, 4): rotates by a quaternion (w, x, y, z), or by an angle in radians\n"
             "about an axis, then scales, then moves.\n\n"
             ">>> import tumble\n"
             ">>> tumble.pose((1, 2, 3)).tolist()\n"
             "[[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 1.0, 3.0]]\n"),
    FUNCTION("compose", compose, "compose(outer, inner)\n--\n\nFirst inner, then outer."),
    FUNCTION("relative", relative,
             "relative(pose_a, pose_b)\n--\n\nThe pose of B in the frame of A: inverse(pose_a) after pose_b."),
    FUNCTION("apply", apply, "apply(pose, points)\n--\n\nMoves points, (3,) or (n, 3), exactly as the library does."),
    {"inverse", inverse, METH_O, "inverse(pose, /)\n--\n\nThe pose that undoes another."},
    {"scale_of", scale_of, METH_O, "scale_of(pose, /)\n--\n\nThe scale of a pose, which is checked on the way."},
    {NULL, NULL, 0, NULL},
};

const binding_part binding_poses = {.name = "poses", .functions = functions};
