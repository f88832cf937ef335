/* OFF, the Geomview format. */
#include "io/writers.h"

static void write_header(tmb_writer *writer)
{
    tmb_put_text(writer, "OFF\n");
    tmb_put_unsigned(writer, writer->mesh->point_count);
    tmb_put_text(writer, " ");
    tmb_put_unsigned(writer, writer->polygon_count);
    tmb_put_text(writer, " 0\n");
}

void tmb_write_off(tmb_writer *writer)
{
    const tumble_mesh *mesh = writer->mesh;
    write_header(writer);
    for (size_t i = 0; i < mesh->point_count; i++) {
        double point[3];
        tmb_mesh_point(mesh, i, point);
        tmb_put_point(writer, point, "");
    }
    const uint32_t *corners = mesh->indices;
    for (size_t i = 0; i < writer->polygon_count; i++) {
        const uint32_t size = tmb_polygon_size(mesh, i);
        tmb_put_unsigned(writer, size);
        for (uint32_t j = 0; j < size; j++) {
            tmb_put_text(writer, " ");
            tmb_put_unsigned(writer, *corners++);
        }
        tmb_put_text(writer, "\n");
    }
}
