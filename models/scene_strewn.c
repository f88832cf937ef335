/* Tetrahedra that do not touch one another, and the swept volume among them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene_parts.h"

/* ---- A grid of balls, to ask which are near ---- */

typedef struct ball_grid {
    double lower[3], cell;
    uint32_t size[3];
    uint32_t *heads; /* of each cell: 1 + the last ball put there */
    uint32_t *next;
    double (*centres)[3];
    size_t count;
} ball_grid;

static int make_grid(models_mesh *mesh, ball_grid *grid, const double lower[3], const double upper[3], double cell,
                     size_t most)
{
    const double largest = 200; /* cells along an axis */
    size_t cells = 1;
    grid->cell = cell;
    for (int k = 0; k < 3; k++) {
        grid->lower[k] = lower[k];
        grid->cell = fmax(grid->cell, (upper[k] - lower[k]) / largest);
    }
    for (int k = 0; k < 3; k++) {
        grid->size[k] = (uint32_t)((upper[k] - lower[k]) / grid->cell) + 1;
        cells *= grid->size[k];
    }
    grid->heads = models_allocate(mesh, cells, sizeof *grid->heads);
    grid->next = models_allocate(mesh, most, sizeof *grid->next);
    grid->centres = models_allocate(mesh, most, sizeof *grid->centres);
    grid->count = 0;
    return !mesh->failed;
}

static void free_grid(ball_grid *grid)
{
    free(grid->heads);
    free(grid->next);
    free(grid->centres);
}

static uint32_t cell_along(const ball_grid *grid, double at, int axis)
{
    const double cell = floor((at - grid->lower[axis]) / grid->cell);
    return cell < 0 ? 0 : cell >= grid->size[axis] ? grid->size[axis] - 1 : (uint32_t)cell;
}

static uint32_t *head_at(const ball_grid *grid, uint32_t i, uint32_t j, uint32_t k)
{
    return &grid->heads[i + (size_t)grid->size[0] * (j + (size_t)grid->size[1] * k)];
}

static void add_ball(ball_grid *grid, const double centre[3])
{
    uint32_t *head =
        head_at(grid, cell_along(grid, centre[0], 0), cell_along(grid, centre[1], 1), cell_along(grid, centre[2], 2));
    memcpy(grid->centres[grid->count], centre, sizeof grid->centres[0]);
    grid->next[grid->count] = *head;
    *head = (uint32_t)++grid->count;
}

/* Calls `visit` with the number of every ball whose centre is nearer than `reach` to a point, until it says stop.
 * Returns whether it did. */
static int visit_near(const ball_grid *grid, const double point[3], double reach,
                      int (*visit)(void *user, size_t ball, const double point[3]), void *user)
{
    uint32_t low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = cell_along(grid, point[k] - reach, k);
        high[k] = cell_along(grid, point[k] + reach, k);
    }
    for (uint32_t k = low[2]; k <= high[2]; k++) {
        for (uint32_t j = low[1]; j <= high[1]; j++) {
            for (uint32_t i = low[0]; i <= high[0]; i++) {
                for (uint32_t ball = *head_at(grid, i, j, k); ball; ball = grid->next[ball - 1]) {
                    const double *c = grid->centres[ball - 1];
                    const double x = c[0] - point[0], y = c[1] - point[1], z = c[2] - point[2];
                    if (x * x + y * y + z * z < reach * reach && visit(user, ball - 1, point)) {
                        return 1;
                    }
                }
            }
        }
    }
    return 0;
}

static int always(void *user, size_t ball, const double point[3])
{
    (void)user;
    (void)ball;
    (void)point;
    return 1;
}

/* ---- Tetrahedra ---- */

