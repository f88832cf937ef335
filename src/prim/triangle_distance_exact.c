/* The distance of two triangles that do not intersect, in integers.
 *
 * The nearest points lie in corners, edges and faces. Take for each pair of these with at most three directions in all
 * the nearest points of their lines and planes, where these are unique and lie inside both; the least distance is
 * that of the triangles. Every squared distance is a fraction of integers, so it can be compared with a limit exactly,
 * and rounded once:
 *     corner, corner   |w|^2
 *     corner, edge     (|w|^2 |E|^2 - (w . E)^2) / |E|^2
 *     edge, edge       (w . n)^2 / |n|^2, n = E x F
 *     corner, face     (w . n)^2 / |n|^2, n = E x E'
 * with w from a corner to a corner.
 *
 * Size: coordinates are below 2^2098 units of 2^-1074, w . n is below 2^6300, its square below 2^12600, which is the
 * largest number here. Distances and limits may be beyond the range of doubles: math/scaled.h. */
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "math/bigint.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_distance_parts.h"

typedef struct vector {
    tmb_bigint at[3];
} vector;

typedef struct corners {
    const double (*a)[3], (*b)[3];
    int unit; /* coordinates are integers times 2^unit */
} corners;

/* A squared distance, and where. */
typedef struct fraction {
    tmb_bigint numerator, denominator;
    tmb_feature_pair features;
} fraction;

/* Receives all the fractions; nonzero stops. */
typedef int fraction_callback(void *user, const fraction *squared, int unit);

static const int next_corner[3] = {1, 2, 0};

static void lower_unit(int *unit, double value)
{
    const int own = value == 0.0 ? *unit : tmb_double_exponent(value);
    *unit = own < *unit ? own : *unit;
}

static corners prepare(const double a[3][3], const double b[3][3])
{
    corners c = {a, b, 1024};
    for (int i = 0; i < 9; i++) {
        lower_unit(&c.unit, a[i / 3][i % 3]);
        lower_unit(&c.unit, b[i / 3][i % 3]);
    }
    return c;
}

/* to - from; converted each time, as integers take much more room than doubles. */
static void between(vector *out, const corners *c, const double from[3], const double to[3])
{
    tmb_bigint start;
    for (int k = 0; k < 3; k++) {
        tmb_bigint_from_double(&out->at[k], to[k], c->unit);
        tmb_bigint_from_double(&start, from[k], c->unit);
        tmb_bigint_subtract(&out->at[k], &out->at[k], &start);
    }
}

static void dot(tmb_bigint *out, const vector *a, const vector *b)
{
    tmb_bigint product;
    tmb_bigint_multiply(out, &a->at[0], &b->at[0]);
    for (int k = 1; k < 3; k++) {
        tmb_bigint_multiply(&product, &a->at[k], &b->at[k]);
        tmb_bigint_add(out, out, &product);
    }
}

/* a b - c d */
static void minor(tmb_bigint *out, const tmb_bigint *a, const tmb_bigint *b, const tmb_bigint *c, const tmb_bigint *d)
{
    tmb_bigint product;
    tmb_bigint_multiply(out, a, b);
    tmb_bigint_multiply(&product, c, d);
    tmb_bigint_subtract(out, out, &product);
}

static void cross(vector *out, const vector *a, const vector *b)
{
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        minor(&out->at[k], &a->at[l], &b->at[m], &a->at[m], &b->at[l]);
    }
}

static int compare(const tmb_bigint *a, const tmb_bigint *b)
{
    tmb_bigint difference;
    tmb_bigint_subtract(&difference, a, b);
    return difference.sign;
}

/* numerator / denominator, in [0, 1]. */
static double quotient(const tmb_bigint *numerator, const tmb_bigint *denominator)
{
    TMB_ASSERT(denominator->sign > 0);
    TMB_ASSERT(numerator->sign >= 0);
    int up, down;
    const double top = tmb_bigint_to_double(numerator, &up), bottom = tmb_bigint_to_double(denominator, &down);
    const double result = ldexp(top / bottom, up - down);
    return result < 1.0 ? result : 1.0;
}

static int in_unit(const tmb_bigint *numerator, const tmb_bigint *denominator)
{
    TMB_ASSERT(denominator->sign >= 0);
    return numerator->sign >= 0 && compare(numerator, denominator) <= 0;
}

static void set_one(tmb_bigint *out)
{
    out->sign = 1;
    out->count = 1;
    out->words[0] = 1;
}

static int corner_corner(const corners *c, int i, int j, fraction *out)
{
    vector w;
    between(&w, c, c->a[i], c->b[j]);
    dot(&out->numerator, &w, &w);
    set_one(&out->denominator);
    out->features = (tmb_feature_pair){TMB_EDGE_EDGE, i, j, 0.0, 0.0};
    return 1;
}

