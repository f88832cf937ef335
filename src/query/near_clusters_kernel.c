/* The triangles of two clusters in a search for the nearest: lower bounds in floats, eight pairs at a time, and doubles
 * for what they leave. Compiled once for each instruction set. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "query/near.h"
#include "query/wide_leaf.h"

/* Clusters that are kept as lanes, at a place that their number tells. */
#define PLACES 16

struct tmb_near_lanes {
    uint64_t has_origin; /* 0: nothing is there yet */
    double origin[3];    /* of the floats */
    cluster_lanes a[PLACES], b[PLACES];
};

_Static_assert(sizeof(struct tmb_near_lanes) <= TMB_NEAR_LANES_BYTES, "room for the lanes");

/* Where the nearest triangles may be: there floats are to be most exact. */
static void set_origin(const tmb_near_search *s, struct tmb_near_lanes *lanes, uint32_t cluster_a)
{
    double corners[3][3];
    tmb_model_corners(s->collider.a, tmb_triangle_address(cluster_a, 0), corners);
    memcpy(lanes->origin, corners[0], sizeof lanes->origin);
    for (int i = 0; i < PLACES; i++) {
        lanes->a[i].cluster = lanes->b[i].cluster = UINT32_MAX;
    }
    lanes->has_origin = 1;
}

static const cluster_lanes *lanes_of(const tumble_model *model, uint32_t cluster, const tumble_pose *pose,
                                     const double origin[3], cluster_lanes *places)
{
    cluster_lanes *place = &places[cluster % PLACES];
    if (place->cluster != cluster) {
        expand_cluster(model, cluster, pose, origin, place);
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

/* The direction from the middle of one triangle of A's cluster to one of B's; its length is at most 1. */
static inline void direction_between(const cluster_lanes *a, const cluster_lanes *b, float direction[3])
{
    float square = FLT_MIN;
    for (int k = 0; k < 3; k++) {
        direction[k] = (b->lower[k][0] + b->upper[k][0]) * 0.5F - (a->lower[k][0] + a->upper[k][0]) * 0.5F;
        square += direction[k] * direction[k];
    }
    const float scale = (1 - 0x1p-20F) / sqrtf(square);
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

/* Bit 8 j + i: triangle i of A and j of B may be within the bound, by their boxes and along one direction. Coordinates
 * are off by 2^-24 of the reach, and what is computed from them by less than 16 times that. What is no number is not
 * larger than anything. */
static uint64_t close_slots(const cluster_lanes *a, const cluster_lanes *b, double bound, float reach)
{
    const float limit = (float)(bound * (1 + 0x1p-20)) * (1 + 0x1p-20F), slack = reach * 0x1p-20F;
    const tmb_f8 square = tmb_f8_set(limit * limit), along = tmb_f8_set(limit + slack);
    float direction[3];
    ranges ranges_a, ranges_b;
    direction_between(a, b, direction);
    project(&a->triangles, direction, &ranges_a);
    project(&b->triangles, direction, &ranges_b);
    uint64_t far = 0;
    for (int j = 0; j < TMB_LANES; j++) {
        const tmb_f8 gap = tmb_f8_sub(tmb_f8_set(ranges_b.lower[j]), tmb_f8_load(ranges_a.upper));
        const tmb_b8 row =
            tmb_b8_or(tmb_f8_less(square, box_gaps(a, b, j, tmb_f8_set(slack))), tmb_f8_less(along, gap));
        far |= (uint64_t)tmb_b8_bits(row) << 8 * j;
    }
    return ~far & a->used * 0x0101010101010101u & b->used_rows;
}

void TMB_KERNEL_NAME(tmb_near_clusters)(tmb_near_search *s, uint32_t cluster_a, uint32_t cluster_b)
{
    struct tmb_near_lanes *lanes = s->lanes;
    const tmb_collider *c = &s->collider;
    if (!lanes->has_origin) {
        set_origin(s, lanes, cluster_a);
    }
    const cluster_lanes *a = lanes_of(c->a, cluster_a, NULL, lanes->origin, lanes->a);
    const cluster_lanes *b = lanes_of(c->b, cluster_b, &c->relative, lanes->origin, lanes->b);
    const float reach = a->reach > b->reach ? a->reach : b->reach;
    uint64_t close = close_slots(a, b, s->bound, reach);
    s->least = s->bound < s->least ? s->bound : s->least;
    for (; close && !s->is_enough; close &= close - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(close);
        tmb_near_compare(s, tmb_triangle_address(cluster_a, slot & 7), tmb_triangle_address(cluster_b, slot >> 3));
    }
}
