/* Triangle against triangle: the oracle against itself, the library against the oracle. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "pairs.h"
#include "prim/triangle.h"
#include "support.h"

static void print_contact(oracle *truth, const test_pair *pair)
{
    double points[2][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    int coplanar = tmb_triangles_segment(pair->a, pair->b, points);
    oracle_common common = oracle_describe(truth, pair->a, pair->b);
    print_error("    said: coplanar %d; truly: coplanar %d, dimension %d\n", coplanar, common.coplanar,
                common.dimension);
    for (int i = 0; i < 2; i++)
        print_error("    said: {%.17g, %.17g, %.17g}; truly: {%.17g, %.17g, %.17g}\n", points[i][0], points[i][1],
                    points[i][2], common.ends[i][0], common.ends[i][1], common.ends[i][2]);
}

static int truly_intersect(oracle *truth, const test_pair *pair)
{
    return oracle_intersect(truth, pair->a, pair->b);
}

static int library_intersect(const test_pair *pair)
{
    return tmb_triangles_intersect(pair->a, pair->b, NULL);
}

/* Two units in the last place of the largest coordinate along each axis, as the library promises: a point on an edge is
 * p + t (q - p), where t is a quotient of determinants that are known to an ulp or so however much cancels in them.
 * The last term is for numbers so small that they have no digits left. */
static void set_tolerance(const test_pair *pair, double tolerance[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double largest = 0;
        for (int corner = 0; corner < 3; corner++)
            largest = fmax(largest, fmax(fabs(pair->a[corner][axis]), fabs(pair->b[corner][axis])));
        tolerance[axis] = 2 * (largest * 0x1p-52) + 2 * DBL_TRUE_MIN;
    }
}

static int is_in_box_of(const double (*triangle)[3], const double point[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (point[axis] < fmin(fmin(triangle[0][axis], triangle[1][axis]), triangle[2][axis]) ||
            point[axis] > fmax(fmax(triangle[0][axis], triangle[1][axis]), triangle[2][axis]))
            return 0;
    return 1;
}

/* Null, or what is wrong with the contact that the library reports for an intersecting pair. */
static const char *check_contact(oracle *truth, const test_pair *pair)
{
    double points[2][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}}, tolerance[3];
    int coplanar = tmb_triangles_segment(pair->a, pair->b, points);
    set_tolerance(pair, tolerance);
    for (int i = 0; i < 2; i++)
        if (!is_in_box_of(pair->a, points[i]) && !is_in_box_of(pair->b, points[i]))
            return "a point lies in neither bounding box";
    return oracle_check_contact(truth, pair->a, pair->b, coplanar, (const double(*)[3])points, tolerance);
}

/* The same for a pair that does not intersect. */
static const char *check_no_contact(const test_pair *pair)
{
    double points[2][3] = {{1, 2, 3}, {4, 5, 6}}, untouched[2][3] = {{1, 2, 3}, {4, 5, 6}};
    if (tmb_triangles_segment(pair->a, pair->b, points) != -1)
        return "a contact without an intersection";
    return memcmp(points, untouched, sizeof points) == 0 ? NULL : "points were written without an intersection";
}

/* The helpers. */

static void test_steps_of_ulps(void **state)
{
    (void)state;
    assert_true(test_step_ulps(1, 1) == 1 + DBL_EPSILON);
    assert_true(test_step_ulps(1, -1) == 1 - DBL_EPSILON / 2);
    assert_true(test_step_ulps(0, 1) == DBL_TRUE_MIN);
    assert_true(test_step_ulps(-0.0, -1) == -DBL_TRUE_MIN);
    assert_true(test_step_ulps(DBL_TRUE_MIN, -2) == -DBL_TRUE_MIN);
    assert_true(test_step_ulps(DBL_MAX, 5) == DBL_MAX);
    assert_true(test_step_ulps(-DBL_MAX, INT64_MIN) == -DBL_MAX);
    assert_true(test_step_ulps(-DBL_MAX, INT64_MAX) > 0);
    assert_true(test_step_ulps(DBL_MAX, INT64_MIN) < 0);
    test_random random = {1};
    for (int i = 0; i < 1000; i++) {
        double value = test_random_range(&random, -1, 1);
        assert_true(test_step_ulps(value, 1) == nextafter(value, 2));
        assert_true(test_step_ulps(test_step_ulps(value, 7), -7) == value);
    }
}

