/* Climbing on hulls: the highest point of all, from every start, against rational arithmetic; it also ends on graphs
 * that are not hulls; few vertices are visited when the direction changes little. */
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/kdop/hull_climb.h"
#include "hull_sets.h"
#include "math/along.h"
#include "scenes.h"

/* ---- Comparing along a direction ---- */

typedef struct rationals {
    mpq_t sum, a, b;
} rationals;

static void rationals_begin(rationals *r)
{
    mpq_inits(r->sum, r->a, r->b, NULL);
}

static void rationals_end(rationals *r)
{
    mpq_clears(r->sum, r->a, r->b, NULL);
}

/* The sign of direction . (p - q). */
static int true_order(rationals *r, const double direction[3], const double p[3], const double q[3])
{
    mpq_set_ui(r->sum, 0, 1);
    for (int k = 0; k < 3; k++) {
        mpq_set_d(r->a, p[k]);
        mpq_set_d(r->b, q[k]);
        mpq_sub(r->a, r->a, r->b);
        mpq_set_d(r->b, direction[k]);
        mpq_mul(r->a, r->a, r->b);
        mpq_add(r->sum, r->sum, r->a);
    }
    return mpq_sgn(r->sum);
}

static void any_vector(test_random *random, int kind, double out[3])
{
    for (int k = 0; k < 3; k++) {
        const double value = test_random_range(random, -1, 1);
        switch (kind) {
        case 0: out[k] = value; break;
        case 1: out[k] = (double)test_random_whole(random, -3, 3); break;
        case 2: out[k] = test_step_ulps(1, test_random_whole(random, -2, 2)); break;
        case 3: out[k] = ldexp(value, test_random_whole(random, -1074, 1023)); break;
        case 4: out[k] = 0x1p-1074 * (double)test_random_whole(random, -3, 3); break;
        default: out[k] = test_random_chance(random, 0.5) ? DBL_MAX : -test_step_ulps(DBL_MAX, -1); break;
        }
    }
}

/* Often the sum of three products cancels to little or nothing. */
static void cancel(test_random *random, const double direction[3], double p[3], const double q[3])
{
    const int k = test_random_whole(random, 0, 2), i = (k + 1) % 3, j = (k + 2) % 3;
    if (direction[k] != 0) {
        const double rest = direction[i] * (p[i] - q[i]) + direction[j] * (p[j] - q[j]);
        const double value = q[k] - rest / direction[k];
        p[k] = isfinite(value) ? test_step_ulps(value, test_random_whole(random, -1, 1)) : p[k];
    }
}

static void test_comparing(void **state)
{
    (void)state;
    test_random random = {1};
    rationals r;
    rationals_begin(&r);
    size_t doubtful = 0, equal = 0;
    for (size_t i = 0; i < test_count(200000); i++) {
        double direction[3], p[3], q[3], bound;
        any_vector(&random, test_random_whole(&random, 0, 5), direction);
        any_vector(&random, test_random_whole(&random, 0, 5), p);
        any_vector(&random, test_random_whole(&random, 0, 5), q);
        if (test_random_chance(&random, 0.5)) {
            cancel(&random, direction, p, q);
        }
        const int expected = true_order(&r, direction, p, q);
        const double value = tmb_along_filter(direction, p, q, &bound);
        doubtful += !(value > bound) && !(value < -bound);
        equal += expected == 0;
        if ((value > bound && expected <= 0) || (value < -bound && expected >= 0) ||
            tmb_compare_along(direction, p, q) != expected || tmb_compare_along(direction, q, p) != -expected) {
            fail_msg("direction %a %a %a, points %a %a %a and %a %a %a: not %d", direction[0], direction[1],
                     direction[2], p[0], p[1], p[2], q[0], q[1], q[2], expected);
        }
    }
    print_message("%zu were doubtful, %zu equal\n", doubtful, equal);
    assert_true(doubtful > 2 * equal && equal > 0);
    rationals_end(&r);
}

/* ---- The highest point ---- */

