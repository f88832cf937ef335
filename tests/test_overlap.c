/* Polygons in boxes and balls: against exact arithmetic, for every hierarchy and instruction set. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "point/overlap.h"
#include "point_cases.h"
#include "prim/triangle_box.h"
#include "sets.h"

/* ---- The truth ---- */

/* The faces of a box, two triangles each. */
static void box_face(const double lower[3], const double upper[3], int face, double out[3][3])
{
    const int axis = face / 4, side = face / 2 % 2, half = face % 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int c = 0; c < 3; c++) {
        const int corner = half ? 3 - c : c; /* 0 1 2 or 3 2 1 of the four */
        out[c][axis] = side ? upper[axis] : lower[axis];
        out[c][u] = corner & 1 ? upper[u] : lower[u];
        out[c][v] = corner & 2 ? upper[v] : lower[v];
    }
}

static int truth_about_box(oracle *truth, const double t[3][3], const double lower[3], const double upper[3])
{
    int inside = 1;
    for (int k = 0; k < 3; k++) {
        inside &= t[0][k] >= lower[k] && t[0][k] <= upper[k];
    }
    for (int face = 0; face < 12 && !inside; face++) {
        double sides[3][3];
        box_face(lower, upper, face, sides);
        inside = oracle_intersect(truth, t, (const double(*)[3])sides);
    }
    return inside;
}

/* One question, and which polygons meet the shape. */
typedef struct shape {
    int is_ball;
    tumble_pose pose, box_pose;
    double numbers[3], radius; /* half extents, or the centre */
    char *truth;               /* of each polygon */
    size_t true_count;
} shape;

static tumble_status ask(tumble_query *query, const tumble_model *model, const shape *s,
                         const tumble_overlap_options *options, tumble_overlap_result *result)
{
    return s->is_ball ? tumble_overlap_sphere(query, model, &s->pose, s->numbers, s->radius, options, result)
                      : tumble_overlap_box(query, model, &s->pose, &s->box_pose, s->numbers, options, result);
}

static int truth_about_ball(point_bench *bench, const double t[3][3], const shape *s)
{
    const tumble_pose identity = tumble_pose_identity(), inverse = tumble_pose_relative(&s->pose, &identity);
    double centre[3][3];
    mpq_t squared;
    mpq_init(squared);
    for (int c = 0; c < 3; c++) {
        tumble_pose_apply(&inverse, s->numbers, centre[c]);
    }
    oracle_squared_distance(bench->truth, t, (const double(*)[3])centre, squared);
    const int within = point_compare_square(s->radius / tumble_pose_scale(&s->pose), squared) >= 0;
    mpq_clear(squared);
    return within;
}

static void find_truth(point_bench *bench, shape *s)
{
    const tumble_model *model = bench->models[POINT_HIERARCHIES - 1];
    const tumble_pose relative = tumble_pose_relative(&s->box_pose, &s->pose);
    const double lower[3] = {-s->numbers[0], -s->numbers[1], -s->numbers[2]};
    const uint64_t count = test_info(model).triangle_count;
    s->truth = calloc(bench->mesh.polygon_count + 1, 1);
    s->true_count = 0;
    assert_non_null(s->truth);
    for (uint32_t i = 0; i < count; i++) {
        double t[3][3], moved[3][3];
        uint32_t polygon;
        int meets;
        assert_int_equal(tumble_model_triangle(model, i, t, &polygon), TUMBLE_OK);
        for (int c = 0; c < 3; c++) {
            tumble_pose_apply(&relative, t[c], moved[c]);
        }
        meets = s->is_ball ? truth_about_ball(bench, (const double(*)[3])t, s)
                           : truth_about_box(bench->truth, (const double(*)[3])moved, lower, s->numbers);
        s->true_count += meets && !s->truth[polygon];
        s->truth[polygon] |= (char)meets;
    }
}

/* ---- Checks ---- */

typedef struct collected {
    uint32_t polygons[4096];
    size_t count, most;
} collected;

static bool collect(void *user, const uint32_t *polygons, size_t count)
{
    collected *c = user;
    assert_true(c->count + count <= 4096 && count > 0 && count <= TMB_OVERLAP_STAGE);
    memcpy(c->polygons + c->count, polygons, count * sizeof *polygons);
    c->count += count;
    return c->count >= c->most;
}

