/* The queue of a device, over a back end that is slow, fails, and finishes in any order: what is submitted comes back
 * in order, in time, once, and with the right status. */
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fake_backend.h"

enum {
    PLAYS = 12
};

/* A fake device with two models that intersect at some of the poses. */
typedef struct stage {
    test_world *w;
    fake_backend fake;
    tumble_device *device;
    tumble_model *models[2];
    tumble_device_model *handles[2];
    tumble_model_pair pair;
    tumble_pose poses[FAKE_CHECKS];
    fake_play plays[PLAYS];
    tumble_ticket tickets[PLAYS];
} stage;

static void begin(stage *s, test_world *w, const tumble_device_options *options)
{
    memset(s, 0, sizeof *s);
    s->w = w;
    s->device = fake_open(&s->fake, w->context, options);
    for (int k = 0; k < 2; k++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, k ? "knot" : "torus", 300));
        models_fit(&mesh, 2, 0);
        s->models[k] = test_model(w->context, &mesh, NULL);
        models_free(&mesh);
        assert_int_equal(tumble_device_add_model(s->device, s->models[k], &s->handles[k]), TUMBLE_OK);
    }
    s->pair = (tumble_model_pair){s->handles[0], s->handles[1]};
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        s->poses[i] = test_translation((double)i * 0.4, 0.1, 0.2);
    }
}

static void end(stage *s)
{
    tumble_device_close(s->device);
    fake_end(&s->fake);
    tumble_model_destroy(s->models[0]);
    tumble_model_destroy(s->models[1]);
}

static tumble_batch batch_of(stage *s, size_t number)
{
    tumble_batch batch = tumble_default_batch();
    batch.mode = TUMBLE_BATCH_COUNT;
    batch.check_count = FAKE_CHECKS;
    batch.pairs = &s->pair, batch.pair_count = 1;
    batch.poses_b = s->poses, batch.pose_b_count = FAKE_CHECKS;
    batch.answers = s->plays[number].answers;
    return batch;
}

static void submit_batch(stage *s, size_t number, const tumble_batch *batch)
{
    memset(s->plays[number].answers, 0xff, sizeof s->plays[number].answers);
    test_assert_status(s->w->context, tumble_device_submit(s->device, batch, FAKE_LIMIT, &s->tickets[number]),
                       TUMBLE_OK, "");
    assert_true(s->tickets[number] != 0);
}

static void submit(stage *s, size_t number)
{
    const tumble_batch batch = batch_of(s, number);
    submit_batch(s, number, &batch);
}

/* Submitted, and the back end has it and does not go on. */
static void submit_held(stage *s, size_t number)
{
    s->plays[number].is_held = 1;
    submit(s, number);
    fake_await(&s->fake, &s->plays[number].is_running, 1);
}

static tumble_ticket_report poll(const stage *s, size_t number)
{
    tumble_ticket_report report = {.size = sizeof report};
    assert_int_equal(tumble_device_poll(s->device, s->tickets[number], &report), TUMBLE_OK);
    return report;
}

static tumble_status wait_for(const stage *s, size_t number, double seconds)
{
    return tumble_device_wait(s->device, s->tickets[number], seconds, NULL);
}

/* The back end's own answers, in all checks or where a bit is set. */
static void check_fake_answers(const stage *s, size_t number, unsigned which)
{
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        if (which >> i & 1) {
            assert_int_equal(s->plays[number].answers[i].status, TUMBLE_OK);
            assert_int_equal(s->plays[number].answers[i].pair_count, FAKE_PAIR_COUNT + i);
        }
    }
}

static void check_real_answers(const stage *s, size_t number, unsigned which)
{
    size_t hits = 0;
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        tumble_collide_result result = {.size = sizeof result};
        assert_int_equal(tumble_collide(s->w->query, s->models[0], NULL, s->models[1], &s->poses[i], NULL, &result),
                         TUMBLE_OK);
        if (which >> i & 1) {
            assert_int_equal(s->plays[number].answers[i].status, TUMBLE_OK);
            assert_int_equal(s->plays[number].answers[i].pair_count, result.pair_count);
        }
        hits += (size_t)result.collide;
    }
    assert_true(hits > 2 && hits < FAKE_CHECKS);
}

static void check_statuses(const stage *s, size_t number, tumble_status status)
{
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        assert_int_equal(s->plays[number].answers[i].status, status);
    }
}

#define ALL_CHECKS 0xffu

/* ---- Order ---- */

