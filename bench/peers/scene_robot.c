/* Self-checks of a robot's arm: states per second on one core. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "bodies_contest.h"
#include "failure.h"
#include "machine.h"
#include "scenes.h"

typedef struct robot_result {
    double samples[BENCH_MOST_ITEMS];
    double rate;  /* states per second */
    size_t wrong; /* answers that are not Tumble's */
} robot_result;

static void measure(const experiment *e, const bodies_contest *contest, const robot_arm *arm, const tumble_pose *states,
                    size_t state_count, int colliding, robot_result *results)
{
    const size_t repetitions = (size_t)fmin(e->options->repetitions, BENCH_MOST_ITEMS);
    const bodies_plan plan = arm_plan(arm);
    unsigned char *answers = bench_allocate(state_count + 1, 1);
    void *worlds[BODIES_MOST];
    for (size_t i = 0; i < contest->count; i++) {
        worlds[i] = contest->items[i]->create(&plan, states);
        contest->items[i]->place_states(worlds[i], states, state_count);
        contest->items[i]->test_states(worlds[i], answers); /* warms up */
        for (size_t k = 0; k < state_count; k++) {
            results[i].wrong += answers[k] != colliding;
        }
    }
    for (size_t repetition = 0; repetition < repetitions; repetition++) {
        for (size_t i = 0; i < contest->count; i++) {
            const double start = bench_process_microseconds();
            contest->items[i]->test_states(worlds[i], answers);
            results[i].samples[repetition] = bench_process_microseconds() - start;
        }
    }
    for (size_t i = 0; i < contest->count; i++) {
        results[i].rate = 1e6 * (double)state_count / bench_median(results[i].samples, repetitions);
        contest->items[i]->destroy(worlds[i]);
    }
    free(answers);
}

static void write_rows(bench_csv *csv, const bodies_contest *contest, const robot_arm *arm, int colliding,
                       const robot_result *results)
{
    for (size_t i = 0; i < contest->count; i++) {
        bench_csv_count(csv, "links", arm->link_count);
        bench_csv_count(csv, "triangles", arm->link.view.triangle_count);
        bench_csv_count(csv, "enabled", arm->link_count * (arm->link_count - 1) / 2 - arm->disabled_count);
        bench_csv_text(csv, "states", colliding ? "colliding" : "free");
        bench_csv_text(csv, "peer", contest->items[i]->name);
        bench_csv_number(csv, "states_per_second", results[i].rate);
        bench_csv_count(csv, "wrong", results[i].wrong);
        bench_csv_end_row(csv);
    }
}

static void add_row(text_table *out, const bodies_contest *contest, const robot_arm *arm, int colliding,
                    const robot_result *results)
{
    double best = 0;
    size_t wrong = 0;
    table_cell(out, "%zu", arm->link_count);
    table_cell(out, "%zu", arm->link.view.triangle_count);
    table_cell(out, "%zu", arm->link_count * (arm->link_count - 1) / 2 - arm->disabled_count);
    table_cell(out, colliding ? "colliding" : "free");
    for (size_t i = 0; i < contest->count; i++) {
        table_cell(out, "%.0f", results[i].rate);
        best = i ? fmax(best, results[i].rate) : 0;
        wrong += results[i].wrong;
    }
    if (best > 0) {
        table_cell(out, "%.2f", results[0].rate / best);
    } else {
        table_cell(out, "-");
    }
    table_cell(out, "%zu", wrong);
    table_end_row(out);
}

static void run_arm(const experiment *e, const bodies_contest *contest, size_t links, size_t triangles, text_table *out,
                    bench_csv *csv)
{
    show_progress("an arm of %zu links of %zu triangles", links, triangles);
    robot_arm arm = arm_make(links, triangles, (uint64_t)e->options->seed);
    for (int colliding = 0; colliding < 2; colliding++) {
        robot_result results[BODIES_MOST];
        size_t count = (size_t)e->options->states;
        tumble_pose *states = arm_states(&arm, colliding, &count, (uint64_t)e->options->seed);
        memset(results, 0, sizeof results);
        if (count) {
            measure(e, contest, &arm, states, count, colliding, results);
            write_rows(csv, contest, &arm, colliding, results);
            add_row(out, contest, &arm, colliding, results);
        }
        free(states);
    }
    show_progress("%s", "");
    arm_free(&arm);
}

void scene_robot(experiment *e)
{
    const bodies_contest contest = bodies_contest_open(&e->options->peers, 1);
    text_table *out = bench_allocate(1, sizeof *out);
    bench_csv csv;
    experiment_open_csv(e, &csv, "scene-robot");
    table_cell(out, "links");
    table_cell(out, "triangles");
    table_cell(out, "pairs");
    table_cell(out, "states");
    for (size_t i = 0; i < contest.count; i++) {
        table_cell(out, "%s", contest.items[i]->name);
    }
    table_cell(out, "tumble / best other");
    table_cell(out, "disagree");
    table_end_row(out);
    for (size_t i = 0; i < e->options->links.count; i++) {
        for (size_t k = 0; k < e->options->link_triangles.count; k++) {
            run_arm(e, &contest, (size_t)e->options->links.items[i], (size_t)e->options->link_triangles.items[k], out,
                    &csv);
        }
    }
    table_print(out, "Self-checks of a robot's arm: states per second on one core");
    bench_csv_close(&csv);
    free(out);
}
