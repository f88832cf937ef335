/* Shapes as they come out of CAD systems: box, lattice, gear, bolt. */
#include <math.h>
#include <stdlib.h>

#include "build.h"

/* Cuts along the three axes for a detail that need not be whole: their product follows its cube. */
static void cuts_for_detail(double detail, uint32_t cuts[3])
{
    cuts[0] = (uint32_t)floor(detail);
    cuts[1] = (uint32_t)floor(detail + 0.5);
    cuts[2] = models_round(detail * detail * detail / ((double)cuts[0] * cuts[1]), 1);
}

/* ---- Box ---- */

typedef struct box_grid {
    uint32_t cuts[3];
    const double *sides;
} box_grid;

static void place_in_box(const void *user, const uint32_t at[3], double point[3])
{
    const box_grid *grid = user;
    for (int k = 0; k < 3; k++) {
        point[k] = grid->sides[k] * at[k] / grid->cuts[k];
    }
}

static models_blocks box_blocks(box_grid *grid, const double *values)
{
    static const uint8_t full = 1;
    cuts_for_detail(values[0], grid->cuts);
    grid->sides = values + 1;
    const models_blocks blocks = {{1, 1, 1}, &full,        {&grid->cuts[0], &grid->cuts[1], &grid->cuts[2]},
                                  0,         place_in_box, grid};
    return blocks;
}

double models_count_box(const double *values)
{
    box_grid grid;
    const models_blocks blocks = box_blocks(&grid, values);
    return models_count_blocks(&blocks);
}

void models_make_box(models_mesh *mesh, const double *values)
{
    box_grid grid;
    const models_blocks blocks = box_blocks(&grid, values);
    models_build_blocks(mesh, &blocks);
}

/* ---- Lattice: bars along all edges of a grid of cubes ---- */

static void place_in_lattice(const void *user, const uint32_t at[3], double point[3])
{
    const double bar = *(const double *)user;
    for (int k = 0; k < 3; k++) {
        const uint32_t cell = at[k] / 2;
        point[k] = cell + (at[k] % 2 ? bar : 0);
    }
}

/* Blocks with an even number along two axes or all three are full. */
double models_count_lattice(const double *values)
{
    uint32_t n[3];
    cuts_for_detail(values[0], n);
    double bars = 0, outside = 0;
    for (int k = 0; k < 3; k++) {
        const double across = (n[(k + 1) % 3] + 1.0) * (n[(k + 2) % 3] + 1.0);
        bars += n[k] * across;
        outside += 2 * across;
    }
    /* Four sides a bar, and the two ends of every row of nodes. */
    return 2 * (4 * bars + outside);
}

void models_make_lattice(models_mesh *mesh, const double *values)
{
    uint32_t n[3];
    cuts_for_detail(values[0], n);
    models_blocks blocks = {{2 * n[0] + 1, 2 * n[1] + 1, 2 * n[2] + 1}, NULL, {0}, 0, place_in_lattice, &values[1]};
    uint8_t *full = models_allocate(mesh, (size_t)blocks.size[0] * blocks.size[1] * blocks.size[2], 1);
    uint8_t *at = full;
    for (uint32_t k = 0; full && k < blocks.size[2]; k++) {
        for (uint32_t j = 0; j < blocks.size[1]; j++) {
            for (uint32_t i = 0; i < blocks.size[0]; i++) {
                *at++ = i % 2 + j % 2 + k % 2 <= 1;
            }
        }
    }
    blocks.full = full;
    if (full) {
        models_build_blocks(mesh, &blocks);
    }
    free(full);
}

/* ---- Gear ----
 * Blocks along angle, height and radius. Each tooth and each gap is one block of angle; heights are those of the hub,
 * the rim and the web; radii those of hub, web, rim and teeth. */

enum {
    GEAR_HEIGHTS = 5,
    GEAR_BANDS = 4
};
enum {
    GEAR_HUB,
    GEAR_WEB,
    GEAR_RIM,
    GEAR_TEETH
};

typedef struct gear_plan {
    uint32_t teeth, spokes;
    uint32_t tooth_cuts; /* of each tooth and each gap */
    uint32_t angle_steps;
    uint32_t *angle_cuts;
    uint32_t band_cuts[GEAR_BANDS], band_start[GEAR_BANDS + 1];
    double thickness, taper;
    uint8_t *full;
} gear_plan;

static const double gear_radii[GEAR_BANDS + 1] = {0.18, 0.32, 0.74, 0.87, 1};

/* Relative to half the thickness: hub, rim and fins, web. */
static const double gear_heights[GEAR_HEIGHTS + 1] = {-1, -0.7, -0.15, 0.15, 0.7, 1};

