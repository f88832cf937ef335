/* The hierarchies as trees of boxes. */
#include "tree/box_view.h"

#include <math.h>
#include <string.h>

#include "math/bounds.h"
#include "tree/hierarchy.h"

/* ---- From a node's numbers to coordinates ----
 *
 * A coordinate is origin + unit * rest * number. Halves of it are computed, which overflow only where it does, and
 * bounds that leave the model's are cut back to them. A margin that is subtracted from the origin, or added, pays for
 * everything: what the number may be off by, the rounding of the origin's half, of the product, where it is subnormal,
 * and of the sum, each at most 2^-53 of the origin or of the model's size, or 2^-1074. */

void tmb_box_set_origin(tmb_box_view *view, const double origin[3], double unit, double size_error)
{
    view->unit = unit;
    view->rest = 1;
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * origin[k],
                     margin = size_error + TMB_BOX_SUM_ROUNDING * fabs(half) + TMB_BOX_LEAST_MARGIN;
        view->lower[k] = half - margin;
        view->upper[k] = half + margin;
    }
}

/* The rounding is how far a point's local coordinate can be outside a bound, see where they are written: floats are
 * rounded to the nearest in wide nodes, by at most 2^-25, and outward in the others; bounds of k-DOPs are added. */
void tmb_box_set_local(tmb_box_view *view, double rounding)
{
    const tmb_local_frame *frame = &view->model->frame;
    const double unit = 0.5 / frame->scale;
    tmb_box_set_origin(view, frame->centre, unit, (rounding + TMB_BOX_SUM_ROUNDING) * unit);
}

void tmb_box_set_range(const tmb_box_view *view, int k, double low, double high, tmb_box_node *node)
{
    const double *least = view->model->block->lower, *most = view->model->block->upper;
    const double lower = 2 * (view->lower[k] + low * view->unit * view->rest);
    const double upper = 2 * (view->upper[k] + high * view->unit * view->rest);
    node->lower[k] = lower > least[k] ? lower : least[k];
    node->upper[k] = upper < most[k] ? upper : most[k];
}

void tmb_box_set_cluster(const tumble_model *model, uint32_t cluster, tmb_box_node *node)
{
    node->reference = tmb_triangle_address(cluster, 0);
    node->triangle_count = tmb_cluster_triangle_count(model->places + cluster);
}

/* ---- The trees ---- */

tmb_box_view tmb_box_view_of(const tumble_model *model)
{
    tmb_box_view view = {.model = model, .reader = tmb_hierarchy_of(model->block)->boxes};
    if (view.reader->begin) {
        view.reader->begin(&view);
    }
    return view;
}

int tmb_box_view_root(const tmb_box_view *view, tmb_box_node *root)
{
    const tmb_block *block = view->model->block;
    if (block->triangle_count == 0) {
        return 0;
    }
    memset(root, 0, sizeof *root);
    memcpy(root->lower, block->lower, sizeof root->lower);
    memcpy(root->upper, block->upper, sizeof root->upper);
    view->reader->root(view, root);
    return 1;
}

uint32_t tmb_box_view_children(const tmb_box_view *view, const tmb_box_node *node,
                               tmb_box_node children[TMB_BOX_CHILDREN])
{
    return view->reader->children(view, node, children);
}
