/* The nearest triangles by comparing all: the reference that the others are tested against. */
#include <math.h>
#include <string.h>

#include "near/near.h"

/* One triangle of B against all of A's. */
static void compare_all(tmb_near_search *s, uint32_t address_b)
{
    const tumble_model *a = s->encounter.a;
    const uint32_t cluster_count = (uint32_t)a->block->cluster_count;
    for (uint32_t cluster = 0; cluster < cluster_count; cluster++) {
        const uint32_t count = tmb_cluster_triangle_count(&a->places[cluster]);
        for (uint32_t slot = 0; slot < count && !tmb_near_is_over(s); slot++) {
            tmb_near_compare(s, tmb_triangle_address(cluster, slot), address_b);
        }
    }
}

/* A pair stands for all triangles of A and those of one cluster of B; the root for all clusters of B. */
#define ROOT UINT32_MAX

static void leave(tmb_near_search *s, const tmb_near_pair *pair)
{
    const tumble_model *b = s->encounter.b;
    if (pair->b == ROOT) {
        for (uint32_t cluster = (uint32_t)b->block->cluster_count; cluster-- > 0;) {
            tmb_near_push(s, -INFINITY, 0, cluster, 0);
        }
        return;
    }
    const uint32_t count = tmb_cluster_triangle_count(&b->places[pair->b]);
    for (uint32_t slot = 0; slot < count && !tmb_near_is_over(s); slot++) {
        compare_all(s, tmb_triangle_address(pair->b, slot));
    }
}

static void describe(const tmb_near_search *s, const tmb_near_pair *pair, tumble_undecided *out)
{
    const tmb_block *a = s->encounter.a->block, *b = s->encounter.b->block;
    (void)pair;
    memcpy(out->lower_a, a->lower, sizeof out->lower_a);
    memcpy(out->upper_a, a->upper, sizeof out->upper_a);
    memcpy(out->lower_b, b->lower, sizeof out->lower_b);
    memcpy(out->upper_b, b->upper, sizeof out->upper_b);
}

int tmb_near_brute(tmb_near_search *s)
{
    s->walk = (tmb_near_walk){.root = {-INFINITY, 0, ROOT, 0}, .leave = leave, .describe = describe};
    return 1;
}
