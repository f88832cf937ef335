/* Shapes: few polygons that share corners, edges and planes within a model and between the two. */
#include <math.h>
#include <string.h>

#include "make.h"

/* What polygons are drawn from. */
typedef struct pool {
    test_random *random;
    torture_grain grain;
    double points[8][3];
    int flat; /* in one plane: this axis is a constant, or 3: it depends on the others */
    double constant;
    double shared, degenerate; /* how often */
    uint32_t surfaces;
} pool;

static void flatten(const pool *p, double point[3])
{
    if (p->flat >= 0 && p->flat < 3) {
        point[p->flat] = p->constant;
    } else if (p->flat == 3) {
        point[2] = isfinite(point[0] - point[1]) ? point[0] - point[1] : 0;
    }
}

static void draw_point(pool *p, double point[3])
{
    if (torture_chance(p->random, p->shared)) {
        memcpy(point, p->points[torture_pick(p->random, 8)], sizeof p->points[0]);
    } else {
        torture_make_point(&p->grain, p->random, point);
        flatten(p, point);
    }
}

static const double (*any_polygon(pool *p, const torture_shape *shapes, uint32_t *size))[3]
{
    const torture_shape *from = &shapes[torture_pick(p->random, 2)];
    if (from->polygon_count == 0) {
        return NULL;
    }
    const torture_polygon *polygon = &from->polygons[torture_pick(p->random, (uint32_t)from->polygon_count)];
    *size = polygon->size;
    return &from->corners[polygon->first];
}

static void set_middle(double out[3], const double x[3], const double y[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = x[axis] / 2 + y[axis] / 2;
    }
}

/* Takes something over from a polygon that is there: an edge, a point within it, the whole, a neighbouring number. */
static void lean_on(pool *p, double corners[3][3], const double (*other)[3], uint32_t size)
{
    const uint32_t at = torture_pick(p->random, size), next = (at + 1) % size;
    double middle[3];
    switch (torture_pick(p->random, 6)) {
    case 0:
        memcpy(corners[0], other[at], sizeof corners[0]);
        memcpy(corners[1], other[next], sizeof corners[1]);
        break;
    case 1: memcpy(corners[0], other[at], sizeof corners[0]); break;
    case 2: set_middle(corners[0], other[at], other[next]); break;
    case 3:
        set_middle(middle, other[at], other[next]);
        set_middle(corners[0], middle, other[(at + 2) % size]);
        break;
    case 4: memcpy(corners, other, 3 * sizeof corners[0]); break;
    default:
        memcpy(corners, other, 3 * sizeof corners[0]);
        for (int i = 0; i < 9; i++) {
            corners[i / 3][i % 3] = test_step_ulps(corners[i / 3][i % 3], test_random_whole(p->random, -1, 1));
        }
    }
}

static void degenerate(pool *p, double corners[3][3])
{
    switch (torture_pick(p->random, 3)) {
    case 0: memcpy(corners[1], corners[0], sizeof corners[0]); break;
    case 1: set_middle(corners[1], corners[0], corners[2]); break;
    default: memcpy(corners[1], corners[0], sizeof corners[0]); memcpy(corners[2], corners[0], sizeof corners[0]);
    }
}

static uint32_t draw_surface(pool *p)
{
    static const uint32_t ids[] = {0, 1, 7, UINT32_MAX, 2, 3};
    return ids[torture_pick(p->random, p->surfaces)];
}

static void add_triangle(pool *p, torture_shape *shapes, int side)
{
    double corners[3][3];
    uint32_t size = 0;
    for (int i = 0; i < 3; i++) {
        draw_point(p, corners[i]);
    }
    const double(*other)[3] = torture_chance(p->random, p->shared) ? any_polygon(p, shapes, &size) : NULL;
    if (other) {
        lean_on(p, corners, other, size);
    }
    if (torture_chance(p->random, p->degenerate)) {
        degenerate(p, corners);
    }
    if (p->grain.kind == TORTURE_GRAIN_POLYGONS) {
        p->grain.exponent = test_random_whole(p->random, -1074, 1020);
    }
    torture_add_polygon(&shapes[side], (const double(*)[3])corners, 3, draw_surface(p));
}

/* A parallelogram, or a pentagon with a dent. */
static void add_polygon(pool *p, torture_shape *shape)
{
    double corners[5][3], u[3], v[3];
    draw_point(p, corners[0]);
    torture_make_point(&p->grain, p->random, u);
    torture_make_point(&p->grain, p->random, v);
    const uint32_t size = torture_chance(p->random, 0.5) ? 4 : 5;
    for (int axis = 0; axis < 3; axis++) {
        const double o = corners[0][axis];
        corners[1][axis] = o + u[axis];
        corners[2][axis] = o + u[axis] + v[axis];
        corners[3][axis] = size == 4 ? o + v[axis] : o + u[axis] / 4 + v[axis] / 4;
        corners[4][axis] = o + v[axis];
    }
    for (int i = 0; i < 15; i++) {
        if (!isfinite(corners[i / 3][i % 3])) {
            return;
        }
    }
    torture_add_polygon(shape, (const double(*)[3])corners, size, draw_surface(p));
}

