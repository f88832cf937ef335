/* The triangles of two clusters in a search for the nearest: lower bounds in floats, eight pairs at a time, and doubles
 * for what they leave. Compiled once for each instruction set. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collide/leaf_lanes.h"
#include "math/bounds.h"
#include "near/near.h"
#include "prim/triangle_distance_lanes.h"

/* Clusters kept as lanes, in a direct-mapped table. */
#define PLACES 16

typedef struct near_cluster {
    cluster_lanes lanes;
    float middle[3]; /* of its box */
} near_cluster;

struct tmb_near_lanes {
    uint64_t is_ready; /* 0: nothing is there yet */
    int is_usable;     /* floats can hold the coordinates, */
    float scale;       /* which are times this: a power of two that makes A's size about 1 */
    double origin[3];  /* and from here */
    near_cluster a[PLACES], b[PLACES];
};

_Static_assert(sizeof(struct tmb_near_lanes) <= TMB_NEAR_LANES_BYTES, "room for the lanes");

/* The origin is where the nearest triangles may be: there floats are to be most exact. Denormal numbers, which are off
 * by 2^-149, are off by less than 2^-88 for sizes of A that are usable. */
static void begin_lanes(const tmb_near_search *s, struct tmb_near_lanes *lanes, uint32_t cluster_a)
{
    const double scale = s->encounter.a->frame.scale;
    double corners[3][3];
    tmb_model_corners(s->encounter.a, tmb_triangle_address(cluster_a, 0), corners);
    memcpy(lanes->origin, corners[0], sizeof lanes->origin);
    for (int i = 0; i < PLACES; i++) {
        lanes->a[i].lanes.cluster = lanes->b[i].lanes.cluster = UINT32_MAX;
    }
    lanes->is_usable = scale >= TMB_FLOAT_LEAST_SCALE && scale <= TMB_FLOAT_MOST_SCALE;
    lanes->scale = lanes->is_usable ? (float)scale : 1;
    lanes->is_ready = 1;
}

static inline tmb_f8 scale_lanes(tmb_f8 x, float scale)
{
    return tmb_f8_mul(x, tmb_f8_set(scale));
}

static void fit_lanes(near_cluster *cluster, float scale)
{
    cluster_lanes *lanes = &cluster->lanes;
    for (int i = 0; i < 3; i++) {
        lanes->triangles.x[i] = scale_lanes(lanes->triangles.x[i], scale);
        lanes->triangles.y[i] = scale_lanes(lanes->triangles.y[i], scale);
        lanes->triangles.z[i] = scale_lanes(lanes->triangles.z[i], scale);
        const tmb_f8 lower = scale_lanes(tmb_f8_load(lanes->lower[i]), scale);
        const tmb_f8 upper = scale_lanes(tmb_f8_load(lanes->upper[i]), scale);
        tmb_f8_store(lanes->lower[i], lower);
        tmb_f8_store(lanes->upper[i], upper);
        cluster->middle[i] = 0.5F * (tmb_f8_max_of(upper) - tmb_f8_max_of(tmb_f8_neg(lower)));
    }
    lanes->reach *= scale;
}

static const near_cluster *lanes_of(const tumble_model *model, uint32_t cluster, const tumble_pose *pose,
                                    const struct tmb_near_lanes *lanes, near_cluster *places)
{
    near_cluster *place = &places[cluster % PLACES];
    if (place->lanes.cluster != cluster) {
        expand_cluster(model, cluster, pose, lanes->origin, &place->lanes);
        fit_lanes(place, lanes->scale);
    }
    return place;
}

/* ---- Which triangles may be within the bound ---- */

/* How far the triangles of a cluster reach along a direction. */
typedef struct ranges {
    _Alignas(TMB_CACHE_LINE) float lower[TMB_LANES];
    float upper[TMB_LANES];
} ranges;

static inline void project(const tmb_triangle8 *t, const float direction[3], ranges *out)
{
    tmb_f8 along[3];
    for (int i = 0; i < 3; i++) {
        const tmb_f8 xy =
            tmb_f8_add(tmb_f8_mul(t->x[i], tmb_f8_set(direction[0])), tmb_f8_mul(t->y[i], tmb_f8_set(direction[1])));
        along[i] = tmb_f8_add(xy, tmb_f8_mul(t->z[i], tmb_f8_set(direction[2])));
    }
    tmb_f8_store(out->lower, tmb_f8_min(tmb_f8_min(along[0], along[1]), along[2]));
    tmb_f8_store(out->upper, tmb_f8_max(tmb_f8_max(along[0], along[1]), along[2]));
}