/* The oracle against pairs whose answer is plain, against the recorded answers, and against its own distance. */

typedef struct plain_pair {
    const char *name;
    double a[3][3], b[3][3];
    int dimension, dimension_a, dimension_b, coplanar;
    double squared_distance;
} plain_pair;

static const plain_pair plain_pairs[] = {
    {"pierced", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {9, 9, 0}}, 1, 2, 2, 0, 0},
    {"above", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 3}, {1, 1, 5}, {9, 9, 3}}, -1, 2, 2, 0, 9},
    {"corner on the inside", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 1, 5}, {9, 9, 3}}, 0, 2, 2, 0, 0},
    {"edges cross", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{2, -1, -1}, {2, 1, 1}, {2, -3, 1}}, 0, 2, 2, 0, 0},
    {"edge in the plane", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{-1, 1, 0}, {9, 1, 0}, {3, 3, 3}}, 1, 2, 2, 0, 0},
    {"passes by", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{3, 3, -1}, {3, 3, 1}, {9, 9, 0}}, -1, 2, 2, 0, 2},
    {"same plane, overlap", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {5, 1, 0}, {1, 5, 0}}, 2, 2, 2, 1, 0},
    {"same plane, contained", {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}}, {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, 2, 2, 2, 1, 0},
    {"same plane, corner", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{2, 2, 0}, {5, 2, 0}, {2, 5, 0}}, 0, 2, 2, 1, 0},
    {"same plane, edge", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 0, 0}, {6, 0, 0}, {1, -5, 0}}, 1, 2, 2, 1, 0},
    {"same plane, apart", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{3, 3, 0}, {5, 3, 0}, {3, 5, 0}}, -1, 2, 2, 1, 2},
    {"parallel planes", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 2}, {5, 1, 2}, {1, 5, 2}}, -1, 2, 2, 0, 4},
    {"shared corner", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {-4, 0, 1}, {0, -4, 1}}, 0, 2, 2, 0, 0},
    {"shared edge", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, -4, 1}}, 1, 2, 2, 0, 0},
    {"segment pierces", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 1}, {1, 1, -1}, {1, 1, 0}}, 0, 2, 1, 0, 0},
    {"segment inside", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {2, 1, 0}, {2, 1, 0}}, 1, 2, 1, 1, 0},
    {"segment passes by", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{-1, 0, 1}, {-1, 9, 1}, {-1, 9, 1}}, -1, 2, 1, 0, 2},
    {"point inside", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, 0, 2, 0, 1, 0},
    {"point above", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 3}, {1, 1, 3}, {1, 1, 3}}, -1, 2, 0, 0, 9},
    {"segments cross", {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}}, {{2, 0, 1}, {0, 2, 1}, {0, 2, 1}}, 0, 1, 1, 1, 0},
    {"segments overlap", {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}}, {{1, 1, 1}, {3, 3, 3}, {1, 1, 1}}, 1, 1, 1, 1, 0},
    {"segments on a line apart", {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}}, {{4, 4, 4}, {3, 3, 3}, {3, 3, 3}}, -1, 1, 1, 1, 3},
    {"segments skew", {{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}, {{2, -2, 5}, {2, 2, 5}, {2, 2, 5}}, -1, 1, 1, 0, 25},
    {"segments parallel", {{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}, {{2, 0, 5}, {9, 0, 5}, {9, 0, 5}}, -1, 1, 1, 1, 25},
    {"point on a segment", {{0, 0, 0}, {4, 4, 0}, {2, 2, 0}}, {{3, 3, 0}, {3, 3, 0}, {3, 3, 0}}, 0, 1, 0, 1, 0},
    {"point beside a segment", {{0, 0, 0}, {4, 4, 0}, {2, 2, 0}}, {{4, 2, 0}, {4, 2, 0}, {4, 2, 0}}, -1, 1, 0, 1, 2},
    {"equal points", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, 0, 0, 0, 1, 0},
    {"different points", {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 5}, {1, 2, 5}, {1, 2, 5}}, -1, 0, 0, 1, 4},
    {"all zero", {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {-0.0, 0, 0}}, 0, 0, 0, 1, 0},
};

