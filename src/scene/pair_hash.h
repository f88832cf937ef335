/* A set of pairs of objects: open addressing, removal by shifting back. */
#ifndef TUMBLE_SRC_SCENE_PAIR_HASH_H
#define TUMBLE_SRC_SCENE_PAIR_HASH_H

#include "base/context.h"

/* Smaller object << 32 | larger one; no pair has this key, as no object is paired with itself. */
#define TMB_NO_PAIR 0

static inline uint64_t tmb_pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Zero-initialise it. */
typedef struct tmb_pair_hash {
    uint64_t *keys; /* `mask` + 1 of them, at least half of which are TMB_NO_PAIR; NULL while there is none */
    uint64_t mask;
    size_t count;
} tmb_pair_hash;

int tmb_pair_hash_has(const tmb_pair_hash *hash, uint64_t key);

/* Room for so many pairs in all; 0 if memory runs out, and then nothing has changed. */
int tmb_pair_hash_reserve(tumble_context *context, tmb_pair_hash *hash, size_t count);

/* Adds or removes a key, if it is not there or is; tmb_pair_hash_add needs room. Both say whether the set has
 * changed. */
int tmb_pair_hash_add(tmb_pair_hash *hash, uint64_t key);
int tmb_pair_hash_remove(tmb_pair_hash *hash, uint64_t key);

void tmb_pair_hash_release(tumble_context *context, tmb_pair_hash *hash);

#endif
