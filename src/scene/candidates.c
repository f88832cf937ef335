/* Keeping the pairs of overlapping boxes up to date.
 *
 * When many objects have changed, the tree is built anew and joined with itself. When few have, their boxes are changed
 * in the tree where they stay near their place, and else moved to the young tree; each changed one is looked for in
 * both, and its pairs replace the old ones. A step therefore costs about as much as there are changed objects, and no
 * sequence of steps makes the trees worse: boxes leave nodes that they do not fit, and the young tree is merged into
 * the main one when it has grown to a share of it. */
#include "scene/candidates.h"

#include <string.h>

#include "scene/order.h"

/* More changed or young objects than this share start from nothing. */
#define SHARE 8

/* Movers whose places are fetched early. */
#define AHEAD 8

void tmb_broad_begin(tmb_broad *broad, tumble_context *context)
{
    memset(broad, 0, sizeof *broad);
    broad->context = context;
    for (int i = 0; i < TMB_JOIN_PARTS; i++) {
        broad->outputs[i].context = context;
    }
}

static void release_outputs(tmb_broad *broad)
{
    for (int i = 0; i < TMB_JOIN_PARTS; i++) {
        tmb_buffer_release(broad->context, &broad->outputs[i].pairs);
    }
    tmb_pair_room_release(broad->context, &broad->room);
}

void tmb_broad_end(tmb_broad *broad)
{
    tumble_context *context = broad->context;
    tmb_box_tree_release(context, &broad->main);
    tmb_box_tree_release(context, &broad->young);
    tmb_buffer *const buffers[] = {&broad->place_room, &broad->changed_room, &broad->list, &broad->pairs};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    release_outputs(broad);
}

/* ---- Room ---- */

static int reserve_objects(tmb_broad *broad, uint32_t count)
{
    const size_t had = broad->changed_room.capacity;
    if (!tmb_buffer_reserve(broad->context, &broad->changed_room, (size_t)count / 64 + 1, sizeof(uint64_t), had)) {
        return 0;
    }
    broad->has_changed = broad->changed_room.data;
    if (broad->changed_room.capacity > had) {
        memset((char *)broad->changed_room.data + had, 0, broad->changed_room.capacity - had);
    }
    return 1;
}

/* Where the objects are in the main tree; new ones have no place yet. */
static int reserve_places(tmb_broad *broad, uint32_t count)
{
    size_t had = broad->place_room.capacity / sizeof(uint32_t);
    if (!tmb_buffer_reserve(broad->context, &broad->place_room, count, sizeof(uint32_t), had * sizeof(uint32_t))) {
        return 0;
    }
    broad->places = broad->place_room.data;
    had = broad->has_places ? had : 0;
    for (size_t i = had; i < broad->place_room.capacity / sizeof(uint32_t); i++) {
        broad->places[i] = TMB_NO_PLACE;
    }
    for (uint32_t place = 0; !broad->has_places && place < broad->main.count; place++) {
        broad->places[broad->main.objects[place]] = place;
    }
    broad->has_places = 1;
    return 1;
}

static void empty_outputs(tmb_broad *broad)
{
    for (int i = 0; i < TMB_JOIN_PARTS; i++) {
        broad->outputs[i].count = 0;
        broad->outputs[i].failed = 0;
    }
}

/* ---- From nothing ---- */

static int build_main(tmb_broad *broad, uint32_t threads, const tmb_broad_objects *objects)
{
    if (!tmb_buffer_reserve(broad->context, &broad->list, objects->count, sizeof(uint32_t), 0)) {
        return 0;
    }
    uint32_t *list = broad->list.data, count = 0;
    for (uint32_t i = 0; i < objects->count; i++) {
        list[count] = i;
        count += objects->is_present[i] != 0;
    }
    broad->has_places = 0;
    return tmb_box_tree_build(broad->context, threads, &broad->main, objects->boxes, list, count) &&
           tmb_box_tree_build(broad->context, threads, &broad->young, objects->boxes, NULL, 0);
}

static int rebuild(tmb_broad *broad, uint32_t threads, const tmb_broad_objects *objects)
{
    const tmb_join join = {&broad->main, &objects->filter};
    empty_outputs(broad);
    return build_main(broad, threads, objects) && tmb_join_all(broad->context, threads, &join, broad->outputs) &&
           tmb_pairs_collect(broad->context, threads, broad->outputs, objects->count, &broad->room, &broad->pairs,
                             &broad->pair_count);
}

/* ---- Step by step ---- */

