/* Rays through a model, and points inside it. */
#include <math.h>
#include <string.h>

#include "single.h"

/* ---- Rays ---- */

static const char *const ray_names[] = {"model", "origins", "directions", "pose", "mode", "t0", "t1", "threads", NULL};
enum {
    RAY_MODEL,
    RAY_ORIGINS,
    RAY_DIRECTIONS,
    RAY_POSE,
    RAY_MODE,
    RAY_T0,
    RAY_T1,
    RAY_THREADS,
    RAY_COUNT
};

typedef struct casting {
    binding_array origins, directions;
    size_t count;
    tumble_ray_options options;
    uint64_t *counts;   /* hits of each ray */
    binding_items hits; /* FIRST: one per ray; ALL: those of all rays */
} casting;

static void release_casting(casting *c)
{
    binding_array_release(&c->origins);
    binding_array_release(&c->directions);
    free(c->counts);
    free(c->hits.data);
}

static int get_rays(binding_state *state, PyObject *const *values, casting *c)
{
    if (binding_points_get(state, values[RAY_ORIGINS], "origins", &c->origins) ||
        binding_points_get(state, values[RAY_DIRECTIONS], "directions", &c->directions)) {
        return -1;
    }
    c->count = c->origins.item_count / 3;
    if (c->directions.item_count != c->origins.item_count) {
        PyErr_Format(PyExc_ValueError, "there are %zu origins, but %zu directions: give one for each", c->count,
                     c->directions.item_count / 3);
        return -1;
    }
    c->counts = calloc(c->count + 1, sizeof *c->counts);
    if (!c->counts) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

static tumble_status cast_block(binding_single *b, void *user, size_t first, size_t count)
{
    casting *c = user;
    tumble_ray_batch rays = tumble_default_ray_batch();
    tumble_ray_result result;
    rays.count = count;
    rays.origins = (const double *)c->origins.data + 3 * first;
    rays.directions = (const double *)c->directions.data + 3 * first;
    rays.hit_counts = c->counts + first;
    if (c->options.mode == TUMBLE_FIRST) {
        if (binding_items_add(&c->hits, NULL, count)) {
            return TUMBLE_ERROR_MEMORY;
        }
        rays.hits = (tumble_ray_hit *)(void *)c->hits.data + first;
    }
    const tumble_status status =
        tumble_rays(b->idle->query, b->model->model, b->has_pose ? &b->pose : NULL, &rays, &c->options, &result);
    const bool has_list = status == TUMBLE_OK && c->options.mode == TUMBLE_ALL;
    return has_list && binding_items_add(&c->hits, result.hits, (size_t)result.hit_count) ? TUMBLE_ERROR_MEMORY
                                                                                          : status;
}

/* Columns of hits: t, polygons, sides, points. */
static PyObject *hits_object(binding_state *state, const tumble_ray_hit *hits, size_t count)
{
    static const binding_dtype types[4] = {BINDING_FLOAT64, BINDING_INT64, BINDING_UINT32, BINDING_FLOAT64};
    const Py_ssize_t shape[2] = {(Py_ssize_t)count, 3};
    void *data[4] = {NULL, NULL, NULL, NULL};
    PyObject *out[4] = {NULL, NULL, NULL, NULL}, *type = binding_result_class(state, "RayHits"), *result = NULL;
    bool is_made = type != NULL;
    for (int i = 0; i < 4 && is_made; i++) {
        out[i] = binding_new_array(state, types[i], i == 3 ? 2 : 1, shape, &data[i]);
        is_made = out[i] != NULL;
    }
    for (size_t i = 0; i < count && is_made; i++) {
        const bool is_hit = hits[i].polygon != TUMBLE_NO_POLYGON;
        ((double *)data[0])[i] = is_hit ? hits[i].t : (double)INFINITY;
        ((int64_t *)data[1])[i] = is_hit ? (int64_t)hits[i].polygon : -1;
        ((uint32_t *)data[2])[i] = (uint32_t)hits[i].side;
        for (size_t k = 0; k < 3; k++) {
            ((double *)data[3])[3 * i + k] = is_hit ? hits[i].point[k] : (double)NAN;
        }
    }
    if (is_made) {
        result = PyObject_CallFunction(type, "OOOO", out[0], out[1], out[2], out[3]);
    }
    for (int i = 0; i < 4; i++) {
        Py_XDECREF(out[i]);
    }
    Py_XDECREF(type);
    return result;
}

static PyObject *tests_array(binding_state *state, const uint64_t *counts, size_t count)
{
    const Py_ssize_t shape = (Py_ssize_t)count;
    void *data = NULL;
    PyObject *array = binding_new_array(state, BINDING_BOOL, 1, &shape, &data);
    for (size_t i = 0; array && i < count; i++) {
        ((bool *)data)[i] = counts[i] > 0;
    }
    return array;
}

static PyObject *rays_result(binding_state *state, const casting *c)
{
    const Py_ssize_t shape = (Py_ssize_t)c->count;
    switch (c->options.mode) {
    case TUMBLE_TEST: return tests_array(state, c->counts, c->count);
    case TUMBLE_COUNT: return binding_array_of(state, BINDING_UINT64, 1, &shape, c->counts);
    case TUMBLE_FIRST: return hits_object(state, (const tumble_ray_hit *)(const void *)c->hits.data, c->count);
    default: break;
    }
    PyObject *starts = binding_starts(state, c->counts, c->count);
    PyObject *hits =
        starts ? hits_object(state, (const tumble_ray_hit *)(const void *)c->hits.data, c->hits.count) : NULL;
    PyObject *result = hits ? PyTuple_Pack(2, starts, hits) : NULL;
    Py_XDECREF(starts);
    Py_XDECREF(hits);
    return result;
}

static PyObject *cast(PyObject *self, PyObject *const *values, casting *c)
{
    binding_single b;
    if (get_rays(binding_state_of(self), values, c) ||
        binding_single_begin(&b, self, values[RAY_MODEL], values[RAY_POSE], values[RAY_THREADS])) {
        return NULL;
    }
    c->options.thread_count = binding_single_threads(&b);
    binding_single_run(&b, c->count, cast_block, c);
    return binding_single_end(&b) ? NULL : rays_result(b.state, c);
}

static PyObject *rays(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[RAY_COUNT];
    casting c = {.options = tumble_default_ray_options(), .hits.size = sizeof(tumble_ray_hit)};
    int mode = TUMBLE_FIRST;
    if (binding_arguments("rays", ray_names, 4, 3, arguments, count, keywords, values) ||
        binding_list_mode(values[RAY_MODE], &mode) || binding_double(values[RAY_T0], "t0", &c.options.t0) ||
        binding_double(values[RAY_T1], "t1", &c.options.t1)) {
        return NULL;
    }
    c.options.mode = (tumble_mode)mode;
    PyObject *result = cast(self, values, &c);
    release_casting(&c);
    return result;
}

/* ---- Points ---- */

static const char *const inside_names[] = {"model", "points", "pose", "rule", "threads", NULL};
enum {
    INSIDE_MODEL,
    INSIDE_POINTS,
    INSIDE_POSE,
    INSIDE_RULE,
    INSIDE_THREADS,
    INSIDE_COUNT
};

typedef struct locating {
    binding_array points;
    tumble_inside_options options;
    tumble_inside_answer *answers;
} locating;

static tumble_status locate_block(binding_single *b, void *user, size_t first, size_t count)
{
    locating *l = user;
    return tumble_inside(b->idle->query, b->model->model, b->has_pose ? &b->pose : NULL,
                         (const double *)l->points.data + 3 * first, count, &l->options, l->answers + first, NULL);
}

static PyObject *places_array(binding_state *state, const locating *l, size_t count)
{
    const Py_ssize_t shape = (Py_ssize_t)count;
    void *data = NULL;
    PyObject *array = binding_new_array(state, BINDING_UINT32, 1, &shape, &data);
    for (size_t i = 0; array && i < count; i++) {
        ((uint32_t *)data)[i] = (uint32_t)l->answers[i].place;
    }
    return array;
}

/* Columns of answers: places, windings, polygons. */
static PyObject *places_object(binding_state *state, const locating *l, size_t count)
{
    const Py_ssize_t shape = (Py_ssize_t)count;
    void *windings = NULL, *polygons = NULL;
    PyObject *a = places_array(state, l, count);
    PyObject *b = a ? binding_new_array(state, BINDING_INT64, 1, &shape, &windings) : NULL;
    PyObject *c = b ? binding_new_array(state, BINDING_INT64, 1, &shape, &polygons) : NULL;
    for (size_t i = 0; c && i < count; i++) {
        const uint32_t polygon = l->answers[i].polygon;
        ((int64_t *)windings)[i] = l->answers[i].winding;
        ((int64_t *)polygons)[i] = polygon == TUMBLE_NO_POLYGON ? -1 : (int64_t)polygon;
    }
    PyObject *type = c ? binding_result_class(state, "PointPlaces") : NULL;
    PyObject *result = type ? PyObject_CallFunction(type, "OOO", a, b, c) : NULL;
    Py_XDECREF(type);
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    return result;
}

typedef PyObject *located(binding_state *state, const locating *l, size_t count);

static PyObject *run_locate(PyObject *self, PyObject *const *values, locating *l, located *result)
{
    binding_single b;
    const size_t count = l->points.item_count / 3;
    l->answers = calloc(count + 1, sizeof *l->answers);
    if (!l->answers) {
        return PyErr_NoMemory();
    }
    if (binding_single_begin(&b, self, values[INSIDE_MODEL], values[INSIDE_POSE], values[INSIDE_THREADS])) {
        return NULL;
    }
    l->options.thread_count = binding_single_threads(&b);
    binding_single_run(&b, count, locate_block, l);
    return binding_single_end(&b) ? NULL : result(b.state, l, count);
}

static PyObject *locate_as(const char *name, located *made, PyObject *self, PyObject *const *arguments,
                           Py_ssize_t count, PyObject *keywords)
{
    static const char *const words[] = {"parity", "winding"};
    static const int numbers[] = {TUMBLE_INSIDE_PARITY, TUMBLE_INSIDE_WINDING};
    PyObject *values[INSIDE_COUNT];
    locating l = {.options = tumble_default_inside_options()};
    int rule = TUMBLE_INSIDE_PARITY;
    if (binding_arguments(name, inside_names, 3, 2, arguments, count, keywords, values) ||
        binding_word(values[INSIDE_RULE], "rule", words, numbers, 2, &rule) ||
        binding_points_get(binding_state_of(self), values[INSIDE_POINTS], "points", &l.points)) {
        return NULL;
    }
    l.options.rule = (tumble_inside_rule)rule;
    PyObject *result = run_locate(self, values, &l, made);
    binding_array_release(&l.points);
    free(l.answers);
    return result;
}

static PyObject *inside(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    return locate_as("inside", places_array, self, arguments, count, keywords);
}

static PyObject *locate(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    return locate_as("locate", places_object, self, arguments, count, keywords);
}

#define FUNCTION(name, function, text)                                                   \
    {                                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, text \
    }

static PyMethodDef functions[] = {
    FUNCTION(
        "rays", rays,
        "rays(model, origins, directions, pose=None, *, mode='first', t0=0.0, t1=None, threads=1)\n--\n\n"
        "Where rays hit, exactly: the points origin + t * direction with t from t0 to t1 (None: no end).\n\n"
        "mode: 'first' returns the closest hits as tumble.RayHits: t, polygons (-1: nothing is hit), sides and\n"
        "points, an item per ray; 'test' (n,) bool, 'count' (n,) uint64. 'all' returns (starts, hits): those of ray i\n"
        "are the items from starts[i] to starts[i + 1], in the order of t. threads: 0 is one per processor.\n\n"
        ">>> import tumble\n"
        ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
        "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
        ">>> hits = tumble.rays(tetrahedron, [[0.25, 0.25, 2], [5, 5, 5]], [[0, 0, -1], [0, 0, -1]])\n"
        ">>> hits.t.tolist(), hits.polygons.tolist()\n"
        "([1.5, inf], [2, -1])\n"
        ">>> starts, hits = tumble.rays(tetrahedron, [0.25, 0.25, 2], [0, 0, -1], mode='all')\n"
        ">>> hits.t.tolist(), starts.tolist()\n"
        "([1.5, 2.0], [0, 2])\n"),
    FUNCTION(
        "inside", inside,
        "inside(model, points, pose=None, *, rule='parity', threads=1)\n--\n\n"
        "Where points are, exactly: (n,) uint32, numbers of tumble.Place: OUTSIDE, INSIDE, ON_SURFACE, or\n"
        "UNDEFINED, if the model is open.\n\n"
        "rule: what is inside. 'parity': rays from there cross the surface an odd number of times; 'winding': the\n"
        "surface winds around it, so parts that overlap are one solid. threads: 0 is one per processor.\n\n"
        ">>> import tumble\n"
        ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
        "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
        ">>> tumble.inside(tetrahedron, [[0.1, 0.1, 0.1], [2, 2, 2], [0, 0, 0]]).tolist()\n"
        "[1, 0, 2]\n"),
    FUNCTION("locate", locate,
             "locate(model, points, pose=None, *, rule='parity', threads=1)\n--\n\n"
             "inside() with all details, as tumble.PointPlaces: places; windings, with rule='winding'; and polygons,\n"
             "the first one on which the point lies (-1: none)."),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_rays = {.name = "rays", .functions = functions};
