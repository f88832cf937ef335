/* Hits of pairs of triangles become pairs of polygons: made unique, stored, delivered, sorted. */
#include <string.h>

#include "base/assert.h"
#include "base/sort.h"
#include "collide/collider.h"
#include "prim/triangle.h"
#include "prim/triangle_distance.h"
#include "self/polygons.h"

#define BATCH 256

tumble_status tmb_self_results_begin(tmb_self *self)
{
    const tumble_self_options *o = self->options;
    const int lists = o->mode == TUMBLE_FIRST || o->mode == TUMBLE_ALL;
    self->want_kinds = lists;
    self->want_contacts = lists && (o->want_contacts || o->contact_capacity);
    self->want_hits = lists || self->one || self->has_large;
    self->keep_pairs = lists && (o->pair_capacity || !o->callback);
    self->keep_contacts = self->want_contacts && (o->contact_capacity || !o->callback);
    if (self->has_large && !tmb_pair_set_begin(self->query->context, &self->seen, &self->scratch->seen)) {
        return tmb_fail_memory(self->query->context, "the set of polygon pairs");
    }
    return TUMBLE_OK;
}

/* ---- Delivery ---- */

static void deliver(tmb_self *self)
{
    const tumble_self_options *o = self->options;
    const size_t pair_count = self->pairs_stored - self->pairs_delivered;
    const size_t contact_count = self->contacts_stored - self->contacts_delivered;
    if (pair_count || contact_count) {
        const tumble_self_pair *pairs = self->scratch->pairs.data;
        const tumble_contact *contacts = self->scratch->contacts.data;
        pairs = pair_count ? pairs + self->pairs_delivered : NULL;
        contacts = contact_count ? contacts + self->contacts_delivered : NULL;
        if (o->callback(o->callback_user, pairs, pair_count, contacts, contact_count)) {
            self->status =
                tmb_fail(self->query->context, TUMBLE_ERROR_CANCELLED, "the query was stopped by its callback");
        }
    }
    self->pairs_stored = self->keep_pairs ? self->pairs_stored : 0;
    self->contacts_stored = self->keep_contacts ? self->contacts_stored : 0;
    self->pairs_delivered = self->pairs_stored;
    self->contacts_delivered = self->contacts_stored;
}

static void deliver_if_many(tmb_self *self)
{
    const size_t waiting =
        self->pairs_stored - self->pairs_delivered + self->contacts_stored - self->contacts_delivered;
    if (self->options->callback && self->status == TUMBLE_OK && waiting >= BATCH) {
        deliver(self);
    }
}

/* ---- Hits ---- */

static void add_pair(tmb_self *self, const tumble_self_pair *pair)
{
    self->pair_count++;
    if (!self->collide) {
        self->collide = 1;
        self->first = *pair;
    }
    if (self->want_kinds &&
        !tmb_buffer_append(self->query->context, &self->scratch->pairs, &self->pairs_stored, pair, 1, sizeof *pair)) {
        self->status = tmb_fail_memory(self->query->context, "the pairs of a query");
    }
}

static void add_contact(tmb_self *self, const tmb_self_hit *hit, const tumble_self_pair *pair)
{
    double a[3][3], b[3][3];
    tumble_contact contact = {.polygon_a = pair->polygon_a, .polygon_b = pair->polygon_b};
    tmb_model_corners(self->model, hit->a, a);
    tmb_model_corners(self->model, hit->b, b);
    tmb_self_contact(self, (const double(*)[3])a, (const double(*)[3])b, &contact);
    self->contact_count++;
    if (!tmb_buffer_append(self->query->context, &self->scratch->contacts, &self->contacts_stored, &contact, 1,
                           sizeof contact)) {
        self->status = tmb_fail_memory(self->query->context, "the contacts of a query");
    }
}

/* 1: new, 0: known; running out of memory ends the query. */
static int is_new(tmb_self *self, const tumble_self_pair *pair)
{
    if (!self->has_large) {
        return 1;
    }
    const int added =
        tmb_pair_set_add(self->query->context, &self->seen, tmb_polygon_key(pair->polygon_a, pair->polygon_b));
    if (added < 0) {
        self->status = tmb_fail_memory(self->query->context, "the set of polygon pairs");
    }
    return added > 0;
}

