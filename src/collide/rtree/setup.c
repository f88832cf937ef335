/* Sets up the traversal of R-trees: the probe, and the overlapping box. */
#include <math.h>

#include "base/assert.h"
#include "collide/rtree/walk.h"
#include "math/bounds.h"

static tmb_rtree_side side_of(const tumble_model *model)
{
    return (tmb_rtree_side){model, model->nodes, tmb_rtree_pages(tmb_rtree_width(model->block)),
                            tmb_rtree_surfaces(model->block, model->nodes)};
}

static tmb_rtree_box everything(void)
{
    return (tmb_rtree_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
}

/* A model's box, moved by a map to local coordinates of the other: the cover box. The frame of an edited model need not
 * be centred on it. */
static tmb_rtree_box cover_box(const tumble_model *model, const tmb_local_map *map, double slack)
{
    TMB_ASSERT(slack >= 0);
    const tmb_local_frame *frame = &model->frame;
    tmb_rtree_box box;
    for (int k = 0; k < 3; k++) {
        double middle = map->shift[k], half = slack;
        for (int j = 0; j < 3; j++) {
            const double low = (model->block->lower[j] - frame->centre[j]) * frame->scale;
            const double high = (model->block->upper[j] - frame->centre[j]) * frame->scale;
            middle += map->m[k][j] * (0.5 * (low + high));
            half += fabs(map->m[k][j]) * (0.5 * (high - low)) * (1 + TMB_MAP_ROUNDING);
        }
        box.lower[k] = tmb_float_below(middle - half);
        box.upper[k] = tmb_float_above(middle + half);
    }
    return box;
}

/* What is common to it and the model's own box: the overlapping box (OAABB). 0 when there is nothing. */
static int cut_box(const tumble_model *model, tmb_rtree_box *box)
{
    for (int k = 0; k < 3; k++) {
        const double low = (model->block->lower[k] - model->frame.centre[k]) * model->frame.scale;
        const double high = (model->block->upper[k] - model->frame.centre[k]) * model->frame.scale;
        box->lower[k] = box->lower[k] > tmb_float_below(low) ? box->lower[k] : tmb_float_below(low);
        box->upper[k] = box->upper[k] < tmb_float_above(high) ? box->upper[k] : tmb_float_above(high);
    }
    return box->lower[0] <= box->upper[0] && box->lower[1] <= box->upper[1] && box->lower[2] <= box->upper[2];
}

/* The limit once more, for distances of boxes. Floats of the tree's frame are exact to 2^-24 of the reach. */
static void set_limit(tmb_rtree_state *s, double limit, double reach)
{
    TMB_ASSERT(limit >= 0 && reach >= 0);
    s->limit_squared = (float)(limit * limit * (1 + (double)TMB_SQUARE_ROUNDING) + TMB_SQUARE_UNDERFLOW);
    s->limit_part = (float)(limit * (1 - (double)TMB_SQUARE_ROUNDING) - TMB_RTREE_GAP_ROUNDING * (1 + reach));
}

static int b_is_probe(const tmb_collider *c)
{
    switch (c->tuning->rtree_walk.probe) {
    case TUMBLE_RTREE_PROBE_B: return 1;
    case TUMBLE_RTREE_PROBE_A: return 0;
    default: return c->encounter.b->block->triangle_count <= c->encounter.a->block->triangle_count;
    }
}

int tmb_collide_rtree(tmb_collider *c)
{
    const tmb_local_map into_a = tmb_map_into_a(&c->encounter), into_b = tmb_map_inverse(&into_a);
    const double reach_a = tmb_map_reach(&into_a), reach_b = tmb_map_reach(&into_b),
                 error = tmb_point_error(&c->encounter);
    const double limit =
        c->limit * c->encounter.a->frame.scale * (1 + TMB_MAP_ROUNDING); /* see docs/proximity-proofs.md */
    const double limit_in_b = limit * tmb_map_stretch(&into_b);
    if (!(reach_a < TMB_MOST_REACH && reach_b < TMB_MOST_REACH && error < TMB_MOST_REACH && limit < TMB_MOST_REACH &&
          limit_in_b < TMB_MOST_REACH)) {
        return 0; /* floats cannot decide anything */
    }
    const double slack_a = error + TMB_MAP_ROUNDING * (1 + reach_a) + limit;
    const double slack_b = error * tmb_map_scale(&into_b) * 2 + TMB_MAP_ROUNDING * (1 + reach_b) + limit_in_b;
    tmb_rtree_state s = {
        .collider = c, .probe_is_b = b_is_probe(c), .single = c->tuning->rtree_walk.single, .into_b = into_b};
    s.probe = side_of(s.probe_is_b ? c->encounter.b : c->encounter.a);
    s.tree = side_of(s.probe_is_b ? c->encounter.a : c->encounter.b);
    /* B's points are moved as the triangle test moves them: their boxes need no slack except for the limit */
    s.slack = !s.probe_is_b ? slack_b : limit > 0 ? slack_a : 0;
    set_limit(&s, s.probe_is_b ? limit : limit_in_b, s.probe_is_b ? reach_a : reach_b);
    tmb_rtree_box window =
        s.probe_is_b ? cover_box(c->encounter.a, &into_b, slack_b) : cover_box(c->encounter.b, &into_a, slack_a);
    c->encounter.box_updates++;
    c->encounter.box_tests++;
    if (!cut_box(s.probe.model, &window)) {
        return 1;
    }
    s.window = c->tuning->rtree_walk.whole ? everything() : window;
    TMB_PICK_KERNEL(c->encounter.query->context, tmb_rtree_walk)(&s);
    return 1;
}
