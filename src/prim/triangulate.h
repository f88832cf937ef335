/* Triangulates polygons. */
#ifndef TUMBLE_SRC_PRIM_TRIANGULATE_H
#define TUMBLE_SRC_PRIM_TRIANGULATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

/* Cuts a polygon with `count` >= 3 corners into exactly count - 2 triangles that use its corners: `triangles` receives
 * 3 * (count - 2) corner numbers from 0 to count - 1, each triangle turning the way the polygon does. Concave polygons
 * get the triangulation of their area; corners that coincide or lie on a line give triangles without area; polygons
 * that are not flat are cut along the projection along their Newell normal; polygons that cross themselves get some
 * triangulation, in which every corner is used. `scratch` is reused between calls. Returns 0 if memory runs out. */
int tmb_triangulate(tumble_context *context, tmb_buffer *scratch, const double (*corners)[3], size_t count,
                    uint32_t *triangles);

#endif
