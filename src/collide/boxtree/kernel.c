/* The walk over two boxtrees, compiled once for each instruction set and, here, once for each number of lanes. */
#include <math.h>

#include "base/assert.h"
#include "collide/boxtree/walk.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "tree/boxtree/boxtree.h"

#include "math/simd.h"

/* A node is referred to by what its parent, or itself, holds of it: its word for one plane, its reference for two. Both
 * identify a leaf without another memory access. `layout` is known when the walk is compiled for the layout that is the
 * default. */
static inline int walk_is_leaf(uint32_t layout, uint32_t node)
{
    return layout == TUMBLE_BOXTREE_TWO_PLANES ? (node & TMB_TWO_LEAF) != 0 : tmb_one_kind(node) == TMB_NODE_LEAF;
}

static inline uint32_t walk_triangle(uint32_t layout, uint32_t node)
{
    return layout == TUMBLE_BOXTREE_TWO_PLANES ? node & (TMB_TWO_LEAF - 1) : tmb_one_index(node);
}

/* Two children: the side that moves for each, and how far. A leaf is its own first child, with nothing cut off. Without
 * a second one, the first is repeated and `twins` is 0. */
typedef struct walk_children {
    uint32_t node[2];
    uint32_t side[2];
    float cut[2];
    uint32_t more_side[2]; /* a second side that moves for a child, */
    float more_cut[2];     /* and how far: two planes for an only child; or a child that a trim follows */
    int twins;
} walk_children;

static inline walk_children walk_children_one(const tmb_node_one *nodes, uint32_t node, int leaf)
{
    const tmb_node_one self = {0, node}, *const choice[2] = {nodes + tmb_one_index(node), &self};
    const int twins = tmb_one_kind(node) == TMB_NODE_TWIN;
    const tmb_node_one *first = choice[leaf], *second = first + twins;
    return (walk_children){.node = {first->word, second->word},
                           .side = {tmb_one_side(first->word), tmb_one_side(second->word)},
                           .cut = {first->cut, second->cut},
                           .twins = twins};
}

/* Leaves out the trims: a child that has an only child of its own is replaced by it. */
static inline void walk_skip_trims(const tmb_node_one *nodes, walk_children *children)
{
    for (int i = 0; i < 2; i++) {
        if (tmb_one_kind(children->node[i]) == TMB_NODE_SINGLE) {
            const tmb_node_one *only = nodes + tmb_one_index(children->node[i]);
            children->node[i] = only->word;
            children->more_side[i] = tmb_one_side(only->word);
            children->more_cut[i] = only->cut;
        }
    }
}

static inline walk_children walk_children_two(const tmb_node_two *nodes, uint32_t node, int leaf)
{
    const tmb_node_two self = {{0, 0}, {node, TMB_TWO_NONE}}, *from = leaf ? &self : nodes + node;
    const uint32_t axis = tmb_two_axis(from), second = tmb_two_reference(from->child[1]);
    const int twins = second != TMB_TWO_NONE;
    return (walk_children){.node = {tmb_two_reference(from->child[0]), second},
                           .side = {2 * axis + 1, 2 * axis},
                           .cut = {from->cut[0], from->cut[1]},
                           .more_side = {2 * axis, 0},
                           .more_cut = {twins ? 0 : from->cut[1], 0},
                           .twins = twins};
}

static inline walk_children walk_find_children(const tmb_walk_tree *tree, uint32_t layout, uint32_t node, int leaf)
{
    return layout == TUMBLE_BOXTREE_TWO_PLANES ? walk_children_two(tree->nodes, node, leaf)
                                               : walk_children_one(tree->nodes, node, leaf);
}

/* The same for an inner node; with one plane per node, trims are left out. */
static inline walk_children walk_find_trimmed(const tmb_walk_tree *tree, uint32_t layout, uint32_t node)
{
    walk_children children = walk_find_children(tree, layout, node, 0);
    if (layout == TUMBLE_BOXTREE_ONE_PLANE) {
        walk_skip_trims(tree->nodes, &children);
    }
    return children;
}

/* ---- Larger first ---- */

#define WALK_LARGE 2.0F /* a leaf so much larger than a node is compared as its triangle: it costs some box tests */

/* What is left of a box's size for a child. */
static inline float walk_child_size(const tmb_walk_tree *tree, const walk_children *children, int child, float size)
{
    return size - (children->cut[child] + children->more_cut[child]) * tree->unit;
}

