/* Rays and single triangles against rational arithmetic: through corners and edges, in planes, one ulp beside them,
 * with coordinates of all sizes. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "prim/triangle_ray.h"
#include "ray_oracle.h"
#include "support.h"

/* ---- Numbers ---- */

typedef enum numbers {
    LATTICE,
    UNIT,
    SIZES,
    TINY,
    HUGE_NUMBERS,
    NUMBER_KINDS
} numbers;

static double number(test_random *random, numbers kind)
{
    const double unit = test_random_range(random, -1, 1);
    const int whole = test_random_whole(random, -3, 3);
    switch (kind) {
    case LATTICE: return whole;
    case UNIT: return unit;
    case SIZES: return ldexp(unit, test_random_whole(random, -1060, 1020));
    case TINY: return 0x1p-1074 * (double)test_random_whole(random, -9, 9);
    default: return test_random_chance(random, 0.3) ? copysign(DBL_MAX, unit) : DBL_MAX * unit;
    }
}

static void point(test_random *random, numbers kind, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = number(random, kind);
}

/* A point of a triangle, nearly: one of its corners, on an edge, or anywhere. */
static void target(test_random *random, const double corners[3][3], double out[3])
{
    const int i = test_random_whole(random, 0, 2), how = test_random_whole(random, 0, 2);
    const double s = test_random_whole(random, 0, 4) / 4.0, t = test_random_unit(random) * (1 - s);
    for (int k = 0; k < 3; k++) {
        const double a = corners[i][k], b = corners[(i + 1) % 3][k], c = corners[(i + 2) % 3][k];
        out[k] = how == 0 ? a : how == 1 ? (1 - s) * a + s * b : (1 - s - t) * a + s * b + t * c;
    }
}

static int aim(test_random *random, numbers kind, const double corners[3][3], oracle_ray *ray)
{
    double at[3];
    target(random, corners, at);
    point(random, kind, ray->origin);
    const int axis = test_random_whole(random, 0, 8);
    const double scale = ldexp(1, kind == LATTICE ? 0 : test_random_whole(random, -2, 2));
    int finite = 1, zero = 1;
    for (int k = 0; k < 3; k++) {
        if (axis < 3 && k != axis)
            ray->origin[k] = at[k];
        ray->direction[k] = test_random_chance(random, 0.1) ? number(random, kind) : (at[k] - ray->origin[k]) * scale;
        if (test_random_chance(random, 0.05))
            ray->direction[k] = test_step_ulps(ray->direction[k], test_random_whole(random, -1, 1));
        finite &= isfinite(ray->direction[k]) != 0;
        zero &= ray->direction[k] == 0;
    }
    ray->t0 = test_random_chance(random, 0.2) ? -INFINITY : test_random_chance(random, 0.2) ? 1 / scale : 0;
    ray->t1 = test_random_chance(random, 0.5) ? INFINITY : ray->t0 + 1 / scale;
    ray->t1 = ray->t1 >= ray->t0 ? ray->t1 : INFINITY;
    return finite && !zero;
}

static void draw_triangle(test_random *random, numbers kind, double corners[3][3])
{
    for (int i = 0; i < 3; i++)
        point(random, kind, corners[i]);
    if (test_random_chance(random, 0.1))
        memcpy(corners[1], corners[0], sizeof corners[1]);
    if (test_random_chance(random, 0.05))
        memcpy(corners[2], corners[0], sizeof corners[2]);
    if (test_random_chance(random, 0.1))
        target(random, (const double(*)[3])corners, corners[2]);
}

static tmb_ray as_ray(const oracle_ray *ray)
{
    tmb_ray out = {.first = ray->t0, .last = ray->t1};
    memcpy(out.origin, ray->origin, sizeof out.origin);
    memcpy(out.direction, ray->direction, sizeof out.direction);
    return out;
}

static tumble_side side_of(const tmb_ray_point *at)
{
    return at->side > 0 ? TUMBLE_SIDE_FRONT : at->side < 0 ? TUMBLE_SIDE_BACK : TUMBLE_SIDE_EDGE_ON;
}

/* ---- One triangle ---- */

static void check_one(ray_oracle *truth, const oracle_ray *given, const double corners[3][3], mpq_t t, size_t *hits)
{
    const tmb_ray ray = as_ray(given);
    tmb_ray_point at;
    tumble_side side;
    uint64_t exact = 0;
    const int expected = ray_oracle_meets(truth, given, corners, t, &side, NULL);
    assert_int_equal(tmb_ray_meets(&ray, corners, &at, &exact), expected);
    if (!expected)
        return;
    ++*hits;
    assert_int_equal(side_of(&at), side);
    if (at.error >= 0) { /* its bounds hold */
        mpq_t bound;
        mpq_init(bound);
        mpq_set_d(bound, at.t);
        mpq_sub(bound, bound, t);
        mpq_abs(bound, bound);
        assert_true(mpq_get_d(bound) <= at.error);
        mpq_clear(bound);
    }
    tmb_ray_round(&ray, corners, &at);
    assert_true(ray_oracle_is_rounded(at.t, t));
}

