/* The truth about rays and triangles, in rational arithmetic: the triangle as linear equations and inequalities, each
 * of which leaves a range of the ray's parameter. */
#ifndef TUMBLE_TESTS_RAY_ORACLE_H
#define TUMBLE_TESTS_RAY_ORACLE_H

#include <gmp.h>

#include "models.h"
#include "tumble/ray.h"

typedef struct ray_oracle ray_oracle;
ray_oracle *ray_oracle_create(void);
void ray_oracle_destroy(ray_oracle *truth);

typedef struct oracle_ray {
    double origin[3], direction[3], t0, t1;
} oracle_ray;

/* Whether they have a point in common; `t`, which is initialised, receives the least parameter. `inside`, which may be
 * null: whether it is one point, on no edge. */
int ray_oracle_meets(ray_oracle *truth, const oracle_ray *ray, const double corners[3][3], mpq_t t, tumble_side *side,
                     int *inside);

/* Whether a double is the nearest to a number, ties to even, INFINITY above the largest. */
int ray_oracle_is_rounded(double rounded, const mpq_t exact);

/* All hits of a mesh of triangles, in order; the array is the oracle's, until the next call. The points are not set. */
size_t ray_oracle_all(ray_oracle *truth, const models_mesh *mesh, const oracle_ray *ray, const tumble_ray_hit **hits);

/* Where a point is, by rays that pass no edge. */
tumble_inside_answer ray_oracle_inside(ray_oracle *truth, const models_mesh *mesh, const double point[3],
                                       tumble_inside_rule rule);

#endif
