/* Tumble: mesh files and saved models. */
#ifndef TUMBLE_IO_H
#define TUMBLE_IO_H

#include "base.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tumble_format {
    TUMBLE_FORMAT_AUTO = 0, /* by the contents when reading, by the name when writing */
    TUMBLE_FORMAT_OBJ = 1,
    TUMBLE_FORMAT_OFF = 2,
    TUMBLE_FORMAT_STL = 3,      /* reading: text or binary */
    TUMBLE_FORMAT_STL_TEXT = 4, /* writing */
    TUMBLE_FORMAT_PLY = 5,      /* reading: text or binary of either byte order; writing: binary, little endian */
    TUMBLE_FORMAT_PLY_TEXT = 6  /* writing */
} tumble_format;

/* Polygons read from a file. One polygon of the file is one polygon here, in order, degenerate ones included; points
 * with equal coordinates are one point; OBJ groups, objects and materials are surfaces,
 * and so are the solids of a text STL. */
typedef struct tumble_mesh_buffer tumble_mesh_buffer;

/* Reads OBJ, OFF, STL or PLY. TUMBLE_ERROR_UNSUPPORTED: none of these. The message of TUMBLE_ERROR_FORMAT names the
 * line or the byte. A file without faces, such as a point cloud, gives a mesh without polygons: check polygon_count. */
TUMBLE_API tumble_status tumble_mesh_read(tumble_context *context, const char *path, tumble_mesh_buffer **out);
TUMBLE_API tumble_status tumble_mesh_read_memory(tumble_context *context, const void *data, size_t size,
                                                 tumble_format format, tumble_mesh_buffer **out);
TUMBLE_API const tumble_mesh *tumble_mesh_buffer_mesh(const tumble_mesh_buffer *buffer);
TUMBLE_API void tumble_mesh_buffer_destroy(tumble_mesh_buffer *buffer);

/* The name that the file gives a surface, which need not be its alone: of an OBJ file object, group and material with
 * slashes between them, as far as they are there; of a text STL the solid's. Copies at most `capacity` bytes into
 * `text`, always terminated, which may be null when `capacity` is 0, and returns the whole name's length; 0: there is
 * none. */
TUMBLE_API size_t tumble_mesh_buffer_surface_name(const tumble_mesh_buffer *buffer, uint32_t surface, char *text,
                                                  size_t capacity);

/* What the reader stepped over although it does not belong in such a file, for example "line 3: 'Created' does not
 * belong in a PLY header". Copies and returns like tumble_mesh_buffer_surface_name; 0: nothing. */
TUMBLE_API size_t tumble_mesh_buffer_warning(const tumble_mesh_buffer *buffer, char *text, size_t capacity);

/* Surfaces for a mesh that brings none: its connected parts. Polygons that share an edge belong together unless they
 * bend there by more than `crease` degrees, 0 to 180: 0 in one plane, 90 at the edges of a cube, 180 never. Points with
 * equal coordinates are one; at an edge of several polygons each two are compared, however they are turned; polygons
 * without area neither join nor separate others, and go with one that they share an edge with. Angles are good to
 * 0.0001 degrees.
 *
 * `surface_ids` receives a number for each polygon, from 0 in the order of the parts' first polygons, and `count`,
 * which may be null, how many parts there are. After a failure both are as they were. The mesh's own ids are not looked
 * at, and may be overwritten. */
TUMBLE_API tumble_status tumble_mesh_components(tumble_context *context, const tumble_mesh *mesh, double crease,
                                                uint32_t *surface_ids, uint32_t *count);

/* Writes under a temporary name and renames: there is never half a file. STL holds triangles only and float
 * coordinates: polygons with more corners, and coordinates that float does not hold, are refused. */
TUMBLE_API tumble_status tumble_mesh_write(tumble_context *context, const tumble_mesh *mesh, const char *path,
                                           tumble_format format);

/* A model with its hierarchy as a file, and back: mapped into memory, so the file must stay as it is while the model
 * lives. A damaged file is refused with TUMBLE_ERROR_FORMAT. */
TUMBLE_API tumble_status tumble_model_save(const tumble_model *model, const char *path);
TUMBLE_API tumble_status tumble_model_load(tumble_context *context, const char *path, tumble_model **out);

/* Whether a file starts like a saved model. */
TUMBLE_API tumble_status tumble_is_model_file(tumble_context *context, const char *path, int *out);

#ifdef __cplusplus
}
#endif

#endif
