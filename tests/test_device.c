/* The interface of devices, on the thread pool: the same answers as tumble_collide, every mode, and wrong batches are
 * rejected with a message that says why. Slow and failing devices are in test_device_queue.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

enum {
    CHECKS = 24,
    ROOM = 40
};

#define SOON 60.0 /* seconds: nothing here takes as long */

/* A device with three models on it, and a batch of checks of the first two. */
typedef struct scene {
    test_world *w;
    tumble_device *device;
    tumble_model *models[3];
    tumble_device_model *handles[3];
    tumble_pose poses[CHECKS];
    tumble_model_pair pairs[CHECKS];
    tumble_check_answer answers[CHECKS];
    tumble_pair found[CHECKS * ROOM];
    tumble_contact contacts[CHECKS * ROOM];
    uint64_t contact_counts[CHECKS];
    tumble_batch batch;
} scene;

static void begin(scene *s, test_world *w)
{
    static const char *const shapes[3] = {"torus", "knot", "prism"};
    memset(s, 0, sizeof *s);
    s->w = w;
    test_assert_status(w->context, tumble_device_open(w->context, 0, NULL, &s->device), TUMBLE_OK, "");
    for (int k = 0; k < 3; k++) {
        models_mesh mesh;
        assert_true(models_make_sized(&mesh, shapes[k], 600));
        models_fit(&mesh, 2, 0);
        s->models[k] = test_model(w->context, &mesh, NULL);
        models_free(&mesh);
        assert_int_equal(tumble_device_add_model(s->device, s->models[k], &s->handles[k]), TUMBLE_OK);
    }
    test_random random = {7};
    for (size_t i = 0; i < CHECKS; i++) {
        s->poses[i] = test_rational_turn(&random);
        for (int k = 0; k < 3; k++) {
            s->poses[i].m[k][3] = test_random_range(&random, -1.2, 1.2);
        }
        s->pairs[i] = (tumble_model_pair){s->handles[i % 3], s->handles[(i + 1) % 3]};
    }
    s->batch = tumble_default_batch();
    s->batch.check_count = CHECKS;
    s->batch.pairs = s->pairs, s->batch.pair_count = 1;
    s->batch.poses_b = s->poses, s->batch.pose_b_count = CHECKS;
    s->batch.answers = s->answers;
}

static void end(scene *s)
{
    tumble_device_close(s->device);
    for (int k = 0; k < 3; k++) {
        tumble_model_destroy(s->models[k]);
    }
}

static void list_all(scene *s)
{
    s->batch.mode = TUMBLE_ALL;
    s->batch.found = s->found, s->batch.found_capacity = ROOM;
    s->batch.contacts = s->contacts, s->batch.contact_capacity = ROOM;
    s->batch.contact_counts = s->contact_counts;
}

static tumble_ticket submit(scene *s)
{
    tumble_ticket ticket = 0;
    test_assert_status(s->w->context, tumble_device_submit(s->device, &s->batch, SOON, &ticket), TUMBLE_OK, "");
    assert_true(ticket != 0);
    return ticket;
}

/* ---- Answers ---- */

static void check_lists(const scene *s, size_t i, const tumble_collide_result *expected, const tumble_pair *pairs,
                        const tumble_contact *contacts)
{
    const size_t found = expected->pair_count < ROOM ? expected->pair_count : ROOM;
    const size_t contact_count = expected->contact_count < ROOM ? expected->contact_count : ROOM;
    assert_int_equal(s->contact_counts[i], expected->contact_count);
    if (found) {
        assert_memory_equal(s->found + i * ROOM, pairs, found * sizeof *pairs);
    }
    if (contact_count) {
        assert_memory_equal(s->contacts + i * ROOM, contacts, contact_count * sizeof *contacts);
    }
}

