/* One number for what fixed rays hit: the same for every compiler, optimisation, instruction set and hierarchy. The
 * meshes and rays are made with sums, products, quotients and integers alone. A change of this number is a change of
 * answers. */
#include <math.h>
#include <string.h>

#include "scenes.h"

#define GOLDEN UINT64_C(0xd8a832d02f790f38)

enum {
    RAYS = 120
};

/* Fowler, Noll and Vo's hash (FNV-1a), of the bytes from the lowest on. */
static void hash_number(uint64_t *hash, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        *hash = (*hash ^ (number >> (8 * i) & 255)) * UINT64_C(0x100000001b3);
}

static void hash_double(uint64_t *hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    hash_number(hash, bits);
}

static void hash_rays(uint64_t *hash, tumble_query *query, const tumble_model *model, double size)
{
    test_random random = {31};
    tumble_ray_options options = tumble_default_ray_options();
    options.mode = TUMBLE_ALL;
    for (int i = 0; i < RAYS; i++) {
        double origin[3], direction[3];
        tumble_ray_result result;
        tumble_inside_answer answer;
        for (int k = 0; k < 3; k++) {
            const int whole = test_random_whole(&random, -8, 8), step = test_random_whole(&random, -8, 8);
            const double part = test_random_range(&random, -1, 1);
            origin[k] = i % 2 ? size * part : size * whole / 4;
            direction[k] = (i % 3 ? size * step / 4 : size * part) + (k == i % 3 ? size : 0);
        }
        if (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)
            direction[0] = size;
        options.t0 = i % 5 ? 0 : -INFINITY;
        assert_int_equal(tumble_ray(query, model, NULL, origin, direction, &options, &result), TUMBLE_OK);
        hash_number(hash, result.hit_count);
        for (size_t h = 0; h < result.hit_count; h++) {
            hash_number(hash, (uint64_t)result.hits[h].polygon << 2 | (uint64_t)result.hits[h].side);
            hash_double(hash, result.hits[h].t);
            for (int k = 0; k < 3; k++)
                hash_double(hash, result.hits[h].point[k] + 0.0);
        }
        assert_int_equal(tumble_inside(query, model, NULL, origin, 1, NULL, &answer, NULL), TUMBLE_OK);
        hash_number(hash, (uint64_t)answer.place << 32 | answer.polygon);
    }
}

static void test_golden(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    test_open_levels(&w->memory, contexts, queries);
    static const size_t variants[] = {TEST_TREE_WIDE, 5, TEST_TREE_KDOP + 4, TEST_TREE_RTREE};
    for (int level = 0; level < TEST_LEVELS; level++) {
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            uint64_t hash = UINT64_C(0xcbf29ce484222325);
            for (int kind = 0; kind < 4; kind++) {
                static const double zero[3] = {0, 0, 0};
                models_mesh mesh = {0};
                test_random random = {32};
                const double scale = kind == 3 ? 0x1p-1060 : 1;
                if (kind == 0)
                    test_make_soup(&mesh, &random, 300, 0.5);
                else if (kind == 1)
                    test_make_grid_box(&mesh, 4);
                else
                    test_make_lattice(&mesh, &random, 200, 4, 3, 0.1);
                test_transform(&mesh, scale, zero);
                const tumble_model_options options = test_tree_variant(variants[v]);
                tumble_model *model = test_model(contexts[level], &mesh, &options);
                hash_rays(&hash, queries[level], model, scale);
                tumble_model_destroy(model);
                models_free(&mesh);
            }
            if (hash != GOLDEN)
                fail_msg("0x%016llx: %s, level %d", (unsigned long long)hash, test_tree_name(variants[v]), level);
        }
    }
    test_close_levels(contexts, queries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_golden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
