/* Poses: making, checking, composing and applying them. */
#include "math/pose.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "math/bounds.h"

tumble_pose tumble_pose_identity(void)
{
    return (tumble_pose){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

double tmb_pose_largest_linear(const tumble_pose *pose)
{
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            largest = fmax(largest, fabs(pose->m[i][j]));
        }
    }
    return largest;
}

/* The linear part times a power of two that makes its largest entry about 1, so that products neither over- nor
 * underflow. Returns the exponent that was taken out. */
static int normalized_linear(const tumble_pose *pose, double linear[3][3])
{
    int exponent = 0;
    (void)frexp(tmb_pose_largest_linear(pose), &exponent);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            linear[i][j] = exponent ? ldexp(pose->m[i][j], -exponent) : pose->m[i][j];
        }
    }
    return exponent;
}

static void cofactors(double m[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    }
}

static double determinant(double m[3][3])
{
    double c[3][3];
    cofactors(m, c);
    return m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
}

static double column_product(double m[3][3], int a, int b)
{
    return m[0][a] * m[0][b] + m[1][a] * m[1][b] + m[2][a] * m[2][b];
}

int tmb_pose_is_plainly_good(const tumble_pose *pose)
{
    double m[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(m[i], pose->m[i], sizeof m[i]);
    }
    const double square = column_product(m, 0, 0), least = TMB_POSE_TOLERANCE / 4 * square, det = determinant(m);
    return square > TMB_POSE_LEAST_SQUARE && square < TMB_POSE_MOST_SQUARE &&
           fabs(column_product(m, 1, 1) - square) <= least && fabs(column_product(m, 2, 2) - square) <= least &&
           fabs(column_product(m, 0, 1)) <= least && fabs(column_product(m, 1, 2)) <= least &&
           fabs(column_product(m, 2, 0)) <= least && det > 0 && det * det > 0.5 * square * square * square &&
           fabs(pose->m[0][3]) <= DBL_MAX && fabs(pose->m[1][3]) <= DBL_MAX && fabs(pose->m[2][3]) <= DBL_MAX;
}

tumble_status tumble_pose_check(tumble_context *context, const tumble_pose *pose)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!pose) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the pose is null");
    }
    if (tmb_pose_is_plainly_good(pose)) {
        return TUMBLE_OK;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            if (!isfinite(pose->m[i][j])) {
                return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "pose: the number in row %d, column %d is %g", i + 1,
                                j + 1, pose->m[i][j]);
            }
        }
    }
    if (tmb_pose_largest_linear(pose) == 0) {
        return tmb_fail(context, TUMBLE_ERROR_POSE, "pose: the scale is 0");
    }
    double m[3][3];
    normalized_linear(pose, m);
    const double scale = cbrt(fabs(determinant(m)));
    if (scale == 0) {
        return tmb_fail(context, TUMBLE_ERROR_POSE,
                        "pose: the matrix is singular: not a rotation with a uniform scale");
    }
    for (int j = 0; j < 3; j++) {
        const double length = sqrt(column_product(m, j, j));
        if (!(fabs(length - scale) <= TMB_POSE_TOLERANCE * scale)) {
            return tmb_fail(context, TUMBLE_ERROR_POSE,
                            "pose: column %d has length %g times the mean: not a uniform scale", j + 1, length / scale);
        }
    }
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3;
        const double cosine = column_product(m, j, k) / (scale * scale);
        if (!(fabs(cosine) <= TMB_POSE_TOLERANCE)) {
            return tmb_fail(context, TUMBLE_ERROR_POSE,
                            "pose: columns %d and %d are not perpendicular (cosine %g): not a rotation", j + 1, k + 1,
                            cosine);
        }
    }
    if (determinant(m) < 0) {
        return tmb_fail(context, TUMBLE_ERROR_POSE, "pose: the matrix is a mirror image (its determinant is negative)");
    }
    if (!isfinite(tumble_pose_scale(pose))) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "pose: the scale is larger than the largest double");
    }
    return TUMBLE_OK;
}

tumble_status tumble_pose_from_matrix(tumble_context *context, const double matrix[12], tumble_pose *out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!matrix || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "pose: the matrix or the result is null");
    }
    tumble_pose pose;
    memcpy(pose.m, matrix, sizeof pose.m);
    const tumble_status status = tumble_pose_check(context, &pose);
    if (status == TUMBLE_OK) {
        *out = pose;
    }
    return status;
}

