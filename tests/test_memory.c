/* Memory runs out: the n-th allocation fails, for every n, alone and with all that follow. Each time the answer is
 * TUMBLE_ERROR_MEMORY, nothing leaks, and everything that existed before can still be used. The readers and writers of
 * files have the same test in test_io_hostile.c. */
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

/* Returns in how many places the action asks for memory. With little effort, alone and with all that follow take turns.
 */
static size_t fail_each_then(test_world *w, test_action *act, test_sequel *after, void *user)
{
    if (test_effort() < 1) {
        return test_fail_each(w, TEST_FAIL_TAKING_TURNS, act, after, user);
    }
    const size_t places = test_fail_each(w, TEST_FAIL_ALONE, act, after, user);
    assert_int_equal(test_fail_each(w, TEST_FAIL_WITH_ALL, act, after, user), places);
    return places;
}

static size_t fail_each(test_world *w, test_action *act, void *user)
{
    return fail_each_then(w, act, NULL, user);
}

static void expect_message(const test_world *w, tumble_status status)
{
    if (status != TUMBLE_OK) {
        test_assert_status(w->context, status, TUMBLE_ERROR_MEMORY, "out of memory for ");
    }
}

/* ---- Contexts and queries ---- */

static tumble_status create_context(test_world *w, void *user)
{
    (void)user;
    const tumble_context_options options = test_context_options(&w->memory, 2, TUMBLE_SIMD_AUTO);
    tumble_context *context = (tumble_context *)w;
    const tumble_status status = tumble_context_create(&options, &context);
    assert_int_equal(context != NULL, status == TUMBLE_OK);
    tumble_context_destroy(context);
    return status;
}

static tumble_status create_query(test_world *w, void *user)
{
    (void)user;
    tumble_query *query = (tumble_query *)w;
    const tumble_status status = tumble_query_create(w->context, &query);
    assert_int_equal(query != NULL, status == TUMBLE_OK);
    expect_message(w, status);
    tumble_query_destroy(query);
    return status;
}

static void test_handles(void **state)
{
    assert_true(fail_each(*state, create_context, NULL) >= 1);
    assert_true(fail_each(*state, create_query, NULL) >= 1);
}

/* ---- Models ---- */

typedef struct model_job {
    tumble_mesh mesh;
    tumble_model_options options;
    const tumble_model *expected; /* made when there was enough memory */
    const void *block;            /* instead of the mesh */
    size_t size;
    int copy;
} model_job;

static tumble_status create_model(test_world *w, void *user)
{
    const model_job *job = user;
    tumble_model *model = (tumble_model *)w;
    const tumble_status status = job->block
                                     ? tumble_model_from_block(w->context, job->block, job->size, job->copy, &model)
                                     : tumble_model_create(w->context, &job->mesh, &job->options, &model);
    assert_int_equal(model != NULL, status == TUMBLE_OK);
    expect_message(w, status);
    if (model && job->expected) {
        test_assert_same_blocks(model, job->expected);
    }
    tumble_model_destroy(model);
    return status;
}

static tumble_status get_info(test_world *w, void *user)
{
    const model_job *job = user;
    tumble_model_info info, before;
    memset(&info, 0x55, sizeof info);
    before = info;
    const tumble_status status = tumble_model_get_info(job->expected, &info);
    assert_int_equal(memcmp(&info, &before, sizeof info) != 0, status == TUMBLE_OK);
    expect_message(w, status);
    return status;
}

/* A model of one mesh by every way there is. */
static void check_models(test_world *w, const models_mesh *mesh, const tumble_model_options *options, size_t least)
{
    model_job job = {.mesh = models_view(mesh), .options = *options};
    tumble_model *model = test_model(w->context, mesh, options);
    job.expected = model;
    assert_true(fail_each(w, create_model, &job) >= least);
    assert_true(fail_each(w, get_info, &job) >= (mesh->polygon_count ? 3 : 0));
    job.block = tumble_model_block(model, &job.size);
    assert_true(fail_each(w, create_model, &job) >= 1);
    job.copy = 1;
    assert_true(fail_each(w, create_model, &job) >= 2);
    tumble_model_destroy(model);
}

