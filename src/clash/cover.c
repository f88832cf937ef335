/* Vertex covers: rules that lose nothing, exact search of small pieces, greed for the rest. */
#include "clash/cover.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEPS = 200000 /* of a search; then the best cover so far is taken */
};

typedef struct graph {
    size_t count;
    size_t *starts; /* of each vertex's neighbours; one more than there are vertices */
    uint32_t *neighbours;
    uint32_t *degrees; /* edges to vertices that are alive */
    uint8_t *is_alive, *covers;
    uint32_t *pendant; /* a stack of vertices that may have one edge */
    size_t pendant_count, pendant_room;
    uint32_t *piece;  /* vertices of a piece */
    uint32_t *places; /* of vertices, in the piece */
    uint32_t *rounds; /* of vertices: the last round in which their piece was found to be large */
    uint32_t round;
} graph;

/* ---- the graph ---- */

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts each vertex's neighbours and drops those that come twice. */
static void tidy(graph *g)
{
    size_t used = 0;
    for (size_t v = 0; v < g->count; v++) {
        const size_t begin = g->starts[v], end = begin + g->degrees[v];
        const size_t first = used;
        qsort(g->neighbours + begin, end - begin, sizeof *g->neighbours, compare_numbers);
        for (size_t i = begin; i < end; i++) {
            if (used == first || g->neighbours[used - 1] != g->neighbours[i]) {
                g->neighbours[used++] = g->neighbours[i];
            }
        }
        g->starts[v] = first;
        g->degrees[v] = (uint32_t)(used - first);
    }
    g->starts[g->count] = used;
}

static void fill(graph *g, const tmb_edge *edges, size_t edge_count)
{
    memset(g->starts, 0, (g->count + 1) * sizeof *g->starts);
    memset(g->degrees, 0, g->count * sizeof *g->degrees);
    for (size_t i = 0; i < edge_count; i++) {
        g->starts[edges[i].a + 1]++;
        g->starts[edges[i].b + 1]++;
    }
    for (size_t v = 0; v < g->count; v++) {
        g->starts[v + 1] += g->starts[v];
    }
    for (size_t i = 0; i < edge_count; i++) {
        g->neighbours[g->starts[edges[i].a] + g->degrees[edges[i].a]++] = edges[i].b;
        g->neighbours[g->starts[edges[i].b] + g->degrees[edges[i].b]++] = edges[i].a;
    }
    tidy(g);
    memset(g->is_alive, 1, g->count);
    memset(g->covers, 0, g->count);
}

static void kill(graph *g, uint32_t vertex, int covers)
{
    g->is_alive[vertex] = 0;
    g->covers[vertex] = (uint8_t)covers;
    for (size_t i = g->starts[vertex]; i < g->starts[vertex + 1]; i++) {
        const uint32_t other = g->neighbours[i];
        if (g->is_alive[other] && --g->degrees[other] == 1 && g->pendant_count < g->pendant_room) {
            g->pendant[g->pendant_count++] = other;
        }
    }
    g->degrees[vertex] = 0;
}

/* Of a vertex with one edge, its neighbour covers as much as it does, and more. */
static void take_pendants(graph *g)
{
    while (g->pendant_count > 0) {
        const uint32_t vertex = g->pendant[--g->pendant_count];
        if (!g->is_alive[vertex] || g->degrees[vertex] != 1) {
            continue;
        }
        size_t i = g->starts[vertex];
        while (!g->is_alive[g->neighbours[i]]) {
            i++;
        }
        kill(g, g->neighbours[i], 1);
    }
}

/* ---- small pieces ---- */

typedef struct search {
    uint64_t neighbours[TMB_COVER_EXACT];
    uint64_t best;
    int best_size;
    size_t steps;
} search;

static int count_bits(uint64_t bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* The vertex of `left` with most edges in it; the first of equal ones. */
static int busiest(const search *s, uint64_t left, int *degree)
{
    int found = 0;
    *degree = -1;
    for (int v = 0; v < TMB_COVER_EXACT; v++) {
        const int edges = left >> v & 1 ? count_bits(s->neighbours[v] & left) : -1;
        if (edges > *degree) {
            *degree = edges;
            found = v;
        }
    }
    return found;
}

/* Either a vertex is in the cover, or all of its neighbours are. */
static void find_best(search *s, uint64_t left, uint64_t chosen, int size)
{
    int degree;
    const int vertex = busiest(s, left, &degree);
    if (size >= s->best_size) {
        return;
    }
    if (degree <= 0) {
        s->best = chosen;
        s->best_size = size;
        return;
    }
    if (s->steps++ >= MOST_STEPS) {
        return;
    }
    const uint64_t bit = (uint64_t)1 << vertex, around = s->neighbours[vertex] & left;
    find_best(s, left & ~bit, chosen | bit, size + 1);
    if (degree > 1) {
        find_best(s, left & ~bit & ~around, chosen | around, size + count_bits(around));
    }
}

static size_t give_up(graph *g, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        g->rounds[g->piece[i]] = g->round;
    }
    return 0;
}

