/* R-trees over surfaces and triangles (Guttman 1984; Figueiredo, S-CD): how they lie in a model's block.
 *
 * A surface is a set of triangles with one surface id. Each has an R-tree over its clusters (tree/cluster.h), whose
 * triangles are all of that surface; one more R-tree is over the surfaces. All leaves of a tree are on one level. A
 * node holds up to `width` children and their boxes, as floats in the model's local frame and rounded outward, so that
 * one vector comparison per side says which of eight of them meet a box: a node is one page of eight or more, in a row.
 *
 * The section of nodes has all nodes, of all trees, in any order, and then the surfaces. */
#ifndef TUMBLE_SRC_TREE_RTREE_RTREE_H
#define TUMBLE_SRC_TREE_RTREE_RTREE_H

#include "base/assert.h"
#include "tree/clusters.h"
#include "tree/model.h"
#include "tree/triangle_set.h"

#define TMB_RTREE_LANES 8 /* children of a page */

/* Count and level are those of the node, and stand in its first page. */
typedef struct tmb_rtree_node {
    float lower[3][TMB_RTREE_LANES], upper[3][TMB_RTREE_LANES]; /* absent children: an empty box */
    uint32_t child[TMB_RTREE_LANES]; /* nodes; on level 0 clusters, or surfaces in the tree over surfaces; else 0 */
    uint32_t count;
    uint32_t level; /* 0: the lowest */
    uint32_t reserved[6];
} tmb_rtree_node;

_Static_assert(sizeof(tmb_rtree_node) == 256, "four cache lines");

/* Shapes of trees. Nodes are pages in a row: number n starts at page n times this. */
static inline uint32_t tmb_rtree_width(const tmb_block *block)
{
    return block->rtree.width ? block->rtree.width : TMB_RTREE_LANES;
}
/* As headers have it. */
static inline uint32_t tmb_rtree_kept_width(uint32_t width)
{
    return width == TMB_RTREE_LANES ? 0 : width;
}
static inline uint32_t tmb_rtree_pages(uint32_t width)
{
    return (width + TMB_RTREE_LANES - 1) / TMB_RTREE_LANES;
}
static inline uint32_t tmb_rtree_cluster_most(uint32_t width)
{
    return width < TMB_CLUSTER_TRIANGLES ? width : TMB_CLUSTER_TRIANGLES;
}

/* No tree has as many levels. Edited nodes have (3 width + 4) / 8 children at least, which is 2 from a width of 4 on,
 * and there are fewer than 2^25 clusters; trees of smaller width are packed when they become too high. */
static inline uint32_t tmb_rtree_height_most(uint32_t width)
{
    return width < 4 ? 40 : width < 7 ? 30 : width <= 8 ? 24 : width <= 16 ? 20 : 14;
}
/* Nodes that wait in a depth-first descent of both kinds of trees, at most: 2 height (width - 1) + 1. */
#define TMB_RTREE_WAITING 880

static inline uint32_t tmb_rtree_child(const tmb_rtree_node *node, uint32_t i)
{
    TMB_ASSERT(i < TUMBLE_RTREE_WIDTH_MOST);
    return node[i / TMB_RTREE_LANES].child[i % TMB_RTREE_LANES];
}

typedef struct tmb_rtree_surface {
    uint32_t root;   /* a node, or a cluster when the height is 0 */
    uint32_t height; /* levels of nodes */
    uint32_t id;     /* the caller's; surfaces stand in the order of their ids */
    uint32_t triangle_count;
} tmb_rtree_surface;

typedef struct tmb_rtree_box {
    float lower[3], upper[3];
} tmb_rtree_box;

/* Widens a box by another. */
static inline void tmb_rtree_widen(tmb_rtree_box *box, const tmb_rtree_box *other)
{
    for (int k = 0; k < 3; k++) {
        box->lower[k] = other->lower[k] < box->lower[k] ? other->lower[k] : box->lower[k];
        box->upper[k] = other->upper[k] > box->upper[k] ? other->upper[k] : box->upper[k];
    }
}

/* A tree without boxes. */
typedef struct tmb_rtree {
    tmb_rtree_node *nodes; /* links, counts and levels */
    uint32_t node_count;
    tmb_rtree_surface *surfaces;
    tmb_rtree_root root;
    uint32_t depth; /* of both kinds of trees together, clusters included */
} tmb_rtree;

/* Trees and clusters; `surface_of` is the surface of each triangle, NULL: all are 0. The memory is the arena's. */
tumble_status tmb_rtree_build(tmb_arena *arena, const tmb_triangle_set *set, const uint32_t *surface_of,
                              const tumble_model_options *options, tmb_clusters *clusters, tmb_rtree *out);

/* Bytes of the section, and where the surfaces are in it. */
uint64_t tmb_rtree_bytes(const tmb_block *block);
static inline const tmb_rtree_surface *tmb_rtree_surfaces(const tmb_block *block, const void *nodes)
{
    const uint64_t pages = block->node_count * tmb_rtree_pages(tmb_rtree_width(block));
    return (const tmb_rtree_surface *)((const tmb_rtree_node *)nodes + pages);
}

/* Fits the boxes of all nodes to the clusters of a block. */
void tmb_rtree_fit(tmb_block *block);

/* Whether the section of a block, whose clusters are valid, consists of trees with each cluster in one leaf. */
tumble_status tmb_rtree_validate(tumble_context *context, const tmb_block *block, const void *nodes);

/* ---- Packing ---- */

/* What is sorted: a box by its middle, times two, and a number. */
typedef struct tmb_rtree_item {
    float middle[3];
    uint32_t number;
} tmb_rtree_item;

static inline tmb_rtree_item tmb_rtree_item_of(const tmb_rtree_box *box, uint32_t number)
{
    return (tmb_rtree_item){
        {box->lower[0] + box->upper[0], box->lower[1] + box->upper[1], box->lower[2] + box->upper[2]}, number};
}

/* Sorts items so that groups of up to `width`, which follow from tmb_rtree_group, lie together in space. `scratch` has
 * room for twice as many tmb_sort_item. */
void tmb_rtree_pack(tumble_rtree_load load, tmb_rtree_item *items, size_t count, uint32_t width, void *scratch);

/* Where group i of `groups` starts among `count` items: all have about the same size. */
static inline size_t tmb_rtree_group(size_t count, size_t groups, size_t i)
{
    TMB_ASSERT(i <= groups);
    TMB_ASSERT(groups == 0 || groups <= count);
    if (groups == 0) {
        return 0;
    }
    return i * (count / groups) + (i < count % groups ? i : count % groups);
}
static inline size_t tmb_rtree_groups(size_t count, uint32_t width)
{
    return (count + width - 1) / width;
}

/* How it is built, and its nodes as boxes. */
extern const struct tmb_hierarchy_builder tmb_rtree_builder;
extern const struct tmb_box_reader tmb_rtree_boxes;

#endif
