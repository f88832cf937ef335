/* The same boxes after many steps: does a structure that is only updated get worse? A library that has used up its time
 * is stopped, and the table says at which step. */
#include <math.h>
#include <stdlib.h>

#include "broad_contest.h"
#include "failure.h"
#include "scenes.h"

enum {
    DRIFT_PLACES = 4,
    DRIFT_SAMPLES = 5 /* steps that are timed for each place, from it onward; the median counts */
};

/* Seconds that a library may take. */
static const double drift_limit = 60;

typedef struct drift_result {
    double milliseconds[DRIFT_PLACES]; /* NaN: not reached */
    size_t last_step;
    double last_milliseconds;
    broad_answer answer;
} drift_result;

/* Runs from one place to the end of its samples; returns the step that it came to. */
static size_t run_to(const broad_peer *peer, void *world, flying_boxes *flying, size_t step, size_t place,
                     drift_result *result, double *spent, double *out)
{
    double samples[DRIFT_SAMPLES];
    size_t taken = 0;
    *out = (double)NAN;
    while (taken < DRIFT_SAMPLES && *spent < 1e6 * drift_limit) {
        size_t reported;
        flying_boxes_step(flying);
        peer->place(world, flying->boxes);
        const double time = broad_time_step(peer, world, &reported);
        *spent += time;
        result->last_milliseconds = 1e-3 * time;
        result->last_step = ++step;
        if (step >= place) {
            samples[taken++] = 1e-3 * time;
        }
        if (taken == DRIFT_SAMPLES) {
            result->answer = broad_judge(peer, world, reported, flying->boxes);
        }
    }
    *out = taken == DRIFT_SAMPLES ? bench_median(samples, taken) : (double)NAN;
    return step;
}

static drift_result measure(const experiment *e, const broad_peer *peer, size_t count, double speed,
                            const size_t *places, size_t place_count)
{
    flying_boxes flying = flying_boxes_make(BOX_LAW_EQUAL, count, speed, (uint64_t)e->options->seed);
    drift_result result = {.last_step = 0};
    double spent = 0;
    size_t step = 0;
    void *world = peer->create(flying.boxes, count);
    for (size_t i = 0; i < DRIFT_PLACES; i++) {
        result.milliseconds[i] = (double)NAN;
        if (i < place_count) {
            show_progress("%zu boxes, %s, to step %zu", count, peer->name, places[i]);
            step = run_to(peer, world, &flying, step, places[i], &result, &spent, &result.milliseconds[i]);
        }
    }
    show_progress("%s", "");
    peer->destroy(world);
    flying_boxes_free(&flying);
    return result;
}

static void add_row(text_table *out, bench_csv *csv, const broad_peer *peer, const char *motion, size_t count,
                    const drift_result *result, size_t place_count)
{
    double last = (double)NAN;
    table_cell(out, "%s", motion);
    table_cell(out, "%s", peer->name);
    bench_csv_count(csv, "boxes", count);
    bench_csv_text(csv, "motion", motion);
    bench_csv_text(csv, "peer", peer->name);
    for (size_t i = 0; i < DRIFT_PLACES; i++) {
        static const char *const names[DRIFT_PLACES] = {"step_1_ms", "step_10_ms", "step_100_ms", "step_1000_ms"};
        const double time = result->milliseconds[i];
        bench_csv_number(csv, names[i], time);
        if (isfinite(time)) {
            table_cell(out, "%.4g", time);
            last = time;
        } else if (i < place_count) {
            table_cell(out, "stopped: %.4g at step %zu", result->last_milliseconds, result->last_step);
            last = result->last_milliseconds;
            place_count = 0;
        } else {
            table_cell(out, "-");
        }
    }
    table_cell(out, "%.2f", last / result->milliseconds[0]);
    table_end_row(out);
    bench_csv_end_row(csv);
}

static void add_motion(const experiment *e, text_table *out, bench_csv *csv, const char *motion, double speed)
{
    static const size_t places[DRIFT_PLACES] = {1, 10, 100, 1000};
    const size_t count = (size_t)e->options->drift_boxes;
    const broad_contest contest = broad_contest_open(&e->options->peers, count);
    for (size_t i = 0; i < contest.count; i++) {
        if (contest.items[i]->is_part) {
            continue;
        }
        const size_t most = e->options->quick ? 2 : i == 0 ? 4 : 3;
        const drift_result result = measure(e, contest.items[i], count, speed, places, most);
        add_row(out, csv, contest.items[i], motion, count, &result, most);
    }
}

void scene_drift(experiment *e)
{
    static const char *const head[] = {"motion",   "library",   "step 1 (ms)", "step 10",
                                       "step 100", "step 1000", "last / first"};
    text_table *out = bench_allocate(1, sizeof *out);
    bench_csv csv;
    char title[96];
    experiment_open_csv(e, &csv, "scene-drift");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    add_motion(e, out, &csv, "0.1 sides per step", 0.1);
    add_motion(e, out, &csv, "1 side per step", 1);
    snprintf(title, sizeof title, "%.0f equal boxes that all move, after many steps", e->options->drift_boxes);
    table_print(out, title);
    bench_csv_close(&csv);
    free(out);
}
