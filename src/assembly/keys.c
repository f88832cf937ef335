/* Names of parts across runs: the GUID, else file and path, and a number where these are not enough. */
#include <stdio.h>
#include <string.h>

#include "assembly/assembly.h"

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return hash ^ hash >> 29;
}

static const tumble_assembly_part *part_at(const tumble_assembly *assembly, uint32_t number)
{
    return (const tumble_assembly_part *)assembly->parts.data + number;
}

static uint64_t hash_of_part(const void *user, uint32_t number)
{
    return hash_text(part_at(user, number)->key);
}

/* The slot that holds the key, or an empty one. */
static size_t find_slot(const tumble_assembly *assembly, const char *key)
{
    const tmb_number_table *table = &assembly->keys;
    const uint32_t *slots = table->slots.data;
    size_t slot = tmb_number_table_start(table, hash_text(key));
    while (slots[slot] && strcmp(part_at(assembly, slots[slot] - 1)->key, key) != 0) {
        slot = tmb_number_table_next(table, slot);
    }
    return slot;
}

/* The GUID, or "file|path"; the caller releases it. */
static char *make_base(tumble_context *context, const tumble_assembly_part *part, size_t *length)
{
    const size_t room = strlen(part->guid) + strlen(part->file) + strlen(part->path) + 32;
    char *text = tmb_allocate(context, room, 1);
    if (text) {
        *length = (size_t)(*part->guid ? snprintf(text, room, "%s", part->guid)
                                       : snprintf(text, room, "%s|%s", part->file, part->path));
    }
    return text;
}

/* Adds "#n" until no part has the key. Returns the slot for it. */
static size_t make_unique(tumble_assembly *assembly, char *text, size_t length)
{
    uint32_t *slots = assembly->keys.slots.data, *ordinals = assembly->ordinals.data;
    size_t slot = find_slot(assembly, text);
    const uint32_t first = slots[slot];
    while (slots[slot]) {
        snprintf(text + length, 16, "#%u", (unsigned)++ordinals[first - 1]);
        slot = find_slot(assembly, text);
    }
    return slot;
}

tumble_status tmb_assembly_give_key(tumble_assembly *assembly, tumble_assembly_part *part)
{
    tumble_context *context = assembly->context;
    const size_t count = assembly->part_count;
    if (!tmb_buffer_reserve(context, &assembly->ordinals, count + 1, sizeof(uint32_t), count * sizeof(uint32_t)) ||
        !tmb_number_table_reserve(context, &assembly->keys, count, hash_of_part, assembly)) {
        return tmb_fail_memory(context, "the keys of parts");
    }
    size_t length;
    char *text = make_base(context, part, &length);
    if (!text) {
        return tmb_fail_memory(context, "the key of a part");
    }
    const size_t slot = make_unique(assembly, text, length);
    part->key = tmb_texts_keep(context, &assembly->texts, text);
    tmb_release(context, text);
    if (!part->key) {
        return tmb_fail_memory(context, "the key of a part");
    }
    ((uint32_t *)assembly->ordinals.data)[count] = 1;
    ((uint32_t *)assembly->keys.slots.data)[slot] = (uint32_t)count + 1;
    return TUMBLE_OK;
}

/* ---- the table ---- */

int tmb_number_table_reserve(tumble_context *context, tmb_number_table *table, size_t count,
                             uint64_t (*hash_of)(const void *user, uint32_t number), const void *user)
{
    if (count + 1 <= table->slot_count / 2) {
        return 1;
    }
    tmb_number_table larger = {.slot_count = table->slot_count ? 2 * table->slot_count : 64};
    if (!tmb_buffer_reserve(context, &larger.slots, larger.slot_count, sizeof(uint32_t), 0)) {
        return 0;
    }
    uint32_t *slots = larger.slots.data;
    memset(slots, 0, larger.slot_count * sizeof *slots);
    for (size_t number = 0; number < count; number++) {
        size_t slot = tmb_number_table_start(&larger, hash_of(user, (uint32_t)number));
        while (slots[slot]) {
            slot = tmb_number_table_next(&larger, slot);
        }
        slots[slot] = (uint32_t)number + 1;
    }
    tmb_buffer_release(context, &table->slots);
    *table = larger;
    return 1;
}

/* Backwards, so that what a removed slot might have to lead to is gone already. Ordinals are counted anew. */
void tmb_assembly_truncate(tumble_assembly *assembly, size_t part_count)
{
    uint32_t *ordinals = assembly->ordinals.data;
    tmb_assembly_truncate_ignored(assembly, part_count);
    for (size_t i = 0; i < part_count && part_count < assembly->part_count; i++) {
        ordinals[i] = 1;
    }
    for (; assembly->part_count > part_count; assembly->part_count--) {
        const size_t slot = find_slot(assembly, part_at(assembly, (uint32_t)assembly->part_count - 1)->key);
        ((uint32_t *)assembly->keys.slots.data)[slot] = 0;
    }
    assembly->file = NULL;
}
