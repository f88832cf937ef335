/* Scenes when something goes wrong: memory that runs out at every allocation, callbacks that stop, poses that are none,
 * pairs that cannot be compared, and many threads that ask at once. What fails changes nothing. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "crowd.h"

/* ---- Memory ---- */

/* A scene that fails and goes on, beside one that never failed. */
typedef struct couple {
    test_world *w;
    crowd crowd;
    tumble_scene *victim, *twin;
    tumble_query *queries[2];
    tumble_object ids[CROWD_MOST];
    tumble_part parts[CROWD_MOST];
    size_t count, more; /* objects, and those that the next step adds or takes out */
    tumble_scene_mode mode;
} couple;

static void assert_same_candidates(const couple *c)
{
    const tumble_object_pair *found, *expected;
    size_t count, expected_count;
    assert_int_equal(tumble_scene_count(c->victim), tumble_scene_count(c->twin));
    assert_int_equal(tumble_scene_candidates(c->victim, &found, &count), TUMBLE_OK);
    assert_int_equal(tumble_scene_candidates(c->twin, &expected, &expected_count), TUMBLE_OK);
    assert_int_equal(count, expected_count);
    assert_true(count == 0 || memcmp(found, expected, count * sizeof *found) == 0);
}

typedef tumble_status deed(couple *c, tumble_scene *scene, tumble_query *query);

static tumble_status add(couple *c, tumble_scene *scene, tumble_query *query)
{
    (void)query;
    return tumble_scene_add(scene, c->parts + c->count, c->more, c->ids + c->count);
}

static tumble_status take_out(couple *c, tumble_scene *scene, tumble_query *query)
{
    (void)query;
    return tumble_scene_remove(scene, c->ids + c->count - c->more, c->more);
}

static tumble_status move(couple *c, tumble_scene *scene, tumble_query *query)
{
    (void)query;
    return tumble_scene_move(scene, c->ids, &c->parts[c->count - 1].pose, 1);
}

static tumble_status ignore(couple *c, tumble_scene *scene, tumble_query *query)
{
    tumble_object_pair pairs[20];
    (void)query;
    for (size_t i = 0; i < 20; i++) {
        pairs[i] = (tumble_object_pair){c->ids[i], c->ids[i + 1]};
    }
    return tumble_scene_ignore(scene, pairs, 20, true);
}

static tumble_status update(couple *c, tumble_scene *scene, tumble_query *query)
{
    (void)c;
    (void)query;
    return tumble_scene_update(scene);
}

static tumble_status ask(couple *c, tumble_scene *scene, tumble_query *query)
{
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    q.mode = c->mode;
    q.want_contacts = true;
    q.within = 0.5;
    return tumble_scene_collide(query, scene, &q, &answer);
}

/* Lets each allocation fail once, alone or with all later ones. Returns how many failed. */
static size_t suffer(couple *c, deed *act, int is_checked)
{
    for (size_t call = 1;; call++) {
        test_allocator_fail(&c->w->memory, call, call % 2);
        const tumble_status status = act(c, c->victim, c->queries[0]);
        test_allocator_fail(&c->w->memory, 0, 0);
        if (status == TUMBLE_OK) {
            assert_int_equal(act(c, c->twin, c->queries[1]), TUMBLE_OK);
            return call - 1;
        }
        assert_int_equal(status, TUMBLE_ERROR_MEMORY);
        if (is_checked) {
            assert_same_candidates(c);
        }
    }
}

