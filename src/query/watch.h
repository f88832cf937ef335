/* Watches a query: whether to end it and, in the thread pool, whether it should donate part of its traversal. Plain
 * queries have none, unless they have a progress function. */
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
    int (*ask)(struct tmb_watch *watch); /* NULL, or tells at each step whether the query is to end */
} tmb_watch;

static inline int tmb_watch_has(const atomic_int *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

/* Whether the query is to end with TUMBLE_ERROR_CANCELLED; `watch` may be NULL. */
static inline int tmb_watch_ends(tmb_watch *watch)
{
    return watch && (tmb_watch_has(watch->cancel) || (watch->ask && watch->ask(watch)));
}

static inline int tmb_watch_calls(const tmb_watch *watch)
{
    TMB_ASSERT(watch->cancel && watch->stop && watch->hungry);
    return (tmb_watch_has(watch->cancel) | tmb_watch_has(watch->stop) | tmb_watch_has(watch->hungry)) != 0;
}

#endif
