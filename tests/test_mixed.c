/* Two models with different hierarchies: all questions have the answers of brute force, for little work. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "mixed_cases.h"
#include "moving.h"
#include "sets.h"
#include "tree/hierarchy.h"

/* ---- Against brute force ---- */

/* One pair of kinds against what brute force says. */
static void check_kinds(tumble_query *query, const mixed_family *a, const tumble_pose *pose_a, const mixed_family *b,
                        const tumble_pose *pose_b, double clearance, size_t i, size_t j, const mixed_answers *expected,
                        const char *name)
{
    mixed_answers found = mixed_ask(query, a->models[i], pose_a, b->models[j], pose_b, clearance);
    mixed_assert_same(&found, expected, "%s, %s and %s", name, mixed_name(i), mixed_name(j));
    mixed_free_answers(&found);
}

/* Brute force against itself, and then all pairs of kinds, or, with a generator, some. */
static size_t check_families(tumble_query *query, const mixed_family *a, const tumble_pose *pose_a,
                             const mixed_family *b, const tumble_pose *pose_b, double clearance, test_random *random,
                             const char *name)
{
    mixed_answers expected =
        mixed_ask(query, a->models[MIXED_BRUTE], pose_a, b->models[MIXED_BRUTE], pose_b, clearance);
    for (size_t i = 0; i < MIXED_KINDS; i++) {
        const size_t only = random ? (size_t)test_random_whole(random, 0, MIXED_KINDS - 1) : 0;
        for (size_t j = only; j < (random ? only + 1 : MIXED_KINDS); j++) {
            check_kinds(query, a, pose_a, b, pose_b, clearance, i, j, &expected, name);
        }
    }
    const size_t count = expected.pair_count;
    mixed_free_answers(&expected);
    return count;
}

static void set_surfaces(models_mesh *mesh, uint32_t count)
{
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        mesh->surface_ids[i] = (uint32_t)i * 7 / 3 % count;
    }
}

static void test_all_kinds(void **state)
{
    const test_world *w = *state;
    test_random random = {1};
    models_mesh soup = {0}, sphere = {0};
    test_make_soup(&soup, &random, 90, 1.2);
    test_make_kind(&sphere, TEST_KIND_SPHERE, 150);
    set_surfaces(&soup, 11);
    set_surfaces(&sphere, 5);
    mixed_family a = mixed_make(w->context, &soup), b = mixed_make(w->context, &sphere);
    const tumble_pose poses[] = {mixed_pose(&random, 1, 0.3, 0.2, 0.1), mixed_pose(&random, 0.2, 0.5, 0.5, 0.2),
                                 mixed_pose(&random, 30, 20, -15, 3), mixed_pose(&random, 1, 1.2, 0.5, 0.7),
                                 mixed_pose(&random, 1, 40, 30, 90)};
    const tumble_pose turned = mixed_pose(&random, 1.5, 3, 2, 1), over = tumble_pose_compose(&turned, &poses[1]);
    size_t hits = 0;
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        test_random *some = test_effort() < 1 ? &random : NULL;
        hits += check_families(w->query, &a, NULL, &b, &poses[i], 0, some, "soup and sphere");
        hits += check_families(w->query, &b, NULL, &a, &poses[i], i == 3 ? 0.1 : 0, some, "sphere and soup");
    }
    hits += check_families(w->query, &a, &turned, &b, &over, 0.05, NULL, "two poses");
    assert_true(hits > 500);
    mixed_free(&a);
    mixed_free(&b);
    models_free(&soup);
    models_free(&sphere);
}

