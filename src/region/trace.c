/* Curves: as long as they go on, from node to node. Of a graph, first all paths that begin where an odd number of
 * segments meet, then what is left, which can only end where it began. C. Hierholzer, "Ueber die Moeglichkeit, einen
 * Linienzug ohne Wiederholung und ohne Unterbrechung zu umfahren", 1873. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "region/region.h"

typedef struct trace {
    tmb_region_graph *graph;
    tumble_regions_result *result;
    tmb_region_curves out;
    uint32_t *region_of;    /* of the roots */
    uint32_t *first, *ends; /* segments at a node: ends[first[n]] to ends[first[n + 1]] */
    uint32_t *next;         /* of these, the first that may be unused */
    int agreement;          /* of the directions of a curve's segments with its own: 1, -1, or 0: they differ */
    int is_first, is_general;
} trace;

static int allocate(trace *t)
{
    const tmb_region_graph *g = t->graph;
    const size_t nodes = g->node_count + 2, points = 2 * g->segment_count + 1;
    t->out.regions = tmb_arena_allocate(g->arena, nodes, sizeof *t->out.regions);
    t->out.curves = tmb_arena_allocate(g->arena, g->segment_count + 1, sizeof *t->out.curves);
    t->out.points = tmb_arena_allocate(g->arena, points, sizeof *t->out.points);
    t->out.pairs = tmb_arena_allocate(g->arena, points, sizeof *t->out.pairs);
    t->out.meetings = tmb_arena_allocate(g->arena, points, sizeof *t->out.meetings);
    t->region_of = tmb_arena_allocate(g->arena, nodes, sizeof *t->region_of);
    t->first = tmb_arena_allocate(g->arena, nodes, sizeof *t->first);
    t->next = tmb_arena_allocate(g->arena, nodes, sizeof *t->next);
    t->ends = tmb_arena_allocate(g->arena, points, sizeof *t->ends);
    return t->out.regions && t->out.curves && t->out.points && t->out.pairs && t->out.meetings && t->region_of &&
           t->first && t->next && t->ends;
}

/* Segments are in the order of their nodes, so those at a node are in the order of their other ends. */
static void list_ends(trace *t)
{
    const tmb_region_graph *g = t->graph;
    memset(t->first, 0, (g->node_count + 2) * sizeof *t->first);
    for (size_t i = 0; i < 2 * g->segment_count; i++) {
        t->first[g->segments[i / 2].nodes[i % 2] + 2]++;
    }
    for (size_t n = 2; n < g->node_count + 2; n++) {
        t->first[n] += t->first[n - 1];
    }
    for (size_t i = 0; i < 2 * g->segment_count; i++) {
        t->ends[t->first[g->segments[i / 2].nodes[i % 2] + 1]++] = (uint32_t)(i / 2);
    }
    memcpy(t->next, t->first, g->node_count * sizeof *t->next);
}

static uint32_t degree_of(const trace *t, uint32_t node)
{
    return t->first[node + 1] - t->first[node];
}

/* ---- Boxes ---- */

static void clear_box(double lower[3], double upper[3])
{
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
}

static void extend_box(double lower[3], double upper[3], const double point[3])
{
    for (int k = 0; k < 3; k++) {
        lower[k] = tmb_lesser(lower[k], point[k]);
        upper[k] = tmb_greater(upper[k], point[k]);
    }
}

/* ---- Curves ---- */

static void add_point(trace *t, uint32_t node, const tmb_region_segment *segment)
{
    const tmb_region_graph *g = t->graph;
    const tmb_region_meeting *m = &g->meetings[segment->meeting];
    const size_t at = t->result->point_count++;
    memcpy(t->out.points[at], g->points[node], sizeof t->out.points[at]);
    t->out.meetings[at] = segment->meeting;
    t->out.pairs[at] =
        (tumble_pair){g->triangles[0][m->triangles[0]].polygon, g->triangles[1][m->triangles[1]].polygon};
    extend_box(t->out.curves[t->result->curve_count].lower, t->out.curves[t->result->curve_count].upper,
               g->points[node]);
}

static tmb_region_segment *unused_at(trace *t, uint32_t node)
{
    while (t->next[node] < t->first[node + 1] && t->graph->segments[t->ends[t->next[node]]].is_used) {
        t->next[node]++;
    }
    return t->next[node] < t->first[node + 1] ? &t->graph->segments[t->ends[t->next[node]]] : NULL;
}

