/* A ray and a triangle, exactly: whether they meet, where along the ray, and which of two triangles comes first.
 *
 * A ray is the points origin + t * direction with t in a closed range, a triangle a closed set; one without area is the
 * segment or point that its corners cover. Parameters are quotients of polynomials in the coordinates: they are
 * compared as such, and rounded once. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_RAY_H
#define TUMBLE_SRC_PRIM_TRIANGLE_RAY_H

#include <stdint.h>

typedef struct tmb_ray {
    double origin[3], direction[3]; /* finite; the direction is not 0 */
    double first, last;             /* the range of t: first <= last, either may be infinite */
} tmb_ray;

/* What defines the parameter of the first common point. */
typedef enum tmb_ray_kind {
    TMB_RAY_CROSSING, /* the ray passes through the plane of the triangle */
    TMB_RAY_CORNER,   /* it lies in the plane, and gets to the corner `from` first */
    TMB_RAY_EDGE,     /* ... to the edge between `from` and `to` */
    TMB_RAY_START,    /* ... or starts in the triangle */
    TMB_RAY_ROUND     /* of triangles with a radius: `from` and `to` are masks, see prim/triangle_ray_thick.h */
} tmb_ray_kind;

typedef struct tmb_ray_point {
    double t, error; /* the parameter is within the error of t; an error of -1: it is t, rounded to nearest */
    tmb_ray_kind kind;
    int8_t from, to; /* corners */
    int8_t axis;     /* along which the plane is seen */
    int8_t side;     /* 1: the ray comes from where corners turn left, -1: from the other side, 0: edge-on */
} tmb_ray_point;

/* Whether they meet; `exact` counts the signs that doubles could not tell. */
int tmb_ray_meets(const tmb_ray *ray, const double corners[3][3], tmb_ray_point *point, uint64_t *exact);

/* Rounds the parameter to the nearest double: INFINITY above all doubles. */
void tmb_ray_round(const tmb_ray *ray, const double corners[3][3], tmb_ray_point *point);

/* Negative, 0 or positive: which of two triangles the ray meets first. May round the parameters. */
int tmb_ray_compare(const tmb_ray *ray, const double a[3][3], tmb_ray_point *at_a, const double b[3][3],
                    tmb_ray_point *at_b);

#endif
