/* The thread pool: batches of checks on any number of threads, against tumble_collide. The back end is called directly,
 * without queue and tickets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "device/pool/pool.h"
#include "scenes.h"

/* The pool asks for no more of a model on a device. */
struct tumble_device_model {
    const tumble_model *model;
};
const tumble_model *tmb_device_model_of(const tumble_device_model *model)
{
    return model->model;
}

static const uint32_t thread_counts[] = {1, 2, 3, 8};

enum {
    THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts
};

/* cmocka's assertions must not be used in the pool's threads: this only counts. */
static void count_finished(tmb_job *job)
{
    atomic_fetch_add((atomic_int *)job->front, 1);
}

static tmb_backend open_pool(tumble_context *context, uint32_t threads)
{
    tmb_backend pool;
    assert_int_equal(tmb_pool_open(context, threads, &pool), TUMBLE_OK);
    return pool;
}

/* Runs batches together, and asserts that each ends once, with all answers. */
static void run_batches(const tmb_backend *pool, const tumble_batch *batches, tmb_job *jobs, size_t count)
{
    tmb_job **list = calloc(count + 1, sizeof *list);
    atomic_int *finished = malloc((count + 1) * sizeof *finished);
    for (size_t i = 0; i < count; i++) {
        memset(&jobs[i], 0, sizeof jobs[i]);
        atomic_init(&finished[i], 0);
        jobs[i].batch = batches[i];
        jobs[i].finished = count_finished;
        jobs[i].front = &finished[i];
        list[i] = &jobs[i];
    }
    pool->run(pool->self, list, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(atomic_load(&finished[i]), 1);
        assert_int_equal(atomic_load(&jobs[i].done_count), batches[i].check_count);
    }
    free(finished);
    free(list);
}

/* ---- Models ---- */

enum {
    MODELS = 14
};

typedef struct zoo {
    tumble_model *models[MODELS];
    tumble_device_model handles[MODELS];
} zoo;

/* Wide ones of all sizes, with polygons, coplanar, degenerate, one triangle, none; and other hierarchies. */
static void make_zoo(tumble_context *context, zoo *z)
{
    static const char *const shapes[MODELS] = {"torus", "knot", "prism", "plate", "shards", "box",  "",
                                               "",      "",     "",      "torus", "prism",  "knot", "plate"};
    test_random random = {11};
    for (int k = 0; k < MODELS; k++) {
        models_mesh mesh = {0};
        tumble_model_options options = tumble_default_model_options();
        if (k == 6) {
            test_make_lattice(&mesh, &random, 300, 4, 2, 0.4);
        } else if (k == 7) {
            test_make_soup(&mesh, &random, 400, 0.5);
        } else if (k == 8) {
            test_make_soup(&mesh, &random, 1, 2);
        } else if (k != 9) {
            assert_true(models_make_sized(&mesh, shapes[k], k < 10 ? 1000 : 150));
            models_fit(&mesh, 2, k % 2);
        }
        if (k >= 10) {
            const size_t variants[] = {36, TEST_TREE_KDOP + 9, TEST_TREE_RTREE, 36};
            options = test_tree_variant(variants[k - 10]);
        }
        z->models[k] = k == 13 ? test_brute_model(context, &mesh) : test_model(context, &mesh, &options);
        z->handles[k].model = z->models[k];
        models_free(&mesh);
    }
}

static void free_zoo(zoo *z)
{
    for (int k = 0; k < MODELS; k++) {
        tumble_model_destroy(z->models[k]);
    }
}

/* ---- Batches with room for the answers ---- */

typedef struct questions {
    tumble_batch batch;
    tumble_model_pair *pairs;
    tumble_pose *poses[2];
    tumble_check_answer *answers;
    tumble_pair *found;
    tumble_contact *contacts;
    uint64_t *contact_counts;
} questions;

static tumble_pose random_pose(test_random *random)
{
    tumble_pose pose = test_rational_turn(random);
    const int far = test_random_chance(random, 0.2);
    for (int k = 0; k < 3; k++) {
        pose.m[k][3] = test_random_range(random, -0.5, 0.5) + (k == 0 && far ? 9 : 0);
    }
    return pose;
}

