/* Numbers with bounds of their errors: a double, or a sum of two doubles, and how far the true number may be from it.
 *
 * Each operation adds its own rounding error to what it inherits, and enlarges the sum by more than the roundings of
 * that sum itself. A product that underflows is off by less than TMB_BOUNDED_LEAST, unless a factor is exactly 0. What
 * overflows or is undefined ends with a bound that is infinite or no number, and then nothing is certain. */
#ifndef TUMBLE_SRC_MATH_BOUNDED_H
#define TUMBLE_SRC_MATH_BOUNDED_H

#include <math.h>

#include "math/expansion.h"

#define TMB_BOUNDED_LEAST 0x1p-1060
#define TMB_BOUNDED_GROWTH (1 + 0x1p-49) /* at most 15 roundings of a bound */

/* ---- A double ---- */

typedef struct tmb_bounded {
    double value, error;
} tmb_bounded;

static inline tmb_bounded tmb_bounded_of(double x)
{
    return (tmb_bounded){x, 0};
}

static inline int tmb_bounded_is_zero(tmb_bounded a)
{
    return a.value == 0 && a.error == 0;
}

/* 0: it is 0, or not certain. */
static inline int tmb_bounded_sign(tmb_bounded a)
{
    return (a.value > a.error) - (a.value < -a.error);
}

static inline tmb_bounded tmb_bounded_add(tmb_bounded a, tmb_bounded b)
{
    const double sum = a.value + b.value;
    return (tmb_bounded){sum, (a.error + b.error + 0x1p-53 * fabs(sum)) * TMB_BOUNDED_GROWTH};
}

static inline tmb_bounded tmb_bounded_subtract(tmb_bounded a, tmb_bounded b)
{
    b.value = -b.value;
    return tmb_bounded_add(a, b);
}

static inline tmb_bounded tmb_bounded_multiply(tmb_bounded a, tmb_bounded b)
{
    const double product = a.value * b.value;
    const double inherited = fabs(a.value) * b.error + (fabs(b.value) + b.error) * a.error;
    const double least = tmb_bounded_is_zero(a) || tmb_bounded_is_zero(b) ? 0 : TMB_BOUNDED_LEAST;
    return (tmb_bounded){product, (inherited + 0x1p-53 * fabs(product) + least) * TMB_BOUNDED_GROWTH};
}

/* The divisor is certainly not 0. */
static inline tmb_bounded tmb_bounded_divide(tmb_bounded a, tmb_bounded b)
{
    const double quotient = a.value / b.value, least = (fabs(b.value) - b.error) * (1 - 0x1p-49);
    const double inherited = (a.error + fabs(quotient) * b.error) / least;
    const double own = 0x1p-53 * fabs(quotient) + TMB_BOUNDED_LEAST;
    return (tmb_bounded){quotient, (inherited + own * (1 + b.error / least)) * TMB_BOUNDED_GROWTH};
}

/* It is certainly above 0. */
static inline tmb_bounded tmb_bounded_root(tmb_bounded a)
{
    const double root = sqrt(a.value);
    return (tmb_bounded){root, (a.error / root + 0x1p-53 * root) * TMB_BOUNDED_GROWTH};
}

static inline tmb_bounded tmb_bounded_widen(tmb_bounded a, double by)
{
    a.error += by;
    return a;
}

/* The true number's bounds, rounded to the nearest doubles: so, when it is rounded, it lies between them. */
static inline double tmb_bounded_low(tmb_bounded a)
{
    return a.value - a.error;
}

static inline double tmb_bounded_high(tmb_bounded a)
{
    return a.value + a.error;
}

/* ---- The sum of two doubles ---- */

typedef struct tmb_bounded2 {
    double high, low, error;
} tmb_bounded2;

static inline tmb_bounded2 tmb_bounded2_of(double x)
{
    return (tmb_bounded2){x, 0, 0};
}

static inline int tmb_bounded2_is_zero(tmb_bounded2 a)
{
    return a.high == 0 && a.low == 0 && a.error == 0;
}

/* More than what both low parts may be off by. */
static inline double tmb_bounded2_spread(tmb_bounded2 a)
{
    return (a.error + 0x1p-51 * (fabs(a.low) + a.error)) * TMB_BOUNDED_GROWTH;
}

