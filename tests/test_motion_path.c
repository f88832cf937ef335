/* Paths: questions about many motions, one after the other, are those about each of them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "motion/path.h"
#include "scenes.h"

enum {
    PIECES = 24
};

static const double wall_corners[9] = {0, -1, -1, 0, 1, -1, 0, 0, 1};

static tumble_model *triangle(test_world *w, double x)
{
    models_mesh mesh = {0};
    for (int i = 0; i < 3; i++)
        models_point(&mesh, wall_corners[3 * i] + x, wall_corners[3 * i + 1], wall_corners[3 * i + 2]);
    models_triangle(&mesh, 0, 1, 2);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

static tumble_model *soup(test_world *w, test_random *random)
{
    models_mesh mesh = {0};
    test_make_soup(&mesh, random, 20, 0.4);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    models_free(&mesh);
    return model;
}

/* Pieces that join, and times. */
static void random_path(test_world *w, test_random *random, double size, int turning, tumble_motion pieces[PIECES],
                        double times[PIECES + 1])
{
    tumble_pose pose = test_translation(test_random_range(random, -size, size), 0, 0);
    times[0] = test_random_range(random, -5, 5);
    for (int i = 0; i < PIECES; i++) {
        tumble_pose next = turning ? test_rational_turn(random) : tumble_pose_identity();
        for (int k = 0; k < 3; k++)
            next.m[k][3] = test_random_range(random, -size, size);
        assert_int_equal(tumble_motion_between(w->context, &pose, &next, NULL, &pieces[i]), TUMBLE_OK);
        times[i + 1] = times[i] + test_random_range(random, 0.1, 3);
        pose = next;
    }
}

static tumble_path path_of(const tumble_motion *pieces, size_t count, const double *times)
{
    return (tumble_path){.pieces = pieces, .piece_count = count, .times = times};
}

/* ---- Reading ---- */

static void reading(void **state)
{
    test_world *w = *state;
    test_random random = {111};
    tumble_motion pieces[PIECES];
    double times[PIECES + 1], part;
    random_path(w, &random, 3, 1, pieces, times);
    const tumble_path path = path_of(pieces, PIECES, times), whole = path_of(pieces, PIECES, NULL);
    assert_int_equal(tumble_path_check(w->context, &path), TUMBLE_OK);
    assert_int_equal(tumble_path_check(w->context, NULL), TUMBLE_OK);
    for (size_t i = 0; i < PIECES; i++) {
        assert_int_equal(tumble_path_piece(&path, times[i], &part), i);
        assert_true(part == 0);
        assert_int_equal(tumble_path_piece(&path, 0.25 * times[i] + 0.75 * times[i + 1], &part), i);
        assert_true(fabs(part - 0.75) < 1e-12);
        assert_int_equal(tumble_path_piece(&whole, (double)i + 0.5, &part), i);
        assert_true(part == 0.5);
        const tumble_pose pose = tumble_path_pose(&path, times[i]);
        assert_memory_equal(&pose, &pieces[i].from, sizeof pose);
    }
    assert_int_equal(tumble_path_piece(&path, -100, &part), 0);
    assert_true(part == 0);
    assert_int_equal(tumble_path_piece(&path, 1000, &part), PIECES - 1);
    assert_true(part == 1);
    assert_int_equal(tumble_path_piece(&path, times[PIECES], NULL), PIECES - 1);
}

/* ---- Answers ---- */

/* Each passage through a wall is at a quotient of whole numbers; proven times are not on the wrong side of it. */
static void passages(void **state)
{
    test_world *w = *state;
    tumble_model *wall = triangle(w, 0);
    tumble_motion pieces[PIECES];
    double times[PIECES + 1];
    tumble_contact_interval found[PIECES];
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    tumble_contact_intervals_result r;
    for (int slow = 0; slow < 2; slow++) {
        double x = -1;
        for (int i = 0; i < PIECES; i++) {
            const double to = i % 2 ? -1 - (7 * i) % 31 : 2 + (5 * i) % 29;
            pieces[i] = tumble_motion_still(NULL);
            pieces[i].from.m[0][3] = x, pieces[i].translation[0] = to - x;
            x = to;
            times[i] = slow ? 3 * i - 40 : i;
        }
        times[PIECES] = slow ? 3 * PIECES - 40 : PIECES;
        const tumble_path path = path_of(pieces, PIECES, times);
        options.intervals = found, options.interval_capacity = PIECES;
        assert_int_equal(tumble_path_contact_intervals(w->query, wall, NULL, wall, &path, &options, &r), TUMBLE_OK);
        assert_true(r.is_complete && r.interval_count == PIECES && r.decided_until == times[PIECES]);
        for (int i = 0; i < PIECES; i++) {
            /* (time - begin) * way <= length * -x, in whole numbers but for the time: exact */
            const double length = times[i + 1] - times[i], way = fabs(pieces[i].translation[0]);
            const double start = length * fabs(pieces[i].from.m[0][3]);
            assert_true(fma(found[i].free_until - times[i], way, -start) <= 0);
            assert_true(fma(found[i].free_from - times[i], way, -start) >= 0);
            assert_true(fabs((found[i].touching_at - times[i]) * way - start) <= 1e-12 * way * length);
            assert_true(found[i].free_from - found[i].free_until <= 2.1e-3);
        }
        tumble_first_contact_result first;
        assert_int_equal(tumble_path_first_contact(w->query, wall, NULL, wall, &path, NULL, &first), TUMBLE_OK);
        assert_true(first.answer == TUMBLE_YES && fabs(first.touching_at - found[0].touching_at) <= 1e-15 * 40);
    }
    tumble_model_destroy(wall);
}

