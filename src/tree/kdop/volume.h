/* Volume, surface and vertices of a k-DOP. */
#ifndef TUMBLE_SRC_TREE_KDOP_VOLUME_H
#define TUMBLE_SRC_TREE_KDOP_VOLUME_H

#include "tree/kdop/sets.h"

/* Volume and surface of the intersection of all half-spaces, whose bounds are first moved outward by `margin` times the
 * length of their direction: 0 when it is empty. Planes are exact to 2^-38 of the largest bound, sums to 2^-60 of its
 * cube. */
typedef struct tmb_kdop_size {
    double volume, area;
} tmb_kdop_size;
tmb_kdop_size tmb_kdop_size_of(uint32_t k, const float *bounds, double margin);

/* The volume of the k-DOP of a set of points, that is one all of whose bounds are as small as they can be. The same as
 * above up to rounding errors, and much faster for k = 6 and k = 18. */
double tmb_kdop_volume(uint32_t k, const float *bounds, double margin);

/* The same estimated, ten times as fast or more: see tree/kdop/estimate.c. */
double tmb_kdop_volume_estimate(uint32_t k, const float *bounds, double margin);

/* Vertices of a k-DOP, in local coordinates below 2, into room for 2 k - 4: returns how many. They are moved a little
 * and merged where they are close together, so that for each unit vector u the largest u . v is at least that over the
 * k-DOP minus TMB_KDOP_VERTEX_ERROR. None when the k-DOP is empty. */
uint32_t tmb_kdop_vertices(uint32_t k, const float *bounds, float (*out)[3]);

#endif
