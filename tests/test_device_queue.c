/* The queue of a device, over a back end that is slow and finishes in any order: what is submitted comes back in order,
 * in time and once. */
#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "device_stage.h"

/* ---- Order ---- */

/* Batches that are finished early are done when it is their turn. All that waits is handed over at once. */
static void test_order(void **state)
{
    stage s;
    stage_begin(&s, *state, NULL);
    s.fake.backwards = 1;
    stage_submit_held(&s, 0);
    s.plays[2].is_held = 1;
    for (size_t i = 1; i < 6; i++) {
        stage_submit(&s, i);
    }
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(stage_wait(&s, 0, FAKE_LIMIT), TUMBLE_OK);
    fake_await(&s.fake, &s.plays[2].is_running, 1);
    assert_int_equal(fake_read(&s.fake, &s.plays[5].run_count), 1);
    assert_int_equal(fake_read(&s.fake, &s.plays[1].run_count), 0);
    for (size_t i = 1; i < 6; i++) {
        assert_false(stage_poll(&s, i).is_done);
        assert_int_equal(stage_poll(&s, i).done_count, i > 2 ? FAKE_CHECKS : 0);
        assert_int_equal(stage_wait(&s, i, i == 5 ? 0.01 : 0), TUMBLE_ERROR_TIMEOUT);
    }
    fake_let_go(&s.fake, &s.plays[2]);
    assert_int_equal(stage_wait(&s, 3, FAKE_LIMIT), TUMBLE_OK);
    assert_true(stage_poll(&s, 1).is_done && stage_poll(&s, 2).is_done);
    static const size_t left[] = {1, 2, 4, 5};
    for (size_t i = 0; i < 4; i++) {
        tumble_ticket ticket;
        tumble_ticket_report report;
        assert_int_equal(tumble_device_next(s.device, FAKE_LIMIT, &ticket, &report), TUMBLE_OK);
        assert_true(ticket == s.tickets[left[i]] && report.is_done);
        assert_true(report.upload_seconds == 1 && report.run_seconds == 2 && report.result_seconds == 3);
        assert_true(report.waiting_seconds >= 0 && report.waiting_seconds < FAKE_LIMIT);
        stage_check_fake_answers(&s, left[i], STAGE_ALL_CHECKS);
    }
    assert_int_equal(s.fake.run_count, 2);
    assert_int_equal(s.fake.longest_run, 5);
    stage_end(&s);
}

/* A batch without checks is done like any other, and the back end does not see it. */
static void test_no_checks(void **state)
{
    stage s;
    stage_begin(&s, *state, NULL);
    tumble_batch batch = tumble_default_batch();
    tumble_ticket_report report;
    stage_submit_held(&s, 0);
    stage_submit_batch(&s, 1, &batch);
    assert_int_equal(stage_wait(&s, 1, 0.01), TUMBLE_ERROR_TIMEOUT);
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(tumble_device_wait(s.device, s.tickets[1], FAKE_LIMIT, &report), TUMBLE_OK);
    assert_true(report.is_done && report.check_count == 0 && report.done_count == 0);
    assert_int_equal(s.fake.run_count, 1);
    stage_end(&s);
}

/* ---- Time ---- */

