/* Models on an OpenCL device: their blocks in its memory, and the tables by which kernels find them. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "collide/wide/walk.h"
#include "device/opencl/batch.h"
#include "tree/boxtree/boxtree.h"
#include "tree/wide/wide.h"

/* ---- Bytes ---- */

/* A part of an upload. */
typedef struct section {
    const void *bytes;
    size_t size, place;
} section;

/* Without doubles corners go up in local coordinates, as floats: what src/query/local_map.h maps. */
typedef struct local_geometry {
    tmb_cluster_place *places;
    uint32_t *words;
    size_t word_count;
} local_geometry;

static uint32_t corner_count_of(const tumble_model *model, size_t cluster)
{
    return tmb_cluster_corner_count(&model->places[cluster], model->is_float);
}

static double coordinate_of(const tumble_model *model, const uint32_t *words, size_t i)
{
    return model->is_float ? (double)((const float *)(const void *)(words + TMB_CLUSTER_HEAD_FLOAT))[i]
                           : ((const double *)(const void *)(words + TMB_CLUSTER_HEAD_DOUBLE))[i];
}

static void localise_cluster(const tumble_model *model, size_t cluster, uint32_t *out)
{
    const uint32_t *words = model->clusters + model->places[cluster].offset;
    const size_t corners = corner_count_of(model, cluster);
    memcpy(out, words, TMB_CLUSTER_HEAD_FLOAT * sizeof *out);
    for (size_t i = 0; i < 3 * corners; i++) {
        const size_t axis = i / corners;
        const float local = (float)((coordinate_of(model, words, i) - model->frame.centre[axis]) * model->frame.scale);
        memcpy(&out[TMB_CLUSTER_HEAD_FLOAT + i], &local, sizeof local);
    }
}

static tumble_status localise(tumble_context *context, const tumble_model *model, local_geometry *out)
{
    const size_t clusters = (size_t)model->block->cluster_count;
    *out = (local_geometry){.places = tmb_allocate(context, clusters + 1, sizeof *out->places)};
    if (!out->places) {
        return tmb_fail_memory(context, "the places of a device's model");
    }
    uint64_t offset = 0;
    for (size_t i = 0; i <= clusters; i++) {
        out->places[i] = (tmb_cluster_place){(uint32_t)offset, model->places[i].triangles};
        offset += i < clusters ? tmb_cluster_units(corner_count_of(model, i), 1) : 0;
    }
    out->word_count = (size_t)offset;
    out->words = tmb_allocate(context, out->word_count, sizeof *out->words);
    if (!out->words) {
        tmb_release(context, out->places);
        return tmb_fail_memory(context, "the corners of a device's model");
    }
    for (size_t i = 0; i < clusters; i++) {
        localise_cluster(model, i, out->words + out->places[i].offset);
    }
    return TUMBLE_OK;
}

static tumble_status upload_bytes(tmb_opencl_backend *backend, const void *bytes, size_t size,
                                  tmb_uploaded_model *uploaded)
{
    const uint64_t taken = tmb_opencl_memory_round(size);
    if (uploaded->bytes != taken) { /* else it is known, and others may read it */
        uploaded->bytes = taken;
    }
    return tmb_opencl_memory_add(backend->opencl, bytes, size, &uploaded->offset);
}

/* One run of bytes from several, each on a cache line. */
static tumble_status upload_sections(tmb_opencl_backend *backend, section *sections, size_t count,
                                     tmb_uploaded_model *uploaded)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        sections[i].place = size;
        size += (sections[i].size + TMB_CACHE_LINE - 1) / TMB_CACHE_LINE * TMB_CACHE_LINE;
    }
    unsigned char *bytes = tmb_allocate(backend->context, size, 1);
    if (!bytes) {
        return tmb_fail_memory(backend->context, "a model on its way to a device");
    }
    memset(bytes, 0, size);
    for (size_t i = 0; i < count; i++) {
        if (sections[i].size) {
            memcpy(bytes + sections[i].place, sections[i].bytes, sections[i].size);
        }
    }
    const tumble_status status = upload_bytes(backend, bytes, size, uploaded);
    tmb_release(backend->context, bytes);
    return status;
}

static int is_boxtree(const tumble_model *model)
{
    return model->block->hierarchy == TUMBLE_HIERARCHY_BOXTREE;
}

