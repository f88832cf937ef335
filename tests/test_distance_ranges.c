/* Distances and limits over the whole range of doubles, in both frames, against exact arithmetic: models from denormal
 * numbers to the largest ones, at poses of every scale. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/pose.h"
#include "math/scaled.h"
#include "oracle.h"
#include "scenes.h"

#define RELATIVE_ERROR 1e-14
#define MOST_TRIANGLES 4

/* ---- Models and poses ---- */

typedef struct soup {
    double corners[MOST_TRIANGLES][3][3];
    size_t count;
} soup;

/* How large the coordinates of a model are. */
typedef enum magnitude {
    DENORMAL, /* a few times the least double */
    TINY,
    MIDDLE,
    HUGE_NUMBERS,
    LARGEST, /* A and B at the two ends of the range */
    ANY,     /* another exponent for each triangle */
    CHAOS,   /* another exponent for each coordinate */
    MAGNITUDES
} magnitude;

static int exponent_for(test_random *random, magnitude size)
{
    switch (size) {
    case DENORMAL: return -1074;
    case TINY: return test_random_whole(random, -1060, -900);
    case MIDDLE: return test_random_whole(random, -30, 30);
    case HUGE_NUMBERS: return test_random_whole(random, 900, 1000);
    case LARGEST: return 1017;
    default: return test_random_whole(random, -1074, 1017);
    }
}

/* Small whole numbers now and then: gaps of equal size, and features that are parallel. */
static double coordinate(test_random *random, int whole, int exponent)
{
    return ldexp(whole ? test_random_whole(random, -7, 7) : test_random_range(random, -7, 7), exponent);
}

/* Along the first axis the model begins at `shift` times its size. */
static soup make_soup(test_random *random, magnitude size, int exponent, double shift)
{
    soup made = {.count = (size_t)test_random_whole(random, 1, MOST_TRIANGLES)};
    const int whole = test_random_chance(random, 0.5), is_point = test_random_chance(random, 0.1);
    for (size_t i = 0; i < made.count; i++) {
        const int own = size == ANY ? exponent_for(random, size) : exponent;
        for (int n = 0; n < 9; n++) {
            const int each = size == CHAOS ? exponent_for(random, size) : own;
            made.corners[i][n / 3][n % 3] = coordinate(random, whole, each) + (n % 3 == 0 ? ldexp(shift, each) : 0);
        }
        if (is_point) {
            memcpy(made.corners[i][1], made.corners[i][0], sizeof made.corners[i][0]);
            memcpy(made.corners[i][2], made.corners[i][0], sizeof made.corners[i][0]);
        }
    }
    return made;
}

static models_mesh mesh_of(const soup *s)
{
    models_mesh mesh = {0};
    for (size_t i = 0; i < s->count; i++) {
        uint32_t numbers[3];
        for (int c = 0; c < 3; c++) {
            numbers[c] = models_point(&mesh, s->corners[i][c][0], s->corners[i][c][1], s->corners[i][c][2]);
        }
        models_triangle(&mesh, numbers[0], numbers[1], numbers[2]);
    }
    assert_false(mesh.failed);
    return mesh;
}

/* A turn, times 2^exponent and, now and then, another factor. */
static tumble_pose make_pose(test_random *random, int exponent)
{
    tumble_pose pose = test_random_chance(random, 0.5) ? test_quarter_turn((size_t)test_random_whole(random, 0, 23))
                                                       : test_rational_turn(random);
    const double factor = test_random_chance(random, 0.5) ? 1 : test_random_range(random, 0.5, 1);
    for (int i = 0; i < 9; i++) {
        pose.m[i / 3][i % 3] = ldexp(pose.m[i / 3][i % 3] * factor, exponent);
    }
    return pose;
}

/* ---- The truth ---- */

typedef struct scene {
    soup a, b;
    tumble_pose pose_a, pose_b;
    double unit;
    mpq_t squared[MOST_TRIANGLES][MOST_TRIANGLES]; /* distances in A's frame */
    mpq_t least;
} scene;