static void note_direction(trace *t, const tmb_region_segment *segment, uint32_t from)
{
    const int way = !segment->has_way ? 0 : segment->nodes[0] == from ? 1 : -1;
    t->agreement = t->is_first ? way : t->agreement == way ? way : 0;
    t->is_first = 0;
    t->is_general &=
        segment->is_general && degree_of(t, segment->nodes[0]) == 2 && degree_of(t, segment->nodes[1]) == 2;
}

/* A curve against its direction: the pair of a point is that of the segment to the next one. */
void tmb_region_turn_round(tmb_region_curves *c, const tumble_contact_curve *curve)
{
    const size_t n = curve->point_count, first = curve->first_point;
    for (size_t i = 0; i < n / 2; i++) {
        double point[3];
        memcpy(point, c->points[first + i], sizeof point);
        memcpy(c->points[first + i], c->points[first + n - 1 - i], sizeof point);
        memcpy(c->points[first + n - 1 - i], point, sizeof point);
    }
    const size_t segments = curve->is_closed ? n : n - 1;
    /* A closed curve keeps its last segment, from the last point to the first. */
    const size_t turned = curve->is_closed ? segments - 1 : segments;
    for (size_t i = 0; i < turned / 2; i++) {
        const tumble_pair pair = c->pairs[first + i];
        const uint32_t meeting = c->meetings[first + i];
        c->pairs[first + i] = c->pairs[first + turned - 1 - i];
        c->pairs[first + turned - 1 - i] = pair;
        c->meetings[first + i] = c->meetings[first + turned - 1 - i];
        c->meetings[first + turned - 1 - i] = meeting;
    }
    if (!curve->is_closed) {
        c->pairs[first + n - 1] = c->pairs[first + n - 2];
        c->meetings[first + n - 1] = c->meetings[first + n - 2];
    }
}

/* Squares of lengths may over- or underflow. */
static double distance_between(const double p[3], const double q[3])
{
    double way[3];
    tmb_subtract(q, p, way);
    const double most = tmb_largest_size(way);
    if (!(most > 0) || !isfinite(most)) {
        return most;
    }
    for (int k = 0; k < 3; k++) {
        way[k] /= most;
    }
    return most * tmb_length(way);
}

static double length_of(const trace *t, const tumble_contact_curve *curve)
{
    double length = 0;
    for (size_t i = 0; i < curve->point_count; i++) {
        const size_t next = i + 1 < curve->point_count ? i + 1 : 0;
        if (next > 0 || curve->is_closed) {
            length += distance_between(t->out.points[curve->first_point + i], t->out.points[curve->first_point + next]);
        }
    }
    return length;
}

static void trace_from(trace *t, uint32_t start, uint32_t region)
{
    tumble_contact_curve *curve = &t->out.curves[t->result->curve_count];
    *curve = (tumble_contact_curve){.region = region, .first_point = t->result->point_count};
    clear_box(curve->lower, curve->upper);
    t->is_first = t->is_general = 1;
    uint32_t node = start;
    const tmb_region_segment *last = NULL;
    for (tmb_region_segment *s = unused_at(t, node); s; s = unused_at(t, node)) {
        s->is_used = 1;
        add_point(t, node, s);
        note_direction(t, s, node);
        node = s->nodes[0] == node ? s->nodes[1] : s->nodes[0];
        last = s;
    }
    curve->is_closed = node == start;
    if (!curve->is_closed) {
        add_point(t, node, last);
    }
    curve->point_count = t->result->point_count - curve->first_point;
    if (t->agreement < 0) {
        tmb_region_turn_round(&t->out, curve);
    }
    curve->length = length_of(t, curve);
    curve->sides_are_known = t->is_general && t->agreement != 0; /* as far as is known here */
    t->result->curve_count++;
    t->out.regions[region].curve_count++;
    t->out.regions[region].length += curve->length;
}

/* ---- Regions ---- */

