/* Text for people. */
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "message.h"

/* ---- numbers ---- */

cli_word cli_format_count(uint64_t count)
{
    cli_word plain, word = {""};
    snprintf(plain.text, sizeof plain.text, "%" PRIu64, count);
    const size_t digits = strlen(plain.text);
    char *next = word.text;
    for (size_t i = 0; i < digits; i++) {
        if (i > 0 && (digits - i) % 3 == 0) {
            *next++ = ',';
        }
        *next++ = plain.text[i];
    }
    *next = '\0';
    return word;
}

/* Three digits that count, with the largest of the units that leaves a number of at least 1. */
static cli_word format_unit(double number, const char *const *units, size_t unit_count, double step)
{
    size_t unit = 0;
    while (unit + 1 < unit_count && fabs(number) >= 0.9995 * step) {
        number /= step;
        unit++;
    }
    const double size = fabs(number);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    cli_word word;
    snprintf(word.text, sizeof word.text, "%.*f %s", decimals, number, units[unit]);
    return word;
}

cli_word cli_format_duration(double seconds)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    return format_unit(1e9 * seconds, units, 4, 1000);
}

cli_word cli_format_bytes(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    return format_unit(bytes, units, 5, 1000);
}

cli_word cli_format_point(const double point[3])
{
    cli_word word;
    snprintf(word.text, sizeof word.text, "(%.6g, %.6g, %.6g)", point[0], point[1], point[2]);
    return word;
}

cli_word cli_format_number_of(uint64_t count, const char *one, const char *many)
{
    cli_word word = cli_format_count(count);
    const size_t used = strlen(word.text);
    snprintf(word.text + used, sizeof word.text - used, " %s", count == 1 ? one : many);
    return word;
}

double cli_round_time(double time)
{
    return round(1e3 * time) / 1e3;
}

/* ---- tables ---- */

static int table_grow(cli_table *table)
{
    char **cells = cli_grow(table->cells, table->count, &table->capacity, sizeof *cells);
    table->cells = cells ? cells : table->cells;
    return cells != NULL;
}

void cli_table_add(cli_table *table, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t size = strlen(text) + 1;
    char *cell = malloc(size);
    if (table->failed || !cell || !table_grow(table)) {
        free(cell);
        table->failed = 1;
        return;
    }
    memcpy(cell, text, size);
    table->cells[table->count++] = cell;
}

static size_t printed_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

/* Without blanks at the end of the line. */
static void print_row(const cli_table *table, size_t first, const size_t *widths, size_t columns, FILE *file,
                      size_t indent)
{
    size_t blanks = indent;
    for (size_t column = 0; column < columns && first + column < table->count; column++) {
        const char *cell = table->cells[first + column];
        const size_t padding = widths[column] - printed_width(cell);
        const int right = table->alignments[column] == 'r';
        if (*cell) {
            fprintf(file, "%*s%s", (int)(blanks + (right ? padding : 0)), "", cell);
            blanks = right ? 2 : padding + 2;
        } else {
            blanks += padding + 2;
        }
    }
    fputc('\n', file);
}

int cli_table_print(cli_table *table, FILE *file, size_t indent)
{
    const size_t columns = strlen(table->alignments);
    size_t widths[CLI_TABLE_COLUMNS] = {0};
    for (size_t i = 0; i < table->count; i++) {
        const size_t width = printed_width(table->cells[i]);
        widths[i % columns] = width > widths[i % columns] ? width : widths[i % columns];
    }
    for (size_t i = 0; i < table->count && !table->failed; i += columns) {
        print_row(table, i, widths, columns, file, indent);
    }
    for (size_t i = 0; i < table->count; i++) {
        free(table->cells[i]);
    }
    free(table->cells);
    const int failed = table->failed;
    *table = (cli_table){table->alignments, NULL, 0, 0, 0};
    return failed ? cli_memory_error("a table") : 0;
}

/* ---- counters ---- */

void cli_json_counters(cli_json *json, const char *key, const tumble_counters *counters)
{
    cli_json_open_object(json, key);
    cli_json_whole(json, "box_tests", counters->box_tests);
    cli_json_whole(json, "box_updates", counters->box_updates);
    cli_json_whole(json, "primitive_tests", counters->primitive_tests);
    cli_json_whole(json, "exact_tests", counters->exact_tests);
    cli_json_whole(json, "bytes_touched", counters->bytes_touched);
    cli_json_real(json, "microseconds", cli_round_time(1e6 * counters->seconds));
    cli_json_close_object(json);
}

static void add_counter(cli_table *table, const char *name, const char *symbol, uint64_t count, const char *meaning)
{
    cli_table_add(table, "%s", name);
    cli_table_add(table, "%s", symbol);
    cli_table_add(table, "%s", cli_format_count(count).text);
    cli_table_add(table, "%s", meaning);
}

int cli_print_counters(FILE *file, const tumble_counters *counters)
{
    cli_table table = {.alignments = "llrl"};
    add_counter(&table, "box tests", "N_v", counters->box_tests, "pairs of boxes compared");
    add_counter(&table, "box updates", "N_u", counters->box_updates,
                "boxes moved into the other frame; wide: pairs of nodes");
    add_counter(&table, "triangle tests", "N_p", counters->primitive_tests, "pairs of triangles compared");
    add_counter(&table, "exact tests", "", counters->exact_tests,
                "of these, the ones that plain doubles could not decide");
    add_counter(&table, "bytes touched", "", counters->bytes_touched, "of nodes and geometry");
    cli_table_add(&table, "time");
    cli_table_add(&table, " ");
    cli_table_add(&table, "%s", cli_format_duration(counters->seconds).text);
    cli_table_add(&table, "in the query");
    return cli_table_print(&table, file, 2);
}

static const tumble_counters *counters_of(const tumble_counters *first, size_t stride, size_t i)
{
    return (const tumble_counters *)(const void *)((const char *)first + i * stride);
}

static int compare_numbers(const void *one, const void *other)
{
    const double x = *(const double *)one, y = *(const double *)other;
    return (x > y) - (x < y);
}

int cli_query_times(const tumble_counters *first, size_t stride, size_t count, double *median, double *worst)
{
    double *times = malloc((count ? count : 1) * sizeof *times);
    if (!times) {
        return cli_memory_error("the times of the steps");
    }
    for (size_t i = 0; i < count; i++) {
        times[i] = counters_of(first, stride, i)->seconds;
    }
    qsort(times, count, sizeof *times, compare_numbers);
    *median = count ? times[count / 2] : 0;
    *worst = count ? times[count - 1] : 0;
    free(times);
    return 0;
}

int cli_print_all_counters(FILE *file, const tumble_counters *first, size_t stride, size_t count)
{
    tumble_counters sum = {0};
    for (size_t i = 0; i < count; i++) {
        const tumble_counters *counters = counters_of(first, stride, i);
        sum.box_tests += counters->box_tests;
        sum.box_updates += counters->box_updates;
        sum.primitive_tests += counters->primitive_tests;
        sum.exact_tests += counters->exact_tests;
        sum.bytes_touched += counters->bytes_touched;
        sum.seconds += counters->seconds;
    }
    double median = 0, worst = 0;
    const int error = cli_query_times(first, stride, count, &median, &worst);
    if (error) {
        return error;
    }
    fprintf(file, "\nAll steps together (a query took %s in the middle, %s at worst):\n",
            cli_format_duration(median).text, cli_format_duration(worst).text);
    return cli_print_counters(file, &sum);
}
