/* The distance of two triangles in pairs of doubles, given the features in which they are nearest.
 *
 * As in plain doubles, nothing depends on the features being the right ones. Points on them, at any parameters in
 * range, are not nearer than the distance; and the triangles are apart along any direction n
 * by at most the distance. When both bounds agree in the digits of a double, the features were right.
 *
 * Errors. A number is the sum of two doubles, the second one at most half a unit in the last place of the first, u =
 * 2^-53. A sum is computed with an error below 4 u^2 (|a| + |b|), a product with one below 8 u^2 |a b| (M. Joldes,
 * J.-M. Muller, V. Popescu, Tight and Rigorous Error Bounds for Basic Building Blocks of Double-Word Arithmetic, ACM
 * TOMS 44(2), 2017, whose algorithms 5 and 10 these are, except for their last step). Differences of corners are exact,
 * and scaled by a power of two so that those of different triangles have components up to 1, those of one up to 2.
 * So gaps along n, over |n|, and points are off by less than 2^-98 (proofs/precise_error.g). Underflow, less than
 * 2^-1000, is negligible.
 *
 * The rest is done in doubles: the gap divided by |n|, and |v|. A distance counts as proven when the first is at least
 * 1 - 4 u times the second, and that is so large that 2^-98 is less than u / 2 of it. Then the true distance is between
 * 1 - 9 u and 1 + 2 u times the computed |v|, and the bounds, rounded themselves, hold (proofs/precise_bounds.g). */
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/expansion.h"
#include "math/vec3.h"
#include "prim/triangle_distance_parts.h"

#define U TMB_DOUBLE_ROUNDING

typedef struct vector {
    tmb_double2 at[3];
} vector;

/* Corners as vectors from corner 0 of the first triangle. */
typedef struct corners {
    const double (*a)[3], (*b)[3];
    int count_b;       /* distinct corners of the second: 1 for a point, else 3 */
    double quarter;    /* corners are multiplied by it, so that differences do not overflow */
    int exponent;      /* and differences are divided by 2^exponent, */
    double half, rest; /* which is done in two steps, as 2^1074 is not a double */
} corners;

static const int next_corner[3] = {1, 2, 0};

static tmb_double2 add(tmb_double2 a, tmb_double2 b)
{
    const tmb_double2 sum = tmb_two_sum(a.high, b.high);
    return tmb_two_sum(sum.high, sum.low + (a.low + b.low));
}

static tmb_double2 negative(tmb_double2 a)
{
    return (tmb_double2){-a.high, -a.low};
}

static tmb_double2 multiply(tmb_double2 a, tmb_double2 b)
{
    const tmb_double2 product = tmb_multiply_doubled(a, b);
    return tmb_two_sum(product.high, product.low);
}

/* In [0, 1]; NaN becomes 0. */
static tmb_double2 quotient_in_unit(tmb_double2 a, tmb_double2 b)
{
    const double first = a.high / b.high;
    const tmb_double2 rest = add(a, negative(multiply(b, (tmb_double2){first, 0.0})));
    const tmb_double2 result = tmb_two_sum(first, rest.high / b.high);
    if (!(result.high > 0.0)) {
        return (tmb_double2){0.0, 0.0};
    }
    return result.high > 1.0 || (result.high == 1.0 && result.low > 0.0) ? (tmb_double2){1.0, 0.0} : result;
}

static tmb_double2 dot(const vector *a, const vector *b)
{
    return add(add(multiply(a->at[0], b->at[0]), multiply(a->at[1], b->at[1])), multiply(a->at[2], b->at[2]));
}

static vector cross(const vector *a, const vector *b)
{
    vector out;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out.at[k] = add(multiply(a->at[l], b->at[m]), negative(multiply(a->at[m], b->at[l])));
    }
    return out;
}

/* a + factor b */
static vector plus(const vector *a, tmb_double2 factor, const vector *b)
{
    vector out;
    for (int k = 0; k < 3; k++) {
        out.at[k] = add(a->at[k], multiply(factor, b->at[k]));
    }
    return out;
}

/* to - from, scaled. */
static vector between(const corners *c, const double from[3], const double to[3])
{
    vector out;
    for (int k = 0; k < 3; k++) {
        const tmb_double2 difference = tmb_two_difference(c->quarter * to[k], c->quarter * from[k]);
        out.at[k] = (tmb_double2){difference.high * c->half * c->rest, difference.low * c->half * c->rest};
    }
    return out;
}

static int is_point(const double b[3][3])
{
    return tmb_compare_numbers(b[0], b[1], 3) == 0 && tmb_compare_numbers(b[0], b[2], 3) == 0;
}

static corners prepare(const double a[3][3], const double b[3][3])
{
    double coordinate = 0.0, difference = 0.0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            coordinate = tmb_greater(tmb_greater(fabs(a[i][k]), fabs(b[i][k])), coordinate);
        }
    }
    corners c = {a, b, is_point(b) ? 1 : 3, coordinate > 0x1p1000 ? 0.25 : 1.0, 0, 1.0, 1.0};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3 * c.count_b; i++) {
            difference = tmb_greater(fabs(c.quarter * b[i / 3][k] - c.quarter * a[i % 3][k]), difference);
        }
    }
    (void)frexp(difference, &c.exponent);
    c.half = ldexp(1.0, -c.exponent / 2);
    c.rest = ldexp(1.0, -c.exponent - -c.exponent / 2);
    return c;
}

/* The vector between the nearest points of the features, and one along which to search for a gap. */
typedef struct apart {
    vector v, n;
} apart;

/* A point, as w from the edge's first corner, and an edge. */
static apart point_edge(const vector *w, const vector *edge, double *parameter)
{
    const tmb_double2 t = quotient_in_unit(dot(w, edge), dot(edge, edge));
    const vector v = plus(w, negative(t), edge);
    *parameter = t.high;
    return (apart){v, v};
}

