/* An allocator that counts, can run out at any call, and hands out memory that is full of rubbish. */
#ifndef TUMBLE_TESTS_FAILING_ALLOCATOR_H
#define TUMBLE_TESTS_FAILING_ALLOCATOR_H

#include <pthread.h>
#include <stddef.h>

#include "tumble/base.h"

/* May be used from several threads. */
typedef struct test_allocator {
    pthread_mutex_t lock;
    size_t calls;        /* of `allocate`, since the last call of test_allocator_fail */
    size_t live;         /* blocks that were not released */
    size_t bytes;        /* of these, rounded up as the system does */
    size_t failing_call; /* counted from 1; 0: none */
    int forever;         /* all later calls fail too */
    size_t failures;
} test_allocator;

void test_allocator_begin(test_allocator *memory);
void test_allocator_end(test_allocator *memory); /* asserts that nothing is left */

/* Starts to count anew. From now on the given call fails, and with `forever` all that follow it; 0: none. */
void test_allocator_fail(test_allocator *memory, size_t call, int forever);

/* The counts, taken under the lock. */
size_t test_allocator_calls(test_allocator *memory);
size_t test_allocator_live(test_allocator *memory);
size_t test_allocator_bytes(test_allocator *memory);
size_t test_allocator_failures(test_allocator *memory);

/* A context that takes its memory from here. `threads` and `simd` as in tumble_context_options. */
tumble_context *test_context(test_allocator *memory, uint32_t threads, tumble_simd simd);
tumble_context_options test_context_options(test_allocator *memory, uint32_t threads, tumble_simd simd);

#endif
