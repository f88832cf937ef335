/* The walk through a wide hierarchy in a search for what is nearest to a point: eight boxes at a time, the nearest
 * first. Compiled once for each instruction set.
 *
 * Floats in the local frame. The point's coordinates are rounded to floats, and so are the sides of the boxes; a gap is
 * computed with one more rounding. All of that is less than TMB_BOX_ROUNDING of 1 plus the point's largest coordinate
 * (docs/wide.md, Why no pair is lost), which is taken off every gap. Along lines it is TMB_SLAB_ROUNDING
 * (docs/proximity-proofs.md, Nodes), as for a child of B that is a point. */
#include <math.h>

#include "base/assert.h"
#include "collide/wide/bounds.h"
#include "math/bounds.h"
#include "math/lanes.h"
#include "point/point.h"
#include "tree/wide/wide.h"

/* Beyond this too much would be equally near, as in distance searches. */
#define MOST_REACH 64

#define CLUSTER 0x80000000u /* marks clusters among nodes */
#define STACK_ROOM (TMB_WIDE_LEVELS * TMB_WIDE)

typedef struct waiting {
    float squared; /* lower bound */
    uint32_t number;
} waiting;

typedef struct walk {
    tmb_point_search *search;
    const tmb_wide_node *nodes;
    float point[3], slack, slab_slack;
    float limit; /* squared, of what the search has found so far */
    uint32_t count;
    waiting stack[STACK_ROOM];
} walk;

/* The children of a node. */
typedef struct children {
    tmb_f8 lower[3], upper[3];
} children;

static inline children decode(const tmb_wide_node *node)
{
    children c;
    for (int k = 0; k < 3; k++) {
        const tmb_f8 origin = tmb_f8_set(node->origin[k]), scale = tmb_f8_set(node->scale[k]);
        c.lower[k] = tmb_f8_add(origin, tmb_f8_mul(tmb_f8_from_u8(node->lower[k]), scale));
        c.upper[k] = tmb_f8_add(origin, tmb_f8_mul(tmb_f8_from_u8(node->upper[k]), scale));
    }
    return c;
}

/* Lower bounds of the squared distances by the boxes. */
static inline tmb_f8 squared_gaps(const walk *w, const children *c)
{
    tmb_f8 sum = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        const tmb_f8 point = tmb_f8_set(w->point[k]);
        const tmb_f8 gap = tmb_f8_max(tmb_f8_sub(c->lower[k], point), tmb_f8_sub(point, c->upper[k]));
        const tmb_f8 sure = tmb_f8_max(tmb_f8_sub(gap, tmb_f8_set(w->slack)), tmb_f8_zero());
        sum = tmb_f8_add(sum, tmb_f8_mul(sure, sure));
    }
    return sum;
}

/* The same along the lines to the centres of the boxes, of which the part along a slab is bounded by the slab and the
 * rest by the box: centre_distance of collide/wide/bounds.h for a point. */
static inline tmb_f8 squared_along_lines(const walk *w, const tmb_wide_node *node, const children *c)
{
    slabs s;
    tmb_f8 n[3], direction[3], extent[3], nn = tmb_f8_zero(), dot = tmb_f8_zero(), square = tmb_f8_set(FLT_MIN);
    decode_slabs(node, 1, n, &s);
    for (int k = 0; k < 3; k++) {
        const tmb_f8 half = tmb_f8_set(0.5F), centre = tmb_f8_mul(tmb_f8_add(c->lower[k], c->upper[k]), half);
        extent[k] = tmb_f8_mul(tmb_f8_sub(c->upper[k], c->lower[k]), half);
        direction[k] = tmb_f8_sub(centre, tmb_f8_set(w->point[k]));
        square = tmb_f8_add(square, tmb_f8_mul(direction[k], direction[k]));
        nn = tmb_f8_add(nn, tmb_f8_mul(n[k], n[k]));
    }
    const tmb_f8 per_nn = tmb_f8_div(tmb_f8_set(1), nn); /* meanwhile */
    const tmb_f8 length = tmb_f8_sqrt(square), inverse = tmb_f8_div(tmb_f8_set(1), length);
    for (int k = 0; k < 3; k++) {
        direction[k] = tmb_f8_mul(direction[k], inverse);
        dot = tmb_f8_add(dot, tmb_f8_mul(direction[k], n[k]));
    }
    const tmb_f8 share = tmb_f8_mul(dot, per_nn);
    tmb_f8 reach = tmb_f8_mul(tmb_f8_abs(share), tmb_f8_load(s.half));
    for (int k = 0; k < 3; k++) {
        const tmb_f8 rest = tmb_f8_abs(tmb_f8_sub(direction[k], tmb_f8_mul(share, n[k])));
        reach = tmb_f8_add(reach, tmb_f8_mul(rest, extent[k]));
    }
    const tmb_f8 between = tmb_f8_add(length, tmb_f8_mul(share, tmb_f8_load(s.middle)));
    const tmb_f8 gap = tmb_f8_sub(tmb_f8_sub(between, tmb_f8_set(w->slab_slack)), reach);
    const tmb_f8 sure = tmb_f8_max(round_down(gap), tmb_f8_zero());
    return tmb_f8_select(tmb_f8_less(square, tmb_f8_set(TMB_LINE_LEAST_SQUARE)), tmb_f8_zero(), tmb_f8_mul(sure, sure));
}

