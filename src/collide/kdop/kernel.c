/* Walks through two k-DOP trees, compiled once for each instruction set. */
#include "base/assert.h"
#include "collide/kdop/walk.h"
#include "collide/leaf_lanes.h"
#include "math/bounds.h"
#include "math/lanes.h"

#define UNLIKE 1.5F /* nodes of which one is this much longer do not descend together */

/* ---- Leaves ---- */

static inline void to_local(const tmb_local_frame *frame, const double p[3], float out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = (float)((p[k] - frame->centre[k]) * frame->scale);
    }
}

static inline void triangle_corners(const tumble_model *model, uint32_t address, float out[3][3])
{
    double corners[3][3];
    tmb_model_corners(model, address, corners);
    for (int i = 0; i < 3; i++) {
        to_local(&model->frame, corners[i], out[i]);
    }
}

/* The corners of a cluster, each once. */
static uint32_t cluster_corners(const tumble_model *model, uint32_t cluster, float (*out)[3])
{
    TMB_ASSERT(cluster < model->block->cluster_count);
    const tmb_cluster_place *place = model->places + cluster;
    const uint32_t count = tmb_cluster_corner_count(place, model->is_float);
    const uint32_t *words = model->clusters + place->offset;
    const float *floats = (const float *)(words + TMB_CLUSTER_HEAD_FLOAT);
    const double *doubles = (const double *)(const void *)(words + TMB_CLUSTER_HEAD_DOUBLE);
    for (uint32_t i = 0; i < count; i++) {
        double p[3];
        for (uint32_t k = 0; k < 3; k++) {
            p[k] = model->is_float ? (double)floats[k * count + i] : doubles[k * count + i];
        }
        to_local(&model->frame, p, out[i]);
    }
    return count;
}

/* Those of a leaf's triangles, in local coordinates; of leaves that are whole clusters each once per cluster. */
static uint32_t local_corners(const tumble_model *model, uint32_t address, uint32_t count, float (*out)[3])
{
    TMB_ASSERT(count > 0 && count <= TUMBLE_KDOP_LEAF_MOST);
    uint32_t found = 0;
    if (model->block->kdop.leaf >= TMB_KDOP_CLUSTERED) {
        for (uint32_t cluster = address / TMB_CLUSTER_TRIANGLES, left = count; left > 0; cluster++) {
            found += cluster_corners(model, cluster, out + found);
            left -= tmb_cluster_triangle_count(model->places + cluster);
        }
        return found;
    }
    for (uint32_t i = 0; i < count; i++) {
        triangle_corners(model, address, out + found);
        found += 3;
        address = tmb_next_triangle(model->places, address);
    }
    return found;
}

/* Each triangle of one leaf against each of the other; 1: stop. */
static int test_triangles(tmb_collider *c, uint32_t ta, uint32_t count_a, uint32_t tb, uint32_t count_b)
{
    for (uint32_t j = 0; j < count_b; j++) {
        uint32_t address = ta;
        for (uint32_t i = 0; i < count_a; i++) {
            if (tmb_collider_leaf(c, address, tb)) {
                return 1;
            }
            address = tmb_next_triangle(c->places_a, address);
        }
        tb = tmb_next_triangle(c->encounter.b->places, tb);
    }
    return 0;
}

/* The same for leaves that are whole clusters. */
static int test_leaf_clusters(tmb_collider *c, uint32_t ta, uint32_t count_a, uint32_t tb, uint32_t count_b)
{
    TMB_ASSERT(ta % TMB_CLUSTER_TRIANGLES == 0 && tb % TMB_CLUSTER_TRIANGLES == 0);
    TMB_ASSERT(count_a > 0 && count_b > 0);
    double corners[3][3];
    tmb_model_corners(c->encounter.a, ta, corners); /* the origin: any point nearby */
    for (uint32_t a = ta / TMB_CLUSTER_TRIANGLES, left_a = count_a; left_a > 0; a++) {
        cluster_lanes lanes_a;
        expand_cluster(c->encounter.a, a, NULL, corners[0], &lanes_a);
        left_a -= tmb_cluster_triangle_count(c->places_a + a);
        for (uint32_t b = tb / TMB_CLUSTER_TRIANGLES, left_b = count_b; left_b > 0; b++) {
            cluster_lanes lanes_b;
            left_b -= tmb_cluster_triangle_count(c->encounter.b->places + b);
            if (c->by_surface && tmb_clusters_are_known(c, a, b)) {
                continue;
            }
            expand_cluster(c->encounter.b, b, &c->encounter.relative, corners[0], &lanes_b);
            if (test_clusters(c, &lanes_a, &lanes_b)) {
                return 1;
            }
        }
    }
    return 0;
}

static inline float sum_of(tmb_f8 x)
{
    float lanes[TMB_LANES];
    tmb_f8_storeu(lanes, x);
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/* A node of A, as a walk sees it. */
typedef struct node_of_a {
    uint32_t number, link, count;
    const float *bounds; /* not of a bare leaf: these follow when they are needed */
} node_of_a;

/* Everything that depends on k, as constants: see kernel_body.h. */
#define K 6
#include "collide/kdop/kernel_body.h"
#define K 12
#include "collide/kdop/kernel_body.h"
#define K 14
#include "collide/kdop/kernel_body.h"
#define K 18
#include "collide/kdop/kernel_body.h"
#define K 26
#include "collide/kdop/kernel_body.h"

#define KERNELS(k) .walk_##k = walk_##k, .bare_##k = walk_bare_##k, .slot_##k = slot_of_##k, .leaf_##k = leaf_bounds_##k
const tmb_kdop_kernels TMB_KERNEL_NAME(tmb_kdop_kernels) = {KERNELS(6), KERNELS(12), KERNELS(14), KERNELS(18),
                                                            KERNELS(26)};
