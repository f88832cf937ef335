/* Merges what the parts of a query have found: a parallel sample sort. The range of keys is split into slices of about
 * equal size. Chunks of the parts' lists are distributed to them, and each slice is sorted and copied into place. */
#include <string.h>

#include "base/assert.h"
#include "collide/shared/walk.h"

#define SLICES 16
#define SLICE_PLACES 8192 /* at least this many for each */
#define SAMPLES 64        /* keys for each */
#define CHUNK_PLACES 32768

typedef struct slice {
    uint64_t first;       /* the least key; the next slice's is one more than the largest */
    tmb_sort_item *room;  /* for twice as many items */
    tmb_sort_item *items; /* sorted */
    size_t count;
    size_t offset; /* of the first item among all */
} slice;

/* Some places of a part where items can be. */
typedef struct chunk {
    const tmb_part_results *part;
    size_t begin, end;
    size_t counts[SLICES]; /* of its items in each slice; then where the next one goes */
} chunk;

/* Pairs, or contacts. */
typedef struct gathering {
    tmb_sharing *sharing;
    const tmb_collider *collider;
    const tmb_part_results *parts;
    int is_contacts;
    void *out; /* where they go, */
    size_t capacity;
    tmb_buffer room; /* of all slices */
    size_t place_count, chunk_count, slice_count;
    chunk *chunks;
    slice slices[SLICES];
} gathering;

/* ---- The items of a part ---- */

static size_t places_of(const gathering *g, const tmb_part_results *part)
{
    if (g->is_contacts) {
        return part->contact_count;
    }
    return part->seen.data ? part->set.mask + 2 : part->pair_count;
}

/* Whether there is a key at a place of a set, the last of which is for a key that has no slot. */
static inline int set_item(const tmb_pair_set *set, size_t i, tmb_sort_item *out)
{
    if (i > set->mask) {
        *out = (tmb_sort_item){UINT64_MAX, 0};
        return set->has_last;
    }
    const uint64_t slot = tmb_pair_set_slots(set)[i];
    *out = (tmb_sort_item){slot - 1, 0};
    return slot != 0;
}

static inline int item_at(const gathering *g, const tmb_part_results *part, size_t i, tmb_sort_item *out)
{
    if (g->is_contacts) {
        *out = tmb_contact_item((const tumble_contact *)part->contacts.data + i);
        return 1;
    }
    if (part->seen.data) {
        return set_item(&part->set, i, out);
    }
    const tumble_pair *pair = (const tumble_pair *)part->pairs.data + i;
    *out = (tmb_sort_item){tmb_polygon_key(pair->polygon_a, pair->polygon_b), 0};
    return 1;
}

/* ---- Slices and chunks ---- */

/* Keys from all over the parts, sorted. */
static size_t sample_keys(const gathering *g, tmb_sort_item *samples, tmb_sort_item *scratch)
{
    const size_t stride = g->place_count / (SLICES * SAMPLES) + 1;
    size_t count = 0, at = 0;
    for (const tmb_part_results *part = g->parts; part; part = part->next) {
        const size_t places = places_of(g, part);
        for (; at < places; at += stride) {
            count += (size_t)item_at(g, part, at, &samples[count]);
        }
        at -= places;
    }
    const tmb_sort_item *sorted = tmb_sort(samples, scratch, count);
    if (sorted != samples) {
        memcpy(samples, sorted, count * sizeof *samples);
    }
    return count;
}

static void cut_slices(gathering *g)
{
    tmb_sort_item samples[SLICES * SAMPLES + 1], scratch[SLICES * SAMPLES + 1];
    const size_t useful = g->place_count / SLICE_PLACES + 1, threads = g->sharing->thread_count;
    const size_t most = threads < SLICES ? threads : SLICES;
    g->slice_count = useful < most ? useful : most;
    const size_t count = g->slice_count > 1 ? sample_keys(g, samples, scratch) : 0;
    for (size_t i = 1; i < g->slice_count && count; i++) {
        g->slices[i].first = samples[count * i / g->slice_count].key;
    }
}

/* Places are counted, too. */
static size_t count_chunks(gathering *g)
{
    size_t count = 0;
    for (const tmb_part_results *part = g->parts; part; part = part->next) {
        g->place_count += places_of(g, part);
        count += (places_of(g, part) + CHUNK_PLACES - 1) / CHUNK_PLACES;
    }
    return count;
}

static void cut_chunks(gathering *g)
{
    g->chunk_count = 0;
    for (const tmb_part_results *part = g->parts; part; part = part->next) {
        const size_t places = places_of(g, part);
        for (size_t begin = 0; begin < places; begin += CHUNK_PLACES) {
            const size_t end = places - begin < CHUNK_PLACES ? places : begin + CHUNK_PLACES;
            g->chunks[g->chunk_count++] = (chunk){.part = part, .begin = begin, .end = end};
        }
    }
}

/* Equal keys are always in the same one. */
static inline size_t slice_of(const gathering *g, uint64_t key)
{
    TMB_ASSERT(g->slice_count > 0);
    size_t number = 0;
    for (size_t i = 1; i < g->slice_count; i++) {
        number += key >= g->slices[i].first;
    }
    return number;
}

/* ---- Rounds ---- */

static void count_chunk(void *shared, size_t number)
{
    const gathering *g = shared;
    chunk *c = &g->chunks[number];
    tmb_sort_item item;
    for (size_t i = c->begin; i < c->end; i++) {
        if (item_at(g, c->part, i, &item)) {
            c->counts[slice_of(g, item.key)]++;
        }
    }
}

