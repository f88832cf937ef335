/* Edited models that are no R-trees: after any sequence of edits everything is as if the model had been made of its
 * polygons. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edit_cases.h"
#include "tree/edit/live.h"

enum {
    WIDE,
    WIDE_LONGEST,
    ONE_PLANE,
    TWO_PLANES,
    UNTRIMMED,
    KDOP,
    KDOP_SINGLE,
    KDOP_THREE,
    KDOP_LOOKUP,
    KDOP_VERTICES,
    BRUTE,
    VARIANTS
};

/* Those that are edited in part. */
static int is_live(int variant)
{
    return variant < KDOP_LOOKUP;
}

static tumble_model_options options_of(int variant)
{
    static tumble_tuning tunings[VARIANTS];
    tumble_model_options options = tumble_default_model_options();
    tumble_tuning *tuning = &tunings[variant];
    *tuning = tumble_default_tuning();
    options.tuning = tuning;
    options.hierarchy = variant <= WIDE_LONGEST ? TUMBLE_HIERARCHY_WIDE
                        : variant <= UNTRIMMED  ? TUMBLE_HIERARCHY_BOXTREE
                        : variant < BRUTE       ? TUMBLE_HIERARCHY_KDOP
                                                : TUMBLE_HIERARCHY_BRUTE;
    tuning->wide.axes = variant == WIDE_LONGEST ? TUMBLE_WIDE_LONGEST_AXIS : TUMBLE_WIDE_ALL_AXES;
    tuning->boxtree.layout = variant == TWO_PLANES ? TUMBLE_BOXTREE_TWO_PLANES : TUMBLE_BOXTREE_ONE_PLANE;
    tuning->boxtree.trim = variant == UNTRIMMED ? 0 : tuning->boxtree.trim;
    tuning->kdop.k = variant == KDOP_SINGLE ? 6 : variant == KDOP_THREE ? 26 : 18;
    tuning->kdop.leaf = variant == KDOP_SINGLE ? 1 : variant == KDOP_THREE ? 3 : 8;
    tuning->kdop.tumble = variant == KDOP_LOOKUP     ? TUMBLE_KDOP_TUMBLE_LOOKUP
                          : variant == KDOP_VERTICES ? TUMBLE_KDOP_TUMBLE_VERTICES
                                                     : TUMBLE_KDOP_TUMBLE_AUTO;
    tuning->kdop.hull = variant == KDOP_VERTICES;
    return options;
}

static void test_random_edits(void **state)
{
    const size_t count = test_count(VARIANTS);
    for (size_t i = 0; i < count; i++) {
        const tumble_model_options options = options_of((int)(i % VARIANTS));
        edit_case e;
        edit_begin(&e, *state, i, (edit_kind)(i % EDIT_KINDS), &options);
        for (size_t k = 0; k < 20; k++) {
            edit_randomly(&e);
            if (test_random_chance(&e.random, 0.15)) {
                edit_compare(&e);
            } else {
                test_check_live(e.model);
            }
        }
        edit_compare(&e);
        edit_end(&e);
    }
}

/* Small edits of a model of many sections, most of which they do not touch. */
static void test_sections(void **state)
{
    for (int variant = 0; variant < VARIANTS; variant++) {
        const tumble_model_options options = options_of(variant);
        edit_case e;
        edit_begin(&e, *state, (uint64_t)variant, EDIT_SOUP, &options);
        edit_insert(&e, 700, 5);
        for (size_t k = 0; k < 20; k++) {
            edit_insert(&e, (size_t)test_random_whole(&e.random, 1, 4), 5);
            edit_remove(&e, (size_t)test_random_whole(&e.random, 0, 8));
        }
        assert_int_equal(e.model->live != NULL, is_live(variant));
        assert_true(!e.model->live || e.model->live->section_count > 5);
        edit_compare(&e);
        edit_remove(&e, e.shadow.count);
        edit_compare(&e);
        edit_insert(&e, 1, 1);
        edit_compare(&e);
        edit_end(&e);
    }
}

