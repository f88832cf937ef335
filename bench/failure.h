/* How the benchmark gives up: with a message and exit status 2. */
#ifndef TUMBLE_BENCH_FAILURE_H
#define TUMBLE_BENCH_FAILURE_H

#include <stddef.h>

#include "tumble/base.h"

__attribute__((format(printf, 1, 2), noreturn)) void bench_fail(const char *format, ...);

/* Memory for `count` items, all zero; never NULL. */
void *bench_allocate(size_t count, size_t size);

/* Gives up with the context's message unless the call went well. */
void bench_require(tumble_status status, const tumble_context *context, const char *what);

#endif
