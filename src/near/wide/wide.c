/* Sets up the search for the nearest triangles of two wide hierarchies. */
#include <math.h>
#include <string.h>

#include "near/wide/wide.h"

#include "math/bounds.h"

/* The slacks of the boxes grow with the distance of the models and with their ratio of sizes: beyond this too much
 * would be equally near. */
#define MOST_REACH_A 64
#define MOST_REACH_B 4096

static void add_corners(const tumble_model *model, uint32_t cluster, double lower[3], double upper[3])
{
    const uint32_t count = tmb_cluster_triangle_count(&model->places[cluster]);
    for (uint32_t slot = 0; slot < count; slot++) {
        double corners[3][3];
        tmb_model_corners(model, tmb_triangle_address(cluster, slot), corners);
        for (int i = 0; i < 9; i++) {
            const double x = corners[i / 3][i % 3];
            lower[i % 3] = x < lower[i % 3] ? x : lower[i % 3];
            upper[i % 3] = x > upper[i % 3] ? x : upper[i % 3];
        }
    }
}

/* The children's boxes, in the model's frame. */
static void add_children(const tumble_model *model, const tmb_wide_node *node, double lower[3], double upper[3])
{
    for (int k = 0; k < 3; k++) {
        const double unit = 1 / model->frame.scale, slack = TMB_TOLD_WIDE_ROUNDING * unit;
        for (int i = 0; i < node->child_count; i++) {
            const double low = (double)node->origin[k] + (double)node->lower[k][i] * (double)node->scale[k];
            const double high = (double)node->origin[k] + (double)node->upper[k][i] * (double)node->scale[k];
            lower[k] = fmin(lower[k], low * unit + model->frame.centre[k] - slack);
            upper[k] = fmax(upper[k], high * unit + model->frame.centre[k] + slack);
        }
    }
}

static void describe_one(const tumble_model *model, uint32_t number, double lower[3], double upper[3])
{
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    if (number & TMB_WIDE_NEAR_CLUSTER) {
        add_corners(model, number & ~TMB_WIDE_NEAR_CLUSTER, lower, upper);
    } else {
        add_children(model, (const tmb_wide_node *)model->nodes + number, lower, upper);
    }
}

static void describe(const tmb_near_search *s, const tmb_near_pair *pair, tumble_undecided *out)
{
    describe_one(s->encounter.a, pair->a, out->lower_a, out->upper_a);
    describe_one(s->encounter.b, pair->b, out->lower_b, out->upper_b);
}

/* The other model's root, and of this one's node only the child that holds the seed. */
static int restart(const tmb_near_search *s, int side, const tmb_near_pair *last, tmb_near_pair *start)
{
    const tmb_wide_near *w = s->walk.data;
    const uint32_t i = (s->seed.a & ~TMB_WIDE_NEAR_CLUSTER) - w->walk.nodes_a[last->a].children;
    const uint32_t j = (s->seed.b & ~TMB_WIDE_NEAR_CLUSTER) - w->walk.nodes_b[last->b].children;
    if (side == 0) {
        *start = (tmb_near_pair){-INFINITY, last->a, 0, (uint64_t)0x0101010101010101u << i};
    } else {
        *start = (tmb_near_pair){-INFINITY, 0, last->b, (uint64_t)255 << 8 * j};
    }
    return 1;
}

static int is_usable(const tmb_local_map *into_a, const tmb_local_map *into_b, const tmb_encounter *e)
{
    const double unit = e->a->frame.scale;
    return tmb_map_reach(into_a) < MOST_REACH_A && tmb_map_reach(into_b) < MOST_REACH_B &&
           unit > TMB_NEAR_LEAST_SCALE && unit < TMB_NEAR_MOST_SCALE;
}

int tmb_near_wide(tmb_near_search *s)
{
    tmb_encounter *e = &s->encounter;
    tumble_query *query = e->query;
    const tmb_local_map into_a = tmb_map_into_a(e), into_b = tmb_map_inverse(&into_a);
    const size_t head = (sizeof(tmb_wide_near) + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE;
    if (!is_usable(&into_a, &into_b, e)) {
        return 0;
    }
    if (!tmb_buffer_reserve(query->context, &s->scratch->walk, head + TMB_WIDE_NEAR_BYTES, 1, 0)) {
        e->status = tmb_fail_memory(query->context, "the search of a query");
        return 0;
    }
    tmb_wide_near *w = s->scratch->walk.data;
    w->nodes = (void *)((char *)s->scratch->walk.data + head);
    memset(w->nodes, 0xff, TMB_WIDE_NEAR_NUMBERS);
    w->direction_of = 0;
    if (!tmb_wide_set_up(e, 0, &into_a, tmb_point_error(e), &w->walk)) {
        return 0;
    }
    w->unit_of_a = 1 / e->a->frame.scale;
    w->unit_of_b = (float)(1 / tmb_map_stretch(&into_b) * (1 - (double)TMB_BOUND_ROUNDING));
    w->most_unit_of_b = (float)(tmb_map_stretch(&into_a) * (1 + (double)TMB_BOUND_ROUNDING));
    s->walk = (tmb_near_walk){.root = {-INFINITY, 0, 0, UINT64_MAX},
                              .leave = TMB_PICK_KERNEL(query->context, tmb_wide_near_leave),
                              .restart = restart,
                              .describe = describe,
                              .keeps_front = 1,
                              .work = 12,
                              .data = w};
    return 1;
}
