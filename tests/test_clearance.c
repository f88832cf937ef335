/* Clearance: every hierarchy, option and instruction set finds the polygons within the clearance, as exact arithmetic
 * says of the points as docs/semantics.md moves them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "clearance_cases.h"
#include "moving.h"

/* ---- Questions ---- */

static void ask_one(const clearance_bench *b, const clearance_scene *s, size_t kind, tumble_collide_options options,
                    tumble_query *query, tumble_mode mode)
{
    tumble_collide_result result;
    options.mode = mode;
    assert_int_equal(
        tumble_collide(query, s->models[kind][0], &s->poses[0], s->models[kind][1], &s->poses[1], &options, &result),
        TUMBLE_OK);
    if (result.collide != (b->expected.count > 0) || (result.collide && !test_has_pair(&b->expected, result.first))) {
        fail_msg("%s, %s, clearance %a: another answer when one pair is wanted", s->name, clearance_kind_name(s, kind),
                 options.clearance);
    }
}

static void ask_kind(clearance_bench *b, const clearance_scene *s, size_t kind, double clearance)
{
    const size_t walk = b->number % TEST_OVERLAP_VARIANTS, level = b->number / 2 % TEST_LEVELS;
    tumble_collide_options options = test_overlap_variant(walk);
    options.clearance = clearance;
    tumble_query *query = b->queries[level];
    test_collide(query, s->models[kind][0], &s->poses[0], s->models[kind][1], &s->poses[1], &options, &b->found);
    test_assert_same_pairs(&b->found, &b->expected, "%s, %s, %s, level %zu, clearance %a", s->name,
                           clearance_kind_name(s, kind), test_overlap_name(walk), level, clearance);
    ask_one(b, s, kind, options, query, b->number % 2 ? TUMBLE_FIRST : TUMBLE_TEST);
    b->number++;
}

/* All hierarchies, or a few that take turns where nearly all pairs are hits. */
static void ask(clearance_bench *b, const clearance_scene *s, double clearance)
{
    clearance_find_expected(b, s, clearance_limit(s, clearance));
    const size_t step = b->expected.count > 600 ? 5 : 1;
    for (size_t kind = step == 1 ? 0 : b->number % step; kind < CLEARANCE_KINDS; kind += step) {
        ask_kind(b, s, kind, clearance);
    }
}

/* From nothing to everything, at distances that occur and one step beside these. */
static void ask_all(clearance_bench *b, const clearance_scene *s)
{
    const double shares[] = {0, 0.003, 0.03, 0.3, 1}, scale = tumble_pose_scale(&s->poses[0]);
    const size_t count = s->corners[0].count * s->corners[1].count;
    const double fixed[] = {0, 0x1p-1074, 1e-300, 3 * s->sorted[count - 1] * scale, 1e300, INFINITY};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        ask(b, s, fixed[i]);
    }
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const double value = s->sorted[(size_t)(shares[i] * (double)(count - 1))] * scale;
        ask(b, s, value);
        ask(b, s, nextafter(value, INFINITY));
        ask(b, s, value > 0 ? nextafter(value, 0) : 0);
    }
}

/* ---- Scenes ---- */

static void to_floats(models_mesh *mesh)
{
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] = (double)(float)mesh->points[i];
    }
}

static void test_soups(void **state)
{
    clearance_bench *b = *state;
    test_random random = {20};
    for (size_t turn = 0; turn < test_count(4); turn++) {
        clearance_scene s = {
            .poses = {tumble_pose_identity(), clearance_pose(&random, 1, 2.5 - (double)turn, 0.5, 0.25)}};
        test_make_soup(&s.meshes[0], &random, 50, 0.4);
        test_make_soup(&s.meshes[1], &random, 40, 0.4);
        if (turn % 2) {
            to_floats(&s.meshes[0]);
            to_floats(&s.meshes[1]);
        }
        clearance_start(b, &s, turn % 2 ? "soups of floats" : "soups of doubles", turn);
        ask_all(b, &s);
        clearance_end(&s);
    }
    assert_true(b->hits > 0 && b->misses > 0);
}

