/* The distance of two triangles against exact arithmetic. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "near_pairs.h"
#include "oracle.h"
#include "prim/triangle.h"
#include "prim/triangle_distance.h"
#include "prim/triangle_distance_parts.h"
#include "support.h"

/* How exact tmb_triangles_distance must be, and how exact distances that are denormal numbers can be. */
#define RELATIVE_ERROR 1e-15
#define ROUNDING DBL_TRUE_MIN

#define STAGE_COUNT (TMB_STAGE_INTEGER + 1)
static const tmb_stage stages_used[] = {TMB_STAGE_FILTER, TMB_STAGE_DOUBLED, TMB_STAGE_INTEGER};

typedef struct tally {
    size_t pairs, hits;
    size_t stages[STAGE_COUNT], within[STAGE_COUNT]; /* how often the distance and the limit needed which */
    double worst;                                    /* relative error */
    double widest;                                   /* of the fast bounds, where there is a lower one, relative */
    size_t failures;
} tally;

typedef struct checker {
    oracle *truth;
    mpq_t squared, other, number; /* of the pair at hand; for use */
    mpf_t root, difference;
} checker;

static void checker_create(checker *c)
{
    c->truth = oracle_create();
    mpq_inits(c->squared, c->other, c->number, NULL);
    mpf_init2(c->root, 256);
    mpf_init2(c->difference, 256);
}

static void checker_destroy(checker *c)
{
    mpf_clear(c->root);
    mpf_clear(c->difference);
    mpq_clears(c->squared, c->other, c->number, NULL);
    oracle_destroy(c->truth);
}

/* The sign of value - distance, with `value` >= 0. */
static int compare_distance(checker *c, double value)
{
    if (isinf(value))
        return 1;
    mpq_set_d(c->number, value);
    mpq_mul(c->number, c->number, c->number);
    return mpq_cmp(c->number, c->squared);
}

/* The distance of two points, exactly, against `value`, into c->difference. */
static double error_of(checker *c, const mpq_t squared, double value)
{
    mpf_set_q(c->root, squared);
    mpf_sqrt(c->root, c->root);
    mpf_set_d(c->difference, value);
    mpf_sub(c->difference, c->difference, c->root);
    return fabs(mpf_get_d(c->difference));
}

static void distance_from_point(checker *c, const double point[3], const double triangle[3][3], mpq_t squared)
{
    double dot[3][3];
    for (int corner = 0; corner < 3; corner++)
        memcpy(dot[corner], point, sizeof dot[corner]);
    oracle_squared_distance(c->truth, (const double(*)[3])dot, triangle, squared);
}

/* Three units in the last place of the largest coordinate. */
static double tolerance_of(const double triangle[3][3])
{
    double largest = 0;
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(triangle[i / 3][i % 3]));
    return 3 * (largest * DBL_EPSILON) + 3 * DBL_TRUE_MIN;
}

static int is_in_box_of(const double triangle[3][3], const double point[3])
{
    for (int k = 0; k < 3; k++)
        if (!(point[k] >= fmin(fmin(triangle[0][k], triangle[1][k]), triangle[2][k]) &&
              point[k] <= fmax(fmax(triangle[0][k], triangle[1][k]), triangle[2][k])))
            return 0;
    return 1;
}

/* The points are on the triangles and as far apart as the distance, but for the rounding of coordinates. */
static const char *check_points(checker *c, const test_pair *pair, const tmb_triangle_distance *said)
{
    const double(*triangles[2])[3] = {pair->a, pair->b};
    if (said->value == 0)
        return memcmp(said->points[0], said->points[1], sizeof said->points[0]) == 0 ? NULL : "no common point";
    for (int i = 0; i < 2; i++) {
        if (!is_in_box_of(triangles[i], said->points[i]))
            return "a point outside of the box of its triangle";
        distance_from_point(c, said->points[i], triangles[i], c->other);
        if (error_of(c, c->other, 0) > tolerance_of(triangles[i]))
            return "a point off its triangle";
    }
    double dot[3][3];
    for (int corner = 0; corner < 3; corner++)
        memcpy(dot[corner], said->points[1], sizeof dot[corner]);
    distance_from_point(c, said->points[0], (const double(*)[3])dot, c->other);
    const double tolerance = tolerance_of(pair->a) + tolerance_of(pair->b);
    return error_of(c, c->other, said->value) <= tolerance + RELATIVE_ERROR * said->value ? NULL
                                                                                          : "points not that far apart";
}

static const char *check_bounds(checker *c, const tmb_triangle_distance *said)
{
    if (!(said->lower >= 0 && said->lower <= said->value && said->value <= said->upper))
        return "bounds out of order";
    if (compare_distance(c, said->lower) > 0)
        return "a lower bound above the distance";
    return compare_distance(c, said->upper) < 0 ? "an upper bound below the distance" : NULL;
}

