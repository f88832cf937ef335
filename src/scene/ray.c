/* Rays at the objects of a scene, and points in them: objects whose boxes they meet are asked, the nearest first. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/sort.h"
#include "math/vec3.h"
#include "ray/cast.h"
#include "ray/inside.h"
#include "scene/scene.h"

/* Of a query. */
typedef struct scene_ray_scratch {
    tmb_buffer objects; /* tmb_sort_item, twice */
    tmb_buffer hits;    /* tumble_scene_hit, of all objects, and as many sorted */
    tmb_buffer keys;    /* tmb_sort_item, twice */
    tmb_buffer places;  /* tumble_scene_place */
    tmb_ray_memory memory;
} scene_ray_scratch;

static void release_scratch(tumble_context *context, void *data)
{
    scene_ray_scratch *scratch = data;
    tmb_buffer *const buffers[] = {&scratch->objects, &scratch->hits, &scratch->keys, &scratch->places};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    tmb_ray_memory_release(context, &scratch->memory);
}

/* A question while it is answered. */
typedef struct scene_casting {
    tumble_query *query;
    tumble_scene *scene;
    uint32_t groups;
    scene_ray_scratch *scratch;
    tmb_ray ray, scaled; /* as it was given, and in the scene's frame */
    tumble_mode mode;
    tmb_ray_search search;
    size_t hit_count;
    tumble_counters counters;
} scene_casting;

/* ---- Boxes ---- */

/* The ray is moved into an object's frame, and rounded there, before it is compared: as if the object were moved by
 * less than this part of the coordinates on the way. */
#define PADDING 0x1p-40

static double padding_of(const scene_casting *c, uint32_t object)
{
    const tmb_scene_frame *frame = &c->scene->frame;
    const tumble_pose *pose = &c->scene->all.poses[object];
    const tmb_box *box = &c->scene->all.boxes[object];
    double size = 1 + tmb_largest_size(c->scaled.origin);
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fabs(pose->m[k][3]) * frame->scale);
        size = fmax(size, fabs(frame->origin[k]) * frame->scale);
        size = fmax(size, fmax(fabs((double)box->lower[k]), fabs((double)box->upper[k])));
    }
    return PADDING * size;
}

/* Whether the ray may meet an object's box, and from which parameter on. */
static int meets_box(const scene_casting *c, uint32_t object, double *near)
{
    const tmb_box *box = &c->scene->all.boxes[object];
    const double padding = padding_of(c, object);
    double first = c->ray.first, last = c->ray.last;
    for (int k = 0; k < 3; k++) {
        const double o = c->scaled.origin[k], d = c->scaled.direction[k];
        const double lower = (double)box->lower[k] - padding - o, upper = (double)box->upper[k] + padding - o;
        if (c->ray.direction[k] == 0 && (lower > 0 || upper < 0)) {
            return 0;
        }
        if (!(fabs(d) > 0x1p-1000 && isfinite(lower) && isfinite(upper))) {
            continue; /* says nothing, but for a direction that is far shorter than all boxes */
        }
        const double a = lower / d, b = upper / d;
        first = fmax(first, (d > 0 ? a : b) - PADDING * fabs(d > 0 ? a : b));
        last = fmin(last, (d > 0 ? b : a) + PADDING * fabs(d > 0 ? b : a));
    }
    *near = first;
    return !(first > last);
}