/* Distances that are doubles, and many that are equal; degenerate triangles. */
static void test_lattices(void **state)
{
    clearance_bench *b = *state;
    test_random random = {21};
    for (size_t turn = 0; turn < test_count(3); turn++) {
        clearance_scene s = {.poses = {tumble_pose_identity(), test_quarter_turn(5 * turn)}};
        s.poses[1].m[0][3] = 9 + (double)turn, s.poses[1].m[1][3] = 2, s.poses[1].m[2][3] = -3;
        test_make_lattice(&s.meshes[0], &random, 40, 6, 3, 0.2);
        test_make_lattice(&s.meshes[1], &random, 40, 6, 3, 0.2);
        clearance_start(b, &s, "lattices", turn + 7);
        ask_all(b, &s);
        for (int clearance = 1; clearance < 12; clearance++) {
            ask(b, &s, (double)clearance);
        }
        clearance_end(&s);
    }
    assert_true(b->ties > 100);
}

static void test_layers(void **state)
{
    clearance_bench *b = *state;
    const double apart[] = {1, 0x1p-30};
    for (size_t turn = 0; turn < sizeof apart / sizeof *apart; turn++) {
        clearance_scene s = {.poses = {tumble_pose_identity(), tumble_pose_identity()}};
        clearance_add_squares(&s.meshes[0], 3, 0);
        clearance_add_squares(&s.meshes[1], 3, 3 + apart[turn]);
        clearance_start(b, &s, "layers of squares", turn + 11);
        const double clearances[] = {0, nextafter(apart[turn], 0), apart[turn], sqrt(1 + apart[turn] * apart[turn]), 9};
        for (size_t i = 0; i < sizeof clearances / sizeof *clearances; i++) {
            ask(b, &s, clearances[i]);
            if (i == 1) {
                assert_int_equal(b->expected.count, 0);
            } else if (i == 2) {
                /* squares of the two faces, of a face and the sides of the other box, of the same and of different
                 * sides */
                assert_int_equal(b->expected.count, 49 + 2 * 28 + 28 + 8);
            }
        }
        clearance_end(&s);
    }
}

/* Long triangles that nearly touch at their tips: the floats of a leaf are relative to one that is far from there, and
 * round the distance to twice as much. */
static void test_tips(void **state)
{
    clearance_bench *b = *state;
    const double apart = 0x1.1p-23;
    clearance_scene s = {.poses = {tumble_pose_identity(), tumble_pose_identity()}};
    for (int i = 0; i < 12; i++) {
        const uint32_t tip_a = models_point(&s.meshes[0], 3, 0, i), tip_b = models_point(&s.meshes[1], 3 + apart, 0, i);
        models_triangle(&s.meshes[0], models_point(&s.meshes[0], 0, 0, i), models_point(&s.meshes[0], 0, 0.5, i),
                        tip_a);
        models_triangle(&s.meshes[1], models_point(&s.meshes[1], 7, 0, i), models_point(&s.meshes[1], 7, 0.5, i),
                        tip_b);
    }
    clearance_start(b, &s, "tips", 1);
    ask(b, &s, apart);
    assert_int_equal(b->expected.count, 12);
    ask(b, &s, nextafter(apart, 0));
    assert_int_equal(b->expected.count, 0);
    clearance_end(&s);
}

/* A's pose has a scale, and B's another one. */
static void test_scaled_poses(void **state)
{
    clearance_bench *b = *state;
    test_random random = {22};
    const double scales[][2] = {{0.001, 0.002}, {3, 1}, {1000, 300}, {1, 0.01}, {1e-150, 1e-150}, {1e150, 2e150}};
    for (size_t turn = 0; turn < test_count(6); turn++) {
        const double *scale = scales[turn % 6];
        clearance_scene s = {.poses = {clearance_pose(&random, scale[0], scale[0], 0, -scale[0]),
                                       clearance_pose(&random, scale[1], 2 * scale[0], scale[0], 0)}};
        test_make_soup(&s.meshes[0], &random, 30, 0.4);
        test_make_soup(&s.meshes[1], &random, 30, 0.4);
        clearance_start(b, &s, "scaled poses", turn + 3);
        ask_all(b, &s);
        clearance_end(&s);
    }
}

