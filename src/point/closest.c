/* tumble_closest_point: what the functions of point.h share, and a single point. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/pose.h"
#include "math/vec3.h"
#include "point/closest.h"

tumble_closest_options tumble_default_closest_options(void)
{
    return (tumble_closest_options){.within = INFINITY, .count = 1, .thread_count = 1};
}

/* ---- Memory ---- */

static void release_memory(tumble_context *context, tmb_point_memory *memory)
{
    tmb_buffer *const buffers[] = {&memory->candidates, &memory->bounds, &memory->stack, &memory->measured};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
}

static void release_scratch(tumble_context *context, void *data)
{
    tmb_point_scratch *scratch = data;
    tmb_buffer *const buffers[] = {&scratch->closest, &scratch->polygons, &scratch->items, &scratch->stack,
                                   &scratch->seen};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    for (uint32_t i = 0; i < scratch->memory_count; i++) {
        release_memory(context, &scratch->memories[i]);
    }
    tmb_release(context, scratch->memories);
}

/* More memories than there were; these move, as they are not in use. */
static int add_memories(tumble_context *context, tmb_point_scratch *scratch, uint32_t count)
{
    tmb_point_memory *memories = tmb_allocate(context, count, sizeof *memories);
    if (!memories) {
        return 0;
    }
    memset(memories, 0, count * sizeof *memories);
    for (uint32_t i = 0; i < count; i++) {
        if (i < scratch->memory_count) {
            memories[i].candidates = scratch->memories[i].candidates;
            memories[i].bounds = scratch->memories[i].bounds;
            memories[i].stack = scratch->memories[i].stack;
            memories[i].measured = scratch->memories[i].measured;
        }
        atomic_flag_clear(&memories[i].is_busy);
    }
    tmb_release(context, scratch->memories);
    scratch->memories = memories;
    scratch->memory_count = count;
    return 1;
}

tmb_point_scratch *tmb_point_scratch_of(tumble_query *query, uint32_t thread_count)
{
    tmb_point_scratch *scratch =
        tmb_query_scratch(query, TMB_SCRATCH_POINT, sizeof(tmb_point_scratch), release_scratch);
    if (scratch && scratch->memory_count < thread_count && !add_memories(query->context, scratch, thread_count)) {
        (void)tmb_fail_memory(query->context, "the scratch memory of a query");
        return NULL;
    }
    return scratch;
}

/* ---- Where things are ---- */

tumble_status tmb_point_place(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                              tmb_encounter *out)
{
    const tumble_pose identity = tumble_pose_identity();
    *out = (tmb_encounter){.query = query, .a = model, .b = model, .pose_a = pose ? *pose : identity};
    if (!pose || tmb_pose_is_identity(pose)) {
        out->relative = identity;
        return TUMBLE_OK;
    }
    const tumble_status status = tumble_pose_check(query->context, &out->pose_a);
    if (status != TUMBLE_OK) {
        return status;
    }
    out->has_pose_a = 1;
    out->relative = tumble_pose_inverse(&out->pose_a);
    if (!tmb_all_finite(out->relative.m[0], 12)) {
        return tmb_fail(query->context, TUMBLE_ERROR_NOT_FINITE, "the pose, of scale %g, has no inverse in doubles",
                        tumble_pose_scale(&out->pose_a));
    }
    if (!tmb_encounter_a_stays_finite(out)) {
        return tmb_fail(query->context, TUMBLE_ERROR_NOT_FINITE, "the pose makes points of the model infinite");
    }
    return TUMBLE_OK;
}

tumble_status tmb_point_move(const tmb_encounter *place, const double point[3], const char *what, size_t number,
                             double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = place->has_pose_a ? tmb_pose_coordinate(&place->relative, k, point[0], point[1], point[2]) : point[k];
    }
    if (tmb_all_finite(point, 3) && tmb_all_finite(out, 3)) {
        return TUMBLE_OK;
    }
    return tmb_fail(place->query->context, TUMBLE_ERROR_NOT_FINITE, "%s %zu, (%g, %g, %g), %s", what, number, point[0],
                    point[1], point[2],
                    tmb_all_finite(point, 3) ? "becomes infinite in the model's frame" : "is not finite");
}

/* ---- A question ---- */

tumble_status tmb_closest_check(tumble_query *query, const tumble_model *model, const double *points,
                                const tumble_closest_options *options, const tumble_closest_result *result)
{
    tumble_context *context = query->context;
    if (!model || !points || !result) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "closest point: the %s null",
                        !model    ? "model is"
                        : !points ? "points are"
                                  : "result is");
    }
    if (!(options->within >= 0)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "closest point: `within` is %g; give 0 or more",
                        options->within);
    }
    if (options->count == 0) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "closest point: `count` is 0; give the polygons wanted");
    }
    return TUMBLE_OK;
}

