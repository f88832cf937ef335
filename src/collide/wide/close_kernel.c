/* Which children of two wide nodes may be as close as a limit. Compiled once for each instruction set. */
#include "collide/wide/bounds.h"

uint64_t TMB_KERNEL_NAME(tmb_wide_close_children)(const tmb_wide_walk *w, const decoded *a, const decoded *b,
                                                  uint64_t wanted, unsigned *nearest)
{
    bounds of;
    uint64_t close = wanted & ~far_boxes(&a->boxes, &b->boxes, wanted, w->unit_of_b, w->limit, &of);
    close &= ~far_slabs(a, b, close, w->unit_of_b, w->slab_slack, w->limit, &of);
    float least = INFINITY;
    *nearest = 0;
    for (uint64_t rest = close; rest; rest &= rest - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(rest);
        *nearest = of.lower[bit] < least ? bit : *nearest;
        least = of.lower[bit] < least ? of.lower[bit] : least;
    }
    return close;
}