typedef struct world {
    test_world *w;
    oracle *truth;
    mpq_t x, y; /* for use */
    size_t asked, told_denormal, told_infinite, own_denormal, own_infinite, odd_limits, refused;
} world;

static void scene_create(scene *s)
{
    mpq_init(s->least);
    for (int i = 0; i < MOST_TRIANGLES * MOST_TRIANGLES; i++) {
        mpq_init(s->squared[i / MOST_TRIANGLES][i % MOST_TRIANGLES]);
    }
}

static void scene_destroy(scene *s)
{
    mpq_clear(s->least);
    for (int i = 0; i < MOST_TRIANGLES * MOST_TRIANGLES; i++) {
        mpq_clear(s->squared[i / MOST_TRIANGLES][i % MOST_TRIANGLES]);
    }
}

static void find_truth(world *w, scene *s)
{
    const tumble_pose relative = tumble_pose_relative(&s->pose_a, &s->pose_b);
    s->unit = tmb_pose_is_identity(&s->pose_a) ? 1 : tumble_pose_scale(&s->pose_a);
    for (size_t j = 0; j < s->b.count; j++) {
        double moved[3][3];
        for (int c = 0; c < 3; c++) {
            tumble_pose_apply(&relative, s->b.corners[j][c], moved[c]);
        }
        for (size_t i = 0; i < s->a.count; i++) {
            oracle_squared_distance(w->truth, (const double(*)[3])s->a.corners[i], (const double(*)[3])moved,
                                    s->squared[i][j]);
            if ((i == 0 && j == 0) || mpq_cmp(s->squared[i][j], s->least) < 0) {
                mpq_set(s->least, s->squared[i][j]);
            }
        }
    }
}

/* The sign of (value + steps least doubles) * factor - distance, in the frame of the poses. */
static int compare(world *w, const scene *s, double value, int steps, double factor, const mpq_t squared)
{
    mpq_set_d(w->x, value);
    mpq_set_d(w->y, steps * DBL_TRUE_MIN);
    mpq_add(w->x, w->x, w->y);
    mpq_set_d(w->y, factor);
    mpq_mul(w->x, w->x, w->y);
    if (mpq_sgn(w->x) < 0) {
        return -1;
    }
    mpq_set_d(w->y, s->unit);
    mpq_div(w->x, w->x, w->y);
    mpq_mul(w->x, w->x, w->x);
    return mpq_cmp(w->x, squared);
}

/* Whether a distance is the true one, rounded: 0 for triangles that intersect and no others, infinite above all
 * doubles. */
static int is_true(world *w, const scene *s, double told, const mpq_t squared)
{
    if (mpq_sgn(squared) == 0 || told == 0) {
        return mpq_sgn(squared) == 0 && told == 0;
    }
    if (told == INFINITY) {
        return compare(w, s, DBL_MAX, 0, 1 - RELATIVE_ERROR, squared) < 0;
    }
    return told > 0 && compare(w, s, told, 1, 1 + RELATIVE_ERROR, squared) >= 0 &&
           compare(w, s, told, -1, 1 - RELATIVE_ERROR, squared) <= 0;
}

/* Whether lower <= distance <= upper: closely also where doubles have few digits. */
static int is_between(world *w, const scene *s, double lower, double upper)
{
    const double above = upper < DBL_MIN ? 1 + DBL_EPSILON : 1 + RELATIVE_ERROR;
    const double below = lower < DBL_MIN || lower == DBL_MAX ? 1 - DBL_EPSILON : 1 - RELATIVE_ERROR;
    return lower < INFINITY && compare(w, s, lower, 0, below, s->least) <= 0 &&
           (upper == INFINITY || compare(w, s, upper, 0, above, s->least) >= 0);
}

