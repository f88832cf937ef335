/* Boxes and slabs for a tree of clusters: after the build, and after the points have moved. */
#ifndef TUMBLE_SRC_TREE_WIDE_FIT_H
#define TUMBLE_SRC_TREE_WIDE_FIT_H

#include "base/kernel.h"
#include "tree/wide/wide.h"

/* What a child of a node encloses: its box, the sum of its triangles' normals, and the range of n . x for the direction
 * n that its slab will have. */
typedef struct tmb_wide_patch {
    float lower[3], upper[3], normal[3];
    float slab_lower, slab_upper;
    int8_t direction[2];
} tmb_wide_patch;

typedef struct tmb_wide_fitting {
    const tmb_cluster_place *places;
    const uint32_t *clusters;
    int is_float;
    tmb_local_frame frame;
    tmb_wide_node *nodes;
    tmb_wide_patch *patches; /* scratch memory, one for each node */
} tmb_wide_fitting;

/* Whether all children of a node that is not lowest are lowest. */
static inline int tmb_wide_children_are_lowest(const tmb_wide_node *nodes, const tmb_wide_node *node)
{
    int lowest = 1;
    for (uint32_t i = 0; i < node->child_count; i++) {
        lowest &= nodes[node->children + i].is_lowest;
    }
    return lowest;
}

/* Kernel: the children of node i that are lowest nodes, the node itself when all of them are, or when it is the root
 * and one itself. */
typedef void tmb_wide_fit_function(tmb_wide_fitting *fitting, uint32_t i);
TMB_DECLARE_KERNELS(tmb_wide_fit_function, tmb_wide_fit);

/* Writes a node, whose links are set, and its own patch without the slab. */
void tmb_wide_write_node(tmb_wide_node *node, const tmb_wide_patch *children, tmb_wide_patch *own);

/* The slab of a patch, whose normal is known, around those of its children. */
void tmb_wide_enclose_slab(tmb_wide_patch *own, const tmb_wide_patch *children, uint32_t count);

/* The direction nearest to a patch's normal, as stored. */
void tmb_wide_encode_direction(const float normal[3], int8_t direction[2]);

/* The links of all nodes: from a tree, or from other nodes. */
void tmb_wide_write_links(const tmb_wide_tree *tree, tmb_wide_node *nodes);
void tmb_wide_copy_links(const tmb_wide_node *from, size_t node_count, tmb_wide_node *nodes);

/* Fits all nodes of a block whose other sections and links are written; NULL patches are allocated. Returns 0 if memory
 * runs out; one thread with given patches needs none. */
int tmb_wide_fit(tumble_context *context, uint32_t thread_count, tmb_block *block, tmb_wide_patch *patches);

/* The direction of a slab: a vector whose absolute components sum to 1. */
static inline void tmb_wide_decode_direction(const int8_t direction[2], float n[3])
{
    const float x = (float)direction[0] * (1.0F / 127), y = (float)direction[1] * (1.0F / 127);
    const float ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, z = 1 - ax - ay, over = z < 0 ? -z : 0;
    n[0] = x < 0 ? x + over : x - over;
    n[1] = y < 0 ? y + over : y - over;
    n[2] = z;
}

#endif
