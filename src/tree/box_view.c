/* The hierarchies as trees of boxes. */
#include "tree/box_view.h"

#include "base/assert.h"
#include "math/vec3.h"
#include "tree/boxtree/boxtree.h"
#include "tree/kdop/kdop.h"

#include <math.h>
#include <string.h>

#include "math/bounds.h"
#include "tree/rtree/rtree.h"
#include "tree/wide/wide.h"

/* ---- From a node's numbers to coordinates ----
 *
 * A coordinate is origin + unit * rest * number. Halves of it are computed, which overflow only where it does, and
 * bounds that leave the model's are cut back to them. A margin that is subtracted from the origin, or added, pays for
 * everything: what the number may be off by, the rounding of the origin's half, of the product, where it is subnormal,
 * and of the sum, each at most 2^-53 of the origin or of the model's size, or 2^-1074. */

/* How far a point's local coordinate can be outside a bound, see where they are written: floats are rounded to the
 * nearest in wide nodes, by at most 2^-25, and outward in the others; bounds of k-DOPs are added here. */

static void set_origin(tmb_box_view *tree, const double origin[3], double unit, double size_error)
{
    tree->unit = unit;
    tree->rest = 1;
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * origin[k],
                     margin = size_error + TMB_BOX_SUM_ROUNDING * fabs(half) + TMB_BOX_LEAST_MARGIN;
        tree->lower[k] = half - margin;
        tree->upper[k] = half + margin;
    }
}

static void set_local(tmb_box_view *tree, double rounding)
{
    const tmb_local_frame *frame = &tree->model->frame;
    const double unit = 0.5 / frame->scale;
    set_origin(tree, frame->centre, unit, (rounding + TMB_BOX_SUM_ROUNDING) * unit);
}

/* Numbers of the grid are exact, and below 2^31. Its unit can be smaller than any double. */
static void set_grid(tmb_box_view *tree)
{
    const int exponent = tree->model->block->boxtree.exponent, lift = exponent < -900 ? 200 : 0;
    const double unit = ldexp(0.5, exponent + lift), rest = ldexp(1, -lift);
    set_origin(tree, tree->model->block->lower, unit, 0x1p31 * TMB_BOX_SUM_ROUNDING * unit * rest);
    tree->rest = rest;
}

tmb_box_view tmb_box_view_of(const tumble_model *model)
{
    tmb_box_view tree = {.model = model};
    switch (model->block->hierarchy) {
    case TUMBLE_HIERARCHY_WIDE: set_local(&tree, TMB_BOX_OF_WIDE_ROUNDING); break;
    case TUMBLE_HIERARCHY_KDOP: set_local(&tree, TMB_BOX_OF_KDOP_ROUNDING); break;
    case TUMBLE_HIERARCHY_RTREE: set_local(&tree, TMB_BOX_OF_RTREE_ROUNDING); break;
    case TUMBLE_HIERARCHY_BOXTREE: set_grid(&tree); break;
    default: break;
    }
    return tree;
}

/* One axis of a box. */
static void set_range(const tmb_box_view *tree, int k, double low, double high, tmb_box_node *node)
{
    TMB_ASSERT(k >= 0 && k < 3);
    TMB_ASSERT(!(low > high));
    const double *least = tree->model->block->lower, *most = tree->model->block->upper;
    const double lower = 2 * (tree->lower[k] + low * tree->unit * tree->rest);
    const double upper = 2 * (tree->upper[k] + high * tree->unit * tree->rest);
    node->lower[k] = lower > least[k] ? lower : least[k];
    node->upper[k] = upper < most[k] ? upper : most[k];
}

static void set_cluster(const tumble_model *model, uint32_t cluster, tmb_box_node *node)
{
    TMB_ASSERT(cluster < model->block->cluster_count);
    node->reference = tmb_triangle_address(cluster, 0);
    node->triangle_count = tmb_cluster_triangle_count(model->places + cluster);
}

/* ---- Wide ---- */

static void set_wide(const tumble_model *model, uint32_t number, int is_cluster, tmb_box_node *node)
{
    if (is_cluster) {
        set_cluster(model, number, node);
        return;
    }
    node->reference = number;
    node->triangle_count = 0;
}

/* In floats, as the boxes were made. */
static float decoded(const tmb_wide_node *node, int k, uint8_t steps)
{
    return node->origin[k] + (float)steps * node->scale[k];
}

static uint32_t wide_children(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node *children)
{
    const tmb_wide_node *from = (const tmb_wide_node *)tree->model->nodes + node->reference;
    for (uint32_t i = 0; i < from->child_count; i++) {
        set_wide(tree->model, from->children + i, from->is_lowest, &children[i]);
        for (int k = 0; k < 3; k++) {
            set_range(tree, k, (double)decoded(from, k, from->lower[k][i]), (double)decoded(from, k, from->upper[k][i]),
                      &children[i]);
        }
    }
    return from->child_count;
}

/* ---- Boxtrees: a node is known by what its parent, or itself, holds of it, and by its box on the grid ---- */

