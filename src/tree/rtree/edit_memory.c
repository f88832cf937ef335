/* The memory of models that are edited: arrays that grow, and what is free in them. */
#include <string.h>

#include "base/assert.h"
#include "tree/rtree/edit.h"

/* Addresses of triangles and offsets of data have 32 bits. */
#define CLUSTERS_MOST ((1u << 25) - 1)
#define LEAST_CAPACITY 16

/* ---- Growing several arrays, all or none ---- */

typedef struct growth {
    void *array;        /* where the pointer to it is */
    size_t used, bytes; /* what is kept, and the new size */
    void *made;
} growth;

static int grow_all(tumble_context *context, growth *all, size_t count)
{
    size_t made = 0;
    while (made < count && (all[made].made = tmb_allocate(context, all[made].bytes, 1)) != NULL) {
        made++;
    }
    if (made < count) {
        while (made > 0) {
            tmb_release(context, all[--made].made);
        }
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        void *old;
        memcpy(&old, all[i].array, sizeof old);
        if (all[i].used) {
            memcpy(all[i].made, old, all[i].used);
        }
        tmb_release(context, old);
        memcpy(all[i].array, &all[i].made, sizeof old);
    }
    return 1;
}

static size_t grown(size_t needed, size_t capacity)
{
    const size_t twice = 2 * capacity > LEAST_CAPACITY ? 2 * capacity : LEAST_CAPACITY;
    return needed > twice ? needed : twice;
}

/* ---- Clusters ---- */

static size_t data_bytes(size_t clusters, int is_float)
{
    return clusters * tmb_cluster_units(TMB_CLUSTER_CORNERS, is_float) * sizeof(uint32_t) + TMB_CLUSTER_SLACK;
}

static void place_clusters(tmb_edit *e)
{
    const uint32_t units = tmb_cluster_units(TMB_CLUSTER_CORNERS, e->is_float);
    for (uint32_t i = 0; i <= e->cluster_capacity; i++) {
        const uint32_t triangles =
            i < e->cluster_used ? e->places[i].triangles : tmb_cluster_triangles(TMB_CLUSTER_TRIANGLES * i, 0);
        e->places[i] = (tmb_cluster_place){i * units, triangles};
    }
}

static int reserve_clusters(tmb_edit *e, size_t more)
{
    const size_t room = e->free_clusters + (size_t)(e->cluster_capacity - e->cluster_used);
    if (more <= room && e->places) {
        return 1;
    }
    const size_t needed = e->cluster_capacity + (more > room ? more - room : 0), old = e->cluster_used;
    if (needed > CLUSTERS_MOST) {
        return 0;
    }
    const size_t wanted = grown(needed, e->cluster_capacity), size = wanted < CLUSTERS_MOST ? wanted : CLUSTERS_MOST;
    const size_t slots = size * TMB_CLUSTER_TRIANGLES, old_slots = old * TMB_CLUSTER_TRIANGLES;
    growth all[] = {{.array = &e->places, .used = old * sizeof *e->places, .bytes = (size + 1) * sizeof *e->places},
                    {.array = &e->clusters,
                     .used = old ? data_bytes(old, e->is_float) - TMB_CLUSTER_SLACK : 0,
                     .bytes = data_bytes(size, e->is_float)},
                    {.array = &e->polygons, .used = 4 * old_slots, .bytes = 4 * slots},
                    {.array = &e->rings, .used = old_slots * sizeof *e->rings, .bytes = slots * sizeof *e->rings},
                    {.array = &e->cluster_parents,
                     .used = old * sizeof *e->cluster_parents,
                     .bytes = size * sizeof *e->cluster_parents},
                    {.array = &e->cluster_bounds,
                     .used = old * sizeof *e->cluster_bounds,
                     .bytes = size * sizeof *e->cluster_bounds}};
    if (!grow_all(e->context, all, sizeof all / sizeof *all)) {
        return 0;
    }
    const size_t used_bytes = all[1].used; /* what is loaded after a cluster must be numbers */
    memset((char *)e->clusters + used_bytes, 0, all[1].bytes - used_bytes);
    e->cluster_capacity = (uint32_t)size;
    place_clusters(e);
    return 1;
}

int tmb_edit_become_double(tmb_edit *e)
{
    if (!e->is_float) {
        return 1;
    }
    const size_t bytes = data_bytes(e->cluster_capacity, 0);
    uint32_t *data = tmb_allocate(e->context, bytes, 1);
    if (!data) {
        return 0;
    }
    memset(data, 0, bytes);
    const uint32_t from_units = tmb_cluster_units(TMB_CLUSTER_CORNERS, 1),
                   to_units = tmb_cluster_units(TMB_CLUSTER_CORNERS, 0);
    for (size_t i = 0; i < e->cluster_used; i++) {
        const uint32_t *from = e->clusters + i * from_units;
        uint32_t *to = data + i * to_units;
        memcpy(to, from, 3 * sizeof *to);
        const float *x = (const float *)(from + TMB_CLUSTER_HEAD_FLOAT);
        double *y = (double *)(void *)(to + TMB_CLUSTER_HEAD_DOUBLE);
        for (int k = 0; k < 3 * TMB_CLUSTER_CORNERS; k++) {
            y[k] = x[k];
        }
    }
    tmb_release(e->context, e->clusters);
    e->clusters = data;
    e->is_float = 0;
    place_clusters(e);
    return 1;
}

