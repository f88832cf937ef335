/* Pairs of clusters: which of their triangles intersect. Included by kernels only. */
#ifndef TUMBLE_SRC_COLLIDE_LEAF_LANES_H
#define TUMBLE_SRC_COLLIDE_LEAF_LANES_H

#include <math.h>

#include "base/assert.h"
#include "collide/wide/walk.h"
#include "math/bits.h"
#include "math/bounds.h"
#include "math/lanes_double.h"
#include "prim/triangle.h"
#include "prim/triangle_lanes.h"

/* A cluster's triangles as lanes: floats in A's frame, relative to an origin nearby. */
typedef struct cluster_lanes {
    _Alignas(TMB_CACHE_LINE) float lower[3][TMB_LANES]; /* of each triangle */
    float upper[3][TMB_LANES];
    tmb_triangle8 triangles;
    uint64_t used;      /* lanes that are triangles; the others repeat a corner */
    uint64_t used_rows; /* the same as bytes of 0 or 255 */
    float reach;        /* no coordinate is larger */
    uint32_t cluster;
} cluster_lanes;

static inline tmb_d8 load_eight(const uint32_t *data, int is_float, size_t at)
{
    return is_float ? tmb_d8_from_f32((const float *)(const void *)(data + TMB_CLUSTER_HEAD_FLOAT) + at)
                    : tmb_d8_loadu((const double *)(const void *)(data + TMB_CLUSTER_HEAD_DOUBLE) + at);
}

/* Eight corners, moved by the pose if there is one, in the one way of docs/semantics.md. Those after the cluster's last
 * are whatever follows it in memory. */
static inline void load_corners(const tumble_model *model, const uint32_t *data, size_t count, size_t first,
                                const tumble_pose *pose, const double origin[3], tmb_f8 out[3])
{
    const tmb_d8 x = load_eight(data, model->is_float, first), y = load_eight(data, model->is_float, first + count),
                 z = load_eight(data, model->is_float, first + 2 * count);
    if (!pose) {
        out[0] = tmb_f8_from_d8(tmb_d8_sub(x, tmb_d8_set(origin[0])));
        out[1] = tmb_f8_from_d8(tmb_d8_sub(y, tmb_d8_set(origin[1])));
        out[2] = tmb_f8_from_d8(tmb_d8_sub(z, tmb_d8_set(origin[2])));
        return;
    }
    for (int k = 0; k < 3; k++) {
        const double *row = pose->m[k];
        const tmb_d8 xy = tmb_d8_add(tmb_d8_mul(tmb_d8_set(row[0]), x), tmb_d8_mul(tmb_d8_set(row[1]), y));
        const tmb_d8 moved = tmb_d8_add(tmb_d8_add(xy, tmb_d8_mul(tmb_d8_set(row[2]), z)), tmb_d8_set(row[3]));
        out[k] = tmb_f8_from_d8(tmb_d8_sub(moved, tmb_d8_set(origin[k])));
    }
}

static inline void expand_cluster(const tumble_model *model, uint32_t cluster, const tumble_pose *pose,
                                  const double origin[3], cluster_lanes *out)
{
    const tmb_cluster_place *place = &model->places[cluster];
    const uint32_t *data = model->clusters + place->offset;
    const uint32_t count = tmb_cluster_corner_count(place, model->is_float);
    tmb_f8 halves[2][3], tables[3][2], reach = tmb_f8_zero();
    load_corners(model, data, count, 0, pose, origin, halves[0]);
    if (count > 8) {
        load_corners(model, data, count, 8, pose, origin, halves[1]);
    } else {
        memcpy(halves[1], halves[0], sizeof halves[1]);
    }
    for (int k = 0; k < 3; k++) {
        tables[k][0] = halves[0][k], tables[k][1] = halves[1][k];
    }
    for (int i = 0; i < 3; i++) {
        const tmb_i8 numbers = tmb_i8_nibbles(data[i]);
        out->triangles.x[i] = tmb_f8_lookup(tables[0], numbers);
        out->triangles.y[i] = tmb_f8_lookup(tables[1], numbers);
        out->triangles.z[i] = tmb_f8_lookup(tables[2], numbers);
    }
    const tmb_f8 *axes[3] = {out->triangles.x, out->triangles.y, out->triangles.z};
    for (int k = 0; k < 3; k++) {
        const tmb_f8 low = tmb_f8_min(tmb_f8_min(axes[k][0], axes[k][1]), axes[k][2]);
        const tmb_f8 high = tmb_f8_max(tmb_f8_max(axes[k][0], axes[k][1]), axes[k][2]);
        tmb_f8_store(out->lower[k], low);
        tmb_f8_store(out->upper[k], high);
        reach = tmb_f8_max(reach, tmb_f8_max(tmb_f8_abs(low), tmb_f8_abs(high)));
    }
    out->reach = tmb_f8_max_of(reach);
    out->cluster = cluster;
    const uint32_t triangles = tmb_cluster_triangle_count(place);
    out->used = (1u << triangles) - 1;
    out->used_rows = UINT64_MAX >> (64 - 8 * triangles);
}

