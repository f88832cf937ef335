/* Surfaces of OBJ files. Names are numbered when they are read, combinations of name numbers when a face uses them: so
 * the time is linear in the file's length, however long the names are and however often they change. */
#include "io/surfaces.h"

#include <string.h>

#include "base/assert.h"
#include "io/hash.h"

/* A name, or a combination of names. */
typedef struct item {
    const char *text; /* NULL for a combination */
    size_t length;
    uint32_t parts[TMB_SURFACE_PARTS]; /* all 0 for a name */
    uint64_t hash;
} item;

static int is_same(const item *a, const item *b)
{
    return a->hash == b->hash && a->length == b->length && memcmp(a->parts, b->parts, sizeof a->parts) == 0 &&
           (a->length == 0 || memcmp(a->text, b->text, a->length) == 0);
}

/* The slot that has the item, or the empty one where it belongs. */
static uint32_t *find_slot(const tmb_surface_table *table, const item *wanted)
{
    TMB_ASSERT((table->mask & (table->mask + 1)) == 0);
    uint32_t *slots = table->slots.data;
    const item *items = table->items.data;
    uint64_t place = wanted->hash & table->mask;
    while (slots[place] && !is_same(items + (slots[place] - 1), wanted)) {
        place = (place + 1) & table->mask;
    }
    return slots + place;
}

/* Makes room for one more item, and keeps half of the slots empty. */
static int grow(tumble_context *context, tmb_surface_table *table)
{
    if (table->count == UINT32_MAX - 1 || !tmb_buffer_reserve(context, &table->items, (size_t)table->count + 1,
                                                              sizeof(item), table->count * sizeof(item))) {
        return 0;
    }
    if ((uint64_t)table->count * 2 < table->mask) {
        return 1;
    }
    const uint64_t slots = table->mask ? 2 * (table->mask + 1) : 64;
    if (!tmb_buffer_reserve(context, &table->slots, slots, sizeof(uint32_t), 0)) {
        return 0;
    }
    memset(table->slots.data, 0, slots * sizeof(uint32_t));
    table->mask = slots - 1;
    const item *items = table->items.data;
    for (uint32_t i = 0; i < table->count; i++) {
        *find_slot(table, items + i) = i + 1;
    }
    return 1;
}

/* The number of an item plus one; 0: out of memory. */
static uint32_t number_item(tumble_context *context, tmb_surface_table *table, const item *wanted)
{
    if (!grow(context, table)) {
        return 0;
    }
    uint32_t *slot = find_slot(table, wanted);
    if (!*slot) {
        ((item *)table->items.data)[table->count] = *wanted;
        *slot = ++table->count;
    }
    return *slot;
}

void tmb_surfaces_begin(tmb_surfaces *surfaces, tumble_context *context)
{
    memset(surfaces, 0, sizeof *surfaces);
    surfaces->context = context;
    surfaces->seed = tmb_hash_seed(surfaces);
}

tumble_status tmb_surfaces_set(tmb_surfaces *surfaces, tmb_surface_part part, const char *name, size_t length)
{
    TMB_ASSERT(part < TMB_SURFACE_PARTS);
    const item wanted = {.text = name, .length = length, .hash = tmb_hash_bytes(surfaces->seed, name, length)};
    const uint32_t number = number_item(surfaces->context, &surfaces->names, &wanted);
    if (!number) {
        return tmb_fail_memory(surfaces->context, "names of surfaces");
    }
    surfaces->current[part] = number;
    surfaces->known = 0;
    return TUMBLE_OK;
}

tumble_status tmb_surfaces_find(tmb_surfaces *surfaces)
{
    if (surfaces->known) {
        return TUMBLE_OK;
    }
    item wanted = {.hash = tmb_hash_bytes(surfaces->seed, surfaces->current, sizeof surfaces->current)};
    memcpy(wanted.parts, surfaces->current, sizeof wanted.parts);
    const uint32_t number = number_item(surfaces->context, &surfaces->combinations, &wanted);
    if (!number) {
        return tmb_fail_memory(surfaces->context, "surfaces");
    }
    surfaces->surface = number - 1;
    surfaces->known = 1;
    return TUMBLE_OK;
}

tumble_status tmb_surfaces_name(const tmb_surfaces *surfaces, tumble_mesh_buffer *buffer)
{
    tmb_buffer room = {0};
    const uint32_t count = surfaces->names.count;
    if (!tmb_buffer_reserve(surfaces->context, &room, (size_t)count + 1, sizeof(uint32_t), 0)) {
        return tmb_fail_memory(surfaces->context, "names of surfaces");
    }
    uint32_t *numbers = room.data;
    const item *names = surfaces->names.items.data, *combinations = surfaces->combinations.items.data;
    tumble_status status = TUMBLE_OK;
    numbers[0] = 0;
    for (uint32_t i = 0; status == TUMBLE_OK && i < count; i++) {
        status = tmb_mesh_add_name(buffer, names[i].text, names[i].length, &numbers[i + 1]);
    }
    for (uint32_t i = 0; status == TUMBLE_OK && i < surfaces->combinations.count; i++) {
        uint32_t parts[TMB_SURFACE_PARTS];
        for (int k = 0; k < TMB_SURFACE_PARTS; k++) {
            parts[k] = numbers[combinations[i].parts[k]];
        }
        status = tmb_mesh_name_surface(buffer, parts);
    }
    tmb_buffer_release(surfaces->context, &room);
    return status;
}

void tmb_surfaces_release(tmb_surfaces *surfaces)
{
    tmb_buffer_release(surfaces->context, &surfaces->names.items);
    tmb_buffer_release(surfaces->context, &surfaces->names.slots);
    tmb_buffer_release(surfaces->context, &surfaces->combinations.items);
    tmb_buffer_release(surfaces->context, &surfaces->combinations.slots);
}