/* Times of a path are on the side of the exact ones that is asked for, and next to them. With lengths that are powers
 * of two, only the sum rounds, and two_sum knows by how much. */
static void times_round_outward(void **state)
{
    (void)state;
    test_random random = {116};
    size_t inexact = 0;
    for (size_t n = 0; n < test_count(20000); n++) {
        double times[2] = {(double)test_random_whole(&random, -1000, 1000) / 8, 0};
        times[1] = times[0] + ldexp(1, test_random_whole(&random, -3, 9));
        const tmb_way way = {.times = times, .count = 1};
        const double part = test_random_unit(&random), step = part * (times[1] - times[0]);
        const double below = tmb_way_time(&way, 0, part, -1), above = tmb_way_time(&way, 0, part, 1),
                     near = tmb_way_time(&way, 0, part, 0), sum = times[0] + step, other = sum - times[0],
                     rest = (times[0] - (sum - other)) + (step - other);
        assert_true(below <= near && near <= above && near == sum);
        assert_true(below < sum || (below == sum && rest >= 0));
        assert_true(above > sum || (above == sum && rest <= 0));
        assert_true(above - below <= 4 * (nextafter(fabs(sum), INFINITY) - fabs(sum)));
        inexact += below < above;
    }
    assert_true((double)inexact > 1000 * test_effort());
    const tmb_way whole = {.count = 3};
    assert_true(tmb_way_time(&whole, 2, 0, 1) == 2 && tmb_way_time(&whole, 2, 1, -1) == 3);
    assert_true(tmb_way_time(&whole, 2, 0.5, -1) == 2.5 && tmb_way_time(&whole, 2, 0.5, 1) == 2.5);
}

