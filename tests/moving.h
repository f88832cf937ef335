/* Meshes whose points move, and models that are deformed by them. Everything here asserts that it works. */
#ifndef TUMBLE_TESTS_MOVING_H
#define TUMBLE_TESTS_MOVING_H

#include "scenes.h"

/* ---- Hierarchies ---- */

/* All that can be deformed. `keeps`: a model that has not moved comes out as it was, to the byte; a boxtree chooses its
 * planes anew. */
typedef struct test_mover {
    const char *name;
    tumble_hierarchy hierarchy;
    tumble_boxtree_layout layout;
    int keeps;
} test_mover;

enum {
    TEST_MOVERS = 6
};
extern const test_mover test_movers[TEST_MOVERS];

/* With the option `deformable`. */
tumble_model_options test_mover_options(const test_mover *mover);

/* ---- Motions ---- */

enum test_motion {
    TEST_MOVE_REST,
    TEST_MOVE_JITTER,
    TEST_MOVE_ANYWHERE,
    TEST_MOVE_TO_A_POINT,
    TEST_MOVE_TO_A_LINE,
    TEST_MOVE_TO_A_PLANE,
    TEST_MOVE_MIRROR,
    TEST_MOVE_AXES, /* x, y and z change places */
    TEST_MOVE_LARGE,
    TEST_MOVE_SMALL,
    TEST_MOVE_HUGE,
    TEST_MOVE_TINY,
    TEST_MOVE_FAR_AWAY,
    TEST_MOVE_ON_A_LATTICE,
    TEST_MOVE_TENTHS,
    TEST_MOVE_ONE_POINT, /* of all: what is float is no more */
    TEST_MOTIONS
};
const char *test_motion_name(enum test_motion motion);

/* A mesh that shares all but the points, which are copied; only these are to be freed. */
models_mesh test_share(const models_mesh *mesh);
void test_move(models_mesh *mesh, const models_mesh *still, enum test_motion motion, test_random *random);

/* ---- Meshes ---- */

enum test_kind {
    TEST_KIND_SPHERE,
    TEST_KIND_SOUP,
    TEST_KIND_LATTICE, /* with degenerate triangles, and surfaces */
    TEST_KIND_UNUSED,  /* points that no polygon uses, far out */
    TEST_KIND_FEW,
    TEST_KIND_TWO_TRIANGLES,
    TEST_KIND_ONE_TRIANGLE,
    TEST_KIND_EMPTY,
    TEST_KINDS
};
void test_make_kind(models_mesh *mesh, enum test_kind kind, size_t triangles);

/* ---- Models ---- */

void test_deform(const tumble_context *context, const tumble_model *model, const models_mesh *mesh, tumble_model **out);

/* What loading checks, and that the way through a block loses nothing. */
void test_assert_valid(tumble_context *context, const tumble_model *model);

/* The longest side of its bounds. */
double test_size_of(const tumble_model *model);

#endif
