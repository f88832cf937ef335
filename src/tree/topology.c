/* Points, edges and parts of a model. */
#include "tree/topology.h"

#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "tree/key_set.h"

/* ---- Points by coordinates ---- */

/* A corner by its place: 16 times the cluster plus its number there. */
static void point(const tumble_model *model, uint32_t place, double out[3])
{
    const uint32_t cluster = place / TMB_CLUSTER_CORNERS;
    const uint32_t *words = model->clusters + model->places[cluster].offset;
    const uint32_t count = tmb_cluster_corner_count(model->places + cluster, model->is_float);
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t at = k * count + place % TMB_CLUSTER_CORNERS;
        const double x = model->is_float ? (double)((const float *)(words + TMB_CLUSTER_HEAD_FLOAT))[at]
                                         : ((const double *)(const void *)(words + TMB_CLUSTER_HEAD_DOUBLE))[at];
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
    tmb_key_set set;
    uint32_t *places; /* of a point: where its coordinates are */
    uint32_t count;
} welding;

static uint32_t weld(welding *w, const tumble_model *model, uint32_t place)
{
    double p[3], q[3];
    point(model, place, p);
    size_t at = tmb_key_mix(bits_of(p[0]), bits_of(p[1]), bits_of(p[2])) & w->set.mask;
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

/* Clusters of an edited model that are free have no triangles, and mean nothing. */
static uint32_t corners_of(const tumble_model *model, uint32_t cluster)
{
    const tmb_cluster_place *place = model->places + cluster;
    return tmb_cluster_triangle_count(place) ? tmb_cluster_corner_count(place, model->is_float) : 0;
}

static size_t corner_total(const tumble_model *model)
{
    size_t total = 0;
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        total += corners_of(model, cluster);
    }
    return total;
}

static int weld_corners(const tumble_model *model, tmb_arena *arena, uint32_t *points, uint64_t *distinct)
{
    const size_t total = corner_total(model);
    welding w = {.places = tmb_arena_allocate(arena, total, sizeof *w.places)};
    if (!w.places || !tmb_key_set_create(arena, &w.set, total)) {
        return 0;
    }
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        const uint32_t count = corners_of(model, cluster), first = cluster * TMB_CLUSTER_CORNERS;
        for (uint32_t i = 0; i < count; i++) {
            points[first + i] = weld(&w, model, first + i);
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

typedef struct edge_list {
    tmb_key_set set;
    edge *edges;
    size_t count;
} edge_list;

static void count_edge(edge_list *list, uint32_t a, uint32_t b)
{
    TMB_ASSERT(a != b);
    const edge wanted = {a < b ? a : b, a < b ? b : a, a<b, a> b};
    size_t at = tmb_key_mix(wanted.from, wanted.to, 0) & list->set.mask;
    for (; list->set.slots[at]; at = (at + 1) & list->set.mask) {
        edge *e = &list->edges[list->set.slots[at] - 1];
        if (e->from == wanted.from && e->to == wanted.to) {
            e->forward += wanted.forward;
            e->backward += wanted.backward;
            return;
        }
    }
    list->edges[list->count] = wanted;
    list->set.slots[at] = (uint32_t)++list->count;
}

/* The points of a triangle. */
static void triangle_points(const tumble_model *model, const uint32_t *points, uint32_t cluster, uint32_t slot,
                            uint32_t out[3])
{
    const uint32_t *words = model->clusters + model->places[cluster].offset;
    for (int k = 0; k < 3; k++) {
        out[k] = points[cluster * TMB_CLUSTER_CORNERS + ((words[k] >> 4 * slot) & 15)];
    }
}

static void count_edges(const tumble_model *model, const uint32_t *points, edge_list *list)
{
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        for (uint32_t slot = 0; slot < tmb_cluster_triangle_count(model->places + cluster); slot++) {
            uint32_t corners[3];
            triangle_points(model, points, cluster, slot, corners);
            if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                count_edge(list, corners[k], corners[(k + 1) % 3]);
            }
        }
    }
}

static void judge_edges(const edge_list *list, tmb_edge_facts *facts)
{
    facts->all_paired = facts->all_even = facts->all_balanced = list->count > 0;
    for (size_t i = 0; i < list->count; i++) {
        const edge *e = &list->edges[i];
        facts->all_paired &= e->forward == 1 && e->backward == 1;
        facts->all_even &= (e->forward + e->backward) % 2 == 0;
        facts->all_balanced &= e->forward == e->backward;
    }
}

int tmb_survey_edges(const tumble_model *model, tmb_arena *arena, tmb_edge_facts *facts, uint32_t **points)
{
    TMB_ASSERT(model && arena && facts && points);
    const size_t edges = 3 * (size_t)model->block->triangle_count;
    edge_list list = {.edges = tmb_arena_allocate(arena, edges, sizeof *list.edges)};
    *facts = (tmb_edge_facts){0};
    *points = tmb_arena_allocate(arena, (size_t)model->block->cluster_count, TMB_CLUSTER_CORNERS * sizeof **points);
    if (!list.edges || !*points || !weld_corners(model, arena, *points, &facts->point_count) ||
        !tmb_key_set_create(arena, &list.set, edges)) {
        return 0;
    }
    count_edges(model, *points, &list);
    judge_edges(&list, facts);
    return 1;
}

