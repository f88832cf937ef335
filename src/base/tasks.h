/* A thread pool whose tasks may add further tasks. */
#ifndef TUMBLE_SRC_BASE_TASKS_H
#define TUMBLE_SRC_BASE_TASKS_H

#include "base/assert.h"
#include "base/context.h"

typedef struct tmb_tasks tmb_tasks;

/* A task gets the pool, to add further tasks, and a copy of the `size` bytes it was added with, unaligned. */
typedef void tmb_task(tmb_tasks *tasks, void *shared, const void *argument);

/* Runs `first` and whatever it adds, on `thread_count` threads of which the calling one is the first, and returns when
 * all are done. `size` is that of every argument, at most TMB_TASK_BYTES. Runs with fewer threads if some cannot be
 * started. Returns 0, having run nothing, if memory runs out. */
#define TMB_TASK_BYTES 160
int tmb_tasks_run(tumble_context *context, uint32_t thread_count, tmb_task *run, void *shared, const void *first,
                  size_t size);

/* Adds a task from within one; 0 if the pool is full or has one thread: the caller then does the work itself. */
int tmb_tasks_add(tmb_tasks *tasks, const void *argument);

/* Whether this is the thread that called tmb_tasks_run. */
int tmb_tasks_on_caller(const tmb_tasks *tasks);

/* Calls `body` for ranges that together make up 0 .. count, on several threads. Ranges hold at most `grain` items.
 * Returns 0, having run nothing, if memory runs out; a single thread needs none. */
typedef void tmb_range_body(void *shared, size_t begin, size_t end);
int tmb_parallel_for(tumble_context *context, uint32_t thread_count, size_t count, size_t grain, tmb_range_body *body,
                     void *shared);

/* The wanted number of threads, limited so that each gets at least `least` items. */
static inline uint32_t tmb_threads_for(uint32_t wanted, size_t count, size_t least)
{
    TMB_ASSERT(wanted >= 1);
    TMB_ASSERT(least > 0);
    const size_t useful = 1 + count / (2 * least);
    return useful < wanted ? (uint32_t)useful : wanted;
}

/* The same for items that take about so many nanoseconds each: a thread gets more work than it takes to start it. */
#define TMB_THREAD_NANOSECONDS 50000
static inline uint32_t tmb_threads_for_time(uint32_t wanted, size_t count, size_t nanoseconds)
{
    return tmb_threads_for(wanted, count, TMB_THREAD_NANOSECONDS / nanoseconds);
}

#endif
