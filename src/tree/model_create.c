/* From a caller's mesh to a model: validates, triangulates, builds the hierarchy, writes the block. */
#include <string.h>

#include "base/clock.h"
#include "tree/block.h"
#include "tree/creation.h"
#include "tree/mesh_cut.h"
#include "tree/radius.h"
#include "tree/tuning.h"

static tumble_status check_options(tumble_context *context, const tumble_model_options *options)
{
    if (!tmb_hierarchy_numbered((uint32_t)options->hierarchy)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "model options: there is no hierarchy %u",
                        (unsigned)options->hierarchy);
    }
    const tumble_status status = tmb_check_radius(context, options->radius, SIZE_MAX);
    return status == TUMBLE_OK ? tmb_tuning_check_build(context, options->tuning) : status;
}

/* ---- Polygons into triangles ---- */

static tumble_status cut_polygons(tmb_creation *c)
{
    if (tmb_mesh_all_triangles(c->mesh)) {
        return TUMBLE_OK;
    }
    if (!tmb_mesh_cut(&c->arena, c->mesh, &c->facts, &c->own_corners, &c->triangle_polygons)) {
        return tmb_fail_memory(c->context, "the triangles of the polygons");
    }
    c->set.corners = c->own_corners;
    return TUMBLE_OK;
}

/* The last report: the calling thread may not have worked and so reported nothing before. */
static tumble_status report_end(const tmb_creation *c)
{
    return c->options.progress && c->options.progress(c->options.progress_user, 1)
               ? tmb_fail(c->context, TUMBLE_ERROR_CANCELLED, "building the model was stopped by the progress callback")
               : TUMBLE_OK;
}

/* ---- The draft and the block ---- */

void *tmb_creation_draft(tmb_creation *c, size_t size)
{
    c->draft = tmb_arena_allocate(&c->arena, 1, size);
    return c->draft ? memset(c->draft, 0, size) : NULL;
}

void *tmb_creation_section(const tmb_creation *c, tmb_section which)
{
    return (char *)c->block + c->header.offsets[which];
}

/* A larger block for nodes that have grown, as the header now says; everything before them, and their first part, is
 * unchanged. */
tumble_status tmb_creation_enlarge(tmb_creation *c)
{
    tmb_block *old = c->block, *h = &c->header;
    const uint64_t kept = old->offsets[TMB_SECTION_NODES] + tmb_block_node_bytes(old);
    if (!tmb_block_layout(h, h->offsets[TMB_SECTION_POLYGONS] != 0, h->offsets[TMB_SECTION_SURFACES] != 0,
                          h->offsets[TMB_SECTION_POINTS] != 0)) {
        return tmb_fail(c->context, TUMBLE_ERROR_TOO_LARGE, "the model does not fit into memory");
    }
    tmb_block *block = tmb_allocate(c->context, (size_t)h->total_bytes, 1);
    if (!block) {
        return tmb_fail_memory(c->context, "the model's block");
    }
    memcpy(block, old, (size_t)kept);
    memset((char *)block + kept, 0, (size_t)(h->total_bytes - kept));
    *block = *h;
    tmb_release(c->context, old);
    c->block = block;
    return TUMBLE_OK;
}

static int has_surfaces(const tmb_creation *c)
{
    for (size_t i = 0; c->mesh->surface_ids && i < c->polygon_limit; i++) {
        if (c->mesh->surface_ids[i] != 0) {
            return 1;
        }
    }
    return 0;
}

static void write_polygons(const tmb_creation *c)
{
    uint8_t *out = tmb_creation_section(c, TMB_SECTION_POLYGONS);
    const uint32_t bytes = tmb_packed_bytes(c->header.polygon_limit);
    for (size_t i = 0; i < c->set.count; i++, out += bytes) {
        const size_t from = c->clusters.order ? c->clusters.order[i] : i;
        const uint32_t polygon = c->triangle_polygons ? c->triangle_polygons[from] : (uint32_t)from;
        const uint8_t packed[4] = {(uint8_t)polygon, (uint8_t)(polygon >> 8), (uint8_t)(polygon >> 16),
                                   (uint8_t)(polygon >> 24)};
        memcpy(out, packed, bytes);
    }
}

/* The points of the clusters' corners, which triangulated polygons alone do not determine. */
static void write_points(const tmb_creation *c)
{
    uint32_t *points = tmb_creation_section(c, TMB_SECTION_POINTS);
    for (size_t i = 0; i < c->clusters.count; i++) {
        const tmb_cluster_draft *draft = &c->clusters.drafts[i];
        memcpy(points, draft->points, draft->corner_count * sizeof *points);
        points += draft->corner_count;
    }
}

static tumble_status lay_out_block(tmb_creation *c)
{
    tmb_block *h = &c->header;
    memcpy(h->magic, TMB_BLOCK_MAGIC, sizeof h->magic);
    h->endian = TMB_BLOCK_ENDIAN;
    h->version = TMB_BLOCK_VERSION;
    h->hierarchy = (uint32_t)c->options.hierarchy;
    h->points_are_float = (uint32_t)c->facts.is_float;
    h->edited = (uint32_t)c->is_edited;
    h->polygon_count = c->facts.polygon_count;
    h->polygon_limit = c->polygon_limit;
    h->triangle_count = c->set.count;
    h->point_count = c->facts.used_count;
    h->point_limit = c->facts.point_limit;
    h->topology = c->facts.topology;
    h->cluster_count = c->clusters.count;
    h->cluster_units = tmb_clusters_units(&c->clusters, c->facts.is_float);
    if (c->hierarchy->builder->set_header) {
        c->hierarchy->builder->set_header(c);
    }
    memcpy(h->lower, c->facts.lower, sizeof h->lower);
    memcpy(h->upper, c->facts.upper, sizeof h->upper);
    const int polygons = c->triangle_polygons || c->clusters.order;
    const int points = c->options.deformable && tmb_block_has_large_polygons(h);
    if (h->cluster_units > UINT32_MAX || !tmb_block_layout(h, polygons, has_surfaces(c), points)) {
        return tmb_fail(c->context, TUMBLE_ERROR_TOO_LARGE, "the model does not fit into memory");
    }
    return TUMBLE_OK;
}

