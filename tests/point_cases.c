/* Models of every hierarchy, points to ask about, and the truth about both. */
#include "point_cases.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int point_bench_begin(void **state)
{
    point_bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    test_open_levels(&bench->memory, bench->contexts, bench->queries);
    bench->truth = oracle_create();
    *state = bench;
    return 0;
}

void point_bench_clear(point_bench *bench)
{
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        tumble_model_destroy(bench->models[i]);
        bench->models[i] = NULL;
    }
    models_free(&bench->mesh);
    memset(&bench->mesh, 0, sizeof bench->mesh);
}

int point_bench_end(void **state)
{
    point_bench *bench = *state;
    point_bench_clear(bench);
    test_close_levels(bench->contexts, bench->queries);
    oracle_destroy(bench->truth);
    free(bench);
    return 0;
}

void point_bench_build(point_bench *bench)
{
    static const tumble_hierarchy kinds[POINT_HIERARCHIES] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE,
                                                              TUMBLE_HIERARCHY_KDOP, TUMBLE_HIERARCHY_RTREE,
                                                              TUMBLE_HIERARCHY_BRUTE};
    for (int i = 0; i < POINT_HIERARCHIES; i++) {
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = kinds[i];
        tumble_model_destroy(bench->models[i]);
        bench->models[i] = test_model(bench->contexts[0], &bench->mesh, &options);
    }
}

void point_squared_distance(point_bench *bench, const double point[3], uint32_t polygon, mpq_t squared)
{
    const tumble_model *model = bench->models[POINT_HIERARCHIES - 1];
    const uint64_t count = test_info(model).triangle_count;
    int found = 0;
    mpq_t own;
    mpq_init(own);
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3], same[3][3];
        uint32_t of;
        assert_int_equal(tumble_model_triangle(model, i, corners, &of), TUMBLE_OK);
        for (int c = 0; c < 3; c++) {
            memcpy(same[c], point, sizeof same[c]);
        }
        if (of == polygon) {
            oracle_squared_distance(bench->truth, (const double(*)[3])corners, (const double(*)[3])same, own);
            if (!found || mpq_cmp(own, squared) < 0) {
                mpq_set(squared, own);
            }
            found = 1;
        }
    }
    assert_true(found);
    mpq_clear(own);
}

void point_choose(const models_mesh *mesh, test_random *random, double point[3])
{
    const size_t i = (size_t)test_random_whole(random, 0, (int)mesh->point_count - 1),
                 j = (size_t)test_random_whole(random, 0, (int)mesh->point_count - 1);
    const int kind = test_random_whole(random, 0, 5), exponent = test_random_whole(random, -1060, -100);
    for (int k = 0; k < 3; k++) {
        const double a = mesh->points[3 * i + (size_t)k], b = mesh->points[3 * j + (size_t)k];
        const int steps = test_random_whole(random, -2, 2);
        const double factor = test_random_range(random, -1, 2);
        const double between = a * (1 - factor) + b * factor;
        point[k] = kind == 0   ? a
                   : kind == 1 ? test_step_ulps(a, steps)
                   : kind == 2 ? a / 2 + b / 2
                   : kind == 3 ? (isfinite(between) ? between : a)
                   : kind == 4 ? a + ldexp(factor, exponent) /* next to 0, closer than squares tell */
                               : test_step_ulps(b, 64 * steps);
    }
}

int point_compare_square(double x, const mpq_t squared)
{
    if (!(x <= DBL_MAX)) {
        return 1;
    }
    mpq_t own;
    mpq_init(own);
    mpq_set_d(own, x);
    mpq_mul(own, own, own);
    const int order = mpq_cmp(own, squared);
    mpq_clear(own);
    return order;
}
