/* The first contact of two triangles that do not turn, exactly. */
#ifndef TUMBLE_SRC_MOTION_EXACT_H
#define TUMBLE_SRC_MOTION_EXACT_H

#include "math/bigfloat.h"
#include "tumble/motion.h"

/* Whether two triangles, in the models' own coordinates, are in contact at a time from `begin` to `end` of motions that
 * only translate, and the doubles around the first such time: the same one twice if it is a double. -1: no memory. */
int tmb_exact_contact(tmb_bigfloat_pool *pool, const tumble_motion *motions[2], const double a[3][3],
                      const double b[3][3], double begin, double end, double *below, double *above);

#endif
