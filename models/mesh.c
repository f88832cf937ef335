/* The mesh that the generators fill. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"

/* The array with room for `more` items after the first `count`; NULL, and nothing has changed, if memory runs out. */
static void *make_room(void *array, size_t *capacity, size_t count, size_t more, size_t size)
{
    if (more <= *capacity - count) {
        return array;
    }
    const size_t wanted = (count + more > 2 * *capacity ? count + more : 2 * *capacity) + 16;
    void *grown = wanted <= SIZE_MAX / size ? realloc(array, wanted * size) : NULL;
    if (grown) {
        *capacity = wanted;
    }
    return grown;
}

uint32_t models_point(models_mesh *mesh, double x, double y, double z)
{
    double *points = NULL;
    if (!mesh->failed && mesh->point_count < UINT32_MAX) {
        points = make_room(mesh->points, &mesh->point_capacity, mesh->point_count, 1, 3 * sizeof *points);
    }
    if (!points) {
        mesh->failed = 1;
        return 0;
    }
    mesh->points = points;
    points += 3 * mesh->point_count;
    points[0] = x;
    points[1] = y;
    points[2] = z;
    return (uint32_t)mesh->point_count++;
}

/* Room for one more polygon: its corners, and its size and surface, whose arrays grow together. */
static int make_polygon_room(models_mesh *mesh, size_t corners)
{
    uint32_t *indices = make_room(mesh->indices, &mesh->index_capacity, mesh->index_count, corners, sizeof *indices);
    if (!indices) {
        return 0;
    }
    mesh->indices = indices;
    size_t capacity = mesh->polygon_capacity;
    uint32_t *sizes = make_room(mesh->polygon_sizes, &capacity, mesh->polygon_count, 1, sizeof *sizes);
    if (!sizes) {
        return 0;
    }
    mesh->polygon_sizes = sizes;
    uint32_t *surfaces =
        make_room(mesh->surface_ids, &mesh->polygon_capacity, mesh->polygon_count, 1, sizeof *surfaces);
    if (!surfaces) {
        return 0;
    }
    mesh->surface_ids = surfaces;
    return 1;
}

void models_polygon(models_mesh *mesh, const uint32_t *corners, uint32_t count)
{
    if (mesh->failed || !make_polygon_room(mesh, count)) {
        mesh->failed = 1;
        return;
    }
    memcpy(&mesh->indices[mesh->index_count], corners, count * sizeof *corners);
    mesh->index_count += count;
    mesh->polygon_sizes[mesh->polygon_count] = count;
    mesh->surface_ids[mesh->polygon_count++] = mesh->surface;
}

void models_triangle(models_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    models_polygon(mesh, (const uint32_t[]){a, b, c}, 3);
}

void models_quad(models_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    models_polygon(mesh, (const uint32_t[]){a, b, c, d}, 4);
}

void models_free(models_mesh *mesh)
{
    free(mesh->points);
    free(mesh->indices);
    free(mesh->polygon_sizes);
    free(mesh->surface_ids);
    memset(mesh, 0, sizeof *mesh);
}

void models_append(models_mesh *mesh, const models_mesh *other, const tumble_pose *pose)
{
    const uint32_t first = (uint32_t)mesh->point_count, surface = mesh->surface;
    for (size_t i = 0; i < other->point_count; i++) {
        double point[3];
        memcpy(point, &other->points[3 * i], sizeof point);
        if (pose) {
            tumble_pose_apply(pose, &other->points[3 * i], point);
        }
        models_point(mesh, point[0], point[1], point[2]);
    }
    const uint32_t *indices = other->indices;
    for (size_t i = 0; i < other->polygon_count && !mesh->failed; i++) {
        mesh->surface = surface + other->surface_ids[i];
        models_polygon(mesh, indices, other->polygon_sizes[i]);
        for (size_t k = mesh->index_count - other->polygon_sizes[i]; k < mesh->index_count && !mesh->failed; k++) {
            mesh->indices[k] += first;
        }
        indices += other->polygon_sizes[i];
    }
    mesh->surface = surface;
    mesh->failed |= other->failed;
}

