/* tmb_compare_along: filter, obvious zeros, expansions, integers.
 *
 * Range of the expansions. When all nonzero numbers have magnitudes within [2^-480, 2^480], they are multiples of
 * 2^-532, so are differences and their errors, and all products, also of halves, are multiples of 2^-1064: nothing
 * underflows inexactly. Products of differences are below 2^962, nothing overflows. */
#include "math/along.h"

#include "base/assert.h"
#include "math/bigint.h"
#include "math/bounds.h"
#include "math/expansion.h"
#include "math/vec3.h"

static int in_range(const double p[3])
{
    return tmb_are_in_range(p, 3, TMB_ALONG_LEAST, TMB_ALONG_MOST);
}

/* Ties along an axis, which are common for boxes and anything on a grid. */
static int plainly_zero(const double direction[3], const double a[3], const double b[3])
{
    int terms = 0;
    for (int k = 0; k < 3; k++) {
        terms += direction[k] != 0.0 && a[k] != b[k];
    }
    return terms == 0;
}

/* direction * (a - b) of one axis: at most 4 components. */
static int exact_term(double direction, double a, double b, double term[4])
{
    TMB_ASSERT(isfinite(direction) && isfinite(a) && isfinite(b));
    const tmb_double2 difference = tmb_two_difference(a, b);
    double e[2];
    const int count = tmb_append(e, tmb_append(e, 0, difference.low), difference.high);
    return tmb_expansion_scale(e, count, direction, term);
}

static int expansion_sign(const double direction[3], const double a[3], const double b[3])
{
    double x[4], y[4], z[4], xy[8], sum[12] = {0.0};
    const int x_count = exact_term(direction[0], a[0], b[0], x);
    const int y_count = exact_term(direction[1], a[1], b[1], y);
    const int z_count = exact_term(direction[2], a[2], b[2], z);
    const int xy_count = tmb_expansion_sum(x, x_count, y, y_count, xy);
    return tmb_expansion_sign(sum, tmb_expansion_sum(xy, xy_count, z, z_count, sum));
}

static int lowest_exponent(const double *numbers, int count)
{
    int lowest = 1024;
    for (int i = 0; i < count; i++) {
        const int own = numbers[i] == 0.0 ? lowest : tmb_double_exponent(numbers[i]);
        lowest = own < lowest ? own : lowest;
    }
    return lowest;
}

static int integer_sign(const double direction[3], const double a[3], const double b[3])
{
    TMB_ASSERT(tmb_all_finite(direction, 3) && tmb_all_finite(a, 3) && tmb_all_finite(b, 3));
    const double points[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    const int unit = lowest_exponent(points, 6), direction_unit = lowest_exponent(direction, 3);
    tmb_bigint sum = {0}, left, right;
    for (int k = 0; k < 3; k++) {
        tmb_bigint product;
        tmb_bigint_from_double(&left, a[k], unit);
        tmb_bigint_from_double(&right, b[k], unit);
        tmb_bigint_subtract(&left, &left, &right);
        tmb_bigint_from_double(&right, direction[k], direction_unit);
        tmb_bigint_multiply(&product, &left, &right);
        tmb_bigint_add(&sum, &sum, &product);
    }
    return sum.sign;
}

int tmb_compare_along(const double direction[3], const double a[3], const double b[3])
{
    double bound;
    const double value = tmb_along_filter(direction, a, b, &bound);
    const int sign = tmb_certain_sign(value, bound);
    if (sign != 0 || plainly_zero(direction, a, b)) {
        return sign;
    }
    return in_range(direction) && in_range(a) && in_range(b) ? expansion_sign(direction, a, b)
                                                             : integer_sign(direction, a, b);
}