static void clear_answers(const questions *q)
{
    const tumble_batch *b = &q->batch;
    memset(q->answers, 0x77, b->check_count * sizeof *q->answers);
    memset(q->found, 0x77, b->check_count * (b->found_capacity + 1) * sizeof *q->found);
    memset(q->contacts, 0x77, b->check_count * (b->contact_capacity + 1) * sizeof *q->contacts);
    memset(q->contact_counts, 0x77, b->check_count * sizeof *q->contact_counts);
}

/* Any mode, any counts. */
static questions make_questions(zoo *z, test_random *random, size_t count)
{
    questions q = {.batch = tumble_default_batch()};
    tumble_batch *b = &q.batch;
    b->mode = (tumble_mode)test_random_whole(random, 0, 3);
    b->check_count = count;
    b->pair_count = test_random_chance(random, 0.3) ? 1 : count;
    b->pose_a_count = test_random_chance(random, 0.5) ? 0 : test_random_chance(random, 0.5) ? 1 : count;
    b->pose_b_count = test_random_chance(random, 0.3) ? 1 : count;
    q.pairs = malloc((count + 1) * sizeof *q.pairs);
    for (int k = 0; k < 2; k++) {
        q.poses[k] = malloc((count + 1) * sizeof *q.poses[k]);
    }
    for (size_t i = 0; i < count + 1; i++) {
        q.pairs[i].a = &z->handles[test_random_whole(random, 0, MODELS - 1)];
        q.pairs[i].b = &z->handles[test_random_whole(random, 0, MODELS - 1)];
        q.poses[0][i] = random_pose(random);
        q.poses[1][i] = random_pose(random);
    }
    b->pairs = q.pairs;
    b->poses_a = q.poses[0];
    b->poses_b = q.poses[1];
    b->found_capacity = test_random_chance(random, 0.7) ? (size_t)test_random_whole(random, 1, 300) : 0;
    b->contact_capacity = test_random_chance(random, 0.5) ? (size_t)test_random_whole(random, 1, 300) : 0;
    q.answers = malloc((count + 1) * sizeof *q.answers);
    q.found = malloc(count * (b->found_capacity + 1) * sizeof *q.found + 1);
    q.contacts = malloc(count * (b->contact_capacity + 1) * sizeof *q.contacts + 1);
    q.contact_counts = malloc((count + 1) * sizeof *q.contact_counts);
    b->answers = q.answers;
    b->found = b->found_capacity ? q.found : NULL;
    b->contacts = b->contact_capacity ? q.contacts : NULL;
    b->contact_counts = test_random_chance(random, 0.5) ? q.contact_counts : NULL;
    clear_answers(&q);
    return q;
}

static void free_questions(questions *q)
{
    free(q->pairs);
    free(q->poses[0]);
    free(q->poses[1]);
    free(q->answers);
    free(q->found);
    free(q->contacts);
    free(q->contact_counts);
}

/* What tumble_collide says to a check; the lists are as long as the batch's. */
typedef struct expectation {
    tumble_status status;
    tumble_collide_result result;
    tumble_pair *found;
    tumble_contact *contacts;
} expectation;

static expectation expect(tumble_query *query, const tumble_batch *batch, size_t i)
{
    const tmb_check check = tmb_check_of(batch, i);
    expectation e = {.result = {0}};
    tumble_collide_options options = tumble_default_collide_options();
    e.found = malloc((batch->found_capacity + 1) * sizeof *e.found);
    e.contacts = malloc((batch->contact_capacity + 1) * sizeof *e.contacts);
    memset(e.found, 0x77, (batch->found_capacity + 1) * sizeof *e.found);
    memset(e.contacts, 0x77, (batch->contact_capacity + 1) * sizeof *e.contacts);
    options.mode = batch->mode >= TUMBLE_COUNT ? TUMBLE_ALL : TUMBLE_FIRST;
    if (batch->mode == TUMBLE_ALL) {
        options.pairs = e.found, options.pair_capacity = batch->found_capacity;
        options.contacts = e.contacts, options.contact_capacity = batch->contact_capacity;
        options.want_contacts = batch->contact_counts != NULL;
    }
    e.status = tumble_collide(query, check.a, check.pose_a, check.b, check.pose_b, &options, &e.result);
    return e;
}

