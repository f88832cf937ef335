/* The interface itself: views of results, the mode COUNT, whose messages are whose, defaults. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

typedef struct pair_of_models {
    tumble_model *a, *b;
    tumble_pose pose;
} pair_of_models;

/* Polygons with many corners, two surfaces, deep contact. */
static pair_of_models make_pair(test_world *w, tumble_hierarchy hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchy;
    models_mesh meshes[2];
    assert_true(models_make_sized(&meshes[0], "gear", 900) && models_make_sized(&meshes[1], "torus", 700));
    const pair_of_models pair = {test_model(w->context, &meshes[0], &options),
                                 test_model(w->context, &meshes[1], &options), test_translation(0.3, 0.1, 0.05)};
    models_free(&meshes[0]);
    models_free(&meshes[1]);
    return pair;
}

static void free_pair(const pair_of_models *pair)
{
    tumble_model_destroy(pair->a);
    tumble_model_destroy(pair->b);
}

static tumble_collide_result ask(tumble_query *query, const pair_of_models *pair, const tumble_collide_options *options)
{
    tumble_collide_result result;
    memset(&result, 0xee, sizeof result); /* results need no initialisation */
    assert_int_equal(tumble_collide(query, pair->a, NULL, pair->b, &pair->pose, options, &result), TUMBLE_OK);
    return result;
}

/* ---- Views ---- */

enum {
    ROOM = 20000
};

typedef struct arrays {
    tumble_pair pairs[ROOM];
    tumble_contact contacts[ROOM];
    tumble_surface_pair surfaces[ROOM];
} arrays;

static void check_views(test_world *w, tumble_hierarchy hierarchy, tumble_mode mode)
{
    const pair_of_models pair = make_pair(w, hierarchy);
    arrays *into = malloc(sizeof *into);
    assert_non_null(into);
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = mode;
    options.want_contacts = options.want_surfaces = true;
    options.pairs = into->pairs, options.pair_capacity = ROOM;
    options.contacts = into->contacts, options.contact_capacity = ROOM;
    options.surface_pairs = into->surfaces, options.surface_pair_capacity = ROOM;
    const tumble_collide_result both = ask(w->query, &pair, &options);
    assert_true(both.pair_count > 0 && both.pair_count <= ROOM && both.contact_count <= ROOM);
    assert_memory_equal(both.pairs, into->pairs, both.pair_count * sizeof *both.pairs);
    assert_memory_equal(both.contacts, into->contacts, both.contact_count * sizeof *both.contacts);
    assert_memory_equal(both.surface_pairs, into->surfaces, both.surface_pair_count * sizeof *both.surface_pairs);

    /* The same without arrays, and with one that is too small. */
    options.pairs = NULL, options.contacts = NULL, options.surface_pairs = NULL;
    options.pair_capacity = options.contact_capacity = options.surface_pair_capacity = 0;
    tumble_pair first;
    for (int small = 0; small < 2; small++) {
        options.pairs = small ? &first : NULL, options.pair_capacity = (size_t)small;
        const tumble_collide_result views = ask(w->query, &pair, &options);
        assert_int_equal(views.pair_count, both.pair_count);
        assert_int_equal(views.contact_count, both.contact_count);
        assert_memory_equal(views.pairs, into->pairs, views.pair_count * sizeof *views.pairs);
        assert_memory_equal(views.contacts, into->contacts, views.contact_count * sizeof *views.contacts);
        assert_memory_equal(views.surface_pairs, into->surfaces,
                            views.surface_pair_count * sizeof *views.surface_pairs);
    }
    assert_memory_equal(&first, into->pairs, sizeof first);
    free(into);
    free_pair(&pair);
}

static void test_views(void **state)
{
    const tumble_hierarchy hierarchies[] = {TUMBLE_HIERARCHY_WIDE, TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                            TUMBLE_HIERARCHY_RTREE, TUMBLE_HIERARCHY_BRUTE};
    for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++) {
        check_views(*state, hierarchies[i], TUMBLE_ALL);
        check_views(*state, hierarchies[i], TUMBLE_SURFACES);
        check_views(*state, hierarchies[i], TUMBLE_FIRST);
    }
}

