/* Sorting by 64-bit keys without allocating. */
#ifndef TUMBLE_SRC_BASE_SORT_H
#define TUMBLE_SRC_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct tmb_sort_item {
    uint64_t key, value;
} tmb_sort_item;

/* Sorts by key; equal keys keep their order. `scratch` has the same length. Returns whichever of the two arrays holds
 * the result. */
tmb_sort_item *tmb_sort(tmb_sort_item *items, tmb_sort_item *scratch, size_t count);

#endif
