/* Clusters of triangles in searches for the nearest: their lower bounds in floats leave nothing out that is nearer than
 * floats can tell. */
#include <math.h>
#include <string.h>

#include "near_cases.h"

enum {
    STEPS = 20 /* of a staircase: gaps from 2^-8 down to 2^-27 */
};

/* Small triangles in a row, one after the other, in random order. Those of A and B that face each other have the gaps
 * of the staircase, plus a share of the least; the others are far apart. */
static double make_staircase(test_random *random, models_mesh *a, models_mesh *b, double size)
{
    const double tilt = test_random_range(random, -1, 1), offset = test_random_range(random, -1, 1);
    double least = INFINITY;
    for (int i = 0; i < STEPS; i++) {
        const double x = i * size, z = offset + tilt * x;
        const double gap = ldexp(1 + test_random_range(random, 0, 0.5), -8 - (i * 7 + 3) % STEPS);
        for (int side = 0; side < 2; side++) {
            models_mesh *mesh = side ? b : a;
            uint32_t corners[3];
            for (int c = 0; c < 3; c++) {
                const double along = x + (c == 1 ? 0.5 * size : 0), across = c == 2 ? 0.5 * size : 0;
                corners[c] = models_point(mesh, along, across, z + (side ? gap : 0));
            }
            models_triangle(mesh, corners[0], corners[1], corners[2]);
        }
        least = fmin(least, gap);
    }
    return least;
}

static void test_staircase(void **state)
{
    near_bench *bench = *state;
    test_random random = {1};
    const size_t count = test_count(200);
    for (size_t n = 0; n < count; n++) {
        models_mesh a = {0}, b = {0};
        const double least = make_staircase(&random, &a, &b, ldexp(1, test_random_whole(&random, -6, 3)));
        const tumble_model_options options = test_tree_variant(n % 3 ? TEST_TREE_WIDE : TEST_TREE_KDOP);
        tumble_model *models[] = {test_model(bench->contexts[0], &a, &options),
                                  test_model(bench->contexts[0], &b, &options)};
        const tumble_pose pose =
            n % 2 ? near_random_pose(&random, test_random_range(&random, 0, 4)) : test_translation(0, 0, 0);
        const near_scene scene = {models[0], models[1], &pose, &pose, "staircase"};
        const tumble_distance_result result = near_ask_all(bench, &scene, NULL);
        near_assert_same(result.nearest.distance, near_true_distance(&scene), "staircase");
        assert_true(result.nearest.distance <= 2 * least);
        for (int i = 0; i < 2; i++) {
            tumble_model_destroy(models[i]);
        }
        models_free(&a);
        models_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_ON_BENCH(test_staircase)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
