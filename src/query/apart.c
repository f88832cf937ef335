/* Boxes of models, by their middles, which are rounded: apart_kernel.c allows for that. */
#include "query/apart.h"

#include <math.h>

#include "math/pose.h"

/* With scales between 2^-150 and 2^150, as TMB_POSE_MOST_SQUARE has it, products of the relative pose, this and once
 * more a scale are finite. */
#define PLAIN_LENGTH 0x1p500

static const tumble_pose identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static int is_plain(const tumble_pose *pose)
{
    return tmb_pose_is_plainly_good(pose) && fabs(pose->m[0][3]) < PLAIN_LENGTH && fabs(pose->m[1][3]) < PLAIN_LENGTH &&
           fabs(pose->m[2][3]) < PLAIN_LENGTH;
}

static void set_middle(const double lower[3], const double upper[3], tmb_middle *out)
{
    out->reach = out->half[3] = 0;
    for (int k = 0; k < 3; k++) {
        const double low = fabs(lower[k]), high = fabs(upper[k]), largest = low > high ? low : high;
        out->reach = out->reach > largest ? out->reach : largest;
        out->centre[k] = lower[k] / 2 + upper[k] / 2;
        out->half[k] = upper[k] / 2 - lower[k] / 2;
    }
}

void tmb_place(const tumble_model *model, const tumble_pose *pose, tmb_placed *out)
{
    set_middle(model->block->lower, model->block->upper, &out->box);
    out->pose = pose ? pose : &identity;
    out->is_plain = out->box.reach < PLAIN_LENGTH && (!pose || is_plain(pose));
}

tmb_boxes_apart_kernel *tmb_boxes_apart_for(const tumble_context *context)
{
    return TMB_PICK_KERNEL(context, tmb_boxes_are_apart);
}

int tmb_placed_apart(const tumble_context *context, const tmb_placed *a, const tmb_placed *b, double clearance)
{
    return a->is_plain && b->is_plain && tmb_boxes_apart_for(context)(&a->box, a->pose, &b->box, b->pose, clearance);
}