static inline float squared_limit(const tmb_point_search *s)
{
    const float limit = tmb_point_limit(s);
    return limit * limit * (1 + TMB_SQUARE_ROUNDING) + (float)TMB_SQUARE_UNDERFLOW;
}

/* Most of the time goes by waiting for memory, so all children that may be visited are sent for at once. */
static inline void fetch_child(const walk *w, const tmb_wide_node *node, uint32_t child)
{
    const tumble_model *model = w->search->model;
    const char *data = (const char *)&w->nodes[node->children + child];
    if (node->is_lowest) {
        data = (const char *)(model->clusters + model->places[node->children + child].offset);
        __builtin_prefetch(data + 2 * TMB_CACHE_LINE);
    }
    __builtin_prefetch(data);
    __builtin_prefetch(data + TMB_CACHE_LINE);
}

/* The nearest last. Each finds its place by counting those that are farther: there is nothing to guess for the
 * processor. Of those that are equally near, the first one is below. */
static inline void push_children(walk *w, const tmb_wide_node *node, tmb_f8 squared, unsigned near)
{
    const uint32_t mark = node->is_lowest ? CLUSTER : 0;
    waiting *stack = w->stack + w->count;
    float all[TMB_LANES];
    tmb_f8_storeu(all, squared);
    w->count += (uint32_t)__builtin_popcount(near);
    for (unsigned rest = near; rest; rest &= rest - 1) {
        const uint32_t child = (uint32_t)__builtin_ctz(rest);
        const tmb_f8 own = tmb_f8_set(all[child]);
        const unsigned farther = tmb_b8_bits(tmb_f8_less(own, squared)),
                       nearer = tmb_b8_bits(tmb_f8_less(squared, own));
        const unsigned below = farther | (~nearer & ((1u << child) - 1));
        fetch_child(w, node, child);
        stack[__builtin_popcount(near & below)] = (waiting){all[child], (node->children + child) | mark};
    }
}

/* Pushes the children that may be near. */
static inline void open_node(walk *w, const tmb_wide_node *node)
{
    tmb_point_search *s = w->search;
    const children c = decode(node);
    const tmb_f8 limit = tmb_f8_set(w->limit), by_boxes = squared_gaps(w, &c);
    s->counters.box_tests += node->child_count;
    s->counters.bytes_touched += sizeof *node;
    if (!(((1u << node->child_count) - 1) & ~tmb_b8_bits(tmb_f8_less(limit, by_boxes)))) {
        return;
    }
    const tmb_f8 squared = tmb_f8_max(squared_along_lines(w, node, &c), by_boxes);
    push_children(w, node, squared, ((1u << node->child_count) - 1) & ~tmb_b8_bits(tmb_f8_less(limit, squared)));
}

static int set_up(walk *w, tmb_point_search *s)
{
    const tmb_local_frame *frame = &s->model->frame;
    double reach = 0;
    for (int k = 0; k < 3; k++) {
        const double local = (s->point[k] - frame->centre[k]) * frame->scale;
        reach = fabs(local) > reach ? fabs(local) : reach;
        if (!(reach < MOST_REACH)) {
            return 0;
        }
        w->point[k] = (float)local;
    }
    w->search = s;
    w->nodes = s->model->nodes;
    w->slack = (float)(TMB_BOX_ROUNDING * (1 + reach));
    w->slab_slack = (float)(TMB_SLAB_ROUNDING * (1 + reach));
    w->limit = squared_limit(s);
    w->stack[0] = (waiting){0, 0};
    w->count = 1;
    return s->has_floats;
}

int TMB_KERNEL_NAME(tmb_point_wide)(tmb_point_search *s)
{
    walk w;
    if (!set_up(&w, s)) {
        return 0;
    }
    while (w.count > 0 && s->status == TUMBLE_OK) {
        const waiting next = w.stack[--w.count];
        if (next.squared > w.limit) {
            continue;
        }
        if (next.number & CLUSTER) {
            const uint32_t cluster = next.number & ~CLUSTER;
            const uint32_t count = tmb_cluster_triangle_count(&s->model->places[cluster]);
            TMB_KERNEL_NAME(tmb_point_cluster)(s, cluster, (1u << count) - 1);
            w.limit = squared_limit(s);
        } else {
            open_node(&w, &w.nodes[next.number]);
        }
    }
    return 1;
}
