/* The hull of points: how many dimensions they have, and the graph of vertices and edges. */
#include "tree/hull.h"

#include <math.h>
#include <string.h>

#include "math/predicates.h"
#include "tree/hull_flat.h"
#include "tree/hull_surface.h"

typedef struct builder {
    tmb_arena *arena, *scratch;
    const double (*points)[3];
    uint32_t count;
    double reach[3];
    uint32_t simplex[4]; /* as many points as the hull has dimensions, and one */
} builder;

/* ---- Scale ----
 *
 * Products of three coordinates must neither over- nor underflow, or the filters cannot decide and everything is done
 * in long integers. The hull does not change with the unit of length, so extreme sizes are brought near 1 when that is
 * exact for all coordinates. */

#define MODERATE 200 /* binary orders of magnitude on both sides of 1 */

static void measure_reach(builder *b)
{
    memset(b->reach, 0, sizeof b->reach);
    for (uint32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3; k++) {
            const double size = fabs(b->points[i][k]);
            b->reach[k] = size > b->reach[k] ? size : b->reach[k];
        }
    }
}

static int scale_exactly(const builder *b, int exponent, double (*out)[3])
{
    int exact = 1;
    for (uint32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3; k++) {
            out[i][k] = ldexp(b->points[i][k], exponent);
            exact &= ldexp(out[i][k], -exponent) == b->points[i][k];
        }
    }
    return exact;
}

static int scale(builder *b)
{
    int exponent;
    measure_reach(b);
    frexp(fmax(b->reach[0], fmax(b->reach[1], b->reach[2])), &exponent);
    if (exponent >= -MODERATE && exponent <= MODERATE) {
        return 1;
    }
    double(*scaled)[3] = tmb_arena_allocate(b->scratch, b->count, sizeof *scaled);
    if (!scaled) {
        return 0;
    }
    if (scale_exactly(b, -exponent, scaled)) {
        b->points = (const double(*)[3])scaled;
        measure_reach(b);
    }
    return 1;
}

/* ---- Dimensions ----
 *
 * The points that span most, as far as rounded numbers tell; when these turn out to span nothing, the first that do. */

static int spans_line(const builder *b, uint32_t point)
{
    const double *p = b->points[b->simplex[0]], *q = b->points[point];
    return p[0] != q[0] || p[1] != q[1] || p[2] != q[2];
}

static int spans_plane(const builder *b, uint32_t point)
{
    return tmb_hull_flat_axis(b->points, b->simplex[0], b->simplex[1], point) >= 0;
}

static int spans_space(const builder *b, uint32_t point)
{
    const double(*p)[3] = b->points;
    return tmb_orient3d(p[b->simplex[0]], p[b->simplex[1]], p[b->simplex[2]], p[point]) != 0;
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = a[k] - b[k];
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* About how far the point is from what the first `known` points of the simplex span. */
static double rough_distance(const builder *b, int known, const double normal[3], uint32_t point)
{
    double arm[3], area[3];
    subtract(b->points[point], b->points[b->simplex[0]], arm);
    if (known == 1) {
        return dot(arm, arm);
    }
    if (known == 3) {
        return fabs(dot(normal, arm));
    }
    cross(normal, arm, area);
    return dot(area, area);
}

static uint32_t rough_furthest(const builder *b, int known, const double normal[3])
{
    double most = 0.0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const double distance = rough_distance(b, known, normal, i);
        if (distance > most) {
            most = distance;
            best = i;
        }
    }
    return best;
}

typedef int spans_function(const builder *b, uint32_t point);

/* Finds one more point of the simplex; 0 when there is none. `normal` is the direction of the line or the normal of the
 * plane that is known. */
static int extend_simplex(builder *b, int known, const double normal[3], spans_function *spans)
{
    uint32_t best = rough_furthest(b, known, normal);
    for (uint32_t i = 0; !spans(b, best); i++) {
        if (i == b->count) {
            return 0;
        }
        best = i;
    }
    b->simplex[known] = best;
    return 1;
}