/* Models of very different size, and models far from the origin. */
static void test_sizes(void **state)
{
    clearance_bench *b = *state;
    test_random random = {23};
    const double sizes[][2] = {{1, 0x1p-8},  {1, 0x1p-20}, {1, 0x1p-40},       {1, 0x1p-70},
                               {0x1p-20, 1}, {0x1p-70, 1}, {0x1p300, 0x1p300}, {0x1p-400, 0x1p-400}};
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t turn = 0; turn < (test_effort() < 1 ? count / 2 : count); turn++) {
        const double *size = sizes[test_effort() < 1 ? 2 * turn : turn];
        const double largest = size[0] > size[1] ? size[0] : size[1];
        clearance_scene s = {
            .poses = {tumble_pose_identity(), test_translation(0.25 * largest, 0.5 * largest, -0.125 * largest)}};
        for (int i = 0; i < 2; i++) {
            const double shift[3] = {0, 0, 0};
            test_make_soup(&s.meshes[i], &random, 24, 0.5);
            test_transform(&s.meshes[i], size[i], shift);
        }
        clearance_start(b, &s, "sizes", turn);
        ask_all(b, &s);
        clearance_end(&s);
    }
    clearance_scene s = {.poses = {test_translation(1e7, -1e8, 1e6), test_translation(1e7 + 2, -1e8 + 1, 1e6)}};
    for (int i = 0; i < 2; i++) {
        const double shift[3] = {3e6, 2e6, 1e5};
        test_make_soup(&s.meshes[i], &random, 24, 0.5);
        test_transform(&s.meshes[i], 1, shift);
    }
    clearance_start(b, &s, "far away", 5);
    ask_all(b, &s);
    clearance_end(&s);
}

/* Models that are small beside their distance, where the limit's own rounding matters most: flat patches that face each
 * other, with matrices that are rotations only to within what is accepted. */
static void test_distances(void **state)
{
    clearance_bench *b = *state;
    test_random random = {28};
    for (size_t turn = 0; turn < test_count(8); turn++) {
        const double distance = ldexp(1 + test_random_unit(&random), (int)(7 * turn % 12) * 3 - 4);
        tumble_pose pose = test_rational_turn(&random);
        double along[3] = {0.48, -0.6, 0.64}, u[3] = {0.8, 0.64, 0}, v[3], middle[3];
        for (int k = 0; k < 3; k++) {
            along[k] = turn % 3 ? along[k] : k == (int)(turn / 3 % 3);
            u[k] = turn % 3 ? u[k] : k == (int)(turn / 3 + 1) % 3;
            middle[k] = 0;
        }
        for (int k = 0; k < 3; k++) {
            v[k] = along[(k + 1) % 3] * u[(k + 2) % 3] - along[(k + 2) % 3] * u[(k + 1) % 3];
        }
        clearance_scene s = {.poses = {tumble_pose_identity(), pose}, .has_many_ties = 1};
        test_make_patch(&s.meshes[0], 4, u, v, middle, 1);
        test_make_patch(&s.meshes[1], 4, u, v, middle, 0.75);
        for (size_t i = 0; turn % 2 && i < s.meshes[1].point_count; i++) { /* so that the pose turns them back */
            double p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = pose.m[0][k] * s.meshes[1].points[3 * i] + pose.m[1][k] * s.meshes[1].points[3 * i + 1] +
                       pose.m[2][k] * s.meshes[1].points[3 * i + 2];
            }
            memcpy(s.meshes[1].points + 3 * i, p, sizeof p);
        }
        for (int k = 0; k < 3; k++) {
            s.poses[1].m[k][3] = along[k] * distance + 1.25 * u[k]; /* few face each other */
            s.poses[1].m[k][(k + 1) % 3] += turn % 4 == 3 ? 3e-6 : 0;
        }
        clearance_start(b, &s, "small beside their distance", turn);
        ask(b, &s, s.sorted[0]);
        ask(b, &s, nextafter(s.sorted[0], 0));
        ask(b, &s, s.sorted[60]);
        clearance_end(&s);
    }
}

