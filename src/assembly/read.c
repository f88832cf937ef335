/* Assemblies from mesh files: the objects or groups of an OBJ file, or the file as one part. */
#include <string.h>

#include "assembly/assembly.h"
#include "io/mesh_buffer.h"
#include "io/surfaces.h"

/* What is being read. */
typedef struct reading {
    tumble_assembly *assembly;
    const char *path;
    const tumble_mesh_buffer *buffer;
    tumble_mesh mesh;
    uint32_t *part_of;       /* of surfaces: the number of the part, from 0 */
    uint32_t *next;          /* of polygons: the next one of the same part; UINT32_MAX: the last one */
    uint32_t *first, *last;  /* of parts: polygons */
    uint32_t *corner_starts; /* of polygons */
    uint32_t *new_number;    /* of points, in the part that is being made; UINT32_MAX: not in it */
    uint32_t *part_names;    /* of parts: numbers of names plus one */
    size_t surface_count, part_count;
    int has_objects; /* else the file is one part; it is taken apart nevertheless, so that its points get the same order
                      */
    tmb_buffer points, indices, sizes, used; /* of the part that is being made */
} reading;

/* ---- names ---- */

/* "gear" of "meshes/gear.stl"; the caller releases it. */
static char *stem_of(tumble_context *context, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    const size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    char *stem = tmb_allocate(context, length + 1, 1);
    if (stem) {
        memcpy(stem, start, length);
        stem[length] = '\0';
    }
    return stem;
}

/* A copy of name number `number` less one; the caller releases it. */
static char *name_at(const tumble_mesh_buffer *buffer, uint32_t number)
{
    const size_t *ends = buffer->name_ends.data;
    const size_t start = number > 1 ? ends[number - 2] : 0, length = number > 0 ? ends[number - 1] - start : 0;
    char *name = tmb_allocate(buffer->context, length + 1, 1);
    if (name) {
        memcpy(name, length ? (const char *)buffer->names.data + start : "", length);
        name[length] = '\0';
    }
    return name;
}

/* "hall/pipe" of "hall" and "pipe"; the caller releases it. */
static char *join(tumble_context *context, const char *stem, const char *name)
{
    const size_t length = strlen(stem), size = strlen(name) + 1;
    char *path = tmb_allocate(context, length + 1 + size, 1);
    if (path) {
        memcpy(path, stem, length);
        path[length] = '/';
        memcpy(path + length + 1, name, size);
    }
    return path;
}

/* A part of a file, or with no name of its own the file. */
static tumble_status add_part(tumble_assembly *assembly, const char *file, const char *name, uint32_t model,
                              const char *broken)
{
    tumble_context *context = assembly->context;
    char *stem = stem_of(context, file), *path = stem && name ? join(context, stem, name) : NULL;
    const tumble_assembly_item item = {
        .name = name ? name : stem, .path = path, .file = file, .model = model, .broken = broken};
    const int has_room = stem && (path || !name);
    const tumble_status status =
        has_room ? tumble_assembly_add(assembly, &item) : tmb_fail_memory(context, "the name of a part");
    tmb_release(context, stem);
    tmb_release(context, path);
    return status;
}

/* The whole file as one part. */
static tumble_status add_file(tumble_assembly *assembly, const char *path, uint32_t model, const char *broken)
{
    return add_part(assembly, path, NULL, model, broken);
}

/* ---- parts of a file ---- */

/* The name that tells a surface's part: of its object or, if no surface has one, of its group. */
static uint32_t part_name(const reading *r, uint32_t surface, int by_object)
{
    const uint32_t *names = (const uint32_t *)r->buffer->surface_names.data + (size_t)surface * TMB_NAME_PARTS;
    return names[by_object ? TMB_SURFACE_OBJECT : TMB_SURFACE_GROUP];
}

/* Numbers the parts in the order of their first surfaces. Returns 0 if memory runs out. */
static int number_parts(reading *r)
{
    tumble_context *context = r->assembly->context;
    const size_t names = r->buffer->name_count + 1;
    if (!r->has_objects) {
        r->part_of[0] = r->part_names[0] = 0;
        r->part_count = 1;
        return 1;
    }
    uint32_t *part_of_name = tmb_allocate(context, names, sizeof *part_of_name);
    int by_object = 0;
    if (!part_of_name) {
        return 0;
    }
    memset(part_of_name, 0xff, names * sizeof *part_of_name);
    for (uint32_t i = 0; i < r->surface_count; i++) {
        by_object = by_object || part_name(r, i, 1) > 0;
    }
    for (uint32_t i = 0; i < r->surface_count; i++) {
        const uint32_t name = part_name(r, i, by_object);
        if (part_of_name[name] == UINT32_MAX) {
            r->part_names[r->part_count] = name;
            part_of_name[name] = (uint32_t)r->part_count++;
        }
        r->part_of[i] = part_of_name[name];
    }
    tmb_release(context, part_of_name);
    return 1;
}

