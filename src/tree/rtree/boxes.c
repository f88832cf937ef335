/* Nodes of R-trees as boxes: own[0] says whether a node is one of the tree over surfaces. */
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
}

static uint32_t children_of(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    const tmb_rtree_node *from = (const tmb_rtree_node *)view->model->nodes + node->reference;
    for (uint32_t i = 0; i < from->count; i++) {
        set_rtree(view->model, from->child[i], from->level, node->own[0], &children[i]);
        for (int k = 0; k < 3; k++) {
            tmb_box_set_range(view, k, (double)from->lower[k][i], (double)from->upper[k][i], &children[i]);
        }
    }
    return from->count;
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