uint32_t tmb_edit_take_cluster(tmb_edit *e)
{
    TMB_ASSERT(e->free_clusters > 0 || e->cluster_used < e->cluster_capacity);
    if (e->free_clusters == 0) {
        return e->cluster_used++;
    }
    const uint32_t cluster = e->cluster_free;
    e->cluster_free = e->cluster_parents[cluster];
    e->free_clusters--;
    return cluster;
}

void tmb_edit_give_cluster(tmb_edit *e, uint32_t cluster)
{
    TMB_ASSERT(cluster < e->cluster_used);
    e->places[cluster].triangles = tmb_cluster_triangles(TMB_CLUSTER_TRIANGLES * cluster, 0);
    e->cluster_parents[cluster] = e->cluster_free;
    e->cluster_free = cluster;
    e->free_clusters++;
}

/* ---- Nodes and surfaces ---- */

static size_t node_bytes(size_t nodes, size_t surfaces)
{
    return nodes * sizeof(tmb_rtree_node) + surfaces * sizeof(tmb_rtree_surface);
}

static size_t slot_of(const tmb_edit *e, uint32_t id)
{
    TMB_ASSERT((e->surface_mask & (e->surface_mask + 1)) == 0);
    const uint64_t mixed = (id + 1ull) * 0x9e3779b97f4a7c15u;
    return (size_t)(mixed >> 32) & e->surface_mask;
}

static void put_slot(tmb_edit *e, uint32_t surface)
{
    size_t at = slot_of(e, e->surfaces[surface].id);
    while (e->surface_slots[at]) {
        at = (at + 1) & e->surface_mask;
    }
    e->surface_slots[at] = surface + 1;
}

static void fill_slots(tmb_edit *e, size_t size)
{
    memset(e->surface_slots, 0, size * sizeof *e->surface_slots);
    e->surface_mask = (uint32_t)size - 1;
    for (uint32_t i = 0; i < e->surface_count; i++) {
        put_slot(e, i);
    }
}

/* Nodes and surfaces lie after each other, as they do in a block. */
static int reserve_nodes(tmb_edit *e, size_t more_nodes, size_t more_surfaces)
{
    const size_t room = e->free_nodes + (size_t)(e->node_capacity - e->node_used);
    const int nodes_fit = more_nodes <= room, surfaces_fit = more_surfaces <= e->surface_capacity - e->surface_count;
    if (nodes_fit && surfaces_fit && e->nodes) {
        return 1;
    }
    const size_t nodes = nodes_fit ? e->node_capacity : grown(e->node_capacity + more_nodes - room, e->node_capacity);
    const size_t surfaces =
        surfaces_fit ? e->surface_capacity : grown(e->surface_count + more_surfaces, e->surface_capacity);
    size_t slots = LEAST_CAPACITY;
    while (slots < 2 * surfaces) {
        slots *= 2;
    }
    if (nodes >= TMB_EDIT_ROOT || surfaces >= TMB_EDIT_ROOT) {
        return 0;
    }
    growth all[] = {
        {.array = &e->nodes, .used = e->node_used * sizeof *e->nodes, .bytes = node_bytes(nodes, surfaces)},
        {.array = &e->node_facts, .used = e->node_used * sizeof *e->node_facts, .bytes = nodes * sizeof *e->node_facts},
        {.array = &e->surface_parents,
         .used = e->surface_count * sizeof *e->surface_parents,
         .bytes = surfaces * sizeof *e->surface_parents},
        {.array = &e->surface_slots, .bytes = slots * sizeof *e->surface_slots}};
    /* the old surfaces go away with the old nodes */
    tmb_rtree_surface *old = tmb_allocate(e->context, e->surface_count, sizeof *old);
    if (!old) {
        return 0;
    }
    if (e->surface_count) {
        memcpy(old, e->surfaces, e->surface_count * sizeof *old);
    }
    const int ok = grow_all(e->context, all, sizeof all / sizeof *all);
    if (ok) {
        e->surfaces = (tmb_rtree_surface *)(void *)(e->nodes + nodes);
        memcpy(e->surfaces, old, e->surface_count * sizeof *old);
        e->node_capacity = (uint32_t)nodes;
        e->surface_capacity = (uint32_t)surfaces;
        e->header.node_count = nodes;
        fill_slots(e, slots);
    }
    tmb_release(e->context, old);
    return ok;
}

