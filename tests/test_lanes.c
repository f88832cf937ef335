/* Eight lanes: every operation at every SIMD level against plain C, and the float test of triangles, which may be
 * undecided but never wrong, against the exact one. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lanes_batch.h"
#include "pairs.h"
#include "prim/triangle.h"
#include "support.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#define FLUSH_TO_ZERO 0x8040 /* denormal results and operands */
#endif

/* Operations. */

static void fill_input(test_random *random, lanes_input *in)
{
    for (int i = 0; i < 8; i++) {
        const uint64_t bits = test_random_bits(random), more = test_random_bits(random);
        in->a[i] = lanes_random_float(random);
        in->b[i] = test_random_chance(random, 0.2) ? in->a[i] : lanes_random_float(random);
        in->d[i] = test_random_chance(random, 0.2)
                       ? lanes_random_float(random)
                       : ldexp(test_random_range(random, -1, 1), test_random_whole(random, -160, 140));
        in->k[i] = (int32_t)(uint32_t)bits;
        in->index[i] = bits >> 32 & 15;
        in->u8[i] = (uint8_t)(bits >> 40);
        in->s8[i] = (int8_t)(uint8_t)(bits >> 48);
        in->u16[i] = (uint16_t)more;
        in->s16[i] = (int16_t)(uint16_t)(more >> 16);
    }
    for (int i = 0; i < 16; i++)
        in->table[i] = lanes_random_float(random);
    in->word = (uint32_t)test_random_bits(random);
    in->bits[0] = test_random_chance(random, 0.2) ? 0 : (unsigned)test_random_whole(random, 0, 255);
    in->bits[1] = (unsigned)test_random_whole(random, 0, 255);
    in->shift = test_random_whole(random, 0, 31);
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static void expect_floats(const lanes_input *in, int i, lanes_output *out)
{
    const float a = in->a[i], b = in->b[i];
    float(*f)[8] = out->floats, halves[4];
    for (int k = 0; k < 4; k++)
        halves[k] = larger(in->a[k], in->a[k + 4]);
    f[LANES_ADD][i] = a + b;
    f[LANES_SUB][i] = a - b;
    f[LANES_MUL][i] = a * b;
    f[LANES_SQRT][i] = sqrtf(a);
    f[LANES_LOAD][i] = a;
    f[LANES_SET][i] = in->a[0];
    f[LANES_ZERO][i] = 0;
    f[LANES_MIN][i] = a < b ? a : b;
    f[LANES_MAX][i] = larger(a, b);
    f[LANES_MAX_ABS][i] = larger(fabsf(a), fabsf(b));
    f[LANES_ABS][i] = fabsf(a);
    f[LANES_NEG][i] = -a;
    f[LANES_SIGN][i] = copysignf(a, b);
    f[LANES_SELECT][i] = in->bits[0] >> i & 1 ? a : b;
    f[LANES_FROM_U8][i] = in->u8[i];
    f[LANES_FROM_S8][i] = in->s8[i];
    f[LANES_FROM_U16][i] = in->u16[i];
    f[LANES_FROM_S16][i] = in->s16[i];
    f[LANES_FROM_F64][i] = (float)in->d[i];
    f[LANES_FROM_I8][i] = (float)in->k[i];
    f[LANES_LOOKUP][i] = in->table[in->index[i]];
    f[LANES_PERMUTE][i] = in->a[in->index[i] & 7];
    f[LANES_MAX_OF][i] = larger(larger(halves[0], halves[2]), larger(halves[1], halves[3]));
}

static void expect(const lanes_input *in, lanes_output *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 8; i++) {
        expect_floats(in, i, out);
        out->ints[LANES_INT_LOAD][i] = in->k[i];
        out->ints[LANES_INT_SET][i] = in->k[0];
        out->ints[LANES_INT_U8][i] = in->u8[i];
        out->ints[LANES_INT_S8][i] = in->s8[i];
        out->ints[LANES_INT_U16][i] = in->u16[i];
        out->ints[LANES_INT_S16][i] = in->s16[i];
        out->ints[LANES_NIBBLES][i] = (int32_t)(in->word >> 4 * i & 15);
        out->ints[LANES_INT_AND][i] = in->k[i] & in->index[i];
        out->ints[LANES_INT_SHIFT][i] = (int32_t)((uint32_t)in->k[i] >> in->shift);
        memcpy(&out->ints[LANES_INT_BITS][i], &in->a[i], sizeof(float));
        out->masks[LANES_LESS] |= (unsigned)(in->a[i] < in->b[i]) << i;
        out->masks[LANES_LESS_EQUAL] |= (unsigned)(in->a[i] <= in->b[i]) << i;
    }
    out->masks[LANES_AND] = in->bits[0] & in->bits[1];
    out->masks[LANES_OR] = in->bits[0] | in->bits[1];
    out->masks[LANES_XOR] = in->bits[0] ^ in->bits[1];
    out->masks[LANES_ANDNOT] = in->bits[0] & ~in->bits[1];
    out->masks[LANES_NONE] = in->bits[0] == 0;
    out->masks[LANES_NONE_OF_NONE] = 1;
}

