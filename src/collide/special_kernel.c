/* Pairs of clusters when pairs of surfaces are asked for, or triangles count that are at most a limit apart. Compiled
 * once for each instruction set. */
#include <string.h>

#include "base/assert.h"
#include "collide/leaf_lanes.h"
#include "math/bounds.h"
#include "math/rounding.h"
#include "prim/triangle_distance_lanes.h"

/* ---- A limit ---- */

/* How far box j of B is from the boxes of A, along an axis: less than it is by at most the slack. */
static inline tmb_f8 gaps_along(const cluster_lanes *a, const cluster_lanes *b, int axis, int j, tmb_f8 slack)
{
    const tmb_f8 below = tmb_f8_sub(tmb_f8_load(a->lower[axis]), tmb_f8_set(b->upper[axis][j]));
    const tmb_f8 above = tmb_f8_sub(tmb_f8_set(b->lower[axis][j]), tmb_f8_load(a->upper[axis]));
    return tmb_f8_max(tmb_f8_sub(tmb_f8_max(below, above), slack), tmb_f8_zero());
}

/* Bit 8 j + i: the boxes of triangle i of A and j of B may be as close as the limit. Each float is within 2^-23 of the
 * reach of what it stands for; a gap is off by less than 3 of these. Squares and sums are off by a few 2^-24, and by
 * far less than 2^-120 where they underflow. NaN separates nothing. */
static uint64_t near_slots(const cluster_lanes *a, const cluster_lanes *b, double limit)
{
    TMB_ASSERT(limit > 0);
    const tmb_f8 slack = tmb_f8_set(common_reach(a, b) * TMB_LIMIT_GAP_ROUNDING);
    const tmb_f8 most = tmb_f8_set((float)(limit * limit * (1 + (double)TMB_SQUARE_ROUNDING) + TMB_SQUARE_UNDERFLOW));
    uint64_t apart = 0;
    for (int j = 0; j < TMB_LANES; j++) {
        tmb_f8 sum = tmb_f8_zero();
        for (int k = 0; k < 3; k++) {
            const tmb_f8 gap = gaps_along(a, b, k, j, slack);
            sum = tmb_f8_add(sum, tmb_f8_mul(gap, gap));
        }
        apart |= (uint64_t)tmb_b8_bits(tmb_f8_less(most, sum)) << 8 * j;
    }
    return ~apart & a->used * 0x0101010101010101u & b->used_rows;
}

/* Up to eight pairs of triangles. */
typedef struct eight_pairs {
    tmb_triangle8 a, b;
    unsigned lanes;
} eight_pairs;

static inline eight_pairs take_eight(const cluster_lanes *a, const cluster_lanes *b, const uint8_t *slots,
                                     uint32_t count)
{
    TMB_ASSERT(count > 0);
    const tmb_i8 number = tmb_i8_from_u8(slots);
    return (eight_pairs){
        pick_triangles(&a->triangles, tmb_i8_and(number, tmb_i8_set(7))),
        pick_triangles(&b->triangles, tmb_i8_and(tmb_i8_shift_right(number, 3), tmb_i8_set(7))),
        count >= TMB_LANES ? 255 : (1u << count) - 1,
    };
}

/* Those of the slots that a bound which is cheap to compute leaves, so that the expensive ones are computed for full
 * lanes. */
static uint64_t close_slots(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b, uint64_t slots)
{
    uint8_t numbers[TMB_BITS_ROOM];
    const uint32_t count = tmb_list_bits(slots, numbers);
    const tmb_f8 above = tmb_f8_set(tmb_float_above(c->limit));
    const float reach = common_reach(a, b);
    uint64_t far = 0;
    for (uint32_t i = 0; i < count; i += TMB_LANES) {
        const eight_pairs pairs = take_eight(a, b, numbers + i, count - i);
        const tmb_b8 is_far = tmb_f8_less(above, tmb_triangles_gap8(&pairs.a, &pairs.b, reach));
        far |= (uint64_t)(pairs.lanes & tmb_b8_bits(is_far)) << i;
    }
    c->encounter.primitive_tests += (uint64_t)__builtin_popcountll(far);
    return slots & ~tmb_spread_bits(far, slots);
}

/* Decides by bounds of the distances. Where the limit is small compared with the triangles, close ones mostly
 * intersect, so that is tested first; else only where the bounds leave a doubt. */
