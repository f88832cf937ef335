/* Cutting parts out of a mesh, in time proportional to each. */
#include "assembly/cut.h"

#include <string.h>

/* The polygons of each surface as a list, in their order. */
static void link_polygons(tmb_cutter *c)
{
    uint32_t corner = (uint32_t)c->mesh.index_count;
    memset(c->first, 0xff, c->surface_count * sizeof *c->first);
    memset(c->new_number, 0xff, c->mesh.point_count * sizeof *c->new_number);
    for (uint32_t i = (uint32_t)c->mesh.polygon_count; i-- > 0;) {
        uint32_t *first = &c->first[c->mesh.surface_ids ? c->mesh.surface_ids[i] : 0];
        corner -= c->mesh.polygon_sizes ? c->mesh.polygon_sizes[i] : 3;
        c->corner_starts[i] = corner;
        c->next[i] = *first;
        *first = i;
    }
}

tumble_status tmb_cutter_begin(tmb_cutter *cutter, tumble_context *context, const tumble_mesh *mesh,
                               size_t surface_count)
{
    *cutter = (tmb_cutter){.context = context, .mesh = *mesh, .surface_count = surface_count};
    if (!mesh->polygon_sizes) {
        cutter->mesh.polygon_count = mesh->index_count / 3;
    }
    const size_t polygons = cutter->mesh.polygon_count;
    cutter->first = tmb_allocate(context, surface_count, sizeof *cutter->first);
    cutter->next = tmb_allocate(context, polygons, sizeof *cutter->next);
    cutter->corner_starts = tmb_allocate(context, polygons, sizeof *cutter->corner_starts);
    cutter->new_number = tmb_allocate(context, mesh->point_count, sizeof *cutter->new_number);
    if (!cutter->first || !cutter->next || !cutter->corner_starts || !cutter->new_number) {
        return tmb_fail_memory(context, "the parts of a file");
    }
    link_polygons(cutter);
    return TUMBLE_OK;
}

void tmb_cutter_end(tmb_cutter *cutter)
{
    tmb_buffer *buffers[] = {&cutter->points, &cutter->indices, &cutter->sizes, &cutter->used};
    void *arrays[] = {cutter->first, cutter->next, cutter->corner_starts, cutter->new_number};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers && cutter->context; i++) {
        tmb_buffer_release(cutter->context, buffers[i]);
        tmb_release(cutter->context, arrays[i]);
    }
}

typedef struct counts {
    size_t points, corners, polygons;
} counts;

/* Adds the corners of a polygon, and points that the part does not have yet. */
static int take_polygon(tmb_cutter *c, uint32_t polygon, counts *n)
{
    const uint32_t size = c->mesh.polygon_sizes ? c->mesh.polygon_sizes[polygon] : 3;
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t point = c->mesh.indices[c->corner_starts[polygon] + i];
        if (c->new_number[point] == UINT32_MAX) {
            size_t used = n->points;
            if (!tmb_buffer_append(c->context, &c->used, &used, &point, 1, sizeof point) ||
                !tmb_buffer_append(c->context, &c->points, &n->points, c->mesh.points + 3 * (size_t)point, 1,
                                   3 * sizeof *c->mesh.points)) {
                return 0;
            }
            c->new_number[point] = (uint32_t)n->points - 1;
        }
        if (!tmb_buffer_append(c->context, &c->indices, &n->corners, &c->new_number[point], 1, sizeof(uint32_t))) {
            return 0;
        }
    }
    return tmb_buffer_append(c->context, &c->sizes, &n->polygons, &size, 1, sizeof size);
}

tumble_status tmb_cut(tmb_cutter *cutter, const uint32_t *surfaces, size_t count, tumble_mesh *out)
{
    counts n = {0, 0, 0};
    int has_room = 1;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t p = cutter->first[surfaces[i]]; p != UINT32_MAX && has_room; p = cutter->next[p]) {
            has_room = take_polygon(cutter, p, &n);
        }
    }
    for (size_t i = 0; i < n.points; i++) {
        cutter->new_number[((const uint32_t *)cutter->used.data)[i]] = UINT32_MAX;
    }
    if (!has_room) {
        return tmb_fail_memory(cutter->context, "a part");
    }
    *out = tumble_default_mesh();
    out->points = cutter->points.data, out->point_count = n.points;
    out->indices = cutter->indices.data, out->index_count = n.corners;
    if (n.corners != 3 * n.polygons) {
        out->polygon_sizes = cutter->sizes.data, out->polygon_count = n.polygons;
    }
    return TUMBLE_OK;
}
