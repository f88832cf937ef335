/* Random shapes: soup, tetrahedra, needles, terrain, spikes. The same seed gives the same mesh. */
#include <math.h>

#include "build.h"

/* ---- Things strewn over a cube of side 1 ---- */

enum {
    SCATTER_DETAIL,
    SCATTER_SIZE,
    SCATTER_SEED
};

double models_count_soup(const double *values)
{
    return floor(values[SCATTER_DETAIL]);
}

static void random_point(models_random *random, double point[3])
{
    for (int k = 0; k < 3; k++) {
        point[k] = models_random_unit(random);
    }
}

static uint32_t point_near(models_mesh *mesh, const double centre[3], double size, models_random *random)
{
    double offset[3];
    random_point(random, offset);
    return models_point(mesh, centre[0] + size * (offset[0] - 0.5), centre[1] + size * (offset[1] - 0.5),
                        centre[2] + size * (offset[2] - 0.5));
}

void models_make_soup(models_mesh *mesh, const double *values)
{
    models_random random = {(uint64_t)values[SCATTER_SEED]};
    for (double i = 0; i < floor(values[SCATTER_DETAIL]) && !mesh->failed; i++) {
        double centre[3];
        uint32_t corners[3];
        random_point(&random, centre);
        for (int k = 0; k < 3; k++) {
            corners[k] = point_near(mesh, centre, values[SCATTER_SIZE], &random);
        }
        models_polygon(mesh, corners, 3);
    }
}

double models_count_tetrahedra(const double *values)
{
    return 4 * floor(values[SCATTER_DETAIL]);
}

void models_make_tetrahedra(models_mesh *mesh, const double *values)
{
    static const double corners[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const uint32_t faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    models_random random = {(uint64_t)values[SCATTER_SEED]};
    for (double i = 0; i < floor(values[SCATTER_DETAIL]) && !mesh->failed; i++) {
        const tumble_pose turn = models_random_rotation(&random);
        const uint32_t first = (uint32_t)mesh->point_count;
        double centre[3];
        random_point(&random, centre);
        for (int k = 0; k < 4; k++) {
            double at[3];
            for (int c = 0; c < 3; c++) {
                at[c] = centre[c] + values[SCATTER_SIZE] / 2 *
                                        (turn.m[c][0] * corners[k][0] + turn.m[c][1] * corners[k][1] +
                                         turn.m[c][2] * corners[k][2]);
            }
            models_point(mesh, at[0], at[1], at[2]);
        }
        for (int k = 0; k < 4; k++) {
            models_triangle(mesh, first + faces[k][0], first + faces[k][1], first + faces[k][2]);
        }
    }
}

/* Thin three-sided bars from one random point to another: boxes around them are as empty as can be. */
double models_count_needles(const double *values)
{
    return 8 * floor(values[SCATTER_DETAIL]);
}

static void make_needle(models_mesh *mesh, double size, models_random *random)
{
    double ends[2][3];
    random_point(random, ends[0]);
    random_point(random, ends[1]);
    const tumble_pose turn = models_random_rotation(random);
    const uint32_t first = (uint32_t)mesh->point_count;
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < 3; k++) { /* the origin and two axes of a random frame span the cross section */
            const double *at = ends[end];
            models_point(mesh, at[0] + (k ? size * turn.m[0][k] : 0), at[1] + (k ? size * turn.m[1][k] : 0),
                         at[2] + (k ? size * turn.m[2][k] : 0));
        }
    }
    double along = 0; /* the section turns left seen from the side to which turn's first axis points */
    for (int c = 0; c < 3; c++) {
        along += (ends[1][c] - ends[0][c]) * turn.m[c][0];
    }
    const uint32_t behind = along > 0 ? first : first + 3, ahead = along > 0 ? first + 3 : first;
    models_bridge(mesh, behind, ahead, 3);
    models_close_ring(mesh, behind, 3, 0);
    models_close_ring(mesh, ahead, 3, 1);
}

void models_make_needles(models_mesh *mesh, const double *values)
{
    models_random random = {(uint64_t)values[SCATTER_SEED]};
    for (double i = 0; i < floor(values[SCATTER_DETAIL]) && !mesh->failed; i++) {
        make_needle(mesh, values[SCATTER_SIZE], &random);
    }
}

/* ---- Height fields over the square from 0 to 1 ---- */

enum {
    FIELD_DETAIL,
    FIELD_HEIGHT,
    FIELD_SEED
};

static uint32_t field_columns(const double *values)
{
    return (uint32_t)fmax(1, floor(values[FIELD_DETAIL]));
}

static uint32_t field_rows(const double *values)
{
    return (uint32_t)fmax(1, floor(values[FIELD_DETAIL] + 0.5));
}