/* What tumble_collide says to check number i. */
static void check_answer(const scene *s, size_t i)
{
    const tumble_batch *batch = &s->batch;
    const size_t pair = batch->pair_count == 1 ? 0 : i;
    const tumble_pose *pose_a = batch->pose_a_count ? &batch->poses_a[batch->pose_a_count == 1 ? 0 : i] : NULL;
    const tumble_pose *pose_b = batch->pose_b_count ? &batch->poses_b[batch->pose_b_count == 1 ? 0 : i] : NULL;
    tumble_pair pairs[ROOM];
    tumble_contact contacts[ROOM];
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result expected;
    options.pairs = pairs, options.contacts = contacts;
    options.pair_capacity = options.contact_capacity = ROOM;
    assert_int_equal(tumble_collide(s->w->query, s->models[pair % 3], pose_a, s->models[(pair + 1) % 3], pose_b,
                                    &options, &expected),
                     TUMBLE_OK);
    const tumble_check_answer *answer = &s->answers[i];
    const int is_short = batch->mode == TUMBLE_TEST || batch->mode == TUMBLE_FIRST;
    assert_int_equal(answer->status, TUMBLE_OK);
    assert_int_equal(answer->collide, expected.collide);
    assert_int_equal(answer->pair_count, is_short ? (uint64_t)expected.collide : expected.pair_count);
    if (batch->mode == TUMBLE_ALL) {
        check_lists(s, i, &expected, pairs, contacts);
    }
    if (expected.collide && expected.pair_count <= ROOM && (batch->mode == TUMBLE_ALL || batch->mode == TUMBLE_FIRST)) {
        const test_pairs all = {.items = pairs, .count = expected.pair_count};
        assert_true(test_has_pair(&all, answer->first));
    }
}

static void check_answers(const scene *s)
{
    size_t hits = 0;
    for (size_t i = 0; i < CHECKS; i++) {
        check_answer(s, i);
        hits += s->answers[i].collide;
    }
    assert_true(hits > 0 && hits < CHECKS);
}

/* Every mode; one pair or many, poses for neither, one or both. */
static void test_answers(void **state)
{
    scene s;
    begin(&s, *state);
    for (int mode = 0; mode < 4; mode++) {
        for (int shape = 0; shape < 8; shape++) {
            s.batch.mode = (tumble_mode)mode;
            if (mode == TUMBLE_ALL) {
                list_all(&s);
            }
            s.batch.pair_count = shape & 1 ? CHECKS : 1;
            s.batch.poses_a = shape & 2 ? s.poses + (shape & 1) : NULL;
            s.batch.pose_a_count = shape & 2 ? 1 : 0;
            s.batch.poses_b = shape & 4 ? s.poses : s.poses + CHECKS - 1;
            s.batch.pose_b_count = CHECKS;
            if (!(shape & 4)) {
                s.batch.poses_a = s.poses, s.batch.pose_a_count = CHECKS;
                s.batch.poses_b = NULL, s.batch.pose_b_count = 0;
            }
            memset(s.answers, 0xff, sizeof s.answers);
            tumble_ticket_report report;
            assert_int_equal(tumble_device_wait(s.device, submit(&s), SOON, &report), TUMBLE_OK);
            assert_true(report.is_done && report.status == TUMBLE_OK);
            assert_int_equal(report.done_count, CHECKS);
            assert_int_equal(report.check_count, CHECKS);
            assert_true(report.waiting_seconds >= 0 && report.run_seconds >= 0);
            check_answers(&s);
        }
    }
    end(&s);
}

