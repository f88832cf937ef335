/* All contacts of models in motion. */
#include <math.h>
#include <string.h>

#include "scenes.h"

#define PI 3.14159265358979323846

static tumble_model *triangle(test_world *w, const double corners[9])
{
    models_mesh mesh = {0};
    for (int i = 0; i < 3; i++)
        models_point(&mesh, corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]);
    models_triangle(&mesh, 0, 1, 2);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static const double hand_corners[9] = {0, 0, 0, 2, 0, 0, 1, 0, 1};
static const double pin_corners[9] = {-1, 0, 0.25, -1, 0, 0.5, -1.25, 0, 0.25};

/* A hand passes a pin after each half of a turn. */
static void turns(void **state)
{
    test_world *w = *state;
    tumble_model *hand = triangle(w, hand_corners), *pin = triangle(w, pin_corners);
    tumble_motion motion = tumble_motion_still(NULL);
    tumble_contact_interval room[2];
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    tumble_contact_intervals_result r;
    motion.angle = 10 * PI;
    options.intervals = room, options.interval_capacity = 2;
    assert_int_equal(tumble_contact_intervals(w->query, hand, &motion, pin, NULL, &options, &r), TUMBLE_OK);
    assert_int_equal(r.interval_count, 5);
    assert_memory_equal(room, r.intervals, sizeof room);
    for (size_t i = 0; i < 5; i++) {
        const tumble_contact_interval *at = &r.intervals[i];
        const double time = 0.1 + 0.2 * (double)i;
        assert_true(at->free_until <= time + 1e-12 && at->free_from >= time - 1e-12);
        assert_true(fabs(at->touching_at - time) <= 1e-3 && fabs(at->touching_until - time) <= 2e-3);
        assert_true(at->touching_at - at->free_until <= 1e-3 && at->free_from - at->touching_until <= 1.1e-3);
        assert_true(at->pair.polygon_a == 0 && at->pair.polygon_b == 0);
    }
    tumble_model_destroy(hand);
    tumble_model_destroy(pin);
}

/* A box passes through a box: in contact while the surfaces meet, free while it is inside, and at the end. */
static void passage(void **state)
{
    test_world *w = *state;
    models_mesh mesh = {0};
    const double shift[3] = {-3, 2, 2};
    test_make_grid_box(&mesh, 6); /* from 0 to 6 */
    tumble_model *large = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    test_make_grid_box(&mesh, 1);
    test_transform(&mesh, 1, shift);
    tumble_model *small = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    tumble_motion motion = tumble_motion_still(NULL);
    motion.translation[0] = 16;
    tumble_contact_intervals_result r;
    assert_int_equal(tumble_contact_intervals(w->query, large, NULL, small, &motion, NULL, &r), TUMBLE_OK);
    assert_int_equal(r.interval_count, 2);
    assert_true(r.error == 0);
    static const double times[2][2] = {{2. / 16, 3. / 16}, {8. / 16, 9. / 16}};
    for (int i = 0; i < 2; i++) {
        const tumble_contact_interval *at = &r.intervals[i];
        assert_true(at->free_until <= times[i][0] && at->touching_at >= times[i][0]);
        assert_true(at->touching_until <= times[i][1] && at->free_from >= times[i][1]);
        assert_true(at->touching_at - at->free_until <= 1e-3 && at->free_from - at->touching_until <= 1.1e-3);
    }
    motion.translation[0] = 2.5; /* it ends in contact */
    assert_int_equal(tumble_contact_intervals(w->query, large, NULL, small, &motion, NULL, &r), TUMBLE_OK);
    assert_int_equal(r.interval_count, 1);
    assert_true(r.intervals[0].touching_until == 1 && r.intervals[0].free_from == 1);
    motion.translation[0] = 1;
    assert_int_equal(tumble_contact_intervals(w->query, large, NULL, small, &motion, NULL, &r), TUMBLE_OK);
    assert_true(r.interval_count == 0 && r.intervals == NULL);
    tumble_model_destroy(large);
    tumble_model_destroy(small);
}

static int are_within(test_world *w, tumble_model *const models[2], const tumble_motion motions[2], double time,
                      double clearance)
{
    const tumble_pose poses[2] = {tumble_motion_pose(&motions[0], time), tumble_motion_pose(&motions[1], time)};
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result r;
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    assert_int_equal(tumble_collide(w->query, models[0], &poses[0], models[1], &poses[1], &options, &r), TUMBLE_OK);
    return r.collide;
}

