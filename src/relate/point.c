/* Determinants with points that are quotients. */
#include "relate/point.h"

#include <math.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/filter.h"

void tmb_exact_point_finish(tmb_exact_point *point)
{
    TMB_ASSERT(point->w.sign >= 0);
    point->error = 0;
    for (int k = 0; k < 3; k++) {
        point->near[k] = tmb_bigfloat_quotient(point->x[k], point->w);
        point->error = fmax(point->error, fabs(point->near[k]) * TMB_QUOTIENT_ROUNDING);
    }
    point->error += TMB_QUOTIENT_UNDERFLOW;
}

/* ---- In doubles ---- */

/* Where some of the rows' numbers are off by `error`: a minor is at most twice the square of the largest number. Too
 * large a bound, or NaN, decides nothing. */
static int certain_sign(const double rows[3][3], double error)
{
    double bound, size = error;
    const double determinant = tmb_determinant_filter(rows, &bound);
    for (int i = 0; i < 9; i++) {
        size = fmax(size, fabs(rows[i / 3][i % 3]));
    }
    return tmb_certain_sign(determinant, bound + 64 * error * size * size);
}

/* ---- In big floats ---- */

typedef struct exact_rows {
    tmb_bigfloat r[3][3];
} exact_rows;

static int determinant_sign(tmb_bigfloat_pool *pool, const exact_rows *m)
{
    tmb_bigfloat sum = {0};
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const tmb_bigfloat minor = tmb_bigfloat_subtract(pool, tmb_bigfloat_multiply(pool, m->r[1][u], m->r[2][v]),
                                                         tmb_bigfloat_multiply(pool, m->r[1][v], m->r[2][u]));
        sum = tmb_bigfloat_add(pool, sum, tmb_bigfloat_multiply(pool, m->r[0][k], minor));
    }
    return sum.sign;
}

/* w a - x, along one axis. */
static tmb_bigfloat from_point(tmb_bigfloat_pool *pool, const tmb_exact_point *point, double a, int k)
{
    const tmb_bigfloat product = tmb_bigfloat_multiply(pool, point->w, tmb_bigfloat_of(pool, a));
    return tmb_bigfloat_subtract(pool, product, point->x[k]);
}

static tmb_bigfloat difference(tmb_bigfloat_pool *pool, double a, double b)
{
    return tmb_bigfloat_subtract(pool, tmb_bigfloat_of(pool, a), tmb_bigfloat_of(pool, b));
}

int tmb_exact_orient3d(tmb_bigfloat_pool *pool, const double a[3], const double b[3], const double c[3],
                       const tmb_exact_point *d, uint64_t *exact)
{
    const double *points[3] = {a, b, c};
    double rows[3][3];
    exact_rows m;
    for (int i = 0; i < 9; i++) {
        rows[i / 3][i % 3] = points[i / 3][i % 3] - d->near[i % 3];
    }
    const int certain = certain_sign((const double(*)[3])rows, d->error);
    if (certain != 0) {
        return certain;
    }
    ++*exact;
    for (int i = 0; i < 9; i++) {
        m.r[i / 3][i % 3] = from_point(pool, d, points[i / 3][i % 3], i % 3);
    }
    return determinant_sign(pool, &m);
}

int tmb_exact_orient2d(tmb_bigfloat_pool *pool, const double a[3], const double b[3], const tmb_exact_point *c,
                       int axis, uint64_t *exact)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double x = b[u] - a[u], y = b[v] - a[v];
    const double left = x * (c->near[v] - a[v]), right = y * (c->near[u] - a[u]);
    const double bound = TMB_ERROR_2D * (fabs(left) + fabs(right)) + 2 * c->error * (fabs(x) + fabs(y));
    const int certain = tmb_certain_sign(left - right, bound + TMB_ERROR_UNDERFLOW);
    if (certain != 0) {
        return certain;
    }
    ++*exact;
    const tmb_bigfloat exact_left =
        tmb_bigfloat_multiply(pool, difference(pool, b[u], a[u]), from_point(pool, c, a[v], v));
    const tmb_bigfloat exact_right =
        tmb_bigfloat_multiply(pool, difference(pool, b[v], a[v]), from_point(pool, c, a[u], u));
    return tmb_bigfloat_compare(exact_right, exact_left); /* from_point has the other sign */
}
