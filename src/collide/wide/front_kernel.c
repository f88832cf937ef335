/* Walks two wide hierarchies from a front on, and keeps the next one: lower bounds of the distance for 8 children
 * against 8, where the plain walk only asks whether they meet. Compiled once for each instruction set. */
#include <math.h>

#include "collide/wide/bounds.h"
#include "collide/wide/front.h"
#include "collide/wide/walker.h"

#define PAIR_WORK 1400 /* instructions of a pair of nodes, about */
#define COLUMN 0x0101010101010101u

/* Nodes are decoded in two steps: most pairs of a front need no slabs. */
typedef struct front_walker {
    walker w;
    unsigned slabs_a, slabs_b; /* of which nodes that are decoded */
} front_walker;

static inline decoded *decoded_a(front_walker *k, uint32_t number)
{
    const uint32_t slot = number % DECODED;
    decoded *out = &k->w.a[slot];
    if (k->w.nodes_a[slot] != number) {
        const frames f = decode_boxes(&k->w.walk->nodes_a[number], &out->boxes);
        move_boxes(&k->w.walk->into_b, &f, &out->boxes);
        k->w.nodes_a[slot] = number;
        k->slabs_a &= ~(1u << slot);
    }
    return out;
}

static inline decoded *decoded_b(front_walker *k, uint32_t number)
{
    const uint32_t slot = number % DECODED;
    decoded *out = &k->w.b[slot];
    if (k->w.nodes_b[slot] != number) {
        const frames f = decode_boxes(&k->w.walk->nodes_b[number], &out->boxes);
        move_boxes(&k->w.walk->into_a, &f, &out->boxes);
        k->w.nodes_b[slot] = number;
        k->slabs_b &= ~(1u << slot);
    }
    return out;
}

static void add_slabs_of(front_walker *k, const tmb_front_pair *pair, decoded *a, decoded *b)
{
    const unsigned slot_a = 1u << pair->a % DECODED, slot_b = 1u << pair->b % DECODED;
    if (!(k->slabs_a & slot_a)) {
        decode_a(k->w.walk, &k->w.walk->nodes_a[pair->a], a);
        k->slabs_a |= slot_a;
    }
    if (!(k->slabs_b & slot_b)) {
        decode_b(k->w.walk, &k->w.walk->nodes_b[pair->b], b);
        k->slabs_b |= slot_b;
    }
}

static inline uint64_t all_pairs(const tmb_wide_node *a, const tmb_wide_node *b)
{
    const uint64_t rows = UINT64_MAX >> (64 - 8 * b->child_count);
    return rows & (COLUMN * ((1u << a->child_count) - 1));
}

/* ---- Boxes and slabs ---- */

/* Pairs of children that are apart: those that have to be examined soon, and all others, each with the least bound. */
typedef struct apart {
    uint64_t all, later;
    float least, least_later;
} apart;

static inline float least_lane(tmb_f8 x)
{
    return -tmb_f8_max_of(tmb_f8_neg(x));
}

/* By the boxes. The squares of the bounds are in `out`, too. */
static inline apart apart_by_boxes(const tmb_wide_front *w, const boxes *a, const boxes *b, uint64_t wanted, float soon,
                                   bounds *out)
{
    const float limit = w->walk.limit;
    const tmb_f8 unit = tmb_f8_set(w->unit_of_b * w->unit_of_b), infinite = tmb_f8_set(INFINITY);
    const tmb_f8 most = tmb_f8_set(limit * limit * (1 + TMB_SQUARE_ROUNDING)), late = tmb_f8_set(soon * soon);
    tmb_f8 least = infinite, least_later = infinite;
    apart found = {0, 0, 0, 0};
    for (int j = 0; j < TMB_WIDE; j++) {
        const unsigned row = wanted >> 8 * j & 255;
        if (!row) {
            continue;
        }
        const tmb_f8 in_a = square_between(a->lower, a->upper, b->other_lower, b->other_upper, j);
        const tmb_f8 in_b = square_between(a->other_lower, a->other_upper, b->lower, b->upper, j);
        const tmb_f8 square = tmb_f8_max(in_a, tmb_f8_mul(in_b, unit));
        const tmb_b8 far = tmb_b8_and(tmb_f8_less(most, square), tmb_b8_from_bits(row));
        const tmb_b8 later = tmb_b8_and(tmb_f8_less(late, square), far);
        tmb_f8_store(out->lower + TMB_WIDE * j, square);
        least = tmb_f8_min(least, tmb_f8_select(far, square, infinite)); /* the later ones are not the least */
        least_later = tmb_f8_min(least_later, tmb_f8_select(later, square, infinite));
        found.all |= (uint64_t)tmb_b8_bits(far) << 8 * j;
        found.later |= (uint64_t)tmb_b8_bits(later) << 8 * j;
    }
    found.least = sqrtf(least_lane(least)) * (1 - TMB_BOUND_ROUNDING);
    found.least_later = sqrtf(least_lane(least_later)) * (1 - TMB_BOUND_ROUNDING);
    return found;
}

