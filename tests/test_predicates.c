/* tmb_orient2d and tmb_orient3d against rational arithmetic. Every case is asked in several orders of its points, and
 * every stage of the predicates must have decided some of them. */
#include <float.h>
#include <gmp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/bigint.h"
#include "math/lattice.h"
#include "math/predicates.h"

#define STAGE_COUNT 5

static const char *const stage_names[STAGE_COUNT] = {"filter", "lattice", "doubled", "expansion", "integer"};

/* Random numbers: splitmix64 (Steele, Lea, Flood 2014). */
typedef struct source {
    uint64_t state;
} source;

static uint64_t next_bits(source *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int next_int(source *random, int lowest, int highest)
{
    return lowest + (int)(next_bits(random) % (uint64_t)(highest - lowest + 1));
}

/* In (-1, 1), with 53 random bits. */
static double next_unit(source *random)
{
    const double size = (double)(next_bits(random) >> 11) * 0x1p-53;
    return next_bits(random) & 1 ? size : -size;
}

static double next_scaled(source *random, int lowest, int highest)
{
    const double mantissa = next_unit(random);
    return ldexp(mantissa, next_int(random, lowest, highest));
}

static long effort(long count)
{
    const char *text = getenv("TUMBLE_TEST_EFFORT");
    const double scaled = (text != NULL ? strtod(text, NULL) : 1.0) * (double)count;
    return scaled < 100.0 ? 100 : (long)scaled;
}

/* The oracle: determinants of at most 3 rows in rationals. */
typedef struct oracle {
    mpq_t r[3][3], left, right, sum;
} oracle;

static void oracle_init(oracle *o)
{
    for (int i = 0; i < 9; i++) {
        mpq_init(o->r[i / 3][i % 3]);
    }
    mpq_inits(o->left, o->right, o->sum, NULL);
}

static void oracle_clear(oracle *o)
{
    for (int i = 0; i < 9; i++) {
        mpq_clear(o->r[i / 3][i % 3]);
    }
    mpq_clears(o->left, o->right, o->sum, NULL);
}

static void set_difference(mpq_t out, mpq_t scratch, double a, double b)
{
    mpq_set_d(out, a);
    mpq_set_d(scratch, b);
    mpq_sub(out, out, scratch);
}

/* left = r[i][0] r[j][1] - r[j][0] r[i][1] */
static void minor(oracle *o, int i, int j)
{
    mpq_mul(o->left, o->r[i][0], o->r[j][1]);
    mpq_mul(o->right, o->r[j][0], o->r[i][1]);
    mpq_sub(o->left, o->left, o->right);
}

static int oracle_2d(oracle *o, double points[3][2])
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            set_difference(o->r[i][k], o->left, points[i][k], points[2][k]);
        }
    }
    minor(o, 0, 1);
    mpq_set(o->sum, o->left);
    return mpq_sgn(o->sum);
}

static int oracle_3d(oracle *o, double points[4][3])
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            set_difference(o->r[i][k], o->left, points[i][k], points[3][k]);
        }
    }
    mpq_set_ui(o->sum, 0, 1);
    for (int i = 0; i < 3; i++) {
        minor(o, (i + 1) % 3, (i + 2) % 3);
        mpq_mul(o->left, o->left, o->r[i][2]);
        mpq_add(o->sum, o->sum, o->left);
    }
    return mpq_sgn(o->sum);
}

/* |value 2^exponent - o->sum| <= 2^-50 |o->sum| */
static int value_is_close(oracle *o, double value, int exponent)
{
    if (!isfinite(value)) {
        return 0;
    }
    mpq_set_d(o->left, value);
    if (exponent < 0) {
        mpq_div_2exp(o->left, o->left, (mp_bitcnt_t)-exponent);
    } else {
        mpq_mul_2exp(o->left, o->left, (mp_bitcnt_t)exponent);
    }
    mpq_sub(o->left, o->left, o->sum);
    mpq_abs(o->left, o->left);
    mpq_mul_2exp(o->left, o->left, 50);
    mpq_abs(o->right, o->sum);
    return mpq_cmp(o->left, o->right) <= 0;
}

