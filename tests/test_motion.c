/* First contact of models in motion: dense samples with exact predicates never contradict it. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/turn.h"
#include "scenes.h"

enum {
    HIERARCHIES = 5
};

#define PI 3.14159265358979323846

static const tumble_hierarchy hierarchies[HIERARCHIES] = {TUMBLE_HIERARCHY_BRUTE, TUMBLE_HIERARCHY_WIDE,
                                                          TUMBLE_HIERARCHY_BOXTREE, TUMBLE_HIERARCHY_KDOP,
                                                          TUMBLE_HIERARCHY_RTREE};

static tumble_model *model_of(test_world *w, const models_mesh *mesh, int hierarchy)
{
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = hierarchies[hierarchy];
    return test_model(w->context, mesh, &options);
}

static tumble_first_contact_result first_contact(test_world *w, const tumble_model *a, const tumble_motion *motion_a,
                                                 const tumble_model *b, const tumble_motion *motion_b,
                                                 const tumble_first_contact_options *options)
{
    tumble_first_contact_result r;
    test_assert_status(w->context, tumble_first_contact(w->query, a, motion_a, b, motion_b, options, &r), TUMBLE_OK,
                       "");
    return r;
}

static double distance_at(test_world *w, const tumble_model *a, const tumble_motion *motion_a, const tumble_model *b,
                          const tumble_motion *motion_b, double time)
{
    const tumble_pose pose_a = tumble_motion_pose(motion_a, time), pose_b = tumble_motion_pose(motion_b, time);
    tumble_distance_result r;
    assert_int_equal(tumble_distance(w->query, a, &pose_a, b, &pose_b, NULL, &r), TUMBLE_OK);
    return r.answer == TUMBLE_YES ? r.nearest.distance : INFINITY;
}

static int are_within(test_world *w, const tumble_model *a, const tumble_motion *motion_a, const tumble_model *b,
                      const tumble_motion *motion_b, double time, double clearance)
{
    const tumble_pose pose_a = tumble_motion_pose(motion_a, time), pose_b = tumble_motion_pose(motion_b, time);
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result r;
    options.mode = TUMBLE_TEST;
    options.clearance = clearance;
    assert_int_equal(tumble_collide(w->query, a, &pose_a, b, &pose_b, &options, &r), TUMBLE_OK);
    return r.collide;
}

/* No sample of the free time is in contact; at the time of contact they are as near as the error says. */
static void check(test_world *w, const tumble_model *a, const tumble_motion *motion_a, const tumble_model *b,
                  const tumble_motion *motion_b, const tumble_first_contact_options *options,
                  const tumble_first_contact_result *r, size_t samples)
{
    assert_true(r->is_complete);
    assert_int_equal(r->answer, r->touching_at < INFINITY ? TUMBLE_YES : TUMBLE_NO);
    for (size_t i = 0; i < samples && r->free_until > 0; i++) {
        const double time = r->free_until * ((double)i / (double)samples);
        assert_false(are_within(w, a, motion_a, b, motion_b, time, options->clearance));
    }
    if (r->answer == TUMBLE_NO) {
        assert_true(r->free_until == 1);
        assert_false(are_within(w, a, motion_a, b, motion_b, 1, options->clearance));
        return;
    }
    assert_true(r->free_until <= r->touching_at && r->touching_at <= 1);
    assert_true(r->touching_at - r->free_until <= options->tolerance + (r->error > 0 ? 0 : 0x1p-52)); /* next doubles */
    const double slack = r->error > 0 ? r->error : 1e-14; /* an exact time is rounded, and so are the poses at it */
    assert_true(distance_at(w, a, motion_a, b, motion_b, r->touching_at) <= options->clearance + slack);
    assert_true(r->witness.distance <= options->clearance + slack);
}