/* Whether triangles are within a limit of the frame of the poses, as docs/semantics.md defines it. */
static int is_within(world *w, const scene *s, double limit, const mpq_t squared)
{
    if (limit == INFINITY) {
        return 1;
    }
    int up, down;
    const double quotient = frexp(limit, &up) / frexp(s->unit, &down);
    mpq_set_d(w->x, quotient);
    if (up > down) {
        mpq_mul_2exp(w->x, w->x, (mp_bitcnt_t)(up - down));
    } else {
        mpq_div_2exp(w->x, w->x, (mp_bitcnt_t)(down - up));
    }
    mpq_mul(w->x, w->x, w->x);
    return mpq_cmp(w->x, squared) >= 0;
}

/* ---- Questions ---- */

enum {
    KINDS = 6
};

static const size_t kinds[KINDS - 1] = {0, TEST_TREE_WIDE, TEST_TREE_KDOP + 4, TEST_TREE_RTREE, TEST_TREE_WIDE_LONGEST};

static tumble_model *make_model(const world *w, const soup *s, size_t kind)
{
    models_mesh mesh = mesh_of(s);
    const tumble_model_options options = test_tree_variant(kinds[kind ? kind - 1 : 0]);
    tumble_model *model = kind ? test_model(w->w->context, &mesh, &options) : test_brute_model(w->w->context, &mesh);
    models_free(&mesh);
    return model;
}

static void fail_at(const scene *s, const char *what, double told, double lower, double upper)
{
    print_error("%s: %.17g in [%.17g, %.17g], unit %a\n", what, told, lower, upper, s->unit);
    for (int side = 0; side < 2; side++) {
        const soup *own = side ? &s->b : &s->a;
        for (size_t i = 0; i < own->count; i++) {
            for (int c = 0; c < 3; c++) {
                const double *x = own->corners[i][c];
                print_error("    %s%zu {%a, %a, %a}\n", side ? "b" : "a", i, x[0], x[1], x[2]);
            }
        }
        const tumble_pose *pose = side ? &s->pose_b : &s->pose_a;
        for (int k = 0; k < 3; k++) {
            print_error("    {%a, %a, %a, %a}\n", pose->m[k][0], pose->m[k][1], pose->m[k][2], pose->m[k][3]);
        }
    }
    fail();
}

typedef struct models {
    tumble_model *a, *b;
} models;

/* What the coordinates of the models are, at most, in the frame of the poses. Exponents of long doubles suffice. */
static long double largest_coordinate(const scene *s)
{
    const tumble_pose relative = tumble_pose_relative(&s->pose_a, &s->pose_b);
    long double largest = 0, shift = 0;
    for (size_t i = 0; i < 9 * s->a.count; i++) {
        largest = fmaxl(largest, fabs(s->a.corners[i / 9][i / 3 % 3][i % 3]));
    }
    for (size_t i = 0; i < 3 * s->b.count; i++) {
        double moved[3];
        tumble_pose_apply(&relative, s->b.corners[i / 3][i % 3], moved);
        largest = fmaxl(largest, fmaxl(fmaxl(fabs(moved[0]), fabs(moved[1])), fabs(moved[2])));
    }
    for (int k = 0; k < 3; k++) {
        shift = fmaxl(shift, fabs(s->pose_a.m[k][3]));
    }
    return largest * s->unit + shift;
}

/* Points are so far apart, but for the rounding of their coordinates, and infinite only beyond the largest double. */
static void check_points(const scene *s, const tumble_near *near)
{
    const long double largest = largest_coordinate(s);
    long double square = 0;
    for (int k = 0; k < 3; k++) {
        const long double x = near->point_a[k], y = near->point_b[k];
        assert_true(isfinite(near->point_a[k]));
        assert_true(!isnan(near->point_b[k]));
        if (isinf(near->point_b[k])) {
            assert_true(largest > DBL_MAX / 2);
            return;
        }
        square += (x - y) * (x - y);
    }
    const long double apart = sqrtl(square), told = near->distance;
    if (!(fabsl(apart - told) <= RELATIVE_ERROR * largest + 8 * (long double)DBL_TRUE_MIN) && told < DBL_MAX) {
        fail_at(s, "points that are not so far apart", near->distance, (double)apart, (double)largest);
    }
}