/* The answers for the path are those for its pieces. */
static void pieces_agree(void **state)
{
    test_world *w = *state;
    test_random random = {112};
    size_t contacts = 0, free = 0;
    const size_t paths_tried = test_count(30) > 10 ? test_count(30) : 10;
    for (size_t n = 0; n < paths_tried; n++) {
        tumble_motion pieces[2][PIECES];
        double times[PIECES + 1];
        tumble_model *a = soup(w, &random), *b = soup(w, &random);
        const int both = n % 2;
        random_path(w, &random, n % 3 ? 4 : 12, n % 4 < 2, pieces[0], times);
        random_path(w, &random, n % 3 ? 4 : 12, n % 4 < 2, pieces[1], times);
        const double *used = n % 5 ? times : NULL;
        const tumble_path paths[2] = {path_of(pieces[0], PIECES, used), path_of(pieces[1], PIECES, used)};
        const tumble_path *path_a = both ? &paths[0] : NULL;
        tumble_first_contact_result whole, first = {.answer = TUMBLE_NO};
        tumble_clearance_along_result close, least = {.lower = INFINITY, .upper = INFINITY};
        size_t piece = 0, nearest = 0;
        for (size_t i = 0; i < PIECES; i++) {
            const tumble_motion *motion_a = both ? &pieces[0][i] : NULL;
            if (first.answer == TUMBLE_NO) {
                assert_int_equal(tumble_first_contact(w->query, a, motion_a, b, &pieces[1][i], NULL, &first),
                                 TUMBLE_OK);
                piece = i;
            }
            tumble_clearance_along_result r;
            assert_int_equal(tumble_clearance_along(w->query, a, motion_a, b, &pieces[1][i], NULL, &r), TUMBLE_OK);
            nearest = r.upper < least.upper ? i : nearest;
            least.lower = r.lower < least.lower ? r.lower : least.lower;
            least.upper = r.upper < least.upper ? r.upper : least.upper;
        }
        assert_int_equal(tumble_path_first_contact(w->query, a, path_a, b, &paths[1], NULL, &whole), TUMBLE_OK);
        assert_int_equal(whole.answer, first.answer);
        if (whole.answer == TUMBLE_YES) {
            double part;
            const size_t there = tumble_path_piece(&paths[1], whole.touching_at, &part);
            assert_true(there == piece || (there == piece + 1 && part == 0));
            assert_true(there != piece || fabs(part - first.touching_at) <= 2e-5); /* the tolerance is the path's */
            assert_true(whole.touching_at - whole.free_until <= 1e-6 * (1 + 1e-9));
            contacts++;
        } else {
            assert_true(whole.free_until == (used ? times[PIECES] : PIECES) && whole.touching_at == INFINITY);
            free++;
        }
        assert_int_equal(tumble_path_clearance(w->query, a, path_a, b, &paths[1], NULL, &close), TUMBLE_OK);
        assert_true(close.is_complete && close.lower <= close.upper);
        assert_true(close.upper >= least.lower && close.lower <= least.upper);
        assert_true(close.upper - close.lower <= 1.1e-6 * close.upper + 1e-11);
        if (close.lower > 0) { /* else there are many places */
            tumble_distance_result r;
            const tumble_pose identity = tumble_pose_identity(), pose_b = tumble_path_pose(&paths[1], close.time),
                              pose_a = both ? tumble_path_pose(&paths[0], close.time) : identity;
            assert_int_equal(tumble_distance(w->query, a, &pose_a, b, &pose_b, NULL, &r), TUMBLE_OK);
            assert_true(fabs(r.nearest.distance - close.upper) <= 1e-6 * close.upper + 1e-10);
        }
        tumble_model_destroy(a);
        tumble_model_destroy(b);
    }
    assert_true(contacts > paths_tried / 6 && free > paths_tried / 10);
}

/* Samples of a path are not in contact where it is free. */
static void samples_agree(void **state)
{
    test_world *w = *state;
    test_random random = {113};
    size_t joined = 0;
    const size_t paths_tried = test_count(10) > 10 ? test_count(10) : 10;
    for (size_t n = 0; n < paths_tried; n++) {
        tumble_motion pieces[PIECES];
        double times[PIECES + 1];
        tumble_model *a = soup(w, &random), *b = soup(w, &random);
        random_path(w, &random, 2, 1, pieces, times);
        const tumble_path path = path_of(pieces, PIECES, times);
        static tumble_contact_interval found[2000];
        tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
        tumble_contact_intervals_result r;
        options.tolerance = 0.02, options.intervals = found, options.interval_capacity = 2000;
        assert_int_equal(tumble_path_contact_intervals(w->query, a, NULL, b, &path, &options, &r), TUMBLE_OK);
        assert_true(r.is_complete && r.interval_count < 2000);
        for (size_t i = 1; i < r.interval_count; i++)
            assert_true(found[i].free_until > found[i - 1].free_from);
        const size_t count = r.interval_count;
        for (size_t i = 0; i < count; i++)
            joined += tumble_path_piece(&path, found[i].touching_at, NULL) !=
                      tumble_path_piece(&path, found[i].touching_until, NULL);
        for (size_t i = 0, next = 0; i <= 5000; i++) {
            const double time = times[0] + (double)i / 5000 * (times[PIECES] - times[0]);
            while (next < count && found[next].free_from < time)
                next++;
            if (next < count && time >= found[next].free_until)
                continue;
            const tumble_pose pose = tumble_path_pose(&path, time);
            tumble_collide_options test = tumble_default_collide_options();
            tumble_collide_result c;
            test.mode = TUMBLE_TEST;
            assert_int_equal(tumble_collide(w->query, a, NULL, b, &pose, &test, &c), TUMBLE_OK);
            assert_false(c.collide);
        }
        tumble_model_destroy(a);
        tumble_model_destroy(b);
    }
    assert_true(joined > paths_tried / 3);
}

/* ---- Budgets ---- */