/* How many checks have another answer than expected. */
static int is_wrong(const tumble_batch *batch, size_t i, const expectation *e)
{
    const tmb_check check = tmb_check_of(batch, i);
    const tumble_check_answer *answer = check.answer;
    if (answer->status != (uint32_t)e->status || answer->collide != (uint32_t)e->result.collide ||
        answer->pair_count != e->result.pair_count) {
        return 1;
    }
    const size_t found = batch->found_capacity, contacts = batch->contact_capacity;
    return memcmp(found ? check.found : e->found, e->found, found * sizeof *e->found) != 0 ||
           memcmp(contacts ? check.contacts : e->contacts, e->contacts, contacts * sizeof *e->contacts) != 0 ||
           (check.contact_count && *check.contact_count != e->result.contact_count);
}

static size_t count_wrong(tumble_query *query, const tumble_batch *batch)
{
    size_t wrong = 0;
    for (size_t i = 0; i < batch->check_count; i++) {
        expectation e = expect(query, batch, i);
        wrong += (size_t)is_wrong(batch, i, &e);
        free(e.found);
        free(e.contacts);
    }
    return wrong;
}

/* ---- Tests ---- */

/* Batches of all kinds, several at a time, also empty ones. */
static void test_batches(void **state)
{
    test_world *w = *state;
    enum {
        BATCHES = 7
    };
    zoo z;
    make_zoo(w->context, &z);
    test_random random = {5};
    tumble_batch *batches = malloc(BATCHES * sizeof *batches);
    tmb_job *jobs = malloc(BATCHES * sizeof *jobs);
    for (int t = 0; t < THREAD_COUNTS; t++) {
        tmb_backend pool = open_pool(w->context, thread_counts[t]);
        for (size_t turn = 0; turn < 1 + test_count(3); turn++) {
            questions q[BATCHES];
            const size_t count = (size_t)test_random_whole(&random, 1, BATCHES);
            for (size_t i = 0; i < count; i++) {
                q[i] = make_questions(&z, &random, (size_t)test_random_whole(&random, 0, i % 2 ? 3 : 40));
                batches[i] = q[i].batch;
            }
            run_batches(&pool, batches, jobs, count);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(jobs[i].status, TUMBLE_OK);
                assert_int_equal(count_wrong(w->query, &batches[i]), 0);
                free_questions(&q[i]);
            }
        }
        pool.close(pool.self);
    }
    free(jobs);
    free(batches);
    free_zoo(&z);
}

/* One large check, which all threads work on: wherever one has nothing to do, another gives it a part. */
static void test_one_check(void **state)
{
    test_world *w = *state;
    static const char *const shapes[][2] = {{"torus", "torus"}, {"plate", "prism"}, {"shards", "terrain"}};
    for (int number = 0; number < 3; number++) {
        zoo z = {0};
        for (int k = 0; k < 2; k++) {
            models_mesh mesh;
            assert_true(models_make_sized(&mesh, shapes[number][k], test_effort() < 1 ? 4000 : 12000));
            models_fit(&mesh, 2, 0);
            z.models[k] = test_model(w->context, &mesh, NULL);
            z.handles[k].model = z.models[k];
            models_free(&mesh);
        }
        test_random random = {(uint64_t)number + 1};
        questions q = make_questions(&z, &random, 1);
        q.pairs[0] = (tumble_model_pair){&z.handles[0], &z.handles[1]};
        q.poses[1][0] = number ? test_rational_turn(&random) : tumble_pose_identity();
        q.batch.pose_a_count = 0;
        q.poses[1][0].m[0][3] = 0.001;
        tumble_batch batch = q.batch;
        batch.mode = TUMBLE_COUNT;
        const expectation e = expect(w->query, &batch, 0);
        free(e.found);
        free(e.contacts);
        free(q.found);
        free(q.contacts);
        q.batch.found_capacity = (size_t)e.result.pair_count;
        q.batch.contact_capacity = (size_t)e.result.pair_count * 2;
        q.found = malloc((q.batch.found_capacity + 1) * sizeof *q.found);
        q.contacts = malloc((q.batch.contact_capacity + 1) * sizeof *q.contacts);
        q.batch.found = q.found;
        q.batch.contacts = q.contacts;
        q.batch.contact_counts = q.contact_counts;
        for (int t = 0; t < THREAD_COUNTS; t++) {
            tmb_backend pool = open_pool(w->context, thread_counts[t]);
            const tmb_pool *inside = pool.self;
            const size_t turns = test_count(2);
            for (size_t turn = 0; turn < turns || (turn < 1000 && t > 0 && inside->given == 0); turn++) {
                for (int mode = TUMBLE_TEST; mode <= TUMBLE_ALL; mode++) {
                    tmb_job job;
                    clear_answers(&q);
                    q.batch.mode = (tumble_mode)mode;
                    run_batches(&pool, &q.batch, &job, 1);
                    assert_int_equal(job.status, TUMBLE_OK);
                    assert_int_equal(count_wrong(w->query, &q.batch), 0);
                }
            }
            assert_true(t == 0 ? inside->given == 0 : inside->given > 0);
            pool.close(pool.self);
        }
        free_questions(&q);
        tumble_model_destroy(z.models[0]);
        tumble_model_destroy(z.models[1]);
    }
}

