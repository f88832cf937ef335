/* Where on both triangles their common points end. The order of points on the common line is that of
 * triangle_intersect.c. */
#include "prim/triangle_ends.h"

#include <string.h>

#include "base/assert.h"
#include "prim/triangle_parts.h"

/* A triangle that crosses the plane of the other: its interval on the common line is from edge p-x0 to edge p-x1. */
typedef struct cut {
    const double (*corners)[3];
    const double (*plane)[3]; /* of the other */
    tmb_sides sides;
    unsigned p, x[2];
} cut;

static unsigned spot_of_cut(const cut *c, int which)
{
    const unsigned x = c->x[which];
    return tmb_side(c->sides, c->p) == 0 ? c->p : tmb_side(c->sides, x) == 0 ? x : TMB_SPOT_EDGE + 3 - c->p - x;
}

/* Where the points between both ends of the interval are. */
static unsigned spot_between(const cut *c)
{
    const int on_edge = tmb_side(c->sides, c->x[0]) == 0 && tmb_side(c->sides, c->x[1]) == 0;
    return on_edge ? TMB_SPOT_EDGE + c->p : TMB_SPOT_INSIDE;
}

static void construct(const cut *c, int which, double point[3])
{
    const unsigned x = c->x[which];
    tmb_edge_plane_point(c->corners[c->p], tmb_side(c->sides, c->p), c->corners[x], tmb_side(c->sides, x), c->plane,
                         point);
}

static int order(const cut *c, int which_c, const cut *d, int which_d)
{
    tmb_stage stage = TMB_STAGE_FILTER;
    return tmb_order_on_line(c->corners[c->p], c->corners[c->x[which_c]], d->corners[d->p], d->corners[d->x[which_d]],
                             &stage);
}

/* The point where the interval of `own` ends on side `which`. The other's interval ends there on its side `same` too if
 * `is_same`, and on its side `across` if it is only that point. */
static void end_on(const cut *own, int which, const cut *other, int same, int is_same, int across, int is_across,
                   unsigned *own_spot, unsigned *other_spot, double point[3])
{
    *own_spot = spot_of_cut(own, which);
    *other_spot = is_same ? spot_of_cut(other, same) : is_across ? spot_of_cut(other, across) : spot_between(other);
    if (*other_spot < TMB_SPOT_EDGE) {
        memcpy(point, other->corners[*other_spot], 3 * sizeof *point);
    } else {
        construct(own, which, point);
    }
}

/* Along the line, a's interval is from x0 to x1 and b's from x0 to x1, too. */
static int crossing_ends(const cut *a, const cut *b, tmb_triangle_end ends[2])
{
    const int first_last = order(a, 0, b, 1), last_first = order(a, 1, b, 0);
    if (first_last > 0 || last_first < 0) {
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        const int sign = order(a, k, b, k); /* the later one begins, the earlier one ends */
        const int a_meets_far = k == 0 ? first_last == 0 : last_first == 0,
                  b_meets_far = k == 0 ? last_first == 0 : first_last == 0;
        unsigned spots[2];
        if (k == 0 ? sign >= 0 : sign <= 0) {
            end_on(a, k, b, k, sign == 0, 1 - k, a_meets_far, &spots[0], &spots[1], ends[k].point);
        } else {
            end_on(b, k, a, k, 0, 1 - k, b_meets_far, &spots[1], &spots[0], ends[k].point);
        }
        ends[k].spots[0] = (unsigned char)spots[0];
        ends[k].spots[1] = (unsigned char)spots[1];
    }
    return 2;
}

/* Whether the line from x0 to x1 runs against the product of the normals. Seen from the tip of A's normal, p is on the
 * left of those who walk from the next corner's edge to the other one's. */
static int runs_backward(const cut *a)
{
    const int p = tmb_side(a->sides, a->p);
    const int side = p != 0 ? p : -tmb_side(a->sides, a->x[0]);
    return (a->x[0] == (a->p + 1) % 3) == (side > 0);
}

/* ---- One plane ---- */

typedef struct flat {
    double corners[2][3][2];
    const double (*triangles[2])[3];
    int turn[2]; /* 1: corners turn left */
    int axis;
} flat;

