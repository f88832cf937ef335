/* Eight pairs of triangles at once, in floats: whether they intersect, where a proven error bound allows an answer.
 *
 * The test is that of P. Guigue and O. Devillers (Fast and Robust Triangle-Triangle Overlap Test using Orientation
 * Predicates, Journal of Graphics Tools 8(1), 2003), put in terms of edges so that all lanes do the same. Let E0, E1,
 * E2 be the edges of `a` (from corner 0 to 1, 1 to 2, 2 to 0), F0, F1, F2 those of `b`. If no triangle lies on one side
 * of the other's plane, and no corner in it, then one edge of `a` goes down through the plane of `b` and one goes up,
 * likewise for `b`. Let D(E, F) = det(e, f, y - x), where x and y are points on the edges, e and f their directions.
 * Then the triangles intersect if and only if D(E down, F down) >= 0 and D(E up, F up) <= 0.
 *
 * All of these come from few numbers. Let w = a0 - b0, N = F0 x F2 (minus the normal of `b`), M = E0 x E2.
 *   - The corners of `a` have over the plane of `b` the heights -N w, -N (w + E0), -N (w - E2).
 *   - Those of `b` have over the plane of `a` the heights M w, M (w - F0), M (w + F2).
 *   - For i and j in {0, 2}, D(Ei, Fj) = Ei (w x Fj).
 *   - D(E, F0) + D(E, F1) + D(E, F2) = N e, hence D(E, F1) for E0 and E2.
 *   - D(E0, F) + D(E1, F) + D(E2, F) = M f, hence D(E1, F) for all F.
 *
 * Errors. Let r be the reach, u = 2^-24, d = 2^-23 r = 2 u r; stars mark true values. |x| is the sum of the absolute
 * components of x, |x|max the largest one.
 *
 * (1) A component of E0, E2, F0, F2 or w is the difference of two floats, each within d of the truth, and rounded. Its
 * size is at most 2 r = d / u, so rounding adds at most d: it is within 3 d of the truth. A sum of k such vectors that
 * ends up as one difference, like w + E0 = a1 - b0, is within (2 + k) d of it.
 *
 * (2) |x x y| <= |x| |y|, and the six products in det(x, y, z) have sizes that sum to at most |x| |y| |z|max; any of
 * the three may take the max. Let A (B) be the sum over the axes of the larger size in E0 and E2 (F0 and F2), and
 * S = A + B + |w|.
 *
 * (3) Heights over `b`: with W = |w| + A, changing one vector after the other, the true height differs from that of
 * the rounded vectors by at most
 *     3 d (B + 9 d) (W + 12 d) + 3 d B (W + 12 d) + 4 d B B.
 * N w and N e are computed with five roundings per term, so each is off by 5 u B B d / u = 5 d B B, and their sum by 2
 * d B B more. A computed height is at most B B S. If it is larger than 21 d B S, then B > 20 d, which bounds the terms
 * of higher order: all together is less than 21 d B S (proofs/triangles_heights.g), and the height has the right sign.
 * Likewise heights over `a` that are larger than 21 d A S.
 *
 * (4) D, needed only where all heights have the right sign, so that A > 20 d and B > 20 d: the directions are at worst
 * E1 = -(E0 + E2), within 4 d of the truth and |E1| <= 2 A, and F1; y - x = -w + F0 - E0 is within 5 d and at most S.
 * So the true D differs from that of the rounded vectors by at most
 *     4 d (2 B + 12 d) (S + 15 d) + 4 d 2 A (S + 15 d) + 5 d 2 A 2 B.
 * Rounding adds 65 d A B for D(E1, F1), the worst (proofs/triangles_volumes_rounded.g). Together that is less than
 * 1.75 (21 d A S + 21 d B S) (proofs/triangles_volumes.g).
 *
 * (5) The scripts count the roundings of the bounds and all terms in u, and leave a hundredth. An operation that
 * underflows loses at most 2^-126 (where denormal numbers are flushed to zero, else far less), all of them less than a
 * hundredth of the bounds' least, 2^-105 (r + 1) (proofs/triangles_underflow.g). Nothing overflows for reaches up to
 * 2^38 (proofs/triangles_range.g); beyond that nothing is decided. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_LANES_H
#define TUMBLE_SRC_PRIM_TRIANGLE_LANES_H

#include "math/bounds.h"
#include "math/lanes.h"

/* Corner i of eight triangles. */
typedef struct tmb_triangle8 {
    tmb_f8 x[3], y[3], z[3];
} tmb_triangle8;