static void suffer_all(couple *c)
{
    size_t failures = 0;
    for (c->mode = TUMBLE_SCENE_TEST; c->mode <= TUMBLE_SCENE_NEAREST; c->mode++) {
        c->more = 24;
        if (c->count + c->more <= CROWD_MOST) {
            failures += suffer(c, add, 1);
            c->count += c->more;
        }
        assert_same_candidates(c);
        failures += suffer(c, ignore, 1);
        failures += suffer(c, move, 1);
        failures += suffer(c, update, 0);
        assert_same_candidates(c);
        failures += suffer(c, ask, 0);
        assert_same_candidates(c);
        c->more = 5;
        failures += suffer(c, take_out, 1);
        c->count -= c->more;
        failures += suffer(c, update, 0);
        assert_same_candidates(c);
    }
    assert_true(failures > 20);
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {9};
    for (int method = 0; method < CROWD_METHODS; method++) {
        couple c = {.w = w};
        crowd_begin(&c.crowd, w->context, &random);
        for (int i = 0; i < CROWD_MOST; i++) {
            c.parts[i] = crowd_random_part(&c.crowd, &random);
        }
        assert_int_equal(tumble_scene_create(w->context, &crowd_methods[method], &c.victim), TUMBLE_OK);
        assert_int_equal(tumble_scene_create(w->context, NULL, &c.twin), TUMBLE_OK);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(tumble_query_create(w->context, &c.queries[i]), TUMBLE_OK);
        }
        suffer_all(&c);
        tumble_scene_destroy(c.victim);
        tumble_scene_destroy(c.twin);
        for (int i = 0; i < 2; i++) {
            tumble_query_destroy(c.queries[i]);
        }
        crowd_end(&c.crowd);
    }
}

/* ---- Callbacks that stop ---- */

typedef struct receiver {
    uint64_t count, stop;
} receiver;

static bool receive(void *user, const tumble_meeting *meeting)
{
    receiver *r = user;
    (void)meeting;
    return ++r->count == r->stop;
}

/* A question that was stopped is as if it had not been asked: events are those since the answer before. */
static void test_stops(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    crowd c;
    crowd_begin(&c, w->context, &random);
    c.spread = 3;
    for (int i = 0; i < 12; i++) {
        crowd_step(&c, &random);
    }
    tumble_scene *scene = c.scenes[2];
    tumble_scene_answer answer;
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    const uint64_t count = answer.meeting_count;
    assert_true(count > 2);
    for (uint64_t stop = 1; stop <= count; stop++) {
        receiver r = {0, stop};
        tumble_scene_question q = tumble_default_scene_question();
        q.callback = receive;
        q.callback_user = &r;
        q.mode = (tumble_scene_mode)(1 + stop % 3);
        assert_int_equal(tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_ERROR_CANCELLED);
        assert_int_equal(r.count, stop);
    }
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, count);
    assert_int_equal(answer.ended_count, 0);
    for (uint64_t i = 0; i < count; i++) {
        assert_int_equal(answer.meetings[i].event, TUMBLE_CONTINUES);
    }
    crowd_end(&c);
}

/* ---- Wrong poses, and pairs that fail ---- */

static void test_wrong_poses(void **state)
{
    test_world *w = *state;
    test_random random = {6};
    crowd c;
    crowd_begin(&c, w->context, &random);
    tumble_part parts[3] = {crowd_random_part(&c, &random), crowd_random_part(&c, &random),
                            crowd_random_part(&c, &random)};
    tumble_object ids[3];
    tumble_part part;
    assert_int_equal(tumble_scene_add(c.scenes[1], parts, 3, ids), TUMBLE_OK);
    tumble_pose poses[3] = {tumble_pose_identity(), tumble_pose_identity(), tumble_pose_identity()};
    static const double bad[] = {NAN, INFINITY, -INFINITY, 0};
    for (int i = 0; i < 12 * 4; i++) {
        poses[1] = tumble_pose_identity();
        poses[1].m[i / 4 / 4][i / 4 % 4] = bad[i % 4];
        if (tumble_pose_check(w->context, &poses[1]) == TUMBLE_OK) {
            continue; /* 0 where it was 0 */
        }
        const tumble_status status = tumble_scene_move(c.scenes[1], ids, poses, 3);
        test_assert_status(w->context, status, i % 4 == 3 ? TUMBLE_ERROR_POSE : TUMBLE_ERROR_NOT_FINITE, "object 1");
        assert_int_equal(tumble_scene_get(c.scenes[1], ids[0], &part), TUMBLE_OK);
        assert_memory_equal(&part.pose, &parts[0].pose, sizeof part.pose);
    }
    crowd_end(&c);
}

/* The first pair in order that fails is named, for every number of threads; a pair that touches is found all the same.
 */
