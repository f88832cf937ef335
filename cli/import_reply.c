/* What the process that runs assimp sends back. Both ends are one program on one machine, so the structs go as they
 * are; but the sender may have been overwritten by a malformed file, so the receiver checks everything. */
#include "import_reply.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define REPLY_MAGIC UINT64_C(0x31796c7065724d54)

typedef struct reply_head {
    uint64_t magic;
    uint64_t points, corners, polygons, names, name_bytes, surfaces, part_bytes; /* how many follow, in this order */
    uint32_t status;
    int32_t has_sizes, has_surfaces, up;
    double metres;
    char message[512], advice[256];
} reply_head;

/* The arrays after the head. */
enum {
    ARRAY_COUNT = 8,
    MESH_ARRAYS = 7 /* those of the mesh buffer come first */
};

typedef struct reply_arrays {
    const void *data[ARRAY_COUNT];
    uint64_t bytes[ARRAY_COUNT];
} reply_arrays;

enum {
    POINTS,
    CORNERS,
    SIZES,
    SURFACE_IDS,
    NAME_ENDS,
    NAMES,
    SURFACE_NAMES,
    PARTS
};

static void measure(const reply_head *head, reply_arrays *arrays)
{
    arrays->bytes[POINTS] = head->points * 3 * sizeof(double);
    arrays->bytes[CORNERS] = head->corners * sizeof(uint32_t);
    arrays->bytes[SIZES] = head->has_sizes ? head->polygons * sizeof(uint32_t) : 0;
    arrays->bytes[SURFACE_IDS] = head->has_surfaces ? head->polygons * sizeof(uint32_t) : 0;
    arrays->bytes[NAME_ENDS] = head->names * sizeof(size_t);
    arrays->bytes[NAMES] = head->name_bytes;
    arrays->bytes[SURFACE_NAMES] = head->surfaces * TMB_NAME_PARTS * sizeof(uint32_t);
    arrays->bytes[PARTS] = head->part_bytes;
}

/* ---- sending ---- */

static int write_all(int descriptor, const void *data, uint64_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t written = write(descriptor, at, size < 1 << 20 ? (size_t)size : 1 << 20);
        if (written < 0 && errno != EINTR) {
            return 0;
        }
        at += written > 0 ? written : 0;
        size -= written > 0 ? (uint64_t)written : 0;
    }
    return 1;
}

static void describe(const tumble_mesh_buffer *buffer, reply_head *head, reply_arrays *arrays)
{
    head->points = buffer->point_count;
    head->corners = buffer->index_count;
    head->polygons = buffer->polygon_count;
    head->has_sizes = buffer->has_sizes;
    head->has_surfaces = buffer->has_surfaces;
    head->names = buffer->name_count;
    head->name_bytes = buffer->name_count ? ((const size_t *)buffer->name_ends.data)[buffer->name_count - 1] : 0;
    head->surfaces = buffer->named_count;
    const tmb_buffer *all[MESH_ARRAYS] = {&buffer->points,       &buffer->indices,   &buffer->polygon_sizes,
                                          &buffer->surface_ids,  &buffer->name_ends, &buffer->names,
                                          &buffer->surface_names};
    for (int i = 0; i < MESH_ARRAYS; i++) {
        arrays->data[i] = all[i]->data;
    }
}

int cli_reply_send(int descriptor, const cli_import_reply *reply)
{
    reply_head head;
    reply_arrays arrays = {.data = {NULL}};
    memset(&head, 0, sizeof head);
    head.magic = REPLY_MAGIC;
    head.status = (uint32_t)reply->status;
    head.metres = reply->frame.metres;
    head.up = reply->frame.up;
    memcpy(head.message, reply->message, sizeof head.message);
    memcpy(head.advice, reply->advice, sizeof head.advice);
    if (reply->buffer) {
        describe(reply->buffer, &head, &arrays);
        head.part_bytes = reply->part_bytes;
        arrays.data[PARTS] = reply->parts.data;
    }
    measure(&head, &arrays);
    int sent = write_all(descriptor, &head, sizeof head);
    for (int i = 0; sent && i < ARRAY_COUNT; i++) {
        sent = write_all(descriptor, arrays.data[i], arrays.bytes[i]);
    }
    return sent;
}

/* ---- receiving ---- */

static int is_plausible(const reply_head *head)
{
    const uint64_t most = UINT64_C(1) << 48; /* so that no size overflows */
    return head->magic == REPLY_MAGIC && head->points <= TMB_MOST_POINTS && head->polygons <= TMB_MOST_POLYGONS &&
           head->corners <= most && head->names < UINT32_MAX && head->name_bytes <= most && head->part_bytes <= most &&
           head->surfaces <= UINT32_MAX && head->up >= -3 && head->up <= 3 && head->metres >= 0 &&
           isfinite(head->metres) && memchr(head->message, 0, sizeof head->message) &&
           memchr(head->advice, 0, sizeof head->advice);
}

static int locate(const char *bytes, uint64_t size, const reply_head *head, reply_arrays *arrays)
{
    uint64_t end = sizeof *head;
    measure(head, arrays);
    for (int i = 0; i < ARRAY_COUNT; i++) {
        arrays->data[i] = bytes + end;
        end += arrays->bytes[i];
    }
    return end == size;
}