/* Of polygons with several triangles, the kind is that of all of them. */
static void set_kind(tmb_self *self, tumble_self_pair *pair)
{
    if (!self->has_large || !self->want_kinds) {
        return;
    }
    pair->kind = tmb_self_polygon_kind(self, pair->polygon_a, pair->polygon_b);
    if (pair->kind == 0) {
        self->status = tmb_fail_memory(self->query->context, "the arithmetic of a query");
    }
}

static void take(tmb_self *self, const tmb_self_hit *hit)
{
    tumble_self_pair pair = {tmb_model_polygon(self->model, hit->a), tmb_model_polygon(self->model, hit->b), hit->kind};
    TMB_ASSERT(pair.polygon_a < pair.polygon_b);
    if (is_new(self, &pair)) {
        set_kind(self, &pair);
        add_pair(self, &pair);
    }
    if (self->want_contacts && self->status == TUMBLE_OK) {
        add_contact(self, hit, &pair);
    }
    deliver_if_many(self);
}

void tmb_self_results_take(tmb_self *self, tmb_self_part *part)
{
    const tmb_self_hit *hits = part->hits.data;
    if (part->failed) {
        self->status = tmb_fail_memory(self->query->context, "the hits of a query");
        return;
    }
    for (size_t i = 0; i < part->hit_count && self->status == TUMBLE_OK; i++) {
        take(self, &hits[i]);
    }
    if (!self->want_hits && part->found > 0) {
        self->first = self->collide ? self->first : part->first;
        self->pair_count += part->found;
        self->collide = 1;
    }
}

/* ---- The end ---- */

/* Room for items, twice, and for the sorted results. */
static tmb_sort_item *sort_room(tmb_self *self, size_t count, tmb_buffer *sorted, size_t size)
{
    tumble_context *context = self->query->context;
    if (!tmb_buffer_reserve(context, &self->scratch->sort, 2 * count, sizeof(tmb_sort_item), 0) ||
        !tmb_buffer_reserve(context, sorted, count, size, 0)) {
        self->status = tmb_fail_memory(context, "sorting the results of a query");
        return NULL;
    }
    return self->scratch->sort.data;
}

static void sort_pairs(tmb_self *self)
{
    const size_t count = self->pairs_stored;
    const tumble_self_pair *pairs = self->scratch->pairs.data;
    tmb_sort_item *items = sort_room(self, count, &self->scratch->sorted_pairs, sizeof *pairs);
    if (!items) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = (tmb_sort_item){tmb_polygon_key(pairs[i].polygon_a, pairs[i].polygon_b), i};
    }
    items = tmb_sort(items, items + count, count);
    tumble_self_pair *sorted = self->scratch->sorted_pairs.data;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = pairs[items[i].value];
    }
}

static void sort_contacts(tmb_self *self)
{
    const size_t count = self->contacts_stored;
    const tumble_contact *contacts = self->scratch->contacts.data;
    tmb_sort_item *items = sort_room(self, count, &self->scratch->sorted_contacts, sizeof *contacts);
    if (!items) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] = tmb_contact_item(&contacts[i]);
    }
    items = tmb_sort_contacts(items, items + count, count);
    tumble_contact *sorted = self->scratch->sorted_contacts.data;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = *tmb_contact_of(&items[i]);
    }
}

static void copy_out(void *array, const tmb_buffer *results, size_t stored, size_t capacity, size_t size)
{
    const size_t count = stored < capacity ? stored : capacity;
    if (count) {
        memcpy(array, results->data, count * size);
    }
}

void tmb_self_results_end(tmb_self *self)
{
    const tumble_self_options *o = self->options;
    if (o->callback && self->want_kinds) {
        deliver(self);
    }
    if (self->status == TUMBLE_OK && self->keep_pairs) {
        sort_pairs(self);
        copy_out(o->pairs, &self->scratch->sorted_pairs, self->pairs_stored, o->pair_capacity, sizeof *o->pairs);
    }
    if (self->status == TUMBLE_OK && self->keep_contacts) {
        sort_contacts(self);
        copy_out(o->contacts, &self->scratch->sorted_contacts, self->contacts_stored, o->contact_capacity,
                 sizeof *o->contacts);
    }
}