/* Poses that are none: their checks fail and say why, the others have answers; the batch has the first one's status. */
static void test_bad_poses(void **state)
{
    test_world *w = *state;
    zoo z;
    make_zoo(w->context, &z);
    for (int t = 0; t < THREAD_COUNTS; t++) {
        tmb_backend pool = open_pool(w->context, thread_counts[t]);
        for (uint64_t seed = 0; seed < 1 + test_count(4); seed++) {
            test_random random = {seed};
            questions q = make_questions(&z, &random, 20 + test_count(50));
            tmb_job job;
            size_t first = q.batch.check_count;
            q.batch.pose_b_count = q.batch.check_count;
            for (size_t i = q.batch.check_count; i-- > 0;) {
                if (test_random_chance(&random, 0.05)) {
                    q.poses[1][i].m[0][0] = i % 2 ? NAN : 1e3;
                    first = i;
                }
            }
            run_batches(&pool, &q.batch, &job, 1);
            assert_int_equal(count_wrong(w->query, &q.batch), 0);
            assert_int_equal(job.status, first == q.batch.check_count ? TUMBLE_OK
                                         : first % 2                  ? TUMBLE_ERROR_NOT_FINITE
                                                                      : TUMBLE_ERROR_POSE);
            if (job.status != TUMBLE_OK) {
                const tmb_check check = tmb_check_of(&q.batch, first);
                assert_int_equal(tumble_pose_check(w->context, check.pose_b), job.status);
                assert_string_equal(job.message, test_message(w->context));
            }
            free_questions(&q);
        }
        pool.close(pool.self);
    }
    free_zoo(&z);
}

/* ---- Cancelling ---- */

typedef struct cancelling {
    tmb_job *job;
    uint64_t after; /* so many checks */
    double end;     /* when it was asked for */
} cancelling;

static void *cancel_job(void *argument)
{
    cancelling *c = argument;
    const struct timespec moment = {.tv_nsec = 100000};
    while (atomic_load(&c->job->done_count) < c->after) {
        nanosleep(&moment, NULL);
    }
    if (c->after == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    }
    c->end = tmb_seconds();
    atomic_store(&c->job->cancel, 1);
    return NULL;
}

