/* Assemblies from mesh files: the objects or groups of an OBJ file, or the file as one part. */
#include <stdio.h>
#include <string.h>

#include "assembly/assembly.h"
#include "assembly/cut.h"
#include "io/mesh_buffer.h"
#include "io/surfaces.h"
#include "tree/model.h"

/* What is being read. */
typedef struct reading {
    tumble_assembly *assembly;
    const char *path;
    const double *transform;
    const tumble_mesh_buffer *buffer;
    tmb_cutter cutter;
    uint32_t *surfaces;   /* part by part */
    uint32_t *part_ends;  /* where those of a part end */
    uint32_t *part_names; /* numbers of names plus one */
    size_t surface_count, part_count;
    int has_objects; /* else the file is one part; it is cut out nevertheless, so that its points get the same order */
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
    const size_t size = strlen(stem) + 1 + strlen(name) + 1;
    char *path = tmb_allocate(context, size, 1);
    if (path) {
        snprintf(path, size, "%s/%s", stem, name);
    }
    return path;
}

/* A part of a file, or with no name of its own the file. */
static tumble_status add_part(tumble_assembly *assembly, const char *file, const char *name, uint32_t model,
                              const char *broken, const double *transform)
{
    tumble_context *context = assembly->context;
    char *stem = stem_of(context, file), *path = stem && name ? join(context, stem, name) : NULL;
    const tumble_assembly_item item = {.name = name ? name : stem,
                                       .path = path,
                                       .file = file,
                                       .model = model,
                                       .transform = transform,
                                       .broken = broken};
    const int has_room = stem && (path || !name);
    const tumble_status status =
        has_room ? tumble_assembly_add(assembly, &item) : tmb_fail_memory(context, "the name of a part");
    tmb_release(context, stem);
    tmb_release(context, path);
    return status;
}

/* The whole file as one part. */
static tumble_status add_file(tumble_assembly *assembly, const char *path, uint32_t model, const char *broken,
                              const double *transform)
{
    return add_part(assembly, path, NULL, model, broken, transform);
}

/* ---- parts of a file ---- */

/* The name that tells a surface's part: of its object or, if no surface has one, of its group. */
static uint32_t part_name(const reading *r, uint32_t surface, int by_object)
{
    const uint32_t *names = (const uint32_t *)r->buffer->surface_names.data + (size_t)surface * TMB_NAME_PARTS;
    return names[by_object ? TMB_SURFACE_OBJECT : TMB_SURFACE_GROUP];
}

/* Numbers the parts in the order of their first surfaces. `part_of` of surfaces, `part_of_name` of names. */
static void number_parts(reading *r, uint32_t *part_of, uint32_t *part_of_name)
{
    int by_object = 0;
    memset(part_of_name, 0xff, (r->buffer->name_count + 1) * sizeof *part_of_name);
    for (uint32_t i = 0; i < r->surface_count && r->has_objects; i++) {
        by_object = by_object || part_name(r, i, 1) > 0;
    }
    for (uint32_t i = 0; i < r->surface_count; i++) {
        const uint32_t name = r->has_objects ? part_name(r, i, by_object) : 0;
        if (part_of_name[name] == UINT32_MAX) {
            r->part_names[r->part_count] = name;
            part_of_name[name] = (uint32_t)r->part_count++;
        }
        part_of[i] = part_of_name[name];
    }
}

/* The surfaces of each part, in their order. */
static void list_surfaces(reading *r, const uint32_t *part_of)
{
    memset(r->part_ends, 0, (r->part_count + 1) * sizeof *r->part_ends);
    for (size_t i = 0; i < r->surface_count; i++) {
        r->part_ends[part_of[i] + 1]++;
    }
    for (size_t i = 0; i < r->part_count; i++) {
        r->part_ends[i + 1] += r->part_ends[i];
    }
    for (uint32_t i = 0; i < r->surface_count; i++) {
        r->surfaces[r->part_ends[part_of[i]]++] = i; /* from its start on, until it is its end */
    }
}

static int find_parts(reading *r)
{
    tumble_context *context = r->assembly->context;
    uint32_t *part_of = tmb_allocate(context, r->surface_count, sizeof *part_of);
    uint32_t *part_of_name = tmb_allocate(context, r->buffer->name_count + 1, sizeof *part_of_name);
    const int has_room = part_of && part_of_name;
    if (has_room) {
        number_parts(r, part_of, part_of_name);
        list_surfaces(r, part_of);
    }
    tmb_release(context, part_of);
    tmb_release(context, part_of_name);
    return has_room;
}

