/* Triangles out of models and meshes, and back into a mesh. */
#include "tree/edit/soup.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tree/key_set.h"
#include "tree/mesh_cut.h"

void tmb_soup_add_clusters(tmb_soup *soup, const tumble_model *model, uint32_t first, uint32_t count)
{
    for (uint32_t cluster = first; cluster < first + count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            const uint32_t address = tmb_triangle_address(cluster, t);
            tmb_soup_triangle *out = &soup->triangles[soup->count++];
            tmb_model_corners(model, address, out->corners);
            out->polygon = tmb_model_polygon(model, address);
            out->reserved = 0;
        }
    }
}

void tmb_soup_bounds(const tmb_soup_triangle *triangles, size_t count, double lower[3], double upper[3])
{
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
        for (size_t i = 0; i < 3 * count; i++) {
            const double x = triangles[i / 3].corners[i % 3][k] + 0.0; /* a zero is positive */
            lower[k] = x < lower[k] ? x : lower[k];
            upper[k] = x > upper[k] ? x : upper[k];
        }
    }
}

int tmb_soup_is_float(const tmb_soup_triangle *triangles, size_t count)
{
    int is_float = 1;
    for (size_t i = 0; i < 9 * count && is_float; i++) {
        const double x = triangles[i / 9].corners[i / 3 % 3][i % 3];
        is_float = fabs(x) <= FLT_MAX && (double)(float)x == x;
    }
    return is_float;
}

int tmb_soup_of_mesh(tmb_arena *arena, const tumble_mesh *mesh, const tmb_mesh_facts *facts, uint32_t first,
                     tmb_soup *out)
{
    uint32_t *own = NULL, *polygons = NULL;
    if (!tmb_mesh_all_triangles(mesh) && !tmb_mesh_cut(arena, mesh, facts, &own, &polygons)) {
        return 0;
    }
    const uint32_t *corners = own ? own : mesh->indices;
    const size_t count = facts->triangle_count;
    *out = (tmb_soup){tmb_arena_allocate(arena, count, sizeof *out->triangles), count};
    for (size_t i = 0; i < count && out->triangles; i++) {
        tmb_soup_triangle *triangle = &out->triangles[i];
        *triangle = (tmb_soup_triangle){.polygon = first + (polygons ? polygons[i] : (uint32_t)i)};
        for (size_t k = 0; k < 3; k++) {
            tmb_mesh_point(mesh, corners[3 * i + k], triangle->corners[k]);
        }
    }
    return out->triangles != NULL;
}

/* ---- Welding ---- */

typedef struct welding {
    tmb_key_set set;
    double (*points)[3];
    uint32_t count;
} welding;

static uint32_t weld(welding *w, const double point[3])
{
    uint64_t bits[3];
    memcpy(bits, point, sizeof bits);
    size_t at = tmb_key_mix(bits[0], bits[1], bits[2]) & w->set.mask;
    for (; w->set.slots[at]; at = (at + 1) & w->set.mask) {
        const uint32_t known = w->set.slots[at] - 1;
        uint64_t of_known[3];
        memcpy(of_known, w->points[known], sizeof of_known);
        if (of_known[0] == bits[0] && of_known[1] == bits[1] && of_known[2] == bits[2]) {
            return known;
        }
    }
    memcpy(w->points[w->count], bits, sizeof bits);
    w->set.slots[at] = ++w->count;
    return w->count - 1;
}

int tmb_soup_weld(const tmb_soup *soup, tmb_arena *arena, tumble_mesh *mesh, tmb_mesh_facts *facts)
{
    const size_t corners = 3 * soup->count;
    uint32_t *indices = tmb_arena_allocate(arena, corners, sizeof *indices);
    welding w = {.points = tmb_arena_allocate(arena, corners, sizeof *w.points)};
    if (!indices || !w.points || !tmb_key_set_create(arena, &w.set, corners)) {
        return 0;
    }
    for (size_t i = 0; i < corners; i++) {
        indices[i] = weld(&w, soup->triangles[i / 3].corners[i % 3]);
    }
    *facts = (tmb_mesh_facts){.triangle_count = soup->count, .used_count = w.count, .point_limit = w.count};
    facts->is_float = tmb_soup_is_float(soup->triangles, soup->count);
    if (soup->count) {
        tmb_soup_bounds(soup->triangles, soup->count, facts->lower, facts->upper);
    }
    *mesh = tumble_default_mesh();
    mesh->points = w.points[0], mesh->point_count = w.count;
    mesh->indices = indices, mesh->index_count = corners;
    return 1;
}
