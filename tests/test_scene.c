/* Questions about scenes: every pair's answer is that of the pair query, for every method and number of threads, and
 * events are what two answers differ by. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"

/* ---- What is expected ---- */

static int is_candidate(const crowd *c, size_t i, size_t j)
{
    const tumble_part *a = &c->parts[i], *b = &c->parts[j];
    return a->model != c->models[0] && b->model != c->models[0] && !a->is_inactive && !b->is_inactive &&
           (a->group & b->mask) && (b->group & a->mask);
}

/* The answers of pair queries, over all pairs but ignored ones, which `allowed` leaves out. */
typedef struct expected {
    tumble_meeting *meetings;
    size_t count;
    tumble_pair *pairs; /* of mode ALL, one meeting after the other */
    size_t pair_count;
} expected;

static void expect(expected *e, const tumble_meeting *meeting)
{
    e->meetings = realloc(e->meetings, (e->count + 1) * sizeof *e->meetings);
    assert_non_null(e->meetings);
    e->meetings[e->count++] = *meeting;
}

/* Whether the boxes of two objects overlap in the scene. */
static int has_boxes_that_overlap(const crowd *c, tumble_object a, tumble_object b)
{
    const tumble_object_pair *pairs;
    size_t count;
    assert_int_equal(tumble_scene_candidates(c->scenes[0], &pairs, &count), TUMBLE_OK);
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].a.index == a.index && pairs[i].b.index == b.index) {
            return 1;
        }
    }
    return 0;
}

/* The pairs are kept in the order in which they are found. */
static int ask_pair(test_world *w, const tumble_part *a, const tumble_part *b, const tumble_scene_question *q,
                    tumble_meeting *meeting, expected *e)
{
    const int meets = crowd_ask_pair(w, a, b, q, meeting);
    if (q->mode == TUMBLE_SCENE_ALL && meeting->pair_count > 0) {
        e->pairs = realloc(e->pairs, (e->pair_count + meeting->pair_count) * sizeof *e->pairs);
        assert_non_null(e->pairs);
        memcpy(e->pairs + e->pair_count, meeting->pairs, meeting->pair_count * sizeof *e->pairs);
        e->pair_count += meeting->pair_count;
    }
    return meets;
}

static int by_index(const void *a, const void *b)
{
    const tumble_meeting *x = a, *y = b;
    return x->a.index != y->a.index ? (x->a.index < y->a.index ? -1 : 1) : x->b.index < y->b.index ? -1 : 1;
}

