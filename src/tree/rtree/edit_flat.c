/* Edited R-trees as a block like any other: packed tightly, in the order of the trees. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "tree/block.h"
#include "tree/clusters.h"
#include "tree/rtree/edit.h"

typedef struct flattening {
    tmb_edit *edit;
    tmb_arena arena;
    uint32_t *surfaces;        /* in the order of their ids */
    uint32_t *surface_numbers; /* and the new number of each */
    uint32_t *clusters;        /* in the order in which the trees have them */
    uint32_t cluster_count, node_count, height;
    uint32_t corner_count;
    tmb_block header, *block;
} flattening;

/* ---- What there is ---- */

static void list_tree(flattening *f, uint32_t root, uint32_t height)
{
    if (height == 0) {
        f->clusters[f->cluster_count++] = root;
        return;
    }
    const tmb_rtree_node *node = &f->edit->nodes[root];
    f->node_count++;
    for (uint32_t i = 0; i < node->count; i++) {
        list_tree(f, node->child[i], height - 1);
    }
}

static void count_top(flattening *f, uint32_t root, uint32_t height)
{
    if (height == 0) {
        return;
    }
    const tmb_rtree_node *node = &f->edit->nodes[root];
    f->node_count++;
    for (uint32_t i = 0; i < node->count; i++) {
        count_top(f, node->child[i], height - 1);
    }
}

static int list_all(flattening *f)
{
    tmb_edit *e = f->edit;
    const uint32_t count = e->surface_count;
    tmb_sort_item *keys = tmb_arena_allocate(&f->arena, 2 * (size_t)count, sizeof *keys);
    f->surfaces = tmb_arena_allocate(&f->arena, count, sizeof *f->surfaces);
    f->surface_numbers = tmb_arena_allocate(&f->arena, count, sizeof *f->surface_numbers);
    f->clusters = tmb_arena_allocate(&f->arena, e->cluster_used, sizeof *f->clusters);
    if (!keys || !f->surfaces || !f->surface_numbers || !f->clusters) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (tmb_sort_item){e->surfaces[i].id, i};
    }
    const tmb_sort_item *sorted = tmb_sort(keys, keys + count, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = f->surfaces[i] = (uint32_t)sorted[i].value;
        f->surface_numbers[from] = i;
        f->height = e->surfaces[from].height > f->height ? e->surfaces[from].height : f->height;
        list_tree(f, e->surfaces[from].root, e->surfaces[from].height);
    }
    if (count) {
        count_top(f, e->header.rtree.root, e->header.rtree.height);
    }
    return 1;
}

/* ---- Clusters ---- */

/* A cluster with its corners alone, those that it repeats left out; they are the first ones. */
static uint32_t own_corners(const tmb_edit *e, uint32_t cluster)
{
    const uint32_t *words = e->clusters + e->places[cluster].offset;
    uint32_t most = 0;
    for (uint32_t i = 0; i < 3 * tmb_cluster_triangle_count(e->places + cluster); i++) {
        const uint32_t number = (words[i % 3] >> 4 * (i / 3)) & (TMB_CLUSTER_CORNERS - 1);
        most = number > most ? number : most;
    }
    return most + 1;
}

static double coordinate(const tmb_edit *e, uint32_t cluster, uint32_t axis, uint32_t corner)
{
    const uint32_t *words = e->clusters + e->places[cluster].offset;
    const uint32_t at = axis * TMB_CLUSTER_CORNERS + corner;
    return e->is_float ? (double)((const float *)(words + TMB_CLUSTER_HEAD_FLOAT))[at]
                       : ((const double *)(const void *)(words + TMB_CLUSTER_HEAD_DOUBLE))[at];
}

