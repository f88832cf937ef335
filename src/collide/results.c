/* Where hits go: counted, made unique, stored, handed to a callback, sorted into the caller's arrays. */
#include <string.h>

#include "base/assert.h"
#include "base/sort.h"
#include "collide/collider.h"
#include "math/pose.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_distance.h"

#define BATCH 256

/* ---- What is asked for ---- */

/* Results of a kind are kept until the end for an array, and for a view unless a callback gets them. */
static tmb_result_list list_for(int wanted, size_t capacity, int has_callback, int wants_views)
{
    const int keeps = wanted && (capacity || (wants_views && !has_callback));
    return (tmb_result_list){.keep = wanted && (keeps || has_callback), .keep_delivered = keeps};
}

static void begin_lists(tmb_collider *c)
{
    const tumble_collide_options *o = c->options;
    const int lists = o->mode != TUMBLE_TEST && o->mode != TUMBLE_COUNT;
    c->want_contacts = lists && (o->want_contacts || o->contact_capacity);
    c->want_surfaces =
        lists && (o->want_surfaces || o->surface_pair_capacity || o->surface_callback || o->mode == TUMBLE_SURFACES);
    c->pairs = list_for(lists, o->pair_capacity, o->callback != NULL, c->wants_views);
    c->contacts = list_for(c->want_contacts, o->contact_capacity, o->callback != NULL, c->wants_views);
    c->surfaces = list_for(c->want_surfaces, o->surface_pair_capacity, o->surface_callback != NULL, c->wants_views);
    c->batch = o->callback || o->surface_callback ? BATCH : SIZE_MAX;
}

tumble_status tmb_results_begin(tmb_collider *c)
{
    const tumble_mode mode = c->options->mode;
    const int many_surfaces = c->encounter.a->surfaces || c->encounter.b->surfaces;
    begin_lists(c);
    c->by_surface = mode == TUMBLE_SURFACES && many_surfaces;
    c->one = mode == TUMBLE_FIRST || mode == TUMBLE_TEST || (mode == TUMBLE_SURFACES && !many_surfaces);
    c->has_duplicates = (mode == TUMBLE_ALL || mode == TUMBLE_COUNT) &&
                        (tmb_model_has_large_polygons(c->encounter.a) || tmb_model_has_large_polygons(c->encounter.b));
    tumble_context *context = c->encounter.query->context;
    if (c->has_duplicates && !tmb_pair_set_begin(context, &c->seen, &c->scratch->seen)) {
        return tmb_fail_memory(context, "the set of polygon pairs");
    }
    if (c->by_surface) {
        tmb_cluster_surfaces_begin(c->scratch);
    }
    if (c->want_surfaces && !tmb_pair_set_begin(context, &c->seen_surfaces, &c->scratch->seen_surfaces)) {
        return tmb_fail_memory(context, "the set of surface pairs");
    }
    return TUMBLE_OK;
}

/* ---- Storing and delivering ---- */

/* 1: new, 0: known; running out of memory ends the query. */
static int is_new(tmb_collider *c, tmb_pair_set *set, uint64_t key, const char *what)
{
    const int added = tmb_pair_set_add(c->encounter.query->context, set, key);
    if (added < 0) {
        c->encounter.status = tmb_fail_memory(c->encounter.query->context, what);
    }
    return added > 0;
}

static void *append(tmb_collider *c, tmb_buffer *buffer, tmb_result_list *list, size_t size, const char *what)
{
    TMB_ASSERT(size > 0);
    TMB_ASSERT(list->delivered <= list->stored);
    if (!tmb_buffer_reserve(c->encounter.query->context, buffer, list->stored + 1, size, list->stored * size)) {
        c->encounter.status = tmb_fail_memory(c->encounter.query->context, what);
        return NULL;
    }
    c->waiting++;
    return (char *)buffer->data + size * list->stored++;
}

/* Where the results are that no callback has seen, NULL when there are none; *count is how many. */
static const void *undelivered(const tmb_buffer *buffer, const tmb_result_list *list, size_t size, size_t *count)
{
    TMB_ASSERT(list->delivered <= list->stored);
    *count = list->stored - list->delivered;
    return *count ? (const char *)buffer->data + size * list->delivered : NULL;
}

