/* A hash table with linear probing. Points come in blocks: all slots of a block are prefetched before the first is
 * examined, so that the waits overlap. */
#include "io/weld.h"

#include <string.h>

#include "base/assert.h"
#include "io/hash.h"

#define BLOCK 32

/* A slot is 0 when empty; otherwise its upper half is that of the point's hash and its lower half the point's
 * number plus one. */
typedef struct weld_table {
    tumble_context *context;
    uint64_t *slots;
    uint64_t mask;
    double *points; /* the remaining ones, `count` of them */
    size_t count;
    uint64_t seed[3];
} weld_table;

static uint64_t hash_point(const weld_table *table, const double *point)
{
    uint64_t bits[3];
    memcpy(bits, point, sizeof bits);
    const uint64_t hash = tmb_hash_mix(bits[0] ^ table->seed[0], bits[1] ^ table->seed[1]);
    return tmb_hash_mix(hash ^ bits[2], table->seed[2]);
}

static uint64_t make_slot(uint64_t hash, size_t number)
{
    return (hash >> 32) << 32 | (uint64_t)(number + 1);
}

/* Makes a table of at least `least` slots with all remaining points. */
static int build_table(weld_table *table, size_t least)
{
    size_t slots = 64;
    while (slots < least && slots <= SIZE_MAX / 2) {
        slots *= 2;
    }
    tmb_release(table->context, table->slots);
    table->slots = tmb_allocate(table->context, slots, sizeof *table->slots);
    if (!table->slots) {
        return 0;
    }
    memset(table->slots, 0, slots * sizeof *table->slots);
    table->mask = slots - 1;
    for (size_t i = 0; i < table->count; i++) {
        const uint64_t hash = hash_point(table, table->points + 3 * i);
        uint64_t place = hash & table->mask;
        while (table->slots[place]) {
            place = (place + 1) & table->mask;
        }
        table->slots[place] = make_slot(hash, i);
    }
    return 1;
}

static int is_same(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static uint32_t find_or_add(weld_table *table, const double *point, uint64_t hash)
{
    uint64_t place = hash & table->mask;
    for (; table->slots[place]; place = (place + 1) & table->mask) {
        const uint64_t slot = table->slots[place];
        const size_t number = (uint32_t)slot - (size_t)1;
        if (slot >> 32 == hash >> 32 && is_same(table->points + 3 * number, point)) {
            return (uint32_t)number;
        }
    }
    table->slots[place] = make_slot(hash, table->count);
    memmove(table->points + 3 * table->count, point, 3 * sizeof *point);
    return (uint32_t)table->count++;
}

static void weld_block(weld_table *table, double *points, size_t count, uint32_t *numbers)
{
    uint64_t hashes[BLOCK];
    for (size_t i = 0; i < 3 * count; i++) {
        points[i] += 0.0; /* -0 becomes 0 */
    }
    for (size_t i = 0; i < count; i++) {
        hashes[i] = hash_point(table, points + 3 * i);
        __builtin_prefetch(table->slots + (hashes[i] & table->mask), 1);
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t slot = table->slots[hashes[i] & table->mask];
        if (slot) {
            __builtin_prefetch(table->points + 3 * ((uint32_t)slot - (size_t)1));
        }
    }
    for (size_t i = 0; i < count; i++) {
        numbers[i] = find_or_add(table, points + 3 * i, hashes[i]);
    }
}

tumble_status tmb_weld_points(tumble_context *context, double *points, size_t *count, size_t expected,
                              uint32_t *numbers)
{
    TMB_ASSERT(points || *count == 0);
    weld_table table = {.context = context, .points = points};
    for (int i = 0; i < 3; i++) {
        table.seed[i] = tmb_hash_seed(&table.seed[i]);
    }
    int enough = build_table(&table, expected + expected / 2);
    for (size_t i = 0; i < *count && enough; i += BLOCK) {
        const size_t rest = *count - i;
        if (table.count + BLOCK > (table.mask + 1) / 4 * 3) {
            enough = build_table(&table, 2 * (table.mask + 1));
        }
        if (enough) {
            weld_block(&table, points + 3 * i, rest < BLOCK ? rest : BLOCK, numbers + i);
        }
    }
    tmb_release(context, table.slots);
    *count = table.count;
    return enough ? TUMBLE_OK : tmb_fail_memory(context, "finding equal points");
}
