/* Climbing on a hull: Klosowski et al., section 4.1, method I. */
#ifndef TUMBLE_SRC_COLLIDE_KDOP_HULL_CLIMB_H
#define TUMBLE_SRC_COLLIDE_KDOP_HULL_CLIMB_H

#include "tree/kdop/hull/hull.h"

/* A vertex v that maximises direction . v exactly, among those of all points of the hull; `start`, any vertex, is best
 * the answer for a direction nearby. The direction is finite and may be 0. When several vertices are the highest, it
 * depends on the start which of them is returned.
 *
 * Each step goes to a vertex that is higher, exactly; so it ends on every graph that passes tmb_hull_validate. */
uint32_t tmb_hull_climb(const tmb_hull_view *hull, const double direction[3], uint32_t start);

/* The same; adds the number of points that were compared to `*compared`. */
uint32_t tmb_hull_climb_counted(const tmb_hull_view *hull, const double direction[3], uint32_t start,
                                uint64_t *compared);

#endif
