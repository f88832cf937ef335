/* The distance of two triangles in plain doubles with a proven bound, and the choice of the stage.
 *
 * Two triangles that do not intersect are nearest either in two points of their edges or in a corner of one and a point
 * inside the other. So the nearest of 9 pairs of edges and 6 pairs of a corner and a face gives the distance. Which of
 * them is decided in doubles, without error analysis; the bounds do not depend on it:
 *
 * Upper bound. Points x = a_i + s E and y = b_j + t F with 0 <= s, t <= 1, taken for the doubles that s and t are, lie
 * on the triangles. v = (w + t F) - s E is computed from w = b_j - a_i, E and F, which have one rounding each, in two
 * products and two sums. In a face, x = a_0 + s E + t E', where s + t may be larger than 1 by a rounding. What that
 * loses, and the length of v: proofs/distance_edges.g, distance_face.g.
 *
 * Lower bound. For any vector n of length 1 the distance is at least the least n . (b_j - a_i). n is scaled to about
 * that length; its direction is used as computed: proofs/distance_gap.g.
 *
 * Range. The differences of corners are scaled so that the largest is between 2^-150 and 2^150, as it is nearly always
 * from the start. Nothing overflows then, and what underflows is below 2^-1060, for which 2^-1000 is added in the
 * bounds. Vectors n whose squared length is not between 2^-900 and 2^900 are not used. */
#include "prim/triangle_distance.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/filter.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_distance_parts.h"

#define U TMB_DOUBLE_ROUNDING
#define LONGEST_ASIDE 4 /* times a way may differences be long whose gap along it is worth a look */

/* What the distance depends on, for each axis: w[k][i][j] is b_j - a_i; edge i goes from corner i to the next. */
typedef struct differences {
    double w[3][3][3];
    double e[3][3], f[3][3];
} differences;

/* For each pair of edges: parameters of the nearest points, their squared distance. */
typedef struct edge_pairs {
    double s[3][3], t[3][3], squared[3][3];
} edge_pairs;

/* For each corner over the face of the other triangle. */
typedef struct face_pairs {
    double normal[3];
    double s[3], t[3], squared[3];
} face_pairs;

static const int next_corner[3] = {1, 2, 0};

/* NaN becomes 0. */
static inline double into_unit(double x)
{
    return tmb_lesser(tmb_greater(x, 0.0), 1.0);
}

static inline void subtract_corners(const double a[3][3], const double b[3][3], double factor, differences *d)
{
    for (int k = 0; k < 3; k++) {
        const double a_k[3] = {factor * a[0][k], factor * a[1][k], factor * a[2][k]};
        const double b_k[3] = {factor * b[0][k], factor * b[1][k], factor * b[2][k]};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                d->w[k][i][j] = b_k[j] - a_k[i];
            }
            d->e[k][i] = a_k[next_corner[i]] - a_k[i];
            d->f[k][i] = b_k[next_corner[i]] - b_k[i];
        }
    }
}

/* The largest absolute difference of corners of different triangles; edges are at most twice as long. */
static inline double largest_difference(const differences *d)
{
    double largest[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 9; k++) {
        for (int j = 0; j < 3; j++) {
            largest[j] = tmb_greater(fabs(d->w[k / 3][k % 3][j]), largest[j]);
        }
    }
    return tmb_greater(tmb_greater(largest[0], largest[1]), largest[2]);
}

/* The nearest points of the lines give a first guess of one parameter, which is moved into the edge. Then the best one
 * on the other edge for this guess, and the best one on the first edge for that, are the minimum; for parallels,
 * whatever the guess. */