static int compare_numbers(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static void check_modes(point_bench *bench, tumble_query *query, const tumble_model *model, const shape *s)
{
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_ALL; mode++) {
        uint32_t few[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
        tumble_overlap_options options = tumble_default_overlap_options();
        tumble_overlap_result result;
        options.mode = (tumble_mode)mode;
        options.polygons = few;
        options.polygon_capacity = 3;
        assert_int_equal(ask(query, model, s, &options, &result), TUMBLE_OK);
        assert_int_equal(result.overlap, s->true_count > 0);
        const int is_counted = mode >= TUMBLE_COUNT;
        assert_int_equal(result.polygon_count, is_counted ? s->true_count : s->true_count > 0);
        assert_true(!result.overlap || s->truth[result.first]);
        const int is_listed = (mode == TUMBLE_FIRST || mode == TUMBLE_ALL) && s->true_count > 0;
        assert_int_equal(result.polygons != NULL, is_listed);
        if (!result.polygons) {
            continue;
        }
        for (size_t i = 0; i < result.polygon_count; i++) {
            assert_true(result.polygons[i] < bench->mesh.polygon_count && s->truth[result.polygons[i]]);
            assert_true(i == 0 || result.polygons[i] > result.polygons[i - 1]);
            assert_true(i >= 3 || few[i] == result.polygons[i]);
        }
    }
}

static void check_callback(tumble_query *query, const tumble_model *model, const shape *s)
{
    collected all = {.most = SIZE_MAX};
    tumble_overlap_options options = tumble_default_overlap_options();
    tumble_overlap_result result;
    options.callback = collect;
    options.callback_user = &all;
    assert_int_equal(ask(query, model, s, &options, &result), TUMBLE_OK);
    assert_int_equal(all.count, s->true_count);
    assert_null(result.polygons);
    qsort(all.polygons, all.count, sizeof *all.polygons, compare_numbers);
    for (size_t i = 0; i < all.count; i++) {
        assert_true(s->truth[all.polygons[i]] && (i == 0 || all.polygons[i] > all.polygons[i - 1]));
    }
    if (s->true_count > 0) {
        all = (collected){.most = 1};
        assert_int_equal(ask(query, model, s, &options, &result), TUMBLE_ERROR_CANCELLED);
        assert_true(result.polygon_count >= all.count);
    }
}

static void check_shape(point_bench *bench, shape *s)
{
    find_truth(bench, s);
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        for (int level = 0; level < TEST_LEVELS; level++) {
            check_modes(bench, bench->queries[level], bench->models[i], s);
            check_callback(bench->queries[level], bench->models[i], s);
        }
    }
    free(s->truth);
}

static shape new_shape(void)
{
    return (shape){.pose = tumble_pose_identity(), .box_pose = tumble_pose_identity()};
}

/* ---- Tests ---- */

static void triangles_and_boxes_are_exact(void **state)
{
    point_bench *bench = *state;
    test_random random = {13};
    size_t seen[2] = {0, 0};
    for (size_t n = 0; n < test_count(3000); n++) {
        double t[3][3], lower[3], upper[3];
        const int range = n % 3 == 0 ? 2 : 5, degenerate = test_random_whole(&random, 0, 5);
        for (int k = 0; k < 3; k++) {
            const int low = test_random_whole(&random, -2, 1), size = test_random_whole(&random, 0, 2);
            lower[k] = low, upper[k] = low + size;
            for (int i = 0; i < 3; i++) {
                t[i][k] = test_step_ulps(test_random_whole(&random, -range, range),
                                         n % 2 ? test_random_whole(&random, -1, 1) : 0);
            }
            t[2][k] = degenerate == 0 ? t[1][k] : degenerate == 1 ? 2 * t[1][k] - t[0][k] : t[2][k];
            t[1][k] = degenerate == 2 ? t[0][k] : t[1][k];
        }
        const int expected = truth_about_box(bench->truth, (const double(*)[3])t, lower, upper);
        assert_int_equal(tmb_triangle_meets_box((const double(*)[3])t, lower, upper, NULL), expected);
        seen[expected]++;
    }
    assert_true(seen[0] > 10 && seen[1] > 10);
}

static void lattices_in_shapes(void **state)
{
    point_bench *bench = *state;
    test_random random = {17};
    for (size_t n = 0; n < test_count(6); n++) {
        test_make_lattice(&bench->mesh, &random, 80, 5, 3, 0.2);
        point_bench_build(bench);
        for (int i = 0; i < 6; i++) {
            shape s = new_shape();
            s.is_ball = i % 2;
            s.radius = test_random_whole(&random, 0, 5);
            for (int k = 0; k < 3; k++) {
                s.numbers[k] = s.is_ball ? test_random_whole(&random, -5, 5) : test_random_whole(&random, 0, 4);
                s.box_pose.m[k][3] = test_random_whole(&random, -3, 3);
            }
            if (i >= 4) {
                s.pose = test_quarter_turn((size_t)test_random_whole(&random, 0, 23));
                s.box_pose = test_quarter_turn((size_t)test_random_whole(&random, 0, 23));
            }
            check_shape(bench, &s);
        }
        point_bench_clear(bench);
    }
}

