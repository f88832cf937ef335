/* The patent's interface: objects, from colNewObject to colDeleteObject. */
#include <string.h>

#include "device/col/internal.h"

void tmb_col_free_object(colContext *context, tmb_col_object *object)
{
    tmb_buffer_release(context->tumble, &object->points);
    tmb_buffer_release(context->tumble, &object->indices);
    tmb_buffer_release(context->tumble, &object->sizes);
    tumble_model_destroy(object->model);
    tmb_release(context->tumble, object);
}

/* The object that this thread makes; NULL when it makes none. Under the lock. */
static tmb_col_object *find_making(const colContext *context)
{
    const tmb_col_entry *entries = context->making.entries.data;
    const pthread_t self = pthread_self();
    for (size_t i = 0; i < context->making.count; i++) {
        tmb_col_object *object = entries[i].item;
        if (pthread_equal(object->maker, self)) {
            return object;
        }
    }
    return NULL;
}

colObject colNewObject(colContext *context)
{
    if (!context) {
        return 0;
    }
    tmb_col_object *object = tmb_allocate(context->tumble, 1, sizeof *object);
    if (!object) {
        (void)tmb_col_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for an object");
        return 0;
    }
    memset(object, 0, sizeof *object);
    object->maker = pthread_self();
    pthread_mutex_lock(&context->lock);
    const tmb_col_object *other = find_making(context);
    const colObject other_id = other ? other->id : 0;
    const colObject id = object->id = ++context->last_id;
    const int added = !other && tmb_col_add(context, &context->making, id, object);
    pthread_mutex_unlock(&context->lock);
    if (added) {
        return id;
    }
    tmb_col_free_object(context, object);
    if (other_id) {
        (void)tmb_col_fail(context, TUMBLE_ERROR_ARGUMENT, "colNewObject: object %llu of this thread is not ended",
                           (unsigned long long)other_id);
    } else {
        (void)tmb_col_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for the list of objects");
    }
    return 0;
}

/* ---- What is sent ---- */

/* One call that sends something to the object of this thread: it works on it under the lock and says how that went.
 * `what` says what is wrong. */
typedef struct sending {
    colContext *context;
    tmb_col_object *object; /* NULL: none */
    const char *name;       /* of the function */
    const char *what;
    tumble_status status;
} sending;

static sending begin_sending(colContext *context, const char *name)
{
    sending s = {.context = context, .name = name};
    pthread_mutex_lock(&context->lock);
    s.object = find_making(context);
    if (!s.object) {
        s.what = "this thread has begun no object";
        s.status = TUMBLE_ERROR_ARGUMENT;
    }
    return s;
}

static void refuse(sending *s, tumble_status status, const char *what)
{
    s->status = status;
    s->what = what;
}

/* If any part of an object is missing or wrong, no object is created: colEndObject will fail. */
static tumble_status end_sending(const sending *s)
{
    const colObject id = s->object ? s->object->id : 0;
    if (s->object && s->status != TUMBLE_OK && s->object->failure == TUMBLE_OK) {
        s->object->failure = s->status;
    }
    pthread_mutex_unlock(&s->context->lock);
    if (s->status == TUMBLE_OK) {
        return TUMBLE_OK;
    }
    return id ? tmb_col_fail(s->context, s->status, "%s: object %llu: %s", s->name, (unsigned long long)id, s->what)
              : tmb_col_fail(s->context, s->status, "%s: %s", s->name, s->what);
}

/* Room for `count` more items of `size` bytes after the `used` ones. */
static int reserve(sending *s, tmb_buffer *buffer, size_t used, size_t count, size_t size)
{
    size_t all;
    if (__builtin_add_overflow(used, count, &all) ||
        !tmb_buffer_reserve(s->context->tumble, buffer, all, size, used * size)) {
        refuse(s, TUMBLE_ERROR_MEMORY, "out of memory for its points and polygons");
        return 0;
    }
    return 1;
}

static void end_polygon(sending *s, uint32_t corner_count)
{
    tmb_col_object *object = s->object;
    if (reserve(s, &object->sizes, object->polygon_count, 1, sizeof(uint32_t))) {
        ((uint32_t *)object->sizes.data)[object->polygon_count++] = corner_count;
        object->has_polygons |= corner_count != 3;
        object->corner_count = 0;
    }
}

