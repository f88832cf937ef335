/* Vectors of three doubles, and the larger and the smaller of two numbers. Sums go from left to right, ((x + y) + z):
 * proofs and bits depend on it. */
#ifndef TUMBLE_SRC_MATH_VEC3_H
#define TUMBLE_SRC_MATH_VEC3_H

#include <math.h>
#include <stddef.h>

/* The second one where one of them is NaN. */
static inline double tmb_greater(double a, double b)
{
    return a > b ? a : b;
}

static inline double tmb_lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double tmb_dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void tmb_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void tmb_subtract(const double a[3], const double b[3], double out[3])
{
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
    out[2] = a[2] - b[2];
}

static inline double tmb_length(const double v[3])
{
    return sqrt(tmb_dot(v, v));
}

/* The sum of the absolute components. */
static inline double tmb_sum_of_sizes(const double v[3])
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* The largest absolute component; NaN is ignored. */
static inline double tmb_largest_size(const double v[3])
{
    return fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

/* The same of any numbers. */
static inline double tmb_largest_of(const double *numbers, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(numbers[i]));
    }
    return largest;
}

/* Orders lists of numbers by the first that differ: negative, 0 or positive. Zeros of both signs are equal. */
static inline int tmb_compare_numbers(const double *a, const double *b, size_t count)
{
    size_t i = 0;
    while (i + 1 < count && a[i] == b[i]) {
        i++;
    }
    return (a[i] > b[i]) - (a[i] < b[i]);
}

/* And by the first that differ in sign; minus comes first. */
static inline int tmb_compare_signs(const double *a, const double *b, size_t count)
{
    size_t i = 0;
    while (i + 1 < count && !signbit(a[i]) == !signbit(b[i])) {
        i++;
    }
    return !signbit(a[i]) - !signbit(b[i]);
}

/* Whether none of the numbers is infinite or NaN. */
static inline int tmb_all_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return 0;
        }
    }
    return 1;
}

#endif
