/* How far a model reaches in 26 directions, and from that its box at any pose.
 *
 * The directions are those with coordinates of 0, 1 and -1. A vector u with |u_i| >= |u_j| >= |u_k| is
 *     (|u_i| - |u_j|) d_i + (|u_j| - |u_k|) d_ij + |u_k| d_ijk
 * where d_i, d_ij and d_ijk have the signs of u in these coordinates and 0 elsewhere. All factors are at least 0, so
 * the model reaches at most as far along u as the same sum of its extents: the realignment of k-DOPs by three of their
 * bounds (Zachmann; Fuenfzig and Fellner, section 2), with k = 26 and without a search. */
#ifndef TUMBLE_SRC_SCENE_EXTENTS_H
#define TUMBLE_SRC_SCENE_EXTENTS_H

#include "math/bounds.h"
#include "query/apart.h"
#include "scene/bounds.h"
#include "scene/box_tree.h"
#include "tree/model.h"
#include "tumble/math.h"

#define TMB_EXTENTS 27

/* So that sums of coordinates of boxes stay finite. */
#define TMB_SCENE_BOX_MOST (FLT_MAX / 8)

typedef struct tmb_extents {
    /* Number 13 + 9 x + 3 y + z: at least the largest product of the direction (x, y, z) with a point; INFINITY where
     * sums overflow. */
    double along[TMB_EXTENTS];
    tmb_middle box;
    int is_empty; /* no triangles */
} tmb_extents;

/* Of a model with its radius, and `padding` more. */
void tmb_extents_of(const tumble_model *model, double padding, tmb_extents *out);

/* How far the model reaches along u: forward, and backward. */
void tmb_extents_along(const tmb_extents *extents, const double u[3], double *forward, double *backward);

/* Boxes of a scene are floats relative to a point near its middle, times a power of two. */
typedef struct tmb_scene_frame {
    double origin[3], scale;
    double lost; /* tmb_extents_lost of the scene's models */
} tmb_scene_frame;

/* What underflow may take from a coordinate of another model in the frame of an object, if no coordinate of that model
 * is larger than `reach`. */
double tmb_extents_lost(double reach);

/* The box, in the scene's frame, of everything within `clearance` of the model at a pose, rounded outward, and finite.
 * Any two models that meet by tumble_collide at their poses, or are within the sum of both clearances, have boxes that
 * overlap. */
tmb_box tmb_extents_box(const tmb_extents *extents, const tumble_pose *pose, double clearance,
                        const tmb_scene_frame *frame);

/* The same in doubles and in the frame of the poses; infinite where it overflows. */
void tmb_extents_world(const tmb_extents *extents, const tumble_pose *pose, double clearance, double lost,
                       double lower[3], double upper[3]);

/* Whether two models at their poses are plainly farther apart than `clearance`, by their boxes or by their extents
 * along the axes of both: 0 says nothing. */
int tmb_extents_are_apart(tmb_boxes_apart_kernel *boxes, const tmb_extents *a, const tumble_pose *pose_a,
                          const tmb_extents *b, const tumble_pose *pose_b, double clearance);

#endif
