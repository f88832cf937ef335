#include "solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Edges and parts ---- */

static int same_point(const double x[3], const double y[3])
{
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

static int has_equal_corners(const double t[3][3])
{
    return same_point(t[0], t[1]) || same_point(t[1], t[2]) || same_point(t[2], t[0]);
}

/* Counts the triangles at an edge: in its direction and against it. */
static void count_edge(const torture_triangles *t, const double from[3], const double to[3], size_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (size_t i = 0; i < t->count; i++) {
        const double(*c)[3] = (const double(*)[3])t->corners[i];
        for (int k = 0; k < 3 && !has_equal_corners(c); k++) {
            counts[0] += (size_t)(same_point(c[k], from) && same_point(c[(k + 1) % 3], to));
            counts[1] += (size_t)(same_point(c[k], to) && same_point(c[(k + 1) % 3], from));
        }
    }
}

int torture_is_closed(const torture_triangles *t, int strictly)
{
    size_t edges = 0;
    for (size_t i = 0; i < t->count; i++) {
        const double(*c)[3] = (const double(*)[3])t->corners[i];
        for (int k = 0; k < 3 && !has_equal_corners(c); k++) {
            size_t counts[2];
            count_edge(t, c[k], c[(k + 1) % 3], counts);
            edges++;
            if (strictly ? counts[0] != 1 || counts[1] != 1 : (counts[0] + counts[1]) % 2 != 0) {
                return 0;
            }
        }
    }
    return edges > 0;
}

static int have_common_point(const double x[3][3], const double y[3][3])
{
    for (int i = 0; i < 9; i++) {
        if (same_point(x[i / 3], y[i % 3])) {
            return 1;
        }
    }
    return 0;
}

size_t torture_find_parts(const torture_triangles *t, uint32_t *parts)
{
    size_t count = 0;
    uint32_t *stack = malloc((t->count + 1) * sizeof *stack);
    if (!stack) {
        abort();
    }
    memset(parts, 0xff, t->count * sizeof *parts);
    for (size_t first = 0; first < t->count; first++) {
        size_t depth = 0;
        if (parts[first] != UINT32_MAX) {
            continue;
        }
        parts[first] = (uint32_t)count;
        stack[depth++] = (uint32_t)first;
        while (depth) {
            const uint32_t at = stack[--depth];
            for (size_t i = 0; i < t->count; i++) {
                if (parts[i] == UINT32_MAX &&
                    have_common_point((const double(*)[3])t->corners[at], (const double(*)[3])t->corners[i])) {
                    parts[i] = (uint32_t)count;
                    stack[depth++] = (uint32_t)i;
                }
            }
        }
        count++;
    }
    free(stack);
    return count;
}

/* ---- Points ---- */

void torture_point_init(torture_point *point)
{
    mpq_inits(point->at[0], point->at[1], point->at[2], (mpq_ptr)0);
}

void torture_point_clear(torture_point *point)
{
    mpq_clears(point->at[0], point->at[1], point->at[2], (mpq_ptr)0);
}

void torture_point_set(torture_point *point, const double at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        mpq_set_d(point->at[axis], at[axis]);
    }
}

void torture_point_mix(torture_point *out, const torture_point *x, const torture_point *y, double share)
{
    mpq_t weight, product;
    mpq_inits(weight, product, (mpq_ptr)0);
    mpq_set_d(weight, share);
    for (int axis = 0; axis < 3; axis++) { /* y + share * (x - y) */
        mpq_sub(product, x->at[axis], y->at[axis]);
        mpq_mul(product, product, weight);
        mpq_add(out->at[axis], y->at[axis], product);
    }
    mpq_clears(weight, product, (mpq_ptr)0);
}

int torture_orientation(const torture_point *u, const torture_point *v, const torture_point *w)
{
    mpq_t sum, product, other;
    mpq_inits(sum, product, other, (mpq_ptr)0);
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        mpq_mul(product, v->at[next], w->at[last]);
        mpq_mul(other, v->at[last], w->at[next]);
        mpq_sub(product, product, other);
        mpq_mul(product, product, u->at[axis]);
        mpq_add(sum, sum, product);
    }
    const int sign = mpq_sgn(sum);
    mpq_clears(sum, product, other, (mpq_ptr)0);
    return sign;
}

