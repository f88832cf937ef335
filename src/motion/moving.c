/* Models in motion. See docs/motion.md, Rounding. */
#include "motion/moving.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "motion/turn.h"

static double largest(const double v[3])
{
    return tmb_greater(fabs(v[0]), tmb_greater(fabs(v[1]), fabs(v[2])));
}

tmb_motion_size tmb_motion_size_of(const tumble_model *model, const tumble_motion *motion)
{
    tmb_motion_size size = {.moved = largest(motion->translation), .own = 0};
    for (int k = 0; k < 3; k++) {
        const double *row = motion->from.m[k];
        double sum = fabs(row[3]);
        for (int j = 0; j < 3; j++) {
            const double most = tmb_greater(fabs(model->block->lower[j]), fabs(model->block->upper[j]));
            sum += fabs(row[j]) * most;
            size.own = tmb_greater(size.own, most);
        }
        size.still = tmb_greater(size.still, sum);
    }
    size.still += motion->angle != 0 ? 2 * largest(motion->point) : 0;
    return size;
}

#define MOST_SHRINKING 1000 /* the largest power of two by which lengths and poses are multiplied */

int tmb_motion_unit(double sum, const tumble_motion *const motions[2])
{
    int exponent, least = -MOST_SHRINKING;
    (void)frexp(sum, &exponent);
    for (int side = 0; side < 2; side++) {
        int size;
        (void)frexp(tumble_pose_scale(&motions[side]->from), &size);
        least = size - MOST_SHRINKING > least ? size - MOST_SHRINKING : least;
    }
    return exponent > least ? exponent : least;
}

/* A unit vector; the axis is not 0. */
static void normalize(const double axis[3], double out[3])
{
    const double most = largest(axis);
    double square = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = axis[k] / most;
        square += out[k] * out[k];
    }
    for (int k = 0; k < 3; k++) {
        out[k] /= sqrt(square);
    }
}

tmb_moving tmb_moving_of(const tumble_model *model, const tumble_motion *motion, int exponent)
{
    tmb_moving out = {.model = model, .angle = motion->angle};
    for (int k = 0; k < 3; k++) {
        const double *row = motion->from.m[k];
        const double point = out.angle != 0 ? ldexp(motion->point[k], -exponent) : 0;
        for (int j = 0; j < 3; j++) {
            out.linear[k][j] = ldexp(row[j], -exponent);
        }
        out.arm[k] = ldexp(row[3], -exponent) - point;
        out.centre[k] = point;
        out.velocity[k] = ldexp(motion->translation[k], -exponent);
    }
    /* poses are nearly rotations: at most 2.1 times their tolerance is missing */
    out.stretch = ldexp(tumble_pose_scale(&motion->from), -exponent) * (1 + 4 * TMB_POSE_TOLERANCE);
    if (out.angle != 0) {
        normalize(motion->axis, out.axis);
    }
    return out;
}

static void turn_matrix(const double axis[3], tmb_turn turn, double out[3][3])
{
    const double rest = 1 - turn.cosine;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i][i] = turn.cosine + rest * axis[i] * axis[i];
        out[i][j] = rest * axis[i] * axis[j] - turn.sine * axis[k];
        out[i][k] = rest * axis[i] * axis[k] + turn.sine * axis[j];
    }
}

tmb_placed tmb_placed_at(const tmb_moving *moving, double time)
{
    tmb_placed out;
    double turn[3][3];
    const int turns = moving->angle != 0 && time > 0;
    if (turns) {
        turn_matrix(moving->axis, tmb_turn_by(time, moving->angle), turn);
    } else {
        memcpy(out.linear, moving->linear, sizeof out.linear);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; turns && j < 3; j++) {
            out.linear[i][j] = (turn[i][0] * moving->linear[0][j] + turn[i][1] * moving->linear[1][j]) +
                               turn[i][2] * moving->linear[2][j];
        }
        const double arm =
            turns ? (turn[i][0] * moving->arm[0] + turn[i][1] * moving->arm[1]) + turn[i][2] * moving->arm[2]
                  : moving->arm[i];
        out.shift[i] = (arm + moving->centre[i]) + time * moving->velocity[i];
    }
    return out;
}

void tmb_placed_box(const tmb_placed *at, const double lower[3], const double upper[3], double out_lower[3],
                    double out_upper[3])
{
    double centre[3], half[3], moved[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * lower[k] + 0.5 * upper[k];
        half[k] = 0.5 * upper[k] - 0.5 * lower[k];
    }
    tmb_placed_point(at, centre, moved);
    for (int k = 0; k < 3; k++) {
        const double *m = at->linear[k];
        const double reach = (fabs(m[0]) * half[0] + fabs(m[1]) * half[1]) + fabs(m[2]) * half[2];
        out_lower[k] = moved[k] - reach;
        out_upper[k] = moved[k] + reach;
    }
}

static double length(const double v[3])
{
    return sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
}

/* The centre's distance from the axis, and half the diagonal. */
double tmb_moving_arm(const tmb_moving *moving, const double lower[3], const double upper[3])
{
    double centre[3], half[3], arm[3], along = 0;
    if (moving->angle == 0) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * lower[k] + 0.5 * upper[k];
        half[k] = 0.5 * upper[k] - 0.5 * lower[k];
    }
    for (int k = 0; k < 3; k++) {
        const double *m = moving->linear[k];
        arm[k] = ((m[0] * centre[0] + m[1] * centre[1]) + m[2] * centre[2]) + moving->arm[k];
        along += moving->axis[k] * arm[k];
    }
    for (int k = 0; k < 3; k++) {
        arm[k] -= along * moving->axis[k];
    }
    const double scaled[3] = {moving->stretch * half[0], moving->stretch * half[1], moving->stretch * half[2]};
    return (length(arm) + length(scaled)) * (1 + 0x1p-40) + 0x1p-46;
}
