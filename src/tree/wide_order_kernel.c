/* Orders triangles top-down: a range is cut across its longest side at the multiple of a full subtree that is nearest
 * to its middle, until ranges fit into a cluster. Each level moves the items of a range from one array to the other
 * once. Compiled once for each instruction set; all give the same order. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "tree/wide_order.h"

#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
#include <emmintrin.h>
#endif

#if defined(TMB_KERNEL_AVX512)
#define ORDER tmb_wide_order_avx512
#elif defined(TMB_KERNEL_AVX2)
#define ORDER tmb_wide_order_avx2
#else
#define ORDER tmb_wide_order_scalar
#endif

#define SMALL 64 /* up to so many items are sorted by counting */
#define BINS 256
#define COUNTED 4096    /* of more items only each eighth is counted */
#define TASK_LEAST 8192 /* items that are worth a task of their own */

/* ---- Where to cut ---- */

/* Items on the left: a whole number of the largest full subtrees that leave something on the right. */
static size_t left_count(size_t count, uint32_t leaf)
{
    size_t full = leaf;
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
    bounds b;
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

static inline void copy_item(tmb_wide_item *to, const tmb_wide_item *from)
{
#if defined(__SSE2__) && !defined(TUMBLE_SCALAR_ONLY)
    _mm_store_ps(to->middle, _mm_load_ps(from->middle));
#else
    *to = *from;
#endif
}

/* ---- Few items: a place for each by counting those before it ---- */

/* Order of the numbers as of the floats, but for the last bits, which tell equal ones apart. */
static int32_t sort_key(float x, int32_t number)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= (int32_t)((uint32_t)(bits >> 31) >> 1);
    return (bits & ~(SMALL - 1)) | number;
}

static void sort_along(const tmb_wide_item *from, int count, int axis, tmb_wide_item *to)
{
    int32_t keys[SMALL], places[SMALL] = {0};
    const int filled = (count + 15) & ~15;
    for (int i = 0; i < count; i++) {
        keys[i] = sort_key(from[i].middle[axis], i);
    }
    for (int i = count; i < filled; i++) {
        keys[i] = INT32_MAX;
    }
    for (int j = 0; j < count; j++) {
        const int32_t key = keys[j];
        for (int i = 0; i < filled; i++) {
            places[i] += key < keys[i];
        }
    }
    for (int i = 0; i < count; i++) {
        copy_item(&to[places[i]], &from[i]);
    }
}

static void order_few(const tmb_wide_item *from, size_t count, uint32_t leaf, tmb_wide_item *to)
{
    if (count <= leaf) {
        memmove(to, from, count * sizeof *to);
        return;
    }
    tmb_wide_item sorted[SMALL];
    const bounds b = bounds_of(from, count, 1);
    const size_t left = left_count(count, leaf);
    sort_along(from, (int)count, longest_axis(&b), sorted);
    order_few(sorted, left, leaf, to);
    order_few(sorted + left, count - left, leaf, to + left);
}

/* ---- Many items: counted in bins, then moved to either side ---- */

static void exchange(tmb_wide_item *a, tmb_wide_item *b)
{
    const tmb_wide_item t = *a;
    *a = *b;
    *b = t;
}

static float median_of_three(const tmb_wide_item *items, size_t count, int axis)
{
    const float a = items[0].middle[axis], b = items[count / 2].middle[axis], c = items[count - 1].middle[axis];
    return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
}

