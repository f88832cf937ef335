/* Pairs of clusters when pairs of surfaces are asked for. Compiled once for each instruction set. */
#include <string.h>

#include "query/wide_leaf.h"

/* Those of the slots 8 j + i whose surfaces are not known to intersect. */
static uint64_t unknown_slots(const tmb_collider *c, uint32_t cluster_a, uint32_t cluster_b, uint64_t slots)
{
    uint64_t unknown = 0;
    for (; slots; slots &= slots - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(slots);
        const uint32_t ta = tmb_triangle_address(cluster_a, slot & 7), tb = tmb_triangle_address(cluster_b, slot >> 3);
        unknown |= tmb_surfaces_are_known(c, ta, tb) ? 0 : slots & (0 - slots);
    }
    return unknown;
}

/* Before each eight pairs those are left out that the last eight have made known. */
int TMB_KERNEL_NAME(tmb_test_surface_slots)(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b,
                                            uint64_t slots)
{
    uint64_t rest = unknown_slots(c, a->cluster, b->cluster, slots);
    while (rest) {
        uint8_t numbers[TMB_BITS_ROOM];
        const uint32_t count = tmb_list_bits(rest, numbers);
        const uint64_t found = c->surface_pair_count;
        if (test_slots(c, a, b, numbers, count)) {
            return 1;
        }
        for (uint32_t i = 0; i < TMB_LANES; i++) {
            rest &= rest - 1;
        }
        if (c->surface_pair_count != found) {
            rest = unknown_slots(c, a->cluster, b->cluster, rest);
        }
    }
    return 0;
}