/* ---- No memory ---- */

static void fail_each(test_world *w, int variant, edit_job j, int is_first, size_t *refused)
{
    const tumble_model_options options = options_of(variant);
    size_t failures = 1;
    for (size_t n = 1; failures; n += test_effort() > 1 ? 1 : 3) {
        edit_case e;
        edit_begin(&e, w, 1, EDIT_SOUP, &options);
        edit_insert(&e, 250, 3);
        if (is_first) {
            tumble_model *copy = edit_copy(&e, e.model);
            tumble_model_destroy(e.model);
            e.model = copy;
        }
        const tumble_status status = edit_try(&e, j, n, (int)(n % 2), &failures);
        *refused += status != TUMBLE_OK;
        test_check_live(e.model);
        if (n % 7 == 0 || !failures) {
            edit_compare(&e);
        }
        edit_insert(&e, 5, 3);
        test_check_live(e.model);
        edit_end(&e);
        assert_true(n < 3000);
    }
}

static void test_no_memory(void **state)
{
    static const int variants[] = {WIDE, ONE_PLANE, KDOP, KDOP_VERTICES};
    static const edit_job jobs[] = {EDIT_INSERT_ONE, EDIT_REMOVE_SOME, EDIT_REMOVE_SURFACE, EDIT_INSERT_MANY};
    size_t refused = 0;
    const size_t runs = test_effort() > 1 ? 16 : 8;
    for (size_t i = 0; i < runs; i++) {
        fail_each(*state, variants[i % 4], jobs[(i + i / 4) % 4], (int)(i / 4 % 2), &refused);
    }
    assert_true(refused > 50);
}

static void test_no_memory_for_block(void **state)
{
    test_world *w = *state;
    const tumble_model_options options = options_of(WIDE);
    edit_case e;
    edit_begin(&e, w, 3, EDIT_SOUP, &options);
    edit_insert(&e, 100, 30);
    for (size_t n = 1, failures = 1; failures; n++) {
        size_t size = 1;
        test_allocator_fail(&w->memory, n, 0);
        const void *block = tumble_model_block(e.model, &size);
        failures = test_allocator_failures(&w->memory);
        test_allocator_fail(&w->memory, 0, 0);
        assert_true((block == NULL) == (failures > 0) && (size == 0) == (failures > 0) && (failures || n > 3));
    }
    edit_compare(&e);
    edit_end(&e);
}

/* ---- Frames ---- */

static uint32_t insert_at(edit_case *e, double x, double size)
{
    const double points[9] = {x, 0, 0, x + size, 0, 0, x, size, size};
    const uint32_t indices[3] = {0, 1, 2};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points, mesh.point_count = 3, mesh.indices = indices, mesh.index_count = 3;
    uint32_t number;
    test_assert_status(e->w->context, tumble_model_insert(e->model, &mesh, &number), TUMBLE_OK, "");
    e->shadow.limit++;
    return number;
}

/* Far away and back, near and nearer to the largest and the smallest numbers, and points that float does not hold. */
static void test_far_away(void **state)
{
    static const double places[] = {1.9, 3, 1e6, 1e38, 1e39, 0x1p999, 1e308, -DBL_MAX, 1e-300, 0.1};
    for (int variant = 0; variant < VARIANTS; variant++) {
        const tumble_model_options options = options_of(variant);
        edit_case e;
        edit_begin(&e, *state, 2, EDIT_LATTICE, &options);
        edit_insert(&e, 200, 3);
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const uint32_t number = insert_at(&e, places[i], fabs(places[i]) / 4);
            test_check_live(e.model);
            test_assert_status(e.w->context, tumble_model_remove(e.model, &number, 1), TUMBLE_OK, "");
            test_check_live(e.model);
            edit_insert(&e, 1, 1);
        }
        edit_compare(&e);
        edit_end(&e);
    }
}

