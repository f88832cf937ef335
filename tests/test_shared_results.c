/* How the results of a query's parts are merged, from inside: slices of about equal size. */
#include "support.h"

/* Functions that the library keeps to itself. */
#include "collide/shared/results.c"

enum {
    PARTS = 3,
    PAIRS = 20000
};

/* Pairs of few polygons of A and many of B, so that most keys are close together; another number in each part. */
static void fill_part(tmb_part_results *part, tumble_pair *pairs, size_t count, test_random *random)
{
    for (size_t i = 0; i < count; i++) {
        const double x = test_random_unit(random), y = test_random_unit(random);
        pairs[i] = (tumble_pair){(uint32_t)(100 * x * x), (uint32_t)(1e9 * y)};
    }
    part->pairs.data = pairs;
    part->pair_count = count;
}

static void test_slices(void **state)
{
    (void)state;
    static tumble_pair pairs[PARTS][PAIRS];
    test_random random = {1};
    tmb_part_results parts[PARTS] = {0};
    tmb_sharing sharing = {.thread_count = 4};
    gathering g = {.sharing = &sharing, .parts = parts};
    size_t counts[SLICES] = {0}, all = 0;
    for (size_t p = 0; p < PARTS; p++) {
        fill_part(&parts[p], pairs[p], PAIRS / (p + 1), &random);
        parts[p].next = p + 1 < PARTS ? &parts[p + 1] : NULL;
        all += parts[p].pair_count;
    }
    assert_int_equal(count_chunks(&g), PARTS);
    assert_int_equal(g.place_count, all);
    cut_slices(&g);
    assert_int_equal(g.slice_count, 4);
    assert_int_equal(g.slices[0].first, 0);
    for (size_t p = 0; p < PARTS; p++) {
        for (size_t i = 0; i < parts[p].pair_count; i++) {
            counts[slice_of(&g, tmb_polygon_key(pairs[p][i].polygon_a, pairs[p][i].polygon_b))]++;
        }
    }
    for (size_t i = 0; i < g.slice_count; i++) {
        assert_in_range(counts[i], all / 5, 3 * all / 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
