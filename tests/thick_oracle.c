#include "thick_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum {
    BITS = 1536,
    EQUAL = 700,
    NUMBERS = 6000
};

/* A number of the pool. */
typedef mpf_ptr real;

typedef struct oracle_hit {
    real t;
    tumble_ray_hit hit;
} oracle_hit;

struct thick_oracle {
    mpf_t numbers[NUMBERS];
    size_t used;
    ray_oracle *thin;
    oracle_hit *hits;
    mpf_t *parameters; /* of the hits */
    tumble_ray_hit *plain;
    size_t capacity;
};

static thick_oracle *current;

thick_oracle *thick_oracle_create(void)
{
    thick_oracle *o = calloc(1, sizeof *o);
    assert_non_null(o);
    for (int i = 0; i < NUMBERS; i++) {
        mpf_init2(o->numbers[i], BITS);
    }
    o->thin = ray_oracle_create();
    return o;
}

void thick_oracle_destroy(thick_oracle *o)
{
    for (int i = 0; i < NUMBERS; i++) {
        mpf_clear(o->numbers[i]);
    }
    for (size_t i = 0; i < o->capacity; i++) {
        mpf_clear(o->parameters[i]);
    }
    ray_oracle_destroy(o->thin);
    free(o->parameters);
    free(o->hits);
    free(o->plain);
    free(o);
}

/* ---- Arithmetic ---- */

static real fresh(void)
{
    assert_true(current->used < NUMBERS);
    return current->numbers[current->used++];
}

#define BINARY(name, function)       \
    static real name(real a, real b) \
    {                                \
        const real out = fresh();    \
        function(out, a, b);         \
        return out;                  \
    }
BINARY(plus, mpf_add)
BINARY(minus, mpf_sub)
BINARY(times, mpf_mul)
BINARY(over, mpf_div)

static real of(double x)
{
    const real out = fresh();
    mpf_set_d(out, x);
    return out;
}

static real root(real a)
{
    const real out = fresh();
    mpf_sqrt(out, a);
    return out;
}

/* Sign of a - b, 0 where they differ by less than their size and that of a third number can tell. */
static int compare(real a, real b, real size)
{
    mpf_t gap, sizes, more;
    mpf_init2(gap, BITS);
    mpf_init2(sizes, BITS);
    mpf_init2(more, BITS);
    mpf_sub(gap, a, b);
    const int sign = mpf_sgn(gap);
    mpf_abs(gap, gap);
    mpf_abs(sizes, a);
    mpf_abs(more, b);
    mpf_add(sizes, sizes, more);
    mpf_abs(more, size);
    mpf_add(sizes, sizes, more);
    mpf_div_2exp(sizes, sizes, EQUAL);
    const int differ = mpf_cmp(gap, sizes) > 0;
    mpf_clears(gap, sizes, more, NULL);
    return differ ? sign : 0;
}

typedef struct vector {
    real at[3];
} vector;

static vector between(const double from[3], const double to[3])
{
    vector v;
    for (int k = 0; k < 3; k++) {
        v.at[k] = minus(of(to[k]), of(from[k]));
    }
    return v;
}

static real dot(vector a, vector b)
{
    return plus(plus(times(a.at[0], b.at[0]), times(a.at[1], b.at[1])), times(a.at[2], b.at[2]));
}

static vector cross(vector a, vector b)
{
    vector v;
    for (int k = 0; k < 3; k++) {
        v.at[k] = minus(times(a.at[(k + 1) % 3], b.at[(k + 2) % 3]), times(a.at[(k + 2) % 3], b.at[(k + 1) % 3]));
    }
    return v;
}

static vector along(vector a, vector d, real t)
{
    vector v;
    for (int k = 0; k < 3; k++) {
        v.at[k] = plus(a.at[k], times(t, d.at[k]));
    }
    return v;
}

/* ---- The squared distance of a point from a triangle ---- */

