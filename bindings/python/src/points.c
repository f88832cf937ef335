/* Closest points of a model, and its polygons in boxes and balls. */
#include <math.h>
#include <string.h>

#include "single.h"

#define MOST_POLYGONS (SIZE_MAX / 4 / sizeof(tumble_closest))

/* ---- Closest points ---- */

static const char *const closest_names[] = {"model", "points", "pose", "count", "within", "signed", "threads", NULL};
enum {
    CLOSEST_MODEL,
    CLOSEST_POINTS,
    CLOSEST_POSE,
    CLOSEST_COUNT,
    CLOSEST_WITHIN,
    CLOSEST_SIGNED,
    CLOSEST_THREADS,
    CLOSEST_ARGUMENTS
};

enum {
    OUT_DISTANCES,
    OUT_POLYGONS,
    OUT_POINTS,
    OUT_LOWER,
    OUT_UPPER,
    OUT_COUNT
};

typedef struct closest_arrays {
    binding_array points;
    size_t count, each; /* of points, and of polygons for each */
    tumble_closest_options options;
    void *data[OUT_COUNT];
    PyObject *out[OUT_COUNT];
} closest_arrays;

static void release_arrays(closest_arrays *a)
{
    binding_array_release(&a->points);
    for (int i = 0; i < OUT_COUNT; i++) {
        Py_XDECREF(a->out[i]);
    }
}

/* (n,) for one polygon each, else (n, count); coordinates have one dimension more. */
static int make_outputs(binding_state *state, closest_arrays *a)
{
    const int dimensions = a->each == 1 ? 1 : 2;
    Py_ssize_t shape[3] = {(Py_ssize_t)a->count, (Py_ssize_t)a->each, 3};
    if (a->count > 0 && a->each > MOST_POLYGONS / a->count) {
        PyErr_SetString(PyExc_MemoryError, "count: there is no memory for so many polygons");
        return -1;
    }
    shape[dimensions] = 3;
    for (int i = 0; i < OUT_COUNT; i++) {
        a->out[i] = binding_new_array(state, i == OUT_POLYGONS ? BINDING_INT64 : BINDING_FLOAT64,
                                      dimensions + (i == OUT_POINTS), shape, &a->data[i]);
        if (!a->out[i]) {
            return -1;
        }
    }
    return 0;
}

static int get_arrays(binding_state *state, PyObject *points, uint64_t each, closest_arrays *a)
{
    a->each = a->options.count = (size_t)each;
    if (each == 0) {
        PyErr_SetString(PyExc_ValueError, "count: ask for one polygon at least");
        return -1;
    }
    if (binding_points_get(state, points, "points", &a->points)) {
        return -1;
    }
    a->count = a->points.item_count / 3;
    if (make_outputs(state, a)) {
        release_arrays(a);
        return -1;
    }
    return 0;
}

static void store(closest_arrays *a, size_t first, const tumble_closest *found, size_t count)
{
    double *distances = a->data[OUT_DISTANCES], *lower = a->data[OUT_LOWER], *upper = a->data[OUT_UPPER];
    double(*points)[3] = a->data[OUT_POINTS];
    int64_t *polygons = a->data[OUT_POLYGONS];
    for (size_t i = 0; i < count; i++) {
        const bool is_found = found[i].polygon != TUMBLE_NO_POLYGON;
        distances[first + i] = is_found ? found[i].distance : (double)INFINITY;
        lower[first + i] = is_found ? found[i].lower : (double)INFINITY;
        upper[first + i] = is_found ? found[i].upper : (double)INFINITY;
        polygons[first + i] = is_found ? (int64_t)found[i].polygon : -1;
        for (size_t k = 0; k < 3; k++) {
            points[first + i][k] = is_found ? found[i].point[k] : (double)NAN;
        }
    }
}

static tumble_status find_block(binding_single *b, void *user, size_t first, size_t count)
{
    closest_arrays *a = user;
    tumble_closest_result result;
    const tumble_status status =
        tumble_closest_points(b->idle->query, b->model->model, b->has_pose ? &b->pose : NULL,
                              (const double *)a->points.data + 3 * first, count, &a->options, &result);
    if (status == TUMBLE_OK) {
        store(a, first * a->each, result.closest, count * a->each);
    }
    return status;
}

static PyObject *run_closest(binding_single *b, closest_arrays *a)
{
    a->options.thread_count = binding_single_threads(b);
    binding_single_run(b, a->count, find_block, a);
    if (binding_single_end(b)) {
        return NULL;
    }
    PyObject *type = binding_result_class(b->state, "ClosestPoints");
    PyObject *result =
        type ? PyObject_CallFunction(type, "OOOOO", a->out[0], a->out[1], a->out[2], a->out[3], a->out[4]) : NULL;
    Py_XDECREF(type);
    return result;
}

static PyObject *closest(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[CLOSEST_ARGUMENTS], *result = NULL;
    closest_arrays a = {.options = tumble_default_closest_options()};
    uint64_t each = 1;
    binding_single b;
    if (binding_arguments("closest", closest_names, 3, 2, arguments, count, keywords, values) ||
        binding_size(values[CLOSEST_COUNT], "count", &each) ||
        binding_double(values[CLOSEST_WITHIN], "within", &a.options.within) ||
        binding_flag(values[CLOSEST_SIGNED], "signed", &a.options.want_sign) ||
        get_arrays(binding_state_of(self), values[CLOSEST_POINTS], each, &a)) {
        return NULL;
    }
    if (binding_single_begin(&b, self, values[CLOSEST_MODEL], values[CLOSEST_POSE], values[CLOSEST_THREADS]) == 0) {
        result = run_closest(&b, &a);
    }
    release_arrays(&a);
    return result;
}

