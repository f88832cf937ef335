/* A model against itself: every way to share corners, compared with rational arithmetic, on every hierarchy and
 * instruction set. */
#include <stdlib.h>
#include <string.h>

#include "mixed_cases.h"
#include "self/rule.h"
#include "self_oracle.h"

/* ---- Two triangles ---- */

/* A pool of points, so that triangles share corners in all ways. */
enum {
    POOL = 9
};
typedef void make_pool(test_random *random, double pool[POOL][3]);

static void make_lattice_pool(test_random *random, double pool[POOL][3])
{
    for (int i = 0; i < 3 * POOL; i++) {
        pool[i / 3][i % 3] = test_random_whole(random, 0, 2);
    }
}

static void make_flat_pool(test_random *random, double pool[POOL][3])
{
    const int axis = test_random_whole(random, 0, 2);
    make_lattice_pool(random, pool);
    for (int i = 0; i < POOL; i++) {
        pool[i][axis] = pool[i][(axis + 1) % 3] + pool[i][(axis + 2) % 3];
    }
}

static void make_line_pool(test_random *random, double pool[POOL][3])
{
    for (int i = 0; i < POOL; i++) {
        const double at = test_random_whole(random, -2, 2);
        pool[i][0] = at, pool[i][1] = 2 * at, pool[i][2] = test_random_chance(random, 0.8) ? -at : 1;
    }
}

/* Neighbouring doubles. */
static void make_ulp_pool(test_random *random, double pool[POOL][3])
{
    make_flat_pool(random, pool);
    for (int i = 0; i < 3 * POOL; i++) {
        pool[i / 3][i % 3] = test_step_ulps(pool[i / 3][i % 3] + 0.1, test_random_whole(random, -1, 1));
    }
}

static void make_random_pool(test_random *random, double pool[POOL][3])
{
    for (int i = 0; i < 3 * POOL; i++) {
        pool[i / 3][i % 3] = test_random_range(random, -1, 1);
    }
}

static void make_huge_pool(test_random *random, double pool[POOL][3])
{
    const double scale = test_random_chance(random, 0.5) ? 0x1p1022 : 0x1p-1070;
    make_flat_pool(random, pool);
    for (int i = 0; i < 3 * POOL; i++) {
        pool[i / 3][i % 3] = (pool[i / 3][i % 3] - 2) * scale * 0.5;
    }
}

static const struct {
    const char *name;
    make_pool *make;
} pools[] = {{"lattice", make_lattice_pool}, {"flat", make_flat_pool},     {"line", make_line_pool},
             {"ulp", make_ulp_pool},         {"random", make_random_pool}, {"huge", make_huge_pool}};
enum {
    POOLS = sizeof pools / sizeof *pools
};

static void take_triangle(test_random *random, double pool[POOL][3], double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        memcpy(out[i], pool[test_random_whole(random, 0, POOL - 1)], sizeof out[i]);
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
        double pool[POOL][3], a[3][3], b[3][3];
        pools[round % POOLS].make(&random, pool);
        take_triangle(&random, pool, a);
        take_triangle(&random, pool, b);
        compare_triangles(pools[round % POOLS].name, (const double(*)[3])a, (const double(*)[3])b, seen);
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

static void make_pool_mesh(test_random *random, make_pool *make, size_t triangles, models_mesh *mesh)
{
    double pool[POOL][3];
    uint32_t numbers[2 * POOL];
    make(random, pool);
    for (uint32_t i = 0; i < 2 * POOL; i++) { /* each twice: sharing goes by coordinates */
        numbers[i] = models_point(mesh, pool[i % POOL][0], pool[i % POOL][1], pool[i % POOL][2]);
    }
    for (size_t i = 0; i < triangles; i++) {
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = numbers[test_random_whole(random, 0, 2 * POOL - 1)];
        }
        models_polygon(mesh, corners, 3);
    }
}