/* What is left can be far smaller than the frame of what was: a point, or a triangle of size 1e-200, where a large one
 * was. It meets itself, and nothing is lost against models of either size. */
static void test_little_left(void **state)
{
    test_world *w = *state;
    static const double sizes[] = {0, 1e-200, 1e-9}, guests[] = {1, 1e10, 0x1p900};
    for (int i = 0; i < VARIANTS * 9; i++) {
        const tumble_model_options options = options_of(i / 9);
        const double size = sizes[i / 3 % 3], guest = guests[i % 3];
        const double points[9] = {0, 0, 0, size, 0, 0, 0, size, size};
        const uint32_t indices[3] = {0, 1, 2};
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = points, mesh.point_count = 3, mesh.indices = indices, mesh.index_count = 3;
        edit_case e = {.w = w};
        tumble_model *fresh;
        assert_int_equal(tumble_model_create(w->context, &mesh, &options, &fresh), TUMBLE_OK);
        assert_int_equal(tumble_model_create(w->context, &mesh, &options, &e.model), TUMBLE_OK);
        const uint32_t number = insert_at(&e, -guest / 2, guest);
        test_assert_status(w->context, tumble_model_remove(e.model, &number, 1), TUMBLE_OK, "");
        const tumble_model *pairs[3][2] = {{fresh, e.model}, {e.model, fresh}, {e.model, e.model}};
        for (int k = 0; k < 3; k++) {
            tumble_collide_options all = tumble_default_collide_options();
            tumble_collide_result hits;
            tumble_distance_result near;
            all.mode = TUMBLE_ALL;
            assert_int_equal(tumble_collide(w->query, pairs[k][0], NULL, pairs[k][1], NULL, &all, &hits), TUMBLE_OK);
            assert_int_equal(hits.pair_count, 1);
            assert_int_equal(tumble_distance(w->query, pairs[k][0], NULL, pairs[k][1], NULL, NULL, &near), TUMBLE_OK);
            assert_true(near.nearest.distance == 0);
        }
        tumble_model_destroy(fresh);
        tumble_model_destroy(e.model);
    }
}

/* ---- What is kept, and what is refused ---- */

static void test_options_kept(void **state)
{
    for (int variant = 0; variant < VARIANTS; variant++) {
        const tumble_model_options options = options_of(variant);
        edit_case e;
        tumble_tuning tuning;
        tumble_kdop_info info;
        edit_begin(&e, *state, 2, EDIT_SOUP, &options);
        edit_insert(&e, 20, 3);
        for (int loaded = 0; loaded < 2; loaded++) {
            tumble_model *model = loaded ? edit_copy(&e, e.model) : e.model;
            assert_int_equal(tumble_model_hierarchy(model), options.hierarchy);
            assert_int_equal(tumble_model_get_tuning(model, &tuning), TUMBLE_OK);
            assert_int_equal(tumble_model_get_kdop_info(model, &info), TUMBLE_OK);
            if (options.hierarchy == TUMBLE_HIERARCHY_KDOP) {
                assert_memory_equal(&tuning.kdop.k, &options.tuning->kdop.k, sizeof tuning.kdop.k);
                assert_int_equal(tuning.kdop.leaf, options.tuning->kdop.leaf);
                assert_int_equal(tuning.kdop.tumble, options.tuning->kdop.tumble);
                assert_int_equal(tuning.kdop.hull, options.tuning->kdop.hull);
                assert_int_equal(info.hull_count > 0, options.tuning->kdop.hull);
                assert_int_equal(info.vertex_count > 0, options.tuning->kdop.tumble == TUMBLE_KDOP_TUMBLE_VERTICES);
            }
            if (options.hierarchy == TUMBLE_HIERARCHY_BOXTREE) {
                assert_int_equal(tuning.boxtree.layout, options.tuning->boxtree.layout);
            }
            if (loaded) {
                tumble_model_destroy(model);
            }
        }
        edit_end(&e);
    }
}

