/* Sets up the search for the nearest triangles of two k-DOP trees. */
#include <math.h>

#include "near/kdop/kdop.h"

#include "base/assert.h"
#include "math/bounds.h"

/* The slack of the bounds is a part of A's size that grows with the distance of the models: where it is large compared
 * with them, too much would be equally near. */
#define MOST_REACH_A 64
#define MOST_REACH_B 1024

/* ---- Boxes around nodes ---- */

/* What a row says of one axis. The sum of two directions of a 12-DOP is along it. */
static double upper_along(const float *bounds, uint32_t k, int axis, int is_lower)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    if (k != 12) {
        return (double)bounds[2 * axis + is_lower];
    }
    static const int pairs[3][2][2] = {{{8, 10}, {9, 11}}, {{4, 6}, {5, 7}}, {{0, 2}, {1, 3}}};
    const int *lanes = pairs[axis][is_lower];
    return ((double)bounds[lanes[0]] + (double)bounds[lanes[1]]) / (2 * TMB_GOLDEN);
}

/* A node's box in local coordinates. */
static void local_box(const tumble_model *model, uint32_t node, double lower[3], double upper[3])
{
    const tmb_kdop_view tree = tmb_kdop_view_of(model->block, model->nodes);
    const uint32_t *links = tmb_kdop_links(&tree, node);
    if (links[1] && tree.has_bare_leaves) {
        tmb_kdop_leaf_box(model, links[0], links[1], lower, upper);
        return;
    }
    const float *bounds = tmb_kdop_bounds(&tree, tmb_kdop_volume_of(&tree, node));
    for (int axis = 0; axis < 3; axis++) {
        lower[axis] = -upper_along(bounds, model->block->kdop.k, axis, 1);
        upper[axis] = upper_along(bounds, model->block->kdop.k, axis, 0);
    }
}

static void describe_one(const tumble_model *model, uint32_t node, double lower[3], double upper[3])
{
    const tmb_block *block = model->block;
    const double unit = 1 / model->frame.scale;
    local_box(model, node, lower, upper);
    for (int axis = 0; axis < 3; axis++) {
        const double centre = model->frame.centre[axis],
                     slack = TMB_TOLD_KDOP_ROUNDING * unit + TMB_TOLD_SUM_ROUNDING * fabs(centre);
        const double high = centre + upper[axis] * unit + slack, low = centre + lower[axis] * unit - slack;
        lower[axis] = tmb_greater(low, block->lower[axis]);
        upper[axis] = -tmb_greater(-high, -block->upper[axis]);
    }
}

static void describe(const tmb_near_search *s, const tmb_near_pair *pair, tumble_undecided *out)
{
    describe_one(s->encounter.a, pair->a, out->lower_a, out->upper_a);
    describe_one(s->encounter.b, pair->b, out->lower_b, out->upper_b);
}

/* ---- The search ---- */

/* A leaf of one model and the root of the other. */
static int restart(const tmb_near_search *s, int side, const tmb_near_pair *last, tmb_near_pair *start)
{
    (void)last;
    *start = (tmb_near_pair){-INFINITY, side ? TMB_KDOP_ROOT : s->seed.a, side ? s->seed.b : TMB_KDOP_ROOT,
                             TMB_KDOP_NEAR_ALL};
    return s->seed.a != 0; /* else both roots are leaves */
}

static int is_usable(const tmb_encounter *e)
{
    const tmb_local_map into_a = tmb_map_into_a(e), into_b = tmb_map_inverse(&into_a);
    const double unit = e->a->frame.scale;
    return tmb_map_reach(&into_a) < MOST_REACH_A && tmb_map_reach(&into_b) < MOST_REACH_B &&
           tmb_point_error(e) < TMB_KDOP_MOST_POINT_ERROR && unit > TMB_NEAR_LEAST_SCALE && unit < TMB_NEAR_MOST_SCALE;
}

static void choose_kernels(tmb_near_search *s, tmb_kdop_near *w)
{
    const tmb_kdop_kernels tumbling = TMB_PICK_KERNEL(s->encounter.query->context, tmb_kdop_kernels);
    const tmb_kdop_near_kernels kernels = TMB_PICK_KERNEL(s->encounter.query->context, tmb_kdop_near_kernels);
    switch (w->state.k) {
    case 6: s->walk.leave = kernels.leave_6, w->slot_of = tumbling.slot_6, w->bounds_of = tumbling.leaf_6; break;
    case 12: s->walk.leave = kernels.leave_12, w->slot_of = tumbling.slot_12, w->bounds_of = tumbling.leaf_12; break;
    case 14: s->walk.leave = kernels.leave_14, w->slot_of = tumbling.slot_14, w->bounds_of = tumbling.leaf_14; break;
    case 18: s->walk.leave = kernels.leave_18, w->slot_of = tumbling.slot_18, w->bounds_of = tumbling.leaf_18; break;
    default: s->walk.leave = kernels.leave_26, w->slot_of = tumbling.slot_26, w->bounds_of = tumbling.leaf_26; break;
    }
}

int tmb_near_kdop(tmb_near_search *s)
{
    tmb_encounter *e = &s->encounter;
    tumble_query *query = e->query;
    const tumble_kdop_tumble tumble = tmb_tuning_or_default(s->options->tuning)->kdop_walk.tumble;
    const tumble_kdop_walk wanted = {.tumble = tumble, .mixed = TUMBLE_KDOP_MIXED_PRIMITIVES};
    if (!tmb_buffer_reserve(query->context, &s->scratch->walk, sizeof(tmb_kdop_near), 1, 0)) {
        e->status = tmb_fail_memory(query->context, "the search of a query");
        return 0;
    }
    tmb_kdop_near *w = s->scratch->walk.data;
    if (!tmb_kdop_set_up(&w->state, e, &wanted, 0) || !is_usable(e)) {
        return 0;
    }
    w->unit_of_a = 1 / e->a->frame.scale;
    s->walk = (tmb_near_walk){.root = {-INFINITY, TMB_KDOP_ROOT, TMB_KDOP_ROOT, TMB_KDOP_NEAR_ALL},
                              .restart = restart,
                              .describe = describe,
                              .keeps_front = 1,
                              .work = 6,
                              .data = w};
    choose_kernels(s, w);
    return 1;
}
