/* Shapes and poses of tests/sets.h: sets of triangles that are hard for boxes, slabs and their rounding. */
#include <string.h>

#include "make.h"
#include "sets.h"

static void add_mesh(torture_shape *shape, const models_mesh *mesh)
{
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        double corners[3][3];
        for (int k = 0; k < 3; k++) {
            memcpy(corners[k], mesh->points + 3 * (size_t)mesh->indices[3 * i + (size_t)k], sizeof corners[k]);
        }
        torture_add_polygon(shape, (const double(*)[3])corners, 3, (uint32_t)(i % 3));
    }
}

static tumble_model_info bounds_of(const torture_shape *shape)
{
    tumble_model_info info = {0};
    for (size_t i = 0; i < 3 * shape->corner_count; i++) {
        const double x = shape->corners[i / 3][i % 3];
        info.lower[i % 3] = i < 3 || x < info.lower[i % 3] ? x : info.lower[i % 3];
        info.upper[i % 3] = i < 3 || x > info.upper[i % 3] ? x : info.upper[i % 3];
    }
    return info;
}

void torture_make_set(torture_case *c, test_random *random)
{
    const test_set *set = &test_sets[torture_pick(random, TEST_SETS)];
    for (int side = 0; side < 2; side++) {
        models_mesh mesh = {0};
        set->make(&mesh, random, 4 + torture_pick(random, 16));
        add_mesh(&c->shapes[side], &mesh);
        models_free(&mesh);
    }
    const tumble_model_info info = bounds_of(&c->shapes[1]);
    c->pose_count = TORTURE_POSES;
    for (size_t i = 0; i < c->pose_count; i++) {
        c->poses[i][0] = tumble_pose_identity();
        c->poses[i][1] = test_pose_over(random, &info, set->turns, torture_pick(random, 8));
        c->has_pose[i][1] = 1;
    }
}
