/* Lower bounds of the distance between children of wide nodes: 8 against 8, by the boxes in both frames, by the slabs,
 * and along the lines through the centres. See docs/proximity-proofs.md. */
#ifndef TUMBLE_SRC_COLLIDE_WIDE_BOUNDS_H
#define TUMBLE_SRC_COLLIDE_WIDE_BOUNDS_H

#include <float.h>
#include <math.h>

#include "collide/wide/decode.h"
#include "math/bits.h"
#include "math/bounds.h"

/* Lower bounds of the pairs, in A's local unit: bound 8 j + i is that of child i of A and j of B. */
typedef struct bounds {
    _Alignas(TMB_CACHE_LINE) float lower[TMB_WIDE * TMB_WIDE];
} bounds;

/* The squared distance of 8 boxes from one, along the axes of one frame. */
static inline tmb_f8 square_between(const float lower[3][TMB_LANES], const float upper[3][TMB_LANES],
                                    const float other_lower[3][TMB_LANES], const float other_upper[3][TMB_LANES], int j)
{
    tmb_f8 square = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        const tmb_f8 above = tmb_f8_sub(tmb_f8_set(other_lower[k][j]), tmb_f8_load(upper[k]));
        const tmb_f8 below = tmb_f8_sub(tmb_f8_load(lower[k]), tmb_f8_set(other_upper[k][j]));
        const tmb_f8 gap = tmb_f8_max(tmb_f8_max(above, below), tmb_f8_zero());
        square = tmb_f8_add(square, tmb_f8_mul(gap, gap));
    }
    return square;
}

/* Covers the roundings in a bound's computation. */
static inline tmb_f8 round_down(tmb_f8 x)
{
    return tmb_f8_sub(x, tmb_f8_mul(tmb_f8_abs(x), tmb_f8_set(TMB_BOUND_ROUNDING)));
}

/* By the boxes, for the rows in which a pair is wanted. Points 1 apart in B's local frame are at least `unit` apart in
 * A's. The bounds are still squared. Returns the pairs for which they are larger than the limit. */
static inline uint64_t far_boxes(const boxes *a, const boxes *b, uint64_t wanted, float unit, float limit, bounds *out)
{
    const tmb_f8 square_unit = tmb_f8_set(unit * unit), most = tmb_f8_set(limit * limit * (1 + TMB_SQUARE_ROUNDING));
    uint64_t far = 0;
    for (int j = 0; j < TMB_WIDE; j++) {
        if (!(wanted >> 8 * j & 255)) {
            continue;
        }
        const tmb_f8 in_a = square_between(a->lower, a->upper, b->other_lower, b->other_upper, j);
        const tmb_f8 in_b = square_between(a->other_lower, a->other_upper, b->lower, b->upper, j);
        const tmb_f8 square = tmb_f8_max(in_a, tmb_f8_mul(in_b, square_unit));
        tmb_f8_store(out->lower + TMB_WIDE * j, square);
        far |= (uint64_t)tmb_b8_bits(tmb_f8_less(most, square)) << 8 * j;
    }
    return far;
}

/* For pairs that are far by the boxes: the bounds themselves. */
static inline void finish_far(uint64_t far, bounds *out)
{
    for (; far; far &= far - 1) {
        float *lower = &out->lower[__builtin_ctzll(far)];
        *lower = sqrtf(*lower) * (1 - TMB_BOUND_ROUNDING);
    }
}

/* How far pairs are apart along the axis along which they are farthest, or, as a negative number, how deep in each
 * other along the axis along which they are least. */
static inline tmb_f8 farthest_axis(const float lower[3][TMB_LANES], const float upper[3][TMB_LANES],
                                   const float other_lower[3][TMB_LANES], const float other_upper[3][TMB_LANES],
                                   const pair_lanes *p)
{
    tmb_f8 farthest = tmb_f8_set(-FLT_MAX);
    for (int k = 0; k < 3; k++) {
        const tmb_f8 above = tmb_f8_sub(pick(other_lower[k], p->j), pick(upper[k], p->i));
        const tmb_f8 below = tmb_f8_sub(pick(lower[k], p->i), pick(other_upper[k], p->j));
        farthest = tmb_f8_max(farthest, tmb_f8_max(above, below));
    }
    return farthest;
}

/* The distance of the boxes of pairs, from its square; where that is 0, their depth. */
static inline tmb_f8 box_distance(const boxes *a, const boxes *b, const pair_lanes *p, tmb_f8 square, float most_unit)
{
    const tmb_b8 overlap = tmb_f8_less_equal(square, tmb_f8_zero());
    const tmb_f8 distance = tmb_f8_sqrt(square);
    if (!(tmb_b8_bits(overlap) & p->used)) {
        return distance;
    }
    const tmb_f8 in_a = farthest_axis(a->lower, a->upper, b->other_lower, b->other_upper, p);
    const tmb_f8 in_b = farthest_axis(a->other_lower, a->other_upper, b->lower, b->upper, p);
    const tmb_f8 depth = tmb_f8_max(in_a, tmb_f8_mul(in_b, tmb_f8_set(most_unit)));
    return tmb_f8_select(overlap, tmb_f8_min(depth, tmb_f8_zero()), distance);
}

/* How far children reach along a direction: from their centre, by this much to either side of the offset. Of the
 * direction, the part along the slab's is bounded by the slab, the rest by the box. */
typedef struct extents {
    tmb_f8 offset, reach;
} extents;