/* The objects in the order of their indices. */
static size_t *sorted_objects(const crowd *c)
{
    size_t *order = malloc((c->count + 1) * sizeof *order);
    assert_non_null(order);
    for (size_t i = 0; i < c->count; i++) {
        size_t at = i;
        for (; at > 0 && c->ids[order[at - 1]].index > c->ids[i].index; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

static expected expect_all(test_world *w, const crowd *c, const tumble_scene_question *q)
{
    expected e = {NULL, 0, NULL, 0};
    size_t *order = sorted_objects(c);
    for (size_t i = 0; i < c->count; i++) {
        for (size_t j = i + 1; j < c->count; j++) {
            const size_t a = order[i], b = order[j];
            tumble_meeting meeting = {.a = c->ids[a], .b = c->ids[b]};
            if (!is_candidate(c, a, b) || !ask_pair(w, &c->parts[a], &c->parts[b], q, &meeting, &e)) {
                continue;
            }
            /* the boxes of a scene are tighter than those that a relation looks at: what these part is apart */
            if (meeting.relation != TUMBLE_RELATION_UNDEFINED || has_boxes_that_overlap(c, meeting.a, meeting.b)) {
                expect(&e, &meeting);
            }
        }
    }
    free(order);
    if (e.count > 0) {
        qsort(e.meetings, e.count, sizeof *e.meetings, by_index);
    }
    return e;
}

/* ---- What is found ---- */

static void assert_same_meeting(const tumble_meeting *found, const tumble_meeting *wanted,
                                const tumble_scene_question *q)
{
    assert_memory_equal(&found->a, &wanted->a, sizeof found->a);
    assert_memory_equal(&found->b, &wanted->b, sizeof found->b);
    assert_int_equal(found->pair_count, wanted->pair_count);
    if (q->mode == TUMBLE_SCENE_RELATE) {
        assert_int_equal(found->relation, wanted->relation);
    } else if (q->mode >= TUMBLE_SCENE_DISTANCE) {
        assert_memory_equal(&found->nearest, &wanted->nearest, sizeof found->nearest);
    }
}

static void assert_same_answer(const tumble_scene_answer *answer, const expected *e, const tumble_scene_question *q)
{
    const tumble_pair *pairs = e->pairs;
    assert_int_equal(answer->meeting_count, e->count);
    assert_int_equal(answer->touch, e->count > 0);
    for (size_t i = 0; i < e->count; i++) {
        assert_same_meeting(&answer->meetings[i], &e->meetings[i], q);
        if (q->mode == TUMBLE_SCENE_ALL) {
            assert_memory_equal(answer->meetings[i].pairs, pairs, e->meetings[i].pair_count * sizeof *pairs);
            pairs += e->meetings[i].pair_count;
        }
    }
}

/* The nearest of the expected meetings is the first of the least distance. */
static void assert_nearest(const tumble_scene_answer *answer, const expected *e, const tumble_scene_question *q)
{
    const tumble_meeting *nearest = e->meetings;
    for (size_t i = 1; i < e->count; i++) {
        nearest = e->meetings[i].nearest.distance < nearest->nearest.distance ? &e->meetings[i] : nearest;
    }
    assert_int_equal(answer->meeting_count, e->count > 0);
    if (e->count > 0) {
        assert_same_meeting(answer->meetings, nearest, q);
    }
}

/* An object that is ignored somewhere would need a list of its own here: crowds of this test ignore nothing. */
static void ask_all_scenes(test_world *w, crowd *c, tumble_query *queries[CROWD_METHODS],
                           const tumble_scene_question *q)
{
    const expected e = expect_all(w, c, q);
    for (int m = 0; m < CROWD_METHODS; m++) {
        tumble_scene_answer answer;
        assert_int_equal(tumble_scene_collide(queries[m], c->scenes[m], q, &answer), TUMBLE_OK);
        if (q->mode == TUMBLE_SCENE_TEST) {
            assert_int_equal(answer.touch, e.count > 0);
        } else if (q->mode == TUMBLE_SCENE_NEAREST) {
            assert_nearest(&answer, &e, q);
        } else {
            assert_same_answer(&answer, &e, q);
        }
    }
    free(e.meetings);
    free(e.pairs);
}

static void fill(crowd *c, test_random *random, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        c->parts[i] = crowd_random_part(c, random);
    }
    for (int m = 0; m < CROWD_METHODS; m++) {
        assert_int_equal(tumble_scene_add(c->scenes[m], c->parts, count, c->ids), TUMBLE_OK);
    }
    c->count = count;
}

static void test_questions(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    for (size_t round = 0; round < test_count(30); round++) {
        crowd c;
        tumble_query *queries[CROWD_METHODS];
        crowd_begin(&c, w->context, &random);
        fill(&c, &random, (size_t)test_random_whole(&random, 0, 30));
        for (int m = 0; m < CROWD_METHODS; m++) {
            assert_int_equal(tumble_query_create(w->context, &queries[m]), TUMBLE_OK);
        }
        for (int mode = TUMBLE_SCENE_TEST; mode <= TUMBLE_SCENE_NEAREST; mode++) {
            tumble_scene_question q = tumble_default_scene_question();
            q.mode = (tumble_scene_mode)mode;
            q.clearance = mode < TUMBLE_SCENE_RELATE && test_random_chance(&random, 0.3) ? 0.3 : 0;
            q.within = test_random_chance(&random, 0.7) ? test_random_range(&random, 0, 2) : INFINITY;
            ask_all_scenes(w, &c, queries, &q);
        }
        for (int m = 0; m < CROWD_METHODS; m++) {
            tumble_query_destroy(queries[m]);
        }
        crowd_end(&c);
    }
}

/* ---- Events ---- */

static int has(const tumble_object_pair *pairs, size_t count, const tumble_meeting *meeting)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&pairs[i].a, &meeting->a, sizeof meeting->a) == 0 &&
            memcmp(&pairs[i].b, &meeting->b, sizeof meeting->b) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Began and ended explain the difference of two answers. */
static void test_events(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    for (size_t round = 0; round < test_count(10); round++) {
        crowd c;
        crowd_begin(&c, w->context, &random);
        tumble_object_pair before[CROWD_MOST * CROWD_MOST];
        size_t before_count = 0;
        for (int step = 0; step < 40; step++) {
            crowd_step(&c, &random);
            tumble_scene_answer answer;
            assert_int_equal(tumble_scene_collide(w->query, c.scenes[1], NULL, &answer), TUMBLE_OK);
            size_t continues = 0;
            for (size_t i = 0; i < answer.meeting_count; i++) {
                const tumble_meeting *m = &answer.meetings[i];
                assert_int_equal(m->event == TUMBLE_CONTINUES, has(before, before_count, m));
                continues += m->event == TUMBLE_CONTINUES;
            }
            assert_int_equal(answer.ended_count, before_count - continues);
            before_count = answer.meeting_count;
            for (size_t i = 0; i < before_count; i++) {
                before[i] = (tumble_object_pair){answer.meetings[i].a, answer.meetings[i].b};
            }
        }
        crowd_end(&c);
    }
}

/* With only what moved, pairs that did not move are not asked about, and neither begin nor end. */
static void test_only_moved(void **state)
{
    test_world *w = *state;
    test_random random = {3};
    crowd c;
    crowd_begin(&c, w->context, &random);
    fill(&c, &random, 40);
    tumble_query *other;
    assert_int_equal(tumble_query_create(w->context, &other), TUMBLE_OK);
    tumble_scene_question q = tumble_default_scene_question();
    q.only_moved = true;
    uint64_t touching = 0;
    for (int step = 0; step < 30; step++) {
        tumble_scene_answer answer, full;
        crowd_step(&c, &random);
        assert_int_equal(tumble_scene_collide(w->query, c.scenes[1], &q, &answer), TUMBLE_OK);
        for (size_t i = 0; i < answer.meeting_count; i++) {
            touching += answer.meetings[i].event == TUMBLE_BEGAN;
        }
        touching -= answer.ended_count;
        assert_int_equal(tumble_scene_collide(other, c.scenes[1], NULL, &full), TUMBLE_OK);
        assert_int_equal(touching, full.meeting_count);
        assert_true(answer.meeting_count <= full.meeting_count);
    }
    tumble_query_destroy(other);
    crowd_end(&c);
}

/* ---- Callbacks and memory ---- */

typedef struct receiver {
    uint64_t count, stop;
} receiver;

static bool receive(void *user, const tumble_meeting *meeting)
{
    receiver *r = user;
    assert_true(meeting->pair_count > 0 && meeting->pairs && meeting->contacts);
    return ++r->count == r->stop;
}

static bool stop_after(void *left)
{
    return (*(int *)left)-- == 0;
}

/* Every mode can be stopped before any of its pairs, and answers as ever afterwards. */
static void check_progress(test_world *w, tumble_scene *scene)
{
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    for (int mode = TUMBLE_SCENE_TEST; mode <= TUMBLE_SCENE_NEAREST; mode++) {
        q.mode = (tumble_scene_mode)mode;
        q.coherence = TUMBLE_COHERENCE_NONE; /* or known pairs would not be asked about */
        q.progress = NULL;
        assert_int_equal(tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_OK);
        const uint64_t count = answer.meeting_count;
        int left = mode == TUMBLE_SCENE_TEST ? 0 : 2;
        q.progress = stop_after;
        q.progress_user = &left;
        test_assert_status(w->context, tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_ERROR_CANCELLED,
                           "stopped");
        assert_int_equal(left, -1);
        left = 1 << 30;
        assert_int_equal(tumble_scene_collide(w->query, scene, &q, &answer), TUMBLE_OK);
        assert_int_equal(answer.meeting_count, count);
    }
}

static void test_callback(void **state)
{
    test_world *w = *state;
    test_random random = {5};
    crowd c;
    crowd_begin(&c, w->context, &random);
    fill(&c, &random, 80);
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    assert_int_equal(tumble_scene_collide(w->query, c.scenes[2], &q, &answer), TUMBLE_OK);
    const uint64_t count = answer.meeting_count;
    receiver r = {0, 0};
    assert_true(count > 2);
    q.mode = TUMBLE_SCENE_ALL;
    q.want_contacts = true;
    q.callback = receive;
    q.callback_user = &r;
    assert_int_equal(tumble_scene_collide(w->query, c.scenes[2], &q, &answer), TUMBLE_OK);
    assert_int_equal(r.count, count);
    assert_int_equal(answer.meeting_count, count);
    assert_null(answer.meetings);
    r = (receiver){0, 2};
    assert_int_equal(tumble_scene_collide(w->query, c.scenes[2], &q, &answer), TUMBLE_ERROR_CANCELLED);
    assert_int_equal(r.count, 2);
    q = tumble_default_scene_question();
    assert_int_equal(tumble_scene_collide(w->query, c.scenes[2], &q, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, count);
    check_progress(w, c.scenes[2]);
    q.clearance = NAN;
    test_assert_status(w->context, tumble_scene_collide(w->query, c.scenes[2], &q, &answer), TUMBLE_ERROR_ARGUMENT,
                       "clearance");
    crowd_end(&c);
}

typedef struct memory_job {
    crowd crowd;
    int mode;
} memory_job;

static tumble_status ask(test_world *w, void *user)
{
    memory_job *job = user;
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    tumble_query *query = NULL;
    tumble_scene *scene = NULL;
    tumble_object ids[CROWD_MOST];
    q.mode = (tumble_scene_mode)job->mode;
    q.within = 1;
    q.want_contacts = true;
    tumble_status status = tumble_query_create(w->context, &query);
    status = status != TUMBLE_OK ? status : tumble_scene_create(w->context, &crowd_methods[2], &scene);
    status = status != TUMBLE_OK ? status : tumble_scene_add(scene, job->crowd.parts, job->crowd.count, ids);
    status = status != TUMBLE_OK ? status : tumble_scene_collide(query, scene, &q, &answer);
    tumble_scene_destroy(scene);
    tumble_query_destroy(query);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    memory_job job;
    crowd_begin(&job.crowd, w->context, &random);
    fill(&job.crowd, &random, 30);
    for (job.mode = TUMBLE_SCENE_TEST; job.mode <= TUMBLE_SCENE_NEAREST; job.mode++) {
        assert_int_equal(ask(w, &job), TUMBLE_OK); /* models keep what relations need */
        assert_true(test_fail_each(w, TEST_FAIL_ALONE, ask, NULL, &job) > 3);
    }
    crowd_end(&job.crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_questions), TEST_IN_WORLD(test_events),
                                       TEST_IN_WORLD(test_only_moved), TEST_IN_WORLD(test_callback),
                                       TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
