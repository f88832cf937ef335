/* Experiments on devices: the command, the goals, and writing. */
#include "device.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"

/* ---- Goals ---- */

static const struct goal {
    const char *text;
    double wanted;
    int at_most;     /* nonzero: no more than that is wanted, else no less */
    int of_graphics; /* nonzero: of graphics processors only */
} goals[DEVICE_GOALS] = {
    [DEVICE_GOAL_BATCH] = {"batches, times as fast as one thread: at least", 100, 0, 1},
    [DEVICE_GOAL_HUGE] = {"one huge check, times as fast as one thread: at least", 20, 0, 1},
    [DEVICE_GOAL_LATENCY] = {"one small check, median in microseconds: at most", 100, 1, 0},
    [DEVICE_GOAL_POOL] = {"the pool with two threads, times as fast as one thread: at least", 1.9, 0, 0},
};

const char *device_judge(device_bench *b, device_goal number, double value)
{
    const struct goal *goal = &goals[number];
    device_score *score = &b->scores[number];
    if (goal->of_graphics && !b->info.is_gpu) {
        return "";
    }
    bench_geometric_add(&score->mean, value);
    const int reached = goal->at_most ? value <= goal->wanted : value >= goal->wanted;
    score->least = score->count ? fmin(score->least, value) : value;
    score->most = score->count ? fmax(score->most, value) : value;
    score->reached += (size_t)reached;
    score->count++;
    return reached ? "reached" : "not reached";
}

static void print_goals(const device_bench *b)
{
    printf("\n== Goals\n\n");
    for (int i = 0; i < DEVICE_GOALS; i++) {
        const device_score *score = &b->scores[i];
        printf("  %-66s %5g: ", goals[i].text, goals[i].wanted);
        if (score->count == 0) {
            puts("not measured");
        } else {
            printf("%s (%zu of %zu; %.4g to %.4g, geometric mean %.4g)\n",
                   score->reached == score->count ? "reached" : "not reached", score->reached, score->count,
                   score->least, score->most, bench_geometric_value(&score->mean));
        }
    }
}

/* ---- Writing ---- */

/* The columns that are given by a row alone; numbers are NaN until they are known. */
static const bench_column columns[] = {
    {"pool_threads", BENCH_COLUMN_WORD, offsetof(device_row, threads)},
    {"checks", BENCH_COLUMN_SIZE, offsetof(device_row, checks)},
    {"sample", BENCH_COLUMN_SIZE, offsetof(device_row, sample)},
    {"hits", BENCH_COLUMN_COUNT, offsetof(device_row, hits)},
    {"pairs", BENCH_COLUMN_COUNT, offsetof(device_row, pairs)},
    {"thread_us_a_check", BENCH_COLUMN_NUMBER, offsetof(device_row, thread_us)},
    {"pool_us_a_check", BENCH_COLUMN_NUMBER, offsetof(device_row, pool_us)},
    {"total_us", BENCH_COLUMN_NUMBER, offsetof(device_row, times.total)},
    {"waiting_us", BENCH_COLUMN_NUMBER, offsetof(device_row, times.waiting)},
    {"upload_us", BENCH_COLUMN_NUMBER, offsetof(device_row, times.upload)},
    {"run_us", BENCH_COLUMN_NUMBER, offsetof(device_row, times.run)},
    {"result_us", BENCH_COLUMN_NUMBER, offsetof(device_row, times.result)},
    {"processor_us", BENCH_COLUMN_NUMBER, offsetof(device_row, times.processor)},
    {"retried", BENCH_COLUMN_COUNT, offsetof(device_row, times.retried)},
    {"exact", BENCH_COLUMN_COUNT, offsetof(device_row, times.exact)},
    {"times_thread", BENCH_COLUMN_NUMBER, offsetof(device_row, ratio)},
    {"times_pool", BENCH_COLUMN_NUMBER, offsetof(device_row, pool_ratio)},
    {"times_pool_of_one", BENCH_COLUMN_NUMBER, offsetof(device_row, one_ratio)},
    {"median_us", BENCH_COLUMN_NUMBER, offsetof(device_row, median_us)},
    {"ninety_percent_us", BENCH_COLUMN_NUMBER, offsetof(device_row, ninety_us)},
    {"ninety_nine_percent_us", BENCH_COLUMN_NUMBER, offsetof(device_row, ninety_nine_us)},
    {"model_upload_us", BENCH_COLUMN_NUMBER, offsetof(device_row, model_us)},
    {"model_gigabytes_a_second", BENCH_COLUMN_NUMBER, offsetof(device_row, gigabytes_a_second)},
    {"open_us", BENCH_COLUMN_NUMBER, offsetof(device_row, open_us)},
    {"next_open_us", BENCH_COLUMN_NUMBER, offsetof(device_row, next_open_us)},
    {"resident_models", BENCH_COLUMN_NUMBER, offsetof(device_row, resident)},
    {"swapped_in", BENCH_COLUMN_NUMBER, offsetof(device_row, swapped_in)},
    {"swapped_in_bytes", BENCH_COLUMN_NUMBER, offsetof(device_row, swapped_bytes)},
    {"times_all_resident", BENCH_COLUMN_NUMBER, offsetof(device_row, all_ratio)},
    {"times_wide", BENCH_COLUMN_NUMBER, offsetof(device_row, wide_ratio)},
    {.name = NULL},
};

