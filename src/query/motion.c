/* How far a model has moved between two questions about it. See docs/proximity-proofs.md, Coherence. */
#include "query/motion.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"

int tmb_encounter_is_about(const tmb_encounter *e, uint64_t model_a, uint64_t model_b)
{
    return model_a == e->a->block->checksum && model_b == e->b->block->checksum;
}

/* How much a matrix stretches a vector at most: the eighth root of the largest eigenvalue of (m m^T)^4, for which the
 * root of the sum of squares of its elements is taken. For the change of a rotation that is 1.05 times too much. */
static double norm_of(double m[3][3])
{
    double from[3][3], to[3][3], scale = 0, sum = 0;
    for (int i = 0; i < 9; i++) {
        scale = tmb_greater(scale, fabs(m[i / 3][i % 3]));
    }
    if (!(scale > 0x1p-500 && scale < 0x1p500)) {
        return 3 * scale;
    }
    for (int i = 0; i < 9; i++) {
        from[i / 3][i % 3] = m[i / 3][i % 3] / scale;
    }
    for (int times = 0; times < 3; times++) { /* m m^T, its square, and the square of that */
        for (int i = 0; i < 9; i++) {
            const double *x = from[i / 3], *y = from[i % 3];
            to[i / 3][i % 3] = tmb_dot(x, y);
        }
        memcpy(from, to, sizeof from);
    }
    for (int i = 0; i < 9; i++) {
        sum += from[i / 3][i % 3] * from[i / 3][i % 3];
    }
    return scale * sqrt(sqrt(sqrt(sqrt(sum))));
}

static int is_same_pose(const tumble_pose *a, const tumble_pose *b)
{
    int same = 1;
    for (int i = 0; i < 12; i++) {
        same &= a->m[i / 4][i % 4] == b->m[i / 4][i % 4];
    }
    return same;
}

/* A vector's length, or more where squares over- or underflow. */
static double length_above(const double v[3])
{
    const double square = tmb_dot(v, v);
    return square > 0x1p-900 && square < INFINITY ? sqrt(square) : fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/* Centres and sides are doubled: half of the least double is 0. */
double tmb_encounter_motion(const tmb_encounter *e, const tumble_pose *before)
{
    const tumble_pose *now = &e->relative;
    if (is_same_pose(before, now)) {
        return 0;
    }
    const tmb_block *b = e->b->block;
    double change[3][3], moved[3], sides[3], size = 0;
    for (int k = 0; k < 3; k++) {
        double reach = fabs(now->m[k][3]) + fabs(before->m[k][3]);
        sides[k] = b->upper[k] - b->lower[k];
        moved[k] = 2 * (now->m[k][3] - before->m[k][3]);
        for (int j = 0; j < 3; j++) {
            change[k][j] = now->m[k][j] - before->m[k][j];
            const double most = tmb_greater(fabs(b->lower[j]), fabs(b->upper[j]));
            moved[k] += change[k][j] * (b->upper[j] + b->lower[j]);
            reach += (fabs(now->m[k][j]) + fabs(before->m[k][j])) * most;
        }
        size = tmb_greater(size, reach);
    }
    const double twice = length_above(moved) + norm_of(change) * length_above(sides);
    return 0.5 * twice * (1 + TMB_MOTION_ROUNDING) + (2 * TMB_POINT_ROUNDING * size + TMB_MOTION_LEAST_MARGIN);
}
