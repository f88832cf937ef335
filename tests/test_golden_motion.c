/* One number for the first contacts of fixed motions: the same for every compiler, optimisation and instruction set;
 * that of translations also for every hierarchy. Meshes and motions are made with sums, products, quotients and
 * integers alone. A change of this number is a change of answers. */
#include <math.h>
#include <string.h>

#include "scenes.h"

#define GOLDEN UINT64_C(0xb43e8809fc29c038)

enum {
    MOTIONS = 60,
    HIERARCHIES = 4
};

/* Fowler, Noll and Vo's hash (FNV-1a), of the bytes from the lowest on. */
static void hash_double(uint64_t *hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; i++)
        *hash = (*hash ^ (bits >> (8 * i) & 255)) * UINT64_C(0x100000001b3);
}

static tumble_motion motion_of(test_random *random, int turning)
{
    tumble_motion motion = tumble_motion_still(NULL);
    motion.from = test_rational_turn(random);
    for (int k = 0; k < 3; k++) {
        motion.from.m[k][3] = test_random_range(random, -3, 3);
        motion.translation[k] = test_random_range(random, -5, 5);
        motion.point[k] = test_random_range(random, -2, 2);
        motion.axis[k] = test_random_range(random, -1, 1);
    }
    motion.angle = turning ? test_random_range(random, -9, 9) : 0;
    return motion;
}

static void hash_motions(uint64_t *hash, tumble_query *query, tumble_model *const models[2], int turning)
{
    test_random random = {77};
    for (int i = 0; i < MOTIONS; i++) {
        const tumble_motion motions[2] = {motion_of(&random, turning), motion_of(&random, turning)};
        tumble_first_contact_options options = tumble_default_first_contact_options();
        tumble_first_contact_result r;
        options.tolerance = 0;
        options.clearance = turning && i % 3 == 0 ? 0.125 : 0;
        assert_int_equal(tumble_first_contact(query, models[0], &motions[0], models[1], &motions[1], &options, &r),
                         TUMBLE_OK);
        hash_double(hash, r.free_until);
        hash_double(hash, r.touching_at);
        hash_double(hash, r.error);
    }
}

static void test_golden(void **state)
{
    test_world *w = *state;
    tumble_context *contexts[TEST_LEVELS];
    tumble_query *queries[TEST_LEVELS];
    static const size_t variants[HIERARCHIES] = {TEST_TREE_WIDE, 5, TEST_TREE_KDOP + 4, TEST_TREE_RTREE};
    uint64_t golden = UINT64_C(0xcbf29ce484222325);
    test_open_levels(&w->memory, contexts, queries);
    for (int level = 0; level < TEST_LEVELS; level++) {
        uint64_t all = UINT64_C(0xcbf29ce484222325), still = 0;
        for (int v = 0; v < HIERARCHIES; v++) {
            tumble_model *models[2];
            test_random random = {76};
            for (int side = 0; side < 2; side++) {
                models_mesh mesh = {0};
                const tumble_model_options options = test_tree_variant(variants[v]);
                test_make_soup(&mesh, &random, 120, 0.3);
                models[side] = test_model(contexts[level], &mesh, &options);
                models_free(&mesh);
            }
            uint64_t hash = UINT64_C(0xcbf29ce484222325);
            hash_motions(&hash, queries[level], models, 0);
            assert_true(v == 0 || hash == still);
            still = hash;
            hash_motions(&hash, queries[level], models, 1);
            all = (all ^ hash) * UINT64_C(0x100000001b3);
            tumble_model_destroy(models[0]);
            tumble_model_destroy(models[1]);
        }
        assert_true(level == 0 || all == golden);
        golden = all;
    }
    test_close_levels(contexts, queries);
    if (golden != GOLDEN)
        fail_msg("the hash is 0x%016llx", (unsigned long long)golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_golden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