/* Bounds, how many corners there are, and whether float holds all of them. */
static void survey_corners(flattening *f)
{
    tmb_block *h = &f->header;
    h->points_are_float = 1;
    for (uint32_t i = 0; i < f->cluster_count; i++) {
        const uint32_t cluster = f->clusters[i], count = own_corners(f->edit, cluster);
        for (uint32_t at = 0; at < 3 * count; at++) {
            const uint32_t k = at / count;
            const double x = coordinate(f->edit, cluster, k, at % count) + 0.0;
            h->points_are_float &= (double)(float)x == x;
            h->lower[k] = (i == 0 && at % count == 0) || x < h->lower[k] ? x : h->lower[k];
            h->upper[k] = (i == 0 && at % count == 0) || x > h->upper[k] ? x : h->upper[k];
        }
        f->corner_count += count;
    }
}

static void write_cluster(const flattening *f, uint32_t cluster, uint32_t count, uint32_t *out)
{
    const tmb_edit *e = f->edit;
    memcpy(out, e->clusters + e->places[cluster].offset, 3 * sizeof *out);
    float *floats = (float *)(out + TMB_CLUSTER_HEAD_FLOAT);
    double *doubles = (double *)(void *)(out + TMB_CLUSTER_HEAD_DOUBLE);
    if (!f->header.points_are_float) {
        out[TMB_CLUSTER_HEAD_DOUBLE - 1] = 0;
    }
    for (uint32_t at = 0; at < 3 * count; at++) {
        const double x = coordinate(e, cluster, at / count, at % count);
        if (f->header.points_are_float) {
            floats[at] = (float)x;
        } else {
            doubles[at] = x;
        }
    }
}

static void write_clusters(flattening *f)
{
    const tmb_edit *e = f->edit;
    char *bytes = (char *)f->block;
    tmb_cluster_place *places = (tmb_cluster_place *)(void *)(bytes + f->header.offsets[TMB_SECTION_PLACES]);
    uint32_t *data = (uint32_t *)(void *)(bytes + f->header.offsets[TMB_SECTION_CLUSTERS]);
    uint8_t *polygons = (uint8_t *)bytes + f->header.offsets[TMB_SECTION_POLYGONS];
    const uint32_t size = tmb_packed_bytes(f->header.polygon_limit);
    uint32_t offset = 0, first = 0;
    for (uint32_t i = 0; i < f->cluster_count; i++) {
        const uint32_t from = f->clusters[i], corners = own_corners(e, from);
        const uint32_t count = tmb_cluster_triangle_count(e->places + from);
        places[i] = (tmb_cluster_place){offset, tmb_cluster_triangles(first, count)};
        write_cluster(f, from, corners, data + offset);
        for (uint32_t t = 0; t < count; t++) { /* the lowest bytes come first */
            memcpy(polygons + size * (size_t)(first + t), e->polygons + 4 * (size_t)tmb_triangle_address(from, t),
                   size);
        }
        offset += tmb_cluster_units(corners, (int)f->header.points_are_float);
        first += count;
    }
    places[f->cluster_count] = (tmb_cluster_place){offset, 0};
}

/* ---- Nodes ---- */

typedef struct writing {
    flattening *f;
    tmb_rtree_node *nodes;
    uint32_t next_node, next_cluster;
    int of_surfaces;
} writing;

/* In the same order as the clusters were listed; returns the new number of the root. */
static uint32_t write_tree(writing *w, uint32_t root, uint32_t height)
{
    if (height == 0) {
        return w->of_surfaces ? w->f->surface_numbers[root] : w->next_cluster++;
    }
    const tmb_rtree_node *from = &w->f->edit->nodes[root];
    const uint32_t number = w->next_node++;
    tmb_rtree_node *to = &w->nodes[number];
    memset(to, 0, sizeof *to);
    to->count = from->count;
    to->level = from->level;
    for (uint32_t i = 0; i < from->count; i++) {
        to->child[i] = write_tree(w, from->child[i], height - 1);
    }
    return number;
}

