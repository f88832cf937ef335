/* Polygons with several triangles: what two of them share, and whether they meet outside of that.
 *
 * An edge of a polygon is one that an odd number of its triangles have: not the diagonals along which it was cut. */
#ifndef TUMBLE_SRC_SELF_POLYGONS_H
#define TUMBLE_SRC_SELF_POLYGONS_H

#include "self/self.h"

/* Lists the triangles of each polygon; 0 if memory runs out. */
int tmb_self_list_polygons(tmb_self *self);

/* The addresses of a polygon's triangles. */
static inline const uint32_t *tmb_self_triangles_of(const tmb_self *self, uint32_t polygon, size_t *count)
{
    const uint32_t *first = self->scratch->polygon_starts.data, *triangles = self->scratch->polygon_triangles.data;
    *count = first[polygon + 1] - first[polygon];
    return triangles + first[polygon];
}

/* Two triangles, by their addresses, of polygons of which one has several: have they a point in common outside of what
 * the polygons share? `exact` as ever; -1: memory ran out. */
int tmb_self_polygons_meet(const tmb_self *self, uint32_t ta, uint32_t tb, unsigned long long *exact);

/* How two polygons meet that do; 0: memory ran out. NEAR if they are only within the clearance. */
tumble_self_kind tmb_self_polygon_kind(const tmb_self *self, uint32_t pa, uint32_t pb);

/* Whether two polygons have a common corner. */
int tmb_self_polygons_share(const tmb_self *self, uint32_t pa, uint32_t pb);

#endif