/* The lanes, as bits, in which the triangles surely intersect and in which they surely do not. */
typedef struct tmb_verdict8 {
    unsigned hit, miss;
} tmb_verdict8;

typedef struct tmb_vector8 {
    tmb_f8 x, y, z;
} tmb_vector8;

static inline tmb_vector8 tmb_vector8_between(const tmb_triangle8 *from, int i, const tmb_triangle8 *to, int k)
{
    return (tmb_vector8){tmb_f8_sub(to->x[k], from->x[i]), tmb_f8_sub(to->y[k], from->y[i]),
                         tmb_f8_sub(to->z[k], from->z[i])};
}

static inline tmb_vector8 tmb_vector8_cross(tmb_vector8 a, tmb_vector8 b)
{
    return (tmb_vector8){tmb_f8_sub(tmb_f8_mul(a.y, b.z), tmb_f8_mul(a.z, b.y)),
                         tmb_f8_sub(tmb_f8_mul(a.z, b.x), tmb_f8_mul(a.x, b.z)),
                         tmb_f8_sub(tmb_f8_mul(a.x, b.y), tmb_f8_mul(a.y, b.x))};
}

static inline tmb_f8 tmb_vector8_dot(tmb_vector8 a, tmb_vector8 b)
{
    return tmb_f8_add(tmb_f8_add(tmb_f8_mul(a.x, b.x), tmb_f8_mul(a.y, b.y)), tmb_f8_mul(a.z, b.z));
}

/* The sum over the axes of the larger size of a component. */
static inline tmb_f8 tmb_vector8_size(tmb_vector8 a, tmb_vector8 b)
{
    return tmb_f8_add(tmb_f8_add(tmb_f8_max_abs(a.x, b.x), tmb_f8_max_abs(a.y, b.y)), tmb_f8_max_abs(a.z, b.z));
}

/* How far corners must be apart along any direction, as computed in floats, to be so for certain. For reaches up to
 * TMB_TRIANGLES_MOST_REACH. */
static inline tmb_f8 tmb_vector8_least_gap(tmb_vector8 n, float reach)
{
    const tmb_f8 size = tmb_f8_add(tmb_f8_add(tmb_f8_abs(n.x), tmb_f8_abs(n.y)), tmb_f8_abs(n.z));
    return tmb_f8_max(tmb_f8_mul(size, tmb_f8_set(TMB_CORNER_GAP * reach)), tmb_f8_set(TMB_TRIANGLES_UNDERFLOW));
}

/* Edges 0 and 2 of triangles, and their size. */
typedef struct tmb_edges8 {
    tmb_vector8 edge0, edge2;
    tmb_f8 size;
} tmb_edges8;

static inline tmb_edges8 tmb_edges8_of(const tmb_triangle8 *t)
{
    const tmb_vector8 edge0 = tmb_vector8_between(t, 0, t, 1), edge2 = tmb_vector8_between(t, 2, t, 0);
    return (tmb_edges8){edge0, edge2, tmb_vector8_size(edge0, edge2)};
}

/* Corners of triangles with regard to the planes of others: numbers with the sign of the height (of `b` over `a`, or
 * the opposite sign: of `a` over `b`), and by how much they change along the edges 0 and 2. */
typedef struct tmb_heights8 {
    tmb_f8 corner[3], along0, along2;
} tmb_heights8;

/* In which lanes all heights are above `bound` or all below -`bound`. */
static inline tmb_b8 tmb_heights8_one_sided(const tmb_heights8 *h, tmb_f8 bound)
{
    const tmb_f8 least = tmb_f8_min(tmb_f8_min(h->corner[0], h->corner[1]), h->corner[2]);
    const tmb_f8 most = tmb_f8_max(tmb_f8_max(h->corner[0], h->corner[1]), h->corner[2]);
    return tmb_b8_or(tmb_f8_less(bound, least), tmb_f8_less(most, tmb_f8_neg(bound)));
}

