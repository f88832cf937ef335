/* One number for the answers to a fixed set of questions. It must be the same for every compiler, optimisation,
 * instruction set, hierarchy, option and number of threads. The scenes are made with sums, products, quotients and
 * integers alone, so that every machine has the same ones. A change of this number is a change of answers. */
#include <math.h>
#include <string.h>

#include "scenes.h"

#define GOLDEN_SMALL UINT64_C(0x506392768fde6958)
#define GOLDEN_LARGE UINT64_C(0xdb935b54fcf1aba0)

/* Fowler, Noll and Vo's hash (FNV-1a), of the bytes from the lowest on. */
static void hash_number(uint64_t *hash, uint64_t number)
{
    for (int i = 0; i < 8; i++) {
        *hash = (*hash ^ (number >> (8 * i) & 255)) * UINT64_C(0x100000001b3);
    }
}

static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325);

static void hash_answer(uint64_t *hash, tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                        const tumble_model *b, const tumble_pose *pose_b, const tumble_collide_options *options,
                        test_pairs *pairs)
{
    test_collide(query, a, pose_a, b, pose_b, options, pairs);
    hash_number(hash, pairs->count);
    for (size_t i = 0; i < pairs->count; i++) {
        hash_number(hash, (uint64_t)pairs->items[i].polygon_a << 32 | pairs->items[i].polygon_b);
    }
}

/* ---- Scenes ---- */

enum {
    MESHES = 7,
    POSES = 8
};

/* A variant behind the last. */
#define BRUTE (TEST_TREE_WIDE_LONGEST + 1)

/* Combs: polygons with up to 20 corners, concave, in planes of all three directions. */
static void make_combs(models_mesh *mesh, test_random *random)
{
    for (int i = 0; i < 40; i++) {
        uint32_t corners[20];
        uint32_t count = 0;
        const int axis = i % 3, teeth = test_random_whole(random, 1, 4), height = test_random_whole(random, -5, 5);
        const int x = test_random_whole(random, -8, 4), y = test_random_whole(random, -5, 3);
        int outline[20][2];
        for (int t = 0; t < teeth; t++) {
            const int tooth[4][2] = {
                {x + 2 * t, y + 3}, {x + 2 * t, y + 1}, {x + 2 * t + 1, y + 1}, {x + 2 * t + 1, y + 3}};
            memcpy(outline[count], tooth, sizeof tooth);
            count += 4;
        }
        const int base[2][2] = {{x + 2 * teeth, y}, {x - 1, y}};
        memcpy(outline[count], base, sizeof base);
        count += 2;
        for (uint32_t k = 0; k < count; k++) {
            double p[3];
            p[axis] = height;
            p[(axis + 1) % 3] = outline[k][0];
            p[(axis + 2) % 3] = outline[k][1];
            corners[k] = models_point(mesh, p[0], p[1], p[2]);
        }
        models_polygon(mesh, corners, count);
    }
}

static void make_mesh(models_mesh *mesh, int number)
{
    const double zero[3] = {0, 0, 0}, far[3] = {1048576.25, -1048576.5, 3};
    test_random random = {(uint64_t)number + 77};
    memset(mesh, 0, sizeof *mesh);
    switch (number) {
    case 0: test_make_soup(mesh, &random, 200, 0.5); break;
    case 1:
        test_make_lattice(mesh, &random, 200, 8, 4, 0.2);
        test_transform(mesh, 0.125, zero);
        break;
    case 2:
        test_make_grid_box(mesh, 5);
        test_transform(mesh, 0.25, zero);
        break;
    case 3:
        make_combs(mesh, &random);
        test_transform(mesh, 0.125, zero);
        break;
    case 4:
        test_make_lattice(mesh, &random, 150, 4, 4, 1); /* segments and points alone */
        test_transform(mesh, 0.25, zero);
        break;
    case 5:
        test_make_soup(mesh, &random, 150, 0.7);
        test_transform(mesh, 1, far);
        break;
    default:
        test_make_soup(mesh, &random, 60, 0.9);
        test_transform(mesh, 0x1p-1060, zero);
        break;
    }
}

/* Poses of B that bring mesh `number` to where the others are; the last one meets itself. */
static tumble_pose make_pose(int number, int pose_number)
{
    test_random random = {(uint64_t)(100 * number + pose_number)};
    tumble_pose pose = pose_number < 3    ? tumble_pose_identity()
                       : pose_number == 3 ? test_quarter_turn((size_t)number + 5)
                                          : test_rational_turn(&random);
    for (int k = 0; pose_number && k < 3; k++) {
        pose.m[k][3] = test_random_whole(&random, -4, 4) / (pose_number % 2 ? 8.0 : 7.0);
    }
    if (number == 5) {
        const tumble_pose back = test_translation(-1048576.25, 1048576.5, -3);
        pose = tumble_pose_compose(&pose, &back);
    }
    for (int k = 0; number == 6 && k < 3; k++) {
        pose.m[k][3] *= 0x1p-1060;
    }
    return pose;
}

typedef struct configuration {
    size_t variant; /* of the tree, or BRUTE */
    size_t overlap;
    int level;
} configuration;

