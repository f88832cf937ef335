/* The choice of a boxtree's grid. */
#include "tree/boxtree_grid.h"

#include <math.h>
#include <string.h>

tmb_grid tmb_grid_of(const double lower[3], const double upper[3])
{
    double farthest = 0, longest = 0;
    for (int k = 0; k < 3; k++) {
        farthest = fmax(farthest, fmax(fabs(lower[k]), fabs(upper[k])));
    }
    tmb_grid grid = {.half = farthest > 0x1p1022 ? 0.5 : 1};
    memcpy(grid.lower, lower, sizeof grid.lower);
    for (int k = 0; k < 3; k++) {
        longest = fmax(longest, grid.half * upper[k] - grid.half * lower[k]);
    }
    int exponent = -1100 + TMB_GRID_BITS; /* for a single point, a unit that no scaling of a query makes large */
    if (longest > 0) {
        (void)frexp(longest, &exponent); /* longest <= 2^exponent */
    }
    exponent -= TMB_GRID_BITS;
    grid.exponent = exponent + (grid.half < 1);
    grid.scale[0] = ldexp(1, -(exponent / 2));
    grid.scale[1] = ldexp(1, -(exponent - exponent / 2));
    return grid;
}
