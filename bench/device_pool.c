/* The pool with more and more threads: a batch, and one check of huge models. Its measures are one thread with
 * tumble_collide and the pool with one thread. */
#include <math.h>
#include <stdlib.h>

#include "device.h"
#include "failure.h"

enum {
    MOST_COUNTS = 64,
    BATCH_TRIANGLES = 500000 /* a batch of larger models takes too long */
};

typedef struct thread_counts {
    uint32_t items[MOST_COUNTS];
    size_t count;
} thread_counts;

/* Those that were asked for, or else 1, 2, 4 and so on up to all processors. */
static thread_counts counts_of(const device_bench *b)
{
    const bench_numbers *given = &b->series.settings->threads;
    thread_counts counts = {.count = given->count};
    for (size_t i = 0; i < given->count; i++) {
        counts.items[i] = (uint32_t)given->items[i];
    }
    for (uint32_t threads = 1; given->count == 0 && counts.count + 1 < MOST_COUNTS && threads < b->processors;
         threads *= 2) {
        counts.items[counts.count++] = threads;
    }
    if (given->count == 0) {
        counts.items[counts.count++] = b->processors;
    }
    return counts;
}

static tumble_device *open_pool(device_bench *b, uint32_t threads)
{
    tumble_device *device = NULL;
    tumble_device_options options = tumble_default_device_options();
    options.thread_count = threads;
    bench_require(tumble_device_open(b->context, 0, &options, &device), b->context, "opening the pool");
    return device;
}

/* A single small check is not worth two threads. */
static int is_judged(const device_row *row)
{
    return row->threads == 2 && (row->checks > 1 || row->scene->triangles > BATCH_TRIANGLES);
}

static void print_row(device_bench *b, const device_row *row)
{
    printf("  %-9s %9zu  %-8s  %-5s  %7zu  %7u  %10.3f  %10.3f  %8.2f  %8s  %5.2f  %s\n", row->scene->shape,
           row->scene->triangles, row->poses, row->mode, row->checks, row->threads,
           1e-3 * row->thread_us * (double)row->checks, 1e-3 * row->times.total, row->ratio,
           device_number(row->one_ratio, 2).text, row->times.processor / (row->thread_us * (double)row->checks),
           is_judged(row) ? device_judge(b, DEVICE_GOAL_POOL, row->ratio) : "");
    fflush(stdout);
}

/* Of the pool with one thread, which is the first of the rows; NaN where that is not asked for. */
static void finish_row(device_bench *b, device_row *row, double *one)
{
    if (row->threads == 1) {
        *one = row->times.total;
    }
    row->ratio = row->thread_us * (double)row->checks / row->times.total;
    row->one_ratio = *one / row->times.total;
    device_write(b, row);
    print_row(b, row);
}

/* `row` says which load it is. */
static void run_batch(device_bench *b, const device_load *load, device_row *row)
{
    const thread_counts counts = counts_of(b);
    const device_load sample = device_thread_sample(b, load);
    tumble_check_answer *expected = bench_allocate(sample.count, sizeof *expected);
    tumble_check_answer *found = bench_allocate(load->count, sizeof *found);
    double one = (double)NAN;
    row->checks = load->count;
    row->sample = sample.count;
    row->thread_us = device_time_thread(b, &sample, expected);
    for (size_t i = 0; i < counts.count; i++) {
        tumble_device *pool = open_pool(b, counts.items[i]);
        row->threads = counts.items[i];
        row->times = device_time_load(b, pool, load, found);
        device_compare(b, load, found, &sample, expected);
        device_count_hits(row, found);
        finish_row(b, row, &one);
        tumble_device_close(pool);
    }
    free(sample.poses);
    free(expected);
    free(found);
}

static void run_check(device_bench *b, device_scene *scene, const char *kind)
{
    const thread_counts counts = counts_of(b);
    tumble_pose *pose = device_make_poses(b, scene, kind, 1);
    const device_list list = device_list_by_thread(b, scene, pose);
    double one = (double)NAN;
    for (size_t i = 0; i < counts.count; i++) {
        tumble_device *pool = open_pool(b, counts.items[i]);
        device_row row = device_row_of(scene, kind, "all");
        row.threads = counts.items[i];
        row.checks = row.sample = 1;
        row.hits = list.count > 0;
        row.pairs = list.count;
        row.thread_us = list.microseconds;
        row.times = device_time_list(b, pool, scene, pose, &list);
        finish_row(b, &row, &one);
        tumble_device_close(pool);
    }
    free(list.pairs);
    free(pose);
}

static void run_scene(device_bench *b, device_scene *scene)
{
    if (scene->triangles <= BATCH_TRIANGLES) {
        device_each_load(b, scene, "touching", device_checks(b, 20000), run_batch);
    }
    run_check(b, scene, "deep");
    run_check(b, scene, "same");
}

void device_pool(device_bench *b)
{
    printf("  thread: one, without a pool; times in ms; x thread: how many times as fast the pool is; x one: as the "
           "pool with one thread;\n  work: processor time of all threads, in that of the one; it does not depend on "
           "what else runs on the machine\n");
    printf("  %-9s %9s  %-8s  %-5s  %7s  %7s  %10s  %10s  %8s  %8s  %5s\n", "shape", "triangles", "poses", "mode",
           "checks", "threads", "thread", "pool", "x thread", "x one", "work");
    device_each_scene(b, "sphere,lattice", "20000,5000000", run_scene);
}