static inline void measure_edge_pairs(const differences *d, edge_pairs *out)
{
    double ff[3], per_ff[3];
    for (int j = 0; j < 3; j++) {
        ff[j] = d->f[0][j] * d->f[0][j] + d->f[1][j] * d->f[1][j] + d->f[2][j] * d->f[2][j];
        per_ff[j] = 1.0 / ff[j];
    }
    for (int i = 0; i < 3; i++) {
        const double ex = d->e[0][i], ey = d->e[1][i], ez = d->e[2][i];
        const double ee = ex * ex + ey * ey + ez * ez, per_ee = 1.0 / ee;
        for (int j = 0; j < 3; j++) {
            const double wx = d->w[0][i][j], wy = d->w[1][i][j], wz = d->w[2][i][j];
            const double fx = d->f[0][j], fy = d->f[1][j], fz = d->f[2][j];
            const double ef = ex * fx + ey * fy + ez * fz, we = ex * wx + ey * wy + ez * wz,
                         wf = wx * fx + wy * fy + wz * fz;
            const double guess = into_unit((we * ff[j] - ef * wf) / (ee * ff[j] - ef * ef));
            const double t = into_unit((ef * guess - wf) * per_ff[j]);
            const double s = into_unit((ef * t + we) * per_ee);
            const double x = wx + t * fx - s * ex, y = wy + t * fy - s * ey, z = wz + t * fz - s * ez;
            out->s[i][j] = s;
            out->t[i][j] = t;
            out->squared[i][j] = x * x + y * y + z * z;
        }
    }
}

/* Corners p of one triangle over the face of the other, spanned by E and E' at its corner 0; the vectors from there to
 * the corners are given. Infinite where the corner is not above or below the face. */
static inline void measure_face(const double edge0[3], const double edge1[3], const double to[3][3], face_pairs *out)
{
    TMB_ASSERT(tmb_all_finite(edge0, 3) && tmb_all_finite(edge1, 3));
    double n[3], m0[3], m1[3];
    tmb_cross(edge0, edge1, n);
    tmb_cross(edge1, n, m0);
    tmb_cross(n, edge0, m1);
    memcpy(out->normal, n, sizeof n);
    const double per_nn = 1.0 / tmb_dot(n, n);
    for (int i = 0; i < 3; i++) {
        const double x = to[0][i], y = to[1][i], z = to[2][i];
        const double s = (x * m0[0] + y * m0[1] + z * m0[2]) * per_nn, t = (x * m1[0] + y * m1[1] + z * m1[2]) * per_nn,
                     height = x * n[0] + y * n[1] + z * n[2];
        const double outside = tmb_greater(tmb_greater(-s, -t), s + t - 1.0);
        out->s[i] = s;
        out->t[i] = t;
        out->squared[i] = outside <= 0.0 ? height * height * per_nn : INFINITY;
    }
}

/* The least n . (b_j - a_i) for n of about length 1, less its error. */
static inline double gap_along(const differences *d, const double n[3])
{
    double least[3] = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double x = n[0] * d->w[0][i][j], y = n[1] * d->w[1][i][j], z = n[2] * d->w[2][i][j];
            least[j] = tmb_lesser(x + y + z - TMB_DISTANCE_GAP_TERMS * U * (fabs(x) + fabs(y) + fabs(z)), least[j]);
        }
    }
    return tmb_lesser(tmb_lesser(least[0], least[1]), least[2]) * (1.0 - TMB_DISTANCE_GAP * U) - TMB_DISTANCE_UNDERFLOW;
}

/* A lower bound of the distance by a direction that may be scaled and have either sign. n receives the one used. */
static inline double lower_bound(const differences *d, const double direction[3], double n[3])
{
    const double squared = tmb_dot(direction, direction);
    if (!(squared >= TMB_DIRECTION_LEAST_SQUARE && squared <= TMB_DIRECTION_MOST_SQUARE)) {
        n[0] = n[1] = n[2] = 0.0;
        return 0.0;
    }
    const double along = direction[0] * d->w[0][0][0] + direction[1] * d->w[1][0][0] + direction[2] * d->w[2][0][0];
    const double factor = copysign(1.0, along) / sqrt(squared);
    for (int k = 0; k < 3; k++) {
        n[k] = direction[k] * factor;
    }
    return tmb_greater(gap_along(d, n), 0.0);
}

