/* STL, binary and text. The caller guarantees triangles only, with coordinates that float holds exactly. */
#include <math.h>

#include "base/assert.h"
#include "io/writers.h"

/* The unit normal, or zeros for a triangle without area. Products of floats cannot overflow a double. */
static void find_normal(double corners[3][3], double normal[3])
{
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = corners[1][i] - corners[0][i];
        v[i] = corners[2][i] - corners[0][i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = u[j] * v[k] - u[k] * v[j];
    }
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int i = 0; i < 3; i++) {
        normal[i] = length > 0 ? normal[i] / length : 0;
    }
}

static void load_triangle(const tumble_mesh *mesh, size_t triangle, double corners[3][3])
{
    TMB_ASSERT(3 * triangle + 3 <= mesh->index_count);
    for (size_t i = 0; i < 3; i++) {
        tmb_mesh_point(mesh, mesh->indices[3 * triangle + i], corners[i]);
    }
}

static unsigned char *store_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> 8 * i);
    }
    return at + 4;
}

static unsigned char *store_floats(unsigned char *at, const double point[3])
{
    for (int i = 0; i < 3; i++) {
        const float value = (float)point[i];
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        at = store_u32(at, bits);
    }
    return at;
}

void tmb_write_stl(tmb_writer *writer)
{
    unsigned char header[84] = "binary STL"; /* must not start with the word of text files */
    store_u32(header + 80, (uint32_t)writer->polygon_count);
    tmb_output_write(&writer->output, header, sizeof header);
    for (size_t i = 0; i < writer->polygon_count; i++) {
        unsigned char bytes[50] = {0};
        double corners[3][3], normal[3];
        load_triangle(writer->mesh, i, corners);
        find_normal(corners, normal);
        unsigned char *at = store_floats(bytes, normal);
        for (int j = 0; j < 3; j++) {
            at = store_floats(at, corners[j]);
        }
        tmb_output_write(&writer->output, bytes, sizeof bytes);
    }
}

void tmb_write_stl_text(tmb_writer *writer)
{
    tmb_put_text(writer, "solid\n");
    for (size_t i = 0; i < writer->polygon_count; i++) {
        double corners[3][3], normal[3];
        load_triangle(writer->mesh, i, corners);
        find_normal(corners, normal);
        tmb_put_point(writer, normal, "facet normal ");
        tmb_put_text(writer, "outer loop\n");
        for (int j = 0; j < 3; j++) {
            tmb_put_point(writer, corners[j], "vertex ");
        }
        tmb_put_text(writer, "endloop\nendfacet\n");
    }
    tmb_put_text(writer, "endsolid\n");
}
