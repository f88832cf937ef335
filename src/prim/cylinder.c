/* A triangle, or a ball, and a cylinder with flat ends: do they meet? */
#include "prim/cylinder.h"

#include <string.h>

#include "base/assert.h"
#include "math/vec3.h"
#include "prim/cylinder_parts.h"
#include "prim/triangle.h"
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

int tmb_triangle_meets_cylinder(const double t[3][3], const tmb_cylinder *c, unsigned long long *exact)
{
    TMB_ASSERT(tmb_all_finite(t[0], 9) && tmb_all_finite(c->from, 3) && tmb_all_finite(c->to, 3));
    double segment[3][3];
    memcpy(segment[0], c->from, sizeof segment[0]);
    memcpy(segment[1], c->to, sizeof segment[1]);
    memcpy(segment[2], c->to, sizeof segment[2]);
    if (tmb_compare_numbers(c->from, c->to, 3) == 0) {
        return tmb_triangles_within_limit(t, (const double(*)[3])segment, &c->radius, exact);
    }
    return meets_border(t, c, exact) || tmb_triangles_intersect(t, (const double(*)[3])segment, exact);
}

int tmb_ball_meets_cylinder(tumble_context *context, const double centre[3], const tmb_limit *radius,
                            const tmb_cylinder *c, unsigned long long *exact)
{
    TMB_ASSERT(tmb_compare_numbers(c->from, c->to, 3) != 0);
    tmb_verdict met = tmb_cylinder_ball_filter(centre, radius, c);
    if (met == TMB_MAYBE) {
        *exact += 1;
        met = tmb_cylinder_ball_exact(context, centre, radius, c);
    }
    return met == TMB_MAYBE ? -1 : met == TMB_YES;
}
