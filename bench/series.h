/* A series of experiments, of which the command line names some: what the commands that have them share. */
#ifndef TUMBLE_BENCH_SERIES_H
#define TUMBLE_BENCH_SERIES_H

#include "csv.h"
#include "settings.h"

typedef struct bench_series {
    const bench_settings *settings;
    bench_csv csv;
    const char *experiment; /* that is running */
    int differ;             /* answers were not what they have to be */
} bench_series;

/* Opens the CSV file, if one is wanted. `table` and `stride` as for bench_words_check. */
void bench_series_open(bench_series *series, const bench_settings *settings, const void *table, size_t stride);

/* Prints where and how it is measured; the rows of the CSV file say so, too. Fields that were told before come first.
 */
void bench_series_set_origin(bench_series *series);

/* Whether an experiment is wanted. If so, its title is printed, and it is the one that runs. */
int bench_series_wants(bench_series *series, const char *name, const char *title);

/* Says on stderr what is wrong, and remembers it. */
__attribute__((format(printf, 2, 3))) void bench_complain(bench_series *series, const char *format, ...);

/* Closes the CSV file. Returns the command's exit status. */
int bench_series_close(bench_series *series);

#endif
