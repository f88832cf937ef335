/* Points that are constructed and exact: quotients with one denominator. */
#ifndef TUMBLE_SRC_RELATE_POINT_H
#define TUMBLE_SRC_RELATE_POINT_H

#include "math/bigfloat.h"

typedef struct tmb_exact_point {
    tmb_bigfloat x[3], w; /* the point is x / w; w is positive */
    double near[3];       /* and that near to this: */
    double error;
} tmb_exact_point;

/* Fills in what is near. */
void tmb_exact_point_finish(tmb_exact_point *point);

/* Doubles decide where they can; `*exact` counts the others. */

/* The sign of tmb_orient3d. */
int tmb_exact_orient3d(tmb_bigfloat_pool *pool, const double a[3], const double b[3], const double c[3],
                       const tmb_exact_point *d, uint64_t *exact);

/* Of (b - a) x (c - a), along an axis. */
int tmb_exact_orient2d(tmb_bigfloat_pool *pool, const double a[3], const double b[3], const tmb_exact_point *c,
                       int axis, uint64_t *exact);

#endif
