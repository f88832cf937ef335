/* The k-DOP walk's own kernels, compiled here once more for each instruction set, with loops around them. */
#define tmb_kdop_kernels bench_walk_kernels
#include "collide/kdop/kernel.c"
#undef tmb_kdop_kernels
#include "papers_kernels.h"

#define LOOPS(K)                                                                                                   \
    static size_t overlaps_##K(tmb_kdop_state *s, const uint32_t *nodes, const float *const *aparts, size_t count) \
    {                                                                                                              \
        size_t found = 0;                                                                                          \
        for (size_t i = 0; i < count; i++) {                                                                       \
            found += (size_t)overlap_##K(s, node_at_##K(s, nodes[i]), aparts[i]);                                  \
        }                                                                                                          \
        return found;                                                                                              \
    }                                                                                                              \
    static void updates_##K(tmb_kdop_state *s, const uint32_t *nodes, size_t count, float *apart)                  \
    {                                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                                       \
            const uint32_t *row = tmb_kdop_row(s->rows_b, K, nodes[i]);                                            \
            const tmb_kdop_slot slot = {.node = nodes[i], .link = row[K], .count = row[(K) + 1]};                  \
            tumble_##K(s, &slot, (const float *)row, apart);                                                       \
        }                                                                                                          \
    }
LOOPS(6)
LOOPS(14)
LOOPS(18)
LOOPS(26)

const bench_kdop_kernels TMB_KERNEL_NAME(bench_kdop_kernels) = {overlaps_6, overlaps_14, overlaps_18, overlaps_26,
                                                                updates_6,  updates_14,  updates_18,  updates_26};
