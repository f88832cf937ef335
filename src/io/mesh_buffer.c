/* The mesh that a reader fills. */
#include "io/mesh_buffer.h"

#include <string.h>

#include "base/assert.h"
#include "io/weld.h"

tumble_status tmb_mesh_buffer_create(tumble_context *context, tumble_mesh_buffer **out)
{
    tumble_mesh_buffer *buffer = tmb_allocate(context, 1, sizeof *buffer);
    if (!buffer) {
        return tmb_fail_memory(context, "a mesh");
    }
    memset(buffer, 0, sizeof *buffer);
    buffer->context = context;
    *out = buffer;
    return TUMBLE_OK;
}

void tumble_mesh_buffer_destroy(tumble_mesh_buffer *buffer)
{
    if (buffer) {
        tumble_context *context = buffer->context;
        tmb_buffer_release(context, &buffer->points);
        tmb_buffer_release(context, &buffer->indices);
        tmb_buffer_release(context, &buffer->polygon_sizes);
        tmb_buffer_release(context, &buffer->surface_ids);
        tmb_buffer_release(context, &buffer->names);
        tmb_buffer_release(context, &buffer->name_ends);
        tmb_buffer_release(context, &buffer->surface_names);
        tmb_release(context, buffer);
    }
}

const tumble_mesh *tumble_mesh_buffer_mesh(const tumble_mesh_buffer *buffer)
{
    return buffer ? &buffer->mesh : NULL;
}

tumble_status tmb_mesh_reserve_points(tumble_mesh_buffer *buffer, size_t count)
{
    if (count > TMB_MOST_POINTS - buffer->point_count) {
        return tmb_fail(buffer->context, TUMBLE_ERROR_TOO_LARGE, "a mesh has at most %zu points", TMB_MOST_POINTS);
    }
    const size_t point = 3 * sizeof(double), used = buffer->point_count * point;
    if (!tmb_buffer_reserve(buffer->context, &buffer->points, buffer->point_count + count, point, used)) {
        return tmb_fail_memory(buffer->context, "the points of a mesh");
    }
    return TUMBLE_OK;
}

tumble_status tmb_mesh_reserve_corners(tumble_mesh_buffer *buffer, size_t count)
{
    const size_t used = buffer->index_count * sizeof(uint32_t);
    if (count > SIZE_MAX - buffer->index_count ||
        !tmb_buffer_reserve(buffer->context, &buffer->indices, buffer->index_count + count, sizeof(uint32_t), used)) {
        return tmb_fail_memory(buffer->context, "the corners of a mesh");
    }
    return TUMBLE_OK;
}

/* Appends one number per polygon to an array that starts late: earlier polygons had `usual`. */
static tumble_status append(tumble_mesh_buffer *buffer, tmb_buffer *array, int *started, uint32_t usual, uint32_t value)
{
    if (!*started && value == usual) {
        return TUMBLE_OK;
    }
    const size_t used = *started ? buffer->polygon_count * sizeof(uint32_t) : 0;
    if (!tmb_buffer_reserve(buffer->context, array, buffer->polygon_count + 1, sizeof(uint32_t), used)) {
        return tmb_fail_memory(buffer->context, "the polygons of a mesh");
    }
    uint32_t *values = array->data;
    for (size_t i = 0; !*started && i < buffer->polygon_count; i++) {
        values[i] = usual;
    }
    values[buffer->polygon_count] = value;
    *started = 1;
    return TUMBLE_OK;
}

tumble_status tmb_mesh_end_soup_polygon(tumble_mesh_buffer *buffer, size_t corners, uint32_t surface)
{
    TMB_ASSERT(corners >= 3);
    if (buffer->polygon_count >= TMB_MOST_POLYGONS || corners > UINT32_MAX) {
        return tmb_fail(buffer->context, TUMBLE_ERROR_TOO_LARGE,
                        "a mesh has at most %zu polygons and a polygon %u corners", TMB_MOST_POLYGONS, UINT32_MAX);
    }
    tumble_status status = append(buffer, &buffer->polygon_sizes, &buffer->has_sizes, 3, (uint32_t)corners);
    if (status == TUMBLE_OK) {
        status = append(buffer, &buffer->surface_ids, &buffer->has_surfaces, 0, surface);
    }
    buffer->polygon_count += status == TUMBLE_OK;
    return status;
}

tumble_status tmb_mesh_end_polygon(tumble_mesh_buffer *buffer, uint32_t surface)
{
    TMB_ASSERT(!buffer->is_soup);
    TMB_ASSERT(buffer->index_count - buffer->polygon_start >= 3);
    const size_t corners = buffer->index_count - buffer->polygon_start;
    buffer->polygon_start = buffer->index_count;
    return tmb_mesh_end_soup_polygon(buffer, corners, surface);
}

/* ---- Names ---- */

static size_t name_end(const tumble_mesh_buffer *buffer, uint32_t number)
{
    return number ? ((const size_t *)buffer->name_ends.data)[number - 1] : 0;
}

tumble_status tmb_mesh_add_name(tumble_mesh_buffer *buffer, const char *text, size_t length, uint32_t *number)
{
    TMB_ASSERT(text || length == 0);
    *number = 0;
    if (length == 0) {
        return TUMBLE_OK;
    }
    const size_t used = name_end(buffer, (uint32_t)buffer->name_count), count = buffer->name_count;
    if (count >= UINT32_MAX - 1 || !tmb_buffer_reserve(buffer->context, &buffer->names, used + length, 1, used) ||
        !tmb_buffer_reserve(buffer->context, &buffer->name_ends, count + 1, sizeof(size_t), count * sizeof(size_t))) {
        return tmb_fail_memory(buffer->context, "names of surfaces");
    }
    memcpy((char *)buffer->names.data + used, text, length);
    ((size_t *)buffer->name_ends.data)[count] = used + length;
    *number = (uint32_t)++buffer->name_count;
    return TUMBLE_OK;
}