/* In which lanes no height is within `bound` of 0. */
static inline tmb_b8 tmb_heights8_decided(const tmb_heights8 *h, tmb_f8 bound)
{
    const tmb_f8 least =
        tmb_f8_min(tmb_f8_min(tmb_f8_abs(h->corner[0]), tmb_f8_abs(h->corner[1])), tmb_f8_abs(h->corner[2]));
    return tmb_f8_less(bound, least);
}

/* Which edge goes from a negative number to a positive one: edge 0, edge 2, or else edge 1; and which one back. */
typedef struct tmb_passes8 {
    tmb_b8 rise0, rise2, fall0, fall2;
} tmb_passes8;

static inline tmb_passes8 tmb_heights8_passes(const tmb_heights8 *h)
{
    const tmb_f8 zero = tmb_f8_zero();
    const tmb_b8 below0 = tmb_f8_less(h->corner[0], zero), below1 = tmb_f8_less(h->corner[1], zero),
                 below2 = tmb_f8_less(h->corner[2], zero);
    return (tmb_passes8){tmb_b8_andnot(below0, below1), tmb_b8_andnot(below2, below0), tmb_b8_andnot(below1, below0),
                         tmb_b8_andnot(below0, below2)};
}

static inline tmb_f8 tmb_choose8(tmb_b8 is0, tmb_b8 is2, tmb_f8 of0, tmb_f8 of1, tmb_f8 of2)
{
    return tmb_f8_select(is0, of0, tmb_f8_select(is2, of2, of1));
}

/* D(E, F) for F0, F1, F2. */
typedef struct tmb_volumes8 {
    tmb_f8 with0, with1, with2;
} tmb_volumes8;

static inline tmb_volumes8 tmb_volumes8_of(tmb_vector8 edge, tmb_vector8 moment0, tmb_vector8 moment2, tmb_f8 sum)
{
    const tmb_f8 with0 = tmb_vector8_dot(edge, moment0), with2 = tmb_vector8_dot(edge, moment2);
    return (tmb_volumes8){with0, tmb_f8_sub(tmb_f8_sub(sum, with0), with2), with2};
}

/* D of the edges chosen; `sums` are those over the edges of `a`. */
static inline tmb_f8 tmb_choose_volume8(tmb_b8 is_a0, tmb_b8 is_a2, tmb_b8 is_b0, tmb_b8 is_b2, const tmb_volumes8 *of0,
                                        const tmb_volumes8 *of2, const tmb_volumes8 *sums)
{
    const tmb_f8 first = tmb_choose8(is_b0, is_b2, of0->with0, of0->with1, of0->with2);
    const tmb_f8 third = tmb_choose8(is_b0, is_b2, of2->with0, of2->with1, of2->with2);
    const tmb_f8 sum = tmb_choose8(is_b0, is_b2, sums->with0, sums->with1, sums->with2);
    return tmb_choose8(is_a0, is_a2, first, tmb_f8_sub(tmb_f8_sub(sum, first), third), third);
}

/* The lanes in which the planes cross and the triangles surely do or do not meet on the common line. */
static inline __attribute__((always_inline)) tmb_verdict8 tmb_meet_on_line8(const tmb_edges8 *e, const tmb_edges8 *f,
                                                                            tmb_vector8 w, const tmb_heights8 *of_a,
                                                                            const tmb_heights8 *of_b, tmb_f8 bound)
{
    const tmb_vector8 moment0 = tmb_vector8_cross(w, f->edge0), moment2 = tmb_vector8_cross(w, f->edge2);
    const tmb_volumes8 of0 = tmb_volumes8_of(e->edge0, moment0, moment2, of_a->along0);
    const tmb_volumes8 of2 = tmb_volumes8_of(e->edge2, moment0, moment2, of_a->along2);
    const tmb_volumes8 sums = {of_b->along0, tmb_f8_neg(tmb_f8_add(of_b->along0, of_b->along2)), of_b->along2};
    const tmb_passes8 pass_a = tmb_heights8_passes(of_a), pass_b = tmb_heights8_passes(of_b);
    /* The numbers of `a` are negative heights: what rises there goes down. */
    const tmb_f8 down = tmb_choose_volume8(pass_a.rise0, pass_a.rise2, pass_b.fall0, pass_b.fall2, &of0, &of2, &sums);
    const tmb_f8 up = tmb_choose_volume8(pass_a.fall0, pass_a.fall2, pass_b.rise0, pass_b.rise2, &of0, &of2, &sums);
    const tmb_f8 opposite = tmb_f8_neg(bound);
    const tmb_b8 meet = tmb_b8_and(tmb_f8_less(bound, down), tmb_f8_less(up, opposite));
    const tmb_b8 apart = tmb_b8_or(tmb_f8_less(down, opposite), tmb_f8_less(bound, up));
    return (tmb_verdict8){tmb_b8_bits(meet), tmb_b8_bits(apart)};
}

