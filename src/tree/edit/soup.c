/* Triangles out of models and meshes, and back into a mesh. */
#include "tree/edit/soup.h"

#include <string.h>

#include "tree/key_set.h"
#include "tree/mesh_cut.h"

void tmb_soup_add_clusters(tmb_soup *soup, const tumble_model *model, uint32_t first, uint32_t count,
                           const uint8_t *is_gone)
{
    for (uint32_t cluster = first; cluster < first + count; cluster++) {
        for (uint32_t t = 0; t < tmb_cluster_triangle_count(model->places + cluster); t++) {
            const uint32_t address = tmb_triangle_address(cluster, t), polygon = tmb_model_polygon(model, address);
            if (!is_gone || !is_gone[polygon]) {
                tmb_soup_triangle *out = &soup->triangles[soup->count++];
                tmb_model_corners(model, address, out->corners);
                out->polygon = polygon;
                out->reserved = 0;
            }
        }
    }
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
        if (memcmp(w->points[known], bits, sizeof bits) == 0) {
            return known;
        }
    }
    memcpy(w->points[w->count], bits, sizeof bits);
    w->set.slots[at] = ++w->count;
    return w->count - 1;
}

/* Bounds, and whether float holds all coordinates. */
static void survey_points(const welding *w, tmb_mesh_facts *facts)
{
    facts->is_float = 1;
    for (size_t i = 0; i < w->count; i++) {
        for (int k = 0; k < 3; k++) {
            const double x = w->points[i][k] + 0.0; /* a zero is positive */
            facts->is_float &=
                x >= -(double)3.4028234663852886e38F && x <= (double)3.4028234663852886e38F && (double)(float)x == x;
            facts->lower[k] = i == 0 || x < facts->lower[k] ? x : facts->lower[k];
            facts->upper[k] = i == 0 || x > facts->upper[k] ? x : facts->upper[k];
        }
    }
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
    survey_points(&w, facts);
    *mesh = tumble_default_mesh();
    mesh->points = w.points[0], mesh->point_count = w.count;
    mesh->indices = indices, mesh->index_count = corners;
    return 1;
}