/* A point and the edge from p to q; its parameter is returned. */
static int point_edge(const corners *c, const double point[3], const double p[3], const double q[3], fraction *out,
                      double *parameter)
{
    vector w, edge;
    tmb_bigint we, ww;
    between(&w, c, p, point);
    between(&edge, c, p, q);
    dot(&out->denominator, &edge, &edge);
    dot(&we, &w, &edge);
    if (out->denominator.sign == 0 || !in_unit(&we, &out->denominator)) {
        return 0;
    }
    dot(&ww, &w, &w);
    minor(&out->numerator, &ww, &out->denominator, &we, &we);
    *parameter = quotient(&we, &out->denominator);
    return 1;
}

static int corner_edge(const corners *c, int i, int j, fraction *out)
{
    double t;
    const int found = point_edge(c, c->a[i], c->b[j], c->b[next_corner[j]], out, &t);
    out->features = (tmb_feature_pair){TMB_EDGE_EDGE, i, j, 0.0, found ? t : 0.0};
    return found;
}

static int edge_corner(const corners *c, int i, int j, fraction *out)
{
    double s;
    const int found = point_edge(c, c->b[j], c->a[i], c->a[next_corner[i]], out, &s);
    out->features = (tmb_feature_pair){TMB_EDGE_EDGE, i, j, found ? s : 0.0, 0.0};
    return found;
}

/* (w . n)^2 */
static void squared_height(tmb_bigint *out, const vector *w, const vector *n)
{
    tmb_bigint height;
    dot(&height, w, n);
    tmb_bigint_multiply(out, &height, &height);
}

/* s = ((w . E) |F|^2 - (E . F) (w . F)) / |n|^2 and t = ((E . F) (w . E) - |E|^2 (w . F)) / |n|^2. */
static int edge_edge(const corners *c, int i, int j, fraction *out)
{
    vector w, e, f, n;
    tmb_bigint ee, ef, ff, we, wf, s, t;
    between(&e, c, c->a[i], c->a[next_corner[i]]);
    between(&f, c, c->b[j], c->b[next_corner[j]]);
    cross(&n, &e, &f);
    dot(&out->denominator, &n, &n);
    if (out->denominator.sign == 0) {
        return 0;
    }
    between(&w, c, c->a[i], c->b[j]);
    dot(&ee, &e, &e);
    dot(&ef, &e, &f);
    dot(&ff, &f, &f);
    dot(&we, &w, &e);
    dot(&wf, &w, &f);
    minor(&s, &we, &ff, &ef, &wf);
    minor(&t, &ef, &we, &ee, &wf);
    if (!in_unit(&s, &out->denominator) || !in_unit(&t, &out->denominator)) {
        return 0;
    }
    squared_height(&out->numerator, &w, &n);
    out->features =
        (tmb_feature_pair){TMB_EDGE_EDGE, i, j, quotient(&s, &out->denominator), quotient(&t, &out->denominator)};
    return 1;
}

/* s = (w x E') . n / |n|^2 and t = (E x w) . n / |n|^2. */
static int point_face(const corners *c, const double point[3], const double face[3][3], fraction *out, double *s_out,
                      double *t_out)
{
    vector w, e0, e1, n, moment;
    tmb_bigint s, t, sum;
    between(&w, c, face[0], point);
    between(&e0, c, face[0], face[1]);
    between(&e1, c, face[0], face[2]);
    cross(&n, &e0, &e1);
    dot(&out->denominator, &n, &n);
    cross(&moment, &w, &e1);
    dot(&s, &moment, &n);
    cross(&moment, &e0, &w);
    dot(&t, &moment, &n);
    tmb_bigint_add(&sum, &s, &t);
    if (out->denominator.sign == 0 || s.sign < 0 || t.sign < 0 || !in_unit(&sum, &out->denominator)) {
        return 0;
    }
    squared_height(&out->numerator, &w, &n);
    *s_out = quotient(&s, &out->denominator);
    *t_out = quotient(&t, &out->denominator);
    return 1;
}

static int corner_face(const corners *c, int i, fraction *out)
{
    double s = 0.0, t = 0.0;
    const int found = point_face(c, c->a[i], c->b, out, &s, &t);
    out->features = (tmb_feature_pair){TMB_CORNER_FACE, i, 0, s, t};
    return found;
}

static int face_corner(const corners *c, int j, fraction *out)
{
    double s = 0.0, t = 0.0;
    const int found = point_face(c, c->b[j], c->a, out, &s, &t);
    out->features = (tmb_feature_pair){TMB_FACE_CORNER, 0, j, s, t};
    return found;
}

/* All candidates that are distances of two points of the triangles, the least one among them. Stops when the callback
 * returns nonzero. */