tumble_status colVertex(colContext *context, double x, double y, double z)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    sending s = begin_sending(context, "colVertex");
    tmb_col_object *object = s.object;
    if (object && reserve(&s, &object->points, object->point_count, 1, 3 * sizeof(double))) {
        double *point = (double *)object->points.data + 3 * object->point_count++;
        point[0] = x, point[1] = y, point[2] = z;
    }
    return end_sending(&s);
}

tumble_status colIndex(colContext *context, uint32_t index)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    sending s = begin_sending(context, "colIndex");
    tmb_col_object *object = s.object;
    if (object && object->corner_count == UINT32_MAX) {
        refuse(&s, TUMBLE_ERROR_TOO_LARGE, "a polygon has too many corners");
    } else if (object && reserve(&s, &object->indices, object->index_count, 1, sizeof(uint32_t))) {
        ((uint32_t *)object->indices.data)[object->index_count++] = index;
        object->corner_count++;
        if (!object->in_polygon && object->corner_count == 3) {
            end_polygon(&s, 3);
        }
    }
    return end_sending(&s);
}

tumble_status colBeginPolygon(colContext *context)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    sending s = begin_sending(context, "colBeginPolygon");
    if (s.object && s.object->in_polygon) {
        refuse(&s, TUMBLE_ERROR_ARGUMENT, "the previous polygon is not ended");
    } else if (s.object && s.object->corner_count) {
        refuse(&s, TUMBLE_ERROR_ARGUMENT, "the previous triangle has fewer than three corners");
    } else if (s.object) {
        s.object->in_polygon = 1;
    }
    return end_sending(&s);
}

tumble_status colEndPolygon(colContext *context)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    sending s = begin_sending(context, "colEndPolygon");
    if (s.object && !s.object->in_polygon) {
        refuse(&s, TUMBLE_ERROR_ARGUMENT, "no polygon was begun");
    } else if (s.object) {
        if (s.object->corner_count < 3) {
            refuse(&s, TUMBLE_ERROR_POLYGON, "the polygon has fewer than three corners");
        } else {
            end_polygon(&s, (uint32_t)s.object->corner_count);
        }
        s.object->in_polygon = 0;
    }
    return end_sending(&s);
}

/* Points of triangles, in double or in float. */
typedef struct triangle_points {
    const colVec *doubles;
    const colVecf *floats;
} triangle_points;

static void put_triangles(tmb_col_object *object, const triangle_points *from, size_t triangle_count)
{
    double *point = (double *)object->points.data + 3 * object->point_count;
    uint32_t *index = (uint32_t *)object->indices.data + object->index_count;
    uint32_t *size = (uint32_t *)object->sizes.data + object->polygon_count;
    for (size_t i = 0; i < 3 * triangle_count; i++) {
        const colVec v =
            from->doubles ? from->doubles[i] : (colVec){from->floats[i].x, from->floats[i].y, from->floats[i].z};
        point[3 * i] = v.x, point[3 * i + 1] = v.y, point[3 * i + 2] = v.z;
        index[i] = (uint32_t)(object->point_count + i);
        size[i / 3] = 3;
    }
    object->point_count += 3 * triangle_count;
    object->index_count += 3 * triangle_count;
    object->polygon_count += triangle_count;
}

static tumble_status send_triangles(colContext *context, const char *name, const triangle_points *from,
                                    size_t triangle_count)
{
    sending s = begin_sending(context, name);
    tmb_col_object *object = s.object;
    if (object && !from->doubles && !from->floats && triangle_count) {
        refuse(&s, TUMBLE_ERROR_ARGUMENT, "points is null");
    } else if (object && object->corner_count) {
        refuse(&s, TUMBLE_ERROR_ARGUMENT, "the previous polygon is not ended");
    } else if (object &&
               (object->point_count > UINT32_MAX || triangle_count > (UINT32_MAX - object->point_count) / 3)) {
        refuse(&s, TUMBLE_ERROR_TOO_LARGE, "more than 2^32 points");
    } else if (object && triangle_count &&
               reserve(&s, &object->points, object->point_count, 3 * triangle_count, 3 * sizeof(double)) &&
               reserve(&s, &object->indices, object->index_count, 3 * triangle_count, sizeof(uint32_t)) &&
               reserve(&s, &object->sizes, object->polygon_count, triangle_count, sizeof(uint32_t))) {
        put_triangles(object, from, triangle_count);
    }
    return end_sending(&s);
}