static void test_models(void **state)
{
    static const char *const shapes[] = {"torus", "prism", "shards", "soup"};
    for (size_t i = 0; i < 4; i++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, shapes[i], 350));
        tumble_model_options brute = tumble_default_model_options();
        brute.hierarchy = TUMBLE_HIERARCHY_BRUTE;
        check_models(*state, &mesh, &brute, 3);
        for (size_t variant = i; variant < TEST_TREE_VARIANTS; variant += 21) {
            const tumble_model_options tree = test_tree_variant(variant);
            check_models(*state, &mesh, &tree, 4);
        }
        const tumble_model_options wide = test_tree_variant(TEST_TREE_WIDE);
        check_models(*state, &mesh, &wide, 6);
        for (size_t variant = i; variant < TEST_KDOP_VARIANTS; variant += 4) {
            const tumble_model_options tree = test_tree_variant(TEST_TREE_KDOP + variant);
            check_models(*state, &mesh, &tree, 4);
        }
        const tumble_model_options rtree = test_tree_variant(TEST_TREE_RTREE + i % TEST_RTREE_VARIANTS);
        check_models(*state, &mesh, &rtree, 4);
        models_free(&mesh);
    }
    const models_mesh empty = {0};
    static const size_t variants[] = {
        0, TEST_TREE_WIDE, TEST_TREE_KDOP, TEST_TREE_KDOP + 1, TEST_TREE_KDOP + 5, TEST_TREE_RTREE};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const tumble_model_options tree = test_tree_variant(variants[i]);
        check_models(*state, &empty, &tree, 2);
    }
}

/* Large polygons, whose triangulation asks for memory of its own, and surfaces. */
static void test_large_polygons(void **state)
{
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "prism", 3000));
    for (size_t i = 0; i < mesh.polygon_count; i++) {
        mesh.surface_ids[i] = (uint32_t)(i % 3);
    }
    static const size_t variants[] = {5, TEST_TREE_WIDE, TEST_TREE_KDOP + 11, TEST_TREE_RTREE + 1};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        const tumble_model_options tree = test_tree_variant(variants[i]);
        check_models(*state, &mesh, &tree, 5);
    }
    models_free(&mesh);
}

static void test_models_by_threads(void **state)
{
    test_random random = {3};
    models_mesh mesh = {0};
    test_make_soup(&mesh, &random, 20000, 0.05); /* enough for more than one thread */
    static const size_t variants[] = {36, 37, TEST_TREE_WIDE, TEST_TREE_KDOP + 9, TEST_TREE_KDOP + 1};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        tumble_model_options tree = test_tree_variant(variants[i]);
        tree.thread_count = 4;
        check_models(*state, &mesh, &tree, 4);
    }
    models_free(&mesh);
}

/* ---- Queries ---- */

typedef struct query_job {
    tumble_model *models[2];
    tumble_pose pose;
    tumble_collide_options options;
    tumble_pair *pairs;
    tumble_contact *contacts;
    size_t room, received;
    uint64_t pair_count, contact_count; /* when there is enough memory */
    tumble_query *query;
} query_job;

static bool receive(void *user, const tumble_pair *pairs, size_t pair_count, const tumble_contact *contacts,
                    size_t contact_count)
{
    (void)pairs, (void)contacts;
    *(size_t *)user += pair_count + contact_count;
    return 0;
}

static tumble_status ask(tumble_query *query, query_job *job, tumble_collide_result *result)
{
    memset(result, 0, sizeof *result);
    job->received = 0;
    return tumble_collide(query, job->models[0], NULL, job->models[1], &job->pose, &job->options, result);
}