static double check_distance(world *w, const scene *s, const models *m, int coherence)
{
    tumble_distance_options options = tumble_default_distance_options();
    options.coherence = coherence ? TUMBLE_COHERENCE_ALL : TUMBLE_COHERENCE_NONE;
    tumble_distance_result r;
    assert_int_equal(tumble_distance(w->w->query, m->a, &s->pose_a, m->b, &s->pose_b, &options, &r), TUMBLE_OK);
    const double told = r.nearest.distance;
    if (r.answer != TUMBLE_YES || !r.is_complete || !is_true(w, s, told, s->least) ||
        !is_true(w, s, told, s->squared[r.nearest.polygon_a][r.nearest.polygon_b])) {
        fail_at(s, coherence ? "a wrong distance, coherent" : "a wrong distance", told, r.lower, r.upper);
    }
    if (!is_between(w, s, r.lower, r.upper) || r.lower > told || r.upper < told) {
        fail_at(s, "wrong bounds", told, r.lower, r.upper);
    }
    check_points(s, &r.nearest);
    return told;
}

/* Errors allowed, and a budget that ends the search at once. */
static void check_bounds(world *w, const scene *s, const models *m, double told)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result r;
    options.relative_error = 0.25;
    options.absolute_error = fmin(told, DBL_MAX) / 8;
    for (uint64_t budget = 0; budget < 3; budget++) {
        options.budget_box_tests = budget;
        assert_int_equal(tumble_distance(w->w->query, m->a, &s->pose_a, m->b, &s->pose_b, &options, &r), TUMBLE_OK);
        if (!is_between(w, s, r.lower, r.upper)) {
            fail_at(s, "wrong bounds with errors", r.nearest.distance, r.lower, r.upper);
        }
        const double most = told * 1.25 + told / 8;
        if (budget == 0 && !(r.nearest.distance <= most * (1 + RELATIVE_ERROR) + 2 * DBL_TRUE_MIN)) {
            fail_at(s, "a larger error than allowed", r.nearest.distance, r.lower, r.upper);
        }
    }
}

/* Whether something is within a limit, by distance and by clearance. */
static void check_limit(world *w, const scene *s, const models *m, double limit)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result r;
    const double own = limit / s->unit;
    const int truth = is_within(w, s, limit, s->least);
    w->odd_limits += limit > 0 && limit < INFINITY && (own < DBL_MIN || own == INFINITY);
    options.within = limit;
    for (int stop = 0; stop < 2; stop++) {
        options.enough = stop ? limit : 0;
        assert_int_equal(tumble_distance(w->w->query, m->a, &s->pose_a, m->b, &s->pose_b, &options, &r), TUMBLE_OK);
        if (r.answer != (truth ? TUMBLE_YES : TUMBLE_NO)) {
            fail_at(s, stop ? "within and enough" : "within", limit, r.lower, r.upper);
        }
        if (truth && !is_within(w, s, limit, s->squared[r.nearest.polygon_a][r.nearest.polygon_b])) {
            fail_at(s, "a pair beyond the limit", limit, r.lower, r.upper);
        }
    }
    tumble_collide_options collide = tumble_default_collide_options();
    tumble_collide_result hits;
    collide.clearance = limit;
    assert_int_equal(tumble_collide(w->w->query, m->a, &s->pose_a, m->b, &s->pose_b, &collide, &hits), TUMBLE_OK);
    size_t n = 0;
    for (uint32_t i = 0; i < s->a.count; i++) {
        for (uint32_t j = 0; j < s->b.count; j++) {
            const int listed = n < hits.pair_count && hits.pairs[n].polygon_a == i && hits.pairs[n].polygon_b == j;
            if (listed != is_within(w, s, limit, s->squared[i][j])) {
                fail_at(s, listed ? "a pair beyond the clearance" : "a pair missing", limit, i, j);
            }
            n += (size_t)listed;
        }
    }
    assert_int_equal(n, hits.pair_count);
}

