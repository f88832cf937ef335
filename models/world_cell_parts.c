/* What stands in the robot cell. No two objects touch: those that stand on or in each other leave a gap of a
 * millimetre or less. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world_cell.h"

static const world_piece pieces[] = {
    {"floor", WORLD_BOX, {-900, -900, -40, 1100, 900, 0}},
    {"pedestal", WORLD_BOX, {-170, -170, 1, 170, 170, 30}},
    {"pedestal", WORLD_Z, {0, 0, 30, 269, 125, 110}},
    {"base", WORLD_Z, {0, 0, 0, 25, 135, 135}},
    {"base", WORLD_Z, {0, 0, 25, 94, 125, 118}},
    {"base", WORLD_BOX, {-190, -45, 20, -90, 45, 85}},
    {"turret", WORLD_Z, {0, 0, 1, 119, 118, 108}},
    {"turret", WORLD_BOX, {-70, -110, 112, 130, 110, 138}},
    {"turret", WORLD_Z, {-95, 0, 60, 130, 42, 42}},
    {"turret", WORLD_BOX, {-10, 76, 130, 130, 110, 222}},
    {"turret", WORLD_BOX, {-10, -110, 130, 130, -76, 222}},
    {"turret", WORLD_Y, {60, 76, 220, 34, 70, 70}},
    {"turret", WORLD_Y, {60, -110, 220, 34, 70, 70}},
    {"turret", WORLD_Y, {60, 110, 220, 45, 40, 36}},
    {"upper-arm", WORLD_Y, {0, -72, 0, 144, 68, 68}},
    {"upper-arm", WORLD_BOX, {-46, -50, 20, 46, 50, 420}},
    {"upper-arm", WORLD_BOX, {-54, -30, 60, 54, 30, 390}},
    {"upper-arm", WORLD_Y, {0, -55, 450, 110, 58, 58}},
    {"elbow", WORLD_BOX, {-10, 59, -40, 110, 90, 40}},
    {"elbow", WORLD_BOX, {-10, -90, -40, 110, -59, 40}},
    {"elbow", WORLD_Y, {0, 59, 0, 31, 56, 56}},
    {"elbow", WORLD_Y, {0, -90, 0, 31, 56, 56}},
    {"elbow", WORLD_Y, {0, 90, 0, 40, 36, 32}},
    {"elbow", WORLD_BOX, {80, -90, -35, 150, 90, 55}},
    {"elbow", WORLD_X, {150, 0, 0, 88, 60, 56}},
    {"forearm", WORLD_X, {1, 0, 0, 150, 52, 44}},
    {"forearm", WORLD_BOX, {140, -66, -38, 185, 66, 38}},
    {"forearm", WORLD_BOX, {180, 47, -32, 262, 66, 32}},
    {"forearm", WORLD_BOX, {180, -66, -32, 262, -47, 32}},
    {"forearm", WORLD_Y, {260, 47, 0, 19, 35, 35}},
    {"forearm", WORLD_Y, {260, -66, 0, 19, 35, 35}},
    {"wrist", WORLD_Y, {0, -44, 0, 88, 38, 38}},
    {"wrist", WORLD_X, {20, 0, 0, 54, 30, 30}},
    {"gripper", WORLD_X, {1, 0, 0, 24, 42, 42}},
    {"gripper", WORLD_BOX, {25, -90, -36, 80, 90, 36}},
    {"finger", WORLD_BOX, {81, -16, -20, 100, 16, 20}},
    {"finger", WORLD_BOX, {100, -CELL_FINGER_HALF, -14, CELL_TIP, CELL_FINGER_HALF, 14}},
    {"table", WORLD_BOX, {-250, -400, 410, 250, 400, 450}},
    {"table", WORLD_BOX, {-240, -390, 1, -190, -340, 410}},
    {"table", WORLD_BOX, {190, -390, 1, 240, -340, 410}},
    {"table", WORLD_BOX, {-240, 340, 1, -190, 390, 410}},
    {"table", WORLD_BOX, {190, 340, 1, 240, 390, 410}},
    {"table", WORLD_BOX, {-220, -370, 120, 220, 370, 140}},
    {"tray", WORLD_BOX, {-75, -75, 0, 75, 75, 10}},
    {"tray", WORLD_Z, {0, 0, 10, 35, 6, 5}},
    {"vice", WORLD_BOX, {-130, -60, 0, 130, 60, 25}},
    {"vice", WORLD_BOX, {-130, -60, 25, -100, 60, 50}},
    {"vice", WORLD_BOX, {100, -60, 25, 130, 60, 50}},
    {"jaw", WORLD_BOX, {-CELL_JAW_HALF, -50, 26, CELL_JAW_HALF, 50, 70}},
    {"camera", WORLD_Z, {0, 0, 0, 12, 45, 45}},
    {"camera", WORLD_Z, {0, 0, 12, 170, 14, 14}},
    {"camera", WORLD_BOX, {-40, -28, 180, 40, 28, 235}},
    {"camera", WORLD_X, {40, 0, 208, 40, 20, 24}},
    {"frame", WORLD_BOX, {-120, -620, 270, -104, 620, 320}},
    {"frame", WORLD_BOX, {104, -620, 270, 120, 620, 320}},
    {"frame", WORLD_BOX, {-120, -600, 1, -80, -560, 270}},
    {"frame", WORLD_BOX, {80, -600, 1, 120, -560, 270}},
    {"frame", WORLD_BOX, {-120, 560, 1, -80, 600, 270}},
    {"frame", WORLD_BOX, {80, 560, 1, 120, 600, 270}},
    {"roller", WORLD_X, {-103, 0, 0, 206, 25, 25}},
    {"carton", WORLD_BOX, {-75, -80, 0, 75, 80, 120}},
    {"cabinet", WORLD_BOX, {-160, -110, 1, 160, 110, 60}},
    {"cabinet", WORLD_BOX, {-170, -120, 60, 170, 120, 900}},
    {"cabinet", WORLD_BOX, {-140, -124, 500, 140, -118, 860}},
    {"fence-post", WORLD_BOX, {-20, -20, 1, 20, 20, 1300}},
    {"fence-post", WORLD_BOX, {-45, -45, 1, 45, 45, 12}}};

enum {
    ROLLERS = 15,
    CARTONS = 3,
    FENCE_BARS = 22
};

/* A panel of upright bars between two rails, along x, as long as the distance of two posts. */
static void add_fence_panel(models_world *world)
{
    models_mesh *mesh = world_add_shape(world, "fence-panel");
    for (int i = 0; i < FENCE_BARS + 2 && mesh; i++) {
        const double at = -365 + 730.0 * i / (FENCE_BARS - 1);
        const double bar[2][3] = {{at - 4, -4, 120}, {at + 4, 4, 1260}};
        const double rails[2][2][3] = {{{-376, -8, 110}, {376, 8, 140}}, {{-376, -8, 1240}, {376, 8, 1270}}};
        const double(*box)[3] = i < FENCE_BARS ? bar : rails[i - FENCE_BARS];
        models_add_aligned_box(mesh, box[0], box[1]);
    }
}

