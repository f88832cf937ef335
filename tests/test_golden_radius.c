/* One number for the pairs, distances, rays and closest points, places of points and overlaps of fixed models with
 * radii: the same for every compiler, optimisation, instruction set and hierarchy. The meshes are made with sums,
 * products, quotients and integers alone. A change of this number is a change of answers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

#define GOLDEN UINT64_C(0x35b86612767f7028)
#define GOLDEN_CYLINDERS UINT64_C(0x3c8c4f09c903cccc)

enum {
    KINDS = 3
};

/* Fowler, Noll and Vo's hash (FNV-1a), of the bytes from the lowest on. */
static void hash_number(uint64_t *hash, uint64_t number)
{
    for (int i = 0; i < 8; i++) {
        *hash = (*hash ^ (number >> (8 * i) & 255)) * UINT64_C(0x100000001b3);
    }
}

static void hash_double(uint64_t *hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    hash_number(hash, bits);
}

/* Whole radii in a lattice, so that many touch exactly; per polygon in the last one. */
static tumble_model *make_model(tumble_context *context, int kind, uint64_t seed, size_t variant)
{
    models_mesh mesh = {0};
    test_random random = {seed};
    tumble_model_options options = test_tree_variant(variant);
    tumble_model *model;
    if (kind == 0) {
        test_make_soup(&mesh, &random, 80, 0.3);
    } else {
        test_make_lattice(&mesh, &random, 80, 8, 3, 0.6);
    }
    double *radii = malloc(mesh.polygon_count * sizeof *radii);
    assert_non_null(radii);
    for (size_t i = 0; i < mesh.polygon_count; i++) {
        radii[i] = test_random_whole(&random, 0, 3);
    }
    tumble_mesh view = models_view(&mesh);
    view.radii = kind == 2 ? radii : NULL;
    options.radius = kind == 0 ? 0.07 : kind == 1 ? 1 : 0;
    assert_int_equal(tumble_model_create(context, &view, &options, &model), TUMBLE_OK);
    free(radii);
    models_free(&mesh);
    return model;
}

static void hash_answers(uint64_t *hash, tumble_query *query, const tumble_model *a, const tumble_model *b)
{
    for (int i = 0; i < 6; i++) {
        const tumble_pose pose = {{{0, -1, 0, 2.5 * i}, {1, 0, 0, 0.5 * i}, {0, 0, 1, 1}}};
        tumble_collide_options options = tumble_default_collide_options();
        tumble_collide_result result;
        tumble_distance_result near;
        options.clearance = i % 2 ? 0.25 : 0;
        assert_int_equal(tumble_collide(query, a, NULL, b, &pose, &options, &result), TUMBLE_OK);
        hash_number(hash, result.pair_count);
        for (uint64_t p = 0; p < result.pair_count; p++) {
            hash_number(hash, (uint64_t)result.pairs[p].polygon_a << 32 | result.pairs[p].polygon_b);
        }
        assert_int_equal(tumble_distance(query, a, NULL, b, &pose, NULL, &near), TUMBLE_OK);
        hash_double(hash, near.nearest.distance);
    }
}

static void hash_points(uint64_t *hash, tumble_query *query, const tumble_model *model, const double point[3],
                        const double half[3])
{
    const tumble_pose place = test_translation(point[0], point[1], point[2]);
    const double extents[3] = {fabs(half[0]), fabs(half[1]), fabs(half[2])};
    tumble_closest_options options = tumble_default_closest_options();
    tumble_closest_result closest;
    tumble_overlap_result overlap[2];
    options.count = 5;
    options.want_sign = true;
    assert_int_equal(tumble_closest_point(query, model, NULL, point, &options, &closest), TUMBLE_OK);
    for (size_t i = 0; i < closest.count; i++) {
        hash_number(hash, closest.closest[i].polygon);
        hash_double(hash, closest.closest[i].distance);
        hash_double(hash, closest.closest[i].lower);
        hash_double(hash, closest.closest[i].upper);
    }
    assert_int_equal(tumble_overlap_box(query, model, NULL, &place, extents, NULL, &overlap[0]), TUMBLE_OK);
    hash_number(hash, overlap[0].polygon_count);
    assert_int_equal(tumble_overlap_sphere(query, model, NULL, point, 2, NULL, &overlap[1]), TUMBLE_OK);
    hash_number(hash, overlap[1].polygon_count);
}