static void test_pairs_that_fail(void **state)
{
    test_world *w = *state;
    test_random random = {7};
    crowd c;
    crowd_begin(&c, w->context, &random);
    for (int m = 0; m < CROWD_METHODS; m++) {
        tumble_part parts[4];
        tumble_object ids[4];
        tumble_scene_question q = tumble_default_scene_question();
        tumble_scene_answer answer;
        for (int i = 0; i < 4; i++) {
            parts[i] = tumble_default_part();
            parts[i].model = c.models[1];
        }
        parts[1].pose.m[0][0] = parts[1].pose.m[1][1] = parts[1].pose.m[2][2] = 0x1p1023;
        parts[1].pose.m[0][3] = 0x1p1023;
        assert_int_equal(tumble_scene_add(c.scenes[m], parts, 4, ids), TUMBLE_OK);
        test_assert_status(w->context, tumble_scene_collide(w->query, c.scenes[m], &q, &answer),
                           TUMBLE_ERROR_NOT_FINITE, "objects {0, 1} and {1, 1}");
        q.mode = TUMBLE_SCENE_TEST;
        assert_int_equal(tumble_scene_collide(w->query, c.scenes[m], &q, &answer), TUMBLE_OK);
        assert_true(answer.touch);
        assert_int_equal(tumble_scene_remove(c.scenes[m], ids + 1, 1), TUMBLE_OK);
        q.mode = TUMBLE_SCENE_PAIRS;
        assert_int_equal(tumble_scene_collide(w->query, c.scenes[m], &q, &answer), TUMBLE_OK);
        assert_int_equal(answer.meeting_count, 3);
    }
    crowd_end(&c);
}

/* ---- Many threads ---- */

enum {
    ASKERS = 4
};

typedef struct asker {
    pthread_t thread;
    tumble_context *context;
    tumble_scene *scene;
    uint64_t candidates, meetings;
    size_t wrong;
} asker;

static void *ask_again(void *argument)
{
    asker *a = argument;
    tumble_query *query = NULL;
    a->wrong += tumble_query_create(a->context, &query) != TUMBLE_OK;
    for (int i = 0; query && i < 10; i++) {
        const tumble_object_pair *pairs;
        size_t count = 0;
        tumble_scene_answer answer = {.meeting_count = 0};
        a->wrong += tumble_scene_candidates(a->scene, &pairs, &count) != TUMBLE_OK || count != a->candidates;
        a->wrong += tumble_scene_collide(query, a->scene, NULL, &answer) != TUMBLE_OK;
        a->wrong += answer.meeting_count != a->meetings || answer.candidate_count != a->candidates;
    }
    tumble_query_destroy(query);
    return NULL;
}

/* On a context of its own, whose allocator has no lock that would order the threads. */
static void test_threads(void **state)
{
    test_world *w = *state;
    test_random random = {8};
    tumble_context *context;
    tumble_query *query;
    crowd c;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
    crowd_begin(&c, context, &random);
    c.spread = 4;
    for (int round = 0; round < 4; round++) {
        const int method = round % 2 ? 3 : 2;
        asker askers[ASKERS];
        const tumble_object_pair *pairs;
        size_t count;
        tumble_scene_answer answer;
        for (int i = 0; i < 8; i++) {
            crowd_step(&c, &random);
        }
        assert_int_equal(tumble_scene_candidates(c.scenes[0], &pairs, &count), TUMBLE_OK);
        test_assert_status(w->context, tumble_scene_collide(w->query, c.scenes[0], NULL, &answer),
                           TUMBLE_ERROR_ARGUMENT, "different contexts");
        assert_int_equal(tumble_scene_collide(query, c.scenes[0], NULL, &answer), TUMBLE_OK);
        assert_int_equal(tumble_scene_update(c.scenes[method]), TUMBLE_OK);
        for (int i = 0; i < ASKERS; i++) {
            askers[i] = (asker){
                .context = context, .scene = c.scenes[method], .candidates = count, .meetings = answer.meeting_count};
            assert_int_equal(pthread_create(&askers[i].thread, NULL, ask_again, &askers[i]), 0);
        }
        for (int i = 0; i < ASKERS; i++) {
            assert_int_equal(pthread_join(askers[i].thread, NULL), 0);
            assert_int_equal(askers[i].wrong, 0);
        }
    }
    tumble_query_destroy(query);
    crowd_end(&c);
    tumble_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_memory), TEST_IN_WORLD(test_stops),
                                       TEST_IN_WORLD(test_wrong_poses), TEST_IN_WORLD(test_pairs_that_fail),
                                       TEST_IN_WORLD(test_threads)};
    return cmocka_run_group_tests_name("scene_faults", tests, NULL, NULL);
}
