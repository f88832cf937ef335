/* Nodes of wide hierarchies, decoded, and their slabs compared. Included by the kernels that walk such trees. */
#ifndef TUMBLE_SRC_COLLIDE_WIDE_DECODE_H
#define TUMBLE_SRC_COLLIDE_WIDE_DECODE_H

#include "collide/wide/walk.h"
#include "math/lanes.h"

/* A node's children, decoded: boxes in its own frame and in the other's. */
typedef struct boxes {
    _Alignas(TMB_CACHE_LINE) float lower[3][TMB_LANES];
    float upper[3][TMB_LANES], other_lower[3][TMB_LANES], other_upper[3][TMB_LANES];
} boxes;

/* Their slabs, in A's frame: of the points x of the child, n . (x - centre) is within half of middle. */
typedef struct slabs {
    _Alignas(TMB_CACHE_LINE) float n[3][TMB_LANES];
    float inverse[TMB_LANES];                         /* 1 / n . n */
    float centre[3][TMB_LANES], extent[3][TMB_LANES]; /* the box in A's frame, by its middle and half its sides */
    float middle[TMB_LANES], half[TMB_LANES];
} slabs;

typedef struct decoded {
    boxes boxes;
    slabs slabs;
} decoded;

typedef struct frames {
    tmb_f8 centre[3], half[3];
} frames;

static inline frames decode_boxes(const tmb_wide_node *node, boxes *out)
{
    frames f;
    for (int k = 0; k < 3; k++) {
        const tmb_f8 scale = tmb_f8_set(node->scale[k]), origin = tmb_f8_set(node->origin[k]);
        const tmb_f8 low = tmb_f8_add(tmb_f8_mul(tmb_f8_from_u8(node->lower[k]), scale), origin);
        const tmb_f8 high = tmb_f8_add(tmb_f8_mul(tmb_f8_from_u8(node->upper[k]), scale), origin);
        tmb_f8_store(out->lower[k], low);
        tmb_f8_store(out->upper[k], high);
        f.centre[k] = tmb_f8_mul(tmb_f8_add(low, high), tmb_f8_set(0.5F));
        f.half[k] = tmb_f8_mul(tmb_f8_sub(high, low), tmb_f8_set(0.5F));
    }
    return f;
}

static inline tmb_f8 combine(const float row[3], const tmb_f8 v[3])
{
    return tmb_f8_add(tmb_f8_add(tmb_f8_mul(tmb_f8_set(row[0]), v[0]), tmb_f8_mul(tmb_f8_set(row[1]), v[1])),
                      tmb_f8_mul(tmb_f8_set(row[2]), v[2]));
}

static inline frames move_boxes(const tmb_wide_map *map, const frames *f, boxes *out)
{
    frames moved;
    for (int k = 0; k < 3; k++) {
        moved.centre[k] = tmb_f8_add(combine(map->m[k], f->centre), tmb_f8_set(map->shift[k]));
        moved.half[k] = tmb_f8_add(combine(map->size[k], f->half), tmb_f8_set(map->slack));
        tmb_f8_store(out->other_lower[k], tmb_f8_sub(moved.centre[k], moved.half[k]));
        tmb_f8_store(out->other_upper[k], tmb_f8_add(moved.centre[k], moved.half[k]));
    }
    return moved;
}

/* The slabs' ranges are times the unit, the directions are as stored. */
static inline void decode_slabs(const tmb_wide_node *node, float slab_unit, tmb_f8 n[3], slabs *out)
{
    const tmb_f8 unit = tmb_f8_set(1.0F / 127), zero = tmb_f8_zero();
    const tmb_f8 x = tmb_f8_mul(tmb_f8_from_s8(node->direction[0]), unit);
    const tmb_f8 y = tmb_f8_mul(tmb_f8_from_s8(node->direction[1]), unit);
    const tmb_f8 z = tmb_f8_sub(tmb_f8_sub(tmb_f8_set(1), tmb_f8_abs(x)), tmb_f8_abs(y));
    const tmb_f8 over = tmb_f8_max(tmb_f8_neg(z), zero);
    n[0] = tmb_f8_sub(x, tmb_f8_with_sign_of(over, x));
    n[1] = tmb_f8_sub(y, tmb_f8_with_sign_of(over, y));
    n[2] = z;
    float greatest = node->scale[0] > node->scale[1] ? node->scale[0] : node->scale[1];
    greatest = node->scale[2] > greatest ? node->scale[2] : greatest;
    const tmb_f8 half = tmb_f8_set(greatest * (0.5F / 256) * slab_unit);
    const tmb_f8 low = tmb_f8_from_s16(node->slab_lower), high = tmb_f8_from_s16(node->slab_upper);
    tmb_f8_store(out->middle, tmb_f8_mul(tmb_f8_add(high, low), half));
    tmb_f8_store(out->half, tmb_f8_mul(tmb_f8_sub(high, low), half));
}

static inline void store_slabs(const tmb_f8 n[3], const frames *f, slabs *out)
{
    tmb_f8 square = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        square = tmb_f8_add(square, tmb_f8_mul(n[k], n[k]));
        tmb_f8_store(out->n[k], n[k]);
        tmb_f8_store(out->centre[k], f->centre[k]);
        tmb_f8_store(out->extent[k], f->half[k]);
    }
    tmb_f8_store(out->inverse, tmb_f8_div(tmb_f8_set(1), square));
}

static inline void decode_a(const tmb_wide_walk *w, const tmb_wide_node *node, decoded *out)
{
    tmb_f8 n[3];
    const frames f = decode_boxes(node, &out->boxes);
    move_boxes(&w->into_b, &f, &out->boxes);
    decode_slabs(node, 1, n, &out->slabs);
    store_slabs(n, &f, &out->slabs);
}

