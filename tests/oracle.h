/* The truth about two triangles, in exact arithmetic (GMP), written to be obvious rather than quick.
 *
 * Triangles are closed sets; one without area is the segment or the point that it covers. Every finite double is the
 * rational number that it represents. Nothing here shares a method with the library: the intersection is found by
 * clipping edges against the linear equations and inequalities that describe a triangle; the distance, by trying all
 * pairs of faces, which needs no notion of intersection and so checks the former. */
#ifndef TUMBLE_TESTS_ORACLE_H
#define TUMBLE_TESTS_ORACLE_H

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

/* Working memory. One for each thread; the functions stop the program when memory runs out. */
typedef struct oracle oracle;
oracle *oracle_create(void);
void oracle_destroy(oracle *truth);

/* 1 when the triangles have a point in common, else 0. */
int oracle_intersect(oracle *truth, const double a[3][3], const double b[3][3]);

typedef struct oracle_common {
    int dimension;   /* of what they have in common: -1 nothing, 0 one point, 1 a segment, 2 an area */
    int dimension_a; /* of triangle a: 0 a point, 1 a segment, 2 a triangle with an area */
    int dimension_b;
    int coplanar;      /* some plane holds all six corners */
    double ends[2][3]; /* of the common segment, the common point twice, or two points of the area; rounded towards 0 */
} oracle_common;

/* All about the common part. */
oracle_common oracle_describe(oracle *truth, const double a[3][3], const double b[3][3]);

/* The exact square of the distance; `squared` must be initialised. */
void oracle_squared_distance(oracle *truth, const double a[3][3], const double b[3][3], mpq_t squared);

/* Checks a contact that was reported for an intersecting pair. `coplanar` must be 1 exactly when one plane holds all
 * six corners. Then `points` must be one common point, given twice: one of the corners that lie in the other triangle,
 * or, where there is none, a point whose distance from each triangle is at most the largest of the tolerances.
 * Otherwise `points` must be the ends of the common segment, in either order: a corner exactly, another point within
 * `tolerance` along each axis; and bitwise equal when only one point is common. A corner is any of the three that were
 * given, also one between the ends of a segment. Returns null, or what is wrong. */
const char *oracle_check_contact(oracle *truth, const double a[3][3], const double b[3][3], int coplanar,
                                 const double points[2][3], const double tolerance[3]);

/* Triangles over points that already stand where they belong. */
typedef struct oracle_mesh {
    const double (*points)[3];
    const uint32_t (*triangles)[3];
    size_t triangle_count;
} oracle_mesh;

/* All intersecting pairs (triangle of a, triangle of b) by trying every one, in ascending order. `*pairs` is to be
 * released with free(). Returns their number. */
size_t oracle_pairs(oracle *truth, const oracle_mesh *a, const oracle_mesh *b, uint32_t (**pairs)[2]);

#endif
