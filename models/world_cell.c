/* A robot cell: an arm of six joints picks a part from a tray and carries it to a vice, and on the way hits a camera
 * that the path does not know of. Behind it a conveyor runs. */
#include "world_cell.h"

#include <math.h>

/* ---- The path ---- */

/* Where the tip of the gripper is: angle around the arm, distance from it, height, turn of the gripper, and how far its
 * fingers are open (0 to 1). */
typedef struct way_point {
    double time, angle, reach, height, roll, open;
} way_point;

#define PICK_TIP (CELL_PICK_HEIGHT + CELL_GRIP - CELL_TIP)
#define PLACE_TIP (CELL_PLACE_HEIGHT + CELL_GRIP - CELL_TIP)
#define CARRY_TIP (CELL_TABLE + 150)
#define GRIPPED 0.32
#define RELEASED 0.86

static const way_point way[] = {{0, -1.15, 520, 800, -1.2, 1},
                                {0.14, -CELL_SIDE_ANGLE, CELL_REACH, CARRY_TIP, 0, 1},
                                {0.25, -CELL_SIDE_ANGLE, CELL_REACH, PICK_TIP, 0, 1},
                                {GRIPPED, -CELL_SIDE_ANGLE, CELL_REACH, PICK_TIP, 0, 0},
                                {0.42, -CELL_SIDE_ANGLE, CELL_REACH, CARRY_TIP, 0, 0},
                                {0.70, CELL_SIDE_ANGLE, CELL_REACH, CARRY_TIP, 0, 0},
                                {0.80, CELL_SIDE_ANGLE, CELL_REACH, PLACE_TIP, 0, 0},
                                {RELEASED, CELL_SIDE_ANGLE, CELL_REACH, PLACE_TIP, 0, 1},
                                {0.94, CELL_SIDE_ANGLE, CELL_REACH, CARRY_TIP, 0, 1},
                                {1, 0.7, 560, 760, 0.8, 1}};

enum {
    WAY_POINTS = sizeof way / sizeof *way
};

static way_point way_at(double time)
{
    int i = 1;
    while (i + 1 < WAY_POINTS && time > way[i].time) {
        i++;
    }
    const way_point *from = &way[i - 1], *to = &way[i];
    const double t = world_ease((time - from->time) / (to->time - from->time));
    const way_point at = {time,
                          from->angle + t * (to->angle - from->angle),
                          from->reach + t * (to->reach - from->reach),
                          from->height + t * (to->height - from->height),
                          from->roll + t * (to->roll - from->roll),
                          from->open + t * (to->open - from->open)};
    return at;
}

/* ---- Joints ---- */

/* Turns of the shoulder and the elbow that bring the wrist to a place in the arm's plane, the elbow up. Both turn
 * about y: a turn by an angle leads from up towards forward, and from forward towards down. */
static void reach_for(double forward, double up, double *shoulder, double *elbow)
{
    const double a = CELL_UPPER_LENGTH, b = CELL_ELBOW_LENGTH + CELL_FOREARM_LENGTH;
    const double square = forward * forward + up * up, distance = sqrt(square);
    const double bend = acos(fmax(-1, fmin(1, (a * a + square - b * b) / (2 * a * distance))));
    *shoulder = atan2(forward, up) - bend;
    const double left_forward = forward - a * sin(*shoulder), left_up = up - a * cos(*shoulder);
    *elbow = atan2(-left_up, left_forward) - *shoulder;
}

static tumble_pose after(const tumble_pose *parent, double x, double y, double z, int axis, double angle)
{
    const tumble_pose shift = world_shift(x, y, z), turn = world_turn(axis, angle);
    const tumble_pose local = tumble_pose_compose(&shift, &turn);
    return tumble_pose_compose(parent, &local);
}

/* Frames of the links; the gripper points down. */
static void place_arm(const way_point *at, tumble_pose *frames)
{
    const double up = at->height + CELL_TIP + CELL_WRIST_LENGTH - CELL_TURRET_HEIGHT - CELL_SHOULDER_HEIGHT;
    double shoulder, elbow;
    reach_for(at->reach - CELL_SHOULDER_FORWARD, up, &shoulder, &elbow);
    const double wrist = 0.25 * MODELS_FULL_TURN - shoulder - elbow;
    frames[CELL_STILL] = tumble_pose_identity();
    frames[CELL_TURRET] = after(&frames[CELL_STILL], 0, 0, CELL_TURRET_HEIGHT, 2, at->angle);
    frames[CELL_UPPER] = after(&frames[CELL_TURRET], CELL_SHOULDER_FORWARD, 0, CELL_SHOULDER_HEIGHT, 1, shoulder);
    frames[CELL_ELBOW] = after(&frames[CELL_UPPER], 0, 0, CELL_UPPER_LENGTH, 1, elbow);
    frames[CELL_FOREARM] = after(&frames[CELL_ELBOW], CELL_ELBOW_LENGTH, 0, 0, 0, 0);
    frames[CELL_WRIST] = after(&frames[CELL_FOREARM], CELL_FOREARM_LENGTH, 0, 0, 1, wrist);
    frames[CELL_TOOL] = after(&frames[CELL_WRIST], CELL_WRIST_LENGTH, 0, 0, 0, at->roll);
}

/* ---- Objects ---- */

/* The part in the gripper: its axis along the gripper's. */
static tumble_pose held_part(const tumble_pose *tool)
{
    return after(tool, CELL_GRIP, 0, 0, 1, 0.25 * MODELS_FULL_TURN);
}

/* Where the part is: as the gripper found it, in the gripper, or as it was left. */
static tumble_pose place_part(double time)
{
    tumble_pose frames[CELL_CARRIERS];
    const way_point at = way_at(fmax(GRIPPED, fmin(RELEASED, time)));
    place_arm(&at, frames);
    return held_part(&frames[CELL_TOOL]);
}

/* Fingers and jaws leave a gap of half a millimetre to the part. */
static double opening(double half, double open)
{
    return CELL_PART_RADIUS + half + 0.5 + 26 * open;
}

/* The jaws close when the part has been let go. */
static double jaw_opening(double time)
{
    return opening(CELL_JAW_HALF, 0.5 * (1 - world_ease((time - RELEASED) / 0.06)));
}

static tumble_pose place_object(const models_world_object *object, const tumble_pose *frames, const way_point *at)
{
    const double side = object->motion[0];
    switch (object->carrier) {
    case CELL_STILL: return object->home;
    case CELL_FINGER: return after(&frames[CELL_TOOL], 0, side * opening(CELL_FINGER_HALF, at->open), 0, 0, 0);
    case CELL_PART: return place_part(at->time);
    case CELL_JAW: return after(&object->home, side * jaw_opening(at->time), 0, 0, 0, 0);
    case CELL_ROLLER: return after(&object->home, 0, 0, 0, 0, -at->time * 440 / 25);
    case CELL_BOX: return after(&object->home, 0, at->time * 440, 0, 0, 0);
    default: return frames[object->carrier];
    }
}

static void place_cell(const models_world *world, size_t step, tumble_pose *poses)
{
    const double time = world->step_count > 1 ? (double)step / (double)(world->step_count - 1) : 0;
    tumble_pose frames[CELL_CARRIERS];
    const way_point at = way_at(time);
    place_arm(&at, frames);
    for (size_t i = 0; i < world->object_count; i++) {
        poses[i] = place_object(&world->objects[i], frames, &at);
    }
}

void world_make_cell(models_world *world, const double *values)
{
    world->place = place_cell;
    cell_add_parts(world, models_round(values[1], 8) / 4 * 4);
}