static int each_fraction(const corners *c, fraction_callback *callback, void *user)
{
    fraction squared;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int stop = (corner_corner(c, i, j, &squared) && callback(user, &squared, c->unit)) ||
                             (corner_edge(c, i, j, &squared) && callback(user, &squared, c->unit)) ||
                             (edge_corner(c, i, j, &squared) && callback(user, &squared, c->unit)) ||
                             (edge_edge(c, i, j, &squared) && callback(user, &squared, c->unit));
            if (stop) {
                return 1;
            }
        }
        if ((corner_face(c, i, &squared) && callback(user, &squared, c->unit)) ||
            (face_corner(c, i, &squared) && callback(user, &squared, c->unit))) {
            return 1;
        }
    }
    return 0;
}

/* The root, times 2^unit. The conversions are right to 2 u each and so is the root of the quotient to 4 u. */
static tmb_scaled distance_of(const fraction *squared, int unit)
{
    TMB_ASSERT(squared->denominator.sign > 0 && squared->numerator.sign >= 0);
    int up, down;
    const double top = tmb_bigint_to_double(&squared->numerator, &up);
    const double bottom = tmb_bigint_to_double(&squared->denominator, &down);
    const int odd = (up - down) & 1;
    return tmb_scaled_of(sqrt((odd ? 2.0 : 1.0) * (top / bottom)), (up - down - odd) / 2 + unit);
}

typedef struct least_distance {
    tmb_scaled value;
    tmb_feature_pair features;
} least_distance;

static int take_least(void *user, const fraction *squared, int unit)
{
    least_distance *least = user;
    const tmb_scaled value = distance_of(squared, unit);
    if (least->value.digits < 0.0 || tmb_scaled_compare(value, least->value) < 0) {
        *least = (least_distance){value, squared->features};
    }
    return 0;
}

void tmb_exact_distance(const double a[3][3], const double b[3][3], tmb_triangle_distance *out,
                        tmb_feature_pair *features)
{
    TMB_ASSERT(tmb_all_finite(a[0], 9) && tmb_all_finite(b[0], 9));
    TMB_ASSERT_SLOW(!tmb_triangles_intersect(a, b, NULL));
    const corners c = prepare(a, b);
    least_distance least = {{-1.0, 0}, {TMB_EDGE_EDGE, 0, 0, 0.0, 0.0}};
    (void)each_fraction(&c, take_least, &least);
    const double value = tmb_scaled_nearest(least.value);
    *features = least.features;
    out->scaled = least.value;
    out->value = value == 0.0 ? DBL_TRUE_MIN : value; /* it underflowed: they do not intersect */
    out->lower = nextafter(value * (1.0 - TMB_EXACT_DISTANCE_ROUNDING), 0.0);
    out->upper = nextafter(value * (1.0 + TMB_EXACT_DISTANCE_ROUNDING), INFINITY);
}

/* limit^2 times the denominator, and the unit of this. The limit is an integer of 53 bits times a power of two. */
static int square_limit(const tmb_scaled *limit, const fraction *squared, tmb_bigint *right)
{
    tmb_bigint integer, square;
    int exponent;
    const double digits = frexp(limit->digits, &exponent);
    tmb_bigint_from_double(&integer, ldexp(digits, DBL_MANT_DIG), 0);
    tmb_bigint_multiply(&square, &integer, &integer);
    tmb_bigint_multiply(right, &square, &squared->denominator);
    return 2 * (limit->exponent + exponent - DBL_MANT_DIG);
}

/* squared <= limit^2. */
static int is_within(void *user, const fraction *squared, int unit)
{
    tmb_bigint right;
    const int right_unit = square_limit(user, squared, &right);
    return tmb_bigint_at_most(&squared->numerator, 2 * unit, &right, right_unit);
}

/* squared < limit^2. */
static int is_closer(void *user, const fraction *squared, int unit)
{
    tmb_bigint right;
    const int right_unit = square_limit(user, squared, &right);
    return !tmb_bigint_at_most(&right, right_unit, &squared->numerator, 2 * unit);
}

int tmb_exact_within(const double a[3][3], const double b[3][3], tmb_scaled limit)
{
    TMB_ASSERT(limit.digits >= 0.0 && isfinite(limit.digits));
    TMB_ASSERT(tmb_all_finite(a[0], 9) && tmb_all_finite(b[0], 9));
    const corners c = prepare(a, b);
    return each_fraction(&c, is_within, &limit);
}

int tmb_exact_closer(const double a[3][3], const double b[3][3], tmb_scaled limit)
{
    TMB_ASSERT(limit.digits > 0.0 && isfinite(limit.digits));
    TMB_ASSERT(tmb_all_finite(a[0], 9) && tmb_all_finite(b[0], 9));
    const corners c = prepare(a, b);
    return each_fraction(&c, is_closer, &limit);
}