/* Batches that are finished early are done when it is their turn. All that waits is handed over at once. */
static void test_order(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    s.fake.backwards = 1;
    submit_held(&s, 0);
    s.plays[2].is_held = 1;
    for (size_t i = 1; i < 6; i++) {
        submit(&s, i);
    }
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(wait_for(&s, 0, FAKE_LIMIT), TUMBLE_OK);
    fake_await(&s.fake, &s.plays[2].is_running, 1);
    assert_int_equal(fake_read(&s.fake, &s.plays[5].run_count), 1);
    assert_int_equal(fake_read(&s.fake, &s.plays[1].run_count), 0);
    for (size_t i = 1; i < 6; i++) {
        assert_false(poll(&s, i).is_done);
        assert_int_equal(poll(&s, i).done_count, i > 2 ? FAKE_CHECKS : 0);
        assert_int_equal(wait_for(&s, i, i == 5 ? 0.01 : 0), TUMBLE_ERROR_TIMEOUT);
    }
    fake_let_go(&s.fake, &s.plays[2]);
    assert_int_equal(wait_for(&s, 3, FAKE_LIMIT), TUMBLE_OK);
    assert_true(poll(&s, 1).is_done && poll(&s, 2).is_done);
    static const size_t left[] = {1, 2, 4, 5};
    for (size_t i = 0; i < 4; i++) {
        tumble_ticket ticket;
        tumble_ticket_report report = {.size = sizeof report};
        assert_int_equal(tumble_device_next(s.device, FAKE_LIMIT, &ticket, &report), TUMBLE_OK);
        assert_true(ticket == s.tickets[left[i]] && report.is_done);
        assert_true(report.upload_seconds == 1 && report.run_seconds == 2 && report.result_seconds == 3);
        assert_true(report.waiting_seconds >= 0 && report.waiting_seconds < FAKE_LIMIT);
        check_fake_answers(&s, left[i], ALL_CHECKS);
    }
    assert_int_equal(s.fake.run_count, 2);
    assert_int_equal(s.fake.longest_run, 5);
    end(&s);
}

/* A batch without checks is done like any other, and the back end does not see it. */
static void test_no_checks(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    tumble_batch batch = tumble_default_batch();
    tumble_ticket_report report = {.size = sizeof report};
    submit_held(&s, 0);
    submit_batch(&s, 1, &batch);
    assert_int_equal(wait_for(&s, 1, 0.01), TUMBLE_ERROR_TIMEOUT);
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(tumble_device_wait(s.device, s.tickets[1], FAKE_LIMIT, &report), TUMBLE_OK);
    assert_true(report.is_done && report.check_count == 0 && report.done_count == 0);
    assert_int_equal(s.fake.run_count, 1);
    end(&s);
}

/* ---- Time ---- */

