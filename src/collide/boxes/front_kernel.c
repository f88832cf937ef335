/* Walks two hierarchies of any kind as trees of boxes from a front on, and keeps the next one. Compiled once for each
 * instruction set. */
#include <string.h>

#include "collide/boxes/front.h"
#include "collide/boxes/walker.h"

#define PAIR_WORK 7500 /* instructions of a pair of nodes, about */

/* ---- Nodes ---- */

static int is_same_node(const tmb_box_node *a, const tmb_box_node *b)
{
    int is_same = a->reference == b->reference && a->triangle_count == b->triangle_count &&
                  memcmp(a->own, b->own, sizeof a->own) == 0;
    for (int k = 0; k < 3; k++) {
        is_same &= a->lower[k] == b->lower[k] && a->upper[k] == b->upper[k];
    }
    return is_same;
}

/* A node that stays, or its children. Those that were opened last are still there. */
static const tmb_box_siblings *siblings_of(tmb_boxes_front *w, int side, const tmb_box_node *node, int opens)
{
    tmb_box_siblings *out = opens ? &w->below[side] : &w->alone[side];
    if (opens && w->has_opened[side] && is_same_node(node, &w->opened[side])) {
        return out;
    }
    if (opens) {
        out->count = tmb_box_view_open(&w->walk.trees[side], node, out->nodes);
        w->opened[side] = *node;
        w->has_opened[side] = 1;
    } else {
        out->nodes[0] = *node;
        out->count = 1;
    }
    complete(&w->walk, side, out);
    return out;
}

static double size_of(const tmb_boxes_front *w, int side, const tmb_box_node *node)
{
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        longest = tmb_greater(longest, node->upper[k] - node->lower[k]);
    }
    return longest * (side == B ? w->walk.frames.most : 1);
}

/* Both are opened, or the larger one, or neither if both are leaves. */
static uint32_t choose(const tmb_boxes_front *w, const tmb_boxes_pair *pair)
{
    const int leaf_a = is_leaf(&pair->nodes[A]), leaf_b = is_leaf(&pair->nodes[B]);
    const double size_a = size_of(w, A, &pair->nodes[A]), size_b = size_of(w, B, &pair->nodes[B]);
    return (!leaf_a && (leaf_b || !(size_b > UNLIKE * size_a)) ? TMB_BOXES_OPENED_A : 0) |
           (!leaf_b && (leaf_a || !(size_a > UNLIKE * size_b)) ? TMB_BOXES_OPENED_B : 0);
}

static uint64_t all_pairs(const tmb_box_siblings *a, const tmb_box_siblings *b)
{
    uint64_t pairs = 0;
    for (uint32_t j = 0; j < b->count; j++) {
        pairs |= (uint64_t)((1u << a->count) - 1) << 8 * j;
    }
    return pairs;
}

/* ---- What becomes of the pairs ---- */

/* A pair of its own. */
static void push(tmb_front *f, tmb_boxes_front *w, const tmb_box_node *a, const tmb_box_node *b)
{
    tmb_boxes_pair *pair = tmb_front_push(f);
    if (pair) {
        pair->head = (tmb_front_pair){-INFINITY, ++w->visits, 0, UINT64_MAX};
        pair->nodes[A] = *a;
        pair->nodes[B] = *b;
    }
}

static void keep(tmb_front *f, const tmb_boxes_pair *from, uint32_t opened, uint64_t children, double lower)
{
    tmb_boxes_pair *pair = children ? tmb_front_keep(f, lower) : NULL;
    if (pair) {
        pair->head.a = ((tmb_boxes_front *)f->hot->walk.data)->visits;
        pair->head.b = opened;
        pair->head.children = children;
        memcpy(pair->nodes, from->nodes, sizeof pair->nodes);
    }
}

