/* Eight pairs of triangles at once, in floats: their distance, between two proven bounds.
 *
 * Edges E0, E1, E2 of `a` go from corner 0 to 1, 1 to 2, 2 to 0; F0, F1, F2 are those of `b`; w is b0 - a0, and b_j -
 * a_i in general. Triangles that do not intersect are nearest in two edges, or in a corner of one and the inside
 * the other. Where is found in floats without error analysis, as the bounds hold for any outcome:
 *   - The distance of two points, one in each triangle, is not too small. All 9 pairs of edges give such points (v is
 *     the vector between the nearest ones), and the corner that is nearest to the other one's plane gives one more.
 *   - The gap between the triangles along a direction is not too large. The three directions are v and the normals; the
 *     one in which the triangles are nearest is always among them.
 *
 * Errors. Let r be the reach, u = 2^-24, d = 2^-23 r = 2 u r, |x| the length of x, A (B) the sum over the axes of the
 * larger size in E0 and E2 (F0 and F2), S = A + B + the sum of the sizes in w. So |E0|, |E2| <= A, |E1| <= 2 A, |b_j -
 * a0| <= S - A, and no point of one triangle is farther than S from one of the other.
 *
 * (1) A true coordinate is within d of its float. So points are moved by at most sqrt(3) d, and the true distance is
 * within 2 sqrt(3) d < 6.93 u r of that of the floats, taken as they are (proofs/distance8_coordinates.g).
 *
 * (2) Gaps. Along n the triangles are apart by g / |n|, where g is the least n . (b_j - a0) less the greatest
 * n . (a_i - a0), whatever n is. A term of these products has four roundings, so the products are off by 4 u |n| times
 * |b_j - a0| and |a_i - a0|, which are together at most S; the rest is in proofs/distance8_gaps.g. Squared lengths
 * |n|^2 below 2^-100 are replaced by that, which makes the result smaller. Otherwise products that underflow to 0
 * (where denormal numbers are flushed to zero, else far less) are negligible: proofs/distance8_underflow.g.
 *
 * (3) Points. v = (w + t F) - s E with 0 <= s, t <= 1, or in a face (p - s E0) + t E2, where s + t may be larger than 1
 * by u, is off by a few u of S: proofs/distance8_points.g.
 *
 * (4) Nothing overflows for reaches up to 2^28 (proofs/distance8_range.g). Beyond that nothing is known. Bounds are
 * tight while edges are longer than about 2^-24. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_DISTANCE_LANES_H
#define TUMBLE_SRC_PRIM_TRIANGLE_DISTANCE_LANES_H

#include "math/bounds.h"
#include "prim/triangle_lanes.h"

/* The true distances are in [lower, upper]; a lower bound that is not positive is no information. */
typedef struct tmb_distance8 {
    tmb_f8 lower, upper;
} tmb_distance8;

/* Everything the bounds are computed from. */
typedef struct tmb_apart8 {
    tmb_vector8 e[3], f[3]; /* edges */
    tmb_vector8 w[3][3];    /* [i][j]: b_j - a_i */
    tmb_f8 size;            /* S */
} tmb_apart8;

static inline tmb_vector8 tmb_vector8_select(tmb_b8 set, tmb_vector8 if_set, tmb_vector8 if_not)
{
    return (tmb_vector8){tmb_f8_select(set, if_set.x, if_not.x), tmb_f8_select(set, if_set.y, if_not.y),
                         tmb_f8_select(set, if_set.z, if_not.z)};
}

/* a + factor b, a - factor b */
static inline tmb_vector8 tmb_vector8_plus(tmb_vector8 a, tmb_f8 factor, tmb_vector8 b)
{
    return (tmb_vector8){tmb_f8_add(a.x, tmb_f8_mul(factor, b.x)), tmb_f8_add(a.y, tmb_f8_mul(factor, b.y)),
                         tmb_f8_add(a.z, tmb_f8_mul(factor, b.z))};
}

static inline tmb_vector8 tmb_vector8_minus(tmb_vector8 a, tmb_f8 factor, tmb_vector8 b)
{
    return (tmb_vector8){tmb_f8_sub(a.x, tmb_f8_mul(factor, b.x)), tmb_f8_sub(a.y, tmb_f8_mul(factor, b.y)),
                         tmb_f8_sub(a.z, tmb_f8_mul(factor, b.z))};
}

/* NaN becomes 0. */
static inline tmb_f8 tmb_f8_into_unit(tmb_f8 x)
{
    return tmb_f8_min(tmb_f8_max(x, tmb_f8_zero()), tmb_f8_set(1.0F));
}

static inline tmb_f8 tmb_f8_inverse(tmb_f8 x)
{
    return tmb_f8_div(tmb_f8_set(1.0F), x);
}

