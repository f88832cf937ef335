/* Sets up the walk through two wide hierarchies that starts with a front. */
#include "collide/wide/front.h"

#include <math.h>

#include "math/bounds.h"

/* The slacks of the boxes grow with the distance of the models and with their ratio of sizes: beyond this, nothing
 * would stay apart for long. */
#define MOST_REACH_A 64
#define MOST_REACH_B 4096

#define PAIR_WORK 2000

static int is_usable(const tmb_encounter *e, const tmb_local_map *into_a, const tmb_local_map *into_b)
{
    const double unit = e->a->frame.scale;
    return tmb_map_reach(into_a) < MOST_REACH_A && tmb_map_reach(into_b) < MOST_REACH_B &&
           unit > TMB_NEAR_LEAST_SCALE && unit < TMB_NEAR_MOST_SCALE;
}

static tmb_front_outlook begin(tmb_front *f)
{
    tmb_encounter *e = &f->collider->encounter;
    tumble_context *context = e->query->context;
    if (!tmb_buffer_reserve(context, &f->hot->walk, 1, sizeof(tmb_wide_front), 0)) {
        e->status = tmb_fail_memory(context, "the walk of a query");
        return TMB_FRONT_NO;
    }
    tmb_wide_front *w = f->hot->walk.data;
    const tmb_wide_outlook outlook = tmb_wide_look(e, f->collider->limit, &w->walk);
    if (outlook != TMB_WIDE_WALK) {
        e->box_tests += outlook == TMB_WIDE_APART;
        return outlook == TMB_WIDE_APART ? TMB_FRONT_APART : TMB_FRONT_NO;
    }
    const tmb_local_map into_a = tmb_map_into_a(e), into_b = tmb_map_inverse(&into_a);
    if (!is_usable(e, &into_a, &into_b)) {
        return TMB_FRONT_NO;
    }
    w->walk.collider = f->collider;
    w->unit_of_a = 1 / e->a->frame.scale;
    w->unit_of_b = (float)(1 / tmb_map_stretch(&into_b) * (1 - (double)TMB_BOUND_ROUNDING));
    w->most_unit_of_b = (float)(tmb_map_stretch(&into_a) * (1 + (double)TMB_BOUND_ROUNDING));
    return TMB_FRONT_GO;
}

static void set_root(const tmb_front *f, void *pair)
{
    (void)f;
    *(tmb_front_pair *)pair = (tmb_front_pair){-INFINITY, 0, 0, UINT64_MAX};
}

static void walk(tmb_front *f)
{
    TMB_PICK_KERNEL(f->collider->encounter.query->context, tmb_wide_front_walk)(f);
}

const tmb_front_walk tmb_front_wide = {.size = sizeof(tmb_front_pair),
                                       .merges = 1,
                                       .pair_work = PAIR_WORK,
                                       .cold_share = 0.9,
                                       .begin = begin,
                                       .root = set_root,
                                       .walk = walk};
