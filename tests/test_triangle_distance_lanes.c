/* Bounds of the distances of eight pairs of triangles, in floats, against the exact distance; the same bits at every
 * SIMD level. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lanes_batch.h"
#include "near_pairs.h"
#include "prim/triangle_distance.h"
#include "support.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#define FLUSH_TO_ZERO 0x8040 /* denormal results and operands */
#endif

/* How wide the bounds are, in units of 2^-24 reach. */
typedef struct tally {
    size_t lanes, informed, gaps; /* informed: with a positive lower bound; gaps: so by the cheap bound */
    double width, loss;           /* sums: upper - lower; how much less the cheap bound is */
} tally;

static void check_lane(const lanes_batch *batch, int lane, const lanes_distances *said, tally *counts)
{
    const test_pair *pair = &batch->pairs[lane];
    const double lower = said->lower[lane], upper = said->upper[lane], gap = said->gap[lane];
    tmb_triangle_distance truth;
    tmb_triangles_distance_fast(pair->a, pair->b, &truth);
    if (!(lower <= truth.lower && gap <= truth.lower && upper >= truth.upper))
        tmb_triangles_distance(pair->a, pair->b, &truth, NULL);
    if (!(lower <= truth.value * (1 + 1e-15) && gap <= truth.value * (1 + 1e-15) &&
          upper >= truth.value * (1 - 1e-15))) {
        lanes_print_pair(batch, lane);
        fail_msg("distance %.17g, bounds [%.9g, %.9g], gap %.9g", truth.value, lower, upper, gap);
    }
    const double unit = 0x1p-24 * (double)batch->reach;
    counts->lanes++;
    counts->informed += lower > 0;
    counts->gaps += gap > 0;
    if (lower > 0) {
        counts->width += (upper - lower) / unit;
        counts->loss += (lower - fmax(gap, 0)) / unit;
    }
}

/* Lanes that are used are bitwise the same everywhere. */
static void compare_levels(const lanes_level_list *list, const lanes_batch *batch, const lanes_distances *plain)
{
    for (int k = 0; k < list->count; k++) {
        lanes_distances own;
        list->levels[k].kernel->distances(batch->a, batch->b, batch->reach, &own);
        for (int lane = 0; lane < 8; lane++)
            if (batch->lanes >> lane & 1 && (memcmp(&own.lower[lane], &plain->lower[lane], sizeof(float)) != 0 ||
                                             memcmp(&own.alone[lane], &plain->lower[lane], sizeof(float)) != 0 ||
                                             memcmp(&own.upper[lane], &plain->upper[lane], sizeof(float)) != 0 ||
                                             memcmp(&own.gap[lane], &plain->gap[lane], sizeof(float)) != 0)) {
                lanes_print_pair(batch, lane);
                fail_msg("%s: [%a, %a], %a; plain: [%a, %a], %a", list->levels[k].name, own.lower[lane],
                         own.upper[lane], own.gap[lane], plain->lower[lane], plain->upper[lane], plain->gap[lane]);
            }
    }
}

static void check_batch(const lanes_level_list *list, const lanes_batch *batch, tally *counts)
{
    lanes_distances said;
    list->levels[0].kernel->distances(batch->a, batch->b, batch->reach, &said);
    compare_levels(list, batch, &said);
    for (int lane = 0; lane < 8; lane++)
        if (batch->lanes >> lane & 1)
            check_lane(batch, lane, &said, counts);
}

static void print_tally(const char *name, const tally *t)
{
    const double informed = t->informed > 0 ? (double)t->informed : 1;
    print_message(
        "  %-22s %zu lanes, %zu with a lower bound, %zu by the gap; bounds %.3g u reach apart, gap %.3g less\n", name,
        t->lanes, t->informed, t->gaps, t->width / informed, t->loss / informed);
}

/* As they are, or in all sizes. */
static tally try_pairs(const char *name, uint64_t seed, void (*make)(test_random *random, test_pair *pair),
                       size_t count, int sizes)
{
    const lanes_level_list list = lanes_levels();
    test_random random = {seed};
    tally counts = {0};
    for (size_t n = test_count(count); n > 0; n--) {
        test_pair pair;
        lanes_batch batch;
        make(&random, &pair);
        const int exponent = test_random_chance(&random, 0.5) ? 0 : lanes_random_exponent(&random);
        lanes_spread_pair(&random, &pair, sizes ? exponent - lanes_exponent_of(&pair) : 0, &batch);
        check_batch(&list, &batch, &counts);
    }
    print_tally(name, &counts);
    return counts;
}

static void try_generators(const test_generator *generators, size_t count)
{
    for (const test_generator *generator = generators; generator->name; generator++)
        try_pairs(generator->name, (uint64_t)(generator - generators) << 32 | 5, generator->make, count, 1);
}

static void test_generated(void **state)
{
    (void)state;
    try_generators(test_near_generators(), 400);
    try_generators(test_generators(), 300);
}

/* Near each other, which is what queries meet most; the bounds must say something. */
static void test_near(void **state)
{
    (void)state;
    const tally near = try_pairs("near", 2303, lanes_make_near_pair, 4000, 1);
    const tally layers = try_pairs("layers", 2304, lanes_make_layers, 2000, 1);
    assert_true(near.informed > 0 && near.informed < near.lanes && layers.informed > 0);
}

static void test_underflow(void **state)
{
    (void)state;
    try_pairs("tiny", 2306, lanes_make_tiny_pair, 1000, 0);
#if defined(__x86_64__)
    const unsigned kept = _mm_getcsr();
    _mm_setcsr(kept | FLUSH_TO_ZERO);
    try_pairs("flushed to zero", 2307, lanes_make_tiny_pair, 1000, 0);
    _mm_setcsr(kept);
#endif
}

/* Triangles of one size, some sizes apart: bounds that are about as near as floats are. */
static void make_ordinary(test_random *random, test_pair *pair)
{
    for (int i = 0; i < 9; i++) {
        pair->a[i / 3][i % 3] = test_random_range(random, -1, 1);
        pair->b[i / 3][i % 3] = test_random_range(random, -1, 1);
    }
    const int axis = test_random_whole(random, 0, 2);
    for (int i = 0; i < 3; i++)
        pair->b[i][axis] += 3;
}

static void test_ordinary(void **state)
{
    (void)state;
    const tally counts = try_pairs("ordinary", 2308, make_ordinary, 2000, 0);
    assert_true(counts.informed > counts.lanes * 9 / 10);
    assert_true(counts.width / (double)counts.informed < 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_underflow),
        cmocka_unit_test(test_ordinary),
    };
    return cmocka_run_group_tests_name("triangle distance in lanes", tests, NULL, NULL);
}