/* Where a point is in a triangle; -1: outside. */
static int spot_in(const flat *f, int which, const double point[2])
{
    int zeros = 0, corner = 0, edge = 0;
    for (int i = 0; i < 3; i++) {
        const double *p = f->corners[which][(i + 1) % 3], *q = f->corners[which][(i + 2) % 3];
        const int side = tmb_orient2d(p, q, point) * f->turn[which];
        if (side < 0) {
            return -1;
        }
        zeros += side == 0;
        corner += side != 0 ? i : 0;
        edge = side == 0 ? i : edge;
    }
    return zeros == 2 ? corner : zeros == 1 ? TMB_SPOT_EDGE + edge : TMB_SPOT_INSIDE;
}

static int corners_inside(const flat *f, int which, tmb_triangle_end *ends)
{
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const int spot = spot_in(f, 1 - which, f->corners[which][i]);
        if (spot >= 0 && !(which == 1 && spot < TMB_SPOT_EDGE)) { /* a common corner is one point */
            ends[count].spots[which] = (unsigned char)i;
            ends[count].spots[1 - which] = (unsigned char)spot;
            memcpy(ends[count++].point, f->triangles[which][i], sizeof ends->point);
        }
    }
    return count;
}

static int crossings(const flat *f, tmb_triangle_end *ends)
{
    int count = 0;
    for (int n = 0; n < 9; n++) {
        const int i = n / 3, j = n % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const double *p = f->corners[0][i1], *q = f->corners[0][i2], *r = f->corners[1][j1], *s = f->corners[1][j2];
        if (tmb_orient2d(p, q, r) * tmb_orient2d(p, q, s) < 0 && tmb_orient2d(r, s, p) * tmb_orient2d(r, s, q) < 0) {
            ends[count].spots[0] = (unsigned char)(TMB_SPOT_EDGE + i);
            ends[count].spots[1] = (unsigned char)(TMB_SPOT_EDGE + j);
            tmb_edge_line_point(f->triangles[0][i1], f->triangles[0][i2], f->triangles[1][j1], f->triangles[1][j2],
                                f->axis, ends[count++].point);
        }
    }
    return count;
}

/* 0: a triangle has no area. */
static int flatten(flat *f)
{
    for (f->axis = 0; f->axis < 3; f->axis++) {
        for (int i = 0; i < 6; i++) {
            tmb_project(f->triangles[i / 3][i % 3], f->axis, f->corners[i / 3][i % 3]);
        }
        for (int which = 0; which < 2; which++) {
            f->turn[which] = tmb_orient2d(f->corners[which][0], f->corners[which][1], f->corners[which][2]);
        }
        if (f->turn[0] != 0 && f->turn[1] != 0) {
            return 1;
        }
    }
    return 0;
}

int tmb_triangles_ends(const double a[3][3], const double b[3][3], tmb_triangle_end ends[TMB_MOST_ENDS],
                       int *is_coplanar)
{
    tmb_stage stage = TMB_STAGE_FILTER;
    const tmb_sides sides_of_b = tmb_resolve_sides(a, b, tmb_filter_sides(a, b), &stage);
    const tmb_sides sides_of_a = tmb_resolve_sides(b, a, tmb_filter_sides(b, a), &stage);
    *is_coplanar = 0;
    if (tmb_on_one_side(sides_of_a) || tmb_on_one_side(sides_of_b)) {
        return 0;
    }
    if (sides_of_a != 0 && sides_of_b != 0) {
        const tmb_arrangement k = tmb_arrange(sides_of_a, sides_of_b);
        const cut cuts[2] = {{a, b, sides_of_a, k.p1, {k.q1, k.r1}}, {b, a, sides_of_b, k.p2, {k.r2, k.q2}}};
        const int count = crossing_ends(&cuts[0], &cuts[1], ends);
        if (count == 2 && runs_backward(&cuts[0])) {
            const tmb_triangle_end first = ends[0];
            ends[0] = ends[1];
            ends[1] = first;
        }
        return count;
    }
    flat f = {.triangles = {a, b}};
    if (!flatten(&f)) {
        return 0;
    }
    *is_coplanar = 1;
    int count = corners_inside(&f, 0, ends);
    count += corners_inside(&f, 1, ends + count);
    count += crossings(&f, ends + count);
    TMB_ASSERT(count <= TMB_MOST_ENDS);
    return count;
}