static void write_nodes(flattening *f)
{
    const tmb_edit *e = f->edit;
    writing w = {.f = f, .nodes = (tmb_rtree_node *)(void *)((char *)f->block + f->header.offsets[TMB_SECTION_NODES])};
    tmb_rtree_surface *surfaces = (tmb_rtree_surface *)(void *)(w.nodes + f->node_count);
    for (uint32_t i = 0; i < e->surface_count; i++) {
        surfaces[i] = e->surfaces[f->surfaces[i]];
        surfaces[i].root = write_tree(&w, surfaces[i].root, surfaces[i].height);
    }
    w.of_surfaces = 1;
    f->block->rtree.root = write_tree(&w, e->header.rtree.root, e->header.rtree.height);
    tmb_rtree_fit(f->block);
}

/* ---- The block ---- */

static int has_surfaces(const tmb_edit *e)
{
    for (uint32_t i = 0; i < e->surface_count; i++) {
        if (e->surfaces[i].id != 0) {
            return 1;
        }
    }
    return 0;
}

/* Distinct corners are not known, but no more than all of them. */
static int lay_out(flattening *f)
{
    const tmb_edit *e = f->edit;
    tmb_block *h = &f->header;
    memcpy(h->magic, TMB_BLOCK_MAGIC, sizeof h->magic);
    h->endian = TMB_BLOCK_ENDIAN;
    h->version = TMB_BLOCK_VERSION;
    h->hierarchy = TUMBLE_HIERARCHY_RTREE;
    survey_corners(f);
    h->polygon_count = e->polygon_count;
    h->polygon_limit = e->polygon_limit;
    h->triangle_count = e->triangle_count;
    h->point_count = h->point_limit = f->corner_count;
    h->cluster_count = f->cluster_count;
    h->cluster_units = tmb_cluster_offset(f->cluster_count, f->corner_count, (int)h->points_are_float);
    h->node_count = f->node_count;
    h->rtree = (tmb_rtree_root){.surface_count = e->surface_count, .load = (uint32_t)e->load};
    h->edited = 1;
    if (e->surface_count) {
        h->depth = e->header.rtree.height + f->height + 1;
        h->rtree.height = e->header.rtree.height;
    }
    return h->cluster_units <= UINT32_MAX && tmb_block_layout(h, e->triangle_count > 0, has_surfaces(e), 0);
}

static void write_block(flattening *f)
{
    const tmb_edit *e = f->edit;
    const uint64_t surfaces = f->header.offsets[TMB_SECTION_SURFACES];
    *f->block = f->header;
    tmb_block_clear_ends(f->block);
    if (f->cluster_count) {
        write_clusters(f);
        write_nodes(f);
    }
    if (surfaces) {
        memcpy((char *)f->block + surfaces, e->polygon_surfaces, e->polygon_limit * sizeof *e->polygon_surfaces);
    }
}

tmb_block *tmb_edit_write_block(tmb_edit *e)
{
    flattening f = {.edit = e, .arena = {.context = e->context}};
    if (list_all(&f) && lay_out(&f)) {
        f.block = tmb_allocate(e->context, (size_t)f.header.total_bytes, 1);
    }
    if (f.block) {
        write_block(&f);
    }
    tmb_arena_release(&f.arena);
    return f.block;
}

const tumble_model *tmb_edit_flat(const tumble_model *model)
{
    tmb_edit *e = model->edit;
    if (!e) {
        return model;
    }
    pthread_mutex_lock(&e->flat_lock);
    if (!e->flat) {
        tmb_block *block = tmb_edit_write_block(e);
        if (!block) {
            (void)tmb_fail_memory(e->context, "the block of an edited model");
        } else if (tmb_model_adopt(e->context, block, &e->flat) != TUMBLE_OK) {
            tmb_release(e->context, block);
        }
    }
    const tumble_model *flat = e->flat;
    pthread_mutex_unlock(&e->flat_lock);
    return flat;
}
