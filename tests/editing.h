/* Models with R-trees that are edited. Everything here asserts that it works. */
#ifndef TUMBLE_TESTS_EDITING_H
#define TUMBLE_TESTS_EDITING_H

#include "scenes.h"
#include "tree/rtree/edit.h"

tumble_model_options test_rtree_options(tumble_rtree_load load);

/* Fails unless what an edited model knows of itself is in order: its tree, boxes, lists and counts. */
void test_check_edit(const tumble_model *model);
void test_check_live(const tumble_model *model); /* of those that are no R-trees, edited or not */

typedef struct test_cost {
    double boxes, primitives;
} test_cost;

/* Of a model against another like it, in many poses that touch. */
test_cost test_query_cost(test_world *w, const tumble_model *model, const tumble_model *other);

#endif