/* Returns the number of points found. */
static int find_simplex(builder *b)
{
    double line[3] = {0}, arm[3], normal[3];
    b->simplex[0] = 0;
    b->simplex[0] = rough_furthest(b, 1, line);
    if (!extend_simplex(b, 1, line, spans_line)) {
        return 1;
    }
    subtract(b->points[b->simplex[1]], b->points[b->simplex[0]], line);
    if (!extend_simplex(b, 2, line, spans_plane)) {
        return 2;
    }
    subtract(b->points[b->simplex[2]], b->points[b->simplex[0]], arm);
    cross(line, arm, normal);
    return extend_simplex(b, 3, normal, spans_space) ? 4 : 3;
}

/* ---- The graph ---- */

/* Edges between vertices of the surface, as they come. */
typedef struct graph {
    uint32_t *degree; /* of each point: the edges at which the surface is bent */
    uint32_t *ends;   /* of each point: the other ends of these edges, all in one exclusive or */
    uint32_t *rank;   /* of each vertex of the hull: its number among them */
} graph;

static int is_bent(const tmb_hull_surface *s, const tmb_hull_facet *facet, int edge)
{
    const uint32_t *other = tmb_hull_facets(s)[facet->neighbours[edge]].vertices;
    const uint32_t start = facet->vertices[edge];
    const uint32_t opposite = other[0] == start ? other[1] : other[1] == start ? other[2] : other[0];
    return tmb_hull_side(s, facet, s->points[opposite]) != 0;
}

/* Marks in each facet the edges that are bent: bit k of `seen` stands for edge k, in that one of the two facets that
 * names its vertices in ascending order. Counts them for both vertices. */
static void find_bent_edges(const tmb_hull_surface *s, graph *g)
{
    for (uint32_t i = 0; i < s->facet_count; i++) {
        tmb_hull_facet *facet = tmb_hull_facets(s) + i;
        facet->seen = 0;
        for (int k = 0; k < 3 && facet->vertices[0] != TMB_HULL_NONE; k++) {
            const uint32_t a = facet->vertices[k], b = facet->vertices[(k + 1) % 3];
            if (a < b && is_bent(s, facet, k)) {
                facet->seen |= 1u << k;
                g->degree[a]++, g->degree[b]++;
                g->ends[a] ^= b, g->ends[b] ^= a;
            }
        }
    }
}

/* A vertex of the surface with two bent edges lies inside an edge of the polytope, one with none inside a face. Follows
 * the bent edge from `from` to `to` to the vertex of the polytope at its end. */
static uint32_t follow_edge(const graph *g, uint32_t from, uint32_t to)
{
    while (g->degree[to] == 2) {
        const uint32_t next = g->ends[to] ^ from;
        from = to;
        to = next;
    }
    return to;
}

static int allocate_hull(tmb_arena *arena, uint32_t count, size_t neighbour_count, tmb_hull *out)
{
    out->count = count;
    out->vertices = tmb_arena_allocate(arena, count, sizeof *out->vertices);
    out->first = tmb_arena_allocate(arena, (size_t)count + 1, sizeof *out->first);
    out->neighbours = tmb_arena_allocate(arena, neighbour_count, sizeof *out->neighbours);
    return out->vertices && out->first && out->neighbours;
}

/* The vertices of the polytope in ascending order, and where their lists begin. */
static int list_vertices(builder *b, graph *g, tmb_hull *out)
{
    uint32_t count = 0, sum = 0;
    size_t neighbour_count = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        count += g->degree[i] > 2;
        neighbour_count += g->degree[i] > 2 ? g->degree[i] : 0;
    }
    if (!allocate_hull(b->arena, count, neighbour_count, out)) {
        return 0;
    }
    for (uint32_t i = 0, next = 0; i < b->count; i++) {
        if (g->degree[i] > 2) {
            g->rank[i] = next;
            out->vertices[next] = i;
            out->first[next++] = sum;
            sum += g->degree[i];
        }
    }
    out->first[count] = sum;
    return 1;
}

static void append(uint32_t *lists, uint32_t *places, uint32_t vertex, uint32_t neighbour)
{
    lists[places[vertex]++] = neighbour;
}

/* An edge of the polytope may be a chain of bent edges: its first link makes the entry at the vertex where it starts.
 */
static void list_edges(const tmb_hull_surface *s, const graph *g, uint32_t *lists, uint32_t *places)
{
    for (uint32_t i = 0; i < s->facet_count; i++) {
        const tmb_hull_facet *facet = tmb_hull_facets(s) + i;
        for (int k = 0; k < 3; k++) {
            if (facet->seen >> k & 1) {
                const uint32_t a = facet->vertices[k], b = facet->vertices[(k + 1) % 3];
                if (g->degree[a] > 2) {
                    append(lists, places, g->rank[a], g->rank[follow_edge(g, a, b)]);
                }
                if (g->degree[b] > 2) {
                    append(lists, places, g->rank[b], g->rank[follow_edge(g, b, a)]);
                }
            }
        }
    }
}

