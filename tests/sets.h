/* Adversarial sets of triangles. */
#ifndef TUMBLE_TESTS_SETS_H
#define TUMBLE_TESTS_SETS_H

#include "scenes.h"

typedef struct test_set {
    const char *name;
    void (*make)(models_mesh *mesh, test_random *random, size_t count); /* about so many triangles */
    int turns;                                                          /* may be turned without overflow */
} test_set;

enum {
    TEST_SETS = 25
};
extern const test_set test_sets[TEST_SETS];

/* The set of that name, which must be there. */
const test_set *test_find_set(const char *name);

/* A pose of B that brings it somewhere over A: its centre stays near, by a random turn, shift and scale. */
tumble_pose test_pose_over(test_random *random, const tumble_model_info *info, int turns, size_t number);

#endif