static void test_waits(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    tumble_context *context = s.w->context;
    submit_held(&s, 0);
    static const double none[] = {0, -0.0, -1, -INFINITY};
    for (size_t i = 0; i < 4; i++) {
        test_assert_status(context, wait_for(&s, 0, none[i]), TUMBLE_ERROR_TIMEOUT, "0 of 8 checks");
        test_assert_status(context, tumble_device_finish(s.device, none[i]), TUMBLE_ERROR_TIMEOUT, "not all tickets");
    }
    test_assert_status(context, wait_for(&s, 0, NAN), TUMBLE_ERROR_ARGUMENT, "not a number");
    test_assert_status(context, tumble_device_finish(s.device, NAN), TUMBLE_ERROR_ARGUMENT, "not a number");
    tumble_ticket ticket = 5;
    test_assert_status(context, tumble_device_next(s.device, NAN, &ticket, NULL), TUMBLE_ERROR_ARGUMENT,
                       "not a number");
    const tumble_batch batch = batch_of(&s, 1);
    test_assert_status(context, tumble_device_submit(s.device, &batch, NAN, &ticket), TUMBLE_ERROR_ARGUMENT,
                       "not a number");
    assert_true(ticket == 0);

    static const double some[] = {1e-9, 1e-6, 0.001, 0.02};
    for (size_t i = 0; i < 4; i++) {
        const double start = tmb_seconds();
        tumble_ticket_report report = {.size = sizeof report};
        assert_int_equal(tumble_device_wait(s.device, s.tickets[0], some[i], &report), TUMBLE_ERROR_TIMEOUT);
        assert_true(!report.is_done && report.check_count == FAKE_CHECKS && report.done_count == 0);
        assert_int_equal(tumble_device_next(s.device, some[i], &ticket, NULL), TUMBLE_ERROR_TIMEOUT);
        assert_true(ticket == 0);
        assert_int_equal(tumble_device_finish(s.device, some[i]), TUMBLE_ERROR_TIMEOUT);
        assert_true(tmb_seconds() - start >= 3 * some[i]);
    }
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(tumble_device_finish(s.device, INFINITY), TUMBLE_OK);
    assert_int_equal(tumble_device_finish(s.device, -1), TUMBLE_OK);
    assert_true(poll(&s, 0).is_done);
    assert_int_equal(wait_for(&s, 0, -1), TUMBLE_OK);
    submit(&s, 1);
    assert_int_equal(wait_for(&s, 1, INFINITY), TUMBLE_OK);
    submit(&s, 2);
    assert_int_equal(wait_for(&s, 2, 1e300), TUMBLE_OK);
    assert_int_equal(tumble_device_next(s.device, INFINITY, &ticket, NULL), TUMBLE_OK);
    assert_true(ticket == 0);
    end(&s);
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Nobody looks around for long, neither a device without work nor one who waits. */
static void test_idle(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    submit_held(&s, 0);
    s.plays[1].is_held = 1;
    submit(&s, 1);
    const double start = processor_seconds();
    assert_int_equal(wait_for(&s, 1, 0.1), TUMBLE_ERROR_TIMEOUT);
    fake_let_go(&s.fake, &s.plays[0]);
    fake_let_go(&s.fake, &s.plays[1]);
    assert_int_equal(wait_for(&s, 1, FAKE_LIMIT), TUMBLE_OK);
    const struct timespec pause = {.tv_nsec = 100000000};
    nanosleep(&pause, NULL);
    assert_true(processor_seconds() - start < 0.1);
    end(&s);
}

/* ---- Tickets ---- */

static void expect_taken(const stage *s, tumble_ticket ticket)
{
    tumble_context *context = s->w->context;
    tumble_ticket_report report = {.size = sizeof report};
    test_assert_status(context, tumble_device_poll(s->device, ticket, &report), TUMBLE_ERROR_ARGUMENT, "is not open");
    test_assert_status(context, tumble_device_wait(s->device, ticket, FAKE_LIMIT, &report), TUMBLE_ERROR_ARGUMENT,
                       "is not open");
    test_assert_status(context, tumble_device_cancel(s->device, ticket), TUMBLE_ERROR_ARGUMENT, "is not open");
}

static void test_tickets(void **state)
{
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.queue_capacity = 2;
    begin(&s, *state, &options);
    tumble_ticket old[40];
    for (size_t i = 0; i < 40; i++) {
        submit(&s, i % 2);
        old[i] = s.tickets[i % 2];
        for (size_t k = 0; k < i; k++) {
            assert_true(old[k] != old[i]);
        }
        assert_int_equal(wait_for(&s, i % 2, FAKE_LIMIT), TUMBLE_OK);
        expect_taken(&s, old[i]);
    }
    submit_held(&s, 0);
    for (size_t i = 0; i < 40; i++) {
        expect_taken(&s, old[i]);
    }
    expect_taken(&s, 0);
    expect_taken(&s, s.tickets[0] ^ 3);
    expect_taken(&s, s.tickets[0] + (UINT64_C(1) << 40));
    expect_taken(&s, UINT64_MAX);
    expect_taken(&s, 7);
    assert_false(poll(&s, 0).is_done);
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(wait_for(&s, 0, FAKE_LIMIT), TUMBLE_OK);
    end(&s);
}

static void test_reports(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    tumble_context *context = s.w->context;
    tumble_ticket_report report = {.size = 3};
    tumble_ticket ticket;
    submit(&s, 0);
    test_assert_status(context, tumble_device_poll(s.device, s.tickets[0], &report), TUMBLE_ERROR_ARGUMENT, "size");
    test_assert_status(context, tumble_device_poll(s.device, s.tickets[0], NULL), TUMBLE_ERROR_ARGUMENT, "report");
    test_assert_status(context, tumble_device_wait(s.device, s.tickets[0], 0, &report), TUMBLE_ERROR_ARGUMENT, "size");
    test_assert_status(context, tumble_device_next(s.device, 0, &ticket, &report), TUMBLE_ERROR_ARGUMENT, "size");
    test_assert_status(context, tumble_device_next(s.device, 0, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "ticket");
    assert_int_equal(wait_for(&s, 0, FAKE_LIMIT), TUMBLE_OK);
    assert_int_equal(tumble_device_poll(NULL, 1, &report), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_device_wait(NULL, 1, 0, &report), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_device_next(NULL, 0, &ticket, &report), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_device_cancel(NULL, 1), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_device_finish(NULL, 1), TUMBLE_ERROR_ARGUMENT);
    end(&s);
}

/* ---- Back-pressure ---- */

typedef struct submitter {
    pthread_t thread;
    stage *s;
    tumble_status status;
    tumble_ticket ticket;
} submitter;

static void *submit_late(void *argument)
{
    submitter *late = argument;
    const tumble_batch batch = batch_of(late->s, 4);
    late->status = tumble_device_submit(late->s->device, &batch, FAKE_LIMIT, &late->ticket);
    return NULL;
}

/* A ticket takes up room until it is taken, done or not. */
static void test_full(void **state)
{
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.queue_capacity = 3;
    begin(&s, *state, &options);
    submit_held(&s, 0);
    submit(&s, 1);
    submit(&s, 2);
    const tumble_batch batch = batch_of(&s, 3);
    static const double times[] = {0, -5, 1e-6, 0.02};
    for (int is_done = 0; is_done < 2; is_done++) {
        for (size_t i = 0; i < 4; i++) {
            tumble_ticket ticket = 1;
            const double start = tmb_seconds();
            test_assert_status(s.w->context, tumble_device_submit(s.device, &batch, times[i], &ticket),
                               TUMBLE_ERROR_BUSY, "3 tickets");
            assert_true(ticket == 0 && tmb_seconds() - start >= times[i]);
        }
        fake_let_go(&s.fake, &s.plays[0]);
        assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    }
    submitter late = {.s = &s};
    assert_int_equal(pthread_create(&late.thread, NULL, submit_late, &late), 0);
    const struct timespec pause = {.tv_nsec = 5000000};
    nanosleep(&pause, NULL); /* it is asleep by now, most of the time */
    assert_int_equal(wait_for(&s, 1, 0), TUMBLE_OK);
    pthread_join(late.thread, NULL);
    assert_int_equal(late.status, TUMBLE_OK);
    assert_int_equal(tumble_device_wait(s.device, late.ticket, FAKE_LIMIT, NULL), TUMBLE_OK);
    end(&s);
}

/* ---- Cancelling ---- */

static void expect_cancelled(const stage *s, size_t number)
{
    tumble_ticket_report report = {.size = sizeof report};
    test_assert_status(s->w->context, tumble_device_wait(s->device, s->tickets[number], FAKE_LIMIT, &report),
                       TUMBLE_ERROR_CANCELLED, "was cancelled");
    assert_true(report.is_done && report.status == TUMBLE_ERROR_CANCELLED);
    assert_non_null(strstr(report.message, "was cancelled"));
}

static void test_cancel(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    submit_held(&s, 0);
    s.plays[1].is_held = s.plays[1].ignores_cancel = 1;
    submit(&s, 1);
    submit(&s, 2); /* waits until it is cancelled */
    submit(&s, 3);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[2]), TUMBLE_OK);
    assert_int_equal(wait_for(&s, 2, 0.01), TUMBLE_ERROR_TIMEOUT); /* those before it are not done */
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[0]), TUMBLE_OK);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[0]), TUMBLE_OK);
    expect_cancelled(&s, 0);
    check_statuses(&s, 0, TUMBLE_ERROR_CANCELLED);
    assert_true(s.plays[0].saw_cancel);

    fake_await(&s.fake, &s.plays[1].is_running, 1);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[1]), TUMBLE_OK);
    assert_int_equal(wait_for(&s, 1, 0.01), TUMBLE_ERROR_TIMEOUT); /* it still runs */
    fake_let_go(&s.fake, &s.plays[1]);
    tumble_ticket_report report = poll(&s, 1);
    expect_cancelled(&s, 1);
    check_fake_answers(&s, 1, ALL_CHECKS);
    expect_cancelled(&s, 2);
    check_statuses(&s, 2, TUMBLE_ERROR_CANCELLED);
    assert_int_equal(s.plays[2].run_count, 0);
    assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[3]), TUMBLE_OK); /* too late */
    assert_int_equal(tumble_device_wait(s.device, s.tickets[3], 0, &report), TUMBLE_OK);
    assert_true(report.is_done && report.done_count == FAKE_CHECKS);
    end(&s);
}

