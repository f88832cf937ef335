/* tmb_orient3d: filter, then what the filter leaves, from cheap to expensive.
 *
 * Range. When all nonzero coordinates have magnitudes within [2^-300, 2^330], all of them are multiples of 2^-352, and
 * so are their differences and the errors of these. Products of two are multiples of 2^-704, products of three of
 * 2^-1056, and so are all sums of them and the products of halves inside tmb_two_product: nothing underflows inexactly.
 * Differences are at most 2^331, minors 2^663, the determinant is below 2^997, splitting adds a factor 2^27 to minors
 * only: nothing overflows. Outside this range integers decide. */
#include "base/assert.h"
#include "math/bigint.h"
#include "math/bounds.h"
#include "math/expansion.h"
#include "math/filter.h"
#include "math/lattice.h"
#include "math/predicates.h"
#include "math/vec3.h"

/* Rows a-d, b-d, c-d, each number exactly high + low. */
typedef struct differences {
    tmb_double2 r[3][3];
} differences;

static int in_range(const double p[3])
{
    return tmb_are_in_range(p, 3, TMB_ORIENT3D_LEAST, TMB_ORIENT3D_MOST);
}

static int equal(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static int plane_along_axis(const double a[3], const double b[3], const double c[3], const double d[3], int k)
{
    return a[k] == d[k] && b[k] == d[k] && c[k] == d[k];
}

/* Zero for a reason that needs no arithmetic: two points are one, or all lie in a plane along two axes. This is what
 * neighbours in one mesh, equal meshes and the faces of machine parts give. */
static int plainly_zero(const double a[3], const double b[3], const double c[3], const double d[3])
{
    return plane_along_axis(a, b, c, d, 0) || plane_along_axis(a, b, c, d, 1) || plane_along_axis(a, b, c, d, 2) ||
           equal(a, d) || equal(b, d) || equal(c, d) || equal(a, b) || equal(a, c) || equal(b, c);
}

static differences differences_of(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double *points[3] = {a, b, c};
    differences out;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            out.r[i][k] = tmb_two_difference(points[i][k], d[k]);
        }
    }
    return out;
}

#if TMB_HAS_LATTICE
/* Differences are below 2^61, minors below 2^123. A minor is split at bit 64 so that the three products with a z
 * difference stay below 2^125 each; they are added up for both halves, and the sign is that of high * 2^64 + low. */
static int lattice_sign(const double *a, const double *b, const double *c, const double *d, int *sign)
{
    const double points[12] = {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], d[0], d[1], d[2]};
    int64_t r[4][3];
    if (!tmb_to_lattice(points, 12, r[0])) {
        return 0;
    }
    for (int i = 0; i < 9; i++) {
        r[i / 3][i % 3] -= r[3][i % 3];
    }
    tmb_int128 high = 0, low = 0;
    for (int i = 0; i < 3; i++) {
        const int64_t *p = r[i == 2 ? 0 : i + 1], *q = r[i == 0 ? 2 : i - 1];
        const tmb_int128 cross = (tmb_int128)p[0] * q[1] - (tmb_int128)q[0] * p[1];
        high += (tmb_int128)(int64_t)(cross >> 64) * r[i][2];
        low += (tmb_int128)(uint64_t)cross * r[i][2];
    }
    high += low >> 64;
    *sign = high != 0 ? (high > 0) - (high < 0) : (uint64_t)low != 0;
    return 1;
}
#else
static int lattice_sign(const double *a, const double *b, const double *c, const double *d, int *sign)
{
    (void)a, (void)b, (void)c, (void)d;
    *sign = 0;
    return 0;
}
#endif

/* The functions below: u = 2^-53, all bounds up to a factor 1 + O(u), which the final one has room for.
 *
 * x y - z w, with R = |xh yh| + |zh wh|: error at most 15 u^2 R (products 8, difference of the low parts 3, last sum
 * 4), |high| <= R, |low| <= 4 u R. */
static inline tmb_double2 minor(tmb_double2 x, tmb_double2 y, tmb_double2 z, tmb_double2 w)
{
    const tmb_double2 left = tmb_multiply_doubled(x, y), right = tmb_multiply_doubled(z, w);
    const tmb_double2 high = tmb_two_difference(left.high, right.high);
    return (tmb_double2){high.high, high.low + (left.low - right.low)};
}

