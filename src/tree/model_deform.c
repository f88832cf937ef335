/* From a model to one whose points have moved: the same clusters with other coordinates, and nodes fitted to them.
 *
 * Everything that can fail comes before the first byte is written, so that a model whose memory is reused is either
 * unchanged or complete. */
#include <string.h>

#include "base/assert.h"
#include "base/clock.h"
#include "base/tasks.h"
#include "tree/block.h"
#include "tree/clusters.h"
#include "tree/creation.h"
#include "tree/hierarchy.h"
#include "tree/mesh_validate.h"
#include "tree/radius.h"
#include "tree/topology.h"
#include "tree/tuning.h"

typedef struct deformation {
    tumble_context *context;
    const tumble_model *model; /* the one that is deformed */
    const tumble_mesh *mesh;
    tmb_mesh_facts facts;
    tmb_block header;
    tumble_model *target; /* the one that it becomes */
    tmb_block *block;     /* of the target */
    int adds_data;        /* at the end, so that its block is not yet the target's */
} deformation;

/* NULL where there is nothing to fit. */
static const tmb_hierarchy_fit *fitter_of(const tmb_block *block)
{
    return block->triangle_count ? tmb_hierarchy_of(block)->fit : NULL;
}

/* ---- What is rejected ---- */

static tumble_status check_target(const tumble_model *model, const tumble_model *target)
{
    if (target->block == model->block) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "a model cannot be deformed into its own memory");
    }
    if (target->capacity == 0 || target->context != model->context) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT,
                        "the result is neither null nor a model that tumble_model_deform made in the same context");
    }
    return TUMBLE_OK;
}

static tumble_status check_model(const tumble_model *model)
{
    if (model->block->edited) {
        return tmb_fail(model->context, TUMBLE_ERROR_UNSUPPORTED,
                        "the model was edited: it no longer has a mesh whose points could move");
    }
    if (tmb_model_has_large_polygons(model) && !model->points) {
        return tmb_fail(model->context, TUMBLE_ERROR_UNSUPPORTED,
                        "the model has polygons with more than three corners: "
                        "set the option `deformable` when the model is made");
    }
    return TUMBLE_OK;
}

/* Whether the mesh, which is a valid one, has the model's polygons. */
static tumble_status compare_mesh(const deformation *d)
{
    const tmb_block *block = d->model->block;
    if (d->facts.polygon_count != block->polygon_count) {
        return tmb_fail(d->context, TUMBLE_ERROR_ARGUMENT, "the mesh has %zu polygons, the model %llu",
                        d->facts.polygon_count, (unsigned long long)block->polygon_count);
    }
    if (d->facts.triangle_count != block->triangle_count || d->facts.point_limit != block->point_limit ||
        d->facts.topology != block->topology) {
        return tmb_fail(d->context, TUMBLE_ERROR_ARGUMENT,
                        "the mesh's polygons differ from those that the model was made of");
    }
    return TUMBLE_OK;
}

static tumble_status survey_mesh(deformation *d)
{
    const tmb_block *block = d->model->block;
    const int all_used = block->point_count == block->point_limit && d->mesh->point_count == block->point_limit;
    tmb_buffer *scratch = all_used ? NULL : &d->target->scratch;
    const tumble_status status = tmb_mesh_survey_in(d->context, d->context->thread_count, d->mesh, scratch, &d->facts);
    return status == TUMBLE_OK ? compare_mesh(d) : status;
}

/* ---- Memory ---- */

/* The same sections as before; the clusters' is larger or smaller where float gives way to double or returns. */
static tumble_status lay_out_block(deformation *d)
{
    const tmb_block *old = d->model->block;
    tmb_block *h = &d->header;
    const uint32_t corners = (uint32_t)tmb_block_corner_count(old);
    *h = *old;
    h->version = TMB_BLOCK_VERSION;
    h->points_are_float = (uint32_t)d->facts.is_float;
    h->cluster_units = tmb_cluster_offset((size_t)old->cluster_count, corners, d->facts.is_float);
    memcpy(h->lower, d->facts.lower, sizeof h->lower);
    memcpy(h->upper, d->facts.upper, sizeof h->upper);
    const tmb_hierarchy_fit *fitter = fitter_of(h);
    d->adds_data = fitter && fitter->forget && fitter->forget(h);
    if (h->cluster_units > UINT32_MAX ||
        !tmb_block_layout(h, d->model->polygons != NULL, d->model->surfaces != NULL, d->model->points != NULL)) {
        return tmb_fail(d->context, TUMBLE_ERROR_TOO_LARGE, "the model does not fit into memory");
    }
    return TUMBLE_OK;
}

