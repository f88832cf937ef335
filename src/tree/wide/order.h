/* The order of triangles that makes a wide hierarchy. */
#ifndef TUMBLE_SRC_TREE_WIDE_ORDER_H
#define TUMBLE_SRC_TREE_WIDE_ORDER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/kernel.h"
#include "base/tasks.h"
#include "tree/wide/wide.h"
#include "tumble/hierarchies.h"

/* A triangle, by the centre of its box in local coordinates, times two. */
typedef struct tmb_wide_item {
    _Alignas(16) float middle[3];
    uint32_t triangle;
} tmb_wide_item;

/* The triangles' points: local coordinates, the fourth is 0, and three numbers per triangle. */
typedef struct tmb_wide_mesh {
    const float (*points)[4]; /* aligned to 16 bytes */
    const uint32_t *corners;
} tmb_wide_mesh;

/* Sorts the items into spatially compact ranges of at most 8 runs of `leaf` items, compact as well, then ranges of at
 * most eight of those, and so on up to all of them. Where a range starts within one that is d - 1 steps below the
 * whole, marks[its first item] is d; all other marks, and the first of all, are 0. `scratch` is as long as `items`. The
 * result does not depend on the number of threads. */
tumble_status tmb_wide_order(tumble_context *context, const tumble_model_options *options, const tmb_wide_mesh *mesh,
                             tmb_wide_item *items, tmb_wide_item *scratch, size_t count, uint32_t leaf, uint8_t *marks);

/* For the kernels: two arrays between which ranges move, and a range in one of them. */
typedef struct tmb_wide_ordering {
    const tmb_wide_mesh *mesh;
    tmb_wide_item *items[2]; /* the result is in the first */
    uint32_t leaf;
    uint8_t *marks;
    const tumble_model_options *options; /* for the progress */
    size_t count;
    atomic_size_t done;
    atomic_int cancelled;
} tmb_wide_ordering;

/* Reports that this many more items are in place. */
void tmb_wide_order_report(tmb_wide_ordering *ordering, const tmb_tasks *tasks, size_t items);

typedef struct tmb_wide_range {
    size_t begin, end;
    uint16_t in; /* which array */
    uint16_t depth;
} tmb_wide_range;

TMB_DECLARE_KERNELS(tmb_task, tmb_wide_order);

#endif