/* Sets that are made to be difficult, by all instruction sets. */
static void test_difficult_sets(void **state)
{
    test_world *w = *state;
    test_random random = {2};
    size_t hits = 0;
    for (size_t n = 0; n < test_count(TEST_SETS); n++) {
        const test_set *sets[2] = {&test_sets[n % TEST_SETS], &test_sets[(n + n / TEST_SETS) % TEST_SETS]};
        tumble_context *context = test_context(&w->memory, 1, (tumble_simd)(1 + n % 3));
        tumble_query *query = NULL;
        assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
        mixed_family families[2];
        for (int i = 0; i < 2; i++) {
            models_mesh mesh = {0};
            sets[i]->make(&mesh, &random, 30);
            set_surfaces(&mesh, 4);
            families[i] = mixed_make(context, &mesh);
            models_free(&mesh);
        }
        const tumble_model_info info = test_info(families[0].models[MIXED_BRUTE]);
        const int turns = sets[0]->turns && sets[1]->turns;
        for (size_t p = 0; p < 3; p++) {
            const tumble_pose pose = test_pose_over(&random, &info, turns, p);
            hits +=
                check_families(query, &families[0], NULL, &families[1], p ? &pose : NULL, 0, &random, sets[0]->name);
        }
        mixed_free(&families[0]);
        mixed_free(&families[1]);
        tumble_query_destroy(query);
        tumble_context_destroy(context);
    }
    assert_true(test_effort() < 1 || hits > 100);
}

/* Models without triangles, with one, two or few, flat ones and degenerate ones. */
static void test_odd_models(void **state)
{
    const test_world *w = *state;
    test_random random = {3};
    for (size_t n = 0; n < test_count(2 * TEST_KINDS * TEST_KINDS); n++) {
        const enum test_motion motions[] = {TEST_MOVE_REST,       TEST_MOVE_TO_A_POINT,   TEST_MOVE_TO_A_LINE,
                                            TEST_MOVE_TO_A_PLANE, TEST_MOVE_ON_A_LATTICE, TEST_MOVE_TENTHS};
        models_mesh mesh = {0}, other = {0};
        test_make_kind(&mesh, (enum test_kind)(n % TEST_KINDS), 30);
        test_make_kind(&other, (enum test_kind)(n / TEST_KINDS % TEST_KINDS), 30);
        models_mesh moved = test_share(&mesh);
        test_move(&moved, &mesh, motions[test_random_whole(&random, 0, 5)], &random);
        mixed_family a = mixed_make(w->context, &moved), b = mixed_make(w->context, &other);
        const tumble_pose pose = mixed_pose(&random, 1, test_random_unit(&random), 0.25, 0);
        (void)check_families(w->query, &a, NULL, &b, n % 3 ? &pose : NULL, n % 5 ? 0 : 0.25, &random, "odd models");
        mixed_free(&a);
        mixed_free(&b);
        free(moved.points);
        models_free(&mesh);
        models_free(&other);
    }
}

/* ---- Sizes ---- */

/* Sizes of the models, the scale of B's pose, how far it is moved, and a clearance. */
typedef struct range {
    double size_a, size_b, scale, shift, clearance;
} range;

static const range ranges[] = {
    {1, 0x1p-59, 1, 0.3, 0},    {1, 0x1p-61, 1, 0.3, 0},      {1, 0x1p-70, 1, 0.3, 0},   {0x1p-61, 1, 1, 0, 0},
    {1, 0x1p61, 1, 0, 0},       {1, 1, 0x1p-61, 0.2, 0},      {1, 1, 0x1p61, 0x1p60, 0}, {1, 1e-30, 1, 0.5, 1e-31},
    {1, 1e-200, 1, 0, 0},       {1e200, 1e-100, 1, 1e199, 0}, {1e-300, 1e-300, 1, 0, 0}, {1e-305, 1e-305, 1, 0, 1e-306},
    {1e-320, 1e-320, 1, 0, 0},  {1e160, 1e160, 1, 1e159, 0},  {8e307, 8e307, 1, 0, 0},   {1e308, 1, 1, 1e307, 0},
    {1, 1e308, 1, 0, 0},        {1e300, 1e-300, 1, 0, 0},     {1e-300, 1e300, 1, 0, 0},  {1e-300, 1e300, 1e-300, 0, 0},
    {1e-6, 1e-6, 1e290, 0, 0},  {1, 1, 1, 1e18, 2e18},        {1, 1e-12, 1, 0.7, 0.5},   {1e30, 1, 1, 1e29, 1e28},
    {1, 1, 1e-300, 0.5, 0.001}, {1e150, 1e150, 1e-280, 0, 0}, {1, 1, 1, 0, DBL_MAX},     {1, 0x1p-62, 1, 0, 0x1p-63}};

