/* Boxes and triangles along an axis, for models that are far apart. */
#include <math.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "near/boxes/boxes.h"
#include "query/local_map.h"

int tmb_box_axis(const tmb_box_lanes *a, uint32_t lane_a, const tmb_box_lanes *b, uint32_t lane_b, double origin[3],
                 double axis[3])
{
    TMB_ASSERT(lane_a < TMB_BOX_LANES && lane_b < TMB_BOX_LANES);
    double longest = 0, largest = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        const double of_a = 0.5 * a->lower[k][lane_a] + 0.5 * a->upper[k][lane_a];
        const double of_b = 0.5 * b->lower[k][lane_b] + 0.5 * b->upper[k][lane_b];
        largest = tmb_greater(largest, tmb_greater(fabs(a->lower[k][lane_a]), fabs(a->upper[k][lane_a])));
        largest = tmb_greater(largest, tmb_greater(fabs(b->lower[k][lane_b]), fabs(b->upper[k][lane_b])));
        origin[k] = of_a;
        axis[k] = of_b - of_a;
        longest = tmb_greater(longest, fabs(axis[k]));
    }
    if (!(longest > 0 && largest < TMB_ALONG_AXIS_MOST)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        axis[k] /= longest;
        square += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; k++) {
        axis[k] /= sqrt(square);
    }
    return 1;
}

/* A difference, a product and two sums: off by 4 u of the sum of the products' sizes; one more for taking the error
 * off.
 */
void tmb_widen_along(const double axis[3], const double origin[3], double x, double y, double z, double *lower,
                     double *upper)
{
    const double along[3] = {axis[0] * (x - origin[0]), axis[1] * (y - origin[1]), axis[2] * (z - origin[2])};
    const double sum = along[0] + along[1] + along[2];
    const double error =
        TMB_ALONG_AXIS_ROUNDINGS * TMB_DOUBLE_ROUNDING * (fabs(along[0]) + fabs(along[1]) + fabs(along[2])) +
        0x1p4 * TMB_DOUBLE_LEAST;
    *lower = sum - error < *lower ? sum - error : *lower;
    *upper = tmb_greater(sum + error, *upper);
}
