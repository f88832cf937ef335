/* Exact signs of determinants of doubles. */
#ifndef TUMBLE_SRC_MATH_PREDICATES_H
#define TUMBLE_SRC_MATH_PREDICATES_H

/* Sign (-1, 0, 1) of the determinant |a-c, b-c| in the plane: positive when a, b, c turn left. Exact for all finite doubles, also where
 * products over- or underflow. */
int tmb_orient2d(const double a[2], const double b[2], const double c[2]);

/* Sign of the determinant |a-d, b-d, c-d|: positive when d lies below the plane of a, b, c that turn left seen from above. Exact for all finite doubles. */
int tmb_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
