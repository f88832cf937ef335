/* One set of polygons as models with every past that a model can have: fresh, deformed, edited, saved and loaded, with
 * every hierarchy that allows it. Everything here asserts that it works. */
#ifndef TUMBLE_TESTS_LIVES_H
#define TUMBLE_TESTS_LIVES_H

#include "scenes.h"

typedef struct test_life {
    char name[160];
    tumble_model *model;
    /* Its polygons by their numbers, which only grow and may have gaps, and a fresh model of them in that order, by
     * brute force. */
    uint32_t *numbers;
    size_t count;
    tumble_model *fresh;
} test_life;

/* How many kinds there are. */
size_t test_life_kinds(void);

/* The set has triangles only. Edits, and what is inserted in passing, are random. */
test_life test_life_make(tumble_context *context, const models_mesh *set, size_t kind, test_random *random);
void test_life_free(test_life *life);

/* The fresh model's number of a polygon; fails if there is none. */
uint32_t test_life_rank(const test_life *life, uint32_t number);

#endif
