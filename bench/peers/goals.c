/* The summary: Tumble and the fastest of the others, and what it is to reach. */
#include "goals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "table.h"

/* ---- What is asked ---- */

static double goal_number(const char *path, const char *word)
{
    char *end = NULL;
    const double value = strtod(word, &end);
    if (strcmp(word, "-") == 0) {
        return (double)NAN;
    }
    if (end == word || *end || !(value > 0)) {
        bench_fail("%s: '%s' is neither a number nor -", path, word);
    }
    return value;
}

static void read_goal(score_board *board, const char *path, const char *line)
{
    char cell[SCORE_NAME], each[32], mean[32];
    if (line[0] == '#' || line[strspn(line, " \t\n")] == '\0') {
        return;
    }
    if (sscanf(line, "%63s %31s %31s", cell, each, mean) != 3 || board->goal_count == GOALS_MOST) {
        bench_fail("%s: not a cell and two numbers, or too many lines: %s", path, line);
    }
    goal *g = &board->goals[board->goal_count++];
    snprintf(g->cell, sizeof g->cell, "%s", cell);
    g->each = goal_number(path, each);
    g->mean = goal_number(path, mean);
}

void goals_read(score_board *board, const char *path)
{
    char line[256];
    FILE *file = path ? fopen(path, "r") : NULL;
    if (path && !file) {
        bench_fail("cannot open %s", path);
    }
    while (file && fgets(line, sizeof line, file)) {
        read_goal(board, path, line);
    }
    if (file) {
        fclose(file);
    }
}

static const goal *find_goal(const score_board *board, const char *cell)
{
    for (size_t i = 0; i < board->goal_count; i++) {
        if (strcmp(board->goals[i].cell, cell) == 0) {
            return &board->goals[i];
        }
    }
    return NULL;
}

int goals_ask(const score_board *board, const char *cell)
{
    return find_goal(board, cell) != NULL;
}

/* ---- What is reached ---- */

void score_add(score_board *board, const char *cell, const char *row, score_unit unit, const char *other, double theirs,
               double ours)
{
    if (board->count == SCORES_MOST) {
        bench_fail("there are more than %d scores", SCORES_MOST);
    }
    score *s = &board->scores[board->count++];
    snprintf(s->cell, sizeof s->cell, "%s", cell);
    snprintf(s->row, sizeof s->row, "%s", row);
    snprintf(s->other, sizeof s->other, "%s", other);
    s->unit = unit;
    s->theirs = theirs;
    s->ours = ours;
}

/* How many times better Tumble is. */
static double ratio_of(const score *s)
{
    return s->unit == SCORE_MILLIONS_A_SECOND ? s->ours / s->theirs : s->theirs / s->ours;
}

/* NaN: nothing is asked, 1: reached. */
static double reaches(const score *s, double asked)
{
    if (isnan(asked)) {
        return asked;
    }
    return s->unit == SCORE_BYTES_A_TRIANGLE ? s->ours <= asked : ratio_of(s) >= asked;
}

static void number_cell(text_table *out, double value)
{
    if (isnan(value)) {
        table_cell(out, "-");
    } else {
        table_cell(out, "%.*f", value < 10 ? 2 : value < 100 ? 1 : 0, value);
    }
}

/* The last three columns, and the rest of the line in the file. */
static void finish_line(text_table *out, bench_csv *csv, const char *unit, double ratio, double asked, double reached)
{
    number_cell(out, ratio);
    if (isnan(asked)) {
        table_cell(out, "%s", "");
    } else {
        table_cell(out, strcmp(unit, "B") == 0 ? "at most %g B" : "%g", asked);
    }
    table_cell(out, "%s", isnan(reached) ? "" : reached != 0 ? "yes" : "no");
    table_end_row(out);
    bench_csv_number(csv, "ratio", ratio);
    bench_csv_number(csv, "goal", asked);
    bench_csv_text(csv, "reached", isnan(reached) ? "" : reached != 0 ? "yes" : "no");
    bench_csv_end_row(csv);
}

