/* Models of cylinders with themselves: the pairs of every hierarchy are those of the model beside itself, but for
 * neighbours. */
#include <string.h>

#include "mixed_cases.h"

enum {
    COUNT = 40,
    KINDS = 11
};

static tumble_model_options options_of(size_t kind)
{
    static const size_t variants[] = {TEST_TREE_WIDE, TEST_TREE_WIDE_LONGEST, TEST_TREE_RTREE,    0, 21, 42, 63,
                                      TEST_TREE_KDOP, TEST_TREE_KDOP + 4,     TEST_TREE_KDOP + 14};
    tumble_model_options options = kind == 0 ? tumble_default_model_options() : test_tree_variant(variants[kind - 1]);
    options.hierarchy = kind == 0 ? TUMBLE_HIERARCHY_BRUTE : options.hierarchy;
    return options;
}

/* A pair of different cylinders, the smaller number first. */
static size_t count_pairs(const tumble_collide_result *r, tumble_pair *out)
{
    size_t count = 0;
    for (uint64_t i = 0; i < r->pair_count; i++) {
        if (r->pairs[i].polygon_a < r->pairs[i].polygon_b) {
            out[count++] = r->pairs[i];
        }
    }
    return count;
}

static void test_all_hierarchies(void **state)
{
    test_world *w = *state;
    test_random random = {1};
    size_t found = 0;
    const size_t turns = test_count(8) > 4 ? test_count(8) : 4;
    for (size_t turn = 0; turn < turns; turn++) {
        double ends[6 * COUNT], radii[COUNT];
        const double clearance = turn % 2 ? 0.5 : 0;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            ends[i] = test_random_range(&random, -9, 9);
        }
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t k = 3; k < 6; k++) { /* short ones */
                ends[6 * i + k] = ends[6 * i + k - 3] + test_random_range(&random, -3, 3);
            }
            radii[i] = test_random_range(&random, 0, 1.5);
        }
        for (size_t kind = 0; kind < KINDS; kind++) {
            const tumble_model_options options = options_of(kind);
            tumble_collide_options collide = tumble_default_collide_options();
            tumble_self_options self = tumble_default_self_options();
            tumble_collide_result beside;
            tumble_self_result alone;
            tumble_model *model;
            tumble_pair expected[COUNT * COUNT];
            assert_int_equal(tumble_model_create_cylinders(w->context, ends, radii, COUNT, &options, &model),
                             TUMBLE_OK);
            collide.clearance = self.clearance = clearance;
            self.thread_count = (uint32_t)(kind % 3);
            assert_int_equal(tumble_collide(w->query, model, NULL, model, NULL, &collide, &beside), TUMBLE_OK);
            const size_t count = count_pairs(&beside, expected);
            assert_int_equal(tumble_self_collide(w->query, model, &self, &alone), TUMBLE_OK);
            assert_int_equal(alone.pair_count, count);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(alone.pairs[i].polygon_a, expected[i].polygon_a);
                assert_int_equal(alone.pairs[i].polygon_b, expected[i].polygon_b);
                assert_int_equal(alone.pairs[i].kind, TUMBLE_SELF_NEAR);
            }
            found += count;
            tumble_model_destroy(model);
        }
    }
    assert_true(found > 12 * turns);
}

/* Cylinders in a row share ends; flat ends show where one is bent back. */
static void test_neighbours(void **state)
{
    test_world *w = *state;
    const double ends[] = {0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0, 9, 0, 0, 9, 6, 0, 9, 6, 0, 9, 6, 0, 1},
                 radii[] = {2, 3, 1, 2};
    tumble_self_options options = tumble_default_self_options();
    tumble_self_result r;
    tumble_model *model;
    assert_int_equal(tumble_model_create_cylinders(w->context, ends, radii, 4, NULL, &model), TUMBLE_OK);
    assert_int_equal(tumble_self_collide(w->query, model, NULL, &r), TUMBLE_OK);
    assert_int_equal(r.pair_count, 0); /* capsules of 0 and 2 would be as close */
    options.clearance = 1;
    assert_int_equal(tumble_self_collide(w->query, model, &options, &r), TUMBLE_OK);
    assert_int_equal(r.pair_count, 1);
    assert_true(r.pairs[0].polygon_a == 1 && r.pairs[0].polygon_b == 3);
    options.rings = 2;
    assert_int_equal(tumble_self_collide(w->query, model, &options, &r), TUMBLE_OK);
    assert_int_equal(r.pair_count, 0);
    tumble_model_destroy(model);
}

static tumble_status ask(test_world *w, void *model)
{
    tumble_query *query;
    tumble_self_result r;
    tumble_status status = tumble_query_create(w->context, &query);
    if (status == TUMBLE_OK) {
        status = tumble_self_collide(query, model, NULL, &r);
        tumble_query_destroy(query);
    }
    return status;
}

/* A cylinder that is a ball touches a rim: exact arithmetic takes memory. */
static void test_memory(void **state)
{
    test_world *w = *state;
    const double points[] = {0, 0, 0, 0, 0, 10, 8, 0, 14};
    const uint32_t corners[] = {0, 1, 1, 2, 2, 2};
    tumble_mesh mesh = tumble_default_mesh();
    tumble_model_options options = tumble_default_model_options();
    tumble_model *model;
    mesh.points = points, mesh.point_count = 3, mesh.indices = corners, mesh.index_count = 6;
    options.flat_ends = true, options.radius = 5;
    assert_int_equal(tumble_model_create(w->context, &mesh, &options, &model), TUMBLE_OK);
    tumble_self_result r;
    assert_int_equal(tumble_self_collide(w->query, model, NULL, &r), TUMBLE_OK);
    assert_int_equal(r.pair_count, 1);
    assert_true(test_fail_each(w, TEST_FAIL_ALONE, ask, NULL, model) > 0);
    tumble_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_all_hierarchies), TEST_IN_WORLD(test_neighbours),
                                       TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
