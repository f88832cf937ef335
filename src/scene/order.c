/* Morton order by a radix sort; cells with many boxes are sorted again within their own bounds. */
#include "scene/order.h"

#include <string.h>

#define DIGIT_BITS 10
#define DIGITS (1u << DIGIT_BITS)
#define PASSES 3                     /* one for each bit of the three axes */
#define CELL_MOST (4 * TMB_TREE_FAN) /* boxes of a cell that need no order */
#define FEW 64

/* Twice the middle of a box; halves would underflow. Finite boxes of a scene are far below the largest float. */
static inline float middle(const tmb_box *box, int k)
{
    return box->lower[k] + box->upper[k];
}

/* Where the middles are: from `lower` on, in cells of 1 / `scale`. 0: they are all in one place. */
typedef struct cells {
    float lower[3], scale;
} cells;

static int set_cells(const tmb_box *boxes, const uint64_t *items, uint32_t count, cells *out)
{
    float lower[3], upper[3], most = 0;
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY, upper[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const float m = middle(&boxes[(uint32_t)items[i]], k);
            lower[k] = m < lower[k] ? m : lower[k];
            upper[k] = m > upper[k] ? m : upper[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        most = upper[k] - lower[k] > most ? upper[k] - lower[k] : most;
        out->lower[k] = lower[k];
    }
    out->scale = (float)DIGITS / most;
    return most > 0 && isfinite(out->scale) && isfinite(most);
}

/* Ten bits, each followed by two zeros. */
static inline uint32_t spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static inline uint32_t cell_of(const cells *c, const tmb_box *box)
{
    uint32_t key = 0;
    for (int k = 0; k < 3; k++) {
        const float at = (middle(box, k) - c->lower[k]) * c->scale;
        const uint32_t cell = at < (float)(DIGITS - 1) ? (uint32_t)at : DIGITS - 1;
        key |= spread(cell) << k;
    }
    return key;
}

/* By the cells in the upper halves of the items, stable. Few items are inserted one by one. */
static void insertion_sort(uint64_t *items, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint64_t item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1] >> 32 > item >> 32; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

/* The result is in `scratch`. */
static void radix_sort(uint64_t *items, uint64_t *scratch, uint32_t count)
{
    uint32_t places[PASSES][DIGITS];
    memset(places, 0, sizeof places);
    for (uint32_t i = 0; i < count; i++) {
        for (int p = 0; p < PASSES; p++) {
            places[p][items[i] >> (32 + DIGIT_BITS * p) & (DIGITS - 1)]++;
        }
    }
    for (int p = 0; p < PASSES; p++) {
        uint32_t sum = 0;
        for (uint32_t d = 0; d < DIGITS; d++) {
            const uint32_t here = places[p][d];
            places[p][d] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++) {
            scratch[places[p][items[i] >> (32 + DIGIT_BITS * p) & (DIGITS - 1)]++] = items[i];
        }
        uint64_t *other = items;
        items = scratch;
        scratch = other;
    }
}

static void sort_range(const tmb_box *boxes, uint64_t *items, uint64_t *scratch, uint32_t count);

/* Sorts the boxes of each cell that has too many. */
static void sort_cells(const tmb_box *boxes, uint64_t *items, uint64_t *scratch, uint32_t count)
{
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && items[end] >> 32 == items[begin] >> 32;) {
            end++;
        }
        if (end - begin > CELL_MOST) {
            sort_range(boxes, items + begin, scratch + begin, end - begin);
        }
    }
}

static void sort_range(const tmb_box *boxes, uint64_t *items, uint64_t *scratch, uint32_t count)
{
    cells c;
    if (!set_cells(boxes, items, count, &c)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t object = (uint32_t)items[i];
        items[i] = (uint64_t)cell_of(&c, &boxes[object]) << 32 | object;
    }
    if (count < FEW) {
        insertion_sort(items, count);
    } else {
        radix_sort(items, scratch, count);
        memcpy(items, scratch, count * sizeof *items);
    }
    sort_cells(boxes, items, scratch, count);
}

void tmb_order_boxes(const tmb_box *boxes, uint32_t *objects, uint32_t count, uint64_t *room)
{
    for (uint32_t i = 0; i < count; i++) {
        room[i] = objects[i];
    }
    sort_range(boxes, room, room + count, count);
    for (uint32_t i = 0; i < count; i++) {
        objects[i] = (uint32_t)room[i];
    }
}
