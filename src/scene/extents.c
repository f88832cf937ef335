/* Boxes of models at poses.
 *
 * Why no pair is lost. tumble_collide moves B's points by the relative pose, as rounded. With u = 2^-53, the inverse of
 * A's linear part and the products of the relative pose have relative errors of a few u, so a moved point, taken back
 * into the frame of the poses, is off by at most 2^-44 (|t_b - t_a| + r_b), where t are the translations and r the
 * largest distance of a point from its translation. If the surfaces meet there, |t_b - t_a| <= (1 + 2^-40)(r_a + r_b).
 * So it is enough that each box is larger by 2^-42 r, for what the other one's points are off by, and here it is larger
 * by 2^-40 r. Far from the origin, where a sum of translation and extent loses digits, its rounding errors come on top.
 *
 * What underflows is lost whatever the sizes: in A's frame, where a product is off by 2^-1075, a coordinate of B is off
 * by less than 2^-1069 (1 + R) if no coordinate of B's model is larger than R. So A's box is larger by that, times A's
 * linear part. This matters only if B's scale is 2^1000 times smaller than A's, or A has subnormal coordinates.
 *
 * Clearances are lengths in A's frame times its scale; a pose may differ from a rotation times a scale by 1e-5, so
 * lengths in the frame of the poses may be larger by less than 2^-14 of them. */
#include "scene/extents.h"

#include <float.h>
#include <stdlib.h>

#include "math/rounding.h"

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
        e->box.reach = fabs(p[k]) > e->box.reach ? fabs(p[k]) : e->box.reach;
    }
}

/* A ball of this radius around each point. Lengths in the frame of the poses may differ, as above. */
static void thicken(tmb_extents *e, double radius)
{
    static const double lengths[4] = {0, 1, 0x1.6a09e667f3bcdp+0, 0x1.bb67ae8584cabp+0}; /* of 1, 2 and 3 coordinates */
    const double grown = radius * (1 + 2 * TMB_POSE_STRETCH);
    for (int x = -1, i = 0; x <= 1; x++) {
        for (int y = -1; y <= 1; y++) {
            for (int z = -1; z <= 1; z++, i++) {
                e->along[i] += grown * lengths[abs(x) + abs(y) + abs(z)];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        e->box.half[k] += grown;
    }
    e->box.reach += grown;
}

void tmb_extents_of(const tumble_model *model, double padding, tmb_extents *out)
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
    for (int i = 0; i < TMB_EXTENTS; i++) { /* the products are off by three roundings, or have overflowed */
        const double along = out->along[i] + TMB_SCENE_EXTENT_ROUNDING * out->box.reach;
        out->along[i] = isfinite(along) ? along : INFINITY;
    }
    for (int k = 0, weight = 9; k < 3; k++, weight /= 3) {
        const double upper = out->along[TMB_EXTENTS / 2 + weight], lower = -out->along[TMB_EXTENTS / 2 - weight];
        out->box.centre[k] = lower / 2 + upper / 2;
        out->box.half[k] = upper / 2 - lower / 2 + TMB_SCENE_EXTENT_ROUNDING * out->box.reach;
    }
    if (model->radius > 0 || padding > 0) {
        thicken(out, model->radius + padding);
    }
}

double tmb_extents_lost(double reach)
{
    return TMB_SCENE_BOX_UNDERFLOW * (1 + reach);
}

void tmb_extents_along(const tmb_extents *e, const double u[3], double *forward, double *backward)
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

void tmb_extents_world(const tmb_extents *e, const tumble_pose *pose, double clearance, double lost, double lower[3],
                       double upper[3])
{
    double linear = 0;
    for (int k = 0; k < 3; k++) {
        linear = fmax(linear, fabs(pose->m[k][0]) + fabs(pose->m[k][1]) + fabs(pose->m[k][2]));
    }
    const double padding = linear * (TMB_SCENE_BOX_PADDING * e->box.reach + lost) + clearance * (1 + TMB_POSE_STRETCH) +
                           TMB_SCENE_BOX_UNDERFLOW;
    for (int k = 0; k < 3; k++) {
        double forward, backward;
        tmb_extents_along(e, pose->m[k], &forward, &backward);
        const double t = pose->m[k][3], size = fabs(t) + linear * e->box.reach + 2 * clearance;
        upper[k] = t + (forward + padding) + TMB_SCENE_BOX_ROUNDING * size;
        lower[k] = t - (backward + padding) - TMB_SCENE_BOX_ROUNDING * size;
        if (!isfinite(upper[k]) || !isfinite(lower[k])) { /* infinity times 0 among them */
            upper[k] = INFINITY;
            lower[k] = -INFINITY;
        }
    }
}

static float within(double x)
{
    return (float)(x < -(double)TMB_SCENE_BOX_MOST  ? -(double)TMB_SCENE_BOX_MOST
                   : x > (double)TMB_SCENE_BOX_MOST ? (double)TMB_SCENE_BOX_MOST
                                                    : x);
}

tmb_box tmb_extents_box(const tmb_extents *extents, const tumble_pose *pose, double clearance,
                        const tmb_scene_frame *frame)
{
    double lower[3], upper[3];
    tmb_box box;
    tmb_extents_world(extents, pose, clearance, frame->lost, lower, upper);
    for (int k = 0; k < 3; k++) {
        const double o = frame->origin[k], size = fmax(fabs(lower[k]), fabs(upper[k])) + fabs(o);
        const double slack = TMB_SCENE_BOX_ROUNDING * size * frame->scale + TMB_SCENE_BOX_LEAST;
        const double low = (lower[k] - o) * frame->scale - slack, high = (upper[k] - o) * frame->scale + slack;
        box.lower[k] = isfinite(low) ? within((double)tmb_float_below(low)) : -TMB_SCENE_BOX_MOST;
        box.upper[k] = isfinite(high) ? within((double)tmb_float_above(high)) : TMB_SCENE_BOX_MOST;
    }
    return box;
}
