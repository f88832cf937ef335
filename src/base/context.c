/* Context: allocator, threads, instruction set. Messages are in errors.c. */
#include "base/context.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/cpu.h"

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    TMB_ASSERT(alignment > 0 && (alignment & (alignment - 1)) == 0);
    (void)user;
    const size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static void default_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

tumble_context_options tumble_default_context_options(void)
{
    return (tumble_context_options){.simd = TUMBLE_SIMD_AUTO};
}

tumble_status tumble_context_create(const tumble_context_options *options, tumble_context **out)
{
    if (!out) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    *out = NULL;
    const tumble_context_options defaults = tumble_default_context_options();
    if (!options) {
        options = &defaults;
    }
    const int own = options->allocator.allocate != NULL;
    if (own != (options->allocator.release != NULL) || (unsigned)options->simd > TUMBLE_SIMD_AVX512) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    tumble_allocator allocator = options->allocator;
    if (!own) {
        allocator = (tumble_allocator){NULL, default_allocate, default_release};
    }
    tumble_context *context = allocator.allocate(allocator.user, sizeof *context, TMB_CACHE_LINE);
    if (!context) {
        return TUMBLE_ERROR_MEMORY;
    }
    memset(context, 0, sizeof *context);
    context->allocator = allocator;
    context->thread_count = options->thread_count ? options->thread_count : tmb_default_threads();
    context->simd = tmb_cpu_simd(options->simd);
    context->log = options->log;
    context->log_user = options->log_user;
    if (!tmb_errors_begin(&context->errors)) {
        allocator.release(allocator.user, context);
        return TUMBLE_ERROR_MEMORY;
    }
    *out = context;
    return TUMBLE_OK;
}

void tumble_context_destroy(tumble_context *context)
{
    if (context) {
        const tumble_allocator allocator = context->allocator;
        tmb_errors_end(&context->errors);
        allocator.release(allocator.user, context);
    }
}

tumble_simd tumble_context_simd(const tumble_context *context)
{
    return context ? context->simd : TUMBLE_SIMD_SCALAR;
}

void *tmb_allocate(tumble_context *context, size_t count, size_t size)
{
    TMB_ASSERT(context);
    TMB_ASSERT(size > 0);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return NULL;
    }
    return context->allocator.allocate(context->allocator.user, bytes ? bytes : 1, TMB_CACHE_LINE);
}

void tmb_release(tumble_context *context, void *pointer)
{
    TMB_ASSERT(context || !pointer);
    if (pointer) {
        context->allocator.release(context->allocator.user, pointer);
    }
}

int tmb_buffer_reserve(tumble_context *context, tmb_buffer *buffer, size_t count, size_t size, size_t used)
{
    TMB_ASSERT(context && buffer);
    TMB_ASSERT(size > 0);
    TMB_ASSERT(used <= buffer->capacity);
    TMB_ASSERT(buffer->data || buffer->capacity == 0);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        return 0;
    }
    if (bytes <= buffer->capacity) {
        return 1;
    }
    if (buffer->capacity <= SIZE_MAX / 2 && bytes < 2 * buffer->capacity) {
        bytes = 2 * buffer->capacity;
    }
    void *data = tmb_allocate(context, bytes, 1);
    if (!data) {
        return 0;
    }
    if (used) {
        memcpy(data, buffer->data, used);
    }
    tmb_release(context, buffer->data);
    buffer->data = data;
    buffer->capacity = bytes;
    return 1;
}

int tmb_buffer_append(tumble_context *context, tmb_buffer *buffer, size_t *count, const void *items, size_t more,
                      size_t size)
{
    if (more == 0) {
        return 1;
    }
    if (!tmb_buffer_reserve(context, buffer, *count + more, size, *count * size)) {
        return 0;
    }
    memcpy((char *)buffer->data + *count * size, items, more * size);
    *count += more;
    return 1;
}

void tmb_buffer_release(tumble_context *context, tmb_buffer *buffer)
{
    TMB_ASSERT(context || !buffer->data);
    tmb_release(context, buffer->data);
    buffer->data = NULL;
    buffer->capacity = 0;
}
