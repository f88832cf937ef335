/* What the command line says, for all commands of the benchmark alike. */
#ifndef TUMBLE_BENCH_SETTINGS_H
#define TUMBLE_BENCH_SETTINGS_H

#include <stddef.h>

enum {
    BENCH_MOST_ITEMS = 64
};

typedef struct bench_numbers {
    double items[BENCH_MOST_ITEMS];
    size_t count;
} bench_numbers;

typedef struct bench_words {
    char text[1024]; /* the words, each ended by a zero */
    const char *items[BENCH_MOST_ITEMS];
    size_t count;
} bench_words;

typedef struct bench_settings {
    bench_words shapes;
    bench_numbers sizes; /* triangles */
    bench_words modes, motions;
    bench_numbers shares; /* distances, as shares of the touching distance */
    bench_numbers threads;
    const char *variants;
    double steps, repetitions, work, seed;
    const char *csv, *summary, *commit;
    bench_words experiments; /* of the papers */
    int quick;               /* as small as it can be */

    /* Of devices. What has no items is up to each experiment, and so are 0 checks. */
    const char *device;
    bench_words poses;
    double checks, sample;
} bench_settings;

/* Reads what follows the command's name over the values that are there. Returns 0 when help was asked for. */
int bench_settings_parse(bench_settings *settings, int argc, char **argv);

/* Lists from text with commas. */
void bench_words_set(bench_words *words, const char *text);
void bench_numbers_set(bench_numbers *numbers, const char *text);

/* Whether a name, or `all`, is among the words. */
int bench_words_have(const bench_words *words, const char *name);

/* Gives up when one of the words is neither `all` nor a name in the table of experiments. Its rows take `stride` bytes
 * and begin with their names; the last one's is NULL. */
void bench_words_check(const bench_words *words, const void *table, size_t stride);

void bench_settings_help(void);

#endif