static real from_segment(vector w, vector e)
{
    const real ee = dot(e, e), we = dot(w, e);
    real s = of(0);
    if (mpf_sgn(ee) > 0 && mpf_sgn(we) > 0) {
        s = mpf_cmp(we, ee) > 0 ? of(1) : over(we, ee);
    }
    const vector rest = along(w, e, minus(of(0), s));
    return dot(rest, rest);
}

/* w[i] leads from corner i to the point. */
static real squared_distance(const double c[3][3], const vector w[3])
{
    const vector n = cross(between(c[0], c[1]), between(c[0], c[2]));
    const real nn = dot(n, n);
    int above = mpf_sgn(nn) > 0;
    real least = NULL;
    for (int i = 0; i < 3; i++) {
        const vector e = between(c[i], c[(i + 1) % 3]);
        const real own = from_segment(w[i], e);
        least = !least || mpf_cmp(own, least) < 0 ? own : least;
        above = above && mpf_sgn(dot(n, cross(e, w[i]))) >= 0;
    }
    if (above) {
        const real height = dot(n, w[0]);
        return over(times(height, height), nn);
    }
    return least;
}

/* ---- A ray ---- */

/* Where a ray is in a solid: from a parameter to another. */
typedef struct stay {
    real first, last;
} stay;

/* A point of the ray that may be an end of the stay is one of it if it is in the solid. */
static void try_point(real t, const double c[3][3], const vector w[3], vector d, real radius, stay *s)
{
    vector x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = along(w[i], d, t);
    }
    if (compare(squared_distance(c, x), times(radius, radius), dot(w[0], w[0])) <= 0) {
        s->first = !s->first || mpf_cmp(t, s->first) < 0 ? t : s->first;
        s->last = !s->last || mpf_cmp(t, s->last) > 0 ? t : s->last;
    }
}

/* Where a t^2 + 2 b t + c = 0. */
static void try_roots(real a, real b, real c, const double corners[3][3], const vector w[3], vector d, real radius,
                      stay *s)
{
    const real bb = times(b, b), ac = times(a, c);
    if (mpf_sgn(a) == 0 || compare(bb, ac, of(0)) < 0) {
        return;
    }
    const real rest = compare(bb, ac, of(0)) == 0 ? of(0) : root(minus(bb, ac)), low = minus(of(0), b);
    try_point(over(minus(low, rest), a), corners, w, d, radius, s);
    try_point(over(plus(low, rest), a), corners, w, d, radius, s);
}

/* All points of the ray at the radius from a corner, from the line of an edge, or from the plane. */
static int find_stay(const double c[3][3], double r, const oracle_ray *ray, stay *s)
{
    static const double zero[3] = {0, 0, 0};
    const vector d = between(zero, ray->direction), n = cross(between(c[0], c[1]), between(c[0], c[2]));
    const real radius = of(r), square = times(radius, radius);
    vector w[3];
    *s = (stay){NULL, NULL};
    for (int i = 0; i < 3; i++) {
        w[i] = between(c[i], ray->origin);
    }
    for (int i = 0; i < 3; i++) {
        const vector e = between(c[i], c[(i + 1) % 3]), de = cross(d, e), we = cross(w[i], e);
        try_roots(dot(d, d), dot(d, w[i]), minus(dot(w[i], w[i]), square), c, w, d, radius, s);
        try_roots(dot(de, de), dot(de, we), minus(dot(we, we), times(square, dot(e, e))), c, w, d, radius, s);
    }
    const real nd = dot(n, d), nw = dot(n, w[0]);
    try_roots(times(nd, nd), times(nd, nw), minus(times(nw, nw), times(square, dot(n, n))), c, w, d, radius, s);
    return s->first != NULL;
}

