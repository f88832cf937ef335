#include "pairs.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Points. */

static void random_point(test_random *random, double size, double point[3])
{
    for (int axis = 0; axis < 3; axis++)
        point[axis] = test_random_range(random, -size, size);
}

/* Whole numbers, zeros of either sign. */
static void lattice_point(test_random *random, int size, double point[3])
{
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = test_random_whole(random, -size, size);
        if (point[axis] == 0 && test_random_chance(random, 0.5))
            point[axis] = -0.0;
    }
}

/* base + factor * direction */
static void move_point(const double base[3], double factor, const double direction[3], double point[3])
{
    for (int axis = 0; axis < 3; axis++)
        point[axis] = base[axis] + factor * direction[axis];
}

static void swap_points(double first[3], double second[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double kept = first[axis];
        first[axis] = second[axis];
        second[axis] = kept;
    }
}

static void shuffle_corners(test_random *random, double triangle[3][3])
{
    for (int corner = 2; corner > 0; corner--)
        swap_points(triangle[corner], triangle[test_random_whole(random, 0, corner)]);
}

/* All 18 coordinates one after the other. */
static double *coordinate(test_pair *pair, int index)
{
    return index < 9 ? &pair->a[index / 3][index % 3] : &pair->b[index / 3 - 3][index % 3];
}

static void step_some(test_random *random, test_pair *pair, double probability)
{
    for (int i = 0; i < 18; i++)
        if (test_random_chance(random, probability))
            *coordinate(pair, i) = test_step_ulps(*coordinate(pair, i), test_random_whole(random, -2, 2));
}

static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

static void reorder(const double (*from)[3], const int corners[3], const int axes[3], double (*to)[3])
{
    for (int corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++)
            to[corner][axis] = from[corners[corner]][axes[axis]];
}

test_pair test_pair_variant(const test_pair *pair, int variant)
{
    const int *corners_a = orders[variant % 6], *corners_b = orders[variant / 6 % 6], *axes = orders[variant / 36 % 6];
    test_pair result;
    reorder(pair->a, corners_a, axes, variant < 216 ? result.a : result.b);
    reorder(pair->b, corners_b, axes, variant < 216 ? result.b : result.a);
    return result;
}

static const test_recorded_pair recorded_pairs[] = {
#include "data/triangle_pairs.inc"
};

const test_recorded_pair *test_recorded_pairs(size_t *count)
{
    *count = sizeof recorded_pairs / sizeof *recorded_pairs;
    return recorded_pairs;
}

static void print_triangle(const char *name, const double (*triangle)[3])
{
    for (int corner = 0; corner < 3; corner++)
        print_error("    %s%d {%a, %a, %a} = {%.17g, %.17g, %.17g}\n", name, corner, triangle[corner][0],
                    triangle[corner][1], triangle[corner][2], triangle[corner][0], triangle[corner][1],
                    triangle[corner][2]);
}

void test_print_pair(const char *where, const char *what, const test_pair *pair)
{
    print_error("%s: %s\n", where, what);
    print_triangle("a", pair->a);
    print_triangle("b", pair->b);
}

void test_shuffle_pair(test_random *random, test_pair *pair)
{
    shuffle_corners(random, pair->a);
    shuffle_corners(random, pair->b);
    for (int axis = 2; axis > 0; axis--) {
        int other = test_random_whole(random, 0, axis);
        for (int point = 0; point < 6; point++) {
            double *first = coordinate(pair, 3 * point + axis), *second = coordinate(pair, 3 * point + other);
            double kept = *first;
            *first = *second;
            *second = kept;
        }
    }
    if (test_random_chance(random, 0.5))
        for (int corner = 0; corner < 3; corner++)
            swap_points(pair->a[corner], pair->b[corner]);
}

/* Without any relation, or on a coarse lattice, where every relation is frequent. */

static void make_random(test_random *random, test_pair *pair)
{
    double centre[3], size = ldexp(1, -test_random_whole(random, 0, 6));
    random_point(random, 0.5, centre);
    for (int corner = 0; corner < 3; corner++) {
        random_point(random, 1, pair->a[corner]);
        random_point(random, size, pair->b[corner]);
        move_point(centre, 1, pair->b[corner], pair->b[corner]);
    }
}

