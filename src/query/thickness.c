/* The sum of two models' radii. */
#include "query/thickness.h"

#include <math.h>

#include "math/pose.h"
#include "math/thick_sum.h"

tmb_thickness tmb_thickness_of(const tumble_model *a, const tumble_pose *pose_a, const tumble_model *b,
                               const tumble_pose *pose_b, const double padding[2])
{
    const tumble_model *models[2] = {a, b};
    const tumble_pose *poses[2] = {pose_a, pose_b};
    tmb_thickness t = {.is_any = 1,
                       .is_uniform = !a->radii && !b->radii && !tmb_model_is_flat(a) && !tmb_model_is_flat(b)};
    for (int i = 0; i < 2; i++) {
        t.scales[i] = !poses[i] || tmb_pose_is_identity(poses[i]) ? 1 : tumble_pose_scale(poses[i]);
        t.padding[i] = padding[i];
        t.most[i] = models[i]->radius;
    }
    return t;
}

tmb_thickness tmb_thickness_alone(const tumble_model *model, const tumble_pose *pose, double padding)
{
    const double paddings[2] = {padding, 0};
    tmb_thickness t = tmb_thickness_of(model, pose, model, NULL, paddings);
    t.most[1] = 0;
    return t;
}

double tmb_thickness_beside(const tmb_thickness *t, double length, double radius_a, double radius_b)
{
    const double factors[4][2] = {{t->scales[0], radius_a},
                                  {t->scales[1], radius_b},
                                  {t->scales[0], t->padding[0]},
                                  {t->scales[1], t->padding[1]}};
    const int has_padding = t->padding[0] > 0 || t->padding[1] > 0;
    return length < INFINITY ? tmb_thick_sum(length, factors, has_padding ? 4 : 2) : length;
}

double tmb_thickness_own(const tmb_thickness *t, int which, double radius)
{
    const double factors[1][2] = {{t->scales[which], radius}};
    return tmb_thick_sum(0, factors, 1);
}

tumble_status tmb_thickness_check(tumble_context *context, const tmb_thickness *t, double length)
{
    return !(length < INFINITY) || isfinite(tmb_thickness_plus(t, length))
               ? TUMBLE_OK
               : tmb_fail(context, TUMBLE_ERROR_NOT_FINITE,
                          "the radii, %g and %g times the scales %g and %g, and the clearance have an infinite sum",
                          t->most[0] + t->padding[0], t->most[1] + t->padding[1], t->scales[0], t->scales[1]);
}
