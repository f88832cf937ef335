/* What the parts of the plant are made of. */
#ifndef TUMBLE_MODELS_PLANT_PIECES_H
#define TUMBLE_MODELS_PLANT_PIECES_H

#include "build.h"

/* A surface of its own for every patch of a CAD model: what the parts are made of (plant_pieces.c). Every function adds
 * triangles and counts the surfaces up. */
typedef struct plant_outline {
    double along, radius; /* a radius of 0 closes an end */
    int smooth;           /* the strip that ends here belongs to the surface before */
} plant_outline;

void plant_turned(models_mesh *mesh, uint32_t sides, const double origin[3], const double axis[3],
                  const plant_outline *outline, uint32_t count);
void plant_box(models_mesh *mesh, const double centre[3], const double half[3]);

/* A ring with its face at `at`, looking along the axis, and bolts after it; 3 surfaces, and 2 per bolt. */
typedef struct plant_flange {
    double inner, outer, thickness;
    uint32_t bolts;
} plant_flange;
void plant_add_flange(models_mesh *mesh, uint32_t sides, const double at[3], const double axis[3],
                      const plant_flange *flange);
void plant_bolt(models_mesh *mesh, const double at[3], const double axis[3], double radius, double height);

/* A stub of this length that ends in a flange. */
void plant_nozzle(models_mesh *mesh, uint32_t sides, const double from[3], const double axis[3], double length,
                  double radius, uint32_t bolts);

/* Straight walls and quarter bends along axis-parallel lines, with flanges at both ends. */
void plant_pipe(models_mesh *mesh, uint32_t sides, const double (*corners)[3], uint32_t count, double radius,
                uint32_t bolts);
void plant_torus(models_mesh *mesh, uint32_t sides, const double centre[3], const double axis[3], double major,
                 double minor);

/* The parts of the plant, as coarse as they can be (plant_parts.c). */
void plant_make_part(models_mesh *mesh, int part);

#endif