/* Puts the box of a changed object into the main tree, or takes it out. */
static void change_one(tmb_broad *broad, const tmb_broad_objects *objects, uint32_t object)
{
    const tmb_box none = tmb_box_empty(), *box = &objects->boxes[object];
    const uint32_t place = broad->places[object];
    if (place == TMB_NO_PLACE) {
        return;
    }
    const int stays = objects->is_present[object] && tmb_box_tree_fits(&broad->main, place, box);
    tmb_box_tree_put(&broad->main, place, stays ? box : &none);
    if (!stays) {
        broad->places[object] = TMB_NO_PLACE;
        broad->main.objects[place] = UINT32_MAX;
    }
}

static void change_main(tmb_broad *broad, const tmb_broad_objects *objects, const uint32_t *movers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i + AHEAD < count && broad->places[movers[i + AHEAD]] != TMB_NO_PLACE) {
            tmb_box_tree_fetch(&broad->main, broad->places[movers[i + AHEAD]]);
        }
        change_one(broad, objects, movers[i]);
    }
}

/* The objects of the young tree: those it had and has not lost, and changed ones that are in no tree. `list` has room
 * for all. */
static uint32_t list_young(const tmb_broad *broad, const tmb_broad_objects *objects, const uint32_t *changed,
                           uint32_t changed_count, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < broad->young.count; i++) {
        const uint32_t object = broad->young.objects[i];
        list[count] = object;
        count += !tmb_has_bit(broad->has_changed, object);
    }
    for (uint32_t i = 0; i < changed_count; i++) {
        list[count] = changed[i];
        count += objects->is_present[changed[i]] && broad->places[changed[i]] == TMB_NO_PLACE;
    }
    return count;
}

/* Old pairs without changed objects, and the new ones, in order. */
static int merge_pairs(tmb_broad *broad, uint32_t threads, uint32_t object_count)
{
    tmb_buffer *fresh = &broad->list;
    size_t fresh_count = 0;
    if (!tmb_pairs_collect(broad->context, threads, broad->outputs, object_count, &broad->room, fresh, &fresh_count) ||
        !tmb_buffer_reserve(broad->context, &broad->room.pairs, broad->pair_count + fresh_count, sizeof(uint64_t), 0)) {
        return 0;
    }
    broad->pair_count = tmb_pairs_merge(broad->pairs.data, broad->pair_count, broad->has_changed, fresh->data,
                                        fresh_count, broad->room.pairs.data);
    const tmb_buffer merged = broad->room.pairs;
    broad->room.pairs = broad->pairs;
    broad->pairs = merged;
    return 1;
}

/* The changed objects that are present, close together in memory as they are in space. */
static int list_movers(tmb_broad *broad, const tmb_broad_objects *objects, const uint32_t *changed,
                       uint32_t changed_count, uint32_t *list, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < changed_count; i++) {
        list[*count] = changed[i];
        *count += objects->is_present[changed[i]] != 0;
    }
    if (!tmb_buffer_reserve(broad->context, &broad->room.pairs, 2 * (size_t)*count, sizeof(uint64_t), 0)) {
        return 0;
    }
    if (*count > 0) {
        tmb_order_boxes(objects->boxes, list, *count, broad->room.pairs.data);
    }
    return 1;
}

/* Both trees. `movers` has room for the objects of the young tree behind `count` of them. */
static int change_trees(tmb_broad *broad, uint32_t threads, const tmb_broad_objects *objects, const uint32_t *changed,
                        uint32_t changed_count, uint32_t *movers, uint32_t count)
{
    change_main(broad, objects, movers, count);
    for (uint32_t i = 0; i < changed_count; i++) {
        if (!objects->is_present[changed[i]]) {
            change_one(broad, objects, changed[i]);
        }
    }
    uint32_t *young = movers + count;
    const uint32_t young_count = list_young(broad, objects, changed, changed_count, young);
    return tmb_box_tree_build(broad->context, threads, &broad->young, objects->boxes, young, young_count);
}

static int advance(tmb_broad *broad, uint32_t threads, const tmb_broad_objects *objects, const uint32_t *changed,
                   uint32_t changed_count)
{
    tumble_context *context = broad->context;
    const size_t most = (size_t)broad->young.count + 2 * (size_t)changed_count;
    uint32_t count;
    if (!reserve_places(broad, objects->count) ||
        !tmb_buffer_reserve(context, &broad->list, most, sizeof(uint32_t), 0) ||
        !list_movers(broad, objects, changed, changed_count, broad->list.data, &count) ||
        !change_trees(broad, threads, objects, changed, changed_count, broad->list.data, count)) {
        return 0;
    }
    tmb_probe search = {&broad->main, &objects->filter, objects->boxes, broad->list.data, count, broad->has_changed};
    empty_outputs(broad);
    int is_done = tmb_probe_all(context, threads, &search, broad->outputs);
    search.tree = &broad->young;
    is_done = is_done && tmb_probe_all(context, threads, &search, broad->outputs);
    return is_done && merge_pairs(broad, threads, objects->count);
}

