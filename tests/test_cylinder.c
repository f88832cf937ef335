/* A triangle or a ball and a cylinder with flat ends, beside rational arithmetic: by the entrance, and by each stage
 * alone. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "cylinder_oracle.h"
#include "math/vec3.h"
#include "prim/cylinder.h"
#include "prim/cylinder_parts.h"
#include "support.h"

typedef struct numbers {
    double triangle[3][3], from[3], to[3], radius;
} numbers;

typedef struct counts {
    size_t hits, sure_hits, sure_misses, exact;
} counts;

static void check(const numbers *n, double unit, counts *seen, const char *name)
{
    const double(*t)[3] = (const double(*)[3])n->triangle;
    const tmb_cylinder c = {n->from, n->to, tmb_limit_of(n->radius, unit)};
    const int truth = cylinder_truth(t, n->from, n->to, c.radius.exact.digits, c.radius.exact.exponent);
    unsigned long long exact = 0;
    if (tmb_triangle_meets_cylinder(t, &c, &exact) != truth) {
        fail_msg("%s: (%a %a %a) (%a %a %a) (%a %a %a), from (%a %a %a) to (%a %a %a) radius %a: not %d", name, t[0][0],
                 t[0][1], t[0][2], t[1][0], t[1][1], t[1][2], t[2][0], t[2][1], t[2][2], n->from[0], n->from[1],
                 n->from[2], n->to[0], n->to[1], n->to[2], n->radius, truth);
    }
    const tmb_verdict fast = tmb_cylinder_filter(t, &c), slow = tmb_cylinder_exact(t, &c);
    assert_int_not_equal(slow, TMB_MAYBE);
    assert_true(fast == slow || fast == TMB_MAYBE);
    assert_true(slow != TMB_YES || truth);
    seen->hits += truth != 0;
    seen->sure_hits += fast == TMB_YES;
    seen->sure_misses += fast == TMB_NO;
    seen->exact += fast == TMB_MAYBE;
}

/* Small whole numbers, so that corners, edges and sections touch side, caps and rims exactly. */
static void make_lattice(numbers *n, test_random *random, int size)
{
    do {
        for (int k = 0; k < 3; k++) {
            n->from[k] = test_random_whole(random, -size, size);
            n->to[k] = test_random_chance(random, 0.6) ? n->from[k] : test_random_whole(random, -size, size);
            for (int i = 0; i < 3; i++) {
                n->triangle[i][k] = test_random_whole(random, -size - 2, size + 2);
            }
        }
    } while (tmb_compare_numbers(n->from, n->to, 3) == 0);
    if (test_random_chance(random, 0.2)) {
        memcpy(n->triangle[2], n->triangle[test_random_whole(random, 0, 1)], sizeof n->triangle[2]);
    }
    n->radius = test_random_whole(random, 0, size + 1);
}

static void make_general(numbers *n, test_random *random)
{
    for (int k = 0; k < 3; k++) {
        n->from[k] = test_random_range(random, -1, 1);
        n->to[k] = test_random_range(random, -1, 1);
        for (int i = 0; i < 3; i++) {
            n->triangle[i][k] = test_random_range(random, -2, 2);
        }
    }
    n->radius = test_random_unit(random);
}

static void scale(numbers *n, int exponent)
{
    for (int k = 0; k < 3; k++) {
        n->from[k] = ldexp(n->from[k], exponent);
        n->to[k] = ldexp(n->to[k], exponent);
        for (int i = 0; i < 3; i++) {
            n->triangle[i][k] = ldexp(n->triangle[i][k], exponent);
        }
    }
    n->radius = ldexp(n->radius, exponent);
}

static void test_lattices(void **state)
{
    (void)state;
    test_random random = {1};
    counts seen = {0};
    const size_t count = test_count(20000);
    for (size_t i = 0; i < count; i++) {
        numbers n;
        make_lattice(&n, &random, 1 + (int)(i % 5));
        check(&n, 1, &seen, "lattice");
    }
    assert_true(seen.hits > count / 8 && seen.hits < count * 7 / 8);
    assert_true(seen.exact > count / 50 && seen.sure_hits > 0 && seen.sure_misses > 0);
}