static bool count_pairs(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                        size_t contact_count)
{
    (void)pairs, (void)contacts, (void)contact_count;
    *(size_t *)user += pair_count;
    return false;
}

/* What a callback gets is not stored, and what was not asked for is not there. */
static void test_no_views(void **state)
{
    test_world *w = *state;
    const pair_of_models pair = make_pair(w, TUMBLE_HIERARCHY_WIDE);
    tumble_collide_options options = tumble_default_collide_options();
    const tumble_collide_result all = ask(w->query, &pair, &options);
    assert_true(all.pairs && !all.contacts && !all.surface_pairs && all.contact_count == 0);
    size_t seen = 0;
    options.callback = count_pairs, options.callback_user = &seen;
    const tumble_collide_result streamed = ask(w->query, &pair, &options);
    assert_true(!streamed.pairs && streamed.pair_count == all.pair_count && seen == all.pair_count);
    options = tumble_default_collide_options();
    options.want_contacts = true;
    for (int mode = TUMBLE_TEST; mode <= TUMBLE_COUNT; mode += TUMBLE_COUNT - TUMBLE_TEST) {
        options.mode = (tumble_mode)mode;
        const tumble_collide_result result = ask(w->query, &pair, &options);
        assert_true(result.collide && !result.pairs && !result.contacts && result.contact_count == 0);
        assert_int_equal(result.pair_count, mode == TUMBLE_COUNT ? all.pair_count : 1);
    }
    const tumble_pose away = test_translation(100, 0, 0);
    tumble_collide_result apart;
    assert_int_equal(tumble_collide(w->query, pair.a, NULL, pair.b, &away, NULL, &apart), TUMBLE_OK);
    assert_true(!apart.collide && !apart.pairs && apart.pair_count == 0);
    free_pair(&pair);
}

/* COUNT counts pairs of large polygons once, as ALL does. */
static void test_counting(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "prism", 200));
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    const pair_of_models pair = {model, model, test_translation(0.11, 0.07, 0.03)};
    tumble_collide_options options = tumble_default_collide_options();
    const tumble_collide_result all = ask(w->query, &pair, &options);
    options.mode = TUMBLE_COUNT;
    const tumble_collide_result count = ask(w->query, &pair, &options);
    assert_true(all.pair_count > 0);
    assert_int_equal(count.pair_count, all.pair_count);
    tumble_model_destroy(model);
}

/* All nearest pairs, as a view and in an array that is too small. */
static void test_view_of_near_pairs(void **state)
{
    test_world *w = *state;
    const pair_of_models pair = make_pair(w, TUMBLE_HIERARCHY_WIDE);
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result result;
    tumble_near first[3];
    options.pairs = first, options.pair_capacity = 3;
    assert_int_equal(tumble_distance(w->query, pair.a, NULL, pair.b, &pair.pose, &options, &result), TUMBLE_OK);
    assert_true(result.pair_count > 3); /* they intersect: all pairs at distance 0 */
    assert_memory_equal(result.pairs, first, sizeof first);
    const tumble_collide_result all = ask(w->query, &pair, NULL);
    assert_int_equal(result.pair_count, all.pair_count);
    options = tumble_default_distance_options();
    assert_int_equal(tumble_distance(w->query, pair.a, NULL, pair.b, &pair.pose, &options, &result), TUMBLE_OK);
    assert_true(!result.pairs && result.pair_count == 0); /* not asked for */
    options.want_pairs = true;
    assert_int_equal(tumble_distance(w->query, pair.a, NULL, pair.b, &pair.pose, &options, &result), TUMBLE_OK);
    assert_int_equal(result.pair_count, all.pair_count);
    for (size_t i = 0; i < result.pair_count; i++) { /* the collision query's view is the same list */
        assert_true(result.pairs[i].polygon_a == all.pairs[i].polygon_a &&
                    result.pairs[i].polygon_b == all.pairs[i].polygon_b && result.pairs[i].distance == 0);
    }
    free_pair(&pair);
}

/* ---- Messages ---- */

