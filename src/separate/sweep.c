/* The sweep along a way: pairs of nodes, then of triangles. */
#include "separate/sweep.h"

#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/vec3.h"

#define OUTWARD 0x1p-47 /* more than all roundings of a multiple, as a part of it */

/* Multiples below the normal doubles have roundings of a unit in the last place. */
static double rounded_down(double x)
{
    return tmb_greater(x * (1 - OUTWARD) - 2 * DBL_TRUE_MIN, 0);
}

static double rounded_up(double x)
{
    return x * (1 + OUTWARD) + 2 * DBL_TRUE_MIN;
}

/* ---- What waits ---- */

static tmb_way_sweep_entry *heap_of(const tmb_way_sweep *s, int which)
{
    return s->parting->scratch->heaps[which].data;
}

static int comes_before(const tmb_way_sweep_entry *a, const tmb_way_sweep_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->number > b->number);
}

static void sift_up(tmb_way_sweep_entry *heap, size_t i)
{
    const tmb_way_sweep_entry entry = heap[i];
    for (; i > 0 && comes_before(&entry, &heap[(i - 1) / 2]); i = (i - 1) / 2) {
        heap[i] = heap[(i - 1) / 2];
    }
    heap[i] = entry;
}

static void sift_down(tmb_way_sweep_entry *heap, size_t count)
{
    const tmb_way_sweep_entry entry = heap[0];
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

static void out_of_memory(tmb_way_sweep *s)
{
    s->parting->status = tmb_fail_memory(s->parting->query->context, "the search for a move that parts");
}

/* A slot for a pair; the vacant ones have room for all. */
static int take_slot(tmb_way_sweep *s, uint32_t *slot)
{
    tmb_parting_scratch *scratch = s->parting->scratch;
    tumble_context *context = s->parting->query->context;
    if (s->vacant_count > 0) {
        *slot = ((uint32_t *)scratch->vacant.data)[--s->vacant_count];
        return 1;
    }
    *slot = (uint32_t)s->pair_count;
    if (s->pair_count >= UINT32_MAX ||
        !tmb_buffer_reserve(context, &scratch->pairs, s->pair_count + 1, sizeof(tmb_way_sweep_pair),
                            s->pair_count * sizeof(tmb_way_sweep_pair)) ||
        !tmb_buffer_reserve(context, &scratch->vacant, s->pair_count + 1, sizeof(uint32_t), 0)) {
        return 0;
    }
    s->pair_count++;
    return 1;
}

/* Whether a pair can no longer move the frontier. */
static int is_behind(const tmb_way_sweep *s, const tmb_way_sweep_pair *pair)
{
    return s->has_frontier ? pair->high <= s->below : pair->high < 0;
}

static void push(tmb_way_sweep *s, const tmb_way_sweep_pair *pair)
{
    uint32_t slot;
    if (s->parting->status != TUMBLE_OK || is_behind(s, pair)) {
        return;
    }
    const int which = pair->low > s->above ? TMB_WAY_SWEEP_LATER : TMB_WAY_SWEEP_NOW;
    if (!tmb_buffer_reserve(s->parting->query->context, &s->parting->scratch->heaps[which], s->counts[which] + 1,
                            sizeof(tmb_way_sweep_entry), s->counts[which] * sizeof(tmb_way_sweep_entry)) ||
        !take_slot(s, &slot)) {
        out_of_memory(s);
        return;
    }
    ((tmb_way_sweep_pair *)s->parting->scratch->pairs.data)[slot] = *pair;
    tmb_way_sweep_entry *heap = heap_of(s, which);
    heap[s->counts[which]] =
        (tmb_way_sweep_entry){which == TMB_WAY_SWEEP_LATER ? pair->low : -pair->high, s->numbers++, slot};
    sift_up(heap, s->counts[which]++);
}

static tmb_way_sweep_pair pop(tmb_way_sweep *s, int which)
{
    tmb_way_sweep_entry *heap = heap_of(s, which);
    const uint32_t slot = heap[0].slot;
    heap[0] = heap[--s->counts[which]];
    sift_down(heap, s->counts[which]);
    ((uint32_t *)s->parting->scratch->vacant.data)[s->vacant_count++] = slot;
    return ((tmb_way_sweep_pair *)s->parting->scratch->pairs.data)[slot];
}

double tmb_way_sweep_free_until(const tmb_way_sweep *s)
{
    return s->counts[TMB_WAY_SWEEP_LATER] > 0 ? heap_of(s, TMB_WAY_SWEEP_LATER)[0].key : INFINITY;
}

/* ---- Boxes ---- */

typedef struct box {
    double lower[3], upper[3];
} box;

static box box_of(const tmb_way_sweep *s, int side, const tmb_box_node *node)
{
    box out = {0};
    tmb_placed_box(&s->parting->placed[side], node->lower, node->upper, out.lower, out.upper);
    return out;
}

/* The multiples for which two boxes may meet. */
static int boxes_span(const tmb_way_sweep *s, const box *a, const box *b, double *low, double *high)
{
    *low = 0;
    *high = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double from = a->lower[k] - b->upper[k] - s->parting->error;
        const double to = a->upper[k] - b->lower[k] + s->parting->error, speed = s->way[k];
        if (speed == 0) {
            if (from > 0 || to < 0) {
                return 0;
            }
            continue;
        }
        const double first = (speed > 0 ? from : to) / speed, last = (speed > 0 ? to : from) / speed;
        *low = tmb_greater(*low, first - fabs(first) * OUTWARD);
        *high = tmb_lesser(*high, last + fabs(last) * OUTWARD);
    }
    return *low <= *high;
}

