/* OpenCL devices with memory for few models: they answer as tumble_collide does, whatever has to be swapped; the least
 * recently used model leaves, none in use does; and only a check that has no room by itself fails. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/internal.h"
#include "device/opencl/batch.h"
#include "device_cases.h"
#include "fault_opencl.h"
#include "tumble/col.h"

enum {
    MODELS = 20,
    CHECKS = 24,
    TRIANGLES = 700,
    BOXTREE = 4 /* every fifth model is one, and needs more room */
};

typedef struct swap_bench {
    device_bench bench; /* without seats */
    tumble_model *models[MODELS];
    uint64_t bytes;     /* of the largest model on the device */
    uint64_t few, many; /* what a device needs beside models, for one check and for CHECKS */
    fault_set_plan *set_plan;
    fault_get_count *get_count;
} swap_bench;

/* A device, its models, and a question. */
typedef struct swap_stage {
    device_seat seat;
    tumble_device_model *handles[MODELS];
    const tumble_model *models[CHECKS][2];
    tumble_model_pair pairs[CHECKS];
    tumble_pose poses[CHECKS];
    device_question question;
} swap_stage;

static tumble_device_options limited(uint64_t bytes)
{
    tumble_device_options options = tumble_default_device_options();
    options.memory_limit = bytes;
    return options;
}

static void add_models(swap_bench *s, swap_stage *stage, tumble_model *const *models, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        test_assert_status(s->bench.context, tumble_device_add_model(stage->seat.device, models[i], &stage->handles[i]),
                           TUMBLE_OK, "");
    }
}

/* The first `count` models are added. */
static void stage_open(swap_bench *s, swap_stage *stage, tumble_device_options options, size_t count)
{
    memset(stage, 0, sizeof *stage);
    snprintf(stage->seat.name, sizeof stage->seat.name, "limit %llu", (unsigned long long)options.memory_limit);
    stage->seat.kind = TUMBLE_DEVICE_OPENCL;
    test_assert_status(s->bench.context, tumble_device_open(s->bench.context, 1, &options, &stage->seat.device),
                       TUMBLE_OK, "");
    add_models(s, stage, s->models, count);
}

static tumble_device_memory memory_of(const swap_stage *stage)
{
    tumble_device_memory memory;
    assert_int_equal(tumble_device_get_memory(stage->seat.device, &memory), TUMBLE_OK);
    assert_true(memory.used_bytes <= memory.limit_bytes && memory.resident_count <= memory.model_count);
    assert_true(memory.resident_bytes <= memory.used_bytes);
    return memory;
}

/* Checks of random pairs among the first `count` models. */
static void draw_question(swap_bench *s, swap_stage *stage, test_random *random, size_t count)
{
    for (size_t i = 0; i < CHECKS; i++) {
        const size_t a = (size_t)test_random_whole(random, 0, (int)count - 1);
        const size_t b = (size_t)test_random_whole(random, 0, (int)count - 1);
        const tumble_model_info info = test_info(s->models[b]);
        stage->models[i][0] = s->models[a], stage->models[i][1] = s->models[b];
        stage->pairs[i] = (tumble_model_pair){stage->handles[a], stage->handles[b]};
        stage->poses[i] = device_pose(random, &info, 1, (size_t)test_random_whole(random, 0, 15));
    }
    stage->question = (device_question){.name = "swapping",
                                        .models = stage->models,
                                        .pair_count = CHECKS,
                                        .poses_b = stage->poses,
                                        .pose_b_count = CHECKS,
                                        .check_count = CHECKS};
}

/* On a device with doubles. */
static uint64_t bytes_of(const tumble_model *model)
{
    return tmb_opencl_memory_round(model->block->total_bytes);
}

static tumble_batch test_batch(const swap_stage *stage, size_t count, tumble_check_answer *answers)
{
    tumble_batch batch = tumble_default_batch();
    batch.check_count = batch.pair_count = batch.pose_b_count = count;
    batch.pairs = stage->pairs, batch.poses_b = stage->poses, batch.answers = answers;
    return batch;
}

