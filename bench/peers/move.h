/* Moves points for the libraries that do not take poses, in Tumble's order of operations (docs/semantics.md), so that
 * all of them judge the same coordinates. Needs -ffp-contract=off. */
#ifndef TUMBLE_BENCH_MOVE_H
#define TUMBLE_BENCH_MOVE_H

#include "tumble/math.h"

static inline double move_coordinate(const double row[4], double x, double y, double z)
{
    return ((row[0] * x + row[1] * y) + row[2] * z) + row[3];
}

#endif
