/* Lower bounds of box distances in double, and their loss from one frame to the other.
 *
 * In A's frame nothing is lost: points are moved by sums and products in a fixed order (docs/semantics.md), of which
 * each keeps the order of numbers when it is rounded. So the largest value that they give for the corners of a box is
 * an upper bound of what they give for any point in it, bit for bit.
 *
 * B's frame. Let R and t be the pose that takes B's points p into A's frame, to p' = R p + t + d, where d is the
 * rounding. Let S and r be the doubles of into_b, whatever they are. For a point a of A and q = S a + r,
 *     S (a - p') = (q - p) + (I - S R) p - (r + S t) - S d,
 * so |a - p'| >= (|q - p| - slack) / |S|, where the slack bounds the other terms: they are computed here from S, R, r
 * and t as they are, with the rounding of that computation, and so is the rounding of q itself. A sum of four products
 * is off by at most 4 u of the sum of their sizes, u = 2^-53; TMB_FRAME_ROUNDING pays for that several times over. And
 * by at most 4 times the least double where products underflow: for d that is in A's unit, so |S| times as much in B's.
 * Norms are largest sums of sizes in a row; a vector is at most twice as long as its largest coordinate.
 *
 * Boxes that overlap by some depth in B's frame come apart when one of them is moved by so much, and by the slack,
 * along an axis of B; in A's frame that move is at most |R| times as long. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/pose.h"
#include "math/vec3.h"
#include "query/box_frames.h"
#include "query/local_map.h"

/* ---- Frames ---- */

/* The largest sum of sizes in a row. */
static double norm_of(const tumble_pose *pose)
{
    double norm = 0;
    for (int k = 0; k < 3; k++) {
        norm = tmb_greater(norm, fabs(pose->m[k][0]) + fabs(pose->m[k][1]) + fabs(pose->m[k][2]));
    }
    return norm;
}

static double shift_of(const tumble_pose *pose)
{
    return tmb_greater(tmb_greater(fabs(pose->m[0][3]), fabs(pose->m[1][3])), fabs(pose->m[2][3]));
}

static double reach_of(const tumble_model *model)
{
    double reach = 0;
    for (int k = 0; k < 3; k++) {
        reach = tmb_greater(reach, tmb_greater(fabs(model->block->lower[k]), fabs(model->block->upper[k])));
    }
    return reach;
}

/* The pose with its linear part times 2^-exponent. */
static tumble_pose scaled(const tumble_pose *pose, int exponent)
{
    tumble_pose out = *pose;
    for (int i = 0; i < 9; i++) {
        out.m[i / 3][i % 3] = ldexp(pose->m[i / 3][i % 3], -exponent);
    }
    return out;
}

/* How much a linear part, of entries of about 1, can stretch lengths at most: the square is at most the largest row sum
 * of m m^T. */
static double most_stretch(const tumble_pose *pose)
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) {
            const double *x = pose->m[i], *y = pose->m[j];
            sum += fabs(x[0] * y[0] + x[1] * y[1] + x[2] * y[2]);
        }
        most = tmb_greater(most, sum);
    }
    return sqrt(most) * (1 + TMB_STRETCH_ROUNDING);
}

/* I - S R, and r + S t in the fourth column: both are 0 except for rounding. */
static tumble_pose residue_of(const tumble_pose *s, const tumble_pose *r)
{
    tumble_pose out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            const double product = s->m[i][0] * r->m[0][j] + s->m[i][1] * r->m[1][j] + s->m[i][2] * r->m[2][j];
            out.m[i][j] = j == 3 ? s->m[i][3] + product : (i == j) - product;
        }
    }
    return out;
}

static double slack_of(const tmb_encounter *e, const tumble_pose *into_b)
{
    const tumble_pose *into_a = &e->relative, residue = residue_of(into_b, into_a);
    const double norm_s = norm_of(into_b), norm_r = norm_of(into_a), shift_s = shift_of(into_b);
    const double shift_r = shift_of(into_a), reach_a = reach_of(e->a), reach_b = reach_of(e->b);
    const double of_q = norm_s * reach_a + shift_s;
    const double of_points = norm_s * (norm_r * reach_b + shift_r);
    const double of_residue = (1 + norm_s * norm_r) * reach_b + (shift_s + norm_s * shift_r);
    const double residues = norm_of(&residue) * reach_b + shift_of(&residue);
    const double underflow = norm_s * (0x1p4 * TMB_DOUBLE_LEAST); /* of S d: in A's frame, where S may enlarge it */
    return 2 * (residues + underflow + TMB_FRAME_ROUNDING * (of_q + of_points + of_residue)) *
               (1 + TMB_STRETCH_ROUNDING) +
           0x1p10 * TMB_DOUBLE_LEAST;
}

