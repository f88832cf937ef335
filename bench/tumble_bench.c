/* The benchmark program: experiments on the library alone, each a command. */
#include <stdio.h>
#include <string.h>

#include "commands.h"

static const struct command {
    const char *name, *help;
    int (*run)(const bench_settings *settings);
    const char *shapes, *sizes; /* NULL: each of its experiments has its own, and its own modes and threads */
    const char *variants, *distances;
    double steps;
} commands[] = {{"tumbling", "time of a query while one of two copies turns, over their distance", bench_run_tumbling,
                 "sphere,torus,gear,lattice,pipes,knot,terrain", "20000", "default", "1.01,0.98,0.9,0.7,0.4", 200},
                {"build", "time to build a model over its number of triangles, and its memory", bench_run_build,
                 "sphere,torus,gear,lattice,pipes,knot,terrain", "1000,10000,100000,1000000", "default", "0", 1},
                {"operations", "floating-point operations of a box test and bytes of a node, compared with the paper",
                 bench_run_operations, "sphere,torus,gear,lattice,pipes,knot,terrain", "20000", "figure7", "0.7", 200},
                {"growth", "build, memory and queries from small models to large ones", bench_run_growth,
                 "sphere,torus,gear,lattice", "1000,10000,100000,1000000", "default", "0.9", 8},
                {"deform", "time to deform a model, compared with building it", bench_run_deform,
                 "sphere,torus,gear,lattice,pipes,knot,terrain", "1000000",
                 "default,kdop,boxtree,boxtree+layout=two-planes", "0", 1},
                {"edit", "time to insert and remove polygons, compared with building the model", bench_run_edit,
                 "sphere,gear,terrain", "100000", "default,kdop,boxtree,boxtree+layout=two-planes,rtree", "0", 1},
                {"papers", "experiments of the papers on k-DOPs and R-trees, with their own numbers", bench_run_papers,
                 "sphere", "1", "default", "1.01,0.98,0.94,0.88,0.75,0.55,0.35", 200},
                {"proximity", "distances over the gap, clearance, coherence over paths, budgets", bench_run_proximity,
                 "sphere,torus,gear,lattice", "20000", "default,k=6,k=12,k=14,kdop,k=26,boxtree,rtree", "0", 20},
                {"device", "batches, huge checks and single ones on a device, compared with one thread",
                 bench_run_device, NULL, NULL, "default", "0", 1},
                {"scene", "scenes of many objects that move: candidates, drift, few movers, memory, states, worlds",
                 bench_run_scene, "sphere", "10000,100000,1000000", "default", "0", 5},
                {NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0}};

static void print_help(void)
{
    puts("tumble_bench COMMAND [options]\n\nMeasures Tumble. Commands:");
    for (const struct command *command = commands; command->name; command++) {
        printf("    %-11s %s\n", command->name, command->help);
    }
    puts("\nExit status: 0, 1 when two variants give different answers, 2 for errors.\n");
    bench_settings_help();
}

static void set_lists(bench_settings *settings, const struct command *command)
{
    if (command->shapes) {
        bench_words_set(&settings->shapes, command->shapes);
        bench_numbers_set(&settings->sizes, command->sizes);
        bench_words_set(&settings->modes, "all,first,test");
        bench_numbers_set(&settings->threads, "1,2");
    }
    bench_words_set(&settings->experiments, "all");
    bench_words_set(&settings->motions, "wave");
    bench_numbers_set(&settings->shares, command->distances);
}

/* As small as it can be, to see that a command runs; options that are given count more. */
static void make_quick(bench_settings *settings)
{
    bench_words_set(&settings->shapes, "sphere");
    bench_numbers_set(&settings->sizes, "150");
    settings->steps = 3;
    settings->repetitions = 1;
    settings->checks = 40;
}

static int has_word(int argc, char **argv, const char *word)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], word) == 0) {
            return 1;
        }
    }
    return 0;
}

static int run_command(const struct command *command, int argc, char **argv)
{
    bench_settings settings = {.steps = command->steps,
                               .repetitions = 3,
                               .work = 5e6,
                               .seed = 1,
                               .variants = command->variants,
                               .csv = NULL,
                               .summary = NULL,
                               .commit = "unknown",
                               .device = "cpu",
                               .sample = 2000};
    set_lists(&settings, command);
    if (has_word(argc, argv, "--quick")) {
        make_quick(&settings);
    }
    if (!bench_settings_parse(&settings, argc, argv)) {
        print_help();
        return 0;
    }
    return command->run(&settings);
}

int main(int argc, char **argv)
{
    const struct command *command = commands;
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        print_help();
        return argc < 2 ? 2 : 0;
    }
    while (command->name && strcmp(command->name, argv[1]) != 0) {
        command++;
    }
    if (!command->name) {
        fprintf(stderr, "tumble_bench: there is no command '%s': see --help\n", argv[1]);
        return 2;
    }
    return run_command(command, argc - 2, argv + 2);
}