static void set_boxtree(const tmb_box_view *tree, uint32_t word, tmb_box_node *node)
{
    const int one_plane = tree->model->block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE;
    const int is_leaf = one_plane ? tmb_one_kind(word) == TMB_NODE_LEAF : (word & TMB_TWO_LEAF) != 0;
    node->reference = word;
    node->triangle_count = 0;
    if (is_leaf) {
        node->reference = one_plane ? tmb_one_index(word) : word & (TMB_TWO_LEAF - 1);
        node->triangle_count = 1;
    }
}

static void boxtree_root(const tmb_box_view *tree, tmb_box_node *node)
{
    const tmb_boxtree_root *root = &tree->model->block->boxtree;
    const tmb_node_one *nodes = tree->model->nodes;
    set_boxtree(tree, root->layout == TUMBLE_BOXTREE_ONE_PLANE ? nodes[0].word : root->root, node);
    for (int k = 0; k < 3; k++) {
        node->own[2 * k] = 0;
        node->own[2 * k + 1] = root->extent[k];
    }
}

/* Sides move inward: the lower ones up. */
static void move_side(uint32_t side, float cut, tmb_box_node *node)
{
    TMB_ASSERT(side < 6);
    TMB_ASSERT(cut >= 0);
    node->own[side] += side % 2 ? -(int32_t)cut : (int32_t)cut;
}

static void set_grid_box(const tmb_box_view *tree, tmb_box_node *node)
{
    for (int k = 0; k < 3; k++) {
        set_range(tree, k, node->own[2 * k], node->own[2 * k + 1], node);
    }
}

static uint32_t one_plane_children(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node *children)
{
    TMB_ASSERT(tmb_one_kind(node->reference) != TMB_NODE_LEAF);
    const tmb_node_one *from = (const tmb_node_one *)tree->model->nodes + tmb_one_index(node->reference);
    const uint32_t count = tmb_one_kind(node->reference) == TMB_NODE_TWIN ? 2 : 1;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(children[i].own, node->own, sizeof node->own);
        move_side(tmb_one_side(from[i].word), from[i].cut, &children[i]);
        set_boxtree(tree, from[i].word, &children[i]);
        set_grid_box(tree, &children[i]);
    }
    return count;
}

static uint32_t two_plane_children(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node *children)
{
    const tmb_node_two *from = (const tmb_node_two *)tree->model->nodes + node->reference;
    const uint32_t axis = tmb_two_axis(from), second = tmb_two_reference(from->child[1]);
    const uint32_t count = second == TMB_TWO_NONE ? 1 : 2;
    memcpy(children[0].own, node->own, sizeof node->own);
    memcpy(children[1].own, node->own, sizeof node->own);
    move_side(2 * axis + 1, from->cut[0], &children[0]);
    move_side(2 * axis, from->cut[1], &children[count - 1]);
    set_boxtree(tree, tmb_two_reference(from->child[0]), &children[0]);
    set_grid_box(tree, &children[0]);
    if (count == 2) {
        set_boxtree(tree, second, &children[1]);
        set_grid_box(tree, &children[1]);
    }
    return count;
}

static uint32_t boxtree_children(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node *children)
{
    return tree->model->block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE ? one_plane_children(tree, node, children)
                                                                          : two_plane_children(tree, node, children);
}

/* ---- k-DOPs ---- */

static void set_kdop(const tumble_model *model, uint32_t number, tmb_box_node *node)
{
    TMB_ASSERT(number >= TMB_KDOP_ROOT && number <= model->block->node_count);
    const uint32_t k = model->block->kdop.k, *row = tmb_kdop_row(model->nodes, k, number);
    node->triangle_count = tmb_kdop_count(k, row);
    node->reference = node->triangle_count ? tmb_kdop_link(k, row) : number;
}

/* The faces of a dodecahedron come in pairs, whose sums and differences are along axes: of lanes p and q, for -D_i and
 * -D_i+1 the next ones. */
static double along_sum(const float *bounds, int p, int q, double length)
{
    return ((double)bounds[p] + (double)bounds[q]) / length;
}

static void dodecahedron_range(const float *bounds, int k, double *low, double *high)
{
    static const int differences[3] = {4, 0, 8},
                     sums[3] = {8, 4, 0}; /* lanes: D_i - D_i+1 = 2 k, D_i + D_i+1 = 2 g k */
    const int d = differences[k], s = sums[k];
    *high = tmb_lesser(along_sum(bounds, d, d + 3, 2), along_sum(bounds, s, s + 2, 2 * TMB_GOLDEN));
    *low = -tmb_lesser(along_sum(bounds, d + 1, d + 2, 2), along_sum(bounds, s + 1, s + 3, 2 * TMB_GOLDEN));
}

static void set_kdop_box(const tmb_box_view *tree, const float *bounds, tmb_box_node *node)
{
    for (int k = 0; k < 3; k++) {
        double high = (double)bounds[2 * k], low = -(double)bounds[2 * k + 1];
        if (tree->model->block->kdop.k == 12) {
            dodecahedron_range(bounds, k, &low, &high);
        }
        set_range(tree, k, low, high, node);
    }
}