static const char *check_fast(checker *c, const test_pair *pair, tally *counts)
{
    tmb_triangle_distance said;
    tmb_triangles_distance_fast(pair->a, pair->b, &said);
    if (said.lower > 0)
        counts->widest = fmax(counts->widest, (said.upper - said.lower) / said.value);
    if (mpq_sgn(c->squared) == 0 && said.upper > 0)
        return "a distance of triangles that intersect";
    return check_bounds(c, &said);
}

static int is_same(const tmb_triangle_distance *x, const tmb_triangle_distance *y)
{
    return x->lower == y->lower && x->value == y->value && x->upper == y->upper &&
           x->scaled.digits == y->scaled.digits && x->scaled.exponent == y->scaled.exponent &&
           memcmp(x->points, y->points, sizeof x->points) == 0;
}

static const char *check_distance(checker *c, const test_pair *pair, tally *counts, double *distance)
{
    tmb_triangle_distance said;
    tmb_triangle_distance again;
    tmb_stage stage;
    unsigned long long exact = 0;
    tmb_triangles_distance(pair->a, pair->b, &said, &exact);
    tmb_triangles_distance_stage(pair->a, pair->b, &again, &stage);
    counts->stages[stage]++;
    *distance = said.value;
    if (!is_same(&said, &again) || exact != (stage == TMB_STAGE_INTEGER))
        return "something else the second time";
    if ((said.value == 0) != (mpq_sgn(c->squared) == 0))
        return "0 for triangles apart, or not for intersecting ones";
    const double error = error_of(c, c->squared, said.value);
    counts->worst = fmax(counts->worst, said.value > DBL_MIN ? error / said.value : 0);
    if (error > RELATIVE_ERROR * said.value + ROUNDING)
        return "a distance that is not exact enough";
    if (said.upper - said.lower > 2 * RELATIVE_ERROR * said.value + 4 * ROUNDING)
        return "bounds that are not as near as they should be";
    const char *wrong = check_bounds(c, &said);
    return wrong ? wrong : check_points(c, pair, &said);
}

static const char *check_within(checker *c, const test_pair *pair, double limit, tally *counts)
{
    unsigned long long exact = 0;
    const int within = tmb_triangles_within(pair->a, pair->b, limit, &exact);
    if (within != (compare_distance(c, limit) >= 0))
        return within ? "within a limit that they are beyond" : "beyond a limit that they are within";
    if (limit == 0)
        return exact > 1 ? "counted as exact more than once" : NULL;
    tmb_stage stage;
    const int again = tmb_triangles_within_stage(pair->a, pair->b, limit, &stage);
    counts->within[stage]++;
    return again != within || exact != (stage != TMB_STAGE_FILTER) ? "something else the second time" : NULL;
}

static const char *check_limits(checker *c, const test_pair *pair, double distance, tally *counts)
{
    const double limits[] = {distance,
                             nextafter(distance, 0),
                             nextafter(distance, INFINITY),
                             distance * (1 - 1e-13),
                             fmin(distance * (1 + 1e-13), DBL_MAX),
                             distance / 2,
                             fmin(distance * 2, DBL_MAX),
                             0,
                             INFINITY,
                             DBL_TRUE_MIN,
                             DBL_MAX};
    const char *wrong = NULL;
    for (size_t i = 0; !wrong && i < sizeof limits / sizeof *limits; i++)
        wrong = check_within(c, pair, limits[i], counts);
    return wrong;
}

/* All about a pair whose distance is a double, or nearly. */
static void check_pair(checker *c, const char *where, const test_pair *pair, tally *counts)
{
    double distance = 0;
    oracle_squared_distance(c->truth, pair->a, pair->b, c->squared);
    counts->pairs++;
    counts->hits += mpq_sgn(c->squared) == 0;
    const char *wrong = compare_distance(c, DBL_MAX) >= 0 ? check_distance(c, pair, counts, &distance) : NULL;
    if (!wrong)
        wrong = check_fast(c, pair, counts);
    if (!wrong)
        wrong = check_limits(c, pair, distance, counts);
    if (wrong && counts->failures++ < 5) {
        tmb_triangle_distance said;
        tmb_triangles_distance(pair->a, pair->b, &said, NULL);
        test_print_pair(where, wrong, pair);
        print_error("    said %.17g in [%.17g, %.17g]\n", said.value, said.lower, said.upper);
    }
}