/* The polygons of each part as a list. */
static void link_polygons(reading *r)
{
    const size_t polygons = r->buffer->polygon_count;
    uint32_t corner = 0;
    memset(r->first, 0xff, r->part_count * sizeof *r->first);
    for (uint32_t i = 0; i < polygons; i++) {
        const uint32_t part = r->part_of[r->mesh.surface_ids ? r->mesh.surface_ids[i] : 0];
        r->next[i] = UINT32_MAX;
        *(r->first[part] == UINT32_MAX ? &r->first[part] : &r->next[r->last[part]]) = i;
        r->last[part] = i;
        r->corner_starts[i] = corner;
        corner += r->mesh.polygon_sizes ? r->mesh.polygon_sizes[i] : 3;
    }
    memset(r->new_number, 0xff, r->mesh.point_count * sizeof *r->new_number);
}

/* Adds the corners of a polygon, and points that the part does not have yet. */
static int take_polygon(reading *r, uint32_t polygon, size_t *points, size_t *corners, size_t *polygons)
{
    tumble_context *context = r->assembly->context;
    const uint32_t size = r->mesh.polygon_sizes ? r->mesh.polygon_sizes[polygon] : 3;
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t point = r->mesh.indices[r->corner_starts[polygon] + i];
        if (r->new_number[point] == UINT32_MAX) {
            size_t used = *points;
            if (!tmb_buffer_append(context, &r->used, &used, &point, 1, sizeof point) ||
                !tmb_buffer_append(context, &r->points, points, r->mesh.points + 3 * (size_t)point, 1,
                                   3 * sizeof *r->mesh.points)) {
                return 0;
            }
            r->new_number[point] = (uint32_t)*points - 1;
        }
        if (!tmb_buffer_append(context, &r->indices, corners, &r->new_number[point], 1, sizeof(uint32_t))) {
            return 0;
        }
    }
    return tmb_buffer_append(context, &r->sizes, polygons, &size, 1, sizeof size);
}

static tumble_status add_model(reading *r, uint32_t part, uint32_t *model)
{
    size_t points = 0, corners = 0, polygons = 0;
    int has_room = 1;
    for (uint32_t i = r->first[part]; i != UINT32_MAX && has_room; i = r->next[i]) {
        has_room = take_polygon(r, i, &points, &corners, &polygons);
    }
    for (size_t i = 0; i < points && has_room; i++) {
        r->new_number[((const uint32_t *)r->used.data)[i]] = UINT32_MAX;
    }
    if (!has_room) {
        return tmb_fail_memory(r->assembly->context, "a part");
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = r->points.data, mesh.point_count = points;
    mesh.indices = r->indices.data, mesh.index_count = corners;
    if (corners != 3 * polygons) {
        mesh.polygon_sizes = r->sizes.data, mesh.polygon_count = polygons;
    }
    return tumble_assembly_add_mesh(r->assembly, &mesh, model);
}

static tumble_status add_parts(reading *r)
{
    tumble_context *context = r->assembly->context;
    tumble_status status = TUMBLE_OK;
    link_polygons(r);
    for (uint32_t part = 0; part < r->part_count && status == TUMBLE_OK; part++) {
        uint32_t model = 0;
        const int has_name = r->part_names[part] != 0;
        char *name = has_name ? name_at(r->buffer, r->part_names[part]) : NULL;
        status = name || !has_name ? add_model(r, part, &model) : tmb_fail_memory(context, "the name of a part");
        if (status == TUMBLE_OK) {
            status = add_part(r->assembly, r->path, name, model, NULL);
        }
        tmb_release(context, name);
    }
    return status;
}

static tumble_status split(reading *r)
{
    tumble_context *context = r->assembly->context;
    const size_t surfaces = r->surface_count, polygons = r->buffer->polygon_count;
    uint32_t **arrays[] = {&r->part_of, &r->part_names,    &r->first,     &r->last,
                           &r->next,    &r->corner_starts, &r->new_number};
    const size_t sizes[] = {surfaces, surfaces, surfaces, surfaces, polygons, polygons, r->mesh.point_count};
    int has_room = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && has_room; i++) {
        *arrays[i] = tmb_allocate(context, sizes[i], sizeof **arrays[i]);
        has_room = *arrays[i] != NULL;
    }
    const tumble_status status =
        has_room && number_parts(r) ? add_parts(r) : tmb_fail_memory(context, "the parts of a file");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tmb_release(context, *arrays[i]);
    }
    tmb_buffer *buffers[] = {&r->points, &r->indices, &r->sizes, &r->used};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        tmb_buffer_release(context, buffers[i]);
    }
    return status;
}

