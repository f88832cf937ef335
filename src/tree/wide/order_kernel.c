/* Orders triangles top-down: a range is split until there are eight parts, or all of them fit into a node over
 * clusters; these are the node's children. Splits minimise surface area over the axes, at a place where the parts are
 * short; a range that fits into a node is split into full clusters. Each split moves the items of a range from one
 * array to the other once. Compiled once for each instruction set; all give the same order. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "tree/wide/order.h"

#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
#include <emmintrin.h>
#endif

#define SMALL 64 /* up to this many items are sorted by counting */
#define BINS 256
#define COUNTED 4096    /* above this, only every eighth item is counted */
#define TASK_LEAST 8192 /* items worth a task of their own */

/* ---- Where to cut ---- */

/* Of a range that becomes one node, items on the left: a whole number of the largest full subtrees that leave something
 * on the right. */
static size_t left_count(size_t count, uint32_t leaf)
{
    TMB_ASSERT(leaf > 0);
    size_t full = leaf > 0 ? leaf : 1;
    while (full * 8 < count) {
        full *= 8;
    }
    const size_t units = (count + full - 1) / full;
    return units / 2 * full;
}

typedef struct bounds {
    float lower[4], upper[4];
} bounds;

static bounds bounds_of(const tmb_wide_item *items, size_t count, size_t step)
{
    bounds b = {{0}, {0}};
#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
    __m128 lower = _mm_load_ps(items[0].middle), upper = lower;
    for (size_t i = step; i < count; i += step) {
        const __m128 x = _mm_load_ps(items[i].middle);
        lower = _mm_min_ps(x, lower);
        upper = _mm_max_ps(x, upper);
    }
    _mm_storeu_ps(b.lower, lower);
    _mm_storeu_ps(b.upper, upper);
#else
    memcpy(b.lower, items[0].middle, sizeof items[0].middle);
    memcpy(b.upper, items[0].middle, sizeof items[0].middle);
    for (size_t i = step; i < count; i += step) {
        for (int k = 0; k < 3; k++) {
            const float x = items[i].middle[k];
            b.lower[k] = x < b.lower[k] ? x : b.lower[k];
            b.upper[k] = x > b.upper[k] ? x : b.upper[k];
        }
    }
#endif
    return b;
}

static int longest_axis(const bounds *b)
{
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = b->upper[k] - b->lower[k] > b->upper[axis] - b->lower[axis] ? k : axis;
    }
    return axis;
}

/* The sort key: nearly one coordinate, with just enough of the others that ties along it, as on a flat face, are still
 * separated in space. 0 to less than 1 for items within the bounds. */
typedef struct measure {
    float weights[3], low, factor;
} measure;

#define TILT 0x1p-8F

/* Items closer than this are in one place. */
#define LEAST_EXTENT 1e-30F

static measure measure_of(const bounds *b, int axis)
{
    measure m = {.low = 0};
    float high = 0;
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    const int second = b->upper[last] - b->lower[last] > b->upper[next] - b->lower[next] ? last : next;
    for (int k = 0; k < 3; k++) {
        m.weights[k] = k == axis ? 1 : k == second ? TILT : TILT * TILT;
        m.low += m.weights[k] * b->lower[k];
        high += m.weights[k] * b->upper[k];
    }
    m.factor = high - m.low > LEAST_EXTENT ? 0.999F / (high - m.low) : 0; /* rounding may leave no difference */
    return m;
}

static inline float measured(const measure *m, const tmb_wide_item *item)
{
    const float sum =
        (m->weights[0] * item->middle[0] + m->weights[1] * item->middle[1]) + m->weights[2] * item->middle[2];
    return (sum - m->low) * m->factor;
}

static inline void copy_item(tmb_wide_item *to, const tmb_wide_item *from)
{
#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
    _mm_store_ps(to->middle, _mm_load_ps(from->middle));
#else
    *to = *from;
#endif
}

/* ---- Few items: a place for each by counting those before it ---- */

/* For each key the number of those that are less. The sizes are constants, so that keys and counts stay in registers.
 */
static inline void count_less(const int32_t *keys, int count, int size, int32_t *places)
{
    int32_t less[SMALL];
    for (int i = 0; i < size; i++) {
        less[i] = 0;
    }
    for (int j = 0; j < count; j++) {
        const int32_t key = keys[j];
        for (int i = 0; i < size; i++) {
            less[i] += key < keys[i];
        }
    }
    memcpy(places, less, (size_t)size * sizeof *places);
}