/* ---- Failures, and threads instead of the device ---- */

static tumble_ticket_report run_one(stage *s, size_t number, tumble_status expected)
{
    tumble_ticket_report report = {.size = sizeof report};
    submit(s, number);
    assert_int_equal(tumble_device_wait(s->device, s->tickets[number], FAKE_LIMIT, &report), expected);
    assert_int_equal(report.status, expected);
    assert_true((report.message[0] != '\0') == (expected != TUMBLE_OK));
    return report;
}

static void fail_checks(fake_play *play, unsigned which, tumble_status status)
{
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        play->statuses[i] = which >> i & 1 ? status : play->statuses[i];
    }
}

/* Without retries the ticket says what was wrong, and all goes on. */
static void test_failures(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    fail_checks(&s.plays[0], ALL_CHECKS, TUMBLE_ERROR_DEVICE);
    fail_checks(&s.plays[1], 0x30, TUMBLE_ERROR_MEMORY);
    fail_checks(&s.plays[2], 0x04, TUMBLE_ERROR_POSE);
    tumble_ticket_report report = run_one(&s, 0, TUMBLE_ERROR_DEVICE);
    assert_true(report.done_count == 0 && report.retried_count == 0);
    assert_string_equal(report.message, "fake: check 0");
    check_statuses(&s, 0, TUMBLE_ERROR_DEVICE);
    report = run_one(&s, 1, TUMBLE_ERROR_MEMORY);
    assert_true(report.done_count == 6 && report.retried_count == 0);
    assert_string_equal(report.message, "fake: check 4");
    check_fake_answers(&s, 1, 0xcf);
    report = run_one(&s, 2, TUMBLE_ERROR_POSE);
    assert_int_equal(report.done_count, 7);
    run_one(&s, 3, TUMBLE_OK);
    assert_false(s.device->has_spare);
    end(&s);
}

