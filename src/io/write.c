/* Writes a mesh: checks it, calls the writer for the format, and replaces the file once it is complete. */
#include <float.h>
#include <math.h>

#include "io/extension.h"
#include "io/writers.h"

static tumble_status choose_format(tumble_context *context, const char *path, tumble_format *format)
{
    if (*format == TUMBLE_FORMAT_AUTO) {
        *format = tmb_format_of_name(path);
    }
    if (*format == TUMBLE_FORMAT_AUTO) {
        return tmb_fail(context, TUMBLE_ERROR_UNSUPPORTED,
                        "%.300s: the name must end with .obj, .off, .stl or .ply, or a format must be given", path);
    }
    if ((unsigned)*format > TUMBLE_FORMAT_PLY_TEXT) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "there is no format number %d", (int)*format);
    }
    return TUMBLE_OK;
}

static int is_float(double value)
{
    return fabs(value) <= (double)FLT_MAX && (double)(float)value == value;
}

static tumble_status check_stl(tumble_context *context, const tumble_mesh *mesh, size_t polygon_count)
{
    for (size_t i = 0; i < polygon_count; i++) {
        if (tmb_polygon_size(mesh, i) != 3) {
            return tmb_fail(context, TUMBLE_ERROR_UNSUPPORTED,
                            "polygon %zu has %u corners, but STL holds triangles only: write OBJ, OFF or PLY", i,
                            tmb_polygon_size(mesh, i));
        }
    }
    for (size_t i = 0; i < 3 * polygon_count; i++) {
        double point[3];
        tmb_mesh_point(mesh, mesh->indices[i], point);
        for (int j = 0; j < 3; j++) {
            if (!is_float(point[j])) {
                return tmb_fail(context, TUMBLE_ERROR_UNSUPPORTED,
                                "point %u has the %c coordinate %.17g, which the float numbers of STL do not hold: "
                                "write OBJ, OFF or PLY",
                                mesh->indices[i], "xyz"[j], point[j]);
            }
        }
    }
    return TUMBLE_OK;
}

void tmb_put_points_and_polygons(tmb_writer *writer)
{
    const tumble_mesh *mesh = writer->mesh;
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

static void write_format(tmb_writer *writer, tumble_format format)
{
    switch (format) {
    case TUMBLE_FORMAT_OBJ: tmb_write_obj(writer); break;
    case TUMBLE_FORMAT_OFF: tmb_write_off(writer); break;
    case TUMBLE_FORMAT_STL: tmb_write_stl(writer); break;
    case TUMBLE_FORMAT_STL_TEXT: tmb_write_stl_text(writer); break;
    case TUMBLE_FORMAT_PLY: tmb_write_ply(writer); break;
    case TUMBLE_FORMAT_PLY_TEXT: tmb_write_ply_text(writer); break;
    case TUMBLE_FORMAT_AUTO: break;
    }
}

tumble_status tumble_mesh_write(tumble_context *context, const tumble_mesh *mesh, const char *path,
                                tumble_format format)
{
    if (!context) {
        return TUMBLE_ERROR_ARGUMENT;
    }
    if (!mesh || !path) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "%s is null", mesh ? "path" : "mesh");
    }
    tmb_writer writer = {.mesh = mesh};
    tumble_status status = choose_format(context, path, &format);
    if (status == TUMBLE_OK) {
        status = tmb_mesh_validate(context, mesh, &writer.polygon_count);
    }
    if (status == TUMBLE_OK && (format == TUMBLE_FORMAT_STL || format == TUMBLE_FORMAT_STL_TEXT)) {
        status = check_stl(context, mesh, writer.polygon_count);
    }
    if (status == TUMBLE_OK) {
        status = tmb_output_open(context, path, &writer.output);
    }
    if (status != TUMBLE_OK) {
        return status;
    }
    write_format(&writer, format);
    return tmb_output_commit(&writer.output);
}
