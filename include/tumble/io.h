/* Tumble: mesh files and saved models. */
#ifndef TUMBLE_IO_H
#define TUMBLE_IO_H

#include "base.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading meshes ---- */

typedef enum tumble_format {
    TUMBLE_FORMAT_AUTO = 0, /* reading: by the contents; writing: by the file name */
    TUMBLE_FORMAT_OBJ = 1,
    TUMBLE_FORMAT_OFF = 2,
    TUMBLE_FORMAT_STL = 3,      /* reading: text or binary; writing: binary */
    TUMBLE_FORMAT_STL_TEXT = 4, /* writing */
    TUMBLE_FORMAT_PLY = 5,      /* reading: text or binary of either byte order; writing: binary, little endian */
    TUMBLE_FORMAT_PLY_TEXT = 6  /* writing */
} tumble_format;

/* Polygons from a file, one for each polygon of the file, in order, degenerate ones included. Points with equal
 * coordinates are merged. OBJ objects, groups and materials are surfaces, and so are the solids of a text STL. */
typedef struct tumble_mesh_buffer tumble_mesh_buffer;

/* Reads OBJ, OFF, STL or PLY, with coordinates in double. A file without faces, such as a point cloud, gives a mesh
 * without polygons: check polygon_count.
 *
 * Errors: TUMBLE_ERROR_UNSUPPORTED  none of these formats
 *         TUMBLE_ERROR_FORMAT       damaged; the message names the line or the byte
 *         TUMBLE_ERROR_FILE, TUMBLE_ERROR_MEMORY */
TUMBLE_API tumble_status tumble_mesh_read(tumble_context *context, const char *path, tumble_mesh_buffer **out);
TUMBLE_API tumble_status tumble_mesh_read_memory(tumble_context *context, const void *data, size_t size,
                                                 tumble_format format, tumble_mesh_buffer **out);
TUMBLE_API const tumble_mesh *tumble_mesh_buffer_mesh(const tumble_mesh_buffer *buffer);
TUMBLE_API void tumble_mesh_buffer_destroy(tumble_mesh_buffer *buffer);

/* The file's name for a surface, not necessarily unique: "object/group/material" as far as an OBJ file has them, the
 * solid of a text STL. Returns the length of the whole name, 0 if there is none. Copies at most `capacity` bytes into
 * `text`, always terminated; `text` may be NULL if `capacity` is 0. */
TUMBLE_API size_t tumble_mesh_buffer_surface_name(const tumble_mesh_buffer *buffer, uint32_t surface, char *text,
                                                  size_t capacity);

/* What the reader stepped over although it does not belong in such a file, for example "line 3: 'Created' does not
 * belong in a PLY header". Copies and returns like tumble_mesh_buffer_surface_name; 0: nothing. */
TUMBLE_API size_t tumble_mesh_buffer_warning(const tumble_mesh_buffer *buffer, char *text, size_t capacity);

/* Connected parts, as surfaces for a mesh that has none. Polygons that share an edge belong together unless the surface
 * bends there by more than `crease` degrees, 0 to 180: the faces of a cube bend by 90, and 180 joins everything. Points
 * with equal coordinates are one point; at an edge of several polygons each two are compared, whatever their
 * orientation; polygons without area join the part of a neighbour. Angles are exact to 0.0001 degrees.
 *
 * `surface_ids` receives a number per polygon, from 0 in the order of the parts' first polygons, and `count`, which may
 * be NULL, the number of parts. Both are unchanged after an error. `surface_ids` may be the mesh's own array. */
TUMBLE_API tumble_status tumble_mesh_components(tumble_context *context, const tumble_mesh *mesh, double crease,
                                                uint32_t *surface_ids, uint32_t *count);

/* ---- Writing meshes ---- */

/* Writes under a temporary name and renames, so that there is never half a file. STL holds triangles with float
 * coordinates only: anything else fails with TUMBLE_ERROR_UNSUPPORTED. */
TUMBLE_API tumble_status tumble_mesh_write(tumble_context *context, const tumble_mesh *mesh, const char *path,
                                           tumble_format format);

/* ---- Saved models ---- */

/* A model with its hierarchy, as a file. Loading maps the file into memory; it must not change while the model exists.
 * A damaged file fails with TUMBLE_ERROR_FORMAT. */
TUMBLE_API tumble_status tumble_model_save(const tumble_model *model, const char *path);
TUMBLE_API tumble_status tumble_model_load(tumble_context *context, const char *path, tumble_model **out);

/* Whether a file starts like a saved model. */
TUMBLE_API tumble_status tumble_is_model_file(tumble_context *context, const char *path, bool *out);

#ifdef __cplusplus
}
#endif

#endif