/* The features in which the triangles are nearest, in the units of the differences. */
typedef struct nearest {
    double lower, upper, value, way[3];
    tmb_feature_pair features;
} nearest;

static void bound_edges(const differences *d, const edge_pairs *pairs, int i, int j, nearest *out)
{
    const double s = pairs->s[i][j], t = pairs->t[i][j];
    double e[3], f[3], v[3];
    for (int k = 0; k < 3; k++) {
        e[k] = d->e[k][i];
        f[k] = d->f[k][j];
        v[k] = d->w[k][i][j] + t * f[k] - s * e[k];
    }
    out->value = tmb_short_length(v);
    out->upper = out->value * (1.0 + TMB_DISTANCE_LENGTH * U) +
                 TMB_DISTANCE_EDGES * U * (s * tmb_sum_of_sizes(e) + t * tmb_sum_of_sizes(f)) + TMB_DISTANCE_UNDERFLOW;
    out->lower = lower_bound(d, v, out->way);
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0 && out->lower < (1.0 - 16 * U) * out->value) {
        double n[3], way[3];
        tmb_cross(e, f, n);
        const double across = lower_bound(d, n, way);
        if (across > out->lower) {
            out->lower = across;
            memcpy(out->way, way, sizeof way);
        }
    }
    out->features = (tmb_feature_pair){TMB_EDGE_EDGE, i, j, s, t};
}

/* `to` as in measure_face. */
static void bound_face(const differences *d, const face_pairs *pairs, const double to[3][3], int corner, int of_b,
                       nearest *out)
{
    const double s = pairs->s[corner], t = pairs->t[corner];
    double e0[3], e2[3], v[3];
    for (int k = 0; k < 3; k++) {
        e0[k] = of_b ? d->f[k][0] : d->e[k][0];
        e2[k] = of_b ? d->f[k][2] : d->e[k][2];
        v[k] = to[k][corner] - s * e0[k] + t * e2[k];
    }
    const double error = TMB_DISTANCE_EDGES * U * (s * tmb_sum_of_sizes(e0) + t * tmb_sum_of_sizes(e2)) +
                         TMB_DISTANCE_OUTSIDE * U * tmb_sum_of_sizes(e2);
    out->upper = tmb_short_length(v) * (1.0 + TMB_DISTANCE_LENGTH * U) + error + TMB_DISTANCE_UNDERFLOW;
    out->lower = lower_bound(d, pairs->normal, out->way);
    out->value = sqrt(pairs->squared[corner]);
    out->features =
        (tmb_feature_pair){of_b ? TMB_CORNER_FACE : TMB_FACE_CORNER, of_b ? corner : 0, of_b ? 0 : corner, s, t};
}

static inline int least_of(const double *numbers)
{
    const int least = numbers[1] < numbers[0];
    return numbers[2] < numbers[least] ? 2 : least;
}

/* The largest difference is between 2^-150 and 2^150. */
static inline nearest measure(const differences *d)
{
    TMB_ASSERT(largest_difference(d) >= TMB_DISTANCE_LEAST_RANGE && largest_difference(d) <= TMB_DISTANCE_MOST_RANGE);
    edge_pairs edges;
    face_pairs face_a, face_b;
    measure_edge_pairs(d, &edges);
    double to_b[3][3], to_a[3][3], e0[3], e1[3], f0[3], f1[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            to_b[k][i] = d->w[k][0][i];
            to_a[k][i] = -d->w[k][i][0];
        }
        e0[k] = d->e[k][0];
        e1[k] = -d->e[k][2];
        f0[k] = d->f[k][0];
        f1[k] = -d->f[k][2];
    }
    measure_face(e0, e1, (const double(*)[3])to_b, &face_a);
    measure_face(f0, f1, (const double(*)[3])to_a, &face_b);

    const int j0 = least_of(edges.squared[0]), j1 = least_of(edges.squared[1]), j2 = least_of(edges.squared[2]);
    const double best[3] = {edges.squared[0][j0], edges.squared[1][j1], edges.squared[2][j2]};
    const int i = least_of(best), j = i == 0 ? j0 : i == 1 ? j1 : j2;
    const int over_a = least_of(face_a.squared), over_b = least_of(face_b.squared);
    const double face = tmb_lesser(face_a.squared[over_a], face_b.squared[over_b]);
    nearest result;
    if (best[i] < face) {
        bound_edges(d, &edges, i, j, &result);
    } else if (face_a.squared[over_a] == face) {
        bound_face(d, &face_a, (const double(*)[3])to_b, over_a, 0, &result);
    } else {
        bound_face(d, &face_b, (const double(*)[3])to_a, over_b, 1, &result);
    }
    result.value = tmb_greater(tmb_lesser(result.value, result.upper), result.lower);
    return result;
}

