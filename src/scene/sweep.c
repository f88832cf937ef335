/* Incremental sweep and prune. */
#include "scene/sweep.h"

#include <string.h>

#include "base/sort.h"

/* More exchanges per end than this, and sorting anew is faster. */
#define EXCHANGES_MOST 64

/* More newcomers than this share, likewise. */
#define NEW_SHARE 64

void tmb_sweep_begin(tmb_sweep *sweep, tumble_context *context)
{
    memset(sweep, 0, sizeof *sweep);
    sweep->context = context;
}

void tmb_sweep_end_all(tmb_sweep *sweep)
{
    tumble_context *context = sweep->context;
    for (int k = 0; k < 3; k++) {
        tmb_buffer_release(context, &sweep->ends[k]);
    }
    tmb_buffer_release(context, &sweep->scratch);
    tmb_buffer_release(context, &sweep->listed);
    tmb_buffer_release(context, &sweep->sorted);
    tmb_pair_room_release(context, &sweep->room);
    tmb_pair_hash_release(context, &sweep->pairs);
}

/* ---- Ends ---- */

static inline int is_upper(const tmb_sweep_end *end)
{
    return (int)(end->object & 1);
}

/* Lower ends come before upper ones with the same value: boxes that touch overlap. */
static inline int comes_after(const tmb_sweep_end *a, const tmb_sweep_end *b)
{
    return a->value > b->value || (a->value == b->value && is_upper(a) && !is_upper(b));
}

static float value_of(const tmb_broad_objects *objects, uint32_t end, int axis)
{
    const tmb_box *box = &objects->boxes[end >> 1];
    return end & 1 ? box->upper[axis] : box->lower[axis];
}

