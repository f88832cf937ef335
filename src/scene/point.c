/* Points, boxes and balls in a scene: which objects may be near is told by their boxes, and each is asked by itself. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/sort.h"
#include "math/vec3.h"
#include "query/thickness.h"
#include "scene/search.h"
#include "tumble/point.h"

/* What these questions keep in a query's handle. */
typedef struct point_scratch {
    tmb_buffer found, sorted, closest, overlaps, polygons;
} point_scratch;

typedef struct region {
    tumble_query *query;
    tumble_scene *scene;
    point_scratch *scratch;
    uint32_t groups;
    tmb_extents extents; /* of the point, ball or box, at a pose: */
    tumble_pose pose;
    tumble_counters *counters;
} region;

static void release_scratch(tumble_context *context, void *data)
{
    point_scratch *scratch = data;
    tmb_buffer *const buffers[] = {&scratch->found, &scratch->sorted, &scratch->closest, &scratch->overlaps,
                                   &scratch->polygons};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
}

static tumble_status fail_memory(const region *r)
{
    return tmb_fail_memory(r->scene->context, "the answer about a scene");
}

/* ---- Objects nearby ---- */

/* A box around the origin of a frame; a point if all is 0. */
static void set_extents(tmb_extents *out, const double half[3])
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < TMB_EXTENTS; i++) {
        const int x = i / 9 - 1, y = i / 3 % 3 - 1, z = i % 3 - 1;
        out->along[i] = (abs(x) * half[0] + abs(y) * half[1] + abs(z) * half[2]) * (1 + 0x1p-50);
    }
    for (int k = 0; k < 3; k++) {
        out->box.half[k] = half[k];
        out->box.reach = fmax(out->box.reach, half[k]);
    }
}

/* Those in the groups that may be within `reach`, in order. */
static tumble_status find_objects(region *r, double reach, const tmb_sort_item **objects, size_t *count)
{
    tumble_context *context = r->scene->context;
    tmb_join_output output = {.context = context, .pairs = r->scratch->found};
    const tmb_box box = tmb_extents_box(&r->extents, &r->pose, fmin(reach, DBL_MAX), &r->scene->frame);
    const int is_done = tmb_scene_search(r->scene, &box, &output);
    r->scratch->found = output.pairs;
    *count = 0;
    if (!is_done || !tmb_buffer_reserve(context, &r->scratch->sorted, 2 * output.count + 1, sizeof(tmb_sort_item), 0)) {
        return fail_memory(r);
    }
    const uint64_t *found = output.pairs.data;
    tmb_sort_item *items = r->scratch->sorted.data;
    for (size_t i = 0; i < output.count; i++) {
        items[*count] = (tmb_sort_item){found[i], 0};
        *count += found[i] != TMB_NONE && r->scene->all.groups[found[i]] & r->groups;
    }
    *objects = *count > 0 ? tmb_sort(items, items + *count, *count) : items;
    return TUMBLE_OK;
}

/* Brings the scene up to date, with boxes that allow for the shape. */
static tumble_status prepare(region *r)
{
    tmb_scene_note_reach(r->scene, r->extents.box.reach);
    tumble_status status = tumble_scene_update(r->scene);
    if (status == TUMBLE_OK && !(r->scene->margin <= 0)) { /* larger boxes would only find more */
        status = tmb_scene_set_margin(r->scene, 0);
    }
    return status;
}

static tumble_status fail_object(const region *r, uint32_t object, tumble_status status)
{
    const tmb_error error = tmb_last_error(r->scene->context);
    const tumble_object id = tmb_scene_id(r->scene, object);
    return tmb_fail(r->scene->context, status, "the object {%u, %u}: %.400s", id.index, id.generation, error.text);
}

static const tumble_model *model_of(const region *r, uint32_t object)
{
    return tmb_scene_model_at(r->scene, r->scene->all.objects[object].model)->model;
}

/* What an object adds to its model's radius. */
static double padding_of(const region *r, uint32_t object)
{
    return tmb_scene_model_at(r->scene, r->scene->all.objects[object].model)->padding;
}

static tumble_status begin(region *r, tumble_query *query, tumble_scene *scene, const void *shape, const void *result)
{
    if (!scene || !shape || !result) {
        (void)tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "the scene, the point or shape, or the result is null");
        return TUMBLE_ERROR_ARGUMENT;
    }
    tumble_status status = tmb_scene_check_query(query, scene);
    r->query = query;
    r->scene = scene;
    r->pose = tumble_pose_identity();
    r->scratch = tmb_query_scratch(query, TMB_SCRATCH_SCENE_POINT, sizeof *r->scratch, release_scratch);
    return status != TUMBLE_OK ? status : r->scratch ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
}

