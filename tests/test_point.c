/* The closest points of a model: against exact arithmetic, for every hierarchy and instruction set. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "point_cases.h"
#include "prim/point_distance.h"
#include "sets.h"

/* Asks all hierarchies with all instruction sets, which have to give the same bits, and returns the result. */
static tumble_closest_result ask_all(point_bench *bench, const tumble_pose *pose, const double point[3],
                                     const tumble_closest_options *options)
{
    tumble_closest_result first = {0};
    static tumble_closest kept[256];
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        for (int level = 0; level < TEST_LEVELS; level++) {
            tumble_closest_result result;
            assert_int_equal(
                tumble_closest_point(bench->queries[level], bench->models[i], pose, point, options, &result),
                TUMBLE_OK);
            if (i == 0 && level == 0) {
                first = result;
                assert_true(result.count <= 256);
                first.closest = kept;
            }
            for (size_t k = 0; k < result.count && i == 0 && level == 0; k++) {
                kept[k] = result.closest[k];
            }
            assert_int_equal(result.count, first.count);
            for (size_t k = 0; k < result.count; k++) {
                assert_memory_equal(&result.closest[k], &kept[k], sizeof *kept);
            }
            assert_true((result.count > 0) == (result.closest != NULL));
        }
    }
    return first;
}

/* Whether a result is what it says, for a model in its own frame. */
static void check_closest(point_bench *bench, const double point[3], const tumble_closest *c)
{
    mpq_t squared;
    mpq_init(squared);
    point_squared_distance(bench, point, c->polygon, squared);
    assert_true(c->lower <= c->distance && c->distance <= c->upper && c->lower >= 0);
    assert_true(point_compare_square(c->lower, squared) <= 0);
    assert_true(point_compare_square(c->upper, squared) >= 0);
    assert_int_equal(c->distance == 0, mpq_sgn(squared) == 0);
    assert_true(c->upper - c->lower <= 1e-14 * c->upper + 4 * DBL_TRUE_MIN || c->upper == INFINITY);
    mpq_clear(squared);
}

/* The exact distances of all polygons, ascending. */
typedef struct ranked {
    mpq_t squared;
    uint32_t polygon;
} ranked;

static int compare_ranked(const void *x, const void *y)
{
    return mpq_cmp(((const ranked *)x)->squared, ((const ranked *)y)->squared);
}

static ranked *rank_all(point_bench *bench, const double point[3])
{
    ranked *all = calloc(bench->mesh.polygon_count + 1, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < bench->mesh.polygon_count; i++) {
        mpq_init(all[i].squared);
        all[i].polygon = i;
        point_squared_distance(bench, point, i, all[i].squared);
    }
    qsort(all, bench->mesh.polygon_count, sizeof *all, compare_ranked);
    return all;
}

static void free_ranked(point_bench *bench, ranked *all)
{
    for (size_t i = 0; i < bench->mesh.polygon_count; i++) {
        mpq_clear(all[i].squared);
    }
    free(all);
}

/* The n-th nearest polygon that was found is as near as the n-th nearest one; equal ones come in order. */
static void check_order(point_bench *bench, const double point[3], const tumble_closest_result *result, size_t wanted)
{
    const size_t count = bench->mesh.polygon_count;
    ranked *all = rank_all(bench, point);
    assert_int_equal(result->count, wanted < count ? wanted : count);
    for (size_t i = 0; i < result->count; i++) {
        const tumble_closest *c = &result->closest[i];
        check_closest(bench, point, c);
        assert_true(point_compare_square(c->lower, all[i].squared) <= 0);
        assert_true(point_compare_square(c->upper, all[i].squared) >= 0);
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(c->polygon, result->closest[j].polygon);
        }
        if (i > 0 && c->distance >= DBL_MIN && c->distance < DBL_MAX) {
            assert_true(c->distance >= result->closest[i - 1].distance);
            assert_true(c->distance > result->closest[i - 1].distance || c->polygon > result->closest[i - 1].polygon);
        }
    }
    free_ranked(bench, all);
}

/* A point that comes again has the same answer, though the search knows a bound then. */
static void check_again(point_bench *bench, const double point[3], const tumble_closest_options *options)
{
    double points[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(points[i], point, sizeof points[i]);
    }
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        tumble_closest_result all;
        assert_int_equal(tumble_closest_points(bench->queries[0], bench->models[i], NULL, points[0], 3, options, &all),
                         TUMBLE_OK);
        for (size_t k = 0; k < 3 * options->count; k++) {
            const tumble_closest *first = &all.closest[k % options->count];
            assert_int_equal(all.closest[k].polygon, first->polygon);
            assert_true(all.closest[k].distance == first->distance);
        }
    }
}

/* ---- Tests ---- */

