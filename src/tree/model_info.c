/* What a model is like: counts, closedness, memory. */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "math/predicates.h"
#include "tree/block.h"
#include "tree/rtree_edit.h"

/* ---- Open-addressed sets of keys of up to three words ---- */

typedef struct key_set {
    uint32_t *slots; /* item + 1, 0: free */
    size_t mask;
} key_set;

static int key_set_create(tmb_arena *arena, key_set *set, size_t items)
{
    size_t size = 16;
    while (size < 2 * items) {
        size *= 2;
    }
    set->slots = tmb_arena_allocate(arena, size, sizeof *set->slots);
    set->mask = size - 1;
    if (set->slots) {
        memset(set->slots, 0, size * sizeof *set->slots);
    }
    return set->slots != NULL;
}

static size_t mix(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t h = a * 0x9e3779b97f4a7c15u ^ (b + 0x632be59bd9b4e019u) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 32) * 0x94d049bb133111ebu + c;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return (size_t)(h ^ h >> 32);
}

static int is_edited(const tmb_block *block)
{
    return block->hierarchy == TUMBLE_HIERARCHY_RTREE && block->rtree.edited;
}

/* ---- Points by coordinates ---- */

static size_t first_corner(const tumble_model *model, size_t cluster)
{
    return tmb_cluster_first_corner(model->places, cluster, model->is_float);
}

static size_t corner_total(const tumble_model *model)
{
    return (size_t)tmb_block_corner_count(model->block);
}

/* A corner by its place: 16 times the cluster plus its number there. */
static void point(const tumble_model *model, uint32_t place, double out[3])
{
    const uint32_t cluster = place / TMB_CLUSTER_CORNERS;
    const uint32_t *words = model->clusters + model->places[cluster].offset;
    const uint32_t count = tmb_cluster_corner_count(model->places + cluster, model->is_float);
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t at = k * count + place % TMB_CLUSTER_CORNERS;
        const double x = model->is_float ? (double)((const float *)(words + TMB_CLUSTER_HEAD_FLOAT))[at]
                                         : ((const double *)(words + TMB_CLUSTER_HEAD_DOUBLE))[at];
        out[k] = x + 0.0; /* -0 becomes 0 */
    }
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Numbers of points: corners with the same coordinates have the same. */
typedef struct welding {
    key_set set;
    uint32_t *places; /* of a point: where its coordinates are */
    uint32_t count;
} welding;

static uint32_t weld(welding *w, const tumble_model *model, uint32_t place)
{
    double p[3], q[3];
    point(model, place, p);
    size_t at = mix(bits_of(p[0]), bits_of(p[1]), bits_of(p[2])) & w->set.mask;
    for (; w->set.slots[at]; at = (at + 1) & w->set.mask) {
        const uint32_t known = w->set.slots[at] - 1;
        point(model, w->places[known], q);
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]) {
            return known;
        }
    }
    w->places[w->count] = place;
    w->set.slots[at] = ++w->count;
    return w->count - 1;
}

/* The point of each corner. */
static int weld_corners(const tumble_model *model, tmb_arena *arena, uint32_t *points, uint64_t *distinct)
{
    const size_t total = corner_total(model);
    welding w = {.places = tmb_arena_allocate(arena, total, sizeof *w.places)};
    if (!w.places || !key_set_create(arena, &w.set, total)) {
        return 0;
    }
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        const uint32_t count = tmb_cluster_corner_count(model->places + cluster, model->is_float);
        for (uint32_t i = 0; i < count; i++) {
            *points++ = weld(&w, model, cluster * TMB_CLUSTER_CORNERS + i);
        }
    }
    *distinct = w.count;
    return 1;
}

/* ---- Edges ---- */

typedef struct edge {
    uint32_t from, to; /* from < to */
    uint32_t forward, backward;
} edge;

static void count_edge(key_set *set, edge *edges, size_t *edge_count, uint32_t a, uint32_t b)
{
    const edge wanted = {a < b ? a : b, a < b ? b : a, a<b, a> b};
    size_t at = mix(wanted.from, wanted.to, 0) & set->mask;
    for (; set->slots[at]; at = (at + 1) & set->mask) {
        edge *e = &edges[set->slots[at] - 1];
        if (e->from == wanted.from && e->to == wanted.to) {
            e->forward += wanted.forward;
            e->backward += wanted.backward;
            return;
        }
    }
    edges[*edge_count] = wanted;
    set->slots[at] = (uint32_t)++ * edge_count;
}

/* Triangles with two equal corners have no area and no edges of their own, and are passed over. */
static size_t count_edges(const tumble_model *model, const uint32_t *points, key_set *set, edge *edges)
{
    size_t edge_count = 0;
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        const tmb_cluster_place *place = model->places + cluster;
        const uint32_t *words = model->clusters + place->offset, *own = points + first_corner(model, cluster);
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(place); t++) {
            const uint32_t corners[3] = {own[(words[0] >> 4 * t) & 15], own[(words[1] >> 4 * t) & 15],
                                         own[(words[2] >> 4 * t) & 15]};
            if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                count_edge(set, edges, &edge_count, corners[k], corners[(k + 1) % 3]);
            }
        }
    }
    return edge_count;
}

static int all_edges_paired(const edge *edges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (edges[i].forward != 1 || edges[i].backward != 1) {
            return 0;
        }
    }
    return count > 0;
}

