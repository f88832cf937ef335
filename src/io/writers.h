/* The writers, one per format, and what they share. Only the output can fail, which it reports at the end. */
#ifndef TUMBLE_SRC_IO_WRITERS_H
#define TUMBLE_SRC_IO_WRITERS_H

#include <string.h>

#include "base/assert.h"
#include "io/file.h"
#include "io/number.h"
#include "tree/mesh_validate.h"
#include "tumble/io.h"

typedef struct tmb_writer {
    const tumble_mesh *mesh; /* checked */
    size_t polygon_count;
    tmb_output output;
} tmb_writer;

/* As OFF and PLY have them in text: a line per point, then one per polygon with its size and its corners. */
void tmb_put_points_and_polygons(tmb_writer *writer);

void tmb_write_obj(tmb_writer *writer);
void tmb_write_off(tmb_writer *writer);
void tmb_write_stl(tmb_writer *writer);
void tmb_write_stl_text(tmb_writer *writer);
void tmb_write_ply(tmb_writer *writer);
void tmb_write_ply_text(tmb_writer *writer);

static inline uint32_t tmb_polygon_size(const tumble_mesh *mesh, size_t polygon)
{
    TMB_ASSERT(polygon < mesh->polygon_count || !mesh->polygon_sizes);
    return mesh->polygon_sizes ? mesh->polygon_sizes[polygon] : 3;
}

static inline void tmb_put_text(tmb_writer *writer, const char *text)
{
    tmb_output_write(&writer->output, text, strlen(text));
}

static inline void tmb_put_unsigned(tmb_writer *writer, uint64_t value)
{
    tmb_output_advance(&writer->output, tmb_format_unsigned(value, tmb_output_room(&writer->output)));
}

/* A line: `before`, then the coordinates. */
static inline void tmb_put_point(tmb_writer *writer, const double point[3], const char *before)
{
    for (int i = 0; i < 3; i++) {
        tmb_put_text(writer, i ? " " : before);
        tmb_output_advance(&writer->output, tmb_format_double(point[i], tmb_output_room(&writer->output)));
    }
    tmb_put_text(writer, "\n");
}

#endif