static tumble_status reserve_memory(deformation *d)
{
    const tmb_hierarchy_fit *fitter = fitter_of(&d->header);
    const size_t scratch_bytes = fitter && fitter->scratch_bytes ? fitter->scratch_bytes(&d->header) : 0;
    if (!tmb_buffer_reserve(d->context, &d->target->scratch, scratch_bytes, 1, 0)) {
        return tmb_fail_memory(d->context, "fitting the hierarchy");
    }
    if (d->model->radii && !tmb_model_reserve_radii(d->target, (size_t)d->model->block->polygon_limit)) {
        return tmb_fail_memory(d->context, "the radii of a model");
    }
    if (!d->adds_data && d->header.total_bytes <= d->target->capacity) {
        d->block = d->target->owned;
    } else {
        d->block = tmb_allocate(d->context, (size_t)d->header.total_bytes, 1);
    }
    return d->block ? TUMBLE_OK : tmb_fail_memory(d->context, "the model's block");
}

/* ---- Writing ---- */

static void *block_section(const deformation *d, tmb_section which)
{
    return (char *)d->block + d->header.offsets[which];
}

/* The cluster as it was when it was made. Corners about which a damaged block says nothing become point 0. */
static void read_draft(const deformation *d, uint32_t cluster, tmb_cluster_draft *draft)
{
    TMB_ASSERT(cluster < d->model->block->cluster_count);
    const tumble_model *model = d->model;
    const tmb_cluster_place *place = model->places + cluster;
    memset(draft, 0, sizeof *draft);
    memcpy(draft->words, model->clusters + place->offset, sizeof draft->words);
    draft->triangle_count = tmb_cluster_triangle_count(place);
    draft->corner_count = tmb_cluster_corner_count(place, model->is_float);
    if (model->points) {
        memcpy(draft->points, model->points + tmb_cluster_first_corner(model->places, cluster, model->is_float),
               draft->corner_count * sizeof *draft->points);
        return;
    }
    for (uint32_t t = 0; t < draft->triangle_count; t++) {
        const uint32_t polygon = tmb_model_polygon(model, tmb_triangle_address(cluster, t));
        const uint32_t *triangle = d->mesh->indices + 3 * (size_t)polygon;
        for (int k = 0; k < 3; k++) {
            draft->points[(draft->words[k] >> 4 * t) & (TMB_CLUSTER_CORNERS - 1)] = triangle[k];
        }
    }
}

static tmb_cluster_place place_of(const deformation *d, size_t cluster)
{
    TMB_ASSERT(cluster <= d->model->block->cluster_count);
    const tumble_model *model = d->model;
    const uint32_t corner = tmb_cluster_first_corner(model->places, cluster, model->is_float);
    return (tmb_cluster_place){(uint32_t)tmb_cluster_offset(cluster, corner, d->facts.is_float),
                               model->places[cluster].triangles};
}

/* Indices and points are scattered in memory, so they are prefetched some clusters ahead. */
#define AHEAD 8

static void expect_cluster(const deformation *d, size_t cluster)
{
    const tmb_cluster_place *place = d->model->places + cluster;
    __builtin_prefetch(d->model->clusters + place->offset);
    const uint32_t first = tmb_cluster_first_triangle(place), count = tmb_cluster_triangle_count(place);
    for (uint32_t i = 0; i < count && d->model->polygons; i++) {
        const uint32_t polygon = tmb_packed_number(d->model->polygons, d->model->polygon_bytes, first + i);
        __builtin_prefetch(d->mesh->indices + 3 * (size_t)polygon);
    }
}

static void expect_points(const deformation *d, const tmb_cluster_draft *draft)
{
    const char *points = d->mesh->points_float ? (const char *)d->mesh->points_float : (const char *)d->mesh->points;
    const size_t stride = tmb_mesh_stride(d->mesh);
    for (uint32_t i = 0; i < draft->corner_count; i++) {
        __builtin_prefetch(points + stride * draft->points[i]);
    }
}

static void move_clusters(void *shared, size_t begin, size_t end)
{
    const deformation *d = shared;
    tmb_cluster_draft drafts[AHEAD];
    tmb_cluster_place *places = block_section(d, TMB_SECTION_PLACES);
    uint32_t *data = block_section(d, TMB_SECTION_CLUSTERS);
    for (size_t i = begin; i < end + AHEAD; i++) {
        tmb_cluster_draft *draft = &drafts[i % AHEAD];
        if (i >= begin + AHEAD) {
            const size_t done = i - AHEAD;
            places[done] = place_of(d, done);
            tmb_cluster_write(d->mesh, draft, d->facts.is_float, data + places[done].offset);
        }
        if (i + AHEAD < end) {
            expect_cluster(d, i + AHEAD);
        }
        if (i < end) {
            read_draft(d, (uint32_t)i, draft);
            expect_points(d, draft);
        }
    }
}

#define GRAIN 1024

