/* What the command line says. */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

typedef enum option_kind {
    OPTION_WORDS,
    OPTION_NUMBERS,
    OPTION_NUMBER,
    OPTION_TEXT
} option_kind;

static const struct option {
    const char *name, *argument, *value, *help;
    option_kind kind;
    size_t offset;
} list[] = {{"modes", "M,N", "build,first,all,nested,gap,check", "what to measure", OPTION_WORDS,
             offsetof(peers_options, modes)},
            {"meshes", "A,B", "sphere,torus,gear,lattice,knot,pipes",
             "shapes as `tumble make` knows them; a name with a dot is a mesh file", OPTION_WORDS,
             offsetof(peers_options, meshes)},
            {"peers", "P,Q", "all", "libraries beside Tumble", OPTION_WORDS, offsetof(peers_options, peers)},
            {"triangles", "N", "20000", "size of the shapes", OPTION_NUMBER, offsetof(peers_options, triangles)},
            {"check-triangles", "N", "2500", "check: size of the shapes", OPTION_NUMBER,
             offsetof(peers_options, check_triangles)},
            {"distances", "S,T", "1.01,0.98,0.9,0.7,0.4",
             "first, all: distances, as shares of that at which the copies first touch", OPTION_NUMBERS,
             offsetof(peers_options, shares)},
            {"gaps", "G,H", "0.1,0.01,0.001", "nested: gaps between the spheres", OPTION_NUMBERS,
             offsetof(peers_options, gaps)},
            {"gap", "G", "0.001", "gap: how far from the first touch", OPTION_NUMBER, offsetof(peers_options, gap)},
            {"poses", "N", "16", "poses of each scene; a multiple of 4, which keeps quarter turns to the mode check",
             OPTION_NUMBER, offsetof(peers_options, poses)},
            {"repetitions", "N", "5", "how often each time is taken; the median counts", OPTION_NUMBER,
             offsetof(peers_options, repetitions)},
            {"patience", "S", "0.5", "seconds for a library in a scene, after which it is not repeated again",
             OPTION_NUMBER, offsetof(peers_options, patience)},
            {"seed", "N", "1", "seed of the random shapes and rotations", OPTION_NUMBER, offsetof(peers_options, seed)},
            {"out", "FOLDER", NULL, "write the tables there, as MODE.csv and summary.csv", OPTION_TEXT,
             offsetof(peers_options, out)},
            {"commit", "TEXT", "unknown", "what the tables call the version of the source", OPTION_TEXT,
             offsetof(peers_options, commit)},
            {NULL, NULL, NULL, NULL, OPTION_TEXT, 0}};

static double number_of(const char *word)
{
    bench_numbers numbers;
    bench_numbers_set(&numbers, word);
    return numbers.items[0];
}

static void set(peers_options *options, const struct option *option, const char *value)
{
    void *target = (char *)options + option->offset;
    switch (option->kind) {
    case OPTION_WORDS: bench_words_set(target, value); break;
    case OPTION_NUMBERS: bench_numbers_set(target, value); break;
    case OPTION_NUMBER: *(double *)target = number_of(value); break;
    case OPTION_TEXT: *(const char **)target = value; break;
    }
}

static const struct option *find(const char *word)
{
    const struct option *option = list;
    while (option->name && !(strncmp(word, "--", 2) == 0 && strcmp(word + 2, option->name) == 0)) {
        option++;
    }
    if (!option->name) {
        bench_fail("there is no option '%s': see --help", word);
    }
    return option;
}

int peers_options_parse(peers_options *options, int argc, char **argv)
{
    memset(options, 0, sizeof *options);
    for (const struct option *option = list; option->name; option++) {
        if (option->value) {
            set(options, option, option->value);
        }
    }
    for (int i = 0; i < argc; i += 2) {
        if (strcmp(argv[i], "--help") == 0) {
            return 0;
        }
        const struct option *option = find(argv[i]);
        if (i + 1 == argc) {
            bench_fail("--%s needs a value: %s", option->name, option->argument);
        }
        set(options, option, argv[i + 1]);
    }
    options->poses = 4 * ceil(options->poses / 4);
    if (options->poses < 1 || options->repetitions < 1) {
        bench_fail("--poses and --repetitions are at least 1");
    }
    return 1;
}

void peers_options_help(void)
{
    puts("Options:");
    for (const struct option *option = list; option->name; option++) {
        char name[40];
        snprintf(name, sizeof name, "--%s %s", option->name, option->argument);
        printf("    %-22s %s (%s)\n", name, option->help, option->value ? option->value : "nowhere");
    }
}
