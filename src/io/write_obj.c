/* Wavefront OBJ. Each run of polygons of one surface is a group with the surface's number in its name. */
#include "io/writers.h"

static void write_face(tmb_writer *writer, const uint32_t *corners, uint32_t count)
{
    tmb_put_text(writer, "f");
    for (uint32_t i = 0; i < count; i++) {
        tmb_put_text(writer, " ");
        tmb_put_unsigned(writer, (uint64_t)corners[i] + 1);
    }
    tmb_put_text(writer, "\n");
}

void tmb_write_obj(tmb_writer *writer)
{
    const tumble_mesh *mesh = writer->mesh;
    for (size_t i = 0; i < mesh->point_count; i++) {
        double point[3];
        tmb_mesh_point(mesh, i, point);
        tmb_put_point(writer, point, "v ");
    }
    const uint32_t *corners = mesh->indices, *surfaces = mesh->surface_ids;
    for (size_t i = 0; i < writer->polygon_count; i++) {
        if (surfaces && (i == 0 || surfaces[i] != surfaces[i - 1])) {
            tmb_put_text(writer, "g surface_");
            tmb_put_unsigned(writer, surfaces[i]);
            tmb_put_text(writer, "\n");
        }
        write_face(writer, corners, tmb_polygon_size(mesh, i));
        corners += tmb_polygon_size(mesh, i);
    }
}
