/* Rings of neighbours, breadth first. */
#include "self/rings.h"

#include <string.h>

#include "base/assert.h"
#include "self/polygons.h"
#include "tree/radius.h"
#include "tree/topology.h"

/* ---- Which polygons have a point ---- */

/* Counts at [i + 1] become starts. */
static void add_up(uint32_t *first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        first[i + 1] += first[i];
    }
}

typedef struct corner_visit {
    const tumble_model *model;
    const uint32_t *points; /* of the corners of clusters */
} corner_visit;

/* Calls for each corner of each triangle. */
typedef void see_corner(tmb_self_rings *rings, uint32_t polygon, uint32_t point);

static void see_corners(tmb_self_rings *rings, const corner_visit *v, see_corner *see)
{
    const tumble_model *model = v->model;
    for (uint32_t cluster = 0; cluster < model->block->cluster_count; cluster++) {
        const uint32_t *words = model->clusters + model->places[cluster].offset;
        const uint32_t count = tmb_cluster_triangle_count(&model->places[cluster]);
        for (uint32_t i = 0; i < 3 * count; i++) {
            const uint32_t corner = words[i % 3] >> 4 * (i / 3) & (TMB_CLUSTER_CORNERS - 1);
            see(rings, tmb_model_polygon(model, tmb_triangle_address(cluster, i / 3)),
                v->points[TMB_CLUSTER_CORNERS * (size_t)cluster + corner]);
        }
    }
}

static void count_corner(tmb_self_rings *rings, uint32_t polygon, uint32_t point)
{
    rings->polygon_first[polygon + 1]++;
    rings->point_first[point + 1]++;
}

static void list_corner(tmb_self_rings *rings, uint32_t polygon, uint32_t point)
{
    rings->polygon_points[rings->polygon_first[polygon]++] = point;
    rings->point_polygons[rings->point_first[point]++] = polygon;
}

static void shift(uint32_t *first, size_t count)
{
    memmove(first + 1, first, count * sizeof *first);
    first[0] = 0;
}

int tmb_self_rings_begin(tmb_self *self, tmb_self_rings *rings)
{
    const tumble_model *flat = tmb_model_flat_polygons(self->model);
    tmb_edge_facts facts;
    uint32_t *points;
    *rings = (tmb_self_rings){.arena = {.context = self->query->context}};
    if (!flat || !tmb_survey_edges(flat, &rings->arena, &facts, &points)) {
        return 0;
    }
    const size_t polygons = (size_t)flat->block->polygon_limit, corners = 3 * (size_t)flat->block->triangle_count;
    const size_t point_count = (size_t)facts.point_count;
    rings->polygon_first = tmb_arena_allocate(&rings->arena, polygons + 1, sizeof *rings->polygon_first);
    rings->point_first = tmb_arena_allocate(&rings->arena, point_count + 1, sizeof *rings->point_first);
    rings->polygon_points = tmb_arena_allocate(&rings->arena, corners, sizeof *rings->polygon_points);
    rings->point_polygons = tmb_arena_allocate(&rings->arena, corners, sizeof *rings->point_polygons);
    if (!rings->polygon_first || !rings->point_first || !rings->polygon_points || !rings->point_polygons) {
        return 0;
    }
    memset(rings->polygon_first, 0, (polygons + 1) * sizeof *rings->polygon_first);
    memset(rings->point_first, 0, (point_count + 1) * sizeof *rings->point_first);
    const corner_visit visit = {flat, points};
    see_corners(rings, &visit, count_corner);
    add_up(rings->polygon_first, polygons);
    add_up(rings->point_first, point_count);
    see_corners(rings, &visit, list_corner);
    shift(rings->polygon_first, polygons);
    shift(rings->point_first, point_count);
    return 1;
}

/* ---- Around a polygon ---- */

/* 0 if memory runs out. */
static int add_polygon(const tmb_self *self, tmb_self_part *part, uint32_t polygon, size_t *count)
{
    tumble_context *context = self->query->context;
    const int added = tmb_pair_set_add(context, &part->ring, polygon);
    return added == 0 ||
           (added > 0 && tmb_buffer_append(context, &part->ring_list, count, &polygon, 1, sizeof polygon));
}

/* All that have a corner with a polygon in common. */
static int add_around(const tmb_self *self, tmb_self_part *part, uint32_t polygon, size_t *count)
{
    const tmb_self_rings *r = self->rings;
    for (uint32_t i = r->polygon_first[polygon]; i < r->polygon_first[polygon + 1]; i++) {
        const uint32_t point = r->polygon_points[i];
        for (uint32_t j = r->point_first[point]; j < r->point_first[point + 1]; j++) {
            if (!add_polygon(self, part, r->point_polygons[j], count)) {
                return 0;
            }
        }
    }
    return 1;
}

/* Fills the set of a part with the polygons around one. */
static int gather(const tmb_self *self, tmb_self_part *part, uint32_t polygon)
{
    size_t count = 0, begin = 0;
    part->has_ring = 0;
    if (!tmb_pair_set_begin(self->query->context, &part->ring, &part->ring_seen) ||
        !add_polygon(self, part, polygon, &count)) {
        return 0;
    }
    for (uint32_t ring = 0; ring < self->options->rings && begin < count; ring++) {
        const size_t end = count;
        for (; begin < end; begin++) {
            if (!add_around(self, part, ((const uint32_t *)part->ring_list.data)[begin], &count)) {
                return 0;
            }
        }
    }
    part->ring_of = polygon;
    part->has_ring = 1;
    return 1;
}

int tmb_self_are_neighbours(const tmb_self *self, tmb_self_part *part, uint32_t pa, uint32_t pb)
{
    if (self->options->rings == 0 || self->soup) {
        return 0;
    }
    if (!self->rings) {
        return tmb_self_polygons_share(self, pa, pb);
    }
    if (!(part->has_ring && part->ring_of == pa) && !gather(self, part, pa)) {
        return -1;
    }
    return tmb_pair_set_has(&part->ring, pb);
}
