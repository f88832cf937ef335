/* The comparison with other collision libraries: same meshes, same poses, one run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "machine.h"
#include "modes.h"

static const struct mode {
    const char *name, *help;
    void (*run)(experiment *e);
} modes[] = {
    {"build", "time to build a model, and its memory", mode_build},
    {"first", "yes or no, two copies of a mesh, one of them tumbling, over their distance", mode_first},
    {"all", "all pairs, the same", mode_all},
    {"gap", "yes or no, two copies that just miss or just touch each other", mode_gap},
    {"nested", "yes or no, a sphere within a slightly larger one", mode_nested},
    {"path", "yes or no and all pairs, a part that is pulled out of its housing", mode_path},
    {"distance", "minimum distance, two copies at random poses and spheres in spheres, over the gap", mode_distance},
    {"clearance", "whether two copies are closer than some distance, just missing or just within it", mode_clearance},
    {"radius", "yes or no, balls, capsules and cylinders against a mesh", mode_radius},
    {"papers", "all pairs, the scenes of Klosowski et al. 1998, beside the paper's figures of RAPID", mode_papers},
    {"plant", "yes or no and all pairs, the scenes of Figueiredo", mode_plant},
    {"scene", "scenes of many objects: broad phases, a heap, a robot's arm (--scenes)", mode_scene},
    {"self", "all pairs of one mesh that intersect outside of what they share", mode_self},
    {"ray", "the closest hit of rays, single and in batches, and all hits through corners and edges", mode_ray},
    {"point", "the closest point of a mesh, of points around it, near it and of a grid", mode_point},
    {"motion", "the first contact of two copies, one of which flies by, and its wrong answers", mode_motion},
    {"check", "missed and invented pairs, also where faces lie in common planes", mode_check},
    {NULL, NULL, NULL}};

void experiment_open_csv(const experiment *e, bench_csv *csv, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.csv", e->options->out ? e->options->out : "", name);
    bench_csv_open(csv, e->options->out ? path : NULL);
    bench_set_origin(csv, e->options->commit, e->options->seed);
}

static void print_contest(const peers_contest *contest)
{
    text_table *out = bench_allocate(1, sizeof *out);
    table_cell(out, "library");
    table_cell(out, "version");
    table_cell(out, "what is called");
    table_end_row(out);
    for (size_t i = 0; i < contest->count; i++) {
        const peers_contestant *item = &contest->items[i];
        table_cell(out, "%s", item->name);
        table_cell(out, "%s", item->peer->version);
        table_cell(out, "%s", item->bare ? "the last step alone is timed" : item->peer->method);
        table_end_row(out);
    }
    table_print(out, "Libraries");
    puts("Their adapters, and with -march=native FCL and CGAL as well, are compiled with the flags above; ODE, Bullet "
         "and "
         "Embree are the\npackages as they are.\n");
    free(out);
}

static void print_answers(const experiment *e)
{
    text_table *out = bench_allocate(1, sizeof *out);
    static const char *const head[] = {"library",    "questions", "wrong no", "wrong yes",
                                       "true pairs", "missed",    "invented"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    for (size_t i = 0; i < e->contest.count; i++) {
        const answer_count *sum = &e->answers[i];
        const uint64_t numbers[] = {sum->questions, sum->missed_hits,  sum->invented_hits,
                                    sum->pairs,     sum->missed_pairs, sum->invented_pairs};
        table_cell(out, "%s", e->contest.items[i].name);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            if (numbers[k < 3 ? 0 : 3]) {
                table_cell(out, "%llu", (unsigned long long)numbers[k]);
            } else {
                table_cell(out, "-"); /* was not asked */
            }
        }
        table_end_row(out);
    }
    table_print(out, "Answers while timed, judged wherever two libraries disagree");
    free(out);
}

static void print_scores(const experiment *e)
{
    bench_csv csv;
    experiment_open_csv(e, &csv, "goals");
    score_board_print(&e->board, &csv);
    bench_csv_close(&csv);
}

static int is_wanted(const bench_words *words, const char *name)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->items[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

static void refuse_unknown_modes(const bench_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const struct mode *mode = modes;
        while (mode->name && strcmp(mode->name, words->items[i]) != 0) {
            mode++;
        }
        if (!mode->name) {
            bench_fail("there is no mode '%s': see --help", words->items[i]);
        }
    }
}

static void run(const peers_options *options)
{
    experiment *e = bench_allocate(1, sizeof *e);
    int asked = 0;
    refuse_unknown_modes(&options->modes);
    e->options = options;
    e->contest = contest_open(&options->peers);
    goals_read(&e->board, options->goals);
    experiment_open_csv(e, &e->summary, "summary");
    bench_print_origin(stdout, options->commit);
    print_contest(&e->contest);
    for (const struct mode *mode = modes; mode->name; mode++) {
        if (is_wanted(&options->modes, mode->name)) {
            mode->run(e);
        }
    }
    for (size_t i = 0; i < e->contest.count; i++) {
        asked |= e->answers[i].questions || e->answers[i].pairs;
    }
    if (asked) {
        print_answers(e);
    }
    print_scores(e);
    bench_csv_close(&e->summary);
    free(e);
}

int main(int argc, char **argv)
{
    peers_options *options = bench_allocate(1, sizeof *options);
    const int go = peers_options_parse(options, argc - 1, argv + 1);
    if (go) {
        run(options);
    } else {
        puts("tumble_peers [options]\n\nCompares Tumble with other collision libraries. Modes:");
        for (const struct mode *mode = modes; mode->name; mode++) {
            printf("    %-8s %s\n", mode->name, mode->help);
        }
        putchar('\n');
        peers_options_help();
    }
    free(options);
    return 0;
}
