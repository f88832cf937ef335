/* Bounds of rounding errors, measured: a search for large errors finds none above its bound, and comes as near to it as
 * is said below. Bounds that no search comes near are found where the answer changes. proofs/ has the proofs. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "geometry_kernel.h"
#include "math/along.h"
#include "math/bounds.h"
#include "math/filter.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_lanes.h"
#include "prim/triangle_parts.h"
#include "support.h"

/* ---- The search: bits of numbers are turned over as long as the error grows ---- */

#define MOST_NUMBERS 12

typedef double share_function(const double *numbers);

static void change(test_random *random, int count, double *numbers)
{
    for (int changes = test_random_whole(random, 1, 3); changes > 0; changes--) {
        double *number = &numbers[test_random_whole(random, 0, count - 1)];
        const int bit = test_random_whole(random, 0, 52);
        uint64_t bits;
        memcpy(&bits, number, sizeof bits);
        bits ^= *number == 0 ? 0 : UINT64_C(1) << (bit == 52 ? 63 : bit);
        memcpy(number, &bits, sizeof bits);
    }
}

/* The largest share of its bound that an error has. */
static double climb(test_random *random, share_function *share, int count, double *numbers)
{
    double best = share(numbers);
    for (int step = 0; step < 10000; step++) {
        double next[MOST_NUMBERS];
        memcpy(next, numbers, (size_t)count * sizeof *next);
        change(random, count, next);
        const double found = share(next);
        if (found >= best) {
            best = found;
            memcpy(numbers, next, (size_t)count * sizeof *next);
        }
    }
    return best;
}

/* From numbers a little above 1, where roundings are largest; those from `small` on are tiny, so that the first ones
 * lose bits by differences. */
static double largest_share(share_function *share, int count, int small, const uint8_t *zeros)
{
    test_random random = {4711};
    double most = 0;
    for (int start = 0; start < 20; start++) {
        double numbers[MOST_NUMBERS];
        for (int i = 0; i < count; i++) {
            const double size = 1 + 0x1p-20 * test_random_unit(&random);
            numbers[i] = zeros && zeros[i] ? 0 : (i < small ? size : 0x1p-30 * size) * (i % 2 ? 1 : -1);
        }
        most = fmax(most, climb(&random, share, count, numbers));
    }
    return most;
}

/* ---- Filters in doubles: errors are known to 2^-64 by long doubles ---- */

_Static_assert(LDBL_MANT_DIG >= 64, "the errors of doubles are measured in long doubles");

static double share_of_orient2d(const double *n)
{
    const double *a = n, *b = n + 2, *c = n + 4;
    const double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    const double bound = TMB_ERROR_2D * (fabs(left) + fabs(right)) + TMB_ERROR_UNDERFLOW;
    const long double exact = ((long double)a[0] - (long double)c[0]) * ((long double)b[1] - (long double)c[1]) -
                              ((long double)a[1] - (long double)c[1]) * ((long double)b[0] - (long double)c[0]);
    return (double)fabsl((long double)(left - right) - exact) / bound;
}

static double share_of_orient3d(const double *n)
{
    double r[3][3], bound;
    long double x[3][3];
    for (int i = 0; i < 9; i++) {
        r[i / 3][i % 3] = n[i] - n[9 + i % 3];
        x[i / 3][i % 3] = (long double)n[i] - (long double)n[9 + i % 3];
    }
    const double determinant = tmb_determinant_filter((const double(*)[3])r, &bound);
    const long double exact = (x[1][0] * x[2][1] - x[2][0] * x[1][1]) * x[0][2] +
                              (x[2][0] * x[0][1] - x[0][0] * x[2][1]) * x[1][2] +
                              (x[0][0] * x[1][1] - x[1][0] * x[0][1]) * x[2][2];
    return (double)fabsl((long double)determinant - exact) / bound;
}

static double share_of_along(const double *n)
{
    double bound;
    const double value = tmb_along_filter(n, n + 3, n + 6, &bound);
    long double exact = 0;
    for (int k = 0; k < 3; k++) {
        exact += (long double)n[k] * ((long double)n[3 + k] - (long double)n[6 + k]);
    }
    return (double)fabsl((long double)value - exact) / bound;
}

/* More than half: with half of a bound, signs would be wrong. */
static void test_filters(void **state)
{
    (void)state;
    static const uint8_t zeros[12] = {1, 0, 0, 0, 0, 0,
                                      0, 0, 0, 1, 0, 0}; /* a determinant whose terms can all add up */
    const struct {
        const char *name;
        double share;
    } measured[] = {{"orient2d", largest_share(share_of_orient2d, 6, 4, NULL)},
                    {"orient3d", largest_share(share_of_orient3d, 12, 9, zeros)},
                    {"along", largest_share(share_of_along, 9, 6, NULL)}};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        if (!(measured[i].share > 0.5 && measured[i].share <= 1)) {
            fail_msg("%s: errors of up to %g of the bound were found", measured[i].name, measured[i].share);
        }
    }
}

