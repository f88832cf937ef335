/* What the parts of the plant are made of: each patch is a surface with points of its own, as CAD systems give them. */
#include <math.h>
#include <stdlib.h>

#include "plant_pieces.h"

enum {
    BEND_STEPS = 5,
    TORUS_STEPS = 24,
    BOLT_SIDES = 6
};

typedef struct turning {
    models_mesh *mesh;
    double (*circle)[2];
    uint32_t sides;
    const double *origin, *axis;
    double u[3], v[3];
} turning;

static uint32_t add_ring(const turning *t, const plant_outline *at)
{
    double centre[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = t->origin[k] + at->along * t->axis[k];
    }
    return at->radius > 0 ? models_ring(t->mesh, t->circle, t->sides, centre, t->u, t->v, at->radius)
                          : models_point(t->mesh, centre[0], centre[1], centre[2]);
}

/* Between two places of the outline; returns the ring at the second. */
static uint32_t add_strip(const turning *t, const plant_outline *from, uint32_t behind, const plant_outline *to)
{
    const uint32_t ahead = add_ring(t, to);
    if (from->radius == 0) {
        models_close_ring_point(t->mesh, ahead, t->sides, behind, 0);
    } else if (to->radius == 0) {
        models_close_ring_point(t->mesh, behind, t->sides, ahead, 1);
    } else {
        models_bridge(t->mesh, behind, ahead, t->sides);
    }
    return ahead;
}

void plant_turned(models_mesh *mesh, uint32_t sides, const double origin[3], const double axis[3],
                  const plant_outline *outline, uint32_t count)
{
    turning t = {mesh, models_circle(mesh, sides), sides, origin, axis, {0}, {0}};
    uint32_t last = 0;
    models_frame(axis, t.u, t.v);
    for (uint32_t i = 1; t.circle && i < count; i++) {
        const int smooth = i > 1 && outline[i].smooth;
        mesh->surface -= (uint32_t)smooth;
        last = add_strip(&t, &outline[i - 1], smooth ? last : add_ring(&t, &outline[i - 1]), &outline[i]);
        mesh->surface++;
    }
    free(t.circle);
}

void plant_box(models_mesh *mesh, const double centre[3], const double half[3])
{
    for (int face = 0; face < 6; face++) {
        const int n = face / 2, one = (n + 1) % 3, two = (n + 2) % 3, out = face % 2 ? 1 : -1;
        uint32_t corners[4];
        for (int i = 0; i < 4; i++) {
            double at[3];
            at[n] = centre[n] + out * half[n];
            at[one] = centre[one] + (i == 1 || i == 2 ? out : -out) * half[one];
            at[two] = centre[two] + (i >= 2 ? half[two] : -half[two]);
            corners[i] = models_point(mesh, at[0], at[1], at[2]);
        }
        models_triangle(mesh, corners[0], corners[1], corners[2]);
        models_triangle(mesh, corners[0], corners[2], corners[3]);
        mesh->surface++;
    }
}

void plant_bolt(models_mesh *mesh, const double at[3], const double axis[3], double radius, double height)
{
    const plant_outline outline[] = {{0, radius, 0}, {height, radius, 0}, {height, 0, 0}};
    plant_turned(mesh, BOLT_SIDES, at, axis, outline, 3);
}

void plant_add_flange(models_mesh *mesh, uint32_t sides, const double at[3], const double axis[3],
                      const plant_flange *flange)
{
    const double back = -flange->thickness, middle = 0.5 * (flange->inner + flange->outer);
    const plant_outline outline[] = {
        {back, flange->inner, 0}, {back, flange->outer, 0}, {0, flange->outer, 0}, {0, flange->inner, 0}};
    const double behind[3] = {-axis[0], -axis[1], -axis[2]};
    double u[3], v[3];
    plant_turned(mesh, sides, at, axis, outline, 4);
    models_frame(axis, u, v);
    for (uint32_t i = 0; i < flange->bolts; i++) {
        double turn[2], place[3];
        models_direction(2 * i + 1, 2 * flange->bolts, turn);
        for (int k = 0; k < 3; k++) {
            place[k] = at[k] + back * axis[k] + middle * (turn[0] * u[k] + turn[1] * v[k]);
        }
        plant_bolt(mesh, place, behind, 0.3 * (flange->outer - flange->inner), 0.6 * flange->thickness);
    }
}

