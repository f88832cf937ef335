/* Rounds doubles down or up to float. Both are monotone, so boxes rounded outward meet when their contents do. */
#ifndef TUMBLE_SRC_MATH_ROUNDING_H
#define TUMBLE_SRC_MATH_ROUNDING_H

#include <math.h>

#include "base/assert.h"

static inline float tmb_float_below(double x)
{
    TMB_ASSERT(!isnan(x));
    const float nearest = (float)x;
    return (double)nearest > x ? nextafterf(nearest, -INFINITY) : nearest;
}

static inline float tmb_float_above(double x)
{
    TMB_ASSERT(!isnan(x));
    const float nearest = (float)x;
    return (double)nearest < x ? nextafterf(nearest, INFINITY) : nearest;
}

#endif
