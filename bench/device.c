/* Experiments on devices: the command, the goals, and writing. */
#include "device.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "failure.h"
#include "machine.h"

/* ---- Goals ---- */

static const struct goal {
    const char *text;
    double wanted;
    int at_most;     /* other than 0: no more than that is wanted, else no less */
    int of_graphics; /* other than 0: of graphics processors only */
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

device_row device_row_of(const device_scene *scene, const char *poses, const char *mode)
{
    const double nothing = (double)NAN;
    return (device_row){.scene = scene,
                        .poses = poses,
                        .mode = mode,
                        .thread_us = nothing,
                        .pool_us = nothing,
                        .times = {nothing, nothing, nothing, nothing, nothing, nothing, 0, 0},
                        .ratio = nothing,
                        .pool_ratio = nothing,
                        .one_ratio = nothing,
                        .median_us = nothing,
                        .ninety_us = nothing,
                        .ninety_nine_us = nothing,
                        .model_us = nothing,
                        .gigabytes_a_second = nothing,
                        .open_us = nothing,
                        .next_open_us = nothing};
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
    bench_csv *csv = &b->csv;
    bench_csv_text(csv, "experiment", b->experiment);
    bench_csv_text(csv, "shape", row->scene->shape);
    bench_csv_count(csv, "triangles", row->scene->triangles);
    bench_csv_count(csv, "model_bytes", row->scene->bytes);
    bench_csv_text(csv, "poses", row->poses ? row->poses : "");
    bench_csv_text(csv, "mode", row->mode ? row->mode : "");
    bench_csv_count(csv, "pool_threads", row->threads);
    bench_csv_count(csv, "checks", row->checks);
    bench_csv_count(csv, "sample", row->sample);
    bench_csv_number(csv, "repetitions", b->settings->repetitions);
    bench_csv_count(csv, "hits", row->hits);
    bench_csv_count(csv, "pairs", row->pairs);
    bench_csv_number(csv, "thread_us_a_check", row->thread_us);
    bench_csv_number(csv, "pool_us_a_check", row->pool_us);
    bench_csv_number(csv, "total_us", row->times.total);
    bench_csv_number(csv, "waiting_us", row->times.waiting);
    bench_csv_number(csv, "upload_us", row->times.upload);
    bench_csv_number(csv, "run_us", row->times.run);
    bench_csv_number(csv, "result_us", row->times.result);
    bench_csv_number(csv, "processor_us", row->times.processor);
    bench_csv_count(csv, "retried", row->times.retried);
    bench_csv_count(csv, "exact", row->times.exact);
    bench_csv_number(csv, "times_thread", row->ratio);
    bench_csv_number(csv, "times_pool", row->pool_ratio);
    bench_csv_number(csv, "times_pool_of_one", row->one_ratio);
    bench_csv_number(csv, "median_us", row->median_us);
    bench_csv_number(csv, "ninety_percent_us", row->ninety_us);
    bench_csv_number(csv, "ninety_nine_percent_us", row->ninety_nine_us);
    bench_csv_number(csv, "model_upload_us", row->model_us);
    bench_csv_number(csv, "model_gigabytes_a_second", row->gigabytes_a_second);
    bench_csv_number(csv, "open_us", row->open_us);
    bench_csv_number(csv, "next_open_us", row->next_open_us);
    bench_csv_end_row(csv);
}

void device_complain(device_bench *b, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "tumble_bench: %s: ", b->experiment);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    b->differ = 1;
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
    tumble_device_info pool_info = {.size = sizeof pool_info};
    bench_require(tumble_device_describe(b->context, 0, &pool_info), b->context, "the pool");
    b->processors = pool_info.unit_count;
    b->number = number_of(b, b->settings->device);
    const double start = bench_microseconds();
    bench_require(tumble_device_open(b->context, b->number, NULL, &b->device), b->context, "opening the device");
    b->open_microseconds = bench_microseconds() - start;
    b->info.size = sizeof b->info;
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
    bench_csv_text(&b->csv, "device", b->info.name);
    bench_csv_text(&b->csv, "platform", b->info.platform);
    bench_csv_text(&b->csv, "driver", b->info.version);
    bench_csv_count(&b->csv, "units", b->info.unit_count);
    bench_csv_count(&b->csv, "device_memory", b->info.memory_bytes);
    bench_csv_count(&b->csv, "doubles", b->info.has_doubles != 0);
    bench_csv_count(&b->csv, "processors", b->processors);
    bench_set_origin(&b->csv, b->settings->commit, b->settings->seed);
    bench_print_origin(stdout, b->settings->commit);
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
                   {"upload", "Opening the device and bringing models to it", device_upload},
                   {NULL, NULL, NULL}};

int bench_run_device(const bench_settings *settings)
{
    device_bench b = {.settings = settings};
    bench_words_check(&settings->experiments, experiments, sizeof *experiments);
    bench_csv_open(&b.csv, settings->csv);
    open_device(&b);
    set_origin(&b);
    for (const struct experiment *experiment = experiments; experiment->name; experiment++) {
        if (bench_words_have(&settings->experiments, experiment->name)) {
            printf("\n== %s: %s\n\n", experiment->name, experiment->title);
            b.experiment = experiment->name;
            experiment->run(&b);
        }
    }
    print_goals(&b);
    close_device(&b);
    bench_csv_close(&b.csv);
    return b.differ;
}
