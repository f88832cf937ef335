/* An arena: memory allocated piece by piece and freed at once. */
#ifndef TUMBLE_SRC_BASE_ARENA_H
#define TUMBLE_SRC_BASE_ARENA_H

#include "base/context.h"

typedef struct tmb_arena_chunk tmb_arena_chunk;

/* Set the context and leave the rest 0. */
typedef struct tmb_arena {
    tumble_context *context;
    tmb_arena_chunk *chunks;
    size_t used; /* bytes of the first chunk */
} tmb_arena;

/* Room for `count` items of `size` bytes, aligned to a cache line; NULL if memory runs out or the product overflows. */
void *tmb_arena_allocate(tmb_arena *arena, size_t count, size_t size);

/* Frees everything; the arena can be used again. */
void tmb_arena_release(tmb_arena *arena);

#endif
