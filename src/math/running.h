/* Doubles with a running bound on their error: |value - true value| <= error.
 *
 * With u = 2^-53 a rounded sum is off by at most u of it, and a product by as much or, where it underflows, 2^-1075.
 * What goes into the error is rounded at most seven times, so the factor 1 + TMB_RUNNING_ROUNDING makes it a bound
 * again (proofs/running_error.g). What overflows makes the error infinite or NaN, and then nothing is certain. */
#ifndef TUMBLE_SRC_MATH_RUNNING_H
#define TUMBLE_SRC_MATH_RUNNING_H

#include <math.h>

#include "math/bounds.h"

typedef struct tmb_running {
    double value, error;
} tmb_running;

static inline tmb_running tmb_running_sum(tmb_running x, tmb_running y)
{
    const double value = x.value + y.value;
    return (tmb_running){value, (x.error + y.error + TMB_DOUBLE_ROUNDING * fabs(value)) * (1 + TMB_RUNNING_ROUNDING)};
}

static inline tmb_running tmb_running_difference(tmb_running x, tmb_running y)
{
    return tmb_running_sum(x, (tmb_running){-y.value, y.error});
}

static inline tmb_running tmb_running_product(tmb_running x, tmb_running y)
{
    const double value = x.value * y.value;
    const double error =
        fabs(x.value) * y.error + x.error * (fabs(y.value) + y.error) + TMB_DOUBLE_ROUNDING * fabs(value);
    return (tmb_running){value, error * (1 + TMB_RUNNING_ROUNDING) + TMB_RUNNING_UNDERFLOW};
}

#endif