/* A triangle's box; the last numbers are 0. */
typedef struct box {
    _Alignas(16) float lower[4];
    float upper[4];
} box;

static inline void find_box(const tmb_wide_mesh *mesh, uint32_t triangle, box *out)
{
    const uint32_t *t = mesh->corners + 3 * (size_t)triangle;
    const float *p = mesh->points[t[0]], *q = mesh->points[t[1]], *r = mesh->points[t[2]];
#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
    const __m128 x = _mm_load_ps(p), y = _mm_load_ps(q), z = _mm_load_ps(r);
    _mm_store_ps(out->lower, _mm_min_ps(_mm_min_ps(x, y), z));
    _mm_store_ps(out->upper, _mm_max_ps(_mm_max_ps(x, y), z));
#else
    for (int k = 0; k < 4; k++) {
        const float low = p[k] < q[k] ? p[k] : q[k], high = p[k] > q[k] ? p[k] : q[k];
        out->lower[k] = low < r[k] ? low : r[k];
        out->upper[k] = high > r[k] ? high : r[k];
    }
#endif
}

/* Up to SMALL items with their boxes; sets of them are lists of their numbers. */
typedef struct few {
    tmb_wide_item items[SMALL];
    box boxes[SMALL];
} few;

/* Sorts a list along the measure. Ties are broken by their place in the list. */
static void sort_list(const few *f, const uint8_t *list, int count, const measure *m, uint8_t *sorted)
{
    int32_t keys[SMALL], places[SMALL];
    for (int i = 0; i < count; i++) {
        keys[i] = (int32_t)(measured(m, &f->items[list[i]]) * (float)(1 << 24)) << 6 | i;
    }
    for (int i = count; i < SMALL; i++) {
        keys[i] = INT32_MAX;
    }
    if (count <= 16) {
        count_less(keys, count, 16, places);
    } else if (count <= 32) {
        count_less(keys, count, 32, places);
    } else {
        count_less(keys, count, SMALL, places);
    }
    for (int i = 0; i < count; i++) {
        sorted[places[i]] = list[i];
    }
}

static bounds bounds_of_list(const few *f, const uint8_t *list, int count)
{
    bounds b = {{0}, {0}};
#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
    __m128 lower = _mm_load_ps(f->items[list[0]].middle), upper = lower;
    for (int i = 1; i < count; i++) {
        const __m128 x = _mm_load_ps(f->items[list[i]].middle);
        lower = _mm_min_ps(x, lower);
        upper = _mm_max_ps(x, upper);
    }
    _mm_storeu_ps(b.lower, lower);
    _mm_storeu_ps(b.upper, upper);
#else
    for (int k = 0; k < 3; k++) {
        b.lower[k] = b.upper[k] = f->items[list[0]].middle[k];
        for (int i = 1; i < count; i++) {
            const float x = f->items[list[i]].middle[k];
            b.lower[k] = x < b.lower[k] ? x : b.lower[k];
            b.upper[k] = x > b.upper[k] ? x : b.upper[k];
        }
    }
#endif
    return b;
}

/* The box around some of the boxes. */
static inline bounds enclose(const few *f, const uint8_t *list, int count)
{
    bounds b = {{0}, {0}};
#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
    __m128 lower = _mm_load_ps(f->boxes[list[0]].lower), upper = _mm_load_ps(f->boxes[list[0]].upper);
    for (int i = 1; i < count; i++) {
        lower = _mm_min_ps(_mm_load_ps(f->boxes[list[i]].lower), lower);
        upper = _mm_max_ps(_mm_load_ps(f->boxes[list[i]].upper), upper);
    }
    _mm_storeu_ps(b.lower, lower);
    _mm_storeu_ps(b.upper, upper);
#else
    for (int k = 0; k < 3; k++) {
        b.lower[k] = f->boxes[list[0]].lower[k];
        b.upper[k] = f->boxes[list[0]].upper[k];
        for (int i = 1; i < count; i++) {
            const box *one = &f->boxes[list[i]];
            b.lower[k] = one->lower[k] < b.lower[k] ? one->lower[k] : b.lower[k];
            b.upper[k] = one->upper[k] > b.upper[k] ? one->upper[k] : b.upper[k];
        }
    }
#endif
    return b;
}

