/* Walks two wide hierarchies: 8 children against 8 at a time, along the axes of both frames and the slabs of A's
 * children. Compiled once for each instruction set. */
#include <float.h>
#include <string.h>

#include "collide/wide/walker.h"
#include "math/bits.h"

/* ---- 8 children against one ---- */

/* Bit 8 j + i: the boxes of child i of A and j of B overlap along the axes of both frames. */
static inline uint64_t boxes_meet(const boxes *a, const boxes *b)
{
    uint64_t meet = 0;
    for (int j = 0; j < TMB_WIDE; j++) {
        tmb_b8 row = tmb_f8_less_equal(tmb_f8_load(a->lower[0]), tmb_f8_set(b->other_upper[0][j]));
        row = tmb_b8_and(row, tmb_f8_less_equal(tmb_f8_set(b->other_lower[0][j]), tmb_f8_load(a->upper[0])));
        for (int k = 1; k < 3; k++) {
            row = tmb_b8_and(row, tmb_f8_less_equal(tmb_f8_load(a->lower[k]), tmb_f8_set(b->other_upper[k][j])));
            row = tmb_b8_and(row, tmb_f8_less_equal(tmb_f8_set(b->other_lower[k][j]), tmb_f8_load(a->upper[k])));
        }
        for (int k = 0; k < 3; k++) {
            row = tmb_b8_and(row, tmb_f8_less_equal(tmb_f8_load(a->other_lower[k]), tmb_f8_set(b->upper[k][j])));
            row = tmb_b8_and(row, tmb_f8_less_equal(tmb_f8_set(b->lower[k][j]), tmb_f8_load(a->other_upper[k])));
        }
        meet |= (uint64_t)tmb_b8_bits(row) << 8 * j;
    }
    return meet;
}

static inline unsigned slabs_meet(const slabs *a, const slabs *b, const pair_lanes *p, float slack)
{
    const slab_gaps g = compare_slabs(a, b, p, slack);
    return p->used &
           tmb_b8_bits(tmb_b8_and(tmb_f8_less_equal(g.gap_a, g.reach_a), tmb_f8_less_equal(g.gap_b, g.reach_b)));
}

/* How deep the boxes of the pairs are in each other: 1/2 when they have the same middle, 0 when they just touch. */
static inline tmb_f8 depths_of(const boxes *a, const boxes *b, const pair_lanes *p)
{
    tmb_f8 depth = tmb_f8_set(FLT_MAX);
    for (int k = 0; k < 3; k++) {
        const tmb_f8 from_below = tmb_f8_sub(pick(a->upper[k], p->i), pick(b->other_lower[k], p->j));
        const tmb_f8 from_above = tmb_f8_sub(pick(b->other_upper[k], p->j), pick(a->lower[k], p->i));
        const tmb_f8 both = tmb_f8_add(from_below, from_above);
        depth = tmb_f8_min(depth, tmb_f8_div(tmb_f8_min(from_below, from_above), both));
    }
    return depth;
}

/* One bit for each pair of the children that are to be examined. */
static inline uint64_t wanted_pairs(const tmb_wide_pair *pair)
{
    /* copies of B's bits, each one bit further, have bit j at the top of byte 7 - j */
    const uint64_t tops = pair->children_b * 0x8040201008040201u & 0x8080808080808080u;
    return __builtin_bswap64(tops >> 7) * pair->children_a;
}

/* Pairs of children that may meet. */
typedef struct meeting {
    uint64_t bits;    /* 8 j + i for child i of A and j of B */
    unsigned deepest; /* one of these bits, when one pair is wanted */
} meeting;