/* The box of a node, which steps lead to. */
static inline tmb_grid_box walk_box(const tmb_walk *walk, const tmb_walk_tree *tree, uint32_t step)
{
    tmb_grid_box box = tree->box;
    while (step > 1) {
        const tmb_walk_step *last = &walk->steps[step >> 1];
        const walk_children children = walk_find_trimmed(tree, tree->layout, last->node);
        const uint32_t child = step & 1;
        tmb_grid_move(&box, (int)children.side[child], children.cut[child]);
        tmb_grid_move(&box, (int)children.more_side[child], children.more_cut[child]);
        step = last->before;
    }
    return box;
}

/* Distances of a triangle's corners from the sides of its leaf's box, in units of the grid; never more than they are:
 * one guard for the coordinate, another for the difference. */
static inline void walk_distances(const tmb_walk *walk, int tree, uint32_t triangle, uint32_t step,
                                  double distances[3][6])
{
    const tumble_model *model = tree ? walk->collider->encounter.b : walk->collider->encounter.a;
    const tmb_grid_box box = walk_box(walk, &walk->tree[tree], step);
    double corners[3][3];
    tmb_model_corners(model, triangle, corners);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double at = tmb_grid_units(&walk->tree[tree].grid, k, corners[i][k]);
            const double above = (at - box.lower[k]) - 2 * TMB_GRID_GUARD;
            const double below = (box.upper[k] - at) - 2 * TMB_GRID_GUARD;
            distances[i][2 * k] = above > 0 ? above : 0;
            distances[i][2 * k + 1] = below > 0 ? below : 0;
        }
    }
}

/* Whether two boxes are farther apart than the limit, though no single direction shows it. Let g be the gap between
 * them along the unit vector u of a direction, where there is one. Points that are apart by z have u . z >= g for all
 * of these, so |z| |sum of g u| >= sum of g^2; for the axes of one box this is the distance of boxes. */
static __attribute__((noinline)) int walk_is_far(const tmb_walk *walk, const double *gaps)
{
    TMB_ASSERT(walk->limit > 0);
    TMB_ASSERT(walk->direction_count >= 3);
    const int count = walk->direction_count < 6 ? walk->direction_count : 6;
    double square = 0, sum = 0, vector[3] = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        const double least = gaps[2 * i] < gaps[2 * i + 1] ? gaps[2 * i] : gaps[2 * i + 1];
        const double gap = (walk->limit_along[i] - least) * walk->inverse_lengths[i];
        if (gap > 0) {
            const double part = least == gaps[2 * i] ? gap : -gap;
            square += gap * gap;
            sum += gap;
            for (int k = 0; k < 3; k++) {
                vector[k] += part * walk->units[i][k];
            }
        }
    }
    const double length = tmb_length(vector);
    return square > walk->limit * (length + TMB_GAP_LIMIT_ROUNDING * sum);
}

#define WALK_NAME walk_lanes8
#define WALK_USED 6
#define WALK_STRIDE 8
#define WALK_TABLES 0
#include "collide/boxtree/kernel_body.h"

#define WALK_NAME walk_lanes16
#define WALK_USED 12
#define WALK_STRIDE 16
#define WALK_TABLES 0
#include "collide/boxtree/kernel_body.h"

#define WALK_NAME walk_lanes32
#define WALK_USED 30
#define WALK_STRIDE 32
#define WALK_TABLES 0
#include "collide/boxtree/kernel_body.h"

#if defined(TMB_KERNEL_AVX512)
const tmb_walk_kernels tmb_walk_kernels_avx512 = {walk_lanes8, walk_lanes16, walk_lanes32, NULL};
#elif defined(TMB_KERNEL_AVX2)
const tmb_walk_kernels tmb_walk_kernels_avx2 = {walk_lanes8, walk_lanes16, walk_lanes32, NULL};
#else
/* The entry of a cut in the lookup tables. */
static inline uint32_t walk_table_index(float cut)
{
    TMB_ASSERT(cut >= 0 && cut <= 0x1p31F);
    uint32_t bits;
    memcpy(&bits, &cut, sizeof bits);
    return cut < 1 ? 0 : (bits >> TMB_TABLE_SHIFT) - TMB_TABLE_BASE + 1;
}

#define WALK_NAME walk_tables
#define WALK_USED 12
#define WALK_STRIDE 16
#define WALK_TABLES 1
#include "collide/boxtree/kernel_body.h"

const tmb_walk_kernels tmb_walk_kernels_scalar = {walk_lanes8, walk_lanes16, walk_lanes32, walk_tables};
#endif
