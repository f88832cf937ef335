/* Sets up the walk through two k-DOP trees that starts with a front. */
#include "collide/kdop/front.h"

#include "math/bounds.h"
#include "math/vec3.h"

/* See collide/wide/front.c. */
#define MOST_REACH_A 64
#define MOST_REACH_B 1024

#define TEST_WORK 60
#define UPDATE_WORK 110
#define NO_LEAF UINT32_MAX

static int is_usable(const tmb_encounter *e)
{
    const tmb_local_map into_a = tmb_map_into_a(e), into_b = tmb_map_inverse(&into_a);
    const double unit = e->a->frame.scale;
    return tmb_map_reach(&into_a) < MOST_REACH_A && tmb_map_reach(&into_b) < MOST_REACH_B &&
           tmb_point_error(e) < TMB_KDOP_MOST_POINT_ERROR && unit > TMB_NEAR_LEAST_SCALE && unit < TMB_NEAR_MOST_SCALE;
}

static tmb_front_outlook begin(tmb_front *f)
{
    tmb_encounter *e = &f->collider->encounter;
    tumble_context *context = e->query->context;
    if (!is_usable(e)) {
        return TMB_FRONT_NO;
    }
    if (!tmb_buffer_reserve(context, &f->hot->walk, 1, sizeof(tmb_kdop_front), 0)) {
        e->status = tmb_fail_memory(context, "the walk of a query");
        return TMB_FRONT_NO;
    }
    tmb_kdop_state *s = f->hot->walk.data;
    if (!tmb_kdop_begin(f->collider, s)) {
        return TMB_FRONT_NO;
    }
    tmb_kdop_set_lengths(s);
    for (int i = 0; i < TMB_KDOP_LEAVES; i++) {
        ((tmb_kdop_front *)s)->leaves[i].node = NO_LEAF;
    }
    return TMB_FRONT_GO;
}

static void set_root(const tmb_front *f, void *pair)
{
    (void)f;
    *(tmb_front_pair *)pair = (tmb_front_pair){-INFINITY, TMB_KDOP_ROOT, TMB_KDOP_ROOT, 0};
}

static void walk(tmb_front *f)
{
    tmb_kdop_state *s = f->hot->walk.data;
    const tmb_encounter *e = s->encounter;
    const uint64_t tests = e->box_tests, updates = e->box_updates;
    const tmb_kdop_kernels kernels = TMB_PICK_KERNEL(e->query->context, tmb_kdop_kernels);
    switch (s->k) {
    case 6: kernels.front_6(s, f); break;
    case 12: kernels.front_12(s, f); break;
    case 14: kernels.front_14(s, f); break;
    case 18: kernels.front_18(s, f); break;
    default: kernels.front_26(s, f); break;
    }
    f->work += TEST_WORK * (double)(e->box_tests - tests) + UPDATE_WORK * (double)(e->box_updates - updates);
}

const tmb_front_walk tmb_front_kdop = {.size = sizeof(tmb_front_pair),
                                       .raises = 1,
                                       .cold_share = 0.8,
                                       .pair_work = 200,
                                       .begin = begin,
                                       .root = set_root,
                                       .walk = walk};
