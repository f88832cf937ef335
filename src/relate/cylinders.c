/* The relation of models of cylinders with flat ends. Their points are those of the cylinders; inner points are those
 * inside of one.
 *
 * A cylinder beside a surface without a radius: whether polygons meet it, and its inside, is exact. If none has points
 * inside, the cylinder is on one side of the surface as a whole, on that of any inner point. Surfaces with points
 * inside are within it if all corners are, as it is convex. Two cylinders, or a cylinder and polygons with a radius,
 * have inner points in common for certain if the axis or the polygon of one has points inside the other; else it is not
 * known. */
#include <math.h>

#include "prim/cylinder.h"
#include "query/cylinders.h"
#include "relate/relate.h"

typedef struct meetings {
    const tmb_relating *relating;
    tmb_collider *collider;
    int overlap; /* some have inner points in common */
} meetings;

static double unit_of(const tmb_encounter *e)
{
    return e->has_pose_a ? tumble_pose_scale(&e->pose_a) : 1;
}

static tmb_cylinder cylinder_of(const tmb_encounter *e, int which, const double corners[3][3], uint32_t polygon)
{
    const double *ends[2];
    const double radius = tmb_model_radius(which ? e->b : e->a, polygon);
    tmb_model_axis(corners, ends);
    return (tmb_cylinder){ends[0], ends[1], tmb_limit_of(tmb_thickness_own(&e->thick, which, radius), unit_of(e))};
}

static const tumble_model *model_of(const tmb_relating *r, int which)
{
    return r->solid[which].model;
}

/* 1: enough is known. */
static int on_meeting(void *user, uint32_t ta, uint32_t tb)
{
    meetings *m = user;
    tmb_encounter *e = &m->collider->encounter;
    const uint32_t addresses[2] = {ta, tb};
    double corners[2][3][3];
    for (int i = 0; i < 2; i++) {
        tmb_solid_corners(&m->relating->solid[i], addresses[i], corners[i]);
    }
    for (int i = 0; i < 2; i++) {
        const tumble_model *model = model_of(m->relating, i);
        if (tmb_model_is_flat(model) && !m->overlap) {
            const double(*own)[3] = (const double(*)[3])corners[i];
            const tmb_cylinder cylinder = cylinder_of(e, i, own, tmb_model_polygon(model, addresses[i]));
            m->overlap = tmb_triangle_enters_cylinder((const double(*)[3])corners[1 - i], &cylinder, &e->exact_tests);
        }
    }
    return m->overlap;
}

static tumble_status find_meetings(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b, meetings *m,
                                   tmb_collider *collider, tumble_collide_result *found)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_FIRST;
    tmb_collider_begin(collider, r->query, model_of(r, 0), model_of(r, 1), &options);
    *m = (meetings){.relating = r, .collider = collider};
    collider->sink = (tmb_hit_sink){.on_hit = on_meeting, .user = m};
    const tumble_status status = tmb_collider_run(collider, pose_a, pose_b);
    tmb_collider_report(collider, 0, found);
    r->counters = found->counters;
    return status;
}

/* ---- One triangle after the other ---- */

typedef struct walk {
    tmb_relating *relating;
    const tmb_encounter *encounter;
    int which; /* the model whose triangles are visited */
    int all, some, is_unknown;
} walk;

static void visit(walk *w, void (*look)(walk *w, const double corners[3][3], uint32_t polygon))
{
    const tmb_solid *solid = &w->relating->solid[w->which];
    for (uint32_t cluster = 0; cluster < solid->model->block->cluster_count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(solid->model->places + cluster); t++) {
            double corners[3][3];
            const uint32_t address = tmb_triangle_address(cluster, t);
            tmb_solid_corners(solid, address, corners);
            look(w, (const double(*)[3])corners, tmb_model_polygon(solid->model, address));
        }
    }
}

/* Whether all corners are inside the other model's only cylinder. */
static void look_at_corners(walk *w, const double corners[3][3], uint32_t polygon)
{
    unsigned long long exact = 0;
    double axis[3][3];
    (void)polygon;
    tmb_solid_corners(&w->relating->solid[1 - w->which], 0, axis);
    const tmb_cylinder cylinder = cylinder_of(w->encounter, 1 - w->which, (const double(*)[3])axis, 0);
    for (int i = 0; i < 3 && w->all; i++) {
        w->all = tmb_cylinder_holds(&cylinder, corners[i], &exact);
    }
}