/* Touching cases, moved by an ulp here and there. */
static void test_neighbours(void **state)
{
    (void)state;
    test_random random = {2};
    counts seen = {0};
    for (size_t i = 0; i < test_count(5000); i++) {
        numbers n;
        make_lattice(&n, &random, 1 + (int)(i % 4));
        for (int j = 0; j < 3; j++) {
            double *x = &n.triangle[test_random_whole(&random, 0, 2)][test_random_whole(&random, 0, 2)];
            *x = test_step_ulps(*x, test_random_whole(&random, -2, 2));
        }
        n.radius = fabs(test_step_ulps(n.radius, test_random_whole(&random, -1, 1)));
        check(&n, test_random_chance(&random, 0.3) ? 3 : 1, &seen, "neighbours");
    }
    assert_true(seen.exact > 0);
}

static void test_general(void **state)
{
    (void)state;
    test_random random = {3};
    counts seen = {0};
    const size_t count = test_count(10000);
    for (size_t i = 0; i < count; i++) {
        numbers n;
        make_general(&n, &random);
        check(&n, 1, &seen, "general");
    }
    assert_true(seen.hits > count / 10 && seen.hits < count * 9 / 10);
    assert_true(seen.exact < count / 1000 + 1); /* doubles decide nearly all of it */
}

/* All sizes, of everything alike or of each number; radii of all sizes in units of all sizes. */
static void test_extremes(void **state)
{
    (void)state;
    test_random random = {4};
    counts seen = {0};
    for (size_t i = 0; i < test_count(400); i++) {
        static const int exponents[] = {-1074, -1060, -700, -340, 340, 700, 1019};
        numbers n;
        make_lattice(&n, &random, 3);
        scale(&n, exponents[i % 7]);
        if (i % 3 == 1) {
            for (int j = 0; j < 4; j++) {
                double *x = &n.triangle[test_random_whole(&random, 0, 2)][test_random_whole(&random, 0, 2)];
                *x = ldexp(test_random_range(&random, -1, 1), test_random_whole(&random, -1074, 1023));
            }
            n.radius = ldexp(test_random_unit(&random), test_random_whole(&random, -1074, 1023));
        }
        check(&n, i % 4 == 3 ? ldexp(1, test_random_whole(&random, -1000, 1000)) : 1, &seen, "extremes");
    }
    assert_true(seen.hits > 0 && seen.exact > 0);
}

