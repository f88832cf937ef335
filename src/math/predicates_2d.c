/* tmb_orient2d: filter, then what the filter leaves, from cheap to expensive.
 *
 * Range. When all nonzero coordinates have magnitudes within [2^-480, 2^500], all of them are multiples of 2^-532, so
 * are all sums and differences formed of them, and their products and the halves' products inside tmb_two_product are
 * multiples of 2^-1064: nothing underflows inexactly. Products of differences are below 2^1003, nothing overflows.
 * Outside this range integers decide. */
#include "base/assert.h"
#include "math/bigint.h"
#include "math/bounds.h"
#include "math/expansion.h"
#include "math/filter.h"
#include "math/lattice.h"
#include "math/predicates.h"
#include "math/vec3.h"

typedef struct differences {
    tmb_double2 ax, ay, bx, by; /* of a and b to c, each exactly high + low */
} differences;

static int in_range(const double p[2])
{
    return tmb_are_in_range(p, 2, TMB_ORIENT2D_LEAST, TMB_ORIENT2D_MOST);
}

static int equal(const double p[2], const double q[2])
{
    return p[0] == q[0] && p[1] == q[1];
}

/* Zero for a reason that needs no arithmetic: two points are one, or all are on a line along an axis. */
static int plainly_zero(const double a[2], const double b[2], const double c[2])
{
    return (a[0] == c[0] && b[0] == c[0]) || (a[1] == c[1] && b[1] == c[1]) || equal(a, b) || equal(a, c) ||
           equal(b, c);
}

static differences differences_of(const double a[2], const double b[2], const double c[2])
{
    return (differences){tmb_two_difference(a[0], c[0]), tmb_two_difference(a[1], c[1]), tmb_two_difference(b[0], c[0]),
                         tmb_two_difference(b[1], c[1])};
}

#if TMB_HAS_LATTICE
static int lattice_sign(const double *a, const double *b, const double *c, int *sign)
{
    const double points[6] = {a[0], a[1], b[0], b[1], c[0], c[1]};
    int64_t p[6];
    if (!tmb_to_lattice(points, 6, p)) {
        return 0;
    }
    const tmb_int128 left = (tmb_int128)(p[0] - p[4]) * (p[3] - p[5]),
                     right = (tmb_int128)(p[1] - p[5]) * (p[2] - p[4]);
    *sign = (left > right) - (left < right);
    return 1;
}
#else
static int lattice_sign(const double *a, const double *b, const double *c, int *sign)
{
    (void)a, (void)b, (void)c;
    *sign = 0;
    return 0;
}
#endif

/* Error, with S = |ax by| + |ay bx| of the high parts: 8 u^2 S of the products, 3 u^2 S for the difference of the
 * low parts, 4 u^2 S for the sum of that and the error of the high parts' difference; in all 15 u^2 S (1 + O(u)). The
 * bound is 16 u^2 S = 2^-102 S; the last sum below changes the value by a factor of 1 + u at most, the computed S by 1
 * + 2u. */
static double doubled_determinant(const differences *d, double *bound)
{
    const tmb_double2 left = tmb_multiply_doubled(d->ax, d->by), right = tmb_multiply_doubled(d->ay, d->bx);
    const tmb_double2 high = tmb_two_difference(left.high, right.high);
    *bound = TMB_ERROR_DOUBLED_2D * (fabs(left.high) + fabs(right.high));
    return high.high + (high.low + (left.low - right.low));
}

static int exact_determinant(const differences *d, double determinant[16])
{
    const tmb_double2 minus_ay = {-d->ay.high, -d->ay.low};
    double left[8], right[8];
    const int left_count = tmb_exact_product(d->ax, d->by, left);
    const int right_count = tmb_exact_product(minus_ay, d->bx, right);
    return tmb_expansion_sum(left, left_count, right, right_count, determinant);
}

static int expansion_sign(const differences *d)
{
    double determinant[16] = {0.0};
    const int count = exact_determinant(d, determinant);
    return tmb_expansion_sign(determinant, count);
}