#define PLAIN_COUNT (sizeof plain_pairs / sizeof *plain_pairs)

static void check_plain(oracle *truth, const plain_pair *plain, const test_pair *pair, int swapped, mpq_t squared)
{
    oracle_common common = oracle_describe(truth, pair->a, pair->b);
    oracle_squared_distance(truth, pair->a, pair->b, squared);
    if (common.dimension != plain->dimension || common.coplanar != plain->coplanar ||
        common.dimension_a != (swapped ? plain->dimension_b : plain->dimension_a) ||
        common.dimension_b != (swapped ? plain->dimension_a : plain->dimension_b) ||
        truly_intersect(truth, pair) != (plain->dimension >= 0) || mpq_get_d(squared) != plain->squared_distance) {
        test_print_pair(plain->name, "the oracle is wrong", pair);
        fail_msg("dimensions %d (%d, %d), coplanar %d, squared distance %g", common.dimension, common.dimension_a,
                 common.dimension_b, common.coplanar, mpq_get_d(squared));
    }
}

static void test_oracle_plain(void **state)
{
    oracle *truth = *state;
    mpq_t squared;
    mpq_init(squared);
    for (size_t i = 0; i < PLAIN_COUNT; i++) {
        test_pair pair;
        memcpy(pair.a, plain_pairs[i].a, sizeof pair.a);
        memcpy(pair.b, plain_pairs[i].b, sizeof pair.b);
        for (int variant = 0; variant < TEST_PAIR_VARIANTS; variant++) {
            test_pair reordered = test_pair_variant(&pair, variant);
            check_plain(truth, &plain_pairs[i], &reordered, variant >= 216, squared);
        }
    }
    mpq_clear(squared);
}

static void test_oracle_ends(void **state)
{
    static const test_pair pair = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, -1}, {1, 1, 1}, {7, 7, 0}}};
    oracle_common common = oracle_describe(*state, pair.a, pair.b);
    static const double expected[2][3] = {{1, 1, 0}, {2, 2, 0}};
    assert_int_equal(common.dimension, 1);
    assert_memory_equal(common.ends, expected, sizeof expected);
}

static void test_oracle_recorded(void **state)
{
    oracle *truth = *state;
    mpq_t squared;
    mpq_init(squared);
    size_t recorded_count;
    const test_recorded_pair *recorded = test_recorded_pairs(&recorded_count);
    for (size_t i = 0; i < recorded_count; i++) {
        test_pair pair = recorded[i].pair;
        const test_pair *view = &pair;
        for (int variant = 0; variant < TEST_PAIR_VARIANTS; variant++) {
            test_pair reordered = test_pair_variant(&pair, variant);
            if (truly_intersect(truth, &reordered) != recorded[i].intersect) {
                test_print_pair(recorded[i].name, "the oracle is wrong", &reordered);
                fail();
            }
        }
        oracle_squared_distance(truth, view->a, view->b, squared);
        double distance = sqrt(mpq_get_d(squared));
        if (fabs(distance - recorded[i].distance) > 4 * DBL_EPSILON * recorded[i].distance)
            fail_msg("%s: distance %.17g, recorded %.17g", recorded[i].name, distance, recorded[i].distance);
    }
    mpq_clear(squared);
}

/* Two methods of the oracle that have nothing in common: clipping finds a common point exactly when the distance is 0.
 */