/* The middle of two corners farther from the line than the triangle and its radius reach: a quick look in doubles. */
static int is_far(const double c[3][3], double radius, const oracle_ray *ray)
{
    double reach = 0, w[3], m[3], mm = 0, dd = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        w[k] = ray->origin[k] - c[0][k];
        reach += fabs(c[1][k] - c[0][k]) + fabs(c[2][k] - c[0][k]);
        size += fabs(w[k]);
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        m[k] = ray->direction[i] * w[j] - ray->direction[j] * w[i];
        mm += m[k] * m[k];
        dd += ray->direction[k] * ray->direction[k];
    }
    return mm > 1e-200 && mm < 1e200 && dd > 1e-200 && dd < 1e200 &&
           sqrt(mm / dd) > (reach + radius) * 1.001 + 1e-9 * size;
}

static int is_after(real t, double limit)
{
    return isinf(limit) ? (limit > 0 ? -1 : 1) : compare(t, of(limit), of(1));
}

static int begins_in_range(const stay *s, const oracle_ray *ray, real t, tumble_side *side)
{
    if (is_after(s->first, ray->t1) > 0 || is_after(s->last, ray->t0) < 0) {
        return 0;
    }
    const int starts_inside = is_after(s->first, ray->t0) < 0;
    *side = starts_inside ? TUMBLE_SIDE_BACK : TUMBLE_SIDE_FRONT;
    mpf_set(t, starts_inside ? of(ray->t0) : s->first);
    return 1;
}

static int meets(const double c[3][3], double radius, const oracle_ray *ray, real t, tumble_side *side)
{
    stay s;
    return !is_far(c, radius, ray) && find_stay(c, radius, ray, &s) && begins_in_range(&s, ray, t, side);
}

/* ---- Cylinders ---- */

static void cut_stay(stay *s, real first, real last)
{
    s->first = !s->first || mpf_cmp(first, s->first) > 0 ? first : s->first;
    s->last = !s->last || mpf_cmp(last, s->last) < 0 ? last : s->last;
}

/* Between the planes through both ends; 0 if nowhere. */
static int cut_at_ends(vector e, vector w, vector d, stay *s)
{
    const real rise = dot(e, d), height = dot(e, w), length = dot(e, e);
    if (mpf_sgn(rise) == 0) {
        return mpf_sgn(height) >= 0 && mpf_cmp(height, length) <= 0;
    }
    const real bottom = over(minus(of(0), height), rise), top = over(minus(length, height), rise);
    cut_stay(s, mpf_sgn(rise) > 0 ? bottom : top, mpf_sgn(rise) > 0 ? top : bottom);
    return 1;
}

static int cut_at_side(vector e, vector w, vector d, real radius, stay *s)
{
    const vector de = cross(d, e), we = cross(w, e);
    const real a = dot(de, de), b = dot(de, we);
    const real c = minus(dot(we, we), times(times(radius, radius), dot(e, e)));
    if (mpf_sgn(a) == 0) {
        return mpf_sgn(c) <= 0;
    }
    const real bb = times(b, b), ac = times(a, c), low = minus(of(0), b);
    const int order = compare(bb, ac, of(0));
    const real rest = order > 0 ? root(minus(bb, ac)) : of(0);
    if (order >= 0) {
        cut_stay(s, over(minus(low, rest), a), over(plus(low, rest), a));
    }
    return order >= 0;
}

static int meets_cylinder(const double ends[6], double radius, const oracle_ray *ray, real t, tumble_side *side)
{
    static const double zero[3] = {0, 0, 0};
    const vector e = between(ends, ends + 3), w = between(ends, ray->origin), d = between(zero, ray->direction);
    stay s = {NULL, NULL};
    return cut_at_ends(e, w, d, &s) && cut_at_side(e, w, d, of(radius), &s) && compare(s.first, s.last, of(1)) <= 0 &&
           begins_in_range(&s, ray, t, side);
}

/* ---- Hits ---- */

static double nearest_double(real exact)
{
    const double inner = mpf_get_d(exact), outer = nextafter(inner, copysign(INFINITY, mpf_sgn(exact)));
    if (mpf_sgn(exact) == 0) {
        return 0;
    }
    const int order = compare(plus(exact, exact), plus(of(inner), of(outer)), of(0)) * mpf_sgn(exact);
    uint64_t bits;
    memcpy(&bits, &inner, sizeof bits);
    return order > 0 || (order == 0 && bits % 2) ? outer : inner;
}

