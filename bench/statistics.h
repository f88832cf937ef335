/* Medians and means. */
#ifndef TUMBLE_BENCH_STATISTICS_H
#define TUMBLE_BENCH_STATISTICS_H

#include <stddef.h>

/* The middle value, or the mean of the two in the middle; sorts the values. 0 when there are none. */
double bench_median(double *values, size_t count);
double bench_mean(const double *values, size_t count);

/* A geometric mean in the making; start with {0}. */
typedef struct bench_geometric_mean {
    double sum_of_logarithms;
    size_t count;
} bench_geometric_mean;

/* Numbers that are not above zero have no logarithm and are left out. */
void bench_geometric_add(bench_geometric_mean *mean, double value);
double bench_geometric_value(const bench_geometric_mean *mean); /* NaN when nothing was added */

/* The exponent e in y ~ x^e by least squares on logarithms: 1 is linear. Start with {0}. */
typedef struct bench_power_fit {
    double count, x, y, xx, xy; /* sums */
} bench_power_fit;

void bench_power_add(bench_power_fit *fit, double x, double y);
double bench_power_exponent(const bench_power_fit *fit); /* NaN with fewer than two different x */

#endif