int tmb_edit_reserve(tmb_edit *e, size_t clusters, size_t nodes, size_t surfaces)
{
    return reserve_clusters(e, clusters) && reserve_nodes(e, nodes, surfaces);
}

uint32_t tmb_edit_take_node(tmb_edit *e, uint32_t level)
{
    TMB_ASSERT(e->free_nodes > 0 || e->node_used < e->node_capacity);
    TMB_ASSERT(level < TMB_RTREE_HEIGHT);
    uint32_t node = e->node_free;
    if (e->free_nodes == 0) {
        node = e->node_used++;
    } else {
        e->node_free = e->node_facts[node].next_free;
        e->free_nodes--;
    }
    memset(&e->nodes[node], 0, sizeof e->nodes[node]);
    e->nodes[node].level = level;
    e->node_facts[node] = (tmb_edit_node){.parent = TMB_EDIT_NONE};
    return node;
}

void tmb_edit_give_node(tmb_edit *e, uint32_t node)
{
    TMB_ASSERT(node < e->node_used);
    e->nodes[node].count = 0;
    e->node_facts[node].next_free = e->node_free;
    e->node_free = node;
    e->free_nodes++;
}

uint32_t tmb_edit_find_surface(const tmb_edit *e, uint32_t id)
{
    for (size_t at = slot_of(e, id); e->surface_slots && e->surface_slots[at]; at = (at + 1) & e->surface_mask) {
        const uint32_t surface = e->surface_slots[at] - 1;
        if (e->surfaces[surface].id == id) {
            return surface;
        }
    }
    return TMB_EDIT_NONE;
}

uint32_t tmb_edit_add_surface(tmb_edit *e, uint32_t id)
{
    TMB_ASSERT(e->surface_count < e->surface_capacity);
    TMB_ASSERT(tmb_edit_find_surface(e, id) == TMB_EDIT_NONE);
    const uint32_t surface = e->surface_count++;
    e->surfaces[surface] = (tmb_rtree_surface){.root = TMB_EDIT_NONE, .id = id};
    e->surface_parents[surface] = TMB_EDIT_NONE;
    put_slot(e, surface);
    return surface;
}

static size_t find_slot(const tmb_edit *e, uint32_t surface)
{
    size_t at = slot_of(e, e->surfaces[surface].id);
    while (e->surface_slots[at] != surface + 1) {
        at = (at + 1) & e->surface_mask;
    }
    return at;
}

/* Those after it that could stand nearer to their first choice move up, so that no search ends too early. */
static void clear_slot(tmb_edit *e, size_t hole)
{
    e->surface_slots[hole] = 0;
    for (size_t at = (hole + 1) & e->surface_mask; e->surface_slots[at]; at = (at + 1) & e->surface_mask) {
        const size_t wanted = slot_of(e, e->surfaces[e->surface_slots[at] - 1].id);
        if (((at - wanted) & e->surface_mask) >= ((at - hole) & e->surface_mask)) {
            e->surface_slots[hole] = e->surface_slots[at];
            e->surface_slots[at] = 0;
            hole = at;
        }
    }
}

void tmb_edit_drop_surface(tmb_edit *e, uint32_t surface)
{
    TMB_ASSERT(surface < e->surface_count);
    const uint32_t last = e->surface_count - 1;
    clear_slot(e, find_slot(e, surface));
    if (surface != last) {
        e->surface_slots[find_slot(e, last)] = surface + 1;
        e->surfaces[surface] = e->surfaces[last];
        const uint32_t parent = e->surface_parents[surface] = e->surface_parents[last];
        const tmb_rtree_surface *moved = &e->surfaces[surface];
        tmb_edit_set_parent(e, 0, moved->height > 0, moved->root, TMB_EDIT_ROOT | surface);
        if (parent == TMB_EDIT_NONE) {
            e->header.rtree.root = surface;
        } else {
            uint32_t i = 0;
            while (e->nodes[parent].child[i] != last) {
                i++;
            }
            e->nodes[parent].child[i] = surface;
        }
    }
    e->surface_count--;
}

/* ---- Polygons ---- */

int tmb_edit_reserve_polygons(tmb_edit *e, size_t more)
{
    const size_t needed = e->polygon_limit + more;
    if (needed <= e->polygon_capacity && e->polygon_addresses) {
        return 1;
    }
    const size_t size = grown(needed, e->polygon_capacity);
    const size_t used = e->polygon_limit * sizeof(uint32_t), bytes = size * sizeof(uint32_t);
    growth all[] = {{.array = &e->polygon_addresses, .used = used, .bytes = bytes},
                    {.array = &e->polygon_surfaces, .used = used, .bytes = bytes}};
    if (!grow_all(e->context, all, 2)) {
        return 0;
    }
    e->polygon_capacity = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    return 1;
}