static int is_huge(const tumble_model_info *info)
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fmax(fabs(info->lower[k]), fabs(info->upper[k])));
    }
    return most > 1e300;
}

/* Boxes that are turned, grown and shrunk; corners and sides within ulps of the model's corners. */
static void adversarial_sets_in_shapes(void **state)
{
    point_bench *bench = *state;
    test_random random = {43};
    for (size_t set = 0; set < TEST_SETS; set++) {
        test_sets[set].make(&bench->mesh, &random, 20);
        point_bench_build(bench);
        const tumble_model_info info = test_info(bench->models[0]);
        for (size_t n = 0; n < test_count(4); n++) {
            shape s = new_shape();
            double corner[3], other[3];
            point_choose(&bench->mesh, &random, corner);
            point_choose(&bench->mesh, &random, other);
            s.is_ball = n % 2 == 1;
            for (int k = 0; k < 3; k++) {
                s.numbers[k] = s.is_ball ? corner[k] : fabs(other[k] / 2 - corner[k] / 2);
                s.box_pose.m[k][3] = is_huge(&info) ? 0 : corner[k] / 2 + other[k] / 2; /* moving would overflow */
            }
            s.radius = hypot(hypot(other[0] - corner[0], other[1] - corner[1]), other[2] - corner[2]);
            s.radius = isfinite(s.radius) ? s.radius : DBL_MAX;
            if (test_sets[set].turns && n >= 2 && !s.is_ball && !is_huge(&info)) {
                const tumble_pose turn = test_rational_turn(&random);
                for (int i = 0; i < 9; i++) {
                    s.box_pose.m[i / 3][i % 3] = turn.m[i / 3][i % 3];
                }
            }
            check_shape(bench, &s);
        }
        point_bench_clear(bench);
    }
}

static void larger_models_and_polygons(void **state)
{
    point_bench *bench = *state;
    test_random random = {47};
    assert_true(models_make_sized(&bench->mesh, "lattice", 1500));
    models_fit(&bench->mesh, 2, 0);
    point_bench_build(bench);
    for (size_t n = 0; n < test_count(4); n++) {
        shape s = new_shape();
        s.is_ball = n % 2;
        s.pose = test_rational_turn(&random);
        s.box_pose = test_rational_turn(&random);
        s.radius = test_random_range(&random, 0.1, 1.5);
        for (int k = 0; k < 3; k++) {
            s.numbers[k] = test_random_range(&random, 0.1, 1);
            s.box_pose.m[k][3] = test_random_range(&random, -0.5, 0.5);
        }
        check_shape(bench, &s);
    }
}

static void balls_are_exact_to_the_last_bit(void **state)
{
    point_bench *bench = *state;
    const uint32_t a = models_point(&bench->mesh, 3, 4, 0), b = models_point(&bench->mesh, 3, 4, 8),
                   c = models_point(&bench->mesh, 9, 12, 0);
    models_triangle(&bench->mesh, a, b, c);
    point_bench_build(bench);
    const double radii[] = {5, nextafter(5, 0), nextafter(5, 9), 0, INFINITY};
    for (int i = 0; i < 5; i++) {
        tumble_overlap_result result;
        const double centre[3] = {0, 0, 0};
        assert_int_equal(
            tumble_overlap_sphere(bench->queries[0], bench->models[0], NULL, centre, radii[i], NULL, &result),
            TUMBLE_OK);
        assert_int_equal(result.polygon_count, radii[i] >= 5);
    }
}