/* Compares the wanted pairs; those that may meet are returned, the others kept. */
static uint64_t compare(tmb_front *f, const tmb_boxes_front *w, const tmb_boxes_pair *from, uint32_t opened,
                        const tmb_box_siblings *a, const tmb_box_siblings *b, uint64_t wanted)
{
    const double limit = f->collider->limit;
    uint64_t meet = 0, soon = 0, later = 0;
    double least = INFINITY, least_later = INFINITY;
    for (uint32_t j = 0; j < b->count; j++) {
        double lower[TMB_BOX_CHILDREN];
        unsigned row = wanted >> 8 * j & 255;
        if (!row) {
            continue;
        }
        tmb_box_bounds(&w->walk.frames, a->in, b->in, j, lower);
        for (; row; row &= row - 1) {
            const unsigned i = (unsigned)__builtin_ctz(row);
            const uint64_t bit = (uint64_t)1 << (8 * j + i);
            if (!(lower[i] > limit)) {
                meet |= bit;
            } else if (lower[i] > f->soon) {
                later |= bit;
                least_later = lower[i] < least_later ? lower[i] : least_later;
            } else {
                soon |= bit;
                least = lower[i] < least ? lower[i] : least;
            }
        }
    }
    keep(f, from, opened, soon, least);
    keep(f, from, opened, later, least_later);
    return meet;
}

/* ---- The walk ---- */

/* Those of the pairs that are two leaves. */
static uint64_t leaf_pairs(const tmb_box_siblings *a, const tmb_box_siblings *b, uint64_t pairs)
{
    uint64_t leaves = 0;
    for (uint64_t rest = pairs; rest; rest &= rest - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(rest);
        leaves |= is_leaf(&a->nodes[bit % 8]) && is_leaf(&b->nodes[bit / 8]) ? rest & (0 - rest) : 0;
    }
    return leaves;
}

/* 1: stop. */
static int test_pairs(tmb_collider *c, const tmb_box_siblings *a, const tmb_box_siblings *b, uint64_t leaves,
                      leaf_cache *cache)
{
    for (; leaves; leaves &= leaves - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(leaves);
        if (test_leaves(c, &a->nodes[bit % 8], b, bit / 8, cache)) {
            return 1;
        }
    }
    return 0;
}

/* A pair; 1: stop. */
static int leave(tmb_front *f, tmb_boxes_front *w, const tmb_boxes_pair *pair, leaf_cache *cache)
{
    tmb_collider *c = f->collider;
    const uint32_t opened = pair->head.b ? pair->head.b : choose(w, pair);
    const tmb_box_siblings *a = siblings_of(w, A, &pair->nodes[A], (opened & TMB_BOXES_OPENED_A) != 0);
    const tmb_box_siblings *b = siblings_of(w, B, &pair->nodes[B], (opened & TMB_BOXES_OPENED_B) != 0);
    const uint64_t wanted = pair->head.children & all_pairs(a, b);
    c->encounter.box_tests += (uint64_t)__builtin_popcountll(wanted);
    f->work += PAIR_WORK;
    w->visits++;
    uint64_t meet = compare(f, w, pair, opened, a, b, wanted);
    const uint64_t leaves = leaf_pairs(a, b, meet);
    if (test_pairs(c, a, b, leaves, cache)) {
        tmb_boxes_pair *again = tmb_front_push(f);
        if (again) {
            *again = *pair;
            again->head.b = opened;
            again->head.children = meet;
        }
        return 1;
    }
    keep(f, pair, opened, leaves, -INFINITY);
    for (meet &= ~leaves; meet; meet &= meet - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(meet);
        push(f, w, &a->nodes[bit % 8], &b->nodes[bit / 8]);
    }
    return c->encounter.status != TUMBLE_OK;
}

void TMB_KERNEL_NAME(tmb_boxes_front_walk)(tmb_front *f)
{
    tmb_boxes_front *w = f->hot->walk.data;
    leaf_cache cache;
    cache.reference = cache.triangle_count = 0; /* no leaf */
    while (f->stack_count > 0) {
        const tmb_boxes_pair pair = *(const tmb_boxes_pair *)tmb_front_pop(f);
        if (leave(f, w, &pair, &cache)) {
            return;
        }
    }
}
