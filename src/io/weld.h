/* Merges points with equal coordinates. */
#ifndef TUMBLE_SRC_IO_WELD_H
#define TUMBLE_SRC_IO_WELD_H

#include "base/context.h"

/* Moves the first of each set of equal points to the front, in order, sets *count to how many these are and numbers[i]
 * to the new number of the i-th point. Coordinates must be finite; -0 becomes 0. `expected` is a guess of how many will
 * be left. After a failure the contents of points and numbers are undefined. */
tumble_status tmb_weld_points(tumble_context *context, double *points, size_t *count, size_t expected,
                              uint32_t *numbers);

#endif
