/* Arenas: a list of chunks. Small pieces share one, a large piece gets a chunk of its own. */
#include "base/arena.h"

#include "base/assert.h"

#define CHUNK_BYTES ((size_t)1 << 14)

/* With the address sanitizer, what lies between two pieces must not be touched. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1 /* gcc's name */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define GAP_BYTES ((size_t)TMB_CACHE_LINE)
#define FORBID(bytes, count) ASAN_POISON_MEMORY_REGION(bytes, count)
#define ALLOW(bytes, count) ASAN_UNPOISON_MEMORY_REGION(bytes, count)
#else
#define GAP_BYTES ((size_t)0)
#define FORBID(bytes, count) ((void)0)
#define ALLOW(bytes, count) ((void)0)
#endif

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
    FORBID(chunk->bytes, capacity);
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
    size_t wanted;
    if (__builtin_mul_overflow(count, size, &wanted) || wanted > SIZE_MAX - 2 * TMB_CACHE_LINE) {
        return NULL;
    }
    const size_t bytes = (wanted + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE + GAP_BYTES;
    if ((!arena->chunks || arena->chunks->capacity - arena->used < bytes) && !add_chunk(arena, bytes)) {
        return NULL;
    }
    void *piece = arena->chunks->bytes + arena->used;
    arena->used += bytes;
    ALLOW(piece, wanted);
    return piece;
}

void tmb_arena_release(tmb_arena *arena)
{
    TMB_ASSERT(!arena->chunks || arena->context);
    while (arena->chunks) {
        tmb_arena_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        ALLOW(chunk->bytes, chunk->capacity);
        tmb_release(arena->context, chunk);
    }
    arena->used = 0;
}
