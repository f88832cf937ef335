/* Rays, points, boxes and balls in scenes. Lists come as pairs: how many items there are for each ray or point, and the
 * bytes of the library's structures, which tumble/scene.py reads as columns. */
#include <string.h>

#include "scenes.h"
#include "single.h"

typedef struct asking {
    binding_state *state;
    binding_scene *scene;
    binding_array points, directions;
    size_t count, failed;
    unsigned int groups;
    tumble_ray_options ray;
    tumble_inside_options inside;
    tumble_closest_options closest;
    uint64_t *counts;
    binding_items items;
} asking;

static void release(asking *a)
{
    binding_array_release(&a->points);
    binding_array_release(&a->directions);
    free(a->counts);
    free(a->items.data);
}

/* ---- One ray or point after the other ---- */

typedef tumble_status answer_one(asking *a, size_t i);

static tumble_status keep(asking *a, size_t i, const void *items, size_t count)
{
    a->counts[i] = count;
    return binding_items_add(&a->items, items, items ? count : 0) ? TUMBLE_ERROR_MEMORY : TUMBLE_OK;
}

static tumble_status cast(asking *a, size_t i)
{
    tumble_scene_ray_result result;
    const tumble_status status =
        tumble_scene_ray(a->scene->query, a->scene->scene, a->groups, (const double *)a->points.data + 3 * i,
                         (const double *)a->directions.data + 3 * i, &a->ray, &result);
    if (status != TUMBLE_OK) {
        return status;
    }
    const tumble_scene_hit *hits = a->ray.mode == TUMBLE_ALL                   ? result.hits
                                   : a->ray.mode == TUMBLE_FIRST && result.hit ? &result.first
                                                                               : NULL;
    return keep(a, i, hits, (size_t)result.hit_count);
}

static tumble_status locate(asking *a, size_t i)
{
    const tumble_scene_place *places = NULL;
    size_t count = 0;
    const tumble_status status =
        tumble_scene_inside(a->scene->query, a->scene->scene, a->groups, (const double *)a->points.data + 3 * i,
                            &a->inside, &places, &count);
    return status == TUMBLE_OK ? keep(a, i, places, count) : status;
}

static tumble_status approach(asking *a, size_t i)
{
    tumble_scene_closest_result result;
    const tumble_status status = tumble_scene_closest_point(
        a->scene->query, a->scene->scene, a->groups, (const double *)a->points.data + 3 * i, &a->closest, &result);
    return status == TUMBLE_OK ? keep(a, i, result.closest, result.count) : status;
}

static tumble_status answer_all(asking *a, answer_one *answer, binding_work *work)
{
    for (size_t i = 0; i < a->count; i++) {
        const tumble_status status = answer(a, i);
        if (status != TUMBLE_OK) {
            a->failed = i;
            return status;
        }
        if (binding_work_look(work)) {
            break;
        }
    }
    return TUMBLE_OK;
}

static PyObject *fail(asking *a, tumble_status status)
{
    char message[600], text[700];
    if (!PyErr_Occurred()) {
        const bool is_last = tumble_last_error(a->state->context, message, sizeof message) == status;
        PyOS_snprintf(text, sizeof text, "number %zu: %.600s", a->failed,
                      is_last ? message : tumble_status_text(status));
        binding_raise(a->state, status, text, NULL);
    }
    binding_scene_end(a->state, a->scene);
    return NULL;
}

/* (counts, bytes of items) */
static PyObject *run(asking *a, PyObject *self, answer_one *answer)
{
    binding_work work;
    a->count = a->points.item_count / 3;
    a->counts = calloc(a->count + 1, sizeof *a->counts);
    if (!a->counts) {
        return PyErr_NoMemory();
    }
    a->scene = binding_scene_begin(a->state, self);
    if (!a->scene) {
        return NULL;
    }
    binding_work_begin(&work);
    const tumble_status status = answer_all(a, answer, &work);
    binding_work_end(&work);
    if (status != TUMBLE_OK || work.is_interrupted) {
        return fail(a, status);
    }
    binding_scene_end(a->state, a->scene);
    const Py_ssize_t shape = (Py_ssize_t)a->count;
    PyObject *counts = binding_array_of(a->state, BINDING_UINT64, 1, &shape, a->counts);
    return counts ? Py_BuildValue("Ny#", counts, a->items.data ? a->items.data : "",
                                  (Py_ssize_t)(a->items.count * a->items.size))
                  : NULL;
}

/* ---- Methods ---- */

static int get_directions(asking *a, PyObject *directions)
{
    if (binding_points_get(a->state, directions, "directions", &a->directions)) {
        return -1;
    }
    if (a->directions.item_count != a->points.item_count) {
        PyErr_Format(PyExc_ValueError, "there are %zu origins, but %zu directions: give one for each",
                     a->points.item_count / 3, a->directions.item_count / 3);
        return -1;
    }
    return 0;
}

/* (origins, directions, mode, t0, t1, groups) */
PyObject *binding_scene_cast(PyObject *self, PyObject *arguments)
{
    asking a = {.state = binding_state_of_object(self),
                .ray = tumble_default_ray_options(),
                .items.size = sizeof(tumble_scene_hit)};
    PyObject *origins, *directions, *result = NULL;
    int mode;
    if (a.state &&
        PyArg_ParseTuple(arguments, "OOiddI:_cast", &origins, &directions, &mode, &a.ray.t0, &a.ray.t1, &a.groups) &&
        binding_points_get(a.state, origins, "origins", &a.points) == 0 && get_directions(&a, directions) == 0) {
        a.ray.mode = (tumble_mode)mode;
        result = run(&a, self, cast);
    }
    release(&a);
    return result;
}

