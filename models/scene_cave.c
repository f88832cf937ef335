/* A deformed torus, and a cave's floor with stalagmites. The torus has a radius of 1 before it is deformed. */
#include <math.h>
#include <stdlib.h>

#include "scene_parts.h"

enum {
    TORUS_RINGS = 125,
    TORUS_SIDES = 80,
    FLOOR_CELLS = 100,
    STALAGMITES = 160,
    STALAGMITE_SIDES = 24,
    STALAGMITE_RINGS = 10
};

/* Bent like a saddle, out of round, with a tube that is thicker in three places and has ribs. */
void models_make_bent_torus(models_mesh *mesh)
{
    double(*around)[2] = models_circle(mesh, TORUS_RINGS), (*circle)[2] = models_circle(mesh, TORUS_SIDES);
    uint32_t last = 0;
    for (uint32_t i = 0; around && circle && i < TORUS_RINGS; i++) {
        const double c = around[i][0], s = around[i][1], turn = MODELS_FULL_TURN * i / TORUS_RINGS;
        const double distance = 1 + 0.12 * sin(2 * turn) + 0.06 * sin(5 * turn);
        const double tube = 0.3 * (1 + 0.3 * sin(3 * turn) + 0.07 * sin(24 * turn));
        const double centre[3] = {distance * c, distance * s, 0.3 * sin(2 * turn + 0.6)};
        const double out[3] = {c * tube, s * tube, 0}, down[3] = {0, 0, -0.9 * tube};
        const uint32_t ring = models_ring(mesh, circle, TORUS_SIDES, centre, out, down, 1);
        if (i) {
            models_bridge(mesh, last, ring, TORUS_SIDES);
        }
        last = ring;
    }
    if (!mesh->failed) {
        models_bridge(mesh, last, 0, TORUS_SIDES);
    }
    free(around);
    free(circle);
}

/* Gentle waves, 1.2 high. */
static double floor_height(double x, double y)
{
    return 0.35 * (sin(0.45 * x + 0.3) * cos(0.38 * y) + 0.5 * sin(1.1 * x - 0.7 * y) + 0.2 * sin(2.3 * y + 1.9 * x));
}

static void add_floor(models_mesh *mesh, double half)
{
    const uint32_t first = (uint32_t)mesh->point_count;
    for (uint32_t j = 0; j <= FLOOR_CELLS; j++) {
        for (uint32_t i = 0; i <= FLOOR_CELLS; i++) {
            const double x = half * (2.0 * i / FLOOR_CELLS - 1), y = half * (2.0 * j / FLOOR_CELLS - 1);
            models_point(mesh, x, y, floor_height(x, y));
        }
    }
    for (uint32_t j = 0; j < FLOOR_CELLS; j++) {
        for (uint32_t i = 0; i < FLOOR_CELLS; i++) {
            const uint32_t here = first + j * (FLOOR_CELLS + 1) + i, above = here + FLOOR_CELLS + 1;
            models_triangle(mesh, here, here + 1, above + 1);
            models_triangle(mesh, here, above + 1, above);
        }
    }
}

/* Rings of uneven radius that lean a little, and a tip; its foot stands in the floor. */
static void add_stalagmite(models_mesh *mesh, double (*circle)[2], double x, double y, models_random *random)
{
    static const double shares[STALAGMITE_RINGS] = {0, 0.05, 0.12, 0.22, 0.34, 0.48, 0.62, 0.75, 0.86, 0.95};
    const double unit = models_random_unit(random), height = 1.2 + 5 * unit * unit;
    const double foot = models_random_range(random, 0.1, 0.16) * (1 + height);
    const double lean[2] = {models_random_range(random, -0.08, 0.08), models_random_range(random, -0.08, 0.08)};
    static const double u[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    const double ground = floor_height(x, y) - 0.25;
    models_loft loft = {.mesh = mesh, .sides = STALAGMITE_SIDES};
    for (int i = 0; i < STALAGMITE_RINGS; i++) {
        const double z = shares[i] * height, narrow = 1 - shares[i];
        const double radius = foot * (0.25 * narrow + 0.75 * narrow * narrow * narrow) *
                              (i ? models_random_range(random, 0.9, 1.12) : 1.1);
        const double centre[3] = {x + lean[0] * z, y + lean[1] * z, ground + z};
        models_loft_ring(&loft, models_ring(mesh, circle, STALAGMITE_SIDES, centre, u, v, radius));
    }
    const uint32_t tip = models_point(mesh, x + lean[0] * height, y + lean[1] * height, ground + height);
    models_close_ring_point(mesh, loft.last, STALAGMITE_SIDES, tip, 1);
}

void models_make_cave(models_mesh *mesh)
{
    const double half = 16;
    models_random random = {11};
    double(*circle)[2] = models_circle(mesh, STALAGMITE_SIDES);
    add_floor(mesh, half);
    for (int i = 0; circle && i < STALAGMITES; i++) {
        const double x = models_random_range(&random, -0.97 * half, 0.97 * half);
        const double y = models_random_range(&random, -0.97 * half, 0.97 * half);
        mesh->surface++;
        add_stalagmite(mesh, circle, x, y, &random);
    }
    mesh->surface = 0;
    free(circle);
}
