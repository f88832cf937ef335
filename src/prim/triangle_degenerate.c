/* Triangles in one plane, and triangles that are segments or points.
 *
 * A triangle is first reduced to the corners that span it: three, the two ends, or one. Sets in one plane are projected
 * along an axis along which that plane has an area (decided exactly), so that the projection is one to one. There, two
 * convex sets that together span the plane are disjoint exactly when the line along an edge of one of them has the
 * other strictly on its far side: the difference of the sets is a convex polygon whose edges are theirs, and the origin
 * lies outside one of these. A segment is a polygon with two edges, there and back; a point has none. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "prim/triangle.h"
#include "prim/triangle_parts.h"

typedef struct hull {
    const double (*triangle)[3];
    const double *corners[3];
    double flat[3][2]; /* the same, projected along an axis */
    int count;         /* 1 to 3 */
    int axis;          /* one along which it has an area, or -1 */
    int turn;          /* of `flat`: 1 when left */
} hull;

/* Order along any line: by x, then y, then z. */
static int lexicographic(const double *p, const double *q, int dimension)
{
    for (int k = 0; k < dimension; k++) {
        if (p[k] != q[k]) {
            return p[k] < q[k] ? -1 : 1;
        }
    }
    return 0;
}

static int turn_along(const double *p, const double *q, const double *r, int axis, tmb_stage *stage)
{
    double flat[3][2];
    tmb_project(p, axis, flat[0]);
    tmb_project(q, axis, flat[1]);
    tmb_project(r, axis, flat[2]);
    return tmb_sign2d(flat[0], flat[1], flat[2], stage);
}