static void check_limits(world *w, const scene *s, const models *m, double told)
{
    const double limits[] = {
        told, nextafter(told, 0), nextafter(told, INFINITY), told * 0.7, told * 1.4, DBL_TRUE_MIN, DBL_MAX, INFINITY};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        check_limit(w, s, m, limits[i]);
    }
}

/* The list of near pairs has what its distances say. */
static void check_list(world *w, const scene *s, const models *m, double told, double error)
{
    tumble_distance_options options = tumble_default_distance_options();
    tumble_distance_result r;
    options.relative_error = error;
    options.want_pairs = true;
    assert_int_equal(tumble_distance(w->w->query, m->a, &s->pose_a, m->b, &s->pose_b, &options, &r), TUMBLE_OK);
    const double limit = r.nearest.distance * (1 + error);
    size_t n = 0;
    for (uint32_t i = 0; i < s->a.count; i++) {
        for (uint32_t j = 0; j < s->b.count; j++) {
            const tumble_near *near = n < r.pair_count ? &r.pairs[n] : NULL;
            const int listed = near && near->polygon_a == i && near->polygon_b == j;
            const int is_near = limit == INFINITY || compare(w, s, limit, 0, 1 - RELATIVE_ERROR, s->squared[i][j]) >= 0;
            if ((is_near && !listed) || (listed && !(near->distance <= limit))) {
                fail_at(s, "a list without a near pair", limit, i, j);
            }
            if (listed && !is_true(w, s, near->distance, s->squared[i][j])) {
                fail_at(s, "a wrong distance in a list", near->distance, i, j);
            }
            n += (size_t)listed;
        }
    }
    assert_int_equal(n, r.pair_count);
    assert_true(n >= 1 && (error > 0 || is_true(w, s, told, s->least)));
}

static void count_ranges(world *w, const scene *s, double told)
{
    const double root = sqrt(mpq_get_d(s->least));
    w->asked++;
    w->told_denormal += told > 0 && told < DBL_MIN;
    w->told_infinite += told == INFINITY;
    w->own_denormal += mpq_sgn(s->least) > 0 && root < 0x1p-500;
    mpq_set_d(w->x, DBL_MAX);
    mpq_mul(w->x, w->x, w->x);
    w->own_infinite += mpq_cmp(s->least, w->x) > 0 && told < INFINITY;
}

static void check_scene(world *w, scene *s, test_random *random)
{
    tumble_distance_result r;
    tumble_model *all_a[KINDS], *all_b[KINDS];
    const size_t first = (size_t)test_random_whole(random, 0, KINDS - 1);
    models m = {all_a[first] = make_model(w, &s->a, first), all_b[first] = make_model(w, &s->b, first)};
    const tumble_status status = tumble_distance(w->w->query, m.a, &s->pose_a, m.b, &s->pose_b, NULL, &r);
    if (status != TUMBLE_OK) { /* something overflows */
        assert_int_equal(status, TUMBLE_ERROR_NOT_FINITE);
        w->refused++;
        tumble_model_destroy(m.a);
        tumble_model_destroy(m.b);
        return;
    }
    find_truth(w, s);
    const double told = check_distance(w, s, &m, 0);
    count_ranges(w, s, told);
    for (size_t kind = 0; kind < KINDS; kind++) {
        if (kind != first) {
            all_a[kind] = make_model(w, &s->a, kind);
            all_b[kind] = make_model(w, &s->b, kind);
        }
    }
    for (size_t kind = 0; kind < KINDS; kind++) {
        const size_t other = test_random_chance(random, 0.3) ? (kind + 1) % KINDS : kind;
        m = (models){all_a[kind], all_b[other]};
        check_distance(w, s, &m, 0);
        check_distance(w, s, &m, 1);
        check_distance(w, s, &m, 1);
    }
    m = (models){all_a[first], all_b[test_random_whole(random, 0, KINDS - 1)]};
    check_bounds(w, s, &m, told);
    check_limits(w, s, &m, told);
    check_list(w, s, &m, told, 0);
    check_list(w, s, &m, told, 0.5);
    for (size_t kind = 0; kind < KINDS; kind++) {
        tumble_model_destroy(all_a[kind]);
        tumble_model_destroy(all_b[kind]);
    }
}

