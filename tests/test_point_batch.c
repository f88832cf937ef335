/* Closest points in batches: the same as one by one, on any number of threads; errors; memory that runs out. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "point_cases.h"

/* A walk over a larger model, with leaps. */
static double *walk_around(test_random *random, size_t count)
{
    double *points = malloc((3 * count + 1) * sizeof *points), at[3] = {0, 0, 0};
    assert_non_null(points);
    for (size_t i = 0; i < count; i++) {
        const int leaps = test_random_chance(random, 0.05);
        for (int k = 0; k < 3; k++) {
            at[k] = leaps ? test_random_range(random, -2, 2) : at[k] + test_random_range(random, -0.02, 0.02);
            points[3 * i + (size_t)k] = at[k];
        }
    }
    return points;
}

static void check_batch(point_bench *bench, int hierarchy, const double *points, size_t count,
                        const tumble_closest_options *options)
{
    tumble_closest_result batch, one;
    tumble_query *query = bench->queries[TEST_LEVELS - 1], *other = bench->queries[0];
    const tumble_pose pose = {{{0, -2, 0, 0.5}, {2, 0, 0, 0}, {0, 0, 2, 0.25}}};
    uint64_t total = 0;
    assert_int_equal(tumble_closest_points(query, bench->models[hierarchy], &pose, points, count, options, &batch),
                     TUMBLE_OK);
    for (size_t i = 0; i < count; i++) {
        const tumble_closest *own = batch.closest + i * options->count;
        assert_int_equal(
            tumble_closest_point(other, bench->models[POINT_HIERARCHIES - 1], &pose, points + 3 * i, options, &one),
            TUMBLE_OK);
        for (size_t k = 0; k < options->count; k++) {
            if (k < one.count) {
                assert_memory_equal(&own[k], &one.closest[k], sizeof *own);
            } else {
                assert_true(own[k].polygon == UINT32_MAX && own[k].distance == INFINITY);
            }
        }
        total += one.count;
    }
    assert_int_equal(batch.count, total);
}

static void batches_are_many_single_points(void **state)
{
    point_bench *bench = *state;
    test_random random = {5};
    const size_t count = 100 + test_count(300);
    assert_true(models_make_sized(&bench->mesh, "gear", 3000));
    models_fit(&bench->mesh, 2, 0);
    point_bench_build(bench);
    double *points = walk_around(&random, count);
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        tumble_closest_options options = tumble_default_closest_options();
        options.thread_count = (uint32_t)(1 + i % 4);
        options.want_sign = i % 2;
        options.count = i == 2 ? 3 : 1;
        options.within = i == 3 ? 0.4 : INFINITY;
        check_batch(bench, i, points, i == 0 ? count : 100, &options);
    }
    free(points);
}

/* Neither the results nor the work depend on the threads; neighbours are cheaper than leaps. */
static void threads_do_not_matter(void **state)
{
    point_bench *bench = *state;
    test_random random = {6};
    const size_t count = 3000;
    assert_true(models_make_sized(&bench->mesh, "torus", 2000));
    point_bench_build(bench);
    double *points = walk_around(&random, count);
    tumble_closest *kept = calloc(count, sizeof *kept);
    assert_non_null(kept);
    tumble_counters work = {0};
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        tumble_closest_options options = tumble_default_closest_options();
        tumble_closest_result result;
        options.thread_count = threads;
        assert_int_equal(tumble_closest_points(bench->queries[TEST_LEVELS - 1], bench->models[0], NULL, points, count,
                                               &options, &result),
                         TUMBLE_OK);
        if (threads == 1) {
            memcpy(kept, result.closest, count * sizeof *kept);
            work = result.counters;
        }
        assert_memory_equal(kept, result.closest, count * sizeof *kept);
        assert_true(test_same_work(&work, &result.counters));
    }
    uint64_t alone = 0;
    for (size_t i = 0; i < count; i++) {
        tumble_closest_result result;
        assert_int_equal(tumble_closest_point(bench->queries[0], bench->models[0], NULL, points + 3 * i, NULL, &result),
                         TUMBLE_OK);
        alone += result.counters.box_tests;
    }
    assert_true(work.box_tests < alone);
    free(kept);
    free(points);
}

/* ---- Errors ---- */