static tumble_status write_block(tmb_creation *c)
{
    const tmb_block *h = &c->header;
    c->block = tmb_allocate(c->context, (size_t)h->total_bytes, 1);
    if (!c->block) {
        return tmb_fail_memory(c->context, "the model's block");
    }
    *c->block = *h;
    tmb_block_clear_ends(c->block);
    if (c->clusters.count && !tmb_clusters_write(c->context, c->options.thread_count, c->mesh, &c->clusters,
                                                 c->facts.is_float, tmb_creation_section(c, TMB_SECTION_PLACES),
                                                 tmb_creation_section(c, TMB_SECTION_CLUSTERS))) {
        return tmb_fail_memory(c->context, "the threads that build a model");
    }
    if (h->offsets[TMB_SECTION_POLYGONS]) {
        write_polygons(c);
    }
    if (h->offsets[TMB_SECTION_SURFACES]) {
        memcpy(tmb_creation_section(c, TMB_SECTION_SURFACES), c->mesh->surface_ids,
               c->polygon_limit * sizeof(uint32_t));
    }
    /* the block may become a larger one, so what lies after the nodes comes later */
    const tumble_status status = h->offsets[TMB_SECTION_NODES] ? c->hierarchy->builder->write_nodes(c) : TUMBLE_OK;
    if (status == TUMBLE_OK && h->offsets[TMB_SECTION_POINTS]) {
        write_points(c);
    }
    return status;
}

/* ---- All together ---- */

tumble_status tmb_creation_make_block(tmb_creation *c)
{
    tumble_status status = cut_polygons(c);
    if (status == TUMBLE_OK && c->set.count) {
        status = c->hierarchy->builder->build(c);
    }
    if (status == TUMBLE_OK) {
        status = lay_out_block(c);
    }
    return status == TUMBLE_OK ? write_block(c) : status;
}

static tumble_status build(tmb_creation *c)
{
    const tmb_hierarchy_builder *builder = c->hierarchy->builder;
    const tumble_status status = builder->make_block ? builder->make_block(c) : tmb_creation_make_block(c);
    return status == TUMBLE_OK ? report_end(c) : status;
}

static tumble_status begin_creation(tmb_creation *c, const tumble_model_options *options)
{
    const tumble_model_options defaults = tumble_default_model_options();
    c->options = options ? *options : defaults;
    c->options.tuning = tmb_tuning_or_default(c->options.tuning);
    tumble_status status = check_options(c->context, &c->options);
    if (status != TUMBLE_OK) {
        return status;
    }
    c->hierarchy = tmb_hierarchy_numbered((uint32_t)c->options.hierarchy);
    c->options.hierarchy = c->hierarchy->number;
    if (c->options.thread_count == 0) {
        c->options.thread_count = c->context->thread_count;
    }
    status = tmb_mesh_survey(c->context, c->options.thread_count, c->mesh, &c->facts);
    if (status == TUMBLE_OK && c->mesh->radii) {
        status = tmb_check_radii(c->context, c->mesh->radii, c->facts.polygon_count);
    }
    c->polygon_limit = c->facts.polygon_count;
    c->set = (tmb_triangle_set){.mesh = c->mesh, .corners = c->mesh->indices, .count = c->facts.triangle_count};
    memcpy(c->set.lower, c->facts.lower, sizeof c->set.lower);
    memcpy(c->set.upper, c->facts.upper, sizeof c->set.upper);
    return status;
}

tumble_status tumble_model_create(tumble_context *context, const tumble_mesh *mesh, const tumble_model_options *options,
                                  tumble_model **out)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!mesh || !out) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "the mesh or the result is null");
    }
    *out = NULL;
    const double start = tmb_seconds();
    tmb_creation c = {.context = context, .arena = {.context = context}, .mesh = mesh};
    tumble_status status = begin_creation(&c, options);
    if (status != TUMBLE_OK) {
        return status;
    }
    status = build(&c);
    tmb_arena_release(&c.arena);
    if (status == TUMBLE_OK) {
        status = tmb_model_adopt(context, c.block, out);
    }
    if (status != TUMBLE_OK) {
        tmb_release(context, c.block);
        return status;
    }
    (*out)->has_flat_ends = c.options.flat_ends;
    status = tmb_model_begin_radii(*out, mesh, c.options.radius);
    if (status == TUMBLE_OK && (*out)->has_flat_ends && !tmb_model_has_segments_only(*out)) {
        status = tmb_fail(context, TUMBLE_ERROR_POLYGON,
                          "flat_ends: the mesh has a triangle with an area or three different corners; only segments "
                          "can be axes of cylinders");
    }
    if (status != TUMBLE_OK) {
        tumble_model_destroy(*out);
        *out = NULL;
        return status;
    }
    (*out)->tuning = *c.options.tuning;
    (*out)->build_seconds = tmb_seconds() - start;
    return TUMBLE_OK;
}
