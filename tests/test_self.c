/* A model against itself: every way to share corners, compared with rational arithmetic, on every hierarchy and
 * instruction set. */
#include <stdlib.h>
#include <string.h>

#include "mixed_cases.h"
#include "self/rule.h"
#include "self_cases.h"

/* ---- Two triangles ---- */

static void take_triangle(test_random *random, double pool[SELF_POOL][3], double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        memcpy(out[i], pool[test_random_whole(random, 0, SELF_POOL - 1)], sizeof out[i]);
    }
}

/* The kind as the library tells it; 0: none. */
static tumble_self_kind found_kind(const double a[3][3], const double b[3][3], int soup)
{
    const tmb_shared none = {0, {0, 0, 0}, {0, 0, 0}}, shared = soup ? none : tmb_shared_corners(a, b);
    unsigned long long exact = 0;
    return tmb_triangles_meet_outside(a, b, &shared, &exact) ? tmb_kind_of_meeting(a, b) : (tumble_self_kind)0;
}

static void print_triangles(const double a[3][3], const double b[3][3])
{
    for (int i = 0; i < 6; i++) {
        const double *p = i < 3 ? a[i] : b[i - 3];
        print_message("    %a %a %a\n", p[0], p[1], p[2]);
    }
}

/* Also counts how often triangles that share so many corners were found to meet so. */
static void compare_triangles(const char *name, const double a[3][3], const double b[3][3], size_t seen[4][7])
{
    double first[1][3][3], second[1][3][3];
    memcpy(first[0], a, sizeof first[0]);
    memcpy(second[0], b, sizeof second[0]);
    const self_polygon p = {(const double(*)[3][3])first, 1}, q = {(const double(*)[3][3])second, 1};
    for (int soup = 0; soup < 2; soup++) {
        const tumble_self_kind expected = self_truth(&p, &q, soup), found = found_kind(a, b, soup);
        if (expected != found || found != found_kind(b, a, soup)) {
            print_triangles(a, b);
            fail_msg("%s%s: %s, but it is %s", name, soup ? ", soup" : "", tumble_self_kind_name(found),
                     tumble_self_kind_name(expected));
        }
        seen[tmb_shared_corners(a, b).count][expected] += !soup;
    }
}

static void test_triangles(void **state)
{
    (void)state;
    size_t seen[4][7] = {{0}};
    for (size_t round = 0; round < test_count(3000); round++) {
        test_random random = {round};
        double pool[SELF_POOL][3], a[3][3], b[3][3];
        self_pools[round % SELF_POOLS].make(&random, pool);
        take_triangle(&random, pool, a);
        take_triangle(&random, pool, b);
        compare_triangles(self_pools[round % SELF_POOLS].name, (const double(*)[3])a, (const double(*)[3])b, seen);
    }
    for (unsigned shared = 0; shared < 4; shared++) {
        for (unsigned kind = 0; kind <= TUMBLE_SELF_DEGENERATE; kind++) {
            /* with two shared corners, they overlap or, on a line, reach beyond the same end; with three, they are
             * duplicates unless they have no area */
            const int can = kind == 0 || (shared < 2 && kind != TUMBLE_SELF_DUPLICATE) ||
                            (shared == 2 && (kind == TUMBLE_SELF_OVERLAPPING || kind == TUMBLE_SELF_DEGENERATE)) ||
                            (shared == 3 && kind == TUMBLE_SELF_DUPLICATE);
            if (!can || test_effort() >= 1) {
                assert_int_equal(can, seen[shared][kind] > 0);
            }
        }
    }
}

/* ---- Models ---- */

/* The first pair of a mode that tells no kinds is one of all pairs. */
static void check_first(const tumble_self_result *result, const self_list *expected)
{
    size_t i = 0;
    while (i < expected->count && (expected->pairs[i].polygon_a != result->first.polygon_a ||
                                   expected->pairs[i].polygon_b != result->first.polygon_b)) {
        i++;
    }
    assert_true(!result->collide || i < expected->count);
    assert_int_equal(result->first.kind, 0);
}

