#include "ray_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

typedef mpq_t vector[3];

typedef struct oracle_hit {
    mpq_t t;
    tumble_ray_hit hit;
} oracle_hit;

enum {
    SCRATCH = 12
};

struct ray_oracle {
    vector v[SCRATCH];
    mpq_t s[6];
    mpq_t lower, upper, factor, rest;
    int has_lower, has_upper, is_empty, touches; /* touches: an inequality is met with equality somewhere */
    oracle_hit *hits;
    tumble_ray_hit *plain;
    size_t capacity;
};

ray_oracle *ray_oracle_create(void)
{
    ray_oracle *o = calloc(1, sizeof *o);
    for (int i = 0; i < SCRATCH; i++)
        for (int k = 0; k < 3; k++)
            mpq_init(o->v[i][k]);
    for (int i = 0; i < 6; i++)
        mpq_init(o->s[i]);
    mpq_inits(o->lower, o->upper, o->factor, o->rest, NULL);
    return o;
}

void ray_oracle_destroy(ray_oracle *o)
{
    for (int i = 0; i < SCRATCH; i++)
        for (int k = 0; k < 3; k++)
            mpq_clear(o->v[i][k]);
    for (int i = 0; i < 6; i++)
        mpq_clear(o->s[i]);
    mpq_clears(o->lower, o->upper, o->factor, o->rest, NULL);
    for (size_t i = 0; i < o->capacity; i++)
        mpq_clear(o->hits[i].t);
    free(o->hits);
    free(o->plain);
    free(o);
}

static void set(vector out, const double p[3])
{
    for (int k = 0; k < 3; k++)
        mpq_set_d(out[k], p[k]);
}

static void subtract(vector out, vector a, vector b)
{
    for (int k = 0; k < 3; k++)
        mpq_sub(out[k], a[k], b[k]);
}

static void cross(vector out, vector a, vector b)
{
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_mul(left, a[(k + 1) % 3], b[(k + 2) % 3]);
        mpq_mul(right, a[(k + 2) % 3], b[(k + 1) % 3]);
        mpq_sub(out[k], left, right);
    }
    mpq_clears(left, right, NULL);
}

static void dot(mpq_t out, vector a, vector b)
{
    mpq_t term, sum;
    mpq_inits(term, sum, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_mul(term, a[k], b[k]);
        mpq_add(sum, sum, term);
    }
    mpq_set(out, sum);
    mpq_clears(term, sum, NULL);
}

static int is_zero(vector a)
{
    return mpq_sgn(a[0]) == 0 && mpq_sgn(a[1]) == 0 && mpq_sgn(a[2]) == 0;
}

/* Leaves the parameters with factor * t + rest >= 0, or = 0. */
static void restrict_to(ray_oracle *o, int is_equation)
{
    const int sign = mpq_sgn(o->factor);
    if (sign == 0) {
        const int rest = mpq_sgn(o->rest);
        o->is_empty |= is_equation ? rest != 0 : rest < 0;
        o->touches |= !is_equation && rest == 0;
        return;
    }
    mpq_t t;
    mpq_init(t);
    mpq_div(t, o->rest, o->factor);
    mpq_neg(t, t);
    if ((sign > 0 || is_equation) && (!o->has_lower || mpq_cmp(t, o->lower) > 0)) {
        mpq_set(o->lower, t);
        o->has_lower = 1;
    }
    if ((sign < 0 || is_equation) && (!o->has_upper || mpq_cmp(t, o->upper) < 0)) {
        mpq_set(o->upper, t);
        o->has_upper = 1;
    }
    mpq_clear(t);
}

/* The condition n . (origin + t direction - p) + more >= 0 or = 0; v[0] and v[1] are origin and direction. */
static void condition(ray_oracle *o, vector n, vector p, int is_equation)
{
    vector from;
    for (int k = 0; k < 3; k++)
        mpq_init(from[k]);
    subtract(from, o->v[0], p);
    dot(o->factor, n, o->v[1]);
    dot(o->rest, n, from);
    restrict_to(o, is_equation);
    for (int k = 0; k < 3; k++)
        mpq_clear(from[k]);
}

static void conditions_of_segment(ray_oracle *o, vector p, vector q)
{
    vector along, axis, n;
    for (int k = 0; k < 3; k++)
        mpq_inits(along[k], axis[k], n[k], NULL);
    subtract(along, q, p);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            mpq_set_si(axis[i], i == k, 1);
        cross(n, is_zero(along) ? axis : along, axis);
        if (is_zero(along))
            condition(o, axis, p, 1);
        else
            condition(o, n, p, 1);
    }
    condition(o, along, p, 0);
    subtract(along, p, q);
    condition(o, along, q, 0);
    for (int k = 0; k < 3; k++)
        mpq_clears(along[k], axis[k], n[k], NULL);
}

