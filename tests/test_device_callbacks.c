/* Callbacks of batches: in order, once, however long they take; and batches that callbacks submit, also while the
 * device is closed. */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "device_stage.h"

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
    stage_begin(&s, *state, NULL);
    begin_journal(&j, &s);
    s.fake.backwards = 1;
    stage_submit_held(&s, 0);
    for (size_t i = 1; i < 8; i++) {
        tumble_batch batch = stage_batch(&s, i);
        batch.callback = i % 3 ? note : NULL;
        batch.callback_user = &j;
        stage_submit_batch(&s, i, &batch);
    }
    test_assert_status(s.w->context, stage_wait(&s, 1, 0), TUMBLE_ERROR_ARGUMENT, "it has a callback");
    assert_false(stage_poll(&s, 1).is_done);
    fake_let_go(&s.fake, &s.plays[0]);
    assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    static const size_t called[] = {1, 2, 4, 5, 7}, left[] = {0, 3, 6};
    for (size_t i = 0; i < 5; i++) {
        assert_true(j.tickets[i] == s.tickets[called[i]]);
        stage_check_fake_answers(&s, called[i], STAGE_ALL_CHECKS);
        stage_expect_taken(&s, s.tickets[called[i]]);
    }
    for (size_t i = 0; i < 4; i++) {
        tumble_ticket ticket;
        assert_int_equal(tumble_device_next(s.device, 0, &ticket, NULL), TUMBLE_OK);
        assert_true(ticket == (i < 3 ? s.tickets[left[i]] : 0));
    }
    stage_end(&s);
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
    stage_begin(&s, *state, NULL);
    begin_journal(&j, &s);
    tumble_batch batch = stage_batch(&s, 0);
    batch.callback = call_slowly, batch.callback_user = &j;
    stage_submit_batch(&s, 0, &batch);
    assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    assert_int_equal(noted(&j), 1);
    stage_submit_batch(&s, 0, &batch);
    tumble_device_remove_model(s.handles[0]);
    assert_int_equal(noted(&j), 2);
    stage_end(&s);
    end_journal(&j, 2);
}

/* A callback may submit, which finds room even in a queue of one; it may look; it may not wait. */
static void chain(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    journal *j = user;
    tumble_ticket next;
    tumble_ticket_report other;
    note(user, ticket, report);
    if (j->chain_left == 0) {
        return;
    }
    j->chain_left--;
    tumble_batch batch = stage_batch(j->s, 0);
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
    stage_begin(&s, *state, &options);
    begin_journal(&j, &s);
    j.chain_left = 30;
    tumble_batch batch = stage_batch(&s, 0);
    batch.callback = chain, batch.callback_user = &j;
    stage_submit_batch(&s, 0, &batch);
    const double limit = tmb_seconds() + FAKE_LIMIT;
    while (noted(&j) < 31 && tmb_seconds() < limit) {
        sched_yield();
    }
    assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
    stage_end(&s);
    end_journal(&j, 31);
}

/* ---- The end ---- */

static void late_submit(void *user, tumble_ticket ticket, const tumble_ticket_report *report)
{
    journal *j = user;
    tumble_ticket next = 1;
    tumble_batch batch = stage_batch(j->s, 0);
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
        stage_begin(&s, *state, NULL);
        begin_journal(&j, &s);
        j.expected = TUMBLE_ERROR_CANCELLED;
        s.fake.apart = variant & 1;
        stage_submit(&s, 0);
        assert_int_equal(tumble_device_finish(s.device, FAKE_LIMIT), TUMBLE_OK);
        stage_submit_held(&s, 1);
        for (size_t i = 2; i < 8; i++) {
            tumble_batch batch = stage_batch(&s, i);
            batch.callback = i % 2 ? late_submit : NULL;
            batch.callback_user = &j;
            batch.on_cpu = variant & 2 && i < 4;
            s.plays[i].is_held = 1;
            stage_submit_batch(&s, i, &batch);
        }
        stage_end(&s);
        end_journal(&j, 3);
        stage_check_fake_answers(&s, 0, STAGE_ALL_CHECKS);
        for (size_t i = variant & 2 ? 4 : 1; i < 8; i++) {
            stage_check_statuses(&s, i, TUMBLE_ERROR_CANCELLED);
        }
    }
    tumble_device_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_callbacks),
        TEST_IN_WORLD(test_slow_callbacks),
        TEST_IN_WORLD(test_chain),
        TEST_IN_WORLD(test_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
