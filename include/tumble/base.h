/* Tumble: status codes, the context and the allocator hook. */
#ifndef TUMBLE_BASE_H
#define TUMBLE_BASE_H

#include <stddef.h>
#include <stdint.h>

#include "tumble/version.h"

#if defined(TUMBLE_STATIC)
#define TUMBLE_API
#elif defined(_WIN32)
#ifdef TUMBLE_BUILDING
#define TUMBLE_API __declspec(dllexport)
#else
#define TUMBLE_API __declspec(dllimport)
#endif
#else
#define TUMBLE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Every code once: name, number, what it means. */
#define TUMBLE_STATUS_LIST(X)                                                       \
    X(OK, 0, "success")                                                             \
    X(ERROR_ARGUMENT, 1, "an argument is null, out of range or contradictory")      \
    X(ERROR_MEMORY, 2, "out of memory")                                             \
    X(ERROR_NOT_FINITE, 3, "a number is NaN or infinite")                           \
    X(ERROR_INDEX, 4, "an index points outside its array")                          \
    X(ERROR_POLYGON, 5, "a polygon has fewer than three corners")                   \
    X(ERROR_TOO_LARGE, 6, "the input exceeds a limit of size")                      \
    X(ERROR_POSE, 7, "a pose is not a rotation, a translation and a uniform scale") \
    X(ERROR_FILE, 8, "a file cannot be opened, read or written")                    \
    X(ERROR_FORMAT, 9, "a file is malformed, truncated or corrupted")               \
    X(ERROR_UNSUPPORTED, 10, "the format or option is not supported")               \
    X(ERROR_CANCELLED, 11, "the caller or a callback asked to stop")                \
    X(ERROR_TIMEOUT, 12, "the waiting time is over")                                \
    X(ERROR_BUSY, 13, "the queue is full")                                          \
    X(ERROR_DEVICE, 14, "a device failed, was lost or cannot run the kernels")

typedef enum tumble_status {
#define TUMBLE_STATUS_ENUM(name, number, text) TUMBLE_##name = number,
    TUMBLE_STATUS_LIST(TUMBLE_STATUS_ENUM)
#undef TUMBLE_STATUS_ENUM
} tumble_status;

/* "TUMBLE_ERROR_INDEX" and "an index points outside its array"; never null. */
TUMBLE_API const char *tumble_status_name(tumble_status status);
TUMBLE_API const char *tumble_status_text(tumble_status status);

/* "1.2.3", as TUMBLE_VERSION was when the library was built. */
TUMBLE_API const char *tumble_version(void);

/* Where memory comes from. `allocate` returns null when there is none; `alignment` is a power of two of at most 64;
 * `release` accepts null. Both may be called from several threads at once. */
typedef struct tumble_allocator {
    void *user;
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*release)(void *user, void *pointer);
} tumble_allocator;

/* Highest instruction set to use. All give the same results; the lower ones exist for tests and comparisons. */
typedef enum tumble_simd {
    TUMBLE_SIMD_AUTO = 0,
    TUMBLE_SIMD_SCALAR = 1, /* what every processor of the architecture has, be that SSE2 or NEON */
    TUMBLE_SIMD_AVX2 = 2,   /* with BMI2 */
    TUMBLE_SIMD_AVX512 = 3  /* with VBMI2: Ice Lake, Zen 4 and later */
} tumble_simd;

typedef struct tumble_context_options {
    size_t size;                /* set by tumble_default_context_options */
    tumble_allocator allocator; /* all null: the C library's */
    uint32_t thread_count;      /* for making models, at most 256 are used; 0: one for each processor */
    tumble_simd simd;
    /* Gets every error message, from the thread that has the error; null: silent. */
    void (*log)(void *user, tumble_status status, const char *message);
    void *log_user;
} tumble_context_options;

/* Fills in the defaults of the first `size` bytes. Programs call the function below, which passes their own size: so a
 * newer library never writes behind an older program's struct. */
TUMBLE_API void tumble_init_context_options(tumble_context_options *context_options, size_t size);
static inline tumble_context_options tumble_default_context_options(void)
{
    tumble_context_options context_options;
    tumble_init_context_options(&context_options, sizeof context_options);
    return context_options;
}

/* Owns the allocator, the thread count and the last error message. Everything is made from a context and must be
 * destroyed before it. A context may be used from several threads at once. */
typedef struct tumble_context tumble_context;

/* `options` may be null for the defaults. */
TUMBLE_API tumble_status tumble_context_create(const tumble_context_options *options, tumble_context **out);
TUMBLE_API void tumble_context_destroy(tumble_context *context);

/* The status of the last call that failed, in any thread, and its message, which names the offending item; TUMBLE_OK
 * and an empty text when none has. Copies at most `capacity` bytes into `text`, always terminated; `text` may be null
 * when `capacity` is 0. */
TUMBLE_API tumble_status tumble_last_error(const tumble_context *context, char *text, size_t capacity);

/* The instruction set in use: never TUMBLE_SIMD_AUTO. */
TUMBLE_API tumble_simd tumble_context_simd(const tumble_context *context);

#ifdef __cplusplus
}
#endif

#endif
