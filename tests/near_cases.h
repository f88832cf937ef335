/* Searches for the nearest polygons, asked with every instruction set and checked. Everything here asserts that it
 * works. */
#ifndef TUMBLE_TESTS_NEAR_CASES_H
#define TUMBLE_TESTS_NEAR_CASES_H

#include "scenes.h"
#include "tree/model.h"

/* Contexts and queries for each instruction set; models are made from the first. */
typedef struct near_bench {
    test_allocator memory;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    size_t asked;
} near_bench;

int near_bench_begin(void **state);
int near_bench_end(void **state);

/* A shape of models/ with about so many triangles, of size 2, as the given variant of a tree. */
tumble_model *near_model(near_bench *bench, const char *shape, size_t triangles, size_t variant);

#define TEST_ON_BENCH(test) cmocka_unit_test_setup_teardown(test, near_bench_begin, near_bench_end)

/* Two models, how they stand, and what to call that in messages. */
typedef struct near_scene {
    const tumble_model *a, *b;
    const tumble_pose *pose_a, *pose_b;
    const char *name;
} near_scene;

/* Asks with one query. A callback of the options must be null: one is set here, which checks that pairs come closer
 * and closer and that the last is the result. */
tumble_distance_result near_ask(tumble_query *query, const near_scene *scene, const tumble_distance_options *options);

/* Asks with the queries of all levels, which have to give the same bits: results, pairs on the way, counters. Checks
 * the nearest pair with near_check_witness. */
tumble_distance_result near_ask_all(near_bench *bench, const near_scene *scene, const tumble_distance_options *options);

/* Whether the nearest pair is what it says: the points are on the polygons and so far apart; the polygons are, too,
 * when `is_least`, else they may be closer elsewhere. */
void near_check_witness(const near_scene *scene, const tumble_distance_result *result, int is_least);

/* The distance of two polygons, from all of their triangles. */
double near_polygon_distance(const near_scene *scene, uint32_t polygon_a, uint32_t polygon_b);

/* The distance of two models from all of their triangles, one by one and exactly. */
double near_true_distance(const near_scene *scene);

/* Whether x is y but for 1e-14 of it. */
int near_same(double x, double y);
void near_assert_same(double found, double expected, const char *name);

/* A random rotation with a shift of this length in a random direction. */
tumble_pose near_random_pose(test_random *random, double shift);

#endif