/* Corners on a sphere: those of a regular one, each moved by less than would make it flat. */
static void add_tetrahedron(models_mesh *mesh, const double centre[3], double radius, models_random *random)
{
    static const double corners[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const uint32_t faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    const tumble_pose turn = models_random_rotation(random);
    const uint32_t first = (uint32_t)mesh->point_count;
    for (int i = 0; i < 4; i++) {
        double corner[3], at[3], length = 0;
        for (int k = 0; k < 3; k++) {
            corner[k] = corners[i][k] + models_random_range(random, -0.6, 0.6);
            length += corner[k] * corner[k];
        }
        for (int k = 0; k < 3; k++) {
            corner[k] *= radius / sqrt(length);
        }
        tumble_pose_apply(&turn, corner, at);
        models_point(mesh, centre[0] + at[0], centre[1] + at[1], centre[2] + at[2]);
    }
    for (int i = 0; i < 4; i++) {
        models_triangle(mesh, first + faces[i][0], first + faces[i][1], first + faces[i][2]);
    }
}

/* Balls that do not touch are strewn at random; a place that is taken is given up for another one. */
void models_strew_tetrahedra(models_mesh *mesh, const models_strewn *strewn)
{
    ball_grid grid = {.heads = NULL};
    models_random random = {strewn->seed};
    size_t tries = 1000 * strewn->count;
    const double apart = 2.02 * strewn->radius; /* rounding to float moves corners by far less */
    if (make_grid(mesh, &grid, strewn->lower, strewn->upper, apart, strewn->count)) {
        while (grid.count < strewn->count && !mesh->failed) {
            double centre[3];
            mesh->failed |= !--tries; /* there is no room */
            for (int k = 0; k < 3; k++) {
                centre[k] = models_random_range(&random, strewn->lower[k], strewn->upper[k]);
            }
            if (!visit_near(&grid, centre, apart, always, NULL) &&
                (!strewn->clear || strewn->clear(strewn->user, centre, strewn->radius))) {
                add_ball(&grid, centre);
                add_tetrahedron(mesh, centre, strewn->radius, &random);
            }
        }
    }
    free_grid(&grid);
}

/* ---- The swept volume ----
 * Three crossed bars, 2 long and 0.1 thick, fly and turn at random within a box, in small strides of which the path
 * keeps one in SUBSTEPS. Then tetrahedra are strewn where they come close to the bars and touch them in none of the
 * strides, also not in those that the path passes over. */

enum {
    SWEPT_STEPS = 1000,
    SWEPT_SUBSTEPS = 32,
    SWEPT_TETRAHEDRA = 10000
};
static const double bar_length = 1, bar_width = 0.05; /* half of each */
static const double swept_box = 28;                   /* half its side */
static const double swept_gap = 0.004, swept_near = 0.8;

static void make_bars(models_mesh *mesh)
{
    for (int axis = 0; axis < 3; axis++) {
        double upper[3], lower[3];
        for (int k = 0; k < 3; k++) {
            /* each a little thinner than the one before, so that no two faces lie in one plane */
            upper[k] = k == axis ? bar_length : bar_width * (1 - 0.1 * axis);
            lower[k] = -upper[k];
        }
        models_add_aligned_box(mesh, lower, upper);
    }
}

typedef struct swept_volume {
    tumble_pose *strides;
    ball_grid grid; /* of the bars' centres */
    double nearest; /* found so far */
    double least;   /* no nearer is allowed */
    int of_hull;    /* than to the bars' convex hull, not to the bars */
} swept_volume;

/* At most the distance from the bars' convex hull, which lies in an octahedron. */
static double distance_from_hull(const double at[3])
{
    const double beyond = fabs(at[0]) + fabs(at[1]) + fabs(at[2]) - (bar_length + 2 * bar_width);
    return fmax(0, beyond) / sqrt(3);
}

static double distance_from_bars(const double at[3])
{
    double least = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double out = fmax(0, fabs(at[k]) - (k == axis ? bar_length : bar_width));
            square += out * out;
        }
        least = fmin(least, square);
    }
    return sqrt(least);
}

/* How far the point is from the nearest of the bars, for the flyer at a stride; the least of all strides is kept. */
static int come_nearer(void *user, size_t stride, const double point[3])
{
    swept_volume *swept = user;
    const tumble_pose *pose = &swept->strides[stride];
    double at[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            at[k] += pose->m[c][k] * (point[c] - pose->m[c][3]);
        }
    }
    swept->nearest = fmin(swept->nearest, (swept->of_hull ? distance_from_hull : distance_from_bars)(at));
    return swept->nearest < swept->least;
}

/* Near the bars at some time, and touching them never. */
static int is_beside(void *user, const double centre[3], double radius)
{
    swept_volume *swept = user;
    swept->nearest = INFINITY;
    swept->least = radius + swept_gap;
    return !visit_near(&swept->grid, centre, bar_length + 2 * bar_width + radius + swept_near, come_nearer, user) &&
           swept->nearest < radius + swept_near;
}

/* A new direction and spin now and then, as if it had bounced. */
static void fly_freely(swept_volume *swept, const models_billiard *billiard)
{
    models_flight flight = models_start_flight(billiard);
    models_random random = {billiard->seed + 1};
    models_random_place(&flight);
    for (size_t i = 0; i < (size_t)SWEPT_STEPS * SWEPT_SUBSTEPS; i++) {
        swept->strides[i] = models_next_place(&flight, models_random_unit(&random) < 0.1 / SWEPT_SUBSTEPS);
        add_ball(&swept->grid, flight.position);
    }
}

static int make_swept(models_scene *scene, int of_hull)
{
    const size_t strides = (size_t)SWEPT_STEPS * SWEPT_SUBSTEPS;
    const double inner = swept_box - bar_length - swept_near;
    const models_billiard billiard = {
        {-inner, -inner, -inner}, {inner, inner, inner}, 1.6 / SWEPT_SUBSTEPS, 1.0 / SWEPT_SUBSTEPS, 5,
        MODELS_BOUNCE_ASIDE};
    swept_volume swept = {.strides = models_allocate(&scene->environment, strides, sizeof *swept.strides),
                          .of_hull = of_hull};
    models_strewn strewn = {SWEPT_TETRAHEDRA,
                            {-swept_box, -swept_box, -swept_box},
                            {swept_box, swept_box, swept_box},
                            0.1,
                            3,
                            is_beside,
                            &swept};
    make_bars(&scene->flyer);
    scene->path = malloc(SWEPT_STEPS * sizeof *scene->path);
    if (scene->path && make_grid(&scene->environment, &swept.grid, strewn.lower, strewn.upper, 1, strides)) {
        fly_freely(&swept, &billiard);
        models_strew_tetrahedra(&scene->environment, &strewn);
        for (scene->path_length = 0; scene->path_length < SWEPT_STEPS; scene->path_length++) {
            scene->path[scene->path_length] = swept.strides[scene->path_length * SWEPT_SUBSTEPS];
        }
    }
    free_grid(&swept.grid);
    free(swept.strides);
    return scene->path && !scene->environment.failed && !scene->flyer.failed;
}

int models_make_swept(models_scene *scene)
{
    return make_swept(scene, 0);
}

int models_make_swept_hull(models_scene *scene)
{
    return make_swept(scene, 1);
}
