/* Vectors for pictures. */
#ifndef TUMBLE_CLI_PICTURE_VECTOR_H
#define TUMBLE_CLI_PICTURE_VECTOR_H

#include <math.h>

static inline double picture_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void picture_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* To length one; 0 when there is none. */
static inline int picture_normalise(double v[3])
{
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0) || !isfinite(largest)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        v[k] /= largest;
    }
    const double length = sqrt(picture_dot(v, v));
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
    return 1;
}

#endif
