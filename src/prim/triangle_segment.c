/* Where two triangles meet: which edges end the common segment is decided by exact signs; only the coordinates of the
 * points on these edges are rounded. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/expansion.h"
#include "prim/triangle.h"
#include "prim/triangle_parts.h"

/* The height of an end of an edge over a plane or line: `size` times 2^`exponent`. */
typedef struct height {
    double size;
    int exponent;
} height;

/* p + share (q - p) to twice the precision of a double, where its parts are far from over- and underflow. */
static double interpolate(double p, double q, tmb_double2 share)
{
    if (fabs(p) > 0x1p900 || fabs(q) > 0x1p900) {
        return 2.0 * (0.5 * p + share.high * (0.5 * q - 0.5 * p));
    }
    if (fabs(q - p) < 0x1p-800) {
        return p + share.high * (q - p);
    }
    const tmb_double2 step = tmb_two_difference(q, p), product = tmb_two_product(share.high, step.high);
    const double low = product.low + (share.high * step.low + share.low * step.high);
    const tmb_double2 sum = tmb_two_sum(p, product.high);
    return sum.high + (sum.low + low);
}

static double clamp(double value, double p, double q)
{
    const double low = p < q ? p : q, high = p < q ? q : p;
    return value > low ? (value < high ? value : high) : low;
}

/* smaller / (smaller + larger) */
static tmb_double2 share_of(double smaller, double larger)
{
    TMB_ASSERT(smaller >= 0.0 && larger >= smaller && larger > 0.0);
    const tmb_double2 sum = tmb_fast_two_sum(larger, smaller);
    const double share = smaller / sum.high;
    const tmb_double2 product = tmb_two_product(share, sum.high);
    return (tmb_double2){share, (((smaller - product.high) - product.low) - share * sum.low) / sum.high};
}

/* The point that divides the edge in the ratio of the heights of its ends, which are on different sides, so that
 * nothing cancels. Starts from the nearer end. Heights are scaled to about 1; the smaller one may underflow
 * harmlessly. */
static void divide_edge(const double p[3], height p_height, const double q[3], height q_height, double point[3])
{
    TMB_ASSERT(p_height.size != 0.0 && q_height.size != 0.0);
    TMB_ASSERT((p_height.size > 0.0) != (q_height.size > 0.0));
    int p_exponent, q_exponent;
    const double p_part = frexp(fabs(p_height.size), &p_exponent), q_part = frexp(fabs(q_height.size), &q_exponent);
    const int excess = (p_exponent + p_height.exponent) - (q_exponent + q_height.exponent);
    const int from_p = excess < 0 || (excess == 0 && p_part < q_part);
    const tmb_double2 share =
        from_p ? share_of(ldexp(p_part, excess), q_part) : share_of(ldexp(q_part, -excess), p_part);
    const double *start = from_p ? p : q, *end = from_p ? q : p;
    for (int k = 0; k < 3; k++) {
        point[k] = clamp(interpolate(start[k], end[k], share), p[k], q[k]);
    }
}

static height height_over_plane(const double t[3][3], const double point[3])
{
    height h;
    h.size = tmb_orient3d_value(t[0], t[1], t[2], point, &h.exponent);
    return h;
}

static height height_over_line(const double r[3], const double s[3], const double point[3], int axis)
{
    double flat[3][2];
    height h;
    tmb_project(r, axis, flat[0]);
    tmb_project(s, axis, flat[1]);
    tmb_project(point, axis, flat[2]);
    h.size = tmb_orient2d_value(flat[0], flat[1], flat[2], &h.exponent);
    return h;
}

void tmb_edge_plane_point(const double p[3], int p_side, const double q[3], int q_side, const double t[3][3],
                          double point[3])
{
    TMB_ASSERT(p_side * q_side <= 0);
    TMB_ASSERT(p_side >= -1 && p_side <= 1 && q_side >= -1 && q_side <= 1);
    if (p_side == 0 || q_side == 0) {
        memcpy(point, p_side == 0 ? p : q, 3 * sizeof point[0]);
        return;
    }
    divide_edge(p, height_over_plane(t, p), q, height_over_plane(t, q), point);
}

