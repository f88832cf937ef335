/* Scenes whose pairs a device answers: the answers are those of threads, on the pool and on OpenCL, in every mode,
 * while objects come, move and go, and models change. */
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "device_cases.h"

enum {
    BY_THREADS = 0,
    BY_DEVICE = 2
};

static tumble_device *open_device(tumble_context *context, uint32_t number)
{
    tumble_device *device;
    tumble_device_options options = tumble_default_device_options();
    options.thread_count = 2;
    assert_int_equal(tumble_device_open(context, number, &options, &device), TUMBLE_OK);
    return device;
}

static void assert_same(const tumble_scene_answer *found, const tumble_scene_answer *wanted, tumble_scene_mode mode)
{
    assert_int_equal(found->touch, wanted->touch);
    if (mode == TUMBLE_SCENE_TEST) {
        return;
    }
    assert_int_equal(found->meeting_count, wanted->meeting_count);
    assert_int_equal(found->ended_count, wanted->ended_count);
    for (size_t i = 0; i < found->meeting_count; i++) {
        const tumble_meeting *a = &found->meetings[i], *b = &wanted->meetings[i];
        assert_memory_equal(&a->a, &b->a, sizeof a->a);
        assert_memory_equal(&a->b, &b->b, sizeof a->b);
        assert_int_equal(a->event, b->event);
        assert_int_equal(a->pair_count, b->pair_count);
        assert_int_equal(a->contact_count, b->contact_count);
        if (mode == TUMBLE_SCENE_ALL) {
            assert_memory_equal(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs);
            assert_true(a->contact_count == 0 ||
                        memcmp(a->contacts, b->contacts, a->contact_count * sizeof *a->contacts) == 0);
        }
    }
}

static uint64_t compare(crowd *c, tumble_query *queries[2], tumble_scene_mode mode, double clearance)
{
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer by_threads, by_device;
    q.mode = mode;
    q.want_contacts = true;
    q.within = 1;
    q.clearance = clearance;
    assert_int_equal(tumble_scene_collide(queries[0], c->scenes[BY_THREADS], &q, &by_threads), TUMBLE_OK);
    assert_int_equal(tumble_scene_collide(queries[1], c->scenes[BY_DEVICE], &q, &by_device), TUMBLE_OK);
    assert_same(&by_device, &by_threads, mode);
    return by_device.meeting_count;
}

static void live_on(test_world *w, uint32_t number, size_t steps)
{
    test_random random = {number + 7};
    tumble_device *device = open_device(w->context, number);
    tumble_query *queries[2];
    uint64_t met = 0;
    crowd c;
    crowd_begin(&c, w->context, &random);
    c.spread = 3;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tumble_query_create(w->context, &queries[i]), TUMBLE_OK);
    }
    assert_int_equal(tumble_scene_use_device(c.scenes[BY_DEVICE], device), TUMBLE_OK);
    for (size_t step = 0; step < steps; step++) {
        const tumble_scene_mode mode = (tumble_scene_mode)(step % (TUMBLE_SCENE_NEAREST + 1));
        crowd_step(&c, &random);
        met += compare(&c, queries, mode, step % 9 == 8 && mode < TUMBLE_SCENE_RELATE ? 0.1 : 0);
    }
    assert_true(met > 0);
    tumble_device_memory memory;
    assert_int_equal(tumble_device_get_memory(device, &memory), TUMBLE_OK);
    assert_true(memory.model_count > 0);
    assert_int_equal(tumble_scene_use_device(c.scenes[BY_DEVICE], NULL), TUMBLE_OK);
    assert_int_equal(tumble_device_get_memory(device, &memory), TUMBLE_OK);
    assert_int_equal(memory.model_count, 0);
    compare(&c, queries, TUMBLE_SCENE_COUNT, 0);
    assert_int_equal(tumble_scene_use_device(c.scenes[BY_DEVICE], device), TUMBLE_OK);
    compare(&c, queries, TUMBLE_SCENE_COUNT, 0);
    for (int i = 0; i < 2; i++) {
        tumble_query_destroy(queries[i]);
    }
    crowd_end(&c); /* takes its models from the device */
    assert_int_equal(tumble_device_get_memory(device, &memory), TUMBLE_OK);
    assert_int_equal(memory.model_count, 0);
    tumble_device_close(device);
}

static void test_pool(void **state)
{
    live_on(*state, 0, test_count(60) + 40);
}

static void test_opencl(void **state)
{
    if (device_has_opencl()) {
        live_on(*state, 1, test_count(10) + 18);
    }
}

/* Whatever memory runs out, the question fails and the scene stays. */
typedef struct memory_job {
    crowd *crowd;
    tumble_device *device;
} memory_job;

static tumble_status ask(test_world *w, void *user)
{
    const memory_job *job = user;
    tumble_scene_question q = tumble_default_scene_question();
    tumble_scene_answer answer;
    tumble_query *query = NULL;
    tumble_scene *scene = NULL;
    tumble_object ids[CROWD_MOST];
    q.mode = TUMBLE_SCENE_COUNT;
    tumble_status status = tumble_query_create(w->context, &query);
    status = status == TUMBLE_OK ? tumble_scene_create(w->context, &crowd_methods[1], &scene) : status;
    status = status == TUMBLE_OK ? tumble_scene_add(scene, job->crowd->parts, 20, ids) : status;
    status = status == TUMBLE_OK ? tumble_scene_use_device(scene, job->device) : status;
    status = status == TUMBLE_OK ? tumble_scene_collide(query, scene, &q, &answer) : status;
    tumble_scene_destroy(scene);
    tumble_query_destroy(query);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {4};
    crowd c;
    crowd_begin(&c, w->context, &random);
    for (int i = 0; i < 20; i++) {
        c.parts[i] = crowd_random_part(&c, &random);
    }
    memory_job job = {&c, open_device(w->context, 0)};
    assert_int_equal(ask(w, &job), TUMBLE_OK); /* the pool keeps what it needs */
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, ask, NULL, &job) > 3);
    tumble_device_close(job.device);
    crowd_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_pool), TEST_IN_WORLD(test_opencl),
                                       TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests_name("scene_device", tests, NULL, NULL);
}