/* Bit 8 j + i: the boxes of triangle i of A and j of B overlap. No branches: the outcome is unpredictable. No slack:
 * subtracting the origin and rounding keep the order of coordinates, also where they become infinite. */
static inline uint64_t overlapping_slots(const cluster_lanes *a, const cluster_lanes *b)
{
    tmb_f8 lower[3], upper[3];
    uint64_t meet = 0;
    for (int k = 0; k < 3; k++) {
        lower[k] = tmb_f8_load(a->lower[k]);
        upper[k] = tmb_f8_load(a->upper[k]);
    }
    for (int j = 0; j < TMB_LANES; j++) {
        tmb_b8 row = tmb_b8_and(tmb_f8_less_equal(lower[0], tmb_f8_set(b->upper[0][j])),
                                tmb_f8_less_equal(tmb_f8_set(b->lower[0][j]), upper[0]));
        for (int k = 1; k < 3; k++) {
            row = tmb_b8_and(row, tmb_f8_less_equal(lower[k], tmb_f8_set(b->upper[k][j])));
            row = tmb_b8_and(row, tmb_f8_less_equal(tmb_f8_set(b->lower[k][j]), upper[k]));
        }
        meet |= (uint64_t)tmb_b8_bits(row) << 8 * j;
    }
    return meet & a->used * 0x0101010101010101u & b->used_rows;
}

static inline tmb_triangle8 pick_triangles(const tmb_triangle8 *t, tmb_i8 number)
{
    tmb_triangle8 out;
    for (int i = 0; i < 3; i++) {
        out.x[i] = tmb_f8_permute(t->x[i], number);
        out.y[i] = tmb_f8_permute(t->y[i], number);
        out.z[i] = tmb_f8_permute(t->z[i], number);
    }
    return out;
}

/* No coordinate is larger, neither the floats nor what they stand for. */
static inline float common_reach(const cluster_lanes *a, const cluster_lanes *b)
{
    return (a->reach > b->reach ? a->reach : b->reach) * (1 + TMB_REACH_ROUNDING);
}

/* ---- Long triangles ---- */

/* With this many pairs of triangles left by their boxes, their clusters are compared as a whole first. */
#define MANY_SLOTS 16

/* The longest edge of a cluster's triangles. */
static inline tmb_vector8 longest_edge(const tmb_triangle8 *t)
{
    tmb_vector8 longest = tmb_vector8_between(t, 0, t, 1);
    tmb_f8 most = tmb_vector8_dot(longest, longest);
    for (int i = 1; i < 3; i++) {
        const tmb_vector8 edge = tmb_vector8_between(t, i, t, (i + 1) % 3);
        const tmb_f8 square = tmb_vector8_dot(edge, edge);
        const tmb_b8 longer = tmb_f8_less(most, square);
        longest = (tmb_vector8){tmb_f8_select(longer, edge.x, longest.x), tmb_f8_select(longer, edge.y, longest.y),
                                tmb_f8_select(longer, edge.z, longest.z)};
        most = tmb_f8_max(most, square);
    }
    const unsigned lanes = tmb_b8_bits(tmb_f8_less_equal(tmb_f8_set(tmb_f8_max_of(most)), most));
    const tmb_i8 lane = tmb_i8_set(lanes ? __builtin_ctz(lanes) : 0);
    return (tmb_vector8){tmb_f8_permute(longest.x, lane), tmb_f8_permute(longest.y, lane),
                         tmb_f8_permute(longest.z, lane)};
}

