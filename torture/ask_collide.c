/* tumble_collide in all modes, with and without clearance, against the truth. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

/* What came back: lists in the numbers of the shapes, copied from the views or collected by the callbacks. */
typedef struct reply {
    tumble_status status;
    tumble_collide_result result;
    tumble_pair *pairs;
    tumble_contact *contacts;
    tumble_surface_pair *surfaces;
    size_t pair_count, contact_count, surface_count;
    uint32_t stop_at, calls;
    int has_stopped;
    tumble_pair array[64];
} reply;

static void *grown(void *memory, size_t count, size_t more, size_t size)
{
    void *bigger = realloc(memory, (count + more + 1) * size);
    if (!bigger) {
        abort();
    }
    return bigger;
}

static void append_pairs(reply *r, const tumble_pair *pairs, size_t count)
{
    if (count) {
        r->pairs = grown(r->pairs, r->pair_count, count, sizeof *pairs);
        memcpy(r->pairs + r->pair_count, pairs, count * sizeof *pairs);
        r->pair_count += count;
    }
}

static void append_contacts(reply *r, const tumble_contact *contacts, size_t count)
{
    if (count) {
        r->contacts = grown(r->contacts, r->contact_count, count, sizeof *contacts);
        memcpy(r->contacts + r->contact_count, contacts, count * sizeof *contacts);
        r->contact_count += count;
    }
}

static void append_surfaces(reply *r, const tumble_surface_pair *pairs, size_t count)
{
    if (count) {
        r->surfaces = grown(r->surfaces, r->surface_count, count, sizeof *pairs);
        memcpy(r->surfaces + r->surface_count, pairs, count * sizeof *pairs);
        r->surface_count += count;
    }
}

static bool on_results(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                       size_t contact_count)
{
    reply *r = user;
    append_pairs(r, pairs, pair_count);
    append_contacts(r, contacts, contact_count);
    r->has_stopped = ++r->calls == r->stop_at;
    return r->has_stopped;
}

static void free_reply(reply *r)
{
    free(r->pairs);
    free(r->contacts);
    free(r->surfaces);
    memset(r, 0, sizeof *r);
}

/* ---- Asking ---- */

static tumble_collide_options options_of(const torture_question *q, reply *r)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = q->mode;
    options.clearance = q->kind == TORTURE_ASK_RADIUS ? q->rest : q->clearance.value;
    options.coherence = q->coherence;
    options.want_contacts = q->want_contacts;
    options.want_surfaces = q->want_surfaces;
    options.tuning = q->tuned ? &q->tuning : NULL;
    if (q->has_array) {
        options.pairs = r->array;
        options.pair_capacity = q->capacity < 64 ? q->capacity : 64;
    }
    if (q->has_callback) {
        options.callback = on_results;
        options.callback_user = r;
        r->stop_at = q->stop_at;
    }
    return options;
}

static void slip(const torture_stage *s, const torture_question *q, reply *r)
{
    const int kdop = torture_stage_recipe(s, q, 1)->hierarchy == TUMBLE_HIERARCHY_KDOP;
    if (s->world->slip == TORTURE_SLIP_PAIR && kdop && r->pair_count > 0 && q->mode == TUMBLE_ALL) {
        r->pair_count--;
    }
    if (s->world->slip == TORTURE_SLIP_CRASH && kdop && r->result.pair_count >= 2) {
        abort();
    }
    while (s->world->slip == TORTURE_SLIP_HANG && kdop && r->result.pair_count >= 2) {
        continue;
    }
}

static void renumber(const torture_stage *s, const torture_question *q, reply *r)
{
    const torture_recipe *a = torture_stage_recipe(s, q, 0), *b = torture_stage_recipe(s, q, 1);
    for (size_t i = 0; i < r->pair_count; i++) {
        r->pairs[i].polygon_a = torture_shape_polygon(a, r->pairs[i].polygon_a);
        r->pairs[i].polygon_b = torture_shape_polygon(b, r->pairs[i].polygon_b);
    }
    for (size_t i = 0; i < r->contact_count; i++) {
        r->contacts[i].polygon_a = torture_shape_polygon(a, r->contacts[i].polygon_a);
        r->contacts[i].polygon_b = torture_shape_polygon(b, r->contacts[i].polygon_b);
    }
    for (size_t i = 0; i < r->surface_count; i++) {
        r->surfaces[i].polygon_a = torture_shape_polygon(a, r->surfaces[i].polygon_a);
        r->surfaces[i].polygon_b = torture_shape_polygon(b, r->surfaces[i].polygon_b);
    }
    for (size_t i = 0; i < 64; i++) {
        r->array[i].polygon_a = torture_shape_polygon(a, r->array[i].polygon_a);
        r->array[i].polygon_b = torture_shape_polygon(b, r->array[i].polygon_b);
    }
    r->result.first.polygon_a = torture_shape_polygon(a, r->result.first.polygon_a);
    r->result.first.polygon_b = torture_shape_polygon(b, r->result.first.polygon_b);
}

