/* Keeping the pairs of overlapping boxes up to date.
 *
 * When many objects have changed, the tree is built anew and joined with itself. When few have, their boxes are changed
 * in the tree where they stay near their place, and else moved to the young tree; a tree over the changed ones alone is
 * joined with both, and its pairs replace the old ones of these objects. A step therefore costs about as much as there
 * are changed objects, and no sequence of steps makes the trees worse: boxes leave nodes that they do not fit, and the
 * young tree is merged into the main one when it has grown to a share of it. */
#include "scene/candidates.h"

#include <string.h>

/* More changed or young objects than this share start from nothing. */
#define SHARE 8

void tmb_broad_begin(tmb_broad *broad, tumble_context *context)
{
    memset(broad, 0, sizeof *broad);
    broad->context = context;
    for (int i = 0; i < TMB_JOIN_PARTS; i++) {
        broad->outputs[i].context = context;
    }
}

void tmb_broad_end(tmb_broad *broad)
{
    tumble_context *context = broad->context;
    tmb_box_tree_release(context, &broad->main);
    tmb_box_tree_release(context, &broad->young);
    tmb_box_tree_release(context, &broad->moved);
    tmb_buffer *const buffers[] = {&broad->place_room, &broad->changed_room, &broad->list, &broad->pairs};
    tmb_pair_room_release(context, &broad->room);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    for (int i = 0; i < TMB_JOIN_PARTS; i++) {
        tmb_buffer_release(context, &broad->outputs[i].pairs);
    }
}

/* ---- Room ---- */

/* New objects have no place yet. What one array has got is set before the other one may fail. */
static int reserve_objects(tmb_broad *broad, uint32_t count)
{
    const size_t had = broad->place_room.capacity / sizeof(uint32_t), had_flags = broad->changed_room.capacity;
    if (!tmb_buffer_reserve(broad->context, &broad->place_room, count, sizeof(uint32_t), had * sizeof(uint32_t))) {
        return 0;
    }
    broad->places = broad->place_room.data;
    for (size_t i = had; i < broad->place_room.capacity / sizeof(uint32_t); i++) {
        broad->places[i] = TMB_NO_PLACE;
    }
    if (!tmb_buffer_reserve(broad->context, &broad->changed_room, count, 1, had_flags)) {
        return 0;
    }
    broad->has_changed = broad->changed_room.data;
    if (broad->changed_room.capacity > had_flags) {
        memset(broad->has_changed + had_flags, 0, broad->changed_room.capacity - had_flags);
    }
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

static int rebuild(tmb_broad *broad, uint32_t threads, const tmb_broad_objects *objects)
{
    tumble_context *context = broad->context;
    if (!tmb_buffer_reserve(context, &broad->list, objects->count, sizeof(uint32_t), 0)) {
        return 0;
    }
    uint32_t *list = broad->list.data, count = 0;
    for (uint32_t i = 0; i < objects->count; i++) {
        broad->places[i] = TMB_NO_PLACE;
        list[count] = i;
        count += objects->is_present[i] != 0;
    }
    if (!tmb_box_tree_build(context, threads, &broad->main, objects->boxes, list, count) ||
        !tmb_box_tree_build(context, threads, &broad->young, objects->boxes, NULL, 0)) {
        return 0;
    }
    for (uint32_t place = 0; place < count; place++) {
        broad->places[broad->main.objects[place]] = place;
    }
    const tmb_join join = {&broad->main, &broad->main, &objects->filter, NULL};
    empty_outputs(broad);
    return tmb_join_all(context, threads, &join, broad->outputs) &&
           tmb_pairs_collect(context, threads, broad->outputs, objects->count, &broad->room, &broad->pairs,
                             &broad->pair_count);
}

/* ---- Step by step ---- */

/* Puts changed boxes into the main tree, or takes them out. */
static void change_main(tmb_broad *broad, const tmb_broad_objects *objects, const uint32_t *changed, uint32_t count)
{
    const tmb_box none = tmb_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t object = changed[i], place = broad->places[object];
        if (place == TMB_NO_PLACE) {
            continue;
        }
        const tmb_box *box = &objects->boxes[object];
        const int stays = objects->is_present[object] && tmb_box_tree_fits(&broad->main, place, box);
        tmb_box_tree_put(&broad->main, place, stays ? box : &none);
        if (!stays) {
            broad->places[object] = TMB_NO_PLACE;
            broad->main.objects[place] = UINT32_MAX;
        }
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
        count += !broad->has_changed[object];
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

static int advance(tmb_broad *broad, uint32_t threads, const tmb_broad_objects *objects, const uint32_t *changed,
                   uint32_t changed_count)
{
    tumble_context *context = broad->context;
    if (!tmb_buffer_reserve(context, &broad->list, (size_t)broad->young.count + changed_count, sizeof(uint32_t), 0)) {
        return 0;
    }
    change_main(broad, objects, changed, changed_count);
    uint32_t *list = broad->list.data;
    uint32_t count = list_young(broad, objects, changed, changed_count, list);
    if (!tmb_box_tree_build(context, threads, &broad->young, objects->boxes, list, count)) {
        return 0;
    }
    count = 0;
    for (uint32_t i = 0; i < changed_count; i++) {
        list[count] = changed[i];
        count += objects->is_present[changed[i]] != 0;
    }
    if (!tmb_box_tree_build(context, threads, &broad->moved, objects->boxes, list, count)) {
        return 0;
    }
    const tmb_join with_main = {&broad->moved, &broad->main, &objects->filter, broad->has_changed};
    const tmb_join with_young = {&broad->moved, &broad->young, &objects->filter, broad->has_changed};
    empty_outputs(broad);
    return tmb_join_all(context, threads, &with_main, broad->outputs) &&
           tmb_join_all(context, threads, &with_young, broad->outputs) && merge_pairs(broad, threads, objects->count);
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
        return broad->is_known;
    }
    if (changed_count > 0) {
        for (uint32_t i = 0; i < changed_count; i++) {
            broad->has_changed[changed[i]] = 1;
        }
        broad->is_known = advance(broad, thread_count, objects, changed, changed_count);
        for (uint32_t i = 0; i < changed_count; i++) {
            broad->has_changed[changed[i]] = 0;
        }
    }
    return broad->is_known;
}
