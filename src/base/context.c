/* Context: allocator, limits and the last error message. */
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
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

void tumble_init_context_options(tumble_context_options *context_options, size_t size)
{
    const tumble_context_options defaults = {.size = size};
    tmb_copy_defaults(context_options, size, &defaults, sizeof defaults);
}

void tmb_copy_defaults(void *out, size_t size, const void *defaults, size_t defaults_size)
{
    TMB_ASSERT(defaults && defaults_size > 0);
    if (out) {
        memset(out, 0, size);
        memcpy(out, defaults, size < defaults_size ? size : defaults_size);
    }
}

static uint32_t default_threads(void)
{
    const uint32_t count = tmb_cpu_count();
    return count > 256 ? 256 : count;
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
    if (options->size != sizeof *options || own != (options->allocator.release != NULL) ||
        (unsigned)options->simd > TUMBLE_SIMD_AVX512) {
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
    context->thread_count = options->thread_count ? options->thread_count : default_threads();
    context->simd = tmb_cpu_simd(options->simd);
    context->log = options->log;
    context->log_user = options->log_user;
    if (pthread_mutex_init(&context->error_lock, NULL) != 0) {
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
        pthread_mutex_destroy(&context->error_lock);
        allocator.release(allocator.user, context);
    }
}

tumble_simd tumble_context_simd(const tumble_context *context)
{
    return context ? context->simd : TUMBLE_SIMD_SCALAR;
}

tumble_status tumble_last_error(const tumble_context *context, char *text, size_t capacity)
{
    if (!context) {
        if (text && capacity) {
            text[0] = '\0';
        }
        return TUMBLE_ERROR_ARGUMENT;
    }
    pthread_mutex_t *lock = (pthread_mutex_t *)&context->error_lock; /* the lock is no part of the context's value */
    pthread_mutex_lock(lock);
    const tumble_status status = context->error_status;
    if (text && capacity) {
        snprintf(text, capacity, "%s", context->error_text);
    }
    pthread_mutex_unlock(lock);
    return status;
}

tumble_status tmb_fail(tumble_context *context, tumble_status status, const char *format, ...)
{
    TMB_ASSERT(context && format);
    TMB_ASSERT(status != TUMBLE_OK);
    char text[sizeof context->error_text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&context->error_lock);
    context->error_status = status;
    memcpy(context->error_text, text, sizeof text);
    pthread_mutex_unlock(&context->error_lock);
    if (context->log) {
        context->log(context->log_user, status, text);
    }
    return status;
}

tumble_status tmb_fail_memory(tumble_context *context, const char *what)
{
    TMB_ASSERT(what);
    return tmb_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for %s", what);
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

void tmb_buffer_release(tumble_context *context, tmb_buffer *buffer)
{
    TMB_ASSERT(context || !buffer->data);
    tmb_release(context, buffer->data);
    buffer->data = NULL;
    buffer->capacity = 0;
}