typedef struct tally {
    long stages[STAGE_COUNT];
    long zeros;
} tally;

static void report(const char *name, const tally *t)
{
    print_message("%-22s", name);
    for (int i = 0; i < STAGE_COUNT; i++) {
        print_message(" %s %ld", stage_names[i], t->stages[i]);
    }
    print_message(", zero %ld\n", t->zeros);
}

static void print_points(const double *numbers, int count, int dimension)
{
    for (int i = 0; i < count; i++) {
        print_error("%a%s", numbers[i], i % dimension == dimension - 1 ? "\n" : " ");
    }
}

static void ask_2d(oracle *o, double p[3][2], tally *t)
{
    static const int orders[6][4] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                                     {1, 0, 2, -1}, {0, 2, 1, -1}, {2, 1, 0, -1}};
    const int expected = oracle_2d(o, p);
    t->zeros += expected == 0;
    for (int i = 0; i < 6; i++) {
        const int *order = orders[i];
        tmb_stage stage;
        const int sign = tmb_orient2d_stage(p[order[0]], p[order[1]], p[order[2]], &stage);
        if (sign != order[3] * expected || sign != tmb_orient2d(p[order[0]], p[order[1]], p[order[2]])) {
            print_points(p[0], 6, 2);
            fail_msg("orient2d, order %d: %d instead of %d (%s)", i, sign, order[3] * expected, stage_names[stage]);
        }
        t->stages[stage]++;
    }
    int exponent;
    const double value = tmb_orient2d_value(p[0], p[1], p[2], &exponent);
    if (!value_is_close(o, value, exponent)) {
        print_points(p[0], 6, 2);
        fail_msg("orient2d value %a * 2^%d is off", value, exponent);
    }
}

static void ask_3d(oracle *o, double p[4][3], tally *t)
{
    static const int orders[6][5] = {{0, 1, 2, 3, 1},  {1, 0, 2, 3, -1}, {3, 0, 1, 2, -1},
                                     {0, 3, 2, 1, -1}, {2, 3, 0, 1, 1},  {1, 2, 3, 0, -1}};
    const int expected = oracle_3d(o, p);
    t->zeros += expected == 0;
    for (int i = 0; i < 6; i++) {
        const int *order = orders[i];
        const double *a = p[order[0]], *b = p[order[1]], *c = p[order[2]], *d = p[order[3]];
        tmb_stage stage;
        const int sign = tmb_orient3d_stage(a, b, c, d, &stage);
        if (sign != order[4] * expected || sign != tmb_orient3d(a, b, c, d)) {
            print_points(p[0], 12, 3);
            fail_msg("orient3d, order %d: %d instead of %d (%s)", i, sign, order[4] * expected, stage_names[stage]);
        }
        t->stages[stage]++;
    }
    int exponent;
    const double value = tmb_orient3d_value(p[0], p[1], p[2], p[3], &exponent);
    if (!value_is_close(o, value, exponent)) {
        print_points(p[0], 12, 3);
        fail_msg("orient3d value %a * 2^%d is off", value, exponent);
    }
}

/* Generators: `count` points of `dimension` coordinates, in a row. */
typedef void generator(source *random, double *p, int count, int dimension);

static void make_uniform(source *random, double *p, int count, int dimension)
{
    for (int i = 0; i < count * dimension; i++) {
        p[i] = next_unit(random);
    }
}

static void make_small_lattice(source *random, double *p, int count, int dimension)
{
    for (int i = 0; i < count * dimension; i++) {
        p[i] = next_int(random, -2, 2);
    }
}

static void make_decimal_lattice(source *random, double *p, int count, int dimension)
{
    for (int i = 0; i < count * dimension; i++) {
        p[i] = 0.1 * next_int(random, -3, 3);
    }
}

