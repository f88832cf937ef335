/* Rays and triangles: signs in doubles where these are certain, else exact; parameters likewise. */
#include "prim/triangle_ray.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/filter.h"
#include "math/predicates.h"
#include "math/vec3.h"
#include "prim/ray_fraction.h"

/* ---- The parameter in doubles ---- */

/* With m = (b - a) x (c - a), the plane is met at (a - o) . m / d . m. A term of either meets at most eight roundings,
 * as in math/filter.h: two differences, two products and the difference of a minor, a third difference, two sums. With
 * the bounds n and e of both, and |d . m| > 2 e, the quotient is off by at most 2 (n + |t| e) / |d . m| and its own
 * rounding; twice that has room for all roundings of the bound. */
static void estimate(const tmb_ray *ray, const double corners[3][3], tmb_ray_point *point)
{
    double u[3], v[3], w[3], above = 0, below = 0, above_size = 0, below_size = 0, sum = 1;
    tmb_subtract(corners[1], corners[0], u);
    tmb_subtract(corners[2], corners[0], v);
    tmb_subtract(corners[0], ray->origin, w);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double left = u[i] * v[j], right = u[j] * v[i], minor = left - right, size = fabs(left) + fabs(right);
        above += w[k] * minor;
        below += ray->direction[k] * minor;
        above_size += fabs(w[k]) * size;
        below_size += fabs(ray->direction[k]) * size;
        sum += fabs(w[k]) + fabs(ray->direction[k]);
    }
    const double above_error = TMB_ERROR_3D * above_size + TMB_ERROR_UNDERFLOW * sum;
    const double below_error = TMB_ERROR_3D * below_size + TMB_ERROR_UNDERFLOW * sum;
    point->t = above / below;
    point->error = 4 * (above_error + fabs(point->t) * below_error) / fabs(below) +
                   4 * TMB_DOUBLE_ROUNDING * fabs(point->t) + 0x1p-1020;
    if (!(fabs(below) > 2 * below_error) || !(point->error < INFINITY)) {
        tmb_ray_round(ray, corners, point);
    }
}

/* ---- Inside the range? ---- */

/* Sign of the parameter minus a limit. */
static int compare_limit(const tmb_ray *ray, const double corners[3][3], const tmb_ray_point *point, double limit)
{
    if (isinf(limit)) {
        return limit > 0 ? -1 : 1;
    }
    const double error = point->error >= 0 ? point->error : 4 * TMB_DOUBLE_ROUNDING * fabs(point->t) + 0x1p-1020;
    const int certain = tmb_certain_sign(point->t - limit, error * (1 + 0x1p-50) + 0x1p-51 * fabs(point->t));
    if (certain != 0) {
        return certain;
    }
    tmb_fraction parameter, other;
    tmb_fraction_of_point(ray, corners, point, &parameter);
    tmb_fraction_of_double(limit, &other);
    return tmb_fraction_compare(&parameter, &other);
}

static int is_in_range(const tmb_ray *ray, const double corners[3][3], const tmb_ray_point *point)
{
    return compare_limit(ray, corners, point, ray->first) >= 0 && compare_limit(ray, corners, point, ray->last) <= 0;
}

/* ---- The ray in the plane of the triangle ---- */

/* Where the line enters the triangle, and where it leaves it. */
typedef struct passage {
    tmb_ray_point in, out;
    int count; /* points that are known */
} passage;

static void add_point(const tmb_ray *ray, const double corners[3][3], tmb_ray_kind kind, int from, int to, int axis,
                      passage *p)
{
    tmb_ray_point point = {
        .kind = kind, .from = (int8_t)from, .to = (int8_t)to, .axis = (int8_t)axis, .error = INFINITY};
    tmb_ray_round(ray, corners, &point);
    if (p->count == 0 || tmb_ray_compare(ray, corners, &point, corners, &p->in) < 0) {
        p->in = point;
    }
    if (p->count == 0 || tmb_ray_compare(ray, corners, &point, corners, &p->out) > 0) {
        p->out = point;
    }
    p->count++;
}

/* On which side of the line the corners are, seen along an axis; 0: all are on it, as it is seen. */
static int see_sides(const tmb_ray *ray, const double corners[3][3], int axis, int sides[3])
{
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        sides[i] = tmb_turn_along(ray->direction, corners[i], ray->origin, axis);
        seen |= sides[i];
    }
    return seen != 0;
}