/* All modes tell the same. */
static void check_modes(tumble_query *query, const tumble_model *model, const self_list *expected, int soup,
                        const char *name, size_t round)
{
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result result;
    options.soup = soup;
    assert_int_equal(tumble_self_collide(query, model, &options, &result), TUMBLE_OK);
    self_assert_same(&result, expected, name, round);
    assert_int_equal(result.collide, expected->count > 0);
    options.mode = TUMBLE_COUNT;
    assert_int_equal(tumble_self_collide(query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(result.pair_count, expected->count);
    assert_null(result.pairs);
    check_first(&result, expected);
    options.mode = TUMBLE_TEST;
    assert_int_equal(tumble_self_collide(query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(result.collide, expected->count > 0);
    assert_int_equal(result.pair_count, expected->count > 0);
    check_first(&result, expected);
    options.mode = TUMBLE_FIRST;
    assert_int_equal(tumble_self_collide(query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(result.pair_count, expected->count > 0);
    for (size_t i = 0; result.collide && i < expected->count; i++) {
        if (memcmp(&expected->pairs[i], &result.first, sizeof result.first) == 0) {
            assert_memory_equal(result.pairs, &result.first, sizeof result.first);
            return;
        }
    }
    assert_false(result.collide);
}

static void test_models(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_open_levels(&w->memory, contexts, queries);
    for (size_t round = 0; round < test_count(30); round++) {
        test_random random = {round};
        models_mesh mesh = {0};
        self_make_mesh(&random, self_pools[round % SELF_POOLS].make, 14, 3, &mesh);
        mixed_family family = mixed_make(w->context, &mesh);
        for (int soup = 0; soup < 2; soup++) {
            self_list expected = self_true_pairs(family.models[MIXED_BRUTE], soup);
            for (size_t kind = 0; kind < MIXED_KINDS; kind++) {
                check_modes(w->query, family.models[kind], &expected, soup, mixed_name(kind), round);
            }
            for (int level = 0; level < TEST_LEVELS; level++) {
                check_modes(queries[level], family.models[MIXED_WIDE], &expected, soup, "wide", round);
            }
            free(expected.pairs);
        }
        mixed_free(&family);
        models_free(&mesh);
    }
    test_close_levels(contexts, queries);
}

/* ---- Meshes that are clean, and larger ones ---- */

static void assert_clean(test_world *w, const models_mesh *mesh, const char *name)
{
    mixed_family family = mixed_make(w->context, mesh);
    for (size_t kind = 0; kind < MIXED_KINDS; kind++) {
        tumble_self_result result;
        assert_int_equal(tumble_self_collide(w->query, family.models[kind], NULL, &result), TUMBLE_OK);
        if (result.pair_count) {
            fail_msg("%s as %s: polygons %u and %u are %s", name, mixed_name(kind), result.first.polygon_a,
                     result.first.polygon_b, tumble_self_kind_name(result.first.kind));
        }
    }
    mixed_free(&family);
}

static void test_clean(void **state)
{
    test_world *w = *state;
    static const char *const names[] = {"sphere", "torus", "gear", "box", "lattice"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const models_shape *shape = models_find_shape(names[i]);
        models_mesh mesh = {0};
        if (test_make_shape(&mesh, shape, 1500)) {
            assert_clean(w, &mesh, names[i]);
            models_free(&mesh);
        }
    }
    models_mesh box = {0}, patch = {0};
    test_make_grid_box(&box, 6);
    assert_clean(w, &box, "grid box");
    models_free(&box);
    const double u[3] = {1, 0.25, 0.125}, v[3] = {-0.5, 2, 0.375}, centre[3] = {0, 0, 0};
    test_make_patch(&patch, 12, u, v, centre, 1);
    assert_clean(w, &patch, "flat patch");
    models_free(&patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles),
        TEST_IN_WORLD(test_models),
        TEST_IN_WORLD(test_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