/* Layers of height on either side of the middle that are full: for each angle and band. */
static uint32_t gear_layers(const gear_plan *plan, uint32_t angle, uint32_t band)
{
    const uint32_t count = 2 * plan->teeth;
    const uint32_t within = angle * plan->spokes % count; /* of `count`: the way through the sector of a spoke */
    const int new_spoke = within < plan->spokes, spoke = within * 10 < count * 3;
    switch (band) {
    case GEAR_HUB: return 3;
    case GEAR_RIM: return 2;
    case GEAR_TEETH: return angle % 2 ? 0 : 2;
    default: return new_spoke ? 2 : spoke ? 1 : 0; /* a thin fin along each spoke, windows between the spokes */
    }
}

static void fill_gear(gear_plan *plan)
{
    uint8_t *at = plan->full;
    for (uint32_t band = 0; band < GEAR_BANDS; band++) {
        for (uint32_t height = 0; height < GEAR_HEIGHTS; height++) {
            const uint32_t layer = height < 2 ? 3 - height : height - 1; /* 1 in the middle, 3 at the top and bottom */
            for (uint32_t angle = 0; angle < 2 * plan->teeth; angle++) {
                *at++ = layer <= gear_layers(plan, angle, band) ? (uint8_t)(1 + band) : 0;
            }
        }
    }
}

/* With as many cuts as teeth have, teeth are many and coarse or few and fine: m cuts for about 32 * m^(3/2) steps. */
static void plan_gear(gear_plan *plan, const double *values)
{
    const double steps = 16 * values[0];
    plan->teeth = (uint32_t)values[1];
    plan->tooth_cuts = 1;
    if (plan->teeth) {
        plan->tooth_cuts = models_round(steps / (2 * plan->teeth), 1);
    } else {
        for (double m = 2; m * m * m * 1024 <= steps * steps; m++) {
            plan->tooth_cuts = (uint32_t)m;
        }
        plan->teeth = models_round(steps / (2 * plan->tooth_cuts), 4);
    }
    plan->angle_steps = 2 * plan->teeth * plan->tooth_cuts;
    plan->spokes = plan->teeth < 12 ? 3 : plan->teeth < 30 ? 5 : 6;
    plan->thickness = values[2];
    plan->taper = values[3];
    /* The hub stays uncut: long thin triangles beside small ones. */
    const double shares[GEAR_BANDS] = {0, 0.06, 0.012, 0.012};
    for (int k = 0; k < GEAR_BANDS; k++) {
        plan->band_cuts[k] = models_round(shares[k] * plan->angle_steps, 1);
        plan->band_start[k + 1] = plan->band_start[k] + plan->band_cuts[k];
    }
}

static void place_in_gear(const void *user, const uint32_t at[3], double point[3])
{
    const gear_plan *plan = user;
    uint32_t band = 0;
    while (band + 1 < GEAR_BANDS && at[2] > plan->band_start[band + 1]) {
        band++;
    }
    const double within = (double)(at[2] - plan->band_start[band]) / plan->band_cuts[band];
    const double radius = gear_radii[band] + (gear_radii[band + 1] - gear_radii[band]) * within;
    double direction[2];
    models_direction(at[0], plan->angle_steps, direction);
    if (band == GEAR_TEETH) { /* flanks lean towards the middle of the tooth */
        const uint32_t pitch = 2 * plan->tooth_cuts;
        const double off = (double)(at[0] % pitch) - 0.5 * plan->tooth_cuts;
        const double angle = MODELS_FULL_TURN * (at[0] - plan->taper * within * off) / plan->angle_steps;
        direction[0] = cos(angle);
        direction[1] = sin(angle);
    }
    point[0] = radius * direction[0];
    point[1] = radius * direction[1];
    point[2] = plan->thickness / 2 * gear_heights[at[1]];
}

/* Runs `use` on the gear's blocks; with a failed mesh if memory runs out. */
static double with_gear(models_mesh *mesh, const double *values, double (*use)(models_mesh *, const models_blocks *))
{
    gear_plan plan = {0};
    double result = 0;
    plan_gear(&plan, values);
    plan.full = models_allocate(mesh, 2 * (size_t)plan.teeth * GEAR_HEIGHTS * GEAR_BANDS, 1);
    plan.angle_cuts = models_allocate(mesh, 2 * (size_t)plan.teeth, sizeof *plan.angle_cuts);
    if (!mesh->failed) {
        for (uint32_t i = 0; i < 2 * plan.teeth; i++) {
            plan.angle_cuts[i] = plan.tooth_cuts;
        }
        fill_gear(&plan);
        const models_blocks blocks = {{2 * plan.teeth, GEAR_HEIGHTS, GEAR_BANDS},
                                      plan.full,
                                      {plan.angle_cuts, NULL, plan.band_cuts},
                                      1,
                                      place_in_gear,
                                      &plan};
        result = use(mesh, &blocks);
    }
    free(plan.full);
    free(plan.angle_cuts);
    return result;
}