static tumble_status run(const swap_stage *stage, const tumble_batch *batch, tumble_ticket_report *report)
{
    tumble_ticket ticket;
    assert_int_equal(tumble_device_submit(stage->seat.device, batch, DEVICE_LIMIT_SECONDS, &ticket), TUMBLE_OK);
    return tumble_device_wait(stage->seat.device, ticket, DEVICE_LIMIT_SECONDS, report);
}

/* One check of models by their numbers. */
static tumble_status use(swap_stage *stage, size_t a, size_t b)
{
    tumble_check_answer answer;
    stage->pairs[0] = (tumble_model_pair){stage->handles[a], stage->handles[b]};
    stage->poses[0] = tumble_pose_identity();
    const tumble_batch batch = test_batch(stage, 1, &answer);
    return run(stage, &batch, NULL);
}

/* ---- How much memory there must be ---- */

static uint64_t bytes_beside_models(const swap_stage *stage)
{
    const tmb_opencl_backend *backend = stage->seat.device->worker.backend.self;
    return memory_of(stage).used_bytes - backend->opencl->models_size;
}

static void measure(swap_bench *s)
{
    swap_stage stage;
    test_random random = {9000};
    tumble_check_answer answers[CHECKS];
    stage_open(s, &stage, limited(0), MODELS);
    ((tmb_opencl_backend *)stage.seat.device->worker.backend.self)->is_short = 1; /* as it will be */
    for (size_t i = 0; i < MODELS; i++) {
        const uint64_t bytes = ((const tmb_uploaded_model *)tmb_uploaded(stage.handles[i]))->bytes;
        s->bytes = bytes > s->bytes ? bytes : s->bytes;
    }
    assert_int_equal(use(&stage, 0, BOXTREE), TUMBLE_OK);
    s->few = bytes_beside_models(&stage);
    draw_question(s, &stage, &random, MODELS);
    const tumble_batch batch = test_batch(&stage, CHECKS, answers);
    assert_int_equal(run(&stage, &batch, NULL), TUMBLE_OK);
    s->many = bytes_beside_models(&stage);
    assert_int_equal(memory_of(&stage).swapped_out_count, 0);
    assert_int_equal(memory_of(&stage).resident_count, MODELS);
    tumble_device_close(stage.seat.device);
    print_message("models of %llu bytes; beside them %llu bytes for one check, %llu for %d\n",
                  (unsigned long long)s->bytes, (unsigned long long)s->few, (unsigned long long)s->many, CHECKS);
}

static void *find(void *library, const char *name)
{
    void *address = dlsym(library, name);
    assert_non_null(address);
    return address;
}

static int begin(void **state)
{
    static const char *const shapes[] = {"sphere", "torus", "knot", "gear", "cylinder"};
    swap_bench *s = *state = calloc(1, sizeof *s);
    assert_non_null(s);
    void *library = dlopen(TUMBLE_FAULT_OPENCL, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *address = find(library, FAULT_SET_PLAN);
    memcpy(&s->set_plan, &address, sizeof address);
    address = find(library, FAULT_GET_COUNT);
    memcpy(&s->get_count, &address, sizeof address);
    test_allocator_begin(&s->bench.memory);
    s->bench.context = test_context(&s->bench.memory, 1, TUMBLE_SIMD_AUTO);
    assert_int_equal(tumble_query_create(s->bench.context, &s->bench.query), TUMBLE_OK);
    for (size_t i = 0; i < MODELS; i++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, shapes[i % 5], TRIANGLES + 10 * i));
        models_fit(&mesh, 1 + 0.05 * (double)i, 0);
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = i % 5 == BOXTREE ? TUMBLE_HIERARCHY_BOXTREE : TUMBLE_HIERARCHY_WIDE;
        s->models[i] = test_model(s->bench.context, &mesh, &options);
        models_free(&mesh);
    }
    measure(s);
    return 0;
}

static int end(void **state)
{
    swap_bench *s = *state;
    for (size_t i = 0; i < MODELS; i++) {
        tumble_model_destroy(s->models[i]);
    }
    tumble_query_destroy(s->bench.query);
    tumble_context_destroy(s->bench.context);
    test_allocator_end(&s->bench.memory);
    free(s);
    return 0;
}

/* ---- Answers ---- */