/* The same bits; but which NaN arithmetic makes is open, and max_abs is defined without NaN only. */
static int same_float(int operation, const lanes_input *in, int lane, float a, float b)
{
    if (operation == LANES_MAX_ABS && (isnan(in->a[lane]) || isnan(in->b[lane])))
        return 1;
    if ((operation <= LANES_SQRT || operation == LANES_FROM_F64) && isnan(a))
        return isnan(b);
    return memcmp(&a, &b, sizeof a) == 0;
}

static void compare_operations(const char *name, const lanes_input *in, const lanes_output *found,
                               const lanes_output *right)
{
#define NAME_OF(name) #name
    static const char *const floats[] = {LANES_FLOATS(NAME_OF)}, *const ints[] = {LANES_INTS(NAME_OF)},
                             *const masks[] = {LANES_MASKS(NAME_OF)};
#undef NAME_OF
    for (int k = 0; k < LANES_FLOAT_COUNT; k++)
        for (int i = 0; i < 8; i++)
            if (!same_float(k, in, i, found->floats[k][i], right->floats[k][i]))
                fail_msg("%s %s lane %d (%a, %a): %a instead of %a", name, floats[k], i, in->a[i], in->b[i],
                         found->floats[k][i], right->floats[k][i]);
    for (int k = 0; k < LANES_INT_COUNT; k++)
        for (int i = 0; i < 8; i++)
            if (found->ints[k][i] != right->ints[k][i])
                fail_msg("%s %s lane %d: %d instead of %d", name, ints[k], i, found->ints[k][i], right->ints[k][i]);
    for (int k = 0; k < LANES_MASK_COUNT; k++)
        if (found->masks[k] != right->masks[k])
            fail_msg("%s %s: %x instead of %x", name, masks[k], found->masks[k], right->masks[k]);
}

static void test_operations(void **state)
{
    (void)state;
    const lanes_level_list list = lanes_levels();
    test_random random = {2201};
    for (size_t n = test_count(20000); n > 0; n--) {
        lanes_input in;
        lanes_output right, found;
        fill_input(&random, &in);
        expect(&in, &right);
        for (int k = 0; k < list.count; k++) {
            memset(&found, 0x5a, sizeof found);
            list.levels[k].kernel->operations(&in, &found);
            compare_operations(list.levels[k].name, &in, &found, &right);
        }
    }
    for (int k = 0; k < list.count; k++)
        print_message("  %s\n", list.levels[k].name);
}

/* Pairs of triangles. */

typedef struct lanes_tally {
    size_t hits, misses, undecided_hits, undecided_misses;
} lanes_tally;

/* All levels say the same, nothing of unused lanes, and nothing wrong. */
static void check_batch(const lanes_level_list *list, const lanes_batch *batch, lanes_tally *tally)
{
    unsigned hit, miss;
    list->levels[0].kernel->triangles(batch->a, batch->b, batch->reach, batch->lanes, &hit, &miss);
    if ((hit & miss) != 0 || ((hit | miss) & ~batch->lanes) != 0)
        fail_msg("lanes %x: hit %x, miss %x", batch->lanes, hit, miss);
    for (int k = 1; k < list->count; k++) {
        unsigned own_hit, own_miss;
        list->levels[k].kernel->triangles(batch->a, batch->b, batch->reach, batch->lanes, &own_hit, &own_miss);
        if (own_hit != hit || own_miss != miss)
            fail_msg("%s: hit %x, miss %x; plain: hit %x, miss %x", list->levels[k].name, own_hit, own_miss, hit, miss);
    }
    for (int lane = 0; lane < 8; lane++) {
        if (!(batch->lanes >> lane & 1))
            continue;
        const int truth = tmb_triangles_intersect((const double(*)[3])batch->pairs[lane].a,
                                                  (const double(*)[3])batch->pairs[lane].b, 0);
        const int known = (hit | miss) >> lane & 1;
        if (known && truth != (int)(hit >> lane & 1)) {
            lanes_print_pair(batch, lane);
            fail_msg("wrong: they do %sintersect", truth ? "" : "not ");
        }
        ++*(known ? (truth ? &tally->hits : &tally->misses)
                  : (truth ? &tally->undecided_hits : &tally->undecided_misses));
    }
}

