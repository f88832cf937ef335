/* The choice of a boxtree's grid. */
#include "tree/boxtree/grid.h"

#include <math.h>

#include "base/assert.h"

static void set_scale(tmb_grid *grid)
{
    for (int k = 0; k < 3; k++) {
        grid->scale[k] = ldexp(1 / grid->half[k], -(grid->exponent / 2));
    }
    grid->rest = ldexp(1, -(grid->exponent - grid->exponent / 2));
}

tmb_grid tmb_grid_at(const double corner[3], int exponent, const double upper[3])
{
    tmb_grid grid = {.exponent = exponent};
    for (int k = 0; k < 3; k++) {
        grid.half[k] = fmax(fabs(corner[k]), fabs(upper[k])) > 0x1p1022 ? 0.5 : 1;
        grid.origin[k] = grid.half[k] * corner[k];
    }
    set_scale(&grid);
    return grid;
}

tmb_grid tmb_grid_of(const double lower[3], const double upper[3])
{
    TMB_ASSERT(lower[0] <= upper[0] && lower[1] <= upper[1] && lower[2] <= upper[2]);
    TMB_ASSERT(isfinite(lower[0]) && isfinite(upper[0]) && isfinite(lower[1]) && isfinite(upper[1]) &&
               isfinite(lower[2]) && isfinite(upper[2]));
    tmb_grid grid = {.exponent = -1100}; /* for a single point, a unit that no scaling of a query makes large */
    int flat = 1;
    for (int k = 0; k < 3; k++) {
        grid.half[k] = fmax(fabs(lower[k]), fabs(upper[k])) > 0x1p1022 ? 0.5 : 1;
        grid.origin[k] = grid.half[k] * lower[k];
        const double length = grid.half[k] * upper[k] - grid.origin[k];
        if (length > 0) {
            int exponent;
            (void)frexp(length, &exponent); /* length <= 2^exponent */
            exponent += (grid.half[k] < 1) - TMB_GRID_BITS;
            grid.exponent = flat || exponent > grid.exponent ? exponent : grid.exponent;
            flat = 0;
        }
    }
    set_scale(&grid);
    return grid;
}