void tmb_edge_line_point(const double p[3], const double q[3], const double r[3], const double s[3], int axis,
                         double point[3])
{
    TMB_ASSERT(axis >= 0 && axis < 3);
    divide_edge(p, height_over_line(r, s, p, axis), q, height_over_line(r, s, q, axis), point);
}

/* An end of the interval in which one triangle cuts the plane of the other: the edge from p to x, and that plane. */
typedef struct interval_end {
    const double *p, *x;
    int p_side, x_side;
    const double (*plane)[3];
} interval_end;

static interval_end make_end(const double t[3][3], tmb_sides sides, unsigned p, unsigned x, const double plane[3][3])
{
    return (interval_end){t[p], t[x], tmb_side(sides, p), tmb_side(sides, x), plane};
}

static int is_corner(const interval_end *end)
{
    return end->p_side == 0 || end->x_side == 0;
}

static void construct(const interval_end *end, double point[3])
{
    tmb_edge_plane_point(end->p, end->p_side, end->x, end->x_side, end->plane, point);
}

static int order(const interval_end *first, const interval_end *second)
{
    tmb_stage stage = TMB_STAGE_FILTER;
    return tmb_order_on_line(first->p, first->x, second->p, second->x, &stage);
}

/* If both are the same point, the one that need not be computed. */
static const interval_end *better(const interval_end *first, const interval_end *second)
{
    return is_corner(second) ? second : first;
}

/* The one that comes later (`which` 1) or earlier (-1) on the line. */
static const interval_end *choose(const interval_end *first, const interval_end *second, int which)
{
    const int sign = order(first, second);
    return sign == 0 ? better(first, second) : sign == which ? first : second;
}

/* Along the line the first triangle covers the interval from q1 to r1, the second one from r2 to q2 (where the edges
 * from p to these corners pass). */
static int common_segment(const double a[3][3], const double b[3][3], tmb_sides sides_of_a, tmb_sides sides_of_b,
                          double points[2][3])
{
    TMB_ASSERT(sides_of_a != 0 && sides_of_b != 0);
    const tmb_arrangement k = tmb_arrange(sides_of_a, sides_of_b);
    const interval_end q1 = make_end(a, sides_of_a, k.p1, k.q1, b), r1 = make_end(a, sides_of_a, k.p1, k.r1, b);
    const interval_end q2 = make_end(b, sides_of_b, k.p2, k.q2, a), r2 = make_end(b, sides_of_b, k.p2, k.r2, a);
    const int order_q = order(&q1, &q2), order_r = order(&r1, &r2);
    if (order_q > 0 || order_r < 0) {
        return -1;
    }
    const interval_end *start, *end;
    if (q1.p_side == 0 || q2.p_side == 0) {
        start = end = q1.p_side == 0 ? &q1 : &q2;
    } else if (order_q == 0 || order_r == 0) {
        start = end = order_q == 0 ? better(&q1, &q2) : better(&r1, &r2);
    } else {
        start = choose(&q1, &r2, 1);
        end = choose(&r1, &q2, -1);
    }
    construct(start, points[0]);
    if (end == start) {
        memcpy(points[1], points[0], sizeof points[1]);
    } else {
        construct(end, points[1]);
    }
    return 0;
}

int tmb_triangles_segment(const double a[3][3], const double b[3][3], double points[2][3])
{
    tmb_stage stage = TMB_STAGE_FILTER;
    const tmb_sides sides_of_b = tmb_resolve_sides(a, b, tmb_filter_sides(a, b), &stage);
    const tmb_sides sides_of_a = tmb_resolve_sides(b, a, tmb_filter_sides(b, a), &stage);
    if (tmb_on_one_side(sides_of_a) || tmb_on_one_side(sides_of_b)) {
        return -1;
    }
    if (sides_of_a == 0 || sides_of_b == 0) {
        return tmb_degenerate_intersection(a, b, points, &stage);
    }
    return common_segment(a, b, sides_of_a, sides_of_b, points);
}