static void test_retries(void **state)
{
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.retry_on_cpu = 1;
    begin(&s, *state, &options);
    static const unsigned failing[] = {0xff, 0x01, 0x80, 0x5a, 0x7e};
    for (size_t i = 0; i < 5; i++) {
        fail_checks(&s.plays[i], failing[i], i % 2 ? TUMBLE_ERROR_MEMORY : TUMBLE_ERROR_DEVICE);
        const tumble_ticket_report report = run_one(&s, i, TUMBLE_OK);
        assert_int_equal(report.done_count, FAKE_CHECKS);
        assert_int_equal(report.retried_count, __builtin_popcount(failing[i]));
        check_fake_answers(&s, i, ~failing[i]);
        check_real_answers(&s, i, failing[i]);
    }
    /* What is wrong with the question is not tried again. */
    fail_checks(&s.plays[5], 0x0f, TUMBLE_ERROR_DEVICE);
    fail_checks(&s.plays[5], 0x20, TUMBLE_ERROR_POSE);
    const tumble_ticket_report report = run_one(&s, 5, TUMBLE_ERROR_POSE);
    assert_true(report.retried_count == 4 && report.done_count == 7);
    assert_string_equal(report.message, tumble_status_text(TUMBLE_ERROR_POSE));
    check_real_answers(&s, 5, 0x0f);
    fail_checks(&s.plays[6], ALL_CHECKS, TUMBLE_ERROR_POSE);
    assert_int_equal(run_one(&s, 6, TUMBLE_ERROR_POSE).retried_count, 0);
    end(&s);
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
    begin(&s, *state, &options);
    tumble_model_pair pairs[FAKE_CHECKS];
    tumble_pose none[FAKE_CHECKS];
    tumble_pair found[FAKE_CHECKS * ROOM];
    tumble_contact contacts[FAKE_CHECKS * ROOM];
    uint64_t contact_counts[FAKE_CHECKS];
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        pairs[i] = (tumble_model_pair){s.handles[i % 2], s.handles[1 - i % 2]};
        none[i] = test_translation(0, 0, (double)i);
    }
    tumble_batch batch = batch_of(&s, 0);
    batch.mode = TUMBLE_BATCH_ALL;
    batch.pairs = pairs, batch.pair_count = FAKE_CHECKS;
    batch.poses_a = none, batch.pose_a_count = FAKE_CHECKS;
    batch.found = found, batch.found_capacity = ROOM;
    batch.contacts = contacts, batch.contact_capacity = ROOM;
    batch.contact_counts = contact_counts;
    memset(found, 0xff, sizeof found);
    memset(contacts, 0xff, sizeof contacts);
    memset(contact_counts, 0xff, sizeof contact_counts);
    const unsigned failing = 0x6b;
    fail_checks(&s.plays[0], failing, TUMBLE_ERROR_DEVICE);
    submit_batch(&s, 0, &batch);
    assert_int_equal(wait_for(&s, 0, FAKE_LIMIT), TUMBLE_OK);
    check_fake_answers(&s, 0, ~failing);
    for (size_t i = 0; i < FAKE_CHECKS; i++) {
        tumble_pair expected_pairs[ROOM];
        tumble_contact expected_contacts[ROOM];
        memset(expected_pairs, 0xff, sizeof expected_pairs);
        memset(expected_contacts, 0xff, sizeof expected_contacts);
        tumble_collide_result result = {.size = sizeof result, .contact_count = UINT64_MAX};
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
    end(&s);
}

/* Threads have no memory either; and a batch that is cancelled is not tried again. */
static void test_retries_that_fail(void **state)
{
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.retry_on_cpu = 1;
    begin(&s, *state, &options);
    for (size_t i = 0; i < 3; i++) {
        fail_checks(&s.plays[i], 0xf0, TUMBLE_ERROR_DEVICE);
    }
    test_allocator_fail(&s.w->memory, 1, 1);
    tumble_ticket_report report = run_one(&s, 0, TUMBLE_ERROR_DEVICE);
    assert_true(report.done_count == 4 && report.retried_count == 0);
    test_allocator_fail(&s.w->memory, 0, 0);
    s.plays[1].is_held = s.plays[1].ignores_cancel = 1;
    submit(&s, 1);
    fake_await(&s.fake, &s.plays[1].is_running, 1);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[1]), TUMBLE_OK);
    fake_let_go(&s.fake, &s.plays[1]);
    expect_cancelled(&s, 1);
    assert_false(s.device->has_spare);
    assert_int_equal(run_one(&s, 2, TUMBLE_OK).retried_count, 4);
    assert_true(s.device->has_spare);
    end(&s);
}

/* Asked for threads, they answer, even while the device is at work; but in turn. */
static void test_on_cpu(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    tumble_batch batch = batch_of(&s, 1);
    batch.on_cpu = 1;
    submit_held(&s, 0);
    submit_batch(&s, 1, &batch);
    const double limit = tmb_seconds() + FAKE_LIMIT;
    while (poll(&s, 1).done_count < FAKE_CHECKS && tmb_seconds() < limit) {
        sched_yield();
    }
    assert_int_equal(poll(&s, 1).done_count, FAKE_CHECKS);
    assert_false(poll(&s, 1).is_done);
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(wait_for(&s, 1, FAKE_LIMIT), TUMBLE_OK);
    check_real_answers(&s, 1, ALL_CHECKS);
    assert_int_equal(s.plays[1].run_count, 0);
    end(&s);
}

/* ---- Callbacks ---- */

typedef struct journal {
    stage *s;
    pthread_mutex_t lock;
    tumble_ticket tickets[64];
    size_t count, wrong, chain_left;
    tumble_status expected;
    pthread_t thread;
} journal;

static void note(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    journal *j = user;
    pthread_mutex_lock(&j->lock);
    j->wrong += !report->is_done || report->status != j->expected || report->check_count != FAKE_CHECKS;
    j->wrong += j->count && !pthread_equal(j->thread, pthread_self());
    j->thread = pthread_self();
    j->tickets[j->count++ % 64] = ticket;
    pthread_mutex_unlock(&j->lock);
}

static void begin_journal(journal *j, stage *s)
{
    memset(j, 0, sizeof *j);
    j->s = s;
    assert_int_equal(pthread_mutex_init(&j->lock, NULL), 0);
}

static void end_journal(journal *j, size_t count)
{
    assert_int_equal(j->count, count);
    assert_int_equal(j->wrong, 0);
    pthread_mutex_destroy(&j->lock);
}