/* Half of its surface. */
static float area_of(const bounds *b)
{
    const float x = b->upper[0] - b->lower[0], y = b->upper[1] - b->lower[1], z = b->upper[2] - b->lower[2];
    return (x * y + y * z) + z * x;
}

/* The cost of a split of a sorted list: the surfaces on both sides, weighted by the numbers of items. */
typedef struct cut {
    float cost;
    float good; /* less than GOOD_CUT above the cost of halving the longest side: others are hardly better */
} cut;

#define GOOD_CUT 1.2F

static cut cut_list(const few *f, const uint8_t *list, int count, int left)
{
    TMB_ASSERT(left > 0 && left < count);
    const bounds l = enclose(f, list, left), r = enclose(f, list + left, count - left);
    float size[3], longest = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        size[k] =
            (l.upper[k] > r.upper[k] ? l.upper[k] : r.upper[k]) - (l.lower[k] < r.lower[k] ? l.lower[k] : r.lower[k]);
        longest = size[k] > longest ? size[k] : longest;
        sum += size[k];
    }
    const float surface = (size[0] * size[1] + size[1] * size[2]) + size[2] * size[0];
    return (cut){area_of(&l) * (float)left + area_of(&r) * (float)(count - left),
                 GOOD_CUT * (float)count * (surface - 0.5F * longest * (sum - longest))};
}

/* Sorts a list along the axis for which the boxes of the first `left` and of the others have the least surface; or
 * along the longest. Axes along which the items differ much less are left out. */
static int sort_along_best(const few *f, uint8_t *list, int count, int left, int all_axes)
{
    uint8_t sorted[2][SMALL];
    int kept = -1, best_axis = 0;
    cut best = {INFINITY, 0};
    const bounds b = bounds_of_list(f, list, count);
    const int longest = longest_axis(&b);
    const float least = (b.upper[longest] - b.lower[longest]) * (1.0F / 4);
    for (int n = 0; n < 3 && best.cost > best.good; n++) {
        const int axis = (longest + n) % 3;
        if (!(b.upper[axis] - b.lower[axis] >= least && least > LEAST_EXTENT)) {
            continue;
        }
        const measure m = measure_of(&b, axis);
        uint8_t *along = sorted[kept == 0];
        sort_list(f, list, count, &m, along);
        const cut found = all_axes ? cut_list(f, along, count, left) : (cut){0, 0};
        if (found.cost < best.cost) {
            best = found;
            best_axis = axis;
            kept = kept == 0;
        }
    }
    if (kept >= 0) {
        memcpy(list, sorted[kept], (size_t)count);
    }
    return best_axis;
}

static void order_list(const few *f, uint8_t *list, int count, uint32_t leaf, int all_axes)
{
    if (count > (int)leaf) {
        const int left = (int)left_count((size_t)count, leaf);
        sort_along_best(f, list, count, left, all_axes);
        order_list(f, list, left, leaf, all_axes);
        order_list(f, list + left, count - left, leaf, all_axes);
    }
}

/* One item out of each `step`, not always the same one: meshes have patterns. The mesh, for their boxes, may be
 * NULL. */
static void take_few(const tmb_wide_item *items, const tmb_wide_mesh *mesh, size_t step, size_t count, few *out,
                     uint8_t *list)
{
    for (size_t i = 0; i < count; i++) {
        const size_t within = (uint64_t)((uint32_t)i * 0x9e3779b9u) * step >> 32;
        copy_item(&out->items[i], &items[i * step + within]);
        list[i] = (uint8_t)i;
    }
    for (size_t i = 0; mesh && i < count; i++) {
        find_box(mesh, out->items[i].triangle, &out->boxes[i]);
    }
}

static void order_few(const tmb_wide_item *from, size_t count, const tmb_wide_ordering *o, tmb_wide_item *to)
{
    few f;
    uint8_t list[SMALL];
    const int all_axes = o->options->tuning->wide.axes == TUMBLE_WIDE_ALL_AXES;
    take_few(from, all_axes ? o->mesh : NULL, 1, count, &f, list);
    order_list(&f, list, (int)count, o->leaf, all_axes);
    for (size_t i = 0; i < count; i++) {
        copy_item(&to[i], &f.items[list[i]]);
    }
}