static void set_delivered(tmb_result_list *list)
{
    list->stored = list->keep_delivered ? list->stored : 0;
    list->delivered = list->stored;
}

static void deliver(tmb_collider *c)
{
    const tumble_collide_options *o = c->options;
    size_t pair_count, contact_count, surface_count;
    const tumble_pair *pairs = undelivered(&c->scratch->pairs, &c->pairs, sizeof *pairs, &pair_count);
    const tumble_contact *contacts = undelivered(&c->scratch->contacts, &c->contacts, sizeof *contacts, &contact_count);
    const tumble_surface_pair *surfaces =
        undelivered(&c->scratch->surfaces, &c->surfaces, sizeof *surfaces, &surface_count);
    int stop = 0;
    if (o->callback && (pairs || contacts)) {
        stop = o->callback(o->callback_user, pairs, pair_count, contacts, contact_count);
    }
    if (o->surface_callback && surfaces && !stop) {
        stop = o->surface_callback(o->callback_user, surfaces, surface_count);
    }
    if (stop) {
        c->encounter.status =
            tmb_fail(c->encounter.query->context, TUMBLE_ERROR_CANCELLED, "the query was stopped by its callback");
    }
    set_delivered(&c->pairs);
    set_delivered(&c->contacts);
    set_delivered(&c->surfaces);
    c->waiting = 0;
}

/* Where two triangles meet or, when they are only close, their closest points. */
static void describe_contact(const tmb_collider *c, const double a[3][3], const double b[3][3], tumble_contact *contact,
                             double points[2][3])
{
    if (c->limit > 0) {
        tmb_triangle_distance distance;
        tmb_triangles_distance(a, b, &distance, NULL);
        if (distance.value > 0) {
            memcpy(points, distance.points, sizeof distance.points);
            contact->apart = 1;
            return;
        }
    }
    contact->coplanar = (uint32_t)tmb_triangles_segment(a, b, points);
}

static void add_contact(tmb_collider *c, tumble_pair pair, double corners_a[3][3], double corners_b[3][3])
{
    c->contact_count++;
    if (c->sink.on_contact) {
        c->sink.on_contact(c->sink.user, c, pair, (const double(*)[3])corners_a, (const double(*)[3])corners_b);
        return;
    }
    if (!c->contacts.keep) {
        return;
    }
    tumble_contact *contact =
        append(c, &c->scratch->contacts, &c->contacts, sizeof *contact, "the contacts of a query");
    if (!contact) {
        return;
    }
    *contact = (tumble_contact){.polygon_a = pair.polygon_a, .polygon_b = pair.polygon_b};
    double points[2][3], room[2][3][3];
    const double(*triangles[2])[3] = {(const double(*)[3])corners_a, (const double(*)[3])corners_b};
    const int exponent = tmb_encounter_enlarge(&c->encounter, triangles, room);
    describe_contact(c, triangles[0], triangles[1], contact, points);
    for (int i = 0; i < 2; i++) {
        tmb_encounter_point(&c->encounter, exponent, points[i], contact->points[i]);
    }
}

static void add_pair(tmb_collider *c, tumble_pair pair)
{
    c->pair_count++;
    if (!c->pairs.keep) {
        return;
    }
    tumble_pair *stored = append(c, &c->scratch->pairs, &c->pairs, sizeof *stored, "the pairs of a query");
    if (stored) {
        *stored = pair;
    }
}

/* Whether these surfaces had not been met before. */
static int add_surfaces(tmb_collider *c, tumble_pair pair)
{
    const uint32_t a = tmb_model_surface(c->encounter.a, pair.polygon_a),
                   b = tmb_model_surface(c->encounter.b, pair.polygon_b);
    if (!is_new(c, &c->seen_surfaces, tmb_polygon_key(a, b), "the set of surface pairs")) {
        return 0;
    }
    c->surface_pair_count++;
    if (c->surfaces.keep) {
        tumble_surface_pair *stored =
            append(c, &c->scratch->surfaces, &c->surfaces, sizeof *stored, "the surface pairs of a query");
        if (stored) {
            *stored = (tumble_surface_pair){a, b, pair.polygon_a, pair.polygon_b};
        }
    }
    return 1;
}