static uint64_t hash_small(test_world *w, const configuration *c)
{
    tumble_context *context = test_context(&w->memory, 1, (tumble_simd)(TUMBLE_SIMD_SCALAR + c->level));
    tumble_query *query;
    assert_int_equal(tumble_query_create(context, &query), TUMBLE_OK);
    tumble_model_options options = test_tree_variant(c->variant == BRUTE ? 0 : c->variant);
    if (c->variant == BRUTE) {
        options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    }
    const tumble_collide_options question = test_overlap_variant(c->overlap);
    tumble_model *models[MESHES];
    for (int i = 0; i < MESHES; i++) {
        models_mesh mesh;
        make_mesh(&mesh, i);
        models[i] = test_model(context, &mesh, &options);
        models_free(&mesh);
    }
    test_pairs pairs = {0};
    uint64_t hash = hash_start;
    for (int i = 0; i < MESHES; i++) {
        for (int p = 0; p < POSES; p++) {
            const tumble_pose pose = make_pose(i, p);
            hash_answer(&hash, query, models[i == 6 ? 6 : p % 5], NULL, models[i], &pose, &question, &pairs);
        }
        const tumble_pose pose_a = make_pose(0, 7), pose_b = make_pose(1, 8);
        hash_answer(&hash, query, models[i], &pose_a, models[1], &pose_b, &question, &pairs);
    }
    test_free_pairs(&pairs);
    for (int i = 0; i < MESHES; i++) {
        tumble_model_destroy(models[i]);
    }
    tumble_query_destroy(query);
    tumble_context_destroy(context);
    return hash;
}

static void assert_small(test_world *w, configuration c)
{
    const uint64_t hash = hash_small(w, &c);
    if (hash != GOLDEN_SMALL) {
        fail_msg("0x%016llx: %s, %s, level %d", (unsigned long long)hash,
                 c.variant == BRUTE ? "brute force" : test_tree_name(c.variant), test_overlap_name(c.overlap), c.level);
    }
}

static void test_brute(void **state)
{
    assert_small(*state, (configuration){BRUTE, 0, 0});
}

static void test_trees(void **state)
{
    const size_t step = test_effort() < 1 ? 5 : 1;
    for (size_t i = 0; i < TEST_TREE_VARIANTS; i += step) {
        assert_small(*state, (configuration){i, i % TEST_OVERLAP_VARIANTS, (int)(i % 3)});
    }
}

static void test_overlaps_and_levels(void **state)
{
    for (size_t i = 0; i < 3 * TEST_OVERLAP_VARIANTS; i++) {
        assert_small(*state, (configuration){36 + i % 2, i / 3, (int)(i % 3)});
    }
}

static void test_wide(void **state)
{
    for (int level = 0; level < 3; level++) {
        assert_small(*state, (configuration){TEST_TREE_WIDE, 0, level});
        assert_small(*state, (configuration){TEST_TREE_WIDE_LONGEST, 0, level});
    }
}

static void test_rtree(void **state)
{
    for (size_t i = 0; i < TEST_OVERLAP_VARIANTS; i++) {
        assert_small(*state, (configuration){TEST_TREE_RTREE + i % TEST_RTREE_VARIANTS, i, (int)(i % 3)});
    }
}

static void test_kdop(void **state)
{
    for (size_t i = 0; i < TEST_KDOP_VARIANTS; i++) {
        assert_small(*state, (configuration){TEST_TREE_KDOP + i, i % TEST_OVERLAP_VARIANTS, (int)(i % 3)});
    }
    for (int level = 0; level < 3; level++) {
        assert_small(*state, (configuration){TEST_TREE_KDOP + 10, 0, level});
    }
}

/* ---- A mesh that several threads build ---- */

static uint64_t hash_large(test_world *w, const models_mesh *large, const models_mesh *small,
                           const tumble_model_options *options)
{
    tumble_model *a = test_model(w->context, large, options), *b = test_model(w->context, small, options);
    test_pairs pairs = {0};
    uint64_t hash = hash_start;
    for (int p = 0; p < POSES; p++) {
        const tumble_pose pose = make_pose(2, p);
        hash_answer(&hash, w->query, a, NULL, b, &pose, NULL, &pairs);
    }
    test_free_pairs(&pairs);
    tumble_model_destroy(a);
    tumble_model_destroy(b);
    return hash;
}

static void test_threads(void **state)
{
    test_world *w = *state;
    static const uint32_t threads[] = {1, 2, 3, 8};
    static const size_t variants[] = {36, 37, 44, 3, TEST_TREE_WIDE, TEST_TREE_KDOP + 9, TEST_TREE_RTREE};
    const size_t count = sizeof variants / sizeof *variants;
    const double zero[3] = {0, 0, 0};
    models_mesh large = {0}, small = {0};
    test_random random = {5};
    test_make_lattice(&large, &random, 30000, 256, 16, 0.05);
    test_transform(&large, 1.0 / 256, zero);
    test_make_grid_box(&small, 1);
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    uint64_t hash = hash_large(w, &large, &small, &options);
    for (size_t i = 0; i <= 4 * count; i++) {
        if (hash != GOLDEN_LARGE) {
            fail_msg("0x%016llx, %zu", (unsigned long long)hash, i);
        }
        options = test_tree_variant(variants[i / 4 % count]);
        options.thread_count = threads[i % 4];
        hash = hash_large(w, &large, &small, &options);
    }
    models_free(&large);
    models_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_WORLD(test_brute),   TEST_IN_WORLD(test_trees), TEST_IN_WORLD(test_overlaps_and_levels),
        TEST_IN_WORLD(test_wide),    TEST_IN_WORLD(test_kdop),  TEST_IN_WORLD(test_rtree),
        TEST_IN_WORLD(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
