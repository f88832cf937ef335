/* Bodies made of rings, and boxes. */
#include <math.h>

#include "build.h"

void models_loft_ring(models_loft *loft, uint32_t ring)
{
    if (loft->begun) {
        models_bridge(loft->mesh, loft->last, ring, loft->sides);
    } else {
        models_close_ring(loft->mesh, ring, loft->sides, 0);
    }
    loft->begun = 1;
    loft->last = ring;
}

void models_loft_end(models_loft *loft)
{
    models_close_ring(loft->mesh, loft->last, loft->sides, 1);
    loft->begun = 0;
}

void models_frame(const double axis[3], double u[3], double v[3])
{
    int least = 0;
    for (int k = 1; k < 3; k++) {
        least = fabs(axis[k]) < fabs(axis[least]) ? k : least;
    }
    double length = 0, other[3] = {0, 0, 0}, size = 0;
    other[least] = 1;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        u[k] = other[a] * axis[b] - other[b] * axis[a];
        length += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; k++) {
        size += u[k] * u[k];
    }
    for (int k = 0; k < 3; k++) {
        u[k] /= sqrt(size);
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        v[k] = (axis[a] * u[b] - axis[b] * u[a]) / sqrt(length);
    }
}

void models_turned(models_mesh *mesh, double (*circle)[2], uint32_t sides, const double centre[3], const double axis[3],
                   const double (*outline)[2], uint32_t count)
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double u[3], v[3];
    uint32_t last = 0, tip = 0;
    int begun = 0; /* a ring is there */
    models_frame(axis, u, v);
    for (uint32_t i = 0; i < count; i++) {
        const double radius = outline[i][1] * length;
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = centre[k] + outline[i][0] * axis[k];
        }
        if (outline[i][1] <= 0) {
            tip = models_point(mesh, at[0], at[1], at[2]);
            if (begun) {
                models_close_ring_point(mesh, last, sides, tip, 1);
                return;
            }
            continue;
        }
        const uint32_t ring = models_ring(mesh, circle, sides, at, u, v, radius);
        if (begun) {
            models_bridge(mesh, last, ring, sides);
        } else if (i > 0) {
            models_close_ring_point(mesh, ring, sides, tip, 0);
        } else {
            models_close_ring(mesh, ring, sides, 0);
        }
        begun = 1;
        last = ring;
    }
    models_close_ring(mesh, last, sides, 1);
}

/* The directions of the line before and after a point, added. */
static void tangent_at(double (*centres)[3], uint32_t count, uint32_t i, double tangent[3])
{
    double sum[3] = {0, 0, 0};
    for (uint32_t side = 0; side < 2; side++) {
        if (i + side >= 1 && i + side < count) {
            const double *from = centres[i + side - 1], *to = centres[i + side];
            const double x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2];
            const double length = sqrt(x * x + y * y + z * z);
            sum[0] += x / length;
            sum[1] += y / length;
            sum[2] += z / length;
        }
    }
    const double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int k = 0; k < 3; k++) {
        tangent[k] = sum[k] / length;
    }
}

/* The frame is carried along: u is made perpendicular to each new tangent, so that the tube does not twist. */
void models_tube(models_mesh *mesh, double (*circle)[2], uint32_t sides, double (*centres)[3], const double *radii,
                 uint32_t count)
{
    models_loft loft = {.mesh = mesh, .sides = sides};
    double u[3], v[3], tangent[3];
    tangent_at(centres, count, 0, tangent);
    models_frame(tangent, u, v);
    for (uint32_t i = 0; i < count; i++) {
        tangent_at(centres, count, i, tangent);
        const double along = u[0] * tangent[0] + u[1] * tangent[1] + u[2] * tangent[2];
        double square = 0;
        for (int k = 0; k < 3; k++) {
            u[k] -= along * tangent[k];
            square += u[k] * u[k];
        }
        for (int k = 0; k < 3; k++) {
            u[k] /= sqrt(square);
        }
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            v[k] = tangent[a] * u[b] - tangent[b] * u[a];
        }
        models_loft_ring(&loft, models_ring(mesh, circle, sides, centres[i], u, v, radii[i]));
    }
    models_loft_end(&loft);
}

void models_strip(const double (*line)[2], uint32_t count, double thickness, double (*outline)[2])
{
    for (uint32_t i = 0; i < count; i++) {
        double normal[2] = {0, 0};
        for (uint32_t side = 0; side < 2; side++) {
            if (i + side >= 1 && i + side < count) {
                const double x = line[i + side][0] - line[i + side - 1][0];
                const double y = line[i + side][1] - line[i + side - 1][1], length = sqrt(x * x + y * y);
                normal[0] += y / length;
                normal[1] -= x / length;
            }
        }
        /* the sum of two unit normals, divided by half its squared length, is the point at distance one from both */
        const double square = normal[0] * normal[0] + normal[1] * normal[1];
        const double scale = thickness / 2 * (i > 0 && i + 1 < count ? 2 / square : 1);
        for (int k = 0; k < 2; k++) {
            outline[i][k] = line[i][k] + scale * normal[k];
            outline[2 * count - 1 - i][k] = line[i][k] - scale * normal[k];
        }
    }
}

void models_add_box(models_mesh *mesh, const double centre[3], double axes[3][3])
{
    static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const uint32_t first = (uint32_t)mesh->point_count;
    for (int corner = 0; corner < 8; corner++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = centre[k] + (corner & 1 ? axes[0][k] : -axes[0][k]) + (corner & 2 ? axes[1][k] : -axes[1][k]) +
                    (corner & 4 ? axes[2][k] : -axes[2][k]);
        }
        models_point(mesh, at[0], at[1], at[2]);
    }
    for (int face = 0; face < 6; face++) {
        const uint32_t *f = faces[face];
        models_triangle(mesh, first + f[0], first + f[1], first + f[2]);
        models_triangle(mesh, first + f[0], first + f[2], first + f[3]);
    }
}

void models_add_aligned_box(models_mesh *mesh, const double lower[3], const double upper[3])
{
    double centre[3], axes[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * (lower[k] + upper[k]);
        axes[k][k] = 0.5 * (upper[k] - lower[k]);
    }
    models_add_box(mesh, centre, axes);
}

void models_round_to_float(models_mesh *mesh)
{
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] = (double)(float)mesh->points[i];
    }
}