/* ---- Boxes and balls ---- */

/* A solid: a ball about `centre`, or a box; and what to find. */
typedef struct solid {
    bool is_ball;
    int mode;
    double centre[3], radius;
    tumble_pose pose;
    double half[3];
} solid;

static tumble_status ask(binding_single *b, const solid *s, tumble_overlap_result *result)
{
    const tumble_pose *pose = b->has_pose ? &b->pose : NULL;
    tumble_overlap_options options = tumble_default_overlap_options();
    options.mode = (tumble_mode)s->mode;
    return s->is_ball
               ? tumble_overlap_sphere(b->idle->query, b->model->model, pose, s->centre, s->radius, &options, result)
               : tumble_overlap_box(b->idle->query, b->model->model, pose, &s->pose, s->half, &options, result);
}

/* The polygons are the query's, which is not given back yet. */
static PyObject *overlap_object(binding_state *state, int mode, const tumble_overlap_result *result)
{
    const Py_ssize_t shape = (Py_ssize_t)result->polygon_count;
    switch (mode) {
    case TUMBLE_TEST: return PyBool_FromLong(result->overlap);
    case TUMBLE_COUNT: return PyLong_FromUnsignedLongLong(result->polygon_count);
    case TUMBLE_FIRST: return result->overlap ? PyLong_FromUnsignedLong(result->first) : Py_NewRef(Py_None);
    default: return binding_array_of(state, BINDING_UINT32, 1, &shape, result->polygons);
    }
}

static PyObject *run_overlap(PyObject *self, PyObject *model, PyObject *pose, const solid *s)
{
    binding_single b;
    tumble_overlap_result result;
    if (binding_single_begin(&b, self, model, pose, NULL)) {
        return NULL;
    }
    binding_work_begin(&b.work);
    b.status = ask(&b, s, &result);
    binding_work_end(&b.work);
    PyObject *out = b.status == TUMBLE_OK ? overlap_object(b.state, s->mode, &result) : NULL;
    if (binding_single_end(&b)) {
        Py_CLEAR(out);
    }
    return out;
}

static PyObject *overlap_sphere(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"model", "centre", "radius", "pose", "mode", NULL};
    PyObject *values[5];
    solid s = {.is_ball = true, .mode = TUMBLE_ALL};
    if (binding_arguments("overlap_sphere", names, 4, 3, arguments, count, keywords, values) ||
        binding_three(binding_state_of(self), values[1], "centre", s.centre) ||
        binding_double(values[2], "radius", &s.radius) || binding_list_mode(values[4], &s.mode)) {
        return NULL;
    }
    return run_overlap(self, values[0], values[3], &s);
}

static PyObject *overlap_box(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"model", "half_extents", "box_pose", "pose", "mode", NULL};
    PyObject *values[5];
    solid s = {.pose = tumble_pose_identity(), .mode = TUMBLE_ALL};
    if (binding_arguments("overlap_box", names, 4, 2, arguments, count, keywords, values) ||
        binding_three(binding_state_of(self), values[1], "half_extents", s.half) ||
        binding_pose(binding_state_of(self), values[2], "box_pose", &s.pose) < 0 ||
        binding_list_mode(values[4], &s.mode)) {
        return NULL;
    }
    return run_overlap(self, values[0], values[3], &s);
}

/* ---- The functions ---- */

#define FUNCTION(name, function, text)                                                   \
    {                                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, text \
    }

#define TETRAHEDRON                                                                  \
    ">>> import tumble\n"                                                            \
    ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n" \
    "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"

static PyMethodDef functions[] = {
    FUNCTION(
        "closest", closest,
        "closest(model, points, pose=None, *, count=1, within=None, signed=False, threads=1)\n--\n\n"
        "The polygons of a model that are nearest to points, as tumble.ClosestPoints: distances, polygons (-1: "
        "none),\npoints, and proven bounds lower and upper of the distances, an item per point or, with count > 1, "
        "a row of\nso many. within: ignore what is farther. signed: distances inside a closed model are "
        "negative.\n\n" TETRAHEDRON ">>> found = tumble.closest(tetrahedron, [[0.25, 0.25, -2], [3, 0, 0]])\n"
        ">>> found.distances.tolist(), found.points.tolist()\n"
        "([2.0, 2.0], [[0.25, 0.25, 0.0], [1.0, 0.0, 0.0]])\n"),
    FUNCTION("overlap_sphere", overlap_sphere,
             "overlap_sphere(model, centre, radius, pose=None, *, mode='all')\n--\n\n"
             "The polygons of a model that meet a solid ball, exactly: their numbers, in order. mode: 'test' returns\n"
             "whether there is one, 'first' any of them or None, 'count' how many.\n\n" TETRAHEDRON
             ">>> tumble.overlap_sphere(tetrahedron, (0.25, 0.25, -1), 1).tolist()\n"
             "[0]\n"),
    FUNCTION("overlap_box", overlap_box,
             "overlap_box(model, half_extents, box_pose=None, pose=None, *, mode='all')\n--\n\n"
             "The polygons of a model that meet a solid box about the origin of box_pose, exactly: their numbers, in\n"
             "order. mode: as of overlap_sphere().\n\n" TETRAHEDRON
             ">>> tumble.overlap_box(tetrahedron, (0.125, 0.125, 0.125), tumble.pose((0.75, 0, 0))).tolist()\n"
             "[0, 1, 2]\n"),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_closest = {.name = "points", .functions = functions};
