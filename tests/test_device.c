/* Devices as programs see them, on the pool of threads: the same answers as tumble_collide, every mode, and whatever is
 * wrong with a batch is refused by name. What the queue does with slow and failing devices is in test_device_queue.c.
 */
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
    s->batch.mode = TUMBLE_BATCH_ALL;
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
    tumble_collide_result expected = {.size = sizeof expected};
    options.pairs = pairs, options.contacts = contacts;
    options.pair_capacity = options.contact_capacity = ROOM;
    assert_int_equal(tumble_collide(s->w->query, s->models[pair % 3], pose_a, s->models[(pair + 1) % 3], pose_b,
                                    &options, &expected),
                     TUMBLE_OK);
    const tumble_check_answer *answer = &s->answers[i];
    const int is_short = batch->mode == TUMBLE_BATCH_TEST || batch->mode == TUMBLE_BATCH_FIRST;
    assert_int_equal(answer->status, TUMBLE_OK);
    assert_int_equal(answer->collide, expected.collide);
    assert_int_equal(answer->pair_count, is_short ? (uint64_t)expected.collide : expected.pair_count);
    if (batch->mode == TUMBLE_BATCH_ALL) {
        check_lists(s, i, &expected, pairs, contacts);
    }
    if (expected.collide && expected.pair_count <= ROOM &&
        (batch->mode == TUMBLE_BATCH_ALL || batch->mode == TUMBLE_BATCH_FIRST)) {
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
            s.batch.mode = (tumble_batch_mode)mode;
            if (mode == TUMBLE_BATCH_ALL) {
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
            tumble_ticket_report report = {.size = sizeof report};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