static void check_answer(const query_job *job, const tumble_collide_result *result)
{
    assert_int_equal(result->pair_count, job->pair_count);
    assert_int_equal(result->contact_count, job->contact_count);
    if (job->options.callback && job->options.mode != TUMBLE_TEST) {
        assert_int_equal(job->received, job->pair_count + job->contact_count);
    }
}

static tumble_status collide(test_world *w, void *user)
{
    query_job *job = user;
    tumble_collide_result result;
    tumble_status status = tumble_query_create(w->context, &job->query);
    if (status == TUMBLE_OK) {
        status = ask(job->query, job, &result);
    }
    expect_message(w, status);
    if (status == TUMBLE_OK) {
        check_answer(job, &result);
    }
    return status;
}

/* The same query is asked again, and must answer; with some effort twice. */
static void collide_again(test_world *w, void *user, tumble_status status)
{
    query_job *job = user;
    (void)w, (void)status;
    for (int again = test_effort() < 1; job->query && again < 2; again++) {
        tumble_collide_result result;
        assert_int_equal(ask(job->query, job, &result), TUMBLE_OK);
        check_answer(job, &result);
    }
    tumble_query_destroy(job->query);
    job->query = NULL;
}

static query_job make_job(test_world *w, size_t variant, const char *first, const char *second, size_t triangles)
{
    query_job job = {.room = 100000};
    const tumble_model_options tree = test_tree_variant(variant);
    const char *const shapes[2] = {first, second};
    for (int k = 0; k < 2; k++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, shapes[k], triangles));
        models_fit(&mesh, 2, 0);
        job.models[k] = test_model(w->context, &mesh, &tree);
        models_free(&mesh);
    }
    test_random random = {1};
    job.pose = test_rational_turn(&random);
    job.pairs = malloc(job.room * sizeof *job.pairs);
    job.contacts = malloc(job.room * sizeof *job.contacts);
    assert_true(job.pairs && job.contacts);
    return job;
}

static void free_job(query_job *job)
{
    tumble_model_destroy(job->models[0]);
    tumble_model_destroy(job->models[1]);
    free(job->pairs), free(job->contacts);
}

static void set_question(query_job *job, size_t overlap, unsigned choice)
{
    job->options = test_overlap_variant(overlap);
    job->options.mode = (const tumble_mode[]){TUMBLE_ALL, TUMBLE_FIRST, TUMBLE_TEST}[choice % 3];
    job->options.want_contacts = choice / 3 & 1;
    if (choice / 3 & 2) {
        job->options.callback = receive;
        job->options.callback_user = &job->received;
    }
    if (choice / 3 & 4) {
        job->options.pairs = job->pairs, job->options.pair_capacity = job->room;
        if (choice / 3 & 1) {
            job->options.contacts = job->contacts, job->options.contact_capacity = job->room;
        }
    }
}

/* All modes, arrays, callbacks and contacts, also of polygons, for which pairs are remembered. */
static void test_queries(void **state)
{
    test_world *w = *state;
    static const char *const shapes[][2] = {{"torus", "knot"}, {"shards", "terrain"}, {"prism", "prism"}};
    for (size_t n = 0; n < 12; n++) {
        const size_t i = n / 4, variants[] = {36, TEST_TREE_WIDE, TEST_TREE_KDOP + 4 * i + 1, TEST_TREE_RTREE + i};
        query_job job = make_job(w, variants[n % 4], shapes[i][0], shapes[i][1], i == 1 ? 1200 : 500);
        size_t most = 0;
        for (unsigned choice = 0; choice < 24; choice += test_effort() < 1 ? 7 : n % 4 == 1 ? 1 : 5) {
            set_question(&job, (choice + i) % TEST_OVERLAP_VARIANTS, choice);
            tumble_collide_result result;
            assert_int_equal(ask(w->query, &job, &result), TUMBLE_OK);
            job.pair_count = result.pair_count, job.contact_count = result.contact_count;
            const size_t places = fail_each_then(w, collide, collide_again, &job);
            most = places > most ? places : most;
        }
        assert_true(most >= 5); /* the handle, the stack, pairs, contacts, sorting */
        free_job(&job);
    }
}

