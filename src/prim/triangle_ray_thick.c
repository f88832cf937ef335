/* Rays and triangles with a radius: by doubles, pairs of doubles or exactly, whichever decides first. */
#include "prim/triangle_ray_thick.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"

/* ---- Do they meet? ---- */

static void set_round(tmb_ray_point *point, const tmb_thick_passage *in)
{
    *point = (tmb_ray_point){.kind = TMB_RAY_ROUND,
                             .t = in->low + 0.0,
                             .error = -1,
                             .from = (int8_t)in->sure,
                             .to = (int8_t)in->unsure,
                             .side = 1};
    if (in->low < in->high) { /* half of a unit in the last place more at both ends */
        point->t = in->low / 2 + in->high / 2;
        point->error = 2 * (in->high - in->low);
    }
}

static void set_start(const tmb_ray *ray, tmb_ray_point *point)
{
    *point = (tmb_ray_point){.kind = TMB_RAY_START, .t = ray->first, .error = -1, .side = -1};
}

/* Whether three vectors reach farther than a length along a direction, or against it. */
static int are_beyond(const double m[3][3], const double direction[3], double reach)
{
    const double first = tmb_dot(direction, m[0]), sign = copysign(1, first);
    const double least =
        tmb_lesser(tmb_lesser(sign * first, sign * tmb_dot(direction, m[1])), sign * tmb_dot(direction, m[2]));
    const double square = tmb_dot(direction, direction);
    return square > 0x1p-900 && least > 0x1p-900 && least > reach * sqrt(square);
}

/* Whether the line certainly passes by, or is there only before or after the range. The products d x (x - o) for points
 * x of the triangle are the triangle of those for its corners, and the line is within r of x if the product is at most
 * r |d| long. So it passes by if all three reach farther than that along one direction, such as that of one of them, or
 * across an edge. It is within r of x only at parameters that are at most r / |d| from d (x - o) / d^2. Doubles are off
 * by less than 2^-48 of the sizes. */
static int passes_by(const tmb_ray *ray, const tmb_thick_triangle *triangle)
{
    double m[3][3], size = 0, first = INFINITY, last = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double w[3];
        tmb_subtract(triangle->corners[i], ray->origin, w);
        tmb_cross(ray->direction, w, m[i]);
        const double along = tmb_dot(ray->direction, w);
        first = tmb_lesser(first, along);
        last = tmb_greater(last, along);
        size = tmb_greater(size, tmb_sum_of_sizes(w));
    }
    const double length = tmb_length(ray->direction), error = TMB_RAY_ASIDE * length * size;
    const double reach = triangle->radius * length * (1 + TMB_RAY_ASIDE) + error, square = length * length;
    if (!(error > 0x1p-300 && error < 0x1p300)) {
        return 0;
    }
    if (first - reach > square * (ray->last + TMB_RAY_ASIDE * fabs(ray->last)) ||
        last + reach < square * (ray->first - TMB_RAY_ASIDE * fabs(ray->first))) {
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        double edge[3], across[3];
        tmb_subtract(m[(i + 1) % 3], m[i], edge);
        tmb_cross(ray->direction, edge, across);
        if (are_beyond((const double(*)[3])m, m[i], reach) || are_beyond((const double(*)[3])m, across, reach)) {
            return 1;
        }
    }
    return 0;
}

/* 1, -1 if they do not meet, 0 if these numbers do not tell. */
static int decide(const tmb_ray *ray, const tmb_thick_triangle *triangle, tmb_thick_passage_function *find,
                  tmb_ray_point *point)
{
    tmb_thick_passage in, out;
    find(ray, triangle, 1, 0, TMB_THICK_ALL, &in);
    if (in.known < 0 || in.low > ray->last) {
        return -1;
    }
    if (in.known == 0 || !(in.high < ray->last)) {
        return 0;
    }
    if (in.low > ray->first) {
        set_round(point, &in);
        return 1;
    }
    if (!(in.high < ray->first)) {
        return 0;
    }
    find(ray, triangle, -1, 0, TMB_THICK_ALL, &out);
    set_start(ray, point);
    return out.known <= 0 ? 0 : out.high < ray->first ? -1 : out.low > ray->first;
}

static int decide_exactly(const tmb_ray *ray, const tmb_thick_triangle *triangle, tmb_ray_point *point,
                          tmb_bigfloat_pool *pool)
{
    tmb_exact_parameter in, out;
    unsigned piece, last;
    if (!tmb_exact_passage(ray, triangle, 1, 0, TMB_THICK_ALL, pool, &in, &piece) ||
        tmb_exact_parameter_against(&in, ray->last, pool) > 0) {
        return 0;
    }
    if (tmb_exact_parameter_against(&in, ray->first, pool) >= 0) {
        *point = (tmb_ray_point){.kind = TMB_RAY_ROUND, .error = INFINITY, .from = (int8_t)(1u << piece), .side = 1};
        return 1;
    }
    set_start(ray, point);
    return tmb_exact_passage(ray, triangle, -1, 0, TMB_THICK_ALL, pool, &out, &last) &&
           tmb_exact_parameter_against(&out, ray->first, pool) >= 0;
}

