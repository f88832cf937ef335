/* Nodes of boxtrees as boxes. A node is known by what its parent, or itself, holds of it, and by its box on the grid.
 */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "tree/box_view.h"
#include "tree/boxtree/boxtree.h"

/* Numbers of the grid are exact, and below 2^31. Its unit can be smaller than any double. */
static void begin(tmb_box_view *view)
{
    const int exponent = view->model->block->boxtree.exponent, lift = exponent < -900 ? 200 : 0;
    const double unit = ldexp(0.5, exponent + lift), rest = ldexp(1, -lift);
    tmb_box_set_origin(view, view->model->corner, unit, 0x1p31 * TMB_BOX_SUM_ROUNDING * unit * rest);
    view->rest = rest;
}

static void set_boxtree(const tmb_box_view *view, uint32_t word, tmb_box_node *node)
{
    const int one_plane = view->model->block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE;
    const int is_leaf = one_plane ? tmb_one_kind(word) == TMB_NODE_LEAF : (word & TMB_TWO_LEAF) != 0;
    node->reference = word;
    node->triangle_count = 0;
    if (is_leaf) {
        node->reference = one_plane ? tmb_one_index(word) : word & (TMB_TWO_LEAF - 1);
        node->triangle_count = 1;
    }
}

static void root_of(const tmb_box_view *view, tmb_box_node *node)
{
    const tmb_boxtree_root *root = &view->model->block->boxtree;
    const tmb_node_one *nodes = view->model->nodes;
    set_boxtree(view, root->layout == TUMBLE_BOXTREE_ONE_PLANE ? nodes[0].word : root->root, node);
    for (int k = 0; k < 3; k++) {
        node->own[2 * k] = 0;
        node->own[2 * k + 1] = root->extent[k];
    }
}

/* Sides move inward: the lower ones up. Unsigned, because the cuts of a damaged block may sum up to anything. */
static void move_side(uint32_t side, float cut, tmb_box_node *node)
{
    TMB_ASSERT(side < 6);
    TMB_ASSERT(cut >= 0);
    const uint32_t own = (uint32_t)node->own[side], move = (uint32_t)cut;
    node->own[side] = (int32_t)(side % 2 ? own - move : own + move);
}

static void set_grid_box(const tmb_box_view *view, tmb_box_node *node)
{
    for (int k = 0; k < 3; k++) {
        tmb_box_set_range(view, k, node->own[2 * k], node->own[2 * k + 1], node);
    }
}

static uint32_t one_plane_children(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    TMB_ASSERT(tmb_one_kind(node->reference) != TMB_NODE_LEAF);
    const tmb_node_one *from = (const tmb_node_one *)view->model->nodes + tmb_one_index(node->reference);
    const uint32_t count = tmb_one_kind(node->reference) == TMB_NODE_TWIN ? 2 : 1;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(children[i].own, node->own, sizeof node->own);
        move_side(tmb_one_side(from[i].word), from[i].cut, &children[i]);
        set_boxtree(view, from[i].word, &children[i]);
        set_grid_box(view, &children[i]);
    }
    return count;
}

static uint32_t two_plane_children(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    const tmb_node_two *from = (const tmb_node_two *)view->model->nodes + node->reference;
    const uint32_t axis = tmb_two_axis(from), second = tmb_two_reference(from->child[1]);
    const uint32_t count = second == TMB_TWO_NONE ? 1 : 2;
    memcpy(children[0].own, node->own, sizeof node->own);
    memcpy(children[1].own, node->own, sizeof node->own);
    move_side(2 * axis + 1, from->cut[0], &children[0]);
    move_side(2 * axis, from->cut[1], &children[count - 1]);
    set_boxtree(view, tmb_two_reference(from->child[0]), &children[0]);
    set_grid_box(view, &children[0]);
    if (count == 2) {
        set_boxtree(view, second, &children[1]);
        set_grid_box(view, &children[1]);
    }
    return count;
}

static uint32_t children_of(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    return view->model->block->boxtree.layout == TUMBLE_BOXTREE_ONE_PLANE ? one_plane_children(view, node, children)
                                                                          : two_plane_children(view, node, children);
}

const tmb_box_reader tmb_boxtree_boxes = {
    .begin = begin, .root = root_of, .children = children_of, .is_binary = 1, .has_loose_leaves = 1};
