/* From a caller's mesh to a model: check, triangulate, build the hierarchy, write the block. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "prim/triangulate.h"
#include "tree/block.h"
#include "tree/boxtree.h"
#include "tree/mesh_check.h"

typedef struct creation {
    tumble_context *context;
    tmb_arena arena; /* what is needed until the block is written */
    const tumble_mesh *mesh;
    tumble_model_options options;
    size_t polygon_count;
    tmb_triangle_set set;
    uint32_t *own_corners;       /* when polygons had to be cut */
    uint32_t *triangle_polygons; /* then the polygon of each triangle */
    tmb_boxtree tree;
    uint32_t *point_numbers; /* new number of each of the mesh's points; UINT32_MAX: not used */
    tmb_block header;
    tmb_block *block;
} creation;

static tumble_status check_options(tumble_context *context, const tumble_model_options *options)
{
    if (options->size != sizeof *options) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                        "model options: start from tumble_default_model_options (the size field is %zu, not %zu)",
                        options->size, sizeof *options);
    }
    const tumble_boxtree_options *tree = &options->boxtree;
    if ((unsigned)options->hierarchy > TUMBLE_HIERARCHY_BOXTREE || (unsigned)tree->layout > TUMBLE_BOXTREE_TWO_PLANES ||
        (unsigned)tree->axes > TUMBLE_BOXTREE_LONGEST_AXIS || (unsigned)tree->criterion > TUMBLE_BOXTREE_VOLUME_COUNT ||
        (unsigned)tree->growth > TUMBLE_BOXTREE_GROW_RUNNING || !(tree->trim >= 0 && tree->trim <= 1)) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "model options: an option has no such value");
    }
    return TUMBLE_OK;
}

/* ---- Polygons into triangles ---- */

static int all_triangles(const tumble_mesh *mesh)
{
    return !mesh->polygon_sizes || mesh->index_count == 3 * mesh->polygon_count;
}

/* One polygon with `size` corners; `out` receives the points of its triangles, `room` holds its corners meanwhile. */
static int cut_polygon(creation *c, tmb_buffer *scratch, tmb_buffer *room, const uint32_t *indices, uint32_t size,
                       uint32_t *out)
{
    if (!tmb_buffer_reserve(c->context, room, size, sizeof(double[3]), 0)) {
        return 0;
    }
    double(*corners)[3] = room->data;
    for (uint32_t i = 0; i < size; i++) {
        tmb_mesh_point(c->mesh, indices[i], corners[i]);
    }
    if (!tmb_triangulate(c->context, scratch, (const double(*)[3])corners, size, out)) {
        return 0;
    }
    for (size_t i = 0; i < 3 * ((size_t)size - 2); i++) {
        out[i] = indices[out[i]];
    }
    return 1;
}

static tumble_status cut_polygons(creation *c)
{
    const tumble_mesh *mesh = c->mesh;
    tmb_buffer scratch = {0}, room = {0};
    c->own_corners = tmb_arena_allocate(&c->arena, 3 * c->set.count, sizeof(uint32_t));
    c->triangle_polygons = tmb_arena_allocate(&c->arena, c->set.count, sizeof(uint32_t));
    int ok = c->own_corners && c->triangle_polygons;
    size_t index = 0, triangle = 0;
    for (size_t polygon = 0; ok && polygon < c->polygon_count; polygon++) {
        const uint32_t size = mesh->polygon_sizes[polygon];
        uint32_t *out = c->own_corners + 3 * triangle;
        if (size == 3) {
            memcpy(out, mesh->indices + index, 3 * sizeof *out);
        } else {
            ok = cut_polygon(c, &scratch, &room, mesh->indices + index, size, out);
        }
        for (uint32_t i = 0; i + 2 < size; i++) {
            c->triangle_polygons[triangle++] = (uint32_t)polygon;
        }
        index += size;
    }
    tmb_buffer_release(c->context, &scratch);
    tmb_buffer_release(c->context, &room);
    c->set.corners = c->own_corners;
    return ok ? TUMBLE_OK : tmb_fail_memory(c->context, "the triangles of the polygons");
}

/* ---- The points that are used: bounds, new numbers, and whether float holds them ---- */

/* Numbers the points as the triangles first use them in the hierarchy's order, so that neighbours lie together. */
static tumble_status number_points(creation *c)
{
    const size_t count = c->set.count;
    c->point_numbers = tmb_arena_allocate(&c->arena, c->mesh->point_count, sizeof(uint32_t));
    if (!c->point_numbers) {
        return tmb_fail_memory(c->context, "the numbers of the points");
    }
    memset(c->point_numbers, 0xff, c->mesh->point_count * sizeof(uint32_t));
    uint32_t next = 0;
    int exact = 1;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *corners = c->set.corners + 3 * (size_t)(c->tree.order ? c->tree.order[i] : i);
        for (int k = 0; k < 3; k++) {
            uint32_t *number = &c->point_numbers[corners[k]];
            if (*number == UINT32_MAX) {
                double p[3];
                *number = next++;
                tmb_mesh_point(c->mesh, corners[k], p);
                exact &= (double)(float)p[0] == p[0] && (double)(float)p[1] == p[1] && (double)(float)p[2] == p[2];
            }
        }
    }
    c->header.point_count = next;
    c->header.points_are_float = (uint32_t)exact;
    return TUMBLE_OK;
}