static void ask(torture_stage *s, const torture_question *q, tumble_query *query, const tumble_model *a,
                const tumble_model *b, void *out)
{
    reply *r = out;
    const torture_case *c = s->c;
    memset(r, 0, sizeof *r);
    const tumble_collide_options options = options_of(q, r);
    r->status =
        tumble_collide(query, a, torture_pose(c, q->pose, 0), b, torture_pose(c, q->pose, 1), &options, &r->result);
    if (r->status == TUMBLE_OK && !q->has_callback) {
        append_pairs(r, r->result.pairs, r->result.pairs ? r->result.pair_count : 0);
        append_contacts(r, r->result.contacts, r->result.contacts ? r->result.contact_count : 0);
    }
    if (r->status == TUMBLE_OK) {
        append_surfaces(r, r->result.surface_pairs, r->result.surface_pairs ? r->result.surface_pair_count : 0);
        slip(s, q, r);
    }
}

/* ---- Checking ---- */

static int compare_pairs(const void *x, const void *y)
{
    const tumble_pair *p = x, *q = y;
    if (p->polygon_a != q->polygon_a) {
        return p->polygon_a < q->polygon_a ? -1 : 1;
    }
    return (p->polygon_b > q->polygon_b) - (p->polygon_b < q->polygon_b);
}

typedef struct expectation {
    const tumble_pair *pairs;
    size_t count;
} expectation;

static int check_list(torture_stage *s, const torture_question *q, reply *r, const expectation *e)
{
    if (q->has_callback) {
        qsort(r->pairs, r->pair_count, sizeof *r->pairs, compare_pairs);
    }
    for (size_t i = 0; i < r->pair_count || i < e->count; i++) {
        const int order = i == r->pair_count ? 1 : i == e->count ? -1 : compare_pairs(&r->pairs[i], &e->pairs[i]);
        if (order != 0) {
            const tumble_pair *odd = order < 0 ? &r->pairs[i] : &e->pairs[i];
            return torture_wrong(s, "%zu pairs instead of %zu: (%u, %u) is %s", r->pair_count, e->count, odd->polygon_a,
                                 odd->polygon_b, order < 0 ? "no pair" : "missing");
        }
    }
    const size_t stored = q->has_array ? (q->capacity < e->count ? q->capacity : e->count) : 0;
    if (stored && memcmp(r->array, e->pairs, (stored < 64 ? stored : 64) * sizeof *e->pairs) != 0) {
        return torture_wrong(s, "the array has other pairs than the view");
    }
    return 1;
}

static int check_subset(torture_stage *s, const reply *r, const expectation *e)
{
    for (size_t i = 0; i < r->pair_count; i++) {
        if (torture_find_pair(e->pairs, e->count, r->pairs[i]) == e->count) {
            return torture_wrong(s, "(%u, %u) was reported and is no pair", r->pairs[i].polygon_a,
                                 r->pairs[i].polygon_b);
        }
    }
    return 1;
}

/* The pairs of surfaces of all pairs, one by one; there are few. */
static size_t list_surfaces(const torture_stage *s, const expectation *e, tumble_pair *list)
{
    size_t count = 0;
    for (size_t i = 0; i < e->count; i++) {
        const tumble_pair ids = {s->c->shapes[0].polygons[e->pairs[i].polygon_a].surface,
                                 s->c->shapes[1].polygons[e->pairs[i].polygon_b].surface};
        size_t at = 0;
        while (at < count && compare_pairs(&list[at], &ids) != 0) {
            at++;
        }
        if (at == count) {
            list[count++] = ids;
        }
    }
    qsort(list, count, sizeof *list, compare_pairs);
    return count;
}

static int check_surfaces(torture_stage *s, const reply *r, const expectation *e)
{
    tumble_pair list[64];
    const size_t count = list_surfaces(s, e, list);
    if (r->surface_count != count || r->result.surface_pair_count != count) {
        return torture_wrong(s, "%zu pairs of surfaces instead of %zu", r->surface_count, count);
    }
    for (size_t i = 0; i < count; i++) {
        const tumble_surface_pair *found = &r->surfaces[i];
        const tumble_pair pair = {found->polygon_a, found->polygon_b};
        if (found->surface_a != list[i].polygon_a || found->surface_b != list[i].polygon_b) {
            return torture_wrong(s, "the pair of surfaces (%u, %u) instead of (%u, %u)", found->surface_a,
                                 found->surface_b, list[i].polygon_a, list[i].polygon_b);
        }
        if (torture_find_pair(e->pairs, e->count, pair) == e->count ||
            s->c->shapes[0].polygons[pair.polygon_a].surface != found->surface_a ||
            s->c->shapes[1].polygons[pair.polygon_b].surface != found->surface_b) {
            return torture_wrong(s, "(%u, %u) stands for two surfaces without being a pair of them", pair.polygon_a,
                                 pair.polygon_b);
        }
    }
    return 1;
}

