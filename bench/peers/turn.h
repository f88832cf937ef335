/* A rotation about an axis of length 1. */
#ifndef TUMBLE_BENCH_PEERS_TURN_H
#define TUMBLE_BENCH_PEERS_TURN_H

#include <math.h>

#include "tumble/math.h"

static inline tumble_pose turn_about(const double axis[3], double angle)
{
    const double cosine = cos(angle), sine = sin(angle), rest = 1 - cosine;
    const double x = axis[0], y = axis[1], z = axis[2];
    const tumble_pose pose = {{{cosine + rest * x * x, rest * x * y - sine * z, rest * x * z + sine * y, 0},
                               {rest * x * y + sine * z, cosine + rest * y * y, rest * y * z - sine * x, 0},
                               {rest * x * z - sine * y, rest * y * z + sine * x, cosine + rest * z * z, 0}}};
    return pose;
}

#endif
