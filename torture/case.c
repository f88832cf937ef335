#include "case.h"

#include <string.h>

#include "make.h"

void torture_add_polygon(torture_shape *shape, const double (*corners)[3], uint32_t size, uint32_t surface)
{
    if (shape->polygon_count == TORTURE_POLYGONS || shape->corner_count + size > TORTURE_CORNERS) {
        return;
    }
    shape->polygons[shape->polygon_count++] = (torture_polygon){(uint32_t)shape->corner_count, size, surface};
    memcpy(shape->corners[shape->corner_count], corners, size * sizeof *corners);
    shape->corner_count += size;
}

void torture_drop_polygon(torture_shape *shape, size_t index)
{
    const torture_polygon gone = shape->polygons[index];
    const size_t after = gone.first + gone.size;
    memmove(shape->corners[gone.first], shape->corners[after], (shape->corner_count - after) * sizeof *shape->corners);
    memmove(&shape->polygons[index], &shape->polygons[index + 1],
            (shape->polygon_count - index - 1) * sizeof *shape->polygons);
    shape->polygon_count--;
    shape->corner_count -= gone.size;
    for (size_t i = index; i < shape->polygon_count; i++) {
        shape->polygons[i].first -= gone.size;
    }
}

int torture_only_triangles(const torture_shape *shape)
{
    return shape->corner_count == 3 * shape->polygon_count;
}

static uint32_t find_point(const torture_arrays *arrays, size_t count, const double point[3])
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(arrays->points[i], point, sizeof arrays->points[i]) == 0) {
            return (uint32_t)i;
        }
    }
    return (uint32_t)count;
}

tumble_mesh torture_view(const torture_shape *shape, size_t from, size_t to, int merged, torture_arrays *arrays)
{
    size_t points = 0, indices = 0;
    for (size_t i = from; i < to; i++) {
        const torture_polygon *polygon = &shape->polygons[i];
        for (uint32_t k = 0; k < polygon->size; k++) {
            const double *corner = shape->corners[polygon->first + k];
            const uint32_t at = merged ? find_point(arrays, points, corner) : (uint32_t)points;
            if (at == points) {
                memcpy(arrays->points[points++], corner, sizeof arrays->points[0]);
            }
            arrays->indices[indices++] = at;
        }
        arrays->sizes[i - from] = polygon->size;
        arrays->surfaces[i - from] = polygon->surface;
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = arrays->points[0], mesh.point_count = points;
    mesh.indices = arrays->indices, mesh.index_count = indices;
    mesh.polygon_sizes = arrays->sizes, mesh.polygon_count = to - from;
    mesh.surface_ids = arrays->surfaces;
    return mesh;
}

/* Around the origin and as large as the recipe says, so that it lies over the model or far beyond it. */
void torture_guest(const torture_recipe *recipe, uint32_t number, double corners[3][3])
{
    for (int i = 0; i < 9; i++) {
        corners[i / 3][i % 3] = recipe->guest * (0.5 * ((int)(number + (uint32_t)(i * i)) % 5 - 2));
    }
}

void torture_rest_point(const torture_recipe *recipe, size_t corner, double point[3])
{
    static const double sizes[] = {1, 0, 0.1, 1e30, 1e-40, 1e300};
    for (size_t axis = 0; axis < 3; axis++) {
        point[axis] = sizes[recipe->split % 6] * (double)((corner * 7 + axis * 3 + corner * axis) % 11) - 3;
    }
}

const char *torture_kind_name(torture_kind kind)
{
#define NAME(name, text) text,
    static const char *const names[] = {TORTURE_KIND_LIST(NAME)};
#undef NAME
    return names[kind];
}

const char *torture_life_name(torture_life life)
{
#define NAME(name, text) text,
    static const char *const names[] = {TORTURE_LIFE_LIST(NAME)};
#undef NAME
    return names[life];
}

const tumble_pose *torture_pose(const torture_case *c, size_t pose, int side)
{
    return c->has_pose[pose][side] ? &c->poses[pose][side] : NULL;
}

torture_scene torture_scene_of(uint64_t seed)
{
    switch (seed % 50) {
    case 7: return TORTURE_SCENE_COMBS;
    case 9:
    case 17:
    case 19: return TORTURE_SCENE_STAIRS;
    case 27: return TORTURE_SCENE_BALLS;
    case 37: return TORTURE_SCENE_SETS;
    default: return TORTURE_SCENE_SOUP;
    }
}

void torture_make_case(torture_case *c, uint64_t seed, int with_opencl)
{
    test_random random = {seed};
    random.state = test_random_bits(&random); /* near seeds give different cases */
    memset(c, 0, sizeof *c);
    c->seed = seed;
    torture_grain grain = torture_make_grain(&random);
    if (torture_scene_of(seed) != TORTURE_SCENE_SOUP) { /* poses of about the same size */
        grain.kind = torture_chance(&random, 0.5) ? TORTURE_GRAIN_DOUBLES : TORTURE_GRAIN_GAPS;
    }
    if (torture_scene_of(seed) == TORTURE_SCENE_SETS) {
        torture_make_set(c, &random);
    } else {
        torture_make_shapes(c, &grain, &random);
        torture_make_poses(c, &grain, &random);
    }
    for (int side = 0; side < 2 && torture_spans_wide(c); side++) {
        while (c->shapes[side].polygon_count > 4) {
            torture_drop_polygon(&c->shapes[side], c->shapes[side].polygon_count - 1);
        }
    }
    torture_make_recipes(c, &random);
    torture_make_questions(c, &random, with_opencl);
}