static void print_tally(const char *name, const tally *counts)
{
    print_message("  %s: %zu pairs, %zu hits;", name, counts->pairs, counts->hits);
    for (size_t i = 0; i < sizeof stages_used / sizeof *stages_used; i++)
        print_message(" stage %d: %zu, limits %zu;", (int)stages_used[i], counts->stages[stages_used[i]],
                      counts->within[stages_used[i]]);
    print_message(" worst error %.2g, widest fast bounds %.2g\n", counts->worst, counts->widest);
}

static void add_tally(tally *sum, const tally *own)
{
    sum->hits += own->hits;
    for (int i = 0; i < STAGE_COUNT; i++) {
        sum->stages[i] += own->stages[i];
        sum->within[i] += own->within[i];
    }
    sum->failures += own->failures;
}

static void try_generators(checker *c, const test_generator *generators, size_t most, tally *sum)
{
    for (const test_generator *generator = generators; generator->name; generator++) {
        tally counts = {0};
        test_random random = {(uint64_t)(generator - generators) << 32 | 3};
        const size_t count = test_count(generator->count < most ? generator->count : most);
        for (size_t i = 0; i < count || i < 20; i++) {
            test_pair pair;
            generator->make(&random, &pair);
            test_shuffle_pair(&random, &pair);
            check_pair(c, generator->name, &pair, &counts);
        }
        print_tally(generator->name, &counts);
        add_tally(sum, &counts);
    }
}

/* Every stage must have been needed, or the test tests nothing. */
static void test_generated(void **state)
{
    tally sum = {0};
    try_generators(*state, test_near_generators(), SIZE_MAX, &sum);
    try_generators(*state, test_generators(), 100, &sum);
    assert_int_equal(sum.failures, 0);
    assert_true(sum.hits > 0);
    for (size_t i = 0; i < sizeof stages_used / sizeof *stages_used; i++)
        assert_true(sum.stages[stages_used[i]] > 0 && sum.within[stages_used[i]] > 0);
}

/* The same distance in all orders of corners, axes and triangles, and the one recorded. */
static void test_recorded(void **state)
{
    checker *c = *state;
    size_t count;
    const test_recorded_pair *recorded = test_recorded_pairs(&count);
    tally counts = {0};
    for (size_t i = 0; i < count; i++) {
        for (int variant = 0; variant < TEST_PAIR_VARIANTS; variant++) {
            const test_pair pair = test_pair_variant(&recorded[i].pair, variant);
            tmb_triangle_distance said;
            tmb_triangles_distance(pair.a, pair.b, &said, NULL);
            if (!(fabs(said.value - recorded[i].distance) <= 2 * RELATIVE_ERROR * recorded[i].distance)) {
                test_print_pair(recorded[i].name, "another distance than recorded", &pair);
                fail_msg("said %.17g, recorded %.17g", said.value, recorded[i].distance);
            }
            if (variant % 37 == 0)
                check_pair(c, recorded[i].name, &pair, &counts);
        }
    }
    print_tally("recorded pairs", &counts);
    assert_int_equal(counts.failures, 0);
}

/* Distances that are doubles, in all orders, at limits that are the distance itself and its neighbours. */
static void test_all_orders(void **state)
{
    static const test_pair pairs[] = {
        {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 3}, {1, 1, 5}, {9, 9, 3}}},
        {{{0, 0, 0}, {-4, 0, 0}, {0, -4, 0}}, {{3, 4, 0}, {4, 4, 0}, {3, 5, 0}}},
        {{{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}}, {{0, -1, 5}, {0, 1, 5}, {0, 0, 6}}},
        {{{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}}, {{0, 3, 4}, {0, 4, 4}, {0, 3, 5}}},
        {{{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}, {{2, 0, 5}, {9, 0, 5}, {9, 0, 5}}},
        {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 5}, {1, 2, 5}, {1, 2, 5}}},
        {{{0, 0, 0}, {8, 1, 1}, {1, 8, 1}}, {{2, 2, 0x1p-30}, {3, 9, 2}, {2, 2, 9}}},
    };
    checker *c = *state;
    tally counts = {0};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int variant = 0; variant < TEST_PAIR_VARIANTS; variant++) {
            const test_pair pair = test_pair_variant(&pairs[i], variant);
            tmb_triangle_distance said;
            tmb_triangles_distance(pair.a, pair.b, &said, NULL);
            if (variant % 7 == 0)
                check_pair(c, "all orders", &pair, &counts);
            const char *wrong = compare_distance(c, said.value) != 0 ? "another distance in another order"
                                                                     : check_limits(c, &pair, said.value, &counts);
            if (wrong) {
                test_print_pair("all orders", wrong, &pair);
                fail_msg("said %.17g", said.value);
            }
        }
    print_tally("all orders", &counts);
    assert_int_equal(counts.failures, 0);
}

/* The features of a number: two edges, each with its first corner, inside or with its second corner; or a face and a
 * corner. */
