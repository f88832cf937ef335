/* Swapping: copies of a model of which all, half or three have room in the device's memory, and checks of pairs of
 * them: pair after pair, so that each comes up once, or in random order. */
#include <stdlib.h>

#include "device.h"
#include "failure.h"

#define MODELS 20

/* Checks of pairs of copies. */
typedef struct swap_work {
    const device_load *load;
    int is_random; /* else in runs of the same pair */
    tumble_device *device;
    tumble_device_model *models[MODELS];
    tumble_model_pair *pairs;
    tumble_check_answer *answers;
} swap_work;

static tumble_device *open_limited(device_bench *b, uint64_t limit)
{
    tumble_device_options options = tumble_default_device_options();
    tumble_device *device = NULL;
    options.memory_limit = limit;
    bench_require(tumble_device_open(b->context, b->number, &options, &device), b->context, "opening the device");
    return device;
}

static void draw_pairs(swap_work *work)
{
    models_random random = {1};
    for (size_t i = 0; i < work->load->count; i++) {
        const size_t run = i * MODELS / work->load->count;
        const size_t a = work->is_random ? models_random_bits(&random) % MODELS : run;
        const size_t b = work->is_random ? models_random_bits(&random) % MODELS : (run + 1) % MODELS;
        work->pairs[i] = (tumble_model_pair){work->models[a], work->models[b]};
    }
}

static tumble_batch batch_of(const swap_work *work)
{
    tumble_batch batch = tumble_default_batch();
    batch.mode = work->load->mode;
    batch.check_count = batch.pair_count = batch.pose_b_count = work->load->count;
    batch.pairs = work->pairs;
    batch.poses_b = work->load->poses;
    batch.answers = work->answers;
    return batch;
}

static tumble_device_memory memory_of(device_bench *b, const swap_work *work)
{
    tumble_device_memory memory;
    bench_require(tumble_device_get_memory(work->device, &memory), b->context, "the device's memory");
    return memory;
}

static void open_work(device_bench *b, swap_work *work, uint64_t limit)
{
    work->device = open_limited(b, limit);
    for (size_t i = 0; i < MODELS; i++) {
        bench_require(tumble_device_add_model(work->device, work->load->scene->model, &work->models[i]), b->context,
                      "uploading a model");
    }
    draw_pairs(work);
}

/* What a device needs beside its models for such a batch, and what the models take. */
static tumble_device_memory measure_need(device_bench *b, swap_work *work)
{
    open_work(b, work, 0);
    const tumble_batch batch = batch_of(work);
    (void)device_run(b, work->device, &batch);
    const tumble_device_memory memory = memory_of(b, work);
    tumble_device_close(work->device);
    return memory;
}

static void print_row(const device_row *row)
{
    printf("  %-9s %9zu  %-6s  %-5s  %6.0f  %9.0f  %9.2f  %9.1f  %9.1f  %8.1f\n", row->scene->shape,
           row->scene->triangles, row->poses, row->mode, row->resident, row->swapped_in, row->swapped_bytes * 1e-6,
           row->times.total * 1e-3, row->times.total / (double)row->checks, row->all_ratio);
    fflush(stdout);
}

/* Returns the time of the batch. `all`: the time when all models have room; 0: that is this one. */
static double run_limit(device_bench *b, swap_work *work, uint64_t limit, const device_load *sample,
                        const tumble_check_answer *expected, double all)
{
    static const char *const modes[] = {[TUMBLE_TEST] = "test", [TUMBLE_FIRST] = "first", [TUMBLE_COUNT] = "count"};
    device_row row = device_row_of(work->load->scene, work->is_random ? "random" : "runs", modes[work->load->mode]);
    open_work(b, work, limit);
    const tumble_batch batch = batch_of(work);
    row.times = device_time_batch(b, work->device, &batch);
    const tumble_device_memory before = memory_of(b, work);
    (void)device_run(b, work->device, &batch);
    const tumble_device_memory after = memory_of(b, work);
    device_compare(b, work->load, work->answers, sample, expected);
    row.checks = work->load->count;
    row.resident = (double)after.resident_count;
    row.swapped_in = (double)(after.swapped_in_count - before.swapped_in_count);
    row.swapped_bytes = (double)(after.swapped_in_bytes - before.swapped_in_bytes);
    row.all_ratio = row.times.total / (all > 0 ? all : row.times.total);
    device_count_hits(&row, work->answers);
    device_write(b, &row);
    print_row(&row);
    tumble_device_close(work->device);
    return row.times.total;
}

static void run_load(device_bench *b, const device_load *load, device_row *row)
{
    (void)row;
    const device_load sample = device_thread_sample(b, load);
    tumble_check_answer *expected = bench_allocate(sample.count, sizeof *expected);
    (void)device_time_thread(b, &sample, expected);
    swap_work work = {.load = load};
    work.pairs = bench_allocate(load->count, sizeof *work.pairs);
    work.answers = bench_allocate(load->count, sizeof *work.answers);
    const tumble_device_memory need = measure_need(b, &work);
    const uint64_t beside = need.used_bytes - need.buffer_bytes, each = need.model_bytes / MODELS;
    for (work.is_random = 0; work.is_random < 2; work.is_random++) {
        const double all = run_limit(b, &work, 0, &sample, expected, 0);
        (void)run_limit(b, &work, beside + MODELS / 2 * each, &sample, expected, all);
        (void)run_limit(b, &work, beside + 3 * each, &sample, expected, all);
    }
    free(work.pairs);
    free(work.answers);
    free(expected);
    free(sample.poses);
}

static void run_scene(device_bench *b, device_scene *scene)
{
    device_each_load(b, scene, "mixed", device_checks(b, 1000), run_load);
}

void device_swap(device_bench *b)
{
    if (b->info.kind == TUMBLE_DEVICE_CPU) {
        printf("  the pool has no memory of its own\n");
        return;
    }
    printf("  %zu checks of pairs of %d copies, pair after pair or in random order; room for all copies, half, three\n"
           "  in, MB: models that a batch brings in, and their size; x all: times as long as with room for all\n",
           device_checks(b, 1000), MODELS);
    printf("  %-9s %9s  %-6s  %-5s  %6s  %9s  %9s  %9s  %9s  %8s\n", "shape", "triangles", "order", "mode", "there",
           "in", "MB", "batch ms", "us/check", "x all");
    device_each_scene(b, "sphere", "20000,100000", run_scene);
}
