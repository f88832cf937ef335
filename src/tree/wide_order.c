/* Orders triangles top-down: a range is cut across its longest side at the multiple of a full subtree that is nearest
 * to its middle, until ranges fit into a cluster. */
#include "tree/wide_order.h"

#include <string.h>

#include "base/tasks.h"

#define SMALL 96 /* up to so many items are selected from by comparing */
#define BINS 256
#define TASK_LEAST 8192 /* items that are worth a task of their own */

typedef struct ordering {
    tmb_wide_item *items, *scratch;
    uint32_t leaf;
} ordering;

typedef struct range {
    size_t begin, end;
} range;

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
    float lower[3], upper[3];
} bounds;

static bounds bounds_of(const tmb_wide_item *items, size_t count)
{
    bounds b;
    memcpy(b.lower, items[0].middle, sizeof b.lower);
    memcpy(b.upper, items[0].middle, sizeof b.upper);
    for (size_t i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const float x = items[i].middle[k];
            b.lower[k] = x < b.lower[k] ? x : b.lower[k];
            b.upper[k] = x > b.upper[k] ? x : b.upper[k];
        }
    }
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

/* ---- Selection: the `rank` items that are least along the axis come first ---- */

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

static void select_small(tmb_wide_item *items, size_t count, size_t rank, int axis)
{
    while (count > 1 && rank > 0 && rank < count) {
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
        /* now [0, i) <= pivot <= [i, count), but for one item in the middle when i == j, which equals the pivot */
        const size_t cut = i == j ? i + 1 : i;
        if (rank < (i == j ? i : cut)) {
            count = i;
        } else if (i == j && (rank == i || rank == cut)) {
            return;
        } else {
            items += cut, count -= cut, rank -= cut;
        }
    }
}

static void select_items(tmb_wide_item *items, tmb_wide_item *scratch, size_t count, size_t rank, int axis, float low,
                         float high)
{
    const float factor = (float)BINS * 0.999F / (high - low);
    if (count <= SMALL || !(factor < 1e30F)) {
        select_small(items, count, rank, axis);
        return;
    }
    uint32_t bins[BINS] = {0};
    for (size_t i = 0; i < count; i++) {
        bins[(int)((items[i].middle[axis] - low) * factor)]++;
    }
    size_t before = 0;
    int bin = 0;
    while (before + bins[bin] <= rank) {
        before += bins[bin++];
    }
    /* three streams: below the bin, in it, above it */
    tmb_wide_item *streams[3] = {scratch, scratch + before, scratch + before + bins[bin]};
    for (size_t i = 0; i < count; i++) {
        const int at = (int)((items[i].middle[axis] - low) * factor);
        const int which = (at >= bin) + (at > bin);
        *streams[which]++ = items[i];
    }
    memcpy(items, scratch, count * sizeof *items);
    select_small(items + before, bins[bin], rank - before, axis);
}

/* ---- The recursion ---- */

static void order_range(tmb_tasks *tasks, void *shared, const void *argument)
{
    ordering *o = shared;
    range stack[64];
    int waiting = 1;
    memcpy(&stack[0], argument, sizeof stack[0]);
    while (waiting > 0) {
        const range r = stack[--waiting];
        const size_t count = r.end - r.begin;
        if (count <= o->leaf) {
            continue;
        }
        tmb_wide_item *items = o->items + r.begin;
        const bounds b = bounds_of(items, count);
        const int axis = longest_axis(&b);
        const size_t left = left_count(count, o->leaf);
        select_items(items, o->scratch + r.begin, count, left, axis, b.lower[axis], b.upper[axis]);
        const range halves[2] = {{r.begin, r.begin + left}, {r.begin + left, r.end}};
        for (int k = 0; k < 2; k++) {
            if (halves[k].end - halves[k].begin < TASK_LEAST || !tmb_tasks_add(tasks, &halves[k])) {
                stack[waiting++] = halves[k];
            }
        }
    }
}

int tmb_wide_order(tumble_context *context, uint32_t thread_count, tmb_wide_item *items, tmb_wide_item *scratch,
                   size_t count, uint32_t leaf)
{
    ordering o = {items, scratch, leaf};
    const range all = {0, count};
    return tmb_tasks_run(context, thread_count, order_range, &o, &all, sizeof all);
}
