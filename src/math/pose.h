/* Poses as the inner loops use them. */
#ifndef TUMBLE_SRC_MATH_POSE_H
#define TUMBLE_SRC_MATH_POSE_H

#include "base/assert.h"
#include "tumble/math.h"

int tmb_pose_is_identity(const tumble_pose *pose);

/* Whether a pose is so clearly a good one that tumble_pose_check would say so: most of a short query's poses. NaN and
 * infinity make some comparison false. */
int tmb_pose_is_plainly_good(const tumble_pose *pose);

/* The order of operations of tumble_pose_apply, for one coordinate. */
static inline double tmb_pose_coordinate(const tumble_pose *pose, int i, double x, double y, double z)
{
    TMB_ASSERT(i >= 0 && i < 3);
    return ((pose->m[i][0] * x + pose->m[i][1] * y) + pose->m[i][2] * z) + pose->m[i][3];
}

#endif
