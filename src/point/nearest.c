/* The candidates of a search for the polygons nearest to a point, and which of them are the nearest.
 *
 * The order is that of the sharp distances, which are rounded, then of the polygons' numbers; it depends on nothing
 * else. A candidate is dropped by its bounds only if it is farther by so much that its sharp distance is larger, too
 * (TMB_POINT_ORDER). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "near/near.h"
#include "point/point.h"

/* ---- The bound ---- */

/* A heap with the largest on top. */
static void sift_down(tmb_point_bound *heap, size_t count, size_t at)
{
    const tmb_point_bound moved = heap[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child + 1].upper > heap[child].upper;
        if (!(heap[child].upper > moved.upper)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void sift_up(tmb_point_bound *heap, size_t at)
{
    const tmb_point_bound moved = heap[at];
    for (; at > 0 && moved.upper > heap[(at - 1) / 2].upper; at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = moved;
}

/* Where a polygon is that has been noted before; `count` if it has not. */
static size_t find_polygon(const tmb_point_search *s, const tmb_point_bound *heap, uint32_t polygon)
{
    size_t at = s->has_large ? 0 : s->bound_count;
    while (at < s->bound_count && heap[at].polygon != polygon) {
        at++;
    }
    return at;
}

void tmb_point_note(tmb_point_search *s, uint32_t polygon, double upper)
{
    if (s->wanted == 1) {
        s->bound = upper < s->bound ? upper : s->bound;
        return;
    }
    tmb_point_bound *heap = s->memory->bounds.data;
    const size_t at = find_polygon(s, heap, polygon);
    if (at < s->bound_count) {
        if (upper < heap[at].upper) {
            heap[at].upper = upper;
            sift_down(heap, s->bound_count, at);
        }
    } else if (s->bound_count < s->wanted) {
        heap[s->bound_count] = (tmb_point_bound){upper, polygon};
        sift_up(heap, s->bound_count++);
    } else if (upper < heap[0].upper) {
        heap[0] = (tmb_point_bound){upper, polygon};
        sift_down(heap, s->bound_count, 0);
    }
    if (s->bound_count == s->wanted && heap[0].upper < s->bound) {
        s->bound = heap[0].upper;
    }
}

/* ---- Candidates ---- */

static void drop_far(tmb_point_search *s)
{
    const float limit = tmb_point_limit(s);
    tmb_point_candidate *all = s->memory->candidates.data;
    size_t count = 0;
    for (size_t i = 0; i < s->candidate_count; i++) {
        all[count] = all[i];
        count += !(all[i].lower > limit);
    }
    s->candidate_count = count;
}

/* Drops what has become too far before it takes more memory. */
static int make_room(tmb_point_search *s)
{
    tmb_buffer *buffer = &s->memory->candidates;
    if ((s->candidate_count + TMB_CLUSTER_TRIANGLES) * sizeof(tmb_point_candidate) <= buffer->capacity) {
        return 1;
    }
    drop_far(s);
    const size_t used = s->candidate_count * sizeof(tmb_point_candidate);
    if (!tmb_buffer_reserve(s->context, buffer, 2 * s->candidate_count + 64, sizeof(tmb_point_candidate), used)) {
        s->status = tmb_fail_memory(s->context, "the search of a query");
        return 0;
    }
    return 1;
}

void tmb_point_add_candidates(tmb_point_search *s, uint32_t cluster, unsigned slots, const float lower[8])
{
    if (!make_room(s)) {
        return;
    }
    tmb_point_candidate *all = s->memory->candidates.data;
    for (const float limit = tmb_point_limit(s); slots; slots &= slots - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctz(slots);
        all[s->candidate_count] = (tmb_point_candidate){tmb_triangle_address(cluster, slot), lower[slot]};
        s->candidate_count += !(lower[slot] > limit);
    }
}

/* ---- Triangles ---- */

/* A triangle that was measured. */
typedef struct measured {
    uint32_t polygon;
    int is_sharp;
    double shift; /* see tmb_point_shift */
    tmb_point_distance fast;
    tmb_triangle_distance sharp;
} measured;

static void sharpen(tmb_point_search *s, measured *m)
{
    unsigned long long exact = 0;
    if (!m->is_sharp) {
        tmb_point_distance_sharp(&m->fast, s->point, &m->sharp, &exact);
        m->is_sharp = 1;
        s->counters.exact_tests += exact;
    }
}

/* 0 if it is too far. */
static int measure(tmb_point_search *s, const tmb_point_candidate *candidate, measured *out)
{
    double corners[3][3];
    if (candidate->lower > tmb_point_limit(s)) {
        return 0;
    }
    tmb_model_corners(s->model, candidate->address, corners);
    tmb_point_distance_fast((const double(*)[3])corners, s->point, &out->fast);
    out->polygon = tmb_model_polygon(s->model, candidate->address);
    out->shift = tmb_point_shift(s, out->polygon);
    out->is_sharp = 0;
    unsigned long long exact = 0;
    const int is_near =
        !(out->fast.lower + out->shift > s->bound) && tmb_point_is_within(s, out->polygon, &out->fast, &exact);
    s->counters.exact_tests += exact;
    return is_near;
}

static void note_measured(tmb_point_search *s, const measured *m)
{
    tmb_point_note(s, m->polygon, (m->fast.upper + m->shift) * (1 + TMB_POINT_ORDER));
}

static int compare_distance(const measured *a, const measured *b)
{
    if (a->shift == b->shift) {
        return tmb_scaled_compare(a->sharp.scaled, b->sharp.scaled);
    }
    const double x = tmb_scaled_nearest(a->sharp.scaled) + a->shift, y = tmb_scaled_nearest(b->sharp.scaled) + b->shift;
    return (x > y) - (x < y);
}

/* By sharp distances, then polygons, then points, bounds and corners, so that nothing depends on the order of the
 * search. */
static int compare_sharp(const measured *a, const measured *b)
{
    const int order = compare_distance(a, b);
    if (order != 0) {
        return order;
    }
    if (a->polygon != b->polygon) {
        return a->polygon < b->polygon ? -1 : 1;
    }
    const int place = tmb_compare_numbers(a->sharp.points[0], b->sharp.points[0], 3);
    const double bounds_a[2] = {a->sharp.lower, a->sharp.upper}, bounds_b[2] = {b->sharp.lower, b->sharp.upper};
    const int order_of_bounds = place ? place : tmb_compare_numbers(bounds_a, bounds_b, 2);
    return order_of_bounds ? order_of_bounds : tmb_point_compare_corners(&a->fast, &b->fast);
}

static int comes_before(tmb_point_search *s, measured *a, measured *b)
{
    const double lower_a = a->fast.lower + a->shift, upper_a = (a->fast.upper + a->shift) * (1 + TMB_POINT_ORDER);
    const double lower_b = b->fast.lower + b->shift, upper_b = (b->fast.upper + b->shift) * (1 + TMB_POINT_ORDER);
    if (upper_a < lower_b || upper_b < lower_a) {
        return upper_a < lower_b;
    }
    if (a->shift == b->shift && tmb_point_features_equal(&a->fast, &b->fast, s->point) && a->polygon != b->polygon) {
        return a->polygon < b->polygon;
    }
    sharpen(s, a);
    sharpen(s, b);
    return compare_sharp(a, b) < 0;
}

/* ---- Results ---- */

/* A bound in the frame of the pose. */
static double told_lower(double lower, double unit)
{
    return unit == 1 ? lower : nextafter(tmb_length_below(lower, unit), 0);
}

static double told_upper(double upper, double unit)
{
    return unit == 1 || upper == 0 ? upper : nextafter(tmb_length_above(upper, unit), INFINITY);
}

static void tell(const tmb_point_search *s, const measured *m, tumble_closest *out)
{
    double b[3][3];
    tumble_near near;
    for (int i = 0; i < 3; i++) {
        memcpy(b[i], s->point, sizeof b[i]);
    }
    tmb_near_tell(s->place, s->unit, m->fast.corners, (const double(*)[3])b, &m->sharp, &near);
    memset(out, 0, sizeof *out); /* also between its members */
    out->polygon = m->polygon;
    out->distance = near.distance;
    out->lower = fmin(told_lower(m->sharp.lower, s->unit), near.distance);
    out->upper = fmax(told_upper(m->sharp.upper, s->unit), near.distance);
    memcpy(out->point, near.point_a, sizeof out->point);
    if (s->thick) {
        tmb_point_thicken(s, &m->fast, near.point_b, out);
    }
}

/* ---- The nearest one ---- */

static size_t settle_one(tmb_point_search *s, tumble_closest *out)
{
    const tmb_point_candidate *all = s->memory->candidates.data;
    measured rooms[2], *best = NULL, *next = &rooms[0];
    for (size_t i = 0; i < s->candidate_count; i++) {
        if (!measure(s, &all[i], next) || (best && !comes_before(s, next, best))) {
            continue;
        }
        best = next;
        next = &rooms[next == &rooms[0]];
        note_measured(s, best);
    }
    if (!best) {
        return 0;
    }
    sharpen(s, best);
    tell(s, best, out);
    return 1;
}

/* ---- Several ---- */

static int compare_polygons(const void *x, const void *y)
{
    const measured *a = x, *b = y;
    return a->polygon != b->polygon ? (a->polygon < b->polygon ? -1 : 1) : compare_sharp(a, b);
}

static int compare_distances(const void *x, const void *y)
{
    return compare_sharp(x, y);
}

/* Of each polygon its nearest triangle; returns how many there are. */
static size_t drop_repeated(measured *all, size_t count)
{
    size_t kept = 0;
    qsort(all, count, sizeof *all, compare_polygons);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || all[kept - 1].polygon != all[i].polygon) {
            all[kept++] = all[i];
        }
    }
    return kept;
}

/* All candidates in doubles. Their bounds take the place of those by floats. */
static size_t measure_all(tmb_point_search *s, measured *out)
{
    const tmb_point_candidate *all = s->memory->candidates.data;
    size_t count = 0;
    s->bound_count = 0;
    for (size_t i = 0; i < s->candidate_count; i++) {
        if (measure(s, &all[i], &out[count])) {
            note_measured(s, &out[count++]);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(out[i].fast.lower + out[i].shift > s->bound)) {
            out[kept] = out[i];
            sharpen(s, &out[kept++]);
        }
    }
    return kept;
}

static size_t settle_many(tmb_point_search *s, tumble_closest *out)
{
    drop_far(s);
    if (!tmb_buffer_reserve(s->context, &s->memory->measured, s->candidate_count + 1, sizeof(measured), 0)) {
        s->status = tmb_fail_memory(s->context, "the search of a query");
        return 0;
    }
    measured *all = s->memory->measured.data;
    size_t count = drop_repeated(all, measure_all(s, all));
    qsort(all, count, sizeof *all, compare_distances);
    count = count < s->wanted ? count : s->wanted;
    for (size_t i = 0; i < count; i++) {
        tell(s, &all[i], &out[i]);
    }
    return count;
}

size_t tmb_point_settle(tmb_point_search *s, tumble_closest *out)
{
    return s->wanted == 1 ? settle_one(s, out) : settle_many(s, out);
}

/* ---- A search ---- */

static int has_room(tmb_point_search *s)
{
    if (s->wanted > 1 && !tmb_buffer_reserve(s->context, &s->memory->bounds, s->wanted, sizeof(tmb_point_bound), 0)) {
        s->status = tmb_fail_memory(s->context, "the search of a query");
    }
    return s->status == TUMBLE_OK;
}

size_t tmb_point_find(tmb_point_search *s, double hint, tumble_closest *out)
{
    const tmb_block *block = s->model->block;
    if (block->triangle_count == 0 || !has_room(s)) {
        return 0;
    }
    s->bound = hint < s->within.above ? hint : s->within.above;
    s->bound = s->has_radii ? s->bound * (1 + TMB_POINT_ORDER) : s->bound; /* roundings of both sums */
    s->candidate_count = s->bound_count = 0;
    if (block->hierarchy != TUMBLE_HIERARCHY_WIDE || !TMB_PICK_KERNEL(s->context, tmb_point_wide)(s)) {
        tmb_point_boxes(s);
    }
    return s->status == TUMBLE_OK ? tmb_point_settle(s, out) : 0;
}
