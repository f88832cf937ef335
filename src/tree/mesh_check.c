/* Checks what a caller hands in. */
#include "tree/mesh_check.h"

#include <math.h>

#include "tree/boxtree.h"

static tumble_status check_arrays(tumble_context *context, const tumble_mesh *mesh)
{
    if (mesh->size != sizeof *mesh) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                        "mesh: start from tumble_default_mesh (its size field is %zu, not %zu)", mesh->size,
                        sizeof *mesh);
    }
    if (mesh->points && mesh->points_float) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "mesh: both points and points_float are given");
    }
    if (mesh->point_count && !mesh->points && !mesh->points_float) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "mesh: %zu points are announced but none are given",
                        mesh->point_count);
    }
    if (mesh->index_count && !mesh->indices) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "mesh: %zu indices are announced but none are given",
                        mesh->index_count);
    }
    const size_t coordinate = mesh->points_float ? sizeof(float) : sizeof(double);
    const uintptr_t address = (uintptr_t)(mesh->points_float ? (const void *)mesh->points_float : mesh->points);
    if (tmb_mesh_stride(mesh) < 3 * coordinate || tmb_mesh_stride(mesh) % coordinate != 0 ||
        address % coordinate != 0) {
        return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                        "mesh: the stride of %zu bytes or the address of the points does not suit their type",
                        mesh->point_stride);
    }
    if (mesh->point_count > SIZE_MAX / tmb_mesh_stride(mesh)) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "mesh: %zu points of %zu bytes do not fit into memory",
                        mesh->point_count, tmb_mesh_stride(mesh));
    }
    if (mesh->point_count > UINT32_MAX) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "mesh: %zu points are more than 32-bit indices can count",
                        mesh->point_count);
    }
    return TUMBLE_OK;
}

/* x - x is 0 for finite x and NaN otherwise, so one sum tells of many points. */
static int points_are_finite(const tumble_mesh *mesh, size_t begin, size_t end)
{
    double sum = 0;
    for (size_t i = begin; i < end; i++) {
        double p[3];
        tmb_mesh_point(mesh, i, p);
        sum += (p[0] - p[0]) + (p[1] - p[1]) + (p[2] - p[2]);
    }
    return sum == 0;
}

static tumble_status name_bad_point(tumble_context *context, const tumble_mesh *mesh)
{
    for (size_t i = 0; i < mesh->point_count; i++) {
        double p[3];
        tmb_mesh_point(mesh, i, p);
        for (int k = 0; k < 3; k++) {
            if (!isfinite(p[k])) {
                return tmb_fail(context, TUMBLE_ERROR_NOT_FINITE, "point %zu: its %c is %g", i, "xyz"[k], p[k]);
            }
        }
    }
    return TUMBLE_OK;
}

static tumble_status check_points(tumble_context *context, const tumble_mesh *mesh)
{
    const size_t batch = 4096;
    for (size_t i = 0; i < mesh->point_count; i += batch) {
        const size_t end = mesh->point_count - i < batch ? mesh->point_count : i + batch;
        if (!points_are_finite(mesh, i, end)) {
            return name_bad_point(context, mesh);
        }
    }
    return TUMBLE_OK;
}

static tumble_status check_sizes(tumble_context *context, const tumble_mesh *mesh, size_t *polygon_count,
                                 size_t *triangle_count)
{
    if (!mesh->polygon_sizes) {
        const size_t count = mesh->index_count / 3;
        if (mesh->index_count % 3 != 0 || (mesh->polygon_count && mesh->polygon_count != count)) {
            return tmb_fail(context, TUMBLE_ERROR_ARGUMENT, "mesh: %zu indices do not make %zu triangles",
                            mesh->index_count, mesh->polygon_count ? mesh->polygon_count : count);
        }
        *polygon_count = *triangle_count = count;
    } else {
        size_t corners = 0;
        for (size_t i = 0; i < mesh->polygon_count; i++) {
            if (mesh->polygon_sizes[i] < 3) {
                return tmb_fail(context, TUMBLE_ERROR_POLYGON, "polygon %zu has %u corners, at least 3 are needed", i,
                                mesh->polygon_sizes[i]);
            }
            if (__builtin_add_overflow(corners, mesh->polygon_sizes[i], &corners) || corners > mesh->index_count) {
                return tmb_fail(context, TUMBLE_ERROR_INDEX, "polygon %zu ends behind the last of %zu indices", i,
                                mesh->index_count);
            }
        }
        if (corners != mesh->index_count) {
            return tmb_fail(context, TUMBLE_ERROR_ARGUMENT,
                            "mesh: the polygons have %zu corners but there are %zu indices", corners,
                            mesh->index_count);
        }
        *polygon_count = mesh->polygon_count;
        *triangle_count = corners - 2 * mesh->polygon_count;
    }
    if (*triangle_count > TMB_TWO_TRIANGLES) {
        return tmb_fail(context, TUMBLE_ERROR_TOO_LARGE, "mesh: %zu triangles, a model holds at most %zu",
                        *triangle_count, TMB_TWO_TRIANGLES);
    }
    return TUMBLE_OK;
}

static tumble_status name_bad_index(tumble_context *context, const tumble_mesh *mesh, size_t bad)
{
    size_t polygon = bad / 3, corner = bad % 3;
    if (mesh->polygon_sizes) {
        corner = bad;
        for (polygon = 0; corner >= mesh->polygon_sizes[polygon]; polygon++) {
            corner -= mesh->polygon_sizes[polygon];
        }
    }
    return tmb_fail(context, TUMBLE_ERROR_INDEX, "polygon %zu, corner %zu: there is no point %u, only %zu points",
                    polygon, corner, mesh->indices[bad], mesh->point_count);
}

static tumble_status check_indices(tumble_context *context, const tumble_mesh *mesh)
{
    for (size_t i = 0; i < mesh->index_count; i++) {
        if (mesh->indices[i] >= mesh->point_count) {
            return name_bad_index(context, mesh, i);
        }
    }
    return TUMBLE_OK;
}

tumble_status tmb_mesh_check(tumble_context *context, const tumble_mesh *mesh, size_t *polygon_count,
                             size_t *triangle_count)
{
    tumble_status status = check_arrays(context, mesh);
    if (status == TUMBLE_OK) {
        status = check_sizes(context, mesh, polygon_count, triangle_count);
    }
    if (status == TUMBLE_OK) {
        status = check_points(context, mesh);
    }
    return status == TUMBLE_OK ? check_indices(context, mesh) : status;
}