/* Random batches in all modes. */
static tumble_device_memory compare(swap_bench *s, tumble_device_options options, size_t rounds, uint64_t seed)
{
    swap_stage stage;
    test_random random = {seed};
    stage_open(s, &stage, options, MODELS);
    for (size_t round = 0; round < rounds; round++) {
        draw_question(s, &stage, &random, MODELS);
        device_truth *truth = device_find_truth(s->bench.query, &stage.question);
        device_compare_pairs(&s->bench, &stage.seat, &stage.question, stage.pairs, truth);
        device_free_truth(truth, CHECKS);
        s->bench.question_count++;
    }
    assert_true(stage.seat.hits > 0 && stage.seat.hits < stage.seat.checks);
    const tumble_device_memory memory = memory_of(&stage);
    tumble_device_close(stage.seat.device);
    assert_int_equal(memory.model_count, MODELS);
    return memory;
}

static void test_few_fit(void **state)
{
    swap_bench *s = *state;
    const tumble_device_memory memory = compare(s, limited(s->many + 3 * s->bytes), test_count(2), 9001);
    assert_true(memory.resident_count > 0 && memory.resident_count <= MODELS / 2);
    assert_true(memory.swapped_in_count > MODELS && memory.swapped_out_count > MODELS);
    assert_true(memory.swapped_in_bytes >= memory.swapped_in_count && memory.swapped_in_bytes > s->bytes);
}

/* No more than two models at a time, and sometimes not even the buffers of several checks beside them. */
static void test_one_pair_fits(void **state)
{
    swap_bench *s = *state;
    const tumble_device_memory memory = compare(s, limited(s->few + 2 * s->bytes), 1, 9002);
    assert_true(memory.resident_count >= 1);
    assert_true(memory.swapped_in_count > MODELS);
}

static void test_without_doubles(void **state)
{
    swap_bench *s = *state;
    tumble_device_options options = limited(s->many + 4 * s->bytes);
    options.without_doubles = 1;
    assert_true(compare(s, options, 1, 9003).swapped_in_count > MODELS);
}

static void test_all_fit(void **state)
{
    swap_bench *s = *state;
    const tumble_device_memory memory = compare(s, limited(2 * s->many + 2 * MODELS * s->bytes), 1, 9004);
    assert_int_equal(memory.swapped_out_count, 0);
    assert_int_equal(memory.swapped_in_count, 0);
    assert_int_equal(memory.resident_count, MODELS);
}

/* More checks than their buffers have room for: cut into pieces by their number. */
static void test_many_checks(void **state)
{
    enum {
        MANY = 4000
    };
    swap_bench *s = *state;
    swap_stage stage;
    test_random random = {9008};
    static tumble_model_pair pairs[MANY];
    static tumble_pose poses[MANY];
    static tumble_check_answer answers[MANY];
    tumble_ticket_report report;
    stage_open(s, &stage, limited(s->few + 200 * 1000 + 2 * s->bytes), 4);
    for (size_t i = 0; i < MANY; i++) {
        pairs[i] = (tumble_model_pair){stage.handles[i * 4 / MANY], stage.handles[(i * 4 / MANY + 1) % 4]};
        poses[i] = test_translation(test_random_range(&random, -2, 2), test_random_range(&random, -1, 1), 0);
    }
    tumble_batch batch = tumble_default_batch();
    batch.check_count = batch.pair_count = batch.pose_b_count = MANY;
    batch.pairs = pairs, batch.poses_b = poses, batch.answers = answers;
    assert_int_equal(run(&stage, &batch, &report), TUMBLE_OK);
    assert_int_equal(report.done_count, MANY);
    for (size_t i = 0; i < MANY; i++) {
        tumble_collide_result result;
        tumble_collide_options options = tumble_default_collide_options();
        options.mode = TUMBLE_TEST;
        assert_int_equal(tumble_collide(s->bench.query, tmb_device_model_of(pairs[i].a), NULL,
                                        tmb_device_model_of(pairs[i].b), &poses[i], &options, &result),
                         TUMBLE_OK);
        assert_int_equal(answers[i].collide, result.collide);
    }
    tumble_device_close(stage.seat.device);
}

