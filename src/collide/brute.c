/* Every triangle against every triangle: the reference that all other traversals are tested against. */
#include "collide/collider.h"

/* One triangle of B against all of A's; 1: stop. */
static int test_all(tmb_collider *c, uint32_t address_b)
{
    const tmb_cluster_place *places = c->encounter.a->places;
    const uint32_t cluster_count = (uint32_t)c->encounter.a->block->cluster_count;
    for (uint32_t cluster = 0; cluster < cluster_count; cluster++) {
        if (tmb_watch_ends(c->encounter.query->watch)) {
            tmb_collider_cancel(c);
            return 1;
        }
        const uint32_t count = tmb_cluster_triangle_count(places + cluster);
        for (uint32_t slot = 0; slot < count; slot++) {
            if (tmb_collider_leaf(c, tmb_triangle_address(cluster, slot), address_b)) {
                return 1;
            }
        }
    }
    return 0;
}

int tmb_collide_brute(tmb_collider *c)
{
    const tmb_cluster_place *places = c->encounter.b->places;
    const uint32_t cluster_count = (uint32_t)c->encounter.b->block->cluster_count;
    for (uint32_t cluster = 0; cluster < cluster_count; cluster++) {
        const uint32_t count = tmb_cluster_triangle_count(places + cluster);
        for (uint32_t slot = 0; slot < count; slot++) {
            if (test_all(c, tmb_triangle_address(cluster, slot))) {
                return 1;
            }
        }
    }
    return 1;
}