static inline double tmb_bounded2_low(tmb_bounded2 a)
{
    return a.high + (a.low - tmb_bounded2_spread(a));
}

static inline double tmb_bounded2_high(tmb_bounded2 a)
{
    return a.high + (a.low + tmb_bounded2_spread(a));
}

static inline int tmb_bounded2_sign(tmb_bounded2 a)
{
    return (tmb_bounded2_low(a) > 0) - (tmb_bounded2_high(a) < 0);
}

/* high and low, which may overlap, and what they are off by. */
static inline tmb_bounded2 tmb_bounded2_made(double high, double low, double error)
{
    const tmb_double2 sum = tmb_two_sum(high, low);
    return (tmb_bounded2){sum.high, sum.low, error * TMB_BOUNDED_GROWTH};
}

static inline tmb_bounded2 tmb_bounded2_add(tmb_bounded2 a, tmb_bounded2 b)
{
    const tmb_double2 sum = tmb_two_sum(a.high, b.high);
    const double sizes = fabs(a.low) + fabs(b.low) + fabs(sum.low);
    return tmb_bounded2_made(sum.high, sum.low + (a.low + b.low), a.error + b.error + 0x1p-51 * sizes);
}

static inline tmb_bounded2 tmb_bounded2_subtract(tmb_bounded2 a, tmb_bounded2 b)
{
    return tmb_bounded2_add(a, (tmb_bounded2){-b.high, -b.low, b.error});
}

static inline tmb_bounded2 tmb_bounded2_multiply(tmb_bounded2 a, tmb_bounded2 b)
{
    const tmb_double2 product = tmb_two_product(a.high, b.high);
    const double mixed_a = a.high * b.low, mixed_b = a.low * b.high;
    const double size_a = fabs(a.high) + fabs(a.low), size_b = fabs(b.high) + fabs(b.low);
    const double own = fabs(a.low * b.low) + 0x1p-51 * (fabs(mixed_a) + fabs(mixed_b) + fabs(product.low));
    const double least = tmb_bounded2_is_zero(a) || tmb_bounded2_is_zero(b) ? 0 : TMB_BOUNDED_LEAST;
    return tmb_bounded2_made(product.high, product.low + (mixed_a + mixed_b),
                             size_a * b.error + (size_b + b.error) * a.error + own + least);
}

/* At least the size of a number that is certainly not 0. */
static inline double tmb_bounded2_least(tmb_bounded2 a)
{
    return (fabs(a.high) - fabs(a.low) - a.error) * (1 - 0x1p-49);
}

/* a / b - q = (a - q b) / b. */
static inline tmb_bounded2 tmb_bounded2_divide(tmb_bounded2 a, tmb_bounded2 b)
{
    const double first = a.high / b.high;
    const tmb_bounded2 rest = tmb_bounded2_subtract(a, tmb_bounded2_multiply(tmb_bounded2_of(first), b));
    const tmb_bounded2 quotient = tmb_bounded2_made(first, rest.high / b.high, 0);
    const tmb_bounded2 left = tmb_bounded2_subtract(a, tmb_bounded2_multiply(quotient, b));
    const double error = (fabs(left.high) + fabs(left.low) + left.error) / tmb_bounded2_least(b);
    return (tmb_bounded2){quotient.high, quotient.low, (error + TMB_BOUNDED_LEAST) * TMB_BOUNDED_GROWTH};
}

/* The root of a, minus r, is (a - r^2) / (root + r). */
static inline tmb_bounded2 tmb_bounded2_root(tmb_bounded2 a)
{
    const double first = sqrt(a.high);
    const tmb_double2 square = tmb_two_product(first, first);
    const tmb_bounded2 rest = tmb_bounded2_subtract(a, tmb_bounded2_made(square.high, square.low, 0));
    const tmb_bounded2 root = tmb_bounded2_made(first, rest.high / (2 * first), 0);
    const tmb_bounded2 left = tmb_bounded2_subtract(a, tmb_bounded2_multiply(root, root));
    const double error = (fabs(left.high) + fabs(left.low) + left.error) / tmb_bounded2_least(root);
    return (tmb_bounded2){root.high, root.low, (error + TMB_BOUNDED_LEAST) * TMB_BOUNDED_GROWTH};
}

static inline tmb_bounded2 tmb_bounded2_widen(tmb_bounded2 a, double by)
{
    a.error += by;
    return a;
}

#endif