/* A gear, lying flat, as thick as 20. */
static void add_workpiece(models_world *world, uint32_t sides)
{
    models_mesh *mesh = world_add_shape(world, "workpiece");
    if (mesh && !models_make_sized(mesh, "gear", 40 * (size_t)sides)) {
        mesh->failed = 1;
    } else if (mesh) {
        models_fit(mesh, 2 * CELL_PART_RADIUS, 1);
    }
}

/* ---- Objects ---- */

typedef struct cell_object {
    const char *name, *shape;
    int carrier;
    double at[3]; /* in the frame of what carries it */
    double side;  /* of fingers and jaws */
} cell_object;

static const cell_object objects[] = {
    {"floor", "floor", CELL_STILL, {0, 0, 0}, 0},           {"pedestal", "pedestal", CELL_STILL, {0, 0, 0}, 0},
    {"base", "base", CELL_STILL, {0, 0, 300}, 0},           {"turret", "turret", CELL_TURRET, {0, 0, 0}, 0},
    {"upper-arm", "upper-arm", CELL_UPPER, {0, 0, 0}, 0},   {"elbow", "elbow", CELL_ELBOW, {0, 0, 0}, 0},
    {"forearm", "forearm", CELL_FOREARM, {0, 0, 0}, 0},     {"wrist", "wrist", CELL_WRIST, {0, 0, 0}, 0},
    {"gripper", "gripper", CELL_TOOL, {0, 0, 0}, 0},        {"finger-left", "finger", CELL_FINGER, {0, 0, 0}, 1},
    {"finger-right", "finger", CELL_FINGER, {0, 0, 0}, -1}, {"workpiece", "workpiece", CELL_PART, {0, 0, 0}, 0},
    {"table", "table", CELL_STILL, {720, 0, 0}, 0},         {"camera", "camera", CELL_STILL, {705, 0, CELL_TABLE}, 0},
    {"conveyor", "frame", CELL_STILL, {-500, 0, 0}, 0},     {"cabinet", "cabinet", CELL_STILL, {-150, -670, 0}, 0}};

