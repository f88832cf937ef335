/* Open-addressed sets: slots that hold numbers of items, whose keys are the user's. */
#ifndef TUMBLE_SRC_TREE_KEY_SET_H
#define TUMBLE_SRC_TREE_KEY_SET_H

#include <string.h>

#include "base/arena.h"
#include "base/assert.h"

typedef struct tmb_key_set {
    uint32_t *slots; /* item + 1, 0: free */
    size_t mask;
} tmb_key_set;

/* Room for this many items; 0 if memory runs out; the memory is the arena's. */
static inline int tmb_key_set_create(tmb_arena *arena, tmb_key_set *set, size_t items)
{
    TMB_ASSERT(items < UINT32_MAX);
    size_t size = 16;
    while (size < 2 * items) {
        size *= 2;
    }
    set->slots = tmb_arena_allocate(arena, size, sizeof *set->slots);
    set->mask = size - 1;
    if (set->slots) {
        memset(set->slots, 0, size * sizeof *set->slots);
    }
    return set->slots != NULL;
}

static inline size_t tmb_key_mix(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t h = a * 0x9e3779b97f4a7c15u ^ (b + 0x632be59bd9b4e019u) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 32) * 0x94d049bb133111ebu + c;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return (size_t)(h ^ h >> 32);
}

#endif