/* ---- Closest points ---- */

/* What the search keeps of an answer. */
typedef struct near_polygon {
    tumble_scene_closest found;
    double order; /* the distance from the polygon, less the radius, */
    double most;  /* which is certainly not more than this */
} near_polygon;

/* Inside a closed surface the distance is told as minus the sum of both. */
static near_polygon near_polygon_of(const region *r, uint32_t object, const tumble_closest *c)
{
    const tumble_model *model = model_of(r, object);
    const tmb_thickness thick = tmb_thickness_alone(model, &r->scene->all.poses[object], padding_of(r, object));
    const double radius = tmb_thickness_beside(&thick, 0, tmb_model_radius(model, c->polygon), 0);
    const double order = c->distance < -radius ? -c->distance - 2 * radius : c->distance;
    return (near_polygon){.found = {tmb_scene_id(r->scene, object), *c},
                          .order = order,
                          .most = fmax(order, 0) + 0x1p-40 * (fabs(order) + radius)};
}

/* The one of the last that is wanted. */
static double most_of(const region *r, const tumble_closest_options *options, size_t known)
{
    const near_polygon *all = r->scratch->closest.data;
    return known == options->count ? all[known - 1].most : INFINITY;
}

static int compare_closest(const void *x, const void *y)
{
    const tumble_scene_closest *a = &((const near_polygon *)x)->found, *b = &((const near_polygon *)y)->found;
    const double da = ((const near_polygon *)x)->order, db = ((const near_polygon *)y)->order;
    if (da != db) {
        return da < db ? -1 : 1;
    }
    if (a->object.index != b->object.index) {
        return a->object.index < b->object.index ? -1 : 1;
    }
    return (a->closest.polygon > b->closest.polygon) - (a->closest.polygon < b->closest.polygon);
}

/* Asks an object, and keeps the nearest of what is known. */
static tumble_status ask_closest(region *r, uint32_t object, const double point[3], tumble_closest_options options,
                                 size_t *known)
{
    near_polygon *all;
    tumble_closest_result result;
    options.within = fmin(options.within, nextafter(most_of(r, &options, *known), INFINITY));
    tmb_query_pad(r->query, padding_of(r, object), 0);
    const tumble_status status =
        tumble_closest_point(r->query, model_of(r, object), &r->scene->all.poses[object], point, &options, &result);
    tmb_query_pad(r->query, 0, 0);
    if (status != TUMBLE_OK) {
        return fail_object(r, object, status);
    }
    tmb_counters_add(r->counters, &result.counters);
    if (!tmb_buffer_reserve(r->scene->context, &r->scratch->closest, *known + (size_t)result.count, sizeof *all,
                            *known * sizeof *all)) {
        return fail_memory(r);
    }
    all = r->scratch->closest.data;
    for (size_t i = 0; i < result.count; i++) {
        all[*known + i] = near_polygon_of(r, object, &result.closest[i]);
    }
    *known += (size_t)result.count;
    if (result.count > 0) {
        qsort(all, *known, sizeof *all, compare_closest);
    }
    *known = *known < options.count ? *known : options.count;
    return TUMBLE_OK;
}

static tumble_status ask_within(region *r, double reach, const double point[3], const tumble_closest_options *options,
                                size_t *known)
{
    const tmb_sort_item *objects = NULL;
    size_t count = 0;
    *known = 0;
    tumble_status status = find_objects(r, reach, &objects, &count);
    for (size_t i = 0; i < count && status == TUMBLE_OK; i++) {
        status = ask_closest(r, (uint32_t)objects[i].key, point, *options, known);
    }
    return status;
}

/* Around the point, farther and farther, until all objects that can matter have been asked. */
static tumble_status search_closest(region *r, const double point[3], const tumble_closest_options *options,
                                    size_t *known)
{
    const double all = 64 / r->scene->frame.scale; /* no scene reaches farther from its middle */
    double far = 0;
    for (int k = 0; k < 3; k++) {
        far = fmax(far, fabs(point[k] - r->scene->frame.origin[k]));
    }
    const double most = fmin(options->within, 4 * (all + far));
    tumble_status status = TUMBLE_OK;
    for (double reach = fmin(most, all * 0x1p-10);;) {
        status = ask_within(r, reach, point, options, known);
        const double last = most_of(r, options, *known);
        if (status != TUMBLE_OK || reach >= most || last <= reach) {
            return status;
        }
        reach = fmin(most, last < INFINITY ? last * (1 + 0x1p-30) : 8 * reach);
    }
}

