/* From a caller's mesh to a model: validates, triangulates, builds the hierarchy, writes the block. */
#include <string.h>

#include "base/clock.h"
#include "tree/block.h"
#include "tree/boxtree/boxtree.h"
#include "tree/clusters.h"
#include "tree/kdop/lookup.h"
#include "tree/kdop/root_hull.h"
#include "tree/kdop/vertices.h"
#include "tree/mesh_cut.h"
#include "tree/mesh_validate.h"
#include "tree/rtree/edit.h"
#include "tree/rtree/rtree.h"
#include "tree/tuning.h"
#include "tree/wide/build.h"
#include "tree/wide/fit.h"

typedef struct creation {
    tumble_context *context;
    tmb_arena arena; /* what is needed until the block is written */
    const tumble_mesh *mesh;
    tumble_model_options options;
    tmb_mesh_facts facts;
    tmb_triangle_set set;
    uint32_t *own_corners;       /* when polygons had to be cut */
    uint32_t *triangle_polygons; /* then the polygon of each triangle */
    tmb_boxtree tree;
    tmb_kdop_tree kdop;
    tmb_kdop_hull hull;
    tmb_wide_tree wide;
    tmb_rtree rtree;
    tmb_clusters clusters;
    tmb_block header;
    tmb_block *block;
} creation;

static tumble_status check_options(tumble_context *context, const tumble_model_options *options)
{
    if ((unsigned)options->hierarchy > TUMBLE_HIERARCHY_RTREE) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "model options: there is no hierarchy %u",
                        (unsigned)options->hierarchy);
    }
    return tmb_tuning_check_build(context, options->tuning);
}

/* ---- Polygons into triangles ---- */

static tumble_status cut_polygons(creation *c)
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

/* ---- The hierarchy and the clusters ---- */

static tumble_status build_boxtree(creation *c)
{
    const uint32_t threads = c->options.thread_count;
    const tumble_status status = tmb_boxtree_build(&c->arena, &c->set, &c->options, &c->tree);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (!tmb_clusters_group(&c->arena, threads, c->set.corners, c->tree.order, c->set.count, &c->clusters)) {
        return tmb_fail_memory(c->context, "the clusters");
    }
    tmb_boxtree_readdress(&c->tree, c->clusters.addresses);
    return TUMBLE_OK;
}

/* Leaves with one triangle allow any clusters. Others need their triangles in sequence, and larger ones in clusters of
 * their own. */
static int cluster_kdop_leaves(creation *c)
{
    const uint32_t *corners = c->set.corners, *order = c->kdop.order;
    if (c->options.tuning->kdop.leaf == 1) {
        return tmb_clusters_group(&c->arena, c->options.thread_count, corners, order, c->set.count, &c->clusters);
    }
    uint8_t *starts = NULL;
    if (c->options.tuning->kdop.leaf >= TMB_KDOP_CLUSTERED) {
        starts = tmb_arena_allocate(&c->arena, c->set.count, sizeof *starts);
        if (!starts) {
            return 0;
        }
        tmb_kdop_mark_leaves(&c->kdop, c->set.count, starts);
    }
    return tmb_clusters_cut(&c->arena, corners, order, starts, c->set.count, &c->clusters);
}

/* Its bounds come later: write_kdop_nodes. */
static tumble_status build_kdop(creation *c)
{
    const tumble_status status = tmb_kdop_build(&c->arena, &c->set, &c->options, &c->kdop);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (!cluster_kdop_leaves(c)) {
        return tmb_fail_memory(c->context, "the clusters");
    }
    const int ok = !c->options.tuning->kdop.hull || tmb_kdop_build_hull(&c->arena, c->mesh, &c->clusters, &c->hull);
    return ok ? TUMBLE_OK : tmb_fail_memory(c->context, "the convex hull of a model");
}

static tumble_status build_brute(creation *c)
{
    return tmb_clusters_cut(&c->arena, c->set.corners, NULL, NULL, c->set.count, &c->clusters)
               ? TUMBLE_OK
               : tmb_fail_memory(c->context, "the clusters");
}

