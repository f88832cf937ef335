/* Meshes whose points move. */
#include "moving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Hierarchies ---- */

const test_mover test_movers[TEST_MOVERS] = {
    {"wide", TUMBLE_HIERARCHY_WIDE, TUMBLE_BOXTREE_ONE_PLANE, 1},
    {"kdop", TUMBLE_HIERARCHY_KDOP, TUMBLE_BOXTREE_ONE_PLANE, 1},
    {"rtree", TUMBLE_HIERARCHY_RTREE, TUMBLE_BOXTREE_ONE_PLANE, 1},
    {"boxtree, one plane", TUMBLE_HIERARCHY_BOXTREE, TUMBLE_BOXTREE_ONE_PLANE, 0},
    {"boxtree, two planes", TUMBLE_HIERARCHY_BOXTREE, TUMBLE_BOXTREE_TWO_PLANES, 0},
    {"brute", TUMBLE_HIERARCHY_BRUTE, TUMBLE_BOXTREE_ONE_PLANE, 1},
};

tumble_model_options test_mover_options(const test_mover *mover)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = mover->hierarchy;
    test_tune(options, boxtree.layout, mover->layout);
    options.deformable = 1;
    return options;
}

/* ---- Motions ---- */

const char *test_motion_name(enum test_motion motion)
{
    static const char *const names[TEST_MOTIONS] = {
        "rest",  "jitter", "anywhere", "to a point", "to a line", "to a plane",   "mirror", "axes",
        "large", "small",  "huge",     "tiny",       "far away",  "on a lattice", "tenths", "one point",
    };
    return names[motion];
}

models_mesh test_share(const models_mesh *mesh)
{
    models_mesh copy = *mesh;
    copy.points = malloc((3 * mesh->point_count + 1) * sizeof *copy.points);
    assert_non_null(copy.points);
    if (mesh->point_count) {
        memcpy(copy.points, mesh->points, 3 * mesh->point_count * sizeof *copy.points);
    }
    return copy;
}

static double move_number(enum test_motion motion, test_random *random, size_t point, size_t axis, const double p[3])
{
    const double x = p[axis];
    switch (motion) {
    case TEST_MOVE_REST: return x;
    case TEST_MOVE_JITTER: return x + 0.05 * (test_random_unit(random) - 0.5);
    case TEST_MOVE_ANYWHERE: return 2 * test_random_unit(random) - 1;
    case TEST_MOVE_TO_A_POINT: return 0.25;
    case TEST_MOVE_TO_A_LINE: return axis == 1 ? x : -0.0;
    case TEST_MOVE_TO_A_PLANE: return axis == 2 ? 0.125 : x;
    case TEST_MOVE_MIRROR: return -x;
    case TEST_MOVE_AXES: return p[(axis + 1) % 3];
    case TEST_MOVE_LARGE: return x * 1e6;
    case TEST_MOVE_SMALL: return x * 1e-6;
    case TEST_MOVE_HUGE: return x * 1e140;
    case TEST_MOVE_TINY: return x * 1e-300;
    case TEST_MOVE_FAR_AWAY: return x + 1e6;
    case TEST_MOVE_ON_A_LATTICE: return floor(4 * x) / 4;
    case TEST_MOVE_TENTHS: return x * 0.1;
    case TEST_MOVE_ONE_POINT: return point == 3 && axis == 1 ? 0.1 : x;
    case TEST_MOTIONS: break;
    }
    return x;
}

void test_move(models_mesh *mesh, const models_mesh *still, enum test_motion motion, test_random *random)
{
    for (size_t i = 0; i < 3 * still->point_count; i++) {
        mesh->points[i] = move_number(motion, random, i / 3, i % 3, still->points + i / 3 * 3);
    }
}

/* ---- Meshes ---- */

void test_make_kind(models_mesh *mesh, enum test_kind kind, size_t triangles)
{
    test_random random = {kind + 1};
    memset(mesh, 0, sizeof *mesh);
    switch (kind) {
    case TEST_KIND_SPHERE: assert_true(models_make_sized(mesh, "sphere", triangles)); break;
    case TEST_KIND_SOUP: test_make_soup(mesh, &random, triangles, 0.3); break;
    case TEST_KIND_LATTICE: test_make_lattice(mesh, &random, triangles, 9, 4, 0.3); break;
    case TEST_KIND_UNUSED: assert_true(models_make_sized(mesh, "torus", triangles)); break;
    case TEST_KIND_FEW: test_make_soup(mesh, &random, 12, 1.5); break;
    case TEST_KIND_TWO_TRIANGLES: test_make_soup(mesh, &random, 2, 1.5); break;
    case TEST_KIND_ONE_TRIANGLE: test_make_soup(mesh, &random, 1, 1.5); break;
    default: break;
    }
    if (kind == TEST_KIND_UNUSED) {
        models_fit(mesh, 2, 1);
        models_point(mesh, 1e9, 0.1, -7);
    } else if (kind == TEST_KIND_SPHERE || kind == TEST_KIND_LATTICE) {
        models_fit(mesh, 2, 1);
    }
    for (size_t i = 0; kind == TEST_KIND_LATTICE && i < mesh->polygon_count; i++) {
        mesh->surface_ids[i] = (uint32_t)(i % 7);
    }
    assert_false(mesh->failed);
}

/* ---- Models ---- */

void test_deform(const tumble_context *context, const tumble_model *model, const models_mesh *mesh, tumble_model **out)
{
    const tumble_mesh view = models_view(mesh);
    test_assert_status(context, tumble_model_deform(model, &view, out), TUMBLE_OK, "");
    assert_non_null(*out);
}

void test_assert_valid(tumble_context *context, const tumble_model *model)
{
    size_t size;
    const void *block = tumble_model_block(model, &size);
    tumble_model *copy = NULL;
    test_assert_status(context, tumble_model_from_block(context, block, size, 1, &copy), TUMBLE_OK, "");
    test_assert_same_blocks(model, copy);
    tumble_model_destroy(copy);
}

double test_size_of(const tumble_model *model)
{
    const tumble_model_info info = test_info(model);
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, info.upper[k] - info.lower[k]);
    }
    return size;
}
