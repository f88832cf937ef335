/* The readers, one per format. Each adds what the file has to an empty mesh buffer and does not finish it. */
#ifndef TUMBLE_SRC_IO_READERS_H
#define TUMBLE_SRC_IO_READERS_H

#include "io/mesh_buffer.h"
#include "io/text.h"

tumble_status tmb_read_obj(const tmb_source *source, tumble_mesh_buffer *buffer);
tumble_status tmb_read_off(const tmb_source *source, tumble_mesh_buffer *buffer);
tumble_status tmb_read_stl(const tmb_source *source, tumble_mesh_buffer *buffer);
tumble_status tmb_read_ply(const tmb_source *source, tumble_mesh_buffer *buffer);

/* Whether the file looks like one, from its start. */
int tmb_looks_like_obj(const tmb_source *source);
int tmb_looks_like_off(const tmb_source *source);
int tmb_looks_like_stl(const tmb_source *source);
int tmb_looks_like_ply(const tmb_source *source);

#endif
