/* The search for the nearest triangles of two hierarchies of any kind. */
#include "near/boxes/boxes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/bounds.h"
#include "query/local_map.h"

#define UNLIKE 1.5                       /* nodes of which one is this much longer do not descend together */
#define MUCH_SMALLER 16                  /* than triangles */
#define FAR_APART 1                      /* models are, if their distance is this many times their size */
#define LEAST_REACH TMB_NEAR_LEAST_SCALE /* of coordinates, for fronts: the motion is computed by squares */
#define MOST_REACH TMB_NEAR_MOST_SCALE
#define MOST_RATIO 0x1p8 /* of sizes, for floats */
#define LEAST_SIZE 0x1p-50
#define MOST_SIZE 0x1p50
#define LEAVE_WORK 32   /* of a pair of nodes, compared with keeping one */
#define OTHER_FRONTS 16 /* numbers of fronts that are not of tables */

/* ---- Leaving a pair ---- */

/* Nodes of one model that are compared: a group's lanes, or one of them. */
typedef struct nodes {
    const tmb_box_group *group;
    uint32_t first; /* the number of lane 0's node */
    uint32_t lane;  /* of one that is alone */
    int left;       /* 1: all lanes are children of a node that is left */
    uint32_t count;
} nodes;

static uint32_t number_of(const nodes *n, uint32_t i)
{
    return n->first + (n->left ? i : n->lane);
}

/* Which of two nodes descend: both, or the larger one. */
static void choose(tmb_near_search *s, const tmb_near_pair *pair, int left[2])
{
    const int leaf_a = tmb_boxes_is_leaf(s, TMB_BOXES_A, pair->a);
    const int leaf_b = tmb_boxes_is_leaf(s, TMB_BOXES_B, pair->b);
    const double size_a = tmb_boxes_group(s, TMB_BOXES_A, pair->a)->size[pair->a % TMB_BOX_LANES];
    const double size_b = tmb_boxes_group(s, TMB_BOXES_B, pair->b)->size[pair->b % TMB_BOX_LANES];
    left[0] = !leaf_a && (leaf_b || !(size_b > UNLIKE * size_a));
    left[1] = !leaf_b && (leaf_a || !(size_a > UNLIKE * size_b));
}

/* 0 if memory runs out. */
static int take_nodes(tmb_near_search *s, int side, uint32_t node, int left, nodes *out)
{
    uint32_t first = node - node % TMB_BOX_LANES;
    if (left) {
        const uint32_t group = tmb_boxes_open(s, side, node);
        if (group == 0) {
            return 0;
        }
        first = group * TMB_BOX_LANES;
    }
    *out = (nodes){.group = tmb_boxes_group(s, side, first),
                   .first = first,
                   .lane = node % TMB_BOX_LANES,
                   .left = left,
                   .count = 1};
    out->count = left ? out->group->count : 1;
    s->encounter.node_bytes += sizeof(tmb_box_group);
    return 1;
}

/* Bound 8 j + i is that of A's node i and B's node j. */
static void measure(const tmb_boxes_near *near, const nodes *a, const nodes *b, double *bounds)
{
    if (a->left) {
        for (uint32_t j = 0; j < b->count; j++) {
            tmb_box_bounds(&near->frames, a->group->in, b->group->in, b->left ? j : b->lane, bounds + 8 * j);
        }
    } else {
        double lower[TMB_BOX_LANES];
        tmb_box_bounds(&near->frames, b->group->in, a->group->in, a->lane, lower);
        for (uint32_t j = 0; j < b->count; j++) {
            bounds[8 * j] = lower[b->left ? j : b->lane];
        }
    }
    if (!near->has_axis) {
        return;
    }
    for (uint32_t j = 0; j < b->count; j++) {
        const double lower_b = b->group->along_lower[b->left ? j : b->lane];
        for (uint32_t i = 0; i < a->count; i++) {
            const double gap = tmb_gap_along(a->group->along_upper[a->left ? i : a->lane], lower_b);
            bounds[8 * j + i] = gap > 0 && gap > bounds[8 * j + i] ? gap : bounds[8 * j + i];
        }
    }
}

