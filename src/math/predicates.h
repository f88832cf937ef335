/* Exact signs of determinants of doubles.
 *
 * They rely on IEEE arithmetic as C programs find it: rounding to nearest, denormal numbers not flushed to zero, no
 * contraction to fused operations (-ffp-contract=off). */
#ifndef TUMBLE_SRC_MATH_PREDICATES_H
#define TUMBLE_SRC_MATH_PREDICATES_H

/* Sign (-1, 0, 1) of the determinant |a-c, b-c| in the plane: positive when a, b, c turn left. Exact for all finite
 * doubles, also where products over- or underflow. */
int tmb_orient2d(const double a[2], const double b[2], const double c[2]);

/* Sign of the determinant |a-d, b-d, c-d|: positive when d lies below the plane of a, b, c that turn left seen from
 * above. Exact for all finite doubles. */
int tmb_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

/* Sign of the determinant |direction, p - o, q - o|: on which side of the line through o along a direction the line
 * through p and q passes. And of the component of direction x (p - o) along an axis. Exact for all finite doubles. */
int tmb_turn3d(const double direction[3], const double p[3], const double q[3], const double o[3]);
int tmb_turn_along(const double direction[3], const double p[3], const double o[3], int axis);

/* What decided a sign, from cheap to expensive. */
typedef enum tmb_stage {
    TMB_STAGE_FILTER = 0,    /* plain doubles, or equal points or coordinates */
    TMB_STAGE_LATTICE = 1,   /* integers of 128 bits: the coordinates are multiples of a common unit */
    TMB_STAGE_DOUBLED = 2,   /* a sum of two doubles for every number, with a bound */
    TMB_STAGE_EXPANSION = 3, /* exact expansions */
    TMB_STAGE_INTEGER = 4    /* integers of many words, where doubles could over- or underflow */
} tmb_stage;

/* The same signs; `stage` receives what decided. */
int tmb_orient2d_stage(const double a[2], const double b[2], const double c[2], tmb_stage *stage);
int tmb_orient3d_stage(const double a[3], const double b[3], const double c[3], const double d[3], tmb_stage *stage);

/* The determinants themselves: the result times 2^*exponent, with a relative error below 2^-50 however much cancels,
 * for all finite doubles. */
double tmb_orient2d_value(const double a[2], const double b[2], const double c[2], int *exponent);
double tmb_orient3d_value(const double a[3], const double b[3], const double c[3], const double d[3], int *exponent);

#endif