int tmb_results_add(tmb_collider *c, uint32_t ta, uint32_t tb, double corners_a[3][3], double corners_b[3][3])
{
    TMB_ASSERT(c->encounter.status == TUMBLE_OK);
    const tumble_pair pair = {tmb_model_polygon(c->encounter.a, ta), tmb_model_polygon(c->encounter.b, tb)};
    if (c->want_surfaces && !add_surfaces(c, pair) && c->by_surface) {
        return c->encounter.status != TUMBLE_OK;
    }
    if (!c->collide) {
        c->collide = 1;
        c->first = pair;
        c->first_triangles[0] = ta;
        c->first_triangles[1] = tb;
    }
    if (!c->has_duplicates ||
        is_new(c, &c->seen, tmb_polygon_key(pair.polygon_a, pair.polygon_b), "the set of polygon pairs")) {
        add_pair(c, pair);
    }
    if (c->want_contacts && c->encounter.status == TUMBLE_OK) {
        add_contact(c, pair, corners_a, corners_b);
    }
    if (c->waiting >= c->batch && c->encounter.status == TUMBLE_OK) {
        deliver(c);
    }
    if (c->sink.on_hit) {
        return c->sink.on_hit(c->sink.user, ta, tb);
    }
    if (tmb_watch_ends(c->encounter.query->watch)) {
        tmb_collider_cancel(c);
    }
    return c->encounter.status != TUMBLE_OK || c->one;
}

void tmb_collider_cancel(tmb_collider *c)
{
    if (c->encounter.status == TUMBLE_OK) {
        const tumble_query *query = c->encounter.query;
        c->encounter.status =
            tmb_fail(query->context, TUMBLE_ERROR_CANCELLED, "%s",
                     query->watch == &query->progress.watch ? "the progress function stopped the query"
                                                            : "the batch was cancelled");
    }
}

/* ---- Sorted, and into the caller's arrays ---- */

static tmb_sort_item *sort_room(tmb_collider *c, size_t count)
{
    if (!tmb_buffer_reserve(c->encounter.query->context, &c->scratch->sort, 2 * count, sizeof(tmb_sort_item), 0)) {
        c->encounter.status = tmb_fail_memory(c->encounter.query->context, "sorting the results of a query");
        return NULL;
    }
    return c->scratch->sort.data;
}

/* Room for as many items, which takes the place of the buffer once they are there in order. */
static void *sorted_room(tmb_collider *c, size_t count, size_t size)
{
    if (!tmb_buffer_reserve(c->encounter.query->context, &c->scratch->sorted, count, size, 0)) {
        c->encounter.status = tmb_fail_memory(c->encounter.query->context, "sorting the results of a query");
        return NULL;
    }
    return c->scratch->sorted.data;
}

static void swap_in(tmb_collider *c, tmb_buffer *buffer)
{
    const tmb_buffer sorted = c->scratch->sorted;
    c->scratch->sorted = *buffer;
    *buffer = sorted;
}

static int sort_pairs(tmb_collider *c)
{
    const size_t count = c->pairs.stored;
    tmb_sort_item *items = sort_room(c, count);
    tumble_pair *pairs = c->scratch->pairs.data;
    if (!items) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = (tmb_sort_item){tmb_polygon_key(pairs[i].polygon_a, pairs[i].polygon_b), 0};
    }
    items = tmb_sort(items, items + count, count);
    for (size_t i = 0; i < count; i++) {
        pairs[i] = (tumble_pair){(uint32_t)(items[i].key >> 32), (uint32_t)items[i].key};
    }
    return 1;
}

