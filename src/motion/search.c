/* The search for the first contact: pairs of nodes. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/vec3.h"
#include "motion/first.h"

#define OUTWARD 0x1p-48 /* more than all roundings of a time, as a part of it */

/* ---- What waits ---- */

static int comes_before(const tmb_first_entry *a, const tmb_first_entry *b)
{
    return a->from < b->from || (a->from == b->from && a->number > b->number);
}

static void sift_up(tmb_first_entry *heap, size_t i)
{
    const tmb_first_entry entry = heap[i];
    for (; i > 0 && comes_before(&entry, &heap[(i - 1) / 2]); i = (i - 1) / 2) {
        heap[i] = heap[(i - 1) / 2];
    }
    heap[i] = entry;
}

static void sift_down(tmb_first_entry *heap, size_t count)
{
    const tmb_first_entry entry = heap[0];
    size_t i = 0;
    for (size_t child = 1; child < count; i = child, child = 2 * i + 1) {
        child += child + 1 < count && comes_before(&heap[child + 1], &heap[child]);
        if (!comes_before(&heap[child], &entry)) {
            break;
        }
        heap[i] = heap[child];
    }
    heap[i] = entry;
}

/* A slot for a pair; the vacant ones have room for all. */
static int take_slot(tmb_first *f, uint32_t *slot)
{
    tmb_first_scratch *s = f->scratch;
    if (f->vacant_count > 0) {
        *slot = ((uint32_t *)s->vacant.data)[--f->vacant_count];
        return 1;
    }
    tumble_context *context = f->query->context;
    *slot = (uint32_t)f->pair_count;
    if (f->pair_count >= UINT32_MAX ||
        !tmb_buffer_reserve(context, &s->pairs, f->pair_count + 1, sizeof(tmb_first_pair),
                            f->pair_count * sizeof(tmb_first_pair)) ||
        !tmb_buffer_reserve(context, &s->vacant, f->pair_count + 1, sizeof(uint32_t), 0)) {
        return 0;
    }
    f->pair_count++;
    return 1;
}

void tmb_first_push(tmb_first *f, const tmb_first_pair *pair)
{
    tmb_first_scratch *s = f->scratch;
    uint32_t slot;
    if ((f->found && pair->from >= f->touching) || f->status != TUMBLE_OK) {
        return;
    }
    if (!tmb_buffer_reserve(f->query->context, &s->heap, f->heap_count + 1, sizeof(tmb_first_entry),
                            f->heap_count * sizeof(tmb_first_entry)) ||
        !take_slot(f, &slot)) {
        f->status = tmb_fail_memory(f->query->context, "the search for a first contact");
        return;
    }
    ((tmb_first_pair *)s->pairs.data)[slot] = *pair;
    tmb_first_entry *heap = s->heap.data;
    heap[f->heap_count] = (tmb_first_entry){pair->from, f->numbers++, slot};
    sift_up(heap, f->heap_count++);
}

static tmb_first_pair pop(tmb_first *f)
{
    tmb_first_entry *heap = f->scratch->heap.data;
    const uint32_t slot = heap[0].slot;
    heap[0] = heap[--f->heap_count];
    sift_down(heap, f->heap_count);
    ((uint32_t *)f->scratch->vacant.data)[f->vacant_count++] = slot;
    return ((tmb_first_pair *)f->scratch->pairs.data)[slot];
}

static double next_begin(const tmb_first *f)
{
    return f->heap_count > 0 ? ((const tmb_first_entry *)f->scratch->heap.data)[0].from : INFINITY;
}

/* ---- Boxes over a span ---- */

/* A box at both ends of a span. */
typedef struct swept {
    double lower[2][3], upper[2][3];
} swept;

/* When the boxes of two models may be in contact: the part of a span, outward. */
typedef struct part {
    double from, to;
} part;

/* Cuts off the part of a span where a quantity is above 0 that changes evenly from g0 to g1. */
static void cut(double g0, double g1, part *p)
{
    if (g0 > 0 && g1 > 0) {
        p->from = INFINITY;
    } else if (g0 > 0) {
        const double s = g0 / (g0 - g1) * (1 - OUTWARD);
        p->from = s > p->from ? s : p->from;
    } else if (g1 > 0) {
        const double s = g0 / (g0 - g1) * (1 + OUTWARD);
        p->to = s < p->to ? s : p->to;
    }
}

static int may_meet(const swept *a, const swept *b, const tmb_span *span, part *p)
{
    const double wide0 = span->clear[0] + span->bend, wide1 = span->clear[1] + span->bend;
    *p = (part){0, 1};
    for (int k = 0; k < 3; k++) {
        cut(b->lower[0][k] - a->upper[0][k] - wide0, b->lower[1][k] - a->upper[1][k] - wide1, p);
        cut(a->lower[0][k] - b->upper[0][k] - wide0, a->lower[1][k] - b->upper[1][k] - wide1, p);
    }
    return p->from <= p->to;
}

