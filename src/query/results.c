/* Where hits go: counted, made unique, stored, handed to a callback, sorted into the caller's arrays. */
#include <string.h>

#include "base/sort.h"
#include "math/pose.h"
#include "prim/triangle.h"
#include "query/collider.h"

#define BATCH 256
#define SEEN_START 1024

/* ---- Each polygon pair once ---- */

static uint64_t pair_key(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

static size_t key_place(uint64_t key, size_t mask)
{
    key *= 0x9e3779b97f4a7c15u;
    return (size_t)(key ^ key >> 32) & mask;
}

/* The set holds key + 1, 0 is free. (No key is all ones: there are fewer polygons than that.) Returns 0 if it was
 * there. */
static int insert_key(uint64_t *slots, size_t mask, uint64_t key)
{
    size_t at = key_place(key, mask);
    for (; slots[at]; at = (at + 1) & mask) {
        if (slots[at] == key + 1) {
            return 0;
        }
    }
    slots[at] = key + 1;
    return 1;
}

/* The table of `size` slots stands at place `size` of the buffer, so that the next larger one finds room behind it, the
 * old one can be read while it is filled, and a query that starts anew clears only the smallest. */
static uint64_t *seen_table(const tmb_collider *c, size_t size)
{
    return (uint64_t *)c->query->seen.data + size;
}

static int begin_table(tmb_collider *c, size_t size, size_t used)
{
    if (!tmb_buffer_reserve(c->query->context, &c->query->seen, 2 * size, sizeof(uint64_t), used * sizeof(uint64_t))) {
        return 0;
    }
    memset(seen_table(c, size), 0, size * sizeof(uint64_t));
    c->seen_mask = size - 1;
    return 1;
}

static int grow_seen(tmb_collider *c)
{
    const size_t old_size = c->seen_mask + 1;
    if (!begin_table(c, 2 * old_size, 2 * old_size)) {
        return 0;
    }
    const uint64_t *old = seen_table(c, old_size);
    for (size_t i = 0; i < old_size; i++) {
        if (old[i]) {
            insert_key(seen_table(c, 2 * old_size), c->seen_mask, old[i] - 1);
        }
    }
    return 1;
}

/* 1: new, 0: known; a lack of memory ends the query. */
static int is_new_pair(tmb_collider *c, uint64_t key)
{
    if (!c->has_duplicates) {
        return 1;
    }
    if (2 * c->seen_count > c->seen_mask && !grow_seen(c)) {
        c->status = tmb_fail_memory(c->query->context, "the set of polygon pairs");
        return 0;
    }
    const int is_new = insert_key(seen_table(c, c->seen_mask + 1), c->seen_mask, key);
    c->seen_count += (size_t)is_new;
    return is_new;
}

/* ---- Storing and delivering ---- */

tumble_status tmb_results_begin(tmb_collider *c)
{
    const tumble_collide_options *o = c->options;
    const int lists = o->mode != TUMBLE_COLLIDE_TEST;
    c->keep_delivered = (o->pairs && o->pair_capacity) || (o->contacts && o->contact_capacity);
    c->keep_pairs = lists && ((o->pairs && o->pair_capacity) || o->callback);
    c->want_contacts = lists && (o->want_contacts || o->contact_capacity);
    c->keep_contacts = c->want_contacts && ((o->contacts && o->contact_capacity) || o->callback);
    c->has_duplicates =
        o->mode == TUMBLE_COLLIDE_ALL && (tmb_model_has_large_polygons(c->a) || tmb_model_has_large_polygons(c->b));
    if (c->has_duplicates && !begin_table(c, SEEN_START, 0)) {
        return tmb_fail_memory(c->query->context, "the set of polygon pairs");
    }
    return TUMBLE_OK;
}

static void *append(tmb_collider *c, tmb_buffer *buffer, size_t *stored, size_t size, const char *what)
{
    if (!tmb_buffer_reserve(c->query->context, buffer, *stored + 1, size, *stored * size)) {
        c->status = tmb_fail_memory(c->query->context, what);
        return NULL;
    }
    return (char *)buffer->data + size * (*stored)++;
}

static void deliver(tmb_collider *c)
{
    const tumble_collide_options *o = c->options;
    const size_t pairs = c->stored_pairs - c->delivered_pairs;
    const size_t contacts = c->stored_contacts - c->delivered_contacts;
    if (!o->callback || pairs + contacts == 0) {
        return;
    }
    const tumble_pair *first_pair = (const tumble_pair *)c->query->pairs.data + c->delivered_pairs;
    const tumble_contact *first_contact =
        contacts ? (const tumble_contact *)c->query->contacts.data + c->delivered_contacts : NULL;
    if (o->callback(o->callback_user, pairs ? first_pair : NULL, pairs, first_contact, contacts)) {
        c->status = tmb_fail(c->query->context, TUMBLE_ERROR_CANCELLED, "the query was stopped by its callback");
    }
    if (!c->keep_delivered) {
        c->stored_pairs = c->stored_contacts = 0;
    }
    c->delivered_pairs = c->stored_pairs;
    c->delivered_contacts = c->stored_contacts;
}

static void add_contact(tmb_collider *c, tumble_pair pair, double corners_a[3][3], double corners_b[3][3])
{
    c->contact_count++;
    if (!c->keep_contacts) {
        return;
    }
    tumble_contact *contact =
        append(c, &c->query->contacts, &c->stored_contacts, sizeof *contact, "the contacts of a query");
    if (!contact) {
        return;
    }
    *contact = (tumble_contact){.polygon_a = pair.polygon_a, .polygon_b = pair.polygon_b};
    double points[2][3];
    contact->coplanar =
        (uint32_t)tmb_triangles_segment((const double(*)[3])corners_a, (const double(*)[3])corners_b, points);
    for (int i = 0; i < 2; i++) {
        if (c->has_pose_a) {
            tumble_pose_apply(&c->pose_a, points[i], contact->points[i]);
        } else {
            memcpy(contact->points[i], points[i], sizeof points[i]);
        }
    }
}

int tmb_results_add(tmb_collider *c, uint32_t ta, uint32_t tb, double corners_a[3][3], double corners_b[3][3])
{
    const tumble_pair pair = {tmb_model_polygon(c->a, ta), tmb_model_polygon(c->b, tb)};
    if (!c->collide) {
        c->collide = 1;
        c->first = pair;
    }
    if (is_new_pair(c, pair_key(pair.polygon_a, pair.polygon_b))) {
        c->pair_count++;
        tumble_pair *stored =
            c->keep_pairs ? append(c, &c->query->pairs, &c->stored_pairs, sizeof *stored, "the pairs of a query")
                          : NULL;
        if (stored) {
            *stored = pair;
        }
    }
    if (c->want_contacts && c->status == TUMBLE_OK) {
        add_contact(c, pair, corners_a, corners_b);
    }
    if (c->status == TUMBLE_OK &&
        (c->stored_pairs - c->delivered_pairs >= BATCH || c->stored_contacts - c->delivered_contacts >= BATCH)) {
        deliver(c);
    }
    return c->status != TUMBLE_OK || c->options->mode != TUMBLE_COLLIDE_ALL;
}

/* ---- Into the caller's arrays, sorted ---- */

static tmb_sort_item *sorted_items(tmb_collider *c, size_t count)
{
    if (!tmb_buffer_reserve(c->query->context, &c->query->sort, 2 * count, sizeof(tmb_sort_item), 0)) {
        c->status = tmb_fail_memory(c->query->context, "sorting the results of a query");
        return NULL;
    }
    return c->query->sort.data;
}

static size_t least_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void copy_pairs(tmb_collider *c)
{
    tmb_sort_item *items = sorted_items(c, c->stored_pairs);
    const tumble_pair *pairs = c->query->pairs.data;
    for (size_t i = 0; items && i < c->stored_pairs; i++) {
        items[i] = (tmb_sort_item){pair_key(pairs[i].polygon_a, pairs[i].polygon_b), 0};
    }
    if (!items) {
        return;
    }
    items = tmb_sort(items, items + c->stored_pairs, c->stored_pairs);
    for (size_t i = 0; i < least_size(c->stored_pairs, c->options->pair_capacity); i++) {
        c->options->pairs[i] = (tumble_pair){(uint32_t)(items[i].key >> 32), (uint32_t)items[i].key};
    }
}

static int contact_before(const tumble_contact *a, const tumble_contact *b)
{
    for (int i = 0; i < 6; i++) {
        if (a->points[i / 3][i % 3] != b->points[i / 3][i % 3]) {
            return a->points[i / 3][i % 3] < b->points[i / 3][i % 3];
        }
    }
    return a->coplanar < b->coplanar;
}

/* Merge sort of contacts of one polygon pair by their points; large polygons can have many. */
static void sort_by_points(const tumble_contact *contacts, tmb_sort_item *items, tmb_sort_item *scratch, size_t count)
{
    if (count < 2) {
        return;
    }
    const size_t half = count / 2;
    sort_by_points(contacts, items, scratch, half);
    sort_by_points(contacts, items + half, scratch, count - half);
    size_t left = 0, right = half;
    memcpy(scratch, items, half * sizeof *items);
    for (size_t at = 0; left < half; at++) {
        const int take_right =
            right < count && contact_before(&contacts[items[right].value], &contacts[scratch[left].value]);
        items[at] = take_right ? items[right++] : scratch[left++];
    }
}

static void sort_ties(const tumble_contact *contacts, tmb_sort_item *items, tmb_sort_item *scratch, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && items[end].key == items[begin].key; end++) {
        }
        sort_by_points(contacts, items + begin, scratch, end - begin);
    }
}

static void copy_contacts(tmb_collider *c)
{
    tmb_sort_item *room = sorted_items(c, c->stored_contacts), *items = room;
    const tumble_contact *contacts = c->query->contacts.data;
    for (size_t i = 0; items && i < c->stored_contacts; i++) {
        items[i] = (tmb_sort_item){pair_key(contacts[i].polygon_a, contacts[i].polygon_b), i};
    }
    if (!items) {
        return;
    }
    items = tmb_sort(room, room + c->stored_contacts, c->stored_contacts);
    sort_ties(contacts, items, items == room ? room + c->stored_contacts : room, c->stored_contacts);
    for (size_t i = 0; i < least_size(c->stored_contacts, c->options->contact_capacity); i++) {
        c->options->contacts[i] = contacts[items[i].value];
    }
}

tumble_status tmb_results_end(tmb_collider *c)
{
    if (c->status == TUMBLE_OK) {
        deliver(c);
    }
    if (c->options->pairs && c->stored_pairs) {
        copy_pairs(c);
    }
    if (c->options->contacts && c->stored_contacts) {
        copy_contacts(c);
    }
    return c->status;
}