static int compare_hits(const void *x, const void *y)
{
    const oracle_hit *a = x, *b = y;
    mpf_t one;
    mpf_init_set_d(one, 1);
    const int order = compare(a->t, b->t, one);
    mpf_clear(one);
    return order != 0 ? order : (a->hit.polygon > b->hit.polygon) - (a->hit.polygon < b->hit.polygon);
}

static void reserve(thick_oracle *o, size_t count)
{
    if (count <= o->capacity) {
        return;
    }
    o->parameters = realloc(o->parameters, count * sizeof *o->parameters);
    o->hits = realloc(o->hits, count * sizeof *o->hits);
    o->plain = realloc(o->plain, count * sizeof *o->plain);
    assert_true(o->parameters && o->hits && o->plain);
    for (; o->capacity < count; o->capacity++) {
        mpf_init2(o->parameters[o->capacity], BITS);
    }
}

static int find_hit(thick_oracle *o, const double c[3][3], double radius, const oracle_ray *ray, real t,
                    tumble_side *side)
{
    if (radius > 0) {
        return meets(c, radius, ray, t, side);
    }
    mpq_t exact;
    mpq_init(exact);
    const int found = ray_oracle_meets(o->thin, ray, c, exact, side, NULL);
    mpf_set_q(t, exact);
    mpq_clear(exact);
    return found;
}

static void keep_hit(thick_oracle *o, size_t place, size_t polygon, tumble_side side)
{
    o->hits[place].t = o->parameters[place];
    o->hits[place].hit = (tumble_ray_hit){.polygon = (uint32_t)polygon, .side = side};
    o->hits[place].hit.t = nearest_double(o->parameters[place]) + 0.0;
}

static size_t sort_hits(thick_oracle *o, size_t count, const tumble_ray_hit **hits)
{
    qsort(o->hits, count, sizeof *o->hits, compare_hits);
    for (size_t i = 0; i < count; i++) {
        o->plain[i] = o->hits[i].hit;
    }
    *hits = o->plain;
    return count;
}

size_t thick_oracle_ray(thick_oracle *o, const models_mesh *mesh, const double *radii, const oracle_ray *ray,
                        const tumble_ray_hit **hits)
{
    size_t count = 0;
    current = o;
    reserve(o, mesh->index_count / 3);
    for (size_t i = 0; i < mesh->index_count / 3; i++) {
        double corners[3][3];
        tumble_side side;
        o->used = 0;
        for (int k = 0; k < 9; k++) {
            corners[k / 3][k % 3] = mesh->points[3 * mesh->indices[3 * i + (size_t)k / 3] + (size_t)k % 3];
        }
        if (find_hit(o, (const double(*)[3])corners, radii[i], ray, o->parameters[count], &side)) {
            keep_hit(o, count++, i, side);
        }
    }
    return sort_hits(o, count, hits);
}

size_t thick_oracle_cylinders(thick_oracle *o, const double *ends, const double *radii, size_t cylinders,
                              const oracle_ray *ray, const tumble_ray_hit **hits)
{
    size_t count = 0;
    current = o;
    reserve(o, cylinders);
    for (size_t i = 0; i < cylinders; i++) {
        double corners[3][3];
        tumble_side side;
        o->used = 0;
        for (int k = 0; k < 9; k++) {
            corners[k / 3][k % 3] = ends[6 * i + (size_t)(k < 6 ? k : k - 3)];
        }
        if (radii[i] > 0 ? meets_cylinder(ends + 6 * i, radii[i], ray, o->parameters[count], &side)
                         : find_hit(o, (const double(*)[3])corners, 0, ray, o->parameters[count], &side)) {
            keep_hit(o, count++, i, side);
        }
    }
    return sort_hits(o, count, hits);
}
