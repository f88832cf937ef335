/* The relation of models with a radius. Their points are those within the radius of the surface and, of a closed model,
 * those inside; inner points are those closer than the radius, and those inside.
 *
 * Let A and B be r and s thick and their surfaces d apart.
 *   d > r + s   A part of one is inside the other as a whole, or outside, as without radii.
 *   d = r + s   They touch, if no part of one is inside the other.
 *   d < r + s   Both have inner points in common: is all of one inside the other?
 * If A's surface is inside B, which is closed, and d > r - s, all of A is: what is r from A's surface and outside B is
 * at most r - d from B's surface. If B has a single triangle, its points are a convex set, and A is inside it if and
 * only if the balls around its corners are. No model is inside another whose box is not larger on all sides. Otherwise
 * it is not known, and the relation is UNDEFINED. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "prim/triangle_distance.h"
#include "relate/relate.h"

#define BOX_ROUNDING 0x1p-48 /* of boxes that are compared, in doubles */

/* The polygons that are within the sum of their radii. */
typedef struct thick_meetings {
    const tmb_relating *relating;
    const tmb_collider *collider;
    int overlap;   /* some are closer than that, */
    int thin_ones; /* or meet though both have the radius 0 */
} thick_meetings;

/* 1: enough is known. */
static int on_meeting(void *user, uint32_t ta, uint32_t tb)
{
    thick_meetings *m = user;
    const tmb_encounter *e = &m->collider->encounter;
    const double radius_a = tmb_model_radius(e->a, tmb_model_polygon(e->a, ta));
    const double radius_b = tmb_model_radius(e->b, tmb_model_polygon(e->b, tb));
    const double unit = e->has_pose_a ? tumble_pose_scale(&e->pose_a) : 1;
    const tmb_limit limit = tmb_limit_of(tmb_thickness_beside(&e->thick, 0, radius_a, radius_b), unit);
    double a[3][3], b[3][3];
    tmb_solid_corners(&m->relating->solid[0], ta, a);
    tmb_solid_corners(&m->relating->solid[1], tb, b);
    m->thin_ones |= !(limit.above > 0);
    m->overlap |= limit.above > 0 && tmb_triangles_closer((const double(*)[3])a, (const double(*)[3])b, &limit);
    return m->overlap;
}

static tumble_status find_meetings(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b,
                                   thick_meetings *m, tmb_thickness *thick, tumble_collide_result *found)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_FIRST;
    tmb_collider collider;
    tmb_collider_begin(&collider, r->query, r->solid[0].model, r->solid[1].model, &options);
    *m = (thick_meetings){.relating = r, .collider = &collider};
    collider.sink = (tmb_hit_sink){.on_hit = on_meeting, .user = m};
    const tumble_status status = tmb_collider_run(&collider, pose_a, pose_b);
    tmb_collider_report(&collider, 0, found);
    *thick = collider.encounter.thick;
    r->counters = found->counters;
    return status;
}

/* ---- Surfaces alone ---- */

/* Whether polygons are within a distance, regardless of their radii. */
static tumble_status are_within(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b, double distance,
                                int *within)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_TEST;
    options.clearance = distance;
    tmb_collider collider;
    tmb_collider_begin(&collider, r->query, r->solid[0].model, r->solid[1].model, &options);
    collider.is_thin = 1;
    const tumble_status status = tmb_collider_run(&collider, pose_a, pose_b);
    const tumble_counters more = tmb_encounter_counters(&collider.encounter, 0);
    tmb_counters_add(&r->counters, &more);
    *within = collider.collide;
    return status;
}

/* ---- All of one inside the other ---- */

/* How thick a model is in the frame of the poses. */
static double thickness_of(const tmb_thickness *t, int which)
{
    return t->scales[which] * (t->most[which] + t->padding[which]);
}

tmb_solid_box tmb_solid_box_of(const tmb_solid *solid)
{
    tmb_solid_box out = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    const tumble_model *model = solid->model;
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            double corners[3][3];
            tmb_solid_corners(solid, tmb_triangle_address(cluster, t), corners);
            for (int i = 0; i < 9; i++) {
                out.lower[i % 3] = fmin(out.lower[i % 3], corners[i / 3][i % 3]);
                out.upper[i % 3] = fmax(out.upper[i % 3], corners[i / 3][i % 3]);
            }
        }
    }
    return out;
}

int tmb_box_reaches_beyond(const tmb_solid_box *inner, const tmb_solid_box *outer, double more)
{
    int beyond = 0;
    for (int k = 0; k < 3; k++) {
        const double sizes =
            fabs(inner->lower[k]) + fabs(inner->upper[k]) + fabs(outer->lower[k]) + fabs(outer->upper[k]) + fabs(more);
        const double slack = BOX_ROUNDING * sizes;
        beyond |= outer->lower[k] - inner->lower[k] + more > slack;
        beyond |= inner->upper[k] - outer->upper[k] + more > slack;
    }
    return beyond;
}

