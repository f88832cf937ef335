/* What the walks through trees of boxes share: siblings in both frames, and the test of two leaves. Included by their
 * kernels. */
#ifndef TUMBLE_SRC_COLLIDE_BOXES_WALKER_H
#define TUMBLE_SRC_COLLIDE_BOXES_WALKER_H

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

static inline int is_leaf(const tmb_box_node *node)
{
    return node->triangle_count - 1 < TMB_BOX_LEAF;
}

#endif
