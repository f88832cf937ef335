/* Signs of determinants in plain doubles, where a proven bound on the rounding error allows it.
 *
 * u = 2^-53. An operation on finite doubles whose result does not overflow gives the exact result times (1 + d), |d| <=
 * u, and a product may lose 2^-1075 more by underflow; sums and differences never do, as gradual underflow makes tiny
 * ones exact.
 *
 * Orient3d: adx and its like carry one factor (1 + d) each. A term (bdx cdy) adz of the expanded determinant meets at
 * most eight: three differences, two products, the difference of the minor, two sums of the three minors. The permanent
 * P, the sum of the six |terms|, goes through the same operations. So 9 u times the computed P is a bound
 * (proofs/filter_orient3d.g).
 * Underflow: what products lose is less than 2^-1000 (|adz| + |bdz| + |cdz| + 1) (proofs/filter_underflow.g), a normal
 * number that costs no denormal arithmetic.
 * Overflow: by monotony of rounding every intermediate of the determinant is at most the like one of P. An
 * overflow therefore leaves infinity or NaN in the bound, and no sign is larger than that.
 *
 * Orient2d: four factors a term (two differences, a product, a difference), hence 5 u (proofs/filter_orient2d.g). */
#ifndef TUMBLE_SRC_MATH_FILTER_H
#define TUMBLE_SRC_MATH_FILTER_H

#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "math/bounds.h"

#if defined(__FAST_MATH__) || (defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0)
#error "exact predicates need IEEE double arithmetic: no -ffast-math, no excess precision"
#endif

/* -1 or 1 when the value is surely that far from 0; 0: not known. */
static inline int tmb_certain_sign(double value, double bound)
{
    TMB_ASSERT(!(bound < 0));
    return (value > bound) - (value < -bound);
}

static inline int tmb_orient2d_filter(const double a[2], const double b[2], const double c[2])
{
    const double left = (a[0] - c[0]) * (b[1] - c[1]);
    const double right = (a[1] - c[1]) * (b[0] - c[0]);
    return tmb_certain_sign(left - right, TMB_ERROR_2D * (fabs(left) + fabs(right)) + TMB_ERROR_UNDERFLOW);
}

/* The determinant of three rows that are differences of points, in doubles, and its bound. */
static inline double tmb_determinant_filter(const double r[3][3], double *bound)
{
    const double yz1 = r[1][0] * r[2][1], yz2 = r[2][0] * r[1][1];
    const double zx1 = r[2][0] * r[0][1], zx2 = r[0][0] * r[2][1];
    const double xy1 = r[0][0] * r[1][1], xy2 = r[1][0] * r[0][1];
    const double z0 = fabs(r[0][2]), z1 = fabs(r[1][2]), z2 = fabs(r[2][2]);
    const double permanent = (fabs(yz1) + fabs(yz2)) * z0 + (fabs(zx1) + fabs(zx2)) * z1 + (fabs(xy1) + fabs(xy2)) * z2;
    *bound = TMB_ERROR_3D * permanent + TMB_ERROR_UNDERFLOW * (z0 + z1 + z2 + 1.0);
    return (yz1 - yz2) * r[0][2] + (zx1 - zx2) * r[1][2] + (xy1 - xy2) * r[2][2];
}

static inline int tmb_orient3d_filter(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double rows[3][3] = {{a[0] - d[0], a[1] - d[1], a[2] - d[2]},
                               {b[0] - d[0], b[1] - d[1], b[2] - d[2]},
                               {c[0] - d[0], c[1] - d[1], c[2] - d[2]}};
    double bound;
    const double determinant = tmb_determinant_filter(rows, &bound);
    return tmb_certain_sign(determinant, bound);
}

#endif