/* Integers and halves of them, scaled by a power of two. */
static void make_grid(source *random, double *p, int count, int dimension)
{
    const int bits = next_int(random, 1, 29);
    const int scale = next_int(random, -200, 200);
    for (int i = 0; i < count * dimension; i++) {
        p[i] = ldexp((double)next_int(random, -(1 << bits), 1 << bits), scale);
    }
}

/* A parallelogram (a midpoint, in the plane) on a grid, sometimes moved by a unit. */
static void make_flat_grid(source *random, double *p, int count, int dimension)
{
    make_grid(random, p, count, dimension);
    for (int k = 0; k < dimension; k++) {
        p[k] = count == 4 ? p[dimension + k] + p[2 * dimension + k] - p[3 * dimension + k]
                          : 0.5 * (p[dimension + k] + p[2 * dimension + k]);
    }
    if (next_bits(random) & 1) {
        p[0] += nextafter(fabs(p[dimension]), INFINITY) - fabs(p[dimension]);
    }
}

/* The last point an affine combination of the others, in doubles: nearly degenerate. */
static void make_flat(source *random, double *p, int count, int dimension)
{
    make_uniform(random, p, count, dimension);
    double weights[4], total = 0.0;
    for (int i = 0; i < count - 2; i++) {
        weights[i] = next_int(random, -4, 4) * 0.25;
        weights[i] += next_bits(random) & 1 ? next_unit(random) : 0.0;
        total += weights[i];
    }
    weights[count - 2] = 1.0 - total;
    for (int k = 0; k < dimension; k++) {
        double sum = 0.0;
        for (int i = 0; i < count - 1; i++) {
            sum += weights[i] * p[i * dimension + k];
        }
        p[(count - 1) * dimension + k] = sum;
    }
}

static void shake(source *random, double *p, int count)
{
    for (int i = 0; i < count; i++) {
        for (int steps = next_int(random, 0, 2); steps > 0; steps--) {
            p[i] = nextafter(p[i], next_bits(random) & 1 ? INFINITY : -INFINITY);
        }
    }
}

static void make_ulp_neighbours(source *random, double *p, int count, int dimension)
{
    if (next_bits(random) & 1) {
        make_flat(random, p, count, dimension);
    } else {
        make_small_lattice(random, p, count, dimension);
    }
    shake(random, p, count * dimension);
}

/* On a plane (line) whose last coordinate is plus or minus a power of two times another one: degenerate exactly,
 * whatever the bits of the other coordinates. */
static void make_exactly_flat(source *random, double *p, int count, int dimension)
{
    const int from = next_int(random, 0, dimension - 2);
    const double sign = next_bits(random) & 1 ? 1.0 : -1.0;
    const double factor = ldexp(sign, next_int(random, -3, 3));
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < dimension - 1; k++) {
            p[i * dimension + k] = next_scaled(random, -10, 10);
        }
        p[i * dimension + dimension - 1] = factor * p[i * dimension + from];
    }
}

static void make_exactly_flat_shaken(source *random, double *p, int count, int dimension)
{
    make_exactly_flat(random, p, count, dimension);
    shake(random, p + next_int(random, 0, count * dimension - 1), 1);
}

/* One of the above, far from 1. The factor is a power of two, so that degenerate cases stay so. */
static void make_far(source *random, double *p, int count, int dimension)
{
    static generator *const makers[] = {make_uniform, make_flat, make_exactly_flat, make_ulp_neighbours,
                                        make_small_lattice};
    makers[next_int(random, 0, 4)](random, p, count, dimension);
    const int scale = next_bits(random) & 1 ? next_int(random, -1085, -250) : next_int(random, 250, 1009);
    for (int i = 0; i < count * dimension; i++) {
        p[i] = ldexp(p[i], scale);
    }
}

