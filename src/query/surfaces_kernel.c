/* Pairs of clusters when pairs of surfaces are asked for. Compiled once for each instruction set. */
#include <string.h>

#include "query/wide_leaf.h"

/* Those of the slots 8 j + i whose surfaces are not known to intersect. Neighbours mostly have the same. */
static uint64_t unknown_slots(const tmb_collider *c, const tmb_cluster_surfaces *a, const tmb_cluster_surfaces *b,
                              uint64_t slots)
{
    uint64_t unknown = 0, last = 0;
    int is_known = -1;
    for (; slots; slots &= slots - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(slots);
        const uint64_t key = tmb_pair_key(a->ids[slot & 7], b->ids[slot >> 3]);
        if (is_known < 0 || key != last) {
            is_known = tmb_pair_set_has(&c->seen_surfaces, key);
            last = key;
        }
        unknown |= is_known ? 0 : slots & (0 - slots);
    }
    return unknown;
}

/* Before each eight pairs those are left out that the last eight have made known. */
int TMB_KERNEL_NAME(tmb_test_surface_slots)(tmb_collider *c, const cluster_lanes *a, const cluster_lanes *b,
                                            uint64_t slots)
{
    const tmb_cluster_surfaces *of_a = tmb_surfaces_of_a(c, a->cluster), *of_b = tmb_surfaces_of_b(c, b->cluster);
    uint64_t rest = unknown_slots(c, of_a, of_b, slots);
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
            rest = unknown_slots(c, of_a, of_b, rest);
        }
    }
    return 0;
}
