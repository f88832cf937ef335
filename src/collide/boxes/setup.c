/* Sets up the walk through two hierarchies of any kind. */
#include <math.h>

#include "collide/boxes/walk.h"
#include "math/bounds.h"

#define FIRST_ROOM 32 /* floors */

int tmb_boxes_reserve(tmb_boxes_walk *w, size_t floor)
{
    tmb_collider *c = w->collider;
    tumble_context *context = c->encounter.query->context;
    if (floor < w->room) {
        return 1;
    }
    const size_t room = w->room ? 2 * w->room : FIRST_ROOM;
    if (!tmb_buffer_reserve(context, &c->scratch->stack, room, sizeof *w->floors, w->room * sizeof *w->floors)) {
        c->encounter.status = tmb_fail_memory(context, "the walk of a query");
        return 0;
    }
    w->floors = c->scratch->stack.data;
    w->room = room;
    return 1;
}

/* Points that are farther apart than (limit / least + slack) in B's frame are farther apart than the limit in A's. */
static double far_in_b(const tmb_box_frames *frames, double limit)
{
    return frames->has_b ? (frames->slack + limit / frames->least) * (1 + TMB_FRAME_ROUNDING) + TMB_BOX_LEAST_MARGIN
                         : INFINITY;
}

void tmb_collide_boxes(tmb_collider *c)
{
    tmb_boxes_walk walk = {.collider = c, .frames = tmb_box_frames_of(&c->encounter)};
    walk.trees[TMB_BOXES_A] = tmb_box_view_of(c->encounter.a);
    walk.trees[TMB_BOXES_B] = tmb_box_view_of(c->encounter.b);
    walk.far[TMB_BOXES_A] = c->limit;
    walk.far[TMB_BOXES_B] = far_in_b(&walk.frames, c->limit);
    if (tmb_boxes_reserve(&walk, 0)) {
        TMB_PICK_KERNEL(c->encounter.query->context, tmb_boxes_walk)(&walk);
    }
}