static void scale_differences(differences *d, double factor)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                d->w[k][i][j] *= factor;
            }
            d->e[k][i] *= factor;
            d->f[k][i] *= factor;
        }
    }
}

/* Differences that are very small or very large. Corners are divided by four first when they are large, so that
 * differences do not overflow; what that loses is negligible compared with the slack for underflow. */
static nearest measure_scaled(const double a[3][3], const double b[3][3], differences *d)
{
    const int huge = !(largest_difference(d) < TMB_DISTANCE_MOST_RANGE);
    if (huge) {
        subtract_corners(a, b, 0.25, d);
    }
    int exponent = 0;
    const double largest = largest_difference(d);
    if (largest == 0.0) {
        return (nearest){.features = {TMB_EDGE_EDGE, 0, 0, 0.0, 0.0}};
    }
    (void)frexp(largest, &exponent);
    /* In two steps: 2^1074 is not a double. */
    scale_differences(d, ldexp(1.0, -exponent / 2));
    scale_differences(d, ldexp(1.0, -exponent - -exponent / 2));
    nearest result = measure(d);
    exponent += huge ? 2 : 0;
    result.value = ldexp(result.value, exponent);
    result.lower = result.lower == 0.0 ? 0.0 : nextafter(ldexp(result.lower, exponent), 0.0);
    result.upper = nextafter(ldexp(result.upper, exponent), INFINITY);
    result.value = tmb_greater(tmb_lesser(result.value, result.upper), result.lower);
    return result;
}

/* a (1 - s - t) + b s + c t, in the box of the three. */
static double mix(double a, double b, double c, double s, double t)
{
    const double least = tmb_lesser(tmb_lesser(a, b), c), most = tmb_greater(tmb_greater(a, b), c);
    const double direct = a + s * (b - a) + t * (c - a);
    const double value = isfinite(direct) ? direct : a * (1.0 - s - t) + b * s + c * t;
    return tmb_greater(tmb_lesser(value, most), least);
}

void tmb_feature_points(const double a[3][3], const double b[3][3], const tmb_feature_pair *pair, double (*points)[3])
{
    const int i = pair->a, j = pair->b, i1 = next_corner[i], j1 = next_corner[j];
    for (int k = 0; k < 3; k++) {
        switch (pair->kind) {
        case TMB_EDGE_EDGE:
            points[0][k] = mix(a[i][k], a[i1][k], a[i][k], pair->s, 0.0);
            points[1][k] = mix(b[j][k], b[j1][k], b[j][k], pair->t, 0.0);
            break;
        case TMB_CORNER_FACE:
            points[0][k] = a[i][k];
            points[1][k] = mix(b[0][k], b[1][k], b[2][k], pair->s, pair->t);
            break;
        default:
            points[0][k] = mix(a[0][k], a[1][k], a[2][k], pair->s, pair->t);
            points[1][k] = b[j][k];
            break;
        }
    }
}