/* Its nodes come later: write_wide_nodes. */
static tumble_status build_wide(creation *c)
{
    return tmb_wide_build(&c->arena, &c->set, &c->options, &c->clusters, &c->wide);
}

/* Its boxes come later: write_rtree_nodes. */
static tumble_status build_rtree(creation *c)
{
    const uint32_t *ids = c->mesh->surface_ids;
    uint32_t *surfaces = NULL;
    if (ids && c->triangle_polygons) {
        surfaces = tmb_arena_allocate(&c->arena, c->set.count, sizeof *surfaces);
        if (!surfaces) {
            return tmb_fail_memory(c->context, "the surfaces of triangles");
        }
        for (size_t i = 0; i < c->set.count; i++) {
            surfaces[i] = ids[c->triangle_polygons[i]];
        }
    }
    return tmb_rtree_build(&c->arena, &c->set, surfaces ? surfaces : ids, &c->options, &c->clusters, &c->rtree);
}

/* The last report: the calling thread may not have worked and so reported nothing before. */
static tumble_status report_end(const creation *c)
{
    return c->options.progress && c->options.progress(c->options.progress_user, 1)
               ? tmb_fail(c->context, TUMBLE_ERROR_CANCELLED, "building the model was stopped by the progress callback")
               : TUMBLE_OK;
}

static tumble_status build_hierarchy(creation *c)
{
    if (c->set.count == 0) {
        return TUMBLE_OK;
    }
    switch (c->options.hierarchy) {
    case TUMBLE_HIERARCHY_BOXTREE: return build_boxtree(c);
    case TUMBLE_HIERARCHY_WIDE: return build_wide(c);
    case TUMBLE_HIERARCHY_KDOP: return build_kdop(c);
    case TUMBLE_HIERARCHY_RTREE: return build_rtree(c);
    default: return build_brute(c);
    }
}

/* ---- The block ---- */

static void *block_section(const creation *c, tmb_section which)
{
    return (char *)c->block + c->header.offsets[which];
}

static void count_wide_nodes(creation *c)
{
    c->header.node_count = c->wide.node_count;
    c->header.depth = c->wide.depth;
}

/* Boxes and slabs follow from the clusters as they are stored. */
static tumble_status write_wide_nodes(const creation *c)
{
    tmb_wide_write_links(&c->wide, block_section(c, TMB_SECTION_NODES));
    return tmb_wide_fit(c->context, c->options.thread_count, c->block, NULL)
               ? TUMBLE_OK
               : tmb_fail_memory(c->context, "the nodes of a wide hierarchy");
}

static void count_kdop_nodes(creation *c)
{
    c->header.node_count = c->kdop.node_count;
    c->header.depth = c->kdop.depth;
    c->header.kdop = (tmb_kdop_root){.k = c->options.tuning->kdop.k, .leaf = c->options.tuning->kdop.leaf};
    c->header.kdop.hull_count = c->hull.count;
    c->header.kdop.hull_links = c->hull.link_count;
    if (c->options.tuning->kdop.tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        c->header.kdop.tumble = TUMBLE_KDOP_TUMBLE_LOOKUP;
    }
}

/* A larger block for nodes that have grown, as the header now says; everything before them, and their first part, is
 * unchanged. */
static tumble_status enlarge_nodes(creation *c)
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

/* The number of vertices is known only after the k-DOPs' bounds. */
static tumble_status add_kdop_vertices(creation *c)
{
    uint32_t *first = tmb_arena_allocate(&c->arena, c->header.node_count + 2, sizeof *first);
    uint64_t total;
    if (!first || !tmb_kdop_count_vertices(c->context, c->options.thread_count, c->block, first, &total)) {
        return tmb_fail_memory(c->context, "the vertices of a k-DOP tree");
    }
    if (total > UINT32_MAX) {
        return tmb_fail(c->context, TUMBLE_ERROR_TOO_LARGE,
                        "the k-DOPs have %llu vertices, more than 32 bits can count", (unsigned long long)total);
    }
    c->header.kdop.tumble = TUMBLE_KDOP_TUMBLE_VERTICES;
    c->header.kdop.vertex_count = (uint32_t)total;
    const tumble_status status = enlarge_nodes(c);
    if (status != TUMBLE_OK) {
        return status;
    }
    return tmb_kdop_write_vertices(c->context, c->options.thread_count, c->block, first)
               ? TUMBLE_OK
               : tmb_fail_memory(c->context, "the threads that build a model");
}

