/* Whether a point is inside a closed model: the parity of the triangles that a ray from it passes.
 *
 * Rays go along an axis, turned by e towards a second and by e^2 towards the third, for an e that is smaller than any
 * number (Edelsbrunner and Muecke, Simulation of Simplicity, ACM Transactions on Graphics 9(1), 1990): so they pass no
 * edge and no corner, and lie in no plane. Signs of determinants are exact, and where one is 0 the turn decides. */
#ifndef TUMBLE_SRC_RELATE_RAY_H
#define TUMBLE_SRC_RELATE_RAY_H

#include "relate/point.h"
#include "tree/box_view.h"
#include "tumble/query.h"

/* A model at its pose, in A's frame. */
typedef struct tmb_solid {
    const tumble_model *model;
    const tumble_pose *pose; /* of B, to A's frame; NULL for A */
    tmb_box_view tree;
    double lower[3], upper[3]; /* its box; of a moved model, that of its box's corners when they are moved */
} tmb_solid;

/* The pose takes the model's points to finite ones, and lives as long as the solid. */
tmb_solid tmb_solid_of(const tumble_model *model, const tumble_pose *pose);

/* A triangle's corners, where they stand. */
void tmb_solid_corners(const tmb_solid *solid, uint32_t address, double corners[3][3]);

/* 1: inside, 0: outside. The point is not on the surface, and the model is closed. */
int tmb_is_inside(const tmb_solid *solid, const double point[3], tumble_counters *counters);
int tmb_is_inside_exact(const tmb_solid *solid, const tmb_exact_point *point, tmb_bigfloat_pool *pool,
                        tumble_counters *counters);

/* Where a point is that may be on the surface: how often the surface is passed from back to front and from front to
 * back on the way out, and the least polygon that holds the point; UINT32_MAX: none does. The passages add up to parity
 * and winding number. */
typedef struct tmb_passages {
    uint32_t polygon;
    uint32_t outward, inward;
} tmb_passages;
tmb_passages tmb_count_passages(const tmb_solid *solid, const double point[3], tumble_counters *counters);

/* The same beside a point that may be on the surface, but only on triangles of one plane, which is not parallel to an
 * axis: on the side of it where coordinates along the axis are larger, or where they are smaller. */
int tmb_is_inside_beside(const tmb_solid *solid, const tmb_exact_point *point, int axis, int larger,
                         tmb_bigfloat_pool *pool, tumble_counters *counters);

#endif