/* Bits that are in the order of the floats, and one more for the kind of end. */
static uint64_t key_of(const tmb_sweep_end *end)
{
    uint32_t bits;
    const float value = end->value + 0.0F; /* no zero is less than the other */
    memcpy(&bits, &value, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 1 | (uint64_t)is_upper(end);
}

static int note_pair(tmb_sweep *sweep, uint32_t a, uint32_t b)
{
    if (!tmb_pair_hash_reserve(sweep->context, &sweep->pairs, sweep->pairs.count + 1)) {
        return 0;
    }
    (void)tmb_pair_hash_add(&sweep->pairs, tmb_pair_key(a, b));
    return 1;
}

/* ---- From nothing ---- */

static int sort_axis(tmb_sweep *sweep, int axis)
{
    const size_t count = sweep->end_count;
    tmb_sweep_end *ends = sweep->ends[axis].data;
    if (count == 0) {
        return 1;
    }
    if (!tmb_buffer_reserve(sweep->context, &sweep->scratch, 2 * count, sizeof(tmb_sort_item), 0)) {
        return 0;
    }
    tmb_sort_item *items = sweep->scratch.data;
    for (size_t i = 0; i < count; i++) {
        items[i].key = key_of(&ends[i]);
        memcpy(&items[i].value, &ends[i], sizeof ends[i]);
    }
    items = tmb_sort(items, items + count, count);
    for (size_t i = 0; i < count; i++) {
        memcpy(&ends[i], &items[i].value, sizeof ends[i]);
    }
    return 1;
}

static int list_ends(tmb_sweep *sweep, const tmb_broad_objects *objects)
{
    size_t count = 0;
    for (uint32_t i = 0; i < objects->count; i++) {
        count += objects->is_present[i] ? 2 : 0;
    }
    for (int k = 0; k < 3; k++) {
        if (!tmb_buffer_reserve(sweep->context, &sweep->ends[k], count, sizeof(tmb_sweep_end), 0)) {
            return 0;
        }
        tmb_sweep_end *end = sweep->ends[k].data;
        for (uint32_t i = 0; i < objects->count; i++) {
            for (uint32_t side = 0; objects->is_present[i] && side < 2; side++, end++) {
                *end = (tmb_sweep_end){value_of(objects, 2 * i + side, k), 2 * i + side};
            }
        }
    }
    sweep->end_count = count;
    memset(sweep->listed.data, 0, sweep->listed.capacity); /* also of objects that do not exist yet */
    memcpy(sweep->listed.data, objects->is_present, objects->count);
    return 1;
}

/* Sweeps along the first axis with a list of the boxes that are open. */
static int sweep_once(tmb_sweep *sweep, const tmb_broad_objects *objects)
{
    if (!tmb_buffer_reserve(sweep->context, &sweep->scratch, sweep->end_count / 2, sizeof(uint32_t), 0)) {
        return 0;
    }
    const tmb_sweep_end *ends = sweep->ends[0].data;
    uint32_t *open = sweep->scratch.data;
    size_t open_count = 0;
    for (size_t i = 0; i < sweep->end_count; i++) {
        const uint32_t object = ends[i].object >> 1;
        if (is_upper(&ends[i])) {
            size_t at = 0;
            while (open[at] != object) {
                at++;
            }
            open[at] = open[--open_count];
            continue;
        }
        for (size_t j = 0; j < open_count; j++) {
            if (tmb_boxes_overlap(&objects->boxes[object], &objects->boxes[open[j]]) &&
                !note_pair(sweep, object, open[j])) {
                return 0;
            }
        }
        open[open_count++] = object;
    }
    return 1;
}

static int start(tmb_sweep *sweep, const tmb_broad_objects *objects)
{
    if (objects->count == 0) {
        return 1;
    }
    if (!tmb_buffer_reserve(sweep->context, &sweep->listed, objects->count, 1, 0) || !list_ends(sweep, objects)) {
        return 0;
    }
    tmb_pair_hash_release(sweep->context, &sweep->pairs);
    for (int k = 0; k < 3; k++) {
        if (!sort_axis(sweep, k)) {
            return 0;
        }
    }
    return sweep_once(sweep, objects);
}

/* ---- Step by step ---- */

/* Takes out the ends of objects that are gone, and their pairs. */
static void drop_absent(tmb_sweep *sweep, const tmb_broad_objects *objects)
{
    size_t count = 0;
    for (int k = 0; k < 3; k++) {
        tmb_sweep_end *ends = sweep->ends[k].data;
        count = 0;
        for (size_t i = 0; i < sweep->end_count; i++) {
            ends[count] = ends[i];
            count += objects->is_present[ends[i].object >> 1] != 0;
        }
    }
    sweep->end_count = count;
    tmb_pair_hash *pairs = &sweep->pairs;
    for (uint64_t i = 0; pairs->keys && i <= pairs->mask;) {
        const uint64_t key = pairs->keys[i];
        if (key != TMB_NO_PAIR && (!objects->is_present[key >> 32] || !objects->is_present[(uint32_t)key])) {
            (void)tmb_pair_hash_remove(pairs, key); /* another one may have moved here */
        } else {
            i++;
        }
    }
}

/* The ends of a new object are the last, as if it came from far away. */
static int append(tmb_sweep *sweep, const tmb_broad_objects *objects, uint32_t object)
{
    for (int k = 0; k < 3; k++) {
        if (!tmb_buffer_reserve(sweep->context, &sweep->ends[k], sweep->end_count + 2, sizeof(tmb_sweep_end),
                                sweep->end_count * sizeof(tmb_sweep_end))) {
            return 0;
        }
        tmb_sweep_end *ends = sweep->ends[k].data;
        for (uint32_t side = 0; side < 2; side++) {
            ends[sweep->end_count + side] = (tmb_sweep_end){value_of(objects, 2 * object + side, k), 2 * object + side};
        }
    }
    sweep->end_count += 2;
    return 1;
}

/* Objects that came and went; 0 if memory runs out. */
static int change_members(tmb_sweep *sweep, const tmb_broad_objects *objects, const uint32_t *changed, uint32_t count)
{
    uint8_t *listed = sweep->listed.data;
    int is_any_gone = 0;
    for (uint32_t i = 0; i < count; i++) {
        is_any_gone |= listed[changed[i]] && !objects->is_present[changed[i]];
    }
    if (is_any_gone) {
        drop_absent(sweep, objects);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t object = changed[i];
        if (!listed[object] && objects->is_present[object] && !append(sweep, objects, object)) {
            return 0;
        }
        listed[object] = objects->is_present[object];
    }
    return 1;
}

/* Two ends that have passed each other: `left` is now in front. */
static int exchange(tmb_sweep *sweep, const tmb_broad_objects *objects, const tmb_sweep_end *left,
                    const tmb_sweep_end *right)
{
    const uint32_t a = left->object >> 1, b = right->object >> 1;
    if (!is_upper(left) && is_upper(right)) {
        return !tmb_boxes_overlap(&objects->boxes[a], &objects->boxes[b]) || note_pair(sweep, a, b);
    }
    if (is_upper(left) && !is_upper(right)) {
        (void)tmb_pair_hash_remove(&sweep->pairs, tmb_pair_key(a, b));
    }
    return 1;
}

/* 0 if memory runs out or the order has changed too much. */
static int resort_axis(tmb_sweep *sweep, const tmb_broad_objects *objects, int axis)
{
    tmb_sweep_end *ends = sweep->ends[axis].data;
    size_t left = EXCHANGES_MOST * sweep->end_count;
    for (size_t i = 0; i < sweep->end_count; i++) {
        ends[i].value = value_of(objects, ends[i].object, axis);
    }
    for (size_t i = 1; i < sweep->end_count; i++) {
        const tmb_sweep_end end = ends[i];
        size_t at = i;
        for (; at > 0 && comes_after(&ends[at - 1], &end); at--) {
            if (left-- == 0 || !exchange(sweep, objects, &end, &ends[at - 1])) {
                return 0;
            }
            ends[at] = ends[at - 1];
        }
        ends[at] = end;
    }
    return 1;
}

static uint32_t count_newcomers(const tmb_sweep *sweep, const tmb_broad_objects *objects, const uint32_t *changed,
                                uint32_t count)
{
    const uint8_t *listed = sweep->listed.data;
    uint32_t newcomers = 0;
    for (uint32_t i = 0; i < count; i++) {
        newcomers += !listed[changed[i]] && objects->is_present[changed[i]];
    }
    return newcomers;
}

/* 0 if it is better to start from nothing, or memory runs out. */
static int advance(tmb_sweep *sweep, const tmb_broad_objects *objects, const uint32_t *changed, uint32_t count)
{
    const size_t had = sweep->listed.capacity;
    if (!tmb_buffer_reserve(sweep->context, &sweep->listed, objects->count, 1, had)) {
        return 0;
    }
    if (sweep->listed.capacity > had) {
        memset((uint8_t *)sweep->listed.data + had, 0, sweep->listed.capacity - had);
    }
    if (count_newcomers(sweep, objects, changed, count) > 1 + sweep->end_count / NEW_SHARE ||
        !change_members(sweep, objects, changed, count)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        if (!resort_axis(sweep, objects, k)) {
            return 0;
        }
    }
    return 1;
}

/* ---- Results ---- */

static int list_pairs(tmb_sweep *sweep, const tmb_broad_objects *objects)
{
    tmb_join_output outputs[TMB_JOIN_PARTS] = {{.context = sweep->context}};
    tmb_join_output *all = &outputs[0];
    if (!tmb_buffer_reserve(sweep->context, &sweep->scratch, sweep->pairs.count, sizeof(uint64_t), 0)) {
        return 0;
    }
    uint64_t *keys = sweep->scratch.data;
    for (uint64_t i = 0; sweep->pairs.keys && i <= sweep->pairs.mask; i++) {
        const uint64_t key = sweep->pairs.keys[i];
        if (key != TMB_NO_PAIR && tmb_join_allows(&objects->filter, (uint32_t)(key >> 32), (uint32_t)key)) {
            keys[all->count++] = key;
        }
    }
    all->pairs = sweep->scratch;
    return tmb_pairs_collect(sweep->context, 1, outputs, objects->count, &sweep->room, &sweep->sorted,
                             &sweep->pair_count);
}

int tmb_sweep_update(tmb_sweep *sweep, const tmb_broad_objects *objects, const uint32_t *changed,
                     uint32_t changed_count)
{
    TMB_ASSERT(objects->count <= TMB_SWEEP_MOST);
    if (!sweep->is_known || !advance(sweep, objects, changed, changed_count)) {
        sweep->is_known = start(sweep, objects);
    }
    if (sweep->is_known && objects->count > 0) {
        sweep->is_known = list_pairs(sweep, objects);
    }
    return sweep->is_known;
}
