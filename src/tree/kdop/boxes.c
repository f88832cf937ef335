/* k-DOPs as boxes. */
#include "base/assert.h"
#include "math/bounds.h"
#include "math/vec3.h"
#include "tree/box_view.h"
#include "tree/kdop/kdop.h"

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

static uint32_t children_of(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    const uint32_t k = view->model->block->kdop.k;
    const uint32_t first = tmb_kdop_link(k, tmb_kdop_row(view->model->nodes, k, node->reference));
    for (uint32_t i = 0; i < 2; i++) {
        set_kdop(view->model, first + i, &children[i]);
        set_kdop_box(view, (const float *)tmb_kdop_row(view->model->nodes, k, first + i), &children[i]);
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