static uint64_t all_pairs(const nodes *a, const nodes *b)
{
    const uint64_t row = (1u << a->count) - 1;
    uint64_t pairs = 0;
    for (uint32_t j = 0; j < b->count && j < TMB_BOX_LANES; j++) {
        pairs |= row << 8 * j;
    }
    return pairs;
}

/* Where one node is a leaf, and the other one, that is left, is much smaller. */
static void raise_small(tmb_near_search *s, const tmb_near_pair *pair, const nodes *a, const nodes *b, double *bounds)
{
    const tmb_boxes_near *near = s->walk.data;
    if (near->clusters || (a->left && b->left)) {
        return;
    }
    const double size_a = tmb_boxes_group(s, TMB_BOXES_A, pair->a)->size[pair->a % TMB_BOX_LANES];
    const double size_b = tmb_boxes_group(s, TMB_BOXES_B, pair->b)->size[pair->b % TMB_BOX_LANES];
    if (!a->left && size_a > MUCH_SMALLER * size_b && tmb_boxes_is_leaf(s, TMB_BOXES_A, pair->a)) {
        tmb_boxes_raise_small(s, TMB_BOXES_A, pair->a, b->group, bounds, 8);
    } else if (!b->left && size_b > MUCH_SMALLER * size_a && tmb_boxes_is_leaf(s, TMB_BOXES_B, pair->b)) {
        tmb_boxes_raise_small(s, TMB_BOXES_B, pair->b, a->group, bounds, 1);
    }
}

static void leave_nodes(tmb_near_search *s, const tmb_near_pair *pair, const nodes *a, const nodes *b, uint64_t wanted)
{
    double bounds[TMB_BOX_LANES * TMB_BOX_LANES], least = INFINITY;
    const double soon = s->keep ? tmb_near_soon(s) : 0;
    uint64_t later = 0;
    measure(s->walk.data, a, b, bounds);
    raise_small(s, pair, a, b, bounds);
    wanted &= all_pairs(a, b);
    s->encounter.box_tests += (uint64_t)__builtin_popcountll(wanted);
    for (uint64_t rest = wanted; rest && !tmb_near_is_over(s); rest &= rest - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(rest);
        const double lower = bounds[bit] > pair->lower ? bounds[bit] : pair->lower;
        if (lower <= s->bound) {
            tmb_near_push(s, lower, number_of(a, bit % 8), number_of(b, bit / 8), UINT64_MAX);
        } else if (s->keep && lower <= soon) {
            tmb_near_keep(s, lower, number_of(a, bit % 8), number_of(b, bit / 8), UINT64_MAX);
        } else {
            later |= (uint64_t)1 << bit;
            least = lower < least ? lower : least;
        }
    }
    if (later && s->keep) {
        tmb_near_keep(s, least, pair->a | (a->left ? TMB_BOX_LEFT : 0), pair->b | (b->left ? TMB_BOX_LEFT : 0), later);
    }
}

static void leave(tmb_near_search *s, const tmb_near_pair *from)
{
    tmb_near_pair pair = *from;
    nodes a, b;
    int left[2] = {(pair.a & TMB_BOX_LEFT) != 0, (pair.b & TMB_BOX_LEFT) != 0};
    pair.a &= ~TMB_BOX_LEFT;
    pair.b &= ~TMB_BOX_LEFT;
    if (pair.a == 0 && pair.b == 0) { /* from the start, not from a front */
        tmb_boxes_tighten(s);
    }
    if (!left[0] && !left[1]) {
        choose(s, &pair, left);
    }
    if (s->is_enough) {
        return;
    }
    if (!left[0] && !left[1]) {
        tmb_boxes_near_leaves(s, pair.a, pair.b);
    } else if (take_nodes(s, TMB_BOXES_A, pair.a, left[0], &a) && take_nodes(s, TMB_BOXES_B, pair.b, left[1], &b)) {
        leave_nodes(s, &pair, &a, &b, pair.children);
    }
}

