/* Many threads at once: on the same models, on one context, with errors. Made for the thread sanitizer, which sees
 * races that change nothing visible. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

enum {
    THREADS = 6,
    POSES = 24,
    MODELS = 12
};

/* cmocka's assertions must not be used outside the main thread: workers count what is wrong. */
typedef struct worker {
    pthread_t thread;
    unsigned number;
    void *shared;
    size_t done, wrong;
} worker;

/* Runs `body` in THREADS threads and returns how much went wrong in all of them. */
static size_t run_threads(void *(*body)(void *), void *shared)
{
    worker workers[THREADS];
    size_t wrong = 0, done = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (worker){.number = i, .shared = shared};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, body, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        wrong += workers[i].wrong;
        done += workers[i].done;
    }
    assert_true(done > 0);
    return wrong;
}

/* A context without the tests' allocator, whose lock would order the threads and hide races. */
static tumble_context *plain_context(void)
{
    tumble_context *context = NULL;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    return context;
}

/* ---- Queries on the same models ---- */

typedef struct shared_models {
    tumble_context *context;
    tumble_model *models[MODELS]; /* boxtrees of both layouts, wide, k-DOPs, R-trees, polygons, brute force; the last
                                     meets the first */
    tumble_pose poses[POSES];
    uint64_t pair_counts[POSES][MODELS], contact_counts[POSES][MODELS];
} shared_models;

static tumble_status ask(const shared_models *s, tumble_query *query, size_t pose, size_t which, size_t variant,
                         tumble_pair *pairs, size_t room, tumble_collide_result *result)
{
    tumble_collide_options options = test_overlap_variant(variant % TEST_OVERLAP_VARIANTS);
    options.want_contacts = 1;
    options.pairs = pairs;
    options.pair_capacity = room;
    *result = (tumble_collide_result){0};
    return tumble_collide(query, s->models[which], NULL, s->models[(which + 1) % MODELS], &s->poses[pose], &options,
                          result);
}

static void *query_models(void *argument)
{
    worker *w = argument;
    const shared_models *s = w->shared;
    tumble_query *query = NULL;
    tumble_pair pairs[64];
    if (tumble_query_create(s->context, &query) != TUMBLE_OK) {
        w->wrong++;
        return NULL;
    }
    for (size_t i = 0; i < test_count(4) * POSES; i++) {
        const size_t pose = (i * 7 + w->number) % POSES, which = (i + w->number) % MODELS;
        tumble_collide_result result;
        w->wrong += ask(s, query, pose, which, i, pairs, 64, &result) != TUMBLE_OK ||
                    result.pair_count != s->pair_counts[pose][which] ||
                    result.contact_count != s->contact_counts[pose][which];
        tumble_model_info info;
        if (i % 16 == w->number) {
            w->wrong += tumble_model_get_info(s->models[which], &info) != TUMBLE_OK || info.triangle_count == 0;
        }
        w->done++;
    }
    tumble_query_destroy(query);
    return NULL;
}

static void test_queries(void **state)
{
    test_world *w = *state;
    static const char *const shapes[MODELS] = {"torus", "knot",  "prism", "soup", "torus", "prism",
                                               "knot",  "torus", "prism", "knot", "torus", "prism"};
    static const size_t variants[MODELS] = {36,
                                            37,
                                            36,
                                            0,
                                            TEST_TREE_WIDE,
                                            TEST_TREE_WIDE,
                                            TEST_TREE_WIDE,
                                            TEST_TREE_KDOP + 9,
                                            TEST_TREE_KDOP + 10,
                                            TEST_TREE_KDOP + 11,
                                            TEST_TREE_RTREE,
                                            TEST_TREE_RTREE + 1};
    shared_models s = {.context = plain_context()};
    test_random random = {3};
    for (int k = 0; k < MODELS; k++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, shapes[k], k == 3 ? 150 : 600));
        models_fit(&mesh, 2, k % 2);
        const tumble_model_options options = test_tree_variant(variants[k]);
        s.models[k] = k == 3 ? test_brute_model(s.context, &mesh) : test_model(s.context, &mesh, &options);
        models_free(&mesh);
    }
    for (size_t i = 0; i < POSES; i++) {
        s.poses[i] = test_rational_turn(&random);
        for (int k = 0; k < 3; k++) {
            s.poses[i].m[k][3] = test_random_range(&random, -0.7, 0.7);
        }
        for (size_t which = 0; which < MODELS; which++) {
            tumble_collide_result result;
            assert_int_equal(ask(&s, w->query, i, which, 0, NULL, 0, &result), TUMBLE_OK);
            s.pair_counts[i][which] = result.pair_count;
            s.contact_counts[i][which] = result.contact_count;
        }
    }
    assert_int_equal(run_threads(query_models, &s), 0);
    for (int k = 0; k < MODELS; k++) {
        tumble_model_destroy(s.models[k]);
    }
    tumble_context_destroy(s.context);
}

/* ---- Errors ---- */

typedef struct shared_errors {
    tumble_context *context;
    pthread_mutex_t lock;
    size_t logged, bad_logs;
} shared_errors;

static int is_known_error(tumble_status status, const char *text)
{
    return (status == TUMBLE_ERROR_INDEX && strncmp(text, "polygon 0, corner", 17) == 0) ||
           (status == TUMBLE_ERROR_NOT_FINITE && strncmp(text, "point 2: its", 12) == 0) ||
           (status == TUMBLE_ERROR_POSE && strncmp(text, "pose: ", 6) == 0) ||
           (status == TUMBLE_ERROR_FORMAT && strncmp(text, "not a valid model", 17) == 0);
}