static double build_gear(models_mesh *mesh, const models_blocks *blocks)
{
    models_build_blocks(mesh, blocks);
    return 0;
}

static double count_gear(models_mesh *mesh, const models_blocks *blocks)
{
    (void)mesh;
    return models_count_blocks(blocks);
}

double models_count_gear(const double *values)
{
    models_mesh none = {0};
    return with_gear(&none, values, count_gear);
}

void models_make_gear(models_mesh *mesh, const double *values)
{
    with_gear(mesh, values, build_gear);
}

/* ---- Bolt: rings from the tip of the thread to the top of the head ---- */

enum {
    BOLT_DETAIL,
    BOLT_LENGTH,
    BOLT_PITCH
};

typedef struct bolt_plan {
    uint32_t sides, rows; /* rows of the threaded part */
    double length, pitch;
} bolt_plan;

static bolt_plan plan_bolt(const double *values)
{
    const double detail = values[BOLT_DETAIL];
    bolt_plan plan = {.length = values[BOLT_LENGTH], .pitch = values[BOLT_PITCH]};
    plan.sides = 12 * models_round(detail / 12, 1); /* so that the corners of the head are points */
    plan.rows = models_round(detail * detail * values[BOLT_LENGTH] / plan.sides / 3, 4);
    return plan;
}

enum {
    BOLT_HEAD_RINGS = 4
};

double models_count_bolt(const double *values)
{
    const bolt_plan plan = plan_bolt(values);
    return 2.0 * plan.sides * (plan.rows + BOLT_HEAD_RINGS) + 2.0 * (plan.sides - 2);
}

/* The thread's profile over one pitch: crest, flank, root, flank. */
static double thread_profile(double phase)
{
    phase -= floor(phase);
    return phase < 0.125 ? 1 : phase < 0.5 ? (0.5 - phase) / 0.375 : phase < 0.625 ? 0 : (phase - 0.625) / 0.375;
}

static double bolt_radius(const bolt_plan *plan, uint32_t side, uint32_t row)
{
    const double z = plan->length * row / plan->rows;
    const double fade = fmin(1, fmin(z / plan->pitch, (plan->length - z) / plan->pitch)); /* runs in and out */
    return 0.84 + 0.16 * fade * thread_profile(z / plan->pitch - (double)side / plan->sides);
}

/* Distance of a hexagon's rim, 1.6 across the corners. */
static double hexagon_radius(uint32_t side, uint32_t sides)
{
    const double from_middle = (double)((uint64_t)side * 6 % sides) / sides - 0.5; /* of a sixth of a turn */
    return 1.6 * cos(MODELS_FULL_TURN / 12) / cos(MODELS_FULL_TURN / 6 * from_middle);
}

/* Radius and height of a point: thread, shank, underside of the head, its walls, its bevelled top. */
static void bolt_point(const bolt_plan *plan, uint32_t ring, uint32_t side, double *radius, double *z)
{
    static const double heights[BOLT_HEAD_RINGS] = {0.3, 0.3, 1.1, 1.3};
    if (ring <= plan->rows) {
        *radius = bolt_radius(plan, side, ring);
        *z = plan->length * ring / plan->rows;
        return;
    }
    const uint32_t part = ring - plan->rows - 1;
    *z = plan->length + heights[part];
    *radius = part == 0 ? 0.84 : part == 3 ? 1.25 : hexagon_radius(side, plan->sides);
}

void models_make_bolt(models_mesh *mesh, const double *values)
{
    const bolt_plan plan = plan_bolt(values);
    double(*circle)[2] = models_circle(mesh, plan.sides);
    uint32_t ring = 0;
    for (uint32_t i = 0; circle && i <= plan.rows + BOLT_HEAD_RINGS; i++) {
        const uint32_t last = ring;
        ring = (uint32_t)mesh->point_count;
        for (uint32_t side = 0; side < plan.sides; side++) {
            double radius, z;
            bolt_point(&plan, i, side, &radius, &z);
            models_point(mesh, radius * circle[side][0], radius * circle[side][1], z);
        }
        mesh->surface = i > plan.rows;
        if (i) {
            models_bridge(mesh, last, ring, plan.sides);
        } else {
            models_close_ring(mesh, ring, plan.sides, 0);
        }
    }
    models_close_ring(mesh, ring, plan.sides, 1);
    free(circle);
}
