/* tumble_overlap_box, tumble_overlap_sphere: the entry points, and what becomes of polygons that meet the shape. */
#include "point/overlap.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/sort.h"
#include "math/pose.h"
#include "math/vec3.h"
#include "prim/cylinder.h"
#include "prim/triangle_box.h"
#include "tree/radius.h"

tumble_overlap_options tumble_default_overlap_options(void)
{
    return (tumble_overlap_options){.mode = TUMBLE_ALL};
}

static void fail_memory(tmb_overlap *o)
{
    o->status = tmb_fail_memory(o->query->context, "the polygons that overlap");
    o->is_over = 1;
}

/* ---- Triangles ---- */

/* What triangles of a polygon may be away from the shape. */
static tmb_limit limit_of(const tmb_overlap *o, uint32_t address)
{
    if (!o->has_radii) {
        return o->is_ball ? o->radius : o->reach;
    }
    const double radius = tmb_model_radius(o->model, tmb_model_polygon(o->model, address));
    return tmb_limit_of(tmb_thickness_beside(&o->thick, o->given_radius, radius, 0), o->unit);
}

static void move_triangle(const tmb_overlap *o, double t[3][3])
{
    for (int i = 0; o->has_pose && i < 3; i++) {
        const double x = t[i][0], y = t[i][1], z = t[i][2];
        for (int k = 0; k < 3; k++) {
            t[i][k] = tmb_pose_coordinate(&o->place.relative, k, x, y, z);
        }
    }
}

static int triangle_meets_box(const tmb_overlap *o, double t[3][3], const tmb_limit *limit, unsigned long long *exact)
{
    move_triangle(o, t);
    return tmb_triangle_near_box((const double(*)[3])t, o->lower, o->upper, limit, exact);
}

static int triangle_meets_ball(const tmb_overlap *o, double t[3][3], const tmb_limit *limit, unsigned long long *exact)
{
    tmb_point_distance fast;
    tmb_point_distance_fast((const double(*)[3])t, o->centre, &fast);
    return tmb_point_within_limit(&fast, o->centre, limit, exact);
}

/* A ball whose radius is infinite meets everything. */
static int cylinder_meets(tmb_overlap *o, double corners[3][3], uint32_t address, unsigned long long *exact)
{
    const double own = tmb_model_radius(o->model, tmb_model_polygon(o->model, address)), *ends[2];
    if (!o->is_ball) {
        move_triangle(o, corners);
    }
    tmb_model_axis((const double(*)[3])corners, ends);
    const tmb_cylinder cylinder = {ends[0], ends[1], tmb_limit_of(tmb_thickness_own(&o->thick, 0, own), o->unit)};
    if (!o->is_ball) {
        return tmb_box_meets_cylinder(o->lower, o->upper, &cylinder, exact);
    }
    if (tmb_compare_numbers(ends[0], ends[1], 3) == 0 || o->given_radius == INFINITY) {
        const tmb_limit sum = tmb_limit_of(tmb_thickness_beside(&o->thick, o->given_radius, own, 0), o->unit);
        return triangle_meets_ball(o, corners, &sum, exact);
    }
    const tmb_limit reach = tmb_limit_of(o->given_radius, o->unit);
    const int met = tmb_ball_meets_cylinder(o->query->context, o->centre, &reach, &cylinder, exact);
    if (met < 0) {
        fail_memory(o);
    }
    return met > 0;
}

int tmb_overlap_triangle(tmb_overlap *o, uint32_t address)
{
    double corners[3][3];
    unsigned long long exact = 0;
    tmb_model_corners(o->model, address, corners);
    int meets;
    if (o->has_flat_ends) {
        meets = cylinder_meets(o, corners, address, &exact);
    } else {
        const tmb_limit limit = limit_of(o, address);
        meets = o->is_ball ? triangle_meets_ball(o, corners, &limit, &exact)
                           : triangle_meets_box(o, corners, &limit, &exact);
    }
    o->result->counters.exact_tests += exact;
    return meets;
}

/* ---- Polygons ---- */

