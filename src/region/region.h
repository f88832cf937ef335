/* Along which curves do two models meet? What the files of this folder share.
 *
 * The pairs of triangles that meet end in points. Each point is inside one corner, edge or triangle of A, and of B:
 * these two name it, as an edge that leaves a triangle's plane passes it once, and what does not leave it ends in
 * corners or on edges. So points are equal if their names are, and no coordinates are compared. Corners are equal if
 * their coordinates are. Everything is put in an order that hierarchies do not change. */
#ifndef TUMBLE_SRC_REGION_REGION_H
#define TUMBLE_SRC_REGION_REGION_H

#include "base/arena.h"
#include "base/sort.h"
#include "query/encounter.h"
#include "tumble/region.h"

#define TMB_NO_NODE UINT32_MAX
#define TMB_MOST_MEETINGS ((size_t)1 << 28)

/* A triangle of one side that meets others, in A's frame. */
typedef struct tmb_region_triangle {
    double corners[3][3];
    uint32_t polygon, vertices[3];
} tmb_region_triangle;

/* Two triangles that meet: first their addresses, then their places in the lists of triangles. */
typedef struct tmb_region_meeting {
    uint32_t triangles[2];
    uint32_t node; /* one of its points; TMB_NO_NODE: one of the triangles has no area */
    uint8_t is_coplanar;
    uint8_t is_area;       /* coplanar, with more than a segment in common */
    uint8_t is_along_edge; /* an edge of one of them */
} tmb_region_meeting;

/* Part of a curve, from node to node. */
typedef struct tmb_region_segment {
    uint32_t nodes[2];
    uint32_t meeting;
    uint8_t is_general; /* of one meeting: it passes through both triangles, and runs along the product of normals */
    uint8_t has_way;    /* all its meetings agree on that direction */
    uint8_t is_used;
} tmb_region_segment;

typedef struct tmb_region_graph {
    tumble_query *query;
    const tmb_encounter *encounter;
    tmb_arena *arena;
    tmb_region_meeting *meetings;
    size_t meeting_count;
    tmb_region_triangle *triangles[2];
    size_t triangle_counts[2];
    double (*points)[3]; /* of nodes, in A's frame, in their order */
    uint32_t *roots;     /* of nodes: one node of each region */
    size_t node_count;
    tmb_region_segment *segments;
    size_t segment_count;
} tmb_region_graph;

/* Sorting by several keys, the least significant one first. `items` must have room for twice as many. */
typedef struct tmb_region_order {
    tmb_sort_item *items, *scratch;
    size_t count;
} tmb_region_order;

static inline void tmb_region_sort(tmb_region_order *order)
{
    tmb_sort_item *sorted = tmb_sort(order->items, order->scratch, order->count);
    if (sorted == order->scratch) {
        order->scratch = order->items;
        order->items = sorted;
    }
}

/* Numbers 0 to count - 1, as values; 0 if memory runs out. */
int tmb_region_order_begin(tmb_arena *arena, size_t count, tmb_region_order *order);

/* A key that orders doubles. 0 and -0 are one. */
uint64_t tmb_region_key(double number);

/* From the addresses of the meetings to nodes and segments; 0 if memory runs out. */
int tmb_region_make_graph(tmb_region_graph *graph);

/* Curves and regions of a result that is being made. */
typedef struct tmb_region_curves {
    tumble_contact_region *regions;
    tumble_contact_curve *curves;
    double (*points)[3];
    tumble_pair *pairs;
    uint32_t *meetings; /* of the segment from each point; of the last point of an open curve, of the one before */
} tmb_region_curves;

/* Sets counts, too; 0 if memory runs out. */
int tmb_region_trace(tmb_region_graph *graph, tmb_region_curves *out, tumble_regions_result *result);

void tmb_region_turn_round(tmb_region_curves *c, const tumble_contact_curve *curve);

/* Which side of the curves is inside; turns those round that run the other way. */
tumble_status tmb_region_find_sides(const tmb_region_graph *graph, tmb_region_curves *c, tumble_regions_result *result);

#endif
