/* Motions at the edge of what there is: none, tiny ones, huge ones, half, whole and hundreds of turns. */
#include <math.h>
#include <stdio.h>

#include "scenes.h"

#define PI 3.14159265358979323846

enum {
    MOST = 1000
};

static const double wall_corners[9] = {0, -1, -1, 0, 1, -1, 0, 0, 1};
static const double hand_corners[9] = {0, 0, 0, 2, 0, 0, 1, 0, 1};
static const double pin_corners[9] = {-1, 0, 0.25, -1, 0, 0.5, -1.25, 0, 0.25};

static tumble_model *triangle(test_world *w, const double corners[9], double x)
{
    models_mesh mesh = {0};
    for (int i = 0; i < 3; i++)
        models_point(&mesh, corners[3 * i] + x, corners[3 * i + 1], corners[3 * i + 2]);
    models_triangle(&mesh, 0, 1, 2);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static tumble_first_contact_result first(test_world *w, const tumble_model *a, const tumble_model *b,
                                         const tumble_motion *motion_b)
{
    tumble_first_contact_result r;
    assert_int_equal(tumble_first_contact(w->query, a, NULL, b, motion_b, NULL, &r), TUMBLE_OK);
    return r;
}

/* All intervals; they are in order, and their times are. */
static size_t intervals(test_world *w, const tumble_model *a, const tumble_model *b, const tumble_motion *motion_b,
                        tumble_contact_interval *out)
{
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    tumble_contact_intervals_result r;
    options.intervals = out, options.interval_capacity = MOST;
    assert_int_equal(tumble_contact_intervals(w->query, a, NULL, b, motion_b, &options, &r), TUMBLE_OK);
    assert_true(r.interval_count <= MOST);
    for (size_t i = 0; i < r.interval_count; i++) {
        assert_true(out[i].free_until <= out[i].touching_at && out[i].touching_at <= out[i].touching_until);
        assert_true(out[i].touching_until <= out[i].free_from && out[i].free_from <= 1);
        assert_true(out[i].free_until >= (i ? out[i - 1].free_from : 0));
    }
    return r.interval_count;
}

static void none(void **state)
{
    test_world *w = *state;
    tumble_contact_interval found[MOST];
    tumble_model *wall = triangle(w, wall_corners, 0), *near = triangle(w, wall_corners, 1e-300);
    const tumble_motion still = tumble_motion_still(NULL);
    tumble_first_contact_result r = first(w, wall, near, &still);
    assert_true(r.answer == TUMBLE_NO && r.free_until == 1 && r.touching_at == INFINITY && r.error == 0);
    assert_int_equal(intervals(w, wall, near, &still, found), 0);
    r = first(w, wall, wall, &still);
    assert_true(r.answer == TUMBLE_YES && r.free_until == 0 && r.touching_at == 0);
    assert_int_equal(intervals(w, wall, wall, &still, found), 1);
    assert_true(found[0].free_until == 0 && found[0].touching_at == 0);
    assert_true(found[0].touching_until == 1 && found[0].free_from == 1);
    tumble_model_destroy(wall);
    tumble_model_destroy(near);
}

/* Gaps and ways of which the least doubles are made: exact. */
static void tiny(void **state)
{
    test_world *w = *state;
    tumble_contact_interval found[MOST];
    tumble_model *wall = triangle(w, wall_corners, 0);
    static const double sizes[] = {1e-300, 0x1p-1060, 1e-100, 1e-17};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tumble_motion motion = tumble_motion_still(NULL);
        motion.from.m[0][3] = sizes[i], motion.translation[0] = -4 * sizes[i];
        tumble_first_contact_result r = first(w, wall, wall, &motion);
        assert_true(r.answer == TUMBLE_YES && r.free_until == 0.25 && r.touching_at == 0.25);
        assert_int_equal(intervals(w, wall, wall, &motion, found), 1);
        assert_true(found[0].touching_at == 0.25 && found[0].free_from <= 0.25 + 1.1e-3);
        motion.translation[0] = -0.75 * sizes[i];
        assert_int_equal(first(w, wall, wall, &motion).answer, TUMBLE_NO);
        motion.translation[0] = sizes[i], motion.from.m[0][3] = 0; /* away from where it is */
        r = first(w, wall, wall, &motion);
        assert_true(r.answer == TUMBLE_YES && r.touching_at == 0);
        assert_int_equal(intervals(w, wall, wall, &motion, found), 1);
        assert_true(found[0].touching_until == 0 && found[0].free_from <= 1.1e-3);
    }
    tumble_motion turn = tumble_motion_still(NULL); /* a turn of which nothing can be seen */
    turn.from.m[0][3] = 0.125, turn.angle = 1e-300;
    assert_int_equal(first(w, wall, wall, &turn).answer, TUMBLE_NO);
    tumble_model_destroy(wall);
}

