/* Parts of the aeroplane's interior. Each appends to the mesh and leaves `surface` one higher for each kind of thing.
 */
#ifndef TUMBLE_MODELS_INTERIOR_H
#define TUMBLE_MODELS_INTERIOR_H

#include "scene_parts.h"

#define INTERIOR_RADIUS 1.95
#define INTERIOR_LENGTH 3.2
#define INTERIOR_FLOOR (-0.55)
enum {
    INTERIOR_FRAMES = 7
};

double interior_frame_x(int frame);

/* A point at an angle from the right, upwards, and a distance from the middle of the section. */
void interior_on_wall(double x, double angle, double radius, double point[3]);

void interior_add_structure(models_mesh *mesh);
void interior_add_systems(models_mesh *mesh);
void interior_add_cabin(models_mesh *mesh);

#endif