/* In order, once, and between tickets that are taken otherwise. */
static void test_callbacks(void **state)
{
    stage s;
    journal j;
    begin(&s, *state, NULL);
    begin_journal(&j, &s);
    s.fake.backwards = 1;
    submit_held(&s, 0);
    for (size_t i = 1; i < 8; i++) {
        tumble_batch batch = batch_of(&s, i);
        batch.callback = i % 3 ? note : NULL;
        batch.callback_user = &j;
        submit_batch(&s, i, &batch);
    }
    test_assert_status(s.w->context, wait_for(&s, 1, 0), TUMBLE_ERROR_ARGUMENT, "it has a callback");
    assert_false(poll(&s, 1).is_done);
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    static const size_t called[] = {1, 2, 4, 5, 7}, left[] = {0, 3, 6};
    for (size_t i = 0; i < 5; i++) {
        assert_true(j.tickets[i] == s.tickets[called[i]]);
        check_fake_answers(&s, called[i], ALL_CHECKS);
        expect_taken(&s, s.tickets[called[i]]);
    }
    for (size_t i = 0; i < 4; i++) {
        tumble_ticket ticket;
        assert_int_equal(tumble_device_next(s.device, 0, &ticket, NULL), TUMBLE_OK);
        assert_true(ticket == (i < 3 ? s.tickets[left[i]] : 0));
    }
    end(&s);
    end_journal(&j, 5);
}

static void call_slowly(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    note(user, ticket, report);
}

static size_t noted(journal *j)
{
    pthread_mutex_lock(&j->lock);
    const size_t count = j->count;
    pthread_mutex_unlock(&j->lock);
    return count;
}

/* Who waits for all batches, or for those of a model, waits for their callbacks to return. */
static void test_slow_callbacks(void **state)
{
    stage s;
    journal j;
    begin(&s, *state, NULL);
    begin_journal(&j, &s);
    tumble_batch batch = batch_of(&s, 0);
    batch.callback = call_slowly, batch.callback_user = &j;
    submit_batch(&s, 0, &batch);
    assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    assert_int_equal(noted(&j), 1);
    submit_batch(&s, 0, &batch);
    tumble_device_remove_model(s.handles[0]);
    assert_int_equal(noted(&j), 2);
    end(&s);
    end_journal(&j, 2);
}

/* A callback may submit, which finds room even in a queue of one; it may look; it may not wait. */
static void chain(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    journal *j = user;
    tumble_ticket next;
    tumble_ticket_report other = {.size = sizeof other};
    note(user, ticket, report);
    if (j->chain_left == 0) {
        return;
    }
    j->chain_left--;
    tumble_batch batch = batch_of(j->s, 0);
    batch.callback = chain, batch.callback_user = j;
    j->wrong += tumble_device_poll(j->s->device, ticket, &other) != TUMBLE_ERROR_ARGUMENT;
    j->wrong += tumble_device_submit(j->s->device, &batch, 1, &next) != TUMBLE_ERROR_ARGUMENT;
    j->wrong += tumble_device_wait(j->s->device, ticket, 1, NULL) != TUMBLE_ERROR_ARGUMENT;
    j->wrong += tumble_device_next(j->s->device, 1, &next, NULL) != TUMBLE_ERROR_ARGUMENT;
    j->wrong += tumble_device_finish(j->s->device, INFINITY) != TUMBLE_ERROR_ARGUMENT;
    j->wrong += tumble_device_next(j->s->device, 0, &next, NULL) != TUMBLE_OK || next != 0;
    j->wrong += tumble_device_finish(j->s->device, 0) != TUMBLE_OK;
    j->wrong += tumble_device_submit(j->s->device, &batch, 0, &next) != TUMBLE_OK;
    j->wrong += tumble_device_poll(j->s->device, next, &other) != TUMBLE_OK;
}

static void test_chain(void **state)
{
    stage s;
    journal j;
    tumble_device_options options = tumble_default_device_options();
    options.queue_capacity = 1;
    begin(&s, *state, &options);
    begin_journal(&j, &s);
    j.chain_left = 30;
    tumble_batch batch = batch_of(&s, 0);
    batch.callback = chain, batch.callback_user = &j;
    submit_batch(&s, 0, &batch);
    const double limit = tmb_seconds() + FAKE_LIMIT;
    while (noted(&j) < 31 && tmb_seconds() < limit) {
        sched_yield();
    }
    assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    end(&s);
    end_journal(&j, 31);
}

/* ---- Models ---- */

typedef struct remover {
    pthread_t thread;
    tumble_device_model *model;
    atomic_int is_done;
} remover;

static void *remove_model(void *argument)
{
    remover *r = argument;
    tumble_device_remove_model(r->model);
    atomic_store(&r->is_done, 1);
    return NULL;
}

/* A model goes when its batches are done; those without it do not matter. */
static void test_models(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    tumble_context *context = s.w->context;
    tumble_device_model *extra, *another;
    assert_int_equal(tumble_device_add_model(s.device, s.models[0], &extra), TUMBLE_OK);
    assert_int_equal(s.fake.model_count, 3);
    s.fake.refuses_model = 1;
    assert_int_equal(tumble_device_add_model(s.device, s.models[0], &another), TUMBLE_ERROR_DEVICE);
    assert_null(another);
    test_assert_status(context, tumble_device_add_model(s.device, NULL, &another), TUMBLE_ERROR_ARGUMENT, "null");
    test_assert_status(context, tumble_device_add_model(s.device, s.models[0], NULL), TUMBLE_ERROR_ARGUMENT, "handle");
    assert_int_equal(tumble_device_add_model(NULL, s.models[0], &another), TUMBLE_ERROR_ARGUMENT);
    submit_held(&s, 0);
    tumble_device_remove_model(extra);
    tumble_device_remove_model(NULL);
    remover r = {.model = s.handles[1]};
    assert_int_equal(pthread_create(&r.thread, NULL, remove_model, &r), 0);
    const struct timespec pause = {.tv_nsec = 10000000};
    nanosleep(&pause, NULL);
    assert_false(atomic_load(&r.is_done));
    fake_let_go(&s.fake, &s.plays[0]);
    pthread_join(r.thread, NULL);
    assert_true(poll(&s, 0).is_done); /* done, though not taken */
    assert_int_equal(s.fake.model_count, 1);
    end(&s);
}