static void fail_with(tumble_query *query, const pair_of_models *pair, int which)
{
    tumble_pose bad = tumble_pose_identity();
    bad.m[which][3] = NAN;
    tumble_collide_result result;
    assert_int_equal(tumble_collide(query, pair->a, NULL, pair->b, &bad, NULL, &result), TUMBLE_ERROR_NOT_FINITE);
}

/* Each query keeps its own message, through calls that succeed and failures of others. */
static void test_query_errors(void **state)
{
    test_world *w = *state;
    const pair_of_models pair = make_pair(w, TUMBLE_HIERARCHY_WIDE);
    tumble_query *other;
    char text[200] = "old";
    assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
    assert_int_equal(tumble_query_error(w->query, text, sizeof text), TUMBLE_OK);
    assert_string_equal(text, "");
    fail_with(w->query, &pair, 0);
    fail_with(other, &pair, 1);
    (void)ask(w->query, &pair, NULL);
    assert_int_equal(tumble_query_error(w->query, text, sizeof text), TUMBLE_ERROR_NOT_FINITE);
    assert_non_null(strstr(text, "row 1"));
    assert_int_equal(tumble_query_error(other, text, sizeof text), TUMBLE_ERROR_NOT_FINITE);
    assert_non_null(strstr(text, "row 2"));
    tumble_distance_result distance;
    tumble_relation_result relation;
    assert_int_equal(tumble_distance(other, NULL, NULL, pair.b, NULL, NULL, &distance), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_query_error(other, NULL, 0), TUMBLE_ERROR_ARGUMENT);
    fail_with(other, &pair, 2);
    assert_int_equal(tumble_relate(other, pair.a, NULL, NULL, NULL, &relation), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_query_error(other, text, sizeof text), TUMBLE_ERROR_ARGUMENT);
    assert_non_null(strstr(text, "null"));
    assert_int_equal(tumble_query_error(NULL, text, sizeof text), TUMBLE_ERROR_ARGUMENT);
    tumble_query_destroy(other);
    free_pair(&pair);
}

enum {
    THREADS = 4,
    ROUNDS = 300
};

typedef struct thread_job {
    tumble_context *context;
    const tumble_model *model;
    uint32_t number;
    int mistakes;
} thread_job;

/* Fails again and again in a way of its own, and looks whether the message is its own. */
static void *fail_often(void *argument)
{
    thread_job *job = argument;
    char text[200], expected[40];
    job->mistakes += tumble_last_error(job->context, text, sizeof text) != TUMBLE_OK;
    snprintf(expected, sizeof expected, "triangle %u", 1000000 + job->number);
    for (int i = 0; i < ROUNDS; i++) {
        const tumble_status status = tumble_model_triangle(job->model, 1000000 + job->number, NULL, NULL);
        job->mistakes += status != TUMBLE_ERROR_INDEX;
        job->mistakes += tumble_last_error(job->context, text, sizeof text) != status || !strstr(text, expected);
    }
    return NULL;
}

static void test_thread_errors(void **state)
{
    test_world *w = *state;
    const pair_of_models pair = make_pair(w, TUMBLE_HIERARCHY_WIDE);
    pthread_t threads[THREADS];
    thread_job jobs[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        jobs[i] = (thread_job){.context = w->context, .model = pair.a, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, fail_often, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(jobs[i].mistakes, 0);
    }
    assert_int_equal(tumble_last_error(w->context, NULL, 0), TUMBLE_OK); /* none of them was this thread's */
    free_pair(&pair);
}

/* The system gives the id of a thread that has ended to another one, which has not failed yet. */
static void test_threads_one_after_the_other(void **state)
{
    test_world *w = *state;
    const pair_of_models pair = make_pair(w, TUMBLE_HIERARCHY_WIDE);
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_t thread;
        thread_job job = {.context = w->context, .model = pair.a, .number = i};
        assert_int_equal(pthread_create(&thread, NULL, fail_often, &job), 0);
        pthread_join(thread, NULL);
        assert_int_equal(job.mistakes, 0);
    }
    free_pair(&pair);
}

