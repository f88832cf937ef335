/* Orders in which boxes are packed into the nodes of R-trees. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/sort.h"
#include "tree/rtree/rtree.h"

/* ---- Sorting ---- */

/* Floats as numbers that have the same order. */
static uint32_t ordered(float x)
{
    TMB_ASSERT(!isnan(x));
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}

/* Puts items into the order of keys, which have their places as values. */
static void arrange(tmb_rtree_item *items, size_t count, tmb_sort_item *keys)
{
    tmb_sort_item *other = keys + count, *sorted = tmb_sort(keys, other, count);
    tmb_rtree_item *moved = (tmb_rtree_item *)(void *)(sorted == keys ? other : keys);
    for (size_t i = 0; i < count; i++) {
        moved[i] = items[sorted[i].value];
    }
    memcpy(items, moved, count * sizeof *items);
}

static void sort_along(tmb_rtree_item *items, size_t count, int axis, tmb_sort_item *keys)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    for (size_t i = 0; i < count; i++) {
        keys[i] = (tmb_sort_item){ordered(items[i].middle[axis]), i};
    }
    arrange(items, count, keys);
}

typedef struct extent {
    float lower[3], upper[3];
} extent;

static extent extent_of(const tmb_rtree_item *items, size_t count)
{
    extent e;
    memcpy(e.lower, items[0].middle, sizeof e.lower);
    memcpy(e.upper, items[0].middle, sizeof e.upper);
    for (size_t i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const float x = items[i].middle[k];
            e.lower[k] = x < e.lower[k] ? x : e.lower[k];
            e.upper[k] = x > e.upper[k] ? x : e.upper[k];
        }
    }
    return e;
}

/* ---- Sort-tile-recursive (Leutenegger et al. 1997) ---- */

static void pack_tiles(tmb_rtree_item *items, size_t count, uint32_t width, int axis, tmb_sort_item *keys)
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    sort_along(items, count, axis, keys);
    if (axis == 2) {
        return;
    }
    const double groups = (double)tmb_rtree_groups(count, width);
    const size_t slabs = (size_t)ceil(axis == 0 ? cbrt(groups) : sqrt(groups));
    for (size_t i = 0; i < slabs; i++) {
        const size_t begin = tmb_rtree_group(count, slabs, i), end = tmb_rtree_group(count, slabs, i + 1);
        if (end > begin) {
            pack_tiles(items + begin, end - begin, width, axis + 1, keys);
        }
    }
}

/* ---- Hilbert's curve (Kamel and Faloutsos 1994) ---- */

#define HILBERT_BITS 20

/* Coordinates into the transposed index, in place (Skilling 2004). */
static void to_hilbert(uint32_t x[3])
{
    for (uint32_t q = 1u << (HILBERT_BITS - 1); q > 1; q >>= 1) {
        for (int k = 0; k < 3; k++) {
            if (x[k] & q) {
                x[0] ^= q - 1;
            } else {
                const uint32_t t = (x[0] ^ x[k]) & (q - 1);
                x[0] ^= t;
                x[k] ^= t;
            }
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t t = 0;
    for (uint32_t q = 1u << (HILBERT_BITS - 1); q > 1; q >>= 1) {
        t ^= x[2] & q ? q - 1 : 0;
    }
    for (int k = 0; k < 3; k++) {
        x[k] ^= t;
    }
}

static uint64_t hilbert_key(const tmb_rtree_item *item, const extent *e, float factor)
{
    uint32_t x[3];
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        x[k] = (uint32_t)((item->middle[k] - e->lower[k]) * factor);
    }
    to_hilbert(x);
    for (int bit = HILBERT_BITS - 1; bit >= 0; bit--) {
        for (int k = 0; k < 3; k++) {
            key = key << 1 | (x[k] >> bit & 1);
        }
    }
    return key;
}

static void pack_curve(tmb_rtree_item *items, size_t count, tmb_sort_item *keys)
{
    const extent e = extent_of(items, count);
    float longest = 0;
    for (int k = 0; k < 3; k++) {
        longest = e.upper[k] - e.lower[k] > longest ? e.upper[k] - e.lower[k] : longest;
    }
    const float factor = longest > 1e-30F ? 0.999F * (1u << HILBERT_BITS) / longest : 0;
    for (size_t i = 0; i < count; i++) {
        keys[i] = (tmb_sort_item){hilbert_key(&items[i], &e, factor), i};
    }
    arrange(items, count, keys);
}

/* ---- Halves ---- */

/* A number of whole groups goes to the left. */
static void pack_halves(tmb_rtree_item *items, size_t count, uint32_t width, tmb_sort_item *keys)
{
    const size_t groups = tmb_rtree_groups(count, width);
    if (groups <= 1) {
        return;
    }
    const extent e = extent_of(items, count);
    int axis = 0;
    for (int k = 1; k < 3; k++) {
        axis = e.upper[k] - e.lower[k] > e.upper[axis] - e.lower[axis] ? k : axis;
    }
    sort_along(items, count, axis, keys);
    const size_t left = tmb_rtree_group(count, groups, groups / 2);
    pack_halves(items, left, width, keys);
    pack_halves(items + left, count - left, width, keys);
}

void tmb_rtree_pack(tumble_rtree_load load, tmb_rtree_item *items, size_t count, uint32_t width, void *scratch)
{
    TMB_ASSERT(count == 0 || (items && scratch));
    switch (load) {
    case TUMBLE_RTREE_LOAD_STR: pack_tiles(items, count, width, 0, scratch); break;
    case TUMBLE_RTREE_LOAD_HILBERT: pack_curve(items, count, scratch); break;
    default: pack_halves(items, count, width, scratch);
    }
}
