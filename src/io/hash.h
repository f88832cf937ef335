/* Hashes for the tables of the readers. Seeds differ from run to run, so no file can be crafted whose items all fall
 * into one slot; results never depend on them. */
#ifndef TUMBLE_SRC_IO_HASH_H
#define TUMBLE_SRC_IO_HASH_H

#include <string.h>
#include <time.h>

#include "io/powers.h"

/* Multiplies and folds the halves of the product together. */
static inline uint64_t tmb_hash_mix(uint64_t a, uint64_t b)
{
    uint64_t low;
    const uint64_t high = tmb_multiply(a, b, &low);
    return high ^ low;
}

/* An odd number from the clock and from where `object` lies in memory. */
static inline uint64_t tmb_hash_seed(const void *object)
{
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    const uint64_t time = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec;
    return tmb_hash_mix(time + 0x9e3779b97f4a7c15u, (uint64_t)(uintptr_t)object ^ 0xbf58476d1ce4e5b9u) | 1;
}

static inline uint64_t tmb_hash_bytes(uint64_t seed, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    uint64_t hash = tmb_hash_mix(size ^ seed, 0x9e3779b97f4a7c15u), word;
    for (; size > sizeof word; size -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = tmb_hash_mix(hash ^ word, seed);
    }
    word = 0;
    if (size) {
        memcpy(&word, bytes, size);
    }
    return tmb_hash_mix(tmb_hash_mix(hash ^ word, seed), 0xbf58476d1ce4e5b9u);
}

#endif
