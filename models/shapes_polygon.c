/* Shapes from polygons with many corners: prism, plate with holes, shards. */
#include <math.h>
#include <stdlib.h>

#include "build.h"

/* ---- Prism: two polygons, a star when every other corner is drawn in, joined by quadrilaterals ---- */

enum {
    PRISM_DETAIL,
    PRISM_HEIGHT,
    PRISM_INNER
};

static uint32_t prism_corners(const double *values)
{
    const uint32_t corners = models_round(values[PRISM_DETAIL], 3);
    return values[PRISM_INNER] < 1 ? corners + corners % 2 : corners;
}

double models_count_prism(const double *values)
{
    const double corners = prism_corners(values);
    return 2 * (corners - 2) + 2 * corners;
}

static uint32_t prism_ring(models_mesh *mesh, uint32_t corners, double inner, double z)
{
    const uint32_t first = (uint32_t)mesh->point_count;
    for (uint32_t i = 0; i < corners; i++) {
        double direction[2];
        models_direction(i, corners, direction);
        const double radius = i % 2 ? inner : 1;
        models_point(mesh, radius * direction[0], radius * direction[1], z);
    }
    return first;
}

void models_make_prism(models_mesh *mesh, const double *values)
{
    const uint32_t corners = prism_corners(values);
    const uint32_t bottom = prism_ring(mesh, corners, values[PRISM_INNER], 0);
    const uint32_t top = prism_ring(mesh, corners, values[PRISM_INNER], values[PRISM_HEIGHT]);
    models_close_ring_polygon(mesh, bottom, corners, 0);
    for (uint32_t i = 0; i < corners; i++) {
        const uint32_t j = i + 1 < corners ? i + 1 : 0;
        models_quad(mesh, bottom + i, bottom + j, top + j, top + i);
    }
    models_close_ring_polygon(mesh, top, corners, 1);
}

/* ---- Plate: squares of side 1 with a round hole each. A face of a square is four concave polygons, each between a
 * side of the square and a quarter of the hole. ---- */

enum {
    PLATE_DETAIL,
    PLATE_SIDES,
    PLATE_HOLE,
    PLATE_THICKNESS
};

typedef struct plate {
    models_mesh *mesh;
    uint32_t columns, rows, quarter; /* points along a quarter of a hole */
    double hole, thickness;
} plate;

static plate plan_plate(models_mesh *mesh, const double *values)
{
    const double detail = values[PLATE_DETAIL], columns = floor(detail);
    const plate p = {mesh,
                     (uint32_t)columns,
                     models_round(detail * detail / columns, 1),
                     models_round(values[PLATE_SIDES] / 4, 1),
                     values[PLATE_HOLE],
                     values[PLATE_THICKNESS]};
    return p;
}

double models_count_plate(const double *values)
{
    const plate p = plan_plate(NULL, values);
    return (double)p.columns * p.rows * (2.0 * 4 * (p.quarter + 1) + 2.0 * 4 * p.quarter) + 4.0 * (p.columns + p.rows);
}

/* Points: first the grid's, bottom and top after each other, then the holes'. */
static uint32_t grid_point(const plate *p, uint32_t column, uint32_t row, uint32_t top)
{
    return 2 * (row * (p->columns + 1) + column) + top;
}

static void plate_points(const plate *p)
{
    for (uint32_t row = 0; row <= p->rows; row++) {
        for (uint32_t column = 0; column <= p->columns; column++) {
            models_point(p->mesh, column, row, 0);
            models_point(p->mesh, column, row, p->thickness);
        }
    }
}

/* The side of the square from corner a to b, and the quarter of the hole before it, walked backwards. */
static void plate_face(const plate *p, uint32_t a, uint32_t b, uint32_t hole, uint32_t side, uint32_t top)
{
    enum {
        MOST = 1024
    };
    uint32_t corners[MOST + 3], count = 0;
    corners[count++] = a;
    corners[count++] = b;
    for (uint32_t i = p->quarter + 1; i-- > 0;) {
        const uint32_t place = side * p->quarter + i;
        corners[count++] = hole + 2 * (place == 4 * p->quarter ? 0 : place) + top;
    }
    for (uint32_t i = 0; !top && i < count / 2; i++) {
        const uint32_t other = corners[i];
        corners[i] = corners[count - 1 - i];
        corners[count - 1 - i] = other;
    }
    models_polygon(p->mesh, corners, count);
}

