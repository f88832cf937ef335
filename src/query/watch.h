/* Watches a query that the thread pool runs: whether to end it, and whether it should donate part of its traversal.
 * Plain queries have none. */
#ifndef TUMBLE_SRC_QUERY_WATCH_H
#define TUMBLE_SRC_QUERY_WATCH_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/assert.h"

struct tmb_wide_walk;

typedef struct tmb_watch {
    const atomic_int *cancel; /* nonzero: the query ends with TUMBLE_ERROR_CANCELLED */
    const atomic_int *stop;   /* nonzero: the walk ends, because another part of it has the answer */
    const atomic_int *hungry; /* nonzero: some threads have nothing to do */
    /* Called between two steps of a walk when one of these is not 0, with the number of pairs on its stack. Returns how
     * many are left there; 0 ends the walk. */
    size_t (*attend)(struct tmb_watch *watch, struct tmb_wide_walk *walk, size_t waiting);
} tmb_watch;

static inline int tmb_watch_has(const atomic_int *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

static inline int tmb_watch_calls(const tmb_watch *watch)
{
    TMB_ASSERT(watch->cancel && watch->stop && watch->hungry);
    return (tmb_watch_has(watch->cancel) | tmb_watch_has(watch->stop) | tmb_watch_has(watch->hungry)) != 0;
}

#endif