/* Whether an inner point of a cylinder is inside the other model, which is closed, and on whose surface it is not. */
static void look_at_middle(walk *w, const double corners[3][3], uint32_t polygon)
{
    unsigned long long exact = 0;
    double middle[3];
    const tmb_cylinder cylinder = cylinder_of(w->encounter, w->which, corners, polygon);
    for (int k = 0; k < 3; k++) {
        middle[k] = cylinder.from[k] / 2 + cylinder.to[k] / 2;
    }
    if (!tmb_cylinder_holds(&cylinder, middle, &exact)) {
        w->is_unknown = 1; /* it is thinner than the coordinates are exact, or a segment */
        return;
    }
    const int is_inside = tmb_is_inside(&w->relating->solid[1 - w->which], middle, &w->relating->counters);
    w->all &= is_inside;
    w->some |= is_inside;
}

/* ---- All together ---- */

/* Whether a model has a radius, or its object. */
static int is_thick(const tmb_encounter *e, int which)
{
    return e->thick.most[which] + e->thick.padding[which] > 0;
}

/* Whether not all of a model is inside the other one; and whether it is. */
static int is_not_inside(tmb_relating *r, const tmb_encounter *e, int which, int *is_inside)
{
    const tumble_model *model = model_of(r, which), *around = model_of(r, 1 - which);
    *is_inside = 0;
    if (!is_thick(e, 1 - which)) {
        return 1; /* its surface has points inside a cylinder */
    }
    if (tmb_model_is_flat(around) && around->block->triangle_count == 1 && around->block->polygon_limit == 1 &&
        !around->live && !around->edit) {
        walk w = {.relating = r, .encounter = e, .which = which, .all = 1};
        visit(&w, look_at_corners);
        *is_inside = w.all && !is_thick(e, which) && model->block->triangle_count > 0;
        if (!(e->thick.padding[1 - which] > 0)) {
            return !w.all;
        }
    }
    const tmb_solid_box inner = tmb_solid_box_of(&r->solid[which]), outer = tmb_solid_box_of(&r->solid[1 - which]);
    const double other = e->thick.scales[1 - which] * (e->thick.most[1 - which] + e->thick.padding[1 - which]);
    return tmb_box_reaches_beyond(&inner, &outer, -other / unit_of(e));
}

static tumble_relation relate_overlapping(tmb_relating *r, const tmb_encounter *e)
{
    int is_inside[2];
    const int a = is_not_inside(r, e, 0, &is_inside[0]), b = is_not_inside(r, e, 1, &is_inside[1]);
    return is_inside[0]   ? TUMBLE_RELATION_A_IN_B
           : is_inside[1] ? TUMBLE_RELATION_B_IN_A
           : a && b       ? TUMBLE_RELATION_CROSSING
                          : TUMBLE_RELATION_UNDEFINED;
}

/* No surface enters a cylinder: each is inside the other model, or outside. */
static tumble_relation relate_outside(tmb_relating *r, const tmb_encounter *e, int touch)
{
    const int which = !tmb_model_is_flat(model_of(r, 0)), other = 1 - which;
    if (!r->topology[other]->closed) {
        return touch                                          ? TUMBLE_RELATION_TOUCHING
               : is_thick(e, other)                           ? TUMBLE_RELATION_APART
               : tmb_relate_apart(r) == TUMBLE_RELATION_APART ? TUMBLE_RELATION_APART
                                                              : TUMBLE_RELATION_UNDEFINED;
    }
    walk w = {.relating = r, .encounter = e, .which = which, .all = 1};
    visit(&w, look_at_middle);
    if (w.is_unknown) {
        return TUMBLE_RELATION_UNDEFINED;
    }
    if (!w.some) {
        return touch ? TUMBLE_RELATION_TOUCHING : TUMBLE_RELATION_APART;
    }
    return !w.all || touch ? TUMBLE_RELATION_CROSSING : which ? TUMBLE_RELATION_B_IN_A : TUMBLE_RELATION_A_IN_B;
}

tumble_status tmb_relate_cylinders(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b,
                                   tumble_relation_result *result)
{
    meetings m;
    tmb_collider collider;
    tumble_collide_result found;
    const tumble_status status = find_meetings(r, pose_a, pose_b, &m, &collider, &found);
    if (status != TUMBLE_OK) {
        return status;
    }
    const tmb_encounter *e = &collider.encounter;
    const int is_exact =
        !is_thick(e, tmb_model_is_flat(model_of(r, 0))) && !(e->thick.padding[0] > 0) && !(e->thick.padding[1] > 0);
    result->surfaces_meet = found.collide;
    result->pair = found.first;
    if (!r->topology[0]->part_count || !r->topology[1]->part_count) {
        result->relation = TUMBLE_RELATION_APART;
    } else if (m.overlap) {
        result->relation = relate_overlapping(r, e);
    } else if (found.collide && !is_exact) {
        result->relation = TUMBLE_RELATION_UNDEFINED;
    } else {
        result->relation = relate_outside(r, e, found.collide);
    }
    return TUMBLE_OK;
}