static void plate_cell(const plate *p, uint32_t column, uint32_t row)
{
    static const uint32_t square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const uint32_t hole = (uint32_t)p->mesh->point_count, steps = 4 * p->quarter;
    for (uint32_t i = 0; i < steps; i++) {
        double direction[2];
        models_direction(2 * i + 5 * p->quarter, 2 * steps, direction); /* from the corner (0, 0) on */
        for (uint32_t top = 0; top < 2; top++) {
            models_point(p->mesh, column + 0.5 + p->hole * direction[0], row + 0.5 + p->hole * direction[1],
                         top ? p->thickness : 0);
        }
    }
    for (uint32_t side = 0; side < 4; side++) {
        const uint32_t *a = square[side], *b = square[(side + 1) % 4];
        for (uint32_t top = 0; top < 2; top++) {
            plate_face(p, grid_point(p, column + a[0], row + a[1], top), grid_point(p, column + b[0], row + b[1], top),
                       hole, side, top);
        }
    }
    for (uint32_t i = 0; i < steps; i++) {
        const uint32_t here = hole + 2 * i, next = hole + 2 * ((i + 1) % steps);
        models_quad(p->mesh, next, here, here + 1, next + 1);
    }
}

/* The plate's outer walls. */
static void plate_wall(const plate *p, uint32_t from, uint32_t to)
{
    models_quad(p->mesh, from, to, to + 1, from + 1);
}

void models_make_plate(models_mesh *mesh, const double *values)
{
    const plate p = plan_plate(mesh, values);
    plate_points(&p);
    for (uint32_t row = 0; row < p.rows; row++) {
        for (uint32_t column = 0; column < p.columns; column++) {
            plate_cell(&p, column, row);
        }
    }
    for (uint32_t i = 0; i < p.columns; i++) {
        plate_wall(&p, grid_point(&p, i, 0, 0), grid_point(&p, i + 1, 0, 0));
        plate_wall(&p, grid_point(&p, i + 1, p.rows, 0), grid_point(&p, i, p.rows, 0));
    }
    for (uint32_t i = 0; i < p.rows; i++) {
        plate_wall(&p, grid_point(&p, p.columns, i, 0), grid_point(&p, p.columns, i + 1, 0));
        plate_wall(&p, grid_point(&p, 0, i + 1, 0), grid_point(&p, 0, i, 0));
    }
}

/* ---- Shards: flat, mostly concave polygons strewn over a cube of side 1 ---- */

enum {
    SHARDS_DETAIL,
    SHARDS_CORNERS,
    SHARDS_SIZE,
    SHARDS_SEED
};

static uint32_t shard_corners(const double *values)
{
    return (uint32_t)values[SHARDS_CORNERS];
}

double models_count_shards(const double *values)
{
    return floor(values[SHARDS_DETAIL]) * (shard_corners(values) - 2);
}

static void make_shard(models_mesh *mesh, double (*circle)[2], uint32_t sides, double size, models_random *random)
{
    const tumble_pose turn = models_random_rotation(random);
    double centre[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = models_random_unit(random);
    }
    const uint32_t first = (uint32_t)mesh->point_count;
    for (uint32_t i = 0; i < sides; i++) {
        const double radius = size * models_random_range(random, 0.2, 1);
        const double x = radius * circle[i][0], y = radius * circle[i][1];
        models_point(mesh, centre[0] + (turn.m[0][0] * x + turn.m[0][1] * y),
                     centre[1] + (turn.m[1][0] * x + turn.m[1][1] * y),
                     centre[2] + (turn.m[2][0] * x + turn.m[2][1] * y));
    }
    models_close_ring_polygon(mesh, first, sides, 1);
}

void models_make_shards(models_mesh *mesh, const double *values)
{
    models_random random = {(uint64_t)values[SHARDS_SEED]};
    const uint32_t sides = shard_corners(values);
    double(*circle)[2] = models_circle(mesh, sides);
    for (double i = 0; i < floor(values[SHARDS_DETAIL]) && !mesh->failed; i++) {
        make_shard(mesh, circle, sides, values[SHARDS_SIZE], &random);
    }
    free(circle);
}