/* What a query keeps of a model, it keeps of no other state of it. */
static void test_marks(void **state)
{
    test_world *w = *state;
    for (int variant = 0; variant < VARIANTS; variant++) {
        const tumble_model_options options = options_of(variant);
        edit_case e;
        edit_begin(&e, w, 5, EDIT_SOUP, &options);
        edit_insert(&e, 100, 3);
        tumble_distance_options asked = tumble_default_distance_options();
        asked.coherence = 1;
        for (size_t i = 0; i < 4; i++) {
            const uint64_t before = e.model->block->checksum;
            const tumble_pose pose = test_translation(2 + 0.1 * (double)i, 0.3, 0);
            tumble_distance_result found, expected;
            models_mesh mesh = {0};
            edit_remove(&e, 1);
            edit_insert(&e, 1, 3);
            assert_true(e.model->block->checksum != before);
            edit_mesh(&e.shadow, &mesh);
            tumble_model *fresh = test_brute_model(w->context, &mesh);
            assert_int_equal(tumble_distance(w->query, e.model, NULL, e.probe, &pose, &asked, &found), TUMBLE_OK);
            assert_int_equal(tumble_distance(w->query, fresh, NULL, e.brute_probe, &pose, NULL, &expected), TUMBLE_OK);
            assert_true(fabs(found.nearest.distance - expected.nearest.distance) <= 1e-12);
            tumble_model_destroy(fresh);
            models_free(&mesh);
        }
        edit_end(&e);
    }
}

static void test_refusals(void **state)
{
    test_world *w = *state;
    for (int variant = 0; variant < VARIANTS; variant++) {
        const tumble_model_options options = options_of(variant);
        edit_case e;
        edit_begin(&e, w, 1, EDIT_LATTICE, &options);
        edit_insert(&e, 50, 3);
        const uint32_t limit = e.shadow.limit, twice[2] = {limit - 1, limit - 1}, gone[2] = {limit - 1, limit - 2};
        edit_forget(&e.shadow, e.shadow.count - 2);
        assert_int_equal(tumble_model_remove(e.model, &gone[1], 1), TUMBLE_OK);
        test_assert_status(w->context, tumble_model_remove(e.model, twice, 2), TUMBLE_ERROR_INDEX, "removed twice");
        test_assert_status(w->context, tumble_model_remove(e.model, gone, 2), TUMBLE_ERROR_INDEX,
                           "there is no polygon");
        test_assert_status(w->context, tumble_model_remove(e.model, &limit, 1), TUMBLE_ERROR_INDEX, "no polygon");
        test_assert_status(w->context, tumble_model_remove_surface(e.model, 77), TUMBLE_ERROR_INDEX, "no surface 77");
        test_assert_status(w->context, tumble_model_remove(e.model, NULL, 1), TUMBLE_ERROR_ARGUMENT, "none are given");
        test_assert_status(w->context, tumble_model_insert(e.model, NULL, NULL), TUMBLE_ERROR_ARGUMENT, "mesh is null");
        const double points[9] = {0, 0, 0, 1, 0, 0, 0, NAN, 0};
        const uint32_t indices[3] = {0, 1, 2};
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = points, mesh.point_count = 3, mesh.indices = indices, mesh.index_count = 3;
        test_assert_status(w->context, tumble_model_insert(e.model, &mesh, NULL), TUMBLE_ERROR_NOT_FINITE, "point 2");
        tumble_model *out = NULL;
        test_assert_status(w->context, tumble_model_deform(e.model, &mesh, &out), TUMBLE_ERROR_UNSUPPORTED, "edited");
        edit_compare(&e);
        edit_end(&e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_random_edits), TEST_IN_WORLD(test_sections),
        TEST_IN_WORLD(test_no_memory),    TEST_IN_WORLD(test_no_memory_for_block),
        TEST_IN_WORLD(test_far_away),     TEST_IN_WORLD(test_options_kept),
        TEST_IN_WORLD(test_marks),        TEST_IN_WORLD(test_refusals),
        TEST_IN_WORLD(test_little_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