static void bad_arguments_are_rejected(void **state)
{
    point_bench *bench = *state;
    tumble_query *query = bench->queries[0];
    tumble_context *context = bench->contexts[0];
    test_make_grid_box(&bench->mesh, 1);
    point_bench_build(bench);
    const tumble_model *model = bench->models[0];
    double points[6] = {0, 0, 0, 1, NAN, 2};
    tumble_closest_options options = tumble_default_closest_options();
    tumble_closest_result result;
    assert_int_equal(tumble_closest_point(NULL, model, NULL, points, NULL, &result), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(context, tumble_closest_point(query, NULL, NULL, points, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "model");
    test_assert_status(context, tumble_closest_point(query, model, NULL, NULL, NULL, &result), TUMBLE_ERROR_ARGUMENT,
                       "points");
    test_assert_status(context, tumble_closest_point(query, model, NULL, points, NULL, NULL), TUMBLE_ERROR_ARGUMENT,
                       "result");
    test_assert_status(context, tumble_closest_point(query, model, NULL, points + 3, NULL, &result),
                       TUMBLE_ERROR_NOT_FINITE, "point 0");
    test_assert_status(context, tumble_closest_points(query, model, NULL, points, 2, NULL, &result),
                       TUMBLE_ERROR_NOT_FINITE, "point 1, (1, ");
    points[4] = INFINITY;
    test_assert_status(context, tumble_closest_points(query, model, NULL, points, 2, NULL, &result),
                       TUMBLE_ERROR_NOT_FINITE, "is not finite");
    points[4] = DBL_MAX;
    const tumble_pose small = {{{0.25, 0, 0, 0}, {0, 0.25, 0, 0}, {0, 0, 0.25, 0}}};
    test_assert_status(context, tumble_closest_points(query, model, &small, points, 2, NULL, &result),
                       TUMBLE_ERROR_NOT_FINITE, "infinite in the model's frame");
    const tumble_pose tiny = {{{1e-320, 0, 0, 0}, {0, 1e-320, 0, 0}, {0, 0, 1e-320, 0}}};
    assert_int_equal(tumble_closest_point(query, model, &tiny, points, NULL, &result), TUMBLE_ERROR_NOT_FINITE);
    assert_true(result.count == 0 && !result.closest);
    const tumble_pose huge = {{{1e308, 0, 0, 1e308}, {0, 1e308, 0, 0}, {0, 0, 1e308, 0}}};
    test_assert_status(context, tumble_closest_point(query, model, &huge, points, NULL, &result),
                       TUMBLE_ERROR_NOT_FINITE, "points of the model");
    const tumble_pose sheared = {{{1, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    assert_int_equal(tumble_closest_point(query, model, &sheared, points, NULL, &result), TUMBLE_ERROR_POSE);
    options.count = 0;
    test_assert_status(context, tumble_closest_point(query, model, NULL, points, &options, &result),
                       TUMBLE_ERROR_ARGUMENT, "count");
    options.count = SIZE_MAX / 2;
    test_assert_status(context, tumble_closest_points(query, model, NULL, points, 2, &options, &result),
                       TUMBLE_ERROR_MEMORY, "closest");
    options = tumble_default_closest_options();
    options.within = NAN;
    test_assert_status(context, tumble_closest_point(query, model, NULL, points, &options, &result),
                       TUMBLE_ERROR_ARGUMENT, "within");
    assert_int_equal(tumble_closest_points(query, model, NULL, NULL, 0, NULL, &result), TUMBLE_OK);
    assert_int_equal(result.count, 0);
    assert_null(result.closest);
}

typedef struct memory_job {
    models_mesh mesh;
    tumble_model *model;
    double *points;
    tumble_closest_options options;
} memory_job;

static tumble_status ask_in_new_query(test_world *w, void *user)
{
    memory_job *job = user;
    tumble_query *query;
    tumble_closest_result result;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = tumble_closest_point(query, job->model, NULL, job->points, &job->options, &result);
    if (status == TUMBLE_OK) {
        status = tumble_closest_points(query, job->model, NULL, job->points, 300, &job->options, &result);
    }
    tumble_query_destroy(query);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    test_world *w = *state;
    test_random random = {9};
    memory_job job = {.points = walk_around(&random, 300), .options = tumble_default_closest_options()};
    test_make_soup(&job.mesh, &random, 400, 0.3);
    for (int i = 0; i < 4; i++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = i % 2 ? TUMBLE_HIERARCHY_KDOP : TUMBLE_HIERARCHY_WIDE;
        job.options.count = i < 2 ? 1 : 50;
        job.options.thread_count = 1;
        job.model = test_model(w->context, &job.mesh, &options);
        assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, ask_in_new_query, NULL, &job) > 3);
        tumble_model_destroy(job.model);
    }
    models_free(&job.mesh);
    free(job.points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_POINTS(batches_are_many_single_points),
        TEST_ON_POINTS(threads_do_not_matter),
        TEST_ON_POINTS(bad_arguments_are_rejected),
        TEST_IN_WORLD(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
