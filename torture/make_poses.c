/* Poses: exact and nearly orthogonal ones, of all scales, and short ways from one to the next. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "make.h"
#include "scenes.h"

static tumble_pose any_turn(test_random *random)
{
    double quaternion[4];
    tumble_pose pose = tumble_pose_identity();
    for (int i = 0; i < 4; i++) {
        quaternion[i] = test_random_range(random, -1, 1);
    }
    double square = 0;
    for (int i = 0; i < 4; i++) {
        square += quaternion[i] * quaternion[i];
    }
    if (square > 0.01) {
        const double w = quaternion[0], x = quaternion[1], y = quaternion[2], z = quaternion[3];
        const double m[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                                {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
        for (int i = 0; i < 9; i++) {
            pose.m[i / 3][i % 3] = m[i / 3][i % 3] / square;
        }
    }
    return pose;
}

static tumble_pose draw_turn(test_random *random)
{
    switch (torture_pick(random, 5)) {
    case 0: return tumble_pose_identity();
    case 1: return test_quarter_turn(torture_pick(random, 24));
    case 2: return test_rational_turn(random);
    default: return any_turn(random);
    }
}

/* Not quite orthogonal, within what is accepted. */
static void bend(tumble_pose *pose, test_random *random)
{
    const int by_ulps = torture_chance(random, 0.5);
    for (int i = 0; i < 9; i++) {
        double *entry = &pose->m[i / 3][i % 3];
        *entry = by_ulps ? test_step_ulps(*entry, test_random_whole(random, -1, 1))
                         : *entry + test_random_range(random, -2e-6, 2e-6);
    }
}

static double draw_scale(test_random *random)
{
    switch (torture_pick(random, 4)) {
    case 0: return ldexp(1, test_random_whole(random, -4, 4));
    case 1: return test_random_range(random, 0.1, 10);
    case 2: return ldexp(1, test_random_whole(random, -700, 700));
    default: return ldexp(test_random_range(random, 1, 2), test_random_whole(random, -60, 60));
    }
}

static void scale_by(tumble_pose *pose, double scale)
{
    for (int i = 0; i < 9; i++) {
        pose->m[i / 3][i % 3] *= scale;
    }
}

static tumble_pose draw_pose(const torture_grain *grain, test_random *random)
{
    tumble_pose pose = torture_chance(random, 0.4) ? tumble_pose_identity() : draw_turn(random);
    if (torture_chance(random, 0.15)) {
        bend(&pose, random);
    }
    if (torture_chance(random, 0.25)) {
        scale_by(&pose, draw_scale(random));
    }
    if (torture_chance(random, 0.6)) {
        for (int axis = 0; axis < 3; axis++) {
            pose.m[axis][3] = torture_chance(random, 0.3) ? 0 : torture_make_number(grain, random, axis);
        }
    }
    return pose;
}

static int is_good(const tumble_pose *pose)
{
    for (int i = 0; i < 12; i++) {
        if (!isfinite(pose->m[i / 4][i % 4])) {
            return 0;
        }
    }
    return 1;
}

/* A little farther than the pose before. */
static tumble_pose next_pose(const tumble_pose *before, const torture_grain *grain, test_random *random)
{
    tumble_pose pose = *before;
    const int axis = test_random_whole(random, 0, 2);
    const double step = torture_make_number(grain, random, axis) * ldexp(1, -test_random_whole(random, 0, 12));
    pose.m[axis][3] += step;
    return is_good(&pose) ? pose : *before;
}

static void set_pose(torture_case *c, size_t pose, int side, const tumble_pose *value)
{
    c->poses[pose][side] = *value;
    c->has_pose[pose][side] = 1;
}

static void make_pair(torture_case *c, size_t i, const torture_grain *grain, test_random *random)
{
    const tumble_pose identity = tumble_pose_identity();
    c->poses[i][0] = c->poses[i][1] = identity;
    tumble_pose a = draw_pose(grain, random), b = draw_pose(grain, random);
    if (torture_chance(random, 0.85)) {
        set_pose(c, i, 1, &b);
    }
    if (!torture_chance(random, 0.3)) {
        return;
    }
    const double how = test_random_unit(random);
    const tumble_pose together = how < 0.3 ? a : how < 0.7 ? tumble_pose_compose(&a, &b) : b;
    set_pose(c, i, 0, &a);
    if (is_good(&together)) {
        set_pose(c, i, 1, &together);
    }
}

/* Of a ball in another, to and fro about its centre: nearly all is equally near, and elsewhere each time. */
static void make_nested_path(torture_case *c, test_random *random)
{
    const double step = ldexp(1, -test_random_whole(random, 9, 15));
    c->pose_count = 5;
    for (size_t i = 0; i < c->pose_count; i++) {
        tumble_pose pose = tumble_pose_identity();
        c->poses[i][0] = pose;
        for (int axis = 0; axis < 3; axis++) {
            pose.m[axis][3] = test_random_range(random, -step, step);
        }
        set_pose(c, i, 1, &pose);
    }
}

void torture_make_poses(torture_case *c, const torture_grain *grain, test_random *random)
{
    c->pose_count = 1 + torture_pick(random, TORTURE_POSES);
    const int is_large = c->shapes[0].polygon_count + c->shapes[1].polygon_count > 40;
    const int is_path = torture_chance(random, is_large ? 0.8 : 0.4);
    const int is_huge = c->shapes[0].polygon_count * c->shapes[1].polygon_count > 20000;
    if (is_huge && torture_scene_of(c->seed) == TORTURE_SCENE_BALLS) {
        make_nested_path(c, random);
        return;
    }
    c->pose_count = is_huge ? 1 : is_large && is_path ? TORTURE_POSES : c->pose_count;
    for (size_t i = 0; i < c->pose_count; i++) {
        if (i > 0 && is_path) {
            memcpy(c->poses[i], c->poses[i - 1], sizeof c->poses[i]);
            memcpy(c->has_pose[i], c->has_pose[i - 1], sizeof c->has_pose[i]);
            const tumble_pose moved = next_pose(&c->poses[i - 1][1], grain, random);
            set_pose(c, i, 1, &moved);
        } else {
            make_pair(c, i, grain, random);
        }
    }
}

/* ---- The range of numbers ---- */

static void note_exponent(double x, int range[2])
{
    if (x != 0 && isfinite(x)) {
        range[0] = ilogb(x) < range[0] ? ilogb(x) : range[0];
        range[1] = ilogb(x) > range[1] ? ilogb(x) : range[1];
    }
}

int torture_spans_wide(const torture_case *c)
{
    int range[2] = {INT_MAX / 2, INT_MIN / 2};
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < 3 * c->shapes[side].corner_count; i++) {
            note_exponent(c->shapes[side].corners[i / 3][i % 3], range);
        }
    }
    for (size_t i = 0; i < c->pose_count; i++) {
        const tumble_pose relative = tumble_pose_relative(&c->poses[i][0], &c->poses[i][1]);
        for (size_t k = 0; k < c->shapes[1].corner_count && k < 12; k++) {
            double moved[3];
            tumble_pose_apply(&relative, c->shapes[1].corners[k], moved);
            for (int axis = 0; axis < 3; axis++) {
                note_exponent(moved[axis], range);
            }
        }
    }
    return range[1] - range[0] > 200;
}
