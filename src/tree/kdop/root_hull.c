/* The convex hull of a model with a k-DOP tree. */
#include "tree/kdop/root_hull.h"

#include <string.h>

#include "base/assert.h"
#include "tree/mesh_validate.h"

/* The points in the order of the clusters: neighbours are near each other in memory too, which the hull is built faster
 * from. */
static size_t gather_points(const tumble_mesh *mesh, const tmb_clusters *clusters, uint8_t *seen, double (*out)[3])
{
    size_t count = 0;
    for (size_t i = 0; i < clusters->count; i++) {
        const tmb_cluster_draft *draft = &clusters->drafts[i];
        for (uint32_t k = 0; k < draft->corner_count; k++) {
            const uint32_t point = draft->points[k];
            if (!seen[point]) {
                seen[point] = 1;
                tmb_mesh_point(mesh, point, out[count++]);
            }
        }
    }
    return count;
}

int tmb_kdop_build_hull(tmb_arena *arena, const tumble_mesh *mesh, const tmb_clusters *clusters, tmb_kdop_hull *out)
{
    uint8_t *seen = tmb_arena_allocate(arena, mesh->point_count, sizeof *seen);
    double(*points)[3] = tmb_arena_allocate(arena, mesh->point_count, sizeof *points);
    if (!seen || !points) {
        return 0;
    }
    memset(seen, 0, mesh->point_count);
    const size_t count = gather_points(mesh, clusters, seen, points);
    out->points = (const double(*)[3])points;
    if (!tmb_hull_build(arena, out->points, count, &out->hull)) {
        return 0;
    }
    out->count = out->hull.count;
    out->link_count = out->hull.first[out->hull.count];
    return 1;
}

void tmb_kdop_write_hull(const tmb_kdop_hull *hull, tmb_block *block)
{
    TMB_ASSERT(hull->count == block->kdop.hull_count && hull->link_count == block->kdop.hull_links);
    const tmb_kdop_parts parts = tmb_kdop_parts_of(block);
    char *nodes = (char *)block + block->offsets[TMB_SECTION_NODES];
    double(*points)[3] = (double(*)[3])(nodes + parts.hull_points);
    for (uint32_t i = 0; i < hull->count; i++) {
        memcpy(points[i], hull->points[hull->hull.vertices[i]], sizeof points[i]);
    }
    memcpy(nodes + parts.hull_first, hull->hull.first, (hull->count + 1) * sizeof *hull->hull.first);
    memcpy(nodes + parts.hull_links, hull->hull.neighbours, hull->link_count * sizeof *hull->hull.neighbours);
}

tmb_hull_view tmb_kdop_hull_of(const tmb_block *block, const void *nodes)
{
    const tmb_kdop_parts parts = tmb_kdop_parts_of(block);
    const char *bytes = nodes;
    return (tmb_hull_view){.points = (const double(*)[3])(bytes + parts.hull_points),
                           .first = (const uint32_t *)(bytes + parts.hull_first),
                           .neighbours = (const uint32_t *)(bytes + parts.hull_links),
                           .count = block->kdop.hull_count};
}