/* Hands what waits to the callback. */
static void flush(tmb_overlap *o)
{
    const size_t count = o->stored;
    TMB_ASSERT(count > 0);
    o->stored = 0;
    if (o->options->callback(o->options->callback_user, o->scratch->polygons.data, count)) {
        o->status = tmb_fail(o->query->context, TUMBLE_ERROR_CANCELLED, "the query was stopped by its callback");
        o->is_over = 1;
    }
}

static int is_new(tmb_overlap *o, uint32_t polygon)
{
    const int added = o->has_large ? tmb_pair_set_add(o->query->context, &o->seen, polygon) : 1;
    if (added < 0) {
        fail_memory(o);
    }
    return added > 0;
}

static void store(tmb_overlap *o, uint32_t polygon)
{
    const size_t used = o->stored * sizeof polygon;
    if (!tmb_buffer_reserve(o->query->context, &o->scratch->polygons, o->stored + 1, sizeof polygon, used)) {
        fail_memory(o);
        return;
    }
    ((uint32_t *)o->scratch->polygons.data)[o->stored++] = polygon;
    if (o->options->callback && o->stored == TMB_OVERLAP_STAGE) {
        flush(o);
    }
}

void tmb_overlap_hit(tmb_overlap *o, uint32_t polygon)
{
    const tumble_mode mode = o->options->mode;
    if (!is_new(o, polygon)) {
        return;
    }
    o->result->first = o->result->overlap ? o->result->first : polygon;
    o->result->overlap = true;
    o->result->polygon_count++;
    o->is_over = mode == TUMBLE_TEST || mode == TUMBLE_FIRST;
    if (mode == TUMBLE_FIRST || mode == TUMBLE_ALL) {
        store(o, polygon);
    }
}

/* Sorts what was found, and copies it as far as there is room. */
static void finish(tmb_overlap *o)
{
    const tumble_overlap_options *options = o->options;
    uint32_t *polygons = o->scratch->polygons.data;
    const size_t count = o->stored;
    if (o->status != TUMBLE_OK || count == 0) {
        return;
    }
    if (options->callback) {
        flush(o);
        return;
    }
    if (!tmb_buffer_reserve(o->query->context, &o->scratch->items, 2 * count, sizeof(tmb_sort_item), 0)) {
        fail_memory(o);
        return;
    }
    tmb_sort_item *items = o->scratch->items.data;
    for (size_t i = 0; i < count; i++) {
        items[i] = (tmb_sort_item){polygons[i], 0};
    }
    items = tmb_sort(items, items + count, count);
    for (size_t i = 0; i < count; i++) {
        polygons[i] = (uint32_t)items[i].key;
    }
    o->result->polygons = polygons;
    if (options->polygon_capacity > 0) {
        const size_t fitting = count < options->polygon_capacity ? count : options->polygon_capacity;
        memcpy(options->polygons, polygons, fitting * sizeof *polygons);
    }
}

/* ---- Questions ---- */

static tumble_status check_arguments(tumble_query *query, const tumble_model *model, const double *numbers,
                                     const tumble_overlap_options *options, const tumble_overlap_result *result)
{
    tumble_context *context = query->context;
    if (!model || !numbers || !result) {
        (void)tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "overlap: the model, the shape or the result is null");
        return TUMBLE_ERROR_ARGUMENT;
    }
    if ((unsigned)options->mode > TUMBLE_ALL) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "overlap: the mode %d is not one of TEST, FIRST, COUNT and ALL",
                        (int)options->mode);
    }
    if (options->polygon_capacity > 0 && !options->polygons) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "overlap: a capacity is given without an array");
    }
    return tmb_refuse_padded_cylinders(model, query->padding[0]);
}

static tumble_status begin(tmb_overlap *o)
{
    tumble_context *context = o->query->context;
    *o->result = (tumble_overlap_result){0};
    o->scratch = tmb_point_scratch_of(o->query, 0);
    o->has_large = tmb_model_has_large_polygons(o->model);
    if (!o->scratch) {
        return TUMBLE_ERROR_MEMORY;
    }
    return !o->has_large || tmb_pair_set_begin(context, &o->seen, &o->scratch->seen)
               ? TUMBLE_OK
               : tmb_fail_memory(context, "the polygons that overlap");
}

