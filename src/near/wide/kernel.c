/* Leaves a pair of nodes of wide hierarchies in a search for the nearest triangles: lower bounds for 8 children against
 * 8, by the boxes in both frames and by the slabs. Compiled once for each instruction set. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collide/wide/bounds.h"
#include "math/bounds.h"
#include "near/wide/wide.h"

#define DECODED TMB_WIDE_NEAR_DECODED

/* How far the children of a node reach along the direction of the nearest triangles: A's towards B, B's towards A. */
typedef struct fronts {
    _Alignas(TMB_CACHE_LINE) float at[TMB_LANES];
    uint32_t direction_of; /* tmb_wide_near's when they were made; 0: not yet */
} fronts;

/* Decoded nodes, in a direct-mapped cache. */
struct tmb_wide_near_nodes {
    uint32_t numbers_a[DECODED], numbers_b[DECODED];
    decoded a[DECODED], b[DECODED];
    fronts fronts_a[DECODED], fronts_b[DECODED];
};

_Static_assert(sizeof(struct tmb_wide_near_nodes) <= TMB_WIDE_NEAR_BYTES, "room for the nodes");

static const decoded *decoded_a(tmb_wide_near *w, uint32_t number)
{
    struct tmb_wide_near_nodes *nodes = w->nodes;
    const uint32_t place = number % DECODED;
    if (nodes->numbers_a[place] != number) {
        decode_a(&w->walk, &w->walk.nodes_a[number], &nodes->a[place]);
        nodes->fronts_a[place].direction_of = 0;
        nodes->numbers_a[place] = number;
    }
    return &nodes->a[place];
}

static const decoded *decoded_b(tmb_wide_near *w, uint32_t number)
{
    struct tmb_wide_near_nodes *nodes = w->nodes;
    const uint32_t place = number % DECODED;
    if (nodes->numbers_b[place] != number) {
        decode_b(&w->walk, &w->walk.nodes_b[number], &nodes->b[place]);
        nodes->fronts_b[place].direction_of = 0;
        nodes->numbers_b[place] = number;
    }
    return &nodes->b[place];
}

/* ---- Along the direction of the nearest triangles ---- */

static void turn_to_nearest(const tmb_near_search *s, tmb_wide_near *w)
{
    double direction[3], square = 0;
    for (int k = 0; k < 3; k++) {
        direction[k] = (s->distance.points[1][k] - s->distance.points[0][k]) / w->unit_of_a;
        square += direction[k] * direction[k];
    }
    const double scale = square > (double)TMB_LINE_LEAST_SQUARE ? (1 - (double)TMB_BOUND_ROUNDING) / sqrt(square) : 0;
    for (int k = 0; k < 3; k++) {
        w->direction[k] = (float)(direction[k] * scale);
    }
    w->direction_of = s->findings;
}

/* The farthest that the children reach along the direction, or, with sign -1, the least far. */
static const float *fronts_of(const tmb_wide_near *w, const slabs *of, float sign, fronts *out)
{
    if (out->direction_of == w->direction_of) {
        return out->at;
    }
    tmb_f8 n[3], centre[3], direction[3], dot = tmb_f8_zero(), along = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        n[k] = tmb_f8_load(of->n[k]);
        centre[k] = tmb_f8_load(of->centre[k]);
        direction[k] = tmb_f8_set(w->direction[k]);
        dot = tmb_f8_add(dot, tmb_f8_mul(direction[k], n[k]));
        along = tmb_f8_add(along, tmb_f8_mul(direction[k], centre[k]));
    }
    const tmb_f8 share = tmb_f8_mul(dot, tmb_f8_load(of->inverse));
    tmb_f8 reach = tmb_f8_mul(tmb_f8_abs(share), tmb_f8_load(of->half));
    for (int k = 0; k < 3; k++) {
        const tmb_f8 rest = tmb_f8_abs(tmb_f8_sub(direction[k], tmb_f8_mul(share, n[k])));
        reach = tmb_f8_add(reach, tmb_f8_mul(rest, tmb_f8_load(of->extent[k])));
    }
    along = tmb_f8_add(along, tmb_f8_mul(share, tmb_f8_load(of->middle)));
    tmb_f8_store(out->at, tmb_f8_add(along, tmb_f8_mul(tmb_f8_set(sign), reach)));
    out->direction_of = w->direction_of;
    return out->at;
}

