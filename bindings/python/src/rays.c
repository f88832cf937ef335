/* Rays through a model, and points inside it. Batches go to the library block by block, so that Ctrl-C is seen. */
#include <math.h>
#include <string.h>

#include "single.h"

#define BLOCK 16384 /* rays, or points */

/* ---- Rays ---- */

static const char *const ray_names[] = {"model", "origins", "directions", "pose", "t0", "t1", "threads", NULL};
enum {
    RAY_MODEL,
    RAY_ORIGINS,
    RAY_DIRECTIONS,
    RAY_POSE,
    RAY_T0,
    RAY_T1,
    RAY_THREADS,
    RAY_COUNT
};

typedef struct ray_arrays {
    binding_array origins, directions;
    size_t count;
    double *t, *points;
    int64_t *polygons;
    uint32_t *sides;
    PyObject *out[4];
} ray_arrays;

static int make_outputs(binding_state *state, ray_arrays *a)
{
    const Py_ssize_t shape[2] = {(Py_ssize_t)a->count, 3};
    void *data[4] = {NULL, NULL, NULL, NULL};
    static const binding_dtype types[4] = {BINDING_FLOAT64, BINDING_INT64, BINDING_UINT32, BINDING_FLOAT64};
    for (int i = 0; i < 4; i++) {
        a->out[i] = binding_new_array(state, types[i], i == 3 ? 2 : 1, shape, &data[i]);
        if (!a->out[i]) {
            return -1;
        }
    }
    a->t = data[0], a->polygons = data[1], a->sides = data[2], a->points = data[3];
    return 0;
}

static void release_arrays(ray_arrays *a)
{
    binding_array_release(&a->origins);
    binding_array_release(&a->directions);
    for (int i = 0; i < 4; i++) {
        Py_XDECREF(a->out[i]);
    }
}

static int get_rays(binding_state *state, PyObject *const *values, ray_arrays *a)
{
    *a = (ray_arrays){.count = 0};
    if (binding_points_get(state, values[RAY_ORIGINS], "origins", &a->origins)) {
        return -1;
    }
    if (binding_points_get(state, values[RAY_DIRECTIONS], "directions", &a->directions)) {
        binding_array_release(&a->origins);
        return -1;
    }
    a->count = a->origins.item_count / 3;
    if (a->directions.item_count != a->origins.item_count) {
        PyErr_Format(PyExc_ValueError, "there are %zu origins, but %zu directions: give one for each", a->count,
                     a->directions.item_count / 3);
    } else if (make_outputs(state, a) == 0) {
        return 0;
    }
    release_arrays(a);
    return -1;
}

static void store_hits(ray_arrays *a, size_t first, const tumble_ray_hit *hits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const bool is_hit = hits[i].polygon != TUMBLE_NO_POLYGON;
        a->t[first + i] = is_hit ? hits[i].t : (double)INFINITY;
        a->polygons[first + i] = is_hit ? (int64_t)hits[i].polygon : -1;
        a->sides[first + i] = (uint32_t)hits[i].side;
        for (size_t k = 0; k < 3; k++) {
            a->points[3 * (first + i) + k] = is_hit ? hits[i].point[k] : (double)NAN;
        }
    }
}

static void cast_blocks(binding_single *b, ray_arrays *a, tumble_ray_options *options, tumble_ray_hit *hits)
{
    const double *origins = a->origins.data, *directions = a->directions.data;
    options->thread_count = binding_single_threads(b);
    for (size_t first = 0; first < a->count && b->status == TUMBLE_OK; first += BLOCK) {
        const size_t rest = a->count - first;
        tumble_ray_batch rays = tumble_default_ray_batch();
        tumble_ray_result result;
        rays.count = rest < BLOCK ? rest : BLOCK;
        rays.origins = origins + 3 * first, rays.directions = directions + 3 * first, rays.hits = hits;
        b->status =
            tumble_rays(b->idle->query, b->model->model, b->has_pose ? &b->pose : NULL, &rays, options, &result);
        if (b->status == TUMBLE_OK) {
            store_hits(a, first, hits, rays.count);
        }
        if (binding_work_look(&b->work)) {
            return;
        }
    }
}

static PyObject *run_rays(binding_single *b, ray_arrays *a, tumble_ray_options *options)
{
    tumble_ray_hit *hits = malloc(BLOCK * sizeof *hits);
    b->status = hits ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    binding_work_begin(&b->work);
    if (hits) {
        cast_blocks(b, a, options, hits);
    }
    binding_work_end(&b->work);
    free(hits);
    if (binding_single_end(b)) {
        return NULL;
    }
    PyObject *type = binding_result_class(b->state, "RayHits");
    PyObject *result = type ? PyObject_CallFunction(type, "OOOO", a->out[0], a->out[1], a->out[2], a->out[3]) : NULL;
    Py_XDECREF(type);
    return result;
}

