/* Checks that fail on a device, and threads that answer them instead; memory that runs out. */
#include <sched.h>
#include <string.h>

#include "base/clock.h"
#include "device_stage.h"

/* ---- Failures, and threads instead of the device ---- */

static tumble_ticket_report run_one(stage *s, size_t number, tumble_status expected)
{
    tumble_ticket_report report;
    stage_submit(s, number);
    assert_int_equal(tumble_device_wait(s->device, s->tickets[number], FAKE_LIMIT, &report), expected);
    assert_int_equal(report.status, expected);
    assert_true((report.message[0] != '\0') == (expected != TUMBLE_OK));
    return report;
}

/* Without retries the ticket says what was wrong, and all goes on. */
static void test_failures(void **state)
{
    stage s;
    stage_begin(&s, *state, NULL);
    stage_fail_checks(&s.plays[0], STAGE_ALL_CHECKS, TUMBLE_ERROR_DEVICE);
    stage_fail_checks(&s.plays[1], 0x30, TUMBLE_ERROR_MEMORY);
    stage_fail_checks(&s.plays[2], 0x04, TUMBLE_ERROR_POSE);
    tumble_ticket_report report = run_one(&s, 0, TUMBLE_ERROR_DEVICE);
    assert_true(report.done_count == 0 && report.retried_count == 0);
    assert_string_equal(report.message, "fake: check 0");
    stage_check_statuses(&s, 0, TUMBLE_ERROR_DEVICE);
    report = run_one(&s, 1, TUMBLE_ERROR_MEMORY);
    assert_true(report.done_count == 6 && report.retried_count == 0);
    assert_string_equal(report.message, "fake: check 4");
    stage_check_fake_answers(&s, 1, 0xcf);
    report = run_one(&s, 2, TUMBLE_ERROR_POSE);
    assert_int_equal(report.done_count, 7);
    run_one(&s, 3, TUMBLE_OK);
    assert_false(s.device->has_spare);
    stage_end(&s);
}

static void test_retries(void **state)
{
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.retry_on_cpu = 1;
    stage_begin(&s, *state, &options);
    static const unsigned failing[] = {0xff, 0x01, 0x80, 0x5a, 0x7e};
    for (size_t i = 0; i < 5; i++) {
        stage_fail_checks(&s.plays[i], failing[i], i % 2 ? TUMBLE_ERROR_MEMORY : TUMBLE_ERROR_DEVICE);
        const tumble_ticket_report report = run_one(&s, i, TUMBLE_OK);
        assert_int_equal(report.done_count, FAKE_CHECKS);
        assert_int_equal(report.retried_count, __builtin_popcount(failing[i]));
        stage_check_fake_answers(&s, i, ~failing[i]);
        stage_check_real_answers(&s, i, failing[i]);
    }
    /* What is wrong with the question is not tried again. */
    stage_fail_checks(&s.plays[5], 0x0f, TUMBLE_ERROR_DEVICE);
    stage_fail_checks(&s.plays[5], 0x20, TUMBLE_ERROR_POSE);
    const tumble_ticket_report report = run_one(&s, 5, TUMBLE_ERROR_POSE);
    assert_true(report.retried_count == 4 && report.done_count == 7);
    assert_string_equal(report.message, tumble_status_text(TUMBLE_ERROR_POSE));
    stage_check_real_answers(&s, 5, 0x0f);
    stage_fail_checks(&s.plays[6], STAGE_ALL_CHECKS, TUMBLE_ERROR_POSE);
    assert_int_equal(run_one(&s, 6, TUMBLE_ERROR_POSE).retried_count, 0);
    stage_end(&s);
}

/* Arrays with an item for each check are cut at the right places. */
static void test_retries_of_lists(void **state)
{
    enum {
        ROOM = 5
    };
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.retry_on_cpu = 1;
    stage_begin(&s, *state, &options);
    tumble_model_pair pairs[FAKE_CHECKS];
    tumble_pose none[FAKE_CHECKS];
    tumble_pair found[FAKE_CHECKS * ROOM];
    tumble_contact contacts[FAKE_CHECKS * ROOM];
    uint64_t contact_counts[FAKE_CHECKS];
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        pairs[i] = (tumble_model_pair){s.handles[i % 2], s.handles[1 - i % 2]};
        none[i] = test_translation(0, 0, (double)i);
    }
    tumble_batch batch = stage_batch(&s, 0);
    batch.mode = TUMBLE_ALL;
    batch.pairs = pairs, batch.pair_count = FAKE_CHECKS;
    batch.poses_a = none, batch.pose_a_count = FAKE_CHECKS;
    batch.found = found, batch.found_capacity = ROOM;
    batch.contacts = contacts, batch.contact_capacity = ROOM;
    batch.contact_counts = contact_counts;
    memset(found, 0xff, sizeof found);
    memset(contacts, 0xff, sizeof contacts);
    memset(contact_counts, 0xff, sizeof contact_counts);
    const unsigned failing = 0x6b;
    stage_fail_checks(&s.plays[0], failing, TUMBLE_ERROR_DEVICE);
    stage_submit_batch(&s, 0, &batch);
    assert_int_equal(stage_wait(&s, 0, FAKE_LIMIT), TUMBLE_OK);
    stage_check_fake_answers(&s, 0, ~failing);
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        tumble_pair expected_pairs[ROOM];
        tumble_contact expected_contacts[ROOM];
        memset(expected_pairs, 0xff, sizeof expected_pairs);
        memset(expected_contacts, 0xff, sizeof expected_contacts);
        tumble_collide_result result = {.contact_count = UINT64_MAX};
        tumble_collide_options ask = tumble_default_collide_options();
        ask.pairs = expected_pairs, ask.contacts = expected_contacts;
        ask.pair_capacity = ask.contact_capacity = ROOM;
        if (failing >> i & 1) {
            assert_int_equal(
                tumble_collide(s.w->query, s.models[i % 2], &none[i], s.models[1 - i % 2], &s.poses[i], &ask, &result),
                TUMBLE_OK);
            assert_int_equal(s.plays[0].answers[i].pair_count, result.pair_count);
        }
        assert_int_equal(contact_counts[i], result.contact_count);
        assert_memory_equal(found + i * ROOM, expected_pairs, sizeof expected_pairs);
        assert_memory_equal(contacts + i * ROOM, expected_contacts, sizeof expected_contacts);
    }
    stage_end(&s);
}