/* By that direction, which costs little. The bounds are squared. Returns the pairs that are farther than the limit. */
static inline uint64_t far_along(const float *front_a, const float *front_b, float slack, float limit, bounds *out)
{
    const tmb_f8 from = tmb_f8_add(tmb_f8_load(front_a), tmb_f8_set(slack)), zero = tmb_f8_zero();
    uint64_t far = 0;
    for (int j = 0; j < TMB_WIDE; j++) {
        const tmb_f8 gap = tmb_f8_max(tmb_f8_sub(tmb_f8_set(front_b[j]), from), zero);
        tmb_f8_store(out->lower + TMB_WIDE * j, tmb_f8_mul(gap, gap));
        far |= (uint64_t)tmb_b8_bits(tmb_f8_less(tmb_f8_set(limit), gap)) << 8 * j;
    }
    return far;
}

/* One bit for each existing pair of children. */
static inline uint64_t all_pairs(const tmb_wide_node *a, const tmb_wide_node *b)
{
    const uint64_t rows = UINT64_MAX >> (64 - 8 * b->child_count);
    return rows & (0x0101010101010101u * ((1u << a->child_count) - 1));
}

static float least_of(const bounds *of, uint64_t pairs)
{
    float least = INFINITY;
    for (; pairs; pairs &= pairs - 1) {
        const float lower = of->lower[__builtin_ctzll(pairs)];
        least = lower < least ? lower : least;
    }
    return least;
}

/* ---- What becomes of the children ---- */

typedef struct leaving {
    tmb_near_search *search;
    const tmb_near_pair *pair;
    const tmb_wide_node *a, *b;
    const bounds *bounds;
    double unit;
} leaving;

/* A bound in A's unit; that of the parents holds as well. */
static inline double lower_of(const leaving *l, float local)
{
    const double lower = (double)local * l->unit;
    return lower > l->pair->lower ? lower : l->pair->lower;
}

#define COLUMN 0x0101010101010101u /* child 0 of A with all of B's */

typedef void hand_on(tmb_near_search *search, double lower, uint32_t a, uint32_t b, uint64_t children);

/* Both nodes descend: each pair of their children. */
static inline void give_pairs(const leaving *l, uint64_t pairs, uint32_t mark, hand_on *give)
{
    for (; pairs; pairs &= pairs - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(pairs);
        give(l->search, lower_of(l, l->bounds->lower[bit]), (l->a->children + bit % 8) | mark,
             (l->b->children + bit / 8) | mark, UINT64_MAX);
    }
}

/* Only A's is: its children with B's node, of which only those children are examined that matter. */
static inline void give_columns(const leaving *l, uint64_t pairs, hand_on *give)
{
    for (uint32_t i = 0; i < l->a->child_count; i++) {
        const uint64_t column = pairs & COLUMN << i;
        if (column) {
            give(l->search, lower_of(l, least_of(l->bounds, column)), l->a->children + i, l->pair->b,
                 (column >> i) * 255);
        }
    }
}

static inline void give_rows(const leaving *l, uint64_t pairs, hand_on *give)
{
    for (uint32_t j = 0; j < l->b->child_count; j++) {
        const uint64_t row = pairs & (uint64_t)255 << 8 * j;
        if (row) {
            give(l->search, lower_of(l, least_of(l->bounds, row)), l->pair->a, l->b->children + j,
                 (row >> 8 * j) * COLUMN);
        }
    }
}

