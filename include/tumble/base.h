/* Tumble: status codes, the context and the allocator hook. */
#ifndef TUMBLE_BASE_H
#define TUMBLE_BASE_H

#include <stdbool.h>
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

/* Conventions that hold everywhere:
 *
 * - Option structs start from their tumble_default_…() function; NULL options are the defaults. Result structs need no
 *   initialisation: a call that succeeds writes all of them. After a failure they mean nothing unless the function's
 *   comment says so.
 * - A function that can fail returns a tumble_status. After an error nothing is leaked and every handle stays valid.
 * - Destroy functions allow NULL. */

/* Every status once: name, number, meaning. */
#define TUMBLE_STATUS_LIST(X)                                                       \
    X(OK, 0, "success")                                                             \
    X(ERROR_ARGUMENT, 1, "an argument is null, out of range or contradictory")      \
    X(ERROR_MEMORY, 2, "out of memory")                                             \
    X(ERROR_NOT_FINITE, 3, "a number is NaN or infinite")                           \
    X(ERROR_INDEX, 4, "an index points outside its array")                          \
    X(ERROR_POLYGON, 5, "a polygon has fewer than three corners")                   \
    X(ERROR_TOO_LARGE, 6, "the input exceeds a size limit")                         \
    X(ERROR_POSE, 7, "a pose is not a rotation, a translation and a uniform scale") \
    X(ERROR_FILE, 8, "a file cannot be opened, read or written")                    \
    X(ERROR_FORMAT, 9, "a file is malformed, truncated or corrupted")               \
    X(ERROR_UNSUPPORTED, 10, "the format or option is not supported")               \
    X(ERROR_CANCELLED, 11, "the caller or a callback asked to stop")                \
    X(ERROR_TIMEOUT, 12, "the time-out has passed")                                 \
    X(ERROR_BUSY, 13, "the queue is full, or something is in use")                  \
    X(ERROR_DEVICE, 14, "a device failed, was lost or cannot run the kernels")

typedef enum tumble_status {
#define TUMBLE_STATUS_ENUM(name, number, text) TUMBLE_##name = number,
    TUMBLE_STATUS_LIST(TUMBLE_STATUS_ENUM)
#undef TUMBLE_STATUS_ENUM
} tumble_status;

/* "TUMBLE_ERROR_INDEX" and "an index points outside its array"; never NULL. */
TUMBLE_API const char *tumble_status_name(tumble_status status);
TUMBLE_API const char *tumble_status_text(tumble_status status);

/* "1.2.3": TUMBLE_VERSION when the library was built. */
TUMBLE_API const char *tumble_version(void);

/* Where memory comes from. `allocate` returns NULL if there is none; `alignment` is a power of two of at most 64;
 * `release` allows NULL. Both may be called from several threads at once. */
typedef struct tumble_allocator {
    void *user;
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*release)(void *user, void *pointer);
} tumble_allocator;

/* The highest instruction set to use. All give the same results; the lower ones are for tests and comparisons. */
typedef enum tumble_simd {
    TUMBLE_SIMD_AUTO = 0,
    TUMBLE_SIMD_SCALAR = 1, /* the baseline of the architecture, such as SSE2 or NEON */
    TUMBLE_SIMD_AVX2 = 2,   /* with BMI2 */
    TUMBLE_SIMD_AVX512 = 3  /* with VBMI2: Ice Lake, Zen 4 and later */
} tumble_simd;

typedef struct tumble_context_options {
    tumble_allocator allocator; /* all NULL: the C library's */
    uint32_t thread_count;      /* threads that build models; 0: one per processor; no more than 256 are used */
    tumble_simd simd;
    /* Receives every error message, on the thread that failed; NULL: silent. */
    void (*log)(void *user, tumble_status status, const char *message);
    void *log_user;
} tumble_context_options;

TUMBLE_API tumble_context_options tumble_default_context_options(void);

/* Owns the allocator, the thread count and the error messages. Everything else is created from a context and must be
 * destroyed before it. A context may be used from several threads at once. */
typedef struct tumble_context tumble_context;

TUMBLE_API tumble_status tumble_context_create(const tumble_context_options *options, tumble_context **out);
TUMBLE_API void tumble_context_destroy(tumble_context *context);

/* The last failed call of the calling thread that involved this context or anything created from it: its status and a
 * message that names the offending item. TUMBLE_OK and an empty text if none has failed. Threads never see each other's
 * messages; those of the 64 threads that failed last are kept. Copies at most `capacity` bytes into `text`, always
 * terminated; `text` may be NULL if `capacity` is 0.
 *
 * tumble_query_error (query.h) tells the same of one query, whichever thread used it. */
TUMBLE_API tumble_status tumble_last_error(const tumble_context *context, char *text, size_t capacity);

/* The instruction set in use: never TUMBLE_SIMD_AUTO. */
TUMBLE_API tumble_simd tumble_context_simd(const tumble_context *context);

#ifdef __cplusplus
}
#endif

#endif