/* ---- Contacts ---- */

static int compare_contacts(const void *x, const void *y)
{
    return memcmp(x, y, sizeof(tumble_contact));
}

static int is_sorted(const reply *r)
{
    for (size_t i = 1; i < r->contact_count; i++) {
        const tumble_contact *x = &r->contacts[i - 1], *y = &r->contacts[i];
        if (x->polygon_a > y->polygon_a || (x->polygon_a == y->polygon_a && x->polygon_b > y->polygon_b)) {
            return 0;
        }
    }
    return 1;
}

static void set_tolerance(const double a[3][3], const double b[3][3], double tolerance[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double largest = 0;
        for (int i = 0; i < 3; i++) {
            largest = fmax(largest, fmax(fabs(a[i][axis]), fabs(b[i][axis])));
        }
        tolerance[axis] = 2 * (largest * 0x1p-52) + 2 * 0x1p-1074;
    }
}

/* Without a pose of A, against the two triangles; polygons of several triangles are left out. */
static int check_contact(torture_stage *s, const torture_question *q, const tumble_contact *contact)
{
    torture_truth *t = torture_stage_truth(s, q->pose);
    const size_t a = contact->polygon_a, b = contact->polygon_b;
    const int meets = torture_truth_meets(t, a, b);
    if (contact->apart != (uint32_t)!meets) {
        return torture_wrong(s, "the contact of (%zu, %zu) has apart = %u", a, b, contact->apart);
    }
    if (!meets) {
        return 1;
    }
    const double(*x)[3] = (const double(*)[3])torture_truth_triangles(t, 0)->corners[a];
    const double(*y)[3] = (const double(*)[3])torture_truth_triangles(t, 1)->corners[b];
    double tolerance[3];
    set_tolerance(x, y, tolerance);
    const char *wrong =
        oracle_check_contact(s->world->oracle, x, y, (int)contact->coplanar, contact->points, tolerance);
    return wrong ? torture_wrong(s, "the contact of (%zu, %zu): %s", a, b, wrong) : 1;
}

/* The contacts that models without hierarchy give, in their order; NULL when they give other numbers of them. */
static tumble_contact *ask_plain(torture_stage *s, const torture_question *q, size_t count)
{
    torture_question plain = *q;
    reply other;
    plain.tuned = plain.has_array = plain.has_callback = plain.want_surfaces = 0;
    plain.mode = TUMBLE_ALL;
    ask(s, &plain, s->queries[0], s->plain[0].model, s->plain[1].model, &other);
    if (other.status != TUMBLE_OK || other.contact_count != count) {
        free_reply(&other);
        return NULL;
    }
    tumble_contact *contacts = other.contacts;
    other.contacts = NULL;
    free_reply(&other);
    return contacts;
}

static int verify_contacts(torture_stage *s, const torture_question *q, const tumble_contact *contacts, size_t count)
{
    const int simple = torture_only_triangles(&s->c->shapes[0]) && torture_only_triangles(&s->c->shapes[1]);
    for (size_t i = 0; i < count && i < 8 && simple && !s->c->has_pose[q->pose][0]; i++) {
        if (!check_contact(s, q, &contacts[i])) {
            return 0;
        }
    }
    return 1;
}

/* To the bit, and in the same order, ties by their points, unless they came by callback. */
static int same_contacts(const torture_question *q, reply *r, const tumble_contact *contacts, size_t count)
{
    if (!q->has_callback) {
        return memcmp(r->contacts, contacts, count * sizeof *contacts) == 0;
    }
    tumble_contact *sorted = grown(NULL, count, 0, sizeof *sorted);
    memcpy(sorted, contacts, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_contacts);
    qsort(r->contacts, count, sizeof *r->contacts, compare_contacts);
    const int same = memcmp(r->contacts, sorted, count * sizeof *sorted) == 0;
    free(sorted);
    return same;
}

/* All contacts are those that models without hierarchy give. Those without clearance are kept, as they are asked for
 * often. */