/* By cofactors, of entries of about 1. */
static tumble_pose inverse_of(const tumble_pose *pose, int exponent)
{
    tmb_local_map map = {.shift = {0, 0, 0}};
    tumble_pose out;
    for (int i = 0; i < 9; i++) {
        map.m[i / 3][i % 3] = ldexp(pose->m[i / 3][i % 3], -exponent);
    }
    map = tmb_map_inverse(&map);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.m[i][j] = ldexp(map.m[i][j], -exponent);
        }
        const double *row = out.m[i];
        out.m[i][3] = -(row[0] * pose->m[0][3] + row[1] * pose->m[1][3] + row[2] * pose->m[2][3]);
    }
    return out;
}

tmb_box_frames tmb_box_frames_of(const tmb_encounter *e)
{
    const tumble_pose *into_a = &e->relative;
    tmb_box_frames f;
    int exponent = 0;
    (void)frexp(tmb_pose_largest_linear(into_a), &exponent);
    f.into_b = inverse_of(into_a, exponent);
    f.slack = slack_of(e, &f.into_b);
    const tumble_pose s = scaled(&f.into_b, -exponent), r = scaled(into_a, exponent);
    f.least = ldexp((1 - TMB_STRETCH_ROUNDING) / most_stretch(&s), exponent);
    f.most = ldexp(most_stretch(&r), exponent);
    /* Numbers that are not finite come up only where coordinates or scales are near the limits of doubles. */
    f.has_b = abs(exponent) < 900 && f.slack < DBL_MAX && f.least > 0 && f.most < DBL_MAX;
    f.reach = tmb_greater(reach_of(e->a), norm_of(into_a) * reach_of(e->b) + shift_of(into_a));
    return f;
}

/* ---- Boxes ---- */

/* Gaps may be so large that they are infinite: they are at most the largest double, then, which is still a lower bound.
 * The root is taken of quotients, so that over- and underflow have no effect. */
static double distance_by_quotients(const double gaps[3])
{
    const double x = tmb_lesser(gaps[0], DBL_MAX), y = tmb_lesser(gaps[1], DBL_MAX), z = tmb_lesser(gaps[2], DBL_MAX);
    const double most = tmb_greater(tmb_greater(x, y), z);
    const double p = tmb_greater(x, 0) / most, q = tmb_greater(y, 0) / most, r = tmb_greater(z, 0) / most;
    const double length = tmb_lesser(most * sqrt(p * p + q * q + r * r), DBL_MAX);
    return length - length * TMB_BOX_DISTANCE_ROUNDING - TMB_DOUBLE_LEAST;
}

void tmb_box_distances(const tmb_box_lanes *eight, const tmb_box_lanes *one, uint32_t lane, double lower[TMB_BOX_LANES])
{
    TMB_ASSERT(lane < TMB_BOX_LANES);
    double gaps[3][TMB_BOX_LANES], most[TMB_BOX_LANES], squares[TMB_BOX_LANES];
    for (int k = 0; k < 3; k++) {
        const double one_lower = one->lower[k][lane], one_upper = one->upper[k][lane];
        for (int i = 0; i < TMB_BOX_LANES; i++) {
            gaps[k][i] = tmb_greater(one_lower - eight->upper[k][i], eight->lower[k][i] - one_upper);
        }
    }
    for (int i = 0; i < TMB_BOX_LANES; i++) {
        const double x = tmb_greater(gaps[0][i], 0), y = tmb_greater(gaps[1][i], 0), z = tmb_greater(gaps[2][i], 0);
        most[i] = tmb_greater(tmb_greater(gaps[0][i], gaps[1][i]), gaps[2][i]);
        squares[i] = x * x + y * y + z * z;
    }
    for (int i = 0; i < TMB_BOX_LANES; i++) {
        if (squares[i] > TMB_BOX_DISTANCE_LEAST_SQUARE && squares[i] < TMB_BOX_DISTANCE_MOST_SQUARE) {
            lower[i] = sqrt(squares[i]) * (1 - TMB_BOX_DISTANCE_ROUNDING);
        } else if (most[i] > 0) {
            const double three[3] = {gaps[0][i], gaps[1][i], gaps[2][i]};
            lower[i] = distance_by_quotients(three);
        } else {
            lower[i] = most[i] + most[i] * TMB_BOX_DISTANCE_ROUNDING;
        }
    }
}

/* From B's unit to A's. */
static inline double into_unit_of_a(const tmb_box_frames *f, double distance)
{
    const double sure = distance - f->slack;
    return sure > 0 ? sure * f->least - TMB_DOUBLE_LEAST : sure * f->most;
}

void tmb_box_bounds(const tmb_box_frames *frames, const tmb_box_lanes *eight, const tmb_box_lanes *one, uint32_t lane,
                    double lower[TMB_BOX_LANES])
{
    TMB_ASSERT(lane < TMB_BOX_LANES);
    tmb_box_distances(&eight[TMB_BOXES_A], &one[TMB_BOXES_A], lane, lower);
    if (frames->has_b) {
        double in_b[TMB_BOX_LANES];
        tmb_box_distances(&eight[TMB_BOXES_B], &one[TMB_BOXES_B], lane, in_b);
        for (int i = 0; i < TMB_BOX_LANES; i++) {
            lower[i] = tmb_greater(into_unit_of_a(frames, in_b[i]), lower[i]);
        }
    }
}
