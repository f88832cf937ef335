/* The demonstration: a cartridge is pulled out of its housing, and a nub on one of its ribs does not pass the lip.
 *
 * All lengths are in millimetres. Both bodies are blocks along angle, height and radius (see models_blocks) around the
 * z axis, with 144 blocks of angle: 24 for each of six equal sectors, the first of which has its rib and slot at angle
 * 0. The tables of radii and heights are where blocks begin; some rings of points are then moved in to make the nose,
 * the chamfers and the hexagon. Clearances are 0.8 to 1 everywhere, but the nub stands 0.9 higher than the slot in the
 * lip is deep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

enum {
    ANGLES = 144,
    SECTOR = 24,
    MOST_HEIGHTS = 48,
    MOST_BANDS = 8
};

typedef struct turned_body turned_body;
struct turned_body {
    uint32_t height_count, band_count;
    double heights[MOST_HEIGHTS + 1], radii[MOST_BANDS + 1];
    double cell; /* wanted height of a cell */
    /* What is in a block: 0 or 1 + surface. */
    uint8_t (*fill)(const turned_body *body, uint32_t angle, uint32_t height, uint32_t band);
    /* Where a point of the grid with this height and radius is moved to; `direction` is that of its angle. */
    double (*shape)(const turned_body *body, const double direction[2], double z, double radius);

    uint32_t angle_steps;
    uint32_t angle_cuts[ANGLES], height_cuts[MOST_HEIGHTS], band_cuts[MOST_BANDS];
    double (*directions)[2]; /* of each step of angle */
    double *z, *radius;      /* of each step of height and radius */
    uint8_t *full;
};

/* Steps from a block to the next one: evenly spaced. */
static void fill_steps(double *steps, const double *bounds, const uint32_t *cuts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < cuts[i]; k++) {
            *steps++ = bounds[i] + (bounds[i + 1] - bounds[i]) * k / cuts[i];
        }
    }
    *steps = bounds[count];
}

static uint32_t sum(const uint32_t *cuts, uint32_t count)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += cuts[i];
    }
    return total;
}

/* `detail` cells for each block of angle, on average; heights in proportion. */
static void plan_cuts(turned_body *body, double detail)
{
    detail = fmax(detail, 1);
    for (uint32_t i = 0; i < ANGLES; i++) {
        body->angle_cuts[i] = (uint32_t)(floor((i + 1) * detail) - floor(i * detail));
    }
    for (uint32_t i = 0; i < body->height_count; i++) {
        body->height_cuts[i] = models_round(detail * (body->heights[i + 1] - body->heights[i]) / body->cell, 1);
    }
    for (uint32_t i = 0; i < body->band_count; i++) {
        body->band_cuts[i] = models_round(detail * (body->radii[i + 1] - body->radii[i]) / 8, 1);
    }
    body->angle_steps = sum(body->angle_cuts, ANGLES);
}

/* Within a block of angle the steps are even; blocks begin at whole multiples of a 144th turn whatever the detail is.
 */
static void plan_directions(turned_body *body)
{
    uint32_t step = 0;
    for (uint32_t i = 0; i < ANGLES; i++) {
        for (uint32_t k = 0; k < body->angle_cuts[i]; k++) {
            models_direction(i * body->angle_cuts[i] + k, ANGLES * body->angle_cuts[i], body->directions[step++]);
        }
    }
}

static int plan_body(models_mesh *mesh, turned_body *body)
{
    const uint32_t z_steps = sum(body->height_cuts, body->height_count) + 1;
    const uint32_t radius_steps = sum(body->band_cuts, body->band_count) + 1;
    body->directions = models_allocate(mesh, body->angle_steps, sizeof *body->directions);
    body->z = models_allocate(mesh, z_steps, sizeof *body->z);
    body->radius = models_allocate(mesh, radius_steps, sizeof *body->radius);
    body->full = models_allocate(mesh, (size_t)ANGLES * body->height_count * body->band_count, 1);
    if (mesh->failed) {
        return 0;
    }
    plan_directions(body);
    fill_steps(body->z, body->heights, body->height_cuts, body->height_count);
    fill_steps(body->radius, body->radii, body->band_cuts, body->band_count);
    uint8_t *at = body->full;
    for (uint32_t band = 0; band < body->band_count; band++) {
        for (uint32_t height = 0; height < body->height_count; height++) {
            for (uint32_t angle = 0; angle < ANGLES; angle++) {
                *at++ = body->fill(body, angle, height, band);
            }
        }
    }
    return 1;
}

static void place_in_body(const void *user, const uint32_t at[3], double point[3])
{
    const turned_body *body = user;
    const double *direction = body->directions[at[0]], z = body->z[at[1]];
    const double radius = body->shape(body, direction, z, body->radius[at[2]]);
    point[0] = radius * direction[0];
    point[1] = radius * direction[1];
    point[2] = z;
}

