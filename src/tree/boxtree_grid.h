/* The grid on which a boxtree tells its boxes: whole numbers, so that all sums of them are exact (docs/boxtree.md). */
#ifndef TUMBLE_SRC_TREE_BOXTREE_GRID_H
#define TUMBLE_SRC_TREE_BOXTREE_GRID_H

#include <stdint.h>

/* The model's longest side is at most 2^30 units of the grid, and at least half of that; a box that is rounded up can
 * end one unit further. */
#define TMB_GRID_BITS 30
#define TMB_GRID_MOST ((1 << TMB_GRID_BITS) + 2)

typedef struct tmb_grid {
    double lower[3]; /* the model's lower corner, where the grid starts */
    double half[3];  /* 0.5 where the difference of two coordinates could overflow, else 1 */
    double scale[2]; /* their product is 2^-exponent, which one double might not hold */
    int exponent;    /* a unit is 2^exponent */
} tmb_grid;

tmb_grid tmb_grid_of(const double lower[3], const double upper[3]);

/* Distance from the lower corner in units. The difference is rounded relative to itself, so it is off by at most 2^-22
 * units (53 bits, at most 2^30 units). Scaling is exact but for underflow, which is far below that, and so is halving:
 * where coordinates are that large, the axis is long or none of them is small. */
static inline double tmb_grid_units(const tmb_grid *grid, int axis, double x)
{
    const double half = grid->half[axis];
    return (half * x - half * grid->lower[axis]) * grid->scale[0] * grid->scale[1] * (half < 1 ? 2 : 1);
}

/* Four times the error of tmb_grid_units. */
#define TMB_GRID_GUARD 0x1p-20

/* The units in which a coordinate lies: rounded down and rounded up. Neither leaves 0 to TMB_GRID_MOST, not even for
 * coordinates that leave the model's bounds. Both only grow with x. */
static inline int32_t tmb_grid_below(const tmb_grid *grid, int axis, double x)
{
    const double units = tmb_grid_units(grid, axis, x) - TMB_GRID_GUARD;
    return units > 0 ? (int32_t)(units < TMB_GRID_MOST ? units : TMB_GRID_MOST) : 0;
}
static inline int32_t tmb_grid_above(const tmb_grid *grid, int axis, double x)
{
    const double units = tmb_grid_units(grid, axis, x) + TMB_GRID_GUARD;
    const int32_t whole = units > 0 ? (int32_t)(units < TMB_GRID_MOST ? units : TMB_GRID_MOST) : 0;
    return whole + (units > whole && whole < TMB_GRID_MOST);
}

/* The largest distance with 24 bits that is at most `distance`, and not negative: exact in float. */
static inline float tmb_grid_cut(int32_t distance)
{
    if (distance <= 0) {
        return 0;
    }
    const int over = 8 - __builtin_clz((unsigned)distance), shift = over > 0 ? over : 0;
    return (float)(distance >> shift << shift);
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

/* Moves a side inward. */
static inline void tmb_grid_move(tmb_grid_box *box, int side, float cut)
{
    if (side & 1) {
        box->upper[side >> 1] -= (int32_t)cut;
    } else {
        box->lower[side >> 1] += (int32_t)cut;
    }
}

#endif
