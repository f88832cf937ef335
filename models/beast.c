/* Animals: limbs of round sections that blend into one smooth, closed surface.
 *
 * The body is the set of points at which a function is negative: the distance from the limbs, with soft transitions. A
 * grid is laid over it whose cubes are cut into six tetrahedra each; the surface in a tetrahedron is one triangle or
 * two (A. Doi, A. Koide, IEICE Transactions E74, 1991), and closed without exceptions. Then the points are evened out
 * along the surface. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_parts.h"

/* From one ball to another; with `pair` there is one on each side, y and -y. */
typedef struct limb {
    double from[3], from_radius, to[3], to_radius;
    int pair;
} limb;

static const limb horse[] = {{{-0.5, 0, 1.16}, 0.29, {0.4, 0, 1.14}, 0.29, 0},
                             {{-0.58, 0, 1.2}, 0.27, {-0.74, 0, 1.16}, 0.21, 0},
                             {{0.45, 0, 1.16}, 0.27, {0.62, 0, 1.24}, 0.19, 0},
                             {{0.58, 0, 1.32}, 0.19, {0.98, 0, 1.76}, 0.11, 0},
                             {{1.0, 0, 1.8}, 0.115, {1.32, 0, 1.54}, 0.065, 0},
                             {{1.04, 0, 1.7}, 0.1, {1.2, 0, 1.58}, 0.06, 0},
                             {{1.31, 0, 1.54}, 0.07, {1.36, 0, 1.49}, 0.062, 0},
                             {{0.98, 0.07, 1.88}, 0.045, {0.97, 0.1, 2.04}, 0.03, 1},
                             {{0.5, 0, 1.5}, 0.05, {0.9, 0, 1.89}, 0.045, 0},
                             {{0.43, 0.15, 1.02}, 0.15, {0.47, 0.15, 0.66}, 0.07, 1},
                             {{0.47, 0.15, 0.64}, 0.07, {0.46, 0.15, 0.22}, 0.046, 1},
                             {{0.46, 0.15, 0.2}, 0.052, {0.5, 0.15, 0.08}, 0.055, 1},
                             {{0.5, 0.15, 0.06}, 0.07, {0.53, 0.15, 0.06}, 0.066, 1},
                             {{-0.62, 0.15, 1.06}, 0.2, {-0.56, 0.16, 0.74}, 0.11, 1},
                             {{-0.57, 0.16, 0.74}, 0.1, {-0.75, 0.16, 0.54}, 0.068, 1},
                             {{-0.75, 0.16, 0.54}, 0.066, {-0.71, 0.16, 0.2}, 0.048, 1},
                             {{-0.71, 0.16, 0.2}, 0.052, {-0.67, 0.16, 0.08}, 0.055, 1},
                             {{-0.67, 0.16, 0.06}, 0.07, {-0.64, 0.16, 0.06}, 0.066, 1},
                             {{-0.86, 0, 1.28}, 0.06, {-1.02, 0, 1.1}, 0.075, 0},
                             {{-1.02, 0, 1.1}, 0.075, {-1.05, 0, 0.62}, 0.05, 0},
                             {{-1.05, 0, 0.62}, 0.05, {-1.02, 0, 0.5}, 0.03, 0}};

static const limb dinosaur[] = {
    {{-0.05, 0, 1.5}, 0.39, {0.45, 0, 1.72}, 0.33, 0},         {{-0.1, 0, 1.5}, 0.38, {-0.4, 0, 1.52}, 0.31, 0},
    {{-0.4, 0, 1.52}, 0.3, {-1.1, 0, 1.42}, 0.19, 0},          {{-1.1, 0, 1.42}, 0.19, {-1.8, 0, 1.38}, 0.11, 0},
    {{-1.8, 0, 1.38}, 0.11, {-2.5, 0, 1.5}, 0.055, 0},         {{0.55, 0, 1.8}, 0.26, {0.95, 0, 2.16}, 0.2, 0},
    {{1.0, 0, 2.26}, 0.21, {1.42, 0, 2.22}, 0.15, 0},          {{1.42, 0, 2.22}, 0.15, {1.68, 0, 2.18}, 0.11, 0},
    {{1.02, 0, 2.1}, 0.14, {1.52, 0, 1.92}, 0.07, 0},          {{1.12, 0.12, 2.4}, 0.06, {1.28, 0.1, 2.37}, 0.05, 1},
    {{-0.15, 0.24, 1.42}, 0.26, {0.14, 0.29, 0.96}, 0.16, 1},  {{0.14, 0.29, 0.96}, 0.15, {-0.22, 0.29, 0.5}, 0.09, 1},
    {{-0.22, 0.29, 0.5}, 0.085, {-0.06, 0.29, 0.13}, 0.08, 1}, {{-0.04, 0.29, 0.1}, 0.08, {0.26, 0.29, 0.06}, 0.06, 1},
    {{-0.04, 0.31, 0.1}, 0.07, {0.19, 0.43, 0.06}, 0.055, 1},  {{-0.04, 0.27, 0.1}, 0.07, {0.19, 0.16, 0.06}, 0.055, 1},
    {{-0.08, 0.29, 0.13}, 0.06, {-0.2, 0.29, 0.08}, 0.05, 1},  {{0.52, 0.24, 1.48}, 0.09, {0.68, 0.28, 1.26}, 0.065, 1},
    {{0.68, 0.28, 1.26}, 0.065, {0.86, 0.25, 1.3}, 0.055, 1},  {{0.86, 0.25, 1.3}, 0.055, {0.95, 0.2, 1.24}, 0.05, 1}};

