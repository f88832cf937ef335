/* Sets up the walk through two hierarchies of any kind that starts with a front. */
#include "collide/boxes/front.h"

#include <string.h>

#include "math/bounds.h"

#define PAIR_WORK 9000

/* The motion is computed by squares. */
static int is_usable(const tmb_box_frames *frames)
{
    return frames->reach > TMB_NEAR_LEAST_SCALE && frames->reach < TMB_NEAR_MOST_SCALE;
}

static tmb_front_outlook begin(tmb_front *f)
{
    tmb_collider *c = f->collider;
    tumble_context *context = c->encounter.query->context;
    const tmb_box_frames frames = tmb_box_frames_of(&c->encounter);
    if (!is_usable(&frames)) {
        return TMB_FRONT_NO;
    }
    if (!tmb_buffer_reserve(context, &f->hot->walk, 1, sizeof(tmb_boxes_front), 0)) {
        c->encounter.status = tmb_fail_memory(context, "the walk of a query");
        return TMB_FRONT_NO;
    }
    tmb_boxes_front *w = f->hot->walk.data;
    w->walk = (tmb_boxes_walk){.collider = c, .frames = frames};
    w->walk.trees[TMB_BOXES_A] = tmb_box_view_of(c->encounter.a);
    w->walk.trees[TMB_BOXES_B] = tmb_box_view_of(c->encounter.b);
    w->has_opened[0] = w->has_opened[1] = 0;
    return TMB_FRONT_GO;
}

static void set_root(const tmb_front *f, void *pair)
{
    tmb_boxes_front *w = f->hot->walk.data;
    tmb_boxes_pair *root = pair;
    w->visits = 0;
    memset(root, 0, sizeof *root); /* nodes are compared as bytes, also those that not all trees set */
    memset(w->below, 0, sizeof w->below);
    memset(w->alone, 0, sizeof w->alone);
    root->head = (tmb_front_pair){-INFINITY, 0, 0, UINT64_MAX};
    for (int side = 0; side < 2; side++) {
        (void)tmb_box_view_root(&w->walk.trees[side], &root->nodes[side]);
    }
}

static void walk(tmb_front *f)
{
    TMB_PICK_KERNEL(f->collider->encounter.query->context, tmb_boxes_front_walk)(f);
}

const tmb_front_walk tmb_front_boxes = {.size = sizeof(tmb_boxes_pair),
                                        .merges = 1,
                                        .pair_work = PAIR_WORK,
                                        .begin = begin,
                                        .root = set_root,
                                        .walk = walk};