/* Numbers in the order of doubles. */
static uint64_t key_of(double x)
{
    uint64_t bits;
    x += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Objects whose boxes the ray meets, by where it does. */
static tumble_status find_objects(scene_casting *c, const tmb_sort_item **objects, size_t *count)
{
    const tmb_scene_objects *all = &c->scene->all;
    *count = 0;
    if (!tmb_buffer_reserve(c->scene->context, &c->scratch->objects, 2 * (size_t)all->count + 1, sizeof(tmb_sort_item),
                            0)) {
        return tmb_fail_memory(c->scene->context, "the objects that a ray meets");
    }
    tmb_sort_item *items = c->scratch->objects.data;
    for (uint32_t i = 0; i < all->count; i++) {
        double near;
        if (all->is_present[i] && (all->groups[i] & c->groups) && meets_box(c, i, &near)) {
            items[(*count)++] = (tmb_sort_item){key_of(near), i};
        }
    }
    c->counters.box_tests += all->count;
    *objects = *count > 0 ? tmb_sort(items, items + *count, *count) : items;
    return TUMBLE_OK;
}

/* ---- One object ---- */

static tumble_status fail_object(const scene_casting *c, uint32_t object, tumble_status status)
{
    const tmb_error error = tmb_last_error(c->scene->context);
    const tumble_object id = tmb_scene_id(c->scene, object);
    return tmb_fail(c->scene->context, status, "the object {%u, %u}: %.400s", id.index, id.generation, error.text);
}

static const tumble_model *model_of(const scene_casting *c, uint32_t object)
{
    return tmb_scene_model_at(c->scene, c->scene->all.objects[object].model)->model;
}

static double padding_in(const scene_casting *c, uint32_t object)
{
    return tmb_scene_model_at(c->scene, c->scene->all.objects[object].model)->padding;
}

static int is_before(const tumble_scene_hit *a, const tumble_scene_hit *b)
{
    return a->hit.t != b->hit.t ? a->hit.t < b->hit.t : a->object.index < b->object.index;
}

/* Keeps the hits of an object: all, or the closest if it is closer than the last one. */
static tumble_status keep_hits(scene_casting *c, uint32_t object, size_t count)
{
    const size_t room = c->mode == TUMBLE_ALL ? c->hit_count + count : 1;
    if (!tmb_buffer_reserve(c->scene->context, &c->scratch->hits, 2 * room, sizeof(tumble_scene_hit),
                            c->hit_count * sizeof(tumble_scene_hit))) {
        return tmb_fail_memory(c->scene->context, "the hits of a ray");
    }
    tumble_scene_hit *hits = c->scratch->hits.data;
    tmb_ray_found *found = c->mode == TUMBLE_ALL ? c->scratch->memory.found.data : &c->search.best;
    for (size_t i = 0; i < count; i++) {
        tumble_scene_hit hit = {.object = tmb_scene_id(c->scene, object)};
        tmb_ray_hit_at(&c->search, &c->ray, &found[i], &hit.hit);
        if (c->mode == TUMBLE_ALL) {
            hits[c->hit_count++] = hit;
        } else if (c->hit_count == 0 || is_before(&hit, hits)) {
            hits[0] = hit;
            c->hit_count = 1;
        }
    }
    return c->search.has_failed ? tmb_fail_memory(c->scene->context, "the hits of a ray") : TUMBLE_OK;
}

static tumble_status cast_at(scene_casting *c, uint32_t object)
{
    tumble_context *context = c->scene->context;
    tumble_pose room;
    const tumble_pose *inverse;
    tmb_ray moved;
    tumble_status status = tmb_ray_check_radius(model_of(c, object), padding_in(c, object));
    status = status == TUMBLE_OK ? tmb_ray_invert(context, &c->scene->all.poses[object], &room, &inverse) : status;
    if (status != TUMBLE_OK) {
        return status;
    }
    if (!tmb_ray_move(inverse, &c->ray, &moved)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "the ray has no finite place, or no direction, in its frame");
    }
    tmb_ray_search_begin(&c->search, model_of(c, object), padding_in(c, object), c->mode, &c->scratch->memory);
    c->search.ray = moved;
    tmb_ray_search_aim(&c->search);
    tmb_ray_search_run(&c->search, 1);
    const size_t count = tmb_ray_search_settle(&c->search);
    tmb_counters_add(&c->counters, &c->search.counters);
    if (c->search.has_failed) {
        return tmb_fail_memory(context, "the hits of a ray");
    }
    if (c->mode == TUMBLE_FIRST || c->mode == TUMBLE_ALL) {
        return count > 0 ? keep_hits(c, object, count) : TUMBLE_OK;
    }
    c->hit_count += count;
    return TUMBLE_OK;
}

/* ---- All objects ---- */

static int is_done(const scene_casting *c, double near)
{
    const tumble_scene_hit *hits = c->scratch->hits.data;
    return (c->mode == TUMBLE_TEST && c->hit_count > 0) ||
           (c->mode == TUMBLE_FIRST && c->hit_count > 0 && near > hits[0].hit.t);
}