static void start_line(text_table *out, bench_csv *csv, const score *s, const char *unit)
{
    table_cell(out, "%s", s->cell);
    table_cell(out, "%s", s->row);
    table_cell(out, "%s", s->other);
    number_cell(out, s->theirs);
    number_cell(out, s->ours);
    table_cell(out, "%s", unit);
    bench_csv_text(csv, "cell", s->cell);
    bench_csv_text(csv, "row", s->row);
    bench_csv_text(csv, "other", s->other);
    bench_csv_number(csv, "theirs", s->theirs);
    bench_csv_number(csv, "tumble", s->ours);
    bench_csv_text(csv, "unit", unit);
}

typedef struct tally {
    size_t asked, reached;
} tally;

static void count(tally *sum, double reached)
{
    sum->asked += isnan(reached) ? 0 : 1;
    sum->reached += reached == 1;
}

/* The rows of one cell, then their geometric mean. */
static void add_cell(const score_board *board, size_t first, text_table *out, bench_csv *csv, tally *sum)
{
    static const char *const units[] = {"us", "M/s", "B"};
    const char *cell = board->scores[first].cell;
    const goal none = {.each = (double)NAN, .mean = (double)NAN}, *found = find_goal(board, cell),
               *g = found ? found : &none;
    bench_geometric_mean mean = {0, 0};
    for (size_t i = first; i < board->count; i++) {
        const score *s = &board->scores[i];
        if (strcmp(s->cell, cell) != 0) {
            continue;
        }
        const double reached = reaches(s, g->each);
        bench_geometric_add(&mean, ratio_of(s));
        start_line(out, csv, s, units[s->unit]);
        finish_line(out, csv, units[s->unit], ratio_of(s), g->each, reached);
        count(sum, reached);
    }
    if (mean.count < 2) {
        return;
    }
    score all = {.unit = board->scores[first].unit, .theirs = (double)NAN, .ours = (double)NAN};
    const double ratio = bench_geometric_value(&mean), reached = isnan(g->mean) ? g->mean : ratio >= g->mean;
    snprintf(all.cell, sizeof all.cell, "%s", cell);
    snprintf(all.row, sizeof all.row, "geometric mean");
    start_line(out, csv, &all, "");
    finish_line(out, csv, "", ratio, g->mean, reached);
    count(sum, reached);
}

static int is_first_of_cell(const score_board *board, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(board->scores[i].cell, board->scores[index].cell) == 0) {
            return 0;
        }
    }
    return 1;
}

/* One line a cell. */
static void print_short(const score_board *board)
{
    static const char *const head[] = {"cell", "rows", "mean ratio", "least", "most"};
    text_table *out = bench_allocate(1, sizeof *out);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    for (size_t first = 0; first < board->count; first++) {
        bench_geometric_mean mean = {0, 0};
        double least = INFINITY, most = 0;
        for (size_t i = first; i < board->count && is_first_of_cell(board, first); i++) {
            if (strcmp(board->scores[i].cell, board->scores[first].cell) == 0) {
                bench_geometric_add(&mean, ratio_of(&board->scores[i]));
                least = fmin(least, ratio_of(&board->scores[i]));
                most = fmax(most, ratio_of(&board->scores[i]));
            }
        }
        if (mean.count) {
            table_cell(out, "%s", board->scores[first].cell);
            table_cell(out, "%zu", mean.count);
            number_cell(out, bench_geometric_value(&mean));
            number_cell(out, least);
            number_cell(out, most);
            table_end_row(out);
        }
    }
    table_print(out, "Summary: how many times better than the best of the others");
    free(out);
}

void score_board_print(const score_board *board, bench_csv *csv)
{
    static const char *const head[] = {"cell", "row", "fastest other", "its", "tumble", "", "ratio", "goal", "reached"};
    text_table *out = bench_allocate(1, sizeof *out);
    tally sum = {0, 0};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    for (size_t i = 0; i < board->count; i++) {
        if (is_first_of_cell(board, i)) {
            add_cell(board, i, out, csv, &sum);
        }
    }
    if (board->count) {
        print_short(board);
        table_print(out, "Summary: Tumble and the fastest of the others");
        if (sum.asked) {
            printf("%zu of %zu goals are reached.\n\n", sum.reached, sum.asked);
        }
    }
    free(out);
}