/* Where buffers are short they have nothing to spare: otherwise they are a quarter larger than a batch needs. */
static void test_exact_buffers(void **state)
{
    swap_bench *s = *state;
    swap_stage stage;
    stage_open(s, &stage, limited(s->few + 2 * s->bytes), BOXTREE + 1);
    test_assert_status(s->bench.context, use(&stage, 0, BOXTREE), TUMBLE_OK, "");
    assert_true(bytes_beside_models(&stage) <= s->few);
    tumble_device_close(stage.seat.device);
}

/* ---- Who leaves ---- */

/* What a device with these models needs beside them: the stacks are as deep as the deepest. */
static uint64_t need_of(swap_bench *s, tumble_model *const *models, size_t count)
{
    swap_stage stage;
    stage_open(s, &stage, limited(0), 0);
    add_models(s, &stage, models, count);
    assert_int_equal(use(&stage, 0, 1), TUMBLE_OK);
    const uint64_t need = bytes_beside_models(&stage);
    tumble_device_close(stage.seat.device);
    return need;
}

static void test_least_recently_used(void **state)
{
    swap_bench *s = *state;
    swap_stage stage;
    tumble_model *const own[4] = {s->models[0], s->models[5], s->models[10], s->models[15]}; /* all are spheres */
    stage_open(s, &stage, limited(need_of(s, own, 4) + 3 * bytes_of(own[3])), 0);
    assert_true(4 * bytes_of(own[0]) > 3 * bytes_of(own[3]));
    add_models(s, &stage, own, 3);
    assert_int_equal(use(&stage, 0, 1), TUMBLE_OK); /* all buffers are there */
    assert_int_equal(memory_of(&stage).resident_count, 3);
    const uint64_t out = memory_of(&stage).swapped_out_count, in = memory_of(&stage).swapped_in_count;
    assert_int_equal(tumble_device_add_model(stage.seat.device, own[3], &stage.handles[3]), TUMBLE_OK);
    assert_int_equal(memory_of(&stage).swapped_out_count, out + 1); /* model 2 */
    const struct {
        size_t a, b;
        uint64_t moved;
    } steps[] = {{0, 1, 0}, {3, 1, 0}, {2, 2, 1} /* for 0 */, {1, 3, 1}, {0, 3, 2} /* for 2 */, {1, 3, 2}, {2, 3, 3}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(use(&stage, steps[i].a, steps[i].b), TUMBLE_OK);
        assert_int_equal(memory_of(&stage).swapped_in_count, in + steps[i].moved);
        assert_int_equal(memory_of(&stage).swapped_out_count, out + 1 + steps[i].moved);
        assert_int_equal(memory_of(&stage).resident_count, 3);
    }
    /* One that is out is removed, and one that is in: then another one has room. */
    tumble_device_remove_model(stage.handles[0]);
    tumble_device_remove_model(stage.handles[2]);
    assert_int_equal(memory_of(&stage).resident_count, 2);
    assert_int_equal(tumble_device_add_model(stage.seat.device, own[0], &stage.handles[0]), TUMBLE_OK);
    assert_int_equal(use(&stage, 0, 1), TUMBLE_OK);
    assert_int_equal(memory_of(&stage).swapped_out_count, out + 4);
    tumble_device_close(stage.seat.device);
}

