/* Which side of a curve is inside. Where both models pass through each other, the curve runs along the product of their
 * outward normals, and the left side of a surface, seen from without, is then inside the other: let d = n x m. Left is
 * n x d = (n m) n - m, which looks against m. So it is enough to know of one triangle of each whether its front is
 * outside: whether a point is from which a ray hits it first. */
#include <math.h>

#include "math/vec3.h"
#include "region/region.h"
#include "tumble/ray.h"

enum {
    MOST_TRIES = 40 /* ever closer to the triangle */
};

typedef struct front {
    tumble_query *query;
    const tumble_model *model;
    const tumble_pose *pose;
    const tmb_region_triangle *triangle;
    tumble_counters *counters;
} front;

/* 1: the front is outside, -1: inside, 0: it is not known from here. */
static tumble_status look_from(const front *f, const double point[3], const double direction[3], int *side)
{
    tumble_ray_result hit;
    tumble_inside_answer place;
    tumble_counters counters = {.seconds = 0};
    *side = 0;
    tumble_status status = tumble_ray(f->query, f->model, f->pose, point, direction, NULL, &hit);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_counters_add(f->counters, &hit.counters);
    if (!hit.hit || hit.first.polygon != f->triangle->polygon || hit.first.side == TUMBLE_SIDE_EDGE_ON) {
        return TUMBLE_OK;
    }
    status = tumble_inside(f->query, f->model, f->pose, point, 1, NULL, &place, &counters);
    tmb_counters_add(f->counters, &counters);
    if (status == TUMBLE_OK && (place.place == TUMBLE_PLACE_OUTSIDE || place.place == TUMBLE_PLACE_INSIDE)) {
        *side = (hit.first.side == TUMBLE_SIDE_FRONT) == (place.place == TUMBLE_PLACE_OUTSIDE) ? 1 : -1;
    }
    return status;
}

static tumble_status find_front(const front *f, int *side)
{
    const double(*t)[3] = (const double(*)[3])f->triangle->corners;
    double centre[3], u[3], v[3], normal[3], direction[3], point[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = t[0][k] / 3 + t[1][k] / 3 + t[2][k] / 3;
        u[k] = t[1][k] - t[0][k];
        v[k] = t[2][k] - t[0][k];
    }
    const double size = tmb_greater(tmb_largest_size(u), tmb_largest_size(v));
    for (int k = 0; k < 3; k++) {
        u[k] /= size;
        v[k] /= size;
    }
    tmb_cross(u, v, normal);
    const double length = tmb_length(normal);
    tumble_status status = TUMBLE_OK;
    *side = 0;
    for (int n = 0; n < MOST_TRIES && *side == 0 && status == TUMBLE_OK && length > 0 && size < (double)INFINITY; n++) {
        for (int k = 0; k < 3; k++) {
            point[k] = centre[k] + ldexp(normal[k] / length * size, -n);
            direction[k] = centre[k] - point[k];
        }
        if (!tmb_all_finite(point, 3) || !tmb_all_finite(direction, 3) || tmb_largest_size(direction) == 0) {
            break;
        }
        status = look_from(f, point, direction, side);
    }
    return status;
}

/* The segment that is longest is told best. */
static uint32_t best_meeting(const tmb_region_curves *c, const tumble_contact_curve *curve)
{
    size_t best = curve->first_point;
    double most = -1;
    for (size_t i = 0; i + !curve->is_closed < curve->point_count; i++) {
        const double *p = c->points[curve->first_point + i],
                     *q = c->points[curve->first_point + (i + 1 < curve->point_count ? i + 1 : 0)];
        const double way[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, length = tmb_largest_size(way);
        if (length > most) {
            most = length;
            best = curve->first_point + i;
        }
    }
    return c->meetings[best];
}

tumble_status tmb_region_find_sides(const tmb_region_graph *g, tmb_region_curves *c, tumble_regions_result *result)
{
    const tmb_encounter *e = g->encounter;
    for (size_t i = 0; i < result->curve_count; i++) {
        tumble_contact_curve *curve = &c->curves[i];
        int sides[2] = {0, 0};
        for (int which = 0; which < 2 && curve->sides_are_known && result->closed_a && result->closed_b; which++) {
            const tmb_region_meeting *m = &g->meetings[best_meeting(c, curve)];
            const front f = {.query = g->query,
                             .model = which == 0 ? e->a : e->b,
                             .pose = which == 0 ? NULL : &e->relative,
                             .triangle = &g->triangles[which][m->triangles[which]],
                             .counters = &result->counters};
            const tumble_status status = find_front(&f, &sides[which]);
            if (status != TUMBLE_OK) {
                return status;
            }
        }
        curve->sides_are_known = sides[0] != 0 && sides[1] != 0;
        if (sides[0] * sides[1] < 0) {
            tmb_region_turn_round(c, curve);
        }
    }
    return TUMBLE_OK;
}
