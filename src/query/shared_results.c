/* Puts together what the parts of a query have found. The range of keys is cut into slices of about as many items; each
 * is collected from all parts, sorted, and copied to where it belongs, in a thread of its own. */
#include "query/shared_walk.h"

#include <string.h>

#define SLICES 16
#define SLICE_ITEMS 8192 /* at least so many for each */
#define SAMPLES 64       /* keys for each slice */

typedef struct slice {
    uint64_t first, last; /* keys, both included */
    tmb_sort_item *room;  /* twice as many as items */
    tmb_sort_item *items; /* sorted */
    size_t count;
    size_t offset; /* of the first one among all */
    int failed;    /* there was no memory */
} slice;

/* Pairs, or contacts. */
typedef struct gathering {
    const tmb_collider *collider;
    const tmb_part_results *parts;
    int is_contacts;
    size_t slice_count;
    slice slices[SLICES];
} gathering;

/* ---- The keys of a part ---- */

/* Places of a part where keys can be. */
static size_t place_count(const gathering *g, const tmb_part_results *part)
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
    *out = (tmb_sort_item){tmb_pair_key(pair->polygon_a, pair->polygon_b), 0};
    return 1;
}

/* ---- Slices ---- */

/* Keys from all over the parts, sorted. */
static size_t sample_keys(const gathering *g, size_t total, tmb_sort_item *samples, tmb_sort_item *scratch)
{
    const size_t stride = total / (SLICES * SAMPLES) + 1;
    size_t count = 0, at = 0;
    for (const tmb_part_results *part = g->parts; part; part = part->next) {
        const size_t places = place_count(g, part);
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

static void cut_slices(gathering *g, size_t thread_count)
{
    tmb_sort_item samples[SLICES * SAMPLES + 1], scratch[SLICES * SAMPLES + 1];
    size_t total = 0;
    for (const tmb_part_results *part = g->parts; part; part = part->next) {
        total += place_count(g, part);
    }
    const size_t useful = total / SLICE_ITEMS + 1, most = thread_count < SLICES ? thread_count : SLICES;
    g->slice_count = useful < most ? useful : most;
    const size_t count = g->slice_count > 1 ? sample_keys(g, total, samples, scratch) : 0;
    g->slices[0].first = 0;
    for (size_t i = 1; i < g->slice_count; i++) {
        const uint64_t key = count ? samples[count * i / g->slice_count].key : 1;
        g->slices[i].first = key ? key : 1;
        g->slices[i - 1].last = g->slices[i].first - 1;
    }
    g->slices[g->slice_count - 1].last = UINT64_MAX;
}

/* How many items of the slice there are in all parts; they are listed when there is room. */
static size_t list_items(const gathering *g, const slice *s, tmb_sort_item *room)
{
    size_t count = 0;
    for (const tmb_part_results *part = g->parts; part; part = part->next) {
        const size_t places = place_count(g, part);
        for (size_t i = 0; i < places; i++) {
            tmb_sort_item item;
            if (item_at(g, part, i, &item) && item.key >= s->first && item.key <= s->last) {
                if (room) {
                    room[count] = item;
                }
                count++;
            }
        }
    }
    return count;
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
    s->count = list_items(g, s, NULL);
    s->room = tmb_allocate(g->collider->query->context, s->count, 2 * sizeof *s->room);
    if (!s->room) {
        s->failed = 1;
        return;
    }
    list_items(g, s, s->room);
    if (g->is_contacts) {
        s->items = tmb_sort_contacts(s->room, s->room + s->count, s->count);
    } else {
        s->items = tmb_sort(s->room, s->room + s->count, s->count);
        s->count = drop_equal(s->items, s->count);
    }
}

static void copy_slice(void *shared, size_t number)
{
    const gathering *g = shared;
    const slice *s = &g->slices[number];
    const tumble_collide_options *o = g->collider->options;
    const size_t capacity = g->is_contacts ? o->contact_capacity : o->pair_capacity;
    const size_t rest = capacity > s->offset ? capacity - s->offset : 0, count = s->count < rest ? s->count : rest;
    for (size_t i = 0; i < count; i++) {
        if (g->is_contacts) {
            o->contacts[s->offset + i] = *tmb_contact_of(&s->items[i]);
        } else {
            o->pairs[s->offset + i] = (tumble_pair){(uint32_t)(s->items[i].key >> 32), (uint32_t)s->items[i].key};
        }
    }
}

/* Sorts and copies; *count becomes the number of different items. */
static tumble_status gather(tmb_sharing *s, gathering *g, uint64_t *count)
{
    tumble_context *context = g->collider->query->context;
    int failed = 0;
    cut_slices(g, s->thread_count);
    s->for_each(s->user, g->slice_count, sort_slice, g);
    *count = 0;
    for (size_t i = 0; i < g->slice_count; i++) {
        failed |= g->slices[i].failed;
        g->slices[i].offset = (size_t)*count;
        *count += g->slices[i].count;
    }
    if (!failed) {
        s->for_each(s->user, g->slice_count, copy_slice, g);
    }
    for (size_t i = 0; i < g->slice_count; i++) {
        tmb_release(context, g->slices[i].room);
    }
    return failed ? tmb_fail_memory(context, "sorting the results of a query") : TUMBLE_OK;
}

tumble_status tmb_gather_results(tmb_sharing *s, const tmb_collider *c, const tmb_part_results *parts,
                                 tmb_outcome *outcome)
{
    tumble_status status = TUMBLE_OK;
    if (c->pairs.keep || c->has_duplicates) {
        gathering pairs = {.collider = c, .parts = parts};
        status = gather(s, &pairs, &outcome->pair_count);
    }
    if (c->contacts.keep && status == TUMBLE_OK) {
        gathering contacts = {.collider = c, .parts = parts, .is_contacts = 1};
        status = gather(s, &contacts, &outcome->contact_count);
    }
    return status;
}