static void random_motion(test_random *random, double size, tumble_motion *motion)
{
    const double axis[3] = {test_random_range(random, -1, 1), test_random_range(random, -1, 1), 0.1};
    const double from[3] = {test_random_range(random, -size, size), test_random_range(random, -size, size), 0};
    tumble_context *context;
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    *motion = tumble_motion_still(NULL);
    assert_int_equal(
        tumble_pose_from_axis_angle(context, axis, test_random_range(random, -4, 4), 1, from, &motion->from),
        TUMBLE_OK);
    tumble_context_destroy(context);
    for (int k = 0; k < 3; k++) {
        motion->translation[k] = test_random_range(random, -size, size);
        motion->axis[k] = test_random_range(random, -1, 1);
        motion->point[k] = test_random_range(random, -1, 1);
    }
    motion->angle = test_random_chance(random, 0.25)
                        ? 0
                        : test_random_range(random, -1, 1) * (1 << test_random_whole(random, 0, 4));
}

static void samples_agree(void **state)
{
    test_world *w = *state;
    test_random random = {72};
    size_t seen[4] = {0, 0, 0, 0};
    for (size_t n = 0; n < test_count(60); n++) {
        models_mesh meshes[2] = {{0}, {0}};
        tumble_motion motions[2];
        tumble_model *models[2][HIERARCHIES];
        tumble_first_contact_options options = tumble_default_first_contact_options();
        const double radius = test_random_chance(&random, 0.3) ? 0.1 : 0;
        options.clearance = test_random_chance(&random, 0.3) ? 0.2 : 0;
        options.tolerance = test_random_chance(&random, 0.5) ? 0 : 1e-4;
        for (int side = 0; side < 2; side++) {
            test_make_soup(&meshes[side], &random, 30, 0.4);
            random_motion(&random, n % 3 ? 3 : 8, &motions[side]);
            for (int h = 0; h < HIERARCHIES; h++) {
                models[side][h] = model_of(w, &meshes[side], h);
                assert_int_equal(tumble_model_set_radius(models[side][h], side ? radius : 0), TUMBLE_OK);
            }
        }
        double first = -1, last = -1, error = 0;
        for (int h = 0; h < HIERARCHIES; h++) {
            const tumble_model *a = models[0][h], *b = models[1][((size_t)h + n) % HIERARCHIES];
            const tumble_first_contact_result r = first_contact(w, a, &motions[0], b, &motions[1], &options);
            check(w, a, &motions[0], b, &motions[1], &options, &r, h == 0 ? 600 : 40);
            assert_true(h == 0 || r.free_until <= last + 1e-6); /* what is within the error may be contact or not */
            assert_true(h == 0 || fmin(r.touching_at, 1) >= first - 1e-6);
            first = h ? fmax(first, r.free_until) : r.free_until;
            last = h ? fmin(last, fmin(r.touching_at, 1)) : fmin(r.touching_at, 1);
            error = fmax(error, r.error);
            seen[r.answer == TUMBLE_NO ? 0 : r.touching_at == 0 ? 1 : r.free_until == r.touching_at ? 2 : 3]++;
        }
        assert_true(error < 1e-10);
        for (int h = 0; h < HIERARCHIES; h++) {
            tumble_model_destroy(models[0][h]);
            tumble_model_destroy(models[1][h]);
        }
        models_free(&meshes[0]);
        models_free(&meshes[1]);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(seen[i] > 0 || test_effort() < 1);
    }
}

/* ---- Motions whose contacts are known ---- */

/* A square plate across the x axis, of side 2. */
static tumble_model *plate(test_world *w, double x)
{
    models_mesh mesh = {0};
    const double u[3] = {0, 1, 0}, v[3] = {0, 0, 1}, centre[3] = {x, 0, 0};
    test_make_patch(&mesh, 2, u, v, centre, 2);
    tumble_model *model = model_of(w, &mesh, 1);
    models_free(&mesh);
    return model;
}

