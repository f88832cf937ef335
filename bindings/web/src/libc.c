/* What Emscripten's C library lacks. */
#include <time.h>

#if defined(__wasm__)
int timespec_get(struct timespec *time, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}
#else
typedef int web_nothing;
#endif