/* 1: the ray from the origin passes through the triangle; 0: it does not; -1: it meets an edge or runs in the plane. */
static int passes(const torture_point corners[3], const torture_point *ray)
{
    int plus = 0, minus = 0;
    for (int i = 0; i < 3; i++) {
        const int sign = torture_orientation(ray, &corners[i], &corners[(i + 1) % 3]);
        plus += sign > 0;
        minus += sign < 0;
    }
    if (plus && minus) {
        return 0;
    }
    if (plus + minus < 3) {
        return -1;
    }
    /* The line passes: the corners turn about it in one sense; towards the ray if they do so seen from the origin. */
    return torture_orientation(&corners[0], &corners[1], &corners[2]) * (plus ? 1 : -1) > 0;
}

static void place_corners(const double triangle[3][3], const torture_point *origin, torture_point corners[3])
{
    for (int i = 0; i < 3; i++) {
        torture_point_set(&corners[i], triangle[i]);
        for (int axis = 0; axis < 3; axis++) {
            mpq_sub(corners[i].at[axis], corners[i].at[axis], origin->at[axis]);
        }
    }
}

static torture_side shoot(const torture_triangles *t, const torture_point *point, const torture_point *ray)
{
    torture_point corners[3];
    int crossings = 0, odd = 0;
    for (int i = 0; i < 3; i++) {
        torture_point_init(&corners[i]);
    }
    for (size_t i = 0; i < t->count && !odd; i++) {
        const double(*c)[3] = (const double(*)[3])t->corners[i];
        place_corners(c, point, corners);
        const int passed = has_equal_corners(c) ? 0 : passes(corners, ray);
        odd = passed < 0;
        crossings += passed > 0;
    }
    for (int i = 0; i < 3; i++) {
        torture_point_clear(&corners[i]);
    }
    return odd ? TORTURE_UNKNOWN : crossings % 2 ? TORTURE_INSIDE : TORTURE_OUTSIDE;
}

/* In the plane, and on no outer side of an edge: seen from a point off the plane, all turn one way. */
static int is_on(const torture_point corners[3])
{
    if (torture_orientation(&corners[0], &corners[1], &corners[2]) != 0) {
        return 0;
    }
    for (int axis = 0; axis < 3; axis++) { /* the projections along all three axes contain the origin */
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        int plus = 0, minus = 0;
        for (int i = 0; i < 3; i++) {
            const torture_point *p = &corners[i], *q = &corners[(i + 1) % 3];
            mpq_t x, y;
            mpq_inits(x, y, (mpq_ptr)0);
            mpq_mul(x, p->at[next], q->at[last]);
            mpq_mul(y, p->at[last], q->at[next]);
            const int sign = mpq_cmp(x, y);
            mpq_clears(x, y, (mpq_ptr)0);
            plus += sign > 0;
            minus += sign < 0;
        }
        if (plus && minus) {
            return 0;
        }
        int low = 0, high = 0;
        for (int i = 0; i < 3; i++) {
            low += mpq_sgn(corners[i].at[axis]) <= 0;
            high += mpq_sgn(corners[i].at[axis]) >= 0;
        }
        if (!low || !high) {
            return 0;
        }
    }
    return 1;
}

static int is_on_surface(const torture_triangles *t, const torture_point *point)
{
    torture_point corners[3];
    int on = 0;
    for (int i = 0; i < 3; i++) {
        torture_point_init(&corners[i]);
    }
    for (size_t i = 0; i < t->count && !on; i++) {
        place_corners((const double(*)[3])t->corners[i], point, corners);
        on = is_on(corners);
    }
    for (int i = 0; i < 3; i++) {
        torture_point_clear(&corners[i]);
    }
    return on;
}

torture_side torture_locate(const torture_triangles *closed, const torture_point *point)
{
    static const double rays[][3] = {{1, 0.25, 0.0625},       {-0.375, 1, 0.3125},     {0.4375, -0.3125, 1},
                                     {-1, -0.53125, 0.21875}, {0.65625, 1, -0.84375},  {0x1p-40, 0x1p-80, 1},
                                     {1, 0x1p-400, 0x1p-900}, {0x1p-500, -1, 0x1p-999}};
    torture_side side = TORTURE_UNKNOWN;
    if (is_on_surface(closed, point)) {
        return TORTURE_ON_SURFACE;
    }
    torture_point ray;
    torture_point_init(&ray);
    for (size_t i = 0; i < sizeof rays / sizeof *rays && side == TORTURE_UNKNOWN; i++) {
        torture_point_set(&ray, rays[i]);
        side = shoot(closed, point, &ray);
    }
    torture_point_clear(&ray);
    return side;
}
