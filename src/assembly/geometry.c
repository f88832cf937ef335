/* Models of an assembly: each distinct geometry once. */
#include <string.h>

#include "assembly/assembly.h"
#include "tree/model.h"
#include "tumble/math.h"

static const tmb_geometry *geometry_at(const tumble_assembly *assembly, uint32_t number)
{
    return (const tmb_geometry *)assembly->geometries.data + number;
}

static uint64_t short_hash(const tmb_geometry *geometry)
{
    uint64_t hash;
    memcpy(&hash, geometry->hash, sizeof hash);
    return hash;
}

static uint64_t hash_of_model(const void *user, uint32_t number)
{
    return short_hash(geometry_at(user, number));
}

/* The slot that holds the geometry, or an empty one. */
static size_t find_slot(const tumble_assembly *assembly, const tmb_geometry *geometry)
{
    const tmb_number_table *table = &assembly->by_geometry;
    const uint32_t *slots = table->slots.data;
    size_t slot = tmb_number_table_start(table, short_hash(geometry));
    while (slots[slot] && memcmp(geometry_at(assembly, slots[slot] - 1), geometry, sizeof *geometry) != 0) {
        slot = tmb_number_table_next(table, slot);
    }
    return slot;
}

uint32_t tmb_assembly_find_model(const tumble_assembly *assembly, const tmb_geometry *geometry)
{
    if (assembly->model_count == 0) {
        return UINT32_MAX;
    }
    return ((const uint32_t *)assembly->by_geometry.slots.data)[find_slot(assembly, geometry)] - 1;
}

tumble_status tmb_assembly_take_model(tumble_assembly *assembly, const tmb_geometry *geometry, tumble_model *model,
                                      uint32_t *number)
{
    tumble_context *context = assembly->context;
    const size_t count = assembly->model_count;
    if (!tmb_buffer_reserve(context, &assembly->models, count + 1, sizeof model, count * sizeof model) ||
        !tmb_buffer_reserve(context, &assembly->geometries, count + 1, sizeof *geometry, count * sizeof *geometry) ||
        !tmb_number_table_reserve(context, &assembly->by_geometry, count, hash_of_model, assembly)) {
        tumble_model_destroy(model);
        return tmb_fail_memory(context, "the models of an assembly");
    }
    ((uint32_t *)assembly->by_geometry.slots.data)[find_slot(assembly, geometry)] = (uint32_t)count + 1;
    ((tumble_model **)assembly->models.data)[count] = model;
    ((tmb_geometry *)assembly->geometries.data)[count] = *geometry;
    assembly->model_count++;
    *number = (uint32_t)count;
    return TUMBLE_OK;
}

void tmb_assembly_truncate_models(tumble_assembly *assembly, size_t model_count)
{
    while (assembly->model_count > model_count) {
        const uint32_t last = (uint32_t)assembly->model_count - 1;
        ((uint32_t *)assembly->by_geometry.slots.data)[find_slot(assembly, geometry_at(assembly, last))] = 0;
        tumble_model_destroy(((tumble_model **)assembly->models.data)[last]);
        assembly->model_count--;
    }
}

/* ---- meshes ---- */

static void add_coordinate(tmb_sha256 *hash, double value)
{
    const double plain = value + 0.0; /* -0 and 0 are one number */
    tmb_sha256_add(hash, &plain, sizeof plain);
}

static void add_points(tmb_sha256 *hash, const tumble_mesh *mesh)
{
    const size_t size = mesh->points ? sizeof(double) : sizeof(float);
    const size_t stride = mesh->point_stride ? mesh->point_stride : 3 * size;
    const char *at = mesh->points ? (const char *)mesh->points : (const char *)mesh->points_float;
    for (size_t i = 0; i < mesh->point_count; i++, at += stride) {
        for (int j = 0; j < 3; j++) {
            double number;
            float small;
            if (mesh->points) {
                memcpy(&number, at + (size_t)j * size, size);
            } else {
                memcpy(&small, at + (size_t)j * size, size);
                number = (double)small;
            }
            add_coordinate(hash, number);
        }
    }
}