static double expansion_value(const differences *d)
{
    double determinant[16] = {0.0};
    const int count = exact_determinant(d, determinant);
    return tmb_expansion_estimate(determinant, count);
}

/* Returns e: the determinant is `out` times 2^e. */
static int integer_determinant(const double a[2], const double b[2], const double c[2], tmb_bigint *out)
{
    const double values[6] = {a[0], a[1], b[0], b[1], c[0], c[1]};
    tmb_bigint n[6], right;
    int exponent = 1024;
    for (int i = 0; i < 6; i++) {
        const int own = values[i] == 0.0 ? exponent : tmb_double_exponent(values[i]);
        exponent = own < exponent ? own : exponent;
    }
    for (int i = 0; i < 6; i++) {
        tmb_bigint_from_double(&n[i], values[i], exponent);
    }
    for (int i = 0; i < 4; i++) {
        tmb_bigint_subtract(&n[i], &n[i], &n[4 + i % 2]);
    }
    tmb_bigint_multiply(out, &n[0], &n[3]);
    tmb_bigint_multiply(&right, &n[1], &n[2]);
    tmb_bigint_subtract(out, out, &right);
    return 2 * exponent;
}

static int integer_sign(const double a[2], const double b[2], const double c[2])
{
    tmb_bigint determinant;
    (void)integer_determinant(a, b, c, &determinant);
    return determinant.sign;
}

static double integer_value(const double a[2], const double b[2], const double c[2], int *exponent)
{
    tmb_bigint determinant;
    const int unit = integer_determinant(a, b, c, &determinant);
    const double value = tmb_bigint_to_double(&determinant, exponent);
    *exponent += unit;
    return value;
}

static int unfiltered_sign(const double a[2], const double b[2], const double c[2], tmb_stage *stage)
{
    TMB_ASSERT(tmb_all_finite(a, 2) && tmb_all_finite(b, 2) && tmb_all_finite(c, 2));
    *stage = TMB_STAGE_FILTER;
    if (plainly_zero(a, b, c)) {
        return 0;
    }
    *stage = TMB_STAGE_INTEGER;
    if (!in_range(a) || !in_range(b) || !in_range(c)) {
        return integer_sign(a, b, c);
    }
    int sign;
    *stage = TMB_STAGE_LATTICE;
    if (lattice_sign(a, b, c, &sign)) {
        return sign;
    }
    const differences d = differences_of(a, b, c);
    double bound;
    const double doubled = doubled_determinant(&d, &bound);
    *stage = TMB_STAGE_DOUBLED;
    if (doubled > bound || doubled < -bound) {
        return doubled > 0.0 ? 1 : -1;
    }
    *stage = TMB_STAGE_EXPANSION;
    return expansion_sign(&d);
}

int tmb_orient2d_stage(const double a[2], const double b[2], const double c[2], tmb_stage *stage)
{
    const int sign = tmb_orient2d_filter(a, b, c);
    *stage = TMB_STAGE_FILTER;
    return sign != 0 ? sign : unfiltered_sign(a, b, c, stage);
}

int tmb_orient2d(const double a[2], const double b[2], const double c[2])
{
    tmb_stage stage;
    return tmb_orient2d_stage(a, b, c, &stage);
}

double tmb_orient2d_value(const double a[2], const double b[2], const double c[2], int *exponent)
{
    TMB_ASSERT(tmb_all_finite(a, 2) && tmb_all_finite(b, 2) && tmb_all_finite(c, 2));
    if (!in_range(a) || !in_range(b) || !in_range(c)) {
        return integer_value(a, b, c, exponent);
    }
    const differences d = differences_of(a, b, c);
    double bound;
    const double doubled = doubled_determinant(&d, &bound);
    *exponent = 0;
    if (fabs(doubled) > 0x1p53 * bound) {
        return doubled;
    }
    return expansion_value(&d);
}
