/* The structure of a section of an aeroplane's fuselage, in metres: x from front to back, y to the right, z up, the
 * middle of the circular section at y = z = 0. Frames, stringers, skin, floor and rivets. */
#include <math.h>
#include <stdlib.h>

#include "interior.h"

enum {
    FRAME_STEPS = 72,
    STRINGERS = 40,
    STRINGER_STEPS = 12
};

/* Outlines of bent sheet metal: places along two axes. */
static const double z_section[4][2] = {{-0.035, 0}, {0, 0}, {0, -0.11}, {0.03, -0.11}};
static const double hat_section[6][2] = {{0, -0.03},      {0, -0.014}, {-0.028, -0.009},
                                         {-0.028, 0.009}, {0, 0.014},  {0, 0.03}};
static const double channel_section[4][2] = {{0.03, 0}, {0, 0}, {0, -0.12}, {0.03, -0.12}};

double interior_frame_x(int frame)
{
    return INTERIOR_LENGTH * (0.04 + 0.92 * frame / (INTERIOR_FRAMES - 1));
}

void interior_on_wall(double x, double angle, double radius, double point[3])
{
    point[0] = x;
    point[1] = radius * cos(angle);
    point[2] = radius * sin(angle);
}

/* A ring around the section: the outline's first axis is x, its second points outward. */
static void add_frame(models_mesh *mesh, double x)
{
    double outline[8][2];
    uint32_t first = 0, last = 0;
    models_strip(z_section, 4, 0.003, outline);
    for (uint32_t i = 0; i < FRAME_STEPS; i++) {
        double direction[2], centre[3];
        models_direction(i, FRAME_STEPS, direction);
        const double along[3] = {1, 0, 0}, out[3] = {0, direction[0], direction[1]};
        for (int k = 0; k < 3; k++) {
            centre[k] = x * along[k] + (INTERIOR_RADIUS - 0.004) * out[k];
        }
        const uint32_t ring = models_ring(mesh, outline, 8, centre, along, out, 1);
        if (i) {
            models_bridge(mesh, last, ring, 8);
        } else {
            first = ring;
        }
        last = ring;
    }
    models_bridge(mesh, last, first, 8);
}

/* Along x: the outline's first axis points outward, its second along the wall. */
static void add_stringer(models_mesh *mesh, double angle)
{
    double outline[12][2];
    models_loft loft = {.mesh = mesh, .sides = 12};
    models_strip(hat_section, 6, 0.002, outline);
    const double out[3] = {0, cos(angle), sin(angle)}, across[3] = {0, -sin(angle), cos(angle)};
    for (int i = 0; i <= STRINGER_STEPS; i++) {
        double centre[3];
        interior_on_wall(INTERIOR_LENGTH * i / STRINGER_STEPS, angle, INTERIOR_RADIUS - 0.006, centre);
        models_loft_ring(&loft, models_ring(mesh, outline, 12, centre, out, across, 1));
    }
    models_loft_end(&loft);
}

/* One sheet, without thickness. */
static void add_skin(models_mesh *mesh)
{
    const uint32_t around = 80, along = 16, first = (uint32_t)mesh->point_count;
    for (uint32_t j = 0; j <= along; j++) {
        for (uint32_t i = 0; i < around; i++) {
            double direction[2];
            models_direction(i, around, direction);
            models_point(mesh, INTERIOR_LENGTH * j / along, INTERIOR_RADIUS * direction[0],
                         INTERIOR_RADIUS * direction[1]);
        }
    }
    for (uint32_t j = 0; j < along; j++) {
        models_bridge(mesh, first + j * around, first + (j + 1) * around, around);
    }
}

static void add_rivet(models_mesh *mesh, double (*circle)[2], double x, double angle)
{
    static const double head[][2] = {{0, 0.006}, {0.002, 0.005}, {0.0035, 0}};
    double centre[3];
    interior_on_wall(x, angle, INTERIOR_RADIUS - 0.012, centre);
    models_turned(mesh, circle, 6, centre, (const double[3]){0, -cos(angle), -sin(angle)}, head, 3);
}

