/* Scenes for questions with a clearance: two meshes at two poses, how far apart their triangles are, and which polygons
 * are within a limit, as exact arithmetic says. Everything here asserts that it works. */
#ifndef TUMBLE_TESTS_CLEARANCE_CASES_H
#define TUMBLE_TESTS_CLEARANCE_CASES_H

#include "oracle.h"
#include "prim/triangle_distance.h"
#include "scenes.h"

enum {
    CLEARANCE_BOXTREES = 4,
    CLEARANCE_KINDS =
        4 + TEST_KDOP_SETS + CLEARANCE_BOXTREES /* brute, two that are wide, an R-tree; k-DOP trees; boxtrees */
};

/* Contexts and queries for each instruction set; models are made from the first. */
typedef struct clearance_bench {
    test_allocator memory;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    oracle *truth;
    mpq_t squared, limit;
    test_pairs expected, found;
    size_t number;                   /* of questions, so that variants take turns */
    size_t hits, misses, ties, hard; /* of polygons; at exactly the limit; that the oracle had to decide */
} clearance_bench;

int clearance_begin_bench(void **state);
int clearance_end_bench(void **state);

#define TEST_ON_BENCH(test) cmocka_unit_test_setup_teardown(test, clearance_begin_bench, clearance_end_bench)

typedef struct clearance_corners {
    double (*triangles)[3][3]; /* in A's frame */
    uint32_t *polygons;
    size_t count;
} clearance_corners;

typedef struct clearance_scene {
    const char *name;
    models_mesh meshes[2];
    tumble_pose poses[2];
    clearance_corners corners[2];
    tmb_triangle_distance *distances; /* of triangle i of A and j of B at [i * count of B + j] */
    double *sorted;                   /* their values */
    tumble_model *models[CLEARANCE_KINDS][2];
    size_t variants[CLEARANCE_KINDS];
    int has_many_ties; /* the oracle would take too long: tests/test_triangle_distance.c asks it about single triangles
                        */
} clearance_scene;

/* Boxes of squares, one polygon each, with faces exactly so far apart. */
void clearance_add_squares(models_mesh *mesh, uint32_t n, double shift);

/* A turn by lot, with this scale and shift. */
tumble_pose clearance_pose(test_random *random, double scale, double x, double y, double z);

/* The meshes and poses are set: measures all pairs of triangles, and start also makes the models. */
void clearance_measure(clearance_scene *s);
void clearance_start(clearance_bench *b, clearance_scene *s, const char *name, size_t turn);
void clearance_end(clearance_scene *s);
const char *clearance_kind_name(const clearance_scene *s, size_t kind);

/* The clearance as the library takes it into A's frame. */
double clearance_limit(const clearance_scene *s, double clearance);

/* The pairs of polygons at most `limit` apart, sorted; returns how many pairs of triangles are. */
size_t clearance_find_expected(clearance_bench *b, const clearance_scene *s, double limit);

#endif