static void make_lattice(test_random *random, test_pair *pair)
{
    static const int sizes[] = {1, 1, 2, 3, 8};
    int size = sizes[test_random_whole(random, 0, 4)];
    for (int corner = 0; corner < 3; corner++) {
        lattice_point(random, size, pair->a[corner]);
        lattice_point(random, size, pair->b[corner]);
    }
}

/* Pairs that touch. */

/* Sixteenths that sum to 1: of a corner, of a point on an edge, or of one inside. */
static void random_weights(test_random *random, int weights[3])
{
    weights[0] = weights[1] = 0;
    int kind = test_random_whole(random, 0, 2);
    if (kind > 0)
        weights[0] = test_random_whole(random, 1, 14);
    if (kind > 1)
        weights[1] = test_random_whole(random, 1, 15 - weights[0]);
    weights[2] = 16 - weights[0] - weights[1];
}

static void weighted_point(const double (*triangle)[3], const int weights[3], double point[3])
{
    for (int axis = 0; axis < 3; axis++)
        point[axis] =
            (triangle[0][axis] * weights[0] + triangle[1][axis] * weights[1] + triangle[2][axis] * weights[2]) / 16;
}

/* B is given by three points; moves them so that B has a corner, an edge or its inside at `point`. On whole numbers of
 * modest size that are even in b[0] and b[1] all is exact. */
static void touch_with(test_random *random, const double point[3], double b[3][3])
{
    double direction[3];
    switch (test_random_whole(random, 0, 2)) {
    case 0: memcpy(b[0], point, sizeof b[0]); break;
    case 1:
        memcpy(direction, b[0], sizeof direction);
        move_point(point, -test_random_whole(random, 1, 3), direction, b[0]);
        move_point(point, test_random_whole(random, 1, 3), direction, b[1]);
        break;
    default: /* point = (b0 + b1 + 2 b2) / 4 */
        for (int axis = 0; axis < 3; axis++)
            b[2][axis] = 2 * point[axis] - (b[0][axis] + b[1][axis]) / 2;
    }
}

static void make_touching(test_random *random, test_pair *pair)
{
    static const int sizes[] = {2, 30, 1000, 100000};
    int size = sizes[test_random_whole(random, 0, 3)], weights[3];
    double point[3];
    for (int corner = 0; corner < 3; corner++) {
        lattice_point(random, size, pair->a[corner]);
        lattice_point(random, size, pair->b[corner]);
        for (int axis = 0; axis < 3; axis++) {
            pair->a[corner][axis] *= 16; /* so that weighted_point gives whole numbers */
            pair->b[corner][axis] *= 2;
        }
    }
    random_weights(random, weights);
    weighted_point((const double(*)[3])pair->a, weights, point);
    touch_with(random, point, pair->b);
}

static void make_nearly_touching(test_random *random, test_pair *pair)
{
    make_touching(random, pair);
    double shrink = 1.0 / 3; /* the same for all: most touching pairs stay within a few ulps of touching */
    if (test_random_chance(random, 0.5))
        for (int i = 0; i < 18; i++)
            *coordinate(pair, i) *= shrink;
    step_some(random, pair, 0.1);
}

static void make_rounded_touching(test_random *random, test_pair *pair)
{
    int weights[3];
    double point[3];
    make_random(random, pair);
    random_weights(random, weights);
    weighted_point((const double(*)[3])pair->a, weights, point);
    touch_with(random, point, pair->b);
    step_some(random, pair, test_random_chance(random, 0.5) ? 0.1 : 0);
}

/* Pairs in one plane. */

static void make_coplanar_axis(test_random *random, test_pair *pair)
{
    double height = test_random_range(random, -1, 1);
    if (test_random_chance(random, 0.5))
        make_lattice(random, pair);
    else
        make_random(random, pair);
    for (int i = 2; i < 18; i += 3)
        *coordinate(pair, i) = height;
}

