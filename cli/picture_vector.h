/* Directions. */
#ifndef TUMBLE_CLI_PICTURE_VECTOR_H
#define TUMBLE_CLI_PICTURE_VECTOR_H

#include "math/vec3.h"

/* To length one, however short or long it is; 0 when it has no direction. */
static inline int picture_normalise(double v[3])
{
    const double largest = tmb_largest_size(v);
    if (!(largest > 0) || !isfinite(largest)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        v[k] /= largest;
    }
    const double length = tmb_length(v);
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
    return 1;
}

#endif