/* A wall passes another one that turns in its plane, at any speed. */
/* The least points at a scale that makes them normal numbers. */
static void scaled(void **state)
{
    test_world *w = *state;
    double corners[2][9];
    for (int i = 0; i < 9; i++) {
        corners[0][i] = wall_corners[i] * 0x1p-1074;
        corners[1][i] = hand_corners[i] * 0x1p-1074;
    }
    tumble_model *wall = triangle(w, corners[0], 0), *hand = triangle(w, corners[1], 0);
    for (int exponent = 100; exponent <= 1000; exponent += 300) {
        tumble_motion motions[2] = {tumble_motion_still(NULL), tumble_motion_still(NULL)};
        tumble_first_contact_result r;
        tumble_clearance_along_result close;
        for (int k = 0; k < 3; k++)
            motions[0].from.m[k][k] = motions[1].from.m[k][k] = ldexp(1, exponent);
        motions[1].from.m[0][3] = ldexp(4, exponent - 1074);
        motions[1].translation[0] = ldexp(-8, exponent - 1074);
        assert_int_equal(tumble_first_contact(w->query, wall, &motions[0], hand, &motions[1], NULL, &r), TUMBLE_OK);
        assert_true(r.answer == TUMBLE_YES && r.touching_at == 0.5 && r.free_until <= 0.5 && r.free_until > 0.499999);
        motions[1].translation[0] /= 4;
        assert_int_equal(tumble_first_contact(w->query, wall, &motions[0], hand, &motions[1], NULL, &r), TUMBLE_OK);
        assert_int_equal(r.answer, TUMBLE_NO);
        assert_int_equal(tumble_clearance_along(w->query, wall, &motions[0], hand, &motions[1], NULL, &close),
                         TUMBLE_OK);
        assert_true(close.lower <= ldexp(2, exponent - 1074) && close.upper >= ldexp(2, exponent - 1074));
    }
    tumble_model_destroy(wall);
    tumble_model_destroy(hand);
}

static void huge(void **state)
{
    test_world *w = *state;
    tumble_contact_interval found[MOST];
    tumble_model *wall = triangle(w, wall_corners, 0), *thin = triangle(w, wall_corners, -0.75);
    static const double ways[] = {1, 1e3, 1e9, 1e12};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (int turning = 0; turning < 2; turning++) {
            tumble_motion motion = tumble_motion_still(NULL);
            motion.translation[0] = ways[i];
            motion.axis[0] = 1, motion.axis[2] = 0, motion.angle = turning ? 100 : 0;
            const double time = 0.75 / ways[i], slack = 1e-11;
            const tumble_first_contact_result r = first(w, wall, thin, &motion);
            assert_int_equal(r.answer, TUMBLE_YES);
            assert_true(r.free_until <= time + 1e-16 && r.touching_at >= time * (1 - slack) - slack * turning);
            assert_int_equal(intervals(w, wall, thin, &motion, found), 1);
            assert_true(found[0].free_until <= time + 1e-16 && found[0].free_from >= time - slack * turning);
            assert_true(found[0].free_from <= time + 2.2e-3);
        }
    }
    tumble_motion far = tumble_motion_still(NULL); /* from far away, past where the wall is */
    far.from.m[0][3] = -1e300, far.translation[0] = 2e300;
    assert_int_equal(first(w, wall, thin, &far).answer, TUMBLE_YES);
    far.from.m[1][3] = 1e290;
    assert_int_equal(first(w, wall, thin, &far).answer, TUMBLE_NO);
    tumble_model_destroy(wall);
    tumble_model_destroy(thin);
}

