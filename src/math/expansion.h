/* Sums of doubles that are exact: error-free transformations (Dekker 1971, Knuth 1969) and expansions.
 *
 * An expansion is an array of nonzero doubles, in increasing order of magnitude, that do not overlap; its value is
 * their sum, its sign that of the last one. The empty expansion is 0. The algorithms and their proofs: J. R. Shewchuk,
 * Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, Discrete and Computational
 * Geometry 18, 1997.
 *
 * All of it holds while nothing over- or underflows, which callers ensure. */
#ifndef TUMBLE_SRC_MATH_EXPANSION_H
#define TUMBLE_SRC_MATH_EXPANSION_H

#include <math.h>
#include <stdint.h>

#include "base/assert.h"

/* high + low, exactly, with high the rounded sum. */
typedef struct tmb_double2 {
    double high, low;
} tmb_double2;

static inline tmb_double2 tmb_two_sum(double a, double b)
{
    const double sum = a + b;
    const double b_part = sum - a;
    const double a_part = sum - b_part;
    return (tmb_double2){sum, (a - a_part) + (b - b_part)};
}

static inline tmb_double2 tmb_two_difference(double a, double b)
{
    const double difference = a - b;
    const double b_part = a - difference;
    const double a_part = difference + b_part;
    return (tmb_double2){difference, (a - a_part) + (b_part - b)};
}

/* Only for |a| >= |b| or a = 0. */
static inline tmb_double2 tmb_fast_two_sum(double a, double b)
{
    TMB_ASSERT(!(fabs(a) < fabs(b)) || a == 0.0);
    const double sum = a + b;
    return (tmb_double2){sum, b - (sum - a)};
}

/* Two halves of at most 26 bits each (Veltkamp's splitting), so that products of halves are exact. */
static inline tmb_double2 tmb_split(double a)
{
    const double scaled = 0x8000001p0 * a;
    const double high = scaled - (scaled - a);
    return (tmb_double2){high, a - high};
}

static inline tmb_double2 tmb_two_product_split(double a, tmb_double2 a_parts, double b, tmb_double2 b_parts)
{
    const double product = a * b;
    const double error1 = product - a_parts.high * b_parts.high;
    const double error2 = error1 - a_parts.low * b_parts.high;
    const double error3 = error2 - a_parts.high * b_parts.low;
    return (tmb_double2){product, a_parts.low * b_parts.low - error3};
}

/* A fused multiply-add, where it is an instruction, gives the same two numbers. */
static inline tmb_double2 tmb_two_product(double a, double b)
{
#ifdef __FP_FAST_FMA
    const double product = a * b;
    return (tmb_double2){product, fma(a, b, -product)};
#endif
    return tmb_two_product_split(a, tmb_split(a), b, tmb_split(b));
}

/* x y of sums of two doubles, with Q = |x.high y.high| and u = 2^-53: the error is at most 8 u^2 Q, up to a factor of
 * 1 + O(u) (the product of the low parts, which is left out, 1; roundings of the mixed products 2, of their sum 2, of
 * the last sum 3), |low| <= 3 u Q. */
static inline tmb_double2 tmb_multiply_doubled(tmb_double2 x, tmb_double2 y)
{
    const tmb_double2 p = tmb_two_product(x.high, y.high);
    return (tmb_double2){p.high, p.low + (x.high * y.low + x.low * y.high)};
}

/* Whether all numbers but zeros have sizes from `least` to `most`. */
static inline int tmb_are_in_range(const double *numbers, int count, double least, double most)
{
    for (int i = 0; i < count; i++) {
        const double size = fabs(numbers[i]);
        if (size != 0.0 && !(size >= least && size <= most)) {
            return 0;
        }
    }
    return 1;
}

/* The lowest bit that is set in a nonzero number. */
static inline double tmb_lowest_bit(double x)
{
    int exponent;
    const uint64_t digits = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
    return ldexp((double)(digits & (0 - digits)), exponent - 53);
}

