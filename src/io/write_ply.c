/* PLY, text and binary. Coordinates have the type of the mesh, lists the shortest type that suffices. */
#include "io/writers.h"

static int has_large_polygons(const tmb_writer *writer)
{
    for (size_t i = 0; writer->mesh->polygon_sizes && i < writer->polygon_count; i++) {
        if (writer->mesh->polygon_sizes[i] > UINT8_MAX) {
            return 1;
        }
    }
    return 0;
}

static void write_header(tmb_writer *writer, const char *format)
{
    const tumble_mesh *mesh = writer->mesh;
    const char *type = mesh->points_float ? "float" : "double";
    tmb_put_text(writer, "ply\nformat ");
    tmb_put_text(writer, format);
    tmb_put_text(writer, " 1.0\nelement vertex ");
    tmb_put_unsigned(writer, mesh->point_count);
    for (int i = 0; i < 3; i++) {
        const char name[2] = {"xyz"[i], '\0'};
        tmb_put_text(writer, "\nproperty ");
        tmb_put_text(writer, type);
        tmb_put_text(writer, " ");
        tmb_put_text(writer, name);
    }
    tmb_put_text(writer, "\nelement face ");
    tmb_put_unsigned(writer, writer->polygon_count);
    tmb_put_text(writer, "\nproperty list ");
    tmb_put_text(writer, has_large_polygons(writer) ? "uint" : "uchar");
    tmb_put_text(writer, mesh->point_count > INT32_MAX ? " uint" : " int");
    tmb_put_text(writer, " vertex_indices\nend_header\n");
}

static void put_bytes(tmb_writer *writer, uint64_t bits, size_t count)
{
    char *room = tmb_output_room(&writer->output);
    for (size_t i = 0; i < count; i++) {
        room[i] = (char)(unsigned char)(bits >> 8 * i);
    }
    tmb_output_advance(&writer->output, count);
}

static void put_coordinate(tmb_writer *writer, double value)
{
    uint64_t bits;
    uint32_t short_bits;
    const float rounded = (float)value; /* exact where it is used */
    memcpy(&bits, &value, sizeof bits);
    memcpy(&short_bits, &rounded, sizeof short_bits);
    if (writer->mesh->points_float) {
        put_bytes(writer, short_bits, sizeof short_bits);
    } else {
        put_bytes(writer, bits, sizeof bits);
    }
}

void tmb_write_ply(tmb_writer *writer)
{
    const tumble_mesh *mesh = writer->mesh;
    write_header(writer, "binary_little_endian");
    for (size_t i = 0; i < mesh->point_count; i++) {
        double point[3];
        tmb_mesh_point(mesh, i, point);
        for (int j = 0; j < 3; j++) {
            put_coordinate(writer, point[j]);
        }
    }
    const size_t size_bytes = has_large_polygons(writer) ? sizeof(uint32_t) : sizeof(uint8_t);
    const uint32_t *corners = mesh->indices;
    for (size_t i = 0; i < writer->polygon_count; i++) {
        const uint32_t size = tmb_polygon_size(mesh, i);
        put_bytes(writer, size, size_bytes);
        for (uint32_t j = 0; j < size; j++) {
            put_bytes(writer, *corners++, sizeof(uint32_t));
        }
    }
}

void tmb_write_ply_text(tmb_writer *writer)
{
    write_header(writer, "ascii");
    tmb_put_points_and_polygons(writer);
}