/* Every coordinate of a size of its own, the whole range of doubles. */
static void make_mixed(source *random, double *p, int count, int dimension)
{
    static const double special[] = {0.0,      -0.0,      DBL_MAX,    -DBL_MAX, DBL_MIN,
                                     -DBL_MIN, 0x1p-1074, -0x1p-1074, 1e300,    1e-300};
    for (int i = 0; i < count * dimension; i++) {
        const int kind = next_int(random, 0, 3);
        p[i] = kind == 0   ? special[next_int(random, 0, 9)]
               : kind == 1 ? next_scaled(random, -1074, 1024)
                           : next_scaled(random, -30, 30);
    }
}

/* Every point scaled on its own: it stays in the plane, which goes through the origin. */
static void scale_points(source *random, double *p, int count, int dimension, int lowest, int highest)
{
    for (int i = 0; i < count; i++) {
        const int scale = next_int(random, lowest, highest);
        for (int k = 0; k < dimension; k++) {
            p[i * dimension + k] = ldexp(p[i * dimension + k], scale);
        }
    }
}

static void make_exactly_flat_mixed(source *random, double *p, int count, int dimension)
{
    make_exactly_flat(random, p, count, dimension);
    scale_points(random, p, count, dimension, -1000, 1000);
}

/* Differences that overlap in part, so that expansions grow long, exactly flat or off by a unit in the last place of
 * something small. */
static void make_exactly_flat_wide(source *random, double *p, int count, int dimension)
{
    const int range = next_bits(random) & 1 ? 60 : 220;
    make_exactly_flat(random, p, count, dimension);
    scale_points(random, p, count, dimension, -range, range);
    if (next_bits(random) & 1) {
        shake(random, p + next_int(random, 0, count * dimension - 1), 1);
    }
}

/* Around the limits of the range in which expansions are trusted, on both sides of them. */
static void make_at_limits(source *random, double *p, int count, int dimension)
{
    const int low = dimension == 2 ? -480 : -300, high = dimension == 2 ? 500 : 330;
    make_exactly_flat(random, p, count, dimension);
    for (int i = 0; i < count; i++) {
        const int limit = next_bits(random) & 1 ? low : high;
        scale_points(random, p + i * dimension, 1, dimension, limit - 14, limit + 14);
    }
    if (next_bits(random) & 1) {
        shake(random, p, count * dimension);
    }
}

typedef struct family {
    const char *name;
    generator *make;
    long count;
} family;

static const family families[] = {
    {"uniform", make_uniform, 20000},
    {"small lattice", make_small_lattice, 20000},
    {"decimal lattice", make_decimal_lattice, 20000},
    {"grid", make_grid, 20000},
    {"flat grid", make_flat_grid, 20000},
    {"flat", make_flat, 30000},
    {"ulp neighbours", make_ulp_neighbours, 30000},
    {"exactly flat", make_exactly_flat, 20000},
    {"exactly flat, shaken", make_exactly_flat_shaken, 20000},
    {"far", make_far, 10000},
    {"mixed", make_mixed, 10000},
    {"exactly flat, mixed", make_exactly_flat_mixed, 4000},
    {"exactly flat, wide", make_exactly_flat_wide, 10000},
    {"at the limits", make_at_limits, 10000},
};

#define FAMILY_COUNT (sizeof families / sizeof families[0])

static void add(tally *total, const tally *t)
{
    for (int i = 0; i < STAGE_COUNT; i++) {
        total->stages[i] += t->stages[i];
    }
    total->zeros += t->zeros;
}

static void expect_every_stage(const tally *total)
{
    for (int i = 0; i < STAGE_COUNT; i++) {
        if (total->stages[i] < 10 && (i != TMB_STAGE_LATTICE || TMB_HAS_LATTICE)) {
            fail_msg("stage %s decided %ld cases only", stage_names[i], total->stages[i]);
        }
    }
    assert_true(total->zeros > 100);
}

static void test_orient2d(void **state)
{
    (void)state;
    oracle o;
    tally total = {0};
    source random = {2};
    oracle_init(&o);
    for (size_t f = 0; f < FAMILY_COUNT; f++) {
        tally t = {0};
        for (long i = effort(families[f].count); i > 0; i--) {
            double p[3][2];
            families[f].make(&random, p[0], 3, 2);
            ask_2d(&o, p, &t);
        }
        report(families[f].name, &t);
        add(&total, &t);
    }
    oracle_clear(&o);
    expect_every_stage(&total);
}