static models_mesh scaled_copy(const models_mesh *mesh, double size)
{
    models_mesh copy = test_share(mesh);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        copy.points[i] = mesh->points[i] * size;
    }
    return copy;
}

static void test_ranges(void **state)
{
    const test_world *w = *state;
    test_random random = {4};
    char name[150];
    size_t hits = 0;
    for (size_t n = 0; n < (test_effort() < 1 ? 1 : 2) * sizeof ranges / sizeof *ranges; n++) {
        const range *r = &ranges[n % (sizeof ranges / sizeof *ranges)];
        models_mesh soup = {0}, other = {0};
        test_make_soup(&soup, &random, 30, 0.7);
        test_make_soup(&other, &random, 20, 0.7);
        models_mesh mesh_a = scaled_copy(&soup, r->size_a), mesh_b = scaled_copy(&other, r->size_b);
        mixed_family a = mixed_make(w->context, &mesh_a), b = mixed_make(w->context, &mesh_b);
        tumble_pose pose = test_translation(r->shift * 0.7, -r->shift * 0.4, r->shift * test_random_unit(&random));
        if (r->size_a < 1e307 && r->size_b < 1e307) {
            pose = mixed_pose(&random, r->scale, pose.m[0][3], pose.m[1][3], pose.m[2][3]);
        }
        (void)snprintf(name, sizeof name, "sizes %g and %g, scale %g, shift %g, clearance %g", r->size_a, r->size_b,
                       r->scale, r->shift, r->clearance);
        hits += check_families(w->query, &a, NULL, &b, &pose, r->clearance, &random, name);
        mixed_free(&a);
        mixed_free(&b);
        free(mesh_a.points);
        free(mesh_b.points);
        models_free(&soup);
        models_free(&other);
    }
    assert_true(test_effort() < 1 || hits > 200);
}

static void flatten(models_mesh *mesh, double height)
{
    for (size_t i = 0; i < mesh->point_count; i++) {
        mesh->points[3 * i + 2] = height;
    }
}

/* Moved points that are subnormal lose most of their digits: two flat models that are apart in B's frame are in one
 * plane in A's. */
static void test_rounded_onto(void **state)
{
    const test_world *w = *state;
    test_random random = {12};
    for (int exponent = 50; exponent < 890; exponent += 200) {
        models_mesh soup = {0}, other = {0};
        test_make_soup(&soup, &random, 30, 0.7);
        test_make_soup(&other, &random, 20, 0.7);
        models_mesh mesh_a = scaled_copy(&soup, 0x1p-1069), mesh_b = scaled_copy(&other, ldexp(0x1p-1069, exponent));
        flatten(&mesh_a, 0x3p-1074);
        flatten(&mesh_b, 3.375 * ldexp(0x1p-1074, exponent));
        mixed_family a = mixed_make(w->context, &mesh_a), b = mixed_make(w->context, &mesh_b);
        const double scale = ldexp(1, -exponent);
        const tumble_pose pose = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
        const tumble_pose turned = {{{0, -scale, 0, 0x1p-1069}, {scale, 0, 0, 0}, {0, 0, scale, 0}}};
        assert_true(check_families(w->query, &a, NULL, &b, &pose, 0, NULL, "rounded onto") > 10);
        assert_true(check_families(w->query, &a, NULL, &b, &turned, 0, &random, "rounded onto, turned") > 10);
        mixed_free(&a);
        mixed_free(&b);
        free(mesh_a.points);
        free(mesh_b.points);
        models_free(&soup);
        models_free(&other);
    }
}

/* The middle between subnormal bounds is rounded: a box that reaches farther to one side of it than to the other
 * touches another with its longer side. */
