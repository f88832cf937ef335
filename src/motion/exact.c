/* The first contact of two triangles that do not turn, exactly.
 *
 * They are in contact at time t if t times the relative translation is a difference of a point of A and a point of B.
 * These differences are a convex polytope, with edges parallel to those of the triangles. A line meets a convex
 * polytope in the intersection of what its slabs leave: pairs of parallel planes around it, as many as it has facets.
 * See docs/motion.md. */
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "motion/exact.h"

typedef tmb_bigfloat number;

typedef struct vector {
    number x[3];
} vector;

typedef tmb_big_fraction fraction;

typedef struct contact {
    tmb_bigfloat_pool *pool;
    vector corners[2][3], edges[6], way; /* of B relative to A */
    fraction first, last;                /* the times that are left */
    vector stop;                         /* the normal of the slab that ends them */
    int is_empty;
    int is_rim; /* the way stays on the surface of the polytope */
} contact;

/* ---- Vectors ---- */

static number product(const contact *c, const vector *a, const vector *b)
{
    number sum = tmb_bigfloat_multiply(c->pool, a->x[0], b->x[0]);
    for (int k = 1; k < 3; k++) {
        sum = tmb_bigfloat_add(c->pool, sum, tmb_bigfloat_multiply(c->pool, a->x[k], b->x[k]));
    }
    return sum;
}

static vector minus(const contact *c, const vector *a, const vector *b)
{
    vector out;
    for (int k = 0; k < 3; k++) {
        out.x[k] = tmb_bigfloat_subtract(c->pool, a->x[k], b->x[k]);
    }
    return out;
}

static vector cross(const contact *c, const vector *a, const vector *b)
{
    vector out;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out.x[k] = tmb_bigfloat_subtract(c->pool, tmb_bigfloat_multiply(c->pool, a->x[i], b->x[j]),
                                         tmb_bigfloat_multiply(c->pool, a->x[j], b->x[i]));
    }
    return out;
}

static int is_zero(const vector *v)
{
    return v->x[0].sign == 0 && v->x[1].sign == 0 && v->x[2].sign == 0;
}

static vector vector_of(const contact *c, const double v[3])
{
    vector out;
    for (int k = 0; k < 3; k++) {
        out.x[k] = tmb_bigfloat_of(c->pool, v[k]);
    }
    return out;
}

/* ---- Slabs ---- */

static int compare(const contact *c, const fraction *a, const fraction *b)
{
    return tmb_big_fraction_compare(c->pool, a, b);
}

static void extent(const contact *c, const vector *n, const vector corners[3], number *least, number *most)
{
    *least = *most = product(c, n, &corners[0]);
    for (int i = 1; i < 3; i++) {
        const number x = product(c, n, &corners[i]);
        *least = tmb_bigfloat_compare(x, *least) < 0 ? x : *least;
        *most = tmb_bigfloat_compare(x, *most) > 0 ? x : *most;
    }
}

/* Leaves the times at which the way is between two parallel planes around the polytope. */
static void cut_slab(contact *c, const vector *n)
{
    vector outward = *n;
    number least[2], most[2], speed = product(c, n, &c->way);
    extent(c, n, c->corners[0], &least[0], &most[0]);
    extent(c, n, c->corners[1], &least[1], &most[1]);
    number lower = tmb_bigfloat_subtract(c->pool, least[0], most[1]);
    number upper = tmb_bigfloat_subtract(c->pool, most[0], least[1]);
    if (speed.sign == 0) {
        c->is_empty = c->is_empty || lower.sign > 0 || upper.sign < 0;
        c->is_rim = c->is_rim || lower.sign == 0 || upper.sign == 0;
        return;
    }
    if (speed.sign < 0) {
        const number other = tmb_bigfloat_negate(lower);
        lower = tmb_bigfloat_negate(upper);
        upper = other;
        speed = tmb_bigfloat_negate(speed);
        for (int k = 0; k < 3; k++) {
            outward.x[k] = tmb_bigfloat_negate(outward.x[k]);
        }
    }
    const fraction from = {lower, speed}, to = {upper, speed};
    c->first = compare(c, &from, &c->first) > 0 ? from : c->first;
    if (compare(c, &to, &c->last) < 0) {
        c->last = to;
        c->stop = outward;
    }
    c->is_empty = c->is_empty || compare(c, &c->first, &c->last) > 0;
}

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* A polytope that is a segment or a point. */
static void cut_thin(contact *c)
{
    vector along = vector_of(c, axes[0]);
    int is_point = 1;
    for (int i = 0; i < 6 && is_point; i++) {
        if (!is_zero(&c->edges[i])) {
            along = c->edges[i];
            is_point = 0;
        }
    }
    if (!is_point) {
        cut_slab(c, &along);
    }
    for (int k = 0; k < 3 && !c->is_empty; k++) {
        const vector axis = vector_of(c, axes[k]), n = is_point ? axis : cross(c, &along, &axis);
        cut_slab(c, &n);
    }
}

/* A polygon in the plane with this normal: its sides; a solid has none. */
static void cut_flat(contact *c, const vector *normal)
{
    for (int i = 0; i < 6; i++) {
        if (product(c, normal, &c->edges[i]).sign != 0) {
            return;
        }
    }
    c->is_rim = 1;
    for (int i = 0; i < 6 && !c->is_empty; i++) {
        const vector n = cross(c, normal, &c->edges[i]);
        if (!is_zero(&n)) {
            cut_slab(c, &n);
        }
    }
}