/* Fails when a point is higher than where climbing ended. */
static void check_climb(rationals *r, const hull_case *c, const double direction[3], uint32_t start, const char *name)
{
    const uint32_t top = tmb_hull_climb(&c->view, direction, start);
    assert_true(top < c->view.count);
    for (size_t i = 0; i < c->count; i++) {
        if (true_order(r, direction, c->points[i], c->corners[top]) > 0) {
            fail_msg("%s: from %u to %u, but point %zu is higher along %a %a %a", name, start, top, i, direction[0],
                     direction[1], direction[2]);
        }
    }
}

static void test_every_start(void **state)
{
    test_world *w = *state;
    enum {
        COUNT = 24
    };
    double points[COUNT][3];
    rationals r;
    rationals_begin(&r);
    for (size_t i = 0; i < HULL_SETS; i++) {
        test_random random = {i};
        tmb_arena arena = {.context = w->context};
        hull_case c;
        hull_sets[i].make(&random, points, COUNT);
        hull_case_make(&c, &arena, (const double(*)[3])points, COUNT);
        for (size_t k = 0; k < test_count(40); k++) {
            double direction[3];
            hull_direction(&random, &c, k, direction);
            for (uint32_t start = 0; start < c.view.count; start++) {
                check_climb(&r, &c, direction, start, hull_sets[i].name);
            }
        }
        check_climb(&r, &c, (const double[3]){0, 0, 0}, 0, hull_sets[i].name);
        free(c.corners);
        tmb_arena_release(&arena);
    }
    rationals_end(&r);
}

/* From any start it ends at the same height, and no point is above. */
static void check_heights(const hull_case *c, const double direction[3], const uint32_t tops[4], const char *name)
{
    for (int s = 1; s < 4; s++) {
        assert_int_equal(tmb_compare_along(direction, c->corners[tops[s]], c->corners[tops[0]]), 0);
    }
    for (size_t i = 0; i < c->count; i++) {
        if (tmb_compare_along(direction, c->points[i], c->corners[tops[0]]) > 0) {
            fail_msg("%s: point %zu is higher along %a %a %a", name, i, direction[0], direction[1], direction[2]);
        }
    }
}

static void test_many_points(void **state)
{
    test_world *w = *state;
    enum {
        COUNT = 2000
    };
    double(*points)[3] = malloc(COUNT * sizeof *points);
    for (size_t i = 0; i < HULL_SETS; i++) {
        test_random random = {i + 500};
        tmb_arena arena = {.context = w->context};
        hull_case c;
        hull_sets[i].make(&random, points, COUNT);
        hull_case_make(&c, &arena, (const double(*)[3])points, COUNT);
        for (size_t k = 0; k < test_count(160); k++) {
            double direction[3];
            uint32_t tops[4];
            hull_direction(&random, &c, k, direction);
            for (int s = 0; s < 4; s++) {
                tops[s] = tmb_hull_climb(&c.view, direction, (uint32_t)(test_random_bits(&random) % c.view.count));
            }
            check_heights(&c, direction, tops, hull_sets[i].name);
        }
        free(c.corners);
        tmb_arena_release(&arena);
    }
    free(points);
}

/* ---- Why comparisons must be exact ---- */

static double rounded_height(const double direction[3], const double p[3])
{
    return direction[0] * p[0] + direction[1] * p[1] + direction[2] * p[2];
}

static uint32_t rounded_climb(const tmb_hull_view *hull, const double direction[3], uint32_t vertex)
{
    for (uint32_t i = hull->first[vertex]; i < hull->first[vertex + 1]; i++) {
        const uint32_t next = hull->neighbours[i];
        if (rounded_height(direction, hull->points[next]) > rounded_height(direction, hull->points[vertex])) {
            vertex = next;
            i = hull->first[vertex] - 1;
        }
    }
    return vertex;
}

/* A parabola so flat that steps near its top vanish when heights are rounded. Climbing with rounded heights ends below
 * the top. */