static uint32_t kdop_children(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node *children)
{
    const uint32_t k = tree->model->block->kdop.k;
    const uint32_t first = tmb_kdop_link(k, tmb_kdop_row(tree->model->nodes, k, node->reference));
    for (uint32_t i = 0; i < 2; i++) {
        set_kdop(tree->model, first + i, &children[i]);
        set_kdop_box(tree, (const float *)tmb_kdop_row(tree->model->nodes, k, first + i), &children[i]);
    }
    return 2;
}

/* ---- R-trees: own[0] says whether it is a node of the tree over surfaces ---- */

/* A tree of that height; where it has no nodes, it is what it stands over. */
static void set_rtree(const tumble_model *model, uint32_t root, uint32_t height, int of_surfaces, tmb_box_node *node)
{
    if (height == 0 && of_surfaces) {
        const tmb_rtree_surface *surface = &tmb_rtree_surfaces(model->block, model->nodes)[root];
        root = surface->root;
        height = surface->height;
        of_surfaces = 0;
    }
    if (height == 0) {
        set_cluster(model, root, node);
        return;
    }
    node->reference = root;
    node->triangle_count = 0;
    node->own[0] = of_surfaces;
}

static uint32_t rtree_children(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node *children)
{
    const tmb_rtree_node *from = (const tmb_rtree_node *)tree->model->nodes + node->reference;
    for (uint32_t i = 0; i < from->count; i++) {
        set_rtree(tree->model, from->child[i], from->level, node->own[0], &children[i]);
        for (int k = 0; k < 3; k++) {
            set_range(tree, k, (double)from->lower[k][i], (double)from->upper[k][i], &children[i]);
        }
    }
    return from->count;
}

/* ---- No hierarchy: runs of clusters, the first as the reference and how many there are in own[0] ---- */

static void set_cluster_box(const tumble_model *model, uint32_t cluster, tmb_box_node *node)
{
    double corners[3][3];
    for (uint32_t i = 0; i < tmb_cluster_triangle_count(model->places + cluster); i++) {
        tmb_model_corners(model, tmb_triangle_address(cluster, i), corners);
        for (int c = 0; c < 9; c++) {
            const double x = corners[c / 3][c % 3];
            node->lower[c % 3] = (i == 0 && c < 3) || x < node->lower[c % 3] ? x : node->lower[c % 3];
            node->upper[c % 3] = (i == 0 && c < 3) || x > node->upper[c % 3] ? x : node->upper[c % 3];
        }
    }
}

static void set_run(const tumble_model *model, uint32_t first, uint32_t count, tmb_box_node *node)
{
    TMB_ASSERT(count > 0);
    TMB_ASSERT(first + count <= model->block->cluster_count);
    if (count == 1) {
        set_cluster(model, first, node);
        set_cluster_box(model, first, node);
        return;
    }
    node->reference = first;
    node->triangle_count = 0;
    node->own[0] = (int32_t)count;
    memcpy(node->lower, model->block->lower, sizeof node->lower);
    memcpy(node->upper, model->block->upper, sizeof node->upper);
}

static uint32_t brute_children(const tmb_box_view *tree, const tmb_box_node *node, tmb_box_node *children)
{
    const uint64_t total = (uint64_t)node->own[0], count = total < TMB_BOX_CHILDREN ? total : TMB_BOX_CHILDREN;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t begin = total * i / count, end = total * (i + 1) / count;
        set_run(tree->model, node->reference + (uint32_t)begin, (uint32_t)(end - begin), &children[i]);
    }
    return (uint32_t)count;
}

/* ---- All of them ---- */

int tmb_box_view_root(const tmb_box_view *tree, tmb_box_node *root)
{
    const tumble_model *model = tree->model;
    const tmb_block *block = model->block;
    if (block->triangle_count == 0) {
        return 0;
    }
    memset(root, 0, sizeof *root);
    memcpy(root->lower, block->lower, sizeof root->lower);
    memcpy(root->upper, block->upper, sizeof root->upper);
    switch (block->hierarchy) {
    case TUMBLE_HIERARCHY_WIDE: set_wide(model, 0, 0, root); break;
    case TUMBLE_HIERARCHY_KDOP: set_kdop(model, TMB_KDOP_ROOT, root); break;
    case TUMBLE_HIERARCHY_RTREE: set_rtree(model, block->rtree.root, block->rtree.height, 1, root); break;
    case TUMBLE_HIERARCHY_BOXTREE: boxtree_root(tree, root); break;
    default: set_run(model, 0, (uint32_t)block->cluster_count, root);
    }
    return 1;
}

uint32_t tmb_box_view_children(const tmb_box_view *tree, const tmb_box_node *node,
                               tmb_box_node children[TMB_BOX_CHILDREN])
{
    switch (tree->model->block->hierarchy) {
    case TUMBLE_HIERARCHY_WIDE: return wide_children(tree, node, children);
    case TUMBLE_HIERARCHY_KDOP: return kdop_children(tree, node, children);
    case TUMBLE_HIERARCHY_RTREE: return rtree_children(tree, node, children);
    case TUMBLE_HIERARCHY_BOXTREE: return boxtree_children(tree, node, children);
    default: return brute_children(tree, node, children);
    }
}
