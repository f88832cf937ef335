/* Where and how a measurement was made, and the clock. */
#include "machine.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "failure.h"
#include "variant.h"

/* The value of the first line of /proc/cpuinfo that starts with `key`; 0 when there is none. */
static int find_processor_line(const char *key, char *text, size_t capacity)
{
    char line[512];
    int found = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, key, strlen(key)) == 0) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(text, capacity, "%s", colon + 1 + strspn(colon + 1, " \t"));
            found = 1;
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

void bench_processor(char *text, size_t capacity)
{
    struct utsname system;
    if (!find_processor_line("model name", text, capacity)) {
        snprintf(text, capacity, "%s", uname(&system) == 0 ? system.machine : "unknown");
    }
}

static const char *best_simd(void)
{
    tumble_context *context = NULL;
    bench_require(tumble_context_create(NULL, &context), NULL, "a context");
    const tumble_simd simd = tumble_context_simd(context);
    tumble_context_destroy(context);
    return bench_simd_name(simd);
}

void bench_set_origin(bench_csv *csv, const char *commit, double seed)
{
    char processor[256], date[32] = "", operating_system[256] = "unknown";
    struct utsname system;
    const time_t now = time(NULL);
    struct tm utc;
    bench_processor(processor, sizeof processor);
    if (uname(&system) == 0) {
        snprintf(operating_system, sizeof operating_system, "%.100s %.100s", system.sysname, system.machine);
    }
    if (gmtime_r(&now, &utc)) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%MZ", &utc);
    }
    bench_csv_text(csv, "processor", processor);
    bench_csv_text(csv, "best_simd", best_simd());
    bench_csv_text(csv, "system", operating_system);
    bench_csv_text(csv, "compiler", TUMBLE_BENCH_COMPILER);
    bench_csv_text(csv, "flags", TUMBLE_BENCH_FLAGS);
    bench_csv_text(csv, "version", tumble_version());
    bench_csv_text(csv, "commit", commit);
    bench_csv_number(csv, "seed", seed);
    bench_csv_text(csv, "date", date);
    bench_csv_set_origin(csv);
}

void bench_print_origin(FILE *file, const char *commit)
{
    char processor[256];
    bench_processor(processor, sizeof processor);
    fprintf(file, "Tumble %s (%s), %s, %s, %s with %s\n\n", tumble_version(), commit, processor, best_simd(),
            TUMBLE_BENCH_COMPILER, TUMBLE_BENCH_FLAGS);
}

static double read_clock(clockid_t clock)
{
    struct timespec now = {0, 0};
    clock_gettime(clock, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

double bench_microseconds(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double bench_thread_microseconds(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double bench_process_microseconds(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
