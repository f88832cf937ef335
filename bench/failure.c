/* How the benchmark gives up. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void bench_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("tumble_bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *bench_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        bench_fail("no memory for %zu items of %zu bytes", count, size);
    }
    return memory;
}

void bench_require(tumble_status status, const tumble_context *context, const char *what)
{
    char message[256] = "";
    if (status == TUMBLE_OK) {
        return;
    }
    if (context) {
        tumble_last_error(context, message, sizeof message);
    }
    bench_fail("%s: %s: %s", what, tumble_status_name(status), message);
}
