/* The context: error messages and memory for every other part. */
#ifndef TUMBLE_SRC_BASE_CONTEXT_H
#define TUMBLE_SRC_BASE_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "tumble/base.h"

#define TMB_CACHE_LINE 64

struct tumble_context {
    tumble_allocator allocator;
    uint32_t thread_count; /* at least 1 */
    tumble_simd simd;      /* never AUTO */
    void (*log)(void *user, tumble_status status, const char *message);
    void *log_user;
    tmb_errors errors;
    _Atomic uint64_t edit_count;   /* of all models: see tmb_edit_mark */
    _Atomic uint64_t change_count; /* how often models that scenes use were changed: see tmb_model_note_change */
    _Atomic uint64_t scene_serial; /* of the scene that was created last */
};

/* Records the message (printf style) for the calling thread and returns `status`, so that a failing function can
 * `return tmb_fail(...)`. */
tumble_status tmb_fail(tumble_context *context, tumble_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for memory: `what` names what the memory was for. */
tumble_status tmb_fail_memory(tumble_context *context, const char *what);

#ifdef __clang_analyzer__ /* It does not look into other files, and must know that a failure is no success. */
void tmb_said(const tumble_context *context, const char *format, ...);
#define tmb_fail(context, status, ...) (tmb_said(context, __VA_ARGS__), (status))
#define tmb_fail_memory(context, what) (tmb_said(context, "%s", what), TUMBLE_ERROR_MEMORY)
#endif

/* Room for `count` items of `size` bytes, aligned to a cache line; NULL if memory runs out or the product overflows. A
 * product of 0 gives a valid pointer. */
void *tmb_allocate(tumble_context *context, size_t count, size_t size);
void tmb_release(tumble_context *context, void *pointer);

/* A growing block that keeps its capacity: scratch memory and arrays of unknown length. Zero-initialise it. */
typedef struct tmb_buffer {
    void *data;
    size_t capacity; /* bytes */
} tmb_buffer;

/* Makes room for `count` items of `size` bytes, at least doubling, and keeps the first `used` bytes; 0 if memory
 * runs out, and then nothing has changed. */
int tmb_buffer_reserve(tumble_context *context, tmb_buffer *buffer, size_t count, size_t size, size_t used);
void tmb_buffer_release(tumble_context *context, tmb_buffer *buffer);

/* Appends `more` items to the `count` that the buffer holds; 0 if memory runs out, and then nothing has changed. */
int tmb_buffer_append(tumble_context *context, tmb_buffer *buffer, size_t *count, const void *items, size_t more,
                      size_t size);

#endif
