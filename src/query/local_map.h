/* Maps between the local coordinates of two models, which are in [-1, 1]. */
#ifndef TUMBLE_SRC_QUERY_LOCAL_MAP_H
#define TUMBLE_SRC_QUERY_LOCAL_MAP_H

#include <math.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "query/encounter.h"

typedef struct tmb_local_map {
    double m[3][3], shift[3];
} tmb_local_map;

/* From B's local coordinates to A's. */
static inline tmb_local_map tmb_map_into_a(const tmb_encounter *e)
{
    TMB_ASSERT(e->a->frame.scale > 0 && e->b->frame.scale > 0);
    const tmb_local_frame *fa = &e->a->frame, *fb = &e->b->frame;
    tmb_local_map map;
    const double ratio = fa->scale / fb->scale;
    for (int k = 0; k < 3; k++) {
        const double *row = e->relative.m[k];
        const double moved = (row[0] * fb->centre[0] + row[1] * fb->centre[1]) + (row[2] * fb->centre[2] + row[3]);
        map.shift[k] = (moved - fa->centre[k]) * fa->scale;
        for (int j = 0; j < 3; j++) {
            map.m[k][j] = row[j] * ratio;
        }
    }
    return map;
}

/* And back. */
static inline tmb_local_map tmb_map_inverse(const tmb_local_map *map)
{
    tmb_local_map out;
    const double(*m)[3] = map->m;
    double cofactors[3][3], determinant = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            cofactors[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
        determinant += m[0][i] * cofactors[0][i];
    }
    for (int k = 0; k < 3; k++) {
        out.shift[k] = 0;
        for (int j = 0; j < 3; j++) {
            out.m[k][j] = cofactors[j][k] / determinant;
            out.shift[k] -= out.m[k][j] * map->shift[j];
        }
    }
    return out;
}

/* The largest absolute value that a coordinate of a moved point can take. */
static inline double tmb_map_reach(const tmb_local_map *map)
{
    double reach = 0;
    for (int k = 0; k < 3; k++) {
        const double *row = map->m[k];
        reach = tmb_greater(reach, fabs(row[0]) + fabs(row[1]) + fabs(row[2]) + fabs(map->shift[k]));
    }
    return reach;
}

/* B's local unit in A's. */
static inline double tmb_map_scale(const tmb_local_map *map)
{
    return sqrt((map->m[0][0] * map->m[0][0] + map->m[1][0] * map->m[1][0]) + map->m[2][0] * map->m[2][0]);
}

/* How much a map can stretch lengths at most: the square is at most the largest row sum of m m^T. */
static inline double tmb_map_stretch(const tmb_local_map *map)
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int j = 0; j < 3; j++) {
            double dot = 0;
            for (int k = 0; k < 3; k++) {
                dot += map->m[i][k] * map->m[j][k];
            }
            sum += fabs(dot);
        }
        most = tmb_greater(most, sum);
    }
    return sqrt(most) * (1 + TMB_MAP_ROUNDING);
}

/* The error of all computations in double, in A's local unit. */
static inline double tmb_point_error(const tmb_encounter *e)
{
    const tmb_local_frame *fa = &e->a->frame;
    double size = 0;
    for (int k = 0; k < 3; k++) {
        const double *row = e->relative.m[k];
        double sum = fabs(row[3]) + fabs(fa->centre[k]);
        for (int j = 0; j < 3; j++) {
            sum += fabs(row[j]) * tmb_greater(fabs(e->b->block->lower[j]), fabs(e->b->block->upper[j]));
        }
        size = tmb_greater(size, sum);
    }
    return TMB_POINT_ROUNDING * size * fa->scale;
}

#endif
