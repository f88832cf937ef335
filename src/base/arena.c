/* Arenas: a list of chunks. Small pieces share one, a large piece gets a chunk of its own. */
#include "base/arena.h"

#include "base/assert.h"

#define CHUNK_BYTES ((size_t)1 << 14)

struct tmb_arena_chunk {
    _Alignas(TMB_CACHE_LINE) tmb_arena_chunk *next;
    size_t capacity;
    _Alignas(TMB_CACHE_LINE) unsigned char bytes[];
};

/* A chunk with room for `bytes`; the rest of the one before is left unused. */
static int add_chunk(tmb_arena *arena, size_t bytes)
{
    TMB_ASSERT(arena->context);
    TMB_ASSERT(bytes % TMB_CACHE_LINE == 0);
    const size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    if (capacity > SIZE_MAX - sizeof(tmb_arena_chunk)) {
        return 0;
    }
    tmb_arena_chunk *chunk = tmb_allocate(arena->context, sizeof *chunk + capacity, 1);
    if (!chunk) {
        return 0;
    }
    chunk->next = arena->chunks;
    chunk->capacity = capacity;
    arena->chunks = chunk;
    arena->used = 0;
    return 1;
}

void *tmb_arena_allocate(tmb_arena *arena, size_t count, size_t size)
{
    TMB_ASSERT(arena->context);
    TMB_ASSERT(!arena->chunks || arena->used <= arena->chunks->capacity);
    TMB_ASSERT(!arena->chunks || arena->used % TMB_CACHE_LINE == 0);
    TMB_ASSERT(size > 0);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - TMB_CACHE_LINE) {
        return NULL;
    }
    bytes = (bytes + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE;
    if ((!arena->chunks || arena->chunks->capacity - arena->used < bytes) && !add_chunk(arena, bytes)) {
        return NULL;
    }
    void *piece = arena->chunks->bytes + arena->used;
    arena->used += bytes;
    return piece;
}

void tmb_arena_release(tmb_arena *arena)
{
    TMB_ASSERT(!arena->chunks || arena->context);
    while (arena->chunks) {
        tmb_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        tmb_release(arena->context, chunk);
    }
    arena->used = 0;
}