/* Whether the file has objects or groups: only OBJ files name them, and only these name three things. */
static int has_objects(const tumble_mesh_buffer *buffer)
{
    const uint32_t *names = buffer->surface_names.data;
    for (size_t i = 0; i < buffer->named_count * TMB_NAME_PARTS; i++) {
        if (names[i] && i % TMB_NAME_PARTS != TMB_SURFACE_MATERIAL) {
            return 1;
        }
    }
    return 0;
}

static int is_stl(const char *path)
{
    const size_t length = strlen(path);
    return length >= 4 && path[length - 4] == '.' && (path[length - 3] | 0x20) == 's' &&
           (path[length - 2] | 0x20) == 't' && (path[length - 1] | 0x20) == 'l';
}

/* ---- files ---- */

static tumble_status add_buffer(tumble_assembly *assembly, const char *path, const tumble_mesh_buffer *buffer)
{
    if (buffer->polygon_count == 0) {
        return add_file(assembly, path, 0, "no polygons");
    }
    reading r = {.assembly = assembly, .path = path, .buffer = buffer, .mesh = buffer->mesh, .surface_count = 1};
    if (has_objects(buffer) && !is_stl(path)) {
        r.surface_count = buffer->named_count;
        r.has_objects = 1;
    } else {
        r.mesh.surface_ids = NULL;
    }
    return split(&r);
}

/* Coordinates that are not finite make a part that is listed, with the reader's words. */
static tumble_status read_mesh(tumble_assembly *assembly, const char *path)
{
    tumble_mesh_buffer *buffer = NULL;
    tumble_status status = tumble_mesh_read(assembly->context, path, &buffer);
    if (status == TUMBLE_ERROR_NOT_FINITE) {
        const tmb_error error = tmb_last_error(assembly->context);
        return add_file(assembly, path, 0, error.text);
    }
    if (status == TUMBLE_OK) {
        status = add_buffer(assembly, path, buffer);
    }
    tumble_mesh_buffer_destroy(buffer);
    return status;
}

static tumble_status read_saved(tumble_assembly *assembly, const char *path)
{
    tumble_model *model;
    tumble_status status = tumble_model_load(assembly->context, path, &model);
    if (status != TUMBLE_OK) {
        return status;
    }
    size_t size;
    const void *block = tumble_model_block(model, &size);
    tumble_model_info info;
    status = tumble_model_get_info(model, &info);
    if (!block || status != TUMBLE_OK || info.polygon_count == 0) {
        tumble_model_destroy(model);
        return status != TUMBLE_OK ? status : add_file(assembly, path, 0, "no polygons");
    }
    tmb_geometry geometry;
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "saved");
    tmb_sha256_add(&hash, block, size);
    tmb_sha256_end(&hash, geometry.hash);
    uint32_t number = tmb_assembly_find_model(assembly, &geometry);
    if (number == UINT32_MAX) {
        status = tmb_assembly_take_model(assembly, &geometry, model, &number);
    } else {
        tumble_model_destroy(model);
    }
    return status != TUMBLE_OK ? status : add_file(assembly, path, number, NULL);
}

tumble_status tumble_assembly_read(tumble_assembly *assembly, const char *path)
{
    if (!assembly) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!path) {
        return tmb_fail(assembly->context, TUMBLE_ERROR_ARGUMENT, "path is null");
    }
    const size_t parts = assembly->part_count, models = assembly->model_count;
    bool is_saved = false;
    tumble_status status = tumble_is_model_file(assembly->context, path, &is_saved);
    if (status == TUMBLE_OK) {
        status = is_saved ? read_saved(assembly, path) : read_mesh(assembly, path);
    }
    if (status != TUMBLE_OK) {
        tmb_assembly_truncate(assembly, parts);
        tmb_assembly_truncate_models(assembly, models);
    }
    return status;
}