/* A common point, when they intersect. */
static int common_point(const double a[3][3], const double b[3][3], tmb_triangle_distance *out)
{
    double ends[2][3];
    if (!tmb_triangles_intersect(a, b, 0)) {
        return 0;
    }
    (void)tmb_triangles_segment(a, b, ends);
    memcpy(out->points[0], ends[0], sizeof ends[0]);
    memcpy(out->points[1], ends[0], sizeof ends[0]);
    memset(out->way, 0, sizeof out->way);
    out->lower = out->upper = out->value = 0.0;
    out->scaled = (tmb_scaled){0.0, 0};
    return 1;
}

static nearest measure_pair(const double a[3][3], const double b[3][3])
{
    differences d;
    subtract_corners(a, b, 1.0, &d);
    const double largest = largest_difference(&d);
    return largest >= TMB_DISTANCE_LEAST_RANGE && largest <= TMB_DISTANCE_MOST_RANGE ? measure(&d)
                                                                                     : measure_scaled(a, b, &d);
}

double tmb_triangles_apart_along(const double a[3][3], const double b[3][3], const double way[3])
{
    differences d;
    subtract_corners(a, b, 1.0, &d);
    const double largest = largest_difference(&d);
    const int is_useful = largest <= LONGEST_ASIDE * tmb_largest_size(way);
    double n[3];
    return is_useful && largest >= TMB_DISTANCE_LEAST_RANGE && largest <= TMB_DISTANCE_MOST_RANGE
               ? lower_bound(&d, way, n)
               : 0.0;
}

/* A corner that both have is not ahead of itself, whatever rounding does: so triangles around a common edge that is
 * normal to the way are told, too. The others are compared with the foremost one. A term is rounded three times, and
 * two sums follow: proofs/near_behind.g. */
static int is_behind(const double t[3][3], const double other[3][3], const double way[3])
{
    int first = 0;
    for (int i = 1; i < 3; i++) {
        const double *p = other[i], *q = other[first];
        first = way[0] * (p[0] - q[0]) + way[1] * (p[1] - q[1]) + way[2] * (p[2] - q[2]) > 0.0 ? i : first;
    }
    for (int i = 0; i < 3; i++) {
        if (tmb_compare_numbers(t[i], other[0], 3) == 0 || tmb_compare_numbers(t[i], other[1], 3) == 0 ||
            tmb_compare_numbers(t[i], other[2], 3) == 0) {
            continue;
        }
        const double *p = t[i], *q = other[first];
        const double x = way[0] * (p[0] - q[0]), y = way[1] * (p[1] - q[1]), z = way[2] * (p[2] - q[2]);
        if (!(x + y + z + TMB_BEHIND_TERMS * U * (fabs(x) + fabs(y) + fabs(z)) <= 0.0)) {
            return 0;
        }
    }
    return 1;
}

int tmb_triangles_are_behind(const double a[3][3], const double b[3][3], const double other_a[3][3],
                             const double other_b[3][3], const double way[3])
{
    const double back[3] = {-way[0], -way[1], -way[2]};
    return tmb_largest_size(way) > 0.0 && is_behind(a, other_a, way) && is_behind(b, other_b, back);
}

/* For assertions. */
static inline __attribute__((unused)) int is_in_triangles(const tmb_feature_pair *pair)
{
    return pair->a >= 0 && pair->a < 3 && pair->b >= 0 && pair->b < 3 && pair->s >= 0.0 && pair->s <= 1.0 &&
           pair->t >= 0.0 && pair->t <= 1.0 && (pair->kind == TMB_EDGE_EDGE || pair->s + pair->t <= 1.0 + 4 * U);
}

static void tell(const double a[3][3], const double b[3][3], const nearest *found, tmb_triangle_distance *out)
{
    TMB_ASSERT(is_in_triangles(&found->features));
    TMB_ASSERT(found->lower <= found->value && found->value <= found->upper);
    out->lower = found->lower;
    out->upper = found->upper;
    out->value = found->value;
    out->scaled = (tmb_scaled){found->value, 0};
    memcpy(out->way, found->way, sizeof out->way);
    tmb_feature_points(a, b, &found->features, out->points);
}