/* Where the mesh is not known any more, its points are those that are distinct. */
static tumble_status find_closed(const tumble_model *model, tumble_model_info *info)
{
    const size_t triangles = (size_t)model->block->triangle_count;
    tmb_arena arena = {.context = model->context};
    uint32_t *points = tmb_arena_allocate(&arena, corner_total(model), sizeof *points);
    edge *edges = tmb_arena_allocate(&arena, 3 * triangles, sizeof *edges);
    key_set set;
    uint64_t distinct = 0;
    const int ok = points && edges && weld_corners(model, &arena, points, &distinct) &&
                   key_set_create(&arena, &set, 3 * triangles);
    if (ok) {
        info->closed = all_edges_paired(edges, count_edges(model, points, &set, edges));
        info->point_count = is_edited(model->block) ? distinct : info->point_count;
    }
    tmb_arena_release(&arena);
    return ok ? TUMBLE_OK : tmb_fail_memory(model->context, "telling whether the model is closed");
}

/* ---- Degenerate triangles and surfaces ---- */

static int is_degenerate(double corners[3][3])
{
    for (int drop = 0; drop < 3; drop++) {
        double flat[3][2];
        for (int i = 0; i < 3; i++) {
            flat[i][0] = corners[i][(drop + 1) % 3];
            flat[i][1] = corners[i][(drop + 2) % 3];
        }
        if (tmb_orient2d(flat[0], flat[1], flat[2]) != 0) {
            return 0;
        }
    }
    return 1;
}

static uint64_t count_degenerate(const tumble_model *model)
{
    uint64_t count = 0;
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            double corners[3][3];
            tmb_model_corners(model, tmb_triangle_address(cluster, t), corners);
            count += (uint64_t)is_degenerate(corners);
        }
    }
    return count;
}

static tumble_status count_surfaces(const tumble_model *model, uint64_t *count)
{
    const size_t polygons = (size_t)model->block->polygon_count;
    *count = polygons > 0;
    key_set set;
    if (is_edited(model->block)) { /* polygons that are gone have surfaces too */
        *count = model->block->rtree.surface_count;
        return TUMBLE_OK;
    }
    if (!model->surfaces) {
        return TUMBLE_OK;
    }
    tmb_arena arena = {.context = model->context};
    if (!key_set_create(&arena, &set, polygons)) {
        return tmb_fail_memory(model->context, "counting the surfaces");
    }
    *count = 0;
    for (size_t i = 0; i < polygons; i++) {
        const uint32_t id = model->surfaces[i];
        size_t at = mix(id, 0, 0) & set.mask;
        while (set.slots[at] && model->surfaces[set.slots[at] - 1] != id) {
            at = (at + 1) & set.mask;
        }
        if (!set.slots[at]) {
            set.slots[at] = (uint32_t)i + 1;
            ++*count;
        }
    }
    tmb_arena_release(&arena);
    return TUMBLE_OK;
}

/* ---- All together ---- */

static void tell_kdop(const tmb_block *block, tumble_model_info *info)
{
    if (block->hierarchy != TUMBLE_HIERARCHY_KDOP) {
        return; /* the same place of the header holds something else */
    }
    info->kdop_k = block->kdop.k;
    info->kdop_leaf = block->kdop.leaf;
    info->kdop_tumble = (tumble_kdop_tumble)block->kdop.tumble;
    info->kdop_vertex_count = block->kdop.vertex_count;
    info->kdop_hull_count = block->kdop.hull_count;
}

static void tell_rtree(const tumble_model *model, tumble_model_info *info)
{
    tumble_model_options told = tumble_default_model_options();
    if (model->block->hierarchy == TUMBLE_HIERARCHY_RTREE && tumble_model_get_options(model, &told) == TUMBLE_OK) {
        info->rtree_load = told.rtree.load;
    }
}

tumble_status tumble_model_get_info(const tumble_model *model, tumble_model_info *info)
{
    if (!model) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!info || info->size != sizeof *info) {
        return tmb_fail(model->context, TUMBLE_ERROR_ARGUMENT, "model info: set its size field to sizeof first");
    }
    const tumble_model *flat = tmb_edit_flat(model);
    if (!flat) {
        return TUMBLE_ERROR_MEMORY;
    }
    const tmb_block *block = flat->block;
    tumble_model_info made = {.size = sizeof made,
                              .polygon_count = block->polygon_count,
                              .triangle_count = block->triangle_count,
                              .point_count = block->point_count,
                              .points_are_float = (int)block->points_are_float,
                              .hierarchy = (tumble_hierarchy)block->hierarchy,
                              .node_count = block->node_count,
                              .depth = (uint32_t)block->depth,
                              .hierarchy_bytes = tmb_block_node_bytes(block),
                              .total_bytes = tmb_model_bytes(model),
                              .build_seconds = model->build_seconds};
    memcpy(made.lower, block->lower, sizeof made.lower);
    memcpy(made.upper, block->upper, sizeof made.upper);
    tell_kdop(block, &made);
    tell_rtree(flat, &made);
    tumble_status status = count_surfaces(flat, &made.surface_count);
    if (status == TUMBLE_OK) {
        status = find_closed(flat, &made);
    }
    if (status == TUMBLE_OK) {
        made.degenerate_count = count_degenerate(flat);
        *info = made;
    }
    return status;
}