/* All vertices that are joined with one, as far as there are few. Returns how many, or 0: more. */
static size_t gather_piece(graph *g, uint32_t start)
{
    size_t count = 1;
    g->piece[0] = start;
    g->places[start] = 0;
    for (size_t at = 0; at < count; at++) {
        const uint32_t vertex = g->piece[at];
        for (size_t i = g->starts[vertex]; i < g->starts[vertex + 1]; i++) {
            const uint32_t other = g->neighbours[i];
            const uint32_t place = g->places[other];
            if (!g->is_alive[other] || (place < count && g->piece[place] == other)) {
                continue;
            }
            if (count == TMB_COVER_EXACT || g->rounds[other] == g->round) {
                return give_up(g, count);
            }
            g->places[other] = (uint32_t)count;
            g->piece[count++] = other;
        }
    }
    return count;
}

static void cover_piece(graph *g, size_t count)
{
    search s = {.best_size = TMB_COVER_EXACT + 1};
    uint64_t all = 0;
    for (size_t v = 0; v < count; v++) {
        all |= (uint64_t)1 << v;
        for (size_t i = g->starts[g->piece[v]]; i < g->starts[g->piece[v] + 1]; i++) {
            if (g->is_alive[g->neighbours[i]]) {
                s.neighbours[v] |= (uint64_t)1 << g->places[g->neighbours[i]];
            }
        }
    }
    find_best(&s, all, 0, 0);
    for (size_t v = 0; v < count; v++) {
        g->is_alive[g->piece[v]] = 0;
        g->covers[g->piece[v]] = (uint8_t)(s.best >> v & 1);
        g->degrees[g->piece[v]] = 0;
    }
}

/* ---- large ones ---- */

/* The vertex with most edges; the first of equal ones. */
static uint32_t find_busiest(const graph *g)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < g->count; v++) {
        best = g->degrees[v] > g->degrees[best] ? v : best;
    }
    return best;
}

/* Takes vertices with most edges, as long as they still have so many. Returns 0 if there are no edges left. */
static int take_busiest(graph *g)
{
    const uint32_t most = g->count ? g->degrees[find_busiest(g)] : 0;
    for (uint32_t v = 0; v < g->count && most > 0; v++) {
        if (g->is_alive[v] && g->degrees[v] == most) {
            kill(g, v, 1);
            take_pendants(g);
        }
    }
    return most > 0;
}

static void take_small_pieces(graph *g)
{
    g->round++;
    for (uint32_t v = 0; v < g->count; v++) {
        const int is_new = g->is_alive[v] && g->degrees[v] > 0 && g->rounds[v] != g->round;
        const size_t count = is_new ? gather_piece(g, v) : 0;
        if (count > 0) {
            cover_piece(g, count);
        }
    }
}

static int allocate(tumble_context *context, graph *g, size_t edge_count)
{
    const size_t n = g->count;
    g->starts = tmb_allocate(context, n + 1, sizeof *g->starts);
    g->neighbours = tmb_allocate(context, 2 * edge_count, sizeof *g->neighbours);
    g->degrees = tmb_allocate(context, n, sizeof *g->degrees);
    g->is_alive = tmb_allocate(context, n, 1);
    g->pendant_room = 2 * edge_count + n; /* each is pushed once at first, and once when it loses an edge */
    g->pendant = tmb_allocate(context, g->pendant_room, sizeof *g->pendant);
    g->piece = tmb_allocate(context, TMB_COVER_EXACT, sizeof *g->piece);
    g->places = tmb_allocate(context, n, sizeof *g->places);
    g->rounds = tmb_allocate(context, n, sizeof *g->rounds);
    return g->rounds && g->starts && g->neighbours && g->degrees && g->is_alive && g->pendant && g->piece && g->places;
}

int tmb_cover(tumble_context *context, const tmb_edge *edges, size_t edge_count, size_t vertex_count, uint8_t *covers)
{
    graph g = {.count = vertex_count, .covers = covers};
    const int has_room = allocate(context, &g, edge_count);
    if (has_room) {
        memset(g.places, 0, vertex_count * sizeof *g.places);
        memset(g.rounds, 0, vertex_count * sizeof *g.rounds);
        fill(&g, edges, edge_count);
        for (uint32_t v = 0; v < vertex_count; v++) {
            if (g.degrees[v] == 1) {
                g.pendant[g.pendant_count++] = v;
            }
        }
        do {
            take_pendants(&g);
            take_small_pieces(&g);
        } while (take_busiest(&g));
    }
    void *memory[] = {g.starts, g.neighbours, g.degrees, g.is_alive, g.pendant, g.piece, g.places, g.rounds};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        tmb_release(context, memory[i]);
    }
    return has_room;
}
