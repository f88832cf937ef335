/* What the command line says. */
#include "settings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "variant.h"

void bench_words_set(bench_words *words, const char *text)
{
    words->count = 0;
    if (strlen(text) >= sizeof words->text) {
        bench_fail("the list '%s' is too long", text);
    }
    snprintf(words->text, sizeof words->text, "%s", text);
    for (char *rest = NULL, *word = strtok_r(words->text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        if (words->count == BENCH_MOST_ITEMS) {
            bench_fail("there are more than %d items in '%s'", BENCH_MOST_ITEMS, text);
        }
        words->items[words->count++] = word;
    }
    if (words->count == 0) {
        bench_fail("an empty list");
    }
}

int bench_words_have(const bench_words *words, const char *name)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->items[i], name) == 0 || strcmp(words->items[i], "all") == 0) {
            return 1;
        }
    }
    return 0;
}

static const char *name_of_row(const void *row)
{
    const char *name;
    memcpy(&name, row, sizeof name);
    return name;
}

void bench_words_check(const bench_words *words, const void *table, size_t stride)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *row = table;
        while (name_of_row(row) && strcmp(name_of_row(row), words->items[i]) != 0) {
            row += stride;
        }
        if (!name_of_row(row) && strcmp(words->items[i], "all") != 0) {
            bench_fail("there is no experiment '%s'", words->items[i]);
        }
    }
}

static double number_of(const char *word)
{
    char *end = NULL;
    const double value = strtod(word, &end);
    if (end == word || *end || !isfinite(value) || value < 0) {
        bench_fail("'%s' is not a number of at least 0", word);
    }
    return value;
}

void bench_numbers_set(bench_numbers *numbers, const char *text)
{
    bench_words words;
    bench_words_set(&words, text);
    numbers->count = words.count;
    for (size_t i = 0; i < words.count; i++) {
        numbers->items[i] = number_of(words.items[i]);
    }
}

typedef enum option_kind {
    OPTION_WORDS,
    OPTION_NUMBERS,
    OPTION_NUMBER,
    OPTION_TEXT,
    OPTION_FLAG /* has no value */
} option_kind;

static const struct option {
    const char *name, *argument, *help;
    option_kind kind;
    size_t offset;
} options[] = {
    {"shapes", "A,B", "shapes, as `tumble make` knows them", OPTION_WORDS, offsetof(bench_settings, shapes)},
    {"triangles", "N,M", "sizes", OPTION_NUMBERS, offsetof(bench_settings, sizes)},
    {"objects", "N,M", "scene: numbers of objects", OPTION_NUMBERS, offsetof(bench_settings, sizes)},
    {"variants", "V,W", "what is compared, see below; the first is the baseline", OPTION_TEXT,
     offsetof(bench_settings, variants)},
    {"modes", "M,N", "tumbling: all, first, test; device: test, first, count", OPTION_WORDS,
     offsetof(bench_settings, modes)},
    {"motions", "M,N", "deform: wave, twist, turn, mirror, scatter", OPTION_WORDS, offsetof(bench_settings, motions)},
    {"distances", "S,T", "distances, as fractions of the distance of first touch", OPTION_NUMBERS,
     offsetof(bench_settings, shares)},
    {"steps", "N", "steps of the full turn, at most", OPTION_NUMBER, offsetof(bench_settings, steps)},
    {"work", "N", "tumbling, operations: box and triangle tests per turn; fewer steps where they would be more",
     OPTION_NUMBER, offsetof(bench_settings, work)},
    {"threads", "N,M", "build, deform, device, scene: numbers of threads", OPTION_NUMBERS,
     offsetof(bench_settings, threads)},
    {"repetitions", "N", "how often each time is taken; the median counts", OPTION_NUMBER,
     offsetof(bench_settings, repetitions)},
    {"seed", "N", "seed of the random shapes", OPTION_NUMBER, offsetof(bench_settings, seed)},
    {"csv", "FILE", "write the table there", OPTION_TEXT, offsetof(bench_settings, csv)},
    {"summary", "FILE", "tumbling: write the ratios to the first variant there", OPTION_TEXT,
     offsetof(bench_settings, summary)},
    {"experiments", "E,F", "papers, proximity, device, scene: which; `all` are all of them", OPTION_WORDS,
     offsetof(bench_settings, experiments)},
    {"quick", "", "tiny models and few steps, to see that it runs; other options count more", OPTION_FLAG,
     offsetof(bench_settings, quick)},
    {"device", "D", "device: cpu (the pool of threads), opencl or opencl:n, the OpenCL device n, from 0", OPTION_TEXT,
     offsetof(bench_settings, device)},
    {"poses", "K,L", "device: touching, near, deep, mixed, same", OPTION_WORDS, offsetof(bench_settings, poses)},
    {"checks", "N", "device: checks of a batch; 0: the experiment's default", OPTION_NUMBER,
     offsetof(bench_settings, checks)},
    {"sample", "N", "device: of these, how many one thread makes at most", OPTION_NUMBER,
     offsetof(bench_settings, sample)},
    {"commit", "TEXT", "the version of the source for the table", OPTION_TEXT, offsetof(bench_settings, commit)},
    {NULL, NULL, NULL, OPTION_TEXT, 0}};

static void set_option(bench_settings *settings, const struct option *option, const char *value)
{
    void *target = (char *)settings + option->offset;
    switch (option->kind) {
    case OPTION_WORDS: bench_words_set(target, value); break;
    case OPTION_NUMBERS: bench_numbers_set(target, value); break;
    case OPTION_NUMBER: *(double *)target = number_of(value); break;
    case OPTION_TEXT: *(const char **)target = value; break;
    case OPTION_FLAG: *(int *)target = 1; break;
    }
}

static const struct option *find_option(const char *word)
{
    const struct option *option = options;
    while (option->name && !(strncmp(word, "--", 2) == 0 && strcmp(word + 2, option->name) == 0)) {
        option++;
    }
    if (!option->name) {
        bench_fail("there is no option '%s': see --help", word);
    }
    return option;
}

int bench_settings_parse(bench_settings *settings, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            return 0;
        }
        const struct option *option = find_option(argv[i]);
        if (option->kind != OPTION_FLAG && ++i == argc) {
            bench_fail("--%s needs a value: %s", option->name, option->argument);
        }
        set_option(settings, option, argv[i]);
    }
    if (settings->steps < 1 || settings->repetitions < 1) {
        bench_fail("--steps and --repetitions are at least 1");
    }
    if (settings->sample < 1) {
        bench_fail("--sample is at least 1");
    }
    return 1;
}

void bench_settings_help(void)
{
    puts("Options:");
    for (const struct option *option = options; option->name; option++) {
        char name[32];
        snprintf(name, sizeof name, "--%s %s", option->name, option->argument);
        printf("    %-18s %s\n", name, option->help);
    }
    bench_variants_help(stdout);
}