static void note_error(void *user, tumble_status status, const char *message)
{
    shared_errors *s = user;
    pthread_mutex_lock(&s->lock);
    s->logged++;
    s->bad_logs += !is_known_error(status, message);
    pthread_mutex_unlock(&s->lock);
}

/* One failing call of each kind; status and message always belong together, whoever else fails at the same time. */
static void *make_errors(void *argument)
{
    worker *w = argument;
    shared_errors *s = w->shared;
    const tumble_pose mirror = {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (size_t i = 0; i < test_count(2000); i++) {
        double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        uint32_t corners[3] = {0, 1, 2};
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = points, mesh.point_count = 3;
        mesh.indices = corners, mesh.index_count = 3;
        tumble_model *model = NULL;
        tumble_status status, expected;
        switch ((i + w->number) % 4) {
        case 0:
            corners[i % 3] = 3;
            status = tumble_model_create(s->context, &mesh, NULL, &model);
            expected = TUMBLE_ERROR_INDEX;
            break;
        case 1:
            points[6 + i % 3] = NAN;
            status = tumble_model_create(s->context, &mesh, NULL, &model);
            expected = TUMBLE_ERROR_NOT_FINITE;
            break;
        case 2:
            status = tumble_pose_check(s->context, &mirror);
            expected = TUMBLE_ERROR_POSE;
            break;
        default:
            status = tumble_model_from_block(s->context, points, sizeof points, 1, &model);
            expected = TUMBLE_ERROR_FORMAT;
            break;
        }
        char text[200] = "";
        const tumble_status last = tumble_last_error(s->context, text, sizeof text);
        w->wrong += status != expected || model != NULL || !is_known_error(last, text);
        w->done++;
    }
    return NULL;
}

static void test_errors(void **state)
{
    test_world *w = *state;
    shared_errors s = {0};
    assert_int_equal(pthread_mutex_init(&s.lock, NULL), 0);
    tumble_context_options options = test_context_options(&w->memory, 1, TUMBLE_SIMD_AUTO);
    options.log = note_error;
    options.log_user = &s;
    assert_int_equal(tumble_context_create(&options, &s.context), TUMBLE_OK);
    assert_int_equal(run_threads(make_errors, &s), 0);
    assert_int_equal(s.logged, THREADS * test_count(2000));
    assert_int_equal(s.bad_logs, 0);
    tumble_context_destroy(s.context);
    pthread_mutex_destroy(&s.lock);
}

/* ---- Building ---- */

typedef struct shared_builds {
    tumble_context *context;
    models_mesh mesh;
    tumble_model_options options;
    const void *block; /* what must come out */
    size_t size;
} shared_builds;

/* Several models at once from one context and one mesh, each of them by several threads. */
static void *build_models(void *argument)
{
    worker *w = argument;
    const shared_builds *s = w->shared;
    const tumble_mesh mesh = models_view(&s->mesh);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        if (test_effort() < 1 && threads != 1 + w->number % 3) {
            continue; /* two workers with each number */
        }
        tumble_model_options options = s->options;
        tumble_model *model = NULL;
        options.thread_count = threads;
        if (tumble_model_create(s->context, &mesh, &options, &model) != TUMBLE_OK) {
            w->wrong++;
            continue;
        }
        size_t size;
        const void *block = tumble_model_block(model, &size);
        w->wrong += size != s->size || memcmp(block, s->block, size) != 0;
        tumble_model_destroy(model);
        w->done++;
    }
    return NULL;
}

static void test_builds(void **state)
{
    (void)state;
    shared_builds s = {.context = plain_context()};
    test_random random = {4};
    test_make_soup(&s.mesh, &random, 26000, 0.05); /* enough for several tasks a thread */
    static const size_t variants[] = {36, TEST_TREE_WIDE, TEST_TREE_KDOP + 9, TEST_TREE_KDOP + 1, TEST_TREE_RTREE};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        s.options = test_tree_variant(variants[i]);
        tumble_model *model = test_model(s.context, &s.mesh, &s.options);
        s.block = tumble_model_block(model, &s.size);
        assert_int_equal(run_threads(build_models, &s), 0);
        tumble_model_destroy(model);
    }
    models_free(&s.mesh);
    tumble_context_destroy(s.context);
}

/* ---- Making and dropping ---- */

/* Everything at once: models are made, asked and dropped while others do the same. */
static void *live_and_die(void *argument)
{
    worker *w = argument;
    tumble_context *context = w->shared;
    test_random random = {w->number};
    for (size_t i = 0; i < test_count(40); i++) {
        models_mesh mesh = {0};
        for (int k = 0; k < 60; k++) {
            uint32_t corners[3];
            for (int j = 0; j < 3; j++) {
                corners[j] = models_point(&mesh, test_random_unit(&random), test_random_unit(&random),
                                          test_random_unit(&random));
            }
            models_triangle(&mesh, corners[0], corners[1], corners[2]);
        }
        const tumble_mesh view = models_view(&mesh);
        tumble_model *model = NULL;
        tumble_query *query = NULL;
        tumble_collide_result result;
        w->wrong += tumble_model_create(context, &view, NULL, &model) != TUMBLE_OK ||
                    tumble_query_create(context, &query) != TUMBLE_OK ||
                    tumble_collide(query, model, NULL, model, NULL, NULL, &result) != TUMBLE_OK || !result.collide;
        tumble_query_destroy(query);
        tumble_model_destroy(model);
        models_free(&mesh);
        w->done++;
    }
    return NULL;
}

static void test_lives(void **state)
{
    (void)state;
    tumble_context *context = plain_context();
    assert_int_equal(run_threads(live_and_die, context), 0);
    tumble_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_queries),
        TEST_IN_WORLD(test_errors),
        TEST_IN_WORLD(test_builds),
        TEST_IN_WORLD(test_lives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
