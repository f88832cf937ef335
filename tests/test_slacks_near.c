/* The slacks of distances in floats, from inside: those in use are the ones that proofs/ is about, and the errors that
 * they pay for are smaller, as far as a search can tell. Exact values are doubles. */
#define TMB_KERNEL scalar

/* Functions that the library keeps to itself. */
#include "near/clusters_kernel.c"
#include "prim/triangle_distance.h"
#include "support.h"

#define FLOAT_UNIT ((double)TMB_FLOAT_ROUNDING)

static float any(test_random *random)
{
    return (float)test_random_range(random, -1, 1);
}

static float lane_of(tmb_f8 x, int lane)
{
    float lanes[TMB_LANES];
    tmb_f8_storeu(lanes, x);
    return lanes[lane];
}

/* ---- Pairs of triangles in lanes ---- */

typedef struct float_pair {
    float a[3][3], b[3][3];
} float_pair;

static tmb_triangle8 in_all_lanes(float t[3][3])
{
    tmb_triangle8 out;
    for (int i = 0; i < 3; i++) {
        out.x[i] = tmb_f8_set(t[i][0]);
        out.y[i] = tmb_f8_set(t[i][1]);
        out.z[i] = tmb_f8_set(t[i][2]);
    }
    return out;
}

static double exact_along(float a[3][3], float b[3][3], const double n[3])
{
    double least = INFINITY;
    for (int i = 0; i < 9; i++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            sum += n[k] * ((double)b[i / 3][k] - (double)a[i % 3][k]);
        }
        least = fmin(least, sum);
    }
    return least / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/* By how much a gap along some direction, as computed, is too large, in roundings of the size. */
static double gap_error(float_pair *p, const float n[3])
{
    const tmb_triangle8 a = in_all_lanes(p->a), b = in_all_lanes(p->b);
    const tmb_apart8 t = tmb_apart8_of(&a, &b);
    const tmb_vector8 along = {tmb_f8_set(n[0]), tmb_f8_set(n[1]), tmb_f8_set(n[2])};
    const double computed = (double)lane_of(tmb_gap8_towards(&t, along, tmb_vector8_dot(along, along)), 0);
    const double truth = exact_along(p->a, p->b, (const double[3]){(double)n[0], (double)n[1], (double)n[2]});
    return (computed - truth) / FLOAT_UNIT / (double)lane_of(t.size, 0);
}

static void make_pair(test_random *random, float_pair *p)
{
    for (int i = 0; i < 9; i++) {
        p->a[i / 3][i % 3] = any(random);
        p->b[i / 3][i % 3] = any(random);
    }
    for (int i = 0; i < 3; i++) {
        p->b[i][2] += 2;
    }
}

/* Climbs from random pairs to those with the largest error. */
static void test_lane_gaps(void **state)
{
    (void)state;
    test_random random = {6201};
    double most = 0;
    for (size_t start = test_count(40); start > 0; start--) {
        float_pair best;
        float n[3] = {any(&random), any(&random), (float)test_random_range(&random, 1, 2)};
        make_pair(&random, &best);
        double error = gap_error(&best, n);
        for (int step = 0; step < 500; step++) {
            float_pair other = best;
            float *which = test_random_chance(&random, 0.5) ? other.a[0] : other.b[0];
            which[test_random_whole(&random, 0, 8)] += any(&random) * 0x1p-6F;
            const double own = gap_error(&other, n);
            assert_true(own <= (double)TMB_DISTANCE8_GAPS);
            best = own > error ? other : best;
            error = fmax(own, error);
        }
        most = fmax(most, error);
    }
    assert_true(most > 0.6); /* of 11: roundings seldom work together */
}

/* Lower and upper bounds of random pairs, in roundings of the size, from the distance of the floats. */
static void test_lane_bounds(void **state)
{
    (void)state;
    test_random random = {6202};
    double lower_spare = INFINITY, upper_spare = INFINITY;
    for (size_t i = test_count(10000); i > 0; i--) {
        float_pair p;
        double a[3][3], b[3][3];
        tmb_triangle_distance truth;
        make_pair(&random, &p);
        for (int j = 0; j < 9; j++) {
            a[j / 3][j % 3] = (double)p.a[j / 3][j % 3];
            b[j / 3][j % 3] = (double)p.b[j / 3][j % 3];
        }
        const tmb_triangle8 a8 = in_all_lanes(p.a), b8 = in_all_lanes(p.b);
        const double unit = FLOAT_UNIT * (double)lane_of(tmb_apart8_of(&a8, &b8).size, 0);
        const tmb_distance8 said = tmb_triangles_distance8(&a8, &b8, 0); /* coordinates are exact */
        tmb_triangles_distance((const double(*)[3])a, (const double(*)[3])b, &truth, NULL);
        if (truth.lower > 0) {
            lower_spare = fmin(lower_spare, (truth.lower - (double)lane_of(said.lower, 0)) / unit);
            upper_spare = fmin(upper_spare, ((double)lane_of(said.upper, 0) - truth.upper) / unit);
        }
    }
    assert_true(lower_spare >= 0 && lower_spare < (double)TMB_DISTANCE8_GAPS);
    assert_true(upper_spare >= 0 && upper_spare < (double)TMB_DISTANCE8_POINTS);
}

