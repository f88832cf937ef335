/* Experiments on devices: scenes, and how batches and single threads are timed. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "failure.h"
#include "machine.h"
#include "subject.h"

/* Nothing here takes so long: a device that does hangs. */
static const double longest_wait = 300;

/* ---- What the command line leaves open ---- */

const bench_words *device_words(const bench_words *given, const char *otherwise, bench_words *room)
{
    if (given->count == 0) {
        bench_words_set(room, otherwise);
    }
    return given->count ? given : room;
}

bench_numbers device_numbers(const bench_numbers *given, const char *otherwise)
{
    bench_numbers numbers = *given;
    if (given->count == 0) {
        bench_numbers_set(&numbers, otherwise);
    }
    return numbers;
}

size_t device_checks(const device_bench *b, size_t otherwise)
{
    return b->series.settings->checks > 0 ? (size_t)b->series.settings->checks : otherwise;
}

/* ---- Scenes ---- */

device_scene device_scene_create(device_bench *b, const char *shape, size_t triangles)
{
    device_scene scene = {.shape = shape};
    models_mesh mesh = bench_make_mesh(shape, triangles, b->series.settings->seed);
    const tumble_mesh view = models_view(&mesh);
    scene.triangles = models_triangle_count(&mesh);
    bench_require(tumble_model_create(b->context, &view, NULL, &scene.model), b->context, "building a model");
    bench_require(tumble_query_create(b->context, &scene.query), b->context, "a query");
    (void)tumble_model_block(scene.model, &scene.bytes);
    models_free(&mesh);
    return scene;
}

void device_scene_destroy(device_scene *scene)
{
    tumble_query_destroy(scene->query);
    tumble_model_destroy(scene->model);
}

void device_each_scene(device_bench *b, const char *shapes, const char *sizes,
                       void (*run)(device_bench *b, device_scene *scene))
{
    bench_words room;
    const bench_words *names = device_words(&b->series.settings->shapes, shapes, &room);
    const bench_numbers numbers = device_numbers(&b->series.settings->sizes, sizes);
    for (size_t i = 0; i < names->count; i++) {
        for (size_t k = 0; k < numbers.count; k++) {
            device_scene scene = device_scene_create(b, names->items[i], (size_t)numbers.items[k]);
            run(b, &scene);
            device_scene_destroy(&scene);
        }
    }
}

/* ---- Batches on a device ---- */

static tumble_mode mode_of(const char *word)
{
    static const char *const words[] = {[TUMBLE_TEST] = "test", [TUMBLE_FIRST] = "first", [TUMBLE_COUNT] = "count"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0) {
            return (tumble_mode)i;
        }
    }
    bench_fail("a device has no mode '%s': test, first, count", word);
}

void device_each_load(device_bench *b, device_scene *scene, const char *kinds, size_t count,
                      void (*run)(device_bench *b, const device_load *load, device_row *row))
{
    bench_words name_room, mode_room;
    const bench_words *names = device_words(&b->series.settings->poses, kinds, &name_room);
    const bench_words *modes = device_words(&b->series.settings->modes, "test,count", &mode_room);
    for (size_t i = 0; i < names->count; i++) {
        tumble_pose *poses = device_make_poses(b, scene, names->items[i], count);
        for (size_t k = 0; k < modes->count; k++) {
            const device_load load = {scene, mode_of(modes->items[k]), poses, count, NULL};
            device_row row = device_row_of(scene, names->items[i], modes->items[k]);
            run(b, &load, &row);
        }
        free(poses);
    }
}

device_times device_run(device_bench *b, tumble_device *device, const tumble_batch *batch)
{
    tumble_ticket ticket = 0;
    tumble_ticket_report report;
    const double start_processor = bench_process_microseconds(), start = bench_microseconds();
    bench_require(tumble_device_submit(device, batch, longest_wait, &ticket), b->context, "submitting a batch");
    const tumble_status status = tumble_device_wait(device, ticket, longest_wait, &report);
    const double end = bench_microseconds(), end_processor = bench_process_microseconds();
    if (status != TUMBLE_OK) {
        bench_fail("a batch of %zu checks: %s: %s", batch->check_count, tumble_status_name(status), report.message);
    }
    return (device_times){.total = end - start,
                          .waiting = 1e6 * report.waiting_seconds,
                          .upload = 1e6 * report.upload_seconds,
                          .run = 1e6 * report.run_seconds,
                          .result = 1e6 * report.result_seconds,
                          .processor = end_processor - start_processor,
                          .retried = report.retried_count,
                          .exact = report.exact_count};
}

