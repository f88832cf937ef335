/* A point and eight triangles at once, in floats: their distances, between two proven bounds.
 *
 * This is prim/triangle_distance_lanes.h for triangles `b` whose corners are all the point, which is the origin: their
 * edges F are 0, and w, from corner i of `a`, is minus that corner. The points and gaps of (2) and (3) there are
 * computed with the same operations, less those with F, and so are their bounds. */
#ifndef TUMBLE_SRC_PRIM_POINT_DISTANCE_LANES_H
#define TUMBLE_SRC_PRIM_POINT_DISTANCE_LANES_H

#include "prim/triangle_distance_lanes.h"

/* Edges, and vectors from the corners to the point. */
typedef struct tmb_point8 {
    tmb_vector8 e0, e1, e2, w0, w1, w2;
    tmb_f8 size; /* S */
} tmb_point8;

static inline tmb_vector8 tmb_vector8_to_origin(const tmb_triangle8 *a, int i)
{
    return (tmb_vector8){tmb_f8_neg(a->x[i]), tmb_f8_neg(a->y[i]), tmb_f8_neg(a->z[i])};
}

static inline tmb_point8 tmb_point8_of(const tmb_triangle8 *a)
{
    const tmb_vector8 e0 = tmb_vector8_between(a, 0, a, 1), e1 = tmb_vector8_between(a, 1, a, 2),
                      e2 = tmb_vector8_between(a, 2, a, 0), w = tmb_vector8_to_origin(a, 0);
    const tmb_f8 length = tmb_f8_add(tmb_f8_add(tmb_f8_abs(w.x), tmb_f8_abs(w.y)), tmb_f8_abs(w.z));
    return (tmb_point8){e0,
                        e1,
                        e2,
                        w,
                        tmb_vector8_to_origin(a, 1),
                        tmb_vector8_to_origin(a, 2),
                        tmb_f8_add(tmb_vector8_size(e0, e2), length)};
}

static inline tmb_nearest8 tmb_nearer8_of_edge(tmb_nearest8 nearest, tmb_vector8 e, tmb_vector8 w)
{
    const tmb_f8 s = tmb_f8_into_unit(tmb_f8_div(tmb_vector8_dot(w, e), tmb_vector8_dot(e, e)));
    return tmb_nearer8(nearest, tmb_vector8_minus(w, s, e));
}

/* The vector from the nearest point of the edges. */
static inline tmb_nearest8 tmb_nearest8_of_three_edges(const tmb_point8 *t)
{
    const tmb_nearest8 corner = {t->w0, tmb_vector8_dot(t->w0, t->w0)};
    return tmb_nearer8_of_edge(tmb_nearer8_of_edge(tmb_nearer8_of_edge(corner, t->e0, t->w0), t->e1, t->w1), t->e2,
                               t->w2);
}

/* As tmb_squared_from_face8, for one corner. */
static inline tmb_f8 tmb_squared_over_face8(const tmb_point8 *t, tmb_vector8 n, tmb_f8 nn)
{
    const tmb_f8 per_nn = tmb_f8_inverse(nn);
    const tmb_f8 s = tmb_f8_into_unit(tmb_f8_mul(tmb_vector8_dot(t->w0, tmb_vector8_cross(t->e2, n)), per_nn));
    const tmb_f8 u = tmb_f8_into_unit(tmb_f8_mul(tmb_vector8_dot(t->w0, tmb_vector8_cross(t->e0, n)), per_nn));
    const tmb_f8 rest = tmb_f8_sub(tmb_f8_set(1.0F), s);
    const tmb_vector8 v = tmb_vector8_plus(tmb_vector8_minus(t->w0, s, t->e0), tmb_f8_min(u, rest), t->e2);
    return tmb_vector8_dot(v, v);
}

/* The gap along n from the triangle to the point, up to errors: as tmb_gap8_towards. */
static inline tmb_f8 tmb_point_gap8_towards(const tmb_point8 *t, tmb_vector8 n, tmb_f8 squared)
{
    const tmb_f8 to1 = tmb_vector8_dot(n, t->e0), to2 = tmb_f8_neg(tmb_vector8_dot(n, t->e2));
    const tmb_f8 most = tmb_f8_max(tmb_f8_max(to1, to2), tmb_f8_zero());
    return tmb_f8_mul(tmb_f8_sub(tmb_vector8_dot(n, t->w0), most), tmb_inverse_length8(squared));
}

/* On whichever side it is: as tmb_gap8_along. */
static inline tmb_f8 tmb_point_gap8_along(const tmb_point8 *t, tmb_vector8 n, tmb_f8 squared)
{
    const tmb_f8 to1 = tmb_vector8_dot(n, t->e0), to2 = tmb_f8_neg(tmb_vector8_dot(n, t->e2));
    const tmb_f8 least = tmb_f8_min(tmb_f8_min(to1, to2), tmb_f8_zero());
    const tmb_f8 most = tmb_f8_max(tmb_f8_max(to1, to2), tmb_f8_zero()), to = tmb_vector8_dot(n, t->w0);
    return tmb_f8_mul(tmb_f8_max(tmb_f8_sub(to, most), tmb_f8_sub(least, to)), tmb_inverse_length8(squared));
}

/* The distances of eight triangles from the origin; `reach` as for tmb_triangles_distance8. */
static inline tmb_distance8 tmb_point_distance8(const tmb_triangle8 *a, float reach)
{
    if (!(reach <= TMB_DISTANCE8_MOST_REACH)) {
        return (tmb_distance8){tmb_f8_zero(), tmb_f8_set(INFINITY)};
    }
    const tmb_point8 t = tmb_point8_of(a);
    const tmb_vector8 normal = tmb_vector8_cross(t.e0, t.e2);
    const tmb_f8 nn = tmb_vector8_dot(normal, normal);
    const tmb_nearest8 edges = tmb_nearest8_of_three_edges(&t);
    const tmb_f8 squared = tmb_f8_min(edges.squared, tmb_squared_over_face8(&t, normal, nn));
    const tmb_f8 gap =
        tmb_f8_max(tmb_point_gap8_towards(&t, edges.v, edges.squared), tmb_point_gap8_along(&t, normal, nn));
    return (tmb_distance8){tmb_f8_sub(gap, tmb_slack8(reach, TMB_DISTANCE8_GAPS, t.size)),
                           tmb_f8_add(tmb_f8_sqrt(squared), tmb_slack8(reach, TMB_DISTANCE8_POINTS, t.size))};
}

#endif