/* ---- Solids ---- */

static void add_faces(pool *p, torture_shape *shape, const double (*points)[3], const unsigned char (*faces)[3],
                      size_t count)
{
    const uint32_t surface = draw_surface(p);
    for (size_t i = 0; i < count; i++) {
        double corners[3][3];
        for (int k = 0; k < 3; k++) {
            memcpy(corners[k], points[faces[i][k]], sizeof corners[k]);
        }
        torture_add_polygon(shape, (const double(*)[3])corners, 3, surface);
    }
}

static void add_tetrahedron(pool *p, torture_shape *shape)
{
    static const unsigned char faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    double points[4][3];
    for (int i = 0; i < 4; i++) {
        draw_point(p, points[i]);
    }
    add_faces(p, shape, (const double(*)[3])points, faces, 4);
}

static void add_box(pool *p, torture_shape *shape)
{
    static const unsigned char faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                               {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    double points[8][3], low[3], high[3];
    draw_point(p, low);
    torture_make_point(&p->grain, p->random, high);
    for (int i = 0; i < 24; i++) {
        points[i / 3][i % 3] = i / 3 >> i % 3 & 1 ? high[i % 3] : low[i % 3];
    }
    add_faces(p, shape, (const double(*)[3])points, faces, 12);
}

static void add_solid(pool *p, torture_shape *shape)
{
    if (torture_chance(p->random, 0.5)) {
        add_box(p, shape);
    } else {
        add_tetrahedron(p, shape);
    }
}

/* Long thin triangles one above the other: with another such model turned by a quarter, many meet many. */
static void add_comb(pool *p, torture_shape *shape, uint32_t count, int along)
{
    const double step = ldexp(1, -test_random_whole(p->random, 0, 20));
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3] = {{0}};
        for (int k = 0; k < 3; k++) {
            corners[k][along] = k == 1 ? 2 : -2;
            corners[k][1 - along] = step * i;
            corners[k][2] = k == 2 ? 0.5 : -0.5;
        }
        torture_add_polygon(shape, (const double(*)[3])corners, 3, draw_surface(p));
    }
}

static void add_combs(pool *p, torture_shape shapes[2])
{
    const uint32_t few = 4 + torture_pick(p->random, 40), many = 370 + torture_pick(p->random, 30);
    const uint32_t count = torture_chance(p->random, 0.2) ? many : few; /* many: chunks of results are full */
    add_comb(p, &shapes[0], count, 0);
    add_comb(p, &shapes[1], count, 1);
}

/* Triangles that face each other at gaps that halve from step to step: floats cannot tell which are the nearest. */
static void add_stairs(pool *p, torture_shape shapes[2], uint32_t count)
{
    const int first = test_random_whole(p->random, 4, 20), is_regular = torture_chance(p->random, 0.3);
    const double spread = is_regular ? 0 : 1;
    for (uint32_t i = 0; i < count; i++) {
        const double x = 1.5 * i + spread * test_random_unit(p->random), y = spread * test_random_unit(p->random);
        const double z = spread * test_random_range(p->random, -1, 1);
        const double above = z + ldexp(1, -first - (int)(i % 20));
        const double steps[2][3][3] = {{{x, y, z}, {x + 1, y, z}, {x, y + 1, z}},
                                       {{x, y, above}, {x + 1, y, above}, {x, y + 1, above}}};
        torture_add_polygon(&shapes[0], steps[0], 3, 0);
        torture_add_polygon(&shapes[1], steps[1], 3, 0);
    }
}