/* ---- Triangles in floats ---- */

typedef struct pair {
    float a[3][3], b[3][3];
} pair;

typedef struct pair8 {
    tmb_triangle8 a, b;
} pair8;

static pair8 spread(const pair *p)
{
    pair8 out;
    for (int i = 0; i < 3; i++) {
        out.a.x[i] = tmb_f8_set(p->a[i][0]), out.b.x[i] = tmb_f8_set(p->b[i][0]);
        out.a.y[i] = tmb_f8_set(p->a[i][1]), out.b.y[i] = tmb_f8_set(p->b[i][1]);
        out.a.z[i] = tmb_f8_set(p->a[i][2]), out.b.z[i] = tmb_f8_set(p->b[i][2]);
    }
    return out;
}

static double first_of(tmb_f8 lanes)
{
    float values[TMB_LANES];
    tmb_f8_storeu(values, lanes);
    return (double)values[0];
}

enum {
    MISSES = 0,
    HITS = 1,
    UNDECIDED = 2
};

static int verdict_of(const pair *p, float reach)
{
    const pair8 eight = spread(p);
    const tmb_verdict8 verdict = tmb_triangles_intersect8(&eight.a, &eight.b, reach, 16);
    assert_true((verdict.hit | verdict.miss) == (verdict.hit ^ verdict.miss));
    assert_int_equal((verdict.hit | verdict.miss) & ~16u, 0);
    return verdict.hit ? HITS : verdict.miss ? MISSES : UNDECIDED;
}

/* Two equal triangles, one `height` above the other, times `size`. Their heights are 4 height size^2, and A and B are 4
 * size. */
static pair layers(float height, float size)
{
    pair p = {{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            p.a[i][k] *= size;
            p.b[i][k] *= size;
        }
        p.a[i][2] = height;
    }
    return p;
}

/* A triangle across the plane of another, beside it by `gap`: the volume of the nearest edges is 4 gap. |w| is 2 + gap.
 */
static pair crossing(float gap)
{
    return (pair){{{gap, 0, 1}, {gap, 0, -1}, {2, 0, 0.5F}}, {{0, -1, 0}, {0, 1, 0}, {-2, 0.5F, 0}}};
}

#define NEARLY 1e-4F

/* Both heights and volumes are decided from the bound on, not much earlier or later: the constants in use are the ones
 * that are proven. */
static void test_where_floats_decide(void **state)
{
    (void)state;
    const double height_error = (double)TMB_TRIANGLES_HEIGHT_ERROR;
    const float height = (float)(8 * height_error / (1 - height_error));
    pair p = layers(height * (1 + NEARLY), 1);
    assert_int_equal(verdict_of(&p, 1), MISSES);
    p = layers(height * (1 - NEARLY), 1);
    assert_int_equal(verdict_of(&p, 1), UNDECIDED);

    const float small = 0x1p-33F, least = TMB_TRIANGLES_UNDERFLOW / (4 * small * small);
    p = layers(least * (1 + NEARLY), small);
    assert_int_equal(verdict_of(&p, small), MISSES);
    p = layers(least * (1 - NEARLY), small);
    assert_int_equal(verdict_of(&p, small), UNDECIDED);

    p = crossing(0);
    const pair8 eight = spread(&p);
    const double sizes = first_of(tmb_edges8_of(&eight.a).size) + first_of(tmb_edges8_of(&eight.b).size);
    const float gap = (float)((double)TMB_TRIANGLES_VOLUME_ERROR * height_error * 2 * sizes * (sizes + 2) / 4);
    p = crossing(gap * (1 + NEARLY));
    assert_int_equal(verdict_of(&p, 2), MISSES);
    p = crossing(gap * (1 - NEARLY));
    assert_int_equal(verdict_of(&p, 2), UNDECIDED);
    p = crossing(-gap * (1 - NEARLY));
    assert_int_equal(verdict_of(&p, 2), UNDECIDED);
    p = crossing(-gap * (1 + NEARLY));
    assert_int_equal(verdict_of(&p, 2), HITS);

    p = layers(1, 1);
    assert_int_equal(verdict_of(&p, 0x1p12F), MISSES);
    assert_int_equal(verdict_of(&p, TMB_TRIANGLES_MOST_REACH), UNDECIDED);
    p = layers(TMB_TRIANGLES_MOST_REACH, TMB_TRIANGLES_MOST_REACH);
    assert_int_equal(verdict_of(&p, TMB_TRIANGLES_MOST_REACH), MISSES);
    assert_int_equal(verdict_of(&p, nextafterf(TMB_TRIANGLES_MOST_REACH, INFINITY)), UNDECIDED);
}