static void check_bounds(oracle *truth, const double t[3][3], const double point[3])
{
    double same[3][3];
    tmb_point_distance fast;
    tmb_triangle_distance sharp;
    unsigned long long exact = 0;
    mpq_t squared;
    mpq_init(squared);
    for (int i = 0; i < 3; i++) {
        memcpy(same[i], point, sizeof same[i]);
    }
    oracle_squared_distance(truth, t, (const double(*)[3])same, squared);
    tmb_point_distance_fast(t, point, &fast);
    assert_true(point_compare_square(fast.lower, squared) <= 0);
    assert_true(point_compare_square(fast.upper, squared) >= 0);
    tmb_point_distance_sharp(&fast, point, &sharp, &exact);
    assert_true(point_compare_square(sharp.lower, squared) <= 0);
    assert_true(point_compare_square(sharp.upper, squared) >= 0);
    mpq_clear(squared);
}

/* Bounds in doubles hold, and so does what follows to the last bits. */
static void doubles_bound_the_distance(void **state)
{
    point_bench *bench = *state;
    test_random random = {43};
    double point[3];
    for (size_t set = 0; set < 2 * TEST_SETS; set++) {
        if (set < TEST_SETS) {
            test_sets[set].make(&bench->mesh, &random, 24);
        } else { /* many zeros, to which a tiny step is close */
            test_make_lattice(&bench->mesh, &random, 24, 1, 2, 0.3);
        }
        point_bench_build(bench);
        const size_t count = (size_t)test_info(bench->models[0]).triangle_count;
        for (size_t n = 0; n < test_count(10) * count; n++) {
            double t[3][3];
            uint32_t polygon;
            if (n % count == 0) {
                point_choose(&bench->mesh, &random, point);
            }
            assert_int_equal(tumble_model_triangle(bench->models[0], (uint32_t)(n % count), t, &polygon), TUMBLE_OK);
            check_bounds(bench->truth, (const double(*)[3])t, point);
        }
        point_bench_clear(bench);
    }
}

static void adversarial_sets_are_exact(void **state)
{
    point_bench *bench = *state;
    test_random random = {41};
    for (size_t set = 0; set < TEST_SETS; set++) {
        test_sets[set].make(&bench->mesh, &random, 24);
        point_bench_build(bench);
        for (size_t n = 0; n < test_count(6); n++) {
            double point[3];
            point_choose(&bench->mesh, &random, point);
            tumble_closest_options options = tumble_default_closest_options();
            options.count = n % 3 == 0 ? (size_t)test_random_whole(&random, 2, 30) : 1;
            const tumble_closest_result result = ask_all(bench, NULL, point, &options);
            check_order(bench, point, &result, options.count);
            check_again(bench, point, &options);
        }
        point_bench_clear(bench);
    }
}

static void lattices_have_ties_in_order(void **state)
{
    point_bench *bench = *state;
    test_random random = {7};
    for (size_t n = 0; n < test_count(12); n++) {
        test_make_lattice(&bench->mesh, &random, 60, 4, 3, 0.2);
        point_bench_build(bench);
        for (int i = 0; i < 8; i++) {
            const double x = test_random_whole(&random, -10, 10), y = test_random_whole(&random, -10, 10),
                         z = test_random_whole(&random, -10, 10);
            const double point[3] = {x / 2, y / 2, z / 2};
            tumble_closest_options options = tumble_default_closest_options();
            options.count = i % 2 ? 1 : 60;
            const tumble_closest_result result = ask_all(bench, NULL, point, &options);
            check_order(bench, point, &result, options.count);
        }
        point_bench_clear(bench);
    }
}

/* Neighbours that share the nearest corner or edge are equally near to the bit, so the first one is reported. */
static void shared_features_give_the_first_polygon(void **state)
{
    point_bench *bench = *state;
    test_random random = {19};
    models_mesh box = {0};
    test_make_grid_box(&box, 4);
    bench->mesh = box;
    point_bench_build(bench);
    for (size_t n = 0; n < test_count(40); n++) {
        double point[3];
        for (int k = 0; k < 3; k++) {
            point[k] = test_random_range(&random, -9, 9);
        }
        tumble_closest_options many = tumble_default_closest_options();
        many.count = 12;
        const tumble_closest_result several = ask_all(bench, NULL, point, &many);
        const tumble_closest first = several.closest[0];
        for (size_t i = 1; i < several.count; i++) {
            if (several.closest[i].distance == first.distance) {
                assert_true(several.closest[i].polygon > first.polygon);
            }
        }
        const tumble_closest_result one = ask_all(bench, NULL, point, NULL);
        assert_int_equal(one.closest[0].polygon, first.polygon);
        assert_memory_equal(&one.closest[0], &first, sizeof first);
    }
}