tmb_span tmb_span_of(const tmb_first *f, double from, double to, double limit, double bend)
{
    const double clear[2] = {limit + 2 * tmb_first_error(f, from), limit + 2 * tmb_first_error(f, to)};
    return (tmb_span){from, to, bend, {clear[0], clear[1]}};
}

/* The pair of a part of a span. */
static void push_part(tmb_first *f, const tmb_first_pair *pair, const tmb_span *span, const part *p)
{
    tmb_first_pair child = *pair;
    const double length = span->to - span->from;
    const double from = (span->from + p->from * length) * (1 - OUTWARD);
    const double to = (span->from + p->to * length) * (1 + OUTWARD);
    child.from = p->from > 0 && from > span->from ? from : span->from;
    child.to = p->to < 1 && to < span->to ? to : span->to;
    child.steps = 0;
    tmb_first_push(f, &child);
}

/* ---- Steps ---- */

/* A pair on its way down: the poses of both models at the ends of the span. */
typedef struct descent {
    tmb_first *first;
    const tmb_first_pair *pair;
    tmb_placed at[2][2]; /* model, end */
} descent;

static swept sweep_box(const descent *way, int side, const double lower[3], const double upper[3])
{
    swept out = {.lower = {{0}}};
    for (int end = 0; end < 2; end++) {
        tmb_placed_box(&way->at[side][end], lower, upper, out.lower[end], out.upper[end]);
    }
    return out;
}

static swept sweep_node(const descent *way, int side, const tmb_box_node *node)
{
    return sweep_box(way, side, node->lower, node->upper);
}

static double bend_of(const tmb_first *f, int side, const tmb_box_node *node, double span)
{
    const tmb_moving *moving = &f->moving[side];
    return moving->angle == 0 ? 0 : tmb_moving_bend(moving, tmb_moving_arm(moving, node->lower, node->upper), span);
}

static double size_of(const tmb_first *f, int side, const tmb_box_node *node)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * node->upper[k] - 0.5 * node->lower[k];
        size = half > size ? half : size;
    }
    return 2 * size * f->moving[side].stretch;
}

static int is_leaf(const tmb_box_node *node)
{
    return node->triangle_count > 0 && node->triangle_count <= TMB_BOX_LEAF;
}

/* Opens one of the nodes: its children with the other node. */
static void open_node(const descent *way, int side, double bend_of_other)
{
    tmb_first *f = way->first;
    const tmb_first_pair *pair = way->pair;
    tmb_box_node children[TMB_BOX_CHILDREN];
    const tmb_box_node *opened = side ? &pair->b : &pair->a, *other = side ? &pair->a : &pair->b;
    const uint32_t count = tmb_box_view_open(&f->trees[side], opened, children);
    const swept other_swept = sweep_node(way, !side, other);
    f->counters.box_updates += count + 1;
    f->counters.box_tests += count;
    for (uint32_t i = 0; i < count; i++) {
        const swept child = sweep_node(way, side, &children[i]);
        const double bend = bend_of(f, side, &children[i], pair->to - pair->from) + bend_of_other;
        const tmb_span span = tmb_span_of(f, pair->from, pair->to, f->limit, bend);
        part p;
        if (may_meet(&child, &other_swept, &span, &p)) {
            tmb_first_pair below = *pair;
            *(side ? &below.b : &below.a) = children[i];
            push_part(f, &below, &span, &p);
        }
    }
}

/* Triangles of a leaf with their boxes. */
typedef struct leaf {
    uint32_t count, addresses[TMB_BOX_LEAF];
    swept boxes[TMB_BOX_LEAF];
} leaf;

static void widen(swept *box, int end, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        box->lower[end][k] = point[k] < box->lower[end][k] ? point[k] : box->lower[end][k];
        box->upper[end][k] = point[k] > box->upper[end][k] ? point[k] : box->upper[end][k];
    }
}

static void load_leaf(const descent *way, int side, const tmb_box_node *node, leaf *out)
{
    const tumble_model *model = way->first->moving[side].model;
    uint32_t address = node->reference;
    out->count = node->triangle_count;
    for (uint32_t i = 0; i < out->count; i++) {
        address = i ? tmb_box_next_triangle(model, address) : address;
        out->addresses[i] = address;
        for (int end = 0; end < 2; end++) {
            double corners[3][3];
            tmb_first_corners(way->first, side, address, &way->at[side][end], corners);
            for (int k = 0; k < 3; k++) {
                out->boxes[i].lower[end][k] = out->boxes[i].upper[end][k] = corners[0][k];
            }
            widen(&out->boxes[i], end, corners[1]);
            widen(&out->boxes[i], end, corners[2]);
        }
    }
}

static void cross_leaves(const descent *way, double bend)
{
    tmb_first *f = way->first;
    const tmb_first_pair *pair = way->pair;
    const tmb_span span = tmb_span_of(f, pair->from, pair->to, f->limit, bend);
    leaf a, b;
    load_leaf(way, 0, &pair->a, &a);
    load_leaf(way, 1, &pair->b, &b);
    f->counters.box_tests += (uint64_t)a.count * b.count;
    for (uint32_t j = 0; j < b.count; j++) {
        for (uint32_t i = 0; i < a.count; i++) {
            part p;
            if (may_meet(&a.boxes[i], &b.boxes[j], &span, &p)) {
                tmb_first_pair triangles = {.are_triangles = 1};
                triangles.a.reference = a.addresses[i];
                triangles.b.reference = b.addresses[j];
                push_part(f, &triangles, &span, &p);
            }
        }
    }
}

