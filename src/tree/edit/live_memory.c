/* The memory of models that are edited: arrays that grow, and the block that is made of them on demand. */
#include <string.h>

#include "tree/block.h"
#include "tree/edit/live.h"
#include "tree/edit/remake.h"
#include "tree/hierarchy.h"

/* Bytes after the last node that may be read. */
#define NODE_SLACK 128

/* Clusters that addresses of any hierarchy reach. */
#define CLUSTERS_MOST (1u << 24)
#define NODES_MOST (1u << 27)

tmb_live *tmb_live_allocate(tumble_context *context)
{
    tmb_live *live = tmb_allocate(context, 1, sizeof *live);
    if (!live) {
        return NULL;
    }
    memset(live, 0, sizeof *live);
    live->context = context;
    if (pthread_mutex_init(&live->flat_lock, NULL) != 0) {
        tmb_release(context, live);
        return NULL;
    }
    return live;
}

void tmb_live_destroy(tmb_live *live)
{
    if (!live) {
        return;
    }
    void *arrays[] = {live->places,           live->clusters,        live->polygons, live->nodes,
                      live->sections,         live->items,           live->top,      live->scratch,
                      live->polygon_sections, live->polygon_surfaces};
    tumble_context *context = live->context;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        tmb_release(context, arrays[i]);
    }
    tumble_model_destroy(live->flat);
    pthread_mutex_destroy(&live->flat_lock);
    tmb_release(context, live);
}

static uint32_t stride_of(const tmb_live *live)
{
    return tmb_cluster_units(TMB_CLUSTER_CORNERS, (int)live->header.points_are_float);
}

uint64_t tmb_live_bytes(const tmb_live *live)
{
    const uint64_t cluster =
        sizeof *live->places + sizeof(uint32_t) * stride_of(live) + TMB_CLUSTER_TRIANGLES * sizeof(uint32_t);
    const uint64_t section = sizeof *live->sections + sizeof *live->items + 2 * sizeof *live->top;
    return sizeof *live + live->cluster_room * cluster + (uint64_t)live->node_room * live->node_bytes +
           live->section_room * section + live->top_room * live->kind->scratch_bytes +
           live->polygon_room * 2 * sizeof(uint32_t) + (live->flat ? tmb_model_bytes(live->flat) : 0);
}

/* ---- Growing ---- */

/* A larger array with what was there; 0 if memory runs out, and then nothing has changed. */
static int grow(tumble_context *context, void **array, uint64_t used, uint64_t bytes)
{
    void *larger = tmb_allocate(context, (size_t)bytes, 1);
    if (!larger) {
        return 0;
    }
    memset((char *)larger + used, 0, (size_t)(bytes - used));
    if (used) {
        memcpy(larger, *array, (size_t)used);
    }
    tmb_release(context, *array);
    *array = larger;
    return 1;
}

static uint64_t grown(uint64_t room, uint64_t needed)
{
    return needed > room + room / 2 ? needed : room + room / 2;
}

static void number_places(tmb_live *live, uint32_t from, uint32_t to)
{
    const uint32_t stride = stride_of(live);
    for (uint32_t i = from; i < to; i++) {
        live->places[i] = (tmb_cluster_place){i * stride, tmb_cluster_triangles(i * TMB_CLUSTER_TRIANGLES, 0)};
    }
    live->places[to] = (tmb_cluster_place){to * stride, 0};
}

static int grow_clusters(tmb_live *live, uint64_t room)
{
    const uint64_t data = (uint64_t)stride_of(live) * sizeof(uint32_t), addresses = TMB_CLUSTER_TRIANGLES * 4;
    const uint32_t used = live->cluster_used;
    if (!grow(live->context, (void **)&live->places, used * sizeof *live->places, (room + 1) * sizeof *live->places) ||
        !grow(live->context, (void **)&live->clusters, used * data, room * data + TMB_CLUSTER_SLACK) ||
        !grow(live->context, (void **)&live->polygons, used * addresses, room * addresses + TMB_PACKED_SLACK)) {
        if (live->places) {
            number_places(live, used, live->cluster_room);
        }
        return 0;
    }
    live->cluster_room = (uint32_t)room;
    number_places(live, used, live->cluster_room);
    return 1;
}