int tmb_thick_ray_meets(const tmb_ray *ray, const tmb_thick_triangle *triangle, tmb_ray_point *point,
                        tmb_bigfloat_pool *pool, uint64_t *exact)
{
    TMB_ASSERT(tmb_all_finite(triangle->corners[0], 9) && triangle->radius > 0 && triangle->radius < INFINITY);
    TMB_ASSERT(ray->first <= ray->last);
    if (passes_by(ray, triangle)) {
        return 0;
    }
    int known = decide(ray, triangle, tmb_thick_passage_in_doubles, point);
    if (known == 0) {
        known = decide(ray, triangle, tmb_thick_passage_in_pairs, point);
    }
    if (known != 0) {
        return known > 0;
    }
    ++*exact;
    const int meets = decide_exactly(ray, triangle, point, pool);
    if (meets) {
        tmb_thick_ray_round(ray, triangle, point, pool);
    }
    tmb_bigfloat_pool_rewind(pool);
    return meets && !pool->failed;
}

/* ---- Where, and which comes first? ---- */

void tmb_thick_ray_round(const tmb_ray *ray, const tmb_thick_triangle *triangle, tmb_ray_point *point,
                         tmb_bigfloat_pool *pool)
{
    if (point->kind != TMB_RAY_ROUND) {
        tmb_ray_round(ray, triangle->corners, point);
        return;
    }
    if (point->error < 0) {
        return;
    }
    tmb_thick_passage in;
    tmb_thick_passage_in_pairs(ray, triangle, 1, (unsigned)point->from, (unsigned)point->to, &in);
    point->t = in.low + 0.0;
    point->error = -1;
    if (!(in.low == in.high && isfinite(in.low))) {
        const tmb_exact_parameter t = tmb_exact_parameter_of(ray, triangle, point, pool);
        point->t = tmb_exact_parameter_round(&t, in.low, in.high, pool);
        tmb_bigfloat_pool_rewind(pool);
    }
}

/* The one piece that defines a point, or TMB_THICK_PIECES. */
static int piece_of(const tmb_ray_point *at)
{
    const unsigned sure = (unsigned)at->from;
    return at->to == 0 && sure != 0 && (sure & (sure - 1)) == 0 ? __builtin_ctz(sure) : TMB_THICK_PIECES;
}

static int are_same(const double p[3], const double q[3])
{
    return tmb_compare_numbers(p, q, 3) == 0;
}

/* Whether both are where the ray enters the ball around the same corner, or the cylinder of the same edge. Of discs
 * nothing is said. */
static int is_same_piece(const tmb_thick_triangle *a, const tmb_ray_point *at_a, const tmb_thick_triangle *b,
                         const tmb_ray_point *at_b)
{
    const int i = piece_of(at_a), j = piece_of(at_b);
    if (a->radius != b->radius || i >= TMB_THICK_PRISM || j >= TMB_THICK_PRISM || i / 3 != j / 3) {
        return 0;
    }
    const double *p = a->corners[i % 3], *q = a->corners[(i + 1) % 3];
    const double *x = b->corners[j % 3], *y = b->corners[(j + 1) % 3];
    return i < 3 ? !a->has_flat_ends && !b->has_flat_ends && are_same(p, x)
                 : (are_same(p, x) && are_same(q, y)) || (are_same(p, y) && are_same(q, x));
}

static int compare_exactly(const tmb_ray *ray, const tmb_thick_triangle *a, const tmb_ray_point *at_a,
                           const tmb_thick_triangle *b, const tmb_ray_point *at_b, tmb_bigfloat_pool *pool)
{
    if (at_a->kind == TMB_RAY_START && at_b->kind == TMB_RAY_START) {
        return 0;
    }
    if (at_a->kind == TMB_RAY_ROUND && at_b->kind == TMB_RAY_ROUND && is_same_piece(a, at_a, b, at_b)) {
        return 0;
    }
    const tmb_exact_parameter first = tmb_exact_parameter_of(ray, a, at_a, pool);
    const tmb_exact_parameter second = tmb_exact_parameter_of(ray, b, at_b, pool);
    return tmb_exact_parameter_compare(&first, &second, pool);
}

int tmb_thick_ray_compare(const tmb_ray *ray, const tmb_thick_triangle *a, tmb_ray_point *at_a,
                          const tmb_thick_triangle *b, tmb_ray_point *at_b, tmb_bigfloat_pool *pool)
{
    if (at_a->kind != TMB_RAY_ROUND && at_b->kind != TMB_RAY_ROUND) {
        return tmb_ray_compare(ray, a->corners, at_a, b->corners, at_b);
    }
    const double gap = at_a->t - at_b->t, sizes = fabs(at_a->t) + fabs(at_b->t);
    const double error = fmax(at_a->error, 0) + fmax(at_b->error, 0) + 0x1p-50 * sizes + 0x1p-1000;
    if (fabs(gap) > error * (1 + 0x1p-40)) {
        return gap < 0 ? -1 : 1;
    }
    tmb_thick_ray_round(ray, a, at_a, pool);
    tmb_thick_ray_round(ray, b, at_b, pool);
    const int order = at_a->t != at_b->t ? (at_a->t < at_b->t ? -1 : 1) : compare_exactly(ray, a, at_a, b, at_b, pool);
    tmb_bigfloat_pool_rewind(pool);
    return order;
}