#define FEATURE_COUNT 99
static tmb_feature_pair features_of(int number)
{
    static const double places[] = {0.0, 0.5, 1.0};
    if (number < 81)
        return (tmb_feature_pair){TMB_EDGE_EDGE, number % 3, number / 3 % 3, places[number / 9 % 3],
                                  places[number / 27]};
    return (tmb_feature_pair){number < 90 ? TMB_FACE_CORNER : TMB_CORNER_FACE, number % 3, number / 3 % 3, 0.5, 0.25};
}

/* ---- Triangles behind others ---- */

static double lattice_or_any(test_random *random, size_t i)
{
    return i % 2 ? floor(test_random_range(random, -3, 4)) : test_random_range(random, -3, 3);
}

/* Neighbours that share corners, mostly. */
static void make_neighbour(test_random *random, const double of[3][3], size_t i, double out[3][3])
{
    for (int corner = 0; corner < 3; corner++) {
        const int is_common = test_random_range(random, 0, 1) < 0.6;
        for (int k = 0; k < 3; k++)
            out[corner][k] = is_common ? of[corner][k] : lattice_or_any(random, i) - (k == 2 && of[0][2] < 0 ? 4 : 0);
    }
}

/* Triangles that are found behind others are not closer: also if all corners in which they are nearest are common. */
static void test_behind(void **state)
{
    (void)state;
    test_random random = {6200};
    size_t behind = 0, ties = 0, closer = 0;
    for (size_t i = test_count(60000); i > 0; i--) {
        double a[3][3], b[3][3], c[3][3], d[3][3];
        for (int n = 0; n < 9; n++) {
            a[n / 3][n % 3] = lattice_or_any(&random, i) - (n % 3 == 2 ? 4 : 0);
            b[n / 3][n % 3] = lattice_or_any(&random, i) + (n % 3 == 2 ? 3.25 : 0);
        }
        make_neighbour(&random, (const double(*)[3])a, i, c);
        make_neighbour(&random, (const double(*)[3])b, i, d);
        tmb_triangle_distance best, other;
        if (i % 3)
            tmb_triangles_distance_fast((const double(*)[3])a, (const double(*)[3])b, &best);
        else
            tmb_triangles_distance((const double(*)[3])a, (const double(*)[3])b, &best, NULL);
        tmb_triangles_distance((const double(*)[3])c, (const double(*)[3])d, &other, NULL);
        if (tmb_triangles_are_behind((const double(*)[3])c, (const double(*)[3])d, (const double(*)[3])a,
                                     (const double(*)[3])b, best.way)) {
            assert_true(other.upper >= best.lower);
            behind++;
            ties += other.lower <= best.upper;
        } else {
            closer += other.upper < best.lower;
        }
    }
    assert_true(behind > test_count(3000) && ties > test_count(1000) && closer > test_count(300));
}

/* Pairs of doubles prove a distance or do not, whatever features they are told to be the nearest. */
static void test_wrong_features(void **state)
{
    checker *c = *state;
    size_t proven = 0, count = 0;
    for (const test_generator *generator = test_near_generators(); generator->name; generator++) {
        test_random random = {(uint64_t)count << 32 | 7};
        for (size_t i = 0; i < test_count(40) || i < 4; i++) {
            test_pair pair;
            generator->make(&random, &pair);
            test_shuffle_pair(&random, &pair);
            oracle_squared_distance(c->truth, (const double(*)[3])pair.a, (const double(*)[3])pair.b, c->squared);
            for (int number = 0; number < FEATURE_COUNT; number++, count++) {
                tmb_feature_pair features = features_of(number);
                tmb_triangle_distance said;
                if (!tmb_precise_distance((const double(*)[3])pair.a, (const double(*)[3])pair.b, &features, &said))
                    continue;
                proven++;
                const char *wrong = check_bounds(c, &said);
                if (wrong) {
                    test_print_pair(generator->name, wrong, &pair);
                    fail_msg("features %d: said %.17g", number, said.value);
                }
            }
        }
    }
    print_message("%zu of %zu features were proven to be the nearest\n", proven, count);
    assert_in_range(proven, count / 200, count / 2);
}

#define WITH_CHECKER(function)              \
    {                                       \
#function, function, NULL, NULL, &c \
    }

int main(void)
{
    checker c;
    checker_create(&c);
    const struct CMUnitTest tests[] = {
        WITH_CHECKER(test_recorded),       WITH_CHECKER(test_all_orders), WITH_CHECKER(test_generated),
        WITH_CHECKER(test_wrong_features), cmocka_unit_test(test_behind),
    };
    const int failed = cmocka_run_group_tests_name("triangle distance", tests, NULL, NULL);
    checker_destroy(&c);
    return failed ? 1 : 0;
}