/* The two of three collinear points that are farthest apart. */
static void find_ends(ray_oracle *o, int ends[2])
{
    int found = 0;
    for (int i = 0; i < 3; i++) {
        subtract(o->v[9], o->v[2 + i], o->v[2 + (i + 1) % 3]);
        dot(o->s[1], o->v[9], o->v[9]);
        if (!found || mpq_cmp(o->s[1], o->s[0]) > 0) {
            mpq_set(o->s[0], o->s[1]);
            ends[0] = 2 + i, ends[1] = 2 + (i + 1) % 3;
            found = 1;
        }
    }
}

static void conditions_of_triangle(ray_oracle *o, vector normal)
{
    condition(o, normal, o->v[2], 1);
    for (int i = 0; i < 3; i++) {
        subtract(o->v[9], o->v[2 + (i + 1) % 3], o->v[2 + i]);
        cross(o->v[10], normal, o->v[9]);
        condition(o, o->v[10], o->v[2 + i], 0);
    }
}

static int within_range(ray_oracle *o, const oracle_ray *ray, mpq_t t)
{
    if (o->is_empty || (o->has_lower && o->has_upper && mpq_cmp(o->lower, o->upper) > 0))
        return 0;
    mpq_set(t, o->lower);
    if (isfinite(ray->t0)) {
        mpq_set_d(o->s[2], ray->t0);
        if (mpq_cmp(o->upper, o->s[2]) < 0)
            return 0;
        if (mpq_cmp(t, o->s[2]) < 0)
            mpq_set(t, o->s[2]);
    } else if (ray->t0 > 0) {
        return 0;
    }
    if (isfinite(ray->t1)) {
        mpq_set_d(o->s[2], ray->t1);
        return mpq_cmp(t, o->s[2]) <= 0;
    }
    return ray->t1 > 0;
}

int ray_oracle_meets(ray_oracle *o, const oracle_ray *ray, const double corners[3][3], mpq_t t, tumble_side *side,
                     int *inside)
{
    o->has_lower = o->has_upper = o->is_empty = o->touches = 0;
    set(o->v[0], ray->origin);
    set(o->v[1], ray->direction);
    for (int i = 0; i < 3; i++)
        set(o->v[2 + i], corners[i]);
    subtract(o->v[5], o->v[3], o->v[2]);
    subtract(o->v[6], o->v[4], o->v[2]);
    cross(o->v[7], o->v[5], o->v[6]);
    int ends[2] = {2, 3};
    if (is_zero(o->v[7])) {
        find_ends(o, ends);
        conditions_of_segment(o, o->v[ends[0]], o->v[ends[1]]);
    } else {
        conditions_of_triangle(o, o->v[7]);
    }
    dot(o->s[3], o->v[7], o->v[1]);
    const int sign = mpq_sgn(o->s[3]);
    *side = sign < 0 ? TUMBLE_SIDE_FRONT : sign > 0 ? TUMBLE_SIDE_BACK : TUMBLE_SIDE_EDGE_ON;
    if (!within_range(o, ray, t))
        return 0;
    if (inside) {
        *inside = sign != 0;
        for (int i = 0; i < 3 && sign != 0; i++) {
            subtract(o->v[9], o->v[2 + (i + 1) % 3], o->v[2 + i]);
            cross(o->v[10], o->v[7], o->v[9]);
            for (int k = 0; k < 3; k++) {
                mpq_mul(o->v[11][k], o->v[1][k], t);
                mpq_add(o->v[11][k], o->v[11][k], o->v[0][k]);
                mpq_sub(o->v[11][k], o->v[11][k], o->v[2 + i][k]);
            }
            dot(o->s[4], o->v[10], o->v[11]);
            *inside &= mpq_sgn(o->s[4]) != 0;
        }
    }
    return 1;
}

/* |exact| against the middle between two doubles, given twice as large. */
static int compare_middle(const mpq_t exact, double a, double b)
{
    mpq_t middle, other;
    mpq_inits(middle, other, NULL);
    if (isinf(b)) { /* as if there were a next double */
        mpq_set_d(middle, a);
        mpq_set_d(other, 0x1p970);
        mpq_add(middle, middle, middle);
        mpq_add(middle, middle, other);
    } else {
        mpq_set_d(middle, a);
        mpq_set_d(other, b);
        mpq_add(middle, middle, other);
    }
    mpq_add(other, exact, exact);
    mpq_abs(other, other);
    const int order = mpq_cmp(other, middle);
    mpq_clears(middle, other, NULL);
    return order;
}

static int is_odd(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits & 1);
}

