/* The truth about the two shapes of a case at one pose, in rational arithmetic (tests/oracle.h), found out as far as it
 * is asked for. Of the library it uses only what defines the question: tumble_pose_relative and tumble_pose_scale. */
#ifndef TUMBLE_TORTURE_TRUTH_H
#define TUMBLE_TORTURE_TRUTH_H

#include "case.h"
#include "oracle.h"

/* Triangles where they stand in A's frame, and the polygons that they are of. */
typedef struct torture_triangles {
    size_t count;
    double (*corners)[3][3];
    uint32_t *polygons;
    double (*boxes)[2][3];
} torture_triangles;

typedef struct torture_truth torture_truth;

/* `triangles` are in the frames of their models; they are copied. */
torture_truth *torture_truth_create(oracle *exact, const torture_case *c, size_t pose,
                                    const torture_triangles triangles[2]);
void torture_truth_destroy(torture_truth *truth);

const torture_triangles *torture_truth_triangles(const torture_truth *truth, int side);
const tumble_pose *torture_truth_relative(const torture_truth *truth); /* of B in A's frame */
double torture_truth_scale(const torture_truth *truth);                /* of A's pose */

/* Whether moving points stays finite: 1 yes, 0 no, -1 so near to the limit that both are right. B into A's frame; A's
 * points by A's pose; B's by both. */
typedef struct torture_reach {
    int b_into_a, a_out, b_out;
} torture_reach;
torture_reach torture_truth_reach(const torture_truth *truth);

/* Whether two triangles have a common point, and the square of their distance, in A's frame. */
int torture_truth_meets(torture_truth *truth, size_t a, size_t b);
mpq_srcptr torture_truth_square(torture_truth *truth, size_t a, size_t b);

/* The distance of two triangles as a double, times the scale of A's pose: good to some ulps. */
double torture_truth_approximate(torture_truth *truth, size_t a, size_t b);

/* Whether their distance is at most `limit`, in A's frame; if that is 0, whether they meet. */
int torture_truth_within(torture_truth *truth, size_t a, size_t b, long double limit);

/* A limit has the digits of a double and any exponent. */
void torture_set_limit(mpq_t out, long double limit);

/* The least square of all; NULL when there is no pair. */
mpq_srcptr torture_truth_least(torture_truth *truth);

/* The root of a square, to 1e-15 of it; no exponent is too large or too small. */
long double torture_root(mpq_srcptr square);

/* How `value` compares with `square`'s root times `scale`: 0 when it is that but for `tolerance` of it and a rounding
 * of subnormal numbers; else -1 or 1. Infinity is right for what overflows. */
int torture_compare_distance(double value, mpq_srcptr square, double scale, double tolerance);

/* Pairs of polygons within a limit (0: that meet), in ascending order. Sets *count; free() the result. */
tumble_pair *torture_truth_pairs(torture_truth *truth, long double limit, size_t *count);

/* Pairs of triangles within a limit. */
size_t torture_truth_triangle_pairs(torture_truth *truth, long double limit);

#endif
