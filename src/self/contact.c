/* Where two triangles of one model meet. */
#include <string.h>

#include "base/assert.h"
#include "prim/triangle.h"
#include "prim/triangle_distance.h"
#include "prim/triangle_parts.h"
#include "self/self.h"

static int is_corner_of(const double p[3], const double t[3][3])
{
    return tmb_same_point(p, t[0]) || tmb_same_point(p, t[1]) || tmb_same_point(p, t[2]);
}

static int contains_point(const double t[3][3], const double p[3])
{
    double point[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(point[i], p, sizeof point[i]);
    }
    return tmb_triangles_intersect(t, (const double(*)[3])point, NULL);
}

/* A corner of `a` that is in `b`, but no corner of it. */
static const double *own_corner_inside(const double a[3][3], const double b[3][3])
{
    for (int i = 0; i < 3; i++) {
        if (!is_corner_of(a[i], b) && contains_point(b, a[i])) {
            return a[i];
        }
    }
    return NULL;
}

static int side_along(const double p[3], const double q[3], const double r[3], int axis)
{
    double flat[3][2];
    tmb_project(p, axis, flat[0]);
    tmb_project(q, axis, flat[1]);
    tmb_project(r, axis, flat[2]);
    return tmb_orient2d(flat[0], flat[1], flat[2]);
}

/* Where two edges pass through each other. */
static int crossing_edges(const double a[3][3], const double b[3][3], int axis, double point[3])
{
    for (int n = 0; n < 9; n++) {
        const double *p = a[n / 3], *q = a[(n / 3 + 1) % 3], *r = b[n % 3], *s = b[(n % 3 + 1) % 3];
        if (side_along(p, q, r, axis) * side_along(p, q, s, axis) < 0 &&
            side_along(r, s, p, axis) * side_along(r, s, q, axis) < 0) {
            tmb_edge_line_point(p, q, r, s, axis, point);
            return 1;
        }
    }
    return 0;
}

/* In one plane, a point outside of what they share: such triangles have one in a corner or where edges cross, unless
 * they share all corners. */
static void move_outside(const double a[3][3], const double b[3][3], double points[2][3])
{
    int axis;
    double point[3];
    const double *corner = own_corner_inside(a, b);
    corner = corner ? corner : own_corner_inside(b, a);
    if (corner) {
        memcpy(points[0], corner, sizeof points[0]);
    } else if ((tmb_has_area(a, &axis) || tmb_has_area(b, &axis)) && crossing_edges(a, b, axis, point)) {
        memcpy(points[0], point, sizeof points[0]);
    }
    memcpy(points[1], points[0], sizeof points[1]);
}

void tmb_self_contact(const tmb_self *self, const double a[3][3], const double b[3][3], tumble_contact *contact)
{
    const int coplanar = tmb_triangles_segment(a, b, contact->points);
    if (coplanar < 0) {
        tmb_triangle_distance distance;
        TMB_ASSERT(self->is_near);
        tmb_triangles_distance(a, b, &distance, NULL);
        memcpy(contact->points, distance.points, sizeof contact->points);
        contact->apart = 1;
        return;
    }
    contact->coplanar = (uint32_t)coplanar;
    if (coplanar && !self->soup) {
        move_outside(a, b, contact->points);
    }
}