static size_t node_bytes(const tumble_model *model)
{
    const tmb_block *block = model->block;
    if (!is_boxtree(model)) {
        return (size_t)block->node_count * sizeof(tmb_wide_node);
    }
    return (size_t)block->boxtree.slot_count *
           (block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE ? sizeof(tmb_node_one) : sizeof(tmb_node_two));
}

/* The grid of a boxtree in its local frame. The unit is a power of two, and not too small for a float. */
static void enter_grid(const tumble_model *model, tmb_cl_model *entry)
{
    const tmb_boxtree_root *root = &model->block->boxtree;
    const int one_plane = root->layout == TUMBLE_BOXTREE_ONE_PLANE;
    entry->kind = one_plane ? TMB_CL_ONE_PLANE : TMB_CL_TWO_PLANES;
    entry->root = one_plane ? ((const tmb_node_one *)model->nodes)[0].word : root->root;
    entry->unit = (float)ldexp(1, root->exponent + ilogb(model->frame.scale));
    for (int k = 0; k < 3; k++) {
        entry->extent[k] = root->extent[k];
        entry->origin[k] = (float)((model->block->lower[k] - model->frame.centre[k]) * model->frame.scale);
    }
}

/* How many steps lead from the root to a leaf. */
static uint64_t step_count(const tumble_model *model)
{
    const uint64_t depth = model->block->depth;
    return is_boxtree(model) ? (depth + TMB_CL_LEVELS - 1) / TMB_CL_LEVELS + 1 : depth;
}

/* The block as it is. */
static tumble_status upload_block(tmb_opencl_backend *backend, tmb_uploaded_model *uploaded, tmb_cl_model *entry)
{
    const tumble_model *model = uploaded->model;
    const tmb_block *block = model->block;
    const tumble_status status = upload_bytes(backend, block, (size_t)block->total_bytes, uploaded);
    if (status == TUMBLE_OK) {
        const uint64_t offset = uploaded->offset;
        *entry = (tmb_cl_model){.nodes = offset + block->offsets[TMB_SECTION_NODES],
                                .places = offset + block->offsets[TMB_SECTION_PLACES],
                                .clusters = offset + block->offsets[TMB_SECTION_CLUSTERS],
                                .polygons = offset + block->offsets[TMB_SECTION_POLYGONS],
                                .is_float = block->points_are_float != 0,
                                .polygon_bytes = model->polygons ? model->polygon_bytes : 0};
    }
    return status;
}

static tumble_status upload_local(tmb_opencl_backend *backend, tmb_uploaded_model *uploaded, tmb_cl_model *entry)
{
    const tumble_model *model = uploaded->model;
    local_geometry local;
    if (model->block->triangle_count == 0) {
        return upload_block(backend, uploaded, entry);
    }
    tumble_status status = localise(backend->context, model, &local);
    if (status != TUMBLE_OK) {
        return status;
    }
    const tmb_block *block = model->block;
    section sections[] = {
        {model->nodes, node_bytes(model), 0},
        {local.places, ((size_t)block->cluster_count + 1) * sizeof *local.places, 0},
        {local.words, local.word_count * sizeof *local.words, 0},
        {model->polygons, model->polygons ? (size_t)block->triangle_count * model->polygon_bytes : 0, 0},
    };
    status = upload_sections(backend, sections, sizeof sections / sizeof *sections, uploaded);
    tmb_release(backend->context, local.places);
    tmb_release(backend->context, local.words);
    if (status == TUMBLE_OK) {
        const uint64_t offset = uploaded->offset;
        *entry = (tmb_cl_model){.nodes = offset + sections[0].place,
                                .places = offset + sections[1].place,
                                .clusters = offset + sections[2].place,
                                .polygons = offset + sections[3].place,
                                .is_float = 1,
                                .polygon_bytes = model->polygons ? model->polygon_bytes : 0};
    }
    return status;
}

tumble_status tmb_model_upload(tmb_opencl_backend *backend, tmb_uploaded_model *model, tmb_cl_model *entry)
{
    const tumble_status status =
        backend->opencl->doubles ? upload_block(backend, model, entry) : upload_local(backend, model, entry);
    if (status == TUMBLE_OK && is_boxtree(model->model) && model->model->block->triangle_count) {
        enter_grid(model->model, entry);
    }
    return status;
}