/* A hand comes past a pin at a half of each turn, and starts and ends at another. */
static void turns(void **state)
{
    test_world *w = *state;
    tumble_contact_interval found[MOST];
    tumble_model *hand = triangle(w, hand_corners, 0), *pin = triangle(w, pin_corners, 0);
    static const struct {
        double turns;
        size_t contacts, from_itself;
    } cases[] = {{0.25, 0, 1}, {0.5, 1, 1}, {1, 1, 2}, {1.5, 2, 2}, {2, 2, 3}, {-0.5, 1, 1}, {100, 100, 101}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        tumble_motion motion = tumble_motion_still(NULL);
        motion.angle = 2 * PI * cases[n].turns;
        assert_int_equal(intervals(w, pin, hand, &motion, found), cases[n].contacts);
        for (size_t i = 0; i < cases[n].contacts; i++) {
            const double time = (0.5 + (double)i) / fabs(cases[n].turns);
            assert_true(found[i].free_until <= time + 1e-12 && found[i].free_from >= time - 1e-12);
            assert_true(found[i].free_from - found[i].free_until <= 3.1e-3);
        }
        /* beside a copy of itself that stays */
        assert_int_equal(intervals(w, pin, pin, &motion, found), cases[n].from_itself);
        assert_true(found[0].touching_at == 0 && found[0].free_from < 1);
        /* the point on the axis stays where it is */
        assert_int_equal(intervals(w, hand, hand, &motion, found), 1);
        assert_true(found[0].touching_at == 0 && found[0].touching_until == 1);
    }
    tumble_model_destroy(hand);
    tumble_model_destroy(pin);
}

/* No sample of time that is proven to be free is in contact. */
static void dense_samples(void **state)
{
    test_world *w = *state;
    test_random random = {91};
    static const double angles[] = {1e-300, 1e-9, PI, 2 * PI, 200 * PI, -7, 3, 1e4};
    const size_t samples = test_count(100000);
    size_t free = 0, taken = 0;
    for (size_t n = 0; n < sizeof angles / sizeof *angles; n++) {
        tumble_contact_interval found[MOST];
        tumble_model *models[2];
        tumble_motion motion = tumble_motion_still(NULL);
        for (int side = 0; side < 2; side++) {
            models_mesh mesh = {0};
            test_make_soup(&mesh, &random, 8, 0.5);
            models[side] = test_model(w->context, &mesh, NULL);
            models_free(&mesh);
        }
        for (int k = 0; k < 3; k++) {
            motion.axis[k] = test_random_range(&random, -1, 1);
            motion.point[k] = test_random_range(&random, -1, 1);
            motion.translation[k] = test_random_range(&random, -2, 2);
            motion.from.m[k][3] = test_random_range(&random, -1, 1);
        }
        motion.angle = angles[n];
        const size_t count = intervals(w, models[0], models[1], &motion, found);
        size_t next = 0;
        for (size_t i = 0; i <= samples; i++) {
            const double time = (double)i / (double)samples;
            while (next < count && found[next].free_from < time)
                next++;
            if (next < count && time >= found[next].free_until)
                continue;
            const tumble_pose pose = tumble_motion_pose(&motion, time);
            tumble_collide_options options = tumble_default_collide_options();
            tumble_collide_result r;
            options.mode = TUMBLE_TEST;
            assert_int_equal(tumble_collide(w->query, models[0], NULL, models[1], &pose, &options, &r), TUMBLE_OK);
            assert_false(r.collide);
            free++;
        }
        taken += samples + 1;
        tumble_model_destroy(models[0]);
        tumble_model_destroy(models[1]);
    }
    assert_true(free > taken / 20 && free < taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(none), TEST_IN_WORLD(tiny),  TEST_IN_WORLD(scaled),
        TEST_IN_WORLD(huge), TEST_IN_WORLD(turns), TEST_IN_WORLD(dense_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