/* Of everything that queries can tell apart. */
static tmb_geometry geometry_of(const tumble_mesh *mesh)
{
    const uint64_t counts[] = {mesh->point_count, mesh->index_count, mesh->polygon_sizes ? mesh->polygon_count : 0,
                               mesh->radii ? mesh->polygon_count : 0};
    tmb_geometry geometry = {0};
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "mesh");
    tmb_sha256_add(&hash, counts, sizeof counts);
    add_points(&hash, mesh);
    tmb_sha256_add(&hash, mesh->indices, mesh->index_count * sizeof *mesh->indices);
    tmb_sha256_add(&hash, mesh->polygon_sizes, (size_t)counts[2] * sizeof *mesh->polygon_sizes);
    tmb_sha256_add(&hash, mesh->radii, (size_t)counts[3] * sizeof *mesh->radii);
    tmb_sha256_end(&hash, geometry.hash);
    return geometry;
}

static tumble_status check_mesh(tumble_assembly *assembly, const tumble_mesh *mesh, const uint32_t *model)
{
    if (!mesh || !model) {
        return tmb_fail(assembly->context, TUMBLE_ERROR_ARGUMENT, "%s is null", mesh ? "model" : "mesh");
    }
    if (mesh->index_count == 0 || !mesh->indices || (!mesh->points && !mesh->points_float) ||
        (mesh->radii && !mesh->polygon_sizes && mesh->polygon_count == 0)) {
        return tmb_fail(assembly->context, TUMBLE_ERROR_ARGUMENT,
                        "a mesh without polygons or points, or with radii but no polygon_count, cannot be part of an "
                        "assembly");
    }
    return TUMBLE_OK;
}

tumble_status tumble_assembly_add_mesh(tumble_assembly *assembly, const tumble_mesh *mesh, uint32_t *model)
{
    if (!assembly) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    tumble_status status = check_mesh(assembly, mesh, model);
    if (status != TUMBLE_OK) {
        return status;
    }
    const tmb_geometry geometry = geometry_of(mesh);
    const uint32_t known = tmb_assembly_find_model(assembly, &geometry);
    if (known != UINT32_MAX) {
        *model = known;
        return TUMBLE_OK;
    }
    tumble_model *made = NULL;
    tumble_mesh bare = *mesh;
    bare.surface_ids = NULL;
    status = tumble_model_create(assembly->context, &bare, NULL, &made);
    return status != TUMBLE_OK ? status : tmb_assembly_take_model(assembly, &geometry, made, model);
}

/* ---- saved and given models ---- */

tumble_status tmb_assembly_geometry_of_model(tumble_context *context, const tumble_model *model, tmb_geometry *out)
{
    size_t size;
    tmb_sha256 hash;
    const void *block = tumble_model_block(model, &size);
    if (!block) {
        return tmb_fail_memory(context, "the bytes of a model");
    }
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "saved");
    tmb_sha256_add(&hash, block, size);
    tmb_sha256_end(&hash, out->hash);
    return TUMBLE_OK;
}

static tumble_status add_model(tumble_assembly *assembly, const tumble_model *model, uint32_t *number)
{
    tumble_model *copy;
    tmb_geometry geometry;
    tumble_status status = tmb_assembly_geometry_of_model(assembly->context, model, &geometry);
    if (status != TUMBLE_OK) {
        return status;
    }
    *number = tmb_assembly_find_model(assembly, &geometry);
    if (*number != UINT32_MAX) {
        return TUMBLE_OK;
    }
    size_t size;
    const void *block = tumble_model_block(model, &size);
    status = tumble_model_from_block(assembly->context, block, size, true, &copy);
    return status != TUMBLE_OK ? status : tmb_assembly_take_model(assembly, &geometry, copy, number);
}