static inline extents reach_along(const tmb_f8 direction[3], const slabs *s, tmb_i8 number)
{
    tmb_f8 n[3], dot = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        n[k] = pick(s->n[k], number);
        dot = tmb_f8_add(dot, tmb_f8_mul(direction[k], n[k]));
    }
    const tmb_f8 share = tmb_f8_mul(dot, pick(s->inverse, number));
    tmb_f8 reach = tmb_f8_mul(tmb_f8_abs(share), pick(s->half, number));
    for (int k = 0; k < 3; k++) {
        const tmb_f8 rest = tmb_f8_abs(tmb_f8_sub(direction[k], tmb_f8_mul(share, n[k])));
        reach = tmb_f8_add(reach, tmb_f8_mul(rest, pick(s->extent[k], number)));
    }
    return (extents){tmb_f8_mul(share, pick(s->middle, number)), reach};
}

/* How far apart pairs are along the line through the centres of their boxes: the best direction when they are small and
 * far from each other. */
static inline tmb_f8 centre_distance(const slabs *a, const slabs *b, const pair_lanes *p, float slack)
{
    tmb_f8 direction[3], square = tmb_f8_set(FLT_MIN);
    for (int k = 0; k < 3; k++) {
        direction[k] = tmb_f8_sub(pick(b->centre[k], p->j), pick(a->centre[k], p->i));
        square = tmb_f8_add(square, tmb_f8_mul(direction[k], direction[k]));
    }
    const tmb_f8 length = tmb_f8_sqrt(square), inverse = tmb_f8_div(tmb_f8_set(1), length);
    for (int k = 0; k < 3; k++) {
        direction[k] = tmb_f8_mul(direction[k], inverse);
    }
    const extents of_a = reach_along(direction, a, p->i), of_b = reach_along(direction, b, p->j);
    const tmb_f8 between = tmb_f8_add(length, tmb_f8_sub(of_b.offset, of_a.offset));
    const tmb_f8 gap = tmb_f8_sub(tmb_f8_sub(between, tmb_f8_set(slack)), tmb_f8_add(of_a.reach, of_b.reach));
    return tmb_f8_select(tmb_f8_less(square, tmb_f8_set(TMB_LINE_LEAST_SQUARE)), tmb_f8_set(-FLT_MAX), gap);
}

/* What is compared beside the slabs. */
typedef enum far_by {
    FAR_BY_SLABS, /* nothing: for a limit of 0 */
    FAR_BY_ALL    /* boxes, and lines through the centres */
} far_by;

/* For the pairs that are not far by the boxes, whose squared bounds are in `out`. Points 1 apart in B's local frame are
 * at most `most_unit` apart in A's. Returns the pairs whose bound is larger than the limit, and writes the bounds of
 * these, or of all pairs with FAR_BY_ALL. */
static inline __attribute__((always_inline)) uint64_t far_slabs_by(far_by by, const decoded *a, const decoded *b,
                                                                   uint64_t close, float most_unit, float slack,
                                                                   float limit, bounds *out)
{
    uint8_t numbers[TMB_BITS_ROOM] = {0};
    float lower[TMB_LANES];
    const unsigned count = tmb_list_bits(close, numbers);
    uint64_t far = 0;
    for (unsigned n = 0; n < count; n += TMB_LANES) {
        const pair_lanes pairs = take_pairs(numbers + n, count - n);
        const slab_gaps g = compare_slabs(&a->slabs, &b->slabs, &pairs, slack);
        const tmb_f8 over_a = tmb_f8_sub(g.gap_a, g.reach_a), over_b = tmb_f8_sub(g.gap_b, g.reach_b);
        unsigned over = pairs.used & tmb_b8_bits(tmb_f8_less(tmb_f8_zero(), tmb_f8_max(over_a, over_b)));
        if (by == FAR_BY_SLABS && !over) {
            continue;
        }
        const tmb_f8 along_a = tmb_f8_mul(over_a, tmb_f8_sqrt(pick(a->slabs.inverse, pairs.i)));
        const tmb_f8 along_b = tmb_f8_mul(over_b, tmb_f8_sqrt(pick(b->slabs.inverse, pairs.j)));
        tmb_f8 best = tmb_f8_max(along_a, along_b);
        if (by == FAR_BY_ALL) {
            const tmb_f8 between = centre_distance(&a->slabs, &b->slabs, &pairs, slack);
            const tmb_f8 square = tmb_f8_gather(out->lower, tmb_i8_from_u8(numbers + n));
            const tmb_f8 by_boxes = box_distance(&a->boxes, &b->boxes, &pairs, square, most_unit);
            best = tmb_f8_max(tmb_f8_max(by_boxes, between), best);
        }
        best = round_down(best);
        tmb_f8_storeu(lower, best);
        over = by == FAR_BY_ALL ? pairs.used & tmb_b8_bits(tmb_f8_less(tmb_f8_set(limit), best)) : over;
        for (unsigned rest = by == FAR_BY_ALL ? pairs.used : over; rest; rest &= rest - 1) {
            out->lower[numbers[n + (unsigned)__builtin_ctz(rest)]] = lower[__builtin_ctz(rest)];
        }
        far |= (uint64_t)over << n;
    }
    return tmb_spread_bits(far, close);
}

static inline uint64_t far_slabs(const decoded *a, const decoded *b, uint64_t close, float most_unit, float slack,
                                 float limit, bounds *out)
{
    return far_slabs_by(FAR_BY_ALL, a, b, close, most_unit, slack, limit, out);
}

#endif
