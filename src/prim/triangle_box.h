/* Triangles and boxes that are parallel to the axes. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_BOX_H
#define TUMBLE_SRC_PRIM_TRIANGLE_BOX_H

#include "prim/triangle_distance.h"

/* Whether a closed triangle (a segment or a point when degenerate) and a closed box of finite doubles have a point in
 * common: exactly. `exact`, if not NULL, is incremented if bounding boxes and corners did not decide. */
int tmb_triangle_meets_box(const double triangle[3][3], const double lower[3], const double upper[3],
                           unsigned long long *exact);

/* Whether their distance is at most a limit: exactly. */
int tmb_triangle_near_box(const double triangle[3][3], const double lower[3], const double upper[3],
                          const tmb_limit *limit, unsigned long long *exact);

#endif
