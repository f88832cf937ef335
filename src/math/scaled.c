/* Numbers beyond the range of doubles. */
#include "math/scaled.h"

#include <float.h>
#include <math.h>

#include "base/assert.h"

tmb_scaled tmb_scaled_of(double digits, int exponent)
{
    TMB_ASSERT(digits >= 0.0 && isfinite(digits));
    int own = 0;
    const double fraction = frexp(digits, &own);
    const int all = own + exponent;
    if (fraction == 0.0) {
        return (tmb_scaled){0.0, 0};
    }
    return all >= DBL_MIN_EXP && all <= DBL_MAX_EXP ? (tmb_scaled){ldexp(fraction, all), 0}
                                                    : (tmb_scaled){fraction, all};
}

tmb_scaled tmb_scaled_quotient(double a, double b)
{
    TMB_ASSERT(a >= 0.0 && b > 0.0 && isfinite(a) && isfinite(b));
    int up, down;
    const double top = frexp(a, &up), bottom = frexp(b, &down);
    return tmb_scaled_of(top / bottom, up - down);
}

tmb_scaled tmb_scaled_product(tmb_scaled a, double b)
{
    TMB_ASSERT(b > 0.0 && isfinite(b));
    const double plain = a.digits * b;
    if (a.exponent == 0 && plain > DBL_MIN && plain <= DBL_MAX) {
        return (tmb_scaled){plain, 0};
    }
    int first, second;
    const double x = frexp(a.digits, &first), y = frexp(b, &second);
    return tmb_scaled_of(x * y, a.exponent + first + second);
}

int tmb_scaled_compare(tmb_scaled a, tmb_scaled b)
{
    if (a.exponent == 0 && b.exponent == 0) {
        return (a.digits > b.digits) - (a.digits < b.digits);
    }
    int first, second;
    const double x = frexp(a.digits, &first), y = frexp(b.digits, &second);
    const int order = a.exponent + first - (b.exponent + second);
    if (x == 0.0 || y == 0.0 || order == 0) {
        return (x > y) - (x < y);
    }
    return order;
}

double tmb_scaled_nearest(tmb_scaled a)
{
    return ldexp(a.digits, a.exponent);
}

double tmb_scaled_below(tmb_scaled a)
{
    const double x = tmb_scaled_nearest(a);
    return isfinite(x) && tmb_scaled_compare((tmb_scaled){x, 0}, a) <= 0 ? x : nextafter(x, 0.0);
}

double tmb_scaled_above(tmb_scaled a)
{
    const double x = tmb_scaled_nearest(a);
    return !isfinite(x) || tmb_scaled_compare((tmb_scaled){x, 0}, a) >= 0 ? x : nextafter(x, INFINITY);
}

static double least_length(double length, double unit)
{
    const double finite = fmin(length, DBL_MAX), product = finite * unit;
    return product > DBL_MIN && product <= DBL_MAX
               ? product
               : tmb_scaled_below(tmb_scaled_product((tmb_scaled){finite, 0}, unit));
}

static double most_length(double length, double unit)
{
    const double product = length * unit;
    if ((product > DBL_MIN && product <= DBL_MAX) || !isfinite(length)) {
        return product;
    }
    return tmb_scaled_above(tmb_scaled_product((tmb_scaled){length, 0}, unit));
}

double tmb_length_below(double length, double unit)
{
    return length < 0.0 ? -most_length(-length, unit) : least_length(length, unit);
}

double tmb_length_above(double length, double unit)
{
    return length < 0.0 ? -least_length(-length, unit) : most_length(length, unit);
}

tmb_limit tmb_limit_at(tmb_scaled exact)
{
    return (tmb_limit){tmb_scaled_below(exact), tmb_scaled_above(exact), exact};
}

tmb_limit tmb_limit_of(double length, double unit)
{
    TMB_ASSERT(length >= 0.0 && unit > 0.0);
    const double quotient = length / unit;
    if (length == 0.0 || unit == 1.0 || !isfinite(length) || (quotient > DBL_MIN && quotient <= DBL_MAX)) {
        return (tmb_limit){quotient, quotient, {isfinite(quotient) ? quotient : 0.0, 0}};
    }
    return tmb_limit_at(tmb_scaled_quotient(length, unit));
}