static void print_tally(const char *name, const lanes_tally *t)
{
    print_message("  %-20s hits %zu, misses %zu, undecided %zu and %zu\n", name, t->hits, t->misses, t->undecided_hits,
                  t->undecided_misses);
}

static void test_hard_pairs(void **state)
{
    (void)state;
    const lanes_level_list list = lanes_levels();
    test_random random = {2202};
    for (const test_generator *generator = test_generators(); generator->name != 0; generator++) {
        lanes_tally tally = {0};
        for (size_t n = test_count(5000); n > 0; n--) {
            test_pair pair;
            lanes_batch batch;
            generator->make(&random, &pair);
            lanes_spread_pair(&random, &pair, lanes_random_exponent(&random) - lanes_exponent_of(&pair), &batch);
            check_batch(&list, &batch, &tally);
        }
        print_tally(generator->name, &tally);
    }
}

static void near_pairs(const char *name, uint64_t seed, void (*make)(test_random *random, test_pair *pair),
                       size_t count)
{
    const lanes_level_list list = lanes_levels();
    test_random random = {seed};
    lanes_tally tally = {0};
    for (size_t n = test_count(count); n > 0; n--) {
        test_pair pair;
        lanes_batch batch;
        make(&random, &pair);
        lanes_spread_pair(&random, &pair, test_random_chance(&random, 0.5) ? 0 : lanes_random_exponent(&random),
                          &batch);
        check_batch(&list, &batch, &tally);
    }
    print_tally(name, &tally);
    assert_true(tally.hits > 0 && tally.misses > 0 && tally.undecided_hits > 0 && tally.undecided_misses > 0);
}

static void test_near_pairs(void **state)
{
    (void)state;
    near_pairs("near", 2203, lanes_make_near_pair, 100000);
    near_pairs("layers", 2204, lanes_make_layers, 20000);
}

/* Also where the processor flushes denormal numbers to zero. */
static void test_underflow(void **state)
{
    (void)state;
    near_pairs("tiny", 2206, lanes_make_tiny_pair, 10000);
#if defined(__x86_64__)
    const unsigned kept = _mm_getcsr();
    _mm_setcsr(kept | FLUSH_TO_ZERO);
    near_pairs("flushed to zero", 2207, lanes_make_tiny_pair, 20000);
    _mm_setcsr(kept);
#endif
}

/* Triangles of one size, not far from the origin in terms of that size: nearly all must be decided. */
static void test_ordinary_pairs(void **state)
{
    (void)state;
    const lanes_level_list list = lanes_levels();
    test_random random = {2205};
    lanes_tally tally = {0};
    for (size_t n = test_count(30000); n > 0; n--) {
        lanes_batch batch = {.origin = {0, 0, 0}};
        for (int lane = 0; lane < 8; lane++) {
            double centre[3];
            for (int axis = 0; axis < 3; axis++)
                centre[axis] = test_random_range(&random, -0.5, 0.5);
            for (int i = 0; i < 9; i++) {
                batch.pairs[lane].a[i / 3][i % 3] = centre[i % 3] + test_random_range(&random, -1, 1);
                batch.pairs[lane].b[i / 3][i % 3] = centre[i % 3] + test_random_range(&random, -1, 1);
            }
        }
        lanes_finish_batch(&random, &batch, 1);
        check_batch(&list, &batch, &tally);
    }
    print_tally("ordinary", &tally);
    const double all = (double)(tally.hits + tally.misses + tally.undecided_hits + tally.undecided_misses);
    assert_true((double)(tally.undecided_hits + tally.undecided_misses) < 1.5e-3 * all);
    assert_true((double)tally.hits > 0.1 * all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations), cmocka_unit_test(test_hard_pairs),     cmocka_unit_test(test_near_pairs),
        cmocka_unit_test(test_underflow),  cmocka_unit_test(test_ordinary_pairs),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
