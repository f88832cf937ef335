/* Whether loaded nodes form a tree over all clusters. */
#include <math.h>

#include "tree/wide/wide.h"

static int good_frame(const tmb_wide_node *node)
{
    int good = 1;
    for (int k = 0; k < 3; k++) {
        good = good && fabsf(node->origin[k]) <= 2 && node->scale[k] > 0 && node->scale[k] <= 2;
    }
    return good;
}

typedef struct pending {
    uint32_t node, depth;
} pending;

/* Children, nodes and clusters alike, come in the order in which a depth-first traversal meets their parents: that
 * alone excludes cycles and sharing. */
tumble_status tmb_wide_validate(tumble_context *context, const tmb_block *block, const void *nodes)
{
    const uint32_t node_count = (uint32_t)block->node_count, cluster_count = (uint32_t)block->cluster_count;
    pending stack[TMB_WIDE * TMB_WIDE_LEVELS] = {{0, 1}};
    uint32_t waiting = 1, next_node = 1, next_cluster = 0;
    while (waiting > 0) {
        const pending p = stack[--waiting];
        const tmb_wide_node *node = (const tmb_wide_node *)nodes + p.node;
        uint32_t *next = node->is_lowest ? &next_cluster : &next_node;
        const uint32_t left = (node->is_lowest ? cluster_count : node_count) - *next;
        if (node->is_lowest > 1 || node->child_count < 1 || node->child_count > TMB_WIDE || node->children != *next ||
            node->child_count > left || p.depth > block->depth || !good_frame(node)) {
            return tmb_fail(context, TUMBLE_ERROR_FORMAT, "not a valid model: node %u is damaged", p.node);
        }
        for (uint32_t i = node->child_count; !node->is_lowest && i-- > 0;) {
            stack[waiting++] = (pending){*next + i, p.depth + 1};
        }
        *next += node->child_count;
    }
    if (next_node != node_count || next_cluster != cluster_count) {
        return tmb_fail(context, TUMBLE_ERROR_FORMAT, "not a valid model: its nodes are not all in one tree");
    }
    return TUMBLE_OK;
}