/* Whether eight triangles `a` and eight `b` intersect, as tmb_triangles_intersect would say of the true ones, in the
 * lanes that are set. Each float is within 2^-23 `reach` of the true coordinate (both relative to an origin of the
 * caller's choice), and the sizes of both are at most `reach`. A lane that is not set may hold anything. */
static inline tmb_verdict8 tmb_triangles_intersect8(const tmb_triangle8 *a, const tmb_triangle8 *b, float reach,
                                                    unsigned lanes)
{
    if (!(reach <= TMB_TRIANGLES_MOST_REACH)) {
        return (tmb_verdict8){0, 0};
    }
    const tmb_edges8 e = tmb_edges8_of(a), f = tmb_edges8_of(b);
    const tmb_vector8 w = tmb_vector8_between(b, 0, a, 0);
    const tmb_f8 length = tmb_f8_add(tmb_f8_add(tmb_f8_abs(w.x), tmb_f8_abs(w.y)), tmb_f8_abs(w.z));
    const tmb_f8 scale =
        tmb_f8_mul(tmb_f8_set(TMB_TRIANGLES_HEIGHT_ERROR * reach), tmb_f8_add(tmb_f8_add(e.size, f.size), length));
    const tmb_f8 least = tmb_f8_set(TMB_TRIANGLES_UNDERFLOW * reach + TMB_TRIANGLES_UNDERFLOW);
    const tmb_f8 bound_a = tmb_f8_max(tmb_f8_mul(scale, e.size), least),
                 bound_b = tmb_f8_max(tmb_f8_mul(scale, f.size), least);

    const tmb_vector8 normal_a = tmb_vector8_cross(e.edge0, e.edge2), normal_b = tmb_vector8_cross(f.edge0, f.edge2);
    const tmb_f8 a0 = tmb_vector8_dot(normal_b, w), along_a0 = tmb_vector8_dot(normal_b, e.edge0),
                 along_a2 = tmb_vector8_dot(normal_b, e.edge2);
    const tmb_f8 b0 = tmb_vector8_dot(normal_a, w), along_b0 = tmb_vector8_dot(normal_a, f.edge0),
                 along_b2 = tmb_vector8_dot(normal_a, f.edge2);
    const tmb_heights8 of_a = {{a0, tmb_f8_add(a0, along_a0), tmb_f8_sub(a0, along_a2)}, along_a0, along_a2};
    const tmb_heights8 of_b = {{b0, tmb_f8_sub(b0, along_b0), tmb_f8_add(b0, along_b2)}, along_b0, along_b2};
    const tmb_b8 beside = tmb_b8_or(tmb_heights8_one_sided(&of_a, bound_b), tmb_heights8_one_sided(&of_b, bound_a));
    const unsigned miss = lanes & tmb_b8_bits(beside);
    if (miss == lanes) {
        return (tmb_verdict8){0, miss};
    }

    const tmb_b8 across = tmb_b8_and(tmb_heights8_decided(&of_a, bound_b), tmb_heights8_decided(&of_b, bound_a));
    const unsigned open = lanes & ~miss & tmb_b8_bits(across);
    const tmb_f8 bound = tmb_f8_mul(tmb_f8_set(TMB_TRIANGLES_VOLUME_ERROR), tmb_f8_add(bound_a, bound_b));
    const tmb_verdict8 on_line = tmb_meet_on_line8(&e, &f, w, &of_a, &of_b, bound);
    return (tmb_verdict8){open & on_line.hit, miss | (open & on_line.miss)};
}

#endif
