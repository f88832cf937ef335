/* Rings of neighbours: which polygons are reached from one by common corners, in so many steps. */
#ifndef TUMBLE_SRC_SELF_RINGS_H
#define TUMBLE_SRC_SELF_RINGS_H

#include "self/self.h"

/* For more than one ring; 0 if memory runs out. */
int tmb_self_rings_begin(tmb_self *self, tmb_self_rings *rings);

/* Whether two polygons are within so many rings of each other; -1: memory ran out. */
int tmb_self_are_neighbours(const tmb_self *self, tmb_self_part *part, uint32_t pa, uint32_t pb);

#endif