static void test_orient3d(void **state)
{
    (void)state;
    oracle o;
    tally total = {0};
    source random = {3};
    oracle_init(&o);
    for (size_t f = 0; f < FAMILY_COUNT; f++) {
        tally t = {0};
        for (long i = effort(families[f].count); i > 0; i--) {
            double p[4][3];
            families[f].make(&random, p[0], 4, 3);
            ask_3d(&o, p, &t);
        }
        report(families[f].name, &t);
        add(&total, &t);
    }
    oracle_clear(&o);
    expect_every_stage(&total);
}

/* All quadruples of points of the grid {0, 1, 2}^3 that start at one of two points: every kind of coincidence. */
static void test_grid_completely(void **state)
{
    (void)state;
    oracle o;
    tally t = {0};
    oracle_init(&o);
    for (int code = 0; code < 27 * 27 * 27; code++) {
        double p[4][3];
        for (int i = 0, rest = code; i < 3; i++, rest /= 27) {
            p[i][0] = rest % 3;
            p[i][1] = rest / 3 % 3;
            p[i][2] = rest / 9 % 3;
        }
        p[3][0] = p[3][1] = 1.0;
        p[3][2] = code % 2;
        ask_3d(&o, p, &t);
    }
    oracle_clear(&o);
    report("complete grid", &t);
    assert_true(t.zeros > 1000);
}

static void test_sign_convention(void **state)
{
    (void)state;
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0}, below[3] = {0, 0, -1};
    assert_int_equal(tmb_orient2d(a, b, c), 1);
    assert_int_equal(tmb_orient3d(a, b, c, below), 1);
}

static void expect_integer(const tmb_bigint *number, const mpz_t expected, mpz_t scratch)
{
    mpz_import(scratch, (size_t)number->count, -1, sizeof(uint32_t), 0, 0, number->words);
    if (number->sign < 0) {
        mpz_neg(scratch, scratch);
    }
    assert_int_equal(mpz_cmp(scratch, expected), 0);
    assert_int_equal(number->sign, mpz_sgn(expected));
    assert_true(number->count == 0 || number->words[number->count - 1] != 0);
}

static void set_integer(mpz_t out, double value)
{
    mpq_t number;
    mpq_init(number);
    mpq_set_d(number, value);
    mpq_mul_2exp(number, number, 1074);
    mpz_set_q(out, number);
    mpq_clear(number);
}

static void test_integers(void **state)
{
    (void)state;
    source random = {4};
    mpz_t a, b, c, scratch;
    mpz_inits(a, b, c, scratch, NULL);
    for (long i = effort(20000); i > 0; i--) {
        double x[2];
        tmb_bigint m, n, out;
        make_mixed(&random, x, 2, 1);
        if (next_int(&random, 0, 3) == 0) {
            x[1] = next_bits(&random) & 1 ? x[0] : -x[0];
            shake(&random, x, isfinite(2.0 * x[0]) ? 1 : 0);
        }
        set_integer(a, x[0]);
        set_integer(b, x[1]);
        tmb_bigint_from_double(&m, x[0], -1074);
        tmb_bigint_from_double(&n, x[1], -1074);
        expect_integer(&m, a, scratch);
        tmb_bigint_multiply(&out, &m, &n);
        mpz_mul(c, a, b);
        expect_integer(&out, c, scratch);
        tmb_bigint_add(&out, &m, &n);
        mpz_add(c, a, b);
        expect_integer(&out, c, scratch);
        tmb_bigint_subtract(&m, &m, &n);
        mpz_sub(c, a, b);
        expect_integer(&m, c, scratch);
    }
    mpz_clears(a, b, c, scratch, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sign_convention), cmocka_unit_test(test_integers), cmocka_unit_test(test_grid_completely),
        cmocka_unit_test(test_orient2d),        cmocka_unit_test(test_orient3d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