device_row device_row_of(const device_scene *scene, const char *poses, const char *mode)
{
    device_row row = {.scene = scene, .poses = poses ? poses : "", .mode = mode ? mode : "", .variant = ""};
    bench_columns_clear(columns, &row);
    return row;
}

device_text device_number(double value, int decimals)
{
    device_text number = {"-"};
    if (!isnan(value)) {
        snprintf(number.text, sizeof number.text, "%.*f", decimals, value);
    }
    return number;
}

void device_count_hits(device_row *row, const tumble_check_answer *answers)
{
    row->hits = row->pairs = 0;
    for (size_t i = 0; i < row->checks; i++) {
        row->hits += answers[i].collide;
        row->pairs += answers[i].pair_count;
    }
}

void device_write(device_bench *b, const device_row *row)
{
    bench_csv *csv = &b->series.csv;
    bench_csv_text(csv, "experiment", b->series.experiment);
    bench_csv_text(csv, "shape", row->scene->shape);
    bench_csv_count(csv, "triangles", row->scene->triangles);
    bench_csv_count(csv, "model_bytes", row->scene->bytes);
    bench_csv_text(csv, "poses", row->poses);
    bench_csv_text(csv, "mode", row->mode);
    bench_csv_text(csv, "variant", row->variant);
    bench_csv_number(csv, "repetitions", b->series.settings->repetitions);
    bench_csv_columns(csv, columns, row);
    bench_csv_end_row(csv);
}

/* ---- The device ---- */

/* cpu, opencl or opencl:n, from 0. */
static uint32_t number_of(device_bench *b, const char *word)
{
    const char *name = "opencl";
    uint32_t count = 0;
    char *end = NULL;
    if (strcmp(word, "cpu") == 0) {
        return 0;
    }
    const size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || (word[length] && word[length] != ':')) {
        bench_fail("there is no device '%s': cpu, opencl, opencl:n", word);
    }
    const unsigned long number = word[length] ? strtoul(word + length + 1, &end, 10) : 0;
    if (end && (end == word + length + 1 || *end)) {
        bench_fail("'%s' has no number after the colon", word);
    }
    bench_require(tumble_device_count(b->context, &count), b->context, "looking for devices");
    if (number + 1 >= count) {
        bench_fail("there is no device '%s': %u of OpenCL were found", word, count - 1);
    }
    return (uint32_t)number + 1;
}

static void open_device(device_bench *b)
{
    bench_require(tumble_context_create(NULL, &b->context), NULL, "a context");
    tumble_device_info pool_info;
    bench_require(tumble_device_describe(b->context, 0, &pool_info), b->context, "the pool");
    b->processors = pool_info.unit_count;
    b->number = number_of(b, b->series.settings->device);
    const double start = bench_microseconds();
    bench_require(tumble_device_open(b->context, b->number, NULL, &b->device), b->context, "opening the device");
    b->open_microseconds = bench_microseconds() - start;
    bench_require(tumble_device_get_info(b->device, &b->info), b->context, "the device");
    if (b->number > 0) {
        bench_require(tumble_device_open(b->context, 0, NULL, &b->pool), b->context, "opening the pool");
    }
}

static void close_device(device_bench *b)
{
    tumble_device_close(b->pool);
    tumble_device_close(b->device);
    tumble_context_destroy(b->context);
}

/* The device comes before the rest of the origin. */
static void set_origin(device_bench *b)
{
    bench_csv_text(&b->series.csv, "device", b->info.name);
    bench_csv_text(&b->series.csv, "platform", b->info.platform);
    bench_csv_text(&b->series.csv, "driver", b->info.version);
    bench_csv_count(&b->series.csv, "units", b->info.unit_count);
    bench_csv_count(&b->series.csv, "device_memory", b->info.memory_bytes);
    bench_csv_count(&b->series.csv, "doubles", b->info.has_doubles != 0);
    bench_csv_count(&b->series.csv, "processors", b->processors);
    bench_series_set_origin(&b->series);
    printf("Device: %s, %s, %s, %u units, %.1f GB, %s; opened in %.1f ms. Processors: %u.\n", b->info.name,
           b->info.platform, b->info.version, b->info.unit_count, 1e-9 * (double)b->info.memory_bytes,
           b->info.has_doubles ? "with doubles" : "without doubles", 1e-3 * b->open_microseconds, b->processors);
}

/* ---- The command ---- */

static const struct experiment {
    const char *name, *title;
    void (*run)(device_bench *b);
} experiments[] = {{"batch", "Many poses of two copies at once", device_batch},
                   {"huge", "All pairs of two huge copies, in one check", device_huge},
                   {"latency", "Small checks, one at a time", device_latency},
                   {"pool", "The pool with more and more threads", device_pool},
                   {"swap", "Checks of more models than have room", device_swap},
                   {"trees", "Wide models and boxtrees", device_trees},
                   {"upload", "Opening the device and bringing models to it", device_upload},
                   {NULL, NULL, NULL}};

int bench_run_device(const bench_settings *settings)
{
    device_bench b = {.number = 0};
    bench_series_open(&b.series, settings, experiments, sizeof *experiments);
    open_device(&b);
    set_origin(&b);
    for (const struct experiment *experiment = experiments; experiment->name; experiment++) {
        if (bench_series_wants(&b.series, experiment->name, experiment->title)) {
            experiment->run(&b);
        }
    }
    print_goals(&b);
    close_device(&b);
    return bench_series_close(&b.series);
}