/* ---- The end ---- */

static void late_submit(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    journal *j = user;
    tumble_ticket next = 1;
    tumble_batch batch = batch_of(j->s, 0);
    note(user, ticket, report);
    j->wrong += tumble_device_submit(j->s->device, &batch, 0, &next) != TUMBLE_ERROR_CANCELLED || next != 0;
    batch.on_cpu = 1;
    j->wrong += tumble_device_submit(j->s->device, &batch, 0, &next) != TUMBLE_ERROR_CANCELLED || next != 0;
}

/* A device is closed while batches run, wait, are done, and are not taken: with threads of its own or not. */
static void test_close(void **state)
{
    for (int variant = 0; variant < 4; variant++) {
        stage s;
        journal j;
        begin(&s, *state, NULL);
        begin_journal(&j, &s);
        j.expected = TUMBLE_ERROR_CANCELLED;
        s.fake.apart = variant & 1;
        submit(&s, 0);
        assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
        submit_held(&s, 1);
        for (size_t i = 2; i < 8; i++) {
            tumble_batch batch = batch_of(&s, i);
            batch.callback = i % 2 ? late_submit : NULL;
            batch.callback_user = &j;
            batch.on_cpu = variant & 2 && i < 4;
            s.plays[i].is_held = 1;
            submit_batch(&s, i, &batch);
        }
        end(&s);
        end_journal(&j, 3);
        check_fake_answers(&s, 0, ALL_CHECKS);
        for (size_t i = variant & 2 ? 4 : 1; i < 8; i++) {
            check_statuses(&s, i, TUMBLE_ERROR_CANCELLED);
        }
    }
    tumble_device_close(NULL);
}

/* ---- Memory ---- */

static tumble_status use_device(test_world *w, const tumble_model *model)
{
    fake_backend fake;
    fake_play plays[2];
    tumble_device *device;
    tumble_device_options options = tumble_default_device_options();
    options.retry_on_cpu = 1, options.queue_capacity = 3;
    memset(plays, 0, sizeof plays);
    fail_checks(&plays[1], 0x18, TUMBLE_ERROR_DEVICE);
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
    return status;
}

/* The n-th allocation fails. A retry that cannot be had leaves the device's own failure. */
static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "torus", 100));
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    for (int forever = 0; forever < 2; forever++) {
        size_t failures = 1;
        for (size_t n = 1; failures; n++) {
            const size_t live = test_allocator_live(&w->memory);
            test_allocator_fail(&w->memory, n, forever);
            const tumble_status status = use_device(w, model);
            failures = test_allocator_failures(&w->memory);
            test_allocator_fail(&w->memory, 0, 0);
            assert_int_equal(test_allocator_live(&w->memory), live);
            assert_true(failures ? status == TUMBLE_ERROR_MEMORY || status == TUMBLE_ERROR_DEVICE
                                 : status == TUMBLE_OK && n > 5);
        }
    }
    tumble_model_destroy(model);
}

/* ---- Everything at once ---- */

enum {
    THREADS = 4
};

typedef struct worker {
    pthread_t thread;
    stage *s;
    unsigned number;
    size_t done, cancelled, wrong;
    fake_play plays[3];
} worker;

static void count_call(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    (void)ticket;
    atomic_fetch_add((atomic_int *)user, report->status == TUMBLE_OK || report->status == TUMBLE_ERROR_CANCELLED);
}

/* One batch by one of the ways there are; what it says must fit what was done to it. */
static void live_once(worker *w, test_random *random, atomic_int *calls, int *expected_calls)
{
    stage *s = w->s;
    tumble_device_model *own = NULL;
    w->wrong += tumble_device_add_model(s->device, s->models[0], &own) != TUMBLE_OK;
    fake_play *play = &w->plays[test_random_whole(random, 0, 2)];
    memset(play, 0, sizeof *play);
    fail_checks(play, test_random_chance(random, 0.3) ? (unsigned)test_random_whole(random, 0, 255) : 0,
                TUMBLE_ERROR_DEVICE);
    const tumble_model_pair pair = {own, s->handles[1]};
    tumble_batch batch = batch_of(s, 0);
    batch.answers = play->answers, batch.pairs = &pair;
    batch.on_cpu = test_random_chance(random, 0.2);
    const int has_callback = test_random_chance(random, 0.3), is_cancelled = test_random_chance(random, 0.3);
    batch.callback = has_callback ? count_call : NULL, batch.callback_user = calls;
    tumble_ticket ticket;
    tumble_status status = tumble_device_submit(s->device, &batch, FAKE_LIMIT, &ticket);
    w->wrong += status != TUMBLE_OK;
    if (is_cancelled) {
        status = tumble_device_cancel(s->device, ticket);
        w->wrong += status != TUMBLE_OK && !(has_callback && status == TUMBLE_ERROR_ARGUMENT);
    }
    if (has_callback) {
        ++*expected_calls;
        if (test_random_chance(random, 0.3)) {
            w->wrong += tumble_device_finish(s->device, FAKE_LIMIT) != TUMBLE_OK;
        }
    } else {
        do {
            status = tumble_device_wait(s->device, ticket, test_random_range(random, -1e-5, 1e-3), NULL);
        } while (status == TUMBLE_ERROR_TIMEOUT);
        w->wrong += status != TUMBLE_OK && !(is_cancelled && status == TUMBLE_ERROR_CANCELLED);
        w->cancelled += status == TUMBLE_ERROR_CANCELLED;
        for (size_t i = 0; i < FAKE_CHECKS && status == TUMBLE_OK; i++) {
            w->wrong += play->answers[i].status != TUMBLE_OK;
        }
    }
    tumble_device_remove_model(own); /* and so the batch is done, and its arrays are ours */
    w->done++;
}

