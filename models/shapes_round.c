/* Round shapes: spheres, torus, knot, spring, cylinder, cone. */
#include <math.h>
#include <stdlib.h>

#include "build.h"

static const double axis_x[3] = {1, 0, 0}, axis_y[3] = {0, 1, 0};

/* ---- Sphere: a solid with equal triangles, each cut into n * n ---- */

typedef struct solid {
    uint32_t face_count, edge_count;
    double points[12][3];
    uint32_t faces[20][3];
} solid;

#define PHI 1.61803398874989484820

static const solid icosahedron = {20,
                                  30,
                                  {{-1, PHI, 0},
                                   {1, PHI, 0},
                                   {-1, -PHI, 0},
                                   {1, -PHI, 0},
                                   {0, -1, PHI},
                                   {0, 1, PHI},
                                   {0, -1, -PHI},
                                   {0, 1, -PHI},
                                   {PHI, 0, -1},
                                   {PHI, 0, 1},
                                   {-PHI, 0, -1},
                                   {-PHI, 0, 1}},
                                  {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                   {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                   {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};

static const solid octahedron = {
    8,
    12,
    {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
    {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};

static const solid tetrahedron = {
    4, 6, {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};

/* Whole details give icosahedra; in between, the solid that comes nearest in the number of triangles. */
static const solid *choose_solid(double detail, uint32_t *cuts)
{
    const solid *solids[3] = {&icosahedron, &octahedron, &tetrahedron}, *best = &icosahedron;
    double best_error = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double wanted = detail * sqrt(20.0 / solids[i]->face_count);
        const uint32_t n = models_round(wanted, 1);
        const double error = fabs(n / wanted - 1);
        if (error < best_error) {
            best = solids[i];
            best_error = error;
            *cuts = n;
        }
    }
    return best;
}

double models_count_sphere(const double *values)
{
    uint32_t cuts = 1;
    const solid *base = choose_solid(values[0], &cuts);
    return (double)base->face_count * cuts * cuts;
}

typedef struct sphere_builder {
    models_mesh *mesh;
    const solid *base;
    uint32_t cuts;
    uint32_t corners[12];   /* numbers of the solid's points */
    uint32_t edges[12][12]; /* for a < b: number of the first point between a and b */
    double radius;
} sphere_builder;

/* The point with weights (i, j, cuts - i - j) of three corners, pushed out to the sphere. */
static uint32_t sphere_point(sphere_builder *s, const uint32_t face[3], uint32_t i, uint32_t j)
{
    const double weights[3] = {(double)(s->cuts - i - j), i, j};
    double point[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            point[c] += weights[k] * s->base->points[face[k]][c];
        }
    }
    const double scale = s->radius / sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    return models_point(s->mesh, point[0] * scale, point[1] * scale, point[2] * scale);
}

static void sphere_edge(sphere_builder *s, uint32_t a, uint32_t b)
{
    if (a < b) {
        s->edges[a][b] = (uint32_t)s->mesh->point_count;
        for (uint32_t i = 1; i < s->cuts; i++) {
            sphere_point(s, (const uint32_t[3]){a, b, b}, i, 0);
        }
    }
}

/* Point i of the edge from a to b, which may be one of the ends. */
static uint32_t edge_point(const sphere_builder *s, uint32_t a, uint32_t b, uint32_t i)
{
    if (i == 0 || i == s->cuts) {
        return s->corners[i ? b : a];
    }
    return a < b ? s->edges[a][b] + i - 1 : s->edges[b][a] + s->cuts - i - 1;
}

/* Number of the point (i, j) of a face whose inner points start at `inner`. */
static uint32_t face_point(const sphere_builder *s, const uint32_t face[3], uint32_t inner, uint32_t i, uint32_t j)
{
    if (j == 0) {
        return edge_point(s, face[0], face[1], i);
    }
    if (i == 0) {
        return edge_point(s, face[0], face[2], j);
    }
    if (i + j == s->cuts) {
        return edge_point(s, face[1], face[2], j);
    }
    const uint64_t before =
        (uint64_t)(j - 1) * (2 * (uint64_t)s->cuts - j - 2) / 2; /* rows of cuts - 2, cuts - 3, ... */
    return inner + (uint32_t)before + i - 1;
}

static void sphere_face(sphere_builder *s, const uint32_t face[3])
{
    const uint32_t inner = (uint32_t)s->mesh->point_count;
    for (uint32_t j = 1; j < s->cuts; j++) {
        for (uint32_t i = 1; i + j < s->cuts; i++) {
            sphere_point(s, face, i, j);
        }
    }
    for (uint32_t j = 0; j < s->cuts; j++) {
        for (uint32_t i = 0; i + j < s->cuts; i++) {
            const uint32_t right = face_point(s, face, inner, i + 1, j), up = face_point(s, face, inner, i, j + 1);
            models_triangle(s->mesh, face_point(s, face, inner, i, j), right, up);
            if (i + j + 2 <= s->cuts) {
                models_triangle(s->mesh, right, face_point(s, face, inner, i + 1, j + 1), up);
            }
        }
    }
}

void models_make_sphere(models_mesh *mesh, const double *values)
{
    sphere_builder s = {.mesh = mesh, .radius = values[1]};
    s.base = choose_solid(values[0], &s.cuts);
    for (uint32_t i = 0; i < s.base->edge_count + 2 - s.base->face_count; i++) { /* Euler's formula */
        s.corners[i] = sphere_point(&s, (const uint32_t[3]){i, i, i}, 0, 0);
    }
    for (uint32_t i = 0; i < s.base->face_count; i++) {
        for (int k = 0; k < 3; k++) {
            sphere_edge(&s, s.base->faces[i][k], s.base->faces[i][(k + 1) % 3]);
        }
    }
    for (uint32_t i = 0; i < s.base->face_count; i++) {
        sphere_face(&s, s.base->faces[i]);
    }
}

/* ---- Sphere by meridians ---- */

double models_count_uvsphere(const double *values)
{
    return 2.0 * models_round(2 * values[0], 3) * (models_round(values[0], 2) - 1);
}

void models_make_uvsphere(models_mesh *mesh, const double *values)
{
    const uint32_t slices = models_round(2 * values[0], 3), stacks = models_round(values[0], 2);
    const double radius = values[1];
    double(*circle)[2] = models_circle(mesh, slices);
    if (!circle) {
        return;
    }
    const uint32_t south = models_point(mesh, 0, 0, -radius);
    uint32_t last = 0;
    for (uint32_t i = 1; i < stacks; i++) {
        double direction[2];
        models_direction(i, 2 * stacks, direction);
        const double centre[3] = {0, 0, -radius * direction[0]};
        const uint32_t ring = models_ring(mesh, circle, slices, centre, axis_x, axis_y, radius * direction[1]);
        if (i == 1) {
            models_close_ring_point(mesh, ring, slices, south, 0);
        } else {
            models_bridge(mesh, last, ring, slices);
        }
        last = ring;
    }
    models_close_ring_point(mesh, last, slices, models_point(mesh, 0, 0, radius), 1);
    free(circle);
}

/* ---- Tubes ---- */

/* A tube through `rings` rings whose centre and frame `frame` gives; it closes on itself or has flat ends. */
typedef void tube_frame(const double *values, uint32_t ring, uint32_t rings, double centre[3], double u[3],
                        double v[3]);

static void make_tube(models_mesh *mesh, const double *values, uint32_t rings, uint32_t sides, double radius,
                      int closed, tube_frame *frame)
{
    double(*circle)[2] = models_circle(mesh, sides);
    if (!circle) {
        return;
    }
    uint32_t first = 0, last = 0;
    for (uint32_t i = 0; i < rings; i++) {
        double centre[3], u[3], v[3];
        frame(values, i, rings, centre, u, v);
        const uint32_t ring = models_ring(mesh, circle, sides, centre, u, v, radius);
        if (i) {
            models_bridge(mesh, last, ring, sides);
        } else {
            first = ring;
        }
        last = ring;
    }
    if (closed) {
        models_bridge(mesh, last, first, sides);
    } else {
        models_close_ring(mesh, first, sides, 0);
        models_close_ring(mesh, last, sides, 1);
    }
    free(circle);
}

/* u and the unit tangent are perpendicular; v completes the frame, so that u x v is the tangent. */
static void complete_frame(const double u[3], double tangent[3], double v[3])
{
    models_normalise(tangent);
    models_cross(tangent, u, v);
}

/* Outward and down, whose cross product is the way round. */
static void torus_frame(const double *values, uint32_t ring, uint32_t rings, double centre[3], double u[3], double v[3])
{
    double direction[2];
    (void)values;
    models_direction(ring, rings, direction);
    for (int k = 0; k < 2; k++) {
        centre[k] = u[k] = direction[k];
        v[k] = 0;
    }
    centre[2] = u[2] = 0;
    v[2] = -1;
}

/* Rings for `detail` sides and `ratio` as many rings: made up for the rounding of the sides, so that sizes have no
 * gaps. */
static uint32_t rings_for(double detail, uint32_t sides, double ratio, uint32_t least)
{
    return models_round(detail * detail * ratio / sides, least);
}

static uint32_t tube_sides(const double *values)
{
    return models_round(values[0], 3);
}

static uint32_t torus_rings(const double *values)
{
    return rings_for(values[0], tube_sides(values), 1 / values[1], 3);
}

double models_count_torus(const double *values)
{
    return 2.0 * torus_rings(values) * tube_sides(values);
}

void models_make_torus(models_mesh *mesh, const double *values)
{
    make_tube(mesh, values, torus_rings(values), tube_sides(values), values[1], 1, torus_frame);
}

/* Knots lie on a torus, whose normal is a frame that closes without a twist. */
enum {
    KNOT_DETAIL,
    KNOT_AROUND,
    KNOT_THROUGH,
    KNOT_TUBE
};
static const double knot_minor = 0.4;

static void knot_frame(const double *values, uint32_t ring, uint32_t rings, double centre[3], double u[3], double v[3])
{
    const double around = values[KNOT_AROUND], through = values[KNOT_THROUGH];
    double a[2], b[2];
    models_direction((uint32_t)((uint64_t)ring * (uint64_t)around % rings), rings, a);
    models_direction((uint32_t)((uint64_t)ring * (uint64_t)through % rings), rings, b);
    const double distance = 1 + knot_minor * b[0];
    double tangent[3] = {-around * distance * a[1] - knot_minor * through * b[1] * a[0],
                         around * distance * a[0] - knot_minor * through * b[1] * a[1], knot_minor * through * b[0]};
    for (int k = 0; k < 2; k++) {
        centre[k] = distance * a[k];
        u[k] = b[0] * a[k];
    }
    centre[2] = knot_minor * b[1];
    u[2] = b[1];
    complete_frame(u, tangent, v);
}

static uint32_t knot_rings(const double *values)
{
    const double ratio = 0.6 * (values[KNOT_AROUND] + values[KNOT_THROUGH]) / values[KNOT_TUBE];
    return rings_for(values[KNOT_DETAIL], tube_sides(values), ratio, 8);
}

double models_count_knot(const double *values)
{
    return 2.0 * knot_rings(values) * tube_sides(values);
}

void models_make_knot(models_mesh *mesh, const double *values)
{
    make_tube(mesh, values, knot_rings(values), tube_sides(values), values[KNOT_TUBE], 1, knot_frame);
}

enum {
    SPRING_DETAIL,
    SPRING_TURNS,
    SPRING_PITCH,
    SPRING_WIRE
};

static void spring_frame(const double *values, uint32_t ring, uint32_t rings, double centre[3], double u[3],
                         double v[3])
{
    const double turns = values[SPRING_TURNS] * ring / (rings - 1), angle = MODELS_FULL_TURN * turns;
    u[0] = cos(angle);
    u[1] = sin(angle);
    u[2] = 0;
    centre[0] = u[0];
    centre[1] = u[1];
    centre[2] = values[SPRING_PITCH] * turns;
    double tangent[3] = {-u[1], u[0], values[SPRING_PITCH] / MODELS_FULL_TURN};
    complete_frame(u, tangent, v);
}

static uint32_t spring_rings(const double *values)
{
    const double ratio = values[SPRING_TURNS] / values[SPRING_WIRE] / 2;
    return rings_for(values[SPRING_DETAIL], tube_sides(values), ratio, 2);
}

double models_count_spring(const double *values)
{
    const uint32_t sides = tube_sides(values);
    return 2.0 * (spring_rings(values) - 1) * sides + 2.0 * (sides - 2);
}

void models_make_spring(models_mesh *mesh, const double *values)
{
    make_tube(mesh, values, spring_rings(values), tube_sides(values), values[SPRING_WIRE], 0, spring_frame);
}

/* ---- Cylinder and cone: their flat ends are polygons with as many corners as there are sides ---- */

static uint32_t rows_along(const double *values)
{
    return rings_for(values[0], tube_sides(values), values[1] / MODELS_FULL_TURN, 1);
}

double models_count_cylinder(const double *values)
{
    const double sides = tube_sides(values);
    return 2 * sides * rows_along(values) + 2 * (sides - 2);
}

double models_count_cone(const double *values)
{
    const double sides = tube_sides(values);
    return 2 * sides * (rows_along(values) - 1) + sides + (sides - 2);
}

/* Rings of radius 1 shrinking to `top`; returns the last one. */
static uint32_t make_wall(models_mesh *mesh, uint32_t sides, uint32_t rows, uint32_t rings, double height, double top)
{
    double(*circle)[2] = models_circle(mesh, sides);
    uint32_t last = 0;
    for (uint32_t i = 0; circle && i < rings; i++) {
        const double along = (double)i / rows, centre[3] = {0, 0, height * along};
        const uint32_t ring = models_ring(mesh, circle, sides, centre, axis_x, axis_y, 1 + (top - 1) * along);
        if (i) {
            models_bridge(mesh, last, ring, sides);
        } else {
            models_close_ring_polygon(mesh, ring, sides, 0);
        }
        last = ring;
    }
    free(circle);
    return last;
}

void models_make_cylinder(models_mesh *mesh, const double *values)
{
    const uint32_t sides = tube_sides(values), rows = rows_along(values);
    const uint32_t last = make_wall(mesh, sides, rows, rows + 1, values[1], 1);
    models_close_ring_polygon(mesh, last, sides, 1);
}

void models_make_cone(models_mesh *mesh, const double *values)
{
    const uint32_t sides = tube_sides(values), rows = rows_along(values);
    const uint32_t last = make_wall(mesh, sides, rows, rows, values[1], 0);
    models_close_ring_point(mesh, last, sides, models_point(mesh, 0, 0, values[1]), 1);
}