/* ---- Errors of triangles in floats, measured ---- */

/* Floats, and whether each true coordinate is the largest or the least that it can be. */
typedef struct uncertain_pair {
    float numbers[18];
    int8_t signs[18];
} uncertain_pair;

typedef struct vectors {
    double e0[3], e2[3], f0[3], f2[3], w[3];
} vectors;

static float reach_of(const uncertain_pair *u)
{
    float reach = 0;
    for (int i = 0; i < 18; i++) {
        reach = fmaxf(reach, fabsf(u->numbers[i]));
    }
    return reach * (1 + TMB_REACH_ROUNDING);
}

static vectors true_vectors(const uncertain_pair *u)
{
    double n[18];
    vectors v;
    for (int i = 0; i < 18; i++) {
        n[i] = (double)u->numbers[i] + u->signs[i] * 0x1p-23 * (double)reach_of(u);
    }
    for (int k = 0; k < 3; k++) {
        v.e0[k] = n[3 + k] - n[k];
        v.e2[k] = n[k] - n[6 + k];
        v.f0[k] = n[12 + k] - n[9 + k];
        v.f2[k] = n[9 + k] - n[15 + k];
        v.w[k] = n[k] - n[9 + k];
    }
    return v;
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    double cross[3];
    tmb_cross(a, b, cross);
    return tmb_dot(cross, c);
}

typedef struct float_vectors {
    tmb_edges8 e, f;
    tmb_vector8 w, normal_b;
    double bound_a, bound_b;
    int is_tiny; /* nothing is decided of edges that may all be errors */
} float_vectors;

static float_vectors rounded_vectors(const uncertain_pair *u)
{
    pair p;
    memcpy(&p, u->numbers, sizeof p);
    const pair8 eight = spread(&p);
    float_vectors v = {
        .e = tmb_edges8_of(&eight.a), .f = tmb_edges8_of(&eight.b), .w = tmb_vector8_between(&eight.b, 0, &eight.a, 0)};
    v.normal_b = tmb_vector8_cross(v.f.edge0, v.f.edge2);
    const double length = fabs(first_of(v.w.x)) + fabs(first_of(v.w.y)) + fabs(first_of(v.w.z)),
                 scale = (double)TMB_TRIANGLES_HEIGHT_ERROR * (double)reach_of(u) *
                         (first_of(v.e.size) + first_of(v.f.size) + length);
    v.is_tiny = fmin(first_of(v.e.size), first_of(v.f.size)) < 20 * 0x1p-23 * (double)reach_of(u);
    v.bound_a = scale * first_of(v.e.size);
    v.bound_b = scale * first_of(v.f.size);
    return v;
}

/* Of the height of a corner of `a` over the plane of `b`. */
static double share_of_height(const uncertain_pair *u)
{
    const vectors v = true_vectors(u);
    const float_vectors r = rounded_vectors(u);
    const tmb_f8 height = tmb_f8_add(tmb_vector8_dot(r.normal_b, r.w), tmb_vector8_dot(r.normal_b, r.e.edge0));
    const double exact = determinant(v.f0, v.f2, v.w) + determinant(v.f0, v.f2, v.e0);
    return r.is_tiny ? 0 : fabs(first_of(height) - exact) / r.bound_b;
}

/* Of the volume of edge 0 of `a` and edge 1 of `b`. */
static double share_of_volume(const uncertain_pair *u)
{
    const vectors v = true_vectors(u);
    const float_vectors r = rounded_vectors(u);
    const tmb_volumes8 volumes =
        tmb_volumes8_of(r.e.edge0, tmb_vector8_cross(r.w, r.f.edge0), tmb_vector8_cross(r.w, r.f.edge2),
                        tmb_vector8_dot(r.normal_b, r.e.edge0));
    const double exact = determinant(v.f0, v.f2, v.e0) - determinant(v.w, v.f0, v.e0) - determinant(v.w, v.f2, v.e0);
    const double bound = (double)TMB_TRIANGLES_VOLUME_ERROR * (r.bound_a + r.bound_b);
    return r.is_tiny ? 0 : fabs(first_of(volumes.with1) - exact) / bound;
}

