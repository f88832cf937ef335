/* Whether two models are plainly apart by their boxes along the axes of both: the fixed cost of most questions. */
#ifndef TUMBLE_SRC_QUERY_APART_H
#define TUMBLE_SRC_QUERY_APART_H

#include "base/kernel.h"
#include "tree/model.h"
#include "tumble/math.h"

/* A box that holds a model, by its middle. */
typedef struct tmb_middle {
    double centre[3], half[4]; /* the last is 0 */
    double reach;              /* no coordinate is larger */
} tmb_middle;

/* Whether the boxes of two models at their poses are plainly farther apart than `clearance` along the axes of one of
 * them: then no points of them, as tumble_collide moves them, are that close. 0 says nothing. */
typedef int tmb_boxes_apart_kernel(const tmb_middle *a, const tumble_pose *pose_a, const tmb_middle *b,
                                   const tumble_pose *pose_b, double clearance);
TMB_DECLARE_KERNELS(tmb_boxes_apart_kernel, tmb_boxes_are_apart);
tmb_boxes_apart_kernel *tmb_boxes_apart_for(const tumble_context *context);

/* The bounds of a model, without its radius, and where they stand. */
typedef struct tmb_placed {
    tmb_middle box;
    const tumble_pose *pose;
    int is_plain; /* the pose is valid, and nothing that a question computes of it and the model overflows */
} tmb_placed;

/* A NULL pose is the identity. */
void tmb_place(const tumble_model *model, const tumble_pose *pose, tmb_placed *out);

/* Whether they are certain to be apart by more than the clearance. */
int tmb_placed_apart(const tumble_context *context, const tmb_placed *a, const tmb_placed *b, double clearance);

#endif