static int compare_with_plain(torture_stage *s, const torture_question *q, reply *r, long double limit)
{
    const size_t count = r->contact_count;
    const int keeps = limit == 0;
    tumble_contact *contacts = keeps ? s->contacts[q->pose] : NULL;
    if (!keeps || !s->knows_contacts[q->pose]) {
        contacts = ask_plain(s, q, count);
        if (keeps) {
            s->contacts[q->pose] = contacts;
            s->knows_contacts[q->pose] = 1;
        }
        if (contacts && !verify_contacts(s, q, contacts, count)) {
            return 0;
        }
    }
    int right = count == 0;
    if (contacts) {
        right = same_contacts(q, r, contacts, count);
    }
    if (!keeps) {
        free(contacts);
    }
    return right || torture_wrong(s, "the contacts differ from those of models without a hierarchy");
}

static int check_contacts(torture_stage *s, const torture_question *q, reply *r, long double limit)
{
    const size_t count = torture_truth_triangle_pairs(torture_stage_truth(s, q->pose), limit);
    if (r->contact_count != count || r->result.contact_count != count) {
        return torture_wrong(s, "%zu contacts instead of %zu", r->contact_count, count);
    }
    if (!q->has_callback && !is_sorted(r)) {
        return torture_wrong(s, "the contacts are not in order");
    }
    return compare_with_plain(s, q, r, limit);
}

/* ---- All together ---- */

static int check_first(torture_stage *s, const reply *r, const expectation *e)
{
    if (r->result.collide != (e->count > 0)) {
        return torture_wrong(s, "collide is %d, and %zu pairs meet", r->result.collide, e->count);
    }
    if (r->result.collide && torture_find_pair(e->pairs, e->count, r->result.first) == e->count) {
        return torture_wrong(s, "the first pair (%u, %u) is no pair", r->result.first.polygon_a,
                             r->result.first.polygon_b);
    }
    return 1;
}

static int check_count(torture_stage *s, const torture_question *q, const reply *r, const expectation *e)
{
    const int one = q->mode == TUMBLE_TEST || q->mode == TUMBLE_FIRST;
    const uint64_t expected = one ? e->count > 0 : e->count;
    if (q->mode != TUMBLE_SURFACES && r->result.pair_count != expected &&
        !(q->mode == TUMBLE_TEST && r->result.pair_count == 0)) {
        return torture_wrong(s, "pair_count is %llu instead of %llu", (unsigned long long)r->result.pair_count,
                             (unsigned long long)expected);
    }
    return 1;
}

static int check_reply(torture_stage *s, const torture_question *q, reply *r, long double limit)
{
    expectation e;
    tumble_pair *pairs = torture_truth_pairs(torture_stage_truth(s, q->pose), limit, &e.count);
    e.pairs = pairs;
    int right;
    if (r->has_stopped) {
        right = check_subset(s, r, &e);
    } else {
        right = check_first(s, r, &e) && check_count(s, q, r, &e) && check_subset(s, r, &e);
        if (right && q->mode == TUMBLE_ALL) {
            right = check_list(s, q, r, &e) && (!q->want_surfaces || check_surfaces(s, r, &e)) &&
                    (!q->want_contacts || check_contacts(s, q, r, limit));
        } else if (right && q->mode == TUMBLE_SURFACES) {
            right = check_surfaces(s, r, &e);
        }
    }
    free(pairs);
    return right;
}

static int wants_contacts(const torture_question *q)
{
    return q->want_contacts && q->mode != TUMBLE_TEST && q->mode != TUMBLE_COUNT;
}

static int check(torture_stage *s, const torture_question *q, reply *r, long double limit)
{
    const int contacts = wants_contacts(q);
    renumber(s, q, r);
    if (r->has_stopped) {
        return r->status == TUMBLE_ERROR_CANCELLED
                   ? check_reply(s, q, r, limit)
                   : torture_wrong(s, "%s after the callback stopped", tumble_status_name(r->status));
    }
    return torture_check_status(s, q, r->status, contacts, contacts && limit > 0) ? check_reply(s, q, r, limit)
                                                                                  : !s->wrong[0];
}

int torture_ask_collide(torture_stage *s, torture_question *q)
{
    reply replies[TORTURE_THREADS];
    const double sum =
        q->kind == TORTURE_ASK_RADIUS ? torture_radii_of(s, q).sum : torture_limit_value(s, q, &q->clearance);
    const long double limit = torture_limit_in_a(s, q, sum);
    if (!torture_ask_on_threads(s, q, ask, replies, sizeof *replies)) {
        return 0;
    }
    int right = 1;
    for (uint32_t i = 0; i < q->threads; i++) {
        right = right && check(s, q, &replies[i], limit);
        free_reply(&replies[i]);
    }
    return right;
}