typedef struct body {
    const limb *limbs;
    size_t count;
    double lower[3], upper[3];
} body;

static const body bodies[] = {{horse, sizeof horse / sizeof *horse, {-1.25, -0.6, -0.1}, {1.55, 0.6, 2.2}},
                              {dinosaur, sizeof dinosaur / sizeof *dinosaur, {-2.65, -0.65, -0.1}, {1.9, 0.65, 2.6}}};

/* ---- The function ---- */

static double limb_distance(const limb *l, const double p[3])
{
    double along = 0, square = 0, out = 0;
    for (int k = 0; k < 3; k++) {
        along += (p[k] - l->from[k]) * (l->to[k] - l->from[k]);
        square += (l->to[k] - l->from[k]) * (l->to[k] - l->from[k]);
    }
    const double t = fmin(1, fmax(0, along / square));
    for (int k = 0; k < 3; k++) {
        const double off = p[k] - (l->from[k] + t * (l->to[k] - l->from[k]));
        out += off * off;
    }
    return sqrt(out) - (l->from_radius + t * (l->to_radius - l->from_radius));
}

/* The smaller of two numbers, with a soft transition where they differ by less than `blend`. */
static double soft_least(double a, double b, double blend)
{
    const double close = fmax(0, blend - fabs(a - b));
    return fmin(a, b) - close * close / (4 * blend);
}

static double body_distance(const body *b, const double p[3])
{
    double least = INFINITY;
    const double mirrored[3] = {p[0], fabs(p[1]), p[2]};
    for (size_t i = 0; i < b->count; i++) {
        const double distance = limb_distance(&b->limbs[i], b->limbs[i].pair ? mirrored : p);
        const double radius = fmin(b->limbs[i].from_radius, b->limbs[i].to_radius);
        least = least < INFINITY ? soft_least(least, distance, 0.02 + 0.5 * radius) : distance;
    }
    return least;
}

/* ---- The grid ---- */

typedef struct field {
    models_mesh *mesh;
    const body *body;
    uint32_t size[3]; /* points along each axis */
    double cell;
    float *values;
    uint32_t *numbers; /* 1 + the mesh's point on each of seven edges of a grid point, or 0 */
} field;

static size_t grid_index(const field *f, const uint32_t at[3])
{
    return at[0] + (size_t)f->size[0] * (at[1] + (size_t)f->size[1] * at[2]);
}

static void grid_point(const field *f, const uint32_t at[3], double point[3])
{
    for (int k = 0; k < 3; k++) {
        point[k] = f->body->lower[k] + f->cell * at[k];
    }
}

static int sample(field *f)
{
    size_t count = 1;
    for (int k = 0; k < 3; k++) {
        f->size[k] = (uint32_t)((f->body->upper[k] - f->body->lower[k]) / f->cell) + 2;
        count *= f->size[k];
    }
    f->values = models_allocate(f->mesh, count, sizeof *f->values);
    f->numbers = models_allocate(f->mesh, 7 * count, sizeof *f->numbers);
    for (size_t i = 0; !f->mesh->failed && i < count; i++) {
        const uint32_t at[3] = {(uint32_t)(i % f->size[0]), (uint32_t)(i / f->size[0] % f->size[1]),
                                (uint32_t)(i / f->size[0] / f->size[1])};
        double point[3];
        grid_point(f, at, point);
        const float value = (float)body_distance(f->body, point);
        f->values[i] = value == 0 ? 1e-7f : value;
    }
    return !f->mesh->failed;
}

/* The mesh's point on the edge between two grid points, of which the second has no smaller coordinate. */
static uint32_t edge_point(field *f, const uint32_t from[3], const uint32_t to[3])
{
    const uint32_t direction = (to[0] - from[0]) + 2 * (to[1] - from[1]) + 4 * (to[2] - from[2]);
    uint32_t *number = &f->numbers[7 * grid_index(f, from) + direction - 1];
    if (!*number) {
        const double a = f->values[grid_index(f, from)], b = f->values[grid_index(f, to)];
        const double share = fmin(0.9, fmax(0.1, a / (a - b)));
        double p[3], q[3];
        grid_point(f, from, p);
        grid_point(f, to, q);
        *number = 1 + models_point(f->mesh, p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]),
                                   p[2] + share * (q[2] - p[2]));
    }
    return *number - 1;
}

