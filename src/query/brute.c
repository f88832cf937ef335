/* Every triangle against every triangle: the slow path that all others are tested against. */
#include "query/collider.h"

void tmb_collide_brute(tmb_collider *c)
{
    const uint32_t count_a = (uint32_t)c->a->block->triangle_count, count_b = (uint32_t)c->b->block->triangle_count;
    for (uint32_t tb = 0; tb < count_b; tb++) {
        for (uint32_t ta = 0; ta < count_a; ta++) {
            if (tmb_collider_leaf(c, ta, tb)) {
                return;
            }
        }
    }
}