static void test_rounded_climbing_is_wrong(void **state)
{
    test_world *w = *state;
    enum {
        COUNT = 401
    };
    double points[COUNT][3];
    for (int i = 0; i < COUNT; i++) {
        const double x = (double)(i - COUNT / 2);
        points[i][0] = x;
        points[i][1] = 1 - 0x1p-53 * x * x;
        points[i][2] = 1;
    }
    tmb_arena arena = {.context = w->context};
    hull_case c;
    hull_case_make(&c, &arena, (const double(*)[3])points, COUNT);
    assert_int_equal(c.view.count, COUNT);
    size_t wrong = 0;
    for (uint32_t start = 0; start < COUNT; start++) {
        const double direction[3] = {0x1p-49, 1, 1}; /* 16 x - x x is highest where x is 8 */
        const uint32_t exact = tmb_hull_climb(&c.view, direction, start);
        const uint32_t rounded = rounded_climb(&c.view, direction, start);
        assert_true(c.corners[exact][0] == 8);
        wrong += tmb_compare_along(direction, c.corners[exact], c.corners[rounded]) > 0;
    }
    print_message("rounded climbing went wrong from %zu of %d starts\n", wrong, COUNT);
    assert_true(wrong > 0);
    free(c.corners);
    tmb_arena_release(&arena);
}

/* ---- Graphs that are no hulls ---- */

static void test_it_always_ends(void **state)
{
    (void)state;
    enum {
        COUNT = 100,
        EACH = 5
    };
    double points[COUNT][3];
    uint32_t first[COUNT + 1], neighbours[COUNT * EACH];
    test_random random = {1};
    for (size_t round = 0; round < test_count(2000); round++) {
        const hull_set *set = &hull_sets[round % HULL_SETS];
        double direction[3];
        set->make(&random, points, COUNT);
        for (uint32_t i = 0; i <= COUNT; i++) {
            first[i] = EACH * i;
        }
        for (size_t i = 0; i < (size_t)COUNT * EACH; i++) {
            neighbours[i] = (uint32_t)test_random_whole(&random, 0, COUNT - 1);
        }
        any_vector(&random, test_random_whole(&random, 0, 5), direction);
        const tmb_hull_view graph = {(const double(*)[3])points, first, neighbours, COUNT};
        const uint32_t start = (uint32_t)test_random_whole(&random, 0, COUNT - 1);
        const uint32_t top = tmb_hull_climb(&graph, direction, start);
        assert_true(top < COUNT && tmb_compare_along(direction, points[top], points[start]) >= 0);
    }
}

/* ---- Work ---- */

/* Turning about an oblique axis in small steps, `steps` a turn, each direction of a k-DOP would start from its last
 * vertex. Returns the number of points compared in a climb, on average. */
static double climb_a_turn(const hull_case *c, int steps)
{
    const double sine = 6.283185307179586 / steps, cosine = sqrt(1 - sine * sine);
    double u[3] = {0.6, 0, 0.8};
    uint32_t vertex = tmb_hull_climb(&c->view, u, 0);
    uint64_t compared = 0;
    for (int i = 0; i < steps; i++) {
        const double x = u[0] * cosine - u[1] * sine, y = u[0] * sine + u[1] * cosine;
        u[0] = x;
        u[1] = y;
        vertex = tmb_hull_climb_counted(&c->view, u, vertex, &compared);
    }
    return (double)compared / steps;
}

static void test_small_steps_are_cheap(void **state)
{
    test_world *w = *state;
    enum {
        COUNT = 10000
    };
    double(*points)[3] = malloc(COUNT * sizeof *points);
    test_random random = {7};
    tmb_arena arena = {.context = w->context};
    hull_case c;
    hull_sets[1].make(&random, points, COUNT);
    assert_string_equal(hull_sets[1].name, "sphere");
    hull_case_make(&c, &arena, (const double(*)[3])points, COUNT);
    assert_int_equal(c.view.count, COUNT);
    const double coarse = climb_a_turn(&c, 36), fine = climb_a_turn(&c, 3600);
    print_message("%d vertices: %.1f points compared at 10 degrees a step, %.1f at 0.1\n", COUNT, coarse, fine);
    /* A vertex has 6 neighbours on average, which must be compared at least once; 10 degrees are about 5 edges, more
     * as the way is not straight. */
    assert_true(fine < 10);
    assert_true(coarse < 100);
    free(c.corners);
    free(points);
    tmb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparing),      TEST_IN_WORLD(test_every_start),
        TEST_IN_WORLD(test_many_points),       TEST_IN_WORLD(test_rounded_climbing_is_wrong),
        cmocka_unit_test(test_it_always_ends), TEST_IN_WORLD(test_small_steps_are_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
