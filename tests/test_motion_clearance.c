/* How close two moving models come: samples never contradict the bounds, and known cases are met. */
#include <math.h>
#include <string.h>

#include "scenes.h"

#define PI 3.14159265358979323846

enum {
    HIERARCHIES = 5
};

static const tumble_hierarchy hierarchies[HIERARCHIES] = {TUMBLE_HIERARCHY_BRUTE, TUMBLE_HIERARCHY_WIDE,
                                                          TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                                          TUMBLE_HIERARCHY_RTREE};

static tumble_model *model_of(test_world *w, const models_mesh *mesh, int hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchies[hierarchy];
    return test_model(w->context, mesh, &options);
}

static tumble_model *triangle(test_world *w, const double corners[9])
{
    models_mesh mesh = {0};
    for (int i = 0; i < 3; i++)
        models_point(&mesh, corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]);
    models_triangle(&mesh, 0, 1, 2);
    tumble_model *model = model_of(w, &mesh, 1);
    models_free(&mesh);
    return model;
}

static tumble_clearance_along_result clearance(test_world *w, tumble_model *const models[2],
                                               const tumble_motion motions[2],
                                               const tumble_clearance_along_options *options)
{
    tumble_clearance_along_result r;
    test_assert_status(w->context,
                       tumble_clearance_along(w->query, models[0], &motions[0], models[1], &motions[1], options, &r),
                       TUMBLE_OK, "");
    return r;
}

static double distance_at(test_world *w, tumble_model *const models[2], const tumble_motion motions[2], double time)
{
    const tumble_pose poses[2] = {tumble_motion_pose(&motions[0], time), tumble_motion_pose(&motions[1], time)};
    tumble_distance_result r;
    assert_int_equal(tumble_distance(w->query, models[0], &poses[0], models[1], &poses[1], NULL, &r), TUMBLE_OK);
    return r.nearest.distance;
}

static void random_motion(test_random *random, double size, tumble_motion *motion)
{
    *motion = tumble_motion_still(NULL);
    motion->from = test_rational_turn(random);
    for (int k = 0; k < 3; k++) {
        motion->from.m[k][3] = test_random_range(random, -size, size);
        motion->translation[k] = test_random_range(random, -size, size);
        motion->axis[k] = test_random_range(random, -1, 1);
        motion->point[k] = test_random_range(random, -1, 1);
    }
    motion->angle = test_random_chance(random, 0.3) ? 0 : test_random_range(random, -7, 7);
}

/* ---- Samples ---- */

static void check(test_world *w, tumble_model *const models[2], const tumble_motion motions[2],
                  const tumble_clearance_along_options *options, const tumble_clearance_along_result *r)
{
    const double slack = 1e-11;
    assert_true(r->is_complete && r->lower >= 0 && r->lower <= r->upper);
    assert_true(r->upper - r->lower <= options->relative_error * r->upper + options->absolute_error + slack);
    assert_true(r->time >= options->begin && r->time <= options->end);
    const double there = distance_at(w, models, motions, r->time);
    assert_true(there <= r->upper && there >= r->lower);
    assert_true(fabs(r->nearest.distance - r->upper) <= slack); /* which has room for the rounding of poses */
    for (int i = 0; i <= 500; i++) {
        const double time = options->begin + i * (options->end - options->begin) / 500;
        assert_true(distance_at(w, models, motions, time) >= r->lower);
    }
}

