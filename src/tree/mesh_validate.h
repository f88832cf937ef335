/* The caller's mesh: checked, and as plain triangles. */
#ifndef TUMBLE_SRC_TREE_MESH_VALIDATE_H
#define TUMBLE_SRC_TREE_MESH_VALIDATE_H

#include "base/assert.h"
#include "base/context.h"
#include "tumble/model.h"

typedef struct tmb_mesh_facts {
    size_t polygon_count;
    size_t triangle_count;     /* after triangulation */
    size_t used_count;         /* points that polygons use */
    size_t point_limit;        /* one more than the largest index */
    int is_float;              /* whether float holds all coordinates of these */
    double lower[3], upper[3]; /* their bounds, never -0; all 0 without any */
    uint64_t topology;         /* a hash of the polygons' sizes and indices, to recognise them */
} tmb_mesh_facts;

/* Whether the mesh is valid: finite coordinates, indices in range, polygons with three corners or more, sizes that fit.
 * The message names the offending item. */
tumble_status tmb_mesh_validate(tumble_context *context, const tumble_mesh *mesh, size_t *polygon_count);

/* The same, and the mesh's properties. */
tumble_status tmb_mesh_survey(tumble_context *context, uint32_t thread_count, const tumble_mesh *mesh,
                              tmb_mesh_facts *facts);

/* The same with the caller's memory: `scratch` gets room for a byte per point; NULL: all points are known to be
 * used. */
tumble_status tmb_mesh_survey_in(tumble_context *context, uint32_t thread_count, const tumble_mesh *mesh,
                                 tmb_buffer *scratch, tmb_mesh_facts *facts);

/* Bytes from one point to the next. */
static inline size_t tmb_mesh_stride(const tumble_mesh *mesh)
{
    const size_t packed = 3 * (mesh->points_float ? sizeof(float) : sizeof(double));
    return mesh->point_stride ? mesh->point_stride : packed;
}

/* A point's coordinates in double. */
static inline void tmb_mesh_point(const tumble_mesh *mesh, size_t point, double out[3])
{
    TMB_ASSERT(mesh->points || mesh->points_float);
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