int tmb_live_reserve(tmb_live *live, uint64_t clusters, uint64_t nodes)
{
    const uint64_t more_clusters = live->cluster_used + clusters, more_nodes = live->node_used + nodes;
    if (more_clusters > CLUSTERS_MOST || more_nodes > NODES_MOST) {
        return 0;
    }
    if (more_clusters > live->cluster_room) {
        const uint64_t room = grown(live->cluster_room, more_clusters);
        if (!grow_clusters(live, room < CLUSTERS_MOST ? room : CLUSTERS_MOST)) {
            return 0;
        }
    }
    if (more_nodes > live->node_room) {
        const uint64_t room = grown(live->node_room, more_nodes);
        if (!grow(live->context, (void **)&live->nodes, (uint64_t)live->node_used * live->node_bytes,
                  room * live->node_bytes + NODE_SLACK)) {
            return 0;
        }
        live->node_room = (uint32_t)room;
    }
    return 1;
}

int tmb_live_reserve_sections(tmb_live *live, uint32_t count)
{
    TMB_ASSERT(live->section_room == 0);
    live->top_room = (uint32_t)((live->kind->top_count(count) + 1) / 2 * 2);
    const uint64_t scratch = live->top_room * live->kind->scratch_bytes;
    if (!grow(live->context, (void **)&live->sections, 0, count * sizeof *live->sections) ||
        !grow(live->context, (void **)&live->items, 0, count * sizeof *live->items) ||
        !grow(live->context, (void **)&live->top, 0, 2 * (uint64_t)count * sizeof *live->top) ||
        !grow(live->context, &live->scratch, 0, scratch)) {
        return 0;
    }
    live->section_room = count;
    return 1;
}

int tmb_live_reserve_polygons(tmb_live *live, uint32_t more)
{
    const uint64_t needed = (uint64_t)live->polygon_limit + more, used = live->polygon_limit * sizeof(uint32_t);
    if (needed <= live->polygon_room) {
        return 1;
    }
    const uint64_t room = grown(live->polygon_room, needed);
    if (!grow(live->context, (void **)&live->polygon_sections, used, room * sizeof(uint32_t)) ||
        !grow(live->context, (void **)&live->polygon_surfaces, used, room * sizeof(uint32_t))) {
        return 0;
    }
    live->polygon_room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    return 1;
}

/* ---- As a model ---- */

void tmb_live_view(tumble_model *model)
{
    const tmb_live *live = model->live;
    model->block = &live->header;
    model->is_float = (int)live->header.points_are_float;
    model->clusters = live->clusters;
    model->places = live->places;
    model->polygons = live->polygons;
    model->polygon_bytes = sizeof(uint32_t);
    model->surfaces = live->polygon_surfaces;
    model->nodes = live->nodes;
    model->points = NULL;
    model->frame = live->local;
    memcpy(model->corner, live->frame[0], sizeof model->corner);
}

static tmb_block *make_block(const tumble_model *model)
{
    const tmb_live *live = model->live;
    tmb_arena arena = {.context = live->context};
    tmb_block *block = NULL;
    tmb_remake r = {.context = live->context,
                    .thread_count = live->context->thread_count,
                    .hierarchy = (tumble_hierarchy)live->header.hierarchy,
                    .tuning = &live->tuning,
                    .surfaces = live->polygon_surfaces,
                    .polygon_count = live->polygon_count,
                    .polygon_limit = live->polygon_limit};
    r.soup.triangles = tmb_arena_allocate(&arena, live->triangle_count, sizeof *r.soup.triangles);
    if (r.soup.triangles) {
        tmb_soup_add_clusters(&r.soup, model, 0, live->cluster_used);
        (void)tmb_remake_block(&r, &block);
    } else {
        (void)tmb_fail_memory(live->context, "the block of an edited model");
    }
    tmb_arena_release(&arena);
    return block;
}

const tumble_model *tmb_live_flat(const tumble_model *model)
{
    tmb_live *live = model->live;
    pthread_mutex_lock(&live->flat_lock);
    if (!live->flat) {
        tmb_block *block = make_block(model);
        if (block && tmb_model_adopt(live->context, block, &live->flat) != TUMBLE_OK) {
            tmb_release(live->context, block);
        }
    }
    const tumble_model *flat = live->flat;
    pthread_mutex_unlock(&live->flat_lock);
    return flat;
}
