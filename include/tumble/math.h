/* Tumble: poses. */
#ifndef TUMBLE_MATH_H
#define TUMBLE_MATH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pose: x' = m[0][0]*x + m[0][1]*y + m[0][2]*z + m[0][3], and so on. The left 3x3 part is a rotation times a uniform
 * positive scale. The numbers are used exactly as given. */
typedef struct tumble_pose {
    double m[3][4];
} tumble_pose;

TUMBLE_API tumble_pose tumble_pose_identity(void);

/* From 12 numbers, row-major 3x4.
 *
 * Errors: TUMBLE_ERROR_NOT_FINITE
 *         TUMBLE_ERROR_POSE  columns differ in length or are not perpendicular (by more than 1e-5 of the scale), a
 *                            mirror image, or a scale of zero; the message says which */
TUMBLE_API tumble_status tumble_pose_from_matrix(tumble_context *context, const double matrix[12], tumble_pose *out);

/* Rotates by `angle` radians about `axis` (of any length), then scales, then translates. */
TUMBLE_API tumble_status tumble_pose_from_axis_angle(tumble_context *context, const double axis[3], double angle,
                                                     double scale, const double translation[3], tumble_pose *out);

/* Rotates by a quaternion (w, x, y, z; of any length), then scales, then translates. */
TUMBLE_API tumble_status tumble_pose_from_quaternion(tumble_context *context, const double quaternion[4], double scale,
                                                     const double translation[3], tumble_pose *out);

/* TUMBLE_OK for a valid pose; else the error that tumble_pose_from_matrix would give. */
TUMBLE_API tumble_status tumble_pose_check(tumble_context *context, const tumble_pose *pose);

/* The functions below take valid poses and no NULL pointers.
 *
 * First `inner`, then `outer`: x -> outer(inner(x)). */
TUMBLE_API tumble_pose tumble_pose_compose(const tumble_pose *outer, const tumble_pose *inner);
TUMBLE_API tumble_pose tumble_pose_inverse(const tumble_pose *pose);

/* inverse(a) after b: the pose of B in A's frame. If `a` is the identity, this is `b` to the bit. */
TUMBLE_API tumble_pose tumble_pose_relative(const tumble_pose *a, const tumble_pose *b);

/* The one order of operations in which the library moves a point:
 * ((m[i][0]*x + m[i][1]*y) + m[i][2]*z) + m[i][3], each operation rounded on its own. */
TUMBLE_API void tumble_pose_apply(const tumble_pose *pose, const double point[3], double out[3]);

TUMBLE_API double tumble_pose_scale(const tumble_pose *pose);

#ifdef __cplusplus
}
#endif

#endif
