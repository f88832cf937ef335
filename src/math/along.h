/* Which of two points lies further along a direction: the sign of direction . (a - b). */
#ifndef TUMBLE_SRC_MATH_ALONG_H
#define TUMBLE_SRC_MATH_ALONG_H

#include "math/bounds.h"
#include "math/filter.h"

/* In plain doubles, with a bound on its error: a term meets four roundings (difference, product, two sums), so with the
 * reasoning of math/filter.h 5 u times the sum of the |terms| is enough (proofs/filter_along.g), and underflow and
 * overflow are dealt with as there. */
static inline double tmb_along_filter(const double direction[3], const double a[3], const double b[3], double *bound)
{
    const double x = direction[0] * (a[0] - b[0]), y = direction[1] * (a[1] - b[1]), z = direction[2] * (a[2] - b[2]);
    *bound = TMB_ERROR_ALONG * (fabs(x) + fabs(y) + fabs(z)) + TMB_ERROR_UNDERFLOW;
    return x + y + z;
}

/* -1, 0 or 1, exactly, for all finite doubles. */
int tmb_compare_along(const double direction[3], const double a[3], const double b[3]);

#endif
