/* Collision shapes of robots as models. */
#include "robot_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import.h"
#include "io/mesh_buffer.h"
#include "message.h"
#include "robot_files.h"

enum {
    MOST_SIDES = 64
};

static tumble_status add_box(tumble_assembly *assembly, const double size[3], uint32_t *model)
{
    static const uint32_t corners[] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                       2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    double points[8][3];
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 3; j++) {
            points[i][j] = ((i >> (2 - j) & 1) ? 0.5 : -0.5) * size[j];
        }
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points[0], mesh.point_count = 8, mesh.indices = corners, mesh.index_count = 36;
    return tumble_assembly_add_mesh(assembly, &mesh, model);
}

/* A ball, or a capsule: a point or a segment with a radius. */
static tumble_status add_round(tumble_assembly *assembly, double radius, double length, uint32_t *model)
{
    static const uint32_t ball[] = {0, 0, 0}, capsule[] = {0, 1, 1};
    const double points[2][3] = {{0, 0, -0.5 * length}, {0, 0, 0.5 * length}};
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points[0], mesh.point_count = length > 0 ? 2 : 1;
    mesh.indices = length > 0 ? capsule : ball, mesh.index_count = 3, mesh.polygon_count = 1;
    mesh.radii = &radius;
    return tumble_assembly_add_mesh(assembly, &mesh, model);
}

/* A prism around a cylinder, with ends of one polygon each in triangles about a point on the axis. */
static tumble_status add_cylinder(tumble_assembly *assembly, double radius, double length, uint32_t *model)
{
    const double pi = 3.14159265358979323846;
    double points[2 * MOST_SIDES + 2][3];
    uint32_t corners[12 * MOST_SIDES], sides = 8;
    size_t used = 0;
    while (1 / cos(pi / sides) - 1 > CLI_CYLINDER_TOLERANCE) {
        sides += 4;
    }
    const double outer = radius / cos(pi / sides), half = length / 2;
    for (uint32_t i = 0; i < sides; i++) {
        const double angle = i * (2 * pi / sides);
        for (uint32_t end = 0; end < 2; end++) {
            double *point = points[i + end * sides];
            point[0] = outer * cos(angle), point[1] = outer * sin(angle), point[2] = end ? half : -half;
        }
        const uint32_t j = (i + 1) % sides, bottom = 2 * sides, top = bottom + 1;
        const uint32_t around[12] = {i, j, j + sides, i, j + sides, i + sides, bottom, j, i, top, i + sides, j + sides};
        memcpy(corners + used, around, sizeof around);
        used += 12;
    }
    for (uint32_t end = 0; end < 2; end++) {
        double *point = points[2 * sides + end];
        point[0] = point[1] = 0, point[2] = end ? half : -half;
    }
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points[0], mesh.point_count = 2 * sides + 2, mesh.indices = corners, mesh.index_count = used;
    return tumble_assembly_add_mesh(assembly, &mesh, model);
}

/* ---- meshes ---- */

/* The points are scaled, and the polygons of a mirror image turned around, in place. */
static void scale_mesh(tumble_mesh_buffer *buffer, const double scale[3], double metres)
{
    double *points = buffer->points.data;
    uint32_t *indices = buffer->indices.data;
    const uint32_t *sizes = buffer->has_sizes ? buffer->polygon_sizes.data : NULL;
    for (size_t i = 0; i < 3 * buffer->point_count; i++) {
        points[i] = points[i] * metres * scale[i % 3];
    }
    if (scale[0] * scale[1] * scale[2] > 0) {
        return;
    }
    for (size_t i = 0; i < buffer->polygon_count; i++) {
        const uint32_t size = sizes ? sizes[i] : 3;
        for (uint32_t j = 0; j < size / 2; j++) {
            const uint32_t swapped = indices[j];
            indices[j] = indices[size - 1 - j];
            indices[size - 1 - j] = swapped;
        }
        indices += size;
    }
}

static int is_finite_mesh(const tumble_mesh_buffer *buffer)
{
    const double *points = buffer->points.data;
    int finite = 1;
    for (size_t i = 0; i < 3 * buffer->point_count; i++) {
        finite = finite && isfinite(points[i]);
    }
    return finite;
}

/* Collada states its unit, which counts, and an axis, which does not: so does ROS. */
static int read_mesh(clash_run *run, const char *path, tumble_mesh_buffer **buffer, double *metres, const char **broken)
{
    cli_frame frame = {0, 0};
    const tumble_status status = tumble_mesh_read(run->context, path, buffer);
    *metres = 1;
    if (status == TUMBLE_ERROR_NOT_FINITE) {
        *broken = "a coordinate is NaN or infinite";
        return 0;
    }
    if (status != TUMBLE_ERROR_UNSUPPORTED) {
        return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, path);
    }
    const int error = cli_import(run->context, path, &run->settings->input, buffer, &frame);
    *metres = frame.metres > 0 ? frame.metres : 1;
    return error;
}

static int add_mesh(clash_run *run, const char *path, const double scale[3], uint32_t *model, const char **broken)
{
    tumble_mesh_buffer *buffer = NULL;
    double metres;
    int error = read_mesh(run, path, &buffer, &metres, broken);
    if (error || !buffer) {
        return error;
    }
    scale_mesh(buffer, scale, metres);
    if (buffer->polygon_count == 0 || !is_finite_mesh(buffer)) {
        *broken = buffer->polygon_count == 0 ? "no polygons" : "a coordinate is NaN or infinite";
    } else {
        const tumble_status status = tumble_assembly_add_mesh(run->assembly, &buffer->mesh, model);
        error = status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, path);
    }
    tumble_mesh_buffer_destroy(buffer);
    return error;
}

int cli_robot_model(clash_run *run, cli_robot *robot, const cli_robot_shape *shape, uint32_t *model,
                    const char **broken)
{
    const double *size = shape->size;
    const char *path;
    tumble_status status = TUMBLE_OK;
    *model = 0;
    *broken = "";
    switch (shape->kind) {
    case CLI_SHAPE_BOX: status = add_box(run->assembly, size, model); break;
    case CLI_SHAPE_SPHERE: status = add_round(run->assembly, size[0], 0, model); break;
    case CLI_SHAPE_CAPSULE: status = add_round(run->assembly, size[0], size[1], model); break;
    case CLI_SHAPE_CYLINDER: status = add_cylinder(run->assembly, size[0], size[1], model); break;
    case CLI_SHAPE_MESH:
        status = cli_robot_file(robot, shape, run->settings->robot.packages, &path);
        if (status == TUMBLE_OK) {
            return add_mesh(run, path, size, model, broken);
        }
        break;
    }
    if (status == TUMBLE_ERROR_FORMAT) {
        return cli_error("%s", tmb_last_error(run->context).text);
    }
    return status == TUMBLE_OK ? 0 : cli_library_error(run->context, status, robot->source.name);
}