tumble_status tumble_assembly_add_model(tumble_assembly *assembly, const tumble_model *model, uint32_t *number)
{
    if (!assembly) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!model || !number) {
        return tmb_fail(assembly->context, TUMBLE_ERROR_ARGUMENT, "%s is null", model ? "number" : "model");
    }
    const tumble_model *flat = tmb_model_flat(model); /* an edited model has no block */
    if (!flat) {
        return TUMBLE_ERROR_MEMORY;
    }
    if (flat->block->polygon_count == 0) {
        return tmb_fail(assembly->context, TUMBLE_ERROR_ARGUMENT,
                        "a model without polygons cannot be part of an assembly");
    }
    return add_model(assembly, model, number);
}

/* ---- baking ---- */

/* What the linear part of a transform does to the orientation: negative for a mirror image. */
static double determinant(const double m[12])
{
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
           m[2] * (m[4] * m[9] - m[5] * m[8]);
}

static tmb_geometry geometry_of_baked(const tumble_assembly *assembly, uint32_t model, const double transform[12])
{
    tmb_geometry geometry = {0};
    tmb_sha256 hash;
    tmb_sha256_begin(&hash);
    tmb_sha256_add_text(&hash, "baked");
    tmb_sha256_add(&hash, geometry_at(assembly, model), sizeof geometry);
    for (int i = 0; i < 12; i++) {
        if (i % 4 != 3) {
            add_coordinate(&hash, transform[i]);
        }
    }
    tmb_sha256_end(&hash, geometry.hash);
    return geometry;
}

/* Corners of triangle `number`, moved; those of a mirror image the other way around. */
static tumble_status move_triangle(const tumble_model *model, uint32_t number, const double m[12], int is_mirror,
                                   double *out)
{
    double corners[3][3];
    const tumble_status status = tumble_model_triangle(model, number, corners, NULL);
    for (int i = 0; i < 3 && status == TUMBLE_OK; i++) {
        const double *p = corners[is_mirror ? 2 - i : i];
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = ((m[4 * j] * p[0] + m[4 * j + 1] * p[1]) + m[4 * j + 2] * p[2]) + 0.0;
        }
    }
    return status;
}

static tumble_status move_triangles(const tumble_model *model, uint32_t count, const double transform[12],
                                    double *points, uint32_t *indices)
{
    const int is_mirror = determinant(transform) < 0;
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < count && status == TUMBLE_OK; i++) {
        status = move_triangle(model, i, transform, is_mirror, points + 9 * (size_t)i);
        for (uint32_t j = 3 * i; j < 3 * i + 3; j++) {
            indices[j] = j;
        }
    }
    return status;
}

static tumble_status make_baked(tumble_assembly *assembly, const tumble_model *model, const double transform[12],
                                tumble_model **out)
{
    tumble_context *context = assembly->context;
    if (model->radius > 0 || model->radii) {
        return tmb_fail(context, TUMBLE_ERROR_UNSUPPORTED, "a model with a radius cannot be sheared or mirrored");
    }
    const uint32_t count = (uint32_t)model->block->triangle_count;
    const size_t corners = 3 * (size_t)count;
    double *points = tmb_allocate(context, 3 * corners, sizeof *points);
    uint32_t *indices = tmb_allocate(context, corners, sizeof *indices);
    tumble_status status = points && indices ? move_triangles(model, count, transform, points, indices)
                                             : tmb_fail_memory(context, "a baked model");
    if (status == TUMBLE_OK) {
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = points, mesh.point_count = corners, mesh.indices = indices, mesh.index_count = corners;
        status = tumble_model_create(context, &mesh, NULL, out);
    }
    tmb_release(context, points);
    tmb_release(context, indices);
    return status;
}

tumble_status tmb_assembly_bake(tumble_assembly *assembly, uint32_t model, const double transform[12], uint32_t *number)
{
    const tmb_geometry geometry = geometry_of_baked(assembly, model, transform);
    *number = tmb_assembly_find_model(assembly, &geometry);
    if (*number != UINT32_MAX) {
        return TUMBLE_OK;
    }
    tumble_model *made = NULL;
    const tumble_model *base = ((tumble_model **)assembly->models.data)[model];
    const tumble_status status = make_baked(assembly, base, transform, &made);
    return status != TUMBLE_OK ? status : tmb_assembly_take_model(assembly, &geometry, made, number);
}
