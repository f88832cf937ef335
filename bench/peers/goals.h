/* The summary: Tumble and the fastest of the others in every row of every table, and what it is to reach there. */
#ifndef TUMBLE_BENCH_PEERS_GOALS_H
#define TUMBLE_BENCH_PEERS_GOALS_H

#include "csv.h"

enum {
    GOALS_MOST = 32,
    SCORES_MOST = 512,
    SCORE_NAME = 64
};

/* What is compared: less is better, except for the speed. */
typedef enum score_unit {
    SCORE_MICROSECONDS,
    SCORE_MILLIONS_A_SECOND,
    SCORE_BYTES_A_TRIANGLE
} score_unit;

typedef struct goal {
    char cell[SCORE_NAME];
    double each, mean; /* NaN: nothing is asked */
} goal;

typedef struct score {
    char cell[SCORE_NAME], row[SCORE_NAME],
        other[SCORE_NAME]; /* other: the fastest or leanest, empty if there is none */
    score_unit unit;
    double theirs, ours;
} score;

typedef struct score_board {
    goal goals[GOALS_MOST];
    size_t goal_count;
    score scores[SCORES_MOST];
    size_t count;
} score_board;

/* `path` may be NULL: then there are no goals. Lines are a cell and two numbers or dashes; # starts a comment. */
void goals_read(score_board *board, const char *path);

/* Whether something is asked of a cell. */
int goals_ask(const score_board *board, const char *cell);

void score_add(score_board *board, const char *cell, const char *row, score_unit unit, const char *other, double theirs,
               double ours);

/* Nothing when there are no scores. */
void score_board_print(const score_board *board, bench_csv *csv);

#endif
