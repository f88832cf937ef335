/* What the scenes are made of. */
#ifndef TUMBLE_MODELS_SCENE_PARTS_H
#define TUMBLE_MODELS_SCENE_PARTS_H

#include "build.h"
#include "paper_scenes.h"

/* A rotation by a quaternion (w, x, y, z) of length one. */
tumble_pose models_quaternion_pose(const double quaternion[4], const double position[3]);

/* Bodies of many closed parts, as CAD systems make them. */
void models_make_airliner(models_mesh *mesh);
void models_make_hand(models_mesh *mesh);
void models_make_interior(models_mesh *mesh);

/* A torus that is bent and swollen here and there, and a floor with stalagmites. */
void models_make_bent_torus(models_mesh *mesh);
void models_make_cave(models_mesh *mesh);

/* Tetrahedra in a box, no two of which touch. `clear`, when there is one, may refuse a place: a ball around a
 * tetrahedron. The mesh has failed when there is no room for so many. */
typedef struct models_strewn {
    size_t count;
    double lower[3], upper[3];
    double radius; /* of the balls around them */
    uint64_t seed;
    int (*clear)(void *user, const double centre[3], double radius);
    void *user;
} models_strewn;
void models_strew_tetrahedra(models_mesh *mesh, const models_strewn *strewn);

/* Three crossed bars, its path, and tetrahedra around it. */
int models_make_swept(models_scene *scene);
int models_make_swept_hull(models_scene *scene);

/* The path of the hand. */
int models_make_hand_path(models_scene *scene);

#endif