/* ---- Block by block ---- */

/* So many objects' pairs are found at a time: fewer after a block with more than so many pairs. */
#define BLOCK_LEAST 1
#define BLOCK_MOST 4096
#define BLOCK_PAIRS ((size_t)1 << 20)

/* The pairs of one output after the other, sorted. */
static tmb_stream_end hand_over(tmb_broad *broad, uint32_t object_count, tmb_pairs_sink *sink, void *user)
{
    for (int part = 0; part < TMB_JOIN_PARTS; part++) {
        const tmb_join_output one[TMB_JOIN_PARTS] = {broad->outputs[part]};
        size_t count;
        if (!tmb_pairs_collect(broad->context, 1, one, object_count, &broad->room, &broad->pairs, &count)) {
            return TMB_STREAM_NO_MEMORY;
        }
        if (count > 0 && !sink(user, broad->pairs.data, count)) {
            return TMB_STREAM_STOPPED;
        }
    }
    return TMB_STREAM_DONE;
}

/* How many objects come next, if so many had so many pairs. */
static size_t next_block(size_t count, size_t pairs)
{
    if (pairs > BLOCK_PAIRS) {
        return count > 1 ? count / 2 : 1;
    }
    return count < BLOCK_MOST ? 2 * count : count;
}

static tmb_stream_end stream(tmb_broad *broad, uint32_t threads, const tmb_broad_objects *objects, tmb_pairs_sink *sink,
                             void *user)
{
    const uint32_t *list = broad->list.data; /* in the order of the numbers */
    tmb_stream_end end = TMB_STREAM_DONE;
    for (size_t at = 0, block = BLOCK_LEAST; at < broad->main.count && end == TMB_STREAM_DONE;) {
        const size_t left = broad->main.count - at, count = left < block ? left : block;
        const tmb_probe probe = {&broad->main, &objects->filter, objects->boxes, list + at, count, NULL};
        size_t found = 0;
        empty_outputs(broad);
        end = tmb_probe_all(broad->context, threads, &probe, broad->outputs)
                  ? hand_over(broad, objects->count, sink, user)
                  : TMB_STREAM_NO_MEMORY;
        for (int part = 0; part < TMB_JOIN_PARTS; part++) {
            found += broad->outputs[part].count;
        }
        at += count;
        block = next_block(count, found);
    }
    return end;
}

tmb_stream_end tmb_broad_stream(tmb_broad *broad, uint32_t thread_count, const tmb_broad_objects *objects,
                                tmb_pairs_sink *sink, void *user)
{
    broad->is_known = 0;
    broad->pair_count = 0;
    return build_main(broad, thread_count, objects) ? stream(broad, thread_count, objects, sink, user)
                                                    : TMB_STREAM_NO_MEMORY;
}

/* ---- All with all ---- */

int tmb_broad_compare_all(tumble_context *context, const tmb_broad_objects *objects, tmb_join_output *out)
{
    for (uint32_t a = 0; a < objects->count; a++) {
        for (uint32_t b = a + 1; objects->is_present[a] && b < objects->count; b++) {
            if (!objects->is_present[b] || !tmb_boxes_overlap(&objects->boxes[a], &objects->boxes[b]) ||
                !tmb_join_allows(&objects->filter, a, b)) {
                continue;
            }
            if (!tmb_buffer_reserve(context, &out->pairs, out->count + 1, sizeof(uint64_t),
                                    out->count * sizeof(uint64_t))) {
                return 0;
            }
            ((uint64_t *)out->pairs.data)[out->count++] = tmb_pair_key(a, b);
        }
    }
    return 1;
}

int tmb_broad_update(tmb_broad *broad, uint32_t thread_count, const tmb_broad_objects *objects, const uint32_t *changed,
                     uint32_t changed_count)
{
    if (!reserve_objects(broad, objects->count)) {
        broad->is_known = 0;
        return 0;
    }
    if (!broad->is_known || ((uint64_t)changed_count + broad->young.count) * SHARE > objects->count) {
        broad->is_known = rebuild(broad, thread_count, objects);
        if (!broad->is_known) {
            release_outputs(broad);
        }
        return broad->is_known;
    }
    if (changed_count > 0) {
        for (uint32_t i = 0; i < changed_count; i++) {
            tmb_flip_bit(broad->has_changed, changed[i]);
        }
        broad->is_known = advance(broad, thread_count, objects, changed, changed_count);
        for (uint32_t i = 0; i < changed_count; i++) {
            tmb_flip_bit(broad->has_changed, changed[i]);
        }
    }
    return broad->is_known;
}