static int sort_surfaces(tmb_collider *c)
{
    const size_t count = c->surfaces.stored;
    tmb_sort_item *items = sort_room(c, count);
    const tumble_surface_pair *pairs = c->scratch->surfaces.data;
    tumble_surface_pair *sorted = items ? sorted_room(c, count, sizeof *sorted) : NULL;
    if (!sorted) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = (tmb_sort_item){tmb_polygon_key(pairs[i].surface_a, pairs[i].surface_b), i};
    }
    items = tmb_sort(items, items + count, count);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = pairs[items[i].value];
    }
    swap_in(c, &c->scratch->surfaces);
    return 1;
}

/* Contacts that differ only in the signs of zeros are ordered too, so that the order of traversal never shows. */
static int contact_before(const tumble_contact *a, const tumble_contact *b)
{
    const int order = tmb_compare_numbers(a->points[0], b->points[0], 6);
    if (order != 0) {
        return order < 0;
    }
    if (a->coplanar != b->coplanar) {
        return a->coplanar < b->coplanar;
    }
    return a->apart != b->apart ? a->apart < b->apart : tmb_compare_signs(a->points[0], b->points[0], 6) < 0;
}

/* Merge sort of contacts of one polygon pair by their points; large polygons can have many. */
static void sort_by_points(tmb_sort_item *items, tmb_sort_item *scratch, size_t count)
{
    TMB_ASSERT(items != scratch);
    TMB_ASSERT(count > 0);
    if (count < 2) {
        return;
    }
    const size_t half = count / 2;
    sort_by_points(items, scratch, half);
    sort_by_points(items + half, scratch, count - half);
    size_t left = 0, right = half;
    memcpy(scratch, items, half * sizeof *items);
    for (size_t at = 0; left < half; at++) {
        const int take_right =
            right < count && contact_before(tmb_contact_of(&items[right]), tmb_contact_of(&scratch[left]));
        items[at] = take_right ? items[right++] : scratch[left++];
    }
}

tmb_sort_item *tmb_sort_contacts(tmb_sort_item *room, tmb_sort_item *scratch, size_t count)
{
    TMB_ASSERT(count == 0 || room != scratch);
    tmb_sort_item *items = tmb_sort(room, scratch, count);
    scratch = items == room ? scratch : room;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && items[end].key == items[begin].key; end++) {
        }
        sort_by_points(items + begin, scratch, end - begin);
    }
    return items;
}

static int sort_contacts(tmb_collider *c)
{
    const size_t count = c->contacts.stored;
    tmb_sort_item *room = sort_room(c, count);
    const tumble_contact *contacts = c->scratch->contacts.data;
    tumble_contact *sorted = room ? sorted_room(c, count, sizeof *sorted) : NULL;
    if (!sorted) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        room[i] = tmb_contact_item(&contacts[i]);
    }
    const tmb_sort_item *items = tmb_sort_contacts(room, room + count, count);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = *tmb_contact_of(&items[i]);
    }
    swap_in(c, &c->scratch->contacts);
    return 1;
}

/* Sorts the results of a kind (0: no memory), if they were kept, and copies the first ones to the caller's array. */
static void end_list(tmb_collider *c, const tmb_result_list *list, int (*sort)(tmb_collider *c),
                     const tmb_buffer *buffer, size_t size, void *array, size_t capacity)
{
    if (!list->keep_delivered || !list->stored) {
        return;
    }
    if (list->stored > 1 && !sort(c)) {
        return;
    }
    const size_t count = list->stored < capacity ? list->stored : capacity;
    if (count) {
        memcpy(array, buffer->data, count * size);
    }
}

tumble_status tmb_results_end(tmb_collider *c)
{
    const tumble_collide_options *o = c->options;
    tmb_collide_scratch *scratch = c->scratch;
    if (c->batch == BATCH && c->encounter.status == TUMBLE_OK) {
        deliver(c);
    }
    end_list(c, &c->pairs, sort_pairs, &scratch->pairs, sizeof *o->pairs, o->pairs, o->pair_capacity);
    end_list(c, &c->contacts, sort_contacts, &scratch->contacts, sizeof *o->contacts, o->contacts, o->contact_capacity);
    end_list(c, &c->surfaces, sort_surfaces, &scratch->surfaces, sizeof *o->surface_pairs, o->surface_pairs,
             o->surface_pair_capacity);
    return c->encounter.status;
}
