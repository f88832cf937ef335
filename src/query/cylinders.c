/* Cylinders with flat ends among the polygons of two models. */
#include "query/cylinders.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "prim/convex_distance.h"
#include "prim/cylinder.h"

static const tumble_model *model_of(const tmb_encounter *e, int which)
{
    return which ? e->b : e->a;
}

static double unit_of(const tmb_encounter *e)
{
    return e->has_pose_a ? tumble_pose_scale(&e->pose_a) : 1;
}

static double radius_of(const tmb_encounter *e, int which, uint32_t polygon)
{
    return tmb_model_radius(model_of(e, which), polygon);
}

static double outer_radius_of(const tmb_encounter *e, int which, uint32_t polygon)
{
    return tmb_model_is_flat(model_of(e, which)) ? 0 : radius_of(e, which, polygon);
}

double tmb_cylinders_reach(const tmb_encounter *e, double length, uint32_t polygon_a, uint32_t polygon_b)
{
    return tmb_thickness_beside(&e->thick, length, outer_radius_of(e, 0, polygon_a), outer_radius_of(e, 1, polygon_b));
}

double tmb_cylinders_own_reach(const tmb_encounter *e, int which, uint32_t polygon)
{
    return e->thick.scales[which] * (outer_radius_of(e, which, polygon) + e->thick.padding[which]);
}

double tmb_cylinders_slack(const tmb_encounter *e, double limit)
{
    double sizes = limit;
    for (int i = 0; i < 2; i++) {
        const tmb_block *block = model_of(e, i)->block;
        for (int k = 0; k < 3; k++) {
            sizes += e->thick.scales[i] * (block->upper[k] - block->lower[k]);
        }
    }
    return fmin(sizes, DBL_MAX) * TMB_CONVEX_UNDECIDED;
}

/* ---- What the cores are ---- */

typedef enum core_kind {
    POLYGON,
    CYLINDER,
    BALL
} core_kind;

static core_kind kind_of(const tmb_cylinder_pair *p, int which)
{
    const double *ends[2];
    if (!tmb_model_is_flat(model_of(p->encounter, which))) {
        return POLYGON;
    }
    tmb_model_axis(p->corners[which], ends);
    return tmb_compare_numbers(ends[0], ends[1], 3) == 0 ? BALL : CYLINDER;
}

static tmb_limit own_radius(const tmb_cylinder_pair *p, int which)
{
    const tmb_encounter *e = p->encounter;
    const double radius = radius_of(e, which, p->polygons[which]);
    return tmb_limit_of(tmb_thickness_own(&e->thick, which, radius), unit_of(e));
}

static tmb_cylinder cylinder_of(const tmb_cylinder_pair *p, int which)
{
    const double *ends[2];
    tmb_model_axis(p->corners[which], ends);
    return (tmb_cylinder){ends[0], ends[1], own_radius(p, which)};
}

/* A ball is its centre. */
static tmb_convex convex_of(const tmb_cylinder_pair *p, int which)
{
    tmb_convex out = {.is_cylinder = kind_of(p, which) == CYLINDER};
    if (!out.is_cylinder) {
        memcpy(out.corners, p->corners[which], sizeof out.corners);
        return out;
    }
    const tmb_cylinder cylinder = cylinder_of(p, which);
    memcpy(out.corners[0], cylinder.from, sizeof out.corners[0]);
    for (int i = 1; i < 3; i++) {
        memcpy(out.corners[i], cylinder.to, sizeof out.corners[i]);
    }
    out.radius = cylinder.radius.exact;
    return out;
}

static int is_point(const double t[3][3])
{
    return tmb_compare_numbers(t[0], t[1], 3) == 0 && tmb_compare_numbers(t[0], t[2], 3) == 0;
}

/* ---- Within a distance ---- */

/* The length and the reaches of both, and the radii of balls, too. */
static tmb_limit limit_of(const tmb_cylinder_pair *p, double length)
{
    double radii[2];
    for (int i = 0; i < 2; i++) {
        radii[i] = kind_of(p, i) == CYLINDER ? 0 : radius_of(p->encounter, i, p->polygons[i]);
    }
    return tmb_limit_of(tmb_thickness_beside(&p->encounter->thick, length, radii[0], radii[1]), unit_of(p->encounter));
}

static int meets_ball(const tmb_cylinder_pair *p, int which, const tmb_limit *limit)
{
    tmb_encounter *e = p->encounter;
    const tmb_cylinder cylinder = cylinder_of(p, which);
    const int met =
        tmb_ball_meets_cylinder(e->query->context, p->corners[1 - which][0], limit, &cylinder, &e->exact_tests);
    if (met < 0) {
        e->status = tmb_fail_memory(e->query->context, "a ball and a cylinder");
    }
    return met > 0;
}

/* Whether the axis of one of two cylinders meets the other one: then they meet. */
static int does_axis_meet(const tmb_cylinder_pair *p)
{
    unsigned long long *exact = &p->encounter->exact_tests;
    const tmb_cylinder first = cylinder_of(p, 0), second = cylinder_of(p, 1);
    return tmb_triangle_meets_cylinder(p->corners[1], &first, exact) ||
           tmb_triangle_meets_cylinder(p->corners[0], &second, exact);
}

