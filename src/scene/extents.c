/* Boxes of models at poses.
 *
 * Why no pair is lost. tumble_collide moves B's points by the relative pose, as rounded. With u = 2^-53, the inverse of
 * A's linear part and the products of the relative pose have relative errors of a few u, so a moved point, taken back
 * into the frame of the poses, is off by at most 2^-44 (|t_b - t_a| + r_b), where t are the translations and r the
 * largest distance of a point from its translation. If the surfaces meet there, |t_b - t_a| <= (1 + 2^-40)(r_a + r_b).
 * So it is enough that each box is larger by 2^-42 r, for what the other one's points are off by, and here it is larger
 * by 2^-40 r. Far from the origin, where a sum of translation and extent loses digits, its rounding errors come on top.
 *
 * Clearances are lengths in A's frame times its scale; a pose may differ from a rotation times a scale by 1e-5, so
 * lengths in the frame of the poses may be larger by less than 2^-14 of them. */
#include "scene/extents.h"

#include <float.h>

#include "math/rounding.h"

#define TINY 0x1p-1000 /* of products: more than they lose */

static void include_point(tmb_extents *e, const double p[3])
{
    for (int x = -1, i = 0; x <= 1; x++) {
        for (int y = -1; y <= 1; y++) {
            for (int z = -1; z <= 1; z++, i++) {
                const double product = x * p[0] + y * p[1] + z * p[2];
                e->along[i] = product > e->along[i] ? product : e->along[i];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        e->reach = fabs(p[k]) > e->reach ? fabs(p[k]) : e->reach;
    }
}

void tmb_extents_of(const tumble_model *model, tmb_extents *out)
{
    *out = (tmb_extents){.is_empty = 1};
    for (int i = 0; i < TMB_EXTENTS; i++) {
        out->along[i] = -INFINITY;
    }
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        const uint32_t count = tmb_cluster_triangle_count(model->places + cluster); /* 0 in gaps of edited models */
        for (uint32_t t = 0; t < count; t++) {
            double corners[3][3];
            tmb_model_corners(model, tmb_triangle_address(cluster, t), corners);
            for (int c = 0; c < 3; c++) {
                include_point(out, corners[c]);
            }
            out->is_empty = 0;
        }
    }
    for (int i = 0; i < TMB_EXTENTS; i++) { /* the products are off by three roundings */
        out->along[i] += 4 * DBL_EPSILON * out->reach;
    }
}

/* How far the model reaches along u: forward, and backward. */
static void reach_along(const tmb_extents *e, const double u[3], double *forward, double *backward)
{
    static const int weights[3] = {9, 3, 1};
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++) { /* three comparisons sort three numbers */
        for (int j = 0; j < 2 - i; j++) {
            if (fabs(u[order[j]]) < fabs(u[order[j + 1]])) {
                const int other = order[j];
                order[j] = order[j + 1];
                order[j + 1] = other;
            }
        }
    }
    int number = TMB_EXTENTS / 2;
    *forward = *backward = 0;
    for (int i = 0; i < 3; i++) {
        const double size = fabs(u[order[i]]), factor = i < 2 ? size - fabs(u[order[i + 1]]) : size;
        number += u[order[i]] < 0 ? -weights[order[i]] : weights[order[i]];
        *forward += factor * e->along[number];
        *backward += factor * e->along[TMB_EXTENTS - 1 - number];
    }
}

void tmb_extents_world(const tmb_extents *e, const tumble_pose *pose, double clearance, double lower[3],
                       double upper[3])
{
    double linear = 0;
    for (int k = 0; k < 3; k++) {
        linear = fmax(linear, fabs(pose->m[k][0]) + fabs(pose->m[k][1]) + fabs(pose->m[k][2]));
    }
    const double padding = TMB_BOX_PADDING * linear * e->reach + clearance * (1 + TMB_BOX_STRETCH);
    for (int k = 0; k < 3; k++) {
        double forward, backward;
        reach_along(e, pose->m[k], &forward, &backward);
        const double t = pose->m[k][3], size = fabs(t) + linear * e->reach + 2 * clearance;
        upper[k] = t + (forward + padding) + TMB_BOX_ROUNDING * size;
        lower[k] = t - (backward + padding) - TMB_BOX_ROUNDING * size;
        if (!isfinite(upper[k]) || !isfinite(lower[k])) { /* infinity times 0 among them */
            upper[k] = INFINITY;
            lower[k] = -INFINITY;
        }
    }
}