static void *live(void *argument)
{
    worker *w = argument;
    test_random random = {w->number};
    atomic_int calls = 0;
    int expected_calls = 0;
    for (size_t i = 0; i < test_count(600); i++) {
        live_once(w, &random, &calls, &expected_calls);
    }
    w->wrong += tumble_device_finish(w->s->device, FAKE_LIMIT) != TUMBLE_OK || atomic_load(&calls) != expected_calls;
    return NULL;
}

static void test_threads(void **state)
{
    for (int apart = 0; apart < 2; apart++) {
        stage s;
        tumble_device_options options = tumble_default_device_options();
        options.queue_capacity = 3, options.retry_on_cpu = 1;
        begin(&s, *state, &options);
        s.fake.apart = s.fake.backwards = apart;
        worker workers[THREADS];
        for (unsigned i = 0; i < THREADS; i++) {
            workers[i] = (worker){.s = &s, .number = i + 1};
            assert_int_equal(pthread_create(&workers[i].thread, NULL, live, &workers[i]), 0);
        }
        size_t cancelled = 0;
        for (unsigned i = 0; i < THREADS; i++) {
            pthread_join(workers[i].thread, NULL);
            assert_int_equal(workers[i].wrong, 0);
            assert_int_equal(workers[i].done, test_count(600));
            cancelled += workers[i].cancelled;
        }
        assert_true(cancelled > 0);
        tumble_ticket ticket;
        assert_int_equal(tumble_device_next(s.device, 0, &ticket, NULL), TUMBLE_OK);
        assert_true(ticket == 0);
        end(&s);
    }
}

typedef struct taker {
    pthread_t thread;
    tumble_device *device;
    atomic_int *left;
    size_t wrong;
} taker;

/* Several threads take what comes, and together they take all. */
static void *take_next(void *argument)
{
    taker *t = argument;
    while (atomic_load(t->left) > 0 && t->wrong == 0) {
        tumble_ticket ticket;
        const tumble_status status = tumble_device_next(t->device, 0.001, &ticket, NULL);
        t->wrong += status != TUMBLE_OK && status != TUMBLE_ERROR_TIMEOUT;
        if (ticket) {
            atomic_fetch_sub(t->left, 1);
        }
    }
    return NULL;
}

static void test_takers(void **state)
{
    stage s;
    begin(&s, *state, NULL);
    const size_t count = test_count(500);
    atomic_int left = (int)count;
    taker takers[3];
    for (size_t i = 0; i < 3; i++) {
        takers[i] = (taker){.device = s.device, .left = &left};
        assert_int_equal(pthread_create(&takers[i].thread, NULL, take_next, &takers[i]), 0);
    }
    const tumble_batch batch = batch_of(&s, 0); /* one after the other they write the same answers */
    for (size_t i = 0; i < count; i++) {
        tumble_ticket ticket;
        assert_int_equal(tumble_device_submit(s.device, &batch, FAKE_LIMIT, &ticket), TUMBLE_OK);
    }
    for (size_t i = 0; i < 3; i++) {
        pthread_join(takers[i].thread, NULL);
        assert_int_equal(takers[i].wrong, 0);
    }
    assert_int_equal(atomic_load(&left), 0);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_order),   TEST_IN_WORLD(test_no_checks),        TEST_IN_WORLD(test_waits),
        TEST_IN_WORLD(test_idle),    TEST_IN_WORLD(test_tickets),          TEST_IN_WORLD(test_reports),
        TEST_IN_WORLD(test_full),    TEST_IN_WORLD(test_cancel),           TEST_IN_WORLD(test_failures),
        TEST_IN_WORLD(test_retries), TEST_IN_WORLD(test_retries_of_lists), TEST_IN_WORLD(test_retries_that_fail),
        TEST_IN_WORLD(test_on_cpu),  TEST_IN_WORLD(test_callbacks),        TEST_IN_WORLD(test_slow_callbacks),
        TEST_IN_WORLD(test_chain),   TEST_IN_WORLD(test_models),           TEST_IN_WORLD(test_close),
        TEST_IN_WORLD(test_memory),  TEST_IN_WORLD(test_threads),          TEST_IN_WORLD(test_takers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
