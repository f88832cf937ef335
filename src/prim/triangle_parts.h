/* What the files triangle_*.c share. */
#ifndef TUMBLE_SRC_PRIM_TRIANGLE_PARTS_H
#define TUMBLE_SRC_PRIM_TRIANGLE_PARTS_H

#include "base/assert.h"
#include "math/filter.h"
#include "math/predicates.h"

/* On which side of a plane the corners of a triangle lie: bit i: corner i is above, bit 3 + i: it is below, neither:
 * it is in the plane (or, before tmb_resolve_sides, not known). */
typedef unsigned tmb_sides;

#define TMB_ALL_ABOVE 7u
#define TMB_ALL_BELOW 56u

static inline int tmb_on_one_side(tmb_sides sides)
{
    return sides == TMB_ALL_ABOVE || sides == TMB_ALL_BELOW;
}

static inline int tmb_side(tmb_sides sides, unsigned corner)
{
    TMB_ASSERT(corner < 3);
    TMB_ASSERT((sides & sides >> 3 & 7) == 0);
    return (int)(sides >> corner & 1) - (int)(sides >> (corner + 3) & 1);
}

/* Corner numbers of both triangles in the order that makes one comparison serve all cases: p is above or in the plane
 * of the other triangle, q and r are below or in it, and p is alone: not all are in it, and if p is, q and r are not.
 */
typedef struct tmb_arrangement {
    unsigned p1, q1, r1, p2, q2, r2;
} tmb_arrangement;

/* Sides as far as plain doubles can tell: corners of `b` against the plane of `a`. */
tmb_sides tmb_filter_sides(const double a[3][3], const double b[3][3]);

/* Decides the remaining sides. All 0: `b` lies in the plane of `a`, or `a` is degenerate. Raises *stage to what was
 * needed. */
tmb_sides tmb_resolve_sides(const double a[3][3], const double b[3][3], tmb_sides sides, tmb_stage *stage);

/* For sides that are neither all 0 nor all on one side. */
tmb_arrangement tmb_arrange(tmb_sides sides_of_a, tmb_sides sides_of_b);

/* Order along the line common to the planes of a triangle with corners p1 (above), x1 (below) and one with p2 (above),
 * x2 (below), as arranged: -1 when p1x1 meets that line before p2x2 does, 0: in the same point. */
int tmb_order_on_line(const double p1[3], const double x1[3], const double p2[3], const double x2[3], tmb_stage *stage);

/* Triangles of which at least one is degenerate, or which lie in one plane. The result as tmb_triangles_segment gives
 * it; `points` may be NULL. Must not be called for triangles with an area in different planes. */
int tmb_degenerate_intersection(const double a[3][3], const double b[3][3], double (*points)[3], tmb_stage *stage);

/* Signs with *stage raised to what was needed. */
static inline int tmb_sign2d(const double a[2], const double b[2], const double c[2], tmb_stage *stage)
{
    TMB_ASSERT(*stage <= TMB_STAGE_INTEGER);
    const int certain = tmb_orient2d_filter(a, b, c);
    if (certain != 0) {
        return certain;
    }
    tmb_stage own;
    const int sign = tmb_orient2d_stage(a, b, c, &own);
    *stage = own > *stage ? own : *stage;
    return sign;
}

static inline int tmb_sign3d(const double a[3], const double b[3], const double c[3], const double d[3],
                             tmb_stage *stage)
{
    TMB_ASSERT(*stage <= TMB_STAGE_INTEGER);
    tmb_stage own;
    const int sign = tmb_orient3d_stage(a, b, c, d, &own);
    *stage = own > *stage ? own : *stage;
    return sign;
}

/* The point in which the edge from p to q passes the plane of `t`; the ends lie on different sides of it or, when one
 * side is 0, that end is the point. */
void tmb_edge_plane_point(const double p[3], int p_side, const double q[3], int q_side, const double t[3][3],
                          double point[3]);

/* The point in which the edge from p to q passes the line r s, all in one plane that may be projected along `axis`, the
 * ends on different sides of the line. */
void tmb_edge_line_point(const double p[3], const double q[3], const double r[3], const double s[3], int axis,
                         double point[3]);

/* The two coordinates that remain when projecting along `axis`. */
static inline void tmb_project(const double p[3], int axis, double out[2])
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    out[0] = p[axis == 0 ? 1 : 0];
    out[1] = p[axis == 2 ? 1 : 2];
}

#endif
