/* The triangles of a cluster in a search for those nearest to a point: bounds of their distances in floats, eight at a
 * time. Compiled once for each instruction set. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "collide/leaf_lanes.h"
#include "math/bounds.h"
#include "point/point.h"
#include "prim/point_distance_lanes.h"

/* The least of some lanes. */
static inline float least_lane(tmb_f8 x, unsigned lanes)
{
    const tmb_f8 chosen = tmb_f8_select(tmb_b8_from_bits(lanes), x, tmb_f8_set(INFINITY));
    return -tmb_f8_max_of(tmb_f8_neg(chosen));
}

static inline void note_upper(tmb_point_search *s, uint32_t cluster, unsigned lanes, tmb_f8 upper)
{
    const double unit = (1 + (double)TMB_BOUND_ROUNDING) / s->scale;
    if (s->wanted == 1) {
        const double least = (double)least_lane(upper, lanes) * unit;
        s->bound = least < s->bound ? least : s->bound;
        return;
    }
    float all[TMB_LANES];
    tmb_f8_storeu(all, upper);
    for (; lanes; lanes &= lanes - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctz(lanes);
        const double own = (double)all[slot] * unit;
        if (own < s->bound) {
            tmb_point_note(s, tmb_model_polygon(s->model, tmb_triangle_address(cluster, slot)), own);
        }
    }
}

static inline void scale_lanes(cluster_lanes *lanes, float scale)
{
    for (int i = 0; i < 3; i++) {
        lanes->triangles.x[i] = tmb_f8_mul(lanes->triangles.x[i], tmb_f8_set(scale));
        lanes->triangles.y[i] = tmb_f8_mul(lanes->triangles.y[i], tmb_f8_set(scale));
        lanes->triangles.z[i] = tmb_f8_mul(lanes->triangles.z[i], tmb_f8_set(scale));
    }
    lanes->reach *= scale;
}

/* Adds what thinner polygons have as shifts, outward. */
static void add_shifts(const tmb_point_search *s, uint32_t cluster, unsigned slots, tmb_distance8 *d)
{
    float lower[TMB_LANES], upper[TMB_LANES];
    tmb_f8_storeu(lower, d->lower);
    tmb_f8_storeu(upper, d->upper);
    for (; slots; slots &= slots - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctz(slots);
        const uint32_t polygon = tmb_model_polygon(s->model, tmb_triangle_address(cluster, slot));
        const float shift = (float)(tmb_point_shift(s, polygon) * s->scale);
        lower[slot] = (lower[slot] + fminf(shift, FLT_MAX) * (1 - TMB_BOUND_ROUNDING)) * (1 - TMB_BOUND_ROUNDING);
        upper[slot] = (upper[slot] + shift * (1 + TMB_BOUND_ROUNDING)) * (1 + TMB_BOUND_ROUNDING) + FLT_MIN;
    }
    d->lower = tmb_f8_loadu(lower);
    d->upper = tmb_f8_loadu(upper);
}

/* Which triangles have boxes within a limit, in the model's unit: a cheap look at clusters of which most are far. The
 * boxes are off by what coordinates are, less than the slack (docs/proximity-proofs.md, Clusters). */
static inline unsigned near_boxes(const cluster_lanes *lanes, float limit)
{
    const tmb_f8 slack = tmb_f8_set(lanes->reach * TMB_CLUSTER_GAP_ROUNDING + TMB_CLUSTER_GAP_UNDERFLOW);
    tmb_f8 square = tmb_f8_zero();
    for (int k = 0; k < 3; k++) {
        const tmb_f8 gap = tmb_f8_max(tmb_f8_load(lanes->lower[k]), tmb_f8_neg(tmb_f8_load(lanes->upper[k])));
        const tmb_f8 sure = tmb_f8_max(tmb_f8_sub(gap, slack), tmb_f8_zero());
        square = tmb_f8_add(square, tmb_f8_mul(sure, sure));
    }
    return ~tmb_b8_bits(tmb_f8_less(tmb_f8_set(limit * limit), square));
}

/* Where floats do not hold the coordinates. */
static void compare_in_doubles(tmb_point_search *s, uint32_t cluster, unsigned slots)
{
    float lower[TMB_LANES] = {0};
    for (unsigned rest = slots; rest; rest &= rest - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctz(rest), address = tmb_triangle_address(cluster, slot);
        double corners[3][3];
        tmb_point_distance distance;
        tmb_model_corners(s->model, address, corners);
        tmb_point_distance_fast((const double(*)[3])corners, s->point, &distance);
        const uint32_t polygon = tmb_model_polygon(s->model, address);
        const double shift = tmb_point_shift(s, polygon);
        lower[slot] = (float)fmin((distance.lower + shift) * s->scale, FLT_MAX) * (1 - TMB_BOUND_ROUNDING);
        const double upper = (distance.upper + shift) * (1 + TMB_POINT_ORDER);
        if (upper < s->bound) {
            tmb_point_note(s, polygon, upper);
        }
    }
    tmb_point_add_candidates(s, cluster, slots, lower);
}

void TMB_KERNEL_NAME(tmb_point_cluster)(tmb_point_search *s, uint32_t cluster, unsigned slots)
{
    TMB_ASSERT(cluster < s->model->block->cluster_count);
    s->counters.primitive_tests += (uint64_t)__builtin_popcount(slots);
    if (!s->has_floats) {
        compare_in_doubles(s, cluster, slots);
        return;
    }
    cluster_lanes lanes;
    expand_cluster(s->model, cluster, NULL, s->point, &lanes);
    slots &= near_boxes(&lanes, tmb_point_limit(s) / (float)s->scale);
    if (!slots) {
        return;
    }
    scale_lanes(&lanes, (float)s->scale);
    tmb_distance8 d = tmb_point_distance8(&lanes.triangles, lanes.reach * (1 + TMB_REACH_ROUNDING));
    if (s->has_radii) {
        add_shifts(s, cluster, slots, &d);
    }
    const unsigned near = slots & ~tmb_b8_bits(tmb_f8_less(tmb_f8_set(tmb_point_limit(s)), d.lower));
    if (near) {
        float lower[TMB_LANES];
        tmb_f8_storeu(lower, d.lower);
        note_upper(s, cluster, near, d.upper);
        tmb_point_add_candidates(s, cluster, near, lower);
    }
}