/* Models whose points have moved since they were built. */
static void test_deformed(void **state)
{
    clearance_bench *b = *state;
    test_random random = {24};
    for (size_t m = 0; m < TEST_MOVERS; m++) {
        const tumble_model_options options = test_mover_options(&test_movers[m]);
        clearance_scene s = {.name = test_movers[m].name,
                             .poses = {tumble_pose_identity(), clearance_pose(&random, 1, 1.5, 0.5, 0.25)}};
        for (int i = 0; i < 2; i++) {
            models_mesh first = {0};
            test_make_soup(&first, &random, 30, 0.4);
            test_make_soup(&s.meshes[i], &random, 30, 0.4);
            tumble_model *built = test_model(b->contexts[0], &first, &options);
            test_deform(b->contexts[0], built, &s.meshes[i], &s.models[0][i]);
            tumble_model_destroy(built);
            models_free(&first);
        }
        clearance_measure(&s);
        s.variants[0] = SIZE_MAX;
        const double clearances[] = {0, s.sorted[3], nextafter(s.sorted[20], 0), s.sorted[200], 100};
        for (size_t i = 0; i < sizeof clearances / sizeof *clearances; i++) {
            clearance_find_expected(b, &s, clearances[i]);
            ask_kind(b, &s, 0, clearances[i]);
        }
        clearance_end(&s);
    }
}

/* All instruction sets do the same work. */
static void test_levels(void **state)
{
    clearance_bench *b = *state;
    test_random random = {31};
    clearance_scene s = {.poses = {tumble_pose_identity(), clearance_pose(&random, 1, 1.5, 0.5, 0.25)}};
    test_make_soup(&s.meshes[0], &random, 150, 0.2);
    test_make_soup(&s.meshes[1], &random, 150, 0.2);
    clearance_start(b, &s, "levels", 1);
    for (size_t i = 0; i < 4 * CLEARANCE_KINDS; i++) {
        const size_t kind = i / 4;
        tumble_collide_options options = test_overlap_variant(i % TEST_OVERLAP_VARIANTS);
        tumble_collide_result results[TEST_LEVELS];
        options.mode = i % 2 ? TUMBLE_TEST : TUMBLE_ALL;
        options.clearance = s.sorted[0] * (i / 2 % 2 ? 1.5 : 0.99);
        for (size_t level = 0; level < TEST_LEVELS; level++) {
            results[level] = (tumble_collide_result){0};
            assert_int_equal(tumble_collide(b->queries[level], s.models[kind][0], &s.poses[0], s.models[kind][1],
                                            &s.poses[1], &options, &results[level]),
                             TUMBLE_OK);
            assert_int_equal(results[level].pair_count, results[0].pair_count);
            if (!test_same_work(&results[level].counters, &results[0].counters)) {
                fail_msg("%s, level %zu: other counters than level 0", clearance_kind_name(&s, kind), level);
            }
        }
    }
    clearance_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_ON_BENCH(test_soups),     TEST_ON_BENCH(test_lattices),     TEST_ON_BENCH(test_layers),
        TEST_ON_BENCH(test_tips),      TEST_ON_BENCH(test_scaled_poses), TEST_ON_BENCH(test_sizes),
        TEST_ON_BENCH(test_distances), TEST_ON_BENCH(test_deformed),     TEST_ON_BENCH(test_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
