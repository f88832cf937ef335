/* The graph of a polytope from its triangulated surface. */
#include "tree/kdop/hull/graph.h"

#include <string.h>

#include "base/assert.h"

int tmb_hull_allocate(tmb_arena *arena, uint32_t count, size_t neighbour_count, tmb_hull *out)
{
    TMB_ASSERT(count == 0 || neighbour_count < 6 * (size_t)count);
    out->count = count;
    out->vertices = tmb_arena_allocate(arena, count, sizeof *out->vertices);
    out->first = tmb_arena_allocate(arena, (size_t)count + 1, sizeof *out->first);
    out->neighbours = tmb_arena_allocate(arena, neighbour_count, sizeof *out->neighbours);
    return out->vertices && out->first && out->neighbours;
}

/* Edges between vertices of the surface, as they come. */
typedef struct graph {
    uint32_t *degree; /* of each point: the edges at which the surface is bent */
    uint32_t *ends;   /* of each point: the other ends of these edges, all in one exclusive or */
    uint32_t *rank;   /* of each vertex of the hull: its number among them */
} graph;

static int is_bent(const tmb_hull_surface *s, const tmb_hull_facet *facet, int edge)
{
    TMB_ASSERT(edge >= 0 && edge < 3);
    TMB_ASSERT(facet->vertices[0] != TMB_HULL_NONE);
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
    TMB_ASSERT(from != to);
    while (g->degree[to] == 2) {
        const uint32_t next = g->ends[to] ^ from;
        from = to;
        to = next;
    }
    return to;
}

/* The vertices of the polytope in ascending order, and where their lists begin. */
static int list_vertices(tmb_arena *arena, uint32_t point_count, graph *g, tmb_hull *out)
{
    uint32_t count = 0, sum = 0;
    size_t neighbour_count = 0;
    for (uint32_t i = 0; i < point_count; i++) {
        count += g->degree[i] > 2;
        neighbour_count += g->degree[i] > 2 ? g->degree[i] : 0;
    }
    if (!tmb_hull_allocate(arena, count, neighbour_count, out)) {
        return 0;
    }
    for (uint32_t i = 0, next = 0; i < point_count; i++) {
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

int tmb_hull_graph_make(tmb_arena *arena, tmb_arena *scratch, const tmb_hull_surface *surface, uint32_t *room,
                        tmb_hull *out)
{
    graph g = {surface->owner, surface->links, room};
    memset(g.degree, 0, surface->point_count * sizeof *g.degree);
    memset(g.ends, 0, surface->point_count * sizeof *g.ends);
    find_bent_edges(surface, &g);
    if (!list_vertices(arena, surface->point_count, &g, out)) {
        return 0;
    }
    uint32_t *lists = tmb_arena_allocate(scratch, out->first[out->count], sizeof *lists);
    uint32_t *places = tmb_arena_allocate(scratch, out->count, sizeof *places);
    if (!lists || !places) {
        return 0;
    }
    memcpy(places, out->first, out->count * sizeof *places);
    list_edges(surface, &g, lists, places);
    transpose(lists, places, out);
    return 1;
}
