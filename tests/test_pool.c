/* The pool of threads: batches of checks, in any number of threads, against tumble_collide. The back end is asked
 * directly, without queue and tickets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "device/pool.h"
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
    tmb_job **list = malloc((count + 1) * sizeof *list);
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
            assert_true(models_make_sized(&mesh, shapes[k], k < 10 ? 1500 : 300));
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
    b->mode = (tumble_batch_mode)test_random_whole(random, 0, 3);
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
    expectation e = {.result = {.size = sizeof e.result}};
    tumble_collide_options options = tumble_default_collide_options();
    e.found = malloc((batch->found_capacity + 1) * sizeof *e.found);
    e.contacts = malloc((batch->contact_capacity + 1) * sizeof *e.contacts);
    memset(e.found, 0x77, (batch->found_capacity + 1) * sizeof *e.found);
    memset(e.contacts, 0x77, (batch->contact_capacity + 1) * sizeof *e.contacts);
    options.mode = batch->mode >= TUMBLE_BATCH_COUNT ? TUMBLE_COLLIDE_ALL : TUMBLE_COLLIDE_FIRST;
    if (batch->mode == TUMBLE_BATCH_ALL) {
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
    for (int t = 0; t < THREAD_COUNTS; t++) {
        tmb_backend pool = open_pool(w->context, thread_counts[t]);
        for (size_t turn = 0; turn < test_count(6); turn++) {
            questions q[BATCHES];
            tumble_batch batches[BATCHES];
            tmb_job jobs[BATCHES];
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
    free_zoo(&z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
