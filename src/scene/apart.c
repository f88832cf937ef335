/* Whether two models are plainly apart by their extents along the axes of both.
 *
 * With u a column of A's matrix, A's points are, apart from its translation, at u . (M p) = s^2 p_k along u, to within
 * 2^-14 of the reach, as the columns of M are perpendicular and of one length to within 1e-5. B's extents are known
 * along any vector. Rounding errors are far less than another 2^-14. Where the square of the scale underflows, or
 * anything overflows, nothing is said. */
#include <float.h>
#include <math.h>

#include "math/pose.h"
#include "scene/extents.h"

#define STRETCH TMB_POSE_STRETCH
#define TINY 0x1p-1000 /* of products: more than they lose */

/* The image of a vector under the transposed linear part: v . (M p) = (M^T v) . p. */
static void transposed(const tumble_pose *pose, const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = pose->m[0][k] * v[0] + pose->m[1][k] * v[1] + pose->m[2][k] * v[2];
    }
}

static int has_gap_along_axes(const tmb_extents *a, const tumble_pose *pose_a, const tmb_extents *b,
                              const tumble_pose *pose_b, double clearance)
{
    static const int weights[3] = {9, 3, 1};
    const double *m = &pose_b->m[0][0];
    const double shift[3] = {m[3] - pose_a->m[0][3], m[7] - pose_a->m[1][3], m[11] - pose_a->m[2][3]};
    double reach_b = 0;
    for (int k = 0; k < 3; k++) {
        reach_b += (fabs(pose_b->m[k][0]) + fabs(pose_b->m[k][1]) + fabs(pose_b->m[k][2])) * b->box.reach;
    }
    for (int k = 0; k < 3; k++) {
        const double u[3] = {pose_a->m[0][k], pose_a->m[1][k], pose_a->m[2][k]};
        const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        const double length = sqrt(square);
        const double to = shift[0] * u[0] + shift[1] * u[1] + shift[2] * u[2];
        double v[3], forward, backward;
        transposed(pose_b, u, v);
        tmb_extents_along(b, v, &forward, &backward);
        const double sizes =
            length * (4 * length * a->box.reach + reach_b + fabs(shift[0]) + fabs(shift[1]) + fabs(shift[2]));
        const double slack = 2 * STRETCH * sizes + clearance * (1 + STRETCH) * length + TINY * (1 + b->box.reach);
        const double upper_a = square * a->along[TMB_EXTENTS / 2 + weights[k]];
        const double lower_a = -square * a->along[TMB_EXTENTS / 2 - weights[k]];
        const double largest = fabs(to) + fabs(forward) + fabs(backward) + fabs(upper_a) + fabs(lower_a);
        if (square > TINY && largest <= DBL_MAX &&
            (to - backward > upper_a + slack || to + forward < lower_a - slack)) {
            return 1;
        }
    }
    return 0;
}

int tmb_extents_are_apart(tmb_boxes_apart_kernel *boxes, const tmb_extents *a, const tumble_pose *pose_a,
                          const tmb_extents *b, const tumble_pose *pose_b, double clearance)
{
    if (boxes(&a->box, pose_a, &b->box, pose_b, clearance)) {
        return 1;
    }
    const double gap = clearance + 3 * tmb_pose_largest_linear(pose_a) * tmb_extents_lost(b->box.reach);
    return has_gap_along_axes(a, pose_a, b, pose_b, gap) || has_gap_along_axes(b, pose_b, a, pose_a, gap);
}