size_t models_triangle_count(const models_mesh *mesh)
{
    return mesh->index_count - 2 * mesh->polygon_count;
}

tumble_mesh models_view(const models_mesh *mesh)
{
    tumble_mesh view = tumble_default_mesh();
    view.points = mesh->points;
    view.point_count = mesh->point_count;
    view.indices = mesh->indices;
    view.index_count = mesh->index_count;
    view.polygon_count = mesh->polygon_count;
    view.surface_ids = mesh->surface_ids;
    view.polygon_sizes = mesh->index_count == 3 * mesh->polygon_count ? NULL : mesh->polygon_sizes;
    return view;
}

void models_fit(models_mesh *mesh, double size, int as_float)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0;
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        lower[i % 3] = fmin(lower[i % 3], mesh->points[i]);
        upper[i % 3] = fmax(upper[i % 3], mesh->points[i]);
    }
    for (int k = 0; k < 3; k++) {
        extent = fmax(extent, upper[k] - lower[k]);
    }
    const double scale = extent > 0 ? size / extent : 1;
    for (size_t i = 0; i < 3 * mesh->point_count; i++) {
        const double shifted = (mesh->points[i] - (lower[i % 3] + upper[i % 3]) / 2) * scale;
        mesh->points[i] = as_float ? (double)(float)shifted : shifted;
    }
}

/* ---- Closedness ---- */

/* An open-addressing set of directed edges, as numbers from * 2^32 + to + 1; 0 is an empty place. */
typedef struct edge_set {
    uint64_t *places;
    size_t mask;
} edge_set;

static uint64_t *edge_place(const edge_set *set, uint32_t from, uint32_t to)
{
    const uint64_t edge = ((uint64_t)from << 32 | to) + 1;
    size_t place = (size_t)(edge * 0x9e3779b97f4a7c15u >> 20) & set->mask;
    while (set->places[place] && set->places[place] != edge) {
        place = (place + 1) & set->mask;
    }
    return &set->places[place];
}

/* Adds all edges; 0 when one comes twice or is no edge. */
static int collect_edges(const models_mesh *mesh, edge_set *set)
{
    const uint32_t *corners = mesh->indices;
    for (size_t i = 0; i < mesh->polygon_count; corners += mesh->polygon_sizes[i++]) {
        for (uint32_t k = 0, size = mesh->polygon_sizes[i]; k < size; k++) {
            const uint32_t from = corners[k], to = corners[k + 1 < size ? k + 1 : 0];
            uint64_t *place = edge_place(set, from, to);
            if (*place || from == to) {
                return 0;
            }
            *place = ((uint64_t)from << 32 | to) + 1;
        }
    }
    return 1;
}

static int edges_are_paired(const edge_set *set)
{
    for (size_t i = 0; i <= set->mask; i++) {
        const uint64_t edge = set->places[i] - 1;
        if (set->places[i] && !*edge_place(set, (uint32_t)edge, (uint32_t)(edge >> 32))) {
            return 0;
        }
    }
    return 1;
}

int models_is_closed(const models_mesh *mesh)
{
    edge_set set = {NULL, 15};
    while (set.mask < 2 * mesh->index_count) {
        set.mask = 2 * set.mask + 1;
    }
    set.places = calloc(set.mask + 1, sizeof *set.places);
    const int closed = set.places && collect_edges(mesh, &set) && edges_are_paired(&set);
    free(set.places);
    return closed;
}

double models_volume(const models_mesh *mesh)
{
    double volume = 0;
    const uint32_t *corners = mesh->indices;
    for (size_t i = 0; i < mesh->polygon_count; corners += mesh->polygon_sizes[i++]) {
        const double *a = &mesh->points[3 * (size_t)corners[0]];
        for (uint32_t k = 1; k + 1 < mesh->polygon_sizes[i]; k++) {
            const double *b = &mesh->points[3 * (size_t)corners[k]], *c = &mesh->points[3 * (size_t)corners[k + 1]];
            volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
    }
    return volume / 6;
}