/* Makes the body, or with `only_count` says how many triangles it has. */
static double make_body(models_mesh *mesh, turned_body *body, double detail, int only_count)
{
    double count = 0;
    plan_cuts(body, detail);
    if (plan_body(mesh, body)) {
        const models_blocks blocks = {{ANGLES, body->height_count, body->band_count},
                                      body->full,
                                      {body->angle_cuts, body->height_cuts, body->band_cuts},
                                      1,
                                      place_in_body,
                                      body};
        if (only_count) {
            count = models_count_blocks(&blocks);
        } else {
            models_build_blocks(mesh, &blocks);
        }
    }
    free(body->directions);
    free(body->z);
    free(body->radius);
    free(body->full);
    return count;
}

/* Whether the block of angle lies within `half` blocks of the middle of a sector's rib or slot. */
static int near_rib(uint32_t angle, uint32_t half)
{
    return (angle + half) % SECTOR < 2 * half;
}

static double between(double at, double from, double to)
{
    return fmin(1, fmax(0, (at - from) / (to - from)));
}

/* ---- The part ---- */

enum {
    PART_BODY = 1,
    PART_RIBS,
    PART_NUB,
    PART_FLANGE,
    PART_HEAD
};

/* Radii: bore, seal groove, body, ribs, nub, holes in the flange, flange. */
static const double part_radii[] = {8, 18.5, 20, 24, 25.7, 28, 31, 34};

/* Heights: nose, body, ribs with bevels and the nub, groove, neck, flange with bevels, head with a bevel. */
static const double part_heights[] = {0, 15, 19, 22, 24, 26, 30, 32, 67, 70, 74, 77, 84, 85.5, 90.5, 92, 108, 110};

static uint8_t fill_part(const turned_body *body, uint32_t angle, uint32_t height, uint32_t band)
{
    const double z = body->heights[height], radius = body->radii[band];
    if (z >= 92) {
        return radius < 20 ? PART_HEAD : 0;
    }
    if (z >= 84) {
        const int hole = radius == 28 && near_rib(angle + SECTOR / 2, 1);
        return hole ? 0 : PART_FLANGE;
    }
    if (radius < 20) {
        return z == 74 && radius == 18.5 ? 0 : PART_BODY;
    }
    if (radius < 24) {
        return z >= 19 && z < 70 && near_rib(angle, 2) ? PART_RIBS : 0;
    }
    const int first_rib = (angle + 2) % ANGLES < 4;
    return radius < 25.7 && z >= 24 && z < 32 && first_rib ? PART_NUB : 0;
}

/* Distance of the rim of a hexagon with corners at distance 20, two of them on the y axis. */
static double hexagon_radius(const double direction[2])
{
    const double x = fabs(direction[0]), y = fabs(direction[1]), half = 0.86602540378443864676;
    return 20 * half / fmax(x, 0.5 * x + half * y);
}

static double shape_part(const turned_body *body, const double direction[2], double z, double radius)
{
    (void)body;
    if (radius <= 20 && z >= 92) { /* head */
        const double rim = hexagon_radius(direction) * (1 - 0.08 * between(z, 108, 110));
        return 8 + (radius - 8) * (rim - 8) / 12;
    }
    if (radius <= 20) { /* nose: a quarter of an ellipse */
        const double left = 1 - between(z, 0, 15);
        return 8 + (radius - 8) * (0.45 + 0.55 * sqrt(1 - left * left));
    }
    if (z >= 84) { /* flange */
        const double bevel = 1.5 * (1 - between(z, 84, 85.5) + between(z, 90.5, 92));
        return radius - bevel * between(radius, 31, 34);
    }
    if (radius <= 24) { /* ribs */
        const double bevel = 3 * (1 - between(z, 19, 22) + between(z, 67, 70));
        return radius - bevel * between(radius, 20, 24);
    }
    const double bevel = 1.2 * (1 - between(z, 24, 26) + between(z, 30, 32));
    return radius - bevel * between(radius, 24, 25.7);
}

static turned_body plan_part(void)
{
    turned_body body = {.height_count = sizeof part_heights / sizeof *part_heights - 1,
                        .band_count = sizeof part_radii / sizeof *part_radii - 1,
                        .cell = 1.6,
                        .fill = fill_part,
                        .shape = shape_part};
    memcpy(body.heights, part_heights, sizeof part_heights);
    memcpy(body.radii, part_radii, sizeof part_radii);
    return body;
}

double models_count_part(const double *values)
{
    models_mesh none = {0};
    turned_body body = plan_part();
    return make_body(&none, &body, values[0], 1);
}

