/* Triangles that share corners. Everything is decided by signs of determinants, first in plain doubles.
 *
 * With one shared corner p, both triangles consist of segments from p. If they have another point in common, the ray
 * from p through it leaves both of them on their edges opposite to p; the one it leaves first has its opposite edge in
 * the other there. So they meet outside of p exactly if one's opposite edge meets the other.
 *
 * With two shared corners, neither has a point of their line outside of the common edge, unless it is degenerate. So
 * they meet elsewhere exactly if they lie in one plane, on the same side of that edge. */
#include "self/rule.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_parts.h"

tmb_shared tmb_shared_corners(const double a[3][3], const double b[3][3])
{
    tmb_shared shared = {0, {0, 0, 0}, {0, 0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        const int is_repeated = (i > 0 && tmb_same_point(a[i], a[0])) || (i > 1 && tmb_same_point(a[i], a[1]));
        for (unsigned j = 0; j < 3 && !is_repeated; j++) {
            if (tmb_same_point(a[i], b[j])) {
                shared.a[shared.count] = i;
                shared.b[shared.count++] = j;
                break;
            }
        }
    }
    return shared;
}

/* ---- Single facts ---- */

static int turn_along(const double p[3], const double q[3], const double r[3], int axis)
{
    double flat[3][2];
    tmb_project(p, axis, flat[0]);
    tmb_project(q, axis, flat[1]);
    tmb_project(r, axis, flat[2]);
    return tmb_orient2d(flat[0], flat[1], flat[2]);
}

/* An axis along which the points are not on a line, or -1. */
static int axis_of(const double p[3], const double q[3], const double r[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (turn_along(p, q, r, axis) != 0) {
            return axis;
        }
    }
    return -1;
}

int tmb_has_area(const double t[3][3], int *axis)
{
    *axis = axis_of(t[0], t[1], t[2]);
    return *axis >= 0;
}

/* Order along any line: by x, then y, then z. */
static int order_of(const double p[3], const double q[3])
{
    for (int k = 0; k < 3; k++) {
        if (p[k] != q[k]) {
            return p[k] < q[k] ? -1 : 1;
        }
    }
    return 0;
}

static int segment_meets(const double p[3], const double q[3], const double t[3][3])
{
    double segment[3][3];
    memcpy(segment[0], p, sizeof segment[0]);
    memcpy(segment[1], q, sizeof segment[1]);
    memcpy(segment[2], q, sizeof segment[2]);
    return tmb_triangles_intersect((const double(*)[3])segment, t, NULL);
}

static int segments_meet(const double p[3], const double q[3], const double r[3], const double s[3])
{
    double segment[3][3];
    memcpy(segment[0], r, sizeof segment[0]);
    memcpy(segment[1], s, sizeof segment[1]);
    memcpy(segment[2], s, sizeof segment[2]);
    return segment_meets(p, q, (const double(*)[3])segment);
}

/* ---- Two shared corners ---- */

/* Whether r and s are on different sides of the line p q when seen along some axis: then no plane has all four points
 * with r and s on the same side. Plain doubles are enough for nearly all neighbours. */
int tmb_are_beside(const double p[3], const double q[3], const double r[3], const double s[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double flat[4][2];
        tmb_project(p, axis, flat[0]);
        tmb_project(q, axis, flat[1]);
        tmb_project(r, axis, flat[2]);
        tmb_project(s, axis, flat[3]);
        const int side = tmb_orient2d_filter(flat[0], flat[1], flat[2]);
        if (side != 0 && side == -tmb_orient2d_filter(flat[0], flat[1], flat[3])) {
            return 1;
        }
    }
    return 0;
}

/* All four points are on a line: whether r and s are beyond the same end of p q. */
static int reach_beyond(const double *p, const double *q, const double *r, const double *s)
{
    const int way = order_of(p, q);
    TMB_ASSERT(way != 0);
    const int beyond_p = order_of(r, p) == way && order_of(s, p) == way;
    const int beyond_q = order_of(r, q) == -way && order_of(s, q) == -way;
    return beyond_p || beyond_q;
}

static int meet_in_plane(const double *p, const double *q, const double *r, const double *s)
{
    const int axis_r = axis_of(p, q, r), axis_s = axis_of(p, q, s);
    if (axis_r < 0 || axis_s < 0) {
        return axis_r < 0 && axis_s < 0 && reach_beyond(p, q, r, s);
    }
    return turn_along(p, q, r, axis_r) == turn_along(p, q, s, axis_r);
}

static int meet_beside_edge(const double *p, const double *q, const double *r, const double *s,
                            unsigned long long *exact)
{
    if (tmb_are_beside(p, q, r, s)) {
        return 0;
    }
    tmb_stage stage = TMB_STAGE_FILTER;
    const int is_flat = tmb_sign3d(p, q, r, s, &stage) == 0;
    *exact += stage != TMB_STAGE_FILTER;
    return is_flat && meet_in_plane(p, q, r, s);
}

/* ---- One shared corner, which is corner 0 of both ---- */

/* n . (q - p) in plain doubles: three products with four roundings each, less than the filters of determinants have. */
static int certain_side(const double n[3], const double p[3], const double q[3])
{
    double sum = 0, size = 0, reach = 1;
    for (int k = 0; k < 3; k++) {
        const double term = n[k] * (q[k] - p[k]);
        sum += term;
        size += fabs(term);
        reach += fabs(n[k]);
    }
    return tmb_certain_sign(sum, TMB_ERROR_3D * size + TMB_ERROR_UNDERFLOW * reach);
}

/* Adds the direction from p to q, times a factor and about as long as that. Infinite or NaN if they are equal. */
static void add_way(const double p[3], const double q[3], double factor, double n[3])
{
    const double size = fabs(q[0] - p[0]) + fabs(q[1] - p[1]) + fabs(q[2] - p[2]);
    for (int k = 0; k < 3; k++) {
        n[k] += factor / size * (q[k] - p[k]);
    }
}

/* Whether a plane through p surely has the rest of both on different sides: tried is the one between their middles. */
static int are_opposite(const double a[3][3], const double b[3][3])
{
    double n[3] = {0, 0, 0};
    for (int i = 1; i < 3; i++) {
        add_way(a[0], a[i], 1, n);
        add_way(b[0], b[i], -1, n);
    }
    return certain_side(n, a[0], a[1]) > 0 && certain_side(n, a[0], a[2]) > 0 && certain_side(n, a[0], b[1]) < 0 &&
           certain_side(n, a[0], b[2]) < 0;
}

/* Whether an edge of `a` at p, seen along an axis, surely has all of `b` but p on its far side. */
static int is_beyond_edge(const double a[3][3], const double b[3][3], int axis)
{
    double flat[5][2];
    tmb_project(a[0], axis, flat[0]);
    for (int i = 1; i < 3; i++) {
        tmb_project(a[i], axis, flat[i]);
        tmb_project(b[i], axis, flat[2 + i]);
    }
    for (int i = 1; i < 3; i++) {
        const int side = tmb_orient2d_filter(flat[0], flat[i], flat[3 - i]);
        if (side != 0 && tmb_orient2d_filter(flat[0], flat[i], flat[3]) == -side &&
            tmb_orient2d_filter(flat[0], flat[i], flat[4]) == -side) {
            return 1;
        }
    }
    return 0;
}

/* The same for an edge of either: what lies in one plane is mostly told apart so. */
static int is_seen_apart(const double a[3][3], const double b[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (is_beyond_edge(a, b, axis) || is_beyond_edge(b, a, axis)) {
            return 1;
        }
    }
    return 0;
}

/* Corners 1 and 2 are strictly on the same side. */
static int leaves_plane(tmb_sides sides)
{
    return (sides & 6) == 6 || (sides >> 3 & 6) == 6;
}

/* A degenerate triangle is made of the segments from p to its other corners. */
static unsigned spokes_of(const double t[3][3], const double *ends[2])
{
    unsigned count = 0;
    for (int i = 1; i < 3; i++) {
        if (!tmb_same_point(t[i], t[0])) {
            ends[count++] = t[i];
        }
    }
    return count;
}

static int spokes_meet(const double *p, const double *e, const double *f)
{
    return axis_of(p, e, f) < 0 && order_of(e, p) == order_of(f, p);
}

/* A segment from p and a triangle with an area. */
static int spoke_meets(const double *p, const double *e, const double t[3][3])
{
    return segments_meet(p, e, t[1], t[2]) || segment_meets(e, e, t);
}

static int degenerate_meets(const double a[3][3], const double b[3][3], int b_has_area)
{
    const double *of_a[2], *of_b[2];
    const unsigned count_a = spokes_of(a, of_a), count_b = spokes_of(b, of_b);
    for (unsigned i = 0; i < count_a; i++) {
        if (b_has_area && spoke_meets(a[0], of_a[i], b)) {
            return 1;
        }
        for (unsigned j = 0; j < count_b && !b_has_area; j++) {
            if (spokes_meet(a[0], of_a[i], of_b[j])) {
                return 1;
            }
        }
    }
    return 0;
}

static __attribute__((noinline)) int meet_at_corner(const double a[3][3], const double b[3][3])
{
    tmb_stage stage = TMB_STAGE_FILTER;
    int axis;
    const int a_has_area = tmb_has_area(a, &axis), b_has_area = tmb_has_area(b, &axis);
    if (!a_has_area) {
        return degenerate_meets(a, b, b_has_area);
    }
    if (!b_has_area) {
        return degenerate_meets(b, a, a_has_area);
    }
    if (leaves_plane(tmb_resolve_sides(a, b, tmb_filter_sides(a, b), &stage)) ||
        leaves_plane(tmb_resolve_sides(b, a, tmb_filter_sides(b, a), &stage))) {
        return 0;
    }
    return segment_meets(a[1], a[2], b) || segment_meets(b[1], b[2], a);
}

static void turn_first(const double t[3][3], unsigned first, double out[3][3])
{
    for (unsigned i = 0; i < 3; i++) {
        memcpy(out[i], t[(first + i) % 3], sizeof out[i]);
    }
}

static int meet_around_corner(const double a[3][3], const double b[3][3], const tmb_shared *shared,
                              unsigned long long *exact)
{
    double first[3][3], second[3][3];
    turn_first(a, shared->a[0], first);
    turn_first(b, shared->b[0], second);
    const double(*one)[3] = (const double(*)[3])first, (*other)[3] = (const double(*)[3])second;
    if (are_opposite(one, other) || leaves_plane(tmb_filter_sides(one, other)) ||
        leaves_plane(tmb_filter_sides(other, one)) || is_seen_apart(one, other)) {
        return 0;
    }
    ++*exact;
    return meet_at_corner(one, other);
}

int tmb_triangles_meet_outside(const double a[3][3], const double b[3][3], const tmb_shared *shared,
                               unsigned long long *exact)
{
    int axis;
    switch (shared->count) {
    case 0: return tmb_triangles_intersect(a, b, exact);
    case 1: return meet_around_corner(a, b, shared, exact);
    case 2:
        return meet_beside_edge(a[shared->a[0]], a[shared->a[1]], a[3 - shared->a[0] - shared->a[1]],
                                b[3 - shared->b[0] - shared->b[1]], exact);
    default: return tmb_has_area(a, &axis); /* the same triangle; one without an area is all edges, which are shared */
    }
}

/* ---- How they meet ---- */

/* The insides of two triangles in one plane are apart if an edge of one has the other on its far side or line. */
static int is_outside_edge(const double a[3][3], const double b[3][3], int axis)
{
    const int turn = turn_along(a[0], a[1], a[2], axis);
    for (int i = 0; i < 3; i++) {
        int outside = 1;
        for (int j = 0; j < 3 && outside; j++) {
            outside = turn_along(a[i], a[(i + 1) % 3], b[j], axis) * turn <= 0;
        }
        if (outside) {
            return 1;
        }
    }
    return 0;
}

/* Corners are on both sides of the plane. */
static int passes_plane(tmb_sides sides)
{
    return (sides & 7) != 0 && sides >> 3 != 0;
}

tumble_self_kind tmb_kind_of_meeting(const double a[3][3], const double b[3][3])
{
    int axis, axis_b;
    tmb_stage stage = TMB_STAGE_FILTER;
    if (!tmb_has_area(a, &axis) || !tmb_has_area(b, &axis_b)) {
        return TUMBLE_SELF_DEGENERATE;
    }
    if (tmb_shared_corners(a, b).count == 3) {
        return TUMBLE_SELF_DUPLICATE;
    }
    const tmb_sides sides_of_b = tmb_resolve_sides(a, b, tmb_filter_sides(a, b), &stage);
    const tmb_sides sides_of_a = tmb_resolve_sides(b, a, tmb_filter_sides(b, a), &stage);
    if (sides_of_b == 0) {
        return is_outside_edge(a, b, axis) || is_outside_edge(b, a, axis) ? TUMBLE_SELF_TOUCHING
                                                                          : TUMBLE_SELF_OVERLAPPING;
    }
    if (!passes_plane(sides_of_a) || !passes_plane(sides_of_b)) {
        return TUMBLE_SELF_TOUCHING;
    }
    const tmb_arrangement k = tmb_arrange(sides_of_a, sides_of_b);
    return tmb_order_on_line(a[k.p1], a[k.q1], b[k.p2], b[k.q2], &stage) < 0 &&
                   tmb_order_on_line(a[k.p1], a[k.r1], b[k.p2], b[k.r2], &stage) > 0
               ? TUMBLE_SELF_CROSSING
               : TUMBLE_SELF_TOUCHING;
}