/* Both are inside their edges. */
static apart edge_edge(const vector *w, const vector *e, const vector *f, tmb_feature_pair *pair)
{
    const vector n = cross(e, f), moment_e = cross(w, e), moment_f = cross(w, f);
    const tmb_double2 nn = dot(&n, &n);
    const tmb_double2 s = quotient_in_unit(dot(&moment_f, &n), nn), t = quotient_in_unit(dot(&moment_e, &n), nn);
    const vector y = plus(w, t, f);
    pair->s = s.high;
    pair->t = t.high;
    return (apart){plus(&y, negative(s), e), n};
}

/* The same for a corner and a face. */
static apart point_face(const vector *w, const vector *e0, const vector *e1, tmb_feature_pair *pair)
{
    const vector n = cross(e0, e1), moment0 = cross(w, e1), moment1 = cross(e0, w);
    const tmb_double2 nn = dot(&n, &n), one = {1.0, 0.0};
    const tmb_double2 s = quotient_in_unit(dot(&moment0, &n), nn), rest = add(one, negative(s));
    tmb_double2 t = quotient_in_unit(dot(&moment1, &n), nn);
    if (t.high > rest.high || (t.high == rest.high && t.low > rest.low)) {
        t = rest;
    }
    const vector v = plus(w, negative(s), e0);
    pair->s = s.high;
    pair->t = t.high;
    return (apart){plus(&v, negative(t), e1), n};
}

static int is_inside(double parameter)
{
    return parameter > 0.0 && parameter < 1.0;
}

static apart between_edges(const corners *c, tmb_feature_pair *pair)
{
    const double *a0 = c->a[pair->a], *a1 = c->a[next_corner[pair->a]], *b0 = c->b[pair->b],
                 *b1 = c->b[next_corner[pair->b]];
    const vector e = between(c, a0, a1), f = between(c, b0, b1);
    if (is_inside(pair->s) && is_inside(pair->t)) {
        const vector w = between(c, a0, b0);
        return edge_edge(&w, &e, &f, pair);
    }
    if (is_inside(pair->s)) {
        const vector w = between(c, a0, pair->t > 0.0 ? b1 : b0);
        return point_edge(&w, &e, &pair->s);
    }
    if (is_inside(pair->t)) {
        const vector w = between(c, b0, pair->s > 0.0 ? a1 : a0);
        return point_edge(&w, &f, &pair->t);
    }
    const vector v = between(c, pair->s > 0.0 ? a1 : a0, pair->t > 0.0 ? b1 : b0);
    return (apart){v, v};
}

static apart between_features(const corners *c, tmb_feature_pair *pair)
{
    if (pair->kind == TMB_EDGE_EDGE) {
        return between_edges(c, pair);
    }
    const double(*face)[3] = pair->kind == TMB_FACE_CORNER ? c->a : c->b;
    const double *corner = pair->kind == TMB_FACE_CORNER ? c->b[pair->b] : c->a[pair->a];
    const vector w = between(c, face[0], corner), e0 = between(c, face[0], face[1]), e1 = between(c, face[0], face[2]);
    return point_face(&w, &e0, &e1, pair);
}

static int less(tmb_double2 a, tmb_double2 b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* How far corners reach along n. */
typedef struct range {
    tmb_double2 least, most;
} range;

static range reach_along(const corners *c, const vector *n, const double (*triangle)[3], int count)
{
    range out = {{INFINITY, 0.0}, {-INFINITY, 0.0}};
    for (int i = 0; i < count; i++) {
        const vector w = between(c, c->a[0], triangle[i]);
        const tmb_double2 height = dot(n, &w);
        out.least = less(height, out.least) ? height : out.least;
        out.most = less(out.most, height) ? height : out.most;
    }
    return out;
}

/* The gap along n, times |n|; n may point either way. `way` receives the one to the second triangle, rounded. */
static double gap_along(const corners *c, const vector *n, double way[3])
{
    const range a = reach_along(c, n, c->a, 3), b = reach_along(c, n, c->b, c->count_b);
    const tmb_double2 upward = add(b.least, negative(a.most)), downward = add(a.least, negative(b.most));
    const int is_upward = upward.high >= downward.high;
    for (int k = 0; k < 3; k++) {
        way[k] = is_upward ? n->at[k].high : -n->at[k].high;
    }
    return is_upward ? upward.high : downward.high;
}

int tmb_precise_distance(const double a[3][3], const double b[3][3], tmb_feature_pair *features,
                         tmb_triangle_distance *out)
{
    TMB_ASSERT(features->a >= 0 && features->a < 3 && features->b >= 0 && features->b < 3);
    const corners c = prepare(a, b);
    const apart found = between_features(&c, features);
    const double nn = dot(&found.n, &found.n).high, value = sqrt(dot(&found.v, &found.v).high);
    if (!(nn > TMB_DIRECTION_LEAST_SQUARE && value > TMB_PRECISE_LEAST)) {
        return 0;
    }
    const int exponent = c.exponent + (c.quarter == 1.0 ? 0 : 2);
    if (!(gap_along(&c, &found.n, out->way) / sqrt(nn) >= value * (1.0 - TMB_PRECISE_GAP * U)) || exponent < -900) {
        return 0;
    }
    out->lower = fmin(ldexp(value * (1.0 - TMB_PRECISE_LOWER * U), exponent), DBL_MAX);
    out->upper = ldexp(value * (1.0 + TMB_PRECISE_UPPER * U), exponent);
    out->value = ldexp(value, exponent);
    out->scaled = tmb_scaled_of(value, exponent);
    return 1;
}