/* The normal in doubles: a first guess only. */
static int longest_axis(const double *p, const double *q, const double *r)
{
    const double u[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, v[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    const double x = fabs(u[1] * v[2] - u[2] * v[1]), y = fabs(u[2] * v[0] - u[0] * v[2]),
                 z = fabs(u[0] * v[1] - u[1] * v[0]);
    return x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
}

/* An axis along which the three points are not collinear, with their orientation there, or -1. */
static int axis_with_area(const double *p, const double *q, const double *r, int *turn, tmb_stage *stage)
{
    const int first = longest_axis(p, q, r);
    for (int i = 0; i < 3; i++) {
        *turn = turn_along(p, q, r, (first + i) % 3, stage);
        if (*turn != 0) {
            return (first + i) % 3;
        }
    }
    return -1;
}

static hull reduce(const double t[3][3], tmb_stage *stage)
{
    hull h = {.triangle = t, .corners = {t[0], t[1], t[2]}, .count = 3};
    h.axis = axis_with_area(t[0], t[1], t[2], &h.turn, stage);
    if (h.axis < 0) {
        const double *low = t[0], *high = t[0];
        for (int i = 1; i < 3; i++) {
            low = lexicographic(t[i], low, 3) < 0 ? t[i] : low;
            high = lexicographic(t[i], high, 3) > 0 ? t[i] : high;
        }
        h.corners[0] = low;
        h.corners[1] = high;
        h.count = lexicographic(low, high, 3) == 0 ? 1 : 2;
        h.turn = 1;
    }
    return h;
}

static void flatten(hull *h, int axis, tmb_stage *stage)
{
    TMB_ASSERT(h->count >= 1 && h->count <= 3);
    TMB_ASSERT(axis >= 0 && axis < 3);
    for (int i = 0; i < h->count; i++) {
        tmb_project(h->corners[i], axis, h->flat[i]);
    }
    if (h->count == 3 && h->axis != axis) {
        h->turn = tmb_sign2d(h->flat[0], h->flat[1], h->flat[2], stage);
    }
}

static int edge_count(const hull *h)
{
    return h->count > 1 ? h->count : 0;
}

/* 1: the point is on the inner side of edge i of h, 0: on its line, -1: outside. */
static int side_of_edge(const hull *h, int i, const double point[2], tmb_stage *stage)
{
    TMB_ASSERT(i >= 0 && i < edge_count(h));
    TMB_ASSERT(h->turn == 1 || h->turn == -1);
    return h->turn * tmb_sign2d(h->flat[i], h->flat[i + 1 == h->count ? 0 : i + 1], point, stage);
}

static int separated_by_edge(const hull *a, const hull *b, tmb_stage *stage)
{
    for (int i = 0; i < edge_count(a); i++) {
        int j = 0;
        while (j < b->count && side_of_edge(a, i, b->flat[j], stage) < 0) {
            j++;
        }
        if (j == b->count) {
            return 1;
        }
    }
    return 0;
}

static int contains(const hull *h, const double point[2], tmb_stage *stage)
{
    for (int i = 0; i < edge_count(h); i++) {
        if (side_of_edge(h, i, point, stage) < 0) {
            return 0;
        }
    }
    if (h->count == 3) {
        return 1;
    }
    /* On the line of a segment, or against a point: between the ends, which are the same for a point. */
    return lexicographic(h->flat[0], point, 2) * lexicographic(point, h->flat[h->count - 1], 2) >= 0;
}

/* All three corners, as one that is not an end of a segment may be the only one inside. */
static const double *corner_inside(const hull *a, const hull *b, int axis, tmb_stage *stage)
{
    for (int i = 0; i < 3; i++) {
        double flat[2];
        tmb_project(a->triangle[i], axis, flat);
        if (contains(b, flat, stage)) {
            return a->triangle[i];
        }
    }
    return 0;
}

/* Whether edge i of a and edge j of b pass through each other, no end on the other's line. */
static int edges_cross(const hull *a, int i, const hull *b, int j, tmb_stage *stage)
{
    TMB_ASSERT(i < edge_count(a) && j < edge_count(b));
    const int next_i = (i + 1) % a->count, next_j = (j + 1) % b->count;
    return side_of_edge(a, i, b->flat[j], stage) * side_of_edge(a, i, b->flat[next_j], stage) < 0 &&
           side_of_edge(b, j, a->flat[i], stage) * side_of_edge(b, j, a->flat[next_i], stage) < 0;
}

/* A point of two sets in one plane that intersect. When no corner of one is inside the other, no corner is on an edge
 * either, and two edges pass through each other. */
static void common_point(const hull *a, const hull *b, int axis, double point[3], tmb_stage *stage)
{
    const double *corner = corner_inside(a, b, axis, stage);
    corner = corner != 0 ? corner : corner_inside(b, a, axis, stage);
    if (corner != 0) {
        memcpy(point, corner, 3 * sizeof point[0]);
        return;
    }
    for (int i = 0; i < edge_count(a); i++) {
        for (int j = 0; j < edge_count(b); j++) {
            if (edges_cross(a, i, b, j, stage)) {
                tmb_edge_line_point(a->corners[i], a->corners[(i + 1) % a->count], b->corners[j],
                                    b->corners[(j + 1) % b->count], axis, point);
                return;
            }
        }
    }
}

static void repeat_point(double points[2][3])
{
    memcpy(points[1], points[0], sizeof points[1]);
}

static int intersect_in_plane(hull *a, hull *b, int axis, double (*points)[3], tmb_stage *stage)
{
    flatten(a, axis, stage);
    flatten(b, axis, stage);
    if (separated_by_edge(a, b, stage) || separated_by_edge(b, a, stage)) {
        return -1;
    }
    if (points != 0) {
        common_point(a, b, axis, points[0], stage);
        repeat_point(points);
    }
    return 1;
}

/* Everything is on one line. */
static int intersect_on_line(const hull *a, const hull *b, double (*points)[3])
{
    TMB_ASSERT(a->count < 3 && b->count < 3);
    TMB_ASSERT(lexicographic(a->corners[0], a->corners[a->count - 1], 3) <= 0);
    TMB_ASSERT(lexicographic(b->corners[0], b->corners[b->count - 1], 3) <= 0);
    const double *a_high = a->corners[a->count - 1], *b_high = b->corners[b->count - 1];
    const double *low = lexicographic(a->corners[0], b->corners[0], 3) > 0 ? a->corners[0] : b->corners[0];
    const double *high = lexicographic(a_high, b_high, 3) < 0 ? a_high : b_high;
    if (lexicographic(low, high, 3) > 0) {
        return -1;
    }
    if (points != 0) {
        memcpy(points[0], low, sizeof points[0]);
        repeat_point(points);
    }
    return 1;
}

/* Whether the line p q passes through the triangle; hands[i] is the hand on which it leaves the edge from corner i to
 * the next. */
static int passes_through(const double *p, const double *q, const double t[3][3], int hands[3], tmb_stage *stage)
{
    int left = 0, right = 0;
    for (int i = 0; i < 3; i++) {
        hands[i] = tmb_sign3d(p, q, t[i], t[(i + 1) % 3], stage);
        left |= hands[i] > 0;
        right |= hands[i] < 0;
    }
    return !(left && right);
}

/* The corner that is the only common point of a triangle and a segment that leaves its plane, or NULL. */
static const double *passing_corner(const double t[3][3], const int hands[3], const double segment[3][3],
                                    tmb_stage *stage)
{
    for (int i = 0; i < 3; i++) {
        if (hands[i] == 0 && hands[(i + 2) % 3] == 0) {
            return t[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        if (tmb_sign3d(t[0], t[1], t[2], segment[i], stage) == 0) {
            return segment[i];
        }
    }
    return 0;
}

/* A triangle against a segment or a point. The line of a segment that leaves the plane passes through it in one point,
 * which is in the triangle when the line leaves all three edges on the same hand. */
static int intersect_triangle(hull *triangle, hull *other, double (*points)[3], tmb_stage *stage)
{
    TMB_ASSERT(triangle->count == 3 && other->count < 3);
    TMB_ASSERT(triangle->axis >= 0);
    const double(*t)[3] = triangle->triangle;
    const double *p = other->corners[0], *q = other->corners[other->count - 1];
    const int p_side = -tmb_sign3d(t[0], t[1], t[2], p, stage), q_side = -tmb_sign3d(t[0], t[1], t[2], q, stage);
    int hands[3];
    if (p_side * q_side > 0) {
        return -1;
    }
    if (p_side == 0 && q_side == 0) {
        return intersect_in_plane(triangle, other, triangle->axis, points, stage);
    }
    if (!passes_through(p, q, t, hands, stage)) {
        return -1;
    }
    if (points != 0) {
        const double *corner = passing_corner(t, hands, other->triangle, stage);
        if (corner != 0) {
            memcpy(points[0], corner, sizeof points[0]);
        } else {
            tmb_edge_plane_point(p, p_side, q, q_side, t, points[0]);
        }
        repeat_point(points);
    }
    return 0;
}

/* Two sets that are segments or points. */
static int intersect_segments(hull *a, hull *b, double (*points)[3], tmb_stage *stage)
{
    TMB_ASSERT(a->count < 3 && b->count < 3);
    const double *p = a->corners[0], *q = a->corners[a->count - 1], *r = b->corners[0], *s = b->corners[b->count - 1];
    if (tmb_sign3d(p, q, r, s, stage) != 0) {
        return -1;
    }
    const double *triples[4][3] = {{p, q, r}, {p, q, s}, {r, s, p}, {r, s, q}};
    for (int i = 0; i < 4; i++) {
        int turn;
        const int axis = axis_with_area(triples[i][0], triples[i][1], triples[i][2], &turn, stage);
        if (axis >= 0) {
            return intersect_in_plane(a, b, axis, points, stage);
        }
    }
    return intersect_on_line(a, b, points);
}

int tmb_degenerate_intersection(const double a[3][3], const double b[3][3], double (*points)[3], tmb_stage *stage)
{
    TMB_ASSERT(tmb_all_finite(a[0], 9) && tmb_all_finite(b[0], 9));
    hull hull_a = reduce(a, stage), hull_b = reduce(b, stage);
    if (hull_a.count == 3 && hull_b.count == 3) {
        return intersect_in_plane(&hull_a, &hull_b, hull_a.axis, points, stage);
    }
    if (hull_a.count == 3) {
        return intersect_triangle(&hull_a, &hull_b, points, stage);
    }
    if (hull_b.count == 3) {
        return intersect_triangle(&hull_b, &hull_a, points, stage);
    }
    return intersect_segments(&hull_a, &hull_b, points, stage);
}