static double median_of(const device_times *samples, size_t count, size_t offset)
{
    double *values = bench_allocate(count, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        memcpy(&values[i], (const char *)&samples[i] + offset, sizeof *values);
    }
    const double median = bench_median(values, count);
    free(values);
    return median;
}

device_times device_median(const device_times *samples, size_t count)
{
    return (device_times){.total = median_of(samples, count, offsetof(device_times, total)),
                          .waiting = median_of(samples, count, offsetof(device_times, waiting)),
                          .upload = median_of(samples, count, offsetof(device_times, upload)),
                          .run = median_of(samples, count, offsetof(device_times, run)),
                          .result = median_of(samples, count, offsetof(device_times, result)),
                          .processor = median_of(samples, count, offsetof(device_times, processor)),
                          .retried = samples[0].retried,
                          .exact = samples[0].exact};
}

/* Answers that a device does not overwrite are noticed. */
static void forget_answers(const tumble_batch *batch)
{
    for (size_t i = 0; i < batch->check_count; i++) {
        batch->answers[i] = (tumble_check_answer){.status = TUMBLE_ERROR_CANCELLED};
    }
}

/* Once to warm the device, and then as often as was asked for; unless that first time is so long that it is warm for
 * the most part of it. */
device_times device_time_batch(device_bench *b, tumble_device *device, const tumble_batch *batch)
{
    const double long_enough = 3e6;
    const size_t repetitions = (size_t)b->series.settings->repetitions;
    const device_times first = device_run(b, device, batch);
    if (first.total > long_enough) {
        return first;
    }
    device_times *samples = bench_allocate(repetitions, sizeof *samples);
    for (size_t i = 0; i < repetitions; i++) {
        forget_answers(batch);
        samples[i] = device_run(b, device, batch);
    }
    const device_times times = device_median(samples, repetitions);
    free(samples);
    return times;
}

device_times device_time_load(device_bench *b, tumble_device *device, const device_load *load,
                              tumble_check_answer *answers)
{
    tumble_device_model *model = NULL;
    bench_require(tumble_device_add_model(device, load->scene->model, &model), b->context, "uploading a model");
    const tumble_model_pair pair = {model, model};
    tumble_batch batch = tumble_default_batch();
    batch.mode = load->mode;
    batch.check_count = load->count;
    batch.pairs = &pair;
    batch.pair_count = 1;
    batch.poses_b = load->poses;
    batch.pose_b_count = load->count;
    batch.answers = answers;
    batch.tuning = load->tuning;
    const device_times times = device_time_batch(b, device, &batch);
    tumble_device_remove_model(model);
    return times;
}

/* ---- One thread ---- */

size_t device_sample_index(const device_load *load, const device_load *sample, size_t i)
{
    return i * load->count / sample->count;
}

static tumble_collide_options thread_options(tumble_mode mode)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = mode;
    return options;
}

static tumble_collide_result ask(device_bench *b, const device_scene *scene, const tumble_pose *pose,
                                 const tumble_collide_options *options)
{
    tumble_collide_result result;
    bench_require(tumble_collide(scene->query, scene->model, NULL, scene->model, pose, options, &result), b->context,
                  "a query");
    return result;
}

/* How many checks one thread makes in a second, as far as a few of them tell. */
static double checks_a_second(device_bench *b, const device_load *load)
{
    const size_t few = 16;
    const device_load part = device_sample(load, few);
    const tumble_collide_options options = thread_options(load->mode);
    const double start = bench_thread_microseconds();
    for (size_t i = 0; i < part.count; i++) {
        (void)ask(b, load->scene, &part.poses[i], &options);
    }
    const double microseconds = bench_thread_microseconds() - start;
    free(part.poses);
    return 1e6 * (double)part.count / (microseconds > 1 ? microseconds : 1);
}

device_load device_thread_sample(device_bench *b, const device_load *load)
{
    const double least = 100, second = checks_a_second(b, load);
    const double few = second > least ? second : least;
    return device_sample(load, (size_t)(few < b->series.settings->sample ? few : b->series.settings->sample));
}

device_load device_sample(const device_load *load, size_t most)
{
    device_load sample = *load;
    sample.count = load->count < most ? load->count : most;
    tumble_pose *poses = bench_allocate(sample.count, sizeof *poses);
    for (size_t i = 0; i < sample.count; i++) {
        poses[i] = load->poses[device_sample_index(load, &sample, i)];
    }
    sample.poses = poses;
    return sample;
}

