/* Batches of checks of one pair of models: the device beside one thread and beside the pool of all processors. Where
 * there are many checks, these two answer an evenly spread sample of them. */
#include <math.h>
#include <stdlib.h>

#include "device.h"
#include "failure.h"

/* The time of a check. The sample is larger than that of one thread, so that all have as much to do; its answers, too,
 * must be those of the device. */
static double time_pool(device_bench *b, const device_load *load, size_t thread_count, const tumble_check_answer *found)
{
    if (!b->pool) {
        return (double)NAN;
    }
    const device_load sample = device_sample(load, thread_count * b->processors);
    tumble_check_answer *answers = bench_allocate(sample.count, sizeof *answers);
    const double microseconds = device_time_load(b, b->pool, &sample, answers).total / (double)sample.count;
    device_compare(b, load, found, &sample, answers);
    free(answers);
    free(sample.poses);
    return microseconds;
}

static void print_row(device_bench *b, const device_row *row)
{
    const double count = (double)row->checks;
    printf("  %-9s %9zu  %-8s  %-5s  %4.0f %%  %9.2f  %9s  %9.4f  %8.1f  %7s  %8.2f %8.2f %8.2f %8.2f  %s\n",
           row->scene->shape, row->scene->triangles, row->poses, row->mode, 100 * (double)row->hits / count,
           row->thread_us, device_number(row->pool_us, 3).text, row->times.total / count, row->ratio,
           device_number(row->pool_ratio, 1).text, 1e-3 * row->times.waiting, 1e-3 * row->times.upload,
           1e-3 * row->times.run, 1e-3 * row->times.result, device_judge(b, DEVICE_GOAL_BATCH, row->ratio));
    fflush(stdout);
}

static void run_load(device_bench *b, const device_load *load, device_row *row)
{
    const device_load sample = device_thread_sample(b, load);
    tumble_check_answer *expected = bench_allocate(sample.count, sizeof *expected);
    tumble_check_answer *found = bench_allocate(load->count, sizeof *found);
    row->checks = load->count;
    row->sample = sample.count;
    row->thread_us = device_time_thread(b, &sample, expected);
    row->times = device_time_load(b, b->device, load, found);
    device_compare(b, load, found, &sample, expected);
    row->pool_us = time_pool(b, load, sample.count, found);
    row->ratio = row->thread_us * (double)load->count / row->times.total;
    row->pool_ratio = row->pool_us * (double)load->count / row->times.total;
    device_count_hits(row, found);
    device_write(b, row);
    print_row(b, row);
    free(sample.poses);
    free(expected);
    free(found);
}

static void run_scene(device_bench *b, device_scene *scene)
{
    device_each_load(b, scene, "touching,near,deep,mixed", device_checks(b, 100000), run_load);
}

void device_batch(device_bench *b)
{
    printf(
        "  %zu checks per batch; one thread answers at most %.0f of them, or as many as it can in a\n  second, the "
        "pool so many a processor\n"
        "  thread, pool, device: microseconds per check; x thread, x pool: how many times as fast the device is; then "
        "where the\n  batch's time went, in ms\n",
        device_checks(b, 100000), b->series.settings->sample);
    printf("  %-9s %9s  %-8s  %-5s  %6s  %9s  %9s  %9s  %8s  %7s  %8s %8s %8s %8s\n", "shape", "triangles", "poses",
           "mode", "hits", "thread", "pool", "device", "x thread", "x pool", "waiting", "upload", "run", "result");
    device_each_scene(b, "sphere,torus,gear,lattice", "20000,100000", run_scene);
}
