/* Models of simple solids: balls, capsules, cylinders, boxes, cables. */
#include "model.h"
#include "single.h"

typedef struct solid {
    binding_state *state;
    binding_building building;
    double a[3], b[3], radius;
    binding_array points, radii;
} solid;

/* Arguments of a solid: `own` of them, then hierarchy, threads and tuning. */
static int begin(solid *s, PyObject *type, const char *function, const char *const *names, Py_ssize_t own,
                 Py_ssize_t required, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords,
                 PyObject **values)
{
    *s = (solid){.state = binding_state_of_type((PyTypeObject *)type)};
    if (!s->state || binding_arguments(function, names, own, required, arguments, count, keywords, values)) {
        return -1;
    }
    PyObject *const building[BINDING_BUILDING_COUNT] = {values[own], values[own + 1], NULL, values[own + 2], NULL};
    return binding_building_get(building, &s->building);
}

#define BUILDING_NAMES "hierarchy", "threads", "tuning", NULL
#define ARGUMENTS PyObject *type, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords

static PyObject *finish(solid *s, PyObject *type, binding_creator *create)
{
    PyObject *model = binding_build_by(s->state, (PyTypeObject *)type, create, s, &s->building);
    binding_array_release(&s->points);
    binding_array_release(&s->radii);
    return model;
}

static tumble_status make_ball(tumble_context *context, const void *source, const tumble_model_options *options,
                               tumble_model **out)
{
    const solid *s = source;
    return tumble_model_create_ball(context, s->a, s->radius, options, out);
}

PyObject *binding_solid_ball(ARGUMENTS)
{
    static const char *const names[] = {"centre", "radius", BUILDING_NAMES};
    PyObject *v[5];
    solid s;
    if (begin(&s, type, "ball", names, 2, 2, arguments, count, keywords, v) ||
        binding_three(s.state, v[0], "centre", s.a) || binding_double(v[1], "radius", &s.radius)) {
        return NULL;
    }
    return finish(&s, type, make_ball);
}

static tumble_status make_capsule(tumble_context *context, const void *source, const tumble_model_options *options,
                                  tumble_model **out)
{
    const solid *s = source;
    return tumble_model_create_capsule(context, s->a, s->b, s->radius, options, out);
}

/* Of a segment. */
static PyObject *build_around(const char *function, binding_creator *create, ARGUMENTS)
{
    static const char *const names[] = {"a", "b", "radius", BUILDING_NAMES};
    PyObject *v[6];
    solid s;
    if (begin(&s, type, function, names, 3, 3, arguments, count, keywords, v) ||
        binding_three(s.state, v[0], "a", s.a) || binding_three(s.state, v[1], "b", s.b) ||
        binding_double(v[2], "radius", &s.radius)) {
        return NULL;
    }
    return finish(&s, type, create);
}

PyObject *binding_solid_capsule(ARGUMENTS)
{
    return build_around("capsule", make_capsule, type, arguments, count, keywords);
}

static tumble_status make_cylinder(tumble_context *context, const void *source, const tumble_model_options *options,
                                   tumble_model **out)
{
    const solid *s = source;
    return tumble_model_create_cylinder(context, s->a, s->b, s->radius, options, out);
}

PyObject *binding_solid_cylinder(ARGUMENTS)
{
    return build_around("cylinder", make_cylinder, type, arguments, count, keywords);
}

static tumble_status make_box(tumble_context *context, const void *source, const tumble_model_options *options,
                              tumble_model **out)
{
    const solid *s = source;
    return tumble_model_create_box(context, s->a, s->b, s->radius, options, out);
}

PyObject *binding_solid_box(ARGUMENTS)
{
    static const char *const names[] = {"lower", "upper", "radius", BUILDING_NAMES};
    PyObject *v[6];
    solid s;
    if (begin(&s, type, "box", names, 3, 2, arguments, count, keywords, v) ||
        binding_three(s.state, v[0], "lower", s.a) || binding_three(s.state, v[1], "upper", s.b) ||
        binding_double(v[2], "radius", &s.radius)) {
        return NULL;
    }
    return finish(&s, type, make_box);
}

static tumble_status make_polyline(tumble_context *context, const void *source, const tumble_model_options *options,
                                   tumble_model **out)
{
    const solid *s = source;
    return tumble_model_create_polyline(context, s->points.data, s->points.item_count / 3, s->radius, options, out);
}

PyObject *binding_solid_polyline(ARGUMENTS)
{
    static const char *const names[] = {"points", "radius", BUILDING_NAMES};
    PyObject *v[5];
    solid s;
    if (begin(&s, type, "polyline", names, 2, 2, arguments, count, keywords, v) ||
        binding_double(v[1], "radius", &s.radius) || binding_points_get(s.state, v[0], "points", &s.points)) {
        return NULL;
    }
    return finish(&s, type, make_polyline);
}

static tumble_status make_balls(tumble_context *context, const void *source, const tumble_model_options *options,
                                tumble_model **out)
{
    const solid *s = source;
    return tumble_model_create_balls(context, s->points.data, s->radii.data, s->radii.item_count, options, out);
}

static int get_radii(solid *s, PyObject *radii, size_t count, const char *item)
{
    if (binding_array_get(s->state, radii, "radii", BINDING_DOUBLES, true, &s->radii)) {
        return -1;
    }
    if (s->radii.dimension_count == 1 && s->radii.item_count == count) {
        return 0;
    }
    binding_array_release(&s->radii);
    PyErr_Format(PyExc_ValueError, "radii: expected an array of %zu, one per %s", count, item);
    return -1;
}

PyObject *binding_solid_balls(ARGUMENTS)
{
    static const char *const names[] = {"centres", "radii", BUILDING_NAMES};
    PyObject *v[5];
    solid s;
    if (begin(&s, type, "balls", names, 2, 2, arguments, count, keywords, v) ||
        binding_points_get(s.state, v[0], "centres", &s.points)) {
        return NULL;
    }
    if (get_radii(&s, v[1], s.points.item_count / 3, "centre")) {
        binding_array_release(&s.points);
        return NULL;
    }
    return finish(&s, type, make_balls);
}

static tumble_status make_cylinders(tumble_context *context, const void *source, const tumble_model_options *options,
                                    tumble_model **out)
{
    const solid *s = source;
    return tumble_model_create_cylinders(context, s->points.data, s->radii.data, s->radii.item_count, options, out);
}

static int get_ends(solid *s, PyObject *ends)
{
    if (binding_array_get(s->state, ends, "ends", BINDING_DOUBLES, true, &s->points)) {
        return -1;
    }
    const binding_array *p = &s->points;
    if (p->dimension_count == 3 && p->shape[1] == 2 && p->shape[2] == 3) {
        return 0;
    }
    binding_array_release(&s->points);
    PyErr_SetString(PyExc_ValueError, "ends: expected an array of shape (n, 2, 3), both ends of each axis");
    return -1;
}

PyObject *binding_solid_cylinders(ARGUMENTS)
{
    static const char *const names[] = {"ends", "radii", BUILDING_NAMES};
    PyObject *v[5];
    solid s;
    if (begin(&s, type, "cylinders", names, 2, 2, arguments, count, keywords, v) || get_ends(&s, v[0])) {
        return NULL;
    }
    if (get_radii(&s, v[1], s.points.item_count / 6, "cylinder")) {
        binding_array_release(&s.points);
        return NULL;
    }
    return finish(&s, type, make_cylinders);
}