/* Whether all corners of a model are closer than the limit to the single triangle of the other. */
static int has_all_corners_in(const tmb_relating *r, int which, const tmb_limit *limit)
{
    const tumble_model *model = r->solid[which].model;
    double single[3][3];
    int all = 1;
    tmb_solid_corners(&r->solid[1 - which], 0, single);
    for (uint32_t cluster = 0; all && cluster < model->block->cluster_count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            double corners[3][3];
            tmb_solid_corners(&r->solid[which], tmb_triangle_address(cluster, t), corners);
            for (int i = 0; i < 3; i++) {
                double corner[3][3];
                for (int j = 0; j < 3; j++) {
                    memcpy(corner[j], corners[i], sizeof corner[j]);
                }
                all &= tmb_triangles_closer((const double(*)[3])corner, (const double(*)[3])single, limit);
            }
        }
    }
    return all;
}

typedef enum containment {
    NOT_INSIDE,
    INSIDE,
    UNKNOWN
} containment;

/* Whether all points of solid `which` are inner points of the other. */
static containment find_containment(const tmb_relating *r, const tmb_thickness *t, int which, double unit)
{
    const double own = thickness_of(t, which), other = thickness_of(t, 1 - which);
    const tumble_model *around = r->solid[1 - which].model;
    if (around->block->triangle_count == 1 && !around->live && !around->edit) {
        if (!(other > own)) {
            return NOT_INSIDE;
        }
        const tmb_limit limit = tmb_limit_of(other - own, unit);
        return r->solid[which].model->radii ? UNKNOWN : has_all_corners_in(r, which, &limit) ? INSIDE : NOT_INSIDE;
    }
    const tmb_solid_box inner = tmb_solid_box_of(&r->solid[which]), outer = tmb_solid_box_of(&r->solid[1 - which]);
    return t->is_uniform && tmb_box_reaches_beyond(&inner, &outer, (own - other) / unit) ? NOT_INSIDE : UNKNOWN;
}

/* Surfaces are within the radii. What the surfaces say alone, if they do not meet, then what the solids do. */
static tumble_status relate_overlapping(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b,
                                        const tmb_thickness *t, tumble_relation *out)
{
    const double unit = t->scales[0], own[2] = {thickness_of(t, 0), thickness_of(t, 1)};
    int meet, pokes_out = 0;
    tumble_status status = are_within(r, pose_a, pose_b, 0, &meet);
    const tumble_relation thin = meet || status != TUMBLE_OK ? TUMBLE_RELATION_CROSSING : tmb_relate_apart(r);
    if (t->is_uniform && (thin == TUMBLE_RELATION_A_IN_B || thin == TUMBLE_RELATION_B_IN_A)) {
        const int which = thin == TUMBLE_RELATION_B_IN_A;
        if (own[which] > own[1 - which]) {
            status = are_within(r, pose_a, pose_b, own[which] - own[1 - which], &pokes_out);
        }
        if (!pokes_out) {
            *out = thin;
            return status;
        }
    }
    const containment a = find_containment(r, t, 0, unit), b = find_containment(r, t, 1, unit);
    *out = a == INSIDE                          ? TUMBLE_RELATION_A_IN_B
           : b == INSIDE                        ? TUMBLE_RELATION_B_IN_A
           : a == NOT_INSIDE && b == NOT_INSIDE ? TUMBLE_RELATION_CROSSING
                                                : TUMBLE_RELATION_UNDEFINED;
    return status;
}

/* ---- All together ---- */

/* A model that is not closed, and thin: it has no inside. */
static int has_no_solid(const tmb_relating *r, const tmb_thickness *t, int which)
{
    return !r->topology[which]->closed && !(t->most[which] + t->padding[which] > 0);
}

/* No polygons are closer than the radii; without parts of one inside the other they touch or are apart. */
static tumble_relation relate_outside(tmb_relating *r, const tmb_thickness *t, int touch)
{
    const tumble_relation thin = tmb_relate_apart(r);
    if (thin == TUMBLE_RELATION_UNDEFINED || thin == TUMBLE_RELATION_APART) {
        return touch                                            ? TUMBLE_RELATION_TOUCHING
               : thin == TUMBLE_RELATION_APART                  ? TUMBLE_RELATION_APART
               : has_no_solid(r, t, 0) || has_no_solid(r, t, 1) ? TUMBLE_RELATION_UNDEFINED
                                                                : TUMBLE_RELATION_APART;
    }
    const int around = thin == TUMBLE_RELATION_A_IN_B;
    return touch && !(thickness_of(t, around) > 0) ? TUMBLE_RELATION_CROSSING : thin; /* at the wall, from within */
}

tumble_status tmb_relate_thick(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b,
                               tumble_relation_result *result)
{
    thick_meetings meetings;
    tmb_thickness thick;
    tumble_collide_result found;
    const tumble_status status = find_meetings(r, pose_a, pose_b, &meetings, &thick, &found);
    if (status != TUMBLE_OK) {
        return status;
    }
    result->surfaces_meet = found.collide;
    result->pair = found.first;
    if (!r->topology[0]->part_count || !r->topology[1]->part_count) {
        result->relation = TUMBLE_RELATION_APART;
        return TUMBLE_OK;
    }
    if (meetings.overlap) {
        return relate_overlapping(r, pose_a, pose_b, &thick, &result->relation);
    }
    result->relation = meetings.thin_ones ? TUMBLE_RELATION_UNDEFINED : relate_outside(r, &thick, found.collide);
    return TUMBLE_OK;
}
