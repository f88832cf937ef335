/* k-DOP trees that several threads build: the same bytes, progress that can stop them, and running out of memory. */
#include "moving.h"

static const uint32_t thread_counts[] = {2, 3, 4};

static void make_large(models_mesh *mesh, int kind)
{
    test_random random = {5};
    if (kind == 0) {
        test_make_soup(mesh, &random, 30000, 0.05);
    } else {
        test_make_lattice(mesh, &random, 20000, 6, 1, 0.3); /* many ties */
    }
}

/* Without special effort, each variant with one number of threads, in turn. */
static void check_variant(test_world *w, const models_mesh *mesh, size_t variant)
{
    tumble_model_options options = test_tree_variant(TEST_TREE_KDOP + variant);
    options.thread_count = 1;
    tumble_model *single = test_model(w->context, mesh, &options);
    for (size_t i = 0; i < 3; i++) {
        if (test_effort() <= 1 && i != variant % 3) {
            continue;
        }
        options.thread_count = thread_counts[i];
        tumble_model *model = test_model(w->context, mesh, &options);
        test_assert_same_blocks(model, single);
        tumble_model_destroy(model);
    }
    tumble_model_destroy(single);
}

static void test_same_bytes(void **state)
{
    for (int kind = 0; kind < 2; kind++) {
        models_mesh mesh = {0};
        make_large(&mesh, kind);
        const size_t step = test_effort() < 1 ? 4 + 3 * (size_t)kind : 1;
        for (size_t variant = 2 * (size_t)kind; variant < TEST_KDOP_VARIANTS; variant += step) {
            check_variant(*state, &mesh, variant);
        }
        models_free(&mesh);
    }
}

/* ---- Progress ---- */

typedef struct progress_log {
    size_t calls, stop_at;
    double last;
    int falls;
} progress_log;

static bool on_progress(void *user, double fraction)
{
    progress_log *log = user;
    log->falls |= fraction < log->last || fraction > 1;
    log->last = fraction;
    return ++log->calls == log->stop_at;
}

static void test_progress(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    make_large(&mesh, 0);
    const tumble_mesh view = models_view(&mesh);
    for (uint32_t threads = 1; threads <= 4; threads *= 4) {
        progress_log log = {0};
        tumble_model_options options = tumble_default_model_options();
        options.hierarchy = TUMBLE_HIERARCHY_KDOP;
        options.thread_count = threads;
        options.progress = on_progress;
        options.progress_user = &log;
        tumble_model *model = test_model(w->context, &mesh, &options);
        tumble_model_destroy(model);
        assert_true(log.calls >= 1 && (threads > 1 || (log.calls > 4 && !log.falls)) && log.last >= 1);
        for (size_t stop = 1; stop <= (threads > 1 ? 1 : log.calls); stop++) {
            log = (progress_log){.stop_at = stop};
            assert_int_equal(tumble_model_create(w->context, &view, &options, &model), TUMBLE_ERROR_CANCELLED);
            assert_null(model);
            assert_int_equal(log.calls, stop);
        }
    }
    models_free(&mesh);
}

/* ---- No memory ---- */

/* The n-th allocation fails, for each n. */
static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    make_large(&mesh, 1);
    const tumble_mesh view = models_view(&mesh);
    tumble_model_options options = test_tree_variant(TEST_TREE_KDOP + 8); /* keeps vertices */
    assert_int_equal(options.tuning->kdop.tumble, TUMBLE_KDOP_TUMBLE_VERTICES);
    options.thread_count = 4;
    test_model_job job = {view, options};
    const size_t places = test_fail_each(w, TEST_FAIL_ALONE, test_create_model, NULL, &job);
    assert_true(places >= 8);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_same_bytes),
        TEST_IN_WORLD(test_progress),
        TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
