/* Triangles in a search for the nearest: which of them are, and how near. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/bounds.h"
#include "math/pose.h"
#include "near/near.h"
#include "query/cylinders.h"

typedef struct corners {
    double a[3][3], b[3][3];
} corners;

static void load_corners(const tmb_near_search *s, uint32_t ta, uint32_t tb, corners *out)
{
    double own[3][3];
    tmb_model_corners(s->encounter.a, ta, out->a);
    tmb_model_corners(s->encounter.b, tb, own);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            out->b[i][k] = tmb_pose_coordinate(&s->encounter.relative, k, own[i][0], own[i][1], own[i][2]);
        }
    }
}

/* Whether two models are thick, and polygons have radii of their own. */
static int has_radii(const tmb_near_search *s)
{
    return s->thickness > 0 && !s->encounter.thick.is_uniform;
}

/* Whether a model consists of cylinders: their distances, not those of their axes, are compared. */
static int has_cylinders(const tmb_near_search *s)
{
    return s->thickness > 0 && tmb_encounter_has_cylinders(&s->encounter);
}

static tmb_cylinder_pair cylinders_of(tmb_near_search *s, const corners *t, uint32_t ta, uint32_t tb)
{
    tmb_encounter *e = &s->encounter;
    return (tmb_cylinder_pair){e,
                               {(const double(*)[3])t->a, (const double(*)[3])t->b},
                               {tmb_model_polygon(e->a, ta), tmb_model_polygon(e->b, tb)}};
}

static void sharpen(tmb_near_search *s, const corners *t, uint32_t ta, uint32_t tb, tmb_triangle_distance *distance)
{
    if (has_cylinders(s)) {
        const tmb_cylinder_pair pair = cylinders_of(s, t, ta, tb);
        tmb_cylinders_distance(&pair, 1, distance);
        return;
    }
    tmb_triangles_distance((const double(*)[3])t->a, (const double(*)[3])t->b, distance, &s->encounter.exact_tests);
}

void tmb_near_sharpen(tmb_near_search *s)
{
    corners t;
    if (!s->found || s->is_sharp) {
        return;
    }
    if (s->within.above > 0 && !has_radii(s) && !has_cylinders(s)) {
        tmb_triangles_distance_end((const double(*)[3])s->corners[0], (const double(*)[3])s->corners[1], &s->features,
                                   &s->distance, &s->encounter.exact_tests);
    } else {
        load_corners(s, s->nearest[0], s->nearest[1], &t);
        sharpen(s, &t, s->nearest[0], s->nearest[1], &s->distance);
    }
    if (has_radii(s)) {
        tmb_near_shift(s, s->nearest[0], s->nearest[1], &s->distance);
    }
    s->is_sharp = 1;
}

/* What is to be looked for next. Of solids that meet, the nearest polygons, unless errors are allowed. */
static double target_of(const tmb_near_search *s)
{
    const tumble_distance_options *o = s->options;
    const double least = s->distance.upper > s->thickness ? s->thickness : 0;
    if (s->thickness > 0 && least == 0) {
        return o->relative_error > 0 || o->absolute_error > 0 ? -1 : s->distance.upper * (1 - TMB_NOT_CLOSER);
    }
    return least + (s->distance.upper - least - s->absolute_error) / (1 + o->relative_error) * (1 - TMB_NOT_CLOSER);
}

/* The remaining bound: less than what the allowed errors skip. */
static void set_bound(tmb_near_search *s)
{
    TMB_ASSERT(s->found);
    const tumble_distance_options *o = s->options;
    if (o->relative_error > 0 || o->absolute_error > 0) {
        const double least = fmin(fmin(s->bound, s->leaving), tmb_near_least(s));
        s->proven = fmax(s->proven, fmin(least, s->distance.lower));
    }
    const double target = target_of(s);
    s->bound = target < s->bound ? target : s->bound;
    if (!(s->bound >= 0)) { /* nothing can be closer; at 0 some pairs are still indistinguishable from it */
        s->is_enough = 1;
    }
}