/* ---- Parts ---- */

static uint32_t find_root(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

/* The least point of a part stands for it. */
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    const uint32_t root_a = find_root(parents, a), root_b = find_root(parents, b);
    parents[root_a > root_b ? root_a : root_b] = root_a > root_b ? root_b : root_a;
}

/* What is needed to number the parts of a model. */
typedef struct partition {
    const tumble_model *model;
    const uint32_t *points;
    uint32_t *parents; /* of points */
    uint32_t *numbers; /* the part of a point that stands for one */
} partition;

static void join_triangles(partition *p)
{
    for (uint32_t cluster = 0; cluster < p->model->block->cluster_count; cluster++) {
        for (uint32_t slot = 0; slot < tmb_cluster_triangle_count(p->model->places + cluster); slot++) {
            uint32_t corners[3];
            triangle_points(p->model, p->points, cluster, slot, corners);
            join(p->parents, corners[0], corners[1]);
            join(p->parents, corners[0], corners[2]);
        }
    }
}

/* Parts come in the order of their first triangles. With a topology, which may be NULL: writes them down. */
static uint32_t number_parts(partition *p, size_t point_count, tmb_topology *out)
{
    uint32_t count = 0;
    memset(p->numbers, 0xff, point_count * sizeof *p->numbers);
    for (uint32_t cluster = 0; cluster < p->model->block->cluster_count; cluster++) {
        for (uint32_t slot = 0; slot < tmb_cluster_triangle_count(p->model->places + cluster); slot++) {
            uint32_t corners[3];
            const uint32_t address = tmb_triangle_address(cluster, slot);
            triangle_points(p->model, p->points, cluster, slot, corners);
            uint32_t *number = &p->numbers[find_root(p->parents, corners[0])];
            if (*number == UINT32_MAX) {
                if (out) {
                    out->triangles[count] = address;
                }
                *number = count++;
            }
            if (out && out->part_of) {
                out->part_of[address] = *number;
            }
        }
    }
    return count;
}

/* One block of memory: the struct, a triangle of each part, the parts of all triangles. */
static tmb_topology *allocate_topology(const tumble_model *model, uint32_t part_count)
{
    const size_t addresses = part_count > 1 ? (size_t)model->block->cluster_count * TMB_CLUSTER_TRIANGLES : 0;
    const size_t bytes = sizeof(tmb_topology) + (part_count + addresses) * sizeof(uint32_t);
    tmb_topology *topology = tmb_allocate(model->context, bytes, 1);
    if (topology) {
        *topology = (tmb_topology){.part_count = part_count, .bytes = bytes};
        topology->triangles = (uint32_t *)(void *)(topology + 1);
        topology->part_of = part_count > 1 ? topology->triangles + part_count : NULL;
    }
    return topology;
}

static tmb_topology *find_topology(const tumble_model *model, tmb_arena *arena)
{
    tmb_edge_facts facts;
    uint32_t *points;
    if (!tmb_survey_edges(model, arena, &facts, &points)) {
        return NULL;
    }
    const size_t count = (size_t)facts.point_count;
    partition p = {.model = model,
                   .points = points,
                   .parents = tmb_arena_allocate(arena, count, sizeof *p.parents),
                   .numbers = tmb_arena_allocate(arena, count, sizeof *p.numbers)};
    if (!p.parents || !p.numbers) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        p.parents[i] = i;
    }
    join_triangles(&p);
    tmb_topology *topology = allocate_topology(model, number_parts(&p, count, NULL));
    if (topology) {
        topology->closed = (uint16_t)facts.all_even;
        topology->balanced = (uint16_t)facts.all_balanced;
        (void)number_parts(&p, count, topology);
    }
    return topology;
}

/* ---- Kept with the model ---- */

tumble_status tmb_topology_of(const tumble_model *model, const tmb_topology **out)
{
    _Atomic(struct tmb_topology *) *kept = &((tumble_model *)model)->topology;
    tmb_topology *topology = atomic_load_explicit(kept, memory_order_acquire);
    if (!topology) {
        tmb_arena arena = {.context = model->context};
        topology = find_topology(model, &arena);
        tmb_arena_release(&arena);
        if (!topology) {
            return tmb_fail_memory(model->context, "the edges and parts of a model");
        }
        tmb_topology *other = NULL; /* of a thread that was faster */
        if (!atomic_compare_exchange_strong_explicit(kept, &other, topology, memory_order_acq_rel,
                                                     memory_order_acquire)) {
            tmb_release(model->context, topology);
            topology = other;
        }
    }
    *out = topology;
    return TUMBLE_OK;
}

void tmb_topology_forget(tumble_model *model)
{
    tmb_release(model->context, atomic_exchange(&model->topology, NULL));
}
