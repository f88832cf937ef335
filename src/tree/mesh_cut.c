/* The polygons of a mesh as triangles. */
#include "tree/mesh_cut.h"

#include <string.h>

#include "base/assert.h"
#include "prim/triangulate.h"

/* One polygon with `size` corners; `out` receives the points of its triangles, `room` holds its corners meanwhile. */
static int cut_polygon(tumble_context *context, const tumble_mesh *mesh, tmb_buffer *scratch, tmb_buffer *room,
                       const uint32_t *indices, uint32_t size, uint32_t *out)
{
    TMB_ASSERT(size >= 3);
    if (!tmb_buffer_reserve(context, room, size, sizeof(double[3]), 0)) {
        return 0;
    }
    double(*corners)[3] = room->data;
    for (uint32_t i = 0; i < size; i++) {
        tmb_mesh_point(mesh, indices[i], corners[i]);
    }
    if (!tmb_triangulate(context, scratch, (const double(*)[3])corners, size, out)) {
        return 0;
    }
    for (size_t i = 0; i < 3 * ((size_t)size - 2); i++) {
        out[i] = indices[out[i]];
    }
    return 1;
}

int tmb_mesh_cut(tmb_arena *arena, const tumble_mesh *mesh, const tmb_mesh_facts *facts, uint32_t **corners,
                 uint32_t **polygons)
{
    TMB_ASSERT(facts->polygon_count == mesh->polygon_count || !mesh->polygon_sizes);
    tumble_context *context = arena->context;
    tmb_buffer scratch = {0}, room = {0};
    *corners = tmb_arena_allocate(arena, 3 * facts->triangle_count, sizeof(uint32_t));
    *polygons = tmb_arena_allocate(arena, facts->triangle_count, sizeof(uint32_t));
    int ok = *corners && *polygons;
    size_t index = 0, triangle = 0;
    for (size_t polygon = 0; ok && polygon < facts->polygon_count; polygon++) {
        const uint32_t size = mesh->polygon_sizes ? mesh->polygon_sizes[polygon] : 3;
        uint32_t *out = *corners + 3 * triangle;
        if (size == 3) {
            memcpy(out, mesh->indices + index, 3 * sizeof *out);
        } else {
            ok = cut_polygon(context, mesh, &scratch, &room, mesh->indices + index, size, out);
        }
        for (uint32_t i = 0; i + 2 < size; i++) {
            (*polygons)[triangle++] = (uint32_t)polygon;
        }
        index += size;
    }
    tmb_buffer_release(context, &scratch);
    tmb_buffer_release(context, &room);
    return ok;
}