static tumble_status write_kdop_nodes(creation *c)
{
    const tmb_kdop_parts parts = tmb_kdop_parts_of(c->block);
    memset((char *)block_section(c, TMB_SECTION_NODES) + parts.lookups - TMB_CACHE_LINE, 0,
           parts.end - parts.lookups + TMB_CACHE_LINE); /* also what lies between the parts */
    tmb_kdop_write(&c->kdop, c->set.count, c->clusters.addresses, c->options.tuning->kdop.k,
                   block_section(c, TMB_SECTION_NODES));
    const uint32_t threads = c->options.thread_count;
    int ok = tmb_kdop_fit(c->context, threads, c->block, NULL);
    if (ok && c->header.kdop.tumble == TUMBLE_KDOP_TUMBLE_LOOKUP) {
        ok = tmb_kdop_fill_lookups(c->context, threads, c->block);
    }
    if (!ok) {
        return tmb_fail_memory(c->context, "the nodes of a k-DOP tree");
    }
    const int vertices = c->options.tuning->kdop.tumble == TUMBLE_KDOP_TUMBLE_VERTICES;
    const tumble_status status = vertices ? add_kdop_vertices(c) : TUMBLE_OK;
    if (status == TUMBLE_OK && c->header.kdop.hull_count) {
        tmb_kdop_write_hull(&c->hull, c->block);
    }
    return status;
}

static void count_rtree_nodes(creation *c)
{
    c->header.node_count = c->rtree.node_count;
    c->header.depth = c->rtree.depth;
    c->header.rtree = c->rtree.root;
}

static tumble_status write_rtree_nodes(const creation *c)
{
    tmb_rtree_node *nodes = block_section(c, TMB_SECTION_NODES);
    memcpy(nodes, c->rtree.nodes, c->rtree.node_count * sizeof *nodes);
    memcpy(nodes + c->rtree.node_count, c->rtree.surfaces, c->rtree.root.surface_count * sizeof *c->rtree.surfaces);
    tmb_rtree_fit(c->block);
    return TUMBLE_OK;
}

static int has_surfaces(const creation *c)
{
    for (size_t i = 0; c->mesh->surface_ids && i < c->facts.polygon_count; i++) {
        if (c->mesh->surface_ids[i] != 0) {
            return 1;
        }
    }
    return 0;
}