/* The determinant as minors times z, with V = R |z| of each and P = V1 + V2 + V3. A minor times z: error at most 35 u^2
 * V (minor 15, dropped low low 4, roundings of the mixed products 1 + 4, of their sum 5, of the last sum 6), |low| <= 6
 * u V. The sum of three: 6 + 6 for the low parts, 2 for the errors of the high parts, 8 for the last sum. In all 57 u^2
 * P; the bound is 64 u^2 P = 2^-100 P. That the bound may underflow is harmless: errors are multiples of 2^-1056, so
 * where there is one the bound is far above the smallest double. */
static double doubled_determinant(const differences *d, double *bound)
{
    const tmb_double2(*r)[3] = d->r;
    const tmb_double2 m0 = tmb_multiply_doubled(minor(r[1][0], r[2][1], r[2][0], r[1][1]), r[0][2]);
    const tmb_double2 m1 = tmb_multiply_doubled(minor(r[2][0], r[0][1], r[0][0], r[2][1]), r[1][2]);
    const tmb_double2 m2 = tmb_multiply_doubled(minor(r[0][0], r[1][1], r[1][0], r[0][1]), r[2][2]);
    const tmb_double2 s = tmb_two_sum(m0.high, m1.high), t = tmb_two_sum(s.high, m2.high);
    const double permanent =
        (fabs(r[1][0].high * r[2][1].high) + fabs(r[2][0].high * r[1][1].high)) * fabs(r[0][2].high) +
        (fabs(r[2][0].high * r[0][1].high) + fabs(r[0][0].high * r[2][1].high)) * fabs(r[1][2].high) +
        (fabs(r[0][0].high * r[1][1].high) + fabs(r[1][0].high * r[0][1].high)) * fabs(r[2][2].high);
    *bound = TMB_ERROR_DOUBLED_3D * permanent;
    return t.high + (((m0.low + m1.low) + m2.low) + (s.low + t.low));
}

/* (x y - z w) v: at most 64 components. */
static int exact_term(tmb_double2 x, tmb_double2 y, tmb_double2 z, tmb_double2 w, tmb_double2 v, double term[64])
{
    const tmb_double2 minus_z = {-z.high, -z.low};
    double left[8], right[8], difference[16];
    const int left_count = tmb_exact_product(x, y, left);
    const int right_count = tmb_exact_product(minus_z, w, right);
    const int count = tmb_expansion_sum(left, left_count, right, right_count, difference);
    return tmb_expansion_times(difference, count, v, term);
}

static int exact_determinant(const differences *d, double determinant[192])
{
    const tmb_double2(*r)[3] = d->r;
    double t0[64], t1[64], t2[64], t01[128];
    const int count0 = exact_term(r[1][0], r[2][1], r[2][0], r[1][1], r[0][2], t0);
    const int count1 = exact_term(r[2][0], r[0][1], r[0][0], r[2][1], r[1][2], t1);
    const int count2 = exact_term(r[0][0], r[1][1], r[1][0], r[0][1], r[2][2], t2);
    const int count01 = tmb_expansion_sum(t0, count0, t1, count1, t01);
    return tmb_expansion_sum(t01, count01, t2, count2, determinant);
}

static int expansion_sign(const differences *d)
{
    double determinant[192] = {0.0};
    const int count = exact_determinant(d, determinant);
    return tmb_expansion_sign(determinant, count);
}

static double expansion_value(const differences *d)
{
    double determinant[192] = {0.0};
    const int count = exact_determinant(d, determinant);
    return tmb_expansion_estimate(determinant, count);
}

static void integer_term(const tmb_bigint r[4][3], int i, int j, int k, tmb_bigint *sum)
{
    tmb_bigint left, right;
    tmb_bigint_multiply(&left, &r[i][0], &r[j][1]);
    tmb_bigint_multiply(&right, &r[j][0], &r[i][1]);
    tmb_bigint_subtract(&left, &left, &right);
    tmb_bigint_multiply(&right, &left, &r[k][2]);
    tmb_bigint_add(sum, sum, &right);
}

