/* Whether loaded R-trees are trees: what a traversal relies on for memory safety. */
#include <string.h>

#include "tree/rtree/rtree.h"

typedef struct checker {
    tumble_context *context;
    const tmb_block *block;
    const tmb_rtree_node *nodes;
    const tmb_rtree_surface *surfaces;
    uint8_t *seen_nodes, *seen_clusters, *seen_surfaces;
    uint64_t node_count, cluster_count, surface_count; /* seen */
    uint64_t triangles;                                /* of the surface that is checked */
} checker;

static tumble_status bad(const checker *c, const char *kind, uint32_t number)
{
    return tmb_fail(c->context, TUMBLE_ERROR_FORMAT, "the hierarchy is damaged: %s %u is not where it should be", kind,
                    number);
}

static tumble_status check_tree(checker *c, uint32_t root, uint32_t height, int of_surfaces);

static tumble_status check_leaf(checker *c, uint32_t number, int of_surfaces)
{
    const uint64_t limit = of_surfaces ? c->block->rtree.surface_count : c->block->cluster_count;
    uint8_t *seen = of_surfaces ? c->seen_surfaces : c->seen_clusters;
    if (number >= limit || seen[number]) {
        return bad(c, of_surfaces ? "surface" : "cluster", number);
    }
    seen[number] = 1;
    if (!of_surfaces) {
        const char *places = (const char *)c->block + c->block->offsets[TMB_SECTION_PLACES];
        c->cluster_count++;
        c->triangles += tmb_cluster_triangle_count((const tmb_cluster_place *)places + number);
        return TUMBLE_OK;
    }
    const tmb_rtree_surface *surface = &c->surfaces[number];
    c->surface_count++;
    c->triangles = 0;
    if (surface->height >= tmb_rtree_height_most(tmb_rtree_width(c->block)) ||
        (number > 0 && surface->id <= c->surfaces[number - 1].id)) {
        return bad(c, "surface", number);
    }
    const tumble_status status = check_tree(c, surface->root, surface->height, 0);
    return status == TUMBLE_OK && c->triangles != surface->triangle_count ? bad(c, "surface", number) : status;
}

static tumble_status check_tree(checker *c, uint32_t root, uint32_t height, int of_surfaces)
{
    if (height == 0) {
        return check_leaf(c, root, of_surfaces);
    }
    if (root >= c->block->node_count || c->seen_nodes[root]) {
        return bad(c, "node", root);
    }
    const uint32_t width = tmb_rtree_width(c->block);
    const tmb_rtree_node *node = c->nodes + (size_t)root * tmb_rtree_pages(width);
    c->seen_nodes[root] = 1;
    c->node_count++;
    if (node->level != height - 1 || node->count < 1 || node->count > width) {
        return bad(c, "node", root);
    }
    tumble_status status = TUMBLE_OK;
    for (uint32_t i = 0; i < node->count && status == TUMBLE_OK; i++) {
        status = check_tree(c, tmb_rtree_child(node, i), height - 1, of_surfaces);
    }
    return status;
}

static tumble_status check_all(checker *c)
{
    const tmb_block *block = c->block;
    if (block->rtree.height >= tmb_rtree_height_most(tmb_rtree_width(block))) {
        return bad(c, "node", block->rtree.root);
    }
    const tumble_status status = check_tree(c, block->rtree.root, block->rtree.height, 1);
    if (status != TUMBLE_OK) {
        return status;
    }
    const int all = c->node_count == block->node_count && c->cluster_count == block->cluster_count &&
                    c->surface_count == block->rtree.surface_count;
    return all ? TUMBLE_OK
               : tmb_fail(c->context, TUMBLE_ERROR_FORMAT, "the hierarchy is damaged: not all of it is in its trees");
}

tumble_status tmb_rtree_validate(tumble_context *context, const tmb_block *block, const void *nodes)
{
    const size_t count = (size_t)(block->node_count + block->cluster_count + block->rtree.surface_count);
    uint8_t *seen = tmb_allocate(context, count, 1);
    if (!seen) {
        return tmb_fail_memory(context, "the check of a hierarchy");
    }
    memset(seen, 0, count);
    checker c = {.context = context,
                 .block = block,
                 .nodes = nodes,
                 .surfaces = tmb_rtree_surfaces(block, nodes),
                 .seen_nodes = seen,
                 .seen_clusters = seen + block->node_count,
                 .seen_surfaces = seen + block->node_count + block->cluster_count};
    const tumble_status status = check_all(&c);
    tmb_release(context, seen);
    return status;
}
