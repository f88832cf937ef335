/* k-DOPs as boxes. */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "tree/box_view.h"
#include "tree/kdop/kdop.h"

static void set_kdop(const tumble_model *model, uint32_t number, tmb_box_node *node)
{
    TMB_ASSERT(number >= TMB_KDOP_ROOT && number <= model->block->node_count);
    const tmb_kdop_view tree = tmb_kdop_view_of(model->block, model->nodes);
    const uint32_t *links = tmb_kdop_links(&tree, number);
    node->triangle_count = links[1];
    node->reference = links[1] ? links[0] : number;
    memset(node->own, 0, sizeof node->own); /* walks compare nodes, of which some come from rooms that nobody cleared */
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

static void set_kdop_box(const tmb_box_view *view, const float *bounds, tmb_box_node *node)
{
    for (int k = 0; k < 3; k++) {
        double high = (double)bounds[2 * k], low = -(double)bounds[2 * k + 1];
        if (view->model->block->kdop.k == 12) {
            dodecahedron_range(bounds, k, &low, &high);
        }
        tmb_box_set_range(view, k, low, high, node);
    }
}

void tmb_kdop_leaf_box(const tumble_model *model, uint32_t address, uint32_t count, double lower[3], double upper[3])
{
    TMB_ASSERT(count > 0);
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3];
        tmb_model_corners(model, address, corners);
        for (int n = 0; n < 9; n++) {
            const int k = n % 3;
            const double x = (corners[n / 3][k] - model->frame.centre[k]) * model->frame.scale;
            lower[k] = tmb_lesser(lower[k], x);
            upper[k] = tmb_greater(upper[k], x);
        }
        address = tmb_next_triangle(model->places, address);
    }
}

static void set_leaf_box(const tmb_box_view *view, tmb_box_node *node)
{
    double lower[3], upper[3];
    tmb_kdop_leaf_box(view->model, node->reference, node->triangle_count, lower, upper);
    for (int k = 0; k < 3; k++) {
        tmb_box_set_range(view, k, lower[k], upper[k], node);
    }
}

static uint32_t children_of(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    const tmb_kdop_view tree = tmb_kdop_view_of(view->model->block, view->model->nodes);
    const uint32_t first = tmb_kdop_links(&tree, node->reference)[0];
    for (uint32_t i = 0; i < 2; i++) {
        set_kdop(view->model, first + i, &children[i]);
        if (children[i].triangle_count && tree.has_bare_leaves) {
            set_leaf_box(view, &children[i]);
        } else {
            set_kdop_box(view, tmb_kdop_bounds(&tree, tmb_kdop_volume_of(&tree, first + i)), &children[i]);
        }
    }
    return 2;
}

static void begin(tmb_box_view *view)
{
    tmb_box_set_local(view, TMB_BOX_OF_KDOP_ROUNDING);
}

static void root_of(const tmb_box_view *view, tmb_box_node *root)
{
    set_kdop(view->model, TMB_KDOP_ROOT, root);
}

const tmb_box_reader tmb_kdop_boxes = {.begin = begin, .root = root_of, .children = children_of, .is_binary = 1};