/* origin + i u + j v with whole numbers of at most 2^10 * 2^20 * 2 + 2^30: exact, and so is a power of two times it. */
static void make_coplanar_oblique(test_random *random, test_pair *pair)
{
    static const int spans[] = {2, 4, 1000, 1 << 20};
    double origin[3], directions[2][3], scale = ldexp(1, test_random_whole(random, -40, 10));
    int span = spans[test_random_whole(random, 0, 3)], size = test_random_chance(random, 0.5) ? 3 : 1 << 10;
    lattice_point(random, 1 << test_random_whole(random, 0, 30), origin);
    lattice_point(random, size, directions[0]);
    lattice_point(random, size, directions[1]);
    for (int point = 0; point < 6; point++) {
        int i = test_random_whole(random, -span, span), j = test_random_whole(random, -span, span);
        for (int axis = 0; axis < 3; axis++)
            *coordinate(pair, 3 * point + axis) =
                scale * (origin[axis] + i * directions[0][axis] + j * directions[1][axis]);
    }
}

static void make_nearly_coplanar(test_random *random, test_pair *pair)
{
    make_coplanar_oblique(random, pair);
    step_some(random, pair, 0.1);
}

/* Neighbours in a mesh. */

static void make_shared(test_random *random, test_pair *pair)
{
    int shared = test_random_whole(random, 1, 2);
    if (test_random_chance(random, 0.3))
        make_coplanar_oblique(random, pair);
    else
        make_random(random, pair);
    for (int corner = 0; corner < shared; corner++)
        memcpy(pair->b[corner], pair->a[corner], sizeof pair->b[corner]);
}

static void make_nearly_shared(test_random *random, test_pair *pair)
{
    make_shared(random, pair);
    step_some(random, pair, 0.15);
}

/* Segments and points. */

/* A triangle of dimension 0 or 1 that contains `point`, or has it on its line. */
static void make_flat(test_random *random, int dimension, const double point[3], const double direction[3],
                      double triangle[3][3])
{
    for (int corner = 0; corner < 3; corner++)
        move_point(point, dimension == 0 ? 0 : test_random_whole(random, -2, 2), direction, triangle[corner]);
}

static void make_degenerate(test_random *random, test_pair *pair)
{
    int dimension_a = test_random_whole(random, 0, 2);
    int dimension_b = test_random_whole(random, 0, dimension_a == 2 ? 1 : 2);
    int size = test_random_chance(random, 0.5) ? 1 : 1000, weights[3];
    double point[3], direction[3];
    make_touching(random, pair);
    lattice_point(random, size, point);
    lattice_point(random, size, direction);
    for (int axis = 0; axis < 3; axis++) { /* so that weighted_point gives whole numbers */
        point[axis] *= 16;
        direction[axis] *= 16;
    }
    if (dimension_a < 2)
        make_flat(random, dimension_a, point, direction, pair->a);
    random_weights(random, weights);
    weighted_point((const double(*)[3])pair->a, weights, point);
    if (test_random_chance(random, 0.3)) /* near, but as a rule not on it */
        point[test_random_whole(random, 0, 2)] += test_random_whole(random, -1, 1);
    if (test_random_chance(random, 0.3)) /* along an edge of a */
        move_point(pair->a[1], -1, pair->a[0], direction);
    else
        lattice_point(random, size, direction);
    if (dimension_b < 2)
        make_flat(random, dimension_b, point, direction, pair->b);
    else
        touch_with(random, point, pair->b);
}

static void make_nearly_degenerate(test_random *random, test_pair *pair)
{
    make_degenerate(random, pair);
    step_some(random, pair, 0.1);
}

/* A corner given twice or three times, in coordinates that use all digits. */
static void make_duplicate_corners(test_random *random, test_pair *pair)
{
    make_rounded_touching(random, pair);
    int copies = test_random_whole(random, 1, 7);
    if (copies & 1)
        memcpy(pair->a[1], pair->a[0], sizeof pair->a[0]);
    if (copies & 2)
        memcpy(pair->b[1], pair->b[0], sizeof pair->b[0]);
    if (copies & 4)
        memcpy(pair->b[2], pair->b[1], sizeof pair->b[0]);
}

/* Two corners that are close to each other: by some ulps, or by up to 2^-20 of the length. */
static void sharpen(test_random *random, double triangle[3][3])
{
    if (test_random_chance(random, 0.5)) {
        for (int axis = 0; axis < 3; axis++)
            triangle[1][axis] = test_step_ulps(triangle[0][axis], test_random_whole(random, -3, 3));
        return;
    }
    double difference[3];
    random_point(random, ldexp(1, -test_random_whole(random, 20, 50)), difference);
    move_point(triangle[0], 1, difference, triangle[1]);
}

