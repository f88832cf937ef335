/* Nodes of R-trees as boxes: own[0] says whether a node is one of the tree over surfaces. The children of a node with
 * several pages are these, as nodes of their own: own[1] is then the number of the page, from 1 on. */
#include "math/bounds.h"
#include "tree/box_view.h"
#include "tree/rtree/rtree.h"

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
        tmb_box_set_cluster(model, root, node);
        return;
    }
    node->reference = root;
    node->triangle_count = 0;
    node->own[0] = of_surfaces;
    node->own[1] = 0;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The box of the children in a page. */
static void set_page_box(const tmb_box_view *view, const tmb_rtree_node *page, uint32_t count, tmb_box_node *node)
{
    for (int k = 0; k < 3; k++) {
        float low = page->lower[k][0], high = page->upper[k][0];
        for (uint32_t i = 1; i < count; i++) {
            low = page->lower[k][i] < low ? page->lower[k][i] : low;
            high = page->upper[k][i] > high ? page->upper[k][i] : high;
        }
        tmb_box_set_range(view, k, (double)low, (double)high, node);
    }
}

static uint32_t pages_of(const tmb_box_view *view, const tmb_box_node *node, const tmb_rtree_node *from,
                         tmb_box_node *children)
{
    const uint32_t count = tmb_rtree_pages(from->count);
    for (uint32_t i = 0; i < count; i++) {
        children[i].reference = node->reference;
        children[i].triangle_count = 0;
        children[i].own[0] = node->own[0];
        children[i].own[1] = (int32_t)i + 1;
        set_page_box(view, from + i, lesser(from->count - i * TMB_RTREE_LANES, TMB_RTREE_LANES), &children[i]);
    }
    return count;
}

static uint32_t children_of(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    const uint32_t pages = tmb_rtree_pages(tmb_rtree_width(view->model->block));
    const tmb_rtree_node *from = (const tmb_rtree_node *)view->model->nodes + (size_t)node->reference * pages;
    if (from->count > TMB_RTREE_LANES && !node->own[1]) {
        return pages_of(view, node, from, children);
    }
    const uint32_t page = node->own[1] ? (uint32_t)node->own[1] - 1 : 0;
    const uint32_t count = lesser(from->count - page * TMB_RTREE_LANES, TMB_RTREE_LANES);
    for (uint32_t i = 0; i < count; i++) {
        set_rtree(view->model, from[page].child[i], from->level, node->own[0], &children[i]);
        for (int k = 0; k < 3; k++) {
            tmb_box_set_range(view, k, (double)from[page].lower[k][i], (double)from[page].upper[k][i], &children[i]);
        }
    }
    return count;
}

static void begin(tmb_box_view *view)
{
    tmb_box_set_local(view, TMB_BOX_OF_RTREE_ROUNDING);
}

static void root_of(const tmb_box_view *view, tmb_box_node *root)
{
    set_rtree(view->model, view->model->block->rtree.root, view->model->block->rtree.height, 1, root);
}

const tmb_box_reader tmb_rtree_boxes = {.begin = begin, .root = root_of, .children = children_of};