/* Nonzero, in increasing order, and without a bit that two of them have. */
static inline int tmb_expansion_is_ordered(const double *e, int count)
{
    for (int i = 0; i < count; i++) {
        if (e[i] == 0.0 || (i > 0 && !(fabs(e[i - 1]) < tmb_lowest_bit(e[i])))) {
            return 0;
        }
    }
    return 1;
}

static inline int tmb_append(double *e, int count, double value)
{
    TMB_ASSERT(count >= 0);
    if (value != 0.0) {
        e[count++] = value;
    }
    return count;
}

/* Fast expansion sum with elimination of zeros. `sum` has room for both and is neither; returns its length. Sums of
 * sums stay valid (strongly nonoverlapping) under round-to-even: Shewchuk, theorem 13. */
static inline int tmb_expansion_sum(const double *e, int e_count, const double *f, int f_count, double *sum)
{
    TMB_ASSERT(e_count >= 0 && f_count >= 0);
    TMB_ASSERT(sum != e && sum != f);
    TMB_ASSERT_SLOW(tmb_expansion_is_ordered(e, e_count) && tmb_expansion_is_ordered(f, f_count));
    int i = 0, j = 0, count = 0;
    double carry = 0.0;
    while (i < e_count || j < f_count) {
        const int from_e = j == f_count || (i < e_count && fabs(e[i]) < fabs(f[j]));
        const tmb_double2 s = tmb_two_sum(carry, from_e ? e[i] : f[j]);
        i += from_e;
        j += !from_e;
        carry = s.high;
        count = tmb_append(sum, count, s.low);
    }
    return tmb_append(sum, count, carry);
}

/* e times b, with elimination of zeros: Shewchuk, theorem 19. `product` has room for 2 * e_count and is not `e`. */
static inline int tmb_expansion_scale(const double *e, int e_count, double b, double *product)
{
    TMB_ASSERT(e_count >= 0);
    TMB_ASSERT(product != e);
    TMB_ASSERT_SLOW(tmb_expansion_is_ordered(e, e_count));
    if (e_count == 0 || b == 0.0) {
        return 0;
    }
    const tmb_double2 b_parts = tmb_split(b);
    tmb_double2 p = tmb_two_product_split(e[0], tmb_split(e[0]), b, b_parts);
    double carry = p.high;
    int count = tmb_append(product, 0, p.low);
    for (int i = 1; i < e_count; i++) {
        p = tmb_two_product_split(e[i], tmb_split(e[i]), b, b_parts);
        const tmb_double2 s = tmb_two_sum(carry, p.low);
        const tmb_double2 t = tmb_fast_two_sum(p.high, s.high);
        count = tmb_append(product, count, s.low);
        count = tmb_append(product, count, t.low);
        carry = t.high;
    }
    return tmb_append(product, count, carry);
}

/* e (y.high + y.low); `product` has room for 4 * count, count is at most 16. */
static inline int tmb_expansion_times(const double *e, int count, tmb_double2 y, double *product)
{
    TMB_ASSERT(count >= 0 && count <= 16);
    double low[32], high[32];
    const int low_count = tmb_expansion_scale(e, count, y.low, low);
    const int high_count = tmb_expansion_scale(e, count, y.high, high);
    return tmb_expansion_sum(low, low_count, high, high_count, product);
}

/* (x.high + x.low) (y.high + y.low): at most 8 components. */
static inline int tmb_exact_product(tmb_double2 x, tmb_double2 y, double product[8])
{
    const double e[2] = {x.low != 0.0 ? x.low : x.high, x.high};
    const int count = x.high == 0.0 ? 0 : x.low != 0.0 ? 2 : 1;
    return tmb_expansion_times(e, count, y, product);
}

/* The value, rounded: a relative error of about one unit in the last place. */
static inline double tmb_expansion_estimate(const double *e, int count)
{
    TMB_ASSERT(count >= 0);
    TMB_ASSERT_SLOW(tmb_expansion_is_ordered(e, count));
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += e[i];
    }
    return sum;
}

static inline int tmb_expansion_sign(const double *e, int count)
{
    TMB_ASSERT(count >= 0);
    return count == 0 ? 0 : (e[count - 1] > 0.0) - (e[count - 1] < 0.0);
}

#endif
