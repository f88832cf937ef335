/* Many threads submit, wait, cancel and remove models at once, and several take what is done. */
#include <string.h>

#include "device_stage.h"

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
    stage_fail_checks(play, test_random_chance(random, 0.3) ? (unsigned)test_random_whole(random, 0, 255) : 0,
                      TUMBLE_ERROR_DEVICE);
    const tumble_model_pair pair = {own, s->handles[1]};
    tumble_batch batch = stage_batch(s, 0);
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
        stage_begin(&s, *state, &options);
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
        stage_end(&s);
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
    stage_begin(&s, *state, NULL);
    const size_t count = test_count(500);
    atomic_int left = (int)count;
    taker takers[3];
    for (size_t i = 0; i < 3; i++) {
        takers[i] = (taker){.device = s.device, .left = &left};
        assert_int_equal(pthread_create(&takers[i].thread, NULL, take_next, &takers[i]), 0);
    }
    const tumble_batch batch = stage_batch(&s, 0); /* one after the other they write the same answers */
    for (size_t i = 0; i < count; i++) {
        tumble_ticket ticket;
        assert_int_equal(tumble_device_submit(s.device, &batch, FAKE_LIMIT, &ticket), TUMBLE_OK);
    }
    for (size_t i = 0; i < 3; i++) {
        pthread_join(takers[i].thread, NULL);
        assert_int_equal(takers[i].wrong, 0);
    }
    assert_int_equal(atomic_load(&left), 0);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_threads),
        TEST_IN_WORLD(test_takers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
