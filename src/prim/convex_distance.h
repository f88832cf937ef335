/* The distance of two convex solids: polygons' triangles, and cylinders with flat ends. */
#ifndef TUMBLE_SRC_PRIM_CONVEX_DISTANCE_H
#define TUMBLE_SRC_PRIM_CONVEX_DISTANCE_H

#include "math/scaled.h"

/* A closed triangle, segment or point; or the cylinder around the segment of its first two corners, which differ. */
typedef struct tmb_convex {
    double corners[3][3];
    int is_cylinder;
    tmb_scaled radius; /* of a cylinder; else 0 */
} tmb_convex;

typedef struct tmb_convex_distance {
    double lower, upper; /* proven bounds; a lower one of 0 says nothing */
    double value;        /* between them */
    double points[2][3]; /* on both, up to rounding */
} tmb_convex_distance;

/* In doubles, or in pairs of doubles if they leave more than some of their roundings between both bounds. For all
 * finite numbers. */
void tmb_convex_distance_fast(const tmb_convex *a, const tmb_convex *b, tmb_convex_distance *out);

/* In pairs of doubles: mostly the bounds are next to each other. */
void tmb_convex_distance_sharp(const tmb_convex *a, const tmb_convex *b, tmb_convex_distance *out);

/* Whether their distance is at most a limit: no only if that is proven, and always if they are farther apart by more
 * than 2^-40 of the largest length, between points of both or a radius. `exact` is incremented if doubles could not
 * decide. */
int tmb_convex_within(const tmb_convex *a, const tmb_convex *b, const tmb_limit *limit, unsigned long long *exact);

/* How far they are surely apart along a direction; 0: nothing is sure. */
double tmb_convex_apart_along(const tmb_convex *a, const tmb_convex *b, const double way[3]);

#endif
