/* Closed models, their parts, and what is inside, in rational arithmetic: for relations. */
#ifndef TUMBLE_TORTURE_SOLID_H
#define TUMBLE_TORTURE_SOLID_H

#include "truth.h"

/* Whether each edge has an even number of triangles (and there are some); with `strictly`, exactly two, in opposite
 * directions. Triangles with two equal corners do not count. */
int torture_is_closed(const torture_triangles *triangles, int strictly);

/* Numbers the parts that are connected by common points, from 0; returns how many there are. */
size_t torture_find_parts(const torture_triangles *triangles, uint32_t *parts);

typedef struct torture_point {
    mpq_t at[3];
} torture_point;
void torture_point_init(torture_point *point);
void torture_point_clear(torture_point *point);
void torture_point_set(torture_point *point, const double at[3]);

/* share * x + (1 - share) * y */
void torture_point_mix(torture_point *out, const torture_point *x, const torture_point *y, double share);

/* The sign of the determinant of three vectors. */
int torture_orientation(const torture_point *u, const torture_point *v, const torture_point *w);

typedef enum torture_side {
    TORTURE_OUTSIDE,
    TORTURE_INSIDE,
    TORTURE_ON_SURFACE,
    TORTURE_UNKNOWN /* all rays that were tried ran through an edge */
} torture_side;
torture_side torture_locate(const torture_triangles *closed, const torture_point *point);

/* What is known of the relation of two models at a pose. `is_certain` is 0 where surfaces meet and no point was found
 * that makes them cross: then touching is right, and crossing may be. */
typedef struct torture_relation {
    tumble_relation relation;
    int is_certain, closed[2], meet;
} torture_relation;

/* `own` are the triangles in their own frames: what is closed is said of these. */
torture_relation torture_find_relation(torture_truth *truth, oracle *exact, const torture_triangles own[2],
                                       uint64_t seed);

#endif