static int is_leaf(const tmb_box_node *node)
{
    return node->triangle_count > 0 && node->triangle_count <= TMB_BOX_LEAF;
}

static double size_of(const tmb_way_sweep *s, int side, const tmb_box_node *node)
{
    double size = 0;
    for (int k = 0; k < 3; k++) {
        size = tmb_greater(size, 0.5 * node->upper[k] - 0.5 * node->lower[k]);
    }
    return size * ldexp(s->parting->stretch[side], -s->parting->exponent);
}

/* Opens one of the nodes: its children with the other node. */
static void open_node(tmb_way_sweep *s, const tmb_way_sweep_pair *pair, int side)
{
    tmb_box_node children[TMB_BOX_CHILDREN];
    const tmb_box_node *opened = side ? &pair->b : &pair->a, *other = side ? &pair->a : &pair->b;
    const uint32_t count = tmb_box_view_open(&s->parting->trees[side], opened, children);
    const box other_box = box_of(s, !side, other);
    s->parting->counters.box_updates += count + 1;
    s->parting->counters.box_tests += count;
    for (uint32_t i = 0; i < count; i++) {
        const box child = box_of(s, side, &children[i]);
        tmb_way_sweep_pair below = *pair;
        if (boxes_span(s, side ? &other_box : &child, side ? &child : &other_box, &below.low, &below.high)) {
            *(side ? &below.b : &below.a) = children[i];
            push(s, &below);
        }
    }
}

/* ---- Triangles ---- */

/* The triangles of a leaf, placed. */
typedef struct leaf {
    uint32_t count, addresses[TMB_BOX_LEAF];
    double corners[TMB_BOX_LEAF][3][3];
    box boxes[TMB_BOX_LEAF];
} leaf;