/* The products direction x (corner - origin) of all corners are parallel: where one has a component that is not 0, the
 * plane can be seen along that axis. Else all corners are on the line. */
static passage find_passage(const tmb_ray *ray, const double corners[3][3])
{
    int sides[3] = {0, 0, 0}, axis = 0;
    passage p = {.count = 0};
    while (axis < 3 && !see_sides(ray, corners, axis, sides)) {
        axis++;
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        if (sides[i] == 0) {
            add_point(ray, corners, TMB_RAY_CORNER, i, i, axis % 3, &p);
        }
        if (sides[i] * sides[next] < 0) {
            add_point(ray, corners, TMB_RAY_EDGE, i, next, axis % 3, &p);
        }
    }
    return p;
}

static int meets_in_plane(const tmb_ray *ray, const double corners[3][3], tmb_ray_point *point)
{
    const passage p = find_passage(ray, corners);
    if (p.count == 0 || compare_limit(ray, corners, &p.in, ray->last) > 0 ||
        compare_limit(ray, corners, &p.out, ray->first) < 0) {
        return 0;
    }
    *point = p.in;
    if (compare_limit(ray, corners, &p.in, ray->first) < 0) {
        *point = (tmb_ray_point){.kind = TMB_RAY_START, .t = ray->first, .error = -1};
    }
    return 1;
}

/* ---- All together ---- */

/* The signs of |d, p - o, q - o| for the three edges: doubles, or exact. */
static void find_turns(const tmb_ray *ray, const double corners[3][3], int turns[3], uint64_t *exact)
{
    double rows[3][3];
    for (int i = 0; i < 3; i++) {
        tmb_subtract(corners[i], ray->origin, rows[i]);
    }
    for (int i = 0; i < 3; i++) {
        const double *p = rows[i], *q = rows[(i + 1) % 3], *d = ray->direction;
        const double matrix[3][3] = {{d[0], d[1], d[2]}, {p[0], p[1], p[2]}, {q[0], q[1], q[2]}};
        double bound;
        const double determinant = tmb_determinant_filter(matrix, &bound);
        turns[i] = tmb_certain_sign(determinant, bound);
        if (turns[i] == 0) {
            ++*exact;
            turns[i] = tmb_turn3d(d, corners[i], corners[(i + 1) % 3], ray->origin);
        }
    }
}

/* The three determinants add up to the product of the direction and the normal. Where two have different signs, the
 * line passes outside, or beside a segment; where all are 0, a plane holds the line and the triangle. */
int tmb_ray_meets(const tmb_ray *ray, const double corners[3][3], tmb_ray_point *point, uint64_t *exact)
{
    TMB_ASSERT(tmb_all_finite(corners[0], 9));
    TMB_ASSERT(ray->first <= ray->last);
    int turns[3];
    find_turns(ray, corners, turns, exact);
    const int some_left = turns[0] > 0 || turns[1] > 0 || turns[2] > 0;
    const int some_right = turns[0] < 0 || turns[1] < 0 || turns[2] < 0;
    if (some_left && some_right) {
        return 0;
    }
    if (!some_left && !some_right) {
        return meets_in_plane(ray, corners, point);
    }
    *point = (tmb_ray_point){.kind = TMB_RAY_CROSSING, .side = (int8_t)(some_left ? -1 : 1)};
    estimate(ray, corners, point);
    return is_in_range(ray, corners, point);
}

int tmb_ray_compare(const tmb_ray *ray, const double a[3][3], tmb_ray_point *at_a, const double b[3][3],
                    tmb_ray_point *at_b)
{
    if (at_a->error >= 0 && at_b->error >= 0) {
        const int certain = tmb_certain_sign(at_a->t - at_b->t, (at_a->error + at_b->error) * (1 + 0x1p-50) +
                                                                    0x1p-51 * (fabs(at_a->t) + fabs(at_b->t)));
        if (certain != 0) {
            return certain;
        }
    }
    tmb_ray_round(ray, a, at_a);
    tmb_ray_round(ray, b, at_b);
    if (at_a->t != at_b->t) {
        return at_a->t < at_b->t ? -1 : 1;
    }
    tmb_fraction first, second;
    tmb_fraction_of_point(ray, a, at_a, &first);
    tmb_fraction_of_point(ray, b, at_b, &second);
    return tmb_fraction_compare(&first, &second);
}
