/* The robot cell: what its two files share. Lengths are millimetres; z is up, the arm stands at the origin. */
#ifndef TUMBLE_MODELS_WORLD_CELL_H
#define TUMBLE_MODELS_WORLD_CELL_H

#include "world_build.h"

/* What carries an object. */
enum {
    CELL_STILL,
    CELL_TURRET, /* the links of the arm, each on the one before */
    CELL_UPPER,
    CELL_ELBOW,
    CELL_FOREARM,
    CELL_WRIST,
    CELL_TOOL,
    CELL_FINGER, /* motion[0]: to which side it opens, 1 or -1 */
    CELL_PART,   /* rests, is carried, and rests again */
    CELL_JAW,    /* motion[0]: to which side it opens */
    CELL_ROLLER,
    CELL_BOX, /* on the conveyor */
    CELL_CARRIERS
};

#define CELL_SHOULDER_FORWARD 60.0
#define CELL_TURRET_HEIGHT 420.0
#define CELL_SHOULDER_HEIGHT 220.0 /* above the turret's origin */
#define CELL_UPPER_LENGTH 450.0
#define CELL_ELBOW_LENGTH 240.0
#define CELL_FOREARM_LENGTH 260.0
#define CELL_WRIST_LENGTH 75.0
#define CELL_TIP 155.0  /* of the fingers, from the tool's origin */
#define CELL_GRIP 140.0 /* where the part is held */
#define CELL_TABLE 451.0
#define CELL_PART_RADIUS 45.0
#define CELL_FINGER_HALF 9.0
#define CELL_JAW_HALF 10.0

/* Where the part is picked up and put down: on a circle around the arm, at this angle to either side. */
#define CELL_SIDE_ANGLE 0.38
#define CELL_REACH 690.0
#define CELL_PICK_HEIGHT (CELL_TABLE + 30)
#define CELL_PLACE_HEIGHT (CELL_TABLE + 45)

/* Shapes and objects; nothing moves yet (world_cell_parts.c). */
void cell_add_parts(models_world *world, uint32_t sides);

#endif