void tmb_triangles_distance_begin(const double a[3][3], const double b[3][3], tmb_triangle_distance *out,
                                  tmb_feature_pair *features)
{
    const nearest found = measure_pair(a, b);
    *features = found.features;
    if (found.lower > 0.0 || !common_point(a, b, out)) {
        tell(a, b, &found, out);
    }
}

void tmb_triangles_distance_fast(const double a[3][3], const double b[3][3], tmb_triangle_distance *out)
{
    tmb_feature_pair features;
    tmb_triangles_distance_begin(a, b, out, &features);
}

/* Of triangles that are apart, by pairs of doubles or integers. */
static tmb_stage sharpen(const double a[3][3], const double b[3][3], const tmb_feature_pair *features,
                         tmb_triangle_distance *out)
{
    tmb_stage stage = TMB_STAGE_DOUBLED;
    tmb_feature_pair sharp = *features;
    if (!tmb_precise_distance(a, b, &sharp, out)) {
        stage = TMB_STAGE_INTEGER;
        memset(out->way, 0, sizeof out->way);
        tmb_exact_distance(a, b, out, &sharp);
    }
    TMB_ASSERT(is_in_triangles(&sharp));
    tmb_feature_points(a, b, &sharp, out->points);
    return stage;
}

void tmb_triangles_distance_end(const double a[3][3], const double b[3][3], const tmb_feature_pair *features,
                                tmb_triangle_distance *out, unsigned long long *exact)
{
    TMB_ASSERT(tmb_all_finite(a[0], 9) && tmb_all_finite(b[0], 9));
    if (out->upper > 0.0) { /* else they intersect */
        *exact += sharpen(a, b, features, out) == TMB_STAGE_INTEGER;
    }
}

void tmb_triangles_distance_stage(const double a[3][3], const double b[3][3], tmb_triangle_distance *out,
                                  tmb_stage *stage)
{
    TMB_ASSERT(tmb_all_finite(a[0], 9) && tmb_all_finite(b[0], 9));
    const nearest found = measure_pair(a, b);
    *stage = TMB_STAGE_FILTER;
    if (found.lower > 0.0 || !common_point(a, b, out)) {
        *stage = sharpen(a, b, &found.features, out);
    }
}

void tmb_triangles_distance(const double a[3][3], const double b[3][3], tmb_triangle_distance *out,
                            unsigned long long *exact)
{
    tmb_stage stage;
    tmb_triangles_distance_stage(a, b, out, &stage);
    if (exact != 0) {
        *exact += stage == TMB_STAGE_INTEGER;
    }
}

/* Whether `b` lies beyond the plane of `a` by more than `limit`, as far as doubles can tell; true for most triangles
 * that are not close. Whatever n = u x v came out, the triangles are apart along it by the least n . (b_j - a_0) less
 * the greatest n . (a_i - a_0), divided by |n|. The latter is 0 but for the roundings in n. The bound is relative to
 * the sum of the sizes of all terms, for the largest components of any of these differences:
 * proofs/distance_beyond_plane.g. */
static inline int is_beyond_plane(const double a[3][3], const double b[3][3], double limit)
{
    double u[3], v[3], n[3], height[3] = {0.0, 0.0, 0.0}, sum = 0.0, widths = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = a[1][k] - a[0][k];
        v[k] = a[2][k] - a[0][k];
    }
    tmb_cross(u, v, n);
    for (int k = 0; k < 3; k++) {
        const int l = next_corner[k], m = next_corner[l];
        const double x0 = b[0][k] - a[0][k], x1 = b[1][k] - a[0][k], x2 = b[2][k] - a[0][k];
        const double width =
            tmb_greater(tmb_greater(tmb_greater(fabs(x0), fabs(x1)), fabs(x2)), tmb_greater(fabs(u[k]), fabs(v[k])));
        height[0] += n[k] * x0;
        height[1] += n[k] * x1;
        height[2] += n[k] * x2;
        sum += (fabs(u[l] * v[m]) + fabs(u[m] * v[l])) * width;
        widths += width;
    }
    const double least = tmb_lesser(tmb_lesser(height[0], height[1]), height[2]),
                 most = tmb_greater(tmb_greater(height[0], height[1]), height[2]);
    const double squared = tmb_dot(n, n),
                 bound = TMB_BEYOND_PLANE_TERMS * U * sum + TMB_ERROR_UNDERFLOW * (widths + 1.0);
    return squared >= TMB_DIRECTION_LEAST_SQUARE &&
           tmb_greater(least, -most) > limit * sqrt(squared) * (1.0 + TMB_BEYOND_PLANE_LENGTH * U) + bound;
}