static inline tmb_apart8 tmb_apart8_of(const tmb_triangle8 *a, const tmb_triangle8 *b)
{
    tmb_apart8 out;
    for (int i = 0; i < 3; i++) {
        out.e[i] = tmb_vector8_between(a, i, a, i == 2 ? 0 : i + 1);
        out.f[i] = tmb_vector8_between(b, i, b, i == 2 ? 0 : i + 1);
        for (int j = 0; j < 3; j++) {
            out.w[i][j] = tmb_vector8_between(a, i, b, j);
        }
    }
    const tmb_vector8 w = out.w[0][0];
    const tmb_f8 length = tmb_f8_add(tmb_f8_add(tmb_f8_abs(w.x), tmb_f8_abs(w.y)), tmb_f8_abs(w.z));
    out.size =
        tmb_f8_add(tmb_f8_add(tmb_vector8_size(out.e[0], out.e[2]), tmb_vector8_size(out.f[0], out.f[2])), length);
    return out;
}

/* How far the triangles reach along n, from a0: least and most. */
typedef struct tmb_extent8 {
    tmb_f8 least, most;
} tmb_extent8;

static inline tmb_extent8 tmb_extent8_of_a(const tmb_apart8 *t, tmb_vector8 n)
{
    const tmb_f8 to1 = tmb_vector8_dot(n, t->e[0]), to2 = tmb_f8_neg(tmb_vector8_dot(n, t->e[2]));
    return (tmb_extent8){tmb_f8_min(tmb_f8_min(to1, to2), tmb_f8_zero()),
                         tmb_f8_max(tmb_f8_max(to1, to2), tmb_f8_zero())};
}

static inline tmb_extent8 tmb_extent8_of_b(const tmb_apart8 *t, tmb_vector8 n)
{
    const tmb_f8 to0 = tmb_vector8_dot(n, t->w[0][0]), to1 = tmb_vector8_dot(n, t->w[0][1]),
                 to2 = tmb_vector8_dot(n, t->w[0][2]);
    return (tmb_extent8){tmb_f8_min(tmb_f8_min(to0, to1), to2), tmb_f8_max(tmb_f8_max(to0, to1), to2)};
}

/* 1 / |n|, not more than 2^50. */
static inline tmb_f8 tmb_inverse_length8(tmb_f8 squared)
{
    return tmb_f8_inverse(tmb_f8_sqrt(tmb_f8_max(squared, tmb_f8_set(TMB_DISTANCE8_LEAST_SQUARE))));
}

/* The gap along n from `a` to `b`, up to errors. */
static inline tmb_f8 tmb_gap8_towards(const tmb_apart8 *t, tmb_vector8 n, tmb_f8 squared)
{
    const tmb_f8 gap = tmb_f8_sub(tmb_extent8_of_b(t, n).least, tmb_extent8_of_a(t, n).most);
    return tmb_f8_mul(gap, tmb_inverse_length8(squared));
}

/* The gap along n, on whichever side of `a` the triangle `b` lies. */
static inline tmb_f8 tmb_gap8_along(const tmb_apart8 *t, tmb_vector8 n)
{
    const tmb_extent8 of_a = tmb_extent8_of_a(t, n), of_b = tmb_extent8_of_b(t, n);
    const tmb_f8 gap = tmb_f8_max(tmb_f8_sub(of_b.least, of_a.most), tmb_f8_sub(of_a.least, of_b.most));
    return tmb_f8_mul(gap, tmb_inverse_length8(tmb_vector8_dot(n, n)));
}

/* A vector between the nearest points found. */
typedef struct tmb_nearest8 {
    tmb_vector8 v;
    tmb_f8 squared;
} tmb_nearest8;

static inline tmb_nearest8 tmb_nearer8(tmb_nearest8 a, tmb_vector8 v)
{
    const tmb_f8 squared = tmb_vector8_dot(v, v);
    return (tmb_nearest8){tmb_vector8_select(tmb_f8_less(squared, a.squared), v, a.v), tmb_f8_min(squared, a.squared)};
}

/* Between the edges a_i + s E and b_j + t F, w from the one's first corner to the other's: the nearest points of the
 * lines give a first guess of s, which is moved into the edge; then the best t for this s and the best s for that t. */