/* What is told of the answers, without the rest. */
static const tumble_scene_closest *strip(const region *r, size_t count)
{
    const near_polygon *from = r->scratch->closest.data;
    tumble_scene_closest *to = r->scratch->closest.data;
    for (size_t i = 0; i < count; i++) {
        memmove(&to[i], &from[i].found, sizeof *to);
    }
    return to;
}

tumble_status tumble_scene_closest_point(tumble_query *query, tumble_scene *scene, uint32_t groups,
                                         const double point[3], const tumble_closest_options *options,
                                         tumble_scene_closest_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    const double start = tmb_seconds(), none[3] = {0, 0, 0};
    const tumble_closest_options asked = options ? *options : tumble_default_closest_options();
    region r = {.groups = groups};
    size_t known = 0;
    tumble_status status = begin(&r, query, scene, point, result);
    if (status == TUMBLE_OK && (asked.count == 0 || !(asked.within >= 0) || !tmb_all_finite(point, 3))) {
        status = tmb_fail(query->context,
                          asked.count == 0 || !(asked.within >= 0) ? TUMBLE_ERROR_ARGUMENT : TUMBLE_ERROR_NOT_FINITE,
                          "closest point in a scene: the point (%g, %g, %g), `within` %g or `count` %zu is not usable",
                          point[0], point[1], point[2], asked.within, asked.count);
    }
    if (status != TUMBLE_OK) {
        return tmb_query_end(query, status);
    }
    *result = (tumble_scene_closest_result){0};
    r.counters = &result->counters;
    set_extents(&r.extents, none);
    for (int k = 0; k < 3; k++) {
        r.pose.m[k][3] = point[k];
    }
    status = prepare(&r);
    if (status == TUMBLE_OK && scene->has_frame) {
        status = search_closest(&r, point, &asked, &known);
    }
    result->count = status == TUMBLE_OK ? known : 0;
    result->closest = result->count > 0 ? strip(&r, known) : NULL;
    result->counters.seconds = tmb_seconds() - start;
    return tmb_query_end(query, status);
}

/* ---- Boxes and balls ---- */

tumble_scene_overlap_options tumble_default_scene_overlap_options(void)
{
    return (tumble_scene_overlap_options){.mode = TUMBLE_ALL, .groups = UINT32_MAX};
}

typedef struct overlap_search {
    region region;
    const double *half, *centre; /* one of them is NULL */
    double radius;
    tumble_scene_overlap_options options;
    size_t stored, polygon_count;
    tumble_scene_overlap_result *result;
} overlap_search;

static tumble_status ask_overlap(overlap_search *s, uint32_t object, tumble_overlap_result *out)
{
    region *r = &s->region;
    const tumble_model *model = model_of(r, object);
    const tumble_pose *pose = &r->scene->all.poses[object];
    tumble_overlap_options options = tumble_default_overlap_options();
    options.mode = s->options.mode;
    tmb_query_pad(r->query, padding_of(r, object), 0);
    const tumble_status status =
        s->half ? tumble_overlap_box(r->query, model, pose, &r->pose, s->half, &options, out)
                : tumble_overlap_sphere(r->query, model, pose, s->centre, s->radius, &options, out);
    tmb_query_pad(r->query, 0, 0);
    return status == TUMBLE_OK ? status : fail_object(r, object, status);
}

static tumble_status note_overlap(overlap_search *s, const tumble_scene_overlap *overlap)
{
    region *r = &s->region;
    s->result->overlap = true;
    s->result->object_count++;
    if (s->options.mode == TUMBLE_TEST) {
        return TUMBLE_OK;
    }
    if (s->options.callback) {
        return s->options.callback(s->options.callback_user, overlap)
                   ? tmb_fail(r->scene->context, TUMBLE_ERROR_CANCELLED, "the callback has stopped the search")
                   : TUMBLE_OK;
    }
    const int is_stored =
        tmb_buffer_append(r->scene->context, &r->scratch->polygons, &s->polygon_count, overlap->polygons,
                          overlap->polygons ? (size_t)overlap->polygon_count : 0, sizeof *overlap->polygons) &&
        tmb_buffer_append(r->scene->context, &r->scratch->overlaps, &s->stored, overlap, 1, sizeof *overlap);
    return is_stored ? TUMBLE_OK : fail_memory(r);
}

