/* Where the links of a robot are. */
#include <math.h>
#include <string.h>

#include "urdf.h"

/* A rotation about an axis of length 1: Rodrigues' formula. */
static void turn(const double axis[3], double angle, tumble_pose *pose)
{
    const double c = 1 - cos(angle), s = sin(angle);
    const double k[3][3] = {{0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double square = 0;
            for (int n = 0; n < 3; n++) {
                square += k[i][n] * k[n][j];
            }
            pose->m[i][j] = (double)(i == j) + s * k[i][j] + c * square;
        }
    }
}

/* w, x, y, z of any length but 0. */
static int turn_by_quaternion(const double q[4], tumble_pose *pose)
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0) || !isfinite(length)) {
        return 0;
    }
    const double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) {
        memcpy(pose->m[i], m[i], sizeof m[i]);
    }
    return 1;
}

/* Two directions in the plane across an axis; across z they are x and y. */
static void span_plane(const double axis[3], double first[3], double second[3])
{
    int least = 0;
    for (int i = 1; i < 3; i++) {
        least = fabs(axis[i]) < fabs(axis[least]) ? i : least;
    }
    double length = 0;
    for (int i = 0; i < 3; i++) {
        first[i] = (double)(i == least) - axis[i] * axis[least];
        length += first[i] * first[i];
    }
    for (int i = 0; i < 3; i++) {
        first[i] /= sqrt(length);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        second[i] = axis[j] * first[k] - axis[k] * first[j];
    }
}

/* The value of a joint with one, also if it follows others. */
static double value_of(const cli_robot *robot, const cli_robot_joint *joint)
{
    double multiplier = 1, offset = 0;
    while (joint->mimic != CLI_NONE) {
        offset += multiplier * joint->offset;
        multiplier *= joint->multiplier;
        joint = &robot->joints[joint->mimic];
    }
    return joint->value == CLI_NONE ? offset : multiplier * robot->values[joint->value] + offset;
}

/* What a joint does in its own frame; 0: a quaternion is 0. */
static int move(const cli_robot *robot, const cli_robot_joint *joint, tumble_pose *out)
{
    const double *values = robot->values + (joint->value == CLI_NONE ? 0 : joint->value);
    *out = tumble_pose_identity();
    if (joint->kind == CLI_JOINT_REVOLUTE || joint->kind == CLI_JOINT_CONTINUOUS) {
        turn(joint->axis, value_of(robot, joint), out);
    } else if (joint->kind == CLI_JOINT_PRISMATIC) {
        const double shift = value_of(robot, joint);
        for (int i = 0; i < 3; i++) {
            out->m[i][3] = shift * joint->axis[i];
        }
    } else if (joint->kind == CLI_JOINT_PLANAR) {
        double first[3], second[3];
        span_plane(joint->axis, first, second);
        turn(joint->axis, values[2], out);
        for (int i = 0; i < 3; i++) {
            out->m[i][3] = first[i] * values[0] + second[i] * values[1];
        }
    } else if (joint->kind == CLI_JOINT_FLOATING) {
        for (int i = 0; i < 3; i++) {
            out->m[i][3] = values[i];
        }
        return turn_by_quaternion(values + 3, out);
    }
    return 1;
}

tumble_status cli_robot_place(const cli_robot *robot, tumble_pose *links)
{
    for (uint32_t i = 0; i < robot->link_count; i++) {
        links[i] = tumble_pose_identity();
    }
    for (uint32_t i = 0; i < robot->joint_count; i++) {
        const cli_robot_joint *joint = &robot->joints[robot->order[i]];
        tumble_pose moved;
        if (!move(robot, joint, &moved)) {
            return tmb_fail(robot->arena.context, TUMBLE_ERROR_FORMAT,
                            "the quaternion of the joint '%.60s' is 0: give w, x, y and z of a rotation", joint->name);
        }
        const tumble_pose there = tumble_pose_compose(&links[joint->parent], &joint->origin);
        links[joint->child] = tumble_pose_compose(&there, &moved);
    }
    return TUMBLE_OK;
}