/* The direction from the middle of A's cluster to that of B's; its length is at most 1. */
static inline void direction_between(const near_cluster *a, const near_cluster *b, float direction[3])
{
    float square = FLT_MIN;
    for (int k = 0; k < 3; k++) {
        direction[k] = b->middle[k] - a->middle[k];
        square += direction[k] * direction[k];
    }
    const float scale = (1 - TMB_BOUND_ROUNDING) / sqrtf(square);
    for (int k = 0; k < 3; k++) {
        direction[k] *= scale;
    }
}

/* The distances of the boxes of triangles from triangle j of B, squared: lower bounds. */
static inline tmb_f8 box_gaps(const cluster_lanes *a, const cluster_lanes *b, int j, tmb_f8 slack)
{
    tmb_f8 square = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        const tmb_f8 above = tmb_f8_sub(tmb_f8_set(b->lower[k][j]), tmb_f8_load(a->upper[k]));
        const tmb_f8 below = tmb_f8_sub(tmb_f8_load(a->lower[k]), tmb_f8_set(b->upper[k][j]));
        const tmb_f8 gap = tmb_f8_max(tmb_f8_sub(tmb_f8_max(above, below), slack), tmb_f8_zero());
        square = tmb_f8_add(square, tmb_f8_mul(gap, gap));
    }
    return square;
}

static inline float least_lane(tmb_f8 x)
{
    return -tmb_f8_max_of(tmb_f8_neg(x));
}

/* What was left out is not closer than this, in A's local unit. */
static inline void left_out(tmb_near_search *s, float lower, float scale)
{
    TMB_ASSERT(scale > 0);
    const double least = (double)(lower / scale) * (1 - (double)TMB_BOUND_ROUNDING);
    s->least = least < s->least ? least : s->least;
}

static inline float local_bound(const tmb_near_search *s, float scale)
{
    return (float)(s->bound * (double)scale * (1 + (double)TMB_BOUND_ROUNDING)) * (1 + TMB_BOUND_ROUNDING);
}

/* Bit 8 j + i: triangle i of A and j of B may be within the bound, by their boxes and along one direction. Lanes that
 * are no triangles repeat a corner, so *may_meet is 1 at least where two triangles do. Coordinates are off by 2^-24 of
 * the reach, and what is computed from them by less than 16 times that. NaN is not larger than anything. */
static uint64_t close_slots(tmb_near_search *s, const near_cluster *near_a, const near_cluster *near_b, float scale,
                            float reach, int *may_meet)
{
    TMB_ASSERT(scale > 0 && reach >= 0);
    const cluster_lanes *a = &near_a->lanes, *b = &near_b->lanes;
    const float limit = local_bound(s, scale);
    const tmb_f8 most = tmb_f8_set(limit * limit),
                 slack = tmb_f8_set(reach * TMB_CLUSTER_GAP_ROUNDING + TMB_CLUSTER_GAP_UNDERFLOW);
    float direction[3];
    ranges ranges_a, ranges_b;
    direction_between(near_a, near_b, direction);
    project(&a->triangles, direction, &ranges_a);
    project(&b->triangles, direction, &ranges_b);
    const tmb_f8 front = tmb_f8_add(tmb_f8_load(ranges_a.upper), slack);
    tmb_f8 least = tmb_f8_set(FLT_MIN), least_far = tmb_f8_set(INFINITY); /* of the boxes' gaps; of what is left out */
    uint64_t far = 0;
    for (int j = 0; j < TMB_LANES; j++) {
        const tmb_f8 gap = tmb_f8_max(tmb_f8_sub(tmb_f8_set(ranges_b.lower[j]), front), tmb_f8_zero());
        const tmb_f8 boxes = box_gaps(a, b, j, slack), lower = tmb_f8_max(boxes, tmb_f8_mul(gap, gap));
        const tmb_b8 row = tmb_f8_less(most, lower);
        least = tmb_f8_min(boxes, least);
        least_far = tmb_f8_min(tmb_f8_select(row, lower, least_far), least_far);
        far |= (uint64_t)tmb_b8_bits(row) << 8 * j;
    }
    *may_meet = tmb_b8_bits(tmb_f8_less(tmb_f8_zero(), least)) != 255;
    left_out(s, sqrtf(least_lane(least_far)), scale);
    return ~far & a->used * 0x0101010101010101u & b->used_rows;
}