/* One bad pose takes nothing from the others; the ticket has its status and its message. */
static void test_bad_poses(void **state)
{
    scene s;
    begin(&s, *state);
    s.batch.mode = TUMBLE_COUNT;
    s.poses[5].m[0][0] = NAN;
    s.poses[9] = (tumble_pose){{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    tumble_ticket_report report;
    const tumble_status status = tumble_device_wait(s.device, submit(&s), SOON, &report);
    assert_int_equal(report.status, status);
    assert_int_equal(status, s.answers[5].status);
    assert_true(s.answers[5].status != TUMBLE_OK);
    assert_int_equal(s.answers[9].status, TUMBLE_ERROR_POSE);
    assert_non_null(strstr(report.message, "pose"));
    assert_int_equal(report.done_count, CHECKS - 2);
    for (size_t i = 0; i < CHECKS; i++) {
        if (i != 5 && i != 9) {
            check_answer(&s, i);
        } else {
            assert_int_equal(s.answers[i].pair_count, 0);
            assert_int_equal(s.answers[i].collide, 0);
        }
    }
    end(&s);
}

/* The pool is what `on_cpu` asks for. */
static void test_on_cpu(void **state)
{
    scene s;
    begin(&s, *state);
    s.batch.on_cpu = 1;
    assert_int_equal(tumble_device_wait(s.device, submit(&s), SOON, NULL), TUMBLE_OK);
    check_answers(&s);
    end(&s);
}

/* ---- Refusals ---- */

static void refuse(scene *s, const char *words)
{
    tumble_ticket ticket = 9;
    test_assert_status(s->w->context, tumble_device_submit(s->device, &s->batch, SOON, &ticket), TUMBLE_ERROR_ARGUMENT,
                       words);
    assert_true(ticket == 0);
}

/* A field is given another value, the batch is refused, and the field is as before. */
#define REFUSE_WITH(field, value, words)     \
    do {                                     \
        const tumble_batch before = s.batch; \
        s.batch.field = (value);             \
        refuse(&s, words);                   \
        s.batch = before;                    \
    } while (0)

static void test_refused_counts(void **state)
{
    scene s;
    begin(&s, *state);
    list_all(&s);
    REFUSE_WITH(mode, (tumble_mode)5, "no mode 5");
    REFUSE_WITH(mode, (tumble_mode)-1, "no mode -1");
    REFUSE_WITH(pair_count, 0, "0 pairs of models for 24 checks");
    REFUSE_WITH(pair_count, 2, "2 pairs of models for 24 checks");
    REFUSE_WITH(pair_count, CHECKS + 1, "25 pairs of models");
    REFUSE_WITH(pairs, NULL, "no pairs");
    REFUSE_WITH(pose_a_count, 1, "the poses of a are null");
    REFUSE_WITH(pose_b_count, CHECKS - 1, "23 poses of b for 24 checks");
    REFUSE_WITH(poses_b, NULL, "the poses of b are null");
    REFUSE_WITH(answers, NULL, "answers");
    REFUSE_WITH(found, NULL, "the pairs");
    REFUSE_WITH(contacts, NULL, "the contacts");
    REFUSE_WITH(found_capacity, SIZE_MAX / CHECKS, "no memory holds the pairs of 24 checks");
    REFUSE_WITH(found_capacity, SIZE_MAX, "no memory holds the pairs");
    REFUSE_WITH(contact_capacity, SIZE_MAX / CHECKS / 8, "no memory holds the contacts");
    for (int mode = 0; mode < 3; mode++) {
        REFUSE_WITH(mode, (tumble_mode)mode, "only the mode ALL");
    }
    s.batch.found_capacity = s.batch.contact_capacity = 0;
    REFUSE_WITH(mode, TUMBLE_TEST, "only the mode ALL"); /* for the counts of contacts */
    s.batch.pose_b_count = 1;
    REFUSE_WITH(check_count, SIZE_MAX / 4, "no memory holds the answers");
    end(&s);
}

static void test_refused_arguments(void **state)
{
    scene s;
    begin(&s, *state);
    tumble_context *context = s.w->context;
    tumble_ticket ticket = 9;
    test_assert_status(context, tumble_device_submit(s.device, NULL, 0, &ticket), TUMBLE_ERROR_ARGUMENT, "batch");
    assert_true(ticket == 0);
    test_assert_status(context, tumble_device_submit(s.device, &s.batch, 0, NULL), TUMBLE_ERROR_ARGUMENT, "ticket");
    assert_int_equal(tumble_device_submit(NULL, &s.batch, 0, &ticket), TUMBLE_ERROR_ARGUMENT);
    s.batch.pair_count = CHECKS;
    s.pairs[7].b = NULL;
    refuse(&s, "pair 7: its model b is null");
    s.pairs[3].a = NULL;
    refuse(&s, "pair 3: its model a is null");
    tumble_device *other;
    tumble_device_model *stranger;
    assert_int_equal(tumble_device_open(context, 0, NULL, &other), TUMBLE_OK);
    assert_int_equal(tumble_device_add_model(other, s.models[0], &stranger), TUMBLE_OK);
    s.pairs[3].a = stranger;
    refuse(&s, "pair 3: its model a is on another device");
    tumble_device_close(other);
    tumble_ticket none = 9;
    assert_int_equal(tumble_device_next(s.device, 0, &none, NULL), TUMBLE_OK); /* nothing of it was kept */
    assert_true(none == 0);
    end(&s);
}

/* ---- Which devices there are ---- */

static void test_devices(void **state)
{
    test_world *w = *state;
    uint32_t count = 0;
    tumble_device_info info, again = {0};
    assert_int_equal(tumble_device_count(w->context, &count), TUMBLE_OK);
    assert_true(count >= 1);
    assert_int_equal(tumble_device_count(NULL, &count), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_device_count(w->context, NULL), TUMBLE_ERROR_ARGUMENT, "number");
    assert_int_equal(tumble_device_describe(w->context, 0, &info), TUMBLE_OK);
    assert_true(info.kind == TUMBLE_DEVICE_CPU && !info.is_gpu && info.has_doubles && info.memory_bytes == 0);
    assert_true(info.unit_count >= 1 && info.name[0] && info.name[0] != ' ' && !strchr(info.name, '\n'));
    assert_true(info.platform[0] && strstr(info.version, tumble_version()));
    for (uint32_t i = 1; i < count; i++) {
        assert_int_equal(tumble_device_describe(w->context, i, &again), TUMBLE_OK);
        assert_true(again.kind == TUMBLE_DEVICE_OPENCL);
    }
    test_assert_status(w->context, tumble_device_describe(w->context, count, &info), TUMBLE_ERROR_ARGUMENT,
                       "from 0 on");
    test_assert_status(w->context, tumble_device_describe(w->context, UINT32_MAX, &info), TUMBLE_ERROR_ARGUMENT,
                       "device 4294967295");
    test_assert_status(w->context, tumble_device_describe(w->context, 0, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    assert_int_equal(tumble_device_describe(NULL, 0, &info), TUMBLE_ERROR_ARGUMENT);
}

static void test_open(void **state)
{
    test_world *w = *state;
    tumble_device *device = (tumble_device *)w;
    tumble_device_info info, open_info = {0};
    tumble_device_options options = tumble_default_device_options();
    uint32_t count = 0;
    assert_int_equal(tumble_device_count(w->context, &count), TUMBLE_OK);
    test_assert_status(w->context, tumble_device_open(w->context, count, NULL, &device), TUMBLE_ERROR_ARGUMENT,
                       "from 0 on");
    assert_null(device);
    test_assert_status(w->context, tumble_device_open(w->context, 0, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "handle");
    assert_int_equal(tumble_device_open(NULL, 0, NULL, &device), TUMBLE_ERROR_ARGUMENT);
    options.queue_capacity = UINT32_MAX;
    test_assert_status(w->context, tumble_device_open(w->context, 0, &options, &device), TUMBLE_ERROR_TOO_LARGE,
                       "4294967295 tickets");
    options = tumble_default_device_options();
    options.thread_count = 257;
    test_assert_status(w->context, tumble_device_open(w->context, 0, &options, &device), TUMBLE_ERROR_TOO_LARGE,
                       "257 threads; at most 256");
    assert_null(device);
    options.thread_count = 256; /* as many as are asked for */
    assert_int_equal(tumble_device_open(w->context, 0, &options, &device), TUMBLE_OK);
    tumble_device_close(device);
    options = tumble_default_device_options();
    options.queue_capacity = 1, options.thread_count = 3;
    assert_int_equal(tumble_device_open(w->context, 0, &options, &device), TUMBLE_OK);
    assert_int_equal(tumble_device_describe(w->context, 0, &info), TUMBLE_OK);
    assert_int_equal(tumble_device_get_info(device, &open_info), TUMBLE_OK);
    assert_true(info.kind == open_info.kind && info.unit_count == open_info.unit_count &&
                info.is_gpu == open_info.is_gpu && info.has_doubles == open_info.has_doubles &&
                info.memory_bytes == open_info.memory_bytes);
    assert_string_equal(info.name, open_info.name);
    assert_string_equal(info.platform, open_info.platform);
    assert_string_equal(info.version, open_info.version);
    test_assert_status(w->context, tumble_device_get_info(device, NULL), TUMBLE_ERROR_ARGUMENT, "null");
    assert_int_equal(tumble_device_get_info(NULL, &info), TUMBLE_ERROR_ARGUMENT);
    tumble_device_close(device);
    tumble_device_close(NULL);
}

/* ---- The end ---- */

/* Closed at any moment, with batches that run, wait and are done, which all have an answer or say that they have none.
 */
static void test_close(void **state)
{
    for (int round = 0; round < 6; round++) {
        scene s;
        begin(&s, *state);
        s.batch.mode = TUMBLE_COUNT;
        memset(s.answers, 0xff, sizeof s.answers);
        for (int i = 0; i < round; i++) {
            assert_int_equal(tumble_device_wait(s.device, submit(&s), SOON, NULL), TUMBLE_OK);
        }
        submit(&s);
        end(&s);
        for (size_t i = 0; i < CHECKS; i++) {
            assert_true(s.answers[i].status == TUMBLE_OK || s.answers[i].status == TUMBLE_ERROR_CANCELLED);
        }
    }
}

static tumble_status use_pool(test_world *w, void *user)
{
    const tumble_model *model = user;
    tumble_device *device = NULL;
    tumble_device_model *handle = NULL;
    tumble_check_answer answers[6];
    tumble_device_options options = tumble_default_device_options();
    options.thread_count = 2;
    tumble_status status = tumble_device_open(w->context, 0, &options, &device);
    assert_int_equal(device != NULL, status == TUMBLE_OK);
    if (status == TUMBLE_OK) {
        status = tumble_device_add_model(device, model, &handle);
        assert_int_equal(handle != NULL, status == TUMBLE_OK);
    }
    if (status == TUMBLE_OK) {
        const tumble_model_pair pair = {handle, handle};
        tumble_batch batch = tumble_default_batch();
        tumble_ticket ticket;
        batch.check_count = 6, batch.answers = answers, batch.pairs = &pair, batch.pair_count = 1;
        assert_int_equal(tumble_device_submit(device, &batch, SOON, &ticket), TUMBLE_OK);
        status = tumble_device_wait(device, ticket, SOON, NULL);
    }
    tumble_device_close(device);
    return status;
}

/* The n-th allocation fails, for every n. How many there are may depend on how the threads share the work. */
static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh mesh;
    assert_true(models_make_sized(&mesh, "torus", 100));
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, use_pool, NULL, model) > 4);
    assert_true(test_fail_each(w, TEST_FAIL_WITH_ALL, use_pool, NULL, model) > 4);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_answers),
        TEST_IN_WORLD(test_bad_poses),
        TEST_IN_WORLD(test_on_cpu),
        TEST_IN_WORLD(test_refused_counts),
        TEST_IN_WORLD(test_refused_arguments),
        TEST_IN_WORLD(test_devices),
        TEST_IN_WORLD(test_open),
        TEST_IN_WORLD(test_close),
        TEST_IN_WORLD(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
