/* The grid of a boxtree's boxes: integers, so that all sums are exact (docs/boxtree.md). */
#ifndef TUMBLE_SRC_TREE_BOXTREE_GRID_H
#define TUMBLE_SRC_TREE_BOXTREE_GRID_H

#include <math.h>
#include <stdint.h>

#include "base/assert.h"
#include "math/bounds.h"

/* The model's longest side is at most 2^30 units of the grid, and at least half of that; a box that is rounded up can
 * end one unit further. */
#define TMB_GRID_BITS 30
#define TMB_GRID_MOST ((1 << TMB_GRID_BITS) + 2)

typedef struct tmb_grid {
    double half[3];   /* 0.5 where the difference of two coordinates could overflow, else 1 */
    double origin[3]; /* half of the model's lower corner, where the grid starts, or all of it */
    double scale[3];  /* together with `rest` 2^-exponent / half, which one double might not hold */
    double rest;
    int exponent; /* a unit is 2^exponent */
} tmb_grid;

tmb_grid tmb_grid_of(const double lower[3], const double upper[3]);

/* The grid from this corner on, for coordinates up to `upper`. */
tmb_grid tmb_grid_at(const double corner[3], int exponent, const double upper[3]);

/* Distance from the lower corner in units. The difference is rounded relative to itself, so it is off by at most 2^-22
 * units (53 bits, at most 2^30 units). Scaling is exact except for underflow, which is far below that, and so is
 * halving: where coordinates are that large, the axis is long or none of them is small. */
static inline double tmb_grid_units(const tmb_grid *grid, int axis, double x)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    TMB_ASSERT(!isnan(x));
    return (grid->half[axis] * x - grid->origin[axis]) * grid->scale[axis] * grid->rest;
}

static inline double tmb_grid_clamp(double units)
{
    const double least = units > 0 ? units : 0;
    return least < TMB_GRID_MOST ? least : TMB_GRID_MOST;
}

/* A coordinate in units, rounded down and rounded up. Both stay within 0 to TMB_GRID_MOST, even for coordinates outside
 * the model's bounds, and are monotone in x. */
static inline int32_t tmb_grid_below(const tmb_grid *grid, int axis, double x)
{
    return (int32_t)tmb_grid_clamp(tmb_grid_units(grid, axis, x) - TMB_GRID_GUARD);
}
static inline int32_t tmb_grid_above(const tmb_grid *grid, int axis, double x)
{
    const double units = tmb_grid_clamp(tmb_grid_units(grid, axis, x) + TMB_GRID_GUARD);
    const int32_t whole = (int32_t)units;
    return whole + (units > whole);
}

/* The largest distance with 24 bits that is at most `distance`, and not negative: exact in float. */
static inline int32_t tmb_grid_shorten(int32_t distance)
{
    const int32_t least = distance > 0 ? distance : 0;
    return least & (int32_t)(0xffffff00u >> __builtin_clz((unsigned)least | 1));
}
static inline float tmb_grid_cut(int32_t distance)
{
    TMB_ASSERT(distance <= TMB_GRID_MOST);
    return (float)tmb_grid_shorten(distance);
}

/* x, y, z and a spare lane, in units of the grid. */
typedef int32_t tmb_grid4 __attribute__((vector_size(16)));

static inline tmb_grid4 tmb_grid_select(tmb_grid4 mask, tmb_grid4 a, tmb_grid4 b)
{
    return (a & mask) | (b & ~mask);
}
static inline tmb_grid4 tmb_grid_min(tmb_grid4 a, tmb_grid4 b)
{
    return tmb_grid_select(a < b, a, b);
}
static inline tmb_grid4 tmb_grid_max(tmb_grid4 a, tmb_grid4 b)
{
    return tmb_grid_select(a > b, a, b);
}

typedef struct tmb_grid_box {
    tmb_grid4 lower, upper;
} tmb_grid_box;

/* To multiples of 2^7 units, outward: the distances of such sides are exact in float. */
#define TMB_GRID_COARSE 127
static inline void tmb_grid_coarsen(tmb_grid_box *box)
{
    const tmb_grid4 mask = {~TMB_GRID_COARSE, ~TMB_GRID_COARSE, ~TMB_GRID_COARSE, -1};
    const tmb_grid4 step = {TMB_GRID_COARSE, TMB_GRID_COARSE, TMB_GRID_COARSE, 0};
    box->lower = box->lower & mask;
    box->upper = (box->upper + step) & mask;
}

/* Moves a side inward. */
static inline void tmb_grid_move(tmb_grid_box *box, int side, float cut)
{
    TMB_ASSERT(side >= 0 && side < 6);
    TMB_ASSERT(cut >= 0 && cut <= (float)TMB_GRID_MOST);
    if (side & 1) {
        box->upper[side >> 1] -= (int32_t)cut;
    } else {
        box->lower[side >> 1] += (int32_t)cut;
    }
}

#endif