static void test_oracle_methods_agree(void **state)
{
    oracle *truth = *state;
    mpq_t squared;
    mpq_init(squared);
    size_t hits = 0, misses = 0;
    for (const test_generator *generator = test_generators(); generator->name; generator++) {
        test_random random = {(uint64_t)(generator - test_generators()) << 32 | 1};
        for (size_t i = test_count(400); i > 0; i--) {
            test_pair pair;
            generator->make(&random, &pair);
            test_shuffle_pair(&random, &pair);
            const test_pair *view = &pair;
            int hit = truly_intersect(truth, &pair);
            oracle_squared_distance(truth, view->a, view->b, squared);
            if (hit != (mpq_sgn(squared) == 0)) {
                test_print_pair(generator->name, "the oracle contradicts itself", &pair);
                fail();
            }
            hits += hit != 0;
            misses += !hit;
        }
    }
    mpq_clear(squared);
    assert_true(hits > 0 && misses > 0);
}

/* A verifier that accepts everything would prove nothing. */
typedef struct contact_example {
    const char *name;
    int accepted;
    test_pair pair;
    int coplanar;
    double points[2][3];
    double tolerance;
} contact_example;

#define LEVEL                 \
    {                         \
        {0, 0, 0}, {4, 0, 0}, \
        {                     \
            0, 4, 0           \
        }                     \
    }
#define CROSSING                   \
    {                              \
        LEVEL,                     \
        {                          \
            {1, 1, -1}, {1, 1, 1}, \
            {                      \
                7, 7, 0            \
            }                      \
        }                          \
    } /* from (1, 1, 0) to (2, 2, 0) */
#define CORNER                    \
    {                             \
        LEVEL,                    \
        {                         \
            {1, 1, 0}, {1, 1, 1}, \
            {                     \
                7, 7, 1           \
            }                     \
        }                         \
    } /* in (1, 1, 0), a corner */
#define EDGES                       \
    {                               \
        LEVEL,                      \
        {                           \
            {2, -1, -1}, {2, 1, 1}, \
            {                       \
                2, -3, 1            \
            }                       \
        }                           \
    } /* in (2, 0, 0), no corner */
#define FLAT_CORNER               \
    {                             \
        LEVEL,                    \
        {                         \
            {1, 1, 0}, {5, 1, 0}, \
            {                     \
                1, 5, 0           \
            }                     \
        }                         \
    }
#define FLAT_STAR                  \
    {                              \
        LEVEL,                     \
        {                          \
            {3, 3, 0}, {3, -2, 0}, \
            {                      \
                -2, 3, 0           \
            }                      \
        }                          \
    } /* no corner of one is in the other */
#define APART                     \
    {                             \
        LEVEL,                    \
        {                         \
            {1, 1, 1}, {5, 1, 1}, \
            {                     \
                1, 5, 1           \
            }                     \
        }                         \
    }

static const contact_example contact_examples[] = {
    {"as it is", 1, CROSSING, 0, {{1, 1, 0}, {2, 2, 0}}, 0},
    {"the other way round", 1, CROSSING, 0, {{2, 2, 0}, {1, 1, 0}}, 1e-9},
    {"within the tolerance", 1, CROSSING, 0, {{1, 1, 0}, {2, 2, 0x1p-20}}, 1e-6},
    {"beyond the tolerance", 0, CROSSING, 0, {{1, 1, 0}, {2, 2, 0x1p-20}}, 1e-9},
    {"too short", 0, CROSSING, 0, {{1, 1, 0}, {1.75, 1.75, 0}}, 1e-9},
    {"too long", 0, CROSSING, 0, {{1, 1, 0}, {2.5, 2.5, 0}}, 1e-9},
    {"not finite", 0, CROSSING, 0, {{1, 1, 0}, {2, INFINITY, 0}}, 1e-9},
    {"not coplanar", 0, CROSSING, 1, {{1.5, 1.5, 0}, {1.5, 1.5, 0}}, 1e-9},
    {"a corner", 1, CORNER, 0, {{1, 1, 0}, {1, 1, 0}}, 1e-9},
    {"nearly a corner", 0, CORNER, 0, {{1, 1, 0x1p-40}, {1, 1, 0x1p-40}}, 1e-9},
    {"nearly a crossing", 1, EDGES, 0, {{2, 0, 0x1p-40}, {2, 0, 0x1p-40}}, 1e-9},
    {"two points where there is one", 0, EDGES, 0, {{2, 0, 0x1p-40}, {2, 0, 0}}, 1e-9},
    {"a corner in one plane", 1, FLAT_CORNER, 1, {{1, 1, 0}, {1, 1, 0}}, 0},
    {"nearly a corner in one plane", 0, FLAT_CORNER, 1, {{1, 1 + 0x1p-40, 0}, {1, 1 + 0x1p-40, 0}}, 1e-9},
    {"not called coplanar", 0, FLAT_CORNER, 0, {{1, 1, 0}, {1, 1, 0}}, 1e-9},
    {"a crossing in one plane", 1, FLAT_STAR, 1, {{3, 0, 0}, {3, 0, 0}}, 0},
    {"nearly a crossing in one plane", 1, FLAT_STAR, 1, {{3, -0x1p-40, 0}, {3, -0x1p-40, 0}}, 1e-9},
    {"two crossings in one plane", 0, FLAT_STAR, 1, {{3, 0, 0}, {3, 1, 0}}, 1e-9},
    {"outside one of them", 0, FLAT_STAR, 1, {{2.5, 2.5, 0}, {2.5, 2.5, 0}}, 1e-9},
    {"apart", 0, APART, 1, {{1, 1, 1}, {1, 1, 1}}, 1e-9},
};

