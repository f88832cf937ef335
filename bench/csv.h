/* Tables as comma-separated values, each row with where and how it was measured. */
#ifndef TUMBLE_BENCH_CSV_H
#define TUMBLE_BENCH_CSV_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    BENCH_CSV_LINE = 4096
};

/* A row is given field by field, by name and value; the names of the first row become the header. */
typedef struct bench_csv {
    FILE *file; /* NULL: nothing is written */
    char path[1024];
    char header[BENCH_CSV_LINE], row[BENCH_CSV_LINE];
    size_t header_length, row_length;
    int header_done;
    char origin_header[BENCH_CSV_LINE], origin_row[BENCH_CSV_LINE]; /* what every row ends with */
} bench_csv;

/* `path` may be NULL: then nothing is written. `origin_*` are finished fields, see bench_origin in machine.h. */
void bench_csv_open(bench_csv *csv, const char *path);
void bench_csv_text(bench_csv *csv, const char *name, const char *value);
void bench_csv_number(bench_csv *csv, const char *name, double value); /* NaN: an empty field */
void bench_csv_count(bench_csv *csv, const char *name, uint64_t value);
void bench_csv_hash(bench_csv *csv, const char *name, uint64_t value); /* in hexadecimal */

/* Fields that stand in a struct, one row of the table each; a NULL name ends it. */
typedef enum bench_column_kind {
    BENCH_COLUMN_TEXT,   /* const char * */
    BENCH_COLUMN_NUMBER, /* double */
    BENCH_COLUMN_COUNT,  /* uint64_t */
    BENCH_COLUMN_SIZE,   /* size_t */
    BENCH_COLUMN_WORD    /* uint32_t */
} bench_column_kind;

typedef struct bench_column {
    const char *name;
    bench_column_kind kind;
    size_t offset;
} bench_column;

void bench_csv_columns(bench_csv *csv, const bench_column *columns, const void *row);

/* Sets every number to NaN, which is an empty field. */
void bench_columns_clear(const bench_column *columns, void *row);

/* The fields told so far, instead of becoming a row, are repeated at the end of every row. */
void bench_csv_set_origin(bench_csv *csv);
void bench_csv_end_row(bench_csv *csv);
void bench_csv_close(bench_csv *csv);

#endif
