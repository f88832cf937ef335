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
    write_header(writer);
    tmb_put_points_and_polygons(writer);
}
