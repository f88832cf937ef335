/* The distance of a point from a triangle.
 *
 * The nearest of three edges and the face is chosen in doubles, without error analysis, as in prim/triangle_distance.c.
 * The bounds are those proven there (proofs/distance_edges.g, distance_face.g, distance_gap.g) for a second triangle
 * whose corners are all the point, so that its edges are 0. The corners of the chosen feature are put into
 * lexicographic order before its distance is computed: neighbours that share an edge get the same bits. */
#include "prim/point_distance.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_distance_parts.h"

#define U TMB_DOUBLE_ROUNDING

static const int next_corner[3] = {1, 2, 0};

/* NaN becomes 0. */
static inline double into_unit(double x)
{
    return tmb_lesser(tmb_greater(x, 0.0), 1.0);
}

/* Vectors from the corners to the point, and edges from each corner to the next. */
typedef struct differences {
    double w[3][3], e[3][3];
} differences;

static inline double subtract(const double corners[3][3], const double point[3], differences *d)
{
    double largest = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            d->w[i][k] = point[k] - corners[i][k];
            d->e[i][k] = corners[next_corner[i]][k] - corners[i][k];
            largest = tmb_greater(fabs(d->w[i][k]), largest);
        }
    }
    return largest;
}

/* ---- Which feature ---- */

typedef struct feature {
    int count, corners[3]; /* those of the feature, then the others */
} feature;

static inline feature feature_of_edge(int i, double s)
{
    const int next = next_corner[i], last = next_corner[next];
    if (s > 0.0 && s < 1.0) {
        return (feature){2, {i, next, last}};
    }
    return s > 0.0 ? (feature){1, {next, last, i}} : (feature){1, {i, next, last}};
}

/* The squared distance from the face, infinite where the point is not above or below it. */
static inline double squared_from_face(const differences *d)
{
    double n[3], m0[3], m1[3];
    const double edge1[3] = {-d->e[2][0], -d->e[2][1], -d->e[2][2]};
    tmb_cross(d->e[0], edge1, n);
    tmb_cross(edge1, n, m0);
    tmb_cross(n, d->e[0], m1);
    const double nn = tmb_dot(n, n), s = tmb_dot(d->w[0], m0), t = tmb_dot(d->w[0], m1), height = tmb_dot(d->w[0], n);
    return s >= 0.0 && t >= 0.0 && s + t <= nn && nn > 0.0 ? height * height / nn : INFINITY;
}

static inline feature choose_feature(const differences *d)
{
    double least = INFINITY;
    feature nearest = {1, {0, 1, 2}};
    for (int i = 0; i < 3; i++) {
        const double s = into_unit(tmb_dot(d->w[i], d->e[i]) / tmb_dot(d->e[i], d->e[i]));
        const double v[3] = {d->w[i][0] - s * d->e[i][0], d->w[i][1] - s * d->e[i][1], d->w[i][2] - s * d->e[i][2]};
        const double squared = tmb_dot(v, v);
        if (squared < least) {
            least = squared;
            nearest = feature_of_edge(i, s);
        }
    }
    return squared_from_face(d) < least ? (feature){3, {0, 1, 2}} : nearest;
}

/* ---- Its distance ---- */

static inline int comes_before(const double a[3], const double b[3])
{
    return tmb_compare_numbers(a, b, 3) < 0;
}

static inline void exchange(int *a, int *b)
{
    const int other = *a;
    *a = *b;
    *b = other;
}

static void copy_corners(const double triangle[3][3], feature f, tmb_point_distance *out)
{
    int *c = f.corners;
    if (f.count >= 2 && comes_before(triangle[c[1]], triangle[c[0]])) {
        exchange(&c[0], &c[1]);
    }
    if (f.count == 3 && comes_before(triangle[c[2]], triangle[c[1]])) {
        exchange(&c[1], &c[2]);
        if (comes_before(triangle[c[1]], triangle[c[0]])) {
            exchange(&c[0], &c[1]);
        }
    }
    for (int i = 0; i < 3; i++) {
        memcpy(out->corners[i], triangle[c[i]], sizeof out->corners[i]);
    }
    out->corner_count = f.count;
}