/* Directions are moved by the transposed inverse, so that n . (x - centre) keeps its value except for the unit. */
static inline void decode_b(const tmb_wide_walk *w, const tmb_wide_node *node, decoded *out)
{
    tmb_f8 n[3], moved_n[3];
    const frames f = decode_boxes(node, &out->boxes), moved = move_boxes(&w->into_a, &f, &out->boxes);
    decode_slabs(node, w->slab_unit, n, &out->slabs);
    for (int k = 0; k < 3; k++) {
        moved_n[k] = combine(w->turn[k], n);
    }
    store_slabs(moved_n, &moved, &out->slabs);
}

/* Up to eight pairs of children. */
typedef struct pair_lanes {
    tmb_i8 i, j;
    unsigned used;
} pair_lanes;

static inline pair_lanes take_pairs(const uint8_t *numbers, unsigned left)
{
    const tmb_i8 number = tmb_i8_from_u8(numbers);
    return (pair_lanes){tmb_i8_and(number, tmb_i8_set(7)), tmb_i8_and(tmb_i8_shift_right(number, 3), tmb_i8_set(7)),
                        left < TMB_LANES ? (1u << left) - 1 : 255};
}

static inline tmb_f8 pick(const float values[TMB_LANES], tmb_i8 number)
{
    return tmb_f8_permute(tmb_f8_load(values), number);
}

/* How far the slabs of pairs of children are from each other along the directions of both, and how far they reach
 * towards each other: apart where a gap is larger than its reach.
 *
 * Along A's direction n, B reaches as far as its slab does along share times its own direction, plus its box along the
 * rest of n. The same with A and B exchanged. */
typedef struct slab_gaps {
    tmb_f8 gap_a, reach_a, gap_b, reach_b;
} slab_gaps;

static inline slab_gaps compare_slabs(const slabs *a, const slabs *b, const pair_lanes *p, float slack)
{
    tmb_f8 dot = tmb_f8_zero(), between_a = tmb_f8_zero(), between_b = tmb_f8_zero();
    tmb_f8 na[3], nb[3];
    for (int k = 0; k < 3; k++) {
        na[k] = pick(a->n[k], p->i);
        nb[k] = pick(b->n[k], p->j);
        const tmb_f8 apart = tmb_f8_sub(pick(b->centre[k], p->j), pick(a->centre[k], p->i));
        dot = tmb_f8_add(dot, tmb_f8_mul(na[k], nb[k]));
        between_a = tmb_f8_add(between_a, tmb_f8_mul(na[k], apart));
        between_b = tmb_f8_add(between_b, tmb_f8_mul(nb[k], apart));
    }
    const tmb_f8 share_a = tmb_f8_mul(dot, pick(a->inverse, p->i)), share_b = tmb_f8_mul(dot, pick(b->inverse, p->j));
    const tmb_f8 half_a = pick(a->half, p->i), half_b = pick(b->half, p->j);
    tmb_f8 reach_a = tmb_f8_add(tmb_f8_add(half_a, tmb_f8_mul(tmb_f8_abs(share_b), half_b)), tmb_f8_set(slack));
    tmb_f8 reach_b = tmb_f8_add(tmb_f8_add(half_b, tmb_f8_mul(tmb_f8_abs(share_a), half_a)), tmb_f8_set(slack));
    for (int k = 0; k < 3; k++) {
        const tmb_f8 rest_a = tmb_f8_abs(tmb_f8_sub(na[k], tmb_f8_mul(share_b, nb[k])));
        const tmb_f8 rest_b = tmb_f8_abs(tmb_f8_sub(nb[k], tmb_f8_mul(share_a, na[k])));
        reach_a = tmb_f8_add(reach_a, tmb_f8_mul(rest_a, pick(b->extent[k], p->j)));
        reach_b = tmb_f8_add(reach_b, tmb_f8_mul(rest_b, pick(a->extent[k], p->i)));
    }
    const tmb_f8 middle_a = pick(a->middle, p->i), middle_b = pick(b->middle, p->j);
    const tmb_f8 gap_a = tmb_f8_sub(tmb_f8_add(between_a, tmb_f8_mul(share_b, middle_b)), middle_a);
    const tmb_f8 gap_b = tmb_f8_sub(tmb_f8_add(between_b, middle_b), tmb_f8_mul(share_a, middle_a));
    return (slab_gaps){tmb_f8_abs(gap_a), reach_a, tmb_f8_abs(gap_b), reach_b};
}

/* ---- How two trees are walked down ---- */

#define UNLIKE 1.5F /* nodes of which one is this much longer do not descend together */

/* Which of two nodes descend. */
typedef struct steps {
    int into_a, into_b;
} steps;

static inline float longest_side(const tmb_wide_node *node)
{
    const float xy = node->scale[0] > node->scale[1] ? node->scale[0] : node->scale[1];
    return xy > node->scale[2] ? xy : node->scale[2];
}

/* Both if they are about as large, else the larger one unless it is on the lowest level: otherwise a small part in a
 * large plant would be taken apart, and each piece would descend on its own. */
static inline steps next_steps(const tmb_wide_walk *walk, const tmb_wide_node *a, const tmb_wide_node *b)
{
    const float size_a = longest_side(a), size_b = longest_side(b) * walk->size_of_b;
    const int a_is_larger = size_a > UNLIKE * size_b, b_is_larger = size_b > UNLIKE * size_a;
    return (steps){!a->is_lowest && (b->is_lowest || !b_is_larger), !b->is_lowest && (a->is_lowest || !a_is_larger)};
}

#endif