double device_time_thread(device_bench *b, const device_load *load, tumble_check_answer *answers)
{
    const size_t repetitions = (size_t)b->series.settings->repetitions;
    tumble_collide_options options = thread_options(load->mode);
    options.tuning = load->tuning;
    double *samples = bench_allocate(repetitions, sizeof *samples);
    for (size_t i = 0; i < load->count; i++) {
        const tumble_collide_result result = ask(b, load->scene, &load->poses[i], &options);
        answers[i] = (tumble_check_answer){.collide = result.collide, .pair_count = result.pair_count};
    }
    for (size_t repetition = 0; repetition < repetitions; repetition++) {
        const double start = bench_thread_microseconds();
        for (size_t i = 0; i < load->count; i++) {
            (void)ask(b, load->scene, &load->poses[i], &options);
        }
        samples[repetition] = (bench_thread_microseconds() - start) / (double)load->count;
    }
    const double median = bench_median(samples, repetitions);
    free(samples);
    return median;
}

void device_compare(device_bench *b, const device_load *load, const tumble_check_answer *found,
                    const device_load *sample, const tumble_check_answer *expected)
{
    for (size_t i = 0; i < load->count; i++) {
        if (found[i].status != TUMBLE_OK) {
            bench_complain(&b->series, "%s with %zu triangles, check %zu: no answer", load->scene->shape,
                           load->scene->triangles, i);
            return;
        }
    }
    for (size_t i = 0; i < sample->count; i++) {
        const size_t check = device_sample_index(load, sample, i);
        if (found[check].collide != expected[i].collide || found[check].pair_count != expected[i].pair_count) {
            bench_complain(&b->series, "%s with %zu triangles, check %zu: %llu pairs instead of %llu",
                           load->scene->shape, load->scene->triangles, check,
                           (unsigned long long)found[check].pair_count, (unsigned long long)expected[i].pair_count);
            return;
        }
    }
}

/* ---- One check that lists all pairs ---- */

device_list device_list_by_thread(device_bench *b, const device_scene *scene, const tumble_pose *pose)
{
    const size_t repetitions = (size_t)b->series.settings->repetitions;
    double *samples = bench_allocate(repetitions, sizeof *samples);
    const tumble_collide_options options = thread_options(TUMBLE_ALL);
    const tumble_collide_result result = ask(b, scene, pose, &options);
    device_list list = {.count = (size_t)result.pair_count};
    list.pairs = bench_allocate(list.count, sizeof *list.pairs);
    if (list.count) {
        memcpy(list.pairs, result.pairs, list.count * sizeof *list.pairs);
    }
    for (size_t i = 0; i < repetitions; i++) {
        const double start = bench_thread_microseconds();
        (void)ask(b, scene, pose, &options);
        samples[i] = bench_thread_microseconds() - start;
    }
    list.microseconds = bench_median(samples, repetitions);
    free(samples);
    return list;
}

static void compare_lists(device_bench *b, const tumble_device *device, const device_scene *scene,
                          const tumble_check_answer *answer, const tumble_pair *found, const device_list *expected)
{
    const char *who = device == b->device ? b->info.name : "the pool";
    if (answer->pair_count != expected->count) {
        bench_complain(&b->series, "%s, %s with %zu triangles: %llu pairs instead of %zu", who, scene->shape,
                       scene->triangles, (unsigned long long)answer->pair_count, expected->count);
        return;
    }
    for (size_t i = 0; i < expected->count; i++) {
        const tumble_pair *f = &found[i], *e = &expected->pairs[i];
        if (f->polygon_a != e->polygon_a || f->polygon_b != e->polygon_b) {
            bench_complain(&b->series, "%s, %s with %zu triangles, pair %zu of %zu: %u, %u instead of %u, %u", who,
                           scene->shape, scene->triangles, i, expected->count, f->polygon_a, f->polygon_b, e->polygon_a,
                           e->polygon_b);
            return;
        }
    }
}

device_times device_time_list(device_bench *b, tumble_device *device, const device_scene *scene,
                              const tumble_pose *pose, const device_list *expected)
{
    tumble_device_model *model = NULL;
    tumble_check_answer answer = {0};
    tumble_pair *found = bench_allocate(expected->count, sizeof *found);
    bench_require(tumble_device_add_model(device, scene->model, &model), b->context, "uploading a model");
    const tumble_model_pair pair = {model, model};
    tumble_batch batch = tumble_default_batch();
    batch.mode = TUMBLE_ALL;
    batch.check_count = batch.pair_count = batch.pose_b_count = 1;
    batch.pairs = &pair;
    batch.poses_b = pose;
    batch.answers = &answer;
    batch.found = found;
    batch.found_capacity = expected->count;
    const device_times times = device_time_batch(b, device, &batch);
    compare_lists(b, device, scene, &answer, found, expected);
    tumble_device_remove_model(model);
    free(found);
    return times;
}
