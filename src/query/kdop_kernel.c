/* Walks through two trees of k-DOPs, compiled once for each instruction set. */
#include "math/lanes.h"
#include "query/kdop_walk.h"
#include "query/wide_leaf.h"

/* ---- Leaves ---- */

/* Each triangle of one leaf against each of the other; 1: stop. */
static int test_triangles(tmb_collider *c, uint32_t ta, uint32_t count_a, uint32_t tb, uint32_t count_b)
{
    for (uint32_t j = 0; j < count_b; j++) {
        uint32_t address = ta;
        for (uint32_t i = 0; i < count_a; i++) {
            if (tmb_collider_leaf(c, address, tb)) {
                return 1;
            }
            address = tmb_kdop_next_address(c->places_a, address);
        }
        tb = tmb_kdop_next_address(c->b->places, tb);
    }
    return 0;
}

/* The same for leaves that are whole clusters. */
static int test_leaf_clusters(tmb_collider *c, uint32_t ta, uint32_t count_a, uint32_t tb, uint32_t count_b)
{
    double corners[3][3];
    tmb_model_corners(c->a, ta, corners); /* the origin: any point nearby */
    for (uint32_t a = ta / TMB_CLUSTER_TRIANGLES, left_a = count_a; left_a > 0; a++) {
        cluster_lanes lanes_a;
        expand_cluster(c->a, a, NULL, corners[0], &lanes_a);
        left_a -= tmb_cluster_triangle_count(c->places_a + a);
        for (uint32_t b = tb / TMB_CLUSTER_TRIANGLES, left_b = count_b; left_b > 0; b++) {
            cluster_lanes lanes_b;
            expand_cluster(c->b, b, &c->relative, corners[0], &lanes_b);
            left_b -= tmb_cluster_triangle_count(c->b->places + b);
            if (test_clusters(c, &lanes_a, &lanes_b)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Everything that depends on k, as constants: see kdop_kernel_body.h. */
#define K 6
#include "query/kdop_kernel_body.h"
#define K 12
#include "query/kdop_kernel_body.h"
#define K 14
#include "query/kdop_kernel_body.h"
#define K 18
#include "query/kdop_kernel_body.h"
#define K 26
#include "query/kdop_kernel_body.h"

const tmb_kdop_kernels TMB_KERNEL_NAME(tmb_kdop_kernels) = {walk_6, walk_12, walk_14, walk_18, walk_26};
