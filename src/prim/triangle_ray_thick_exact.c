/* Rays and triangles with a radius, exactly: parameters are roots of quadratic equations whose coefficients are
 * polynomials in the coordinates. Signs of sums of numbers and square roots are found by squaring. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "prim/triangle_ray_thick.h"

typedef tmb_bigfloat_pool pool_t;
typedef tmb_bigfloat number;

static number add(pool_t *p, number a, number b)
{
    return tmb_bigfloat_add(p, a, b);
}

static number minus(pool_t *p, number a, number b)
{
    return tmb_bigfloat_subtract(p, a, b);
}

static number times(pool_t *p, number a, number b)
{
    return tmb_bigfloat_multiply(p, a, b);
}

static number square(pool_t *p, number a)
{
    return times(p, a, a);
}

static number with_sign(number a, int sign)
{
    a.sign *= sign;
    return a;
}

/* ---- Vectors ---- */

typedef struct vector {
    number at[3];
} vector;

static vector vector_between(pool_t *p, const double from[3], const double to[3])
{
    vector v;
    for (int k = 0; k < 3; k++) {
        v.at[k] = minus(p, tmb_bigfloat_of(p, to[k]), tmb_bigfloat_of(p, from[k]));
    }
    return v;
}

static number dot(pool_t *p, const vector *a, const vector *b)
{
    const number xy = add(p, times(p, a->at[0], b->at[0]), times(p, a->at[1], b->at[1]));
    return add(p, xy, times(p, a->at[2], b->at[2]));
}

static vector cross(pool_t *p, const vector *a, const vector *b)
{
    vector v;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        v.at[k] = minus(p, times(p, a->at[i], b->at[j]), times(p, a->at[j], b->at[i]));
    }
    return v;
}

/* ---- Signs ---- */

/* Of x + y * root of d, d >= 0. */
static int sign_with_root(pool_t *p, number x, number y, number d)
{
    const int other = d.sign == 0 ? 0 : y.sign;
    if (x.sign == other || other == 0) {
        return x.sign;
    }
    if (x.sign == 0) {
        return other;
    }
    return x.sign * tmb_bigfloat_compare(square(p, x), times(p, square(p, y), d));
}

/* Of x + y * root of d + z * root of e: where the parts differ in sign, their squares are compared. */
static int sign_with_roots(pool_t *p, number x, number y, number d, number z, number e)
{
    const int first = sign_with_root(p, x, y, d), other = e.sign == 0 ? 0 : z.sign;
    if (first == other || other == 0) {
        return first;
    }
    if (first == 0) {
        return other;
    }
    const number squares = add(p, square(p, x), times(p, square(p, y), d));
    const number rest = minus(p, squares, times(p, square(p, z), e)), mixed = times(p, x, y);
    return first * sign_with_root(p, rest, add(p, mixed, mixed), d);
}

/* Of x + y t at a parameter t. */
static int sign_at(pool_t *p, const tmb_exact_parameter *t, number x, number y)
{
    if (t->way == 0) {
        return add(p, x, times(p, y, t->b)).sign;
    }
    return sign_with_root(p, minus(p, times(p, x, t->a), times(p, y, t->b)), with_sign(y, -t->way), t->d);
}

/* ---- The pieces ---- */

/* a r^2 - b */
static number excess(pool_t *p, number a, double radius, number b)
{
    const number r = tmb_bigfloat_of(p, radius);
    return minus(p, times(p, a, square(p, r)), b);
}

typedef struct question {
    pool_t *pool;
    const tmb_ray *ray;
    const tmb_thick_triangle *triangle;
    vector d;
} question;

static vector from_corner(const question *q, int corner)
{
    return vector_between(q->pool, q->triangle->corners[corner], q->ray->origin);
}

static int meet_ball(const question *q, int corner, tmb_exact_parameter *t)
{
    pool_t *p = q->pool;
    const vector w = from_corner(q, corner), m = cross(p, &q->d, &w);
    t->a = dot(p, &q->d, &q->d);
    t->b = dot(p, &q->d, &w);
    t->d = excess(p, t->a, q->triangle->radius, dot(p, &m, &m));
    return t->d.sign >= 0;
}