tumble_status colTriangles(colContext *context, const colVec *points, size_t triangle_count)
{
    const triangle_points from = {.doubles = points};
    return context ? send_triangles(context, "colTriangles", &from, triangle_count) : TUMBLE_ERROR_ARGUMENT;
}

tumble_status colTrianglesf(colContext *context, const colVecf *points, size_t triangle_count)
{
    const triangle_points from = {.floats = points};
    return context ? send_triangles(context, "colTrianglesf", &from, triangle_count) : TUMBLE_ERROR_ARGUMENT;
}

/* ---- The end of an object ---- */

/* The hierarchy is built here, by threads of this machine: "preferably the API also assumes the computation of the
 * bounding box hierarchy in the software, because it is not time critical" (the patent). */
static tumble_status build(colContext *context, tmb_col_object *object)
{
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = object->points.data;
    mesh.point_count = object->point_count;
    mesh.indices = object->indices.data;
    mesh.index_count = object->index_count;
    if (object->has_polygons) {
        mesh.polygon_sizes = object->sizes.data;
        mesh.polygon_count = object->polygon_count;
    }
    tumble_model_options options = tumble_default_model_options();
    options.thread_count = context->thread_count;
    options.hierarchy = context->hierarchy;
    options.tuning = &context->tuning;
    const tumble_status status = tumble_model_create(context->tumble, &mesh, &options, &object->model);
    tmb_buffer_release(context->tumble, &object->points);
    tmb_buffer_release(context->tumble, &object->indices);
    tmb_buffer_release(context->tumble, &object->sizes);
    return status;
}

static tumble_status build_and_upload(colContext *context, tmb_col_object *object)
{
    tumble_status status = build(context, object);
    if (status == TUMBLE_OK) {
        status = tumble_device_add_model(context->device, object->model, &object->uploaded);
    }
    if (status != TUMBLE_OK) {
        return tmb_col_failed(context, status);
    }
    pthread_mutex_lock(&context->lock);
    const int added = tmb_col_add(context, &context->objects, object->id, object);
    pthread_mutex_unlock(&context->lock);
    if (!added) {
        tumble_device_remove_model(object->uploaded);
        return tmb_col_fail(context, TUMBLE_ERROR_MEMORY, "out of memory for the list of objects");
    }
    return TUMBLE_OK;
}

tumble_status colEndObject(colContext *context)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    sending s = begin_sending(context, "colEndObject");
    tmb_col_object *object = s.object;
    if (object && object->in_polygon) {
        refuse(&s, TUMBLE_ERROR_ARGUMENT, "the last polygon is not ended");
    } else if (object && object->corner_count) {
        refuse(&s, TUMBLE_ERROR_POLYGON, "the last triangle has fewer than three corners");
    }
    if (object) {
        tmb_col_remove(&context->making, object->id);
    }
    tumble_status status = end_sending(&s);
    if (!object) {
        return status;
    }
    status = object->failure;
    if (status == TUMBLE_OK) {
        status = build_and_upload(context, object);
    }
    if (status != TUMBLE_OK) {
        tmb_col_free_object(context, object);
    }
    return status;
}

tumble_status colDeleteObject(colContext *context, colObject id)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    pthread_mutex_lock(&context->lock);
    tmb_col_object *object = tmb_col_find(&context->objects, id);
    if (!object) {
        object = tmb_col_find(&context->making, id);
    }
    tmb_col_remove(&context->objects, id); /* so that no further check finds it */
    tmb_col_remove(&context->making, id);
    while (object && object->use_count) {
        pthread_cond_wait(&context->changed, &context->lock);
    }
    pthread_mutex_unlock(&context->lock);
    if (!object) {
        return tmb_col_fail(context, TUMBLE_ERROR_ARGUMENT, "colDeleteObject: there is no object %llu",
                            (unsigned long long)id);
    }
    tumble_device_remove_model(object->uploaded);
    tmb_col_free_object(context, object);
    return TUMBLE_OK;
}
