/* Models with a radius: collisions within the sum of radii and clearance, which is rounded once, and distances. */
#include <float.h>
#include <math.h>

#include "single.h"

/* The nearest double to a sum of products. */
static double rounded_sum(const double factors[3][2])
{
    mpq_t sum, x, y;
    mpq_inits(sum, x, y, (mpq_ptr)0);
    for (int i = 0; i < 3; i++) {
        mpq_set_d(x, factors[i][0]);
        mpq_set_d(y, factors[i][1]);
        mpq_mul(x, x, y);
        mpq_add(sum, sum, x);
    }
    double out = mpq_get_d(sum);
    out = ray_oracle_is_rounded(out, sum) ? out : nextafter(out, INFINITY);
    mpq_clears(sum, x, y, (mpq_ptr)0);
    return out;
}

torture_radii torture_radii_of(torture_stage *s, torture_question *q)
{
    const double limit = torture_limit_value(s, q, &q->clearance);
    const double whole = isfinite(limit) ? limit : 1;
    torture_radii out = {.radius = {whole * q->shares[0], whole * q->shares[1]}};
    q->rest = whole * fmax(0, 1 - q->shares[0] - q->shares[1]);
    double factors[3][2] = {{1, q->rest}};
    for (int side = 0; side < 2; side++) {
        const tumble_pose *pose = torture_pose(s->c, q->pose, side);
        factors[1 + side][0] = pose ? tumble_pose_scale(pose) : 1;
        factors[1 + side][1] = out.radius[side];
    }
    const int is_posed = isfinite(factors[1][0]) && isfinite(factors[2][0]);
    out.sum = is_posed ? rounded_sum((const double(*)[2])factors) : 0;
    return out;
}

static int set_radii(torture_stage *s, const torture_question *q, const double radius[2])
{
    for (int side = 0; side < 2; side++) {
        const torture_model *m = &s->models[side][q->recipe[side]];
        if (!torture_stage_model(s, q, side) || tumble_model_set_radius(m->model, radius[side]) != TUMBLE_OK) {
            return torture_wrong(s, "the radius %.17g cannot be set", radius[side]);
        }
    }
    return 1;
}

/* The distance of the polygons less the radii. What is beyond doubles is left out; the status is that of
 * tumble_collide. */
static int check_distance(torture_stage *s, const torture_question *q, double sum)
{
    torture_truth *t = torture_stage_truth(s, q->pose);
    tumble_distance_result result;
    const tumble_status status =
        tumble_distance(s->queries[q->level], torture_stage_model(s, q, 0), torture_pose(s->c, q->pose, 0),
                        torture_stage_model(s, q, 1), torture_pose(s->c, q->pose, 1), NULL, &result);
    mpq_srcptr least = torture_truth_least(t);
    if (status != TUMBLE_OK || !least) {
        return 1;
    }
    const int meet = torture_is_within(least, torture_limit_in_a(s, q, sum));
    const long double whole = torture_root(least) * torture_truth_scale(t), found = result.nearest.distance;
    const long double truth = meet ? 0 : fmaxl(0, whole - sum);
    if (whole > DBL_MAX / 2) {
        return 1;
    }
    if (meet != (found == 0) && truth > 0x1p-1070L) {
        return torture_wrong(s, "the distance is %.17Lg, and the solids %s", found, meet ? "meet" : "do not meet");
    }
    return fabsl(found - truth) <= 1.1e-14L * whole + 0x1p-1073L ||
           torture_wrong(s, "the distance is %.17Lg instead of %.17Lg", found, truth);
}

int torture_ask_radius(torture_stage *s, torture_question *q)
{
    static const double none[2] = {0, 0};
    const torture_radii radii = torture_radii_of(s, q);
    if (!isfinite(radii.sum)) {
        return 1;
    }
    if (!set_radii(s, q, radii.radius)) {
        return 0;
    }
    const int right = torture_ask_collide(s, q) && (q->rest != 0 || check_distance(s, q, radii.sum));
    return set_radii(s, q, none) && right;
}
