/* Distances of models with a radius: see near.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "near/near.h"

void tmb_near_set_thickness(tmb_near_search *s)
{
    const tmb_thickness *t = &s->encounter.thick;
    TMB_ASSERT(t->is_any);
    s->thickness = tmb_limit_of(tmb_thickness_plus(t, 0), s->unit).above;
    const double most = tmb_thickness_plus(t, s->options->within);
    const int has_cylinders = tmb_encounter_has_cylinders(&s->encounter) && most < INFINITY;
    s->within = tmb_limit_of(has_cylinders ? most + tmb_cylinders_slack(&s->encounter, most) : most, s->unit);
    if (s->options->enough > 0 || s->options->within == 0) { /* else the nearest polygons of solids that meet */
        s->enough = tmb_limit_of(tmb_thickness_plus(t, s->options->enough), s->unit);
    }
}

static double plus_radii(const tmb_encounter *e, double length, uint32_t polygon_a, uint32_t polygon_b)
{
    return tmb_encounter_has_cylinders(e) ? tmb_cylinders_reach(e, length, polygon_a, polygon_b)
                                          : tmb_thickness_beside(&e->thick, length, tmb_model_radius(e->a, polygon_a),
                                                                 tmb_model_radius(e->b, polygon_b));
}

tmb_limit tmb_near_own_limit(const tmb_near_search *s, double length, uint32_t ta, uint32_t tb)
{
    const tmb_encounter *e = &s->encounter;
    return tmb_limit_of(plus_radii(e, length, tmb_model_polygon(e->a, ta), tmb_model_polygon(e->b, tb)), s->unit);
}

void tmb_near_shift(const tmb_near_search *s, uint32_t ta, uint32_t tb, tmb_triangle_distance *d)
{
    const double own = tmb_near_own_limit(s, 0, ta, tb).below, more = s->thickness - own;
    const double error = TMB_THICK_ROUNDING * s->thickness;
    if (!(more > 0)) {
        return;
    }
    d->lower = fmax(d->lower, (d->lower + more) * (1 - TMB_THICK_ROUNDING) - error);
    d->upper = nextafter((d->upper + more) * (1 + TMB_THICK_ROUNDING) + error, INFINITY);
    d->value = fmin(fmax(d->value + more, d->lower), d->upper);
    d->scaled = (tmb_scaled){fmin(d->value, DBL_MAX), 0};
}

double tmb_near_less_thickness(const tmb_near_search *s, double bound)
{
    return s->thickness > 0 ? bound - tmb_thickness_plus(&s->encounter.thick, 0) : bound;
}

/* From the polygons to the surfaces of the solids, along the line between both points. If the solids meet, both are the
 * point that divides it like the radii. */
static void move_points(tumble_near *near, double radius_a, double radius_b, int meet)
{
    double along[3], unit[3];
    for (int k = 0; k < 3; k++) {
        along[k] = near->point_b[k] / 2 - near->point_a[k] / 2;
    }
    const double largest = tmb_largest_size(along);
    if (!(largest > 0) || !isfinite(largest)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        unit[k] = along[k] / largest;
    }
    const double length = largest * tmb_length(unit);
    if (!isfinite(length)) {
        return;
    }
    const double sum = radius_a / 2 + radius_b / 2;
    const double to_b = meet ? (sum > 0 ? radius_a / 2 / sum : 0.5) : fmin(radius_a / 2 / length, 1);
    const double to_a = meet ? 1 - to_b : fmin(radius_b / 2 / length, 1);
    for (int k = 0; k < 3; k++) {
        near->point_a[k] += 2 * (to_b * along[k]);
        near->point_b[k] -= 2 * (to_a * along[k]);
    }
    if (meet) {
        memcpy(near->point_b, near->point_a, sizeof near->point_b);
    }
}

void tmb_near_thicken(const tmb_encounter *e, double unit, const double a[3][3], const double b[3][3],
                      tumble_near *near)
{
    const tmb_thickness *t = &e->thick;
    const double radius_a = tmb_model_radius(e->a, near->polygon_a), radius_b = tmb_model_radius(e->b, near->polygon_b);
    const double sum = tmb_thickness_beside(t, 0, radius_a, radius_b);
    const tmb_limit limit = tmb_limit_of(sum, unit);
    const int meet = tmb_triangles_within_limit(a, b, &limit, NULL);
    move_points(near, t->scales[0] * (radius_a + t->padding[0]), t->scales[1] * (radius_b + t->padding[1]), meet);
    near->distance = meet ? 0 : fmax(near->distance - sum, DBL_TRUE_MIN);
}

void tmb_near_tell_cylinders(const tmb_cylinder_pair *pair, double unit, tumble_near *near)
{
    const tmb_encounter *e = pair->encounter;
    const uint32_t a = near->polygon_a, b = near->polygon_b;
    tmb_triangle_distance cores;
    tmb_cylinders_distance(pair, 1, &cores);
    const double reach = tmb_cylinders_reach(e, 0, a, b);
    const int meet = tmb_cylinders_within(pair, 0);
    tmb_encounter_point(e, 0, cores.points[0], near->point_a);
    tmb_encounter_point(e, 0, cores.points[1], near->point_b);
    move_points(near, tmb_cylinders_own_reach(e, 0, a), tmb_cylinders_own_reach(e, 1, b), meet);
    near->distance = meet ? 0 : fmax(cores.value * unit - reach, DBL_TRUE_MIN);
}
