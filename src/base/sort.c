/* Radix sort over the bytes in which keys differ; insertion sort for a few items. */
#include "base/sort.h"

#include "base/assert.h"

#define FEW 40

static void insertion_sort(tmb_sort_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const tmb_sort_item item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

static void sort_by_byte(const tmb_sort_item *from, tmb_sort_item *to, size_t count, int shift)
{
    TMB_ASSERT(from != to);
    TMB_ASSERT(shift >= 0 && shift < 64 && shift % 8 == 0);
    size_t places[256] = {0};
    for (size_t i = 0; i < count; i++) {
        places[from[i].key >> shift & 255]++;
    }
    size_t sum = 0;
    for (int i = 0; i < 256; i++) {
        const size_t here = places[i];
        places[i] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) {
        to[places[from[i].key >> shift & 255]++] = from[i];
    }
}

tmb_sort_item *tmb_sort(tmb_sort_item *items, tmb_sort_item *scratch, size_t count)
{
    TMB_ASSERT(count == 0 || (items && scratch));
    TMB_ASSERT(count == 0 || items + count <= scratch || scratch + count <= items);
    if (count < FEW) {
        insertion_sort(items, count);
        return items;
    }
    uint64_t differing = 0;
    for (size_t i = 1; i < count; i++) {
        differing |= items[i].key ^ items[0].key;
    }
    for (int shift = 0; shift < 64; shift += 8) {
        if (differing >> shift & 255) {
            sort_by_byte(items, scratch, count, shift);
            tmb_sort_item *sorted = scratch;
            scratch = items;
            items = sorted;
        }
    }
    return items;
}