/* ---- Tables ---- */

static void frame_of(const tumble_model *model, double out[TMB_CL_FRAME_DOUBLES])
{
    memset(out, 0, TMB_CL_FRAME_DOUBLES * sizeof *out);
    for (int k = 0; k < 3; k++) {
        out[k] = model->frame.centre[k];
        out[TMB_CL_FRAME_HALF + k] = tmb_wide_local_half(model, k);
        out[TMB_CL_FRAME_SIZE + k] = fmax(fabs(model->block->lower[k]), fabs(model->block->upper[k]));
    }
    out[TMB_CL_FRAME_SCALE] = model->frame.scale;
    out[TMB_CL_FRAME_IS_BOXTREE] = is_boxtree(model);
}

static void release_tables(tumble_context *context, tmb_model_tables *tables)
{
    tmb_release(context, tables->models);
    tmb_release(context, tables->frames);
    tmb_release(context, tables->is_used);
}

static tumble_status grow_tables(tumble_context *context, tmb_model_tables *tables)
{
    const uint32_t capacity = tables->capacity ? 2 * tables->capacity : 16;
    tmb_model_tables larger = {.models = tmb_allocate(context, capacity, sizeof *larger.models),
                               .frames = tmb_allocate(context, capacity, sizeof *larger.frames),
                               .is_used = tmb_allocate(context, capacity, sizeof *larger.is_used)};
    if (!larger.models || !larger.frames || !larger.is_used) {
        release_tables(context, &larger);
        return tmb_fail_memory(context, "the table of a device's models");
    }
    memset(larger.models, 0, capacity * sizeof *larger.models);
    memset(larger.frames, 0, capacity * sizeof *larger.frames);
    memset(larger.is_used, 0, capacity * sizeof *larger.is_used);
    if (tables->capacity) {
        memcpy(larger.models, tables->models, tables->capacity * sizeof *larger.models);
        memcpy(larger.frames, tables->frames, tables->capacity * sizeof *larger.frames);
        memcpy(larger.is_used, tables->is_used, tables->capacity * sizeof *larger.is_used);
    }
    release_tables(context, tables);
    tables->models = larger.models;
    tables->frames = larger.frames;
    tables->is_used = larger.is_used;
    tables->capacity = capacity;
    return TUMBLE_OK;
}

