/* The convex hull of points: its vertices and its edges, exactly.
 *
 * Klosowski et al. keep the hull of the whole object with the root of a hierarchy of k-DOPs and find the extremal
 * points of a turned object by climbing from neighbour to neighbour (section 4.1, method I). That is right only where
 * hull and graph are right: a vertex that is missing loses collisions, and a vertex inside a face, around which a
 * direction sees only ties, is a trap. Hence the hull is that of the given doubles, by exact predicates, and the graph
 * is that of the polytope: its vertices are the extreme points and nothing else, its edges are the edges of the
 * polytope and not the diagonals of a triangulation of its faces. It depends on the set of points only, not on their
 * order. */
#ifndef TUMBLE_SRC_TREE_KDOP_HULL_HULL_H
#define TUMBLE_SRC_TREE_KDOP_HULL_HULL_H

#include "base/arena.h"

/* As it is stored. Vertex v stands at points[v] and has the neighbours neighbours[first[v]] to neighbours[first[v+1]-1]
 * in ascending order. Points that lie in a plane have a ring, points on a line two vertices that are neighbours, equal
 * points one vertex without any. */
typedef struct tmb_hull_view {
    const double (*points)[3];
    const uint32_t *first; /* count + 1 */
    const uint32_t *neighbours;
    uint32_t count;
} tmb_hull_view;

typedef struct tmb_hull {
    uint32_t count;
    uint32_t *vertices; /* the numbers of the points, ascending; of equal points it is one */
    uint32_t *first;    /* count + 1; the last is the number of neighbours, less than 6 * count */
    uint32_t *neighbours;
} tmb_hull;

#define TMB_HULL_LIMIT ((size_t)1 << 29)

/* The hull of finite points, at most TMB_HULL_LIMIT, of any size and in any position; no point gives no vertex. What it
 * returns is the arena's; temporary memory is freed. Takes O(n log n) steps for every set of points unless their order
 * is adversarial (see surface.h). Returns 0 if memory runs out. */
int tmb_hull_build(tmb_arena *arena, const double (*points)[3], size_t count, tmb_hull *out);

/* Whether a graph that came from outside is one that climbing can walk on: at least one vertex, finite points, lists in
 * range, in order, symmetric and without loops; `neighbour_count` is the room that there is for neighbours. Like the
 * bounds of a loaded hierarchy's nodes, that the points are the hull of the model is not checked: it would take longer
 * than building the hull again. The block's checksum guards against accidents. */
int tmb_hull_validate(const tmb_hull_view *hull, uint64_t neighbour_count);

#endif
