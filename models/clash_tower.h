/* A tower of any number of parts, in which clashes of every kind were planted, and no others: for tests and benchmarks
 * of clash runs. Lengths are whole numbers where parts touch; the tower rises along z. */
#ifndef TUMBLE_MODELS_CLASH_TOWER_H
#define TUMBLE_MODELS_CLASH_TOWER_H

#include "models.h"
#include "tumble/clash.h"

typedef struct models_tower_part {
    char name[40]; /* "room 12/rod 3" */
    const char *class_name;
    uint32_t shape;
    double transform[12];
} models_tower_part;

typedef struct models_tower_clash {
    uint32_t a, b; /* numbers of parts, a < b */
    tumble_clash_kind kind;
} models_tower_clash;

typedef struct models_tower {
    models_mesh *shapes;
    models_tower_part *parts;
    models_tower_clash *clashes; /* in the order of (a, b) */
    size_t shape_count, part_count, clash_count;
    size_t triangle_count; /* of all parts */
    int failed;
} models_tower;

typedef struct models_tower_options {
    size_t parts;     /* about so many */
    size_t shapes;    /* different ones, at least 16 */
    size_t triangles; /* of a rod or a ring, about */
    uint64_t seed;
} models_tower_options;

/* Parts that are nearer to each other than this, but do not meet, were planted as clearance clashes; all others that do
 * not clash are farther apart, though their boxes overlap. */
#define MODELS_TOWER_CLEARANCE 0.5

/* 0 when memory ran out: then the tower is empty. */
int models_make_tower(models_tower *tower, const models_tower_options *options);
void models_free_tower(models_tower *tower);

#endif
