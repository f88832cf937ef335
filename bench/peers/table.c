/* Tables for people, in Markdown, and the summary of all ratios. */
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

void table_cell(text_table *table, const char *format, ...)
{
    va_list arguments;
    if (table->rows == TABLE_MOST_ROWS || table->column == TABLE_MOST_COLUMNS) {
        bench_fail("a table is too large");
    }
    va_start(arguments, format);
    vsnprintf(table->cells[table->rows][table->column++], TABLE_CELL, format, arguments);
    va_end(arguments);
}

void table_end_row(text_table *table)
{
    if (table->rows == 0) {
        table->columns = table->column;
    }
    table->rows++;
    table->column = 0;
}

static size_t width_of(const text_table *table, size_t column)
{
    size_t width = 3;
    for (size_t i = 0; i < table->rows; i++) {
        const size_t length = strlen(table->cells[i][column]);
        width = length > width ? length : width;
    }
    return width;
}

static void print_row(const text_table *table, size_t row)
{
    for (size_t i = 0; i < table->columns; i++) {
        printf(i ? "| %*s " : "| %-*s ", (int)width_of(table, i), table->cells[row][i]);
    }
    puts("|");
}

static void print_rule(const text_table *table)
{
    for (size_t i = 0; i < table->columns; i++) {
        putchar('|');
        for (size_t k = 0; k < width_of(table, i) + 1; k++) {
            putchar('-');
        }
        putchar(i ? ':' : '-');
    }
    puts("|");
}

void table_print(const text_table *table, const char *title)
{
    printf("### %s\n\n", title);
    for (size_t i = 0; i < table->rows; i++) {
        print_row(table, i);
        if (i == 0) {
            print_rule(table);
        }
    }
    putchar('\n');
    fflush(stdout);
}

/* ---- Ratios ---- */

speed_table *speed_table_new(const peers_contest *contest, const char *name, const char *title, const char *row_title)
{
    speed_table *table = bench_allocate(1, sizeof *table);
    table->contest = contest;
    table->name = name;
    table->title = title;
    table->row_title = row_title;
    return table;
}

static speed_row *row_named(speed_table *table, const char *label)
{
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->rows[i].label, label) == 0) {
            return &table->rows[i];
        }
    }
    if (table->count == TABLE_MOST_ROWS - 2) {
        bench_fail("a table is too large");
    }
    speed_row *row = &table->rows[table->count++];
    memset(row, 0, sizeof *row);
    snprintf(row->label, sizeof row->label, "%s", label);
    return row;
}

void speed_table_add(speed_table *table, const char *label, const contest_result *results)
{
    speed_row *row = row_named(table, label);
    row->scenes++;
    for (size_t i = 0; i < table->contest->count; i++) {
        row->microseconds[i] += results[i].offered ? results[i].microseconds : (double)NAN;
    }
}

/* About three significant digits, without an exponent. */
static void number_cell(text_table *out, double value)
{
    const int decimals = value < 0.1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
    if (isnan(value)) {
        table_cell(out, "-");
    } else {
        table_cell(out, "%.*f", decimals, value);
    }
}

/* The other library with the least ratio, among those that do all of the work or those that do not; 0: none. */
static size_t find_fastest(const peers_contest *contest, const double *ratios, int bare)
{
    size_t fastest = 0;
    for (size_t i = 1; i < contest->count; i++) {
        const peers_contestant *item = &contest->items[i];
        if (item->bare == bare && !item->peer->is_tumble && !isnan(ratios[i]) &&
            (fastest == 0 || ratios[i] < ratios[fastest])) {
            fastest = i;
        }
    }
    return fastest;
}

static void fastest_cell(text_table *out, const peers_contest *contest, const double *ratios)
{
    const size_t fastest = find_fastest(contest, ratios, 0);
    if (fastest) {
        table_cell(out, "%s %.2f", contest->items[fastest].name, ratios[fastest]);
    } else {
        table_cell(out, "-");
    }
}