/* Rays between whole points, many of which touch solids, and others. */
static void hash_rays(uint64_t *hash, tumble_query *query, const tumble_model *model)
{
    test_random random = {43};
    tumble_ray_options options = tumble_default_ray_options();
    options.mode = TUMBLE_ALL;
    for (int i = 0; i < 40; i++) {
        double origin[3], direction[3];
        tumble_ray_result result;
        tumble_inside_answer answer;
        for (int k = 0; k < 3; k++) {
            origin[k] = i % 2 ? test_random_range(&random, -9, 9) : test_random_whole(&random, -9, 9);
            direction[k] = i % 3 == k ? 1 : i % 2 ? test_random_unit(&random) : test_random_whole(&random, -1, 1);
        }
        options.t0 = i % 5 ? 0 : -INFINITY;
        assert_int_equal(tumble_ray(query, model, NULL, origin, direction, &options, &result), TUMBLE_OK);
        hash_number(hash, result.hit_count);
        for (size_t h = 0; h < result.hit_count; h++) {
            hash_number(hash, (uint64_t)result.hits[h].polygon << 2 | (uint64_t)result.hits[h].side);
            hash_double(hash, result.hits[h].t);
        }
        assert_int_equal(tumble_inside(query, model, NULL, origin, 1, NULL, &answer, NULL), TUMBLE_OK);
        hash_number(hash, (uint64_t)answer.place << 32 | answer.polygon);
        hash_points(hash, query, model, origin, direction);
    }
}

static void test_golden(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    static const size_t variants[] = {TEST_TREE_WIDE, 5, TEST_TREE_KDOP + 4, TEST_TREE_RTREE};
    test_open_levels(&w->memory, contexts, queries);
    for (int level = 0; level < TEST_LEVELS; level++) {
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            uint64_t hash = UINT64_C(0xcbf29ce484222325);
            for (int kind = 0; kind < KINDS; kind++) {
                tumble_model *a = make_model(contexts[level], kind, 41, variants[v]);
                tumble_model *b = make_model(contexts[level], kind, 42, variants[v]);
                hash_answers(&hash, queries[level], a, b);
                hash_rays(&hash, queries[level], a);
                tumble_model_destroy(a);
                tumble_model_destroy(b);
            }
            if (hash != GOLDEN) {
                fail_msg("0x%016llx: %s, level %d", (unsigned long long)hash, test_tree_name(variants[v]), level);
            }
        }
    }
    test_close_levels(contexts, queries);
}

/* Cylinders in a lattice. */
static tumble_model *make_cylinders(tumble_context *context, size_t variant)
{
    enum {
        COUNT = 30
    };
    test_random random = {43};
    double ends[6 * COUNT], radii[COUNT];
    const tumble_model_options options = test_tree_variant(variant);
    tumble_model *model;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < 3; k++) {
            ends[6 * i + k] = test_random_whole(&random, -6, 6);
            ends[6 * i + 3 + k] = ends[6 * i + k] + test_random_whole(&random, k == i % 3, 3);
        }
        radii[i] = test_random_whole(&random, 0, 3);
    }
    assert_int_equal(tumble_model_create_cylinders(context, ends, radii, COUNT, &options, &model), TUMBLE_OK);
    return model;
}

/* The other mesh has no radius. */
static void hash_cylinders(uint64_t *hash, tumble_query *query, const tumble_model *a, tumble_model *b)
{
    assert_int_equal(tumble_model_set_radius(b, 0), TUMBLE_OK);
    for (int i = 0; i < 6; i++) {
        const tumble_pose pose = {{{0, -1, 0, 2.5 * i - 6}, {1, 0, 0, 0.5 * i}, {0, 0, 1, 1}}};
        tumble_collide_result result;
        assert_int_equal(tumble_collide(query, a, NULL, b, &pose, NULL, &result), TUMBLE_OK);
        hash_number(hash, result.pair_count);
        for (uint64_t p = 0; p < result.pair_count; p++) {
            hash_number(hash, (uint64_t)result.pairs[p].polygon_a << 32 | result.pairs[p].polygon_b);
        }
    }
}

static void test_cylinders(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    static const size_t variants[] = {TEST_TREE_WIDE, 5, TEST_TREE_KDOP + 4, TEST_TREE_RTREE};
    test_open_levels(&w->memory, contexts, queries);
    for (int level = 0; level < TEST_LEVELS; level++) {
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            uint64_t hash = UINT64_C(0xcbf29ce484222325);
            tumble_model *a = make_cylinders(contexts[level], variants[v]);
            for (int kind = 0; kind < 2; kind++) {
                tumble_model *b = make_model(contexts[level], kind, 44, variants[v]);
                hash_cylinders(&hash, queries[level], a, b);
                tumble_model_destroy(b);
            }
            tumble_model_destroy(a);
            if (hash != GOLDEN_CYLINDERS) {
                fail_msg("0x%016llx: %s, level %d", (unsigned long long)hash, test_tree_name(variants[v]), level);
            }
        }
    }
    test_close_levels(contexts, queries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_golden), TEST_IN_WORLD(test_cylinders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
