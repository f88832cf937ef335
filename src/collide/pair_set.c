/* Sets of pairs: growing. */
#include "collide/pair_set.h"

#include <string.h>

#include "base/assert.h"

#define START 1024

/* An empty table; the first `used` bytes of the buffer stay. */
static int begin_table(tumble_context *context, tmb_pair_set *set, size_t size, size_t used)
{
    TMB_ASSERT((size & (size - 1)) == 0);
    if (!tmb_buffer_reserve(context, set->buffer, 2 * size, sizeof(uint64_t), used)) {
        return 0;
    }
    set->mask = size - 1;
    memset(tmb_pair_set_slots(set), 0, size * sizeof(uint64_t));
    return 1;
}

int tmb_pair_set_begin(tumble_context *context, tmb_pair_set *set, tmb_buffer *buffer)
{
    *set = (tmb_pair_set){.buffer = buffer};
    return begin_table(context, set, START, 0);
}

static int grow(tumble_context *context, tmb_pair_set *set)
{
    const size_t size = set->mask + 1;
    if (!begin_table(context, set, 2 * size, 2 * size * sizeof(uint64_t))) {
        return 0;
    }
    const uint64_t *old = (const uint64_t *)set->buffer->data + size;
    for (size_t i = 0; i < size; i++) {
        if (old[i]) {
            *tmb_pair_set_find(set, old[i] - 1) = old[i];
        }
    }
    return 1;
}

int tmb_pair_set_add(tumble_context *context, tmb_pair_set *set, uint64_t key)
{
    TMB_ASSERT(set->buffer && set->buffer->data);
    TMB_ASSERT(2 * set->count <= set->mask + 1);
    if (key == UINT64_MAX) {
        const int is_new = !set->has_last;
        set->has_last = 1;
        return is_new;
    }
    if (2 * set->count > set->mask && !grow(context, set)) {
        return -1;
    }
    uint64_t *slot = tmb_pair_set_find(set, key);
    if (*slot) {
        return 0;
    }
    *slot = key + 1;
    set->count++;
    return 1;
}
