/* Poses for inner loops. */
#ifndef TUMBLE_SRC_MATH_POSE_H
#define TUMBLE_SRC_MATH_POSE_H

#include "base/assert.h"
#include "tumble/math.h"

int tmb_pose_is_identity(const tumble_pose *pose);

/* The size of the largest entry of the left 3x3 part. */
double tmb_pose_largest_linear(const tumble_pose *pose);

/* A cheap test that implies tumble_pose_check; most poses of short queries pass it. NaN and infinity fail a comparison.
 * */
int tmb_pose_is_plainly_good(const tumble_pose *pose);

/* The order of operations of tumble_pose_apply, for one coordinate. */
static inline double tmb_pose_coordinate(const tumble_pose *pose, int i, double x, double y, double z)
{
    TMB_ASSERT(i >= 0 && i < 3);
    return ((pose->m[i][0] * x + pose->m[i][1] * y) + pose->m[i][2] * z) + pose->m[i][3];
}

#endif
