/* Splits by surface area in bins (as in Wald 2007). */
#include "tree/edit/split.h"

#include "base/assert.h"

#define BINS 16
#define LEAST_SHARE 8 /* of the weight, as a divisor */

tmb_split_box tmb_split_union(const tmb_split_box *a, const tmb_split_box *b)
{
    tmb_split_box box = *a;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = b->lower[k] < box.lower[k] ? b->lower[k] : box.lower[k];
        box.upper[k] = b->upper[k] > box.upper[k] ? b->upper[k] : box.upper[k];
    }
    return box;
}

float tmb_split_area(const tmb_split_box *box)
{
    const float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1], z = box->upper[2] - box->lower[2];
    return x * y + y * z + z * x;
}

static float middle_of(const tmb_split_item *item, int axis)
{
    return item->box.lower[axis] + item->box.upper[axis];
}

/* ---- Bins ---- */

typedef struct bin {
    tmb_split_box box;
    uint64_t weight;
    size_t count;
} bin;

/* The range of the items' middles along an axis, and their numbers of bins. */
typedef struct ruler {
    int axis;
    float low, factor;
} ruler;

static ruler ruler_of(const tmb_split_item *items, size_t count, int axis)
{
    float low = middle_of(&items[0], axis), high = low;
    for (size_t i = 1; i < count; i++) {
        const float x = middle_of(&items[i], axis);
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    return (ruler){axis, low, high > low ? (float)BINS * 0.9999F / (high - low) : 0};
}

static int bin_of(const ruler *r, const tmb_split_item *item)
{
    const float at = (middle_of(item, r->axis) - r->low) * r->factor;
    return at > 0 ? at < BINS - 1 ? (int)at : BINS - 1 : 0;
}

static void add_to_bin(bin *b, const bin *more)
{
    b->box = b->count ? tmb_split_union(&b->box, &more->box) : more->box;
    b->weight += more->weight;
    b->count += more->count;
}

/* The best cut along an axis: in front of a bin. */
typedef struct cut {
    ruler ruler;
    int bin;
    double cost;
} cut;

static double cost_of(const bin *b)
{
    return (double)tmb_split_area(&b->box) * (double)b->weight;
}

static void try_axis(const tmb_split_item *items, size_t count, int axis, cut *best)
{
    bin bins[BINS] = {0}, right[BINS + 1] = {0}, left = {0};
    const ruler r = ruler_of(items, count, axis);
    for (size_t i = 0; i < count; i++) {
        const bin one = {items[i].box, items[i].weight, 1};
        add_to_bin(&bins[bin_of(&r, &items[i])], &one);
    }
    for (int i = BINS - 1; i >= 0; i--) {
        right[i] = right[i + 1];
        if (bins[i].count) {
            add_to_bin(&right[i], &bins[i]);
        }
    }
    const uint64_t least = right[0].weight / LEAST_SHARE;
    for (int i = 1; i < BINS; i++) {
        if (bins[i - 1].count) {
            add_to_bin(&left, &bins[i - 1]);
        }
        const double cost = cost_of(&left) + cost_of(&right[i]);
        if (left.count && right[i].count && left.weight >= least && right[i].weight >= least &&
            (best->bin == 0 || cost < best->cost)) {
            *best = (cut){r, i, cost};
        }
    }
}

static size_t partition(tmb_split_item *items, size_t count, const cut *c)
{
    size_t low = 0, high = count;
    while (low < high) {
        if (bin_of(&c->ruler, &items[low]) < c->bin) {
            low++;
        } else {
            const tmb_split_item item = items[low];
            items[low] = items[--high];
            items[high] = item;
        }
    }
    return low;
}

/* ---- Halves ---- */

/* Puts the item with rank `rank` along an axis in its place, with smaller ones before it (Hoare's selection; the pivot
 * is not the last item, so each turn leaves fewer). */
static void select_rank(tmb_split_item *items, size_t count, size_t rank, int axis)
{
    size_t begin = 0, end = count;
    while (end - begin > 1) {
        const float pivot = middle_of(&items[begin + (end - 1 - begin) / 2], axis);
        size_t low = begin, high = end - 1;
        for (;;) {
            while (middle_of(&items[low], axis) < pivot) {
                low++;
            }
            while (middle_of(&items[high], axis) > pivot) {
                high--;
            }
            if (low >= high) {
                break;
            }
            const tmb_split_item item = items[low];
            items[low++] = items[high];
            items[high--] = item;
        }
        if (rank <= high) {
            end = high + 1;
        } else {
            begin = high + 1;
        }
    }
}

static size_t halve(tmb_split_item *items, size_t count)
{
    tmb_split_box all = items[0].box;
    int axis = 0;
    for (size_t i = 1; i < count; i++) {
        all = tmb_split_union(&all, &items[i].box);
    }
    for (int k = 1; k < 3; k++) {
        axis = all.upper[k] - all.lower[k] > all.upper[axis] - all.lower[axis] ? k : axis;
    }
    select_rank(items, count, count / 2, axis);
    return count / 2;
}

size_t tmb_split(tmb_split_item *items, size_t count, int middle)
{
    TMB_ASSERT(count >= 2);
    cut best = {.bin = 0};
    for (int axis = 0; axis < 3 && !middle; axis++) {
        try_axis(items, count, axis, &best);
    }
    return best.bin ? partition(items, count, &best) : halve(items, count);
}