static void copy_array(tmb_buffer *to, const reply_arrays *arrays, int number)
{
    if (arrays->bytes[number]) {
        memcpy(to->data, arrays->data[number], arrays->bytes[number]);
    }
}

static int reserve(tumble_context *context, tmb_buffer *to, const reply_arrays *arrays, int number)
{
    return !arrays->bytes[number] || tmb_buffer_reserve(context, to, arrays->bytes[number], 1, 0);
}

static tumble_status copy_arrays(const reply_head *head, const reply_arrays *arrays, tumble_mesh_buffer *buffer)
{
    tmb_buffer *all[MESH_ARRAYS] = {&buffer->points,    &buffer->indices, &buffer->polygon_sizes, &buffer->surface_ids,
                                    &buffer->name_ends, &buffer->names,   &buffer->surface_names};
    for (int i = 0; i < MESH_ARRAYS; i++) {
        if (!reserve(buffer->context, all[i], arrays, i)) {
            return tmb_fail_memory(buffer->context, "a mesh");
        }
        copy_array(all[i], arrays, i);
    }
    buffer->point_count = head->points;
    buffer->index_count = buffer->polygon_start = head->corners;
    buffer->polygon_count = head->polygons;
    buffer->has_sizes = head->has_sizes != 0;
    buffer->has_surfaces = head->has_surfaces != 0;
    buffer->name_count = head->names;
    buffer->named_count = head->surfaces;
    return TUMBLE_OK;
}

static int has_good_points(const tumble_mesh_buffer *buffer)
{
    const double *points = buffer->points.data;
    for (size_t i = 0; i < 3 * buffer->point_count; i++) {
        if (!isfinite(points[i])) {
            return 0;
        }
    }
    return 1;
}

static int has_good_polygons(const tumble_mesh_buffer *buffer)
{
    const uint32_t *indices = buffer->indices.data, *sizes = buffer->polygon_sizes.data,
                   *surfaces = buffer->surface_ids.data;
    uint64_t corners = 0;
    if (!buffer->has_sizes && buffer->index_count != 3 * (uint64_t)buffer->polygon_count) {
        return 0; /* or a count that takes no bytes would be believed, and take its time */
    }
    for (size_t i = 0; i < buffer->polygon_count; i++) {
        const uint32_t size = buffer->has_sizes ? sizes[i] : 3;
        corners += size;
        if (size < 3 || (buffer->has_surfaces && surfaces[i] >= buffer->named_count)) {
            return 0;
        }
    }
    for (size_t i = 0; i < buffer->index_count; i++) {
        if (indices[i] >= buffer->point_count) {
            return 0;
        }
    }
    return corners == buffer->index_count;
}

static int has_good_names(const tumble_mesh_buffer *buffer, uint64_t bytes)
{
    const size_t *ends = buffer->name_ends.data;
    const uint32_t *names = buffer->surface_names.data;
    size_t last = 0;
    for (size_t i = 0; i < buffer->name_count; i++) {
        if (ends[i] < last) {
            return 0;
        }
        last = ends[i];
    }
    for (size_t i = 0; i < TMB_NAME_PARTS * buffer->named_count; i++) {
        if (names[i] > buffer->name_count) {
            return 0;
        }
    }
    return last == bytes;
}

static tumble_status senseless(tumble_context *context)
{
    return tmb_fail(context, TUMBLE_ERROR_FORMAT, "what was read of the file makes no sense");
}

tumble_status cli_reply_receive(tumble_context *context, const void *bytes, size_t size, cli_import_reply *out)
{
    reply_head head;
    reply_arrays arrays;
    *out = (cli_import_reply){.status = TUMBLE_ERROR_FORMAT};
    if (size < sizeof head) {
        return senseless(context);
    }
    memcpy(&head, bytes, sizeof head);
    if (!is_plausible(&head) || !locate(bytes, size, &head, &arrays)) {
        return senseless(context);
    }
    out->status = (tumble_status)head.status;
    out->frame = (cli_frame){head.metres, head.up};
    memcpy(out->message, head.message, sizeof out->message);
    memcpy(out->advice, head.advice, sizeof out->advice);
    if (out->status != TUMBLE_OK) {
        return TUMBLE_OK;
    }
    tumble_status status = tmb_mesh_buffer_create(context, &out->buffer);
    if (status == TUMBLE_OK) {
        status = copy_arrays(&head, &arrays, out->buffer);
    }
    if (status == TUMBLE_OK && (!has_good_points(out->buffer) || !has_good_polygons(out->buffer) ||
                                !has_good_names(out->buffer, head.name_bytes))) {
        status = senseless(context);
    }
    if (status == TUMBLE_OK && !reserve(context, &out->parts, &arrays, PARTS)) {
        status = tmb_fail_memory(context, "the parts of a file");
    }
    if (status == TUMBLE_OK) {
        copy_array(&out->parts, &arrays, PARTS);
        out->part_bytes = (size_t)head.part_bytes;
    } else {
        tumble_mesh_buffer_destroy(out->buffer);
        out->buffer = NULL;
    }
    return status;
}
