/* The surface of the hull of points that are not in one plane, as triangles; of hull.c alone.
 *
 * Randomised incremental construction (Clarkson, Shor, Applications of random sampling in computational geometry II,
 * 1989): points are added one by one, and each point that waits outside the surface knows one facet that it lies
 * above. A point takes away the facets that it lies above and is joined to the horizon, the edges around them; points
 * that waited at the removed facets search for a new one.
 *
 * Every decision is exact (tmb_orient3d), and a facet is "seen" by points strictly above it only. Therefore:
 *  - A point outside the surface sees some facet, as the polytope is the intersection of the facets' half-spaces.
 *  - No facet is degenerate: each horizon edge belongs to a facet that the new point lies strictly above, so the point
 *    is not on the line of the edge.
 *  - The facets that a point sees are connected, and around a vertex they form one run, as these are the facets of a
 *    convex cone. So the horizon is one cycle that passes each vertex once.
 *  - A point that waited at a removed facet and is still outside sees a new facet. For it sees some facet, and if that
 *    is an old one it saw it before; as what it saw is connected, it saw two facets f, gone, and g, kept, that share a
 *    horizon edge. The new facet at this edge has a plane between theirs, that is, a normal that is a sum of theirs
 *    with weights that are not negative, so a point above both is above it.
 *  - Points in the plane of a facet do not see it; they attach to its neighbours, and a flat face is made of several
 *    triangles, perhaps with vertices inside the face or inside its edges; graph.c removes them.
 *
 * Work. Whatever facet a point waits at, it waits at a facet not more than once, and the number of pairs (facet that
 * was ever made, point above it) is O(n log n) on average over the orders of insertion (Clarkson and Shor). The order
 * here is that of rounds, each with twice the points of the one before, drawn by a hash of the points' numbers and in
 * ascending order inside a round. This keeps the bound and the locality that meshes have (Amenta, Choi, Rote,
 * Incremental constructions con BRIO, 2003). Choosing the furthest point instead, as Quickhull does, is often fast but
 * has no such bound, and there are no furthest points on a plane that has been turned and rounded. */
#ifndef TUMBLE_SRC_TREE_KDOP_HULL_SURFACE_H
#define TUMBLE_SRC_TREE_KDOP_HULL_SURFACE_H

#include "base/context.h"

#define TMB_HULL_NONE UINT32_MAX

/* A triangle that turns left seen from outside. */
typedef struct tmb_hull_facet {
    double normal[3], offset, bound; /* of the rounded plane; see tmb_hull_side */
    uint32_t vertices[3];            /* the first is TMB_HULL_NONE: not in use */
    uint32_t neighbours[3];          /* across the edge from vertex k to the next */
    uint32_t waiting;                /* the first of the points that wait here, or when not in use the next such */
    uint32_t seen;                   /* by the point that is being added */
} tmb_hull_facet;

/* Set the first four and leave the rest 0. */
typedef struct tmb_hull_surface {
    tumble_context *context;
    const double (*points)[3];
    uint32_t point_count;
    double reach[3]; /* the largest |coordinate| along each axis */
    tmb_buffer facets, seen, horizon;
    uint32_t facet_count; /* in `facets`, also those that are not in use */
    uint32_t free;
    uint32_t *owner; /* of each point: the facet that it waits at, or TMB_HULL_NONE */
    uint32_t *links; /* of each point: the next that waits there; of a vertex on the horizon: the edge that leaves it */
} tmb_hull_surface;

/* Makes the surface from four points that are not in a plane. `owner` and `links` have room for a number of each point
 * and are free to use afterwards; so is `order`. Returns 0 if memory runs out. */
int tmb_hull_surface_make(tmb_hull_surface *surface, const uint32_t simplex[4], uint32_t *order);
void tmb_hull_surface_release(tmb_hull_surface *surface);

/* -1: the point is below the facet's plane, 0: in it, 1: above. Exact. */
int tmb_hull_side(const tmb_hull_surface *surface, const tmb_hull_facet *facet, const double point[3]);

static inline tmb_hull_facet *tmb_hull_facets(const tmb_hull_surface *surface)
{
    return surface->facets.data;
}

#endif
