/* Poses of two models, and the counters of a question. */
#include "query/encounter.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/pose.h"
#include "math/vec3.h"

/* No point of the model has a larger coordinate k, when the pose moves it. */
static double pose_reach(const tumble_pose *pose, int k, const tumble_model *model)
{
    TMB_ASSERT(k >= 0 && k < 3);
    double reach = fabs(pose->m[k][3]);
    for (int j = 0; j < 3; j++) {
        const double low = fabs(model->block->lower[j]), high = fabs(model->block->upper[j]);
        reach += fabs(pose->m[k][j]) * (low > high ? low : high);
    }
    return reach;
}

/* Whether no point of the model can become infinite when the pose moves it. */
static int stays_finite(const tumble_pose *pose, const tumble_model *model)
{
    int finite = 1;
    for (int k = 0; k < 3; k++) {
        finite &= isfinite(pose_reach(pose, k, model)) != 0;
    }
    return finite;
}

int tmb_encounter_a_stays_finite(const tmb_encounter *e)
{
    return stays_finite(&e->pose_a, e->a);
}

int tmb_encounter_b_stays_finite(const tmb_encounter *e)
{
    int finite = 1;
    for (int k = 0; k < 3; k++) {
        double reach = fabs(e->pose_a.m[k][3]);
        for (int j = 0; j < 3; j++) {
            reach += fabs(e->pose_a.m[k][j]) * pose_reach(&e->relative, j, e->b);
        }
        finite &= isfinite(reach) != 0;
    }
    return finite;
}

/* Says what is infinite: the pose of B in A's frame, its position alone, or only B's points. */
static tumble_status fail_infinite(tumble_context *context, const tumble_pose *pose_a, const tumble_pose *pose_b,
                                   const tumble_pose *relative)
{
    const tumble_pose inverse = tumble_pose_inverse(pose_a);
    if (!isfinite(tmb_pose_largest_linear(&inverse))) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "A's pose, of scale %g, has no inverse in doubles",
                        tumble_pose_scale(pose_a));
    }
    if (!isfinite(tmb_pose_largest_linear(relative))) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE,
                        "B's pose becomes infinite in A's frame: the scales are %g for A and %g for B",
                        tumble_pose_scale(pose_a), tumble_pose_scale(pose_b));
    }
    if (!tmb_all_finite(relative->m[0], 12)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE,
                        "B's position becomes infinite in A's frame: the poses are too far apart for A's scale, %g",
                        tumble_pose_scale(pose_a));
    }
    return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "B's points become infinite when they are moved into A's frame");
}

tumble_status tmb_encounter_place(tmb_encounter *e, const tumble_pose *pose_a, const tumble_pose *pose_b)
{
    TMB_ASSERT(e->a && e->b && e->query);
    TMB_ASSERT(e->status == TUMBLE_OK);
    tumble_context *context = e->query->context;
    const tumble_pose identity = tumble_pose_identity();
    pose_a = pose_a ? pose_a : &identity;
    pose_b = pose_b ? pose_b : &identity;
    tumble_status status = e->is_plain ? TUMBLE_OK : tumble_pose_check(context, pose_a);
    if (status == TUMBLE_OK && !e->is_plain) {
        status = tumble_pose_check(context, pose_b);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    e->pose_a = *pose_a;
    e->has_pose_a = !tmb_pose_is_identity(pose_a);
    e->relative = tumble_pose_relative(pose_a, pose_b);
    if (tmb_encounter_is_thick(e)) {
        e->thick = tmb_thickness_of(e->a, pose_a, e->b, pose_b, e->query->padding);
    }
    return e->is_plain || stays_finite(&e->relative, e->b) ? TUMBLE_OK
                                                           : fail_infinite(context, pose_a, pose_b, &e->relative);
}

#define TINY 0x1p-900   /* coordinates, */
#define ENLARGED_BY 600 /* which are enlarged by 2^this */

int tmb_encounter_enlarge(const tmb_encounter *e, const double (*triangles[2])[3], double room[2][3][3])
{
    if (!e->has_pose_a || !(tmb_largest_of(triangles[0][0], 9) < TINY && tmb_largest_of(triangles[1][0], 9) < TINY) ||
        !(tmb_pose_largest_linear(&e->pose_a) > 1)) {
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 9; i++) {
            room[side][i / 3][i % 3] = ldexp(triangles[side][i / 3][i % 3], ENLARGED_BY);
        }
        triangles[side] = (const double(*)[3])room[side];
    }
    return ENLARGED_BY;
}

/* With sums that cannot overflow: the pose and the point are made smaller, and the result larger again. */
static double far_coordinate(const double row[4], const double point[3])
{
    const int half = 600;
    double sum = 0;
    for (int j = 0; j < 3; j++) {
        sum += ldexp(row[j], -half) * ldexp(point[j], -half);
    }
    return ldexp(sum + ldexp(row[3], -2 * half), 2 * half);
}

void tmb_encounter_point(const tmb_encounter *e, int exponent, const double point[3], double out[3])
{
    if (!e->has_pose_a) {
        memcpy(out, point, 3 * sizeof *out);
        return;
    }
    for (int k = 0; k < 3; k++) {
        const double *m = e->pose_a.m[k];
        if (exponent == 0) {
            out[k] = tmb_pose_coordinate(&e->pose_a, k, point[0], point[1], point[2]);
            out[k] = isfinite(out[k]) ? out[k] : far_coordinate(m, point);
        } else {
            const double x = ldexp(m[0], -exponent), y = ldexp(m[1], -exponent), z = ldexp(m[2], -exponent);
            out[k] = x * point[0] + y * point[1] + z * point[2] + m[3];
        }
    }
}

/* Bytes that a look at a triangle touches. */
static uint64_t triangle_bytes(const tumble_model *model)
{
    return sizeof(tmb_cluster_place) + 3 * sizeof(uint32_t) + 9 * (model->is_float ? sizeof(float) : sizeof(double));
}

tumble_counters tmb_encounter_counters(const tmb_encounter *e, double seconds)
{
    const uint64_t pair_bytes = triangle_bytes(e->a) + triangle_bytes(e->b);
    return (tumble_counters){.box_tests = e->box_tests,
                             .box_updates = e->box_updates,
                             .primitive_tests = e->primitive_tests,
                             .exact_tests = e->exact_tests,
                             .bytes_touched = e->node_bytes + e->primitive_tests * pair_bytes,
                             .seconds = seconds};
}