static void test_subnormal_centre(void **state)
{
    const test_world *w = *state;
    const double step = 0x1p-1074, scale = 0x1p596, u = step * scale;
    const double lower_a[3] = {-16 * u, -4 * u, -2 * u}, upper_a[3] = {0, 4 * u, 2 * u};
    for (int first = 0x90c66; first < 0x90c6a; first++) {
        const double lower_b[3] = {-first * step, -4 * step, -2 * step}, upper_b[3] = {(16 - first) * step, 0, step};
        models_mesh mesh_a = {0}, mesh_b = {0};
        models_add_aligned_box(&mesh_a, lower_a, upper_a);
        models_add_aligned_box(&mesh_b, lower_b, upper_b);
        mixed_family a = mixed_make(w->context, &mesh_a), b = mixed_make(w->context, &mesh_b);
        const tumble_pose right = {{{scale, 0, 0, first * u}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
        const tumble_pose left = {{{scale, 0, 0, (first - 32) * u}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
        assert_true(check_families(w->query, &a, NULL, &b, &right, 0, NULL, "touching on the right") > 0);
        assert_true(check_families(w->query, &a, NULL, &b, &left, 0, NULL, "touching on the left") > 0);
        mixed_free(&a);
        mixed_free(&b);
        models_free(&mesh_a);
        models_free(&mesh_b);
    }
}

/* A bar that is so long that its thickness underflows in the unit of its length. */
static void test_long_bar(void **state)
{
    const test_world *w = *state;
    const double lower[3] = {0, -0x1p-206, -0x1p-206}, upper[3] = {0x1p1009, 0x1p-206, 0x1p-206};
    const double lower_b[3] = {1, -0x1p-207, 0x1p-206}, upper_b[3] = {2, 0x1p-207, 0x1p-205};
    models_mesh bar = {0}, block = {0};
    models_add_aligned_box(&bar, lower, upper);
    models_add_aligned_box(&block, lower_b, upper_b);
    mixed_family a = mixed_make(w->context, &bar), b = mixed_make(w->context, &block);
    assert_true(check_families(w->query, &a, NULL, &b, NULL, 0, NULL, "a long bar") > 0);
    assert_true(check_families(w->query, &b, NULL, &a, NULL, 0, NULL, "beside a long bar") > 0);
    mixed_free(&a);
    mixed_free(&b);
    models_free(&bar);
    models_free(&block);
}

/* A tiny model that just touches a triangle of a huge one, and the same one step away from it. */
static void test_tiny_touches(void **state)
{
    const test_world *w = *state;
    models_mesh large = {0}, small = {0};
    test_make_grid_box(&large, 6);
    test_make_grid_box(&small, 3);
    for (int exponent = -80; exponent <= -40; exponent += 5) {
        const double size = ldexp(1, exponent), nothing[3] = {0, 0, 0};
        models_mesh tiny = test_share(&small);
        memcpy(tiny.points, small.points, 3 * small.point_count * sizeof *tiny.points);
        test_transform(&tiny, size, nothing);
        mixed_family a = mixed_make(w->context, &large), b = mixed_make(w->context, &tiny);
        const tumble_pose touching = test_translation(0, 2.5, 2.25), inside = test_translation(0x1p-20, 2.5, 2.25);
        assert_true(check_families(w->query, &a, NULL, &b, &touching, 0, NULL, "tiny, touching") > 0);
        assert_int_equal(check_families(w->query, &a, NULL, &b, &inside, 0, NULL, "tiny, inside"), 0);
        mixed_free(&a);
        mixed_free(&b);
        free(tiny.points);
    }
    models_free(&large);
    models_free(&small);
}

/* ---- Other questions ---- */

static void check_relation(const test_world *w, const tumble_model *a, const tumble_model *b, const tumble_pose *pose,
                           const tumble_relation_result *expected, const char *name)
{
    tumble_relation_result result;
    test_assert_status(w->context, tumble_relate(w->query, a, NULL, b, pose, &result), TUMBLE_OK, "");
    if (result.relation != expected->relation || result.surfaces_meet != expected->surfaces_meet) {
        fail_msg("%s: %s instead of %s", name, tumble_relation_name(result.relation),
                 tumble_relation_name(expected->relation));
    }
}

static void check_distance(const test_world *w, const tumble_model *a, const tumble_model *b, const tumble_pose *pose,
                           double expected, const char *name)
{
    tumble_distance_result result;
    test_assert_status(w->context, tumble_distance(w->query, a, NULL, b, pose, NULL, &result), TUMBLE_OK, "");
    if (!(fabs(result.nearest.distance - expected) <= 1e-14 * expected)) {
        fail_msg("%s: distance %.17g instead of %.17g", name, result.nearest.distance, expected);
    }
}

static void test_relations_and_distances(void **state)
{
    const test_world *w = *state;
    models_mesh box = {0}, other = {0};
    test_make_grid_box(&box, 3);
    test_make_grid_box(&other, 2);
    mixed_family a = mixed_make(w->context, &box), b = mixed_make(w->context, &other);
    const tumble_pose poses[] = {test_translation(0.5, 0.5, 0.5), test_translation(3, 0.5, 0.5),
                                 test_translation(2, 0.5, 0.5), test_translation(7, 8, 1)};
    unsigned seen = 0;
    for (size_t n = 0; n < sizeof poses / sizeof *poses; n++) {
        tumble_relation_result relation;
        tumble_distance_result nearest;
        const tumble_model *brute_a = a.models[MIXED_BRUTE], *brute_b = b.models[MIXED_BRUTE];
        assert_int_equal(tumble_relate(w->query, brute_a, NULL, brute_b, &poses[n], &relation), TUMBLE_OK);
        assert_int_equal(tumble_distance(w->query, brute_a, NULL, brute_b, &poses[n], NULL, &nearest), TUMBLE_OK);
        seen |= 1u << relation.relation;
        for (size_t k = 0; k < MIXED_KINDS * MIXED_KINDS; k++) {
            const size_t i = k / MIXED_KINDS, j = k % MIXED_KINDS;
            char name[100];
            (void)snprintf(name, sizeof name, "pose %zu, %s and %s", n, mixed_name(i), mixed_name(j));
            check_relation(w, a.models[i], b.models[j], &poses[n], &relation, name);
            check_distance(w, a.models[i], b.models[j], &poses[n], nearest.nearest.distance, name);
        }
    }
    assert_true(__builtin_popcount(seen) >= 4); /* inside, touching, crossing, apart */
    mixed_free(&a);
    mixed_free(&b);
    models_free(&box);
    models_free(&other);
}

/* ---- Callbacks ---- */

typedef struct heard {
    test_pairs pairs;
    size_t stop_after;
} heard;

static bool hear(void *user, const tumble_pair *pairs, size_t count, const tumble_contact *contacts,
                 size_t contact_count)
{
    heard *h = user;
    (void)contacts, (void)contact_count;
    for (size_t i = 0; i < count; i++) {
        assert_true(h->pairs.count < h->pairs.capacity);
        h->pairs.items[h->pairs.count++] = pairs[i];
    }
    return h->pairs.count > h->stop_after;
}

static int pair_order(const void *a, const void *b)
{
    const tumble_pair *x = a, *y = b;
    return x->polygon_a != y->polygon_a ? (x->polygon_a > y->polygon_a) - (x->polygon_a < y->polygon_a)
                                        : (x->polygon_b > y->polygon_b) - (x->polygon_b < y->polygon_b);
}

static void test_callbacks(void **state)
{
    const test_world *w = *state;
    test_random random = {5};
    models_mesh mesh = {0};
    test_make_soup(&mesh, &random, 250, 1.5);
    mixed_family f = mixed_make(w->context, &mesh);
    const tumble_pose pose = mixed_pose(&random, 1, 0.1, 0, 0);
    mixed_answers expected = mixed_ask(w->query, f.models[0], NULL, f.models[0], &pose, 0);
    const test_pairs right = {expected.pairs, expected.pair_count, 0};
    assert_true(right.count > 600);
    heard h = {{malloc(right.count * sizeof *h.pairs.items), 0, right.count}, SIZE_MAX};
    for (size_t k = 1; k < MIXED_KINDS * MIXED_KINDS; k++) {
        const tumble_model *a = f.models[k / MIXED_KINDS], *b = f.models[k % MIXED_KINDS];
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        options.callback = hear, options.callback_user = &h;
        h.stop_after = SIZE_MAX, h.pairs.count = 0;
        assert_int_equal(tumble_collide(w->query, a, NULL, b, &pose, &options, &result), TUMBLE_OK);
        qsort(h.pairs.items, h.pairs.count, sizeof *h.pairs.items, pair_order);
        test_assert_same_pairs(&h.pairs, &right, "%s and %s", mixed_name(k / MIXED_KINDS), mixed_name(k % MIXED_KINDS));
        h.stop_after = 10, h.pairs.count = 0;
        assert_int_equal(tumble_collide(w->query, a, NULL, b, &pose, &options, &result), TUMBLE_ERROR_CANCELLED);
        assert_true(h.pairs.count < right.count);
    }
    free(h.pairs.items);
    mixed_free_answers(&expected);
    mixed_free(&f);
    models_free(&mesh);
}

/* ---- Work ---- */

/* Boxes and triangles that are compared grow far less than n m. */
static void test_little_work(void **state)
{
    const test_world *w = *state;
    uint64_t work[2][MIXED_KINDS][MIXED_KINDS];
    const size_t sizes[2] = {1000, 8000};
    for (int n = 0; n < 2; n++) {
        models_mesh torus, knot;
        assert_true(models_make_sized(&torus, "torus", sizes[n]) && models_make_sized(&knot, "knot", sizes[n]));
        mixed_family a = mixed_make(w->context, &torus), b = mixed_make(w->context, &knot);
        test_random random = {6};
        const tumble_pose pose = mixed_pose(&random, 1, 0.2, 0.1, 0.05);
        const double all =
            (double)test_info(a.models[0]).triangle_count * (double)test_info(b.models[0]).triangle_count;
        for (size_t k = 1; k < MIXED_KINDS * MIXED_KINDS; k++) {
            const size_t i = k / MIXED_KINDS, j = k % MIXED_KINDS;
            tumble_collide_result result;
            assert_int_equal(tumble_collide(w->query, a.models[i], NULL, b.models[j], &pose, NULL, &result), TUMBLE_OK);
            work[n][i][j] = result.counters.box_tests + result.counters.primitive_tests;
            assert_true(result.counters.box_tests > 0 && result.counters.bytes_touched > 0);
            assert_true((double)work[n][i][j] < (n ? 0.01 : 0.2) * all);
            assert_true(n == 0 || work[1][i][j] < 16 * work[0][i][j]); /* of 64 times as many pairs */
        }
        mixed_free(&a);
        mixed_free(&b);
        models_free(&torus);
        models_free(&knot);
    }
}

/* Also for sizes that floats do not do for, where both have the same hierarchy. */
static void test_little_work_for_any_size(void **state)
{
    const test_world *w = *state;
    models_mesh torus, knot;
    assert_true(models_make_sized(&torus, "torus", 4000) && models_make_sized(&knot, "knot", 1000));
    mixed_family a = mixed_make(w->context, &torus), b = mixed_make(w->context, &knot);
    test_random random = {7};
    const tumble_pose poses[] = {mixed_pose(&random, 0x1p-70, 0.5, 0, 0), mixed_pose(&random, 0x1p70, 0x1p69, 0, 0)};
    for (size_t n = 0; n < 2; n++) {
        for (size_t k = 1; k < MIXED_KINDS * MIXED_KINDS; k++) {
            tumble_collide_result result;
            assert_int_equal(tumble_collide(w->query, a.models[k / MIXED_KINDS], NULL, b.models[k % MIXED_KINDS],
                                            &poses[n], NULL, &result),
                             TUMBLE_OK);
            assert_true(result.counters.box_tests + result.counters.primitive_tests < 40000); /* of 4,000,000 */
        }
    }
    mixed_free(&a);
    mixed_free(&b);
    models_free(&torus);
    models_free(&knot);
}

/* ---- Memory ---- */

/* Each allocation of a query of its own fails once; then there is memory, and the answer is right. */
static size_t fail_each(test_world *w, const tumble_model *a, const tumble_model *b, const tumble_pose *pose,
                        uint64_t pair_count)
{
    for (size_t call = 1;; call++) {
        tumble_query *query = NULL;
        tumble_collide_result result;
        assert_int_equal(tumble_query_create(w->context, &query), TUMBLE_OK);
        test_allocator_fail(&w->memory, call, 0);
        const tumble_status status = tumble_collide(query, a, NULL, b, pose, NULL, &result);
        const size_t failures = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        if (failures) {
            test_assert_status(w->context, status, TUMBLE_ERROR_MEMORY, "");
        }
        assert_int_equal(tumble_collide(query, a, NULL, b, pose, NULL, &result), TUMBLE_OK);
        assert_int_equal(result.pair_count, pair_count);
        const size_t calls = test_allocator_calls(&w->memory);
        assert_int_equal(tumble_collide(query, a, NULL, b, pose, NULL, &result), TUMBLE_OK);
        assert_int_equal(test_allocator_calls(&w->memory), calls); /* warm */
        tumble_query_destroy(query);
        if (!failures) {
            return call - 1;
        }
    }
}

/* A tree so deep that the first room for a walk does not do: triangles that get smaller and smaller. */
static void make_spiral(models_mesh *mesh, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double x = ldexp(1, -(int)i), y = 0.75 * x;
        const uint32_t first = models_point(mesh, x, 0, 0);
        (void)models_point(mesh, x, y, 0);
        (void)models_point(mesh, x, 0, y);
        models_triangle(mesh, first, first + 1, first + 2);
    }
    assert_false(mesh->failed);
}

static void test_memory(void **state)
{
    test_world *w = *state;
    models_mesh spiral = {0};
    size_t asked = 0;
    make_spiral(&spiral, 150);
    mixed_family f = mixed_make(w->context, &spiral);
    mixed_answers expected = mixed_ask(w->query, f.models[0], NULL, f.models[0], NULL, 0);
    for (size_t k = 1; k < MIXED_KINDS * MIXED_KINDS; k += test_effort() < 1 ? 17 : 5) {
        const size_t i = k / MIXED_KINDS, j = k % MIXED_KINDS;
        const size_t calls = fail_each(w, f.models[i], f.models[j], NULL, expected.pair_count);
        asked = calls > asked ? calls : asked;
    }
    assert_true(asked > 1); /* a walk has grown */
    mixed_free_answers(&expected);
    mixed_free(&f);
    models_free(&spiral);
}

/* ---- The table ---- */

/* Every row of the list has a descriptor that says all that must be said, and AUTO is one of them. */
static void test_table(void **state)
{
    (void)state;
#define NUMBER(name, number, word, text) number,
    static const uint32_t numbers[] = {TUMBLE_HIERARCHY_LIST(NUMBER)};
#undef NUMBER
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const tmb_hierarchy *hierarchy = tmb_hierarchy_numbered(numbers[i]);
        assert_non_null(hierarchy);
        assert_true(hierarchy->number == (tumble_hierarchy)numbers[i] || numbers[i] == TUMBLE_HIERARCHY_AUTO);
        assert_true(hierarchy->number != TUMBLE_HIERARCHY_AUTO);
        assert_true(hierarchy->builder->build && hierarchy->boxes->root && hierarchy->boxes->children);
        assert_true(!hierarchy->node_bytes == !hierarchy->validate);
        assert_true(!hierarchy->node_bytes == !hierarchy->builder->write_nodes);
        assert_true(!hierarchy->node_bytes == !hierarchy->fit);
    }
    assert_null(tmb_hierarchy_numbered(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_all_kinds),
        TEST_IN_WORLD(test_difficult_sets),
        TEST_IN_WORLD(test_odd_models),
        TEST_IN_WORLD(test_ranges),
        TEST_IN_WORLD(test_rounded_onto),
        TEST_IN_WORLD(test_long_bar),
        TEST_IN_WORLD(test_subnormal_centre),
        TEST_IN_WORLD(test_tiny_touches),
        TEST_IN_WORLD(test_relations_and_distances),
        TEST_IN_WORLD(test_callbacks),
        TEST_IN_WORLD(test_little_work),
        TEST_IN_WORLD(test_little_work_for_any_size),
        TEST_IN_WORLD(test_memory),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
