/* A machine hall: rows of presses whose rams come down on workpieces while their gears turn, carts that drive along the
 * aisles, and a crane above. Most objects stand still. Lengths are millimetres. */
#include <math.h>
#include <stdio.h>

#include "world_build.h"

enum {
    HALL_STILL,
    HALL_GEAR, /* motion[0]: turns in all; motion[1]: where it begins */
    HALL_RAM,  /* motion[0]: strokes in all; motion[1]: where it begins */
    HALL_CART, /* motion[0]: how far it drives; motion[1]: where it begins */
    HALL_CRANE /* motion[0], [1], [2]: how far it goes along x, y and z */
};

static const double pitch_x = 2600, pitch_y = 3600, gear_radius = 300, stroke = 180;

static const world_piece pieces[] = {{"press", WORLD_BOX, {-800, -600, 1, 800, 600, 500}},
                                     {"press", WORLD_BOX, {-800, 250, 500, 800, 600, 1900}},
                                     {"press", WORLD_BOX, {-500, -350, 1500, -95, 250, 1900}},
                                     {"press", WORLD_BOX, {95, -350, 1500, 500, 250, 1900}},
                                     {"press", WORLD_BOX, {-95, -350, 1500, 95, -195, 1900}},
                                     {"press", WORLD_BOX, {-95, -5, 1500, 95, 250, 1900}},
                                     {"press", WORLD_BOX, {520, -350, 1, 600, -270, 1100}},
                                     {"ram", WORLD_Z, {0, 0, 0, 900, 90, 90}},
                                     {"ram", WORLD_BOX, {-260, -200, -60, 260, 200, 0}},
                                     {"block", WORLD_BOX, {-150, -120, 0, 150, 120, 140}},
                                     {"block", WORLD_Z, {0, 0, 140, 80, 90, 60}},
                                     {"cart", WORLD_BOX, {-500, -300, 120, 500, 300, 320}},
                                     {"cart", WORLD_BOX, {-480, -280, 320, -420, 280, 900}},
                                     {"cart", WORLD_Y, {-350, -320, 110, 640, 100, 100}},
                                     {"cart", WORLD_Y, {350, -320, 110, 640, 100, 100}},
                                     {"pillar", WORLD_BOX, {-200, -200, 1, 200, 200, 100}},
                                     {"pillar", WORLD_Z, {0, 0, 100, 3000, 120, 120}},
                                     {"trolley", WORLD_BOX, {-300, -250, 0, 300, 250, 250}},
                                     {"trolley", WORLD_X, {-350, 0, 300, 700, 150, 150}},
                                     {"hook", WORLD_Z, {0, 0, 0, 600, 20, 20}},
                                     {"hook", WORLD_Z, {0, 0, -150, 150, 60, 110}}};

static models_world_object *add(models_world *world, const char *shape, size_t number, int carrier, double x, double y,
                                double z)
{
    char name[MODELS_WORLD_NAME];
    snprintf(name, sizeof name, "%s-%zu", shape, number);
    const uint32_t group = carrier == HALL_STILL ? MODELS_GROUP_STILL : MODELS_GROUP_MOVING;
    models_world_object *object = world_add_object(world, name, world_find_shape(world, shape), group, x, y, z);
    if (object) {
        object->carrier = carrier;
    }
    return object;
}

static void set_motion(models_world_object *object, double first, double second, double third)
{
    if (object) {
        object->motion[0] = first;
        object->motion[1] = second;
        object->motion[2] = third;
    }
}

/* The gears stand upright at the side of the press, without touching. */
static void add_gears(models_world *world, size_t number, double x, double y)
{
    const tumble_pose upright = world_turn(1, 0.25 * MODELS_FULL_TURN);
    for (int i = 0; i < 2; i++) {
        models_world_object *gear =
            add(world, "gear", 2 * number + (size_t)i - 1, HALL_GEAR, x + 950, y + 200, 800 + 2.02 * gear_radius * i);
        set_motion(gear, i ? -2 : 2, 0.13 * (double)number, 0);
        if (gear) {
            gear->home = tumble_pose_compose(&gear->home, &upright);
        }
    }
}

static void add_press(models_world *world, size_t number, double x, double y)
{
    add(world, "press", number, HALL_STILL, x, y, 0);
    add(world, "block", number, HALL_STILL, x, y - 100, 501);
    set_motion(add(world, "ram", number, HALL_RAM, x, y - 100, 0), 3, 0.17 * (double)number, 0);
    add_gears(world, number, x, y);
}