/* The split axis for many items, judged by halving some of them. */
static int best_axis(const tmb_wide_item *items, const tmb_wide_mesh *mesh, size_t count)
{
    few f;
    uint8_t list[SMALL];
    const size_t taken = count > 4 * SMALL ? SMALL : SMALL / 2;
    take_few(items, mesh, count / taken, taken, &f, list);
    return sort_along_best(&f, list, (int)taken, (int)taken / 2, 1);
}

/* ---- Many items: counted in bins, then moved to either side ---- */

static void exchange(tmb_wide_item *a, tmb_wide_item *b)
{
    const tmb_wide_item t = *a;
    *a = *b;
    *b = t;
}

static float median_of_three(const tmb_wide_item *items, size_t count, const measure *m)
{
    const float a = measured(m, &items[0]), b = measured(m, &items[count / 2]), c = measured(m, &items[count - 1]);
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* Hoare's selection: the `rank` least items come first. */
static void select_least(tmb_wide_item *items, size_t count, size_t rank, const measure *m)
{
    TMB_ASSERT(rank < count);
    while (rank > 0 && rank < count) {
        const float pivot = median_of_three(items, count, m);
        size_t i = 0, j = count - 1;
        for (;;) {
            while (measured(m, &items[i]) < pivot) {
                i++;
            }
            while (measured(m, &items[j]) > pivot) {
                j--;
            }
            if (i >= j) {
                break;
            }
            exchange(&items[i++], &items[j--]);
        }
        /* [0, i) <= pivot <= [i, count); when i == j, item i equals the pivot */
        const size_t after = i + (i == j);
        if (rank < i) {
            count = i;
        } else if (rank <= after) {
            return;
        } else {
            items += after, count -= after, rank -= after;
        }
    }
}

typedef struct bin_scale {
    float low, factor;
    int axis;
} bin_scale;

static inline float bin_of(const bin_scale *s, const tmb_wide_item *item)
{
    return (item->middle[s->axis] - s->low) * s->factor;
}

/* Neither part of a split has less than this fraction of the items, which bounds the depth. */
#define LEAST_SHARE 16

/* This many items, rounded up to full nodes. */
static float filled(uint32_t count, uint32_t node)
{
    const uint32_t nodes = (count + node - 1) / node;
    return (float)(nodes * node);
}

/* The bin with which the right part starts, so that the parts' lengths, each times the number of items that its lowest
 * nodes could have, are least; 0 when all that may be chosen lies in one bin. */
static int best_bin(const uint32_t bins[BINS], uint32_t counted, uint32_t node)
{
    TMB_ASSERT(counted > 0);
    TMB_ASSERT(node > 0);
    const uint32_t least = counted / LEAST_SHARE;
    uint32_t left = 0;
    int first = 0, last = BINS - 1, before = 0, best = 0;
    while (bins[first] == 0) {
        first++;
    }
    while (bins[last] == 0) {
        last--;
    }
    float least_cost = INFINITY;
    for (int bin = first; bin <= last; bin++) {
        if (bins[bin] == 0) {
            continue;
        }
        const uint32_t right = counted - left;
        if (left > least && right > least) {
            const float cost =
                filled(left, node) * (float)(before - first + 1) + filled(right, node) * (float)(last - bin + 1);
            if (cost < least_cost) {
                least_cost = cost;
                best = bin;
            }
        }
        left += bins[bin];
        before = bin;
    }
    return best;
}

static int find_cut(const tmb_wide_item *items, size_t count, size_t step, uint32_t node, const bin_scale *s)
{
    uint32_t bins[BINS] = {0}, counted = 0;
    for (size_t i = 0; i < count; i += step, counted++) {
        bins[(int)bin_of(s, &items[i])]++; /* what is counted is also what the bounds are of */
    }
    return best_bin(bins, counted, step == 1 ? node : 1);
}

/* Those before a bin to one end of the other array, the others to the other; how many are before it. */
static size_t move_items(const tmb_wide_item *from, size_t count, const bin_scale *s, float bin, tmb_wide_item *to)
{
    tmb_wide_item *left = to, *right = to + count - 1;
    for (size_t i = 0; i < count; i++) {
        const int is_left = bin_of(s, &from[i]) < bin;
        copy_item(left, &from[i]); /* one of these two stays */
        copy_item(right, &from[i]);
        left += is_left;
        right -= !is_left;
    }
    return (size_t)(left - to);
}

/* Cuts a range in two, in `to`; returns the length of the first, which is `rank` where that is not 0. */
static size_t split_items(const tmb_wide_item *from, const tmb_wide_mesh *mesh, size_t count, int all_axes, size_t rank,
                          uint32_t node, tmb_wide_item *to)
{
    TMB_ASSERT(count >= 2);
    TMB_ASSERT(rank < count);
    const size_t step = count > COUNTED ? 8 : 1;
    const bounds b = bounds_of(from, count, step);
    const int axis = all_axes ? best_axis(from, mesh, count) : longest_axis(&b);
    const float extent = b.upper[axis] - b.lower[axis];
    const bin_scale s = {b.lower[axis], 0.999F * BINS / extent, axis};
    const int bin = extent > LEAST_EXTENT && !rank ? find_cut(from, count, step, node, &s) : 0;
    if (bin) {
        return move_items(from, count, &s, (float)bin, to);
    }
    const measure m = measure_of(&b, axis);
    memcpy(to, from, count * sizeof *to);
    rank = rank ? rank : count / 2;
    if (extent > LEAST_EXTENT) {
        select_least(to, count, rank, &m);
    }
    return rank;
}

/* ---- The recursion ---- */

/* Deeper trees are halved. */
#define FREE_DEPTH 12

typedef struct parts {
    tmb_wide_range ranges[8];
    int count;
} parts;

static size_t length_of(const tmb_wide_range *r)
{
    return r->end - r->begin;
}

/* Cuts the longest part that is too long for a node over clusters; 0 when there is none. */
static int cut_longest(tmb_wide_ordering *o, parts *p, size_t most)
{
    int longest = 0;
    for (int i = 1; i < p->count; i++) {
        longest = length_of(&p->ranges[i]) > length_of(&p->ranges[longest]) ? i : longest;
    }
    tmb_wide_range *r = &p->ranges[longest];
    if (length_of(r) <= most) {
        return 0;
    }
    const size_t rank = r->depth >= FREE_DEPTH ? left_count(length_of(r), o->leaf) : 0;
    const size_t left = split_items(o->items[r->in] + r->begin, o->mesh, length_of(r),
                                    o->options->tuning->wide.axes == TUMBLE_WIDE_ALL_AXES, rank, (uint32_t)most,
                                    o->items[!r->in] + r->begin);
    memmove(r + 1, r, (size_t)(p->count - longest) * sizeof *r);
    p->count++;
    r->in = !r->in;
    r->end = r->begin + left;
    r[1].in = r->in;
    r[1].begin = r->end;
    return 1;
}

void TMB_KERNEL_NAME(tmb_wide_order)(tmb_tasks *tasks, void *shared, const void *argument)
{
    tmb_wide_ordering *o = shared;
    const size_t most = 8 * (size_t)o->leaf;
    tmb_wide_range stack[8 * TMB_WIDE_LEVELS];
    int waiting = 1;
    size_t placed = 0;
    memcpy(&stack[0], argument, sizeof stack[0]);
    while (waiting > 0 && !atomic_load_explicit(&o->cancelled, memory_order_relaxed)) {
        const tmb_wide_range r = stack[--waiting];
        if (length_of(&r) <= most) {
            order_few(o->items[r.in] + r.begin, length_of(&r), o, o->items[0] + r.begin);
            placed += length_of(&r);
            if (placed >= TASK_LEAST) {
                tmb_wide_order_report(o, tasks, placed);
                placed = 0;
            }
            continue;
        }
        parts p = {.ranges = {r}, .count = 1};
        while (p.count < 8 && cut_longest(o, &p, most)) {
        }
        for (int k = 0; k < p.count; k++) {
            tmb_wide_range *part = &p.ranges[k];
            part->depth++;
            if (k > 0) {
                o->marks[part->begin] = (uint8_t)part->depth;
            }
            if (length_of(part) < TASK_LEAST || !tmb_tasks_add(tasks, part)) {
                stack[waiting++] = *part;
            }
        }
    }
    tmb_wide_order_report(o, tasks, placed);
}