/* Doubles see neighbours nearest in a common corner, but one of them holds the point, or is nearer by a rounding. */
static void features_that_only_seem_shared_do_not_count(void **state)
{
    point_bench *bench = *state;
    test_random random = {37};
    for (size_t n = 0; n < test_count(300) + 20; n++) {
        const double at = ldexp(1, test_random_whole(&random, -4, 0)),
                     tilt = n % 2 ? 0 : test_random_range(&random, 0, 1);
        const uint32_t far = models_point(&bench->mesh, 4, tilt, 0), corner = models_point(&bench->mesh, at, 0, 0),
                       near = models_point(&bench->mesh, -2, 0, n % 3 ? 0 : tilt);
        models_triangle(&bench->mesh, far, far, corner);
        models_triangle(&bench->mesh, far, corner, near);
        point_bench_build(bench);
        const double point[3] = {test_step_ulps(at, -test_random_whole(&random, 0, 4)), 0, 0};
        tumble_closest_options options = tumble_default_closest_options();
        options.count = 2;
        const tumble_closest_result both = ask_all(bench, NULL, point, &options);
        const tumble_closest first = both.closest[0];
        check_order(bench, point, &both, 2);
        options.count = 1;
        const tumble_closest_result one = ask_all(bench, NULL, point, &options);
        assert_memory_equal(one.closest, &first, sizeof first);
        point_bench_clear(bench);
    }
}

static void within_is_decided_exactly(void **state)
{
    point_bench *bench = *state;
    const uint32_t a = models_point(&bench->mesh, 3, 4, 0), b = models_point(&bench->mesh, 3, 4, 8),
                   c = models_point(&bench->mesh, 9, 12, 0);
    models_triangle(&bench->mesh, a, b, c);
    point_bench_build(bench);
    const double point[3] = {0, 0, 0};
    tumble_closest_options options = tumble_default_closest_options();
    options.within = 5;
    assert_int_equal(ask_all(bench, NULL, point, &options).count, 1);
    options.within = nextafter(5, 0);
    assert_int_equal(ask_all(bench, NULL, point, &options).count, 0);
    options.within = 0;
    assert_int_equal(ask_all(bench, NULL, point, &options).count, 0);
    const double on[3] = {3, 4, 1};
    const tumble_closest_result touching = ask_all(bench, NULL, on, &options);
    assert_int_equal(touching.count, 1);
    assert_true(touching.closest[0].distance == 0 && touching.closest[0].upper == 0);
    assert_memory_equal(touching.closest[0].point, on, sizeof on);
}

/* A square and a triangle: the square is one polygon, whichever of its triangles is nearest. */
static void polygons_are_told_once(void **state)
{
    point_bench *bench = *state;
    test_random random = {3};
    for (int i = 0; i < 6; i++) {
        uint32_t corners[5];
        for (int c = 0; c < 5; c++) {
            const double x = cos(1.2566 * c) + 3 * (i % 3), y = sin(1.2566 * c) + 3 * (i % 2), z = 0.25 * i;
            corners[c] = models_point(&bench->mesh, x, y, z);
        }
        models_polygon(&bench->mesh, corners, 5);
    }
    point_bench_build(bench);
    for (size_t n = 0; n < test_count(20); n++) {
        const double x = test_random_range(&random, -3, 9), y = test_random_range(&random, -3, 6),
                     z = test_random_range(&random, -1, 2);
        const double point[3] = {x, y, z};
        tumble_closest_options options = tumble_default_closest_options();
        options.count = (size_t)test_random_whole(&random, 1, 8);
        const tumble_closest_result result = ask_all(bench, NULL, point, &options);
        check_order(bench, point, &result, options.count);
    }
}

/* The same as the distance from a polygon whose corners are all the point. */
static void poses_are_those_of_distances(void **state)
{
    point_bench *bench = *state;
    test_random random = {23};
    test_make_soup(&bench->mesh, &random, 60, 0.5);
    point_bench_build(bench);
    for (size_t n = 0; n < test_count(30); n++) {
        const double x = test_random_range(&random, -4, 4), y = test_random_range(&random, -4, 4),
                     z = test_random_range(&random, -4, 4), scale = ldexp(1, test_random_whole(&random, -3, 3)) * 1.25;
        const double point[3] = {x, y, z};
        tumble_pose pose = test_rational_turn(&random);
        for (int i = 0; i < 9; i++) {
            pose.m[i / 3][i % 3] *= scale;
        }
        pose.m[0][3] = x / 3, pose.m[1][3] = z, pose.m[2][3] = -y;
        models_mesh dot = {0};
        const uint32_t corner = models_point(&dot, x, y, z);
        models_triangle(&dot, corner, corner, corner);
        tumble_model *other = test_model(bench->contexts[0], &dot, NULL);
        tumble_distance_result expected;
        assert_int_equal(tumble_distance(bench->queries[0], bench->models[0], &pose, other, NULL, NULL, &expected),
                         TUMBLE_OK);
        const tumble_closest_result found = ask_all(bench, &pose, point, NULL);
        assert_true(fabs(found.closest[0].distance - expected.nearest.distance) <= 1e-14 * expected.nearest.distance);
        assert_true(found.closest[0].lower <= found.closest[0].distance);
        assert_true(found.closest[0].upper >= found.closest[0].distance);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(found.closest[0].point[k] - expected.nearest.point_a[k]) <= 1e-12);
        }
        tumble_model_destroy(other);
        models_free(&dot);
    }
}

