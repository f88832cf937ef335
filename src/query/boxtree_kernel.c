/* The walk over two boxtrees, compiled once for each instruction set and, here, once for each number of lanes. */
#include "query/boxtree_walk.h"
#include "tree/boxtree.h"

#include "math/simd.h"

/* A node is referred to by what its parent, or itself, holds of it: its word for one plane, its reference for two. Both tell
 * a leaf without another look at memory. */
static inline int walk_is_leaf(const tmb_walk_tree *tree, uint32_t node)
{
    return tree->layout == TUMBLE_BOXTREE_TWO_PLANES ? (node & TMB_TWO_LEAF) != 0
                                                     : tmb_one_kind(node) == TMB_NODE_LEAF;
}

static inline uint32_t walk_triangle(const tmb_walk_tree *tree, uint32_t node)
{
    return tree->layout == TUMBLE_BOXTREE_TWO_PLANES ? node & (TMB_TWO_LEAF - 1) : tmb_one_index(node);
}

/* A child in the making: the sides that move for it, and how far. */
typedef struct walk_child {
    uint32_t node;
    uint32_t side[2];
    float cut[2]; /* cut[1] is 0 but for the only child of a node with two planes */
} walk_child;

static inline int walk_children_two(const tmb_node_two *node, walk_child out[2])
{
    const uint32_t axis = tmb_two_axis(node), second = tmb_two_reference(node->child[1]);
    const int single = second == TMB_TWO_NONE;
    out[0] = (walk_child){tmb_two_reference(node->child[0]),
                          {2 * axis + 1, 2 * axis},
                          {node->cut[0], single ? node->cut[1] : 0}};
    out[1] = (walk_child){second, {2 * axis, 2 * axis + 1}, {node->cut[1], 0}};
    return single ? 1 : 2;
}

static inline int walk_children_one(const tmb_node_one *nodes, uint32_t node, walk_child out[2])
{
    const tmb_node_one *child = nodes + tmb_one_index(node);
    const int count = tmb_one_kind(node) == TMB_NODE_TWIN ? 2 : 1;
    for (int i = 0; i < count; i++) {
        const uint32_t side = tmb_one_side(child[i].word);
        out[i] = (walk_child){child[i].word, {side, side}, {child[i].cut, 0}};
    }
    return count;
}

/* The children of an inner node; a leaf stands for itself. */
static inline int walk_children(const tmb_walk_tree *tree, uint32_t node, int leaf, walk_child out[2])
{
    if (leaf) {
        out[0] = (walk_child){node, {0, 0}, {0, 0}};
        return 1;
    }
    if (tree->layout == TUMBLE_BOXTREE_TWO_PLANES) {
        return walk_children_two((const tmb_node_two *)tree->nodes + node, out);
    }
    return walk_children_one(tree->nodes, node, out);
}

/* The entry of a cut in the lookup tables. */
static inline uint32_t walk_table_index(float cut)
{
    uint32_t bits;
    memcpy(&bits, &cut, sizeof bits);
    return cut < 1 ? 0 : (bits >> TMB_TABLE_SHIFT) - TMB_TABLE_BASE + 1;
}

#define WALK_NAME walk_lanes8
#define WALK_USED 6
#define WALK_STRIDE 8
#define WALK_TABLES 0
#include "query/boxtree_kernel_body.h"

#define WALK_NAME walk_lanes16
#define WALK_USED 12
#define WALK_STRIDE 16
#define WALK_TABLES 0
#include "query/boxtree_kernel_body.h"

#define WALK_NAME walk_lanes32
#define WALK_USED 30
#define WALK_STRIDE 32
#define WALK_TABLES 0
#include "query/boxtree_kernel_body.h"

#define WALK_NAME walk_tables
#define WALK_USED 12
#define WALK_STRIDE 16
#define WALK_TABLES 1
#include "query/boxtree_kernel_body.h"

#if defined(TMB_KERNEL_AVX512)
const tmb_walk_kernels tmb_walk_kernels_avx512 = {walk_lanes8, walk_lanes16, walk_lanes32, walk_tables};
#elif defined(TMB_KERNEL_AVX2)
const tmb_walk_kernels tmb_walk_kernels_avx2 = {walk_lanes8, walk_lanes16, walk_lanes32, walk_tables};
#else
const tmb_walk_kernels tmb_walk_kernels_scalar = {walk_lanes8, walk_lanes16, walk_lanes32, walk_tables};
#endif
