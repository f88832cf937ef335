/* The mesh that a reader fills: growing arrays, then one pass that merges equal points. */
#ifndef TUMBLE_SRC_IO_MESH_BUFFER_H
#define TUMBLE_SRC_IO_MESH_BUFFER_H

#include "base/assert.h"
#include "base/context.h"
#include "math/vec3.h"
#include "tumble/io.h"

#define TMB_MOST_POINTS ((size_t)UINT32_MAX - 1)
#define TMB_MOST_POLYGONS ((size_t)UINT32_MAX - 1)

#define TMB_NAME_PARTS 3

struct tumble_mesh_buffer {
    tumble_context *context;
    tmb_buffer points; /* doubles */
    size_t point_count;
    tmb_buffer indices; /* as are the next two: uint32_t */
    size_t index_count;
    tmb_buffer polygon_sizes; /* unused while all polygons are triangles */
    tmb_buffer surface_ids;   /* unused while all polygons are of surface 0 */
    size_t polygon_count;
    size_t polygon_start; /* first corner of the polygon that is being added */
    int has_sizes, has_surfaces;
    tmb_buffer names;         /* their texts, one after the other, not terminated */
    tmb_buffer name_ends;     /* size_t */
    tmb_buffer surface_names; /* of each surface TMB_NAME_PARTS numbers of names plus one; 0: none */
    size_t name_count, named_count;
    char warning[200]; /* what the reader skipped; empty: nothing */
    int is_soup;       /* corner i is point i: no indices are kept until the points are merged */
    tumble_mesh mesh;  /* the result, once finished */
};

/* Make one, add points, corners and polygons in any order, finish it. Destroy it with tumble_mesh_buffer_destroy, also
 * after a failure. All of these report failures to the context. */
tumble_status tmb_mesh_buffer_create(tumble_context *context, tumble_mesh_buffer **out);

/* Makes room for `count` more, which can then be added without running out of memory. */
tumble_status tmb_mesh_reserve_points(tumble_mesh_buffer *buffer, size_t count);
tumble_status tmb_mesh_reserve_corners(tumble_mesh_buffer *buffer, size_t count);

/* Coordinates must be finite: callers know how to name the place where they are not. */
static inline tumble_status tmb_mesh_add_point(tumble_mesh_buffer *buffer, const double point[3])
{
    TMB_ASSERT(tmb_all_finite(point, 3));
    if ((buffer->point_count + 1) * 3 * sizeof(double) > buffer->points.capacity ||
        buffer->point_count >= TMB_MOST_POINTS) {
        const tumble_status status = tmb_mesh_reserve_points(buffer, 1);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    double *room = (double *)buffer->points.data + 3 * buffer->point_count++;
    room[0] = point[0], room[1] = point[1], room[2] = point[2];
    return TUMBLE_OK;
}

/* Adds a corner to the polygon that is being made. The index must be in range when the buffer is finished. */
static inline tumble_status tmb_mesh_add_corner(tumble_mesh_buffer *buffer, uint32_t index)
{
    if ((buffer->index_count + 1) * sizeof(uint32_t) > buffer->indices.capacity) {
        const tumble_status status = tmb_mesh_reserve_corners(buffer, 1);
        if (status != TUMBLE_OK) {
            return status;
        }
    }
    ((uint32_t *)buffer->indices.data)[buffer->index_count++] = index;
    return TUMBLE_OK;
}

/* The corners added since the last polygon, at least three, are one. */
tumble_status tmb_mesh_end_polygon(tumble_mesh_buffer *buffer, uint32_t surface);

/* For files that have corners only: all points are the corners of triangles, three by three, or as many per polygon as
 * tmb_mesh_end_soup_polygon was given. */
tumble_status tmb_mesh_end_soup_polygon(tumble_mesh_buffer *buffer, size_t corners, uint32_t surface);

/* Names of surfaces. Texts are added once, and each surface, in the order of their numbers, gets up to three of them:
 * so the memory is linear in the file's length, however long the names are. *number becomes that of the text plus one;
 * 0, which stands for no name, when it is empty. */
tumble_status tmb_mesh_add_name(tumble_mesh_buffer *buffer, const char *text, size_t length, uint32_t *number);
tumble_status tmb_mesh_name_surface(tumble_mesh_buffer *buffer, const uint32_t names[TMB_NAME_PARTS]);

/* Merges points with equal coordinates, in the order in which they first appear; -0 becomes 0. */
tumble_status tmb_mesh_buffer_finish(tumble_mesh_buffer *buffer);

#endif
