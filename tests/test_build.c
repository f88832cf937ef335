/* Building hierarchies: bounded depth, and no pair lost, for adversarial sets. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sets.h"

/* ---- Difficult sets ---- */

/* Levels of splits that docs/boxtree.md allows; each may have a one-child node before it. */
static uint32_t depth_limit(size_t count, double trim)
{
    uint32_t bits = 0;
    while (((size_t)1 << bits) < count) {
        bits++;
    }
    return (2 * bits + 8) * (trim > 0 ? 2 : 1);
}

static void test_depth_is_bounded(void **state)
{
    test_world *w = *state;
    for (size_t i = 0; i < TEST_SETS; i++) {
        const size_t counts[] = {2, 3, 17, 100, test_count(5000)};
        for (size_t c = 0; c < 5; c++) {
            test_random random = {i};
            models_mesh mesh = {0};
            test_sets[i].make(&mesh, &random, counts[c]);
            for (size_t variant = c; variant < TEST_TREE_VARIANTS; variant += c < 4 ? 3 : 9) {
                const tumble_model_options options = test_tree_variant(variant);
                tumble_model *model = test_model(w->context, &mesh, &options);
                const tumble_model_info info = test_info(model);
                if (info.depth > depth_limit(mesh.polygon_count, options.tuning->boxtree.trim)) {
                    fail_msg("%s: %zu triangles, depth %u, %s", test_sets[i].name, mesh.polygon_count, info.depth,
                             test_tree_name(variant));
                }
                if (info.hierarchy_bytes > 9 * info.node_count) {
                    fail_msg("%s: %zu triangles, %llu bytes in %llu nodes, %s", test_sets[i].name, mesh.polygon_count,
                             (unsigned long long)info.hierarchy_bytes, (unsigned long long)info.node_count,
                             test_tree_name(variant));
                }
                tumble_model_destroy(model);
            }
            models_free(&mesh);
        }
    }
}

static void test_difficult_sets(void **state)
{
    test_world *w = *state;
    test_pairs expected = {0}, found = {0};
    size_t number = 0, hits = 0;
    for (size_t i = 0; i < TEST_SETS; i++) {
        test_random random = {i + 1000};
        models_mesh mesh = {0};
        test_sets[i].make(&mesh, &random, 60);
        tumble_model *brute = test_brute_model(w->context, &mesh), *trees[TEST_TREE_VARIANTS];
        for (size_t k = 0; k < TEST_TREE_VARIANTS; k++) {
            const tumble_model_options options = test_tree_variant(k);
            trees[k] = test_model(w->context, &mesh, &options);
        }
        const tumble_model_info info = test_info(brute);
        tumble_model *wide[2];
        for (size_t k = 0; k < 2; k++) {
            const tumble_model_options options = test_tree_variant(TEST_TREE_WIDE + k);
            wide[k] = test_model(w->context, &mesh, &options);
        }
        for (size_t p = 0; p < test_count(24); p++) {
            const tumble_pose pose = test_pose_over(&random, &info, test_sets[i].turns, p);
            test_collide(w->query, brute, NULL, brute, &pose, NULL, &expected);
            hits += expected.count;
            test_collide(w->query, wide[p % 2], NULL, wide[p / 2 % 2], &pose, NULL, &found);
            test_assert_same_pairs(&found, &expected, "%s, pose %zu, wide", test_sets[i].name, p);
            for (size_t k = 0; k < TEST_OVERLAP_VARIANTS; k++, number++) {
                const tumble_collide_options options = test_overlap_variant(k);
                const size_t a = number % TEST_TREE_VARIANTS, b = number / 7 % TEST_TREE_VARIANTS;
                test_collide(w->query, trees[a], NULL, trees[b], &pose, &options, &found);
                test_assert_same_pairs(&found, &expected, "%s, pose %zu, %s, A: %s, B: %s", test_sets[i].name, p,
                                       test_overlap_name(k), test_tree_name(a), test_tree_name(b));
            }
        }
        for (size_t k = 0; k < TEST_TREE_VARIANTS; k++) {
            tumble_model_destroy(trees[k]);
        }
        tumble_model_destroy(wide[0]);
        tumble_model_destroy(wide[1]);
        tumble_model_destroy(brute);
        models_free(&mesh);
    }
    assert_true(hits > 10000);
    test_free_pairs(&expected);
    test_free_pairs(&found);
}

/* No plane separates anything, and still there is an answer at once. (The shift lies in their common plane.) */
static void test_a_million_coincident_triangles(void **state)
{
    test_world *w = *state;
    const size_t count = test_count(1000000);
    models_mesh mesh = {0};
    test_random random = {5};
    test_find_set("coincident")->make(&mesh, &random, count);
    for (size_t variant = 0; variant < 5; variant++) {
        const tumble_model_options options = test_tree_variant(variant < 4 ? variant + 36 : TEST_TREE_WIDE);
        tumble_model *model = test_model(w->context, &mesh, &options);
        const tumble_pose touching = test_translation(2, -1, 0), apart = test_translation(0, 0, 5);
        assert_true(test_info(model).depth <= depth_limit(count, 1));
        for (size_t k = 0; k < TEST_OVERLAP_VARIANTS; k++) {
            tumble_collide_options question = test_overlap_variant(k);
            for (int mode = TUMBLE_TEST; mode <= TUMBLE_FIRST; mode++) {
                tumble_collide_result result;
                question.mode = (tumble_mode)mode;
                assert_int_equal(tumble_collide(w->query, model, NULL, model, &touching, &question, &result),
                                 TUMBLE_OK);
                assert_int_equal(result.collide, 1);
                assert_true(result.counters.box_tests < 1000); /* straight down */
                assert_int_equal(tumble_collide(w->query, model, NULL, model, &apart, &question, &result), TUMBLE_OK);
                assert_int_equal(result.collide, 0);
                assert_true(result.counters.box_tests < 10);
            }
        }
        tumble_model_destroy(model);
    }
    models_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_depth_is_bounded),
        TEST_IN_WORLD(test_difficult_sets),
        TEST_IN_WORLD(test_a_million_coincident_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