tumble_status tmb_closest_begin(tmb_closest *c, tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                const tumble_closest_options *options)
{
    const tmb_topology *topology = NULL;
    tumble_status status = tmb_point_place(query, model, pose, &c->place);
    if (status == TUMBLE_OK && options->want_sign) {
        status = tmb_topology_of(model, &topology);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    const uint64_t polygons = model->block->polygon_count;
    const double padding = query->padding[0];
    c->is_thick = model->radius > 0 || padding > 0;
    c->want_sign = options->want_sign;
    c->within_given = options->within;
    c->unit = c->place.has_pose_a ? tumble_pose_scale(&c->place.pose_a) : 1;
    c->within = tmb_limit_of(options->within, c->unit);
    c->wanted = options->count < polygons ? options->count : (size_t)polygons;
    c->wanted = c->wanted > 0 ? c->wanted : 1;
    c->closed = topology && topology->closed;
    if (c->is_thick) {
        c->thick = tmb_thickness_alone(model, pose, padding);
        status = tmb_thickness_check(query->context, &c->thick, isfinite(options->within) ? options->within : 0);
    }
    return status;
}

tmb_point_search tmb_closest_search(const tmb_closest *c, tmb_point_memory *memory)
{
    const tumble_model *model = c->place.a;
    const double scale = model->frame.scale;
    tmb_point_search s = {.context = c->place.query->context,
                          .model = model,
                          .place = &c->place,
                          .unit = c->unit,
                          .within = c->within,
                          .wanted = c->wanted,
                          .memory = memory,
                          .scale = scale,
                          .has_floats = scale >= TMB_FLOAT_LEAST_SCALE && scale <= TMB_FLOAT_MOST_SCALE,
                          .has_large = tmb_model_has_large_polygons(model)};
    if (c->is_thick) {
        tmb_point_begin_thick(&s, &c->thick, c->within_given);
    }
    return s;
}

/* Distances from inside are negative. */
static void set_signs(tumble_closest *closest, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double lower = closest[i].lower;
        closest[i].distance = -closest[i].distance;
        closest[i].lower = -closest[i].upper;
        closest[i].upper = -lower;
    }
}

/* On which side of a closed surface the point is; on the surface itself, both are the same. */
static int find_way(const tmb_closest *c, tmb_point_search *s)
{
    const tmb_solid solid = tmb_solid_of(c->place.a, NULL);
    const tmb_passages found = c->closed ? tmb_count_passages(&solid, s->point, &s->counters) : (tmb_passages){0};
    return found.polygon != UINT32_MAX || (found.outward + found.inward) % 2 == 0 ? 1 : -1;
}

size_t tmb_closest_find(const tmb_closest *c, tmb_point_search *s, double hint, tumble_closest *out)
{
    if (c->is_thick) {
        s->way = c->want_sign ? find_way(c, s) : 0;
        return tmb_model_is_flat(c->place.a) ? tmb_point_find_cylinders(s, out) : tmb_point_find(s, hint, out);
    }
    const size_t count = tmb_point_find(s, hint, out);
    if (c->closed && count > 0 && out[0].distance > 0) {
        const tmb_solid solid = tmb_solid_of(c->place.a, NULL);
        if (tmb_is_inside(&solid, s->point, &s->counters)) {
            set_signs(out, count);
        }
    }
    return count;
}

/* ---- A point ---- */

static tumble_status find_closest(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                  const double point[3], const tumble_closest_options *options,
                                  tumble_closest_result *result)
{
    const double start = tmb_seconds();
    const tumble_closest_options defaults = tumble_default_closest_options();
    tmb_closest c;
    options = options ? options : &defaults;
    tumble_status status = tmb_closest_check(query, model, point, options, result);
    if (status != TUMBLE_OK) {
        return status;
    }
    *result = (tumble_closest_result){0};
    tmb_point_scratch *scratch = tmb_point_scratch_of(query, 1);
    status = scratch ? tmb_closest_begin(&c, query, model, pose, options) : TUMBLE_ERROR_MEMORY;
    if (status == TUMBLE_OK &&
        !tmb_buffer_reserve(query->context, &scratch->closest, c.wanted, sizeof(tumble_closest), 0)) {
        status = tmb_fail_memory(query->context, "the closest polygons");
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_point_search s = tmb_closest_search(&c, &scratch->memories[0]);
    status = tmb_point_move(&c.place, point, "point", 0, s.point);
    if (status == TUMBLE_OK) {
        result->count = tmb_closest_find(&c, &s, INFINITY, scratch->closest.data);
        result->closest = result->count > 0 ? scratch->closest.data : NULL;
        result->closed = c.closed;
        result->counters = s.counters;
        status = s.status;
    }
    result->counters.seconds = tmb_seconds() - start;
    return status;
}

tumble_status tumble_closest_point(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                   const double point[3], const tumble_closest_options *options,
                                   tumble_closest_result *result)
{
    return query ? tmb_query_end(query, find_closest(query, model, pose, point, options, result))
                 : TUMBLE_ERROR_ARGUMENT;
}