void models_make_part(models_mesh *mesh, const double *values)
{
    turned_body body = plan_part();
    make_body(mesh, &body, values[0], 0);
}

/* ---- The housing ---- */

enum {
    HOUSING_BODY = 1,
    HOUSING_LIP,
    HOUSING_FINS
};

/* Radii: drain, guides, pockets between them, slots in the lip, slots in the guides, wall, fins. */
static const double housing_radii[] = {6, 20.8, 23, 24.8, 26.8, 34, 42};

/* Heights: bottom, floor, then a fin and a gap in turn, lip with a bevel. */
static const double housing_heights[] = {-12, -6, -1, 3,  6,  10, 13, 17, 20, 24, 27, 31,   34,  38,
                                         41,  45, 48, 52, 55, 59, 62, 66, 69, 74, 78, 82.2, 83.2};

static int is_fin(double z)
{
    return z < -6 || z >= 74 || (z >= 3 && fmod(z - 3, 7) == 0);
}

static uint8_t fill_housing(const turned_body *body, uint32_t angle, uint32_t height, uint32_t band)
{
    const double z = body->heights[height], radius = body->radii[band];
    if (radius >= 34) {
        return is_fin(z) ? HOUSING_FINS : 0;
    }
    if (radius >= 26.8 || z < -1) {
        return HOUSING_BODY;
    }
    const int slot = near_rib(angle, 3);
    if (z >= 78) {
        return radius < 20.8 || (slot && radius < 24.8) ? 0 : HOUSING_LIP;
    }
    const int pocket = !near_rib(angle, 6) && z >= 10 && z < 66 && radius < 23;
    return radius < 20.8 || slot || pocket ? 0 : HOUSING_BODY;
}

/* Outside the housing is a square with rounded corners. */
static double shape_housing(const turned_body *body, const double direction[2], double z, double radius)
{
    (void)body;
    const double c = direction[0] * direction[0], s = direction[1] * direction[1];
    const double c4 = c * c, s4 = s * s;
    const double square = 1 / sqrt(sqrt(sqrt(c4 * c4 + s4 * s4))); /* the eighth root */
    const double out = between(radius, 26.8, 34);
    const double opening = radius < 22 ? 0.6 * between(z, 82.2, 83.2) : 0;
    return (radius + opening) * (1 + (square - 1) * out);
}

static turned_body plan_housing(void)
{
    turned_body body = {.height_count = sizeof housing_heights / sizeof *housing_heights - 1,
                        .band_count = sizeof housing_radii / sizeof *housing_radii - 1,
                        .cell = 1.8,
                        .fill = fill_housing,
                        .shape = shape_housing};
    memcpy(body.heights, housing_heights, sizeof housing_heights);
    memcpy(body.radii, housing_radii, sizeof housing_radii);
    return body;
}

double models_count_housing(const double *values)
{
    models_mesh none = {0};
    turned_body body = plan_housing();
    return make_body(&none, &body, values[0], 1);
}

void models_make_housing(models_mesh *mesh, const double *values)
{
    turned_body body = plan_housing();
    make_body(mesh, &body, values[0], 0);
}

/* ---- Pulling it out ---- */

/* Straight up by 100, with the small turns and sideways moves of a hand: up to 0.8 degrees and 0.25. */
static tumble_pose path_pose(size_t step, size_t steps)
{
    const double t = steps > 1 ? (double)step / (double)(steps - 1) : 0;
    const double angle = 0.014 * sin(1.5 * MODELS_FULL_TURN * t);
    const double c = cos(angle), s = sin(angle);
    const tumble_pose pose = {{{c, -s, 0, 0.25 * sin(2 * MODELS_FULL_TURN * t)},
                               {s, c, 0, 0.2 * sin(3 * MODELS_FULL_TURN * t)},
                               {0, 0, 1, 100 * t}}};
    return pose;
}

int models_make_demo(models_demo *demo, size_t steps)
{
    const double detail = 1;
    memset(demo, 0, sizeof *demo);
    models_make_housing(&demo->housing, &detail);
    models_make_part(&demo->part, &detail);
    demo->path = malloc((steps ? steps : 1) * sizeof *demo->path);
    if (!demo->path || demo->housing.failed || demo->part.failed) {
        models_free_demo(demo);
        return 0;
    }
    for (demo->path_length = 0; demo->path_length < steps; demo->path_length++) {
        demo->path[demo->path_length] = path_pose(demo->path_length, steps);
    }
    return 1;
}

void models_free_demo(models_demo *demo)
{
    models_free(&demo->housing);
    models_free(&demo->part);
    free(demo->path);
    memset(demo, 0, sizeof *demo);
}