static inline meeting children_that_meet(const tmb_wide_walk *w, const decoded *a, const decoded *b,
                                         const tmb_wide_pair *pair, int one)
{
    uint8_t numbers[TMB_BITS_ROOM];
    if (w->limit > 0) {
        unsigned nearest;
        const uint64_t close = TMB_KERNEL_NAME(tmb_wide_close_children)(w, a, b, wanted_pairs(pair), &nearest);
        return (meeting){close, nearest};
    }
    const uint64_t overlap = boxes_meet(&a->boxes, &b->boxes) & wanted_pairs(pair);
    const unsigned count = tmb_list_bits(overlap, numbers);
    uint64_t remain = 0;
    meeting m = {0, 0};
    float depth = -1;
    for (unsigned n = 0; n < count; n += TMB_LANES) {
        const pair_lanes pairs = take_pairs(numbers + n, count - n);
        unsigned lanes = slabs_meet(&a->slabs, &b->slabs, &pairs, w->slab_slack);
        remain |= (uint64_t)lanes << n;
        if (one && lanes) {
            float depths[TMB_LANES];
            tmb_f8_storeu(depths, depths_of(&a->boxes, &b->boxes, &pairs));
            for (; lanes; lanes &= lanes - 1) {
                const unsigned lane = (unsigned)__builtin_ctz(lanes);
                m.deepest = depths[lane] > depth ? numbers[n + lane] : m.deepest;
                depth = depths[lane] > depth ? depths[lane] : depth;
            }
        }
    }
    m.bits = tmb_spread_bits(remain, overlap);
    return m;
}

/* ---- The walk ---- */

/* Whether a triangle of a cluster may reach box j. NaN separates nothing. */
static inline int reaches_box(const cluster_lanes *a, const near_boxes *b, unsigned j)
{
    tmb_b8 apart = tmb_b8_or(tmb_f8_less(tmb_f8_load(a->upper[0]), tmb_f8_set(b->lower[0][j])),
                             tmb_f8_less(tmb_f8_set(b->upper[0][j]), tmb_f8_load(a->lower[0])));
    for (int k = 1; k < 3; k++) {
        apart = tmb_b8_or(apart, tmb_f8_less(tmb_f8_load(a->upper[k]), tmb_f8_set(b->lower[k][j])));
        apart = tmb_b8_or(apart, tmb_f8_less(tmb_f8_set(b->upper[k][j]), tmb_f8_load(a->lower[k])));
    }
    return (~tmb_b8_bits(apart) & a->used) != 0;
}

/* Bit 8 i + j: the box of cluster i of a node and that of child j of another may meet. What is left are those where a
 * triangle of the cluster does: a box around large triangles is mostly empty. */
static uint64_t reached_children(cluster_cache *cache, const tumble_model *model, const tmb_wide_node *node,
                                 const tumble_pose *pose, const near_boxes *nearby, uint64_t meet)
{
    uint64_t reached = 0;
    for (; meet; meet &= meet - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(meet);
        const cluster_lanes *cluster = cached_cluster(cache, model, node, pose, bit / 8);
        reached |= (uint64_t)reaches_box(cluster, nearby, bit % 8) << bit;
    }
    return reached;
}

/* Bit 8 i + j for cluster i of A's node and child j of B's. */
static uint64_t reached_from_a(walker *k, const tmb_wide_pair *pair, const boxes *b, uint64_t columns)
{
    const tumble_model *model = k->walk->collider->encounter.a;
    const tmb_wide_node *node = &k->walk->nodes_a[pair->a];
    near_boxes nearby;
    start_at_a(k, pair->a, b, &nearby);
    return reached_children(&k->clusters_a, model, node, NULL, &nearby, columns);
}

/* Bit 8 j + i for cluster j of B's node and child i of A's. */
static uint64_t reached_from_b(walker *k, const tmb_wide_pair *pair, const boxes *a, uint64_t rows)
{
    const tmb_collider *c = k->walk->collider;
    const tmb_wide_node *node = &k->walk->nodes_b[pair->b];
    near_boxes nearby;
    start_at_b(k, pair->b, a, &nearby);
    return reached_children(&k->clusters_b, c->encounter.b, node, &c->encounter.relative, &nearby, rows);
}

static inline uint8_t all_children(const tmb_wide_node *node)
{
    return (uint8_t)((1u << node->child_count) - 1);
}

/* The nodes are fetched from memory while others are examined. */
static inline void push(walker *k, uint32_t a, uint32_t b, uint8_t children_a, uint8_t children_b)
{
    const char *node_a = (const char *)&k->walk->nodes_a[a], *node_b = (const char *)&k->walk->nodes_b[b];
    __builtin_prefetch(node_a);
    __builtin_prefetch(node_a + TMB_CACHE_LINE);
    __builtin_prefetch(node_b);
    __builtin_prefetch(node_b + TMB_CACHE_LINE);
    k->walk->stack[k->waiting++] = (tmb_wide_pair){a, b, children_a, children_b};
}