/* A model that is out is removed, deformed and added again: the answers are those of its new shape. */
static void test_deformed(void **state)
{
    swap_bench *s = *state;
    swap_stage stage;
    models_mesh mesh = {0};
    tumble_model *before = NULL, *after = NULL;
    test_make_grid_box(&mesh, 4);
    before = test_model(s->bench.context, &mesh, NULL);
    const double shift[3] = {100, 0, 0};
    test_transform(&mesh, 1, shift);
    const tumble_mesh moved = models_view(&mesh);
    assert_int_equal(tumble_model_deform(before, &moved, &after), TUMBLE_OK);
    const uint64_t three = bytes_of(s->models[0]) + bytes_of(s->models[1]) + bytes_of(s->models[2]);
    stage_open(s, &stage, limited(need_of(s, s->models, 3) + three - 256), 3);
    assert_int_equal(tumble_device_add_model(stage.seat.device, before, &stage.handles[3]), TUMBLE_OK);
    assert_int_equal(use(&stage, 0, 1), TUMBLE_OK);
    assert_int_equal(use(&stage, 1, 2), TUMBLE_OK);
    tumble_device_remove_model(stage.handles[3]);
    tumble_model_destroy(before);
    assert_int_equal(tumble_device_add_model(stage.seat.device, after, &stage.handles[3]), TUMBLE_OK);
    assert_int_equal(use(&stage, 0, 2), TUMBLE_OK);
    tumble_check_answer answers[2];
    stage.pairs[0] = stage.pairs[1] = (tumble_model_pair){stage.handles[3], stage.handles[0]};
    stage.poses[0] = tumble_pose_identity();
    stage.poses[1] = test_translation(104, 2, 2);
    const tumble_batch batch = test_batch(&stage, 2, answers);
    assert_int_equal(run(&stage, &batch, NULL), TUMBLE_OK);
    assert_false(answers[0].collide);
    assert_true(answers[1].collide);
    assert_true(memory_of(&stage).swapped_in_count > 0);
    /* Edited, it is where it was before as well. */
    tumble_device_remove_model(stage.handles[3]);
    const double back[3] = {-100, 0, 0};
    test_transform(&mesh, 1, back);
    const tumble_mesh more = models_view(&mesh);
    assert_int_equal(tumble_model_insert(after, &more, NULL), TUMBLE_OK);
    assert_int_equal(tumble_device_add_model(stage.seat.device, after, &stage.handles[3]), TUMBLE_OK);
    stage.pairs[0].a = stage.pairs[1].a = stage.handles[3];
    stage.poses[0] = test_translation(4, 2, 2);
    assert_int_equal(run(&stage, &batch, NULL), TUMBLE_OK);
    assert_true(answers[0].collide && answers[1].collide);
    tumble_device_close(stage.seat.device);
    tumble_model_destroy(after);
    models_free(&mesh);
}

/* Models come and go while a long batch runs: the two that it uses stay. */
static void test_in_flight(void **state)
{
    enum {
        LONG = 400
    };
    swap_bench *s = *state;
    swap_stage stage;
    static tumble_pose poses[LONG];
    static tumble_check_answer answers[LONG];
    test_random random = {9005};
    tumble_ticket ticket;
    stage_open(s, &stage, limited(s->many + LONG * 1000 + 3 * s->bytes), 2);
    const tumble_model_pair pair = {stage.handles[0], stage.handles[1]};
    const tumble_model_info info = test_info(s->models[1]);
    for (size_t i = 0; i < LONG; i++) {
        poses[i] = device_pose(&random, &info, 0.5, i % 16);
    }
    tumble_batch batch = tumble_default_batch();
    batch.mode = TUMBLE_COUNT;
    batch.check_count = batch.pose_b_count = LONG;
    batch.pairs = &pair, batch.pair_count = 1, batch.poses_b = poses, batch.answers = answers;
    assert_int_equal(tumble_device_submit(stage.seat.device, &batch, DEVICE_LIMIT_SECONDS, &ticket), TUMBLE_OK);
    size_t came = 0;
    tumble_ticket_report report = {.is_done = false};
    while (!report.is_done) {
        tumble_device_model *model;
        assert_int_equal(tumble_device_add_model(stage.seat.device, s->models[2 + came++ % 18], &model), TUMBLE_OK);
        tumble_device_remove_model(came % 3 ? model : NULL);
        assert_int_equal(tumble_device_poll(stage.seat.device, ticket, &report), TUMBLE_OK);
    }
    assert_int_equal(tumble_device_wait(stage.seat.device, ticket, DEVICE_LIMIT_SECONDS, NULL), TUMBLE_OK);
    for (size_t i = 0; i < LONG; i++) {
        tumble_collide_result result;
        tumble_collide_options options = tumble_default_collide_options();
        options.mode = TUMBLE_COUNT;
        assert_int_equal(tumble_collide(s->bench.query, s->models[0], NULL, s->models[1], &poses[i], &options, &result),
                         TUMBLE_OK);
        assert_int_equal(answers[i].status, TUMBLE_OK);
        assert_int_equal(answers[i].pair_count, result.pair_count);
    }
    tumble_device_close(stage.seat.device);
}

