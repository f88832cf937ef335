/* The first contact of two triangles that do not turn, exactly. */
#ifndef TUMBLE_SRC_MOTION_EXACT_H
#define TUMBLE_SRC_MOTION_EXACT_H

#include "math/bigfloat.h"
#include "tumble/motion.h"

/* num / den, and den > 0. */
typedef struct tmb_big_fraction {
    tmb_bigfloat num, den;
} tmb_big_fraction;

/* Sign of a - b. */
int tmb_big_fraction_compare(tmb_bigfloat_pool *pool, const tmb_big_fraction *a, const tmb_big_fraction *b);

/* The doubles around a fraction from 0 to `most`, or the same one twice. */
void tmb_big_fraction_round(tmb_bigfloat_pool *pool, const tmb_big_fraction *f, double most, double *below,
                            double *above);

/* The multiples of `way`, not negative ones, by which B's triangle at its pose is to be moved to be in contact with
 * A's: from `first` to `last`, and the normal of the facet that comes last, away from A; its largest coordinate is 1 or
 * -1. `passes`: in between both triangles, which have an area, pass through each other. 0: there are none. -1: no
 * memory. The way is not 0. */
int tmb_exact_span(tmb_bigfloat_pool *pool, const tumble_pose *const poses[2], const double way[3],
                   const double a[3][3], const double b[3][3], tmb_big_fraction *first, tmb_big_fraction *last,
                   double stop[3], int *passes);

/* Whether two triangles, in the models' own coordinates, are in contact at a time from `begin` to `end` of motions that
 * only translate, and the doubles around the first such time: the same one twice if it is a double. -1: no memory. */
int tmb_exact_contact(tmb_bigfloat_pool *pool, const tumble_motion *motions[2], const double a[3][3],
                      const double b[3][3], double begin, double end, double *below, double *above);

#endif