/* Threads have no memory either; and a batch that is cancelled is not tried again. */
static void test_retries_that_fail(void **state)
{
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.retry_on_cpu = 1;
    stage_begin(&s, *state, &options);
    for (size_t i = 0; i < 3; i++) {
        stage_fail_checks(&s.plays[i], 0xf0, TUMBLE_ERROR_DEVICE);
    }
    test_allocator_fail(&s.w->memory, 1, 1);
    tumble_ticket_report report = run_one(&s, 0, TUMBLE_ERROR_DEVICE);
    assert_true(report.done_count == 4 && report.retried_count == 0);
    test_allocator_fail(&s.w->memory, 0, 0);
    s.plays[1].is_held = s.plays[1].ignores_cancel = 1;
    stage_submit(&s, 1);
    fake_await(&s.fake, &s.plays[1].is_running, 1);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[1]), TUMBLE_OK);
    fake_let_go(&s.fake, &s.plays[1]);
    stage_expect_cancelled(&s, 1);
    assert_false(s.device->has_spare);
    assert_int_equal(run_one(&s, 2, TUMBLE_OK).retried_count, 4);
    assert_true(s.device->has_spare);
    stage_end(&s);
}

/* Asked for threads, they answer, even while the device is at work; but in turn. */
static void test_on_cpu(void **state)
{
    stage s;
    stage_begin(&s, *state, NULL);
    tumble_batch batch = stage_batch(&s, 1);
    batch.on_cpu = 1;
    stage_submit_held(&s, 0);
    stage_submit_batch(&s, 1, &batch);
    const double limit = tmb_seconds() + FAKE_LIMIT;
    while (stage_poll(&s, 1).done_count < FAKE_CHECKS && tmb_seconds() < limit) {
        sched_yield();
    }
    assert_int_equal(stage_poll(&s, 1).done_count, FAKE_CHECKS);
    assert_false(stage_poll(&s, 1).is_done);
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(stage_wait(&s, 1, FAKE_LIMIT), TUMBLE_OK);
    stage_check_real_answers(&s, 1, STAGE_ALL_CHECKS);
    assert_int_equal(s.plays[1].run_count, 0);
    stage_end(&s);
}

/* ---- Memory ---- */

static tumble_status use_device(test_world *w, void *user)
{
    const tumble_model *model = user;
    fake_backend fake;
    fake_play plays[2];
    tumble_device *device;
    tumble_device_options options = tumble_default_device_options();
    options.retry_on_cpu = 1, options.queue_capacity = 3;
    memset(plays, 0, sizeof plays);
    stage_fail_checks(&plays[1], 0x18, TUMBLE_ERROR_DEVICE);
    tumble_status status = fake_try_open(&fake, w->context, &options, &device);
    assert_int_equal(device != NULL, status == TUMBLE_OK);
    tumble_device_model *handle = NULL;
    if (status == TUMBLE_OK) {
        status = tumble_device_add_model(device, model, &handle);
    }
    const tumble_model_pair pair = {handle, handle};
    tumble_batch batch = tumble_default_batch();
    batch.check_count = FAKE_CHECKS, batch.pairs = &pair, batch.pair_count = 1;
    for (int i = 0; i < 3 && status == TUMBLE_OK; i++) {
        tumble_ticket ticket;
        batch.answers = plays[i % 2].answers, batch.on_cpu = i == 2;
        status = tumble_device_submit(device, &batch, 0, &ticket);
        if (status == TUMBLE_OK) {
            status = tumble_device_wait(device, ticket, FAKE_LIMIT, NULL);
        }
    }
    tumble_device_close(device);
    fake_end(&fake);
    return status == TUMBLE_ERROR_DEVICE ? TUMBLE_ERROR_MEMORY : status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "torus", 100));
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, use_device, NULL, model) > 4);
    assert_true(test_fail_each(w, TEST_FAIL_WITH_ALL, use_device, NULL, model) > 4);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_failures),          TEST_IN_WORLD(test_retries), TEST_IN_WORLD(test_retries_of_lists),
        TEST_IN_WORLD(test_retries_that_fail), TEST_IN_WORLD(test_on_cpu),  TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