static int are_convex_within(const tmb_cylinder_pair *p, const tmb_limit *limit)
{
    const tmb_convex a = convex_of(p, 0), b = convex_of(p, 1);
    return tmb_convex_within(&a, &b, limit, &p->encounter->exact_tests);
}

int tmb_cylinders_within(const tmb_cylinder_pair *p, double length)
{
    TMB_ASSERT(tmb_encounter_has_cylinders(p->encounter));
    unsigned long long *exact = &p->encounter->exact_tests;
    const core_kind kinds[2] = {kind_of(p, 0), kind_of(p, 1)};
    const tmb_limit limit = limit_of(p, length);
    if (limit.below == INFINITY) {
        return 1;
    }
    if (kinds[0] != CYLINDER && kinds[1] != CYLINDER) {
        return tmb_triangles_within_limit(p->corners[0], p->corners[1], &limit, exact);
    }
    if (kinds[0] == CYLINDER && kinds[1] == CYLINDER) {
        return does_axis_meet(p) || are_convex_within(p, &limit);
    }
    const int which = kinds[0] != CYLINDER;
    const double(*other)[3] = p->corners[1 - which];
    if (limit.above > 0 && is_point(other)) {
        return meets_ball(p, which, &limit);
    }
    const tmb_cylinder cylinder = cylinder_of(p, which);
    return tmb_triangle_meets_cylinder(other, &cylinder, exact) || (limit.above > 0 && are_convex_within(p, &limit));
}

/* ---- Distances ---- */

/* The radii of balls, which are their centres so far. */
static tmb_limit balls_of(const tmb_cylinder_pair *p)
{
    tmb_limit sum = {0, 0, {0, 0}};
    for (int i = 0; i < 2; i++) {
        if (kind_of(p, i) == BALL) {
            const tmb_limit own = own_radius(p, i);
            sum.below = nextafter(sum.below + own.below, 0);
            sum.above = nextafter(sum.above + own.above, INFINITY);
        }
    }
    return sum;
}

/* Doubles say nothing: exact numbers do. */
static int do_cores_meet(const tmb_cylinder_pair *p)
{
    const core_kind kinds[2] = {kind_of(p, 0), kind_of(p, 1)};
    double radii[2];
    for (int i = 0; i < 2; i++) {
        radii[i] = kinds[i] == BALL ? radius_of(p->encounter, i, p->polygons[i]) : 0;
    }
    tmb_thickness own = p->encounter->thick;
    own.padding[0] = own.padding[1] = 0;
    const tmb_limit limit = tmb_limit_of(tmb_thickness_beside(&own, 0, radii[0], radii[1]), unit_of(p->encounter));
    if (kinds[0] == CYLINDER && kinds[1] == CYLINDER) {
        return 1;
    }
    if (kinds[0] != CYLINDER && kinds[1] != CYLINDER) {
        return tmb_triangles_within_limit(p->corners[0], p->corners[1], &limit, &p->encounter->exact_tests);
    }
    const int which = kinds[0] != CYLINDER;
    const tmb_cylinder cylinder = cylinder_of(p, which);
    return limit.above > 0 ? meets_ball(p, which, &limit)
                           : tmb_triangle_meets_cylinder(p->corners[1 - which], &cylinder, &p->encounter->exact_tests);
}

static void take(const tmb_convex_distance *from, tmb_triangle_distance *out)
{
    out->lower = from->lower;
    out->upper = from->upper;
    out->value = from->value;
    memcpy(out->points, from->points, sizeof out->points);
}

/* Both points become one: that of the first. */
static void make_one(tmb_triangle_distance *d)
{
    d->lower = d->upper = d->value = 0;
    memcpy(d->points[1], d->points[0], sizeof d->points[1]);
}

void tmb_cylinders_distance(const tmb_cylinder_pair *p, int is_sharp, tmb_triangle_distance *out)
{
    const tmb_convex a = convex_of(p, 0), b = convex_of(p, 1);
    const tmb_limit balls = balls_of(p);
    tmb_convex_distance found = {0};
    (is_sharp ? tmb_convex_distance_sharp : tmb_convex_distance_fast)(&a, &b, &found);
    take(&found, out);
    if (balls.above > 0) {
        out->lower = fmax(nextafter(out->lower - balls.above, 0), 0);
        out->upper = fmax(nextafter(out->upper - balls.below, INFINITY), 0);
        out->value = fmin(fmax(out->value - balls.below, out->lower), out->upper);
    }
    if (!(out->lower > 0)) {
        if (do_cores_meet(p)) {
            make_one(out);
        } else {
            out->value = fmax(out->value, TMB_DOUBLE_LEAST);
        }
    }
    out->scaled = tmb_scaled_of(fmin(out->value, DBL_MAX), 0);
}

double tmb_cylinders_apart_along(const tmb_cylinder_pair *p, const double way[3])
{
    const tmb_convex a = convex_of(p, 0), b = convex_of(p, 1);
    const tmb_limit balls = balls_of(p);
    return fmax(tmb_convex_apart_along(&a, &b, way) - balls.above, 0);
}
