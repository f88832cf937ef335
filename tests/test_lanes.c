/* Eight lanes: every operation at every SIMD level against plain C, and the float test of triangles, which may be
 * undecided but never wrong, against the exact one. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "lanes_kernel.h"
#include "pairs.h"
#include "prim/triangle.h"
#include "support.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#define FLUSH_TO_ZERO 0x8040 /* denormal results and operands */
#endif

/* The levels that this processor has; the first is plain C. */
typedef struct level {
    const char *name;
    const lanes_kernel *kernel;
} level;

typedef struct level_list {
    level levels[4];
    int count;
} level_list;

static level_list available_levels(void)
{
    level_list list = {{{"plain", &lanes_kernel_plain}, {"scalar", &lanes_kernel_scalar}}, 2};
#if defined(TUMBLE_X86_KERNELS)
    if (tmb_cpu_simd(TUMBLE_SIMD_AVX2) == TUMBLE_SIMD_AVX2)
        list.levels[list.count++] = (level){"avx2", &lanes_kernel_avx2};
    if (tmb_cpu_simd(TUMBLE_SIMD_AVX512) == TUMBLE_SIMD_AVX512)
        list.levels[list.count++] = (level){"avx512", &lanes_kernel_avx512};
#endif
    return list;
}

/* Operations. */

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Any bits, the special ones more often, and numbers whose sums and products are inexact but finite. */
static float random_float(test_random *random)
{
    static const float special[] = {0.0F,    -0.0F,    1.0F,      -1.0F,      INFINITY, -INFINITY, FLT_MAX,  -FLT_MAX,
                                    FLT_MIN, -FLT_MIN, 0x1p-149F, -0x1p-149F, NAN,      0x1p24F,   0x1.8p0F, -0x1.8p0F};
    switch (test_random_whole(random, 0, 3)) {
    case 0: return special[test_random_whole(random, 0, sizeof special / sizeof *special - 1)];
    case 1: return float_of_bits((uint32_t)test_random_bits(random));
    default: return (float)test_random_range(random, -4, 4);
    }
}

