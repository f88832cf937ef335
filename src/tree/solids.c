/* Models of simple solids: points, segments and boxes with a radius, and cylinders. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/context.h"
#include "math/vec3.h"
#include "tumble/model.h"

static tumble_status create(tumble_context *context, tumble_mesh mesh, double radius,
                            const tumble_model_options *options, tumble_model **out)
{
    tumble_model_options own = options ? *options : tumble_default_model_options();
    own.radius = radius;
    return tumble_model_create(context, &mesh, &own, out);
}

/* `polygons` with three corners each. */
static tumble_mesh mesh_of(const double *points, size_t point_count, const uint32_t *corners, size_t polygons)
{
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points;
    mesh.point_count = point_count;
    mesh.indices = corners;
    mesh.index_count = 3 * polygons;
    return mesh;
}

static tumble_status check(tumble_context *context, int has_all, tumble_model **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!has_all || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "a point, the radii or the result is null");
    }
    *out = NULL;
    return TUMBLE_OK;
}

tumble_status tumble_model_create_ball(tumble_context *context, const double centre[3], double radius,
                                       const tumble_model_options *options, tumble_model **out)
{
    static const uint32_t corners[3] = {0, 0, 0};
    const tumble_status status = check(context, centre != NULL, out);
    return status == TUMBLE_OK ? create(context, mesh_of(centre, 1, corners, 1), radius, options, out) : status;
}

tumble_status tumble_model_create_capsule(tumble_context *context, const double a[3], const double b[3], double radius,
                                          const tumble_model_options *options, tumble_model **out)
{
    static const uint32_t corners[3] = {0, 1, 1};
    const tumble_status status = check(context, a && b, out);
    if (status != TUMBLE_OK || !a || !b) {
        return status;
    }
    const double ends[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    return create(context, mesh_of(ends, 2, corners, 1), radius, options, out);
}

tumble_status tumble_model_create_box(tumble_context *context, const double lower[3], const double upper[3],
                                      double radius, const tumble_model_options *options, tumble_model **out)
{
    /* point i has the upper coordinate k where bit k of i is set; outward */
    static const uint32_t corners[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                         2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    const tumble_status status = check(context, lower && upper, out);
    if (status != TUMBLE_OK || !lower || !upper) {
        return status;
    }
    double points[24];
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) {
            points[3 * i + k] = i >> k & 1 ? upper[k] : lower[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        if (lower[k] > upper[k]) {
            return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "box: its %c goes from %g to %g", "xyz"[k], lower[k],
                            upper[k]);
        }
    }
    return create(context, mesh_of(points, 8, corners, 12), radius, options, out);
}

/* Polygon i has the corners i, then twice i + step. */
static tumble_status create_chain(tumble_context *context, tumble_mesh mesh, size_t polygons, uint32_t step,
                                  double radius, const tumble_model_options *options, tumble_model **out)
{
    uint32_t *corners = tmb_allocate(context, 3 * polygons, sizeof *corners);
    if (!corners) {
        return tmb_fail_memory(context, "the corners of a model");
    }
    for (size_t i = 0; i < polygons; i++) {
        corners[3 * i] = (uint32_t)i;
        corners[3 * i + 1] = corners[3 * i + 2] = (uint32_t)i + step;
    }
    mesh.indices = corners;
    const tumble_status status = create(context, mesh, radius, options, out);
    tmb_release(context, corners);
    return status;
}

static tumble_status check_count(tumble_context *context, size_t count)
{
    return count < UINT32_MAX / 3
               ? TUMBLE_OK
               : tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "%zu points are more than a model can have", count);
}

tumble_status tumble_model_create_polyline(tumble_context *context, const double *points, size_t count, double radius,
                                           const tumble_model_options *options, tumble_model **out)
{
    tumble_status status = check(context, points || count == 0, out);
    status = status == TUMBLE_OK ? check_count(context, count) : status;
    if (status != TUMBLE_OK) {
        return status;
    }
    const size_t polygons = count > 1 ? count - 1 : count;
    return create_chain(context, mesh_of(points, count, NULL, polygons), polygons, count > 1, radius, options, out);
}

tumble_status tumble_model_create_balls(tumble_context *context, const double *centres, const double *radii,
                                        size_t count, const tumble_model_options *options, tumble_model **out)
{
    tumble_status status = check(context, (centres && radii) || count == 0, out);
    status = status == TUMBLE_OK ? check_count(context, count) : status;
    if (status != TUMBLE_OK) {
        return status;
    }
    tumble_mesh mesh = mesh_of(centres, count, NULL, count);
    mesh.radii = radii;
    return create_chain(context, mesh, count, 0, 0, options, out);
}

tumble_status tumble_model_create_cylinder(tumble_context *context, const double from[3], const double to[3],
                                           double radius, const tumble_model_options *options, tumble_model **out)
{
    const tumble_status status = check(context, from && to, out);
    if (status != TUMBLE_OK || !from || !to) {
        return status;
    }
    if (tmb_compare_numbers(from, to, 3) == 0) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "cylinder: both ends are (%g, %g, %g), so it has no axis",
                        from[0], from[1], from[2]);
    }
    tumble_model_options own = options ? *options : tumble_default_model_options();
    own.flat_ends = true;
    return tumble_model_create_capsule(context, from, to, radius, &own, out);
}

/* Cylinder i has the corners 2 i, then twice 2 i + 1. */
static tumble_status create_cylinders(tumble_context *context, tumble_mesh mesh, size_t count,
                                      const tumble_model_options *options, tumble_model **out)
{
    uint32_t *corners = tmb_allocate(context, 3 * count, sizeof *corners);
    if (!corners) {
        return tmb_fail_memory(context, "the corners of a model");
    }
    for (size_t i = 0; i < count; i++) {
        corners[3 * i] = (uint32_t)(2 * i);
        corners[3 * i + 1] = corners[3 * i + 2] = (uint32_t)(2 * i + 1);
    }
    mesh.indices = corners;
    const tumble_status status = create(context, mesh, 0, options, out);
    tmb_release(context, corners);
    return status;
}

tumble_status tumble_model_create_cylinders(tumble_context *context, const double *ends, const double *radii,
                                            size_t count, const tumble_model_options *options, tumble_model **out)
{
    tumble_status status = check(context, (ends && radii) || count == 0, out);
    status = status == TUMBLE_OK ? check_count(context, count) : status;
    for (size_t i = 0; ends && i < count && status == TUMBLE_OK; i++) {
        if (tmb_compare_numbers(ends + 6 * i, ends + 6 * i + 3, 3) == 0) {
            status =
                tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "cylinder %zu: both ends are equal, so it has no axis", i);
        }
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    tumble_model_options own = options ? *options : tumble_default_model_options();
    own.flat_ends = true;
    tumble_mesh mesh = mesh_of(ends, 2 * count, NULL, count);
    mesh.radii = radii;
    return create_cylinders(context, mesh, count, &own, out);
}