/* How far two clusters of long triangles are apart along the direction normal to the longest edges of both, at least.
 */
static float gap_across(const cluster_lanes *a, const cluster_lanes *b, float reach)
{
    const tmb_vector8 across = tmb_vector8_cross(longest_edge(&a->triangles), longest_edge(&b->triangles));
    const tmb_f8 length = tmb_f8_sqrt(tmb_f8_add(tmb_vector8_dot(across, across), tmb_f8_set(FLT_MIN)));
    const tmb_f8 scale = tmb_f8_div(tmb_f8_set(1 - TMB_BOUND_ROUNDING), length);
    const tmb_vector8 direction = {tmb_f8_mul(across.x, scale), tmb_f8_mul(across.y, scale),
                                   tmb_f8_mul(across.z, scale)};
    return gap_along(a, b, direction) - (reach * TMB_CLUSTER_GAP_ROUNDING + TMB_CLUSTER_GAP_UNDERFLOW);
}

/* ---- How near they are ---- */

static inline void compare_slot(tmb_near_search *s, const cluster_lanes *a, const cluster_lanes *b, unsigned slot)
{
    TMB_ASSERT(slot < 64);
    tmb_near_compare(s, tmb_triangle_address(a->cluster, slot & 7), tmb_triangle_address(b->cluster, slot >> 3));
}

/* Up to eight listed pairs. */
typedef struct triangle_pairs {
    tmb_triangle8 a, b;
} triangle_pairs;

static inline triangle_pairs take_triangles(const cluster_lanes *a, const cluster_lanes *b, const uint8_t *slots)
{
    const tmb_i8 number = tmb_i8_from_u8(slots), low = tmb_i8_set(7);
    return (triangle_pairs){pick_triangles(&a->triangles, tmb_i8_and(number, low)),
                            pick_triangles(&b->triangles, tmb_i8_and(tmb_i8_shift_right(number, 3), low))};
}

/* Without the pairs that a cheap bound shows to be too far apart. */
static uint64_t without_far(tmb_near_search *s, const cluster_lanes *a, const cluster_lanes *b, uint64_t close,
                            float scale, float reach)
{
    uint8_t slots[TMB_BITS_ROOM] = {0};
    const unsigned count = tmb_list_bits(close, slots);
    s->work += TMB_NEAR_LANES_WORK * (count / TMB_LANES);
    const float limit = local_bound(s, scale);
    tmb_f8 least_far = tmb_f8_set(INFINITY);
    uint64_t far = 0;
    for (unsigned n = 0; n < count; n += TMB_LANES) {
        const triangle_pairs pairs = take_triangles(a, b, slots + n);
        const tmb_f8 gap = tmb_triangles_gap8(&pairs.a, &pairs.b, reach);
        const tmb_b8 row = tmb_f8_less(tmb_f8_set(limit), gap);
        least_far = tmb_f8_min(tmb_f8_select(row, gap, least_far), least_far);
        far |= (uint64_t)tmb_b8_bits(row) << n;
    }
    left_out(s, least_lane(least_far), scale);
    return close & ~tmb_spread_bits(far, close);
}

/* Lower bounds of the distances of listed pairs. Returns the place of the least. */
static unsigned bound_distances(const cluster_lanes *a, const cluster_lanes *b, const uint8_t *slots, unsigned count,
                                float reach, float *lower)
{
    TMB_ASSERT(count <= 64);
    unsigned nearest = 0;
    float least = INFINITY;
    for (unsigned n = 0; n < count; n += TMB_LANES) {
        const triangle_pairs pairs = take_triangles(a, b, slots + n);
        tmb_f8_storeu(lower + n, tmb_triangles_distance8_lower(&pairs.a, &pairs.b, reach));
        for (unsigned at = n; at < n + TMB_LANES && at < count; at++) {
            nearest = lower[at] < least ? at : nearest;
            least = lower[at] < least ? lower[at] : least;
        }
    }
    return nearest;
}