/* The pairs of children that meet; when one node stays, a pair with it for each child of the other. */
static void push_nodes(walker *k, const tmb_wide_pair *pair, uint64_t meet, const tmb_wide_node *a,
                       const tmb_wide_node *b, steps into)
{
    if (!into.into_a) {
        for (uint32_t j = 0; j < TMB_WIDE; j++) {
            const uint8_t row = (uint8_t)(meet >> 8 * j);
            if (row) {
                push(k, pair->a, b->children + j, row, TMB_WIDE_ALL);
            }
        }
        return;
    }
    const uint64_t columns = transpose(meet);
    for (uint32_t i = 0; i < TMB_WIDE; i++) {
        uint8_t column = (uint8_t)(columns >> 8 * i);
        if (column && !into.into_b) {
            push(k, a->children + i, pair->b, TMB_WIDE_ALL, column);
            continue;
        }
        for (; column; column &= (uint8_t)(column - 1)) {
            push(k, a->children + i, b->children + (uint32_t)__builtin_ctz(column), TMB_WIDE_ALL, TMB_WIDE_ALL);
        }
    }
}

/* When one pair is wanted: what is pushed last comes first. */
static void push_deepest_last(walker *k, const tmb_wide_pair *pair, const meeting *m, const tmb_wide_node *a,
                              const tmb_wide_node *b, steps into)
{
    const uint64_t row = (uint64_t)255 << (m->deepest & ~7u), column = (uint64_t)0x0101010101010101u << m->deepest % 8;
    const uint64_t last = m->bits & (into.into_a ? into.into_b ? (uint64_t)1 << m->deepest : column : row);
    push_nodes(k, pair, m->bits & ~last, a, b, into);
    push_nodes(k, pair, last, a, b, into);
}

void TMB_KERNEL_NAME(tmb_wide_walk)(tmb_wide_walk *walk)
{
    walker k;
    start_walker(&k, walk);
    tmb_collider *c = walk->collider;
    tmb_watch *watch = walk->watch;
    const int one = c->one;
    while (k.waiting > 0) {
        if (watch && tmb_watch_calls(watch)) {
            k.waiting = watch->attend(watch, walk, k.waiting);
            if (k.waiting == 0) {
                return;
            }
        }
        tmb_wide_pair pair = walk->stack[--k.waiting];
        const tmb_wide_node *a = &walk->nodes_a[pair.a], *b = &walk->nodes_b[pair.b];
        pair.children_a &= all_children(a);
        pair.children_b &= all_children(b);
        const uint32_t slot_a = pair.a % DECODED, slot_b = pair.b % DECODED;
        if (pair.a != k.nodes_a[slot_a]) {
            decode_a(walk, a, &k.a[slot_a]);
            k.nodes_a[slot_a] = pair.a;
        }
        if (pair.b != k.nodes_b[slot_b]) {
            decode_b(walk, b, &k.b[slot_b]);
            k.nodes_b[slot_b] = pair.b;
        }
        meeting meet = children_that_meet(walk, &k.a[slot_a], &k.b[slot_b], &pair, one);
        c->encounter.box_tests += (uint64_t)(__builtin_popcount(pair.children_a) * __builtin_popcount(pair.children_b));
        c->encounter.box_updates++;
        c->encounter.node_bytes += 2 * sizeof(tmb_wide_node);
        uint64_t columns = 0;
        if (meet.bits && a->is_lowest) {
            columns = reached_from_a(&k, &pair, &k.b[slot_b].boxes, transpose(meet.bits));
            meet.bits = b->is_lowest ? columns : transpose(columns);
        } else if (meet.bits && b->is_lowest) {
            meet.bits = reached_from_b(&k, &pair, &k.a[slot_a].boxes, meet.bits);
        }
        if (!meet.bits) {
            continue;
        }
        if (one && !(a->is_lowest && b->is_lowest)) {
            push_deepest_last(&k, &pair, &meet, a, b, next_steps(walk, a, b));
        } else if (!(a->is_lowest && b->is_lowest)) {
            push_nodes(&k, &pair, meet.bits, a, b, next_steps(walk, a, b));
        } else if (visit_clusters(&k, columns, &pair)) {
            return;
        }
    }
}
