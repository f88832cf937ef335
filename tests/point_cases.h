/* Models of every hierarchy, points to ask about, and the truth about both in exact arithmetic. */
#ifndef TUMBLE_TESTS_POINT_CASES_H
#define TUMBLE_TESTS_POINT_CASES_H

#include <gmp.h>

#include "oracle.h"
#include "scenes.h"

enum {
    POINT_HIERARCHIES = 5
};

/* A mesh as models of every hierarchy, with a query for each instruction set. */
typedef struct point_bench {
    test_allocator memory;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    tumble_model *models[POINT_HIERARCHIES];
    models_mesh mesh;
    oracle *truth;
} point_bench;

int point_bench_begin(void **state);
int point_bench_end(void **state);
#define TEST_ON_POINTS(test) cmocka_unit_test_setup_teardown(test, point_bench_begin, point_bench_end)

/* Makes the models of bench->mesh, in place of those that there are. */
void point_bench_build(point_bench *bench);
void point_bench_clear(point_bench *bench);

/* The exact squared distance of a point from a polygon, from all triangles of the model; `squared` is initialised. */
void point_squared_distance(point_bench *bench, const double point[3], uint32_t polygon, mpq_t squared);

/* A point to ask about: a corner, a neighbour of one in some ulps, the middle of two corners, somewhere around, or
 * a tiny step away. */
void point_choose(const models_mesh *mesh, test_random *random, double point[3]);

/* -1, 0, 1: the square of a double that may be infinite, less a number. */
int point_compare_square(double x, const mpq_t squared);

#endif