static tmb_verdict8 compare_with_limit(const eight_pairs *pairs, float reach, const tmb_limit *limit)
{
    TMB_ASSERT(limit->above > 0);
    TMB_ASSERT(pairs->lanes != 0);
    const int intersect_first = limit->above < 0x1p-4 * (double)reach;
    tmb_verdict8 verdict = {0, 0};
    if (intersect_first) {
        verdict.hit = tmb_triangles_intersect8(&pairs->a, &pairs->b, reach, pairs->lanes).hit;
    }
    if (verdict.hit == pairs->lanes) {
        return verdict;
    }
    const tmb_distance8 distance = tmb_triangles_distance8(&pairs->a, &pairs->b, reach);
    verdict.miss = pairs->lanes & tmb_b8_bits(tmb_f8_less(tmb_f8_set(tmb_float_above(limit->above)), distance.lower));
    verdict.hit |=
        pairs->lanes & tmb_b8_bits(tmb_f8_less_equal(distance.upper, tmb_f8_set(tmb_float_below(limit->below))));
    const unsigned doubtful = pairs->lanes & ~(verdict.hit | verdict.miss);
    if (doubtful && !intersect_first) {
        verdict.hit |= tmb_triangles_intersect8(&pairs->a, &pairs->b, reach, doubtful).hit;
    }
    return verdict;
}

/* As test_slots, with the limit. */
static int test_near_slots(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b, const uint8_t *slots,
                           uint32_t count)
{
    const eight_pairs pairs = take_eight(a, b, slots, count);
    tmb_verdict8 verdict = compare_with_limit(&pairs, common_reach(a, b), &c->near);
    if (c->has_radii || c->has_flat_ends) { /* most polygons are thinner than the limit says */
        verdict.hit = 0;
    }
    c->encounter.primitive_tests += (uint64_t)__builtin_popcount(pairs.lanes & (verdict.hit | verdict.miss));
    return settle_pairs(c, a->cluster, b->cluster, verdict, slots, pairs.lanes);
}

static inline int test_eight(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b, const uint8_t *slots,
                             uint32_t count)
{
    return c->limit > 0 ? test_near_slots(c, a, b, slots, count) : test_slots(c, a, b, slots, count);
}

/* ---- Surfaces ---- */

/* Those of the slots 8 j + i whose surfaces are not known to intersect. Neighbours mostly have the same. */
static uint64_t unknown_slots(const tmb_collider *c, const tmb_cluster_surfaces *a, const tmb_cluster_surfaces *b,
                              uint64_t slots)
{
    uint64_t unknown = 0, last = 0;
    int is_known = -1;
    for (; slots; slots &= slots - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(slots);
        const uint64_t key = tmb_polygon_key(a->ids[slot & 7], b->ids[slot >> 3]);
        if (is_known < 0 || key != last) {
            is_known = tmb_pair_set_has(&c->seen_surfaces, key);
            last = key;
        }
        unknown |= is_known ? 0 : slots & (0 - slots);
    }
    return unknown;
}

/* Without those whose surfaces are known to intersect. Before each eight pairs those are left out that the last eight
 * have made known. */
static int test_surface_slots(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b, uint64_t slots)
{
    const tmb_cluster_surfaces *of_a = tmb_surfaces_of_a(c, a->cluster), *of_b = tmb_surfaces_of_b(c, b->cluster);
    uint64_t rest = unknown_slots(c, of_a, of_b, slots);
    while (rest) {
        uint8_t numbers[TMB_BITS_ROOM];
        const uint32_t count = tmb_list_bits(rest, numbers);
        const uint64_t found = c->surface_pair_count;
        if (test_eight(c, a, b, numbers, count)) {
            return 1;
        }
        for (uint32_t i = 0; i < TMB_LANES; i++) {
            rest &= rest - 1;
        }
        if (c->surface_pair_count != found) {
            rest = unknown_slots(c, of_a, of_b, rest);
        }
    }
    return 0;
}

int TMB_KERNEL_NAME(tmb_test_special_clusters)(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b)
{
    const uint64_t slots = c->limit > 0 ? near_slots(a, b, c->limit) : overlapping_slots(a, b);
    if (c->by_surface) {
        return test_surface_slots(c, a, b, slots);
    }
    uint8_t numbers[TMB_BITS_ROOM];
    const uint32_t count = tmb_list_bits(close_slots(c, a, b, slots), numbers);
    for (uint32_t i = 0; i < count; i += TMB_LANES) {
        if (test_near_slots(c, a, b, numbers + i, count - i)) {
            return 1;
        }
    }
    return 0;
}