/* ---- All of it ---- */

void tmb_edit_destroy(tmb_edit *e)
{
    if (!e) {
        return;
    }
    void *arrays[] = {e->places,         e->clusters,        e->polygons,          e->rings,
                      e->nodes,          e->node_facts,      e->surface_slots,     e->cluster_parents,
                      e->cluster_bounds, e->surface_parents, e->polygon_addresses, e->polygon_surfaces};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        tmb_release(e->context, arrays[i]);
    }
    tmb_buffer_release(e->context, &e->scratch);
    tumble_model_destroy(e->flat);
    pthread_mutex_destroy(&e->flat_lock);
    tmb_release(e->context, e);
}

uint64_t tmb_edit_bytes(const tmb_edit *e)
{
    const uint64_t cluster = sizeof *e->places + sizeof *e->cluster_parents + sizeof *e->cluster_bounds +
                             TMB_CLUSTER_TRIANGLES * (4 + sizeof *e->rings);
    return sizeof *e + e->cluster_capacity * cluster + data_bytes(e->cluster_capacity, e->is_float) +
           node_bytes(e->node_capacity, e->surface_capacity) + e->node_capacity * sizeof *e->node_facts +
           e->surface_capacity * sizeof *e->surface_parents + (e->surface_mask + 1ull) * sizeof *e->surface_slots +
           e->polygon_capacity * 2 * (uint64_t)sizeof(uint32_t) + e->scratch.capacity +
           (e->flat ? tmb_model_bytes(e->flat) : 0);
}

static void copy_clusters(tmb_edit *e, const tumble_model *model)
{
    tmb_edit_triangle triangles[TMB_CLUSTER_TRIANGLES];
    for (uint32_t i = 0; i < model->block->cluster_count; i++) {
        const uint32_t count = tmb_cluster_triangle_count(model->places + i);
        for (uint32_t t = 0; t < count; t++) {
            tmb_model_corners(model, tmb_triangle_address(i, t), triangles[t].corners);
            triangles[t].polygon = tmb_model_polygon(model, tmb_triangle_address(i, t));
        }
        tmb_edit_write_cluster(e, tmb_edit_take_cluster(e), triangles, count);
    }
}

static void copy_model(tmb_edit *e, const tumble_model *model)
{
    const tmb_block *block = model->block;
    e->triangle_count = (uint32_t)block->triangle_count;
    e->polygon_limit = (uint32_t)block->polygon_limit;
    for (uint32_t i = 0; i < e->polygon_limit; i++) {
        e->polygon_addresses[i] = TMB_EDIT_NONE;
        e->polygon_surfaces[i] = model->surfaces ? model->surfaces[i] : 0;
    }
    copy_clusters(e, model);
    if (block->triangle_count) {
        const tmb_rtree_surface *surfaces = tmb_rtree_surfaces(block, model->nodes);
        if (block->node_count) {
            memcpy(e->nodes, model->nodes, (size_t)block->node_count * sizeof *e->nodes);
        }
        e->node_used = (uint32_t)block->node_count;
        for (uint32_t i = 0; i < block->rtree.surface_count; i++) {
            e->surfaces[tmb_edit_add_surface(e, surfaces[i].id)] = surfaces[i];
        }
        e->header.rtree.root = block->rtree.root;
        e->header.rtree.height = block->rtree.height;
    }
    tmb_edit_refit(e, NULL);
}

tmb_edit *tmb_edit_create(const tumble_model *model)
{
    const tmb_block *block = model->block;
    tmb_edit *e = tmb_allocate(model->context, 1, sizeof *e);
    if (!e) {
        return NULL;
    }
    memset(e, 0, sizeof *e);
    if (pthread_mutex_init(&e->flat_lock, NULL) != 0) {
        tmb_release(model->context, e);
        return NULL;
    }
    e->context = model->context;
    e->is_float = model->is_float || block->triangle_count == 0;
    e->load = (tumble_rtree_load)block->rtree.load;
    if (!tmb_edit_reserve(e, (size_t)block->cluster_count, (size_t)block->node_count, block->rtree.surface_count) ||
        !tmb_edit_reserve_polygons(e, (size_t)block->polygon_limit)) {
        tmb_edit_destroy(e);
        return NULL;
    }
    const uint64_t node_count = e->header.node_count;
    e->header = *block;
    e->header.node_count = node_count;
    e->header.checksum = 0; /* what queries keep of a model, they keep by this: it is no longer that block */
    memset(e->header.offsets, 0, sizeof e->header.offsets);
    e->header.edited = 1;
    copy_model(e, model);
    if (!tmb_edit_repair(e)) {
        tmb_edit_destroy(e);
        return NULL;
    }
    return e;
}