static void write_polygons(const creation *c)
{
    uint8_t *out = block_section(c, TMB_SECTION_POLYGONS);
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
static void write_points(const creation *c)
{
    uint32_t *points = block_section(c, TMB_SECTION_POINTS);
    for (size_t i = 0; i < c->clusters.count; i++) {
        const tmb_cluster_draft *draft = &c->clusters.drafts[i];
        memcpy(points, draft->points, draft->corner_count * sizeof *points);
        points += draft->corner_count;
    }
}

static tumble_status lay_out_block(creation *c)
{
    tmb_block *h = &c->header;
    memcpy(h->magic, TMB_BLOCK_MAGIC, sizeof h->magic);
    h->endian = TMB_BLOCK_ENDIAN;
    h->version = TMB_BLOCK_VERSION;
    h->hierarchy = (uint32_t)c->options.hierarchy;
    h->points_are_float = (uint32_t)c->facts.is_float;
    h->polygon_count = h->polygon_limit = c->facts.polygon_count;
    h->triangle_count = c->set.count;
    h->point_count = c->facts.used_count;
    h->point_limit = c->facts.point_limit;
    h->topology = c->facts.topology;
    h->cluster_count = c->clusters.count;
    h->cluster_units = tmb_clusters_units(&c->clusters, c->facts.is_float);
    h->node_count = c->tree.node_count;
    h->depth = c->tree.depth;
    h->boxtree = c->tree.root;
    if (c->options.hierarchy == TUMBLE_HIERARCHY_WIDE && c->clusters.count) {
        count_wide_nodes(c);
    }
    if (c->options.hierarchy == TUMBLE_HIERARCHY_KDOP) {
        count_kdop_nodes(c);
    }
    if (c->options.hierarchy == TUMBLE_HIERARCHY_RTREE) {
        count_rtree_nodes(c);
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

/* The block may be replaced by a larger one, so what follows the nodes is written later. */
static tumble_status write_nodes(creation *c)
{
    switch (c->header.hierarchy) {
    case TUMBLE_HIERARCHY_WIDE: return write_wide_nodes(c);
    case TUMBLE_HIERARCHY_KDOP: return write_kdop_nodes(c);
    case TUMBLE_HIERARCHY_RTREE: return write_rtree_nodes(c);
    default: memcpy(block_section(c, TMB_SECTION_NODES), c->tree.nodes, c->tree.node_bytes); return TUMBLE_OK;
    }
}

static tumble_status write_block(creation *c)
{
    const tmb_block *h = &c->header;
    c->block = tmb_allocate(c->context, (size_t)h->total_bytes, 1);
    if (!c->block) {
        return tmb_fail_memory(c->context, "the model's block");
    }
    *c->block = *h;
    tmb_block_clear_ends(c->block);
    if (c->clusters.count &&
        !tmb_clusters_write(c->context, c->options.thread_count, c->mesh, &c->clusters, c->facts.is_float,
                            block_section(c, TMB_SECTION_PLACES), block_section(c, TMB_SECTION_CLUSTERS))) {
        return tmb_fail_memory(c->context, "the threads that build a model");
    }
    if (h->offsets[TMB_SECTION_POLYGONS]) {
        write_polygons(c);
    }
    if (h->offsets[TMB_SECTION_SURFACES]) {
        memcpy(block_section(c, TMB_SECTION_SURFACES), c->mesh->surface_ids, c->facts.polygon_count * sizeof(uint32_t));
    }
    const tumble_status status = h->offsets[TMB_SECTION_NODES] ? write_nodes(c) : TUMBLE_OK;
    if (status == TUMBLE_OK && h->offsets[TMB_SECTION_POINTS]) {
        write_points(c);
    }
    return status;
}

/* ---- All together ---- */

/* Triangles one by one, with a block at the end. */
static tumble_status load_rtree(creation *c)
{
    const tumble_status status = tmb_edit_load(c->context, c->mesh, &c->facts, &c->block);
    return status == TUMBLE_OK ? report_end(c) : status;
}

static tumble_status build(creation *c)
{
    if (c->options.hierarchy == TUMBLE_HIERARCHY_RTREE && c->options.tuning->rtree.load == TUMBLE_RTREE_LOAD_INSERT) {
        return load_rtree(c);
    }
    tumble_status status = cut_polygons(c);
    if (status == TUMBLE_OK) {
        status = build_hierarchy(c);
    }
    if (status == TUMBLE_OK) {
        status = lay_out_block(c);
    }
    if (status == TUMBLE_OK) {
        status = write_block(c);
    }
    return status == TUMBLE_OK ? report_end(c) : status;
}

static tumble_status begin_creation(creation *c, const tumble_model_options *options)
{
    const tumble_model_options defaults = tumble_default_model_options();
    c->options = options ? *options : defaults;
    c->options.tuning = tmb_tuning_or_default(c->options.tuning);
    tumble_status status = check_options(c->context, &c->options);
    if (status != TUMBLE_OK) {
        return status;
    }
    if (c->options.hierarchy == TUMBLE_HIERARCHY_AUTO) {
        c->options.hierarchy = TUMBLE_HIERARCHY_WIDE;
    }
    if (c->options.thread_count == 0) {
        c->options.thread_count = c->context->thread_count;
    }
    status = tmb_mesh_survey(c->context, c->options.thread_count, c->mesh, &c->facts);
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
    creation c = {.context = context, .arena = {.context = context}, .mesh = mesh};
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
    (*out)->build_seconds = tmb_seconds() - start;
    return TUMBLE_OK;
}
