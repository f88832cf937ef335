/* Models whose points have moved: memory, threads and instruction sets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moving.h"
#include "tree/block.h"

/* Large enough for several threads. */
static size_t many_triangles(void)
{
    return test_effort() < 1 ? 14000 : 20000;
}

/* ---- Memory ---- */

/* Nothing is allocated once there is room, whether numbers are float or double. */
static void check_no_allocation(test_world *w, const test_mover *mover)
{
    for (int kind = 0; kind < TEST_KINDS; kind++) {
        test_random random = {4};
        models_mesh still, moved;
        test_make_kind(&still, (enum test_kind)kind, 600);
        moved = test_share(&still);
        const tumble_model_options options = test_mover_options(mover);
        tumble_model *model = test_model(w->context, &still, &options), *out = NULL;
        test_move(&moved, &still, TEST_MOVE_TENTHS, &random);
        test_deform(w->context, model, &moved, &out);
        const uint64_t bytes = test_info(out).total_bytes;
        test_allocator_fail(&w->memory, 0, 0);
        for (int motion = 0; motion < TEST_MOTIONS; motion++) {
            test_move(&moved, &still, (enum test_motion)motion, &random);
            test_deform(w->context, model, &moved, &out);
        }
        assert_int_equal(test_allocator_calls(&w->memory), 0);
        assert_int_equal(test_info(out).total_bytes, bytes);
        tumble_model_destroy(model);
        tumble_model_destroy(out);
        free(moved.points);
        models_free(&still);
    }
}

static void test_no_allocation(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        check_no_allocation(*state, &test_movers[i]);
    }
}

/* The n-th allocation fails, for every n, alone and with all that follow. Threads can be done without; everything else
 * is an error after which a model to be reused is as it was. Returns how often it was an error. */
static size_t fail_each(test_world *w, const tumble_model *model, const models_mesh *start, const models_mesh *mesh,
                        tumble_context *context)
{
    size_t errors = 0;
    const tumble_mesh view = models_view(mesh);
    tumble_model *expected = NULL, *before = NULL;
    test_deform(w->context, model, mesh, &expected);
    if (start) {
        test_deform(w->context, model, start, &before);
    }
    for (int forever = 0; forever < 2; forever++) {
        for (size_t n = 1, failures = 1; failures; n++) {
            tumble_model *out = NULL;
            if (start) {
                test_deform(w->context, model, start, &out);
            }
            const size_t live = test_allocator_live(&w->memory);
            test_allocator_fail(&w->memory, n, forever);
            const tumble_status status = tumble_model_deform(model, &view, &out);
            failures = test_allocator_failures(&w->memory);
            test_allocator_fail(&w->memory, 0, 0);
            if (status == TUMBLE_OK) {
                test_assert_same_blocks(out, expected);
            } else {
                test_assert_status(context, status, TUMBLE_ERROR_MEMORY, "out of memory for ");
                assert_int_equal(out != NULL, start != NULL);
                assert_true(failures > 0 && test_allocator_live(&w->memory) <= live + 1); /* scratch memory may grow */
                errors++;
            }
            if (start && status != TUMBLE_OK) {
                test_assert_same_blocks(out, before);
                test_assert_status(context, tumble_model_deform(model, &view, &out), TUMBLE_OK, "");
                test_assert_same_blocks(out, expected);
            }
            tumble_model_destroy(out);
        }
    }
    tumble_model_destroy(expected);
    tumble_model_destroy(before);
    return errors;
}

static void check_memory(test_world *w, const test_mover *mover)
{
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        test_random random = {6};
        models_mesh still, moved, wide;
        test_make_kind(&still, TEST_KIND_SPHERE, many_triangles());
        models_point(&still, 0, 0, 0); /* unused: that needs memory of its own */
        moved = test_share(&still);
        wide = test_share(&still);
        test_move(&moved, &still, TEST_MOVE_ON_A_LATTICE, &random);
        test_move(&wide, &still, TEST_MOVE_TENTHS, &random);
        tumble_context *context = test_context(&w->memory, threads, TUMBLE_SIMD_AUTO);
        const tumble_model_options options = test_mover_options(mover);
        tumble_model *model = test_model(context, &still, &options);
        assert_true(fail_each(w, model, NULL, &moved, context) >= 6);  /* model, scratch, block; twice */
        assert_true(fail_each(w, model, &moved, &wide, context) >= 2); /* a larger block */
        const size_t warm = fail_each(w, model, &wide, &moved, context);
        assert_true(threads > 1 || warm == 0);
        tumble_model_destroy(model);
        tumble_context_destroy(context);
        free(moved.points);
        free(wide.points);
        models_free(&still);
    }
}

static void test_memory(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        check_memory(*state, &test_movers[i]);
    }
}

/* ---- Threads and instruction sets ---- */