static void fill_input(test_random *random, lanes_input *in)
{
    for (int i = 0; i < 8; i++) {
        const uint64_t bits = test_random_bits(random), more = test_random_bits(random);
        in->a[i] = random_float(random);
        in->b[i] = test_random_chance(random, 0.2) ? in->a[i] : random_float(random);
        in->d[i] = test_random_chance(random, 0.2)
                       ? random_float(random)
                       : ldexp(test_random_range(random, -1, 1), test_random_whole(random, -160, 140));
        in->k[i] = (int32_t)(uint32_t)bits;
        in->index[i] = bits >> 32 & 15;
        in->u8[i] = (uint8_t)(bits >> 40);
        in->s8[i] = (int8_t)(uint8_t)(bits >> 48);
        in->u16[i] = (uint16_t)more;
        in->s16[i] = (int16_t)(uint16_t)(more >> 16);
    }
    for (int i = 0; i < 16; i++)
        in->table[i] = random_float(random);
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
    const level_list list = available_levels();
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

typedef struct lanes_batch {
    test_pair pairs[8];
    double origin[3];
    lanes_triangles a, b;
    float reach;
    unsigned lanes;
} lanes_batch;

typedef struct lanes_tally {
    size_t hits, misses, undecided_hits, undecided_misses;
} lanes_tally;

static double largest_coordinate(const lanes_batch *batch)
{
    double largest = 0;
    for (int lane = 0; lane < 8; lane++)
        for (int i = 0; i < 9; i++) {
            const double a = batch->pairs[lane].a[i / 3][i % 3] - batch->origin[i % 3];
            const double b = batch->pairs[lane].b[i / 3][i % 3] - batch->origin[i % 3];
            largest = fmax(largest, fmax(fabs(a), fabs(b)));
        }
    return largest;
}

/* Rounds a float away from zero until it is at least `value`. */
static float float_above(double value)
{
    if (!(value <= FLT_MAX))
        return INFINITY;
    const float rounded = (float)value;
    return rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

/* A float that stands for `value`: near, or, `push` being 1 or -1, about as far to that side as it may be. */
static float stand_in(double value, double push, float reach)
{
    const double slack = 0x1p-23 * (double)reach;
    for (double factor = 0.999; push != 0 && factor > 0.1; factor -= 0.3) {
        const float far = (float)(value + push * factor * slack);
        if (fabs((double)far - value) <= slack && fabsf(far) <= reach)
            return far;
    }
    return (float)value;
}

/* The signs of the normal's components: where to push a corner to change its height the most. */
static void normal_signs(const double (*t)[3], double signs[3])
{
    for (int x = 0; x < 3; x++) {
        const int y = (x + 1) % 3, z = (x + 2) % 3;
        const double component = (t[1][y] - t[0][y]) * (t[2][z] - t[0][z]) - (t[1][z] - t[0][z]) * (t[2][y] - t[0][y]);
        signs[x] = component < 0 ? -1 : 1;
    }
}

/* How floats differ from the truth: rounded; every one pushed to some side; whole corners pushed along the normal of
 * one of the triangles; whole triangles. */
static void round_triangle(test_random *random, const double (*t)[3], const double origin[3], const double signs[3],
                           float reach, int lane, float (*out)[3][8])
{
    const int how = test_random_whole(random, 0, 3);
    const double side = test_random_whole(random, -1, 1);
    for (int i = 0; i < 3; i++) {
        const double corner_side = how == 2 ? test_random_whole(random, -1, 1) : side;
        for (int axis = 0; axis < 3; axis++) {
            const double push = how == 0 ? 0 : how == 1 ? test_random_whole(random, -1, 1) : corner_side * signs[axis];
            out[axis][i][lane] = stand_in(t[i][axis] - origin[axis], push, reach);
        }
    }
}

static void round_pair(test_random *random, lanes_batch *batch, int lane)
{
    const double(*a)[3] = (const double(*)[3])batch->pairs[lane].a, (*b)[3] = (const double(*)[3])batch->pairs[lane].b;
    double signs[3];
    normal_signs(test_random_chance(random, 0.5) ? a : b, signs);
    round_triangle(random, a, batch->origin, signs, batch->reach, lane, batch->a);
    round_triangle(random, b, batch->origin, signs, batch->reach, lane, batch->b);
}

/* Fills the floats from the pairs; some lanes are not used and hold anything. */
static void finish_batch(test_random *random, lanes_batch *batch, double looseness)
{
    batch->reach = float_above(largest_coordinate(batch) * looseness);
    batch->lanes = test_random_chance(random, 0.7) ? 255 : (unsigned)test_random_whole(random, 0, 255);
    for (int lane = 0; lane < 8; lane++) {
        if (batch->lanes >> lane & 1 && isfinite(batch->reach)) {
            round_pair(random, batch, lane);
            continue;
        }
        for (int i = 0; i < 9; i++) {
            batch->a[i / 3][i % 3][lane] = random_float(random);
            batch->b[i / 3][i % 3][lane] = random_float(random);
        }
    }
}

static void print_pair(const lanes_batch *batch, int lane)
{
    const test_pair *pair = &batch->pairs[lane];
    print_error("lane %d, reach %a\n", lane, (double)batch->reach);
    for (int i = 0; i < 3; i++)
        print_error("  a%d {%a, %a, %a} as {%a, %a, %a}\n", i, pair->a[i][0], pair->a[i][1], pair->a[i][2],
                    batch->a[0][i][lane], batch->a[1][i][lane], batch->a[2][i][lane]);
    for (int i = 0; i < 3; i++)
        print_error("  b%d {%a, %a, %a} as {%a, %a, %a}\n", i, pair->b[i][0], pair->b[i][1], pair->b[i][2],
                    batch->b[0][i][lane], batch->b[1][i][lane], batch->b[2][i][lane]);
}

/* All levels say the same, nothing of unused lanes, and nothing wrong. */
static void check_batch(const level_list *list, const lanes_batch *batch, lanes_tally *tally)
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
            print_pair(batch, lane);
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

static void scale_pair(test_pair *pair, int exponent)
{
    for (int i = 0; i < 9; i++) {
        pair->a[i / 3][i % 3] = ldexp(pair->a[i / 3][i % 3], exponent);
        pair->b[i / 3][i % 3] = ldexp(pair->b[i / 3][i % 3], exponent);
    }
}

/* The pair in eight orders and roundings, at some size, so that the reach is as tight as can be. The origin is that of
 * the pair or a corner. */
static void spread_pair(test_random *random, const test_pair *pair, int exponent, lanes_batch *batch)
{
    test_pair first = *pair;
    scale_pair(&first, exponent);
    for (int axis = 0; axis < 3; axis++)
        batch->origin[axis] = 0;
    if (test_random_chance(random, 0.5)) {
        const int corner = test_random_whole(random, 0, 2);
        for (int axis = 0; axis < 3; axis++)
            batch->origin[axis] = test_random_chance(random, 0.5) ? first.a[corner][axis] : first.b[corner][axis];
    }
    for (int lane = 0; lane < 8; lane++) {
        batch->pairs[lane] = first;
        for (int turn = test_random_whole(random, 0, 2); turn > 0; turn--) {
            double kept[3];
            double(*t)[3] = test_random_chance(random, 0.5) ? batch->pairs[lane].a : batch->pairs[lane].b;
            memcpy(kept, t[turn], sizeof kept);
            memcpy(t[turn], t[0], sizeof kept);
            memcpy(t[0], kept, sizeof kept);
        }
    }
    finish_batch(random, batch, test_random_chance(random, 0.5) ? 1 : test_random_range(random, 1, 8));
}

static int exponent_of(const test_pair *pair)
{
    double largest = 0;
    int exponent = 0;
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fmax(fabs(pair->a[i / 3][i % 3]), fabs(pair->b[i / 3][i % 3])));
    frexp(largest, &exponent);
    return exponent;
}

/* 2^-100 to 2^100 and mostly what is in use. */
static int random_exponent(test_random *random)
{
    switch (test_random_whole(random, 0, 3)) {
    case 0: return test_random_whole(random, -100, 100);
    case 1: return test_random_whole(random, 34, 42);
    default: return test_random_whole(random, -45, 20);
    }
}

static void test_hard_pairs(void **state)
{
    (void)state;
    const level_list list = available_levels();
    test_random random = {2202};
    for (const test_generator *generator = test_generators(); generator->name != 0; generator++) {
        lanes_tally tally = {0};
        for (size_t n = test_count(5000); n > 0; n--) {
            test_pair pair;
            lanes_batch batch;
            generator->make(&random, &pair);
            spread_pair(&random, &pair, random_exponent(&random) - exponent_of(&pair), &batch);
            check_batch(&list, &batch, &tally);
        }
        print_tally(generator->name, &tally);
    }
}

/* Triangles that nearly touch, of sizes and shapes that differ. */

static void random_triangle(test_random *random, double size, double t[3][3])
{
    for (int i = 0; i < 9; i++)
        t[i / 3][i % 3] = test_random_range(random, -size, size);
    if (test_random_chance(random, 0.3)) { /* a needle, or all but a segment */
        const int corner = test_random_whole(random, 1, 2);
        const double factor = pow(10, -test_random_range(random, 0, 8)), along = corner == 1 ? 0 : 0.6;
        for (int axis = 0; axis < 3; axis++) {
            const double base = t[0][axis] + along * (t[1][axis] - t[0][axis]);
            t[corner][axis] = base + factor * (t[corner][axis] - base);
        }
    }
}

/* A point of the triangle: a corner, on an edge, inside. */
static void random_point_of(test_random *random, const double (*t)[3], double point[3])
{
    const int kind = test_random_whole(random, 0, 2), first = test_random_whole(random, 0, 2);
    const double s = kind > 0 ? test_random_unit(random) : 0, u = kind > 1 ? test_random_unit(random) * (1 - s) : 0;
    for (int axis = 0; axis < 3; axis++)
        point[axis] = (1 - s - u) * t[first][axis] + s * t[(first + 1) % 3][axis] + u * t[(first + 2) % 3][axis];
}

static void make_near_pair(test_random *random, test_pair *pair)
{
    double on_a[3], on_b[3];
    const double ratio = pow(10, -test_random_range(random, 0, test_random_chance(random, 0.5) ? 1 : 6));
    const double gap = ratio * pow(10, -test_random_range(random, 1, 7));
    random_triangle(random, 1, pair->a);
    random_triangle(random, ratio, pair->b);
    random_point_of(random, (const double(*)[3])pair->a, on_a);
    random_point_of(random, (const double(*)[3])pair->b, on_b);
    for (int axis = 0; axis < 3; axis++) {
        const double shift = on_a[axis] - on_b[axis] + test_random_range(random, -gap, gap);
        for (int i = 0; i < 3; i++)
            pair->b[i][axis] += shift;
    }
    test_shuffle_pair(random, pair);
}

/* Nearly in one plane: B in the plane of A but for a little. */
static void make_layers(test_random *random, test_pair *pair)
{
    const double gap = pow(10, -test_random_range(random, 2, 8));
    random_triangle(random, 1, pair->a);
    for (int i = 0; i < 3; i++) {
        const double s = test_random_range(random, -1, 1), u = test_random_range(random, -1, 1);
        for (int axis = 0; axis < 3; axis++)
            pair->b[i][axis] = pair->a[0][axis] + s * (pair->a[1][axis] - pair->a[0][axis]) +
                               u * (pair->a[2][axis] - pair->a[0][axis]) + test_random_range(random, -gap, gap);
    }
    test_shuffle_pair(random, pair);
}

static void near_pairs(const char *name, uint64_t seed, void (*make)(test_random *random, test_pair *pair),
                       size_t count)
{
    const level_list list = available_levels();
    test_random random = {seed};
    lanes_tally tally = {0};
    for (size_t n = test_count(count); n > 0; n--) {
        test_pair pair;
        lanes_batch batch;
        make(&random, &pair);
        spread_pair(&random, &pair, test_random_chance(&random, 0.5) ? 0 : random_exponent(&random), &batch);
        check_batch(&list, &batch, &tally);
    }
    print_tally(name, &tally);
    assert_true(tally.hits > 0 && tally.misses > 0 && tally.undecided_hits > 0 && tally.undecided_misses > 0);
}

static void test_near_pairs(void **state)
{
    (void)state;
    near_pairs("near", 2203, make_near_pair, 100000);
    near_pairs("layers", 2204, make_layers, 20000);
}

/* So small that products underflow; once more where the processor flushes denormal numbers to zero. */
static void make_tiny_pair(test_random *random, test_pair *pair)
{
    make_near_pair(random, pair);
    scale_pair(pair, test_random_whole(random, -45, -30));
}

static void test_underflow(void **state)
{
    (void)state;
    near_pairs("tiny", 2206, make_tiny_pair, 10000);
#if defined(__x86_64__)
    const unsigned kept = _mm_getcsr();
    _mm_setcsr(kept | FLUSH_TO_ZERO);
    near_pairs("flushed to zero", 2207, make_tiny_pair, 20000);
    _mm_setcsr(kept);
#endif
}

/* Triangles of one size, not far from the origin in terms of that size: nearly all must be decided. */
static void test_ordinary_pairs(void **state)
{
    (void)state;
    const level_list list = available_levels();
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
        finish_batch(&random, &batch, 1);
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
