#include "series.h"

#include <stdarg.h>

#include "machine.h"

void bench_series_open(bench_series *series, const bench_settings *settings, const void *table, size_t stride)
{
    bench_words_check(&settings->experiments, table, stride);
    series->settings = settings;
    bench_csv_open(&series->csv, settings->csv);
}

void bench_series_set_origin(bench_series *series)
{
    bench_set_origin(&series->csv, series->settings->commit, series->settings->seed);
    bench_print_origin(stdout, series->settings->commit);
}

int bench_series_wants(bench_series *series, const char *name, const char *title)
{
    if (!bench_words_have(&series->settings->experiments, name)) {
        return 0;
    }
    printf("\n== %s: %s\n\n", name, title);
    series->experiment = name;
    return 1;
}

void bench_complain(bench_series *series, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "tumble_bench: %s: ", series->experiment);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    series->differ = 1;
}

int bench_series_close(bench_series *series)
{
    bench_csv_close(&series->csv);
    return series->differ;
}