tumble_status tmb_mesh_name_surface(tumble_mesh_buffer *buffer, const uint32_t names[TMB_NAME_PARTS])
{
    const size_t size = TMB_NAME_PARTS * sizeof *names, count = buffer->named_count;
    if (!tmb_buffer_reserve(buffer->context, &buffer->surface_names, count + 1, size, count * size)) {
        return tmb_fail_memory(buffer->context, "names of surfaces");
    }
    memcpy((char *)buffer->surface_names.data + count * size, names, size);
    buffer->named_count++;
    return TUMBLE_OK;
}

/* A text being written; what does not fit is only counted. */
typedef struct name_text {
    char *text;
    size_t capacity, length;
} name_text;

static void put_name(name_text *out, const char *text, size_t length)
{
    const size_t room = out->capacity > out->length + 1 ? out->capacity - out->length - 1 : 0;
    const size_t fits = length < room ? length : room;
    if (fits) {
        memcpy(out->text + out->length, text, fits);
        out->text[out->length + fits] = '\0';
    }
    out->length += length;
}

size_t tumble_mesh_buffer_surface_name(const tumble_mesh_buffer *buffer, uint32_t surface, char *text, size_t capacity)
{
    name_text out = {text, text ? capacity : 0, 0};
    if (out.capacity) {
        *text = '\0';
    }
    if (!buffer || surface >= buffer->named_count) {
        return 0;
    }
    const uint32_t *names = (const uint32_t *)buffer->surface_names.data + TMB_NAME_PARTS * (size_t)surface;
    for (int i = 0; i < TMB_NAME_PARTS; i++) {
        if (names[i]) {
            const size_t begin = name_end(buffer, names[i] - 1), end = name_end(buffer, names[i]);
            put_name(&out, "/", out.length ? 1 : 0);
            put_name(&out, (const char *)buffer->names.data + begin, end - begin);
        }
    }
    return out.length;
}

size_t tumble_mesh_buffer_warning(const tumble_mesh_buffer *buffer, char *text, size_t capacity)
{
    name_text out = {text, text ? capacity : 0, 0};
    if (out.capacity) {
        *text = '\0';
    }
    if (buffer) {
        put_name(&out, buffer->warning, strlen(buffer->warning));
    }
    return out.length;
}

/* ---- The end ---- */

/* Corners are three numbers of points from here on, instead of points. */
static tumble_status weld_soup(tumble_mesh_buffer *buffer)
{
    buffer->is_soup = 0;
    tumble_status status = tmb_mesh_reserve_corners(buffer, buffer->point_count);
    if (status != TUMBLE_OK) {
        return status;
    }
    buffer->index_count = buffer->point_count;
    return tmb_weld_points(buffer->context, buffer->points.data, &buffer->point_count, buffer->point_count / 5,
                           buffer->indices.data);
}

static tumble_status weld_indexed(tumble_mesh_buffer *buffer)
{
    const size_t before = buffer->point_count;
    uint32_t *numbers = tmb_allocate(buffer->context, before, sizeof *numbers);
    if (!numbers) {
        return tmb_fail_memory(buffer->context, "finding equal points");
    }
    const tumble_status status =
        tmb_weld_points(buffer->context, buffer->points.data, &buffer->point_count, before, numbers);
    uint32_t *indices = buffer->indices.data;
    for (size_t i = 0; status == TUMBLE_OK && before != buffer->point_count && i < buffer->index_count; i++) {
        indices[i] = numbers[indices[i]];
    }
    tmb_release(buffer->context, numbers);
    return status;
}

/* Frees unneeded capacity; keeps it if that takes memory that is not available. */
static void shrink(tumble_context *context, tmb_buffer *buffer, size_t used)
{
    if (used > buffer->capacity / 2 || buffer->capacity < 1 << 16) {
        return;
    }
    tmb_buffer smaller = {0};
    if (tmb_buffer_reserve(context, &smaller, used ? used : 1, 1, 0)) {
        memcpy(smaller.data, buffer->data, used);
        tmb_buffer_release(context, buffer);
        *buffer = smaller;
    }
}

tumble_status tmb_mesh_buffer_finish(tumble_mesh_buffer *buffer)
{
    TMB_ASSERT(buffer->is_soup || buffer->polygon_start == buffer->index_count);
    const tumble_status status = buffer->is_soup ? weld_soup(buffer) : weld_indexed(buffer);
    if (status != TUMBLE_OK) {
        return status;
    }
    shrink(buffer->context, &buffer->points, 3 * buffer->point_count * sizeof(double));
    tumble_mesh *mesh = &buffer->mesh;
    mesh->points = buffer->points.data;
    mesh->point_count = buffer->point_count;
    mesh->indices = buffer->indices.data;
    mesh->index_count = buffer->index_count;
    mesh->polygon_sizes = buffer->has_sizes ? buffer->polygon_sizes.data : NULL;
    mesh->polygon_count = buffer->polygon_count;
    mesh->surface_ids = buffer->has_surfaces ? buffer->surface_ids.data : NULL;
    return TUMBLE_OK;
}
