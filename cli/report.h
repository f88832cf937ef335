/* Text for people: numbers with units, tables. */
#ifndef TUMBLE_CLI_REPORT_H
#define TUMBLE_CLI_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "json.h"
#include "tumble/query.h"

typedef struct cli_word {
    char text[48];
} cli_word;

cli_word cli_format_count(uint64_t count);        /* "1,234,567" */
cli_word cli_format_duration(double seconds);     /* "35.2 µs", "1.20 s" */
cli_word cli_format_bytes(double bytes);          /* "9.00 B", "1.50 MB" (of 1000) */
cli_word cli_format_point(const double point[3]); /* "(1.5, 0, -2)" with six digits */

/* To three decimals: clocks do not know more, and JSON is read by people too. */
double cli_round_time(double time);

/* "1 pair", "2 pairs" */
cli_word cli_format_number_of(uint64_t count, const char *one, const char *many);

enum {
    CLI_TABLE_COLUMNS = 8
};

/* A table whose columns are as wide as they need to be. Start with {alignments}: a letter a column, 'l' or 'r'. */
typedef struct cli_table {
    const char *alignments;
    char **cells;
    size_t count, capacity;
    int failed;
} cli_table;

void cli_table_add(cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_table_print(cli_table *table, FILE *file, size_t indent); /* and frees it; 0 or an exit status */

/* What a query did. */
void cli_json_counters(cli_json *json, const char *key, const tumble_counters *counters);
int cli_print_counters(FILE *file, const tumble_counters *counters);

/* Of many queries: those of the first, and of the others, each `stride` bytes after the one before. The middle and the
 * largest of the times; and with their sums in words. Both return 0 or an exit status. */
int cli_query_times(const tumble_counters *first, size_t stride, size_t count, double *median, double *worst);
int cli_print_all_counters(FILE *file, const tumble_counters *first, size_t stride, size_t count);

#endif
