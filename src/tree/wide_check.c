/* Whether nodes from outside form the tree that their number of clusters asks for. */
#include <math.h>

#include "tree/wide.h"

static int good_node(const tmb_wide_node *node, const tmb_wide_shape *shape, uint32_t level, uint32_t i,
                     uint32_t cluster_count)
{
    const uint32_t below = level ? shape->counts[level - 1] : cluster_count, first = i * TMB_WIDE;
    const uint32_t start = level ? shape->starts[level - 1] : 0, left = below - first;
    int good = node->children == start + first && node->child_count == (left < TMB_WIDE ? left : TMB_WIDE) &&
               node->is_lowest == (level == 0);
    for (int k = 0; k < 3; k++) {
        good = good && fabsf(node->origin[k]) <= 2 && node->scale[k] > 0 && node->scale[k] <= 2;
    }
    return good;
}

tumble_status tmb_wide_check(tumble_context *context, const tmb_block *block, const void *nodes)
{
    const tmb_wide_node *all = nodes;
    const uint32_t cluster_count = (uint32_t)block->cluster_count;
    const tmb_wide_shape shape = tmb_wide_shape_of(cluster_count);
    for (uint32_t level = 0; level < shape.level_count; level++) {
        for (uint32_t i = 0; i < shape.counts[level]; i++) {
            const uint32_t number = shape.starts[level] + i;
            if (!good_node(&all[number], &shape, level, i, cluster_count)) {
                return tmb_fail(context, TUMBLE_ERROR_FORMAT, "not a valid model: node %u is damaged", number);
            }
        }
    }
    return TUMBLE_OK;
}
