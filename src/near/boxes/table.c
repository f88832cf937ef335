/* Nodes of any hierarchies that were opened in searches for the nearest triangles, eight siblings at a time. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/pose.h"
#include "near/boxes/boxes.h"
#include "query/local_map.h"

/* ---- What depends on where the models stand ---- */

/* One bound of 8 moved boxes: of each coordinate the end that makes it least, or largest. */
static void move_bound(const tumble_pose *pose, const tmb_box_lanes *from, int k, int want_upper, double *out)
{
    const double *ends[3];
    for (int j = 0; j < 3; j++) {
        ends[j] = (pose->m[k][j] > 0) == want_upper ? from->upper[j] : from->lower[j];
    }
    for (int i = 0; i < TMB_BOX_LANES; i++) {
        const double moved = tmb_pose_coordinate(pose, k, ends[0][i], ends[1][i], ends[2][i]);
        const double raised = moved > -DBL_MAX ? moved : -DBL_MAX;
        out[i] = raised < DBL_MAX ? raised : DBL_MAX;
    }
}

static void move_boxes(const tumble_pose *pose, const tmb_box_lanes *from, tmb_box_lanes *to)
{
    for (int k = 0; k < 3; k++) {
        move_bound(pose, from, k, 0, to->lower[k]);
        move_bound(pose, from, k, 1, to->upper[k]);
    }
}

static void measure_box_along(const tmb_boxes_near *near, tmb_box_group *group, uint32_t lane)
{
    const tmb_box_lanes *box = &group->in[TMB_BOXES_A];
    double ends[2][3];
    for (int k = 0; k < 3; k++) {
        const int up = near->axis[k] > 0;
        ends[up][k] = box->upper[k][lane];
        ends[!up][k] = box->lower[k][lane];
    }
    for (int end = 0; end < 2; end++) {
        tmb_widen_along(near->axis, near->origin, ends[end][0], ends[end][1], ends[end][2], &group->along_lower[lane],
                        &group->along_upper[lane]);
    }
}

/* Of a leaf by its triangles. */
static void measure_leaf_along(const tmb_near_search *s, int side, tmb_box_group *group, uint32_t lane)
{
    const tmb_boxes_near *near = s->walk.data;
    const tumble_model *model = near->trees[side].model;
    uint32_t address = group->reference[lane];
    for (uint32_t n = 0; n < group->triangle_count[lane]; n++) {
        double own[3][3];
        address = n ? tmb_box_next_triangle(model, address) : address;
        tmb_model_corners(model, address, own);
        for (int i = 0; i < 3; i++) {
            double at[3] = {own[i][0], own[i][1], own[i][2]};
            if (side == TMB_BOXES_B) {
                tumble_pose_apply(&s->encounter.relative, own[i], at);
            }
            tmb_widen_along(near->axis, near->origin, at[0], at[1], at[2], &group->along_lower[lane],
                            &group->along_upper[lane]);
        }
    }
}

static void measure_along(const tmb_near_search *s, int side, tmb_box_group *group)
{
    for (uint32_t lane = 0; lane < group->count; lane++) {
        group->along_lower[lane] = DBL_MAX;
        group->along_upper[lane] = -DBL_MAX;
        if (tmb_box_is_leaf(group, lane)) {
            measure_leaf_along(s, side, group, lane);
        } else {
            measure_box_along(s->walk.data, group, lane);
        }
    }
}

static void measure_sizes(int side, double unit, tmb_box_group *group)
{
    const tmb_box_lanes *box = &group->in[side];
    for (int i = 0; i < TMB_BOX_LANES; i++) {
        double longest = 0;
        for (int k = 0; k < 3; k++) {
            longest = tmb_greater(longest, box->upper[k][i] - box->lower[k][i]);
        }
        group->size[i] = longest * unit;
    }
}

static void move_group(tmb_near_search *s, int side, tmb_box_group *group)
{
    const tmb_boxes_near *near = s->walk.data;
    if (side == TMB_BOXES_B) {
        move_boxes(&s->encounter.relative, &group->in[TMB_BOXES_B], &group->in[TMB_BOXES_A]);
    } else if (near->frames.has_b) {
        move_boxes(&near->frames.into_b, &group->in[TMB_BOXES_A], &group->in[TMB_BOXES_B]);
    }
    measure_sizes(side, side == TMB_BOXES_B ? near->frames.most : 1, group);
    if (near->has_axis) {
        measure_along(s, side, group);
    }
    group->search = near->search;
    s->encounter.box_updates += group->count;
}