/* Both nodes descend if they are about as large, else the larger one, as in a collision query. */
static inline void give_children(const leaving *l, uint64_t pairs, const tmb_wide_walk *walk, hand_on *give)
{
    if (l->a->is_lowest && l->b->is_lowest) {
        give_pairs(l, pairs, TMB_WIDE_NEAR_CLUSTER, give);
        return;
    }
    const steps into = next_steps(walk, l->a, l->b);
    if (into.into_a && into.into_b) {
        give_pairs(l, pairs, 0, give);
    } else if (into.into_a) {
        give_columns(l, pairs, give);
    } else {
        give_rows(l, pairs, give);
    }
}

/* Pairs that will matter soon when the models move are kept one by one, the others together. */
static void keep_children(const leaving *l, uint64_t pairs, float soon, const tmb_wide_walk *walk)
{
    uint64_t later = 0;
    for (uint64_t rest = pairs; rest; rest &= rest - 1) {
        later |= l->bounds->lower[__builtin_ctzll(rest)] > soon ? rest & (0 - rest) : 0;
    }
    give_children(l, pairs & ~later, walk, tmb_near_keep);
    if (later) {
        tmb_near_keep(l->search, lower_of(l, least_of(l->bounds, later)), l->pair->a, l->pair->b, later);
    }
}

static inline uint64_t far_along_nearest(const tmb_near_search *s, tmb_wide_near *w, const tmb_near_pair *pair,
                                         float limit, bounds *out)
{
    struct tmb_wide_near_nodes *nodes = w->nodes;
    const uint32_t place_a = pair->a % DECODED, place_b = pair->b % DECODED;
    if (w->direction_of != s->findings) {
        turn_to_nearest(s, w);
    }
    const float *front_a = fronts_of(w, &nodes->a[place_a].slabs, 1, &nodes->fronts_a[place_a]);
    const float *front_b = fronts_of(w, &nodes->b[place_b].slabs, -1, &nodes->fronts_b[place_b]);
    return far_along(front_a, front_b, w->walk.slab_slack, limit, out);
}

void TMB_KERNEL_NAME(tmb_wide_near_leave)(tmb_near_search *s, const tmb_near_pair *pair)
{
    if (pair->a & TMB_WIDE_NEAR_CLUSTER) {
        TMB_KERNEL_NAME(tmb_near_clusters)
        (s, pair->a & ~TMB_WIDE_NEAR_CLUSTER, pair->b & ~TMB_WIDE_NEAR_CLUSTER);
        return;
    }
    tmb_wide_near *w = s->walk.data;
    bounds lower;
    const decoded *a = decoded_a(w, pair->a), *b = decoded_b(w, pair->b);
    const leaving l = {s, pair, &w->walk.nodes_a[pair->a], &w->walk.nodes_b[pair->b], &lower, w->unit_of_a};
    const uint64_t wanted = all_pairs(l.a, l.b) & pair->children;
    const float limit = (float)(s->bound / w->unit_of_a * (1 + (double)TMB_BOUND_ROUNDING));
    uint64_t far = 0;
    if (s->found) {
        far = far_along_nearest(s, w, pair, limit, &lower);
    }
    far = (far | far_boxes(&a->boxes, &b->boxes, wanted & ~far, w->unit_of_b, limit, &lower)) & wanted;
    const uint64_t close =
        wanted & ~far & ~far_slabs(a, b, wanted & ~far, w->most_unit_of_b, w->walk.slab_slack, limit, &lower);
    s->encounter.box_tests += (uint64_t)__builtin_popcountll(wanted);
    s->encounter.box_updates++;
    s->encounter.node_bytes += 2 * sizeof(tmb_wide_node);
    if (s->keep && wanted & ~close) {
        finish_far(far, &lower);
        keep_children(&l, wanted & ~close, (float)(tmb_near_soon(s) / w->unit_of_a), &w->walk);
    }
    give_children(&l, close, &w->walk, tmb_near_push);
}