/* Whether the distance is at most a limit, which is decided exactly. */
static int is_within(tmb_near_search *s, const corners *t, const tmb_triangle_distance *distance,
                     const tmb_limit *limit)
{
    if (distance->upper <= limit->below || distance->lower > limit->above) {
        return distance->upper <= limit->below;
    }
    return tmb_triangles_within_limit((const double(*)[3])t->a, (const double(*)[3])t->b, limit,
                                      &s->encounter.exact_tests);
}

int tmb_near_is_within(tmb_near_search *s, tmb_scaled limit)
{
    TMB_ASSERT(s->found);
    TMB_ASSERT(!has_cylinders(s));
    corners t;
    const tmb_limit at = tmb_limit_at(limit);
    load_corners(s, s->nearest[0], s->nearest[1], &t);
    return is_within(s, &t, &s->distance, &at);
}

static int is_closer(tmb_near_search *s, const corners *t, uint32_t ta, uint32_t tb, const tmb_feature_pair *features,
                     tmb_triangle_distance *distance, int *is_sharp)
{
    if (!s->found || distance->upper <= s->distance.lower) {
        return 1;
    }
    if (distance->lower >= s->distance.upper) {
        return 0;
    }
    tmb_near_sharpen(s);
    if (has_radii(s)) {
        sharpen(s, t, ta, tb, distance);
        tmb_near_shift(s, ta, tb, distance);
    } else {
        tmb_triangles_distance_end((const double(*)[3])t->a, (const double(*)[3])t->b, features, distance,
                                   &s->encounter.exact_tests);
    }
    *is_sharp = 1;
    return tmb_scaled_compare(distance->scaled, s->distance.scaled) < 0;
}

static void tell(tmb_near_search *s)
{
    const tumble_distance_options *o = s->options;
    if (!o->callback) {
        return;
    }
    tmb_near_sharpen(s);
    const tumble_near nearest = tmb_near_nearest(s);
    if (o->callback(o->callback_user, &nearest)) {
        s->encounter.status =
            tmb_fail(s->encounter.query->context, TUMBLE_ERROR_CANCELLED, "the query was stopped by its callback");
        s->is_enough = 1;
    }
}

/* Of two polygons with radii of their own, and their distance as it is. */
typedef struct own_limits {
    tmb_limit within, enough;
    tmb_triangle_distance plain;
} own_limits;

static int are_behind_nearest(const tmb_near_search *s, const corners *t)
{
    return tmb_triangles_are_behind((const double(*)[3])t->a, (const double(*)[3])t->b, s->corners[0], s->corners[1],
                                    s->distance.way);
}

#define LEAST_BEHIND 0x1p-500 /* of such distances nothing counts that may underflow */

/* Whether triangles are surely not closer than those found, as they are behind these along the way between them. Mostly
 * true of neighbours that have the same nearest corners or edges, which are many; and cheap beside their distance in
 * pairs of doubles. Its own bound of the distance of those found must be close for it. */
static int is_no_closer_behind(tmb_near_search *s, const corners *t)
{
    if (!are_behind_nearest(s, t)) {
        return 0;
    }
    if (!(s->distance.lower > s->bound) && !s->is_sharp) {
        tmb_near_sharpen(s);
        const double target = target_of(s);
        s->bound = target < s->bound ? target : s->bound;
        if (!are_behind_nearest(s, t)) {
            return 0;
        }
    }
    if (!(s->distance.lower > s->bound && s->distance.lower > LEAST_BEHIND)) {
        return 0;
    }
    s->least = s->distance.lower < s->least ? s->distance.lower : s->least;
    return 1;
}