/* Nodes of a region in their order: by the regions, and these by their first nodes. */
static int trace_regions(trace *t)
{
    const tmb_region_graph *g = t->graph;
    tmb_region_order order;
    if (!tmb_region_order_begin(g->arena, g->node_count, &order)) {
        return 0;
    }
    for (size_t i = 0; i < order.count; i++) {
        order.items[i].key = g->roots[i];
    }
    tmb_region_sort(&order);
    for (size_t begin = 0, end; begin < order.count; begin = end) {
        const uint32_t number = (uint32_t)t->result->region_count++;
        tumble_contact_region *region = &t->out.regions[number];
        *region = (tumble_contact_region){.first_curve = t->result->curve_count};
        clear_box(region->lower, region->upper);
        t->region_of[order.items[begin].key] = number;
        for (end = begin; end < order.count && order.items[end].key == order.items[begin].key; end++) {
            extend_box(region->lower, region->upper, g->points[order.items[end].value]);
        }
        for (int odd = 1; odd >= 0; odd--) {
            for (size_t i = begin; i < end; i++) {
                const uint32_t node = (uint32_t)order.items[i].value;
                if ((!odd || degree_of(t, node) % 2 == 1) && unused_at(t, node)) {
                    trace_from(t, node, number);
                }
            }
        }
    }
    return 1;
}

static void add_normal(const tmb_region_triangle *triangle, double scale, double sum[3])
{
    double u[3], v[3], normal[3];
    for (int k = 0; k < 3; k++) {
        u[k] = triangle->corners[1][k] * scale - triangle->corners[0][k] * scale;
        v[k] = triangle->corners[2][k] * scale - triangle->corners[0][k] * scale;
    }
    tmb_cross(u, v, normal);
    for (int k = 0; k < 3; k++) {
        sum[k] += normal[k];
    }
}

/* Into the frame of the poses, of length 1. */
static void set_normal(const tmb_region_graph *g, const double sum[3], double out[3])
{
    const double(*m)[4] = g->encounter->pose_a.m;
    double turned[3] = {sum[0], sum[1], sum[2]};
    const double most = tmb_largest_size(sum), scale = tumble_pose_scale(&g->encounter->pose_a);
    for (int k = 0; k < 3 && most > 0; k++) {
        turned[k] = 0;
        for (int j = 0; j < 3; j++) {
            turned[k] += m[k][j] / scale * (sum[j] / most);
        }
    }
    const double length = most > 0 ? tmb_length(turned) : 0;
    for (int k = 0; k < 3; k++) {
        out[k] = length > 0 ? turned[k] / length : 0;
    }
}

/* Each triangle of a side once for each region. */
static int sum_normals(trace *t, int side)
{
    const tmb_region_graph *g = t->graph;
    tmb_region_order order;
    double most = 0;
    if (!tmb_region_order_begin(g->arena, g->meeting_count, &order)) {
        return 0;
    }
    size_t count = 0;
    for (size_t i = 0; i < g->meeting_count; i++) {
        const tmb_region_meeting *m = &g->meetings[i];
        if (m->node != TMB_NO_NODE) {
            order.items[count++].key = (uint64_t)t->region_of[g->roots[m->node]] << 32 | m->triangles[side];
        }
    }
    order.count = count;
    tmb_region_sort(&order);
    for (size_t i = 0; i < g->triangle_counts[side]; i++) {
        for (int k = 0; k < 3; k++) {
            most = tmb_greater(most, tmb_largest_size(g->triangles[side][i].corners[k]));
        }
    }
    int exponent = 0;
    (void)frexp(most, &exponent);
    const double scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    for (size_t i = 0; i < count;) {
        const uint64_t region = order.items[i].key >> 32;
        double sum[3] = {0, 0, 0};
        for (; i < count && order.items[i].key >> 32 == region; i++) {
            if (i == 0 || order.items[i].key != order.items[i - 1].key) {
                add_normal(&g->triangles[side][(uint32_t)order.items[i].key], scale, sum);
            }
        }
        set_normal(g, sum, side == 0 ? t->out.regions[region].normal_a : t->out.regions[region].normal_b);
    }
    return 1;
}

int tmb_region_trace(tmb_region_graph *g, tmb_region_curves *out, tumble_regions_result *result)
{
    trace t = {.graph = g, .result = result};
    if (!allocate(&t)) {
        return 0;
    }
    list_ends(&t);
    if (!trace_regions(&t)) {
        return 0;
    }
    for (size_t i = 0; i < g->meeting_count; i++) {
        const tmb_region_meeting *m = &g->meetings[i];
        if (m->node != TMB_NO_NODE) {
            tumble_contact_region *region = &t.out.regions[t.region_of[g->roots[m->node]]];
            region->contact_count++;
            region->coplanar_count += m->is_area;
        }
    }
    *out = t.out;
    return sum_normals(&t, 0) && sum_normals(&t, 1);
}
