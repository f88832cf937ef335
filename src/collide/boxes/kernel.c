/* Walks two hierarchies of any kind as trees of boxes. Compiled once for each instruction set. */
#include <float.h>
#include <math.h>

#include "collide/boxes/walker.h"

/* ---- Siblings ---- */

/* The children of a sibling, one floor below it. They may be there already. */
static void open_sibling(const tmb_boxes_walk *w, int side, uint32_t floor, uint32_t lane)
{
    tmb_box_siblings *from = &w->floors[floor].side[side], *to = &w->floors[floor + 1].side[side];
    if (from->opened != lane) {
        to->count = tmb_box_view_open(&w->trees[side], &from->nodes[lane], to->nodes);
        complete(w, side, to);
        from->opened = lane;
    }
}

/* ---- Pairs of siblings ---- */

/* How far one box is from eight along the axis of a frame that separates them best; 0 or less: along none. */
static inline tmb_d8 gaps_of(const tmb_box_lanes *eight, const tmb_box_lanes *one, uint32_t lane)
{
    tmb_d8 most = tmb_d8_set(-DBL_MAX);
    for (int k = 0; k < 3; k++) {
        const tmb_d8 below = tmb_d8_sub(tmb_d8_loadu(eight->lower[k]), tmb_d8_set(one->upper[k][lane]));
        const tmb_d8 above = tmb_d8_sub(tmb_d8_set(one->lower[k][lane]), tmb_d8_loadu(eight->upper[k]));
        most = tmb_d8_max(most, tmb_d8_max(below, above));
    }
    return most;
}

/* Those that are apart for certain, by the distance of the boxes, when there is a limit. */
static unsigned far_lanes(const tmb_boxes_walk *w, const tmb_box_siblings *eight, const tmb_box_siblings *one,
                          uint32_t lane)
{
    double lower[TMB_BOX_CHILDREN];
    unsigned far = 0;
    tmb_box_bounds(&w->frames, eight->in, one->in, lane, lower);
    for (uint32_t i = 0; i < TMB_BOX_CHILDREN; i++) {
        far |= (unsigned)(lower[i] > w->collider->limit) << i;
    }
    return far;
}

/* Which of some siblings may meet one of the other model, or be as close to it as the limit. */
static inline unsigned meeting_lanes(const tmb_boxes_walk *w, const tmb_box_siblings *eight,
                                     const tmb_box_siblings *one, uint32_t lane)
{
    unsigned apart = tmb_d8_less(tmb_d8_set(w->far[A]), gaps_of(&eight->in[A], &one->in[A], lane));
    if (w->frames.has_b) {
        apart |= tmb_d8_less(tmb_d8_set(w->far[B]), gaps_of(&eight->in[B], &one->in[B], lane));
    }
    const unsigned all = (1u << eight->count) - 1;
    if (w->collider->limit > 0 && (all & ~apart)) {
        apart |= far_lanes(w, eight, one, lane);
    }
    w->collider->encounter.box_tests += eight->count;
    return all & ~apart;
}

static uint64_t meeting_pairs(const tmb_boxes_walk *w, const tmb_box_floor *f)
{
    const tmb_box_siblings *a = &w->floors[f->from[A]].side[A], *b = &w->floors[f->from[B]].side[B];
    uint64_t meet = 0;
    if (f->only[A] != ALL) {
        for (unsigned rest = meeting_lanes(w, b, a, f->only[A]); rest; rest &= rest - 1) {
            meet |= (uint64_t)1 << (8 * __builtin_ctz(rest) + (int)f->only[A]);
        }
        return meet;
    }
    const uint32_t first = f->only[B] == ALL ? 0 : f->only[B], end = f->only[B] == ALL ? b->count : first + 1;
    for (uint32_t j = first; j < end; j++) {
        meet |= (uint64_t)meeting_lanes(w, a, b, j) << 8 * j;
    }
    return meet;
}

/* ---- The walk ---- */

/* The roots, as the only siblings of the first floor. */
static void begin(tmb_boxes_walk *w)
{
    tmb_box_floor *f = &w->floors[0];
    for (int side = 0; side < 2; side++) {
        (void)tmb_box_view_root(&w->trees[side], &f->side[side].nodes[0]);
        f->side[side].count = 1;
        f->from[side] = 0;
        f->only[side] = ALL;
        complete(w, side, &f->side[side]);
    }
    f->left = meeting_pairs(w, f);
}

/* Opens both nodes of a pair, or the larger one. There is room for the next floor. */
static void descend(tmb_boxes_walk *w, uint32_t at, const uint32_t lanes[2])
{
    const tmb_box_floor *f = &w->floors[at];
    tmb_box_floor *next = &w->floors[at + 1];
    const tmb_box_siblings *of[2] = {&w->floors[f->from[A]].side[A], &w->floors[f->from[B]].side[B]};
    for (int side = 0; side < 2; side++) {
        const int other = !side;
        const double size = of[side]->size[lanes[side]], others = of[other]->size[lanes[other]];
        const int opens = !is_leaf(&of[side]->nodes[lanes[side]]) &&
                          (is_leaf(&of[other]->nodes[lanes[other]]) || !(others > UNLIKE * size));
        next->from[side] = f->from[side];
        next->only[side] = lanes[side];
        if (opens) {
            open_sibling(w, side, f->from[side], lanes[side]);
            next->from[side]++;
            next->only[side] = ALL;
        }
    }
    next->left = meeting_pairs(w, next);
}

static int is_cancelled(tmb_collider *c)
{
    if (tmb_watch_ends(c->encounter.query->watch)) {
        tmb_collider_cancel(c);
        return 1;
    }
    return 0;
}

/* The next pair of a floor; 1: stop. */
static int look_at(tmb_boxes_walk *w, uint32_t *floor, leaf_cache *cache)
{
    tmb_box_floor *f = &w->floors[*floor];
    const uint32_t bit = (uint32_t)__builtin_ctzll(f->left), lanes[2] = {bit % 8, bit / 8};
    const tmb_box_siblings *a = &w->floors[f->from[A]].side[A], *b = &w->floors[f->from[B]].side[B];
    f->left &= f->left - 1;
    if (is_leaf(&a->nodes[lanes[A]]) && is_leaf(&b->nodes[lanes[B]])) {
        return test_leaves(w->collider, &a->nodes[lanes[A]], b, lanes[B], cache);
    }
    if (is_cancelled(w->collider) || !tmb_boxes_reserve(w, (size_t)*floor + 1)) {
        return 1;
    }
    descend(w, (*floor)++, lanes);
    return 0;
}

void TMB_KERNEL_NAME(tmb_boxes_walk)(tmb_boxes_walk *w)
{
    leaf_cache cache;
    uint32_t floor = 0;
    cache.reference = cache.triangle_count = 0; /* no leaf */
    begin(w);
    for (;;) {
        if (w->floors[floor].left) {
            if (look_at(w, &floor, &cache)) {
                return;
            }
        } else if (floor-- == 0) {
            return;
        }
    }
}