static void compare_slots(tmb_near_search *s, const cluster_lanes *a, const cluster_lanes *b, uint64_t close,
                          float scale, float reach)
{
    uint8_t slots[TMB_BITS_ROOM] = {0};
    float lower[TMB_BITS_ROOM];
    if (__builtin_popcountll(close) > TMB_LANES) {
        close = without_far(s, a, b, close, scale, reach);
    }
    const unsigned count = tmb_list_bits(close, slots);
    s->work += TMB_NEAR_LANES_WORK * (count / TMB_LANES);
    const unsigned first = bound_distances(a, b, slots, count, reach, lower);
    for (unsigned i = 0; i < count && !tmb_near_is_over(s); i++) {
        const unsigned n = i == 0 ? first : i == first ? 0 : i;
        if (lower[n] > local_bound(s, scale)) {
            left_out(s, lower[n], scale);
        } else {
            compare_slot(s, a, b, slots[n]);
        }
    }
}

/* Triangles that intersect, if there are any: nothing is closer. Returns those that were compared. */
static uint64_t find_meeting(tmb_near_search *s, const cluster_lanes *a, const cluster_lanes *b, float reach)
{
    uint64_t compared = 0;
    uint8_t slots[TMB_BITS_ROOM];
    const unsigned count = tmb_list_bits(overlapping_slots(a, b), slots);
    for (unsigned n = 0; n < count; n += TMB_LANES) {
        const unsigned lanes = count - n >= TMB_LANES ? 255 : (1u << (count - n)) - 1;
        const triangle_pairs pairs = take_triangles(a, b, slots + n);
        const tmb_verdict8 verdict = tmb_triangles_intersect8(&pairs.a, &pairs.b, reach, lanes);
        for (unsigned rest = lanes & ~verdict.miss; rest && !tmb_near_is_over(s); rest &= rest - 1) {
            const unsigned slot = slots[n + (unsigned)__builtin_ctz(rest)];
            compare_slot(s, a, b, slot);
            compared |= (uint64_t)1 << slot;
        }
    }
    return compared;
}

/* Where coordinates do not suit floats. */
static void compare_all(tmb_near_search *s, uint32_t cluster_a, uint32_t cluster_b)
{
    const uint32_t count_a = tmb_cluster_triangle_count(&s->encounter.a->places[cluster_a]);
    const uint32_t count_b = tmb_cluster_triangle_count(&s->encounter.b->places[cluster_b]);
    for (uint32_t n = 0; n < count_a * count_b && !tmb_near_is_over(s); n++) {
        tmb_near_compare(s, tmb_triangle_address(cluster_a, n % count_a), tmb_triangle_address(cluster_b, n / count_a));
    }
}

void TMB_KERNEL_NAME(tmb_near_clusters)(tmb_near_search *s, uint32_t cluster_a, uint32_t cluster_b)
{
    struct tmb_near_lanes *lanes = s->lanes;
    const tmb_encounter *e = &s->encounter;
    s->has_compared = 1;
    if (!lanes->is_ready) {
        begin_lanes(s, lanes, cluster_a);
    }
    if (!lanes->is_usable) {
        compare_all(s, cluster_a, cluster_b);
        return;
    }
    const near_cluster *near_a = lanes_of(e->a, cluster_a, NULL, lanes, lanes->a);
    const near_cluster *near_b = lanes_of(e->b, cluster_b, &e->relative, lanes, lanes->b);
    const cluster_lanes *a = &near_a->lanes, *b = &near_b->lanes;
    int may_meet = 1;
    const float reach = common_reach(a, b);
    uint64_t close = s->within.above > 0 ? close_slots(s, near_a, near_b, lanes->scale, reach, &may_meet) : 0;
    s->least = s->within.above > 0 ? s->least : 0;
    if (__builtin_popcountll(close) >= MANY_SLOTS) {
        const float gap = gap_across(a, b, reach);
        if (gap > local_bound(s, lanes->scale)) {
            left_out(s, gap, lanes->scale);
            return;
        }
    }
    if (may_meet) {
        close &= ~find_meeting(s, a, b, reach);
    }
    if (close && !tmb_near_is_over(s)) {
        compare_slots(s, a, b, close, lanes->scale, reach);
    }
}