static void find_bounds(creation *c)
{
    for (int k = 0; k < 3; k++) {
        c->set.lower[k] = c->set.count ? INFINITY : 0;
        c->set.upper[k] = c->set.count ? -INFINITY : 0;
    }
    for (size_t i = 0; i < 3 * c->set.count; i++) {
        double p[3];
        tmb_mesh_point(c->mesh, c->set.corners[i], p);
        for (int k = 0; k < 3; k++) {
            c->set.lower[k] = p[k] < c->set.lower[k] ? p[k] : c->set.lower[k];
            c->set.upper[k] = p[k] > c->set.upper[k] ? p[k] : c->set.upper[k];
        }
    }
}

/* ---- The block ---- */

static int has_surfaces(const creation *c)
{
    for (size_t i = 0; c->mesh->surface_ids && i < c->polygon_count; i++) {
        if (c->mesh->surface_ids[i] != 0) {
            return 1;
        }
    }
    return 0;
}

static void *block_section(const creation *c, tmb_section which)
{
    return (char *)c->block + c->header.offsets[which];
}

static void write_points(const creation *c)
{
    float *floats = block_section(c, TMB_SECTION_POINTS);
    double *doubles = block_section(c, TMB_SECTION_POINTS);
    for (size_t i = 0; i < c->mesh->point_count; i++) {
        if (c->point_numbers[i] == UINT32_MAX) {
            continue;
        }
        double p[3];
        tmb_mesh_point(c->mesh, i, p);
        const size_t at = 3 * (size_t)c->point_numbers[i];
        for (size_t k = 0; k < 3; k++) {
            if (c->header.points_are_float) {
                floats[at + k] = (float)p[k];
            } else {
                doubles[at + k] = p[k];
            }
        }
    }
}

static void write_triangles(const creation *c)
{
    uint32_t *triangles = block_section(c, TMB_SECTION_TRIANGLES);
    uint32_t *polygons = c->header.offsets[TMB_SECTION_POLYGONS] ? block_section(c, TMB_SECTION_POLYGONS) : NULL;
    for (size_t i = 0; i < c->set.count; i++) {
        const size_t from = c->tree.order ? c->tree.order[i] : i;
        for (size_t k = 0; k < 3; k++) {
            triangles[3 * i + k] = c->point_numbers[c->set.corners[3 * from + k]];
        }
        if (polygons) {
            polygons[i] = c->triangle_polygons ? c->triangle_polygons[from] : (uint32_t)from;
        }
    }
}

static tumble_status write_block(creation *c)
{
    tmb_block *h = &c->header;
    memcpy(h->magic, TMB_BLOCK_MAGIC, sizeof h->magic);
    h->endian = TMB_BLOCK_ENDIAN;
    h->version = TMB_BLOCK_VERSION;
    h->hierarchy = (uint32_t)c->options.hierarchy;
    h->polygon_count = c->polygon_count;
    h->triangle_count = c->set.count;
    h->node_count = c->tree.node_count;
    h->depth = c->tree.depth;
    h->boxtree = c->tree.root;
    memcpy(h->lower, c->set.lower, sizeof h->lower);
    memcpy(h->upper, c->set.upper, sizeof h->upper);
    const int polygons = c->triangle_polygons || c->tree.order;
    if (!tmb_block_layout(h, polygons, has_surfaces(c))) {
        return tmb_fail(c->context, TUMBLE_ERROR_TOO_LARGE, "the model does not fit into memory");
    }
    c->block = tmb_allocate(c->context, (size_t)h->total_bytes, 1);
    if (!c->block) {
        return tmb_fail_memory(c->context, "the model's block");
    }
    memset(c->block, 0, (size_t)h->total_bytes); /* gaps between sections have defined bytes */
    *c->block = *h;
    write_points(c);
    write_triangles(c);
    if (h->offsets[TMB_SECTION_SURFACES]) {
        memcpy(block_section(c, TMB_SECTION_SURFACES), c->mesh->surface_ids, c->polygon_count * sizeof(uint32_t));
    }
    if (h->offsets[TMB_SECTION_NODES]) {
        memcpy(block_section(c, TMB_SECTION_NODES), c->tree.nodes, c->tree.node_bytes);
    }
    return TUMBLE_OK;
}

/* ---- All together ---- */

static tumble_status build(creation *c)
{
    c->set.mesh = c->mesh;
    c->set.corners = c->mesh->indices;
    tumble_status status = all_triangles(c->mesh) ? TUMBLE_OK : cut_polygons(c);
    if (status != TUMBLE_OK) {
        return status;
    }
    find_bounds(c);
    if (c->options.hierarchy == TUMBLE_HIERARCHY_BOXTREE && c->set.count) {
        status = tmb_boxtree_build(&c->arena, &c->set, &c->options, &c->tree);
    }
    if (status == TUMBLE_OK) {
        status = number_points(c);
    }
    return status == TUMBLE_OK ? write_block(c) : status;
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
    const tumble_model_options defaults = tumble_default_model_options();
    options = options ? options : &defaults;
    tumble_status status = check_options(context, options);
    if (status == TUMBLE_OK) {
        c.options = *options;
        status = tmb_mesh_check(context, mesh, &c.polygon_count, &c.set.count);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    if (c.options.hierarchy == TUMBLE_HIERARCHY_AUTO) {
        c.options.hierarchy = TUMBLE_HIERARCHY_BOXTREE;
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