/* ---- Tests ---- */

static void open_world(world *w, void **state)
{
    *w = (world){.w = *state, .truth = oracle_create()};
    mpq_inits(w->x, w->y, NULL);
}

static void close_world(world *w)
{
    mpq_clears(w->x, w->y, NULL);
    oracle_destroy(w->truth);
}

/* Points 0 and (u, u, 0), the least double, at scale 2^300; and corners near the largest double at scale 2^-600. */
static void test_known(void **state)
{
    world w;
    scene s;
    test_random random = {1};
    open_world(&w, state);
    scene_create(&s);
    s.a = s.b = (soup){.count = 1};
    s.pose_a = s.pose_b = test_translation(0, 0, 0);
    for (int c = 0; c < 3; c++) {
        s.b.corners[0][c][0] = s.b.corners[0][c][1] = DBL_TRUE_MIN;
        s.pose_a.m[c][c] = s.pose_b.m[c][c] = 0x1p300;
    }
    check_scene(&w, &s, &random);
    for (int i = 0; i < 9; i++) {
        s.a.corners[0][i / 3][i % 3] = -1.5e308;
        s.b.corners[0][i / 3][i % 3] = 1.5e308;
    }
    for (int c = 0; c < 3; c++) {
        s.pose_a.m[c][c] = s.pose_b.m[c][c] = 0x1p-600;
    }
    check_scene(&w, &s, &random);
    assert_int_equal(w.refused, 0);
    assert_int_equal(w.own_denormal, 1);
    assert_int_equal(w.own_infinite, 1);
    scene_destroy(&s);
    close_world(&w);
}

/* Scales such that the models are representable in both frames, mostly: A's points must not overflow when its pose
 * moves them. */
static int scale_for(test_random *random, int most)
{
    const int room = most > 990 ? -most - 5 + 1020 : 1000;
    return test_random_whole(random, -1000, room < 1000 ? room : 1000);
}

static void place(test_random *random, scene *s, magnitude size)
{
    static const int reach[MAGNITUDES] = {-1070, -890, 40, 1010, 1023, 1023, 1023};
    const int exponent = exponent_for(random, size), scale = scale_for(random, reach[size] > 0 ? reach[size] : 0);
    s->a = make_soup(random, size, exponent, size == LARGEST ? -112 : 0);
    s->b = make_soup(random, size, exponent, size == LARGEST ? 112 : test_random_chance(random, 0.7) ? 20 : 0);
    if (size < LARGEST && test_random_chance(random, 0.2)) {
        s->b = make_soup(random, MIDDLE, exponent_for(random, ANY), 20);
    }
    s->pose_a = make_pose(random, scale);
    s->pose_b = make_pose(random, scale + (test_random_chance(random, 0.3) ? test_random_whole(random, -20, 20) : 0));
    if (test_random_chance(random, size == LARGEST ? 0.8 : 0.4)) {
        s->pose_b = s->pose_a;
    }
    if (size == LARGEST && test_random_chance(random, 0.2)) {
        s->pose_a = s->pose_b = test_translation(0, 0, 0);
    } else if (test_random_chance(random, 0.3)) {
        for (int k = 0; k < 3; k++) {
            s->pose_b.m[k][3] = s->pose_a.m[k][3] + ldexp(test_random_range(random, -9, 9), exponent + scale);
        }
    }
}

