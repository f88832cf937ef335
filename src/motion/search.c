/* The search for the first contact: pairs of nodes. */
#include <math.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/vec3.h"
#include "motion/sweep.h"

#define OUTWARD 0x1p-48 /* more than all roundings of a time, as a part of it */

void tmb_first_push(tmb_first *f, const tmb_first_pair *pair)
{
    if (!(f->found && pair->from >= f->touching)) {
        tmb_first_wait(f, pair->from, pair);
    }
}

/* ---- Boxes over a span ---- */

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

static int may_meet(const tmb_swept *a, const tmb_swept *b, const tmb_span *span, part *p)
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

/* Opens one of the nodes: its children with the other node. */
static void open_node(const tmb_descent *way, int side, double bend_of_other)
{
    tmb_first *f = way->first;
    const tmb_first_pair *pair = way->pair;
    tmb_box_node children[TMB_BOX_CHILDREN];
    const tmb_box_node *opened = side ? &pair->b : &pair->a, *other = side ? &pair->a : &pair->b;
    const uint32_t count = tmb_box_view_open(&f->trees[side], opened, children);
    const tmb_swept other_swept = tmb_sweep_node(way, !side, other);
    f->counters.box_updates += count + 1;
    f->counters.box_tests += count;
    for (uint32_t i = 0; i < count; i++) {
        const tmb_swept child = tmb_sweep_node(way, side, &children[i]);
        const double bend = tmb_node_bend(f, side, &children[i], pair->to - pair->from) + bend_of_other;
        const tmb_span span = tmb_span_of(f, pair->from, pair->to, f->limit, bend);
        part p;
        if (may_meet(&child, &other_swept, &span, &p)) {
            tmb_first_pair below = *pair;
            *(side ? &below.b : &below.a) = children[i];
            push_part(f, &below, &span, &p);
        }
    }
}

static void cross_leaves(const tmb_descent *way, double bend)
{
    tmb_first *f = way->first;
    const tmb_first_pair *pair = way->pair;
    const tmb_span span = tmb_span_of(f, pair->from, pair->to, f->limit, bend);
    tmb_swept_leaf a, b;
    tmb_sweep_leaf(way, 0, &pair->a, &a);
    tmb_sweep_leaf(way, 1, &pair->b, &b);
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
static void split_span(tmb_first *f, const tmb_first_pair *pair)
{
    const double middle = 0.5 * (pair->from + pair->to), ends[3] = {pair->from, middle, pair->to};
    for (int half = 0; half < 2; half++) {
        const double from = ends[half], to = ends[half + 1];
        const tmb_descent part_way = tmb_descent_of(f, pair, from, to);
        part p;
        double bend = 0;
        for (int side = 0; side < 2; side++) {
            bend += tmb_node_bend(f, side, side ? &pair->b : &pair->a, to - from);
        }
        const tmb_swept a = tmb_sweep_node(&part_way, 0, &pair->a), b = tmb_sweep_node(&part_way, 1, &pair->b);
        const tmb_span span = tmb_span_of(f, from, to, f->limit, bend);
        f->counters.box_tests++;
        if (may_meet(&a, &b, &span, &p)) {
            push_part(f, pair, &span, &p);
        }
    }
}

static void leave_nodes(tmb_first *f, const tmb_first_pair *pair)
{
    const double length = pair->to - pair->from, size_a = tmb_node_size(f, 0, &pair->a),
                 size_b = tmb_node_size(f, 1, &pair->b);
    const double bend_a = tmb_node_bend(f, 0, &pair->a, length), bend_b = tmb_node_bend(f, 1, &pair->b, length);
    if (tmb_bends_much(f, pair, bend_a + bend_b, size_a > size_b ? size_a : size_b)) {
        split_span(f, pair);
        return;
    }
    const tmb_descent way = tmb_descent_of(f, pair, pair->from, pair->to);
    if (tmb_node_is_leaf(&pair->a) && tmb_node_is_leaf(&pair->b)) {
        cross_leaves(&way, bend_a + bend_b);
    } else {
        const int side = tmb_node_is_leaf(&pair->a) || (!tmb_node_is_leaf(&pair->b) && size_b > size_a);
        open_node(&way, side, side ? bend_a : bend_b);
    }
}

/* Steps of the two triangles, until others begin before them. */
static void leave_triangles(tmb_first *f, tmb_first_pair *pair)
{
    while (f->status == TUMBLE_OK && tmb_first_advance(f, pair)) {
        if (pair->from > tmb_first_next(f) || pair->steps % 64 == 0) {
            tmb_first_push(f, pair);
            return;
        }
    }
}

static int begin_at_root(tmb_first *f, double begin)
{
    tmb_first_pair root = {.from = begin, .to = f->options->end};
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

int tmb_first_is_spent(const tmb_first *f)
{
    const uint64_t most = f->options->budget_box_tests;
    return (most && f->counters.box_tests + f->counters.primitive_tests >= most) ||
           (f->deadline < INFINITY && tmb_seconds() >= f->deadline);
}

double tmb_first_run(tmb_first *f)
{
    double proven;
    if (tmb_first_approach(f, &proven) || f->status != TUMBLE_OK || !begin_at_root(f, proven)) {
        return INFINITY;
    }
    while (f->status == TUMBLE_OK && !is_settled(f, tmb_first_next(f))) {
        if (tmb_first_is_spent(f)) {
            f->is_spent = 1;
            break;
        }
        if (tmb_watch_ends(f->query->watch)) {
            f->status = tmb_fail(f->query->context, TUMBLE_ERROR_CANCELLED, "the query was cancelled");
            break;
        }
        tmb_first_pair pair = tmb_first_take(f);
        if (pair.are_triangles) {
            leave_triangles(f, &pair);
        } else {
            leave_nodes(f, &pair);
        }
    }
    return tmb_first_next(f);
}