/* If memory for threads runs out, the calling thread does everything. */
static void write_clusters(deformation *d)
{
    const size_t count = (size_t)d->header.cluster_count;
    const uint32_t threads = tmb_threads_for(d->context->thread_count, count, GRAIN);
    if (count > 0) {
        ((tmb_cluster_place *)block_section(d, TMB_SECTION_PLACES))[count] = place_of(d, count);
    }
    if (!tmb_parallel_for(d->context, threads, count, GRAIN, move_clusters, d)) {
        (void)tmb_parallel_for(d->context, 1, count, GRAIN, move_clusters, d);
    }
}

static void write_nodes(deformation *d)
{
    const tmb_hierarchy_fit *fitter = fitter_of(&d->header);
    void *scratch = d->target->scratch.data;
    const uint32_t threads = tmb_threads_for(d->context->thread_count, (size_t)d->header.cluster_count, GRAIN);
    if (fitter && !fitter->fit(d->context, threads, d->block, d->model->nodes, scratch)) {
        (void)fitter->fit(d->context, 1, d->block, d->model->nodes, scratch);
    }
}

static void copy_section(deformation *d, tmb_section which, const void *from, uint64_t bytes)
{
    if (d->header.offsets[which]) {
        memcpy(block_section(d, which), from, (size_t)bytes);
    }
}

static void write_block(deformation *d)
{
    const tumble_model *model = d->model;
    *d->block = d->header;
    tmb_block_clear_ends(d->block);
    copy_section(d, TMB_SECTION_POLYGONS, model->polygons, tmb_block_polygon_bytes(&d->header));
    copy_section(d, TMB_SECTION_SURFACES, model->surfaces, d->header.polygon_count * sizeof(uint32_t));
    copy_section(d, TMB_SECTION_POINTS, model->points, tmb_block_corner_count(&d->header) * sizeof(uint32_t));
    write_clusters(d);
    write_nodes(d);
}

/* What depends on the nodes, in a larger block. */
static tumble_status add_data(deformation *d)
{
    tumble_tuning tuning;
    tmb_tuning_of(d->model->block, &tuning);
    tmb_creation c = {.context = d->context, .arena = {.context = d->context}, .header = *d->block, .block = d->block};
    c.options.thread_count = d->context->thread_count;
    c.options.tuning = &tuning;
    const tumble_status status = fitter_of(&d->header)->add_data(&c);
    tmb_arena_release(&c.arena);
    d->block = c.block;
    d->header = c.header;
    if (status == TUMBLE_OK) { /* it comes after the nodes */
        copy_section(d, TMB_SECTION_POINTS, d->model->points, tmb_block_corner_count(&d->header) * sizeof(uint32_t));
    } else {
        tmb_release(d->context, d->block);
    }
    return status;
}

/* ---- All together ---- */

static void adopt_block(deformation *d)
{
    tumble_model *target = d->target;
    if (d->block != target->owned) {
        tmb_release(d->context, target->owned);
        target->owned = d->block;
        target->capacity = (size_t)d->header.total_bytes;
    }
    tmb_topology_forget(target);
    target->tuning = d->model->tuning;
    tmb_model_view(target, d->block);
    tmb_model_copy_radii(target, d->model);
}

static tumble_status deform(deformation *d)
{
    if (d->model->has_flat_ends) {
        return tmb_fail(d->context, TUMBLE_ERROR_UNSUPPORTED, "cylinders cannot be deformed: make them anew");
    }
    tumble_status status = survey_mesh(d);
    if (status == TUMBLE_OK) {
        status = lay_out_block(d);
    }
    if (status == TUMBLE_OK) {
        status = reserve_memory(d);
    }
    if (status == TUMBLE_OK) {
        write_block(d);
        status = d->adds_data ? add_data(d) : TUMBLE_OK;
    }
    if (status == TUMBLE_OK) {
        d->block->checksum = tmb_block_checksum(d->block);
        adopt_block(d);
    }
    return status;
}

tumble_status tumble_model_deform(const tumble_model *model, const tumble_mesh *mesh, tumble_model **out)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!mesh || !out) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "the mesh or the result is null");
    }
    const double start = tmb_seconds();
    tumble_status status = *out ? check_target(model, *out) : TUMBLE_OK;
    if (status == TUMBLE_OK) {
        status = check_model(model);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    deformation d = {.context = model->context, .model = model, .mesh = mesh};
    d.target = *out ? *out : tmb_model_allocate(model->context);
    if (!d.target) {
        return TUMBLE_ERROR_MEMORY;
    }
    status = deform(&d);
    if (status == TUMBLE_OK) {
        d.target->build_seconds = tmb_seconds() - start;
        *out = d.target;
        tmb_model_note_change(d.target);
    } else if (!*out) {
        tumble_model_destroy(d.target);
    }
    return status;
}
