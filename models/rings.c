/* Rings of points and the surfaces between them. */
#include <math.h>
#include <stdlib.h>

#include "build.h"

void models_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void models_normalise(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) {
        v[k] /= length;
    }
}

uint32_t models_round(double value, uint32_t least)
{
    return value > least ? (uint32_t)(value + 0.5) : least;
}

void *models_allocate(models_mesh *mesh, size_t count, size_t size)
{
    void *room = mesh->failed ? NULL : calloc(count ? count : 1, size);
    mesh->failed |= !room;
    return room;
}

/* Only angles of the first eighth are computed, the others are mirror images: so the shapes are symmetric to the bit,
 * and the quarters are exact. */
void models_direction(uint32_t step, uint32_t steps, double direction[2])
{
    const uint64_t eighths = 8 * (uint64_t)(step % steps); /* in units of 1 / steps */
    const uint32_t octant = (uint32_t)(eighths / steps);
    const uint64_t within = eighths % steps;
    const uint64_t folded = octant % 2 ? steps - within : within;
    const double angle = MODELS_FULL_TURN / 8 * (double)folded / (double)steps;
    const double c = folded == 0 ? 1 : cos(angle), s = folded == 0 ? 0 : sin(angle);
    const int swapped = ((octant + 1) / 2) % 2;
    const double x = swapped ? s : c, y = swapped ? c : s;
    direction[0] = octant >= 2 && octant < 6 ? -x : x;
    direction[1] = octant >= 4 ? -y : y;
}

double (*models_circle(models_mesh *mesh, uint32_t steps))[2]
{
    double(*circle)[2] = models_allocate(mesh, steps, sizeof *circle);
    for (uint32_t i = 0; circle && i < steps; i++) {
        models_direction(i, steps, circle[i]);
    }
    return circle;
}

uint32_t models_ring(models_mesh *mesh, double (*circle)[2], uint32_t sides, const double centre[3], const double u[3],
                     const double v[3], double radius)
{
    const uint32_t first = (uint32_t)mesh->point_count;
    for (uint32_t i = 0; i < sides; i++) {
        const double c = radius * circle[i][0], s = radius * circle[i][1];
        models_point(mesh, centre[0] + (c * u[0] + s * v[0]), centre[1] + (c * u[1] + s * v[1]),
                     centre[2] + (c * u[2] + s * v[2]));
    }
    return first;
}

void models_bridge(models_mesh *mesh, uint32_t behind, uint32_t ahead, uint32_t sides)
{
    for (uint32_t i = 0; i < sides; i++) {
        const uint32_t j = i + 1 < sides ? i + 1 : 0;
        models_triangle(mesh, behind + i, behind + j, ahead + j);
        models_triangle(mesh, behind + i, ahead + j, ahead + i);
    }
}

static void oriented_triangle(models_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, int ahead)
{
    models_triangle(mesh, a, ahead ? b : c, ahead ? c : b);
}

void models_close_ring(models_mesh *mesh, uint32_t ring, uint32_t sides, int ahead)
{
    /* A zigzag rather than a fan: the triangles are all as broad as they can be. */
    uint32_t low = 0, high = sides - 1;
    while (high - low > 1) {
        oriented_triangle(mesh, ring + low, ring + low + 1, ring + high, ahead);
        low++;
        if (high - low > 1) {
            oriented_triangle(mesh, ring + low, ring + high - 1, ring + high, ahead);
            high--;
        }
    }
}

void models_close_ring_polygon(models_mesh *mesh, uint32_t ring, uint32_t sides, int ahead)
{
    uint32_t *corners = models_allocate(mesh, sides, sizeof *corners);
    for (uint32_t i = 0; corners && i < sides; i++) {
        corners[i] = ring + (ahead ? i : sides - 1 - i);
    }
    if (corners) {
        models_polygon(mesh, corners, sides);
    }
    free(corners);
}

void models_close_ring_point(models_mesh *mesh, uint32_t ring, uint32_t sides, uint32_t point, int ahead)
{
    for (uint32_t i = 0; i < sides; i++) {
        oriented_triangle(mesh, ring + i, ring + (i + 1 < sides ? i + 1 : 0), point, ahead);
    }
}
