/* What the walks through wide hierarchies share: decoded nodes and clusters, kept while they are needed. Included by
 * their kernels. */
#ifndef TUMBLE_SRC_COLLIDE_WIDE_WALKER_H
#define TUMBLE_SRC_COLLIDE_WIDE_WALKER_H

#include <string.h>

#include "collide/leaf_lanes.h"
#include "collide/wide/decode.h"
#include "math/bounds.h"

/* Rows become columns. */
static inline uint64_t transpose(uint64_t m)
{
    uint64_t t = (m ^ m >> 7) & 0x00aa00aa00aa00aau;
    m ^= t ^ t << 7;
    t = (m ^ m >> 14) & 0x0000cccc0000ccccu;
    m ^= t ^ t << 14;
    t = (m ^ m >> 28) & 0x00000000f0f0f0f0u;
    return m ^ t ^ t << 28;
}

/* The clusters of one node, in A's frame, as far as they were needed. */
typedef struct cluster_cache {
    uint32_t node;
    unsigned ready;
    double origin[3]; /* of the floats, for both models */
    cluster_lanes lanes[TMB_WIDE];
} cluster_cache;

/* Decoded nodes, kept so that siblings are not decoded again for each partner. */
#define DECODED 8

typedef struct walker {
    tmb_wide_walk *walk;
    size_t waiting;
    uint32_t nodes_a[DECODED], nodes_b[DECODED]; /* which nodes are decoded below */
    decoded a[DECODED], b[DECODED];
    cluster_cache clusters_a, clusters_b;
} walker;

/* Nothing is decoded yet. */
static inline void start_walker(walker *k, tmb_wide_walk *walk)
{
    k->walk = walk;
    k->waiting = walk->waiting;
    memset(k->nodes_a, 0xff, sizeof k->nodes_a);
    memset(k->nodes_b, 0xff, sizeof k->nodes_b);
    cluster_cache *caches[2] = {&k->clusters_a, &k->clusters_b};
    for (int i = 0; i < 2; i++) {
        caches[i]->node = UINT32_MAX;
        caches[i]->ready = 0;
        memset(caches[i]->origin, 0, sizeof caches[i]->origin);
    }
}

static void start_cache(const tumble_model *model, const tmb_wide_node *node, uint32_t number, const tumble_pose *pose,
                        cluster_cache *cache)
{
    double corners[3][3];
    tmb_model_corners(model, tmb_triangle_address(node->children, 0), corners);
    if (pose) {
        tumble_pose_apply(pose, corners[0], cache->origin);
    } else {
        memcpy(cache->origin, corners[0], sizeof cache->origin);
    }
    cache->node = number;
    cache->ready = 0;
}

/* One of these clusters. */
static inline const cluster_lanes *cached_cluster(cluster_cache *cache, const tumble_model *model,
                                                  const tmb_wide_node *node, const tumble_pose *pose, unsigned i)
{
    if (!(cache->ready >> i & 1)) {
        expand_cluster(model, node->children + i, pose, cache->origin, &cache->lanes[i]);
        cache->ready |= 1u << i;
    }
    return &cache->lanes[i];
}

/* The boxes of B's clusters where A's triangles are: relative to the origin, in A's unit. The slack covers the rounding
 * of the change of units. */
typedef struct near_boxes {
    _Alignas(TMB_CACHE_LINE) float lower[3][TMB_LANES];
    float upper[3][TMB_LANES];
} near_boxes;

static inline void bring_boxes(const tmb_wide_walk *w, const float lower[3][TMB_LANES], const float upper[3][TMB_LANES],
                               float more, const double origin[3], near_boxes *out)
{
    const tmb_local_frame *frame = &w->collider->encounter.a->frame;
    const int usable = frame->scale > TMB_FLOAT_LEAST_SCALE && frame->scale < TMB_FLOAT_MOST_SCALE;
    const tmb_f8 unit = tmb_f8_set(usable ? (float)(1 / frame->scale) : INFINITY);
    const tmb_f8 slack = tmb_f8_set(usable ? more : INFINITY);
    for (int k = 0; k < 3; k++) {
        const tmb_f8 shift = tmb_f8_set(usable ? (float)(frame->centre[k] - origin[k]) : 0);
        const tmb_f8 low = tmb_f8_sub(tmb_f8_load(lower[k]), slack);
        const tmb_f8 high = tmb_f8_add(tmb_f8_load(upper[k]), slack);
        tmb_f8_store(out->lower[k], tmb_f8_add(tmb_f8_mul(low, unit), shift));
        tmb_f8_store(out->upper[k], tmb_f8_add(tmb_f8_mul(high, unit), shift));
    }
}

/* Starts the cache of a node of A, or of B, unless it is that node's, and brings the other node's boxes there. */
static inline void start_at_a(walker *k, uint32_t number, const boxes *b, near_boxes *out)
{
    if (k->clusters_a.node != number) {
        start_cache(k->walk->collider->encounter.a, &k->walk->nodes_a[number], number, NULL, &k->clusters_a);
    }
    bring_boxes(k->walk, b->other_lower, b->other_upper, k->walk->leaf_slack, k->clusters_a.origin, out);
}

static inline void start_at_b(walker *k, uint32_t number, const boxes *a, near_boxes *out)
{
    const tmb_encounter *encounter = &k->walk->collider->encounter;
    if (k->clusters_b.node != number) {
        start_cache(encounter->b, &k->walk->nodes_b[number], number, &encounter->relative, &k->clusters_b);
    }
    bring_boxes(k->walk, a->lower, a->upper, k->walk->leaf_slack, k->clusters_b.origin, out);
}

/* Bit 8 i + j of `columns`: clusters i of A's node and j of B's may meet; those of A are in the cache. */
static int visit_clusters(walker *k, uint64_t columns, const tmb_wide_pair *pair)
{
    tmb_collider *c = k->walk->collider;
    const tmb_wide_node *a = &k->walk->nodes_a[pair->a], *b = &k->walk->nodes_b[pair->b];
    cluster_lanes clusters_b[TMB_WIDE];
    unsigned ready_b = 0;
    for (; columns; columns &= columns - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(columns), j = bit % 8;
        if (c->by_surface && tmb_clusters_are_known(c, a->children + bit / 8, b->children + j)) {
            continue;
        }
        if (!(ready_b >> j & 1)) {
            expand_cluster(c->encounter.b, b->children + j, &c->encounter.relative, k->clusters_a.origin,
                           &clusters_b[j]);
            ready_b |= 1u << j;
        }
        if (test_clusters(c, cached_cluster(&k->clusters_a, c->encounter.a, a, NULL, bit / 8), &clusters_b[j])) {
            return 1;
        }
    }
    return 0;
}

#endif
