/* A point and eight triangles at once, in floats: their distances, between two proven bounds.
 *
 * This is prim/triangle_distance_lanes.h for triangles `b` whose corners are all the point, which is the origin: their
 * edges F are 0, and w, from corner i of `a`, is minus that corner. The points and gaps of (2) and (3) there are
 * computed with the same operations, less those with F, and so are their bounds. */
#ifndef TUMBLE_SRC_PRIM_POINT_DISTANCE_LANES_H
#define TUMBLE_SRC_PRIM_POINT_DISTANCE_LANES_H

#include "prim/triangle_distance_lanes.h"

static inline tmb_vector8 tmb_vector8_to_origin(const tmb_triangle8 *a, int i)
{
    return (tmb_vector8){tmb_f8_neg(a->x[i]), tmb_f8_neg(a->y[i]), tmb_f8_neg(a->z[i])};
}

/* Only what gaps and sizes need. */
static inline tmb_apart8 tmb_apart8_from_origin(const tmb_triangle8 *a)
{
    tmb_apart8 out;
    for (int i = 0; i < 3; i++) {
        out.e[i] = tmb_vector8_between(a, i, a, i == 2 ? 0 : i + 1);
        out.w[i][0] = out.w[i][1] = out.w[i][2] = tmb_vector8_to_origin(a, i);
    }
    const tmb_vector8 w = out.w[0][0];
    const tmb_f8 length = tmb_f8_add(tmb_f8_add(tmb_f8_abs(w.x), tmb_f8_abs(w.y)), tmb_f8_abs(w.z));
    out.size = tmb_f8_add(tmb_vector8_size(out.e[0], out.e[2]), length);
    return out;
}

/* The vector from the nearest point of the edges. */
static inline tmb_nearest8 tmb_nearest8_of_three_edges(const tmb_apart8 *t)
{
    tmb_nearest8 nearest = {t->w[0][0], tmb_vector8_dot(t->w[0][0], t->w[0][0])};
    for (int i = 0; i < 3; i++) {
        const tmb_vector8 e = t->e[i], w = t->w[i][0];
        const tmb_f8 s = tmb_f8_into_unit(tmb_f8_div(tmb_vector8_dot(w, e), tmb_vector8_dot(e, e)));
        nearest = tmb_nearer8(nearest, tmb_vector8_minus(w, s, e));
    }
    return nearest;
}

/* As tmb_squared_from_face8, for one corner. */
static inline tmb_f8 tmb_squared_over_face8(const tmb_apart8 *a, tmb_vector8 n)
{
    const tmb_vector8 e0 = a->e[0], e2 = a->e[2], p = a->w[0][0];
    const tmb_f8 per_nn = tmb_f8_inverse(tmb_vector8_dot(n, n));
    const tmb_f8 s = tmb_f8_into_unit(tmb_f8_mul(tmb_vector8_dot(p, tmb_vector8_cross(e2, n)), per_nn));
    const tmb_f8 t = tmb_f8_into_unit(tmb_f8_mul(tmb_vector8_dot(p, tmb_vector8_cross(e0, n)), per_nn));
    const tmb_f8 rest = tmb_f8_sub(tmb_f8_set(1.0F), s);
    const tmb_vector8 v = tmb_vector8_plus(tmb_vector8_minus(p, s, e0), tmb_f8_min(t, rest), e2);
    return tmb_vector8_dot(v, v);
}

/* The distances of eight triangles from the origin; `reach` as for tmb_triangles_distance8. */
static inline tmb_distance8 tmb_point_distance8(const tmb_triangle8 *a, float reach)
{
    if (!(reach <= TMB_DISTANCE8_MOST_REACH)) {
        return (tmb_distance8){tmb_f8_zero(), tmb_f8_set(INFINITY)};
    }
    const tmb_apart8 t = tmb_apart8_from_origin(a);
    const tmb_vector8 normal = tmb_vector8_cross(t.e[0], t.e[2]);
    const tmb_nearest8 edges = tmb_nearest8_of_three_edges(&t);
    const tmb_f8 squared = tmb_f8_min(edges.squared, tmb_squared_over_face8(&t, normal));
    const tmb_f8 gap = tmb_f8_max(tmb_gap8_towards(&t, edges.v, edges.squared), tmb_gap8_along(&t, normal));
    return (tmb_distance8){tmb_f8_sub(gap, tmb_slack8(reach, TMB_DISTANCE8_GAPS, t.size)),
                           tmb_f8_add(tmb_f8_sqrt(squared), tmb_slack8(reach, TMB_DISTANCE8_POINTS, t.size))};
}

#endif