static void add_listed_object(models_world *world, const cell_object *from)
{
    const int robot = from->carrier >= CELL_TURRET && from->carrier <= CELL_PART;
    const uint32_t group = robot           ? MODELS_GROUP_ROBOT | MODELS_GROUP_MOVING
                           : from->carrier ? MODELS_GROUP_MOVING
                                           : MODELS_GROUP_STILL;
    models_world_object *object = world_add_object(world, from->name, world_find_shape(world, from->shape), group,
                                                   from->at[0], from->at[1], from->at[2]);
    if (object) {
        object->carrier = from->carrier;
        object->motion[0] = from->side;
    }
}

/* Tray and vice face the arm. */
static void add_turned(models_world *world, const cell_object *from, double angle, double height)
{
    add_listed_object(world, from);
    if (!world->failed) {
        const tumble_pose turn = world_turn(2, angle), out = world_shift(CELL_REACH, 0, height);
        world->objects[world->object_count - 1].home = tumble_pose_compose(&turn, &out);
    }
}

static void add_fixtures(models_world *world)
{
    static const cell_object tray = {"tray", "tray", CELL_STILL, {0, 0, 0}, 0};
    static const cell_object vice[] = {{"vice", "vice", CELL_STILL, {0, 0, 0}, 0},
                                       {"jaw-inner", "jaw", CELL_JAW, {0, 0, 0}, -1},
                                       {"jaw-outer", "jaw", CELL_JAW, {0, 0, 0}, 1}};
    add_turned(world, &tray, -CELL_SIDE_ANGLE, CELL_TABLE);
    for (int i = 0; i < 3; i++) {
        add_turned(world, &vice[i], CELL_SIDE_ANGLE, CELL_TABLE);
    }
}

static void add_numbered(models_world *world, const cell_object *like, int number)
{
    char name[MODELS_WORLD_NAME];
    cell_object object = *like;
    snprintf(name, sizeof name, "%s-%d", like->name, number);
    object.name = name;
    add_listed_object(world, &object);
}

static void add_conveyor(models_world *world)
{
    for (int i = 0; i < ROLLERS; i++) {
        const cell_object roller = {"roller", "roller", CELL_ROLLER, {-500, 80 * i - 560.0, 296}, 0};
        add_numbered(world, &roller, i + 1);
    }
    for (int i = 0; i < CARTONS; i++) {
        const cell_object carton = {"carton", "carton", CELL_BOX, {-500, -520 + 300.0 * i, 325}, 0};
        add_numbered(world, &carton, i + 1);
    }
}

/* Behind the arm and at its right. */
static void add_fence(models_world *world)
{
    const uint32_t panel = world_find_shape(world, "fence-panel");
    char name[MODELS_WORLD_NAME];
    for (int i = 0; i < 5; i++) {
        const cell_object post = {"fence-post", "fence-post", CELL_STILL, {-850, 750 - 800.0 * i, 0}, 0};
        const cell_object side = {"fence-post", "fence-post", CELL_STILL, {-850 + 800.0 * (i - 2), -850, 0}, 0};
        add_numbered(world, i < 3 ? &post : &side, i + 1);
    }
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "fence-panel-%d", i + 1);
        models_world_object *object = world_add_object(world, name, panel, MODELS_GROUP_STILL, 0, 0, 0);
        if (object && i < 2) {
            object->home = world_turn(2, 0.25 * MODELS_FULL_TURN);
            object->home.m[0][3] = -850;
            object->home.m[1][3] = 350 - 800.0 * i;
        } else if (object) {
            object->home = world_shift(-450 + 800.0 * (i - 2), -850, 0);
        }
    }
}

/* Links next to each other, and what the gripper holds. */
static void join_links(models_world *world)
{
    enum {
        BASE = 2,
        GRIPPER = 8,
        PART = 11
    };
    for (uint32_t i = BASE - 1; i < GRIPPER; i++) {
        world_join(world, i, i + 1);
    }
    for (uint32_t i = GRIPPER + 1; i < PART; i++) {
        world_join(world, GRIPPER, i);
        world_join(world, i, PART);
    }
}

void cell_add_parts(models_world *world, uint32_t sides)
{
    world_add_pieces(world, pieces, sizeof pieces / sizeof *pieces, sides);
    add_workpiece(world, sides);
    add_fence_panel(world);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        add_listed_object(world, &objects[i]);
    }
    add_fixtures(world);
    add_conveyor(world);
    add_fence(world);
    join_links(world);
}