static void test_oracle_checks_contacts(void **state)
{
    for (size_t i = 0; i < sizeof contact_examples / sizeof *contact_examples; i++) {
        const contact_example *example = &contact_examples[i];
        const double tolerance[3] = {example->tolerance, example->tolerance, example->tolerance};
        const char *wrong = oracle_check_contact(*state, example->pair.a, example->pair.b, example->coplanar,
                                                 example->points, tolerance);
        if ((wrong == NULL) != example->accepted)
            fail_msg("%s: %s", example->name, wrong ? wrong : "was accepted");
    }
}

/* A row of triangles in the plane z = 0 against upright ones that stand on every second of them. */
static void test_oracle_pairs(void **state)
{
    enum {
        COUNT = 10
    };
    double points[2][3 * COUNT][3];
    uint32_t triangles[COUNT][3];
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t corner = 0; corner < 3; corner++) {
            triangles[i][corner] = 3 * i + corner;
            points[0][3 * i + corner][0] = 4.0 * i + (corner == 1);
            points[0][3 * i + corner][1] = corner == 2;
            points[0][3 * i + corner][2] = 0;
            points[1][3 * i + corner][0] = 8.0 * i;
            points[1][3 * i + corner][1] = corner == 1;
            points[1][3 * i + corner][2] = corner == 2;
        }
    oracle_mesh a = {(const double(*)[3])points[0], (const uint32_t(*)[3])triangles, COUNT};
    oracle_mesh b = {(const double(*)[3])points[1], (const uint32_t(*)[3])triangles, COUNT}, none = {NULL, NULL, 0};
    uint32_t(*pairs)[2];
    assert_int_equal(oracle_pairs(*state, &a, &b, &pairs), COUNT / 2);
    for (uint32_t i = 0; i < COUNT / 2; i++) {
        assert_int_equal(pairs[i][0], 2 * i);
        assert_int_equal(pairs[i][1], i);
    }
    free(pairs);
    assert_int_equal(oracle_pairs(*state, &a, &none, &pairs), 0);
    free(pairs);
}

/* The library against the recorded cases. */

static void test_recorded(void **state)
{
    size_t recorded_count;
    const test_recorded_pair *recorded = test_recorded_pairs(&recorded_count);
    for (size_t i = 0; i < recorded_count; i++) {
        test_pair pair = recorded[i].pair;
        for (int variant = 0; variant < TEST_PAIR_VARIANTS; variant++) {
            test_pair reordered = test_pair_variant(&pair, variant);
            if (library_intersect(&reordered) != recorded[i].intersect) {
                test_print_pair(recorded[i].name, recorded[i].intersect ? "missed" : "invented", &reordered);
                fail();
            }
            const char *wrong =
                recorded[i].intersect ? check_contact(*state, &reordered) : check_no_contact(&reordered);
            if (wrong) {
                test_print_pair(recorded[i].name, wrong, &reordered);
                print_contact(*state, &reordered);
                fail();
            }
        }
    }
}