static PyObject *rays(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[RAY_COUNT];
    tumble_ray_options options = tumble_default_ray_options();
    ray_arrays a;
    binding_single b;
    if (binding_arguments("rays", ray_names, 4, 3, arguments, count, keywords, values) ||
        binding_double(values[RAY_T0], "t0", &options.t0) || binding_double(values[RAY_T1], "t1", &options.t1) ||
        get_rays(binding_state_of(self), values, &a)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (binding_single_begin(&b, self, values[RAY_MODEL], values[RAY_POSE], values[RAY_THREADS]) == 0) {
        result = run_rays(&b, &a, &options);
    }
    release_arrays(&a);
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

static void locate_blocks(binding_single *b, const binding_array *points, const tumble_inside_options *options,
                          tumble_inside_answer *answers, uint32_t *places)
{
    const double *data = points->data;
    const size_t count = points->item_count / 3;
    for (size_t first = 0; first < count && b->status == TUMBLE_OK; first += BLOCK) {
        const size_t some = count - first < BLOCK ? count - first : BLOCK;
        b->status = tumble_inside(b->idle->query, b->model->model, b->has_pose ? &b->pose : NULL, data + 3 * first,
                                  some, options, answers, NULL);
        for (size_t i = 0; i < some && b->status == TUMBLE_OK; i++) {
            places[first + i] = (uint32_t)answers[i].place;
        }
        if (binding_work_look(&b->work)) {
            return;
        }
    }
}

static PyObject *run_inside(binding_single *b, const binding_array *points, tumble_inside_options *options)
{
    const Py_ssize_t count = (Py_ssize_t)(points->item_count / 3);
    void *places = NULL;
    PyObject *result = binding_new_array(b->state, BINDING_UINT32, 1, &count, &places);
    tumble_inside_answer *answers = result ? malloc(BLOCK * sizeof *answers) : NULL;
    options->thread_count = binding_single_threads(b);
    b->status = answers ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    binding_work_begin(&b->work);
    if (answers) {
        locate_blocks(b, points, options, answers, places);
    }
    binding_work_end(&b->work);
    free(answers);
    if (binding_single_end(b)) {
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *inside(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords)
{
    static const char *const words[] = {"parity", "winding"};
    static const int numbers[] = {TUMBLE_INSIDE_PARITY, TUMBLE_INSIDE_WINDING};
    PyObject *values[INSIDE_COUNT], *result = NULL;
    tumble_inside_options options = tumble_default_inside_options();
    binding_array points;
    binding_single b;
    int rule = TUMBLE_INSIDE_PARITY;
    if (binding_arguments("inside", inside_names, 3, 2, arguments, count, keywords, values) ||
        binding_word(values[INSIDE_RULE], "rule", words, numbers, 2, &rule) ||
        binding_points_get(binding_state_of(self), values[INSIDE_POINTS], "points", &points)) {
        return NULL;
    }
    options.rule = (tumble_inside_rule)rule;
    if (binding_single_begin(&b, self, values[INSIDE_MODEL], values[INSIDE_POSE], values[INSIDE_THREADS]) == 0) {
        result = run_inside(&b, &points, &options);
    }
    binding_array_release(&points);
    return result;
}

#define FUNCTION(name, function, text)                                                   \
    {                                                                                    \
        name, (PyCFunction)(void (*)(void))function, METH_FASTCALL | METH_KEYWORDS, text \
    }

static PyMethodDef functions[] = {
    FUNCTION(
        "rays", rays,
        "rays(model, origins, directions, pose=None, *, t0=0.0, t1=None, threads=1)\n--\n\n"
        "The closest hits of rays, the points origin + t * direction with t from t0 to t1 (None: no end), exactly, "
        "as\ntumble.RayHits: t, polygons (-1: nothing is hit), sides and points, an item per ray.\n\n"
        ">>> import tumble\n"
        ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
        "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
        ">>> hits = tumble.rays(tetrahedron, [[0.25, 0.25, 2], [5, 5, 5]], [[0, 0, -1], [0, 0, -1]])\n"
        ">>> hits.t.tolist(), hits.polygons.tolist()\n"
        "([1.5, inf], [2, -1])\n"),
    FUNCTION("inside", inside,
             "inside(model, points, pose=None, *, rule='parity', threads=1)\n--\n\n"
             "Where points are, exactly: an array of the numbers of tumble.Place, OUTSIDE, INSIDE, ON_SURFACE or "
             "UNDEFINED (the model is\nopen). rule: 'parity' or 'winding'.\n\n"
             ">>> import tumble\n"
             ">>> tetrahedron = tumble.Model([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
             "...                            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])\n"
             ">>> tumble.inside(tetrahedron, [[0.1, 0.1, 0.1], [2, 2, 2], [0, 0, 0]]).tolist()\n"
             "[1, 0, 2]\n"),
    {NULL, NULL, 0, NULL},
};

const binding_part binding_rays = {.name = "rays", .functions = functions};
