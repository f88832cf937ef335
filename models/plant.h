/* A process plant that is assembled, and a grid of bars.
 *
 * M. Figueiredo, Interactive collision detection for 3D environments, section 4 (S-CD). The paper's plant is not
 * public: this one is generated, with as many parts, surfaces, triangles and steps. The grid has the size of the one of
 * S. Trenkel, R. Weller, G. Zachmann, A benchmarking suite for static collision detection algorithms, WSCG 2007.
 * Coordinates are rounded to float. */
#ifndef TUMBLE_MODELS_PLANT_H
#define TUMBLE_MODELS_PLANT_H

#include "models.h"

enum {
    MODELS_PLANT_FRAME,
    MODELS_PLANT_VESSEL,
    MODELS_PLANT_EXCHANGER,
    MODELS_PLANT_PUMP,
    MODELS_PLANT_VALVE,
    MODELS_PLANT_HEADER,
    MODELS_PLANT_SPOOL,
    MODELS_PLANT_BRIDGE,
    MODELS_PLANT_PARTS,

    MODELS_PLANT_OPERATIONS = 6,
    MODELS_PLANT_SURFACES = 1073,
    MODELS_PLANT_TRIANGLES = 24415,
    MODELS_PLANT_STEPS = 233
};

typedef struct models_plant_part {
    const char *name;
    models_mesh mesh; /* at its place in the plant; surfaces are numbered from 0 */
    uint32_t surface_count;
} models_plant_part;

/* One part is brought to its place on another: slid and turned along the joint, with the faces pressed together. */
typedef struct models_plant_operation {
    const char *name;
    int moving, target; /* parts */
    tumble_pose *path;  /* of the moving part; the target stays */
    size_t path_length;
} models_plant_operation;

typedef struct models_plant {
    models_plant_part parts[MODELS_PLANT_PARTS];
    models_plant_operation operations[MODELS_PLANT_OPERATIONS];
} models_plant;

int models_make_plant(models_plant *plant); /* 0 when memory ran out: then it is empty */
void models_free_plant(models_plant *plant);

/* The grid of 414,720 triangles in a cube of side 2: bars along the edges of 7 x 7 x 7 cubes, every face of a bar and
 * of a node cut into 6 x 6 squares (or `cuts` x `cuts`). One surface. 0 when memory ran out. */
enum {
    MODELS_GRID_CUTS = 6,
    MODELS_GRID_TRIANGLES = 414720
};
int models_make_grid(models_mesh *mesh, uint32_t cuts);

#endif