/* ---- Too little ---- */

/* One and a half models: a model fits beside itself, and no other does. */
static void test_no_pair_fits(void **state)
{
    swap_bench *s = *state;
    for (int retry = 0; retry < 2; retry++) {
        swap_stage stage;
        test_random random = {9006};
        tumble_check_answer answers[CHECKS];
        tumble_ticket_report report;
        tumble_device_options options = limited(s->few + s->bytes + s->bytes / 4);
        options.retry_on_cpu = retry;
        stage_open(s, &stage, options, MODELS);
        draw_question(s, &stage, &random, MODELS);
        for (size_t i = 0; i < CHECKS; i += 2) {
            stage.models[i][1] = stage.models[i][0];
            stage.pairs[i].b = stage.pairs[i].a;
        }
        device_truth *truth = device_find_truth(s->bench.query, &stage.question);
        const tumble_batch batch = test_batch(&stage, CHECKS, answers);
        const tumble_status status = run(&stage, &batch, &report);
        size_t failed = 0;
        for (size_t i = 0; i < CHECKS; i++) {
            const int is_small = stage.pairs[i].a == stage.pairs[i].b;
            assert_true(answers[i].status == TUMBLE_OK || (!retry && !is_small));
            assert_true(answers[i].status != TUMBLE_OK || answers[i].collide == (truth[i].pairs.count > 0));
            failed += answers[i].status == TUMBLE_ERROR_MEMORY;
        }
        device_free_truth(truth, CHECKS);
        assert_int_equal(status, retry ? TUMBLE_OK : TUMBLE_ERROR_MEMORY);
        assert_true(retry ? report.retried_count > 0 : failed > CHECKS / 4);
        assert_int_equal(report.done_count, CHECKS - failed);
        if (!retry) {
            char sizes[96];
            size_t i = 0;
            while (answers[i].status == TUMBLE_OK) {
                i++;
            }
            snprintf(sizes, sizeof sizes, "check %zu: models of %llu and %llu bytes do not fit", i,
                     (unsigned long long)((tmb_uploaded_model *)tmb_uploaded(stage.pairs[i].a))->bytes,
                     (unsigned long long)((tmb_uploaded_model *)tmb_uploaded(stage.pairs[i].b))->bytes);
            assert_non_null(strstr(report.message, sizes));
            assert_non_null(strstr(report.message, "raise memory_limit"));
        }
        tumble_device_close(stage.seat.device);
    }
}

/* A model that never fits is refused, and the others stay. */
static void test_model_too_large(void **state)
{
    swap_bench *s = *state;
    swap_stage stage;
    models_mesh mesh = {0};
    const size_t limit = 3 << 20; /* enough to open it, but not for a batch */
    stage_open(s, &stage, limited(limit), 3);
    assert_true(models_make_sized(&mesh, "sphere", limit / 20));
    tumble_model *large = test_model(s->bench.context, &mesh, NULL);
    models_free(&mesh);
    tumble_device_model *handle;
    test_assert_status(s->bench.context, tumble_device_add_model(stage.seat.device, large, &handle),
                       TUMBLE_ERROR_MEMORY, "for a model");
    assert_int_equal(memory_of(&stage).resident_count, 3);
    assert_int_equal(memory_of(&stage).model_count, 3);
    tumble_device_close(stage.seat.device);
    tumble_model_destroy(large);
}