static void speeds(void **state)
{
    test_world *w = *state;
    tumble_model *wall = plate(w, 0.3), *thin = plate(w, 0);
    tumble_first_contact_options options = tumble_default_first_contact_options();
    options.tolerance = 0;
    static const double ways[] = {0.3, 1, 3, 1e3, 1e9, 1e100, 1e300, 1e-300, 0};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        for (int turning = 0; turning < 2; turning++) {
            tumble_motion motion = tumble_motion_still(NULL);
            motion.translation[0] = ways[i];
            motion.axis[0] = 1, motion.axis[2] = 0;
            motion.angle = turning ? 2 : 0;
            const tumble_first_contact_result r = first_contact(w, wall, NULL, thin, &motion, &options);
            assert_int_equal(r.answer, ways[i] >= 0.3 ? TUMBLE_YES : TUMBLE_NO);
            if (ways[i] >= 0.3) {
                assert_true(r.free_until <= 0.3 / ways[i] * (1 + 1e-15) && r.touching_at * ways[i] >= 0.3 * (1 - 1e-9));
                assert_true(r.touching_at - r.free_until <= 1e-9 * r.touching_at);
                assert_true(r.touching_at * ways[i] <= 0.3 * (1 + 1e-9));
            }
        }
    }
    tumble_model_destroy(wall);
    tumble_model_destroy(thin);
}

/* A clock's hand, at 3 o'clock, and a pin where it comes after a part of a turn. */
static void turns(void **state)
{
    test_world *w = *state;
    models_mesh hand = {0}, pin = {0};
    models_triangle(&hand, models_point(&hand, 0, 0, 0), models_point(&hand, 2, 0, 0), models_point(&hand, 1, 0, 1));
    models_triangle(&pin, models_point(&pin, -1, 0, 0.25), models_point(&pin, -1, 0, 0.5),
                    models_point(&pin, -1.25, 0, 0.25));
    tumble_model *a = model_of(w, &hand, 1), *b = model_of(w, &pin, 2);
    tumble_first_contact_options options = tumble_default_first_contact_options();
    options.tolerance = 0;
    static const double angles[] = {3, PI - 1e-9, PI, 3.15, 2 * PI, 200 * PI, -200 * PI, 1e5};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        tumble_motion motion = tumble_motion_still(NULL);
        motion.axis[2] = 3;
        motion.angle = angles[i];
        const tumble_first_contact_result r = first_contact(w, a, &motion, b, NULL, &options);
        assert_int_equal(r.answer, fabs(angles[i]) < PI ? TUMBLE_NO : TUMBLE_YES);
        if (r.answer == TUMBLE_YES)
            assert_true(fabs(r.touching_at * fabs(angles[i]) - PI) <= 1e-9 && r.free_until * fabs(angles[i]) <= PI);
        motion.translation[2] = 1000; /* a screw: gone before it comes round */
        if (fabs(angles[i]) < 1000)
            assert_int_equal(first_contact(w, a, &motion, b, NULL, &options).answer, TUMBLE_NO);
    }
    tumble_model_destroy(a);
    tumble_model_destroy(b);
    models_free(&hand);
    models_free(&pin);
}

/* Both turn about the same axis: a small gap stays all the time. */
static void together(void **state)
{
    test_world *w = *state;
    tumble_model *one = plate(w, 1), *other = plate(w, 1.001);
    tumble_motion motion = tumble_motion_still(NULL);
    motion.angle = 3;
    motion.translation[0] = 7;
    const tumble_first_contact_options options = tumble_default_first_contact_options();
    tumble_first_contact_result r = first_contact(w, one, &motion, other, &motion, &options);
    assert_int_equal(r.answer, TUMBLE_NO);
    r = first_contact(w, one, &motion, one, &motion, &options);
    assert_true(r.answer == TUMBLE_YES && r.free_until == 0 && r.touching_at == 0);
    tumble_model_destroy(one);
    tumble_model_destroy(other);
}

/* ---- Budgets, arguments, memory ---- */

static tumble_model *ball(test_world *w, double radius, uint32_t detail)
{
    models_mesh mesh = {0};
    const double shift[3] = {0, 0, 0};
    test_make_grid_box(&mesh, detail);
    test_transform(&mesh, radius / detail, shift);
    tumble_model *model = model_of(w, &mesh, 1);
    models_free(&mesh);
    return model;
}

