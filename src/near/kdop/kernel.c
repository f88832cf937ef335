/* Leaves a pair of nodes of k-DOP trees in a search for the nearest triangles. Compiled once for each instruction
 * set. */
#include <float.h>

#include "math/bounds.h"
#include "math/lanes.h"
#include "near/kdop/kdop.h"

#define UNLIKE 1.5F /* nodes of which one is this much longer do not descend together */

/* ---- Leaves ---- */

/* Each triangle of one leaf with each of the other. */
static void compare_triangles(tmb_near_search *s, uint32_t ta, uint32_t count_a, uint32_t tb, uint32_t count_b)
{
    const tmb_cluster_place *places_a = s->encounter.a->places, *places_b = s->encounter.b->places;
    for (uint32_t j = 0; j < count_b; j++) {
        uint32_t address = ta;
        for (uint32_t i = 0; i < count_a && !tmb_near_is_over(s); i++) {
            tmb_near_compare(s, address, tb);
            address = tmb_next_triangle(places_a, address);
        }
        tb = tmb_next_triangle(places_b, tb);
    }
}

/* The same for leaves that are whole clusters. */
static void compare_clusters(tmb_near_search *s, uint32_t ta, uint32_t count_a, uint32_t tb, uint32_t count_b)
{
    const tmb_cluster_place *places_a = s->encounter.a->places, *places_b = s->encounter.b->places;
    for (uint32_t a = ta / TMB_CLUSTER_TRIANGLES, left_a = count_a; left_a > 0; a++) {
        left_a -= tmb_cluster_triangle_count(places_a + a);
        for (uint32_t b = tb / TMB_CLUSTER_TRIANGLES, left_b = count_b; left_b > 0 && !tmb_near_is_over(s); b++) {
            left_b -= tmb_cluster_triangle_count(places_b + b);
            TMB_KERNEL_NAME(tmb_near_clusters)(s, a, b);
        }
    }
}

/* ---- Bounds ---- */

/* Lanes in the order of tree/kdop/sets.h: the sides are 0 to 5, the corners come next where there are any, eight of
 * them, and then the edges, eight and four. For each the lanes of the sides with the same signs; for an edge the third
 * is one of the side that it is parallel to. */
static const int32_t corner_lanes[3][8] = {
    {0, 1, 0, 1, 0, 1, 0, 1}, {2, 3, 3, 2, 2, 3, 3, 2}, {4, 5, 4, 5, 5, 4, 5, 4}};
static const int32_t edge_lanes[2][3][8] = {
    {{0, 1, 0, 1, 2, 3, 0, 1}, {2, 3, 4, 5, 4, 5, 3, 2}, {4, 4, 2, 2, 0, 0, 4, 4}},
    {{0, 1, 2, 3, 0, 0, 0, 0}, {5, 4, 5, 4, 1, 1, 1, 1}, {2, 2, 0, 0, 2, 2, 2, 2}}};

static inline tmb_f8 gaps_at(const float *bounds, const float *apart, int lane)
{
    return tmb_f8_sub(tmb_f8_loadu(apart + lane), tmb_f8_loadu(bounds + lane));
}

typedef struct limits {
    float gap, square; /* what is larger is left out, */
    int keep;          /* and its bound wanted all the same */
} limits;

/* In A's local unit, larger than what it is by more than the roundings of a gap. */
static inline limits limits_of(const tmb_near_search *s)
{
    const float gap = (float)(s->bound * s->encounter.a->frame.scale * (1 + TMB_KDOP_LIMIT_ROUNDING));
    return (limits){gap, gap * gap, s->keep};
}

static inline int is_any_larger(tmb_f8 x, float limit)
{
    return tmb_b8_bits(tmb_f8_less(tmb_f8_set(limit), x)) != 0;
}

/* What the gaps between two nodes say of v, any point of B's less one of A's: sides that v_i >= their gap, an edge that
 * the sum of two coordinates is, a corner that the sum of all is, each with signs. */
typedef struct sides {
    tmb_f8 gaps;    /* positive ones, else 0, by lanes */
    tmb_f8 squares; /* of the larger one of two opposite ones */
} sides;

static inline sides make_sides(tmb_f8 gaps)
{
    static const int32_t opposite[8] = {1, 0, 3, 2, 5, 4, 7, 6};
    const tmb_f8 positive = tmb_f8_max(gaps, tmb_f8_zero());
    const tmb_f8 larger = tmb_f8_max(positive, tmb_f8_permute(positive, tmb_i8_loadu(opposite)));
    return (sides){positive, tmb_f8_mul(larger, larger)};
}

static inline tmb_f8 square_of_sides(const sides *s)
{
    const tmb_f8 xy = tmb_f8_add(tmb_f8_permute(s->squares, tmb_i8_set(0)), tmb_f8_permute(s->squares, tmb_i8_set(2)));
    return tmb_f8_add(xy, tmb_f8_permute(s->squares, tmb_i8_set(4)));
}

/* The least square of v with the sides and an edge, for each of eight edges: when half of the edge's gap is not enough
 * for one coordinate, the other is left with the rest. */
