/* All contacts in a heap of bodies, at rest and while they fall. */
#include <math.h>
#include <stdlib.h>

#include "bodies_contest.h"
#include "failure.h"
#include "heap.h"
#include "machine.h"
#include "scenes.h"

enum {
    HEAP_LINES = BODIES_MOST + 1 /* Tumble also with two threads */
};

typedef struct heap_line {
    const bodies_peer *peer;
    char name[32];
    unsigned thread_count;
    void *world;
    double samples[BENCH_MOST_ITEMS], wall_samples[BENCH_MOST_ITEMS];
    bodies_answer answer; /* sums over the steps */
} heap_line;

static void open_line(heap_line *line, const bodies_peer *peer, unsigned threads, const body_heap *heap,
                      const tumble_pose *poses)
{
    const bodies_plan plan = {.meshes = heap->views,
                              .mesh_count = HEAP_SHAPES,
                              .mesh_of = heap->shape_of,
                              .body_count = heap->count,
                              .thread_count = threads};
    line->peer = peer;
    line->thread_count = threads;
    snprintf(line->name, sizeof line->name, threads == 1 ? "%s" : "%s, %u threads", peer->name, threads);
    show_progress("heap: %s", line->name);
    line->world = peer->create(&plan, poses);
}

static size_t open_lines(const experiment *e, const body_heap *heap, const tumble_pose *poses, heap_line *lines)
{
    const bodies_contest contest = bodies_contest_open(&e->options->peers, 0);
    size_t count = 0;
    for (size_t i = 0; i < contest.count; i++) {
        open_line(&lines[count++], contest.items[i], 1, heap, poses);
        if (i == 0) {
            open_line(&lines[count++], contest.items[i], 2, heap, poses);
        }
    }
    return count;
}

static void time_line(heap_line *line, const tumble_pose *poses, size_t step)
{
    line->peer->place(line->world, poses);
    const double start = bench_process_microseconds(), wall = bench_microseconds();
    const bodies_answer answer = line->peer->all(line->world);
    line->wall_samples[step] = 1e-3 * (bench_microseconds() - wall);
    line->samples[step] = 1e-3 * (bench_process_microseconds() - start);
    line->answer.candidates += answer.candidates;
    line->answer.body_pairs += answer.body_pairs;
    line->answer.triangle_pairs += answer.triangle_pairs;
    line->answer.hash += answer.hash;
}

static void add_row(text_table *out, bench_csv *csv, const char *scene, heap_line *line, const heap_line *ours,
                    size_t steps)
{
    const double share = 1 / (double)steps, time = bench_mean(line->samples, steps);
    const double wall = bench_median(line->wall_samples, steps);
    table_cell(out, "%s", scene);
    table_cell(out, "%s", line->name);
    table_cell(out, "%.4g", time);
    table_cell(out, "%.4g", wall);
    table_cell(out, "%.2f", time / bench_mean(ours->samples, steps));
    table_cell(out, "%.0f", share * (double)line->answer.candidates);
    table_cell(out, "%.0f", share * (double)line->answer.body_pairs);
    table_cell(out, "%.0f", share * (double)line->answer.triangle_pairs);
    table_cell(out, "%s", line->answer.hash == ours->answer.hash ? "same" : "different");
    table_end_row(out);
    bench_csv_text(csv, "scene", scene);
    bench_csv_text(csv, "peer", line->peer->name);
    bench_csv_count(csv, "threads", line->thread_count);
    bench_csv_number(csv, "milliseconds", time);
    bench_csv_number(csv, "wall_milliseconds", wall);
    bench_csv_count(csv, "candidates", line->answer.candidates);
    bench_csv_count(csv, "body_pairs", line->answer.body_pairs);
    bench_csv_count(csv, "triangle_pairs", line->answer.triangle_pairs);
    bench_csv_end_row(csv);
}

/* The first step warms up. */
static void run_scene(const experiment *e, const body_heap *heap, int is_falling, text_table *out, bench_csv *csv)
{
    const size_t steps = (size_t)fmin(2 * e->options->repetitions, BENCH_MOST_ITEMS - 1);
    tumble_pose *poses = bench_allocate(heap->count, sizeof *poses);
    heap_line *lines = bench_allocate(HEAP_LINES, sizeof *lines);
    heap_resting_poses(heap, 0, poses);
    const size_t count = open_lines(e, heap, poses, lines);
    for (size_t step = 0; step <= steps; step++) {
        show_progress("heap, %s: step %zu", is_falling ? "falling" : "resting", step);
        if (is_falling) {
            heap_falling_poses(heap, (double)step / (double)(steps + 1), poses);
        } else {
            heap_resting_poses(heap, step, poses);
        }
        for (size_t i = 0; i < count; i++) {
            lines[i].answer = step == 1 ? (bodies_answer){0} : lines[i].answer;
            time_line(&lines[i], poses, step ? step - 1 : 0);
        }
    }
    for (size_t i = 0; i < count; i++) {
        add_row(out, csv, is_falling ? "falling" : "resting", &lines[i], &lines[0], steps);
        lines[i].peer->destroy(lines[i].world);
    }
    show_progress("%s", "");
    free(poses);
    free(lines);
}

void scene_heap(experiment *e)
{
    static const char *const head[] = {"scene",      "library",    "ms per step",    "elapsed",          "/ tumble",
                                       "candidates", "body pairs", "triangle pairs", "bodies that touch"};
    text_table *out = bench_allocate(1, sizeof *out);
    bench_csv csv;
    char title[96];
    show_progress("heap: dropping %.0f bodies", e->options->bodies);
    body_heap heap =
        heap_make((size_t)e->options->bodies, (size_t)e->options->body_triangles, (uint64_t)e->options->seed);
    experiment_open_csv(e, &csv, "scene-heap");
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        table_cell(out, "%s", head[i]);
    }
    table_end_row(out);
    run_scene(e, &heap, 0, out, &csv);
    run_scene(e, &heap, 1, out, &csv);
    snprintf(title, sizeof title, "All contacts in a heap of %zu bodies of about %.0f triangles", heap.count,
             e->options->body_triangles);
    table_print(out, title);
    heap_free(&heap);
    bench_csv_close(&csv);
    free(out);
}