static void test_plain(void **state)
{
    for (size_t i = 0; i < PLAIN_COUNT; i++) {
        test_pair pair;
        memcpy(pair.a, plain_pairs[i].a, sizeof pair.a);
        memcpy(pair.b, plain_pairs[i].b, sizeof pair.b);
        for (int variant = 0; variant < TEST_PAIR_VARIANTS; variant++) {
            test_pair reordered = test_pair_variant(&pair, variant);
            int expected = plain_pairs[i].dimension >= 0;
            const char *wrong = library_intersect(&reordered) != expected ? "the wrong answer" : NULL;
            if (!wrong)
                wrong = expected ? check_contact(*state, &reordered) : check_no_contact(&reordered);
            if (wrong) {
                test_print_pair(plain_pairs[i].name, wrong, &reordered);
                print_contact(*state, &reordered);
                fail();
            }
        }
    }
}

/* The library against the oracle on generated pairs. */

typedef struct tally {
    size_t classes[TEST_CLASS_COUNT];
    size_t contacts, variants; /* checked */
    size_t failures;
} tally;

static unsigned degenerate_class(int dimension_a, int dimension_b, int hit)
{
    int least = dimension_a < dimension_b ? dimension_a : dimension_b;
    int most = dimension_a < dimension_b ? dimension_b : dimension_a;
    static const enum test_class hits[2][3] = {
        {TEST_CLASS_POINT_POINT_HIT, TEST_CLASS_POINT_SEGMENT_HIT, TEST_CLASS_POINT_TRIANGLE_HIT},
        {TEST_CLASS_COUNT, TEST_CLASS_SEGMENT_SEGMENT_HIT, TEST_CLASS_SEGMENT_TRIANGLE_HIT}};
    return least == 2 ? 0 : 1u << (hits[least][most] + (hit ? 0 : 1));
}

static unsigned classify(const oracle_common *common, int exact)
{
    int hit = common->dimension >= 0;
    int flat = common->coplanar && common->dimension_a == 2 && common->dimension_b == 2;
    unsigned classes = degenerate_class(common->dimension_a, common->dimension_b, hit);
    classes |= hit ? TEST_BIT(HIT) : TEST_BIT(MISS);
    if (exact)
        classes |= TEST_BIT(EXACT);
    if (flat)
        classes |= hit ? TEST_BIT(COPLANAR_HIT) : TEST_BIT(COPLANAR_MISS);
    if (hit)
        classes |= 1u << (TEST_CLASS_COMMON_POINT + common->dimension);
    if (common->dimension == 0 && !common->coplanar)
        classes |= TEST_BIT(CROSSING_POINT);
    return classes;
}

/* Counts it, and shows the first few. */
static int count_failure(tally *counts, const char *generator, const char *what, const test_pair *pair)
{
    int shown = counts->failures++ < 5;
    if (shown)
        test_print_pair(generator, what, pair);
    return shown;
}

/* Other orders of corners, axes and triangles, and mirror images. */
static void try_variants(test_random *random, const char *generator, const test_pair *pair, int hit, tally *counts)
{
    for (int i = 0; i < 4; i++) {
        test_pair reordered = test_pair_variant(pair, test_random_whole(random, 0, TEST_PAIR_VARIANTS - 1));
        int mirrored = test_random_whole(random, 0, 3);
        for (int corner = 0; mirrored < 3 && corner < 3; corner++) {
            reordered.a[corner][mirrored] = -reordered.a[corner][mirrored];
            reordered.b[corner][mirrored] = -reordered.b[corner][mirrored];
        }
        counts->variants++;
        if (library_intersect(&reordered) != hit)
            count_failure(counts, generator, hit ? "missed after reordering" : "invented after reordering", &reordered);
    }
}