tmb_box_group *tmb_boxes_group(tmb_near_search *s, int side, uint32_t node)
{
    TMB_ASSERT(side == TMB_BOXES_A || side == TMB_BOXES_B);
    const tmb_boxes_near *near = s->walk.data;
    tmb_box_group *group = (tmb_box_group *)s->scratch->boxes[side].data + node / TMB_BOX_LANES;
    if (group->search != near->search) {
        move_group(s, side, group);
    }
    return group;
}

/* ---- Opening ---- */

static tmb_box_node node_of(const tmb_box_group *group, int side, uint32_t lane)
{
    TMB_ASSERT(lane < group->count);
    tmb_box_node node = {.reference = group->reference[lane], .triangle_count = group->triangle_count[lane]};
    for (int k = 0; k < 3; k++) {
        node.lower[k] = group->in[side].lower[k][lane];
        node.upper[k] = group->in[side].upper[k][lane];
    }
    memcpy(node.own, group->own[lane], sizeof node.own);
    return node;
}

static void fill_group(tmb_box_group *group, int side, const tmb_box_node *nodes, uint32_t count)
{
    TMB_ASSERT(count > 0 && count <= TMB_BOX_LANES);
    int all_leaves = 1;
    memset(group, 0, sizeof *group);
    group->count = count;
    for (uint32_t i = 0; i < count; i++) {
        group->together += nodes[i].triangle_count;
        all_leaves &= nodes[i].triangle_count != 0;
        group->reference[i] = nodes[i].reference;
        group->triangle_count[i] = nodes[i].triangle_count;
        memcpy(group->own[i], nodes[i].own, sizeof nodes[i].own);
        for (int k = 0; k < 3; k++) {
            group->in[side].lower[k][i] = nodes[i].lower[k];
            group->in[side].upper[k][i] = nodes[i].upper[k];
        }
    }
    group->together = all_leaves ? group->together : 0;
}

static int add_group(tmb_near_search *s, int side, const tmb_box_node *nodes, uint32_t count)
{
    tumble_query *query = s->encounter.query;
    tmb_near_scratch *scratch = s->scratch;
    const uint32_t groups = scratch->box_groups[side];
    if (groups == TMB_BOX_GROUPS_MOST || !tmb_buffer_reserve(query->context, &scratch->boxes[side], groups + (size_t)1,
                                                             sizeof(tmb_box_group), groups * sizeof(tmb_box_group))) {
        s->encounter.status = tmb_fail_memory(query->context, "the search of a query");
        s->is_enough = 1;
        return 0;
    }
    fill_group((tmb_box_group *)scratch->boxes[side].data + groups, side, nodes, count);
    scratch->box_groups[side]++;
    return 1;
}

uint32_t tmb_boxes_open(tmb_near_search *s, int side, uint32_t node)
{
    TMB_ASSERT(side == TMB_BOXES_A || side == TMB_BOXES_B);
    TMB_ASSERT(!tmb_box_is_leaf(tmb_boxes_group(s, side, node), node % TMB_BOX_LANES));
    const tmb_boxes_near *near = s->walk.data;
    tmb_near_scratch *scratch = s->scratch;
    tmb_box_node children[TMB_BOX_LANES];
    tmb_box_group *group = tmb_boxes_group(s, side, node);
    const uint32_t lane = node % TMB_BOX_LANES;
    if (group->children[lane] == 0) {
        const tmb_box_node from = node_of(group, side, lane);
        const uint32_t count = tmb_box_view_open(&near->trees[side], &from, children);
        if (!add_group(s, side, children, count)) {
            return 0;
        }
        group = tmb_boxes_group(s, side, node);
        group->children[lane] = scratch->box_groups[side] - 1;
    }
    return group->children[lane];
}

int tmb_boxes_is_leaf(tmb_near_search *s, int side, uint32_t node)
{
    const tmb_boxes_near *near = s->walk.data;
    if (tmb_box_is_leaf(tmb_boxes_group(s, side, node), node % TMB_BOX_LANES)) {
        return 1;
    }
    if (!near->trees[side].reader->is_binary) {
        return 0;
    }
    const uint32_t children = tmb_boxes_open(s, side, node);
    const tmb_box_group *groups = s->scratch->boxes[side].data;
    return children && groups[children].together - 1 < TMB_BOX_LEAF;
}

