/* The spatial relation of two models: do their surfaces meet, and if not, which parts are inside? */
#include "relate/relate.h"

#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "math/vec3.h"
#include "prim/triangle_parts.h"

const char *tumble_relation_name(tumble_relation relation)
{
    switch (relation) {
#define CASE(name, number, word, text) \
    case TUMBLE_RELATION_##name: return word;
        TUMBLE_RELATION_LIST(CASE)
#undef CASE
    }
    return "unknown";
}

/* ---- Surfaces that meet ---- */

static int has_both_sides(tmb_sides sides)
{
    return (sides & TMB_ALL_ABOVE) && (sides & TMB_ALL_BELOW);
}

/* Each has corners strictly on both sides of the other's plane, and the intervals in which they cut the common line
 * have inner points in common. */
int tmb_triangles_pass_through(const double a[3][3], const double b[3][3])
{
    TMB_ASSERT(tmb_all_finite(a[0], 9) && tmb_all_finite(b[0], 9));
    tmb_stage stage = TMB_STAGE_FILTER;
    const tmb_sides sides_of_b = tmb_resolve_sides(a, b, tmb_filter_sides(a, b), &stage);
    if (!has_both_sides(sides_of_b)) {
        return 0;
    }
    const tmb_sides sides_of_a = tmb_resolve_sides(b, a, tmb_filter_sides(b, a), &stage);
    if (!has_both_sides(sides_of_a)) {
        return 0;
    }
    const tmb_arrangement k = tmb_arrange(sides_of_a, sides_of_b);
    return tmb_order_on_line(a[k.p1], a[k.q1], b[k.p2], b[k.q2], &stage) < 0 &&
           tmb_order_on_line(a[k.p1], a[k.r1], b[k.p2], b[k.r2], &stage) > 0;
}

/* Called for each pair of triangles that meet; 1: enough is known. */
static int on_meeting(void *user, uint32_t ta, uint32_t tb)
{
    tmb_relating *r = user;
    double a[3][3], b[3][3];
    tmb_solid_corners(&r->solid[0], ta, a);
    tmb_solid_corners(&r->solid[1], tb, b);
    if (tmb_triangles_pass_through((const double(*)[3])a, (const double(*)[3])b)) {
        r->passes_through = 1;
        return 1;
    }
    if (!r->topology[0]->closed && !r->topology[1]->closed) {
        return 0;
    }
    tmb_buffer *buffer = &r->scratch->meetings;
    const size_t count = r->meeting_count;
    if (!tmb_buffer_reserve(r->query->context, buffer, 2 * (count + 1), sizeof(tmb_sort_item),
                            count * sizeof(tmb_sort_item))) {
        r->status = tmb_fail_memory(r->query->context, "the triangles that meet");
        return 1;
    }
    ((tmb_sort_item *)buffer->data)[r->meeting_count++] = (tmb_sort_item){tmb_meeting_key(ta, tb), 0};
    return 0;
}

/* Also checks the poses. */
static tumble_status find_meetings(tmb_relating *r, const tumble_pose *pose_a, const tumble_pose *pose_b,
                                   tumble_collide_result *found)
{
    tumble_collide_options options = tumble_default_collide_options();
    options.mode = TUMBLE_FIRST;
    tmb_collider collider;
    tmb_collider_begin(&collider, r->query, r->solid[0].model, r->solid[1].model, &options);
    collider.sink = (tmb_hit_sink){.on_hit = on_meeting, .user = r};
    const tumble_status status = tmb_collider_run(&collider, pose_a, pose_b);
    tmb_collider_report(&collider, 0, found);
    r->counters = found->counters;
    return status == TUMBLE_OK ? r->status : status;
}

/* ---- Surfaces that do not meet ---- */

int tmb_part_is_inside(tmb_relating *r, int which, uint32_t part)
{
    TMB_ASSERT(which == 0 || which == 1);
    TMB_ASSERT(part < r->topology[which]->part_count);
    TMB_ASSERT(r->topology[1 - which]->closed);
    double corners[3][3];
    tmb_solid_corners(&r->solid[which], r->topology[which]->triangles[part], corners);
    return tmb_is_inside(&r->solid[1 - which], corners[0], &r->counters);
}

typedef enum whereabouts {
    NOWHERE = 0,
    ALL_OUTSIDE = 1,
    ALL_INSIDE = 2,
    BOTH = 3
} whereabouts;

/* Where the parts of a model are, each as a whole, when the other is closed. */
static whereabouts find_parts(tmb_relating *r, int which)
{
    TMB_ASSERT(which == 0 || which == 1);
    unsigned where = NOWHERE;
    for (uint32_t part = 0; part < r->topology[which]->part_count && where != BOTH; part++) {
        where |= tmb_part_is_inside(r, which, part) ? ALL_INSIDE : ALL_OUTSIDE;
    }
    return (whereabouts)where;
}

