/* A part that is not in a scene, against all of its objects: each answer is what pair queries say, in every mode. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"

static int is_compared(const tumble_part *part, const tumble_part *object, const tumble_scene_question *q)
{
    return !object->is_inactive && (part->group & object->mask) && (object->group & part->mask) &&
           ((part->group & q->groups_a && object->group & q->groups_b) ||
            (object->group & q->groups_a && part->group & q->groups_b));
}

static void assert_same_meeting(const tumble_meeting *found, const tumble_meeting *wanted,
                                const tumble_scene_question *q)
{
    assert_int_equal(found->a.generation, 0);
    assert_memory_equal(&found->b, &wanted->b, sizeof found->b);
    assert_int_equal(found->pair_count, wanted->pair_count);
    assert_int_equal(found->contact_count, wanted->contact_count);
    assert_int_equal(found->relation, wanted->relation);
    if (q->mode >= TUMBLE_SCENE_DISTANCE) {
        assert_memory_equal(&found->nearest, &wanted->nearest, sizeof found->nearest);
    }
    if (q->mode == TUMBLE_SCENE_ALL) {
        assert_memory_equal(found->pairs, wanted->pairs, wanted->pair_count * sizeof *wanted->pairs);
    }
    if (wanted->contact_count > 0) {
        assert_memory_equal(found->contacts, wanted->contacts, wanted->contact_count * sizeof *wanted->contacts);
    }
}

/* Objects of a crowd that only grew are in the order of their indices. */
static size_t compare(test_world *w, const crowd *c, tumble_query *query, int method, const tumble_part *part,
                      const tumble_scene_question *q)
{
    tumble_scene_answer answer;
    tumble_meeting best = {.nearest.distance = INFINITY};
    size_t met = 0;
    assert_int_equal(tumble_scene_collide_part(query, c->scenes[method], part, q, &answer), TUMBLE_OK);
    for (size_t i = 0; i < c->count; i++) {
        tumble_meeting meeting = {.b = c->ids[i]};
        if (!is_compared(part, &c->parts[i], q) || !crowd_ask_pair(w, part, &c->parts[i], q, &meeting)) {
            continue;
        }
        if (meeting.relation == TUMBLE_RELATION_UNDEFINED && answer.meetings[met].b.index != meeting.b.index) {
            continue; /* boxes of the scene, which are tighter, are disjoint: apart */
        }
        if (q->mode == TUMBLE_SCENE_NEAREST) {
            best = meeting.nearest.distance < best.nearest.distance || met == 0 ? meeting : best;
        } else if (q->mode != TUMBLE_SCENE_TEST) {
            assert_true(met < answer.meeting_count);
            assert_same_meeting(&answer.meetings[met], &meeting, q);
        }
        met++;
    }
    assert_int_equal(answer.touch, met > 0);
    if (q->mode == TUMBLE_SCENE_NEAREST && met > 0) {
        assert_int_equal(answer.meeting_count, 1);
        assert_same_meeting(&answer.meetings[0], &best, q);
    } else {
        assert_int_equal(answer.meeting_count, q->mode == TUMBLE_SCENE_TEST ? 0 : met);
    }
    assert_int_equal(answer.ended_count, 0);
    return met;
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

static void test_parts(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    size_t met[TUMBLE_SCENE_NEAREST + 1] = {0};
    tumble_query *query;
    assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
    for (size_t round = 0; round < test_count(30) + 3; round++) {
        crowd c;
        crowd_begin(&c, w->context, &random);
        fill(&c, &random, (size_t)test_random_whole(&random, 0, 60));
        for (int step = 0; step < 21; step++) {
            tumble_scene_question q = tumble_default_scene_question();
            const tumble_part part = crowd_random_part(&c, &random);
            q.mode = (tumble_scene_mode)(step % 7);
            q.clearance = test_random_chance(&random, 0.3) ? 0.2 : 0;
            q.within = test_random_chance(&random, 0.5) ? INFINITY : 0.4;
            q.want_contacts = test_random_chance(&random, 0.5);
            q.groups_a = test_random_chance(&random, 0.3) ? 2 : UINT32_MAX;
            for (int m = 0; m < CROWD_METHODS; m++) {
                met[q.mode] += compare(w, &c, query, m, &part, &q);
            }
        }
        crowd_end(&c);
    }
    for (int mode = 0; mode <= TUMBLE_SCENE_NEAREST; mode++) {
        assert_true(met[mode] > 10);
    }
    tumble_query_destroy(query);
}

/* Asking about a part does not disturb the events of the scene's own answers, and ignored groups count. */
static void test_events_and_groups(void **state)
{
    test_world *w = *state;
    tumble_scene_answer answer;
    crowd c;
    test_random random = {2};
    crowd_begin(&c, w->context, &random);
    tumble_part part = tumble_default_part();
    part.model = c.models[1];
    for (size_t i = 0; i < 3; i++) {
        c.parts[i] = part;
    }
    c.parts[2].group = 2;
    tumble_scene *scene = c.scenes[1];
    assert_int_equal(tumble_scene_add(scene, c.parts, 3, c.ids), TUMBLE_OK);
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, 3);
    assert_int_equal(tumble_scene_collide_part(w->query, scene, &part, NULL, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, 3);
    assert_int_equal(answer.meetings[0].event, TUMBLE_BEGAN);
    assert_int_equal(tumble_scene_ignore_groups(scene, 1, 2, true), TUMBLE_OK);
    assert_int_equal(tumble_scene_collide_part(w->query, scene, &part, NULL, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, 2);
    assert_int_equal(tumble_scene_collide(w->query, scene, NULL, &answer), TUMBLE_OK);
    assert_int_equal(answer.meeting_count, 1);
    assert_int_equal(answer.meetings[0].event, TUMBLE_CONTINUES);
    assert_int_equal(answer.ended_count, 2);
    crowd_end(&c);
}

static bool stop_at_once(void *nothing)
{
    (void)nothing;
    return true;
}

static bool stop_at_second(void *user, const tumble_meeting *meeting)
{
    size_t *count = user;
    assert_non_null(meeting->pairs);
    return ++*count == 2;
}

static void test_refusals(void **state)
{
    test_world *w = *state;
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    tumble_part part = tumble_default_part();
    crowd c;
    test_random random = {3};
    size_t count = 0;
    crowd_begin(&c, w->context, &random);
    c.spread = 1;
    fill(&c, &random, 60);
    test_assert_status(w->context, tumble_scene_collide_part(w->query, c.scenes[1], &part, NULL, &answer),
                       TUMBLE_ERROR_ARGUMENT, "no model");
    part.model = c.models[1];
    part.pose.m[0][0] = NAN;
    assert_int_equal(tumble_scene_collide_part(w->query, c.scenes[1], &part, NULL, &answer), TUMBLE_ERROR_NOT_FINITE);
    part.pose = tumble_pose_identity();
    part.clearance = -1;
    test_assert_status(w->context, tumble_scene_collide_part(w->query, c.scenes[1], &part, NULL, &answer),
                       TUMBLE_ERROR_ARGUMENT, "clearance");
    part.clearance = 0;
    q.within = NAN;
    test_assert_status(w->context, tumble_scene_collide_part(w->query, c.scenes[1], &part, &q, &answer),
                       TUMBLE_ERROR_ARGUMENT, "within");
    q = tumble_default_scene_question();
    q.mode = TUMBLE_SCENE_ALL;
    q.callback = stop_at_second;
    q.callback_user = &count;
    test_assert_status(w->context, tumble_scene_collide_part(w->query, c.scenes[1], &part, &q, &answer),
                       TUMBLE_ERROR_CANCELLED, "stopped");
    assert_int_equal(count, 2);
    q = tumble_default_scene_question();
    q.progress = stop_at_once;
    test_assert_status(w->context, tumble_scene_collide_part(w->query, c.scenes[1], &part, &q, &answer),
                       TUMBLE_ERROR_CANCELLED, "stopped");
    assert_int_equal(tumble_scene_collide_part(w->query, c.scenes[1], NULL, &q, &answer), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_scene_collide_part(NULL, c.scenes[1], &part, &q, &answer), TUMBLE_ERROR_ARGUMENT);
    crowd_end(&c);
}

typedef struct memory_job {
    crowd crowd;
    tumble_part part;
    int mode;
} memory_job;

static tumble_status ask(test_world *w, void *user)
{
    memory_job *job = user;
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    tumble_query *query = NULL;
    q.mode = (tumble_scene_mode)job->mode;
    q.want_contacts = true;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        status = tumble_scene_collide_part(query, job->crowd.scenes[1], &job->part, &q, &answer);
    }
    tumble_query_destroy(query);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    memory_job job;
    crowd_begin(&job.crowd, w->context, &random);
    job.crowd.spread = 1;
    fill(&job.crowd, &random, 40);
    job.part = tumble_default_part();
    job.part.model = job.crowd.models[1];
    for (job.mode = TUMBLE_SCENE_TEST; job.mode <= TUMBLE_SCENE_NEAREST; job.mode++) {
        assert_int_equal(ask(w, &job), TUMBLE_OK); /* models keep what relations need */
        assert_true(test_fail_each(w, TEST_FAIL_ALONE, ask, NULL, &job) > 3);
    }
    crowd_end(&job.crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_parts), TEST_IN_WORLD(test_events_and_groups),
                                       TEST_IN_WORLD(test_refusals), TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests_name("scene_part", tests, NULL, NULL);
}
