/* Many boxes of which few move, or none. */
#include <math.h>
#include <stdlib.h>

#include "broad_contest.h"
#include "failure.h"
#include "models.h"
#include "scenes.h"

typedef struct movers_result {
    double all, some, none; /* milliseconds per step */
    broad_answer answer;    /* after those of which some moved */
} movers_result;

/* The same boxes at every step: what moved before is known to move. */
static uint32_t *choose_some(size_t count, size_t some)
{
    uint32_t *which = bench_allocate(some, sizeof *which);
    for (size_t i = 0; i < some; i++) {
        which[i] = (uint32_t)(i * (count / some));
    }
    return which;
}

static double time_some(const experiment *e, const broad_peer *peer, void *world, flying_boxes *flying,
                        const uint32_t *which, size_t some, broad_answer *answer)
{
    const size_t steps = (size_t)fmin(e->options->repetitions, BENCH_MOST_ITEMS), warm = 3;
    double samples[BENCH_MOST_ITEMS];
    size_t reported = 0;
    for (size_t step = 0; step < warm + steps; step++) {
        flying_boxes_step_some(flying, which, some);
        if (peer->step_some) {
            peer->place_some(world, flying->boxes, which, some);
        } else {
            peer->place(world, flying->boxes);
        }
        const double time = broad_time_some(peer, world, &reported);
        samples[step < warm ? 0 : step - warm] = 1e-3 * time;
    }
    *answer = broad_judge(peer, world, reported, flying->boxes);
    return bench_median(samples, steps);
}

static double time_all(const experiment *e, const broad_peer *peer, void *world, flying_boxes *flying)
{
    const size_t steps = (size_t)fmin(e->options->repetitions, BENCH_MOST_ITEMS);
    double samples[BENCH_MOST_ITEMS];
    for (size_t step = 0; step < steps; step++) {
        size_t reported;
        flying_boxes_step(flying);
        peer->place(world, flying->boxes);
        samples[step] = 1e-3 * broad_time_step(peer, world, &reported);
    }
    return bench_median(samples, steps);
}

static movers_result measure(const experiment *e, const broad_peer *peer, size_t count)
{
    const size_t some = count / 100;
    flying_boxes flying = flying_boxes_make(BOX_LAW_EQUAL, count, 0.1, (uint64_t)e->options->seed);
    uint32_t *which = choose_some(count, some);
    movers_result result;
    void *world = peer->create(flying.boxes, count);
    show_progress("%zu boxes, %s", count, peer->name);
    result.all = time_all(e, peer, world, &flying);
    result.none = time_some(e, peer, world, &flying, which, 0, &result.answer);
    result.some = time_some(e, peer, world, &flying, which, some, &result.answer);
    show_progress("%s", "");
    peer->destroy(world);
    flying_boxes_free(&flying);
    free(which);
    return result;
}

static void write_row(bench_csv *csv, const broad_peer *peer, size_t count, const movers_result *result)
{
    bench_csv_count(csv, "boxes", count);
    bench_csv_text(csv, "peer", peer->name);
    bench_csv_number(csv, "all_ms", result->all);
    bench_csv_number(csv, "some_ms", result->some);
    bench_csv_number(csv, "none_ms", result->none);
    bench_csv_count(csv, "reported", result->answer.reported);
    bench_csv_count(csv, "exact", result->answer.exact);
    bench_csv_hash(csv, "hash", result->answer.hash);
    bench_csv_end_row(csv);
}

static void add_row(text_table *out, const broad_peer *peer, const movers_result *result, const broad_answer *truth)
{
    table_cell(out, "%s", peer->name);
    table_cell(out, "%.4g", result->all);
    table_cell(out, "%.4g", result->some);
    table_cell(out, "%.1f %%", 100 * result->some / result->all);
    table_cell(out, "%.3g", 1e3 * result->none);
    table_cell(out, "%zu", result->answer.reported);
    table_cell(out, "%s",
               truth->exact == result->answer.exact && truth->hash == result->answer.hash ? "same" : "DIFFERENT");
    table_end_row(out);
}

void scene_movers(experiment *e)
{
    static const char *const head[] = {"library",        "all move (ms)",  "1 % move (ms)",     "of a full step",
                                       "none move (us)", "pairs reported", "pairs that overlap"};
    const size_t count = (size_t)e->options->mover_boxes;
    const broad_contest contest = broad_contest_open(&e->options->peers, count);
    text_table *out = bench_allocate(1, sizeof *out);
    broad_answer truth = {0};
    bench_csv csv;
    char title[96];
    experiment_open_csv(e, &csv, "scene-movers");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    for (size_t i = 0; i < contest.count; i++) {
        if (contest.items[i]->is_part) {
            continue;
        }
        const movers_result result = measure(e, contest.items[i], count);
        truth = i ? truth : result.answer;
        write_row(&csv, contest.items[i], count, &result);
        add_row(out, contest.items[i], &result, &truth);
    }
    snprintf(title, sizeof title, "%zu equal boxes of which few move", count);
    table_print(out, title);
    bench_csv_close(&csv);
    free(out);
}
