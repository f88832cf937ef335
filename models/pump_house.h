/* A pump house: an assembly of named parts, for `tumble demo clash` and for tests. Millimetres; z is up. Some of its
 * parts clash, as the comment at each says. */
#ifndef TUMBLE_MODELS_PUMP_HOUSE_H
#define TUMBLE_MODELS_PUMP_HOUSE_H

#include "models.h"

enum {
    MODELS_HOUSE_SHAPES = 20,
    MODELS_HOUSE_PARTS = 160
};

typedef struct models_house_part {
    char name[32], path[80];
    const char *class_name, *material;
    uint32_t shape;
    tumble_pose pose;
} models_house_part;

typedef struct models_house {
    models_mesh shapes[MODELS_HOUSE_SHAPES];
    size_t shape_count;
    models_house_part *parts;
    size_t part_count;
    int failed; /* memory ran out */
} models_house;

/* 0 when memory ran out: then the house is empty. */
int models_make_house(models_house *house);
void models_free_house(models_house *house);

#endif