static void test_waits(void **state)
{
    stage s;
    stage_begin(&s, *state, NULL);
    tumble_context *context = s.w->context;
    stage_submit_held(&s, 0);
    static const double none[] = {0, -0.0, -1, -INFINITY};
    for (size_t i = 0; i < 4; i++) {
        test_assert_status(context, stage_wait(&s, 0, none[i]), TUMBLE_ERROR_TIMEOUT, "0 of 8 checks");
        test_assert_status(context, tumble_device_finish(s.device, none[i]), TUMBLE_ERROR_TIMEOUT, "not all tickets");
    }
    test_assert_status(context, stage_wait(&s, 0, NAN), TUMBLE_ERROR_ARGUMENT, "not a number");
    test_assert_status(context, tumble_device_finish(s.device, NAN), TUMBLE_ERROR_ARGUMENT, "not a number");
    tumble_ticket ticket = 5;
    test_assert_status(context, tumble_device_next(s.device, NAN, &ticket, NULL), TUMBLE_ERROR_ARGUMENT,
                       "not a number");
    const tumble_batch batch = stage_batch(&s, 1);
    test_assert_status(context, tumble_device_submit(s.device, &batch, NAN, &ticket), TUMBLE_ERROR_ARGUMENT,
                       "not a number");
    assert_true(ticket == 0);

    static const double some[] = {1e-9, 1e-6, 0.001, 0.02};
    for (size_t i = 0; i < 4; i++) {
        const double start = tmb_seconds();
        tumble_ticket_report report;
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
    assert_true(stage_poll(&s, 0).is_done);
    assert_int_equal(stage_wait(&s, 0, -1), TUMBLE_OK);
    stage_submit(&s, 1);
    assert_int_equal(stage_wait(&s, 1, INFINITY), TUMBLE_OK);
    stage_submit(&s, 2);
    assert_int_equal(stage_wait(&s, 2, 1e300), TUMBLE_OK);
    assert_int_equal(tumble_device_next(s.device, INFINITY, &ticket, NULL), TUMBLE_OK);
    assert_true(ticket == 0);
    stage_end(&s);
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
    stage_begin(&s, *state, NULL);
    stage_submit_held(&s, 0);
    s.plays[1].is_held = 1;
    stage_submit(&s, 1);
    const double start = processor_seconds();
    assert_int_equal(stage_wait(&s, 1, 0.1), TUMBLE_ERROR_TIMEOUT);
    fake_let_go(&s.fake, &s.plays[0]);
    fake_let_go(&s.fake, &s.plays[1]);
    assert_int_equal(stage_wait(&s, 1, FAKE_LIMIT), TUMBLE_OK);
    const struct timespec pause = {.tv_nsec = 100000000};
    nanosleep(&pause, NULL);
    assert_true(processor_seconds() - start < 0.1);
    stage_end(&s);
}

/* ---- Tickets ---- */

static void test_tickets(void **state)
{
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.queue_capacity = 2;
    stage_begin(&s, *state, &options);
    tumble_ticket old[40];
    for (size_t i = 0; i < 40; i++) {
        stage_submit(&s, i % 2);
        old[i] = s.tickets[i % 2];
        for (size_t k = 0; k < i; k++) {
            assert_true(old[k] != old[i]);
        }
        assert_int_equal(stage_wait(&s, i % 2, FAKE_LIMIT), TUMBLE_OK);
        stage_expect_taken(&s, old[i]);
    }
    stage_submit_held(&s, 0);
    for (size_t i = 0; i < 40; i++) {
        stage_expect_taken(&s, old[i]);
    }
    stage_expect_taken(&s, 0);
    stage_expect_taken(&s, s.tickets[0] ^ 3);
    stage_expect_taken(&s, s.tickets[0] + (UINT64_C(1) << 40));
    stage_expect_taken(&s, UINT64_MAX);
    stage_expect_taken(&s, 7);
    assert_false(stage_poll(&s, 0).is_done);
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(stage_wait(&s, 0, FAKE_LIMIT), TUMBLE_OK);
    stage_end(&s);
}

static void test_reports(void **state)
{
    stage s;
    stage_begin(&s, *state, NULL);
    tumble_context *context = s.w->context;
    tumble_ticket_report report;
    tumble_ticket ticket;
    stage_submit(&s, 0);
    test_assert_status(context, tumble_device_poll(s.device, s.tickets[0], NULL), TUMBLE_ERROR_ARGUMENT, "report");
    test_assert_status(context, tumble_device_next(s.device, 0, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "ticket");
    assert_int_equal(stage_wait(&s, 0, FAKE_LIMIT), TUMBLE_OK);
    assert_int_equal(tumble_device_poll(NULL, 1, &report), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_device_wait(NULL, 1, 0, &report), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_device_next(NULL, 0, &ticket, &report), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_device_cancel(NULL, 1), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_device_finish(NULL, 1), TUMBLE_ERROR_ARGUMENT);
    stage_end(&s);
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
    const tumble_batch batch = stage_batch(late->s, 4);
    late->status = tumble_device_submit(late->s->device, &batch, FAKE_LIMIT, &late->ticket);
    return NULL;
}

/* A ticket takes up room until it is taken, done or not. */
static void test_full(void **state)
{
    stage s;
    tumble_device_options options = tumble_default_device_options();
    options.queue_capacity = 3;
    stage_begin(&s, *state, &options);
    stage_submit_held(&s, 0);
    stage_submit(&s, 1);
    stage_submit(&s, 2);
    const tumble_batch batch = stage_batch(&s, 3);
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
    assert_int_equal(stage_wait(&s, 1, 0), TUMBLE_OK);
    pthread_join(late.thread, NULL);
    assert_int_equal(late.status, TUMBLE_OK);
    assert_int_equal(tumble_device_wait(s.device, late.ticket, FAKE_LIMIT, NULL), TUMBLE_OK);
    stage_end(&s);
}

/* ---- Cancelling ---- */

static void test_cancel(void **state)
{
    stage s;
    stage_begin(&s, *state, NULL);
    stage_submit_held(&s, 0);
    s.plays[1].is_held = s.plays[1].ignores_cancel = 1;
    stage_submit(&s, 1);
    stage_submit(&s, 2); /* waits until it is cancelled */
    stage_submit(&s, 3);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[2]), TUMBLE_OK);
    assert_int_equal(stage_wait(&s, 2, 0.01), TUMBLE_ERROR_TIMEOUT); /* those before it are not done */
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[0]), TUMBLE_OK);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[0]), TUMBLE_OK);
    stage_expect_cancelled(&s, 0);
    stage_check_statuses(&s, 0, TUMBLE_ERROR_CANCELLED);
    assert_true(s.plays[0].saw_cancel);

    fake_await(&s.fake, &s.plays[1].is_running, 1);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[1]), TUMBLE_OK);
    assert_int_equal(stage_wait(&s, 1, 0.01), TUMBLE_ERROR_TIMEOUT); /* it still runs */
    fake_let_go(&s.fake, &s.plays[1]);
    tumble_ticket_report report = stage_poll(&s, 1);
    stage_expect_cancelled(&s, 1);
    stage_check_fake_answers(&s, 1, STAGE_ALL_CHECKS);
    stage_expect_cancelled(&s, 2);
    stage_check_statuses(&s, 2, TUMBLE_ERROR_CANCELLED);
    assert_int_equal(s.plays[2].run_count, 0);
    assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    assert_int_equal(tumble_device_cancel(s.device, s.tickets[3]), TUMBLE_OK); /* too late */
    assert_int_equal(tumble_device_wait(s.device, s.tickets[3], 0, &report), TUMBLE_OK);
    assert_true(report.is_done && report.done_count == FAKE_CHECKS);
    stage_end(&s);
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
    stage_begin(&s, *state, NULL);
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
    stage_submit_held(&s, 0);
    tumble_device_remove_model(extra);
    tumble_device_remove_model(NULL);
    remover r = {.model = s.handles[1]};
    assert_int_equal(pthread_create(&r.thread, NULL, remove_model, &r), 0);
    const struct timespec pause = {.tv_nsec = 10000000};
    nanosleep(&pause, NULL);
    assert_false(atomic_load(&r.is_done));
    fake_let_go(&s.fake, &s.plays[0]);
    pthread_join(r.thread, NULL);
    assert_true(stage_poll(&s, 0).is_done); /* done, though not taken */
    assert_int_equal(s.fake.model_count, 1);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_order), TEST_IN_WORLD(test_no_checks), TEST_IN_WORLD(test_waits),
        TEST_IN_WORLD(test_idle),  TEST_IN_WORLD(test_tickets),   TEST_IN_WORLD(test_reports),
        TEST_IN_WORLD(test_full),  TEST_IN_WORLD(test_cancel),    TEST_IN_WORLD(test_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