/* A cylinder of radius 5 from z = 0 to z = 10, and triangles that touch it in one place. */
static void test_touching(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double triangle[3][3];
        int stays; /* also a little farther out */
    } cases[] = {
        {"corner at the side", {{5, 0, 5}, {9, 1, 5}, {9, -1, 6}}, 0},
        {"corner at the side, oblique", {{3, 4, 5}, {9, 9, 5}, {9, 8, 6}}, 0},
        {"edge along the side", {{3, 4, -1}, {3, 4, 11}, {9, 9, 5}}, 0},
        {"edge across the side", {{5, -2, 4}, {5, 2, 6}, {9, 0, 5}}, 0},
        {"face against the side", {{5, -20, -20}, {5, 20, -20}, {5, 0, 40}}, 0},
        {"corner at the cap", {{1, 1, 10}, {2, 2, 20}, {0, 3, 20}}, 0},
        {"edge on the cap", {{-9, 1, 10}, {9, 1, 10}, {0, 1, 20}}, 0},
        {"face on the cap", {{-90, -90, 0}, {90, -90, 0}, {0, 90, 0}}, 0},
        {"face on the cap, beside the axis", {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, 0},
        {"corner at the rim", {{3, 4, 10}, {9, 9, 12}, {9, 8, 13}}, 0},
        {"edge at the rim", {{5, -2, 10}, {5, 2, 10}, {9, 0, 15}}, 0},
        {"edge that passes the rim", {{4, 4, 11}, {2, 4, 9}, {9, 9, 30}}, 1},
        {"face at the rim", {{4, -20, 11}, {4, 20, 11}, {6, 0, 9}}, 0},
        {"point", {{3, 4, 0}, {3, 4, 0}, {3, 4, 0}}, 0},
        {"axis through the face", {{-90, -90, 5}, {90, -90, 5}, {0, 90, 5}}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        numbers n = {.to = {0, 0, 10}, .radius = 5};
        counts seen = {0};
        memcpy(n.triangle, cases[i].triangle, sizeof n.triangle);
        check(&n, 1, &seen, cases[i].name);
        assert_int_equal(seen.hits, 1);
        for (int j = 0; j < 3; j++) { /* outward, it does not touch any more */
            n.triangle[j][0] *= 1 + 4 * DBL_EPSILON;
            n.triangle[j][1] *= 1 + 4 * DBL_EPSILON;
            n.triangle[j][2] = 5 + (n.triangle[j][2] - 5) * (1 + 4 * DBL_EPSILON);
        }
        check(&n, 1, &seen, cases[i].name);
        assert_int_equal(seen.hits, 1 + (size_t)cases[i].stays);
    }
}

/* Equal ends are those of a ball. */
static void test_ball(void **state)
{
    (void)state;
    const double triangle[3][3] = {{3, 4, 0}, {9, 9, 0}, {9, 9, 1}}, centre[3] = {0, 0, 0};
    tmb_cylinder c = {centre, centre, tmb_limit_of(5, 1)};
    assert_true(tmb_triangle_meets_cylinder(triangle, &c, NULL));
    c.radius = tmb_limit_of(5 - DBL_EPSILON * 4, 1);
    assert_false(tmb_triangle_meets_cylinder(triangle, &c, NULL));
}

/* ---- Balls ---- */

static void check_ball(tumble_context *context, const numbers *n, double ball, counts *seen, const char *name)
{
    const double *centre = n->triangle[0];
    const tmb_cylinder c = {n->from, n->to, tmb_limit_of(n->radius, 1)};
    const tmb_limit limit = tmb_limit_of(ball, 1);
    const int truth = cylinder_ball_truth(centre, ball, n->from, n->to, n->radius);
    unsigned long long exact = 0;
    if (tmb_ball_meets_cylinder(context, centre, &limit, &c, &exact) != truth) {
        fail_msg("%s: (%a %a %a) radius %a, from (%a %a %a) to (%a %a %a) radius %a: not %d", name, centre[0],
                 centre[1], centre[2], ball, n->from[0], n->from[1], n->from[2], n->to[0], n->to[1], n->to[2],
                 n->radius, truth);
    }
    const tmb_verdict fast = tmb_cylinder_ball_filter(centre, &limit, &c);
    const tmb_verdict slow = tmb_cylinder_ball_exact(context, centre, &limit, &c);
    assert_int_equal(slow, truth ? TMB_YES : TMB_NO);
    assert_true(fast == slow || fast == TMB_MAYBE);
    seen->hits += truth != 0;
    seen->exact += fast == TMB_MAYBE;
}

/* Pythagorean distances from caps, sides and rims are common. */
static void test_balls(void **state)
{
    (void)state;
    test_random random = {5};
    counts seen = {0}, general = {0};
    tumble_context *context;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    const size_t count = test_count(20000);
    for (size_t i = 0; i < count; i++) {
        numbers n;
        make_lattice(&n, &random, 2 + (int)(i % 5));
        double ball = test_random_whole(&random, 0, 6);
        if (i % 4 == 1 && n.triangle[0][i % 3] != 0) {
            n.triangle[0][i % 3] = test_step_ulps(n.triangle[0][i % 3], test_random_whole(&random, -1, 1));
            ball = ball > 0 ? test_step_ulps(ball, test_random_whole(&random, -1, 1)) : 0;
        }
        if (i % 8 == 2) {
            static const int exponents[] = {-1060, -700, -340, 340, 700, 1000};
            scale(&n, exponents[i / 8 % 6]);
            ball = ldexp(ball, exponents[i / 8 % 6]);
        }
        check_ball(context, &n, ball, &seen, "lattice");
        make_general(&n, &random);
        check_ball(context, &n, test_random_unit(&random), &general, "general");
    }
    assert_true(seen.hits > count / 8 && seen.hits < count * 7 / 8 && seen.exact > count / 20);
    assert_true(general.hits > count / 10 && general.hits < count * 9 / 10 && general.exact < count / 1000 + 1);
    tumble_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattices), cmocka_unit_test(test_neighbours), cmocka_unit_test(test_general),
        cmocka_unit_test(test_extremes), cmocka_unit_test(test_touching),   cmocka_unit_test(test_ball),
        cmocka_unit_test(test_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
