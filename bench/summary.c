/* Ratios to the first variant, as geometric means over many scenes. */
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

bench_summary bench_summary_begin(const bench_variants *variants)
{
    bench_summary summary = {.variants = variants};
    summary.means = bench_allocate(variants->count * BENCH_MOST_COLUMNS, sizeof *summary.means);
    return summary;
}

static size_t column_of(bench_summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->column_count; i++) {
        if (strcmp(summary->columns[i], name) == 0) {
            return i;
        }
    }
    if (summary->column_count == BENCH_MOST_COLUMNS) {
        bench_fail("a summary has at most %d columns", BENCH_MOST_COLUMNS);
    }
    snprintf(summary->columns[summary->column_count], sizeof summary->columns[0], "%s", name);
    return summary->column_count++;
}

static double value_at(const double *values, size_t stride, size_t index)
{
    double value;
    memcpy(&value, (const char *)values + stride * index, sizeof value);
    return value;
}

void bench_summary_add(bench_summary *summary, const char *column, const double *values, size_t stride)
{
    const size_t count = summary->variants->count, place = column_of(summary, column);
    for (size_t i = 0; i < count; i++) {
        if (!(value_at(values, stride, i) > 0)) {
            return;
        }
    }
    for (size_t i = 0; i < count; i++) {
        bench_geometric_add(&summary->means[i * BENCH_MOST_COLUMNS + place],
                            value_at(values, stride, i) / value_at(values, stride, 0));
    }
}

static int name_width(const bench_variants *variants)
{
    size_t longest = 7;
    for (size_t i = 0; i < variants->count; i++) {
        const size_t length = strlen(variants->items[i].name);
        longest = length > longest ? length : longest;
    }
    return (int)longest;
}

static int column_width(const char *name)
{
    return strlen(name) < 6 ? 6 : (int)strlen(name);
}

void bench_summary_print(const bench_summary *summary, const char *title)
{
    const int width = name_width(summary->variants);
    printf("%s, relative to %s (geometric means; below 1 is better)\n", title, summary->variants->items[0].name);
    printf("%-*s", width, "variant");
    for (size_t column = 0; column < summary->column_count; column++) {
        printf("  %*s", column_width(summary->columns[column]), summary->columns[column]);
    }
    putchar('\n');
    for (size_t i = 0; i < summary->variants->count; i++) {
        printf("%-*s", width, summary->variants->items[i].name);
        for (size_t column = 0; column < summary->column_count; column++) {
            const double value = bench_geometric_value(&summary->means[i * BENCH_MOST_COLUMNS + column]);
            if (isnan(value)) {
                printf("  %*s", column_width(summary->columns[column]), "-");
            } else {
                printf("  %*.3f", column_width(summary->columns[column]), value);
            }
        }
        putchar('\n');
    }
    putchar('\n');
}

void bench_summary_write(const bench_summary *summary, const char *prefix, bench_csv *csv)
{
    for (size_t i = 0; i < summary->variants->count; i++) {
        for (size_t column = 0; column < summary->column_count; column++) {
            char quantity[64];
            snprintf(quantity, sizeof quantity, "%s %s", prefix, summary->columns[column]);
            bench_csv_text(csv, "variant", summary->variants->items[i].name);
            bench_csv_text(csv, "quantity", quantity);
            bench_csv_number(csv, "relative", bench_geometric_value(&summary->means[i * BENCH_MOST_COLUMNS + column]));
            bench_csv_end_row(csv);
        }
    }
}

void bench_summary_end(bench_summary *summary)
{
    free(summary->means);
    summary->means = NULL;
}