static void deal_chunk(void *shared, size_t number)
{
    const gathering *g = shared;
    chunk *c = &g->chunks[number];
    tmb_sort_item item;
    for (size_t i = c->begin; i < c->end; i++) {
        if (item_at(g, c->part, i, &item)) {
            const size_t to = slice_of(g, item.key);
            g->slices[to].room[c->counts[to]++] = item;
        }
    }
}

/* Each key once. */
static size_t drop_equal(tmb_sort_item *items, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || items[i].key != items[i - 1].key) {
            items[kept++] = items[i];
        }
    }
    return kept;
}

static void sort_slice(void *shared, size_t number)
{
    gathering *g = shared;
    slice *s = &g->slices[number];
    if (g->is_contacts) {
        s->items = tmb_sort_contacts(s->room, s->room + s->count, s->count);
    } else {
        s->items = tmb_sort(s->room, s->room + s->count, s->count);
        s->count = g->collider->has_duplicates ? drop_equal(s->items, s->count) : s->count;
    }
}

static void copy_slice(void *shared, size_t number)
{
    const gathering *g = shared;
    const slice *s = &g->slices[number];
    const size_t rest = g->capacity > s->offset ? g->capacity - s->offset : 0;
    const size_t count = s->count < rest ? s->count : rest;
    for (size_t i = 0; i < count; i++) {
        if (g->is_contacts) {
            ((tumble_contact *)g->out)[s->offset + i] = *tmb_contact_of(&s->items[i]);
        } else {
            ((tumble_pair *)g->out)[s->offset + i] =
                (tumble_pair){(uint32_t)(s->items[i].key >> 32), (uint32_t)s->items[i].key};
        }
    }
}

/* Uses several threads only where it pays. */
static void for_each(gathering *g, size_t count, void (*body)(void *shared, size_t i))
{
    if (g->slice_count > 1) {
        g->sharing->for_each(g->sharing->user, count, body, g);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        body(g, i);
    }
}

/* ---- All of it ---- */

/* Lays out the slices one after the other, and within each what comes from one chunk after what comes from another. 0
 * when there is no room. */
static int lay_out(gathering *g)
{
    size_t total = 0;
    for (size_t i = 0; i < g->slice_count; i++) {
        for (size_t k = 0; k < g->chunk_count; k++) {
            const size_t count = g->chunks[k].counts[i];
            g->chunks[k].counts[i] = g->slices[i].count;
            g->slices[i].count += count;
        }
        total += g->slices[i].count;
    }
    if (!tmb_buffer_reserve(g->collider->encounter.query->context, &g->room, 2 * total, sizeof(tmb_sort_item), 0)) {
        return 0;
    }
    tmb_sort_item *room = g->room.data;
    for (size_t i = 0; i < g->slice_count; i++) {
        g->slices[i].room = room;
        room += 2 * g->slices[i].count;
    }
    return 1;
}

static int sort_chunks(gathering *g)
{
    cut_chunks(g);
    cut_slices(g);
    for_each(g, g->chunk_count, count_chunk);
    if (!lay_out(g)) {
        return 0;
    }
    for_each(g, g->chunk_count, deal_chunk);
    for_each(g, g->slice_count, sort_slice);
    return 1;
}

/* Where the items go: the caller's array, or one that is made for them. 0 if memory runs out. */
static int find_room(gathering *g, uint64_t count)
{
    const tumble_collide_options *o = g->collider->options;
    const tmb_sharing *s = g->sharing;
    g->out = g->is_contacts ? (void *)o->contacts : (void *)o->pairs;
    g->capacity = g->is_contacts ? o->contact_capacity : o->pair_capacity;
    if (s->make_room) {
        g->out = count ? s->make_room(s->user, g->is_contacts, (size_t)count) : NULL;
        g->capacity = (size_t)count;
    }
    return g->out || g->capacity == 0;
}

/* *count becomes the number of different items. */
static tumble_status gather(gathering *g, uint64_t *count)
{
    tumble_context *context = g->collider->encounter.query->context;
    g->chunks = tmb_allocate(context, count_chunks(g), sizeof *g->chunks);
    g->room = tmb_take_sort_room(g->sharing->spares);
    int sorted = g->chunks && sort_chunks(g);
    if (sorted) {
        *count = 0;
        for (size_t i = 0; i < g->slice_count; i++) {
            g->slices[i].offset = (size_t)*count;
            *count += g->slices[i].count;
        }
        sorted = find_room(g, *count);
    }
    if (sorted) {
        for_each(g, g->slice_count, copy_slice);
    }
    tmb_release(context, g->chunks);
    tmb_keep_sort_room(g->sharing->spares, context, &g->room);
    return sorted ? TUMBLE_OK : tmb_fail_memory(context, "sorting the results of a query");
}

tumble_status tmb_gather_results(tmb_sharing *s, const tmb_collider *c, const tmb_part_results *parts,
                                 tmb_outcome *outcome)
{
    TMB_ASSERT(parts);
    tumble_status status = TUMBLE_OK;
    if (c->pairs.keep || c->has_duplicates) {
        gathering pairs = {.sharing = s, .collider = c, .parts = parts};
        status = gather(&pairs, &outcome->pair_count);
    }
    if (c->contacts.keep && status == TUMBLE_OK) {
        gathering contacts = {.sharing = s, .collider = c, .parts = parts, .is_contacts = 1};
        status = gather(&contacts, &outcome->contact_count);
    }
    return status;
}