/* A query that has been warm does not notice that there is no more memory, until it needs more. */
static void check_warm_query(test_world *w, size_t variant)
{
    query_job large = make_job(w, variant, "torus", "knot", 3000), small = make_job(w, variant, "torus", "knot", 400);
    query_job *jobs[2] = {&large, &small};
    tumble_collide_result result;
    for (int i = 0; i < 2; i++) {
        set_question(jobs[i], 0, 15); /* all pairs and contacts into arrays */
        tumble_query *query;
        assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
        assert_int_equal(ask(query, jobs[i], &result), TUMBLE_OK);
        jobs[i]->pair_count = result.pair_count, jobs[i]->contact_count = result.contact_count;
        tumble_query_destroy(query);
    }
    assert_true(large.contact_count > 2 * small.contact_count && small.contact_count > 0);
    tumble_query *query;
    assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
    assert_int_equal(ask(query, &small, &result), TUMBLE_OK);
    test_allocator_fail(&w->memory, 1, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ask(query, &small, &result), TUMBLE_OK);
        check_answer(&small, &result);
        assert_int_equal(ask(query, &large, &result), TUMBLE_ERROR_MEMORY);
    }
    test_allocator_fail(&w->memory, 0, 0);
    assert_int_equal(ask(query, &large, &result), TUMBLE_OK);
    check_answer(&large, &result);
    tumble_query_destroy(query);
    free_job(&large);
    free_job(&small);
}

static void test_warm_query_without_memory(void **state)
{
    check_warm_query(*state, 36);
    check_warm_query(*state, TEST_TREE_WIDE);
    check_warm_query(*state, TEST_TREE_KDOP + 9);
    check_warm_query(*state, TEST_TREE_KDOP + 13);
    check_warm_query(*state, TEST_TREE_RTREE);
}

/* ---- All of it at once, as a program would ---- */

static tumble_status whole_program(test_world *w, void *user)
{
    const models_mesh *mesh = user;
    const tumble_mesh view = models_view(mesh);
    const tumble_context_options options = test_context_options(&w->memory, 1, TUMBLE_SIMD_AUTO);
    tumble_context *context = NULL;
    tumble_model *model = NULL, *copy = NULL;
    tumble_query *query = NULL;
    tumble_collide_result result;
    tumble_model_info info;
    tumble_status status = tumble_context_create(&options, &context);
    if (status == TUMBLE_OK) {
        status = tumble_model_create(context, &view, NULL, &model);
    }
    if (status == TUMBLE_OK) {
        size_t size;
        const void *block = tumble_model_block(model, &size);
        status = tumble_model_from_block(context, block, size, 1, &copy);
    }
    if (status == TUMBLE_OK) {
        status = tumble_model_get_info(copy, &info);
    }
    if (status == TUMBLE_OK) {
        status = tumble_query_create(context, &query);
    }
    if (status == TUMBLE_OK) {
        status = tumble_collide(query, model, NULL, copy, NULL, NULL, &result);
    }
    tumble_query_destroy(query);
    tumble_model_destroy(copy);
    tumble_model_destroy(model);
    tumble_context_destroy(context);
    return status;
}

static void test_whole_program(void **state)
{
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "plate", 400));
    assert_true(fail_each(*state, whole_program, &mesh) >= 10);
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_handles),        TEST_IN_WORLD(test_models),
        TEST_IN_WORLD(test_large_polygons), TEST_IN_WORLD(test_models_by_threads),
        TEST_IN_WORLD(test_queries),        TEST_IN_WORLD(test_warm_query_without_memory),
        TEST_IN_WORLD(test_whole_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