/* A number from -1 to 1 that belongs to a point of a lattice. */
static double lattice_value(uint64_t seed, int64_t x, int64_t y)
{
    models_random random = {seed ^ (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu};
    return 2 * models_random_unit(&random) - 1;
}

static double smooth(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

/* Lattice values, smoothly interpolated: K. Perlin, Improving noise, SIGGRAPH 2002 (the curve). */
static double value_noise(uint64_t seed, double x, double y)
{
    const double column = floor(x), row = floor(y), u = smooth(x - column), v = smooth(y - row);
    const int64_t i = (int64_t)column, j = (int64_t)row;
    const double a = lattice_value(seed, i, j), b = lattice_value(seed, i + 1, j);
    const double c = lattice_value(seed, i, j + 1), d = lattice_value(seed, i + 1, j + 1);
    const double low = a + (b - a) * u, high = c + (d - c) * u;
    return low + (high - low) * v;
}

static double fractal_height(uint64_t seed, double x, double y)
{
    double height = 0, weight = 0.5, frequency = 3;
    for (uint64_t octave = 0; octave < 8; octave++) {
        height += weight * value_noise(seed + octave * 0x632be59bd9b4e019u, x * frequency, y * frequency);
        weight *= 0.48;
        frequency *= 2;
    }
    return height;
}

double models_count_terrain(const double *values)
{
    return 2.0 * field_columns(values) * field_rows(values);
}

void models_make_terrain(models_mesh *mesh, const double *values)
{
    const uint32_t columns = field_columns(values), rows = field_rows(values);
    for (uint32_t j = 0; j <= rows && !mesh->failed; j++) {
        for (uint32_t i = 0; i <= columns; i++) {
            const double x = (double)i / columns, y = (double)j / rows;
            models_point(mesh, x, y, values[FIELD_HEIGHT] * fractal_height((uint64_t)values[FIELD_SEED], x, y));
        }
    }
    for (uint32_t j = 0; j < rows && !mesh->failed; j++) {
        for (uint32_t i = 0; i < columns; i++) {
            const uint32_t here = j * (columns + 1) + i, above = here + columns + 1;
            models_triangle(mesh, here, here + 1, above + 1);
            models_triangle(mesh, here, above + 1, above);
        }
    }
}

/* A floor with a pyramid of random height on every square. */
double models_count_spikes(const double *values)
{
    const double columns = field_columns(values), rows = field_rows(values);
    return 6 * columns * rows + 4 * (columns + rows);
}

typedef struct spikes {
    models_mesh *mesh;
    uint32_t columns, rows;
} spikes;

static uint32_t spikes_corner(const spikes *s, uint32_t column, uint32_t row, uint32_t top)
{
    return 2 * (row * (s->columns + 1) + column) + top;
}

static void spikes_points(const spikes *s, double thickness)
{
    for (uint32_t j = 0; j <= s->rows; j++) {
        for (uint32_t i = 0; i <= s->columns; i++) {
            models_point(s->mesh, (double)i / s->columns, (double)j / s->rows, -thickness);
            models_point(s->mesh, (double)i / s->columns, (double)j / s->rows, 0);
        }
    }
}

static void spikes_cell(const spikes *s, uint32_t i, uint32_t j, double height)
{
    const uint32_t square[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
    const uint32_t tip = models_point(s->mesh, (i + 0.5) / s->columns, (j + 0.5) / s->rows, height);
    uint32_t bottom[4];
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t *a = square[k], *b = square[(k + 1) % 4];
        models_triangle(s->mesh, spikes_corner(s, a[0], a[1], 1), spikes_corner(s, b[0], b[1], 1), tip);
        bottom[k] = spikes_corner(s, a[0], a[1], 0);
    }
    models_triangle(s->mesh, bottom[0], bottom[2], bottom[1]);
    models_triangle(s->mesh, bottom[0], bottom[3], bottom[2]);
}

static void spikes_wall(const spikes *s, uint32_t from, uint32_t to)
{
    models_triangle(s->mesh, from, to, to + 1);
    models_triangle(s->mesh, from, to + 1, from + 1);
}

void models_make_spikes(models_mesh *mesh, const double *values)
{
    const spikes s = {mesh, field_columns(values), field_rows(values)};
    models_random random = {(uint64_t)values[FIELD_SEED]};
    spikes_points(&s, values[FIELD_HEIGHT] / 10);
    for (uint32_t j = 0; j < s.rows && !mesh->failed; j++) {
        for (uint32_t i = 0; i < s.columns; i++) {
            spikes_cell(&s, i, j, values[FIELD_HEIGHT] * models_random_range(&random, 0.1, 1));
        }
    }
    for (uint32_t i = 0; i < s.columns; i++) {
        spikes_wall(&s, spikes_corner(&s, i, 0, 0), spikes_corner(&s, i + 1, 0, 0));
        spikes_wall(&s, spikes_corner(&s, i + 1, s.rows, 0), spikes_corner(&s, i, s.rows, 0));
    }
    for (uint32_t j = 0; j < s.rows; j++) {
        spikes_wall(&s, spikes_corner(&s, s.columns, j, 0), spikes_corner(&s, s.columns, j + 1, 0));
        spikes_wall(&s, spikes_corner(&s, 0, j + 1, 0), spikes_corner(&s, 0, j, 0));
    }
}
