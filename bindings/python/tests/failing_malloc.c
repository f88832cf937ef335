/* Preloaded before the C library: lets the n-th allocation of the thread that asks for it fail, and all after it or it
 * alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread long remaining = -1; /* allocations that succeed; -1: all */
static __thread bool only_one;
static __thread long failed;

/* The next `count` allocations of this thread succeed, then one fails, or all do. */
void tumble_test_fail_after(long count, int one)
{
    remaining = count;
    only_one = one != 0;
    failed = 0;
}

/* Ends it; returns how many failed. */
long tumble_test_fail_end(void)
{
    remaining = -1;
    return failed;
}

static bool fails(void)
{
    if (remaining < 0) {
        return false;
    }
    if (remaining > 0) {
        remaining--;
        return false;
    }
    remaining = only_one ? -1 : 0;
    failed++;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size)
{
    return fails() ? NULL : __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *pointer = fails() ? NULL : __libc_memalign(alignment, size);
    if (!pointer) {
        return ENOMEM;
    }
    *out = pointer;
    return 0;
}