/* Whether triangles are surely not closer than those found, along the direction between the nearest points of these. */
static int is_no_closer_along(tmb_near_search *s, const corners *t)
{
    const double(*p)[3] = (const double(*)[3])s->distance.points;
    const double way[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
    const double lower = tmb_triangles_apart_along((const double(*)[3])t->a, (const double(*)[3])t->b, way);
    if (!(lower > s->bound)) {
        return 0;
    }
    s->least = lower < s->least ? lower : s->least;
    return 1;
}

/* The same of cylinders, or one. */
static int are_cylinders_no_closer_along(tmb_near_search *s, const tmb_cylinder_pair *pair, uint32_t ta, uint32_t tb)
{
    const double(*p)[3] = (const double(*)[3])s->distance.points;
    if (!s->found || s->keep) {
        return 0;
    }
    const double way[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
    tmb_triangle_distance distance = {.lower = tmb_cylinders_apart_along(pair, way), .upper = INFINITY};
    tmb_near_shift(s, ta, tb, &distance);
    if (!(distance.lower > s->bound)) {
        return 0;
    }
    s->least = distance.lower < s->least ? distance.lower : s->least;
    return 1;
}

static void take(tmb_near_search *s, uint32_t ta, uint32_t tb, const tmb_triangle_distance *distance, int is_sharp)
{
    s->found = 1;
    s->findings++;
    s->nearest[0] = ta;
    s->nearest[1] = tb;
    s->distance = *distance;
    s->is_sharp = is_sharp;
}

/* The search ends with the first ones that meet, or are near enough. */
static void compare_cylinders(tmb_near_search *s, const corners *t, uint32_t ta, uint32_t tb)
{
    const tmb_cylinder_pair pair = cylinders_of(s, t, ta, tb);
    tmb_triangle_distance distance;
    int is_sharp = 0;
    if (are_cylinders_no_closer_along(s, &pair, ta, tb)) {
        return;
    }
    tmb_cylinders_distance(&pair, 0, &distance);
    tmb_near_shift(s, ta, tb, &distance);
    s->least = distance.lower < s->least ? distance.lower : s->least;
    if (!(distance.lower > s->bound) && tmb_cylinders_within(&pair, s->options->within) &&
        is_closer(s, t, ta, tb, NULL, &distance, &is_sharp)) {
        take(s, ta, tb, &distance, is_sharp);
        s->is_enough |= tmb_cylinders_within(&pair, s->options->enough);
        set_bound(s);
        tell(s);
    }
    s->is_enough |= s->encounter.status != TUMBLE_OK;
}

static void compare(tmb_near_search *s, uint32_t ta, uint32_t tb)
{
    corners t;
    tmb_triangle_distance distance;
    tmb_feature_pair features = {.kind = TMB_EDGE_EDGE};
    int is_sharp = 0;
    load_corners(s, ta, tb, &t);
    s->encounter.primitive_tests++;
    s->work += TMB_NEAR_LANES_WORK;
    s->has_compared = 1;
    if (has_cylinders(s)) {
        compare_cylinders(s, &t, ta, tb);
        return;
    }
    /* a front needs bounds that are close */
    const int may_skip = s->found && !s->keep && !has_radii(s) && s->within.above > 0;
    if (may_skip && (is_no_closer_behind(s, &t) || is_no_closer_along(s, &t))) {
        return;
    }
    if (s->within.above == 0) { /* distances do not matter */
        const int meet =
            tmb_triangles_within((const double(*)[3])t.a, (const double(*)[3])t.b, 0, &s->encounter.exact_tests);
        distance = (tmb_triangle_distance){.lower = 0, .upper = meet ? 0 : INFINITY};
    } else {
        tmb_triangles_distance_begin((const double(*)[3])t.a, (const double(*)[3])t.b, &distance, &features);
    }
    s->least = distance.lower < s->least ? distance.lower : s->least;
    own_limits own;
    const tmb_limit *within = &s->within, *enough = &s->enough;
    const tmb_triangle_distance *plain = &distance;
    if (has_radii(s)) {
        own =
            (own_limits){tmb_near_own_limit(s, s->options->within, ta, tb),
                         s->enough.above > 0 ? tmb_near_own_limit(s, s->options->enough, ta, tb) : s->enough, distance};
        within = &own.within, enough = &own.enough, plain = &own.plain;
        tmb_near_shift(s, ta, tb, &distance);
    }
    if (distance.lower > s->bound || !is_within(s, &t, plain, within)) {
        return;
    }
    if (!is_closer(s, &t, ta, tb, &features, &distance, &is_sharp)) {
        return;
    }
    take(s, ta, tb, &distance, is_sharp);
    s->features = features;
    memcpy(s->corners[0], t.a, sizeof t.a);
    memcpy(s->corners[1], t.b, sizeof t.b);
    s->is_enough |= is_within(s, &t, plain, enough);
    set_bound(s);
    tell(s);
}

#define COMPARED_BLINDLY 8 /* triangles, without a look at the clock */

/* The triangles of one pair of nodes may take longer than all else between two looks at the clock. */
void tmb_near_compare(tmb_near_search *s, uint32_t ta, uint32_t tb)
{
    TMB_ASSERT(ta / TMB_CLUSTER_TRIANGLES < s->encounter.a->block->cluster_count);
    TMB_ASSERT(tb / TMB_CLUSTER_TRIANGLES < s->encounter.b->block->cluster_count);
    const unsigned long long exact_tests = s->encounter.exact_tests;
    compare(s, ta, tb);
    if (s->deadline < INFINITY && !tmb_near_is_over(s) &&
        (s->encounter.exact_tests > exact_tests || s->encounter.primitive_tests % COMPARED_BLINDLY == 0)) {
        s->is_spent = tmb_seconds() >= s->deadline;
    }
}

static double told_distance(tmb_scaled distance, double unit)
{
    const double told =
        distance.exponent == 0 ? distance.digits * unit : tmb_scaled_nearest(tmb_scaled_product(distance, unit));
    return distance.digits > 0 && told < DBL_TRUE_MIN ? DBL_TRUE_MIN : told;
}

void tmb_near_tell(const tmb_encounter *e, double unit, const double a[3][3], const double b[3][3],
                   const tmb_triangle_distance *distance, tumble_near *out)
{
    double room[2][3][3];
    const double(*triangles[2])[3] = {a, b};
    const int exponent = tmb_encounter_enlarge(e, triangles, room);
    tmb_triangle_distance enlarged;
    const double(*points)[3] = distance->points;
    if (exponent != 0) {
        tmb_triangles_distance(triangles[0], triangles[1], &enlarged, NULL);
        points = (const double(*)[3])enlarged.points;
    }
    out->distance = told_distance(distance->scaled, unit);
    tmb_encounter_point(e, exponent, points[0], out->point_a);
    tmb_encounter_point(e, exponent, points[1], out->point_b);
    if (e->thick.is_any) {
        tmb_near_thicken(e, unit, a, b, out);
    }
}

tumble_near tmb_near_nearest(const tmb_near_search *s)
{
    TMB_ASSERT(s->found);
    const tmb_encounter *e = &s->encounter;
    tumble_near near = {.polygon_a = tmb_model_polygon(e->a, s->nearest[0]),
                        .polygon_b = tmb_model_polygon(e->b, s->nearest[1])};
    corners t;
    tmb_triangle_distance plain;
    const tmb_triangle_distance *distance = &s->distance;
    load_corners(s, s->nearest[0], s->nearest[1], &t);
    if (has_cylinders(s)) {
        tmb_encounter own = *e;
        const tmb_cylinder_pair pair = {
            &own, {(const double(*)[3])t.a, (const double(*)[3])t.b}, {near.polygon_a, near.polygon_b}};
        tmb_near_tell_cylinders(&pair, s->unit, &near);
        return near;
    }
    if (has_radii(s)) { /* s->distance may be a larger one */
        tmb_triangles_distance((const double(*)[3])t.a, (const double(*)[3])t.b, &plain, NULL);
        distance = &plain;
    }
    tmb_near_tell(e, s->unit, (const double(*)[3])t.a, (const double(*)[3])t.b, distance, &near);
    return near;
}