static void add_rows(models_world *world, size_t machines, size_t columns)
{
    const double length = pitch_x * (double)columns;
    for (size_t i = 0; i < machines && !world->failed; i++) {
        const size_t row = i / columns + 1;
        const double x = pitch_x * (double)(i % columns), y = pitch_y * (double)(row - 1);
        add_press(world, i + 1, x, y);
        if (i % columns == 0) {
            set_motion(add(world, "cart", row, HALL_CART, -pitch_x / 2 + 600, y - pitch_y / 2, 1), length - 1200,
                       0.21 * (double)row, 0);
            add(world, "pillar", 2 * row - 1, HALL_STILL, -pitch_x / 2, y - pitch_y / 2 - 700, 0);
            add(world, "pillar", 2 * row, HALL_STILL, length - pitch_x / 2, y - pitch_y / 2 - 700, 0);
        }
    }
}

/* A bridge over the whole width, its trolley and its hook. */
static void add_crane(models_world *world, double width, double depth)
{
    models_mesh *bridge = world_add_shape(world, "bridge");
    for (int i = 0; i < 2 && bridge; i++) {
        const double lower[3] = {-pitch_x / 2, i ? 270.0 : -430.0, 0}, upper[3] = {width, i ? 430.0 : -270.0, 200};
        models_add_aligned_box(bridge, lower, upper);
    }
    set_motion(add(world, "bridge", 1, HALL_CRANE, 0, -pitch_y / 2, 3200), 0, depth, 0);
    set_motion(add(world, "trolley", 1, HALL_CRANE, 0, -pitch_y / 2, 3250), width - pitch_x, depth, 0);
    set_motion(add(world, "hook", 1, HALL_CRANE, 0, -pitch_y / 2, 2620), width - pitch_x, depth, -500);
}

/* ---- Motion ---- */

/* From 0 to 1 and back, `rounds` times. */
static double swing(double time, double start, double rounds)
{
    return 0.5 - 0.5 * cos(MODELS_FULL_TURN * (rounds * time + start));
}

static tumble_pose place_object(const models_world_object *object, double time)
{
    const double *motion = object->motion;
    tumble_pose shift = tumble_pose_identity();
    if (object->carrier == HALL_GEAR) {
        const tumble_pose turn = world_turn(2, MODELS_FULL_TURN * (motion[0] * time + motion[1]));
        return tumble_pose_compose(&object->home, &turn);
    }
    if (object->carrier == HALL_RAM) { /* at the lowest place it presses into the workpiece by 5 */
        shift.m[2][3] = 776 + stroke * (1 - swing(time, motion[1], motion[0]));
    } else if (object->carrier == HALL_CART) {
        shift.m[0][3] = motion[0] * swing(time, motion[1], 1);
    } else if (object->carrier == HALL_CRANE) {
        shift =
            world_shift(motion[0] * swing(time, 0, 2), motion[1] * swing(time, 0, 0.5), motion[2] * swing(time, 0, 4));
    }
    return tumble_pose_compose(&shift, &object->home);
}

static void place_hall(const models_world *world, size_t step, tumble_pose *poses)
{
    const double time = world->step_count > 1 ? (double)step / (double)(world->step_count - 1) : 0;
    for (size_t i = 0; i < world->object_count; i++) {
        if (world->objects[i].carrier != HALL_STILL) {
            poses[i] = place_object(&world->objects[i], time);
        }
    }
}

void world_make_hall(models_world *world, const double *values)
{
    const size_t machines = (size_t)values[1], columns = (size_t)ceil(sqrt((double)machines));
    const size_t rows = (machines + columns - 1) / columns;
    const double width = pitch_x * (double)columns, depth = pitch_y * (double)rows, half_floor = pitch_y;
    const uint32_t sides = models_round(values[2], 8) / 4 * 4;
    const world_piece ground = {
        "floor", WORLD_BOX, {-pitch_x, -half_floor, -100, width, depth + half_floor - pitch_y, 0}};
    world->place = place_hall;
    world_add_pieces(world, &ground, 1, 4);
    world_add_pieces(world, pieces, sizeof pieces / sizeof *pieces, sides);
    models_mesh *gear = world_add_shape(world, "gear");
    if (gear && !models_make_sized(gear, "gear", 40 * (size_t)sides)) {
        gear->failed = 1;
    } else if (gear) {
        models_fit(gear, 2 * gear_radius, 1);
    }
    world_add_object(world, "floor", 0, MODELS_GROUP_STILL, 0, 0, 0);
    add_rows(world, machines, columns);
    add_crane(world, width, depth);
}
