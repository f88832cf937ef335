/* What runs along the open left wall and under the crown: ducts, pipes and cables with their clamps, and equipment. */
#include <math.h>
#include <stdlib.h>

#include "interior.h"

enum {
    DUCT_RINGS = 160,
    DUCT_SIDES = 20,
    BRANCH_RINGS = 44,
    BRANCH_SIDES = 14,
    PIPES = 26,
    PIPE_RINGS = 78,
    PIPE_SIDES = 10,
    RISERS = 8,
    RISER_RINGS = 40,
    MOST_RINGS = 192
};

static double degrees(double angle)
{
    return angle * MODELS_FULL_TURN / 360;
}

static double smooth_step(double t)
{
    t = fmin(1, fmax(0, t));
    return t * t * (3 - 2 * t);
}

/* ---- Ducts ---- */

/* A hose: every other ring is wider. */
static void add_hose(models_mesh *mesh, uint32_t sides, double (*centres)[3], uint32_t count, double radius)
{
    double radii[MOST_RINGS];
    double(*circle)[2] = models_circle(mesh, sides);
    for (uint32_t i = 0; i < count; i++) {
        radii[i] = radius * (i % 2 ? 1.05 : 0.97);
    }
    if (circle) {
        models_tube(mesh, circle, sides, centres, radii, count);
    }
    free(circle);
}

static void add_duct(models_mesh *mesh, double angle)
{
    double centres[MOST_RINGS][3];
    for (uint32_t i = 0; i < DUCT_RINGS; i++) {
        const double x = INTERIOR_LENGTH * (0.01 + 0.98 * i / (DUCT_RINGS - 1));
        interior_on_wall(x, angle + 0.01 * sin(5 * x), 1.68, centres[i]);
    }
    add_hose(mesh, DUCT_SIDES, centres, DUCT_RINGS, 0.095);
}

/* From a duct down to the wall beside the windows, between two frames. */
static void add_branch(models_mesh *mesh, double x, double from, double to)
{
    double centres[MOST_RINGS][3];
    for (uint32_t i = 0; i < BRANCH_RINGS; i++) {
        const double t = (double)i / (BRANCH_RINGS - 1);
        interior_on_wall(x + 0.16 * smooth_step(2 * t), from + (to - from) * t, 1.68 + 0.11 * smooth_step(2.5 * t),
                         centres[i]);
    }
    add_hose(mesh, BRANCH_SIDES, centres, BRANCH_RINGS, 0.034);
}

/* ---- Pipes ---- */

typedef struct pipe_run {
    double angle, distance, radius; /* where it starts, and its thickness */
    double jogs[3][3];              /* places along x, and by how much angle and distance change there */
} pipe_run;

static void pipe_centre(const pipe_run *run, double x, double centre[3])
{
    double angle = run->angle, distance = run->distance;
    for (int i = 0; i < 3; i++) {
        const double share = smooth_step((x - run->jogs[i][0]) / 0.14);
        angle += run->jogs[i][1] * share;
        distance += run->jogs[i][2] * share;
    }
    interior_on_wall(x, angle, distance, centre);
}

/* A band around a pipe, and the bracket that holds it to the frame. */
static void add_clamp(models_mesh *mesh, double (*circle)[2], const double centre[3], double radius, double angle)
{
    const double inner = radius * 0.98, outer = radius + 0.004, half = 0.008;
    const double places[4][2] = {{-half, outer}, {half, outer}, {half, inner}, {-half, inner}};
    static const double u[3] = {0, 1, 0}, v[3] = {0, 0, 1};
    uint32_t rings[4];
    for (int i = 0; i < 4; i++) {
        const double at[3] = {centre[0] + places[i][0], centre[1], centre[2]};
        rings[i] = models_ring(mesh, circle, 12, at, u, v, places[i][1]);
    }
    for (int i = 0; i < 4; i++) {
        models_bridge(mesh, rings[i], rings[(i + 1) % 4], 12);
    }
    const double c = cos(angle), s = sin(angle), reach = 0.03;
    double axes[3][3] = {{0.007, 0, 0}, {0, reach * c, reach * s}, {0, -0.003 * s, 0.003 * c}};
    const double middle[3] = {centre[0], centre[1] + (radius + reach) * c, centre[2] + (radius + reach) * s};
    models_add_box(mesh, middle, axes);
}

static void add_pipe(models_mesh *mesh, const pipe_run *run)
{
    double centres[MOST_RINGS][3], radii[MOST_RINGS];
    double(*circle)[2] = models_circle(mesh, PIPE_SIDES), (*band)[2] = models_circle(mesh, 12);
    for (uint32_t i = 0; i < PIPE_RINGS; i++) {
        pipe_centre(run, INTERIOR_LENGTH * i / (PIPE_RINGS - 1), centres[i]);
        radii[i] = run->radius;
    }
    if (circle && band) {
        models_tube(mesh, circle, PIPE_SIDES, centres, radii, PIPE_RINGS);
        for (int frame = 0; frame < INTERIOR_FRAMES; frame++) {
            double centre[3];
            pipe_centre(run, interior_frame_x(frame), centre);
            add_clamp(mesh, band, centre, run->radius, run->angle);
        }
    }
    free(circle);
    free(band);
}