/* Whether two corners are within `limit`, as far as doubles can tell. */
static inline int has_close_corners(const double a[3][3], const double b[3][3], double limit)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double x = b[j][0] - a[i][0], y = b[j][1] - a[i][1], z = b[j][2] - a[i][2];
            least = tmb_lesser(x * x + y * y + z * z, least);
        }
    }
    return limit >= 0x1p-500 && least <= 0x1p1000 && least * (1.0 + TMB_CLOSE_CORNERS * U) <= limit * limit;
}

int tmb_triangles_within_stage(const double a[3][3], const double b[3][3], double limit, tmb_stage *stage)
{
    TMB_ASSERT(limit > 0.0);
    TMB_ASSERT(tmb_all_finite(a[0], 9) && tmb_all_finite(b[0], 9));
    *stage = TMB_STAGE_FILTER;
    if (is_beyond_plane(a, b, limit) || is_beyond_plane(b, a, limit)) {
        return 0;
    }
    if (has_close_corners(a, b, limit)) {
        return 1;
    }
    nearest found = measure_pair(a, b);
    if (found.upper <= limit || found.lower > limit) {
        return found.upper <= limit;
    }
    *stage = TMB_STAGE_DOUBLED;
    if (!(found.lower > 0.0) && tmb_triangles_intersect(a, b, 0)) {
        return 1;
    }
    tmb_triangle_distance precise;
    if (tmb_precise_distance(a, b, &found.features, &precise) && (precise.upper <= limit || precise.lower > limit)) {
        return precise.upper <= limit;
    }
    *stage = TMB_STAGE_INTEGER;
    return tmb_exact_within(a, b, (tmb_scaled){limit, 0});
}

int tmb_triangles_within(const double a[3][3], const double b[3][3], double limit, unsigned long long *exact)
{
    TMB_ASSERT(limit >= 0.0);
    if (limit == 0.0) {
        return tmb_triangles_intersect(a, b, exact);
    }
    tmb_stage stage;
    const int within = tmb_triangles_within_stage(a, b, limit, &stage);
    if (exact != 0) {
        *exact += stage != TMB_STAGE_FILTER;
    }
    return within;
}

int tmb_triangles_within_limit(const double a[3][3], const double b[3][3], const tmb_limit *limit,
                               unsigned long long *exact)
{
    TMB_ASSERT(limit->below <= limit->above);
    if (limit->below == limit->above) {
        return tmb_triangles_within(a, b, limit->above, exact);
    }
    const nearest found = measure_pair(a, b);
    if (found.upper <= limit->below || found.lower > limit->above) {
        return found.upper <= limit->below;
    }
    if (exact != 0) {
        ++*exact;
    }
    return (!(found.lower > 0.0) && tmb_triangles_intersect(a, b, 0)) || tmb_exact_within(a, b, limit->exact);
}

int tmb_triangles_closer(const double a[3][3], const double b[3][3], const tmb_limit *limit)
{
    TMB_ASSERT(limit->above > 0.0);
    const nearest found = measure_pair(a, b);
    if (found.upper < limit->below || found.lower >= limit->above) {
        return found.upper < limit->below;
    }
    return (!(found.lower > 0.0) && tmb_triangles_intersect(a, b, 0)) || tmb_exact_closer(a, b, limit->exact);
}