/* A ball: a grid on each face of a cube, moved out to the sphere. */
static void add_ball(torture_shape *shape, uint32_t grid, double radius, const double centre[3])
{
    for (uint32_t i = 0; i < 6 * grid * grid; i++) {
        const int axis = (int)(i % 6 / 2), sign = i % 2 ? 1 : -1;
        const uint32_t u = i / 6 % grid, v = i / 6 / grid;
        double square[4][3];
        for (uint32_t k = 0; k < 4; k++) {
            double *at = square[k];
            at[axis] = sign;
            at[(axis + 1) % 3] = 2.0 * (u + (k & 1)) / grid - 1;
            at[(axis + 2) % 3] = 2.0 * (v + (k >> 1)) / grid - 1;
            const double length = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
            for (int j = 0; j < 3; j++) {
                at[j] = centre[j] + radius * (at[j] / length);
            }
        }
        const double halves[2][3][3] = {{{square[0][0], square[0][1], square[0][2]},
                                         {square[1][0], square[1][1], square[1][2]},
                                         {square[3][0], square[3][1], square[3][2]}},
                                        {{square[0][0], square[0][1], square[0][2]},
                                         {square[3][0], square[3][1], square[3][2]},
                                         {square[2][0], square[2][1], square[2][2]}}};
        torture_add_polygon(shape, halves[0], 3, (uint32_t)axis);
        torture_add_polygon(shape, halves[1], 3, (uint32_t)axis);
    }
}

/* One in or beside the other: much is about as near as the nearest. */
static void add_balls(pool *p, torture_shape shapes[2])
{
    static const double radii[] = {0.9, 0.95, 0.99, 0.5, 1, 1.1, 0.1};
    double centre[3] = {0};
    const int is_fine = torture_chance(p->random, 0.2); /* then more pairs wait than a heap takes */
    const uint32_t least = is_fine ? 9 : 1, most = is_fine ? 10 : 6;
    const uint32_t first = least + torture_pick(p->random, most - least + 1),
                   second = is_fine ? first : least + torture_pick(p->random, most - least + 1);
    add_ball(&shapes[0], first, 1, centre);
    for (int k = 0; k < 3 && !is_fine; k++) {
        centre[k] = torture_chance(p->random, 0.3) ? 0 : test_random_range(p->random, -0.2, 0.2);
    }
    centre[0] += !is_fine && torture_chance(p->random, 0.3) ? 2 : 0;
    add_ball(&shapes[1], second, radii[torture_pick(p->random, is_fine ? 2 : 7)], centre);
}

/* ---- Both ---- */

static uint32_t draw_count(const pool *p)
{
    test_random *random = p->random;
    const double chance = test_random_unit(random);
    if (p->grain.kind >= TORTURE_GRAIN_POLYGONS) {
        return 1 + torture_pick(random, 3);
    }
    return chance < 0.6    ? 1 + torture_pick(random, 4)
           : chance < 0.9  ? 1 + torture_pick(random, 12)
           : chance < 0.99 ? 8 + torture_pick(random, 40)
                           : 50 + torture_pick(random, 100);
}

static void make_pool(pool *p, const torture_grain *grain, test_random *random)
{
    *p = (pool){.random = random, .grain = *grain, .flat = -1, .surfaces = 1 + torture_pick(random, 6)};
    p->shared = torture_chance(random, 0.3) ? 0 : test_random_unit(random);
    p->degenerate = torture_chance(random, 0.6) ? 0 : 0.4 * test_random_unit(random);
    if (torture_chance(random, 0.15)) {
        p->flat = test_random_whole(random, 0, 3);
        p->constant = torture_chance(random, 0.5) ? 0 : torture_make_number(grain, random, 2);
    }
    for (int i = 0; i < 8; i++) {
        torture_make_point(grain, random, p->points[i]);
        flatten(p, p->points[i]);
    }
}

static void fill_shape(pool *p, torture_shape *shapes, int side, double solids, double polygons)
{
    const uint32_t count = draw_count(p);
    while (shapes[side].polygon_count < count) {
        const size_t before = shapes[side].polygon_count;
        if (torture_chance(p->random, solids)) {
            add_solid(p, &shapes[side]);
        } else if (torture_chance(p->random, polygons)) {
            add_polygon(p, &shapes[side]);
        }
        if (shapes[side].polygon_count == before) {
            add_triangle(p, shapes, side);
        }
    }
}

void torture_make_shapes(torture_case *c, const torture_grain *grain, test_random *random)
{
    pool p;
    make_pool(&p, grain, random);
    const double solids = torture_chance(random, 0.7) ? 0 : test_random_unit(random) * test_random_unit(random) + 0.3;
    const double polygons = torture_chance(random, 0.85) ? 0 : 0.5;
    switch (torture_scene_of(c->seed)) {
    case TORTURE_SCENE_COMBS: add_combs(&p, c->shapes); return;
    case TORTURE_SCENE_STAIRS: add_stairs(&p, c->shapes, 4 + torture_pick(random, 40)); return;
    case TORTURE_SCENE_BALLS: add_balls(&p, c->shapes); return;
    default: break;
    }
    const int one = torture_chance(random, 0.004) ? (int)torture_pick(random, 2) : -1; /* the other stays empty */
    for (int side = 0; side < 2; side++) {
        if (side != one) {
            fill_shape(&p, c->shapes, side, solids, polygons);
        }
    }
}
