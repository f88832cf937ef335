/* Cylinders with flat ends: all points within a radius of a segment's line, between the planes through its ends. */
#ifndef TUMBLE_SRC_PRIM_CYLINDER_H
#define TUMBLE_SRC_PRIM_CYLINDER_H

#include "base/context.h"
#include "math/scaled.h"

typedef struct tmb_cylinder {
    const double *from, *to; /* the ends of its axis */
    tmb_limit radius;        /* finite */
} tmb_cylinder;

/* Whether a closed triangle (segment, point) and a cylinder have a common point: exactly, for all finite doubles. A
 * cylinder whose ends are equal is the ball around them. `exact`, if not NULL, is incremented if doubles could not
 * decide. */
int tmb_triangle_meets_cylinder(const double triangle[3][3], const tmb_cylinder *cylinder, unsigned long long *exact);

/* Whether a closed triangle and its inside, without its surface, have one; likewise. */
int tmb_triangle_enters_cylinder(const double triangle[3][3], const tmb_cylinder *cylinder, unsigned long long *exact);

/* Whether a point is inside it, not on its surface; likewise. */
int tmb_cylinder_holds(const tmb_cylinder *cylinder, const double point[3], unsigned long long *exact);

/* Whether they and a solid box have a common point; likewise. */
int tmb_box_meets_cylinder(const double lower[3], const double upper[3], const tmb_cylinder *cylinder,
                           unsigned long long *exact);

/* The same of a cylinder, whose ends differ, and the ball with this centre and radius (finite). -1: memory ran out. */
int tmb_ball_meets_cylinder(tumble_context *context, const double centre[3], const tmb_limit *radius,
                            const tmb_cylinder *cylinder, unsigned long long *exact);

#endif