/* Bundles on the left wall, thick and thin side by side; a third of them under the floor. */
static void add_pipes(models_mesh *mesh)
{
    static const double radii[5] = {0.02, 0.008, 0.012, 0.015, 0.006};
    models_random random = {21};
    for (int i = 0; i < PIPES; i++) {
        const double angle = i < 18 ? degrees(128 + 3.4 * i) : degrees(208 + 6 * (i - 18));
        pipe_run run = {angle, models_random_range(&random, 1.74, 1.79), radii[i % 5], {{0}}};
        for (int jog = 0; jog < 3; jog++) {
            run.jogs[jog][0] = models_random_range(&random, 0.3 + jog, 0.9 + jog);
            run.jogs[jog][1] = models_random_range(&random, -0.05, 0.05);
            run.jogs[jog][2] = models_random_range(&random, -0.02, 0.02);
        }
        add_pipe(mesh, &run);
    }
}

/* From below the floor up the wall, with a bend to the back at its end. */
static void add_riser(models_mesh *mesh, double x, double radius)
{
    double centres[MOST_RINGS][3], radii[MOST_RINGS];
    double(*circle)[2] = models_circle(mesh, PIPE_SIDES);
    for (uint32_t i = 0; i < RISER_RINGS; i++) {
        const double t = (double)i / (RISER_RINGS - 1);
        const double past = fmax(0, (t - 0.86) / 0.14);
        interior_on_wall(x + 0.2 * past * past, degrees(212 - 80 * (t - 0.04 * past * past)), 1.725, centres[i]);
        radii[i] = radius;
    }
    if (circle) {
        models_tube(mesh, circle, PIPE_SIDES, centres, radii, RISER_RINGS);
    }
    free(circle);
}

/* ---- Equipment ---- */

static void add_bolt(models_mesh *mesh, double (*hexagon)[2], const double at[3], const double axis[3])
{
    static const double head[][2] = {{0, 0.006}, {0.004, 0.006}, {0.005, 0.005}};
    models_turned(mesh, hexagon, 6, at, axis, head, 3);
}

/* A plug: collar, body, cable gland. */
static void add_plug(models_mesh *mesh, double (*circle)[2], const double at[3], const double axis[3])
{
    static const double body[][2] = {{0, 0.016},     {0.004, 0.016}, {0.004, 0.013}, {0.012, 0.013}, {0.013, 0.0145},
                                     {0.03, 0.0145}, {0.031, 0.012}, {0.05, 0.008},  {0.07, 0.007}};
    models_turned(mesh, circle, 16, at, axis, body, sizeof body / sizeof *body);
}

/* Where a point of the box's own frame is: along x, along the wall, and from the wall to the cabin. */
typedef struct wall_box {
    double x, angle, half[3];
} wall_box;

static void on_box(const wall_box *box, double x, double along, double in, double point[3])
{
    const double c = cos(box->angle), s = sin(box->angle), distance = 1.83 - box->half[2] - in;
    point[0] = box->x + x;
    point[1] = distance * c - along * s;
    point[2] = distance * s + along * c;
}

static void add_equipment(models_mesh *mesh, const wall_box *box)
{
    const double c = cos(box->angle), s = sin(box->angle), in[3] = {0, -c, -s}, along[3] = {0, s, -c};
    double(*hexagon)[2] = models_circle(mesh, 6), (*circle)[2] = models_circle(mesh, 16);
    double centre[3], axes[3][3] = {{box->half[0], 0, 0},
                                    {0, -box->half[1] * s, box->half[1] * c},
                                    {0, -box->half[2] * c, -box->half[2] * s}};
    on_box(box, 0, 0, 0, centre);
    models_add_box(mesh, centre, axes);
    for (int fin = 0; fin < 14; fin++) { /* cooling */
        double thin[3][3] = {
            {0.0015, 0, 0}, {0, -0.8 * box->half[1] * s, 0.8 * box->half[1] * c}, {0, -0.009 * c, -0.009 * s}};
        on_box(box, box->half[0] * (0.9 * (2 * fin / 13.0 - 1)), 0, box->half[2] + 0.008, centre);
        models_add_box(mesh, centre, thin);
    }
    for (int i = 0; hexagon && i < 4; i++) {
        on_box(box, (i & 1 ? 0.95 : -0.95) * box->half[0], (i & 2 ? 0.92 : -0.92) * box->half[1], box->half[2] - 0.0005,
               centre);
        add_bolt(mesh, hexagon, centre, in);
    }
    for (int i = 0; circle && i < 4; i++) {
        on_box(box, box->half[0] * (0.5 * i - 0.75), -box->half[1] + 0.001, 0, centre);
        add_plug(mesh, circle, centre, along);
    }
    free(hexagon);
    free(circle);
}

void interior_add_systems(models_mesh *mesh)
{
    add_duct(mesh, degrees(112));
    add_duct(mesh, degrees(68));
    for (int i = 0; i < 4; i++) {
        add_branch(mesh, interior_frame_x(i) + 0.2, degrees(113), degrees(150));
        add_branch(mesh, interior_frame_x(i + 1) + 0.2, degrees(67), degrees(42));
    }
    mesh->surface++;
    add_pipes(mesh);
    for (int i = 0; i < RISERS; i++) {
        add_riser(mesh, 0.25 + 0.35 * i, i % 2 ? 0.011 : 0.016);
    }
    mesh->surface++;
    for (int i = 0; i < 5; i++) {
        const wall_box box = {0.42 + 0.56 * i, degrees(i % 2 ? 143 : 171), {0.15, 0.09 + 0.02 * (i % 3), 0.05}};
        add_equipment(mesh, &box);
    }
    mesh->surface++;
}
