/* Wide nodes as boxes. */
#include "math/bounds.h"
#include "tree/box_view.h"
#include "tree/wide/wide.h"

static void set_wide(const tumble_model *model, uint32_t number, int is_cluster, tmb_box_node *node)
{
    if (is_cluster) {
        tmb_box_set_cluster(model, number, node);
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

static uint32_t children_of(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    const tmb_wide_node *from = (const tmb_wide_node *)view->model->nodes + node->reference;
    for (uint32_t i = 0; i < from->child_count; i++) {
        set_wide(view->model, from->children + i, from->is_lowest, &children[i]);
        for (int k = 0; k < 3; k++) {
            tmb_box_set_range(view, k, (double)decoded(from, k, from->lower[k][i]),
                              (double)decoded(from, k, from->upper[k][i]), &children[i]);
        }
    }
    return from->child_count;
}

static void begin(tmb_box_view *view)
{
    tmb_box_set_local(view, TMB_BOX_OF_WIDE_ROUNDING);
}

static void root_of(const tmb_box_view *view, tmb_box_node *root)
{
    set_wide(view->model, 0, 0, root);
}

const tmb_box_reader tmb_wide_boxes = {.begin = begin, .root = root_of, .children = children_of};