/* Samples between the intervals are free. */
static void samples_agree(void **state)
{
    test_world *w = *state;
    test_random random = {75};
    size_t intervals = 0;
    for (size_t n = 0; n < test_count(20); n++) {
        tumble_model *models[2];
        tumble_motion motions[2];
        tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
        tumble_contact_intervals_result r;
        static tumble_contact_interval kept[1000];
        options.tolerance = 0.01;
        options.clearance = n % 2 ? 0.05 : 0;
        for (int side = 0; side < 2; side++) {
            models_mesh mesh = {0};
            test_make_soup(&mesh, &random, 12, 0.5);
            models[side] = test_model(w->context, &mesh, NULL);
            models_free(&mesh);
            motions[side] = tumble_motion_still(NULL);
            motions[side].angle = n % 3 ? test_random_range(&random, -9, 9) : 0;
            for (int k = 0; k < 3; k++) {
                motions[side].axis[k] = test_random_range(&random, -1, 1);
                motions[side].translation[k] = test_random_range(&random, -1, 1);
            }
        }
        options.intervals = kept, options.interval_capacity = 1000;
        assert_int_equal(
            tumble_contact_intervals(w->query, models[0], &motions[0], models[1], &motions[1], &options, &r),
            TUMBLE_OK);
        assert_true(r.interval_count < 1000);
        const size_t count = r.interval_count;
        intervals += count;
        size_t next = 0;
        for (size_t i = 0; i <= 2000; i++) {
            const double time = (double)i / 2000;
            while (next < count && kept[next].free_from < time)
                next++;
            if (next == count || time < kept[next].free_until)
                assert_false(are_within(w, models, motions, time, options.clearance));
        }
        for (size_t i = 0; i < count; i++) {
            assert_true(kept[i].free_until <= kept[i].touching_at && kept[i].touching_at <= kept[i].touching_until);
            assert_true(kept[i].touching_until <= kept[i].free_from && kept[i].free_from <= 1);
            assert_true(i == 0 || kept[i].free_until > kept[i - 1].free_from);
            assert_true(are_within(w, models, motions, kept[i].touching_until, options.clearance + 1e-11));
        }
        tumble_model_destroy(models[0]);
        tumble_model_destroy(models[1]);
    }
    assert_true((double)intervals > 30 * test_effort());
}

static void arguments(void **state)
{
    test_world *w = *state;
    tumble_model *model = triangle(w, hand_corners);
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    tumble_contact_intervals_result r;
    assert_int_equal(tumble_contact_intervals(NULL, model, NULL, model, NULL, NULL, &r), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_contact_intervals(w->query, model, NULL, model, NULL, NULL, NULL),
                       TUMBLE_ERROR_ARGUMENT, "result is null");
    test_assert_status(w->context, tumble_contact_intervals(w->query, NULL, NULL, model, NULL, NULL, &r),
                       TUMBLE_ERROR_ARGUMENT, "model is null");
    options.interval_capacity = 1;
    test_assert_status(w->context, tumble_contact_intervals(w->query, model, NULL, model, NULL, &options, &r),
                       TUMBLE_ERROR_ARGUMENT, "without an array");
    options.interval_capacity = 0;
    options.tolerance = nextafter(TUMBLE_MOTION_LEAST_TOLERANCE, 0);
    test_assert_status(w->context, tumble_contact_intervals(w->query, model, NULL, model, NULL, &options, &r),
                       TUMBLE_ERROR_ARGUMENT, "tolerance");
    options = tumble_default_contact_intervals_options();
    options.clearance = -1;
    test_assert_status(w->context, tumble_contact_intervals(w->query, model, NULL, model, NULL, &options, &r),
                       TUMBLE_ERROR_ARGUMENT, "clearance");
    tumble_model_destroy(model);
}

static tumble_status ask(test_world *w, void *user)
{
    tumble_model *const *models = user;
    tumble_query *query;
    tumble_motion motion = tumble_motion_still(NULL);
    tumble_contact_intervals_result r;
    motion.angle = 10;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        status = tumble_contact_intervals(query, models[0], &motion, models[1], NULL, NULL, &r);
        tumble_query_destroy(query);
    }
    return status;
}

static void allocations_fail(void **state)
{
    test_world *w = *state;
    tumble_model *models[2] = {triangle(w, hand_corners), triangle(w, pin_corners)};
    for (int how = 0; how < 3; how++)
        assert_true(test_fail_each(w, (test_failing)how, ask, NULL, models) > 3);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(turns),     TEST_IN_WORLD(passage),          TEST_IN_WORLD(samples_agree),
        TEST_IN_WORLD(arguments), TEST_IN_WORLD(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