static void change_pair(test_random *random, uncertain_pair *u)
{
    for (int changes = test_random_whole(random, 1, 4); changes > 0; changes--) {
        const int i = test_random_whole(random, 0, 17);
        switch (test_random_whole(random, 0, 3)) {
        case 0: u->signs[i] = (int8_t)-u->signs[i]; break;
        case 1: u->numbers[i] = (float)test_random_range(random, -1, 1); break;
        case 2: u->numbers[i] = test_random_chance(random, 0.5) ? 0 : copysignf(1, u->numbers[i]); break;
        default: u->numbers[i] *= 1 - (float)ldexp(test_random_unit(random), -test_random_whole(random, 1, 23));
        }
    }
}

static double largest_share_of_pairs(double (*share)(const uncertain_pair *))
{
    test_random random = {4712};
    double most = 0;
    for (int start = 0; start < 10; start++) {
        uncertain_pair best;
        for (int i = 0; i < 18; i++) {
            best.numbers[i] = (float)test_random_range(&random, -1, 1);
            best.signs[i] = test_random_chance(&random, 0.5) ? 1 : -1;
        }
        double own = share(&best);
        for (int step = 0; step < 5000; step++) {
            uncertain_pair next = best;
            change_pair(&random, &next);
            const double found = share(&next);
            if (found >= own) {
                own = found;
                best = next;
            }
        }
        most = fmax(most, own);
    }
    return most;
}

/* No pair was found that comes nearer: the bounds are those of sums of sizes. */
static void test_errors_of_triangles(void **state)
{
    (void)state;
    const double height = largest_share_of_pairs(share_of_height), volume = largest_share_of_pairs(share_of_volume);
    if (!(height > 0.14 && height <= 1 && volume > 0.05 && volume <= 1)) {
        fail_msg("heights: errors of up to %g of the bound were found, volumes: %g", height, volume);
    }
}

/* ---- The OpenCL kernels decide the same pairs ---- */

/* Coordinates on a coarse grid, some of them a little beside it: many pairs are hard to decide. */
static double hard_number(test_random *random, int bits)
{
    const double whole = test_random_whole(random, -4, 4);
    return test_random_chance(random, 0.7)
               ? whole
               : whole + ldexp(test_random_range(random, -1, 1), -test_random_whole(random, bits - 10, bits));
}

static void test_kernel_in_floats(void **state)
{
    (void)state;
    test_random random = {4713};
    size_t counts[3] = {0, 0, 0};
    for (size_t n = test_count(100000); n > 0; n--) {
        pair p;
        for (int i = 0; i < 9; i++) {
            p.a[i / 3][i % 3] = (float)hard_number(&random, 22);
            p.b[i / 3][i % 3] = (float)hard_number(&random, 22);
        }
        const float reach = ldexpf(5, test_random_whole(&random, 0, 6));
        const int verdict = verdict_of(&p, reach);
        assert_int_equal(kernel_triangles_intersect((const float(*)[3])p.a, (const float(*)[3])p.b, reach), verdict);
        counts[verdict]++;
    }
    assert_true(counts[MISSES] > 0 && counts[HITS] > 0 && counts[UNDECIDED] > 0);
}

/* What the filter of orient2d says with the bound that is proven. */
static int expected_orient2d(const double a[2], const double b[2], const double c[2])
{
    const double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    return tmb_certain_sign(left - right, TMB_ERROR_2D * (fabs(left) + fabs(right)) + TMB_ERROR_UNDERFLOW);
}

static void test_kernel_in_doubles(void **state)
{
    (void)state;
    test_random random = {4714};
    size_t decided = 0, undecided = 0;
    for (size_t n = test_count(100000); n > 0; n--) {
        double a[3][3], b[3][3];
        for (int i = 0; i < 9; i++) {
            a[i / 3][i % 3] = hard_number(&random, 50);
            b[i / 3][i % 3] = hard_number(&random, 50);
        }
        const tmb_sides sides = tmb_filter_sides((const double(*)[3])a, (const double(*)[3])b);
        const int sign = tmb_orient3d_filter(a[0], a[1], a[2], b[0]);
        assert_int_equal(kernel_filter_sides((const double(*)[3])a, (const double(*)[3])b), sides);
        assert_int_equal(kernel_orientation(a[0], a[1], a[2], b[0]), sign);
        assert_int_equal(tmb_orient2d_filter(a[0], a[1], a[2]), expected_orient2d(a[0], a[1], a[2]));
        decided += sign != 0;
        undecided += sign == 0;
    }
    assert_true(decided > 0 && undecided > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_where_floats_decide),
        cmocka_unit_test(test_errors_of_triangles),
        cmocka_unit_test(test_kernel_in_floats),
        cmocka_unit_test(test_kernel_in_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