static void describe_one(const tmb_near_search *s, int side, uint32_t node, double lower[3], double upper[3])
{
    const uint32_t number = node & ~TMB_BOX_LEFT;
    const tmb_box_group *groups = s->scratch->boxes[side].data;
    const tmb_box_lanes *box = &groups[number / TMB_BOX_LANES].in[side];
    for (int k = 0; k < 3; k++) {
        lower[k] = box->lower[k][number % TMB_BOX_LANES];
        upper[k] = box->upper[k][number % TMB_BOX_LANES];
    }
}

static void describe(const tmb_near_search *s, const tmb_near_pair *pair, tumble_undecided *out)
{
    describe_one(s, TMB_BOXES_A, pair->a, out->lower_a, out->upper_a);
    describe_one(s, TMB_BOXES_B, pair->b, out->lower_b, out->upper_b);
}

/* ---- The setup ---- */

/* A lower bound of the models' distance, for which the roots are moved. */
static double measure_roots(tmb_near_search *s, tmb_boxes_near *near)
{
    double lower[TMB_BOX_LANES];
    const tmb_box_group *a = tmb_boxes_group(s, TMB_BOXES_A, 0), *b = tmb_boxes_group(s, TMB_BOXES_B, 0);
    tmb_box_bounds(&near->frames, a->in, b->in, 0, lower);
    const double size = a->size[0] + b->size[0];
    near->has_axis = lower[0] > FAR_APART * size &&
                     tmb_box_axis(&a->in[TMB_BOXES_A], 0, &b->in[TMB_BOXES_A], 0, near->origin, near->axis);
    if (near->has_axis) { /* along which the roots have not been examined */
        near->search = ++s->scratch->box_searches;
    }
    return lower[0];
}

/* Whether floats do for triangles: when the models are not too different in size, and near. */
static int suits_floats(tmb_near_search *s, const tmb_boxes_near *near)
{
    const double a = tmb_boxes_group(s, TMB_BOXES_A, 0)->size[0], b = tmb_boxes_group(s, TMB_BOXES_B, 0)->size[0];
    return !near->has_axis && a < MOST_RATIO * b && b < MOST_RATIO * a && a > LEAST_SIZE && a < MOST_SIZE;
}

static int fail_memory(tmb_near_search *s)
{
    s->encounter.status = tmb_fail_memory(s->encounter.query->context, "the search of a query");
    return 0;
}

int tmb_near_boxes(tmb_near_search *s)
{
    tumble_query *query = s->encounter.query;
    const size_t head = (sizeof(tmb_boxes_near) + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE;
    if (!tmb_buffer_reserve(query->context, &s->scratch->walk, head + tmb_triangle_lanes_bytes(), 1, 0)) {
        return fail_memory(s);
    }
    tmb_boxes_near *near = s->scratch->walk.data;
    memset(near, 0, sizeof *near);
    near->frames = tmb_box_frames_of(&s->encounter);
    tmb_triangle_lanes_begin(near, (char *)s->scratch->walk.data + head);
    s->walk = (tmb_near_walk){.leave = leave, .describe = describe, .data = near};
    if (!tmb_boxes_begin(s, near)) {
        return 0;
    }
    if (near->frames.reach > LEAST_REACH && near->frames.reach < MOST_REACH) {
        s->walk.keeps_front = OTHER_FRONTS + s->scratch->box_tables;
        s->walk.work = LEAVE_WORK;
    }
    s->walk.root = (tmb_near_pair){measure_roots(s, near), 0, 0, UINT64_MAX};
    near->clusters = suits_floats(s, near) ? TMB_PICK_KERNEL(query->context, tmb_near_clusters) : NULL;
    return 1;
}