/* A lower bound by a direction that may be scaled and have either sign. */
static inline double lower_bound(const differences *d, const double direction[3])
{
    const double squared = tmb_dot(direction, direction);
    if (!(squared >= TMB_DIRECTION_LEAST_SQUARE && squared <= TMB_DIRECTION_MOST_SQUARE)) {
        return 0.0;
    }
    const double factor = copysign(1.0, tmb_dot(direction, d->w[0])) / sqrt(squared);
    const double n[3] = {direction[0] * factor, direction[1] * factor, direction[2] * factor};
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double x = n[0] * d->w[i][0], y = n[1] * d->w[i][1], z = n[2] * d->w[i][2];
        least = tmb_lesser(x + y + z - TMB_DISTANCE_GAP_TERMS * U * (fabs(x) + fabs(y) + fabs(z)), least);
    }
    return tmb_greater(least * (1.0 - TMB_DISTANCE_GAP * U) - TMB_DISTANCE_UNDERFLOW, 0.0);
}

/* In a corner (s is 0) or on an edge. */
static inline void bound_edge(const differences *d, tmb_point_distance *out)
{
    const double *w = d->w[0], *e = d->e[0];
    const double s = out->corner_count == 2 ? into_unit(tmb_dot(w, e) / tmb_dot(e, e)) : 0.0;
    const double v[3] = {w[0] - s * e[0], w[1] - s * e[1], w[2] - s * e[2]};
    out->s = s;
    out->t = 0.0;
    out->value = tmb_short_length(v);
    out->upper = out->value * (1.0 + TMB_DISTANCE_LENGTH * U) + TMB_DISTANCE_EDGES * U * (s * tmb_sum_of_sizes(e)) +
                 TMB_DISTANCE_UNDERFLOW;
    out->lower = lower_bound(d, v);
}

static inline void bound_face(const differences *d, tmb_point_distance *out)
{
    const double *w = d->w[0], *e0 = d->e[0];
    const double e1[3] = {-d->e[2][0], -d->e[2][1], -d->e[2][2]};
    double n[3], m0[3], m1[3];
    tmb_cross(e0, e1, n);
    tmb_cross(e1, n, m0);
    tmb_cross(n, e0, m1);
    const double per_nn = 1.0 / tmb_dot(n, n), s = into_unit(tmb_dot(w, m0) * per_nn);
    const double t = tmb_lesser(into_unit(tmb_dot(w, m1) * per_nn), 1.0 - s);
    const double v[3] = {w[0] - s * e0[0] - t * e1[0], w[1] - s * e0[1] - t * e1[1], w[2] - s * e0[2] - t * e1[2]};
    const double error = TMB_DISTANCE_EDGES * U * (s * tmb_sum_of_sizes(e0) + t * tmb_sum_of_sizes(e1)) +
                         TMB_DISTANCE_OUTSIDE * U * tmb_sum_of_sizes(e1);
    out->s = s;
    out->t = t;
    out->upper = tmb_short_length(v) * (1.0 + TMB_DISTANCE_LENGTH * U) + error + TMB_DISTANCE_UNDERFLOW;
    out->lower = lower_bound(d, n);
    out->value = fabs(tmb_dot(w, n)) * sqrt(per_nn);
}

/* Where differences over- or underflow. */
static void measure_scaled(const double triangle[3][3], const double point[3], tmb_point_distance *out)
{
    double b[3][3];
    tmb_triangle_distance distance;
    for (int i = 0; i < 3; i++) {
        memcpy(b[i], point, sizeof b[i]);
        memcpy(out->corners[i], triangle[i], sizeof out->corners[i]);
    }
    tmb_triangles_distance_fast(triangle, (const double(*)[3])b, &distance);
    out->lower = distance.lower;
    out->upper = distance.upper;
    out->value = distance.value;
    out->corner_count = 0;
    out->s = out->t = 0.0;
}

