/* Nodes and segments: the points of contact by their names. */
#include <string.h>

#include "math/bits.h"
#include "math/pose.h"
#include "prim/triangle_ends.h"
#include "region/region.h"

int tmb_region_order_begin(tmb_arena *arena, size_t count, tmb_region_order *order)
{
    order->count = count;
    order->items = tmb_arena_allocate(arena, count + 1, sizeof *order->items);
    order->scratch = tmb_arena_allocate(arena, count + 1, sizeof *order->scratch);
    if (!order->items || !order->scratch) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        order->items[i] = (tmb_sort_item){0, i};
    }
    return 1;
}

uint64_t tmb_region_key(double number)
{
    const double one_zero = number + 0.0;
    uint64_t bits;
    memcpy(&bits, &one_zero, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* ---- Triangles ---- */

static void read_triangle(const tmb_region_graph *g, int side, uint32_t address, tmb_region_triangle *t)
{
    const tmb_encounter *e = g->encounter;
    double corners[3][3];
    tmb_model_corners(side == 0 ? e->a : e->b, address, corners);
    for (int i = 0; i < 9 && side == 1; i++) {
        const double *p = corners[i / 3];
        t->corners[i / 3][i % 3] = tmb_pose_coordinate(&e->relative, i % 3, p[0], p[1], p[2]);
    }
    if (side == 0) {
        memcpy(t->corners, corners, sizeof t->corners);
    }
    t->polygon = tmb_model_polygon(side == 0 ? e->a : e->b, address);
}

/* Each triangle once; the meetings get their places in the list instead of their addresses. */
static int list_triangles(tmb_region_graph *g, int side)
{
    tmb_region_order order;
    if (!tmb_region_order_begin(g->arena, g->meeting_count, &order)) {
        return 0;
    }
    for (size_t i = 0; i < order.count; i++) {
        order.items[i].key = g->meetings[i].triangles[side];
    }
    tmb_region_sort(&order);
    size_t count = 0;
    for (size_t i = 0; i < order.count; i++) {
        count += i == 0 || order.items[i].key != order.items[i - 1].key;
    }
    g->triangles[side] = tmb_arena_allocate(g->arena, count, sizeof *g->triangles[side]);
    if (!g->triangles[side]) {
        return 0;
    }
    for (size_t i = 0; i < order.count; i++) {
        if (i == 0 || order.items[i].key != order.items[i - 1].key) {
            read_triangle(g, side, (uint32_t)order.items[i].key, &g->triangles[side][g->triangle_counts[side]++]);
        }
        g->meetings[order.items[i].value].triangles[side] = (uint32_t)(g->triangle_counts[side] - 1);
    }
    return 1;
}

static const double *corner_of(const tmb_region_triangle *triangles, uint64_t number)
{
    return triangles[number / 3].corners[number % 3];
}

static int are_equal(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* Equal points get equal numbers, in the order of their coordinates. */
static int number_vertices(tmb_region_graph *g, int side)
{
    tmb_region_triangle *triangles = g->triangles[side];
    tmb_region_order order;
    if (!tmb_region_order_begin(g->arena, 3 * g->triangle_counts[side], &order)) {
        return 0;
    }
    for (int k = 2; k >= 0; k--) {
        for (size_t i = 0; i < order.count; i++) {
            order.items[i].key = tmb_region_key(corner_of(triangles, order.items[i].value)[k]);
        }
        tmb_region_sort(&order);
    }
    uint32_t number = 0;
    for (size_t i = 0; i < order.count; i++) {
        const uint64_t corner = order.items[i].value;
        number += i > 0 && !are_equal(corner_of(triangles, corner), corner_of(triangles, order.items[i - 1].value));
        triangles[corner / 3].vertices[corner % 3] = number;
    }
    return 1;
}

static void sort_three(uint32_t v[3])
{
    for (int i = 0; i < 3; i++) {
        const int k = i % 2;
        if (v[k] > v[k + 1]) {
            const uint32_t first = v[k];
            v[k] = v[k + 1];
            v[k + 1] = first;
        }
    }
}

/* Puts the triangles in the order of their polygons and vertices. */
static int order_triangles(tmb_region_graph *g, int side)
{
    const size_t count = g->triangle_counts[side];
    tmb_region_triangle *sorted = tmb_arena_allocate(g->arena, count, sizeof *sorted);
    uint32_t *places = tmb_arena_allocate(g->arena, count, sizeof *places);
    tmb_region_order order;
    if (!sorted || !places || !tmb_region_order_begin(g->arena, count, &order)) {
        return 0;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            const tmb_region_triangle *t = &g->triangles[side][order.items[i].value];
            uint32_t v[3] = {t->vertices[0], t->vertices[1], t->vertices[2]};
            sort_three(v);
            order.items[i].key = pass == 0 ? (uint64_t)v[1] << 32 | v[2] : (uint64_t)t->polygon << 32 | v[0];
        }
        tmb_region_sort(&order);
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = g->triangles[side][order.items[i].value];
        places[order.items[i].value] = (uint32_t)i;
    }
    for (size_t i = 0; i < g->meeting_count; i++) {
        g->meetings[i].triangles[side] = places[g->meetings[i].triangles[side]];
    }
    g->triangles[side] = sorted;
    return 1;
}

static int order_meetings(tmb_region_graph *g)
{
    tmb_region_meeting *sorted = tmb_arena_allocate(g->arena, g->meeting_count, sizeof *sorted);
    tmb_region_order order;
    if (!sorted || !tmb_region_order_begin(g->arena, g->meeting_count, &order)) {
        return 0;
    }
    for (size_t i = 0; i < order.count; i++) {
        order.items[i].key = (uint64_t)g->meetings[i].triangles[0] << 32 | g->meetings[i].triangles[1];
    }
    tmb_region_sort(&order);
    for (size_t i = 0; i < order.count; i++) {
        sorted[i] = g->meetings[order.items[i].value];
    }
    g->meetings = sorted;
    return 1;
}

/* ---- Points ---- */

/* A point of a meeting, by its name on both sides. */
typedef struct named_point {
    uint64_t names[2];
    double point[3];
    uint32_t meeting, node;
} named_point;

typedef struct point_list {
    named_point *points;
    size_t count;
} point_list;

/* A corner, an edge by its ends, or a triangle. */
static uint64_t name_of(const tmb_region_triangle *t, uint32_t number, unsigned spot)
{
    const uint64_t kind = spot < TMB_SPOT_EDGE ? 0 : spot < TMB_SPOT_INSIDE ? 1 : 2;
    uint64_t name = number;
    if (kind == 0) {
        name = t->vertices[spot];
    } else if (kind == 1) {
        const uint64_t p = t->vertices[(spot - TMB_SPOT_EDGE + 1) % 3], q = t->vertices[(spot - TMB_SPOT_EDGE + 2) % 3];
        name = p < q ? p << 31 | q : q << 31 | p;
    }
    return kind << 62 | name;
}

/* Whether both ends of a segment are on one edge of a triangle, which is opposite to a corner. */
static int are_on_edge(unsigned first, unsigned second)
{
    for (unsigned i = 0; i < 3; i++) {
        const int one = first == TMB_SPOT_EDGE + i || (first < TMB_SPOT_EDGE && first != i),
                  other = second == TMB_SPOT_EDGE + i || (second < TMB_SPOT_EDGE && second != i);
        if (one && other) {
            return 1;
        }
    }
    return 0;
}

/* Two for each meeting, in its order; more if it is coplanar. */
static void add_points(tmb_region_graph *g, uint32_t number, point_list *list)
{
    tmb_region_meeting *m = &g->meetings[number];
    const tmb_region_triangle *a = &g->triangles[0][m->triangles[0]], *b = &g->triangles[1][m->triangles[1]];
    tmb_triangle_end ends[TMB_MOST_ENDS];
    double room[2][3][3];
    int is_coplanar;
    const double(*corners[2])[3] = {a->corners, b->corners};
    const int exponent = tmb_encounter_enlarge(g->encounter, corners, room);
    const int count = tmb_triangles_ends(corners[0], corners[1], ends, &is_coplanar);
    m->is_coplanar = (uint8_t)is_coplanar;
    m->is_area = is_coplanar && count > 2;
    m->is_along_edge = count == 2 && (are_on_edge(ends[0].spots[0], ends[1].spots[0]) ||
                                      are_on_edge(ends[0].spots[1], ends[1].spots[1]));
    for (int i = 0; i < count; i++) {
        named_point *p = &list->points[list->count++];
        p->names[0] = name_of(a, m->triangles[0], ends[i].spots[0]);
        p->names[1] = name_of(b, m->triangles[1], ends[i].spots[1]);
        p->meeting = number;
        tmb_encounter_point(g->encounter, exponent, ends[i].point, p->point);
    }
}

static int find_points(tmb_region_graph *g, point_list *list)
{
    size_t most = 2 * g->meeting_count, coplanar = 0;
    for (size_t i = 0; i < g->meeting_count; i++) {
        tmb_triangle_end ends[TMB_MOST_ENDS];
        int is_coplanar;
        const tmb_region_meeting *m = &g->meetings[i];
        (void)tmb_triangles_ends((const double(*)[3])g->triangles[0][m->triangles[0]].corners,
                                 (const double(*)[3])g->triangles[1][m->triangles[1]].corners, ends, &is_coplanar);
        coplanar += (size_t)is_coplanar;
    }
    most += (TMB_MOST_ENDS - 2) * coplanar;
    list->points = tmb_arena_allocate(g->arena, most, sizeof *list->points);
    list->count = 0;
    for (size_t i = 0; i < g->meeting_count && list->points; i++) {
        g->meetings[i].node = TMB_NO_NODE;
        add_points(g, (uint32_t)i, list);
    }
    return list->points != NULL;
}

static int is_less(const double p[3], const double q[3])
{
    for (int k = 0; k < 3; k++) {
        if (p[k] != q[k]) {
            return p[k] < q[k];
        }
    }
    return 0;
}

/* Points of one name become a node, which is at the least of their places, as these may be rounded differently. */
static int join_points(tmb_region_graph *g, point_list *list)
{
    tmb_region_order order;
    g->points = tmb_arena_allocate(g->arena, list->count + 1, sizeof *g->points);
    if (!g->points || !tmb_region_order_begin(g->arena, list->count, &order)) {
        return 0;
    }
    for (int side = 1; side >= 0; side--) {
        for (size_t i = 0; i < order.count; i++) {
            order.items[i].key = list->points[order.items[i].value].names[side];
        }
        tmb_region_sort(&order);
    }
    for (size_t i = 0; i < order.count; i++) {
        named_point *p = &list->points[order.items[i].value],
                    *before = i > 0 ? &list->points[order.items[i - 1].value] : NULL;
        if (!before || before->names[0] != p->names[0] || before->names[1] != p->names[1]) {
            memcpy(g->points[g->node_count++], p->point, sizeof p->point);
        } else if (is_less(p->point, g->points[g->node_count - 1])) {
            memcpy(g->points[g->node_count - 1], p->point, sizeof p->point);
        }
        p->node = (uint32_t)(g->node_count - 1);
    }
    return 1;
}

/* In the order of their coordinates. */
static int order_nodes(tmb_region_graph *g, point_list *list)
{
    tmb_region_order order;
    double(*sorted)[3] = tmb_arena_allocate(g->arena, g->node_count + 1, sizeof *sorted);
    uint32_t *places = tmb_arena_allocate(g->arena, g->node_count + 1, sizeof *places);
    if (!sorted || !places || !tmb_region_order_begin(g->arena, g->node_count, &order)) {
        return 0;
    }
    for (int k = 2; k >= 0; k--) {
        for (size_t i = 0; i < order.count; i++) {
            order.items[i].key = tmb_region_key(g->points[order.items[i].value][k]);
        }
        tmb_region_sort(&order);
    }
    for (size_t i = 0; i < order.count; i++) {
        memcpy(sorted[i], g->points[order.items[i].value], sizeof *sorted);
        places[order.items[i].value] = (uint32_t)i;
    }
    for (size_t i = 0; i < list->count; i++) {
        list->points[i].node = places[list->points[i].node];
    }
    g->points = sorted;
    return 1;
}

/* ---- What is connected ---- */

static uint32_t root_of(uint32_t *roots, uint32_t node)
{
    while (roots[node] != node) {
        roots[node] = roots[roots[node]];
        node = roots[node];
    }
    return node;
}

/* The root of a region is its first node. */
static int connect(tmb_region_graph *g, const point_list *list)
{
    g->roots = tmb_arena_allocate(g->arena, g->node_count + 1, sizeof *g->roots);
    if (!g->roots) {
        return 0;
    }
    for (uint32_t i = 0; i < g->node_count; i++) {
        g->roots[i] = i;
    }
    for (size_t i = 0; i < list->count; i++) {
        const named_point *p = &list->points[i];
        tmb_region_meeting *m = &g->meetings[p->meeting];
        if (m->node == TMB_NO_NODE) {
            m->node = p->node;
            continue;
        }
        const uint32_t one = root_of(g->roots, m->node), other = root_of(g->roots, p->node);
        g->roots[one > other ? one : other] = one < other ? one : other;
    }
    for (uint32_t i = 0; i < g->node_count; i++) {
        g->roots[i] = root_of(g->roots, i);
    }
    return 1;
}

/* Meetings that share an edge give the same segment. */
static void add_segment(tmb_region_graph *g, const tmb_region_segment *segment)
{
    tmb_region_segment *last = g->segment_count > 0 ? &g->segments[g->segment_count - 1] : NULL;
    if (last && last->nodes[0] == segment->nodes[0] && last->nodes[1] == segment->nodes[1]) {
        last->is_general = 0;
    } else if (last && last->nodes[0] == segment->nodes[1] && last->nodes[1] == segment->nodes[0]) {
        last->is_general = last->has_way = 0;
    } else {
        g->segments[g->segment_count++] = *segment;
    }
}

static int find_segments(tmb_region_graph *g, const point_list *list)
{
    tmb_region_order order;
    tmb_region_segment *all = tmb_arena_allocate(g->arena, list->count / 2 + 1, sizeof *all);
    g->segments = tmb_arena_allocate(g->arena, list->count / 2 + 1, sizeof *g->segments);
    size_t count = 0;
    if (!all || !g->segments) {
        return 0;
    }
    for (size_t i = 0; i < list->count; i++) {
        const named_point *p = &list->points[i];
        if (g->meetings[p->meeting].is_coplanar) {
            continue;
        }
        if (p[0].node != p[1].node) {
            all[count++] = (tmb_region_segment){.nodes = {p[0].node, p[1].node},
                                                .meeting = p->meeting,
                                                .is_general = !g->meetings[p->meeting].is_along_edge,
                                                .has_way = 1};
        }
        i++; /* its other end */
    }
    if (!tmb_region_order_begin(g->arena, count, &order)) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *n = all[i].nodes;
        order.items[i].key = n[0] < n[1] ? (uint64_t)n[0] << 32 | n[1] : (uint64_t)n[1] << 32 | n[0];
    }
    tmb_region_sort(&order);
    for (size_t i = 0; i < count; i++) {
        add_segment(g, &all[order.items[i].value]);
    }
    return 1;
}

int tmb_region_make_graph(tmb_region_graph *g)
{
    point_list list;
    for (int side = 0; side < 2; side++) {
        if (!list_triangles(g, side) || !number_vertices(g, side) || !order_triangles(g, side)) {
            return 0;
        }
    }
    return order_meetings(g) && find_points(g, &list) && join_points(g, &list) && order_nodes(g, &list) &&
           connect(g, &list) && find_segments(g, &list);
}