static void add_scores(const speed_table *table, const speed_row *row, const double *ratios, score_board *board)
{
    const double scenes = (double)row->scenes;
    for (int bare = 0; bare < 2; bare++) {
        const size_t fastest = find_fastest(table->contest, ratios, bare);
        char cell[SCORE_NAME];
        snprintf(cell, sizeof cell, bare ? "%s-collide" : "%s", table->name);
        if (fastest && (!bare || goals_ask(board, cell))) {
            score_add(board, cell, row->label, SCORE_MICROSECONDS, table->contest->items[fastest].name,
                      row->microseconds[fastest] / scenes, row->microseconds[0] / scenes);
        }
    }
}

static void add_line(text_table *out, const peers_contest *contest, const char *label, double microseconds,
                     const double *ratios)
{
    table_cell(out, "%s", label);
    number_cell(out, microseconds);
    for (size_t i = 1; i < contest->count; i++) {
        number_cell(out, ratios[i]);
    }
    fastest_cell(out, contest, ratios);
    table_end_row(out);
}

static void add_head(text_table *out, const speed_table *table)
{
    table_cell(out, "%s", table->row_title);
    table_cell(out, "tumble (us)");
    for (size_t i = 1; i < table->contest->count; i++) {
        table_cell(out, "%s", table->contest->items[i].name);
    }
    table_cell(out, "fastest");
    table_end_row(out);
}

static void write_line(const speed_table *table, bench_csv *summary, const char *label, const double *ratios)
{
    for (size_t i = 0; i < table->contest->count; i++) {
        bench_csv_text(summary, "table", table->name);
        bench_csv_text(summary, "row", label);
        bench_csv_text(summary, "peer", table->contest->items[i].name);
        bench_csv_text(summary, "peer_version", table->contest->items[i].peer->version);
        bench_csv_number(summary, "relative", ratios[i]);
        bench_csv_end_row(summary);
    }
}

static void find_ratios(const speed_table *table, const speed_row *row, double *ratios)
{
    for (size_t i = 0; i < table->contest->count; i++) {
        ratios[i] = row->microseconds[i] / row->microseconds[0];
    }
}

/* Over all rows; a library that was not asked in all of them gets none. */
static void find_means(const speed_table *table, double *means)
{
    bench_geometric_mean sums[PEERS_MOST] = {{0, 0}};
    for (size_t row = 0; row < table->count; row++) {
        double ratios[PEERS_MOST];
        find_ratios(table, &table->rows[row], ratios);
        for (size_t i = 0; i < table->contest->count; i++) {
            bench_geometric_add(&sums[i], ratios[i]);
        }
    }
    for (size_t i = 0; i < table->contest->count; i++) {
        means[i] = sums[i].count == table->count ? bench_geometric_value(&sums[i]) : (double)NAN;
    }
}

static void print_speeds(const speed_table *source, bench_csv *summary, score_board *board)
{
    double ratios[PEERS_MOST] = {0};
    text_table *out = bench_allocate(1, sizeof *out);
    add_head(out, source);
    for (size_t i = 0; i < source->count; i++) {
        const speed_row *row = &source->rows[i];
        find_ratios(source, row, ratios);
        add_line(out, source->contest, row->label, row->microseconds[0] / (double)row->scenes, ratios);
        write_line(source, summary, row->label, ratios);
        add_scores(source, row, ratios, board);
    }
    if (source->count > 1) {
        find_means(source, ratios);
        add_line(out, source->contest, "geometric mean", (double)NAN, ratios);
        write_line(source, summary, "geometric-mean", ratios);
    }
    table_print(out, source->title);
    free(out);
}

void speed_table_finish(speed_table *table, bench_csv *summary, score_board *board)
{
    if (table->count) {
        print_speeds(table, summary, board);
    }
    free(table);
}
