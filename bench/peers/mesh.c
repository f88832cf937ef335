/* The meshes that all libraries get. */
#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "subject.h"
#include "tumble/io.h"
#include "tumble/model.h"

static void set_view(peers_mesh *mesh, size_t point_count, size_t triangle_count)
{
    mesh->view = (peer_mesh){mesh->points, point_count, mesh->indices, triangle_count};
}

/* Whether the cross product of two edges is not 0. */
static int has_area(const double *points, const uint32_t *triangle)
{
    const double *a = points + 3 * (size_t)triangle[0], *b = points + 3 * (size_t)triangle[1],
                 *c = points + 3 * (size_t)triangle[2];
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    return u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2] || u[0] * v[1] != u[1] * v[0];
}

static void leave_out_degenerate(peers_mesh *mesh)
{
    size_t kept = 0;
    for (size_t i = 0; i < mesh->view.triangle_count; i++) {
        if (has_area(mesh->points, mesh->indices + 3 * i)) {
            memmove(mesh->indices + 3 * kept++, mesh->indices + 3 * i, 3 * sizeof *mesh->indices);
        }
    }
    if (kept == 0) {
        bench_fail("%s has no triangles", mesh->name);
    }
    mesh->view.triangle_count = kept;
}

/* The number, among a polygon's corners, of the one at a place. */
static uint32_t corner_at(const models_mesh *mesh, size_t start, uint32_t count, const double place[3])
{
    for (uint32_t i = 0; i < count; i++) {
        const double *p = mesh->points + 3 * (size_t)mesh->indices[start + i];
        if (p[0] == place[0] && p[1] == place[1] && p[2] == place[2]) {
            return mesh->indices[start + i];
        }
    }
    bench_fail("a corner of a triangle is none of its polygon");
}

/* The triangles into which Tumble cuts the polygons. */
static void cut(peers_mesh *out, const models_mesh *mesh, tumble_context *context)
{
    const tumble_mesh view = models_view(mesh);
    size_t *starts = bench_allocate(mesh->polygon_count + 1, sizeof *starts);
    const size_t count = models_triangle_count(mesh);
    tumble_model_options options = tumble_default_model_options();
    tumble_model *model = NULL;
    options.hierarchy = TUMBLE_HIERARCHY_BRUTE;
    bench_require(tumble_model_create(context, &view, &options, &model), context, out->name);
    for (size_t i = 0; i < mesh->polygon_count; i++) {
        starts[i + 1] = starts[i] + mesh->polygon_sizes[i];
    }
    for (size_t i = 0; i < count; i++) {
        double corners[3][3];
        uint32_t polygon = 0;
        bench_require(tumble_model_triangle(model, (uint32_t)i, corners, &polygon), context, out->name);
        for (int k = 0; k < 3; k++) {
            out->indices[3 * i + (size_t)k] =
                corner_at(mesh, starts[polygon], mesh->polygon_sizes[polygon], corners[k]);
        }
    }
    tumble_model_destroy(model);
    free(starts);
}

peers_mesh peers_mesh_take(models_mesh *mesh, const char *name)
{
    peers_mesh out = {.points = NULL};
    tumble_context *context = NULL;
    const size_t count = models_triangle_count(mesh);
    bench_require(tumble_context_create(NULL, &context), NULL, "a context");
    snprintf(out.name, sizeof out.name, "%s", name);
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        mesh->points[i] = (double)(float)mesh->points[i];
    }
    out.indices = bench_allocate(3 * count, sizeof *out.indices);
    if (3 * mesh->polygon_count == mesh->index_count) {
        memcpy(out.indices, mesh->indices, 3 * count * sizeof *out.indices);
    } else {
        cut(&out, mesh, context);
    }
    out.points = mesh->points;
    mesh->points = NULL;
    set_view(&out, mesh->point_count, count);
    leave_out_degenerate(&out);
    models_free(mesh);
    tumble_context_destroy(context);
    return out;
}

static models_mesh read_mesh(const char *path, tumble_context *context)
{
    models_mesh mesh;
    tumble_mesh_buffer *buffer = NULL;
    bench_require(tumble_mesh_read(context, path, &buffer), context, path);
    const tumble_mesh *view = tumble_mesh_buffer_mesh(buffer);
    const uint32_t *corners = view->indices;
    memset(&mesh, 0, sizeof mesh);
    for (size_t i = 0; i < view->point_count; i++) {
        models_point(&mesh, view->points[3 * i], view->points[3 * i + 1], view->points[3 * i + 2]);
    }
    const size_t polygons = view->polygon_sizes ? view->polygon_count : view->index_count / 3;
    for (size_t i = 0; i < polygons; i++) {
        const uint32_t size = view->polygon_sizes ? view->polygon_sizes[i] : 3;
        models_polygon(&mesh, corners, size);
        corners += size;
    }
    tumble_mesh_buffer_destroy(buffer);
    if (mesh.failed) {
        bench_fail("no memory for %s", path);
    }
    models_fit(&mesh, 2, 1);
    return mesh;
}

/* "folder/part.obj" -> "part"; blanks and commas would be taken for ends of words. */
static peers_mesh read_peers_mesh(const char *path)
{
    char name[sizeof((peers_mesh *)0)->name];
    tumble_context *context = NULL;
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot) {
        *dot = '\0';
    }
    for (char *c = name; *c; c++) {
        *c = *c == ' ' || *c == ',' ? '_' : *c;
    }
    bench_require(tumble_context_create(NULL, &context), NULL, "a context");
    models_mesh mesh = read_mesh(path, context);
    tumble_context_destroy(context);
    return peers_mesh_take(&mesh, name);
}

peers_mesh peers_mesh_shape(const char *name, size_t triangles, double seed)
{
    char label[sizeof((peers_mesh *)0)->name];
    models_mesh mesh = bench_make_mesh(name, triangles, seed);
    if (triangles >= 1000 && triangles % 1000 == 0) {
        snprintf(label, sizeof label, "%.40s-%zuk", name, triangles / 1000);
    } else {
        snprintf(label, sizeof label, "%.40s-%zu", name, triangles);
    }
    return peers_mesh_take(&mesh, label);
}

static size_t shape_count(const peers_options *options)
{
    return strcmp(options->meshes.items[0], "none") == 0 ? 0 : options->meshes.count;
}

size_t peers_mesh_count(const peers_options *options)
{
    return shape_count(options) * options->triangles.count + options->files.count;
}

peers_mesh peers_mesh_make(const peers_options *options, size_t index)
{
    const size_t sizes = options->triangles.count, shapes = shape_count(options) * sizes;
    if (index < shapes) {
        return peers_mesh_shape(options->meshes.items[index / sizes], (size_t)options->triangles.items[index % sizes],
                                options->seed);
    }
    return read_peers_mesh(options->files.items[index - shapes]);
}

peers_mesh peers_mesh_scaled(const peers_mesh *mesh, double factor)
{
    peers_mesh out = *mesh;
    const size_t numbers = 3 * mesh->view.point_count, corners = 3 * mesh->view.triangle_count;
    out.points = bench_allocate(numbers, sizeof *out.points);
    out.indices = bench_allocate(corners, sizeof *out.indices);
    memcpy(out.indices, mesh->indices, corners * sizeof *out.indices);
    for (size_t i = 0; i < numbers; i++) {
        out.points[i] = (double)(float)(factor * mesh->points[i]);
    }
    set_view(&out, mesh->view.point_count, mesh->view.triangle_count);
    return out;
}

void peers_mesh_free(peers_mesh *mesh)
{
    free(mesh->points);
    free(mesh->indices);
    memset(mesh, 0, sizeof *mesh);
}
