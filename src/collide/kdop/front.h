/* Two k-DOP trees, from a front on. A pair of the front is a node of A and one of B that have been compared. One that
 * waits and is known to overlap has an infinite bound. */
#ifndef TUMBLE_SRC_COLLIDE_KDOP_FRONT_H
#define TUMBLE_SRC_COLLIDE_KDOP_FRONT_H

#include "collide/front.h"
#include "collide/kdop/walk.h"

/* The triangles of leaves of A, each by its bounds, in a direct-mapped table. */
#define TMB_KDOP_LEAVES 16
typedef struct tmb_kdop_leaf {
    float bounds[TMB_KDOP_SINGLES][TMB_KDOP_LANES];
    uint32_t node; /* UINT32_MAX: none */
} tmb_kdop_leaf;

typedef struct tmb_kdop_front {
    tmb_kdop_state state; /* comes first */
    tmb_kdop_leaf leaves[TMB_KDOP_LEAVES];
} tmb_kdop_front;

/* By a gap in A's local unit beyond the limit; -INFINITY: nothing is known. */
static inline void tmb_kdop_keep(tmb_front *f, uint32_t a, uint32_t b, float gap)
{
    const tmb_collider *c = f->collider;
    const double unit = (1 - (double)TMB_KDOP_BOUND_ROUNDING) / c->encounter.a->frame.scale;
    tmb_front_pair *pair = tmb_front_keep(f, c->limit * (1 - (double)TMB_KDOP_ROUNDING) + (double)gap * unit);
    if (pair) {
        pair->a = a;
        pair->b = b;
        pair->children = 0;
    }
}

/* When all children of a pair were kept since there were so many, they are siblings. */
static inline void tmb_kdop_keep_together(tmb_front *f, size_t before, size_t count, const tmb_front_pair *parents)
{
    tmb_front_pair *pairs = (tmb_front_pair *)(void *)f->kept;
    if (f->kept_count - before != count) {
        return;
    }
    for (size_t i = before; i < f->kept_count; i++) {
        pairs[i].children = tmb_front_siblings(parents->a, parents->b, count == 4);
    }
}

/* A pair that is known to overlap; 0 if memory runs out. */
static inline int tmb_kdop_push(tmb_front *f, uint32_t a, uint32_t b)
{
    tmb_front_pair *pair = tmb_front_push(f);
    if (pair) {
        *pair = (tmb_front_pair){INFINITY, a, b, 0};
    }
    return pair != NULL;
}

#endif
