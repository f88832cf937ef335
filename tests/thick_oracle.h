/* The truth about polygons with a radius, in floats of 1,536 bits: what differs by less than 2^-700 of the numbers that
 * it comes from is equal, as the coordinates of tests have too few digits for anything else. */
#ifndef TUMBLE_TESTS_THICK_ORACLE_H
#define TUMBLE_TESTS_THICK_ORACLE_H

#include "ray_oracle.h"

typedef struct thick_oracle thick_oracle;
thick_oracle *thick_oracle_create(void);
void thick_oracle_destroy(thick_oracle *truth);

/* All hits of a mesh of triangles whose polygons have these radii, in order; the array is the oracle's, until the next
 * call. The points are not set. */
size_t thick_oracle_ray(thick_oracle *truth, const models_mesh *mesh, const double *radii, const oracle_ray *ray,
                        const tumble_ray_hit **hits);

/* All hits of cylinders with flat ends, whose axes are six numbers each: where the ray is both between the end planes
 * and within the radius from the axis. A radius of 0 makes a segment. */
size_t thick_oracle_cylinders(thick_oracle *truth, const double *ends, const double *radii, size_t cylinders,
                              const oracle_ray *ray, const tumble_ray_hit **hits);

#endif