/* Between checks and within one: a check that would take years ends soon. */
static void test_cancel(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    test_random random = {1};
    test_make_soup(&mesh, &random, 30000, 2); /* all meet all: 10^9 tests of triangles */
    tumble_model *wide = test_model(w->context, &mesh, NULL), *brute = test_brute_model(w->context, &mesh);
    tumble_device_model handles[3] = {{wide}, {brute}, {wide}};
    tumble_check_answer answers[40];
    for (int t = 0; t < THREAD_COUNTS; t++) {
        for (int kind = 0; kind < 3; kind++) {
            tmb_backend pool = open_pool(w->context, thread_counts[t]);
            const tumble_model_pair pair = {&handles[kind], &handles[kind < 2 ? kind : 1]};
            tmb_job job = {.batch = tumble_default_batch(), .finished = count_finished}, *list[] = {&job};
            atomic_int finished = 0;
            cancelling c = {.job = &job};
            pthread_t thread;
            job.front = &finished;
            job.batch.mode = TUMBLE_COUNT;
            job.batch.check_count = t % 2 ? 40 : 1;
            job.batch.pairs = &pair;
            job.batch.pair_count = 1;
            job.batch.answers = answers;
            assert_int_equal(pthread_create(&thread, NULL, cancel_job, &c), 0);
            pool.run(pool.self, list, 1);
            const double end = tmb_seconds();
            assert_int_equal(pthread_join(thread, NULL), 0);
            assert_int_equal(atomic_load(&finished), 1);
            assert_int_equal(job.status, TUMBLE_ERROR_CANCELLED);
            assert_non_null(strstr(job.message, "cancelled"));
            for (size_t i = 0; i < job.batch.check_count; i++) {
                assert_int_equal(answers[i].status, TUMBLE_ERROR_CANCELLED);
                assert_true(answers[i].pair_count == 0 && !answers[i].collide);
            }
            assert_true(end - c.end < 10); /* milliseconds, but for busy machines and sanitizers */
            pool.close(pool.self);
        }
    }
    tumble_model_destroy(wide);
    tumble_model_destroy(brute);
    models_free(&mesh);
}

/* ---- Memory ---- */

/* Whichever allocation fails: a check has its answer or says so. */
static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh meshes[2] = {{0}, {0}};
    zoo z = {0};
    for (int k = 0; k < 2; k++) {
        assert_true(models_make_sized(&meshes[k], k ? "plate" : "shards", 3000));
        models_fit(&meshes[k], 2, 0);
        z.models[k] = test_model(w->context, &meshes[k], NULL);
        z.handles[k].model = z.models[k];
        models_free(&meshes[k]);
    }
    tumble_batch *batches = malloc(2 * sizeof *batches);
    tmb_job *jobs = malloc(2 * sizeof *jobs);
    size_t failed_open = 0, failed_checks = 0, answered = 0, done = 0;
    for (size_t call = 1; !done; call += test_effort() < 1 ? 7 : 2) {
        test_random random = {call};
        questions q[2];
        tmb_backend pool;
        for (int i = 0; i < 2; i++) {
            q[i] = make_questions(&z, &random, 3);
            for (size_t k = 0; k < 4; k++) {
                q[i].pairs[k] = (tumble_model_pair){&z.handles[0], &z.handles[1]};
                q[i].poses[1][k].m[0][3] = 0.1;
            }
            batches[i] = q[i].batch;
            batches[i].mode = TUMBLE_ALL;
            batches[i].pose_a_count = 0;
        }
        test_allocator_fail(&w->memory, call, call % 3 == 0);
        const tumble_status status = tmb_pool_open(w->context, 1 + call % 4, &pool);
        if (status == TUMBLE_OK) {
            run_batches(&pool, batches, jobs, 2);
            done = test_allocator_failures(&w->memory) == 0;
            test_allocator_fail(&w->memory, 0, 0);
            for (size_t i = 0; i < 6; i++) {
                const tumble_batch *batch = &batches[i / 3];
                if (batch->answers[i % 3].status == TUMBLE_ERROR_MEMORY) {
                    assert_int_equal(jobs[i / 3].status, TUMBLE_ERROR_MEMORY);
                    assert_non_null(strstr(jobs[i / 3].message, "out of memory for"));
                    failed_checks++;
                } else {
                    expectation e = expect(w->query, batch, i % 3);
                    assert_false(is_wrong(batch, i % 3, &e));
                    free(e.found);
                    free(e.contacts);
                    answered++;
                }
            }
            pool.close(pool.self);
        } else {
            test_allocator_fail(&w->memory, 0, 0);
            test_assert_status(w->context, status, TUMBLE_ERROR_MEMORY, "out of memory for");
            failed_open++;
        }
        free_questions(&q[0]);
        free_questions(&q[1]);
    }
    assert_true(failed_open > 0 && failed_checks > 0 && answered > 0);
    free(jobs);
    free(batches);
    tumble_model_destroy(z.models[0]);
    tumble_model_destroy(z.models[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_batches), TEST_IN_WORLD(test_one_check), TEST_IN_WORLD(test_bad_poses),
        TEST_IN_WORLD(test_cancel),  TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