static tumble_status run(tmb_overlap *o, double start)
{
    tmb_overlap_walk(o);
    finish(o);
    o->result->counters.seconds = tmb_seconds() - start;
    return o->status;
}

/* How thick the model is, in a frame of this unit. */
static tumble_status set_thickness(tmb_overlap *o, const tumble_pose *pose, double unit)
{
    const double padding = o->query->padding[0];
    o->unit = unit;
    o->is_thick = o->model->radius > 0 || padding > 0;
    o->has_radii = o->is_thick && o->model->radii;
    o->has_flat_ends = tmb_model_is_flat(o->model);
    if (!o->is_thick) {
        return TUMBLE_OK;
    }
    o->thick = tmb_thickness_alone(o->model, pose, padding);
    return tmb_thickness_check(o->query->context, &o->thick, o->given_radius);
}

static void enlarge_box(tmb_overlap *o)
{
    o->reach = tmb_limit_of(o->is_thick ? tmb_thickness_plus(&o->thick, 0) : 0, o->unit);
    for (int k = 0; k < 3; k++) {
        o->reach_lower[k] = o->is_thick ? nextafter(o->lower[k] - o->reach.above, -INFINITY) : o->lower[k];
        o->reach_upper[k] = o->is_thick ? nextafter(o->upper[k] + o->reach.above, INFINITY) : o->upper[k];
    }
}

/* The box is A and the model B of the messages about poses. */
static tumble_status place_box(tmb_overlap *o, const tumble_pose *pose, const tumble_pose *box_pose)
{
    tumble_context *context = o->query->context;
    o->place = (tmb_encounter){.query = o->query, .a = o->model, .b = o->model};
    const tumble_status status = tmb_encounter_place(&o->place, box_pose, pose);
    if (status != TUMBLE_OK) {
        const tmb_error error = tmb_last_error(context);
        return tmb_fail(context, status, "overlap, the box as A and the model as B: %.400s", error.text);
    }
    o->has_pose = !tmb_pose_is_identity(&o->place.relative);
    return TUMBLE_OK;
}

static tumble_status set_box(tmb_overlap *o, const double half_extents[3])
{
    for (int k = 0; k < 3; k++) {
        if (!(half_extents[k] >= 0) || !isfinite(half_extents[k])) {
            return tmb_fail(o->query->context, half_extents[k] < 0 ? TUMBLE_ERROR_ARGUMENT : TUMBLE_ERROR_NOT_FINITE,
                            "overlap: half extent %d of the box is %g; give finite numbers of 0 or more", k,
                            half_extents[k]);
        }
        o->lower[k] = -half_extents[k];
        o->upper[k] = half_extents[k];
    }
    return TUMBLE_OK;
}

static tumble_status overlap_box(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                 const tumble_pose *box_pose, const double half_extents[3],
                                 const tumble_overlap_options *options, tumble_overlap_result *result)
{
    const double start = tmb_seconds();
    tumble_status status = check_arguments(query, model, half_extents, options, result);
    if (status != TUMBLE_OK) {
        return status;
    }
    tmb_overlap o = {.query = query, .model = model, .options = options, .result = result};
    o.boxes = TMB_PICK_KERNEL(query->context, tmb_overlap_moved_boxes);
    o.cluster = TMB_PICK_KERNEL(query->context, tmb_overlap_box_cluster);
    status = begin(&o);
    status = status == TUMBLE_OK ? set_box(&o, half_extents) : status;
    status = status == TUMBLE_OK ? place_box(&o, pose, box_pose) : status;
    if (status == TUMBLE_OK) {
        status = set_thickness(&o, pose, o.place.has_pose_a ? tumble_pose_scale(&o.place.pose_a) : 1);
        enlarge_box(&o);
    }
    return status == TUMBLE_OK ? run(&o, start) : status;
}

