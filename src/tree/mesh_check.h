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
static inline size_t tmb_mesh_stride(const tumble_mesh *mesh)
{
    const size_t packed = 3 * (mesh->points_float ? sizeof(float) : sizeof(double));
    return mesh->point_stride ? mesh->point_stride : packed;
}

/* A point's coordinates in double. */
static inline void tmb_mesh_point(const tumble_mesh *mesh, size_t point, double out[3])
{
    const size_t offset = point * tmb_mesh_stride(mesh);
    if (mesh->points_float) {
        const float *p = (const float *)((const char *)mesh->points_float + offset);
        out[0] = p[0], out[1] = p[1], out[2] = p[2];
    } else {
        const double *p = (const double *)((const char *)mesh->points + offset);
        out[0] = p[0], out[1] = p[1], out[2] = p[2];
    }
}

#endif
