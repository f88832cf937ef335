/* The caller's mesh: checked, and as plain triangles. */
#ifndef TUMBLE_SRC_TREE_MESH_CHECK_H
#define TUMBLE_SRC_TREE_MESH_CHECK_H

#include "base/context.h"
#include "tumble/model.h"

/* Whether the mesh is one: finite coordinates, indices in range, polygons with three corners or more, sizes that fit.
 * The message names the offending item. `polygon_count` receives the number of polygons, `triangle_count` that after
 * triangulation. */
tumble_status tmb_mesh_check(tumble_context *context, const tumble_mesh *mesh, size_t *polygon_count,
                             size_t *triangle_count);

/* Bytes from one point to the next. */
size_t tmb_mesh_stride(const tumble_mesh *mesh);

/* A point's coordinates in double. */
void tmb_mesh_point(const tumble_mesh *mesh, size_t point, double out[3]);

#endif