static int boxes_are_apart(const tmb_relating *r)
{
    const tmb_solid *a = &r->solid[0], *b = &r->solid[1];
    int apart = 0;
    for (int k = 0; k < 3; k++) {
        apart |= (a->lower[k] > b->upper[k]) | (b->lower[k] > a->upper[k]);
    }
    return apart;
}

/* A component of the one's inside that has points inside the other and points that are not has some of the other's
 * surface in it. So when no part of either is inside, no point is; and when all parts of one are and none of the
 * other's, all points are: else some part of the other would be. Not all parts of both can be inside, as one of the
 * models reaches farthest. */
tumble_relation tmb_relate_apart(tmb_relating *r)
{
    const int closed_a = r->topology[0]->closed, closed_b = r->topology[1]->closed;
    if (boxes_are_apart(r)) {
        return TUMBLE_RELATION_APART;
    }
    const whereabouts a = closed_b ? find_parts(r, 0) : NOWHERE;
    if (a == BOTH) {
        return TUMBLE_RELATION_CROSSING;
    }
    const whereabouts b = closed_a ? find_parts(r, 1) : NOWHERE;
    if (b == BOTH) {
        return TUMBLE_RELATION_CROSSING;
    }
    if (a == ALL_INSIDE) {
        return TUMBLE_RELATION_A_IN_B;
    }
    if (b == ALL_INSIDE) {
        return TUMBLE_RELATION_B_IN_A;
    }
    return closed_a && closed_b ? TUMBLE_RELATION_APART : TUMBLE_RELATION_UNDEFINED;
}

/* ---- All together ---- */

static tumble_status relate(tmb_relating *r, const tumble_collide_result *found, tumble_relation_result *result)
{
    int crosses = r->passes_through;
    if (!found->collide) {
        const int empty = !r->topology[0]->part_count || !r->topology[1]->part_count;
        result->relation = empty ? TUMBLE_RELATION_APART : tmb_relate_apart(r);
        return TUMBLE_OK;
    }
    result->surfaces_meet = 1;
    result->pair = found->first;
    if (!crosses && r->meeting_count > 0) {
        const tumble_status status = tmb_relate_meeting(r, &crosses);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    result->relation = crosses ? TUMBLE_RELATION_CROSSING : TUMBLE_RELATION_TOUCHING;
    return TUMBLE_OK;
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_relate_scratch *scratch = data;
    tmb_buffer_release(context, &scratch->meetings);
}

static tumble_status check_arguments(const tumble_query *query, const tumble_model *a, const tumble_model *b,
                                     const tumble_relation_result *result)
{
    if (!a || !b) {
        return tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "a model is null");
    }
    if (!result) {
        return tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "relate: the result is null");
    }
    return TUMBLE_OK;
}

static tumble_status find_relation(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                                   const tumble_model *b, const tumble_pose *pose_b, tumble_relation_result *result)
{
    const double start = tmb_seconds();
    tmb_relating r = {.query = query};
    tumble_status status = check_arguments(query, a, b, result);
    if (status == TUMBLE_OK) {
        r.scratch = tmb_query_scratch(query, TMB_SCRATCH_RELATE, sizeof *r.scratch, release_scratch);
        status = r.scratch ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
    }
    if (status == TUMBLE_OK) {
        status = tmb_topology_of(a, &r.topology[0]);
    }
    if (status == TUMBLE_OK) {
        status = tmb_topology_of(b, &r.topology[1]);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    const tumble_pose identity = tumble_pose_identity();
    tumble_collide_result found;
    r.relative = tumble_pose_relative(pose_a ? pose_a : &identity, pose_b ? pose_b : &identity);
    r.solid[0] = tmb_solid_of(a, NULL);
    r.solid[1] = tmb_solid_of(b, &r.relative);
    tumble_relation_result made = {.closed_a = r.topology[0]->closed, .closed_b = r.topology[1]->closed};
    if (tmb_model_is_flat(a) || tmb_model_is_flat(b)) {
        status = tmb_relate_cylinders(&r, pose_a, pose_b, &made);
    } else if (a->radius > 0 || b->radius > 0 || query->padding[0] > 0 || query->padding[1] > 0) {
        status = tmb_relate_thick(&r, pose_a, pose_b, &made);
    } else {
        status = find_meetings(&r, pose_a, pose_b, &found);
        status = status == TUMBLE_OK ? relate(&r, &found, &made) : status;
    }
    if (status == TUMBLE_OK) {
        made.counters = r.counters;
        made.counters.seconds = tmb_seconds() - start;
        *result = made;
    }
    return status;
}

tumble_status tumble_relate(tumble_query *query, const tumble_model *a, const tumble_pose *pose_a,
                            const tumble_model *b, const tumble_pose *pose_b, tumble_relation_result *result)
{
    return query ? tmb_query_end(query, find_relation(query, a, pose_a, b, pose_b, result)) : TUMBLE_ERROR_ARGUMENT;
}
