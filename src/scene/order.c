/* Morton order by a radix sort; cells with many boxes are sorted again within their own bounds. */
#include "scene/order.h"

#include <string.h>

#define AXIS_BITS_MOST 10
#define DIGIT_BITS_MOST 12
#define CELL_MOST (4 * TMB_TREE_FAN) /* boxes of a cell that need no order */
#define FEW 64

/* Twice the middle of a box; halves would underflow. Finite boxes of a scene are far below the largest float. */
static inline float middle(const tmb_box *box, int k)
{
    return box->lower[k] + box->upper[k];
}

/* Where the middles are: from `lower` on, in cells of 1 / `scale`, of which there are 2^bits along each axis. */
typedef struct cells {
    float lower[3], scale;
    unsigned bits;
} cells;

/* More cells than boxes, twice at least: what is in one cell needs no order. */
static unsigned bits_for(uint32_t count)
{
    unsigned bits = 3;
    while (bits < AXIS_BITS_MOST && (uint64_t)1 << (3 * bits) < 2 * (uint64_t)count) {
        bits++;
    }
    return bits;
}

/* 0 if they are all in one place. */
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
    out->bits = bits_for(count);
    out->scale = (float)(1u << out->bits) / most;
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
    const uint32_t last = (1u << c->bits) - 1;
    uint32_t key = 0;
    for (int k = 0; k < 3; k++) {
        const float at = (middle(box, k) - c->lower[k]) * c->scale;
        const uint32_t cell = at < (float)last ? (uint32_t)at : last;
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

/* By one digit of the cells. */
static void sort_by_digit(const uint64_t *items, uint64_t *to, uint32_t count, unsigned shift, unsigned bits)
{
    uint32_t places[1 << DIGIT_BITS_MOST];
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    memset(places, 0, sizeof *places << bits);
    for (uint32_t i = 0; i < count; i++) {
        places[items[i] >> shift & mask]++;
    }
    uint32_t sum = 0;
    for (uint64_t d = 0; d <= mask; d++) {
        const uint32_t here = places[d];
        places[d] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++) {
        to[places[items[i] >> shift & mask]++] = items[i];
    }
}

/* In two passes, or in four if digits would be too large; the result is in `items`. */
static void radix_sort(uint64_t *items, uint64_t *scratch, uint32_t count, unsigned key_bits)
{
    const unsigned passes = key_bits > 2 * DIGIT_BITS_MOST ? 4 : 2, digit = (key_bits + passes - 1) / passes;
    for (unsigned p = 0; p < passes; p += 2) {
        sort_by_digit(items, scratch, count, 32 + digit * p, digit);
        sort_by_digit(scratch, items, count, 32 + digit * (p + 1), digit);
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
        radix_sort(items, scratch, count, 3 * c.bits);
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