static void test_ranges(void **state)
{
    world w;
    scene s;
    test_random random = {2};
    open_world(&w, state);
    scene_create(&s);
    const size_t count = test_count(80);
    for (size_t n = 0; n < count; n++) {
        place(&random, &s, (magnitude)(n % MAGNITUDES));
        check_scene(&w, &s, &random);
    }
    print_message(
        "%zu asked, %zu refused; in A's frame below 2^-500 %zu, infinite %zu; told denormal %zu, infinite %zu; "
        "odd limits %zu\n",
        w.asked, w.refused, w.own_denormal, w.own_infinite, w.told_denormal, w.told_infinite, w.odd_limits);
    if (count >= 80) {
        assert_true(w.asked > count / 2 && w.own_denormal > count / 8 && w.own_infinite > count / 20 &&
                    w.odd_limits > count / 2 && w.told_denormal > 5 && w.told_infinite > 0);
    }
    scene_destroy(&s);
    close_world(&w);
}

/* Where tiny triangles meet, or are nearest, is not rounded before A's pose enlarges it: an edge passes through a face
 * at 4/3 of the least double. */
static void test_contacts(void **state)
{
    const test_world *w = *state;
    const double u = DBL_TRUE_MIN, unit = 0x1p300;
    const soup soups[] = {{{{{0, 0, 0}, {9 * u, 0, 0}, {0, 9 * u, 0}}}, 1},
                          {{{{u, u, -u}, {u, 2 * u, 2 * u}, {2 * u, u, -u}}}, 1},
                          {{{{u, 8 * u, -u}, {9 * u, 3 * u, u}, {9 * u, 3 * u, u}}}, 1}};
    tumble_model *made[3];
    tumble_pose pose = test_translation(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        models_mesh mesh = mesh_of(&soups[i]);
        made[i] = test_model(w->context, &mesh, NULL);
        models_free(&mesh);
        pose.m[i][i] = unit;
    }
    tumble_collide_options options = tumble_default_collide_options();
    tumble_collide_result hits;
    tumble_distance_result near;
    options.want_contacts = true;
    assert_int_equal(tumble_collide(w->query, made[0], &pose, made[1], &pose, &options, &hits), TUMBLE_OK);
    assert_int_equal(hits.contact_count, 1);
    const double y = fmax(hits.contacts[0].points[0][1], hits.contacts[0].points[1][1]);
    assert_true(fabs(y / (u * unit) - 4.0 / 3) < 1e-14);
    options.clearance = INFINITY;
    assert_int_equal(tumble_collide(w->query, made[0], &pose, made[2], &pose, &options, &hits), TUMBLE_OK);
    assert_true(hits.contact_count == 1 && hits.contacts[0].apart);
    const tumble_contact contact = hits.contacts[0];
    assert_int_equal(tumble_distance(w->query, made[0], &pose, made[2], &pose, NULL, &near), TUMBLE_OK);
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double step = (contact.points[0][k] - contact.points[1][k]) / (u * unit);
        assert_true(contact.points[0][k] == near.nearest.point_a[k] && contact.points[1][k] == near.nearest.point_b[k]);
        square += step * step;
    }
    assert_true(fabs(sqrt(square) * (u * unit) / near.nearest.distance - 1) < 1e-13);
    for (int i = 0; i < 3; i++) {
        tumble_model_destroy(made[i]);
    }
}