/* With any number of threads and every instruction set. */
static void check_frame(test_world *w, const tumble_model *model, const models_mesh *mesh)
{
    tumble_model *first = NULL;
    size_t size;
    const void *block = tumble_model_block(model, &size);
    test_deform(w->context, model, mesh, &first);
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        for (int simd = TUMBLE_SIMD_SCALAR; simd <= TUMBLE_SIMD_AVX512; simd++) {
            if (test_effort() < 1 && (threads / 2 + (uint32_t)simd) % 2) {
                continue; /* about every second */
            }
            tumble_context *context = test_context(&w->memory, threads, (tumble_simd)simd);
            tumble_model *same = NULL, *out = NULL;
            assert_int_equal(tumble_model_from_block(context, block, size, 0, &same), TUMBLE_OK);
            test_deform(context, same, mesh, &out);
            test_assert_same_blocks(out, first);
            tumble_model_destroy(out);
            tumble_model_destroy(same);
            tumble_context_destroy(context);
        }
    }
    tumble_model_destroy(first);
}

static void check_same_bytes(test_world *w, const test_mover *mover, const char *shape)
{
    test_random random = {7};
    models_mesh still, moved;
    assert_true(models_make_sized(&still, shape, many_triangles()));
    moved = test_share(&still);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(w->context, &still, &options);
    for (int frame = 0; frame < 2; frame++) {
        test_move(&moved, &still, frame ? TEST_MOVE_JITTER : TEST_MOVE_ON_A_LATTICE, &random);
        check_frame(w, model, &moved);
    }
    tumble_model_destroy(model);
    free(moved.points);
    models_free(&still);
}

static void test_same_bytes(void **state)
{
    static const char *const shapes[] = {"sphere", "soup", "shards"};
    for (size_t i = 0; i < TEST_MOVERS; i++) {
        for (size_t k = 0; k < 3; k++) {
            if (test_effort() >= 1 || k == i % 3) {
                check_same_bytes(*state, &test_movers[i], shapes[k]);
            }
        }
    }
}

/* One model, deformed and queried by several threads at once. cmocka's assertions belong to the main thread. */
typedef struct worker {
    pthread_t thread;
    const tumble_model *model;
    tumble_context *context;
    const models_mesh *meshes; /* two frames */
    const uint64_t *pair_counts;
    size_t wrong;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    tumble_query *query = NULL;
    tumble_model *out = NULL;
    w->wrong += tumble_query_create(w->context, &query) != TUMBLE_OK;
    for (size_t i = 0; i < (test_effort() < 1 ? 4 : 8) && !w->wrong; i++) {
        const tumble_mesh view = models_view(&w->meshes[i % 2]);
        tumble_collide_result result;
        w->wrong += tumble_model_deform(w->model, &view, &out) != TUMBLE_OK;
        w->wrong += tumble_collide(query, w->model, NULL, out, NULL, NULL, &result) != TUMBLE_OK;
        w->wrong += result.pair_count != w->pair_counts[i % 2];
    }
    tumble_model_destroy(out);
    tumble_query_destroy(query);
    return NULL;
}

static void check_many_threads(test_world *w, const test_mover *mover)
{
    test_random random = {17};
    models_mesh still, moved[2];
    test_make_kind(&still, TEST_KIND_SPHERE, many_triangles());
    tumble_context_options context_options = tumble_default_context_options();
    context_options.thread_count = 2;
    tumble_context *context = NULL; /* without the tests' allocator, whose lock would hide races */
    assert_int_equal(tumble_context_create(&context_options, &context), TUMBLE_OK);
    const tumble_model_options options = test_mover_options(mover);
    tumble_model *model = test_model(context, &still, &options);
    uint64_t pair_counts[2];
    for (int k = 0; k < 2; k++) {
        moved[k] = test_share(&still);
        test_move(&moved[k], &still, k ? TEST_MOVE_TO_A_PLANE : TEST_MOVE_JITTER, &random);
        tumble_model *fresh = test_model(context, &moved[k], &options);
        tumble_collide_result result;
        assert_int_equal(tumble_collide(w->query, model, NULL, fresh, NULL, NULL, &result), TUMBLE_OK);
        pair_counts[k] = result.pair_count;
        assert_true(pair_counts[k] > 0);
        tumble_model_destroy(fresh);
    }
    worker workers[4];
    for (int i = 0; i < 4; i++) {
        workers[i] = (worker){.model = model, .context = context, .meshes = moved, .pair_counts = pair_counts};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
    }
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    free(moved[0].points);
    free(moved[1].points);
    models_free(&still);
}

static void test_many_threads(void **state)
{
    for (size_t i = 0; i < TEST_MOVERS - 1; i++) { /* all but brute force */
        check_many_threads(*state, &test_movers[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_no_allocation),
        TEST_IN_WORLD(test_memory),
        TEST_IN_WORLD(test_same_bytes),
        TEST_IN_WORLD(test_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
