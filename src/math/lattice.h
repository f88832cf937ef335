/* Coordinates that are integers of moderate size in a common unit: of a grid, of float precision, or simply of similar
 * size. Their determinants are exact in integers of 128 bits, which is faster than anything else. */
#ifndef TUMBLE_SRC_MATH_LATTICE_H
#define TUMBLE_SRC_MATH_LATTICE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "math/bigint.h"

#ifdef __SIZEOF_INT128__
#define TMB_HAS_LATTICE 1
__extension__ typedef __int128 tmb_int128;
#else
#define TMB_HAS_LATTICE 0 /* the other stages give the same results, slower */
#endif

/* Coordinates are below 2^60 units, differences below 2^61. */
#define TMB_LATTICE_BITS 60

static inline double tmb_power_of_two(int exponent)
{
    TMB_ASSERT(exponent > -1023 && exponent < 1024);
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The coordinates as integers in the unit that suits the largest of them; 0 if one is not a multiple of it. They must
 * not be all 0, nor so far apart in magnitude that a quotient underflows, nor beyond [2^-900, 2^900]. */
static inline int tmb_to_lattice(const double *coordinates, int count, int64_t *out)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        const double size = fabs(coordinates[i]);
        largest = size > largest ? size : largest;
    }
    const double per_unit = tmb_power_of_two(TMB_LATTICE_BITS - (tmb_double_exponent(largest) + 53));
    int all = 1;
    for (int i = 0; i < count; i++) {
        const double scaled = coordinates[i] * per_unit;
        out[i] = (int64_t)scaled;
        all &= (double)out[i] == scaled;
    }
    return all;
}

#endif