static void test_single(void **state)
{
    (void)state;
    test_random random = {1};
    ray_oracle *truth = ray_oracle_create();
    mpq_t t;
    mpq_init(t);
    for (int kind = 0; kind < NUMBER_KINDS; kind++) {
        const size_t count = test_count(kind <= UNIT ? 20000 : 2500);
        size_t hits = 0;
        for (size_t i = 0; i < count; i++) {
            double corners[3][3];
            oracle_ray ray;
            draw_triangle(&random, (numbers)kind, corners);
            if (aim(&random, (numbers)kind, (const double(*)[3])corners, &ray))
                check_one(truth, &ray, (const double(*)[3])corners, t, &hits);
        }
        assert_true(hits > count / 20);
    }
    mpq_clear(t);
    ray_oracle_destroy(truth);
}

/* ---- Two triangles: which comes first ---- */

static void test_order(void **state)
{
    (void)state;
    test_random random = {2};
    ray_oracle *truth = ray_oracle_create();
    mpq_t t[2];
    mpq_inits(t[0], t[1], NULL);
    size_t equal = 0, compared = 0;
    for (size_t i = 0; i < test_count(30000); i++) {
        const numbers kind = (numbers)test_random_whole(&random, 0, NUMBER_KINDS - 1);
        double a[3][3], b[3][3];
        oracle_ray given;
        tumble_side side;
        tmb_ray_point at_a, at_b;
        uint64_t exact = 0;
        if (kind > UNIT && i % 8)
            continue;
        draw_triangle(&random, kind, a);
        draw_triangle(&random, kind, b);
        memcpy(b[0], a[0], sizeof b[0]);
        if (test_random_chance(&random, 0.5))
            memcpy(b[1], a[1], sizeof b[1]);
        if (!aim(&random, kind, (const double(*)[3])a, &given))
            continue;
        const tmb_ray ray = as_ray(&given);
        if (!tmb_ray_meets(&ray, (const double(*)[3])a, &at_a, &exact) ||
            !tmb_ray_meets(&ray, (const double(*)[3])b, &at_b, &exact))
            continue;
        assert_true(ray_oracle_meets(truth, &given, (const double(*)[3])a, t[0], &side, NULL));
        assert_true(ray_oracle_meets(truth, &given, (const double(*)[3])b, t[1], &side, NULL));
        const int order = tmb_ray_compare(&ray, (const double(*)[3])a, &at_a, (const double(*)[3])b, &at_b);
        const int expected = mpq_cmp(t[0], t[1]);
        assert_int_equal((order > 0) - (order < 0), (expected > 0) - (expected < 0));
        equal += expected == 0;
        compared++;
    }
    assert_true(compared > test_count(30000) / 50);
    assert_true(equal > 0 && equal < compared);
    mpq_clears(t[0], t[1], NULL);
    ray_oracle_destroy(truth);
}

/* ---- Parameters that are hard to round ---- */

/* A plane z = 1 seen from 0 with a direction whose z is d: t = 1 / d. And planes z = m for middles between doubles. */
static void test_rounding(void **state)
{
    (void)state;
    test_random random = {3};
    ray_oracle *truth = ray_oracle_create();
    mpq_t t;
    mpq_init(t);
    for (size_t i = 0; i < test_count(2000); i++) {
        const double size = ldexp(1, test_random_whole(&random, -3, 3));
        const double far = ldexp(test_random_range(&random, 1, 2), test_random_whole(&random, -1073, 1020));
        const double along = test_random_chance(&random, 0.5)
                                 ? 0x1p-1074 * (double)test_random_whole(&random, 1, 1000)
                                 : ldexp(test_random_range(&random, 1, 2), test_random_whole(&random, -1073, 1020));
        const double corners[3][3] = {{-size, -size, far}, {3 * size, -size, far}, {-size, 3 * size, far}};
        oracle_ray ray = {.direction = {0, 0, along}, .t0 = 0, .t1 = INFINITY};
        size_t hits = 0;
        check_one(truth, &ray, (const double(*)[3])corners, t, &hits);
        assert_int_equal(hits, 1);
    }
    /* 1 + 2^-53 + 2^-105 and the like: what pairs of doubles tell, and what they do not */
    for (int step = -1; step <= 1; step++) {
        const double z = 0x1p53 + 2, corners[3][3] = {{-1, -1, z}, {3, -1, z}, {-1, 3, z}};
        oracle_ray ray = {.origin = {0, 0, 1 + step * 0x1p-52}, .direction = {0, 0, 1}, .t0 = 0, .t1 = INFINITY};
        size_t hits = 0;
        check_one(truth, &ray, corners, t, &hits);
        assert_int_equal(hits, 1);
    }
    mpq_clear(t);
    ray_oracle_destroy(truth);
}

/* ---- Ranges ---- */

static void test_range_is_closed(void **state)
{
    (void)state;
    const double corners[3][3] = {{-1, -1, 3}, {3, -1, 3}, {-1, 3, 3}};
    const double third = 1 / 3.0;
    uint64_t exact = 0;
    for (int k = -1; k <= 1; k++) {
        tmb_ray_point at;
        /* t is 1/3, which is no double: `third` is below it */
        const tmb_ray ray = {.direction = {0, 0, 9}, .first = test_step_ulps(third, k), .last = 1};
        const tmb_ray other = {.direction = {0, 0, 9}, .first = 0, .last = test_step_ulps(third, k)};
        assert_int_equal(tmb_ray_meets(&ray, corners, &at, &exact), k <= 0);
        assert_int_equal(tmb_ray_meets(&other, corners, &at, &exact), k > 0);
    }
    const tmb_ray point = {.direction = {0, 0, 1}, .first = 3, .last = 3};
    tmb_ray_point at;
    assert_true(tmb_ray_meets(&point, corners, &at, &exact));
    assert_true(at.side == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_range_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
