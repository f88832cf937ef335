/* All pairs of boxes that all move. Every library starts from a fresh structure, and the median of its first steps
 * counts. */
#include <math.h>
#include <stdlib.h>

#include "broad_contest.h"
#include "failure.h"
#include "scenes.h"

typedef struct broad_result {
    double milliseconds; /* of a step */
    broad_answer answer; /* of the last one */
} broad_result;

static const char *law_name(box_law law)
{
    return law == BOX_LAW_EQUAL ? "equal" : "various";
}

/* One library after the other, so that each has the caches for itself. */
static broad_result measure(const experiment *e, const broad_peer *peer, box_law law, size_t count)
{
    const size_t steps = (size_t)fmin(e->options->repetitions, BENCH_MOST_ITEMS);
    flying_boxes flying = flying_boxes_make(law, count, 0.1, (uint64_t)e->options->seed);
    broad_result result = {.milliseconds = 0};
    double samples[BENCH_MOST_ITEMS];
    size_t reported = 0;
    show_progress("%zu boxes, %s: %s", count, law_name(law), peer->name);
    void *world = peer->create(flying.boxes, count);
    for (size_t step = 0; step < steps; step++) {
        flying_boxes_step(&flying);
        peer->place(world, flying.boxes);
        samples[step] = 1e-3 * broad_time_step(peer, world, &reported);
    }
    result.milliseconds = bench_median(samples, steps);
    result.answer = broad_judge(peer, world, reported, flying.boxes);
    peer->destroy(world);
    show_progress("%s", "");
    flying_boxes_free(&flying);
    return result;
}

static double fastest_of_others(const broad_contest *contest, const broad_result *results)
{
    double least = INFINITY;
    for (size_t i = 0; i < contest->count; i++) {
        least = contest->items[i]->is_tumble ? least : fmin(least, results[i].milliseconds);
    }
    return least;
}

static void write_rows(bench_csv *csv, const broad_contest *contest, box_law law, size_t count,
                       const broad_result *results)
{
    for (size_t i = 0; i < contest->count; i++) {
        bench_csv_count(csv, "boxes", count);
        bench_csv_text(csv, "law", law_name(law));
        bench_csv_text(csv, "peer", contest->items[i]->name);
        bench_csv_text(csv, "peer_version", contest->items[i]->version);
        bench_csv_number(csv, "milliseconds", results[i].milliseconds);
        bench_csv_count(csv, "reported", results[i].answer.reported);
        bench_csv_count(csv, "exact", results[i].answer.exact);
        bench_csv_hash(csv, "hash", results[i].answer.hash);
        bench_csv_end_row(csv);
    }
}

static void add_rows(text_table *out, const broad_contest *contest, box_law law, size_t count,
                     const broad_result *results)
{
    const double least = fastest_of_others(contest, results);
    for (size_t i = 0; i < contest->count; i++) {
        const broad_answer *answer = &results[i].answer, *truth = &results[0].answer;
        table_cell(out, "%zu, %s", count, law_name(law));
        table_cell(out, "%s", contest->items[i]->name);
        table_cell(out, "%.4g", results[i].milliseconds);
        table_cell(out, "%.0f", 1e6 * results[i].milliseconds / (double)count);
        table_cell(out, "%.2f", results[i].milliseconds / results[0].milliseconds);
        if (contest->items[i]->is_tumble && isfinite(least)) {
            table_cell(out, "%.2f", least / results[i].milliseconds);
        } else {
            table_cell(out, "%s", "");
        }
        table_cell(out, "%zu", answer->reported);
        table_cell(out, "%s", answer->exact == truth->exact && answer->hash == truth->hash ? "same" : "DIFFERENT");
        table_end_row(out);
    }
}

void scene_broad(experiment *e)
{
    static const box_law laws[2] = {BOX_LAW_EQUAL, BOX_LAW_VARIOUS};
    static const char *const head[] = {"boxes",          "library",           "ms per step",
                                       "ns per box",     "/ tumble",          "fastest other / this",
                                       "pairs reported", "pairs that overlap"};
    text_table *out = bench_allocate(1, sizeof *out);
    bench_csv csv;
    experiment_open_csv(e, &csv, "scene-broad");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    for (size_t i = 0; i < e->options->boxes.count; i++) {
        const size_t count = (size_t)e->options->boxes.items[i];
        for (int k = 0; k < 2; k++) {
            const broad_contest contest = broad_contest_open(&e->options->peers, count);
            broad_result results[BROAD_MOST];
            for (size_t peer = 0; peer < contest.count; peer++) {
                results[peer] = measure(e, contest.items[peer], laws[k], count);
            }
            write_rows(&csv, &contest, laws[k], count, results);
            add_rows(out, &contest, laws[k], count, results);
        }
    }
    table_print(out, "All pairs of boxes that all move, one thread");
    bench_csv_close(&csv);
    free(out);
}