typedef struct self_list {
    tumble_self_pair *pairs;
    size_t count, capacity;
} self_list;

static void append(self_list *list, tumble_self_pair pair)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->pairs = realloc(list->pairs, list->capacity * sizeof *list->pairs);
    }
    list->pairs[list->count++] = pair;
}

/* The triangles of every polygon, as the model has cut them. */
typedef struct cut_polygons {
    double (*triangles)[3][3];
    self_polygon *polygons;
    uint32_t count;
} cut_polygons;

static cut_polygons cut(const tumble_model *model)
{
    const tumble_model_info info = test_info(model);
    cut_polygons out = {malloc((info.triangle_count + 1) * sizeof *out.triangles), NULL, (uint32_t)info.polygon_count};
    out.polygons = calloc(out.count + 1, sizeof *out.polygons);
    size_t at = 0;
    for (uint32_t polygon = 0; polygon < out.count; polygon++) {
        out.polygons[polygon].triangles = (const double(*)[3][3])(out.triangles + at);
        for (uint32_t i = 0; i < info.triangle_count; i++) {
            uint32_t own;
            assert_int_equal(tumble_model_triangle(model, i, out.triangles[at], &own), TUMBLE_OK);
            out.polygons[polygon].count += own == polygon;
            at += own == polygon;
        }
    }
    return out;
}

static void free_cut(cut_polygons *cut)
{
    free(cut->triangles);
    free(cut->polygons);
}

static self_list true_pairs(const tumble_model *model, int soup)
{
    cut_polygons polygons = cut(model);
    self_list list = {0};
    for (uint32_t i = 0; i < polygons.count; i++) {
        for (uint32_t j = i + 1; j < polygons.count; j++) {
            const tumble_self_kind kind = self_truth(&polygons.polygons[i], &polygons.polygons[j], soup);
            if (kind) {
                append(&list, (tumble_self_pair){i, j, kind});
            }
        }
    }
    free_cut(&polygons);
    return list;
}

static void assert_same(const tumble_self_result *result, const self_list *expected, const char *name, size_t round)
{
    for (size_t i = 0; i < result->pair_count && i < expected->count; i++) {
        const tumble_self_pair *x = &result->pairs[i], *y = &expected->pairs[i];
        if (x->polygon_a != y->polygon_a || x->polygon_b != y->polygon_b || x->kind != y->kind) {
            fail_msg("%s, round %zu: pair %zu is %u %u %s, but should be %u %u %s", name, round, i, x->polygon_a,
                     x->polygon_b, tumble_self_kind_name(x->kind), y->polygon_a, y->polygon_b,
                     tumble_self_kind_name(y->kind));
        }
    }
    if (result->pair_count != expected->count) {
        fail_msg("%s, round %zu: %zu pairs, but there are %zu", name, round, (size_t)result->pair_count,
                 expected->count);
    }
}

/* All modes tell the same. */
static void check_modes(tumble_query *query, const tumble_model *model, const self_list *expected, int soup,
                        const char *name, size_t round)
{
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result result;
    options.soup = soup;
    assert_int_equal(tumble_self_collide(query, model, &options, &result), TUMBLE_OK);
    assert_same(&result, expected, name, round);
    assert_int_equal(result.collide, expected->count > 0);
    options.mode = TUMBLE_COUNT;
    assert_int_equal(tumble_self_collide(query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(result.pair_count, expected->count);
    assert_null(result.pairs);
    options.mode = TUMBLE_TEST;
    assert_int_equal(tumble_self_collide(query, model, &options, &result), TUMBLE_OK);
    assert_int_equal(result.collide, expected->count > 0);
    assert_int_equal(result.pair_count, expected->count > 0);
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
        make_pool_mesh(&random, pools[round % POOLS].make, 14, &mesh);
        mixed_family family = mixed_make(w->context, &mesh);
        for (int soup = 0; soup < 2; soup++) {
            self_list expected = true_pairs(family.models[MIXED_BRUTE], soup);
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