/* Finds a number for a model; the lock is held. Its entry comes when it is uploaded. */
static tumble_status enter(tumble_context *context, tmb_model_tables *tables, const tumble_model *model,
                           uint32_t *number)
{
    TMB_ASSERT(number);
    uint32_t i = 0;
    while (i < tables->capacity && tables->is_used[i]) {
        i++;
    }
    if (i == tables->capacity) {
        const tumble_status status = grow_tables(context, tables);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    tables->is_used[i] = 1;
    tables->models[i] = (tmb_cl_model){0};
    frame_of(model, tables->frames[i]);
    tables->greatest_depth = step_count(model) > tables->greatest_depth ? step_count(model) : tables->greatest_depth;
    tables->is_new = 1;
    *number = i;
    return TUMBLE_OK;
}

static void leave(tmb_model_tables *tables, uint32_t number)
{
    pthread_mutex_lock(&tables->lock);
    tables->is_used[number] = 0;
    pthread_mutex_unlock(&tables->lock);
}

/* With `adding` held. */
static tumble_status add(tmb_opencl_backend *backend, tmb_uploaded_model *uploaded)
{
    pthread_mutex_lock(&backend->tables.lock);
    tumble_status status = enter(backend->context, &backend->tables, uploaded->model, &uploaded->number);
    pthread_mutex_unlock(&backend->tables.lock);
    if (status == TUMBLE_OK) {
        status = tmb_swap_add(backend, uploaded);
        if (status != TUMBLE_OK) {
            leave(&backend->tables, uploaded->number);
        }
    }
    return status;
}

tumble_status tmb_opencl_add_model(void *self, const tumble_model *model, void **out)
{
    tmb_opencl_backend *backend = self;
    if (model->block->hierarchy != TUMBLE_HIERARCHY_WIDE && !is_boxtree(model)) {
        return tmb_fail(backend->context, TUMBLE_ERROR_UNSUPPORTED,
                        "an OpenCL device takes models of the hierarchies wide and boxtree, not %s",
                        tumble_hierarchy_name((tumble_hierarchy)model->block->hierarchy));
    }
    tmb_uploaded_model *uploaded = tmb_allocate(backend->context, 1, sizeof *uploaded);
    if (!uploaded) {
        return tmb_fail_memory(backend->context, "a device's model");
    }
    *uploaded = (tmb_uploaded_model){.model = model};
    pthread_mutex_lock(&backend->opencl->adding);
    const tumble_status status = add(backend, uploaded);
    pthread_mutex_unlock(&backend->opencl->adding);
    if (status != TUMBLE_OK) {
        tmb_release(backend->context, uploaded);
        return status;
    }
    *out = uploaded;
    return TUMBLE_OK;
}

void tmb_opencl_remove_model(void *self, void *model)
{
    tmb_opencl_backend *backend = self;
    tmb_uploaded_model *uploaded = model;
    pthread_mutex_lock(&backend->opencl->adding);
    tmb_swap_remove(backend, uploaded);
    leave(&backend->tables, uploaded->number);
    pthread_mutex_unlock(&backend->opencl->adding);
    tmb_release(backend->context, uploaded);
}

static tumble_status send(tmb_opencl_backend *backend, const tmb_device_buffer *buffer, const void *bytes, size_t size)
{
    tmb_opencl *o = backend->opencl;
    return tmb_opencl_error(
        o, o->api.clEnqueueWriteBuffer(o->queue, buffer->memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
        "send the table of models");
}

/* Room on the device for tables of this capacity; without the lock, as that may move models. */
static tumble_status reserve_tables(tmb_opencl_backend *backend, uint32_t capacity)
{
    const tmb_model_tables *tables = &backend->tables;
    const tumble_status status =
        tmb_device_buffer_reserve(backend, &backend->models, capacity * sizeof *tables->models);
    return status == TUMBLE_OK ? tmb_device_buffer_reserve(backend, &backend->frames, capacity * sizeof *tables->frames)
                               : status;
}

/* Sends what is new, if there is room for tables that may have grown meanwhile. */
static tumble_status send_new(tmb_opencl_backend *backend, uint32_t *capacity)
{
    tmb_model_tables *tables = &backend->tables;
    tumble_status status = TUMBLE_OK;
    pthread_mutex_lock(&tables->lock);
    if (*capacity == tables->capacity && tables->is_new) {
        status = send(backend, &backend->models, tables->models, *capacity * sizeof *tables->models);
        if (status == TUMBLE_OK) {
            status = send(backend, &backend->frames, tables->frames, *capacity * sizeof *tables->frames);
        }
        tables->is_new = status != TUMBLE_OK;
        backend->swap.has_moved &= status != TUMBLE_OK;
    }
    *capacity = tables->capacity;
    pthread_mutex_unlock(&tables->lock);
    return status;
}

tumble_status tmb_tables_send(tmb_opencl_backend *backend)
{
    uint32_t reserved = 0, capacity = 0;
    tumble_status status = send_new(backend, &capacity);
    while (status == TUMBLE_OK && reserved != capacity) {
        reserved = capacity;
        status = reserve_tables(backend, reserved);
        if (status == TUMBLE_OK) {
            status = send_new(backend, &capacity);
        }
    }
    return status;
}

tumble_status tmb_tables_refresh(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    const int has_moved = backend->swap.has_moved;
    pthread_mutex_unlock(&backend->tables.lock);
    return has_moved ? tmb_tables_send(backend) : TUMBLE_OK;
}

uint64_t tmb_tables_depth(tmb_opencl_backend *backend)
{
    pthread_mutex_lock(&backend->tables.lock);
    const uint64_t depth = backend->tables.greatest_depth;
    pthread_mutex_unlock(&backend->tables.lock);
    return depth;
}

void tmb_tables_begin(tmb_opencl_backend *backend)
{
    memset(&backend->tables, 0, sizeof backend->tables);
    pthread_mutex_init(&backend->tables.lock, NULL);
}

void tmb_tables_end(tmb_opencl_backend *backend)
{
    release_tables(backend->context, &backend->tables);
    pthread_mutex_destroy(&backend->tables.lock);
}