static void make_needles(test_random *random, test_pair *pair)
{
    int weights[3];
    double point[3];
    make_random(random, pair);
    sharpen(random, pair->a);
    random_weights(random, weights);
    weighted_point((const double(*)[3])pair->a, weights, point);
    touch_with(random, point, pair->b);
    if (test_random_chance(random, 0.5)) {
        shuffle_corners(random, pair->b);
        sharpen(random, pair->b);
    }
    step_some(random, pair, 0.05);
}

/* Three corners that are nearly on a line. */
static void make_slivers(test_random *random, test_pair *pair)
{
    int weights[3];
    double point[3];
    make_random(random, pair);
    for (int axis = 0; axis < 3; axis++)
        pair->a[2][axis] = pair->a[0][axis] + (pair->a[1][axis] - pair->a[0][axis]) / 3;
    random_weights(random, weights);
    weighted_point((const double(*)[3])pair->a, weights, point);
    touch_with(random, point, pair->b);
    if (test_random_chance(random, 0.5))
        for (int axis = 0; axis < 3; axis++)
            pair->b[2][axis] = pair->b[0][axis] + (pair->b[1][axis] - pair->b[0][axis]) / 3;
    step_some(random, pair, 0.2);
}

/* Sizes of numbers. */

static void make_any(test_random *random, test_pair *pair)
{
    static void (*const makers[])(test_random *, test_pair *) = {
        make_random,           make_lattice,    make_touching,         make_nearly_touching,   make_coplanar_axis,
        make_coplanar_oblique, make_degenerate, make_needles,          make_duplicate_corners, make_shared,
        make_nearly_coplanar,  make_slivers,    make_rounded_touching, make_nearly_degenerate};
    makers[test_random_whole(random, 0, sizeof makers / sizeof *makers - 1)](random, pair);
}

/* Scales by the power of two that brings the largest coordinate into [2^(exponent-1), 2^exponent). */
static void scale_pair_to(test_pair *pair, int exponent)
{
    double largest = 0;
    int now = 0;
    for (int i = 0; i < 18; i++)
        largest = fmax(largest, fabs(*coordinate(pair, i)));
    frexp(largest, &now);
    for (int i = 0; i < 18; i++)
        *coordinate(pair, i) = ldexp(*coordinate(pair, i), exponent - now);
}

/* Squares overflow from 1e154, products of three from 1e102. */
static void make_huge(test_random *random, test_pair *pair)
{
    make_any(random, pair);
    scale_pair_to(pair, test_random_whole(random, 330, 520));
}

/* Up to the largest double, where differences overflow. */
static void make_extreme(test_random *random, test_pair *pair)
{
    make_any(random, pair);
    scale_pair_to(pair, test_random_whole(random, 1020, 1024));
}

/* Products underflow, and from 2^-1022 on the coordinates themselves lose digits. */
static void make_tiny(test_random *random, test_pair *pair)
{
    make_any(random, pair);
    scale_pair_to(pair, test_random_chance(random, 0.5) ? test_random_whole(random, -1060, -980)
                                                        : test_random_whole(random, -560, -330));
}

/* Either each axis has a scale of its own, which keeps touching pairs touching; or each coordinate has. */
static void make_mixed(test_random *random, test_pair *pair)
{
    int reach = test_random_chance(random, 0.5) ? 960 : 300, exponents[3];
    if (test_random_chance(random, 0.5)) {
        make_any(random, pair);
        scale_pair_to(pair, 0);
        for (int axis = 0; axis < 3; axis++)
            exponents[axis] = test_random_whole(random, -reach, reach);
        for (int i = 0; i < 18; i++)
            *coordinate(pair, i) = ldexp(*coordinate(pair, i), exponents[i % 3]);
        return;
    }
    make_lattice(random, pair);
    for (int i = 0; i < 18; i++)
        if (test_random_chance(random, 0.5))
            *coordinate(pair, i) = ldexp(*coordinate(pair, i), test_random_whole(random, -reach, reach));
}

/* Far from the origin the last digits are coarse: pairs collapse onto a lattice. */
static void make_far(test_random *random, test_pair *pair)
{
    double offset[3];
    make_any(random, pair);
    scale_pair_to(pair, 0);
    random_point(random, ldexp(1, test_random_whole(random, 10, 52)), offset);
    for (int i = 0; i < 18; i++)
        *coordinate(pair, i) += offset[i % 3];
}