/* The lists in ascending order: going through all vertices in order, each is put into the lists of its neighbours. */
static void transpose(const uint32_t *lists, uint32_t *places, tmb_hull *out)
{
    memcpy(places, out->first, out->count * sizeof *places);
    for (uint32_t v = 0; v < out->count; v++) {
        for (uint32_t i = out->first[v]; i < out->first[v + 1]; i++) {
            append(out->neighbours, places, lists[i], v);
        }
    }
}

static int make_graph(builder *b, const tmb_hull_surface *s, graph *g, tmb_hull *out)
{
    memset(g->degree, 0, b->count * sizeof *g->degree);
    memset(g->ends, 0, b->count * sizeof *g->ends);
    find_bent_edges(s, g);
    if (!list_vertices(b, g, out)) {
        return 0;
    }
    uint32_t *lists = tmb_arena_allocate(b->scratch, out->first[out->count], sizeof *lists);
    uint32_t *places = tmb_arena_allocate(b->scratch, out->count, sizeof *places);
    if (!lists || !places) {
        return 0;
    }
    memcpy(places, out->first, out->count * sizeof *places);
    list_edges(s, g, lists, places);
    transpose(lists, places, out);
    return 1;
}

/* ---- Hulls of 0 to 3 dimensions ---- */

static int build_ring(builder *b, uint32_t *ring, uint32_t count, tmb_hull *out)
{
    return allocate_hull(b->arena, count, tmb_hull_ring_neighbours(count), out) &&
           tmb_hull_from_ring(b->scratch, ring, out);
}

static int build_flat(builder *b, int known, tmb_hull *out)
{
    uint32_t ring[2];
    if (known < 3) {
        return build_ring(b, ring, tmb_hull_line(b->points, b->count, ring), out);
    }
    const int axis = tmb_hull_flat_axis(b->points, b->simplex[0], b->simplex[1], b->simplex[2]);
    uint32_t *plane_ring = tmb_arena_allocate(b->scratch, (size_t)b->count + 1, sizeof *plane_ring);
    uint32_t count;
    return plane_ring && tmb_hull_ring(b->scratch, b->points, b->count, axis, plane_ring, &count) &&
           build_ring(b, plane_ring, count, out);
}

static int build_solid(builder *b, tmb_hull *out)
{
    tmb_hull_surface surface = {.context = b->scratch->context, .points = b->points, .point_count = b->count};
    memcpy(surface.reach, b->reach, sizeof surface.reach);
    uint32_t *order = tmb_arena_allocate(b->scratch, b->count, sizeof *order);
    surface.owner = tmb_arena_allocate(b->scratch, b->count, sizeof *surface.owner);
    surface.links = tmb_arena_allocate(b->scratch, b->count, sizeof *surface.links);
    if (!order || !surface.owner || !surface.links) {
        return 0;
    }
    graph g = {surface.owner, surface.links, order};
    const int good = tmb_hull_surface_make(&surface, b->simplex, order) && make_graph(b, &surface, &g, out);
    tmb_hull_surface_release(&surface);
    return good;
}

static int build_some(builder *b, tmb_hull *out)
{
    if (!scale(b)) {
        return 0;
    }
    const int known = find_simplex(b);
    return known == 4 ? build_solid(b, out) : build_flat(b, known, out);
}

static int build_none(tmb_arena *arena, tmb_hull *out)
{
    const int good = allocate_hull(arena, 0, 0, out);
    if (good) {
        out->first[0] = 0;
    }
    return good;
}

int tmb_hull_build(tmb_arena *arena, const double (*points)[3], size_t count, tmb_hull *out)
{
    if (count == 0) {
        return build_none(arena, out);
    }
    if (count > TMB_HULL_LIMIT) {
        return 0;
    }
    tmb_arena scratch = {.context = arena->context};
    builder b = {.arena = arena, .scratch = &scratch, .points = points, .count = (uint32_t)count};
    const int good = build_some(&b, out);
    tmb_arena_release(&scratch);
    return good;
}