int ray_oracle_is_rounded(double rounded, const mpq_t exact)
{
    const double size = fabs(rounded);
    if (isnan(rounded) || (mpq_sgn(exact) < 0 && rounded > 0) || (mpq_sgn(exact) > 0 && rounded < 0))
        return 0;
    if (isinf(rounded))
        return compare_middle(exact, DBL_MAX, INFINITY) >= 0;
    const int above = compare_middle(exact, size, nextafter(size, INFINITY));
    const int below = size == 0 ? 1 : compare_middle(exact, nextafter(size, 0), size);
    return (is_odd(size) ? above < 0 : above <= 0) && (is_odd(size) ? below > 0 : below >= 0);
}

/* ---- Meshes of triangles ---- */

static void corners_of(const models_mesh *mesh, size_t i, double corners[3][3])
{
    for (int c = 0; c < 3; c++)
        memcpy(corners[c], mesh->points + 3 * (size_t)mesh->indices[3 * i + (size_t)c], 3 * sizeof(double));
}

static void reserve(ray_oracle *o, size_t count)
{
    if (count <= o->capacity)
        return;
    o->hits = realloc(o->hits, count * sizeof *o->hits);
    o->plain = realloc(o->plain, count * sizeof *o->plain);
    for (; o->capacity < count; o->capacity++)
        mpq_init(o->hits[o->capacity].t);
}

static int compare_hits(const void *a, const void *b)
{
    const oracle_hit *x = a, *y = b;
    const int order = mpq_cmp(x->t, y->t);
    return order ? order : (x->hit.polygon > y->hit.polygon) - (x->hit.polygon < y->hit.polygon);
}

size_t ray_oracle_all(ray_oracle *o, const models_mesh *mesh, const oracle_ray *ray, const tumble_ray_hit **hits)
{
    const size_t triangles = mesh->index_count / 3;
    size_t count = 0;
    reserve(o, triangles);
    for (size_t i = 0; i < triangles; i++) {
        double corners[3][3];
        corners_of(mesh, i, corners);
        oracle_hit *hit = &o->hits[count];
        if (ray_oracle_meets(o, ray, (const double(*)[3])corners, hit->t, &hit->hit.side, NULL)) {
            hit->hit.polygon = (uint32_t)i;
            count++;
        }
    }
    if (count > 0)
        qsort(o->hits, count, sizeof *o->hits, compare_hits);
    for (size_t i = 0; i < count; i++) {
        o->plain[i] = o->hits[i].hit;
        double t = mpq_get_d(o->hits[i].t); /* truncated */
        if (!ray_oracle_is_rounded(t, o->hits[i].t))
            t = nextafter(t, mpq_sgn(o->hits[i].t) < 0 ? -INFINITY : INFINITY);
        o->plain[i].t = t;
    }
    *hits = o->plain;
    return count;
}

/* Counts what a ray passes; 0 if it passes an edge, or is in a plane. */
static int count_passages(ray_oracle *o, const models_mesh *mesh, const oracle_ray *ray, int *parity, int *winding)
{
    *parity = *winding = 0;
    for (size_t i = 0; i < mesh->index_count / 3; i++) {
        double corners[3][3];
        tumble_side side;
        int inside;
        corners_of(mesh, i, corners);
        if (ray_oracle_meets(o, ray, (const double(*)[3])corners, o->s[5], &side, &inside)) {
            if (!inside)
                return 0;
            ++*parity;
            *winding += side == TUMBLE_SIDE_BACK ? 1 : -1;
        }
    }
    return 1;
}

tumble_inside_answer ray_oracle_inside(ray_oracle *o, const models_mesh *mesh, const double point[3],
                                       tumble_inside_rule rule)
{
    tumble_inside_answer answer = {.polygon = TUMBLE_NO_POLYGON};
    oracle_ray ray = {.direction = {1, 0, 0}, .t0 = 0, .t1 = 0};
    memcpy(ray.origin, point, sizeof ray.origin);
    const tumble_ray_hit *hits;
    if (ray_oracle_all(o, mesh, &ray, &hits) > 0) {
        answer.place = TUMBLE_PLACE_ON_SURFACE;
        answer.polygon = hits[0].polygon;
        return answer;
    }
    test_random random = {7};
    int parity, winding;
    ray.t1 = INFINITY;
    do {
        for (int k = 0; k < 3; k++)
            ray.direction[k] = test_random_range(&random, -1, 1);
    } while (!count_passages(o, mesh, &ray, &parity, &winding));
    answer.winding = rule == TUMBLE_INSIDE_WINDING ? winding : 0;
    answer.place =
        (rule == TUMBLE_INSIDE_WINDING ? winding != 0 : parity % 2) ? TUMBLE_PLACE_INSIDE : TUMBLE_PLACE_OUTSIDE;
    return answer;
}