void tmb_point_distance_fast(const double triangle[3][3], const double point[3], tmb_point_distance *out)
{
    TMB_ASSERT(tmb_all_finite(triangle[0], 9) && tmb_all_finite(point, 3));
    differences d;
    const double largest = subtract(triangle, point, &d);
    if (!(largest >= TMB_DISTANCE_LEAST_RANGE && largest <= TMB_DISTANCE_MOST_RANGE)) {
        measure_scaled(triangle, point, out);
        return;
    }
    copy_corners(triangle, choose_feature(&d), out);
    (void)subtract((const double(*)[3])out->corners, point, &d);
    if (out->corner_count == 3) {
        bound_face(&d, out);
    } else {
        bound_edge(&d, out);
    }
    out->value = tmb_greater(tmb_lesser(out->value, out->upper), out->lower);
}

/* ---- To the last bits ---- */

void tmb_point_distance_sharp(const tmb_point_distance *fast, const double point[3], tmb_triangle_distance *out,
                              unsigned long long *exact)
{
    const double(*a)[3] = fast->corners;
    double b[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(b[i], point, sizeof b[i]);
    }
    if (fast->corner_count == 0 || !(fast->lower > 0.0)) {
        tmb_triangles_distance(a, (const double(*)[3])b, out, exact);
        return;
    }
    tmb_feature_pair pair = {fast->corner_count == 3 ? TMB_FACE_CORNER : TMB_EDGE_EDGE, 0, 0, fast->s, fast->t};
    if (!tmb_precise_distance(a, (const double(*)[3])b, &pair, out)) {
        tmb_exact_distance(a, (const double(*)[3])b, out, &pair);
        *exact += 1;
    }
    tmb_feature_points(a, (const double(*)[3])b, &pair, out->points);
}

/* Whether the feature, which was chosen without error analysis, surely is where the triangle is nearest: along the way
 * from the point on it to `point`, all other corners are behind it. The products are off by less than the margin, also
 * by what s is: s times the edge is off by less than 16 roundings of the longest of all differences. The margin makes
 * the distance so large that pairs of doubles give it for both triangles, from this feature alone. */
static int is_surely_nearest(const tmb_point_distance *d, const double point[3])
{
    const double *p = d->corners[0];
    double v[3], size = 0.0;
    for (int k = 0; k < 3; k++) {
        v[k] = (point[k] - p[k]) - d->s * (d->corners[1][k] - p[k]);
        for (int i = 0; i < 3; i++) {
            size += fabs(point[k] - d->corners[i][k]);
        }
    }
    for (int i = d->corner_count; i < 3; i++) {
        const double way[3] = {p[0] - d->corners[i][0], p[1] - d->corners[i][1], p[2] - d->corners[i][2]};
        if (!(tmb_dot(v, way) > TMB_POINT_FEATURE_MARGIN * size * tmb_sum_of_sizes(way) + TMB_DISTANCE_UNDERFLOW)) {
            return 0;
        }
    }
    return 1;
}

int tmb_point_features_equal(const tmb_point_distance *a, const tmb_point_distance *b, const double point[3])
{
    const int count = a->corner_count;
    return count > 0 && count == b->corner_count &&
           tmb_compare_numbers(a->corners[0], b->corners[0], 3 * (size_t)count) == 0 && is_surely_nearest(a, point) &&
           is_surely_nearest(b, point);
}

int tmb_point_within_limit(const tmb_point_distance *fast, const double point[3], const tmb_limit *limit,
                           unsigned long long *exact)
{
    if (fast->upper <= limit->below || fast->lower > limit->above) {
        return fast->upper <= limit->below;
    }
    double b[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(b[i], point, sizeof b[i]);
    }
    return tmb_triangles_within_limit(fast->corners, (const double(*)[3])b, limit, exact);
}