static void budgets(void **state)
{
    test_world *w = *state;
    tumble_model *a = ball(w, 1, 6), *b = ball(w, 1, 6);
    tumble_motion motion = tumble_motion_still(NULL);
    tumble_first_contact_options options = tumble_default_first_contact_options();
    motion.from.m[0][3] = motion.point[0] = -5, motion.translation[0] = 8, motion.translation[1] = 0.3;
    motion.angle = 2;
    const tumble_first_contact_result plain = first_contact(w, a, NULL, b, &motion, &options);
    options.budget_box_tests = UINT64_MAX; /* with a budget, all is left to the search */
    const tumble_first_contact_result whole = first_contact(w, a, NULL, b, &motion, &options);
    assert_true(whole.answer == TUMBLE_YES && whole.is_complete);
    assert_true(plain.free_until <= whole.touching_at && plain.touching_at >= whole.free_until);
    size_t maybe = 0;
    double proven = 0;
    for (uint64_t tests = 1; tests <= 2 * (whole.counters.box_tests + whole.counters.primitive_tests); tests *= 2) {
        options.budget_box_tests = tests;
        const tumble_first_contact_result r = first_contact(w, a, NULL, b, &motion, &options);
        assert_true(r.answer == TUMBLE_YES ||
                    (r.answer == TUMBLE_MAYBE && r.touching_at == INFINITY && !r.is_complete));
        assert_true(r.free_until <= whole.touching_at && r.free_until >= proven);
        assert_true(r.is_complete || r.counters.box_tests + r.counters.primitive_tests >= tests);
        proven = r.free_until;
        maybe += r.answer == TUMBLE_MAYBE;
    }
    assert_true(maybe > 3 && proven == whole.free_until);
    options.budget_box_tests = 0;
    options.budget_microseconds = 1e-3;
    assert_int_equal(first_contact(w, a, NULL, b, &motion, &options).answer, TUMBLE_MAYBE);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

static void arguments(void **state)
{
    test_world *w = *state;
    tumble_model *model = ball(w, 1, 1);
    tumble_first_contact_result r;
    tumble_first_contact_options options = tumble_default_first_contact_options();
    assert_int_equal(tumble_first_contact(NULL, model, NULL, model, NULL, NULL, &r), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_first_contact(w->query, NULL, NULL, model, NULL, NULL, &r),
                       TUMBLE_ERROR_ARGUMENT, "model is null");
    test_assert_status(w->context, tumble_first_contact(w->query, model, NULL, model, NULL, NULL, NULL),
                       TUMBLE_ERROR_ARGUMENT, "result is null");
    double *const numbers[] = {&options.clearance, &options.tolerance, &options.budget_microseconds};
    for (int i = 0; i < 3; i++) {
        const double kept = *numbers[i];
        for (int bad = 0; bad < 2; bad++) {
            *numbers[i] = bad ? NAN : -1;
            test_assert_status(w->context, tumble_first_contact(w->query, model, NULL, model, NULL, &options, &r),
                               TUMBLE_ERROR_ARGUMENT, "first_contact");
        }
        *numbers[i] = kept;
    }
    const struct {
        size_t offset;
        double value;
        tumble_status status;
        const char *words;
    } cases[] = {{offsetof(tumble_motion, from), 3, TUMBLE_ERROR_POSE, "column"},
                 {offsetof(tumble_motion, translation), NAN, TUMBLE_ERROR_NOT_FINITE, "translation"},
                 {offsetof(tumble_motion, axis), INFINITY, TUMBLE_ERROR_NOT_FINITE, "axis"},
                 {offsetof(tumble_motion, point), INFINITY, TUMBLE_ERROR_NOT_FINITE, "point"},
                 {offsetof(tumble_motion, angle), NAN, TUMBLE_ERROR_NOT_FINITE, "angle"},
                 {offsetof(tumble_motion, angle), 1.1e6, TUMBLE_ERROR_TOO_LARGE, "angle"},
                 {offsetof(tumble_motion, translation), DBL_MAX, TUMBLE_ERROR_NOT_FINITE, "beyond the range"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tumble_motion motion = tumble_motion_still(NULL), other = motion;
        memcpy((char *)&motion + cases[i].offset, &cases[i].value, sizeof(double));
        other.translation[0] = cases[i].value == DBL_MAX ? -DBL_MAX : 0;
        test_assert_status(w->context, tumble_first_contact(w->query, model, &motion, model, &other, NULL, &r),
                           cases[i].status, cases[i].words);
    }
    options.begin = 0.5, options.end = 0.4;
    test_assert_status(w->context, tumble_first_contact(w->query, model, NULL, model, NULL, &options, &r),
                       TUMBLE_ERROR_ARGUMENT, "from 0.5 to 0.4");
    const double ends[2][3] = {{5, 0, 0}, {6, 0, 0}};
    tumble_model *cylinder;
    assert_int_equal(tumble_model_create_cylinder(w->context, ends[0], ends[1], 1, NULL, &cylinder), TUMBLE_OK);
    for (int side = 0; side < 2; side++)
        test_assert_status(
            w->context,
            tumble_first_contact(w->query, side ? model : cylinder, NULL, side ? cylinder : model, NULL, NULL, &r),
            TUMBLE_ERROR_UNSUPPORTED, "cylinders");
    tumble_model_destroy(cylinder);
    tumble_motion motion = tumble_motion_still(NULL);
    motion.angle = 1, motion.axis[2] = 0;
    test_assert_status(w->context, tumble_motion_check(w->context, &motion), TUMBLE_ERROR_ARGUMENT, "axis is 0");
    assert_int_equal(tumble_motion_check(w->context, NULL), TUMBLE_OK);
    assert_int_equal(tumble_motion_check(NULL, &motion), TUMBLE_ERROR_ARGUMENT);
    tumble_model_destroy(model);
}

static void empty_models(void **state)
{
    test_world *w = *state;
    models_mesh none = {0};
    tumble_model *empty = model_of(w, &none, 1), *model = ball(w, 1, 1);
    const tumble_first_contact_result r = first_contact(w, empty, NULL, model, NULL, NULL);
    assert_true(r.answer == TUMBLE_NO && r.free_until == 1);
    tumble_model_destroy(empty);
    tumble_model_destroy(model);
}

typedef struct question {
    tumble_model *a, *b;
    tumble_motion motion;
    size_t calls;
} question;

static tumble_status ask(test_world *w, void *user)
{
    question *q = user;
    tumble_query *query;
    tumble_first_contact_result r;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        status = tumble_first_contact(query, q->a, NULL, q->b, &q->motion, NULL, &r);
        tumble_query_destroy(query);
    }
    return status;
}

static void allocations_fail(void **state)
{
    test_world *w = *state;
    question q = {.a = ball(w, 1, 3), .b = ball(w, 1, 3), .motion = tumble_motion_still(NULL)};
    q.motion.from.m[0][3] = q.motion.point[0] = -5, q.motion.translation[0] = 8, q.motion.translation[1] = 0.3;
    for (int turning = 0; turning < 2; turning++) {
        q.motion.angle = turning;
        for (int how = 0; how < 3; how++)
            assert_true(test_fail_each(w, (test_failing)how, ask, NULL, &q) > 3);
        tumble_first_contact_result r = first_contact(w, q.a, NULL, q.b, &q.motion, NULL);
        assert_int_equal(r.answer, TUMBLE_YES);
        const size_t warm = w->memory.calls;
        (void)first_contact(w, q.a, NULL, q.b, &q.motion, NULL);
        assert_int_equal(w->memory.calls, warm);
    }
    tumble_model_destroy(q.a);
    tumble_model_destroy(q.b);
}

static bool stop(void *user)
{
    ++*(int *)user;
    return true;
}

static void progress_stops(void **state)
{
    test_world *w = *state;
    tumble_model *a = ball(w, 1, 20);
    tumble_motion motion = tumble_motion_still(NULL);
    tumble_first_contact_result r;
    int calls = 0;
    motion.from.m[0][3] = 1.0001, motion.point[0] = 1.0001, motion.axis[0] = 1, motion.axis[2] = 0, motion.angle = 1000;
    assert_int_equal(tumble_query_set_progress(w->query, stop, &calls), TUMBLE_OK);
    assert_int_equal(tumble_first_contact(w->query, a, NULL, a, &motion, NULL, &r), TUMBLE_ERROR_CANCELLED);
    assert_int_equal(tumble_query_set_progress(w->query, NULL, NULL), TUMBLE_OK);
    assert_int_equal(calls, 1);
    tumble_model_destroy(a);
}

/* ---- Poses of motions ---- */

static void between_poses(void **state)
{
    test_world *w = *state;
    test_random random = {73};
    for (size_t n = 0; n < test_count(2000); n++) {
        const double scale = n % 5 ? 1 : 3;
        const double axis[3] = {test_random_whole(&random, -1, 1), test_random_range(&random, -1, 1), 0.5};
        const double shift[3] = {test_random_range(&random, -9, 9), 2, 3}, centre[3] = {1, 2, -1};
        tumble_pose from, to;
        tumble_motion motion;
        const double angle = n % 4 == 0 ? 0 : n % 4 == 1 ? PI : test_random_range(&random, -7, 7);
        assert_int_equal(tumble_pose_from_axis_angle(w->context, axis, 1.1 * (double)n, scale, shift, &from),
                         TUMBLE_OK);
        assert_int_equal(tumble_pose_from_axis_angle(w->context, shift, angle, scale, axis, &to), TUMBLE_OK);
        if (n % 4 < 2)
            to = tumble_pose_compose(&to, &from);
        if (n % 4 < 2 && scale != 1)
            continue;
        assert_int_equal(tumble_motion_between(w->context, &from, &to, n % 2 ? centre : NULL, &motion), TUMBLE_OK);
        const tumble_pose begin = tumble_motion_pose(&motion, 0), end = tumble_motion_pose(&motion, 1);
        assert_memory_equal(&begin, &from, sizeof from);
        for (int i = 0; i < 12; i++)
            assert_true(fabs(end.m[i / 4][i % 4] - to.m[i / 4][i % 4]) <= 1e-13 * 40);
        assert_true(fabs(motion.angle) <= PI);
    }
    const tumble_pose one = tumble_pose_identity();
    tumble_pose two = one, bad = one;
    tumble_motion motion;
    two.m[0][0] = two.m[1][1] = two.m[2][2] = 2;
    bad.m[0][0] = 9;
    test_assert_status(w->context, tumble_motion_between(w->context, &one, &two, NULL, &motion), TUMBLE_ERROR_POSE,
                       "scales 1 and 2");
    test_assert_status(w->context, tumble_motion_between(w->context, &one, &bad, NULL, &motion), TUMBLE_ERROR_POSE, "");
    test_assert_status(w->context, tumble_motion_between(w->context, &one, NULL, NULL, &motion), TUMBLE_ERROR_ARGUMENT,
                       "null");
    assert_int_equal(tumble_motion_between(NULL, &one, &one, NULL, &motion), TUMBLE_ERROR_ARGUMENT);
    const double nowhere[3] = {NAN, 0, 0};
    test_assert_status(w->context, tumble_motion_between(w->context, &one, &one, nowhere, &motion),
                       TUMBLE_ERROR_NOT_FINITE, "");
}

/* Sines and cosines are within 2^-50, with the digits of long doubles. */
static void sines(void **state)
{
    (void)state;
    test_random random = {74};
    for (size_t n = 0; n < test_count(200000); n++) {
        const double angle = test_random_range(&random, -1, 1) * ldexp(1, test_random_whole(&random, -20, 19));
        const double time = n % 7 == 0 ? 1 : test_random_unit(&random);
        const long double exact = (long double)time * (long double)angle; /* to 2^-64 of it */
        const tmb_turn turn = tmb_turn_by(time, angle);
        const long double slack = 0x1p-50L + fabsl(exact) * 0x1p-62L;
        assert_true(fabsl((long double)turn.sine - sinl(exact)) <= slack);
        assert_true(fabsl((long double)turn.cosine - cosl(exact)) <= slack);
    }
    const tmb_turn none = tmb_turn_by(0, 3);
    assert_true(none.sine == 0 && none.cosine == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(samples_agree),  TEST_IN_WORLD(speeds),        TEST_IN_WORLD(turns),
        TEST_IN_WORLD(together),       TEST_IN_WORLD(budgets),       TEST_IN_WORLD(arguments),
        TEST_IN_WORLD(empty_models),   TEST_IN_WORLD(between_poses), TEST_IN_WORLD(allocations_fail),
        TEST_IN_WORLD(progress_stops), cmocka_unit_test(sines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