/* Models of another context than the query's: the query knows the status, and has a text. */
static void test_error_of_other_context(void **state)
{
    test_world *w = *state;
    const pair_of_models pair = make_pair(w, TUMBLE_HIERARCHY_WIDE);
    tumble_context *other = NULL;
    tumble_query *query = NULL;
    char text[200];
    assert_int_equal(tumble_context_create(NULL, &other), TUMBLE_OK);
    assert_int_equal(tumble_query_create(other, &query), TUMBLE_OK);
    test_allocator_fail(&w->memory, 1, 1);
    tumble_relation_result result;
    assert_int_equal(tumble_relate(query, pair.a, NULL, pair.b, NULL, &result), TUMBLE_ERROR_MEMORY);
    test_allocator_fail(&w->memory, 0, 0);
    assert_int_equal(tumble_query_error(query, text, sizeof text), TUMBLE_ERROR_MEMORY);
    assert_string_equal(text, tumble_status_text(TUMBLE_ERROR_MEMORY));
    tumble_query_destroy(query);
    tumble_context_destroy(other);
    free_pair(&pair);
}

/* Without memory for its message a thread still gets it. */
static void test_errors_without_memory(void **state)
{
    test_world *w = *state;
    char text[200];
    test_allocator_fail(&w->memory, 1, 1);
    tumble_query *query = NULL;
    assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_ERROR_MEMORY);
    test_allocator_fail(&w->memory, 0, 0);
    assert_int_equal(tumble_last_error(w->context, text, sizeof text), TUMBLE_ERROR_MEMORY);
    assert_non_null(strstr(text, "a query"));
}

/* ---- Defaults ---- */

static void test_defaults(void **state)
{
    (void)state;
    assert_int_equal(tumble_default_collide_options().mode, TUMBLE_ALL);
    assert_int_equal(tumble_default_batch().mode, TUMBLE_TEST);
    assert_true(tumble_default_distance_options().within > 1e308);
    assert_int_equal(tumble_default_model_options().hierarchy, TUMBLE_HIERARCHY_AUTO);
    assert_null(tumble_default_model_options().tuning);
    assert_int_equal(tumble_default_tuning().kdop.k, 18);
    assert_true(tumble_default_tuning().boxtree.trim > 0);
}

/* Batches have no mode SURFACES, and say so. */
static void test_batch_modes(void **state)
{
    test_world *w = *state;
    const pair_of_models pair = make_pair(w, TUMBLE_HIERARCHY_WIDE);
    tumble_device *device;
    tumble_model_pair models;
    assert_int_equal(tumble_device_open(w->context, 0, NULL, &device), TUMBLE_OK);
    assert_int_equal(tumble_device_add_model(device, pair.a, &models.a), TUMBLE_OK);
    assert_int_equal(tumble_device_add_model(device, pair.b, &models.b), TUMBLE_OK);
    tumble_check_answer answer;
    tumble_batch batch = tumble_default_batch();
    batch.check_count = 1, batch.pairs = &models, batch.pair_count = 1, batch.answers = &answer;
    batch.poses_b = &pair.pose, batch.pose_b_count = 1;
    tumble_ticket ticket;
    batch.mode = TUMBLE_SURFACES;
    test_assert_status(w->context, tumble_device_submit(device, &batch, 0, &ticket), TUMBLE_ERROR_UNSUPPORTED,
                       "SURFACES");
    batch.mode = TUMBLE_COUNT;
    assert_int_equal(tumble_device_submit(device, &batch, 0, &ticket), TUMBLE_OK);
    assert_int_equal(tumble_device_wait(device, ticket, 60, NULL), TUMBLE_OK);
    assert_int_equal(answer.pair_count, ask(w->query, &pair, NULL).pair_count);
    tumble_device_close(device);
    free_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_views),
        TEST_IN_WORLD(test_no_views),
        TEST_IN_WORLD(test_counting),
        TEST_IN_WORLD(test_view_of_near_pairs),
        TEST_IN_WORLD(test_query_errors),
        TEST_IN_WORLD(test_thread_errors),
        TEST_IN_WORLD(test_threads_one_after_the_other),
        TEST_IN_WORLD(test_error_of_other_context),
        TEST_IN_WORLD(test_errors_without_memory),
        TEST_IN_WORLD(test_defaults),
        TEST_IN_WORLD(test_batch_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
