/* A triangle, or a ball, and a cylinder with flat ends: do they meet? */
#include "prim/cylinder.h"

#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "prim/cylinder_parts.h"
#include "prim/triangle.h"
#include "prim/triangle_box.h"
#include "prim/triangle_distance.h"

static int meets_border(const double t[3][3], const tmb_cylinder *c, unsigned long long *exact)
{
    const tmb_verdict fast = tmb_cylinder_filter(t, c);
    if (fast != TMB_MAYBE) {
        return fast == TMB_YES;
    }
    if (exact) {
        ++*exact;
    }
    return tmb_cylinder_exact(t, c) == TMB_YES;
}

static int is_ball(const tmb_cylinder *c)
{
    return tmb_compare_numbers(c->from, c->to, 3) == 0;
}

/* The axis as a triangle. */
static void get_axis(const tmb_cylinder *c, double out[3][3])
{
    memcpy(out[0], c->from, sizeof out[0]);
    memcpy(out[1], c->to, sizeof out[1]);
    memcpy(out[2], c->to, sizeof out[2]);
}

int tmb_triangle_meets_cylinder(const double t[3][3], const tmb_cylinder *c, unsigned long long *exact)
{
    TMB_ASSERT(tmb_all_finite(t[0], 9) && tmb_all_finite(c->from, 3) && tmb_all_finite(c->to, 3));
    double axis[3][3];
    get_axis(c, axis);
    if (is_ball(c)) {
        return tmb_triangles_within_limit(t, (const double(*)[3])axis, &c->radius, exact);
    }
    return meets_border(t, c, exact) || tmb_triangles_intersect(t, (const double(*)[3])axis, exact);
}

/* Of a triangle with points strictly between the end planes, also those in the planes are next to such points. */
int tmb_triangle_enters_cylinder(const double t[3][3], const tmb_cylinder *c, unsigned long long *exact)
{
    double axis[3][3];
    get_axis(c, axis);
    if (!(c->radius.above > 0)) {
        return 0;
    }
    if (is_ball(c)) {
        return tmb_triangles_closer(t, (const double(*)[3])axis, &c->radius);
    }
    tmb_verdict between = tmb_cylinder_between_filter(t, c), enters = tmb_cylinder_enters_filter(t, c);
    if (between == TMB_MAYBE || (between == TMB_YES && enters == TMB_MAYBE)) {
        *exact += 1;
        between = tmb_cylinder_between_exact(t, c);
        enters = tmb_cylinder_enters_exact(t, c);
    }
    return between == TMB_YES && (enters == TMB_YES || tmb_triangles_intersect(t, (const double(*)[3])axis, exact));
}

int tmb_cylinder_holds(const tmb_cylinder *c, const double point[3], unsigned long long *exact)
{
    double t[3][3], axis[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(t[i], point, sizeof t[i]);
    }
    if (is_ball(c)) {
        get_axis(c, axis);
        return c->radius.above > 0 && tmb_triangles_closer((const double(*)[3])axis, (const double(*)[3])t, &c->radius);
    }
    tmb_verdict holds = tmb_cylinder_inside_filter((const double(*)[3])t, c);
    if (holds == TMB_MAYBE) {
        *exact += 1;
        holds = tmb_cylinder_inside_exact((const double(*)[3])t, c);
    }
    return holds == TMB_YES;
}

/* A triangle of the box's surface: of a face across an axis, one of two. */
static void get_face(const double *const sides[2], int k, int side, int half, double out[3][3])
{
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    for (int i = 0; i < 3; i++) {
        out[i][k] = sides[side][k];
        out[i][l] = sides[half ? i != 0 : i == 1][l];
        out[i][m] = sides[half ? i == 1 : i != 0][m];
    }
}

/* If no end is in the box, they meet on its surface: the cylinder is connected, and so is the box. */
int tmb_box_meets_cylinder(const double lower[3], const double upper[3], const tmb_cylinder *c,
                           unsigned long long *exact)
{
    const double *const sides[2] = {lower, upper};
    double t[3][3];
    get_axis(c, t);
    if (!tmb_triangle_near_box((const double(*)[3])t, lower, upper, &c->radius, exact)) {
        return 0;
    }
    int meet = is_ball(c) || tmb_triangle_meets_box((const double(*)[3])t, lower, upper, exact);
    for (int i = 0; i < 12 && !meet; i++) {
        get_face(sides, i / 4, i % 2, i / 2 % 2, t);
        meet = tmb_triangle_meets_cylinder((const double(*)[3])t, c, exact);
    }
    return meet;
}

int tmb_ball_meets_cylinder(tumble_context *context, const double centre[3], const tmb_limit *radius,
                            const tmb_cylinder *c, unsigned long long *exact)
{
    TMB_ASSERT(!is_ball(c));
    tmb_verdict met = tmb_cylinder_ball_filter(centre, radius, c);
    if (met == TMB_MAYBE) {
        *exact += 1;
        met = tmb_cylinder_ball_exact(context, centre, radius, c);
    }
    return met == TMB_MAYBE ? -1 : met == TMB_YES;
}
