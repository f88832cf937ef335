#include "failing_allocator.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

void test_allocator_begin(test_allocator *memory)
{
    memset(memory, 0, sizeof *memory);
    assert_int_equal(pthread_mutex_init(&memory->lock, NULL), 0);
}

void test_allocator_end(test_allocator *memory)
{
    assert_int_equal(test_allocator_live(memory), 0);
    pthread_mutex_destroy(&memory->lock);
}

void test_allocator_fail(test_allocator *memory, size_t call, int forever)
{
    pthread_mutex_lock(&memory->lock);
    memory->calls = memory->failures = 0;
    memory->failing_call = call;
    memory->forever = forever;
    pthread_mutex_unlock(&memory->lock);
}

static size_t read_count(test_allocator *memory, const size_t *count)
{
    pthread_mutex_lock(&memory->lock);
    const size_t value = *count;
    pthread_mutex_unlock(&memory->lock);
    return value;
}

size_t test_allocator_calls(test_allocator *memory)
{
    return read_count(memory, &memory->calls);
}

size_t test_allocator_live(test_allocator *memory)
{
    return read_count(memory, &memory->live);
}

size_t test_allocator_bytes(test_allocator *memory)
{
    return read_count(memory, &memory->bytes);
}

size_t test_allocator_failures(test_allocator *memory)
{
    return read_count(memory, &memory->failures);
}

/* Rubbish: a library that forgets to set a value reads large numbers and NaN rather than zeros. */
static void *allocate(void *user, size_t size, size_t alignment)
{
    test_allocator *memory = user;
    pthread_mutex_lock(&memory->lock);
    const size_t call = ++memory->calls;
    const int fails =
        memory->failing_call && (call == memory->failing_call || (memory->forever && call > memory->failing_call));
    memory->failures += (size_t)fails;
    void *block = NULL;
    if (!fails && alignment <= 64 && posix_memalign(&block, alignment, size) == 0) {
        memory->live++;
        memory->bytes += malloc_usable_size(block);
        memset(block, 0xff, size);
    } else {
        block = NULL;
    }
    pthread_mutex_unlock(&memory->lock);
    return block;
}

/* Rubbish again, for those that still read it; through a pointer, as compilers leave out what nobody may read. */
static void *(*volatile fill)(void *block, int byte, size_t size) = memset;

static void release(void *user, void *block)
{
    test_allocator *memory = user;
    if (block) {
        const size_t size = malloc_usable_size(block);
        fill(block, 0xff, size);
        pthread_mutex_lock(&memory->lock);
        memory->live--;
        memory->bytes -= size;
        pthread_mutex_unlock(&memory->lock);
        free(block);
    }
}

tumble_context_options test_context_options(test_allocator *memory, uint32_t threads, tumble_simd simd)
{
    tumble_context_options options = tumble_default_context_options();
    options.allocator = (tumble_allocator){memory, allocate, release};
    options.thread_count = threads;
    options.simd = simd;
    return options;
}

tumble_context *test_context(test_allocator *memory, uint32_t threads, tumble_simd simd)
{
    const tumble_context_options options = test_context_options(memory, threads, simd);
    tumble_context *context = NULL;
    assert_int_equal(tumble_context_create(&options, &context), TUMBLE_OK);
    assert_non_null(context);
    return context;
}
