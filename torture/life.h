/* Models by recipe, and the numbers of their polygons. */
#ifndef TUMBLE_TORTURE_LIFE_H
#define TUMBLE_TORTURE_LIFE_H

#include "world.h"

typedef struct torture_model {
    tumble_model *model;
    void *block;   /* that it lies in, if in place */
    char file[96]; /* that it is mapped from, if loaded */
} torture_model;

/* The status of the step that failed, with the step's name in *what. */
tumble_status torture_make_model(torture_world *world, const torture_shape *shape, const torture_recipe *recipe,
                                 uint32_t level, torture_model *out, const char **what);
void torture_free_model(torture_model *model);

/* The polygon of the shape that a number of the model stands for; UINT32_MAX: none. And the other way. */
uint32_t torture_shape_polygon(const torture_recipe *recipe, uint32_t number);
uint32_t torture_model_polygon(const torture_recipe *recipe, uint32_t polygon);

#endif
