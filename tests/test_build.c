/* Building hierarchies: the same bytes from any number of threads and for every instruction set, bounded depth, and no
 * pair lost, for sets that are made to be difficult. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sets.h"

/* ---- Threads ---- */

static void assert_same_blocks(const tumble_model *a, const tumble_model *b, size_t variant, uint32_t threads)
{
    size_t size_a, size_b;
    const void *block_a = tumble_model_block(a, &size_a), *block_b = tumble_model_block(b, &size_b);
    if (size_a != size_b || memcmp(block_a, block_b, size_a) != 0) {
        fail_msg("%s: other bytes with %u threads", test_tree_name(variant), threads);
    }
}

static void make_large(models_mesh *mesh, int kind)
{
    test_random random = {(uint64_t)kind};
    const size_t count = 52000; /* enough for several tasks on each thread */
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
        for (size_t variant = kind ? 5 : 0; variant < TEST_TREE_VARIANTS; variant += kind ? 11 : step) {
            tumble_model_options options = test_tree_variant(variant);
            options.thread_count = 1;
            tumble_model *single = test_model(w->context, &mesh, &options);
            for (size_t k = 0; k < 3; k++) {
                if (kind == 0 && variant % 3 != k && test_effort() <= 1) {
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

static int note_progress(void *user, double fraction)
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

/* ---- Difficult sets ---- */

/* Levels of splits that docs/boxtree.md allows; each may have a one-child node before it. */
static uint32_t depth_limit(size_t count, double trim)
{
    uint32_t bits = 0;
    while (((size_t)1 << bits) < count) {
        bits++;
    }
    return (2 * bits + 8) * (trim > 0 ? 2 : 1);
}

static void test_depth_is_bounded(void **state)
{
    test_world *w = *state;
    for (size_t i = 0; i < TEST_SETS; i++) {
        const size_t counts[] = {2, 3, 17, 100, test_count(5000)};
        for (size_t c = 0; c < 5; c++) {
            test_random random = {i};
            models_mesh mesh = {0};
            test_sets[i].make(&mesh, &random, counts[c]);
            for (size_t variant = c; variant < TEST_TREE_VARIANTS; variant += c < 4 ? 3 : 9) {
                const tumble_model_options options = test_tree_variant(variant);
                tumble_model *model = test_model(w->context, &mesh, &options);
                const tumble_model_info info = test_info(model);
                if (info.depth > depth_limit(mesh.polygon_count, options.boxtree.trim)) {
                    fail_msg("%s: %zu triangles, depth %u, %s", test_sets[i].name, mesh.polygon_count, info.depth,
                             test_tree_name(variant));
                }
                if (info.hierarchy_bytes > 9 * info.node_count) {
                    fail_msg("%s: %zu triangles, %llu bytes in %llu nodes, %s", test_sets[i].name, mesh.polygon_count,
                             (unsigned long long)info.hierarchy_bytes, (unsigned long long)info.node_count,
                             test_tree_name(variant));
                }
                tumble_model_destroy(model);
            }
            models_free(&mesh);
        }
    }
}

static void test_difficult_sets(void **state)
{
    test_world *w = *state;
    test_pairs expected = {0}, found = {0};
    size_t number = 0, hits = 0;
    for (size_t i = 0; i < TEST_SETS; i++) {
        test_random random = {i + 1000};
        models_mesh mesh = {0};
        test_sets[i].make(&mesh, &random, 60);
        tumble_model *brute = test_brute_model(w->context, &mesh), *trees[TEST_TREE_VARIANTS];
        for (size_t k = 0; k < TEST_TREE_VARIANTS; k++) {
            const tumble_model_options options = test_tree_variant(k);
            trees[k] = test_model(w->context, &mesh, &options);
        }
        const tumble_model_info info = test_info(brute);
        tumble_model *wide[2];
        for (size_t k = 0; k < 2; k++) {
            const tumble_model_options options = test_tree_variant(TEST_TREE_WIDE + k);
            wide[k] = test_model(w->context, &mesh, &options);
        }
        for (size_t p = 0; p < test_count(40); p++) {
            const tumble_pose pose = test_pose_over(&random, &info, test_sets[i].turns, p);
            test_collide(w->query, brute, NULL, brute, &pose, NULL, &expected);
            hits += expected.count;
            test_collide(w->query, wide[p % 2], NULL, wide[p / 2 % 2], &pose, NULL, &found);
            test_assert_same_pairs(&found, &expected, "%s, pose %zu, wide", test_sets[i].name, p);
            for (size_t k = 0; k < TEST_OVERLAP_VARIANTS; k++, number++) {
                const tumble_collide_options options = test_overlap_variant(k);
                const size_t a = number % TEST_TREE_VARIANTS, b = number / 7 % TEST_TREE_VARIANTS;
                test_collide(w->query, trees[a], NULL, trees[b], &pose, &options, &found);
                test_assert_same_pairs(&found, &expected, "%s, pose %zu, %s, A: %s, B: %s", test_sets[i].name, p,
                                       test_overlap_name(k), test_tree_name(a), test_tree_name(b));
            }
        }
        for (size_t k = 0; k < TEST_TREE_VARIANTS; k++) {
            tumble_model_destroy(trees[k]);
        }
        tumble_model_destroy(wide[0]);
        tumble_model_destroy(wide[1]);
        tumble_model_destroy(brute);
        models_free(&mesh);
    }
    assert_true(hits > 10000);
    test_free_pairs(&expected);
    test_free_pairs(&found);
}

/* No plane separates anything, and still there is an answer at once. (The shift lies in their common plane.) */
static void test_a_million_coincident_triangles(void **state)
{
    test_world *w = *state;
    const size_t count = test_count(1000000);
    models_mesh mesh = {0};
    test_random random = {5};
    test_find_set("coincident")->make(&mesh, &random, count);
    for (size_t variant = 0; variant < 5; variant++) {
        const tumble_model_options options = test_tree_variant(variant < 4 ? variant + 36 : TEST_TREE_WIDE);
        tumble_model *model = test_model(w->context, &mesh, &options);
        const tumble_pose touching = test_translation(2, -1, 0), apart = test_translation(0, 0, 5);
        assert_true(test_info(model).depth <= depth_limit(count, 1));
        for (size_t k = 0; k < TEST_OVERLAP_VARIANTS; k++) {
            tumble_collide_options question = test_overlap_variant(k);
            for (int mode = TUMBLE_COLLIDE_FIRST; mode <= TUMBLE_COLLIDE_TEST; mode++) {
                tumble_collide_result result = {.size = sizeof result};
                question.mode = (tumble_collide_mode)mode;
                assert_int_equal(tumble_collide(w->query, model, NULL, model, &touching, &question, &result),
                                 TUMBLE_OK);
                assert_int_equal(result.collide, 1);
                assert_true(result.counters.box_tests < 1000); /* straight down */
                assert_int_equal(tumble_collide(w->query, model, NULL, model, &apart, &question, &result), TUMBLE_OK);
                assert_int_equal(result.collide, 0);
                assert_true(result.counters.box_tests < 10);
            }
        }
        tumble_model_destroy(model);
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
        TEST_IN_WORLD(test_depth_is_bounded),
        TEST_IN_WORLD(test_difficult_sets),
        TEST_IN_WORLD(test_a_million_coincident_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
