/* Parameters of rays as quotients of integers. */
#ifndef TUMBLE_SRC_PRIM_RAY_FRACTION_H
#define TUMBLE_SRC_PRIM_RAY_FRACTION_H

#include "math/bigint.h"
#include "prim/triangle_ray.h"

/* above / below * 2^exponent; below > 0. */
typedef struct tmb_fraction {
    tmb_bigint above, below;
    int exponent;
} tmb_fraction;

void tmb_fraction_of_double(double value, tmb_fraction *out);

/* The parameter that a kind, corners and an axis define. */
void tmb_fraction_of_point(const tmb_ray *ray, const double corners[3][3], const tmb_ray_point *point,
                           tmb_fraction *out);

/* Sign of a - b. */
int tmb_fraction_compare(const tmb_fraction *a, const tmb_fraction *b);

/* Rounded to nearest, ties to even. */
double tmb_fraction_round(const tmb_fraction *fraction);

#endif
