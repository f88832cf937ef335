/* Models whose polygons share corners in all ways, and the truth about them. Everything here asserts that it works. */
#ifndef TUMBLE_TESTS_SELF_CASES_H
#define TUMBLE_TESTS_SELF_CASES_H

#include "scenes.h"
#include "self_oracle.h"

/* Few points, so that polygons share corners in all ways. */
enum {
    SELF_POOL = 9,
    SELF_POOLS = 6
};
typedef void self_make_pool(test_random *random, double pool[SELF_POOL][3]);
typedef struct self_pool {
    const char *name;
    self_make_pool *make;
} self_pool;
extern const self_pool self_pools[SELF_POOLS];

/* Polygons of 3 to `most` (at most 16) corners. */
void self_make_mesh(test_random *random, self_make_pool *make, size_t polygons, int most, models_mesh *mesh);

/* The triangles of every polygon, as the model has cut them. */
typedef struct self_polygons {
    double (*triangles)[3][3];
    self_polygon *polygons;
    uint32_t count;
} self_polygons;

self_polygons self_cut(const tumble_model *model);
void self_free_cut(self_polygons *cut);

/* All pairs that meet, in order. */
typedef struct self_list {
    tumble_self_pair *pairs;
    size_t count, capacity;
} self_list;

void self_append(self_list *list, tumble_self_pair pair);
self_list self_true_pairs(const tumble_model *model, int soup);
void self_assert_same(const tumble_self_result *result, const self_list *expected, const char *name, size_t round);

#endif
