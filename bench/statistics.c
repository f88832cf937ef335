/* Medians and means. */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

double bench_median(double *values, size_t count)
{
    if (count == 0) {
        return 0;
    }
    qsort(values, count, sizeof *values, compare_numbers);
    const double upper = values[count / 2];
    return count % 2 ? upper : 0.5 * (values[count / 2 - 1] + upper);
}

double bench_mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return count ? sum / (double)count : 0;
}

void bench_geometric_add(bench_geometric_mean *mean, double value)
{
    if (value > 0) {
        mean->sum_of_logarithms += log(value);
        mean->count++;
    }
}

double bench_geometric_value(const bench_geometric_mean *mean)
{
    return mean->count ? exp(mean->sum_of_logarithms / (double)mean->count) : (double)NAN;
}

void bench_power_add(bench_power_fit *fit, double x, double y)
{
    if (x > 0 && y > 0) {
        const double u = log(x), v = log(y);
        fit->count += 1;
        fit->x += u;
        fit->y += v;
        fit->xx += u * u;
        fit->xy += u * v;
    }
}

double bench_power_exponent(const bench_power_fit *fit)
{
    return (fit->count * fit->xy - fit->x * fit->y) / (fit->count * fit->xx - fit->x * fit->x);
}