/* In the plane of an end, at t = -(e . w) / (e . d), where the point is (e . d) w - (e . w) d, divided by e . d. */
static int meet_disc(const question *q, int corner, const double other[3], tmb_exact_parameter *t)
{
    pool_t *p = q->pool;
    const vector e = vector_between(p, q->triangle->corners[corner], other), w = from_corner(q, corner);
    const number rise = dot(p, &e, &q->d), height = dot(p, &e, &w);
    t->a = square(p, rise);
    t->b = times(p, rise, height);
    t->d = tmb_bigfloat_of(p, 0);
    if (t->a.sign == 0) {
        return 0;
    }
    vector x;
    for (int k = 0; k < 3; k++) {
        x.at[k] = minus(p, times(p, rise, w.at[k]), times(p, height, q->d.at[k]));
    }
    const vector aside = cross(p, &x, &e);
    return excess(p, times(p, t->a, dot(p, &e, &e)), q->triangle->radius, dot(p, &aside, &aside)).sign >= 0;
}

static int meet_corner(const question *q, int corner, tmb_exact_parameter *t)
{
    const double *other = tmb_thick_other_end(q->triangle, corner);
    return other ? meet_disc(q, corner, other, t) : meet_ball(q, corner, t);
}

/* The infinite one; then whether the point is beside the edge. */
static int meet_cylinder(const question *q, int edge, tmb_exact_parameter *t)
{
    pool_t *p = q->pool;
    const vector e = vector_between(p, q->triangle->corners[edge], q->triangle->corners[(edge + 1) % 3]);
    const vector w = from_corner(q, edge), m = cross(p, &q->d, &e), k = cross(p, &w, &e);
    const number ee = dot(p, &e, &e);
    t->a = dot(p, &m, &m);
    t->b = dot(p, &m, &k);
    t->d = times(p, ee, excess(p, t->a, q->triangle->radius, square(p, dot(p, &w, &m))));
    if (t->a.sign == 0 || t->d.sign < 0) {
        return 0;
    }
    const number start = dot(p, &e, &w), along = dot(p, &e, &q->d);
    return sign_at(p, t, start, along) >= 0 && sign_at(p, t, minus(p, ee, start), tmb_bigfloat_negate(along)) >= 0;
}

/* Between both planes, then whether the point is on the inner side of all edges. */
static int meet_prism(const question *q, tmb_exact_parameter *t)
{
    pool_t *p = q->pool;
    const double(*c)[3] = q->triangle->corners;
    const vector u = vector_between(p, c[0], c[1]), v = vector_between(p, c[0], c[2]), n = cross(p, &u, &v);
    const vector w = from_corner(q, 0);
    const number rise = dot(p, &n, &q->d), r = tmb_bigfloat_of(p, q->triangle->radius);
    t->a = square(p, rise);
    t->b = times(p, rise, dot(p, &n, &w));
    t->d = times(p, t->a, times(p, square(p, r), dot(p, &n, &n)));
    int inside = t->a.sign != 0;
    for (int i = 0; i < 3 && inside; i++) {
        const vector e = vector_between(p, c[i], c[(i + 1) % 3]), from = from_corner(q, i);
        const vector at_start = cross(p, &e, &from), along = cross(p, &e, &q->d);
        inside = sign_at(p, t, dot(p, &n, &at_start), dot(p, &n, &along)) >= 0;
    }
    return inside;
}

static int meet_piece(const question *q, unsigned piece, tmb_exact_parameter *t)
{
    return piece < 3                 ? meet_corner(q, (int)piece, t)
           : piece < TMB_THICK_PRISM ? meet_cylinder(q, (int)piece - 3, t)
                                     : meet_prism(q, t);
}

static question question_of(pool_t *p, const tmb_ray *ray, const tmb_thick_triangle *triangle)
{
    static const double zero[3] = {0, 0, 0};
    return (question){p, ray, triangle, vector_between(p, zero, ray->direction)};
}

int tmb_exact_passage(const tmb_ray *ray, const tmb_thick_triangle *triangle, int way, unsigned sure, unsigned unsure,
                      pool_t *pool, tmb_exact_parameter *out, unsigned *piece)
{
    const question q = question_of(pool, ray, triangle);
    int found = 0;
    for (unsigned i = 0; i < TMB_THICK_PIECES; i++) {
        tmb_exact_parameter t = {.way = way};
        if (((sure | unsure) >> i & 1) && meet_piece(&q, i, &t) &&
            (!found || way * tmb_exact_parameter_compare(&t, out, pool) < 0)) {
            *out = t;
            *piece = i;
            found = 1;
        }
    }
    return found;
}

