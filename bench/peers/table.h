/* Tables for people, in Markdown, and the summary of all ratios as a file. */
#ifndef TUMBLE_BENCH_PEERS_TABLE_H
#define TUMBLE_BENCH_PEERS_TABLE_H

#include "contest.h"
#include "csv.h"
#include "statistics.h"

enum {
    TABLE_MOST_ROWS = 64,
    TABLE_MOST_COLUMNS = PEERS_MOST + 4,
    TABLE_CELL = 96
};

typedef struct text_table {
    char cells[TABLE_MOST_ROWS][TABLE_MOST_COLUMNS][TABLE_CELL]; /* the first row is the head */
    size_t rows, columns, column;                                /* the column that is filled next */
} text_table;

/* Cells are appended to the last row; the first row decides how many there are. */
__attribute__((format(printf, 2, 3))) void table_cell(text_table *table, const char *format, ...);
void table_end_row(text_table *table);
void table_print(const text_table *table, const char *title);

/* How much longer the others take than Tumble, as geometric means over the scenes of a row. */
typedef struct speed_row {
    char label[TABLE_CELL];
    size_t scenes;
    double tumble_microseconds; /* the sum */
    bench_geometric_mean ratios[PEERS_MOST];
} speed_row;

typedef struct speed_table {
    const peers_contest *contest;
    const char *name, *title, *row_title;
    speed_row rows[TABLE_MOST_ROWS];
    size_t count;
} speed_table;

/* The row of that label is made when it is first named. */
void speed_table_add(speed_table *table, const char *label, const contest_result *results);

/* Prints nothing when there are no rows; `summary` gets a line for each cell. */
void speed_table_finish(const speed_table *table, bench_csv *summary);

#endif