/* How far a cluster reaches along a direction, at most, and along the opposite one. */
static inline void reach_to_both_sides(const tmb_triangle8 *t, tmb_vector8 n, float sides[2])
{
    tmb_f8 least = tmb_f8_set(INFINITY), most = tmb_f8_set(-INFINITY);
    for (int i = 0; i < 3; i++) {
        const tmb_f8 height = tmb_vector8_dot(n, (tmb_vector8){t->x[i], t->y[i], t->z[i]});
        least = tmb_f8_min(least, height);
        most = tmb_f8_max(most, height);
    }
    sides[0] = tmb_f8_max_of(most);
    sides[1] = tmb_f8_max_of(tmb_f8_neg(least));
}

/* How far two clusters are apart along a direction, in either order; negative if they overlap there. */
static inline float gap_along(const cluster_lanes *a, const cluster_lanes *b, tmb_vector8 n)
{
    float of_a[2], of_b[2];
    reach_to_both_sides(&a->triangles, n, of_a);
    reach_to_both_sides(&b->triangles, n, of_b);
    const float ahead = -of_a[0] - of_b[1], behind = -of_a[1] - of_b[0];
    return ahead > behind ? ahead : behind;
}

/* Whether clusters of long triangles pass by each other: are surely apart along the direction normal to the longest
 * edges of both, or nearly so: any direction will do. Boxes around long oblique triangles are mostly empty, and so are
 * those around their clusters; this separates crossing bars as oriented boxes would. */
static inline int pass_by(const cluster_lanes *a, const cluster_lanes *b, float reach)
{
    const tmb_vector8 n = tmb_vector8_cross(longest_edge(&a->triangles), longest_edge(&b->triangles));
    float least[TMB_LANES];
    tmb_f8_storeu(least, tmb_vector8_least_gap(n, reach));
    return reach <= TMB_TRIANGLES_MOST_REACH && gap_along(a, b, n) > least[0];
}

/* What the lanes could not rule out; 1 when the query is to stop. */
static inline int settle_pairs(tmb_collider *c, uint32_t cluster_a, uint32_t cluster_b, tmb_verdict8 verdict,
                               const uint8_t *slots, unsigned lanes)
{
    TMB_ASSERT((verdict.hit & verdict.miss) == 0);
    TMB_ASSERT(lanes != 0 && lanes <= 255);
    for (unsigned rest = lanes & ~verdict.miss; rest; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        const uint32_t ta = tmb_triangle_address(cluster_a, slots[lane] & 7u);
        const uint32_t tb = tmb_triangle_address(cluster_b, slots[lane] >> 3);
        if (verdict.hit >> lane & 1 ? tmb_collider_hit(c, ta, tb) : tmb_collider_leaf(c, ta, tb)) {
            return 1;
        }
    }
    return 0;
}

/* Up to eight of the pairs of triangles with overlapping boxes, listed as slots 8 j + i; 1 when the query is to stop.
 */
static inline int test_slots(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b, const uint8_t *slots,
                             uint32_t count)
{
    const float reach = common_reach(a, b);
    const unsigned lanes = count >= TMB_LANES ? 255 : (1u << count) - 1;
    const tmb_i8 number = tmb_i8_from_u8(slots);
    const tmb_triangle8 ta = pick_triangles(&a->triangles, tmb_i8_and(number, tmb_i8_set(7)));
    const tmb_triangle8 tb = pick_triangles(&b->triangles, tmb_i8_and(tmb_i8_shift_right(number, 3), tmb_i8_set(7)));
    const tmb_verdict8 verdict = tmb_triangles_intersect8(&ta, &tb, reach, lanes);
    c->encounter.primitive_tests += (uint64_t)__builtin_popcount(lanes & (verdict.hit | verdict.miss));
    return settle_pairs(c, a->cluster, b->cluster, verdict, slots, lanes);
}

/* All pairs of triangles of two clusters, when surfaces are asked for or there is a limit. A kernel of its own, so that
 * the traversals for other questions do not pay for it. */
typedef int tmb_special_function(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b);
TMB_DECLARE_KERNELS(tmb_special_function, tmb_test_special_clusters);

static inline int test_clusters(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b)
{
    uint8_t slots[TMB_BITS_ROOM];
    if (c->is_special) {
        return TMB_KERNEL_NAME(tmb_test_special_clusters)(c, a, b);
    }
    const uint32_t count = tmb_list_bits(overlapping_slots(a, b), slots);
    if (count >= MANY_SLOTS && pass_by(a, b, common_reach(a, b))) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i += TMB_LANES) {
        if (test_slots(c, a, b, slots + i, count - i)) {
            return 1;
        }
    }
    return 0;
}

#endif
