/* Motions: making, checking and reading them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/context.h"
#include "math/pose.h"
#include "math/vec3.h"
#include "motion/moving.h"
#include "tumble/motion.h"

tumble_motion tumble_motion_still(const tumble_pose *pose)
{
    return (tumble_motion){.from = pose ? *pose : tumble_pose_identity(), .axis = {0, 0, 1}};
}

static tumble_status check_numbers(tumble_context *context, const char *what, const double numbers[3])
{
    for (int k = 0; k < 3; k++) {
        if (!isfinite(numbers[k])) {
            return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "motion: number %d of the %s is %g", k + 1, what,
                            numbers[k]);
        }
    }
    return TUMBLE_OK;
}

static tumble_status check_turn(tumble_context *context, const tumble_motion *motion)
{
    if (!isfinite(motion->angle)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "motion: the angle is %g", motion->angle);
    }
    if (fabs(motion->angle) > TUMBLE_MOTION_MOST_ANGLE) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE,
                        "motion: the angle is %g, and at most %g is possible: cut the motion into several",
                        motion->angle, TUMBLE_MOTION_MOST_ANGLE);
    }
    const double *axis = motion->axis;
    return motion->angle != 0 && axis[0] == 0 && axis[1] == 0 && axis[2] == 0
               ? tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "motion: the axis is 0, and the angle is %g", motion->angle)
               : TUMBLE_OK;
}

tumble_status tumble_motion_check(tumble_context *context, const tumble_motion *motion)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!motion) {
        return TUMBLE_OK;
    }
    const struct {
        const char *name;
        const double *numbers;
    } parts[] = {{"translation", motion->translation}, {"axis", motion->axis}, {"point", motion->point}};
    tumble_status status = tumble_pose_check(context, &motion->from);
    for (int i = 0; i < 3 && status == TUMBLE_OK; i++) {
        status = check_numbers(context, parts[i].name, parts[i].numbers);
    }
    return status == TUMBLE_OK ? check_turn(context, motion) : status;
}

/* ---- Between two poses ---- */

/* The rotation from one linear part to another of the same scale, as a quaternion (w, x, y, z) of any length: the
 * largest of four that are the same up to their lengths, in the way of Shepperd. */
static void quaternion_between(const tumble_pose *from, const tumble_pose *to, double q[4])
{
    double r[3][3];
    const double size = tumble_pose_scale(from), other = tumble_pose_scale(to);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r[i][j] = 0;
            for (int k = 0; k < 3; k++) {
                r[i][j] += to->m[i][k] / other * (from->m[j][k] / size);
            }
        }
    }
    const double trace = r[0][0] + r[1][1] + r[2][2];
    int largest = -1; /* w */
    double most = trace;
    for (int i = 0; i < 3; i++) {
        if (r[i][i] > most) {
            most = r[i][i];
            largest = i;
        }
    }
    if (largest < 0) {
        q[0] = 1 + trace;
        for (int i = 0; i < 3; i++) {
            q[1 + i] = r[(i + 2) % 3][(i + 1) % 3] - r[(i + 1) % 3][(i + 2) % 3];
        }
        return;
    }
    const int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = r[k][j] - r[j][k];
    q[1 + i] = 1 + r[i][i] - r[j][j] - r[k][k];
    q[1 + j] = r[i][j] + r[j][i];
    q[1 + k] = r[i][k] + r[k][i];
}

/* The short way: w is not negative. */
static void set_turn(const tumble_pose *from, const tumble_pose *to, tumble_motion *out)
{
    double q[4];
    quaternion_between(from, to, q);
    const double sign = q[0] < 0 ? -1 : 1;
    const double length = sqrt((q[1] * q[1] + q[2] * q[2]) + q[3] * q[3]);
    out->angle = 2 * atan2(length, sign * q[0]);
    if (!(length > 0)) {
        out->angle = 0;
        return;
    }
    for (int k = 0; k < 3; k++) {
        out->axis[k] = sign * q[1 + k] / length;
    }
}

tumble_status tumble_motion_between(tumble_context *context, const tumble_pose *from, const tumble_pose *to,
                                    const double centre[3], tumble_motion *out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!from || !to || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "motion: a pose or the result is null");
    }
    const tumble_pose *poses[2] = {from, to};
    for (int i = 0; i < 2; i++) {
        const tumble_status status = tumble_pose_check(context, poses[i]);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    const double scales[2] = {tumble_pose_scale(from), tumble_pose_scale(to)};
    if (!(fabs(scales[0] - scales[1]) <= 1e-5 * scales[0])) {
        return tmb_fail(context, TUMBLE_ERROR_POSE,
                        "motion: the poses have the scales %g and %g, and a model in motion keeps its size", scales[0],
                        scales[1]);
    }
    const double origin[3] = {0, 0, 0};
    double end[3];
    tumble_motion motion = tumble_motion_still(from);
    tumble_pose_apply(from, centre ? centre : origin, motion.point);
    tumble_pose_apply(to, centre ? centre : origin, end);
    for (int k = 0; k < 3; k++) {
        motion.translation[k] = end[k] - motion.point[k];
    }
    int same = 1;
    for (int i = 0; i < 9; i++) {
        same = same && from->m[i / 3][i % 3] == to->m[i / 3][i % 3];
    }
    if (!same) {
        set_turn(from, to, &motion);
    }
    const tumble_status status = tumble_motion_check(context, &motion);
    if (status == TUMBLE_OK) {
        *out = motion;
    }
    return status;
}

tumble_pose tumble_motion_pose(const tumble_motion *motion, double time)
{
    tumble_pose out = motion->from;
    if (!(time > 0)) {
        return out;
    }
    const tmb_moving moving = tmb_moving_of(NULL, motion, 0);
    const tmb_placed at = tmb_placed_at(&moving, time < 1 ? time : 1);
    for (int i = 0; i < 3; i++) {
        memcpy(out.m[i], at.linear[i], sizeof at.linear[i]);
        out.m[i][3] = at.shift[i];
    }
    return out;
}