/* Facets are spanned by two edges: those of one triangle, or one of each. What is not a solid, or comes from a triangle
 * without area, is all rim. */
static void cut_all(contact *c)
{
    static const int pairs[11][2] = {{0, 1}, {3, 4}, {0, 3}, {0, 4}, {0, 5}, {1, 3},
                                     {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}};
    vector normal;
    int has_normal = 0;
    for (int i = 0; i < 11 && !c->is_empty; i++) {
        const vector n = cross(c, &c->edges[pairs[i][0]], &c->edges[pairs[i][1]]);
        if (!is_zero(&n)) {
            cut_slab(c, &n);
            normal = n;
            has_normal = 1;
        } else {
            c->is_rim = c->is_rim || i < 2;
        }
    }
    if (c->is_empty) {
        return;
    }
    if (has_normal) {
        cut_flat(c, &normal);
    } else {
        cut_thin(c);
    }
}

/* ---- The question ---- */

static void place(contact *c, int side, const tumble_pose *pose, const double corners[3][3])
{
    for (int i = 0; i < 3; i++) {
        const vector x = vector_of(c, corners[i]);
        for (int k = 0; k < 3; k++) {
            const vector row = vector_of(c, pose->m[k]);
            c->corners[side][i].x[k] =
                tmb_bigfloat_add(c->pool, product(c, &row, &x), tmb_bigfloat_of(c->pool, pose->m[k][3]));
        }
    }
    for (int i = 0; i < 3; i++) {
        c->edges[3 * side + i] = minus(c, &c->corners[side][(i + 1) % 3], &c->corners[side][i]);
    }
}

/* Sign of x - fraction. */
static int compare_double(tmb_bigfloat_pool *pool, double x, const tmb_big_fraction *f)
{
    return tmb_bigfloat_compare(tmb_bigfloat_multiply(pool, tmb_bigfloat_of(pool, x), f->den), f->num);
}

void tmb_big_fraction_round(tmb_bigfloat_pool *pool, const tmb_big_fraction *f, double most, double *below,
                            double *above)
{
    double x = f->num.sign == 0 ? 0 : tmb_bigfloat_quotient(f->num, f->den);
    x = x < most ? x : most;
    while (!pool->failed && compare_double(pool, x, f) > 0) {
        x = nextafter(x, 0);
    }
    while (!pool->failed && x < most && compare_double(pool, nextafter(x, most), f) <= 0) {
        x = nextafter(x, most);
    }
    *below = x;
    *above = compare_double(pool, x, f) == 0 ? x : nextafter(x, INFINITY);
}

int tmb_big_fraction_compare(tmb_bigfloat_pool *pool, const tmb_big_fraction *a, const tmb_big_fraction *b)
{
    return tmb_bigfloat_compare(tmb_bigfloat_multiply(pool, a->num, b->den),
                                tmb_bigfloat_multiply(pool, b->num, a->den));
}

int tmb_exact_contact(tmb_bigfloat_pool *pool, const tumble_motion *motions[2], const double a[3][3],
                      const double b[3][3], double begin, double end, double *below, double *above)
{
    contact c = {.pool = pool};
    const number one = tmb_bigfloat_of(pool, 1);
    const vector ways[2] = {vector_of(&c, motions[0]->translation), vector_of(&c, motions[1]->translation)};
    place(&c, 0, &motions[0]->from, a);
    place(&c, 1, &motions[1]->from, b);
    c.way = minus(&c, &ways[1], &ways[0]);
    c.first = (fraction){tmb_bigfloat_of(pool, begin), one};
    c.last = (fraction){tmb_bigfloat_of(pool, end), one};
    cut_all(&c);
    if (pool->failed) {
        return -1;
    }
    if (!c.is_empty) {
        tmb_big_fraction_round(pool, &c.first, 1, below, above);
    }
    return pool->failed ? -1 : !c.is_empty;
}

/* A vector in doubles, of which the largest coordinate is 1 or -1. */
static void direction_of(const vector *v, double out[3])
{
    int largest = 0;
    for (int k = 1; k < 3; k++) {
        number x = v->x[k], most = v->x[largest];
        x.sign = x.sign != 0;
        most.sign = most.sign != 0;
        largest = tmb_bigfloat_compare(x, most) > 0 ? k : largest;
    }
    number most = v->x[largest];
    most.sign = most.sign != 0;
    for (int k = 0; k < 3; k++) {
        out[k] = v->x[k].sign && most.sign ? tmb_bigfloat_quotient(v->x[k], most) : 0;
    }
}

int tmb_exact_span(tmb_bigfloat_pool *pool, const tumble_pose *const poses[2], const double way[3],
                   const double a[3][3], const double b[3][3], tmb_big_fraction *first, tmb_big_fraction *last,
                   double stop[3], int *passes)
{
    contact c = {.pool = pool};
    const number one = tmb_bigfloat_of(pool, 1);
    place(&c, 0, poses[0], a);
    place(&c, 1, poses[1], b);
    c.way = vector_of(&c, way);
    c.first = (fraction){tmb_bigfloat_of(pool, 0), one};
    c.last = (fraction){tmb_bigfloat_of(pool, DBL_MAX), one};
    cut_all(&c);
    if (!pool->failed && !c.is_empty) {
        *first = c.first;
        *last = c.last;
        *passes = !c.is_rim && compare(&c, first, last) < 0;
        direction_of(&c.stop, stop);
    }
    return pool->failed ? -1 : !c.is_empty;
}
