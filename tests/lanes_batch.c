#include "lanes_batch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/cpu.h"

lanes_level_list lanes_levels(void)
{
    lanes_level_list list = {{{"plain", &lanes_kernel_plain}, {"scalar", &lanes_kernel_scalar}}, 2};
#if defined(TUMBLE_X86_KERNELS)
    if (tmb_cpu_simd(TUMBLE_SIMD_AVX2) == TUMBLE_SIMD_AVX2)
        list.levels[list.count++] = (lanes_level){"avx2", &lanes_kernel_avx2};
    if (tmb_cpu_simd(TUMBLE_SIMD_AVX512) == TUMBLE_SIMD_AVX512)
        list.levels[list.count++] = (lanes_level){"avx512", &lanes_kernel_avx512};
#endif
    return list;
}

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float lanes_random_float(test_random *random)
{
    static const float special[] = {0.0F,    -0.0F,    1.0F,      -1.0F,      INFINITY, -INFINITY, FLT_MAX,  -FLT_MAX,
                                    FLT_MIN, -FLT_MIN, 0x1p-149F, -0x1p-149F, NAN,      0x1p24F,   0x1.8p0F, -0x1.8p0F};
    switch (test_random_whole(random, 0, 3)) {
    case 0: return special[test_random_whole(random, 0, sizeof special / sizeof *special - 1)];
    case 1: return float_of_bits((uint32_t)test_random_bits(random));
    default: return (float)test_random_range(random, -4, 4);
    }
}

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

void lanes_finish_batch(test_random *random, lanes_batch *batch, double looseness)
{
    batch->reach = float_above(largest_coordinate(batch) * looseness);
    batch->lanes = test_random_chance(random, 0.7) ? 255 : (unsigned)test_random_whole(random, 0, 255);
    for (int lane = 0; lane < 8; lane++) {
        if (batch->lanes >> lane & 1 && isfinite(batch->reach)) {
            round_pair(random, batch, lane);
            continue;
        }
        for (int i = 0; i < 9; i++) {
            batch->a[i / 3][i % 3][lane] = lanes_random_float(random);
            batch->b[i / 3][i % 3][lane] = lanes_random_float(random);
        }
    }
}

void lanes_print_pair(const lanes_batch *batch, int lane)
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

void lanes_scale_pair(test_pair *pair, int exponent)
{
    for (int i = 0; i < 9; i++) {
        pair->a[i / 3][i % 3] = ldexp(pair->a[i / 3][i % 3], exponent);
        pair->b[i / 3][i % 3] = ldexp(pair->b[i / 3][i % 3], exponent);
    }
}

void lanes_spread_pair(test_random *random, const test_pair *pair, int exponent, lanes_batch *batch)
{
    test_pair first = *pair;
    lanes_scale_pair(&first, exponent);
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
    lanes_finish_batch(random, batch, test_random_chance(random, 0.5) ? 1 : test_random_range(random, 1, 8));
}

int lanes_exponent_of(const test_pair *pair)
{
    double largest = 0;
    int exponent = 0;
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fmax(fabs(pair->a[i / 3][i % 3]), fabs(pair->b[i / 3][i % 3])));
    frexp(largest, &exponent);
    return exponent;
}

int lanes_random_exponent(test_random *random)
{
    switch (test_random_whole(random, 0, 3)) {
    case 0: return test_random_whole(random, -100, 100);
    case 1: return test_random_whole(random, 34, 42);
    default: return test_random_whole(random, -45, 20);
    }
}

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

void lanes_make_near_pair(test_random *random, test_pair *pair)
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

void lanes_make_layers(test_random *random, test_pair *pair)
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

void lanes_make_tiny_pair(test_random *random, test_pair *pair)
{
    lanes_make_near_pair(random, pair);
    lanes_scale_pair(pair, test_random_whole(random, -45, -30));
}
