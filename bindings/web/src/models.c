/* Models and mesh files. */
#include "web.h"

#include <stdio.h>

static int give_model(tumble_status status, const tumble_model *model)
{
    const double result = status == TUMBLE_OK ? web_address(model) : 0;
    web_results(&result, 1);
    return (int)status;
}

int web_model(const void *points, size_t point_count, size_t stride, const uint32_t *indices, size_t index_count,
              const uint32_t *sizes, size_t polygon_count, const uint32_t *surfaces, const double *radii, int hierarchy,
              int flags, double radius)
{
    tumble_mesh mesh = tumble_default_mesh();
    if ((flags & WEB_FLOATS) != 0) {
        mesh.points_float = points;
    } else {
        mesh.points = points;
    }
    mesh.point_count = point_count;
    mesh.point_stride = stride;
    mesh.indices = indices;
    mesh.index_count = index_count;
    mesh.polygon_sizes = sizes;
    mesh.polygon_count = polygon_count;
    mesh.surface_ids = surfaces;
    mesh.radii = radii;
    tumble_model_options options = tumble_default_model_options();
    options.hierarchy = (tumble_hierarchy)hierarchy;
    options.deformable = (flags & WEB_DEFORMABLE) != 0;
    options.radius = radius;
    tumble_model *model = NULL;
    return give_model(tumble_model_create(web.context, &mesh, &options, &model), model);
}

int web_model_from_block(const void *block, size_t size)
{
    tumble_model *model = NULL;
    return give_model(tumble_model_from_block(web.context, block, size, true, &model), model);
}

int web_model_block(const tumble_model *model)
{
    size_t size = 0;
    const void *block = tumble_model_block(model, &size);
    const double results[2] = {web_address(block), (double)size};
    web_results(results, 2);
    return block ? TUMBLE_OK : TUMBLE_ERROR_MEMORY;
}

int web_model_info(const tumble_model *model)
{
    tumble_model_info info;
    const tumble_status status = tumble_model_get_info(model, &info);
    if (status == TUMBLE_OK) {
        const double *l = info.lower, *u = info.upper;
        const double results[] = {(double)info.polygon_count,
                                  (double)info.triangle_count,
                                  (double)info.point_count,
                                  (double)info.surface_count,
                                  (double)info.degenerate_count,
                                  info.closed,
                                  info.radius,
                                  l[0],
                                  l[1],
                                  l[2],
                                  u[0],
                                  u[1],
                                  u[2],
                                  info.hierarchy,
                                  (double)info.node_count,
                                  info.depth,
                                  (double)info.total_bytes};
        web_results(results, sizeof results / sizeof *results);
    }
    return (int)status;
}

int web_model_triangles(const tumble_model *model, uint32_t count, double *corners, uint32_t *polygons)
{
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < count && status == TUMBLE_OK; i++) {
        double triangle[3][3];
        status = tumble_model_triangle(model, i, triangle, &polygons[i]);
        for (int k = 0; k < 9; k++) {
            corners[9 * (size_t)i + (size_t)k] = triangle[k / 3][k % 3];
        }
    }
    return (int)status;
}

int web_model_destroy(tumble_model *model)
{
    return (int)tumble_model_destroy(model);
}

/* ---- Mesh files ---- */

int web_mesh_read(const void *data, size_t size, int format)
{
    tumble_mesh_buffer *buffer = NULL;
    const tumble_status status = tumble_mesh_read_memory(web.context, data, size, (tumble_format)format, &buffer);
    if (status == TUMBLE_OK) {
        const tumble_mesh *mesh = tumble_mesh_buffer_mesh(buffer);
        const double results[] = {web_address(buffer),
                                  web_address(mesh->points),
                                  (double)mesh->point_count,
                                  web_address(mesh->indices),
                                  (double)mesh->index_count,
                                  web_address(mesh->polygon_sizes),
                                  (double)(mesh->polygon_sizes ? mesh->polygon_count : mesh->index_count / 3),
                                  web_address(mesh->surface_ids)};
        web_results(results, sizeof results / sizeof *results);
    }
    return (int)status;
}

void web_mesh_release(tumble_mesh_buffer *buffer)
{
    tumble_mesh_buffer_destroy(buffer);
}

static char text[1024];

const char *web_mesh_surface_name(const tumble_mesh_buffer *buffer, uint32_t surface)
{
    text[0] = '\0';
    tumble_mesh_buffer_surface_name(buffer, surface, text, sizeof text);
    return text;
}

const char *web_mesh_warning(const tumble_mesh_buffer *buffer)
{
    text[0] = '\0';
    tumble_mesh_buffer_warning(buffer, text, sizeof text);
    return text;
}
