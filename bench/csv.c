/* Tables as comma-separated values. */
#include "csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "failure.h"

void bench_csv_open(bench_csv *csv, const char *path)
{
    memset(csv, 0, sizeof *csv);
    if (!path) {
        return;
    }
    snprintf(csv->path, sizeof csv->path, "%s", path);
    csv->file = fopen(path, "w");
    if (!csv->file) {
        bench_fail("cannot write %s: does its folder exist?", path);
    }
}

/* Quotes a field where RFC 4180 asks for it. */
static void append_field(char *line, size_t *length, const char *text)
{
    const int quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (*length + 2 * strlen(text) + 4 > BENCH_CSV_LINE) {
        bench_fail("a line of a table is too long at '%s'", text);
    }
    if (*length > 0) {
        line[(*length)++] = ',';
    }
    if (quoted) {
        line[(*length)++] = '"';
    }
    for (; *text; text++) {
        if (*text == '"') {
            line[(*length)++] = '"';
        }
        line[(*length)++] = *text;
    }
    if (quoted) {
        line[(*length)++] = '"';
    }
    line[*length] = '\0';
}

void bench_csv_text(bench_csv *csv, const char *name, const char *value)
{
    if (!csv->header_done) {
        append_field(csv->header, &csv->header_length, name);
    }
    append_field(csv->row, &csv->row_length, value);
}

void bench_csv_number(bench_csv *csv, const char *name, double value)
{
    char text[32] = "";
    if (!isnan(value)) {
        snprintf(text, sizeof text, "%.6g", value);
    }
    bench_csv_text(csv, name, text);
}

void bench_csv_count(bench_csv *csv, const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    bench_csv_text(csv, name, text);
}

void bench_csv_hash(bench_csv *csv, const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    bench_csv_text(csv, name, text);
}

void bench_csv_columns(bench_csv *csv, const bench_column *columns, const void *row)
{
    for (const bench_column *column = columns; column->name; column++) {
        const void *value = (const char *)row + column->offset;
        switch (column->kind) {
        case BENCH_COLUMN_TEXT: bench_csv_text(csv, column->name, *(const char *const *)value); break;
        case BENCH_COLUMN_NUMBER: bench_csv_number(csv, column->name, *(const double *)value); break;
        case BENCH_COLUMN_COUNT: bench_csv_count(csv, column->name, *(const uint64_t *)value); break;
        case BENCH_COLUMN_SIZE: bench_csv_count(csv, column->name, *(const size_t *)value); break;
        case BENCH_COLUMN_WORD: bench_csv_count(csv, column->name, *(const uint32_t *)value); break;
        }
    }
}

void bench_columns_clear(const bench_column *columns, void *row)
{
    for (const bench_column *column = columns; column->name; column++) {
        if (column->kind == BENCH_COLUMN_NUMBER) {
            *(double *)((char *)row + column->offset) = (double)NAN;
        }
    }
}

void bench_csv_set_origin(bench_csv *csv)
{
    memcpy(csv->origin_header, csv->header, sizeof csv->header);
    memcpy(csv->origin_row, csv->row, sizeof csv->row);
    csv->header_length = csv->row_length = 0;
}

void bench_csv_end_row(bench_csv *csv)
{
    if (csv->file && !csv->header_done) {
        fprintf(csv->file, "%s,%s\n", csv->header, csv->origin_header);
    }
    if (csv->file) {
        fprintf(csv->file, "%s,%s\n", csv->row, csv->origin_row);
    }
    csv->header_done = 1;
    csv->row_length = 0;
}

void bench_csv_close(bench_csv *csv)
{
    if (csv->file && (fflush(csv->file) || ferror(csv->file) || fclose(csv->file))) {
        bench_fail("writing %s failed", csv->path);
    }
    csv->file = NULL;
}