/* The surface in a tetrahedron whose corners grow from each to the next. `odd`: they form a left-handed frame. */
static void add_tetrahedron(field *f, uint32_t corners[4][3], int odd)
{
    int inside[4] = {0}, outside[4] = {0}, in = 0, out = 0;
    for (int i = 0; i < 4; i++) {
        if (f->values[grid_index(f, corners[i])] < 0) {
            inside[in++] = i;
        } else {
            outside[out++] = i;
        }
    }
    uint32_t points[4];
    int count = 0;
    for (int i = 0; i < in; i++) {
        for (int j = 0; j < out; j++) { /* the four of two and two go round when the second row is turned */
            const int other = outside[i ? out - 1 - j : j], low = inside[i] < other ? inside[i] : other;
            points[count++] = edge_point(f, corners[low], corners[inside[i] + other - low]);
        }
    }
    if (count == 0) {
        return;
    }
    /* an even order of inside before outside looks out one way, an odd one the other */
    int swaps = 0;
    for (int i = 0; i < in; i++) {
        swaps += inside[i] - i;
    }
    const int turned = (swaps + odd) % 2;
    models_triangle(f->mesh, points[0], points[turned ? 2 : 1], points[turned ? 1 : 2]);
    if (count == 4) {
        models_triangle(f->mesh, points[0], points[turned ? 3 : 2], points[turned ? 2 : 3]);
    }
}

static void add_cube(field *f, const uint32_t at[3])
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int i = 0; i < 6; i++) {
        uint32_t corners[4][3];
        memcpy(corners[0], at, sizeof corners[0]);
        for (int k = 0; k < 3; k++) {
            memcpy(corners[k + 1], corners[k], sizeof corners[k]);
            corners[k + 1][orders[i][k]]++;
        }
        add_tetrahedron(f, corners, i >= 3);
    }
}

static void make_surface(models_mesh *mesh, const body *b, double cell)
{
    field f = {.mesh = mesh, .body = b, .cell = cell};
    if (sample(&f)) {
        for (uint32_t k = 0; k + 1 < f.size[2]; k++) {
            for (uint32_t j = 0; j + 1 < f.size[1]; j++) {
                for (uint32_t i = 0; i + 1 < f.size[0]; i++) {
                    add_cube(&f, (const uint32_t[3]){i, j, k});
                }
            }
        }
    }
    free(f.values);
    free(f.numbers);
}

/* ---- Evening out ---- */

/* Down the slope of the function to where it is 0. */
static void pull_to_surface(const body *b, double p[3])
{
    const double step = 1e-5;
    for (int round = 0; round < 2; round++) {
        const double value = body_distance(b, p);
        double slope[3], square = 0;
        for (int k = 0; k < 3; k++) {
            double beside[3] = {p[0], p[1], p[2]};
            beside[k] += step;
            slope[k] = (body_distance(b, beside) - value) / step;
            square += slope[k] * slope[k];
        }
        for (int k = 0; k < 3; k++) {
            p[k] -= value * slope[k] / fmax(square, 0.1);
        }
    }
}

/* Every point goes to the middle of its neighbours and back to the surface, some times over. */
static void even_out(models_mesh *mesh, const body *b, int rounds)
{
    double *sums = models_allocate(mesh, 3 * mesh->point_count, sizeof *sums);
    uint32_t *counts = models_allocate(mesh, mesh->point_count, sizeof *counts);
    for (int round = 0; !mesh->failed && round < rounds; round++) {
        memset(sums, 0, 3 * mesh->point_count * sizeof *sums);
        memset(counts, 0, mesh->point_count * sizeof *counts);
        for (size_t i = 0; i < mesh->index_count; i++) { /* each edge is met twice, once from each end */
            const uint32_t from = mesh->indices[i], to = mesh->indices[i % 3 < 2 ? i + 1 : i - 2];
            counts[from]++;
            for (size_t k = 0; k < 3; k++) {
                sums[3 * (size_t)from + k] += mesh->points[3 * (size_t)to + k];
            }
        }
        for (size_t i = 0; i < mesh->point_count; i++) {
            double *p = &mesh->points[3 * i];
            for (size_t k = 0; k < 3; k++) {
                p[k] = 0.3 * p[k] + 0.7 * sums[3 * i + k] / counts[i];
            }
            pull_to_surface(b, p);
        }
    }
    free(sums);
    free(counts);
}

/* Triangles grow as the inverse square of the cell; the last few percent come from cut edges. */
int models_make_beast(models_mesh *mesh, models_beast beast, size_t triangles)
{
    const body *b = &bodies[beast];
    double cell = 0.1;
    memset(mesh, 0, sizeof *mesh);
    if (triangles % 2) {
        return 0;
    }
    for (int tries = 0; tries < 20; tries++) {
        models_free(mesh);
        make_surface(mesh, b, cell);
        const double share = (double)mesh->polygon_count / (double)triangles;
        if (mesh->failed || (share > 0.95 && share <= 1)) {
            break;
        }
        cell *= sqrt(share / 0.98);
    }
    even_out(mesh, b, 12);
    if (!models_split_to(mesh, triangles)) {
        models_free(mesh);
        return 0;
    }
    models_round_to_float(mesh);
    return 1;
}