/* (points, rule, groups) */
PyObject *binding_scene_locate(PyObject *self, PyObject *arguments)
{
    asking a = {.state = binding_state_of_object(self),
                .inside = tumble_default_inside_options(),
                .items.size = sizeof(tumble_scene_place)};
    PyObject *points, *result = NULL;
    int rule;
    if (a.state && PyArg_ParseTuple(arguments, "OiI:_locate", &points, &rule, &a.groups) &&
        binding_points_get(a.state, points, "points", &a.points) == 0) {
        a.inside.rule = (tumble_inside_rule)rule;
        result = run(&a, self, locate);
    }
    release(&a);
    return result;
}

/* (points, count, within, signed, groups) */
PyObject *binding_scene_approach(PyObject *self, PyObject *arguments)
{
    asking a = {.state = binding_state_of_object(self),
                .closest = tumble_default_closest_options(),
                .items.size = sizeof(tumble_scene_closest)};
    PyObject *points, *result = NULL;
    int is_signed;
    Py_ssize_t each;
    if (a.state &&
        PyArg_ParseTuple(arguments, "OndpI:_approach", &points, &each, &a.closest.within, &is_signed, &a.groups) &&
        binding_points_get(a.state, points, "points", &a.points) == 0) {
        a.closest.count = each < 0 ? 0 : (size_t)each;
        a.closest.want_sign = is_signed;
        result = run(&a, self, approach);
    }
    release(&a);
    return result;
}

/* ---- Boxes and balls ---- */

typedef struct solid {
    bool is_ball;
    double centre[3], radius, half[3];
    tumble_pose pose;
    tumble_scene_overlap_options options;
} solid;

/* (objects, firsts, counts, polygons), or whether there is one. */
static PyObject *overlaps_object(binding_state *state, const solid *s, const tumble_scene_overlap_result *result)
{
    if (s->options.mode == TUMBLE_TEST) {
        return PyBool_FromLong(result->overlap);
    }
    const Py_ssize_t count = (Py_ssize_t)result->object_count;
    Py_ssize_t total = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        total += result->objects[i].polygons ? (Py_ssize_t)result->objects[i].polygon_count : 0;
    }
    void *objects = NULL, *firsts = NULL, *counts = NULL, *polygons = NULL;
    PyObject *a = binding_new_array(state, BINDING_UINT64, 1, &count, &objects);
    PyObject *b = a ? binding_new_array(state, BINDING_UINT32, 1, &count, &firsts) : NULL;
    PyObject *c = b ? binding_new_array(state, BINDING_UINT64, 1, &count, &counts) : NULL;
    PyObject *d = c ? binding_new_array(state, BINDING_UINT32, 1, &total, &polygons) : NULL;
    uint32_t *next = polygons;
    for (Py_ssize_t i = 0; d && i < count; i++) {
        const tumble_scene_overlap *overlap = &result->objects[i];
        ((tumble_object *)objects)[i] = overlap->object;
        ((uint32_t *)firsts)[i] = overlap->first;
        ((uint64_t *)counts)[i] = overlap->polygon_count;
        if (overlap->polygons) {
            memcpy(next, overlap->polygons, (size_t)overlap->polygon_count * sizeof *next);
            next += overlap->polygon_count;
        }
    }
    PyObject *out = d ? PyTuple_Pack(4, a, b, c, d) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    Py_XDECREF(d);
    return out;
}

static PyObject *overlap(binding_state *state, PyObject *self, const solid *what)
{
    binding_scene *s = binding_scene_begin(state, self);
    tumble_scene_overlap_result result;
    if (!s) {
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const tumble_status status =
        what->is_ball
            ? tumble_scene_overlap_sphere(s->query, s->scene, what->centre, what->radius, &what->options, &result)
            : tumble_scene_overlap_box(s->query, s->scene, &what->pose, what->half, &what->options, &result);
    PyEval_RestoreThread(thread);
    if (status != TUMBLE_OK) {
        return binding_scene_fail(state, s, status);
    }
    PyObject *out = overlaps_object(state, what, &result);
    binding_scene_end(state, s);
    return out;
}

/* (centre, radius, mode, groups) */
PyObject *binding_scene_overlap_sphere(PyObject *self, PyObject *arguments)
{
    binding_state *state = binding_state_of_object(self);
    solid s = {.is_ball = true, .options = tumble_default_scene_overlap_options()};
    PyObject *centre;
    unsigned int groups;
    int mode;
    if (!state || !PyArg_ParseTuple(arguments, "OdiI:_overlap_sphere", &centre, &s.radius, &mode, &groups) ||
        binding_three(state, centre, "centre", s.centre)) {
        return NULL;
    }
    s.options.mode = (tumble_mode)mode;
    s.options.groups = groups;
    return overlap(state, self, &s);
}

/* (half_extents, box_pose, mode, groups) */
PyObject *binding_scene_overlap_box(PyObject *self, PyObject *arguments)
{
    binding_state *state = binding_state_of_object(self);
    solid s = {.pose = tumble_pose_identity(), .options = tumble_default_scene_overlap_options()};
    PyObject *half, *pose;
    unsigned int groups;
    int mode;
    if (!state || !PyArg_ParseTuple(arguments, "OOiI:_overlap_box", &half, &pose, &mode, &groups) ||
        binding_three(state, half, "half_extents", s.half) || binding_pose(state, pose, "box_pose", &s.pose) < 0) {
        return NULL;
    }
    s.options.mode = (tumble_mode)mode;
    s.options.groups = groups;
    return overlap(state, self, &s);
}