static void load_leaf(const tmb_way_sweep *s, int side, const tmb_box_node *node, leaf *out)
{
    const tumble_model *model = s->parting->models[side];
    uint32_t address = node->reference;
    out->count = node->triangle_count;
    for (uint32_t i = 0; i < out->count; i++) {
        double corners[3][3];
        address = i ? tmb_box_next_triangle(model, address) : address;
        out->addresses[i] = address;
        tmb_model_corners(model, address, corners);
        for (int j = 0; j < 3; j++) {
            tmb_placed_point(&s->parting->placed[side], corners[j], out->corners[i][j]);
        }
        for (int k = 0; k < 3; k++) {
            const double x = out->corners[i][0][k], y = out->corners[i][1][k], z = out->corners[i][2][k];
            out->boxes[i].lower[k] = tmb_lesser(x, tmb_lesser(y, z));
            out->boxes[i].upper[k] = tmb_greater(x, tmb_greater(y, z));
        }
    }
}

static void cross_leaves(tmb_way_sweep *s, const tmb_way_sweep_pair *pair)
{
    leaf a, b;
    load_leaf(s, 0, &pair->a, &a);
    load_leaf(s, 1, &pair->b, &b);
    s->parting->counters.box_tests += (uint64_t)a.count * b.count;
    for (uint32_t j = 0; j < b.count; j++) {
        for (uint32_t i = 0; i < a.count; i++) {
            tmb_way_sweep_pair triangles = {.are_triangles = 1};
            if (!boxes_span(s, &a.boxes[i], &b.boxes[j], &triangles.low, &triangles.high) || is_behind(s, &triangles)) {
                continue;
            }
            s->parting->counters.primitive_tests++;
            if (tmb_triangles_span((const double(*)[3])a.corners[i], (const double(*)[3])b.corners[j], s->way,
                                   s->parting->error, &triangles.low, &triangles.high)) {
                triangles.a.reference = a.addresses[i];
                triangles.b.reference = b.addresses[j];
                push(s, &triangles);
            }
        }
    }
}

/* Copies the fraction to a pool of its own, as the other is about to be emptied. */
static void set_frontier(tmb_way_sweep *s, const tmb_big_fraction *f, const tmb_way_sweep_pair *pair,
                         const double stop[3])
{
    tmb_bigfloat_pool *pool = &s->parting->scratch->kept[!s->kept];
    tmb_bigfloat_pool_rewind(pool);
    const tmb_bigfloat one = tmb_bigfloat_of(pool, 1);
    s->frontier =
        (tmb_big_fraction){tmb_bigfloat_multiply(pool, f->num, one), tmb_bigfloat_multiply(pool, f->den, one)};
    s->kept = !s->kept;
    s->has_frontier = 1;
    if (pool->failed) {
        out_of_memory(s);
    }
    const double x = f->num.sign ? ldexp(tmb_bigfloat_quotient(f->num, f->den), s->shift) : 0;
    s->below = rounded_down(x);
    s->above = f->num.sign ? rounded_up(x) : 0;
    s->last[0] = pair->a.reference;
    s->last[1] = pair->b.reference;
    for (int k = 0; k < 3; k++) {
        s->stop[k] = stop[k];
    }
}

/* Puts back a pair whose contact begins after the frontier, with the exact begin. */
static void put_back(tmb_way_sweep *s, const tmb_way_sweep_pair *pair, const tmb_big_fraction *first)
{
    tmb_way_sweep_pair later = *pair;
    const double x = ldexp(tmb_bigfloat_quotient(first->num, first->den), s->shift);
    later.low = tmb_greater(rounded_down(x), nextafter(s->above, INFINITY));
    later.high = tmb_greater(later.high, later.low);
    later.is_exact = 1;
    push(s, &later);
}