/* Of pairs whose boxes meet, those that their slabs separate, with bounds. With a limit the lines through the centres
 * count as well. */
static inline uint64_t far_by_slabs(const tmb_wide_front *w, const decoded *a, const decoded *b, uint64_t close,
                                    bounds *out)
{
    const tmb_wide_walk *walk = &w->walk;
    return walk->limit > 0 ? far_slabs(a, b, close, w->most_unit_of_b, walk->slab_slack, walk->limit, out)
                           : far_slabs_by(FAR_BY_SLABS, a, b, close, w->most_unit_of_b, walk->slab_slack, 0, out);
}

static void add_slabs(const tmb_wide_front *w, const decoded *a, const decoded *b, uint64_t close, float soon,
                      bounds *out, apart *found)
{
    for (uint64_t far = far_by_slabs(w, a, b, close, out); far; far &= far - 1) {
        const float lower = out->lower[__builtin_ctzll(far)];
        const uint64_t bit = far & (0 - far);
        found->all |= bit;
        if (lower > soon) {
            found->later |= bit;
            found->least_later = lower < found->least_later ? lower : found->least_later;
        } else {
            found->least = lower < found->least ? lower : found->least;
        }
    }
}

/* ---- Triangles and boxes ---- */

/* How far the triangles of a cluster are from box j at least, in A's unit; 0 when one may reach it. */
static inline float gap_to_box(const cluster_lanes *a, const near_boxes *b, unsigned j)
{
    float gaps[TMB_LANES], least = INFINITY;
    tmb_f8 gap = tmb_f8_max(tmb_f8_sub(tmb_f8_set(b->lower[0][j]), tmb_f8_load(a->upper[0])),
                            tmb_f8_sub(tmb_f8_load(a->lower[0]), tmb_f8_set(b->upper[0][j])));
    for (int k = 1; k < 3; k++) {
        gap = tmb_f8_max(gap, tmb_f8_sub(tmb_f8_set(b->lower[k][j]), tmb_f8_load(a->upper[k])));
        gap = tmb_f8_max(gap, tmb_f8_sub(tmb_f8_load(a->lower[k]), tmb_f8_set(b->upper[k][j])));
    }
    if (~tmb_b8_bits(tmb_f8_less(tmb_f8_zero(), gap)) & a->used) { /* NaN separates nothing */
        return 0;
    }
    tmb_f8_storeu(gaps, gap);
    for (unsigned rest = (unsigned)a->used; rest; rest &= rest - 1) {
        const float each = gaps[__builtin_ctz(rest)];
        least = each < least ? each : least;
    }
    return least;
}

/* Of the pairs whose boxes may meet, bit 8 i + j for cluster i of a node and child j of the other, those that a
 * triangle of the cluster may reach; for the others `least` is lowered to how far they are apart. */
static uint64_t reached_children(cluster_cache *cache, const tumble_model *model, const tmb_wide_node *node,
                                 const tumble_pose *pose, const near_boxes *nearby, uint64_t meet, float *least)
{
    uint64_t reached = 0;
    for (; meet; meet &= meet - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(meet);
        const float gap = gap_to_box(cached_cluster(cache, model, node, pose, bit / 8), nearby, bit % 8);
        reached |= (uint64_t) !(gap > 0) << bit;
        *least = gap > 0 && gap < *least ? gap : *least;
    }
    return reached;
}

/* Bit 8 j + i, as everywhere else. */
static uint64_t reached_from_a(walker *k, const tmb_front_pair *pair, const boxes *b, uint64_t meet, float *least)
{
    const tumble_model *model = k->walk->collider->encounter.a;
    const tmb_wide_node *node = &k->walk->nodes_a[pair->a];
    near_boxes nearby;
    start_at_a(k, pair->a, b, &nearby);
    return transpose(reached_children(&k->clusters_a, model, node, NULL, &nearby, transpose(meet), least));
}

static uint64_t reached_from_b(walker *k, const tmb_front_pair *pair, const boxes *a, uint64_t meet, float *least)
{
    const tmb_collider *c = k->walk->collider;
    const tmb_wide_node *node = &k->walk->nodes_b[pair->b];
    near_boxes nearby;
    start_at_b(k, pair->b, a, &nearby);
    return reached_children(&k->clusters_b, c->encounter.b, node, &c->encounter.relative, &nearby, meet, least);
}

/* ---- What becomes of the children ---- */

