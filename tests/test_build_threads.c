/* Building hierarchies with threads: the same bytes from any number of them and for every instruction set, and progress
 * that is reported to the caller alone. */
#include <string.h>

#include "sets.h"

static void assert_same_blocks(const tumble_model *a, const tumble_model *b, size_t variant, uint32_t threads)
{
    if (!test_same_blocks(a, b)) {
        fail_msg("%s: other bytes with %u threads", test_tree_name(variant), threads);
    }
}

static void make_large(models_mesh *mesh, int kind)
{
    test_random random = {(uint64_t)kind};
    const size_t count = test_effort() < 1 ? 34000 : 52000; /* enough for several tasks on each thread */
    switch (kind) {
    case 0: test_make_soup(mesh, &random, count, 0.05); break;
    case 1: test_make_lattice(mesh, &random, count, 6, 1, 0.3); break; /* many ties */
    default: assert_true(models_make_sized(mesh, "gear", count)); break;
    }
}

static void test_threads_give_the_same_bytes(void **state)
{
    test_world *w = *state;
    static const uint32_t threads[] = {2, 3, 8};
    const size_t step = test_effort() < 1 ? 13 : 1;
    for (int kind = 0; kind < 3; kind++) {
        models_mesh mesh = {0};
        make_large(&mesh, kind);
        for (size_t variant = kind ? 5 : 0; variant < TEST_TREE_VARIANTS; variant += kind ? 10 + step : step) {
            tumble_model_options options = test_tree_variant(variant);
            options.thread_count = 1;
            tumble_model *single = test_model(w->context, &mesh, &options);
            for (size_t k = 0; k < 3; k++) {
                if (variant % 3 != k && (test_effort() < 1 || (kind == 0 && test_effort() <= 1))) {
                    continue; /* each variant with one number of threads, in turn */
                }
                options.thread_count = threads[k];
                tumble_model *model = test_model(w->context, &mesh, &options);
                assert_same_blocks(model, single, variant, threads[k]);
                tumble_model_destroy(model);
            }
            tumble_model_destroy(single);
        }
        models_free(&mesh);
    }
}

/* The same for the wide hierarchy, and for the instruction sets. */
static void test_wide_bytes(void **state)
{
    test_world *w = *state;
    static const uint32_t threads[] = {1, 2, 3, 8};
    tumble_context *contexts[3];
    for (int level = 0; level < 3; level++) {
        contexts[level] = test_context(&w->memory, 1, (tumble_simd)(TUMBLE_SIMD_SCALAR + level));
    }
    for (size_t n = 0; n < 2 * (3 + TEST_SETS); n++) {
        const size_t i = n / 2, variant = n % 2 ? TEST_TREE_WIDE_LONGEST : TEST_TREE_WIDE;
        tumble_model_options options = test_tree_variant(variant);
        models_mesh mesh = {0};
        test_random random = {i};
        if (i < 3) {
            make_large(&mesh, (int)i);
        } else {
            test_sets[i - 3].make(&mesh, &random, test_count(3000));
        }
        tumble_model *single = NULL;
        for (int level = 0; level < 3; level++) {
            for (size_t k = 0; k < (i < 3 ? 4 : 1); k++) {
                if (i < 3 && test_effort() < 1 && single && k != (size_t)level + 1) {
                    continue; /* each instruction set with one number of threads */
                }
                options.thread_count = threads[k];
                tumble_model *model = test_model(contexts[level], &mesh, &options);
                single = single ? single : model;
                assert_same_blocks(model, single, variant, threads[k]);
                if (model != single) {
                    tumble_model_destroy(model);
                }
            }
        }
        tumble_model_destroy(single);
        models_free(&mesh);
    }
    for (int level = 0; level < 3; level++) {
        tumble_context_destroy(contexts[level]);
    }
}

/* Any number of threads may be asked for. */
static void test_absurd_numbers_of_threads(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    make_large(&mesh, 0);
    tumble_model *expected = test_model(w->context, &mesh, NULL);
    tumble_context *context = test_context(&w->memory, UINT32_MAX, TUMBLE_SIMD_AUTO);
    tumble_model_options options = tumble_default_model_options();
    for (int i = 0; i < 2; i++) {
        options.thread_count = i ? UINT32_MAX : 0; /* 0: what the context says */
        tumble_model *model = test_model(context, &mesh, &options);
        assert_same_blocks(model, expected, TEST_TREE_WIDE, UINT32_MAX);
        tumble_model_destroy(model);
    }
    tumble_context_destroy(context);
    tumble_model_destroy(expected);
    models_free(&mesh);
}

typedef struct progress_log {
    pthread_t caller;
    size_t calls, stop_at;
    double first, last;
    int wrong;
} progress_log;

static bool note_progress(void *user, double fraction)
{
    progress_log *log = user;
    log->wrong |= !pthread_equal(pthread_self(), log->caller) || !(fraction >= log->last && fraction <= 1);
    log->first = log->calls == 0 ? fraction : log->first;
    log->last = fraction;
    return ++log->calls == log->stop_at;
}

static void test_progress(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    make_large(&mesh, 0);
    const tumble_mesh view = models_view(&mesh);
    const size_t live = test_allocator_live(&w->memory);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        progress_log log = {.caller = pthread_self()};
        tumble_model_options options = tumble_default_model_options();
        options.thread_count = threads;
        options.progress = note_progress;
        options.progress_user = &log;
        tumble_model *model = test_model(w->context, &mesh, &options);
        tumble_model_destroy(model);
        const size_t calls = log.calls;
        assert_true(calls > 0 && (threads > 1 || (log.first < 0.5 && log.last > 0.5)));
        for (size_t stop = 1; stop <= (threads == 1 ? calls : 1); stop++) {
            log = (progress_log){.caller = pthread_self(), .stop_at = stop, .wrong = log.wrong};
            model = NULL;
            const tumble_status status = tumble_model_create(w->context, &view, &options, &model);
            if (threads == 1 || log.calls >= stop) {
                test_assert_status(w->context, status, TUMBLE_ERROR_CANCELLED, "");
                assert_null(model);
            }
            tumble_model_destroy(model);
            assert_int_equal(test_allocator_live(&w->memory), live);
        }
        assert_false(log.wrong);
    }
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_threads_give_the_same_bytes),
        TEST_IN_WORLD(test_wide_bytes),
        TEST_IN_WORLD(test_absurd_numbers_of_threads),
        TEST_IN_WORLD(test_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
