/* Many threads search for the nearest polygons of the same models. Made for the thread sanitizer. */
#include <pthread.h>

#include "near_cases.h"

enum {
    THREADS = 4,
    TURNS = 6,
    KINDS = 4
};

typedef struct worker {
    pthread_t thread;
    tumble_context *context;
    tumble_model *const *models;
    const double *expected;
    size_t wrong;
} worker;

static tumble_pose turn_pose(size_t turn)
{
    return test_translation(3 + 0.1 * (double)turn, 0.5, 0.25);
}

/* cmocka's assertions must not be used outside the main thread. */
static void *work(void *argument)
{
    worker *w = argument;
    tumble_query *query = NULL;
    tumble_distance_options options = tumble_default_distance_options();
    if (tumble_query_create(w->context, &query) != TUMBLE_OK) {
        w->wrong++;
        return NULL;
    }
    options.coherence = TUMBLE_COHERENCE_ALL;
    for (size_t turn = 0; turn < TURNS; turn++) {
        const tumble_pose pose = turn_pose(turn);
        tumble_distance_result result;
        const tumble_status status = tumble_distance(query, w->models[0], NULL, w->models[1], &pose, &options, &result);
        w->wrong += status != TUMBLE_OK || !near_same(result.nearest.distance, w->expected[turn]);
    }
    tumble_query_destroy(query);
    return NULL;
}

/* The context is without the tests' allocator, whose lock would order the threads and hide races. */
static void ask_at_once(tumble_model *const models[2], const double *expected)
{
    tumble_context *context = NULL;
    worker workers[THREADS];
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.context = context, .models = models, .expected = expected};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
    }
    tumble_context_destroy(context);
}

static void make_pair(near_bench *b, const tumble_model_options *options, tumble_model *models[2])
{
    static const char *const shapes[2] = {"knot", "plate"};
    for (int k = 0; k < 2; k++) {
        models_mesh mesh = {0};
        assert_true(models_make_sized(&mesh, shapes[k], k ? 300 : 200));
        models[k] = test_model(b->contexts[0], &mesh, options);
        models_free(&mesh);
    }
}

static void free_pair(tumble_model *models[2])
{
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

static void test_threads(void **state)
{
    near_bench *b = *state;
    static const size_t variants[KINDS] = {TEST_TREE_WIDE, 36, TEST_TREE_KDOP + 10, TEST_TREE_RTREE};
    double expected[TURNS];
    tumble_model_options options = tumble_default_model_options();
    tumble_model *models[2];
    options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    make_pair(b, &options, models);
    for (size_t turn = 0; turn < TURNS; turn++) {
        const tumble_pose pose = turn_pose(turn);
        const near_scene scene = {models[0], models[1], NULL, &pose, "brute force"};
        expected[turn] = near_ask(b->queries[0], &scene, NULL).nearest.distance;
    }
    free_pair(models);
    for (size_t i = 0; i < KINDS; i++) {
        options = test_tree_variant(variants[i]);
        make_pair(b, &options, models);
        ask_at_once(models, expected);
        free_pair(models);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_BENCH(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