/* Returns e: the determinant is `sum` times 2^e. */
static int integer_determinant(const double a[3], const double b[3], const double c[3], const double d[3],
                               tmb_bigint *sum)
{
    const double *points[4] = {a, b, c, d};
    tmb_bigint r[4][3];
    int exponent = 1024;
    for (int i = 0; i < 12; i++) {
        const double value = points[i / 3][i % 3];
        const int own = value == 0.0 ? exponent : tmb_double_exponent(value);
        exponent = own < exponent ? own : exponent;
    }
    for (int i = 3; i >= 0; i--) {
        for (int k = 0; k < 3; k++) {
            tmb_bigint_from_double(&r[i][k], points[i][k], exponent);
            if (i < 3) {
                tmb_bigint_subtract(&r[i][k], &r[i][k], &r[3][k]);
            }
        }
    }
    sum->sign = sum->count = 0;
    integer_term((const tmb_bigint(*)[3])r, 1, 2, 0, sum);
    integer_term((const tmb_bigint(*)[3])r, 2, 0, 1, sum);
    integer_term((const tmb_bigint(*)[3])r, 0, 1, 2, sum);
    return 3 * exponent;
}

static int integer_sign(const double a[3], const double b[3], const double c[3], const double d[3])
{
    tmb_bigint determinant;
    (void)integer_determinant(a, b, c, d, &determinant);
    return determinant.sign;
}

static double integer_value(const double a[3], const double b[3], const double c[3], const double d[3], int *exponent)
{
    tmb_bigint determinant;
    const int unit = integer_determinant(a, b, c, d, &determinant);
    const double value = tmb_bigint_to_double(&determinant, exponent);
    *exponent += unit;
    return value;
}

static int all_in_range(const double a[3], const double b[3], const double c[3], const double d[3])
{
    return in_range(a) && in_range(b) && in_range(c) && in_range(d);
}

static int unfiltered_sign(const double a[3], const double b[3], const double c[3], const double d[3], tmb_stage *stage)
{
    TMB_ASSERT(tmb_all_finite(a, 3) && tmb_all_finite(b, 3) && tmb_all_finite(c, 3) && tmb_all_finite(d, 3));
    *stage = TMB_STAGE_FILTER;
    if (plainly_zero(a, b, c, d)) {
        return 0;
    }
    *stage = TMB_STAGE_INTEGER;
    if (!all_in_range(a, b, c, d)) {
        return integer_sign(a, b, c, d);
    }
    int sign;
    *stage = TMB_STAGE_LATTICE;
    if (lattice_sign(a, b, c, d, &sign)) {
        return sign;
    }
    const differences rows = differences_of(a, b, c, d);
    double bound;
    const double doubled = doubled_determinant(&rows, &bound);
    *stage = TMB_STAGE_DOUBLED;
    if (doubled > bound || doubled < -bound) {
        return doubled > 0.0 ? 1 : -1;
    }
    *stage = TMB_STAGE_EXPANSION;
    return expansion_sign(&rows);
}

int tmb_orient3d_stage(const double a[3], const double b[3], const double c[3], const double d[3], tmb_stage *stage)
{
    const int sign = tmb_orient3d_filter(a, b, c, d);
    *stage = TMB_STAGE_FILTER;
    return sign != 0 ? sign : unfiltered_sign(a, b, c, d, stage);
}

int tmb_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    tmb_stage stage;
    return tmb_orient3d_stage(a, b, c, d, &stage);
}

double tmb_orient3d_value(const double a[3], const double b[3], const double c[3], const double d[3], int *exponent)
{
    TMB_ASSERT(tmb_all_finite(a, 3) && tmb_all_finite(b, 3) && tmb_all_finite(c, 3) && tmb_all_finite(d, 3));
    if (!all_in_range(a, b, c, d)) {
        return integer_value(a, b, c, d, exponent);
    }
    const differences rows = differences_of(a, b, c, d);
    double bound;
    const double doubled = doubled_determinant(&rows, &bound);
    *exponent = 0;
    if (fabs(doubled) > 0x1p53 * bound) {
        return doubled;
    }
    return expansion_value(&rows);
}
