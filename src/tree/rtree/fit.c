/* The boxes of R-trees: from the clusters as they are stored, after a build and after the points have moved. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/rounding.h"
#include "tree/rtree/rtree.h"

typedef struct fitting {
    const tmb_cluster_place *places;
    const uint32_t *clusters;
    int is_float;
    tmb_local_frame frame;
    tmb_rtree_node *nodes;
    uint32_t width;
    const tmb_rtree_surface *surfaces;
} fitting;

uint64_t tmb_rtree_bytes(const tmb_block *block)
{
    return block->node_count * tmb_rtree_pages(tmb_rtree_width(block)) * sizeof(tmb_rtree_node) +
           block->rtree.surface_count * sizeof(tmb_rtree_surface);
}

static tmb_rtree_box cluster_box(const fitting *f, uint32_t cluster)
{
    const tmb_cluster_place *place = f->places + cluster;
    const uint32_t count = tmb_cluster_corner_count(place, f->is_float);
    const uint32_t *words = f->clusters + place->offset;
    const float *floats = (const float *)(words + TMB_CLUSTER_HEAD_FLOAT);
    const double *doubles = (const double *)(const void *)(words + TMB_CLUSTER_HEAD_DOUBLE);
    tmb_rtree_box box;
    for (uint32_t k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = k * count; i < (k + 1) * count; i++) {
            const double x = f->is_float ? (double)floats[i] : doubles[i];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        box.lower[k] = tmb_float_below((low - f->frame.centre[k]) * f->frame.scale);
        box.upper[k] = tmb_float_above((high - f->frame.centre[k]) * f->frame.scale);
    }
    return box;
}

static tmb_rtree_box fit_tree(const fitting *f, uint32_t root, uint32_t height, int of_surfaces);

static tmb_rtree_box child_box(const fitting *f, const tmb_rtree_node *node, uint32_t i, int of_surfaces)
{
    const uint32_t child = tmb_rtree_child(node, i);
    if (node->level > 0) {
        return fit_tree(f, child, node->level, of_surfaces);
    }
    return of_surfaces ? fit_tree(f, f->surfaces[child].root, f->surfaces[child].height, 0) : cluster_box(f, child);
}

/* The box of a tree of so many levels, and those of all nodes in it. */
static tmb_rtree_box fit_tree(const fitting *f, uint32_t root, uint32_t height, int of_surfaces)
{
    TMB_ASSERT(height <= tmb_rtree_height_most(f->width));
    if (height == 0) {
        return of_surfaces ? fit_tree(f, f->surfaces[root].root, f->surfaces[root].height, 0) : cluster_box(f, root);
    }
    tmb_rtree_node *node = f->nodes + (size_t)root * tmb_rtree_pages(f->width);
    tmb_rtree_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < tmb_rtree_pages(f->width) * TMB_RTREE_LANES; i++) {
        tmb_rtree_node *page = node + i / TMB_RTREE_LANES;
        tmb_rtree_box own = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        if (i < node->count) {
            own = child_box(f, node, i, of_surfaces);
        }
        for (int k = 0; k < 3; k++) {
            page->lower[k][i % TMB_RTREE_LANES] = own.lower[k];
            page->upper[k][i % TMB_RTREE_LANES] = own.upper[k];
            box.lower[k] = own.lower[k] < box.lower[k] ? own.lower[k] : box.lower[k];
            box.upper[k] = own.upper[k] > box.upper[k] ? own.upper[k] : box.upper[k];
        }
    }
    return box;
}

void tmb_rtree_fit(tmb_block *block)
{
    char *bytes = (char *)block;
    tmb_rtree_node *nodes = (tmb_rtree_node *)(bytes + block->offsets[TMB_SECTION_NODES]);
    const fitting f = {.places = (const tmb_cluster_place *)(bytes + block->offsets[TMB_SECTION_PLACES]),
                       .clusters = (const uint32_t *)(bytes + block->offsets[TMB_SECTION_CLUSTERS]),
                       .is_float = (int)block->points_are_float,
                       .frame = tmb_local_frame_of(block->lower, block->upper),
                       .nodes = nodes,
                       .width = tmb_rtree_width(block),
                       .surfaces = tmb_rtree_surfaces(block, nodes)};
    (void)fit_tree(&f, block->rtree.root, block->rtree.height, 1);
}