tumble_status tumble_pose_from_quaternion(tumble_context *context, const double quaternion[4], double scale,
                                          const double translation[3], tumble_pose *out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!quaternion || !translation || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "pose: the quaternion, the translation or the result is null");
    }
    if (!isfinite(scale)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "pose: the scale is %g", scale);
    }
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        largest = fmax(largest, fabs(quaternion[i]));
        if (!isfinite(quaternion[i])) {
            return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "pose: number %d of the quaternion is %g", i + 1,
                            quaternion[i]);
        }
    }
    if (largest == 0) {
        return tmb_fail(context, TUMBLE_ERROR_POSE, "pose: the quaternion or the axis is 0");
    }
    double q[4], squares = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = quaternion[i] / largest;
        squares += q[i] * q[i];
    }
    const double s = 2 / squares, w = q[0], x = q[1], y = q[2], z = q[3];
    const double rotation[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                                   {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                                   {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
    double matrix[12];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            matrix[4 * i + j] = scale * rotation[i][j];
        }
        matrix[4 * i + 3] = translation[i];
    }
    return tumble_pose_from_matrix(context, matrix, out);
}

tumble_status tumble_pose_from_axis_angle(tumble_context *context, const double axis[3], double angle, double scale,
                                          const double translation[3], tumble_pose *out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!axis) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "pose: the axis is null");
    }
    if (!isfinite(axis[0]) || !isfinite(axis[1]) || !isfinite(axis[2])) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "pose: the axis is (%g, %g, %g)", axis[0], axis[1], axis[2]);
    }
    if (!isfinite(angle)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "pose: the angle is %g", angle);
    }
    const double largest = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    double length = 0, unit[3] = {0, 0, 0};
    if (largest > 0) {
        for (int i = 0; i < 3; i++) {
            unit[i] = axis[i] / largest;
        }
        length = sqrt(unit[0] * unit[0] + unit[1] * unit[1] + unit[2] * unit[2]);
    }
    if (length == 0) {
        return tmb_fail(context, TUMBLE_ERROR_POSE, "pose: the axis is 0");
    }
    const double sine = sin(angle / 2) / length;
    const double quaternion[4] = {cos(angle / 2), sine * unit[0], sine * unit[1], sine * unit[2]};
    return tumble_pose_from_quaternion(context, quaternion, scale, translation, out);
}

tumble_pose tumble_pose_compose(const tumble_pose *outer, const tumble_pose *inner)
{
    tumble_pose out;
    for (int i = 0; i < 3; i++) {
        const double *o = outer->m[i];
        for (int j = 0; j < 4; j++) {
            out.m[i][j] = (o[0] * inner->m[0][j] + o[1] * inner->m[1][j]) + o[2] * inner->m[2][j];
        }
        out.m[i][3] += o[3];
    }
    return out;
}

tumble_pose tumble_pose_inverse(const tumble_pose *pose)
{
    double linear[3][3], c[3][3];
    const int exponent = normalized_linear(pose, linear);
    cofactors(linear, c);
    const double det = linear[0][0] * c[0][0] + linear[0][1] * c[0][1] + linear[0][2] * c[0][2];
    tumble_pose out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.m[i][j] = exponent ? ldexp(c[j][i] / det, -exponent) : c[j][i] / det;
        }
    }
    for (int i = 0; i < 3; i++) {
        const double *o = out.m[i];
        out.m[i][3] = -((o[0] * pose->m[0][3] + o[1] * pose->m[1][3]) + o[2] * pose->m[2][3]);
    }
    return out;
}

int tmb_pose_is_identity(const tumble_pose *pose)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            if (pose->m[i][j] != (i == j ? 1.0 : 0.0)) {
                return 0;
            }
        }
    }
    return 1;
}

tumble_pose tumble_pose_relative(const tumble_pose *a, const tumble_pose *b)
{
    if (tmb_pose_is_identity(a)) {
        return *b;
    }
    /* The translations are subtracted before they are turned: far from the origin this keeps the digits. */
    tumble_pose turned = tumble_pose_inverse(a), shifted = *b;
    for (int i = 0; i < 3; i++) {
        turned.m[i][3] = 0;
        shifted.m[i][3] -= a->m[i][3];
    }
    return tumble_pose_compose(&turned, &shifted);
}

void tumble_pose_apply(const tumble_pose *pose, const double point[3], double out[3])
{
    const double x = point[0], y = point[1], z = point[2];
    for (int i = 0; i < 3; i++) {
        out[i] = tmb_pose_coordinate(pose, i, x, y, z);
    }
}

double tumble_pose_scale(const tumble_pose *pose)
{
    double linear[3][3];
    const int exponent = normalized_linear(pose, linear);
    const double columns = column_product(linear, 0, 0) + column_product(linear, 1, 1) + column_product(linear, 2, 2);
    return ldexp(sqrt(columns / 3), exponent);
}