static tumble_status add_model(reading *r, size_t part, uint32_t *model)
{
    const uint32_t begin = part > 0 ? r->part_ends[part - 1] : 0;
    tumble_mesh mesh;
    const tumble_status status = tmb_cut(&r->cutter, r->surfaces + begin, r->part_ends[part] - begin, &mesh);
    return status != TUMBLE_OK ? status : tumble_assembly_add_mesh(r->assembly, &mesh, model);
}

static tumble_status add_parts(reading *r)
{
    tumble_context *context = r->assembly->context;
    tumble_status status = TUMBLE_OK;
    for (size_t part = 0; part < r->part_count && status == TUMBLE_OK; part++) {
        uint32_t model = 0;
        const int has_name = r->part_names[part] != 0;
        char *name = has_name ? name_at(r->buffer, r->part_names[part]) : NULL;
        status = name || !has_name ? add_model(r, part, &model) : tmb_fail_memory(context, "the name of a part");
        if (status == TUMBLE_OK) {
            status = add_part(r->assembly, r->path, name, model, NULL, r->transform);
        }
        tmb_release(context, name);
    }
    return status;
}

static tumble_status split(reading *r)
{
    tumble_context *context = r->assembly->context;
    tumble_mesh mesh = r->buffer->mesh;
    mesh.surface_ids = r->has_objects ? mesh.surface_ids : NULL;
    r->surfaces = tmb_allocate(context, r->surface_count, sizeof *r->surfaces);
    r->part_ends = tmb_allocate(context, r->surface_count + 1, sizeof *r->part_ends);
    r->part_names = tmb_allocate(context, r->surface_count, sizeof *r->part_names);
    tumble_status status = tmb_cutter_begin(&r->cutter, context, &mesh, r->surface_count);
    if (status == TUMBLE_OK) {
        status = r->surfaces && r->part_ends && r->part_names && find_parts(r)
                     ? add_parts(r)
                     : tmb_fail_memory(context, "the parts of a file");
    }
    tmb_cutter_end(&r->cutter);
    tmb_release(context, r->surfaces);
    tmb_release(context, r->part_ends);
    tmb_release(context, r->part_names);
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

static tumble_status add_buffer(tumble_assembly *assembly, const char *path, const double *transform,
                                const tumble_mesh_buffer *buffer)
{
    if (buffer->polygon_count == 0) {
        return add_file(assembly, path, 0, "no polygons", NULL);
    }
    reading r = {.assembly = assembly,
                 .path = path,
                 .transform = transform,
                 .buffer = buffer,
                 .surface_count = 1,
                 .has_objects = has_objects(buffer) && !is_stl(path)};
    r.surface_count = r.has_objects ? buffer->named_count : 1;
    return split(&r);
}

/* Coordinates that are not finite make a part that is listed, with the reader's words. */
static tumble_status read_mesh(tumble_assembly *assembly, const char *path, const double *transform)
{
    tumble_mesh_buffer *buffer = NULL;
    tumble_status status = tumble_mesh_read(assembly->context, path, &buffer);
    if (status == TUMBLE_ERROR_NOT_FINITE) {
        const tmb_error error = tmb_last_error(assembly->context);
        return add_file(assembly, path, 0, error.text, NULL);
    }
    if (status == TUMBLE_OK) {
        status = add_buffer(assembly, path, transform, buffer);
    }
    tumble_mesh_buffer_destroy(buffer);
    return status;
}

static tumble_status read_saved(tumble_assembly *assembly, const char *path, const double *transform)
{
    tumble_model *model;
    tumble_status status = tumble_model_load(assembly->context, path, &model);
    if (status != TUMBLE_OK) {
        return status;
    }
    const int is_empty = model->block->polygon_count == 0;
    tmb_geometry geometry;
    if (!is_empty) {
        status = tmb_assembly_geometry_of_model(assembly->context, model, &geometry);
    }
    if (status != TUMBLE_OK || is_empty) {
        tumble_model_destroy(model);
        return status != TUMBLE_OK ? status : add_file(assembly, path, 0, "no polygons", NULL);
    }
    uint32_t number = tmb_assembly_find_model(assembly, &geometry);
    if (number == UINT32_MAX) {
        status = tmb_assembly_take_model(assembly, &geometry, model, &number);
    } else {
        tumble_model_destroy(model);
    }
    return status != TUMBLE_OK ? status : add_file(assembly, path, number, NULL, transform);
}

tumble_status tumble_assembly_read(tumble_assembly *assembly, const char *path)
{
    return tumble_assembly_read_at(assembly, path, NULL);
}

tumble_status tumble_assembly_read_at(tumble_assembly *assembly, const char *path, const double *transform)
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
        status = is_saved ? read_saved(assembly, path, transform) : read_mesh(assembly, path, transform);
    }
    if (status != TUMBLE_OK) {
        tmb_assembly_truncate(assembly, parts);
        tmb_assembly_truncate_models(assembly, models);
    }
    return status;
}
