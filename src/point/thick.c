/* Closest points of models with a radius: see point.h. The order is that of distances less radii; the search compares
 * distances that are larger by what a polygon's radius is less than the largest, which is the same. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "point/point.h"

static double radius_of(const tmb_point_search *s, uint32_t polygon)
{
    return tmb_model_radius(s->model, polygon);
}

/* The thickness of a polygon with something on top, in the model's frame. */
static tmb_limit limit_of(const tmb_point_search *s, uint32_t polygon, double length)
{
    return tmb_limit_of(tmb_thickness_beside(s->thick, length, radius_of(s, polygon), 0), s->unit);
}

void tmb_point_begin_thick(tmb_point_search *s, const tmb_thickness *thick, double within)
{
    s->thick = thick;
    s->within_given = within;
    s->has_radii = s->model->radii != NULL;
    s->most = tmb_limit_of(tmb_thickness_plus(thick, 0), s->unit).below;
    s->within = tmb_limit_of(tmb_thickness_plus(thick, within), s->unit);
}

double tmb_point_shift_of(const tmb_point_search *s, uint32_t polygon)
{
    TMB_ASSERT(s->has_radii);
    const double more = s->most - limit_of(s, polygon, 0).below;
    return more > 0 ? more : 0;
}

int tmb_point_is_within(const tmb_point_search *s, uint32_t polygon, const tmb_point_distance *fast,
                        unsigned long long *exact)
{
    if (!s->has_radii) {
        return tmb_point_within_limit(fast, s->point, &s->within, exact);
    }
    const tmb_limit own = limit_of(s, polygon, s->within_given);
    return tmb_point_within_limit(fast, s->point, &own, exact);
}

/* ---- Results ---- */

/* Corners in lexicographic order. */
static void sort_corners(const tmb_point_distance *distance, double out[3][3])
{
    memcpy(out, distance->corners, 9 * sizeof **out);
    for (int i = 0; i < 3; i++) {
        double *a = out[i == 1], *b = out[1 + (i == 1)]; /* 0 and 1, 1 and 2, 0 and 1 */
        for (int k = 0, later = tmb_compare_numbers(a, b, 3) > 0; later && k < 3; k++) {
            const double other = a[k];
            a[k] = b[k];
            b[k] = other;
        }
    }
}

/* Also triangles with the same corners differ in which of them they are measured from. */
int tmb_point_compare_corners(const tmb_point_distance *a, const tmb_point_distance *b)
{
    double x[3][3], y[3][3];
    sort_corners(a, x);
    sort_corners(b, y);
    const int order = tmb_compare_numbers(x[0], y[0], 9);
    return order ? order : tmb_compare_numbers(a->corners[0], b->corners[0], 9);
}

/* Any direction that is perpendicular to a triangle, or to what it is if it has no area. */
static void find_perpendicular(const tmb_point_distance *fast, double out[3])
{
    double u[3], v[3], corners[3][3];
    sort_corners(fast, corners);
    tmb_subtract(corners[1], corners[0], u);
    tmb_subtract(corners[2], corners[0], v);
    const double *longer = tmb_largest_size(u) > tmb_largest_size(v) ? u : v;
    tmb_cross(u, v, out);
    for (int k = 0; k < 3 && !(tmb_largest_size(out) > 0); k++) { /* a segment, or a point */
        const double axis[3] = {k == 0, k == 1, k == 2};
        tmb_cross(longer, axis, out);
    }
    if (!(tmb_largest_size(out) > 0)) {
        out[0] = 1;
    }
}

/* From the polygon to the point, in the model's frame. */
static void find_direction(const tmb_point_search *s, const tmb_point_distance *fast, double out[3])
{
    double u[3], v[3], w[3];
    tmb_subtract(fast->corners[1], fast->corners[0], u);
    tmb_subtract(fast->corners[2], fast->corners[0], v);
    tmb_subtract(s->point, fast->corners[0], w);
    if (fast->corner_count == 3) {
        tmb_cross(u, v, out);
        const double side = copysign(1, tmb_dot(out, w));
        for (int k = 0; k < 3; k++) {
            out[k] *= side;
        }
        return;
    }
    for (int k = 0; k < 3; k++) {
        out[k] = w[k] - fast->s * u[k] - fast->t * v[k];
    }
}

/* To the length 1 in the frame of the pose; 0: it has no length. */
static int normalise(const tmb_encounter *place, double direction[3])
{
    double turned[3];
    const double largest = tmb_largest_size(direction);
    if (!(largest > 0) || !isfinite(largest)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        turned[k] = direction[k] / largest;
    }
    for (int k = 0; k < 3; k++) {
        const double *m = place->pose_a.m[k];
        direction[k] = place->has_pose_a ? m[0] * turned[0] + m[1] * turned[1] + m[2] * turned[2] : turned[k];
    }
    const double size = tmb_largest_size(direction);
    for (int k = 0; k < 3; k++) {
        direction[k] /= size;
    }
    const double length = tmb_length(direction);
    for (int k = 0; k < 3; k++) {
        direction[k] /= length;
    }
    return 1;
}

/* The point of the solid's surface next to the one that is asked about; `c` has that of the polygon. */
static void move_point(const tmb_point_search *s, const tmb_point_distance *fast, double radius, tumble_closest *c)
{
    double direction[3];
    find_direction(s, fast, direction);
    if (c->distance == 0 || !normalise(s->place, direction)) {
        find_perpendicular(fast, direction);
        (void)normalise(s->place, direction);
    }
    for (int k = 0; k < 3; k++) {
        c->point[k] += (s->way < 0 ? -radius : radius) * direction[k];
    }
}

/* The sign is exact. */
static void subtract(tumble_closest *c, double radius, int holds)
{
    const double distance = c->distance - radius, lower = nextafter(c->lower - radius, -INFINITY),
                 upper = nextafter(c->upper - radius, INFINITY);
    c->distance = holds ? fmin(distance, 0) : fmax(distance, DBL_TRUE_MIN);
    c->lower = fmin(holds ? lower : fmax(lower, 0), c->distance);
    c->upper = fmax(holds ? fmin(upper, 0) : upper, c->distance);
}

/* Inside a closed surface: minus the sum. */
static void add_and_negate(tumble_closest *c, double radius)
{
    const double lower = c->lower;
    c->distance = -(c->distance + radius);
    c->lower = fmin(nextafter(-(c->upper + radius), -INFINITY), c->distance);
    c->upper = fmax(nextafter(-(lower + radius), 0), c->distance);
}

static void clear(tumble_closest *c, const double point[3])
{
    c->distance = c->lower = c->upper = 0;
    memcpy(c->point, point, sizeof c->point);
}

void tmb_point_thicken(const tmb_point_search *s, const tmb_point_distance *fast, const double point[3],
                       tumble_closest *c)
{
    unsigned long long exact = 0;
    const tmb_limit own = limit_of(s, c->polygon, 0);
    const double radius = tmb_thickness_beside(s->thick, 0, radius_of(s, c->polygon), 0);
    const int holds = tmb_point_within_limit(fast, s->point, &own, &exact);
    if (holds && s->way == 0) {
        clear(c, point);
        return;
    }
    if (radius > 0) {
        move_point(s, fast, radius, c);
    }
    if (s->way < 0) {
        add_and_negate(c, radius);
    } else {
        subtract(c, radius, holds);
    }
}