static void budgets(void **state)
{
    test_world *w = *state;
    test_random random = {114};
    tumble_motion pieces[PIECES];
    double times[PIECES + 1];
    tumble_model *a = soup(w, &random), *b = soup(w, &random);
    static tumble_contact_interval all[1000];
    random_path(w, &random, 2, 1, pieces, times);
    const tumble_path path = path_of(pieces, PIECES, times);
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    tumble_contact_intervals_result whole, r;
    options.tolerance = 0.01, options.intervals = all, options.interval_capacity = 1000;
    options.budget_box_tests = UINT64_MAX; /* the same way as with less */
    assert_int_equal(tumble_path_contact_intervals(w->query, a, NULL, b, &path, &options, &whole), TUMBLE_OK);
    options.interval_capacity = 0;
    size_t unfinished = 0;
    double decided = times[0];
    for (uint64_t tests = 1; tests < 4 * (whole.counters.box_tests + whole.counters.primitive_tests); tests *= 2) {
        options.budget_box_tests = tests;
        assert_int_equal(tumble_path_contact_intervals(w->query, a, NULL, b, &path, &options, &r), TUMBLE_OK);
        unfinished += !r.is_complete;
        assert_true(r.decided_until >= decided && r.interval_count <= whole.interval_count);
        decided = r.decided_until;
        for (size_t i = 0; i < r.interval_count; i++) { /* the first ones; the last of them may go on */
            assert_true(r.intervals[i].free_until == all[i].free_until &&
                        r.intervals[i].touching_at == all[i].touching_at);
            assert_true(r.intervals[i].touching_until <= all[i].touching_until);
            assert_true(r.intervals[i].free_from < decided ? r.intervals[i].free_from == all[i].free_from : 1);
        }
        for (size_t i = r.interval_count; i < whole.interval_count; i++)
            assert_true(all[i].free_until >= decided * (1 - 1e-15) - 1e-15);
    }
    assert_true(unfinished > 5 && r.is_complete && decided == times[PIECES]);
    options.budget_box_tests = 0, options.budget_microseconds = 1e-3;
    assert_int_equal(tumble_path_contact_intervals(w->query, a, NULL, b, &path, &options, &r), TUMBLE_OK);
    assert_false(r.is_complete);

    tumble_first_contact_options first = tumble_default_first_contact_options();
    tumble_first_contact_result f;
    first.budget_box_tests = 1;
    assert_int_equal(tumble_path_first_contact(w->query, a, NULL, b, &path, &first, &f), TUMBLE_OK);
    assert_true(f.answer == TUMBLE_MAYBE && !f.is_complete && f.free_until >= times[0]);
    tumble_clearance_along_options close = tumble_default_clearance_along_options();
    tumble_clearance_along_result c;
    close.budget_box_tests = 200;
    assert_int_equal(tumble_path_clearance(w->query, a, NULL, b, &path, &close, &c), TUMBLE_OK);
    assert_true(!c.is_complete && c.lower == 0);
    close.budget_box_tests = 0, close.enough = 1e9;
    assert_int_equal(tumble_path_clearance(w->query, a, NULL, b, &path, &close, &c), TUMBLE_OK);
    assert_true(c.is_complete && c.upper <= 1e9 && c.lower <= c.upper);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

/* ---- Arguments, memory ---- */

static void arguments(void **state)
{
    test_world *w = *state;
    tumble_model *wall = triangle(w, 0);
    tumble_motion pieces[3] = {tumble_motion_still(NULL), tumble_motion_still(NULL), tumble_motion_still(NULL)};
    double times[4] = {0, 1, 2, 4};
    pieces[0].translation[0] = 1;
    tumble_path path = path_of(pieces, 3, times);
    tumble_first_contact_result first;
    tumble_contact_intervals_result all;
    tumble_clearance_along_result close;
    assert_int_equal(tumble_path_check(NULL, &path), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_path_first_contact(NULL, wall, NULL, wall, &path, NULL, &first), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_path_contact_intervals(NULL, wall, NULL, wall, &path, NULL, &all), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_path_clearance(NULL, wall, NULL, wall, &path, NULL, &close), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_path_first_contact(w->query, wall, NULL, wall, &path, NULL, NULL),
                       TUMBLE_ERROR_ARGUMENT, "result is null");
    test_assert_status(w->context, tumble_path_contact_intervals(w->query, wall, NULL, wall, &path, NULL, NULL),
                       TUMBLE_ERROR_ARGUMENT, "result is null");
    test_assert_status(w->context, tumble_path_clearance(w->query, wall, NULL, wall, &path, NULL, NULL),
                       TUMBLE_ERROR_ARGUMENT, "result is null");
    const struct {
        double time;
        tumble_status status;
        const char *words;
    } bad[] = {{NAN, TUMBLE_ERROR_NOT_FINITE, "time 2"},
               {1, TUMBLE_ERROR_ARGUMENT, "time 2, 1, is not after"},
               {INFINITY, TUMBLE_ERROR_NOT_FINITE, "time 2"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        times[2] = bad[i].time;
        test_assert_status(w->context, tumble_path_check(w->context, &path), bad[i].status, bad[i].words);
    }
    times[0] = -DBL_MAX, times[1] = DBL_MAX;
    test_assert_status(w->context, tumble_path_check(w->context, &path), TUMBLE_ERROR_ARGUMENT, "time 1");
    times[0] = 0, times[1] = 1, times[2] = 2;
    pieces[1].angle = NAN;
    test_assert_status(w->context, tumble_path_first_contact(w->query, wall, NULL, wall, &path, NULL, &first),
                       TUMBLE_ERROR_NOT_FINITE, "piece 1: motion: the angle");
    pieces[1].angle = 0;
    path.piece_count = 0;
    test_assert_status(w->context, tumble_path_check(w->context, &path), TUMBLE_ERROR_ARGUMENT, "no pieces");
    path = path_of(NULL, 3, times);
    test_assert_status(w->context, tumble_path_check(w->context, &path), TUMBLE_ERROR_ARGUMENT, "no pieces");
    path = path_of(pieces, 3, times);
    const tumble_path shorter = path_of(pieces, 2, times), whole = path_of(pieces, 3, NULL);
    test_assert_status(w->context, tumble_path_first_contact(w->query, wall, &shorter, wall, &path, NULL, &first),
                       TUMBLE_ERROR_ARGUMENT, "2 pieces and B's has 3");
    test_assert_status(w->context, tumble_path_clearance(w->query, wall, &whole, wall, &path, NULL, &close),
                       TUMBLE_ERROR_ARGUMENT, "time 3 is 3 in A's and 4 in B's");
    const tumble_motion aside = tumble_motion_still(&(tumble_pose){{{1, 0, 0, -2}, {0, 1, 0, 0}, {0, 0, 1, 0}}});
    const double other_times[2] = {7, 8};
    const tumble_path stands = path_of(&aside, 1, other_times); /* its times do not matter */
    assert_int_equal(tumble_path_clearance(w->query, wall, &stands, wall, &path, NULL, &close), TUMBLE_OK);
    assert_true(close.lower <= 2 && close.upper >= 2 && close.upper < 2.001);
    assert_int_equal(tumble_path_clearance(w->query, wall, &stands, wall, NULL, NULL, &close), TUMBLE_OK);
    assert_true(close.lower <= 2 && close.upper >= 2 && close.time >= 7 && close.time <= 8);
    tumble_contact_intervals_options options = tumble_default_contact_intervals_options();
    options.budget_microseconds = -1;
    test_assert_status(w->context, tumble_path_contact_intervals(w->query, wall, NULL, wall, &path, &options, &all),
                       TUMBLE_ERROR_ARGUMENT, "budget");
    tumble_first_contact_options negative = tumble_default_first_contact_options();
    negative.budget_microseconds = -1;
    test_assert_status(w->context, tumble_path_first_contact(w->query, wall, NULL, wall, &path, &negative, &first),
                       TUMBLE_ERROR_ARGUMENT, "budget");
    tumble_model_destroy(wall);
}

typedef struct question {
    tumble_model *a, *b;
    tumble_path path;
} question;

static tumble_status ask(test_world *w, void *user)
{
    question *q = user;
    tumble_query *query;
    tumble_first_contact_result first;
    tumble_contact_intervals_result all;
    tumble_clearance_along_result close;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status != TUMBLE_OK)
        return status;
    status = tumble_path_clearance(query, q->a, NULL, q->b, &q->path, NULL, &close);
    if (status == TUMBLE_OK)
        status = tumble_path_contact_intervals(query, q->a, NULL, q->b, &q->path, NULL, &all);
    if (status == TUMBLE_OK)
        status = tumble_path_first_contact(query, q->a, NULL, q->b, &q->path, NULL, &first);
    tumble_query_destroy(query);
    return status;
}

static void allocations_fail(void **state)
{
    test_world *w = *state;
    test_random random = {115};
    tumble_motion pieces[PIECES];
    double times[PIECES + 1];
    random_path(w, &random, 4, 1, pieces, times);
    question q = {soup(w, &random), soup(w, &random), path_of(pieces, 3, times)};
    for (int how = 0; how < 3; how++)
        assert_true(test_fail_each(w, (test_failing)how, ask, NULL, &q) > 5);
    tumble_model_destroy(q.a);
    tumble_model_destroy(q.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(reading),      cmocka_unit_test(times_round_outward), TEST_IN_WORLD(passages),
        TEST_IN_WORLD(pieces_agree), TEST_IN_WORLD(samples_agree),          TEST_IN_WORLD(budgets),
        TEST_IN_WORLD(arguments),    TEST_IN_WORLD(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