/* Each call of OpenCL fails once while models are swapped: batches fail or are right, and later ones are right. */
static void test_each_call(void **state)
{
    static const int codes[] = {-4 /* memory object */, -2 /* not available */, -5 /* resources */};
    swap_bench *s = *state;
    swap_stage stage;
    test_random random = {9007};
    size_t failed = 0, answered = 0, step = test_effort() < 1 ? 41 : 13;
    stage_open(s, &stage, limited(s->few + 2 * s->bytes + s->bytes / 2), 6);
    draw_question(s, &stage, &random, 6);
    device_truth *truth = device_find_truth(s->bench.query, &stage.question);
    int is_over = 0;
    for (size_t call = 1; !is_over; call += step) {
        tumble_check_answer answers[4];
        const tumble_batch batch = test_batch(&stage, 4, answers);
        const fault_plan plan = {NULL, call, 0, codes[call % 3], NULL};
        s->set_plan(&plan);
        const tumble_status status = run(&stage, &batch, NULL);
        is_over = s->get_count().failures == 0;
        s->set_plan(NULL);
        failed += status != TUMBLE_OK;
        assert_int_equal(run(&stage, &batch, NULL), TUMBLE_OK);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(answers[i].collide, truth[i].pairs.count > 0);
            answered++;
        }
        (void)memory_of(&stage);
    }
    print_message("%zu batches failed, %zu checks were answered\n", failed, answered);
    assert_true(failed > 0);
    device_free_truth(truth, CHECKS);
    tumble_device_close(stage.seat.device);
    assert_int_equal(s->get_count().live, 0);
}

/* The patent's interface: more objects than have room. */
static void test_col(void **state)
{
    enum {
        OBJECTS = 8,
        SIDE = 20 /* of a square of squares, of two triangles each */
    };
    swap_bench *s = *state;
    colOptions options = colDefaultOptions();
    options.device = 1, options.context = s->bench.context, options.retry_on_cpu = false;
    options.memory_limit = s->few + 4 * s->bytes;
    colContext *context = colInit(&options);
    colObject objects[OBJECTS];
    assert_non_null(context);
    for (size_t i = 0; i < OBJECTS; i++) {
        objects[i] = colNewObject(context);
        for (uint32_t k = 0; k < SIDE * SIDE; k++) {
            const double x = k % SIDE + 0.1, y = k / SIDE + 0.1, z = (double)i;
            const colVec square[6] = {{x, y, z},     {x + 1, y, z}, {x, y + 1, z},
                                      {x, y + 1, z}, {x + 1, y, z}, {x + 1, y + 1, z}};
            assert_int_equal(colTriangles(context, square, 2), TUMBLE_OK);
        }
        assert_int_equal(colEndObject(context), TUMBLE_OK);
    }
    for (size_t i = 0; i < 3 * OBJECTS; i++) {
        const size_t a = i % OBJECTS, b = 5 * i % OBJECTS;
        const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, i % 2 ? (double)a - (double)b : 0.5, 1};
        colResult result;
        const colPending check = colCheck(context, objects[a], objects[b], matrix, NULL, NULL, 0);
        assert_int_equal(colWait(context, check, DEVICE_LIMIT_SECONDS, &result), TUMBLE_OK);
        assert_int_equal(result.collide, i % 2);
    }
    assert_int_equal(colError(context, NULL, 0), TUMBLE_OK);
    colShutdown(context);
}

/* The pool has nothing to swap. */
static void test_pool(void **state)
{
    swap_bench *s = *state;
    tumble_device *device;
    tumble_device_model *model;
    tumble_device_memory memory;
    assert_int_equal(tumble_device_open(s->bench.context, 0, NULL, &device), TUMBLE_OK);
    assert_int_equal(tumble_device_add_model(device, s->models[0], &model), TUMBLE_OK);
    assert_int_equal(tumble_device_get_memory(device, &memory), TUMBLE_OK);
    assert_int_equal(memory.model_count, 1);
    assert_int_equal(memory.resident_count, 1);
    assert_int_equal(memory.limit_bytes, 0);
    assert_int_equal(tumble_device_get_memory(NULL, &memory), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(s->bench.context, tumble_device_get_memory(device, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    tumble_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_fit),
        cmocka_unit_test(test_one_pair_fits),
        cmocka_unit_test(test_without_doubles),
        cmocka_unit_test(test_all_fit),
        cmocka_unit_test(test_many_checks),
        cmocka_unit_test(test_exact_buffers),
        cmocka_unit_test(test_least_recently_used),
        cmocka_unit_test(test_deformed),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_no_pair_fits),
        cmocka_unit_test(test_model_too_large),
        cmocka_unit_test(test_each_call),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_col),
    };
    (void)setenv("TUMBLE_OPENCL_LIBRARY", TUMBLE_FAULT_OPENCL, 1);
    return DEVICE_RUN(tests, begin, end);
}
