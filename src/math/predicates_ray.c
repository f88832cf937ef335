/* tmb_turn3d and tmb_turn_along: the filters of math/filter.h, then integers of many words; a line along an axis is a
 * point of a plane. */
#include "base/assert.h"
#include "math/bigint.h"
#include "math/filter.h"
#include "math/predicates.h"
#include "math/vec3.h"

/* The largest e for which all numbers are integers times 2^e. */
static int common_exponent(const double *const rows[], int count)
{
    int exponent = 1024;
    for (int i = 0; i < 3 * count; i++) {
        const double value = rows[i / 3][i % 3];
        const int own = value == 0.0 ? exponent : tmb_double_exponent(value);
        exponent = own < exponent ? own : exponent;
    }
    return exponent;
}

static void integer_row(const double p[3], const double o[3], int exponent, tmb_bigint row[3])
{
    for (int k = 0; k < 3; k++) {
        tmb_bigint origin;
        tmb_bigint_from_double(&row[k], p[k], exponent);
        tmb_bigint_from_double(&origin, o[k], exponent);
        tmb_bigint_subtract(&row[k], &row[k], &origin);
    }
}

/* x y - z w. */
static void integer_minor(const tmb_bigint *x, const tmb_bigint *y, const tmb_bigint *z, const tmb_bigint *w,
                          tmb_bigint *out)
{
    tmb_bigint right;
    tmb_bigint_multiply(out, x, y);
    tmb_bigint_multiply(&right, z, w);
    tmb_bigint_subtract(out, out, &right);
}

static int integer_turn3d(const double direction[3], const double p[3], const double q[3], const double o[3])
{
    const double zero[3] = {0, 0, 0};
    const double *const points[3] = {p, q, o};
    const int of_points = common_exponent(points, 3), of_direction = common_exponent(&direction, 1);
    tmb_bigint along[3], rows[2][3], sum, minor, term;
    integer_row(direction, zero, of_direction, along);
    integer_row(p, o, of_points, rows[0]);
    integer_row(q, o, of_points, rows[1]);
    sum.sign = sum.count = 0;
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        integer_minor(&rows[0][u], &rows[1][v], &rows[0][v], &rows[1][u], &minor);
        tmb_bigint_multiply(&term, &along[k], &minor);
        tmb_bigint_add(&sum, &sum, &term);
    }
    return sum.sign;
}

static int equal(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* The axis along which a direction goes; -1: none. */
static int axis_of(const double direction[3])
{
    const int along = (direction[0] != 0) + 2 * (direction[1] != 0) + 4 * (direction[2] != 0);
    return along == 1 ? 0 : along == 2 ? 1 : along == 4 ? 2 : -1;
}

static int unfiltered_turn3d(const double direction[3], const double p[3], const double q[3], const double o[3])
{
    const int k = axis_of(direction);
    if (equal(p, o) || equal(q, o) || equal(p, q)) {
        return 0;
    }
    if (k >= 0) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const double flat[3][2] = {{p[u], p[v]}, {q[u], q[v]}, {o[u], o[v]}};
        return (direction[k] > 0 ? 1 : -1) * tmb_orient2d(flat[0], flat[1], flat[2]);
    }
    return integer_turn3d(direction, p, q, o);
}

int tmb_turn3d(const double direction[3], const double p[3], const double q[3], const double o[3])
{
    TMB_ASSERT(tmb_all_finite(direction, 3) && tmb_all_finite(o, 3));
    TMB_ASSERT(tmb_all_finite(p, 3) && tmb_all_finite(q, 3));
    const double rows[3][3] = {{direction[0], direction[1], direction[2]},
                               {p[0] - o[0], p[1] - o[1], p[2] - o[2]},
                               {q[0] - o[0], q[1] - o[1], q[2] - o[2]}};
    double bound;
    const double determinant = tmb_determinant_filter(rows, &bound);
    const int sign = tmb_certain_sign(determinant, bound);
    return sign != 0 ? sign : unfiltered_turn3d(direction, p, q, o);
}

int tmb_turn_along(const double direction[3], const double p[3], const double o[3], int axis)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double left = direction[u] * (p[v] - o[v]), right = direction[v] * (p[u] - o[u]);
    const int sign = tmb_certain_sign(left - right, TMB_ERROR_2D * (fabs(left) + fabs(right)) + TMB_ERROR_UNDERFLOW);
    if (sign != 0 || (direction[u] == 0 && direction[v] == 0) || (p[u] == o[u] && p[v] == o[v])) {
        return sign;
    }
    const double zero[3] = {0, 0, 0};
    const double *const points[2] = {p, o};
    tmb_bigint along[3], row[3], turn;
    integer_row(direction, zero, common_exponent(&direction, 1), along);
    integer_row(p, o, common_exponent(points, 2), row);
    integer_minor(&along[u], &row[v], &along[v], &row[u], &turn);
    return turn.sign;
}