static void settle(tmb_way_sweep *s, const tmb_way_sweep_pair *pair, int next_contact)
{
    tmb_bigfloat_pool *pool = &s->parting->scratch->numbers;
    double a[3][3], b[3][3], stop[3];
    tmb_big_fraction first, last;
    int passes = 0;
    tmb_model_corners(s->parting->models[0], pair->a.reference, a);
    tmb_model_corners(s->parting->models[1], pair->b.reference, b);
    tmb_bigfloat_pool_rewind(pool);
    s->parting->counters.exact_tests++;
    const int answer = tmb_exact_span(pool, s->parting->poses, s->exact_way, (const double(*)[3])a,
                                      (const double(*)[3])b, &first, &last, stop, &passes);
    if (answer > 0 && (passes || !s->only_passing)) {
        const int order = s->has_frontier ? tmb_big_fraction_compare(pool, &first, &s->frontier) : first.num.sign;
        const int begins_later = order > 0 || (order == 0 && s->has_frontier && s->only_passing);
        const int goes_on = !s->has_frontier || tmb_big_fraction_compare(pool, &last, &s->frontier) > 0;
        if (begins_later && !next_contact) {
            put_back(s, pair, &first);
        } else if (goes_on && !pool->failed) {
            set_frontier(s, &last, pair, stop);
        }
    }
    if (pool->failed) {
        out_of_memory(s);
    }
}

static void leave_nodes(tmb_way_sweep *s, const tmb_way_sweep_pair *pair)
{
    if (is_leaf(&pair->a) && is_leaf(&pair->b)) {
        cross_leaves(s, pair);
    } else {
        const int side = is_leaf(&pair->a) || (!is_leaf(&pair->b) && size_of(s, 1, &pair->b) > size_of(s, 0, &pair->a));
        open_node(s, pair, side);
    }
}

static void examine(tmb_way_sweep *s, const tmb_way_sweep_pair *pair)
{
    if (pair->are_triangles) {
        settle(s, pair, 0);
    } else {
        leave_nodes(s, pair);
    }
}

/* ---- The sweep ---- */

void tmb_way_sweep_begin(tmb_way_sweep *s, tmb_parting *parting, const double way[3], double limit, int only_passing)
{
    int exponent = 0;
    *s = (tmb_way_sweep){.parting = parting, .only_passing = only_passing};
    (void)frexp(tmb_largest_size(way), &exponent);
    for (int k = 0; k < 3; k++) {
        s->exact_way[k] = way[k];
        s->way[k] = ldexp(way[k], -exponent);
    }
    s->shift = exponent - parting->exponent;
    s->limit = rounded_up(ldexp(limit, -parting->exponent) / tmb_length(s->way));
    tmb_way_sweep_pair root = {.high = INFINITY};
    if (tmb_box_view_root(&parting->trees[0], &root.a) && tmb_box_view_root(&parting->trees[1], &root.b)) {
        push(s, &root);
    }
}

/* Moves those that begin before the frontier to the others. */
static void wake(tmb_way_sweep *s)
{
    while (tmb_way_sweep_free_until(s) <= s->above && s->parting->status == TUMBLE_OK) {
        const tmb_way_sweep_pair pair = pop(s, TMB_WAY_SWEEP_LATER);
        push(s, &pair);
    }
}

int tmb_way_sweep_run(tmb_way_sweep *s)
{
    while (!tmb_parting_ends(s->parting)) {
        wake(s);
        if (s->has_frontier && s->below >= s->limit) {
            return 0;
        }
        if (s->counts[TMB_WAY_SWEEP_NOW] == 0) {
            return s->parting->status == TUMBLE_OK;
        }
        const tmb_way_sweep_pair pair = pop(s, TMB_WAY_SWEEP_NOW);
        if (!is_behind(s, &pair)) {
            examine(s, &pair);
        }
    }
    return 0;
}

int tmb_way_sweep_resume(tmb_way_sweep *s)
{
    while (s->counts[TMB_WAY_SWEEP_LATER] > 0 && !tmb_parting_ends(s->parting)) {
        const tmb_way_sweep_pair pair = pop(s, TMB_WAY_SWEEP_LATER);
        if (pair.is_exact) {
            settle(s, &pair, 1);
            return tmb_way_sweep_run(s);
        }
        examine(s, &pair);
    }
    return 0;
}