static void signs_tell_inside(void **state)
{
    point_bench *bench = *state;
    test_random random = {29};
    test_make_grid_box(&bench->mesh, 3);
    point_bench_build(bench);
    const tumble_model_info info = test_info(bench->models[0]);
    tumble_closest_options options = tumble_default_closest_options();
    options.want_sign = true;
    options.count = 2;
    int seen[3] = {0};
    for (size_t n = 0; n < test_count(60) + 40; n++) {
        double point[3];
        int inside = 1, outside = 0;
        for (int k = 0; k < 3; k++) {
            const int steps = test_random_whole(&random, -2, 12);
            point[k] = info.lower[k] + (info.upper[k] - info.lower[k]) * steps / 10.0;
            inside &= steps > 0 && steps < 10;
            outside |= steps < 0 || steps > 10;
        }
        const tumble_closest_result result = ask_all(bench, NULL, point, &options);
        assert_true(result.closed);
        for (size_t i = 0; i < result.count; i++) {
            const tumble_closest *c = &result.closest[i];
            assert_true(inside ? c->distance < 0 : outside ? c->distance > 0 : c->distance >= 0);
            assert_true(c->lower <= c->distance && c->distance <= c->upper);
            assert_true(c->upper - c->lower <= 1e-14 * fabs(c->distance));
        }
        seen[inside ? 0 : outside ? 1 : 2]++;
    }
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    point_bench_clear(bench);
    test_make_soup(&bench->mesh, &random, 10, 1);
    point_bench_build(bench);
    const tumble_closest_result open = ask_all(bench, NULL, (const double[3]){0, 0, 0}, &options);
    assert_false(open.closed);
    assert_true(open.closest[0].distance >= 0);
}

/* Models that floats cannot hold, and points that are far away. */
static void scales_do_not_matter(void **state)
{
    point_bench *bench = *state;
    test_random random = {31};
    static const double scales[] = {1, 0x1p-70, 0x1p70, 0x1p-500, 0x1p400, 0x1p-1000};
    for (size_t n = 0; n < sizeof scales / sizeof *scales; n++) {
        const double none[3] = {0, 0, 0};
        test_make_soup(&bench->mesh, &random, 40, 0.5);
        test_transform(&bench->mesh, scales[n], none);
        point_bench_build(bench);
        for (int i = 0; i < 8; i++) {
            double point[3];
            const double far = ldexp(1, 8 * i);
            for (int k = 0; k < 3; k++) {
                point[k] = scales[n] * far * test_random_range(&random, -2, 2);
            }
            tumble_closest_options options = tumble_default_closest_options();
            options.count = i % 2 ? 1 : 3;
            const tumble_closest_result result = ask_all(bench, NULL, point, &options);
            check_order(bench, point, &result, options.count);
        }
        point_bench_clear(bench);
    }
}

static void empty_models_are_nowhere(void **state)
{
    point_bench *bench = *state;
    point_bench_build(bench);
    tumble_closest_options options = tumble_default_closest_options();
    options.want_sign = true;
    const tumble_closest_result result = ask_all(bench, NULL, (const double[3]){0, 0, 0}, &options);
    assert_int_equal(result.count, 0);
    assert_false(result.closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_POINTS(doubles_bound_the_distance),
        TEST_ON_POINTS(adversarial_sets_are_exact),
        TEST_ON_POINTS(lattices_have_ties_in_order),
        TEST_ON_POINTS(shared_features_give_the_first_polygon),
        TEST_ON_POINTS(features_that_only_seem_shared_do_not_count),
        TEST_ON_POINTS(within_is_decided_exactly),
        TEST_ON_POINTS(polygons_are_told_once),
        TEST_ON_POINTS(poses_are_those_of_distances),
        TEST_ON_POINTS(signs_tell_inside),
        TEST_ON_POINTS(scales_do_not_matter),
        TEST_ON_POINTS(empty_models_are_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
