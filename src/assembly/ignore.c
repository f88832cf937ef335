/* Pairs of parts that are not compared, and hosts. */
#include <string.h>

#include "assembly/assembly.h"

static uint64_t hash_pair(const tumble_part_pair *pair)
{
    uint64_t hash = ((uint64_t)pair->a << 32 | pair->b) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static uint64_t hash_of_pair(const void *user, uint32_t number)
{
    const tumble_assembly *assembly = user;
    return hash_pair((const tumble_part_pair *)assembly->ignored.data + number);
}

/* The slot that holds the pair, or an empty one. */
static size_t find_slot(const tumble_assembly *assembly, const tumble_part_pair *pair)
{
    const tmb_number_table *table = &assembly->by_pair;
    const tumble_part_pair *pairs = assembly->ignored.data;
    const uint32_t *slots = table->slots.data;
    size_t slot = tmb_number_table_start(table, hash_pair(pair));
    while (slots[slot] && (pairs[slots[slot] - 1].a != pair->a || pairs[slots[slot] - 1].b != pair->b)) {
        slot = tmb_number_table_next(table, slot);
    }
    return slot;
}

static tumble_part_pair ordered(uint32_t a, uint32_t b)
{
    return a < b ? (tumble_part_pair){a, b} : (tumble_part_pair){b, a};
}

int tmb_assembly_is_ignored(const tumble_assembly *assembly, uint32_t a, uint32_t b)
{
    const tumble_part_pair pair = ordered(a, b);
    return assembly->ignored_count > 0 && ((const uint32_t *)assembly->by_pair.slots.data)[find_slot(assembly, &pair)];
}

/* No slot has to lead to one of a pair that came later, as these are emptied first. */
void tmb_assembly_truncate_ignored(tumble_assembly *assembly, size_t part_count)
{
    const tumble_part_pair *pairs = assembly->ignored.data;
    size_t kept = 0;
    while (kept < assembly->ignored_count && pairs[kept].b < part_count) {
        kept++;
    }
    for (; assembly->ignored_count > kept; assembly->ignored_count--) {
        const size_t slot = find_slot(assembly, &pairs[assembly->ignored_count - 1]);
        ((uint32_t *)assembly->by_pair.slots.data)[slot] = 0;
    }
}

static tumble_status check_part(const tumble_assembly *assembly, uint32_t number)
{
    return number < assembly->part_count
               ? TUMBLE_OK
               : tmb_fail(assembly->context, TUMBLE_ERROR_INDEX, "there is no part %u; there are %zu", (unsigned)number,
                          assembly->part_count);
}

static tumble_status check_parts(const tumble_assembly *assembly, uint32_t a, uint32_t b)
{
    const tumble_status status = check_part(assembly, a);
    return status != TUMBLE_OK ? status : check_part(assembly, b);
}

tumble_status tumble_assembly_ignore(tumble_assembly *assembly, uint32_t a, uint32_t b)
{
    if (!assembly) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_status status = check_parts(assembly, a, b);
    if (status != TUMBLE_OK || a == b || tmb_assembly_is_ignored(assembly, a, b)) {
        return status;
    }
    tumble_context *context = assembly->context;
    const tumble_part_pair pair = ordered(a, b);
    const size_t count = assembly->ignored_count;
    if (count >= UINT32_MAX - 1) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "less than 2^32 - 1 pairs can be ignored");
    }
    if (!tmb_number_table_reserve(context, &assembly->by_pair, count, hash_of_pair, assembly) ||
        !tmb_buffer_append(context, &assembly->ignored, &assembly->ignored_count, &pair, 1, sizeof pair)) {
        return tmb_fail_memory(context, "the pairs of parts that are ignored");
    }
    ((uint32_t *)assembly->by_pair.slots.data)[find_slot(assembly, &pair)] = (uint32_t)count + 1;
    return TUMBLE_OK;
}

const tumble_part_pair *tumble_assembly_ignored(const tumble_assembly *assembly, size_t *count)
{
    if (count) {
        *count = assembly ? assembly->ignored_count : 0;
    }
    return assembly && assembly->ignored_count ? assembly->ignored.data : NULL;
}

tumble_status tumble_assembly_set_host(tumble_assembly *assembly, uint32_t part, uint32_t host)
{
    if (!assembly) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const tumble_status status = check_parts(assembly, part, host == UINT32_MAX ? part : host);
    if (status == TUMBLE_OK) {
        ((tumble_assembly_part *)assembly->parts.data)[part].host = host;
    }
    return status;
}
