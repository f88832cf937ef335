/* Tables for people, in Markdown, and the summary of all ratios as a file. */
#ifndef TUMBLE_BENCH_PEERS_TABLE_H
#define TUMBLE_BENCH_PEERS_TABLE_H

#include "contest.h"
#include "csv.h"
#include "goals.h"
#include "statistics.h"

enum {
    TABLE_MOST_ROWS = 512,
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

/* Times of a question; the mean over the scenes of a row counts. */
typedef struct speed_row {
    char label[TABLE_CELL];
    size_t scenes;
    double microseconds[PEERS_MOST]; /* sums; NaN for what is not offered */
} speed_row;

typedef struct speed_table {
    const peers_contest *contest;
    const char *name, *title, *row_title;
    speed_row rows[TABLE_MOST_ROWS];
    size_t count;
} speed_table;

speed_table *speed_table_new(const peers_contest *contest, const char *name, const char *title, const char *row_title);

/* The row of that label is made when it is first named. */
void speed_table_add(speed_table *table, const char *label, const contest_result *results);

/* How much longer the others take than Tumble. Prints nothing when there are no rows; `summary` gets a line for each
 * cell, the board the fastest of the others in each row, and, if something is asked of it, the fastest of those that
 * leave out half of the work as the cell NAME-collide. Frees the table. */
void speed_table_finish(speed_table *table, bench_csv *summary, score_board *board);

#endif