/* Hoare's selection: the `rank` least items come first. */
static void select_least(tmb_wide_item *items, size_t count, size_t rank, int axis)
{
    while (rank > 0 && rank < count) {
        const float pivot = median_of_three(items, count, axis);
        size_t i = 0, j = count - 1;
        for (;;) {
            while (items[i].middle[axis] < pivot) {
                i++;
            }
            while (items[j].middle[axis] > pivot) {
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

/* From a coordinate to the number of its bin, not yet whole. */
typedef struct scale {
    float low, factor;
    int axis;
} scale;

static inline float bin_of(const scale *s, const tmb_wide_item *item)
{
    return (item->middle[s->axis] - s->low) * s->factor;
}

/* The bins between which the item of that rank lies, if what was counted is typical. */
typedef struct band {
    float first, last; /* bins below `first` are left, from `last` on right */
} band;

static band find_band(const tmb_wide_item *items, size_t count, size_t step, size_t rank, const scale *s)
{
    uint32_t bins[BINS] = {0}, counted = 0;
    for (size_t i = 0; i < count; i += step, counted++) {
        bins[(int)bin_of(s, &items[i])]++; /* what is counted is also what the bounds are of */
    }
    const double middle = (double)rank * counted / (double)count;
    const double margin = step == 1 ? 0 : 1.5 * sqrt((double)counted);
    double before = 0;
    int bin = 0, first;
    while (bin < BINS - 1 && before + bins[bin] <= middle - margin) {
        before += bins[bin++];
    }
    first = bin;
    while (bin < BINS - 1 && before + bins[bin] <= middle + margin) {
        before += bins[bin++];
    }
    return (band){first == 0 ? -INFINITY : (float)first, bin == BINS - 1 ? INFINITY : (float)(bin + 1)};
}

/* How many went to the left end of the other array, to its right end, and aside because they are in the band. */
typedef struct moved {
    size_t left, right, aside;
} moved;

static moved move_items(const tmb_wide_item *from, size_t count, const scale *s, band b, tmb_wide_item *to,
                        tmb_wide_item *aside)
{
    tmb_wide_item *left = to, *right = to + count - 1, *kept = aside;
    for (size_t i = 0; i < count; i++) {
        const float bin = bin_of(s, &from[i]);
        const int is_left = bin < b.first, is_right = bin >= b.last;
        copy_item(left, &from[i]); /* one of these two stays */
        copy_item(right, &from[i]);
        left += is_left;
        right -= is_right;
        if (!(is_left | is_right)) {
            copy_item(kept++, &from[i]);
        }
    }
    return (moved){(size_t)(left - to), (size_t)(to + count - 1 - right), (size_t)(kept - aside)};
}

/* The `rank` least items along the axis come first in `to`; `from` is used up. */
static void split_items(tmb_wide_item *from, size_t count, size_t rank, tmb_wide_item *to)
{
    const size_t step = count > COUNTED ? 8 : 1;
    const bounds b = bounds_of(from, count, step);
    scale s = {.axis = longest_axis(&b)};
    s.low = b.lower[s.axis];
    s.factor = (float)BINS * 0.999F / (b.upper[s.axis] - s.low);
    if (!(s.factor < 1e30F)) { /* all in one place */
        memcpy(to, from, count * sizeof *to);
        return;
    }
    const moved m = move_items(from, count, &s, find_band(from, count, step, rank, &s), to, from);
    const int typical = m.left <= rank && m.right <= count - rank;
    if (typical) {
        select_least(from, m.aside, rank - m.left, s.axis);
    }
    memcpy(to + m.left, from, m.aside * sizeof *to);
    if (!typical) {
        select_least(to, count, rank, s.axis);
    }
}

/* ---- The recursion ---- */

void ORDER(tmb_tasks *tasks, void *shared, const void *argument)
{
    tmb_wide_ordering *o = shared;
    tmb_wide_range stack[64];
    int waiting = 1;
    size_t placed = 0;
    memcpy(&stack[0], argument, sizeof stack[0]);
    while (waiting > 0 && !atomic_load_explicit(&o->cancelled, memory_order_relaxed)) {
        const tmb_wide_range r = stack[--waiting];
        const size_t count = r.end - r.begin;
        tmb_wide_item *from = o->items[r.in] + r.begin;
        if (count <= SMALL) {
            order_few(from, count, o->leaf, o->items[0] + r.begin);
            placed += count;
            if (placed >= TASK_LEAST) {
                tmb_wide_order_report(o, tasks, placed);
                placed = 0;
            }
            continue;
        }
        const size_t left = left_count(count, o->leaf);
        split_items(from, count, left, o->items[!r.in] + r.begin);
        const tmb_wide_range halves[2] = {{r.begin, r.begin + left, !r.in}, {r.begin + left, r.end, !r.in}};
        for (int k = 0; k < 2; k++) {
            if (halves[k].end - halves[k].begin < TASK_LEAST || !tmb_tasks_add(tasks, &halves[k])) {
                stack[waiting++] = halves[k];
            }
        }
    }
    tmb_wide_order_report(o, tasks, placed);
}