/* ---- Along the axis ---- */

static int is_spent(const tmb_near_search *s)
{
    return s->encounter.box_tests >= s->most_tests || (s->deadline < INFINITY && tmb_seconds() >= s->deadline);
}

/* How far a node reaches towards the other model. */
static double reach_of(const tmb_box_group *group, int side, uint32_t lane)
{
    return side == TMB_BOXES_A ? group->along_upper[lane] : -group->along_lower[lane];
}

static void set_reach(tmb_box_group *group, int side, uint32_t lane, double reach)
{
    TMB_ASSERT(lane < group->count);
    if (side == TMB_BOXES_A) {
        group->along_upper[lane] = reach;
    } else {
        group->along_lower[lane] = -reach;
    }
}

/* The lane that reaches farthest, of some. */
static uint32_t farthest_of(const tmb_box_group *group, int side, unsigned lanes)
{
    TMB_ASSERT(lanes != 0);
    uint32_t farthest = (uint32_t)__builtin_ctz(lanes);
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        farthest = reach_of(group, side, lane) > reach_of(group, side, farthest) ? lane : farthest;
    }
    return farthest;
}

/* Below a node, what reaches farther than the best so far, the farthest first. */
static void tighten(tmb_near_search *s, int side, uint32_t node, double *best)
{
    const uint32_t lane = node % TMB_BOX_LANES;
    tmb_box_group *group = tmb_boxes_group(s, side, node);
    if (tmb_box_is_leaf(group, lane)) {
        *best = tmb_greater(reach_of(group, side, lane), *best);
        return;
    }
    const uint32_t opened = is_spent(s) ? 0 : tmb_boxes_open(s, side, node);
    if (!opened) {
        return;
    }
    group = tmb_boxes_group(s, side, opened * TMB_BOX_LANES);
    s->encounter.box_tests += group->count;
    const unsigned all = (1u << group->count) - 1;
    for (unsigned rest = all; rest;) {
        const uint32_t child = farthest_of(group, side, rest);
        if (reach_of(group, side, child) <= *best) {
            break;
        }
        rest &= ~(1u << child);
        tighten(s, side, opened * TMB_BOX_LANES + child, best);
        group = tmb_boxes_group(s, side, opened * TMB_BOX_LANES);
    }
    const double reach = reach_of(group, side, farthest_of(group, side, all));
    group = tmb_boxes_group(s, side, node);
    set_reach(group, side, lane, reach < reach_of(group, side, lane) ? reach : reach_of(group, side, lane));
}

void tmb_boxes_tighten(tmb_near_search *s)
{
    tmb_boxes_near *near = s->walk.data;
    if (near->has_axis && !near->is_tight) {
        near->is_tight = 1;
        for (int side = 0; side < 2; side++) {
            double best = -DBL_MAX;
            tighten(s, side, 0, &best);
        }
    }
}

/* ---- The tables ---- */

static int is_same(const tmb_near_search *s)
{
    const tmb_near_scratch *scratch = s->scratch;
    const tumble_model *a = s->encounter.a, *b = s->encounter.b;
    return scratch->box_groups[0] && scratch->box_groups[1] && !a->edit && !b->edit &&
           scratch->boxes_of[0] == a->block->checksum && scratch->boxes_of[1] == b->block->checksum;
}

int tmb_boxes_begin(tmb_near_search *s, tmb_boxes_near *near)
{
    tmb_near_scratch *scratch = s->scratch;
    near->trees[TMB_BOXES_A] = tmb_box_view_of(s->encounter.a);
    near->trees[TMB_BOXES_B] = tmb_box_view_of(s->encounter.b);
    near->search = ++scratch->box_searches;
    if (is_same(s)) {
        return 1;
    }
    scratch->box_tables++;
    for (int side = 0; side < 2; side++) {
        tmb_box_node root;
        scratch->box_groups[side] = 0;
        scratch->boxes_of[side] = near->trees[side].model->block->checksum;
        if (!tmb_box_view_root(&near->trees[side], &root) || !add_group(s, side, &root, 1)) {
            scratch->box_groups[0] = scratch->box_groups[1] = 0;
            return 0;
        }
    }
    return 1;
}