/* The polygons of an object follow those of the one before it. */
static void set_pointers(overlap_search *s)
{
    tumble_scene_overlap *all = s->region.scratch->overlaps.data;
    const uint32_t *polygons = s->region.scratch->polygons.data;
    for (size_t i = 0; i < s->stored; i++) {
        if (all[i].polygons) {
            all[i].polygons = polygons;
            polygons += all[i].polygon_count;
        }
    }
    s->result->objects = s->stored > 0 ? all : NULL;
}

static tumble_status search_overlaps(overlap_search *s)
{
    region *r = &s->region;
    const tmb_sort_item *objects = NULL;
    const int is_short = s->options.mode == TUMBLE_TEST || s->options.mode == TUMBLE_FIRST;
    size_t count = 0;
    tumble_status status = prepare(r);
    if (status == TUMBLE_OK && r->scene->has_frame) {
        status = find_objects(r, s->half ? 0 : s->radius, &objects, &count);
    }
    for (size_t i = 0; i < count && status == TUMBLE_OK && !(is_short && s->result->overlap); i++) {
        const uint32_t object = (uint32_t)objects[i].key;
        tumble_overlap_result result;
        status = ask_overlap(s, object, &result);
        if (status == TUMBLE_OK && result.overlap) {
            const tumble_scene_overlap overlap = {tmb_scene_id(r->scene, object), result.first,
                                                  s->options.mode >= TUMBLE_COUNT ? result.polygon_count : 0,
                                                  s->options.mode == TUMBLE_ALL ? result.polygons : NULL};
            status = note_overlap(s, &overlap);
        }
        if (status == TUMBLE_OK) {
            tmb_counters_add(&s->result->counters, &result.counters);
        }
    }
    if (status == TUMBLE_OK) {
        set_pointers(s);
    }
    return status;
}

/* Everything about the shape that does not depend on objects, so that scenes without objects reject it, too. */
static tumble_status check_shape(const overlap_search *s)
{
    tumble_context *context = s->region.scene->context;
    const double *numbers = s->half ? s->half : s->centre;
    if ((unsigned)s->options.mode > TUMBLE_ALL) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "overlap: the mode %d is not one of TEST, FIRST, COUNT and ALL",
                        (int)s->options.mode);
    }
    if (!tmb_all_finite(numbers, 3) || isnan(s->radius)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "overlap: (%g, %g, %g) or the radius %g is not finite",
                        numbers[0], numbers[1], numbers[2], s->radius);
    }
    if (!(s->radius >= 0) || (s->half && !(fmin(fmin(numbers[0], numbers[1]), numbers[2]) >= 0))) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "overlap: an extent or the radius is negative");
    }
    return s->half ? tumble_pose_check(context, &s->region.pose) : TUMBLE_OK;
}

static tumble_status run_overlap(overlap_search *s, tumble_query *query, tumble_scene *scene,
                                 const tumble_pose *box_pose, const tumble_scene_overlap_options *options)
{
    const double start = tmb_seconds(), none[3] = {0, 0, 0};
    region *r = &s->region;
    s->options = options ? *options : tumble_default_scene_overlap_options();
    tumble_status status = begin(r, query, scene, s->half ? s->half : s->centre, s->result);
    if (status != TUMBLE_OK) {
        return status;
    }
    *s->result = (tumble_scene_overlap_result){0};
    r->groups = s->options.groups;
    r->pose = box_pose ? *box_pose : r->pose;
    for (int k = 0; s->centre && k < 3; k++) {
        r->pose.m[k][3] = s->centre[k];
    }
    status = check_shape(s);
    if (status == TUMBLE_OK) {
        set_extents(&r->extents, s->half ? s->half : none);
        status = search_overlaps(s);
    }
    s->result->counters.seconds = tmb_seconds() - start;
    return status;
}

tumble_status tumble_scene_overlap_box(tumble_query *query, tumble_scene *scene, const tumble_pose *box_pose,
                                       const double half_extents[3], const tumble_scene_overlap_options *options,
                                       tumble_scene_overlap_result *result)
{
    overlap_search s = {.half = half_extents, .result = result};
    return query ? tmb_query_end(query, run_overlap(&s, query, scene, box_pose, options)) : TUMBLE_ERROR_ARGUMENT;
}

tumble_status tumble_scene_overlap_sphere(tumble_query *query, tumble_scene *scene, const double centre[3],
                                          double radius, const tumble_scene_overlap_options *options,
                                          tumble_scene_overlap_result *result)
{
    overlap_search s = {.centre = centre, .radius = radius, .result = result};
    return query ? tmb_query_end(query, run_overlap(&s, query, scene, NULL, options)) : TUMBLE_ERROR_ARGUMENT;
}