static void samples_agree(void **state)
{
    test_world *w = *state;
    test_random random = {101};
    size_t apart = 0, together = 0;
    for (size_t n = 0; n < test_count(40); n++) {
        models_mesh meshes[2] = {{0}, {0}};
        tumble_motion motions[2];
        tumble_clearance_along_options options = tumble_default_clearance_along_options();
        if (n % 4 == 1)
            options.relative_error = 0.1;
        if (n % 4 == 2)
            options.relative_error = 0, options.absolute_error = 1e-3;
        if (n % 4 == 3)
            options.begin = 0.25, options.end = 0.625;
        for (int side = 0; side < 2; side++) {
            test_make_soup(&meshes[side], &random, 30, 0.3);
            random_motion(&random, n % 5 ? 4 : 1.5, &motions[side]);
        }
        for (int h = 0; h < HIERARCHIES; h++) {
            tumble_model *models[2] = {model_of(w, &meshes[0], h), model_of(w, &meshes[1], (h + 2) % HIERARCHIES)};
            if (n % 3 == 0)
                assert_int_equal(tumble_model_set_radius(models[1], 0.125), TUMBLE_OK);
            const tumble_clearance_along_result r = clearance(w, models, motions, &options);
            check(w, models, motions, &options, &r);
            apart += r.lower > 0;
            together += r.lower == 0;
            tumble_model_destroy(models[0]);
            tumble_model_destroy(models[1]);
        }
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    assert_true((double)apart > 20 * test_effort() && (double)together > 20 * test_effort());
}

/* ---- Known cases ---- */

static const double wall_corners[9] = {0, -1, -1, 0, 1, -1, 0, 0, 1};

/* A plate flies past the tip of a wall, at any speed, and turns about its own normal while it does so. */
static void flies_past(void **state)
{
    test_world *w = *state;
    static const double plate_corners[9] = {-1, 0, 0, 1, -1, 0, 1, 1, 0};
    tumble_model *models[2] = {triangle(w, wall_corners), triangle(w, plate_corners)};
    const tumble_clearance_along_options options = tumble_default_clearance_along_options();
    static const double ways[] = {8, 1e3, 1e6};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (int turning = 0; turning < 2; turning++) {
            tumble_motion motions[2] = {tumble_motion_still(NULL), tumble_motion_still(NULL)};
            motions[1].from.m[0][3] = motions[1].point[0] = -ways[i] / 2;
            motions[1].from.m[2][3] = motions[1].point[2] = 1.25;
            motions[1].translation[0] = ways[i];
            motions[1].angle = turning ? 20 : 0;
            const tumble_clearance_along_result r = clearance(w, models, motions, &options);
            assert_true(r.is_complete && r.lower <= 0.25 && r.upper >= 0.25);
            assert_true(r.upper - r.lower <= 1e-6 * r.upper + 1e-12 * ways[i]);
            assert_true(fabs(r.time - 0.5) <= 2 / ways[i]);
            assert_true(fabs(r.nearest.point_a[2] - 1) <= 1e-9 && fabs(r.nearest.point_b[2] - 1.25) <= 1e-9);
        }
    }
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

/* The tip of a hand and a pin beyond its reach: closest when the hand points at it. */
static void hand_and_pin(void **state)
{
    test_world *w = *state;
    static const double hand[9] = {0, 0, 0, 2, 0, 0, 1, 0, 0.125}, pin[9] = {0, 2.5, 0, 0, 3, 0, 0, 3, 1};
    tumble_model *models[2] = {triangle(w, hand), triangle(w, pin)};
    tumble_motion motions[2] = {tumble_motion_still(NULL), tumble_motion_still(NULL)};
    static const double angles[] = {PI, 2 * PI, 0.5 * PI, 100 * PI, -1.5 * PI};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        motions[0].angle = angles[i];
        const tumble_clearance_along_result r = clearance(w, models, motions, NULL);
        assert_true(r.is_complete && r.lower <= 0.5 + 1e-12 && r.upper >= 0.5 - 1e-12 && r.upper <= 0.500001);
        const double angle = r.time * angles[i], rest = fmod(angle - PI / 2, 2 * PI);
        assert_true(fabs(rest) < 2e-3 || fabs(fabs(rest) - 2 * PI) < 2e-3);
    }
    motions[0].angle = 1; /* not so far: the end of the motion is the closest */
    const tumble_clearance_along_result r = clearance(w, models, motions, NULL);
    const double gap = hypot(2 * cos(1), 2.5 - 2 * sin(1));
    assert_true(r.time == 1 && r.lower <= gap + 1e-12 && r.upper >= gap - 1e-12 && r.upper - r.lower <= 1.4e-6);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

/* A gap that stays the same all the time, of models that move alike. */
static void together(void **state)
{
    test_world *w = *state;
    double shifted[9];
    memcpy(shifted, wall_corners, sizeof shifted);
    for (int i = 0; i < 3; i++)
        shifted[3 * i] += 0.5;
    tumble_model *models[2] = {triangle(w, wall_corners), triangle(w, shifted)};
    tumble_motion motion = tumble_motion_still(NULL);
    motion.translation[1] = 7, motion.angle = 3;
    const tumble_motion motions[2] = {motion, motion};
    tumble_clearance_along_options options = tumble_default_clearance_along_options();
    options.relative_error = 1e-3;
    const tumble_clearance_along_result r = clearance(w, models, motions, &options);
    assert_true(r.is_complete && r.lower >= 0.4995 - 1e-12 && r.lower <= 0.5 && r.upper >= 0.5 - 1e-12);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

/* ---- Limits, budgets, arguments, memory ---- */

static tumble_model *box(test_world *w, uint32_t detail)
{
    models_mesh mesh = {0};
    const double shift[3] = {0, 0, 0};
    test_make_grid_box(&mesh, detail);
    test_transform(&mesh, 1.0 / detail, shift);
    tumble_model *model = model_of(w, &mesh, 1);
    models_free(&mesh);
    return model;
}

static tumble_motion past_the_box(void)
{
    tumble_motion motion = tumble_motion_still(NULL);
    motion.from.m[0][3] = motion.point[0] = -5, motion.from.m[1][3] = motion.point[1] = 2.75, motion.translation[0] = 8;
    motion.angle = 2;
    return motion;
}

static void limits(void **state)
{
    test_world *w = *state;
    tumble_model *models[2] = {box(w, 4), box(w, 4)};
    const tumble_motion motions[2] = {tumble_motion_still(NULL), past_the_box()};
    tumble_clearance_along_options options = tumble_default_clearance_along_options();
    const tumble_clearance_along_result whole = clearance(w, models, motions, &options);
    assert_true(whole.lower > 0);
    options.within = 0.5 * whole.lower; /* nothing comes that close */
    tumble_clearance_along_result r = clearance(w, models, motions, &options);
    assert_true(r.is_complete && r.lower >= options.within * (1 - 1e-9) && r.upper >= whole.lower);
    options.within = 2 * whole.upper;
    r = clearance(w, models, motions, &options);
    assert_true(r.lower <= whole.upper && r.upper >= whole.lower && r.upper - r.lower <= 1e-6 * r.upper + 1e-11);
    options.enough = 1.5 * whole.upper;
    r = clearance(w, models, motions, &options);
    assert_true(r.is_complete && r.upper <= options.enough && r.upper >= whole.lower && r.lower <= whole.upper);
    assert_true(r.counters.box_tests < whole.counters.box_tests);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

static void budgets(void **state)
{
    test_world *w = *state;
    tumble_model *models[2] = {box(w, 6), box(w, 6)};
    const tumble_motion motions[2] = {tumble_motion_still(NULL), past_the_box()};
    tumble_clearance_along_options options = tumble_default_clearance_along_options();
    const tumble_clearance_along_result whole = clearance(w, models, motions, &options);
    double lower = 0, upper = INFINITY;
    size_t unfinished = 0;
    const uint64_t all = whole.counters.box_tests + whole.counters.primitive_tests;
    for (uint64_t tests = 1; tests <= 2 * all; tests *= 2) {
        options.budget_box_tests = tests;
        const tumble_clearance_along_result r = clearance(w, models, motions, &options);
        assert_true(r.lower >= lower && r.upper <= upper && r.lower <= whole.upper && r.upper >= whole.lower);
        unfinished += !r.is_complete;
        lower = r.lower, upper = r.upper;
    }
    assert_true(unfinished > 3 && lower == whole.lower && upper == whole.upper);
    options.budget_box_tests = 0, options.budget_microseconds = 1e-3;
    assert_false(clearance(w, models, motions, &options).is_complete);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(models[1]);
}

static void arguments(void **state)
{
    test_world *w = *state;
    tumble_model *model = box(w, 1);
    tumble_clearance_along_options options = tumble_default_clearance_along_options();
    tumble_clearance_along_result r;
    assert_int_equal(tumble_clearance_along(NULL, model, NULL, model, NULL, NULL, &r), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_clearance_along(w->query, model, NULL, NULL, NULL, NULL, &r),
                       TUMBLE_ERROR_ARGUMENT, "clearance_along: a model is null");
    test_assert_status(w->context, tumble_clearance_along(w->query, model, NULL, model, NULL, NULL, NULL),
                       TUMBLE_ERROR_ARGUMENT, "clearance_along: the result is null");
    double *const numbers[] = {&options.relative_error, &options.absolute_error,      &options.within,
                               &options.enough,         &options.budget_microseconds, &options.begin};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double kept = *numbers[i];
        for (int bad = 0; bad < 2; bad++) {
            *numbers[i] = bad ? NAN : -1;
            test_assert_status(w->context, tumble_clearance_along(w->query, model, NULL, model, NULL, &options, &r),
                               TUMBLE_ERROR_ARGUMENT, "clearance_along");
        }
        *numbers[i] = kept;
    }
    tumble_motion motion = tumble_motion_still(NULL);
    motion.angle = 2e6;
    test_assert_status(w->context, tumble_clearance_along(w->query, model, &motion, model, NULL, NULL, &r),
                       TUMBLE_ERROR_TOO_LARGE, "angle");
    models_mesh none = {0};
    tumble_model *models[2] = {model_of(w, &none, 1), model};
    const tumble_motion still[2] = {tumble_motion_still(NULL), tumble_motion_still(NULL)};
    r = clearance(w, models, still, NULL);
    assert_true(r.is_complete && r.lower == INFINITY && r.upper == INFINITY);
    tumble_model_destroy(models[0]);
    tumble_model_destroy(model);
}

typedef struct question {
    tumble_model *models[2];
    tumble_motion motion;
} question;

static tumble_status ask(test_world *w, void *user)
{
    question *q = user;
    tumble_query *query;
    tumble_clearance_along_result r;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        status = tumble_clearance_along(query, q->models[0], NULL, q->models[1], &q->motion, NULL, &r);
        tumble_query_destroy(query);
    }
    return status;
}

static bool stop(void *user)
{
    ++*(int *)user;
    return true;
}

static void memory_and_progress(void **state)
{
    test_world *w = *state;
    question q = {{box(w, 3), box(w, 3)}, past_the_box()};
    for (int how = 0; how < 3; how++)
        assert_true(test_fail_each(w, (test_failing)how, ask, NULL, &q) > 3);
    const tumble_motion motions[2] = {tumble_motion_still(NULL), q.motion};
    (void)clearance(w, q.models, motions, NULL);
    const size_t warm = w->memory.calls;
    (void)clearance(w, q.models, motions, NULL);
    assert_int_equal(w->memory.calls, warm);
    tumble_clearance_along_options options = tumble_default_clearance_along_options();
    tumble_clearance_along_result r;
    int calls = 0;
    q.motion.angle = 1e4, options.relative_error = 0;
    assert_int_equal(tumble_query_set_progress(w->query, stop, &calls), TUMBLE_OK);
    assert_int_equal(tumble_clearance_along(w->query, q.models[0], NULL, q.models[1], &q.motion, &options, &r),
                     TUMBLE_ERROR_CANCELLED);
    assert_int_equal(tumble_query_set_progress(w->query, NULL, NULL), TUMBLE_OK);
    assert_int_equal(calls, 1);
    tumble_model_destroy(q.models[0]);
    tumble_model_destroy(q.models[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(samples_agree), TEST_IN_WORLD(flies_past),
        TEST_IN_WORLD(hand_and_pin),  TEST_IN_WORLD(together),
        TEST_IN_WORLD(limits),        TEST_IN_WORLD(budgets),
        TEST_IN_WORLD(arguments),     TEST_IN_WORLD(memory_and_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
