/* Walks two hierarchies of any kind as trees of boxes. Compiled once for each instruction set. */
#include <float.h>
#include <math.h>

#include "collide/boxes/walk.h"
#include "collide/leaf_lanes.h"
#include "math/lanes_double.h"

#define UNLIKE 1.5 /* nodes of which one is so much longer are not opened together */
#define ALL TMB_BOX_CHILDREN
#define A TMB_BOXES_A
#define B TMB_BOXES_B

/* ---- Siblings ---- */

/* One bound of moved boxes: of each coordinate the end that makes it least, or largest. Moved as points are. */
static inline void move_bound(const tumble_pose *pose, const tmb_box_lanes *from, int k, int want_upper, double *out)
{
    const double *row = pose->m[k];
    tmb_d8 ends[3];
    for (int j = 0; j < 3; j++) {
        ends[j] = tmb_d8_loadu((row[j] > 0) == want_upper ? from->upper[j] : from->lower[j]);
    }
    const tmb_d8 xy = tmb_d8_add(tmb_d8_mul(tmb_d8_set(row[0]), ends[0]), tmb_d8_mul(tmb_d8_set(row[1]), ends[1]));
    const tmb_d8 moved = tmb_d8_add(tmb_d8_add(xy, tmb_d8_mul(tmb_d8_set(row[2]), ends[2])), tmb_d8_set(row[3]));
    tmb_d8_storeu(out, tmb_d8_min(tmb_d8_max(moved, tmb_d8_set(-DBL_MAX)), tmb_d8_set(DBL_MAX)));
}

static void move_boxes(const tumble_pose *pose, const tmb_box_lanes *from, tmb_box_lanes *to)
{
    for (int k = 0; k < 3; k++) {
        move_bound(pose, from, k, 0, to->lower[k]);
        move_bound(pose, from, k, 1, to->upper[k]);
    }
}

/* Lanes that are not used repeat the first. */
static void fill_lanes(tmb_box_siblings *s, int side, double unit)
{
    for (uint32_t i = 0; i < TMB_BOX_CHILDREN; i++) {
        const tmb_box_node *node = &s->nodes[i < s->count ? i : 0];
        double longest = 0;
        for (int k = 0; k < 3; k++) {
            s->in[side].lower[k][i] = node->lower[k];
            s->in[side].upper[k][i] = node->upper[k];
            longest = tmb_greater(longest, node->upper[k] - node->lower[k]);
        }
        s->size[i] = longest * unit;
    }
}

/* What follows from the nodes. */
static void complete(const tmb_boxes_walk *w, int side, tmb_box_siblings *s)
{
    tmb_collider *c = w->collider;
    s->opened = ALL;
    fill_lanes(s, side, side == B ? w->frames.most : 1);
    if (side == B) {
        move_boxes(&c->encounter.relative, &s->in[B], &s->in[A]);
    } else if (w->frames.has_b) {
        move_boxes(&w->frames.into_b, &s->in[A], &s->in[B]);
    }
    c->encounter.box_updates += s->count;
    c->encounter.node_bytes += s->count * sizeof *s->nodes;
}

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

/* ---- Leaves ---- */

/* Triangles of a leaf that lie in one cluster. */
typedef struct leaf_part {
    uint32_t cluster;
    unsigned slots;
} leaf_part;

static uint32_t parts_of(const tumble_model *model, const tmb_box_node *leaf, leaf_part parts[TMB_BOX_LEAF])
{
    uint32_t address = leaf->reference, count = 0;
    for (uint32_t i = 0; i < leaf->triangle_count; i++) {
        const uint32_t cluster = address / TMB_CLUSTER_TRIANGLES;
        if (count == 0 || parts[count - 1].cluster != cluster) {
            parts[count++] = (leaf_part){cluster, 0};
        }
        parts[count - 1].slots |= 1u << address % TMB_CLUSTER_TRIANGLES;
        address = tmb_box_next_triangle(model, address);
    }
    return count;
}

static void expand_part(const tumble_model *model, leaf_part part, const tumble_pose *pose, const double origin[3],
                        cluster_lanes *out)
{
    uint64_t rows = 0;
    expand_cluster(model, part.cluster, pose, origin, out);
    for (unsigned rest = part.slots; rest; rest &= rest - 1) {
        rows |= (uint64_t)255 << 8 * __builtin_ctz(rest);
    }
    out->used = part.slots;
    out->used_rows = rows;
}

/* B's leaf that was examined last, ready to be compared: leaves come in runs. */
typedef struct leaf_cache {
    cluster_lanes lanes[TMB_BOX_LEAF];
    double origin[3]; /* in the middle of it */
    uint32_t reference, triangle_count, part_count;
} leaf_cache;

static void cache_leaf(const tmb_collider *c, const tmb_box_siblings *b, uint32_t j, leaf_cache *cache)
{
    const tmb_box_node *leaf = &b->nodes[j];
    leaf_part parts[TMB_BOX_LEAF] = {{0, 0}};
    if (cache->triangle_count == leaf->triangle_count && cache->reference == leaf->reference) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        cache->origin[k] = 0.5 * b->in[A].lower[k][j] + 0.5 * b->in[A].upper[k][j];
    }
    cache->part_count = parts_of(c->encounter.b, leaf, parts);
    for (uint32_t i = 0; i < cache->part_count; i++) {
        expand_part(c->encounter.b, parts[i], &c->encounter.relative, cache->origin, &cache->lanes[i]);
    }
    cache->reference = leaf->reference;
    cache->triangle_count = leaf->triangle_count;
}

/* 1: stop. */
static int test_leaves(tmb_collider *c, const tmb_box_node *a, const tmb_box_siblings *b, uint32_t j, leaf_cache *cache)
{
    leaf_part parts[TMB_BOX_LEAF] = {{0, 0}};
    if (a->triangle_count == 1 && b->nodes[j].triangle_count == 1) {
        return tmb_collider_leaf(c, a->reference, b->nodes[j].reference);
    }
    cache_leaf(c, b, j, cache);
    const uint32_t count = parts_of(c->encounter.a, a, parts);
    for (uint32_t i = 0; i < count; i++) {
        cluster_lanes lanes;
        expand_part(c->encounter.a, parts[i], NULL, cache->origin, &lanes);
        for (uint32_t n = 0; n < cache->part_count; n++) {
            if (c->by_surface && tmb_clusters_are_known(c, parts[i].cluster, cache->lanes[n].cluster)) {
                continue;
            }
            if (test_clusters(c, &lanes, &cache->lanes[n])) {
                return 1;
            }
        }
    }
    return 0;
}

/* ---- The walk ---- */

static inline int is_leaf(const tmb_box_node *node)
{
    return node->triangle_count - 1 < TMB_BOX_LEAF;
}

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
    if (c->encounter.query->watch && tmb_watch_has(c->encounter.query->watch->cancel)) {
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