static double near_of(uint64_t key)
{
    const uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    double near;
    memcpy(&near, &bits, sizeof near);
    return near;
}

static tumble_status cast_at_all(scene_casting *c)
{
    const tmb_sort_item *objects = NULL;
    size_t count = 0;
    tumble_status status = find_objects(c, &objects, &count);
    for (size_t i = 0; status == TUMBLE_OK && i < count && !is_done(c, near_of(objects[i].key)); i++) {
        status = cast_at(c, (uint32_t)objects[i].value);
        if (status != TUMBLE_OK) {
            return fail_object(c, (uint32_t)objects[i].value, status);
        }
    }
    return status;
}

/* By t; those of one object are in order, and objects that are hit at the same t come by their indices. */
static tumble_status sort_hits(scene_casting *c)
{
    if (!tmb_buffer_reserve(c->scene->context, &c->scratch->keys, 2 * c->hit_count, sizeof(tmb_sort_item), 0)) {
        return tmb_fail_memory(c->scene->context, "the hits of a ray");
    }
    tumble_scene_hit *hits = c->scratch->hits.data, *sorted = hits + c->hit_count;
    tmb_sort_item *items = c->scratch->keys.data, *spare = items + c->hit_count;
    for (size_t i = 0; i < c->hit_count; i++) {
        items[i] = (tmb_sort_item){hits[i].object.index, i};
    }
    tmb_sort_item *by_object = tmb_sort(items, spare, c->hit_count);
    for (size_t i = 0; i < c->hit_count; i++) {
        by_object[i].key = key_of(hits[by_object[i].value].hit.t);
    }
    const tmb_sort_item *order = tmb_sort(by_object, by_object == items ? spare : items, c->hit_count);
    for (size_t i = 0; i < c->hit_count; i++) {
        sorted[i] = hits[order[i].value];
    }
    memcpy(hits, sorted, c->hit_count * sizeof *hits);
    return TUMBLE_OK;
}

static void scale_ray(scene_casting *c)
{
    const tmb_scene_frame *frame = &c->scene->frame;
    for (int k = 0; k < 3; k++) {
        c->scaled.origin[k] = (c->ray.origin[k] - frame->origin[k]) * frame->scale;
        c->scaled.direction[k] = c->ray.direction[k] * frame->scale;
    }
}

static tumble_status begin(scene_casting *c)
{
    tumble_status status = tmb_scene_check_query(c->query, c->scene);
    if (status == TUMBLE_OK) {
        c->scratch = tmb_query_scratch(c->query, TMB_SCRATCH_SCENE_RAY, sizeof *c->scratch, release_scratch);
        status = c->scratch ? tumble_scene_update(c->scene) : TUMBLE_ERROR_MEMORY;
    }
    if (status == TUMBLE_OK && c->scene->has_frame) {
        scale_ray(c);
    }
    return status;
}

static tumble_status cast(scene_casting *c, const tumble_ray_options *options, tumble_scene_ray_result *result)
{
    const double start = tmb_seconds();
    tumble_status status = tmb_ray_check_options(c->query->context, options);
    status = status == TUMBLE_OK ? tmb_ray_check(c->query->context, &c->ray, SIZE_MAX) : status;
    status = status == TUMBLE_OK ? begin(c) : status;
    if (status == TUMBLE_OK && c->scene->has_frame) {
        status = cast_at_all(c);
    }
    if (status == TUMBLE_OK && c->mode == TUMBLE_ALL && c->hit_count > 0) {
        status = sort_hits(c);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    *result = (tumble_scene_ray_result){.hit = c->hit_count > 0, .hit_count = c->hit_count, .counters = c->counters};
    result->first.hit = tmb_ray_no_hit();
    if (result->hit && (c->mode == TUMBLE_FIRST || c->mode == TUMBLE_ALL)) {
        result->first = *(const tumble_scene_hit *)c->scratch->hits.data;
        result->hits = c->mode == TUMBLE_ALL ? c->scratch->hits.data : NULL;
    }
    result->counters.seconds = tmb_seconds() - start;
    return TUMBLE_OK;
}

tumble_status tumble_scene_ray(tumble_query *query, tumble_scene *scene, uint32_t groups, const double origin[3],
                               const double direction[3], const tumble_ray_options *options,
                               tumble_scene_ray_result *result)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!scene || !origin || !direction || !result) {
        return tmb_query_end(query, tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT,
                                             "the scene, the origin, the direction or the result is null"));
    }
    const tumble_ray_options asked = options ? *options : tumble_default_ray_options();
    scene_casting c = {.query = query, .scene = scene, .groups = groups, .mode = asked.mode};
    memcpy(c.ray.origin, origin, sizeof c.ray.origin);
    memcpy(c.ray.direction, direction, sizeof c.ray.direction);
    c.ray.first = asked.t0;
    c.ray.last = asked.t1;
    return tmb_query_end(query, cast(&c, &asked, result));
}