tumble_status tumble_overlap_box(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                 const tumble_pose *box_pose, const double half_extents[3],
                                 const tumble_overlap_options *options, tumble_overlap_result *result)
{
    const tumble_overlap_options defaults = tumble_default_overlap_options();
    return query ? tmb_query_end(query, overlap_box(query, model, pose, box_pose, half_extents,
                                                    options ? options : &defaults, result))
                 : TUMBLE_ERROR_ARGUMENT;
}

/* ---- Balls ---- */

/* Boxes that are not farther than the radius; those whose farthest corner is surely within it are inside. */
static unsigned boxes_near_ball(const tmb_overlap *o, const tmb_box_lanes *boxes, unsigned *inside)
{
    tmb_box_lanes centre;
    double lower[TMB_BOX_LANES];
    unsigned near = 0, held = 0;
    for (int k = 0; k < 3; k++) {
        centre.lower[k][0] = centre.upper[k][0] = o->centre[k];
    }
    tmb_box_distances(boxes, &centre, 0, lower);
    for (int i = 0; i < TMB_BOX_LANES; i++) {
        double sum = 0; /* of sizes: at most sqrt(3) times the distance, and there is no underflow */
        for (int k = 0; k < 3; k++) {
            sum += tmb_greater(fabs(boxes->lower[k][i] - o->centre[k]), fabs(boxes->upper[k][i] - o->centre[k]));
        }
        near |= (unsigned)(lower[i] <= o->radius.above) << i;
        held |= (unsigned)(sum * (1 + TMB_POINT_ORDER) <= o->least.below) << i;
    }
    *inside = held;
    return near;
}

static tumble_status overlap_sphere(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                    const double centre[3], double radius, const tumble_overlap_options *options,
                                    tumble_overlap_result *result)
{
    const double start = tmb_seconds();
    tumble_status status = check_arguments(query, model, centre, options, result);
    if (status == TUMBLE_OK && !(radius >= 0)) {
        status = tmb_fail(query->context, isnan(radius) ? TUMBLE_ERROR_NOT_FINITE : TUMBLE_ERROR_ARGUMENT,
                          "overlap: the radius is %g; give 0 or more", radius);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    const double scale = model->frame.scale;
    tmb_overlap o = {.query = query, .model = model, .options = options, .result = result, .is_ball = 1};
    o.has_floats = scale >= TMB_FLOAT_LEAST_SCALE && scale <= TMB_FLOAT_MOST_SCALE;
    o.boxes = boxes_near_ball;
    o.cluster = TMB_PICK_KERNEL(query->context, tmb_overlap_ball_cluster);
    status = begin(&o);
    status = status == TUMBLE_OK ? tmb_point_place(query, model, pose, &o.place) : status;
    status = status == TUMBLE_OK ? tmb_point_move(&o.place, centre, "centre", 0, o.centre) : status;
    o.given_radius = radius;
    if (status == TUMBLE_OK) {
        status = set_thickness(&o, pose, o.place.has_pose_a ? tumble_pose_scale(&o.place.pose_a) : 1);
        const double reach = o.is_thick ? tmb_thickness_plus(&o.thick, radius) : radius;
        o.radius = tmb_limit_of(o.has_flat_ends ? reach * (1 + 8 * TMB_DOUBLE_ROUNDING) : reach, o.unit);
        o.least = o.has_radii || o.has_flat_ends ? tmb_limit_of(radius, o.unit) : o.radius;
    }
    return status == TUMBLE_OK ? run(&o, start) : status;
}

tumble_status tumble_overlap_sphere(tumble_query *query, const tumble_model *model, const tumble_pose *pose,
                                    const double centre[3], double radius, const tumble_overlap_options *options,
                                    tumble_overlap_result *result)
{
    const tumble_overlap_options defaults = tumble_default_overlap_options();
    return query ? tmb_query_end(
                       query, overlap_sphere(query, model, pose, centre, radius, options ? options : &defaults, result))
                 : TUMBLE_ERROR_ARGUMENT;
}
