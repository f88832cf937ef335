/* What is counted, and under which name. */
#include <stdio.h>

#include "failure.h"
#include "instructions.h"

#ifdef TUMBLE_HAVE_CALLGRIND
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS_AT(name) bench_fail("compiled without valgrind's headers")
#endif

void start_counting(void)
{
    CALLGRIND_START_INSTRUMENTATION;
}

void end_counting(const engine *e, const char *what, const char *shape)
{
    char name[256];
    CALLGRIND_STOP_INSTRUMENTATION;
    snprintf(name, sizeof name, "%s,%s,%s", e->variant->name, what, shape);
    CALLGRIND_DUMP_STATS_AT(name);
}