/* ---- Points ---- */

static int is_near_box(const scene_casting *c, uint32_t object)
{
    const tmb_box *box = &c->scene->all.boxes[object];
    const double padding = padding_of(c, object);
    int is_near = 1;
    for (int k = 0; k < 3; k++) {
        const double x = c->scaled.origin[k];
        is_near &= !(x < (double)box->lower[k] - padding) && !(x > (double)box->upper[k] + padding);
    }
    return is_near;
}

static tumble_status locate_in(scene_casting *c, uint32_t object, tumble_inside_rule rule, size_t *count)
{
    tumble_context *context = c->scene->context;
    tumble_pose room;
    const tumble_pose *inverse;
    tmb_inside inside;
    double moved[3];
    tumble_status status = tmb_ray_invert(context, &c->scene->all.poses[object], &room, &inverse);
    if (status == TUMBLE_OK) {
        status = tmb_inside_begin(context, model_of(c, object), padding_in(c, object), rule, &inside);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    memcpy(moved, c->ray.origin, sizeof moved);
    if (inverse) {
        tumble_pose_apply(inverse, c->ray.origin, moved);
    }
    if (!tmb_all_finite(moved, 3)) {
        return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "the point has no finite place in its frame");
    }
    const tumble_scene_place place = {tmb_scene_id(c->scene, object), tmb_inside_of(&inside, moved, &c->counters)};
    const int holds = place.answer.place == TUMBLE_PLACE_INSIDE || place.answer.place == TUMBLE_PLACE_ON_SURFACE;
    return !holds || tmb_buffer_append(context, &c->scratch->places, count, &place, 1, sizeof place)
               ? TUMBLE_OK
               : tmb_fail_memory(context, "the objects that hold a point");
}

static tumble_status locate(scene_casting *c, tumble_inside_rule rule, size_t *count)
{
    const tmb_scene_objects *all = &c->scene->all;
    if (!tmb_all_finite(c->ray.origin, 3)) {
        return tmb_fail(c->query->context, TUMBLE_ERROR_NOT_FINITE, "the point (%g %g %g) is not finite",
                        c->ray.origin[0], c->ray.origin[1], c->ray.origin[2]);
    }
    tumble_status status = begin(c);
    for (uint32_t i = 0; status == TUMBLE_OK && i < all->count; i++) {
        if (all->is_present[i] && (all->groups[i] & c->groups) && is_near_box(c, i)) {
            status = locate_in(c, i, rule, count);
            status = status == TUMBLE_OK ? status : fail_object(c, i, status);
        }
    }
    return status;
}

tumble_status tumble_scene_inside(tumble_query *query, tumble_scene *scene, uint32_t groups, const double point[3],
                                  const tumble_inside_options *options, const tumble_scene_place **places,
                                  size_t *count)
{
    if (!query) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!scene || !point || !places || !count) {
        return tmb_query_end(
            query, tmb_fail(query->context, TUMBLE_ERROR_ARGUMENT, "the scene, the point or a result is null"));
    }
    const tumble_inside_options asked = options ? *options : tumble_default_inside_options();
    scene_casting c = {.query = query, .scene = scene, .groups = groups};
    memcpy(c.ray.origin, point, sizeof c.ray.origin);
    *count = 0;
    const tumble_status status = locate(&c, asked.rule, count);
    *places = status == TUMBLE_OK && *count > 0 ? c.scratch->places.data : NULL;
    *count = status == TUMBLE_OK ? *count : 0;
    return tmb_query_end(query, status);
}
