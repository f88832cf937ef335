/* Balls, capsules, cylinders and thick triangles as triangles. */
#include "report_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROUND = 20000 /* triangles with round edges; of larger models only the faces are moved outward */
};

static int add(report_shape *shape, const double a[3], const double b[3], const double c[3])
{
    if (shape->count == shape->capacity) {
        const size_t capacity = 2 * shape->capacity + 64;
        void *corners = realloc(shape->corners, capacity * sizeof *shape->corners);
        if (!corners) {
            return 0;
        }
        shape->corners = corners;
        void *polygons = realloc(shape->polygons, capacity * sizeof *shape->polygons);
        if (!polygons) {
            return 0;
        }
        shape->polygons = polygons;
        shape->capacity = capacity;
    }
    memcpy(shape->corners[shape->count][0], a, sizeof shape->corners[0][0]);
    memcpy(shape->corners[shape->count][1], b, sizeof shape->corners[0][0]);
    memcpy(shape->corners[shape->count][2], c, sizeof shape->corners[0][0]);
    shape->polygons[shape->count++] = shape->polygon;
    return 1;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double normalise(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 0; i++) {
        v[i] /= length;
    }
    return length;
}

/* A ring's point: around `centre` plus `along` of the axis w, with u and v across. */
static void ring_point(const double centre[3], const double frame[3][3], double radius, double along, double angle,
                       double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = centre[i] + along * frame[2][i] + radius * (cos(angle) * frame[0][i] + sin(angle) * frame[1][i]);
    }
}

/* What lies between the circles around two centres. */
static int add_band(report_shape *shape, const double from[3], const double to[3], const double frame[3][3],
                    const double radii[2], const double along[2])
{
    for (int side = 0; side < shape->sides; side++) {
        double p[4][3];
        for (int k = 0; k < 4; k++) {
            const int far = k >= 2, place = (side + (k == 1 || k == 2)) % shape->sides;
            ring_point(far ? to : from, frame, radii[far], along[far], 6.28318530717958648 * place / shape->sides,
                       p[k]);
        }
        if ((radii[0] > 0 && !add(shape, p[0], p[1], p[2])) || (radii[1] > 0 && !add(shape, p[0], p[2], p[3]))) {
            return 0;
        }
    }
    return 1;
}

/* A ball, if both ends are equal; else everything within the radius of the segment, or a cylinder with flat ends. */
static int add_round(report_shape *shape, const double from[3], const double to[3], double radius, bool flat)
{
    double frame[3][3] = {{0}, {0}, {to[0] - from[0], to[1] - from[1], to[2] - from[2]}};
    if (!(normalise(frame[2]) > 0)) {
        frame[2][2] = 1;
        flat = false;
    }
    const double aside[3] = {fabs(frame[2][0]) < 0.9, fabs(frame[2][0]) >= 0.9, 0};
    cross(frame[2], aside, frame[0]);
    normalise(frame[0]);
    cross(frame[2], frame[0], frame[1]);
    if (flat) {
        return add_band(shape, from, from, (const double(*)[3])frame, (double[2]){0, radius}, (double[2]){0, 0}) &&
               add_band(shape, from, to, (const double(*)[3])frame, (double[2]){radius, radius}, (double[2]){0, 0}) &&
               add_band(shape, to, to, (const double(*)[3])frame, (double[2]){radius, 0}, (double[2]){0, 0});
    }
    const int rings = shape->sides / 2; /* from pole to pole */
    for (int ring = 0; ring < rings; ring++) {
        const double low = 3.14159265358979324 * ring / rings, high = 3.14159265358979324 * (ring + 1) / rings;
        const int last = 2 * ring >= rings;
        if (!add_band(shape, last ? to : from, last ? to : from, (const double(*)[3])frame,
                      (double[2]){ring > 0 ? radius * sin(low) : 0, ring < rings - 1 ? radius * sin(high) : 0},
                      (double[2]){-radius * cos(low), -radius * cos(high)})) {
            return 0;
        }
    }
    return (from[0] == to[0] && from[1] == to[1] && from[2] == to[2]) ||
           add_band(shape, from, to, (const double(*)[3])frame, (double[2]){radius, radius}, (double[2]){0, 0});
}

/* Both faces, moved outward, and the edges. */
static int add_thick(report_shape *shape, double corners[3][3], double radius, bool round)
{
    double u[3], v[3], normal[3], moved[2][3][3];
    for (int i = 0; i < 3; i++) {
        u[i] = corners[1][i] - corners[0][i];
        v[i] = corners[2][i] - corners[0][i];
    }
    cross(u, v, normal);
    const int flat = normalise(normal) > 0;
    for (int k = 0; k < 9; k++) {
        moved[0][k / 3][k % 3] = corners[k / 3][k % 3] + radius * normal[k % 3];
        moved[1][k / 3][k % 3] = corners[k / 3][k % 3] - radius * normal[k % 3];
    }
    int added = !flat || (add(shape, moved[0][0], moved[0][1], moved[0][2]) &&
                          add(shape, moved[1][0], moved[1][2], moved[1][1]));
    for (int k = 0; k < 3 && added && (round || !flat); k++) {
        added = add_round(shape, corners[k], corners[(k + 1) % 3], radius, false);
    }
    return added;
}

static int same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static int add_triangle(report_shape *shape, double corners[3][3], double radius, const tumble_model_info *info)
{
    if (!(radius > 0)) {
        return add(shape, corners[0], corners[1], corners[2]);
    }
    if (same(corners[0], corners[1]) || same(corners[1], corners[2])) {
        return add_round(shape, corners[0], corners[2], radius, info->has_flat_ends);
    }
    if (same(corners[0], corners[2])) {
        return add_round(shape, corners[0], corners[1], radius, info->has_flat_ends);
    }
    return add_thick(shape, corners, radius, info->triangle_count <= MOST_ROUND);
}

tumble_status report_shape_make(const tumble_model *model, int sides, report_shape *out)
{
    *out = (report_shape){.sides = sides};
    tumble_model_info info;
    tumble_status status = tumble_model_get_info(model, &info);
    const bool thick = status == TUMBLE_OK && (info.radius > 0 || info.has_radii);
    out->closed = status == TUMBLE_OK && info.closed && !thick;
    for (uint32_t i = 0; status == TUMBLE_OK && i < info.triangle_count; i++) {
        double corners[3][3], radius = 0;
        uint32_t polygon = 0;
        status = tumble_model_triangle(model, i, corners, &polygon);
        if (status == TUMBLE_OK && thick) {
            status = tumble_model_radius(model, polygon, &radius);
        }
        out->polygon = polygon;
        if (status == TUMBLE_OK && !add_triangle(out, corners, radius, &info)) {
            status = TUMBLE_ERROR_MEMORY;
        }
    }
    return status;
}

void report_shape_release(report_shape *shape)
{
    free(shape->corners);
    free(shape->polygons);
    *shape = (report_shape){0};
}
