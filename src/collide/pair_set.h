/* Growing sets of pairs of 32-bit numbers that reuse their memory. */
#ifndef TUMBLE_SRC_COLLIDE_PAIR_SET_H
#define TUMBLE_SRC_COLLIDE_PAIR_SET_H

#include "base/assert.h"
#include "base/context.h"

/* A hash table with linear probing in the caller's buffer, which outlives the set. A slot holds a key plus one, 0 is
 * free, so that the key whose bits are all set has a place of its own. */
typedef struct tmb_pair_set {
    tmb_buffer *buffer;
    size_t mask;  /* slots less one */
    size_t count; /* of keys in slots */
    int has_last; /* the key whose bits are all set */
} tmb_pair_set;

static inline uint64_t tmb_polygon_key(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

/* The table of `size` slots stands at place `size` of the buffer, so that the next larger one finds room after it, the
 * old one can be read while it is filled, and a set that starts anew clears only the smallest. */
static inline uint64_t *tmb_pair_set_slots(const tmb_pair_set *set)
{
    return (uint64_t *)set->buffer->data + set->mask + 1;
}

/* The slot that has the key, or the free one where it belongs. */
static inline uint64_t *tmb_pair_set_find(const tmb_pair_set *set, uint64_t key)
{
    TMB_ASSERT((set->mask & (set->mask + 1)) == 0);
    TMB_ASSERT(set->count <= set->mask);
    uint64_t *slots = tmb_pair_set_slots(set), hash = key * 0x9e3779b97f4a7c15u;
    size_t at = (size_t)(hash ^ hash >> 32) & set->mask;
    while (slots[at] && slots[at] != key + 1) {
        at = (at + 1) & set->mask;
    }
    return slots + at;
}

static inline int tmb_pair_set_has(const tmb_pair_set *set, uint64_t key)
{
    return key == UINT64_MAX ? set->has_last : *tmb_pair_set_find(set, key) != 0;
}

/* An empty set in a buffer; 0 if memory runs out. */
int tmb_pair_set_begin(tumble_context *context, tmb_pair_set *set, tmb_buffer *buffer);

/* 1: new, 0: present already, -1: memory ran out, and nothing has changed. */
int tmb_pair_set_add(tumble_context *context, tmb_pair_set *set, uint64_t key);

#endif