static inline tmb_vector8 tmb_between_edges8(tmb_vector8 e, tmb_vector8 f, tmb_vector8 w, tmb_f8 ee, tmb_f8 ef,
                                             tmb_f8 per_ee, tmb_f8 per_ff, tmb_f8 we, tmb_f8 wf)
{
    const tmb_f8 slope = tmb_f8_mul(ef, per_ff), start = tmb_f8_mul(wf, per_ff);
    const tmb_f8 guess =
        tmb_f8_into_unit(tmb_f8_div(tmb_f8_sub(we, tmb_f8_mul(ef, start)), tmb_f8_sub(ee, tmb_f8_mul(ef, slope))));
    const tmb_f8 t = tmb_f8_into_unit(tmb_f8_sub(tmb_f8_mul(slope, guess), start));
    const tmb_f8 s = tmb_f8_into_unit(tmb_f8_mul(tmb_f8_add(tmb_f8_mul(ef, t), we), per_ee));
    return tmb_vector8_minus(tmb_vector8_plus(w, t, f), s, e);
}

/* The products of edges, those with w too, follow from few of them, as edges sum to 0 and lead from corner to corner.
 */
static inline tmb_nearest8 tmb_nearest8_of_edges(const tmb_apart8 *t)
{
    tmb_f8 ff[3], per_ff[3], wf[3], ef[3][3];
    for (int j = 0; j < 3; j++) {
        ff[j] = tmb_vector8_dot(t->f[j], t->f[j]);
        per_ff[j] = tmb_f8_inverse(ff[j]);
        wf[j] = tmb_vector8_dot(t->w[0][j], t->f[j]);
    }
    for (int i = 0; i < 2; i++) {
        ef[i][0] = tmb_vector8_dot(t->e[i], t->f[0]);
        ef[i][1] = tmb_vector8_dot(t->e[i], t->f[1]);
        ef[i][2] = tmb_f8_neg(tmb_f8_add(ef[i][0], ef[i][1]));
    }
    for (int j = 0; j < 3; j++) {
        ef[2][j] = tmb_f8_neg(tmb_f8_add(ef[0][j], ef[1][j]));
    }
    tmb_nearest8 nearest = {t->w[0][0], tmb_vector8_dot(t->w[0][0], t->w[0][0])};
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        const tmb_f8 ee = tmb_vector8_dot(t->e[i], t->e[i]), per_ee = tmb_f8_inverse(ee);
        tmb_f8 we = tmb_vector8_dot(t->w[i][0], t->e[i]);
#pragma GCC unroll 3
        for (int j = 0; j < 3; j++) {
            nearest = tmb_nearer8(
                nearest, tmb_between_edges8(t->e[i], t->f[j], t->w[i][j], ee, ef[i][j], per_ee, per_ff[j], we, wf[j]));
            we = tmb_f8_add(we, ef[i][j]);
            wf[j] = tmb_f8_sub(wf[j], ef[i][j]);
        }
    }
    return nearest;
}

/* From the corner (of three) that is nearest to the plane of a face to that face: E0 and E2 are its edges at corner 0,
 * n their product, and `to` leads from there to the corners. */
static inline tmb_f8 tmb_squared_from_face8(tmb_vector8 e0, tmb_vector8 e2, tmb_vector8 n, const tmb_vector8 to[3])
{
    tmb_vector8 p = to[0];
    tmb_f8 height = tmb_f8_abs(tmb_vector8_dot(n, p));
    for (int i = 1; i < 3; i++) {
        const tmb_f8 own = tmb_f8_abs(tmb_vector8_dot(n, to[i]));
        p = tmb_vector8_select(tmb_f8_less(own, height), to[i], p);
        height = tmb_f8_min(own, height);
    }
    const tmb_f8 per_nn = tmb_f8_inverse(tmb_vector8_dot(n, n));
    const tmb_f8 s = tmb_f8_into_unit(tmb_f8_mul(tmb_vector8_dot(p, tmb_vector8_cross(e2, n)), per_nn));
    const tmb_f8 t = tmb_f8_into_unit(tmb_f8_mul(tmb_vector8_dot(p, tmb_vector8_cross(e0, n)), per_nn));
    const tmb_f8 rest = tmb_f8_sub(tmb_f8_set(1.0F), s);
    const tmb_vector8 v = tmb_vector8_plus(tmb_vector8_minus(p, s, e0), tmb_f8_min(t, rest), e2);
    return tmb_vector8_dot(v, v);
}

static inline tmb_f8 tmb_squared_from_faces8(const tmb_apart8 *t, tmb_vector8 normal_a, tmb_vector8 normal_b)
{
    const tmb_vector8 to_b[3] = {t->w[0][0], t->w[0][1], t->w[0][2]};
    tmb_vector8 to_a[3];
    for (int i = 0; i < 3; i++) {
        const tmb_vector8 w = t->w[i][0];
        to_a[i] = (tmb_vector8){tmb_f8_neg(w.x), tmb_f8_neg(w.y), tmb_f8_neg(w.z)};
    }
    return tmb_f8_min(tmb_squared_from_face8(t->e[0], t->e[2], normal_a, to_b),
                      tmb_squared_from_face8(t->f[0], t->f[2], normal_b, to_a));
}