/* Both halves of the span. */
static void split_span(const descent *way)
{
    tmb_first *f = way->first;
    const tmb_first_pair *pair = way->pair;
    const double middle = 0.5 * (pair->from + pair->to), ends[3] = {pair->from, middle, pair->to};
    for (int half = 0; half < 2; half++) {
        const double from = ends[half], to = ends[half + 1];
        descent part_way = {.first = f, .pair = pair};
        part p;
        double bend = 0;
        for (int side = 0; side < 2; side++) {
            part_way.at[side][0] = tmb_placed_at(&f->moving[side], from);
            part_way.at[side][1] = tmb_placed_at(&f->moving[side], to);
            bend += bend_of(f, side, side ? &pair->b : &pair->a, to - from);
        }
        const swept a = sweep_node(&part_way, 0, &pair->a), b = sweep_node(&part_way, 1, &pair->b);
        const tmb_span span = tmb_span_of(f, from, to, f->limit, bend);
        f->counters.box_tests++;
        if (may_meet(&a, &b, &span, &p)) {
            push_part(f, pair, &span, &p);
        }
    }
}

/* Whether boxes say little, because the models turn too far during the span. */
static int bends_much(const tmb_first *f, const tmb_first_pair *pair, double bend, double size)
{
    const double middle = 0.5 * (pair->from + pair->to);
    return bend > 0.25 * size && bend > tmb_first_error(f, pair->to) && middle > pair->from && middle < pair->to;
}

static void leave_nodes(tmb_first *f, const tmb_first_pair *pair)
{
    descent way = {.first = f, .pair = pair};
    const double length = pair->to - pair->from, size_a = size_of(f, 0, &pair->a), size_b = size_of(f, 1, &pair->b);
    const double bend_a = bend_of(f, 0, &pair->a, length), bend_b = bend_of(f, 1, &pair->b, length);
    if (bends_much(f, pair, bend_a + bend_b, size_a > size_b ? size_a : size_b)) {
        split_span(&way);
        return;
    }
    for (int side = 0; side < 2; side++) {
        way.at[side][0] = tmb_placed_at(&f->moving[side], pair->from);
        way.at[side][1] = tmb_placed_at(&f->moving[side], pair->to);
    }
    if (is_leaf(&pair->a) && is_leaf(&pair->b)) {
        cross_leaves(&way, bend_a + bend_b);
    } else {
        const int side = is_leaf(&pair->a) || (!is_leaf(&pair->b) && size_b > size_a);
        open_node(&way, side, side ? bend_a : bend_b);
    }
}

/* Steps of the two triangles, until others begin before them. */
static void leave_triangles(tmb_first *f, tmb_first_pair *pair)
{
    while (f->status == TUMBLE_OK && tmb_first_advance(f, pair)) {
        if (pair->from > next_begin(f) || pair->steps % 64 == 0) {
            tmb_first_push(f, pair);
            return;
        }
    }
}

static int begin_at_root(tmb_first *f)
{
    tmb_first_pair root = {.from = f->options->begin, .to = f->options->end};
    if (!tmb_box_view_root(&f->trees[0], &root.a) || !tmb_box_view_root(&f->trees[1], &root.b)) {
        return 0;
    }
    tmb_first_push(f, &root);
    return 1;
}

/* Whether what is left cannot begin much earlier than what was found. Without a tolerance it might still begin between
 * two doubles. */
static int is_settled(const tmb_first *f, double next)
{
    const double tolerance = f->options->tolerance;
    return next == INFINITY ||
           (f->found && next >= (tolerance > 0 ? tmb_lesser(f->free, f->touching - tolerance) : f->touching));
}

static int is_spent(const tmb_first *f)
{
    const uint64_t most = f->options->budget_box_tests;
    return (most && f->counters.box_tests + f->counters.primitive_tests >= most) ||
           (f->deadline < INFINITY && tmb_seconds() >= f->deadline);
}

double tmb_first_run(tmb_first *f)
{
    if (!begin_at_root(f)) {
        return INFINITY;
    }
    while (f->status == TUMBLE_OK && !is_settled(f, next_begin(f))) {
        if (is_spent(f)) {
            f->is_spent = 1;
            break;
        }
        if (tmb_watch_ends(f->query->watch)) {
            f->status = tmb_fail(f->query->context, TUMBLE_ERROR_CANCELLED, "the query was cancelled");
            break;
        }
        tmb_first_pair pair = pop(f);
        if (pair.are_triangles) {
            leave_triangles(f, &pair);
        } else {
            leave_nodes(f, &pair);
        }
    }
    return next_begin(f);
}