static float within(double x)
{
    return (float)(x < -(double)TMB_BOX_MOST  ? -(double)TMB_BOX_MOST
                   : x > (double)TMB_BOX_MOST ? (double)TMB_BOX_MOST
                                              : x);
}

tmb_box tmb_extents_box(const tmb_extents *extents, const tumble_pose *pose, double clearance,
                        const tmb_scene_frame *frame)
{
    double lower[3], upper[3];
    tmb_box box;
    tmb_extents_world(extents, pose, clearance, lower, upper);
    for (int k = 0; k < 3; k++) {
        const double o = frame->origin[k], size = fmax(fabs(lower[k]), fabs(upper[k])) + fabs(o);
        const double slack = TMB_BOX_ROUNDING * size * frame->scale + TMB_BOX_LEAST;
        const double low = (lower[k] - o) * frame->scale - slack, high = (upper[k] - o) * frame->scale + slack;
        box.lower[k] = isfinite(low) ? within((double)tmb_float_below(low)) : -TMB_BOX_MOST;
        box.upper[k] = isfinite(high) ? within((double)tmb_float_above(high)) : TMB_BOX_MOST;
    }
    return box;
}

/* ---- Two models ---- */

/* The image of a vector under the transposed linear part: v . (M p) = (M^T v) . p. */
static void transposed(const tumble_pose *pose, const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = pose->m[0][k] * v[0] + pose->m[1][k] * v[1] + pose->m[2][k] * v[2];
    }
}

/* Along the axes of A as they stand, u: A's points are, apart from its translation, at u . (M p) = s^2 p_k, to within
 * 2^-14 of the reach, as the columns of M are perpendicular and of one length to within 1e-5; and B's extents are known
 * along any vector. The roundings of all that are far less than another 2^-14. */
static int has_gap_along_axes(const tmb_extents *a, const tumble_pose *pose_a, const tmb_extents *b,
                              const tumble_pose *pose_b, double clearance)
{
    static const int weights[3] = {9, 3, 1};
    const double *m = &pose_b->m[0][0];
    const double shift[3] = {m[3] - pose_a->m[0][3], m[7] - pose_a->m[1][3], m[11] - pose_a->m[2][3]};
    double reach_b = 0;
    for (int k = 0; k < 3; k++) {
        reach_b += (fabs(pose_b->m[k][0]) + fabs(pose_b->m[k][1]) + fabs(pose_b->m[k][2])) * b->reach;
    }
    for (int k = 0; k < 3; k++) {
        const double u[3] = {pose_a->m[0][k], pose_a->m[1][k], pose_a->m[2][k]};
        const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        const double length = square > TINY ? sqrt(square) : fabs(u[0]) + fabs(u[1]) + fabs(u[2]);
        const double to = shift[0] * u[0] + shift[1] * u[1] + shift[2] * u[2];
        double v[3], forward, backward;
        transposed(pose_b, u, v);
        reach_along(b, v, &forward, &backward);
        const double sizes =
            length * (4 * length * a->reach + reach_b + fabs(shift[0]) + fabs(shift[1]) + fabs(shift[2]));
        const double slack = 2 * TMB_BOX_STRETCH * sizes + clearance * (1 + TMB_BOX_STRETCH) * length + TINY;
        const double upper_a = square * a->along[TMB_EXTENTS / 2 + weights[k]];
        const double lower_a = -square * a->along[TMB_EXTENTS / 2 - weights[k]];
        if (to - backward > upper_a + slack || to + forward < lower_a - slack) {
            return 1;
        }
    }
    return 0;
}

int tmb_extents_are_apart(const tmb_extents *a, const tumble_pose *pose_a, const tmb_extents *b,
                          const tumble_pose *pose_b, double clearance)
{
    return has_gap_along_axes(a, pose_a, b, pose_b, clearance) || has_gap_along_axes(b, pose_b, a, pose_a, clearance);
}