static plant_flange flange_for(double radius, uint32_t bolts)
{
    const plant_flange flange = {radius, 1.8 * radius, 0.35 * radius, bolts};
    return flange;
}

void plant_nozzle(models_mesh *mesh, uint32_t sides, const double from[3], const double axis[3], double length,
                  double radius, uint32_t bolts)
{
    const plant_outline neck[] = {{0, radius, 0}, {length, radius, 0}};
    const plant_flange flange = flange_for(radius, bolts);
    const double face[3] = {from[0] + length * axis[0], from[1] + length * axis[1], from[2] + length * axis[2]};
    plant_turned(mesh, sides, from, axis, neck, 2);
    plant_add_flange(mesh, sides, face, axis, &flange);
}

static double unit_between(const double from[3], const double to[3], double direction[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        direction[k] = to[k] - from[k];
        square += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++) {
        direction[k] /= sqrt(square);
    }
    return sqrt(square);
}

/* Around a corner, from `along` to `towards`, which is perpendicular to it. */
static void add_bend(models_mesh *mesh, uint32_t sides, const double corner[3], const double along[3],
                     const double towards[3], double radius, double bend)
{
    double(*circle)[2] = models_circle(mesh, sides), side[3];
    uint32_t last = 0;
    for (int k = 0; k < 3; k++) {
        side[k] = along[(k + 1) % 3] * towards[(k + 2) % 3] - along[(k + 2) % 3] * towards[(k + 1) % 3];
    }
    for (uint32_t i = 0; circle && i <= BEND_STEPS; i++) {
        double turn[2], centre[3], u[3];
        models_direction(i, 4 * BEND_STEPS, turn);
        for (int k = 0; k < 3; k++) {
            u[k] = turn[0] * towards[k] - turn[1] * along[k];
            centre[k] = corner[k] + bend * (towards[k] - along[k]) - bend * u[k];
        }
        const uint32_t ring = models_ring(mesh, circle, sides, centre, u, side, radius);
        if (i > 0) {
            models_bridge(mesh, last, ring, sides);
        }
        last = ring;
    }
    free(circle);
    mesh->surface++;
}

void plant_pipe(models_mesh *mesh, uint32_t sides, const double (*corners)[3], uint32_t count, double radius,
                uint32_t bolts)
{
    const double bend = 1.5 * radius;
    const plant_flange flange = flange_for(radius, bolts);
    double along[3] = {0}, next[3];
    for (uint32_t i = 0; i + 1 < count; i++) {
        const double length = unit_between(corners[i], corners[i + 1], next);
        const plant_outline wall[] = {{i > 0 ? bend : 0, radius, 0}, {length - (i + 2 < count ? bend : 0), radius, 0}};
        plant_turned(mesh, sides, corners[i], next, wall, 2);
        if (i > 0) {
            add_bend(mesh, sides, corners[i], along, next, radius, bend);
        } else {
            const double back[3] = {-next[0], -next[1], -next[2]};
            plant_add_flange(mesh, sides, corners[0], back, &flange);
        }
        for (int k = 0; k < 3; k++) {
            along[k] = next[k];
        }
    }
    plant_add_flange(mesh, sides, corners[count - 1], along, &flange);
}

void plant_torus(models_mesh *mesh, uint32_t sides, const double centre[3], const double axis[3], double major,
                 double minor)
{
    double(*circle)[2] = models_circle(mesh, sides), out[3], side[3];
    uint32_t rings[TORUS_STEPS];
    models_frame(axis, out, side);
    for (uint32_t i = 0; circle && i < TORUS_STEPS; i++) {
        double turn[2], middle[3], u[3];
        models_direction(i, TORUS_STEPS, turn);
        for (int k = 0; k < 3; k++) {
            u[k] = turn[0] * out[k] + turn[1] * side[k];
            middle[k] = centre[k] + major * u[k];
        }
        rings[i] = models_ring(mesh, circle, sides, middle, axis, u, minor);
    }
    for (uint32_t i = 0; circle && i < TORUS_STEPS; i++) {
        models_bridge(mesh, rings[i], rings[(i + 1) % TORUS_STEPS], sides);
    }
    free(circle);
    mesh->surface++;
}