static inline tmb_f8 square_with_edges(const sides *s, tmb_f8 gap, const int32_t lanes[3][8])
{
    const tmb_f8 a = tmb_f8_permute(s->gaps, tmb_i8_loadu(lanes[0]));
    const tmb_f8 b = tmb_f8_permute(s->gaps, tmb_i8_loadu(lanes[1]));
    const tmb_f8 first = tmb_f8_max(tmb_f8_mul(gap, tmb_f8_set(0.5F)), tmb_f8_max(a, b));
    const tmb_f8 second = tmb_f8_max(tmb_f8_sub(gap, first), tmb_f8_min(a, b));
    return tmb_f8_add(tmb_f8_add(tmb_f8_mul(first, first), tmb_f8_mul(second, second)),
                      tmb_f8_permute(s->squares, tmb_i8_loadu(lanes[2])));
}

/* The same for corners. */
static inline tmb_f8 square_with_corners(const sides *s, tmb_f8 gap, const int32_t lanes[3][8])
{
    const tmb_f8 x = tmb_f8_permute(s->gaps, tmb_i8_loadu(lanes[0]));
    const tmb_f8 y = tmb_f8_permute(s->gaps, tmb_i8_loadu(lanes[1]));
    const tmb_f8 z = tmb_f8_permute(s->gaps, tmb_i8_loadu(lanes[2]));
    const tmb_f8 xy = tmb_f8_max(x, y), yx = tmb_f8_min(x, y);
    const tmb_f8 first = tmb_f8_max(tmb_f8_mul(gap, tmb_f8_set(TMB_KDOP_THIRD)), tmb_f8_max(xy, z));
    const tmb_f8 rest = tmb_f8_sub(gap, first);
    const tmb_f8 second = tmb_f8_max(tmb_f8_mul(rest, tmb_f8_set(0.5F)), tmb_f8_max(yx, tmb_f8_min(xy, z)));
    const tmb_f8 third = tmb_f8_max(tmb_f8_sub(rest, second), tmb_f8_min(yx, z));
    return tmb_f8_add(tmb_f8_add(tmb_f8_mul(first, first), tmb_f8_mul(second, second)), tmb_f8_mul(third, third));
}

/* Gaps along directions no two of which have a larger cosine than those of a dodecahedron, which is 1/sqrt(5), the
 * largest first: the least square of v, one direction after the other by what the ones before it leave open. */
static inline float square_of_faces(const float gap[3])
{
    const float second = (gap[1] - gap[0] * TMB_KDOP_COSINE) * TMB_KDOP_SECOND;
    const float v1 = second > 0 ? second : 0;
    const float third = ((gap[2] - gap[0] * TMB_KDOP_COSINE) - v1 * TMB_KDOP_SECOND_COSINE) * TMB_KDOP_LAST;
    const float v2 = third > 0 ? third : 0;
    return (gap[0] * gap[0] + v1 * v1) + v2 * v2;
}

/* ---- Pairs ---- */

/* Children of A's node, or the node itself, and of B's, with lower bounds: number 2 j + i is that of i and j. */
typedef struct children {
    uint32_t first_a, first_b;
    uint32_t wanted;
    uint32_t into; /* TMB_KDOP_NEAR_INTO_A, TMB_KDOP_NEAR_INTO_B */
    double lower[4];
} children;

/* The slot of a node of B. */
static inline uint32_t slot_number(tmb_kdop_near *w, uint32_t node)
{
    const tmb_kdop_mark *mark = w->state.marks + node;
    return mark->walk == w->state.walk ? mark->slot : w->slot_of(&w->state, node);
}

/* Discarded pairs: those that will matter soon when the models move are kept one by one, the rest together. */
static void keep_children(tmb_near_search *s, const tmb_near_pair *pair, const children *c, uint32_t left_out)
{
    const double soon = tmb_near_soon(s);
    double least = INFINITY;
    uint32_t later = 0;
    for (uint32_t n = 0; n < 4; n++) {
        if (!(left_out >> n & 1)) {
            continue;
        }
        if (c->lower[n] > soon) {
            later |= 1u << n;
            least = c->lower[n] < least ? c->lower[n] : least;
        } else {
            tmb_near_keep(s, c->lower[n], c->first_a + n % 2, c->first_b + n / 2, TMB_KDOP_NEAR_ALL);
        }
    }
    if (later) {
        tmb_near_keep(s, least, pair->a, pair->b, later | c->into);
    }
}

static inline void hand_on(tmb_near_search *s, const tmb_near_pair *pair, const children *c)
{
    uint32_t left_out = 0;
    for (uint32_t n = 0; n < 4; n++) {
        if (c->wanted >> n & 1) {
            if (c->lower[n] <= s->bound) {
                tmb_near_push(s, c->lower[n], c->first_a + n % 2, c->first_b + n / 2, TMB_KDOP_NEAR_ALL);
            } else {
                left_out |= 1u << n;
            }
        }
    }
    if (left_out && s->keep) {
        keep_children(s, pair, c, left_out);
    }
}

#define K 6
#include "near/kdop/kernel_body.h"
#define K 12
#include "near/kdop/kernel_body.h"
#define K 14
#include "near/kdop/kernel_body.h"
#define K 18
#include "near/kdop/kernel_body.h"
#define K 26
#include "near/kdop/kernel_body.h"

const tmb_kdop_near_kernels TMB_KERNEL_NAME(tmb_kdop_near_kernels) = {leave_6, leave_12, leave_14, leave_18, leave_26};
