/* Models without a hierarchy as boxes: runs of clusters, the first as the reference and how many there are in own[0].
 */
#include <string.h>

#include "base/assert.h"
#include "tree/brute/brute.h"

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
        tmb_box_set_cluster(model, first, node);
        set_cluster_box(model, first, node);
        return;
    }
    node->reference = first;
    node->triangle_count = 0;
    node->own[0] = (int32_t)count;
    memcpy(node->lower, model->block->lower, sizeof node->lower);
    memcpy(node->upper, model->block->upper, sizeof node->upper);
}

static uint32_t children_of(const tmb_box_view *view, const tmb_box_node *node, tmb_box_node *children)
{
    const uint64_t total = (uint64_t)node->own[0], count = total < TMB_BOX_CHILDREN ? total : TMB_BOX_CHILDREN;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t begin = total * i / count, end = total * (i + 1) / count;
        set_run(view->model, node->reference + (uint32_t)begin, (uint32_t)(end - begin), &children[i]);
    }
    return (uint32_t)count;
}

static void root_of(const tmb_box_view *view, tmb_box_node *root)
{
    set_run(view->model, 0, (uint32_t)view->model->block->cluster_count, root);
}

const tmb_box_reader tmb_brute_boxes = {.root = root_of, .children = children_of};