static void bad_arguments_are_rejected(void **state)
{
    point_bench *bench = *state;
    tumble_query *q = bench->queries[0];
    tumble_context *context = bench->contexts[0];
    test_make_grid_box(&bench->mesh, 1);
    point_bench_build(bench);
    const tumble_model *m = bench->models[0];
    const double good[3] = {1, 1, 1}, negative[3] = {1, -1, 1}, nan[3] = {1, 1, NAN}, far[3] = {1, INFINITY, 1};
    const tumble_pose sheared = {{{1, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    tumble_overlap_options options = tumble_default_overlap_options();
    tumble_overlap_result result;
    assert_int_equal(tumble_overlap_box(NULL, m, NULL, NULL, good, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_overlap_sphere(NULL, m, NULL, good, 1, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(context, tumble_overlap_box(q, NULL, NULL, NULL, good, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "null");
    test_assert_status(context, tumble_overlap_sphere(q, m, NULL, NULL, 1, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "null");
    test_assert_status(context, tumble_overlap_box(q, m, NULL, NULL, negative, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "half extent 1");
    test_assert_status(context, tumble_overlap_box(q, m, NULL, NULL, nan, NULL, &result), TUMBLE_ERROR_NOT_FINITE,
                       "half extent 2");
    test_assert_status(context, tumble_overlap_box(q, m, NULL, &sheared, good, NULL, &result), TUMBLE_ERROR_POSE,
                       "the box as A");
    test_assert_status(context, tumble_overlap_sphere(q, m, NULL, good, -1, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "radius");
    test_assert_status(context, tumble_overlap_sphere(q, m, NULL, good, NAN, NULL, &result), TUMBLE_ERROR_NOT_FINITE,
                       "radius");
    test_assert_status(context, tumble_overlap_sphere(q, m, NULL, far, 1, NULL, &result), TUMBLE_ERROR_NOT_FINITE,
                       "centre");
    test_assert_status(context, tumble_overlap_sphere(q, m, &sheared, good, 1, NULL, &result), TUMBLE_ERROR_POSE, "");
    options.mode = TUMBLE_SURFACES;
    test_assert_status(context, tumble_overlap_box(q, m, NULL, NULL, good, &options, &result), TUMBLE_ERROR_ARGUMENT,
                       "mode");
    options.mode = TUMBLE_ALL;
    options.polygon_capacity = 1;
    test_assert_status(context, tumble_overlap_box(q, m, NULL, NULL, good, &options, &result), TUMBLE_ERROR_ARGUMENT,
                       "capacity");
    point_bench_clear(bench);
    point_bench_build(bench);
    assert_int_equal(tumble_overlap_box(q, bench->models[0], NULL, NULL, good, NULL, &result), TUMBLE_OK);
    assert_false(result.overlap);
}

static tumble_status ask_in_new_query(test_world *w, void *user)
{
    const tumble_model *model = user;
    const double numbers[3] = {0.7, 0.8, 0.9};
    tumble_query *query;
    tumble_overlap_result result;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = tumble_overlap_box(query, model, NULL, NULL, numbers, NULL, &result);
    status = status == TUMBLE_OK ? tumble_overlap_sphere(query, model, NULL, numbers, 2, NULL, &result) : status;
    tumble_query_destroy(query);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    test_world *w = *state;
    for (int i = 0; i < 2; i++) {
        models_mesh mesh = {0};
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = i ? TUMBLE_HIERARCHY_BOXTREE : TUMBLE_HIERARCHY_WIDE;
        assert_true(models_make_sized(&mesh, "box", 600));
        models_fit(&mesh, 2, 0);
        tumble_model *model = test_model(w->context, &mesh, &options);
        assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, ask_in_new_query, NULL, model) > 3);
        tumble_model_destroy(model);
        models_free(&mesh);
    }
}

/* More polygons than wait for the callback at a time. */
static void many_polygons_come_in_parts(void **state)
{
    point_bench *bench = *state;
    test_random random = {53};
    test_make_soup(&bench->mesh, &random, 700, 0.1);
    point_bench_build(bench);
    const double centre[3] = {0, 0, 0};
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        collected all = {.most = SIZE_MAX};
        tumble_overlap_options options = tumble_default_overlap_options();
        tumble_overlap_result result;
        options.callback = collect;
        options.callback_user = &all;
        assert_int_equal(
            tumble_overlap_sphere(bench->queries[0], bench->models[i], NULL, centre, INFINITY, &options, &result),
            TUMBLE_OK);
        assert_int_equal(all.count, 700);
        assert_int_equal(result.polygon_count, 700);
    }
    point_bench_clear(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_POINTS(triangles_and_boxes_are_exact),   TEST_ON_POINTS(lattices_in_shapes),
        TEST_ON_POINTS(adversarial_sets_in_shapes),      TEST_ON_POINTS(larger_models_and_polygons),
        TEST_ON_POINTS(balls_are_exact_to_the_last_bit), TEST_ON_POINTS(bad_arguments_are_rejected),
        TEST_ON_POINTS(many_polygons_come_in_parts),     TEST_IN_WORLD(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
