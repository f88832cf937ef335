#include "shapes.h"

#include <math.h>
#include <stdlib.h>

static const double turn = 6.283185307179586;

/* A ring is a grid that is closed both ways. The place of a corner of the grid: */
typedef void place_corner(uint32_t i, uint32_t around, uint32_t j, uint32_t across, double point[3]);

static void place_on_torus(uint32_t i, uint32_t around, uint32_t j, uint32_t across, double point[3])
{
    const double u = turn * i / around, v = turn * j / across;
    const double radius = 0.75 + 0.25 * cos(v);
    point[0] = radius * cos(u);
    point[1] = radius * sin(u);
    point[2] = 0.25 * sin(v);
}

/* Four corners across; a tooth, then a gap, each between two corners along the rim. */
static void place_on_wheel(uint32_t i, uint32_t around, uint32_t j, uint32_t across, double point[3])
{
    (void)across;
    const double u = turn * i / around;
    const double radius = j == 0 || j == 3 ? 0.5 : i % 4 < 2 ? 1 : 0.85;
    point[0] = radius * cos(u);
    point[1] = radius * sin(u);
    point[2] = j < 2 ? -0.15 : 0.15;
}

static void connect_square(uint32_t *corners, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t both[6] = {a, b, c, a, c, d};
    for (int k = 0; k < 6; k++) {
        corners[k] = both[k];
    }
}

static bool make_ring(shape *out, uint32_t around, uint32_t across, place_corner *place)
{
    const size_t count = (size_t)around * across;
    *out = (shape){malloc(count * 3 * sizeof(double)), count, malloc(count * 6 * sizeof(uint32_t)), 2 * count};
    if (!out->points || !out->corners) {
        free_shape(out);
        return false;
    }
    for (uint32_t i = 0; i < around; i++) {
        const uint32_t here = i * across, there = (i + 1) % around * across;
        for (uint32_t j = 0; j < across; j++) {
            const uint32_t next = (j + 1) % across;
            place(i, around, j, across, out->points + 3 * ((size_t)here + j));
            connect_square(out->corners + 6 * ((size_t)here + j), here + j, there + j, there + next, here + next);
        }
    }
    return true;
}

bool make_torus(shape *out, uint32_t around)
{
    return make_ring(out, around, around / 2, place_on_torus);
}

bool make_wheel(shape *out, uint32_t teeth)
{
    return make_ring(out, 4 * teeth, 4, place_on_wheel);
}

tumble_mesh shape_mesh(const shape *s)
{
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = s->points;
    mesh.point_count = s->point_count;
    mesh.indices = s->corners;
    mesh.index_count = 3 * s->triangle_count;
    return mesh;
}

void free_shape(shape *s)
{
    free(s->points);
    free(s->corners);
    *s = (shape){NULL, 0, NULL, 0};
}