/* ---- Parameters ---- */

static tmb_exact_parameter parameter_of_double(pool_t *p, double t)
{
    return (tmb_exact_parameter){.way = 0, .a = tmb_bigfloat_of(p, 1), .b = tmb_bigfloat_of(p, t)};
}

/* Points of triangles without a radius are on the prism, cylinders and balls of the radius 0. */
tmb_exact_parameter tmb_exact_parameter_of(const tmb_ray *ray, const tmb_thick_triangle *triangle,
                                           const tmb_ray_point *point, pool_t *pool)
{
    const question q = question_of(pool, ray, triangle);
    tmb_exact_parameter t = {.way = 1};
    unsigned piece = 0;
    switch (point->kind) {
    case TMB_RAY_START: return parameter_of_double(pool, ray->first);
    case TMB_RAY_CROSSING: (void)meet_prism(&q, &t); break;
    case TMB_RAY_CORNER: (void)meet_ball(&q, point->from, &t); break;
    case TMB_RAY_EDGE: (void)meet_cylinder(&q, point->from, &t); break;
    case TMB_RAY_ROUND: {
        const int found =
            tmb_exact_passage(ray, triangle, 1, (unsigned)point->from, (unsigned)point->to, pool, &t, &piece);
        TMB_ASSERT(found || pool->failed);
        (void)found;
        break;
    }
    }
    return t;
}

/* Of a / b - v, b being 1 where the way is 0. */
static int sign_against(pool_t *p, const tmb_exact_parameter *t, number v)
{
    return sign_at(p, t, tmb_bigfloat_negate(v), tmb_bigfloat_of(p, 1));
}

int tmb_exact_parameter_compare(const tmb_exact_parameter *a, const tmb_exact_parameter *b, pool_t *p)
{
    if (a->way == 0) {
        return -sign_against(p, b, a->b);
    }
    if (b->way == 0) {
        return sign_against(p, a, b->b);
    }
    const number x = minus(p, times(p, a->a, b->b), times(p, b->a, a->b));
    return sign_with_roots(p, x, with_sign(b->a, -a->way), a->d, with_sign(a->a, b->way), b->d);
}

int tmb_exact_parameter_against(const tmb_exact_parameter *a, double limit, pool_t *pool)
{
    return isinf(limit) ? (limit > 0 ? -1 : 1) : sign_against(pool, a, tmb_bigfloat_of(pool, limit));
}

/* ---- Rounded ---- */

/* Doubles as numbers in their order. */
static int64_t key_of(double x)
{
    int64_t bits;
    const double size = fabs(x);
    memcpy(&bits, &size, sizeof bits);
    return x < 0 ? -bits : bits;
}

static double of_key(int64_t key)
{
    const int64_t bits = key < 0 ? -key : key;
    double size;
    memcpy(&size, &bits, sizeof size);
    return key < 0 ? -size : size;
}

/* Infinity stands for the number that would be the next double. */
static number number_of(pool_t *p, double x)
{
    const number half = tmb_bigfloat_of(p, isinf(x) ? copysign(0x1p1023, x) : x);
    return isinf(x) ? add(p, half, half) : half;
}

/* Whether the parameter, rounded, is at least the double of this key: it is compared with the middle between it and the
 * one before. */
static int is_at_least(pool_t *p, const tmb_exact_parameter *t, int64_t key)
{
    const number sum = add(p, number_of(p, of_key(key)), number_of(p, of_key(key - 1)));
    const int sign = sign_at(p, t, tmb_bigfloat_negate(sum), tmb_bigfloat_of(p, 2));
    return sign > 0 || (sign == 0 && key % 2 == 0);
}

double tmb_exact_parameter_round(const tmb_exact_parameter *t, double low, double high, pool_t *pool)
{
    int64_t least = key_of(isnan(low) ? -INFINITY : low), most = key_of(isnan(high) ? INFINITY : high);
    while (least < most) {
        const int64_t middle = most - (int64_t)(((uint64_t)most - (uint64_t)least) / 2);
        if (is_at_least(pool, t, middle)) {
            least = middle;
        } else {
            most = middle - 1;
        }
    }
    return of_key(least);
}
