/* Tools of the generators of worlds. */
#ifndef TUMBLE_MODELS_WORLD_BUILD_H
#define TUMBLE_MODELS_WORLD_BUILD_H

#include "build.h"
#include "world.h"

/* Closed pieces that meshes are put together from: numbers in the order of the comment. */
typedef enum world_piece_kind {
    WORLD_BOX, /* lower x, y, z, upper x, y, z */
    WORLD_X,   /* a round piece along x: start x, y, z, length, radius at the start, radius at the end */
    WORLD_Y,
    WORLD_Z
} world_piece_kind;

typedef struct world_piece {
    const char *shape;
    world_piece_kind kind;
    double numbers[6];
} world_piece;

/* Meshes of the pieces, which stand in the order of their shapes; round ones have so many sides. */
void world_add_pieces(models_world *world, const world_piece *pieces, size_t count, uint32_t sides);

/* Returns the new shape's mesh, empty, valid until the next one is added; NULL when memory ran out. */
models_mesh *world_add_shape(models_world *world, const char *name);

/* The number of a shape, which must be there. */
uint32_t world_find_shape(const models_world *world, const char *name);

/* Returns the new object, at rest at a place, valid until the next one is added; NULL when memory ran out. */
models_world_object *world_add_object(models_world *world, const char *name, uint32_t shape, uint32_t group, double x,
                                      double y, double z);
void world_join(models_world *world, uint32_t a, uint32_t b);

/* A turn about an axis (0: x, 1: y, 2: z), and a shift. */
tumble_pose world_turn(int axis, double angle);
tumble_pose world_shift(double x, double y, double z);

/* From 0 to 1 with a soft start and end. */
double world_ease(double t);

/* The worlds, described in world.c. */
void world_make_heap(models_world *world, const double *values);
void world_make_hall(models_world *world, const double *values);
void world_make_cell(models_world *world, const double *values);

#endif
