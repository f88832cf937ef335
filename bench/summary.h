/* Ratios to the first variant, as geometric means over many scenes. */
#ifndef TUMBLE_BENCH_SUMMARY_H
#define TUMBLE_BENCH_SUMMARY_H

#include "csv.h"
#include "statistics.h"
#include "variant.h"

enum {
    BENCH_MOST_COLUMNS = 48
};

typedef struct bench_summary {
    const bench_variants *variants;
    char columns[BENCH_MOST_COLUMNS][32];
    size_t column_count;
    bench_geometric_mean *means; /* [variant][column] */
} bench_summary;

bench_summary bench_summary_begin(const bench_variants *variants);

/* One scene's values for all variants, `stride` bytes apart; a column appears when it is first named. Scenes in which a
 * value is 0 for some variant are left out. */
void bench_summary_add(bench_summary *summary, const char *column, const double *values, size_t stride);

/* A table with the variants in the rows. */
void bench_summary_print(const bench_summary *summary, const char *title);

/* The same as rows of a table: variant, quantity, relative. */
void bench_summary_write(const bench_summary *summary, const char *prefix, bench_csv *csv);
void bench_summary_end(bench_summary *summary);

#endif