/* Where nothing is rounded, exactly the slack is taken off or added. Both triangles have size 2, w has size 1. */
static void test_lane_slacks(void **state)
{
    (void)state;
    float_pair p = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}};
    const tmb_triangle8 a = in_all_lanes(p.a), b = in_all_lanes(p.b);
    const float lower = TMB_DISTANCE8_COORDINATES + 5 * TMB_DISTANCE8_GAPS,
                upper = TMB_DISTANCE8_COORDINATES + 5 * TMB_DISTANCE8_POINTS;
    const tmb_distance8 said = tmb_triangles_distance8(&a, &b, 1);
    assert_true(lane_of(said.lower, 3) == 1 - lower * TMB_FLOAT_ROUNDING);
    assert_true(lane_of(said.upper, 3) == 1 + upper * TMB_FLOAT_ROUNDING);
    assert_true(lane_of(tmb_triangles_distance8_lower(&a, &b, 1), 3) == lane_of(said.lower, 3));
    assert_true(lane_of(tmb_triangles_gap8(&a, &b, 1), 3) == lane_of(said.lower, 3));
    assert_true(lane_of(tmb_slack8(0, 0, tmb_f8_zero()), 0) == TMB_DISTANCE8_UNDERFLOW);
}

/* ---- Clusters ---- */

/* Clusters of one triangle each, the second one beyond the first. */
static void make_cluster(float t[3][3], near_cluster *out)
{
    float reach = 0;
    out->lanes.triangles = in_all_lanes(t);
    for (int k = 0; k < 3; k++) {
        const float least = fminf(fminf(t[0][k], t[1][k]), t[2][k]), most = fmaxf(fmaxf(t[0][k], t[1][k]), t[2][k]);
        for (int i = 0; i < TMB_LANES; i++) {
            out->lanes.lower[k][i] = least, out->lanes.upper[k][i] = most;
        }
        reach = fmaxf(reach, fmaxf(fabsf(least), fabsf(most)));
        out->middle[k] = 0.5F * (least + most);
    }
    out->lanes.used = 1;
    out->lanes.used_rows = 255;
    out->lanes.reach = reach;
}

static int is_close(const near_cluster *a, const near_cluster *b, double bound, float reach)
{
    static tmb_near_search search;
    int may_meet;
    search.bound = bound;
    search.least = INFINITY;
    return close_slots(&search, a, b, 1, reach, &may_meet) != 0;
}

/* The largest bound for which two triangles are left out. */
static double bound_between(float_pair *p, float reach)
{
    near_cluster a, b;
    double low = 0, high = 4;
    make_cluster(p->a, &a);
    make_cluster(p->b, &b);
    for (int i = 0; i < 120; i++) {
        const double middle = 0.5 * (low + high);
        *(is_close(&a, &b, middle, reach) ? &high : &low) = middle;
    }
    return low;
}

static void test_cluster_slacks(void **state)
{
    (void)state;
    float_pair p = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}};
    const double part = (double)TMB_BOUND_ROUNDING, slack = (double)TMB_CLUSTER_GAP_ROUNDING;
    for (float reach = 1; reach <= 64; reach *= 2) { /* the gap is 1; the limit has its part twice */
        const double expected = 1 - (double)reach * slack - 2 * part;
        assert_true(fabs(bound_between(&p, reach) - expected) < 3 * FLOAT_UNIT);
    }
    assert_true(fabs(bound_between(&p, 0) - (1 - 2 * part)) < 3 * FLOAT_UNIT);
    for (int i = 0; i < 3; i++) {
        p.b[i][2] = 0x1p-58F; /* where the constant part of the slack counts: 2^-60 of 2^-58 */
    }
    assert_true(fabs(bound_between(&p, 0) * 0x1p58 - 0.75) < 0.001);
}

/* About the double that is farthest to one side of what is rounded to this float. */
static double rounded_from(float x, int side)
{
    return (double)x + side * 0.499 * (double)fabsf(nextafterf(x, 2 * x) - x);
}

/* Bounds of triangles that floats are rounded from are not larger than their distance: the truth of both is a double.
 */
static void test_cluster_errors(void **state)
{
    (void)state;
    test_random random = {6203};
    double most = -INFINITY;
    for (size_t i = test_count(3000); i > 0; i--) {
        double a[3][3], b[3][3], reach = 0;
        float_pair p;
        tmb_triangle_distance truth;
        for (int j = 0; j < 3;
             j++) { /* in a plane x + y + z = 0, and the same a little above it, nearer than rounded */
            double at[3] = {test_random_range(&random, -1, 1), test_random_range(&random, -1, 1)};
            at[2] = -at[0] - at[1];
            for (int k = 0; k < 3; k++) {
                p.a[j][k] = (float)at[k], p.b[j][k] = (float)(at[k] + 0x1p-9);
                a[j][k] = rounded_from(p.a[j][k], 1), b[j][k] = rounded_from(p.b[j][k], -1);
                reach = fmax(reach, fmax(fabs(a[j][k]), fabs(b[j][k])));
            }
        }
        tmb_triangles_distance((const double(*)[3])a, (const double(*)[3])b, &truth, NULL);
        const double bound = bound_between(&p, (float)reach);
        assert_true(bound <= truth.lower);
        most = fmax(most, (bound - truth.lower) / ((double)TMB_CLUSTER_GAP_ROUNDING * reach));
    }
    assert_true(most > -0.92); /* so much of the slack is never needed; proven is that 0.97 of it may be */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lane_gaps),      cmocka_unit_test(test_lane_bounds),
        cmocka_unit_test(test_lane_slacks),    cmocka_unit_test(test_cluster_slacks),
        cmocka_unit_test(test_cluster_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