static inline tmb_f8 tmb_slack8(float reach, float factor, tmb_f8 size)
{
    return tmb_f8_add(tmb_f8_set(TMB_DISTANCE8_COORDINATES * TMB_FLOAT_ROUNDING * reach + TMB_DISTANCE8_UNDERFLOW),
                      tmb_f8_mul(tmb_f8_set(factor * TMB_FLOAT_ROUNDING), size));
}

/* The gaps along v and along the normals, less their errors. */
static inline tmb_f8 tmb_lower8(const tmb_apart8 *t, const tmb_nearest8 *edges, tmb_vector8 normal_a,
                                tmb_vector8 normal_b, float reach)
{
    const tmb_f8 gap = tmb_f8_max(tmb_gap8_towards(t, edges->v, edges->squared),
                                  tmb_f8_max(tmb_gap8_along(t, normal_a), tmb_gap8_along(t, normal_b)));
    return tmb_f8_sub(gap, tmb_slack8(reach, TMB_DISTANCE8_GAPS, t->size));
}

/* The distances of eight triangles `a` from eight `b`. Each float is within 2^-23 `reach` of the true coordinate (both
 * relative to an origin of the caller's choice), and both are at most `reach` in size. A lane may hold anything and
 * does not affect the others. */
static inline tmb_distance8 tmb_triangles_distance8(const tmb_triangle8 *a, const tmb_triangle8 *b, float reach)
{
    if (!(reach <= TMB_DISTANCE8_MOST_REACH)) {
        return (tmb_distance8){tmb_f8_zero(), tmb_f8_set(INFINITY)};
    }
    const tmb_apart8 t = tmb_apart8_of(a, b);
    const tmb_vector8 normal_a = tmb_vector8_cross(t.e[0], t.e[2]), normal_b = tmb_vector8_cross(t.f[0], t.f[2]);
    const tmb_nearest8 edges = tmb_nearest8_of_edges(&t);
    const tmb_f8 squared = tmb_f8_min(edges.squared, tmb_squared_from_faces8(&t, normal_a, normal_b));
    return (tmb_distance8){tmb_lower8(&t, &edges, normal_a, normal_b, reach),
                           tmb_f8_add(tmb_f8_sqrt(squared), tmb_slack8(reach, TMB_DISTANCE8_POINTS, t.size))};
}

/* The lower bound alone. */
static inline tmb_f8 tmb_triangles_distance8_lower(const tmb_triangle8 *a, const tmb_triangle8 *b, float reach)
{
    if (!(reach <= TMB_DISTANCE8_MOST_REACH)) {
        return tmb_f8_zero();
    }
    const tmb_apart8 t = tmb_apart8_of(a, b);
    const tmb_nearest8 edges = tmb_nearest8_of_edges(&t);
    return tmb_lower8(&t, &edges, tmb_vector8_cross(t.e[0], t.e[2]), tmb_vector8_cross(t.f[0], t.f[2]), reach);
}

/* A much cheaper lower bound: the gaps along the normals and along the line between the centroids. It is tight where a
 * corner is nearest to the inside of a face, and for triangles that are far apart. */
static inline tmb_f8 tmb_triangles_gap8(const tmb_triangle8 *a, const tmb_triangle8 *b, float reach)
{
    if (!(reach <= TMB_DISTANCE8_MOST_REACH)) {
        return tmb_f8_zero();
    }
    tmb_apart8 t = tmb_apart8_of(a, b);
    /* Three times the line between the centroids, from a0: w + (w + F0) + (w - F2) - E0 + E2. */
    const tmb_vector8 n = {
        tmb_f8_add(tmb_f8_add(tmb_f8_add(t.w[0][0].x, t.w[0][1].x), t.w[0][2].x), tmb_f8_sub(t.e[2].x, t.e[0].x)),
        tmb_f8_add(tmb_f8_add(tmb_f8_add(t.w[0][0].y, t.w[0][1].y), t.w[0][2].y), tmb_f8_sub(t.e[2].y, t.e[0].y)),
        tmb_f8_add(tmb_f8_add(tmb_f8_add(t.w[0][0].z, t.w[0][1].z), t.w[0][2].z), tmb_f8_sub(t.e[2].z, t.e[0].z))};
    const tmb_f8 along_normals = tmb_f8_max(tmb_gap8_along(&t, tmb_vector8_cross(t.e[0], t.e[2])),
                                            tmb_gap8_along(&t, tmb_vector8_cross(t.f[0], t.f[2])));
    const tmb_f8 gap = tmb_f8_max(tmb_gap8_towards(&t, n, tmb_vector8_dot(n, n)), along_normals);
    return tmb_f8_sub(gap, tmb_slack8(reach, TMB_DISTANCE8_GAPS, t.size));
}

#endif