#define BOTH (TEST_BIT(HIT) | TEST_BIT(MISS))
#define EDGE (BOTH | TEST_BIT(EXACT) | TEST_BIT(CROSSING_POINT) | TEST_BIT(COMMON_SEGMENT))
#define FLAT (TEST_BIT(COPLANAR_HIT) | TEST_BIT(COPLANAR_MISS) | TEST_BIT(COMMON_AREA))
#define DEGENERATE                                                                                     \
    (TEST_BIT(POINT_POINT_HIT) | TEST_BIT(POINT_POINT_MISS) | TEST_BIT(POINT_SEGMENT_HIT) |            \
     TEST_BIT(POINT_SEGMENT_MISS) | TEST_BIT(POINT_TRIANGLE_HIT) | TEST_BIT(POINT_TRIANGLE_MISS) |     \
     TEST_BIT(SEGMENT_SEGMENT_HIT) | TEST_BIT(SEGMENT_SEGMENT_MISS) | TEST_BIT(SEGMENT_TRIANGLE_HIT) | \
     TEST_BIT(SEGMENT_TRIANGLE_MISS))

const test_generator *test_generators(void)
{
    static const test_generator generators[] = {
        {"random", make_random, 100000, BOTH | TEST_BIT(COMMON_SEGMENT)},
        {"lattice", make_lattice, 150000,
         EDGE | FLAT | TEST_BIT(COMMON_POINT) | TEST_BIT(SEGMENT_TRIANGLE_HIT) | TEST_BIT(SEGMENT_TRIANGLE_MISS) |
             TEST_BIT(SEGMENT_SEGMENT_MISS)},
        {"touching", make_touching, 60000,
         TEST_BIT(HIT) | TEST_BIT(EXACT) | TEST_BIT(CROSSING_POINT) | TEST_BIT(COMMON_SEGMENT)},
        {"nearly touching", make_nearly_touching, 60000, EDGE},
        {"rounded touching", make_rounded_touching, 80000, EDGE},
        {"coplanar on an axis", make_coplanar_axis, 60000, BOTH | FLAT | TEST_BIT(COMMON_POINT)},
        {"coplanar oblique", make_coplanar_oblique, 60000, BOTH | FLAT | TEST_BIT(EXACT) | TEST_BIT(COMMON_POINT)},
        {"nearly coplanar", make_nearly_coplanar, 40000, EDGE},
        {"shared corners", make_shared, 50000,
         TEST_BIT(HIT) | TEST_BIT(EXACT) | TEST_BIT(CROSSING_POINT) | TEST_BIT(COMMON_SEGMENT) |
             TEST_BIT(COPLANAR_HIT)},
        {"nearly shared corners", make_nearly_shared, 50000, EDGE},
        {"degenerate", make_degenerate, 60000, BOTH | DEGENERATE | TEST_BIT(EXACT) | TEST_BIT(COMMON_SEGMENT)},
        {"nearly degenerate", make_nearly_degenerate, 50000, EDGE},
        {"duplicate corners", make_duplicate_corners, 40000,
         BOTH | TEST_BIT(SEGMENT_TRIANGLE_HIT) | TEST_BIT(SEGMENT_TRIANGLE_MISS) | TEST_BIT(POINT_TRIANGLE_HIT) |
             TEST_BIT(POINT_TRIANGLE_MISS)},
        {"needles", make_needles, 50000, EDGE},
        {"slivers", make_slivers, 40000, EDGE},
        {"huge", make_huge, 30000, EDGE | FLAT | TEST_BIT(SEGMENT_TRIANGLE_HIT) | TEST_BIT(SEGMENT_TRIANGLE_MISS)},
        {"extreme", make_extreme, 20000, EDGE | FLAT},
        {"tiny", make_tiny, 30000, EDGE | FLAT | TEST_BIT(SEGMENT_TRIANGLE_HIT) | TEST_BIT(SEGMENT_TRIANGLE_MISS)},
        {"mixed scales", make_mixed, 20000, EDGE | FLAT},
        {"far from the origin", make_far, 60000, EDGE | FLAT},
        {NULL, NULL, 0, 0}};
    return generators;
}
