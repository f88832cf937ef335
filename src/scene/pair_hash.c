/* A set of pairs of objects. */
#include "scene/pair_hash.h"

#include <string.h>

#include "base/assert.h"

#define LEAST 16

static uint64_t home_of(const tmb_pair_hash *hash, uint64_t key)
{
    const uint64_t mixed = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;
    return (mixed ^ mixed >> 32) & hash->mask;
}

/* Where the key is, or where it would be put. */
static uint64_t place_of(const tmb_pair_hash *hash, uint64_t key)
{
    uint64_t place = home_of(hash, key);
    while (hash->keys[place] != key && hash->keys[place] != TMB_NO_PAIR) {
        place = (place + 1) & hash->mask;
    }
    return place;
}

int tmb_pair_hash_has(const tmb_pair_hash *hash, uint64_t key)
{
    TMB_ASSERT(key != TMB_NO_PAIR);
    return hash->keys && hash->keys[place_of(hash, key)] == key;
}

int tmb_pair_hash_reserve(tumble_context *context, tmb_pair_hash *hash, size_t count)
{
    if (hash->keys && count <= (hash->mask + 1) / 2) {
        return 1;
    }
    size_t size = hash->keys ? hash->mask + 1 : LEAST;
    while (size / 2 < count) {
        if (size > SIZE_MAX / 4) {
            return 0;
        }
        size *= 2;
    }
    tmb_pair_hash larger = {tmb_allocate(context, size, sizeof *larger.keys), size - 1, 0};
    if (!larger.keys) {
        return 0;
    }
    memset(larger.keys, 0, size * sizeof *larger.keys);
    for (size_t i = 0; hash->keys && i <= hash->mask; i++) {
        if (hash->keys[i] != TMB_NO_PAIR) {
            tmb_pair_hash_add(&larger, hash->keys[i]);
        }
    }
    tmb_release(context, hash->keys);
    *hash = larger;
    return 1;
}

int tmb_pair_hash_add(tmb_pair_hash *hash, uint64_t key)
{
    TMB_ASSERT(key != TMB_NO_PAIR);
    TMB_ASSERT(hash->keys);
    const uint64_t place = place_of(hash, key);
    if (hash->keys[place] == key) {
        return 0;
    }
    TMB_ASSERT(hash->count < (hash->mask + 1) / 2);
    hash->keys[place] = key;
    hash->count++;
    return 1;
}

int tmb_pair_hash_remove(tmb_pair_hash *hash, uint64_t key)
{
    TMB_ASSERT(key != TMB_NO_PAIR);
    uint64_t hole = hash->keys ? place_of(hash, key) : 0;
    if (!hash->keys || hash->keys[hole] != key) {
        return 0;
    }
    for (uint64_t next = (hole + 1) & hash->mask; hash->keys[next] != TMB_NO_PAIR; next = (next + 1) & hash->mask) {
        /* a key may be moved back to the hole unless its own place is after the hole */
        if (((next - home_of(hash, hash->keys[next])) & hash->mask) >= ((next - hole) & hash->mask)) {
            hash->keys[hole] = hash->keys[next];
            hole = next;
        }
    }
    hash->keys[hole] = TMB_NO_PAIR;
    hash->count--;
    return 1;
}

void tmb_pair_hash_release(tumble_context *context, tmb_pair_hash *hash)
{
    tmb_release(context, hash->keys);
    *hash = (tmb_pair_hash){NULL, 0, 0};
}
