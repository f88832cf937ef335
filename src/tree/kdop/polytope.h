/* The polytope that a k-DOP is: its corners and edges, from its k bounds.
 *
 * Bounds are moved outward to integer multiples of a unit, at most 2^-38 of the largest one, relative to a centre.
 * Directions have the components 0, 1 and -1, and for k = 12 also the golden ratio g. So the corner of three planes is
 * a quotient of integers (for k = 12: of numbers a + b g), and the side of a fourth plane on which it lies is the sign
 * of such a number. These signs are never wrong.
 *
 * The polytope is kept as its dual, in which a plane is a point and a corner, where three planes meet, is a triangle;
 * planes come one by one, as in an incremental convex hull. A corner that lies on the new plane counts as inside. This
 * is what exact signs give when bound l is larger by an infinitesimal e_l, each infinitely larger than those of all
 * planes before it: a corner of earlier planes that lies on plane l is then off it by e_l, and inside. The planes are
 * therefore in general position, whatever the bounds are: each corner belongs to just three planes, those that a new
 * plane cuts off are a disc of the dual's triangles, and flat sets, needles and single points need no special case.
 * Where more than three planes meet, there are several corners with the same coordinates. */
#ifndef TUMBLE_SRC_TREE_KDOP_POLYTOPE_H
#define TUMBLE_SRC_TREE_KDOP_POLYTOPE_H

#include "tree/kdop/sets.h"

/* A polytope with k sides of which no four meet has 2 k - 4 corners and 3 k - 6 edges at most. */
#define TMB_POLYTOPE_CORNERS (2 * TMB_KDOP_MOST - 4)
#define TMB_POLYTOPE_EDGES (3 * TMB_KDOP_MOST - 6)

typedef struct tmb_polytope_edge {
    uint8_t from, to;    /* corners */
    uint8_t left, right; /* lanes of the sides that meet there: seen from outside, left is on the left hand */
} tmb_polytope_edge;

typedef struct tmb_polytope {
    double unit;                             /* local units in one unit; a power of two */
    double centre[3];                        /* whole numbers of units */
    double bounds[TMB_KDOP_MOST];            /* in units, for points that are given relative to the centre */
    double corners[TMB_POLYTOPE_CORNERS][3]; /* likewise, each coordinate to less than a unit */
    tmb_polytope_edge edges[TMB_POLYTOPE_EDGES];
    uint32_t corner_count, edge_count; /* both 0: no point satisfies all bounds */
} tmb_polytope;

/* The k-DOP whose bounds are moved outward by `margin` times the length of their direction. Bounds are finite and below
 * 2^100 or so. */
void tmb_polytope_of(uint32_t k, const float *bounds, double margin, tmb_polytope *out);

#endif