static inline void push(tmb_front *f, uint32_t a, uint32_t b, uint64_t children)
{
    tmb_front_pair *pair = tmb_front_push(f);
    if (pair) {
        *pair = (tmb_front_pair){-INFINITY, a, b, children};
    }
}

/* Both nodes descend if they are about as large, else the larger one: then a pair with the other for each child. */
static void push_children(tmb_front *f, const tmb_wide_walk *walk, const tmb_front_pair *from, uint64_t meet)
{
    const tmb_wide_node *a = &walk->nodes_a[from->a], *b = &walk->nodes_b[from->b];
    const steps into = next_steps(walk, a, b);
    if (into.into_a && into.into_b) {
        for (; meet; meet &= meet - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(meet);
            push(f, a->children + bit % 8, b->children + bit / 8, UINT64_MAX);
        }
        return;
    }
    for (uint32_t i = 0; i < TMB_WIDE && into.into_a; i++) {
        const uint64_t column = meet & COLUMN << i;
        if (column) {
            push(f, a->children + i, from->b, (column >> i) * 255);
        }
    }
    for (uint32_t j = 0; j < TMB_WIDE && !into.into_a; j++) {
        const uint64_t row = meet & (uint64_t)255 << 8 * j;
        if (row) {
            push(f, from->a, b->children + j, (row >> 8 * j) * COLUMN);
        }
    }
}

static void keep(tmb_front *f, const tmb_front_pair *from, uint64_t children, double lower)
{
    tmb_front_pair *pair = children ? tmb_front_keep(f, lower) : NULL;
    if (pair) {
        pair->a = from->a;
        pair->b = from->b;
        pair->children = children;
    }
}

static void keep_apart(tmb_front *f, const tmb_wide_front *w, const tmb_front_pair *from, const apart *found)
{
    keep(f, from, found->all & ~found->later, (double)found->least * w->unit_of_a);
    keep(f, from, found->later, (double)found->least_later * w->unit_of_a);
}

/* ---- The walk ---- */

/* A pair; 1: stop. */
static int leave(front_walker *all, tmb_front *f, const tmb_wide_front *w, const tmb_front_pair *pair)
{
    walker *k = &all->w;
    tmb_wide_walk *walk = k->walk;
    tmb_collider *c = walk->collider;
    const tmb_wide_node *node_a = &walk->nodes_a[pair->a], *node_b = &walk->nodes_b[pair->b];
    decoded *a = decoded_a(all, pair->a), *b = decoded_b(all, pair->b);
    const uint64_t wanted = all_pairs(node_a, node_b) & pair->children;
    const float soon = (float)(f->soon / w->unit_of_a);
    bounds lower;
    float gap = INFINITY;
    apart found = apart_by_boxes(w, &a->boxes, &b->boxes, wanted, soon, &lower);
    if (wanted & ~found.all) {
        add_slabs_of(all, pair, a, b);
        add_slabs(w, a, b, wanted & ~found.all, soon, &lower, &found);
    }
    const uint64_t close = wanted & ~found.all;
    c->encounter.box_tests += (uint64_t)__builtin_popcountll(wanted);
    c->encounter.box_updates++;
    c->encounter.node_bytes += 2 * sizeof(tmb_wide_node);
    f->work += PAIR_WORK;
    uint64_t meet = close;
    if (close && node_a->is_lowest) {
        meet = reached_from_a(k, pair, &b->boxes, close, &gap);
    } else if (close && node_b->is_lowest) {
        meet = reached_from_b(k, pair, &a->boxes, close, &gap);
    }
    keep_apart(f, w, pair, &found);
    keep(f, pair, close & ~meet, (c->limit + (double)gap) * (1 - (double)TMB_BOUND_ROUNDING));
    if (!meet) {
        return 0;
    }
    if (!(node_a->is_lowest && node_b->is_lowest)) {
        push_children(f, walk, pair, meet);
        return c->encounter.status != TUMBLE_OK;
    }
    const tmb_wide_pair nodes = {pair->a, pair->b, TMB_WIDE_ALL, TMB_WIDE_ALL};
    if (visit_clusters(k, transpose(meet), &nodes)) {
        push(f, pair->a, pair->b, meet);
        return 1;
    }
    keep(f, pair, meet, -INFINITY);
    return 0;
}

void TMB_KERNEL_NAME(tmb_wide_front_walk)(tmb_front *f)
{
    tmb_wide_front *w = f->hot->walk.data;
    front_walker k;
    start_walker(&k.w, &w->walk);
    k.slabs_a = k.slabs_b = 0;
    while (f->stack_count > 0) {
        const tmb_front_pair pair = *(const tmb_front_pair *)tmb_front_pop(f);
        if (leave(&k, f, w, &pair)) {
            return;
        }
    }
}