static void try_pair(oracle *truth, test_random *random, const char *generator, const test_pair *pair, tally *counts)
{
    oracle_common common = oracle_describe(truth, pair->a, pair->b);
    unsigned long long exact = 0;
    int hit = common.dimension >= 0, answer = tmb_triangles_intersect(pair->a, pair->b, &exact);
    unsigned classes = classify(&common, exact > 0);
    for (unsigned i = 0; i < TEST_CLASS_COUNT; i++)
        counts->classes[i] += classes >> i & 1;
    if (answer != hit)
        count_failure(counts, generator, hit ? "missed" : "invented", pair);
    if (exact > 1)
        count_failure(counts, generator, "counted as exact more than once", pair);
    if (test_random_chance(random, 0.1))
        try_variants(random, generator, pair, hit, counts);
    if (answer == hit && test_random_chance(random, 0.25)) {
        const char *wrong = hit ? check_contact(truth, pair) : check_no_contact(pair);
        counts->contacts += (size_t)hit;
        if (wrong && count_failure(counts, generator, wrong, pair))
            print_contact(truth, pair);
    }
}

static void print_tally(const test_generator *generator, const tally *counts)
{
    static const char *const words[] = {
#define CLASS_WORD(name, word) word,
        TEST_CLASS_LIST(CLASS_WORD)
#undef CLASS_WORD
    };
    print_message("  %s:", generator->name);
    for (unsigned i = 0; i < TEST_CLASS_COUNT; i++)
        if (counts->classes[i] || generator->must >> i & 1)
            print_message(" %s %zu%s", words[i], counts->classes[i], counts->classes[i] ? "" : " (MUST OCCUR)");
    print_message("; %zu contacts, %zu variants\n", counts->contacts, counts->variants);
}

typedef struct generator_state {
    oracle *truth;
    const test_generator *generator;
} generator_state;

static void test_generated(void **state)
{
    const generator_state *given = *state;
    const test_generator *generator = given->generator;
    tally counts = {{0}, 0, 0, 0};
    test_random random = {(uint64_t)(generator - test_generators()) << 32};
    size_t least = 2000; /* enough for every class to occur, however low the effort */
    size_t count = test_count(generator->count);
    for (size_t i = 0; i < count || i < least; i++) {
        test_pair pair;
        generator->make(&random, &pair);
        test_shuffle_pair(&random, &pair);
        try_pair(given->truth, &random, generator->name, &pair, &counts);
    }
    print_tally(generator, &counts);
    assert_int_equal(counts.failures, 0);
    assert_true(counts.contacts > 0 && counts.variants > 0);
    for (unsigned i = 0; i < TEST_CLASS_COUNT; i++)
        assert_true(counts.classes[i] > 0 || !(generator->must >> i & 1));
}

#define GENERATOR_CAPACITY 64

/* One test a generator, with its name. */
static int run_generated(oracle *truth)
{
    struct CMUnitTest tests[GENERATOR_CAPACITY];
    generator_state states[GENERATOR_CAPACITY];
    size_t count = 0;
    memset(tests, 0, sizeof tests);
    for (const test_generator *generator = test_generators(); generator->name && count < GENERATOR_CAPACITY;
         generator++, count++) {
        states[count] = (generator_state){truth, generator};
        tests[count].name = generator->name;
        tests[count].test_func = test_generated;
        tests[count].initial_state = &states[count];
    }
    return _cmocka_run_group_tests("generated triangle pairs", tests, count, NULL, NULL);
}

#define WITH_ORACLE(function)                  \
    {                                          \
#function, function, NULL, NULL, truth \
    }

int main(void)
{
    oracle *truth = oracle_create();
    const struct CMUnitTest tests[] = {
        WITH_ORACLE(test_steps_of_ulps),
        WITH_ORACLE(test_oracle_plain),
        WITH_ORACLE(test_oracle_ends),
        WITH_ORACLE(test_oracle_recorded),
        WITH_ORACLE(test_oracle_methods_agree),
        WITH_ORACLE(test_oracle_checks_contacts),
        WITH_ORACLE(test_oracle_pairs),
        WITH_ORACLE(test_plain),
        WITH_ORACLE(test_recorded),
    };
    int failed = cmocka_run_group_tests_name("triangles", tests, NULL, NULL);
    failed += run_generated(truth);
    oracle_destroy(truth);
    return failed ? 1 : 0;
}