/* Poses that have no place in A's frame, and one that becomes a point there. */
static void test_poses(void **state)
{
    const test_world *w = *state;
    const tumble_pose one = test_translation(0, 0, 0);
    const soup tetrahedron = {{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 0, 0}, {2, 0, 0}, {0, 0, 2}}}, 2};
    models_mesh mesh = mesh_of(&tetrahedron);
    tumble_model *model = test_model(w->context, &mesh, NULL);
    static const struct {
        double a, b, shift;
        const char *message;
    } cases[] = {
        {0x1p-1030, 0x1p-1030, 0, "A's pose, of scale 8.69169e-311, has no inverse in doubles"},
        {0x1p-600, 0x1p600, 0, "B's pose becomes infinite in A's frame: the scales are 2.40992e-181 for A"},
        {0x1p-600, 0x1p-600, 0x1p600,
         "B's position becomes infinite in A's frame: the poses are too far apart for A's scale, 2.40992e-181"},
        {0x1p-1020, 0x1.8p3, 0, "B's points become infinite when they are moved into A's frame"},
        {0x1p600, 0x1p-600, 0x1p602, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tumble_pose a = one, b = one;
        tumble_distance_result r;
        tumble_collide_result hits;
        for (int k = 0; k < 3; k++) {
            a.m[k][k] = cases[i].a;
            b.m[k][k] = cases[i].b;
        }
        b.m[0][3] = cases[i].shift;
        const tumble_status expected = cases[i].message ? TUMBLE_ERROR_NOT_FINITE : TUMBLE_OK;
        test_assert_status(w->context, tumble_distance(w->query, model, &a, model, &b, NULL, &r), expected,
                           cases[i].message);
        test_assert_status(w->context, tumble_collide(w->query, model, &a, model, &b, NULL, &hits), expected,
                           cases[i].message);
        assert_true(cases[i].message || r.nearest.distance == 0x1p601);
    }
    tumble_model_destroy(model);
    models_free(&mesh);
}

/* What is just below the least normal number keeps its digits: it is not that number, to which doubles round it. */
static void test_just_below_normal(void **state)
{
    (void)state;
    const tmb_limit limit = tmb_limit_of(0x1.fffffffffffffp-364, 0x1p659);
    assert_true(limit.below < DBL_MIN && limit.above == DBL_MIN);
    assert_true(tmb_length_below(0x1.fffffffffffffp-523, 0x1p-500) < DBL_MIN);
    assert_true(tmb_length_above(0x1.fffffffffffffp-523, 0x1p-500) == DBL_MIN);
}

/* Errors that lead beyond the largest double: pairs that no double can tell apart are not listed. */
static void test_list_at_the_end(void **state)
{
    test_world *w = *state;
    const double far[18] = {0, 0x1p1023, 0, 0, 0, 0, 0, 0, 0, 0, -0x1p1023, 0, 0, -0x1p1023, 0, 0, -0x1p1023, 0};
    const double point[9] = {0, 0x1p1023, -0x1p1023, 0, 0x1p1023, -0x1p1023, 0, 0x1p1023, -0x1p1023};
    const uint32_t indices[6] = {0, 1, 2, 3, 4, 5};
    tumble_mesh mesh = tumble_default_mesh();
    tumble_model *a, *b;
    mesh.points = far, mesh.point_count = 6, mesh.indices = indices, mesh.index_count = 6;
    assert_int_equal(tumble_model_create(w->context, &mesh, NULL, &a), TUMBLE_OK);
    mesh.points = point, mesh.point_count = 3, mesh.index_count = 3;
    assert_int_equal(tumble_model_create(w->context, &mesh, NULL, &b), TUMBLE_OK);
    tumble_distance_options options = tumble_default_distance_options();
    options.relative_error = 1;
    options.want_pairs = true;
    tumble_distance_result r;
    assert_int_equal(tumble_distance(w->query, a, NULL, b, NULL, &options, &r), TUMBLE_OK);
    assert_true(r.nearest.distance == 0x1p1023);
    assert_int_equal(r.pair_count, 1);
    assert_int_equal(r.pairs[0].polygon_a, 0);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_known),           TEST_IN_WORLD(test_ranges),
                                       TEST_IN_WORLD(test_contacts),        TEST_IN_WORLD(test_poses),
                                       TEST_IN_WORLD(test_list_at_the_end), cmocka_unit_test(test_just_below_normal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
