/* Poses of two models, and the counters of a question. */
#include "query/encounter.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/pose.h"

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

tumble_status tmb_encounter_place(tmb_encounter *e, const tumble_pose *pose_a, const tumble_pose *pose_b)
{
    TMB_ASSERT(e->a && e->b && e->query);
    TMB_ASSERT(e->status == TUMBLE_OK);
    tumble_context *context = e->query->context;
    const tumble_pose identity = tumble_pose_identity();
    pose_a = pose_a ? pose_a : &identity;
    pose_b = pose_b ? pose_b : &identity;
    tumble_status status = tumble_pose_check(context, pose_a);
    if (status == TUMBLE_OK) {
        status = tumble_pose_check(context, pose_b);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    e->pose_a = *pose_a;
    e->has_pose_a = !tmb_pose_is_identity(pose_a);
    e->relative = tumble_pose_relative(pose_a, pose_b);
    if (!stays_finite(&e->relative, e->b)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE,
                        "B's points become infinite when they are moved into A's frame");
    }
    return TUMBLE_OK;
}

void tmb_encounter_point(const tmb_encounter *e, const double point[3], double out[3])
{
    if (e->has_pose_a) {
        tumble_pose_apply(&e->pose_a, point, out);
    } else {
        memcpy(out, point, 3 * sizeof *out);
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