/* Where stringers pass the frames: two rivets and a clip. */
static void add_joints(models_mesh *mesh, double angle)
{
    double(*circle)[2] = models_circle(mesh, 6);
    for (int frame = 0; circle && frame < INTERIOR_FRAMES; frame++) {
        const double x = interior_frame_x(frame);
        add_rivet(mesh, circle, x - 0.018, angle + 0.011);
        add_rivet(mesh, circle, x - 0.018, angle - 0.011);
        double centre[3], axes[3][3] = {{0.0015, 0, 0},
                                        {0, 0.024 * cos(angle), 0.024 * sin(angle)},
                                        {0, -0.016 * sin(angle), 0.016 * cos(angle)}};
        interior_on_wall(x + 0.004, angle + 0.018, INTERIOR_RADIUS - 0.06, centre);
        models_add_box(mesh, centre, axes);
    }
    free(circle);
}

/* ---- Floor ---- */

static void add_beam(models_mesh *mesh, double x)
{
    double outline[8][2];
    models_loft loft = {.mesh = mesh, .sides = 8};
    static const double along[3] = {1, 0, 0}, up[3] = {0, 0, 1};
    const double half = sqrt(INTERIOR_RADIUS * INTERIOR_RADIUS - INTERIOR_FLOOR * INTERIOR_FLOOR) - 0.05;
    models_strip(channel_section, 4, 0.004, outline);
    for (int i = 12; i >= 0; i--) { /* x cross z points to the left */
        const double centre[3] = {x, half * (i / 6.0 - 1), INTERIOR_FLOOR - 0.02};
        models_loft_ring(&loft, models_ring(mesh, outline, 8, centre, along, up, 1));
    }
    models_loft_end(&loft);
}

/* Rails in which seats stand: a channel that is open above. */
static void add_rail(models_mesh *mesh, double y)
{
    static const double section[4][2] = {{0.016, 0.018}, {0.016, 0}, {-0.016, 0}, {-0.016, 0.018}};
    double outline[8][2];
    models_loft loft = {.mesh = mesh, .sides = 8};
    static const double right[3] = {0, 1, 0}, up[3] = {0, 0, 1};
    models_strip(section, 4, 0.003, outline);
    for (int i = 0; i <= 32; i++) {
        const double centre[3] = {INTERIOR_LENGTH * i / 32, y, INTERIOR_FLOOR + 0.004};
        models_loft_ring(&loft, models_ring(mesh, outline, 8, centre, right, up, 1));
    }
    models_loft_end(&loft);
}

static void add_floor(models_mesh *mesh)
{
    static const double rails[] = {-1.2, -0.5, 0.45, 1.35};
    const double half = sqrt(INTERIOR_RADIUS * INTERIOR_RADIUS - INTERIOR_FLOOR * INTERIOR_FLOOR) - 0.16;
    for (int frame = 0; frame < INTERIOR_FRAMES; frame++) {
        add_beam(mesh, interior_frame_x(frame) + 0.05);
    }
    for (int i = 0; i < 4; i++) {
        add_rail(mesh, rails[i]);
    }
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 5; column++) { /* panels between the rails */
            const double from = column ? rails[column - 1] + 0.02 : -half,
                         to = column < 4 ? rails[column] - 0.02 : half;
            const double lower[3] = {INTERIOR_LENGTH * row / 4 + 0.004, from, INTERIOR_FLOOR - 0.014};
            const double upper[3] = {INTERIOR_LENGTH * (row + 1) / 4 - 0.004, to, INTERIOR_FLOOR};
            models_add_aligned_box(mesh, lower, upper);
        }
    }
}

void interior_add_structure(models_mesh *mesh)
{
    add_skin(mesh);
    mesh->surface++;
    for (int frame = 0; frame < INTERIOR_FRAMES; frame++) {
        add_frame(mesh, interior_frame_x(frame));
    }
    mesh->surface++;
    for (int i = 0; i < STRINGERS; i++) {
        const double angle = MODELS_FULL_TURN * (i + 0.5) / STRINGERS;
        add_stringer(mesh, angle);
        add_joints(mesh, angle);
    }
    mesh->surface++;
    add_floor(mesh);
    mesh->surface++;
}
