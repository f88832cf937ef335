/* Rays as they are given: checked, moved into the model's frame, and their hits as they are reported. */
#include "ray/cast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/pose.h"
#include "math/vec3.h"
#include "tree/radius.h"

tumble_ray_options tumble_default_ray_options(void)
{
    return (tumble_ray_options){.mode = TUMBLE_FIRST, .t0 = 0, .t1 = (double)INFINITY, .thread_count = 1};
}

tumble_ray_batch tumble_default_ray_batch(void)
{
    return (tumble_ray_batch){.count = 0};
}

tumble_ray_hit tmb_ray_no_hit(void)
{
    return (tumble_ray_hit){.polygon = TUMBLE_NO_POLYGON};
}

void tmb_ray_memory_release(tumble_context *context, tmb_ray_memory *memory)
{
    tmb_buffer_release(context, &memory->found);
    tmb_buffer_release(context, &memory->hits);
    memory->exact.arena.context = context; /* the model's may be gone */
    tmb_bigfloat_pool_release(&memory->exact);
}

/* ---- Checks ---- */

tumble_status tmb_ray_check_options(tumble_context *context, const tumble_ray_options *options)
{
    if ((unsigned)options->mode > TUMBLE_ALL) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                        "ray: mode %d is not TEST, FIRST, COUNT or ALL; surfaces are those of the polygons",
                        (int)options->mode);
    }
    if (!options->hits && options->hit_capacity > 0) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "ray: the array of hits is null, but its capacity is %zu",
                        options->hit_capacity);
    }
    return TUMBLE_OK;
}

tumble_status tmb_ray_check(tumble_context *context, const tmb_ray *ray, size_t number)
{
    char name[32] = "ray";
    if (number != SIZE_MAX) {
        snprintf(name, sizeof name, "ray %zu", number);
    }
    const double *o = ray->origin, *d = ray->direction;
    if (!tmb_all_finite(o, 3)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "%s: the origin (%g %g %g) is not finite", name, o[0], o[1],
                        o[2]);
    }
    if (!tmb_all_finite(d, 3)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "%s: the direction (%g %g %g) is not finite", name, d[0],
                        d[1], d[2]);
    }
    if (d[0] == 0 && d[1] == 0 && d[2] == 0) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s: the direction is 0: for a point, ask tumble_inside", name);
    }
    if (isnan(ray->first) || isnan(ray->last)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "%s: t0 or t1 is not a number", name);
    }
    if (ray->first > ray->last) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s: t0 = %g is larger than t1 = %g", name, ray->first,
                        ray->last);
    }
    return TUMBLE_OK;
}

tumble_status tmb_ray_check_radius(const tumble_model *model, double padding)
{
    const tumble_status status = tmb_refuse_padded_cylinders(model, padding);
    if (status != TUMBLE_OK) {
        return status;
    }
    return isfinite(model->radius + padding)
               ? TUMBLE_OK
               : tmb_fail(model->context, TUMBLE_ERROR_NOT_FINITE,
                          "the model's radius %g and that of its object, %g, have an infinite sum", model->radius,
                          padding);
}

/* ---- Frames ---- */

tumble_status tmb_ray_invert(tumble_context *context, const tumble_pose *pose, tumble_pose *room,
                             const tumble_pose **inverse)
{
    *inverse = NULL;
    if (!pose || tmb_pose_is_identity(pose)) {
        return TUMBLE_OK;
    }
    const tumble_status status = tumble_pose_check(context, pose);
    if (status != TUMBLE_OK) {
        return status;
    }
    *room = tumble_pose_inverse(pose);
    *inverse = room;
    return tmb_all_finite(room->m[0], 12)
               ? TUMBLE_OK
               : tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "the model's pose, of scale %g, has no inverse in doubles",
                          tumble_pose_scale(pose));
}

int tmb_ray_move(const tumble_pose *inverse, const tmb_ray *ray, tmb_ray *moved)
{
    *moved = *ray;
    if (!inverse) {
        return 1;
    }
    const double *o = ray->origin, *d = ray->direction;
    for (int k = 0; k < 3; k++) {
        const double *m = inverse->m[k];
        moved->origin[k] = tmb_pose_coordinate(inverse, k, o[0], o[1], o[2]);
        moved->direction[k] = (m[0] * d[0] + m[1] * d[1]) + m[2] * d[2];
    }
    return tmb_all_finite(moved->origin, 3) && tmb_all_finite(moved->direction, 3) &&
           tmb_largest_size(moved->direction) > 0;
}

/* ---- Results ---- */

/* A parameter above all doubles is that of a tiny direction, which is enlarged by a power of two: then it is a double.
 * The longest component becomes at least 2^9, and coordinates differ by less than 2^1025. */
static int enlargement_of(const tmb_ray *ray)
{
    int exponent;
    (void)frexp(tmb_largest_size(ray->direction), &exponent);
    return 10 - exponent;
}

static tmb_ray enlarge(const tmb_ray *ray, int exponent)
{
    tmb_ray larger = *ray;
    for (int k = 0; k < 3; k++) {
        larger.direction[k] = ldexp(ray->direction[k], exponent);
    }
    larger.first = ldexp(ray->first, -exponent);
    return larger;
}

static void set_point(const tmb_ray *ray, double t, double point[3])
{
    for (int k = 0; k < 3; k++) {
        const double o = ray->origin[k], d = ray->direction[k], x = o + t * d;
        point[k] = d == 0 ? o : isfinite(x) ? x : 2 * (0.5 * o + t * (0.5 * d));
    }
}

/* Both rays, in the model's frame and as it was given, are enlarged alike. */
static void set_far_point(tmb_ray_search *s, const tmb_ray *given, const tmb_ray_found *found, double point[3])
{
    const int exponent = enlargement_of(&s->ray);
    const tmb_ray larger = enlarge(&s->ray, exponent), larger_given = enlarge(given, exponent);
    tmb_ray_found other = *found;
    other.at.error = INFINITY;
    tmb_ray_search_round(s, &larger, &other);
    set_point(&larger_given, other.at.t, point);
}

void tmb_ray_hit_at(tmb_ray_search *s, const tmb_ray *given, tmb_ray_found *found, tumble_ray_hit *out)
{
    if (found->at.error >= 0 || s->reach > 0) {
        tmb_ray_search_round(s, &s->ray, found);
    }
    out->polygon = found->polygon;
    out->side = found->at.side > 0 ? TUMBLE_SIDE_FRONT : found->at.side < 0 ? TUMBLE_SIDE_BACK : TUMBLE_SIDE_EDGE_ON;
    out->t = found->at.t;
    if (isinf(out->t)) {
        set_far_point(s, given, found, out->point);
    } else {
        set_point(given, out->t, out->point);
    }
}
