/* Leaves a pair of nodes of trees of k-DOPs in a search for the nearest triangles. Compiled once for each instruction
 * set. */
#include <float.h>

#include "math/lanes.h"
#include "query/kdop_near.h"

#define UNLIKE 1.5F /* nodes of which one is so much longer are not left together */

/* ---- Leaves ---- */

/* Each triangle of one leaf with each of the other. */
static void compare_triangles(tmb_near_search *s, uint32_t ta, uint32_t count_a, uint32_t tb, uint32_t count_b)
{
    const tmb_cluster_place *places_a = s->collider.a->places, *places_b = s->collider.b->places;
    for (uint32_t j = 0; j < count_b; j++) {
        uint32_t address = ta;
        for (uint32_t i = 0; i < count_a && !s->is_enough; i++) {
            tmb_near_compare(s, address, tb);
            address = tmb_kdop_next_address(places_a, address);
        }
        tb = tmb_kdop_next_address(places_b, tb);
    }
}

/* The same for leaves that are whole clusters. */
static void compare_clusters(tmb_near_search *s, uint32_t ta, uint32_t count_a, uint32_t tb, uint32_t count_b)
{
    const tmb_cluster_place *places_a = s->collider.a->places, *places_b = s->collider.b->places;
    for (uint32_t a = ta / TMB_CLUSTER_TRIANGLES, left_a = count_a; left_a > 0; a++) {
        left_a -= tmb_cluster_triangle_count(places_a + a);
        for (uint32_t b = tb / TMB_CLUSTER_TRIANGLES, left_b = count_b; left_b > 0 && !s->is_enough; b++) {
            left_b -= tmb_cluster_triangle_count(places_b + b);
            TMB_KERNEL_NAME(tmb_near_clusters)(s, a, b);
        }
    }
}

/* ---- Bounds ---- */

/* The first three directions are perpendicular: the gaps along them, of which at most one of two opposite ones is
 * positive, are the sides of a right triangle. */
static inline float box_distance(tmb_f8 gap)
{
    static const float first[8] = {1, 1, 1, 1, 1, 1, 0, 0};
    const tmb_f8 positive = tmb_f8_mul(tmb_f8_max(gap, tmb_f8_zero()), tmb_f8_loadu(first));
    float q[8];
    tmb_f8_storeu(q, tmb_f8_mul(positive, positive));
    return sqrtf(((q[0] + q[1]) + (q[2] + q[3])) + (q[4] + q[5]));
}

/* ---- Pairs ---- */

/* What becomes of a pair of children, given the local bound: that of the parents holds as well. */
static inline void push_or_keep(tmb_near_search *s, const tmb_near_pair *parents, double lower, uint32_t a, uint32_t b)
{
    lower = lower > parents->lower ? lower : parents->lower;
    if (lower <= s->bound) {
        tmb_near_push(s, lower, a, b, 0);
    } else if (s->keep) {
        tmb_near_keep(s, lower, a, b, 0);
    }
}

#define K 6
#include "query/kdop_near_body.h"
#define K 12
#include "query/kdop_near_body.h"
#define K 14
#include "query/kdop_near_body.h"
#define K 18
#include "query/kdop_near_body.h"
#define K 26
#include "query/kdop_near_body.h"

const tmb_kdop_near_kernels TMB_KERNEL_NAME(tmb_kdop_near_kernels) = {leave_6, leave_12, leave_14, leave_18, leave_26};
