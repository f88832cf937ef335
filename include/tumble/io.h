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
 * line or the byte. */
TUMBLE_API tumble_status tumble_mesh_read(tumble_context *context, const char *path, tumble_mesh_buffer **out);
TUMBLE_API tumble_status tumble_mesh_read_memory(tumble_context *context, const void *data, size_t size,
                                                 tumble_format format, tumble_mesh_buffer **out);
TUMBLE_API const tumble_mesh *tumble_mesh_buffer_mesh(const tumble_mesh_buffer *buffer);
TUMBLE_API void tumble_mesh_buffer_destroy(tumble_mesh_buffer *buffer);

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
