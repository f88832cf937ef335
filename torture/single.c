#include "single.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int torture_single_begin(torture_stage *s, const torture_question *q, torture_single *out)
{
    *out = (torture_single){.model = torture_stage_model(s, q, 0),
                            .recipe = torture_stage_recipe(s, q, 0),
                            .triangles = &s->triangles[0],
                            .pose = torture_pose(s->c, q->pose, 0),
                            .scale = 1};
    if (out->pose) {
        out->status = tumble_pose_check(s->world->contexts[0], out->pose);
        out->inverse = tumble_pose_inverse(out->pose);
        out->scale = tumble_pose_scale(out->pose);
    }
    return out->model != NULL;
}

int torture_into_model(const torture_single *a, const double in[3], int is_direction, double out[3])
{
    memcpy(out, in, 3 * sizeof *out);
    if (a->pose) {
        tumble_pose inverse = a->inverse;
        for (int k = 0; k < 3 && is_direction; k++) {
            inverse.m[k][3] = 0;
        }
        tumble_pose_apply(&inverse, in, out);
    }
    return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

static void square_from(torture_stage *s, const double corners[3][3], const double point[3], mpq_t out)
{
    double dot[3][3];
    for (int i = 0; i < 9; i++) {
        dot[i / 3][i % 3] = point[i % 3];
    }
    oracle_squared_distance(s->world->oracle, corners, (const double(*)[3])dot, out);
}

int torture_polygon_square(torture_stage *s, const torture_triangles *t, uint32_t polygon, const double point[3],
                           mpq_t out)
{
    int found = 0;
    mpq_t own;
    mpq_init(own);
    for (size_t i = 0; i < t->count; i++) {
        if (t->polygons[i] == polygon) {
            square_from(s, (const double(*)[3])t->corners[i], point, own);
            if (!found || mpq_cmp(own, out) < 0) {
                mpq_set(out, own);
            }
            found = 1;
        }
    }
    mpq_clear(own);
    return found;
}

double torture_place_limit(torture_stage *s, const torture_question *q, const torture_single *a, torture_limit *limit)
{
    double point[3], value = 1;
    if (limit->is_known) {
        return limit->value;
    }
    if (a->triangles->count && torture_into_model(a, q->places[0], 0, point)) {
        mpq_t square;
        mpq_init(square);
        square_from(s, (const double(*)[3])a->triangles->corners[limit->triangle_a % a->triangles->count], point,
                    square);
        value = (double)(torture_root(square) * a->scale);
        mpq_clear(square);
    }
    value = fmin(value, DBL_MAX);
    limit->value = fmax(0, test_step_ulps(isfinite(value) ? value : 1, limit->steps));
    limit->is_known = 1;
    return limit->value;
}

long double torture_divided(double value, double scale)
{
    if (value == 0 || isinf(value)) {
        return value;
    }
    int above, below;
    const double mantissa = frexp(value, &above) / frexp(scale, &below);
    return ldexpl(mantissa, above - below);
}

int torture_is_within(mpq_srcptr square, long double limit)
{
    if (isinf(limit)) {
        return 1;
    }
    mpq_t most;
    mpq_init(most);
    torture_set_limit(most, limit);
    mpq_mul(most, most, most);
    const int within = mpq_cmp(square, most) <= 0;
    mpq_clear(most);
    return within;
}

int torture_single_status(torture_stage *s, const torture_question *q, tumble_status status, tumble_status expected)
{
    if (status != expected) {
        char text[256] = "";
        (void)tumble_query_error(s->queries[q->level], text, sizeof text);
        return torture_wrong(s, "%s instead of %s: %s", tumble_status_name(status), tumble_status_name(expected), text);
    }
    s->tally->errors += status != TUMBLE_OK;
    return status == TUMBLE_OK;
}
