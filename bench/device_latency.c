/* Small checks, one by one: how long it takes from submission until the answer is there. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "failure.h"

/* One check is submitted after the other; each has its own pose. */
static void time_checks(device_bench *b, const device_load *load, tumble_check_answer *answers, device_times *samples)
{
    tumble_device_model *model = NULL;
    bench_require(tumble_device_add_model(b->device, load->scene->model, &model), b->context, "uploading a model");
    const tumble_model_pair pair = {model, model};
    tumble_batch batch = tumble_default_batch();
    batch.mode = load->mode;
    batch.check_count = batch.pair_count = batch.pose_b_count = 1;
    batch.pairs = &pair;
    for (int warm = 0; warm < 2; warm++) {
        for (size_t i = 0; i < load->count; i++) {
            batch.poses_b = &load->poses[i];
            batch.answers = &answers[i];
            samples[i] = device_run(b, b->device, &batch);
        }
    }
    tumble_device_remove_model(model);
}

/* Of sorted numbers: at most this one in `percent` of all cases. */
static double percentile(const double *sorted, size_t count, double percent)
{
    const size_t place = (size_t)(0.01 * percent * (double)count);
    return sorted[place < count ? place : count - 1];
}

static void summarise(const device_times *samples, size_t count, device_row *row)
{
    double *totals = bench_allocate(count, sizeof *totals);
    for (size_t i = 0; i < count; i++) {
        totals[i] = samples[i].total;
    }
    row->times = device_median(samples, count);
    row->median_us = bench_median(totals, count); /* sorts them */
    row->ninety_us = percentile(totals, count, 90);
    row->ninety_nine_us = percentile(totals, count, 99);
    free(totals);
}

static void print_row(device_bench *b, const device_row *row)
{
    printf("  %-9s %9zu  %-8s  %-5s  %4.0f %%  %8.2f  %8.1f  %8.1f  %8.1f  %8.1f %8.1f %8.1f %8.1f  %s\n",
           row->scene->shape, row->scene->triangles, row->poses, row->mode,
           100 * (double)row->hits / (double)row->checks, row->thread_us, row->median_us, row->ninety_us,
           row->ninety_nine_us, row->times.waiting, row->times.upload, row->times.run, row->times.result,
           device_judge(b, DEVICE_GOAL_LATENCY, row->median_us));
    fflush(stdout);
}

static void run_load(device_bench *b, const device_load *load, device_row *row)
{
    tumble_check_answer *expected = bench_allocate(load->count, sizeof *expected);
    tumble_check_answer *found = bench_allocate(load->count, sizeof *found);
    device_times *samples = bench_allocate(load->count, sizeof *samples);
    row->checks = row->sample = load->count;
    row->thread_us = device_time_thread(b, load, expected);
    time_checks(b, load, found, samples);
    device_compare(b, load, found, load, expected);
    summarise(samples, load->count, row);
    row->ratio = row->thread_us / row->median_us;
    device_count_hits(row, found);
    device_write(b, row);
    print_row(b, row);
    free(samples);
    free(expected);
    free(found);
}

static void run_scene(device_bench *b, device_scene *scene)
{
    device_each_load(b, scene, "near,touching", device_checks(b, 1000), run_load);
}

void device_latency(device_bench *b)
{
    printf("  microseconds of %zu checks, one after the other; thread: the mean of one thread without a device; then "
           "medians of where\n  the time went\n",
           device_checks(b, 1000));
    printf("  %-9s %9s  %-8s  %-5s  %6s  %8s  %8s  %8s  %8s  %8s %8s %8s %8s\n", "shape", "triangles", "poses", "mode",
           "hits", "thread", "median", "90 %", "99 %", "waiting", "upload", "run", "result");
    device_each_scene(b, "sphere,torus", "1000,20000", run_scene);
}
