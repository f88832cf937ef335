/* Pieces: as many checks of a chunk as have room for their models at a time. */
#include <string.h>

#include "base/assert.h"
#include "device/opencl/batch.h"

/* A piece that is being chosen. */
typedef struct choice {
    tmb_swap *swap;
    uint64_t budget, bytes;
    size_t count, most;
    int has_missing;
} choice;

static uint64_t extra_bytes(const choice *c, const tmb_uploaded_model *a, const tmb_uploaded_model *b)
{
    return (a->piece != c->swap->piece ? a->bytes : 0) + (b != a && b->piece != c->swap->piece ? b->bytes : 0);
}

static void use(choice *c, tmb_uploaded_model *model)
{
    model->piece = c->swap->piece;
    model->last_use = ++c->swap->clock;
    c->has_missing |= !model->is_resident;
}

/* Adds checks of these models; 0 if they do not fit. The first ones are always taken. */
static int take(choice *c, const tumble_model_pair *pair, size_t count)
{
    tmb_uploaded_model *a = tmb_uploaded(pair->a), *b = tmb_uploaded(pair->b);
    if (a->piece != c->swap->piece || b->piece != c->swap->piece) {
        const uint64_t extra = extra_bytes(c, a, b);
        if (c->count && (c->bytes > c->budget || extra > c->budget - c->bytes)) {
            return 0;
        }
        c->bytes += extra;
        use(c, a);
        use(c, b);
    }
    c->count += count;
    return 1;
}

/* The checks of a part; 0 if not all of them are taken. */
static int take_part(choice *c, const tmb_chunk_part *part)
{
    size_t pair_count;
    const tumble_model_pair *pairs = tmb_part_pairs(part, &pair_count);
    const size_t room = c->most - c->count, count = part->count < room ? part->count : room;
    if (count == 0) {
        return 0;
    }
    if (pair_count == 1) {
        return take(c, pairs, count) && count == part->count;
    }
    for (size_t i = 0; i < count; i++) {
        if (!take(c, &pairs[i], 1)) {
            return 0;
        }
    }
    return count == part->count;
}

/* Whose models are in use from now on. */
static size_t choose(tmb_opencl_backend *backend, const tmb_chunk *chunk, size_t most)
{
    TMB_ASSERT(chunk->part_count > 0 && most > 0);
    tmb_swap *swap = &backend->swap;
    choice c = {.swap = swap, .budget = tmb_opencl_memory_budget(backend->opencl), .most = most};
    pthread_mutex_lock(&backend->tables.lock);
    swap->piece++;
    swap->is_running = 1;
    for (size_t p = 0; p < chunk->part_count && take_part(&c, &chunk->parts[p]); p++) {
    }
    swap->has_missing = c.has_missing;
    pthread_mutex_unlock(&backend->tables.lock);
    return c.count;
}

static void cut(tmb_chunk *chunk, size_t count, tmb_chunk *piece)
{
    TMB_ASSERT(count > 0 && count <= chunk->check_count);
    memset(piece, 0, sizeof *piece);
    piece->question = chunk->question;
    piece->axes = chunk->axes;
    size_t first = 0;
    while (piece->check_count < count) {
        tmb_chunk_part *part = &chunk->parts[first];
        const size_t rest = count - piece->check_count, taken = part->count < rest ? part->count : rest;
        piece->parts[piece->part_count++] = (tmb_chunk_part){part->job, part->first, taken};
        piece->check_count += taken;
        part->first += taken;
        part->count -= taken;
        first += part->count == 0;
    }
    chunk->part_count -= first;
    chunk->check_count -= count;
    memmove(chunk->parts, chunk->parts + first, chunk->part_count * sizeof *chunk->parts);
}

void tmb_piece_begin(tmb_opencl_backend *backend, tmb_chunk *chunk, size_t most, tmb_chunk *piece)
{
    cut(chunk, choose(backend, chunk, most), piece);
}

void tmb_piece_end(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    backend->swap.is_running = 0;
    pthread_mutex_unlock(&backend->tables.lock);
}
